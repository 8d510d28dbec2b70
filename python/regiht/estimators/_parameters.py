"""What the estimators are constructed with: one list, and its documentation."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from regiht._inputs.checks import Columns, Groups
from regiht._solving import defaults
from regiht._solving.registry import Effort, LossName, MethodName, methods_with

Kind = TypeVar("Kind", bound=type)


@dataclass(kw_only=True, eq=False, repr=False, match_args=False)
class ModelParameters:
    """The parameters that all estimators share; those named like an option of `solve` are one.

    Subclasses are dataclasses too, so that their constructors list all parameters with defaults.
    """

    loss: LossName
    method: MethodName = defaults.METHOD
    effort: Effort = "default"
    fit_intercept: bool = True
    standardize: bool = True
    ridge: float = 0.0
    keep: Columns | None = None
    exclude: Columns | None = None
    positive: bool = False
    groups: Groups | None = None
    max_iter: int | Literal["auto"] = "auto"
    tol: float = 0.0
    warm_start: bool = False
    time_limit: float | None = None
    options: Mapping[str, Any] | None = None
    random_state: int | np.random.RandomState | np.random.Generator | None = 0
    n_jobs: int | None = None
    verbose: bool = False


@dataclass(kw_only=True, eq=False, repr=False, match_args=False)
class CrossValidationParameters:
    """The parameters that the estimators with cross-validation add."""

    cv: Any = None
    scoring: Any = None
    rule: Literal["one-standard-error", "best"] = "one-standard-error"


PARAMETERS = """\
    method : str
        A name from `regiht.methods`.
    effort : {"quick", "default", "thorough"}
        How much ``method="best"`` tries, as in `regiht.solve`.
    fit_intercept : bool
        Add a constant to the predictions, neither penalised nor counted as a feature.
    standardize : bool
        Fit on columns of unit ℓ₂ norm (centred too, with an intercept), without forming them.
        Coefficients are those for X as given. With an intercept constant columns are never
        selected.
    ridge : float
        ρ: adds (ρ/2)‖x‖² to the objective, a sum over samples; with ``standardize`` x are the
        coefficients of the standardized columns. If the classes can be separated without error,
        coefficients grow without bound unless there is some ridge. Classifiers therefore have
        0.0001 by default, which shrinks coefficients by less than 1 % unless a class has less than
        1 % of the samples.
    keep, exclude : list of int or str, or boolean mask, optional
        Features that are always in the model (they count), and features that never are; by number
        or name.
    positive : bool
        Allow no coefficient below zero; the intercept is free.
    groups : list of labels, dict or list of lists, optional
        Features that enter and leave together: one label (integer or string) for every feature, or
        a dict from features to labels, or lists of features, by number or name. ``"prefix"`` groups
        by names up to the last "_", as `pandas.get_dummies` makes them; for the output of a
        ColumnTransformer see `regiht.feature_groups`. Dummies that are not in X are left out of
        their groups with a warning. ``n_nonzero_coefs`` then counts groups, whatever their sizes.
        A feature that is excluded or constant leaves its group.
    max_iter, tol
        As in `regiht.solve`.
    warm_start : bool
        Start from the coefficients of the previous fit, if they have the same shape.
    time_limit : float, optional
        Seconds after which a fit ends with the best model found so far. Several classes share the
        limit, and so do all the fits of a cross-validation.
    options : dict, optional
        Further keyword arguments of `regiht.solve`, such as ``{"polish": "swap"}``. The answer is
        refitted on its support unless the options include ``{"refit": False}``.
    random_state : int, RandomState, Generator or None
        Source of randomness for the random methods: {random}. None: a new draw in every fit, as in
        scikit-learn.
    n_jobs : int, optional
        Number of threads; None means 1 unless joblib's context says otherwise, -1 all cores. The
        answer is the same to the last bit for any number.
    verbose : bool
        Show a progress bar on standard error, if that is a terminal or a notebook."""

CLASS_WEIGHT = """\
    class_weight : dict, "balanced" or None
        Factors for the weights of samples, by label; labels not listed have 1. ``"balanced"`` gives
        every class the same total weight."""

ATTRIBUTES = """\
    support_ : array of int
        The selected features in ascending order, including those in ``keep``.
    n_iter_ : int
        Number of iterations.
    status_ : regiht.Status
        Why the solver stopped.
    message_ : str
        The same in a sentence, with any notes of the solver. The fit also warns if the model is
        useless because the run diverged, cycled or had no minimum to end at.
    objective_ : float
        The objective at the coefficients: a sum over samples.
    alternatives_ : tuple of regiht.Alternative
        Runners-up of ``method="best"``, with coefficients for X as given and the names of their
        features, if X has names; empty for other methods.
    swap_optimal_, gap_, lower_bound_
        Statements on the quality of the answer, as in `regiht.Result`; absent if not computed.
    n_features_in_, feature_names_in_
        As in scikit-learn."""


CROSS_VALIDATION = """\
    n_nonzero_coefs : list of int, int or None
        The numbers of features to try, or the largest: 1, 2, … up to it. None: 1 to 10, then
        12, 15, 20, 25, 30, as long as they are below half of the distinct rows of the smallest
        training set, since models with more features are seldom unique. Numbers never exceed the
        number of columns. The model without features, intercept only, is a candidate too, unless
        some are kept; for a list, only if 0 is one of several.
    cv : int, splitter, iterable of splits or None
        As in `sklearn.model_selection.cross_val_score`; None means five folds.
    scoring : str, callable or None
        Any scorer; None means R² or accuracy. Larger is better. Held-out rows are weighted by
        ``sample_weight`` if the scorer takes weights; with metadata routing enabled, if it
        requests them. A score that is not finite is refused. For rows in blocks the name of a
        score that is a sum over rows, as listed in `regiht.distributed.fit`.
    rule : {"one-standard-error", "best"}
        Choose the fewest features whose mean score is within one standard error of the best, or
        the best itself (the fewest among equals)."""

CROSS_VALIDATED = """\
    n_nonzero_coefs_ : int
        The number of features chosen; 0 if, by the rule, no features predict as well.
    n_nonzero_coefs_grid_ : array of int
        The numbers that were tried.
    scores_ : array of shape (n_folds, n_tried)
        Score of every fold and number.
    null_scores_ : array of shape (n_folds,)
        Score of every fold for the model without features, if it was tried and has a score.
    mean_scores_, standard_errors_ : arrays of shape (n_tried,)
        Over the folds.
    best_score_ : float
        The mean score of the chosen number.
    fold_supports_ : list of lists of arrays
        The selected features of every fold and number. Folds and numbers are fitted independently,
        and in parallel with ``n_jobs``. The fits of a fold share the effort of two; the final fit
        has the full effort."""


def shares_documentation(losses: Sequence[str]) -> Callable[[Kind], Kind]:
    """Fill the shared parts and the names of its losses into the docstring of a class."""
    parts = {
        "class_weight": CLASS_WEIGHT,
        "parameters": PARAMETERS,
        "attributes": ATTRIBUTES,
        "cross_validation": CROSS_VALIDATION,
        "cross_validated": CROSS_VALIDATED,
        "losses": "{" + ", ".join(f'"{name}"' for name in losses) + "}",
        "random": ", ".join(f'``"{name}"``' for name in methods_with("draws")),
    }

    def fill(kind: Kind) -> Kind:
        text = inspect.getdoc(kind) or ""
        for place, part in parts.items():
            text = text.replace("{" + place + "}", inspect.cleandoc("\n" + part))
        kind.__doc__ = text
        return kind

    return fill
