"""Every error about an argument names it, what was given and what is allowed. (Not the matrix.)"""

import math

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import InvalidArgumentError

RNG = np.random.default_rng(20)
X = RNG.normal(size=(20, 6))
Y = X[:, 1] - 2 * X[:, 4]
LABELS = (Y > 0).astype(float)


def message_of(**changes):
    """Return the text of the error that a solve with these arguments raises."""
    arguments = {"X": X, "y": Y, "s": 2, "max_iter": 3} | changes
    with pytest.raises(InvalidArgumentError) as caught:
        regiht.solve(**arguments)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, TypeError)
    return str(caught.value)


def check_says(text, *parts):
    for part in parts:
        assert part in text, text
    assert text.endswith((".", "?")), text


def altered(vector, place, value):
    changed = np.array(vector, dtype=float)
    changed[place] = value
    return changed


@pytest.mark.parametrize(
    ("s", "given"),
    [(0, "0"), (-3, "-3"), (7, "7"), (10**30, str(10**30)), (2.0, "2.0"), (1.5, "1.5"),
     ("2", "'2'"), (True, "True"), (np.True_, repr(np.True_)), (None, "None"), ([2], "[2]"),
     (math.nan, "nan")],
)  # fmt: skip
def test_sparsity_that_is_not_a_number_of_columns(s, given):
    check_says(message_of(s=s), "s must be", "between 1 and 6", f"got {given}")


@pytest.mark.parametrize("s", [2, np.int8(2), np.uint64(2), np.array(2)])
def test_integers_of_any_kind_are_welcome(s):
    assert regiht.solve(X, Y, s, max_iter=np.int32(3)).support.size == 2


@pytest.mark.parametrize(
    ("max_iter", "given"),
    [(-1, "-1"), (2.0, "2.0"), (False, "False"), ("many", "'many'"), (None, "None")],
)
def test_max_iter_that_is_not_a_count(max_iter, given):
    text = message_of(max_iter=max_iter)
    check_says(text, "max_iter must be", f"got {given}")
    assert "at least 0" in text or "between 0 and" in text


@pytest.mark.parametrize("name", ["max_iter", "n_threads"])
def test_integer_beyond_64_bits_is_named(name):
    check_says(message_of(**{name: 10**30}), name)


@pytest.mark.parametrize(
    ("name", "value", "closest"),
    [("loss", "logistc", "logistic"), ("loss", "Squared", "squared"), ("loss", "hinge", None),
     ("loss", None, None), ("loss", 3, None), ("method", "regith", "regiht"),
     ("method", "newton", None), ("method", ["iht"], None)],
)  # fmt: skip
def test_unknown_name_is_answered_with_the_closest(name, value, closest):
    allowed = {"loss": regiht.losses(), "method": regiht.methods()}[name]
    text = message_of(**{name: value})
    check_says(text, f"{name} must be one of", *(repr(word) for word in allowed), f"got {value!r}")
    if value == "hinge":
        return  # whether "squared-hinge" is close is up to difflib
    assert ("Did you mean" in text) == (closest is not None)
    if closest:
        check_says(text, f"Did you mean {closest!r}?")


REALS = {
    "ridge": ([-1.0, -1e-300], "at least 0"),
    "step": ([0.0, -0.1], "greater than 0"),
    "weight_step": ([-0.1], "at least 0"),
    "tol": ([-1e-9], "at least 0"),
    "round_threshold": ([-0.1, 1.1], "between 0 and 1"),
    "time_limit": ([0, -2], "greater than 0"),
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, v) for name, (values, _) in REALS.items() for v in values]
)
def test_number_out_of_bounds(name, value):
    check_says(message_of(**{name: value}), f"{name} must be", REALS[name][1], f"got {value!r}")


@pytest.mark.parametrize("name", REALS)
@pytest.mark.parametrize(
    "value",
    [np.complex128(0.5), np.array(0.5 + 0j), np.array("0.5"), np.array(True), bytearray(b"1")],
)
def test_imaginary_parts_were_dropped_and_text_was_read(name, value):
    check_says(message_of(**{name: value}), f"{name} must be a real number", repr(value))


def test_bounds_that_are_none_were_named():
    text = message_of(method="arht", target_value=math.nan)
    check_says(text, "target_value must be a finite number; got nan")
    check_says(message_of(max_iter=-1), "max_iter must be at least 0; got -1")
    check_says(message_of(max_iter=None), "max_iter must be an integer of at least 0; got None")
    check_says(message_of(max_iter="many"), "an integer of at least 0 or 'auto'; got 'many'")


def test_what_is_among_objects_is_told():
    check_says(message_of(y=Y.astype(object)), "y must hold real numbers", ".astype(float)")
    check_says(message_of(y=[None, *Y[1:]]), "y must hold real numbers", "such as None")
    check_says(message_of(y=np.arange(20).astype("m8[s]")), "got durations (dtype timedelta64[s])")


def test_numbers_beyond_double_precision_warned_of_a_cast():
    beyond = X.astype(np.longdouble) * np.longdouble(10) ** 400
    if np.isfinite(beyond).all():  # where long doubles have a wider range
        check_says(message_of(X=beyond), "X must not contain NaN or infinity")
        check_says(message_of(y=beyond[:, 0]), "y must not contain NaN or infinity")


@pytest.mark.parametrize("name", REALS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float32("nan")])
def test_number_that_is_not_finite(name, value):
    check_says(message_of(**{name: value}), f"{name} must be a finite number", repr(value))


@pytest.mark.parametrize("name", REALS)
@pytest.mark.parametrize(
    ("value", "given"), [("1", "'1'"), (True, "True"), (1j, "complex"), ([0.5, 1], "list")]
)
def test_what_is_not_a_number(name, value, given):
    check_says(message_of(**{name: value}), f"{name} must be a number", given)


@pytest.mark.parametrize("name", ["ridge", "tol", "round_threshold"])
def test_number_that_has_a_default_is_not_none(name):
    check_says(message_of(**{name: None}), f"{name} must be a number", "None")


@pytest.mark.parametrize("name", REALS)
def test_integer_too_large_for_a_float_is_named(name):
    check_says(message_of(**{name: 10**400}), name)


@pytest.mark.parametrize(
    "name", ["safeguard", "screening", "history", "progress", "center", "scale"]
)
@pytest.mark.parametrize("value", [0, 1, 1.0, "yes", None, np.array([True, False])])
def test_flag_that_is_not_a_bool(name, value):
    check_says(message_of(**{name: value}), f"{name} must be True or False", repr(value))


@pytest.mark.parametrize("name", ["safeguard", "screening", "history", "center", "scale"])
def test_flags_of_numpy_are_welcome(name):
    assert regiht.solve(X, Y, 2, max_iter=3, **{name: np.True_}).n_iter == 3


VECTORS = {"y": 20, "sample_weight": 20, "x0": 6, "w0": 6}


@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.parametrize("offset", [-1, 1])
def test_vector_of_the_wrong_length(name, offset):
    size = VECTORS[name]
    per = "row" if size == 20 else "column"
    text = message_of(**{name: np.ones(size + offset)})
    check_says(text, f"{name} must have", f"every {per} of X ({size})", f"got {size + offset}")


@pytest.mark.parametrize("name", VECTORS)
def test_vector_of_the_wrong_dimension(name):
    size = VECTORS[name]
    shaped = message_of(**{name: np.ones((size, 1))})
    check_says(shaped, f"{name} must be one-dimensional", f"({size}, 1)")
    check_says(message_of(**{name: 1.0}), f"{name} must be one-dimensional", "()")


@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_vector_that_is_not_finite(name, bad, dtype):
    values = altered(np.ones(VECTORS[name]), 4, bad).astype(dtype)
    check_says(message_of(**{name: values}), f"{name} must not contain NaN or infinity",
               f"{name}[4] is {bad}")  # fmt: skip


@pytest.mark.parametrize("name", VECTORS)
def test_vector_with_gaps_or_backwards_is_read_at_its_own_places(name):
    values = np.random.default_rng(21).uniform(0.1, 1.0, VECTORS[name])
    if name == "x0":
        values[2:] = 0.0
    spread = np.full(2 * values.size, 77.0)
    spread[::2] = values
    expected = regiht.solve(**{"X": X, "y": Y, "s": 2, "max_iter": 3, name: values})
    for given in (spread[::2], values[::-1].copy()[::-1]):
        result = regiht.solve(**{"X": X, "y": Y, "s": 2, "max_iter": 3, name: given})
        np.testing.assert_array_equal(result.x, expected.x)


@pytest.mark.parametrize("name", VECTORS)
def test_vector_that_does_not_hold_real_numbers(name):
    size = VECTORS[name]
    kinds = {
        "text": ["a"] * size,
        "objects": np.full(size, None),
        "complex": np.ones(size, complex),
        "datetime64": np.zeros(size, "M8[s]"),
    }
    for what, values in kinds.items():
        check_says(message_of(**{name: values}), f"{name} must hold real numbers", what)


@pytest.mark.parametrize("name", [*VECTORS, "keep"])
def test_ragged_list_is_named(name):
    check_says(message_of(**{name: [[1, 2], [3]]}), name)


@pytest.mark.parametrize("name", VECTORS)
def test_sparse_vector_is_refused(name):
    column = sparse.csc_array(np.ones((VECTORS[name], 1)))
    check_says(message_of(**{name: column}), f"{name} must")


def test_sparse_vectors_say_what_to_do():
    column = sparse.csr_array(Y[:, None])
    check_says(message_of(y=column), "y must be dense", "(20, 1)", ".toarray()", ".ravel()")
    check_says(message_of(x0=column), "x0 must be dense")


def test_masked_entries_are_not_used_silently():
    check_says(message_of(y=np.ma.masked_array(Y, mask=Y > 1)), "y", "mask")


@pytest.mark.parametrize("loss", ["logistic", "squared-hinge"])
def test_labels_other_than_zero_and_one(loss):
    for bad, shown in [(-1.0, "-1"), (2.0, "2"), (0.5, "0.5"), (1.000001, "1.000001")]:
        text = message_of(y=altered(LABELS, 7, bad), loss=loss)
        check_says(text, f"loss={loss!r}", "0 and 1", "False and True", f"y[7] is {shown}")


@pytest.mark.parametrize("loss", ["logistic", "squared-hinge"])
@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint32, np.float32, float])
def test_labels_of_any_real_type(loss, dtype):
    expected = regiht.solve(X, LABELS, 2, loss=loss, max_iter=20)
    result = regiht.solve(X, LABELS.astype(dtype), 2, loss=loss, max_iter=20)
    np.testing.assert_array_equal(result.x, expected.x)


def test_negative_counts():
    text = message_of(y=altered(np.abs(Y), 3, -0.25), loss="poisson")
    check_says(text, "loss='poisson'", "not negative", "y[3] is -0.25")


def test_sample_weights_below_zero_or_all_zero():
    text = message_of(sample_weight=altered(np.ones(20), 11, -0.5))
    check_says(text, "sample_weight must not be negative", "sample_weight[11] is -0.5")
    check_says(message_of(sample_weight=np.zeros(20)), "sample_weight", "zero for every row")
    assert regiht.solve(X, Y, 2, sample_weight=np.eye(20)[0], max_iter=3).n_iter > 0


def test_first_weights_out_of_bounds():
    for bad, shown in [(-0.1, "-0.1"), (1.5, "1.5")]:
        text = message_of(w0=altered(np.ones(6), 2, bad))
        check_says(text, "w0 must be between 0 and 1", f"w0[2] is {shown}")


def test_kept_columns_out_of_range():
    for bad in (-1, 6, 10**12):
        check_says(message_of(keep=[0, bad]), "keep must", "between 0 and 5", f"got {bad}")


@pytest.mark.parametrize(
    ("keep", "given"),
    [([0.0, 1.0], "float64"), ([True, False], "bool"), (3, "()"), ([[1]], "(1, 1)"),
     ([[1], [2, 3]], "not lists"), ((j for j in [1]), "generator"), ([0, None], "None")],
)  # fmt: skip
def test_kept_columns_that_are_not_numbers_of_columns(keep, given):
    check_says(message_of(keep=keep), "keep must", given)


def test_names_of_kept_columns_were_called_text_where_columns_have_no_names():
    check_says(message_of(keep=["a"]), "keep lists names, but X has none")
    check_says(message_of(keep="a"), "keep must list columns", "the one string 'a'")


def test_masks_of_another_length_were_cut_or_filled_up():
    mask = np.arange(6) == 3
    assert 3 in regiht.solve(X, Y, 2, keep=mask).support
    with pytest.raises(InvalidArgumentError, match="exclude must have one entry for every column"):
        regiht.Design(X, exclude=mask[:4])
    for wrong in (mask[:4], np.append(mask, False), np.stack([mask, mask])):
        check_says(message_of(keep=wrong), "keep must have one entry for every column (6)")
        model = regiht.SparseRegressor(2, keep=wrong)
        with pytest.raises(InvalidArgumentError, match="keep must have one entry for every column"):
            model.fit(X, Y)


def test_more_kept_columns_than_allowed():
    check_says(message_of(keep=[0, 1, 2]), "keep lists 3 columns", "s allows 2")


def test_kept_columns_may_repeat_and_be_none():
    for keep in ([1, 1, 0, 1], (0, 1), np.array([1, 0], np.uint8), range(2)):
        assert regiht.solve(X, Y, 2, keep=keep, max_iter=3).support.tolist() == [0, 1]
    for keep in ([], (), np.empty(0, int)):
        assert regiht.solve(X, Y, 2, keep=keep).support.tolist() == [1, 4]


@pytest.mark.parametrize(
    ("value", "given"), [(0, "0"), (-2, "-2"), (1.0, "1.0"), (True, "True"), ("2", "'2'")]
)
def test_thread_count(value, given):
    text = message_of(n_threads=value)
    check_says(text, "n_threads must be", f"got {given}")
    assert "at least 1" in text or "between 1 and" in text


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", ""])
def test_thread_count_of_the_environment(monkeypatch, text):
    monkeypatch.setenv("REGIHT_NUM_THREADS", text)
    check_says(message_of(), "REGIHT_NUM_THREADS", "between 1 and 4096", f"got {text!r}")
    design = regiht.Design(X)
    with pytest.raises(InvalidArgumentError, match="REGIHT_NUM_THREADS"):
        design.matvec(np.ones(6))
    # The argument wins, and the variable is read at each call.
    assert regiht.solve(X, Y, 2, max_iter=3, n_threads=1).n_iter == 3
    monkeypatch.setenv("REGIHT_NUM_THREADS", "2")
    assert regiht.solve(X, Y, 2, max_iter=3).n_iter == 3


@pytest.mark.parametrize("callback", [3, "print", [len]])
def test_callback_that_cannot_be_called(callback):
    check_says(message_of(callback=callback), "callback must be", type(callback).__name__)


def test_arguments_of_products():
    design = regiht.Design(X)
    for method, name, size in (("matvec", "x", 6), ("rmatvec", "v", 20)):
        for bad in (np.ones(size + 1), np.ones((size, 1)), altered(np.ones(size), 0, math.nan)):
            with pytest.raises(InvalidArgumentError, match=f"^{name} must"):
                getattr(design, method)(bad)


def test_a_refused_call_leaves_the_next_one_healthy():
    expected = regiht.solve(X, Y, 2).x
    for change in ({"s": 0}, {"step": -1}, {"loss": "?"}, {"callback": 1}, {"time_limit": -1}):
        message_of(**change)
        np.testing.assert_array_equal(regiht.solve(X, Y, 2).x, expected)
