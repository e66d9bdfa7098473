"""What a model of a series has to beat: that nothing changes, and that the season repeats itself.

Both read one column of the past (see `reading.series_rule`), so each row is predicted from what is known at the
horizon, as it is for every model.
"""

from __future__ import annotations

from typing import Any

from suffice.baselines import LastValue
from suffice.study.models.candidate import Candidate, Trying

NUMBERS = ("regression", "counts")


def _spread(model: Any) -> dict[str, float]:
    return {"Noise standard deviation": model.noise_variance_ml_**0.5}


def _level(problem: Any) -> dict[str, Any]:
    return {"column": problem.names.index(problem.series.rule.level)}


def _season(problem: Any) -> dict[str, Any]:
    return {"column": problem.names.index(problem.series.rule.same_season)}


LAST_IN_SERIES = Candidate(
    "last-known",
    "Last value",
    LastValue,
    "Predicts the newest value known at the horizon: what a model of a series has to beat. It is never chosen.",
    facts=_spread,
    study=Trying(NUMBERS, _level),
    kind="baseline",
    files=False,
    needs="a series",
    book=("DTU §10.3.3",),
)
SAME_SEASON = Candidate(
    "same-season",
    "Same season",
    LastValue,
    "Predicts the value of the same season before, as of the same month last year. It is never chosen.",
    facts=_spread,
    study=Trying(NUMBERS, _season),
    kind="baseline",
    files=False,
    needs="a series with a season",
    book=("DTU §10.3.3",),
)


def series_baselines(problem: Any) -> tuple[Candidate, ...]:
    """Those that the columns of a series allow."""
    rule = problem.series.rule
    found = ((LAST_IN_SERIES, rule.level), (SAME_SEASON, rule.same_season))
    return tuple(c for c, column in found if column in problem.names)
