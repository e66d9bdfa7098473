"""The log posterior along two weights, the others held at their estimates: height, slope, and values on a grid."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers, hold_warnings
from suffice._core.linalg import cholesky, eigh, solve_triangle
from suffice.engine import reduce
from suffice.glm._fit.pass_sums import SumsAt, row_weights, split, weighted
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.prior import Prior, RawColumns
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._shell.bayesian import BayesianModel
from suffice.glm._shell.model import GeneralizedLinear
from suffice.inference import newton

CELLS = 1 << 20  # rows × points worked on at a time

HAIR = 1e-9


class Slice:
    """The log posterior as a function of how far two weights are from their estimates."""

    def __init__(
        self, model: GeneralizedLinear, X: Any, y: Any, weight: Any, offset: Any, pair: list[int]
    ) -> None:
        rows, plan = model.door(X, y, weight, like=model.plan_, offset=offset)
        visit = lambda at: reduce(rows, model.expect, plan, at)  # noqa: E731
        columns, free = model._columns(plan, visit)
        self.counts = model._class_weights(plan, visit)
        prior = _prior(model, plan, columns)
        self.problem = LinkProblem(plan, prior, free, weighted(visit, self.counts))
        self.rows = rows
        self.peak = self.problem.parameters(plan.functions_of(model.function_))
        G = (plan.to_raw() @ free).astype(float)
        G = G if self.problem.whole else G[1:]
        self.directions = np.linalg.solve(G, np.eye(len(G))[:, pair])  # (q, 2): one more unit of each weight

    def log_posterior(self, moved: np.ndarray) -> Any:
        return self.problem.at(self.peak + self.directions @ moved)

    def value(self, moved: np.ndarray) -> float:
        """log likelihood + log prior."""
        return float(self.log_posterior(moved).objective) + self.problem.prior.log_constant

    def cov(self) -> np.ndarray:
        """S of the two weights, the others held."""
        precision = -self.directions.T @ self.log_posterior(np.zeros(2)).hessian @ self.directions
        size = np.sqrt(np.maximum(np.diagonal(precision), 0.0))
        if not np.all((size > 0) & np.isfinite(size)) or eigh(precision / np.outer(size, size))[0][0] < 1e-12:
            raise InvalidInput(
                "The rows leave these two weights no finite width; fit with prior_precision > 0 or choose others."
            )
        root = solve_triangle(cholesky(precision, "the curvature at the estimate"), np.eye(2), lower=True)
        return root.T @ root

    def path(self, start: Any, peak: np.ndarray, control: Any, max_iter: int) -> np.ndarray:
        """Newton's path, as differences from the peak."""
        D = self.directions
        begin = self._start(start, peak)
        with hold_warnings():  # a path that does not arrive is what the reader came to see
            return newton(
                self.value,
                begin,
                lambda m: D.T @ self.log_posterior(m).gradient,
                lambda m: D.T @ self.log_posterior(m).hessian @ D,
                maximize=True,
                control=control,
                max_iter=max_iter,
            ).path

    def _start(self, start: Any, peak: np.ndarray) -> np.ndarray:
        """Where the path begins, as a difference from the peak."""
        begin = np.zeros(2) if start is None else as_numbers("start", start)
        if begin.shape != (2,) or not np.isfinite(begin).all():
            raise InvalidParameter(f"start must be two finite numbers; got {start!r:.60}.")
        away = begin - peak
        if start is None:  # on the edge of what is possible, rounding decides: a hair further out it does not
            inside = np.isfinite([self.value(away), self.value((1 + HAIR) * away)]).all()
            return away if inside else np.zeros(2)
        if np.isfinite(self.value(away)):
            return away
        raise InvalidParameter(
            f"start must be weights that the likelihood allows; it is zero at {start!r:.60}."
        )

    def on_grid(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """(b, a): log likelihood, and log prior if there is one."""
        moves = np.stack(np.meshgrid(a, b), axis=-1).reshape(-1, 2)
        prior = self.problem.prior
        # (r, points)
        E = self.problem.root @ (self.peak + moves @ self.directions.T).T - prior.place[:, None]
        held = prior.log_constant - 0.5 * prior.between[0, 0] * np.sum(E**2, axis=0)
        shape = len(b), len(a)
        return self._log_likelihood(moves).reshape(shape), held.reshape(shape) if len(E) else None

    def _log_likelihood(self, moves: np.ndarray) -> np.ndarray:
        plan, total = self.problem.plan, np.zeros(len(moves))
        step = max(1, CELLS // len(moves))
        for k in range(0, len(self.rows), step):
            rows = self.rows[k : k + step]
            z, (y, extra) = plan.design(rows.X), split(rows.Y)
            here = (z @ self.problem.functions(self.peak))[:, 0] + (0.0 if extra is None else extra)
            there = here + moves @ (z @ self.problem.free @ self.directions).T  # (points, rows)
            log_prob = plan.likelihood.log_prob(np.tile(y, len(moves)), there.ravel()).reshape(there.shape)
            weight = row_weights(rows, SumsAt(self.peak, "gradient", self.counts))
            total += log_prob.sum(axis=1) if weight is None else np.where(weight > 0, log_prob, 0.0) @ weight
        return total


def _prior(model: GeneralizedLinear, plan: Plan, columns: RawColumns) -> Prior:
    """The model's, with the precision that it found where it looked for one."""
    if isinstance(model, BayesianModel):
        return model._prior_at(model.prior_precision_, columns)
    return model._prior(plan, columns)
