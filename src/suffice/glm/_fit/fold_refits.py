r"""Many fits that are near each other, for less than one by one: all folds of all precisions, and rows left out.

One function, b (q,), and its columns D (N, q) in memory. Along the precisions each fit begins from the one before.

Passes that only precondition are in single precision (`SinglePrecision`); what settles an answer is not. Columns that
depend on each other, and are told apart by the prior, have no digits for that: then b are other coordinates (`apart`),
in which rows and prior share no direction.

folds    At about the mode of all rows, one pass tells the gram of every fold, hence that of its training rows. A
         Newton step leaves the fold out; then steps with that gram alone (gradients of all folds are two products with
         D) until they stand still. The answer is the one of a fit from scratch.
rows     One such step, in closed form for every row (approximate leave-one-out). At the mode of all rows it is

             a₋ᵢ = aᵢ − gᵢ hᵢ / (1 − vᵢ hᵢ),     hᵢ = dᵢᵀ (DᵀVD + prior)⁻¹ dᵢ
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from suffice._core.linalg import cross_products, eigh, inverse_of_triangle, try_cholesky
from suffice._core.records import record
from suffice.engine import Rows, parallel
from suffice.glm._fit.mode import lacks_digits
from suffice.glm._fit.pass_sums import SumsAt, row_weights, split
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._fit.root import MILD
from suffice.likelihoods import Likelihood
from suffice.statistics.folds import Partition

MOST = 8_000_000  # numbers of D that are held
STILL = 1e-8  # a step of this size leaves an error of about its square
LONG = 10.0  # a first step of this length is not too far
ROUNDS = 25
ENOUGH = 50  # rows per column that tell about where the mode is
AMID = 2.0  # times `still`: a step of this length with an older gram leaves less than `still`
AT_ONCE = 64  # folds whose gradients are computed at once
PIECE = 8_192
BARE = 1e-14  # of unit columns: a direction that neither rows nor prior determine
LANES = 16  # numbers that are multiplied at once; columns are filled up to as many


class SinglePrecision:
    """Rows in single precision, which is enough to precondition: looks cost half."""

    def __init__(
        self, likelihood: Likelihood, columns: np.ndarray, y: np.ndarray, *others: np.ndarray | None
    ) -> None:
        self.likelihood, self.columns = likelihood, columns  # (N, q), filled up to lanes
        self.y = y.astype(np.float32)
        self.offset, self.weight = (None if o is None else o.astype(np.float32) for o in others)

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, rows: slice) -> SinglePrecision:
        others = (None if o is None else o[rows] for o in (self.offset, self.weight))
        return SinglePrecision(
            self.likelihood, np.ascontiguousarray(self.columns[rows]), self.y[rows], *others
        )

    def terms(self, b: np.ndarray, rows: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """a, and the weighted gradient and curvature, of some rows."""
        wide = np.zeros(self.columns.shape[1], dtype=np.float32)
        wide[: len(b)] = b
        a = self.columns[rows] @ wide
        if self.offset is not None:
            a += self.offset[rows]
        with np.errstate(over="ignore"):  # what is infinite here is fitted from scratch
            g, v = self.likelihood.bends(self.y[rows], a)
        v = np.maximum(v, 0.0)
        if self.weight is None:
            return a, g, v
        w = self.weight[rows]
        return a, np.where(w > 0, g, 0.0) * w, np.where(w > 0, v, 0.0) * w

    def sums(self, b: np.ndarray, rows: slice) -> tuple[np.ndarray, np.ndarray, float]:
        """The gram, the gradient and the total curvature of some rows at b."""
        _, g, v = self.terms(b, rows)
        D, q = self.columns[rows], len(b)
        scaled = D * np.sqrt(v).astype(np.float32)[:, None]
        gram = np.dot(scaled.T, scaled)[:q, :q].astype(float)
        return gram, np.dot(g.astype(np.float32), D)[:q].astype(float), float(v.sum(dtype=float))

    def all_rows(self, b: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        parts = [self.sums(b, slice(a, a + PIECE)) for a in range(0, len(self), PIECE)]
        grams, gradients, bends = zip(*parts, strict=True)
        return np.sum(grams, axis=0), np.sum(gradients, axis=0), float(np.sum(bends))

    def gradient(self, b: np.ndarray) -> np.ndarray:
        """The gradient alone."""
        out = np.zeros(len(b))
        for start in range(0, len(self), PIECE):
            at = slice(start, start + PIECE)
            g = self.terms(b, at)[1].astype(np.float32)
            out += np.dot(g, self.columns[at])[: len(b)]
        return out


class FoldRows:
    """Rows in the order of their folds, and everything about them that fits share.

    D is held row by row, and a and its derivatives one fit after the other: products and sums are then over numbers
    that lie side by side.
    """

    def __init__(
        self,
        problem: LinkProblem,
        rows: Rows,
        folds: Partition,
        class_weight: np.ndarray | None,
    ) -> None:
        self.folds, self.likelihood = folds, problem.plan.likelihood
        if np.any(np.diff(folds.order) < 0):
            rows = rows[folds.order]
        self.y, self.offset = split(rows.Y)
        self.weight = row_weights(rows, SumsAt(np.zeros(0), class_weight=class_weight))
        design, (n, q) = problem.plan.design, (len(rows), problem.free.shape[1])
        self.D = np.empty((n, q))
        columns = np.zeros((n, _lanes(q)), dtype=np.float32)

        def fill(start: int) -> None:
            at = slice(start, start + PIECE)
            z = design(rows.X[at])
            self.D[at] = z if problem.whole else z @ problem.free

        def narrow(start: int) -> None:
            at = slice(start, start + PIECE)
            if self.turn is not None:
                self.D[at] = self.D[at] @ self.turn
            columns[at, :q] = self.D[at]

        parallel(fill, range(0, n, PIECE))
        self.turn = self._apart(problem)
        parallel(narrow, range(0, n, PIECE))
        self.single = SinglePrecision(self.likelihood, columns, self.y, self.offset, self.weight)

    def __len__(self) -> int:
        return len(self.D)

    def _apart(self, problem: LinkProblem) -> np.ndarray | None:
        """Other coordinates, where the columns of a sample of the rows are not mild."""
        n, q = self.D.shape
        if _whitening(self._scatter(slice(None, None, max(1, n // (ENOUGH * q))))) is not None:
            return None
        pieces = [slice(a, a + PIECE) for a in range(0, n, PIECE)]
        return apart(np.sum(parallel(self._scatter, pieces), axis=0), PriorGradient.of(problem).curvature)

    def _scatter(self, some: slice) -> np.ndarray:
        """Σ w d dᵀ of some rows."""
        D = self.D[some]
        return cross_products(D if self.weight is None else D * np.sqrt(self.weight[some])[:, None])

    def parameters(self, B: np.ndarray) -> np.ndarray:
        """Parameters of the problem, of those of these columns."""
        return B if self.turn is None else self.turn @ B

    def coordinates(self, b: np.ndarray) -> np.ndarray:
        """Those of these columns, of parameters of the problem."""
        return b if self.turn is None else np.linalg.solve(self.turn, b)

    def inflation(self, H: np.ndarray, W: np.ndarray) -> float:
        """The largest variance of a parameter of the problem times its own curvature, of H = (W Wᵀ)⁻¹ here."""
        if self.turn is None:
            return 1.0
        back = self.coordinates(np.eye(len(H)))
        alone = np.einsum("ij,ij->j", back, H @ back)
        return float(np.max(alone * np.square(self.turn @ W).sum(axis=1)))

    def prior_of(self, problem: LinkProblem) -> PriorGradient:
        """The prior of a problem in these coordinates."""
        prior = PriorGradient.of(problem)
        return prior if self.turn is None else replace(prior, root=prior.root @ self.turn)

    def values(self, B: np.ndarray, rows: slice = slice(None)) -> np.ndarray:
        """a of some rows (F, n) for several b (q, F)."""
        a = (self.D[rows] @ B[:, 0])[None] if B.shape[1] == 1 else np.dot(B.T, self.D[rows].T)
        return a if self.offset is None else a + self.offset[rows]

    def gradients(self, B: np.ndarray, left_out: Sequence[int]) -> np.ndarray:
        """Gradients (q, F) at the columns of B, each without its fold."""
        out = np.zeros(B.shape)
        for a in range(0, len(self), PIECE):
            rows = slice(a, a + PIECE)
            g = self.likelihood.gradient(self.y[rows], self.values(B, rows))
            if self.weight is not None:
                g = np.where(self.weight[rows] > 0, g, 0.0) * self.weight[rows]
            for j, i in enumerate(left_out):
                start, stop = self.folds.starts[i] - a, self.folds.starts[i + 1] - a
                g[j, max(start, 0) : max(stop, 0)] = 0.0
            out += np.dot(g, self.D[rows]).T
        return out

    def by_fold(self, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Grams (F, q, q) and gradients (F, q) of every fold at b, roughly."""
        parts = [self.single.sums(b, slice(*ends)) for ends in pairwise(self.folds.starts.tolist())]
        grams, gradients, _ = zip(*parts, strict=True)
        return np.stack(grams), np.stack(gradients)


def apart(scatter: np.ndarray, curvature: np.ndarray) -> np.ndarray | None:
    """T that makes the scatter of rows and the curvature of the prior diagonal, hence any sum of multiples of both.

    Columns of T have length one, so that steps are no shorter than those of the parameters. None where neither rows nor
    prior determine a direction.
    """
    H = scatter + curvature
    size = np.sqrt(np.maximum(np.diagonal(H), 0.0))
    if not np.all((size > 0) & np.isfinite(size)):
        return None
    values, vectors = eigh(H / size / size[:, None])
    if not values[0] > BARE * values[-1]:
        return None
    white = vectors / np.sqrt(values) / size[:, None]
    turn = white @ eigh(white.T @ curvature @ white)[1]
    return turn / np.abs(turn).sum(axis=0)


# -- one precision --------------------------------------------------------------------------------------------
@record
class PriorGradient:
    """The prior of one precision: curvature (q, q) and gradient at b."""

    root: np.ndarray
    place: np.ndarray

    @classmethod
    def of(cls, problem: LinkProblem) -> PriorGradient:
        return cls(problem.root, problem.prior.place)

    @property
    def curvature(self) -> np.ndarray:
        return self.root.T @ self.root

    def times(self, other: PriorGradient) -> float:
        """The factor by which this prior is tighter; those of one model differ by nothing else."""
        size = float(np.vdot(other.root, other.root))
        return float(np.vdot(self.root, self.root)) / size if size > 0 else 1.0

    def __call__(self, B: np.ndarray) -> np.ndarray:
        """−∂ log p / ∂b for the columns of B."""
        return self.root.T @ (self.root @ B - self.place[:, None])


@record
class NearMode:
    """About the mode of all rows: b, the gradient of the rows there, and their gram at a place not far from it."""

    b: np.ndarray
    gradient: np.ndarray
    gram: np.ndarray
    gram_at: np.ndarray
    curvature: float

    def predicted(self, prior: PriorGradient) -> np.ndarray:
        """b under another prior, by a step that looks at no row."""
        W = _whitening(self.gram + prior.curvature)
        return self.b if W is None else self.b + W @ (W.T @ (self.gradient - prior(self.b[:, None])[:, 0]))

    def away(self, b: np.ndarray) -> float:
        """How far a is at b from where the gram was seen: the root of its mean square."""
        return _length(b - self.gram_at, self.gram, self.curvature)


def _length(step: np.ndarray, gram: np.ndarray, curvature: float) -> float:
    """The root mean square of D step, rows counted by their curvature."""
    return float(np.sqrt(max(step @ gram @ step, 0.0) / max(curvature, np.finfo(float).tiny)))


def mode_of_all(
    rows: SinglePrecision, prior: PriorGradient, b: np.ndarray, still: float, last: NearMode | None = None
) -> NearMode | None:
    """Newton's steps until one moves a by `still`, which leaves its square; None where they do not get shorter.

    The gram of the `last` place preconditions as far as it can: such passes sum the gradient alone.
    """
    if last is not None:
        b = _with_old_gram(rows, prior, b, last, AMID * still)
    before = np.inf
    for _ in range(ROUNDS):
        gram, gradient, curvature = rows.all_rows(b)
        W = _whitening(gram + prior.curvature)
        if W is None:
            return None
        step = W @ (W.T @ (gradient - prior(b[:, None])[:, 0]))
        size = _length(step, gram, curvature)
        if not size < max(before, LONG):
            return None
        gram_at, b, before = b, b + step, size
        if size <= still:
            return NearMode(b, prior(b[:, None])[:, 0], gram, gram_at, curvature)
    return None


def mode_of_sample(
    rows: SinglePrecision, prior: PriorGradient, b: np.ndarray, still: float
) -> NearMode | None:
    """The place that every so-manyth row leads to, with their gram times their share; None for few rows."""
    every = len(rows) // (ENOUGH * len(b))
    if every < 2:
        return None
    share = 1 / np.sqrt(every)
    near = mode_of_all(rows[::every], PriorGradient(share * prior.root, share * prior.place), b, still)
    if near is None:
        return None
    return replace(
        near, gradient=every * near.gradient, gram=every * near.gram, curvature=every * near.curvature
    )


def _with_old_gram(
    rows: SinglePrecision, prior: PriorGradient, b: np.ndarray, last: NearMode, still: float
) -> np.ndarray:
    """b after steps with the gram of another place, while they get shorter."""
    W = _whitening(last.gram + prior.curvature)
    before = np.inf
    while W is not None:
        step = W @ (W.T @ (rows.gradient(b) - prior(b[:, None])[:, 0]))
        size = _length(step, last.gram, last.curvature)
        if not size < 0.5 * before:
            break
        b, before = b + step, size
        if size <= still:
            break
    return b


def values_without(rows: FoldRows, B: np.ndarray) -> np.ndarray:
    """a of every row by the model without its fold, in the order of the folds."""
    ends = list(pairwise(rows.folds.starts.tolist()))
    return np.concatenate([rows.values(B[:, [i]], slice(*e))[0] for i, e in enumerate(ends)])


def without_folds(
    rows: FoldRows, priors: Sequence[PriorGradient], b: np.ndarray
) -> tuple[np.ndarray, set[int]]:
    """b (q, F) of the training rows of every fold, and the folds that did not settle; b is the mode of all.

    Each fold has a prior of its own (they differ where it is in units of the training rows' spread), or all share one.
    """
    grams, gradients = rows.by_fold(b)
    every = list(priors) if len(priors) > 1 else list(priors) * len(rows.folds)
    total, gradient = grams.sum(axis=0), gradients.sum(axis=0)
    out, failed = np.empty((len(b), len(rows.folds))), set()
    for first in range(0, len(rows.folds), AT_ONCE):
        some = list(range(first, min(first + AT_ONCE, len(rows.folds))))
        whitenings = [_with_digits(rows, total - grams[i] + every[i].curvature, b) for i in some]
        usable = [i for i, W in zip(some, whitenings, strict=True) if W is not None]
        failed |= set(some) - set(usable)
        if not usable:
            continue
        inverses = np.stack([W @ W.T for W in whitenings if W is not None])
        held = np.stack([every[i](b[:, None])[:, 0] for i in usable])
        steps = np.einsum("fij,fj->if", inverses, gradient - gradients[usable] - held)
        B, left = _settled(rows, every, b[:, None] + steps, inverses, usable)
        out[:, usable] = B
        failed |= {usable[j] for j in left}
    return out, failed


def _with_digits(rows: FoldRows, H: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """As `_whitening`; None too where few digits of the weights are left, which a fit of its own will say."""
    W = _whitening(H)
    return None if W is None or lacks_digits(rows.inflation(H, W), rows.parameters(b[:, None])) else W


def _settled(
    rows: FoldRows,
    priors: Sequence[PriorGradient],
    B: np.ndarray,
    inverses: np.ndarray,
    left_out: Sequence[int],
    still: float = STILL,
) -> tuple[np.ndarray, set[int]]:
    """Steps with fixed curvatures until they stand still; and which columns do not."""
    B = B.copy()
    active, before = np.arange(B.shape[1]), np.full(B.shape[1], np.inf)
    last, moved = np.zeros_like(B), np.zeros_like(B)
    for turn in range(ROUNDS):
        part = B[:, active]
        folds = [left_out[j] for j in active.tolist()]
        G = rows.gradients(part, folds) - np.hstack([priors[i](part[:, [j]]) for j, i in enumerate(folds)])
        steps = np.einsum("fij,jf->if", inverses[active], G)
        size = np.abs(steps).sum(axis=0)
        moves = steps - _overshoot(steps, last[:, active], moved[:, active]) if turn else steps
        B[:, active] += moves
        last[:, active], moved[:, active] = steps, moves
        going = ~(size <= still)
        stuck = going & ~(size < 0.5 * before[active])  # not getting closer: a fit of its own will tell why
        before[active] = size
        active = active[going]
        if stuck.any() or not len(active):
            break
    return B, set(active.tolist())


def _overshoot(steps: np.ndarray, last: np.ndarray, moved: np.ndarray) -> np.ndarray:
    """What the change of the last step foretells of this one (Anderson's mixing of two)."""
    change = steps - last
    length = np.sum(change * change, axis=0)
    share = np.divide(np.sum(steps * change, axis=0), length, out=np.zeros(len(length)), where=length > 0)
    return share * (moved + change)


def rows_left_out(
    rows: FoldRows, near: Sequence[tuple[NearMode, PriorGradient]]
) -> list[tuple[np.ndarray, np.ndarray]] | None:
    """a₋ᵢ of every row, in the order of the folds, and its leverage v h, under each of several priors.

    The priors differ by a factor, and the gram was seen once for all of them, at b₀. From there the step of the model
    without row i, in closed form, is dᵢᵀ(b − b₀) of all rows and what the row takes with it:

        a₋ᵢ = a₀ᵢ + (dᵢᵀ(b − b₀) − gᵢ hᵢ) / (1 − vᵢ hᵢ) = aᵢ + (vᵢ hᵢ (aᵢ − a₀ᵢ) − gᵢ hᵢ) / (1 − vᵢ hᵢ)

    One decomposition gives h for every factor c: with U of U Uᵀ = (gram + P)⁻¹ that makes Uᵀ P U = diag(λ),

        h = Σₖ (dᵀuₖ)² / (1 + (c − 1) λₖ)

    None where columns depend on each other.
    """
    first, prior = near[0]
    W = _whitening(first.gram + prior.curvature)
    if W is None:
        return None
    rates, turn = np.linalg.eigh(W.T @ prior.curvature @ W)
    shares = 1 + np.outer(rates, [other.times(prior) - 1 for _, other in near])  # (q, K)
    of_rows = np.abs(1 - rates)[:, None]  # what the prior alone determines takes nothing from a row
    if not (shares.min(initial=1.0) > 0 and np.all(of_rows < MILD * shares)):
        return None
    width, q = rows.single.columns.shape[1], len(W)
    white, spread = np.zeros((width, width), np.float32), np.zeros((width, _lanes(len(near))), np.float32)
    white[:q, :q] = W @ turn
    spread[:q, : len(near)] = 1 / shares
    B = np.stack([at.b for at, _ in near], axis=1)
    values, leverage = np.empty((2, len(near), len(rows)))
    for start in range(0, len(rows), PIECE):
        at = slice(start, start + PIECE)
        a, g, v = (term.astype(float) for term in rows.single.terms(first.gram_at, at))
        Y = np.dot(rows.single.columns[at], white)
        h = np.einsum("nq,nq->n", Y, Y)[:, None] if len(near) == 1 else np.dot(np.square(Y, out=Y), spread)
        h = np.ascontiguousarray(h[:, : len(near)].T, dtype=float)
        A = rows.values(B, at)
        vh = np.minimum(v * h, 1 - 1e-6, out=leverage[:, at])
        np.add(A, (vh * (A - a) - g * h) / (1 - vh), out=values[:, at])
    return list(zip(values, leverage, strict=True))


def _lanes(n: int) -> int:
    return -(-n // LANES) * LANES


def _whitening(H: np.ndarray) -> np.ndarray | None:
    """W with W Wᵀ = H⁻¹; None where the columns of H are not mild."""
    size = np.sqrt(np.maximum(np.diagonal(H), 0.0))
    if not np.all((size > 0) & np.isfinite(size)):
        return None
    L, found = try_cholesky((H / size / size[:, None])[None])
    if not found[0]:
        return None
    inverse = inverse_of_triangle(L[0])
    return None if np.square(inverse).sum(axis=0).max(initial=0.0) > MILD else inverse.T / size[:, None]
