"""The figures of a report: each from the records of the study, drawn once, for the page and as a file.

A maker is a function of the result that returns its `Figure`, or None where the study has nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from suffice.study.page import (
    comparison_figure,
    decision_figures,
    driver_figures,
    model_figures,
    prediction_figures,
    series_figures,
    table_figures,
)
from suffice.study.page.drawing import Figure

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

MAKERS: tuple[Callable[[Any], Figure | None], ...] = (
    comparison_figure.comparison,
    *driver_figures.MAKERS,
    *decision_figures.MAKERS,
    model_figures.effects,
    model_figures.importances,
    prediction_figures.agreement,
    prediction_figures.residuals,
    prediction_figures.pit,
    prediction_figures.roc,
    prediction_figures.reliability,
    prediction_figures.confusion,
    series_figures.forecast,
    model_figures.learning,
    table_figures.correlation,
    table_figures.missing,
)


def figures(result: StudyResult) -> dict[str, Figure]:
    """Every figure that this study has, by name."""
    made = (make(result) for make in MAKERS)
    return {figure.name: figure for figure in made if figure is not None}
