"""What the least-mean-squares rule needs from row to row: units of the columns, weights, the size of a step."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.compiling import loops
from suffice._core.linalg import eigh
from suffice._core.records import frozen_array, record
from suffice.statistics import Header

LOOPS = "suffice.linear._solvers._loops"
MANY = 5000  # rows from which it pays to start the compiled loop


@record
class Unit:
    """Where the columns are measured from, and in what: zero and one, or their mean and standard deviation."""

    center: np.ndarray
    scale: np.ndarray

    @classmethod
    def of(cls, Phi: np.ndarray, standardize: bool) -> Unit:
        """The unit of these rows; a column that does not vary keeps its size."""
        zero, one = np.zeros(Phi.shape[1]), np.ones(Phi.shape[1])
        if not standardize:
            return cls(frozen_array(zero), frozen_array(one))
        largest = np.max(np.abs(Phi), axis=0)
        Phi = Phi / np.where(largest > 0, largest, 1.0)  # squares neither overflow nor vanish
        mean = Phi.mean(axis=0)
        std = np.sqrt(np.mean((Phi - mean) ** 2, axis=0))
        scale = np.where(std > 16 * np.finfo(float).eps, std * largest, 1.0)
        return cls(frozen_array(mean * largest), frozen_array(scale))

    def __call__(self, Phi: np.ndarray) -> np.ndarray:
        as_they_are = not self.center.any() and np.all(self.scale == 1)
        return Phi if as_they_are else (Phi - self.center) / self.scale


@record
class Progress:
    """Where the rule stands: what the next row needs. Weights are those of columns in their unit."""

    header: Header
    unit: Unit
    weights: np.ndarray
    steps: int
    largest: float
    gram: np.ndarray
    rows: int
    squared_errors: np.ndarray


def passed(W: np.ndarray, Phi: np.ndarray, Y: np.ndarray, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weights after one step per row, and the squared errors that the rows had when they came (3.23)."""
    compiled = loops(LOOPS) if len(Y) >= MANY else None
    W, errors = W.copy(), np.empty(Y.shape)
    take = take_steps if compiled is None else compiled.steps
    with np.errstate(over="ignore", invalid="ignore"):
        take(W, np.ascontiguousarray(Phi), np.ascontiguousarray(Y), np.ascontiguousarray(rates), errors)
        return W, errors**2


def take_steps(W: np.ndarray, Phi: np.ndarray, Y: np.ndarray, rates: np.ndarray, errors: np.ndarray) -> None:
    """The compiled loop's twin: W is changed in place, `errors` filled."""
    for n, phi in enumerate(Phi):
        errors[n] = Y[n] - phi @ W
        W += np.multiply.outer(rates[n] * phi, errors[n])


def stable_rate(mean_square: np.ndarray) -> float:
    """2/λ_max of the mean φφᵀ: below it the mean of the weights settles."""
    largest = float(eigh(mean_square)[0][-1])
    return 2 / largest if largest > 0 else np.inf


def advice(rate: Any, mean_square: np.ndarray, largest: float) -> str:
    """Which rates would do."""
    return (
        f"learning_rate={rate!r} is too large for these rows: the mean of the weights settles below "
        f"2/λ_max = {stable_rate(mean_square):.3g}, and no step overshoots up to 1/max‖φ‖² = {1 / largest:.3g}. "
        "Take a smaller one, or 'auto', or standardize=True."
    )


def beginning(header: Header, unit: Unit, size: int) -> Progress:
    """Zero weights, and nothing seen."""
    k = header.n_outputs
    return Progress(header, unit, np.zeros((size, k)), 0, 0.0, np.zeros((size, size)), 0, np.zeros(k))
