"""From counts of the values of all columns, in one vector per class, to smoothed shares and their evidence."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln

from suffice._core.errors import AtBound, InvalidInput, InvalidParameter, warn
from suffice.distributions import Beta, Dirichlet
from suffice.generative._columns.code_counts import columns_of, starts

LEAST = 1e-10  # the smallest α without `force_alpha`, as in scikit-learn


def least_sizes(min_categories: Any, d: int) -> np.ndarray:
    """`min_categories` of each column; zero where nothing is asked for."""
    if min_categories is None:
        return np.zeros(d, dtype=np.intp)
    least = np.asarray(min_categories)
    if least.dtype.kind not in "iu" or np.any(least < 1):
        raise InvalidParameter(
            f"'min_categories' should have integral type and be 1 or more; got {min_categories!r}."
        )
    if least.ndim and least.shape != (d,):
        raise InvalidParameter(f"'min_categories' should have shape ({d},); got {least.shape}.")
    return np.broadcast_to(least, (d,))


def smoothing(alpha: Any, force: bool, d: int) -> np.ndarray:
    """α of each column."""
    alpha = np.asarray(alpha, dtype=float)
    if alpha.ndim and alpha.shape != (d,):
        raise InvalidParameter(
            f"alpha must be a number or have one entry per column, {d}; got shape {alpha.shape}."
        )
    if np.any(alpha < LEAST) and not force:
        warn(
            f"alpha too small will result in numeric errors, setting alpha = {LEAST:.1e}; it was {alpha.min():g}. "
            "force_alpha=True keeps it as it is.",
            AtBound,
        )
        alpha = np.maximum(alpha, LEAST)
    return np.broadcast_to(alpha, (d,))


def first_empty(smoothed: np.ndarray, sizes: np.ndarray, present: np.ndarray) -> tuple[int, int] | None:
    """The first class with rows, and its first column, that has no count at all."""
    none = (np.add.reduceat(smoothed, starts(sizes), axis=1) == 0) & present[:, None]
    return tuple(np.argwhere(none)[0].tolist()) if none.any() else None


def with_shares(smoothed: np.ndarray, counts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Where a class has no count in a column, those of all classes; ones where there are none either."""
    column, begin = columns_of(sizes), starts(sizes)
    none = np.add.reduceat(smoothed, begin, axis=1) == 0
    whole = counts.sum(axis=0)
    whole = np.where(np.add.reduceat(whole, begin)[column] > 0, whole, 1.0)
    return np.where(none[:, column], whole, smoothed)


def log_shares(smoothed: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Logarithms of counts over the total of their column; of equal shares for a class without rows."""
    total = np.add.reduceat(smoothed, starts(sizes), axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(smoothed) - np.log(total)[:, columns_of(sizes)]
    return np.where(np.isnan(logs), -np.log(sizes)[columns_of(sizes)], logs)


# -- priors ----------------------------------------------------------------------------------------------
def pseudo_counts(prior: Any, names: tuple[str, ...]) -> tuple[np.ndarray, ...]:
    """What a Dirichlet (or a Beta, of the value 1) adds to the counts of each column."""
    each = list(prior) if isinstance(prior, tuple | list) else [prior] * len(names)
    if len(each) != len(names):
        raise InvalidParameter(
            f"prior must be one for all columns or {len(names)}, one each; got {len(each)}."
        )
    return tuple(_added(p) for p in each)


def _added(prior: Any) -> np.ndarray:
    if isinstance(prior, Beta) and prior.batch_shape == ():
        return np.array([prior.b, prior.a], dtype=float)
    if isinstance(prior, Dirichlet) and prior.batch_shape == ():
        return np.array(prior.alpha, dtype=float)
    raise InvalidParameter(f"prior must be a Dirichlet or a Beta, or one per column; got {prior!r:.80}.")


def sizes_of_prior(prior: Any, seen: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """The number of values that a prior gives each column; more than that must not have been seen."""
    given = np.array([len(a) for a in pseudo_counts(prior, names)])
    if np.any(seen > given):
        j = int(np.argmax(seen > given))
        raise InvalidInput(
            f"Column {names[j]!r} has the value {int(seen[j]) - 1}, but prior has {int(given[j])} values there."
        )
    return given


def log_evidence(counts: np.ndarray, prior: np.ndarray) -> float:
    """Σ_c log ∫ Π_v θ_v^n_cv Dir(θ | a) dθ of one column."""
    after = counts + prior
    values = np.sum(gammaln(after) - gammaln(prior), axis=1)
    return float(np.sum(values + gammaln(prior.sum()) - gammaln(after.sum(axis=1))))


# -- a row left out ----------------------------------------------------------------------------------------
def own_left_out(
    X: np.ndarray, y: np.ndarray, w: np.ndarray, tables: Any, added: list[np.ndarray], least: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """log p(x | c) of each row in its own class without it; and rows that change more than a count.

    `tables` are the counts of the values of each column (C, K_j), `added` what smoothing adds to them, `least` the
    numbers of values that columns have in any case.
    """
    own, alone = np.zeros(len(X)), np.zeros(len(X), dtype=bool)
    for j, (counts, plus) in enumerate(zip(tables, added, strict=True)):
        v = X[:, j]
        there = (v >= 0) & (v < len(plus))
        safe = np.where(there, v, 0)
        above = np.maximum(counts[y, safe] - w, 0.0) + plus[safe]
        below = np.maximum(counts.sum(axis=1)[y] - w, 0.0) + plus.sum()
        alone |= there & ~(below > 0)
        if len(plus) > least[j]:  # the largest value may go with the row
            alone |= (v == len(plus) - 1) & (w > 0) & ~(counts.sum(axis=0)[-1] - w > 0)
        alone |= (v >= len(plus)) & (w == 0)  # a value that only rows of weight zero have
        with np.errstate(divide="ignore", invalid="ignore"):
            own += np.where(there, np.log(above) - np.log(below), 0.0)
    return np.where(alone, 0.0, own), alone
