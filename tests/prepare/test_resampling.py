"""Resampling: sizes, membership, kinds of tables; the wrapper passes scikit-learn's checks and keeps tests honest."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.class_weight import compute_class_weight

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.baselines import PriorClassifier
from suffice.evaluation import cross_validate
from suffice.prepare.transforming.resampling import Balanced, class_weights, oversample, undersample

from ..contract.checks.scikit_learn import assert_accepted

pytestmark = pytest.mark.sampled(4)

RNG = np.random.default_rng(3)
Y = np.array(["a"] * 50 + ["b"] * 7 + ["c"] * 16)[RNG.permutation(73)]
X = np.column_stack([np.arange(73.0), RNG.normal(size=73)])


def sizes(y):
    return dict(zip(*(v.tolist() for v in np.unique(np.asarray(y), return_counts=True)), strict=True))


# -- the functions ---------------------------------------------------------------------------------------
def test_undersampling_keeps_rows_of_the_smallest_size():
    table, labels = undersample(X, Y, 0)
    assert sizes(labels) == {"a": 7, "b": 7, "c": 7}
    rows = table[:, 0].astype(int)
    assert len(set(rows)) == 21
    assert np.all(np.diff(rows) > 0)
    np.testing.assert_array_equal(labels, Y[rows])
    np.testing.assert_array_equal(table, X[rows])
    assert set(np.flatnonzero(Y == "b")) <= set(rows)


def test_oversampling_copies_every_row_about_equally_often():
    table, labels = oversample(X, Y, 0)
    assert sizes(labels) == {"a": 50, "b": 50, "c": 50}
    rows = table[:, 0].astype(int)
    np.testing.assert_array_equal(labels, Y[rows])
    times = np.bincount(rows, minlength=73)
    assert np.all(times[Y == "a"] == 1)
    assert set(times[Y == "b"]) == {7, 8}
    assert set(times[Y == "c"]) == {3, 4}


def test_the_choice_is_random_and_can_be_repeated():
    first, second, third = (undersample(X, Y, seed)[0] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, third)


@pytest.mark.parametrize("seed", range(12))
def test_no_row_is_kept_twice(seed):
    rows = undersample(X, Y, seed)[0][:, 0]
    assert len(set(rows)) == len(rows) == 21


def test_every_row_of_a_large_class_is_as_likely():
    """1,000 draws of 2 out of 5: each row 400 times, within five standard deviations of about 15.5."""
    y, rng = np.array([0] * 5 + [1] * 2), np.random.default_rng(0)
    kept = np.concatenate([undersample(np.arange(7)[:, None], y, rng)[0][:, 0] for _ in range(1000)])
    times = np.bincount(kept, minlength=7)
    assert np.all(np.abs(times[:5] - 400) < 78)
    assert np.all(times[5:] == 1000)


@pytest.mark.parametrize("sample", [undersample, oversample])
def test_the_callers_kind_comes_back(sample):
    plain, labels = sample(X, Y, 4)
    frame, series = sample(pd.DataFrame(X, columns=["i", "v"], index=range(100, 173)), pd.Series(Y), 4)
    assert isinstance(frame, pd.DataFrame)
    assert isinstance(series, pd.Series)
    np.testing.assert_array_equal(frame.to_numpy(), plain)
    np.testing.assert_array_equal(series.to_numpy(), labels)
    assert list(frame.columns) == ["i", "v"]
    table, column = sample(pl.DataFrame(X, schema=["i", "v"]), pl.Series(Y.tolist()), 4)
    assert isinstance(table, pl.DataFrame)
    assert isinstance(column, pl.Series)
    np.testing.assert_array_equal(table.to_numpy(), plain)
    for kind in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        matrix, _ = sample(kind(X), Y, 4)
        assert sparse.issparse(matrix)
        np.testing.assert_array_equal(matrix.toarray(), plain)
    rows, words = sample(X.tolist(), Y.tolist(), 4)
    assert rows == plain.tolist()
    assert words == labels.tolist()


def test_classes_of_equal_size_stay_as_they_are():
    for sample in (undersample, oversample):
        table, labels = sample([[1], [2]], [0, 1])
        assert (table, labels) == ([[1], [2]], [0, 1])
        assert sample([[5]], ["only"]) == ([[5]], ["only"])


def test_weights_are_scikit_learns():
    found = class_weights(Y)
    expected = compute_class_weight("balanced", classes=np.array(["a", "b", "c"]), y=Y)
    np.testing.assert_allclose(list(found.values()), expected, rtol=1e-14)
    assert list(found) == ["a", "b", "c"]
    w = RNG.integers(1, 4, 73)
    assert class_weights(Y, w) == pytest.approx(class_weights(np.repeat(Y, w)), rel=1e-12)
    assert class_weights([True, False, True]) == {False: 1.5, True: 0.75}
    assert class_weights(["a", "b"], [1, 0]) == {"a": 1.0}
    LogisticRegression(class_weight=found).fit(X, Y)


@pytest.mark.parametrize(
    "call, match",
    [
        (lambda: undersample(X, Y[:-1]), "X has 73 rows and y has 72"),
        (lambda: undersample([], []), "at least one"),
        (lambda: oversample(X, np.zeros((73, 1))), "vector of labels"),
        (lambda: oversample([[1], [2]], [0.0, np.nan]), "y contains NaN at row 1"),
        (lambda: oversample([[1], [2]], ["a", None]), "y contains NaN at row 1"),
        (lambda: class_weights([]), "at least one"),
        (lambda: class_weights([0, 1], [0, 0]), "No row counts"),
        (lambda: class_weights([0, 1], [1, -1]), "zero or more"),
        (lambda: class_weights([0, 1], [1]), "2 finite numbers"),
    ],
)
def test_bad_input_is_named(call, match):
    with pytest.raises(InvalidInput, match=match):
        call()


# -- the estimator ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "estimator",
    [
        Balanced(LogisticRegression()),
        Balanced(LogisticRegression(), how="over", random_state=None),
        Balanced(KNeighborsClassifier(2), how="over", random_state=1),
    ],
    ids=str,
)
def test_scikit_learns_checks(estimator):
    assert_accepted(estimator)


@pytest.mark.parametrize("how, sample", [("under", undersample), ("over", oversample)])
def test_it_is_the_estimator_on_balanced_rows(how, sample):
    model = Balanced(LogisticRegression(), how=how, random_state=6).fit(X, Y)
    by_hand = LogisticRegression().fit(*sample(X, Y, 6))
    np.testing.assert_array_equal(model.predict_proba(X), by_hand.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), by_hand.predict(X))
    np.testing.assert_array_equal(model.decision_function(X), by_hand.decision_function(X))
    np.testing.assert_array_equal(model.predict_log_proba(X), by_hand.predict_log_proba(X))
    np.testing.assert_array_equal(model.classes_, by_hand.classes_)


def test_validation_stays_honest():
    """Labels that nothing predicts. Copies made before the split are found by the nearest neighbor; inside it, not."""
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(400, 3)), (rng.random(400) < 0.1).astype(int)
    order = rng.permutation(2 * np.sum(y == 0))
    wide, labels = (v[order] for v in oversample(X, y, 0))
    cheating = cross_validate(KNeighborsClassifier(1), wide, labels, cv=5)
    honest = cross_validate(Balanced(KNeighborsClassifier(1), how="over"), X, y, cv=5)
    recall = [np.mean(h.predictions[t == 1] == 1) for h, t in ((cheating, labels), (honest, y))]
    assert recall[0] > 0.95
    assert recall[1] < 0.35
    assert len(honest.losses) == 400


def test_it_is_searched_and_cloned_like_any_other():
    search = GridSearchCV(
        Balanced(LogisticRegression()), {"how": ["under", "over"], "estimator__C": [0.1, 1.0]}, cv=3
    )
    assert search.fit(X[:, 1:], Y).best_params_["how"] in ("under", "over")
    model = clone(Balanced(KNeighborsClassifier(3), how="over", random_state=5))
    assert (model.how, model.random_state, model.estimator.n_neighbors) == ("over", 5, 3)


def test_our_own_classifiers_and_frames():
    model = Balanced(PriorClassifier()).fit(pd.DataFrame(X, columns=["i", "v"]), pd.Series(Y))
    np.testing.assert_allclose(model.predict_proba(pd.DataFrame(X, columns=["i", "v"]))[0], [1 / 3] * 3)
    assert list(model.feature_names_in_) == ["i", "v"]
    assert not hasattr(model, "decision_function")
    assert model.n_features_in_ == 2


def test_a_wrong_way_is_named():
    with pytest.raises(InvalidParameter, match="how must be one of 'under', 'over'; got 'up'"):
        Balanced(LogisticRegression(), how="up").fit(X, Y)
    with pytest.raises(InvalidInput, match="requires y"):
        Balanced(LogisticRegression()).fit(X, None)
