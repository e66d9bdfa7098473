"""Posteriors of generalized linear models: the surface over two weights, and the boundaries that its draws make."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported, as_numbers, check_choice
from suffice._core.random import generator
from suffice.glm import PosteriorSurface
from suffice.plots._plane import Labelled, PlotPlane, class_legend, scatter
from suffice.plots._several import check_record
from suffice.plots._style import BLUE, GREEN, INK, MUTED, ORANGE, axes, legend

COLORS = {"likelihood": GREEN, "prior": MUTED, "posterior": BLUE}
# √(2 log 1/h): radii that hold 50, 80 and 95 % of a normal distribution
DEPTHS = np.array([1.177, 1.794, 2.448])
DEEP = np.array([1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 85, 113, 150])  # the same, for a wide view
TURN = np.linspace(0, 2 * np.pi, 181)
POINTS = 81


def posterior_surface(
    surface: PosteriorSurface,
    part: Literal["posterior", "likelihood", "prior"] | None = None,
    *,
    laplace: bool = True,
    path: bool = False,
    wide: bool = False,
    truth: tuple[float, float] | None = None,
    ax: Any = None,
) -> Any:
    """A density over two weights as contours, with Laplace's ellipses (dashed) and Newton's path on it.

    Contours are where a normal density would hold 50, 80 and 95 %: where they and the ellipses agree, the density is
    as good as normal. The posterior is drawn unless `part` says otherwise, or the likelihood where there is no prior.

    Parameters
    ----------
    surface
        From `suffice.glm.posterior_surface`.
    laplace, path
        Whether to draw the ellipses, and the steps from the start to the peak.
    wide
        Contours of the logarithm, to its foot, which show what the steps climb; the three of before stay.
    truth
        A pair of weights to mark.

    Examples
    --------
    >>> from suffice import glm, plots
    >>> x, t = [[-2.0], [-1.0], [-0.5], [0.5], [1.0], [2.5]], [0, 0, 1, 0, 1, 1]
    >>> model = glm.LogisticRegression.book(0.5, "lecture3").fit(x, t)
    >>> ax = plots.posterior_surface(glm.posterior_surface(model, x, t), path=True)
    """
    check_record(surface, PosteriorSurface)
    part = part or ("likelihood" if surface.log_prior is None else "posterior")
    check_choice("part", part, tuple(COLORS))
    log = getattr(surface, f"log_{part}")
    if log is None:
        raise InvalidInput("The model has no prior; draw the likelihood.")
    ax = axes(ax, x=surface.names[0], y=surface.names[1], size=(5.0, 4.6))
    top = surface.height if _peaked(surface, part) else float(log.max())
    _shade(ax, surface, log - top, COLORS[part], wide)
    ax.plot([], [], color=COLORS[part], label=part)
    if laplace and _peaked(surface, part):
        _ellipses(ax, surface)
    if path:
        steps = len(surface.path) - 1
        name = f"{steps} Newton step" + "s" * (steps != 1)
        ax.plot(*surface.path.T, "o-", color=INK, markersize=3.5, linewidth=1.1, label=name, zorder=4)
    ax.plot(*surface.peak, "*", color=INK, markersize=9, markeredgecolor="white", label="estimate", zorder=5)
    if truth is not None:
        ax.plot(*truth, "+", color=INK, markersize=11, markeredgewidth=1.8, label="truth", zorder=5)
    ax.set(xlim=(surface.first[0], surface.first[-1]), ylim=(surface.second[0], surface.second[-1]))
    legend(ax)
    return ax


def sampled_boundaries(
    model: Any,
    X: Any,
    y: Any,
    *,
    draws: Any = 20,
    columns: Any = None,
    margin: float = 0.15,
    random_state: Any = None,
    ax: Any = None,
) -> Any:
    """Boundaries between two classes for draws of the weights, over the rows (FCML Fig. 4.7).

    Parameters
    ----------
    model
        A fitted classifier of `suffice.glm` with two classes.
    draws
        How many, from the model's posterior or else from its estimate and `cov_params_`; or the draws themselves, one
        (intercept, weights) per row.
    columns
        Two columns by name or number, the first two without it. Others are held at their means.
    margin
        Room around the rows, in shares of their range.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from suffice import glm, plots
    >>> X, y = load_iris(return_X_y=True)
    >>> model = glm.LogisticRegression().fit(X[50:, 2:], y[50:])
    >>> ax = plots.sampled_boundaries(model, X[50:, 2:], y[50:], random_state=0)
    """
    rows = Labelled.of(X, y)
    plane = PlotPlane.over(X, rows, columns, POINTS, margin)
    if len(plane.columns) != 2:
        raise InvalidInput("A boundary is drawn over two columns; X has one.")
    theta = _draws(model, draws, random_state)
    ax = axes(ax, x=plane.names[0], y=plane.names[1], size=(5.8, 4.8))
    values = _values(model, plane.table, np.vstack([_estimate(model), theta]))
    for i, picture in enumerate(np.moveaxis(plane.shaped(values), -1, 0)):
        look = (
            {"colors": INK, "linewidths": 1.8, "zorder": 2.5}
            if i == 0
            else {"colors": MUTED, "linewidths": 0.8}
        )
        if picture.min() < 0 < picture.max():
            ax.contour(*plane.edges, picture, levels=[0.0], **look)
    scatter(ax, rows.cells[:, plane.columns], rows.labels, model.classes_)
    ax.plot([], [], color=INK, linewidth=1.8, label="estimate")
    ax.plot([], [], color=MUTED, linewidth=0.8, label=f"{len(theta)} draws")
    ax.set(xlim=plane.edges[0][[0, -1]], ylim=plane.edges[1][[0, -1]])
    ax.grid(False)
    class_legend(ax, model.classes_, plane.note, rows.note)
    return ax


# -- surfaces ---------------------------------------------------------------------------------------------
def _peaked(surface: PosteriorSurface, part: str) -> bool:
    """Whether the estimate is the highest point of this part."""
    return part == "posterior" or (part == "likelihood" and surface.log_prior is None)


def _shade(ax: Any, surface: PosteriorSurface, below: np.ndarray, color: str, wide: bool) -> None:
    """Contours of a log density, given from its top; deeper shades are higher."""
    grid = surface.first, surface.second
    if wide:
        far = [-0.5 * d**2 for d in DEEP[::-1] if below.min() < -0.5 * d**2 < below.max()]
        if far:
            ax.contour(*grid, below, levels=far, colors=MUTED, linewidths=0.6, linestyles="-", alpha=0.7)
    levels = [level for level in -0.5 * DEPTHS[::-1] ** 2 if below.min() < level < below.max()]
    for level in levels:
        ax.contourf(*grid, below, levels=[level, np.inf], colors=[color], alpha=0.16)
    if levels:
        ax.contour(*grid, below, levels=levels, colors=color, linewidths=1.3, linestyles="-")


def _ellipses(ax: Any, surface: PosteriorSurface) -> None:
    values, vectors = np.linalg.eigh(surface.cov)
    circle = np.stack([np.cos(TURN), np.sin(TURN)])
    for depth in DEPTHS:
        at = np.array(surface.peak)[:, None] + depth * (vectors * np.sqrt(values)) @ circle
        name = "Laplace" if depth == DEPTHS[0] else None
        ax.plot(*at, color=ORANGE, linewidth=1.2, linestyle=(0, (4, 2.5)), label=name, zorder=3)


# -- draws ------------------------------------------------------------------------------------------------
def _has_constant(model: Any) -> bool:
    """Whether a(0) is not zero: a function of standardized columns without an intercept is zero at their mean."""
    return model.fit_intercept or getattr(model, "standardize", False)


def _estimate(model: Any) -> np.ndarray:
    w = np.ravel(model.coef_)
    return np.concatenate([np.ravel(model.intercept_), w]) if _has_constant(model) else w


def _draws(model: Any, draws: Any, random_state: Any) -> np.ndarray:
    """(draws, intercept and weights)."""
    if not hasattr(model, "classes_") or not hasattr(model, "coef_"):
        raise Unsupported(
            f"{type(model).__name__} has no boundary that is linear in weights; fit one of suffice.glm."
        )
    if len(model.classes_) != 2:
        raise Unsupported(f"Boundaries are drawn between two classes; the model has {len(model.classes_)}.")
    if np.ndim(draws):
        given, width = as_numbers("draws", draws), len(_estimate(model))
        if given.ndim != 2 or given.shape[1] != width or not np.isfinite(given).all():
            raise InvalidParameter(f"draws must be rows of {width} finite weights; got shape {given.shape}.")
        return given
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or draws < 1:
        raise InvalidParameter(f"draws must be an integer >= 1 or rows of weights; got {draws!r}.")
    if hasattr(model, "sample_boundaries"):
        return model.sample_boundaries(int(draws), random_state).weights[
            :, 0 if _has_constant(model) else 1 :
        ]
    if _has_constant(model) and not model.fit_intercept:
        raise Unsupported(
            "Without an intercept, functions of standardized columns are zero at their mean, which draws of weights "
            "do not tell. Draw from a Bayesian model, or fit with fit_intercept=True."
        )
    noise = generator(random_state).standard_normal((int(draws), model.root_.shape[1]))
    if not np.isfinite(model.root_).all():
        raise Unsupported("The rows leave some weights undetermined, so there is no density to draw from.")
    return _estimate(model) + noise @ model.root_.T


def _values(model: Any, table: Any, theta: np.ndarray) -> np.ndarray:
    """a(x) of every draw: (points, draws)."""
    cells = np.asarray(table, dtype=float)
    columns = cells if model.basis_ is None else np.asarray(model.basis_(cells))
    return columns @ theta[:, -columns.shape[1] :].T + (theta[:, 0] if _has_constant(model) else 0.0)
