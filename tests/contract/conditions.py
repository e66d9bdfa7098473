"""Of which cases a check holds."""

from __future__ import annotations

from suffice._core.params import Parametric

from .case import Case

NUMERIC = ("numbers", "one column", "positive numbers", "gaps", "numbers, by sampling", "counts")


def adds(case: Case) -> bool:
    return bool(case.can.statistics)


def weighs(case: Case) -> bool:
    return bool(case.can.weights)


def predicts(case: Case) -> bool:
    return case.entry.predicts


def regresses(case: Case) -> bool:
    return case.entry.kind == "regressor"


def classifies(case: Case) -> bool:
    return case.entry.kind == "classifier"


def transforms(case: Case) -> bool:
    return case.entry.kind == "transformer"


def real(case: Case) -> bool:
    """Any number may stand in a cell."""
    return case.entry.takes == "numbers"


def numeric(case: Case) -> bool:
    """The table is an array of floats, of which some may be no numbers for it."""
    return case.entry.takes in NUMERIC


def array(case: Case) -> bool:
    return numeric(case) or case.entry.takes == "categories"


def columned(case: Case) -> bool:
    """The table has columns; documents have none."""
    return case.entry.takes != "documents"


def default(case: Case) -> bool:
    """What does not depend on the setting is asked once."""
    return case.setting == "default"


def repeats(case: Case) -> bool:
    """A second fit draws what the first one drew."""
    return not case.entry.drawn or "random_state" in case.parameters


def unordered(case: Case) -> bool:
    """It neither learns from one row after the other, nor chooses by folds of consecutive rows."""
    return repeats(case) and not (case.entry.ordered or case.entry.by_folds)


def free_of_folds(case: Case) -> bool:
    """Another number of rows gives other folds, and a choice by these may be another."""
    return not case.entry.by_folds


def has_parameters(case: Case) -> bool:
    return case.setting != "default"


def storable(case: Case) -> bool:
    """Functions and classes that are handed in are code, and code is not saved."""
    return not made_of_functions(case)


def made_of_functions(case: Case) -> bool:
    values = case.parameters.values()
    return any(
        "CustomBasis" in repr(v) or (callable(v) and not isinstance(v, Parametric | type)) for v in values
    )
