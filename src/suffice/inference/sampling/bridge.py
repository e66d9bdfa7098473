r"""The normalizing constant of a density from draws of it: bridge sampling (Meng and Wong, 1996).

Z = ∫ g(x) dx. Draws xᵢ of g and xⱼ of a normal density q that was fitted to other draws of g meet in

    Z = Σⱼ g(xⱼ) h(xⱼ) / n_q  /  Σᵢ q(xᵢ) h(xᵢ) / n_g,      h = 1 / (s_g g/Z + s_q q)

which holds for every h; this one has the smallest error and is found by repeating the formula. s_g and s_q are the
shares of draws, those of g counted by how many independent ones they are worth. The error of log Z follows from the
spread of both sums (Frühwirth-Schnatter, 2004).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import logsumexp

from suffice._core.errors import InvalidInput, NotConverged, warn
from suffice._core.linalg import cholesky
from suffice._core.numerics import LOG_2PI
from suffice._core.random import generator
from suffice._core.records import record
from suffice.inference.sampling import diagnostics
from suffice.inference.sampling._density import refuse
from suffice.inference.sampling.samples import Samples

ROUNDS, STILL = 1000, 1e-12
POOR = 0.5  # an error of log Z above which it is worth little


@record
class Bridge:
    """log Z and its standard error."""

    log_normalizer: float
    error: float

    def __repr__(self) -> str:
        return f"Bridge(log_normalizer={self.log_normalizer:.6g} ± {self.error:.2g})"


def bridge(samples: Samples, heights: Callable[[np.ndarray], np.ndarray], random_state: Any = None) -> Bridge:
    """log ∫ g from draws of g that know their `log_density`, and the same log g as a function of points in rows.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import bridge, metropolis_hastings
    >>> log_density = lambda X: -0.5 * (X**2).sum(axis=1)
    >>> found = metropolis_hastings(log_density, [0.0, 0.0], 2000, vectorized=True, random_state=0)
    >>> result = bridge(found, log_density, random_state=1)
    >>> bool(abs(result.log_normalizer - np.log(2 * np.pi)) < 4 * result.error), bool(result.error < 0.05)
    (True, True)
    """
    half = samples.n_draws // 2
    if half < 2:
        raise InvalidInput(f"Bridge sampling needs at least four draws per chain; got {samples.n_draws}.")
    if samples.log_density is None:
        raise InvalidInput("Bridge sampling needs log_density at every draw; these samples have none.")
    _check_same(samples, heights)
    fitted, used = samples.draws[:, :half].reshape(-1, samples.dim), samples.draws[:, half:]
    center = fitted.mean(axis=0)
    root = cholesky(np.cov(fitted.T).reshape(samples.dim, samples.dim), "the covariance of the draws")
    log_volume = float(np.log(np.diagonal(root)).sum())

    def log_q(x: np.ndarray) -> np.ndarray:
        v = np.linalg.solve(root, (x - center).T)
        return -0.5 * (v**2).sum(axis=0) - 0.5 * samples.dim * LOG_2PI - log_volume

    own = used.reshape(-1, samples.dim)
    # log g/q at draws of g
    at_own = np.asarray(samples.log_density)[:, half:] - log_q(own).reshape(used.shape[:2])
    other = center + generator(random_state).standard_normal(own.shape) @ root.T
    return _meeting(at_own, _values(heights, other) - log_q(other))


def _values(heights: Callable[[np.ndarray], np.ndarray], points: np.ndarray) -> np.ndarray:
    out = np.asarray(heights(points.copy()), dtype=float)
    if out.shape != (len(points),):
        raise InvalidInput(
            f"heights must take points in rows and give one number each; got {out.shape} for {len(points)}."
        )
    refuse(points, out)
    return out


def _check_same(samples: Samples, heights: Callable[[np.ndarray], np.ndarray]) -> None:
    """Whether the function is the density that was sampled, constant and all, at a few draws."""
    where = np.linspace(0, len(samples.flat) - 1, 5).astype(int)
    given, known = _values(heights, samples.flat[where]), np.ravel(samples.log_density)[where]
    if not np.allclose(given, known, rtol=1e-6, atol=1e-6):
        i = int(np.argmax(np.abs(given - known)))
        raise InvalidInput(
            f"heights must be the log density of the draws: at {samples.flat[where[i]].tolist()} it gives "
            f"{given[i]:.6g}, and the samples have {known[i]:.6g}."
        )


def _meeting(at_own: np.ndarray, at_other: np.ndarray) -> Bridge:
    """Meng and Wong's iteration for log g/q at draws of g (C, n) and of q (N,)."""
    share = _worth(at_own) / (_worth(at_own) + len(at_other))
    log_z, moved = float(np.median(at_own)), np.inf
    for _ in range(ROUNDS):
        up, down = _terms(at_own, at_other, log_z, share)
        moved = float(logsumexp(up) - np.log(up.size) - logsumexp(down) + np.log(down.size))
        log_z += moved
        if abs(moved) <= STILL * (1 + abs(log_z)):
            break
    else:
        warn(f"Bridge sampling still moves by {abs(moved):.2g} after {ROUNDS} rounds.", NotConverged)
    up, down = _terms(at_own, at_other, log_z, share)
    error = float(np.sqrt(_spread(up) / up.size + _spread(down) / _worth(np.exp(down - down.max()))))
    if error > POOR:
        warn(
            f"The log evidence has a standard error of {error:.2g}: the posterior is far from normal, or the draws are "
            "few. Use more draws.",
            NotConverged,
        )
    return Bridge(log_z, error)


def _worth(values: np.ndarray) -> float:
    """How many independent numbers tell as much about their mean."""
    found = float(diagnostics.each(diagnostics.ess_mean, values[:, :, None])[0])
    return found if np.isfinite(found) else float(values.size)


def _terms(
    at_own: np.ndarray, at_other: np.ndarray, log_z: float, share: float
) -> tuple[np.ndarray, np.ndarray]:
    """Logs of g h / Z at draws of q, and of q h at draws of g; l = g / (q Z)."""
    mix = lambda log_l: np.logaddexp(np.log(share) + log_l, np.log1p(-share))  # noqa: E731
    up, down = at_other - log_z, at_own - log_z
    return up - mix(up), -mix(down)


def _spread(logs: np.ndarray) -> float:
    """Var(t) / E(t)² of terms given by their logs."""
    t = np.exp(logs - logs.max())
    return float(t.var() / t.mean() ** 2)
