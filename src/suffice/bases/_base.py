"""The abstract basis and the sum of bases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.params import Parametric
from suffice._core.records import record
from suffice.statistics import Frame, Triangle


class Basis(Parametric, ABC):
    """Columns φ₁(x) … φ_M(x), without a constant."""

    def __call__(self, X: Any) -> np.ndarray:
        """The columns as the equations write them."""
        X = as_table(X)
        return self.resolve(X).design(X, None)

    def __add__(self, other: Basis) -> BasisSum:
        if not isinstance(other, Basis):
            return NotImplemented
        return BasisSum(self.parts + other.parts)

    @property
    def parts(self) -> tuple[Basis, ...]:
        """The bases this one is a sum of: itself unless it is a sum."""
        return self.bases if isinstance(self, BasisSum) else (self,)

    @property
    @abstractmethod
    def needs_data(self) -> bool:
        """Whether `resolve` takes anything from the values of the rows."""

    @abstractmethod
    def resolve(self, X: np.ndarray) -> Basis:
        """This basis with everything that depends on data filled in."""

    @abstractmethod
    def frame(self, X: np.ndarray) -> Frame | None:
        """The origin and unit in which these rows are best expanded; None if it does not matter."""

    @abstractmethod
    def design(self, X: np.ndarray, frame: Frame | None) -> np.ndarray:
        """The columns (N, M) in a frame; None is the raw one."""

    @abstractmethod
    def transfer(
        self, old: Frame | None, new: Frame | None, n_features: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """(A, b) with design(X, new) = design(X, old) A + b; A is upper triangular."""

    @abstractmethod
    def names(self, features: tuple[str, ...]) -> tuple[str, ...]:
        """A name for each column."""

    @abstractmethod
    def owners(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        """For each column the input columns it is a function of."""

    @abstractmethod
    def size(self, n_features: int) -> int:
        """How many columns there are, told without making them."""

    @abstractmethod
    def doubt(self, t: Triangle, start: int = 0) -> str | None:
        """Why my columns of a triangle, from `start` on, have lost digits in its frame, if they have."""

    @abstractmethod
    def positions(self, other: Basis, n_features: int) -> list[int] | None:
        """Where my columns are among those of a larger basis; None where that cannot be said."""


class Frameless(Basis, ABC):
    """A basis whose columns are evaluated the same way everywhere."""

    def frame(self, X: np.ndarray) -> Frame | None:
        return None

    def transfer(
        self, old: Frame | None, new: Frame | None, n_features: int
    ) -> tuple[np.ndarray, np.ndarray]:
        m = self.size(n_features)
        return np.eye(m), np.zeros(m)

    def doubt(self, t: Triangle, start: int = 0) -> str | None:
        return None

    def positions(self, other: Basis, n_features: int) -> list[int] | None:
        return None


@record
class BasisSum(Basis):
    """Several bases side by side, made with `+`."""

    bases: tuple[Basis, ...]

    @property
    def needs_data(self) -> bool:
        return any(b.needs_data for b in self.bases)

    def resolve(self, X: np.ndarray) -> BasisSum:
        return BasisSum(tuple(b.resolve(X) for b in self.bases))

    def frame(self, X: np.ndarray) -> Frame | None:
        frames = [b.frame(X) for b in self.bases]
        return next((f for f in frames if f is not None), None)

    def design(self, X: np.ndarray, frame: Frame | None) -> np.ndarray:
        return np.hstack([b.design(X, frame) for b in self.bases])

    def transfer(
        self, old: Frame | None, new: Frame | None, n_features: int
    ) -> tuple[np.ndarray, np.ndarray]:
        pieces = [b.transfer(old, new, n_features) for b in self.bases]
        sizes = [len(b) for _, b in pieces]
        A, start = np.zeros((sum(sizes), sum(sizes)), dtype=np.longdouble), 0
        for (piece, _), m in zip(pieces, sizes, strict=True):
            A[start : start + m, start : start + m] = piece
            start += m
        return A, np.concatenate([b for _, b in pieces])

    def doubt(self, t: Triangle, start: int = 0) -> str | None:
        for b in self.bases:
            if reason := b.doubt(t, start):
                return reason
            start += len(b.owners(t.header.n_features))
        return None

    def positions(self, other: Basis, n_features: int) -> list[int] | None:
        return None

    def names(self, features: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(n for b in self.bases for n in b.names(features))

    def size(self, n_features: int) -> int:
        return sum(b.size(n_features) for b in self.bases)

    def owners(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        return tuple(o for b in self.bases for o in b.owners(n_features))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Nested parameters are addressed by position: `basis__0__degree`."""
        out: dict[str, Any] = {"bases": self.bases}
        if deep:
            for i, b in enumerate(self.bases):
                out |= {f"{i}__{k}": v for k, v in b.get_params().items()}
        return out

    def replaced(self, **params: Any) -> BasisSum:
        bases = list(params.pop("bases", self.bases))
        for name, value in params.items():
            position, _, inner = name.partition("__")
            if not position.isdigit() or int(position) >= len(bases) or not inner:
                raise InvalidInput(f"A sum of {len(bases)} bases has no parameter {name!r}; try '0__…'.")
            bases[int(position)] = bases[int(position)].replaced(**{inner: value})
        return BasisSum(tuple(bases))

    def __repr__(self) -> str:
        return " + ".join(map(repr, self.bases))


def as_table(X: Any) -> np.ndarray:
    """A float64 table; a vector is one column."""
    try:
        X = np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput(f"A basis takes a vector or a table of numbers; got {_shown(X)}.") from None
    if X.ndim == 1:
        return X[:, None]
    if X.ndim != 2:
        raise InvalidInput(f"A basis takes a vector or a table; got shape {X.shape}.")
    return X


def _shown(value: Any, most: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]}…"
