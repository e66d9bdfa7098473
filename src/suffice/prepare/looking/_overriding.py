"""What a user says of a column, checked against what the column holds.

One form for `attribute_types(overrides=…)`, `audit(overrides=…)` and `describe(types=…)`: a scale, a continuity,
"identifier", the levels from the lowest, a dict of fields, or an `Attribute`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from suffice._core.errors import InvalidParameter, did_you_mean
from suffice.prepare.looking.attributes import CONTINUITIES, SCALES, Attribute, Kind, Scale

FIELDS = ("scale", "continuity", "order", "identifier", "why")
WORDS = (*SCALES, *CONTINUITIES, "identifier")
HIGHEST: dict[Kind, Scale] = {"text": "ordinal", "flags": "ordinal", "times": "interval"}


def by_name(declared: Any, names: Sequence[str], word: str) -> dict[str, Any]:
    """What is said, by the names of columns as text; a name that no column has is refused."""
    if declared is None:
        return {}
    if not isinstance(declared, Mapping):
        raise InvalidParameter(
            f"{word} must map names of columns to what they mean, as {{'zip': 'nominal'}}; "
            f"got {type(declared).__name__}."
        )
    found = {name if name in names else str(name): meaning for name, meaning in declared.items()}
    for name in found:
        if name not in names:
            raise InvalidParameter(
                f"{word}: there is no column {name!r} in the table.{did_you_mean(name, names)}"
            )
    return found


def overridden(a: Attribute, declared: Any, word: str = "overrides") -> Attribute:
    """An attribute as the user says it is."""
    if isinstance(declared, Attribute):
        out = replace(declared, name=a.name, kind=a.kind, rows=a.rows, missing=a.missing, distinct=a.distinct)
        return _possible(out, word)
    fields = _fields(a.name, declared, word)
    if fields.get("order") is not None:
        fields = {"scale": "ordinal", **fields, "order": _order(a, fields["order"], word)}
    elif fields.get("scale", a.scale) != "ordinal":
        fields["order"] = None
    return _possible(replace(a, **{"why": "Said by the user.", **fields}), word)


def _fields(name: str, declared: Any, word: str) -> dict[str, Any]:
    if isinstance(declared, Mapping):
        unknown = next((f for f in declared if f not in FIELDS), None)
        if unknown is not None:
            raise InvalidParameter(
                f"{word}: {name!r} has no field {unknown!r}; fields are {', '.join(FIELDS)}."
            )
        return dict(declared)
    if isinstance(declared, Iterable) and not isinstance(declared, str | bytes):
        return {"order": list(declared)}
    if declared not in WORDS:
        raise InvalidParameter(
            f"{word}: {name!r} must be one of {', '.join(WORDS)}, or an order; got {declared!r}."
        )
    if declared == "identifier":
        return {"scale": "nominal", "identifier": True}
    return (
        {"scale": declared, "identifier": False, "repeats": False}
        if declared in SCALES
        else {"continuity": declared}
    )


def _order(a: Attribute, levels: Sequence[Any], word: str) -> tuple[str, ...]:
    order = tuple(map(str, levels))
    if len(set(order)) != len(order) or not order:
        raise InvalidParameter(f"{word}: {a.name!r}: an order names each level once; got {order}.")
    return order


def _possible(a: Attribute, word: str) -> Attribute:
    """The same, unless the values of the column rule it out."""
    highest = HIGHEST.get(a.kind, "ratio")
    if SCALES.index(a.scale) > SCALES.index(highest):
        raise InvalidParameter(
            f"{word}: {a.name!r} holds {a.kind}, which can be {highest} at most; got {a.scale!r}. "
            "Make numbers of it first."
        )
    if a.continuity == "binary" and a.distinct > 2:
        raise InvalidParameter(
            f"{word}: {a.name!r} has {a.distinct:,} different values; binary has two at most."
        )
    if a.order is not None and a.kind == "times":
        raise InvalidParameter(
            f"{word}: {a.name!r} holds times, which have an order of their own; got another."
        )
    return a


# -- orders -------------------------------------------------------------------------------------------------------
def places(a: Attribute, values: Iterable[Any], word: str) -> dict[Any, int]:
    """Each value with its place in the order of the attribute; a value that the order leaves out is refused."""
    assert a.order is not None
    at: dict[Any, int] = {}
    for i, level in enumerate(a.order):
        at[_key(level) if a.kind == "numbers" else level] = i
    found = {v: at.get(float(v) if a.kind == "numbers" else str(v)) for v in values}
    if odd := next((str(v) for v, place in found.items() if place is None), None):
        raise InvalidParameter(
            f"{word}: the order of {a.name!r} leaves out {odd!r}; got {', '.join(a.order)}."
        )
    return found  # type: ignore[return-value]


def _key(level: str) -> float | str:
    try:
        return float(level)
    except ValueError:
        return level
