"""Normal densities of classes from their moments, also where a column does not vary or depends on others."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, RankDeficient, warn
from suffice._core.linalg import qr_factor, semidefinite_factor
from suffice.distributions import MultivariateNormal, Normal
from suffice.generative._normal.covariance import FLOOR, LEAST, automatic_shrinkage, toward_diagonal
from suffice.generative._normal.root import Root
from suffice.generative._normal.whitener import dependent_columns
from suffice.statistics import Moments
from suffice.statistics.columns import ColumnMoments

DEPENDENT = 1e-7  # of a unit column: what is left of it beside the others, in a root of products
SMALLEST, LARGEST = 1e-150, 1e150  # deviations whose squares are numbers


def check_squares(X: np.ndarray, names: tuple[str, ...]) -> None:
    """Raise for columns whose deviations have no squares."""
    if not len(X):
        return
    with np.errstate(over="ignore"):
        size = np.max(np.abs(X - X[0]), axis=0)
    for j in np.flatnonzero((size > LARGEST) | ((size > 0) & (size < SMALLEST))).tolist():
        what = "overflow" if size[j] > 1 else "vanish"
        raise InvalidInput(
            f"{names[j]!r} has deviations of the order {size[j]:.0e} whose squares {what}; rescale it."
        )


def floored(moments: ColumnMoments, total: np.ndarray) -> Normal:
    """Normal densities of columns; one that does not vary in a class gets a share of its spread over all rows."""
    flat = (moments.std < np.sqrt(FLOOR) * total) | ~(total > 0)
    std = np.where(flat, np.where(total > 0, np.sqrt(LEAST) * total, 1.0), moments.std)
    return Normal(moments.mean[0], std[0]) if len(std) == 1 else Normal(moments.mean, std)


def regular_normal(
    moments: Moments, total: np.ndarray, label: Any, names: tuple[str, ...]
) -> MultivariateNormal:
    """Maximum likelihood; a singular covariance is regularized as that of QuadraticDiscriminantAnalysis, and told."""
    covariance, flat = _without_flat(np.asarray(moments.variance), np.square(total))
    size = np.sqrt(np.diagonal(covariance))
    unit = semidefinite_factor(covariance / size[:, None] / size, "the correlations")
    root = Root.of(qr_factor(np.asfortranarray(unit.T)) * size)
    dependent = dependent_columns(root, DEPENDENT)
    _warn_flat(label, [names[j] for j in np.flatnonzero(flat & (total > 0))])
    if len(dependent):
        few = moments.n - 1 < len(root)
        share = max(automatic_shrinkage(root, moments.n - 1) if few else 0.0, LEAST)
        warn(
            f"In class {label!r}, of weight {moments.n:g}, the columns {[names[j] for j in dependent[:6]]} are "
            f"combinations of others; its correlations were shrunk by {share:.3g}. Leave such columns out, or use "
            "QuadraticDiscriminantAnalysis(shrinkage='auto').",
            RankDeficient,
        )
        rows = toward_diagonal(root, share).rows
        covariance = rows.T @ rows
    return MultivariateNormal(moments.mean, covariance)


def _without_flat(covariance: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The covariance with another variance for columns that do not vary, and which those are."""
    flat = (np.diagonal(covariance) < FLOOR * total) | ~(total > 0)
    instead = np.where(flat, np.where(total > 0, LEAST * total, 1.0), 0.0)
    return np.where(flat | flat[:, None], 0.0, covariance) + np.diag(instead), flat


def _warn_flat(label: Any, names: list[str]) -> None:
    if names:
        listed = ", ".join(map(repr, names[:6])) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
        warn(
            f"In class {label!r} the columns {listed} do not vary; their variance is set to {LEAST:g} of that over all "
            "rows. Leave them out, or use QuadraticDiscriminantAnalysis.",
            RankDeficient,
        )
