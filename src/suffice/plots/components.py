"""How many components a mixture has, and how the bound of its likelihood rises."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice._core.trace import Trace
from suffice._estimator import check_is_fitted
from suffice.mixtures.select_components import CRITERIA, ComponentSelection
from suffice.plots._labels import finite
from suffice.plots._several import looks, rows_legend
from suffice.plots._style import BLUE, INK, ORANGE, axes, legend
from suffice.plots.fits import DASHED
from suffice.plots.validation import _crosses

APART = 0.08  # components, between bars of different curves


def bound_trace(model: Any, *, ax: Any = None) -> Any:
    """The bound B and the log likelihood L after each step (FCML Fig. 6.9f).

    Parameters
    ----------
    model
        A mixture fitted by expectation–maximization, or its `trace_`.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import plots
    >>> from suffice.mixtures import GaussianMixture
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(m, 1, (60, 2)) for m in ([0, 0], [4, 0], [2, 4])])
    >>> model = GaussianMixture(3, init_params="random_from_data", random_state=0).fit(X)
    >>> ax = plots.bound_trace(model)
    """
    trace = _trace_of(model)
    if not {"likelihood", "bound"} <= set(trace.columns):
        raise InvalidInput(f"This trace has no bound beside its likelihood; it has {sorted(trace.columns)}.")
    ax = axes(ax, x="step", y="log likelihood and its bound")
    at = np.arange(len(trace))
    ax.plot(at, trace.columns["bound"], color=BLUE, linewidth=1.8, label="bound B")
    ax.plot(
        at,
        trace.columns["likelihood"],
        color=ORANGE,
        linewidth=1.8,
        linestyle=DASHED,
        label="log likelihood L",
    )
    for fall in trace.falls():
        ax.plot(at[fall], trace.objective[fall], "x", color=INK, markersize=7, zorder=4)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.ticklabel_format(axis="y", useOffset=False)
    legend(ax)
    return ax


def component_selection(selection: ComponentSelection, *, ax: Any = None) -> Any:
    """The criterion over the number of components, a curve per covariance_type; marks show the best.

    Bars are one standard deviation over folds to each side, as in FCML Fig. 6.12, and the hollow mark is the fewest
    components within one standard error of the best.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import plots
    >>> from suffice.mixtures import GaussianMixture
    >>> from suffice.mixtures.select_components import select_components
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(m, 1, (30, 2)) for m in ([0, 0], [6, 0], [3, 5])])
    >>> found = select_components(GaussianMixture(), X, range(1, 5), cv=5, random_state=0)
    >>> ax = plots.component_selection(found)
    """
    if not isinstance(selection, ComponentSelection):
        raise InvalidInput(f"component_selection draws a ComponentSelection; got {type(selection).__name__}.")
    ax = axes(ax, x="components", y=CRITERIA[selection.criterion])
    values, at = finite(selection.values), _places(selection)
    shapes = list(dict.fromkeys(c.covariance_type for c in selection.candidates))
    for shape, look in zip(shapes, looks(len(shapes)), strict=True):
        mine = np.flatnonzero([c.covariance_type == shape for c in selection.candidates])
        mine = mine[np.argsort(at[mine])]
        name = str(shape) if len(shapes) > 1 else None
        ax.plot(at[mine], values[mine], marker="o", markersize=4, linewidth=1.6, label=name, **look)
        if selection.larger_is_better:
            bars = {"fmt": "none", "color": look["color"], "linewidth": 1.0, "capsize": 3}
            ax.errorbar(at[mine], values[mine], finite(selection.fold_std[mine]), **bars)
    colors = [looks(len(shapes))[shapes.index(c.covariance_type)]["color"] for c in selection.candidates]
    best = selection.best_index
    _mark(ax, at[best], values[best], f"best: {selection.best}", colors[best])
    if selection.larger_is_better and (simple := selection.one_standard_error_index) != best:
        words = f"within one standard error: {selection.one_standard_error}"
        _mark(ax, at[simple], values[simple], words, "white")
    _crosses(ax, at[np.isnan(values)])
    ax.xaxis.get_major_locator().set_params(integer=True)
    (legend if len(shapes) == 1 else rows_legend)(ax)
    return ax


def _trace_of(model: Any) -> Trace:
    """The trace of a fitted model, or the trace itself."""
    if isinstance(model, Trace):
        return model
    check_is_fitted(model)
    trace = getattr(model, "trace_", None)
    if not isinstance(trace, Trace):
        raise InvalidInput(
            f"bound_trace draws a mixture that was fitted, or its trace_; this {type(model).__name__} has no trace_."
        )
    return trace


def _mark(ax: Any, x: float, y: float, words: str, face: str) -> None:
    """A larger dot with an edge of ink, so that it belongs to the curve of its color alone."""
    look = {"markersize": 8, "markeredgecolor": INK, "markeredgewidth": 1.5, "linestyle": "none", "zorder": 4}
    ax.plot(x, y, "o", color=face, label=words, **look)


def _places(selection: ComponentSelection) -> np.ndarray:
    """Numbers of components; where there are bars, curves stand side by side."""
    shapes = list(dict.fromkeys(c.covariance_type for c in selection.candidates))
    middle = (len(shapes) - 1) / 2 if selection.larger_is_better else 0.0
    apart = APART if selection.larger_is_better else 0.0
    return np.array(
        [c.n_components + apart * (shapes.index(c.covariance_type) - middle) for c in selection.candidates]
    )
