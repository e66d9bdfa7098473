"""Values that add: what a model needs of its rows, and nothing else.

Every statistic is a frozen record with `of(...)`, `+`, `-`, `n` and a `fingerprint` of the targets.
`Triangle` serves the linear-Gaussian models, `Moments` densities of vectors, `ColumnMoments` columns with gaps,
`ColumnSummary` columns of any kind, `Counts` and `LabelCounts` labels, `ClassStatistics` any of them per class;
`Partition` and `Pairs` say which rows a fold tests.
"""

from suffice._core.former_names import former_names
from suffice.statistics.class_statistics import ClassStatistics
from suffice.statistics.column_summary import ColumnSummary
from suffice.statistics.columns import ColumnMoments
from suffice.statistics.counts import Counts
from suffice.statistics.folds import Pairs, Partition, leave_one_out_merges
from suffice.statistics.header import Fingerprint, Frame, Header
from suffice.statistics.labels import LabelCounts
from suffice.statistics.layout import Layout
from suffice.statistics.lstsq import AffineFunction, Solution
from suffice.statistics.moments import Moments
from suffice.statistics.penalized import RidgePath
from suffice.statistics.triangle import Triangle, gather

__all__ = [
    "AffineFunction",
    "ClassStatistics",
    "ColumnMoments",
    "ColumnSummary",
    "Counts",
    "Fingerprint",
    "Frame",
    "Header",
    "LabelCounts",
    "Layout",
    "Moments",
    "Pairs",
    "Partition",
    "RidgePath",
    "Solution",
    "Triangle",
    "gather",
    "leave_one_out_merges",
]

__getattr__ = former_names(__name__, {"Affine": AffineFunction})
