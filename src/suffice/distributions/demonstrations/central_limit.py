r"""Averages of draws, and their limit.

Central limit  the average of n independent draws is nearly N(Σ μᵢ / n, Σ σᵢ² / n²), whatever each is drawn from;
               of one distribution that is N(μ, σ²/n)                                             (DTU eqs 6.27, 6.30)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_integer
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._checks import frozen
from suffice.distributions._numerics import one_dimensional
from suffice.distributions.tables._text import html_line
from suffice.distributions.univariate.normal import Normal

_BLOCK = 1 << 20  # draws held at a time


@record
class CentralLimit:
    """Averages of n draws, and the normal distribution they approach."""

    averages: np.ndarray
    normal: Normal
    n: int

    @property
    def distance(self) -> float:
        """The largest gap between the distribution function of the averages and the normal one."""
        x = np.sort(self.averages)
        F, k = self.normal.cdf(x), np.arange(len(x) + 1) / len(x)
        return float(np.max(np.maximum(k[1:] - F, F - k[:-1])))

    def __repr__(self) -> str:
        gap = f"distance {self.distance:.3g} from {self.normal}"
        return f"CentralLimit({len(self.averages)} averages of {self.n} draws, {gap})"

    def _repr_html_(self) -> str:
        return html_line(self)


def central_limit(
    distribution: Univariate | Sequence[Univariate],
    n: int | None = None,
    repeats: int = 10_000,
    rng: Any = None,
) -> CentralLimit:
    """`repeats` averages of `n` draws, next to the normal distribution that they approach.

    Parameters
    ----------
    distribution
        What all draws come from; or a list of distributions, one for each draw of an average.
    n
        How many draws an average has; of a list, its length.

    Examples
    --------
    >>> from suffice.distributions import Categorical, Poisson, Uniform, central_limit
    >>> die = Categorical([1 / 6, 1 / 3, 1 / 3, 1 / 6], classes=[-2, 1, 4, 10])
    >>> result = central_limit(die, n=56, rng=0)
    >>> print(result.normal, f"{result.averages.mean():.2f} {result.averages.var():.2f}")
    Normal(mean=3, std=0.5) 3.00 0.25
    >>> print(central_limit([Uniform(0, 12), Poisson(4)], rng=0).normal)  # (12 + 4) / 4 = 2²
    Normal(mean=5, std=2)
    """
    drawn = list(distribution) if isinstance(distribution, Sequence) else [distribution]
    several = isinstance(distribution, Sequence)
    if several and n is not None and n != len(drawn):
        raise InvalidParameter(f"n is the number of distributions, {len(drawn)}, or left out; got {n!r}.")
    n = check_integer("n", len(drawn) if several else n, 1)
    check_integer("repeats", repeats, 1)
    spreads = [_variance(d) for d in drawn]
    mean, spread = np.mean([float(d.mean) for d in drawn]), np.mean(spreads)
    rng, rows = generator(rng), max(1, _BLOCK // n)
    each = 1 if several else n
    parts = [
        np.sum([_sums(d, min(rows, repeats - start), each, rng) for d in drawn], axis=0) / n
        for start in range(0, repeats, rows)
    ]
    return CentralLimit(frozen(np.concatenate(parts)), Normal(mean, np.sqrt(spread / n)), n)


def _variance(distribution: Univariate) -> float:
    one_dimensional.check_single("distribution", distribution)
    spread = np.asarray(distribution.var)
    if not np.isfinite(spread):
        raise InvalidInput(f"The central limit theorem needs one finite variance; got {spread}.")
    return float(spread)


def _sums(distribution: Univariate, rows: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """The sum of n draws, again and again."""
    return np.asarray(distribution.sample(n * rows, rng), dtype=float).reshape(-1, n).sum(1)
