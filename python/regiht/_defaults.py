"""What the estimators, the path and the command line ask of `solve` unless told otherwise."""

METHOD = "best"

# One run for all numbers of features.
PATH_METHOD = "omp"

N_NONZERO_COEFS = 5

# Enough for a finite answer where classes can be told apart without error, and no more.
CLASSIFIER_RIDGE = 1e-3
