"""Small real data that is installed already: a table from scikit-learn, texts from scipy."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from importlib import import_module
from itertools import combinations

import numpy as np

from regiht.datasets.problem import Problem

_MEASUREMENTS = (
    "age", "sex", "body mass index", "blood pressure", "cholesterol", "LDL", "HDL",
    "cholesterol/HDL", "log triglycerides", "blood sugar",
)  # fmt: skip

_TEXT_MODULES = ("scipy.stats", "scipy.signal")
_WORD = re.compile(r"[a-z]{3,}")
# Names of modules would give the answer away.
_DOTTED = re.compile(r"\w+(\.\w+)+|scipy", re.IGNORECASE)
_FEWEST_TEXTS = 5


def load_diabetes(*, products: bool = True) -> Problem:
    """Load 442 patients, ten measurements of each, and the progression of their diabetes.

    The data of Efron, Hastie, Johnstone and Tibshirani, *Least angle regression* (2004), as
    included in scikit-learn, which is required.

    Parameters
    ----------
    products : bool
        Add squares and products of the standardized measurements: 64 features, as in the article.
        Otherwise just the ten, in their own units.

    Returns
    -------
    Problem
        With ``feature_names`` but without ``coef``, because the truth is not known.

    Raises
    ------
    ImportError
        If scikit-learn is not installed.

    See Also
    --------
    load_docstrings : Real texts.

    Examples
    --------
    >>> from regiht import datasets
    >>> problem = datasets.load_diabetes()
    >>> problem.X.shape, problem.feature_names[:3]
    ((442, 64), ['age', 'sex', 'body mass index'])
    """
    try:
        from sklearn import datasets  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise ImportError(
            'load_diabetes needs scikit-learn: pip install "regiht[sklearn]"'
        ) from error
    X, y = datasets.load_diabetes(return_X_y=True, scaled=False)
    names, columns = list(_MEASUREMENTS), list(X.T)
    if products:
        standard = ((X - X.mean(axis=0)) / X.std(axis=0)).T
        # The square of a measurement of two values says the same as itself.
        squares = [j for j in range(len(names)) if np.unique(X[:, j]).size > 2]
        columns += [standard[j] ** 2 for j in squares]
        columns += [standard[i] * standard[j] for i, j in combinations(range(X.shape[1]), 2)]
        names += [f"{_MEASUREMENTS[j]}²" for j in squares]
        names += [f"{a} × {b}" for a, b in combinations(_MEASUREMENTS, 2)]
    return Problem(
        np.column_stack(columns), y, "squared", "diabetes", None,
        "442 patients: measurements, and the progress of their diabetes after a year",
        feature_names=names,
    )  # fmt: skip


def load_docstring_texts() -> tuple[list[str], list[str]]:
    """Load texts of two kinds: the docstrings of the functions of scipy.stats and scipy.signal.

    This is freely licensed text that every installation has. The texts depend on the version of
    scipy.

    Returns
    -------
    texts : list of str
        The docstrings without examples and names of modules.
    kinds : list of str
        ``"stats"`` or ``"signal"`` for each.

    See Also
    --------
    load_docstrings : Their words, counted.

    Examples
    --------
    >>> from regiht import datasets
    >>> texts, kinds = datasets.load_docstring_texts()
    >>> len(texts) == len(kinds), sorted(set(kinds))
    (True, ['signal', 'stats'])
    """
    texts, kinds = [], []
    for module in _TEXT_MODULES:
        found = _docstrings(module)
        texts += found
        kinds += [module.split(".")[1]] * len(found)
    if not texts:
        raise RuntimeError("there are no docstrings: Python was started with -OO.")
    return texts, kinds


def load_docstrings() -> Problem:
    """Load the words of the texts of `load_docstring_texts`.

    Returns
    -------
    Problem
        ``X`` counts the words of each text, as a CSR array; ``y`` is 1 for scipy.signal;
        ``feature_names`` are the words, of at least three letters and in at least five texts.

    See Also
    --------
    load_docstring_texts : The texts themselves.
    load_diabetes : A real table.

    Examples
    --------
    >>> from regiht import datasets
    >>> problem = datasets.load_docstrings()
    >>> "probability" in problem.feature_names
    True
    """
    from scipy import sparse  # noqa: PLC0415  (slow to import)

    texts, kinds = load_docstring_texts()
    counts = [Counter(_WORD.findall(text.lower())) for text in texts]
    documents = Counter(word for each in counts for word in each)
    words = sorted(word for word, number in documents.items() if number >= _FEWEST_TEXTS)
    places = {word: j for j, word in enumerate(words)}
    entries = [
        (row, places[word], float(number))
        for row, each in enumerate(counts)
        for word, number in sorted(each.items())
        if word in places
    ]
    rows, columns, numbers = zip(*entries, strict=True)
    X = sparse.csr_array((numbers, (rows, columns)), shape=(len(texts), len(words)))
    return Problem(
        X, np.array([float(kind == "signal") for kind in kinds]), "logistic", "docstrings", None,
        f"{len(texts)} docstrings of {' and '.join(_TEXT_MODULES)}: counts of their words",
        feature_names=words,
    )  # fmt: skip


def _docstrings(module: str) -> list[str]:
    """What comes before the examples, for every public function."""
    public = import_module(module)
    functions = [getattr(public, name) for name in sorted(public.__all__)]
    texts = [inspect.getdoc(each) for each in functions if inspect.isfunction(each)]
    return [_DOTTED.sub(" ", text.split("\nExamples\n")[0]) for text in texts if text]
