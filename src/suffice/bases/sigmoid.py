r"""Smooth steps (PRML eqs 3.5, 3.6 and exercise 3.1).

    SigmoidBasis   φ_j(x) = σ((x − μ_j) / s),   σ(a) = 1 / (1 + e^{−a})
    TanhBasis      φ_j(x) = tanh((x − μ_j) / s)

Since tanh(a) = 2σ(2a) − 1 (3.100), both span the same functions once there is a constant:

    w₀ + Σ w_j σ((x − μ_j)/s) = u₀ + Σ u_j tanh((x − μ_j)/2s),   u_j = w_j/2,  u₀ = w₀ + ½ Σ w_j

(eq. 3.102 prints the tanh without the 2 under s; the two sides are then different functions).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from suffice._core.errors import InvalidParameter, as_numbers, check_number
from suffice._core.records import record
from suffice.bases._centers import Stepped


@record
class SigmoidBasis(Stepped):
    """Steps from 0 to 1.

    Parameters
    ----------
    centers
        A vector of positions, used for every input column on its own; an integer, for that many evenly
        spaced over the range of each column, filled in from the data of the fit; or a table (M, D) with one
        number per row, in the column the step looks at, and NaN elsewhere.
    width
        How slowly a step rises (s): it goes from 0.27 to 0.73 between μ − s and μ + s. None: the distance
        between neighbouring centres.

    Examples
    --------
    >>> from suffice.bases import SigmoidBasis
    >>> SigmoidBasis([0.0, 1.0], width=0.5)([0.0, 0.5]).round(4)
    array([[0.5   , 0.1192],
           [0.7311, 0.2689]])
    """

    centers: Any
    width: float | None = None

    word: ClassVar[str] = "sigmoid"
    __repr__ = Stepped.__repr__

    def design(self, X: np.ndarray, frame: object) -> np.ndarray:
        return sigmoid(self.gaps(X))

    def to_tanh(self, intercept: Any, coef: Any) -> tuple[TanhBasis, Any, np.ndarray]:
        """The same function from tanh columns: that basis, its intercept and its weights.

        Examples
        --------
        >>> from suffice.bases import SigmoidBasis
        >>> SigmoidBasis([0.0, 1.0], width=0.5).to_tanh(1.0, [2.0, 4.0])
        (TanhBasis([0., 1.], width=1.0), 4.0, array([1., 2.]))
        """
        intercept, coef, width = sigmoid_to_tanh(intercept, coef, _known(self))
        return TanhBasis(self.centers, width), intercept, coef


@record
class TanhBasis(Stepped):
    """Steps from −1 to 1.

    Parameters
    ----------
    centers
        As in `SigmoidBasis`.
    width
        How slowly a step rises (s): it goes from −0.76 to 0.76 between μ − s and μ + s. None: the distance
        between neighbouring centres.

    Examples
    --------
    >>> from suffice.bases import TanhBasis
    >>> TanhBasis([0.0, 1.0], width=0.5)([0.0, 0.5]).round(4)
    array([[ 0.    , -0.964 ],
           [ 0.7616, -0.7616]])
    """

    centers: Any
    width: float | None = None

    word: ClassVar[str] = "tanh"
    __repr__ = Stepped.__repr__

    def design(self, X: np.ndarray, frame: object) -> np.ndarray:
        return np.tanh(self.gaps(X))

    def to_sigmoid(self, intercept: Any, coef: Any) -> tuple[SigmoidBasis, Any, np.ndarray]:
        """The same function from sigmoid columns: that basis, its intercept and its weights.

        Examples
        --------
        >>> from suffice.bases import TanhBasis
        >>> TanhBasis([0.0, 1.0], width=1.0).to_sigmoid(4.0, [1.0, 2.0])
        (SigmoidBasis([0., 1.], width=0.5), 1.0, array([2., 4.]))
        """
        intercept, coef, width = tanh_to_sigmoid(intercept, coef, _known(self))
        return SigmoidBasis(self.centers, width), intercept, coef


def sigmoid_to_tanh(intercept: Any, coef: Any, width: float) -> tuple[Any, np.ndarray, float]:
    """Intercept, weights and width of the tanh columns that give the function of these sigmoid columns.

    Parameters
    ----------
    intercept, coef
        As a fitted model has them: a number and (M,), or one per target, (K,) and (K, M).
    width
        Of the sigmoids (s).

    Examples
    --------
    >>> from suffice.bases import sigmoid_to_tanh, tanh_to_sigmoid
    >>> sigmoid_to_tanh(1.0, [2.0, 4.0], 0.5)
    (4.0, array([1., 2.]), 1.0)
    >>> tanh_to_sigmoid(*sigmoid_to_tanh(1.0, [2.0, 4.0], 0.5))
    (1.0, array([2., 4.]), 0.5)
    """
    b, w = _weights(intercept, coef)
    return _as_given(b + w.sum(axis=-1) / 2), w / 2, 2 * check_number("width", width, low=0, strict=True)


def tanh_to_sigmoid(intercept: Any, coef: Any, width: float) -> tuple[Any, np.ndarray, float]:
    """Intercept, weights and width of the sigmoid columns that give the function of these tanh columns.

    Parameters
    ----------
    intercept, coef
        As a fitted model has them: a number and (M,), or one per target, (K,) and (K, M).
    width
        Of the tanh columns.

    Examples
    --------
    >>> from suffice.bases import tanh_to_sigmoid
    >>> tanh_to_sigmoid(4.0, [1.0, 2.0], 1.0)
    (1.0, array([2., 4.]), 0.5)
    """
    b, w = _weights(intercept, coef)
    return _as_given(b - w.sum(axis=-1)), 2 * w, check_number("width", width, low=0, strict=True) / 2


def sigmoid(a: np.ndarray) -> np.ndarray:
    """1 / (1 + e^{−a}) without overflow; far left it is e^a, not 0."""
    e = np.exp(-np.abs(a))
    return np.where(a >= 0, 1.0, e) / (1.0 + e)


def _weights(intercept: Any, coef: Any) -> tuple[np.ndarray, np.ndarray]:
    b, w = as_numbers("intercept", intercept), as_numbers("coef", coef)
    if w.ndim not in (1, 2) or b.shape not in ((), w.shape[:-1]):
        raise InvalidParameter(
            f"coef must have one weight per column, and intercept one number per row of it; got shapes "
            f"{w.shape} and {b.shape}."
        )
    return b, w


def _as_given(b: np.ndarray) -> Any:
    return float(b) if b.ndim == 0 else b


def _known(basis: Stepped) -> float:
    if basis.needs_data or basis.width is None:
        raise InvalidParameter(
            f"centers and width must be known to convert weights; got {basis!r}. Take the fitted model's basis_."
        )
    return basis.width
