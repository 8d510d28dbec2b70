"""What the estimators, the path and the command line ask of `solve` unless told otherwise."""

METHOD = "regiht"

N_NONZERO_COEFS = 10
