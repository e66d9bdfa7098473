r"""Columns turned and stretched until their covariance is the identity (Herbst §2.3, §7.1 note 1).

pca        z = Λ^{−½} Uᵀ(x − μ)        with the covariance Σ = U Λ Uᵀ: axes of the ellipse, widest first
zca        z = U Λ^{−½} Uᵀ(x − μ)      of all whitenings the one whose columns stay nearest to the given ones
cholesky   z = L^{−1}(x − μ)           with Σ = L Lᵀ: column j without what the columns before it tell

All three are one matrix away from each other. With the triangle R of the centered columns, n Σ = RᵀR, and
R = P S Vᵀ, row vectors are whitened by √n R^{−1} (cholesky), √n R^{−1} P (pca) and √n R^{−1} P Vᵀ (zca): R solves in
the units of each column, and P and V only rotate, so columns of very different units cost no digits, which they
would if Σ was formed.

The divisor is n, as in `Standardizer`. A direction without spread is divided by 1, as a constant column is there.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal, Self, final

import numpy as np
from sklearn.utils.validation import _check_feature_names_in

from suffice._core.errors import IllConditioned, NotFinite, RankDeficient, check_choice, warn
from suffice._core.linalg import EPS, qr_factor, qr_pivoted, solve_triangle, svd
from suffice._core.records import estimator, frozen_array, record
from suffice._core.threads import one_blas_thread
from suffice._estimator import (
    check_is_fitted,
    check_not_empty,
    check_weight,
    open_inputs,
    open_table,
    refuse_nonfinite,
    remember_columns,
)
from suffice._estimator.tags import KeepsPrecision
from suffice.engine import Rows, reduce
from suffice.prepare.transforming._shells import Summing, open_outputs, refuse_sparse
from suffice.prepare.transforming.standardizer import _by_chunks
from suffice.statistics import Header, Layout, Triangle, gather
from suffice.statistics.dependence import scaled_condition
from suffice.statistics.lstsq import constant_columns
from suffice.tables.requiring import refuse_times_and_text

METHODS = ("pca", "zca", "cholesky")
STRETCHED = 1e9  # scaled condition
Maps = tuple[np.ndarray, np.ndarray]  # there and back


@record
class Whitening:
    """z = (x − center) matrix for row vectors, and x = z back + center."""

    center: np.ndarray
    matrix: np.ndarray
    back: np.ndarray

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """z in the precision of X."""
        return _by_chunks(X, lambda x: np.dot(x - self.center, self.matrix))

    def inverse(self, Z: np.ndarray) -> np.ndarray:
        """x in the precision of Z."""
        return _by_chunks(Z, lambda z: np.dot(z, self.back) + self.center)


def whitening(t: Triangle, method: str, dependent: np.ndarray) -> Whitening:
    """The map under which the rows of a triangle have the identity as covariance."""
    own, rest = np.flatnonzero(~dependent), np.flatnonzero(dependent)
    R = qr_factor(np.asfortranarray(t.factor[1:, 1 : 1 + t.n_columns][:, [*own, *rest]]))[: len(own)]
    R /= np.sqrt(t.n)
    there, back = _unmixed(R)
    if method != "cholesky":
        there, back = _rotated(R, there, back) if method == "pca" else _symmetric(R, there, back)
    order = np.argsort([*own, *rest])
    columns = slice(None) if method == "pca" else order
    return Whitening(
        frozen_array(t.mean_x), frozen_array(there[order][:, columns]), frozen_array(back[columns][:, order])
    )


def _unmixed(R: np.ndarray) -> Maps:
    """By a triangle whose first r columns are independent; the others less what those tell of them."""
    r, d = R.shape
    there, back = np.eye(d), np.eye(d)
    there[:r, :r] = solve_triangle(R[:, :r], np.eye(r))
    there[:r, r:] = -solve_triangle(R[:, :r], R[:, r:])
    back[:r] = R
    return there, back


def _rotated(R: np.ndarray, there: np.ndarray, back: np.ndarray) -> Maps:
    """To the axes of the ellipse; of each the largest entry is positive."""
    P, _, Vt = svd(R)
    largest = np.argmax(np.abs(Vt), axis=1)[:, None]
    P = P * np.sign(np.take_along_axis(Vt, largest, axis=1))[:, 0]
    return _rotated_by(P, there, back)


def _rotated_by(Q: np.ndarray, there: np.ndarray, back: np.ndarray) -> Maps:
    r = len(Q)
    there, back = there.copy(), back.copy()
    there[:, :r], back[:r] = there[:, :r] @ Q, Q.T @ back[:r]
    return there, back


def _symmetric(R: np.ndarray, there: np.ndarray, back: np.ndarray) -> Maps:
    """To the axes and, stretched, back to the columns; across directions without spread nothing is done."""
    P, s, Vt = svd(R)
    if R.shape[0] == R.shape[1]:
        return _rotated_by(P @ Vt, there, back)
    still = np.eye(R.shape[1]) - Vt.T @ Vt
    return (Vt.T / s) @ Vt + still, (Vt.T * s) @ Vt + still


def dependent_columns(t: Triangle) -> np.ndarray:
    """Which columns are constant, or combinations of the others, whatever their units."""
    d, flat = t.n_columns, constant_columns(t)
    R = t.factor[1:, 1 : 1 + d] / (np.sqrt(t.n) * t.scale())
    _, upper, order = qr_pivoted(R[:, ~flat])
    left = np.zeros(len(order))  # of fewer rows than columns nothing is left of the last
    left[: min(upper.shape)] = np.abs(np.diagonal(upper))
    out = flat.copy()
    out[np.flatnonzero(~flat)[order[left <= 64 * max(d, 8) * EPS]]] = True
    return out


@final
@estimator
class Whitener(KeepsPrecision, Summing):
    """Columns with mean zero, variance one and no correlation, from statistics that add.

    Parameters
    ----------
    method
        "pca" for the axes of the ellipse of the rows, widest first; "zca" for columns that stay as near as they can
        to the given ones; "cholesky" for each column without what the columns before it tell.

    Notes
    -----
    Rows with missing cells are refused: with a mean over the cells of each column and a covariance over the rows of
    each pair, the matrix need not be a covariance at all. Fill the gaps first (`SimpleImputer`), or drop such rows
    (`drop_missing`). Columns that are constant or combinations of others are named in a warning; a direction without
    spread is divided by 1, so the rows of the fit are zero there, and `inverse_transform` stays exact.

    Whitening may shrink the very distances that tell groups apart, so it does not always help a clustering.

    `state_` holds `center`, `matrix` and `back`: z = (x − center) matrix.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.prepare import Whitener
    >>> X = [[0.0, 0.0], [2.0, 2.0], [2.0, 4.0], [4.0, 2.0]]
    >>> Z = Whitener("zca").fit_transform(X)
    >>> np.cov(Z.T, ddof=0).round(6) + 0.0
    array([[1., 0.],
           [0., 1.]])
    """

    method: Literal["pca", "zca", "cholesky"] = "pca"

    statistics_: Triangle = field(init=False)
    state_: Whitening = field(init=False)

    @property
    def statistics_key(self) -> None:
        """The parameters do not change what is counted."""

    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Layout | None = None
    ) -> tuple[Rows, Layout]:
        """Validated rows and where their columns sit; with `like`, the columns of an earlier table."""
        earlier = None if like is None else like.header
        refuse_times_and_text(X)
        X, Y, header = open_table(self, X, supervised=False, like=earlier, finite=False)
        refuse_sparse(self, X)
        weight = check_weight(sample_weight, X)
        return Rows(X, Y, weight), Layout.plan(header, X, Y, weight, like)

    def plan_of(self, statistics: Triangle) -> Layout:
        """Where the columns sit."""
        return statistics.layout

    @one_blas_thread()
    def gather(self, rows: Rows, plan: Layout) -> Triangle:
        """Statistics of validated rows; the triangle itself shows a missing cell."""
        try:
            return reduce(rows, _step, plan)
        except NotFinite:
            refuse_nonfinite("X", rows.X, plan.header.feature_names)
            raise

    def solve(self, statistics: Triangle) -> Self:
        """Write the map."""
        check_choice("method", self.method, METHODS)
        check_not_empty(statistics.n)
        dependent = dependent_columns(statistics)
        with one_blas_thread():
            state = whitening(statistics, self.method, dependent)
        _warn_dependent(statistics.header, dependent, statistics.rows)
        _warn_stretched(statistics)
        self.statistics_, self.state_ = statistics, state
        remember_columns(self, statistics.header)
        return self

    @one_blas_thread()
    def transform(self, X: Any) -> np.ndarray:
        """Whitened rows; float32 stays float32."""
        refuse_times_and_text(X)
        X = open_inputs(self, X)
        refuse_sparse(self, X)
        return self.state_(X)

    @one_blas_thread()
    def inverse_transform(self, X: Any) -> np.ndarray:
        """The rows in their original columns."""
        Z = open_outputs(self, X, getattr(self, "n_features_in_", 0), ())
        return self.state_.inverse(Z)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The columns' own names; `pc0`, `pc1` … for axes, which belong to no column."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        if self.method != "pca":
            return np.asarray(names, dtype=object)
        return np.array([f"pc{j}" for j in range(self.n_features_in_)], dtype=object)


def _step(rows: Rows, layout: Layout) -> Triangle:
    return gather(layout, rows.X, rows.Y, rows.weight)


def _warn_dependent(header: Header, dependent: np.ndarray, rows: int) -> None:
    if not dependent.any():
        return
    names = ", ".join(repr(header.feature_names[j]) for j in np.flatnonzero(dependent)[:8])
    few = f" ({rows} rows cannot spread over {len(dependent)} columns)" if rows <= len(dependent) else ""
    warn(
        f"Columns {names} are constant or combinations of the others{few}; directions without spread are divided by 1.",
        RankDeficient,
    )


def _warn_stretched(t: Triangle) -> None:
    """Say so where directions are stretched so far that rounding shows."""
    condition = scaled_condition(t.factor[1:, 1 : 1 + t.n_columns])
    if condition > STRETCHED:
        warn(
            f"Columns are nearly combinations of each other (scaled condition {condition:.1g}): what tells them apart "
            "is stretched to the spread of all others, and its rounding with it. Drop such columns.",
            IllConditioned,
        )
