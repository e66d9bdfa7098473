r"""Rows to begin a clustering with: at random, far apart, or by k-means++ (FCML §6.2, DTU §18.2).

k-means++ draws one row, and then the next always with probability

    p(n) ∝ w_n min_s ‖x_n − x_s‖²          over the seeds s so far, from the cells of x_n that are known

A cell of a seed that is not known is taken to be the mean of its column, as `lloyd` does with its first centers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidParameter, NoInformation, check_choice, warn
from suffice._core.random import generator
from suffice.inference._rows import ShiftedRows, as_objective, open_rows

How = Literal["k-means++", "random", "farthest-first"]


def seeds(X: Any, n: int, rng: Any, *, how: How = "k-means++", weight: Any = None) -> np.ndarray:
    """Numbers of `n` rows to begin with, of different values as far as there are any.

    Parameters
    ----------
    X
        Rows; NaN is a cell that is not known.
    rng
        A Generator, an integer to seed one, or None.
    how
        "k-means++" draws as above, and of a few draws keeps the one that leaves the least Σ w min ‖x − x_s‖² (Arthur
        and Vassilvitskii 2007); "random" draws rows by their weights; "farthest-first" draws one row and then always
        takes the one farthest from its nearest seed.
    weight
        How often each row counts; rows of weight 0 are not taken.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import seeds
    >>> x = np.array([[0.0], [1.0], [50.0], [51.0], [90.0]])
    >>> sorted(seeds(x, 3, np.random.default_rng(0), how="farthest-first").tolist())
    [0, 3, 4]
    """
    check_choice("how", how, tuple(_HOW))
    rows = open_rows(X, weight)
    _check_number_of(n, rows)
    rng = generator(rng)
    chosen = _HOW[how](rows, n, rng)
    if len(chosen) < n:
        chosen = _with_others(rows, chosen, n, rng)
    if len(chosen) < n:
        warn(
            f"There are {len(chosen)} distinct rows for {n} seeds, so some seeds are equal; ask for at most "
            f"{len(chosen)}.",
            NoInformation,
        )
    return np.resize(chosen, n)


def _greedy(rows: ShiftedRows, n: int, rng: np.random.Generator) -> np.ndarray:
    """k-means++ with 2 + ln n draws for every seed."""
    chosen = _draw(rows.weight, 1, rng)
    near = _squares_to(rows, chosen)[0]
    while len(chosen) < n and as_objective(np.dot(rows.weight, near)) > 0:
        drawn = _draw(rows.weight * near, 2 + int(np.log(n)), rng)
        nearer = np.minimum(near, _squares_to(rows, drawn))  # (draws, N)
        best = int(np.argmin(np.dot(nearer, rows.weight)))
        chosen, near = np.append(chosen, drawn[best]), nearer[best]
    return chosen


def _farthest_first(rows: ShiftedRows, n: int, rng: np.random.Generator) -> np.ndarray:
    chosen = _draw(rows.weight, 1, rng)
    near = np.where(rows.weight > 0, _squares_to(rows, chosen)[0], 0.0)
    while len(chosen) < n and as_objective(np.max(near)) > 0:
        chosen = np.append(chosen, np.argmax(near))
        near = np.minimum(near, _squares_to(rows, chosen[-1:])[0])
    return chosen


def _at_random(rows: ShiftedRows, n: int, rng: np.random.Generator) -> np.ndarray:
    return _with_others(rows, np.zeros(0, dtype=np.intp), n, rng)


_HOW: dict[str, Callable[[ShiftedRows, int, np.random.Generator], np.ndarray]] = {
    "k-means++": _greedy,
    "random": _at_random,
    "farthest-first": _farthest_first,
}


def _draw(mass: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Rows with probability ∝ mass, independently."""
    cumulative = np.cumsum(mass)
    at = np.searchsorted(cumulative, cumulative[-1] * rng.random(size), side="right")
    return np.minimum(at, np.flatnonzero(mass)[-1])


def _squares_to(rows: ShiftedRows, chosen: np.ndarray) -> np.ndarray:
    return rows.squares(rows.as_centers(rows.values[chosen]))


def _with_others(rows: ShiftedRows, chosen: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """`n` rows, first the chosen, then others of new values, drawn by weight without replacement."""
    drawable = np.flatnonzero(rows.weight)
    wait = rng.exponential(size=len(drawable)) / rows.weight[drawable]  # the first to arrive are the draws
    order = np.append(chosen, drawable[np.argsort(wait)])
    few = _distinct(rows.values, order[:n])
    return few if len(few) == n else _distinct(rows.values, order)[:n]


def _distinct(values: np.ndarray, order: np.ndarray) -> np.ndarray:
    """`order` less the rows that equal an earlier one."""
    cells = values[order]
    _, first = np.unique(np.where(np.isnan(cells), np.inf, cells), axis=0, return_index=True)
    return order[np.sort(first)]


def _check_number_of(n: Any, rows: ShiftedRows) -> None:
    whole = isinstance(n, int | np.integer) and not isinstance(n, bool)
    if not whole or not 1 <= n <= len(rows.values):
        raise InvalidParameter(
            f"n must be an integer from 1 to the number of rows, {len(rows.values)}; got {n!r}."
        )
