"""Arrays of any shape, type and stride, and sparse matrices of any content, into Design and solve.

They give an answer or InvalidArgumentError, nothing else; the same examples in every run.
HYPOTHESIS_PROFILE=explore looks for new ones.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

import regiht
from regiht import Design

EXAMPLES = settings(max_examples=max(300, settings().max_examples))

REAL = ["<f2", "<f4", "<f8", ">f4", ">f8", "<i1", "<i4", "<i8", "<u1", "<u8", ">i2", "?"]
OTHER = ["<c16", "<U3", "S2", "<M8[s]", "O", "V4"]
LONG = np.dtype(np.longdouble)

SHAPES = st.one_of(
    hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=7),
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=7),
)


def moderate(dtype):
    """Entries of this type, small enough for their squares to be finite."""
    if np.dtype(dtype).kind == "f":
        size = 8 * min(np.dtype(dtype).itemsize, 8)
        return st.floats(-100.0, 100.0, width=size) if size > 16 else st.integers(-9, 9)
    if np.dtype(dtype).kind in "iu":
        return st.integers(0, 100)
    return None


@st.composite
def dense(draw, shapes=None):
    """An array, perhaps of the wrong kind, and perhaps with gaps or backwards."""
    dtype = draw(st.sampled_from([*REAL, *REAL, LONG, *OTHER]))
    wild = draw(st.integers(0, 9)) == 0
    shape = draw(SHAPES if shapes is None else shapes)
    if np.dtype(dtype).kind in "OV":
        array = np.zeros(shape, dtype)
    else:
        array = draw(hnp.arrays(dtype, shape, elements=None if wild else moderate(dtype)))
    return draw(viewed(array))


@st.composite
def viewed(draw, array):
    """The same or fewer numbers, arranged in another way."""
    match draw(st.sampled_from(["as it is", "turned", "reversed", "gaps", "unaligned", "spread"])):
        case "turned":
            return array.T
        case "reversed":
            return array[tuple(slice(None, None, -1) for _ in array.shape)]
        case "gaps":
            return array[tuple(slice(None, None, draw(st.integers(1, 3))) for _ in array.shape)]
        case "unaligned" if array.dtype.kind not in "OV":
            memory = np.zeros(array.nbytes + 1, np.uint8)
            other = memory[1:].view(array.dtype) if array.size else array.ravel()
            other[...] = array.ravel()
            return other.reshape(array.shape)
        case "spread" if array.ndim:
            return np.broadcast_to(array[:1], array.shape)
        case _:
            return array


INTEGERS = st.one_of(
    st.integers(-3, 12), st.sampled_from([2**31 - 1, 2**31, -(2**31), 2**32, 2**40, -(2**40)])
)


@st.composite
def malformed(draw):
    """A sparse matrix one or two of whose parts are not what they should be."""
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    entries = draw(hnp.arrays("<f8", (rows, cols), elements=st.integers(-3, 3)))
    kind = draw(st.sampled_from(["csc", "csr", "coo", "bsr", "dia", "lil"]))
    make = getattr(sparse, f"{kind}_{draw(st.sampled_from(['array', 'matrix']))}")
    X = make(entries)
    names = {"csc": ["data", "indices", "indptr"], "csr": ["data", "indices", "indptr"],
             "bsr": ["data", "indices", "indptr"], "dia": ["data", "offsets"],
             "coo": ["data", "row", "col"], "lil": ["rows"]}[kind]  # fmt: skip
    for name in draw(st.lists(st.sampled_from(names), max_size=2, unique=True)):
        part = getattr(X, name)
        if kind == "lil":
            row = part[draw(st.integers(0, rows - 1))]
            if row:
                row[draw(st.integers(0, len(row) - 1))] = draw(INTEGERS)
            continue
        wide = part.astype(np.int64) if part.dtype.kind == "i" else part
        other = draw(damaged(np.array(draw(st.sampled_from([part, wide])))))
        if name in {"row", "col"}:  # a setter would convert it
            X.coords = (other, X.col) if name == "row" else (X.row, other)
        else:
            setattr(X, name, other)
    return X


@st.composite
def damaged(draw, part):
    """An array like this one with another entry, another length or another type."""
    match draw(st.sampled_from(["entry", "shorter", "longer", "type", "shape", "strides"])):
        case "entry" if part.size:
            numbers = INTEGERS if part.itemsize == 8 else st.integers(-3, 12)
            part.flat[draw(st.integers(0, part.size - 1))] = draw(numbers)
        case "shorter":
            part = part[: draw(st.integers(0, part.shape[0]))]
        case "longer":
            part = np.concatenate([part, part[:1]])
        case "type":
            part = part.astype(draw(st.sampled_from(["<f4", ">i8", "<u2", "<c16", "O", "<U2"])))
        case "shape":
            part = part.reshape(-1, 1) if part.ndim == 1 else part.ravel()
        case "strides":
            part = part[::-1]
    return part


def accepts(make):
    """What was made, or None where the argument was refused."""
    try:
        return make()
    except regiht.InvalidArgumentError as error:
        assert len(str(error)) > 10  # noqa: PT017  (most examples are refused)
        return None


def entry_by_entry(X):
    """The dense matrix that a compressed one stands for; it may have room for more entries."""
    full = np.zeros(X.shape if X.format == "csr" else X.shape[::-1])
    for i in range(len(full)):
        for k in range(int(X.indptr[i]), int(X.indptr[i + 1])):
            full[i, X.indices[k]] += X.data[k]
    return full if X.format == "csr" else full.T


def check_products(X, design):
    """The design multiplies as the matrix does."""
    full = np.asarray(X).astype(float)
    assert design.shape == full.shape
    x, v = np.arange(1.0, full.shape[1] + 1), np.arange(1.0, full.shape[0] + 1)
    size = max(1.0, float(np.abs(full).max()))
    if size > 1e100:
        return
    np.testing.assert_allclose(design.matvec(x), full @ x, rtol=1e-6, atol=1e-6 * size)
    np.testing.assert_allclose(design.rmatvec(v), v @ full, rtol=1e-6, atol=1e-6 * size)


@EXAMPLES
@given(X=dense(), layout=st.sampled_from(["auto", "as-is"]))
def test_arrays_of_any_kind_into_design(X, layout):
    design = accepts(lambda: Design(X, layout=layout))
    if design is not None:
        check_products(X, design)


@EXAMPLES
@given(X=dense(), center=st.booleans(), scale=st.booleans())
def test_arrays_of_any_kind_are_standardized(X, center, scale):
    design = accepts(lambda: Design(X, center=center, scale=scale))
    if design is not None and design.factors is not None:
        assert np.isfinite(design.factors).all()


@EXAMPLES
@given(X=malformed(), layout=st.sampled_from(["auto", "as-is"]))
def test_malformed_sparse_matrices_into_design(X, layout):
    design = accepts(lambda: Design(X, layout=layout))
    if design is not None and X.format in {"csc", "csr"}:
        check_products(entry_by_entry(X), design)


def options(rows, cols):
    """Keyword arguments of solve; most are right."""
    return st.fixed_dictionaries(
        {
            "loss": st.sampled_from([*regiht.losses(), *regiht.losses(), "hinge", None]),
            "method": st.sampled_from([*regiht.methods(), *regiht.methods(), "ridge", b"iht"]),
            "max_iter": st.one_of(st.integers(0, 30), st.sampled_from([20, 20, -1, 2.5])),
        },
        optional={
            "ridge": st.one_of(
                st.floats(0.01, 9.0), st.floats(0.01, 9.0), st.floats(), st.just(1j)
            ),
            "tol": st.one_of(st.just(0.0), st.floats(0.0, 1.0), st.floats()),
            "sample_weight": st.one_of(dense(st.just((rows,))), dense()),
            "keep": st.one_of(st.none(), st.lists(st.integers(-1, cols), max_size=2)),
            "x0": st.one_of(dense(st.just((cols,))), dense()),
            "intercept": st.sampled_from([True, True, False, 1]),
            "center": st.sampled_from([True, True, False, "yes"]),
            "refit": st.sampled_from([True, True, False, 0]),
            "groups": st.one_of(st.none(), st.lists(st.integers(0, 3), min_size=cols, max_size=6)),
            "seed": st.one_of(st.integers(0, 9), st.sampled_from([-1, 2**64])),
        },
    )


@EXAMPLES
@given(data=st.data())
def test_any_arguments_into_solve(data):
    rows, cols = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    good = hnp.arrays("<f8", (rows, cols), elements=moderate("<f8"))
    X = data.draw(st.one_of(good, dense(st.just((rows, cols))), malformed(), dense()))
    labels = hnp.arrays(st.sampled_from(["<f8", "?", "<i4"]), rows, elements=st.booleans())
    y = data.draw(st.one_of(labels, labels, dense(st.just((rows,))), dense()))
    wrong = st.sampled_from([0, -1, 2.0, "1", None, 2**70])
    s = data.draw(st.one_of(st.integers(1, cols), st.integers(1, cols), wrong))
    chosen = data.draw(options(rows, cols))
    result = accepts(lambda: regiht.solve(X, y, s, n_threads=1, time_limit=5.0, **chosen))
    if result is not None:
        assert result.x.shape == (np.shape(X)[1],)
        assert np.isfinite(result.x).all()
        assert set(np.flatnonzero(result.x)) <= set(result.support.tolist())
        assert chosen.get("groups") is not None or result.support.size <= s


@pytest.mark.parametrize("value", [1e300, -1e300, 5e-324])
def test_numbers_at_the_ends_of_the_range_are_answered_or_refused(value):
    X = np.array([[value, 1.0], [1.0, value], [value, value]])
    for loss in regiht.losses():
        result = accepts(lambda loss=loss: regiht.solve(X, [1.0, 0.0, 1.0], 1, loss=loss))
        assert result is None or np.isfinite(result.x).all()
