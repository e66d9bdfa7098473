"""Whether a decoded value is what the annotation of a field says.

Annotations are those of the classes, read once per class. A protocol is answered by the names it asks for, so that no
method runs. NaN is no number here, but in results: a field that may hold it says so in `contents.py`.
"""

from __future__ import annotations

import collections.abc as abc
import math
import sys
import types
import typing
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np

from suffice._core.drafts import Draft, Family, NumberType

LARGEST = 1 << 80  # of a whole number
_SEQUENCES = (tuple, list, abc.Sequence, abc.Iterable, abc.Collection)
_MAPPINGS = (dict, abc.Mapping)


@cache
def hints_of(cls: type) -> dict[str, Any]:
    """The annotations of all fields, inherited ones included."""
    names: dict[str, Any] = {}
    for base in cls.__mro__:
        names = vars(sys.modules[base.__module__]) | names if base is not object else names
    return typing.get_type_hints(cls, names, _imported_for_types(cls))


def _imported_for_types(cls: type) -> dict[str, Any]:
    """Classes of the same room, which a module may import for its annotations alone."""
    from suffice._core.records import storable_class

    room = cls.__module__.split(".")[1]
    return _Room(lambda name: storable_class(f"{room}.{name}"))


class _Room(dict):
    """Names looked up as they are asked for."""

    def __init__(self, find: Any):
        super().__init__()
        self.find = find

    def __missing__(self, name: str) -> Any:
        found = self.find(name)
        if found is None:
            raise KeyError(name)
        return found


def fits(hint: Any, value: Any, nan: bool = False) -> bool:
    """Whether a value is of the kind that an annotation names; `nan` says whether numbers may be NaN."""
    if isinstance(value, Family | NumberType):
        return False
    if hint is Any or isinstance(hint, typing.TypeVar) or hint is abc.Hashable:
        return hint is Any or value is None or isinstance(value, bool | int | float | str)
    if hint is None or hint is type(None):
        return value is None
    origin = get_origin(hint)
    if origin is Literal:
        return any(type(value) is type(word) and value == word for word in get_args(hint))
    if origin in (Union, types.UnionType):
        return any(fits(part, value, nan) for part in get_args(hint))
    if origin in _SEQUENCES or hint in _SEQUENCES:
        return _fits_sequence(origin or hint, get_args(hint), value, nan)
    if origin in _MAPPINGS or hint in _MAPPINGS:
        return _fits_mapping(get_args(hint), value, nan)
    return _fits_plain(hint, value, nan)


def _fits_plain(hint: Any, value: Any, nan: bool) -> bool:
    if hint is bool or hint is str:
        return type(value) is hint
    if hint is int:
        return type(value) is int and abs(value) < LARGEST
    if hint is float:
        return is_number(value) and (nan or not math.isnan(value))
    if hint is np.ndarray:
        return isinstance(value, np.ndarray) and (nan or not has_nan(value))
    if not isinstance(value, Draft) or not isinstance(hint, type):
        return False
    if getattr(hint, "_is_protocol", False):
        return all(hasattr(value.cls, name) or value.has(name) for name in typing_names(hint))
    return issubclass(value.cls, hint)


def _fits_sequence(kind: Any, parts: tuple, value: Any, nan: bool) -> bool:
    if not isinstance(value, tuple | list) or (kind in (tuple, list) and not isinstance(value, kind)):
        return False
    if not parts:
        return True
    if kind is tuple and parts[-1] is not Ellipsis:
        return len(value) == len(parts) and all(fits(h, v, nan) for h, v in zip(parts, value, strict=True))
    return all(fits(parts[0], v, nan) for v in value)


def _fits_mapping(parts: tuple, value: Any, nan: bool) -> bool:
    key, item = parts or (Any, Any)
    return isinstance(value, dict) and all(fits(key, k, nan) and fits(item, v, nan) for k, v in value.items())


@cache
def typing_names(protocol: type) -> tuple[str, ...]:
    """What a protocol asks for."""
    found = {n for base in protocol.__mro__ if getattr(base, "_is_protocol", False) for n in _asked(base)}
    return tuple(sorted(found))


def _asked(base: type) -> set[str]:
    own = {n for n in vars(base) if not n.startswith("_") or n == "__call__"}
    return own | {n for n in vars(base).get("__annotations__", {}) if not n.startswith("_")}


def is_number(value: Any) -> bool:
    """A number that float64 can hold; True is none."""
    return type(value) is float or (type(value) is int and abs(value) < LARGEST)


def has_nan(a: np.ndarray) -> bool:
    """Whether an array of numbers has NaN, found without a second array."""
    return a.dtype.kind in "fc" and a.size > 0 and bool(np.isnan(a.min() if a.dtype.kind == "f" else a.sum()))


__all__ = ["fits", "has_nan", "hints_of", "is_number"]
