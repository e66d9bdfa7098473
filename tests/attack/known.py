"""Differences that are known, each with a reason that survives review. Cases excluded here are counted as such."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .minima import are_several
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
    """A row to predict about which several minimizers differ, as a linear program over all of them finds."""
    return any(d.what != "slope" for d in trial.differences) and are_several()


KNOWN: tuple[Known, ...] = (
    Known(
        "A predictive by sampling is the mean of 200 seeded draws of the weights; the draws are the same where the "
        "posterior is the same to the bit, and others where its axes have turned.",
        drawn,
    ),
    Known(
        "Where columns of the training rows are combinations of others, several weights may minimize a sum of |w|, "
        "which they have in common with what they fit to these rows; rows at which the columns part tell them apart. "
        "So may several the sum of absolute residuals, which is flat between two rows. "
        "That there are several, and that they part at a row that was asked about, is computed.",
        several_minima,
    ),
)


def reason_for(trial: Trial, words: str) -> str | None:
    """The first reason that applies, or None."""
    return next((k.reason for k in KNOWN if k.applies(trial, words)), None)
