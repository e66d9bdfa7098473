r"""Averages of draws, and their limit.

Central limit  the average of n draws is nearly N(μ, σ²/n), whatever they are drawn from
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, check_integer
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Univariate
from suffice.distributions._checks import frozen
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


def central_limit(distribution: Univariate, n: int, repeats: int = 10_000, rng: Any = None) -> CentralLimit:
    """`repeats` averages of `n` draws, next to N(μ, σ²/n).

    Examples
    --------
    >>> from suffice.distributions import Categorical, central_limit
    >>> die = Categorical([1 / 6, 1 / 3, 1 / 3, 1 / 6], classes=[-2, 1, 4, 10])
    >>> result = central_limit(die, n=56, rng=0)
    >>> print(result.normal, f"{result.averages.mean():.2f} {result.averages.var():.2f}")
    Normal(mean=3, std=0.5) 3.00 0.25
    """
    check_integer("n", n, 1)
    check_integer("repeats", repeats, 1)
    spread = np.asarray(distribution.var)
    if spread.ndim or not np.isfinite(spread):
        raise InvalidInput(f"The central limit theorem needs one finite variance; got {spread}.")
    rng, rows = generator(rng), max(1, _BLOCK // n)
    parts = [
        np.asarray(distribution.sample(n * min(rows, repeats - start), rng), dtype=float)
        .reshape(-1, n)
        .mean(1)
        for start in range(0, repeats, rows)
    ]
    return CentralLimit(frozen(np.concatenate(parts)), Normal(distribution.mean, np.sqrt(spread / n)), n)
