"""What a model predicts: curves with their bands, predictions against observations, residuals."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.linear import Residuals
from suffice.plots._inputs import as_array, column_index, column_names, grid_along, series_name
from suffice.plots._style import BLUE, INK, MUTED, ORANGE, PALE, axes, legend

RASTER_ABOVE = 3000


def predictive(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    level: float = 0.95,
    feature: int | str | None = None,
    ax: Any = None,
) -> Any:
    """The predictive distribution of a fitted model.

    One column: the mean along it, the central interval of the function where the model knows it, that of
    observations, and `y`. Several columns: `y` against the predictions, each with its interval; or, with
    `feature`, the curve along that column while the others stay at their medians.

    Examples
    --------
    >>> from suffice import datasets, linear, plots
    >>> data = datasets.olympic_100m_men()
    >>> ax = plots.predictive(linear.LinearRegression().fit(data.X, data.y), data.X, data.y)
    """
    if feature is None and as_array(X).shape[1] > 1:
        if y is None:
            raise InvalidInput("With several columns, give y to compare with, or feature= to draw along.")
        d = model.predict_dist(X)
        return agreement(y, d.mean, *d.interval(level), level=level, ax=ax)
    column = column_index(X, feature or 0)
    ax = axes(ax, x=column_names(X)[column], y=series_name(y, "y"))
    _bands(ax, model, *grid_along(X, column), level)
    if y is not None and as_array(X).shape[1] == 1:
        _dots(ax, as_array(X)[:, column], np.asarray(y, dtype=float), color=INK, label="observed")
    legend(ax)
    return ax


def _bands(ax: Any, model: Any, at: np.ndarray, grid: Any, level: float) -> None:
    whole = model.predict_dist(grid)
    percent = f"{100 * level:g} %"
    low, high = whole.interval(level)
    ax.fill_between(at, low, high, color=BLUE, alpha=0.13, linewidth=0, label=f"{percent} of observations")
    if "noise" in inspect.signature(model.predict_dist).parameters:
        low, high = model.predict_dist(grid, noise=False).interval(level)
        ax.fill_between(at, low, high, color=BLUE, alpha=0.28, linewidth=0, label=f"{percent} for the curve")
    ax.plot(at, whole.mean, color=BLUE, linewidth=1.8, label="mean")
    ax.set_xlim(at[0], at[-1])


def agreement(
    observed: Any, predicted: Any, low: Any = None, high: Any = None, *, level: float = 0.95, ax: Any = None
) -> Any:
    """Observations against predictions; a dot off its bar is an observation outside its interval.

    Examples
    --------
    >>> from suffice import plots
    >>> ax = plots.agreement([1.0, 2.0, 4.0], [1.1, 2.2, 2.9], [0.6, 1.7, 2.4], [1.6, 2.7, 3.4])
    """
    y, mean = np.asarray(observed, dtype=float), np.asarray(predicted, dtype=float)
    ax = axes(ax, x="predicted", y="observed " + series_name(observed, ""), size=(5.0, 4.6))
    if low is None or high is None:
        _dots(ax, mean, y, color=BLUE)
    else:
        low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
        many, out = len(y) > RASTER_ABOVE, (y < low) | (y > high)
        label = f"{100 * level:g} % interval"
        ax.vlines(mean, low, high, color=PALE, linewidth=_bar_width(len(y)), rasterized=many, label=label)
        _dots(ax, mean[~out], y[~out], len(y), color=BLUE, label="inside")
        _dots(ax, mean[out], y[out], len(y), color=ORANGE, label="outside")
    ends = [mean.min(), mean.max()]
    ax.plot(ends, ends, color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=2.5)
    legend(ax)
    return ax


def residuals(
    observed: Any, predicted: Any = None, *, against: Any = None, name: str = "attribute", ax: Any = None
) -> Any:
    """What is left after the prediction, against it or an attribute; a pattern is something not yet explained.

    Parameters
    ----------
    observed
        Targets; or a record from `suffice.linear.residuals`, which holds the predictions too.
    predicted
        The prediction of each target.
    against
        What to draw along in place of the prediction: a number for each row, of a column that the model knows or not.
    name
        Of what `against` holds.

    Examples
    --------
    >>> from suffice import datasets, evaluation, linear, plots
    >>> data = datasets.olympic_100m_men()
    >>> result = evaluation.cross_validate(linear.LinearRegression(), data.X, data.y)
    >>> ax = plots.residuals(data.y, result.predictions)
    >>> ax = plots.residuals(data.y, result.predictions, against=data.X[:, 0], name="year")
    """
    mean, rest = _left_over(observed, predicted)
    if against is not None:
        mean = np.asarray(against, dtype=float).ravel()
        if len(mean) != len(rest):
            raise InvalidInput(f"against must have one number per row, {len(rest)}; got {len(mean)}.")
    ax = axes(ax, x="predicted" if against is None else name, y="observed − predicted", size=(5.0, 4.6))
    ax.axhline(0, color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=1.5)
    _dots(ax, mean, rest, color=BLUE)
    return ax


def _left_over(observed: Any, predicted: Any) -> tuple[np.ndarray, np.ndarray]:
    """Predictions and residuals, from a record or from two series."""
    if isinstance(observed, Residuals):
        if predicted is not None:
            raise InvalidInput("A record of residuals holds its predictions; leave out predicted.")
        return observed.fitted, observed.raw
    if predicted is None:
        raise InvalidInput("residuals needs predicted, or a record from suffice.linear.residuals alone.")
    y, mean = np.asarray(observed, dtype=float), np.asarray(predicted, dtype=float)
    return mean, y - mean


def sampled_functions(
    model: Any,
    X: Any,
    n: int = 20,
    *,
    y: Any = None,
    feature: int | str = 0,
    random_state: Any = None,
    ax: Any = None,
) -> Any:
    """Regression functions drawn from a model: its prior before `fit`, its posterior after.

    Examples
    --------
    >>> from suffice import datasets, linear, plots
    >>> data = datasets.olympic_100m_men()
    >>> model = linear.BayesianLinearRegression().fit(data.X, data.y)
    >>> ax = plots.sampled_functions(model, data.X, 10, y=data.y, random_state=0)
    """
    cells, column = as_array(X), column_index(X, feature)
    ax = axes(ax, x=column_names(X)[column], y=series_name(y, "y"))
    at, grid = grid_along(X, column)
    values = model.sample_functions(n, random_state, n_features=cells.shape[1])(np.asarray(grid))
    lines = ax.plot(at, values.T, color=BLUE, linewidth=1, alpha=max(0.15, min(0.6, 8 / n)))
    lines[0].set_label(f"{n} sampled functions")
    if y is not None:
        _dots(ax, cells[:, column], np.asarray(y, dtype=float), color=INK, label="observed")
    ax.set_xlim(at[0], at[-1])
    legend(ax)
    return ax


# -- dots and bars that stay readable for any number of rows -------------------------------------------
def _dots(
    ax: Any, x: np.ndarray, y: np.ndarray, n: int | None = None, *, color: str, label: str | None = None
) -> None:
    """Dots sized for `n` of them in the figure."""
    n = len(x) if n is None else n
    size, alpha = (26.0, 0.9) if n <= 60 else (15.0, 0.7) if n <= 1000 else (5.0, 0.4)
    edge = 0.5 if n <= 1000 else 0.0
    look = {"s": size, "color": color, "alpha": alpha, "linewidths": edge, "edgecolors": "white", "zorder": 3}
    ax.scatter(x, y, label=label, rasterized=n > RASTER_ABOVE, **look)


def _bar_width(n: int) -> float:
    return 4.0 if n <= 60 else 2.0 if n <= 1000 else 0.8
