"""From a table to a defensible report: data sheet, audit, models, two-layer validation, comparison, answer.

table ─▶ reading: columns, what each does, the problem ─▶ steps: one section record after another ─▶ StudyResult
      ─▶ page: report.html, report.md, result.json, figures, and the model in one file

    models     the catalogue: one `Candidate` per model          sections   the records, which go to result.json as
    they are options    what a study may be told                          page       templates that print the sections

A new model is an entry of `models`; a new section is a record, the step that makes it, and a template.
"""

from suffice.study.models import CANDIDATES, CATALOGUE, Candidate
from suffice.study.result import StudyResult
from suffice.study.sections import Estimates
from suffice.study.study import Study
from suffice.study.table_model import TableModel

__all__ = ["CANDIDATES", "CATALOGUE", "Candidate", "Estimates", "Study", "StudyResult", "TableModel"]
