"""What the columns hold, in rows and sentences, and which columns of numbers go together.

A wide table is described by some of its columns: the target, those of numbers that go with it most, and the first ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import stats

from suffice.prepare import ColumnDescription, Description, describe
from suffice.prepare.looking.attribute_types import printable
from suffice.study.numbers import number
from suffice.study.reading.source import Source
from suffice.study.sections import DescriptionSection, Related

DESCRIBED, PAIRED, DRAWN, KEPT = 500, 100, 30, 20  # columns in rows, in pairs, in the matrix; pairs told
LEVEL = 0.05  # chance that any pair is called related though none is
SKEWED, LOPSIDED, SHOWN = 2.0, 0.95, 3


def description_section(source: Source, target: str | None = None) -> DescriptionSection:
    """What there is to see, whether or not there is a target."""
    columns = source.columns
    chosen = _chosen(columns, target, DESCRIBED)
    found = _described(columns, chosen)
    paired = found
    if len(chosen) > PAIRED:
        numbers = [c.name for c in found if c.std is not None and c.attribute.kind == "numbers"]
        some = _chosen({n: columns[n] for n in numbers}, target, PAIRED)
        paired = _described(columns, some) if len(some) > 1 else found
    related = _related(paired.correlated, paired.correlation, columns)
    told = _told(found, related, paired.correlated, target, len(columns))
    names, matrix = _drawn(paired.correlated, paired.correlation, target)
    return DescriptionSection(tuple(c.row() for c in found), related[:KEPT], names, matrix, told)


def _described(columns: dict[str, np.ndarray], names: Sequence[str]) -> Description:
    """`describe` of some columns, under the names of the table: `describe` strips them and numbers empty ones."""
    found = describe({name: columns[name] for name in names})
    own = {c.name: name for c, name in zip(found, names, strict=True)}
    if all(here == there for here, there in own.items()):
        return found
    renamed = tuple(replace(c, attribute=replace(c.attribute, name=own[c.name])) for c in found)
    return replace(found, columns=renamed, correlated=tuple(own[n] for n in found.correlated))


# -- wide tables ------------------------------------------------------------------------------------------
def _chosen(columns: dict[str, np.ndarray], target: str | None, most: int) -> list[str]:
    """Names of at most so many columns, in the order of the table."""
    if len(columns) <= most:
        return list(columns)
    strength = np.array([_strength(v, columns.get(target or "")) for v in columns.values()])
    if target in columns:
        strength[list(columns).index(str(target))] = np.inf
    best = np.argsort(-strength, kind="stable")[:most]
    names = list(columns)
    return [names[j] for j in np.sort(best)]


def _strength(values: np.ndarray, goal: np.ndarray | None) -> float:
    """|correlation| of two columns of numbers; 0 where there is none."""
    if goal is None or values.dtype.kind not in "iufb" or goal.dtype.kind not in "iufb":
        return 0.0
    x, y = values.astype(float), goal.astype(float)
    both = np.isfinite(x) & np.isfinite(y)
    if both.sum() < 3:
        return 0.0
    x, y = x[both], y[both]
    x, y = x / (np.abs(x).max() or 1.0), y / (np.abs(y).max() or 1.0)
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return abs(float(x @ y)) / size if size > 0 else 0.0


# -- pairs ------------------------------------------------------------------------------------------------
def _related(
    names: Sequence[str], matrix: np.ndarray | None, columns: dict[str, np.ndarray]
) -> tuple[Related, ...]:
    """Pairs beyond chance, by Fisher's z with Bonferroni's correction, the strongest first."""
    if matrix is None:
        return ()
    i, j = np.triu_indices(len(names), 1)
    known = np.column_stack([np.isfinite(columns[n].astype(float)) for n in names]).astype(float)
    rows = (known.T @ known)[i, j]
    r = matrix[i, j]
    critical = np.tanh(stats.norm.isf(LEVEL / 2 / len(i)) / np.sqrt(np.maximum(rows - 3, 1e-9)))
    sure = np.flatnonzero((np.abs(r) > critical) & (rows > 4))
    ranked = sure[np.argsort(-np.abs(r[sure]), kind="stable")]
    return tuple(Related(names[i[k]], names[j[k]], float(r[k])) for k in ranked[: 10 * KEPT])


def _drawn(
    names: Sequence[str], matrix: np.ndarray | None, target: str | None
) -> tuple[tuple[str, ...], Any]:
    """The columns of the matrix that is drawn: the target and those with the strongest correlation to it, or to "
    "any."""
    if matrix is None:
        return (), None
    if len(names) > DRAWN:
        size = np.abs(np.nan_to_num(matrix - np.eye(len(names))))
        goal = names.index(target) if target in names else None
        strength = size.max(axis=1) if goal is None else size[goal] + (np.arange(len(names)) == goal) * 2.0
        kept = np.sort(np.argsort(-strength, kind="stable")[:DRAWN])
        names, matrix = [names[k] for k in kept], matrix[np.ix_(kept, kept)]
    return tuple(names), np.array(matrix)


# -- sentences --------------------------------------------------------------------------------------------
def _told(
    found: Description, related: Sequence[Related], names: Sequence[str], target: str | None, width: int
) -> tuple[str, ...]:
    told = [_kinds(found, width), *_gaps(found), *_shapes(found)]
    if target in names:
        told.append(_with_target([p for p in related if target in (p.first, p.second)], str(target)))
    others = [p for p in related if target not in (p.first, p.second)]
    if others:
        told.append(f"Columns that go together: {_pairs(others)}.")
    elif len(names) > 1 + (target in names):
        told.append("No other two columns of numbers go together in a line beyond chance.")
    return tuple(told)


def _kinds(found: Description, width: int) -> str:
    counts: Counter[str] = Counter(c.attribute.kind for c in found)
    words = {"numbers": "numbers", "text": "words", "flags": "truths", "times": "times", "nothing": "nothing"}
    parts = [f"{counts[kind]} of {word}" for kind, word in words.items() if counts[kind]]
    held = f"{number(found.rows)} rows and {number(width)} columns"
    if width > len(found):
        return f"The table has {held}, of which {len(found)} are described here: {_listed(parts)}."
    return f"The table has {held}: {_listed(parts)}."


def _gaps(found: Description) -> list[str]:
    holed = sorted((c for c in found if c.missing), key=lambda c: -c.missing)
    if not holed:
        return ["No cell is missing."]
    worst = ", ".join(f"{_named(c.name)} ({100 * c.missing_share:.3g} %)" for c in holed[:SHOWN])
    what = "1 column" if len(holed) == 1 else f"{len(holed)} columns"
    return [f"Cells are missing in {what}{', most of all in' if len(holed) > SHOWN else ':'} {worst}."]


def _shapes(found: Description) -> list[str]:
    """Columns of numbers with a long tail, and columns that are nearly always the same."""
    told = []
    long = [c for c in found if _skewness(c) > SKEWED]
    if long:
        told.append(
            f"A few values are far from the others in {_some(long)}: the mean says little there, and a logarithm "
            "may help."
        )
    same = [c for c in found if _share(c) > LOPSIDED and c.distinct > 1]
    if same:
        told.append(f"Nearly all rows have one value in {_some(same)}.")
    return told


def _skewness(c: ColumnDescription) -> float:
    return abs(c.skewness) if c.skewness is not None and np.isfinite(c.skewness) else 0.0


def _share(c: ColumnDescription) -> float:
    known = c.rows - c.missing
    return c.mode_count / known if known else 0.0


def _with_target(pairs: Sequence[Related], target: str) -> str:
    if not pairs:
        return f"No column of numbers goes with {_named(target)} in a line beyond chance."
    parts = [
        f"{_named(p.second if p.first == target else p.first)} (correlation {_signed(p.correlation)})"
        for p in pairs[:SHOWN]
    ]
    return (
        f"Of the numbers, {_listed(parts)} {'goes' if len(parts) == 1 else 'go'} with {_named(target)} most."
    )


def _pairs(pairs: Sequence[Related]) -> str:
    return "; ".join(
        f"{_named(p.first)} and {_named(p.second)} (correlation {_signed(p.correlation)})"
        for p in pairs[:SHOWN]
    )


def _signed(r: float) -> str:
    return f"{r:.2f}".replace("-", "−")


def _named(name: str) -> str:
    return f"'{printable(name, 40)}'"


def _some(columns: Sequence[ColumnDescription]) -> str:
    more = [f"{len(columns) - SHOWN} more"] if len(columns) > SHOWN else []
    return _listed([*(_named(c.name) for c in columns[:SHOWN]), *more])


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
