/* The C interface of regiht: finds the best model with at most s features.
 *
 * Handles are opaque; the caller owns what a *_new function or regiht_solve returns and frees it
 * with the *_free function of its kind, which ignores NULL. No exception leaves the library: a
 * function that fails returns NULL or a code other than REGIHT_OK, and regiht_last_error says why.
 * Arrays are borrowed for the call only, except the matrix of a design, which must stay unchanged
 * while the design or a problem made from it is in use. Any number of threads may read a handle at
 * once; changing one needs exclusive access. Losses, methods and settings have the names and
 * meanings of regiht.solve in Python. */
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

/* Error codes. */
enum {
  REGIHT_OK = 0,
  REGIHT_INVALID_ARGUMENT = 1,
  REGIHT_OUT_OF_MEMORY = 2,
  REGIHT_FAILED = 3,          /* anything else; please report it */
  REGIHT_OBJECTIVE_FAILED = 4 /* a function of your own objective said so */
};

/* What an optional function of your own objective may return instead of an answer. */
enum { REGIHT_UNSUPPORTED = -1 };

/* Value types of a matrix, and index types of a sparse one. */
enum { REGIHT_FLOAT64 = 0, REGIHT_FLOAT32 = 1 };
enum { REGIHT_INT32 = 0, REGIHT_INT64 = 1 };

/* The version of the library, such as "0.1.0". */
REGIHT_API const char* regiht_version(void);

/* The error of the last failed call on this thread; valid until its next failed call. */
REGIHT_API const char* regiht_last_error(void);
REGIHT_API int regiht_last_error_code(void);

/* The names of losses and methods, numbered from 0; NULL beyond the last one. */
REGIHT_API const char* regiht_loss_name(int64_t number);
REGIHT_API const char* regiht_method_name(int64_t number);

/* ---- Designs: matrices with one row per sample and one column per feature. ---- */

typedef struct regiht_design regiht_design;

/* Dense: entry (i, j) is values[i + stride * j] by columns, and values[stride * i + j] by rows.
 * Fails if an entry is not finite. */
REGIHT_API regiht_design* regiht_design_new_dense_columns(const void* values, int value_type,
                                                          int64_t rows, int64_t cols,
                                                          int64_t stride);
REGIHT_API regiht_design* regiht_design_new_dense_rows(const void* values, int value_type,
                                                       int64_t rows, int64_t cols, int64_t stride);

/* Compressed sparse columns, or rows: the entries of slice k are [offsets[k], offsets[k + 1]).
 * Indices must ascend within a slice; all indices and values are checked. */
REGIHT_API regiht_design* regiht_design_new_sparse_columns(const void* values, int value_type,
                                                           const void* indices, const void* offsets,
                                                           int index_type, int64_t rows,
                                                           int64_t cols);
REGIHT_API regiht_design* regiht_design_new_sparse_rows(const void* values, int value_type,
                                                        const void* indices, const void* offsets,
                                                        int index_type, int64_t rows, int64_t cols);

/* A view of the matrix with columns centred if `center`, then scaled to unit norm if `scale`;
 * nothing is copied. Coefficients of a fit on it are in the scale of the original matrix. */
REGIHT_API regiht_design* regiht_design_new_standardized(const regiht_design* design, int center,
                                                         int scale);

REGIHT_API int64_t regiht_design_rows(const regiht_design* design);
REGIHT_API int64_t regiht_design_cols(const regiht_design* design);
REGIHT_API void regiht_design_free(regiht_design* design);

/* ---- Problems: a design, a loss and targets, or an objective of your own; and settings. ---- */

typedef struct regiht_problem regiht_problem;

/* Copies one target for every row. The design handle may be freed before the problem; the matrix
 * itself may not. */
REGIHT_API regiht_problem* regiht_problem_new(const regiht_design* design, const char* loss,
                                              const double* targets);

/* An objective of your own: a convex function of `dimension` variables that has a position. This
 * and the simpler regiht_dense_objective below have these rules in common. The functions get the
 * context of the problem and are called one at a time, on the thread that called regiht_solve. The
 * same point must give the same answer. They return 0; any other number ends the solve, which
 * returns NULL with REGIHT_OBJECTIVE_FAILED. What they do not write counts as NaN, and a value or
 * derivative that is not finite is a failed step: the run goes back, or ends with the status
 * "diverged". They must not throw, nor free or change the problem. */
typedef struct regiht_objective {
  int64_t dimension;

  /* Moves to the point with these entries and writes the value there. Indices ascend, values may be
   * zero, and both arrays stay valid until the next call of move_to. */
  int (*move_to)(int64_t count, const int64_t* indices, const double* values, double* value,
                 void* context);

  /* Writes the derivative by each variable that the point lists. */
  int (*gradient_on_support)(double* gradient, void* context);

  /* Lists in ascending order, of the variables that the point does not list, at least all whose
   * derivative reaches the magnitude; writes their number, indices and derivatives. The arrays have
   * room for all. */
  int (*gradient_off_support)(double magnitude, int64_t* count, int64_t* indices,
                              double* derivatives, void* context);

  /* Optional: writes the second derivative by variables rows[k] and columns[l], at the point, to
   * out[k + row_count * l]. NULL or REGIHT_UNSUPPORTED: differences of gradients. */
  int (*second_derivatives)(int64_t row_count, const int64_t* rows, int64_t column_count,
                            const int64_t* columns, double* out, void* context);

  /* Optional: writes the gradients computed so far, in units of one full gradient; "best" budgets
   * by it. NULL or REGIHT_UNSUPPORTED: calls of gradient_off_support are counted. */
  int (*gradients_spent)(double* count, void* context);

  int is_quadratic; /* whether second derivatives are constant, so that they may be reused */
} regiht_objective;

/* An objective given by its values and gradients; x and the gradient have `dimension` entries. It
 * takes less to write, but every gradient is a full one. */
typedef struct regiht_dense_objective {
  int64_t dimension;
  int (*value)(const double* x, double* value, void* context);
  int (*gradient)(const double* x, double* gradient, void* context);
  int (*second_derivatives)(const double* x, int64_t row_count, const int64_t* rows,
                            int64_t column_count, const int64_t* columns, double* out,
                            void* context); /* optional, as above */
  int is_quadratic;
} regiht_dense_objective;

/* Copies the struct. Solves of such a problem run at the same time only if its functions allow it,
 * and the result has no intercept. */
REGIHT_API regiht_problem* regiht_problem_new_objective(const regiht_objective* objective,
                                                        void* context);
REGIHT_API regiht_problem* regiht_problem_new_dense_objective(
    const regiht_dense_objective* objective, void* context);

/* Changes a setting. Of a linear model: ridge, intercept (0 or 1), screening, threads. Of a solve:
 * time_limit (seconds) and every numeric or boolean option of a solver: max_iter, tol, step,
 * weight_step, refit, swap, effort, positive, seed and others. */
REGIHT_API int regiht_problem_set(regiht_problem* problem, const char* name, double value);

/* Copies one weight for every row; NULL for none. Linear models only. */
REGIHT_API int regiht_problem_set_sample_weights(regiht_problem* problem, const double* weights);

/* Columns that are always selected and count in s; ascending. */
REGIHT_API int regiht_problem_set_keep(regiht_problem* problem, const int64_t* columns,
                                       int64_t count);

/* The starting point of a solve, in the scale of its coefficients; columns ascending. */
REGIHT_API int regiht_problem_set_start(regiht_problem* problem, const int64_t* columns,
                                        const double* values, int64_t count);

/* A group number for every column; columns of a group enter and leave together, and s counts
 * groups. NULL for none. */
REGIHT_API int regiht_problem_set_groups(regiht_problem* problem, const int64_t* group_of_column);

REGIHT_API void regiht_problem_free(regiht_problem* problem);

/* ---- Solving. ---- */

typedef struct regiht_result regiht_result;

/* Called after each iteration, and now and then within long ones (with the number of the last one),
 * on the thread that called regiht_solve; a nonzero return stops the solve. Must not throw, nor
 * free or change the problem being solved. */
typedef int (*regiht_observer)(int64_t iteration, double value, void* context);

/* The best model found with at most s features (or groups). `observer` may be NULL. */
REGIHT_API regiht_result* regiht_solve(const regiht_problem* problem, const char* method, int64_t s,
                                       regiht_observer observer, void* context);

/* The selected columns, ascending, and their coefficients; valid until the result is freed. */
REGIHT_API int64_t regiht_result_count(const regiht_result* result);
REGIHT_API const int64_t* regiht_result_columns(const regiht_result* result);
REGIHT_API const double* regiht_result_coefficients(const regiht_result* result);
REGIHT_API double regiht_result_intercept(const regiht_result* result);

/* The objective: your own, or the loss summed over all samples plus the ridge. */
REGIHT_API double regiht_result_value(const regiht_result* result);
REGIHT_API int64_t regiht_result_iterations(const regiht_result* result);

/* Why the solve ended, in a word and in a sentence, and whether it succeeded. */
REGIHT_API const char* regiht_result_status(const regiht_result* result);
REGIHT_API const char* regiht_result_message(const regiht_result* result);
REGIHT_API int regiht_result_success(const regiht_result* result);

/* 1 if no single swap improves the model, 0 if one does or may, -1 if none was tried. */
REGIHT_API int regiht_result_swap_optimal(const regiht_result* result);

/* Writes intercept + matrix * coefficients for each row of a design with as many columns; ignores
 * the standardization of that design, if any. */
REGIHT_API int regiht_predict(const regiht_result* result, const regiht_design* design,
                              double* predictions);

REGIHT_API void regiht_result_free(regiht_result* result);

#ifdef __cplusplus
}
#endif

#endif
