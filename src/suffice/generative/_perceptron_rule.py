"""Passes of the perceptron rule over rows: one problem of two sides at a time, compiled where there are many steps."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.compiling import loops
from suffice._core.errors import NumericalError
from suffice._core.records import frozen_array, record
from suffice._core.trace import Trace
from suffice._estimator.labels import codes_of

LOOPS = "suffice.generative._loops"
LARGE = 1e280  # the longest row squared, so that its products with many steps stay finite
MANY = 5000  # steps after which it pays to start the compiled loop


@record
class Plane:
    """Weights and constant of one problem, and how each pass over the rows went."""

    weights: np.ndarray
    constant: float
    mistakes: tuple[int, ...] = ()
    losses: tuple[float, ...] = ()

    @property
    def separates(self) -> bool:
        """Whether the last pass had nothing to correct."""
        return bool(self.mistakes) and self.mistakes[-1] == 0


@record
class Rule:
    """Size of a step, whether the constant takes part, and when to stop."""

    rate: float
    constant: bool
    max_iter: int
    tol: float
    patience: int


# -- one pass -----------------------------------------------------------------------------------------
def epoch(
    X: Any, signs: np.ndarray, order: np.ndarray, w: np.ndarray, b: float, rule: Rule, fast: bool
) -> Any:
    """The constant after one pass over the rows, mistakes and loss; w is changed in place."""
    compiled = loops(LOOPS) if fast else None
    if sparse.issparse(X):
        if compiled is not None:
            stored = (X.data, X.indices, X.indptr)
            return compiled.sparse_epoch(*stored, signs, order, w, b, rule.rate, rule.constant)
        return epoch_by_rows(_stored_rows(X), signs, order, w, b, rule)
    if compiled is not None:
        return compiled.dense_epoch(X, signs, order, w, b, rule.rate, rule.constant)
    everything = slice(None)
    return epoch_by_rows(lambda i: (everything, X[i]), signs, order, w, b, rule)


def _stored_rows(X: Any) -> Any:
    def row(i: int) -> tuple[np.ndarray, np.ndarray]:
        cells = slice(X.indptr[i], X.indptr[i + 1])
        return X.indices[cells], X.data[cells]

    return row


def epoch_by_rows(row: Any, signs: np.ndarray, order: np.ndarray, w: np.ndarray, b: float, rule: Rule) -> Any:
    """The compiled loop's twin."""
    mistakes, loss = 0, 0.0
    for i in order:
        columns, x = row(i)
        z = signs[i] * (float(w[columns] @ x) + b)
        if z <= 0:
            mistakes += 1
            loss -= z
            w[columns] += rule.rate * signs[i] * x
            b += rule.rate * signs[i] * rule.constant
    return b, mistakes, loss


# -- many passes --------------------------------------------------------------------------------------
def learn(X: Any, signs: np.ndarray, start: Plane, rule: Rule, rng: np.random.Generator | None) -> Plane:
    """Passes until one has no mistakes, the loss no longer falls, or the limit is reached; then why not."""
    w, b = start.weights.copy(), start.constant
    mistakes, losses = list(start.mistakes), list(start.losses)
    best, waited, rows = np.inf, 0, len(signs)
    for k in range(rule.max_iter):
        order = np.arange(rows) if rng is None else rng.permutation(rows)
        b, wrong, loss = epoch(X, signs, order, w, b, rule, fast=(k + 1) * rows > MANY)
        mistakes.append(int(wrong))
        losses.append(float(loss) / rows)
        waited = waited + 1 if loss > best - rule.tol * rows else 0
        best = min(best, loss)
        if wrong == 0 or waited >= rule.patience:
            break
    return Plane(frozen_array(w), float(b), tuple(mistakes), tuple(losses))


def margin(X: Any, signs: np.ndarray, plane: Plane, constant: bool) -> float:
    """The least t wᵀx̃ / ‖w̃‖; positive if the plane separates the rows."""
    length = np.hypot(np.linalg.norm(plane.weights), plane.constant if constant else 0.0)
    return float(np.min(signs * (X @ plane.weights + plane.constant)) / length) if length > 0 else 0.0


def longest(X: Any, constant: bool) -> float:
    """R: the length of the longest x̃. Raises where products of rows, or of the weights with them, leave the range."""
    with np.errstate(over="ignore", under="ignore"):
        squares = X.multiply(X).sum(axis=1) if sparse.issparse(X) else np.einsum("nd,nd->n", X, X)
    largest = float(np.max(squares))
    cells = X.data if sparse.issparse(X) else X
    if not largest < LARGE or (largest < 1 / LARGE and np.any(cells)):
        raise NumericalError(
            f"The squared length of a row {'overflows' if largest > 1 else 'vanishes'}; divide the columns by their "
            "size first."
        )
    return float(np.sqrt(largest + constant))


def joint_trace(planes: list[Plane], classes: np.ndarray) -> Trace:
    """Mistakes of all problems per pass; one that has come to rest repeats its last."""
    n = max(len(p.mistakes) for p in planes)
    table = np.array([(*p.mistakes, *[p.mistakes[-1]] * (n - len(p.mistakes))) for p in planes], dtype=float)
    losses = np.array([(*p.losses, *[p.losses[-1]] * (n - len(p.losses))) for p in planes])
    columns = {f"mistakes of {c}": row for c, row in zip(classes.tolist(), table, strict=False)}
    columns = {"loss": losses.mean(axis=0)} | (columns if len(planes) > 1 else {})
    return Trace(table.sum(axis=0), all(p.separates for p in planes), columns)


def problems(classes: np.ndarray) -> int:
    """One plane for two classes, else one per class."""
    return 1 if len(classes) == 2 else len(classes)


def sides(labels: np.ndarray, classes: np.ndarray) -> list[np.ndarray]:
    """±1 per row for each problem: the second class of two, or each class, against the rest."""
    codes = codes_of(labels, classes)
    own = [1] if len(classes) == 2 else range(len(classes))
    return [np.where(codes == c, 1.0, -1.0) for c in own]
