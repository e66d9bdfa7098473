"""The record of a study: its sections for people, its objects for programs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from suffice._core.records import record
from suffice._core.showing import escape
from suffice._version import __version__
from suffice.evaluation import TwoLayer
from suffice.study.numbers import number
from suffice.study.reading.problem import Problem
from suffice.study.reading.source import StudySource
from suffice.study.sections import (
    Answer,
    Appendix,
    AuditSection,
    Chosen,
    Claim,
    Classes,
    ComparedModels,
    DataSheet,
    DescriptionSection,
    Forecast,
    Learning,
    ModelComparison,
    PredictiveChecks,
    Section,
    Sensitivity,
    plain,
)
from suffice.study.table_model import TableModel

FORMAT = 3


@record
class StudyResult:
    """What a study found. `sections` are printed; `model`, `layers` and `problem` are for use.

    `claims` has one record per pair of models, from which every sentence and figure about two models is made. Without a
    target there is a data sheet, an audit, a description and an appendix; the rest is None or empty.
    """

    name: str
    answer: Answer
    data_sheet: DataSheet
    audit: AuditSection
    description: DescriptionSection
    candidates: ComparedModels | None
    comparison: ModelComparison | None
    chosen: Chosen | None
    predictive: PredictiveChecks | Classes | None
    learning: Learning | None
    sensitivity: Sensitivity | None
    appendix: Appendix
    model: TableModel | None
    layers: TwoLayer | None
    problem: Problem | None
    source: StudySource | None = None
    claims: tuple[Claim, ...] = ()
    forecast: Forecast | None = None

    @property
    def sections(self) -> tuple[Section, ...]:
        """In the order of the report; those that there are."""
        every: tuple[Any, ...] = (
            self.answer,
            self.data_sheet,
            self.audit,
            self.description,
            self.candidates,
            self.comparison,
            self.chosen,
            self.predictive,
            self.forecast,
            self.learning,
            self.sensitivity,
            self.appendix,
        )
        return tuple(section for section in every if section is not None)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: what `result.json` holds."""
        head = {"format": FORMAT, "suffice": __version__, "name": self.name}
        made = {section.key: plain(section) for section in self.sections}
        return head | made | {"claims": plain(self.claims)}

    def to_html(self) -> str:
        """One self-contained page."""
        from suffice.study.page.html import render

        return render(self)

    def to_markdown(self) -> str:
        """The same in Markdown, with links to the figures."""
        from suffice.study.page.figures import figures
        from suffice.study.page.markdown import render

        return render(self, figures(self))

    def report(self, path: str | os.PathLike) -> Path:
        """Write the page to `path` if it ends in .html, else to report.html in that folder; returns the page.

        Beside it: report.md, result.json, figures/*.svg, and model.suffice where there is a model. Files of these names
        that were there are replaced, and other figures/*.svg are removed.
        """
        from suffice.study.page.files import write

        return write(self, Path(path))

    def __str__(self) -> str:
        lines = [self.answer.headline, *self.answer.sentences]
        if self.comparison is not None:
            width = max(len(m.title) for m in self.comparison.models)
            lines.append(f"{self.comparison.loss_words} on rows not seen, {self.comparison.splits}:")
            lines += [
                f"  {m.title:{width}}  {number(m.estimate):>10}"
                for m in sorted(self.comparison.models, key=lambda m: m.estimate)
            ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<StudyResult {self.name!r}: {self.answer.headline}>"

    def _repr_html_(self) -> str:
        """The page in a frame of its own, so that neither its style nor its script meets the notebook's."""
        return (
            f'<iframe srcdoc="{escape(self.to_html(), quote=True)}" title="{escape(self.name, quote=True)}" '
            'sandbox="allow-scripts" style="width:100%;height:720px;border:1px solid #ccc"></iframe>'
        )
