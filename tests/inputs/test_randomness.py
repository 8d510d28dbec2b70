"""Random numbers: ``rng`` as SPEC 7 has it, and ``seed``, its older name."""

import inspect

import numpy as np
import pytest

import regiht
from regiht import datasets, distributed, lowrank, theory

# Noise, on which draws of "arht" show.
RNG = np.random.default_rng(5)
X, Y = RNG.standard_normal((20, 40)), RNG.standard_normal(20)
ENTRIES = lowrank.Completion(np.arange(60) % 12, np.arange(60) % 5, RNG.normal(size=60), (12, 5))


class Squares:
    def value(self, x):
        return 0.5 * np.sum((X @ x - Y) ** 2)

    def gradient(self, x):
        return X.T @ (X @ x - Y)


def solved(function, *data):
    """How a solve went, and where it ended."""

    def call(**given):
        answer = function(*data, method="arht", **given)
        result = answer if isinstance(answer, regiht.Result) else answer[0]
        return np.append(result.x, result.n_iter)

    return call


CALLS = {
    regiht.solve: solved(regiht.solve, X, Y, 8),
    regiht.solve_grid: solved(regiht.solve_grid, X, Y, [8]),
    regiht.solve_batch: solved(regiht.solve_batch, X, Y[:, None], 8),
    regiht.minimize: solved(regiht.minimize, Squares(), 40, 8),
    distributed.solve: solved(distributed.solve, [X], [Y], 8),
    lowrank.rank_path: lambda **given: (
        lowrank.rank_path(ENTRIES, (1,), method="greedy", **given).losses
    ),
    lowrank.rank_ridge_path: lambda **given: (
        lowrank.rank_ridge_path(ENTRIES, (1,), (0.1,), method="greedy", **given).losses
    ),
    theory.restricted_condition: lambda **given: theory.restricted_condition(X, 3, **given),
    theory.restricted_curvature: lambda **given: theory.restricted_curvature(X, 3, **given).beta,
    datasets.recovery: lambda **given: datasets.recovery(9, 20, 3, **given).y,
    datasets.year_like: lambda **given: datasets.year_like(50, 10, **given).X,
    datasets.rcv1_like: lambda **given: datasets.rcv1_like(30, 60, 200, **given).X.toarray(),
    datasets.wide: lambda **given: datasets.wide(9, 20, 3, **given).y,
    datasets.tiny: lambda **given: datasets.tiny(**given).y,
}


def public_functions():
    for module in (regiht, datasets, distributed, lowrank, theory):
        for name in module.__all__:
            if inspect.isfunction(getattr(module, name)):
                yield getattr(module, name)


def test_every_function_with_a_seed_takes_it_as_rng():
    seeded = {each for each in public_functions() if "seed" in inspect.signature(each).parameters}
    assert seeded == set(CALLS)


def name_of(function):
    return f"{function.__module__}.{function.__name__}"


@pytest.mark.parametrize("function", CALLS, ids=name_of)
def test_both_names_mean_the_same_and_a_generator_goes_on(function):
    call = CALLS[function]
    np.testing.assert_array_equal(call(rng=3), call(seed=3))
    np.testing.assert_array_equal(call(), call(rng=0))
    np.testing.assert_array_equal(
        call(rng=np.random.default_rng(3)), call(seed=np.random.default_rng(3))
    )
    call(rng=np.random.SeedSequence(3))
    call(rng=None)
    generator = np.random.default_rng(3)
    before = generator.bit_generator.state["state"]["state"]
    call(rng=generator)
    assert generator.bit_generator.state["state"]["state"] != before


@pytest.mark.parametrize("function", CALLS, ids=name_of)
def test_two_names_at_once_and_what_is_no_seed_are_refused(function):
    call = CALLS[function]
    with pytest.raises(regiht.InvalidArgumentError, match="seed is another name of rng"):
        call(rng=1, seed=2)
    for given in (-1, 1.5, "one"):
        with pytest.raises(regiht.InvalidArgumentError, match="rng must be"):
            call(rng=given)
        with pytest.raises(regiht.InvalidArgumentError, match="seed must be"):
            call(seed=given)


@pytest.mark.parametrize("name", ["year_like", "tiny"])
def test_none_is_another_problem_in_every_call(name):
    call = CALLS[getattr(datasets, name)]
    assert not np.array_equal(call(rng=None), call(rng=None))


def test_settings_that_are_remembered_do_not_keep_what_none_drew():
    answers = {CALLS[regiht.solve](rng=None).tobytes() for _ in range(20)}
    assert len(answers) > 1


def test_options_of_paths_and_estimators_take_both_names():
    def path(**options):
        return regiht.sparse_path(X, Y, s=[8], method="arht", options=options)[0].x

    np.testing.assert_array_equal(path(rng=3), path(seed=3))
    with pytest.raises(regiht.InvalidArgumentError, match="seed is another name of rng"):
        path(rng=1, seed=2)
    pytest.importorskip("sklearn", minversion="1.6")
    model = regiht.SparseRegressor(8, method="arht", options={"rng": 3}).fit(X, Y)
    np.testing.assert_array_equal(model.support_, np.flatnonzero(path(seed=3)))
