"""The problems of the experiments have the properties that they claim."""

import numpy as np
import pytest


@pytest.mark.parametrize("kappa", [4.0, 20.0])
def test_no_exchange_helps_at_the_bad_start(kappa, toy):
    """Neither of the entries held for the one with the largest gradient."""
    module, _ = toy("lowrank")
    instance, allowed = module.make_bad_start(kappa, 2)
    held = np.flatnonzero(np.diag(instance.start))
    assert held.size == allowed
    gradient = np.diag(instance.weights * (instance.start - instance.M))
    tempting = int(np.argmax(np.abs(gradient)))
    first = instance.value(instance.start)
    for out in held:
        swapped = instance.start.copy()
        swapped[out, out] = 0.0
        swapped[tempting, tempting] = instance.M[tempting, tempting]
        assert instance.value(swapped) > first
    assert instance.value(instance.star) < first
    np.testing.assert_allclose(instance.solve("local-search", allowed).fun, first)


@pytest.mark.parametrize("kind", ["diagonal", "rotated", "logistic"])
def test_the_settings_have_the_condition_number_they_claim(kind, toy):
    module, _ = toy("theorem")
    setting = module.Setting(1.5, 1, 420, kind)
    A = setting.matrix.toarray() if kind == "diagonal" else setting.matrix
    curvature = np.linalg.svd(A, compute_uv=False)[[0, -1]] ** 2
    if kind == "logistic":  # its second derivative is between 0 and a quarter
        curvature = np.array([curvature[0] / 4, 0.0]) + setting.ridge
    np.testing.assert_allclose(curvature, [setting.beta, setting.beta / setting.kappa])
    assert np.count_nonzero(setting.start) == setting.sparsity < setting.n
    assert not np.any(setting.start[setting.planted != 0])


def test_the_watch_sees_a_violation(toy):
    """With far too small an s′ and a κ that is not true, the lemma fails and is seen to."""
    module, _ = toy("theorem")
    setting = module.Setting(1.1, 1, 360, "diagonal")

    class Wrong:
        kappa, beta, sparsity = 1e-3, setting.beta, setting.sparsity
        start, x_star = setting.start, setting.x_star

    watch = module.LemmaWatch(setting.objective, Wrong())
    setting.solve(callback=watch)
    assert watch.violations > 0
    assert watch.largest_violation > 0
