"""How good is it, and how sure are we? Losses and validation: arrays and models in, records out.

A model offers fast validation by the Protocol `suffice.engine.source.FromStatistics`: `door`, `gather`,
`collect`, `solve`. Any other scikit-learn estimator is refitted.
"""

from suffice._core.validation import Validation
from suffice.evaluation.cross_validation import cross_validate
from suffice.evaluation.losses import LOSSES, Loss

__all__ = ["LOSSES", "Loss", "Validation", "cross_validate"]
