"""One function per figure: a record or a model in, matplotlib Axes out. No statistics happen here.

matplotlib is imported when a figure is drawn. Every function takes `ax=` and draws on new axes without it.
"""

from suffice.plots.calibration import calibration, coverage, interval_coverage, pit
from suffice.plots.calibration_ranks import calibration_ranks
from suffice.plots.chains import autocorrelation, chain_ranks, chain_trace, pair_plot
from suffice.plots.classes import class_conditionals, class_regions
from suffice.plots.classification import error_rates, precision_recall, roc, threshold_curves
from suffice.plots.columns import box_plot, histogram, jitter
from suffice.plots.comparisons import coefficients, comparison, evidence, forest
from suffice.plots.components import bound_trace, component_selection
from suffice.plots.densities import contour, density, evidence_contours, joint_table, posterior_evolution
from suffice.plots.fits import coefficient_path, spaghetti
from suffice.plots.folds import splits, two_layer
from suffice.plots.influence import influence, normal_quantiles
from suffice.plots.iterations import trace
from suffice.plots.links import link_functions, prediction_comparison
from suffice.plots.maps import correlation_map, missingness_map, parallel_coordinates
from suffice.plots.matrix import matrix_plot
from suffice.plots.methods import baseline_ceiling, practical_equivalence, sorted_methods
from suffice.plots.mistakes import confusion, misclassified
from suffice.plots.mixtures import em_film, mixture_ellipses
from suffice.plots.pairs import scatter_3d, scatter_by_class
from suffice.plots.posteriors import posterior_surface, sampled_boundaries
from suffice.plots.predictions import agreement, predictive, residuals, sampled_functions
from suffice.plots.projections import class_boundary, projections
from suffice.plots.ranks import critical_difference
from suffice.plots.row_losses import loss_circles, loss_shares
from suffice.plots.scores import score_densities
from suffice.plots.series import series_chart
from suffice.plots.steps import metropolis_steps
from suffice.plots.surfaces import error_bars, evidence_path, weight_surface
from suffice.plots.validation import learning_curve, selection_path, validation_curve

__all__ = [
    "agreement",
    "autocorrelation",
    "baseline_ceiling",
    "bound_trace",
    "box_plot",
    "calibration",
    "calibration_ranks",
    "chain_ranks",
    "chain_trace",
    "class_boundary",
    "class_conditionals",
    "class_regions",
    "coefficient_path",
    "coefficients",
    "comparison",
    "component_selection",
    "confusion",
    "contour",
    "correlation_map",
    "coverage",
    "critical_difference",
    "density",
    "em_film",
    "error_bars",
    "error_rates",
    "evidence",
    "evidence_contours",
    "evidence_path",
    "forest",
    "histogram",
    "influence",
    "interval_coverage",
    "jitter",
    "joint_table",
    "learning_curve",
    "link_functions",
    "loss_circles",
    "loss_shares",
    "matrix_plot",
    "metropolis_steps",
    "misclassified",
    "missingness_map",
    "mixture_ellipses",
    "normal_quantiles",
    "pair_plot",
    "parallel_coordinates",
    "pit",
    "posterior_evolution",
    "posterior_surface",
    "practical_equivalence",
    "precision_recall",
    "prediction_comparison",
    "predictive",
    "projections",
    "residuals",
    "roc",
    "sampled_boundaries",
    "sampled_functions",
    "scatter_3d",
    "scatter_by_class",
    "score_densities",
    "selection_path",
    "series_chart",
    "sorted_methods",
    "spaghetti",
    "splits",
    "threshold_curves",
    "trace",
    "two_layer",
    "validation_curve",
    "weight_surface",
]
