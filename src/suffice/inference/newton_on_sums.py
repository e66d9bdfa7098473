r"""Newton's method over statistics: one pass over the rows gives objective, gradient and Hessian together.

    statistics = expect(w)            sums over the rows under the parameters w
    w ← w − s H⁻¹ g,  s = 1, ½, ¼, …  until the objective has grown by a fair part of what the gradient promises

This is `newton` for functions that are sums: a step that is refused costs one pass, and rows may be anywhere
(`engine.reduce` builds `expect`). Iteratively reweighted least squares is this with a likelihood inside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import NotConverged, NumericalError, check_number, warn
from suffice._core.records import frozen_array, record
from suffice._core.trace import Trace
from suffice.inference.newton import SUFFICIENT, ascent_direction, check_limit, start_of

SMALLEST = 2.0**-30
HALVINGS = 64  # more than SMALLEST allows
ROUNDING = 1e-13  # of an objective
NEAR = 1e-6  # of an objective: a promise so small may be less than what large terms leave of its digits


@record
class SumsMaximum:
    """The highest point found, the statistics there, and what every pass saw."""

    params: np.ndarray
    statistics: Any
    trace: Trace

    def __repr__(self) -> str:
        return f"SumsMaximum({self.trace!r})"


def newton_on_sums(
    start: Any,
    expect: Callable[[np.ndarray], Any],
    *,
    tol: float = 1e-12,
    max_iter: int = 100,
    tick: Callable[[], None] | None = None,
    unit: float = 1.0,
) -> SumsMaximum:
    """The maximum of a concave sum.

    Parameters
    ----------
    expect
        Parameters → statistics with `objective`, `gradient` and `hessian`.
    tol
        Stop when what is left to gain, half of gᵀH⁻¹g, is below tol (unit + |objective|).
    max_iter
        Steps at most, as in scikit-learn; the pass at the start is none, and those that halve a step are not counted.
    tick
        Called after every pass.
    unit
        What an objective near zero is measured by: less than one where all terms together weigh less.

    Examples
    --------
    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> from suffice.inference import newton_on_sums
    >>> counts = np.array([3.0, 5.0, 4.0])
    >>> def expect(w):  # Poisson counts with log rate w
    ...     rate = np.exp(w[0])
    ...     return SimpleNamespace(objective=counts.sum() * w[0] - 3 * rate,
    ...                            gradient=np.array([counts.sum() - 3 * rate]), hessian=np.array([[-3 * rate]]))
    >>> np.exp(newton_on_sums([0.0], expect).params).round(6)
    array([4.])
    """
    check_number("tol", tol, low=0.0)
    check_limit(max_iter)
    w = start_of(start)
    here = _visited(expect, w, tick)
    if not np.isfinite(here.objective):
        raise NumericalError(f"The objective is {here.objective} at the start; begin elsewhere.")
    records, passes, done = [], 1, False
    while True:
        step = ascent_direction(-here.hessian, here.gradient)
        left = float(here.gradient @ step) / 2
        done = left <= tol * (unit + abs(here.objective))
        records.append((here.objective, float(np.abs(here.gradient).max(initial=0.0)), 0.0, passes))
        if done or len(records) > max_iter:
            break
        scale, there, used = line_search(expect, w, here, step, HALVINGS, tick, unit)
        passes += used
        records[-1] = (*records[-1][:2], scale, records[-1][3])
        if there is None:
            done = left <= 1e-8 * (unit + abs(here.objective))  # nothing more can be gained in these digits
            break
        w, here = w + scale * step, there
    if not done:
        warn_stopped(counted_steps(len(records) - 1), records)
    return SumsMaximum(frozen_array(w), here, trace_of(records, done))


def _has_flattened(there: Any, here: Any, step: np.ndarray, promised: float, loss: float) -> bool:
    """Whether the slope along the step has gone where the objective has no digits to tell (Hager and Zhang 2005)."""
    return bool(
        abs(float(there.gradient @ step)) <= promised / 2 and there.objective >= here.objective - loss
    )


def warn_stopped(after: str, records: Sequence[tuple[float, ...]]) -> None:
    """Say that a fit has not arrived; records are (objective, gradient, step, pass)."""
    warn(
        f"The fit stopped after {after} with a gradient of {records[-1][1]:.3g}; raise max_iter, or standardize the "
        "columns.",
        NotConverged,
    )


def trace_of(records: Sequence[tuple[float, ...]], converged: bool) -> Trace:
    """Objective, gradient, step and pass of every step."""
    objective, size, steps, passes = map(np.array, zip(*records, strict=True))
    return Trace(objective, converged, {"gradient": size, "step": steps, "pass": passes})


def joined(first: Trace | None, then: Trace) -> Trace:
    """One trace of both; passes are counted on."""
    if first is None:
        return then
    columns = {k: np.concatenate([first.columns[k], v]) for k, v in then.columns.items()}
    columns["pass"][len(first) :] += first.columns["pass"][-1]
    return Trace(np.concatenate([first.objective, then.objective]), then.converged, columns)


def counted_steps(n: int) -> str:
    """A number of steps, in words."""
    return "1 step" if n == 1 else f"{n} steps"


def _visited(expect: Callable[[np.ndarray], Any], w: np.ndarray, tick: Callable[[], None] | None) -> Any:
    with np.errstate(over="ignore", invalid="ignore"):
        found = expect(w)
    if tick is not None:
        tick()
    return found


def line_search(
    expect: Callable[[np.ndarray], Any],
    w: np.ndarray,
    here: Any,
    step: np.ndarray,
    passes: int,
    tick: Any,
    unit: float = 1.0,
) -> tuple[float, Any, int]:
    """The part of the step that raises the objective, the statistics there, and how many passes that took."""
    scale, promised = 1.0, float(here.gradient @ step)
    size = unit + abs(here.objective)
    near = promised <= NEAR * size
    slack = ROUNDING * size if near else 0.0
    for used in range(1, passes + 1):
        there = _visited(expect, w + scale * step, tick)
        if there.objective >= here.objective + SUFFICIENT * scale * promised - slack:
            return scale, there, used
        if near and _has_flattened(there, here, step, promised, NEAR * size):
            return scale, there, used
        scale /= 2
        if scale < SMALLEST:
            return 0.0, None, used
    return 0.0, None, passes
