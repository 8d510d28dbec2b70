"""Models of several numbers of features on blocks: those of the whole matrix, for fewer rounds."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import regiht
import regiht.distributed
from regiht import datasets

MOST = 5
MODELS = [
    ("squared", "best"), ("squared", "omp"), ("squared", "regiht"), ("logistic", "best"),
    ("logistic", "omp"), ("logistic", "regiht"), ("poisson", "omp"),
]  # fmt: skip


def assert_same(blocks, whole):
    assert blocks.s.tolist() == whole.s.tolist()
    assert [each.tolist() for each in blocks.supports] == [each.tolist() for each in whole.supports]
    np.testing.assert_allclose(blocks.coef.toarray(), whole.coef.toarray(), rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(blocks.intercept, whole.intercept, rtol=1e-7, atol=1e-8)
    for name in ("aic", "bic", "ebic", "gic"):
        # Rows times the logarithm of a loss, whose ridge term falls in the first order of errors.
        np.testing.assert_allclose(
            blocks.criterion(name), whole.criterion(name), rtol=1e-8, atol=1e-6
        )
        assert blocks.best_s(name) == whole.best_s(name)


@pytest.mark.parametrize(("loss", "method"), MODELS)
def test_a_path_is_that_of_the_whole_matrix(make, cut, loss, method):
    X, y = make(loss, is_sparse=loss == "logistic")
    options = {"loss": loss, "method": method, "ridge": 0.1, "max_iter": 60}
    blocks = regiht.distributed.path(cut(X), cut(y), MOST, **options)
    assert_same(blocks, regiht.sparse_path(X, y, MOST, **options))
    assert blocks.null.support.size == 0


@pytest.mark.parametrize("options", [
    {"keep": [20, 21], "exclude": [2]}, {"positive": True, "fit_intercept": False},
    {"groups": np.arange(40) // 2}, {"standardize": False}, {"s": [0, 2, 4]},
])  # fmt: skip
def test_its_constraints_and_weights_are_those_of_the_whole_matrix(make, cut, options):
    X, y = make("squared")
    weights = np.random.default_rng(1).uniform(0, 2, len(y))
    weights[100:101] = 0.0  # all of a block
    assert_same(
        regiht.distributed.path(cut(X), cut(y), MOST, sample_weight=cut(weights), **options),
        regiht.sparse_path(X, y, MOST, sample_weight=weights, **options),
    )


@pytest.mark.parametrize("method", ["best", "regiht"])
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_a_model_has_the_same_bits_whatever_others_are_on_the_path(cut, loss, method):
    problem = datasets.wide(200, 700, s=5)
    y = problem.y if loss == "squared" else (problem.y > 0).astype(float)
    parts = cut(problem.X, (0, 90, 200)), cut(y, (0, 90, 200))
    options = {"loss": loss, "method": method, "ridge": 0.1}
    path = regiht.distributed.path(*parts, s=[2, 3, 5], max_iter=60, **options)
    for s in (3, 5):
        alone = regiht.distributed.path(*parts, s=[s], max_iter=60, **options)
        assert path.at(s).x.tobytes() == alone[0].x.tobytes()
        assert path.at(s).n_iter == alone[0].n_iter
        assert path.at(s).communication.rounds < alone[0].communication.rounds


def test_models_share_columns_of_the_gram_matrix(cut):
    problem = datasets.wide(100, 1_000, s=8)
    parts = cut(problem.X, (0, 40, 100)), cut(problem.y, (0, 40, 100))
    numbers = [6, 7, 8]
    path = regiht.distributed.path(*parts, s=numbers, method="regiht")
    apart = [regiht.distributed.path(*parts, s=[s], method="regiht") for s in numbers]
    most = max(each.communication.bytes_in for each in apart)
    assert path.communication.bytes_in < 1.5 * most


def test_one_run_of_omp_gives_all_models(make, cut):
    X, y = make("logistic")
    path, alone = (
        regiht.distributed.path(cut(X), cut(y), loss="logistic", method="omp", s=s)
        for s in (range(1, 9), [8])
    )
    # Each of the others costs its refit, from where the run stood.
    assert path.communication.rounds < 2.5 * alone.communication.rounds


def test_labels_are_told_from_numbers(make, cut):
    X, y = make("logistic")
    labels = np.where(y > 0, "yes", "no")
    blocks = regiht.distributed.path(cut(X), cut(labels), MOST, method="omp")
    whole = regiht.sparse_path(X, labels, MOST, method="omp")
    assert_same(blocks, whole)
    assert blocks.classes.tolist() == ["no", "yes"]
    model = blocks.estimator(s=3)
    assert model.predict(X).tolist() == whole.estimator(s=3).predict(X).tolist()
    labels[7] = "may"
    with pytest.raises(regiht.InvalidArgumentError, match="y must have two labels; got 3"):
        regiht.distributed.path(cut(X), cut(labels), MOST)


def test_time_is_shared_by_all_models(make, cut):
    X, y = make("logistic")
    path = regiht.distributed.path(
        cut(X), cut(y), 3, loss="logistic", method="regiht", max_iter=10**8, time_limit=0.3,
        options={"step": 1e-6},
    )  # fmt: skip
    assert [each.status for each in path] == ["time_limit"] * 3


def test_progress_counts_models(make, cut):
    X, y = make("squared")
    told = []
    regiht.distributed.path(cut(X), cut(y), 3, progress=lambda done, _: told.append(done))
    assert told == [1, 2, 3]


@pytest.mark.parametrize(("options", "message"), [
    ({"options": {"certify": True}}, "options of a path must not have certify"),
    ({"s": []}, "s must not be an empty list"),
    ({"loss": "cauchy"}, "loss must be one of"),
])  # fmt: skip
def test_what_a_path_cannot_have_is_refused(make, cut, options, message):
    X, y = make("squared")
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.distributed.path(cut(X), cut(y), **options)


def test_the_signature_is_that_of_sparse_path():
    own, other = (
        inspect.signature(f).parameters for f in (regiht.distributed.path, regiht.sparse_path)
    )
    assert own.keys() - other.keys() == {"client"}
    assert other.keys() - own.keys() == {"n_threads"}
    assert own["y"].default is None  # shards bring it along
    for name in own.keys() & other.keys() - {"y"}:
        assert own[name].default == other[name].default


def test_sparse_path_takes_collections_of_dask(make):
    da = pytest.importorskip("dask.array")
    X, y = make("squared")
    collections = da.from_array(X, chunks=(150, 7)), da.from_array(y, chunks=99)
    path = regiht.sparse_path(*collections, MOST)
    assert_same(path, regiht.sparse_path(X, y, MOST))
    assert path.communication.rounds > 0
    with pytest.raises(regiht.InvalidArgumentError, match="n_threads is not for a Dask collection"):
        regiht.sparse_path(*collections, MOST, n_threads=2)


def test_a_path_has_the_same_bits_on_workers(make, cut, client):
    dask = pytest.importorskip("dask")
    X, y = make("logistic", is_sparse=True)
    options = {"loss": "logistic", "method": "regiht", "max_iter": 8}
    here = regiht.distributed.path(cut(X), cut(y), 3, **options)
    parts = [dask.delayed(each) for each in cut(X)], [dask.delayed(each) for each in cut(y)]
    there = regiht.distributed.path(*parts, 3, client=client, **options)
    assert [each.x.tobytes() for each in there] == [each.x.tobytes() for each in here]
    assert there.communication == here.communication
