r"""Products of different inputs (DTU eq. 8.17, FCML §1.4): x_i x_j for i < j, then x_i x_j x_k, …"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np

from suffice._core.errors import check_integer
from suffice._core.records import record
from suffice.bases._base import Frameless


@record
class Interactions(Frameless):
    """Products of two or more different input columns, pairs first; no powers, and not the columns themselves.

    Parameters
    ----------
    degree
        How many different columns a product may have.

    Notes
    -----
    `Polynomial(1) + Interactions()` is a model with main effects and interactions. For columns far from zero
    `Polynomial(2, interactions=True)` keeps more digits: it can be expanded about any origin, products alone cannot.

    Examples
    --------
    >>> from suffice.bases import Interactions, Polynomial
    >>> Interactions()([[2.0, 3.0, 5.0]])
    array([[ 6., 10., 15.]])
    >>> (Polynomial(1) + Interactions(3)).names(("a", "b", "c"))
    ('a', 'b', 'c', 'a*b', 'a*c', 'b*c', 'a*b*c')
    """

    degree: int = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "degree", check_integer("degree", self.degree, 2))

    @property
    def needs_data(self) -> bool:
        return False

    def resolve(self, X: np.ndarray) -> Interactions:
        return self

    def design(self, X: np.ndarray, frame: object) -> np.ndarray:
        columns = [X[:, list(owner)].prod(axis=1) for owner in self.owners(X.shape[1])]
        return np.stack(columns, axis=1) if columns else np.empty((len(X), 0))

    def names(self, features: tuple[str, ...]) -> tuple[str, ...]:
        return tuple("*".join(features[j] for j in owner) for owner in self.owners(len(features)))

    def size(self, n_features: int) -> int:
        return sum(comb(n_features, k) for k in range(2, min(self.degree, n_features) + 1))

    def owners(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        return _products(self.degree, n_features)

    def __repr__(self) -> str:
        return f"Interactions({self.degree})"


@lru_cache(maxsize=256)
def _products(degree: int, n_features: int) -> tuple[tuple[int, ...], ...]:
    sizes = range(2, min(degree, n_features) + 1)
    return tuple(owner for size in sizes for owner in combinations(range(n_features), size))
