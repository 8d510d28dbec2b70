"""What the solver has to say reaches the user of an estimator."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.exceptions import ConvergenceWarning

import regiht


@pytest.fixture(scope="module")
def separable():
    X = np.random.default_rng(0).normal(size=(60, 5))
    return X, np.where(X[:, 2] > 0, "yes", "no")


@pytest.mark.parametrize("make", [regiht.SparseClassifier, regiht.SparseClassifierCV])
def test_separable_classes_without_ridge_are_warned_of(separable, make):
    with pytest.warns(ConvergenceWarning, match="A small ridge gives it one"):
        model = make(1 if make is regiht.SparseClassifier else [1], ridge=0.0).fit(*separable)
    assert "no minimum" in model.message_
    assert np.abs(model.coef_).max() > 100


def test_the_class_that_is_separable_is_named(separable):
    X, y = separable
    other = np.random.default_rng(1).random(60) < 0.5
    y = np.where((y == "no") & other, "maybe", y)
    with pytest.warns(ConvergenceWarning, match="'yes' against the rest") as warned:
        model = regiht.SparseClassifier(1, ridge=0.0).fit(X, y)
    assert len(warned) == 1
    assert ["no minimum" in message for message in model.message_] == [False, False, True]


def test_with_the_default_ridge_nothing_is_warned_of(separable):
    model = regiht.SparseClassifier(1).fit(*separable)
    assert model.message_ == model.status_.message


def test_a_note_that_is_no_failure_is_told_without_a_warning(separable):
    X, _ = separable
    model = regiht.SparseRegressor(2, options={"certify": True}).fit(X, X[:, 1])
    assert "needs ridge > 0" in model.message_


def test_files_without_messages_are_read(separable, tmp_path):
    model = regiht.SparseClassifier(1).fit(*separable)
    regiht.save_model(model, tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text())
    del content["fitted"]["message"]
    (tmp_path / "model.json").write_text(json.dumps(content))
    assert regiht.load_model(tmp_path / "model.json").message_ == model.message_
