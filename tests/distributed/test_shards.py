"""Shards on disk are blocks like any others, wherever they are opened."""

from __future__ import annotations

import os
import shutil
import signal

import numpy as np
import pytest
from scipy import sparse

import regiht
import regiht.distributed

LOGISTIC = {"loss": "logistic", "ridge": 0.1, "intercept": True, "scale": True, "max_iter": 12}
SHARDS = 3


def bits(result):
    return result.x.tobytes(), result.fun, result.intercept, result.n_iter, result.communication


@pytest.fixture
def stored(make, tmp_path):
    """A matrix with targets for a loss, and the directory of its shards."""

    def write(loss="logistic", labels=None, **options):
        X, y = make(loss, is_sparse=True)
        y = y if labels is None else np.array(labels)[y.astype(int)]
        path = tmp_path / "my shards"
        regiht.dataset.write(path, X, y, shards=SHARDS, **options)
        return path, X, y

    return write


def designs(path):
    """The same blocks as a list, and their targets."""
    opened = [regiht.Design.open(path / f"{k:05d}") for k in range(SHARDS)]
    return opened, [each.y for each in opened]


def of_rows(path, y):
    """Cut an array as the shards are."""
    rows = [each.shape[0] for each in regiht.dataset.open_shards(path)]
    return np.split(y, np.cumsum(rows)[:-1])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_directory_of_shards_has_the_bits_of_its_designs(stored, dtype):
    path, X, y = stored(dtype=dtype)
    expected = regiht.distributed.solve(*designs(path), 4, **LOGISTIC)
    assert bits(regiht.distributed.solve(path, s=4, **LOGISTIC)) == bits(expected)
    paths = [str(path / f"{k:05d}") for k in range(SHARDS)]
    assert bits(regiht.distributed.solve(paths, s=4, **LOGISTIC)) == bits(expected)
    whole = regiht.solve(X.tocsc().astype(dtype), y, 4, **LOGISTIC)
    assert whole.support.tolist() == expected.support.tolist()


def test_paths_and_estimators_take_them(stored):
    path, _, _ = stored(labels=["no", "yes"], feature_names=[f"word {j}" for j in range(40)])
    opened, y = designs(path)
    for kind in (regiht.SparseClassifier(3), regiht.SparseClassifierCV([1, 3], cv=2)):
        model = regiht.distributed.fit(kind, path)
        coef = model.coef_.copy()
        assert model.classes_.tolist() == ["no", "yes"]
        assert model.feature_names_in_[5] == "word 5"
        assert coef.tobytes() == regiht.distributed.fit(kind, opened, y).coef_.tobytes()
    found = regiht.distributed.path(path, max_nonzeros=3, method="omp", keep=["word 7"])
    expected = regiht.distributed.path(opened, y, 3, method="omp", keep=[7])
    assert [each.coef.tobytes() for each in found] == [each.coef.tobytes() for each in expected]


def test_classes_are_those_of_all_shards(tmp_path):
    X = np.random.default_rng(0).normal(size=(90, 5))
    labels = np.repeat(["one", "two", "three, of more letters"], 30)
    regiht.dataset.write(tmp_path / "shards", X, labels, shards=SHARDS)
    model = regiht.distributed.fit(regiht.SparseClassifier(2), tmp_path / "shards")
    assert model.classes_.tolist() == ["one", "three, of more letters", "two"]
    assert model.coef_.shape == (3, 5)


def test_given_targets_and_weights_are_cut_as_the_shards_are(stored):
    path, _, y = stored()
    opened, _ = designs(path)
    other, weights = 1 - y, np.random.default_rng(1).uniform(0.5, 2.0, y.size)
    expected = regiht.distributed.solve(
        opened, of_rows(path, other), 4, sample_weight=of_rows(path, weights), **LOGISTIC
    )
    for cut in (np.asarray, lambda values: of_rows(path, values)):
        found = regiht.distributed.solve(
            path, cut(other), 4, sample_weight=cut(weights), **LOGISTIC
        )
        assert bits(found) == bits(expected)


def test_targets_may_be_collections_of_dask(stored):
    da = pytest.importorskip("dask.array")
    path, _, y = stored()
    expected = regiht.distributed.solve(path, s=4, **LOGISTIC)
    delayed = [da.from_array(each).to_delayed()[0] for each in of_rows(path, y)]
    for targets in (da.from_array(y, chunks=77), delayed):
        found = regiht.distributed.solve(path, targets, 4, **LOGISTIC)
        assert bits(found) == bits(expected)


@pytest.mark.parametrize(("rows", "cols"), [(SHARDS, 4), (20, 1)])
def test_shards_of_one_row_and_of_one_column(tmp_path, rows, cols):
    X = np.random.default_rng(0).normal(size=(rows, cols))
    regiht.dataset.write(tmp_path / "shards", X, X[:, 0], shards=SHARDS)
    found = regiht.distributed.solve(tmp_path / "shards", s=1)
    np.testing.assert_allclose(found.x, np.eye(cols)[0], atol=1e-12)


def remove(path):
    shutil.rmtree(path / "00001")


def replace(path):
    shutil.rmtree(path / "00001")
    shutil.copytree(path / "00000", path / "00001")


def edit(path):
    header = path / "header.json"
    header.write_text(header.read_text().replace('"number": 3', '"number": 4'))


def cover(path):
    (path / "header.json").write_text("{}")


def bare(path):
    (path / "header.json").unlink()


def damage(path):
    values = path / "00002" / "values.npy"
    values.write_bytes(values.read_bytes()[:-1] + b"x")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (remove, "X: .*00001 cannot be opened: it does not exist"),
        (replace, "X: .*00001 is not the shard that was written there"),
        (edit, "X: .*header.json was changed after it was written"),
        (cover, "X: .*header.json was not written by regiht"),
        (bare, "X: .*it has no header.json"),
        (damage, "X, where it is to be solved: .*00002 cannot be opened: values.npy has changed"),
    ],
)
def test_a_directory_that_is_no_whole_set_of_shards_is_refused(stored, change, message):
    path, _, _ = stored()
    change(path)
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.distributed.solve(path, s=4)


def test_shards_that_do_not_belong_together_are_refused(tmp_path):
    X = sparse.random_array((20, 6), density=0.5, rng=0)
    names = [f"x{j}" for j in range(6)]
    for name, matrix, more in (
        ("plain", X, {"y": np.ones(20)}), ("narrow", X.tocsr()[:, :5], {"y": np.ones(20)}),
        ("bare", X, {}), ("labelled", X, {"y": ["a", "b"] * 10}),
        ("named", X, {"y": np.ones(20), "feature_names": names}),
    ):  # fmt: skip
        regiht.dataset.write(tmp_path / name, matrix, **more)
    plain = tmp_path / "plain"
    for others, message in (
        ([tmp_path / "narrow"], "X: all shards .*plain has 6 of them and .*narrow has 5"),
        ([tmp_path / "named"], "X: all shards .* names in .*named are not those in .*plain"),
        ([tmp_path / "bare"], "y must be given: .*bare has no targets"),
        ([tmp_path / "labelled"], "y must hold labels in all shards or numbers in all"),
        ([tmp_path / "absent"], "X: .*absent cannot be opened: it does not exist"),
        ([X], "X must be a list of paths or one of blocks of rows, not both"),
    ):
        with pytest.raises(regiht.InvalidArgumentError, match=message):
            regiht.distributed.solve([plain, *others], s=2)
    with pytest.raises(regiht.InvalidArgumentError, match=r"X: .*plain .* and no shards"):
        regiht.distributed.solve(plain, s=2)


def test_what_has_to_be_given_is_named(stored):
    path, X, _ = stored()
    with pytest.raises(regiht.InvalidArgumentError, match="s must be given"):
        regiht.distributed.solve(path)
    with pytest.raises(regiht.InvalidArgumentError, match="y must be given, unless X is shards"):
        regiht.distributed.fit(regiht.SparseRegressor(2), [X])
    with pytest.raises(regiht.InvalidArgumentError, match=r"every row of X \(500\); got 499"):
        regiht.distributed.solve(path, np.ones(499), 2)
    with pytest.raises(regiht.InvalidArgumentError, match="it holds shards: give it to"):
        regiht.SparseClassifier(2).fit(path)


def test_workers_open_shards_by_a_relative_path_and_may_be_killed(stored, client, monkeypatch):
    path, _, _ = stored()
    here = regiht.distributed.solve(*designs(path), 4, **LOGISTIC)
    client.run(os.chdir, "/")
    monkeypatch.chdir(path.parent)
    monkeypatch.delattr("regiht.distributed.inputs._local_blocks")
    victim = next(iter(client.run(os.getpid).values()))

    def kill(iteration):
        if iteration.number == 6:
            os.kill(victim, signal.SIGKILL)

    there = regiht.distributed.solve("my shards/", s=4, **LOGISTIC)
    killed = regiht.distributed.solve("my shards", s=4, **LOGISTIC, callback=kill)
    assert bits(there) == bits(killed) == bits(here)
