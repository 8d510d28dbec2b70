"""What `explain` returns."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from regiht._data_frame import data_frame


@dataclass(frozen=True)
class Formula:
    """One linear predictor.

    Attributes
    ----------
    left : str
        What it predicts.
    intercept : float
    terms : tuple of (str, float)
        Features and their coefficients, the largest first.
    """

    left: str
    intercept: float
    terms: tuple[tuple[str, float], ...]


@dataclass(frozen=True, repr=False)
class Explanation:
    """A model as a formula: as text, as HTML (which notebooks show) and as a table.

    Attributes
    ----------
    title : str
    formulas : tuple of Formula
        One, or one for each of several classes.

    See Also
    --------
    explain : Returns it.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> X = np.random.default_rng(0).normal(size=(100, 30))
    >>> model = regiht.SparseRegressor(1).fit(X, 3 * X[:, 4] + 1)
    >>> explanation = regiht.explain(model)
    SparseRegressor: 1 of 30 features, squared loss
    prediction =
        1
      + 3 × x4
    >>> explanation.to_frame()["coefficient"].round(3).tolist()
    [1.0, 3.0]
    """

    title: str
    formulas: tuple[Formula, ...]

    @property
    def text(self) -> str:
        """The formulas, one feature per line."""
        lines = [self.title]
        for formula in self.formulas:
            lines += [f"{formula.left} =", *_lines(formula)]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        parts = [f"<p>{escape(self.title)}</p>"]
        for formula in self.formulas:
            rows = [("", _signed(formula.intercept))]
            rows += [(name, _signed(value)) for name, value in formula.terms]
            cells = "".join(
                f'<tr><td style="text-align:right">{number}</td>'
                f'<td style="text-align:left">{"× " + escape(name) if name else ""}</td></tr>'
                for name, number in rows
            )
            parts.append(
                f"<table><thead><tr><th colspan='2' style='text-align:left'>"
                f"{escape(formula.left)} =</th></tr></thead><tbody>{cells}</tbody></table>"
            )
        return "".join(parts)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame: prediction, feature and coefficient, the intercept first."""
        rows = [
            (formula.left, name, value)
            for formula in self.formulas
            for name, value in (("intercept", formula.intercept), *formula.terms)
        ]
        names = ("prediction", "feature", "coefficient")
        columns = zip(*rows, strict=True)
        return data_frame(dict(zip(names, columns, strict=True)), needed_by="to_frame")


def _signed(value: float) -> str:
    return f"{value:.6g}".replace("-", "−", 1)


def _lines(formula: Formula) -> list[str]:
    numbers = [f"{abs(value):.6g}" for _, value in formula.terms]
    width = max(map(len, numbers), default=0)
    return [f"    {_signed(formula.intercept)}"] + [
        f"  {'−' if value < 0 else '+'} {number:<{width}} × {name}"
        for (name, value), number in zip(formula.terms, numbers, strict=True)
    ]
