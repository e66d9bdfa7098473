r"""Where a function turns: minimum, maximum or saddle (FCML Comments 1.2, 2.6 and 2.7).

    zᵀHz > 0 for every z ≠ 0   ⇔   all eigenvalues positive   ⇒   a point with zero gradient is a minimum

Derivatives are central differences; an eigenvalue within rounding of zero decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers, check_number
from suffice._core.linalg import eigh
from suffice._core.records import record

Definiteness = Literal["positive", "negative", "positive semi", "negative semi", "indefinite", "zero"]
KINDS = {"positive": "minimum", "negative": "maximum", "indefinite": "saddle"}


def definiteness(matrix: Any, *, tolerance: float = 1e-12) -> Definiteness:
    """The signs that zᵀMz takes, from the eigenvalues of a symmetric matrix.

    Parameters
    ----------
    matrix
        Symmetric, for example a Hessian.
    tolerance
        Eigenvalues below this part of the largest count as zero.

    Examples
    --------
    >>> from suffice.inference import definiteness
    >>> definiteness([[2.0, 1.0], [1.0, 2.0]])
    'positive'
    >>> definiteness([[1.0, 0.0], [0.0, -1.0]])
    'indefinite'
    """
    check_number("tolerance", tolerance, low=0)
    values = eigh(_symmetric(matrix))[0]
    near = tolerance * np.max(np.abs(values), initial=0.0)
    up, down = bool(np.any(values > near)), bool(np.any(values < -near))
    if up and down:
        return "indefinite"
    if not (up or down):
        return "zero"
    full = bool(np.all(np.abs(values) > near))
    return {(True, True): "positive", (True, False): "positive semi", (False, True): "negative"}.get(
        (up, full), "negative semi"
    )  # type: ignore[return-value]


def _symmetric(matrix: Any) -> np.ndarray:
    M = as_numbers("matrix", matrix)
    if M.ndim != 2 or M.shape[0] != M.shape[1] or M.size == 0:
        raise InvalidParameter(f"matrix must be square with at least one row; got shape {M.shape}.")
    if not np.isfinite(M).all():
        raise InvalidParameter("matrix must be finite; it contains NaN or infinity.")
    gap = np.max(np.abs(M - M.T))
    if gap > 1e-8 * np.max(np.abs(M)):
        raise InvalidParameter(f"matrix must be symmetric; it differs from its transpose by {gap:.3g}.")
    return (M + M.T) / 2


@record
class TurningPoint:
    """What a function does at a point: `kind` is "minimum", "maximum", "saddle", "undecided" or "none".

    "none": the gradient is not zero there, so the function does not turn. "undecided": some curvature is zero.
    """

    at: np.ndarray
    value: float
    gradient: np.ndarray
    hessian: np.ndarray
    kind: str

    def __repr__(self) -> str:
        where = np.array2string(self.at, precision=6, separator=", ")
        return f"TurningPoint({self.kind} at {where}, value={self.value:.6g})"

    def _repr_html_(self) -> str:
        return f"<pre>{self!r}</pre>"


def turning_point(function: Callable[[Any], Any], at: Any, *, tolerance: float = 1e-5) -> TurningPoint:
    """Whether a function has a minimum, a maximum or a saddle at a point, from numerical derivatives.

    Parameters
    ----------
    function
        From a number, or a vector, to a number.
    at
        The point.
    tolerance
        Slopes and curvatures below this part of the size of the function near the point count as zero, where
        lengths are measured in units of 1 + |at|.

    Examples
    --------
    >>> from suffice.inference import turning_point
    >>> turning_point(lambda w: 3 + (w - 5) ** 2, 5.0)
    TurningPoint(minimum at [5.], value=3)
    >>> turning_point(lambda w: w[0] ** 2 - w[1] ** 2, [0.0, 0.0]).kind
    'saddle'
    """
    check_number("tolerance", tolerance, low=0, strict=True)
    point = as_numbers("at", at)
    if point.ndim > 1 or point.size == 0 or not np.isfinite(point).all():
        raise InvalidParameter(f"at must be a number or a vector of finite numbers; got {at!r}.")
    scalar, x = point.ndim == 0, np.atleast_1d(point)

    def f(z: np.ndarray) -> float:
        out = np.asarray(function(float(z[0]) if scalar else z), dtype=float)
        if out.size != 1 or not np.isfinite(out).all():
            raise InvalidInput(f"function must return one finite number; got {out!r} at {z!r}.")
        return float(out.reshape(()))

    unit = 1 + np.abs(x)
    gradient, hessian, size = _differences(f, x, unit)
    if np.max(np.abs(gradient * unit)) > tolerance * size:
        kind = "none"
    else:
        scaled = hessian * np.multiply.outer(unit, unit)
        scaled = np.where(np.abs(scaled) > tolerance * size, scaled, 0.0)
        kind = KINDS.get(definiteness(scaled, tolerance=tolerance), "undecided")
    return TurningPoint(x, f(x), gradient, hessian, kind)


def _differences(f: Callable, x: np.ndarray, unit: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Gradient, Hessian and the largest value within a unit: steps that balance truncation and rounding."""
    d, one = len(x), np.eye(len(x)) * unit
    size = max(abs(f(x)), *(abs(f(x + s * e)) for e in one for s in (-1.0, 1.0))) or 1.0
    h, k = 1e-5, 1e-3
    gradient = np.array([(f(x + h * e) - f(x - h * e)) / (2 * h * u) for e, u in zip(one, unit, strict=True)])
    hessian = np.empty((d, d))
    for i in range(d):
        for j in range(i + 1):
            p, q = k * one[i], k * one[j]
            second = f(x + p + q) - f(x + p - q) - f(x - p + q) + f(x - p - q)
            hessian[i, j] = hessian[j, i] = second / (4 * k * k * unit[i] * unit[j])
    return gradient, hessian, size
