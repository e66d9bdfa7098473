r"""Gradient descent: x ← x − step ∇f (DTU §15.2.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import NotConverged, NumericalError, check_number, warn
from suffice._core.trace import Trace
from suffice.inference.newton import check_limit, start_of, step_down


def gradient_descent(
    f: Callable[[np.ndarray], float],
    start: Any,
    gradient: Callable[[np.ndarray], Any],
    *,
    step: float | None = None,
    tol: float = 1e-8,
    max_iter: int = 10_000,
) -> Trace:
    """The lowest point of f by x ← x − step ∇f.

    Parameters
    ----------
    step
        A fixed length, as the texts have it; None doubles or halves it so that every step improves f.
    tol
        Stop when the gradient is this part of what it was (plus one).

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import gradient_descent
    >>> trace = gradient_descent(lambda x: np.sum((x - 3) ** 2), [0.0], lambda x: 2 * (x - 3))
    >>> trace.columns["x0"][-1].round(6), trace.converged
    (np.float64(3.0), True)
    """
    x = start_of(start)
    check_limit(max_iter)
    length = 1.0 if step is None else check_number("step", step, low=0.0, strict=True)
    value, path, values, done = float(f(x)), [x], [float(f(x))], False
    first = float(np.abs(gradient(x)).max())
    for _ in range(max_iter):
        g = np.asarray(gradient(x), dtype=float)
        done = bool(np.abs(g).max() <= tol * (1 + first))
        if done:
            break
        if step is None:
            scale, x, value = step_down(f, x, value, g, -length * g, True)
            length = 2 * length * scale if scale else length / 2
            if scale == 0:
                break
        else:
            with np.errstate(all="ignore"):
                x = x - length * g
                value = float(f(x))
            if not np.isfinite(value):
                raise NumericalError(
                    f"f is {value} after {len(path)} steps of length {length:g}; choose a smaller step."
                )
        path.append(x)
        values.append(value)
    if not done:
        warn(
            f"Gradient descent stopped after {len(path) - 1} steps; raise max_iter or change step.",
            NotConverged,
        )
    columns = {f"x{j}": column for j, column in enumerate(np.array(path).T)}
    return Trace(np.array(values), done, columns)
