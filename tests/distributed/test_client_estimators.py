"""Estimators with a client of their own: what scikit-learn does with them, and local copies."""

from __future__ import annotations

import asyncio
import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

import regiht
import regiht.distributed

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

NAMES = ["SparseClassifier", "SparseClassifierCV", "SparseRegressor", "SparseRegressorCV"]
OPTIONS = {"method": "omp"}


@pytest.fixture(scope="module")
def threads():
    """A client of workers that are threads, which is not the present one of Dask."""
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0"
    )
    with cluster, distributed.Client(cluster, set_as_default=False) as connected:
        yield connected


def problem(make, name):
    X, y = make("logistic" if "Classifier" in name else "squared")
    return X, (np.where(y > 0, "yes", "no") if "Classifier" in name else y)


def assert_same(model, other):
    assert model.support_.tolist() == other.support_.tolist()
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_fits_on_the_client_given_are_those_of_the_plain_estimator(make, threads, name):
    X, y = problem(make, name)
    model = getattr(regiht.distributed, name)(3, client=threads, **OPTIONS)
    assert model.fit(da.from_array(X, chunks=(150, 7)), da.from_array(y, chunks=150)) is model
    plain = getattr(regiht, name)(3, **OPTIONS).fit(X, y)
    assert_same(model, plain)
    assert model.client_ is threads
    predicted = model.predict(da.from_array(X, chunks=(200, -1)))
    assert predicted.chunks == ((200, 200, 100),)
    found, expected = threads.compute(predicted).result(), plain.predict(X)
    if "Classifier" in name:
        assert found.tolist() == expected.tolist()
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


def test_fits_on_worker_processes_and_shards(make, client, tmp_path):
    X, y = problem(make, "SparseClassifier")
    regiht.dataset.write(tmp_path / "shards", X, y, shards=3)
    model = regiht.distributed.SparseClassifier(3, client=client, **OPTIONS)
    model.fit(tmp_path / "shards")
    assert_same(model, regiht.SparseClassifier(3, **OPTIONS).fit(X, y))


@pytest.mark.parametrize("name", NAMES)
def test_a_local_copy_is_the_plain_estimator(make, cut, threads, name):
    X, y = problem(make, name)
    model = getattr(regiht.distributed, name)(3, client=threads, **OPTIONS).fit(cut(X), cut(y))
    local = model.to_local()
    assert type(local) is getattr(regiht, name)
    assert local.get_params() == {k: v for k, v in model.get_params().items() if k != "client"}
    assert vars(local).keys() == vars(model).keys() - {"client"}
    np.testing.assert_array_equal(local.predict(X), model.predict(X))
    assert repr(clone(local)) == repr(getattr(regiht, name)(3, **OPTIONS))


def test_clones_keep_the_client_and_copies_and_pickles_have_none(make, cut, threads):
    X, y = problem(make, "SparseRegressor")
    model = regiht.distributed.SparseRegressor(3, client=threads, **OPTIONS).fit(cut(X), cut(y))
    twin = clone(model)
    assert twin.client is threads
    assert not hasattr(twin, "coef_")
    assert clone(make_pipeline(model))[0].client is threads
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
        assert again.client is None
        np.testing.assert_array_equal(again.coef_, model.coef_)
    assert model.client is threads


def test_the_client_is_a_parameter_as_scikit_learn_has_them(threads):
    model = regiht.distributed.SparseClassifier(2)
    assert model.get_params()["client"] is None
    assert model.set_params(client=threads).get_params()["client"] is threads
    with pytest.raises(NotFittedError):
        model.client_  # noqa: B018


def test_without_a_client_it_is_the_present_one_or_this_process(make, cut, threads):
    X, y = problem(make, "SparseRegressor")
    model = regiht.distributed.SparseRegressor(3, **OPTIONS).fit(cut(X), cut(y))
    assert model.client_ is None
    with threads.as_current():
        assert model.client_ is threads


def test_a_saved_model_is_the_plain_one(make, cut, threads, tmp_path):
    X, y = problem(make, "SparseClassifier")
    model = regiht.distributed.SparseClassifier(3, client=threads).fit(cut(X), cut(y))
    regiht.save_model(model, tmp_path / "model.json")
    again = regiht.load_model(tmp_path / "model.json")
    assert type(again) is regiht.SparseClassifier
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_blocks_in_memory_were_solved_here_although_a_client_was_given(make, cut, threads):
    X, y = make("squared")
    held = []

    def look(_):
        held.append(sum(threads.run(_count_blocks).values()))

    blocks = regiht.distributed.solve(cut(X), cut(y), 3, client=threads, callback=look)
    assert min(held) >= len(cut(X))
    assert blocks.x.tobytes() == regiht.distributed.solve(cut(X), cut(y), 3).x.tobytes()


def _count_blocks(dask_worker):
    return len(dask_worker.data)


def test_a_client_that_is_not_the_present_one_was_not_found(make, threads):
    X, y = make("squared")
    blocks = da.from_array(X, chunks=(150, -1)), da.from_array(y, chunks=150)
    found = regiht.distributed.solve(*blocks, 3, client=threads)
    assert found.support.tolist() == regiht.solve(X, y, 3).support.tolist()


def test_what_is_no_connected_client_was_an_attribute_error(make, cut, threads):
    X, y = make("squared")

    def solve(client):
        regiht.distributed.solve(cut(X), cut(y), 3, client=client)

    async def solve_in_a_loop():
        address = threads.scheduler_info()["address"]
        async with distributed.Client(address, asynchronous=True) as client:
            solve(client)

    closed = distributed.Client(threads.cluster, set_as_default=False)
    closed.close()
    with pytest.raises(regiht.InvalidArgumentError, match="Client; got LocalCluster"):
        solve(threads.cluster)
    with pytest.raises(regiht.InvalidArgumentError, match="this one is closed"):
        solve(closed)
    with pytest.raises(regiht.InvalidArgumentError, match="must not be asynchronous"):
        asyncio.run(solve_in_a_loop())


def test_futures_were_no_blocks(make, cut, threads):
    X, y = make("squared")
    parts = threads.scatter(cut(X)), threads.scatter(cut(y))
    found = regiht.distributed.solve(*parts, 3, client=threads)
    assert found.x.tobytes() == regiht.distributed.solve(cut(X), cut(y), 3).x.tobytes()


def test_a_client_that_was_closed_in_a_fit_was_an_attribute_error(make, cut, threads):
    X, y = make("logistic")
    client = distributed.Client(threads.cluster, set_as_default=False)
    with pytest.raises(regiht.distributed.LostBlocksError, match="the client is closed"):
        regiht.distributed.solve(
            cut(X), cut(y), 3, loss="logistic", client=client, callback=lambda _: client.close()
        )
