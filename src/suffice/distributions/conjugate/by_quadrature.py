r"""The posterior of one unknown under any likelihood, on a grid (DTU §6.1, FCML §3.3).

p(θ | D) = p(D | θ) p(θ) / p(D),     p(D) = ∫ p(D | θ) p(θ) dθ

The grid is narrowed around what has posterior probability until the rest is below 10⁻¹², so that a sharp likelihood
under a wide prior is found as well as one that says little.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import logsumexp

from suffice._core.errors import InvalidInput, check_function
from suffice.distributions._base import Univariate
from suffice.distributions._numerics import one_dimensional
from suffice.distributions.compound.sum_of_independent import TabulatedDensity

_COARSE, _FINE = 4001, 1 << 16
_MOST_ZOOMS = 60
_LEFT_OUT = 1e-12  # probability beyond either end of the grid


def posterior(prior: Univariate, log_likelihood: Callable[[Any], Any]) -> TabulatedDensity:
    """The posterior of a number, as a distribution: mean, quantiles, intervals and draws to about seven digits.

    Conjugate pairs have exact ones: `prior.posterior(data)`.

    Parameters
    ----------
    prior
        A single distribution with a density.
    log_likelihood
        log p(D | θ) of an array of θ, element by element; constants may be left out.

    Examples
    --------
    >>> from suffice.distributions import Binomial, Uniform, posterior
    >>> d = posterior(Uniform(0, 1), lambda r: Binomial(20, r).log_prob(14))  # Beta(15, 7)
    >>> print(f"{d.mean:.6f}", [round(float(x), 4) for x in d.interval(0.95)])
    0.681818 [0.4782, 0.8541]
    """
    return _on_grid(prior, log_likelihood)[0]


def log_evidence(prior: Univariate, log_likelihood: Callable[[Any], Any]) -> float:
    """log ∫ p(D | θ) p(θ) dθ, for the same arguments as `posterior`.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.distributions import Binomial, Uniform, log_evidence
    >>> print(f"{log_evidence(Uniform(0, 1), lambda r: Binomial(20, r).log_prob(14)):.8f} {-np.log(21):.8f}")
    -3.04452244 -3.04452244
    """
    return _on_grid(prior, log_likelihood)[1]


def _on_grid(prior: Univariate, log_likelihood: Callable[[Any], Any]) -> tuple[TabulatedDensity, float]:
    one_dimensional.check_single("prior", prior, density=True)
    check_function("log_likelihood", log_likelihood)
    joint = _joint(prior, log_likelihood)
    tails = np.geomspace(1e-15, 1e-3, 600)
    x = np.unique(prior.quantile(np.r_[tails, np.linspace(1e-3, 1 - 1e-3, _COARSE), 1 - tails]))
    ends = np.asarray(prior.quantile([0.0, 1.0]), dtype=float)
    low, high = _with_probability(joint, np.unique(np.r_[ends[np.isfinite(ends)], x]))
    for _ in range(_MOST_ZOOMS):
        narrow = _with_probability(joint, np.linspace(low, high, _COARSE))
        if narrow[1] - narrow[0] > 0.5 * (high - low):
            break
        low, high = narrow
    x = np.linspace(low, high, _FINE + 1)
    logs = joint(x)
    top = float(logs.max())
    mass = np.exp(logs - top)
    mass[[0, -1]] /= 2
    step = (high - low) / _FINE
    total = float(mass.sum()) * step
    return TabulatedDensity(x, np.exp(logs - top) / total), top + float(np.log(total))


def _joint(prior: Univariate, log_likelihood: Callable[[Any], Any]) -> Callable[[np.ndarray], np.ndarray]:
    def logs(x: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            before = np.asarray(prior.log_prob(x), dtype=float)
            said = np.broadcast_to(np.asarray(log_likelihood(x), dtype=float), x.shape)
        inside = before > -np.inf
        wrong = inside & ~(said < np.inf)
        if np.any(wrong):
            raise InvalidInput(
                f"log_likelihood gave {said[wrong][0]} at {x[wrong][0]:.6g}, which is possible under the prior."
            )
        out = np.where(inside, said + np.where(inside, before, 0.0), -np.inf)
        return np.where(out == np.inf, -np.inf, out)  # a pole of the prior's density at an end has no width

    return logs


def _with_probability(joint: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> tuple[float, float]:
    """The part of a grid beyond which nothing counts, with a point to spare on both sides."""
    logs = joint(x)
    if not np.any(logs > -np.inf):
        raise InvalidInput(
            "The likelihood is zero wherever the prior has probability, so there is no posterior."
        )
    pieces = np.logaddexp(logs[1:], logs[:-1]) + np.log(np.diff(x))
    share = np.exp(pieces - logsumexp(pieces))
    below, above = np.cumsum(share), np.cumsum(share[::-1])[::-1]
    first = max(int(np.searchsorted(below, _LEFT_OUT)) - 1, 0)
    last = min(len(x) - 1 - int(np.searchsorted(above[::-1], _LEFT_OUT)) + 1, len(x) - 1)
    return float(x[first]), float(x[last])
