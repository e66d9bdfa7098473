"""Sixty rows of what an estimator takes, other rows to predict, and another problem to be fitted in between.

A generator makes the table for one setting; an entry may bring its own (`Entry.data`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from suffice.distributions import Beta

if TYPE_CHECKING:
    from .entry import Entry

Settings = Mapping[str, Any]
Make = Callable[["Entry", Settings], "Data"]

rng = np.random.default_rng(5)
N, D, NEW_ROWS = 60, 3, 7
NUMBERS = rng.uniform(-2, 2, (N, D)) + [0.0, 0.5, -0.3]
TARGETS = 4 + NUMBERS @ [2.0, -1.0, 0.5] + 0.3 * NUMBERS[:, 0] ** 2 + 0.2 * rng.standard_normal(N)
TWO_TARGETS = np.column_stack([TARGETS, 10 - 3 * TARGETS + rng.standard_normal(N)])
COUNTED = rng.integers(0, 4, N).astype(float)  # weights that count rows
NEW_NUMBERS = rng.uniform(-2, 2, (NEW_ROWS, D))
SCALE = np.ptp(TARGETS)
WORDS = np.array(["high", "low", "middle"])
LABELS = WORDS[np.digitize(TARGETS, np.quantile(TARGETS, [0.2, 0.7]))]
OVERLAPPING = WORDS[np.digitize(TARGETS + 4 * np.random.default_rng(6).standard_normal(N), [2.5, 5.5])]
ALTERNATING = np.arange(N) % 2 == 0
LEVELS = (("low", "high"), ("no", "yes"), ("a", "b", "c"))


@dataclass(frozen=True)
class Data:
    """A problem: a table with targets, rows to predict; another table, and other targets."""

    X: Any
    y: np.ndarray
    new: Any
    other: Any
    other_y: np.ndarray
    several: np.ndarray  # two columns of targets

    @property
    def between(self) -> tuple[Any, np.ndarray]:
        """Another table, and other targets."""
        return self.other, self.other_y[: len(self.other)]

    @property
    def is_array(self) -> bool:
        return isinstance(self.X, np.ndarray)

    @property
    def is_numeric(self) -> bool:
        """Whether the table is an array of floats."""
        return self.is_array and self.X.dtype.kind == "f"


def rows(table: Any, at: Any) -> Any:
    """Rows of an array, a frame, or a list of documents."""
    if isinstance(table, pd.DataFrame):
        return table.iloc[at]
    if isinstance(table, list):
        return table[at] if isinstance(at, slice) else [table[i] for i in np.arange(len(table))[at]]
    return table[at]


def target(entry: Entry) -> np.ndarray:
    """Labels for a classifier, numbers for everything else."""
    if entry.kind != "classifier":
        return TARGETS
    labels = OVERLAPPING if entry.overlapping else LABELS
    return np.where(labels == "high", "high", "low") if entry.two_classes else labels


def other_target(entry: Entry) -> np.ndarray:
    """Targets of another shape or kind."""
    if entry.kind == "classifier":
        return ALTERNATING
    return 7 - TARGETS**2 if entry.one_target else TWO_TARGETS


def problem(entry: Entry, X: Any, new: Any, other: Any, **targets: np.ndarray) -> Data:
    """With the targets of its kind."""
    given = {"y": target(entry), "other_y": other_target(entry), "several": TWO_TARGETS} | targets
    return Data(X, given["y"], new, other, given["other_y"], given["several"])


# -- numbers --------------------------------------------------------------------------------------------
def numbers(entry: Entry, parameters: Settings) -> Data:
    return problem(entry, NUMBERS, NEW_NUMBERS, NUMBERS[:40, :2])


def one_column(entry: Entry, parameters: Settings) -> Data:
    return problem(entry, NUMBERS[:, :1], NEW_NUMBERS[:, :1], NUMBERS[:40, 1:2])


def positive_numbers(entry: Entry, parameters: Settings) -> Data:
    return problem(entry, np.exp(NUMBERS), np.exp(NEW_NUMBERS), np.exp(NUMBERS[:40, :2]))


def gaps(entry: Entry, parameters: Settings) -> Data:
    """A cell in six is missing, marked as the setting says."""
    mark = parameters.get("missing_values", np.nan)
    made = np.random.default_rng(7)
    tables = [
        np.where(made.random(t.shape) < 1 / 6, mark, t) for t in (NUMBERS, NEW_NUMBERS, NUMBERS[:40, :2])
    ]
    return problem(entry, *tables)


def few_numbers(entry: Entry, parameters: Settings, n: int = 12) -> Data:
    """For what draws many samples per row."""
    whole = numbers(entry, parameters)
    return Data(whole.X[:n], whole.y[:n], whole.new, whole.other[:n], whole.other_y[:n], whole.several[:n])


# -- counts ---------------------------------------------------------------------------------------------
def counts(entry: Entry, parameters: Settings, top: int = 6) -> Data:
    """Every column holds whole numbers below `top`; rows of different classes differ."""
    made = np.random.default_rng(8)
    lean = np.column_stack([word == LABELS for word in WORDS]).astype(int)

    def drawn(lean: np.ndarray) -> np.ndarray:
        return np.minimum(made.integers(0, top, lean.shape) + lean, top - 1).astype(float)

    return problem(entry, drawn(lean), drawn(lean[:NEW_ROWS]), drawn(lean[:40, :2]))


flags = partial(counts, top=2)


def counted_targets(entry: Entry, parameters: Settings, least: int = 0) -> Data:
    """Numbers, and targets that count something, at least so much."""
    made = np.random.default_rng(9)
    scatter = made.gamma(0.8, 1.25, N)  # so much more than a Poisson distribution has that all folds show it
    rate = np.exp(1 + 0.4 * NUMBERS[:, 0] - 0.3 * NUMBERS[:, 1]) * scatter
    y = made.poisson(rate).astype(float) + least
    other = made.integers(1, 9, N).astype(float)
    return problem(
        entry, NUMBERS, NEW_NUMBERS, NUMBERS[:40, :2], y=y, other_y=other, several=np.column_stack([y, other])
    )


positive_targets = partial(counted_targets, least=1)


# -- what is no number ------------------------------------------------------------------------------------
def categories(entry: Entry, parameters: Settings) -> Data:
    """Words; as many columns as a setting lists, and two words each where its prior is of two."""
    listed = parameters.get("categories", LEVELS)
    levels = [words[:2] for words in listed] if isinstance(parameters.get("prior"), Beta) else listed
    made = np.random.default_rng(10)
    X = np.column_stack([made.choice(words, N) for words in levels]).astype(object)
    X[:, -1] = np.where(LABELS == "high", levels[-1][0], X[:, -1])
    at = made.integers(0, N, NEW_ROWS)  # rows of other combinations are what some settings have no answer for
    return problem(entry, X, X[at], X[:40, ::-1] if listed is LEVELS else X[:40])


def codes(entry: Entry, parameters: Settings) -> Data:
    """Whole numbers for what does not learn words, unless a setting lists them."""
    found = categories(entry, parameters)
    if "categories" in parameters:
        return found
    levels = [np.unique(column) for column in found.X.T.astype(str)]

    def coded(table: np.ndarray) -> np.ndarray:
        return np.column_stack(
            [np.searchsorted(levels[j], table[:, j].astype(str)) for j in range(table.shape[1])]
        ).astype(float)

    return problem(entry, coded(found.X), coded(found.new), coded(found.X[:40]))


def few_categories(entry: Entry, parameters: Settings) -> Data:
    """Two columns of two words, whose four pairs occur in every part and every class."""
    pairs = np.array([[a, b] for a in LEVELS[0] for b in LEVELS[1]], dtype=object)
    at = np.empty(N, dtype=int)
    for word, shift in zip(WORDS, (0, 1, 3), strict=True):  # each class has another pair most often
        rows_of = np.flatnonzero(word == LABELS)
        at[rows_of] = (np.arange(len(rows_of)) + shift) % 5 % 4
    return problem(entry, pairs[at], pairs[[0, 1, 2, 3, 3, 1, 0]], pairs[at][:40, ::-1])


def mixed_columns(entry: Entry, parameters: Settings) -> Data:
    made = np.random.default_rng(11)

    def drawn(n: int) -> pd.DataFrame:
        return pd.DataFrame({"n": made.integers(0, 9, n), "color": made.choice(["red", "blue"], n)})

    return problem(entry, drawn(N), drawn(NEW_ROWS), drawn(40))


def documents(entry: Entry, parameters: Settings) -> Data:
    made = np.random.default_rng(12)
    words = ("the", "quick", "fox", "dog", "and", "lazy", "Fox", "1,5")

    def drawn(n: int) -> list[str]:
        return [" ".join(made.choice(words, int(made.integers(2, 9)))) for _ in range(n)]

    return problem(entry, drawn(N), drawn(NEW_ROWS), drawn(40))


def datetimes(entry: Entry, parameters: Settings) -> Data:
    made = np.random.default_rng(13)

    def drawn(n: int) -> pd.DataFrame:
        hours = pd.to_timedelta(made.integers(0, 9000, n), "h")
        return pd.DataFrame({"t": pd.Timestamp("2024-01-01") + hours})

    return problem(entry, drawn(N), drawn(NEW_ROWS), drawn(40))


GENERATORS: dict[str, Make] = {
    "numbers": numbers,
    "one column": one_column,
    "positive numbers": positive_numbers,
    "gaps": gaps,
    "numbers, by sampling": few_numbers,
    "counts": counts,
    "categories": categories,
    "mixed columns": mixed_columns,
    "documents": documents,
    "datetimes": datetimes,
}
