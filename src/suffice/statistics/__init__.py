"""Values that add: what a model needs of its rows, and nothing else.

Every statistic is a frozen record with `of(...)`, `+`, `-`, `n` and a `fingerprint` of the targets.
`Triangle` serves the linear-Gaussian models, `Moments` densities of vectors, `Counts` labels.
"""

from suffice.statistics.counts import Counts
from suffice.statistics.folds import leave_one_out_merges
from suffice.statistics.header import Fingerprint, Frame, Header
from suffice.statistics.layout import Layout
from suffice.statistics.lstsq import Affine, RidgePath, Solution
from suffice.statistics.moments import Moments
from suffice.statistics.triangle import Triangle, gather

__all__ = [
    "Affine",
    "Counts",
    "Fingerprint",
    "Frame",
    "Header",
    "Layout",
    "Moments",
    "RidgePath",
    "Solution",
    "Triangle",
    "gather",
    "leave_one_out_merges",
]
