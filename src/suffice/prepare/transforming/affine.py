r"""A linear map of the columns, as given (DTU §2.4: x ↦ a x + b).

z = A x + b,   x = A^{−1}(z − b)

Degrees Celsius from Fahrenheit, a sum and a difference of two columns, a rotation: maps that are known, not learned.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, final

import numpy as np
from sklearn.utils.validation import _check_feature_names_in

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice._core.linalg import EPS, svd
from suffice._core.records import estimator, frozen_array, record
from suffice._core.threads import one_blas_thread
from suffice._estimator import check_is_fitted, refuse_nonfinite
from suffice.prepare.transforming._shells import Fixed, open_outputs, refuse_sparse
from suffice.prepare.transforming.standardizer import _by_chunks


@record
class AffineMapping:
    """z = A x + b; `A` is a matrix, or a vector of factors for the columns one by one."""

    A: np.ndarray
    b: np.ndarray

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """z in the precision of X."""
        if self.A.ndim == 1:
            return _by_chunks(X, lambda x: x * self.A + self.b)
        with one_blas_thread():
            return (X @ self.A.T + self.b).astype(X.dtype)

    def inverse(self, Z: np.ndarray) -> np.ndarray:
        """x in the precision of Z; an error that says why where there is none."""
        if self.A.ndim == 1:
            self._check_invertible(np.abs(self.A))
            return _by_chunks(Z, lambda z: (z - self.b) / self.A)
        if self.A.shape[0] != self.A.shape[1]:
            raise Unsupported(f"A has shape {self.A.shape}, and only a square matrix has an inverse.")
        with one_blas_thread():
            U, s, Vt = svd(self.A)
            self._check_invertible(s)
            return (((Z - self.b) @ U) / s @ Vt).astype(Z.dtype)

    def _check_invertible(self, sizes: np.ndarray) -> None:
        floor = 0.0 if self.A.ndim == 1 else len(sizes) * EPS * sizes.max(initial=0.0)
        if np.any(sizes <= floor):
            raise Unsupported(f"A has no inverse: its smallest singular value is {sizes.min():.3g}.")


@final
@estimator
class Affine(Fixed):
    """The columns A x + b in place of the columns x.

    Parameters
    ----------
    A
        A number for all columns, a vector with a factor per column, or a matrix with a row per new column.
    b
        A number, or a vector with an entry per new column.

    Notes
    -----
    It learns nothing. Missing cells stay missing under factors; a matrix, which mixes cells, refuses them. There is
    an `inverse_transform` where A has an inverse.

    Examples
    --------
    >>> from suffice.prepare import Affine
    >>> celsius = Affine(5 / 9, -160 / 9)
    >>> celsius.fit_transform([[32.0], [212.0]]).round(6)
    array([[  0.],
           [100.]])
    >>> Affine([[1.0, 1.0], [1.0, -1.0]]).fit_transform([[5.0, 3.0]])
    array([[8., 2.]])
    """

    A: Any = 1.0
    b: Any = 0.0

    state_: AffineMapping = field(init=False)

    def _resolved(self, names: tuple[str, ...]) -> AffineMapping:
        A, b, d = _finite("A", self.A, 2), _finite("b", self.b, 1), len(names)
        if A.ndim and A.shape[-1] != d:
            raise InvalidParameter(
                f"A must have {d} columns, as many as the table; got shape {A.shape}: {self.A!r:.60}."
            )
        wide = A.shape[0] if A.ndim == 2 else d
        if b.ndim and len(b) != wide:
            raise InvalidParameter(f"b must have {wide} entries, one per new column; got {self.b!r:.60}.")
        A = A if A.ndim == 2 else np.broadcast_to(A, (d,))
        return AffineMapping(frozen_array(A), frozen_array(np.broadcast_to(b, (wide,))))

    def _check_cells(self, X: Any, names: tuple[str, ...], state: AffineMapping) -> None:
        refuse_sparse(self, X)
        if state.A.ndim == 2:
            refuse_nonfinite("X", X, names)

    def inverse_transform(self, X: Any) -> np.ndarray:
        """A^{−1}(z − b) for each row."""
        check_is_fitted(self)
        Z = open_outputs(self, X, len(self.state_.b), ())
        if self.state_.A.ndim == 2 and np.isnan(Z).any():
            raise InvalidInput("X contains NaN, which a matrix would spread over its row; fill it in first.")
        return self.state_.inverse(Z)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The columns' own names under factors; `affine0`, `affine1` … under a matrix."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        if self.state_.A.ndim == 1:
            return np.asarray(names, dtype=object)
        return np.array([f"affine{j}" for j in range(len(self.state_.b))], dtype=object)


def _finite(name: str, value: Any, most: int) -> np.ndarray:
    """Finite numbers of at most so many dimensions."""
    shapes = "a number, a vector or a matrix" if most == 2 else "a number or a vector"
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind not in "iuf" or array.ndim > most or not np.isfinite(array).all():
        raise InvalidParameter(f"{name} must be {shapes} of finite numbers; got {value!r:.60}.")
    return array.astype(float)
