r"""Whether probabilities are right, as a model: logit P(event) = a + b logit p, and Spiegelhalter's statistic.

Recalibration   maximum likelihood of (a, b) by Newton's method; right probabilities have a = 0, b = 1.
                b < 1: too extreme; b > 1: too timid; a: too low or too high at p = ½
Spiegelhalter   z = Σ (o − p)(1 − 2p) / √Σ (1 − 2p)² p (1 − p): the Brier score less its expectation under the
                forecasts, over its standard deviation there
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri

from suffice._core.losses import mean_interval
from suffice.evaluation.findings import Finding, Measured, chance, number, percent

CLIP = 2.0**-53  # probabilities of 0 and 1 have no finite log odds
STEPS = 100


def recalibration(
    p: np.ndarray, o: np.ndarray, weight: np.ndarray, confidence: float
) -> tuple[Measured, Measured, tuple[str, ...]]:
    """Intercept and slope with Wald's intervals, and what is doubtful; NaN where no finite estimate exists."""
    x = logit(np.clip(p, CLIP, 1 - CLIP))
    clipped = np.any((p < CLIP) | (p > 1 - CLIP))
    notes = (f"probabilities of 0 or 1 were moved by {CLIP:g} for the recalibration",) if clipped else ()
    why = _undetermined(x[weight > 0], o[weight > 0])
    if why:
        nothing = Measured(float("nan"), None, confidence, why)
        return nothing, nothing, (*notes, f"no recalibration: {why}")
    beta, cov = _newton(x, o, weight)
    half = ndtri(0.5 + confidence / 2) * np.sqrt(np.diagonal(cov))
    a, b = (
        Measured(float(v), (float(v - h), float(v + h)), confidence, "Wald")
        for v, h in zip(beta, half, strict=True)
    )
    return a, b, notes


def _undetermined(x: np.ndarray, o: np.ndarray) -> str | None:
    """Why the likelihood has no single finite maximum, if so."""
    yes, no = x[o == 1], x[o == 0]
    if not len(yes) or not len(no):
        return "only one outcome occurs"
    if x.min() == x.max():
        return "all forecasts are equal"
    if yes.min() >= no.max() or no.min() >= yes.max():
        return "the forecasts separate the outcomes perfectly"
    return None


def _newton(x: np.ndarray, o: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(a, b) and the inverse of the information, with x in units of its spread."""
    center, scale = np.average(x, weights=weight), x.std() or 1.0
    X = np.column_stack([np.ones_like(x), (x - center) / scale])
    beta = np.array([logit(np.clip(np.average(o, weights=weight), CLIP, 1 - CLIP)), 0.0])
    for _ in range(STEPS):
        q = expit(X @ beta)
        H = (X * (weight * q * (1 - q))[:, None]).T @ X
        step = _damped(X, o, weight, beta, np.linalg.solve(H, X.T @ (weight * (o - q))))
        beta = beta + step
        if np.max(np.abs(step)) <= 1e-12 * (1 + np.max(np.abs(beta))):
            break
    T = np.array([[1.0, -center / scale], [0.0, 1 / scale]])
    return T @ beta, T @ np.linalg.solve(H, T.T)


def _damped(
    X: np.ndarray, o: np.ndarray, weight: np.ndarray, beta: np.ndarray, step: np.ndarray
) -> np.ndarray:
    """The step, halved until it does not lower the likelihood."""

    def height(b: np.ndarray) -> float:
        eta = X @ b
        return float(weight @ (o * eta - np.logaddexp(0.0, eta)))

    here = height(beta)
    for _ in range(40):
        if height(beta + step) >= here - 1e-12 * abs(here):
            return step
        step = step / 2
    return step


def spiegelhalter(p: np.ndarray, o: np.ndarray, weight: np.ndarray, confidence: float) -> Finding:
    """Whether the Brier score is what calibrated forecasts would have."""
    n = float(weight.sum())
    excess = (o - p) * (1 - 2 * p)
    mean, variance = float(weight @ excess) / n, float(weight @ ((1 - 2 * p) ** 2 * p * (1 - p)))
    interval = mean_interval(excess[weight > 0], weight[weight > 0], confidence, binary=False)
    if variance > 0:
        z = n * mean / np.sqrt(variance)
    else:
        z = 0.0 if mean == 0 else float(np.copysign(np.inf, mean))
    notes = () if variance > 0 else ("every forecast is 0, ½ or 1, where the statistic has no spread",)
    p_value = float(2 * ndtr(-abs(z)))
    told = (
        f", {percent(confidence)} interval [{number(interval[0])}, {number(interval[1])}]" if interval else ""
    )
    sentence = (
        f"The Brier score is {number(abs(mean))} {'above' if mean >= 0 else 'below'} what these forecasts promise"
        f"{told} (n = {n:g}); Spiegelhalter's z = {number(float(z))}, {chance(p_value)} if they were calibrated."
    )
    assumptions = ("rows are independent", "z is normal when many rows have forecasts away from 0, ½ and 1")
    few = (f"n = {n:g} rows are few for a normal approximation",) if n < 50 else ()
    return Finding(
        "Spiegelhalter", mean, interval, sentence, confidence, p_value, float(z), round(n), None, assumptions,
        notes + few,
    )  # fmt: skip
