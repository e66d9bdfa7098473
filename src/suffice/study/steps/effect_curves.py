"""How the prediction of the chosen model changes with one column, the other columns as they are.

Partial dependence: f(v) = mean over rows i of the prediction for row i with v in column j. The band follows from the
interval (a, b) of the weight w of the column, on the scale on which weights add up: at a code c the prediction moves
by (a − w)(c − r) to (b − w)(c − r), where r is the mean code of a quantity and the code of the reference of a level. So
the band of a quantity has no width at its mean, and a level is compared with its reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri

from suffice._core.random import generator
from suffice.prepare.transforming._code_numbers import NumberCode
from suffice.prepare.transforming._column_codes import LevelsCode
from suffice.study.reading.problem import Problem
from suffice.study.reading.target_range import target_range
from suffice.study.sections import EffectCurve, Estimates, Importances

DRIVERS, POINTS, LEVELS, CLASSES, ROWS = 3, 25, 8, 4, 400
NOTABLE = 0.1  # of the largest importance, where none is beyond chance
TAIL = 0.01  # of the rows beyond each end of a curve


@dataclass(frozen=True, eq=False)
class ColumnGrid:
    """Values of a column, the codes of each, how many rows are nearest to each, and the code they are compared with."""

    at: tuple[float | str, ...]
    codes: np.ndarray
    counts: np.ndarray
    reference: np.ndarray


def strongest(importances: Importances | None) -> tuple[str, ...]:
    """The columns without which the loss on rows not seen grows most."""
    if importances is None:
        return ()
    found = list(zip(importances.term, importances.estimate, importances.low, strict=True))
    sure = [t for t, _, low in found if low > 0]
    least = NOTABLE * max((e for _, e, _ in found), default=0.0)
    return tuple(sure or [t for t, e, _ in found if e > 0 and e >= least])[:DRIVERS]


def effect_curves(
    model: Any, problem: Problem, columns: Sequence[str], weights: Estimates | None, link: str, seed: int
) -> tuple[EffectCurve, ...]:
    """The curves of these columns: one each, or one for each of the classes whose probability changes most."""
    rows = np.arange(problem.n)
    if problem.n > ROWS:
        rows = np.sort(generator(seed).choice(problem.n, ROWS, replace=False))
    Z, w = problem.Z[rows], None if problem.weight is None else problem.weight[rows]
    sources = np.array(problem.encoder.sources(), dtype=object)
    found: list[EffectCurve] = []
    for name in columns:
        js = np.flatnonzero(sources == name)
        grid = _grid(name, js, problem)
        if grid is not None:
            found += _curves(name, js, grid, model, problem, Z, w, weights, link)
    return tuple(found)


# -- values of a column ----------------------------------------------------------------------------------------
def _grid(name: str, js: np.ndarray, problem: Problem) -> ColumnGrid | None:
    """None where the column has fewer than two values."""
    code = next(c for c in problem.encoder.state_ if c.name == name)
    block = problem.Z[:, js]
    if isinstance(code, NumberCode) and code.only is None:
        known = block[:, 0] if not code.gap or len(js) < 2 else block[block[:, 1] == 0, 0]
        return _quantity(known, len(js))
    named = isinstance(code, LevelsCode)
    if not named and len(np.unique(block, axis=0)) > LEVELS:  # a date is several numbers, and no level
        return None
    return _levels(block, np.asarray(problem.columns[name], dtype=object), named)


def _quantity(values: np.ndarray, width: int) -> ColumnGrid | None:
    at, counts = np.unique(values, return_counts=True)
    if len(at) > POINTS:
        low, high = np.quantile(values, (TAIL, 1 - TAIL))
        low, high = (low, high) if high > low else (at[0], at[-1])
        at = np.linspace(low, high, POINTS)
        counts = np.bincount(np.abs(values[:, None] - at).argmin(axis=1), minlength=POINTS)
    if len(at) < 2:
        return None
    codes, reference = np.zeros((len(at), width)), np.zeros(width)
    codes[:, 0], reference[0] = at, values.mean()
    return ColumnGrid(tuple(map(float, at)), codes, counts, reference)


def _levels(block: np.ndarray, raw: np.ndarray, named: bool) -> ColumnGrid | None:
    """The most frequent codes, each under the value it stands for; several values of one code are "other"."""
    codes, first, place, counts = np.unique(
        block, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    if len(codes) < 2:
        return None
    place = place.reshape(-1)
    kept = np.sort(np.argsort(-counts, kind="stable")[:LEVELS])
    at = tuple(_label(raw[place == k], raw[first[k]]) for k in kept)
    reference = np.zeros(block.shape[1]) if named else codes[0]
    return ColumnGrid(at, codes[kept], counts[kept], reference)


def _label(values: np.ndarray, one: Any) -> str:
    if one is None or one != one:
        return "(missing)"
    same = all(v == one for v in values[:1000])
    if not same:
        return "other"
    return str(int(one)) if isinstance(one, float) and one.is_integer() else str(one)


# -- predictions -------------------------------------------------------------------------------------------------
def _curves(
    name: str,
    js: np.ndarray,
    grid: ColumnGrid,
    model: Any,
    problem: Problem,
    Z: np.ndarray,
    w: np.ndarray | None,
    weights: Estimates | None,
    link: str,
) -> list[EffectCurve]:
    each = np.array([_predicted(model, _with(Z, js, code), problem) for code in grid.codes])  # (G, N, K)
    means = np.average(each, axis=1, weights=w)
    labels = [str(label) for label in problem.labels] or [""]
    shown = _shown_classes(means) if len(labels) > 2 else [len(labels) - 1]
    ends = _ends(each[:, :, shown[0]], js, grid, weights, link, w) if len(labels) <= 2 else None
    unknown = np.full(len(grid.at), np.nan)
    low, high = (unknown, unknown) if ends is None else ends
    if not problem.is_classification:  # as what is handed over, a curve keeps to possible values
        within = target_range(problem.y, problem.task.name, problem.target)
        means, low, high = (within.clip(v) for v in (means, low, high))
    return [EffectCurve(name, labels[k], grid.at, low, means[:, k], high, grid.counts) for k in shown]


def _with(Z: np.ndarray, js: np.ndarray, code: np.ndarray) -> np.ndarray:
    changed = Z.copy()
    changed[:, js] = code
    return changed


def _predicted(model: Any, Z: np.ndarray, problem: Problem) -> np.ndarray:
    """A column for the target, or one for each class."""
    if problem.is_classification:
        return np.asarray(model.predict_proba(Z), dtype=float)
    return np.asarray(model.predict(Z), dtype=float)[:, None]


def _shown_classes(means: np.ndarray) -> list[int]:
    """The classes whose probability changes most, in their own order."""
    return sorted(np.argsort(-np.ptp(means, axis=0), kind="stable")[:CLASSES].tolist())


# -- the band ----------------------------------------------------------------------------------------------------
LINKS = {
    "identity": (lambda p: p, lambda e: e),
    "log": (np.log, np.exp),
    "logit": (logit, expit),
    "probit": (ndtri, ndtr),
}
EXACT = ("identity", "log")  # the mean prediction is the inverse link of the weighted sum itself


def _ends(
    each: np.ndarray,
    js: np.ndarray,
    grid: ColumnGrid,
    weights: Estimates | None,
    link: str,
    w: np.ndarray | None,
) -> tuple[np.ndarray, np.ndarray] | None:
    """Both ends of the mean prediction; None where the weights state no uncertainty, or do not make the prediction."""
    away = grid.codes - grid.reference
    if weights is None or weights.group or link not in LINKS or np.any((away != 0).sum(axis=1) > 1):
        return None
    at = js + 1  # after the intercept
    if at[-1] >= len(weights.term) or not np.isfinite(weights.low[at]).any():
        return None
    forward, back = LINKS[link]
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        scores = forward(each)
        if link in EXACT and not np.allclose(
            scores - scores[:1],
            ((grid.codes - grid.codes[0]) @ weights.estimate[at])[:, None],
            rtol=1e-5,
            atol=1e-8,
        ):
            return None
        reach = [(end - weights.estimate)[at] for end in (weights.low, weights.high)]
        spread = [np.where(away != 0, side * away, 0.0).sum(axis=1) for side in reach]
        moved = [np.average(back(scores + s[:, None]), axis=1, weights=w) for s in spread]
    return np.minimum(*moved), np.maximum(*moved)
