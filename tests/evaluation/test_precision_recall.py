"""Precision against recall, and rates against the threshold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student
from sklearn import metrics

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation import confusion, precision_recall, threshold_curves
from suffice.evaluation.measures import _areas
from suffice.evaluation.measures._tally import ScoreTally

drawn_rows = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=40).filter(
    lambda r: len({y for y, _ in r}) == 2
)


def rows(seed=0, n=120, ties=False):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    score = rng.standard_normal(n) + y
    return y, np.round(score * 2) / 2 if ties else score


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_curve_agrees_with_scikit_learn(ties, weighted):
    y, score = rows(ties=ties)
    w = np.random.default_rng(3).random(len(y)) + 0.1 if weighted else None
    found = precision_recall(y, score, sample_weight=w)
    precision, recall, _ = metrics.precision_recall_curve(y, score, sample_weight=w)
    np.testing.assert_allclose(found.precision[::-1], precision, rtol=1e-12)
    np.testing.assert_allclose(found.recall[::-1], recall, rtol=1e-12, atol=1e-15)
    theirs = metrics.average_precision_score(y, score, sample_weight=w)
    assert found.average_precision == pytest.approx(theirs, rel=1e-12, abs=0)
    weight = np.ones(len(y)) if w is None else w
    assert found.baseline == pytest.approx(weight[y].sum() / weight.sum(), rel=1e-12)


@given(drawn_rows)
@settings(max_examples=100, deadline=None)
def test_laws(drawn):
    y, score = np.array([r[0] for r in drawn]), np.array([float(r[1]) for r in drawn])
    found = precision_recall(y, score)
    assert found.precision[0] == 1
    assert found.precision[-1] == pytest.approx(y.mean(), rel=1e-12)
    assert (found.recall[0], found.recall[-1]) == (0, 1)
    low, high = found.interval
    assert 0 <= low <= found.average_precision <= high <= 1
    assert high - low > 1e-3
    assert precision_recall(y, np.exp(score)).average_precision == pytest.approx(
        found.average_precision, rel=1e-12
    )
    for threshold, value in list(zip(found.thresholds, found.precision, strict=True))[1:]:
        assert found.at(threshold).precision == pytest.approx(value, rel=1e-12)


def test_influence_is_the_derivative_by_a_row():
    """The variance is Σ (∂AP/∂w)² over rows: compare with central differences of scikit-learn's score."""
    y, score = rows(n=40, ties=True)
    slopes = []
    for i in range(len(y)):
        step = np.zeros(len(y))
        step[i] = 1e-6
        up, down = (metrics.average_precision_score(y, score, sample_weight=1 + s * step) for s in (1, -1))
        slopes.append((up - down) / 2e-6)
    value, (low, high) = _areas.average_precision(ScoreTally.of(y, score), 0.95)
    logit = np.log(np.array([low, high]) / (1 - np.array([low, high])))
    t = student.ppf(0.975, y.sum() - 1)
    assert np.diff(logit)[0] / 2 / t * value * (1 - value) == pytest.approx(np.linalg.norm(slopes), rel=1e-6)


def test_perfect_and_constant_scores():
    perfect = precision_recall([0, 0, 1, 1, 1], [1, 2, 3, 4, 5])
    assert perfect.average_precision == 1
    assert perfect.interval[0] < 0.7
    assert perfect.interval[1] == 1
    constant = precision_recall([0, 0, 1, 1, 1], [1] * 5)
    assert constant.average_precision == pytest.approx(0.6, rel=1e-12)
    low, high = constant.precision_band()
    assert np.isnan(low[0])
    assert low[1] < 0.6 < high[1]
    assert "without information" in str(constant)
    assert constant.frame().shape == (2, 3)
    with pytest.raises(InvalidInput, match="a precision-recall curve needs both classes"):
        precision_recall([1, 1], [1, 2])


# -- rates against the threshold ----------------------------------------------------------------------------------
@pytest.mark.slow
@given(drawn_rows)
@settings(max_examples=60, deadline=None)
def test_curves_are_the_tables_at_each_threshold(drawn):
    y, score = np.array([r[0] for r in drawn]), np.array([float(r[1]) for r in drawn])
    curves = threshold_curves(y, score)
    assert (curves.tpr[0], curves.fpr[0], curves.tpr[-1], curves.fpr[-1]) == (1, 1, 0, 0)
    assert (np.diff(curves.tpr) <= 0).all()
    assert (np.diff(curves.fpr) <= 0).all()
    for k, threshold in enumerate(curves.thresholds):
        table = confusion(y, score > threshold)
        for name in (
            "tpr",
            "fpr",
            "tnr",
            "fnr",
            "precision",
            "npv",
            "accuracy",
            "error",
            "scaled_accuracy",
            "f1",
            "youden",
        ):
            assert curves.curve(name)[k] == pytest.approx(
                getattr(table, name), rel=1e-12, abs=1e-12, nan_ok=True
            )
        low, high = curves.band("tpr")
        assert (low[k], high[k]) == pytest.approx(table.tpr.interval, rel=1e-12)
        assert curves.at(threshold) == table or curves.at(threshold).table.tolist() == table.table.tolist()


def test_best_threshold_and_words():
    curves = threshold_curves([1, 0, 1, 1, 0], [0.6, 0.4, 0.5, 0.1, 0.1])
    assert curves.best("accuracy") == 0.4
    assert curves.best("precision") == 0.4
    assert curves.frame().shape == (5, 12)
    assert "5 thresholds" in repr(curves)
    with pytest.raises(InvalidParameter, match="name must be one of"):
        curves.curve("auc")
    with pytest.raises(InvalidParameter, match="name must be one of"):
        curves.band("f1")
    with pytest.raises(AttributeError, match="has no attribute 'auc'"):
        _ = curves.auc
