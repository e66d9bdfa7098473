"""ROC curves, their areas and DeLong's variance: brute force, scikit-learn, the claims of the texts, bad input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, norm
from sklearn import metrics

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation import Finding, confusion, delong, one_vs_rest, roc
from suffice.evaluation.measures import _areas
from suffice.evaluation.measures._tally import Scored, ScoreTally


def rows(seed=0, n=120, ties=False, shift=1.0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    score = rng.standard_normal(n) + shift * y
    return y, np.round(score * 2) / 2 if ties else score


def kernel(y, score):
    """ψ(s⁺, s⁻) for every pair, by brute force."""
    a, b = np.asarray(score)[np.asarray(y) == 1], np.asarray(score)[np.asarray(y) == 0]
    return (a[:, None] > b) + 0.5 * (a[:, None] == b)


def brute_variance(y, *scores):
    """DeLong's variance of the area, or of the difference of two."""
    pairs = kernel(y, scores[0]) - (kernel(y, scores[1]) if len(scores) > 1 else 0)
    m, n = pairs.shape
    return pairs.mean(axis=1).var(ddof=1) / m + pairs.mean(axis=0).var(ddof=1) / n


# -- the curve ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_curve_and_area_agree_with_scikit_learn(ties, weighted):
    y, score = rows(ties=ties)
    w = np.random.default_rng(9).random(len(y)) + 0.1 if weighted else None
    curve = roc(y, score, sample_weight=w)
    fpr, tpr, thresholds = metrics.roc_curve(y, score, sample_weight=w, drop_intermediate=False)
    np.testing.assert_allclose(curve.fpr, fpr, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(curve.tpr, tpr, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(curve.thresholds[:-1], thresholds[1:])  # ours: score > θ; theirs: score ≥ θ
    assert curve.area == pytest.approx(metrics.roc_auc_score(y, score, sample_weight=w), rel=1e-12, abs=0)
    assert curve.thresholds[-1] == -np.inf
    theirs = metrics.roc_auc_score(y, score, sample_weight=w, max_fpr=0.3)
    assert curve.partial_area(0.3, standardized=True) == pytest.approx(theirs, rel=1e-12, abs=0)


@pytest.mark.slow
@given(st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=40).filter(
    lambda r: len({y for y, _ in r}) == 2
))  # fmt: skip
@settings(max_examples=150, deadline=None)
def test_laws_of_the_curve(drawn):
    """DTU claim 12, FCML claim 12: monotone from (0, 0) to (1, 1); the area is the Mann–Whitney statistic."""
    y, score = np.array([r[0] for r in drawn]), np.array([float(r[1]) for r in drawn])
    curve = roc(y, score)
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()
    assert curve.area == pytest.approx(kernel(y, score).mean(), rel=1e-12, abs=1e-15)
    assert curve.area == pytest.approx(np.trapezoid(curve.tpr, curve.fpr), rel=1e-12, abs=1e-15)
    u = mannwhitneyu(score[y], score[~y], method="asymptotic").statistic
    assert curve.area == pytest.approx(u / (y.sum() * (~y).sum()), rel=1e-12, abs=1e-15)
    assert roc(y, np.exp(score) * 3).area == pytest.approx(curve.area, rel=1e-12, abs=1e-15)
    assert roc(y, -score).area == pytest.approx(1 - curve.area, rel=1e-12, abs=1e-12)
    low, high = curve.interval
    assert 0 <= low <= curve.area <= high <= 1
    assert high - low > 1e-3
    for threshold, fpr, tpr in zip(curve.thresholds, curve.fpr, curve.tpr, strict=True):
        table = curve.at(threshold)
        assert (table.fpr, table.tpr) == pytest.approx((fpr, tpr), abs=1e-12)
        assert table.tpr == confusion(y, score > threshold).tpr


def test_duplicating_a_class_leaves_the_area():
    y, score = rows(ties=True)
    more = np.concatenate([np.arange(len(y)), np.flatnonzero(y), np.flatnonzero(y)])
    assert roc(y[more], score[more]).area == pytest.approx(roc(y, score).area, rel=1e-12)


def test_a_weight_of_two_is_the_row_twice():
    y, score = rows(ties=True)
    w = np.random.default_rng(2).integers(0, 3, len(y))
    repeated = np.repeat(np.arange(len(y)), w)
    a, b = roc(y, score, sample_weight=w), roc(y[repeated], score[repeated])
    assert a.area == pytest.approx(b.area, rel=1e-12)
    assert a.interval == pytest.approx(b.interval, rel=1e-10)
    np.testing.assert_array_equal(a.thresholds, b.thresholds)
    np.testing.assert_allclose(a.tpr_band().low, b.tpr_band().low, rtol=1e-10, atol=1e-12)


# -- the interval -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_variance_is_that_of_all_pairs(ties, seed):
    y, score = rows(seed, ties=ties)
    found = _areas.moments_of(Scored(y == 1, score))
    assert found.variance == pytest.approx(brute_variance(y, score), rel=1e-12, abs=0)
    by_tally = _areas._of_tally(ScoreTally.of(y == 1, score))
    assert by_tally.variance == pytest.approx(found.variance, rel=1e-11, abs=0)
    assert by_tally.out_of_order == found.out_of_order
    reversed_ = _areas.moments_of(Scored(y == 1, -score))
    assert reversed_.out_of_order == _areas._of_tally(ScoreTally.of(y == 1, -score)).out_of_order
    se, theta = np.sqrt(found.variance), found.theta
    half = norm.ppf(0.975) * se / (theta * (1 - theta))
    logit = np.log(theta / (1 - theta))
    want = 1 / (1 + np.exp(-np.array([logit - half, logit + half])))
    assert roc(y, score).interval == pytest.approx(want, rel=1e-10)


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1.0, 1e300])
def test_the_quick_way_without_ties_is_exact(scale):
    """Scores of both signs, tiny, huge, zero, and neighbours that differ in the last bit."""
    rng = np.random.default_rng(0)
    score = np.concatenate([rng.standard_normal(40), [0.0, -0.0]]) * scale
    y = rng.random(42) < 0.5
    near = np.concatenate([score[:20], np.nextafter(score[:20], np.inf)])
    for s, labels in ((score, y), (near, y[:40]), (np.unique(score), y[:41])):
        found = _areas.moments_of(Scored(labels, s))
        assert found.theta == pytest.approx(kernel(labels, s).mean(), rel=1e-13, abs=0)
        assert found.variance == pytest.approx(brute_variance(labels, s), rel=1e-11, abs=0)


def test_long_columns_in_blocks_equal_the_tally():
    rng = np.random.default_rng(0)
    y, score = rng.random(50_001) < 0.2, rng.standard_normal(50_001)
    quick, slow = _areas._without_ties(y, score), _areas._of_tally(ScoreTally.of(y, score))
    assert quick.theta == pytest.approx(slow.theta, rel=1e-12)
    assert quick.variance == pytest.approx(slow.variance, rel=1e-9)


def test_perfect_separation_is_not_certainty():
    y, score = np.repeat([0, 1], 15), np.arange(30.0)
    assert roc(y, score).area == 1
    low, high = roc(y, score).interval
    assert 0.75 < low < 0.95
    assert high == 1
    assert roc(y, -score).interval == pytest.approx((0.0, 1 - low), abs=1e-9)
    assert roc(y, score, method="bootstrap", random_state=0).interval == pytest.approx((low, high), rel=1e-9)
    lower = [roc(np.repeat([0, 1], n), np.arange(2.0 * n)).interval[0] for n in (1, 3, 10, 100, 1000)]
    assert (np.diff(lower) > 0).all()


def test_constant_scores_are_a_coin():
    curve = roc([0, 1, 1, 0, 1], [2.0] * 5)
    assert curve.area == 0.5
    np.testing.assert_array_equal(curve.fpr, [0, 1])
    assert curve.interval[0] < 0.3
    assert curve.interval[1] > 0.7
    np.testing.assert_allclose(curve.tpr_at([0.25, 0.5]), [0.25, 0.5], rtol=1e-12)


def test_bootstrap_is_near_delong_and_repeatable():
    y, score = rows(n=200)
    a, b = (roc(y, score, method="bootstrap", random_state=1).interval for _ in range(2))
    assert a == b
    assert a == pytest.approx(roc(y, score).interval, abs=0.02)
    assert roc(y, score, method="bootstrap", random_state=2).interval != a


def test_band_holds_the_curve():
    y, score = rows(n=60)
    curve = roc(y, score)
    band = curve.tpr_band()
    assert (band.low <= band.tpr).all()
    assert (band.tpr <= band.high).all()
    assert (np.diff(band.tpr) >= 0).all()
    wider = curve.tpr_band(0.99)
    assert (wider.low <= band.low).all()
    assert (wider.high >= band.high).all()
    assert band.frame().shape == (101, 4)
    at = np.interp(0.37, curve.fpr, curve.tpr)  # between two thresholds the curve is level here
    assert curve.tpr_at(0.37) == pytest.approx(at, abs=1e-12)


def test_partial_areas_add_up():
    for ties in (False, True):
        y, score = rows(ties=ties)
        curve = roc(y, score)
        parts = sum(curve.partial_area(b, min_fpr=a) for a, b in ((0, 0.13), (0.13, 0.5), (0.5, 1)))
        assert parts == pytest.approx(curve.area, rel=1e-12, abs=0)
        assert curve.partial_area(1.0).interval == pytest.approx(curve.interval, rel=1e-9)
        grid = np.linspace(0.2, 0.6, 400_001)
        heights = np.interp(grid, *_steps(curve))
        assert curve.partial_area(0.6, min_fpr=0.2) == pytest.approx(np.trapezoid(heights, grid), rel=1e-4)


def _steps(curve):
    """Vertical pieces made steep, for `np.interp`."""
    return curve.fpr + 1e-9 * np.arange(len(curve.fpr)), curve.tpr


def test_youden_is_the_best_of_all_thresholds():
    y, score = rows()
    curve = roc(y, score)
    best = max(confusion(y, (score > t).astype(int), labels=[0, 1]).youden for t in curve.thresholds)
    assert curve.youden.youden == pytest.approx(best, rel=1e-12)


# -- two areas ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("ties", [False, True])
def test_delong_against_all_pairs(ties):
    y, a = rows(0, ties=ties)
    b = a + np.random.default_rng(5).standard_normal(len(y))
    b = np.round(b) if ties else b
    found = delong(y, a, b)
    gap = kernel(y, a).mean() - kernel(y, b).mean()
    se = np.sqrt(brute_variance(y, a, b))
    assert isinstance(found, Finding)
    assert found.estimate == pytest.approx(gap, rel=1e-12, abs=0)
    assert found.statistic == pytest.approx(gap / se, rel=1e-10, abs=0)
    assert found.p_value == pytest.approx(2 * norm.sf(abs(gap) / se), rel=1e-9, abs=0)
    assert found.interval == pytest.approx((gap - norm.ppf(0.975) * se, gap + norm.ppf(0.975) * se), rel=1e-9)
    assert "interval" in found.sentence
    swapped = delong(y, b, a)
    assert swapped.estimate == -found.estimate
    assert swapped.p_value == pytest.approx(found.p_value, rel=1e-12)
    w = np.random.default_rng(2).integers(0, 3, len(y))
    again = np.repeat(np.arange(len(y)), w)
    weighted, repeated = delong(y, a, b, sample_weight=w), delong(y[again], a[again], b[again])
    assert weighted.statistic == pytest.approx(repeated.statistic, rel=1e-10)


def test_delong_without_variance():
    y = np.repeat([0, 1], 5)
    same = delong(y, np.arange(10.0), np.arange(10.0) ** 3)
    assert (same.estimate, same.p_value) == (0, 1.0)
    assert same.interval[0] < 0 < same.interval[1]
    opposite = delong(y, np.arange(10.0), -np.arange(10.0), names=("good", "bad"))
    assert opposite.estimate == 1
    assert opposite.p_value is None
    assert opposite.interval[0] < 0.9
    assert "no test" in opposite.sentence
    assert "good" in opposite.sentence
    assert opposite.notes
    alone = delong([0, 0, 1], [1, 2, 3], [3, 1, 2])
    assert alone.p_value is None
    assert np.isfinite(alone.interval).all()


# -- several classes ----------------------------------------------------------------------------------------------
def test_one_vs_rest_is_a_curve_per_class():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 150)
    scores = rng.random((150, 3)) + 0.4 * np.eye(3)[y]
    names = np.array(["a", "b", "c"])
    found = one_vs_rest(names[y], scores)
    for k in range(3):
        alone = roc(y == k, scores[:, k])
        assert found[names[k]].area == alone.area
        assert found[names[k]].interval == alone.interval
    assert found.macro_area == pytest.approx(np.mean(found.areas.values), rel=1e-12)
    p = scores / scores.sum(axis=1, keepdims=True)
    theirs = metrics.roc_auc_score(y, p, multi_class="ovr")
    assert one_vs_rest(y, p).macro_area == pytest.approx(theirs, rel=1e-12, abs=0)
    assert found.frame().shape == (3, 4)
    assert len(found) == len(list(found)) == 3
    with pytest.raises(InvalidInput, match="The class 'd' has no rows"):
        one_vs_rest(names[y], np.hstack([scores, scores[:, :1]]), labels=list("abcd"))
    with pytest.raises(InvalidParameter, match="There is no class 'z'"):
        found["z"]


def test_macro_area_of_one_curve_has_its_interval():
    """Two classes with opposite scores: both curves are the same, so is their mean."""
    y, score = rows()
    both = one_vs_rest(y, np.column_stack([-score, score]))
    assert both.macro_area.interval == pytest.approx(roc(y, score).interval, rel=1e-9)


# -- inputs -------------------------------------------------------------------------------------------------------
def test_every_kind_of_input_gives_the_same_curve():
    y, score = rows(n=50)
    want = roc(y, score)
    names = np.array(["no", "yes"])[y]
    for labels, positive in (
        (y.tolist(), None), (y.astype(bool), None), (2 * y - 1, None), (y.astype(float), None), (names, "yes"),
        (names.tolist(), "yes"), (pd.Series(names), "yes"), (pl.Series(names), "yes"), (y + 5, 6), (1 - y, 0),
        (~y.astype(bool), False), (pd.Series(y, index=y + 3), None),
    ):  # fmt: skip
        found = roc(labels, pd.Series(score), positive=positive)
        assert found.area == want.area
        assert found.interval == want.interval
    for values in (score.tolist(), pl.Series(score), score.astype(object)):
        assert roc(y, values).area == want.area


def test_a_curve_does_not_follow_its_input():
    y, score = rows(n=50)
    curve = roc(y, score)
    want = roc(y, score.copy()).tpr
    score[:] = 0
    np.testing.assert_array_equal(curve.tpr, want)


@pytest.mark.parametrize(
    ("y", "score", "options", "words"),
    [
        ([1, 1], [0.1, 0.2], {}, "y holds only the class 1"),
        ([True, True], [0.1, 0.2], {}, "All 2 rows of y are positive"),
        ([0], [0.1], {}, "y holds only the class 0"),
        ([], [], {}, "y is empty"),
        ([0, 1, 2], [1, 2, 3], {}, "y holds 3 classes; an ROC curve is for two. Give positive"),
        (["a", "b"], [1, 2], {}, "which of 'a' and 'b' is the positive class"),
        ([0, 1], [1, 2], {"positive": 3}, r"positive must be one of \[0, 1\]; got 3"),
        ([0, 1], [1, np.nan], {}, "score must be finite; got nan at row 1"),
        ([0, 1], [np.inf, 1], {}, "score must be finite; got inf at row 0"),
        ([0, 1], [1, 2, 3], {}, "y and score must have one entry per row; got 2 and 3"),
        ([0, 1], [[1, 2], [1, 2]], {}, "score must be a vector"),
        ([0, 1], ["a", "b"], {}, "score must hold numbers"),
        ([0, np.nan], [1, 2], {}, "y is nan at row 1"),
        ([0, 1], [1, 2], {"method": "exact"}, "method must be one of 'delong', 'bootstrap'"),
        ([0, 1], [1, 2], {"confidence": 95}, "confidence must lie between 0 and 1"),
        ([0, 1, 1], [1, 2, 3], {"sample_weight": [0, 1, 1]}, "All 2 rows of y are positive"),
    ],
)
def test_bad_input(y, score, options, words):
    with pytest.raises(ValueError, match=words):
        roc(y, score, **options)


def test_bad_questions():
    curve = roc([0, 1, 1], [1, 2, 3])
    with pytest.raises(InvalidParameter, match="threshold must be a number; got nan"):
        curve.at(np.nan)
    with pytest.raises(InvalidParameter, match="0 <= min < max <= 1"):
        curve.partial_area(0.2, min_fpr=0.4)
    with pytest.raises(InvalidParameter, match=r"fpr must lie in \[0, 1\]"):
        curve.tpr_at(1.2)
    with pytest.raises(InvalidParameter, match="names must be two words"):
        delong([0, 1], [1, 2], [2, 1], names="AB")
    with pytest.raises(InvalidInput, match="score_b must be finite"):
        delong([0, 1], [1, 2], [2, np.nan])
    assert curve.at(np.inf).tpr == 0
    assert curve.at(-np.inf).fpr == 1
    assert curve.frame("polars").shape == (4, 3)
    assert "Area under" in str(curve)
    assert "<p>" in curve._repr_html_()
