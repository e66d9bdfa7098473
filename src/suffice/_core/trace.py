"""What an iteration did, step by step: the same record for every iterative model."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.frames import to_frame
from suffice._core.records import record


@record
class Trace:
    """The objective after each iteration and whatever else is worth seeing.

    The last entry belongs to the parameters returned. Stopping at the limit is not convergence.
    """

    objective: np.ndarray
    converged: bool
    columns: dict[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.objective)

    def falls(self, tolerance: float = 1e-9) -> np.ndarray:
        """Iterations after which the objective was lower than before, by more than this part of it."""
        lost = -np.diff(self.objective)
        return 1 + np.flatnonzero(lost > tolerance * np.abs(self.objective[1:]))

    def frame(self, kind: str = "pandas") -> Any:
        """One row per iteration."""
        data = {"iteration": np.arange(len(self)), "objective": self.objective} | self.columns
        return to_frame(data, kind)

    def __hash__(self) -> int:
        return hash(self.objective.tobytes())

    def __repr__(self) -> str:
        state = "converged" if self.converged else "stopped at the limit"
        last = self.objective[-1] if len(self) else float("nan")
        return f"Trace({len(self)} iterations, {state}, objective={last:.6g})"
