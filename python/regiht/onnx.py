"""Sparse models in the ONNX format, by way of skl2onnx.

`register` makes the estimators known to skl2onnx, so that pipelines with them can be converted;
`to_onnx` does so and converts one model. Only the selected columns are read by the result.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from regiht._solving.registry import LOSSES
from regiht.estimators import (
    SparseClassifier,
    SparseClassifierCV,
    SparseRegressor,
    SparseRegressorCV,
)

try:
    from skl2onnx import to_onnx as _to_onnx
    from skl2onnx import update_registered_converter
    from skl2onnx.algebra import onnx_ops as ops
    from skl2onnx.common.data_types import (
        Int64TensorType,
        StringTensorType,
        guess_numpy_type,
        guess_tensor_type,
    )
except ImportError as error:
    raise ImportError(
        'regiht.onnx needs skl2onnx: pip install "regiht[onnx]". '
        "See the page “Deployment: JSON and ONNX”."
    ) from error

__all__ = ["register", "to_onnx"]


def register() -> None:
    """Register the estimators with skl2onnx; may be called any number of times.

    See Also
    --------
    to_onnx : Registers and converts.

    Examples
    --------
    >>> from regiht import onnx
    >>> onnx.register()
    """
    for kind in (SparseRegressor, SparseRegressorCV):
        update_registered_converter(
            kind, f"Regiht{kind.__name__}", _set_regressor_shapes, _convert_regressor,
        )  # fmt: skip
    for classifier in (SparseClassifier, SparseClassifierCV):
        update_registered_converter(
            classifier, f"Regiht{classifier.__name__}", _set_classifier_shapes,
            _convert_classifier, options={"zipmap": [True, False, "columns"], "nocl": [False]},
        )  # fmt: skip


def to_onnx(model: Any, X: Any, **options: Any) -> Any:
    """Convert a fitted model, or a pipeline that ends in one, to ONNX.

    Parameters
    ----------
    model : fitted estimator
    X : array or data frame
        One or more rows of the kind of input that the result will take: float32 or float64. For a
        data frame the result has one input per column with the same name, except for characters
        that ONNX does not allow in names.
    **options
        Passed on to `skl2onnx.to_onnx`.

    Returns
    -------
    onnx.ModelProto

    Raises
    ------
    RuntimeError
        From skl2onnx, if a step of a pipeline has no converter.

    See Also
    --------
    register : For calling skl2onnx yourself.
    regiht.save_model : Writes a file that this package reads.

    Examples
    --------
    >>> import numpy as np, regiht
    >>> from regiht.onnx import to_onnx
    >>> X = np.random.default_rng(0).normal(size=(50, 5)).astype(np.float32)
    >>> model = regiht.SparseRegressor(1).fit(X, 3 * X[:, 4])
    >>> [each.name for each in to_onnx(model, X).graph.output]
    ['variable']
    """
    register()
    if hasattr(model, "classes_"):
        options.setdefault("options", {"zipmap": False})
    return _to_onnx(model, X[:1], **options)


def _scores(operator: Any, container: Any) -> tuple[Any, dict[str, Any]]:
    """Linear predictors of the rows, one column for each target."""
    model = operator.raw_operator
    version = {"op_version": container.target_opset}
    dtypes = {guess_numpy_type(each.type) for each in operator.inputs}
    dtype = np.float64 if dtypes == {np.float64} else np.float32
    to = 11 if dtype == np.float64 else 1
    X = [ops.OnnxCast(each, to=to, **version) for each in operator.inputs]
    # No selected column at all is a product with zeros; runtimes dislike empty ones.
    support = model.support_ if model.support_.size else np.array([0])
    coef = np.atleast_2d(model.coef_)[:, support].T.astype(dtype)
    constant = np.atleast_1d(model.intercept_).astype(dtype)
    # One input for each column of a data frame.
    whole = X[0] if len(X) == 1 else ops.OnnxConcat(*X, axis=1, **version)
    chosen = ops.OnnxGather(whole, support.astype(np.int64), axis=1, **version)
    return ops.OnnxAdd(ops.OnnxMatMul(chosen, coef, **version), constant, **version), version


def _set_regressor_shapes(operator: Any) -> None:
    rows = operator.inputs[0].type.shape[0]
    operator.outputs[0].type = guess_tensor_type(operator.inputs[0].type)
    operator.outputs[0].type.shape = [rows, np.size(operator.raw_operator.intercept_)]


def _set_classifier_shapes(operator: Any) -> None:
    classes = operator.raw_operator.classes_
    rows = operator.inputs[0].type.shape[0]
    kind = Int64TensorType if classes.dtype.kind in "biu" else StringTensorType
    operator.outputs[0].type = kind([rows])
    operator.outputs[1].type = guess_tensor_type(operator.inputs[0].type)
    operator.outputs[1].type.shape = [rows, len(classes)]


def _convert_regressor(scope: Any, operator: Any, container: Any) -> None:
    scores, version = _scores(operator, container)
    has_log_link = LOSSES[operator.raw_operator.loss].link == "log"
    kind = ops.OnnxExp if has_log_link else ops.OnnxIdentity
    kind(scores, **version, output_names=operator.outputs).add_to(scope, container)


def _convert_classifier(scope: Any, operator: Any, container: Any) -> None:
    model = operator.raw_operator
    scores, version = _scores(operator, container)
    if len(model.classes_) == 2:
        scores = ops.OnnxConcat(ops.OnnxNeg(scores, **version), scores, axis=1, **version)
    chosen = ops.OnnxArgMax(scores, axis=1, keepdims=0, **version)
    classes = model.classes_
    classes = classes.astype(np.int64 if classes.dtype.kind in "biu" else str)
    labels, probabilities = operator.outputs
    label = ops.OnnxArrayFeatureExtractor(classes, chosen, **version)
    ops.OnnxReshape(label, np.array([-1], dtype=np.int64), **version, output_names=[labels]).add_to(
        scope, container
    )
    if LOSSES[model.loss].link == "logit":
        scores = ops.OnnxSigmoid(scores, **version)
        if len(model.classes_) > 2:
            scores = ops.OnnxLpNormalization(scores, axis=1, p=1, **version)
    ops.OnnxIdentity(scores, **version, output_names=[probabilities]).add_to(scope, container)


__all__ = ["register", "to_onnx"]
