"""Cross-validation on blocks is that of the whole matrix with the same folds."""

from __future__ import annotations

import numpy as np
import pytest

import regiht
import regiht.distributed

pytest.importorskip("sklearn", minversion="1.6")
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit

from regiht import SparseClassifierCV, SparseRegressorCV
from regiht.distributed.held_out import CLASSIFICATION_SCORES, REGRESSION_SCORES

CLOSE = {"rtol": 1e-8, "atol": 1e-8}


def assert_same(blocks, whole):
    np.testing.assert_array_equal(blocks.n_nonzero_coefs_grid_, whole.n_nonzero_coefs_grid_)
    for one, other in zip(blocks.fold_supports_, whole.fold_supports_, strict=True):
        assert [each.tolist() for each in one] == [each.tolist() for each in other]
    for name in ("scores_", "mean_scores_", "standard_errors_", "best_score_", "coef_",
                 "intercept_"):  # fmt: skip
        np.testing.assert_allclose(getattr(blocks, name), getattr(whole, name), **CLOSE)
    assert hasattr(blocks, "null_scores_") == hasattr(whole, "null_scores_")
    if hasattr(whole, "null_scores_"):
        np.testing.assert_allclose(blocks.null_scores_, whole.null_scores_, **CLOSE)
    assert blocks.n_nonzero_coefs_ == whole.n_nonzero_coefs_
    assert blocks.support_.tolist() == whole.support_.tolist()


def fit_both(make_model, cut, X, y, weights=None):
    blocks = regiht.distributed.fit(
        make_model(), cut(X), cut(y), None if weights is None else cut(weights)
    )
    return blocks, make_model().fit(X, y, weights)


REGRESSORS = {
    "one s at a time": lambda: SparseRegressorCV([0, 1, 2, 4], cv=3),
    "nested": lambda: SparseRegressorCV(5, cv=3, method="omp"),
    "shuffled": lambda: SparseRegressorCV(4, cv=KFold(3, shuffle=True, random_state=0)),
    "rows left out": lambda: SparseRegressorCV([2, 4], cv=ShuffleSplit(2, random_state=0)),
    "huber": lambda: SparseRegressorCV(
        [2, 4], cv=2, loss="huber", huber_threshold=0.7, method="omp"
    ),
    "kept": lambda: SparseRegressorCV([3, 4], cv=2, keep=[20, 21], exclude=[2], rule="best"),
    "grouped columns": lambda: SparseRegressorCV(3, cv=2, groups=np.arange(40) // 2),
    "default numbers": lambda: SparseRegressorCV(cv=2, method="omp"),
}


@pytest.mark.parametrize("kind", REGRESSORS)
def test_a_regressor_chooses_as_on_the_whole_matrix(make, cut, kind):
    X, y = make("squared", is_sparse=kind == "shuffled")
    assert_same(*fit_both(REGRESSORS[kind], cut, X, y))


@pytest.mark.parametrize("options", [{}, {"class_weight": "balanced"}], ids=["plain", "balanced"])
def test_a_classifier_chooses_as_on_the_whole_matrix(make, cut, options):
    X, y = make("logistic")
    labels = np.where(y > 0, "yes", "no")

    def model():
        return SparseClassifierCV([1, 2, 4], cv=3, method="omp", ridge=0.1, **options)

    assert_same(*fit_both(model, cut, X, labels))


def test_several_classes_share_their_number_of_features(make, cut):
    X, y = make("squared")
    assert_same(
        *fit_both(
            lambda: SparseClassifierCV([1, 3], cv=2, method="omp", ridge=0.1),
            cut, X, np.digitize(y, [-1.0, 1.0]),
        )
    )  # fmt: skip


def test_several_targets_share_their_number_of_features(make, cut):
    X, y = make("squared")
    noise = np.random.default_rng(1).normal(size=len(y))
    both = np.stack([y, 3 * X[:, 3] + X[:, 5] + noise], axis=1)
    assert_same(*fit_both(lambda: SparseRegressorCV(3, cv=3, effort="quick"), cut, X, both))


def test_counts_are_scored_by_what_is_expected(make, cut):
    X, y = make("poisson")
    options = {"cv": 2, "loss": "poisson", "method": "omp", "ridge": 0.1}
    assert_same(*fit_both(lambda: SparseRegressorCV([1, 3], **options), cut, X, y))


@pytest.mark.parametrize("kind", [SparseRegressorCV, SparseClassifierCV])
def test_sample_weights_count_in_fits_and_in_scores(make, cut, kind):
    X, y = make("logistic")
    weights = np.random.default_rng(1).uniform(0, 2, len(y))
    weights[100:101] = 0.0  # all of a block
    assert_same(*fit_both(lambda: kind([2, 4], cv=3, method="omp", ridge=0.1), cut, X, y, weights))


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("scoring", [*REGRESSION_SCORES, *CLASSIFICATION_SCORES])
def test_scores_are_those_of_scikit_learn(make, cut, scoring, weighted):
    options = {"cv": 2, "method": "omp", "ridge": 0.1, "scoring": scoring}
    if scoring in CLASSIFICATION_SCORES:
        X, y = make("squared")
        kind, y = SparseClassifierCV, np.array(["low", "high", "mid"])[np.digitize(y, [-3.0, 3.0])]
    elif scoring == "neg_mean_poisson_deviance":
        (X, y), kind, options["loss"] = make("poisson"), SparseRegressorCV, "poisson"
    else:
        X, y = make("squared")
        kind, y = SparseRegressorCV, np.stack([y, 3 * X[:, 3] - y], axis=1)
    weights = np.random.default_rng(1).uniform(0, 2, len(y)) if weighted else None
    assert_same(*fit_both(lambda: kind([0, 1, 3], **options), cut, X, y, weights))


@pytest.mark.parametrize("scoring", CLASSIFICATION_SCORES)
def test_two_classes_are_scored_as_on_the_whole_matrix(make, cut, scoring):
    X, y = make("logistic")

    def model():
        return SparseClassifierCV([0, 2], cv=2, method="omp", ridge=0.01, scoring=scoring)

    assert_same(*fit_both(model, cut, 50 * X, y))  # probabilities near 0 and 1


@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
def test_a_class_that_a_fold_does_not_hold_out_is_not_in_its_balanced_accuracy(make, cut):
    X, y = make("squared")
    labels = np.digitize(y, [-3.0, 3.0])
    test = np.flatnonzero(labels[:200] < 2)
    folds = [(np.arange(200, 500), test)]

    def model():
        return SparseClassifierCV([2], cv=folds, method="omp", scoring="balanced_accuracy")

    assert_same(*fit_both(model, cut, X, labels))


def test_rows_that_a_fold_repeats_count_twice(make, cut):
    X, y = make("squared")
    rng = np.random.default_rng(0)
    folds = [(rng.integers(0, 300, 300), np.arange(300, 500)) for _ in range(2)]
    assert_same(*fit_both(lambda: SparseRegressorCV([2, 4], cv=folds, method="omp"), cut, X, y))


def test_no_features_are_chosen_where_none_predicts(cut):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(500, 8)), rng.normal(size=500)
    blocks, whole = fit_both(lambda: SparseRegressorCV(3, cv=3), cut, X, y)
    assert_same(blocks, whole)
    assert blocks.n_nonzero_coefs_ == 0
    assert blocks.message_ == whole.message_


def test_the_folds_do_not_depend_on_the_blocks(make, cut):
    X, y = make("squared")
    models = [
        regiht.distributed.fit(SparseRegressorCV([2, 3], cv=2), cut(X, bounds), cut(y, bounds))
        for bounds in ((0, 500), (0, 0, 7, 7, 333, 500))
    ]
    assert_same(*models)


def test_folds_copy_no_block(make, cut, monkeypatch):
    X, y = make("squared")
    parts = [regiht.Design(np.asfortranarray(each)) for each in cut(X)]
    made = []
    original = regiht.Design.__init__
    monkeypatch.setattr(
        regiht.Design, "__init__", lambda *args, **more: made.append(1) or original(*args, **more)
    )
    regiht.distributed.fit(SparseRegressorCV([3], cv=2), parts, cut(y))
    assert not made


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            SparseRegressorCV(3, scoring="max_error"),
            "None or one of 'r2', 'neg_mean_squared_",
        ),
        (
            SparseClassifierCV(3, scoring="roc_auc"),
            "None or one of 'accuracy', 'balanced.*auc'",
        ),
        (SparseClassifierCV(3, scoring="r2"), "scoring must be None or one of 'accuracy'"),
        (SparseRegressorCV(3, scoring=max), "scoring must be None or one of 'r2'"),
        (SparseRegressorCV(3, scoring="neg_mean_poisson_deviance"), "and loss='squared' scoring"),
        (
            SparseClassifierCV(3, loss="squared-hinge", scoring="neg_log_loss"),
            "'balanced_accuracy'; got 'neg_log_loss'",
        ),
        (SparseRegressorCV(3, rule="worst"), "rule must be one of"),
        (SparseRegressorCV([2], cv=KFold(500), method="omp"), "fold 1, which holds out 1 row,"),
    ],
)
def test_what_cannot_be_scored_on_blocks_is_refused(make, cut, model, message):
    X, y = make("logistic")
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.distributed.fit(model, cut(X), cut(y))


def test_a_fold_without_weight_is_refused(make, cut):
    X, y = make("squared")
    weights = np.ones(len(y))
    weights[:250] = 0.0
    with pytest.raises(regiht.InvalidArgumentError, match="fold 1 holds out only rows whose"):
        regiht.distributed.fit(
            SparseRegressorCV([2], cv=[(np.arange(250, 500), np.arange(250))]), cut(X), cut(y),
            cut(weights),
        )  # fmt: skip


def test_time_is_shared_by_all_folds(make, cut):
    from sklearn.exceptions import ConvergenceWarning  # noqa: PLC0415

    X, y = make("logistic")
    model = SparseClassifierCV(
        [1, 2], cv=2, method="regiht", max_iter=10**8, time_limit=0.3, options={"step": 1e-6}
    )
    with pytest.warns(ConvergenceWarning, match="time_limit=0.3 ended") as warned:
        regiht.distributed.fit(model, cut(X), cut(y))
    assert len(warned) == 2  # of cross-validation, and of the fit to all rows
    assert model.status_ == "time_limit"


def test_groups_of_rows_are_routed_to_the_splitter(make):
    sklearn = pytest.importorskip("sklearn")
    da = pytest.importorskip("dask.array")
    X, y = make("squared")
    groups = np.arange(len(y)) % 7
    with sklearn.config_context(enable_metadata_routing=True):
        models = [
            SparseRegressorCV([2, 4], cv=GroupKFold(3)).fit(*data, groups=groups)
            for data in ((da.from_array(X, chunks=(150, 7)), da.from_array(y, chunks=99)), (X, y))
        ]
    assert_same(*models)


def test_it_has_the_same_bits_on_workers(make, client):
    da = pytest.importorskip("dask.array")
    X, y = make("logistic")
    collections = da.from_array(X, chunks=(150, -1)), da.from_array(y, chunks=150)
    cut = [X[k : k + 150] for k in range(0, 500, 150)], [y[k : k + 150] for k in range(0, 500, 150)]
    options = {"cv": 2, "method": "omp", "ridge": 0.1, "scoring": "neg_log_loss"}
    here = regiht.distributed.fit(SparseClassifierCV([1, 3], **options), *cut)
    there = SparseClassifierCV([1, 3], **options).fit(*collections)
    assert client.nthreads()
    assert there.coef_.tobytes() == here.coef_.tobytes()
    assert there.scores_.tobytes() == here.scores_.tobytes()
    assert there.communication_ == here.communication_
    assert_same(there, SparseClassifierCV([1, 3], **options).fit(X, y))
