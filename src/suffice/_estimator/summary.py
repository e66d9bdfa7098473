"""What a fit says about its weights, one row each."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.frames import to_frame
from suffice._core.records import record


@record
class Summary:
    """One row per weight: estimate, standard error, their ratio, p-value, interval, and |w| times the spread of x.

    The ratio is Student's t where the noise is estimated, a standard normal z otherwise (`letter` says which).
    Where there is a function per class, `function` is the class of each row, and `term` begins with it.
    """

    term: tuple[str, ...]
    estimate: np.ndarray
    std_error: np.ndarray
    t: np.ndarray
    p: np.ndarray
    low: np.ndarray
    high: np.ndarray
    importance: np.ndarray | None
    confidence: float
    letter: str = "t"
    function: tuple[str, ...] = ()

    def frame(self, kind: str = "pandas") -> Any:
        """The rows as a table."""
        columns = {"term": list(self.term), "estimate": self.estimate, "std_error": self.std_error}
        columns |= {self.letter: self.t, "p": self.p, "low": self.low, "high": self.high}
        return to_frame(columns | ({} if self.importance is None else {"importance": self.importance}), kind)

    def __repr__(self) -> str:
        level = f"{100 * self.confidence:g} %"
        width = max(len("term"), *map(len, self.term))
        head = (
            f"{'term':{width}}  {'estimate':>11}  {'std error':>10}  {self.letter:>8}  {'p':>8}  "
            f"{level + ' interval':>25}"
        )
        rows = zip(self.term, self.estimate, self.std_error, self.t, self.p, self.low, self.high, strict=True)
        lines = [
            f"{name:{width}}  {w:11.5g}  {se:10.4g}  {t:8.2f}  {p:8.2g}  [{a:11.5g}, {b:11.5g}]"
            for name, w, se, t, p, a, b in rows
        ]
        return "\n".join([head, *lines])

    def _repr_html_(self) -> str:
        return f"<pre>{self!r}</pre>"
