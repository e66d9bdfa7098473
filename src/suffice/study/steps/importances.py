"""What the chosen model needs of each column: the loss on rows not seen, once its cells are shuffled.

For every outer fold k the model is fitted to the training rows with the parameters chosen there. The growth of column j
is the mean loss of the test rows with the cells of j dealt out anew among them, less their loss as they are; for least
squares and independent columns that is 2 w_j² var(x_j) on average. The folds share training rows, so the interval of
their mean is the correlated t of `evaluation`. All numbers made from one column of the table move together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.losses import LOSSES, Loss
from suffice._core.random import generator
from suffice.evaluation import correlated_interval
from suffice.evaluation._levels.predictions import losses_of
from suffice.evaluation._levels.validation_table import ValidationTable
from suffice.study.numbers import list_names, percent, span, within
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.sections import Estimates, Importances
from suffice.study.steps.compare import LOSS_WORDS
from suffice.study.steps.settled import fix_parameters
from suffice.study.steps.validate import Trial

MOST_COLUMNS, MOST_ROWS, MOST_CELLS, NAMED = 30, 20_000, 5_000_000, 3


def importances_of(t: Trial, problem: Problem, options: Options, effects: Estimates | None) -> Importances:
    """Of every column of the table, or of the `MOST_COLUMNS` that seem to matter most."""
    columns = _columns(problem.encoder.sources())
    shown = _screened(columns, problem, effects)
    repeats, rng = options.amount.repeats, generator(options.seed)
    table, loss = ValidationTable(problem.Z, problem.y, problem.weight, {}), LOSSES[problem.loss]
    growth = np.empty((len(problem.splits), len(shown)))
    prepared = fix_parameters(t, problem, {})
    for k, (train, test) in enumerate(problem.splits):
        model = clone(prepared).set_params(**t.chosen[k])
        rows = test if len(test) <= MOST_ROWS else np.sort(rng.choice(test, MOST_ROWS, replace=False))
        fitted = table.fit(model, train)
        growth[k] = _growth(fitted, table, rows, [columns[name] for name in shown], loss, repeats, rng)
    order = np.argsort(-growth.mean(axis=0), kind="stable")
    low, high = _intervals(growth[:, order], t.layers.test_fraction, options.confidence)
    names = tuple(shown[j] for j in order)
    found = Importances(
        names, growth.mean(axis=0)[order], low, high, problem.loss, repeats, len(columns) - len(shown)
    )
    return _sentence(found, options.confidence)


def _columns(sources: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Which numbers each column of the table became."""
    found: dict[str, list[int]] = {}
    for j, name in enumerate(sources):
        found.setdefault(name, []).append(j)
    return {name: np.array(js) for name, js in found.items()}


# -- which columns -------------------------------------------------------------------------------------------
def _screened(columns: dict[str, np.ndarray], problem: Problem, effects: Estimates | None) -> list[str]:
    """All columns, or those with the largest effects; of a model without weights, the most related to the target."""
    if len(columns) <= MOST_COLUMNS:
        return list(columns)
    d = problem.Z.shape[1]
    size = _relation(problem) if effects is None else np.abs(effects.estimate).reshape(-1, d).max(axis=0)
    strength = np.array([np.sum(np.nan_to_num(size[js]) ** 2) for js in columns.values()])
    top = np.sort(np.argsort(-strength, kind="stable")[:MOST_COLUMNS])
    names = list(columns)
    return [names[j] for j in top]


def _relation(problem: Problem) -> np.ndarray:
    """The largest correlation of every number with the target, or with belonging to a class."""
    y = problem.y
    truth = (y[:, None] == np.array(problem.labels)) if problem.is_classification else y[:, None]
    Y = truth.astype(float) - truth.mean(axis=0)
    Z = problem.Z - problem.Z.mean(axis=0)
    sizes = np.linalg.norm(Z, axis=0)[:, None] * np.linalg.norm(Y, axis=0)
    return np.abs(np.divide(Z.T @ Y, sizes, out=np.zeros_like(sizes), where=sizes > 0)).max(axis=1)


# -- one fold --------------------------------------------------------------------------------------------------
def _growth(
    fitted: Any,
    table: ValidationTable,
    rows: np.ndarray,
    columns: list[np.ndarray],
    loss: Loss,
    repeats: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """How much the mean loss of some rows grows, column by column; the mean over repeats, several at a time."""
    Z, y, w = table.X[rows], table.y[rows], table.weights(rows)
    weighted = None if table.weight is None else w

    def mean_of(X: np.ndarray, copies: int) -> float:
        here = ValidationTable(X, np.tile(y, copies), None, {})
        return float(np.average(losses_of(fitted, here, slice(None), loss), weights=np.tile(w, copies)))

    whole, found = mean_of(Z, 1), np.zeros(len(columns))
    donors = [_donors(weighted, len(rows), rng) for _ in range(repeats)]
    together = int(np.clip(MOST_CELLS // Z.size, 1, repeats))
    for start in range(0, repeats, together):
        some = donors[start : start + together]
        stack, order = np.tile(Z, (len(some), 1)), np.concatenate(some)
        for j, js in enumerate(columns):
            kept = Z[:, js]
            if np.any(kept != kept[0]):
                stack[:, js] = kept[order]
                found[j] += (mean_of(stack, len(some)) - whole) * len(some) / repeats
                stack[:, js] = np.tile(kept, (len(some), 1))
    return found


def _donors(weight: np.ndarray | None, n: int, rng: np.random.Generator) -> np.ndarray:
    """Whose cells each row gets: a permutation, or with weights, draws as frequent as the rows count."""
    return rng.permutation(n) if weight is None else rng.choice(n, n, p=weight / weight.sum())


def _intervals(growth: np.ndarray, share: float, confidence: float) -> tuple[np.ndarray, np.ndarray]:
    ends = np.full((growth.shape[1], 2), np.nan)
    for j, values in enumerate(growth.T):
        if np.isfinite(values).all() and len(values) > 1:
            found = correlated_interval(values, share, confidence=confidence).interval
            ends[j] = (np.nan, np.nan) if found is None else found
    return ends[:, 0], ends[:, 1]


# -- words -----------------------------------------------------------------------------------------------------
def _sentence(found: Importances, confidence: float) -> Importances:
    words = LOSS_WORDS[found.loss]
    needed = [j for j in range(len(found.term)) if found.low[j] > 0]
    if needed:
        names = list_names([_one(found, j) for j in needed[:NAMED]])
        rest = len(needed) - NAMED
        others = "1 more column has" if rest == 1 else f"{rest} more columns have"
        more = f", and {others} an interval above zero" if rest > 0 else ""
        head = (
            f"When the cells of a column are shuffled, the {words} on rows not seen grows most for {names} "
        )
        text = f"{head}({percent(confidence)} intervals, each column by itself){more}."
    else:
        text = f"No column makes the {words} on rows not seen grow beyond chance when its cells are shuffled."
    unsure = len(found.term) - len(needed)
    if needed and unsure:
        text += f" For {unsure} of {len(found.term)} columns the growth may be chance."
    text += " Columns that say the same can stand in for each other, and each then looks dispensable."
    if found.left_out:
        text += f" {found.left_out} columns that seem to matter least were not tried."
    return Importances(
        found.term, found.estimate, found.low, found.high, found.loss, found.repeats, found.left_out, text
    )


def _one(found: Importances, j: int) -> str:
    ends = (float(found.low[j]), float(found.high[j]))
    return f"{found.term[j]!r} by {within(float(found.estimate[j]), ends)} ({span(ends)})"
