r"""A normal density over the weights as a quadratic form: a penalty, or a prior with all its constants.

    log p(θ) = −½ Σ_kl P_kl (R (θ_k − m))ᵀ (R (θ_l − m)) + constant

θ_k = (value at a center, weights) of function k on the raw columns; the center is the origin, so that the value is the
intercept, or the mean of the columns; rows of R are what is held near R m. P ties functions
together: the symmetric softmax has Σ_c w_c = 0 and the penalty Σ_c ‖w_c‖², which for w_c less that of the last class is
P = I − 11ᵀ/C.
"""

from __future__ import annotations

import numpy as np

from suffice._core.linalg import cholesky, solve_triangle
from suffice._core.numerics import LOG_2PI
from suffice._core.records import frozen_array, record


@record
class RawColumns:
    """What a prior knows about the rows: standard deviations of the raw columns, as a rule one, and where columns of a
    plan have their means. Powers have means of 10²⁰, whose rounding would pass for a column: there it is of order one.

    None for the origin in place of the means.
    """

    spread: np.ndarray
    center: np.ndarray | None = None

    @classmethod
    def plain(cls, d: int) -> RawColumns:
        return cls(frozen_array(np.ones(d)))

    def terms(self, intercept: bool, scaling: float = 1.0) -> np.ndarray:
        """Rows that turn θ into the parameters that have a prior: the weights of columns in units of their spread, and
        before them the value at their mean, in units of `scaling`."""
        out = np.diag(np.concatenate([[1 / scaling], self.spread]))
        return out if intercept else out[1:]


@record
class Prior:
    """R (r, 1 + d), R m (r,), P (K, K), the center, and the constant of the density (zero for a penalty)."""

    root: np.ndarray
    place: np.ndarray
    between: np.ndarray
    log_constant: float = 0.0
    center: np.ndarray | None = None

    @classmethod
    def penalty(
        cls,
        precision: float,
        columns: RawColumns,
        intercept: bool,
        between: np.ndarray | None = None,
        scaling: float = 1.0,
    ) -> Prior:
        """The same precision for every weight, and for the constant in units of `scaling`, about zero."""
        root = np.sqrt(precision) * columns.terms(intercept, scaling)
        root = root if precision > 0 else root[:0]
        between = np.eye(1) if between is None else between
        place = np.zeros(len(root))
        return cls(frozen_array(root), frozen_array(place), frozen_array(between), center=columns.center)

    @classmethod
    def normal(
        cls, precision: float, mean: np.ndarray, cov: np.ndarray, columns: RawColumns, intercept: bool
    ) -> Prior:
        """N(mean, cov / precision) for one function, with its constant; `intercept` says whether it comes first."""
        L = cholesky(cov, "prior_cov")
        whiten = np.sqrt(precision) * solve_triangle(L, np.eye(len(cov)), lower=True)
        constant = float(np.log(np.diagonal(whiten)).sum()) - 0.5 * len(cov) * LOG_2PI
        root = whiten @ columns.terms(intercept)
        one = frozen_array(np.eye(1))
        return cls(frozen_array(root), frozen_array(whiten @ mean), one, constant, columns.center)


def symmetric(n_classes: int) -> np.ndarray:
    """P of the softmax whose weights sum to zero over classes, told by differences from the last class."""
    k = n_classes - 1
    return np.eye(k) - np.full((k, k), 1 / n_classes)
