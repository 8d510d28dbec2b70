"""Checks that are remembered answer as if they were made every time."""

import copy
import dataclasses
import pickle
import weakref

import numpy as np
import pytest

import regiht
from regiht import InvalidArgumentError
from regiht._inputs.checks import remembered

RNG = np.random.default_rng(8)
X = RNG.normal(size=(30, 12))
Y = X[:, 3] - 2 * X[:, 7] + 0.1 * RNG.normal(size=30)


class Dial:
    """A number that can change while it stays the same object, as a tensor can."""

    def __init__(self, value):
        self.value = value

    def __float__(self):
        return self.value


def test_a_check_of_constants_is_made_once():
    seen = []

    @remembered
    def check(a, b):
        seen.append((a, b))
        return a, b

    assert check(1, "x") == check(1, "x") == (1, "x")
    assert seen == [(1, "x")]


def test_equal_values_of_other_types_are_other_values():
    @remembered
    def type_of(value):
        return type(value)

    for value in (1, 1.0, True, np.float64(1), np.int64(1), np.True_):
        assert type_of(value) is type(value)


@pytest.mark.parametrize("value", [[1], np.array(1.0), Dial(1.0), {1: 2}])
def test_what_may_change_is_checked_every_time(value):
    seen = []
    check = remembered(seen.append)
    check(value)
    check(value)
    assert len(seen) == 2


def test_a_refusal_is_not_remembered():
    allowed = []

    @remembered
    def check(value):
        if value not in allowed:
            raise InvalidArgumentError("not allowed")
        return value

    with pytest.raises(InvalidArgumentError):
        check(3)
    allowed.append(3)
    assert check(3) == 3


def test_a_step_that_changes_behind_our_back_is_read_again():
    step = Dial(0.02)
    first = regiht.solve(X, Y, 2, step=step, max_iter=5)
    step.value = 0.01
    second = regiht.solve(X, Y, 2, step=step, max_iter=5)
    assert (first.step, second.step) == (0.02, 0.01)
    np.testing.assert_array_equal(second.x, regiht.solve(X, Y, 2, step=0.01, max_iter=5).x)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [("s", 1, True), ("ridge", 1, True), ("screening", True, 1), ("seed", 1, 1.0),
     ("refit", False, 0), ("max_iter", 1, 1.0), ("tol", 0, False)],
)  # fmt: skip
def test_an_equal_value_of_a_wrong_type_is_refused_after_a_right_one(name, good, bad):
    arguments = {"X": X, "y": Y, "s": 2, "max_iter": 3}
    regiht.solve(**arguments | {name: good})
    with pytest.raises(InvalidArgumentError, match=name):
        regiht.solve(**arguments | {name: bad})


def test_s_is_checked_against_each_matrix():
    regiht.solve(X, Y, 12, max_iter=3)
    with pytest.raises(InvalidArgumentError, match="s must be between 1 and 11"):
        regiht.solve(X[:, :11], Y, 12, max_iter=3)


FIELDS = [field.name for field in dataclasses.fields(regiht.Result)]


@pytest.mark.parametrize("standardized", [False, True])
@pytest.mark.parametrize(
    "copying", [copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r)),
                dataclasses.replace],
)  # fmt: skip
def test_fields_that_were_never_read_survive_copying(copying, standardized):
    options = {"center": standardized, "scale": standardized, "history": True, "max_iter": 9}
    fresh = regiht.solve(X, Y, 2, method="best", **options)
    known = regiht.solve(X, Y, 2, method="best", **options)
    twin = copying(fresh)
    for name in FIELDS:
        if name in {"history", "alternatives"}:
            assert len(getattr(twin, name)) == len(getattr(known, name))
        else:
            np.testing.assert_array_equal(getattr(twin, name), getattr(known, name))
    assert repr(twin) == repr(known)
    assert twin.message == known.message


def test_fields_can_be_read_in_any_order_and_stay_the_same():
    one = regiht.solve(X, Y, 2, center=True, max_iter=9)
    two = regiht.solve(X, Y, 2, center=True, max_iter=9)
    for forward, backward in zip(FIELDS, reversed(FIELDS), strict=True):
        getattr(one, forward)
        getattr(two, backward)
    for name in FIELDS:
        assert getattr(one, name) is getattr(one, name)
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    np.testing.assert_allclose(one.intercept, -X.mean(axis=0) @ one.coef)


def test_a_result_cannot_be_written_to_and_has_no_other_attributes():
    result = regiht.solve(X, Y, 2, max_iter=3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.fun = 0.0
    with pytest.raises(AttributeError, match="no attribute 'function'"):
        _ = result.function
    assert not hasattr(result, "__array__")


def test_a_result_does_not_keep_the_matrix_alive():
    matrix = np.array(X)
    result = regiht.solve(matrix, Y, 2, center=True, max_iter=3)
    alive = weakref.ref(matrix)
    del matrix
    assert alive() is None
    assert result.coef.shape == (12,)
