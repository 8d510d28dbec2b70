"""Bad grids and batches are explained."""

import numpy as np
import pytest

import regiht

BAD_GRIDS = {
    "no-s": ({"s": []}, "s must not be an empty list"),
    "no-steps": ({"step": ()}, "^step must not be an empty list"),
    "no-weight-steps": ({"weight_step": np.array([])}, "weight_step must not be an empty list"),
    "s-of-zero": ({"s": [2, 0]}, "s must be between 1 and 150; got 0"),
    "s-too-large": ({"s": [2, 151]}, "s must be between 1 and 150; got 151"),
    "s-not-whole": ({"s": [2, 2.5]}, "s must be an integer .* got 2.5"),
    "s-none": ({"s": [2, None]}, "s must be an integer .* got None"),
    "s-text": ({"s": "2"}, "s must be an integer .* got '2'"),
    "s-of-two-dimensions": ({"s": np.ones((2, 2), int)}, "s must be an integer"),
    "step-negative": ({"step": [0.1, -0.5]}, "^step must be .* got -0.5"),
    "step-nan": ({"step": [None, np.nan]}, "^step must be .* got nan"),
    "step-text": ({"step": [0.1, "0.2"]}, "^step must be a number .* got '0.2'"),
    "weight-step-negative": ({"weight_step": [None, -1]}, "weight_step must be .* got -1"),
    "weight-step-infinite": ({"weight_step": [np.inf]}, "weight_step must be .* got inf"),
    "keep-beyond-one-s": ({"s": [3, 1], "keep": [4, 5]}, "keep lists 2 columns and s allows 1"),
    "loss": ({"loss": "logistc"}, "loss must be .* Did you mean 'logistic'"),
    "method": ({"method": "ith"}, "method must be .* Did you mean 'iht'"),
    "time-limit": ({"time_limit": 0}, "time_limit must be"),
    "threads": ({"n_threads": 0}, "n_threads must be"),
    "progress": ({"progress": 1}, "progress must be True or False"),
    "screening": ({"screening": None}, "screening must be True or False"),
    "ridge": ({"ridge": -1.0}, "ridge must be"),
    "labels": ({"loss": "logistic"}, r"labels 0 and 1 .* in y; y\[0\]"),
}


@pytest.mark.parametrize("name", BAD_GRIDS)
def test_a_bad_grid_is_explained(name, wide):
    options, message = BAD_GRIDS[name]
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.solve_grid(*wide, **({"s": 3} | options))


def test_a_bad_target_of_a_grid_is_explained(wide):
    X, y = wide
    with pytest.raises(regiht.InvalidArgumentError, match="y must have one entry for every row"):
        regiht.solve_grid(X, y[:-1], [1, 2])
    with pytest.raises(regiht.InvalidArgumentError, match=r"y\[4\] is nan"):
        regiht.solve_grid(X, np.where(np.arange(60) == 4, np.nan, y), [1, 2])
    with pytest.raises(regiht.InvalidArgumentError, match="center and scale belong to the Design"):
        regiht.solve_grid(regiht.Design(X), y, [1, 2], center=True)


BAD_BATCHES = {
    "vector": (np.zeros(60), r"Y must have one row for every row of X \(60\) .* shape \(60,\)"),
    "transposed": (np.zeros((3, 60)), r"Y must have .* shape \(3, 60\)"),
    "no-targets": (np.zeros((60, 0)), r"Y must have .* shape \(60, 0\)"),
    "cube": (np.zeros((60, 2, 2)), "Y must have"),
    "text": (np.full((60, 2), "a"), "Y must hold real numbers"),
    "ragged": ([[1.0], [1.0, 2.0]], "Y must be a rectangular array"),
}


@pytest.mark.parametrize("name", BAD_BATCHES)
def test_a_bad_batch_is_explained(name, wide):
    X, _ = wide
    Y, message = BAD_BATCHES[name]
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.solve_batch(X, Y, 3)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_the_place_of_a_bad_target_is_named(bad, order, wide):
    X, _ = wide
    Y = np.zeros((60, 3), order=order)
    Y[17, 2] = bad
    with pytest.raises(regiht.InvalidArgumentError, match=rf"Y\[17, 2\] is {bad}"):
        regiht.solve_batch(X, Y, 3)


def test_labels_are_checked_in_each_column(wide):
    X, _ = wide
    Y = np.zeros((60, 3))
    Y[5, 1] = 2.0
    with pytest.raises(regiht.InvalidArgumentError, match=r"Y\[:, 1\]\[5\] is 2.0"):
        regiht.solve_batch(X, Y, 3, loss="logistic")
    with pytest.raises(regiht.InvalidArgumentError, match=r"not negative in Y\[:, 1\]"):
        regiht.solve_batch(X, -Y, 3, loss="poisson")


def test_a_batch_takes_one_s_only(wide):
    X, y = wide
    with pytest.raises(regiht.InvalidArgumentError, match="s must be an integer"):
        regiht.solve_batch(X, y[:, None], [2, 3])
