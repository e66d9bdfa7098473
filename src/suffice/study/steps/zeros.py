"""Zero inflation: more zeros among counts than the model expects of rows it has not seen.

The number of zeros in rows with P(yᵢ = 0) = pᵢ has the mean Σ pᵢ and the variance Σ pᵢ (1 − pᵢ). Where counts scatter
more than the model states, some more zeros come with that: these are allowed for first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.study.numbers import number, percent
from suffice.study.reading.problem import Problem
from suffice.study.table_model import wider

SURE, WORTH = 3.0, 0.02  # standard errors beyond chance, and a share of the rows that is worth a word


def _factor(parts: list[tuple[np.ndarray, Any]], problem: Problem, weight: np.ndarray) -> float:
    """How many times as wide as stated the distributions must be for the errors of the rows."""
    rows = np.concatenate([r for r, _ in parts])
    mean, var = (
        np.concatenate([np.broadcast_to(getattr(d, k), len(r)) for r, d in parts]) for k in ("mean", "var")
    )
    return max(float(np.sqrt(np.average((problem.y[rows] - mean) ** 2 / var, weights=weight[rows]))), 1.0)


def describe_zeros(
    parts: list[tuple[np.ndarray, Any]], problem: Problem, weight: np.ndarray
) -> tuple[str, ...]:
    """What the zeros among counts say about a model; nothing where they are as many as it expects."""
    if problem.task.name != "counts" or not parts:
        return ()
    rows = np.concatenate([r for r, _ in parts])
    parts = [(r, wider(d, _factor(parts, problem, weight))) for r, d in parts]
    p = np.concatenate([np.broadcast_to(d.prob(np.zeros(len(r))), len(r)) for r, d in parts])
    w, n = weight[rows], float(weight[rows].sum())
    seen, expected = float(w @ (problem.y[rows] == 0)), float(w @ p)
    error = float(np.sqrt(w @ (p * (1 - p))))
    if abs(seen - expected) <= max(SURE * error, WORTH * n):
        return ()
    share = percent(seen / n)
    sentence = (
        f"{number(seen)} of {number(n)} counts ({share}) are 0, and the model expects {number(expected)}"
    )
    if seen > expected:
        return (
            f"{sentence}: there are more zeros than it expects (zero inflation), as where some rows can never have a "
            "count above 0. A model of whether a count is 0, beside one of how large it is, may tell more.",
        )
    return (f"{sentence}: there are fewer zeros than it expects, as where a count of 0 is never recorded.",)
