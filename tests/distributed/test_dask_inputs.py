"""Collections of Dask as they come: chunks, partitions, types, and what does not fit."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import regiht
import regiht.distributed
from regiht import SparseClassifier, SparseRegressor

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

S = 4


@pytest.fixture(scope="module")
def data(make):
    X, y = make("logistic")
    return X, np.where(y > 0, "yes", "no")


def sparse_blocks(X, rows=120):
    return da.from_array(X, chunks=(rows, -1)).map_blocks(sparse.csr_matrix)


def without_counts(array):
    """The same array, whose chunks have forgotten their rows."""
    chunks = (tuple(np.nan for _ in array.chunks[0]), *array.chunks[1:])
    return da.Array(array.dask, array.name, chunks, meta=array._meta)


def assert_same(model, whole):
    assert model.support_.tolist() == whole.support_.tolist()
    assert isinstance(model.coef_, np.ndarray)
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(model.intercept_, whole.intercept_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(model.objective_, whole.objective_, rtol=1e-9)


COLLECTIONS = {
    "rows": lambda X, y: (da.from_array(X, chunks=(150, -1)), da.from_array(y, chunks=150)),
    "columns too": lambda X, y: (da.from_array(X, chunks=(150, 7)), da.from_array(y, chunks=99)),
    "y in memory": lambda X, y: (da.from_array(X, chunks=(150, 7)), y),
    "sparse": lambda X, y: (sparse_blocks(X), da.from_array(y, chunks=120)),
    "not counted": lambda X, y: (
        without_counts(sparse_blocks(X)), without_counts(da.from_array(y, chunks=120))
    ),
    "float32": lambda X, y: (
        da.from_array(X, chunks=(150, -1)).astype(np.float32).astype(float), da.from_array(y)
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", COLLECTIONS)
def test_a_classifier_takes_dask_arrays(data, kind):
    X, y = data
    if kind == "float32":
        X = X.astype(np.float32).astype(float)
    model = SparseClassifier(S, method="omp").fit(*COLLECTIONS[kind](X, y))
    assert_same(model, SparseClassifier(S, method="omp").fit(X, y))
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.communication_.rounds > 0


@pytest.mark.parametrize("class_weight", ["balanced", {"yes": 3.0}])
def test_class_weights_and_sample_weights_are_those_of_a_matrix(data, class_weight):
    X, y = data
    weights = np.random.default_rng(0).uniform(0, 2, len(y))
    model = SparseClassifier(S, class_weight=class_weight, method="omp")
    blocks = [da.from_array(each, chunks=120) for each in (y, weights)]
    model.fit(da.from_array(X, chunks=(120, -1)), *blocks)
    whole = SparseClassifier(S, class_weight=class_weight, method="omp").fit(X, y, weights)
    assert_same(model, whole)


def test_several_classes_are_one_against_the_rest(make):
    X, y = make("squared")
    y = np.digitize(y, [-1.0, 1.0])
    model = SparseClassifier(2, method="omp").fit(da.from_array(X, chunks=(200, 9)), y)
    assert_same(model, SparseClassifier(2, method="omp").fit(X, y))


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("loss", ["squared", "huber"])
def test_a_regressor_takes_dask_arrays(make, loss, several):
    X, y = make("squared")
    if several:
        noise = np.random.default_rng(1).normal(size=len(y))
        y = np.stack([y, X[:, 3] + X[:, 5] + noise], axis=1)
    options = {"loss": loss, "huber_threshold": 0.4, "method": "omp", "exclude": [2]}
    model = SparseRegressor(S, **options).fit(
        da.from_array(X, chunks=(150, 7)), da.from_array(y, chunks=(100, *(1,) * several))
    )
    assert_same(model, SparseRegressor(S, **options).fit(X, y))


@pytest.mark.parametrize("method", ["predict", "predict_proba", "decision_function"])
def test_predictions_of_arrays_keep_their_chunks(data, method):
    X, y = data
    model = SparseClassifier(S, method="omp").fit(X, y)
    for blocks in (da.from_array(X, chunks=(150, 7)), sparse_blocks(X, 150)):
        predicted = getattr(model, method)(blocks)
        assert isinstance(predicted, da.Array)
        assert predicted.chunks[0] == (150, 150, 150, 50)
        expected = getattr(model, method)(X)
        assert predicted.shape == expected.shape
        assert predicted.dtype == expected.dtype
        if method == "predict":
            assert predicted.compute().tolist() == expected.tolist()
        else:
            np.testing.assert_allclose(predicted.compute(), expected, rtol=1e-12)


def test_predictions_with_a_wrong_number_of_columns_are_refused(data):
    X, y = data
    model = SparseClassifier(S, method="omp").fit(X, y)
    with pytest.raises(regiht.InvalidArgumentError, match="X has 3 features"):
        model.predict(da.ones((10, 3)))


def test_data_frames_give_names_and_predictions_that_are_series(data):
    dd = pytest.importorskip("dask.dataframe")
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame(X, columns=[f"c{k}" for k in range(X.shape[1])])
    parts = dd.from_pandas(frame, npartitions=3)
    labels = dd.from_pandas(pd.Series(y), npartitions=3)
    options = {"method": "omp", "keep": ["c5"], "exclude": ["c2"]}
    model = SparseClassifier(S, **options).fit(parts, labels)
    whole = SparseClassifier(S, **options).fit(frame, y)
    assert_same(model, whole)
    assert model.feature_names_in_.tolist() == frame.columns.tolist()
    predicted = model.predict(parts)
    assert predicted.npartitions == 3
    assert predicted.compute().tolist() == whole.predict(frame).tolist()
    np.testing.assert_allclose(
        model.predict_proba(parts).compute().to_numpy(), whole.predict_proba(frame), rtol=1e-7
    )


def test_delayed_sparse_blocks(make):
    X, y = make("logistic", is_sparse=True)
    parts = [dask.delayed(X[:200]), dask.delayed(X[200:])], [y[:200], y[200:]]
    blocks = regiht.distributed.solve(*parts, S, loss="logistic", method="omp", ridge=0.1)
    whole = regiht.solve(X, y, S, loss="logistic", method="omp", ridge=0.1)
    assert blocks.support.tolist() == whole.support.tolist()
    np.testing.assert_allclose(blocks.fun, whole.fun, rtol=1e-9)


def test_the_client_may_be_given(data, client):
    X, y = data
    blocks = da.from_array(X, chunks=(150, 7)), da.from_array(y, chunks=200)
    model = SparseClassifier(S, method="omp")
    assert regiht.distributed.fit(model, *blocks, client=client) is model
    assert_same(model, SparseClassifier(S, method="omp").fit(X, y))
    predicted = model.predict(blocks[0]).compute()
    assert predicted.tolist() == model.predict(X).tolist()


REFUSED = {
    "fewer targets": (
        lambda X, y: (da.from_array(X), da.from_array(y[:-1])), r"every row of X \(500\); got 499"
    ),
    "not as many blocks": (
        lambda X, y: (without_counts(da.from_array(X, chunks=(100, -1))), da.from_array(y)),
        "X has 5 blocks of rows and y has 1",
    ),
    "unlike blocks": (
        lambda X, y: (
            without_counts(da.from_array(X, chunks=(250, -1))), da.from_array(y, chunks=(300,))
        ),
        "block [01] has 250 rows in X and [32]00 in y",
    ),
    "targets in memory for rows that are not counted": (
        lambda X, y: (without_counts(da.from_array(X)), y), "got an array in memory"
    ),
    "one dimension": (lambda X, y: (da.from_array(X[0]), y), "two dimensions"),
    "labels that are missing": (
        lambda X, y: (da.from_array(X), np.where(X[:, 0] > 2.5, None, y)),
        r"block 0: y must have a label in every row.* is None",
    ),
    "labels that are NaN": (
        lambda X, y: (da.from_array(X), np.where(X[:, 0] > 2.5, np.nan, y == "no")),
        "block 0: y must not contain NaN",
    ),
    "labels of two kinds": (
        lambda X, y: (
            [dask.delayed(X[:250]), X[250:]], [y[:250], (y[250:] == "no").astype(int)]
        ),
        "y must be text in all blocks or numbers in all",
    ),
    "labels in two columns": (
        lambda X, y: (da.from_array(X), np.stack([y, y], axis=1)), "y must be one-dimensional"
    ),
    "weights of zero": (
        lambda X, y: (da.from_array(X), y, np.zeros(len(y))), "must not be zero for every row"
    ),
    "a block that is none": (
        lambda X, y: ([dask.delayed(None), X[250:]], [y[:250], y[250:]]), "block 0: X must be an"
    ),
    "a single delayed block": (
        lambda X, y: (dask.delayed(X), y), "X must be a list of delayed blocks; got a single one"
    ),
    "one class": (
        lambda X, y: (da.from_array(X), np.full(len(y), "no")), "at least 2 classes"
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_what_does_not_fit_is_refused_in_a_sentence(data, kind):
    change, message = REFUSED[kind]
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.distributed.fit(SparseClassifier(S), *change(*data))


def test_a_warm_start_is_not_possible_on_blocks_and_refused(data):
    X, y = data
    model = SparseClassifier(S, method="omp", warm_start=True)
    model.coef_ = np.zeros((1, X.shape[1]))
    with pytest.raises(regiht.InvalidArgumentError, match="warm_start"):
        model.fit(da.from_array(X), da.from_array(y))


@pytest.mark.parametrize(
    "fit",
    [
        lambda X, y: regiht.solve(X, y, 2),
        lambda X, y: regiht.Design(X),
    ],
    ids=["solve", "design"],
)
def test_a_collection_was_loaded_into_this_process_in_silence(fit):
    X = da.from_array(np.eye(4), chunks=2)
    with pytest.raises(regiht.InvalidArgumentError, match="Dask collection"):
        fit(X, np.arange(4.0))


def test_the_selected_columns_of_a_collection_were_loaded_into_this_process(data):
    pd = pytest.importorskip("pandas")
    dd = pytest.importorskip("dask.dataframe")
    X, y = data
    model = SparseClassifier(S, method="omp").fit(X, y)
    selected = model.transform(da.from_array(X, chunks=(150, 7)))
    assert selected.chunks[0] == (150, 150, 150, 50)
    np.testing.assert_array_equal(selected.compute(), model.transform(X))
    with pytest.raises(regiht.InvalidArgumentError, match="X has 3 features"):
        model.transform(da.ones((10, 3)))

    frame = pd.DataFrame(X, columns=[f"c{k}" for k in range(X.shape[1])])
    model = SparseClassifier(S, method="omp").fit(frame, y)
    parts = dd.from_pandas(frame, npartitions=3)
    assert model.transform(parts).npartitions == 3
    pd.testing.assert_frame_equal(model.transform(parts).compute(), frame.iloc[:, model.support_])
    with pytest.raises(ValueError, match="feature names"):
        model.transform(parts[parts.columns[::-1]])


def test_inference_of_a_collection_loaded_it_in_silence(data):
    X, y = data
    model = SparseClassifier(S, method="omp").fit(X, y)
    with pytest.raises(regiht.InvalidArgumentError, match="Dask collection"):
        model.inference(da.from_array(X, chunks=(150, -1)), y)
