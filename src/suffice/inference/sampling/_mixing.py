"""The arithmetic of `diagnostics`: draws (…, chain, draw) of float64, known to be enough. See there for the symbols.

Ranks of all coordinates are made at once and looked up in one table of normal scores. Only the mean over half-chains of
their autocovariances is needed, so that transforms are averaged before the one that goes back.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import betaincinv, ndtri

TAILS = (0.05, 0.95)
LONG = 512  # draws of a half-chain
# one standard deviation of a normal density to either side, as ArviZ rounds it
SIGMA = (
    0.1586553,
    0.8413447,
)


def halves(x: np.ndarray) -> np.ndarray:
    """(…, 2M, n): first halves, then second halves; the middle of an odd number of draws is left out."""
    half = x.shape[-1] // 2
    return np.concatenate([x[..., :half], x[..., -half:]], axis=-2)


def scaled(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """x over a power of two near its largest magnitude, and the exponent: squares neither overflow nor vanish."""
    exponent = np.frexp(np.max(np.abs(x), axis=(-2, -1)))[1]
    return np.ldexp(x, -exponent[..., None, None]), exponent


def width(x: np.ndarray, axis: Any) -> np.ndarray:
    """Largest less smallest: exactly zero for what never changes."""
    return x.max(axis=axis) - x.min(axis=axis)


# -- agreement -------------------------------------------------------------------------------------------
class Ranked(NamedTuple):
    """All draws of a coordinate in ascending order: where each was, and its value, both (…, n)."""

    order: np.ndarray
    values: np.ndarray
    shape: tuple[int, ...]

    def back(self, values: np.ndarray) -> np.ndarray:
        """What belongs to the ordered draws, where these were."""
        out = np.empty(self.order.shape, dtype=values.dtype)
        np.put_along_axis(out, self.order, values, axis=-1)
        return out.reshape(self.shape)


def ranked(x: np.ndarray) -> Ranked:
    """The draws of all chains together, in order."""
    flat = x.reshape(*x.shape[:-2], -1)
    order = np.argsort(flat, axis=-1)
    return Ranked(order, np.take_along_axis(flat, order, axis=-1), x.shape)


def folded(r: Ranked) -> Ranked:
    """|x − median|. In the order of x these fall and then rise: two runs that a stable sort only has to merge."""
    n = r.values.shape[-1]
    middle = (r.values[..., (n - 1) // 2] + r.values[..., n // 2]) / 2
    far = np.abs(r.values - middle[..., None])
    again = np.argsort(far, axis=-1, kind="stable")
    order, values = (np.take_along_axis(array, again, axis=-1) for array in (r.order, far))
    return Ranked(order, values, r.shape)


@lru_cache(maxsize=4)
def _normal_scores(n: int) -> np.ndarray:
    """Blom's scores Φ⁻¹((r − 3/8)/(n + 1/4)) of the ranks r = 1, 1½, 2, …, n, by 2r − 2."""
    return ndtri((np.arange(2, 2 * n + 1) / 2 - 0.375) / (n + 0.25))


def scores(r: Ranked) -> np.ndarray:
    """Normal scores of the ranks among all chains."""
    return r.back(_normal_scores(r.values.shape[-1])[doubled_ranks(r)])


def doubled_ranks(r: Ranked) -> np.ndarray:
    """2r − 2 of the ranks r = 1, …, n, of the ordered draws; equal draws share the mean of their ranks."""
    at = np.arange(r.values.shape[-1])
    climbs = r.values[..., 1:] != r.values[..., :-1]
    if climbs.all():
        return np.broadcast_to(2 * at, r.values.shape)
    first = np.maximum.accumulate(_padded_where(climbs, at[1:], at[:1], before=True), axis=-1)
    last = _padded_where(climbs, at[:-1], at[-1:], before=False)
    return first + np.minimum.accumulate(last[..., ::-1], axis=-1)[..., ::-1]


def _padded_where(climbs: np.ndarray, at: np.ndarray, end: np.ndarray, *, before: bool) -> np.ndarray:
    """Positions where a run of equal values begins (before) or ends; elsewhere what accumulation ignores."""
    ends = np.broadcast_to(end, (*climbs.shape[:-1], 1))
    inner = np.where(climbs, at, 0 if before else end)
    return np.concatenate([ends, inner] if before else [inner, ends], axis=-1)


def agreement(r: Ranked, normal: np.ndarray) -> np.ndarray:
    """R̂ of half-chains in order and their normal scores."""
    return np.fmax(_shrinkage(normal), _shrinkage(scores(folded(r))))


def _shrinkage(x: np.ndarray) -> np.ndarray:
    """√((B/W + n − 1)/n): how much the spread would still shrink."""
    n = x.shape[-1]
    within = np.where(width(x, axis=-1) == 0, 0.0, x.var(axis=-1, ddof=1)).mean(axis=-1)
    between = n * np.where(width(x, axis=(-2, -1)) == 0, 0.0, x.mean(axis=-1).var(axis=-1, ddof=1))
    return np.sqrt((between / within + n - 1) / n)


# -- effective sample size -------------------------------------------------------------------------------
def padded(n: int, lags: int) -> int:
    """Length of a transform in which a chain of n draws does not meet itself within so many lags."""
    return next_fast_len(n + lags, real=True)


def power(x: np.ndarray, lags: int) -> np.ndarray:
    """|FFT|²/n of each chain about its mean, with zeros behind it: the transform of its autocovariance."""
    wave = rfft(x - x.mean(axis=-1, keepdims=True), n=padded(x.shape[-1], lags), axis=-1)
    return (wave.real**2 + wave.imag**2) / x.shape[-1]


def size(x: np.ndarray) -> np.ndarray:
    """M n / τ of M half-chains. Of long ones an eighth of the lags is tried first, which is nearly always enough."""
    m, n = x.shape[-2:]
    length = _length(_correlation(x, n // 8 if n > LONG else n), n)
    if n > LONG and np.isnan(length).any():
        length = _length(_correlation(x, n), n)
    worth = m * n / np.maximum(length, 1 / np.log10(m * n))
    still = width(x, axis=(-2, -1)) <= np.finfo(float).eps * np.abs(x).max(axis=(-2, -1))
    return np.where(np.isfinite(x).all(axis=(-2, -1)), np.where(still, float(m * n), worth), np.nan)


def _correlation(x: np.ndarray, lags: int) -> np.ndarray:
    """ρₜ for t = 0, …, lags − 1."""
    n = x.shape[-1]
    covariance = irfft(power(x, lags).mean(axis=-2), n=padded(n, lags), axis=-1)[..., :lags]
    within = covariance[..., 0] * n / (n - 1)
    spread = covariance[..., 0] + x.mean(axis=-1).var(axis=-1, ddof=1)
    rho = 1 - (within[..., None] - covariance) / spread[..., None]
    rho[..., 0] = 1.0
    return rho


def _length(rho: np.ndarray, n: int) -> np.ndarray:
    """τ: pairs up to the first that is not positive, each at most its predecessor, and half of one more lag.

    NaN where the lags at hand end before the sum does.
    """
    pairs = rho[..., 0 : rho.shape[-1] // 2 * 2 : 2] + rho[..., 1::2]
    ends = pairs <= 0
    ends[..., max((n - 3) // 2, 0) :] = True  # the last pair that is looked at
    stop = np.argmax(ends, axis=-1)[..., None]
    kept = np.where(np.arange(pairs.shape[-1]) < stop, np.minimum.accumulate(pairs, axis=-1), 0.0)
    even = np.take_along_axis(rho, 2 * stop, axis=-1)
    counts = (even > 0) | (np.take_along_axis(pairs, stop, axis=-1) >= 0)
    length = -1 + 2 * kept.sum(axis=-1) + np.where(counts, even, 0.0)[..., 0]
    return np.where(ends.any(axis=-1), length, np.nan)


def tail(x: np.ndarray, ordered: np.ndarray | None = None) -> np.ndarray:
    """The smaller size of the two indicators; the same draws in order save a sort."""
    return np.minimum(*(size(halves((x <= q).astype(float))) for q in _quantiles(x, TAILS, ordered)))


def _quantiles(
    x: np.ndarray, shares: tuple[float, ...], ordered: np.ndarray | None = None
) -> list[np.ndarray]:
    """Between the two nearest draws (R's type 7), by the same operations as ArviZ: a rounding decides what is ≤."""
    n = x.shape[-2] * x.shape[-1]
    places = [n * p + (1 - p) for p in shares]
    below = [int(np.clip(place, 1, n - 1)) for place in places]
    if ordered is None:
        ordered = np.partition(x.reshape(*x.shape[:-2], n), [k - i for k in below for i in (0, 1)], axis=-1)
    share = [np.clip(place - k, 0, 1) for place, k in zip(places, below, strict=True)]
    found = [(1 - g) * ordered[..., k - 1] + g * ordered[..., k] for g, k in zip(share, below, strict=True)]
    return [q[..., None, None] for q in found]


# -- errors ----------------------------------------------------------------------------------------------
def error_of_mean(x: np.ndarray) -> np.ndarray:
    x, exponent = scaled(x)
    sd = np.where(width(x, axis=(-2, -1)) == 0, 0.0, x.std(axis=(-2, -1), ddof=1))
    return np.ldexp(sd / np.sqrt(size(halves(x))), exponent)


def error_of_sd(x: np.ndarray) -> np.ndarray:
    x, exponent = scaled(x)
    squares = (x - x.mean(axis=(-2, -1), keepdims=True)) ** 2
    variance = squares.mean(axis=(-2, -1))
    error = ((squares**2).mean(axis=(-2, -1)) - variance**2) / size(halves(squares))
    still = width(x, axis=(-2, -1)) == 0
    return np.ldexp(np.where(still, np.nan, np.sqrt(error / variance / 4)), exponent)


def error_of_quantile(x: np.ndarray, p: float) -> np.ndarray:
    worth = size(halves((x <= _quantiles(x, (p,))[0]).astype(float)))
    ordered = np.sort(x.reshape(*x.shape[:-2], -1), axis=-1)
    n = ordered.shape[-1]
    low, high = (n * betaincinv(worth * p + 1, worth * (1 - p) + 1, s) - 1 for s in SIGMA)
    places = np.stack([np.floor(np.fmax(low, 0)), np.ceil(np.fmin(high, n - 1))], axis=-1).astype(int)
    ends = np.take_along_axis(ordered, places, axis=-1)
    return (ends[..., 1] - ends[..., 0]) / 2
