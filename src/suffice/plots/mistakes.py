"""Which classes are taken for which, and in which rows: a table of counts as a picture, a gallery (DTU §7.3.2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice, check_number
from suffice.evaluation.measures.confusion import Confusion
from suffice.evaluation.measures.gallery import Misclassified
from suffice.plots._inputs import as_array, column_names
from suffice.plots._labels import LETTER, cut, short, width
from suffice.plots._several import check_record
from suffice.plots._style import BLUE, INK, MUTED, NORMAL, ORANGE, RULE, SMALL, axes

SMALLEST = 4.5  # points; smaller numbers are not written
MANY = 30  # classes; of more, only some are named
SHOWN = ("both", "counts", "shares")


def confusion(table: Confusion, *, show: str = "both", ax: Any = None) -> Any:
    """Rows of each true class by predicted class: blue where right, orange where wrong.

    `show` says what is written into the cells: counts, shares of the true class, or both where there is room. Blue is
    the share of the true class; orange is that share relative to the largest one among the mistakes, so that rare
    mistakes can be told apart. A class without rows is grey.

    Examples
    --------
    >>> from suffice import evaluation, plots
    >>> ax = plots.confusion(evaluation.confusion(list("aaabbbbcc"), list("aabbbbacc")))
    """
    check_record(table, Confusion)
    check_choice("show", show, SHOWN)
    k = len(table.labels)
    side = float(np.clip(1.4 + 0.55 * k, 3.4, 9.0))
    ax = axes(ax, x="predicted", y="true", size=(side + 0.4, side))
    ax.grid(False)
    shares = _shares(table.table)
    ax.imshow(_colors(shares), extent=(-0.5, k - 0.5, k - 0.5, -0.5), interpolation="nearest")
    ax.set_xticks(np.arange(1, k) - 0.5, minor=True)
    ax.set_yticks(np.arange(1, k) - 0.5, minor=True)
    ax.grid(True, which="minor", color="white", linewidth=min(2.0, 24 / k))
    ax.tick_params(which="minor", length=0)
    _write(ax, table.table, shares, show)
    _name_classes(ax, table.labels.tolist())
    return ax


def misclassified(
    found: Misclassified, X: Any, *, shape: tuple[int, ...] | None = None, most: int = 8, ax: Any = None
) -> Any:
    """Mistakes by true class, the most confident first: as pictures where `shape` says how, else as rows of a table.

    Up to `most` of each class are shown, and under each picture what it was taken for. In a table the shade of a cell
    is its place between the smallest and the largest value of its column.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from suffice import evaluation, plots
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> guess = 1 * (X["petal width (cm)"] > 0.8) + (X["petal width (cm)"] > 1.65)
    >>> ax = plots.misclassified(evaluation.misclassified(y, guess), X)
    """
    check_record(found, Misclassified, "Misclassified")
    most = int(check_number("most", most, low=1))
    if len(found) == 0:
        raise InvalidInput("Every row is right: there are no mistakes to show.")
    cells = as_array(X)
    if found.rows.max() >= len(cells):
        raise InvalidInput(
            f"X has {len(cells)} rows, but row {found.rows.max()} is wrong; give the same rows."
        )
    places = [np.flatnonzero(found.true == label)[:most] for label in found.classes]
    places = [p for p in places if len(p)]
    if shape is None:
        return _table(found, cells, column_names(X), np.concatenate(places), ax)
    if np.prod(shape) != cells.shape[1]:
        raise InvalidParameter(f"shape must hold the {cells.shape[1]} columns of X; got {shape}.")
    return _pictures(found, cells, tuple(shape), places, ax)


# -- counts --------------------------------------------------------------------------------------------
def _shares(table: np.ndarray) -> np.ndarray:
    """Of each true class; NaN where it has no rows."""
    total = table.sum(axis=1, keepdims=True)
    return np.divide(table, total, out=np.full(table.shape, np.nan), where=total > 0)


def _colors(shares: np.ndarray) -> np.ndarray:
    """(K, K, 3): white to blue on the diagonal, white to orange off it."""
    right = np.eye(len(shares), dtype=bool)
    largest = np.nanmax(np.where(right, 0.0, shares), initial=0.0) or 1.0
    depth = np.where(right, shares, 0.85 * shares / largest)
    hue = np.where(right[..., None], _rgb(BLUE), _rgb(ORANGE))
    colors = 1 - np.nan_to_num(depth)[..., None] * (1 - hue)
    return np.where(np.isnan(shares)[..., None], _rgb(RULE), colors)


def _rgb(color: str) -> np.ndarray:
    return np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def _write(ax: Any, counts: np.ndarray, shares: np.ndarray, show: str) -> None:
    """Numbers into the cells, as large as fits; zeros are left out where there are many."""
    room, k = 0.9 * width(ax) / len(counts), len(counts)
    show = "counts" if show == "both" and room < 30 else show
    words = [
        [_cell(n, p, show) for n, p in zip(*row, strict=True)] for row in zip(counts, shares, strict=True)
    ]
    longest = max(len(line) for row in words for word in row for line in word.split("\n"))
    size = min(NORMAL, room / (1.1 * LETTER * longest + 0.2))
    if size < SMALLEST:
        return
    brightness = _colors(shares) @ [0.299, 0.587, 0.114]
    for i in range(k):
        for j in range(k):
            if counts[i, j] or k <= 12:
                dark = "white" if brightness[i, j] < 0.6 else INK
                look = {"color": dark if counts[i, j] else MUTED, "fontsize": size}
                ax.text(j, i, words[i][j], ha="center", va="center", linespacing=1.25, **look)


def _cell(count: float, share: float, show: str) -> str:
    if not count:
        return "0"
    part = f"{100 * share:.{int(share < 1)}f} %"
    return {"counts": f"{count:.6g}", "shares": part, "both": f"{count:.6g}\n{part}"}[show]


def _name_classes(ax: Any, labels: list[Any]) -> None:
    """Names along both axes; those above slanted where they are long."""
    step = -(-len(labels) // MANY)
    at, names = range(0, len(labels), step), [cut(label, 18) for label in labels[::step]]
    long = max(map(len, names)) * LETTER * SMALL > width(ax) / len(labels) * step
    slant = {"rotation": 38, "ha": "right", "rotation_mode": "anchor"} if long else {}
    size = SMALL if len(names) <= 20 else 6.5
    ax.set_xticks(at, names, color=INK, fontsize=size, **slant)
    ax.set_yticks(at, names, color=INK, fontsize=size)


# -- mistakes ------------------------------------------------------------------------------------------
def _pictures(found: Misclassified, cells: np.ndarray, shape: tuple[int, ...], places: Any, ax: Any) -> Any:
    """One line of pictures per true class."""
    across = max(map(len, places))
    ax = axes(ax, y="true class", size=(1.0 + 0.85 * across, 0.4 + 1.05 * len(places)))
    ax.grid(False)
    low, high = float(cells[found.rows].min()), float(cells[found.rows].max())
    for i, line in enumerate(places):
        for j, place in enumerate(line):
            picture = cells[found.rows[place]].reshape(shape)
            where = (j - 0.42, j + 0.42, 1.3 * i + 0.42, 1.3 * i - 0.42)
            ax.imshow(picture, cmap="gray_r", vmin=low, vmax=high, extent=where)
            ax.text(
                j, 1.3 * i + 0.46, _said(found, place), ha="center", va="top", fontsize=SMALL, color=ORANGE
            )
    names = [cut(found.true[line[0]], 18) for line in places]
    ax.set_yticks([1.3 * i for i in range(len(places))], names, color=INK, fontsize=NORMAL)
    ax.set(xlim=(-0.55, across - 0.45), ylim=(1.3 * len(places) - 0.55, -0.5), xticks=[], aspect="equal")
    return ax


def _table(found: Misclassified, cells: np.ndarray, columns: list[str], order: np.ndarray, ax: Any) -> Any:
    """One line per mistake, one column per column."""
    rows, n, d = found.rows[order], len(order), cells.shape[1]
    ax = axes(ax, size=(2.6 + float(np.clip(0.75 * d, 2, 9)), 1.2 + 0.24 * n))
    ax.grid(False)
    low, span = cells.min(axis=0), np.ptp(cells, axis=0)
    depth = np.divide(cells[rows] - low, span, out=np.full((n, d), 0.5), where=span > 0)
    ax.imshow(
        1 - 0.75 * depth[..., None] * (1 - _rgb(BLUE)), aspect="auto", extent=(-0.5, d - 0.5, n - 0.5, -0.5)
    )
    if width(ax) / d > 26:
        for i, j in np.ndindex(n, d):
            look = {"color": "white" if depth[i, j] > 0.75 else INK, "fontsize": SMALL - 1}
            ax.text(j, i, short(float(cells[rows[i], j])), ha="center", va="center", **look)
    step = -(-d // MANY)
    slant = {"rotation": 38, "ha": "left", "rotation_mode": "anchor"}
    ax.set_xticks(range(0, d, step), [cut(c, 18) for c in columns[::step]], color=INK, **slant)
    ax.tick_params(top=False, labeltop=True, labelbottom=False)
    ax.set_yticks(
        range(n),
        [f"{cut(found.true[p], 14)} {_said(found, p)} · row {found.rows[p]}" for p in order],
        color=INK,
    )
    for edge in np.flatnonzero(found.true[order][1:] != found.true[order][:-1]):
        ax.axhline(edge + 0.5, color=MUTED, linewidth=1.2)
    return ax


def _said(found: Misclassified, place: int) -> str:
    """What a row was taken for, and how surely."""
    sure = found.certainty[place]
    return f"→ {cut(found.predicted[place], 12)}" + ("" if np.isnan(sure) else f" ({sure:.2g})")
