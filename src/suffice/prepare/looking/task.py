r"""Which task a target poses (DTU §1.2): classes are predicted for a discrete y, numbers for a continuous one.

A table cannot tell everything: three whole numbers may be classes, a rating or counts. Then `ambiguous` is true and
`why` says what decides.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice
from suffice._core.records import record
from suffice.prepare.looking._profile import Profile, profile
from suffice.prepare.looking.attribute_types import attribute
from suffice.prepare.looking.attributes import Attribute
from suffice.tables.opening import Table

TaskName = Literal[
    "constant", "regression", "multi-output regression", "counts", "binary", "multi-class", "ordinal"
]
CLASSIFICATION = ("binary", "multi-class", "ordinal")
SMALL = 20


@record
class Task:
    """What is to be predicted. `classes` are the values of a discrete target, `alternatives` what else it may be."""

    name: TaskName
    why: str
    classes: tuple[Any, ...] | None = None
    alternatives: tuple[str, ...] = ()
    missing: int = 0

    @property
    def ambiguous(self) -> bool:
        """Whether the values alone do not decide."""
        return bool(self.alternatives)

    @property
    def is_classification(self) -> bool:
        """Whether a class is to be predicted: discrete y (§1.2)."""
        return self.name in CLASSIFICATION

    @property
    def is_regression(self) -> bool:
        """Whether a number is to be predicted."""
        return not self.is_classification and self.name != "constant"

    def __repr__(self) -> str:
        doubt = f" It may also be {' or '.join(self.alternatives)}." if self.alternatives else ""
        return f"<Task {self.name}: {self.why}{doubt}>"


def infer_task(y: Any, attribute_type: Attribute | str | None = None) -> Task:
    """Which task a target poses: regression, counts, binary, multi-class or ordinal.

    Parameters
    ----------
    y
        The target, one value per row; several columns are several outputs.
    attribute_type
        What is known about the target: an `Attribute`, or its scale. It settles what the values leave open.

    Examples
    --------
    >>> from suffice.prepare import infer_task
    >>> infer_task([1.5, 2.25, 0.1])
    <Task regression: Numbers with fractions.>
    >>> infer_task(["cat", "dog", "cat"])
    <Task binary: Two values: 'cat' and 'dog'.>
    >>> infer_task([0, 1, 2, 1, 0, 2, 1]).ambiguous
    True
    """
    if not hasattr(y, "__len__"):
        raise InvalidInput(f"A target is needed, one value per row; got {y!r:.60} ({type(y).__name__}).")
    table = Table.of(_as_column_y(y))
    if len(table.columns) != 1:
        return _several(table)
    column = table.columns[0]
    values = column.values
    if values.dtype == object and any(isinstance(v, complex | np.complexfloating) for v in values):
        raise InvalidInput("The target holds complex numbers; give real and imaginary parts as two columns.")
    p = profile(column.name, values, column.levels)
    if not p.known:
        raise InvalidInput(f"The target has no value in any of its {len(values)} rows.")
    return _as_declared(p, attribute_type) if attribute_type is not None else _guessed(p)


def _as_column_y(y: Any) -> Any:
    """One vector as a table of one column named y, so that no name misleads."""
    if isinstance(y, range):
        return {"y": list(y)}
    if isinstance(y, list | tuple) and not any(isinstance(v, list | tuple | np.ndarray | dict) for v in y):
        return {"y": list(y)}
    return y


def _several(table: Table) -> Task:
    if not table.columns:
        raise InvalidInput("The target has no columns.")
    words = [c.name for c in table.columns if c.kind not in ("number", "flag", "nothing")]
    if words:
        raise InvalidInput(
            f"Several targets must all be numbers; column {words[0]!r} is not. Pick one target."
        )
    return Task("multi-output regression", f"{len(table.columns)} columns of numbers.")


# -- declared ---------------------------------------------------------------------------------------------
def _as_declared(p: Profile, declared: Attribute | str) -> Task:
    scale = declared.scale if isinstance(declared, Attribute) else declared
    check_choice("attribute_type", scale, ("nominal", "ordinal", "interval", "ratio"))
    order = declared.order if isinstance(declared, Attribute) else None
    if scale == "nominal":
        return _classes(p, "The attribute is nominal.")
    if scale == "ordinal":
        return Task("ordinal", "The attribute is ordinal.", order or _values(p), (), p.missing)
    if p.kind == "text":
        raise InvalidParameter(
            f"attribute_type is {scale!r} but the target holds text; make numbers of it first."
        )
    if scale == "ratio" and p.kind == "numbers" and p.whole and p.finite.min() >= 0:
        return Task("counts", "Whole numbers on a ratio scale.", None, (), p.missing)
    return Task("regression", f"The attribute is {scale}.", None, (), p.missing)


# -- guessed ----------------------------------------------------------------------------------------------
def _guessed(p: Profile) -> Task:
    a = attribute(p)
    if p.kind in ("text", "flags") or p.levels is not None:
        return _words(p, a)
    if p.kind == "times":
        return Task("regression", "Times are numbers on an interval scale.", None, (), p.missing)
    if len(p.finite) < len(p.distinct):
        odd = int(p.counts[~np.isfinite(p.distinct.astype(float))].sum())
        why = f"Numbers, infinite in {odd} of {p.known} rows: find out why first."
        return Task("regression", why, None, (), p.missing)
    if len(p.distinct) == 1 and p.known > 1:
        return _constant(p)
    if len(p.distinct) <= 2 and (p.whole or p.known > 4):
        return _classes(p, _one_of_two(p))
    if not p.whole:
        return _fractions(p)
    return _whole(p, a)


def _constant(p: Profile) -> Task:
    """Nothing to predict: not even two classes, and no number that varies."""
    return Task(
        "constant", f"One value only, {_values(p)[0]!r}: nothing to predict.", _values(p), (), p.missing
    )


def _one_of_two(p: Profile) -> str:
    shown = " and ".join(repr(v) for v in _values(p))
    return (
        f"Two values: {shown}." if len(p.distinct) == 2 else f"One value only, {shown}: nothing to predict."
    )


def _words(p: Profile, a: Attribute) -> Task:
    if a.scale == "ordinal":
        return Task(
            "ordinal", a.why, a.order, ("multi-class",) if len(p.distinct) > 2 else ("binary",), p.missing
        )
    if len(p.distinct) == 1 and p.known > 1:
        return _constant(p)
    if len(p.distinct) <= 2:
        return _classes(p, _one_of_two(p))
    if p.known >= SMALL and len(p.distinct) > 0.5 * p.known:
        return _classes(
            p, f"{len(p.distinct)} words in {p.known} rows: hardly a class to learn.", ("no target at all",)
        )
    return _classes(p, f"{len(p.distinct)} words.")


def _fractions(p: Profile) -> Task:
    few = len(p.distinct) <= 12 and p.known >= 5 * len(p.distinct)
    other = ("multi-class", "ordinal") if few else ()
    why = f"Numbers with fractions, but only {len(p.distinct)} of them." if few else "Numbers with fractions."
    return Task("regression", why, None, other, p.missing)


def _whole(p: Profile, a: Attribute) -> Task:
    k = len(p.distinct)
    if a.scale == "ordinal":
        return Task("ordinal", a.why, _values(p), ("regression", "multi-class"), p.missing)
    if p.finite.min() < 0:
        return Task("regression", "Whole numbers, some negative.", None, (), p.missing)
    if k <= SMALL and p.known >= 2 * k and _runs(p):
        name: TaskName = "multi-class" if k <= 10 else "counts"
        others = tuple(n for n in ("multi-class", "counts", "ordinal") if n != name)
        classes = _values(p) if name == "multi-class" else None
        return Task(name, f"Whole numbers, {k} different ones without a hole.", classes, others, p.missing)
    return Task(
        "counts", f"Whole numbers from {p.finite[0]:g} to {p.finite[-1]:g}.", None, ("regression",), p.missing
    )


def _runs(p: Profile) -> bool:
    """Whether the numbers are 0, 1, …, k−1 or 1, …, k, as class labels are."""
    return p.finite[0] in (0, 1) and p.finite[-1] - p.finite[0] == len(p.finite) - 1


def _values(p: Profile) -> tuple[Any, ...]:
    values = p.distinct.tolist()
    return tuple(sorted(values)) if p.kind != "text" else tuple(sorted(map(str, values)))


def _classes(p: Profile, why: str, alternatives: tuple[str, ...] = ()) -> Task:
    name: TaskName = "multi-class" if len(p.distinct) > 2 else "binary"
    return Task(name, why, _values(p), alternatives, p.missing)
