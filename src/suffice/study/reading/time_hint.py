"""Rows that stand in the order of time though nobody said so: folds at random then flatter every model.

A column of dates or years, hardly any of them twice, orders the rows. What a straight line over time leaves of the
target should not remember its last value; where it does, with lag-one autocorrelation r > 0.3 and r √n > 4, rows near
in time are no independent evidence.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from suffice.prepare.looking.attribute_types import printable
from suffice.study.reading.rows import moments_of
from suffice.study.reading.types import table_types

MEMORY, SURE, DIFFERENT = 0.3, 4.0, 0.9
START = "Rows near in"


def time_hint(features: Mapping[str, np.ndarray], y: np.ndarray, target: str) -> str | None:
    """A sentence on the column that orders the rows, if the target remembers; None if there is none."""
    goal = y if y.dtype.kind == "f" else (y == _most_frequent(y)).astype(float)
    for name, values in features.items():
        moments = _moments(name, values)
        if moments is None:
            continue
        r = _memory(moments, goal)
        if r > MEMORY and r * np.sqrt(len(goal)) > SURE:
            return (
                f"{START} '{printable(name)}' are alike: {printable(target)} remembers its last value (autocorrelation "
                f"{r:.2f} about its trend), so folds at random may flatter every model. Say --time to predict each row "
                "from earlier ones."
            )
    return None


def time_remark(remarks: tuple[str, ...]) -> str | None:
    """The hint among the remarks of a problem."""
    return next((r for r in remarks if r.startswith(START) and "--time" in r), None)


def _moments(name: str, values: np.ndarray) -> np.ndarray | None:
    """Moments of a column of dates or years that tells nearly all rows apart."""
    if values.dtype.kind != "M" and not (
        values.dtype.kind in "iuf" and table_types({name: values}, {})[name].calendar
    ):
        return None
    found = moments_of(values, name)
    known = found[np.isfinite(found)]
    enough = len(known) == len(found) and len(np.unique(known)) >= DIFFERENT * len(known)
    return found if enough else None


def _memory(moments: np.ndarray, goal: np.ndarray) -> float:
    """The lag-one autocorrelation of what a line over time leaves."""
    order = np.argsort(moments, kind="stable")
    t, g = moments[order], goal[order]
    t = (t - t.mean()) / (np.ptp(t) or 1.0)
    rest = g - g.mean() - t * float(t @ (g - g.mean())) / (float(t @ t) or 1.0)
    size = float(rest @ rest)
    return float(rest[1:] @ rest[:-1]) / size if size > 0 else 0.0


def _most_frequent(y: np.ndarray) -> object:
    labels, counts = np.unique(y, return_counts=True)
    return labels[int(np.argmax(counts))]
