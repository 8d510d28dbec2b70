"""The classes of scikit-learn that the estimators are built on.

It ships no types; ``_sklearn.pyi`` gives them, so that type checkers see what estimators take.
"""

try:
    from sklearn.callback import CallbackSupportMixin as CallbackSupport  # new in 1.9
except ImportError:
    CallbackSupport = object
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.feature_selection import SelectorMixin

__all__ = ["BaseEstimator", "CallbackSupport", "ClassifierMixin", "RegressorMixin", "SelectorMixin"]
