"""What a model of a series has to beat: that nothing changes, and that the season repeats itself; and two models.

All read columns of the past (see `reading.series_rule`), so each row is predicted from what is known at the horizon, as
it is for every model. Where a series has other columns too, one model sees its own past alone and one the others alone:
many columns drown what few of them say.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.baselines import LastValue
from suffice.linear import BayesianLinearRegression
from suffice.study.models.candidate import Candidate, Trying
from suffice.study.models.linear import MOST_COLUMNS, normal_weights
from suffice.study.models.on_columns import OnColumns
from suffice.study.models.sizes import narrow
from suffice.study.sections import Estimates

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


def _own_past(problem: Any) -> tuple[int, ...]:
    """Places of the columns made of the target's past and of the calendar."""
    own = set(problem.series.made) if problem.series is not None else set()
    late = (
        {f"{name} {problem.series.rule.horizon} before" for name in problem.series.rule.behind}
        if own
        else set()
    )
    return tuple(j for j, name in enumerate(problem.names) if name in own - late)


def _others(problem: Any) -> tuple[int, ...]:
    """Places of all other columns."""
    own = set(_own_past(problem))
    return tuple(j for j in range(len(problem.names)) if j not in own)


def _both_kinds(problem: Any) -> str | None:
    """None where a series has columns of both kinds; else a reason that goes without saying."""
    if problem.series is None or not _own_past(problem) or not _others(problem):
        return ""
    return narrow(MOST_COLUMNS)(problem)


def _weights(model: OnColumns, names: Any, confidence: float) -> Estimates:
    """Weights of all columns; one that the model does not see has the weight zero, for sure."""
    places = [0, *(1 + np.array(model.columns))]
    seen = normal_weights(model.model_, [names[j] for j in model.columns], confidence)

    def whole(values: np.ndarray) -> np.ndarray:
        found = np.zeros(1 + len(names))
        found[places] = values
        return found

    ends = whole(seen.low), whole(seen.high)
    return Estimates(("intercept", *names), whole(seen.estimate), whole(seen.std_error), *ends)


def _model(name: str, title: str, description: str, columns: Any, complexity: int) -> Candidate:
    return Candidate(
        name,
        title,
        lambda: OnColumns(BayesianLinearRegression(standardize=True)),
        description,
        _weights,
        lambda m: {"Noise standard deviation": m.model_.noise_precision_**-0.5},
        Trying(("regression",), lambda problem: {"columns": columns(problem)}, why_not=_both_kinds),
        files=False,
        needs="a series with other columns",
        generative=False,
        book=("DTU §10.3.3",),
        complexity=complexity,
        states_uncertainty=True,
        finds_scale=True,
    )


SERIES: tuple[Candidate, ...] = (
    _model(
        "own-past",
        "Regression on its own past",
        "Bayesian linear regression on the series' own past and the calendar, whatever the other columns say.",
        _own_past,
        8,
    ),
    _model(
        "without-past",
        "Regression on the other columns",
        "Bayesian linear regression on the other columns of a series, whatever its own past says.",
        _others,
        9,
    ),
)


def series_baselines(problem: Any) -> tuple[Candidate, ...]:
    """Those that the columns of a series allow."""
    rule = problem.series.rule
    found = ((LAST_IN_SERIES, rule.level), (SAME_SEASON, rule.same_season))
    return tuple(c for c, column in found if column in problem.names)
