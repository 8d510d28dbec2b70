"""Coefficients of given features without any penalty, and their covariance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from regiht._inputs.checks import FloatArray, InvalidArgumentError
from regiht._solving.registry import LossName
from regiht._solving.solve import solve
from regiht.reference.losses import LOSSES as LOSS_FUNCTIONS

Covariance = Literal["model", "robust"]

# A row of full leverage is fitted exactly, and adds nothing.
_LEAST_SLACK = 1e-8

# Coefficients that ought to be infinite end where the loss is flat: at e⁻²⁰ of its curvature or
# less.
_LEAST_CURVATURE = 1e-9


@dataclass(frozen=True)
class Refit:
    """An estimate, the intercept first if there is one, in the scale of the columns."""

    estimate: FloatArray
    covariance: FloatArray
    deviations: FloatArray
    samples: float

    @property
    def degrees_of_freedom(self) -> float:
        """What n samples leave beside the parameters."""
        return self.samples - self.estimate.size


def refit(
    X: FloatArray,
    y: FloatArray,
    weights: FloatArray | None,
    *,
    loss: LossName,
    intercept: bool,
    covariance: Covariance,
) -> Refit:
    """Estimate the coefficients of all columns of X; a weight of two is a row given twice."""
    counts = np.ones(len(y)) if weights is None else weights
    samples = float(counts.sum())
    if samples <= X.shape[1] + intercept:
        raise InvalidArgumentError(
            f"{samples:g} samples are too few for standard errors of {X.shape[1]} coefficients"
            f"{' and an intercept' if intercept else ''}."
        )
    means = counts @ X / samples
    deviations = np.sqrt(counts @ (X - means) ** 2 / samples)
    center = means if intercept else np.zeros_like(means)
    scale = np.where(deviations > 0.0, deviations, 1.0)
    Z = (X - center) / scale
    found = solve(
        Z, y, X.shape[1], loss=loss, method="omp", keep=np.arange(X.shape[1]),
        intercept=intercept, sample_weight=weights, max_iter="auto",
    )  # fmt: skip
    prediction = Z @ found.coef + found.intercept
    A = np.column_stack([np.ones(len(y)), Z]) if intercept else Z
    spread = _covariance(A, prediction, y, counts, loss, covariance)
    back = _to_columns(center, scale, intercept)
    estimate = np.r_[found.intercept, found.coef] if intercept else found.coef
    return Refit(back @ estimate, back @ spread @ back.T, deviations, samples)


def _covariance(
    A: FloatArray,
    prediction: FloatArray,
    y: FloatArray,
    counts: FloatArray,
    loss: str,
    kind: Covariance,
) -> FloatArray:
    """Inverse information, or the sandwich that stays valid if the model is wrong (HC3)."""
    functions = LOSS_FUNCTIONS[loss]
    slopes = functions.derivative(prediction, y)
    curvatures = functions.curvature(prediction, y)
    inverse = _inverse_information(A, counts, curvatures, min(functions.max_curvature, 1.0))
    if kind == "model":
        # Of these losses only the squared one leaves the variance of the noise open.
        noise = counts @ slopes**2 / (counts.sum() - A.shape[1]) if loss == "squared" else 1.0
        return noise * inverse
    leverages = curvatures * np.einsum("ij,jk,ik->i", A, inverse, A)
    enlarged = slopes / np.maximum(1.0 - leverages, _LEAST_SLACK)
    meat = A.T @ ((counts * enlarged**2)[:, None] * A)
    sandwich: FloatArray = inverse @ meat @ inverse
    return sandwich


def _inverse_information(
    A: FloatArray, counts: FloatArray, curvatures: FloatArray, usual: float
) -> FloatArray:
    """Inverse of the second derivatives, which some direction may be without."""
    values, vectors = np.linalg.eigh(A.T @ (counts[:, None] * A))
    if values[0] <= len(values) * np.finfo(float).eps * values[-1]:
        raise InvalidArgumentError(
            "on these rows the selected features are linearly dependent or constant, so their "
            "coefficients are not unique: there are no standard errors."
        )
    # In these coordinates all directions have length one, and the eigenvalues are mean curvatures.
    white = vectors / np.sqrt(values)
    B = A @ white
    curved, turned = np.linalg.eigh(B.T @ ((counts * curvatures)[:, None] * B))
    if curved[0] <= _LEAST_CURVATURE * max(curved[-1], usual):
        raise InvalidArgumentError(
            "the selected features have no finite coefficients on these rows, as with classes that "
            "they separate without error: there are no standard errors."
        )
    back = white @ turned
    inverse: FloatArray = (back / curved) @ back.T
    return inverse


def _to_columns(center: FloatArray, scale: FloatArray, intercept: bool) -> FloatArray:
    """Matrix that leads from coefficients of (x − center)/scale to those of x."""
    if not intercept:
        return np.diag(1.0 / scale)
    back = np.diag(np.r_[1.0, 1.0 / scale])
    back[0, 1:] = -center / scale
    return back
