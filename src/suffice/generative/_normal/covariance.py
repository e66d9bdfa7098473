r"""From the triangles of the classes to roots of their covariances, which are never formed from products.

T is the triangle of centred rows, TᵀT their scatter, and

    Σ = TᵀT / divisor
    shrunk by a number s     (1 − s) Σ + s (tr Σ / D) I                      (scikit-learn's)
    shrunk by "auto"         D^½ ((1 − λ) R + λ I) D^½,  D_j = P_j v_j^(1 − κ), R the correlations

stacks more rows under T and factors again (`Root`). The automatic λ minimizes the expected squared error of the
correlations, κ that of the logarithms of the variances v_j in units of the pooled ones P_j, those within all classes
(κ = 0 for a covariance that classes share),

    λ = Σ_{i<j} var(r_ij) / Σ_{i<j} r_ij²,    var(r) = (1 − r²)² / ν  for normal rows with ν degrees of freedom
    κ = Σ_j var(log v_j) / Σ_j (log v_j)²,    var(log v) = ψ′(ν/2), about 2/ν

so both are functions of the statistics, do not depend on the units of the columns, and add and merge with them.

A column that does not vary in a class of n rows has a share max(1/n, 0.03) of its pooled variance there, as if one more
row were a deviation off: a value that the class never had costs it much, but not everything. One that varies in no
class but between them has max(1/(n + 1), 1e-4) of its variance over all n rows.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from scipy.special import polygamma

from suffice._core.errors import InvalidInput, InvalidParameter, RankDeficient, warn
from suffice._core.linalg import qr_trapezoid
from suffice.generative._normal.root import Root

AT_ONCE = 512  # columns whose correlations are looked at together
RIDGE = 1e-6  # by which the correlations of dependent columns are shrunk
FLOOR = 1e-9  # of a column's variance over all rows: with less it does not vary within a class
SHARE = 0.03  # of the variance within classes: the least for a column that does not vary in one of them
LEAST = 1e-4  # of the variance over all rows: the least for a column that varies in no class


def centred_factor(triangle: Any) -> np.ndarray:
    """T with TᵀT the scatter of the columns about their mean."""
    d = triangle.n_columns
    return triangle.factor[1 : 1 + d, 1 : 1 + d]


def over_weight(factor: np.ndarray, n: float, lost: int, unbiased: bool) -> np.ndarray:
    """The triangle of a covariance from that of a scatter: divided by n, or without bias by n less the means found."""
    divisor = n - lost if unbiased else n
    if divisor > 0:
        return factor / np.sqrt(divisor)
    if np.any(factor):
        raise InvalidInput(
            f"unbiased=True divides by the total weight less {lost}, and that weight is {n:g}. Weights count rows; "
            "rescale them, or choose unbiased=False."
        )
    return factor


def pooled(factors: list[np.ndarray]) -> np.ndarray:
    """The triangle of the scatter within all classes."""
    return factors[0] if len(factors) == 1 else qr_trapezoid(*factors)


def check_shrinkage(value: Any) -> None:
    """None, "auto" or a number in [0, 1]."""
    if value is None or (isinstance(value, str) and value == "auto"):
        return
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise InvalidParameter(f"shrinkage must be None, 'auto' or a number between 0 and 1; got {value!r}.")


def shrunk(root: Root, shrinkage: Any, freedom: float, flat: np.ndarray) -> Root:
    """The root of a shrunk covariance; `freedom` counts the rows behind correlations, `flat` columns have none."""
    if isinstance(shrinkage, str):
        return toward_diagonal(root, automatic_shrinkage(root.columns(~flat), freedom))
    return mixed(root, np.full(len(root), root.variances.mean()), float(shrinkage))


def toward_pooled(root: Root, pooled: np.ndarray, freedom: float, flat: np.ndarray) -> Root:
    """The root with variances P v^(1 − κ) and the same correlations; `flat` columns are left as they are."""
    variance = root.variances
    away = np.where(flat, 0.0, np.log(np.where(flat, 1.0, variance / pooled)))
    total = np.square(away).sum()
    if not total > 0:
        return root
    share = min(1.0, float(polygamma(1, max(freedom, 1.0) / 2)) * np.sum(~flat) / total)
    return root.scaled(np.exp(-0.5 * share * away))


def toward_diagonal(root: Root, share: float) -> Root:
    """(1 − share) Σ + share diag Σ."""
    return mixed(root, root.variances, share)


def mixed(root: Root, target: np.ndarray, share: float) -> Root:
    """(1 − share) Σ + share diag(target)."""
    return root if share == 0 else root.scaled(np.sqrt(1 - share)).lifted(share * target)


def automatic_shrinkage(root: Root, freedom: float) -> float:
    """λ of the module's docstring."""
    length = np.sqrt(root.variances)
    unit, d = root.rows / np.where(length > 0, length, 1.0), len(root)
    squares = away = 0.0
    for a in range(0, d, AT_ONCE):  # the upper triangle of correlations, some columns at a time
        own, others = unit[:, a : a + AT_ONCE], unit[:, a + AT_ONCE :]
        for part in ((own.T @ own)[np.triu_indices(own.shape[1], 1)], own.T @ others):
            np.square(part, out=part)
            squares += part.sum()
            part -= 1.0
            away += np.square(part, out=part).sum()
    if not squares > 0:
        return 1.0 if d > 1 else 0.0
    return float(min(1.0, away / max(freedom, 1.0) / squares))


def least_within(total: np.ndarray, n: float) -> np.ndarray:
    """Variances for columns that vary in no class: that of one row in all, one deviation off, but at least `LEAST`.

    `total` is the variance of the columns over all rows. A column that never varies gets variance one, since it cannot
    tell classes apart.
    """
    return np.where(total > 0, max(LEAST, 1 / (n + 1)) * total, 1.0)


def share_within(n: Any) -> Any:
    """Of its variance within classes, for a column that does not vary in a class of n rows."""
    return np.clip(1 / np.maximum(n, 1.0), SHARE, 1.0)


def lifts(shrinkage: Any, flat: np.ndarray) -> bool:
    """Whether a number lifts the variance of all columns: flat ones then stay at zero, lest they enter the trace."""
    return not (shrinkage is None or isinstance(shrinkage, str)) and shrinkage > 0 and not flat.all()


def does_not_vary(root: Root, total: np.ndarray) -> np.ndarray:
    """Which columns have, but for rounding, no variance here."""
    return (root.variances < FLOOR * total) | ~(total > 0)


def without_flat(root: Root, total: np.ndarray, instead: np.ndarray) -> tuple[Root, np.ndarray]:
    """The root with another variance for columns that do not vary, and which those are."""
    flat = does_not_vary(root, total)
    if not flat.any():
        return root, flat
    return root.scaled(np.where(flat, 0.0, 1.0)).lifted(np.where(flat, instead, 0.0)), flat


def warn_dependent_class(label: Any, names: list[str], rows: float, few: bool, share: float) -> None:
    """Say which columns of a class are singular and what was done about it."""
    listed = ", ".join(map(repr, names[:6])) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    if few:
        why = f"Class {label!r} has {rows:g} rows, too few for a covariance of so many columns"
        why += f" ({listed})" if listed else " with missing cells"
    else:
        why = f"In class {label!r} the columns {listed} are combinations of others"
    warn(
        f"{why}; its correlations were shrunk by {share:.3g}. Leave such columns out, or choose shrinkage='auto'.",
        RankDeficient,
    )


def warn_flat(label: Any, names: list[str]) -> None:
    """Say which columns are constant in a class, though not in others, and what that means."""
    if names:
        listed = ", ".join(map(repr, names[:6])) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
        warn(
            f"In class {label!r} the columns {listed} do not vary; they have a share of their variance within the "
            "other classes there. Leave them out, or choose reg_param.",
            RankDeficient,
        )
