"""From the table as it comes to the columns a model wants.

Transformers with a visible fitted state (`state_`), and functions that turn a series into a table.
"""

from suffice.prepare.basis_transformer import BasisTransformer
from suffice.prepare.calendar import CalendarFeatures
from suffice.prepare.embedding import Embedding, embed
from suffice.prepare.resampling import Balanced, class_weights, oversample, undersample
from suffice.prepare.series import Resampled, interpolate, resample
from suffice.prepare.standardizer import Standardizer
from suffice.prepare.trend import Detrended, detrend

__all__ = [
    "Balanced",
    "BasisTransformer",
    "CalendarFeatures",
    "Detrended",
    "Embedding",
    "Resampled",
    "Standardizer",
    "class_weights",
    "detrend",
    "embed",
    "interpolate",
    "oversample",
    "resample",
    "undersample",
]
