"""How good is it, and how sure are we? Losses and validation: arrays and models in, records out.

`suffice.evaluation.protocols` says what a model implements to be validated without refitting; any other
scikit-learn estimator is refitted.
"""

from suffice._core.losses import LOSSES, Loss
from suffice._core.validation import Validation
from suffice.evaluation.bias_variance import BiasVariance, TradeOff, bias_variance, bias_variance_path
from suffice.evaluation.bootstrap import bootstrap_variance
from suffice.evaluation.cost import ValidationCost, cv_cost
from suffice.evaluation.cross_validation import cross_validate
from suffice.evaluation.findings import Finding, Measured
from suffice.evaluation.junk import junk_attributes
from suffice.evaluation.learning import LearningCurve, learning_curve
from suffice.evaluation.path import ValidationPath, validate_path
from suffice.evaluation.ranking import Ranking, rank_features
from suffice.evaluation.search import SearchCV, one_standard_error
from suffice.evaluation.selection import Selection, select_features
from suffice.evaluation.series import Consecutive, Padded, Rolling
from suffice.evaluation.two_layer import TwoLayer, two_layer

__all__ = [
    "LOSSES",
    "BiasVariance",
    "Consecutive",
    "Finding",
    "LearningCurve",
    "Loss",
    "Measured",
    "Padded",
    "Ranking",
    "Rolling",
    "SearchCV",
    "Selection",
    "TradeOff",
    "TwoLayer",
    "Validation",
    "ValidationCost",
    "ValidationPath",
    "bias_variance",
    "bias_variance_path",
    "bootstrap_variance",
    "cross_validate",
    "cv_cost",
    "junk_attributes",
    "learning_curve",
    "one_standard_error",
    "rank_features",
    "select_features",
    "two_layer",
    "validate_path",
]
