"""Distributions: densities with their intervals, contours, beliefs as they change, evidence, joint tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.distributions import Categorical, JointTable
from suffice.distributions._base import Univariate
from suffice.distributions._numerics.one_dimensional import check_single, has_atoms, nodes
from suffice.distributions.conjugate.type_two import EvidenceGrid
from suffice.plots._style import BLUE, INK, MUTED, NORMAL, ORANGE, PALE, SMALL, axes, legend, note_at, plain

TAIL = 1e-3  # of the probability lies beyond each end of a drawn axis
POINTS = 401
# evidence, pale to high
SHADES = (
    "#f5f9fc",
    "#e8f1f8",
    "#d9e8f3",
    "#c6dded",
    "#aecfe6",
    "#93bfdd",
    "#76add3",
)
SHARES = (0.95, 0.8, 0.5)  # of the probability inside each contour


def density(
    distribution: Univariate,
    *,
    interval: float | None = 0.95,
    label: str | None = None,
    color: str = BLUE,
    x: str = "x",
    ax: Any = None,
) -> Any:
    """A density as a curve, probabilities as bars; the central interval is shaded. None shades nothing.

    Examples
    --------
    >>> from suffice import plots
    >>> from suffice.distributions import Beta, Binomial
    >>> ax = plots.density(Beta(7, 5), x="r")
    >>> ax = plots.density(Binomial(10, 0.5), interval=0.8)
    """
    if isinstance(distribution, Categorical) and distribution.classes.dtype.kind not in "biuf":
        return _classes(distribution, label, color, ax)
    check_single("distribution", distribution)
    discrete = has_atoms(distribution)
    ax = axes(ax, x=x, y="probability" if discrete else "density", grid="y")
    inside = None if interval is None else distribution.interval(interval)
    draw = _bars if discrete else _curve
    draw(ax, distribution, inside, color, label)
    _from_zero(ax)
    legend(ax)
    return ax


def contour(distribution: Any, *, marginals: bool = True, color: str = BLUE, ax: Any = None) -> Any:
    """Regions of highest density of two numbers, holding 50, 80 and 95 %; with the density of each beside.

    Examples
    --------
    >>> from suffice import plots
    >>> from suffice.distributions import MultivariateNormal
    >>> ax = plots.contour(MultivariateNormal([2.0, 1.0], [[1.0, 0.8], [0.8, 1.0]]))
    """
    each = _pair(distribution)
    ax = axes(ax, x="x₁", y="x₂", size=(5.0, 4.6))
    x, y = (np.linspace(*_ends(d), POINTS) for d in each)
    height = distribution.prob(np.stack(np.meshgrid(x, y), axis=-1))
    levels = _levels(height)
    for level in levels:
        ax.contourf(x, y, height, levels=[level, np.inf], colors=[color], alpha=0.16)
    ax.contour(x, y, height, levels=levels, colors=color, linewidths=1.2)
    if marginals:
        _draw_marginals(ax, each, (x, y), color)
    return ax


def posterior_evolution(
    beliefs: Iterable[Any], *, labels: Any = None, x: str = "parameter", ax: Any = None
) -> Any:
    """Densities of a belief as data come in, from pale to dark: a sequence of distributions, or a batch.

    Examples
    --------
    >>> from suffice import plots
    >>> from suffice.distributions import Beta, coin_game
    >>> beliefs = coin_game.evolution(Beta(1, 1), coin_game.heads("HTHH"))
    >>> ax = plots.posterior_evolution(beliefs, x="r")
    """
    beliefs = list(beliefs)
    if not beliefs:
        raise InvalidInput("There are no beliefs to draw.")
    names = [str(i) for i in range(len(beliefs))] if labels is None else [str(name) for name in labels]
    if len(names) != len(beliefs):
        raise InvalidInput(f"labels must be one per belief, {len(beliefs)}; got {len(names)}.")
    ends = np.array([_ends(b) for b in beliefs])
    at = np.linspace(ends[:, 0].min(), ends[:, 1].max(), POINTS)
    ax = axes(ax, x=x, y="density")
    for i, (belief, name) in enumerate(zip(beliefs, names, strict=True)):
        shade = 0.2 + 0.8 * (i + 1) / len(beliefs)
        last = i == len(beliefs) - 1
        ax.plot(
            at,
            _finite(belief.prob(at)),
            color=ORANGE if last and i else BLUE,
            alpha=1.0 if last else shade,
            linewidth=2.0 if last else 1.3,
            label=plain(name) if len(beliefs) <= 8 else None,
        )
    ax.set_xlim(at[0], at[-1])
    _from_zero(ax)
    legend(ax)
    return ax


def evidence_contours(grid: EvidenceGrid, *, ax: Any = None) -> Any:
    """The log evidence below its best value over one or two hyper-parameters; a cross marks the best.

    Examples
    --------
    >>> from suffice import plots
    >>> from suffice.distributions import Beta, evidence_grid
    >>> grid = evidence_grid(Beta, 14, n=20, axes={"a": range(1, 51), "b": range(1, 31)})
    >>> ax = plots.evidence_contours(grid)
    """
    if len(grid.names) not in (1, 2):
        raise InvalidInput(f"Contours need one or two hyper-parameters; got {len(grid.names)}.")
    below = grid.log_evidence - grid.log_evidence.max()
    if len(grid.names) == 1:
        ax = axes(ax, x=grid.names[0], y="log evidence")
        ax.plot(grid.axes[0], grid.log_evidence, color=BLUE, linewidth=1.8)
        _cross(ax, [*grid.best.values(), float(grid.log_evidence.max())], grid)
        return ax
    ax = axes(ax, x=grid.names[0], y=grid.names[1], size=(5.4, 4.4))
    levels = [-10.0, -5.0, -3.0, -2.0, -1.0, -0.5, -0.2, 0.0]
    ax.contourf(*grid.axes, np.maximum(below, -9.99).T, levels=levels, colors=SHADES)
    lines = ax.contour(
        *grid.axes, below.T, levels=levels[:-1], colors=INK, linewidths=0.6, linestyles="solid"
    )
    ax.clabel(lines, fontsize=SMALL, fmt="%g")
    _cross(ax, list(grid.best.values()), grid)
    return ax


def joint_table(table: JointTable, *, ax: Any = None) -> Any:
    """The cells of a table of two variables, shaded by their probability, with the sums of rows and columns.

    Examples
    --------
    >>> from suffice import plots
    >>> from suffice.distributions import JointTable
    >>> ax = plots.joint_table(JointTable([[0.4, 0.1], [0.0, 0.5]], {"coin": "HT", "told": ["H", "T"]}))
    """
    if len(table.names) != 2:
        raise InvalidInput(f"joint_table draws two variables; got {list(table.names)}. Take .marginal(a, b).")
    values, (rows, columns) = table.values, table.labels
    sums = [table.marginal(name).values for name in table.names]
    size = (1.6 + 0.9 * (len(columns) + 1), 1.2 + 0.5 * (len(rows) + 1))
    ax = axes(ax, x=table.names[1], y=table.names[0], grid="both", size=size)
    ax.grid(False)
    ax.imshow(values, cmap="Blues", vmin=0, vmax=1.6 * values.max(), aspect="auto")
    for (i, j), p in np.ndenumerate(values):
        _number(ax, j, i, p, INK)
    for i, p in enumerate(sums[0]):
        _number(ax, len(columns), i, p, MUTED)
    for j, p in enumerate(sums[1]):
        _number(ax, j, len(rows), p, MUTED)
    _number(ax, len(columns), len(rows), float(values.sum()), MUTED)
    ax.set_xticks(range(len(columns) + 1), [*(plain(c, 12) for c in columns), "sum"])
    ax.set_yticks(range(len(rows) + 1), [*(plain(r, 12) for r in rows), "sum"])
    ax.set(xlim=(-0.5, len(columns) + 0.5), ylim=(len(rows) + 0.5, -0.5))
    ax.axhline(len(rows) - 0.5, color=MUTED, linewidth=0.8)
    ax.axvline(len(columns) - 0.5, color=MUTED, linewidth=0.8)
    return ax


# -- curves and bars -----------------------------------------------------------------------------------
def _ends(d: Any) -> tuple[float, float]:
    """Where to begin and end: all but a little of the probability, and a bounded side whole."""
    low, high = (float(v) for v in d.quantile(np.array([TAIL, 1 - TAIL])))
    least, most = (float(v) for v in d.quantile(np.array([0.0, 1.0])))
    margin = 0.08 * (high - low)
    reach = 1.5 * (high - low)
    return (
        least if low - least < reach else low - margin,
        most if most - high < reach else high + margin,
    )


def _finite(height: np.ndarray) -> np.ndarray:
    """Heights with the poles at the ends of a range cut off."""
    inside = height[np.isfinite(height)]
    return np.minimum(height, 1.2 * np.max(inside, initial=0.0)) if len(inside) < len(height) else height


def _from_zero(ax: Any) -> None:
    """Heights start at zero, and the top still makes room for what is drawn next."""
    for line in ax.lines:
        line.sticky_edges.y.append(0.0)
    ax.autoscale_view()
    ax.set_ylim(bottom=0, auto=True)


def _curve(ax: Any, d: Any, inside: Any, color: str, label: str | None) -> None:
    low, high = _ends(d)
    at = np.linspace(low, high, POINTS)
    if inside is not None:
        shaded = np.linspace(inside[0], inside[1], POINTS)
        ax.fill_between(shaded, _finite(d.prob(shaded)), color=color, alpha=0.2, linewidth=0)
    ax.plot(at, _finite(d.prob(at)), color=color, linewidth=1.8, label=label)


def _bars(ax: Any, d: Any, inside: Any, color: str, label: str | None) -> None:
    at, mass = nodes(d)
    low, high = (float(v) for v in d.quantile(np.array([TAIL, 1 - TAIL])))
    shown = (at >= low) & (at <= high)
    at, mass = at[shown], mass[shown]
    width = 0.8 * np.min(np.diff(at), initial=np.inf) if len(at) > 1 else 0.8
    filled = np.ones(len(at), dtype=bool) if inside is None else (at >= inside[0]) & (at <= inside[1])
    ax.bar(at[filled], mass[filled], width=width, color=color, label=label)
    ax.bar(at[~filled], mass[~filled], width=width, color=PALE)
    if np.all(at == np.floor(at)):
        ax.xaxis.get_major_locator().set_params(integer=True)


def _classes(d: Categorical, label: str | None, color: str, ax: Any) -> Any:
    ax = axes(ax, y="probability", grid="y")
    ax.bar([plain(c, 16) for c in d.classes.tolist()], d.probabilities, width=0.8, color=color, label=label)
    legend(ax)
    return ax


# -- two numbers ---------------------------------------------------------------------------------------
def _pair(d: Any) -> list[Any]:
    """The two marginals."""
    try:
        return [d.marginal(0), d.marginal(1)] if np.shape(d.mode) == (2,) else _no_pair(d)
    except AttributeError:
        return _no_pair(d)


def _no_pair(d: Any) -> Any:
    raise InvalidInput(f"contour draws one distribution of two numbers; got {d!r}.")


def _levels(height: np.ndarray) -> list[float]:
    """Heights above which the given shares of the probability lie."""
    order = np.sort(height[np.isfinite(height)])[::-1]
    share = np.cumsum(order) / order.sum()
    return [float(order[np.searchsorted(share, p)]) for p in SHARES]


def _draw_marginals(ax: Any, each: list[Any], at: tuple[np.ndarray, np.ndarray], color: str) -> None:
    top = ax.inset_axes([0.0, 1.02, 1.0, 0.18], sharex=ax)
    right = ax.inset_axes([1.02, 0.0, 0.18, 1.0], sharey=ax)
    for side in (top, right):
        side.axis("off")
    heights = [_finite(d.prob(x)) for d, x in zip(each, at, strict=True)]
    top.fill_between(at[0], heights[0], color=color, alpha=0.22, linewidth=0)
    top.plot(at[0], heights[0], color=color, linewidth=1.4)
    right.fill_betweenx(at[1], heights[1], color=color, alpha=0.22, linewidth=0)
    right.plot(heights[1], at[1], color=color, linewidth=1.4)
    top.set_ylim(bottom=0)
    right.set_xlim(left=0)


# -- marks ---------------------------------------------------------------------------------------------
def _cross(ax: Any, at: list[float], grid: EvidenceGrid) -> None:
    where = ", ".join(f"{name} = {value:.4g}" for name, value in grid.best.items())
    edge = " (on the edge)" if grid.at_bound else ""
    ax.plot(*at, "x", color=ORANGE, markersize=9, markeredgewidth=2.2, clip_on=False, zorder=4)
    box = {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
    note_at(ax, where + edge, at, (-8, 8), ha="right", color=ORANGE, fontweight="bold", zorder=4, bbox=box)


def _number(ax: Any, x: float, y: float, p: float, color: str) -> None:
    ax.text(x, y, f"{p:.3g}", ha="center", va="center", fontsize=NORMAL, color=color)
