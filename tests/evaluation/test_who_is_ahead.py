"""Every comparison of two models says who is ahead in the same way, whatever the sign of its estimate."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from suffice.baselines import MajorityClassifier
from suffice.distributions import Poisson
from suffice.evaluation import (
    bayesian_correlated_t,
    best_threshold,
    calibration,
    correlated_t,
    delong,
    friedman,
    interval_coverage,
    mcnemar,
    mean_difference,
    nemenyi,
    paired_t,
    signed_rank,
    two_layer,
)
from suffice.generative import GaussianNB

RNG = np.random.default_rng(2)
Y = RNG.integers(0, 2, 60)
GOOD, BAD = np.where(RNG.random(60) < 0.9, Y, 1 - Y), np.where(RNG.random(60) < 0.6, Y, 1 - Y)
SCORES = Y + 0.4 * RNG.normal(size=60), Y + 3.0 * RNG.normal(size=60)
LOSSES = RNG.random(40), RNG.random(40) + 0.5
NAMES = ("left", "right")
BETTER_FIRST = {
    "mcnemar": lambda a, b: mcnemar(Y, *((GOOD, BAD)[i] for i in (a, b)), names=NAMES),
    "delong": lambda a, b: delong(Y, SCORES[a], SCORES[b], names=NAMES),
    "paired_t": lambda a, b: paired_t(LOSSES[a], LOSSES[b], names=NAMES),
    "mean_difference": lambda a, b: mean_difference(LOSSES[a] - LOSSES[b], names=NAMES),
    "correlated_t": lambda a, b: correlated_t((LOSSES[a] - LOSSES[b])[:10], 0.1, names=NAMES),
    "bayesian_correlated_t": lambda a, b: bayesian_correlated_t(
        (LOSSES[a] - LOSSES[b])[:10], 0.1, names=NAMES
    ),
    "signed_rank": lambda a, b: signed_rank(LOSSES[a][:9], LOSSES[b][:9], better="lower", names=NAMES),
}


@pytest.mark.parametrize("test", BETTER_FIRST)
def test_the_better_model_is_ahead_on_either_side(test):
    first, second = BETTER_FIRST[test](0, 1), BETTER_FIRST[test](1, 0)
    assert (first.favours, second.favours) == ("A", "B")
    assert first.loss_difference == pytest.approx(-second.loss_difference, rel=1e-12)
    assert first.loss_difference < 0
    assert abs(first.loss_difference) == pytest.approx(abs(first.estimate), rel=1e-15)
    turned = test in ("mcnemar", "delong")  # the texts' difference of accuracies or areas
    assert np.sign(first.estimate) == (1 if turned else -1)
    assert ", so left is ahead" in first.sentence
    assert ", so right is ahead" in second.sentence


def test_nobody_is_ahead():
    same = mcnemar(Y, GOOD, GOOD)
    assert (same.favours, same.loss_difference) == (None, 0.0)
    assert "ahead" not in same.sentence
    assert paired_t(LOSSES[0], LOSSES[0]).favours is None
    assert signed_rank(LOSSES[0][:9], LOSSES[1][:9]).favours is None  # scores or losses? nobody said
    assert signed_rank(LOSSES[0][:9], LOSSES[1][:9], better="higher").favours == "B"


def test_ranks_of_several_methods():
    scores = RNG.random((12, 3)) + [0.0, 0.5, 1.0]
    for found in nemenyi(scores, names=("x", "y", "z")):
        assert found.favours == ("A" if found.estimate < 0 else "B")


def test_pairs_of_two_layers():
    X, y = make_classification(120, random_state=0)
    result = two_layer({"naive": GaussianNB(), "flat": MajorityClassifier()}, X, y, outer=5, inner=2)
    for setup in ("I", "II"):
        compared = result.compare(setup)
        for (a, b), found in zip(compared.pairs, compared.findings, strict=True):
            gap = found.loss_difference
            assert found.estimate == pytest.approx(gap, rel=1e-12)  # losses in both setups
            assert found.favours == (None if gap == 0 else "A" if gap < 0 else "B")
            assert (
                compared.frame()["favours"][compared.pairs.index((a, b))]
                == {"A": a, "B": b, None: None}[found.favours]
            )


def test_what_is_doubtful_is_printed():
    few = paired_t([0.9, 0.2, 0.4], [1.1, 0.5, 0.6])
    assert str(few) == f"{few.sentence}\nNote: {few.notes[0]}"
    assert "3 rows are few" in str(few)
    assert "Note: " not in str(paired_t(*LOSSES))
    assert "Note: " in str(mcnemar([0, 1, 0, 1], [0, 1, 0, 1], [0, 1, 1, 1]))
    assert "Note: " in str(bayesian_correlated_t([0.1, 0.2, 0.3], 0.3))
    X, y = make_classification(60, random_state=0)
    result = two_layer({"naive": GaussianNB()}, X, y, outer=3, inner=2)
    assert "Note: 3 splits are few" in str(result.compare("II"))


DOUBTFUL = {
    "friedman": lambda: friedman(RNG.random((4, 3))),
    "best_threshold": lambda: best_threshold([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5], [[0, 1], [2, 0]]),
    "calibration": lambda: calibration([0, 1, 0, 1, 1, 0, 1, 0], [0.1, 0.8, 0.3, 0.6, 0.7, 0.4, 0.9, 0.2]),
    "interval_coverage": lambda: interval_coverage([0.0, 1.0, 2.0], Poisson(np.ones(3))),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_other_records_print_their_notes_too(name):
    found = DOUBTFUL[name]()
    assert found.notes
    assert str(found).endswith("\n".join(f"Note: {text}" for text in found.notes))
    assert "Note: " not in repr(found)
