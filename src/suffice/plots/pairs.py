"""Two or three columns against each other, rows in the colors of their groups (DTU §7.1, Figs 7.5 and 7.7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.frames import require
from suffice.plots._labels import cut
from suffice.plots._style import BLUE, INK, MUTED, NORMAL, RULE, SMALL, axes
from suffice.plots._tables import (
    Groups,
    complete,
    finish,
    numbers,
    opened,
    pick,
    same_unit,
    sample,
    thousands,
)

MOST_IN_SPACE = 4000
DENSE = 20_000  # points; more are counted in hexagons


def scatter_by_class(
    table: Any, x: Any = 0, y: Any = 1, *, by: Any = None, same_units: bool | None = None, ax: Any = None
) -> Any:
    """Two columns against each other, in the colors of the groups.

    More than 20,000 rows are counted in hexagons, or sampled if they have groups; the title says so.

    Parameters
    ----------
    x, y
        The columns, by name or number.
    by
        A column or a label for each row.
    same_units
        Whether a unit is as long on both axes. None: if both names end in the same unit, as in "width (cm)".

    Examples
    --------
    >>> from suffice import plots
    >>> plants = {"length (cm)": [1.4, 4.7, 6.0], "width (cm)": [0.2, 1.4, 2.5], "kind": ["a", "b", "b"]}
    >>> ax = plots.scatter_by_class(plants, by="kind")
    >>> [text.get_text() for text in ax.get_legend().get_texts()], ax.get_aspect()
    (['a', 'b'], 1.0)
    """
    columns = opened(table)
    names = [pick(columns, c, role) for c, role in ((x, "x"), (y, "y"))]
    values = [numbers(columns, n, r) for n, r in zip(names, "xy", strict=True)]
    groups = Groups.of(columns, by)
    rows, gone = complete(values)
    ax = axes(ax, x=names[0], y=names[1], size=(5.8, 4.8))
    if groups.one and len(rows) > DENSE:
        note = _hexagons(ax, *(v[rows] for v in values))
    else:
        rows, note = sample(rows)
        draw_points(ax, [v[rows] for v in values], groups.at(rows))
    if same_unit(names) if same_units is None else same_units:
        _equal(ax)
    finish(ax, note, gone)
    return ax


def scatter_3d(table: Any, x: Any = 0, y: Any = 1, z: Any = 2, *, by: Any = None, ax: Any = None) -> Any:
    """Three columns against each other, seen from the side; on paper the depth is lost, so prefer `matrix_plot`.

    `ax`, where given, must have been made with projection="3d".

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import plots
    >>> cells = np.random.default_rng(0).normal(size=(20, 3))
    >>> ax = plots.scatter_3d(cells, by=np.repeat(["a", "b"], 10))
    >>> ax.name
    '3d'
    """
    columns = opened(table)
    names = [pick(columns, c, role) for c, role in zip((x, y, z), "xyz", strict=True)]
    values = [numbers(columns, n, r) for n, r in zip(names, "xyz", strict=True)]
    rows, gone = complete(values)
    rows, note = sample(rows, MOST_IN_SPACE)
    ax = _space(ax, names)
    for mine, name, look in Groups.of(columns, by).at(rows).parts():
        at = [v[rows][mine] for v in values]
        ax.scatter(*at, label=name, s=16, alpha=0.85, depthshade=False, linewidths=0.4, **_edge(look))
    finish(ax, note, gone)
    return ax


# -- strokes ----------------------------------------------------------------------------------------------
def draw_points(ax: Any, at: list[np.ndarray], groups: Groups, small: bool = False) -> None:
    many = len(at[0]) > 500
    size = (6 if many else 9) if small else (10 if many else 26)
    for mine, name, look in groups.parts():
        ax.scatter(
            at[0][mine], at[1][mine], label=name, s=size, alpha=0.85, linewidths=0.4, zorder=3, rasterized=many,
            **_edge(look),
        )  # fmt: skip


def _edge(look: dict[str, Any]) -> dict[str, Any]:
    """A white rim for marks that have an inside."""
    return look if look["marker"] == "x" else look | {"edgecolors": "white"}


def _hexagons(ax: Any, x: np.ndarray, y: np.ndarray) -> str:
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("counts", [RULE, BLUE, INK])
    drawn = ax.hexbin(x, y, gridsize=60, bins="log", mincnt=1, cmap=shades, linewidths=0.1, zorder=2)
    bar = ax.figure.colorbar(drawn, ax=ax, shrink=0.8, pad=0.02)
    bar.outline.set_visible(False)
    bar.set_label("rows", fontsize=SMALL, color=INK)
    bar.ax.tick_params(length=0, labelsize=SMALL, labelcolor=MUTED)
    return f"{thousands(len(x))} rows, counted in hexagons"


def _equal(ax: Any) -> None:
    """A unit as long on both axes; the axes shrink, unless that would leave a sliver of them."""
    wide, high = (abs(float(np.subtract(*ends))) for ends in (ax.get_xlim(), ax.get_ylim()))
    ax.set_aspect("equal", adjustable="box" if 0.25 < wide / high < 4 else "datalim")


def _space(ax: Any, names: list[str]) -> Any:
    if ax is None:
        require("matplotlib")
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=(6.0, 5.2), layout="constrained", subplot_kw={"projection": "3d"})[1]
    if getattr(ax, "name", "") != "3d":
        raise InvalidInput('ax must be made with projection="3d"; draw without ax for a new one.')
    for axis, name in zip("xyz", names, strict=True):
        getattr(ax, f"set_{axis}label")(cut(name, 30), fontsize=NORMAL, color=INK)
        getattr(ax, f"{axis}axis").set_pane_color((1, 1, 1, 0))
    ax.tick_params(labelsize=SMALL, labelcolor=MUTED)
    ax.locator_params(nbins=5)
    ax.set_box_aspect(None, zoom=0.88)
    return ax
