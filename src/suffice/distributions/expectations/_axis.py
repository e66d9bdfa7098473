r"""A line on which E f(X) is an integral that quadrature can do: the middle by shares, the ends by what they are.

Middle       u = F(x) from δ to 1 − δ:  E = ∫ f(Q(u)) du, whatever poles the density has
Finite end   u = δ e^{−s}:              E = ∫ f(Q(u)) u ds
Far end      x = x_δ ± w (eˢ − 1):      E = ∫ f(x) p(x) w eˢ ds, in logs, as far out as doubles go
Beyond       a power law (log g linear in s) or an exponential law (linear in x), whichever the last quarters fit;
             it is infinite where that does not fall

The coordinate t is −s on the lower end, (u − δ)/(1 − 2δ) in the middle, 1 + s on the upper end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.distributions._base import Univariate

EDGE = 1 / 64  # δ, the share of each end
_MIDDLE = np.linspace(0, 1, 33)
_FARTHEST = 1e300
_HALVINGS = 4.0 ** -np.arange(1, 23)  # panels of a far end begin where a quarter of the rest is left
_POWERS = 1e60  # only what grows like a power of x is finite so far out
_NOTHING = 1e-15  # probability that does not count
_LOST = 60.0  # e⁻⁶⁰ of the largest value does not count
_FLAT = 1e-8  # a log that moves by less over a quarter of an end stands still


class End(Protocol):
    """One end of the line, s = 0 … reach from the middle outwards."""

    @property
    def unbounded(self) -> bool:
        """Whether it has no last x."""

    def at(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The x there, and the log of the probability per unit of s."""

    def place(self, x: np.ndarray) -> np.ndarray:
        """The s of x."""

    def tail(self, s: float) -> float:
        """The probability beyond s."""

    def edges(self) -> np.ndarray:
        """Where panels begin and end."""


@record
class ShareEnd:
    """The last δ of probability before a finite end."""

    d: Univariate
    upper: bool
    unbounded: bool = False

    def at(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        share = EDGE * np.exp(-s)
        return np.asarray(self.d.quantile(1 - share if self.upper else share)), np.log(EDGE) - s

    def place(self, x: np.ndarray) -> np.ndarray:
        share = self.d.sf(x) if self.upper else self.d.cdf(x)
        return np.asarray(np.log(EDGE / share))

    def tail(self, s: float) -> float:
        return float(EDGE * np.exp(-s))

    def edges(self) -> np.ndarray:
        near = np.arange(26.0)  # 1 − u has three digits left there
        return near if self.upper else np.r_[near, np.geomspace(32, 700, 12)]


@record
class DensityEnd:
    """The last δ of probability of a distribution without an end."""

    d: Univariate
    sign: float
    start: float
    width: float
    unbounded: bool = True

    def at(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = self.start + self.sign * self.width * np.expm1(s)
        return x, np.asarray(self.d.log_prob(x)) + np.log(self.width) + s

    def place(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(np.log1p(self.sign * (x - self.start) / self.width))

    def tail(self, s: float) -> float:
        x = self.start + self.sign * self.width * np.expm1(s)
        return float(self.d.sf(x) if self.sign > 0 else self.d.cdf(x))

    def edges(self) -> np.ndarray:
        tail = EDGE * _HALVINGS
        known = self.place(np.asarray(self.d.quantile(1 - tail if self.sign > 0 else tail)))
        last = np.log(_FARTHEST / max(self.width, 1.0))
        known = np.unique(np.r_[0.0, known[np.isfinite(known) & (known > 0) & (known < last)]])
        further = known[-1] + np.r_[np.arange(1, 17) / 4, np.geomspace(5, 700, 15)]
        return np.r_[known, further[further < last], last]


@record
class Axis:
    """The line: two ends and what lies between."""

    d: Univariate
    lower: End
    upper: End

    @staticmethod
    def of(d: Univariate) -> Axis:
        first, low, middle, high, last = (float(q) for q in d.quantile([0.0, EDGE, 0.5, 1 - EDGE, 1.0]))
        lower = ShareEnd(d, False) if np.isfinite(first) else DensityEnd(d, -1.0, low, middle - low)
        upper = ShareEnd(d, True) if np.isfinite(last) else DensityEnd(d, 1.0, high, high - middle)
        return Axis(d, lower, upper)

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The x there, and the log of the probability per unit of t."""
        x, log_weight = np.empty(t.shape), np.full(t.shape, np.log1p(-2 * EDGE))
        below, above = t < 0, t > 1
        middle = ~(below | above)
        x[middle] = self.d.quantile(EDGE + (1 - 2 * EDGE) * t[middle])
        x[below], log_weight[below] = self.lower.at(-t[below])
        x[above], log_weight[above] = self.upper.at(t[above] - 1)
        return x, log_weight

    def place(self, x: np.ndarray) -> np.ndarray:
        """The t of x."""
        with np.errstate(all="ignore"):
            u = np.asarray(self.d.cdf(x))
            middle = (u - EDGE) / (1 - 2 * EDGE)
            t = np.where(
                u < EDGE, -self.lower.place(x), np.where(u > 1 - EDGE, 1 + self.upper.place(x), middle)
            )
        return np.asarray(t[np.isfinite(t)])

    def edges(self, low: np.ndarray, high: np.ndarray, breaks: np.ndarray) -> np.ndarray:
        """All panels, with further edges at the breaks."""
        t = np.r_[-low, _MIDDLE, 1 + high]
        inside = (breaks > t.min()) & (breaks < t.max())
        return np.unique(np.r_[t, breaks[inside]])


@record
class TailIntegral:
    """What lies beyond the last panel of an end: its size and the error of that, both infinite or unknown at times."""

    edges: np.ndarray
    value: float = 0.0
    error: float = 0.0


def tail_integral(f: Callable[[np.ndarray], np.ndarray], end: End) -> TailIntegral:
    """The panels of an end on which f is finite, and what is left behind the last."""
    edges = _finite_part(lambda s: f(end.at(np.asarray(s))[0]), end)
    log_g = _log_size(f, end)
    last = edges[-1]
    seen, now, before = log_g(edges), *log_g(last * np.array([1, 0.98]))
    falls = np.isneginf(now) or (now < before and now < seen.max() - _LOST)
    if last == 0 or falls or not np.isfinite(seen).any():
        return TailIntegral(edges)
    y = np.expm1(last) * np.array([1, 0.75, 0.5])
    laws = [
        _law(log_g(last * np.array([1, 0.75, 0.5])), last / 4, growth=not end.unbounded or y[0] > _POWERS)
    ]
    if end.unbounded:
        laws.append(_law(log_g(np.log1p(y)) - np.log1p(y), y[0] / 4, growth=True))
    value, error, _ = min(laws, key=lambda law: law[2])
    sign = float(np.sign(f(end.at(np.array([last]))[0]))[0])
    return TailIntegral(edges, sign * value, error)


def _log_size(f: Callable[[np.ndarray], np.ndarray], end: End) -> Callable[[np.ndarray], np.ndarray]:
    """log |f(x) dF/ds|, −∞ where there is no probability."""

    def log_g(s: np.ndarray) -> np.ndarray:
        x, log_weight = end.at(s)
        with np.errstate(all="ignore"):
            return np.where(np.isneginf(log_weight), -np.inf, np.log(np.abs(f(x))) + log_weight)

    return log_g


def _finite_part(values: Callable[[Any], np.ndarray], end: End) -> np.ndarray:
    """The edges up to where f overflows for good, where the last is put; NaN is refused if it has probability."""
    edges = end.edges()
    good = np.flatnonzero(np.isfinite(values(edges)))
    if len(good) == 0 or good[-1] == len(edges) - 1:
        return edges
    low, high = edges[good[-1]], edges[good[-1] + 1]
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if np.isfinite(values(np.array([middle])))[0] else (low, middle)
    if np.isnan(values(np.array([high])))[0] and end.tail(low) > _NOTHING:
        raise InvalidInput(f"f gave NaN at {end.at(np.array([high]))[0][0]:.6g}.")
    return np.unique(np.r_[edges[: good[-1] + 1], low])


def _law(logs: np.ndarray, step: float, growth: bool) -> tuple[float, float, float]:
    """∫ e^{log g} beyond z from log g at z, z − step and z − 2 step: its size, its error, how badly a line fits.

    Growth that does not slow down is infinite where `growth` says so much; growth that does may end behind the last
    double, which nobody can tell.
    """
    with np.errstate(all="ignore"):
        outer, inner = (logs[1] - logs[0]) / step, (logs[2] - logs[1]) / step  # how fast g falls
        gap = abs(outer - inner) / max(abs(outer), abs(inner), 1e-300)
    flat = _FLAT / step
    if not np.isfinite(gap):
        return 0.0, np.inf, np.inf
    if growth and max(outer, inner) <= flat and (gap < 0.1 or outer <= inner + flat):
        return np.inf, 0.0, 0.0 if min(outer, inner) >= -flat else gap
    if gap > 0.5 or outer <= 0:
        return 0.0, np.inf, gap
    rest = float(np.exp(logs[0]) / outer)
    return rest, 10 * gap * rest, gap
