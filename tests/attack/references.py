"""Fits against what others compute: numpy's least squares, scikit-learn, optimality conditions, dense evidence."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from scipy.special import expit
from scipy.stats import norm
from sklearn import discriminant_analysis, naive_bayes

from suffice.linear import ConjugateLinearRegression

from ..contract import brute
from ..contract.registry import ENTRIES
from . import answers
from .models import build, condition, pick
from .tables import Problem, draw, new_rows, replaced
from .trial import WELL, Skip, Trial
from .units import share_of_lasso

RANK = 1e-11  # of unit columns: theirs drops directions below 1e-4 unless told otherwise
LEAST = 1e-150  # of a slope: the square of a smaller one, which a weight would multiply it with, is no number
Claims = dict[str, tuple[Any, Any, Any]]  # name: (the library's, theirs, unit)


def reference(trial: Trial) -> None:
    """A fit, and what someone else says about the same rows."""
    entry = pick(trial, [e for e in ENTRIES if e.cls.__name__ in REFERENCES])
    model, problem = build(trial, entry), draw(trial, entry, weighted=0.4 * (not trial.tame))
    if getattr(model, "basis", None) is not None:
        raise Skip("functions of the columns")
    new = new_rows(trial, problem.X, model)
    if problem.numbers:
        trial.posed(condition(model, problem.X, problem.weight))
    extra = () if problem.weight is None else (problem.weight,)
    fitted = trial.ask(lambda: model.fit(problem.X, problem.y, *extra))
    listening = trial.ask(answers.said, fitted, new)
    claims = trial.honest(REFERENCES[entry.cls.__name__], fitted, problem, new, listening)
    if (
        trial.tame
        and "prediction" in listening
        and hasattr(fitted, "coef_")
        and not hasattr(fitted, "trace_")
    ):
        by_hand = fitted.intercept_ + new @ np.asarray(fitted.coef_).T
        unit = answers.unit_of_predictions(by_hand, problem.y)
        claims["prediction by the reported weights"] = (listening["prediction"], by_hand, unit)
    for name, (mine, theirs, unit) in claims.items():
        if np.all(np.isfinite(np.asarray(theirs, dtype=float))):
            trial.same(name, mine, theirs, unit)


def weightless(problem: Problem) -> bool:
    """Whether some class has no row that counts: some keep it, some do not."""
    w = weight_of(problem)
    return len(np.unique(problem.y[w > 0])) < len(np.unique(problem.y))


def weight_of(problem: Problem) -> np.ndarray:
    return np.ones(len(problem)) if problem.weight is None else problem.weight


def design(model: Any, problem: Problem, new: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns in units of their spread, rows and new rows, and the units; centred where there is an intercept."""
    w = weight_of(problem)
    A, B = problem.X, new
    if model.fit_intercept:
        mean = w @ A / w.sum()
        A, B = A - mean, B - mean
        rest = w @ A / w.sum()  # the mean of a column far from zero is rounded
        A, B = A - rest, B - rest
    size = np.abs(A[w > 0]).max(axis=0)
    size = np.where(size > 16 * np.finfo(float).eps * np.abs(problem.X).max(axis=0), size, np.inf)
    return A / size, B / size, size


def least_squares(model: Any, problem: Problem, new: np.ndarray, said: Any) -> Claims:
    if model.positive or model.singular_cutoff is not None or (model.standardize and not model.fit_intercept):
        raise Skip("another objective")
    return penalized(model, problem, new, said, 0.0)


def ridge(model: Any, problem: Problem, new: np.ndarray, said: Any) -> Claims:
    if model.standardize or model.positive or model.penalize_intercept or model.penalty_scale != "sum":
        raise Skip("another objective")
    return penalized(model, problem, new, said, model.alpha)


def penalized(model: Any, problem: Problem, new: np.ndarray, said: Any, alpha: float) -> Claims:
    """Rows √w (x, y) and √alpha times the identity, by the singular values of numpy's least squares."""
    A, B, size = design(model, problem, new)
    root = np.sqrt(weight_of(problem))
    mean = root**2 @ problem.y / (root**2).sum() if model.fit_intercept else 0.0
    C = np.vstack([root[:, None] * A, np.diag(np.where(np.isinf(size), 0.0, np.sqrt(alpha) / size))])
    t = np.concatenate([root * (problem.y - mean), np.zeros(len(size))])
    found = mean + B @ np.linalg.lstsq(C, t, rcond=1e-14)[0]
    return {"prediction": (said["prediction"], found, answers.unit_of_predictions(found, problem.y))}


def gradient_of_lasso(model: Any, problem: Problem, new: np.ndarray, said: Any) -> Claims:
    """The slope of the squares is within the penalty, and at its edge where a weight is not zero."""
    if model.standardize or model.positive:
        raise Skip("another objective")
    one = model.alpha * getattr(model, "l1_ratio", 1.0)
    two = model.alpha - one
    w = weight_of(problem)
    r = problem.y - model.predict(problem.X)
    mean = w @ problem.X / w.sum() if model.fit_intercept else 0.0
    A = problem.X - mean
    slope = A.T @ (w * r) / w.sum() - two * model.coef_
    top = np.sqrt(w @ A**2 / w.sum()) * answers.spread(problem.y)
    free = np.abs(model.coef_) > 0
    excess = np.where(free, slope - one * np.sign(model.coef_), np.maximum(np.abs(slope) - one, 0.0))
    unit = np.maximum(top, one) * 100  # it stops at a duality gap
    return {"slope": (excess, np.zeros(len(excess)), np.where(unit > 0, unit, 1.0))}


def evidence(model: Any, problem: Problem, new: np.ndarray, said: Any) -> Claims:
    if model.standardize and not model.fit_intercept:
        raise Skip("columns that are not centred")
    if problem.weight is not None and np.any(problem.weight != np.round(problem.weight)):
        raise Skip("fractions of rows")
    if problem.weight is not None and problem.weight.sum() > 500:
        raise Skip("too many rows")
    X = problem.X
    if model.fit_intercept and model.intercept == "flat":  # the origin of the columns is free
        X = X - np.average(X, axis=0, weights=problem.weight)
    theirs = dense_evidence(model, X, problem.y, problem.weight)
    return {"evidence": (model.log_evidence_, theirs, np.maximum(1.0, abs(theirs)))}


def dense_evidence(model: Any, X: np.ndarray, y: np.ndarray, weight: Any) -> float:
    """log ∫ p(y | θ) p(θ) dθ from the N × N covariance of y, with forty digits."""
    A, y, m, S, noise = brute.problem(model, X, y, weight)
    with mpmath.workdps(40):
        A, S, y = (mpmath.matrix(np.asarray(v, dtype=float).tolist()) for v in (A, S, y - A @ m))
        C = mpmath.matrix(np.asarray(noise, dtype=float).tolist()) + (A * S * A.T if A.cols else 0)
        L = mpmath.cholesky(C)
        z, n = mpmath.lu_solve(L, y), len(y)
        log_det, square = 2 * sum(mpmath.log(L[i, i]) for i in range(n)), (z.T * z)[0]
        if model.fit_intercept and model.intercept == "flat":
            e = mpmath.lu_solve(L, mpmath.ones(n, 1))
            ee, ez = (e.T * e)[0], (e.T * z)[0]
            n, log_det, square = n - 1, log_det + mpmath.log(ee), square - ez**2 / ee
        if isinstance(model, ConjugateLinearRegression):
            a, b = mpmath.mpf(model.shape), mpmath.mpf(model.rate)
            constant = a * mpmath.log(b) + mpmath.loggamma(a + mpmath.mpf(n) / 2) - mpmath.loggamma(a)
            density = n * mpmath.log(2 * mpmath.pi) + log_det
            return float(constant - density / 2 - (a + mpmath.mpf(n) / 2) * mpmath.log(b + square / 2))
        return float(-(n * mpmath.log(2 * mpmath.pi) + log_det + square) / 2)


# -- likelihoods with a link -------------------------------------------------------------------------------
def stationary(
    model: Any, problem: Problem, score: np.ndarray, precision: float, absolutes: float = 0.0
) -> Claims:
    """The gradient of the penalized log likelihood, in units of what single rows contribute; `absolutes` is the share
    of |θ| in the penalty, whose slope is within one where θ is zero."""
    w = weight_of(problem)
    if condition(model, problem.X, problem.weight)[0] > WELL:
        raise Skip("slopes along directions that hardly move anything")
    A = np.column_stack([np.ones(len(w)), problem.X]) if model.fit_intercept else problem.X
    coef = np.ravel(model.coef_)
    theta = np.concatenate([np.ravel(model.intercept_), coef]) if model.fit_intercept else coef
    penalty = np.full(len(theta), precision)
    if model.fit_intercept and not model.penalize_intercept:
        penalty[0] = 0.0
    slope = A.T @ (w * score) - (1 - absolutes) * penalty * theta
    edge = absolutes * penalty
    alive = np.abs(theta) > 1e-14 * np.abs(theta).max(
        initial=0.0
    )  # a constant is counted from the mean of columns
    slope = np.where(
        alive, slope - edge * np.sign(theta), np.sign(slope) * np.maximum(np.abs(slope) - edge, 0)
    )
    size = np.abs(A).T @ (w * np.maximum(np.abs(score), 0.1)) + np.abs(penalty * theta) + edge
    return {"slope": (slope, np.zeros(len(slope)), np.where(size > LEAST, size, 1.0))}


def balanced(model: Any, problem: Problem) -> Problem:
    if getattr(model, "class_weight", None) is not None:
        raise Skip("other weights")
    if getattr(model, "standardize", False):
        raise Skip("another penalty")
    return problem


def logistic(model: Any, problem: Problem, new: np.ndarray, said: Any) -> Claims:
    balanced(model, problem)
    if len(model.classes_) != 2:
        raise Skip("more than two classes")
    a = problem.X @ np.ravel(model.coef_) + np.ravel(model.intercept_)
    t = (problem.y == model.classes_[1]).astype(float)
    precision = (
        model.prior_precision
        if model.prior_precision is not None
        else 1 / (1.0 if model.C is None else model.C)
    )
    return stationary(model, problem, t - expit(a), precision, share_of_lasso(model))


def probit(model: Any, problem: Problem, new: np.ndarray, said: Any) -> Claims:
    balanced(model, problem)
    a = problem.X @ np.ravel(model.coef_) + np.ravel(model.intercept_)
    s = np.where(problem.y == model.classes_[1], 1.0, -1.0)
    return stationary(model, problem, s * np.exp(norm.logpdf(a) - norm.logcdf(s * a)), model.prior_precision)


def poisson(model: Any, problem: Problem, new: np.ndarray, said: Any) -> Claims:
    balanced(model, problem)
    a = problem.X @ np.ravel(model.coef_) + np.ravel(model.intercept_)
    return stationary(model, problem, problem.y - np.exp(a), model.prior_precision)


# -- scikit-learn --------------------------------------------------------------------------------------------
def probabilities(theirs: Any, problem: Problem, new: Any, said: Any, weighted: bool = True) -> Claims:
    if weightless(problem):
        raise Skip("a class without weight")
    extra = {"sample_weight": problem.weight} if problem.weight is not None and weighted else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        p = theirs.fit(problem.X, problem.y, **extra).predict_proba(new)
    return {"probability": (said["probability"], p, 1.0)}


def gaussian_nb(model: Any, problem: Problem, new: Any, said: Any) -> Claims:
    if model.std_offset or model.unbiased or model.priors is not None or constant_in_a_class(problem):
        raise Skip("another estimate")
    smoothing = model.var_smoothing
    if problem.weight is not None:  # theirs takes weights that sum to less than 1e-8 for none
        problem = replaced(problem, weight=problem.weight / problem.weight.max())
        smoothing *= largest_variance(problem.X, problem.weight) / largest_variance(
            problem.X
        )  # theirs knows none
    return probabilities(naive_bayes.GaussianNB(var_smoothing=smoothing), problem, new, said)


def largest_variance(X: np.ndarray, weight: Any = None) -> float:
    away = X - np.average(X, axis=0, weights=weight)
    return float(np.max(np.average(away**2, axis=0, weights=weight)))


def constant_in_a_class(problem: Problem) -> bool:
    w = weight_of(problem)
    parts = [problem.X[(problem.y == c) & (w > 0)] for c in np.unique(problem.y)]
    return any(len(A) == 0 or np.any(np.ptp(A, axis=0) == 0) for A in parts)


def multinomial_nb(model: Any, problem: Problem, new: Any, said: Any) -> Claims:
    if model.fully_bayesian or model.prior is not None or model.class_prior is not None:
        raise Skip("another estimate")
    theirs = naive_bayes.MultinomialNB(
        alpha=model.alpha, fit_prior=model.fit_prior, force_alpha=model.force_alpha
    )
    return probabilities(theirs, problem, new, said)


def bernoulli_nb(model: Any, problem: Problem, new: Any, said: Any) -> Claims:
    if model.prior is not None or model.class_prior is not None:
        raise Skip("another estimate")
    theirs = naive_bayes.BernoulliNB(
        alpha=model.alpha, binarize=model.binarize, fit_prior=model.fit_prior, force_alpha=model.force_alpha
    )
    return probabilities(theirs, problem, new, said)


def discriminant(model: Any, problem: Problem, new: Any, said: Any) -> Claims:
    if condition(model, problem.X)[1] > 1e3:
        raise Skip("theirs subtracts products of means")
    if problem.weight is not None or model.priors is not None or model.unbiased or model.covariance != "full":
        raise Skip("another estimate")
    if model.shrinkage == "auto" or constant_in_a_class(problem):
        raise Skip("another estimate")
    if type(model).__name__ == "LinearDiscriminantAnalysis":
        theirs = discriminant_analysis.LinearDiscriminantAnalysis(
            solver="lsqr" if model.shrinkage is not None else "svd", shrinkage=model.shrinkage, tol=RANK
        )
    else:
        raise Skip("its divisor is another")
    return probabilities(theirs, problem, new, said)


def standardizer(model: Any, problem: Problem, new: Any, said: Any) -> Claims:
    w, X = weight_of(problem), problem.X.astype(np.longdouble)
    center = w @ X / w.sum()
    std = np.sqrt(w @ (X - center) ** 2 / w.sum())
    if np.any((std < 1e-12 * np.abs(problem.X).max(axis=0)) & (std > 0)):
        raise Skip("rounding of a constant")
    B = (new - center * model.with_mean) / np.where((std > 0) & model.with_std, std, 1)
    top = np.abs(B).max(axis=0)
    return {"table": (said["table"], B, np.where(top > 0, top, 1.0))}


def mean(model: Any, problem: Problem, new: Any, said: Any) -> Claims:
    m = np.average(problem.y, weights=problem.weight)
    return {
        "prediction": (said["prediction"], np.full(len(new), m), answers.unit_of_predictions(m, problem.y))
    }


REFERENCES: dict[str, Callable[..., Claims]] = {
    "LinearRegression": least_squares, "Ridge": ridge, "Lasso": gradient_of_lasso, "ElasticNet": gradient_of_lasso,
    "BayesianLinearRegression": evidence, "ConjugateLinearRegression": evidence, "LogisticRegression": logistic,
    "ProbitRegression": probit, "PoissonRegression": poisson, "GaussianNB": gaussian_nb,
    "MultinomialNB": multinomial_nb, "BernoulliNB": bernoulli_nb, "LinearDiscriminantAnalysis": discriminant,
    "Standardizer": standardizer,
    "MeanRegressor": mean,
}  # fmt: skip
