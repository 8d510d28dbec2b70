"""The small real data that every installation has, or gets with scikit-learn."""

from __future__ import annotations

import doctest
import sys

import numpy as np
import pytest

from regiht import cli, datasets
from regiht.cli import _console, _real_data
from regiht.datasets import real


def test_patients_have_their_measurements_squares_and_products():
    sklearn_datasets = pytest.importorskip("sklearn.datasets")
    problem = datasets.load_diabetes()
    raw = sklearn_datasets.load_diabetes(scaled=False)
    assert problem.X.shape == (442, 64)
    np.testing.assert_array_equal(problem.X[:, :10], raw.data)
    np.testing.assert_array_equal(problem.y, raw.target)
    names = problem.feature_names
    assert len(set(names)) == 64
    assert "sex²" not in names
    standard = (raw.data - raw.data.mean(axis=0)) / raw.data.std(axis=0)
    column = problem.X[:, names.index("body mass index × blood pressure")]
    np.testing.assert_allclose(column, standard[:, 2] * standard[:, 3], rtol=1e-12)
    np.testing.assert_allclose(problem.X[:, names.index("age²")], standard[:, 0] ** 2, rtol=1e-12)
    plain = datasets.load_diabetes(products=False)
    assert plain.feature_names == names[:10]
    np.testing.assert_array_equal(plain.X, raw.data)


def test_words_of_docstrings_are_counted():
    problem = datasets.load_docstrings()
    stats = pytest.importorskip("scipy.stats")
    assert problem.X.shape == (problem.y.size, len(problem.feature_names))
    assert set(problem.y.tolist()) == {0.0, 1.0}
    assert (problem.X > 0).sum(axis=0).min() >= 5
    assert not {"scipy", "stats"} & set(problem.feature_names)
    # A function by its place: those of scipy.stats come first, by name.
    names = [name for name in sorted(stats.__all__) if type(getattr(stats, name)) is type(cli.main)]
    text = stats.pearsonr.__doc__.split("Examples\n")[0].lower()
    row = problem.X[[names.index("pearsonr")]].toarray()[0]
    count = row[problem.feature_names.index("correlation")]
    assert 0 < count <= text.count("correlation")


def test_a_few_words_tell_the_texts_apart():
    reading = _real_data.read_texts()
    assert len(reading.words) == 8
    assert reading.accuracy > 0.8  # one half by chance


def test_the_demonstration_without_scikit_learn_says_what_it_leaves_out(capsys, monkeypatch):
    for name in [*sys.modules, "sklearn"]:
        if name.split(".")[0] == "sklearn":
            monkeypatch.setitem(sys.modules, name, None)
    with _console.Steps(total=2) as steps:
        _real_data.show_real_data(steps)
    said = capsys.readouterr().out
    assert (
        '1. No table of patients: load_diabetes needs scikit-learn: pip install "regiht[sklearn]"'
        in said
    )
    assert "2. Real texts" in said


def test_the_examples_of_the_docstrings_run():
    pytest.importorskip("sklearn")
    outcome = doctest.testmod(real)
    assert outcome.attempted > 0
    assert outcome.failed == 0
