"""Figures of the table: which columns go together, where cells are empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from suffice import plots
from suffice.prepare.looking.figures import CorrelationTable, missing_cells
from suffice.study.numbers import number, percent
from suffice.study.page.drawing import Figure, brief, draw, printable

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

MOST_MAPPED, LONGEST = 40, 24  # columns, letters of a name


def correlation(r: StudyResult) -> Figure | None:
    d = r.description
    if d.correlation is None or len(d.names) < 2:
        return None
    names = tuple(brief(name, LONGEST) for name in d.names[:MOST_MAPPED])
    k = len(names)
    values = np.asarray(d.correlation, dtype=float)[:k, :k]
    table = CorrelationTable(names, values, np.zeros((k, k), dtype=int))
    side = float(np.clip(1.9 + 0.34 * k, 3.2, 7.0)) + 0.04 * max(map(len, names))
    tree = draw("correlation", lambda ax: _bare(plots.correlation_map(table, ax=ax)), (side + 0.5, side))
    shown = f" The first {k} of {len(d.names)} columns are drawn." if k < len(d.names) else ""
    caption = f"Correlations. Blue: two columns rise together; orange: one falls as the other rises.{shown}"
    pairs = ", ".join(
        f"{p.first} and {p.second} {number(p.correlation, 2)}" for p in d.related[:3]
    )  # the strongest
    alt = f"Heat map of the correlations of {k} columns." + (f" The strongest: {pairs}." if pairs else "")
    return Figure("correlation", tree, alt, caption, lit=True)


def missing(r: StudyResult) -> Figure | None:
    source = r.source if r.source is not None or r.problem is None else r.problem.source
    gappy = [c for c in r.data_sheet.columns if c.missing]
    if source is None or not gappy or not source.n_rows:
        return None
    worst = sorted(gappy, key=lambda c: -c.missing)[:MOST_MAPPED]
    kept = {c.name for c in worst}
    columns = {printable(name): values for name, values in source.columns.items() if name in kept}
    if not columns:
        return None
    size = (float(np.clip(2.0 + 0.34 * len(columns), 4.2, 7.2)), 3.2)
    tree = draw("missing", lambda ax: _quiet(plots.missingness_map(missing_cells(columns), ax=ax)), size)
    more = f" The {len(kept)} columns with the most of {len(gappy)}." if len(kept) < len(gappy) else ""
    caption = f"Where cells are empty (dark), rows from top to bottom.{more}"
    text = ", ".join(f"{c.name} {percent(c.missing / source.n_rows)}" for c in worst[:5])
    return Figure("missing", tree, f"Map of empty cells by row and column: {text}.", caption, lit=True)


def _bare(ax: Any) -> None:
    """Names at the sides say enough."""
    ax.set(xlabel="", ylabel="")


def _quiet(_: Any) -> None:
    """Axes are no tooltips."""
