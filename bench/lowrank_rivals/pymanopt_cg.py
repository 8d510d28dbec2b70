"""Riemannian conjugate gradients on matrices of fixed rank."""

import numpy as np
from scipy.sparse.linalg import svds

name = "pymanopt, conjugate gradients"
module = "pymanopt"


def complete(problem, rank):
    import pymanopt  # noqa: PLC0415  (optional)
    from pymanopt.manifolds import FixedRankEmbedded  # noqa: PLC0415
    from pymanopt.optimizers import ConjugateGradient  # noqa: PLC0415

    manifold = FixedRankEmbedded(*problem.shape, rank)
    rows, cols, values, shape = problem.rows, problem.cols, problem.values, problem.shape

    def residual(u, s, vt):
        return np.einsum("ij,ij->i", (u * s)[rows], vt.T[cols]) - values

    @pymanopt.function.numpy(manifold)
    def cost(u, s, vt):
        return 0.5 * np.sum(residual(u, s, vt) ** 2)

    @pymanopt.function.numpy(manifold)
    def gradient(u, s, vt):
        # With respect to the three factors, as the manifold asks for.
        S = problem.sparse(rows, cols, residual(u, s, vt), *shape)
        Sv = S @ vt.T
        return Sv * s, np.einsum("ij,ij->j", u, Sv), (S.T @ (u * s)).T

    seen = problem.sparse(rows, cols, values * (shape[0] * shape[1] / len(values)), *shape)
    u, s, vt = svds(seen, k=rank, random_state=0)
    start = manifold.random_point()
    start = type(start)(u[:, ::-1], s[::-1], vt[::-1])
    problem_on = pymanopt.Problem(manifold, cost, euclidean_gradient=gradient)
    optimizer = ConjugateGradient(verbosity=0, max_iterations=300, min_gradient_norm=1e-3)
    u, s, vt = optimizer.run(problem_on, initial_point=start).point
    return u * s, vt.T
