"""What is to be predicted: the task that the values of a target pose, or the one that the user names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import chdtr, gammainc

from suffice._core.errors import InvalidInput
from suffice.prepare import Task, attribute_types, infer_task
from suffice.prepare.looking._decimal_marks import check_decimals
from suffice.prepare.looking._lexicon import COUNT, NON_NEGATIVE, name_words
from suffice.prepare.looking._texts import number_share
from suffice.prepare.transforming._column_codes import as_numbers, as_words
from suffice.tables.cells import gaps

COUNTS_UP_TO = 100  # whole numbers with a larger mean are as good as continuous
COUNTS_FROM = 10  # whole numbers of which none is smaller may be measured ones
MOST_CLASSES = 50  # more are not told apart by a table of a size that fits into memory
FEW_CODES = 12  # whole numbers that may stand for classes
LARGEST = 1e150  # of a number whose square is still one
AMOUNT = NON_NEGATIVE - COUNT - {"population"}
CALLED = {"regression": "a quantity", "counts": "counts", "binary": "two classes", "multi-class": "classes"}
CALLED |= {"ordinal": "levels in an order"}


def without_value(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows where a target is missing, and rows where it is infinite."""
    infinite = np.isinf(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
    return gaps(values), infinite


def readable(values: np.ndarray, name: str) -> np.ndarray:
    """The target; words that are numbers become numbers, and a number in disguise is told with its row."""
    if values.dtype.kind in "mM":
        raise InvalidInput(
            f"target {name!r} holds times; a study predicts numbers, counts and classes. Make a number of it, as "
            "the days since an event."
        )
    if values.dtype != object:
        return values
    _check_cells(values, name)
    known = ~gaps(values)
    words = {str(v) for v in values[known]}
    if number_share(np.array([*words], dtype=object)) == 1:
        check_decimals(values, f"target {name!r}")
    if len(words) <= MOST_CLASSES:
        return values
    numbers = as_numbers(values)
    odd = np.flatnonzero(known & np.isnan(numbers))
    if not len(odd):
        return numbers
    if len(odd) <= 0.5 * known.sum():
        raise InvalidInput(
            f"target {name!r} holds numbers, but {_cell(values[odd[0]])} in row {odd[0]} (counted from 0) is "
            f"none, as in {len(odd)} of {known.sum()} rows. Leave such cells empty, or make numbers of them."
        )
    raise InvalidInput(
        f"target {name!r} has {len(words)} different texts in {known.sum()} rows; a study tells at most "
        f"{MOST_CLASSES} classes apart. Group them first."
    )


def _check_cells(values: np.ndarray, name: str) -> None:
    nested = next(
        (i for i, v in enumerate(values) if isinstance(v, list | dict | set | tuple | np.ndarray)), None
    )
    if nested is not None:
        raise InvalidInput(
            f"target {name!r} holds {_cell(values[nested])} in row {nested} (counted from 0), which is neither a "
            "number nor a class."
        )


def _cell(value: Any) -> str:
    return f"{value!r:.40}"


# -- the task ---------------------------------------------------------------------------------------------
def task_of(y: np.ndarray, given: str | None, meaning: Any, target: str) -> Task:
    """What the values say, what is said of their meaning (a scale, as in `attribute_types`), or what the user "
    "says."""
    if not len(y):
        raise InvalidInput(f"target {target!r} has no values.")
    if given is not None:
        return _given_task(y, given, target)
    if meaning is not None:
        return _usable(infer_task(y, attribute_types({target: y}, {target: meaning})[target]), y)
    found = _coded(_usable(infer_task(y), y), y)
    return _named(_counted(found, y), y, target) if y.dtype.kind in "iuf" else found


def _usable(found: Task, y: np.ndarray) -> Task:
    """Models here take numbers and classes: an order is kept by numbers, and not used among words."""
    if found.name == "constant":  # refused once it is known which rows are used
        return replace(found, name="binary")
    if found.name == "counts" and (why := _unlike_counts(y)):
        return Task("regression", f"{found.why.rstrip('.')}, {why}.", None, ("counts",))
    if found.name == "counts" and float(np.mean(y)) > COUNTS_UP_TO:
        why = f"{found.why.rstrip('.')}, large enough to be treated as continuous."
        return Task("regression", why, None, ("counts",))
    if found.name != "ordinal":
        return found
    if y.dtype.kind in "iuf":
        others = tuple(a for a in found.alternatives if a == "multi-class")
        why = f"{found.why} Its order is kept."
        return replace(found, name="regression", why=why, classes=None, alternatives=others)
    several = len(found.classes or ()) > 2
    return replace(
        found,
        name="multi-class" if several else "binary",
        why=f"{found.why} Its order is not used.",
        alternatives=(),
    )


def _unlike_counts(y: np.ndarray) -> str:
    """Why large whole numbers are measured rather than counted: too alike, or with a floor; empty if they may be."""
    n, low, mean, var = (
        len(y),
        float(np.min(y)),
        float(np.mean(y)),
        float(np.var(y, ddof=1)) if len(y) > 1 else 0.0,
    )
    if low < COUNTS_FROM or mean > COUNTS_UP_TO:
        return ""
    if chdtr(n - 1, (n - 1) * var / mean) < 0.01:
        return f"and more alike than counts are: their variance is {var / mean:.2g} of their mean"
    below = gammainc(mean**2 / var, low * mean / var) * n  # with the mean and the variance of the counts
    return f"and none below {low:g}, where {below:.0f} counts of this spread would be" if below > 7 else ""


def _coded(found: Task, y: np.ndarray) -> Task:
    """A few whole numbers, some negative, as −2 … 2: they may be codes of classes."""
    if (
        found.name != "regression"
        or found.alternatives
        or y.dtype.kind not in "if"
        or np.any(y != np.round(y))
    ):
        return found
    few = len(np.unique(y)) <= FEW_CODES and len(y) >= 5 * len(np.unique(y))
    return replace(found, alternatives=("multi-class",)) if few else found


def _counted(found: Task, y: np.ndarray) -> Task:
    """Whole numbers from 0 on, of which some are rare: counts have such a tail, classes seldom."""
    if found.name != "multi-class" or "counts" not in found.alternatives or y.min() != 0:
        return found
    _, sizes = np.unique(y, return_counts=True)
    if len(sizes) < 4 or sizes.min() > 0.1 * sizes.max():
        return found
    why = f"Whole numbers from 0 to {y.max():g}, some of them rare, as counts are."
    return Task("counts", why, None, ("multi-class",), found.missing)


def _named(found: Task, y: np.ndarray, target: str) -> Task:
    """Where the values leave the task open, the name may say it: a year, an amount, a rating, a code."""
    if not found.alternatives:
        return found
    a = attribute_types({target: y})[target]
    if a.calendar:
        return replace(found, name="regression", why=a.why, classes=None, alternatives=())
    if a.scale == "ordinal" and found.name in ("counts", "multi-class"):
        why = f"{a.why} Its order is kept."
        return replace(found, name="regression", why=why, classes=None, alternatives=("multi-class",))
    if a.scale == "nominal" and found.name == "multi-class":
        return replace(found, why=a.why, alternatives=())
    amount = a.continuity == "continuous" or AMOUNT & set(name_words(target))
    if amount and found.name == "counts":
        why = f"{found.why.rstrip('.')}; the name says that it is measured."
        return replace(found, name="regression", why=why, alternatives=("counts",))
    return found


def _given_task(y: np.ndarray, given: str, target: str) -> Task:
    numbers = _numbers(y)
    if given in ("regression", "counts") and np.isnan(numbers).any():
        odd = y[np.isnan(numbers)][0]
        raise InvalidInput(
            f"task is {given!r}, but target {target!r} holds {_cell(odd)}, which is no number."
        )
    if given == "counts" and (np.any(numbers < 0) or np.any(numbers != np.round(numbers))):
        odd = numbers[(numbers < 0) | (numbers != np.round(numbers))][0]
        raise InvalidInput(f"task is 'counts', but target {target!r} holds {odd:g}; counts are 0, 1, 2, …")
    classes = tuple(sorted(set(as_words(y)))) if given in ("binary", "multi-class") else None
    if given == "binary" and classes is not None and len(classes) > 2:
        raise InvalidInput(
            f"task is 'binary', but target {target!r} has {len(classes)} different values; task='multi-class' "
            "takes them."
        )
    return Task("binary" if classes is not None and len(classes) == 2 else given, "As you said.", classes)  # type: ignore[arg-type]


def doubt(task: Task, target: str) -> tuple[str, ...]:
    """What else the target may be, for people."""
    others = [CALLED[a] for a in task.alternatives if a in CALLED]
    if not others:
        return ()
    return (
        f"The target {target!r} is taken for {CALLED[task.name]}: {task.why} It may also be "
        f"{' or '.join(others)}; the option task decides.",
    )


# -- the values -------------------------------------------------------------------------------------------
def values_for(y: np.ndarray, task: Task) -> np.ndarray:
    """Labels as text, numbers as floats."""
    return as_words(y).astype(str) if task.is_classification else _numbers(y)


def _numbers(y: np.ndarray) -> np.ndarray:
    """A column without gaps as floats; truths count as 0 and 1."""
    flags = y.dtype == object and all(isinstance(v, bool | np.bool_) for v in y)
    return as_numbers(y.astype(float) if flags else y)


def check_varies(y: np.ndarray, target: str, task: Task, numbers: bool = False) -> None:
    """Refuse a target with one value, with more classes than can be told apart, or too large to be squared."""
    found = np.unique(y)
    if len(found) < 2:
        what = "one class" if task.is_classification and not numbers else "one value"
        shown = str(found[0]) if numbers else _cell(found[0].item())
        raise InvalidInput(
            f"target {target!r} has {what} only in the {len(y)} rows used ({shown}): there is "
            "nothing to predict."
        )
    if task.is_classification and len(found) > MOST_CLASSES:
        raise InvalidInput(
            f"target {target!r} has {len(found)} classes; a study tells at most {MOST_CLASSES} apart. Group them "
            "first, or say task='regression' if they are numbers."
        )
    if not task.is_classification and (why := out_of_reach(y)) is not None:
        raise InvalidInput(f"target {target!r} {why}.")


def out_of_reach(x: np.ndarray) -> str | None:
    """Why numbers cannot be computed with in squares, with the way out; None if they can."""
    known = np.abs(x[np.isfinite(x)])
    size = float(known.max(initial=0.0))
    if size > LARGEST:
        return f"holds numbers of the order {size:.0e}, whose squares overflow; divide it by a power of ten"
    if 0 < size < 1 / LARGEST:
        return f"holds numbers of the order {size:.0e}, whose squares vanish; multiply it by a power of ten"
    return None
