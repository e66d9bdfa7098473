r"""Expectation–maximization: one driver for every model that alternates between counting and solving.

    statistics = expect(params)         counts rows under the parameters; knows their objective
    params     = maximize(statistics)   the best parameters for those counts

The objective (a log likelihood, with the log of a prior where there is one) never falls where `maximize` is exact.
Where it is not, a fall is part of the trace and no reason to stop. The last objective belongs to the parameters
returned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import (
    HeaderMismatch,
    NotConverged,
    NumericalError,
    check_integer,
    check_number,
    warn,
)
from suffice._core.records import frozen_array, record
from suffice._core.trace import Trace

ROUNDING = 1e-9  # of the objective: what may be lost in sums over many rows


@record
class Iteration:
    """Where an iteration stands: the parameters to count with next, the objectives so far, and of how many rows."""

    params: Any
    objective: np.ndarray
    n: float
    columns: Any = None


@record
class Converged:
    """Parameters, the statistics under them, and the trace that led there."""

    params: Any
    statistics: Any
    trace: Trace


def em(
    start: Any,
    expect: Callable[[Any], Any],
    maximize: Callable[[Any], Any],
    *,
    tol: float = 1e-6,
    max_iter: int = 100,
    state: Iteration | None = None,
    keep: Callable[[Iteration], None] | None = None,
    noted: Callable[[Any], dict[str, float]] | None = None,
    before: float = -np.inf,
    quiet: bool = False,
) -> Converged:
    """Alternate until the objective per row grows by at most `tol`; the step that was counted for then is still taken.

    Parameters
    ----------
    start
        The first parameters.
    expect
        Parameters → statistics with `objective` (a sum over rows) and `n` (their number).
    maximize
        Statistics → parameters.
    max_iter
        The most maximizations; with none, the statistics of the start are returned.
    state
        Go on from here instead of `start`.
    keep
        Called with the state after every pass, to write it down.
    noted
        Statistics → numbers that the trace shows beside the objective.
    before
        The objective per row that the step to `start` began with, where an earlier iteration ended there.
    quiet
        Do not warn at the limit: whoever asks looks at the trace.

    Examples
    --------
    Two coins, one of which is thrown ten times in each of five rounds, nobody knows which:

    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> from suffice.inference import em
    >>> heads = np.array([5, 9, 8, 4, 7])
    >>> def expect(p):
    ...     joint = 0.5 * p**heads[:, None] * (1 - p) ** (10 - heads[:, None])
    ...     share = joint / joint.sum(axis=1, keepdims=True)
    ...     return SimpleNamespace(share=share, objective=np.log(joint.sum(axis=1)).sum(), n=5)
    >>> def maximize(s):
    ...     return (heads @ s.share) / (10 * s.share.sum(axis=0))
    >>> em(np.array([0.6, 0.5]), expect, maximize, tol=1e-9).params.round(2)
    array([0.8 , 0.52])
    """
    check_number("tol", tol, low=0)
    check_integer("max_iter", max_iter, 0)
    params, objective, columns = _resumed(start, state)
    settled = False
    if state is not None and objective:
        earlier, now = [before * state.n, *objective][-2:]
        settled = _settled(earlier, now, tol * state.n)
    while True:
        statistics = expect(params)
        if state is not None and statistics.n != state.n:
            raise HeaderMismatch(
                f"The iteration to go on with counted {state.n:g} rows; here are {statistics.n:g}."
            )
        earlier = objective[-1] if objective else before * statistics.n
        objective.append(_finite(statistics.objective, len(objective)))
        for name, value in ({} if noted is None else noted(statistics)).items():
            columns.setdefault(name, []).append(float(value))
        done = settled and not _fell(earlier, objective[-1])
        if done or len(objective) > max_iter:
            break
        settled = _settled(earlier, objective[-1], tol * statistics.n)
        params = maximize(statistics)
        if keep is not None:
            keep(Iteration(params, frozen_array(objective), float(statistics.n), _arrays(columns)))
    if not (done or quiet or max_iter == 0):
        warn(
            f"The objective still changed after {len(objective) - 1} iterations; raise max_iter={max_iter}, or "
            f"tol={tol:g}.",
            NotConverged,
        )
    return Converged(params, statistics, Trace(frozen_array(objective), done, _arrays(columns)))


def _resumed(start: Any, state: Iteration | None) -> tuple[Any, list[float], dict[str, list[float]]]:
    if state is None:
        return start, [], {}
    columns = {} if state.columns is None else {k: v.tolist() for k, v in state.columns.items()}
    return state.params, state.objective.tolist(), columns


def _arrays(columns: dict[str, list[float]]) -> dict[str, np.ndarray]:
    return {name: frozen_array(values) for name, values in columns.items()}


def _settled(earlier: float, now: float, tolerance: float) -> bool:
    """Whether a step hardly mattered. A fall beyond rounding is never the end."""
    return abs(now - earlier) <= tolerance and not _fell(earlier, now)


def _fell(earlier: float, now: float) -> bool:
    """Whether a step lowered the objective by more than rounding."""
    return now - earlier < -ROUNDING * abs(now)


def _finite(objective: Any, iteration: int) -> float:
    if not np.isfinite(objective):
        raise NumericalError(
            f"The objective is {float(objective):g} in iteration {iteration}: the rows are impossible under the "
            "parameters, or these are not finite. Begin with other parameters."
        )
    return float(objective)
