"""Outcomes by decile, gain and cost: laws that tie them to other figures of the same predictions."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from suffice.study.sections import Thresholds
from suffice.study.steps.deciles import cost_curve, deciles, gain_curve

from .reports import study


def test_parts_hold_equal_numbers_of_rows_and_their_means():
    rng = np.random.default_rng(0)
    p = rng.normal(size=205)
    y = p + rng.normal(size=205)
    d = deciles(p, y, np.ones(205), "y", 0.95)
    assert len(d.count) == 10
    assert set(d.count) <= {20.0, 21.0}
    assert d.count @ d.observed == pytest.approx(y.sum())
    assert d.count @ d.predicted == pytest.approx(p.sum())
    lowest = y[np.argsort(p)][: int(d.count[0])]
    assert (d.low[0], d.high[0]) == pytest.approx(tuple(ttest_1samp(lowest, 0).confidence_interval(0.95)))


def test_equal_predictions_stay_together_and_weights_count():
    p, y = np.repeat([1.0, 2.0], [30, 70]), np.repeat([0.0, 1.0], [30, 70])
    d = deciles(p, y, np.ones(100), "y", 0.95, share=True)
    np.testing.assert_allclose(d.count, [30, 70])
    np.testing.assert_allclose(d.observed, [0, 1])
    assert 0 < d.high[0] < 0.15
    twice = deciles(p, y, np.full(100, 2.0), "y", 0.95, share=True)
    assert twice.high[0] < d.high[0]
    assert np.isnan(deciles(p, y, np.ones(100), "y", 0.95, independent=False).low).all()
    assert deciles(np.ones(50), y[:50], np.ones(50), "y", 0.95) is None
    assert len(deciles(np.arange(12.0), np.arange(12.0), np.ones(12), "y", 0.95).count) == 2


def test_the_gain_curve_ends_at_all_and_its_area_is_that_of_the_roc_curve():
    rng = np.random.default_rng(1)
    positive = rng.random(120) < 0.4
    p = np.round(rng.random(120) * 0.6 + 0.4 * positive, 2)
    g = gain_curve(positive, p, np.ones(120), "yes")
    assert (g.taken[0], g.found[0], g.taken[-1], g.found[-1]) == pytest.approx((0, 0, 1, 1))
    pairs = p[positive][:, None] - p[~positive]
    area = np.mean((pairs > 0) + 0.5 * (pairs == 0))
    share = positive.mean()  # area under gain = share / 2 + (1 − share) · AUC
    assert np.trapezoid(g.found, g.taken) == pytest.approx(share / 2 + (1 - share) * area)
    assert gain_curve(np.ones(5, dtype=bool), p[:5], np.ones(5), "yes") is None


def test_a_perfect_order_finds_ten_times_as_many_at_most():
    positive = np.arange(200) < 20
    g = gain_curve(positive, -np.arange(200.0), np.ones(200), "yes")
    assert "holds 100\u202f% of all rows of that class, 10 times as many" in g.sentence


def test_the_area_under_the_cost_curve_is_half_the_brier_score():
    p = study("binary").predictive
    assert 2 * np.trapezoid(p.cost.model, p.cost.threshold) == pytest.approx(p.brier, abs=2e-3)
    assert np.all(p.cost.model[1:-1] <= np.maximum(p.cost.all_positive, p.cost.all_negative)[1:-1])
    assert p.gain.found[-1] == 1
    assert p.deciles.count.sum() == p.n


def cells(tp, fp, tn, fn):
    at = np.array([0.0, 0.2, 0.5, 0.8, 1.0])
    return Thresholds("yes", "no", at, *(np.asarray(v, dtype=float) for v in (tp, fp, tn, fn)), 0.5)


ALWAYS = cells([50, 50, 50, 50, 0], [50, 0, 0, 0, 0], [0, 50, 50, 50, 50], [0, 0, 0, 0, 50])
NEVER = cells([50, 50, 25, 0, 0], [50, 50, 25, 0, 0], [0, 0, 25, 50, 50], [0, 0, 25, 50, 50])
MIDDLE = cells([50, 50, 50, 0, 0], [50, 50, 0, 0, 0], [0, 0, 50, 50, 50], [0, 0, 0, 50, 50])


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (ALWAYS, "Whatever the two mistakes cost, deciding by the model is cheaper"),
        (NEVER, "Whatever a missed 'yes' costs, it is no dearer to call all rows alike"),
        (MIDDLE, "where a missed 'yes' costs 1 times as much as a false alarm"),
    ],
)
def test_when_the_model_is_worth_using(table, words):
    assert words in cost_curve(table).sentence
