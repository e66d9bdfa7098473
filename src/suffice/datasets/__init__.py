"""Printed data sets, generators for the texts' figures, and data with certified answers.

Every function returns a record with `X y feature_names target_name source license`; those named `nist_…`
add the certified answer.
"""

from suffice.datasets._records import Certified, Dataset
from suffice.datasets.bundled import diabetes
from suffice.datasets.dtu import Recording, quadratic_surface, traffic
from suffice.datasets.fcml import (
    coin_tosses,
    cubic_curve,
    noisy_line,
    olympic_100m_men,
    olympic_100m_women,
    quadratic_curve,
    ridge_line,
    three_points,
    two_clouds,
)
from suffice.datasets.nist import (
    nist_filip,
    nist_longley,
    nist_noint1,
    nist_noint2,
    nist_norris,
    nist_pontius,
    nist_wampler1,
    nist_wampler2,
    nist_wampler3,
    nist_wampler4,
    nist_wampler5,
)
from suffice.datasets.prml import sinusoid, sinusoid_10
from suffice.datasets.text import fox_sentences, topic_words

__all__ = [
    "Certified",
    "Dataset",
    "Recording",
    "coin_tosses",
    "cubic_curve",
    "diabetes",
    "fox_sentences",
    "nist_filip",
    "nist_longley",
    "nist_noint1",
    "nist_noint2",
    "nist_norris",
    "nist_pontius",
    "nist_wampler1",
    "nist_wampler2",
    "nist_wampler3",
    "nist_wampler4",
    "nist_wampler5",
    "noisy_line",
    "olympic_100m_men",
    "olympic_100m_women",
    "quadratic_curve",
    "quadratic_surface",
    "ridge_line",
    "sinusoid",
    "sinusoid_10",
    "three_points",
    "topic_words",
    "traffic",
    "two_clouds",
]
