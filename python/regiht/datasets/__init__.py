"""Generators of problems, each reproducible from its seed, small real data, readers of files."""

from regiht.datasets.generators import rcv1_like, recovery, tiny, wide, year_like
from regiht.datasets.hard_instance import HardInstance, hard_instance
from regiht.datasets.libsvm import load_libsvm
from regiht.datasets.paper_files import load_rcv1, load_year
from regiht.datasets.problem import Problem
from regiht.datasets.real import load_diabetes, load_docstring_texts, load_docstrings

__all__ = [
    "HardInstance",
    "Problem",
    "hard_instance",
    "load_diabetes",
    "load_docstring_texts",
    "load_docstrings",
    "load_libsvm",
    "load_rcv1",
    "load_year",
    "rcv1_like",
    "recovery",
    "tiny",
    "wide",
    "year_like",
]
