r"""What draws of a Markov chain are worth: agreement of chains, effective sample size, Monte Carlo error.

Every chain is cut in halves, so that a chain which still drifts disagrees with itself: M half-chains of n draws.

Between      B = n/(M−1) Σ (x̄ₘ − x̄)²                       Within   W = mean of the variances s²ₘ
R̂            √((B/W + n − 1)/n), of normal scores of the ranks; the larger of that and of |x − median|
Spread       v = W (n−1)/n + B/n
Correlation  ρₜ = 1 − (W − γₜ)/v,  γₜ the autocovariance at lag t, averaged over half-chains (by FFT)
Length       τ = −1 + 2 Σ (ρ₂ₖ + ρ₂ₖ₊₁) while the pairs are positive, each at most its predecessor (Geyer, 1992)
ESS          M n / τ, at most M n log₁₀(M n). Of normal scores: bulk; of x ≤ quantile: tail; of x itself: mean
Error        of the mean: s/√ESS(x)

Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021). The numbers are ArviZ's. Arrays are (…, chain, draw) and leading
axes are coordinates. NaN where there is no answer: fewer than four draws, a draw that is NaN, R̂ of a single chain or
of draws that are all the same. Draws that never change have the ESS of independent ones (there is nothing left to
learn), and chains that never change but differ from each other have R̂ = ∞. In one respect ArviZ is not followed: it
takes draws that differ by less than 1e-15 for constant; here nothing depends on the unit of x.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.fft import irfft

from suffice._core.errors import InvalidInput, InvalidParameter, check_fraction, check_integer
from suffice.inference.sampling import _mixing as mixing

LEAST = 4  # draws; halves of fewer have no variance
BLOCK = 1 << 16  # numbers that are worked upon together


# -- public ----------------------------------------------------------------------------------------------
def r_hat(chains: Any) -> Any:
    """Rank-normalized split R̂, the larger of bulk and folded; about 1 where chains agree.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import diagnostics
    >>> draws = np.random.default_rng(0).normal(size=(4, 500))
    >>> apart = draws + [[0.0], [0.0], [0.0], [1.0]]
    >>> round(float(diagnostics.r_hat(draws)), 3), round(float(diagnostics.r_hat(apart)), 3)
    (1.001, 1.09)
    """
    return _of(chains, lambda x: _agreement(mixing.ranked(mixing.halves(x))), least_chains=2)


def ess(chains: Any) -> Any:
    """Effective sample size of the bulk: how many independent draws would tell as much about the location.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import diagnostics
    >>> noise, chain = np.random.default_rng(0).normal(size=(4, 2000)), np.zeros((4, 2000))
    >>> for t in range(1, 2000):
    ...     chain[:, t] = 0.9 * chain[:, t - 1] + noise[:, t]
    >>> bool(abs(diagnostics.ess(chain) / (8000 * 0.1 / 1.9) - 1) < 0.2)  # n (1 − ρ)/(1 + ρ)
    True
    """
    return _of(chains, lambda x: mixing.size(mixing.scores(mixing.ranked(mixing.halves(x)))))


def ess_tail(chains: Any) -> Any:
    """The smaller effective sample size of the 5 % and 95 % quantiles: what an interval rests upon.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import diagnostics
    >>> draws = np.random.default_rng(0).normal(size=(4, 2000))
    >>> bool(6000 < diagnostics.ess_tail(draws) < 10000)
    True
    """
    return _of(chains, mixing.tail)


def ess_mean(chains: Any) -> Any:
    """Effective sample size of the mean, of x as it is.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import diagnostics
    >>> draws = np.random.default_rng(0).normal(size=(4, 2000))
    >>> bool(6000 < diagnostics.ess_mean(draws) < 10000)
    True
    """
    return _of(chains, lambda x: mixing.size(mixing.halves(mixing.scaled(x)[0])))


def mcse_mean(chains: Any) -> Any:
    """Monte Carlo standard error of the mean: s/√ESS.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import diagnostics
    >>> draws = np.random.default_rng(0).normal(size=(4, 2500))
    >>> round(float(diagnostics.mcse_mean(draws)), 3)
    0.01
    """
    return _of(chains, mixing.error_of_mean)


def mcse_sd(chains: Any) -> Any:
    """Monte Carlo standard error of the standard deviation, by the delta rule from that of the variance.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import diagnostics
    >>> draws = np.random.default_rng(0).normal(size=(4, 2500))
    >>> round(float(diagnostics.mcse_sd(draws)), 3)
    0.007
    """
    return _of(chains, mixing.error_of_sd)


def mcse_quantile(chains: Any, p: float) -> Any:
    """Monte Carlo standard error of the quantile at p: half the way between the draws one σ of a Beta to either side.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import diagnostics
    >>> draws = np.random.default_rng(0).normal(size=(4, 2500))
    >>> bool(diagnostics.mcse_quantile(draws, 0.5) < diagnostics.mcse_quantile(draws, 0.99))
    True
    """
    p = check_fraction("p", p)
    return _of(chains, lambda x: mixing.error_of_quantile(x, p))


def autocorrelation(chains: Any, max_lag: int | None = None) -> np.ndarray:
    """Correlation of each chain with itself at lags 0, 1, …, `max_lag` (all, unless given): (…, chain, lag).

    Autocovariances have 1/n, as is usual: those of long lags shrink to zero. A chain that never changes gives NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import diagnostics
    >>> diagnostics.autocorrelation([[1.0, 2.0, 1.0, 2.0]], max_lag=2)
    array([[ 1.  , -0.75,  0.5 ]])
    """
    x = _chains(chains)
    last = x.shape[-1] - 1 if max_lag is None else max_lag
    if isinstance(last, bool) or not isinstance(last, int | np.integer) or not 0 <= last < x.shape[-1]:
        raise InvalidParameter(f"max_lag must be an integer from 0 to {x.shape[-1] - 1}; got {max_lag!r}.")
    x = mixing.scaled(x)[0]
    power, length = mixing.power(x, last + 1), mixing.padded(x.shape[-1], last + 1)
    covariance = irfft(power, n=length, axis=-1)[..., : last + 1]
    still = mixing.width(x, axis=-1) == 0
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(still[..., None], np.nan, covariance / covariance[..., :1])


def rank_counts(chains: Any, bins: int = 20) -> np.ndarray:
    """How many draws of each chain have ranks, among those of all chains, in each of `bins` equal parts.

    Chains that explore the same distribution have nearly equal counts in every bin. Equal draws are ranked by lot.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import diagnostics
    >>> diagnostics.rank_counts([[1.0, 4.0, 5.0, 8.0], [2.0, 3.0, 6.0, 7.0]], bins=2)
    array([[2, 2],
           [2, 2]])
    """
    x = _chains(chains)
    check_integer("bins", bins, 1)
    if np.isnan(x).any():
        raise InvalidInput("chains must not contain NaN, which has no rank.")
    flat = x.reshape(*x.shape[:-2], -1)
    lots = np.random.default_rng(0).random(flat.shape)
    order = np.lexsort((lots, flat), axis=-1)
    ranks = np.empty(flat.shape, dtype=np.intp)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(flat.shape[-1]), flat.shape), axis=-1)
    which = ranks.reshape(x.shape) * bins // flat.shape[-1]
    return np.stack([np.count_nonzero(which == b, axis=-1) for b in range(bins)], axis=-1)


def each(f: Callable[[np.ndarray], Any], chains: Any) -> np.ndarray:
    """`f` of every coordinate of draws (chain, draw, D), a few at a time: (D, …).

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import diagnostics
    >>> draws = np.random.default_rng(0).normal(size=(4, 100, 3))
    >>> diagnostics.each(diagnostics.r_hat, draws).shape
    (3,)
    """
    x = np.asarray(chains, dtype=float)
    if x.ndim != 3 or 0 in x.shape:
        raise InvalidInput(f"chains must have shape (chain, draw, dimension), none of them 0; got {x.shape}.")
    x = np.moveaxis(x, -1, 0)
    few = max(1, BLOCK // (x.shape[1] * x.shape[2]))
    parts = [np.asarray(f(np.ascontiguousarray(x[i : i + few]))) for i in range(0, len(x), few)]
    return np.concatenate(parts)


def worth(chains: Any) -> np.ndarray:
    """R̂, bulk ESS, tail ESS and the error of the mean together, (…, 4): the draws are put in order once.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import diagnostics
    >>> draws = np.random.default_rng(0).normal(size=(4, 2500))
    >>> bool(diagnostics.worth(draws)[1] == diagnostics.ess(draws))
    True
    """
    return _of(chains, _together, shape=(4,))


def _together(x: np.ndarray) -> np.ndarray:
    r = mixing.ranked(mixing.halves(x))
    normal = mixing.scores(r)
    agree = mixing.agreement(r, normal) if x.shape[-2] > 1 else np.full(x.shape[:-2], np.nan)
    tail = mixing.tail(x, r.values if x.shape[-1] % 2 == 0 else None)
    return np.stack([agree, mixing.size(normal), tail, mixing.error_of_mean(x)], axis=-1)


def _agreement(r: mixing.Ranked) -> np.ndarray:
    return mixing.agreement(r, mixing.scores(r))


# -- at the door -----------------------------------------------------------------------------------------
def _chains(chains: Any) -> np.ndarray:
    x = np.asarray(chains, dtype=float)
    if x.ndim < 2 or 0 in x.shape[-2:]:
        hint = " One chain x is x[None, :]." if x.ndim == 1 else ""
        raise InvalidInput(
            f"chains must have shape (…, chain, draw), neither of them 0; got {x.shape}.{hint}"
        )
    return x


def _of(chains: Any, f: Callable, *, least_chains: int = 1, shape: tuple[int, ...] = ()) -> Any:
    """f of the draws, NaN for coordinates with a NaN and where there are too few draws or chains."""
    x = _chains(chains)
    if x.shape[-1] < LEAST or x.shape[-2] < least_chains:
        return np.full((*x.shape[:-2], *shape), np.nan)[()]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        value = f(x)
    lost = np.isnan(x).any(axis=(-2, -1)).reshape((*x.shape[:-2], *[1] * len(shape)))
    return np.where(lost, np.nan, value)[()]
