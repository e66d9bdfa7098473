"""What the columns hold, in rows and sentences, and which columns of numbers and of levels go together.

A wide table is described by some of its columns: the target, those of numbers that go with it most, and the first ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.engine.sources.grids import told_apart
from suffice.prepare import ColumnDescription, Description, describe
from suffice.prepare.looking.attribute_types import printable
from suffice.study.numbers import list_names, number
from suffice.study.reading.source import StudySource
from suffice.study.reading.types import known_types
from suffice.study.sections import DescriptionSection, Related
from suffice.study.steps.associations import Associations, associable, associations, kept_names

DESCRIBED, PAIRED, DRAWN, KEPT = 500, 100, 30, 20  # columns in rows, in pairs, in the matrix; pairs told
SKEWED, LOPSIDED, SHOWN = 2.0, 0.95, 3


def description_section(
    source: StudySource, target: str | None = None, types: Mapping[str, Any] | None = None
) -> DescriptionSection:
    """What there is to see, whether or not there is a target; `types` are what the user says of columns."""
    columns = source.columns
    meanings = known_types(columns, {**source.types, **(types or {})}, target)
    chosen = _chosen(columns, target, DESCRIBED)
    found = _described(columns, chosen, meanings)
    paired = found
    if len(chosen) > PAIRED:
        numbers = [c.name for c in found if associable(c.attribute, c.std is not None)]
        some = _chosen({n: columns[n] for n in numbers}, target, PAIRED)
        paired = _described(columns, some, meanings) if len(some) > 1 else found
    together = associations(paired, columns)
    related = together.related(10 * KEPT)
    sentences = _sentences(found, related, together.names, target, len(columns))
    names, matrix = _drawn(together, target)
    return DescriptionSection(tuple(c.row() for c in found), related[:KEPT], names, matrix, sentences)


def _described(columns: dict[str, np.ndarray], names: Sequence[str], types: Mapping[str, Any]) -> Description:
    """`describe` of some columns, under the names of the table: `describe` strips them and numbers empty ones."""
    own = dict(zip(told_apart(names), names, strict=True))
    given_types = {here: types[there] for here, there in own.items() if there in types}
    found = describe({name: columns[name] for name in names}, given_types)
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
def _drawn(found: Associations, target: str | None) -> tuple[tuple[str, ...], Any]:
    """The columns of the matrix that is drawn, and the matrix."""
    if found.matrix is None:
        return (), None
    kept = kept_names(found.names, found.matrix, target, DRAWN)
    return tuple(found.names[k] for k in kept), found.matrix[np.ix_(kept, kept)]


# -- sentences --------------------------------------------------------------------------------------------
def _sentences(
    found: Description, related: Sequence[Related], names: Sequence[str], target: str | None, width: int
) -> tuple[str, ...]:
    sentences = [_kinds(found, width), *_gaps(found), *_shapes(found)]
    if target in names:
        sentences.append(_with_target([p for p in related if target in (p.first, p.second)], str(target)))
    others = [p for p in related if target not in (p.first, p.second)]
    if others:
        sentences.append(f"Columns that go together: {_pairs(others)}.")
    elif len(names) > 1 + (target in names):
        sentences.append("No other two columns of numbers go together in a line beyond chance.")
    return tuple(sentences)


def _kinds(found: Description, width: int) -> str:
    counts: Counter[str] = Counter(c.attribute.kind for c in found)
    words = {"numbers": "numbers", "text": "words", "flags": "truths", "times": "times", "nothing": "nothing"}
    parts = [f"{counts[kind]} of {word}" for kind, word in words.items() if counts[kind]]
    held = f"{number(found.rows)} rows and {number(width)} columns"
    if width > len(found):
        return f"The table has {held}, of which {len(found)} are described here: {list_names(parts)}."
    return f"The table has {held}: {list_names(parts)}."


def _gaps(found: Description) -> list[str]:
    holed = sorted((c for c in found if c.missing), key=lambda c: -c.missing)
    if not holed:
        return ["No cell is missing."]
    worst = ", ".join(f"{_named(c.name)} ({100 * c.missing_share:.3g} %)" for c in holed[:SHOWN])
    what = "1 column" if len(holed) == 1 else f"{len(holed)} columns"
    return [f"Cells are missing in {what}{', most of all in' if len(holed) > SHOWN else ':'} {worst}."]


def _shapes(found: Description) -> list[str]:
    """Columns of numbers with a long tail, and columns that are nearly always the same."""
    sentences = []
    long = [c for c in found if _skewness(c) > SKEWED]
    if long:
        sentences.append(
            f"A few values are far from the others in {_some(long)}: the mean says little there, and a logarithm "
            "may help."
        )
    same = [c for c in found if _share(c) > LOPSIDED and c.distinct > 1]
    if same:
        sentences.append(f"Nearly all rows have one value in {_some(same)}.")
    return sentences


def _skewness(c: ColumnDescription) -> float:
    return abs(c.skewness) if c.skewness is not None and np.isfinite(c.skewness) else 0.0


def _share(c: ColumnDescription) -> float:
    known = c.rows - c.missing
    return c.mode_count / known if known else 0.0


def _with_target(pairs: Sequence[Related], target: str) -> str:
    if not pairs:
        return f"No column of numbers goes with {_named(target)} in a line beyond chance."
    parts = [
        f"{_named(p.second if p.first == target else p.first)} ({_strength_of(p)})" for p in pairs[:SHOWN]
    ]
    what = "numbers and levels" if any(p.ranks for p in pairs) else "numbers"
    verb = "goes" if len(parts) == 1 else "go"
    return f"Of the {what}, {list_names(parts)} {verb} with {_named(target)} most."


def _pairs(pairs: Sequence[Related]) -> str:
    return "; ".join(f"{_named(p.first)} and {_named(p.second)} ({_strength_of(p)})" for p in pairs[:SHOWN])


def _strength_of(p: Related) -> str:
    return f"{'rank correlation' if p.ranks else 'correlation'} {_signed(p.correlation)}"


def _signed(r: float) -> str:
    return f"{r:.2f}".replace("-", "−")


def _named(name: str) -> str:
    return f"'{printable(name, 40)}'"


def _some(columns: Sequence[ColumnDescription]) -> str:
    more = [f"{len(columns) - SHOWN} more"] if len(columns) > SHOWN else []
    return list_names([*(_named(c.name) for c in columns[:SHOWN]), *more])
