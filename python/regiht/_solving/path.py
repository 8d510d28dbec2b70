"""Models for every number of features up to some, and criteria to choose by."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from copy import copy
from textwrap import shorten
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regiht._data_frame import data_frame
from regiht._inputs import checks as check
from regiht._inputs.checks import (
    FloatArray,
    IndexArray,
)
from regiht._solving.criteria import PENALTIES, criterion, has_criteria, leaves_enough
from regiht._solving.options import Options
from regiht._solving.result import Result
from regiht._solving.results import Results
from regiht._text_table import counted, table

# In a line of a table.
_WIDTH_OF_NAMES = 60


class SparsePath(Results):
    """Models of 1, 2, … features: a sequence of `Result`, and arrays over all of them.

    Attributes
    ----------
    s : array of int
        The number of features allowed.
    feature_names : list of str
        Of all columns of X.
    n_samples : float
        Number of rows, or the sum of the sample weights.
    loss : str
    classes : array of two labels, or None
        The labels that the targets 0 and 1 stand for, for a classification loss.
    null : Result or None
        The model without features, intercept only; None if some are kept. Criteria may choose it.

    See Also
    --------
    sparse_path : Returns it.
    plotting.plot_path : Plots it.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 30))
    >>> y = 3 * X[:, 4] - 2 * X[:, 17] + rng.normal(size=100)
    >>> path = regiht.sparse_path(X, y, max_nonzeros=4)
    >>> path.best_s("ebic"), [support.tolist() for support in path.supports[:2]]
    (2, [[4], [4, 17]])
    """

    def __init__(
        self,
        s: IndexArray,
        results: list[Result],
        *,
        options: Options,
        standardized: bool,
        rows: int,
        feature_names: list[str],
        n_samples: float,
        null: Result | None,
        classes: NDArray[Any] | None,
        parameters: Mapping[str, Any],
        column_names: Sequence[str] | None,
    ) -> None:
        self.s = s
        self.feature_names = feature_names
        self.n_samples = n_samples
        self.loss: str = options.loss.name
        self._ridge: float = options.ridge
        self._is_standardized = standardized
        self._rows = rows
        self.null = null
        self.classes = classes
        self._parameters = parameters
        self._column_names = column_names
        super().__init__(results)

    def at(self, s: int) -> Result:
        """Return the model with s features allowed; ``null`` is that with 0."""
        path = self.with_null()
        places = np.flatnonzero(path.s == s)
        if places.size == 0:
            raise check.InvalidArgumentError(
                f"s={s!r} is not on the path, which has {path.s[0]} to {path.s[-1]}."
            )
        return path._results[int(places[0])]

    def with_null(self) -> SparsePath:
        """Return the path with ``null`` as its first model, where there is one."""
        if self.null is None or self.s[0] == 0:
            return self
        longer = copy(self)
        longer.s = np.concatenate([[0], self.s])
        longer._results = [self.null, *self._results]
        return longer

    @property
    def coef(self) -> Any:
        """Coefficients for X as given, one row for each s, as a scipy CSR array."""
        from scipy import sparse  # noqa: PLC0415  (slow to import)

        return sparse.vstack([sparse.csr_array(r.coef[None, :]) for r in self], format="csr")

    @property
    def intercept(self) -> FloatArray:
        """The intercept for each s."""
        return np.array([r.intercept for r in self])

    @property
    def supports(self) -> list[IndexArray]:
        """The selected columns for each s."""
        return [r.support for r in self]

    @property
    def n_nonzero(self) -> IndexArray:
        """The number of selected columns for each s."""
        return np.array([r.support.size for r in self], dtype=np.int64)

    @property
    def losses(self) -> FloatArray:
        """The summed loss for each s, without the ridge term."""
        penalties = [0.5 * self._ridge * float(r.x @ r.x) for r in self]
        return np.array([r.fun for r in self]) - penalties

    @property
    def aic(self) -> FloatArray:
        """Akaike's criterion: deviance + 2k."""
        return self.criterion("aic")

    @property
    def bic(self) -> FloatArray:
        """Schwarz's criterion: deviance + k log n."""
        return self.criterion("bic")

    @property
    def ebic(self) -> FloatArray:
        """The extended BIC: BIC + 2 log(p choose k), with all p columns of X."""
        return self.criterion("ebic")

    @property
    def gic(self) -> FloatArray:
        """The generalized criterion: deviance + k log(p) log(log n), with all p columns of X."""
        return self.criterion("gic")

    def criterion(self, name: str) -> FloatArray:
        """Evaluate ``"aic"``, ``"bic"``, ``"ebic"`` or ``"gic"`` for each s.

        Infinite for models whose features and intercept take more than half of the samples.
        """
        check.check_choice("criterion", name, tuple(PENALTIES))
        return criterion(
            name,
            loss=self.loss,
            values=self.losses,
            selected=self.n_nonzero,
            samples=self.n_samples,
            columns=len(self.feature_names),
        )

    def best(self, criterion: str = "ebic") -> Result:
        """Return the model with the lowest criterion, and the fewest features among equals.

        The model without features, ``null``, is a candidate. Warns if the criterion still falls at
        the last model that leaves enough samples, which is a sign of overfitting.

        A `Result` does not predict; ``estimator`` returns the same model as a fitted estimator.
        """
        s, result = self._choice(criterion)
        enough = leaves_enough(self.n_nonzero, self.n_samples)
        if s > 0 and not enough.all() and enough.any() and s == self.s[enough][-1]:
            warnings.warn(
                f"{criterion} still falls at {s} features, the most that leave half of the "
                f"{self.n_samples:g} samples to judge them by; larger models were not considered. "
                "Use a stricter criterion, or cross-validation. See the page “Choosing s”.",
                stacklevel=2,
            )
        return result

    def best_s(self, criterion: str = "ebic") -> int:
        """Return the number of features that the criterion chooses; 0 for ``null``."""
        return self._choice(criterion)[0]

    def estimator(self, criterion: str = "ebic", *, s: int | None = None) -> Any:
        """Return a model as a fitted estimator, which predicts and can be explained and saved.

        Parameters
        ----------
        criterion : str
            Chooses the number of features.
        s : int, optional
            Take the model with this number of features instead.

        Returns
        -------
        SparseRegressor or SparseClassifier
            Fitted: nothing is solved again. Its parameters are those of the path.
        """
        from regiht._export.fitted import fitted_estimator  # noqa: PLC0415  (above this)

        if s is None:
            result = self.best(criterion)
            s = self.best_s(criterion)
        else:
            result = self.at(s)
        return fitted_estimator(
            result, s, parameters=self._parameters, classes=self.classes,
            column_names=self._column_names,
        )  # fmt: skip

    def _choice(self, criterion: str) -> tuple[int, Result]:
        path = self.with_null()
        chosen = int(np.argmin(path.criterion(criterion)))
        return int(path.s[chosen]), path._results[chosen]

    @property
    def is_standardized(self) -> bool:
        """Whether the columns were scaled to unit norm for the fits."""
        return self._is_standardized

    def standardized_coef(self) -> FloatArray:
        """Coefficients times the standard deviation of their columns, one row for each s.

        If the columns were not standardized, the coefficients as they are.
        """
        if not self._is_standardized:
            return np.stack([r.coef for r in self])
        scaled: FloatArray = np.stack([r.x for r in self]) / np.sqrt(self._rows)
        return scaled

    def to_pandas(self) -> Any:
        """Return a table with one row for each s as a pandas DataFrame."""
        columns: dict[str, Any] = {"s": self.s, "n_nonzero": self.n_nonzero, "loss": self.losses}
        if has_criteria(self.loss):
            columns |= {name: self.criterion(name) for name in PENALTIES}
        columns["status"] = [r.status.value for r in self]
        columns["features"] = [[self.feature_names[j] for j in each] for each in self.supports]
        return data_frame(columns)

    def plot(self, ax: Any = None, *, criterion: str | None = "ebic") -> Any:
        """Plot the coefficients over the number of features; needs matplotlib."""
        from regiht.plotting import plot_path  # noqa: PLC0415  (matplotlib is optional)

        return plot_path(self, ax=ax, criterion=criterion)

    def __str__(self) -> str:
        """A line for each s: loss, criteria where the loss has any, and names of features."""
        judged = ["bic", "ebic"] if has_criteria(self.loss) else []
        numbers = [self.losses, *(self.criterion(name) for name in judged)]
        rows = [
            [str(s), *(f"{value:.6g}" for value in values), self._named(support)]
            for s, support, *values in zip(self.s, self.supports, *numbers, strict=True)
        ]
        return table(["s", "loss", *judged, "features"], rows, text={len(judged) + 2})

    def _named(self, support: IndexArray) -> str:
        names = ", ".join(self.feature_names[j] for j in support)
        return shorten(names, _WIDTH_OF_NAMES, placeholder=" …")

    def __repr__(self) -> str:
        return (
            f"<SparsePath of {counted(len(self), 'model')}, {self.s[0]} to {self.s[-1]} features>"
        )
