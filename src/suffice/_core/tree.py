"""The tree of a model file: values of this library as JSON, with arrays kept aside.

A tree holds null, booleans, numbers, strings, lists, and tagged objects: {"array": i}, {"tuple": […]},
{"dict": {…}}, {"pairs": [[key, value], …]}, {"float": "inf"}, {"strings": […], "shape": […]}, {"class": name},
{"type": name} (of NumPy's numbers),
{"record": name, "fields": {…}}, {"estimator": name, "params": {…}, "fitted": {…}}.

Reading has three steps. `decode` turns the tree into plain values and drafts of the classes that `contents.py` lists.
`checking.check` asks every draft whether its fields are what its class holds. Only then `build` makes the objects.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

import numpy as np

from suffice._core.contents import FAMILIES
from suffice._core.drafts import NUMBERS, Draft, Family, NumberType
from suffice._core.errors import SufficeError, UnsafeFile, Unsupported
from suffice._core.forms import copies_of
from suffice._core.memory_budget import MemoryBudget
from suffice._core.records import fields, public_name, storable_class
from suffice._core.stored_names import from_stored, to_stored

Forms = dict[str, str]  # of the classes that a file may contain, by name
LONGEST = 1000  # bits of a whole number: float64 goes that far
OBJECT = 4096  # bytes that an object may take beside its arrays; what thousands of them take is time


@runtime_checkable
class Expands(Protocol):
    """A record that makes more than it holds, and knows it beforehand."""

    def check_loaded(self) -> int:
        """The bytes it will make; raises where its parts do not belong together."""


def encode(value: Any, arrays: list[np.ndarray], forms: Forms) -> Any:
    """The tree of a value of listed classes; its arrays are appended to `arrays`."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | np.integer) and not isinstance(value, np.bool_):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else {"float": repr(float(value))}
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.ndarray):
        return _encode_array(value, arrays)
    if isinstance(value, list):
        return [encode(v, arrays, forms) for v in value]
    if isinstance(value, tuple):
        return {"tuple": [encode(v, arrays, forms) for v in value]}
    if isinstance(value, dict) and all(isinstance(k, str) for k in value):
        return {"dict": {k: encode(v, arrays, forms) for k, v in value.items()}}
    if isinstance(value, dict) and all(isinstance(k, str | int | float) for k in value):
        return {"pairs": [[encode(k, arrays, forms), encode(v, arrays, forms)] for k, v in value.items()]}
    if isinstance(value, type) and _name(value) in FAMILIES:
        return {"class": _name(value)}
    if isinstance(value, type) and NUMBERS.get(value.__name__) is value:
        return {"type": value.__name__}
    return _encode_object(value, arrays, forms)


def _encode_array(value: np.ndarray, arrays: list[np.ndarray]) -> Any:
    if value.dtype == object:
        if not all(isinstance(v, str) for v in value.ravel()):
            raise Unsupported(f"Arrays of {type(value.flat[0]).__name__} objects cannot be saved.")
        return {"strings": value.ravel().tolist(), "shape": list(value.shape)}
    arrays.append(value)
    return {"array": len(arrays) - 1}


def _name(cls: type) -> str:
    """What a file calls a class of this library; empty for others."""
    return public_name(cls) if cls.__module__.startswith("suffice.") else ""


def _encode_object(value: Any, arrays: list[np.ndarray], forms: Forms) -> Any:
    cls = type(value)
    name = _name(cls)
    if name not in forms or storable_class(name) is not cls:
        raise Unsupported(
            f"{value!r:.200} cannot be saved: {cls.__name__} is not a value that a model file can hold "
            "(functions and foreign objects are code)."
        )

    def inside(items: dict[str, Any]) -> dict[str, Any]:
        return {k: encode(v, arrays, forms) for k, v in items.items()}

    if hasattr(cls, "fitted"):
        return {
            "estimator": name,
            "params": inside(value.get_params(deep=False)),
            "fitted": inside(value.fitted()),
        }
    return {"record": name, "fields": to_stored(name, inside(fields(value)))}


def decode(node: Any, array: Callable[[Any], np.ndarray], forms: Forms) -> Any:
    """The values and drafts of a tree; `array(i)` reads an array. What is not understood is refused."""

    def inside(items: dict[str, Any]) -> dict[str, Any]:
        return {k: decode(v, array, forms) for k, v in items.items()}

    if type(node) is int and abs(node) >> LONGEST:
        raise UnsafeFile(f"The tree has a whole number of {node.bit_length()} bits.")
    if node is None or isinstance(node, bool | int | float | str):
        return node
    if isinstance(node, list):
        return [decode(v, array, forms) for v in node]
    if not isinstance(node, dict):
        raise UnsafeFile(f"The tree has a node that is not understood: {node!r:.80}.")
    match node:
        case {"array": i, **rest} if not rest:
            return array(i)
        case {"strings": list(words), "shape": list(shape), **rest} if not rest:
            return _strings(words, shape)
        case {"tuple": list(items), **rest} if not rest:
            return tuple(decode(v, array, forms) for v in items)
        case {"dict": dict(items), **rest} if not rest:
            return inside(items)
        case {"pairs": list(items), **rest} if not rest and all(_is_pair(p) for p in items):
            return {decode(k, array, forms): decode(v, array, forms) for k, v in items}
        case {"class": str(name), **rest} if not rest:
            return Family(_allowed(name, FAMILIES, estimator=False))
        case {"type": str(name), **rest} if not rest and name in NUMBERS:
            return NumberType(NUMBERS[name])
        case {"float": "inf" | "-inf" | "nan" as word, **rest} if not rest:
            return float(word)
        case {"record": str(name), "fields": dict(items), **rest} if not rest:
            return Draft(_allowed(name, forms, estimator=False), from_stored(name, inside(items)))
        case {"estimator": str(name), "params": dict(params), "fitted": dict(fitted), **rest} if not rest:
            return Draft(_allowed(name, forms, estimator=True), inside(params), inside(fitted))
    raise UnsafeFile(f"The tree has a node that is not understood, with keys {sorted(node)[:6]!r:.80}.")


def _is_pair(item: Any) -> bool:
    """A key that is a plain value, and what belongs to it."""
    return isinstance(item, list) and len(item) == 2 and isinstance(item[0], bool | int | float | str)


def _strings(words: list, shape: list) -> np.ndarray:
    sides = [s for s in shape if type(s) is int and 0 <= s <= len(words)]
    if not all(isinstance(w, str) for w in words) or len(sides) < len(shape) or len(shape) > 8:
        raise UnsafeFile("An array of strings is malformed.")
    if math.prod(shape) != len(words):
        raise UnsafeFile(f"An array of strings has {len(words)} entries for shape {shape}.")
    return np.array(words, dtype=object).reshape(shape)


def _allowed(name: str, listed: Any, *, estimator: bool) -> type:
    if name in listed:
        import_module(f"suffice.{name.partition('.')[0]}")
    cls = storable_class(name) if name in listed else None
    if cls is None or hasattr(cls, "fitted") is not estimator:
        raise UnsafeFile(
            f"The file asks for {name!r:.80}, which is not on the list of what a file may contain."
        )
    return cls


# -- making, of what has been checked --------------------------------------------------------------------------
def build(value: Any, budget: MemoryBudget, forms: Forms) -> Any:
    """The objects of checked drafts, those inside first; what they make of their fields takes room."""
    if isinstance(value, Family | NumberType):
        return value.cls
    if isinstance(value, list | tuple):
        return type(value)(build(v, budget, forms) for v in value)
    if isinstance(value, dict):
        return {k: build(v, budget, forms) for k, v in value.items()}
    return _object(value, budget, forms) if isinstance(value, Draft) else value


def _object(draft: Draft, budget: MemoryBudget, forms: Forms) -> Any:
    try:
        return _made(draft, budget, forms)
    except UnsafeFile:
        raise
    except SufficeError as error:
        raise UnsafeFile(f"{draft.cls.__name__}: {error}") from None


@cache
def _expands(cls: type) -> bool:
    return issubclass(cls, Expands)


def _made(draft: Draft, budget: MemoryBudget, forms: Forms) -> Any:
    items = {k: build(v, budget, forms) for k, v in draft.items.items()}
    held = sum(v.nbytes for v in items.values() if isinstance(v, np.ndarray))
    checks = hasattr(draft.cls, "__post_init__")
    budget.take(OBJECT + checks * copies_of(forms[public_name(draft.cls)]) * held, draft.cls.__name__)
    made = draft.cls(**items)
    for name, v in (draft.fitted or {}).items():
        setattr(made, name, build(v, budget, forms))
    if _expands(draft.cls) and draft.fitted != {}:
        budget.take(made.check_loaded(), draft.cls.__name__)
    return made
