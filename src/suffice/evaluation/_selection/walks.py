"""Searches over subsets of columns: walks that change one column at a time, and the comparison of all subsets.

A criterion says how good subsets are; nothing here knows a model. Columns are counted from zero.
"""

from __future__ import annotations

from math import comb

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.records import record
from suffice.evaluation._selection.criteria import SubsetCriterion, all_losses, neighbor_losses
from suffice.evaluation._selection.subsets import Subset, masks, of_size, toggle

MOST = 20  # columns whose subsets are all compared
ROUNDING = 1e-12  # relative: two errors that differ by less are the same


@record
class SubsetsFound:
    """Subsets along a search with their losses per fold, the one to keep, and everything that was tried.

    `tried` has a row per subset and a column per column of the table.
    """

    path: tuple[Subset, ...]
    errors: np.ndarray
    folds: np.ndarray
    chosen: int
    tried: np.ndarray
    tried_errors: np.ndarray


def mean_over_folds(criterion: SubsetCriterion, losses: np.ndarray) -> np.ndarray:
    """The size-weighted mean: what every subset is judged by."""
    return losses @ criterion.sizes / criterion.sizes.sum()


class WalkLog:
    """What has been tried so far."""

    def __init__(self, n: int):
        self.masks, self.errors = [np.zeros((0, n), dtype=bool)], [np.zeros(0)]

    def enter(self, subset: Subset, toggled: list[int], errors: np.ndarray) -> None:
        """The errors of a subset with each of some columns toggled."""
        mask = np.zeros(self.masks[0].shape[1], dtype=bool)
        mask[list(subset)] = True
        masks = np.repeat(mask[None], len(toggled), axis=0)
        masks[np.arange(len(toggled)), toggled] ^= True
        known = ~np.isnan(errors)
        self.masks.append(masks[known])
        self.errors.append(errors[known])

    @property
    def largest(self) -> float:
        """Of the errors that are finite."""
        return largest(np.concatenate(self.errors))


def walk(criterion: SubsetCriterion, n: int, forward: bool, goal: int | None) -> SubsetsFound:
    """From no columns, or from all, by the best single change while that lowers the error, or until `goal`."""
    here: Subset = () if forward else tuple(range(n))
    losses = criterion.subset_losses([here])[0]
    error = float(mean_over_folds(criterion, losses))
    log, steps = WalkLog(n), []
    if not np.isnan(error):
        log.masks.append(np.full((1, n), not forward))
        log.errors.append(np.array([error]))
        steps.append((here, error, losses))
    while len(here) != goal and (columns := [j for j in range(n) if (j in here) != forward]):
        folds = neighbor_losses(criterion, here, columns)
        errors = mean_over_folds(criterion, folds)
        log.enter(here, columns, errors)
        i = first_best(errors)
        if i is None or (goal is None and not lowers(errors[i], error, log.largest)):
            break
        here, error = toggle(here, columns[i]), float(errors[i])
        steps.append((here, error, folds[i]))
    if not steps or (goal is not None and len(here) != goal):
        raise InvalidInput(
            f"No subset next to {here} has an error, so the search cannot go on; see warnings."
        )
    path, along, folds_along = zip(*steps, strict=True)
    tried, tried_errors = np.concatenate(log.masks), np.concatenate(log.errors)
    return SubsetsFound(path, np.array(along), np.array(folds_along), len(path) - 1, tried, tried_errors)


def first_best(errors: np.ndarray) -> int | None:
    """The first of the smallest, up to rounding; None if there is no number."""
    if np.isnan(errors).all():
        return None
    least = np.nanmin(errors)
    reach = least + ROUNDING * abs(least) if np.isfinite(least) else least  # −∞: a target told without error
    return int(np.flatnonzero(errors <= reach)[0])


def largest(errors: np.ndarray) -> float:
    """The size of the largest finite error."""
    return float(np.abs(errors[np.isfinite(errors)]).max(initial=0.0))


def lowers(new: float, old: float, scale: float) -> bool:
    """Whether an error is smaller by more than rounding: of itself, or of squares of the largest errors' size.

    >>> lowers(0.5, 0.5, 1.0), lowers(0.4, 0.5, 1.0), lowers(1e-31, 2e-31, 1.0), lowers(0.5, float("nan"), 1.0)
    (False, True, False, True)
    """
    if not (np.isfinite(new) and np.isfinite(old)):
        return not new >= old
    return not new >= old - ROUNDING * abs(old) - ROUNDING**2 * scale


def compare_all(criterion: SubsetCriterion, n: int, goal: int | None) -> SubsetsFound:
    """The best subset of each size, and the best of those; of one size alone with a `goal`."""
    _check_number(n, goal)
    sizes = range(n + 1) if goal is None else [goal]
    values = all_losses(criterion) if n <= MOST else None
    if values is None:
        subsets = [s for size in sizes for s in of_size(n, size)]
        tried, errors = (
            masks(subsets, n),
            np.concatenate([mean_over_folds(criterion, criterion.subset_losses([s])) for s in subsets]),
        )
    else:
        codes = np.arange(2**n)
        codes = codes if goal is None else codes[np.bitwise_count(codes) == goal]
        tried, errors = (codes[:, None] >> np.arange(n) & 1).astype(bool), values[codes]
    known = ~np.isnan(errors)
    tried, errors, counts = tried[known], errors[known], tried[known].sum(axis=1)
    if not len(errors):
        raise InvalidInput("No subset has an error; see warnings.")
    best = [np.flatnonzero(counts == size) for size in sizes]
    rows = [int(r[first_best(errors[r])]) for r in best if len(r)]
    path = tuple(tuple(map(int, np.flatnonzero(tried[r]))) for r in rows)
    along, chosen = errors[rows], 0
    for i in range(1, len(rows)):
        chosen = i if lowers(along[i], along[chosen], largest(errors)) else chosen
    return SubsetsFound(path, along, criterion.subset_losses(path), chosen, tried, errors)


def _check_number(n: int, goal: int | None) -> None:
    """Refuse what would take for ever."""
    count = 2**n if goal is None else comb(n, goal)
    if count > 2**MOST:
        what = f"2^{n} = {count:,}" if goal is None else f"{count:,}"
        raise InvalidParameter(
            f"direction='exhaustive' would compare {what} subsets of {n} columns; at most 2^{MOST} = {2**MOST:,} are. "
            "Use direction='forward' or 'backward', or fewer columns."
        )
