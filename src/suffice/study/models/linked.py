"""Generalized linear models: labels, counts and numbers, fitted by a few passes over the rows.

Each says its weights with standard errors, the log likelihood, the deviance and, where there is no penalty, AIC.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.glm import (
    GLM,
    BayesianLogisticRegression,
    BayesianPoissonRegression,
    LogisticRegression,
    PoissonRegression,
    ProbitRegression,
    SoftmaxRegression,
)
from suffice.study.models.bounded_poisson import BoundedBayesianPoissonRegression, BoundedPoissonRegression
from suffice.study.models.candidate import Candidate, Trying
from suffice.study.models.scatter import too_scattered
from suffice.study.models.sizes import by_newton_passes, either, few_classes, narrow
from suffice.study.sections import Estimates


# -- what each model says about itself -----------------------------------------------------------------------
def _weights(model: Any, names: Sequence[str], confidence: float) -> Estimates:
    """Weights and standard errors from the curvature; several classes have as many functions."""
    s = model.summary(confidence)
    return Estimates(s.term, s.estimate, s.std_error, s.low, s.high)


def _likelihood(m: Any) -> dict[str, float]:
    found = {"Log likelihood": m.log_likelihood_, "Deviance": m.deviance_, "Parameters": m.n_parameters_}
    return found | ({"AIC": m.aic_} if m.prior_precision == 0 else {})


def _evidence(m: Any) -> dict[str, float]:
    more = {} if m.evidence_kind_ == "laplace" else {"Standard error of it": m.log_evidence_error_}
    if m.evidence_kind_ == "bridge":
        more |= {
            "Worst R-hat": m.posterior_.r_hat.max(),
            "Smallest effective sample size": m.posterior_.ess.min(),
        }
    return {
        "Log evidence": m.log_evidence_,
        **more,
        "Prior precision": m.prior_precision_,
        "Effective parameters": m.effective_parameters_,
        "Log likelihood": m.log_likelihood_,
    }


def _precisions(problem: Any) -> dict[str, Any]:
    """Precisions of a normal prior on the weights of standardized columns."""
    return {"prior_precision": tuple(np.logspace(-2, 4, 9).tolist())}


def _few_precisions(problem: Any) -> dict[str, Any]:
    """The same; fewer for many columns, which take long."""
    if problem.Z.shape[1] <= MOST_COLUMNS:
        return _precisions(problem)
    return {"prior_precision": (1.0, 10.0, 100.0, 1000.0)}


MOST_COLUMNS = 200  # Newton's method decomposes so many columns at every step
CLASSES = ("binary", "multi-class")
LINKED: tuple[Candidate, ...] = (
    Candidate(
        "logistic",
        "Logistic regression",
        lambda: LogisticRegression(prior_precision=0.0),
        "Log odds of two classes, or of several, linear in the columns; prior_precision shrinks the weights.",
        _weights,
        _likelihood,
        Trying(
            CLASSES,
            {"standardize": True},
            _precisions,
            "prior_precision",
            few_classes(narrow(MOST_COLUMNS)),
            by_newton_passes,
        ),
        needs="labels",
        generative=False,
        book=("FCML §4.2–4.3", "Herbst §4.3.1", "DTU §8.2"),
        complexity=20,
        finds_scale=True,
    ),
    Candidate(
        "probit",
        "Probit regression",
        ProbitRegression,
        "Two classes, with a normal error in place of logistic regression's.",
        _weights,
        _likelihood,
        Trying(
            ("binary",),
            {"standardize": True},
            _precisions,
            "prior_precision",
            narrow(MOST_COLUMNS),
            by_newton_passes,
        ),
        needs="two labels",
        generative=False,
        book=("FCML §7.7.1",),
        complexity=25,
        finds_scale=True,
    ),
    Candidate(
        "softmax",
        "Softmax regression",
        SoftmaxRegression,
        "A linear function per class; parametrization=reduced counts from the last class.",
        _weights,
        _likelihood,
        needs="labels",
        generative=False,
        book=("Herbst §4.3.2", "DTU §5.4.3", "DTU §15.3.3"),
        complexity=20,
    ),
    Candidate(
        "bayesian-logistic",
        "Bayesian logistic regression",
        lambda: BayesianLogisticRegression(standardize=True),
        "A normal prior on the weights of the standardized columns; its width is found by maximizing the evidence, in "
        "about a hundred passes (prior_precision=1: a few). inference=laplace, quadrature, metropolis-hastings, nuts.",
        _weights,
        _evidence,
        Trying(
            ("binary",), {}, prior="prior_precision", why_not=narrow(MOST_COLUMNS), seconds=by_newton_passes
        ),
        needs="two labels",
        generative=False,
        book=("FCML §4.2–4.5", "Herbst §4.5"),
        complexity=10,
        states_uncertainty=True,
        finds_scale=True,
    ),
    Candidate(
        "poisson",
        "Poisson regression",
        PoissonRegression,
        "Counts whose log rate is linear in the columns.",
        _weights,
        _likelihood,
        Trying(
            ("counts",),
            {"standardize": True},
            _few_precisions,
            "prior_precision",
            narrow(5 * MOST_COLUMNS),
            by_newton_passes,
            BoundedPoissonRegression,
        ),
        needs="counts to predict",
        generative=False,
        book=("DTU §8.3", "FCML ex. 4.6–4.8"),
        complexity=20,
        finds_scale=True,
    ),
    Candidate(
        "bayesian-poisson",
        "Bayesian Poisson regression",
        lambda: BayesianPoissonRegression(standardize=True),
        "The same for counts; predictions average over what the rows leave open.",
        _weights,
        _evidence,
        Trying(
            ("counts",),
            {},
            prior="prior_precision",
            why_not=either(too_scattered, narrow(MOST_COLUMNS)),
            seconds=by_newton_passes,
            build=lambda: BoundedBayesianPoissonRegression(standardize=True),
        ),
        needs="counts to predict",
        generative=False,
        book=("FCML ex. 4.6–4.8", "FCML §4.4"),
        complexity=10,
        states_uncertainty=True,
        finds_scale=True,
    ),
    Candidate(
        "glm",
        "Generalized linear model",
        GLM,
        "likelihood=gaussian, bernoulli, poisson, gamma, … and link=log, logit, sqrt, …",
        _weights,
        lambda m: _likelihood(m) | {"Dispersion": m.dispersion_},
        needs="labels, counts or numbers",
        generative=False,
        book=("DTU §8.3", "FCML §5.2.2.1"),
        complexity=40,
    ),
)
