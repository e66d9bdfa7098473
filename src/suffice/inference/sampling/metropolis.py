r"""Metropolis–Hastings: draws from a density known up to a constant (FCML §4.5.2, eq. 4.17).

Propose      x̃ ~ q(x̃ | x)
Ratio        r = g(x̃) q(x | x̃) / (g(x) q(x̃ | x)),  in logs
Accept       x̃ where u ≤ r, u ~ U(0, 1); else the last draw is repeated

The random walk q = N(x, S) is symmetric, so q cancels. Its S is learned during burn-in and fixed before the first draw
that is kept: a chain that went on learning would not have g as its limit.

Every chain has a stream of random numbers of its own. A compiled density runs in a compiled loop with the same numbers
and gives the same draws.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, as_numbers, check_integer
from suffice._core.random import streams
from suffice.inference.sampling._density import open_density
from suffice.inference.sampling._proposals import Proposals
from suffice.inference.sampling._walk import Walk, best_scale
from suffice.inference.sampling.samples import Samples


def metropolis_hastings(
    log_density: Callable[[np.ndarray], Any],
    start: Any,
    n_draws: int = 5000,
    *,
    n_chains: int = 4,
    burn_in: int = 1000,
    thin: int = 1,
    proposal: Any = None,
    adapt: bool = True,
    vectorized: bool = False,
    keep_proposals: bool = False,
    names: Any = None,
    random_state: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Samples:
    """Draws from the density proportional to exp(log_density).

    Parameters
    ----------
    log_density
        log g of a vector, −inf where the density is zero. Compiled by numba's `njit`, it runs in a compiled loop.
    start
        Where all chains begin, or one place for each (chains, D); places far apart make `r_hat` tell more.
    burn_in
        Steps that are thrown away, and in which the random walk is adapted.
    thin
        Keep every so-manyth draw.
    proposal
        None for a random walk, its covariance, or a function of the vector x that gives the distribution of the next
        one, such as ``lambda x: Gamma(9, 9 / x)`` (a batch: each coordinate by itself) or
        ``lambda x: MultivariateNormal(x / 2, S)``. Its density both ways is the Hastings correction.
    adapt
        Whether burn-in adapts the random walk. The texts' sampler has a covariance and adapt=False.
    vectorized
        `log_density` takes points in rows and gives one number each: all chains are then asked at once.
    keep_proposals
        Keep what was proposed, accepted or not, for a picture of the walk.
    progress
        Called now and then with the steps that are done, and how many there will be.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import metropolis_hastings
    >>> S = np.linalg.inv([[3.0, 0.4], [0.4, 3.0]])
    >>> found = metropolis_hastings(lambda x: -0.5 * (x - 1) @ S @ (x - 1), [0.0, 0.0], 5000, random_state=0)
    >>> bool(np.all(np.abs(found.mean - 1) < 4 * found.mcse)), bool(found.r_hat.max() < 1.01)
    (True, True)
    """
    check_counts(n_draws=(n_draws, 1), n_chains=(n_chains, 1), burn_in=(burn_in, 0), thin=(thin, 1))
    X = open_start(start, n_chains)
    density = open_density(log_density, vectorized)
    chains = streams(random_state, n_chains)
    tick = _counting(progress, burn_in + n_draws * thin)
    if callable(proposal):
        walker: Any = Proposals(density, proposal, X, chains, tick)
        walker.run(burn_in)
    else:
        walker = Walk(density, X, chains, open_cov(proposal, X.shape[1], adapt), tick)
        walker.learn(burn_in) if adapt else walker.run(burn_in)
    draws, log_densities, accepted, proposed = walker.run(n_draws * thin, thin, keep_proposals)
    return Samples(draws, names, log_densities, accepted, proposed, "Metropolis–Hastings").check()


def _counting(progress: Callable[[int, int], None] | None, total: int) -> Callable[[int], None]:
    """What is called with steps that were made."""
    done = [0]

    def tick(steps: int) -> None:
        done[0] += steps
        if progress is not None:
            progress(done[0], total)

    return tick


def check_counts(**counts: tuple[Any, int]) -> None:
    """Integers, each with the least it may be."""
    for name, (value, least) in counts.items():
        check_integer(name, value, least)


def open_start(start: Any, n_chains: int) -> np.ndarray:
    """(chains, D)."""
    X = np.atleast_1d(as_numbers("start", start))
    X = np.tile(X, (n_chains, 1)) if X.ndim == 1 else X.copy()
    if X.ndim != 2 or X.shape[0] != n_chains or X.shape[1] == 0:
        raise InvalidParameter(
            f"start must be one point (D,) or one for each of {n_chains} chains; got shape {np.shape(start)}."
        )
    if not np.isfinite(X).all():
        raise InvalidParameter(f"start must be finite; got {X[~np.isfinite(X).all(axis=1)][0].tolist()}.")
    return X


def open_cov(cov: Any, d: int, adapt: bool) -> np.ndarray:
    """The covariance that a random walk begins with."""
    if cov is None:
        if not adapt:
            raise InvalidParameter(
                "A random walk that is not adapted needs a covariance; give proposal=, or adapt=True."
            )
        return np.eye(d) * best_scale(d) ** 2
    S = as_numbers("proposal", cov)
    S = S * np.eye(d) if S.ndim == 0 else S
    if S.shape != (d, d) or not np.isfinite(S).all():
        raise InvalidParameter(
            f"proposal must be a {d} × {d} covariance, a number, or a function; got shape {S.shape}."
        )
    if not np.allclose(S, S.T, rtol=1e-8, atol=0.0) or np.linalg.eigvalsh(S)[0] <= 0:
        raise InvalidParameter("proposal must be symmetric and positive definite, as a covariance is.")
    return S
