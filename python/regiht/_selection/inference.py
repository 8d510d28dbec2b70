"""What ``model.inference`` returns: coefficients with standard errors and intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from regiht._data_frame import data_frame
from regiht._inputs.checks import FloatArray, IndexArray
from regiht._text_table import table


@dataclass(frozen=True, eq=False, repr=False)
class Inference:
    """Coefficients of selected features, refitted without a penalty, with standard errors.

    Attributes
    ----------
    support : array of int
        The columns of X that were selected.
    names : list of str
        Names of the parameters: ``"(intercept)"`` first, if there is one, then the features of
        ``support``. All arrays below are in this order.
    estimates, standard_errors : arrays
        For X as given.
    covariance : array of shape (n_parameters, n_parameters)
        Covariance of the estimates.
    level : float
        Level of the intervals, such as 0.95.
    degrees_of_freedom : float
        Of Student's distribution for squared loss; infinite, for the normal distribution,
        otherwise.
    deviations : array
        Standard deviations of the columns of ``support``.
    rows_selecting : int or None
        Number of rows that selected the features and do not estimate; None if the features were
        treated as given.
    rows_estimating : int
    loss : str
    robust : bool
        Whether the covariance stays valid if the model is not the true one.

    See Also
    --------
    SparseRegressor.inference : Returns it, as do the other estimators.
    plotting.plot_intervals : Plots it.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 30))
    >>> y = 3 * X[:, 4] - 2 * X[:, 17] + rng.normal(size=200)
    >>> found = regiht.SparseRegressor(2).fit(X, y).inference(X, y, split=True)
    >>> found.names, found.is_conditional
    (['(intercept)', 'x4', 'x17'], False)
    >>> bool(np.all((found.intervals[1:, 0] < [3, -2]) & ([3, -2] < found.intervals[1:, 1])))
    True
    """

    support: IndexArray
    names: list[str]
    estimates: FloatArray
    covariance: FloatArray
    level: float
    degrees_of_freedom: float
    deviations: FloatArray
    rows_selecting: int | None
    rows_estimating: int
    loss: str
    robust: bool

    @property
    def standard_errors(self) -> FloatArray:
        """Square roots of the diagonal of ``covariance``."""
        errors: FloatArray = np.sqrt(np.diag(self.covariance))
        return errors

    @property
    def intervals(self) -> FloatArray:
        """Lower and upper ends, one row for each parameter."""
        reach = self._quantile() * self.standard_errors
        return np.stack([self.estimates - reach, self.estimates + reach], axis=1)

    @property
    def is_conditional(self) -> bool:
        """Whether the intervals ignore that the features were selected."""
        return self.rows_selecting is None

    def _quantile(self) -> float:
        tail = 0.5 * (1.0 + self.level)
        if np.isinf(self.degrees_of_freedom):
            return float(ndtri(tail))
        return float(stdtrit(self.degrees_of_freedom, tail))

    def to_pandas(self) -> Any:
        """Return a table with one row for each parameter as a pandas DataFrame."""
        lower, upper = self.intervals.T
        return data_frame({
            "feature": self.names,
            "coefficient": self.estimates,
            "standard_error": self.standard_errors,
            "lower": lower,
            "upper": upper,
        })  # fmt: skip

    def plot(self, ax: Any = None) -> Any:
        """Plot the intervals of the features on one scale; needs matplotlib."""
        from regiht.plotting import plot_intervals  # noqa: PLC0415  (matplotlib is optional)

        return plot_intervals(self, ax=ax)

    def summary(self) -> str:
        """Return a table of the intervals, preceded by a line on their validity."""
        share = f"{100 * self.level:g} % interval"
        header = ["", "coefficient", "standard error", share]
        rows = [
            [name, f"{estimate:.6g}", f"{error:.3g}", f"{lower:.5g} to {upper:.5g}"]
            for name, estimate, error, (lower, upper) in zip(
                self.names, self.estimates, self.standard_errors, self.intervals, strict=True
            )
        ]
        return "\n".join([self._worth(), self._means(), table(header, rows)])

    def _worth(self) -> str:
        if self.rows_selecting is None:
            return (
                "Conditional on the selection: if these rows selected the features, the intervals "
                "are too narrow. split=True gives valid ones."
            )
        return (
            f"Valid after the selection: {self.rows_selecting} rows selected the features, "
            f"{self.rows_estimating} others estimate them."
        )

    def _means(self) -> str:
        kind = "robust" if self.robust else "model-based"
        return (
            f"{self.support.size} features, {self.rows_estimating} rows, {self.loss} loss without "
            f"ridge, {kind} standard errors"
        )

    def __repr__(self) -> str:
        return self.summary()
