"""``inference`` of the estimators: standard errors and intervals for the selected features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, InvalidArgumentError, Rng
from regiht._inputs.stored_rows import refuse_stored
from regiht._selection.inference import Inference
from regiht._selection.refit import Covariance, refit
from regiht._selection.subsamples import complementary_halves, fit_on, strata_of
from regiht._solving.registry import LOSSES


class InferenceMixin:
    """Standard errors and intervals, for estimators with ``support_`` and ``loss``."""

    def inference(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        level: float = 0.95,
        covariance: Literal["auto", "model", "robust"] = "auto",
        split: bool = False,
        rng: Rng = 0,
        feature_names: Sequence[str] | None = None,
    ) -> Inference:
        """Refit the selected features without a penalty, with standard errors and intervals.

        Without ``split`` the features are treated as given: the intervals are conditional on the
        selection, and too narrow if X and y were used to select. With ``split`` a copy of the model
        selects from half of the rows and the other half estimates. Those intervals are valid, for
        the best model with the features selected by the first half, which may differ from
        ``support_``.

        Parameters
        ----------
        X, y : samples and targets
            For example those of the fit, or new ones.
        sample_weight : array of shape (n_samples,), optional
            A weight of two is a row given twice.
        level : float
            The probability with which an interval should cover its coefficient.
        covariance : {"auto", "model", "robust"}
            ``"model"``: inverse information, which assumes that the model is right (for squared
            loss the usual standard errors). ``"robust"``: the sandwich HC3, valid even if features
            are missing or the noise varies. Auto: robust for Huber's loss and with ``split``,
            otherwise model.
        split : bool
            Select from half of the rows, estimate on the others.
        rng : int, numpy Generator or None
            Draws the halves (SPEC 7). None: new ones in every call.
        feature_names : list of str, optional
            Names of all columns of X; by default those of the data frame that was fitted.

        Returns
        -------
        Inference

        Examples
        --------
        >>> import numpy as np, regiht
        >>> rng = np.random.default_rng(0)
        >>> X = rng.normal(size=(200, 30))
        >>> y = 3 * X[:, 4] - 2 * X[:, 17] + rng.normal(size=200)
        >>> model = regiht.SparseRegressor(2).fit(X, y)
        >>> print(model.inference(X, y, split=True).summary())
        Valid after the selection: 100 rows selected the features, 100 others estimate them.
        2 features, 100 rows, squared loss without ridge, robust standard errors
                     coefficient  standard error         95 % interval
        (intercept)     -0.13636            0.11  -0.35531 to 0.082592
        x4               2.99115           0.111      2.7716 to 3.2107
        x17             -2.01514           0.113    -2.2391 to -1.7912
        """
        refuse_stored(X, "inference")
        level = check.check_real("level", level, least=0.0, most=1.0, strict=True)
        if level == 1.0:
            raise InvalidArgumentError("level must be below 1, or intervals have no ends.")
        kind = self._covariance_kind(covariance, split=check.check_flag("split", split))
        model: Any = self
        selecting = None
        if split:
            strata = strata_of(self, X, y)
            weights = check.check_sample_weight(sample_weight, strata.size)
            selecting, _ = complementary_halves(strata, check.check_rng(rng))
            model = fit_on(clone(self), X, y, weights, selecting)
            others = np.setdiff1d(np.arange(len(np.asarray(y))), selecting)
            X, y = _safe_indexing(X, others), _safe_indexing(y, others)
            sample_weight = None if weights is None else weights[others]
        else:
            check_is_fitted(model)
        return _infer(model, X, y, sample_weight, level, kind, selecting, feature_names)

    def _covariance_kind(self, asked: str, *, split: bool) -> Covariance:
        loss = self.loss  # type: ignore[attr-defined]
        check.check_choice("covariance", asked, ("auto", "model", "robust"))
        likelihood = LOSSES[loss].likelihood
        if likelihood == "none":
            raise InvalidArgumentError(
                f"loss={loss!r} estimates no distribution, so there are no standard errors; "
                "loss='logistic' has them."
            )
        if asked == "model" and loss == "huber":
            raise InvalidArgumentError(
                "covariance='model' is not for Huber's loss, which is used when the noise model is "
                "not trusted; use 'robust'."
            )
        if asked == "auto":
            return "robust" if split or loss == "huber" else "model"
        return "model" if asked == "model" else "robust"


def _infer(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    level: float,
    kind: Covariance,
    selecting: Any,
    feature_names: Sequence[str] | None,
) -> Inference:
    if feature_names is None:
        feature_names = getattr(model, "feature_names_in_", None)
    names = check.check_feature_names(feature_names, model.n_features_in_)
    X = validate_data(
        model, X, reset=False, accept_sparse=["csr", "csc"], dtype=[np.float64, np.float32]
    )
    target = _target(model, y, X.shape[0])
    weights = model._validated_weights(X, sample_weight)
    if model.support_.size == 0:
        raise InvalidArgumentError("the model has no selected features.")
    chosen = X[:, model.support_]
    dense = (chosen if isinstance(chosen, np.ndarray) else chosen.toarray()).astype(np.float64)
    if weights is not None:
        dense, target, weights = (each[weights > 0.0] for each in (dense, target, weights))
    found = refit(
        dense, target, weights, loss=model.loss, intercept=model.fit_intercept, covariance=kind
    )
    features = [names[j] for j in model.support_]
    return Inference(
        support=model.support_,
        names=["(intercept)", *features] if model.fit_intercept else features,
        estimates=found.estimate,
        covariance=found.covariance,
        level=level,
        degrees_of_freedom=found.degrees_of_freedom if model.loss == "squared" else np.inf,
        deviations=found.deviations,
        rows_selecting=None if selecting is None else len(selecting),
        rows_estimating=len(target),
        loss=model.loss,
        robust=kind == "robust",
    )


def _target(model: Any, y: Any, rows: int) -> FloatArray:
    """Numbers, or 1 for the second of two classes."""
    classes = getattr(model, "classes_", None)
    if classes is None:
        return check.check_target(column_or_1d(y).astype(np.float64), rows, LOSSES[model.loss])
    if classes.size > 2:
        raise InvalidArgumentError(
            f"inference takes two classes, and the model has {classes.size}: fit one of them "
            f"against the rest, as in fit(X, y == {classes[0].item()!r})."
        )
    labels = column_or_1d(y)
    unknown = np.setdiff1d(labels, classes)
    if unknown.size:
        raise InvalidArgumentError(f"y has a class '{unknown[0]}' that the model does not know.")
    return check.check_target((labels == classes[1]).astype(float), rows, LOSSES[model.loss])
