"""Hostile tables: small, of every kind that the registry asks for, with things that break formulas."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ..contract.registry import Entry
from .trial import Trial

LEVELS = (("low", "high"), ("no", "yes"), ("a", "b", "c"))
COUNTED = ("BernoulliMixture", "PoissonMixture", "MultinomialMixture", "MultinomialNB", "TfidfTransformer")
LABELS = (
    ["no", "yes"], ["a", "b"], [0, 1], [-1, 1], [False, True], [1.0, 2.0], ["x", "y", "z"], [3, 1, 2],
    ["a", "b", "c", "d"],
)  # fmt: skip


@dataclass(frozen=True)
class Problem:
    """A table, its targets, and what is odd about them."""

    X: Any
    y: np.ndarray | None
    weight: np.ndarray | None = None
    groups: np.ndarray | None = None
    traits: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.X)

    @property
    def numbers(self) -> bool:
        """Whether X is an array of numbers."""
        return isinstance(self.X, np.ndarray) and self.X.dtype.kind == "f"


def draw(trial: Trial, entry: Entry, *, extreme: bool = True, weighted: float = 0.4) -> Problem:
    """A problem for an estimator; `extreme` allows scales far from one, `weighted` is the chance of weights."""
    n = int(trial.rng.integers(5, 41)) if not trial.tame else int(trial.rng.integers(24, 41))
    extreme = extreme and not trial.tame
    X, traits = columns(trial, entry, n, extreme)
    y, more = targets(trial, entry, X, n, extreme)
    w, kind = weights(trial, n) if trial.chance(weighted) and entry.capabilities.weights else (None, "")
    problem = Problem(
        X, y, w, trial.rng.integers(0, max(3, n // 5), n), (*traits, *more, *((kind,) if kind else ()))
    )
    trial.note(f"{n} rows", *problem.traits)
    return problem


def rows(table: Any, at: np.ndarray) -> Any:
    """Rows of an array, a frame, or a list of documents."""
    if isinstance(table, pd.DataFrame):
        return table.iloc[at]
    return [table[i] for i in at] if isinstance(table, list) else table[at]


# -- columns ---------------------------------------------------------------------------------------------
def columns(trial: Trial, entry: Entry, n: int, extreme: bool) -> tuple[Any, tuple[str, ...]]:
    rng, name = trial.rng, entry.cls.__name__
    if name in COUNTED:
        top = 2 if name == "BernoulliMixture" else 6
        return rng.integers(0, top, (n, int(rng.integers(1, 5)))).astype(float), ()
    if entry.takes == "categories":
        return np.array([[trial.one(v) for v in LEVELS] for _ in range(n)], dtype=object), ()
    if entry.takes == "mixed columns":
        return pd.DataFrame({"n": rng.integers(0, 9, n), "color": rng.choice(["red", "blue"], n)}), ()
    if entry.takes == "documents":
        words = ("the", "quick", "fox", "dog", "and", "lazy", "Fox", "1,5")
        return [" ".join(rng.choice(words, int(rng.integers(0, 7)))) for _ in range(n)], ()
    if entry.takes == "datetimes":
        return pd.DataFrame(
            {"t": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 9000, n), "h")}
        ), ()
    X, traits = numbers(trial, n, 1 if entry.takes == "one column" else int(rng.integers(1, 6)), extreme)
    if entry.takes == "positive numbers":
        X = np.abs(X) + 1e-3
    if entry.takes == "gaps":
        X = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    return X, traits


def numbers(trial: Trial, n: int, p: int, extreme: bool) -> tuple[np.ndarray, tuple[str, ...]]:
    """Columns of several shapes, then up to three things done to them."""
    X = np.column_stack([SHAPES[trial.one(SHAPES)](trial.rng, n) for _ in range(p)])
    names = [k for k in HOSTILE if extreme or k not in EXTREME]
    chosen = () if trial.tame else tuple(trial.one(names) for _ in range(trial.one([0, 1, 1, 2, 3])))
    for name in chosen:
        X = HOSTILE[name](trial, X)
    return X, chosen


SHAPES = {
    "normal": lambda rng, n: rng.standard_normal(n),
    "normal too": lambda rng, n: 2 + rng.standard_normal(n),
    "uniform": lambda rng, n: rng.uniform(-2, 2, n),
    "whole": lambda rng, n: rng.integers(0, 5, n).astype(float),
    "yes or no": lambda rng, n: (rng.random(n) < 0.4).astype(float),
    "heavy tails": lambda rng, n: rng.standard_t(2, n),
    "positive": lambda rng, n: rng.lognormal(0, 1, n),
}


def _column(trial: Trial, X: np.ndarray) -> int:
    return int(trial.rng.integers(X.shape[1]))


def _joined(X: np.ndarray, column: np.ndarray) -> np.ndarray:
    return np.column_stack([X, column])


def _scaled(trial: Trial, X: np.ndarray, reach: float) -> np.ndarray:
    return X * 10.0 ** trial.rng.uniform(-reach, reach, X.shape[1])


def _moved(trial: Trial, X: np.ndarray, size: float) -> np.ndarray:
    out = X.copy()
    out[:, _column(trial, X)] += size
    return out


def _copied_rows(trial: Trial, X: np.ndarray) -> np.ndarray:
    return X[trial.rng.integers(0, max(1, len(X) // 2), len(X))]


def _wild(trial: Trial, X: np.ndarray) -> np.ndarray:
    out = X.copy()
    out[trial.rng.integers(len(X)), _column(trial, X)] = 999_999_999.0
    return out


def _one_row(trial: Trial, X: np.ndarray) -> np.ndarray:
    return _joined(X, (np.arange(len(X)) == trial.rng.integers(len(X))).astype(float))


HOSTILE = {
    "other units": lambda t, X: _scaled(t, X, 4.0),
    "far units": lambda t, X: _scaled(t, X, 12.0),
    "units of 1e150": lambda t, X: X * 10.0 ** t.rng.uniform(-150, 150),
    "a copy": lambda t, X: _joined(X, X[:, _column(t, X)]),
    "a scaled copy": lambda t, X: _joined(X, -3.7 * X[:, _column(t, X)]),
    "a sum of columns": lambda t, X: _joined(X, X.sum(axis=1)),
    "nearly a copy": lambda t, X: _joined(X, X[:, 0] + 1e-5 * t.rng.standard_normal(len(X)) * (np.ptp(X[:, 0]) or 1)),
    "a constant": lambda t, X: _joined(X, np.full(len(X), t.one([0.0, 1.0, 3.7, -1e10, 0.1]))),
    "only constants": lambda t, X: np.full_like(X, t.one([0.0, 1.0, 0.1])),
    "a dummy of one row": _one_row,
    "mean of 1e4": lambda t, X: _moved(t, X, 1e4),
    "mean of 1e8": lambda t, X: _moved(t, X, 1e8),
    "1e9 and 1e-4 noise": lambda t, X: _joined(X, 1e9 + 1e-4 * t.rng.standard_normal(len(X))),
    "a sentinel": _wild,
    "rows repeated": _copied_rows,
    "sorted": lambda t, X: np.sort(X, axis=0),
    "minus zero": lambda t, X: np.where(X > 0, X, -0.0),
}  # fmt: skip
EXTREME = ("units of 1e150", "1e9 and 1e-4 noise", "mean of 1e8", "far units", "a sentinel", "nearly a copy")


# -- targets ---------------------------------------------------------------------------------------------
def targets(
    trial: Trial, entry: Entry, X: Any, n: int, extreme: bool
) -> tuple[np.ndarray | None, tuple[str, ...]]:
    if not entry.predicts:
        return None, ()
    signal = _signal(trial, X, n)
    noise = trial.one([0.1, 1.0, 3.0]) * trial.rng.standard_normal(n)
    if entry.kind == "classifier":
        return _labels(trial, entry, signal + noise, n)
    if entry.takes == "counts":
        return trial.rng.poisson(np.exp(np.clip(0.5 + 0.5 * signal, -3, 4))).astype(float), ()
    name = trial.one(TAME if trial.tame else [k for k in TARGETS if extreme or k not in BEYOND])
    return TARGETS[name](trial, signal, noise), (f"y: {name}",)


def _signal(trial: Trial, X: Any, n: int) -> np.ndarray:
    """A sum of the columns in units of their spread."""
    if not (isinstance(X, np.ndarray) and X.dtype.kind == "f"):
        return trial.rng.standard_normal(n)
    centered = X - np.nanmean(X, axis=0)
    size = np.nanmax(np.abs(centered), axis=0)
    return np.nan_to_num(centered / np.where(size > 0, size, 1)) @ trial.rng.standard_normal(X.shape[1]) * 2


TARGETS = {
    "plain": lambda t, s, e: 1 + s + e,
    "plain too": lambda t, s, e: s + e,
    "exact": lambda t, s, e: 2 + s,
    "constant": lambda t, s, e: np.full(len(s), t.one([0.0, 1.0, 0.1, -1e6])),
    "two values": lambda t, s, e: np.sign(s + e),
    "whole numbers": lambda t, s, e: np.round(3 * (s + e)),
    "mean of 1e4": lambda t, s, e: 1e4 + s + e,
    "mean of 1e8": lambda t, s, e: 1e8 + s + e,
    "units of 1e6": lambda t, s, e: (s + e) * 10.0 ** t.rng.uniform(-6, 6),
    "units of 1e150": lambda t, s, e: (s + e) * 10.0 ** t.rng.uniform(-140, 140),
    "sorted": lambda t, s, e: np.sort(s + e),
    "one wild": lambda t, s, e: s + np.where(np.arange(len(s)) == 2, 1e6, e),
}


TAME = ("plain", "plain too")
BEYOND = ("units of 1e150", "mean of 1e8")


def _labels(trial: Trial, entry: Entry, score: np.ndarray, n: int) -> tuple[np.ndarray, tuple[str, ...]]:
    names = trial.one([v for v in LABELS if len(v) == 2 or not entry.two_classes])
    share = trial.one([None, None, 0.9])
    edges = (
        np.linspace(0, 1, len(names) + 1)[1:-1]
        if share is None
        else share + 0.1 * np.arange(len(names) - 1) / len(names)
    )
    codes = np.digitize(score, np.quantile(score, edges))
    codes[: len(names)] = np.arange(len(names))  # each occurs
    at = np.argsort(codes, kind="stable") if trial.chance(0.15) else np.arange(n)
    traits = (f"{len(names)} classes", *(("a rare class",) if share else ()))
    return np.asarray(names)[codes[at]], (
        *traits,
        *(("y sorted",) if at is not None and np.any(np.diff(at) != 1) else ()),
    )


# -- weights ---------------------------------------------------------------------------------------------
WEIGHTS = {
    "counts": lambda rng, n: rng.integers(1, 5, n).astype(float),
    "some zero": lambda rng, n: rng.integers(0, 3, n).astype(float),
    "mostly zero": lambda rng, n: (rng.random(n) < 0.4).astype(float),
    "fractions": lambda rng, n: rng.uniform(0.05, 2, n),
    "tiny": lambda rng, n: 10.0 ** rng.uniform(-14, -5) * rng.uniform(0.5, 2, n),
    "huge": lambda rng, n: 10.0 ** rng.uniform(5, 12) * rng.uniform(0.5, 2, n),
    "far apart": lambda rng, n: 10.0 ** rng.uniform(-6, 6, n),
    "one rules": lambda rng, n: np.where(np.arange(n) == 1, 1e6, 1.0),
}


def weights(trial: Trial, n: int, names: Any = WEIGHTS) -> tuple[np.ndarray, str]:
    name = trial.one(names)
    w = WEIGHTS[name](trial.rng, n)
    w[0] = w[0] or 1.0
    return w, f"weights {name}"


def replaced(problem: Problem, **changes: Any) -> Problem:
    return replace(problem, **changes)


def new_rows(trial: Trial, X: Any, model: Any = None, n: int = 6) -> Any:
    """Rows to predict: some of the table, or points halfway between two, which keep what columns share.

    Functions of the columns may be copies at the rows of the table and nowhere else.
    """
    at = trial.rng.integers(0, len(X), (2, n))
    if isinstance(X, np.ndarray) and X.dtype.kind == "f" and getattr(model, "basis", None) is None:
        return 0.5 * X[at[0]] + 0.5 * X[at[1]]
    return rows(X, at[0])
