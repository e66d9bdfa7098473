"""How far apart, how alike: distances and similarities of vectors and of all pairs of rows of tables.

Distances are 0 for what is equal (`minkowski`, `mahalanobis`, `frobenius`, `gower`), similarities 1 for what is alike
(`simple_matching`, `jaccard`, `cosine`, `extended_jaccard`, `correlation`). Two vectors give a number, two tables all
pairs (N × M), one table all pairs of its rows; `blocks` walks through the pairs when there are too many to keep.
"""

from suffice.similarity.angles import correlation, cosine, extended_jaccard
from suffice.similarity.axioms import AxiomCheck, Counterexample, check_metric, check_norm
from suffice.similarity.binary import (
    BinaryCounts,
    binary_counts,
    jaccard,
    simple_matching,
    simple_matching_from_cityblock,
)
from suffice.similarity.conversions import blocks, similarity_from_distance
from suffice.similarity.mixed import gower
from suffice.similarity.norms import frobenius, minkowski, norm
from suffice.similarity.whitened import mahalanobis

__all__ = [
    "AxiomCheck",
    "BinaryCounts",
    "Counterexample",
    "binary_counts",
    "blocks",
    "check_metric",
    "check_norm",
    "correlation",
    "cosine",
    "extended_jaccard",
    "frobenius",
    "gower",
    "jaccard",
    "mahalanobis",
    "minkowski",
    "norm",
    "similarity_from_distance",
    "simple_matching",
    "simple_matching_from_cityblock",
]
