"""How good is it, and how sure are we? Losses and validation: arrays and models in, records out.

`suffice.evaluation.protocols` says what a model implements to be validated without refitting; any other
scikit-learn estimator is refitted.
"""

from suffice._core.former_names import former_names
from suffice._core.losses import LOSSES, Loss
from suffice._core.validation import Validation
from suffice.evaluation.bias_variance import BiasVariance, TradeOff, bias_variance, bias_variance_path
from suffice.evaluation.bootstrap import bootstrap_variance
from suffice.evaluation.ceiling import ceiling
from suffice.evaluation.comparisons import (
    Adjusted,
    Coverage,
    MatchedPairs,
    PracticalEquivalence,
    Ranks,
    accuracy_from_counts,
    accuracy_interval,
    bayesian_correlated_t,
    correlated_interval,
    correlated_t,
    coverage,
    error_interval,
    friedman,
    holm,
    matched_pairs,
    mcnemar,
    mcnemar_from_counts,
    mean_difference,
    monte_carlo_p,
    nemenyi,
    paired_t,
    signed_rank,
    z_test,
)
from suffice.evaluation.cost import ValidationCost, cv_cost
from suffice.evaluation.cross_validation import cross_validate
from suffice.evaluation.evidence import EvidenceComparison, compare_evidence
from suffice.evaluation.findings import Finding, Measured
from suffice.evaluation.grid_search import (
    GridSearchCV,
    HalvingGridSearchCV,
    RandomizedSearchCV,
    train_test_split,
)
from suffice.evaluation.junk import junk_attributes
from suffice.evaluation.learning import LearningCurve, learning_curve
from suffice.evaluation.measures.confusion import Confusion, confusion
from suffice.evaluation.measures.curves import ThresholdCurves, threshold_curves
from suffice.evaluation.measures.delong import delong
from suffice.evaluation.measures.error_rates import ErrorPoint, ErrorRates, error_rates
from suffice.evaluation.measures.gallery import Misclassified, misclassified, top_k
from suffice.evaluation.measures.loss_shares import LossShares, loss_shares
from suffice.evaluation.measures.per_class import PerClass
from suffice.evaluation.measures.precision_recall import PrecisionRecall, precision_recall
from suffice.evaluation.measures.rates import ConfusionCounts, counts_from_rates, rates_from_counts
from suffice.evaluation.measures.roc import Band, OneVsRest, Roc, one_vs_rest, roc
from suffice.evaluation.occam import (
    ExpectedBayesFactor,
    Occam,
    OccamFactor,
    expected_bayes_factor,
    occam,
    occam_factor,
)
from suffice.evaluation.pairs import PairFits, fit_pairs
from suffice.evaluation.path import ValidationPath, validate_path
from suffice.evaluation.peer_functions import cross_val_predict, cross_val_score, validation_curve
from suffice.evaluation.ranking import Ranking, rank_features
from suffice.evaluation.repeated import RepeatedExperiment, repeated_experiment
from suffice.evaluation.scores.brier import Brier, BrierParts, brier
from suffice.evaluation.scores.calibration import EventCalibration, calibration
from suffice.evaluation.scores.crps import crps
from suffice.evaluation.scores.log_score import log_score
from suffice.evaluation.scores.pit import IntervalCoverage, interval_coverage, pit, uniformity
from suffice.evaluation.scores.pit_calibration import PitCalibration
from suffice.evaluation.scores.score import Score
from suffice.evaluation.search import SearchCV, one_standard_error
from suffice.evaluation.selection import Selection, select_features
from suffice.evaluation.series import Consecutive, Padded, Rolling
from suffice.evaluation.setups import Comparison
from suffice.evaluation.simplify import SimplifyToDebug, simplify_to_debug
from suffice.evaluation.thresholds import BestThreshold, bayes_threshold, best_threshold, expected_cost
from suffice.evaluation.two_layer import TwoLayer, two_layer

__all__ = [
    "LOSSES",
    "Adjusted",
    "Band",
    "BestThreshold",
    "BiasVariance",
    "Brier",
    "BrierParts",
    "Comparison",
    "Confusion",
    "ConfusionCounts",
    "Consecutive",
    "Coverage",
    "ErrorPoint",
    "ErrorRates",
    "EventCalibration",
    "EvidenceComparison",
    "ExpectedBayesFactor",
    "Finding",
    "GridSearchCV",
    "HalvingGridSearchCV",
    "IntervalCoverage",
    "LearningCurve",
    "Loss",
    "LossShares",
    "MatchedPairs",
    "Measured",
    "Misclassified",
    "Occam",
    "OccamFactor",
    "OneVsRest",
    "Padded",
    "PairFits",
    "PerClass",
    "PitCalibration",
    "PracticalEquivalence",
    "PrecisionRecall",
    "RandomizedSearchCV",
    "Ranking",
    "Ranks",
    "RepeatedExperiment",
    "Roc",
    "Rolling",
    "Score",
    "SearchCV",
    "Selection",
    "SimplifyToDebug",
    "ThresholdCurves",
    "TradeOff",
    "TwoLayer",
    "Validation",
    "ValidationCost",
    "ValidationPath",
    "accuracy_from_counts",
    "accuracy_interval",
    "bayes_threshold",
    "bayesian_correlated_t",
    "best_threshold",
    "bias_variance",
    "bias_variance_path",
    "bootstrap_variance",
    "brier",
    "calibration",
    "ceiling",
    "compare_evidence",
    "confusion",
    "correlated_interval",
    "correlated_t",
    "counts_from_rates",
    "coverage",
    "cross_val_predict",
    "cross_val_score",
    "cross_validate",
    "crps",
    "cv_cost",
    "delong",
    "error_interval",
    "error_rates",
    "expected_bayes_factor",
    "expected_cost",
    "fit_pairs",
    "friedman",
    "holm",
    "interval_coverage",
    "junk_attributes",
    "learning_curve",
    "log_score",
    "loss_shares",
    "matched_pairs",
    "mcnemar",
    "mcnemar_from_counts",
    "mean_difference",
    "misclassified",
    "monte_carlo_p",
    "nemenyi",
    "occam",
    "occam_factor",
    "one_standard_error",
    "one_vs_rest",
    "paired_t",
    "pit",
    "precision_recall",
    "rank_features",
    "rates_from_counts",
    "repeated_experiment",
    "roc",
    "select_features",
    "signed_rank",
    "simplify_to_debug",
    "threshold_curves",
    "top_k",
    "train_test_split",
    "two_layer",
    "uniformity",
    "validate_path",
    "validation_curve",
    "z_test",
]

__getattr__ = former_names(__name__, {"BinaryCounts": ConfusionCounts, "Calibration": EventCalibration})
