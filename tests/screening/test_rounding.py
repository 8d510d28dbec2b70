"""Where the last bits decide, nothing that should enter is left out."""

import numpy as np
import pytest

import regiht
from regiht import reference

EPS = np.finfo(float).eps


@pytest.mark.parametrize("round_threshold", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("safeguard", [False, True])
def test_weights_that_cross_the_rounding_threshold(
    safeguard, round_threshold, problem, kinds, assert_screening_changes_nothing
):
    """First weights within bits of the threshold, and steps that take them through it soon."""
    for loss, wide in kinds:
        X, y, beta = problem("gaussian", loss, 3, wide)
        rng, cols = np.random.default_rng(4), X.shape[1]
        near = round_threshold + EPS * rng.integers(-2, 3, cols)
        w0 = np.clip(np.where(rng.random(cols) < 0.5, near, rng.uniform(0.5, 1, cols)), 0, 1)
        for weight_step in (0.05, 1.0, 6.0):
            ours, _ = assert_screening_changes_nothing(
                np.asfortranarray(X), y, 6, loss=loss, step=1 / beta, w0=w0,
                weight_step=weight_step, round_threshold=round_threshold, safeguard=safeguard,
                max_iter=60,
            )  # fmt: skip
        assert np.count_nonzero(ours.weights) < np.count_nonzero(w0)


@pytest.mark.parametrize("mean", [2e3, 1e6])
def test_centred_columns_whose_mean_dwarfs_their_spread(
    loss, wide, method, mean, problem, matrices, assert_screening_changes_nothing
):
    """Rounding is that of the mean, not that of what is left when it is taken away."""
    X, y, _ = problem("gaussian", loss, 8, wide)
    for shifted in (X, matrices["duplicates"](np.random.default_rng(9))):
        signs = np.where(np.arange(shifted.shape[1]) % 2, -1.0, 1.0)
        for scale in (False, True):
            design = regiht.Design(np.asfortranarray(shifted + mean * signs), True, scale)
            factor = 1.0 if scale else len(y)
            for step in (None, 0.1 / factor, 1.0 / factor):
                assert_screening_changes_nothing(
                    design, y, 6, loss=loss, method=method, step=step, max_iter=60
                )


@pytest.mark.parametrize("mean", [0.0, 2e3, 1e6])
@pytest.mark.parametrize("weighted", [False, True])
def test_supports_made_of_rounding_errors(
    method, weighted, mean, assert_screening_changes_nothing, smoothness
):
    """An exact fit with columns to spare: they are chosen by the last bits of the residual.

    There a bound has to cover the rounding of the residual itself, which scales with the target
    and the predictions and not with the residual that is left of them.
    """
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(70, 160)) + mean
        design = regiht.Design(np.asfortranarray(X), center=mean > 0, scale=True)
        coef = np.zeros(160)
        coef[rng.choice(160, 2, replace=False)] = [3.0, -2.0]
        A, _, _ = reference.standardize(X, mean > 0, True)
        beta = smoothness(A, "squared")
        for factor in (1.0, 2.0):
            assert_screening_changes_nothing(
                design, design.matvec(coef), 6, method=method, step=factor / beta,
                weight_step=0.06, max_iter=500, sample_weight=np.ones(70) if weighted else None,
            )  # fmt: skip


@pytest.mark.parametrize("standardized", [False, True])
def test_no_entry_that_should_have_entered_was_left_out(
    loss, wide, method, standardized, problem, trace, smoothness
):
    """Each iterate follows from the one before it, by numpy: all that is larger has come in."""
    X, y, _ = problem("gaussian", loss, 11, wide)
    A, _, _ = reference.standardize(X, standardized, standardized)
    objective, step, s = reference.LinearObjective(A, y, loss), 1 / smoothness(A, loss), 6
    ours, _, xs, ws = trace(
        X, y, s, loss=loss, method=method, step=step, max_iter=50, center=standardized,
        scale=standardized,
    )  # fmt: skip
    assert ours.n_gradients < ours.n_iter == 50
    x, w = np.zeros(X.shape[1]), np.ones(X.shape[1])
    for following, weights in zip(xs, ws, strict=True):
        moved = x - step * objective.gradient(x)
        if method == "regiht":
            moved = (1 - w / 2) * x - step / 2 * objective.gradient(x)
        chosen = following != 0
        assert chosen.sum() == s
        np.testing.assert_allclose(following[chosen], moved[chosen], rtol=1e-9)
        assert np.abs(moved[~chosen]).max() <= np.abs(moved[chosen]).min() * (1 + 1e-9)
        x, w = following, weights
