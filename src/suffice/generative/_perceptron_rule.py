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
class PerceptronRule:
    """Size of a step, whether the constant takes part, when to stop, and the penalty.

    The penalty is α (ρ Σ|w| + (1 − ρ) Σ w²/2), with ρ the `share`: every row moves all weights against its slope.
    """

    rate: float
    constant: bool
    max_iter: int
    tol: float
    patience: int
    alpha: float = 0.0
    share: float = 0.0

    @property
    def shrink(self) -> float:
        """What every row multiplies the weights by."""
        return max(0.0, 1.0 - (1.0 - self.share) * self.rate * self.alpha)

    @property
    def pull(self) -> float:
        """How far every row pulls weights towards zero, and no further."""
        return self.share * self.rate * self.alpha

    def penalty(self, w: np.ndarray) -> float:
        """Its value at these weights."""
        return self.alpha * (self.share * float(np.abs(w).sum()) + (1.0 - self.share) * 0.5 * float(w @ w))


class Pulled:
    """How far each weight has been pulled towards zero, and how far it could have been, in all passes so far."""

    def __init__(self, columns: int) -> None:
        self.pulled, self.total = np.zeros(columns), 0.0


# -- one pass -----------------------------------------------------------------------------------------
def epoch(
    X: Any, signs: np.ndarray, order: np.ndarray, w: np.ndarray, b: float, rule: PerceptronRule, fast: bool
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


def epoch_by_rows(
    row: Any, signs: np.ndarray, order: np.ndarray, w: np.ndarray, b: float, rule: PerceptronRule
) -> Any:
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


def pulled_epoch(
    X: Any,
    signs: np.ndarray,
    order: np.ndarray,
    weight: np.ndarray,
    w: np.ndarray,
    b: float,
    rule: PerceptronRule,
    state: Pulled,
    fast: bool,
) -> Any:
    """`epoch` with a penalty, or with rows whose steps are longer by their weight."""
    compiled = loops(LOOPS) if fast else None
    pulls = (rule.rate, rule.constant, rule.alpha, rule.share, state.pulled, state.total)
    if compiled is None:
        everything = slice(None)
        row = _stored_rows(X) if sparse.issparse(X) else lambda i: (everything, X[i])
        return pulled_by_rows(row, signs, order, weight, w, b, rule, state)
    if sparse.issparse(X):
        stored = (X.data, X.indices, X.indptr)
        b, mistakes, loss, state.total = compiled.sparse_pulled_epoch(
            *stored, signs, order, weight, w, b, *pulls
        )
    else:
        b, mistakes, loss, state.total = compiled.dense_pulled_epoch(X, signs, order, weight, w, b, *pulls)
    return b, mistakes, loss


def pulled_by_rows(
    row: Any,
    signs: np.ndarray,
    order: np.ndarray,
    weight: np.ndarray,
    w: np.ndarray,
    b: float,
    rule: PerceptronRule,
    state: Pulled,
) -> Any:
    """The compiled loop's twin."""
    mistakes, objective = 0, 0.0
    for i in order:
        columns, x = row(i)
        z = signs[i] * (float(w[columns] @ x) + b)
        step = rule.rate * signs[i] * weight[i] if z <= 0 else 0.0
        mistakes, objective = mistakes + (z <= 0), objective - min(z, 0.0) + rule.penalty(w)
        state.total += rule.pull
        w *= rule.shrink
        w[columns] += step * x
        if rule.pull:
            before = w.copy()
            up = np.maximum(0.0, before - (state.total + state.pulled))
            down = np.minimum(0.0, before + (state.total - state.pulled))
            w[:] = np.where(before > 0, up, np.where(before < 0, down, before))
            state.pulled += w - before
        b += step * rule.constant
    return b, mistakes, objective


# -- many passes --------------------------------------------------------------------------------------
def learn(
    X: Any,
    signs: np.ndarray,
    start: Plane,
    rule: PerceptronRule,
    rng: np.random.Generator | None,
    weight: np.ndarray | None = None,
    held: np.ndarray | None = None,
) -> Plane:
    """Passes until one has no mistakes, what is judged no longer improves, or the limit is reached.

    Judged is the loss with the penalty, or the share of the rows `held` out that are on their side. `weight`
    multiplies the steps.
    """
    w, b = start.weights.copy(), start.constant
    mistakes, losses = list(start.mistakes), list(start.losses)
    seen = np.arange(len(signs)) if held is None else np.flatnonzero(~held)
    best, waited, rows = np.inf, 0, len(seen)
    plain, state = weight is None and rule.alpha == 0, Pulled(len(w))
    steps = np.ones(len(signs)) if weight is None else weight
    for k in range(rule.max_iter):
        order, fast = seen if rng is None else seen[rng.permutation(rows)], (k + 1) * rows > MANY
        if plain:
            b, wrong, loss = epoch(X, signs, order, w, b, rule, fast)
        else:
            b, wrong, loss = pulled_epoch(X, signs, order, steps, w, b, rule, state, fast)
        mistakes.append(int(wrong))
        losses.append(float(loss) / rows)
        judged = loss / rows if held is None else -_right(X, signs, w, b, held)
        waited = waited + 1 if judged > best - rule.tol else 0
        best = min(best, judged)
        if (wrong == 0 and rule.alpha == 0) or waited >= rule.patience:
            break
    return Plane(frozen_array(w), float(b), tuple(mistakes), tuple(losses))


def _right(X: Any, signs: np.ndarray, w: np.ndarray, b: float, held: np.ndarray) -> float:
    """The share of the rows held out that are on their side; zero is the side of the first class."""
    return float(np.mean(np.where(X[held] @ w + b > 0, 1.0, -1.0) == signs[held]))


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
