"""The theorem and its lemma: Algorithm 1 with the s′, T and c that the proof asks for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

import regiht
from regiht import reference
from regiht._solving.registry import LossName
from regiht.reproduce import listing, pictures
from regiht.reproduce.lemma import LemmaWatch
from regiht.reproduce.outcome import Finding, ListingCheck, Outcome, Steps, Table, column, judge
from regiht.reproduce.sources import Sources

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME = "theorem"
TITLE = "The theorem and the lemma, in numbers"
ALT = (
    "Left: how far the regularized value lies above f(x*) over the iterations, one line for each "
    "setting. Right: how far the final value lies above f(x*) for smaller and smaller s′."
)

Vector = NDArray[np.float64]
EPSILON = 1e-4


@dataclass(frozen=True)
class Setting:
    """A strongly convex function of condition number κ, an s-sparse x* and a bad start."""

    kappa: float
    s: int
    n: int
    kind: str

    @property
    def name(self) -> str:
        """In words."""
        return f"{self.kind}, κ = {self.kappa:g}, s = {self.s}"

    @property
    def sparsity(self) -> int:
        """s′ as the proof needs it."""
        return int(np.ceil((128 * self.kappa + 192) * self.s))

    @property
    def loss(self) -> LossName:
        """Name of the loss."""
        return "logistic" if self.kind == "logistic" else "squared"

    @property
    def beta(self) -> float:
        """Smoothness; the strong convexity is 1."""
        return self.kappa

    @property
    def ridge(self) -> float:
        """Makes the logistic loss strongly convex."""
        return 1.0 if self.kind == "logistic" else 0.0

    @cached_property
    def matrix(self) -> Any:
        """Singular values that give the condition number exactly; rotated unless diagonal."""
        if self.kind == "logistic":
            values = np.full(self.n, np.sqrt(4.0 * (self.kappa - 1.0)))
        else:
            values = np.sqrt(np.linspace(1.0, self.kappa, self.n))
        if self.kind == "diagonal":
            return sparse.diags(values, format="csc")
        gaussian = np.random.default_rng(1).standard_normal((self.n, self.n))
        return values[:, None] * np.linalg.qr(gaussian)[0]

    @cached_property
    def planted(self) -> Vector:
        """Where x* is not zero, and its rough size."""
        x = np.zeros(self.n)
        x[7 * (1 + np.arange(self.s))] = 30.0 / (1 + np.arange(self.s))
        return x

    @cached_property
    def target(self) -> Vector:
        """What the planted x predicts: exactly, so that f(x*) = 0, or as labels."""
        signal: Vector = self.matrix @ self.planted
        if self.kind == "logistic":
            chance = 1.0 / (1.0 + np.exp(-signal))
            return (np.random.default_rng(2).random(self.n) < chance).astype(np.float64)
        return signal

    @cached_property
    def objective(self) -> reference.LinearObjective:
        """The function in numpy."""
        return reference.LinearObjective(self.matrix, self.target, self.loss, ridge=self.ridge)

    @cached_property
    def x_star(self) -> Vector:
        """The best point on the planted support."""
        support = np.flatnonzero(self.planted)

        def full(part: Vector) -> Vector:
            x = np.zeros(self.n)
            x[support] = part
            return x

        found = optimize.minimize(
            lambda part: self.objective.value(full(part)), self.planted[support],
            jac=lambda part: self.objective.gradient(full(part))[support], method="BFGS",
            options={"gtol": 1e-8},
        )  # fmt: skip
        return full(found.x)

    @cached_property
    def start(self) -> Vector:
        """s′ random entries, none of them where x* is not zero."""
        x = np.zeros(self.n)
        others = np.flatnonzero(self.planted == 0)[: self.sparsity]
        x[others] = 3.0 * np.random.default_rng(3).standard_normal(others.size)
        return x

    @property
    def iterations(self) -> int:
        """T of the proof."""
        x = self.start
        gap = self.objective.value(x) + 0.5 * self.beta * float(x @ x)
        gap -= self.objective.value(self.x_star)
        return int(np.ceil(64 * (self.kappa + 1) * np.log(gap / EPSILON)))

    def solve(self, sparsity: int | None = None, **options: Any) -> regiht.Result:
        """Algorithm 1 to the letter: safeguard, and c = s′/(4T)."""
        return regiht.solve(
            self.matrix, self.target, sparsity or self.sparsity, loss=self.loss, ridge=self.ridge,
            step=1.0 / self.beta, max_iter=self.iterations, x0=self.start, safeguard=True,
            **options,
        )  # fmt: skip


@dataclass(frozen=True)
class Size:
    """Settings; the first is also run by the listing."""

    settings: tuple[tuple[float, int, int, str], ...]
    sample_iterations: int


FULL = Size(
    settings=(
        (1.1, 1, 400, "rotated"), (1.1, 1, 400, "diagonal"), (1.1, 2, 750, "rotated"),
        (2.0, 1, 500, "rotated"), (2.0, 1, 500, "diagonal"), (2.0, 2, 1000, "diagonal"),
        (4.0, 1, 800, "rotated"), (4.0, 1, 800, "diagonal"),
        (2.0, 1, 500, "logistic"),
    ),
    sample_iterations=20,
)  # fmt: skip
QUICK = Size(
    settings=((1.1, 1, 400, "rotated"), (1.1, 1, 400, "diagonal"), (1.1, 1, 400, "logistic")),
    sample_iterations=10,
)


def parameters(size: Size, sources: Sources) -> dict[str, Any]:
    """All that the result depends on."""
    del sources
    return {"size": asdict(size), "epsilon": EPSILON}


def count_steps(size: Size, sources: Sources) -> int:
    """For the progress bar."""
    del sources
    return 2 * len(size.settings) + 1


def run(size: Size, sources: Sources, steps: Steps) -> Outcome:
    """Run Algorithm 1 in every setting and check each iteration."""
    del sources
    settings = [Setting(*given) for given in size.settings]
    table: Table = []
    curves: Table = []
    smaller: Table = []
    our_seconds = listing_seconds = 0.0
    for setting in settings:
        steps.begin(setting.name)
        watch = LemmaWatch(setting.objective, setting)
        result = setting.solve(callback=watch)
        _, spent = listing.timed(setting.solve)
        our_seconds += spent
        table.append(_row(setting, watch, result))
        curves += watch.curve(setting.name)
        listing_seconds += setting.iterations * _listing_seconds(setting, size.sample_iterations)
        steps.begin(f"{setting.name}: smaller s′")
        if setting.kind == "diagonal":
            smaller += _smaller(setting)
    steps.begin("numpy listing")
    check = ListingCheck(
        compared=f"the first setting, all {settings[0].iterations} iterations: f and g",
        largest_difference=_compare_with_listing(settings[0]),
        sample=f"{size.sample_iterations} iterations in every setting",
        listing_seconds=listing_seconds,
        our_seconds=our_seconds,
    )
    return Outcome(
        tables={"settings": table, "curves": curves, "smaller": smaller},
        findings=_findings(table),
        summary=_summary(table),
        listing=check,
        notes=[
            (
                "s′ = ⌈(128κ + 192)s⌉, which the proof needs where the lemma says 128κ + 2, and "
                "T = ⌈64(κ + 1) log((g(x⁰) − f(x*))/ε)⌉, c = s′/(4T)."
            ),
            _slack_note(settings, smaller),
        ],
    )


def _row(setting: Setting, watch: LemmaWatch, result: regiht.Result) -> dict[str, Any]:
    target = setting.objective.value(setting.x_star)
    return {
        "setting": setting.name, "n": setting.n, "sparsity": setting.sparsity,
        "iterations": setting.iterations, "made": result.n_iter, "f_star": target,
        "fun": result.fun, "above": result.fun - target,
        "progress_iterations": watch.progress, "weight_iterations": watch.correlated,
        "violations": watch.violations, "largest_violation": watch.largest_violation,
        "rises": watch.rises, "weight_margin": watch.weight_margin,
    }  # fmt: skip


def _findings(table: Table) -> list[Finding]:
    above = column(table, "above")
    reached = int(np.count_nonzero(above <= EPSILON))
    violations, rises = int(column(table, "violations").sum()), int(column(table, "rises").sum())
    margin = float(column(table, "weight_margin").min())
    iterations = int(column(table, "made").sum())
    return [
        Finding(
            "Theorem: with s′ = O(sκ), T = O(κ log(1/ε)) and c = s′/(4T), f(x^T) ≤ f(x*) + ε.",
            f"Held in {reached} of {len(table)} settings; f(x^T) − f(x*) is at most "
            f"{above.max():.3g}, with ε = {EPSILON:g}.",
            "reproduced: in all settings; partly: in some",
            judge(reproduced=reached == len(table), partly=reached > 0),
        ),
        Finding(
            "Lemma: every iteration makes progress on the regularized value, or x has weight on "
            "the support of x*.",
            f"{violations} violations in {iterations} iterations; the regularized value rose "
            f"{rises} times; ‖w‖₁ − (n − s′/2) was never below {margin:.3g}.",
            "violations above rounding (1e-10 of the values compared). reproduced: none, no rise, "
            "and ‖w‖₁ ≥ n − s′/2 always; not reproduced otherwise",
            judge(reproduced=violations == 0 and rises == 0 and margin >= -1e-9, partly=False),
        ),
    ]


def _summary(table: Table) -> Table:
    return [
        {
            "setting": row["setting"], "n": str(row["n"]), "s′": str(row["sparsity"]),
            "T": str(row["iterations"]), "f(x*)": f"{row['f_star']:.4g}",
            "f(x^T) − f(x*)": f"{row['above']:.3g}",
            "progress / weight iterations": (
                f"{row['progress_iterations']} / {row['weight_iterations']}"
            ),
            "violations": str(row["violations"]),
        }
        for row in table
    ]  # fmt: skip


def _smaller(setting: Setting) -> Table:
    """Final value for s′ = s, 2s, 4s, … up to the theorem's."""
    rows = []
    sparsity = setting.s
    target = setting.objective.value(setting.x_star)
    while sparsity < setting.sparsity:
        result = setting.solve(sparsity)
        rows.append({"setting": setting.name, "sparsity": sparsity, "above": result.fun - target})
        sparsity *= 2
    return rows


def _slack_note(settings: list[Setting], smaller: Table) -> str:
    parts = []
    for setting in settings:
        if setting.kind == "diagonal":
            enough = column(smaller, "sparsity", setting=setting.name)[
                column(smaller, "above", setting=setting.name) <= EPSILON
            ]
            least = int(enough.min()) if enough.size else setting.sparsity
            parts.append(f"{least} (theorem: {setting.sparsity}) for {setting.name}")
    return (
        "The theorem's s′ is generous, so that it holds says little about how sharp it is. Of s, "
        "2s, 4s, … the smallest s′ that sufficed was " + "; ".join(parts) + "."
    )


def _listing_options(setting: Setting) -> dict[str, Any]:
    return {
        "step": 1.0 / setting.beta, "x0": setting.start, "safeguard": True,
        "weight_step": setting.sparsity / (4 * setting.iterations),
    }  # fmt: skip


def _listing_seconds(setting: Setting, iterations: int) -> float:
    _, seconds = listing.timed(
        reference.regularized_iht, setting.objective, setting.n, setting.sparsity,
        max_iter=iterations, history=False, **_listing_options(setting),
    )  # fmt: skip
    return seconds / iterations


def _compare_with_listing(setting: Setting) -> float:
    ours = setting.solve(history=True)
    theirs = reference.regularized_iht(
        setting.objective, setting.n, setting.sparsity, max_iter=setting.iterations,
        **_listing_options(setting),
    )  # fmt: skip
    assert ours.history is not None
    return max(
        listing.curve_difference(ours.history["fun"], theirs.history_fun),
        listing.curve_difference(ours.history["regularized_fun"], theirs.history_regularized_fun),
    )


def draw(figure: Figure, outcome: Outcome) -> None:
    """Curves on the left, smaller s′ on the right."""
    left, right = figure.subplots(1, 2)
    floor = 1e-9
    for axes, rows, across in (
        (left, outcome.tables["curves"], "iteration"),
        (right, outcome.tables["smaller"], "sparsity"),
    ):
        for position, name in enumerate(dict.fromkeys(row["setting"] for row in rows)):
            axes.plot(
                column(rows, across, setting=name),
                np.maximum(column(rows, "above", setting=name), floor),
                label=name, marker="" if axes is left else "o", **pictures.style(position),
            )  # fmt: skip
        axes.axhline(EPSILON, color="0.5", linewidth=1)
        axes.set(yscale="log", xscale="log", xlabel="iteration" if axes is left else "s′")
        pictures.finish(axes)
    left.set(title="Algorithm 1; grey: ε", ylabel="g(x) − f(x*), cut at 1e-9")
    right.set(title="Smaller s′ than the theorem's", ylabel="f(x^T) − f(x*), cut at 1e-9")
