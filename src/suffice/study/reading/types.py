"""What the columns of a study mean, and hints where another meaning would change the models.

Features are judged among themselves: what the target says of them is left out of every verdict, and is only asked for
hints, which change nothing by themselves.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from suffice.prepare import Attribute, TableEncoder, Task, attribute_types
from suffice.prepare.looking._order_evidence import evidence, ranks_of
from suffice.prepare.looking._profile import Profile, profile, profiles
from suffice.prepare.looking._relating import related_verdicts
from suffice.prepare.looking._scales import judge
from suffice.prepare.looking._verdict import counts_rows, numbered
from suffice.prepare.transforming._column_codes import NumberCode
from suffice.study.numbers import percent
from suffice.tables.opening import Table

MOST_HINTS = 3
CODES = range(3, 13)  # how many different numbers may be codes
LEAST_GAIN, BENT, SURE = (
    0.01,
    0.8,
    1e-4,
)  # of the target's spread; explained by a line or curve at most; chance of that
TURNING = 0.95  # explained at most by a curve that goes one way
UNITS = 10  # so many can be dealt out to folds
CLASSES = 10  # of the target that are asked one by one


def table_types(
    columns: Mapping[str, np.ndarray], given_types: Mapping[str, Any], target: str | None = None
) -> dict[str, Attribute]:
    """What every column means; the target has no say in what the others do."""
    features, goal = ({n: v for n, v in columns.items() if (n == target) == own} for own in (False, True))
    found: dict[str, Attribute] = {}
    for part in (features, goal):
        known = {n: v for n, v in given_types.items() if v != "unused" and n in part}
        found |= {a.name: a for a in attribute_types(part, known).attributes} if part else {}
    return {name: found[name] for name in columns}


def known_types(
    columns: Mapping[str, np.ndarray], given_types: Mapping[str, Any], target: str | None = None
) -> dict[str, Any]:
    """What is known of columns beyond what each alone would tell: by the other columns, and by the user."""
    features = {n: v for n, v in columns.items() if n != target}
    related = related_verdicts(profiles(Table.of(features))) if features else {}
    verdicts = {n: {"scale": v.scale, "continuity": v.continuity, "why": v.why} for n, v in related.items()}
    return verdicts | {n: v for n, v in given_types.items() if v != "unused" and n in columns}


def hints(
    features: Mapping[str, np.ndarray],
    encoder: TableEncoder,
    y: np.ndarray,
    target: str,
    task: Task,
    given_types: Mapping[str, Any],
    grouped: bool,
) -> list[str]:
    """At most a few sentences on columns whose numbers may mean something else, the weightiest first.

    `grouped` says that rows are kept together or are in the order of time already.
    """
    types = table_types(features, {})
    quantity = {code.name: isinstance(code, NumberCode) for code in encoder.state_}
    amounts = [types[n] for n in features if n not in given_types and types[n].kind == "numbers"]
    units = (
        []
        if grouped
        else [_unit(a, a.name in quantity) for a in amounts if a.repeats and a.distinct >= UNITS]
    )
    units += [] if grouped or units else _panels(features, types, given_types)
    looked = {
        a.name: profile(a.name, features[a.name]) for a in amounts if a.name in quantity and not a.repeats
    }
    quantities = {name: p for name, p in looked.items() if quantity[name]}
    open_ones = [p for p in looked.values() if judge(p).open]
    rows = [_position(p) for p in open_ones if counts_rows(p)]
    codes = [_names(types[p.name]) for p in open_ones if types[p.name].scale == "nominal"]
    return [*units, *_quantities(quantities, y, target, task), *rows, *codes][:MOST_HINTS]


# -- units ------------------------------------------------------------------------------------------------
def _unit(a: Attribute, used: bool) -> str:
    each = (a.rows - a.missing) / a.distinct
    what = "is used as names" if used else "is not used to predict"
    return (
        f"Column {_quoted(a.name)} seems to name {a.distinct:,} units with {each:.2g} rows each, and {what}. Say "
        f"--group {shlex.quote(a.name)} to keep the rows of one unit together."
    )


def _panels(
    features: Mapping[str, np.ndarray], types: Mapping[str, Attribute], given_types: Mapping[str, Any]
) -> list[str]:
    """Words that, with a year or a moment, name each row once: a unit is met again and again."""
    times = [a for a in types.values() if (a.calendar or a.kind == "times") and 2 < a.distinct < a.rows]
    for a in types.values():
        words = (
            a.kind == "text"
            and a.name not in given_types
            and UNITS <= a.distinct <= 0.34 * a.rows
            and not a.missing
        )
        if words and any(_crossed(features[a.name], features[t.name]) for t in times):
            return [_unit(a, True)]
    return []


def _crossed(words: np.ndarray, times: np.ndarray) -> bool:
    """Whether no pair is met twice."""
    units, moments = (np.unique(v.astype(str), return_inverse=True)[1] for v in (words, times))
    return len(np.unique(units * (moments.max() + 1) + moments)) == len(units)


# -- quantities and names ---------------------------------------------------------------------------------
def _quantities(columns: Mapping[str, Profile], y: np.ndarray, target: str, task: Task) -> list[str]:
    """Codes that are used as quantities, though each of them goes its own way with the target."""
    goals, rows = _goals(y, task), np.arange(len(y))
    found = []
    for p in columns.values():
        if numbered(p) and p.n_distinct in CODES and (e := evidence(p, goals, rows)) is not None:
            few = p.n_distinct < 5  # any four values are nearly on a curve
            what, share, lack = ("line", e.line, e.lack_of_line) if few else ("curve", e.share, e.lack)
            turns = e.one_way <= TURNING or not few
            if e.strength * (1 - share) >= LEAST_GAIN and share <= BENT and lack < SURE and turns:
                found.append((-e.strength * (1 - share), p.name, _as_quantity(p, what, share, target)))
    return [sentence for _, _, sentence in sorted(found)]


def _goals(y: np.ndarray, task: Task) -> Sequence[np.ndarray]:
    """Ranks of the target, or for each of its classes where it is met."""
    if not task.is_classification:
        return [ranks_of(profile("y", np.asarray(y, dtype=float)), np.arange(len(y)))]
    labels, sizes = np.unique(y, return_counts=True)
    common = labels[np.argsort(-sizes, kind="stable")[:CLASSES]]
    return [(y == label).astype(float) for label in common]


def _as_quantity(p: Profile, what: str, share: float, target: str) -> str:
    return (
        f"Column {_quoted(p.name)} holds the whole numbers {p.finite[0]:g} to {p.finite[-1]:g} and is used as a "
        f"quantity, but a {what} explains only {percent(share)} of what they tell about {_quoted(target)}. If they are "
        f"names, say {_types(p.name, 'nominal')}: each then gets a weight of its own."
    )


def _names(a: Attribute) -> str:
    return f"Column {_quoted(a.name)} is used as names. {a.why} If it is a quantity, say {_types(a.name, 'ratio')}."


def _position(p: Profile) -> str:
    return (
        f"Column {_quoted(p.name)} counts the rows, from {p.finite[0]:g} to {p.finite[-1]:,.0f}, and is used as a "
        f"quantity. If it only names them, say {_types(p.name, 'identifier')}."
    )


def _types(name: str, meaning: str) -> str:
    return f"--types {shlex.quote(f'{name}={meaning}')}"


def _quoted(name: str) -> str:
    return f"{name!r:.60}"
