"""What a Design borrows, what it copies, and how long it keeps what it borrowed."""

import gc
import pickle
import weakref

import numpy as np
import pytest
from scipy import sparse

import regiht
from regiht import Design

RNG = np.random.default_rng(30)
BASE = RNG.normal(size=(40, 24))
V = RNG.normal(size=40)


def with_index_type(X, index):
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    return X


def misaligned(X):
    raw = np.zeros(X.nbytes + 1, np.uint8)[1:]
    moved = raw.view(X.dtype).reshape(X.shape)
    moved[...] = X
    return moved


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def structured(X):
    """Return a field of a structured array: the gaps of its rows are half an entry wide."""
    packed = np.zeros(X.shape[0], [("row", np.float32, (X.shape[1],)), ("gap", np.uint16)])
    packed["row"] = X
    return packed["row"]


def check_borrowed(X, memory):
    """A change of the user's memory is seen by the product: the strongest evidence there is."""
    design = Design(X)
    assert not design.copied
    before = design.rmatvec(V[: design.shape[0]])
    writeable, memory.flags.writeable = memory.flags.writeable, True
    memory *= 2
    memory.flags.writeable = writeable
    np.testing.assert_array_equal(design.rmatvec(V[: design.shape[0]]), 2 * before)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("view", "layout"),
    [(lambda X: X, "row-major"), (np.asfortranarray, "column-major"),
     (lambda X: X.T, "column-major"), (lambda X: X[::2], "row-major"),
     (lambda X: X[:, 3:9], "row-major"), (lambda X: X[5:30:3, 2:20], "row-major"),
     (lambda X: np.asfortranarray(X)[:, ::3], "column-major"),
     (lambda X: np.asfortranarray(X)[4:11], "column-major"), (lambda X: X[:, 7:8], "row-major"),
     (lambda X: X[3:4], "row-major"), (read_only, "row-major")],
)  # fmt: skip
def test_dense_arrays_that_are_borrowed(view, layout, dtype):
    X = view(BASE.astype(dtype))
    expected = np.array(X, np.float64)
    design = Design(X)
    assert design.layout == layout
    assert design.dtype == dtype
    np.testing.assert_allclose(
        design.rmatvec(V[: X.shape[0]]), expected.T @ V[: X.shape[0]], rtol=1e-12, atol=1e-12
    )
    check_borrowed(X, X if X.base is None or X.flags.writeable else X.base)


@pytest.mark.parametrize("value", [np.float64, np.float32])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("family", [sparse.csc_array, sparse.csc_matrix])
def test_csc_is_borrowed(value, index, family):
    X = with_index_type(family(BASE.astype(value)), index)
    check_borrowed(X, X.data)
    assert X.indices.dtype == index


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_csr_is_borrowed_as_it_is_and_copied_otherwise(index):
    X = with_index_type(sparse.csr_array(BASE), index)
    design = Design(X)
    assert (design.layout, design.copied) == ("csc", True)
    as_is = Design(X, layout="as-is")
    assert (as_is.layout, as_is.copied) == ("csr", False)
    before = as_is.rmatvec(V)
    np.testing.assert_allclose(before, design.rmatvec(V), rtol=1e-12, atol=1e-12)
    X.data *= 2
    np.testing.assert_array_equal(as_is.rmatvec(V), 2 * before)


def test_as_is_changes_nothing_for_other_layouts():
    for X in (BASE, np.asfortranarray(BASE), sparse.csc_array(BASE)):
        usual, as_is = Design(X), Design(X, layout="as-is")
        assert (usual.layout, usual.copied) == (as_is.layout, as_is.copied)


def test_read_only_sparse_arrays_are_borrowed():
    X = sparse.csc_array(BASE)
    for array in (X.data, X.indices, X.indptr):
        array.flags.writeable = False
    check_borrowed(X, X.data)


@pytest.mark.parametrize("mode", ["r", "r+", "c"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_memory_mapped_arrays_are_borrowed(tmp_path, mode, order):
    path = tmp_path / "matrix"
    written = np.memmap(path, np.float32, "w+", shape=BASE.shape, order=order)
    written[:] = BASE
    written.flush()
    mapped = np.memmap(path, np.float32, mode, shape=BASE.shape, order=order)
    design = Design(mapped)
    assert not design.copied
    expected = BASE.astype(np.float32).astype(float)
    del written, mapped
    gc.collect()
    np.testing.assert_allclose(design.rmatvec(V), expected.T @ V, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_data_frame_of_one_array_is_borrowed(order):
    pd = pytest.importorskip("pandas")
    memory = np.array(BASE, order=order)
    check_borrowed(pd.DataFrame(memory, copy=False), memory)


def test_a_data_frame_of_many_arrays_is_copied():
    pd = pytest.importorskip("pandas")
    for frame in (pd.DataFrame({"a": [1.0, 2.0], "b": [3, 4]}), pd.DataFrame({"a": [1, 2]})):
        assert Design(frame).copied


@pytest.mark.parametrize(
    "convert",
    [lambda X: X[:, ::2], lambda X: X[::-1], lambda X: X[:, ::-1], misaligned,
     lambda X: misaligned(X.astype(np.float32)), lambda X: X.astype(">f8"),
     lambda X: X.astype(">f4"), lambda X: X.astype(np.float16),
     lambda X: X.astype(np.longdouble), lambda X: (10 * X).astype(int),
     lambda X: (10 * X).astype(np.int8), lambda X: X > 0, lambda X: X.tolist(), structured,
     lambda X: structured(np.round(X)),  # finite, too, if rows are looked for at whole entries
     lambda X: np.broadcast_to(X[0], X.shape), lambda X: np.broadcast_to(X[:, :1], X.shape),
     lambda X: np.lib.stride_tricks.sliding_window_view(X[0], 5)],
)  # fmt: skip
def test_other_dense_arrays_are_copied(convert):
    X = convert(BASE)
    design = Design(X)
    assert design.copied
    assert design.layout == "row-major"
    A = np.array(X, np.float64)
    v = V[: len(A)]
    np.testing.assert_allclose(design.rmatvec(v), A.T @ v, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "convert", [lambda X: X.astype(int), lambda X: X.astype(bool), lambda X: X.astype(">f8")]
)
def test_sparse_values_that_are_not_native_floats_are_copied(convert):
    X = sparse.csc_array(np.round(3 * BASE))
    X.data = convert(X.data)
    design = Design(X)
    assert design.copied
    assert design.dtype == np.float64
    A = X.toarray().astype(float)
    np.testing.assert_allclose(design.rmatvec(V), A.T @ V, rtol=1e-12, atol=1e-12)


def test_data_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(BASE, columns=[f"f{j}" for j in range(24)])
    np.testing.assert_allclose(Design(frame).rmatvec(V), BASE.T @ V, rtol=1e-12, atol=1e-12)
    mixed = frame.astype({"f1": "float32", "f2": "int64"})
    A = mixed.to_numpy(float)
    np.testing.assert_allclose(
        Design(mixed, center=True).rmatvec(V), (A - A.mean(axis=0)).T @ V, rtol=1e-11, atol=1e-11
    )
    with pytest.raises(regiht.InvalidArgumentError, match="X must hold real numbers; got objects"):
        Design(frame.assign(f1="text"))
    y = pandas.Series(V, index=range(100, 140))
    result = regiht.solve(frame, y, 3)
    np.testing.assert_array_equal(result.x, regiht.solve(np.asarray(frame), V, 3).x)


def watched(make):
    """A matrix, and references to its arrays that do not keep them."""
    X = make(BASE.copy())
    arrays = [X] if isinstance(X, np.ndarray) else [X.data, X.indices, X.indptr]
    return X, [weakref.ref(array) for array in arrays]


@pytest.mark.parametrize("make", [np.array, np.asfortranarray, sparse.csc_array, sparse.csr_array])
@pytest.mark.parametrize("scale", [False, True])
def test_borrowed_arrays_live_as_long_as_the_design(make, scale):
    X, alive = watched(make)
    design = Design(X, scale=scale, layout="as-is")
    expected = design.rmatvec(V)
    del X
    gc.collect()
    waste = [np.full(BASE.shape, 7.0) for _ in range(20)]  # would take over freed memory
    np.testing.assert_array_equal(design.rmatvec(V), expected)
    assert all(reference() is not None for reference in alive)
    del design, waste
    gc.collect()
    assert all(reference() is None for reference in alive)


@pytest.mark.parametrize("make", [np.array, np.asfortranarray, sparse.csc_array, sparse.csr_array])
@pytest.mark.parametrize("scale", [False, True])
def test_what_the_core_borrows_lives_as_long_as_the_core_needs_it(make, scale):
    """Without the Design, which keeps the matrix as well."""
    X, alive = watched(make)
    core = Design(X, scale=scale, layout="as-is")._core
    del X
    gc.collect()
    assert all(reference() is not None for reference in alive)
    del core
    gc.collect()
    assert all(reference() is None for reference in alive)


@pytest.mark.pairs
@pytest.mark.parametrize(
    "make",
    [np.array, np.asfortranarray, lambda X: X[:, 3:9], lambda X: X[::2], sparse.csc_array,
     sparse.csr_array, lambda X: with_index_type(sparse.csc_array(X), np.int64)],
)  # fmt: skip
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("center", "scale"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("layout", ["auto", "as-is"])
def test_pickling(make, dtype, center, scale, layout):
    design = Design(make(BASE.astype(dtype)), center, scale, layout=layout)
    again = pickle.loads(pickle.dumps(design))
    for name in ("shape", "dtype", "layout", "copied"):
        assert getattr(again, name) == getattr(design, name)
    assert repr(again) == repr(design)
    for name in ("means", "factors"):
        np.testing.assert_array_equal(getattr(again, name), getattr(design, name))
    v, x = V[: design.shape[0]], V[: design.shape[1]]
    np.testing.assert_array_equal(again.rmatvec(v), design.rmatvec(v))
    np.testing.assert_array_equal(again.matvec(x), design.matvec(x))


def test_repr_says_what_it_is():
    text = repr(Design(sparse.csr_array(BASE.astype(np.float32)), center=True, scale=True))
    assert text == "<Design 40 × 24, csc, float32, centred, scaled>"
    assert repr(Design(BASE)) == "<Design 40 × 24, row-major, float64>"


def test_a_design_gives_the_answer_of_its_matrix():
    y = BASE[:, 3] - BASE[:, 17]
    for X in (BASE, np.asfortranarray(BASE), sparse.csc_array(BASE), sparse.csr_array(BASE)):
        for center, scale in ((False, False), (True, True)):
            expected = regiht.solve(X, y, 2, center=center, scale=scale)
            design = Design(X, center, scale)
            for _ in range(2):
                result = regiht.solve(design, y, 2)
                np.testing.assert_array_equal(result.x, expected.x)
                np.testing.assert_array_equal(result.coef, expected.coef)
                assert result.intercept == expected.intercept


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_design_from_a_message_may_lie_at_any_address(order):
    X = np.asarray(np.random.default_rng(0).normal(size=(20, 5)), order=order)
    buffers = []
    message = pickle.dumps(Design(X), protocol=5, buffer_callback=buffers.append)
    shifted = [memoryview(b"." + each.raw().tobytes())[1:] for each in buffers]
    again = pickle.loads(message, buffers=shifted)
    np.testing.assert_allclose(again.matvec(np.ones(5)), X.sum(axis=1))
