"""Subsets of columns judged from the statistics of each fold, which are gathered once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np
from sklearn.base import clone

from suffice._core.errors import FitFailed, SufficeError, SufficeWarning, hold_warnings, warn
from suffice.evaluation._levels.failures import Doubt
from suffice.evaluation._levels.groups import solve_fold
from suffice.evaluation._selection.inputs import Restricted, columns_of_inputs
from suffice.evaluation._selection.subsets import Subset, members, toggle
from suffice.evaluation.protocols import LinearInColumns
from suffice.statistics import AffineFunction, Header, Layout, Triangle
from suffice.statistics.lstsq import System
from suffice.statistics.subsets import FoldColumns

Remark = tuple[str, type[SufficeWarning]]


@runtime_checkable
class DropsColumns(Protocol):
    """A model whose fit to any of the columns is least squares on those columns of one system.

    `subset_system(statistics)` is the system and the penalty whose rows go below it; None where the settings
    of the model do not allow it.
    """

    def subset_system(self, statistics: Triangle) -> tuple[System, float] | None: ...


class FoldCriterion:
    """Squared error of a linear model from the statistics of each fold.

    `refit(subset, fold)` is the mean loss of a fit to the rows, for statistics that have lost digits.
    """

    def __init__(
        self,
        model: LinearInColumns,
        pairs: list[tuple[Triangle, Triangle]],
        sizes: np.ndarray,
        refit: Callable[[Subset, int], float],
    ):
        self.model, self.pairs, self.sizes, self._refit = model, pairs, sizes, refit
        self._found: list[Remark] = []
        self._refitted: dict[int, str] = {}
        header = self.header = pairs[0][0].header
        each = tuple((j,) for j in range(header.n_features))
        self.owners = each if header.basis is None else header.basis.owners(header.n_features)
        self._constant = np.array([_constant_error(*pair) for pair in pairs])
        with hold_warnings():
            clone(model).solve(pairs[0][0])  # refuses parameters outside their domain
        self._columns = self._gathered()
        self._alone = self._columns is not None and self.owners == each  # a column per input
        self._swept: tuple[Subset, FoldColumns | None] = ((), self._columns)

    def _gathered(self) -> FoldColumns | None:
        """The columns of all folds, if the model can drop some; doubtful where it would not trust them."""
        if not isinstance(self.model, DropsColumns):
            return None
        systems = [self.model.subset_system(train) for train, _ in self.pairs]
        folds = [(*s, test) for s, (_, test) in zip(systems, self.pairs, strict=True) if s is not None]
        if len(folds) < len(self.pairs):
            return None
        columns = FoldColumns.of(folds)
        doubts = np.array([self.model.doubt(train) is not None for train, _ in self.pairs])
        return replace(columns, doubtful=columns.doubtful | doubts)

    @property
    def how(self) -> str:
        return "refit" if self._refitted else "statistics"

    @property
    def notes(self) -> tuple[str, ...]:
        again = (f"fold {i} was refitted for some subsets: {why}" for i, why in self._refitted.items())
        return (*again, *summarize_remarks(self._found))

    def subset_losses(self, subsets: Sequence[Subset]) -> np.ndarray:
        """(n, K)"""
        errors = np.full((len(subsets), len(self.sizes)), np.nan)
        if self._columns is not None:
            for i, subset in enumerate(subsets):
                errors[i] = self._columns.errors(columns_of_inputs(self.owners, subset))
        return self._completed(errors, subsets)

    def neighbor_losses(self, subset: Subset, columns: Sequence[int]) -> np.ndarray:
        """(n, K): all at once where a column is one column of the statistics."""
        subsets, inside = [toggle(subset, j) for j in columns], set(subset).intersection(columns)
        if not self._alone or (inside and len(inside) < len(columns)):
            return self.subset_losses(subsets)
        if inside:
            positions = [subset.index(j) for j in columns]
            return self._completed(self._all().removals(subset)[positions], subsets)
        return self._completed(self._swept_of(subset).additions()[list(columns)], subsets)

    def all_losses(self) -> np.ndarray | None:
        """The mean loss of all subsets."""
        if not self._alone:
            return None
        total = self._all().all_subsets() / self.sizes.sum()
        again = np.append(0, np.flatnonzero(np.isnan(total[1:])) + 1)
        losses = self.subset_losses([members(code, len(self.owners)) for code in again])
        total[again] = losses @ self.sizes / self.sizes.sum()
        return total

    def _all(self) -> FoldColumns:
        assert self._columns is not None
        return self._columns

    def _swept_of(self, subset: Subset) -> FoldColumns:
        """The columns swept of a subset, from those of the subset before where it grew."""
        before, swept = self._swept
        if swept is None or not set(before) <= set(subset):
            before, swept = (), self._all()
        for j in subset:
            swept = swept if j in before else swept.swept(j)
        self._swept = (subset, swept)
        return swept

    def _completed(self, errors: np.ndarray, subsets: Sequence[Subset]) -> np.ndarray:
        """Mean losses from total errors; what is missing is asked of the model itself."""
        for i, subset in enumerate(subsets):
            if not subset:
                errors[i] = self._constant
        with collect_remarks(self._found):
            for i, fold in np.argwhere(np.isnan(errors)):
                errors[i, fold] = self._asked(subsets[i], int(fold))
        return errors / self.sizes

    def _asked(self, subset: Subset, fold: int) -> float:
        """The squared error by the model's own solver, from the statistics if they can be trusted."""
        try:
            return self._solved_error(subset, *self.pairs[fold])
        except Doubt as reason:
            self._refitted[fold] = str(reason)
            return self._refit(subset, fold) * self.sizes[fold]
        except SufficeError as error:
            error.add_note(
                f"This happened in fold {fold} with the columns {subset} of the table, counted from 0."
            )
            raise

    def _solved_error(self, subset: Subset, train: Triangle, test: Triangle) -> float:
        """The model solved from some columns of the statistics, as a function of all of them."""
        columns, d = columns_of_inputs(self.owners, subset), train.n_columns
        f = solve_fold(self.model, train.narrowed(self._header(subset), columns)).function_
        shift, center, offset, slope = np.zeros(d), np.zeros(d), np.zeros(d), np.zeros((d, len(f.value)))
        shift[columns], center[columns], offset[columns] = f.layout.shift_x, f.center, f.from_shift
        slope[columns] = f.slope
        layout = Layout(train.header, np.append(shift, f.layout.shift_y), f.layout.frame)
        return float(AffineFunction(layout, center, f.value, slope, offset).sse(test).mean())

    def _header(self, subset: Subset) -> Header:
        h = self.header
        if h.basis is not None:
            return Header(h.n_features, h.features, Restricted(h.basis, subset), h.n_targets)
        names = tuple(h.feature_names[j] for j in subset)
        return Header(len(subset), names, None, h.n_targets)


def _constant_error(train: Triangle, test: Triangle) -> float:
    """Squared error of the training mean."""
    flat = np.zeros((test.n_columns, test.header.n_outputs))
    return float(test.squared_error(flat, train.target_means - test.layout.shift_y).mean())


@contextmanager
def collect_remarks(found: list[Remark]) -> Iterator[None]:
    """What a fit says about itself is worth a note in a search over columns, not a warning for every subset."""
    with hold_warnings() as held:
        yield
    for text, kind in held:
        if kind is FitFailed:
            warn(text, kind)
        else:
            found.append((text, kind))


def summarize_remarks(found: list[Remark]) -> tuple[str, ...]:
    """The first remark of each kind, and how many there are."""
    kinds = {kind: [text for text, k in found if k is kind] for _, kind in found}
    counts = {texts[0]: len(texts) - 1 for texts in kinds.values()}
    return tuple(text + (f" (And {n} more remarks of this kind.)" if n else "") for text, n in counts.items())
