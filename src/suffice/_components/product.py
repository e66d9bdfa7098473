r"""Components made of groups of columns, each group with a family of its own.

Density       log p(x | k) = Σ_g log p_g(x_g | k)
Sums          those of the groups, side by side; every group is maximized by itself
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._components.multinomial import Multinomials
from suffice._components.smoothing import Smoothing
from suffice._core.errors import InvalidInput, Unsupported
from suffice._core.records import record
from suffice.distributions import MultivariateNormal, ProductDistribution


def check_places(places: Iterable[Iterable[int]], n_columns: int) -> None:
    """Raise unless every column is in one of the places."""
    if sorted(j for inside in places for j in inside) != list(range(n_columns)):
        raise InvalidInput(f"Each of {n_columns} columns must be in one group; got {places!r:.80}.")


@record
class ProductSums:
    """The sums of every group."""

    parts: tuple[Any, ...]

    def __add__(self, other: ProductSums) -> ProductSums:
        return ProductSums(tuple(a + b for a, b in zip(self.parts, other.parts, strict=True)))


@record
class Product:
    """Components of every group, the columns of each, and what the cells stand for (carried along unread)."""

    parts: tuple[Any, ...]
    places: tuple[tuple[int, ...], ...]
    plan: Any = None

    def check_loaded(self) -> int:
        """Nothing is made; raises unless every column is in one part, and the plan has the same columns."""
        check_places(self.places, self.n_columns)
        if not self.parts or any(p.n_columns != len(q) for p, q in zip(self.parts, self.places, strict=True)):
            raise InvalidInput(f"The parts do not have the columns of the places {self.places!r:.80}.")
        return 0

    @property
    def n_components(self) -> int:
        return self.parts[0].n_components

    @property
    def n_columns(self) -> int:
        return sum(map(len, self.places))

    @property
    def n_parameters(self) -> int:
        return sum(part.n_parameters for part in self.parts)

    @property
    def log_prior(self) -> float:
        return float(sum(part.log_prior for part in self.parts))

    @property
    def block(self) -> int:
        return min(part.block for part in self.parts)

    def evaluate(self, X: np.ndarray) -> ProductRows:
        seen = tuple(
            part.evaluate(cells(X, place)) for part, place in zip(self.parts, self.places, strict=True)
        )
        return ProductRows(seen, sum((s.logs for s in seen[1:]), seen[0].logs))

    def maximized(self, sums: ProductSums) -> Product:
        pairs = zip(self.parts, sums.parts, strict=True)
        return replace(self, parts=tuple(part.maximized(own) for part, own in pairs))

    def expected_log(self, sums: ProductSums, before: Product) -> float:
        triples = zip(self.parts, sums.parts, before.parts, strict=True)
        return float(sum(part.expected_log(own, old) for part, own, old in triples))

    def with_rule_of(self, base: Product) -> Product:
        parts = zip(self.parts, base.parts, strict=True)
        return Product(tuple(part.with_rule_of(own) for part, own in parts), self.places, base.plan)

    def smoothed(self, weights: np.ndarray, smoothing: Smoothing) -> Product:
        return replace(self, parts=tuple(part.smoothed(weights, smoothing) for part in self.parts))

    def marginal(self, columns: np.ndarray) -> Product:
        """Of some columns, in their order; what the cells stand for goes along."""
        wanted = [int(j) for j in columns]
        parts, places = [], []
        for part, place in zip(self.parts, self.places, strict=True):
            inside = [j for j in wanted if j in place]
            if inside:
                whole = tuple(inside) == place
                parts.append(part if whole else part.marginal(np.array([place.index(j) for j in inside])))
                places.append(tuple(wanted.index(j) for j in inside))
        plan = None if self.plan is None else self.plan.marginal(wanted)
        return Product(tuple(parts), tuple(places), plan)

    def ordered(self, order: np.ndarray) -> Product:
        return replace(self, parts=tuple(part.ordered(order) for part in self.parts))

    def densities(self) -> tuple[Any, ...]:
        """Normal where all groups are; otherwise products over columns, categories as codes."""
        groups = zip(*(part.densities() for part in self.parts), strict=True)
        return tuple(joined(group, self.places) for group in groups)

    def drawn(self, labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """A row from the component of each label; categories as codes."""
        out = np.empty((len(labels), self.n_columns))
        for part, place in zip(self.parts, self.places, strict=True):
            out[:, list(place)] = drawn(part, labels, rng)
        return out


@record
class ProductRows:
    """Rows as every group sees them."""

    parts: tuple[Any, ...]
    logs: np.ndarray

    def weighted_sums(self, responsibilities: np.ndarray) -> ProductSums:
        return ProductSums(tuple(part.weighted_sums(responsibilities) for part in self.parts))


def cells(X: np.ndarray, place: tuple[int, ...]) -> np.ndarray:
    """Some columns, in memory order; all of them as they are."""
    if place == tuple(range(X.shape[1])):
        return np.ascontiguousarray(X)
    return np.ascontiguousarray(X[:, list(place)])


def drawn(part: Any, labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A row of the columns of a group from the component of each label."""
    if isinstance(part, Multinomials):  # a distribution given the total, which is drawn first
        totals = part.totals.draw(len(labels), rng)
        return rng.multinomial(totals, part.probabilities[labels]).astype(float)
    out = np.empty((len(labels), part.n_columns))
    for k, density in enumerate(part.densities()):
        rows = np.flatnonzero(labels == k)
        if len(rows):
            out[rows] = density.sample(len(rows), rng)
    return out


def joined(group: tuple[Any, ...], places: tuple[tuple[int, ...], ...]) -> Any:
    """One distribution of rows out of those of groups of columns."""
    D = sum(map(len, places))
    if len(group) == 1 and places[0] == tuple(range(D)):
        return group[0]
    if all(isinstance(density, MultivariateNormal) for density in group):
        mean, cov = np.empty(D), np.zeros((D, D))
        for density, place in zip(group, places, strict=True):
            mean[list(place)] = density.mean
            cov[np.ix_(place, place)] = density.cov
        return MultivariateNormal(mean, cov)
    columns: dict[int, Any] = {}
    for density, place in zip(group, places, strict=True):
        columns |= dict(zip(place, _apart(density), strict=True))
    return ProductDistribution([columns[j] for j in range(D)])


def _apart(density: Any) -> list[Any]:
    """The distributions of independent columns."""
    if isinstance(density, ProductDistribution):
        return list(density.columns)
    if isinstance(density, MultivariateNormal) and not np.any(density.cov[~np.eye(density.dim, dtype=bool)]):
        return [density.marginal(j) for j in range(density.dim)]
    raise Unsupported(
        f"There is no distribution of rows in which {type(density).__name__} columns that vary together stand beside "
        "columns of another family. Ask for one column at a time (marginal, predict_dist; impute has every missing "
        "cell), or draw such rows: sample, and impute(X).sample for those of which some cells are known."
    )
