"""Everything a study may be told: the same options in Python, on the command line and in `study.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice, check_fraction, did_you_mean
from suffice.engine.threads import most_workers

Effort = Literal["quick", "default", "thorough"]
FLAGS = ("quick", "thorough")  # efforts that may also be said as `quick = true`
TASKS = ("regression", "counts", "binary", "multi-class")


@dataclass(frozen=True)
class Amount:
    """How much work an effort means: folds of both layers, rows at most, repeats of shuffles, references or none."""

    outer: int
    inner: int
    max_rows: int | None
    repeats: int
    references: bool


EFFORTS: dict[str, Amount] = {
    "quick": Amount(5, 3, 10_000, 2, False),
    "default": Amount(5, 5, None, 3, True),
    "thorough": Amount(10, 10, None, 10, True),
}


@dataclass(frozen=True)
class Options:
    """What a study does. See `Study` for what each option means."""

    target: str | None = None
    _: KW_ONLY
    task: str | None = None
    models: tuple[Any, ...] | None = None
    effort: Effort = "default"
    folds: int | None = None
    inner: int | None = None
    seed: int = 0
    group: str | None = None
    time: str | None = None
    horizon: int | None = None
    weights: str | None = None
    ignore: tuple[str, ...] = ()
    types: Mapping[str, Any] | None = None
    decimal: str | None = None
    max_rows: int | None = None
    confidence: float = 0.95
    references: bool | None = None
    jobs: int | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        for name in ("target", "group", "time", "weights"):  # columns of arrays have numbers for names
            if isinstance(getattr(self, name), int):
                object.__setattr__(self, name, str(getattr(self, name)))
        check_choice("effort", self.effort, tuple(EFFORTS))
        check_fraction("confidence", self.confidence)
        if self.decimal is not None:
            check_choice("decimal", self.decimal, (".", ","))
        if self.task is not None:
            check_choice("task", self.task, TASKS)
        whole = (("folds", 2), ("inner", 2), ("seed", 0), ("max_rows", 2), ("horizon", 0))
        for name, low in whole:
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < low):
                raise InvalidParameter(f"{name} must be a whole number from {low} on; got {value!r}.")
        few = type(self.jobs) is int and (1 <= self.jobs <= most_workers() or self.jobs == -1)
        if self.jobs is not None and not few:
            raise InvalidParameter(
                f"jobs must be a whole number from 1 to {most_workers()}, or -1 for every core; got {self.jobs!r}."
            )
        if self.horizon and self.time is None:
            raise InvalidParameter(
                "horizon is counted in steps of time: name the column that orders the rows (time)."
            )
        if self.seed > 2**32 - 1:
            raise InvalidParameter(f"seed must be below 2³²; got {self.seed}.")
        for name in ("models", "ignore"):
            value = getattr(self, name)
            if isinstance(value, str) or (value is not None and not isinstance(value, Sequence)):
                raise InvalidParameter(f"{name} must be a list of names; got {value!r}.")
            if value is not None:
                object.__setattr__(self, name, tuple(value))

    @property
    def amount(self) -> Amount:
        """The work of the effort, with what was asked for in its place."""
        base = EFFORTS[self.effort]
        given = {
            "outer": self.folds,
            "inner": self.inner,
            "max_rows": self.max_rows,
            "references": self.references,
        }
        given_values: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return replace(base, **given_values)

    def given(self) -> dict[str, Any]:
        """What was asked for, and everything that decides a result though nobody asked: seed, folds, confidence, …"""
        names = [f for f in fields(self) if f.name != "_"]
        given = {f.name: getattr(self, f.name) for f in names if getattr(self, f.name) != f.default}
        amount = self.amount
        in_force: dict[str, Any] = {
            "effort": self.effort,
            "folds": amount.outer,
            "inner": amount.inner,
            "seed": self.seed,
            "confidence": self.confidence,
            "references": amount.references,
        }
        if amount.max_rows is not None:
            in_force["max_rows"] = amount.max_rows
        every = in_force | given
        return {f.name: every[f.name] for f in names if f.name in every}


def read_options(path: str | Path) -> dict[str, Any]:
    """Options of a `study.toml`, by name; `data` and `out` may stand there too."""
    known = [f.name for f in fields(Options) if f.name != "_"] + ["data", "out", *FLAGS]
    try:
        with open(path, "rb") as file:
            found = tomllib.load(file)
    except FileNotFoundError:
        raise InvalidInput(f"There is no file {str(path)!r}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{str(path)!r} is not TOML: {error}.") from None
    for name in found:
        if name not in known:
            raise InvalidParameter(f"{str(path)!r}: there is no option {name!r}.{did_you_mean(name, known)}")
    return _with_effort(found, path)


def _with_effort(found: dict[str, Any], path: str | Path) -> dict[str, Any]:
    """`quick = true` and `thorough = true` mean what the flags of the command line mean."""
    flags = {name: found.pop(name) for name in FLAGS if name in found}
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise InvalidParameter(f"{str(path)!r}: {name} must be true or false; got {value!r}.")
    efforts = {name for name, value in flags.items() if value} | {found[n] for n in ("effort",) if n in found}
    if len(efforts) > 1:
        raise InvalidParameter(
            f"{str(path)!r}: {' and '.join(sorted(map(str, efforts)))} contradict each other."
        )
    return found | ({"effort": efforts.pop()} if efforts else {})
