/* Minimises a function of your own, given by its values and gradients, over at most three nonzeros:
 * the sum of cosh(a[j] * (x[j] - target[j])), in plain C. */
#include <math.h>
#include <regiht.h>
#include <stdio.h>

enum { n = 30 };

struct sum_of_cosh {
  double a[n], target[n];
};

static int value(const double* x, double* value, void* context) {
  const struct sum_of_cosh* f = context;
  *value = 0;
  for (int j = 0; j < n; ++j) *value += cosh(f->a[j] * (x[j] - f->target[j]));
  return 0; /* anything else would end the solve */
}

static int gradient(const double* x, double* gradient, void* context) {
  const struct sum_of_cosh* f = context;
  for (int j = 0; j < n; ++j) gradient[j] = f->a[j] * sinh(f->a[j] * (x[j] - f->target[j]));
  return 0;
}

int main(void) {
  struct sum_of_cosh f;
  for (int j = 0; j < n; ++j) {
    f.a[j] = 1 + j % 3;
    f.target[j] = cos(j);
  }
  f.target[4] = 2;
  f.target[11] = -2;
  f.target[26] = 1.5;

  const regiht_dense_objective objective = {n, value, gradient, NULL, 0};
  regiht_problem* problem = regiht_problem_new_dense_objective(&objective, &f);
  regiht_result* found = problem ? regiht_solve(problem, "best", 3, NULL, NULL) : NULL;
  if (!found) {
    fprintf(stderr, "%s\n", regiht_last_error());
    return 1;
  }
  printf("%s\n", regiht_result_message(found));
  const int64_t* columns = regiht_result_columns(found);
  for (int64_t k = 0; k < regiht_result_count(found); ++k)
    printf("x[%lld] = %.6f\n", (long long)columns[k], regiht_result_coefficients(found)[k]);
  const int right =
      regiht_result_count(found) == 3 && columns[0] == 4 && columns[1] == 11 && columns[2] == 26;

  /* What only a linear model has is refused. */
  const int refused = regiht_problem_set(problem, "ridge", 1) == REGIHT_INVALID_ARGUMENT;
  printf("%s\n", regiht_last_error());

  regiht_result_free(found);
  regiht_problem_free(problem);
  return right && refused ? 0 : 1;
}
