"""Numbers along an axis that are very large, very small, or all alike in their first digits.

Left alone, such ticks share a factor that stands in a corner of the axes, where it meets legends and names.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Short:
    """Ticks of very large or small numbers with their exponent, so that none stands apart in a corner of the axes."""

    def __init__(self, axis: Any):
        self.axis = axis

    def __call__(self, value: float, _: Any = None) -> str:
        low, high = sorted(self.axis.get_view_interval())
        largest, span = max(abs(low), abs(high)), high - low
        if not span > 0 or abs(value) < 1e-9 * span:
            return "0" if abs(value) < 1e-9 * largest or value == 0 else f"{value:g}"
        digits = min(3 + max(0, int(np.ceil(np.log10(largest / span)))), 16)
        return f"{value:.{digits}g}"


def short_ticks(ax: Any) -> None:
    """Give an axis of numbers beyond a million, or far below one, ticks that carry their exponent."""
    from matplotlib.ticker import FuncFormatter, ScalarFormatter  # on call, for the package is optional

    for axis in (getattr(ax, f"{name}axis", None) for name in "xyz"):
        if axis is None or type(axis.get_major_formatter()) is not ScalarFormatter:
            continue
        low, high = sorted(axis.get_view_interval())
        largest, span = max(abs(low), abs(high)), high - low
        if largest >= 1e6 or largest < 1e-4 or 0 < span < 1e-3 * largest:
            axis.set_major_formatter(FuncFormatter(Short(axis)))
