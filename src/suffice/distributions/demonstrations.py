r"""Small experiments of the texts: averages of draws, their limit, and balls in many dimensions.

Monte Carlo    E f ≈ (1/S) Σ f(x_s), with standard error √(var f / S)
Central limit  the average of n draws is nearly N(μ, σ²/n), whatever they are drawn from
Ball           V_D = π^(D/2) r^D / Γ(D/2 + 1);  the shell 1 − ε … 1 holds the share 1 − (1 − ε)^D ≈ D ε
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import gammaln

from suffice._core.errors import InvalidInput, InvalidParameter, check_fraction
from suffice._core.frames import to_frame
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._base import Distribution, Univariate
from suffice.distributions._checks import frozen, parameter
from suffice.distributions._tables import html_line
from suffice.distributions.normal import Normal
from suffice.distributions.student_t import StudentT

_BLOCK = 1 << 20  # draws held at a time


@record
class MonteCarlo:
    """An expectation estimated by averaging draws.

    `running` is the estimate after 1, 2, … draws, `running_error` its standard error (NaN after the first).
    """

    estimate: float
    standard_error: float
    interval: tuple[float, float]
    running: np.ndarray
    running_error: np.ndarray
    confidence: float

    @property
    def n(self) -> int:
        """Number of draws."""
        return len(self.running)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per number of draws."""
        columns = {"draws": np.arange(1, self.n + 1), "estimate": self.running}
        return to_frame(columns | {"standard_error": self.running_error}, kind)

    def __repr__(self) -> str:
        low, high = self.interval
        level = f"{100 * self.confidence:g} % interval [{low:.6g}, {high:.6g}]"
        return f"MonteCarlo({self.estimate:.6g} ± {self.standard_error:.2g} from {self.n} draws, {level})"

    def _repr_html_(self) -> str:
        return html_line(self)


def monte_carlo(
    f: Callable[[Any], Any], distribution: Distribution, n: int, rng: Any = None, confidence: float = 0.95
) -> MonteCarlo:
    """E f(X) from `n` draws; f maps an array of draws to one number each.

    Examples
    --------
    >>> from suffice.distributions import Normal, monte_carlo
    >>> monte_carlo(lambda x: x**2, Normal(0.0, 1.0), 10_000, rng=0)
    MonteCarlo(0.996197 ± 0.014 from 10000 draws, 95 % interval [0.968785, 1.02361])
    """
    _whole("n", n, least=2)
    level = check_fraction("confidence", confidence)
    values = np.asarray(f(distribution.sample(n, generator(rng))), dtype=float)
    if values.shape != (n,):
        raise InvalidInput(f"f must give one number per draw, shape ({n},); got shape {values.shape}.")
    if not np.isfinite(values).all():
        raise InvalidInput(f"f gave {values[~np.isfinite(values)][0]} for one of the draws.")
    mean, error = _running(values)
    reach = StudentT(n - 1).quantile((1 + level) / 2) * error[-1]
    estimate = float(mean[-1])
    interval = (float(estimate - reach), float(estimate + reach))
    return MonteCarlo(estimate, float(error[-1]), interval, frozen(mean), frozen(error), level)


def _running(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means and standard errors of the first 1, 2, … values, from sums about the overall mean."""
    centre, count = values.mean(), np.arange(1, len(values) + 1)
    gap = np.cumsum(values - centre) / count
    scatter = np.maximum(np.cumsum((values - centre) ** 2) - count * gap**2, 0.0)
    error = np.full(len(values), np.nan)
    error[1:] = np.sqrt(scatter[1:] / (count[1:] - 1) / count[1:])
    return centre + gap, error


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
    _whole("n", n)
    _whole("repeats", repeats)
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


def ball_volume(dimension: Any, radius: Any = 1.0) -> Any:
    """Volume of a ball: it vanishes as the dimension grows."""
    d, r = parameter("dimension", dimension, low=0.0), parameter("radius", radius, low=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.exp(d / 2 * np.log(np.pi) - gammaln(d / 2 + 1) + np.where(d == 0, 0.0, d * np.log(r)))[()]


def shell_volume(dimension: Any, epsilon: Any) -> Any:
    """The share of a ball's volume in its outermost shell, of thickness ε times the radius: 1 − (1 − ε)^D.

    Examples
    --------
    >>> from suffice.distributions import shell_volume
    >>> shell_volume([1, 2, 10, 1000], 0.01).round(5)
    array([0.01   , 0.0199 , 0.09562, 0.99996])
    """
    d, e = parameter("dimension", dimension, low=0.0), parameter("epsilon", epsilon, low=0.0)
    if np.any(e > 1):
        raise InvalidParameter(f"epsilon must be in [0, 1]; got {e[e > 1].flat[0]}.")
    with np.errstate(divide="ignore", invalid="ignore"):
        return -np.expm1(np.where(d == 0, 0.0, d * np.log1p(-e)))[()]


def _whole(name: str, value: Any, least: int = 1) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InvalidParameter(f"{name} must be an integer >= {least}; got {value!r}.")
