r"""Powers of the inputs (FCML eq. 1.18, PRML §3.1, DTU eqs 8.4 and 8.17).

    φ_e(x) = x₁^e₁ x₂^e₂ …     for exponents e of total degree 1 … degree

Inside, each input is measured as u = (x − centre) / scale so that u lies in [−1, 1]; powers of u are
then well conditioned where powers of x (years, say) are hopeless. Since

    ((x − c₂)/s₂)^k = Σ_i C(k, i) (s₁/s₂)^i ((c₁ − c₂)/s₂)^{k−i} u₁^i

two such choices differ by an affine map, and weights are always reported on the powers of x.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb

import numpy as np

from suffice._core.errors import check_flags, check_integer
from suffice._core.records import record
from suffice.bases._base import Basis
from suffice.statistics import Frame, Triangle
from suffice.statistics.lstsq import off_center


@record
class Polynomial(Basis):
    """Powers of every input column up to `degree`, lower degrees first, no constant.

    Parameters
    ----------
    degree
        Highest power. Zero has no columns.
    interactions
        Also products of different inputs, of total degree up to `degree`.

    Examples
    --------
    >>> from suffice.bases import Polynomial
    >>> Polynomial(3)([2.0, 3.0])
    array([[ 2.,  4.,  8.],
           [ 3.,  9., 27.]])
    >>> Polynomial(2, interactions=True).names(("a", "b"))
    ('a', 'b', 'a^2', 'b^2', 'a*b')
    """

    degree: int
    interactions: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "degree", check_integer("degree", self.degree, 0))
        check_flags(self, "interactions")

    def exponents(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        """One exponent per input for each column, by total degree, pure powers first."""
        return _exponents(self.degree, self.interactions, n_features)

    @property
    def needs_data(self) -> bool:
        return False

    def resolve(self, X: np.ndarray) -> Polynomial:
        return self

    def frame(self, X: np.ndarray) -> Frame | None:
        return Frame.spanning(X.min(axis=0), X.max(axis=0)) if self.degree > 1 else None

    def design(self, X: np.ndarray, frame: Frame | None) -> np.ndarray:
        n, d = X.shape
        U = X if frame is None else (X - frame.center) / frame.scale
        powers = np.empty((self.degree, d, n))
        for k in range(self.degree):
            powers[k] = U.T if k == 0 else powers[k - 1] * U.T
        if not self.interactions:
            return powers.reshape(self.degree * d, n).T
        columns = [_monomial(powers, e) for e in self.exponents(d)]
        return np.stack(columns, axis=1) if columns else np.empty((n, 0))

    def transfer(
        self, old: Frame | None, new: Frame | None, n_features: int
    ) -> tuple[np.ndarray, np.ndarray]:
        return _transfer(self.exponents(n_features), old, new)

    def names(self, features: tuple[str, ...]) -> tuple[str, ...]:
        def word(e: tuple[int, ...]) -> str:
            return "*".join(f if k == 1 else f"{f}^{k}" for f, k in zip(features, e, strict=True) if k)

        return tuple(word(e) for e in self.exponents(len(features)))

    def doubt(self, t: Triangle, start: int = 0) -> str | None:
        return off_center(t, t.header.n_features, self.degree, start)

    def positions(self, other: Basis, n_features: int) -> list[int] | None:
        if not isinstance(other, Polynomial) or self.degree > other.degree:
            return None
        if self.interactions and not other.interactions:
            return None
        theirs = {e: i for i, e in enumerate(other.exponents(n_features))}
        return [theirs[e] for e in self.exponents(n_features)]

    def size(self, n_features: int) -> int:
        return (
            comb(n_features + self.degree, self.degree) - 1 if self.interactions else self.degree * n_features
        )

    def owners(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(j for j, k in enumerate(e) if k) for e in self.exponents(n_features))

    def __repr__(self) -> str:
        return f"Polynomial({self.degree}{', interactions=True' if self.interactions else ''})"


@lru_cache(maxsize=256)
def _exponents(degree: int, interactions: bool, n_features: int) -> tuple[tuple[int, ...], ...]:
    out = []
    for total in range(1, degree + 1):
        combos = [(j,) * total for j in range(n_features)]
        if interactions:
            combos += [c for c in combinations_with_replacement(range(n_features), total) if len(set(c)) > 1]
        out += [tuple(c.count(j) for j in range(n_features)) for c in combos]
    return tuple(out)


@lru_cache(maxsize=64)
def _transfer(
    exponents: tuple[tuple[int, ...], ...], old: Frame | None, new: Frame | None
) -> tuple[np.ndarray, np.ndarray]:
    """Binomial expansion of every monomial of the new frame in those of the old, in extended precision."""
    position = {e: i for i, e in enumerate(exponents)}
    A = np.zeros((len(exponents), len(exponents)), dtype=np.longdouble)
    b = np.zeros(len(exponents), dtype=np.longdouble)
    if exponents:
        (c1, s1), (c2, s2) = (_origin(frame, len(exponents[0])) for frame in (old, new))
        a, t = s1 / s2, (c1 - c2) / s2
        for e, column in position.items():
            for f in product(*(range(k + 1) for k in e)):
                term = np.longdouble(1)
                for j, (k, i) in enumerate(zip(e, f, strict=True)):
                    if k:
                        term *= comb(k, i) * a[j] ** i * t[j] ** (k - i)
                if any(f):
                    A[position[f], column] = term
                else:
                    b[column] = term
    A.setflags(write=False)
    b.setflags(write=False)
    return A, b


def _monomial(powers: np.ndarray, e: tuple[int, ...]) -> np.ndarray:
    return np.prod([powers[k - 1, j] for j, k in enumerate(e) if k], axis=0)


def _origin(frame: Frame | None, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    if frame is None:
        return np.zeros(n_features, dtype=np.longdouble), np.ones(n_features, dtype=np.longdouble)
    return frame.center.astype(np.longdouble), frame.scale.astype(np.longdouble)
