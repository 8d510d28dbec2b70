"""Probabilities of classes from the scores of linear models."""

from __future__ import annotations

import numpy as np

from regiht._inputs.checks import FloatArray


def log_probabilities(scores: FloatArray) -> FloatArray:
    """Logarithms of the probabilities, a column for each class.

    ``scores`` has one column for two classes, else one for each: one against the rest, scaled to a
    sum of one.
    """
    if scores.shape[1] == 1:
        scores = np.hstack([-scores, scores])
    logs: FloatArray = -np.logaddexp(0.0, -scores)
    if scores.shape[1] > 2:
        logs = logs - np.logaddexp.reduce(logs, axis=1, keepdims=True)
    return logs
