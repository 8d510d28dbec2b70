"""One list of options: every way in has it, with the same defaults, and passes all of it on."""

import inspect
import sys

import numpy as np
import pytest

import regiht
from regiht import _core
from regiht._inputs import checks
from regiht._solving import defaults
from regiht._solving.options import CHECKS, DEFAULTS, Options, options_from
from regiht._solving.registry import EFFORTS

RNG = np.random.default_rng(50)
X = RNG.standard_normal((30, 12))
Y = (X[:, 3] - X[:, 7] + 0.1 * RNG.standard_normal(30) > 0).astype(float)


class Quadratic:
    def value(self, x):
        return 0.5 * np.sum((x - 1) ** 2)

    def gradient(self, x):
        return x - 1


CALLS = {
    regiht.solve: lambda **options: regiht.solve(X, Y, 3, **options),
    regiht.solve_grid: lambda **options: regiht.solve_grid(X, Y, [3], **options),
    regiht.solve_batch: lambda **options: regiht.solve_batch(X, Y[:, None], 3, **options),
    regiht.minimize: lambda **options: regiht.minimize(Quadratic(), 12, 3, **options),
}
# What a function does not offer: certificates are for single solves, and a function of one's own
# has no loss, no columns and no threads.
WITHOUT = {
    regiht.solve: set(),
    regiht.solve_grid: {"certify"},
    regiht.solve_batch: {"certify"},
    regiht.minimize: {"loss", "ridge", "screening", "intercept", "n_threads", "certify"},
}
# Something else than the default of every option that is no flag.
OTHERS = {
    "loss": "logistic",
    "method": "arht",  # the one that knows a target value
    "ridge": 0.25,
    "step": 0.125,
    "weight_step": 0.0625,
    "max_iter": 7,
    "tol": 1e-3,
    "round_threshold": 0.25,
    "x0": np.arange(12.0),
    "w0": np.linspace(0, 1, 12),
    "polish": "swap",
    "effort": "quick",
    "target_value": 1.5,
    "seed": 3,
    "keep": np.array([2, 5]),
    "groups": np.arange(12) // 2,
    "time_limit": 60.0,
    "n_threads": 2,
}


def other_value(name):
    return not DEFAULTS[name] if isinstance(DEFAULTS[name], bool) else OTHERS[name]


def as_given(options, name):
    """A checked value as a user writes it."""
    value = getattr(options, name)
    if name == "effort":
        return next(word for word, number in EFFORTS.items() if number == value)
    return getattr(value, "name", value)


def shared_parameters(function):
    parameters = dict(inspect.signature(function).parameters)
    if "rng" in parameters:  # the seed is what it makes of this
        parameters["seed"] = parameters["rng"]
    return {name: each.default for name, each in parameters.items() if name in DEFAULTS}


@pytest.mark.parametrize("function", CALLS)
def test_signatures_have_every_option_with_its_default(function):
    expected = {name: value for name, value in DEFAULTS.items() if name not in WITHOUT[function]}
    assert shared_parameters(function) == expected


def test_solve_has_the_options_in_the_order_in_which_it_passes_them_on():
    assert list(shared_parameters(regiht.solve)) == list(DEFAULTS)


def test_the_core_refuses_options_that_it_does_not_know():
    with pytest.raises(TypeError, match="no field of such a name"):
        _core.Options(sparsity=3, max_itre=10)


def test_a_path_and_the_estimators_have_the_defaults_they_do_not_replace():
    pytest.importorskip("sklearn", minversion="1.6")
    # A model of classes needs some ridge, see there.
    own = {
        regiht.sparse_path: {"method": defaults.METHOD, "ridge": None},  # that of the loss
        regiht.SparseRegressor: {"method": defaults.METHOD},
        regiht.SparseRegressorCV: {"method": defaults.METHOD},
        regiht.SparseClassifier: {
            "method": defaults.METHOD, "loss": "logistic", "ridge": defaults.CLASSIFIER_RIDGE,
        },
        regiht.SparseClassifierCV: {
            "method": defaults.METHOD, "loss": "logistic", "ridge": defaults.CLASSIFIER_RIDGE,
        },
    }  # fmt: skip
    own[regiht.sparse_path]["loss"] = None  # what y holds decides
    for function, replaced in own.items():
        shared = shared_parameters(function)
        assert {"loss", "method", "ridge", "keep", "positive", "groups", "max_iter"} <= set(shared)
        assert shared == {name: DEFAULTS[name] for name in shared} | replaced


@pytest.mark.parametrize("name", DEFAULTS)
@pytest.mark.parametrize("function", CALLS)
def test_every_option_reaches_the_solver(function, name):
    if name in WITHOUT[function]:
        with pytest.raises(TypeError, match=name):
            CALLS[function](**{name: other_value(name)})
        return
    made = []
    module = sys.modules[function.__module__]

    def watched(make):
        def watching(*values, **named):
            made.append(make(*values, **named))
            return made[-1]

        return watching

    given = {name: other_value(name)}
    if name == "target_value":
        given["method"] = OTHERS["method"]
    with pytest.MonkeyPatch.context() as patch:
        for maker in ("check_options", "options_from"):
            if hasattr(module, maker):
                patch.setattr(module, maker, watched(getattr(module, maker)))
        CALLS[function](**given)
    (options,) = made
    if function is regiht.solve_grid and name in {"step", "weight_step"}:
        return  # these vary from solve to solve
    others = DEFAULTS.keys() - given.keys()
    plain = options_from(12)
    assert all(getattr(options, other) == getattr(plain, other) for other in others)
    np.testing.assert_array_equal(as_given(options, name), other_value(name))


@pytest.mark.parametrize("name", ["step", "weight_step"])
def test_what_varies_over_a_grid_reaches_each_solve(name):
    grid = regiht.solve_grid(X, Y, [3], **{name: [None, OTHERS[name]]}, max_iter=20)
    for entry, value in zip(grid, (None, OTHERS[name]), strict=True):
        alone = regiht.solve(X, Y, 3, **{name: value}, max_iter=20)
        np.testing.assert_array_equal(entry.x, alone.x)


def test_parameters_of_an_estimator_that_are_options_reach_the_solver():
    pytest.importorskip("sklearn", minversion="1.6")
    shared = shared_parameters(regiht.SparseClassifier)
    for name in shared:
        given = {name: other_value(name)}
        options = regiht.SparseClassifier(3, **given)._options(12)
        np.testing.assert_array_equal(as_given(options, name), other_value(name))
    further = {name: other_value(name) for name in DEFAULTS.keys() - shared.keys()
               - {"x0", "intercept", "n_threads", "target_value"}}  # fmt: skip
    options = regiht.SparseClassifier(3, options=further)._options(12)
    for name, value in further.items():
        np.testing.assert_array_equal(getattr(options, name), value)


def test_weights_and_kept_columns_are_checked_once_on_the_way_of_a_fit():
    pytest.importorskip("sklearn", minversion="1.6")
    calls = []

    def counted(function):
        def counting(*values):
            calls.append(function.__name__)
            return function(*values)

        return counting

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(CHECKS, "keep", counted(checks.check_columns))
        patch.setattr(checks, "check_sample_weight", counted(checks.check_sample_weight))
        model = regiht.SparseRegressorCV([2, 3], keep=[1], cv=3, method="omp")
        model.fit(X, Y, sample_weight=np.ones(30))
    assert calls.count("check_columns") == 1
    assert calls.count("check_sample_weight") == 4  # by the matrix of each fold, and of all rows


def test_options_are_not_changed_by_what_is_made_of_them():
    options = options_from(12, keep=[1])
    before = {name: getattr(options, name) for name in DEFAULTS}
    other = options.changed(step=0.5)
    options.at_rest(np.ones(12), refit=True)
    options.core(3)
    assert isinstance(other, Options)
    assert (options.step, other.step) == (None, 0.5)
    assert all(getattr(options, name) is value for name, value in before.items())
    with pytest.raises(regiht.InvalidArgumentError, match="step must be"):
        options.changed(step=-1.0)


def test_many_sparsities_do_not_pile_up():
    options = options_from(1000)
    first = options.core(5)
    assert options.core(5) is first
    for s in range(1, 1001):
        options.core(s)
    assert len(options._cores) <= 64
