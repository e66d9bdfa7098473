"""Classes on a line: two densities, the boundary between them and the error that remains; rows after a projection."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, Unsupported
from suffice.distributions import decision
from suffice.plots._labels import cut
from suffice.plots._plane import NAMED, Labelled, class_legend, class_looks, scatter
from suffice.plots._style import BLUE, MUTED, ORANGE, axes, legend, note_at, plain
from suffice.plots.densities import POINTS, _ends
from suffice.plots.fits import DASHED
from suffice.tables.giving import like

MOST_BINS = 60


def class_boundary(
    density_a: Any,
    density_b: Any,
    *,
    prior: Any = 0.5,
    names: tuple[str, str] = ("a", "b"),
    x: str = "x",
    ax: Any = None,
) -> Any:
    """Two densities of a number times their priors, where the better guess changes, and the smallest error shaded.

    Parameters
    ----------
    prior
        P(a), or the pair.
    names
        What the classes are called.

    Examples
    --------
    >>> from suffice import plots
    >>> from suffice.distributions import Normal
    >>> ax = plots.class_boundary(Normal(178, 7), Normal(165, 7), names=("male", "female"), x="height in cm")
    """
    error = decision.overlap_error(density_a, density_b, prior)
    ends = np.array([_ends(density_a), _ends(density_b)])
    at = np.linspace(ends[:, 0].min(), ends[:, 1].max(), 2 * POINTS)
    pair = np.ravel(prior) if np.ndim(prior) else np.array([prior, 1 - prior])
    joint = [w * d.prob(at) for w, d in zip(pair, (density_a, density_b), strict=True)]
    ax = axes(ax, x=x, y="p(x | class) P(class)", grid="y")
    lower = np.minimum(*joint)
    ax.fill_between(at, lower, color=MUTED, alpha=0.35, linewidth=0, label=f"error {error:.3g}")
    for height, name, color in zip(joint, names, (BLUE, ORANGE), strict=True):
        ax.plot(at, height, color=color, linewidth=1.8, label=plain(name))
    for place in decision.boundary(density_a, density_b, prior):
        if at[0] <= place <= at[-1]:
            ax.axvline(place, color=MUTED, linewidth=1, linestyle=DASHED)
            note_at(ax, f"{place:.4g}", (place, 1.0), (3, -2), xycoords=("data", "axes fraction"), va="top")
    ax.set_xlim(at[0], at[-1])
    ax.set_ylim(bottom=0)
    legend(ax)
    return ax


def projections(model: Any, X: Any, y: Any, *, ax: Any = None) -> Any:
    """Rows after a projection: a histogram per class for one direction, points for the first two of several.

    Parameters
    ----------
    model
        A fitted model with `transform`, such as `FisherDiscriminant`; or directions, a vector or one per column.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.decomposition import PCA
    >>> from suffice import plots
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = plots.projections(PCA(1).fit(X), X, y)
    """
    rows = Labelled.of(X, y)
    classes = getattr(model, "classes_", np.unique(rows.labels))
    at = _projected(model, X, rows.cells)
    if at.shape[1] == 1:
        ax = axes(ax, x="projection", y="share of its class", grid="y")
        _histograms(ax, at[:, 0], rows.labels, classes)
    else:
        ax = axes(ax, x="first projection", y="second projection", size=(5.8, 4.8))
        scatter(ax, at, rows.labels, classes)
    class_legend(ax, classes, rows.note)
    return ax


def _projected(model: Any, X: Any, cells: np.ndarray) -> np.ndarray:
    """(rows, directions)."""
    if hasattr(model, "transform"):
        at = np.asarray(model.transform(like(X, cells)), dtype=float)
        return at[:, None] if at.ndim == 1 else at
    if isinstance(model, np.ndarray | list | tuple):
        directions = np.asarray(model, dtype=float)
        if directions.ndim in (1, 2) and len(directions) == cells.shape[1]:
            return cells @ directions.reshape(len(directions), -1)
        raise InvalidInput(
            f"directions must have one entry per column, {cells.shape[1]}; got shape {directions.shape}."
        )
    raise Unsupported(f"{type(model).__name__} has no transform to project rows with.")


def _histograms(ax: Any, at: np.ndarray, labels: np.ndarray, classes: Any) -> None:
    smallest = min((np.sum(labels == c) for c in classes if np.any(labels == c)), default=1)
    bins = int(np.clip(3 * np.sqrt(smallest), 8, MOST_BINS))
    room = max(np.ptp(at), 1e-9 * np.abs(at).max(initial=0.0), 1e-300)
    edges = np.linspace(at.min() - 0.01 * room, at.max() + 0.01 * room, bins + 1)
    for c, look in enumerate(class_looks(classes)):
        mine = at[labels == classes[c]]
        if len(mine):
            share = np.histogram(mine, edges)[0] / len(mine)
            name = cut(classes[c], 24) if c < NAMED else None
            ax.stairs(share, edges, fill=True, color=look["color"], alpha=0.3, linewidth=0)
            ax.stairs(share, edges, color=look["color"], linewidth=1.4, label=name)
    ax.set_ylim(bottom=0)
