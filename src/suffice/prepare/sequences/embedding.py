r"""From a recording to a table: lags as columns (DTU §10.3.1, eqs 10.6–10.7, Fig. 10.13).

A series y with measurements X over N equidistant steps, embedding size p and horizon h:

    predict y[i+h−1]   from   x[i−p] … x[i−1],  y[i−p] … y[i−1],  z[i+h−1]         i = p+1 … N−h+1

z are *instantaneous* features, known ahead for the time of the target: hour, weekday, a timetable. Rows of
different series never meet in one row of the table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice
from suffice._core.frames import to_frame
from suffice._core.html_tables import html_table
from suffice._core.records import frozen_array, record
from suffice.prepare._values import NumberTable, check_count, read_columns, refuse_nonfinite
from suffice.tables.cells import is_missing

_FILL = "Fill the gap first, for instance with suffice.prepare.interpolate, or leave the series out."


@record
class Embedding:
    """A table for any model, made of lags.

    `X` and `y` are inputs and targets; `rows[k]` is the row of the recording that target k comes from, so
    `time[rows]` are the times of the targets. `names` count steps back from the target: `y[t-3]` is known three
    steps before it. `lagged` and `instantaneous` are positions of columns; `groups` holds the series of each
    row, or is None.
    """

    X: np.ndarray
    y: np.ndarray
    names: tuple[str, ...]
    target_name: str
    rows: np.ndarray
    lagged: np.ndarray
    instantaneous: np.ndarray
    groups: np.ndarray | None
    p: int
    h: int

    @property
    def newest(self) -> int:
        """Position of the newest lag of y, which is what `LastValue` predicts."""
        if len(self.lagged) == 0:
            raise InvalidInput("This embedding has no lagged columns, so there is no newest value.")
        return int(self.lagged[-1])

    @property
    def padding(self) -> int:
        """p + h − 1: rows at most this far apart hold each other's targets or lags; keep them out of training."""
        return self.p + self.h - 1

    def only(self, kind: Literal["instantaneous", "lagged"]) -> Embedding:
        """The same rows with one kind of column: what a model knows without the past, or without the calendar."""
        check_choice("kind", kind, ("instantaneous", "lagged"))
        kept = self.lagged if kind == "lagged" else self.instantaneous
        if len(kept) == 0:
            raise InvalidInput(f"This embedding has no {kind} columns; it has {', '.join(self.names)}.")
        every, none = frozen_array(np.arange(len(kept)), int), frozen_array([], int)
        return replace(
            self,
            X=frozen_array(self.X[:, kept]),
            names=tuple(self.names[j] for j in kept),
            lagged=every if kind == "lagged" else none,
            instantaneous=none if kind == "lagged" else every,
        )

    def ahead(self, y: Any, X: Any = None, instantaneous: Any = None) -> np.ndarray:
        """The row of inputs for the target h steps after the last row of a recording, not yet observed.

        `instantaneous` holds the features of that future time, one row of them.
        """
        past, z = _read(y, X), _features(instantaneous, 1)
        _check_long_enough(len(past.y), self.p, "the recording")
        made = _names(past, z, self.p, self.h)
        for table, part in (
            (past.x, slice(0, self.p * len(past.x.names))),
            (z, slice(-len(z.names) or None, None)),
        ):
            if len(made) != len(self.names) or (table.named and made[part] != self.names[part]):
                raise InvalidInput(
                    f"These inputs make the columns {', '.join(made)}; the embedding has {', '.join(self.names)}."
                )
        return _inputs(past, z.values, np.array([len(past.y)]), np.array([0]), self.p)

    def frame(self, kind: str = "pandas") -> Any:
        """The table with its names and the target last, as a pandas or polars DataFrame."""
        columns = {name: self.X[:, j].copy() for j, name in enumerate(self.names)}
        return to_frame({**columns, self.target_name: self.y.copy()}, kind)

    def _repr_html_(self) -> str:
        columns = {name: self.X[:, j] for j, name in enumerate(self.names)}
        return html_table({self.target_name: self.y, **columns}, repr(self))

    def __repr__(self) -> str:
        n, d = self.X.shape
        pooled = "" if self.groups is None else f", {len(np.unique(self.groups))} series"
        return (
            f"Embedding({n} × {d}, p={self.p}, h={self.h}{pooled}: … {self.names[-1]} → {self.target_name})"
        )


@record
class _Past:
    """What was recorded: the series, its name, and the measurements."""

    y: np.ndarray
    name: str
    x: NumberTable


def embed(
    y: Any, X: Any = None, p: int = 1, h: int = 1, instantaneous: Any = None, series_id: Any = None
) -> Embedding:
    """Turn a recording into rows of past values and a future target.

    Parameters
    ----------
    y
        The series to predict, one number per step; steps are equidistant (see `resample`).
    X
        Measurements of the same steps, of which only the past will be known.
    p
        Embedding size: how many past steps each row holds, oldest first, those of X before those of y.
    h
        Horizon: how many steps after the newest known value the target lies.
    instantaneous
        Features of the same steps that are known ahead, such as those of `CalendarFeatures`; each row holds
        those of its target's time.
    series_id
        Which series each step belongs to. Series are embedded apart and pooled, in the order of their targets;
        a break in a recording starts a new series.

    Examples
    --------
    >>> from suffice.prepare import embed
    >>> table = embed([10, 11, 13, 16, 20], p=2)
    >>> table.names
    ('y[t-2]', 'y[t-1]')
    >>> table.X
    array([[10., 11.],
           [11., 13.],
           [13., 16.]])
    >>> table.y
    array([13., 16., 20.])
    """
    p, h = check_count("p", p), check_count("h", h)
    past = _read(y, X)
    z = _features(instantaneous, len(past.y))
    groups = _series(series_id, len(past.y))
    names = _names(past, z, p, h)
    order, origins = _origins(groups, len(past.y), p, h)
    targets = order[origins + h - 1]
    by_row = np.argsort(targets)
    origins, targets = origins[by_row], targets[by_row]
    ordered = _Past(past.y[order], past.name, replace(past.x, values=past.x.values[order]))
    table = _inputs(ordered, z.values, origins, targets, p)
    n_lagged = table.shape[1] - len(z.names)
    return Embedding(
        X=_sealed(table),
        y=frozen_array(past.y[targets]),
        names=names,
        target_name=f"{past.name}[t]",
        rows=frozen_array(targets, int),
        lagged=frozen_array(np.arange(n_lagged), int),
        instantaneous=frozen_array(np.arange(n_lagged, table.shape[1]), int),
        groups=None if groups is None else frozen_array(groups[targets], None),
        p=p,
        h=h,
    )


def _sealed(array: np.ndarray) -> np.ndarray:
    """Read-only from now on; a large table is not copied for it."""
    array.setflags(write=False)
    return array


def _inputs(past: _Past, z: np.ndarray, origins: np.ndarray, targets: np.ndarray, p: int) -> np.ndarray:
    """Eq. 10.7, a row per origin i: x[i−p] … x[i−1], y[i−p] … y[i−1], then z at the target."""
    steps = origins[:, None] - np.arange(p, 0, -1)  # (rows, p), oldest first
    return np.hstack([past.x.values[steps].reshape(len(origins), -1), past.y[steps], z[targets]])


def _origins(groups: np.ndarray | None, n: int, p: int, h: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows in order of their series, and the places in that order where a full past ends and a target remains."""
    if groups is None:
        _check_long_enough(n, p + h, "y", p, h)
        return np.arange(n), np.arange(p, n - h + 1)
    _, first, code = np.unique(groups, return_index=True, return_inverse=True)
    order, lengths = np.argsort(code, kind="stable"), np.bincount(code)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    for s in np.argsort(first):
        _check_long_enough(int(lengths[s]), p + h, f"series {groups[first[s]]!s}", p, h)
    parts = [np.arange(starts[s] + p, starts[s + 1] - h + 1) for s in range(len(lengths))]
    return order, np.concatenate(parts)


def _check_long_enough(n: int, needed: int, what: str, p: int | None = None, h: int | None = None) -> None:
    if n < needed:
        why = f" (p + h = {p} + {h})" if h is not None else ""
        raise InvalidInput(
            f"{what} has {n} steps; at least {needed} are needed{why}. Choose a smaller p or h, or leave it out."
        )


def _names(past: _Past, z: NumberTable, p: int, h: int) -> tuple[str, ...]:
    """Steps back from the target t: the newest value known at horizon h is that of t − h."""
    backs = range(p + h - 1, h - 1, -1)
    names = [f"{x}[t-{b}]" for b in backs for x in past.x.names]
    names += [f"{past.name}[t-{b}]" for b in backs] + [f"{name}[t]" for name in z.names]
    if len(set(names)) < len(names) or f"{past.name}[t]" in names:
        twice = sorted(({past.name} & {*past.x.names, *z.names}) or set(past.x.names) & set(z.names))
        raise InvalidInput(f"y, X and instantaneous share the name {twice[0]!r}; rename one of them.")
    return tuple(names)


# -- the door -----------------------------------------------------------------------------------------
def _read(y: Any, X: Any) -> _Past:
    series = read_columns("y", y, "y")
    if not series.vector:
        raise InvalidInput(f"y must be one series, a vector; got shape {series.values.shape}.")
    refuse_nonfinite("y", series, _FILL)
    return _Past(series.values[:, 0], series.names[0], _table("X", X, "x", len(series.values)))


def _features(values: Any, n: int) -> NumberTable:
    return _table("instantaneous", values, "z", n)


def _table(what: str, values: Any, stem: str, n: int) -> NumberTable:
    if values is None:
        return NumberTable(np.empty((n, 0)), ())
    table = read_columns(what, values, stem)
    if len(table.values) != n:
        raise InvalidInput(f"{what} must have one row per step ({n}); got {len(table.values)}.")
    refuse_nonfinite(what, table, _FILL)
    return table


def _series(values: Any, n: int) -> np.ndarray | None:
    if values is None:
        return None
    groups = np.asarray(values)
    if groups.shape != (n,):
        raise InvalidInput(f"series_id must have one entry per step of y ({n}); got shape {groups.shape}.")
    for row, value in enumerate(groups.tolist()) if groups.dtype.kind in "fO" else ():
        if is_missing(value):
            raise InvalidInput(f"series_id is missing at row {row}; every step belongs to a series.")
    try:
        np.unique(groups)
    except TypeError:
        raise InvalidParameter("series_id must be all numbers or all text; it mixes kinds.") from None
    return groups
