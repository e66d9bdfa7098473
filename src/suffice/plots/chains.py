"""Draws of a sampler: traces, ranks and autocorrelation by chain, pairs of coordinates.

Every function draws a `Samples`; take `.marginal([...])` of one with many coordinates.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.inference import Samples, diagnostics
from suffice.plots._panels import panels, smooth, some
from suffice.plots._several import check_record
from suffice.plots._style import BLUE, INK, MUTED, PALE, SMALL, axes, legend, plain
from suffice.plots.fits import DASHED, HUES

MOST, MOST_PAIRS = 12, 8  # coordinates in one figure
POINTS = 1000  # of one chain in a trace, and of all chains in a scatter
GRID = 60
SHARES = (0.95, 0.8, 0.5)  # of the probability inside each contour
TWO_SIGMA = 1.96


def chain_trace(samples: Samples, *, ax: Any = None) -> np.ndarray:
    """Each coordinate along each chain, and beside it the density of each chain's draws: axes (D, 2).

    Chains that have forgotten their starts look like each other, and from left to right the same.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import plots
    >>> from suffice.inference import Samples
    >>> draws = np.random.default_rng(0).normal(size=(4, 300, 2))
    >>> plots.chain_trace(Samples(draws, ("slope", "intercept"))).shape
    (2, 2)
    """
    names = drawn_names(samples, MOST, 16)
    size = (7.2, 0.7 + 1.5 * samples.dim)
    grid = panels(ax, samples.dim, 2, size, sharey="row", gridspec_kw={"width_ratios": [4, 1]})
    at = some(np.arange(samples.n_draws), POINTS)
    for j, (left, right) in enumerate(grid):
        last = j == samples.dim - 1
        axes(left, x="draw" if last else "", y=names[j])
        axes(right, x="density" if last else "", grid="y")
        for k, (chain, color) in enumerate(
            zip(samples.draws[:, :, j], _colors(samples.n_chains), strict=True)
        ):
            label = f"chain {k}" if j == 0 and samples.n_chains <= 6 else None
            left.plot(at, chain[at], color=color, linewidth=0.7, alpha=0.8, label=label)
            _turned_density(right, chain, color)
        left.set_xlim(0, max(samples.n_draws - 1, 1))
        left.tick_params(labelbottom=last)
        right.set_xlim(left=0)
        right.tick_params(labelbottom=False, labelleft=False)
    grid[0, 0].figure.align_ylabels(grid[:, 0])
    legend(grid[0, 0])
    return grid


def chain_ranks(samples: Samples, *, bins: int = 20, ax: Any = None) -> np.ndarray:
    """Ranks of each chain's draws among all draws, in bins, with the band where equal chains have 95 % of the counts.

    The band is that of as many independent draws as a chain is worth by itself; where it fills a row, the chains are
    too short to tell. A single chain is shown as its two halves.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import plots
    >>> from suffice.inference import Samples
    >>> draws = np.random.default_rng(0).normal(size=(4, 300, 2))
    >>> plots.chain_ranks(Samples(draws)).shape
    (1, 2)
    """
    names = drawn_names(samples, MOST)
    half = samples.n_draws // 2
    single = samples.n_chains == 1 and half > 0
    draws = np.concatenate([samples.draws[:, :half], samples.draws[:, -half:]]) if single else samples.draws
    counts = diagnostics.each(lambda x: diagnostics.rank_counts(x, bins), draws)  # (D, chain, bin)
    even = draws.shape[1] / bins
    words = ["first half", "second half"] if single else [f"chain {k}" for k in range(len(draws))]
    grid, shown = _tiled(ax, samples.dim, (2.9, 0.9 + 0.42 * len(draws)))
    for j, panel in enumerate(shown):
        axes(panel, x="rank" if j + grid.shape[1] >= samples.dim else "", grid="x")
        panel.set_title(plain(names[j]), loc="left", fontsize=SMALL, color=INK)
        _rank_rows(panel, counts[j] / even, _band(draws[:, :, j], bins))
        panel.set_yticks(np.arange(len(draws)) + 0.4, words if j % grid.shape[1] == 0 else [""] * len(draws))
        panel.set_xticks([0, 0.5, 1], ["lowest", "", "highest"])
    return grid


def autocorrelation(samples: Samples, *, max_lag: int | None = None, ax: Any = None) -> np.ndarray:
    """Correlation of draws that are some steps apart, averaged over chains; independent draws stay in the band.

    Up to 40 lags are drawn unless `max_lag` says otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import plots
    >>> from suffice.inference import Samples
    >>> draws = np.random.default_rng(0).normal(size=(4, 300, 2))
    >>> plots.autocorrelation(Samples(draws), max_lag=20).shape
    (1, 2)
    """
    names = drawn_names(samples, MOST)
    found = samples.autocorrelation(min(40, samples.n_draws - 1) if max_lag is None else max_lag)
    band = TWO_SIGMA / np.sqrt(samples.n_chains * samples.n_draws)
    grid, shown = _tiled(ax, samples.dim, (2.9, 2.1))
    for j, panel in enumerate(shown):
        first = j % grid.shape[1] == 0
        axes(
            panel,
            x="lag" if j + grid.shape[1] >= samples.dim else "",
            y="correlation" if first else "",
            grid="y",
        )
        panel.axhspan(-band, band, color=PALE, linewidth=0)
        panel.vlines(np.arange(found.shape[1]), 0, found[j], color=BLUE, linewidth=1.6)
        panel.axhline(0, color=MUTED, linewidth=0.8)
        panel.set(xlim=(-1, found.shape[1]), ylim=(min(-0.25, np.nanmin(found, initial=0.0) - 0.05), 1.05))
        panel.tick_params(labelleft=first)
        title = (
            f"{names[j]}: ESS {samples.ess[j]:.0f}"
            if np.isfinite(found[j]).all()
            else f"{names[j]}: a chain is stuck"
        )
        panel.set_title(plain(title, 60), loc="left", fontsize=SMALL, color=INK)
    return grid


def pair_plot(samples: Samples, *, ax: Any = None) -> np.ndarray:
    """Every coordinate against every other, and each by itself: axes (D, D), of which the lower triangle is used.

    Contours hold 50, 80 and 95 % of the draws; below the curves on the diagonal, 95 % are shaded.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import plots
    >>> from suffice.inference import Samples
    >>> draws = np.random.default_rng(0).normal(size=(4, 300, 2))
    >>> plots.pair_plot(Samples(draws, ("slope", "intercept"))).shape
    (2, 2)
    """
    names = drawn_names(samples, MOST_PAIRS, 14)
    side = 1.2 + 1.6 * samples.dim if samples.dim < 6 else 1.2 + 1.3 * samples.dim
    grid = panels(ax, samples.dim, samples.dim, (side, side), sharex="col")
    low, high = samples.interval(0.95)
    for (i, j), panel in np.ndenumerate(grid):
        bottom, first = i == samples.dim - 1, j == 0
        axes(panel, x=names[j] if bottom else "", y=names[i] if first and i else "")
        panel.tick_params(labelbottom=bottom, labelleft=first and i > 0)
        if j > i:
            panel.set_axis_off()
        elif i == j:
            panel.grid(False, axis="y")
            _one_coordinate(panel, samples.flat[:, i], float(low[i]), float(high[i]))
        else:
            _two_coordinates(panel, samples.flat[:, [j, i]])
    return grid


# -- parts -----------------------------------------------------------------------------------------------
def drawn_names(samples: Any, most: int, letters: int = 22) -> list[str]:
    """Names of the coordinates without their middles, if there are not too many of them for one figure."""
    check_record(samples, Samples, "Samples")
    if samples.dim > most:
        raise InvalidInput(
            f"This figure draws at most {most} coordinates; got {samples.dim}. Take samples.marginal([...]) of some."
        )
    half = letters // 2
    return [n if len(n) <= letters else f"{n[: half - 1]}…{n[-half:]}" for n in samples.names or ()]


def _colors(n: int) -> list[str]:
    return [HUES[k % len(HUES)] for k in range(n)]


def _tiled(ax: Any, n: int, size: tuple[float, float]) -> tuple[np.ndarray, list[Any]]:
    """Axes for n coordinates, at most three beside each other; what is left over is empty."""
    columns = min(n, 3)
    rows = -(-n // columns)
    grid = panels(ax, rows, columns, (0.8 + size[0] * columns, 0.4 + size[1] * rows))
    for empty in grid.flat[n:]:
        empty.set_axis_off()
    return grid, list(grid.flat[:n])


def _turned_density(panel: Any, chain: np.ndarray, color: str) -> None:
    """The density of a chain, turned; a chain that never moved has none."""
    room = 0.1 * np.ptp(chain)
    at = np.linspace(chain.min() - room, chain.max() + room, 201)
    height = smooth(chain, at)
    if height is not None:
        panel.plot(height, at, color=color, linewidth=1.2)


def _band(chains: np.ndarray, bins: int) -> float:
    """Half the width of the band, in shares of the even count: ranks of one chain are drawn from those of all."""
    each_worth = np.median(diagnostics.ess(chains[:, None, :]))
    return TWO_SIGMA * np.sqrt((bins - 1) * (1 - 1 / len(chains)) / each_worth) if each_worth > 0 else np.inf


def _rank_rows(panel: Any, shares: np.ndarray, band: float) -> None:
    """A row of bars for each chain; 0.4 is the height of an even count."""
    bins = shares.shape[1]
    middle = (np.arange(bins) + 0.5) / bins
    for k, (row, color) in enumerate(zip(shares, _colors(len(shares)), strict=True)):
        low, high = k + 0.4 * max(0, 1 - band), k + 0.4 * min(1 + band, 2.4)
        panel.axhspan(low, high, color=PALE, linewidth=0)
        panel.hlines([low, high], 0, 1, color=MUTED, linewidth=0.7)
        panel.bar(middle, 0.4 * np.minimum(row, 2.4), 0.86 / bins, bottom=k, color=color, alpha=0.75)
        panel.hlines(k + 0.4, 0, 1, color=INK, linewidth=0.7, linestyle=DASHED)
    panel.set(xlim=(0, 1), ylim=(-0.05, len(shares)))


def _one_coordinate(panel: Any, draws: np.ndarray, low: float, high: float) -> None:
    room = 0.1 * np.ptp(draws)
    at = np.linspace(draws.min() - room, draws.max() + room, 201)
    height = smooth(draws, at)
    if height is None:
        panel.axvline(draws[0], color=BLUE, linewidth=1.6)
        return
    inside = (at >= low) & (at <= high)
    panel.fill_between(at[inside], height[inside], color=BLUE, alpha=0.2, linewidth=0)
    panel.plot(at, height, color=BLUE, linewidth=1.5)
    panel.set_ylim(bottom=0)


def _two_coordinates(panel: Any, draws: np.ndarray) -> None:
    panel.plot(*some(draws, POINTS).T, ".", color=MUTED, markersize=2, alpha=0.35, rasterized=True)
    ends = draws.min(axis=0), draws.max(axis=0)
    x, y = (np.linspace(a - 0.1 * (b - a), b + 0.1 * (b - a), GRID) for a, b in zip(*ends, strict=True))
    height = smooth(draws, np.stack(np.meshgrid(x, y)).reshape(2, -1))
    inside = smooth(draws, some(draws, POINTS).T)
    if height is not None and inside is not None:
        levels = np.unique(np.quantile(inside, [1 - share for share in SHARES]))
        panel.contour(x, y, height.reshape(GRID, GRID), levels=levels, colors=BLUE, linewidths=1.0)
