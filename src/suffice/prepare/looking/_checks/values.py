r"""Numbers and times that cannot be: infinite, beyond what the name allows, sentinels for "none", far from all others.

Outliers     d_i = |x_i − median|; let s be the largest d but for the most extreme hundredth (one at least, fifty at
             most) and m the median of d. An outlier has d > s · max(3, s/m) · (1 + 10/n)
s/m is large where tails are heavy, so the limit grows with them and a skewed or heavy-tailed column is not flagged
wholesale; for a normal column of a thousand rows it lies near ten standard deviations.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from suffice.prepare.looking._checks.wording import column, listed, mark_for_none, quoted, rows
from suffice.prepare.looking._lexicon import COUNT, MEASURE, NON_NEGATIVE, PERCENT, RANGES, name_words, set_of
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.looking.findings import AuditFinding, finding

SENTINELS = (-9.0, -99.0, -999.0, -9999.0, -99999.0, 99.0, 999.0, 9999.0, 99999.0, 999999.0, -888.0, -777.0)
FIRST_DAYS = (
    "0001-01-01",
    "1899-12-30",
    "1899-12-31",
    "1900-01-01",
    "1901-01-01",
    "1904-01-01",
    "1970-01-01",
)
LAST_DAYS = ("9999-12-31", "2099-12-31", "2262-04-11")
AHEAD = set_of("due expiry expires end until forecast deadline planned scheduled next valid maturity")
OLDEST = 130


def check_values(p: Profile, a: Attribute, now: np.datetime64) -> Iterator[AuditFinding]:
    """All of these, for one column."""
    if p.kind == "times" and p.values.dtype.kind == "M":
        yield from _times(p, now)
    if p.kind != "numbers":
        return
    yield from _infinite(p)
    if len(p.finite) < 3 or a.identifier:
        return
    odd = np.zeros(len(p.distinct), dtype=bool)
    for check in (_sentinels, _by_name, _lone_sign):
        for found, chosen in check(p, odd):
            odd |= chosen
            yield found
    if a.scale != "nominal":
        yield from _outliers(p, odd)


def _infinite(p: Profile) -> Iterator[AuditFinding]:
    if (wrong := np.isinf(p.distinct.astype(float))).any():
        found = p.rows_of(wrong)
        message = f"{column(p.name)} is infinite in {rows(len(found))}."
        yield finding("infinite", p.name, found, message)


Odd = tuple[AuditFinding, np.ndarray]


# -- impossible numbers -----------------------------------------------------------------------------------
def _sentinels(p: Profile, odd: np.ndarray) -> Iterator[Odd]:
    """−999 and its kin, further from the other values than these are from one another; a lone −1 among counts."""
    v = p.distinct.astype(float)
    candidates = np.isin(v, SENTINELS)
    rest = v[np.isfinite(v) & ~candidates]
    if len(rest) >= 3:
        low, high = rest[0], rest[-1]
        far = candidates & ((low - v > high - low) | (v - high > high - low))
        minus = (v == -1) & (low >= -1) & bool(np.sum(rest < 0) == 1 and high >= 5) & p.whole
        for chosen in ([far] if far.any() else []) + ([minus] if minus.any() else []):
            found = p.rows_of(chosen)
            message = mark_for_none(p.name, "holds", v[chosen].tolist(), len(found))
            yield finding("sentinel", p.name, found, message), chosen


def _by_name(p: Profile, odd: np.ndarray) -> Iterator[Odd]:
    """Outside what the name allows."""
    words, v = set(name_words(p.name)), p.distinct.astype(float)
    rules = (
        (PERCENT & words, (v < 0) | (v > 100), "lies outside 0 to 100"),
        (NON_NEGATIVE & words, v < 0, "is negative"),
        ({"age"} & words, v > OLDEST, f"is above {OLDEST}"),
    )
    for applies, wrong, what in (*rules, *_ranges(words, v, p.whole)):
        wrong = wrong & ~odd & np.isfinite(v)
        if applies and wrong.any() and p.counts[wrong].sum() < 0.2 * p.known:
            found = p.rows_of(wrong)
            worst = v[wrong][np.argmax(np.abs(v[wrong]))]
            message = f"{column(p.name)} {what} in {rows(len(found))}, for instance {quoted(float(worst))}."
            yield finding("impossible", p.name, found, message), wrong


def _ranges(words: set[str], v: np.ndarray, whole: bool) -> Iterator[tuple[bool, np.ndarray, str]]:
    """Ranges that a name implies: degrees of the globe, shares, places in a cycle."""
    other = bool(words & {"per", "rate", *COUNT, *MEASURE, *NON_NEGATIVE})
    for names, low, high in RANGES:
        low = 0 if low == 1 and not np.any(v == high) else low  # months from 0 to 11
        applies = bool(names & words) and not other and (whole or low < 0 or high == 1)
        yield applies, (v < low) | (v > high), f"lies outside {low} to {high}"


def _lone_sign(p: Profile, odd: np.ndarray) -> Iterator[Odd]:
    """A few negative values far below all the others, which are positive."""
    v = p.distinct.astype(float)
    kept = np.isfinite(v) & ~odd
    wrong = kept & (v < 0)
    rest = np.repeat(v[kept & ~wrong], p.counts[kept & ~wrong])
    few = wrong.any() and p.counts[wrong].sum() <= max(1, 0.01 * p.known)
    if not few or len(rest) < 8:
        return
    low, high = np.percentile(rest, [25, 75])
    if rest[0] - v[wrong][-1] > max(high - low, 0) and high > 0:
        found = p.rows_of(wrong)
        message = f"{column(p.name)} is negative in {rows(len(found))} only ({listed(v[wrong].tolist())})."
        yield finding("lone sign", p.name, found, message), wrong


# -- outliers ---------------------------------------------------------------------------------------------
def outlier_limit(distances: np.ndarray) -> float:
    """How far from the median is too far, given all distances; infinite where there are too few to judge."""
    n = len(distances)
    away = distances[distances > 0]
    if n < 8 or len(away) < 4:
        return float("inf")
    left_out = min(50, max(1, n // 100))
    largest = np.partition(distances, n - left_out - 1)[n - left_out - 1]
    middle = np.median(distances)
    middle = middle if middle > 0 else np.median(away)
    caution = 1 + 10 / n  # the scale of a few rows is a guess
    return float(largest * max(3.0, largest / middle) * caution) if largest > 0 else float("inf")


def _outliers(p: Profile, odd: np.ndarray) -> Iterator[AuditFinding]:
    v = p.distinct.astype(float)
    kept = np.isfinite(v) & ~odd
    x = np.repeat(v[kept], p.counts[kept])
    if len(p.distinct[kept]) < 4:
        return
    middle = np.median(x)
    with np.errstate(over="ignore"):
        limit = outlier_limit(np.abs(x - middle))
        wrong = kept & (np.abs(v - middle) > limit)
    if not wrong.any():
        return
    found = p.rows_of(wrong)
    worst = float(v[wrong][np.argmax(np.abs(v[wrong] - middle))])
    at = int(p.rows_of(v == worst)[0])
    message = (
        f"{column(p.name)}: {rows(len(found))} far from all others (over {limit:.4g} from the median {middle:.4g}); "
        f"the most extreme is {quoted(worst)} at row {at}."
    )
    yield finding("outliers", p.name, found, message)


# -- times ------------------------------------------------------------------------------------------------
def _times(p: Profile, now: np.datetime64) -> Iterator[AuditFinding]:
    days = p.distinct.astype("datetime64[D]")
    marks = np.zeros(len(days), dtype=bool)
    year = np.timedelta64(365, "D")
    if len(days) > 2:
        marks[0] = str(days[0]) in FIRST_DAYS and days[1] - days[0] > year
        marks[-1] = str(days[-1]) in LAST_DAYS and days[-1] - days[-2] > year
    if marks.any():
        found = p.rows_of(marks)
        message = mark_for_none(p.name, "is", days[marks].astype(str), len(found))
        yield finding("sentinel", p.name, found, message)
    ahead = (p.distinct > now) & ~marks
    if ahead.any() and not AHEAD & set(name_words(p.name)):
        found = p.rows_of(ahead)
        message = f"{column(p.name)} lies in the future in {rows(len(found))}, up to {days[ahead][-1]}."
        yield finding("future", p.name, found, message)
