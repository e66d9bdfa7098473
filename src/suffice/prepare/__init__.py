"""From the table as it comes to the columns a model wants.

Transformers with a visible fitted state (`state_`), and functions that turn a series into a table.
"""

from suffice._core.former_names import former_names
from suffice.prepare.looking.attribute_types import AttributeTypes, attribute_types
from suffice.prepare.looking.attributes import Attribute, allowed_ops
from suffice.prepare.looking.audit import audit
from suffice.prepare.looking.describing import describe
from suffice.prepare.looking.description import ColumnDescription, Description
from suffice.prepare.looking.figures import (
    Bins,
    BoxStatistics,
    CorrelationTable,
    MissingCells,
    box_statistics,
    correlation_table,
    equal_bins,
    missing_cells,
)
from suffice.prepare.looking.findings import Audit, AuditFinding
from suffice.prepare.looking.task import Task, infer_task
from suffice.prepare.sequences.calendar import CalendarFeatures
from suffice.prepare.sequences.embedding import Embedding, embed
from suffice.prepare.sequences.series import Resampled, interpolate, resample
from suffice.prepare.sequences.trend import Detrended, detrend
from suffice.prepare.texts.count_vectorizer import CountVectorizer
from suffice.prepare.texts.term_counts import TermCounts
from suffice.prepare.texts.term_document import TermDocument, term_document
from suffice.prepare.texts.tfidf import DocumentFrequencies, TfidfTransformer
from suffice.prepare.transforming.affine import Affine
from suffice.prepare.transforming.basis_transformer import BasisTransformer
from suffice.prepare.transforming.binarizer import Binarizer
from suffice.prepare.transforming.centerer import Centerer
from suffice.prepare.transforming.log_transform import LogTransform
from suffice.prepare.transforming.missing import Dropped, drop_missing
from suffice.prepare.transforming.one_hot_encoder import OneHotEncoder
from suffice.prepare.transforming.resampling import Balanced, class_weights, oversample, undersample
from suffice.prepare.transforming.simple_imputer import SimpleImputer
from suffice.prepare.transforming.standardizer import Standardizer
from suffice.prepare.transforming.table_encoder import Mismatch, TableEncoder
from suffice.prepare.transforming.whitener import Whitener

__all__ = [
    "Affine",
    "Attribute",
    "AttributeTypes",
    "Audit",
    "AuditFinding",
    "Balanced",
    "BasisTransformer",
    "Binarizer",
    "Bins",
    "BoxStatistics",
    "CalendarFeatures",
    "Centerer",
    "ColumnDescription",
    "CorrelationTable",
    "CountVectorizer",
    "Description",
    "Detrended",
    "DocumentFrequencies",
    "Dropped",
    "Embedding",
    "LogTransform",
    "Mismatch",
    "MissingCells",
    "OneHotEncoder",
    "Resampled",
    "SimpleImputer",
    "Standardizer",
    "TableEncoder",
    "Task",
    "TermCounts",
    "TermDocument",
    "TfidfTransformer",
    "Whitener",
    "allowed_ops",
    "attribute_types",
    "audit",
    "box_statistics",
    "class_weights",
    "correlation_table",
    "describe",
    "detrend",
    "drop_missing",
    "embed",
    "equal_bins",
    "infer_task",
    "interpolate",
    "missing_cells",
    "oversample",
    "resample",
    "term_document",
    "undersample",
]

__getattr__ = former_names(__name__, {"Finding": AuditFinding})
