"""What a model has to beat: predictions that learn nothing from the columns."""

from suffice.baselines.last_value import LastValue
from suffice.baselines.majority import MajorityClassifier
from suffice.baselines.mean import MeanRegressor
from suffice.baselines.median import MedianRegressor
from suffice.baselines.prior import PriorClassifier

__all__ = ["LastValue", "MajorityClassifier", "MeanRegressor", "MedianRegressor", "PriorClassifier"]
