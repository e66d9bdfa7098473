"""A check is a function of a case, the cases it holds of, and the runs in which it is asked for."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from suffice._core import errors

from .case import Case

TIERS = ("", "slow", "long")
Condition = Callable[[Case], bool]


def later(*tiers: str) -> str:
    return max(tiers, key=TIERS.index)


@dataclass(frozen=True)
class Check:
    """A promise, of which cases it holds, and in which runs it is asked for."""

    run: Callable[[Case], None]
    conditions: tuple[Condition, ...]
    tier: Callable[[Case], str]
    every: bool
    ignored: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.run.__name__

    def applies(self, case: Case) -> bool:
        return all(condition(case) for condition in self.conditions)

    def asked_in(self, case: Case) -> str:
        """The tier whose runs ask for it."""
        tier = later(case.tier, self.tier(case))
        return "slow" if self.every and tier == "long" else tier

    def failure(self, case: Case) -> Exception | None:
        """What it complains of, with its name."""
        try:
            with warnings.catch_warnings():
                for category in self.ignored:
                    warnings.simplefilter("ignore", getattr(errors, category))
                self.run(case)
        except Exception as error:  # all of them are reported together
            return self._named(error, case)
        except pytest.fail.Exception as error:  # which is no Exception
            return self._named(AssertionError(str(error)).with_traceback(error.__traceback__), case)
        return None

    def _named(self, error: Exception, case: Case) -> Exception:
        error.add_note(f"in the check `{self.name}` of {case.name}")
        return error


def check(
    *conditions: Condition,
    tier: str | Callable[[Case], str] = "",
    every: bool = False,
    ignored: tuple[str, ...] = (),
) -> Callable[[Callable[[Case], None]], Check]:
    """Makes a function of a case a check of its module, for the cases that meet all conditions.

    It is asked for in runs of its tier or of the setting's, whichever is later; `every` setting in `make test`.
    Warnings that are `ignored` belong to the tables that it makes.
    """

    def made(run: Callable[[Case], None]) -> Check:
        return Check(run, conditions, tier if callable(tier) else lambda case: tier, every, ignored)

    return made
