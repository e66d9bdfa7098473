"""Tables as text and as HTML."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.showing import escape

CORNER = "true\\predicted"
SHOWN = 12


def text_table(table: np.ndarray, labels: list[Any]) -> str:
    """Columns aligned to the right; beyond twelve classes only the size is said."""
    if len(labels) > SHOWN:
        return f"({len(labels)} × {len(labels)} classes; see .frame() and .most_confused())"
    cells = [[CORNER, *map(str, labels)]]
    cells += [[str(label), *(f"{v:g}" for v in row)] for label, row in zip(labels, table, strict=True)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) for row in cells)


def html_table(table: np.ndarray, labels: list[Any]) -> str:
    """The same for a notebook, all classes."""
    head = "".join(f"<th>{escape(str(c))}</th>" for c in (CORNER, *labels))
    rows = "".join(
        f"<tr><th>{escape(str(label))}</th>{''.join(f'<td>{v:g}</td>' for v in row)}</tr>"
        for label, row in zip(labels, table, strict=True)
    )
    return f"<table><tr>{head}</tr>{rows}</table>"
