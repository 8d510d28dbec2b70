"""Every error about the matrix, what is converted instead, and that inputs stay as they are."""

import itertools
import math

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import Design, InvalidArgumentError

RNG = np.random.default_rng(21)
DENSE = RNG.normal(size=(12, 7)) * (RNG.random((12, 7)) < 0.6)
Y = DENSE[:, 1] - 2 * DENSE[:, 4]
V = RNG.normal(size=12)


def message_of(X, **settings):
    """Return the text of the error that X raises, the same from Design and from solve."""
    with pytest.raises(InvalidArgumentError) as by_design:
        Design(X, **settings)
    with pytest.raises(InvalidArgumentError) as by_solve:
        regiht.solve(X, Y, 2, **settings)
    assert str(by_design.value) == str(by_solve.value)
    return str(by_design.value)


def check_says(text, *parts):
    for part in parts:
        assert part in text, text
    assert text.endswith("."), text


def compressed(kind, index=np.int32, X=DENSE):
    """Return a compressed matrix whose index type stays what it is asked to be."""
    matrix = {"csc": sparse.csc_array, "csr": sparse.csr_array}[kind](X)
    matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
    return matrix


def contents(matrix):
    return [(a.tobytes(), a.dtype, a.strides)
            for a in (matrix.data, matrix.indices, matrix.indptr)]  # fmt: skip


@pytest.mark.parametrize("X", [3.0, [1.0, 2.0], np.ones((2, 3, 4)), sparse.coo_array(np.ones(4))])
def test_what_is_not_a_matrix(X):
    check_says(message_of(X), "X must be a matrix", f"got shape {np.shape(X) or X.shape}"
               if not np.isscalar(X) else "got shape ()")  # fmt: skip


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
@pytest.mark.parametrize("make", [np.zeros, sparse.csc_array, sparse.csr_array, sparse.coo_array])
def test_matrix_without_rows_or_columns(make, shape):
    check_says(message_of(make(shape)), "X must have at least one row and one column", str(shape))


def test_empty_list():
    check_says(message_of([]), "X must be a matrix", "(0,)")
    check_says(message_of([[]]), "X must have at least one row and one column", "(1, 0)")


def test_ragged_list():
    check_says(
        message_of([[1.0, 2.0], [3.0]]), "X must be a rectangular array", "different lengths"
    )


@pytest.mark.parametrize(
    ("X", "what"),
    [(DENSE.astype(object), "objects"), (DENSE.astype(str), "text"), (DENSE.astype("S"), "text"),
     (DENSE.astype(complex), "complex"), (DENSE.astype("M8[s]"), "datetime64"),
     (sparse.csc_array(DENSE.astype(complex)), "complex"),
     (np.zeros((3, 4), [("a", float)]), "'a'"), (object(), "objects")],
)  # fmt: skip
def test_matrix_that_does_not_hold_real_numbers(X, what):
    check_says(message_of(X), "X must hold real numbers", what)


def test_no_matrix_at_all():
    check_says(message_of(None), "X must be an array", "got None")


def test_masked_entries_are_not_used_silently():
    check_says(message_of(np.ma.masked_array(DENSE, mask=DENSE > 1)), "X", "mask")
    unmasked = np.ma.masked_array(DENSE, mask=False)
    np.testing.assert_array_equal(Design(unmasked).rmatvec(V), Design(DENSE).rmatvec(V))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F", "slice", "one row", "one column"])
def test_dense_entry_that_is_not_finite(order, dtype, bad):
    X = np.array(DENSE, dtype, order="F" if order == "F" else "C")
    X[2, 5] = bad
    X, place = {
        "slice": (X[:, 3:], "2, 2"),
        "one row": (X[2:3, 1::2], "0, 2"),
        "one column": (X[:, 5:6], "2, 0"),
    }.get(order, (X, "2, 5"))
    check_says(message_of(X), "X must not contain NaN or infinity", f"X[{place}] is {bad}")


@pytest.mark.parametrize("size", range(1, 20))
def test_every_place_is_looked_at(size):
    """The check runs over lanes with a remainder."""
    for i in range(size):
        X = np.ones((1, size))
        X[0, i] = math.nan
        check_says(message_of(X), f"X[0, {i}] is nan")


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(3, 5), (5, 3)])
def test_a_nan_is_found_in_every_row_and_column(shape, order):
    for i, j in np.ndindex(shape):
        X = np.ones(shape, order=order)
        X[i, j] = math.nan
        check_says(message_of(X), f"X[{i}, {j}] is nan")


def test_finite_sums_that_overflow_are_not_taken_for_infinity():
    assert Design(np.full((40, 3), 1.7e308)).shape == (40, 3)
    assert Design(sparse.csc_array(np.full((40, 3), -1.7e308))).shape == (40, 3)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", ["csc", "csr", "coo", "lil", "bsr"])
def test_sparse_entry_that_is_not_finite(kind, dtype, bad):
    X = DENSE.astype(dtype)
    X[2, 5] = bad
    text = message_of(sparse.coo_array(X).asformat(kind))
    check_says(text, "X must not contain NaN or infinity", f"X[2, 5] is {bad}")


@pytest.mark.parametrize("layout", ["auto", "as-is"])
@pytest.mark.parametrize("kind", [sparse.csc_array, sparse.csr_array])
def test_sparse_entry_is_located_beyond_empty_rows_and_columns(kind, layout):
    X = sparse.lil_array((6, 7))
    X[0, 6], X[4, 3] = 1.0, math.nan
    with pytest.raises(InvalidArgumentError, match=r"X\[4, 3\] is nan"):
        Design(kind(X), layout=layout)


@pytest.mark.parametrize("kind", ["coo", "lil", "dok", "bsr", "dia"])
@pytest.mark.parametrize("family", [sparse.coo_array, sparse.coo_matrix])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, bool])
def test_other_sparse_formats_are_converted(kind, family, dtype):
    X = family(DENSE.astype(dtype)).asformat(kind)
    design = Design(X, center=True, scale=True)
    assert design.layout == "csc"
    assert design.copied
    assert design.dtype == (dtype if np.dtype(dtype).kind == "f" else np.float64)
    expected = Design(sparse.csc_array(DENSE.astype(dtype)), center=True, scale=True)
    np.testing.assert_array_equal(design.rmatvec(V), expected.rmatvec(V))
    assert X.format == kind


def test_repeated_coordinates_are_added_up():
    rows, cols = np.array([0, 0, 2, 0]), np.array([1, 1, 0, 1])
    X = sparse.coo_array((np.array([1.0, 2.0, 5.0, -4.0]), (rows, cols)), shape=(3, 2))
    np.testing.assert_array_equal(Design(X).rmatvec([1.0, 10.0, 100.0]), [500.0, -1.0])
    assert X.nnz == 4


CORRUPTIONS = {
    "an index too large": lambda X: X.indices.__setitem__(3, 10**6),
    "an index just too large": lambda X: X.indices.__setitem__(3, 12),
    "a negative index": lambda X: X.indices.__setitem__(0, -1),
    "a huge offset": lambda X: X.indptr.__setitem__(1, 10**6),
    "a negative offset": lambda X: X.indptr.__setitem__(3, -5),
    "an offset that falls": lambda X: X.indptr.__setitem__(2, X.indptr[4]),
    "a first offset above zero": lambda X: X.indptr.__setitem__(0, 1),
    "a last offset beyond the entries": lambda X: X.indptr.__setitem__(-1, X.nnz + 1),
    "too few offsets": lambda X: setattr(X, "indptr", X.indptr[:-1].copy()),
    "too many offsets": lambda X: setattr(X, "indptr", np.append(X.indptr, X.indptr[-1])),
    "no offsets": lambda X: setattr(X, "indptr", X.indptr[:0]),
    "too few indices": lambda X: setattr(X, "indices", X.indices[:-1].copy()),
    "too few values": lambda X: setattr(X, "data", X.data[:-1].copy()),
    "no values": lambda X: setattr(X, "data", X.data[:0]),
    "fractional indices": lambda X: setattr(X, "indices", X.indices + 0.5),
    "fractional offsets": lambda X: setattr(X, "indptr", X.indptr * 0.99),
}


@pytest.mark.parametrize("corruption", CORRUPTIONS)
@pytest.mark.parametrize("kind", ["csc", "csr"])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_corrupted_matrix_is_refused(kind, index, corruption):
    X = compressed(kind, index)
    CORRUPTIONS[corruption](X)
    check_says(message_of(X), "X is not a valid", kind.upper())
    with pytest.raises(InvalidArgumentError):
        Design(X, layout="as-is")


@pytest.mark.parametrize("kind", ["csc", "csr"])
def test_mixed_index_types_are_made_one(kind):
    X = compressed(kind)
    X.indptr = X.indptr.astype(np.int64)
    np.testing.assert_array_equal(Design(X).rmatvec(V), Design(compressed(kind)).rmatvec(V))
    X.indptr = np.empty(0, np.int64)
    check_says(message_of(X), "X is not a valid", "indptr")


@pytest.mark.parametrize("kind", [sparse.csc_array, sparse.csr_array])
@pytest.mark.parametrize("added", [2**32, -(2**32), 2**63])
def test_offsets_lost_what_was_above_32_bits(kind, added):
    X = kind(DENSE)
    width = np.uint64 if added == 2**63 else np.int64
    X.indptr = X.indptr.astype(width)
    X.indptr[2] += width(added)
    assert X.indices.dtype == np.int32
    check_says(message_of(X), "X is not a valid", "its indptr does not rise")


@pytest.mark.parametrize("name", ["data", "indices"])
@pytest.mark.parametrize("kind", [sparse.csc_array, sparse.csr_array])
def test_unsorted_entries_with_room_for_more_raised_an_error_of_scipy(kind, name):
    X = kind(DENSE)
    for first, last in itertools.pairwise(X.indptr):
        X.data[first:last] = X.data[first:last][::-1].copy()
        X.indices[first:last] = X.indices[first:last][::-1].copy()
    setattr(X, name, np.append(getattr(X, name), 3).astype(getattr(X, name).dtype))
    np.testing.assert_allclose(Design(X).rmatvec(V), DENSE.T @ V, rtol=1e-12)


def mutated(kind, change):
    X = kind(DENSE)
    change(X)
    return X


@pytest.mark.parametrize(
    "X",
    [
        mutated(sparse.coo_array, lambda X: X.coords[0].__setitem__(0, 10**6)),
        mutated(sparse.coo_array, lambda X: X.coords[1].__setitem__(0, -3)),
        mutated(sparse.coo_matrix, lambda X: X.col.__setitem__(0, 7)),
        mutated(sparse.lil_array, lambda X: X.rows[0].__setitem__(0, 10**6)),
        mutated(sparse.bsr_array, lambda X: X.indices.__setitem__(0, 10**6)),
    ],
    ids=["far row", "negative column", "next column", "list", "block"],
)
def test_other_formats_wrote_where_their_indices_led(X):
    check_says(message_of(X), "X is not a valid", X.format.upper())


def spread(array):
    """Return the same numbers with others in between."""
    wide = np.full(2 * array.size, array[0], array.dtype)
    wide[::2] = array
    wide[1::2] = array[::-1]
    return wide[::2]


def misaligned(array):
    raw = np.zeros(array.nbytes + 1, np.uint8)[1:]
    moved = raw.view(array.dtype)
    moved[:] = array
    assert not moved.flags.aligned
    return moved


def backwards(array):
    return array[::-1].copy()[::-1]


def other_byte_order(array):
    return array.astype(array.dtype.newbyteorder())


@pytest.mark.parametrize("kind", ["csc", "csr"])
@pytest.mark.parametrize("names", [("data",), ("indices",), ("indptr",),
                                   ("data", "indices", "indptr")])  # fmt: skip
@pytest.mark.parametrize("change", [spread, misaligned, backwards, other_byte_order])
@pytest.mark.parametrize("layout", ["auto", "as-is"])
def test_unusual_memory_of_a_sparse_matrix(kind, names, change, layout):
    X = compressed(kind)
    for name in names:
        setattr(X, name, change(getattr(X, name)))
    design = Design(X, layout=layout)
    np.testing.assert_allclose(design.rmatvec(V), DENSE.T @ V, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(design.matvec(Y[:7]), DENSE @ Y[:7], rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("kind", ["csc", "csr"])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("layout", ["auto", "as-is"])
@pytest.mark.parametrize("repeated", [False, True])
def test_unsorted_and_repeated_indices(kind, index, layout, repeated):
    X = compressed(kind, index)
    messy = X.copy()
    messy.indices, messy.indptr = messy.indices.astype(index), messy.indptr.astype(index)
    for first, last in itertools.pairwise(messy.indptr):  # backwards in each slice
        messy.indices[first:last] = messy.indices[first:last][::-1]
        messy.data[first:last] = messy.data[first:last][::-1]
    if repeated:  # each entry in two exact halves
        messy.data = np.repeat(messy.data / 2, 2)
        messy.indices = np.repeat(messy.indices, 2)
        messy.indptr = (messy.indptr * 2).astype(index)
    before = contents(messy)
    design = Design(messy, layout=layout)
    assert design.copied
    expected = Design(X, layout=layout)
    np.testing.assert_array_equal(design.rmatvec(V), expected.rmatvec(V))
    np.testing.assert_array_equal(design.matvec(Y[:7]), expected.matvec(Y[:7]))
    assert contents(messy) == before


def test_a_stale_flag_of_scipy_is_not_believed():
    X = compressed("csc")
    assert X.has_sorted_indices
    assert X.has_canonical_format
    X.indices[:2], X.data[:2] = X.indices[1::-1].copy(), X.data[1::-1].copy()
    np.testing.assert_allclose(Design(X).rmatvec(V), DENSE.T @ V, rtol=1e-13, atol=1e-14)


def test_entries_beyond_the_last_offset_do_not_count():
    for kind, layout in itertools.product(["csc", "csr"], ["auto", "as-is"]):
        X = compressed(kind)
        X.data, X.indices = np.append(X.data, 9.0), np.append(X.indices, np.int32(0))
        np.testing.assert_allclose(
            Design(X, layout=layout).rmatvec(V), DENSE.T @ V, rtol=1e-13, atol=1e-14
        )


@pytest.mark.parametrize("name", ["center", "scale"])
def test_standardization_belongs_to_the_design(name):
    design = Design(DENSE)
    with pytest.raises(InvalidArgumentError, match=r"center and scale belong to the Design"):
        regiht.solve(design, Y, 2, **{name: True})
    with pytest.raises(InvalidArgumentError, match=f"{name} must be True or False; got 1"):
        Design(DENSE, **{name: 1})
    assert regiht.solve(design, Y, 2, **{name: False}).success


def test_arguments_of_a_design():
    with pytest.raises(InvalidArgumentError, match=r"X is a Design already"):
        Design(Design(DENSE))
    with pytest.raises(InvalidArgumentError, match=r"layout must be .*'asis'.* mean 'as-is'\?"):
        Design(DENSE, layout="asis")


@pytest.mark.parametrize("kind", ["csc", "csr", "C", "F"])
@pytest.mark.parametrize("method", regiht.methods())
def test_inputs_are_the_same_bit_for_bit_after_a_solve(method, kind):
    arrays = {
        "y": (Y > 0).astype(float),
        "x0": np.linspace(-1, 1, 7),
        "w0": np.linspace(0, 1, 7),
        "sample_weight": np.linspace(0, 2, 12),
        "keep": np.array([4, 2, 4]),
    }
    X = compressed(kind) if kind in {"csc", "csr"} else np.array(DENSE, order=kind)
    parts = [X.data, X.indices, X.indptr] if sparse.issparse(X) else [X]
    before = [array.tobytes(order="A") for array in (*parts, *arrays.values())]
    for loss, screening in itertools.product(regiht.losses(), (True, False)):
        regiht.solve(X, s=3, loss=loss, method=method, screening=screening, max_iter=20,
                     center=True, scale=True, **arrays)  # fmt: skip
    assert [array.tobytes(order="A") for array in (*parts, *arrays.values())] == before
    assert all(array.flags.writeable for array in (*parts, *arrays.values()))
