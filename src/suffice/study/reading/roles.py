"""What each column does, by name: one target; a group, a time and weights if asked for; the rest are features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, did_you_mean
from suffice.study.options import Options
from suffice.study.reading.source import StudySource

REASONS = {
    "group": "keeps its rows together and is not used to predict",
    "time": "orders the rows and is not used to predict",
    "weight": "says how often a row counts and is not used to predict",
}


def check_target(columns: Mapping[str, np.ndarray], target: str | None) -> str:
    """The column to predict, which must be there."""
    if target is None:
        shown = ", ".join(f"{name!r:.60}" for name in list(columns)[:12])
        more = f" and {len(columns) - 12} more" if len(columns) > 12 else ""
        raise InvalidParameter(f"target must name the column to predict; the columns are: {shown}{more}.")
    _check_column(columns, target, "target")
    return target


def roles_of(columns: Mapping[str, np.ndarray], target: str, options: Options) -> dict[str, str]:
    """Roles of the columns that are no plain features."""
    roles = {target: "target"}
    for option, role, name in (
        ("group", "group", options.group),
        ("time", "time", options.time),
        ("weights", "weight", options.weights),
    ):
        if name is None:
            continue
        _check_column(columns, name, option)
        if name in roles:
            raise InvalidParameter(f"{option}: {name!r} is the {roles[name]} already; a column has one role.")
        roles[name] = role
    for name in options.ignore:
        _check_column(columns, name, "ignore")
        if roles.get(name, "ignored") != "ignored":
            raise InvalidParameter(f"ignore: {name!r} is the {roles[name]}, so it cannot be left out.")
        roles[name] = "ignored"
    return roles


def meanings(source: StudySource, options: Options) -> dict[str, Any]:
    """What is said of columns by the user, or else by the table itself."""
    for name in options.types or {}:
        _check_column(source.columns, name, "types")
    return {**source.types, **(options.types or {})}


def for_features(given_types: Mapping[str, Any], roles: Mapping[str, str]) -> dict[str, Any]:
    """What the encoder is told; ignored columns are unused."""
    unused = {name: "unused" for name, role in roles.items() if role == "ignored"}
    return {name: kind for name, kind in given_types.items() if name not in roles} | unused


def _check_column(columns: Mapping[str, np.ndarray], name: Any, option: str) -> None:
    if name not in columns:
        raise InvalidParameter(
            f"{option}: there is no column {name!r:.60}.{did_you_mean(str(name), list(columns))}"
        )
