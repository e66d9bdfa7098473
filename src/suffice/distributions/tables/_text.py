"""What tables of probabilities share: sums that are one, names and labels of axes, text and HTML."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.linalg import EPS
from suffice._core.showing import escape
from suffice.distributions._checks import frozen

Labels = tuple[tuple[Any, ...], ...]


def check_sum(name: str, p: np.ndarray, axes: tuple[int, ...] | None = None) -> np.ndarray:
    """Probabilities that sum to one over `axes` up to rounding, or an error that names the sum."""
    total = np.sum(p, axis=axes, keepdims=True)
    off = np.abs(total - 1)
    if p.size == 0 or np.any(off > 1e-8):
        worst = total.flat[np.argmax(off)] if total.size else 0.0
        raise InvalidParameter(f"{name} must sum to one; got a sum of {worst:.9g}.")
    return frozen(np.where(off > p.size * EPS, p / total, p))


def named_axes(names: Any, labels: Any, shape: tuple[int, ...]) -> tuple[tuple[str, ...], Labels]:
    """One name and one list of different labels per axis; labels count from 0 unless given."""
    if isinstance(names, Mapping):
        if labels is not None:
            raise InvalidParameter("labels are given twice: in names and in labels.")
        names, labels = tuple(names), tuple(names.values())
    names = (names,) if isinstance(names, str) else tuple(names)
    if len(names) != len(shape) or not all(isinstance(n, str) for n in names) or len(set(names)) < len(names):
        raise InvalidParameter(
            f"names must be {len(shape)} different strings, one per axis of values; got {list(names)}."
        )
    labels = [range(k) for k in shape] if labels is None else list(labels)
    if len(labels) != len(shape):
        raise InvalidParameter(f"labels must be {len(shape)} lists, one per axis; got {len(labels)}.")
    return names, tuple(_labels(n, one, k) for n, one, k in zip(names, labels, shape, strict=True))


def _labels(name: str, labels: Iterable[Any], k: int) -> tuple[Any, ...]:
    found = tuple(v.item() if isinstance(v, np.generic) else v for v in labels)
    if len(found) != k or len(set(found)) < k:
        raise InvalidParameter(f"{name} needs {k} different labels, one per entry; got {list(found)}.")
    return found


def name_list(names: Any) -> tuple[str, ...]:
    """One name or several, as a tuple."""
    return (names,) if isinstance(names, str) else tuple(names)


def find_axis(names: tuple[str, ...], name: Any) -> int:
    """Position of a variable, or an error that lists the variables."""
    if name not in names:
        raise InvalidInput(f"Unknown variable {name!r}; the table has {', '.join(map(repr, names))}.")
    return names.index(name)


def find_label(name: str, labels: tuple[Any, ...], label: Any) -> int:
    """Position of a label, or an error that lists the labels."""
    if label not in labels:
        raise InvalidInput(f"Unknown label {label!r} of {name}; it has {list(labels)}.")
    return labels.index(label)


def numeric(name: str, labels: tuple[Any, ...]) -> np.ndarray:
    """Labels as numbers, or an error that says whose are none."""
    if not all(isinstance(v, numbers.Real) for v in labels):
        raise InvalidInput(f"{name} needs labels that are numbers; it has {list(labels)}.")
    return np.array(labels, dtype=float)


def column(labels: tuple[Any, ...], index: Any) -> np.ndarray:
    """An array of the chosen labels, of objects where these are not plain numbers or strings."""
    plain = all(isinstance(v, str) for v in labels) or all(isinstance(v, numbers.Real) for v in labels)
    array = np.array(labels) if plain else np.empty(len(labels), dtype=object)
    if not plain:
        array[:] = labels
    return array[index]


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of words as aligned lines: the first column to the left, the others to the right."""
    widths = [max(map(len, words)) for words in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            w.ljust(n) if i == 0 else w.rjust(n) for i, (w, n) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def html_line(value: Any) -> str:
    """A record whose repr is one readable line, for a notebook."""
    return f"<p>{escape(repr(value))}</p>"


def html_table(caption: str, rows: Sequence[Sequence[str]]) -> str:
    """The same rows for a notebook; the first is a heading, and so is the first word of each."""
    head = "".join(f"<th>{escape(w)}</th>" for w in rows[0])
    body = "".join(
        f"<tr><th>{escape(row[0])}</th>" + "".join(f"<td>{escape(w)}</td>" for w in row[1:]) + "</tr>"
        for row in rows[1:]
    )
    return f"<table><caption><b>{escape(caption)}</b></caption><tr>{head}</tr>{body}</table>"
