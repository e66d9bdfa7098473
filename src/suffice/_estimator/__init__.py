"""The shells that estimators of every family share: scikit-learn's contract, the door, the linear model."""

from suffice._estimator.estimator import (
    Estimator,
    check_is_fitted,
    check_weight,
    open_inputs,
    open_table,
    refuse_nonfinite,
    remember_columns,
)
from suffice._estimator.from_sums import AddsRows, FromSums, check_not_empty
from suffice._estimator.linear_model import LinearModel, warn_dependent, warn_ill_conditioned
from suffice._estimator.linear_smoother import LinearSmoother
from suffice._estimator.no_effect import check_no_effect
from suffice._estimator.validation import LinearPath

__all__ = [
    "AddsRows",
    "Estimator",
    "FromSums",
    "LinearModel",
    "LinearPath",
    "LinearSmoother",
    "check_is_fitted",
    "check_no_effect",
    "check_not_empty",
    "check_weight",
    "open_inputs",
    "open_table",
    "refuse_nonfinite",
    "remember_columns",
    "warn_dependent",
    "warn_ill_conditioned",
]
