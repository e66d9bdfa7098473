r"""What sampled labels tell: numbers that do not depend on the names of components, and one name for each component.

Together     P(z_n = z_m | X) ≈ share of the draws in which both rows have one label          (FCML §6.3.9)
Binder loss  Σ_nm |1[z_n = z_m] − P(z_n = z_m)|: the sampled clustering that has the least of it is the summary
Names        of each draw: the permutation that agrees with the summary on most rows (Hungarian method)
Relabelled   components are in the order of their size in the summary
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.special import entr

from suffice.engine import parallel
from suffice.inference import Samples
from suffice.mixtures._gibbs.problem import loops_for
from suffice.mixtures._gibbs.sampler import Chain

CANDIDATES = 500  # draws that are compared with each other
ROWS = 64  # of a block of the matrix of shared labels
NAMES = ("log_joint", "occupied", "entropy", "largest")


def evenly(n: int, most: int) -> np.ndarray:
    """At most so many of n positions, evenly spaced, the last among them."""
    return np.unique(np.linspace(n - 1, 0, min(n, most)).round().astype(int))


# -- numbers that names do not change -----------------------------------------------------------------
def scalars(chains: list[Chain], n_components: int) -> Samples:
    """Log joint probability, occupied components, entropy of their shares, and the largest share, of every draw."""
    draws = []
    for chain in chains:
        shares = counts_of(chain.labels, n_components) / chain.labels.shape[1]
        columns = (chain.log_joint, (shares > 0).sum(axis=1), entr(shares).sum(axis=1), shares.max(axis=1))
        draws.append(np.column_stack(columns))
    joint = np.array([chain.log_joint for chain in chains])
    return Samples(np.array(draws), NAMES, joint, how="collapsed Gibbs")


def counts_of(labels: np.ndarray, n_components: int) -> np.ndarray:
    """Rows of each component in every draw, (S, K)."""
    return np.array([np.bincount(z, minlength=n_components) for z in labels])


def shares_together(labels: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """P(z_n = z_m) for n in `rows` and every m, from labels (draw, row); (R, N)."""
    across = np.ascontiguousarray(labels.T)
    out = np.empty((len(rows), len(across)), dtype=np.int64)
    count_together = loops_for(len(rows) * labels.size).count_together

    def block(a: int) -> None:
        count_together(across[rows[a : a + ROWS]], across, out[a : a + ROWS])

    parallel(block, range(0, len(rows), ROWS))
    return out / len(labels)


# -- one clustering -----------------------------------------------------------------------------------
def central(labels: np.ndarray, log_joint: np.ndarray, n_components: int) -> int:
    """The draw of the smallest Binder loss among evenly spaced ones; of equal ones the most probable.

    Σ_nm |A − P| of a clustering A is Σ A − 2 Σ A P and a constant, and Σ A P is a mean over the other clusterings.
    """
    some = evenly(len(labels), CANDIDATES)
    among = np.ascontiguousarray(labels[some])
    agreement = loops_for(len(some) * among.size).agreement
    blocks = np.array_split(np.arange(len(some)), min(len(some), 16))

    def block(which: np.ndarray) -> np.ndarray:
        out = np.empty(len(which))
        agreement(among, among[which], n_components, out)
        return out

    together = np.concatenate(parallel(block, blocks))
    pairs = np.square(counts_of(among, n_components)).sum(axis=1)
    loss = (len(some) * pairs - 2 * together).round()
    return int(some[np.lexsort((-log_joint[some], loss))[0]])


def relabelled(labels: np.ndarray, reference: np.ndarray, n_components: int) -> np.ndarray:
    """The same clusterings, each with the names that agree with the reference on most rows."""
    names = by_size(reference, n_components)[reference]
    return np.array([_renaming(z, names, n_components)[z] for z in labels], dtype=np.int16)


def by_size(labels: np.ndarray, n_components: int) -> np.ndarray:
    """New names of the components, the largest first."""
    order = np.argsort(-np.bincount(labels, minlength=n_components), kind="stable")
    return np.argsort(order)


def _renaming(labels: np.ndarray, names: np.ndarray, n_components: int) -> Any:
    codes = labels.astype(int) * n_components + names
    table = np.bincount(codes, minlength=n_components**2).reshape(n_components, -1)
    return linear_sum_assignment(table, maximize=True)[1]
