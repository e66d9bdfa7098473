"""The door of this room: parameters, values, probabilities and weights are checked here, once."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter


def parameter(
    name: str, value: Any, *, low: float = -np.inf, strict: bool = False, finite: bool = True
) -> np.ndarray:
    """`value` as a read-only float64 array inside its domain, or an error that names it."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InvalidParameter(f"{name} must be a number or an array of numbers; got {value!r}.") from None
    array = array + 0.0  # a copy; −0.0 becomes 0.0, so that equal parameters hash alike
    inside = array > low if strict else array >= low
    _refuse(name, array, inside, "a number" if low == -np.inf else f"{'>' if strict else '>='} {low:g}")
    if finite:
        _refuse(name, array, np.isfinite(array), "finite")
    return frozen(array)


def positive_parameters(record: Any, *names: str) -> dict[str, np.ndarray]:
    """Parameters > 0, by name."""
    return {name: parameter(name, getattr(record, name), low=0.0, strict=True) for name in names}


def unit(name: str, value: Any) -> np.ndarray:
    """A parameter in [0, 1]."""
    array = parameter(name, value)
    _refuse(name, array, (array >= 0) & (array <= 1), "in [0, 1]")
    return array


def _refuse(name: str, array: np.ndarray, inside: Any, domain: str) -> None:
    if not np.all(inside):
        raise InvalidParameter(f"{name} must be {domain}; got {array[~inside].flat[0]}.")


def frozen(array: Any) -> np.ndarray:
    """The same array, read-only from now on."""
    array = np.asarray(array)
    array.setflags(write=False)
    return array


def compact(value: Any, event_ndim: int) -> np.ndarray:
    """Repeated batch axes (stride zero, as `broadcast_to` makes them) shrunk to length one."""
    array = np.asarray(value)
    batch = array.strides[: max(array.ndim - event_ndim, 0)]
    return array[tuple(slice(0, 1) if s == 0 else slice(None) for s in batch)]


def common_shape(**shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The batch shape of several parameters, or an error that names their shapes."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        names, listed = " and ".join(shapes), " and ".join(str(s) for s in shapes.values())
        raise InvalidParameter(f"{names} must have batch shapes that broadcast; got {listed}.") from None


def broadcast(**arrays: Any) -> dict[str, Any]:
    """Scalar-event parameters at their common shape; a single number becomes a float64 scalar."""
    shape = common_shape(**{name: np.shape(a) for name, a in arrays.items()})
    return {name: np.broadcast_to(a, shape)[()] for name, a in arrays.items()}


def assign(record: Any, **values: Any) -> None:
    """Set checked parameters on a frozen record, from its `__post_init__` only."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


def real(x: Any, batch_shape: tuple[int, ...] = ()) -> Any:
    """Values as float64 that broadcast with the batch."""
    try:
        array = np.asarray(x, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput(f"x must be a number or an array of numbers; got {x!r}.") from None
    check_broadcast(array.shape, batch_shape)
    return array[()]


def check_broadcast(shape: tuple[int, ...], batch_shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of values and batch together, or an error that names both."""
    try:
        return np.broadcast_shapes(shape, batch_shape)
    except ValueError:
        raise InvalidInput(f"x of shape {shape} does not broadcast with the batch {batch_shape}.") from None


def probability(p: Any, batch_shape: tuple[int, ...] = ()) -> Any:
    """Probabilities in [0, 1] that broadcast with the batch."""
    array = real(p, batch_shape)
    outside = (array < 0) | (array > 1) | np.isnan(array)
    if np.any(outside):
        raise InvalidInput(f"p must be in [0, 1]; got {np.asarray(array)[outside].flat[0]}.")
    return array


def weights(weight: Any, rows: int) -> np.ndarray | None:
    """One finite, non-negative number per row, or None for all equal."""
    if weight is None:
        return None
    array = np.asarray(weight, dtype=float)
    if array.shape != (rows,):
        raise InvalidInput(f"weight must have one number per row; got shape {array.shape} for {rows} rows.")
    bad = ~(np.isfinite(array) & (array >= 0))
    if bad.any():
        raise InvalidInput(f"weight must be finite and >= 0; got {array[bad][0]}.")
    return array


def filled_weights(weight: Any, rows: int) -> np.ndarray:
    """One finite, non-negative number per row, ones unless given."""
    given = weights(weight, rows)
    return np.ones(rows) if given is None else given


def positive_weights(weight: Any, rows: int) -> np.ndarray:
    """One number per row, ones unless given, with a positive sum."""
    w = filled_weights(weight, rows)
    check_total(float(w.sum()))
    return w


def sample_values(x: Any, ndim: int) -> np.ndarray:
    """Finite data for a fit: a vector (N,) or a table (N, D), possibly without rows."""
    array = np.asarray(real(x))
    if array.ndim != ndim:
        wanted = "a vector (N,)" if ndim == 1 else "a table (N, D)"
        raise InvalidInput(f"x must be {wanted}; got shape {array.shape}.")
    if not np.isfinite(array).all():
        raise InvalidInput(f"x must be finite; got {array[~np.isfinite(array)][0]}.")
    return array


def of_vector(statistic: Any, x: Any, weight: Any) -> Any:
    """A statistic of a vector and the weights of its numbers."""
    x = sample_values(x, ndim=1)
    return statistic.of(x, weights(weight, len(x)))


def check_total(n: float) -> None:
    """A fit needs rows that count."""
    if not n > 0:
        raise InvalidInput(f"A fit needs at least one row of positive weight; the total weight is {n:g}.")


def sample_shape(n: Any, *rest: tuple[int, ...]) -> tuple[int, ...]:
    """(n, *batch, *event), or without the first axis when n is None."""
    whole = isinstance(n, numbers.Integral) and not isinstance(n, bool)
    if n is not None and not (whole and n >= 0):
        raise InvalidParameter(f"n must be None or an integer >= 0; got {n!r}.")
    first = () if n is None else (int(n),)
    return first + sum(rest, ())
