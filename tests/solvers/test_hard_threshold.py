"""Hard thresholding: the compiled one is the reference, entry for entry."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from regiht import _core, reference

NONE_KEPT = np.empty(0, np.int64)
# Few different magnitudes make ties likely; the others are as they come.
ENTRIES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 5e-324, np.inf, -np.inf]),
    st.floats(allow_nan=False, width=64),
)


@st.composite
def problems(draw, entries=ENTRIES):
    x = draw(hnp.arrays(np.float64, st.integers(1, 40), elements=entries))
    s = draw(st.integers(1, x.size))
    keep = draw(st.lists(st.integers(0, x.size - 1), max_size=s, unique=True).map(sorted))
    return x, s, np.array(keep, np.int64)


@given(problems())
@settings(max_examples=300, deadline=None, derandomize=True)
def test_equals_the_reference(problem):
    x, s, keep = problem
    before = x.copy()
    result = _core.hard_threshold(x, s, keep)
    np.testing.assert_array_equal(result, reference.hard_threshold(x, s, keep))
    np.testing.assert_array_equal(x, before)


@given(problems(st.one_of(ENTRIES, st.just(np.nan))))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_a_nan_stays_visible(problem):
    x, s, keep = problem
    result = _core.hard_threshold(x, s, keep)
    np.testing.assert_array_equal(result, reference.hard_threshold(x, s, keep))


@given(problems())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_is_a_projection(problem):
    x, s, keep = problem
    result = _core.hard_threshold(x, s, keep)
    assert np.count_nonzero(result) <= s
    np.testing.assert_array_equal(result[keep], x[keep])
    chosen = result != 0
    np.testing.assert_array_equal(result[chosen], x[chosen])
    np.testing.assert_array_equal(_core.hard_threshold(result, s, keep), result)
    free = np.setdiff1d(np.flatnonzero(chosen), keep)
    left = np.setdiff1d(np.flatnonzero(~chosen & (x != 0)), keep)
    if free.size and left.size:
        assert np.abs(x[free]).min() >= np.abs(x[left]).max()
    if left.size:
        assert np.count_nonzero(np.isin(np.flatnonzero(chosen), keep, invert=True)) == s - keep.size


def test_the_lowest_index_wins_ties():
    x = np.array([1.0, -2.0, 2.0, -1.0, 2.0, 1.0])
    expected_supports = [[1], [1, 2], [1, 2, 4], [0, 1, 2, 4], [0, 1, 2, 3, 4]]
    for s, expected in enumerate(expected_supports, start=1):
        assert np.flatnonzero(_core.hard_threshold(x, s, NONE_KEPT)).tolist() == expected


def test_kept_entries_count_and_do_not_compete():
    x = np.array([0.0, 5.0, 1.0, 4.0])
    np.testing.assert_array_equal(_core.hard_threshold(x, 2, np.array([2])), [0, 5, 1, 0])
    np.testing.assert_array_equal(_core.hard_threshold(x, 2, np.array([0, 2])), [0, 0, 1, 0])
    np.testing.assert_array_equal(_core.hard_threshold(x, 1, np.array([0])), np.zeros(4))


@pytest.mark.parametrize("size", [1000, 50_000])
def test_long_vectors(size):
    rng = np.random.default_rng(50)
    for x in (rng.normal(size=size), rng.integers(-3, 4, size).astype(float), np.ones(size)):
        for s in (1, 17, size // 2, size):
            np.testing.assert_array_equal(
                _core.hard_threshold(x, s, NONE_KEPT), reference.hard_threshold(x, s)
            )
