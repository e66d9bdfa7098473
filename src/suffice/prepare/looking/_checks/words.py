"""Text that hides something: numbers, dates, marks for none, one category in several spellings, unseen characters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from suffice.prepare.looking._checks.wording import column, listed, mark_for_none, quoted, rows
from suffice.prepare.looking._decimal_marks import decimal_mark
from suffice.prepare.looking._lexicon import ABSENT, CODE, IDENTIFIER, folded, name_words
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking._texts import date_format, date_formats, is_number, number_share, parse_date
from suffice.prepare.looking.findings import AuditFinding, finding

VARIANTS = 5000
LEVELS = frozenset({"none", "unknown", "-", "missing", "na", "."})
DOUBTFUL = frozenset({"unknown", "missing", "na"})  # among words either a gap or a level


def check_words(p: Profile) -> Iterator[AuditFinding]:
    """All of these, for one column."""
    if p.kind != "text":
        return
    words = [str(w) for w in p.distinct]
    yield from _nested(p)
    absent = _absent(p, words)
    doubtful = np.array([w.strip().casefold() in DOUBTFUL for w in words], dtype=bool) & ~absent
    for marked, severity in ((absent, "warning"), (doubtful, "note")):
        if marked.any():
            found = p.rows_of(marked)
            message = mark_for_none(p.name, "says", p.distinct[marked], len(found))
            yield finding("disguised gap", p.name, found, message, severity=severity)
    yield from _numbers_or_dates(p, absent)
    if len(words) <= VARIANTS:
        yield from _variants(p, words)
    yield from _characters(p, words)


def _absent(p: Profile, words: list[str]) -> np.ndarray:
    """Which distinct words stand for none; a level called none or unknown may be one, unless the rest are numbers."""
    plain = [w.strip().casefold() for w in words]
    marked = np.array([w in ABSENT for w in plain], dtype=bool)
    rest = p.distinct[~marked]
    if len(rest) and number_share(rest) < 0.5:
        marked &= np.array([w not in LEVELS for w in plain], dtype=bool)
    return marked


def _nested(p: Profile) -> Iterator[AuditFinding]:
    if p.values.dtype != object:
        return
    kinds = {type(v) for v in p.values} - {type(None)}
    odd = tuple(k for k in kinds if issubclass(k, list | dict | set | tuple | np.ndarray))
    if odd:
        found = [i for i, v in enumerate(p.values) if isinstance(v, odd)]
        what = ", ".join(sorted({k.__name__ for k in odd}))
        message = f"{column(p.name)} has cells that hold several values ({what}) in {rows(len(found))}."
        yield finding("nested cells", p.name, found, message)


# -- numbers and dates as text ----------------------------------------------------------------------------
def _numbers_or_dates(p: Profile, absent: np.ndarray) -> Iterator[AuditFinding]:
    rest = p.distinct[~absent]
    if not len(rest):
        return
    if pattern := date_format(rest):
        yield _dates(p, rest, pattern)
        return
    if formats := date_formats(rest):
        yield _several_formats(p, formats)
        return
    if number_share(rest) <= 0.3 or {*CODE, *IDENTIFIER} & set(name_words(p.name)):
        return
    reads = np.array([is_number(w) for w in p.distinct])
    numbers, others = int(p.counts[reads].sum()), ~reads & ~absent
    if numbers < 0.5 * p.known or any(_padded(w) for w in rest[:200]):
        return
    if not others.any():
        first = quoted(p.distinct[reads][0])
        listing = decimal_mark(p.distinct.tolist()).remark
        written = f" {listing[0].upper()}{listing[1:]}." if listing else ""
        message = (
            f"{column(p.name)} holds numbers written as text in {rows(numbers)}, such as {first}.{written}"
        )
        yield finding("numbers as text", p.name, p.rows_of(reads), message)
        return
    found = p.rows_of(others)
    listing = ", ".join(f"{quoted(w)} ({c} times)" for w, c in _commonest(p, others)[:5])
    message = (
        f"{column(p.name)} mixes numbers ({rows(numbers)}) with other values ({rows(len(found))}): {listing}."
    )
    yield finding("mixed types", p.name, found, message)


def _padded(word: Any) -> bool:
    """A leading zero: a code, not a number."""
    text = str(word).strip()
    return len(text) > 1 and text[0] == "0" and text.isdigit()


def _commonest(p: Profile, chosen: np.ndarray) -> list[tuple[Any, int]]:
    pairs = [(w, int(c)) for w, c in zip(p.distinct[chosen], p.counts[chosen], strict=True)]
    return sorted(pairs, key=lambda pair: -pair[1])


def _dates(p: Profile, rest: np.ndarray, pattern: str) -> AuditFinding:
    fits = np.array([parse_date(str(w).strip(), pattern) is not None for w in p.distinct])
    found = p.rows_of(fits)
    other = int(p.counts[~fits].sum())
    besides = f"; {rows(other)} {'does' if other == 1 else 'do'} not fit" if other else ""
    swapped = pattern.replace("%d", "%?").replace("%m", "%d").replace("%?", "%m")
    both = swapped != pattern and all(parse_date(str(w).strip(), swapped) for w in rest[:200])
    doubt = f" {swapped} fits as well." if both and pattern[1] in "dm" else ""
    message = f"{column(p.name)} holds dates written as text, format {pattern}, in {rows(len(found))}{besides}.{doubt}"
    return finding("dates as text", p.name, found, message)


def _several_formats(p: Profile, formats: tuple[str, ...]) -> AuditFinding:
    """Dates of which no format fits nine in ten: several formats, or days that are in no calendar."""
    first = {w: next((f for f in formats if parse_date(str(w).strip(), f)), None) for w in p.distinct}
    fits = np.array([first[w] is not None for w in p.distinct], dtype=bool)
    listing = ", ".join(f"{f} ({_count(p, [first[w] == f for w in p.distinct])} rows)" for f in formats)
    other = f"; no date: {listed(p.distinct[~fits])}" if not fits.all() else ""
    several = len(formats) > 1
    how = "in several formats:" if several else "format"
    message = f"{column(p.name)} holds dates written as text, {how} {listing}{other}."
    severity = "error" if several else "warning"
    step = "Settle one format, and which number is the month, then make times of them."
    return finding("dates as text", p.name, p.rows_of(fits), message, severity=severity, next_step=step)


def _count(p: Profile, chosen: list[bool]) -> int:
    return int(p.counts[np.array(chosen, dtype=bool)].sum())


# -- one category, several spellings ----------------------------------------------------------------------
def _variants(p: Profile, words: list[str]) -> Iterator[AuditFinding]:
    groups: dict[str, list[int]] = {}
    for i, word in enumerate(words):
        groups.setdefault(folded(word), []).append(i)
    many = [g for g in groups.values() if len(g) > 1]
    if not many:
        return
    rarer = np.zeros(len(words), dtype=bool)
    for group in many:
        usual = max(group, key=lambda i: p.counts[i])
        rarer[[i for i in group if i != usual]] = True
    found = p.rows_of(rarer)
    listing = "; ".join(" = ".join(quoted(words[i]) for i in g) for g in many[:4])
    message = f"{column(p.name)} writes one category in several ways ({listing}): {rows(len(found))} in a rarer way."
    yield finding("spelling variants", p.name, found, message)


def _characters(p: Profile, words: list[str]) -> Iterator[AuditFinding]:
    padded = np.array([w != w.strip() and bool(w.strip()) for w in words], dtype=bool)
    if padded.any():
        found = p.rows_of(padded)
        first = quoted(words[int(np.argmax(padded))])
        message = f"{column(p.name)} begins or ends with a blank in {rows(len(found))}, such as {first}."
        yield finding("blanks", p.name, found, message)
    unseen = np.array([not w.isprintable() and _unseen(w) for w in words], dtype=bool)
    if unseen.any():
        found = p.rows_of(unseen)
        first = quoted(words[int(np.argmax(unseen))])
        message = (
            f"{column(p.name)} holds characters that cannot be seen in {rows(len(found))}, such as {first}."
        )
        yield finding("unprintable", p.name, found, message)


def _unseen(word: str) -> bool:
    return any(not c.isprintable() and c not in "\n\r\t" for c in word)
