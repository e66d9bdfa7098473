"""Thresholds for costs against trying all of them; ceilings from wrong labels against simulation."""

import numpy as np
import pandas as pd
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.distributions.decision import minimum_risk
from suffice.evaluation.ceiling import ceiling
from suffice.evaluation.thresholds import bayes_threshold, best_threshold, expected_cost

RNG = np.random.default_rng(5)
COSTS = {
    "equal": [[0, 1], [1, 0]],
    "misses": [[0, 1], [5, 0]],
    "gains": [[-0.01, 1], [1000, -2]],
    "offset": [[7, 9], [12, 7]],
}


def draw(n, rng=RNG, digits=2):
    p = rng.random(n).round(digits)
    return (rng.random(n) < p).astype(int), p


# -- Bayes -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", COSTS)
def test_the_threshold_is_where_the_risks_cross(name):
    at = bayes_threshold(COSTS[name])
    c = np.array(COSTS[name], dtype=float)
    risk = [at * c[1, j] + (1 - at) * c[0, j] for j in (0, 1)]
    assert risk[0] == pytest.approx(risk[1], rel=1e-12)
    p = np.array([at - 1e-6, at + 1e-6])
    decided = minimum_risk(np.column_stack([1 - p, p]), c)
    np.testing.assert_array_equal(getattr(decided, "decision", decided), [0, 1])


def test_shifting_costs_per_truth_changes_nothing():
    c = np.array([[0.0, 2.0], [3.0, 0.0]])
    assert bayes_threshold(c + [[5.0], [-4.0]]) == pytest.approx(bayes_threshold(c), rel=1e-12)
    assert bayes_threshold(1e9 * c) == pytest.approx(bayes_threshold(c), rel=1e-12)
    assert bayes_threshold([[0, 0], [1, 0]]) == 0
    assert bayes_threshold([[0, 1], [0, 0]]) == 1


# -- the empirical one -----------------------------------------------------------------------------------
def brute(y, p, c, w):
    """Every threshold that makes a difference, one by one."""
    c = np.array(c, dtype=float)
    out = {}
    for at in np.r_[-np.inf, np.unique(p)]:
        out[at] = np.sum(w * c[y, (p > at).astype(int)]) / w.sum()
    return out


@pytest.mark.parametrize("name", COSTS)
@pytest.mark.parametrize("n", [1, 2, 15, 200])
def test_no_threshold_is_cheaper(name, n):
    y, p = draw(n)
    w = RNG.integers(1, 4, n).astype(float)
    found, tried = best_threshold(y, p, COSTS[name], sample_weight=w), brute(y, p, COSTS[name], w)
    np.testing.assert_array_equal(found.thresholds, list(tried))
    np.testing.assert_allclose(found.costs, list(tried.values()), rtol=1e-10, atol=1e-10)
    assert found.cost == pytest.approx(min(tried.values()), rel=1e-10, abs=1e-10)
    again = expected_cost(y, p, COSTS[name], max(found.threshold, -1.0), sample_weight=w)
    assert again == pytest.approx(float(found.cost), rel=1e-12)
    assert found.bayes_cost == pytest.approx(
        float(expected_cost(y, p, COSTS[name], sample_weight=w)), rel=1e-12
    )


def test_neighbors_a_bit_apart_are_still_separated():
    a = np.nextafter(0.5, 1)
    for p in ([0.5, a], [a, np.nextafter(a, 1)]):  # their middle rounds down, and up
        found = best_threshold([0, 1], p)
        assert found.cost == 0
        assert found.threshold < p[1]


def test_of_equally_good_thresholds_the_nearest_to_bayes():
    found = best_threshold([0, 1, 0, 1], [0.1, 0.2, 0.8, 0.9])
    assert found.cost == 0.25
    assert found.threshold == pytest.approx(0.15, abs=1e-12)
    nearer = best_threshold([0, 1, 0, 1], [0.1, 0.2, 0.6, 0.9])
    assert nearer.threshold == pytest.approx(0.75, abs=1e-12)


def test_all_ties_and_one_class():
    flat = best_threshold([0, 1, 1], [0.4, 0.4, 0.4])
    assert flat.cost == pytest.approx(1 / 3)
    assert flat.threshold < 0.4
    assert best_threshold([1, 1], [0.0, 0.7]).threshold == -np.inf
    assert best_threshold([0, 0], [1.0, 0.7]).cost == 0


def test_with_calibrated_probabilities_both_agree():
    """40,000 rows; the best threshold wanders where the curve is flat, its cost does not."""
    y, p = draw(40_000, np.random.default_rng(1), 6)
    found = best_threshold(y, p, [[0, 1], [4, 0]])
    assert found.bayes_threshold == 0.2
    assert abs(found.threshold - 0.2) < 0.05
    assert 0 <= found.bayes_cost - found.cost < 0.005


def test_labels_and_tables_and_records():
    y, p = draw(50)
    words = pd.Series(np.where(y == 1, "fraud", "fine"))
    found = best_threshold(words, p, COSTS["misses"], positive="fraud")
    assert best_threshold(y, np.column_stack([1 - p, p]), COSTS["misses"]).cost == found.cost
    assert found.cost == best_threshold(y, p, COSTS["misses"]).cost
    assert len(found.frame()) == len(found.costs)
    assert "mean cost is smallest" in str(found)
    assert found.sentence in found._repr_html_()
    assert any("expect more on others" in note for note in found.notes)


@pytest.mark.parametrize(
    "call, match",
    [
        (lambda: bayes_threshold([[0, 1]]), "2 × 2"),
        (lambda: bayes_threshold([[0, np.nan], [1, 0]]), "finite 2 × 2"),
        (lambda: bayes_threshold([[0, -1], [1, 0]]), "no mistake cheaper"),
        (lambda: bayes_threshold([[0, 0], [0, 0]]), "one dearer"),
        (lambda: bayes_threshold("ab"), "made of numbers"),
        (lambda: best_threshold([0, 1], [0.5, 1.5]), r"in \[0, 1\]"),
        (lambda: best_threshold([0, 1, 2], [[0.2, 0.3, 0.5]] * 3), "between two classes; got 3"),
        (lambda: best_threshold([], []), "y is empty"),
        (lambda: expected_cost([0, 1], [0.1], COSTS["equal"]), "y has 2 rows"),
        (lambda: expected_cost([0, 1], [0.1, 0.2], COSTS["equal"], np.nan), "threshold must be"),
        (lambda: expected_cost([0, 1], [0.1, 0.2], COSTS["equal"], confidence=2), "confidence"),
    ],
)
def test_bad_input_is_named(call, match):
    with pytest.raises((InvalidInput, InvalidParameter), match=match):
        call()


def cost_covered(miss, rows, repeats):
    """Calibrated p uniform on [0, 1], t = 1/(1 + miss): the cost is (1 − t)²/2 + miss t²/2 by integration."""
    rng, t = np.random.default_rng(6), 1 / (1 + miss)
    truth = (1 - t) ** 2 / 2 + miss * t**2 / 2
    ends = []
    for _ in range(repeats):
        p = rng.random(rows)
        ends.append(expected_cost((rng.random(rows) < p).astype(int), p, [[0, 1], [miss, 0]]).interval)
    low, high = np.transpose(ends)
    share, error = np.mean((low <= truth) & (truth <= high)), 3 * np.sqrt(0.95 * 0.05 / repeats)
    assert 0.93 - error <= share <= 0.97 + error


COVERED = [(1, 200), (3, 200), (5, 200)]


@pytest.mark.parametrize("miss, rows", COVERED)
def test_the_interval_of_a_cost_covers(miss, rows):
    cost_covered(miss, rows, 300)


@pytest.mark.long
@pytest.mark.parametrize("miss, rows", COVERED)
def test_the_interval_of_a_cost_covers_in_the_long_run(miss, rows):
    cost_covered(miss, rows, 6000)


# -- ceilings --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("k, noise", [(2, 0.1), (4, 0.3), (10, 0.05), (3, 0.9)])
@pytest.mark.parametrize("coincide", [False, True])
def test_the_ceiling_is_what_the_best_guess_reaches(k, noise, coincide):
    """Labels of 200,000 rows spoiled as described; guesses: the truth, or the class after it. Four standard errors."""
    rng = np.random.default_rng(2)
    n = 200_000
    spoiled, shift = rng.random(n) < noise, rng.integers(0 if coincide else 1, k, n)
    label = np.where(spoiled, shift, 0)  # the true class counts as 0
    best = max(np.mean(label == g) for g in (0, 1))
    assert ceiling(noise, k, coincide=coincide) == pytest.approx(best, abs=4 * 0.5 / np.sqrt(n))


def test_ceilings_of_the_text():
    assert ceiling(0.1) == pytest.approx(0.9, rel=1e-15)
    assert ceiling(0.1).interval is None
    assert ceiling(0) == 1
    assert ceiling(1.0, 2) == 1
    assert ceiling(0.0, checked=20).interval[1] == 1
    assert ceiling(0.0, checked=20).interval[0] < 0.95
    low, high = ceiling(0.1, checked=1000).interval
    assert low < 0.9 < high


@pytest.mark.parametrize(
    "arguments, match",
    [
        ({"label_noise": -0.1}, "label_noise must be a number >= 0"),
        ({"label_noise": 1.1}, r"label_noise must be in \[0, 1\]"),
        ({"label_noise": np.nan}, "label_noise"),
        ({"label_noise": 0.1, "n_classes": 1}, "n_classes must be an integer >= 2"),
        ({"label_noise": 0.1, "n_classes": 2.5}, "n_classes must be an integer >= 2"),
        ({"label_noise": 0.1, "coincide": True}, "coincide=True needs n_classes"),
        ({"label_noise": 0.1, "coincide": "no"}, "coincide must be True or False"),
        ({"label_noise": 0.1, "checked": 0}, "checked must be"),
    ],
)
def test_bad_ceilings_are_named(arguments, match):
    with pytest.raises(InvalidParameter, match=match):
        ceiling(**arguments)
