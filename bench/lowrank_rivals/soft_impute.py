"""Soft-impute (Mazumder, Hastie, Tibshirani 2010) down a path of thresholds, cut to the rank."""

import numpy as np
from scipy.sparse.linalg import svds

name = "soft-impute, cut to the rank"
module = None
THRESHOLDS = 10
ITERATIONS = 20


def complete(problem, rank):
    filled = np.zeros(problem.shape)
    filled[problem.rows, problem.cols] = problem.values
    threshold = np.linalg.norm(filled, 2)
    for level in np.geomspace(threshold / 2, threshold / 500, THRESHOLDS):
        for _ in range(ITERATIONS):
            U, s, Vt = svds(filled, k=rank, random_state=0)
            left = U * np.maximum(s - level, 0.0)
            guess = left @ Vt
            guess[problem.rows, problem.cols] = problem.values
            moved = np.linalg.norm(guess - filled)
            filled = guess
            if moved <= 1e-4 * np.linalg.norm(filled):
                break
    return left, Vt.T
