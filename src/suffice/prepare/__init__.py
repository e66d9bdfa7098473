"""From the table as it comes to the columns a model wants.

Transformers with a visible fitted state (`state_`), and functions that turn a series into a table.
"""

from suffice.prepare.affine import Affine
from suffice.prepare.attribute_types import AttributeTypes, attribute_types
from suffice.prepare.attributes import Attribute, allowed_ops
from suffice.prepare.audit import audit
from suffice.prepare.basis_transformer import BasisTransformer
from suffice.prepare.binarizer import Binarizer
from suffice.prepare.calendar import CalendarFeatures
from suffice.prepare.centerer import Centerer
from suffice.prepare.count_vectorizer import CountVectorizer
from suffice.prepare.describing import describe
from suffice.prepare.description import ColumnDescription, Description
from suffice.prepare.embedding import Embedding, embed
from suffice.prepare.figures import (
    Bins,
    BoxStatistics,
    CorrelationTable,
    MissingCells,
    box_statistics,
    correlation_table,
    equal_bins,
    missing_cells,
)
from suffice.prepare.findings import Audit, Finding
from suffice.prepare.log_transform import LogTransform
from suffice.prepare.missing import Dropped, drop_missing
from suffice.prepare.one_hot_encoder import OneHotEncoder
from suffice.prepare.resampling import Balanced, class_weights, oversample, undersample
from suffice.prepare.series import Resampled, interpolate, resample
from suffice.prepare.simple_imputer import SimpleImputer
from suffice.prepare.standardizer import Standardizer
from suffice.prepare.task import Task, infer_task
from suffice.prepare.term_counts import TermCounts
from suffice.prepare.term_document import TermDocument, term_document
from suffice.prepare.tfidf import DocumentFrequencies, TfidfTransformer
from suffice.prepare.trend import Detrended, detrend
from suffice.prepare.whitener import Whitener

__all__ = [
    "Affine",
    "Attribute",
    "AttributeTypes",
    "Audit",
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
    "Finding",
    "LogTransform",
    "MissingCells",
    "OneHotEncoder",
    "Resampled",
    "SimpleImputer",
    "Standardizer",
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
