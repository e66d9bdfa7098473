r"""The evidence of a linear-Gaussian model, and its maximum over the two precisions (PRML §3.5).

In the coordinates of a singular value decomposition of the whitened design, with singular values s
and targets z,

    log p(y | α, β) = ½ Σ log α/(α + β s²) + ½ N log β/2π − ½ β [r² + Σ z² α/(α + β s²)]      (3.86)

For a given ratio λ = α/β the best β is N / [r² + Σ z² λ/(λ + s²)], so the surface is searched along one
line, log λ, between bounds: a grid finds every hill, the texts' iteration climbs the best ones.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar

from suffice._core.errors import AtBound, InvalidInput, NotConverged, NotFinite, warn
from suffice._core.numerics import LOG_2PI
from suffice._core.records import record
from suffice._core.trace import Trace

REACH = 1e12  # λ is searched from s_max²/REACH to s_max²·REACH
GRID = 481  # points of the grid in log λ: about nine per factor of ten
EM_LIMIT, FIXED_POINT_LIMIT, TOLERANCE = 20_000, 2_000, 1e-11


@record
class Spectrum:
    """Squared singular values, squared coordinates of the target, what is left of it, and N.

    `silent` counts further directions, of which the rows say nothing.
    """

    s2: np.ndarray
    z2: np.ndarray
    rest: float
    n: float
    floor: float
    silent: int = 0

    @property
    def size(self) -> int:
        return len(self.s2) + self.silent


@record
class Precisions:
    """The answer of the search: α, β, the trace of the iteration, and whether a bound was met."""

    alpha: float
    beta: float
    trace: Trace
    bound: str | None


def log_evidence(s: Spectrum, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Eq. 3.86 (up to the constants of a flat intercept), for arrays of precisions."""
    alpha, beta = np.asarray(alpha, dtype=float), np.asarray(beta, dtype=float)
    shrink = alpha[..., None] / (alpha[..., None] + beta[..., None] * s.s2)
    misfit = s.rest + shrink @ s.z2
    return 0.5 * (np.log(shrink).sum(-1) + s.n * (np.log(beta) - LOG_2PI) - beta * misfit)


def best_beta(s: Spectrum, ratio: np.ndarray) -> np.ndarray:
    """The noise precision that maximizes the evidence for a given ratio λ = α/β."""
    shrink = ratio[..., None] / (ratio[..., None] + s.s2)
    return s.n / np.maximum(s.rest + shrink @ s.z2, s.floor)


def maximize(s: Spectrum, alpha: float | None, beta: float | None, method: str) -> Precisions:
    """Precisions that maximize the evidence; a given one stays as it is."""
    if alpha is not None and beta is not None:
        value = log_evidence(s, np.array(alpha), np.array(beta))
        return Precisions(alpha, beta, _trace([(alpha, beta)], np.atleast_1d(value), True), None)
    if s.n <= 0:
        raise InvalidInput(
            "With n_samples = 1 and a flat intercept nothing is left to find a precision from; "
            "add rows, or give prior_precision and noise_precision."
        )
    if not np.any(s.s2 > 0):  # no column says anything: the prior stays as it is
        alpha = alpha or 1.0
        beta = beta or float(best_beta(s, np.array(1.0)))
        return maximize(s, alpha, beta, method)
    alphas, betas = _line(s, alpha, beta)
    evidences = log_evidence(s, alphas, betas)
    bound = _best_end(evidences, alpha)
    starts = [(alphas[i], betas[i]) for i in _local_maxima(evidences)]
    runs = [_re_estimated(s, a, b, alpha, beta, method, bound) for a, b in starts]
    if not runs:
        raise NotFinite(
            "The evidence overflows at every precision; bring columns and targets to a moderate scale."
        )
    best = max(runs, key=lambda run: run.objective[-1])
    if not best.converged and method == "fixed_point":
        best = _finished(s, best, alpha, beta)
    if not best.converged:
        warn(
            f"The precisions had not settled after {len(best)} iterations (method={method!r}).", NotConverged
        )
    return Precisions(float(best.columns["alpha"][-1]), float(best.columns["beta"][-1]), best, bound)


def _line(s: Spectrum, alpha: float | None, beta: float | None) -> tuple[np.ndarray, np.ndarray]:
    """The precisions along the grid of the search in log λ."""
    top = float(s.s2.max(initial=0.0)) or 1.0
    return _at_ratio(s, top * np.logspace(-np.log10(REACH), np.log10(REACH), GRID), alpha, beta)


def _at_ratio(
    s: Spectrum, ratio: np.ndarray, alpha: float | None, beta: float | None
) -> tuple[np.ndarray, np.ndarray]:
    """The best precisions with λ = α/β."""
    if alpha is not None:
        return np.full(len(ratio), alpha), np.minimum(alpha / ratio, s.n / s.floor)
    if beta is not None:
        return beta * ratio, np.full(len(ratio), beta)
    betas = best_beta(s, ratio)
    return betas * ratio, betas


def _local_maxima(evidences: np.ndarray, most: int = 4) -> list[int]:
    """Grid points above both neighbours, the highest first."""
    padded = np.concatenate([[-np.inf], evidences, [-np.inf]])
    peaks = np.flatnonzero((padded[1:-1] >= padded[:-2]) & (padded[1:-1] >= padded[2:]))
    return [int(i) for i in peaks[np.argsort(-evidences[peaks])][:most]]


def _best_end(evidences: np.ndarray, alpha: float | None) -> str | None:
    """Which end of the line is highest, if one is; a constant (no columns) has no end."""
    best = int(np.argmax(evidences))
    if np.ptp(evidences) <= 1e-12 * (1 + abs(evidences[best])):
        return None
    # within rounding of the last point: the evidence rises towards the bound
    if best >= len(evidences) - 2 or evidences[-1] >= evidences[best] - 1e-9 * (1 + abs(evidences[best])):
        return "no effect" if alpha is None else "all noise"
    return "no noise" if best <= 1 else None


def _re_estimated(
    s: Spectrum, a: float, b: float, alpha: float | None, beta: float | None, method: str, bound: str | None
) -> Trace:
    """The texts' re-estimation from one start, until neither precision moves."""
    step = {"fixed_point": _fixed_point, "em": _em}[method]
    limit = {"fixed_point": FIXED_POINT_LIMIT, "em": EM_LIMIT}[method]
    path, converged = [(a, b)], bound is not None
    while not converged and len(path) < limit:
        new_a, new_b = step(s, a, b)
        new_a, new_b = (alpha or new_a), (beta or new_b)
        moved = max(abs(new_a / a - 1), abs(new_b / b - 1))
        a, b = new_a, new_b
        path.append((a, b))
        converged = moved < TOLERANCE
    alphas, betas = np.array(path).T
    return _trace(path, log_evidence(s, alphas, betas), converged)


def _finished(s: Spectrum, run: Trace, alpha: float | None, beta: float | None) -> Trace:
    """A run that creeps along a flat ridge, taken on by a search in log λ to where a further step must stay."""
    path = list(zip(run.columns["alpha"].tolist(), run.columns["beta"].tolist(), strict=True))
    middle = np.log(path[-1][0] / path[-1][1])

    def precisions(log_ratio: float) -> tuple[np.ndarray, np.ndarray]:
        return _at_ratio(s, np.exp(np.atleast_1d(log_ratio)), alpha, beta)

    found = minimize_scalar(
        lambda r: -float(log_evidence(s, *precisions(r))[0]),
        bounds=(middle - 1.0, middle + 1.0),
        method="bounded",
        options={"xatol": TOLERANCE},
    )
    a, b = (float(v[0]) for v in precisions(found.x))
    new_a, new_b = _fixed_point(s, a, b)
    moved = max(abs((alpha or new_a) / a - 1), abs((beta or new_b) / b - 1))
    alphas, betas = np.array([*path, (a, b)]).T
    return _trace([*path, (a, b)], log_evidence(s, alphas, betas), moved < np.sqrt(TOLERANCE))


def _fixed_point(s: Spectrum, a: float, b: float) -> tuple[float, float]:
    """Eqs 3.91, 3.92 and 3.95."""
    gamma, size, misfit = _state(s, a, b)
    return gamma / size, max(s.n - gamma, 1e-9) / misfit


def _em(s: Spectrum, a: float, b: float) -> tuple[float, float]:
    """α = M/(mᵀm + tr S),  1/β = (‖y − Φm‖² + tr ΦSΦᵀ)/N (PRML §9.3.4)."""
    gamma, size, misfit = _state(s, a, b)
    traces = np.sum(1 / (a + b * s.s2)) + s.silent / a
    return s.size / (size + traces), s.n / (misfit + gamma / b)


def _state(s: Spectrum, a: float, b: float) -> tuple[float, float, float]:
    """γ, mᵀm and ‖y − Φm‖² at the posterior mean."""
    lam = b * s.s2
    keep = lam / (a + lam)
    size = np.sum(keep**2 * s.z2 / np.where(s.s2 > 0, s.s2, 1.0))
    misfit = s.rest + np.sum((1 - keep) ** 2 * s.z2)
    return float(keep.sum()), max(float(size), 1e-300), max(float(misfit), s.floor)


def _trace(path: list[tuple[float, float]], objective: np.ndarray, converged: bool) -> Trace:
    alphas, betas = np.array(path).T
    return Trace(np.atleast_1d(objective), converged, {"alpha": alphas, "beta": betas})


BOUND_SENTENCES = {
    "no effect": "The data show no effect of the columns: the evidence rises until all weights are at their "
    "prior mean (prior_precision stopped at {alpha:.3g}).",
    "no noise": "The columns fit the target exactly, or nearly: the evidence rises until there is no noise "
    "(noise_precision stopped at {beta:.3g}).",
    "all noise": "Under this prior_precision the evidence rises until everything is noise "
    "(noise_precision stopped at {beta:.3g}).",
}


def warn_bound(p: Precisions) -> None:
    """Say in words which bound the search met."""
    if p.bound is not None:
        warn(BOUND_SENTENCES[p.bound].format(alpha=p.alpha, beta=p.beta), AtBound)
