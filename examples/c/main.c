/* Finds the two features that separate two classes, in plain C. */
#include <regiht.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows = 200, cols = 50 };

static int fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, regiht_last_error());
  return 1;
}

int main(void) {
  static double matrix[cols][rows], classes[rows];
  srand(1);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i) matrix[j][i] = rand() / (double)RAND_MAX;
  for (int i = 0; i < rows; ++i) classes[i] = matrix[7][i] > matrix[31][i];

  regiht_design* design = regiht_design_new_dense_columns(matrix, REGIHT_FLOAT64, rows, cols, rows);
  if (!design) return fail("design");
  regiht_problem* problem = regiht_problem_new(design, "logistic", classes);
  if (!problem) return fail("problem");
  if (regiht_problem_set(problem, "ridge", 1e-3)) return fail("ridge");
  if (regiht_problem_set(problem, "intercept", 1)) return fail("intercept");
  regiht_result* fit = regiht_solve(problem, "best", 2, NULL, NULL);
  if (!fit) return fail("solve");

  printf("regiht %s: %s\n", regiht_version(), regiht_result_message(fit));
  for (int64_t k = 0; k < regiht_result_count(fit); ++k)
    printf("feature %lld: %.3f\n", (long long)regiht_result_columns(fit)[k],
           regiht_result_coefficients(fit)[k]);
  const int found = regiht_result_count(fit) == 2 && regiht_result_columns(fit)[0] == 7 &&
                    regiht_result_columns(fit)[1] == 31;

  /* Bad input is refused with a message. */
  const int refused = regiht_problem_set(problem, "rigde", 1) == REGIHT_INVALID_ARGUMENT;
  printf("%s\n", regiht_last_error());

  regiht_result_free(fit);
  regiht_problem_free(problem);
  regiht_design_free(design);
  return found && refused ? 0 : 1;
}
