r"""Densities of classes, p(x | c), behind one face: independent columns, whole rows, or a fitted estimator."""

from __future__ import annotations

import copy
import inspect
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from suffice._core.errors import Unsupported
from suffice._core.frames import NamedArray
from suffice._core.records import record, storable
from suffice._estimator import Estimator
from suffice.distributions import Categorical, Distribution, MixtureDistribution
from suffice.distributions._base import Multivariate


class Conditional(Protocol):
    """p(x | c) of one class."""

    @property
    def shown(self) -> Any: ...
    @property
    def n_parameters(self) -> int: ...
    def log_density(self, X: np.ndarray) -> np.ndarray: ...
    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray: ...


@record
class Independent:
    """Columns that are independent within the class: log p(x) = Σ_d log p_d(x_d)."""

    columns: tuple[Distribution, ...]

    @property
    def shown(self) -> Any:
        return self.columns[0] if len(self.columns) == 1 else self.columns

    @property
    def n_parameters(self) -> int:
        return sum(d.n_parameters for d in self.columns)

    def log_density(self, X: np.ndarray) -> np.ndarray:
        return summed(np.column_stack([_log_prob(d, x) for d, x in zip(self.columns, X.T, strict=True)]))

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        return np.column_stack([d.sample(n, rng) for d in self.columns])


@record
class Joint:
    """A density of whole rows, or a batch of densities, one per column."""

    density: Distribution

    @property
    def shown(self) -> Any:
        return self.density

    @property
    def n_parameters(self) -> int:
        return self.density.n_parameters * max(1, int(np.prod(self.density.batch_shape)))

    def log_density(self, X: np.ndarray) -> np.ndarray:
        if of_rows(self.density):
            return np.asarray(self.density.log_prob(X))
        return summed(np.asarray(_log_prob(self.density, X)))

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        return np.reshape(self.density.sample(n, rng), (n, -1))


@runtime_checkable
class Counted(Protocol):
    """A fitted estimator that says how many numbers it fitted."""

    @property
    def n_parameters_(self) -> int: ...


@storable
@dataclass(frozen=True, eq=False)
class Foreign:
    """A fitted estimator with `score_samples`."""

    estimator: Any

    @property
    def shown(self) -> Any:
        return self.estimator

    @property
    def n_parameters(self) -> int:
        if isinstance(self.estimator, Counted):
            return self.estimator.n_parameters_
        raise Unsupported(f"{type(self.estimator).__name__} does not say how many parameters it has.")

    def log_density(self, X: np.ndarray) -> np.ndarray:
        names = getattr(self.estimator, "feature_names_in_", None)
        return np.asarray(self.estimator.score_samples(named(X, self.estimator, names)), dtype=float)

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        if not hasattr(self.estimator, "sample"):
            raise Unsupported(f"{type(self.estimator).__name__} has no sample(n) to draw rows with.")
        seed = int(rng.integers(2**31))
        if "random_state" in inspect.signature(self.estimator.sample).parameters:
            drawn = self.estimator.sample(n, random_state=seed)
        else:
            drawn = _seeded(self.estimator, seed).sample(n)
        # mixtures give their labels as well
        return np.asarray(drawn[0] if isinstance(drawn, tuple) else drawn)


def of_rows(d: Distribution) -> bool:
    """Whether it describes rows rather than single numbers."""
    mixed = isinstance(d, MixtureDistribution) and np.ndim(d.mean) > len(d.batch_shape)
    return isinstance(d, Multivariate) or mixed


def named(X: np.ndarray, estimator: Any, names: Any) -> Any:
    """Rows under the names of their columns, for models of this package: what they say is then about these."""
    known = isinstance(estimator, Estimator) and names is not None
    return NamedArray(X, tuple(names)) if known else X


def _seeded(estimator: Any, seed: int) -> Any:
    """A copy that draws from this seed, where it takes one."""
    out = copy.copy(estimator)
    if "random_state" in out.get_params(deep=False):
        out.random_state = seed
    return out


def _log_prob(d: Distribution, x: np.ndarray) -> np.ndarray:
    """log p; a value that a class has never shown is impossible there, not a mistake."""
    if not isinstance(d, Categorical):
        return np.asarray(d.log_prob(x))
    known = np.isin(x, d.classes)
    return np.where(known, d.log_prob(np.where(known, x, d.classes[0]), labels=True), -np.inf)


def summed(logs: np.ndarray) -> np.ndarray:
    """Rows of log densities of columns, added; what is impossible in one column is impossible."""
    with np.errstate(invalid="ignore"):
        total = logs.sum(axis=1)
    return np.where(np.any(logs == -np.inf, axis=1), -np.inf, total)
