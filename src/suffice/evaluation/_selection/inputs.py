"""Some of the columns of a table: what they are called, how they are picked, and what a basis makes of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.bases import Basis
from suffice.statistics import Frame, Header, Triangle
from suffice.tables.frames import frame_of
from suffice.tables.requiring import refuse_repeated

Label = Hashable


def labels_of(X: Any) -> tuple[Label, ...]:
    """What picks each column of a table: its name, or its position where the table has no names."""
    if np.ndim(X) != 2 and len(getattr(X, "shape", ())) != 2:
        raise InvalidInput(f"X must be a table of rows and columns; got shape {np.shape(X)}.")
    if (frame := frame_of(X)) is None:
        return tuple(range(X.shape[1]))
    refuse_repeated(frame.labels, "X")
    return tuple(frame.labels)


def pick_columns(X: Any, columns: Sequence[int]) -> Any:
    """The table with some of its columns, by position."""
    return _safe_indexing(X, list(columns), axis=1)


@record
class Restricted(Basis):
    """The columns of a basis that are functions of some of the inputs alone.

    Models with this basis still take all inputs: they do not look at the others. Positions of the inputs count
    from zero.
    """

    basis: Basis
    inputs: tuple[int, ...]

    @property
    def needs_data(self) -> bool:
        return self.basis.needs_data

    def resolve(self, X: np.ndarray) -> Restricted:
        return Restricted(self.basis.resolve(X), self.inputs)

    def frame(self, X: np.ndarray) -> Frame | None:
        return self.basis.frame(X)

    def design(self, X: np.ndarray, frame: Frame | None) -> np.ndarray:
        return self.basis.design(X, frame)[:, self.column_positions(X.shape[1])]

    def transfer(
        self, old: Frame | None, new: Frame | None, n_features: int
    ) -> tuple[np.ndarray, np.ndarray]:
        A, b = self.basis.transfer(old, new, n_features)
        kept = self.column_positions(n_features)
        return A[np.ix_(kept, kept)], b[kept]

    def names(self, features: tuple[str, ...]) -> tuple[str, ...]:
        names = self.basis.names(features)
        return tuple(names[i] for i in self.column_positions(len(features)))

    def owners(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        owners = self.basis.owners(n_features)
        return tuple(owners[i] for i in self.column_positions(n_features))

    def doubt(self, t: Triangle, start: int = 0) -> str | None:
        """What each part of the basis says of a table that has these inputs and no others."""
        header = Header(len(self.inputs), None, self.basis, t.header.n_targets)
        seen = replace(t, layout=replace(t.layout, header=header))
        for part in self.basis.parts:
            if reason := part.doubt(seen, start):
                return reason
            start += len(columns_of_inputs(part.owners(t.header.n_features), self.inputs))
        return None

    def positions(self, other: Basis, n_features: int) -> list[int] | None:
        return None

    def size(self, n_features: int) -> int:
        return len(self.column_positions(n_features))

    def column_positions(self, n_features: int) -> list[int]:
        """Positions of these columns among those of the basis."""
        return columns_of_inputs(self.basis.owners(n_features), self.inputs)

    def __repr__(self) -> str:
        return f"{self.basis!r} of inputs {', '.join(map(str, self.inputs))}"


def columns_of_inputs(owners: Sequence[Sequence[int]], inputs: Sequence[int]) -> list[int]:
    """The columns of a design that need none but these inputs."""
    given = set(inputs)
    return [i for i, needs in enumerate(owners) if given.issuperset(needs)]
