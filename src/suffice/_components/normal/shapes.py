r"""Shapes of covariances: what is left free when scatters become covariances.

    Full           Σ_k = S_k / n_k                        own ellipsoids                     K D (D + 1) / 2 numbers
    Tied           Σ = Σ_k S_k / Σ_k n_k                  one ellipsoid, moved                 D (D + 1) / 2
    Diagonal       σ²_kd = S_kdd / n_k                    axis-parallel                        K D
    Spherical      σ²_k = Σ_d S_kdd / (D n_k)             balls                                K
    IdentityShape  σ² = 1, fixed                          unit balls                           0

A scatter here is any that a prior has been added to, and n whatever it is divided by. Every shape can be restricted by
a least variance: the best covariance above the floor has the eigenvalues of S/n raised to it, in units of the floor,
so a step that ends on the floor still never lowers the likelihood.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from suffice._core.errors import InvalidParameter, did_you_mean
from suffice._core.linalg import cholesky, eigh, qr_factor, try_cholesky
from suffice._core.records import record


class Shape(Protocol):
    """A family of covariances. `dense` says whether columns may vary together."""

    @property
    def name(self) -> str: ...
    @property
    def dense(self) -> bool: ...
    @property
    def pooled(self) -> bool:
        """Whether all components have one covariance."""
        ...

    def n_parameters(self, K: int, D: int) -> int: ...
    def public(self, spread: np.ndarray) -> np.ndarray:
        """As scikit-learn writes it, from (K, D, D), or (K, D) where columns are independent."""
        ...


@record
class Full:
    """Every component has a covariance of its own."""

    name: str = "full"
    dense: bool = True
    pooled: bool = False

    def n_parameters(self, K: int, D: int) -> int:
        return K * D * (D + 1) // 2

    def public(self, spread: np.ndarray) -> np.ndarray:
        return spread.copy()


@record
class Tied:
    """All components share a covariance."""

    name: str = "tied"
    dense: bool = True
    pooled: bool = True

    def n_parameters(self, K: int, D: int) -> int:
        return D * (D + 1) // 2

    def public(self, spread: np.ndarray) -> np.ndarray:
        return spread[0].copy()


@record
class Diagonal:
    """Columns are independent within a component."""

    name: str = "diag"
    dense: bool = False
    pooled: bool = False

    def n_parameters(self, K: int, D: int) -> int:
        return K * D

    def public(self, spread: np.ndarray) -> np.ndarray:
        return spread.copy()

    def variances(self, scatter: np.ndarray, n: np.ndarray, added: float, least: np.ndarray) -> np.ndarray:
        """From sums of squares (K, D), what divides them, what is added, and the floor of each column."""
        return np.maximum(scatter / n + added, least)


@record
class Spherical:
    """One variance per component."""

    name: str = "spherical"
    dense: bool = False
    pooled: bool = False

    def n_parameters(self, K: int, D: int) -> int:
        return K

    def public(self, spread: np.ndarray) -> np.ndarray:
        return spread[:, 0].copy()

    def variances(self, scatter: np.ndarray, n: np.ndarray, added: float, least: np.ndarray) -> np.ndarray:
        """The same; one variance serves all columns, and the floor is that of the widest."""
        own = np.maximum(scatter.sum(axis=1) / n.sum(axis=1) + added, least.max())
        return np.broadcast_to(own[:, None], scatter.shape)


@record
class IdentityShape:
    """Unit variance: only means and weights are fitted."""

    name: str = "identity"
    dense: bool = False
    pooled: bool = False

    def n_parameters(self, K: int, D: int) -> int:
        return 0

    def public(self, spread: np.ndarray) -> np.ndarray:
        return spread[:, 0].copy()

    def variances(self, scatter: np.ndarray, n: np.ndarray, added: float, least: np.ndarray) -> np.ndarray:
        """One, whatever the scatter."""
        return np.ones_like(scatter)


SHAPES = {shape.name: shape for shape in (Full(), Tied(), Diagonal(), Spherical(), IdentityShape())}


def shape_named(name: object) -> Shape:
    """The shape behind a `covariance_type`."""
    if not isinstance(name, str) or name not in SHAPES:
        hint = did_you_mean(str(name), tuple(SHAPES))
        raise InvalidParameter(
            f"covariance_type must be one of {', '.join(map(repr, SHAPES))}; got {name!r}.{hint}"
        )
    return SHAPES[name]


def floored_roots(covariances: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Lower triangles L of the covariances L Lᵀ (K, D, D) that nowhere vary less than diag(least).

    What is lifted to the floor is a million times thinner than its columns are wide: its triangle is made from
    eigenvectors, since products of it would have lost that.
    """
    unit = np.sqrt(least)
    scaled = covariances / (unit[:, None] * unit)
    _, above = try_cholesky(scaled - (1 - 1e-9) * np.eye(len(least)))
    out = np.empty_like(covariances)
    out[above] = cholesky(covariances[above], "A covariance of the mixture")
    if not above.all():
        values, vectors = eigh((scaled + np.swapaxes(scaled, 1, 2))[~above] / 2)
        thick = unit[:, None] * vectors * np.sqrt(np.maximum(values, 1.0))[:, None, :]
        out[~above] = [qr_factor(np.asfortranarray(t.T)).T for t in thick]
    return out
