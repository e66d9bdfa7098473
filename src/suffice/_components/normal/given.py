"""Parameters of normal components that the user gave, and the rows they are fitted to."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._components.given import given_numbers
from suffice._components.normal.columns import ColumnNormals
from suffice._components.normal.dense import DenseNormals
from suffice._components.normal.prior import as_prior
from suffice._components.normal.rule import Rule
from suffice._components.normal.shapes import Shape
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.linalg import check_symmetric, cholesky, inverse_of_triangle
from suffice._core.records import frozen_array

FLOOR = 1e-12  # of a column's variance: the least that a component may vary
LARGE = 1e150  # above, and below its inverse, squares do not exist


def normals_of(means: np.ndarray, spread: np.ndarray, rule: Rule) -> DenseNormals | ColumnNormals:
    """Components of a shape, from covariances (K, D, D) or variances (K, D)."""
    if not rule.shape.dense:
        return ColumnNormals.of(means, spread, rule)
    return DenseNormals.of(means, spread[:1] if rule.shape.pooled else spread, rule)


def given_means(value: Any, K: int | None, D: int | None, name: str = "means_init") -> np.ndarray:
    """Means of a start, if they are such; of any number of components and columns where these are None."""
    means = given_numbers(name, value)
    if means.ndim != 2 or not means.size or (K is not None and means.shape != (K, D)):
        shape = "(components, columns)" if K is None else f"({K}, {D})"
        raise InvalidParameter(
            f"The parameter 'means' should have the shape of {shape}, but got {means.shape}: {name} must have a row "
            "per component and a number per column."
        )
    if not np.isfinite(means).all():
        raise InvalidParameter(f"{name} must be finite; got {value!r:.80}.")
    return means


def given_covariances(value: Any, shape: str, K: int, D: int, inverse: bool = True) -> np.ndarray:
    """Covariances (K, D, D), or variances (K, D), from precisions or covariances in the public form of a shape."""
    what, name = ("precision", "precisions_init") if inverse else ("covariance", "covariances")
    forms = {"full": (K, D, D), "tied": (D, D), "diag": (K, D), "spherical": (K,), "identity": (K,)}
    given = given_numbers(name, value)
    if given.shape != forms[shape]:
        raise InvalidParameter(
            f"The parameter '{shape} {what}' should have the shape of {forms[shape]}, but got {given.shape}; see "
            f"{name}."
        )
    if shape == "identity" and np.any(given != 1):
        raise InvalidParameter(
            f"{name} must be ones where covariance_type='identity'; got {value!r:.80}. Choose 'spherical'."
        )
    if shape in ("diag", "spherical", "identity"):
        if not np.all((given > 0) & np.isfinite(given)):
            raise InvalidParameter(f"'{shape} {what}' should be positive; got {name}={value!r:.80}.")
        return (1 / given if inverse else given).reshape(K, -1) * np.ones((K, D))
    matrices = np.broadcast_to(given, (K, D, D))
    try:
        check_symmetric(matrices, name)
        roots = cholesky(matrices, name)
    except ValueError as error:
        raise InvalidParameter(f"'{shape} {what}' should be symmetric, positive-definite: {error}") from None
    inverses = np.array([inverse_of_triangle(r) for r in roots])
    return np.swapaxes(inverses, 1, 2) @ inverses if inverse else matrices


def refuse_sizes(X: np.ndarray, names: tuple[str, ...]) -> None:
    """Raise for columns whose squares do not exist."""
    largest = np.nanmax(np.abs(X), axis=0, initial=0.0) if len(X) else np.zeros(X.shape[1])
    wrong = (largest > LARGE) | ((largest > 0) & (largest < 1 / LARGE))
    if wrong.any():
        j = int(np.argmax(wrong))
        what = "overflow" if largest[j] > LARGE else "vanish"
        raise InvalidInput(
            f"Column {names[j]!r} has numbers of the order {largest[j]:.0e}, whose squares {what}; rescale it."
        )


def column_moments(X: np.ndarray, weight: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of the known cells of each column."""
    w = np.where(np.isnan(X), 0.0, 1.0 if weight is None else weight[:, None])
    n = w.sum(axis=0)
    origin = np.nan_to_num(X[0])
    center = origin + (w * np.nan_to_num(X - origin)).sum(axis=0) / n
    return center, (w * np.square(np.nan_to_num(X - center))).sum(axis=0) / n


def alike_normals(
    X: np.ndarray, weight: np.ndarray | None, K: int, shape: Shape, reg_covar: float, prior: Any
) -> DenseNormals | ColumnNormals:
    """K components at the mean of the known cells, each column as wide as it is, and the rule they are fitted by."""
    center, variance = column_moments(X, weight)
    spread = np.where(variance > 0, variance, 1.0)
    rule = Rule(shape, reg_covar, frozen_array(FLOOR * spread), as_prior(prior, len(spread)))
    means = np.broadcast_to(center, (K, len(center)))
    if not shape.dense:
        return ColumnNormals.of(means, spread, rule)
    return DenseNormals.of(
        means, np.broadcast_to(np.diag(spread), (1 if shape.pooled else K, *2 * spread.shape)), rule
    )
