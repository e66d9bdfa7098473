"""Many results in order: methods over data sets (DTU Fig. 7.4), models between a baseline and a ceiling (Fig. 7.14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers, check_choice, did_you_mean
from suffice.evaluation.comparisons.practical import PracticalEquivalence
from suffice.evaluation.findings import number, words
from suffice.plots._labels import Curve, cut, name_ends, name_ticks
from suffice.plots._several import DASHED, STROKES, check_record, looks, rows_legend
from suffice.plots._style import BLUE, GREEN, INK, MUTED, ORANGE, axes, legend
from suffice.tables.frames import labels_of, library_frame

DOTTED, GREY = (0, (1, 2)), "#9aa5b4"


def sorted_methods(
    scores: Any, *, better: str = "higher", highlight: str | None = None, label: str = "score", ax: Any = None
) -> Any:
    """Methods over data sets: the data sets in order, the best method on top and first in the legend.

    `scores` is a table with a row per data set and a column per method, or a mapping from methods to their scores.
    Data sets are sorted by the mean over methods, or by the method to `highlight`, beside which the others turn grey.

    Examples
    --------
    >>> import pandas as pd
    >>> from suffice import plots
    >>> scores = pd.DataFrame({"tree": [0.8, 0.6, 0.9], "line": [0.7, 0.65, 0.8]}, index=["wine", "cars", "iris"])
    >>> ax = plots.sorted_methods(scores, label="accuracy")
    >>> [tick.get_text() for tick in ax.get_xticklabels()]
    ['iris', 'wine', 'cars']
    """
    check_choice("better", better, ("higher", "lower"))
    names, sets, values = _scores(scores)
    if highlight is not None and highlight not in names:
        raise InvalidParameter(
            f"highlight must be one of the methods; got {highlight!r}.{did_you_mean(str(highlight), names)}"
        )
    sign = -1 if better == "higher" else 1
    first = values.mean(axis=1) if highlight is None else values[:, names.index(highlight)]
    values = values[order := np.argsort(sign * first, kind="stable")]
    ax = axes(ax, x="data set", y=label)
    name_ticks(ax, [sets[i] for i in order])
    ranked = np.argsort(sign * values.mean(axis=0), kind="stable")
    for place, (j, look) in enumerate(zip(ranked, _looks(names, ranked, highlight), strict=True)):
        label = f"{cut(names[j], 28)}: {values[:, j].mean():.4g} on average"
        ax.plot(
            range(len(sets)),
            values[:, j],
            marker="o",
            label=label,
            **{"zorder": 9 - place / len(names)} | look,
        )
    rows_legend(ax)
    return ax


def baseline_ceiling(
    errors: Any | Mapping[str, Any],
    baseline: float,
    ceiling: float | None = None,
    *,
    label: str = "error rate",
    ax: Any = None,
) -> Any:
    """Errors of many models, sorted, between what costs nothing and the best to hope for.

    `errors` are numbers, or several lists of them by name, such as training and test errors. A `Measured` baseline or
    ceiling has its interval as a band.

    Examples
    --------
    >>> from suffice import plots
    >>> ax = plots.baseline_ceiling({"test": [0.3, 0.1, 0.2], "training": [0.2, 0.1, 0.1]}, baseline=0.5, ceiling=0.05)
    """
    named = dict(errors) if isinstance(errors, Mapping) else {"models": errors}
    if not named:
        raise InvalidInput("There are no errors to draw.")
    ax = axes(ax, x="model, from the best", y=label)
    curves: list[Curve] = []
    for (name, values), color in zip(named.items(), (BLUE, MUTED, GREEN, ORANGE) * len(named), strict=False):
        sorted_values = np.sort(_vector(str(name), values))
        at = np.arange(1, len(sorted_values) + 1, dtype=float)
        dots = {"marker": "o", "markersize": 3.5} if len(at) <= 40 else {}
        ax.plot(at, sorted_values, color=color, linewidth=1.8, **dots)
        curves.append((at, sorted_values, str(name), color))
    last = np.array([max(x[-1] for x, *_ in curves)])
    for value, name, color, dashes in (
        (baseline, "baseline", ORANGE, DASHED),
        (ceiling, "ceiling", GREEN, DOTTED),
    ):
        if value is not None:
            curves.append(_level(ax, last, value, name, color, dashes))
    ax.xaxis.get_major_locator().set_params(integer=True)
    name_ends(ax, curves)
    return ax


def practical_equivalence(found: PracticalEquivalence, *, ax: Any = None) -> Any:
    """The posterior density of a difference, with the probabilities of better, as good and worse.

    Examples
    --------
    >>> from suffice import evaluation, plots
    >>> found = evaluation.bayesian_correlated_t([-0.02, -0.03, 0.01, -0.04, -0.01], 1 / 5, names=("tree", "line"))
    >>> ax = plots.practical_equivalence(found)
    """
    check_record(found, PracticalEquivalence)
    if found.interval is None:
        raise InvalidInput("All differences are equal: the posterior has no density to draw.")
    ax = axes(
        ax,
        x=f"loss of {cut(found.names[0])} − loss of {cut(found.names[1])}",
        y="posterior density",
        grid="x",
    )
    ends = [float(found.posterior.quantile(p)) for p in (0.002, 0.998)]
    at = np.linspace(min(ends[0], -1.5 * found.rope), max(ends[1], 1.5 * found.rope), 401)
    at = np.union1d(at, [-found.rope, found.rope])
    height = np.asarray(found.posterior.prob(at))
    first, second = (cut(name) for name in found.names)
    regions = (
        (at <= -found.rope, BLUE, f"{first} better: {number(found.left)}"),
        (np.abs(at) <= found.rope, MUTED, f"equivalent: {number(found.within)}"),
        (at >= found.rope, ORANGE, f"{second} better: {number(found.right)}"),
    )
    for inside, color, label in regions:
        ax.fill_between(at, height, where=inside, color=color, alpha=0.35, linewidth=0, label=label)
    ax.plot(at, height, color=INK, linewidth=1.3)
    for edge in {-found.rope, found.rope}:
        ax.axvline(edge, color=MUTED, linewidth=1, linestyle=DASHED)
    ax.set_ylim(0, None)
    legend(ax)
    return ax


# -- strokes -------------------------------------------------------------------------------------------
def _looks(names: list[str], ranked: np.ndarray, highlight: str | None) -> list[dict[str, Any]]:
    """Colors from the best method to the worst; or one method in color and the others grey, in turn dashed."""
    strong, faint = {"linewidth": 1.8, "markersize": 5}, {"linewidth": 1.1, "markersize": 3, "color": GREY}
    if highlight is None:
        return [strong | look for look in looks(len(names))]
    others = [j for j in ranked if names[j] != highlight]
    return [
        strong | {"color": BLUE, "zorder": 10}
        if names[j] == highlight
        else faint | {"linestyle": STROKES[others.index(j) % len(STROKES)]}
        for j in ranked
    ]


# -- inputs --------------------------------------------------------------------------------------------
def _scores(scores: Any) -> tuple[list[str], list[str], np.ndarray]:
    """Names of the methods and of the data sets, and a number for each pair."""
    if isinstance(scores, Mapping):
        names, columns = [str(name) for name in scores], [_vector(str(n), v) for n, v in scores.items()]
        if len({len(c) for c in columns}) != 1:
            raise InvalidInput(
                "scores needs one value per data set for every method, and at least one method."
            )
        values = np.column_stack(columns)
    else:
        values = as_numbers("scores", scores)
        if values.ndim != 2 or values.size == 0:
            raise InvalidInput(f"scores must be a table, data sets × methods; got shape {values.shape}.")
        names = [str(name) for name in labels_of(scores) or range(values.shape[1])]
    if not np.isfinite(values).all():
        raise InvalidInput("scores must be finite; drop data sets on which a method failed.")
    frame = library_frame(scores)
    rows = range(1, len(values) + 1) if frame is None or frame.index is None else frame.index
    return names, [str(i) for i in rows], values


def _vector(name: str, values: Any) -> np.ndarray:
    array = as_numbers(name, values)
    if array.ndim != 1 or array.size == 0 or not np.isfinite(array).all():
        raise InvalidInput(f"{name!r} must hold finite numbers in a row; got shape {array.shape}.")
    return array


def _level(ax: Any, at: np.ndarray, value: float, name: str, color: str, dashes: Any) -> Curve:
    """A horizontal line, with a band where its interval is known."""
    ends = getattr(value, "interval", None)
    if ends is not None:
        ax.axhspan(*ends, color=color, alpha=0.12, linewidth=0)
    ax.axhline(float(value), color=color, linewidth=1.3, linestyle=dashes)
    return at, np.full(len(at), float(value)), f"{name} {words(float(value), None)}", color
