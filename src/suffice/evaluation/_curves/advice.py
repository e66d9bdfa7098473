"""A diagnosis in words: what was measured, what it means, and what to try next (DTU §10.4)."""

from __future__ import annotations

import numpy as np

from suffice.evaluation._curves.diagnosis import Measured, Signs, diagnose


def sentence(signs: Signs) -> str:
    """What was measured, what it means, and what to try next."""
    return f"{_measurement(signs)} {ADVICE[diagnose(signs)](signs)}"


def _measurement(s: Signs) -> str:
    spread = f" ± {_plain(s.test.error, 2)}" if s.test.error > 0 else ""
    named = (("baseline", s.baseline), ("target", s.target))
    others = ", ".join(f"{name} {_plain(v)}" for name, v in named if v is not None)
    return (
        f"Trained on {s.size} rows, the loss is {_plain(s.test.value)}{spread} on new rows and "
        f"{_plain(s.train.value)} on those seen{f' ({others})' if others else ''}."
    )


def _plain(value: float, digits: int = 3) -> str:
    """A number without exponent where that is short."""
    if value == 0 or not 1e-4 <= abs(value) < 1e7:
        return f"{value:.{digits}g}"
    return np.format_float_positional(value, precision=digits, unique=False, fractional=False, trim="-")


def _worth(s: Signs) -> str:
    fall = s.fall or Measured(np.nan, np.nan, 0)
    return f"doubling the rows has lately been worth {_plain(fall.value, 2)} ± {_plain(fall.error, 1)}"


def _good(s: Signs) -> str:
    if s.reached:
        if s.falling:
            return f"The target is reached, and more data still lowers the loss: {_worth(s)}."
        return "The target is reached, and more data would change little."
    if s.falling:
        return f"The gap is closing: {_worth(s)}, so more data should still help."
    if s.open:
        return (
            "Most of the way from the baseline is done. The folds do not show that more data closes the gap to the "
            "rows seen; a simpler model or a stronger penalty may."
        )
    return (
        "The two have met, as far as the folds can tell: more data would change little. This is what the model can do; "
        "a more flexible one, or better columns, would show whether it is also what the noise leaves."
    )


def _overfit(s: Signs) -> str:
    return (
        "The model fits the rows it has seen far better than new ones, and the folds do not show that more data closes "
        "the gap: take a simpler model, or penalize this one more."
    )


def _too_weak(s: Signs) -> str:
    met = f"New rows still gain from more data ({_worth(s)})" if s.open else "The two have met"
    return (
        f"{met}, but even the rows seen are fitted no better than that: more data will not be enough. Check that the "
        "method is applied as meant, then try a more flexible model or better columns; what is left may also be noise."
    )


def _wrong_method(s: Signs) -> str:
    return (
        "The model misses even the rows it has seen, new ones by more, and the folds do not show that more data closes "
        "the gap: check the method and how the rows were split, then try another method."
    )


def _more_data(s: Signs) -> str:
    return f"The loss on new rows is still falling: {_worth(s)}. Get more data before changing the model."


def _unclear(s: Signs) -> str:
    if s.fall is None:
        return "Fewer than two sizes have a loss, which makes no curve: add sizes."
    return "The folds disagree too much to tell: use repeats, other folds or more rows."


ADVICE = {
    "good": _good,
    "overfit": _overfit,
    "too weak": _too_weak,
    "wrong method": _wrong_method,
    "more data": _more_data,
    "unclear": _unclear,
}
