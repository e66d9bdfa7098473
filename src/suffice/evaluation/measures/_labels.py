"""The door for labels: strings, booleans or whole numbers, one per row, as codes among sorted classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.tables.cells import as_objects, first_odd, floats, is_missing, kinds_of
from suffice.tables.requiring import array_from
from suffice.tables.typed import TAKEN

CONVENTIONAL = ([0, 1], [-1, 1])  # two classes of which the larger is the positive one by custom


def label_array(name: str, values: Any) -> np.ndarray:
    """A vector of booleans, int64 or strings (as objects) without gaps."""
    array = array_from(name, values)
    if array.ndim != 1:
        raise InvalidInput(f"{name} must be a vector of labels, one per row; got shape {array.shape}.")
    if not len(array):
        raise InvalidInput(f"{name} is empty; a measure needs at least one row.")
    if array.dtype.kind in "UT" or array.dtype == object:
        return _from_objects(name, values if isinstance(values, list | tuple) else array.tolist())
    return _whole(name, array)


def _whole(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype.kind == "b":
        return array
    if array.dtype.kind not in "iuf":
        raise InvalidInput(f"{name} must hold strings, booleans or whole numbers; got {array.dtype}.")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        _refuse(name, array.tolist(), int(np.argmin(np.isfinite(array))))
    whole = array.astype(np.int64)
    if np.any(whole != array):
        row = int(np.argmax(whole != array))
        raise InvalidInput(
            f"{name} must hold labels; row {row} holds {array[row].item()!r}, which is not a whole number. "
            "For scores and probabilities use roc, threshold_curves, or confusion(y, scores=...)."
        )
    return whole


def _from_objects(name: str, values: Sequence[Any]) -> np.ndarray:
    """Strings stay objects; booleans and numbers become the array they stand for."""
    try:
        distinct = set(values)
    except TypeError:
        raise InvalidInput(f"{name} must hold strings, booleans or whole numbers, one per row.") from None
    if any(map(is_missing, distinct)):
        _refuse(name, values, next(i for i, v in enumerate(values) if is_missing(v)))
    kinds = kinds_of(distinct)
    if len(kinds) > 1 or not kinds <= {*TAKEN}:
        shown = sorted({repr(v)[:40] for v in distinct})[:4]
        raise InvalidInput(
            f"{name} must hold strings, booleans or whole numbers, all of one kind; it holds {', '.join(shown)}."
        )
    if kinds == {"text"}:
        return as_objects(values)
    return _whole(name, np.array([v.item() if isinstance(v, np.generic) else v for v in values]))


def _refuse(name: str, values: Sequence[Any], row: int) -> None:
    raise InvalidInput(f"{name} is {values[row]!r} at row {row}; leave out rows without a label.")


def check_lengths(**arrays: Any) -> int:
    """The common number of rows, or an error that names both lengths."""
    (first, n), *others = ((name, len(a)) for name, a in arrays.items() if a is not None)
    for name, length in others:
        if length != n:
            raise InvalidInput(f"{first} and {name} must have one entry per row; got {n} and {length}.")
    return n


def encode(labels: Any = None, **arrays: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """Classes, sorted or in the order of `labels`, and each array as positions among them."""
    texts = {name: a.dtype == object for name, a in arrays.items()}
    if len(set(texts.values())) > 1:
        words = " and ".join(f"{name} holds {'text' if text else 'numbers'}" for name, text in texts.items())
        raise InvalidInput(f"Labels must be of one kind: {words}.")
    if labels is not None:
        return _among(label_array("labels", labels), arrays)
    if next(iter(texts.values())):
        classes: Any = sorted(set().union(*(a.tolist() for a in arrays.values())))
        return np.array(classes), [_by_table(a, classes) for a in arrays.values()]
    if all(a.dtype == bool for a in arrays.values()):
        return np.array([False, True]), [a.astype(np.intp) for a in arrays.values()]
    return _integers([a.astype(np.int64, copy=False) for a in arrays.values()])


def _by_table(array: np.ndarray, classes: Sequence[Any]) -> np.ndarray:
    place = {label: i for i, label in enumerate(classes)}
    return np.fromiter(map(place.__getitem__, array.tolist()), dtype=np.intp, count=len(array))


def _integers(arrays: list[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """By a table of the values between the smallest and the largest, where that is short; else by sorting."""
    low = min(int(a.min()) for a in arrays)
    span = max(int(a.max()) for a in arrays) - low + 1
    if span > 4 * sum(map(len, arrays)) + 1024:
        classes, codes = np.unique(np.concatenate(arrays), return_inverse=True)
        return classes, np.split(codes, np.cumsum([len(a) for a in arrays])[:-1])
    seen = np.zeros(span, dtype=bool)
    for a in arrays:
        seen[a - low] = True
    classes = np.flatnonzero(seen) + low
    if len(classes) == span:
        return classes, [a - low for a in arrays]
    place = np.cumsum(seen) - 1
    return classes, [place[a - low] for a in arrays]


def _among(labels: np.ndarray, arrays: dict[str, np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Positions among the listed labels, all of which must be there."""
    listed = labels.tolist()
    if len(set(listed)) < len(listed):
        raise InvalidParameter(f"labels must be distinct; got {listed}.")
    found, codes = encode(None, **arrays)
    place = {label: i for i, label in enumerate(listed)}
    unknown = [c for c in found.tolist() if c not in place]
    used = [c for c in unknown if any((k == found.tolist().index(c)).any() for k in codes)]
    if used:
        raise InvalidInput(
            f"labels lists {listed}, but the rows also hold {used[0]!r}; add it or drop its rows."
        )
    moved = np.array([place.get(c, 0) for c in found.tolist()], dtype=np.intp)
    return np.array(listed), [moved[k] for k in codes]


def pick_positive(classes: np.ndarray, positive: Any) -> Any:
    """The positive label: the given one, True, or the larger of {0, 1} and {−1, 1}; None where nobody can know."""
    listed = classes.tolist()
    if positive is not None:
        value = positive.item() if isinstance(positive, np.generic) else positive
        if value not in listed:
            raise InvalidParameter(f"positive must be one of {listed}; got {positive!r}.")
        return listed[listed.index(value)]
    return max(listed) if classes.dtype == bool or sorted(listed) in CONVENTIONAL else None


def positives(y: Any, positive: Any, purpose: str) -> np.ndarray:
    """Which rows are positive; both kinds must be there."""
    array = label_array("y", y)
    if positive is None and array.dtype.kind == "i" and (low := array.min()) < (high := array.max()) == 1:
        ones = array == high
        if low >= -1 and np.count_nonzero(array == low) + np.count_nonzero(ones) == len(array):
            return ones
    if array.dtype != bool:
        array = _is_positive(array, positive, purpose)
    elif positive is not None and not pick_positive(np.array([False, True]), positive):
        array = ~array
    count = int(np.count_nonzero(array))
    if count in (0, len(array)):
        kind = "negative" if count == 0 else "positive"
        raise InvalidInput(f"All {len(array)} rows of y are {kind}; {purpose} needs both classes.")
    return array


def _is_positive(array: np.ndarray, positive: Any, purpose: str) -> np.ndarray:
    classes, (codes,) = encode(None, y=array)
    listed = classes.tolist()
    if len(listed) == 1:
        raise InvalidInput(f"y holds only the class {listed[0]!r}; {purpose} needs both classes.")
    if len(listed) > 2 and positive is None:
        raise InvalidInput(
            f"y holds {len(listed)} classes; {purpose} is for two. Give positive=..., or use one_vs_rest."
        )
    chosen = pick_positive(classes, positive)
    if chosen is None:
        raise InvalidParameter(
            f"positive must say which of {listed[0]!r} and {listed[1]!r} is the positive class; got None."
        )
    return codes == listed.index(chosen)


def check_weights(sample_weight: Any, n: int) -> np.ndarray | None:
    """How often each row counts: finite, not negative, not all zero."""
    if sample_weight is None:
        return None
    weight = numbers_of("sample_weight", sample_weight, n)
    if (weight < 0).any():
        row = int(np.argmax(weight < 0))
        raise InvalidInput(f"sample_weight must not be negative; got {weight[row]} at row {row}.")
    if not weight.any():
        raise InvalidInput("sample_weight is zero for every row; at least one must count.")
    return weight


def numbers_of(name: str, values: Any, n: int | None = None) -> np.ndarray:
    """A float64 vector without NaN or infinity, of `n` rows."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise InvalidInput(f"{name} must be a vector, one number per row; got shape {array.shape}.")
    if array.dtype == object and first_odd(array) is None:
        array = floats(array)
    if array.dtype.kind not in "biuf":
        raise InvalidInput(f"{name} must hold numbers; got {array.dtype}.")
    array = array.astype(float, copy=False)
    if n is not None and len(array) != n:
        raise InvalidInput(f"y and {name} must have one entry per row; got {n} and {len(array)}.")
    if not len(array):
        raise InvalidInput(f"{name} is empty; a measure needs at least one row.")
    if not np.isfinite(array).all():
        row = int(np.argmin(np.isfinite(array)))
        raise InvalidInput(f"{name} must be finite; got {array[row]} at row {row}.")
    return array
