"""What a model has to beat: predictions that ignore the columns."""

from suffice.baselines.mean import MeanRegressor

__all__ = ["MeanRegressor"]
