"""Linear models that `suffice fit` knows beside those of a study, and those that need all rows at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.distributions import Normal, StudentT
from suffice.linear import (
    ARDRegression,
    ConjugateLinearRegression,
    Lasso,
    LeastAbsoluteDeviations,
    QNormRegression,
)
from suffice.study import Candidate, Estimates


# -- what each model says about itself -----------------------------------------------------------------
def _points(model: Any, names: Sequence[str], confidence: float) -> Estimates:
    """Weights, which these models state without errors."""
    start = [model.intercept_] if model.fit_intercept or model.intercept_ else []
    values = np.concatenate([start, model.coef_])
    unknown = np.full_like(values, np.nan)
    return Estimates(("intercept", *names), values, unknown, unknown, unknown)


def _relevant(model: ARDRegression, names: Sequence[str], confidence: float) -> Estimates:
    """Normal posterior of each weight; one that was pruned is zero for sure."""
    d = model.posterior_
    return _central(names, d.mean, np.sqrt(np.diagonal(d.cov)), np.inf, confidence)


def _student(model: ConjugateLinearRegression, names: Sequence[str], confidence: float) -> Estimates:
    """Student-t posterior of each weight, the noise integrated out."""
    d = model.posterior_
    scale = np.sqrt(d.rate / d.shape * np.diagonal(d.cov))
    return _central(names, d.mean, scale, 2 * float(d.shape), confidence)


def _central(names: Sequence[str], mean: Any, scale: np.ndarray, dof: float, confidence: float) -> Estimates:
    """Central intervals; the error is the standard deviation."""
    mean, shape = np.asarray(mean), Normal(0.0, 1.0) if np.isinf(dof) else StudentT(dof, 0.0, 1.0)
    low, high = (float(end) for end in shape.interval(confidence))
    std = float(shape.std)
    return Estimates(("intercept", *names), mean, std * scale, mean + low * scale, mean + high * scale)


def _penalty(m: Any) -> dict[str, float]:
    return {"Penalty": m.alpha, "Effective parameters": m.effective_parameters_}


def _evidence(m: Any) -> dict[str, float]:
    return {"Effective parameters": m.effective_parameters_, "Log evidence": m.log_evidence_}


LINEAR: tuple[Candidate, ...] = (
    Candidate(
        "lasso",
        "Lasso",
        lambda: Lasso(1.0, standardize=True),
        "Least squares with penalty 1 on the absolute weights of the standardized columns; some become zero.",
        _points,
        _penalty,
    ),
    Candidate(
        "q-norm",
        "q-norm regression",
        lambda: QNormRegression(1.5, 1.0, standardize=True),
        "Least squares with penalty 1 on |w|^q of the standardized columns, q = 1.5: between lasso and ridge.",
        _points,
        _penalty,
    ),
    Candidate(
        "conjugate",
        "Conjugate linear regression",
        lambda: ConjugateLinearRegression(standardize=True),
        "A Normal-gamma prior on the weights of the standardized columns and the noise; Student-t predictions.",
        _student,
        _evidence,
    ),
    Candidate(
        "ard",
        "Automatic relevance determination",
        lambda: ARDRegression(standardize=True),
        "A prior of its own width for each weight, found by maximizing the evidence; useless columns drop out.",
        _relevant,
        lambda m: {"Noise standard deviation": m.noise_precision_**-0.5} | _evidence(m),
    ),
)
ALL_ROWS: tuple[Candidate, ...] = (
    Candidate(
        "least-absolute",
        "Least absolute deviations",
        LeastAbsoluteDeviations,
        "A line through the median, which a wild row cannot drag away.",
    ),
)
