"""The models a study tries. Adding one is adding an entry to `CANDIDATES`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, Self

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._core.records import record
from suffice.baselines import MeanRegressor
from suffice.distributions import Normal
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge


@record
class Estimates:
    """Weights of a fitted model, intercept first. NaN where the model states no uncertainty."""

    term: tuple[str, ...]
    estimate: np.ndarray
    std_error: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def effects(self, spread: np.ndarray) -> Self:
        """The weights after the intercept, each for a step as long as the spread of its column."""
        columns = (self.estimate, self.std_error, self.low, self.high)
        return type(self)(self.term[1:], *(spread * column[1:] for column in columns))


def _no_estimates(model: Any, names: Sequence[str], confidence: float) -> Estimates | None:
    return None


def _no_facts(model: Any) -> dict[str, float]:
    return {}


@record
class Candidate:
    """A model a study may try.

    `build()` makes the unfitted estimator; `estimates(model, names, confidence)` are its weights once
    fitted, where it has any; `facts(model)` are numbers worth printing, by name.
    """

    name: str
    title: str
    build: Callable[[], Any]
    description: str
    estimates: Callable[[Any, Sequence[str], float], Estimates | None] = _no_estimates
    facts: Callable[[Any], dict[str, float]] = _no_facts


# -- what each model says about itself -----------------------------------------------------------------
def _least_squares(model: LinearRegression, names: Sequence[str], confidence: float) -> Estimates:
    s = model.summary(confidence)
    return Estimates(("intercept", *names), s.estimate, s.std_error, s.low, s.high)


def _posterior(model: BayesianLinearRegression, names: Sequence[str], confidence: float) -> Estimates:
    d = model.posterior_
    mean, std = np.asarray(d.mean), np.sqrt(np.diagonal(d.cov))
    return Estimates(("intercept", *names), mean, std, *Normal(mean, std).interval(confidence))


def _points(model: Ridge, names: Sequence[str], confidence: float) -> Estimates:
    values = np.concatenate([[model.intercept_], model.coef_])
    unknown = np.full_like(values, np.nan)
    return Estimates(("intercept", *names), values, unknown, unknown, unknown)


BASELINE = Candidate(
    "mean",
    "Mean",
    MeanRegressor,
    "Predicts the mean of the target and ignores every column: what a model has to beat.",
    facts=lambda m: {"Mean of the target": m.mean_},
)
CANDIDATES: tuple[Candidate, ...] = (
    BASELINE,
    Candidate(
        "linear",
        "Linear regression",
        LinearRegression,
        "Least squares on all columns, with standard errors and Student-t predictions.",
        _least_squares,
        lambda m: {"Noise standard deviation": math.sqrt(m.noise_variance_), "AIC": m.aic_, "BIC": m.bic_},
    ),
    Candidate(
        "ridge",
        "Ridge regression",
        lambda: Ridge(1.0, standardize=True),
        "Least squares with penalty 1 on the squared weights of the standardized columns.",
        _points,
        lambda m: {"Penalty": m.alpha, "Effective parameters": m.effective_parameters_},
    ),
    Candidate(
        "bayesian",
        "Bayesian linear regression",
        lambda: BayesianLinearRegression(standardize=True),
        "A Gaussian prior on the weights of the standardized columns; its width and the noise are found by "
        "maximizing the evidence.",
        _posterior,
        lambda m: {
            "Noise standard deviation": m.noise_precision_**-0.5,
            "Effective parameters": m.effective_parameters_,
            "Log evidence": m.log_evidence_,
        },
    ),
)


def chosen_candidates(models: Sequence[str | Candidate] | None) -> tuple[Candidate, ...]:
    """Candidates by name, or as given, each once; the baseline always comes first."""
    known = {c.name: c for c in CANDIDATES}
    picked = {BASELINE.name: BASELINE}
    for model in known if models is None else models:
        candidate = model if isinstance(model, Candidate) else known.get(model)
        if candidate is None:
            near = get_close_matches(str(model), known, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InvalidParameter(f"models must be among {', '.join(known)}; got {model!r}.{hint}")
        if picked.setdefault(candidate.name, candidate) != candidate:
            raise InvalidParameter(f"Two candidates are named {candidate.name!r}; names must differ.")
    titles = [c.title for c in picked.values()]
    if len(set(titles)) < len(titles):
        raise InvalidParameter(f"Candidates must have different titles; got {', '.join(titles)}.")
    return tuple(picked.values())
