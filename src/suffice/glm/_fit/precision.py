r"""The precision of a prior that makes the targets most probable (PRML §3.5, 4.5.1): a search along log α.

α is searched in units in which the prior and one row's worth of scaled columns are alike, first over powers of ten,
each search from the mode before, then between the neighbors of the best. The maximum is that of the polynomial through
points a small step apart: differences of a smooth function lose fewer digits than a comparison of its values.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize_scalar

from suffice._core.errors import AtBound, warn
from suffice._core.records import record
from suffice._core.trace import Trace

LOWEST, TEN = -8, np.log(10.0)
ABOVE = 3  # powers of ten beyond the number of rows: there the rows no longer count
NEAR = np.linspace(-3.0, 3.0, 7) * 0.1


@record
class PrecisionFound:
    """log α, what was tried, and the side of the range it lies at."""

    log_precision: float
    trace: Trace
    bound: str | None


def search(
    coarse: Callable[[float], float],
    fine: Callable[[float], float],
    unit: float,
    n_rows: float,
    lowest: int = LOWEST,
) -> PrecisionFound:
    """The maximum of `fine`, an evidence as a function of log α, near that of `coarse`, which costs less.

    `lowest` is the power of ten, in units of `unit`, below which α is not looked for.
    """
    tried: list[tuple[float, float]] = []

    def seen(t: float) -> float:
        tried.append((t, fine(t)))
        return tried[-1][1]

    high = int(np.ceil(np.log10(max(n_rows, 1.0)))) + ABOVE
    grid = unit + TEN * np.arange(high, lowest - 1, -1)
    best = 2 * int(np.argmax([coarse(t) for t in grid[::2]]))  # every second one; from there uphill
    middle, value, bound = _bracketed(seen, grid, best)
    if bound is None:
        middle = _between(seen, middle)
        middle, value = _polished(seen, middle)
    t, objective = map(np.array, zip(*tried, strict=True))
    trace = Trace(np.append(objective, value), True, {"prior_precision": np.exp(np.append(t, middle))})
    return PrecisionFound(middle, trace, bound)


def _bracketed(f: Callable[[float], float], grid: np.ndarray, best: int) -> tuple[float, float, str | None]:
    """A place of the grid that is higher than its neighbors, found by walking uphill; or an end of the grid."""
    values = {best: f(grid[best])}
    while True:
        for step in (-1, 1):
            k = best + step
            if 0 <= k < len(grid) and k not in values:
                values[k] = f(grid[k])
        near = [k for k in (best - 1, best, best + 1) if k in values]
        top = max(near, key=lambda k: values[k])
        if top == best:
            ends = {0: "high", len(grid) - 1: "low"}
            return float(grid[best]), values[best], ends.get(best)
        best = top


def _between(f: Callable[[float], float], middle: float) -> float:
    found = minimize_scalar(
        lambda t: -f(t), bounds=(middle - TEN, middle + TEN), method="bounded", options={"xatol": 0.1}
    )
    return float(found.x)


def _polished(f: Callable[[float], float], middle: float) -> tuple[float, float]:
    """The stationary point of the polynomial through seven points, and its height."""
    values = np.array([f(middle + x) for x in NEAR])
    if not np.isfinite(values).all() or np.ptp(values) < 1e-9 * (1 + np.abs(values).max()):
        return middle, float(values[len(NEAR) // 2])
    poly = np.polynomial.Polynomial.fit(NEAR, values, len(NEAR) - 1)
    roots = poly.deriv().roots()
    inside = roots[np.abs(roots.imag) < 1e-9].real
    inside = inside[np.abs(inside) <= NEAR[-1]]
    if not len(inside):
        return middle, float(values[len(NEAR) // 2])
    at = float(inside[np.argmax(poly(inside))])
    return middle + at, float(poly(at))


def warn_bound(found: PrecisionFound) -> None:
    """Say in words which end of its range the precision met."""
    if found.bound is None:
        return
    alpha = np.exp(found.log_precision)
    why = {
        "high": "the columns say nothing about the targets that the prior mean does not, and weights stay there",
        "low": "the targets are told apart by weights of any size",
    }[found.bound]
    warn(
        f"The evidence grows to the end of its range at prior_precision = {alpha:.3g}: {why}. Give prior_precision as "
        "a number.",
        AtBound,
    )
