"""What every level of validation says and does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from suffice.evaluation._levels.groups import CandidateGroup
from suffice.evaluation._levels.question import Answered, FoldLosses, Question


class Level(Protocol):
    """One way to answer a question about candidates that belong together."""

    def why_not(self, group: CandidateGroup, asked: Question) -> str | None:
        """None where this level answers, else the reason."""

    def predictions(
        self, group: CandidateGroup, asked: Question, chosen: Mapping[int, int]
    ) -> Answered | None:
        """What candidate `chosen[i]` says of the test rows of fold i; None where only trying shows that it cannot."""


class LossLevel(Level, Protocol):
    """One that also answers for lines of candidates at once."""

    def losses(self, group: CandidateGroup, asked: Question, out: FoldLosses) -> Answered:
        """The losses of all candidates of the group, in all folds."""
