"""Log densities as samplers see them: checked, and compiled where they come compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.compiling import loops
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.records import record


@record
class Compiled:
    """A compiled log density: function(x, data) + constant. `slope` writes its gradient: slope(x, data, out)."""

    function: Any
    data: np.ndarray
    constant: float = 0.0
    slope: Any = None

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Log densities of points in rows."""
        out = np.array([self.function(x.copy(), self.data) for x in points]) + self.constant
        refuse(points, out)
        return out


def open_density(log_density: Any, vectorized: bool) -> Any:
    """Points in rows → log densities (numbers), or a `Compiled`."""
    if isinstance(log_density, Compiled):
        return log_density
    if not callable(log_density):
        raise InvalidParameter(f"log_density must be a function; got {log_density!r:.60}.")
    if hasattr(log_density, "py_func") and not vectorized:
        return Compiled(_with_data(log_density), np.zeros((1, 1)))

    def log_densities(points: np.ndarray) -> np.ndarray:
        if vectorized:
            out = np.asarray(log_density(points.copy()), dtype=float)  # which may write on what it is given
            if out.shape != (len(points),):
                raise InvalidInput(
                    f"log_density must give one number per row; got shape {out.shape} for {len(points)}."
                )
        else:
            out = np.array([number(log_density(x.copy()), x) for x in points])
        refuse(points, out)
        return out

    return log_densities


def _with_data(log_density: Any) -> Any:
    from numba.core.errors import TypingError

    try:
        return loops("suffice.inference.sampling._loops").with_data(log_density)
    except TypingError as error:
        raise InvalidParameter(
            "A compiled log_density must take one vector of float64 and give one number; numba cannot type this one."
        ) from error


def number(value: Any, x: np.ndarray) -> float:
    """What a density gave at x, also where it wrapped it in an array."""
    try:
        return float(np.asarray(value, dtype=float).reshape(()))
    except (TypeError, ValueError):
        raise InvalidInput(
            f"log_density must give one number; at {x.tolist()} it gave {value!r:.80}."
        ) from None


def refuse(points: np.ndarray, log_densities: np.ndarray) -> None:
    """Raise for values that are no log densities."""
    wrong = np.isnan(log_densities) | (log_densities == np.inf)
    if wrong.any():
        i = int(np.argmax(wrong))
        raise InvalidInput(
            f"log_density gave {log_densities[i]} at {points[i].tolist()}; it must be a number, or -inf where g is "
            "zero."
        )


def refuse_starts(X: np.ndarray, H: np.ndarray) -> None:
    if np.isneginf(H).any():
        i = int(np.argmin(H))
        raise InvalidInput(
            f"The density is zero at the start of chain {i}, {X[i].tolist()}; begin where it is not."
        )
