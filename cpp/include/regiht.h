/* regiht for C, and for every language that can call C: the best model of at most s features.
 *
 * Handles are opaque, and what a function named *_new returns is given back to the *_free of its
 * kind; NULL is ignored there. No exception leaves the library: a function that fails returns NULL
 * or a code other than REGIHT_OK, and regiht_last_error says why. Arrays are borrowed for the call,
 * but for the matrix of a design, which must stay as it is while the design or a problem made of it
 * is in use. Every handle may be read by any number of threads at once; to change one is for one
 * thread alone. Names and meanings of losses, methods and settings are those of regiht.solve in
 * Python. */
#ifndef REGIHT_H
#define REGIHT_H

#include <stdint.h>

#if defined(_WIN32)
#define REGIHT_API
#else
#define REGIHT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. */
enum {
  REGIHT_OK = 0,
  REGIHT_INVALID_ARGUMENT = 1,
  REGIHT_OUT_OF_MEMORY = 2,
  REGIHT_FAILED = 3 /* anything else; please report it */
};

/* Types of the numbers of a matrix, and of the indices of a sparse one. */
enum { REGIHT_FLOAT64 = 0, REGIHT_FLOAT32 = 1 };
enum { REGIHT_INT32 = 0, REGIHT_INT64 = 1 };

/* The version of the library, such as "0.1.0". */
REGIHT_API const char* regiht_version(void);

/* Why the last call of this thread that failed did so: valid until its next call that fails. */
REGIHT_API const char* regiht_last_error(void);
REGIHT_API int regiht_last_error_code(void);

/* Names that can be asked for, from 0 on; NULL beyond the last one. */
REGIHT_API const char* regiht_loss_name(int64_t number);
REGIHT_API const char* regiht_method_name(int64_t number);

/* ---- Designs: matrices of one row for every sample and one column for every feature. ---- */

typedef struct regiht_design regiht_design;

/* Dense: entry (i, j) is values[i + stride * j] by columns, and values[stride * i + j] by rows. All
 * entries are looked at: what is not finite is refused. */
REGIHT_API regiht_design* regiht_design_new_dense_columns(const void* values, int value_type,
                                                          int64_t rows, int64_t cols,
                                                          int64_t stride);
REGIHT_API regiht_design* regiht_design_new_dense_rows(const void* values, int value_type,
                                                       int64_t rows, int64_t cols, int64_t stride);

/* Compressed sparse columns, or rows: the entries of slice k are those from offsets[k] up to
 * offsets[k + 1]. Indices of a slice must ascend; all of them, and all values, are looked at. */
REGIHT_API regiht_design* regiht_design_new_sparse_columns(const void* values, int value_type,
                                                           const void* indices, const void* offsets,
                                                           int index_type, int64_t rows,
                                                           int64_t cols);
REGIHT_API regiht_design* regiht_design_new_sparse_rows(const void* values, int value_type,
                                                        const void* indices, const void* offsets,
                                                        int index_type, int64_t rows, int64_t cols);

/* The same matrix with columns centred, if asked, then scaled to unit norm, if asked; nothing is
 * formed. Coefficients of a fit on it are given in the scale of the matrix as it was. */
REGIHT_API regiht_design* regiht_design_new_standardized(const regiht_design* design, int center,
                                                         int scale);

REGIHT_API int64_t regiht_design_rows(const regiht_design* design);
REGIHT_API int64_t regiht_design_cols(const regiht_design* design);
REGIHT_API void regiht_design_free(regiht_design* design);

/* ---- Problems: a design, a loss, targets, and how they are to be solved. ---- */

typedef struct regiht_problem regiht_problem;

/* One target for every row; they are copied. Whatever was made of the design may be freed before
 * the problem is; the matrix itself may not. */
REGIHT_API regiht_problem* regiht_problem_new(const regiht_design* design, const char* loss,
                                              const double* targets);

/* Changes a setting. Of the model: ridge, intercept (0 or 1), screening, threads. Of a solve:
 * time_limit (seconds), and every option of a solver that is a number or a truth value: max_iter,
 * tol, step, weight_step, refit, swap, effort, positive, seed and the others. */
REGIHT_API int regiht_problem_set(regiht_problem* problem, const char* name, double value);

/* One weight for every row, copied; NULL for none. */
REGIHT_API int regiht_problem_set_sample_weights(regiht_problem* problem, const double* weights);

/* Columns that are always in, counted in s; ascending. */
REGIHT_API int regiht_problem_set_keep(regiht_problem* problem, const int64_t* columns,
                                       int64_t count);

/* Where a solve begins, in the scale of the coefficients that it gives; columns ascending. */
REGIHT_API int regiht_problem_set_start(regiht_problem* problem, const int64_t* columns,
                                        const double* values, int64_t count);

/* A number for every column; columns of the same number enter and leave together, and s counts such
 * groups. NULL for none. */
REGIHT_API int regiht_problem_set_groups(regiht_problem* problem, const int64_t* group_of_column);

REGIHT_API void regiht_problem_free(regiht_problem* problem);

/* ---- Solving. ---- */

typedef struct regiht_result regiht_result;

/* Told after each iteration, and now and then within long ones (with the number of the last one),
 * on the thread that called regiht_solve; anything but 0 stops the solve. It must not throw, nor
 * free or change what is being solved. */
typedef int (*regiht_observer)(int64_t iteration, double value, void* context);

/* The best model found with at most s features (or groups). `observer` may be NULL. */
REGIHT_API regiht_result* regiht_solve(const regiht_problem* problem, const char* method, int64_t s,
                                       regiht_observer observer, void* context);

/* The chosen columns, ascending, and their coefficients; valid until the result is freed. */
REGIHT_API int64_t regiht_result_count(const regiht_result* result);
REGIHT_API const int64_t* regiht_result_columns(const regiht_result* result);
REGIHT_API const double* regiht_result_coefficients(const regiht_result* result);
REGIHT_API double regiht_result_intercept(const regiht_result* result);

/* The objective: the loss summed over all samples, and the ridge. */
REGIHT_API double regiht_result_value(const regiht_result* result);
REGIHT_API int64_t regiht_result_iterations(const regiht_result* result);

/* Why the solve ended, in a word and in a sentence, and whether that was its own end. */
REGIHT_API const char* regiht_result_status(const regiht_result* result);
REGIHT_API const char* regiht_result_message(const regiht_result* result);
REGIHT_API int regiht_result_success(const regiht_result* result);

/* 1 if no single swap of a feature improves the model, 0 if one does, -1 if none was tried. */
REGIHT_API int regiht_result_swap_optimal(const regiht_result* result);

/* intercept + matrix * coefficients, for each of the rows of a design of as many columns; the
 * standardization of that design, if any, plays no part. */
REGIHT_API int regiht_predict(const regiht_result* result, const regiht_design* design,
                              double* predictions);

REGIHT_API void regiht_result_free(regiht_result* result);

#ifdef __cplusplus
}
#endif

#endif
