r"""One precision per weight by maximizing the evidence, exactly one at a time (Tipping and Faul's idea).

With α_i = β λ_i and β at its best value for the λ, the evidence of y = A w + noise is

    L(λ) = −½ log |C| − ½ n log E,   C = I + Σ a_i a_iᵀ/λ_i,   E = yᵀ C⁻¹ y,   β = n/E

One λ_i enters through s = a_iᵀC₋ᵢ⁻¹a_i and ρ = (a_iᵀC₋ᵢ⁻¹y)²/s alone. In terms of v = s/(λ_i + s), the share of the
weight that the data determine, its part is ½ log(1 − v) − ½ n log(1 − v ρ/E₋ᵢ), which is largest at

    v = (n ρ − E₋ᵢ) / ((n − 1) ρ)     or at v = 0, λ_i = ∞, where that is negative: the weight is pruned.

(For a known β: v = 1 − 1/(β ρ).) So no step can lower the evidence. All s and ρ are read from one symmetric tableau,
the Gram matrix of [A, y] swept on the relevant columns; adding, changing and deleting a weight is an update of
rank one. Newton's method in log λ finishes, and a QR factorization gives the final numbers.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from suffice._core.linalg import eigh, qr_factor, solve_triangle
from suffice._core.records import record
from suffice.linear._solvers.tableau import Tableau, TableauProblem, log_evidence

SMALL_GAIN = 1e-6
REFRESH = 100  # steps between factorizations
LONGEST = 200  # single steps before Newton's method has its turn


@record
class Relevance:
    """λ by column (inf where pruned), E, the log evidence after each stage, and how the search ended.

    `lost` is the log evidence that pruning for good has cost.
    """

    ratios: np.ndarray
    energy: float
    log_evidences: np.ndarray
    steps: int
    converged: bool
    exact: bool
    lost: float = 0.0


def find(p: TableauProblem, max_iter: int, most: float) -> Relevance:
    """The maximum with all λ_i below `most` or infinite: what exceeds it is pruned for good, the rest found anew."""
    free = found = search(p, max_iter, np.full(p.A.shape[1], np.inf), np.zeros(p.A.shape[1], dtype=bool))
    banned = excessive(found, most)
    while excessive(found, most).any() and found.steps < max_iter:
        banned |= excessive(found, most)
        found = search(p, max_iter, np.where(banned, np.inf, found.ratios), banned, found.steps)
    return replace(found, lost=max(0.0, float(free.log_evidences[-1] - found.log_evidences[-1])))


def excessive(found: Relevance, most: float) -> np.ndarray:
    return np.isfinite(found.ratios) & (found.ratios > most)


def search(
    p: TableauProblem, max_iter: int, start: np.ndarray, banned: np.ndarray, steps: int = 0
) -> Relevance:
    """Greedy single steps, the best first, and Newton's method over the relevant ones, until nothing gains."""
    table = Tableau(p, start, banned)
    log_evidences, converged = [table.log_evidence], False
    while steps < max_iter and not converged and not table.exact:
        before = table.active
        used = single_changes(table, min(max_iter - steps, LONGEST))
        table.ratios = newton(p, table.ratios)
        table.refresh()
        table.prune()
        steps += used + 1
        log_evidences.append(table.log_evidence)
        settled = (
            np.array_equal(before, table.active)
            and log_evidences[-1] - log_evidences[-2] <= 10 * table.rounding
        )
        converged = settled or bool(np.max(table.proposals()[1], initial=0.0) <= table.rounding)
    return Relevance(
        table.ratios, table.energy, np.array(log_evidences), steps, converged or table.exact, table.exact
    )


def single_changes(table: Tableau, most: int) -> int:
    """Changes of single λ while one gains more than a little, the best first; returns their number.

    The first may gain as little as it likes: after Newton's method only weights to add or to prune are left.
    """
    steps, enough = 0, table.rounding
    while steps < most and not table.exact:
        gain = table.proposals()[1]
        best = float(np.max(gain, initial=0.0))
        if best <= enough:
            break
        # of equals the first, whatever rounding says
        table.improve(int(np.argmax(gain >= best * (1 - 1e-9))))
        steps, enough = steps + 1, SMALL_GAIN
        if steps % REFRESH == 0:
            table.refresh()
    return steps


# -- all relevant weights at once -------------------------------------------------------------------------
@record
class ActivePosterior:
    """The active columns at one set of λ: posterior covariance and mean in units of the noise, E, and L."""

    cov: np.ndarray
    mean: np.ndarray
    energy: float
    log_evidence: float


def posterior_at(p: TableauProblem, A: np.ndarray, ratios: np.ndarray) -> ActivePosterior:
    m = len(ratios)
    top = np.column_stack([A, p.y])
    prior = np.column_stack([np.diag(np.sqrt(ratios)), np.zeros(m)])
    F = qr_factor(np.asfortranarray(np.vstack([top, prior])))
    root = solve_triangle(F[:m, :m], np.eye(m))
    energy = max(float(np.sum(F[m:, m] ** 2)) + p.left, p.floor)
    log_det = 2 * float(np.sum(np.log(np.abs(np.diagonal(F)[:m]))))
    evidence = log_evidence(p.n, p.noise_precision(energy), ratios, log_det, energy)
    return ActivePosterior(root @ root.T, root @ F[:m, m], energy, evidence)


def newton(p: TableauProblem, ratios: np.ndarray, most: int = 40) -> np.ndarray:
    """Newton's method in log λ of the relevant columns; steps that would lower the evidence are halved."""
    on = np.flatnonzero(np.isfinite(ratios))
    if not len(on):
        return ratios
    A, x = p.A[:, on], np.log(ratios[on])
    here = posterior_at(p, A, np.exp(x))
    for _ in range(most):
        step = newton_step(p, np.exp(x), here)
        there, size = posterior_at(p, A, np.exp(x + step)), 1.0
        while there.log_evidence < here.log_evidence - 1e-13 * (1 + abs(here.log_evidence)) and size > 1e-3:
            size /= 2
            there = posterior_at(p, A, np.exp(x + size * step))
        if there.log_evidence < here.log_evidence - 1e-13 * (1 + abs(here.log_evidence)):
            break
        x, here = x + size * step, there
        if np.max(np.abs(step)) < 1e-11:
            break
    out = ratios.copy()
    out[on] = np.exp(x)
    return out


def newton_step(p: TableauProblem, lam: np.ndarray, here: ActivePosterior) -> np.ndarray:
    """Newton's step from the exact derivatives of L in log λ, uphill also where L is not concave."""
    beta = p.noise_precision(here.energy)
    determined, pull = lam * np.diagonal(here.cov), beta * lam * here.mean**2
    g = 0.5 * (1 - determined - pull)
    both = np.multiply.outer(lam, lam) * here.cov
    H = 0.5 * both * here.cov + beta * both * np.multiply.outer(here.mean, here.mean)
    H -= 0.5 * np.diag(determined + pull)
    if p.beta is None:
        H += 0.5 * np.multiply.outer(pull, pull) / p.n
    values, V = eigh(H)
    step = V @ ((V.T @ g) / np.maximum(np.abs(values), 1e-10))
    return step * min(1.0, 3.0 / max(float(np.max(np.abs(step))), 1e-300))
