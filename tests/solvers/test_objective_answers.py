"""What an objective answers is checked at every call, and what it raises passes through."""

import signal

import numpy as np
import pytest

import regiht

N, S = 24, 4
METHODS = (
    "value_and_gradient", "gradient_at", "largest_off_support", "second_derivatives", "curvatures",
    "approximate_curvatures", "intercept",
)  # fmt: skip


class Quadratic:
    """½‖x − center‖²."""

    center = np.linspace(1, 2, N)

    def value(self, x):
        return 0.5 * np.sum((x - self.center) ** 2)

    def gradient(self, x):
        return x - self.center


class QuadraticByEntries(Quadratic):
    """With entries of its gradient, without which solvers have all of it at hand."""

    def gradient_at(self, x, columns):
        return x[columns] - self.center[columns]


BAD_ANSWERS = {
    "value_and_gradient": [
        (lambda _: 1.0, "two things; got float"),
        (lambda x: (x, x), r"value_and_gradient\(x\)\[0\] must return a number"),
        (lambda x: (1.0, x[1:]), r"value_and_gradient\(x\)\[1\] must return .* \(24,\)"),
    ],
    "gradient_at": [
        (lambda x, _: x, r"gradient_at\(x, columns\) must return an array of shape"),
        (lambda _, columns: [None] * columns.size, r"gradient_at\(x, columns\) must hold real"),
    ],
    "largest_off_support": [
        (lambda *_: None, r"largest_off_support\(x, support, count\) must return two things"),
        (lambda x, *_: (x, x), "must list column numbers"),
        (lambda *_: ([[0, 1]], [1.0]), "must list column numbers"),
        (lambda *_: ([], []), "must list at least 1 columns; got 0"),
        (lambda *_: ([-1], [1.0]), "between 0 and 23"),
        (lambda *_: ([N], [1.0]), "between 0 and 23"),
        (lambda *_: ([5, 5], [1.0, 1.0]), "each column once"),
        (lambda *_: ([5, 6], [1.0]), r"shape \(2,\); got \(1,\)"),
        (lambda _, support, count: (np.arange(support.size + count), np.ones(support.size + count)),
         "none of the support"),
    ],
    "second_derivatives": [
        (lambda _, rows, columns: np.ones(rows.size + columns.size),
         r"second_derivatives\(x, rows, columns\) must return an array of shape \(1, 1\)"),
        (lambda *_: "no", r"second_derivatives\(x, rows, columns\) must hold real numbers"),
    ],
    "curvatures": [
        (lambda *_: np.ones(N + 1), r"curvatures\(x, columns\) must return an array of shape"),
        (lambda *_: None, r"curvatures\(x, columns\) must be an array of numbers; got None"),
    ],
    "approximate_curvatures": [
        (lambda _: 1.0, r"approximate_curvatures\(x\) must return an array of shape \(24,\)"),
    ],
    "intercept": [(lambda x: x, r"intercept\(x\) must return a number; got ndarray")],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "number"), [(name, k) for name in BAD_ANSWERS for k in range(len(BAD_ANSWERS[name]))]
)
def test_bad_answers_name_the_method(name, number):
    method, message = BAD_ANSWERS[name][number]
    objective = Quadratic() if name == "value_and_gradient" else QuadraticByEntries()
    setattr(objective, name, method)
    with pytest.raises(regiht.InvalidArgumentError, match=message):
        regiht.minimize(objective, N, S, method="omp", polish="swap")


@pytest.mark.parametrize("name", METHODS)
def test_members_that_are_not_methods_are_refused(name):
    objective = Quadratic()
    for value in (None, np.ones(N)):
        setattr(objective, name, value)
        with pytest.raises(regiht.InvalidArgumentError, match=rf"objective\.{name} must be a meth"):
            regiht.minimize(objective, N, S)


@pytest.mark.parametrize("value", [None, 1, "yes", lambda: True])
def test_is_quadratic_is_true_or_false(value):
    objective = Quadratic()
    objective.is_quadratic = value
    with pytest.raises(regiht.InvalidArgumentError, match="is_quadratic must be True or False"):
        regiht.minimize(objective, N, S)


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [("second_derivative", "second_derivatives"), ("curvature", "curvatures"),
     ("largest_of_support", "largest_off_support"), ("gradients_at", "gradient_at")],
)  # fmt: skip
def test_misspelt_methods_are_warned_of(misspelt, meant):
    objective = Quadratic()
    setattr(objective, misspelt, lambda *_: None)
    with pytest.warns(UserWarning, match=rf"objective\.{misspelt} is not used.*{meant}\("):
        regiht.minimize(objective, N, S, method="omp")


@pytest.mark.parametrize("place", METHODS)
@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_what_optional_methods_raise_passes_through(error, place):
    def fail(*_):
        raise error("mine")

    objective = Quadratic()
    setattr(objective, place, fail)
    with pytest.raises(error, match="mine"):
        regiht.minimize(objective, N, S, method="omp", polish="swap")


@pytest.mark.parametrize("place", ["value", "gradient", *METHODS])
def test_ctrl_c_within_an_objective_ends_the_run(place):
    def interrupted(*_):
        signal.raise_signal(signal.SIGINT)

    objective = Quadratic()
    setattr(objective, place, interrupted)
    with pytest.raises(KeyboardInterrupt):
        regiht.minimize(objective, N, S, method="omp", polish="swap")
