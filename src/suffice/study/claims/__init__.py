"""Which of two models predicts better, decided once: one record per pair, which every sentence and figure repeats.

    units      tested rows, groups or stretches of time: what counts as independent, and the error of a mean over them
    gains      how much loss each row saves, and what a first step from the baseline towards a model saves
    pairs      the test of one pair, and its interval
    families   intervals and p-values that hold for all pairs at once
    claiming   every pair of a study, as `Claim`s

The question is that of Setup I (DTU §11.1): these models, trained on these rows, meeting new rows of the same kind.
"""

from suffice.study.claims.claiming import claims_of, second_sentence
from suffice.study.claims.units import Units, units_of

__all__ = ["Units", "claims_of", "second_sentence", "units_of"]
