"""Families of columns: which cells they can produce, their components, and distances between their cells.

gaussian      independent numbers, or a tuple of columns that vary together
bernoulli     0 and 1
poisson       counts
categorical   one of a list of values
multinomial   a tuple of counts that share out a total
Gamma, …      a class of `suffice.distributions` whose statistics add
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from suffice._components.bernoulli import Bernoullis, as_beta
from suffice._components.categorical import Categoricals, as_concentration
from suffice._components.count_cells import no_count, refuse_cells
from suffice._components.families import check_cells, check_family, family_column
from suffice._components.multinomial import Multinomials, Totals
from suffice._components.normal.columns import ColumnNormals
from suffice._components.normal.dense import DenseNormals
from suffice._components.normal.given import alike_normals, column_moments, refuse_sizes
from suffice._components.normal.shapes import SHAPES
from suffice._components.poisson import Poissons, as_gamma
from suffice._components.starts import in_units
from suffice._core.errors import InvalidParameter, did_you_mean
from suffice._core.records import record
from suffice.distributions import (
    Bernoulli,
    Categorical,
    Multinomial,
    MultivariateNormal,
    Normal,
    Poisson,
)

ELSE = "Correct the cell or leave it empty, or fit the column by another family, such as 'gaussian'."
ELSE_COUNTED = "Fill it in, leave the row out, or fit the columns by another family, such as 'poisson'."
MOST = 64  # values of a column that distances between rows look at, the most frequent ones


@record
class GroupSample:
    """Cells (N, d) of the columns of a group, weights of rows or None, and what the components should be."""

    X: np.ndarray
    weight: Any
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    n_components: int
    reg_covar: float

    @property
    def means(self) -> np.ndarray:
        """Of the known cells, once for every component."""
        return np.tile(column_moments(self.X, self.weight)[0], (self.n_components, 1))


class ColumnFamily(Protocol):
    """How a group of columns is produced; `joint` where they are not independent, `alone` where each is a group."""

    @property
    def name(self) -> str: ...
    @property
    def joint(self) -> bool: ...
    @property
    def alone(self) -> bool: ...
    def check(self, X: np.ndarray, names: tuple[str, ...]) -> None:
        """Raise for cells that the family does not produce."""
        ...

    def components(self, sample: GroupSample, prior: Any) -> Any:
        """Components that are all alike, of the size of the cells."""
        ...

    def units(self, sample: GroupSample) -> np.ndarray:
        """Numbers whose squared distances mean something, about one per column."""
        ...


@record
class GaussianFamily:
    """Numbers."""

    joint: bool = False
    alone: bool = False

    @property
    def name(self) -> str:
        return "joint gaussian" if self.joint else "gaussian"

    def check(self, X: np.ndarray, names: tuple[str, ...]) -> None:
        refuse_sizes(X, names)

    def components(self, sample: GroupSample, prior: Any) -> ColumnNormals | DenseNormals:
        shape = SHAPES["full" if self.joint else "diag"]
        return alike_normals(sample.X, sample.weight, sample.n_components, shape, sample.reg_covar, prior)

    def units(self, sample: GroupSample) -> np.ndarray:
        return in_units(sample.X, sample.weight)


@record
class BernoulliFamily:
    """0 and 1."""

    name: str = "bernoulli"
    joint: bool = False
    alone: bool = False

    def check(self, X: np.ndarray, names: tuple[str, ...]) -> None:
        refuse_cells(X, _neither, names, "Bernoulli columns must hold 0 and 1, or missing cells", ELSE)

    def components(self, sample: GroupSample, prior: Any) -> Bernoullis:
        return Bernoullis.of(sample.means, as_beta(prior, len(sample.names)))

    def units(self, sample: GroupSample) -> np.ndarray:
        return in_units(sample.X, sample.weight)


@record
class PoissonFamily:
    """Counts; distances are between their roots, which vary about equally at any rate."""

    name: str = "poisson"
    joint: bool = False
    alone: bool = False

    def check(self, X: np.ndarray, names: tuple[str, ...]) -> None:
        refuse_cells(
            X, no_count, names, "Poisson columns must hold counts 0, 1, 2, …, or missing cells", ELSE
        )

    def components(self, sample: GroupSample, prior: Any) -> Poissons:
        return Poissons.of(sample.means, as_gamma(prior, len(sample.names)))

    def units(self, sample: GroupSample) -> np.ndarray:
        return in_units(np.sqrt(sample.X), sample.weight)


@record
class CategoricalFamily:
    """One of a list of values, as its place there."""

    name: str = "categorical"
    joint: bool = False
    alone: bool = False

    def check(self, X: np.ndarray, names: tuple[str, ...]) -> None:
        """Nothing: cells are places already."""

    def components(self, sample: GroupSample, prior: Any) -> Categoricals:
        pairs = zip(sample.sizes, sample.names, strict=True)
        alphas = [as_concentration(prior, size, name) for size, name in pairs]
        equal = [np.full((sample.n_components, size), 1 / size) for size in sample.sizes]
        return Categoricals.of(equal, None if prior is None else np.concatenate(alphas))  # type: ignore[arg-type]

    def units(self, sample: GroupSample) -> np.ndarray:
        pairs = zip(sample.X.T, sample.sizes, strict=True)
        return np.hstack([_spread_out(x, sample.weight, size) for x, size in pairs])


@record
class MultinomialFamily:
    """Counts that share out a total; distances are between the roots of shares."""

    name: str = "multinomial"
    joint: bool = True
    alone: bool = False

    def check(self, X: np.ndarray, names: tuple[str, ...]) -> None:
        rule = "Multinomial columns must hold counts 0, 1, 2, …, all known (the total is given, so a gap is not free)"
        refuse_cells(X, lambda x: no_count(x) | np.isnan(x), names, rule, ELSE_COUNTED)

    def components(self, sample: GroupSample, prior: Any) -> Multinomials:
        D = len(sample.names)
        equal = np.full((sample.n_components, D), 1 / D)
        return Multinomials.of(equal, prior, Totals.of(sample.X, sample.weight))

    def units(self, sample: GroupSample) -> np.ndarray:
        total = sample.X.sum(axis=1, keepdims=True)
        return in_units(np.sqrt(sample.X / np.where(total > 0, total, 1.0)), sample.weight)


@record
class ClassFamily:
    """A class of distributions, column by column."""

    kind: type
    joint: bool = False
    alone: bool = True

    @property
    def name(self) -> str:
        return self.kind.__name__

    def check(self, X: np.ndarray, names: tuple[str, ...]) -> None:
        check_cells(self.kind, X[:, 0], names[0])

    def components(self, sample: GroupSample, prior: Any) -> Any:
        if prior is not None:
            raise InvalidParameter(
                f"prior of column {sample.names[0]!r} must be None: {self.name} components are the likeliest ones; got "
                f"{prior!r:.80}."
            )
        return family_column(self.kind, sample.X[:, 0], sample.weight, sample.n_components, sample.names[0])

    def units(self, sample: GroupSample) -> np.ndarray:
        return in_units(sample.X, sample.weight)


FAMILIES: dict[str, Any] = {
    "gaussian": GaussianFamily(),
    "bernoulli": BernoulliFamily(),
    "poisson": PoissonFamily(),
    "categorical": CategoricalFamily(),
    "multinomial": MultinomialFamily(),
}
CLASSES: dict[type, str] = {
    Normal: "gaussian",
    MultivariateNormal: "gaussian",
    Bernoulli: "bernoulli",
    Poisson: "poisson",
    Categorical: "categorical",
    Multinomial: "multinomial",
}


def family_of(value: Any, several: bool) -> ColumnFamily:
    """The family behind a word or a class; `several` columns of a gaussian vary together."""
    if isinstance(value, type):
        word: Any = CLASSES.get(value)
        if word is None:
            check_family(value)
            return ClassFamily(value)
    else:
        word = value
    if not isinstance(word, str) or word not in FAMILIES:
        raise InvalidParameter(
            f"components must be families: {', '.join(map(repr, FAMILIES))}, or classes of suffice.distributions; got "
            f"{value!r:.80}.{did_you_mean(str(value), tuple(FAMILIES))}"
        )
    return GaussianFamily(joint=True) if word == "gaussian" and several else FAMILIES[word]


def _neither(cells: np.ndarray) -> np.ndarray:
    """Which cells are neither 0 nor 1 nor missing."""
    return ~((cells == 0) | (cells == 1) | np.isnan(cells))


def _spread_out(x: np.ndarray, weight: Any, size: int) -> np.ndarray:
    """A column of zeros and ones for each value of a column, of unit variance all together; NaN for a gap."""
    known = ~np.isnan(x)
    codes = x[known].astype(np.intp)
    share = np.bincount(codes, None if weight is None else weight[known], size)
    chosen = np.argsort(-share, kind="stable")[:MOST]
    share = share[chosen] / share.sum()
    ones = np.full((len(x), len(chosen)), np.nan)
    ones[known] = codes[:, None] == chosen
    return (ones - share) / np.sqrt(max(float(np.sum(share * (1 - share))), np.finfo(float).tiny))
