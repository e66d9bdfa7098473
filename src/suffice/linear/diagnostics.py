r"""What a least-squares fit leaves over, and which rows hold it up (FCML §2.1.1, Fig. 2.1; PRML §3.1.2, Fig. 3.2).

Residual        e = y − ŷ = (I − H) y,   H the hat matrix, h its diagonal
Standardized    e / s
Studentized     r = e / (s √(1 − h)), internal;   r √((ν − 1)/(ν − r²)), external: the row judged by the others
Cook            D = r² h / (p (1 − h)): how far all predictions move without the row, in p s²
Durbin–Watson   Σ (e_i − e_{i−1})² / Σ e²: 2 for independent rows, 0 for errors that drift, 4 for those that alternate
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from scipy.special import ndtri

from suffice._core.errors import InvalidInput, NumericalError, Unsupported, as_numbers
from suffice._core.frames import to_frame
from suffice._core.linalg import svd
from suffice._core.numerics import first_nonfinite
from suffice._core.records import frozen_array, record
from suffice._estimator import check_is_fitted
from suffice.engine import one_blas_thread

ALONE = 1e-10  # 1 − h below which a row is met exactly, whatever its target


@runtime_checkable
class HasLeverage(Protocol):
    """A least-squares model: `noise_variance_` is unbiased with `dof_` degrees of freedom."""

    noise_variance_: Any
    dof_: float

    def predict(self, X: Any) -> np.ndarray: ...
    def leverage(self, X: Any) -> np.ndarray: ...


@record
class Residuals:
    """One entry per row of a fit. `studentized` and `cook` are NaN where a row alone determines a weight (h = 1)."""

    fitted: np.ndarray
    raw: np.ndarray
    standardized: np.ndarray
    studentized: np.ndarray
    external: np.ndarray
    leverage: np.ndarray
    cook: np.ndarray

    @property
    def durbin_watson(self) -> float:
        """Near 2 where neighbouring rows have unrelated errors; NaN where there are none."""
        total = float(self.raw @ self.raw)
        return float(np.sum(np.diff(self.raw) ** 2)) / total if total > 0 else np.nan

    @property
    def sign_changes(self) -> int:
        """How often the residual changes sign from row to row; about half the time for unrelated errors."""
        sign = np.sign(self.raw[self.raw != 0])
        return int(np.sum(sign[1:] != sign[:-1]))

    def normal_quantiles(self) -> tuple[np.ndarray, np.ndarray]:
        """Quantiles of the standard Normal, and the studentized residuals in order: a line for Normal errors."""
        values = np.sort(self.studentized[np.isfinite(self.studentized)])
        return ndtri((np.arange(len(values)) + 0.5) / max(len(values), 1)), values

    def frame(self, kind: str = "pandas") -> Any:
        """One row per row."""
        names = ("fitted", "raw", "standardized", "studentized", "external", "leverage", "cook")
        return to_frame({name: getattr(self, name) for name in names}, kind)

    def __repr__(self) -> str:
        worst = int(np.nanargmax(np.abs(self.external))) if np.isfinite(self.external).any() else None
        largest = "" if worst is None else f", largest at row {worst}: {self.external[worst]:.3g}"
        return f"Residuals(n={len(self.raw)}, durbin_watson={self.durbin_watson:.3g}{largest})"

    def _repr_html_(self) -> str:
        return f"<pre>{self!r}</pre>"


@one_blas_thread()
def residuals(model: HasLeverage, X: Any, y: Any) -> Residuals:
    """Residuals of a least-squares fit on its own rows, raw and scaled, with leverage and Cook's distance.

    Parameters
    ----------
    model
        `LinearRegression` or `SimpleLinearRegression`, fitted to these rows without weights.
    X, y
        The rows of the fit, in order; one target.

    Examples
    --------
    >>> from suffice.datasets import olympic_100m_men
    >>> from suffice.linear import LinearRegression, residuals
    >>> men = olympic_100m_men()
    >>> residuals(LinearRegression().fit(men.X, men.y), men.X, men.y)
    Residuals(n=27, durbin_watson=1.28, largest at row 0: 6.34)
    """
    if not isinstance(model, HasLeverage):
        kind = type(model).__name__
        raise Unsupported(
            f"{kind} has no leverage; residuals needs LinearRegression or SimpleLinearRegression."
        )
    check_is_fitted(model)
    y = _numbers("y", y)
    fitted, h = model.predict(X), model.leverage(X)
    if fitted.ndim != 1 or y.shape != fitted.shape:
        raise InvalidInput(
            f"y must hold one target per row; got shape {y.shape} for predictions {fitted.shape}."
        )
    if place := first_nonfinite(y):
        raise InvalidInput(f"y contains {place}. Remove such rows first.")
    if model.dof_ <= 0:
        raise NumericalError("The fit has no residual degrees of freedom, so nothing scales its residuals.")
    _check_own_rows(model, y - fitted, y)
    return _scaled(fitted, y - fitted, h, model.noise_variance_, model.dof_)


def _numbers(name: str, value: Any) -> np.ndarray:
    """Numbers as floats; True and False are 1 and 0."""
    array = np.asarray(value)
    return as_numbers(name, array.astype(float) if array.dtype == bool else array)


def _check_own_rows(model: Any, raw: np.ndarray, y: np.ndarray) -> None:
    total, expected = float(raw @ raw), float(model.noise_variance_ * model.dof_)
    if abs(total - expected) > 1e-6 * max(total, expected) + 1e-20 * float(y @ y):
        raise InvalidInput(
            f"These are not the rows of the fit: their squared residuals sum to {total:.6g}, those of the fit to "
            f"{expected:.6g}. Give the same rows, of a fit without weights."
        )


def _scaled(fitted: np.ndarray, raw: np.ndarray, h: np.ndarray, variance: float, dof: float) -> Residuals:
    s, p = np.sqrt(variance), len(raw) - dof
    rest = np.where(1 - h > ALONE, 1 - h, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        studentized = raw / (s * np.sqrt(rest))
        others = (dof - 1) / np.maximum(dof - studentized**2, 0.0)
        external = studentized * np.sqrt(others) if dof > 1 else np.full_like(raw, np.nan)
        return Residuals(fitted, raw, raw / s, studentized, external, h, studentized**2 * h / (p * rest))


@record
class Projection:
    """y split into `fitted`, in the space that the columns span, and `residual`, orthogonal to all of them."""

    fitted: np.ndarray
    residual: np.ndarray
    matrix: np.ndarray
    rank: int

    @property
    def leverage(self) -> np.ndarray:
        """The diagonal of the projection."""
        return np.diagonal(self.matrix)


@one_blas_thread()
def projection(columns: Any, y: Any) -> Projection:
    """Least squares as geometry: the orthogonal projection of y onto the span of the columns (PRML Fig. 3.2).

    Parameters
    ----------
    columns
        Φ, with a column of ones where there is an intercept. Dependent columns span less.
    y
        One number per row.

    Examples
    --------
    >>> from suffice.linear import projection
    >>> p = projection([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], [1.0, 3.0, 2.0])
    >>> p.fitted
    array([1.5, 2. , 2.5])
    >>> p.residual
    array([-0.5,  1. , -0.5])
    """
    Phi, y = _numbers("columns", columns), _numbers("y", y)
    if Phi.ndim != 2 or y.shape != Phi.shape[:1]:
        raise InvalidInput(
            f"columns must be a table and y a number per row; got shapes {Phi.shape} and {y.shape}."
        )
    for name, values in (("columns", Phi), ("y", y)):
        if place := first_nonfinite(values):
            raise InvalidInput(f"{name} contains {place}. Remove such rows first.")
    size = np.linalg.norm(Phi, axis=0)
    U, s, _ = svd(Phi[:, size > 0] / size[size > 0])
    U = U[:, s > max(Phi.shape) * np.finfo(float).eps * np.max(s, initial=0.0)]
    fitted = U @ (U.T @ y)
    return Projection(frozen_array(fitted), frozen_array(y - fitted), frozen_array(U @ U.T), U.shape[1])
