r"""The lasso and the elastic net as an active-set problem: who is not zero, with which sign; the rest is linear.

    minimize  ½‖z − B v‖² + ½ Σ_j μ_j v_j² + Σ_j λ_j |v_j|,  v ≥ 0 if asked       columns of B and z of unit length

On a set S of columns with known signs s the solution is G_SS v_S = B_Sᵀz − λ_S s with G = BᵀB + diag μ (PRML 3.29).
With λ = 0 and v ≥ 0 it is non-negative least squares.
A pass solves that, walks to it as far as the objective falls (weights that reach zero leave S), and looks at all
other columns: |B_jᵀ(z − Bv)| > λ_j enters. The Cholesky factor of G_SS grows by blocks and is cut at the first
column that leaves. A column that is a combination of S takes the place of the first weight it drives to zero.
The objective never rises, and no set comes back, so the end is exact: the gap left is rounding.
"""

from __future__ import annotations

from copy import copy
from typing import NamedTuple, Self

import numpy as np

from suffice._core.linalg import EPS, solve_triangle, try_cholesky

DEPENDENT = 1e-13  # the squared length that a unit column must have outside the span of the others
SMOOTH = 0.03  # pivots below it cost digits, which a step of refinement brings back
ROUNDS = 3  # of refinement and what it lets in
RATIO = 0.5  # of one penalty to the next, on the way from nothing to a single one


class LassoProblem:
    """The unit columns as rows, the unit target, and their products where there are not too many.

    `squares` are the penalties μ of the squared weights; `positive` leaves no weight below zero.
    """

    def __init__(
        self,
        columns: np.ndarray,
        target: np.ndarray,
        gram: np.ndarray | None = None,
        squares: np.ndarray | None = None,
        positive: bool = False,
    ):
        self.columns, self.target, self.gram = columns, target, gram
        self.squares, self.positive = squares, positive
        self.correlation = columns @ target

    def replaced(self, squares: np.ndarray | None, positive: bool) -> Self:
        """The same columns and target under other penalties of the squares and another bound."""
        other = copy(self)
        other.squares, other.positive = squares, positive
        return other

    @property
    def size(self) -> int:
        return len(self.columns)

    def slope(self, v: np.ndarray, active: np.ndarray) -> np.ndarray:
        """Bᵀ(z − B v) − μ v."""
        if self.gram is None:
            return self.slope_of_residual(v, active)
        return self._less_squares(self.correlation - self.gram @ v, v)

    def slope_of_residual(self, v: np.ndarray, active: np.ndarray) -> np.ndarray:
        """The same from the rows, which have more digits than products of columns."""
        return self._less_squares(self.columns @ self.residual(v, active), v)

    def _less_squares(self, slope: np.ndarray, v: np.ndarray) -> np.ndarray:
        return slope if self.squares is None else slope - self.squares * v

    def steepness(self, slope: np.ndarray) -> np.ndarray:
        """How fast the loss falls as a weight leaves zero the best way it may."""
        return slope if self.positive else np.abs(slope)

    def residual(self, v: np.ndarray, active: np.ndarray) -> np.ndarray:
        return self.target - v[active] @ self.columns[active]

    def products(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Products of two sets of columns, a column's own with the penalty of its square."""
        out = self.columns[a] @ self.columns[b].T if self.gram is None else self.gram[np.ix_(a, b)]
        if self.squares is not None:
            out = out + np.where(a[:, None] == b, self.squares[b], 0.0)
        return out


class ActiveSetSolution(NamedTuple):
    """Weights of the unit columns, the gap left (of an objective with ½‖z‖² = ½), and the passes it took.

    `trace` is that of ∂(Bv)/∂z: the number of weights that are not zero, less what penalties of squares take away.
    """

    weights: np.ndarray
    gap: float
    passes: int
    trace: float = 0.0


class ActiveSet:
    """Columns in the order they came, their signs and weights, and the lower Cholesky factor of their products."""

    def __init__(self, problem: LassoProblem):
        self.problem = problem
        self.active = np.zeros(0, dtype=int)
        self.sign = np.zeros(0)
        self.v = np.zeros(problem.size)
        self.passes = 0
        self._alone = False  # whether the next column should come in alone
        self._entered = 0  # how many came in last
        self._refused: list[int] = []  # columns that even alone turned back, by rounding
        self._factor = np.zeros((0, 0), order="F")

    def continued(self, problem: LassoProblem) -> ActiveSet:
        """The same weights as a start under other penalties of the squares."""
        other = ActiveSet(problem)
        other.v, other.passes = self.v.copy(), self.passes
        other._take(self.active, self.sign)
        return other

    @classmethod
    def begun_at(cls, problem: LassoProblem, v: np.ndarray) -> ActiveSet:
        """Weights of a problem much like this one as a start."""
        state, active = cls(problem), np.flatnonzero(v)
        state.v = v.copy()
        state._take(active, np.sign(v[active]))
        return state

    # -- the factor -------------------------------------------------------------------------------
    @property
    def factor(self) -> np.ndarray:
        n = len(self.active)
        return self._factor[:n, :n]

    def _room(self, n: int) -> None:
        if n > len(self._factor):
            grown = np.zeros((2 * n + 16,) * 2, order="F")
            k = len(self.active)
            grown[:k, :k] = self._factor[:k, :k]
            self._factor = grown

    def extend(self, new: np.ndarray, sign: np.ndarray) -> bool:
        """Take columns in; False, and nothing changed, if they are combinations of each other and of the rest."""
        n, m = len(self.active), len(new)
        self._room(n + m)
        across = solve_triangle(self.factor, self.problem.products(self.active, new), lower=True)
        corner, found = try_cholesky((self.problem.products(new, new) - across.T @ across)[None])
        if not found[0] or np.diagonal(corner[0]).min() ** 2 < DEPENDENT:
            return False
        self._factor[n : n + m, :n], self._factor[n : n + m, n : n + m] = across.T, corner[0]
        self.active, self.sign = np.append(self.active, new), np.append(self.sign, sign)
        return True

    def drop(self, leaving: np.ndarray) -> None:
        """Let columns go; `leaving` marks places in `active`."""
        first = int(np.argmax(leaving))
        rest, sign = self.active[first:][~leaving[first:]], self.sign[first:][~leaving[first:]]
        self.v[self.active[leaving]] = 0.0
        self.active, self.sign = self.active[:first], self.sign[:first]
        self._take(rest, sign)

    def _take(self, rest: np.ndarray, sign: np.ndarray) -> None:
        """Columns that were in together come back; only rounding can make them dependent."""
        if len(rest) and not self.extend(rest, sign):
            for j, s in zip(rest, sign, strict=True):
                if not self.extend(np.array([j]), np.array([s])):
                    self.v[j] = 0.0

    def solved(self, right: np.ndarray) -> np.ndarray:
        """G_SS⁻¹ applied."""
        half = solve_triangle(self.factor, right, lower=True)
        return solve_triangle(self.factor, half, lower=True, transpose=True)

    # -- one penalty --------------------------------------------------------------------------------
    def solve(self, levels: np.ndarray, limit: int) -> ActiveSetSolution:
        """The minimum for penalties `levels`, from where the last one ended."""
        started = self.passes
        self._alone, self._refused = False, []
        for _ in range(ROUNDS):
            slope = self._to_the_end(levels, limit)
            if self.passes >= limit or not len(self.active) or np.diagonal(self.factor).min() >= SMOOTH:
                break
            slope = self._refined(levels)
            if not self._enter(slope, levels):
                break
        return ActiveSetSolution(
            self.v.copy(), self._gap(slope, levels), self.passes - started, self._trace()
        )

    def _to_the_end(self, levels: np.ndarray, limit: int) -> np.ndarray:
        """Solve and take in columns until none wants in; the slope at the end."""
        while True:
            self._settle(levels, limit)
            slope = self.problem.slope(self.v, self.active)
            if self.passes >= limit or not self._enter(slope, levels):
                return slope

    def _settle(self, levels: np.ndarray, limit: int) -> None:
        """The minimum over the columns taken in."""
        while len(self.active) and self.passes < limit:
            self.passes += 1
            here, S = levels[self.active], self.active
            goal = self.solved(self.problem.correlation[S] - here * self.sign)
            wrong = (self.v[S] == 0) & (goal * self.sign <= 0)
            if wrong.any():
                self._turn_back(wrong)
                continue
            self._alone = False
            if np.all(goal * self.sign > 0):
                self.v[S] = goal
                return
            self._walk(goal, here)

    def _turn_back(self, wrong: np.ndarray) -> None:
        """Columns that would enter with the wrong sign leave; alone, the worst has the right one but for rounding."""
        if self._entered == 1:
            self._refused.extend(self.active[wrong].tolist())
        self._alone = True
        self.drop(wrong)

    def _walk(self, goal: np.ndarray, here: np.ndarray) -> None:
        """Towards the goal, to the crossing of zero where the objective is lowest, or the first if none is allowed."""
        now, S = self.v[self.active], self.active
        step = goal - now
        curve = float(np.sum((self.factor.T @ step) ** 2))
        along = float(step @ (here * self.sign)) + curve  # stepᵀ(B_Sᵀ r), as G step = B_Sᵀ r − λ s
        crossing = now * goal < 0
        at = np.append(now[crossing] / (now[crossing] - goal[crossing]), 1.0)
        size = np.abs(now + at[:, None] * step) @ here
        best = int(np.argmin(at if self.problem.positive else 0.5 * curve * at**2 - along * at + size))
        moved = now + at[best] * step
        if best < len(at) - 1:
            moved[np.flatnonzero(crossing)[best]] = 0.0
        self.v[S], self.sign = moved, np.where(moved == 0, self.sign, np.sign(moved))
        if np.any(moved == 0):
            self.drop(moved == 0)

    def _enter(self, slope: np.ndarray, levels: np.ndarray) -> bool:
        """Take in columns whose slope exceeds their penalty, the worst first; False if there are none."""
        excess = self.problem.steepness(slope) - levels
        excess[self.active] = excess[self._refused] = -np.inf
        # zero but for rounding
        uneven = np.abs(slope[self.active] - levels[self.active] * self.sign).max(initial=0.0)
        noise = max(8 * EPS * (1 + np.abs(self.v[self.active]).sum()), 4 * uneven)
        new = np.flatnonzero(excess > np.maximum(1e-12 * levels, noise))
        if not len(new):
            return False
        most = 1 if self._alone else max(8, len(self.active) // 4)
        if len(new) > most:
            new = new[np.argpartition(-excess[new], most)[:most]]
        self._entered = len(new)
        if self.extend(new, np.sign(slope[new])):
            return True
        worst = new[[np.argmax(excess[new])]]
        self._entered, self._alone = 1, True
        return self.extend(worst, np.sign(slope[worst])) or self._exchange(int(worst[0]), slope)

    def _exchange(self, j: int, slope: np.ndarray) -> bool:
        """Let a column that the others make up grow until one of them is zero, and take its place."""
        sign, S = float(np.sign(slope[j])), self.active
        step = -sign * self.solved(self.problem.products(S, np.array([j]))[:, 0])
        falling = step * self.v[S] < 0
        if not falling.any():
            return False
        reach = np.where(falling, -self.v[S] / np.where(falling, step, 1.0), np.inf)
        first = int(np.argmin(reach))
        self.v[S] += reach[first] * step
        self.drop(np.arange(len(S)) == first)
        self.v[j] = sign * reach[first]
        if not self.extend(np.array([j]), np.array([sign])):
            self.v[j] = 0.0
            return False
        return True

    # -- how good -----------------------------------------------------------------------------------
    def _refined(self, levels: np.ndarray) -> np.ndarray:
        """One correction from the residual itself; products of columns have lost digits. The slope after it."""
        S, p = self.active, self.problem
        for _ in range(2):
            left = p.slope_of_residual(self.v, S)[S] - levels[S] * self.sign
            better = self.v[S] + self.solved(left)
            if np.any(better * self.sign <= 0):
                break
            self.v[S] = better
        return p.slope_of_residual(self.v, S)

    def _trace(self) -> float:
        """tr B_S G_SS⁻¹ B_Sᵀ = |S| − tr diag(μ) G_SS⁻¹."""
        squares, n = self.problem.squares, len(self.active)
        if squares is None:
            return float(n)
        root = solve_triangle(self.factor, np.eye(n), lower=True)
        return n - float(np.sum(root**2 @ squares[self.active]))

    def _gap(self, slope: np.ndarray, levels: np.ndarray) -> float:
        """Primal less dual objective at the residual, shrunk until it is feasible."""
        p, v = self.problem, self.v[self.active]
        fitted = float(v @ p.correlation[self.active])
        square = float(p.target @ p.target)
        left = max(square - fitted - float(v @ slope[self.active]), 0.0)
        steep, free = p.steepness(slope), levels == 0
        with np.errstate(divide="ignore", invalid="ignore"):
            worst = float(np.nanmax(np.where(free, 0.0, steep / levels), initial=0.0))
        k = min(1.0, 1.0 / worst) if worst > 0 else 1.0
        size = float(np.abs(v) @ levels[self.active])
        # without a penalty any slope is a gap
        uneven = float(steep[free].max(initial=0.0)) * float(np.abs(v).sum())
        return max(0.5 * left * (1 + k * k) + size - k * (square - fitted) + uneven, 0.0)


def path(
    problem: LassoProblem,
    level: np.ndarray,
    penalties: np.ndarray,
    limit: int,
    squares: np.ndarray | None = None,
) -> list[ActiveSetSolution]:
    """The minimum for each of several penalties times `level` and `squares`, each from the one before.

    The largest come first.
    """
    last = _nothing(problem, level)
    state = ActiveSet(_at(problem, squares, last))
    order = np.argsort(-penalties, kind="stable")
    found: list[ActiveSetSolution] = [ActiveSetSolution(state.v, 0.0, 0)] * len(penalties)
    for i in order:
        before = state.passes
        while penalties[i] < RATIO * last and state.passes < limit:
            last *= RATIO
            state = _moved(state, squares, last)
            state.solve(last * level, limit)
        state = _moved(state, squares, penalties[i])
        result = state.solve(penalties[i] * level, limit)
        last = min(last, penalties[i])
        found[i] = result._replace(passes=state.passes - before)
    return found


def least_squares(problem: LassoProblem, limit: int) -> ActiveSetSolution:
    """The minimum without penalties of |v|: non-negative least squares where the problem is positive."""
    return ActiveSet(problem).solve(np.zeros(problem.size), limit)


def _at(problem: LassoProblem, squares: np.ndarray | None, penalty: float) -> LassoProblem:
    return problem if squares is None else problem.replaced(penalty * squares, problem.positive)


def _moved(state: ActiveSet, squares: np.ndarray | None, penalty: float) -> ActiveSet:
    return state if squares is None else state.continued(_at(state.problem, squares, penalty))


def _nothing(problem: LassoProblem, level: np.ndarray) -> float:
    """The smallest penalty at which every weight is zero."""
    used = level > 0
    steep = problem.steepness(problem.correlation[used])
    return max(float(np.max(steep / level[used], initial=0.0)), 0.0)
