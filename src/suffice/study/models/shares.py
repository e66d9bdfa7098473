"""Models of shares: numbers between 0 and 1, perhaps of so many trials each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.study.models.candidate import Candidate, Trying
from suffice.study.models.share_regression import ShareRegression
from suffice.study.models.sizes import by_newton_passes, either, tall
from suffice.study.numbers import percent
from suffice.study.reading.target_range import target_range
from suffice.study.reading.trials import trials_of
from suffice.study.sections import Estimates

FEW_TRIALS = 20  # below which shares jump, and a density does not tell of them
AT_ENDS = 0.02  # a share of rows at 0 or 1 that a density may leave out


def is_share(problem: Any) -> bool:
    """Whether the target is a number between 0 and 1 by its rows and its name."""
    return target_range(problem.y, problem.task.name, problem.target).high == 1.0


def no_share(problem: Any) -> str | None:
    """Why a share is not given to the model of shares; empty for what is none."""
    if not is_share(problem):
        return ""
    ends = float(np.mean((problem.y == 0) | (problem.y == 1)))
    if ends > AT_ENDS:
        return f"{percent(ends)} of the shares are 0 or 1, which no density of shares knows"
    j = trials_of(problem.y, problem.Z)
    if j is not None and np.median(problem.Z[:, j]) < FEW_TRIALS:
        return f"shares of fewer than {FEW_TRIALS} trials jump, which no density of shares knows"
    return None


def _trials(problem: Any) -> dict[str, Any]:
    return {"trials": trials_of(problem.y, problem.Z)}


def _weights(model: ShareRegression, names: Sequence[str], confidence: float) -> Estimates:
    s = model.summary(confidence)
    return Estimates(s.term, s.estimate, s.std_error, s.low, s.high)


SHARES: tuple[Candidate, ...] = (
    Candidate(
        "share",
        "Logistic regression of the share",
        ShareRegression,
        "Log odds of a share between 0 and 1, linear in the columns; rows count by their trials where these are known.",
        _weights,
        lambda m: {"Dispersion": m.dispersion_},
        Trying(("regression",), _trials, why_not=either(no_share, tall(200, 0.5)), seconds=by_newton_passes),
        files=False,
        needs="shares to predict",
        generative=False,
        complexity=14,
        states_uncertainty=True,
    ),
)
