"""Generators of problems, each reproducible from its seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import sparse

from regiht._inputs.checks import Rng, check_rng
from regiht.datasets.problem import Problem

Index = NDArray[np.int64]

_BLOCK_ROWS = 16_384


def recovery(
    rows: int = 100,
    cols: int = 800,
    s: int = 20,
    rng: Rng = 0,
    *,
    normalize: bool = True,
    noise: float = 0.0,
    seed: Rng = None,
) -> Problem:
    """Sparse signal recovery from Gaussian measurements, as in the paper's experiments.

    Parameters
    ----------
    rows, cols, s : int
        Measurements, length of the signal, and its number of nonzeros.
    rng : int, numpy Generator or None
        None: a new problem in every call.
    normalize : bool
        Scale the columns to unit norm. Without it, a step of 1/s diverges.
    noise : float
        Standard deviation of the noise on each measurement.
    seed : int, optional
        The older name of ``rng``.

    Returns
    -------
    Problem

    Raises
    ------
    ValueError
        If s is larger than the number of columns.

    See Also
    --------
    wide : Many more columns.
    tiny : A very small problem.

    Examples
    --------
    >>> from regiht import datasets
    >>> problem = datasets.recovery(40, 100, 5)
    >>> problem.X.shape, int((problem.coef != 0).sum())
    ((40, 100), 5)
    """
    rng = check_rng(rng, seed)
    X = rng.standard_normal((rows, cols))
    if normalize:
        X /= np.linalg.norm(X, axis=0)
    coef = np.zeros(cols)
    coef[rng.choice(cols, s, replace=False)] = rng.standard_normal(s)
    y = X @ coef + noise * rng.standard_normal(rows)
    description = f"Gaussian compressed sensing, {rows} x {cols}, {s} nonzeros, noise {noise:g}."
    return Problem(X, y, "squared", "recovery", coef, description)


def year_like(rows: int = 463_715, cols: int = 90, rng: Rng = 0, *, seed: Rng = None) -> Problem:
    """Stand-in for YearPredictionMSD: dense, correlated features of very different scales.

    Features come in families of correlated columns around a few latent factors and their products.
    The year depends on differences within families, which no single feature shows. Some features
    are noisy sums of several such differences, which look useful at first but are not in the end.
    Neither a greedy choice nor IHT easily finds the best subset.

    Parameters
    ----------
    rows, cols : int
    rng, seed
        As for `recovery`.

    Returns
    -------
    Problem

    Raises
    ------
    ValueError
        If a number is negative.

    See Also
    --------
    load_year : The data itself, from a file.

    Examples
    --------
    >>> from regiht import datasets
    >>> datasets.year_like(200, 20).X.shape
    (200, 20)
    """
    rng = check_rng(rng, seed)
    factors, families = 12, max(1, cols // 5)
    family = np.arange(cols) % families
    mixing = rng.standard_normal((2 * factors, families)) / np.sqrt(2 * factors)
    # How much variance relatives share differs from family to family.
    closeness = rng.uniform(0.5, 0.95, families)[family]
    shared, own = np.sqrt(closeness), np.sqrt(1 - closeness)
    effects = np.zeros(cols)
    effects[:families] = rng.gamma(2.0, 0.5, families) / own[:families]
    effects[families : 2 * families] = -effects[:families][: cols - families]
    summaries = np.arange(4 * families, cols)
    summarized = effects[:, None] * (rng.random((families, summaries.size)) < 0.3)[family]
    scales = np.exp(rng.normal(3.0, 1.5, cols))
    offsets = scales * rng.standard_normal(cols)
    X, y = np.empty((rows, cols)), np.empty(rows)
    for start in range(0, rows, _BLOCK_ROWS):
        block = X[start : start + _BLOCK_ROWS]
        latent = rng.standard_normal((len(block), factors))
        products = latent * np.roll(latent, 1, axis=1)
        rng.standard_normal(out=block)
        block *= own
        block += shared * (np.hstack([latent, products]) @ mixing)[:, family]
        block[:, summaries] += block @ summarized
        signal = block @ effects + latent[:, 0] + np.abs(latent[:, 1])
        noisy = signal + 8.0 * rng.standard_normal(len(block))
        # Recent years are crowded and early ones form a long tail.
        age = 3.0 * np.log1p(np.exp(3.0 - 0.5 * noisy))
        y[start : start + _BLOCK_ROWS] = np.maximum(1922, np.rint(2011 - age))
        block *= scales
        block += offsets
    description = f"Synthetic stand-in for YearPredictionMSD, {rows} x {cols}; not the real data."
    return Problem(X, y, "squared", "year-like", None, description)


def rcv1_like(
    rows: int = 20_242,
    cols: int = 47_236,
    nnz: int = 1_500_000,
    rng: Rng = 0,
    dtype: DTypeLike = np.float64,
    *,
    seed: Rng = None,
) -> Problem:
    """Stand-in for rcv1.binary: CSR, tf-idf documents of unit norm, power-law word frequencies.

    A document mixes common words with words of its topic. Labels are 0 or 1, from a planted sparse
    logistic model with an intercept that balances them. Each planted word has a synonym with the
    same coefficient, which replaces it half of the time.

    Parameters
    ----------
    rows, cols : int
    nnz : int
        Number of stored entries, from `rows` to a quarter of `rows * cols`.
    rng, seed
        As for `recovery`.
    dtype : dtype
        Of the stored values.

    Returns
    -------
    Problem

    Raises
    ------
    ValueError
        If ``nnz`` is outside its range.

    See Also
    --------
    load_rcv1 : The data itself, from a file.

    Examples
    --------
    >>> from regiht import datasets
    >>> problem = datasets.rcv1_like(200, 500, 4000)
    >>> problem.X.shape, problem.X.nnz, problem.loss
    ((200, 500), 4000, 'logistic')
    """
    if not rows <= nnz <= rows * cols // 4:
        raise ValueError(f"nnz must be from rows to a quarter of rows * cols; got {nnz}")
    rng = check_rng(rng, seed)
    topics = 20
    head = max(1, cols // 50)  # the frequent words, where planting makes a difference
    # Every other group of ranks, which leaves the synonyms to the groups between.
    candidates = np.flatnonzero(np.arange(head) // topics % 2 == 0)
    planted = rng.choice(candidates, max(1, head // 10), replace=False)
    document, rank, count = _draw_words(rng, (rows, cols), nnz, topics, planted)
    document_frequency = np.bincount(rank, minlength=cols)
    values = (1.0 + np.log(count)) * np.log1p(rows / document_frequency[rank])
    values /= np.sqrt(np.bincount(document, values**2, minlength=rows))[document]
    # Ranks go to shuffled columns, so that the index of a word says nothing about it.
    column = rng.permutation(cols)
    X = sparse.csr_matrix((values, (document, column[rank])), shape=(rows, cols))
    coef = np.zeros(cols)
    sides = rng.permutation(np.resize([-1.0, 1.0], topics))  # words of a topic pull together
    effects = sides[planted % topics] * rng.gamma(1.0, 1.0, planted.size)
    coef[column[planted]] = effects
    coef[column[_synonym(planted, topics, cols)]] = effects
    logit = X @ coef
    gain = 4.0 / max(float(logit.std()), np.finfo(float).tiny)  # classes that mostly separate
    chance = 1.0 / (1.0 + np.exp(-gain * (logit - np.median(logit))))
    y = (rng.random(rows) < chance).astype(np.float64)
    description = f"Synthetic stand-in for rcv1.binary, {rows} x {cols}; not the real data."
    return Problem(X.astype(dtype), y, "logistic", "rcv1-like", gain * coef, description)


def _synonym(rank: Index, topics: int, cols: int) -> Index:
    """Return the word of the same topic that is next in frequency."""
    return (rank + topics) % cols


def _draw_words(
    rng: np.random.Generator, shape: tuple[int, int], nnz: int, topics: int, planted: Index
) -> tuple[Index, Index, Index]:
    """Draw `nnz` distinct (document, word) pairs: document, frequency rank, count; sorted."""
    rows, cols = shape
    popularity = 1.0 / np.arange(1, topics + 1)
    topic = rng.choice(topics, size=rows, p=popularity / popularity.sum())
    length = rng.lognormal(0.0, 0.5, rows)
    has_synonym = np.zeros(cols, dtype=bool)
    has_synonym[planted] = True
    tokens = 1.3 * nnz
    pairs = count = np.empty(0, dtype=np.int64)
    while pairs.size < nnz:
        document = np.repeat(np.arange(rows), 1 + rng.poisson(tokens * length / length.sum()))
        # Frequency proportional to 1 / (rank + 20), by inversion.
        growth = np.log1p(cols / 20)
        rank = (20 * np.expm1(growth * rng.random(document.size))).astype(np.int64)
        topical = rng.random(document.size) < 0.5  # topic t owns the ranks t modulo topics
        rank = np.where(topical, rank - rank % topics + topic[document], rank) % cols
        swapped = has_synonym[rank] & (rng.random(document.size) < 0.5)
        rank = np.where(swapped, _synonym(rank, topics, cols), rank)
        pairs, count = np.unique(document * cols + rank, return_counts=True)
        tokens *= 1.3
    # Drop the surplus at random, but never the last word of a document.
    surplus = np.flatnonzero(np.diff(pairs // cols, prepend=-1) == 0)
    chosen = np.delete(np.arange(pairs.size), rng.choice(surplus, pairs.size - nnz, replace=False))
    return pairs[chosen] // cols, pairs[chosen] % cols, count[chosen]


def wide(
    rows: int = 1000, cols: int = 100_000, s: int = 50, rng: Rng = 0, *, seed: Rng = None
) -> Problem:
    """Many more columns than rows: dense Gaussian, unit columns, column-major.

    Coefficients are at least 1 in magnitude, and the noise is small enough to find all of them at
    the default size.

    Parameters
    ----------
    rows, cols, s : int
    rng, seed
        As for `recovery`.

    Returns
    -------
    Problem

    Raises
    ------
    ValueError
        If s is larger than the number of columns.

    See Also
    --------
    recovery : Fewer columns.

    Examples
    --------
    >>> from regiht import datasets
    >>> datasets.wide(20, 300, 5).X.shape
    (20, 300)
    """
    rng = check_rng(rng, seed)
    X = np.empty((rows, cols), order="F")
    for start in range(0, cols, 1024):
        columns = X.T[start : start + 1024]
        rng.standard_normal(out=columns)
        columns /= np.linalg.norm(columns, axis=1, keepdims=True)
    coef = np.zeros(cols)
    support = rng.choice(cols, s, replace=False)
    coef[support] = rng.choice([-1.0, 1.0], s) * (1.0 + rng.exponential(1.0, s))
    y = X[:, support] @ coef[support] + 0.02 * rng.standard_normal(rows)
    description = f"Wide dense Gaussian regression, {rows} x {cols}, {s} nonzeros."
    return Problem(X, y, "squared", "wide", coef, description)


def tiny(rng: Rng = 0, *, seed: Rng = None) -> Problem:
    """Make a 20 x 50 regression with 3 nonzeros, for call overhead and quick tests.

    Parameters
    ----------
    rng, seed
        As for `recovery`.

    Returns
    -------
    Problem

    Raises
    ------
    ValueError
        If the seed is negative.

    See Also
    --------
    recovery : Problems of other sizes.

    Examples
    --------
    >>> from regiht import datasets
    >>> datasets.tiny().X.shape
    (20, 50)
    """
    problem = recovery(20, 50, 3, check_rng(rng, seed), noise=0.01)
    description = "Tiny Gaussian regression, 20 x 50, 3 nonzeros."
    return replace(problem, name="tiny", description=description)
