"""The sections of a study, in their order: plain records that go to `result.json` as they are.

    answer         which model, how good, how sure            chosen        the best model on all rows
    data_sheet     what the columns are and what they do      predictive    its predictions of rows not seen
    audit          what is odd about the table                learning      would more rows help?
    description    what the columns hold                      sensitivity   what would change the conclusion
    candidates     the models tried                           appendix      how to repeat the study
    comparison     all of them on the same folds              forecast      what comes next, of a series

Each has a `key` (its name in the JSON, its anchor and its template `sections/<key>.html.j2`) and a `heading`. The
functions that make them are in `suffice.study.steps`. Without a target there are the first four and the appendix.
"""

from suffice.study.sections.answer import Answer, Tile
from suffice.study.sections.appendix import Appendix
from suffice.study.sections.chosen import Chosen, EffectCurve, Estimates, Importances
from suffice.study.sections.claim import Claim
from suffice.study.sections.comparison import Compared, ComparedModels, Failed, ModelComparison, Tried
from suffice.study.sections.plain import Interval, Section, plain
from suffice.study.sections.predictive import (
    Classes,
    ClassMeasure,
    CostCurve,
    Deciles,
    GainCurve,
    LargestError,
    PredictiveChecks,
    Reliability,
    Thresholds,
)
from suffice.study.sections.series import Forecast, SeriesLine
from suffice.study.sections.table import AuditSection, DataSheet, DescriptionSection, Related, StudyColumn
from suffice.study.sections.trust import Change, Learning, Sensitivity

__all__ = [
    "Answer",
    "Appendix",
    "AuditSection",
    "Change",
    "Chosen",
    "Claim",
    "ClassMeasure",
    "Classes",
    "Compared",
    "ComparedModels",
    "CostCurve",
    "DataSheet",
    "Deciles",
    "DescriptionSection",
    "EffectCurve",
    "Estimates",
    "Failed",
    "Forecast",
    "GainCurve",
    "Importances",
    "Interval",
    "LargestError",
    "Learning",
    "ModelComparison",
    "PredictiveChecks",
    "Related",
    "Reliability",
    "Section",
    "Sensitivity",
    "SeriesLine",
    "StudyColumn",
    "Thresholds",
    "Tile",
    "Tried",
    "plain",
]
