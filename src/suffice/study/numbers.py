"""Numbers for people, in one format: 20,190 and 1896, 54.57, −0.01333, 7.442 × 10⁻¹⁶, 95 %, and a dash for nothing.

Four significant digits, a comma between thousands from 10,000 on, and a true minus sign. Four digits have no comma, so
that a year reads as a year. `code` writes identifiers, which have no comma at any length.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

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
    places = _places(value) if places is None else min(places, 8)
    text = f"{value:.{places}f}"
    return _grouped(text).replace("-", "−")


def _places(value: float) -> int:
    """Decimals for 4 significant digits of what is left after rounding: 9.9996 is 10.00."""
    return decimals(float(f"{value:.3e}"), 4)


def _grouped(text: str) -> str:
    """Commas between thousands, from five digits on."""
    whole, dot, rest = text.partition(".")
    return f"{int(whole):,}{dot}{rest}" if len(whole.lstrip("-")) >= 5 else text


def code(value: float | None) -> str:
    """An identifier, a code or a year: whole numbers without commas, others as numbers."""
    if value is None or not math.isfinite(value) or not float(value).is_integer() or abs(value) >= 1e15:
        return number(value)
    return f"{value:.0f}".replace("-", "−")


def list_names(names: Sequence[str], most: int | None = None) -> str:
    """a, b and c; of more than `most`, so many and the number of the others."""
    if most is not None and len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} others"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def span(pair: tuple[float, float] | None) -> str:
    """`low to high`, with three digits of the width; an end that is not zero does not read as zero."""
    if pair is None:
        return DASH
    places = decimals(pair[1] - pair[0])
    while places < 8 and any(end != 0 and round(end, places) == 0 for end in pair):
        places += 1
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
