"""Every layout, value type and index type, plain and standardized, against a dense numpy matrix."""

import itertools

import numpy as np
import pytest
from scipy import sparse

from regiht import Design, InvalidArgumentError, _core, reference

LAYOUTS = ["row-major", "column-major", "csc", "csr"]
STANDARDIZATIONS = [(False, False), (True, False), (False, True), (True, True)]
VARIANTS = [
    (layout, value, index)
    for layout, value, index in itertools.product(
        LAYOUTS, (np.float64, np.float32), (np.int32, np.int64)
    )
    if layout in {"csc", "csr"} or index is np.int32
]


def variants(layouts=LAYOUTS):
    chosen = [variant for variant in VARIANTS if variant[0] in layouts]
    names = [f"{layout}-{value.__name__}-{index.__name__}" for layout, value, index in chosen]
    return pytest.mark.parametrize(("layout", "value", "index"), chosen, ids=names)


def standardized():
    return pytest.mark.parametrize(
        ("center", "scale"), STANDARDIZATIONS, ids=["plain", "center", "scale", "both"]
    )


def make_design(X, layout, index=np.int32, center=False, scale=False):
    """Return the Design of a dense matrix in the layout and the index type asked for."""
    if layout == "row-major":
        given = np.ascontiguousarray(X)
    elif layout == "column-major":
        given = np.asfortranarray(X)
    else:
        given = {"csc": sparse.csc_array, "csr": sparse.csr_array}[layout](X)
        given.indices, given.indptr = given.indices.astype(index), given.indptr.astype(index)
    design = Design(given, center, scale, layout="as-is")
    assert (design.shape, design.dtype) == (X.shape, X.dtype)
    assert design.layout == layout or 1 in X.shape  # one row or column can be read either way
    assert not design.copied or not X.any()  # without entries there is no memory to share
    return design


def random_matrix(seed, rows, cols, value=np.float64, density=0.4):
    rng = np.random.default_rng(seed)
    X = rng.normal(loc=0.5, size=(rows, cols)) * (rng.random((rows, cols)) < density)
    X[:, 0] = rng.normal(size=rows)  # full
    X[:, cols // 2] = 0.0
    X[:, -1] = 0.1
    return X.astype(value)


def scale_of(A, v):
    """Return |A| |v|, to which the rounding error of A v is proportional."""
    return np.abs(A) @ np.abs(v)


@pytest.mark.pairs
@variants()
@standardized()
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (5, 7), (37, 19), (130, 11)])
def test_products_are_those_of_the_dense_matrix(layout, value, index, center, scale, shape):
    X = random_matrix(1, *shape, value)
    design = make_design(X, layout, index, center, scale)
    A, means, factors = reference.standardize(X, center, scale)
    rng = np.random.default_rng(2)
    x, v = rng.normal(size=shape[1]), rng.normal(size=shape[0])
    x[::3] = 0.0
    slack = 1e-13 * (np.abs(means) * factors).max() * np.abs(v).sum()
    np.testing.assert_allclose(design.matvec(x), A @ x, rtol=1e-13, atol=1e-13)
    assert np.all(np.abs(design.rmatvec(v) - A.T @ v) <= 1e-13 * scale_of(A.T, v) + slack)
    np.testing.assert_allclose(
        design._core.column_norms(), np.linalg.norm(A, axis=0), rtol=1e-12, atol=1e-15
    )
    np.testing.assert_array_equal(design.matvec(np.zeros(shape[1])), 0.0)
    np.testing.assert_array_equal(design.rmatvec(np.zeros(shape[0])), 0.0)


@variants()
@standardized()
def test_single_columns_have_the_bits_of_the_full_product(layout, value, index, center, scale):
    for rows, cols in ((1, 3), (6, 5), (203, 41), (9001, 13)):
        design = make_design(random_matrix(3, rows, cols, value), layout, index, center, scale)
        rng = np.random.default_rng(4)
        v = rng.normal(size=rows) * 10.0 ** rng.integers(-8, 8, rows)
        full = design._core.apply_transpose(v)
        for count in {1, cols // 2, cols}:
            columns = np.sort(rng.choice(cols, count, replace=False)).astype(np.int64)
            part = design._core.apply_transpose_columns(columns, v)
            assert part.tobytes() == full[columns].tobytes()
    assert design._core.apply_transpose_columns(np.empty(0, np.int64), v).size == 0


@variants()
@pytest.mark.parametrize(("center", "scale"), [(False, False), (True, True)])
def test_any_number_of_threads_gives_the_same_bits(layout, value, index, center, scale):
    rows, cols = 3 * 4096 + 700, 45  # several chunks of rows, far more than 100 000 entries
    X = random_matrix(5, rows, cols, value, density=0.5)
    core = make_design(X, layout, index, center, scale)._core
    rng = np.random.default_rng(6)
    x, v = rng.normal(size=cols), rng.normal(size=rows)
    columns = np.arange(1, cols, 2)
    products = [
        (core.apply(x, n_threads=threads).tobytes(),
         core.apply_transpose(v, n_threads=threads).tobytes(),
         core.apply_transpose_columns(columns, v, n_threads=threads).tobytes())
        for threads in (1, 2, 3, 7)
    ]  # fmt: skip
    assert products.count(products[0]) == 4
    full = core.apply_transpose(v)
    assert products[0][2] == full[columns].tobytes()


def test_wide_matrix_on_several_threads():
    X = random_matrix(7, 50, 5000, density=0.6)
    v = np.random.default_rng(8).normal(size=50)
    for layout in LAYOUTS:
        core = make_design(X, layout)._core
        one, *others = (core.apply_transpose(v, n_threads=t).tobytes() for t in (1, 2, 3, 7))
        assert others == [one] * 3


def test_number_of_threads_comes_from_the_environment(monkeypatch):
    design = make_design(random_matrix(9, 13000, 20), "row-major")
    v = np.random.default_rng(10).normal(size=13000)
    expected = design.rmatvec(v)
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("REGIHT_NUM_THREADS", threads)
        np.testing.assert_array_equal(design.rmatvec(v), expected)


def awkward_columns(rows=600):
    """Columns that are hard to standardize, by name."""
    rng = np.random.default_rng(11)
    noise = rng.normal(size=rows)
    sparse_noise = noise * (rng.random(rows) < 0.05)
    return {
        "large mean": 1e6 + noise,
        "very large mean": -1e9 + noise,
        "constant": np.full(rows, 0.1),
        "negative constant": np.full(rows, -1 / 3),
        "empty": np.zeros(rows),
        "sparse": sparse_noise,
        "full": noise,
        "one entry": np.eye(rows)[5],
        "all but one entry": 1.0 - np.eye(rows)[7],
        "large": 1e100 * noise,
        "small": 1e-100 * noise,
        "almost constant": 1.0 + 1e-9 * noise,
    }


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("value", [np.float64, np.float32])
@standardized()
def test_standardization_is_that_of_the_reference(layout, value, center, scale):
    columns = awkward_columns()
    if value is np.float32:
        columns = {name: c for name, c in columns.items() if name not in {"large", "small"}}
    X = np.stack(list(columns.values()), axis=1).astype(value)
    design = make_design(X, layout, np.int32, center, scale)
    _, means, factors = reference.standardize(X, center, scale)
    if not center and not scale:
        assert design.means is None
        assert design.factors is None
        return
    np.testing.assert_allclose(design.factors, factors, rtol=1e-6 if center else 1e-13)
    if center:
        np.testing.assert_allclose(design.means, means, rtol=1e-13, atol=1e-30)
    else:
        assert design.means is None
    # What is exactly zero in the reference is exactly zero here.
    np.testing.assert_array_equal(design.factors == 0, factors == 0)
    gone = [name for name, factor in zip(columns, design.factors, strict=True) if factor == 0]
    expected = {"constant", "negative constant", "empty"} if center else {"empty"}
    if value is np.float32 and center:
        expected |= {n for n, c in zip(columns, X.T, strict=True) if np.ptp(c) == 0}
    assert set(gone) == (expected if center or scale else set())
    v = np.random.default_rng(12).normal(size=X.shape[0])
    product = design.rmatvec(v)
    assert np.all(product[design.factors == 0] == 0.0)
    assert np.isfinite(product).all()
    if scale:
        norms = design._core.column_norms()[design.factors != 0]
        np.testing.assert_allclose(norms, 1.0, rtol=1e-12)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_mean_far_above_the_deviation_keeps_the_digits_there_are(layout):
    """The mean of 20 000 entries near 1e8 is right to a few units in the last place."""
    rng = np.random.default_rng(13)
    X = 1e8 + rng.normal(size=(20_000, 3))
    design = make_design(X, layout, np.int32, center=True, scale=True)
    exact = X.astype(np.longdouble)
    mean = exact.mean(axis=0)
    norm = np.sqrt(((exact - mean) ** 2).sum(axis=0))
    np.testing.assert_allclose(design.means, mean.astype(float), rtol=1e-15 * 20)
    np.testing.assert_allclose(design.factors, (1 / norm).astype(float), rtol=1e-9)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("size", "center", "scale"),
    [(1e200, False, True), (1e200, True, True), (1e-200, False, True), (1e-200, True, True),
     (1.7e308, True, False)],
)  # fmt: skip
def test_column_beyond_double_precision_is_named(layout, size, center, scale):
    X = np.random.default_rng(14).uniform(0.9, 1.0, size=(30, 4))
    X[:, 2] *= size
    with pytest.raises(InvalidArgumentError, match=r"^X cannot be standardized: column 2 is too"):
        make_design(X, layout, np.int32, center, scale)
    assert make_design(X, layout).shape == (30, 4)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_denormal_and_huge_entries_pass_without_standardization(layout):
    X = np.array([[5e-324, 0.0], [0.0, 1e308]])
    np.testing.assert_array_equal(make_design(X, layout).rmatvec([1.0, 0.5]), [5e-324, 5e307])


@pytest.mark.parametrize("layout", ["csc", "csr"])
@standardized()
def test_sparse_matrix_without_entries(layout, center, scale):
    X = np.zeros((4, 6))
    design = make_design(X, layout, np.int64, center, scale)
    np.testing.assert_array_equal(design.rmatvec(np.ones(4)), np.zeros(6))
    np.testing.assert_array_equal(design.matvec(np.ones(6)), np.zeros(4))


@pytest.mark.parametrize("layout", ["csc", "csr"])
def test_stored_zeros_are_zeros(layout):
    X = sparse.coo_array((np.zeros(4), (np.arange(4), np.zeros(4, int))), shape=(4, 2))
    design = Design(X.asformat(layout), center=True, scale=True, layout="as-is")
    np.testing.assert_array_equal(design.factors, 0.0)
    np.testing.assert_array_equal(design.means, 0.0)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_core_rejects_what_the_python_layer_would_not_pass(layout):
    core = make_design(random_matrix(15, 8, 5), layout)._core
    assert (core.rows, core.cols) == (8, 5)
    with pytest.raises(TypeError):
        core.apply(np.ones(5, np.float32))
    with pytest.raises(TypeError):
        core.apply_transpose(np.ones(16)[::2])
    with pytest.raises(ValueError, match="contiguous"):
        _core.dense_design(np.ones((8, 10))[::2, ::2])
    with pytest.raises(ValueError, match="unsupported type"):
        _core.dense_design(np.ones((8, 10), int))


def test_the_core_refuses_offsets_of_another_type_than_indices():
    X = sparse.csc_array(random_matrix(15, 8, 5))
    for wide, narrow in ((np.int64, np.int32), (np.int32, np.int64)):
        with pytest.raises(ValueError, match="offsets must have the type of indices"):
            _core.compressed_design(
                X.data, X.indices.astype(wide), X.indptr.astype(narrow), 8, 5, by_columns=True
            )
