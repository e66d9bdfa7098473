"""Fold by fold: which rows each trains on and tests, and what two layers of folds found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import check_number
from suffice.baselines import MeanRegressor
from suffice.evaluation import TwoLayer
from suffice.evaluation._levels.splits import make_folds
from suffice.plots._labels import (
    BACKING,
    LETTER,
    LINE,
    cut,
    finite,
    height,
    short,
    spans_decades,
    spread,
    width,
)
from suffice.plots._style import BLUE, INK, MUTED, NORMAL, ORANGE, RULE, axes, legend, note_at, plain
from suffice.statistics.folds import Folds

ROW = 0.6  # inches for one model
TINY = 7.5
ENOUGH = 100_000  # columns of a picture; of more rows every second, third, … is drawn
MANY = 12  # more folds are not named one by one
ROLES = {"left out": RULE, "training": "#9cc9e3", "test": ORANGE, "training and test": INK}


def two_layer(result: TwoLayer, *, ax: Any = None) -> Any:
    """The loss of each model in each outer fold, their mean, and what the inner layer chose.

    Thin lines join the losses of one fold, numbered at the top, from model to model: where they run parallel, the
    models differ by the same amount in every fold. Under each model stand the parameters of the folds in turn, or
    once if all agree. The dashed line is the mean of the baseline.

    Examples
    --------
    >>> from suffice import datasets, evaluation, linear, plots
    >>> data = datasets.diabetes()
    >>> models = {"ols": linear.LinearRegression(), "ridge": (linear.Ridge(), {"alpha": [1, 10, 100]})}
    >>> ax = plots.two_layer(evaluation.two_layer(models, data.X, data.y, outer=5, inner=5))
    """
    names = list(result.names)
    losses = finite([result.errors[name] for name in names])  # (models, folds)
    size = (6.4, 1.3 + ROW * max(len(names), 2))
    ax = axes(ax, x=f"{result.loss} loss of each outer fold", grid="x", size=size)
    if spans_decades(losses) and np.nanmin(losses) > 0:
        ax.set_xscale("log")
        ax.minorticks_off()
    _folds(ax, losses)
    for i, name in enumerate(names):
        _model(ax, i, losses[i], result.estimates[name], MUTED if name == result.baseline else BLUE)
    ax.axvline(result.estimates[result.baseline], color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=1.5)
    ax.set_yticks(range(len(names)), [cut(name, 26) for name in names], color=INK, fontsize=NORMAL)
    ax.set_ylim(len(names) - 0.35, -0.65)
    if height(ax) > 2.6 * LINE * TINY * len(names):
        _number_folds(ax, losses[0])
        for i, name in enumerate(names):
            _chosen(ax, i, choices(result.chosen[name]))
    legend(ax)
    return ax


def splits(cv: Any, X: Any, y: Any = None, groups: Any = None, *, most: int = 40, ax: Any = None) -> Any:
    """Which rows each fold trains on, tests and leaves out; rows run to the right, folds down.

    `cv` is a number of folds, a splitter, or pairs of row numbers; only the first `most` folds are drawn. Where
    there are more rows than pixels, their colors mix.

    Examples
    --------
    >>> from suffice import plots
    >>> from suffice.evaluation import Consecutive
    >>> ax = plots.splits(Consecutive(4, padding=2), range(40))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['left out', 'training', 'test']
    """
    folds = make_folds(cv, MeanRegressor(), X, y, groups)
    shown = min(len(folds), int(check_number("most", most, low=1)))
    codes = _codes(folds, shown, X.shape[0] if hasattr(X, "shape") else len(X))
    some = "" if shown == len(folds) else f", the first {shown} of {len(folds)}"
    ax = axes(ax, x="row", y="fold" + some, size=(6.4, min(3.9, 1.1 + 0.26 * max(shown, 3))))
    ax.grid(False)
    thin = 1 + codes.shape[1] // ENOUGH
    ax.imshow(
        _colors()[codes[:, ::thin]], aspect="auto", extent=(-0.5, codes.shape[1] - 0.5, shown - 0.5, -0.5)
    )
    for edge in np.arange(1, shown) - 0.5:
        ax.axhline(edge, color="white", linewidth=min(3.0, 60 / shown))
    for code in np.unique(codes):
        ax.plot([], [], "s", color=list(ROLES.values())[code], markersize=8, label=list(ROLES)[code])
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_yticks(range(0, shown, max(1, shown // 10)))
    legend(ax)
    return ax


# -- two layers ----------------------------------------------------------------------------------------
def choices(parameters: Sequence[Mapping[str, Any]]) -> str:
    """Each parameter with its value if all folds agree, else with those of the folds in turn, or their counts."""
    names = dict.fromkeys(name for chosen in parameters for name in chosen)
    return "; ".join(name.split("__")[-1] + _values(name, parameters) for name in names)


def _values(name: str, parameters: Sequence[Mapping[str, Any]]) -> str:
    values = [short(chosen[name]) if name in chosen else "–" for chosen in parameters]
    if len(set(values)) == 1:
        return f" = {values[0]}"
    if len(values) <= MANY:
        return ": " + " ".join(values)
    return ": " + ", ".join(f"{value} ({n}×)" for value, n in Counter(values).most_common())


def _folds(ax: Any, losses: np.ndarray) -> None:
    """A thin line for each fold through its losses, from model to model."""
    alpha = max(0.06, min(0.35, 5 / losses.shape[1]))
    ax.plot(losses, np.arange(len(losses)), color=MUTED, linewidth=0.7, alpha=alpha)


def _model(ax: Any, row: int, losses: np.ndarray, mean: float, color: str) -> None:
    """Dots for the folds and a bar for their mean; the first model's are explained."""
    words = ("one fold", "mean, weighted by size") if row == 0 else (None, None)
    ax.plot(
        losses,
        np.full(len(losses), row),
        "o",
        color=color,
        alpha=0.6,
        markersize=4.5,
        label=words[0],
        zorder=3,
    )
    ax.plot(mean, row, "|", color=color, markersize=17, markeredgewidth=2.6, label=words[1], zorder=4)


def _number_folds(ax: Any, losses: np.ndarray) -> None:
    """The number of each fold above the dots of the first model."""
    folds = np.flatnonzero(np.isfinite(losses))
    if not 0 < len(folds) <= MANY:
        return
    ax.get_xlim()
    along = (
        width(ax)
        * ax.transAxes.inverted().transform([ax.transData.transform((losses[k], 0)) for k in folds])[:, 0]
    )
    moved = spread(along, 1.5 * TINY, 0.0, width(ax)) - along
    for k, shift in zip(folds, moved, strict=True):
        _small(ax, str(k), (losses[k], 0.0), (float(shift), 12), ha="center")


def _chosen(ax: Any, row: int, words: str) -> None:
    """What was chosen, in small letters under a row of dots."""
    words = plain(words, int(1.12 * width(ax) / (LETTER * TINY)))
    _small(ax, words, (0, row), (1, -13), xycoords=ax.get_yaxis_transform(), bbox=BACKING)


def _small(ax: Any, words: str, at: tuple[float, float], offset: tuple[float, float], **options: Any) -> None:
    note_at(ax, words, at, offset, va="center", fontsize=TINY, zorder=5, **options)


# -- splits --------------------------------------------------------------------------------------------
def _codes(folds: Folds, shown: int, n: int) -> np.ndarray:
    """The role of each row in each fold: 1 trains, 2 is tested, 3 both, 0 neither."""
    codes = np.zeros((shown, n), dtype=np.uint8)
    for i in range(shown):
        codes[i, folds.train(i)] = 1
        codes[i, folds.test(i)] += 2
    return codes


def _colors() -> np.ndarray:
    from matplotlib.colors import to_rgb

    return np.array([np.round(255 * np.array(to_rgb(color))) for color in ROLES.values()], dtype=np.uint8)
