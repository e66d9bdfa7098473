"""Words that contain the target: its value among the numbers of a text, or words that tell its class."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise

import numpy as np

from suffice.prepare.looking._checks.leaks.case import Case
from suffice.prepare.looking._checks.leaks.classes import sure
from suffice.prepare.looking._checks.leaks.evidence import ALONE, Leak, as_python, in_all, wrong
from suffice.prepare.looking._checks.wording import column, quoted
from suffice.prepare.looking._profile import Profile

NUMBER = re.compile(r"(?<![\d.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?")
WORD = re.compile(r"[^\W_]+", re.UNICODE)
MOST_ROWS, MOST_WORDS = 3000, 60
ENOUGH = 20


def in_text(case: Case, p: Profile) -> Leak | None:
    """A column of words whose cells contain the target."""
    rows = case.known(p)
    if p.kind != "text" or len(rows) < ENOUGH:
        return None
    words = np.array([str(w) for w in p.distinct], dtype=object)
    found = _numbers(case, p, rows, words) if case.numeric and not case.classes else None
    if found is None and case.numeric and case.classes and len(case.target.distinct) > 2:
        found = _numbers(case, p, rows, words)
    return found if found is not None else _words(case, p, rows, words) if case.classes else None


# -- numbers ----------------------------------------------------------------------------------------------
def _numbers(case: Case, p: Profile, rows: np.ndarray, words: np.ndarray) -> Leak | None:
    """The value of the target, as far as it is written out, among the numbers of a cell."""
    if len(p.distinct) < 10 or len(case.target.distinct) < 5:
        return None
    y = case.target.numbers[rows]
    order = np.lexsort((words[p.codes[rows]].astype(str), y))
    some = order[np.linspace(0, len(order) - 1, min(MOST_ROWS, len(order))).astype(int)]
    cells = [_written(w) for w in words[p.codes[rows[some]]]]
    hits = [_holds(c, v) for c, v in zip(cells, y[some], strict=True)]
    far = np.roll(y[some], len(some) // 2)
    chance = [_holds(c, v) for c, v in zip(cells, far, strict=True)]
    if np.mean(hits) < 0.95 or np.mean(chance) > 0.5:
        return None
    found = in_all(int(np.sum(hits)), len(hits))
    message = f"{column(p.name)} contains the value of the target in {found}, and by chance in {int(np.sum(chance)):,}."
    return Leak((p.name,), "error", ALONE, 1 - float(np.mean(hits)), message, rows=len(rows))


def _written(cell: str) -> list[tuple[float, float]]:
    """Numbers in a text, each with half a unit of its last digit."""
    found = []
    for match in NUMBER.findall(cell)[:20]:
        text = match.replace(",", "").replace("−", "-")
        digits = len(text.partition(".")[2])
        found.append((float(text), 0.5000001 * 10.0**-digits if digits else 0.5000001))
    return found


def _holds(numbers: list[tuple[float, float]], value: float) -> bool:
    """Whether a number is the value, rounded to the digits that are written, but not to nothing."""
    return any(abs(x - value) <= min(half, 0.05 * abs(value) + 1e-9) or x == value for x, half in numbers)


# -- classes ----------------------------------------------------------------------------------------------
def _words(case: Case, p: Profile, rows: np.ndarray, words: np.ndarray) -> Leak | None:
    """For each class but one a word that is there when, and only when, the class is."""
    codes, y = p.codes[rows], case.target.codes[rows]
    sizes = np.bincount(y, minlength=len(case.target.distinct))
    met, seldom = np.flatnonzero(sizes), len(rows) - int(sizes.max())
    if len(met) < 2 or seldom < 5 or len(p.distinct) < 10:
        return None
    table = np.zeros((len(words), len(sizes)))
    np.add.at(table, (codes, y), 1)
    for length in (1, 2):
        counts = _word_counts(words, table, length)
        best = {int(c): _best(counts, int(c), sizes) for c in met} if counts else {}
        chosen = sorted(best, key=lambda c: (best[c][0], str(case.target.distinct[c])))[
            : max(len(met) - 1, 1)
        ]
        errors = sum(best[c][0] for c in chosen)
        if chosen and ((errors == 0 and seldom >= 10) or sure(errors, seldom)):
            return _finding_of_words(case, p, [(best[c][1], c) for c in chosen], errors, len(rows), seldom)
    return None


def _finding_of_words(
    case: Case, p: Profile, words: list[tuple[str, int]], errors: int, n: int, seldom: int
) -> Leak:
    shown = ", ".join(f"{quoted(w)} for {quoted(as_python(case.target.distinct[c]))}" for w, c in words[:2])
    message = f"{column(p.name)} contains the target: by its words ({shown}), the class {wrong(errors, n)}."
    return Leak((p.name,), "error", ALONE, errors / seldom, message, rows=n)


def _word_counts(words: np.ndarray, table: np.ndarray, length: int) -> dict[str, np.ndarray]:
    """In how many rows of each class a word is met, or a sequence of two."""
    counts: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(table.shape[1]))
    for cell, row in zip(words, table, strict=True):
        found = WORD.findall(cell.casefold())[:MOST_WORDS]
        for word in set(found if length == 1 else map(" ".join, pairwise(found))):
            counts[word] += row
    return counts


def _best(counts: dict[str, np.ndarray], c: int, sizes: np.ndarray) -> tuple[int, str]:
    """The word that goes with a class: rows with the class and no word, or with the word and another class."""
    errors = ((int(sizes[c] - n[c] + n.sum() - n[c]), word) for word, n in counts.items())
    return min(errors)
