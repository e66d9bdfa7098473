"""Whether drafts hold what their classes hold, before anything is made of them."""

from __future__ import annotations

import dataclasses
from typing import Any

from suffice._core.contents import RESULTS
from suffice._core.drafts import Draft, kind_of
from suffice._core.errors import UnsafeFile
from suffice._core.forms import Field, meets, parse, values_at
from suffice._core.hints import fits, hints_of
from suffice._core.records import public_name

Forms = dict[str, str]


def check(value: Any, forms: Forms) -> None:
    """Raise for the first draft inside a value that lacks a field, has one too many, or holds what it may not."""
    if isinstance(value, Draft):
        for inner in (*value.items.values(), *(value.fitted or {}).values()):
            check(inner, forms)
        _check_draft(value, forms)
    elif isinstance(value, list | tuple):
        for v in value:
            check(v, forms)
    elif isinstance(value, dict):
        for v in value.values():
            check(v, forms)


def _check_draft(draft: Draft, forms: Forms) -> None:
    name = draft.cls.__name__
    own = {f.name: f for f in dataclasses.fields(draft.cls)}
    _check_names(draft, own)
    sizes: dict[str, Any] = {}
    described = set()
    for field in parse(forms[public_name(draft.cls)]):
        if len(field.path) == 1:
            described.add(field.path[0])
        _check_form(draft, field, sizes)
    hints, nan = hints_of(draft.cls), public_name(draft.cls) in RESULTS
    for part in (draft.items, draft.fitted or {}):
        for key, value in part.items():
            if key not in described and not fits(hints[key], value, nan):
                raise _refusal(f"{name}.{key}", value, str(own[key].type))


def _check_names(draft: Draft, own: dict[str, dataclasses.Field]) -> None:
    name = draft.cls.__name__
    unknown = {k for k in draft.items if k not in own or not own[k].init}
    unknown |= {k for k in draft.fitted or {} if k not in own or own[k].init}
    if unknown:
        raise UnsafeFile(f"{name} has no field {min(unknown)!r:.80}.")
    missing = {k for k, f in own.items() if f.init and _required(f)} - set(draft.items)
    if missing:
        raise UnsafeFile(f"{name} lacks its field {min(missing)!r}.")


def _required(f: dataclasses.Field) -> bool:
    return f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING


def _check_form(draft: Draft, field: Field, sizes: dict[str, Any]) -> None:
    first = field.path[0]
    if not draft.has(first):
        if draft.fitted and first.endswith("_") and not field.optional:
            raise UnsafeFile(f"{draft.cls.__name__} lacks its fitted attribute {first!r}.")
        return
    for value in values_at(draft, field.path):
        if not meets(field.choices, value, sizes):
            where = ".".join((draft.cls.__name__, *field.path))
            known = ", ".join(f"{k.lstrip('*')} = {v}" for k, v in sizes.items())
            raise _refusal(where, value, " | ".join(field.choices) + (f", with {known}" if known else ""))


def _refusal(where: str, value: Any, wanted: str) -> UnsafeFile:
    return UnsafeFile(f"{where} must be {wanted}; the file has {kind_of(value)}.")
