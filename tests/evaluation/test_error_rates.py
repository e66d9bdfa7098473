"""False acceptance, false rejection and where they are equal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation import error_rates, roc

numbers = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=25)


@given(numbers, numbers)
@settings(max_examples=120, deadline=None)
def test_laws_of_the_curves(genuine, forged):
    rates = error_rates(genuine, forged)
    genuine, forged = np.array(genuine), np.array(forged)
    assert (rates.far[0], rates.frr[0], rates.far[-1], rates.frr[-1]) == (1, 0, 0, 1)
    assert (np.diff(rates.far) <= 0).all()
    assert (np.diff(rates.frr) >= 0).all()
    for threshold, far, frr in zip(rates.thresholds, rates.far, rates.frr, strict=True):
        assert far == pytest.approx((forged > threshold).mean(), abs=1e-12)
        assert frr == pytest.approx((genuine <= threshold).mean(), abs=1e-12)
        assert rates.at(threshold).far == pytest.approx(far, abs=1e-12)
        assert rates.at(threshold).frr == pytest.approx(frr, abs=1e-12)
    steps = np.arange(len(rates.far))
    crossing = brentq(lambda t: np.interp(t, steps, rates.far) - np.interp(t, steps, rates.frr), 0, steps[-1])
    assert rates.eer == pytest.approx(np.interp(crossing, steps, rates.far), abs=1e-9)
    low, high = rates.eer.interval
    assert 0 <= low <= rates.eer <= high <= 1
    assert high - low > 1e-3


def test_the_equal_error_rate_lies_on_the_roc_curve():
    rng = np.random.default_rng(0)
    genuine, forged = rng.normal(2, 1, 300), rng.normal(0, 1, 200)
    rates = error_rates(genuine, forged)
    curve = roc(np.repeat([1, 0], [300, 200]), np.concatenate([genuine, forged]))
    assert curve.tpr_at(float(rates.eer)) == pytest.approx(1 - rates.eer, abs=1 / 200)
    by_rows = error_rates(
        y=np.repeat(["g", "f"], [300, 200]), score=np.concatenate([genuine, forged]), positive="g"
    )
    assert by_rows.eer == rates.eer
    assert by_rows.eer.interval == rates.eer.interval
    mirrored = error_rates(-forged, -genuine)
    assert mirrored.eer == pytest.approx(rates.eer, abs=1e-9)
    assert mirrored.eer.interval == pytest.approx(rates.eer.interval, abs=1e-9)


def test_a_rate_of_four_percent_is_nearly_useless_when_forgeries_are_rare():
    """Herbst §1.2.1, Example 2: 4 % errors, 40 forgeries in 100,000."""
    rates = error_rates(
        genuine=np.r_[np.full(96, 2.0), np.zeros(4)], forged=np.r_[np.full(96, 0.0), np.full(4, 2.0)]
    )
    assert rates.at(1.0).far == pytest.approx(0.04, rel=1e-12)
    told = rates.with_base_rate(0.0004, threshold=1.0)
    assert told.posterior_positive == pytest.approx(0.0095, abs=5e-5)
    assert told.after(2) == pytest.approx(0.1873, abs=5e-5)
    assert rates.with_base_rate(0.5).posterior_positive == pytest.approx(0.96, rel=1e-12)
    assert rates.eer == pytest.approx(0.04, rel=1e-12)


def test_best_threshold_minimizes_the_mean_cost():
    rng = np.random.default_rng(1)
    genuine, forged = rng.normal(1.5, 1, 80), rng.normal(0, 1, 60)
    rates = error_rates(genuine, forged)
    best = rates.best_threshold(0.1, costs=(20, 1))
    brute = [0.1 * 20 * (forged > t).mean() + 0.9 * (genuine <= t).mean() for t in rates.thresholds]
    assert best.cost == pytest.approx(min(brute), rel=1e-12)
    assert best.threshold == rates.thresholds[int(np.argmin(brute))]
    assert best.threshold != rates.eer_threshold
    assert rates.best_threshold(0.0).threshold == -np.inf
    assert rates.best_threshold(1.0).far == 0


def test_perfect_separation_and_ties():
    perfect = error_rates([3, 4, 5], [0, 1, 2])
    assert perfect.eer == 0
    assert perfect.eer.interval[1] > 0.2
    assert perfect.eer_threshold == 2
    same = error_rates([1, 1], [1, 1, 1])
    assert same.eer == 0.5
    one = error_rates([1], [0])
    assert one.eer == 0
    assert "Equal error rate" in str(perfect)
    assert perfect.frame().shape == (7, 3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "Give either genuine= and forged="),
        ({"genuine": [1]}, "Give either genuine= and forged="),
        ({"genuine": [1], "forged": [0], "y": [1]}, "Give either genuine= and forged="),
        ({"genuine": [], "forged": [1]}, "genuine is empty"),
        ({"genuine": [1], "forged": [np.nan]}, "forged must be finite; got nan at row 0"),
        ({"genuine": ["a"], "forged": [1]}, "genuine must hold numbers"),
        ({"genuine": [1], "forged": [1], "sample_weight": [1, 2]}, "sample_weight needs one row per item"),
        ({"y": [1, 1], "score": [1, 2]}, "an error curve needs both classes"),
        ({"y": [1, 0], "score": [1]}, "got 2 and 1"),
    ],
)
def test_bad_input(arguments, words):
    with pytest.raises((InvalidInput, InvalidParameter), match=words):
        error_rates(**arguments)


def test_bad_questions():
    rates = error_rates([1, 2], [0, 1])
    with pytest.raises(InvalidParameter, match=r"base_rate must lie in \[0, 1\]; got 2"):
        rates.best_threshold(2)
    with pytest.raises(InvalidParameter, match="costs must be two numbers"):
        rates.best_threshold(0.5, costs=3)
    with pytest.raises(InvalidParameter, match=r"costs\[0\] must be a number >= 0"):
        rates.best_threshold(0.5, costs=(-1, 1))
    with pytest.raises(InvalidParameter, match="base_rate must be in"):
        rates.with_base_rate(1.5)
