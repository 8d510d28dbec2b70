"""skscope's PDAS, which wants the whole matrix of second derivatives: dense problems, in jax."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

name = "skscope PDAS"
package = module = "skscope"


def accepts(problem: Any) -> bool:
    return problem.loss == "squared" and not sparse.issparse(problem.X)


def solve(problem: Any, s: int) -> tuple[Any, Any]:
    import jax.numpy as jnp  # noqa: PLC0415
    import skscope  # noqa: PLC0415

    A, y = jnp.array(problem.scaled), jnp.array(problem.y)
    x = skscope.PDASSolver(A.shape[1], sparsity=s, random_state=0).solve(
        lambda x: 0.5 * jnp.sum((A @ x - y) ** 2) + 0.5 * problem.ridge * jnp.sum(x**2)
    )
    x = np.asarray(x)
    support = np.flatnonzero(x)
    return support, x[support]
