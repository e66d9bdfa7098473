"""Models of numbers: the mean, least squares, and its penalized, Bayesian and robust relatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.dummy import DummyRegressor

from suffice.baselines import LastValue, MeanRegressor, MedianRegressor
from suffice.bases import Polynomial
from suffice.distributions import Normal, StudentT
from suffice.linear import (
    ARDRegression,
    BayesianLinearRegression,
    ConjugateLinearRegression,
    Lasso,
    LeastAbsoluteDeviations,
    LeastMeanSquares,
    LinearRegression,
    QNormRegression,
    Ridge,
)
from suffice.study.models.candidate import Candidate, Trying
from suffice.study.models.sizes import determined, few_products, narrow, of_products, tall
from suffice.study.sections import Estimates


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


# -- what a study chooses among --------------------------------------------------------------------------------
NUMBERS = ("regression",)  # counts have models of their own, which predict nothing below zero
MOST_COLUMNS = 1_000  # for models with one decomposition per training set


def _penalties(problem: Any) -> dict[str, Any]:
    """Penalties on squared weights of standardized columns, in units of the number of rows: from none to all.

    A penalty of n·c divides the weight of a column that stands alone by 1 + c, whatever the unit of the target.
    """
    return {"alpha": tuple((problem.n * np.logspace(-6, 2, 17)).tolist())}


def _absolute_penalties(problem: Any) -> dict[str, Any]:
    """Penalties on absolute weights, in units of the target's spread, beyond which every weight is zero."""
    spread = float(np.sqrt(np.cov(problem.y, aweights=problem.weight, ddof=0)))
    return {"alpha": tuple((spread * np.logspace(-4, 0, 13)).tolist())}


def weights_of_least_squares(model: LinearRegression, names: Sequence[str], confidence: float) -> Estimates:
    s = model.summary(confidence)
    return Estimates(("intercept", *names), s.estimate, s.std_error, s.low, s.high)


def normal_weights(model: BayesianLinearRegression, names: Sequence[str], confidence: float) -> Estimates:
    d = model.posterior_
    return _central(names, d.mean, np.sqrt(np.diagonal(d.cov)), np.inf, confidence)


class LastKnown(DummyRegressor):
    """Predicts the last target of the training rows: for rows in the order of time, that nothing changes."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LastKnown:
        """Keep the last target."""
        super().fit(X, y, sample_weight)
        self.constant_ = np.asarray(y, dtype=float)[-1:].reshape(1, 1)
        return self


MEAN = Candidate(
    "mean",
    "Mean",
    MeanRegressor,
    "Predicts the mean of the target and ignores every column: what a model has to beat.",
    facts=lambda m: {"Mean of the target": m.mean_},
    study=Trying(NUMBERS, {}),
    kind="baseline",
    needs="a target of numbers",
    book=("DTU §7.3.4", "DTU §11.2.1"),
    complexity=0,
    states_uncertainty=True,
)
LAST_KNOWN = Candidate(
    "last-known",
    "Last value",
    LastKnown,
    "Predicts the last target before the rows to predict and ignores every column: what a model of a series has to "
    "beat. It is never chosen.",
    study=Trying(("regression", "counts"), {}),
    kind="baseline",
    files=False,
    needs="a target of numbers, rows in the order of time",
    book=("DTU §10.3.3",),
)
LINEAR: tuple[Candidate, ...] = (
    MEAN,
    Candidate(
        "linear",
        "Linear regression",
        LinearRegression,
        "Least squares on all columns, with standard errors and Student-t predictions.",
        weights_of_least_squares,
        lambda m: {"Noise standard deviation": m.noise_variance_**0.5, "AIC": m.aic_, "BIC": m.bic_},
        Trying(NUMBERS, {}, why_not=determined),
        needs="numbers to predict, more rows than columns",
        generative=False,
        book=("FCML ch. 1–2", "DTU §8.1", "PRML §3.1"),
        complexity=10,
        states_uncertainty=True,
    ),
    Candidate(
        "ridge",
        "Ridge regression",
        lambda: Ridge(1.0, standardize=True),
        "Least squares with a penalty on the squared weights of the standardized columns.",
        _points,
        _penalty,
        Trying(NUMBERS, {}, _penalties, "alpha", narrow(MOST_COLUMNS)),
        needs="numbers to predict; many or related columns",
        generative=False,
        book=("FCML §1.6", "DTU §14.1", "PRML §3.1.4"),
        complexity=30,
        finds_scale=True,
    ),
    Candidate(
        "lasso",
        "Lasso",
        lambda: Lasso(1.0, standardize=True),
        "Least squares with a penalty on the absolute weights of the standardized columns; some become zero.",
        _points,
        _penalty,
        Trying(NUMBERS, {}, _absolute_penalties, "alpha", narrow(6 * MOST_COLUMNS)),
        needs="numbers to predict; few of many columns matter",
        generative=False,
        book=("FCML §1.6", "DTU §14.1.1", "PRML §3.1.4"),
        complexity=40,
        finds_scale=True,
    ),
    Candidate(
        "bayesian",
        "Bayesian linear regression",
        lambda: BayesianLinearRegression(standardize=True),
        "A Gaussian prior on the weights of the standardized columns; its width and the noise are found by "
        "maximizing the evidence.",
        normal_weights,
        lambda m: {"Noise standard deviation": m.noise_precision_**-0.5} | _evidence(m),
        Trying(NUMBERS, {}, prior="prior_precision", why_not=narrow(MOST_COLUMNS)),
        needs="numbers to predict",
        generative=False,
        book=("FCML §3.7–3.8", "Herbst ch. 3", "PRML §3.3–3.5"),
        complexity=20,
        states_uncertainty=True,
        finds_scale=True,
    ),
    Candidate(
        "ard",
        "Automatic relevance determination",
        lambda: ARDRegression(standardize=True),
        "A prior of its own width for each weight, found by maximizing the evidence; useless columns drop out.",
        _relevant,
        lambda m: {"Noise standard deviation": m.noise_precision_**-0.5} | _evidence(m),
        Trying(NUMBERS, {}, why_not=tall(200, 0.5)),
        needs="numbers to predict; few of many columns matter",
        generative=False,
        book=("PRML §3.5",),
        complexity=50,
        states_uncertainty=True,
        finds_scale=True,
    ),
    Candidate(
        "quadratic",
        "Quadratic ridge regression",
        lambda: Ridge(1.0, basis=Polynomial(2, interactions=True), standardize=True),
        "Ridge regression on all columns, their squares and their products.",
        facts=_penalty,
        study=Trying(NUMBERS, {}, _penalties, "alpha", few_products, of_products),
        needs="numbers to predict from a few columns that bend or work together",
        generative=False,
        book=("FCML §1.4–1.6", "DTU §8.1.1", "PRML §3.1"),
        complexity=80,
    ),
    Candidate(
        "conjugate",
        "Conjugate linear regression",
        lambda: ConjugateLinearRegression(standardize=True),
        "A Normal-gamma prior on the weights of the standardized columns and the noise; Student-t predictions.",
        _student,
        _evidence,
        needs="numbers to predict, few rows",
        generative=False,
        book=("PRML §3.3.2", "PRML ex. 3.12–3.13"),
        complexity=20,
        states_uncertainty=True,
    ),
    Candidate(
        "q-norm",
        "q-norm regression",
        lambda: QNormRegression(1.5, 1.0, standardize=True),
        "Least squares with penalty 1 on |w|^q of the standardized columns, q = 1.5: between lasso and ridge.",
        _points,
        _penalty,
        needs="numbers to predict",
        generative=False,
        book=("PRML §3.1.4",),
        complexity=40,
    ),
    Candidate(
        "least-absolute",
        "Least absolute deviations",
        LeastAbsoluteDeviations,
        "A line through the median, which a wild row cannot drag away.",
        files=False,
        needs="numbers to predict, with wild rows",
        generative=False,
        book=("DTU §7.3.1",),
        complexity=30,
    ),
    Candidate(
        "least-mean-squares",
        "Least mean squares",
        lambda: LeastMeanSquares(standardize=True),
        "Least squares by one small step per row, for rows that come one after the other.",
        _points,
        files=False,
        needs="numbers to predict, rows as a stream",
        generative=False,
        book=("PRML §3.1.3",),
        complexity=30,
    ),
    Candidate(
        "median",
        "Median",
        MedianRegressor,
        "Predicts the median of the target: what a model has to beat where absolute errors count.",
        kind="baseline",
        files=False,
        needs="a target of numbers",
        book=("DTU §7.3.4",),
    ),
    Candidate(
        "last",
        "Last value",
        LastValue,
        "Predicts the value of one column, the last unless `column` names another.",
        facts=lambda m: {"Noise standard deviation": m.noise_variance_ml_**0.5},
        kind="baseline",
        needs="a series",
        book=("DTU §10.3.3",),
    ),
)
