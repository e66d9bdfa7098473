"""The published schema of result.json, made from the records themselves: JSON Schema, draft 2020-12.

`result.schema.json` beside this file is what `schema()` returns; `python -m suffice.study.page.schema` writes it anew
when a section has changed. A number that is not finite is null in JSON, so numbers may be null everywhere.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from suffice._core.records import public_name
from suffice.study.result import FORMAT, StudyResult

DRAFT = "https://json-schema.org/draft/2020-12/schema"
FILE = Path(__file__).with_name("result.schema.json")
PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": ["number", "null"]},
    type(None): {"type": "null"},
    Any: {},
    np.ndarray: {"type": "array", "items": {"type": ["number", "null", "array", "string", "boolean"]}},
}


def schema() -> dict[str, Any]:
    """Of every section and of what is inside them, by the names of their records."""
    definitions: dict[str, Any] = {}
    head: dict[str, Any] = {
        "format": {"const": FORMAT},
        "suffice": {"type": "string"},
        "name": {"type": "string"},
    }
    required = list(head)
    for hint in _sections():
        parts = [t for t in _members(hint) if t is not type(None)]
        (key,) = {part.key for part in parts}
        head[key] = _of(Union[tuple(parts)], definitions)  # noqa: UP007
        if type(None) not in _members(hint):
            required.append(key)
    head["claims"] = _of(get_type_hints(StudyResult)["claims"], definitions)
    required.append("claims")
    return {
        "$schema": DRAFT,
        "title": "The result of a study",
        "description": "What `suffice study` writes to result.json. Sections that a study has nothing for are absent.",
        "type": "object",
        "required": required,
        "properties": head,
        "$defs": dict(sorted(definitions.items())),
    }


def _sections() -> list[Any]:
    hints = get_type_hints(StudyResult)
    return [
        hint for hint in hints.values() if all(hasattr(t, "key") or t is type(None) for t in _members(hint))
    ]


def _members(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _of(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type; records are defined once and referred to."""
    if hint in PLAIN:
        return PLAIN[hint]
    if dataclasses.is_dataclass(hint):
        return _record(hint, definitions)
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return (
            {"anyOf": [_of(t, definitions) for t in inside]}
            if len(inside) > 1
            else _of(inside[0], definitions)
        )
    if origin is Literal:
        return {"enum": list(inside)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _of(inside[1], definitions)}
    if origin in (tuple, list) and (origin is list or inside[-1] is Ellipsis):
        return {"type": "array", "items": _of(inside[0], definitions)}
    if origin is tuple:
        items = [_of(t, definitions) for t in inside]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    raise TypeError(f"The schema has no word for {hint!r}: add it to PLAIN.")


def _record(cls: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    name = public_name(cls).rpartition(".")[2]  # published: it stays when a class is renamed
    if name not in definitions:
        definitions[name] = {}
        hints = get_type_hints(cls)
        fields = {f.name: _of(hints[f.name], definitions) for f in dataclasses.fields(cls) if f.init}
        definitions[name] = {
            "description": " ".join((cls.__doc__ or "").split()),
            "type": "object",
            "required": list(fields),
            "properties": fields,
        }
    return {"$ref": f"#/$defs/{name}"}


def text() -> str:
    """As it is published."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    sys.stdout.write(f"{FILE}\n")
