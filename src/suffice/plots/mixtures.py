"""Mixtures over one or two columns: the components, rows in the colors of those they belong to, and the iteration.

Ellipses are where a component is so many standard deviations from its mean. A row has the mixed color of its
components; a row of which one coordinate is missing is a dash at the margin, at the coordinate that is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported, as_numbers, hold_warnings
from suffice._core.linalg import cholesky
from suffice._core.random import generator
from suffice._estimator import check_is_fitted
from suffice._estimator.raw_columns import open_raw
from suffice.distributions import Categorical, MixtureDistribution, MultivariateNormal
from suffice.distributions._numerics.one_dimensional import has_atoms
from suffice.mixtures._shell.joint import JointModel
from suffice.plots._panels import panels
from suffice.plots._plane import NAMED, class_legend, quietly
from suffice.plots._style import INK, SMALL, axes
from suffice.plots.fits import DASHED, HUES, RASTER_ABOVE
from suffice.tables.typed import TypedTable

TURN = np.linspace(0, 2 * np.pi, 121)
POINTS = 401
TAIL = 1e-3  # of a component, beyond each end of a drawn axis
STEPS = (0, 1, 5, 7, None)


def mixture_ellipses(
    model: Any, X: Any = None, *, columns: Any = (0, 1), levels: Any = (1, 2), ax: Any = None
) -> Any:
    """Components of a mixture of normals as ellipses, and rows in the mixed color of the components they belong to.

    A mixture of one column, or `columns` with one entry, is drawn as curves: π_k p(x | k), and their sum.

    Parameters
    ----------
    model
        A fitted mixture of normals.
    X
        Rows to draw, of the columns that the model was fitted to.
    columns
        Two columns by name or number, or one; others are integrated out of the ellipses, not out of the shares.
    levels
        Standard deviations from the mean at which ellipses are drawn.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import plots
    >>> from suffice.mixtures import GaussianMixture
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(m, 1, (60, 2)) for m in ([0, 0], [3, 0], [2, 4])])
    >>> X[::9, 1] = np.nan
    >>> ax = plots.mixture_ellipses(GaussianMixture(3, random_state=0).fit(X), X)
    """
    joint = _joint_model(model)
    table, names = _opened(joint, X)
    chosen = _chosen(columns, names)
    mixture = MixtureDistribution(joint.weights_, joint._densities(chosen))
    _refuse_categories(mixture, [names[j] for j in chosen])
    shares = None if X is None else quietly(model.predict_proba, X)
    cells = None if table is None else np.column_stack([table.columns[j] for j in chosen])
    if len(chosen) == 1:
        ax = axes(ax, x=names[chosen[0]], y="density", grid="y")
        _curves(ax, mixture.marginal(0), cells, shares)
        return ax
    normals, radii = _normals(mixture, type(model).__name__), _radii(levels)
    ax = axes(ax, x=names[chosen[0]], y=names[chosen[1]], size=(5.8, 4.8))
    note = "" if cells is None or shares is None else _rows(ax, cells, _mixed(shares))
    for k, (weight, normal) in enumerate(zip(normals.weights, normals.components, strict=True)):
        _ellipses(ax, normal, radii, HUES[k % len(HUES)], f"π = {weight:.2f}" if k < NAMED else None)
    class_legend(ax, normals.components, note)
    return ax


def em_film(
    X: Any,
    model: Any,
    steps: Sequence[int | None] = STEPS,
    *,
    columns: Any = (0, 1),
    levels: Any = (2,),
    ax: Any = None,
) -> Any:
    """Where expectation–maximization stands after some steps, from one start: a panel each, the last at its end.

    Parameters
    ----------
    model
        A mixture of normals, fitted or not; it is fitted anew, from the first of its starts.
    steps
        How many steps each panel shows, rising, whatever the model's `tol` and `max_iter`; 0 is the start, and where
        steps change nothing any more, no further ones are taken. None, at the end, is where the model itself stops.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import plots
    >>> from suffice.mixtures import GaussianMixture
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(m, 1, (40, 2)) for m in ([0, 0], [4, 0], [2, 4])])
    >>> panels = plots.em_film(X, GaussianMixture(3, init_params="random", random_state=0), steps=(0, 3, None))
    >>> [ax.get_title(loc="left").split(":")[0].split(", ")[-1] for ax in panels]
    ['start', '3 steps', 'converged']
    """
    frames = _frames(X, model, _checked_steps(steps))
    across = min(3, len(frames))
    down = -(-len(frames) // across)
    grid = panels(ax, down, across, (4.2 * across, 3.7 * down), sharex=True, sharey=True).ravel()
    for one, (words, fitted) in zip(grid, frames, strict=False):
        mixture_ellipses(fitted, X, columns=columns, levels=levels, ax=one)
        if one.get_legend() is not None:
            one.get_legend().remove()
        title = f"{words}: L = {fitted.trace_.columns['likelihood'][-1]:.1f}"
        one.set_title(title, loc="left", fontsize=SMALL, color=INK)
    for one in grid[len(frames) :]:
        one.set_axis_off()
    return grid[: len(frames)]


# -- what is drawn ----------------------------------------------------------------------------------------
def _joint_model(model: Any) -> JointModel:
    """A fitted mixture that knows the density of any of its columns."""
    check_is_fitted(model)
    if not isinstance(model, JointModel):
        kind = type(model)
        raise Unsupported(
            f"{kind.__module__}.{kind.__qualname__} has no distribution_ to draw. If it has weights_, means_ and "
            "covariances_, draw GaussianMixture.of(model.weights_, model.means_, model.covariances_) of "
            "suffice.mixtures, with its covariance_type."
        )
    return model


def _opened(model: JointModel, X: Any) -> tuple[TypedTable | None, list[str]]:
    """The columns of a table, of any kind, and their names; without a table those of the fit."""
    if X is None:
        return None, list(model._names)
    table, header = open_raw(X, "mixture_ellipses", None)
    return table, list(header.feature_names if header.features else model._names)


def _chosen(columns: Any, names: Sequence[str]) -> list[int]:
    """Positions of one or two columns; of a model with one, that."""
    several = isinstance(columns, Iterable) and not isinstance(columns, str)
    listed = list(columns) if several else [columns]
    listed = [0] if len(names) == 1 else listed
    places = [names.index(c) if c in names else c for c in listed]
    known = [
        isinstance(c, int | np.integer) and not isinstance(c, bool) and 0 <= c < len(names) for c in places
    ]
    if not all(known) or len(set(places)) != len(places) or len(places) not in (1, 2):
        raise InvalidInput(f"columns must be one or two different columns of {list(names)}; got {columns!r}.")
    return [int(c) for c in places]


def _refuse_categories(mixture: MixtureDistribution, names: Sequence[str]) -> None:
    """Raise for columns of categories, which have no order to draw them along."""
    first = mixture.components[0]
    wrong = [name for i, name in enumerate(names) if isinstance(first.marginal(i), Categorical)]
    if wrong:
        raise Unsupported(
            f"Column {wrong[0]!r} holds categories, which have no place on an axis; name columns of numbers in "
            "columns=, or read model.summary()."
        )


def _normals(mixture: MixtureDistribution, kind: str) -> MixtureDistribution:
    """The mixture of two columns, if its components are normal."""
    if not all(isinstance(c, MultivariateNormal) for c in mixture.components):
        raise Unsupported(
            f"Components of {kind} are not normal and have no ellipses; draw one column, columns=[0]."
        )
    return mixture


def _radii(levels: Any) -> np.ndarray:
    radii = np.atleast_1d(as_numbers("levels", levels))
    if radii.ndim != 1 or not len(radii) or not np.all((radii > 0) & np.isfinite(radii)):
        raise InvalidParameter(f"levels must be standard deviations above 0; got {levels!r:.60}.")
    return radii


def _mixed(shares: np.ndarray) -> np.ndarray:
    """Colors of the components, mixed by their shares of each row."""
    from matplotlib.colors import to_rgb

    hues = np.array([to_rgb(HUES[k % len(HUES)]) for k in range(shares.shape[1])])
    return np.clip(shares @ hues, 0.0, 1.0)


# -- two columns ------------------------------------------------------------------------------------------
def _ellipses(ax: Any, normal: MultivariateNormal, radii: np.ndarray, color: str, name: str | None) -> None:
    """Where a normal is so many standard deviations from its mean; the name has its weight."""
    circle = np.column_stack([np.cos(TURN), np.sin(TURN)]) @ cholesky(normal.cov, "A covariance").T
    for i, radius in enumerate(radii):
        x, y = (normal.mean + radius * circle).T
        ax.plot(x, y, color=color, linewidth=1.6, zorder=3.5, label=None if i else name)
    ax.plot(*normal.mean, "+", color=color, markersize=9, markeredgewidth=2.0, zorder=4)


def _rows(ax: Any, cells: np.ndarray, colors: np.ndarray) -> str:
    """Points, and dashes along the margins where one coordinate is missing; a note on those without either."""
    known = np.isfinite(cells)
    both, neither = known.all(axis=1), ~known.any(axis=1)
    many = int(both.sum()) > RASTER_ABOVE
    look = {
        "s": 10 if many else 20,
        "linewidths": 0.3,
        "edgecolors": "white",
        "rasterized": many,
        "zorder": 2,
    }
    ax.scatter(cells[both, 0], cells[both, 1], c=colors[both], **look)
    for j, (mark, place) in enumerate((("|", ax.get_xaxis_transform()), ("_", ax.get_yaxis_transform()))):
        lone = known[:, j] & ~both
        at = [cells[lone, j], np.full(int(lone.sum()), 0.015)]
        if lone.any():
            ax.scatter(
                *at[:: -1 if j else 1], c=colors[lone], marker=mark, s=40, transform=place, clip_on=False
            )
    notes = []
    if (known.any(axis=1) & ~both).any():
        notes.append("dashes: the other coordinate is missing")
    if neither.any():
        notes.append(f"without either, not shown: {neither.sum()}")
    return "; ".join(notes)


# -- one column -------------------------------------------------------------------------------------------
def _curves(
    ax: Any, mixture: MixtureDistribution, cells: np.ndarray | None, shares: np.ndarray | None
) -> None:
    """π_k p(x | k) of every component and their sum; rows as dashes below."""
    ends = np.array([c.quantile(np.array([TAIL, 1 - TAIL])) for c in mixture.components])
    at = np.linspace(ends[:, 0].min(), ends[:, 1].max(), POINTS)
    dots: dict[str, Any] = {}
    if any(has_atoms(c) for c in mixture.components):
        low, high = np.floor(at[0]), np.ceil(at[-1])
        at = np.unique(np.round(np.linspace(low, high, min(int(high - low), POINTS) + 1)))
        # all of them, or a few of very many
        dots = {"marker": "o", "markersize": 4} if len(at) > high - low else {}
        ax.set_ylabel("probability")
    heights = [w * c.prob(at) for w, c in zip(mixture.weights, mixture.components, strict=True)]
    for k, height in enumerate(heights):
        name = f"π = {mixture.weights[k]:.2f}" if k < NAMED else None
        ax.plot(at, height, color=HUES[k % len(HUES)], linewidth=1.6, label=name, **dots)
    total = np.sum(heights, axis=0)
    ax.plot(at, total, color=INK, linewidth=1.4, linestyle=DASHED, label="sum", zorder=3)
    if cells is not None and shares is not None:
        known = np.isfinite(cells[:, 0])
        low = np.full(int(known.sum()), -0.03 * float(total.max()))
        ax.scatter(cells[known, 0], low, c=_mixed(shares[known]), marker="|", s=36, linewidths=1.0)
    class_legend(ax, range(len(heights)))


# -- the iteration ----------------------------------------------------------------------------------------
def _checked_steps(steps: Any) -> list[int | None]:
    listed = list(steps) if isinstance(steps, Iterable) else []
    counts = [s for s in listed if s is not None]
    whole = all(isinstance(s, int | np.integer) and not isinstance(s, bool) and s >= 0 for s in counts)
    if not listed or not whole or None in listed[:-1] or counts != sorted(set(counts)):
        raise InvalidParameter(
            f"steps must be whole numbers that rise, at the end perhaps None; got {steps!r:.60}."
        )
    return listed


def _frames(X: Any, model: Any, steps: list[int | None]) -> list[tuple[str, Any]]:
    """The model after so many steps, in words and fitted; all from one start."""
    start = clone(model).set_params(n_init=1)
    if start.random_state is None:
        start.set_params(random_state=int(generator().integers(2**32)))
    out = []
    for step in steps:
        one = clone(start)  # its random_state too, so that each begins alike
        if step is not None:
            one.set_params(max_iter=step, tol=0.0)
        with hold_warnings():
            one.fit(X)
        out.append((_in_words(one.n_iter_, step, one.converged_), one))
    return out


def _in_words(taken: int, wanted: int | None, converged: bool) -> str:
    if not taken:
        return "start"
    end = "" if taken == wanted else ", converged" if converged else ", at the limit"
    return f"{taken} step{'s' if taken != 1 else ''}{end}"
