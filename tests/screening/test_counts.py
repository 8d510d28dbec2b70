"""What screening spares, and what ``n_gradients`` says of it."""

import numpy as np
import pytest

import regiht
from regiht import datasets, reference


def test_screening_is_at_work_where_it_is_tested(
    loss, wide, problem, stored, assert_screening_changes_nothing
):
    X, y, beta = problem("gaussian", loss, 0, wide)
    for storage in ("row-major", "column-major", "csc_array"):
        ours, plain = assert_screening_changes_nothing(
            stored(X, storage), y, 6, loss=loss, step=0.7 / beta, max_iter=40
        )
        in_whole_columns = loss == "squared" and not wide
        assert ours.n_gradients < (1.0 if in_whole_columns else 0.9) * plain.n_gradients


@pytest.mark.parametrize("name", regiht.losses())
def test_without_screening_every_iteration_is_a_full_gradient(name, method, problem):
    X, y, beta = problem("gaussian", name, 12, wide=name == "squared")
    for options in ({}, {"sample_weight": np.ones(len(y))}, {"ridge": 1.0}, {"center": True}):
        result = regiht.solve(
            X, y, 4, loss=name, method=method, step=0.1 / beta, max_iter=23,
            screening=False, **options,
        )  # fmt: skip
        assert result.n_gradients == result.n_iter == 23


@pytest.mark.parametrize("weighted", [False, True])
def test_few_gradients_on_a_well_separated_problem(
    weighted, matrices, assert_screening_changes_nothing
):
    """Orthonormal columns and 16 coefficients of ±1, IHT with step ½.

    The error of iterate t is 2⁻ᵗ in each coefficient, so ‖r − r₀‖ ≤ 4·2⁻ᵗ from a reference at
    t on. Gradient entries outside are 0, and to enter they must reach (1 − 2⁻ᵗ)/½ ≥ 1 after the
    first step. So with a reference at t = 3 nothing can enter any more: at most the gradients at
    t = 0, 1, 2 and 3 are evaluated, whatever the number of iterations.
    """
    rng = np.random.default_rng(13)
    X = matrices["orthogonal"](rng)
    cols = X.shape[1]
    X = np.asfortranarray(np.hstack([X, np.zeros((cols, 2000))]))  # too wide for whole columns
    coef = np.zeros(X.shape[1])
    coef[rng.choice(cols, 16, replace=False)] = rng.choice([-1.0, 1.0], 16)
    ours, plain = assert_screening_changes_nothing(
        X, X @ coef, 16, method="iht", step=0.5, max_iter=20,
        sample_weight=np.ones(cols) if weighted else None,
    )  # fmt: skip
    assert ours.n_gradients <= 4
    assert plain.n_gradients == plain.n_iter == 20
    np.testing.assert_allclose(ours.x, coef, atol=1e-5)


def test_whole_columns_are_counted_when_they_are_learned(trace):
    """Small and squared: a column that enters costs a pass, and an iteration s of all rows."""
    problem = datasets.recovery(s=20, seed=0)
    rows = problem.X.shape[0]
    options = {"step": 0.8, "max_iter": 240}
    for screening in (True, False):
        result, supports, _, _ = trace(problem.X, problem.y, 20, screening=screening, **options)
        learned = len({j for support in supports[4:] for j in support})
        # Other than that: the start, four moves without, and new base points of the expansion.
        others = result.n_gradients - learned
        if screening:
            spared = others
            assert others > 5
        else:
            assert others - spared > 20 * 20 / rows  # iterations that were not looked at
            assert others < 5 + 20 + 240 * 60 / rows


def test_few_gradients_on_text(method, assert_screening_changes_nothing):
    problem = datasets.rcv1_like(300, 2000, 9000, seed=14)
    design = regiht.Design(problem.X, center=True, scale=True)
    ours, plain = assert_screening_changes_nothing(
        design, problem.y, 10, loss="logistic", method=method, ridge=0.1, step=0.4, max_iter=200
    )
    assert ours.n_gradients < 20 < plain.n_gradients == 200


class Counting:
    """A function of one's own that counts its gradients."""

    def __init__(self, objective):
        self.objective, self.calls = objective, 0

    def value(self, x):
        return self.objective.value(x)

    def gradient(self, x):
        self.calls += 1
        return self.objective.gradient(x)


@pytest.mark.parametrize("safeguard", [False, True])
@pytest.mark.parametrize("factor", [None, 0.5, 6.0])
def test_gradients_are_counted_as_they_are_called(method, factor, safeguard, problem, kinds):
    for loss, wide in kinds:
        X, y, beta = problem("gaussian", loss, 15, wide)
        counting = Counting(reference.LinearObjective(X, y, loss))
        step = None if factor is None else factor / beta
        result = regiht.minimize(
            counting, X.shape[1], 5, method=method, step=step, safeguard=safeguard, max_iter=30
        )
        assert result.n_gradients == counting.calls
        if step is not None:
            assert counting.calls == result.n_iter
