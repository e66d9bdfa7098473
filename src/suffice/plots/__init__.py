"""One function per figure: a record or a model in, matplotlib Axes out. No statistics happen here.

matplotlib is imported when a figure is drawn. Every function takes `ax=` and draws on new axes without it.
"""

from suffice.plots.comparisons import coefficients, comparison
from suffice.plots.densities import contour, density, evidence_contours, joint_table, posterior_evolution
from suffice.plots.fits import coefficient_path, spaghetti
from suffice.plots.folds import splits, two_layer
from suffice.plots.iterations import trace
from suffice.plots.predictions import agreement, predictive, residuals, sampled_functions
from suffice.plots.validation import learning_curve, selection_path, validation_curve

__all__ = [
    "agreement",
    "coefficient_path",
    "coefficients",
    "comparison",
    "contour",
    "density",
    "evidence_contours",
    "joint_table",
    "learning_curve",
    "posterior_evolution",
    "predictive",
    "residuals",
    "sampled_functions",
    "selection_path",
    "spaghetti",
    "splits",
    "trace",
    "two_layer",
    "validation_curve",
]
