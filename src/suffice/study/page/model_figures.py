"""Figures of the models: their losses, the weights of the chosen one, what it needs of each column, more rows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice import plots
from suffice.study.numbers import number, percent
from suffice.study.page.drawing import WIDE, Figure, draw, printable
from suffice.study.page.shown import show_interval

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

ROW = 0.29  # inches
MOST_ROWS = 30


def effects(r: StudyResult) -> Figure | None:
    if r.chosen is None:
        return None
    e = r.chosen.effects or r.chosen.weights
    if e is None or len(e.term) < (1 if r.chosen.effects is not None else 2):
        return None
    step = "for a step of one standard deviation" if r.chosen.effects is not None else "as fitted"
    summary = SimpleNamespace(
        term=[printable(t) for t in e.term], estimate=e.estimate, low=e.low, high=e.high, function=e.group
    )
    groups = len(set(e.group)) or 1
    rows = min(len(e.term) // groups, MOST_ROWS) * max(1.0, groups / 2)

    def paint(ax: Any) -> Any:
        plots.coefficients(summary, most=MOST_ROWS, label="weight, " + step, ax=ax)

    tree = draw("effects", paint, (WIDE, 0.95 + ROW * max(rows, 2)))
    stated = bool(np.isfinite(e.low).any())
    sure = f" Filled dots: zero is outside the {percent(r.chosen.confidence)} interval." if stated else ""
    largest = np.argsort(-np.abs(e.estimate))[:3]
    text = ", ".join(f"{e.term[i]} {number(e.estimate[i])}" for i in largest)
    caption = f"The weights of the model {step}, the other columns as they are.{sure}"
    return Figure("effects", tree, f"Dots with intervals for the weights; the largest: {text}.", caption)


def importances(r: StudyResult) -> Figure | None:
    i = None if r.chosen is None else r.chosen.importances
    if i is None or not len(i.term):
        return None
    k = min(len(i.term), MOST_ROWS)
    cut = SimpleNamespace(
        term=[printable(t) for t in i.term[:k]], estimate=i.estimate[:k], low=i.low[:k], high=i.high[:k]
    )
    label = "growth of the loss when shuffled"

    def paint(ax: Any) -> Any:
        plots.coefficients(cut, most=k, label=label, ax=ax)
        return (
            [
                (
                    cut.estimate[j],
                    j,
                    f"{cut.term[j]}: {number(cut.estimate[j])} ({show_interval((cut.low[j], cut.high[j]))})",
                )
                for j in range(k)
            ]
            if cut.term[0] != "intercept"
            else ()
        )

    tree = draw("importances", paint, (WIDE, 0.95 + ROW * max(k, 2)))
    text = ", ".join(f"{i.term[j]} {number(i.estimate[j])}" for j in range(min(3, k)))
    caption = "How much the predictions of rows not seen need each column. Filled dots: more than chance."
    return Figure("importances", tree, f"Dots with intervals for the columns; the largest: {text}.", caption)


def learning(r: StudyResult) -> Figure | None:
    c = r.learning
    if c is None or len(c.sizes) < 2 or not np.isfinite(c.test).any():
        return None
    curve = SimpleNamespace(
        sizes=c.sizes, train=c.train, train_error=c.train_error, test=c.test, test_error=c.test_error,
        baseline=c.baseline, target=None, loss=c.loss, sentence="",
    )  # fmt: skip

    def paint(ax: Any) -> Any:
        plots.learning_curve(curve, ax=ax)  # type: ignore[arg-type]
        return [
            (n, t, f"{int(n)} rows: {number(t)} on new rows, {number(s)} on the rows of the fit")
            for n, t, s in zip(c.sizes, c.test, c.train, strict=True)
            if np.isfinite(t)
        ]

    tree = draw("learning", paint, (WIDE, 3.0))
    caption = "Loss against the number of training rows. Bands are one standard error to each side."
    alt = f"Learning curve from {int(c.sizes[0])} to {int(c.sizes[-1])} rows. {c.sentence}"
    return Figure("learning", tree, alt, caption)
