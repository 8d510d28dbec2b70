"""``stability_selection``: how often features are selected from halves of the samples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from regiht._data_frame import data_frame
from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray, Rng
from regiht._inputs.stored_rows import refuse_stored
from regiht._selection.error_bounds import unimodal_bound, worst_case_bound
from regiht._selection.subsamples import (
    complementary_halves,
    fit_on,
    names_of_features,
    selected_features,
    strata_of,
)
from regiht._solving.deadline import Deadline
from regiht._text_table import counted


@dataclass(frozen=True, eq=False, repr=False)
class StabilitySelection:
    """How often each feature was selected from half of the samples.

    Attributes
    ----------
    probabilities : array of shape (n_features,)
        The share of the halves that selected each feature.
    pair_probabilities : array of shape (n_features,)
        The share of the pairs in which both halves did.
    threshold : float
        The probability from which a feature counts as stable.
    mean_selected : float
        q, the mean number of features that a half selects.
    n_pairs : int
        Number of fitted pairs of halves.
    complete : bool
        False if ``time_limit`` ended the work before all pairs were fitted.
    feature_names : list of str

    See Also
    --------
    stability_selection : Returns it.
    plotting.plot_probabilities : Plots it.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 40))
    >>> y = X[:, 3] - X[:, 11] + rng.normal(size=200)
    >>> found = regiht.stability_selection(regiht.SparseRegressor(4), X, y, n_pairs=20, rng=0)
    >>> found.support.tolist(), found.probabilities[[3, 11]].tolist()
    ([3, 11], [1.0, 1.0])
    """

    probabilities: FloatArray
    pair_probabilities: FloatArray
    threshold: float
    mean_selected: float
    n_pairs: int
    complete: bool
    feature_names: list[str]

    @property
    def support(self) -> IndexArray:
        """The stable features in ascending order: those that reach the threshold."""
        # A share of halves differs from its own decimal by rounding.
        return np.flatnonzero(self.probabilities >= self.threshold - 1e-9)

    @property
    def error_bound(self) -> float:
        """Upper bound on the expected number of stable features that are selected by chance.

        A feature is selected by chance if a half of the samples selects it with probability at
        most q/p, as if q of the p features had been drawn. Theorem 1 of Shah and Samworth, without
        assumptions: q²/((2·threshold − 1)·p), with the mean q of the fits.
        """
        return worst_case_bound(self.threshold, *self._facts())

    @property
    def unimodal_error_bound(self) -> float | None:
        """The smaller bound of their Theorem 2; None where it does not apply.

        It assumes that, for a feature selected by chance, the share of pairs in which both halves
        select it has a unimodal distribution.
        """
        return unimodal_bound(self.threshold, *self._facts())

    def _facts(self) -> tuple[float, int, int]:
        return self.mean_selected, self.probabilities.size, self.n_pairs

    def at(self, threshold: float) -> StabilitySelection:
        """Return the same probabilities with another threshold, without fitting again."""
        return replace(self, threshold=_check_threshold(threshold))

    def limited_to(self, max_false: float, *, unimodal: bool = False) -> StabilitySelection:
        """Return the lowest threshold with an error bound of at most ``max_false``.

        Parameters
        ----------
        max_false : float
            The largest allowed expected number of features selected by chance.
        unimodal : bool
            Use ``unimodal_error_bound``, the smaller one.
        """
        most = check.check_real("max_false", max_false, least=0.0, strict=True)
        halves = 2 * self.n_pairs
        for count in range(self.n_pairs + 1, halves + 1):
            here = self.at(count / halves)
            bound = here.unimodal_error_bound if unimodal else here.error_bound
            if bound is not None and bound <= most:
                return here
        raise check.InvalidArgumentError(
            f"max_false={max_false!r} cannot be reached: of {self.probabilities.size} features, "
            f"{self.mean_selected:.3g} are selected at a time. Allow the estimator fewer."
        )

    def to_pandas(self) -> Any:
        """Return a table with one row for each feature as a pandas DataFrame, most stable first."""
        stable = np.isin(np.arange(self.probabilities.size), self.support)
        order = np.argsort(-self.probabilities, kind="stable")
        table = data_frame({
            "feature": self.feature_names,
            "probability": self.probabilities,
            "both_halves": self.pair_probabilities,
            "stable": stable,
        })  # fmt: skip
        return table.iloc[order].reset_index(drop=True)

    def plot(self, ax: Any = None) -> Any:
        """Plot the probabilities of the features selected most often; needs matplotlib."""
        from regiht.plotting import plot_probabilities  # noqa: PLC0415  (matplotlib is optional)

        return plot_probabilities(self, ax=ax)

    def __repr__(self) -> str:
        names = ", ".join(self.feature_names[j] for j in self.support) or "none"
        return (
            f"<StabilitySelection of {self.support.size} of {self.probabilities.size} features in "
            f"{counted(self.n_pairs, 'pair')}, probability ≥ {self.threshold:g}: {names}; at most "
            f"{self.error_bound:.2g} expected by chance>"
        )


def stability_selection(
    estimator: Any,
    X: ArrayLike | Any,
    y: ArrayLike | Any,
    *,
    threshold: float = 0.75,
    n_pairs: int = 50,
    sample_weight: ArrayLike | None = None,
    rng: Rng = 0,
    n_jobs: int | None = None,
    time_limit: float | None = None,
) -> StabilitySelection:
    """Fit to many halves of the samples and count how often each feature is selected.

    Halves come in complementary pairs that share no sample, on which the error bounds rest (Shah
    and Samworth, *Variable selection with error control*, 2013).

    Parameters
    ----------
    estimator : estimator or pipeline of scikit-learn
        A `SparseRegressor`, a `SparseClassifier`, or anything else that selects, with
        ``get_support`` or with zeros in ``coef_``. It is cloned and not fitted itself. Allow it as
        many features as may matter, not just those that you expect to be stable.
    X, y
        As for the estimator. For a classifier, both halves have the same share of all classes.
    threshold : float
        The probability from which a feature counts as stable: above 0.5, at most 1.
    n_pairs : int
        Number of pairs of halves; there are twice as many fits.
    sample_weight : array of shape (rows,), optional
        Passed on to the fits.
    rng : int, numpy Generator or None
        Draws the halves (SPEC 7). None: new ones in every call.
    n_jobs : int, optional
        Number of threads, as in scikit-learn. The answer is the same for any number.
    time_limit : float, optional
        Seconds after which no further pair is started; the first is always fitted.

    Returns
    -------
    StabilitySelection

    Raises
    ------
    InvalidArgumentError
        If an argument has a type or a value that is not allowed.

    See Also
    --------
    StabilitySelection : What it returns.
    near_best : Which features can replace one another.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 40))
    >>> y = X[:, 3] - X[:, 11] + rng.normal(size=200)
    >>> selection = regiht.stability_selection(regiht.SparseRegressor(4), X, y, rng=0)
    >>> selection.support.tolist()
    [3, 11]
    >>> round(selection.error_bound, 3)
    0.8
    """
    threshold = _check_threshold(threshold)
    refuse_stored(X, "stability_selection")
    asked = check.check_integer("n_pairs", n_pairs, 1)
    deadline, n_jobs = Deadline(check.check_time_limit(time_limit)), check.check_jobs(n_jobs)
    strata = strata_of(estimator, X, y)
    weights = check.check_sample_weight(sample_weight, strata.size)
    if strata.size < 2:
        raise check.InvalidArgumentError("X must have at least two rows to be halved.")

    def fit_pair(index: int, draws: np.random.Generator) -> _Pair | None:
        if index > 0 and deadline.passed():
            return None
        halves = complementary_halves(strata, draws)
        return _Pair.of([fit_on(clone(estimator), X, y, weights, half) for half in halves])

    generators = check.check_rng(rng).spawn(asked)
    answers = Parallel(n_jobs=n_jobs, prefer="threads")(
        delayed(fit_pair)(*each) for each in enumerate(generators)
    )
    pairs: list[_Pair] = [pair for pair in answers if pair is not None]
    _refuse_other_widths([pair.selected for pair in pairs])
    selected = np.stack([pair.selected for pair in pairs])
    return StabilitySelection(
        probabilities=selected.mean(axis=(0, 1)),
        pair_probabilities=selected.all(axis=1).mean(axis=0),
        threshold=threshold,
        mean_selected=float(selected.sum(axis=2).mean()),
        n_pairs=len(pairs),
        complete=len(pairs) == asked,
        feature_names=pairs[0].names,
    )


@dataclass(frozen=True)
class _Pair:
    """What two halves selected."""

    selected: NDArray[np.bool_]
    names: list[str]

    @classmethod
    def of(cls, models: list[Any]) -> _Pair:
        masks = [selected_features(model) for model in models]
        _refuse_other_widths(masks)
        return cls(np.stack(masks), names_of_features(models[0], masks[0].size))


def _refuse_other_widths(masks: list[NDArray[np.bool_]]) -> None:
    widths = sorted({mask.shape[-1] for mask in masks})
    if len(widths) > 1:
        raise check.InvalidArgumentError(
            f"halves of the samples have {widths[0]} to {widths[-1]} features. Steps that make "
            "features from the samples, such as vectorizers, must run before, outside the pipeline."
        )


def _check_threshold(threshold: float) -> float:
    value = check.check_real("threshold", threshold, least=0.5, most=1.0)
    if value == 0.5:
        raise check.InvalidArgumentError("threshold must be above 0.5, where bounds begin.")
    return value
