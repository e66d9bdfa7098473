r"""Components of one column from any distribution with statistics that add (FCML §6.3.7).

Density       log p(x | θ_k), by `log_prob`
Sums          `statistics(x, weight=r_k)` of every component, over the rows in which the column is known
Maximization  θ_k = `from_statistics(sums_k)`; where that has no maximum (equal values) or is too narrow, the member of
              the least standard deviation at the same place; where this gains nothing θ_k stays, so that a step never
              lowers the likelihood

What a family needs beyond its class is E Σ log p(x | θ) from sums, for the bound; the four here have it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._components.smoothing import Smoothing
from suffice._core.errors import InvalidInput, NumericalError, Unsupported, hold_warnings
from suffice._core.records import frozen_array, record
from suffice.distributions import (
    Beta,
    Gamma,
    InverseGamma,
    NegativeBinomial,
    ProductDistribution,
)
from suffice.distributions._numerics.special import log_beta_kernel, log_gamma_kernel

LEAST = 1e-6  # of the standard deviation of a column: the least that a component may have
WIDE = 1e4  # times that: a component that is no narrower does not settle on a lone row
DIGITS = 1e-12  # of the largest cell: what varies less is one value


@record
class FamilySums:
    """Statistics of every component, and the weight (K,) of its known cells."""

    n: np.ndarray
    parts: tuple[Any, ...]

    def __add__(self, other: FamilySums) -> FamilySums:
        parts = tuple(a + b for a, b in zip(self.parts, other.parts, strict=True))
        return FamilySums(self.n + other.n, parts)


@record
class FamilyColumn:
    """K distributions of one column, and the least standard deviation that they may have."""

    members: tuple[Any, ...]
    least: float = 0.0

    @property
    def n_components(self) -> int:
        return len(self.members)

    @property
    def n_columns(self) -> int:
        return 1

    @property
    def n_parameters(self) -> int:
        return sum(member.n_parameters for member in self.members)

    @property
    def log_prior(self) -> float:
        return 0.0

    @property
    def block(self) -> int:
        return 8192

    @property
    def collapsed(self) -> list[int]:
        """The components that are as narrow as they may be."""
        if type(self.members[0]) not in NARROWEST:
            return []
        return [k for k, member in enumerate(self.members) if member.std <= 1.5 * self.least]

    def evaluate(self, X: np.ndarray) -> FamilyRows:
        known = ~np.isnan(X[:, 0])
        values, places = np.unique(X[known, 0], return_inverse=True)  # equal cells are looked at once
        logs = np.zeros((len(X), self.n_components))
        for k, member in enumerate(self.members):
            logs[known, k] = member.log_prob(values)[places]
        return FamilyRows(type(self.members[0]), values, places, known, logs)

    def maximized(self, sums: FamilySums) -> FamilyColumn:
        pairs = zip(self.members, sums.parts, strict=True)
        return FamilyColumn(tuple(better(member, own, self.least) for member, own in pairs), self.least)

    def expected_log(self, sums: FamilySums, before: FamilyColumn) -> float:
        return float(sum(map(expected_log, self.members, sums.parts)))

    def with_rule_of(self, base: FamilyColumn) -> FamilyColumn:
        return FamilyColumn(self.members, base.least)

    def smoothed(self, weights: np.ndarray, smoothing: Smoothing) -> FamilyColumn:
        return self

    def marginal(self, columns: np.ndarray) -> FamilyColumn:
        return self

    def densities(self) -> tuple[ProductDistribution, ...]:
        return tuple(ProductDistribution([member]) for member in self.members)

    def ordered(self, order: np.ndarray) -> FamilyColumn:
        return FamilyColumn(tuple(self.members[k] for k in order), self.least)


@record
class FamilyRows:
    """The different values of some rows, the places of known cells among them, which are known, and log densities."""

    family: type
    values: np.ndarray
    places: np.ndarray
    known: np.ndarray
    logs: np.ndarray

    def weighted_sums(self, responsibilities: np.ndarray) -> FamilySums:
        r, n = responsibilities[self.known], len(self.values)
        weights = [np.bincount(self.places, weights=column, minlength=n) for column in r.T]
        parts = tuple(self.family.statistics(self.values, w) for w in weights)  # type: ignore[attr-defined]
        return FamilySums(frozen_array(r.sum(axis=0)), parts)


def better(member: Any, statistics: Any, least: float) -> Any:
    """The likeliest of the family that is not too narrow, unless the one at hand is as good or there is none.

    A lone row, such as a start may give to a component, says nothing about how wide this should be: it stays.
    """
    if not statistics.n > 0:
        return member
    lone = statistics.n < 2 and member.std > WIDE * least
    found = _likeliest(type(member), statistics, 0.0 if lone else least)
    if found is None or (lone and found.std < least):
        return member
    gain = expected_log(found, statistics) - expected_log(member, statistics)
    return found if gain > 0 else member


def _likeliest(family: Any, statistics: Any, least: float) -> Any:
    """Of standard deviation `least` or more, where the family can be as narrow as it likes; None if there is none."""
    found = None
    if family not in NARROWEST or ROUGHLY[family](statistics) >= least / 2:  # below, no search is needed
        found = _fitted(family, statistics)
    if found is not None and (family not in NARROWEST or found.std >= least):
        return found
    return NARROWEST[family](statistics, least) if family in NARROWEST and least > 0 else None


def _fitted(family: Any, statistics: Any) -> Any:
    try:
        with hold_warnings():  # a shape that ran off is as good as it gets
            return family.from_statistics(statistics)
    except (InvalidInput, NumericalError):
        return None


# -- the narrowest members allowed -----------------------------------------------------------------------------
def _narrow_gamma(s: Any, least: float) -> Gamma:
    """Mean m and standard deviation m/√a."""
    shape = (s.mean / least) ** 2
    return Gamma(shape, shape / s.mean)


def _narrow_inverse_gamma(s: Any, least: float) -> InverseGamma:
    """Mean m = c/(a − 1) and standard deviation m/√(a − 2); the statistics are of 1/x."""
    shape = 2 + (1 / (s.mean * least)) ** 2
    return InverseGamma(shape, (shape - 1) / s.mean)


def _narrow_beta(s: Any, least: float) -> Beta:
    """Mean m and variance m (1 − m)/(a + b + 1); no flatter than the uniform distribution."""
    size = max(s.lower.mean * s.upper.mean / least**2 - 1, 2.0)
    return Beta(size * s.lower.mean, size * s.upper.mean)


NARROWEST: dict[type, Callable[[Any, float], Any]] = {
    Gamma: _narrow_gamma,
    InverseGamma: _narrow_inverse_gamma,
    Beta: _narrow_beta,
}
ROUGHLY: dict[
    type, Callable[[Any], float]
] = {  # the standard deviation, from gap ≈ var/(2 m²) where that is small
    Gamma: lambda s: s.mean * np.sqrt(2 * max(s.gap, 0.0)),
    InverseGamma: lambda s: np.sqrt(2 * max(s.gap, 0.0)) / s.mean,
    Beta: lambda s: s.lower.mean * np.sqrt(2 * max(s.lower.gap, 0.0)),
}


# -- Σ w log p(x) from statistics ------------------------------------------------------------------------------
def _gamma(d: Any, s: Any) -> float:
    """n (a log b − log Γ(a) + (a − 1) E log x − b E x), with E log x = log E x − gap; exact for large a."""
    return s.n * (log_gamma_kernel(d.shape, d.rate * s.mean) - (d.shape - 1) * s.gap - np.log(s.mean))


def _inverse_gamma(d: Any, s: Any) -> float:
    """That of 1/x, whose density is that of x times x²."""
    return s.n * (log_gamma_kernel(d.shape, d.scale * s.mean) - (d.shape + 1) * s.gap + np.log(s.mean))


def _beta(d: Any, s: Any) -> float:
    """n ((a − 1) E log x + (b − 1) E log(1 − x) − log B(a, b))."""
    low, high = s.lower, s.upper
    kernel = log_beta_kernel(d.a, d.b, low.mean, high.mean) - np.log(low.mean) - np.log(high.mean)
    return s.n * (kernel - (d.a - 1) * low.gap - (d.b - 1) * high.gap)


def _counted(d: Any, s: Any) -> float:
    seen = s.counts > 0
    return float(s.counts[seen] @ d.log_prob(s.classes[seen].astype(float)))


LOGS: dict[type, Callable[[Any, Any], float]] = {
    Gamma: _gamma,
    InverseGamma: _inverse_gamma,
    Beta: _beta,
    NegativeBinomial: _counted,
}


def expected_log(member: Any, statistics: Any) -> float:
    """Σ w log p(x), from the statistics of the rows."""
    return float(LOGS[type(member)](member, statistics)) if statistics.n > 0 else 0.0


def check_family(family: type) -> None:
    """Raise for a class that expectation–maximization cannot fit from sums."""
    if family not in LOGS:
        known = ", ".join(kind.__name__ for kind in LOGS)
        raise Unsupported(
            f"{family.__name__} has no components here: a step needs statistics that add and the maximum of the "
            f"likelihood from them, as {known} have. Choose one of these, or the family's word ('gaussian', 'poisson', "
            "…) where there is one."
        )


def family_column(family: type, x: np.ndarray, weight: np.ndarray | None, K: int, name: str) -> FamilyColumn:
    """K components that are all alike: the fit to all known cells."""
    known = ~np.isnan(x)
    try:
        with hold_warnings():
            found = family.fit(x[known], None if weight is None else weight[known])  # type: ignore[attr-defined]
    except (InvalidInput, NumericalError) as error:
        raise InvalidInput(
            f"Column {name!r} cannot be {family.__name__}: {error} Give it another family."
        ) from None
    return FamilyColumn((found,) * K, LEAST * _spread(x[known], None if weight is None else weight[known]))


def _spread(x: np.ndarray, weight: np.ndarray | None) -> float:
    """The standard deviation of cells; that of a fit may be infinite."""
    unit = float(np.abs(x).max())
    z = x / unit
    variance = np.average(np.square(z - np.average(z, weights=weight)), weights=weight)
    return unit * max(float(np.sqrt(variance)), DIGITS / LEAST)


def check_cells(family: type, x: np.ndarray, name: str) -> None:
    """Raise for cells that the family does not produce."""
    known = np.flatnonzero(~np.isnan(x))
    if _refusal(family, x[known]) is not None:
        first = bisect_left(known, True, key=lambda row: _refusal(family, x[known[known <= row]]) is not None)
        row = int(known[first])
        raise InvalidInput(
            f"Column {name!r} cannot be {family.__name__} at row {row}: {_refusal(family, x[[row]])} Correct the cell "
            "or leave it empty, or fit the column by another family."
        )


def _refusal(family: type, x: np.ndarray) -> InvalidInput | None:
    """What the family says to cells that it does not produce."""
    try:
        family.statistics(x)  # type: ignore[attr-defined]
    except InvalidInput as error:
        return error
    return None
