r"""Components of one column from any distribution with statistics that add (FCML §6.3.7).

Density       log p(x | θ_k), by `log_prob`
Sums          `statistics(x, weight=r_k)` of every component, over the rows in which the column is known
Maximization  θ_k = `from_statistics(sums_k)`; where that has no maximum (equal values) or gains nothing θ_k stays,
              so that a step never lowers the likelihood

What a family needs beyond its class is E Σ log p(x | θ) from sums, for the bound; the four here have it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import betaln, gammaln

from suffice._core.errors import InvalidInput, NumericalError, Unsupported, hold_warnings
from suffice._core.records import frozen_array, record
from suffice.distributions import (
    Beta,
    Gamma,
    InverseGamma,
    NegativeBinomial,
    ProductDistribution,
)

LEAST = 1e-6  # of the standard deviation of a column: the least that a component may have


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

    def see(self, X: np.ndarray) -> SeenFamily:
        known = ~np.isnan(X[:, 0])
        values, places = np.unique(X[known, 0], return_inverse=True)  # equal cells are looked at once
        logs = np.zeros((len(X), self.n_components))
        for k, member in enumerate(self.members):
            logs[known, k] = member.log_prob(values)[places]
        return SeenFamily(type(self.members[0]), values, places, known, logs)

    def maximized(self, sums: FamilySums) -> FamilyColumn:
        pairs = zip(self.members, sums.parts, strict=True)
        return FamilyColumn(tuple(better(member, own, self.least) for member, own in pairs), self.least)

    def expected_log(self, sums: FamilySums, before: FamilyColumn) -> float:
        return float(sum(map(expected_log, self.members, sums.parts)))

    def ruled_by(self, base: FamilyColumn) -> FamilyColumn:
        return FamilyColumn(self.members, base.least)

    def marginal(self, columns: np.ndarray) -> FamilyColumn:
        return self

    def densities(self) -> tuple[ProductDistribution, ...]:
        return tuple(ProductDistribution([member]) for member in self.members)

    def ordered(self, order: np.ndarray) -> FamilyColumn:
        return FamilyColumn(tuple(self.members[k] for k in order), self.least)


@record
class SeenFamily:
    """The different values of some rows, the places of known cells among them, which are known, and log densities."""

    family: type
    values: np.ndarray
    places: np.ndarray
    known: np.ndarray
    logs: np.ndarray

    def weigh(self, shares: np.ndarray) -> FamilySums:
        r, n = shares[self.known], len(self.values)
        weights = [np.bincount(self.places, weights=column, minlength=n) for column in r.T]
        parts = tuple(self.family.statistics(self.values, w) for w in weights)  # type: ignore[attr-defined]
        return FamilySums(frozen_array(r.sum(axis=0)), parts)


def better(member: Any, statistics: Any, least: float) -> Any:
    """The likeliest of the family, unless the one at hand is as good, there is none, or it sits on one value."""
    if not statistics.n > 0:
        return member
    try:
        with hold_warnings():  # a shape that ran off is as good as it gets
            found = type(member).from_statistics(statistics)
    except (InvalidInput, NumericalError):
        return member
    gain = expected_log(found, statistics) - expected_log(member, statistics)
    return found if gain > 0 and found.std >= least else member


# -- Σ w log p(x) from statistics ------------------------------------------------------------------------------
def _gamma(d: Any, s: Any) -> float:
    """n (a log b − log Γ(a) + (a − 1) E log x − b E x), with E log x = log E x − gap."""
    log_mean = np.log(s.mean) - s.gap
    return s.n * (d.shape * np.log(d.rate) - gammaln(d.shape) + (d.shape - 1) * log_mean - d.rate * s.mean)


def _inverse_gamma(d: Any, s: Any) -> float:
    """That of 1/x, whose density is that of x times x²."""
    log_mean = np.log(s.mean) - s.gap
    return s.n * (d.shape * np.log(d.scale) - gammaln(d.shape) + (d.shape + 1) * log_mean - d.scale * s.mean)


def _beta(d: Any, s: Any) -> float:
    """n ((a − 1) E log x + (b − 1) E log(1 − x) − log B(a, b))."""
    low, high = (np.log(part.mean) - part.gap for part in (s.lower, s.upper))
    return s.n * ((d.a - 1) * low + (d.b - 1) * high - betaln(d.a, d.b))


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
    return FamilyColumn((found,) * K, LEAST * float(found.std))


def check_cells(family: type, x: np.ndarray, name: str) -> None:
    """Raise for cells that the family does not produce."""
    try:
        family.statistics(x[~np.isnan(x)])  # type: ignore[attr-defined]
    except InvalidInput as error:
        raise InvalidInput(
            f"Column {name!r} cannot be {family.__name__}: {error} Give it another family."
        ) from None
