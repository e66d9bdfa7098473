"""The tree of a model file: values of this library as JSON, with arrays kept aside.

A tree holds null, booleans, numbers, strings, lists, and tagged objects: {"array": i}, {"tuple": […]},
{"dict": {…}}, {"pairs": [[key, value], …]}, {"float": "inf"}, {"strings": […], "shape": […]}, {"class": name},
{"type": name} (of NumPy's numbers),
{"record": name, "fields": {…}}, {"estimator": name, "params": {…}, "fitted": {…}}. Names come from an allow-list, so
that decoding can construct values of this library and nothing else.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from suffice._core.errors import UnsafeFile, Unsupported
from suffice._core.records import fields, public_name, storable_class

NUMBERS: dict[str, type] = {
    t.__name__: t
    for t in (
        np.float64,
        np.float32,
        np.int64,
        np.int32,
        np.int16,
        np.int8,
        np.uint64,
        np.uint32,
        np.uint16,
        np.uint8,
    )
}
ROOMS = (
    "_components",
    "_core",
    "baselines",
    "bases",
    "distributions",
    "engine",
    "generative",
    "glm",
    "inference",
    "likelihoods",
    "linear",
    "mixtures",
    "prepare",
    "similarity",
    "statistics",
    "study",
)


def encode(value: Any, arrays: list[np.ndarray]) -> Any:
    """The tree of a value; its arrays are appended to `arrays`."""
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
        return [encode(v, arrays) for v in value]
    if isinstance(value, tuple):
        return {"tuple": [encode(v, arrays) for v in value]}
    if isinstance(value, dict) and all(isinstance(k, str) for k in value):
        return {"dict": {k: encode(v, arrays) for k, v in value.items()}}
    if isinstance(value, dict) and all(isinstance(k, str | int | float) for k in value):
        return {"pairs": [[encode(k, arrays), encode(v, arrays)] for k, v in value.items()]}
    if isinstance(value, type) and storable_class(_name(value)) is value:
        return {"class": _name(value)}
    if isinstance(value, type) and NUMBERS.get(value.__name__) is value:
        return {"type": value.__name__}
    return _encode_object(value, arrays)


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


def _encode_object(value: Any, arrays: list[np.ndarray]) -> Any:
    cls = type(value)
    name = _name(cls)
    if storable_class(name) is not cls:
        raise Unsupported(
            f"{value!r} cannot be saved: {cls.__name__} is not a value that a model file can hold "
            "(functions and foreign objects are code)."
        )

    def inside(items: dict[str, Any]) -> dict[str, Any]:
        return {k: encode(v, arrays) for k, v in items.items()}

    if hasattr(cls, "fitted"):
        return {
            "estimator": name,
            "params": inside(value.get_params(deep=False)),
            "fitted": inside(value.fitted()),
        }
    return {"record": name, "fields": inside(fields(value))}


def decode(node: Any, array: Callable[[Any], np.ndarray]) -> Any:
    """The value of a tree; `array(i)` reads an array. What is not understood is refused."""
    if node is None or isinstance(node, bool | int | float | str):
        return node
    if isinstance(node, list):
        return [decode(v, array) for v in node]
    if not isinstance(node, dict):
        raise UnsafeFile(f"The tree has a node that is not understood: {node!r:.80}.")
    match node:
        case {"array": i, **rest} if not rest:
            return array(i)
        case {"strings": list(words), "shape": list(shape), **rest} if not rest:
            return _strings(words, shape)
        case {"tuple": list(items), **rest} if not rest:
            return tuple(decode(v, array) for v in items)
        case {"dict": dict(items), **rest} if not rest:
            return {k: decode(v, array) for k, v in items.items()}
        case {"pairs": list(items), **rest} if not rest and all(_is_pair(p) for p in items):
            return {decode(k, array): decode(v, array) for k, v in items}
        case {"class": str(name), **rest} if not rest:
            return _allowed(name, estimator=False)
        case {"type": str(name), **rest} if not rest and name in NUMBERS:
            return NUMBERS[name]
        case {"float": "inf" | "-inf" | "nan" as word, **rest} if not rest:
            return float(word)
        case {"record": str(name), "fields": dict(items), **rest} if not rest:
            return _build(_allowed(name, estimator=False), {k: decode(v, array) for k, v in items.items()})
        case {"estimator": str(name), "params": dict(params), "fitted": dict(fitted), **rest} if not rest:
            model = _build(_allowed(name, estimator=True), {k: decode(v, array) for k, v in params.items()})
            return _restore(model, {k: decode(v, array) for k, v in fitted.items()})
    raise UnsafeFile(f"The tree has a node that is not understood, with keys {sorted(node)[:6]}.")


def _is_pair(item: Any) -> bool:
    """A key that is a plain value, and what belongs to it."""
    return isinstance(item, list) and len(item) == 2 and isinstance(item[0], bool | int | float | str)


def _strings(words: list, shape: list) -> np.ndarray:
    if not all(isinstance(w, str) for w in words) or not all(isinstance(s, int) and s >= 0 for s in shape):
        raise UnsafeFile("An array of strings is malformed.")
    if math.prod(shape) != len(words):
        raise UnsafeFile(f"An array of strings has {len(words)} entries for shape {shape}.")
    return np.array(words, dtype=object).reshape(shape)


def _allowed(name: str, *, estimator: bool) -> type:
    room = name.partition(".")[0]
    if room in ROOMS:
        import_module(f"suffice.{room}")
    cls = storable_class(name)
    if cls is None or hasattr(cls, "fitted") is not estimator:
        raise UnsafeFile(f"The file asks for {name!r}, which is not on the list of what a file may contain.")
    return cls


def _build(cls: type, items: dict[str, Any]) -> Any:
    known = {f.name for f in dataclasses.fields(cls) if f.init}
    unknown = set(items) - known
    if unknown:
        raise UnsafeFile(f"{cls.__name__} has no field {sorted(unknown)[0]!r}.")
    missing = {f.name for f in dataclasses.fields(cls) if f.init and _required(f)} - set(items)
    if missing:
        raise UnsafeFile(f"{cls.__name__} lacks its field {sorted(missing)[0]!r}.")
    return cls(**items)


def _required(f: dataclasses.Field) -> bool:
    return f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING


def _restore(model: Any, fitted: dict[str, Any]) -> Any:
    known = {f.name for f in dataclasses.fields(model) if not f.init}
    for name, value in fitted.items():
        if name not in known:
            raise UnsafeFile(f"{type(model).__name__} has no fitted attribute {name!r}.")
        setattr(model, name, value)
    return model
