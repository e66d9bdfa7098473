r"""Expectations, probabilities and evidence by averaging independent draws (FCML §2.5.1 and §4.5.1, PRML 3.68).

Expectation   E f ≈ (1/S) Σ f(x_s), with standard error √(var f / S)
Event         P(A) ≈ share of draws in A (4.16), with Jeffreys' interval
Evidence      log p(D) ≈ log (1/S) Σ p(D | w_s), w_s from the prior; f gives log p(D | w)

Draws come in blocks and only sums are kept, so that a hundred million of them take no more memory than one block. Sums
are of gaps from the first block's mean (of ratios to it, less one, where f gives logs): nothing cancels or overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.special import logsumexp, stdtrit

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NotConverged,
    Unsupported,
    check_fraction,
    check_integer,
    warn,
)
from suffice._core.frames import to_frame
from suffice._core.proportions import jeffreys
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Distribution
from suffice.distributions._checks import frozen
from suffice.distributions.tables._text import html_line

BLOCK = 1 << 16  # draws held at a time, and the most for which every running estimate is kept
PLACES = 1000  # running estimates kept of more draws than that
STEEPEST = 300.0  # logs this far above the first block's mean move the place that ratios refer to
FEWEST = 10.0  # effective draws below which a log mean is not to be believed

Source = Distribution | Callable[[np.random.Generator, int], Any]


@record
class MonteCarlo:
    """An expectation, a probability or a log mean, estimated by averaging draws.

    `running` is the estimate after each number of draws in `counts`, `running_error` its standard error (NaN after the
    first draw). `kind` says what was averaged: "mean", "probability" of an event, or "log mean" of exponentials. Of a
    function with several values, estimate, standard error and both ends of the interval are vectors, and `running` has
    a column for each.
    """

    estimate: Any
    standard_error: Any
    interval: tuple[Any, Any]
    running: np.ndarray
    running_error: np.ndarray
    confidence: float
    counts: np.ndarray
    kind: Literal["mean", "probability", "log mean"] = "mean"

    @property
    def n(self) -> int:
        """Number of draws."""
        return int(self.counts[-1])

    @property
    def effective(self) -> float:
        """(Σ w)² / Σ w² of the averaged exponentials w: the draws that a log mean rests upon. Otherwise all of them."""
        if self.kind != "log mean":
            return float(self.n)
        return self.n / (1 + (self.n - 1) * self.standard_error**2)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per number of draws."""
        several = {"estimate": self.running, "standard_error": self.running_error}
        if self.running.ndim == 1:
            return to_frame({"draws": self.counts} | several, kind)
        each = {f"{name} {j}": v[:, j] for name, v in several.items() for j in range(v.shape[1])}
        return to_frame({"draws": self.counts} | each, kind)

    def __repr__(self) -> str:
        low, high = self.interval
        if np.ndim(self.estimate):
            values = ", ".join(
                f"{e:.6g} ± {s:.2g}" for e, s in zip(self.estimate, self.standard_error, strict=True)
            )
            return f"MonteCarlo([{values}] from {self.n} draws)"
        level = f"{100 * self.confidence:g} % interval [{low:.6g}, {high:.6g}]"
        return f"MonteCarlo({self.estimate:.6g} ± {self.standard_error:.2g} from {self.n} draws, {level})"

    def _repr_html_(self) -> str:
        return html_line(self)


def monte_carlo(
    f: Callable[[Any], Any],
    distribution: Source,
    n: int,
    rng: Any = None,
    confidence: float = 0.95,
    *,
    log: bool = False,
) -> MonteCarlo:
    """E f(X) from `n` independent draws.

    Parameters
    ----------
    f
        Maps an array of draws to one number each, or to a row of several. Booleans make it the probability of an
        event, with Jeffreys' interval; otherwise the interval is Student's, of each number by itself.
    distribution
        Where the draws come from. Also a function: `distribution(rng, k)` gives k draws in whatever form f takes.
    n
        Number of draws, made in blocks.
    rng
        Seed or Generator.
    confidence
        Level of the interval.
    log
        f gives logs, and the result is log E exp f(X) with the standard error of that log: with the log likelihood
        for f and draws from the prior, the evidence. Where a handful of draws carries the mean, a warning says so.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.distributions import Normal, monte_carlo
    >>> monte_carlo(lambda x: x**2, Normal(0.0, 1.0), 10_000, rng=0)
    MonteCarlo(0.996197 ± 0.014 from 10000 draws, 95 % interval [0.968785, 1.02361])

    π is four times the share of points of the unit square that lie in the quarter circle (FCML exercise 4.4).

    >>> inside = monte_carlo(lambda u: (u**2).sum(1) <= 1, lambda rng, n: rng.random((n, 2)), 100_000, rng=0)
    >>> print(f"{4 * inside.estimate:.4f} between {4 * inside.interval[0]:.4f} and {4 * inside.interval[1]:.4f}")
    3.1481 between 3.1379 and 3.1582

    A mean vector, with an error for each of its numbers.

    >>> from suffice.distributions import MultivariateNormal
    >>> monte_carlo(lambda x: x, MultivariateNormal([1.0, -2.0], [[1.0, 0.5], [0.5, 2.0]]), 10_000, rng=0)
    MonteCarlo([1.0055 ± 0.0099, -1.99214 ± 0.014] from 10000 draws)

    The evidence of 14 heads in 20 tosses under a flat prior, 1/21, from the likelihood of rates drawn from it.

    >>> from suffice.distributions import Beta, Binomial
    >>> evidence = monte_carlo(lambda r: Binomial(20, r).log_prob(14), Beta(1, 1), 100_000, rng=0, log=True)
    >>> print(f"{evidence.estimate:.3f} ± {evidence.standard_error:.3f}, exactly {-np.log(21):.3f}")
    -3.044 ± 0.004, exactly -3.045
    """
    _check(n, distribution, log)
    level, stream = check_fraction("confidence", confidence), generator(rng)
    counts = _places(n)
    sums, events, estimates, errors = _Sums(np.zeros(()), np.zeros(()), np.zeros(()), 0), True, [], []
    for start in range(0, n, BLOCK):
        values = _values(f, distribution, stream, min(BLOCK, n - start), log)
        events = values.dtype == bool and events
        sums, means, reaches = _add(sums, values.astype(float), counts, log)
        estimates.append(means)
        errors.append(reaches)
    running, error = np.concatenate(estimates), np.concatenate(errors)
    kind: Any = "log mean" if log else "probability" if events else "mean"
    estimate, reach = ((a[-1] if a.ndim > 1 else float(a[-1])) for a in (running, error))
    interval = _interval(estimate, reach, n, level, kind)
    found = MonteCarlo(estimate, reach, interval, frozen(running), frozen(error), level, counts, kind)
    if log and not found.effective >= FEWEST:
        warn(
            f"The mean of {n} exponentials rests on {np.nan_to_num(found.effective):.2g} of them: the log mean "
            f"{found.estimate:.6g} and its error are not to be believed. Draw more, or from where f is large.",
            NotConverged,
        )
    return found


class _Sums(NamedTuple):
    """Sums of gaps and their squares over n draws. Gaps are v − c, or exp(v − c) − 1 where values are logs."""

    center: np.ndarray
    first: np.ndarray
    second: np.ndarray
    n: int


def _add(
    old: _Sums, values: np.ndarray, counts: np.ndarray, log: bool
) -> tuple[_Sums, np.ndarray, np.ndarray]:
    """Sums with one more block, and the running estimates and errors at those counts that lie in it."""
    start = (
        _recentered(old, values) if log else old._replace(center=old.center if old.n else values.mean(axis=0))
    )
    gaps = _ratios(values, start.center) - 1 if log else values - start.center
    first, second = start.first + np.cumsum(gaps, axis=0), start.second + np.cumsum(gaps**2, axis=0)
    new = _Sums(start.center, first[-1], second[-1], start.n + len(values))
    k = counts[(counts > start.n) & (counts <= new.n)]
    at = k - start.n - 1
    k = k.reshape(-1, *[1] * (values.ndim - 1))
    mean = first[at] / k
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(np.maximum(second[at] - k * mean**2, 0.0) / (k - 1) / k)
        if log:
            return new, start.center + np.log1p(np.maximum(mean, -1.0)), error / (1 + mean)
    return new, start.center + mean, error


def _recentered(old: _Sums, logs: np.ndarray) -> _Sums:
    """Sums of ratios to the mean of this block, if it is the first or lies so high that they would overflow."""
    if old.n and logs.max() <= old.center + STEEPEST:
        return old
    center = np.asarray(logsumexp(logs) - np.log(len(logs)))
    if not old.n:
        return old._replace(center=center)
    r = np.exp(old.center - center)
    ratios, squares = r * (old.first + old.n), r**2 * (old.second + 2 * old.first + old.n)
    return _Sums(center, ratios - old.n, squares - 2 * ratios + old.n, old.n)


def _ratios(logs: np.ndarray, center: Any) -> np.ndarray:
    return np.zeros(len(logs)) if center == -np.inf else np.exp(logs - center)


def _interval(estimate: Any, error: Any, n: int, level: float, kind: str) -> tuple[Any, Any]:
    if kind == "probability":
        low, high = jeffreys(np.round(np.multiply(estimate, n)), n, level)
        return (low, high) if np.ndim(estimate) else (float(low), float(high))
    reach = float(stdtrit(n - 1, (1 + level) / 2)) * error
    return estimate - reach, estimate + reach


def _places(n: int) -> np.ndarray:
    """Numbers of draws after which the estimate is kept: all, or so many at equal ratios."""
    if n <= BLOCK:
        return frozen(np.arange(1, n + 1))
    return frozen(np.unique(np.geomspace(1, n, PLACES).round().astype(int)))


def _values(f: Callable, source: Source, stream: np.random.Generator, k: int, log: bool) -> np.ndarray:
    """f at k fresh draws."""
    draws = source.sample(k, stream) if isinstance(source, Distribution) else source(stream, k)
    values = np.asarray(f(draws))
    right = values.shape == (k,) if log else values.ndim in (1, 2) and len(values) == k
    if not right or values.dtype.kind not in "biuf":
        what = f"shape {values.shape}" if values.dtype.kind in "biuf" else f"{values.dtype} values"
        several = "" if log else f", or a row of several, ({k}, …)"
        raise InvalidInput(f"f must give one number per draw, shape ({k},){several}; got {what}.")
    wrong = ~(values < np.inf) if log else ~np.isfinite(values)
    if wrong.any():
        raise InvalidInput(f"f gave {values[wrong][0]} for one of the draws.")
    return values


def _check(n: Any, source: Any, log: Any) -> None:
    check_integer("n", n, 2)
    if isinstance(source, Distribution) and not source._independent:
        raise Unsupported(
            "Draws of chains depend on each other, so drawing from them again says nothing new; use .expectation(f), "
            "which knows its error."
        )
    if not isinstance(source, Distribution) and not callable(source):
        raise InvalidParameter(
            f"distribution must be a Distribution or a function rng, n -> n draws; got {source!r}."
        )
    if not isinstance(log, bool | np.bool_):
        raise InvalidParameter(f"log must be True or False; got {log!r}.")
