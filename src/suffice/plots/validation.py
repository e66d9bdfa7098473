"""Losses of unseen rows along something: a parameter, the number of rows, the columns taken in."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.evaluation import LearningCurve, Selection, ValidationPath
from suffice.plots._labels import (
    Curve,
    finite,
    loss_axis,
    name_ends,
    name_ticks,
    short,
    subtitle,
    value_axis,
)
from suffice.plots._style import BLUE, GREEN, MUTED, ORANGE, axes, legend

DASHED, DOTTED = (0, (4, 3)), (0, (1, 2))
STEPS = {
    "forward": "columns, and which was added",
    "backward": "columns, and which was left out",
    "exhaustive": "columns",
}


def validation_curve(path: ValidationPath, *, ax: Any = None) -> Any:
    """Training and test loss for each value of a parameter; marks show the best and the simplest that is as good.

    The band is one standard error of the test loss to each side. Numbers that span more than two decades have
    a logarithmic axis, on which a zero keeps a place at the left; other values stand in the order tried. Test
    losses that span more than one decade have a logarithmic axis too.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import datasets, evaluation, linear, plots
    >>> data = datasets.diabetes()
    >>> model = linear.Ridge(standardize=True)
    >>> path = evaluation.validate_path(model, data.X, data.y, "alpha", np.logspace(-2, 4, 25))
    >>> ax = plots.validation_curve(path)
    >>> ax.get_xscale(), ax.get_legend().get_texts()[0].get_text()
    ('log', 'best: 17.8')
    """
    best, simple = path.best_index, path.one_standard_error_index
    ax = axes(ax, x=path.param, y=_loss_label(path.loss, path.std_error))
    at = value_axis(ax, path.values)
    order = np.argsort(at, kind="stable")
    test, train = finite(path.test), finite(path.train)
    curves = [
        _curve(ax, at[order], test[order], path.std_error[order], BLUE, "test"),
        _curve(ax, at[order], train[order], None, MUTED, "training"),
    ]
    loss_axis(ax, test, train)
    _mark(ax, at[best], test[best], f"best: {short(path.best)}", filled=True)
    if simple != best:
        words = f"simplest within one standard error: {short(path.one_standard_error)}"
        _mark(ax, at[simple], test[simple], words, filled=False)
    _crosses(ax, at[np.isnan(test)])
    name_ends(ax, curves)
    legend(ax)
    return ax


def learning_curve(curve: LearningCurve, *, ax: Any = None) -> Any:
    """Training and test loss as the training set grows, the baseline and the target, and what they say.

    The sentence of the record, what the curves say about more data and other models, stands above the picture.

    Examples
    --------
    >>> from suffice import datasets, evaluation, linear, plots
    >>> data, model = datasets.diabetes(), linear.LinearRegression()
    >>> curve = evaluation.learning_curve(model, data.X, data.y, target=2500, random_state=0)
    >>> ax = plots.learning_curve(curve)
    """
    ax = axes(ax, x="rows to train on", y=_loss_label(curve.loss, curve.test_error))
    at = value_axis(ax, [int(n) for n in curve.sizes])
    test, train = finite(curve.test), finite(curve.train)
    curves = [
        _curve(ax, at, test, curve.test_error, BLUE, "test"),
        _curve(ax, at, train, curve.train_error, MUTED, "training"),
    ]
    if curve.baseline is not None:
        curves.append(_level(ax, at, curve.baseline, ORANGE, DASHED, "baseline"))
    if curve.target is not None:
        curves.append(_level(ax, at, curve.target, GREEN, DOTTED, "target"))
    loss_axis(ax, test, *(y for _, y, _, _ in curves))
    _crosses(ax, at[np.isnan(test)])
    name_ends(ax, curves)
    legend(ax)
    subtitle(ax, curve.sentence)
    return ax


def selection_path(selection: Selection, *, ax: Any = None) -> Any:
    """The loss after each step of a selection, with the column it added (+) or left out (−); a mark shows the choice.

    An exhaustive selection has the best subset of each size.

    Examples
    --------
    >>> from suffice import datasets, evaluation, linear, plots
    >>> data, model = datasets.diabetes(), linear.LinearRegression()
    >>> ax = plots.selection_path(evaluation.select_features(model, data.X, data.y, "backward"))
    """
    errors, sizes = finite(selection.errors), [len(step) for step in selection.path]
    ax = axes(ax, x=STEPS[selection.direction], y=_loss_label(selection.loss, selection.std_errors))
    at = np.arange(len(errors), dtype=float)
    name_ticks(ax, selection.moves(), sizes)
    _curve(ax, at, errors, selection.std_errors, BLUE, "test")
    loss_axis(ax, errors)
    i = selection.path.index(selection.selected)
    _mark(ax, at[i], errors[i], f"chosen: {sizes[i]} of {len(selection.columns)} columns", filled=True)
    _crosses(ax, at[np.isnan(errors)])
    legend(ax)
    return ax


# -- strokes -------------------------------------------------------------------------------------------
def _curve(ax: Any, x: np.ndarray, y: np.ndarray, error: Any, color: str, name: str) -> Curve:
    """A curve with its band."""
    if error is not None:
        ax.fill_between(x, y - finite(error), y + finite(error), color=color, alpha=0.15, linewidth=0)
    dots = {"marker": "o", "markersize": 3.5} if len(x) <= 40 else {}
    ax.plot(x, y, color=color, linewidth=1.8 if color == BLUE else 1.3, zorder=2.5, **dots)
    return x, y, name, color


def _level(ax: Any, x: np.ndarray, at: float, color: str, dashes: Any, name: str) -> Curve:
    """A horizontal line."""
    ax.axhline(at, color=color, linewidth=1.2, linestyle=dashes, zorder=2)
    return x, np.full(len(x), float(at)), name, color


def _mark(ax: Any, x: float, y: float, words: str, *, filled: bool) -> None:
    face = ORANGE if filled else "white"
    look = {"markersize": 8, "markerfacecolor": face, "markeredgecolor": ORANGE, "markeredgewidth": 1.8}
    ax.plot(x, y, "o", color=ORANGE, label=words, zorder=4, linestyle="none", **look)


def _crosses(ax: Any, x: np.ndarray) -> None:
    """Crosses along the top where there is no number to draw."""
    if len(x):
        place = ax.get_xaxis_transform()
        ax.plot(
            x, np.full(len(x), 0.97), "x", color=MUTED, markersize=5, transform=place, label="no finite loss"
        )


# -- words ---------------------------------------------------------------------------------------------
def _loss_label(loss: str, error: Any) -> str:
    known = error is not None and np.isfinite(np.asarray(error, dtype=float)).any()
    return f"{loss} loss" + (" ± standard error" if known else "")
