"""Which rows are wrong, and top-k accuracy."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import top_k_accuracy_score

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation import confusion, misclassified, top_k


def scores_and_truth(n=300, c=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((n, c)), rng.integers(0, c, n)


@pytest.mark.parametrize("k", [1, 2, 4])
def test_top_k_agrees_with_scikit_learn(k):
    scores, y = scores_and_truth()
    w = np.random.default_rng(1).random(len(y))
    theirs = top_k_accuracy_score(y, scores, k=k, sample_weight=w)
    assert top_k(y, scores, k, sample_weight=w) == pytest.approx(theirs, rel=1e-12, abs=0)
    tied = np.round(scores, 1)
    assert top_k(y, tied, k, ties="last") == pytest.approx(
        top_k_accuracy_score(y, tied, k=k), rel=1e-12, abs=0
    )


def test_ties_count_as_breaking_them_at_random_would():
    scores, y = scores_and_truth(n=40)
    tied = np.round(scores * 3)
    rng = np.random.default_rng(0)
    draws = [top_k(y, tied + 1e-6 * rng.random(tied.shape), 2) for _ in range(3000)]
    spread = np.std(draws) / np.sqrt(3000)
    assert top_k(y, tied, 2) == pytest.approx(np.mean(draws), abs=5 * spread)
    assert top_k(y, np.ones((40, 5)), 2) == pytest.approx(2 / 5, rel=1e-12)
    assert top_k(y, tied, 5) == 1


def test_a_confusion_of_scores_has_the_same_top_k():
    scores, y = scores_and_truth()
    names = np.array(list("edcba"))
    c = confusion(names[y], scores=scores, labels=list("edcba"))
    assert c.top_k(1) == c.accuracy
    for k in (1, 3, 5):
        found = top_k(y, scores, k)
        assert c.top_k(k) == pytest.approx(found, rel=1e-12)
        assert c.top_k(k).interval == pytest.approx(found.interval, rel=1e-12)
    both = confusion(y[:100], scores=scores[:100]) + confusion(y[100:], scores=scores[100:])
    assert both.top_k(3) == pytest.approx(top_k(y, scores, 3), rel=1e-12)
    with pytest.raises(InvalidParameter, match="make the table with confusion"):
        confusion([0, 1], [0, 1]).top_k(1)


@pytest.mark.parametrize(
    ("y", "scores", "options", "words"),
    [
        ([0, 1], [[1, 2, 3], [1, 2, 3]], {"k": 1}, "3 columns for 2 classes"),
        ([0, 1], [[1, 2], [1, np.nan]], {"k": 1}, "got nan at row 1, column 1"),
        ([0, 1], [1, 2], {"k": 1}, "one column per class"),
        ([0, 1], [[1, 2]], {"k": 1}, "y and scores must have one entry per row; got 2 and 1"),
        ([0, 1], [[1, 2], [2, 1]], {"k": 3}, "from 1 to the number of classes, 2; got 3"),
        ([0, 1], [[1, 2], [2, 1]], {"k": 0}, "got 0"),
        ([0, 1], [[1, 2], [2, 1]], {"k": 1, "ties": "first"}, "ties must be one of"),
        ([0, 5], [[1, 2], [2, 1]], {"k": 1, "labels": [0, 1]}, "the rows also hold 5"),
    ],
)
def test_bad_scores(y, scores, options, words):
    with pytest.raises(ValueError, match=words):
        top_k(y, scores, **options)
    with pytest.raises(InvalidParameter, match="either yhat"):
        confusion(y)


def test_mistakes_by_class_the_most_confident_first():
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(3), 200)
    y, yhat = rng.integers(0, 3, 200), p.argmax(axis=1)
    wrong = misclassified(y, yhat, p)
    for label, rows in wrong.by_class().items():
        assert set(rows) == set(np.flatnonzero((y == label) & (yhat != label)))
        assert (np.diff(p[rows].max(axis=1)) <= 0).all()
    assert len(wrong) == (y != yhat).sum()
    np.testing.assert_array_equal(wrong.predicted, yhat[wrong.rows])
    assert wrong.frame().shape == (len(wrong), 4)
    np.testing.assert_array_equal(misclassified(y, yhat, p.max(axis=1)).rows, wrong.rows)


def test_without_scores_rows_keep_their_order():
    wrong = misclassified(["a", "b", "a", "b"], ["b", "b", "b", "a"])
    np.testing.assert_array_equal(wrong.rows, [0, 2, 3])
    np.testing.assert_array_equal(wrong["b"], [3])
    assert np.isnan(wrong.certainty).all()
    assert len(misclassified([1, 1], [1, 1])) == 0
    with pytest.raises(InvalidParameter, match="There is no class 'z'"):
        wrong["z"]
    with pytest.raises(InvalidInput, match="confidence_scores must be finite"):
        misclassified([1, 0], [0, 1], [0.3, np.nan])
    with pytest.raises(InvalidInput, match="got 2 and 3"):
        misclassified([1, 0], [0, 1], [0.3, 0.2, 0.1])
