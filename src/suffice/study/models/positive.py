"""Models of the logarithm of a positive target; the squared error of the target itself judges them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import skew

from suffice.linear import BayesianLinearRegression, LinearRegression
from suffice.study.models.candidate import Candidate, Trying
from suffice.study.models.linear import MOST_COLUMNS, normal_weights, weights_of_least_squares
from suffice.study.models.log_scale import LogScale
from suffice.study.models.sizes import determined, either, narrow

SKEWED = 1.0  # of an exponential distribution it is 2


def needs_no_logarithm(problem: Any) -> str | None:
    """None where a target is positive, skewed, and less so in logarithms; else a reason that goes without saying."""
    y = np.asarray(problem.y, dtype=float)
    if y.min() <= 0 or not skew(y) > SKEWED:
        return ""
    return None if abs(skew(np.log(y))) < skew(y) else ""


POSITIVE: tuple[Candidate, ...] = (
    Candidate(
        "log-linear",
        "Linear regression of the logarithm",
        lambda: LogScale(LinearRegression()),
        "Least squares on the logarithm of a positive target; predicts its mean on the original scale, and no "
        "logarithm above the largest seen.",
        lambda m, names, confidence: weights_of_least_squares(m.model_, names, confidence),
        lambda m: {
            "Noise standard deviation of the logarithm": m.model_.noise_variance_**0.5,
            "Smearing factor": m.smearing_,
        },
        Trying(("regression",), {}, why_not=either(needs_no_logarithm, determined)),
        files=False,
        needs="positive numbers to predict, a few of them large",
        generative=False,
        complexity=12,
        states_uncertainty=True,
    ),
    Candidate(
        "log-bayesian",
        "Bayesian linear regression of the logarithm",
        lambda: LogScale(BayesianLinearRegression(standardize=True)),
        "A Gaussian prior on the weights of the standardized columns, for the logarithm of a positive target.",
        lambda m, names, confidence: normal_weights(m.model_, names, confidence),
        lambda m: {
            "Noise standard deviation of the logarithm": m.model_.noise_precision_**-0.5,
            "Smearing factor": m.smearing_,
        },
        Trying(("regression",), {}, why_not=either(needs_no_logarithm, narrow(MOST_COLUMNS))),
        files=False,
        needs="positive numbers to predict, a few of them large",
        generative=False,
        complexity=22,
        states_uncertainty=True,
        finds_scale=True,
    ),
)
