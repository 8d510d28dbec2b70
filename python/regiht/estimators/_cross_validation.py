"""Choosing the number of features by cross-validation."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Any, Literal, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch, _safe_indexing
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    _raise_for_params,
    _routing_enabled,
    process_routing,
)

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray
from regiht._inputs.stored_rows import StoredRows
from regiht._solving.nested import is_nested
from regiht._solving.options import Options
from regiht._solving.prepared_model import PreparedModel
from regiht._solving.progress import ProgressBar
from regiht._solving.result import Result
from regiht._solving.shared_time import SharedTime
from regiht.estimators._base import SparseLinearModel
from regiht.estimators._callbacks import Task, begin_fit
from regiht.estimators._default_grid import default_grid
from regiht.estimators._folds import Fold, FoldFits, Path
from regiht.estimators._parameters import CrossValidationParameters

RULES = ("one-standard-error", "best")

# So many single fits have the effort of all the fits of a fold: its scores are noisy as it is.
FITS_OF_A_FOLD = 2

NO_FEATURES = "By cross-validation no number of features predicts better than none."

# Rows to fit and rows to score.
Splits = Sequence[tuple[NDArray[Any], NDArray[Any]]]


class CrossValidated(CrossValidationParameters, SparseLinearModel):
    """Mixes cross-validation over n_nonzero_coefs into a sparse linear model."""

    def _fit_cross_validated(
        self,
        X: Any,
        y: NDArray[Any],
        targets: FloatArray,
        sample_weight: FloatArray | None,
        params: dict[str, Any],
        *,
        score_weight: FloatArray | None,
    ) -> Self:
        """Choose by scores, which may be weighted otherwise than the fits, and fit to all."""
        check.check_choice("rule", self.rule, RULES)
        options = self._options(X.shape[1])
        routed = self._routed(score_weight, params)
        splitter = check_cv(self.cv, y, classifier=is_classifier(self))
        folds = list(splitter.split(X, y, **routed.splitter.split))
        task = begin_fit(self, len(folds) + 1, X, y, sample_weight)
        shared_time = self._score_folds(
            X, y, targets, sample_weight, folds, routed.scorer.score, options, task
        )
        self._choose()
        problem = self._prepared(X, sample_weight, options, progress=self._shows_progress())
        problem = problem.within(shared_time.next())
        refit = task.part("refit", self._parts(targets))
        self._fit_problem(problem, targets, self.n_nonzero_coefs_, refit)
        task.end(self._fitted)
        return self

    def _grid(self, usual: Callable[[], Sequence[int]], largest: int) -> check.IndexArray:
        """Ascending sparsities without repetition, none beyond the number of columns or groups."""
        asked = self.n_nonzero_coefs
        if asked is None:
            asked = usual()
        elif np.ndim(asked) == 0:
            most = check.check_integer("n_nonzero_coefs", asked, 1)
            asked = range(1, most + 1)
        elif self._tries_none():
            asked = [s for s in asked if s != 0]
        listed = [check.check_integer("n_nonzero_coefs", s, 1) for s in asked]
        if not listed:
            raise check.InvalidArgumentError("n_nonzero_coefs must not be an empty list.")
        return np.unique(np.minimum(listed, largest))

    def _tries_none(self) -> bool:
        """Whether a model of no features is among those to choose from.

        Where numbers are listed, 0 must be one of several; kept features are always in.
        """
        asked = self.n_nonzero_coefs
        if asked is None or np.ndim(asked) == 0:
            return self.keep is None
        return len(asked) > 1 and any(s == 0 for s in asked)

    def _score_folds(
        self,
        X: Any,
        y: NDArray[Any],
        targets: FloatArray,
        sample_weight: FloatArray | None,
        folds: Splits,
        score_params: dict[str, Any],
        options: Options,
        task: Task,
    ) -> SharedTime:
        """Fit every s on the rows of every fold, in threads, and score each on the others.

        Returns what is left of the time for the fit to all rows.
        """
        if getattr(X, "format", None) == "csc":
            X = X.tocsr()  # rows are taken out of it again and again
        self.n_nonzero_coefs_grid_ = self._grid(
            lambda: default_grid(X, sample_weight, (train for train, _ in folds)),
            check.count_groups(options.groups, np.arange(X.shape[1])),
        )
        sparsities = [0] * self._tries_none() + self.n_nonzero_coefs_grid_.tolist()
        parts = [sparsities] if is_nested(options) else [[s] for s in sparsities]
        n_jobs = effective_n_jobs(self.n_jobs)
        in_fold = replace(
            options.shared(FITS_OF_A_FOLD, len(sparsities)),
            n_threads=max(1, n_jobs // (len(folds) * len(parts))),
        )
        # The fit to all rows, at the end, has all threads to itself.
        shared_time = SharedTime(options.time_limit, len(folds) * len(parts) + n_jobs, n_jobs)
        scores = np.empty((len(folds), len(sparsities)))
        self.fold_supports_: list[list[check.IndexArray]] = []
        fitted: list[Result] = []

        with (
            ProgressBar(scores.size, shown=self._shows_progress()) as bar,
            FoldFits(parts, n_jobs) as fits,
        ):

            def prepared(train: NDArray[Any]) -> PreparedModel:
                if isinstance(X, StoredRows):
                    masked = X.weights_of(train, sample_weight)
                    return self._prepared(X, masked, in_fold, progress=fits.watch)
                weights = None if sample_weight is None else sample_weight[train]
                return self._prepared(X[train], weights, in_fold, progress=fits.watch)

            def fitted_targets(train: NDArray[Any]) -> FloatArray:
                if isinstance(X, StoredRows):
                    return targets
                return np.ascontiguousarray(targets[:, train])

            paths = fits.run(
                [
                    Fold(partial(prepared, train), fitted_targets(train), shared_time)
                    for train, _ in folds
                ],
                lambda done: bar.update and bar.update(done, np.nan),
            )
            for number, (train, test) in enumerate(folds):
                part = task.part("fold", X=partial(_rows_of, X, train), y=y[train])
                path = next(paths)
                held_out = {name: _safe_indexing(v, test) for name, v in score_params.items()}
                refuse_weightless(held_out.get("sample_weight"), number)
                scores[number] = self._scores(path, X[test], y[test], held_out)
                refuse_undefined(scores[number], sparsities, number, y[test].size)
                fitted += [result for results in path for result in results]
                supports = [
                    np.unique(np.concatenate([r.support for r in results])) for results in path
                ]
                self.fold_supports_.append(supports[sparsities.count(0) :])
                part.end()
        self._keep_scores(scores)
        self._warn_of_time(fitted, "cross-validation", stacklevel=4)
        return shared_time

    def _scores(self, path: Path, X: Any, y: NDArray[Any], params: dict[str, Any]) -> list[float]:
        """Scores of all models of a fold on the rows that it held out."""
        scorer = self._scorer()
        # Rows are without names here, and predict would miss them.
        fitted = copy.copy(self)
        fitted.__dict__.pop("feature_names_in_", None)
        scores = []
        for results in path:
            fitted._take(results)
            scores.append(float(scorer(fitted, X, y, **params)))
        return scores

    def _keep_scores(self, scores: FloatArray) -> None:
        """Set the scores of the numbers tried, and of no features; not all scores have that one."""
        self.__dict__.pop("null_scores_", None)
        if self._tries_none():
            if np.isfinite(scores[:, 0]).all():
                self.null_scores_ = scores[:, 0]
            scores = scores[:, 1:]
        self.scores_ = scores

    def _choose(self) -> None:
        """Set the number of features by the rule, and what it is based on."""
        self.mean_scores_ = self.scores_.mean(axis=0)
        self.standard_errors_ = standard_errors(self.scores_)
        tried, means, errors = self.n_nonzero_coefs_grid_, self.mean_scores_, self.standard_errors_
        if hasattr(self, "null_scores_"):
            tried = np.concatenate([[0], tried])
            means = np.concatenate([[self.null_scores_.mean()], means])
            errors = np.concatenate([standard_errors(self.null_scores_[:, None]), errors])
        best = int(np.argmax(means))
        least = means[best]
        if self.rule == "one-standard-error":
            least = least - errors[best]
        chosen = int(np.argmax(means >= least))
        self.n_nonzero_coefs_ = int(tried[chosen])
        self.best_score_ = float(means[chosen])

    def _transform(self, X: Any) -> Any:
        """Select columns; none, if that was the choice, is no reason for scikit-learn's warning."""
        if self.n_nonzero_coefs_ > 0:
            return super()._transform(X)
        return X.iloc[:, :0] if hasattr(X, "iloc") else X[:, :0]

    def _take(self, results: Sequence[Result]) -> None:
        super()._take(results)
        if self.__dict__.get("n_nonzero_coefs_") == 0:
            self.message_ = NO_FEATURES

    def _routed(self, sample_weight: FloatArray | None, params: dict[str, Any]) -> Any:
        _raise_for_params(params, self, "fit")
        if _routing_enabled():
            given = params if sample_weight is None else {"sample_weight": sample_weight, **params}
            return process_routing(self, "fit", **given)
        weighted = sample_weight is not None and _takes_weights(self._scorer())
        score = {"sample_weight": sample_weight} if weighted else {}
        return Bunch(splitter=Bunch(split={}), scorer=Bunch(score=score))

    def get_metadata_routing(self) -> Any:
        """Say which metadata goes to the fit, to the splitter and to the scorer."""
        mapping = MethodMapping().add(caller="fit", callee="split")
        scoring = MethodMapping().add(caller="fit", callee="score")
        router = MetadataRouter(owner=self).add_self_request(self)
        router.add(splitter=check_cv(self.cv), method_mapping=mapping)
        return router.add(scorer=self._scorer(), method_mapping=scoring)

    def _scorer(self) -> Any:
        """The scorer asked for, or one that says what `score` does, whose routing leads here."""
        own = "accuracy" if is_classifier(self) else "r2"
        return check_scoring(self, scoring=self.scoring or own)

    def plot(
        self,
        ax: Any = None,
        *,
        what: Literal["scores", "coefficients"] = "scores",
        X: Any = None,
        feature_names: Sequence[str] | None = None,
    ) -> Any:
        """Plot the scores over the number of features, or the coefficients; needs matplotlib.

        X and the names are used for the coefficients, as in estimators without cross-validation.
        """
        from regiht.plotting import plot_cross_validation  # noqa: PLC0415  (optional)

        if check.check_choice("what", what, ("scores", "coefficients")) == "coefficients":
            return super().plot(ax, X=X, feature_names=feature_names)
        return plot_cross_validation(self, ax=ax)


def _rows_of(X: Any, rows: NDArray[Any]) -> Any:
    return X[rows] if isinstance(X, StoredRows) else _safe_indexing(X, rows)


def standard_errors(scores: FloatArray) -> FloatArray:
    """Of the mean score of each number, from one row for each fold."""
    if len(scores) < 2:
        return np.zeros(scores.shape[1])
    # Of equal scores it is zero, which the rounding of their mean would hide.
    errors: FloatArray = (scores - scores[0]).std(axis=0, ddof=1) / np.sqrt(len(scores))
    return errors


def refuse_undefined(scores: FloatArray, tried: Sequence[int], fold: int, rows: int) -> None:
    """Refuse scores that cannot be compared; no number of features is the best of them.

    A score may be undefined for a model of no features, which predicts the same for all.
    """
    bad = [s for s, score in zip(tried, scores, strict=True) if s and not np.isfinite(score)]
    if not bad:
        return
    raise check.InvalidArgumentError(
        f"fold {fold + 1}, which holds out {rows} row{'s' * (rows > 1)}, has the score "
        f"{scores[list(tried).index(bad[0])]} for {bad[0]} features. Use folds that hold out "
        "more, or a score that is defined for them: R², for one, needs two rows, "
        "'neg_mean_squared_error' needs one."
    )


def _takes_weights(scorer: Any) -> bool:
    """Whether a scorer, or the metric that it is made of, has an argument for them."""
    return "sample_weight" in signature(getattr(scorer, "_score_func", scorer)).parameters


def refuse_weightless(weights: FloatArray | None, fold: int) -> None:
    """Refuse a fold that has nothing to score."""
    if weights is not None and not np.any(weights):
        raise check.InvalidArgumentError(
            f"fold {fold + 1} holds out only rows whose sample_weight is 0, so it has no score; "
            "leave these rows out, or shuffle the folds."
        )
