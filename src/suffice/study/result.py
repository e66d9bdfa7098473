"""The record of a study: its sections for people, its objects for programs."""

from __future__ import annotations

import json
import os
from html import escape
from pathlib import Path
from typing import Any

from suffice._core.records import record
from suffice._core.validation import Validation
from suffice._version import __version__
from suffice.study._numbers import number, span, within
from suffice.study._sections import (
    Answer,
    Appendix,
    Candidates,
    Chosen,
    Comparison,
    DataSheet,
    Predictive,
    Section,
    plain,
)
from suffice.study._steps import Heldout
from suffice.study._table import Prepared

FORMAT = 1


@record
class StudyResult:
    """What a study found. `sections` are printed; `model`, `validations`, `heldout` and `data` are for use."""

    name: str
    answer: Answer
    data_sheet: DataSheet
    candidates: Candidates
    comparison: Comparison
    chosen: Chosen
    predictive: Predictive
    appendix: Appendix
    model: Any
    validations: dict[str, Validation]
    heldout: Heldout
    data: Prepared

    @property
    def sections(self) -> tuple[Section, ...]:
        """In the order of the report."""
        return (
            self.answer,
            self.data_sheet,
            self.candidates,
            self.comparison,
            self.chosen,
            self.predictive,
            self.appendix,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, one entry per section; no NaN."""
        head = {"format": FORMAT, "suffice": __version__, "name": self.name, "target": self.data_sheet.target}
        return head | {section.key: plain(section) for section in self.sections}

    def to_html(self) -> str:
        """The report: one page that needs nothing else."""
        from suffice.study._report import render

        return render(self)

    def report(self, path: str | os.PathLike) -> Path:
        """Write the page to `path` if it ends in .html, else to report.html in that folder; result.json beside it."""
        path = Path(path)
        page = path if path.suffix.lower() in (".html", ".htm") else path / "report.html"
        html, data = self.to_html(), json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(html, encoding="utf-8")
        page.with_name("result.json").write_text(data + "\n", encoding="utf-8")
        return page

    def __str__(self) -> str:
        width = max(len(m.title) for m in self.comparison.models)
        rows = [
            f"  {m.title:{width}}  {within(m.estimate, m.interval):>10}  ({span(m.interval)})"
            for m in self.comparison.models
        ]
        head = f"mean squared error on rows not seen, {self.comparison.folds} folds:"
        return "\n".join([self.answer.headline, *self.answer.sentences, head, *rows])

    def __repr__(self) -> str:
        best = self.comparison.of(self.comparison.best)
        return f"<StudyResult {self.name!r}: {best.title}, typical error {number(best.rmse)}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(m.title)}</td><td>{within(m.estimate, m.interval)}</td><td>{span(m.interval)}</td></tr>"
            for m in self.comparison.models
        )
        head = "<tr><th>model</th><th>mean squared error</th><th>interval</th></tr>"
        return f"<p><b>{escape(self.answer.headline)}</b></p><table>{head}{rows}</table>"
