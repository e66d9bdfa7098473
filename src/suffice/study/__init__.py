"""From a table to a defensible sentence: data sheet, baseline, models, comparison, report.

table ─▶ _table: columns and complete rows ─▶ _steps: one section record after another ─▶ StudyResult
      ─▶ result.json (the sections, as they are) and report.html (templates that print the sections)

A new model is an entry of `_registry`; a new section is a record, the step that makes it, and a template.
"""

from suffice.study._registry import CANDIDATES, Candidate, Estimates
from suffice.study.result import StudyResult
from suffice.study.study import Study

__all__ = ["CANDIDATES", "Candidate", "Estimates", "Study", "StudyResult"]
