"""The order of the report: the answer, what it rests on, the warnings, the predictions; then, folded, the material."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from suffice.study.page.drawing import Figure
from suffice.study.page.shown import counted

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

HEADINGS = {
    "answer": "The short answer",
    "comparison": "How the models compare",
    "forecast": "The forecast",
    "drivers": "What the prediction depends on",
    "audit": "Warnings",
    "predictive": "How good the predictions are",
    "learning": "Would more rows help?",
    "sensitivity": "What would change the conclusion",
    "chosen": "The chosen model in full",
    "data_sheet": "The data",
    "description": "What the columns hold",
    "candidates": "The models tried",
    "appendix": "How to repeat the study",
}
SHORT = {  # in the list of sections
    "answer": "Answer",
    "comparison": "Models compared",
    "forecast": "Forecast",
    "drivers": "Drivers",
    "audit": "Warnings",
    "predictive": "Predictions",
    "learning": "More rows?",
    "sensitivity": "Other choices",
    "chosen": "Chosen model",
    "data_sheet": "Data",
    "description": "Columns",
    "candidates": "Models",
    "appendix": "Repeat",
}
FOLDED = ("chosen", "data_sheet", "description", "candidates", "appendix")
EXPLORED = ("data_sheet", "description")  # open where there is no target, for then they are the report


@dataclass(frozen=True)
class PagePart:
    """A section of the page. `section` is its record, None for one made of figures alone; `hint` says what is in it."""

    key: str
    heading: str
    short: str
    section: Any
    folded: bool = False
    hint: str = ""


def parts(result: StudyResult, drawn: Mapping[str, Figure]) -> tuple[PagePart, ...]:
    """In the order of the page; those that this study has."""
    sections: dict[str, Any] = {section.key: section for section in result.sections}
    pictured = {"forecast": "forecast", "drivers": "driver-1"}
    unfolded = EXPLORED if result.comparison is None else ()
    return tuple(
        PagePart(
            key,
            heading,
            SHORT[key],
            sections.get(key),
            key in FOLDED and key not in unfolded,
            _hint(key, sections),
        )
        for key, heading in HEADINGS.items()
        if key in sections or pictured.get(key) in drawn
    )


def _hint(key: str, sections: Mapping[str, Any]) -> str:
    """What a folded part holds, in a few words."""
    s: Any = sections.get(key)
    if key == "data_sheet":
        return f"{counted(len(s.columns), 'column')}, {counted(s.n_rows, 'row')}"
    if key == "candidates":
        return counted(len(s.models), "model")
    if key == "chosen":
        return s.title
    if key == "description":
        return "means, spreads, correlations"
    return "program, options, versions" if key == "appendix" else ""
