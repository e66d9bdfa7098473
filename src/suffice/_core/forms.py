"""Forms: what the fields of a stored class must hold, in one line each, asked before anything is made.

A form is a list of fields, parted by semicolons, each with what it may be, parted by bars:

    n_features_in_: =n; coef_: (d) | (k, d); layout.shift: (p-1); parts: list[c] {Moments | none}; ?log_: loose ()

`(d, k)` is an array of finite numbers whose sides are called d and k, `()` one number, `*` a side of any length, `*b`
any number of sides. A letter stands for the same length everywhere in the form; `=n` is a whole number that is one,
and `bit g` True or False as 1 or 0. Before the sides may stand what the numbers are: `array` (no plain number),
`loose` (anything), `reals` (anything but NaN), `positive`, `nonnegative`, `share` (0 to 1), `logs` (at most 0, not
NaN), `whole` (of an integer kind, zero or more), `flags`. After them `sum t`: the entries add up to t. `labels[c]`
are sorted different labels, `texts[c]` strings, `list[c] {…}` and `dict {…}` containers, `int 0..9` a whole number in
a range, `family` a density as a class. Other words name classes, as files do. A `*` in a path goes through a list. A
fitted model has every attribute of its form but those with a question mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from suffice._core.drafts import Draft, Family, NumberType
from suffice._core.hints import LARGEST, has_nan, is_number
from suffice._core.records import public_name

Sizes = dict[str, Any]
_ARRAY = re.compile(r"(?:(\w+) )?\(([^)]*)\)(?: sum (\w+))?")
_SIDE = re.compile(r"(\d+)|([a-z])([+-](?:\d+|[a-z]))?")
_INT = re.compile(r"int(?: (-?\d*)\.\.(\d*))?")
_LIST = re.compile(r"(list|dict|texts|labels)(?:\[([^\]]*)\])?(?: ?\{(.*)\})?")


@dataclass(frozen=True)
class Field:
    """One field of a form: the path to it, what it may be, and whether it may be absent."""

    path: tuple[str, ...]
    choices: tuple[str, ...]
    optional: bool


@cache
def parse(form: str) -> tuple[Field, ...]:
    """The fields of a form."""
    out = []
    for part in filter(None, (p.strip() for p in form.split(";"))):
        path, _, words = part.partition(":")
        optional = path.startswith("?")
        out.append(Field(tuple(path.lstrip("?").strip().split(".")), choices_of(words), optional))
    return tuple(out)


@cache
def choices_of(words: str) -> tuple[str, ...]:
    """Alternatives, parted by bars that stand in no bracket."""
    depth, start, out = 0, 0, []
    for i, letter in enumerate(words):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "|" and depth == 0:
            out.append(words[start:i].strip())
            start = i + 1
    return (*out, words[start:].strip())


def values_at(value: Any, path: tuple[str, ...]) -> Iterator[Any]:
    """What a path leads to; nothing where something on the way is absent or none."""
    if not path:
        yield value
    elif path[0] == "*" and isinstance(value, tuple | list):
        for v in value:
            yield from values_at(v, path[1:])
    elif isinstance(value, Draft) and value.has(path[0]):
        inner = value.get(path[0])
        if inner is not None or len(path) == 1:
            yield from values_at(inner, path[1:])


def meets(choices: tuple[str, ...], value: Any, sizes: Sizes) -> bool:
    """Whether a value is one of the choices; the lengths that it gives names to are kept in `sizes`."""
    for choice in choices:
        trial = dict(sizes)
        if _test_of(choice)(value, trial):
            sizes.update(trial)
            return True
    return False


@cache
def _test_of(choice: str) -> Callable[[Any, Sizes], bool]:
    """The question that a choice stands for; its words are read once."""
    if choice in _WORDS:
        word = _WORDS[choice]
        return lambda value, sizes: word(value)
    if choice.startswith("="):
        return lambda value, sizes: type(value) is int and _named(choice[1:], value, sizes)
    if choice.startswith("bit "):
        return lambda value, sizes: type(value) is bool and _named(choice[4:], int(value), sizes)
    if found := _INT.fullmatch(choice):
        low, high = int(found[1] or -LARGEST), int(found[2] or LARGEST)
        return lambda value, sizes: type(value) is int and low <= value <= high
    if found := _ARRAY.fullmatch(choice):
        sides = tuple(s.strip() for s in found[2].split(",") if s.strip())
        return partial(_meets_array, found[1] or "", sides, found[3])
    if found := _LIST.fullmatch(choice):
        return partial(_meets_list, found[1], found[2], choices_of(found[3] or "any"))
    return lambda value, sizes: isinstance(value, Draft) and choice in _names_of(value.cls)


@cache
def _names_of(cls: type) -> frozenset[str]:
    """What files call a class and those that it derives from."""
    return frozenset(
        public_name(base).rpartition(".")[2] if base.__module__.startswith("suffice.") else base.__name__
        for base in cls.__mro__
    )


_WORDS: dict[str, Callable[[Any], bool]] = {
    "none": lambda v: v is None,
    "bool": lambda v: type(v) is bool,
    "text": lambda v: type(v) is str,
    "scalar": lambda v: v is None or isinstance(v, bool | int | float | str),
    "family": lambda v: isinstance(v, Family),
    "dtype": lambda v: isinstance(v, NumberType),
    "any": lambda v: not isinstance(v, Family | NumberType),
}


def _meets_list(kind: str, length: str | None, inside: tuple[str, ...], value: Any, sizes: Sizes) -> bool:
    if kind == "dict":
        return isinstance(value, dict) and all(meets(inside, v, sizes) for v in value.values())
    if kind == "labels":
        return _are_labels(value) and (length is None or _named(length, len(value), sizes))
    if isinstance(value, np.ndarray) and (kind != "texts" or value.ndim != 1 or value.dtype.kind not in "OU"):
        return False
    if not isinstance(value, np.ndarray | tuple | list) or (length and not _named(length, len(value), sizes)):
        return False
    if kind == "texts":
        return isinstance(value, np.ndarray) or all(isinstance(v, str) for v in value)
    return all(meets(inside, v, sizes) for v in value)


def _are_labels(a: Any) -> bool:
    """Sorted different labels of one kind."""
    if not isinstance(a, np.ndarray) or a.ndim != 1 or a.dtype.kind not in "OUSbiuf" or has_nan(a):
        return False
    return bool(np.all(a[:-1] < a[1:]))


# -- arrays -------------------------------------------------------------------------------------------
def _meets_array(quality: str, sides: tuple[str, ...], total: str | None, value: Any, sizes: Sizes) -> bool:
    if is_number(value) and quality != "array":
        a = np.asarray(float(value))
    elif isinstance(value, np.ndarray) and value.dtype.kind in _KINDS.get(quality, "fiu"):
        a = value
    else:
        return False
    if not _meets_sides(sides, a.shape, sizes):
        return False
    if a.size and not _QUALITIES[quality](a):
        return False
    return total is None or _named(total, int(a.sum()), sizes)


_KINDS = {"whole": "iu", "flags": "b"}
_QUALITIES: dict[str, Callable[[np.ndarray], Any]] = {
    "": lambda a: -np.inf < a.min() and a.max() < np.inf,
    "array": lambda a: -np.inf < a.min() and a.max() < np.inf,
    "loose": lambda a: True,
    "reals": lambda a: not has_nan(a),
    "positive": lambda a: a.min() > 0 and a.max() < np.inf,
    "nonnegative": lambda a: a.min() >= 0 and a.max() < np.inf,
    "share": lambda a: a.min() >= 0 and a.max() <= 1 + 1e-6,
    "logs": lambda a: a.max() <= 1e-6,
    "whole": lambda a: a.min() >= 0,
    "flags": lambda a: True,
}


def _meets_sides(sides: tuple[str, ...], shape: tuple[int, ...], sizes: Sizes) -> bool:
    if sides and sides[0].startswith("*") and len(sides[0]) > 1:
        rest = len(sides) - 1
        if len(shape) < rest:
            return False
        front = shape[: len(shape) - rest]
        if sizes.setdefault(sides[0], front) != front:
            return False
        sides, shape = sides[1:], shape[len(front) :]
    return len(sides) == len(shape) and all(
        _named(side, length, sizes) for side, length in zip(sides, shape, strict=True)
    )


def _named(side: str, length: int, sizes: Sizes) -> bool:
    """Whether a side has the length that its name stands for; a new name stands for this one from now on."""
    if side == "*":
        return True
    number, letter, more = _parts_of(side)
    if number is not None:
        return length == number
    known = length - (more if isinstance(more, int) else int(more[0] + "1") * int(sizes.get(more[1:], 0)))
    return known >= 0 and sizes.setdefault(letter, known) == known


@cache
def _parts_of(side: str) -> tuple[int | None, str, int | str]:
    """A number; or a letter and what is added to it, a number or another letter that has been met."""
    found = _SIDE.fullmatch(side)
    if found is None:
        raise AssertionError(f"{side!r} is no side of a form")
    if found[1]:
        return int(found[1]), "", 0
    more = found[3] or "+0"
    return None, found[2], more if more[1:].isalpha() else int(more)


def copies_of(form: str) -> int:
    """How often a class with checks holds its arrays while they run: numbers side by side are copied once."""
    plain = all(choice.endswith("(*b)") for field in parse(form) for choice in field.choices)
    return 1 if plain else 4


__all__ = ["Field", "copies_of", "meets", "parse", "values_at"]
