"""Numbers for people: as many digits as mean something, a true minus sign, a dash for nothing."""

from __future__ import annotations

import math

THIN, DASH = "\u202f", "–"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def decimals(scale: float | None, digits: int = 3) -> int:
    """Decimals that show `digits` significant digits of a quantity of this size."""
    if not scale or not math.isfinite(scale):
        return digits
    return max(0, digits - 1 - math.floor(math.log10(abs(scale))))


def number(value: float | None, places: int | None = None) -> str:
    """4 significant digits, or the given decimals; powers of ten where zeros would pile up."""
    if value is None or not math.isfinite(value):
        return DASH
    if value != 0 and not 1e-4 <= abs(value) < 1e7:
        mantissa, _, exponent = f"{value:.3e}".partition("e")
        return f"{mantissa} × 10{str(int(exponent)).translate(RAISED)}".replace("-", "−")
    if float(value).is_integer():
        places = 0
    places = decimals(value, 4) if places is None else min(places, 8)
    text = f"{value:,.{places}f}" if abs(value) >= 1e4 else f"{value:.{places}f}"
    return text.replace(",", THIN).replace("-", "−")


def span(pair: tuple[float, float] | None) -> str:
    """`low to high`, with three digits of the width."""
    if pair is None:
        return DASH
    places = decimals(pair[1] - pair[0])
    return f"{number(pair[0], places)} to {number(pair[1], places)}"


def within(value: float, pair: tuple[float, float]) -> str:
    """A value with the decimals that its interval deserves."""
    return number(value, decimals(pair[1] - pair[0]))


def percent(value: float | None, places: int = 0) -> str:
    """A share as a percentage."""
    return DASH if value is None else f"{100 * value:.{places}f}{THIN}%".replace("-", "−")


def chance(p: float) -> str:
    """A p-value as a paper prints it; never rounded onto the other side of a level."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
