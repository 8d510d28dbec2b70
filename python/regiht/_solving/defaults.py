"""What the estimators, the path and the command line ask of `solve` unless told otherwise."""

from typing import Final

from regiht._solving.registry import CLASSIFICATION_LOSSES

METHOD: Final = "best"

# Few enough to be read. No number suits all data: users are told to give one, or to cross-validate.
N_NONZERO_COEFS = 5

# Enough for a finite answer where classes can be told apart without error. A lone coefficient of a
# standardized column shrinks by about ridge/(p(1−p)), with p the share of a class: by 0.04 % for
# equal classes, by 1 % where one has 1 % of the samples. Ten times as much would take 10 % there.
CLASSIFIER_RIDGE = 1e-4


def ridge_of(loss: str) -> float:
    """The ridge unless another is asked for."""
    return CLASSIFIER_RIDGE if loss in CLASSIFICATION_LOSSES else 0.0
