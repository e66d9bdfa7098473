"""Differences that are known, each with a reason that survives review. Cases excluded here are counted as such."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .trial import Trial


@dataclass(frozen=True)
class Known:
    """Why a difference is no finding, and which cases it is about."""

    reason: str
    applies: Callable[[Trial, str], bool]


def drawn(trial: Trial, words: str) -> bool:
    """Columns in another order, or rows in other parts, meet other random numbers."""
    return "predict='sampling'" in str(trial.about) and trial.kind in (
        "order",
        "units",
        "engine",
        "constant",
    )


def several_minima(trial: Trial, words: str) -> bool:
    """A penalty on |w| alone, and training columns that depend on each other."""
    return trial.model in ("Lasso", "ElasticNet", "QNormRegression") and not trial.condition < 1e12


KNOWN: tuple[Known, ...] = (
    Known(
        "A predictive by sampling is the mean of 200 seeded draws of the weights; the draws are the same where the "
        "posterior is the same to the bit, and others where its axes have turned.",
        drawn,
    ),
    Known(
        "Where columns of the training rows are combinations of others, several weights minimize a sum of |w| and fit "
        "these rows alike, in every library; rows to predict at which the columns part tell them apart.",
        several_minima,
    ),
)


def reason_for(trial: Trial, words: str) -> str | None:
    """The first reason that applies, or None."""
    return next((k.reason for k in KNOWN if k.applies(trial, words)), None)
