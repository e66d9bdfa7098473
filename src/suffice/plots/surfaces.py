"""Beliefs about weights and what follows: surfaces over two weights, evidence along a parameter, error bars."""

from __future__ import annotations

import inspect
from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidInput, Unsupported, check_choice, check_number
from suffice.linear import EvidencePath, WeightSurface
from suffice.plots._inputs import as_array, column_names, grid_along, series_name
from suffice.plots._labels import short, value_axis
from suffice.plots._several import check_record
from suffice.plots._style import BLUE, GREEN, INK, MUTED, ORANGE, axes, legend

LEVELS = (0.05, 0.2, 0.5)  # heights that hold 95, 80 and 50 % of a normal distribution of two numbers
DASHED = (0, (4, 3))
COLORS = {"likelihood": ORANGE, "prior": GREEN, "posterior": BLUE}


def weight_surface(
    surface: WeightSurface,
    part: Literal["posterior", "likelihood", "prior"] | None = None,
    *,
    truth: tuple[float, float] | None = None,
    ax: Any = None,
) -> Any:
    """One of the densities over two weights, relative to its highest point, with a dot at the estimate.

    Contours are where a normal distribution would hold 50, 80 and 95 %. Without a prior the likelihood is drawn.

    Examples
    --------
    >>> from suffice import datasets, linear, plots
    >>> data = datasets.three_points()
    >>> model = linear.BayesianLinearRegression.book(1.0, 4.0).fit(data.X, data.y)
    >>> ax = plots.weight_surface(linear.weight_surface(model))
    """
    check_record(surface, WeightSurface)
    part = part or ("likelihood" if surface.log_posterior is None else "posterior")
    check_choice("part", part, tuple(COLORS))
    log = getattr(surface, f"log_{part}")
    if log is None:
        raise InvalidInput(f"The model has no {part}; draw the likelihood.")
    height = np.exp(log - log.max())
    ax = axes(ax, x=surface.names[0], y=surface.names[1], size=(5.0, 4.6))
    for level in LEVELS:
        ax.contourf(
            surface.first, surface.second, height, levels=[level, np.inf], colors=[COLORS[part]], alpha=0.16
        )
    if np.ptp(height) > 0:
        ax.contour(surface.first, surface.second, height, levels=LEVELS, colors=COLORS[part], linewidths=1.2)
    ax.plot([], [], color=COLORS[part], label=part)
    ax.plot(*surface.peak, "o", color=INK, markersize=4, label="estimate")
    if truth is not None:
        ax.plot(*truth, "+", color=INK, markersize=11, markeredgewidth=1.8, label="truth")
    ax.set(xlim=(surface.first[0], surface.first[-1]), ylim=(surface.second[0], surface.second[-1]))
    legend(ax)
    return ax


def evidence_path(
    path: EvidencePath, part: Literal["evidence", "parameters"] = "evidence", *, ax: Any = None
) -> Any:
    """The log evidence along a parameter, or the well-determined parameters γ and the size 2αE_W of the weights.

    Along the prior precision, the two curves of "parameters" cross where the evidence is largest (PRML Fig. 3.16).

    Examples
    --------
    >>> from suffice import datasets, linear, plots
    >>> data = datasets.sinusoid_10()
    >>> model = linear.BayesianLinearRegression.book(5e-3, 11.1)
    >>> ax = plots.evidence_path(linear.evidence_path(model, data.X, data.y, "order", range(10)))
    """
    check_record(path, EvidencePath)
    check_choice("part", part, ("evidence", "parameters"))
    ax = axes(ax, x=path.param, y="log evidence" if part == "evidence" else "parameters")
    at = value_axis(ax, path.values)
    order = np.argsort(at, kind="stable")
    dots = {"marker": "o", "markersize": 4} if len(at) <= 30 else {}
    if part == "evidence":
        ax.plot(at[order], path.log_evidence[order], color=BLUE, linewidth=1.8, **dots)
        top = path.log_evidence[path.best_index]
        ax.plot(at[path.best_index], top, "o", color=ORANGE, markersize=8, label=f"best: {short(path.best)}")
    else:
        ax.plot(
            at[order], path.well_determined_parameters[order], color=BLUE, label="well determined, γ", **dots
        )
        ax.plot(at[order], path.size[order], color=ORANGE, label="size of the weights, 2αE_W", **dots)
        _crossing_in_view(ax, path)
    ax.axvline(at[path.best_index], color=MUTED, linewidth=1, linestyle=DASHED, zorder=1.5)
    legend(ax)
    return ax


def _crossing_in_view(ax: Any, path: EvidencePath) -> None:
    """The size of unshrunk weights may be thousands; the crossing lies below the number of parameters."""
    ax.set_ylim(0, 1.25 * float(np.max(path.well_determined_parameters)))


def _predicted(model: Any, grid: Any, noise: bool) -> Any:
    if "noise" in inspect.signature(model.predict_dist).parameters:
        return model.predict_dist(grid, noise=noise)
    if noise:
        return model.predict_dist(grid)
    raise Unsupported(
        f"{type(model).__name__} does not tell the uncertainty of its function from the noise; use noise=True."
    )


def error_bars(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    deviations: float = 1.0,
    noise: bool = True,
    as_printed: bool = False,
    ax: Any = None,
) -> Any:
    """The prediction along one column plus and minus so many standard deviations, as the texts draw it.

    PRML Fig. 3.8 shows those of an observation. FCML Fig. 2.17 shows those of the function alone, `noise=False`, and
    draws the variance in their place, which has the wrong unit; `as_printed=True` repeats that.

    Examples
    --------
    >>> from suffice import datasets, linear, plots
    >>> data = datasets.olympic_100m_men()
    >>> model = linear.LinearRegression.book("fcml").fit(data.X, data.y)
    >>> ax = plots.error_bars(model, data.X, data.y, noise=False)
    """
    if as_array(X).shape[1] != 1:
        raise InvalidInput(f"error_bars draws along one column; X has {as_array(X).shape[1]}.")
    width = check_number("deviations", deviations, low=0, strict=True)
    at, grid = grid_along(X, 0)
    d = _predicted(model, grid, noise)
    half = width * (d.var if as_printed else d.std)
    ax = axes(ax, x=column_names(X)[0], y=series_name(y, "y"))
    what = "variance" if as_printed else "standard deviation" + ("s" if width != 1 else "")
    label = f"± {width:g} {what} of {'an observation' if noise else 'the function'}"
    ax.fill_between(at, d.mean - half, d.mean + half, color=BLUE, alpha=0.2, linewidth=0, label=label)
    ax.plot(at, d.mean, color=BLUE, linewidth=1.8, label="mean")
    if y is not None:
        look = {"s": 22, "color": INK, "linewidths": 0.5, "edgecolors": "white", "zorder": 3}
        ax.scatter(as_array(X)[:, 0], np.asarray(y, dtype=float), label="observed", **look)
    ax.set_xlim(at[0], at[-1])
    legend(ax)
    return ax
