"""Plots of runs and of models. Matplotlib is imported at the first plot."""

from regiht.plotting.coefficients import plot_coefficients, plot_model
from regiht.plotting.intervals import plot_intervals
from regiht.plotting.near_best import plot_near_best
from regiht.plotting.path import plot_path
from regiht.plotting.runs import plot_convergence
from regiht.plotting.selection import plot_cross_validation, plot_stability
from regiht.plotting.stability import plot_probabilities
from regiht.plotting.style import MissingMatplotlibError

__all__ = [
    "MissingMatplotlibError",
    "plot_coefficients",
    "plot_convergence",
    "plot_cross_validation",
    "plot_intervals",
    "plot_model",
    "plot_near_best",
    "plot_path",
    "plot_probabilities",
    "plot_stability",
]
