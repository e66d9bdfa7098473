"""Classes over one or two columns: where each is dense, and which is decided for where (FCML Figs 5.1–5.5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported, as_numbers
from suffice.plots._labels import cut
from suffice.plots._plane import NAMED, Labelled, PlotPlane, class_legend, class_looks, quietly, scatter
from suffice.plots._style import INK, MUTED, SMALL, axes
from suffice.plots.densities import _levels

POINTS = 161
SHARE = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)  # of a probability, as lines
PALE, DEEP = 0.10, 0.42  # strength of the color of a region, undecided and sure


def class_conditionals(
    model: Any, X: Any, y: Any, *, columns: Any = None, margin: float = 0.15, ax: Any = None
) -> Any:
    """p(x | c) of every class over its rows: contours that hold 50, 80 and 95 %, or curves along one column.

    Parameters
    ----------
    model
        A fitted classifier with `predict_joint_log_proba`, as all of `suffice.generative`.
    columns
        One or two columns by name or number, the first two without it. Others are held at their means, so that a
        slice of the densities is drawn.
    margin
        Room around the rows, in shares of their range.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from suffice import generative, plots
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = generative.QuadraticDiscriminantAnalysis().fit(X, y)
    >>> ax = plots.class_conditionals(model, X, y, columns=["petal length (cm)", "petal width (cm)"])
    """
    rows = Labelled.of(X, y)
    plane = PlotPlane.over(X, rows, columns, POINTS if _draws_two_columns(X, columns) else 4 * POINTS, margin)
    density = _densities(model, plane.table)
    if len(plane.columns) == 1:
        ax = axes(ax, x=plane.names[0], y="p(x | class)", grid="y")
        _curves(ax, plane, np.exp(density), rows, model)
    else:
        ax = axes(ax, x=plane.names[0], y=plane.names[1], size=(5.8, 4.8))
        for log_height, look in zip(
            np.moveaxis(plane.shaped(density), -1, 0), class_looks(model.classes_), strict=True
        ):
            _contours(ax, plane, log_height, look["color"])
        scatter(ax, rows.cells[:, plane.columns], rows.labels, model.classes_)
        _frame(ax, plane)
    class_legend(ax, model.classes_, plane.note, rows.note)
    return ax


def class_regions(
    model: Any,
    X: Any,
    y: Any,
    *,
    of: Any = None,
    levels: Any = SHARE,
    columns: Any = None,
    margin: float = 0.15,
    ax: Any = None,
) -> Any:
    """Which class is decided for where, deeper where it is surer; along one column the probability of each class.

    Parameters
    ----------
    model
        Any fitted classifier; without `predict_proba` the regions have one depth.
    of
        A class: lines of equal probability of it, as in FCML Fig. 5.3, in place of the regions.
    levels
        The probabilities that have a line.
    columns
        One or two columns by name or number, the first two without it. Others are held at their means.
    margin
        Room around the rows, in shares of their range.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from suffice import generative, plots
    >>> X, y = load_iris(return_X_y=True)
    >>> model = generative.LinearDiscriminantAnalysis().fit(X[:, 2:], y)
    >>> ax = plots.class_regions(model, X[:, 2:], y)
    """
    rows = Labelled.of(X, y)
    plane = PlotPlane.over(X, rows, columns, POINTS if _draws_two_columns(X, columns) else 4 * POINTS, margin)
    chance, classes = _chances(model, plane.table), model.classes_
    place = None if of is None else _place(classes, of)
    shares = _shares(levels)
    if len(plane.columns) == 1:
        ax = axes(ax, x=plane.names[0], y="P(class | x)", grid="y")
        _chance_curves(ax, plane, chance, rows, classes, place)
    else:
        ax = axes(ax, x=plane.names[0], y=plane.names[1], size=(5.8, 4.8))
        picture = plane.shaped(chance)
        if place is None:
            _regions(ax, plane, picture)
        else:
            _equal_chances(ax, plane, picture[..., place], class_looks(classes)[place]["color"], shares)
        scatter(ax, rows.cells[:, plane.columns], rows.labels, classes)
        _frame(ax, plane)
    lines = ", ".join(f"{s:g}" for s in shares)
    class_legend(
        ax, classes, "" if of is None else f"lines at P({cut(of)} | x) = {lines}", plane.note, rows.note
    )
    return ax


# -- what the model says ----------------------------------------------------------------------------------
def _densities(model: Any, table: Any) -> np.ndarray:
    """log p(x | c) at the points of a grid: (points, classes)."""
    if not hasattr(model, "predict_joint_log_proba"):
        raise Unsupported(
            f"{type(model).__name__} has no predict_joint_log_proba, hence no densities of classes; use class_regions."
        )
    joint = quietly(model.predict_joint_log_proba, table)
    prior = getattr(model, "class_log_prior_", None)
    with np.errstate(divide="ignore", invalid="ignore"):
        prior = np.log(model.class_prior_) if prior is None else prior
        return np.where(np.isneginf(prior), -np.inf, joint - prior)


def _chances(model: Any, table: Any) -> np.ndarray:
    """P(c | x) at the points of a grid, or certainty where a model only decides."""
    if hasattr(model, "predict_proba"):
        return quietly(model.predict_proba, table)
    return (quietly(model.predict, table)[:, None] == model.classes_).astype(float)


def _place(classes: np.ndarray, of: Any) -> int:
    place = np.flatnonzero(np.asarray(classes) == of)
    if not len(place):
        raise InvalidInput(f"Unknown class {of!r}; there are {np.asarray(classes).tolist()}.")
    return int(place[0])


def _draws_two_columns(X: Any, columns: Any) -> bool:
    """Whether two columns are to be drawn, so that a coarser grid will do."""
    if columns is None:
        return np.shape(X)[1:] != (1,)
    return not isinstance(columns, str | int) and len(list(columns)) > 1


# -- two columns ------------------------------------------------------------------------------------------
def _contours(ax: Any, plane: PlotPlane, log_height: np.ndarray, color: str) -> None:
    top = np.max(log_height)
    if not np.isfinite(top):  # a class without rows, or a point mass
        return
    height = np.exp(log_height - top)
    levels = _levels(height)
    if levels[0] < levels[-1]:
        ax.contour(*plane.edges, height, levels=np.unique(levels), colors=color, linewidths=1.3)


def _regions(ax: Any, plane: PlotPlane, picture: np.ndarray) -> None:
    from matplotlib.colors import to_rgb

    k = picture.shape[-1]
    best = np.argmax(picture, axis=-1)
    sure = (picture.max(axis=-1) - 1 / k) / (1 - 1 / k) if k > 1 else np.ones(best.shape)
    depth = (PALE + (DEEP - PALE) * sure)[..., None]
    hues = np.array([to_rgb(look["color"]) for look in class_looks(range(k))])
    x, y = plane.edges
    extent = (x[0], x[-1], y[0], y[-1])
    ax.imshow(1 - depth * (1 - hues[best]), extent=extent, origin="lower", aspect="auto", zorder=0)
    for c in np.unique(best).tolist():
        lead = picture[..., c] - np.delete(picture, c, axis=-1).max(axis=-1, initial=0.0)
        if lead.min() < 0 < lead.max():
            ax.contour(x, y, lead, levels=[0.0], colors=INK, linewidths=1.0)


def _equal_chances(ax: Any, plane: PlotPlane, chance: np.ndarray, color: str, shares: np.ndarray) -> None:
    inside = [s for s in shares if chance.min() < s < chance.max()]
    ax.contourf(*plane.edges, chance, levels=np.linspace(0, 1, 21), colors=_shades(color, 20), zorder=0)
    if inside:
        lines = ax.contour(*plane.edges, chance, levels=inside, colors=MUTED, linewidths=0.9)
        ax.clabel(lines, fmt=lambda s: f"{s:g}".removeprefix("0"), fontsize=SMALL - 1, colors=INK)


def _shares(levels: Any) -> np.ndarray:
    shares = as_numbers("levels", levels)
    if shares.ndim != 1 or not len(shares) or np.any(np.diff(shares, prepend=0.0, append=1.0) <= 0):
        raise InvalidParameter(f"levels must be probabilities that rise between 0 and 1; got {levels!r:.60}.")
    return shares


def _shades(color: str, n: int) -> list[tuple[float, ...]]:
    from matplotlib.colors import to_rgb

    return [tuple(1 - DEEP * share * (1 - np.array(to_rgb(color)))) for share in np.linspace(0, 1, n)]


def _frame(ax: Any, plane: PlotPlane) -> None:
    x, y = plane.edges
    ax.set(xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))
    ax.grid(False)


# -- one column -------------------------------------------------------------------------------------------
def _curves(ax: Any, plane: PlotPlane, height: np.ndarray, rows: Labelled, model: Any) -> None:
    at = plane.edges[0]
    if not np.any(height > 0) or _only_whole(model, plane, height):
        at = np.arange(np.floor(at[0]), np.ceil(at[-1]) + 1)
        height = np.exp(_densities(model, at[:, None]))
    dots = {"marker": "o", "markersize": 4} if len(at) < len(plane.edges[0]) else {}
    height = np.where(np.isfinite(height), height, np.nan)  # the top of a point mass
    _rug(ax, plane, rows, model.classes_, 0.04 * float(np.nanmax(height, initial=0.0)))
    for c, look in enumerate(class_looks(model.classes_)):
        name = cut(model.classes_[c], 24) if c < NAMED else None
        ax.plot(at, height[:, c], color=look["color"], linewidth=1.8, label=name, **dots)
    ax.set_xlim(at[0], at[-1])


def _only_whole(model: Any, plane: PlotPlane, height: np.ndarray) -> bool:
    """Whether all densities are of counts: none is positive between whole numbers."""
    between = plane.edges[0] % 1 != 0
    return bool(between.any() and not np.any(height[between] > 0))


def _rug(ax: Any, plane: PlotPlane, rows: Labelled, classes: Any, step: float) -> None:
    """A dash per row below the axis, one line of dashes per class."""
    for c, look in enumerate(class_looks(classes)):
        at = rows.cells[rows.labels == classes[c], plane.columns[0]]
        ax.plot(at, np.full(len(at), -(c + 1) * step), "|", color=look["color"], markersize=6, alpha=0.6)


def _chance_curves(
    ax: Any, plane: PlotPlane, chance: np.ndarray, rows: Labelled, classes: Any, only: int | None
) -> None:
    _rug(ax, plane, rows, classes, 0.04)
    for c, look in enumerate(class_looks(classes)):
        if only in (None, c):
            name = cut(classes[c], 24) if c < NAMED else None
            ax.plot(plane.edges[0], chance[:, c], color=look["color"], linewidth=1.8, label=name)
    ax.set(xlim=(plane.edges[0][0], plane.edges[0][-1]), yticks=np.linspace(0, 1, 6))
