"""The penalty of a logistic regression as scikit-learn's parameters say it, and what they rule out.

`penalty` is the older way (scikit-learn before 1.8), `C` and `l1_ratio` the newer one: 0 ≤ ρ ≤ 1 is the share of the
absolute values. A constant has no penalty, except with `solver="liblinear"`, which counts it as the weight of a column
of `intercept_scaling`.
"""

from __future__ import annotations

import warnings
from typing import Any, Protocol

import numpy as np

from suffice._core.errors import Ignored, InvalidParameter, check_choice, check_flags, check_number, warn
from suffice._estimator import check_no_effect

SOLVERS = ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")
PENALTIES = ("l1", "l2", "elasticnet", "deprecated")
SHARES = {"l1": 1.0, "l2": 0.0}


class Penalized(Protocol):
    """The parameters that say what is penalized, and how much."""

    penalty: Any
    C: float | None
    l1_ratio: float | None
    prior_precision: float | None
    intercept_scaling: float
    penalize_intercept: bool
    fit_intercept: bool
    solver: str


def check_penalty(model: Penalized) -> None:
    """Refuse values outside their domains, and pairs that contradict each other."""
    if model.penalty is not None:
        check_choice("penalty", model.penalty, PENALTIES)
    if model.C is not None and model.prior_precision is not None:
        raise InvalidParameter(
            f"C is 1 / prior_precision; give one of them. Got C={model.C!r} and "
            f"prior_precision={model.prior_precision!r}."
        )
    if model.C is not None and not (isinstance(model.C, float) and np.inf == model.C):
        check_number("C", model.C, low=0.0, strict=True)
    if model.prior_precision is not None:
        check_number("prior_precision", model.prior_precision, low=0.0)
    if model.penalty is None and model.prior_precision:
        raise InvalidParameter(
            f"penalty=None is prior_precision=0; got prior_precision={model.prior_precision!r}. Leave one of them out."
        )
    if model.l1_ratio is not None and check_number("l1_ratio", model.l1_ratio, low=0.0) > 1:
        raise InvalidParameter(f"l1_ratio must lie in [0, 1]; got {model.l1_ratio!r}.")
    if model.penalty == "elasticnet" and model.l1_ratio is None:
        raise InvalidParameter("l1_ratio must be a number in [0, 1] where penalty='elasticnet'; got None.")
    check_number("intercept_scaling", model.intercept_scaling, low=0.0, strict=True)
    check_flags(model, "penalize_intercept", "dual")
    check_no_effect(model, "warm_start", "verbose", "random_state", "n_jobs", solver=SOLVERS)


def no_share(name: str) -> str:
    """What is said of None where a share of the absolute values is asked for."""
    return f"'{name}=None' was deprecated in scikit-learn 1.8 and will be an error there in 1.10; it means 0. Give 0."


def warn_of_ignored(model: Penalized) -> None:
    """Say which of the parameters given have no effect, or will have none."""
    if model.l1_ratio is None and model.penalty == "deprecated":
        warnings.warn(no_share("l1_ratio"), FutureWarning, stacklevel=3)
    if model.penalty is None and model.C not in (None, 1.0):
        warn(
            f"Setting penalty=None will ignore the C and l1_ratio parameters; got C={model.C!r}. Leave penalty out.",
            Ignored,
        )
    if model.penalty not in SHARES or model.l1_ratio is None:
        return
    if 0 < model.l1_ratio < 1:
        warn(
            "l1_ratio parameter is only used when penalty is 'elasticnet'. Got "
            f"(penalty={model.penalty}) and l1_ratio={model.l1_ratio!r}.",
            Ignored,
        )
    elif model.l1_ratio > 0 and model.penalty == "l2":
        warn(
            f"Inconsistent values: penalty={model.penalty} with l1_ratio={model.l1_ratio}. The penalty is 'l2'; leave "
            "one of them out.",
            Ignored,
        )


def precision(model: Penalized) -> float:
    """α of the weights."""
    if model.penalty is None:
        return 0.0
    if model.prior_precision is not None:
        return float(model.prior_precision)
    return 1.0 if model.C is None else 1 / float(model.C)


def share_of_absolutes(model: Penalized) -> float:
    """ρ."""
    if model.penalty is None:
        return 0.0
    return float(SHARES.get(model.penalty, model.l1_ratio or 0.0))


def penalizes_constant(model: Penalized) -> bool:
    return model.fit_intercept and (model.penalize_intercept or model.solver == "liblinear")


def scaling(model: Penalized) -> float:
    """The value of the column whose weight the constant is."""
    return float(model.intercept_scaling) if model.solver == "liblinear" else 1.0


__all__ = [
    "check_penalty",
    "no_share",
    "penalizes_constant",
    "precision",
    "scaling",
    "share_of_absolutes",
    "warn_of_ignored",
]
