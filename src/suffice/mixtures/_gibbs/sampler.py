r"""Chains of labels by collapsed Gibbs sampling.

Pass         each row in turn:  p(z_n = k | rest) ∝ (n_k + α/K) p(x_n | rows of component k), both without row n
Then         two rows: split their component, or make one of both; Metropolis–Hastings with rows put one after the other
             into either half, each with its probability given those before (Dahl, 2005). One row at a time, a cluster
             of many would hardly ever divide
Start        each row with the nearest of K rows far from each other, drawn anew for every chain; rows in random order
Streams      every chain has random numbers of its own, one per row and pass: compiled or not, the labels are the same

Rank-one changes of the Cholesky factors go on for a block of passes; the next block begins from the labels alone, so
that rounding does not pile up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from suffice._core.records import record
from suffice.engine import parallel
from suffice.mixtures._gibbs.problem import GibbsProblem, Parts, loops_for

MOVES = 2  # splits or merges that are tried after a pass
PASSES, NUMBERS = 64, 1 << 22  # most passes, and most random numbers, of a block


@record
class DrawingPlan:
    """How many draws to keep of how many chains, every so-manyth pass, after a warm-up."""

    n_samples: int
    warmup: int
    n_chains: int
    thin: int


@record
class Chain:
    """Labels that were kept (draw, row), their log joint, and that of the warm-up."""

    labels: np.ndarray
    log_joint: np.ndarray
    before: np.ndarray


def sample_labels(
    problem: GibbsProblem,
    plan: DrawingPlan,
    rngs: list[np.random.Generator],
    tick: Callable[[], None] = lambda: None,
) -> list[Chain]:
    """One chain per generator, side by side."""

    def run(rng: np.random.Generator) -> Chain:
        chain = sample_chain(problem, plan, rng)
        tick()
        return chain

    return parallel(run, rngs)


def sample_chain(problem: GibbsProblem, plan: DrawingPlan, rng: np.random.Generator) -> Chain:
    rows = len(problem.X)
    order, labels = rng.permutation(rows), scattered(problem.X, problem.n_components, rng)
    steps = rows * (plan.warmup + plan.n_samples * plan.thin)
    early = [joint for _, joint in _blocks(problem, order, labels, plan.warmup, 1, rng, steps)]
    kept = list(_blocks(problem, order, labels, plan.n_samples, plan.thin, rng, steps))
    draws, joints = zip(*kept, strict=True)
    return Chain(np.concatenate(draws), np.concatenate(joints), np.concatenate([np.empty(0), *early]))


def scattered(X: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Labels by the nearest of up to n rows that were drawn with probability ∝ squared distance from those before."""
    labels, nearest = np.zeros(len(X), dtype=np.int16), np.full(len(X), np.inf)
    seed = int(rng.integers(len(X)))
    for k in range(n):
        square = np.sum((X - X[seed]) ** 2, axis=1)
        labels[square < nearest] = k
        nearest = np.minimum(nearest, square)
        if not nearest.any():
            break
        seed = int(rng.choice(len(X), p=nearest / nearest.sum()))
    return labels


def _blocks(
    problem: GibbsProblem,
    order: np.ndarray,
    labels: np.ndarray,
    n: int,
    thin: int,
    rng: np.random.Generator,
    steps: int,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """n labellings, `thin` passes apart, and their log joint, a block at a time; `labels` goes along."""
    rows, passes = len(order), n * thin
    width = rows + MOVES * (rows + 5)
    size = max(1, min(PASSES, NUMBERS // width))
    fixed = (problem.table, problem.strength, problem.dof, problem.n_components)
    for first in range(0, passes, size):
        out = np.empty((min(size, passes - first), rows), dtype=np.int16)
        loops_for(steps).passes(problem.X, order, labels, rng.random((len(out), width)), *fixed, out)
        kept = out[(np.arange(first, first + len(out)) + 1) % thin == 0]
        yield kept, problem.log_joint(Parts.of(problem, kept))
