r"""Columns that know the target: what a model would learn from them is not there when it is needed.

Numbers      |correlation| or |rank correlation| above 0.999; the target itself, or that of the row before or after
Classes      I(x; y) > 0.95 H(y), x in its values where there are five rows of each, else in bins of equal counts;
             rows sorted by a number x have their classes one after the other, but for two in a thousand
Gaps         missing where the target has one value, and only there
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from suffice.prepare.looking._checks.telling import column, percent, quoted, rows
from suffice.prepare.looking._profile import Profile
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.looking.findings import Finding, finding

CORRELATED = 0.999
KNOWING = 0.95
FEWEST = 10
CLASSES = 50
STEP = "Leave it out, unless it is known before the target is."


def check_leaks(
    columns: Sequence[Profile], types: dict[str, Attribute], target: Profile
) -> Iterator[Finding]:
    """At most one leak per column, the plainest, and gaps that tell the target."""
    if target.known < FEWEST or len(target.distinct) < 2:
        return
    classes = _is_classes(target, types[target.name])
    for p in columns:
        if p.name == target.name:
            continue
        if p.missing:
            yield from _gap_leak(p, target, classes)
        if p.known and not types[p.name].identifier:
            checks = (_copy, _shifted, _correlated, *((_by_class,) if classes else (_by_level, _by_rank)))
            found = (f for check in checks if (f := check(p, target)) is not None)
            yield from [f for f in [next(found, None)] if f is not None]


def check_balance(target: Profile, types: dict[str, Attribute]) -> Iterator[Finding]:
    """Classes of very unequal size."""
    if not _is_classes(target, types[target.name]) or len(target.distinct) < 2 or target.known < 20:
        return
    least = int(np.argmin(target.counts))
    share = target.counts[least] / target.known
    if share < 0.1 * 2 / len(target.distinct):
        found = target.rows_of(np.arange(len(target.distinct)) == least)
        value = quoted(_plain(target.distinct[least]))
        message = f"Target {quoted(target.name)} is {value} in {rows(len(found))} only ({percent(share)})."
        step = "Judge by more than accuracy, and weigh or resample inside the training rows."
        yield finding("class imbalance", "warning", (target.name,), found, message, step)


def _plain(value: object) -> object:
    return value.item() if isinstance(value, np.generic) else value


def _is_classes(target: Profile, a: Attribute) -> bool:
    few = len(target.distinct) <= CLASSES and target.known >= 5 * len(target.distinct)
    return few and (target.kind in ("text", "flags") or (target.kind == "numbers" and target.whole))


def _leak(p: Profile, target: Profile, severity: str, count: int, message: str) -> Finding:
    return finding("leak", severity, (p.name, target.name), count, message, STEP)  # type: ignore[arg-type]


# -- copies -----------------------------------------------------------------------------------------------
def _equal(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if (a.dtype == object) != (b.dtype == object) or a.dtype.kind in "Mm" or b.dtype.kind in "Mm":
        return a == b if a.dtype.kind == b.dtype.kind else np.zeros(len(a), dtype=bool)
    if a.dtype == object:
        return np.fromiter(
            (type(x) is type(y) and x is not None and str(x) == str(y) for x, y in zip(a, b, strict=True)),
            bool,
            len(a),
        )
    return a == b


def _copy(p: Profile, target: Profile) -> Finding | None:
    both = ~(p.gaps | target.gaps)
    if (
        both.sum() < FEWEST
        or len(p.distinct) > len(target.distinct) + 5
        or not _equal(p.values[both][:1000], target.values[both][:1000]).mean() > 0.9
    ):
        return None
    same = float(_equal(p.values[both], target.values[both]).mean())
    if same < 0.999:
        return None
    message = f"{column(p.name)} equals the target in {percent(same)} of {rows(int(both.sum()))}."
    return _leak(p, target, "error", int(both.sum()), message)


def _shifted(p: Profile, target: Profile) -> Finding | None:
    if len(target.distinct) <= 10 or p.kind != target.kind or len(p.values) < 2 * FEWEST:
        return None
    for word, a, b in (
        ("before", p.values[1:], target.values[:-1]),
        ("after", p.values[:-1], target.values[1:]),
    ):
        if float(_equal(a[:200], b[:200]).mean()) > 0.9 and (same := float(_equal(a, b).mean())) > 0.99:
            message = (
                f"{column(p.name)} is the target of the row {word} in {percent(same)} of {rows(len(a))}."
            )
            severity = "note" if word == "before" else "error"
            return _leak(p, target, severity, len(a), message)
    return None


# -- numbers ----------------------------------------------------------------------------------------------
def _correlated(p: Profile, target: Profile) -> Finding | None:
    if "text" in (p.kind, target.kind) or len(p.finite) < 3 or len(target.finite) < 3:
        return None
    both = ~(np.isnan(p.numbers) | np.isnan(target.numbers))
    n = int(both.sum())
    if n < FEWEST:
        return None
    r = (
        float(p.standardized @ (target.standardized * both)) / n
        if n == len(both)
        else _correlation(p, target, both)
    )
    if abs(r) <= CORRELATED:
        return None
    message = f"{column(p.name)} has correlation {np.sign(r) * min(abs(r), 1.0):.5f} with the target over {rows(n)}."
    return _leak(p, target, "error", n, message)


def _correlation(p: Profile, target: Profile, both: np.ndarray) -> float:
    x, y = p.standardized[both], target.standardized[both]
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size > 0 else 0.0


def _by_rank(p: Profile, target: Profile) -> Finding | None:
    """A number that grows, or falls, with the target all along: a function of it, though no straight one."""
    kinds = ("numbers", "times")
    if p.kind not in kinds or target.kind not in kinds or min(len(p.finite), len(target.finite)) < FEWEST:
        return None
    both = ~(np.isnan(p.numbers) | np.isnan(target.numbers))
    x, y = p.numbers[both], target.numbers[both]
    some = slice(None, None, max(1, len(x) // 500))
    if len(x) < FEWEST or abs(_rank_correlation(x[some], y[some])) <= 0.99:
        return None
    r = _rank_correlation(x, y)
    if abs(r) <= CORRELATED:
        return None
    message = f"{column(p.name)} has rank correlation {r:.5f} with the target over {rows(len(x))}."
    return _leak(p, target, "warning", len(x), message)


def _rank_correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Spearman's: the correlation of mid-ranks."""
    a, b = (_mid_ranks(v) for v in (x, y))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0 else 0.0


def _mid_ranks(x: np.ndarray) -> np.ndarray:
    """Ranks less their mean; equal values share the middle of theirs."""
    _, places, counts = np.unique(x, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - counts / 2)[places] - len(x) / 2


def _by_level(p: Profile, target: Profile) -> Finding | None:
    """A column of few values within each of which a numeric target does not vary."""
    both = ~(p.gaps | np.isnan(target.numbers))
    n, k = int(both.sum()), len(p.distinct)
    if target.kind == "text" or k < 2 or n < 5 * k or n < FEWEST:
        return None
    codes, y = p.codes[both], target.standardized[both]
    sizes = np.bincount(codes, minlength=k)
    means = np.bincount(codes, y, k) / np.maximum(sizes, 1)
    within, total = float(np.sum((y - means[codes]) ** 2)), float(np.sum((y - y.mean()) ** 2))
    if total <= 0 or within > (1 - CORRELATED) * total:
        return None
    share = percent(1 - within / total)
    message = (
        f"The {k} values of {quoted(p.name)} determine the target in {rows(n)} ({share} of its variance)."
    )
    return _leak(p, target, "error", n, message)


# -- classes ----------------------------------------------------------------------------------------------
def _by_class(p: Profile, target: Profile) -> Finding | None:
    both = ~(p.gaps | target.gaps)
    n, k = int(both.sum()), len(target.distinct)
    if n >= FEWEST * k and _in_runs(p, target, both, k):
        message = f"Sorted by {quoted(p.name)}, {rows(n)} have the classes of the target one after the other."
        return _leak(p, target, "error", n, message)
    x = _binned(p, n)[both]
    if n < FEWEST * k or x.max(initial=0) + 1 > n / 5:
        return None
    table = np.bincount(x * k + target.codes[both], minlength=(int(x.max()) + 1) * k).reshape(-1, k)
    share = information(table)
    pure = bool(np.all(np.count_nonzero(table, axis=1) <= 1))
    if share <= KNOWING or np.partition(table.sum(axis=0), -2)[-2] < FEWEST / 2:
        return None
    message = f"{column(p.name)} tells {percent(share)} of the information about the target in {rows(n)}."
    return _leak(p, target, "error" if pure else "warning", n, message)


def _in_runs(p: Profile, target: Profile, both: np.ndarray, k: int) -> bool:
    """Whether thresholds on a number tell the classes apart, nearly always."""
    if p.kind not in ("numbers", "times") or len(p.distinct) < 2 * k:
        return False
    x, y = p.numbers[both], target.codes[both]
    if np.partition(np.bincount(y, minlength=k), -2)[-2] < FEWEST / 2:
        return False
    some = slice(None, None, max(1, len(x) // 500))
    return _changes(x[some], y[some]) <= k + 10 and _changes(x, y) <= k - 1 + 0.002 * len(x)


def _changes(x: np.ndarray, y: np.ndarray) -> int:
    """How often the class changes when rows are sorted by x."""
    return int(np.count_nonzero(np.diff(y[np.argsort(x, kind="stable")])))


def _binned(p: Profile, n: int) -> np.ndarray:
    """Codes of a column; numbers with fewer than five rows of each in bins of about equal counts."""
    bins = int(np.clip(n // 20, 2, 50))
    if p.kind == "text" or len(p.distinct) <= max(bins, n // 5):
        return p.codes
    middle = (np.cumsum(p.counts) - p.counts / 2) / max(p.known, 1)
    return np.append(np.minimum((middle * bins).astype(int), bins - 1), -1)[p.codes]


def information(table: np.ndarray) -> float:
    """I(x; y) / H(y) of a table of counts, x in rows; 0 where y is constant."""
    joint = table / table.sum()
    px, py = joint.sum(axis=1), joint.sum(axis=0)
    entropy = _entropy(py)
    return (entropy + _entropy(px) - _entropy(joint.ravel())) / entropy if entropy > 0 else 0.0


def _entropy(p: np.ndarray) -> float:
    p = p[p > 0]
    return float(-np.sum(p * np.log(p)))


# -- gaps -------------------------------------------------------------------------------------------------
def _gap_leak(p: Profile, target: Profile, classes: bool) -> Iterator[Finding]:
    """Gaps in one class only: exactly there, or so often that chance does not explain it."""
    gaps = p.gaps & ~target.gaps
    n = int(gaps.sum())
    if not classes or n < 5:
        return
    met = np.bincount(target.codes[gaps], minlength=len(target.distinct))
    top = int(np.argmax(met))
    whole, share = int(target.counts[top]), target.counts[top] / target.known
    if met[top] < n or share**n > 1e-6:
        return
    value = quoted(_plain(target.distinct[top]))
    exact = "and only there" if n == whole else f"though not always ({rows(n)} of {whole})"
    message = f"{column(p.name)} is missing where the target is {value}, {exact}: {rows(n)}."
    severity = "error" if n == whole else "warning"
    yield finding("leak by gaps", severity, (p.name, target.name), np.flatnonzero(gaps), message, STEP)  # type: ignore[arg-type]
