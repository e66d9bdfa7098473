r"""Several tests at once: Holm's correction.

With p₍₁₎ ≤ … ≤ p₍ₘ₎ the adjusted values are  p̃₍ᵢ₎ = max over j ≤ i of min(1, (m − j + 1) p₍ⱼ₎).
Calling those below α significant makes one or more false claims with probability at most α, whatever the dependence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice._core.showing import InWords
from suffice.evaluation.comparisons._inputs import finite
from suffice.evaluation.findings import chance


@record
class Adjusted(InWords):
    """p-values as they were and corrected for their number; converts to the array of the corrected ones."""

    p_values: np.ndarray
    adjusted: np.ndarray
    names: tuple[str, ...]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.adjusted, dtype=dtype)

    def __len__(self) -> int:
        return len(self.adjusted)

    def below(self, alpha: float = 0.05) -> np.ndarray:
        """Which tests are significant at this level for all tests together."""
        return self.adjusted <= alpha

    def frame(self, kind: str = "pandas") -> Any:
        """One row per test."""
        return to_frame({"name": list(self.names), "p_value": self.p_values, "adjusted": self.adjusted}, kind)

    @property
    def sentence(self) -> str:
        """The corrected values, by name."""
        parts = ", ".join(f"{n} {chance(p)}" for n, p in zip(self.names, self.adjusted, strict=True))
        return f"After Holm's correction for {len(self)} tests: {parts}."


def holm(p_values: Any, *, names: Sequence[str] | None = None) -> Adjusted:
    """p-values corrected for their number, by Holm's step-down rule.

    Parameters
    ----------
    p_values
        Numbers in [0, 1], or findings that have a `p_value`.
    names
        Of the tests; those of the findings, or numbers, if left out.

    Examples
    --------
    >>> from suffice.evaluation import holm
    >>> found = holm([0.01, 0.04, 0.03], names=["a", "b", "c"])
    >>> print(found)
    After Holm's correction for 3 tests: a p = 0.03, b p = 0.06, c p = 0.06.
    >>> found.below(0.05)
    array([ True, False, False])
    """
    items = list(p_values) if isinstance(p_values, Sequence) else p_values
    if isinstance(items, list) and items and all(hasattr(f, "p_value") for f in items):
        names = [f.name for f in items] if names is None else names
        items = [_p_of(f) for f in items]
    p = finite("p_values", items)
    outside = (p < 0) | (p > 1)
    if outside.any():
        i = int(np.argmax(outside))
        raise InvalidInput(f"p_values must lie in [0, 1]; got {p[i]:g} at position {i}.")
    said = [str(i) for i in range(len(p))] if names is None else list(map(str, names))
    if len(said) != len(p):
        raise InvalidInput(f"There are {len(p)} p_values and {len(said)} names; give one name for each.")
    return Adjusted(frozen_array(p), frozen_array(step_down(p)), tuple(said))


def _p_of(finding: Any) -> float:
    if finding.p_value is None:
        raise InvalidInput(f"The finding {finding.name!r} has no p-value to correct; leave it out.")
    return float(finding.p_value)


def step_down(p: np.ndarray) -> np.ndarray:
    """Holm's adjusted p-values, in the order given."""
    order = np.argsort(p, kind="stable")
    scaled = p[order] * np.arange(len(p), 0, -1)
    out = np.empty(len(p))
    out[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return out
