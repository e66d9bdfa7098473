"""Single steps of a random walk over the density that it explores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.inference import Samples
from suffice.plots._style import BLUE, GREEN, INK, ORANGE, axes, legend
from suffice.plots.chains import GRID, MOST, drawn_names
from suffice.plots.fits import DASHED


def metropolis_steps(
    samples: Samples,
    log_density: Callable[[np.ndarray], Any] | None = None,
    *,
    n: int = 10,
    chain: int = 0,
    vectorized: bool = False,
    ax: Any = None,
) -> Any:
    """The first steps of a chain: proposals that were taken solid, others dashed (FCML Fig. 4.11).

    Parameters
    ----------
    samples
        Of two coordinates, from `metropolis_hastings(..., keep_proposals=True)`.
    log_density
        Drawn as contours, if given: the function that the sampler was given.
    n
        How many steps.
    vectorized
        Whether `log_density` takes points in rows.

    Examples
    --------
    >>> from suffice import plots
    >>> from suffice.inference import Samples
    >>> walk = [[[0.0, 0.0], [1.0, 0.5], [1.0, 0.5]]]
    >>> tried = [[[0.0, 0.0], [1.0, 0.5], [3.0, 0.0]]]
    >>> samples = Samples(walk, accepted=[[True, True, False]], proposed=tried)
    >>> ax = plots.metropolis_steps(samples, lambda x: -0.5 * x @ x)
    """
    here, there, took = _steps(samples, n, chain)
    ax = axes(ax, x=samples.names[0], y=samples.names[1], size=(5.4, 4.8))  # type: ignore[index]
    ax.grid(False)
    for taken, color, stroke, mark, word in (
        (True, BLUE, "-", "o", "taken"),
        (False, ORANGE, DASHED, "x", "not taken"),
    ):
        a, b = here[took == taken], there[took == taken]
        lines = np.stack([a, b, np.full_like(a, np.nan)], axis=1).reshape(-1, 2)
        ax.plot(*lines.T, color=color, linestyle=stroke, linewidth=1.4, zorder=3)
        ax.plot(*b.T, mark, color=color, markersize=5, linestyle="none", zorder=4, label=f"{len(a)} {word}")
    ax.plot(*here[0], "s", color=INK, markersize=6, zorder=5, label="start")
    if log_density is not None:
        ax.plot([], [], color=GREEN, linewidth=0.9, label="density")
        _height_lines(ax, log_density, samples, np.concatenate([here, there]), vectorized)
    legend(ax)
    return ax


def _steps(samples: Samples, n: int, chain: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where each step began, where it would have led, and whether it was taken."""
    drawn_names(samples, MOST)  # refuses what is no Samples
    if samples.dim != 2:
        raise InvalidInput(
            f"Steps are drawn over two coordinates; got {samples.dim}. Take .marginal([i, j])."
        )
    if samples.proposed is None or samples.accepted is None:
        raise InvalidInput("These draws do not tell what was proposed; sample with keep_proposals=True.")
    _check_integer("chain", chain, 0, samples.n_chains - 1)
    _check_integer("n", n, 1, None)
    if samples.n_draws < 2:
        raise InvalidInput("A step leads from one draw to the next; there is only one draw.")
    walk, took = samples.draws[chain, : n + 1], samples.accepted[chain, 1 : n + 1]
    there = samples.proposed[chain, 1 : n + 1]
    if not np.array_equal(walk[1:], np.where(took[:, None], there, walk[:-1])):
        raise InvalidInput("Draws between these were left out; single steps need thin=1.")
    return walk[:-1], there, took


def _height_lines(
    ax: Any, log_density: Callable, samples: Samples, seen: np.ndarray, vectorized: bool
) -> None:
    """Contours where a normal density would hold 10, 50, 80, 95 and 99 %, over the draws and the steps."""
    every = np.concatenate([seen, *samples.quantiles([[0.002], [0.998]])])
    low, high = every.min(axis=0), every.max(axis=0)
    room = 0.08 * (high - low)
    x, y = (np.linspace(a - r, b + r, GRID) for a, b, r in zip(low, high, room, strict=True))
    rows = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    values = log_density(rows) if vectorized else [log_density(row) for row in rows]
    height = np.asarray(values, dtype=float).reshape(GRID, GRID)
    height = np.exp(np.where(np.isnan(height), -np.inf, height) - np.nanmax(height))
    ax.contour(
        x, y, height, levels=[0.01, 0.05, 0.2, 0.5, 0.9], colors=GREEN, linewidths=0.9, alpha=0.8, zorder=1
    )


def _check_integer(name: str, value: Any, low: int, high: int | None) -> None:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < low or (high is not None and value > high):
        domain = f">= {low}" if high is None else f"from {low} to {high}"
        raise InvalidParameter(f"{name} must be an integer {domain}; got {value!r}.")
