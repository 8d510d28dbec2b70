"""``NearBest``: models that are nearly as good as the best one, as a set."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regiht._data_frame import data_frame
from regiht._inputs.checks import FloatArray, IndexArray
from regiht._selection.enumeration import selected_groups
from regiht._solving.result import Result
from regiht._solving.results import Results
from regiht._text_table import counted


class Substitute(NamedTuple):
    """A feature that can replace another one.

    ``excess`` is how much the objective is above the best, as a share, in the best of the models
    that have the substitute where a better one, otherwise the same, has the feature.
    """

    feature: str
    substitute: str
    excess: float


class NearBest(Results):
    """Models nearly as good as the best: a sequence of `Result`, best first.

    Attributes
    ----------
    within : float
        How much the objective may be above the best, as a share of it.
    complete : bool
        Whether the search finished, not cut short by ``time_limit`` or ``max_models``. This is no
        proof that nothing is missing, because each model is the best that a search has found.
    feature_names : list of str
        Names of all columns of X.

    See Also
    --------
    near_best : Returns it.
    plotting.plot_near_best : Plots it.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 20))
    >>> X[:, 7] = X[:, 4] + 0.02 * rng.normal(size=100)  # a near copy
    >>> y = 3 * X[:, 4] - 2 * X[:, 17] + rng.normal(size=100)
    >>> models = regiht.near_best(X, y, 2, within=0.02)
    >>> len(models), models.always.tolist(), models.complete
    (2, [17], True)
    """

    def __init__(
        self,
        results: list[Result],
        *,
        within: float,
        complete: bool,
        feature_names: list[str],
        groups: IndexArray,
    ) -> None:
        super().__init__(results)
        self.within = within
        self.complete = complete
        self.feature_names = feature_names
        self._groups = groups

    @property
    def supports(self) -> list[IndexArray]:
        """The features of each model: the columns with nonzero coefficients."""
        return [np.flatnonzero(r.x) for r in self]

    @property
    def fun(self) -> FloatArray:
        """The objective of each model."""
        return np.array([r.fun for r in self])

    @property
    def excess(self) -> FloatArray:
        """How much the objective of each model is above the best, as a share of it."""
        values = self.fun
        scale = abs(float(values[0])) or 1.0
        shares: FloatArray = (values - values[0]) / scale
        return shares

    @property
    def features(self) -> IndexArray:
        """The columns that any of the models uses, those of most models first."""
        used, counts = np.unique(np.concatenate(self.supports), return_counts=True)
        # Among equals those of better models first.
        rank = {j: k for k, each in reversed(list(enumerate(self.supports))) for j in each.tolist()}
        ranks = np.array([rank[j] for j in used.tolist()], dtype=np.int64)
        ordered: IndexArray = used[np.lexsort((used, ranks, -counts))]
        return ordered

    @property
    def always(self) -> IndexArray:
        """The columns that all of the models use, in ascending order."""
        used, counts = np.unique(np.concatenate(self.supports), return_counts=True)
        common: IndexArray = used[counts == len(self)]
        return common

    def substitutes(self) -> list[Substitute]:
        """List what can replace each feature of the best model, the cheapest first.

        A feature can replace another if two of the models differ only in these two, and the better
        model has the other. With groups whole groups replace one another, named by all their
        features.
        """
        lowest: dict[tuple[int, int], float] = {}
        sets, excess = [selected_groups(r, self._groups) for r in self], self.excess.tolist()
        best = sets[0]
        for k, better in enumerate(sets):
            for other, price in zip(sets[k + 1 :], excess[k + 1 :], strict=True):
                if len(better - other) == len(other - better) == 1 and better - other <= best:
                    pair = min(better - other), min(other - better)
                    lowest[pair] = min(lowest.get(pair, np.inf), price)
        used = list(dict.fromkeys(self._groups[self.features].tolist()))
        ranked = sorted(lowest.items(), key=lambda each: (used.index(each[0][0]), each[1]))
        return [Substitute(self._name(i), self._name(j), price) for (i, j), price in ranked]

    def _name(self, group: int) -> str:
        return ", ".join(self.feature_names[j] for j in np.flatnonzero(self._groups == group))

    def to_pandas(self) -> Any:
        """Return a table as a pandas DataFrame: one row for each model, a column for each feature.

        Entries are coefficients for X as given; they are zero for features that a model does not
        use.
        """
        table: dict[str, Any] = {"fun": self.fun, "excess": self.excess}
        table["intercept"] = [r.intercept for r in self]
        for j in self.features:
            table[self.feature_names[j]] = [float(r.coef[j]) for r in self]
        return data_frame(table)

    def plot(self, ax: Any = None) -> Any:
        """Plot which model uses which feature; needs matplotlib."""
        from regiht.plotting import plot_near_best  # noqa: PLC0415  (matplotlib is optional)

        return plot_near_best(self, ax=ax)

    def __repr__(self) -> str:
        more = "" if self.complete else ", and perhaps more"
        return (
            f"<NearBest of {counted(len(self), 'model')}{more}, "
            f"within {100 * self.within:g} % of the best: "
            f"{self.features.size} features, {self.always.size} in all of them>"
        )
