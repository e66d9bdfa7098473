"""A diagnosis in words: what was measured, what it means, and what to try next (DTU §10.4)."""

from __future__ import annotations

import numpy as np

from suffice.evaluation._curves.diagnosis import FoldMean, Signs, diagnose


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
    fall = s.fall or FoldMean(np.nan, np.nan, 0)
    return f"doubling the rows has lately been worth {_plain(fall.value, 2)} ± {_plain(fall.error, 1)}"


def _good(s: Signs) -> str:
    if s.reached:
        if s.falling:
            return f"The target is reached, and more data still lowers the loss: {_worth(s)}."
        return "The target is reached, and more data would change little."
    if s.falling:
        return f"The gap is closing: {_worth(s)}, so more data should still help."
    if s.open:
        return f"Most of the way from the baseline is done, and {_lasting(s)}; try a simpler model or more penalty."
    return (
        f"{_gap_words(s)}: {_little(s)}. This is what the model can do; a more flexible one, or better columns, "
        "would show whether it is also what the noise leaves."
    )


def _gap_words(s: Signs) -> str:
    return "The two have met, as far as the folds can tell" if s.met else "The two have almost met"


def _little(s: Signs) -> str:
    """What more rows would do where the gap is closed."""
    if s.fall is not None and s.fall.above(0):
        return f"more data would still help a little ({_worth(s)})"
    return "more data would change little"


def _lasting(s: Signs) -> str:
    """What the folds show of more rows while the gap stays open."""
    if s.fall is not None and s.fall.above(0):
        return f"more data closes the gap only slowly ({_worth(s)})"
    return "the folds do not show that more data closes the gap"


def _overfit(s: Signs) -> str:
    return (
        f"The model fits the rows it has seen clearly better than new ones, and {_lasting(s)}: take a simpler model, "
        "or penalize this one more."
    )


CHECK = "check that the method is applied as meant, then try a more flexible model or better columns"


def _too_weak(s: Signs) -> str:
    if s.open:
        missed = "are fitted no better than by the baseline" if s.useless else "miss the target"
        todo = (
            f"{CHECK[0].upper()}{CHECK[1:]}" if s.useless else "Try a more flexible model or better columns"
        )
        return (
            f"New rows still gain from more data ({_worth(s)}), but even the rows seen {missed}: more data will not be "
            f"enough. {todo}; what is left may also be noise."
        )
    if s.useless:
        return f"{_gap_words(s)}, neither clearly better than the baseline: {CHECK}. What is left may also be noise."
    return f"{_gap_words(s)}: {_little(s)}. What is left may be noise, or needs other columns or a more flexible model."


def _wrong_method(s: Signs) -> str:
    seen = "is no better than the baseline" if s.useless else "misses the target"
    return (
        f"Even on the rows it has seen the model {seen}, new ones cost more, and {_lasting(s)}: check the method and "
        "how the rows were split, then try another method."
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
