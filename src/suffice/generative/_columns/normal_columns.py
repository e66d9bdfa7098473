r"""Normal densities of single columns: what the naive Gaussian model computes below its shell.

With n, m and S = Σ w (x − m)² of a column in a class, the class without a row x of weight w has

    n' = n − w,    m' = m − (w/n') (x − m),    S' = S − (w n/n') (x − m)²

so that leaving a row out costs no more than reading it. A missing cell has w = 0 and takes no part in the product.
Standard deviations are kept in place of variances: they exist where squares of 1e200 overflow.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from scipy.special import gammaln

from suffice._core.errors import InvalidInput, NoInformation, RankDeficient, warn
from suffice._core.numerics import LOG_2PI
from suffice._core.records import record
from suffice.distributions import NormalGamma
from suffice.generative._normal.covariance import FLOOR, LEAST, share_within
from suffice.statistics.columns import ColumnMoments, gather_columns
from suffice.statistics.header import Header

CELLS = 1 << 15  # worked on at a time: they fit a cache
SMOOTHED = 1e-9  # scikit-learn's var_smoothing: more is a choice
MARGIN = 100.0  # above the least variance, where leaving a row out could bring a column down to it
ALONE = 1e-6  # share of the scatter below which a row left out is fitted anew


# -- from rows to moments of the classes -----------------------------------------------------------------
def gather_classes(
    header: Header, X: Any, weight: np.ndarray | None, codes: np.ndarray, n_classes: int
) -> tuple[ColumnMoments | None, ...]:
    """ClassMoments of the columns within each class, from rows sorted by class; None for a class without weight."""
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(n_classes + 1))

    def part(c: int) -> ColumnMoments | None:
        rows = order[ends[c] : ends[c + 1]]
        moments = gather_columns(header, X[rows], None if weight is None else weight[rows])
        return moments if moments.weight > 0 else None

    return tuple(map(part, range(n_classes)))


@record
class ClassMoments:
    """n, m and √S of the columns (D,) of several classes (C, D), and the same over all classes."""

    n: np.ndarray
    mean: np.ndarray
    norm: np.ndarray
    total: ColumnMoments
    held: np.ndarray  # whether a class has a cell of the column

    @classmethod
    def of(cls, parts: list[ColumnMoments]) -> ClassMoments:
        """A column without any cell in a class has there the moments of the whole column."""
        total = reduce(add, parts)
        n, mean, norm = (np.array([getattr(p, name) for p in parts]) for name in ("n", "mean", "norm"))
        empty = n == 0
        n, mean, norm = (
            np.where(empty, getattr(total, name), values)
            for name, values in (("n", n), ("mean", mean), ("norm", norm))
        )
        return cls(n, mean, norm, total, ~empty)

    def std(self, unbiased: bool) -> np.ndarray:
        """√(S / n), or √(S / (n − 1)); zero for a single row."""
        if unbiased and np.any((self.n <= 1) & (self.norm > 0)):
            raise InvalidInput(
                f"unbiased=True divides by the weight of a class less 1, and one has {self.n.min():g}. Weights count "
                "rows; rescale them, or choose unbiased=False."
            )
        return self.norm / np.sqrt(divisor(self.n, unbiased))

    @property
    def flat(self) -> np.ndarray:
        """Columns that do not vary in a class (C, D)."""
        return self.norm / np.sqrt(divisor(self.n, False)) <= np.sqrt(FLOOR) * self.total_std

    @property
    def nearly_flat(self) -> bool:
        """Whether a column varies so little in a class that without one row of any class it may not."""
        std = self.norm / np.sqrt(divisor(self.n, False))
        return bool(np.any((std <= np.sqrt(FLOOR * (1 + MARGIN)) * self.total_std) & (self.total_std > 0)))

    @property
    def std_if_flat(self) -> np.ndarray:
        """Standard deviations (C, D) for columns that do not vary in a class; one where they never do."""
        total, n = self.total_std, np.where(self.total.n > 0, self.total.n, 1.0)
        unit = np.where(total > 0, total, 1.0)  # squares of what is of order one do not overflow
        own = np.where(self.held, self.norm / unit, 0.0)
        within = np.square(own).sum(axis=0) / n
        share = np.where(
            within <= FLOOR, np.maximum(LEAST, 1 / (n + 1)), share_within(divisor(self.n, False)) * within
        )
        return np.where(total > 0, unit * np.sqrt(share), 1.0)

    @property
    def total_std(self) -> np.ndarray:
        """Over the rows of all classes, divisor n; zero for a column without cells."""
        return self.total.norm / np.sqrt(np.where(self.total.n > 0, self.total.n, 1.0))


def divisor(n: np.ndarray, unbiased: bool) -> np.ndarray:
    """n or n − 1, one where that is not positive."""
    n = n - 1 if unbiased else n
    return np.where(n > 0, n, 1.0)


def warn_empty(parts: list[ColumnMoments], labels: list[Any], names: tuple[str, ...]) -> None:
    """Say in which class a column has no cell, though it has some in others."""
    seen = np.max([p.n for p in parts], axis=0) > 0
    for label, part in zip(labels, parts, strict=True):
        empty = np.flatnonzero((part.n == 0) & seen)
        if len(empty):
            warn(
                f"In class {label!r} every cell of column {names[empty[0]]!r} is missing; the class has the density "
                "of the whole column there.",
                NoInformation,
            )


def with_floor(
    std: np.ndarray, moments: ClassMoments, labels: list[Any], names: tuple[str, ...], smoothed: bool
) -> np.ndarray:
    """Standard deviations; a share of that within all classes for columns that do not vary in one, with a warning.

    Where `smoothed`, enough is added to all of them. A column that never varies has one: it tells no classes apart.
    """
    total = moments.total_std
    flat = ((moments.flat & (not smoothed)) | (std == 0)) & (total > 0)
    if flat.any():
        c, j = np.argwhere(flat)[0].tolist()
        warn(
            f"In class {labels[c]!r} column {names[j]!r} does not vary, as in {int(flat.sum()) - 1} more cases; it has "
            "a share of its variance within the other classes there. Set var_smoothing or std_offset.",
            RankDeficient,
        )
    return np.where(flat, moments.std_if_flat, np.where((total > 0) | (std > 0), std, 1.0))


# -- densities ---------------------------------------------------------------------------------------------
def blocks(X: np.ndarray) -> Iterator[slice]:
    """Slices of rows with few enough cells."""
    step = max(CELLS // max(X.shape[1], 1), 16)
    return (slice(a, a + step) for a in range(0, len(X), step))


def log_normal(X: np.ndarray, mean: np.ndarray, std: np.ndarray) -> np.ndarray:
    """Σ_j log N(x_j | m_cj, s_cj²) over the cells that are there: (rows, classes)."""
    constant = -0.5 * LOG_2PI - np.log(std)
    out = np.empty((len(X), len(mean)))
    for cut in blocks(X):
        part = np.asarray(X[cut], dtype=float)
        there = ~np.isnan(part)
        whole = there.all()
        for c in range(len(mean)):
            z = part - mean[c]
            z /= std[c]
            if not whole:
                z[~there] = 0.0
            square = np.einsum("nd,nd->n", z, z)
            out[cut, c] = (constant[c].sum() if whole else there @ constant[c]) - 0.5 * square
    return out


def log_student(X: np.ndarray, belief: NormalGamma) -> np.ndarray:
    """Σ_j log of the Student-t predictive of each class and column, over the cells that are there."""
    dof, loc = 2 * belief.shape, belief.mean
    scale = np.sqrt(belief.rate * (belief.strength + 1) / (belief.shape * belief.strength))
    constant = gammaln((dof + 1) / 2) - gammaln(dof / 2) - 0.5 * np.log(dof * np.pi) - np.log(scale)
    out = np.empty((len(X), len(loc)))
    for cut in blocks(X):
        part = np.asarray(X[cut], dtype=float)
        there = ~np.isnan(part)
        for c in range(len(loc)):
            z = np.where(there, (part - loc[c]) / scale[c], 0.0)
            terms = constant[c] - 0.5 * (dof[c] + 1) * np.log1p(z**2 / dof[c])
            out[cut, c] = np.where(there, terms, 0.0).sum(axis=1)
    return out


# -- normal–gamma ------------------------------------------------------------------------------------------
def posterior(prior: NormalGamma, n: np.ndarray, mean: np.ndarray, norm: np.ndarray) -> NormalGamma:
    """The belief about each column of each class (C, D) after its cells; none leave the prior as it is."""
    strength = prior.strength + n
    gap = mean - prior.mean
    rate = prior.rate + 0.5 * (norm**2 + prior.strength * n / strength * gap**2)
    return NormalGamma(prior.mean + n / strength * gap, strength, prior.shape + n / 2, rate)


def log_evidence(prior: NormalGamma, after: NormalGamma, n: np.ndarray) -> float:
    """log p(X | y): over all classes and columns, the ratio of the normalizers."""
    terms = (
        gammaln(after.shape)
        - gammaln(prior.shape)
        + prior.shape * np.log(prior.rate)
        - after.shape * np.log(after.rate)
        + 0.5 * np.log(prior.strength / after.strength)
        - 0.5 * n * LOG_2PI
    )
    return float(np.sum(np.broadcast_to(terms, n.shape)))


# -- a row left out ----------------------------------------------------------------------------------------
@record
class Without:
    """Cells left out of columns: the distance to the mean, the scatter and the weight that remain, all (N, D)."""

    gap: np.ndarray
    norm: np.ndarray
    n: np.ndarray
    alone: np.ndarray

    @classmethod
    def of(cls, gap: np.ndarray, weight: np.ndarray, n: np.ndarray, norm: np.ndarray) -> Without:
        """From distances x − m to the mean with the cell; `alone` marks cells that take the scatter with them."""
        rest = n - weight
        gone = ~(rest > 0)
        safe = np.where(gone, 1.0, rest)
        lost = np.sqrt(weight * n / safe) * np.abs(gap)
        left = 1 - (np.divide(lost, norm, out=np.zeros_like(lost), where=norm > 0)) ** 2
        alone = (weight > 0) & (gone | (left < ALONE))
        return cls(n / safe * gap, norm * np.sqrt(np.where(alone, 1.0, left)), safe, alone)


def log_normal_left_out(
    X: np.ndarray,
    codes: np.ndarray,
    weight: np.ndarray,
    moments: ClassMoments,
    spread: Any,
    smoothing: float,
    unbiased: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """log p(x | c) of a block by the model without each row, and which rows must be refitted.

    `spread(std, floor)` is the standard deviation that the model uses, from that of a column and the root of what is
    added to all variances, itself `smoothing` times the largest standard deviation over all rows.
    """
    there = ~np.isnan(X)
    w = np.where(there, weight[:, None], 0.0)
    every = Without.of(np.where(there, X - moments.total.mean, 0.0), w, moments.total.n, moments.total.norm)
    floor = smoothing * (every.norm / np.sqrt(every.n)).max(axis=1, keepdims=True, initial=0.0)
    own = Without.of(np.where(there, X - moments.mean[codes], 0.0), w, moments.n[codes], moments.norm[codes])
    alone = (own.alone | every.alone).any(axis=1)
    if unbiased:
        alone |= ((own.n <= 1) & (w > 0)).any(axis=1)
    std, out = moments.std(unbiased), np.empty((len(X), len(moments.mean)))
    for c in range(len(moments.mean)):
        mine = (codes == c)[:, None]
        gap = np.where(mine, own.gap, X - moments.mean[c])
        scale = spread(np.where(mine, own.norm / np.sqrt(divisor(own.n, unbiased)), std[c]), floor)
        flat = (scale == 0) & there
        alone |= flat.any(axis=1)
        scale = np.where(scale == 0, 1.0, scale)
        terms = -0.5 * LOG_2PI - np.log(scale) - 0.5 * (gap / scale) ** 2
        out[:, c] = np.where(there, terms, 0.0).sum(axis=1)
    return out, alone
