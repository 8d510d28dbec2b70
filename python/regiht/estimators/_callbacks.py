"""scikit-learn's callbacks: what a fit tells them, and how they end it.

The protocol is new in scikit-learn 1.9. With an older one nothing is told, and estimators have no
``set_callbacks``. The tasks are: ``fit``, below it the iterations of the solver; with several
classes ``class``, below each its iterations; with cross-validation ``fold`` for every fold, then
``refit`` with its iterations.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from regiht._core import Iteration
from regiht._inputs.checks import FloatArray
from regiht._solving.prepared_model import PreparedModel

try:
    from sklearn import callback as _protocol
except ImportError:
    _protocol = None


Fit = TypeVar("Fit", bound=Callable[..., Any])


def with_callbacks(fit: Fit) -> Fit:
    """Decorate a fit, so that callbacks are let go at its end, however it ends."""
    decorated: Fit = _protocol.with_callbacks(fit) if _protocol else fit
    return decorated


class Task:
    """A part of a fit that callbacks hear of; without callbacks it does nothing."""

    def __init__(self, model: Any, context: Any, shown: dict[str, Any]) -> None:
        self._model = model
        self._context = context
        self._shown = shown
        if context is not None:
            context.call_on_fit_task_begin(estimator=model, **shown)

    @property
    def is_heard(self) -> bool:
        """Whether there are callbacks."""
        return self._context is not None

    def part(self, name: str, parts: int | None = 0, **shown: Any) -> Task:
        """Begin a part of this task, itself of so many parts; None if that is not known."""
        if self._context is None:
            return self
        context = self._context.subcontext(task_name=name, max_subtasks=parts)
        return Task(self._model, context, self._shown | shown)

    def end(self, fitted: Callable[[], dict[str, Any]] | None = None) -> bool:
        """Tell that the task is done, and how to set up the model so far. True: stop here."""
        if self._context is None:
            return False
        stop: bool = self._context.call_on_fit_task_end(
            estimator=self._model, reconstruction_attributes=fitted, **self._shown
        )
        return stop

    def iterations(
        self, problem: PreparedModel, targets: FloatArray
    ) -> Callable[[Iteration], bool] | None:
        """A callback for the solver, which tells of every iteration; None if nobody listens."""
        if self._context is None:
            return None

        def tell(iteration: Iteration) -> bool:
            task = self.part("iteration")
            # With several classes there is no model before the last is fitted.
            if len(targets) > 1:
                return task.end()
            return task.end(lambda: self._at(problem, targets[0], iteration.x))

        return tell

    def _at(self, problem: PreparedModel, target: FloatArray, x: FloatArray) -> dict[str, Any]:
        result = problem.model_at(target, x)
        model = copy.copy(self._model)
        model._set_coefficients(result.coef[None, :], np.array([result.intercept]))
        return {
            "coef_": model.coef_,
            "intercept_": model.intercept_,
            "support_": result.support,
        }


def begin_fit(
    model: Any, parts: int | None, X: Any, y: Any, sample_weight: FloatArray | None
) -> Task:
    """Begin the outermost task."""
    if not getattr(model, "_skl_callbacks", None):
        return Task(model, None, {})
    metadata = None if sample_weight is None else {"sample_weight": sample_weight}
    context = model._init_callback_context(max_subtasks=parts)
    return Task(model, context, {"X": X, "y": y, "metadata": metadata})
