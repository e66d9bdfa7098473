"""Many fits in one picture: weights along a penalty, functions learned from many data sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers, check_choice, check_number
from suffice.linear import CoefficientPath
from suffice.plots._labels import Curve, finite, name_ends, short, value_axis
from suffice.plots._style import BLUE, GREEN, INK, MUTED, ORANGE, axes, legend

HUES = (BLUE, ORANGE, GREEN, "#cc79a7", "#e69f00", "#56b4e9", INK)  # Okabe and Ito's
DASHED = (0, (4, 3))
STROKES = ("-", (0, (5, 2)), (0, (1.5, 1.5)))
RASTER_ABOVE = 500
LABELS = {
    "penalty": "",
    "parameters": "effective number of parameters γ",
    "budget": "Σ |w|, as a share of the largest",
}


def coefficient_path(
    alphas: Any,
    coefficients: Any = None,
    names: Sequence[Any] | None = None,
    *,
    against: Literal["penalty", "parameters", "budget"] = "penalty",
    chosen: float | None = None,
    most: int = 10,
    label: str | None = None,
    ax: Any = None,
) -> Any:
    """Weights as the penalty grows, one line per column; the `most` largest have a color and their name.

    Names stand at the end where the weights lie furthest apart, and the axis of the weights at the other.

    Parameters
    ----------
    alphas
        Penalties; or a record from `suffice.linear.coefficient_path`, which holds the weights and their names too.
    coefficients
        A row of weights for each penalty.
    names
        Of the columns; x0, x1, … without them.
    against
        "penalty"; for a record also "parameters", the effective number of parameters (PRML Fig. 3.17), or "budget",
        the size of all weights together, from none to the largest on the path.
    chosen
        A place on that axis to mark, such as `ValidationPath.best`.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import datasets, linear, plots
    >>> data, alphas = datasets.diabetes(), np.logspace(-1, 5, 40)
    >>> weights = [linear.Ridge(a).fit(data.X, data.y).coef_ for a in alphas]
    >>> ax = plots.coefficient_path(alphas, weights, data.feature_names, chosen=10.0)
    >>> path = linear.coefficient_path(linear.Ridge(), data.X, data.y, penalties=alphas)
    >>> plots.coefficient_path(path, against="parameters").get_xlabel()
    'effective number of parameters γ'
    """
    check_choice("against", against, tuple(LABELS))
    if isinstance(alphas, CoefficientPath):
        alphas, coefficients, names, label = _opened(alphas, against, coefficients, names, label)
    elif against != "penalty":
        raise InvalidInput(f"against={against!r} needs a record from suffice.linear.coefficient_path.")
    x, weights = _checked(alphas, coefficients)
    names = _names(names, weights.shape[1])
    _check_chosen(chosen, x)
    ax = axes(ax, x="penalty" if label is None else label, y="weight")
    ax.axhline(0, color=MUTED, linewidth=1, linestyle=DASHED, zorder=1.5)
    at = value_axis(ax, x.tolist()) if against == "penalty" else x
    order = np.argsort(at, kind="stable")
    at, weights = at[order], weights[order]
    large, small = _by_size(weights, int(check_number("most", most, low=1)))
    _pale(ax, at, weights[:, small], weights.shape[1])
    curves = [_line(ax, k, at, weights[:, j], names[j]) for k, j in enumerate(large)]
    side = _wider_end(weights[:, large])
    if side == "left":
        ax.yaxis.tick_right()
        ax.yaxis.set_label_position("right")
    if chosen is not None:
        ax.axvline(
            chosen, color=INK, linewidth=1, linestyle=DASHED, zorder=2, label=f"chosen: {short(chosen)}"
        )
    name_ends(ax, curves, side)
    legend(ax)
    return ax


def spaghetti(
    predictions: Any, x: Any, truth: Any = None, *, mean: bool = True, label: str = "x", ax: Any = None
) -> Any:
    """Functions learned from many data sets as thin lines, with their mean and the truth.

    How far the mean lies from the truth is the bias, how far the lines lie from their mean the variance.

    Parameters
    ----------
    predictions
        One row per data set and one column per point, as in `BiasVariance.predictions`; NaN are passed over.
    x
        The points, along one input.
    truth
        The true function at the same points.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import bases, datasets, linear, plots
    >>> x, model = np.linspace(0, 1, 50)[:, None], linear.LinearRegression(basis=bases.Polynomial(3))
    >>> draws = [datasets.sinusoid(20, 0.3, random_state=seed) for seed in range(30)]
    >>> predictions = [model.fit(d.X, d.y).predict(x) for d in draws]
    >>> ax = plots.spaghetti(predictions, x, np.sin(2 * np.pi * x))
    """
    at, values = _points("x", x), finite(as_numbers("predictions", predictions))
    if values.ndim != 2 or not values.size or values.shape[1:] != at.shape:
        raise InvalidInput(
            f"predictions must have a row per data set and a column for each of the {at.size} points of x; got "
            f"shape {values.shape}."
        )
    true = None if truth is None else _truth(truth, at)
    order = np.argsort(at, kind="stable")
    at, values = at[order], values[:, order]
    ax = axes(ax, x=label, y="prediction")
    _strands(ax, at, values)
    if mean:
        ax.plot(at, _average(values), color=ORANGE, linewidth=2.2, label="mean", zorder=3)
    if true is not None:
        ax.plot(at, true[order], color=INK, linewidth=1.6, linestyle=DASHED, label="truth", zorder=4)
    legend(ax)
    ax.get_legend().legend_handles[0].set_alpha(0.8)  # one line, as strong as many
    ax.margins(x=0.02)
    return ax


# -- checks --------------------------------------------------------------------------------------------
def _opened(
    path: CoefficientPath, against: str, coefficients: Any, names: Sequence[Any] | None, label: str | None
) -> tuple[Any, Any, Sequence[Any], str]:
    """Places on the axis, weights, names and label that a record holds; equal places as the penalty falls."""
    if coefficients is not None:
        raise InvalidInput("A record of a path holds its weights; leave out coefficients.")
    order = np.argsort(-path.penalties, kind="stable")
    return (
        _places(path, against)[order],
        path.coef[order],
        path.names if names is None else names,
        label if label is not None else LABELS[against] or path.parameter,
    )


def _places(path: CoefficientPath, against: str) -> np.ndarray:
    if against == "penalty":
        return path.penalties
    if against == "parameters":
        return path.effective_parameters
    size = np.abs(path.coef).sum(axis=1)
    return size / max(float(size.max()), np.finfo(float).tiny)


def _checked(alphas: Any, coefficients: Any) -> tuple[np.ndarray, np.ndarray]:
    if coefficients is None:
        raise InvalidInput(
            "coefficient_path needs coefficients, or a record from suffice.linear.coefficient_path alone."
        )
    x, weights = as_numbers("alphas", alphas), finite(as_numbers("coefficients", coefficients))
    if x.ndim != 1 or weights.ndim != 2 or len(x) != len(weights) or not weights.size:
        raise InvalidInput(
            f"coefficients must have a row for each of the {x.size} alphas and a column per weight; got shape "
            f"{weights.shape}."
        )
    if not np.isfinite(x).all():
        raise InvalidInput("alphas must be finite numbers; got NaN or infinity among them.")
    return x, weights


def _names(names: Sequence[Any] | None, n: int) -> list[str]:
    if names is None:
        return [f"x{j}" for j in range(n)]
    if len(names) != n:
        raise InvalidInput(f"names must be one per column of coefficients, {n}; got {len(names)}.")
    return [str(name) for name in names]


def _check_chosen(chosen: float | None, x: np.ndarray) -> None:
    if chosen is not None and not x.min() <= check_number("chosen", chosen) <= x.max():
        raise InvalidParameter(
            f"chosen must lie on the path, between {x.min():g} and {x.max():g}; got {chosen!r}."
        )


def _points(name: str, x: Any) -> np.ndarray:
    """The points of one input, also as a table of one column."""
    points = as_numbers(name, x)
    points = points[:, 0] if points.ndim == 2 and points.shape[1] == 1 else points
    if points.ndim != 1:
        raise InvalidInput(f"{name} must hold one number per point; got shape {points.shape}.")
    return points


def _truth(truth: Any, at: np.ndarray) -> np.ndarray:
    values = _points("truth", truth)
    if values.shape != at.shape:
        raise InvalidInput(f"truth must have a value for each of the {len(at)} points; got {len(values)}.")
    return values


# -- functions -----------------------------------------------------------------------------------------
def _strands(ax: Any, at: np.ndarray, values: np.ndarray) -> None:
    """A thin line for each row, through the points it has."""
    n = len(values)
    look = {
        "color": BLUE,
        "linewidth": 0.9,
        "alpha": min(0.6, max(0.12, 12 / n)),
        "rasterized": n > RASTER_ABOVE,
    }
    lines = [
        ax.plot(at[known], row[known], **look)[0]
        for row, known in zip(values, np.isfinite(values), strict=True)
    ]
    lines[0].set_label("1 data set" if n == 1 else f"{n} data sets")


def _average(values: np.ndarray) -> np.ndarray:
    """Of the known values at each point; NaN where there are none."""
    known = np.isfinite(values).sum(axis=0)
    return np.where(known > 0, np.nansum(values, axis=0) / np.maximum(known, 1), np.nan)


# -- weights -------------------------------------------------------------------------------------------
def _by_size(weights: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """The columns that grow largest anywhere on the path, and the others, each in order."""
    size = np.max(np.abs(weights), axis=0, initial=0, where=np.isfinite(weights))
    order = np.argsort(-size, kind="stable")
    return np.sort(order[:most]), np.sort(order[most:])


def _wider_end(weights: np.ndarray) -> Literal["left", "right"]:
    """Where the curves lie further apart."""
    first, last = (
        np.ptp(row[np.isfinite(row)]) if np.isfinite(row).any() else 0.0 for row in weights[[0, -1]]
    )
    return "left" if first > last else "right"


def _pale(ax: Any, at: np.ndarray, weights: np.ndarray, n: int) -> None:
    if weights.size:
        lines = ax.plot(at, weights, color=MUTED, linewidth=0.8, alpha=0.45)
        lines[0].set_label(f"the {weights.shape[1]} smaller of {n} weights")


def _line(ax: Any, k: int, at: np.ndarray, weights: np.ndarray, name: str) -> Curve:
    """The k-th line with a look of its own."""
    color, stroke = HUES[k % len(HUES)], STROKES[k // len(HUES) % len(STROKES)]
    dot = {"marker": "o", "markersize": 5} if len(at) == 1 else {}
    ax.plot(at, weights, color=color, linestyle=stroke, linewidth=1.6, zorder=3, **dot)
    return at, weights, name, color
