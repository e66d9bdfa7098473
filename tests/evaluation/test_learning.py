"""Learning curves: equal to refits, nested, honest about their errors, and bad input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import linear_model
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold, ShuffleSplit, TimeSeriesSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from suffice._core.errors import FitFailed, InvalidInput, InvalidParameter
from suffice.baselines import MajorityClassifier, MeanRegressor, MedianRegressor, PriorClassifier
from suffice.bases import Polynomial
from suffice.evaluation import cross_validate
from suffice.evaluation._curves.nested import shuffled, training_orders, training_sizes
from suffice.evaluation._levels.splits import make_folds
from suffice.evaluation.learning import learning_curve
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge

from .refits import fit

pytestmark = pytest.mark.sampled(12)

rng = np.random.default_rng(7)
X = rng.standard_normal((60, 3))
y = 1 + X @ [1.0, -2.0, 0.5] + 0.7 * rng.standard_normal(60)
LABEL = np.where(y > np.quantile(y, 0.7), "high", "low")
W = rng.integers(1, 4, 60).astype(float)
SIZES = (10, 20, 35, 45)


def squared(truth, prediction):
    return np.mean((truth - prediction) ** 2)


# -- equal to refitting ---------------------------------------------------------------------------------
MODELS = {
    "least squares": LinearRegression(),
    "no intercept": LinearRegression(fit_intercept=False),
    "polynomial": LinearRegression(basis=Polynomial(2)),
    "ridge": Ridge(3.0),
    "ridge, standardized": Ridge(3.0, standardize=True, penalty_scale="mean"),
    "Bayesian": BayesianLinearRegression(prior_precision=2.0, noise_precision=1.0),
    "mean": MeanRegressor(),
    "pipeline": make_pipeline(StandardScaler(), Ridge(3.0)),
}


@pytest.mark.parametrize("weight", [None, W], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    "cv", [4, TimeSeriesSplit(3), ShuffleSplit(3, random_state=1)], ids=["4", "series", "drawn"]
)
def test_statistics_equal_refits(name, weight, cv):
    model, splits = MODELS[name], list((KFold(4) if cv == 4 else cv).split(X))
    sizes = [m for m in SIZES if m <= min(len(a) for a, _ in splits)]
    curve = learning_curve(model, X, y, sizes=sizes, cv=cv, sample_weight=weight, shuffle=False)
    w = np.ones(60) if weight is None else weight
    for i, m in enumerate(sizes):
        for k, (train, test) in enumerate(splits):
            fitted = fit(model, X, y, train[:m], weight)
            losses = (y - fitted.predict(X)) ** 2
            assert curve.fold_train[i, k] == pytest.approx(
                np.average(losses[train[:m]], weights=w[train[:m]]), rel=1e-9
            )
            assert curve.fold_test[i, k] == pytest.approx(np.average(losses[test], weights=w[test]), rel=1e-9)
    assert curve.how == "statistics"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(LinearRegression(), linear_model.LinearRegression()), (Ridge(2.0), linear_model.Ridge(2.0))],
)
def test_random_orders_are_the_same_for_refits(ours, theirs):
    options = {"sizes": SIZES, "cv": 4, "repeats": 3, "random_state": 5}
    fast, slow = learning_curve(ours, X, y, **options), learning_curve(theirs, X, y, **options)
    assert (fast.how, slow.how) == ("statistics", "refit")
    np.testing.assert_allclose(fast.fold_test, slow.fold_test, rtol=1e-9)
    np.testing.assert_allclose(fast.fold_train, slow.fold_train, rtol=1e-9)


@pytest.mark.parametrize("loss", ["absolute", "log", lambda y, p: np.maximum(y - p, 0)])
def test_other_losses_visit_the_rows(loss):
    curve = learning_curve(LinearRegression(), X, y, sizes=[30, 45], cv=4, loss=loss, shuffle=False)
    for k, (train, test) in enumerate(KFold(4).split(X)):
        fitted = LinearRegression().fit(X[train[:30]], y[train[:30]])
        prediction = fitted.predict(X[test])
        values = {
            "absolute": np.abs(y[test] - prediction),
            "log": -fitted.predict_dist(X[test]).log_prob(y[test]),
        }.get(loss, np.maximum(y[test] - prediction, 0))
        assert curve.fold_test[0, k] == pytest.approx(values.mean(), rel=1e-9)


@pytest.mark.parametrize("scale", [1e-120, 1e-8, 1e8, 1e120])
def test_units_of_the_target_do_not_matter(scale):
    options = {"sizes": SIZES, "cv": 4, "random_state": 0}
    plain, scaled = (learning_curve(LinearRegression(), X, c * y, **options) for c in (1.0, scale))
    np.testing.assert_allclose(scaled.test / scale**2, plain.test, rtol=1e-9)
    assert scaled.diagnosis == plain.diagnosis


# -- sizes and orders -----------------------------------------------------------------------------------
def test_sizes_by_default_grow_by_the_same_factor():
    sizes = training_sizes(None, 1000)
    assert (len(sizes), sizes[0], sizes[-1]) == (8, 100, 1000)
    np.testing.assert_allclose(sizes[1:] / sizes[:-1], 10 ** (1 / 7), rtol=0.01)
    assert training_sizes(None, 1).tolist() == [1]
    assert training_sizes(None, 5).tolist() == [1, 2, 3, 4, 5]


def test_sizes_are_sorted_and_unique():
    assert training_sizes([40, 0.5, 10, 20, np.int32(10), np.float32(1.0)], 40).tolist() == [10, 20, 40]
    assert training_sizes([1e-9], 40).tolist() == [1]


def test_sizes_are_nested_and_never_leave_the_training_rows():
    folds = make_folds(4, LinearRegression(), X, y)
    orders = training_orders(folds, None, True, 2, 0)
    assert len(orders) == 8
    for j, order in enumerate(orders):
        assert sorted(order) == sorted(folds.train(j % 4))
    assert not np.array_equal(orders[0], orders[4])  # a repeat is another order of the same fold
    assert not np.array_equal(orders[0], np.sort(orders[0]))


def test_beginnings_hold_each_class_by_its_share():
    labels = np.repeat(["a", "b", "c"], [60, 30, 10])
    order = labels[shuffled(np.arange(100), labels, np.random.default_rng(1))]
    for name, share in (("a", 0.6), ("b", 0.3), ("c", 0.1)):
        counts = np.cumsum(order == name)
        assert np.all(np.abs(counts - share * np.arange(1, 101)) < 2)


def test_classes_are_drawn_at_random_within_their_shares():
    labels = np.repeat(["a", "b"], [50, 50])
    draws = np.array([shuffled(np.arange(100), labels, np.random.default_rng(s))[:10] for s in range(400)])
    count = np.bincount(draws.ravel(), minlength=100)  # each row is drawn 40 times on average
    assert abs(count - 40).max() < 5 * np.sqrt(400 * 0.1 * 0.9)


def test_a_rare_class_may_come_late():
    labels = np.repeat(["a", "b", "c"], [60, 30, 10])
    first = [shuffled(np.arange(100), labels, np.random.default_rng(s))[:3] for s in range(400)]
    held = np.mean([np.any(rows >= 90) for rows in first])
    assert (
        abs(held - 0.3) < 5 * np.sqrt(0.3 * 0.7 / 400) + 0.05
    )  # one in ten rows; ties of places round by a row


def test_same_seed_same_curve_and_no_global_state():
    def curve(seed):
        return learning_curve(LinearRegression(), X, y, cv=4, random_state=seed)

    np.random.seed(1)  # noqa: NPY002
    first = curve(3)
    np.random.seed(2)  # noqa: NPY002
    assert curve(3) == first
    assert not np.array_equal(curve(4).test[:-1], first.test[:-1])
    np.testing.assert_allclose(curve(4).test[-1], first.test[-1], rtol=1e-12)  # all rows, whatever the order


def test_repeats_are_averaged_and_do_not_shrink_the_errors():
    one, many = (
        learning_curve(LinearRegression(), X, y, sizes=[12, 45], cv=4, repeats=r, random_state=0)
        for r in (1, 30)
    )
    assert many.fold_test.shape == one.fold_test.shape == (2, 4)
    assert many.test_error[-1] == pytest.approx(one.test_error[-1], rel=1e-9)


# -- what the record says -------------------------------------------------------------------------------
def test_means_and_errors_over_folds_of_unequal_size():
    curve = learning_curve(Ridge(), X[:58], y[:58], sizes=[20, 40], cv=4, random_state=0)
    assert curve.fold_sizes.tolist() == [15, 15, 14, 14]
    for mean, error, folds in (
        (curve.test, curve.test_error, curve.fold_test),
        (curve.train, curve.train_error, curve.fold_train),
    ):
        np.testing.assert_allclose(mean, [np.average(f, weights=[15, 15, 14, 14]) for f in folds], rtol=1e-12)
        np.testing.assert_allclose(error, [np.std(f, ddof=1) / 2 for f in folds], rtol=1e-12)


def test_largest_size_is_cross_validation():
    curve = learning_curve(LinearRegression(), X, y, cv=4, random_state=0)
    result = cross_validate(LinearRegression(), X, y, cv=4)
    assert curve.test[-1] == pytest.approx(result.estimate, rel=1e-9)


def test_baselines():
    def baseline(model, target=y, **options):
        return learning_curve(model, X, target, sizes=[30], cv=4, random_state=0, **options).baseline

    def validated(model, target=y, **options):
        return pytest.approx(cross_validate(model, X, target, cv=4, **options).estimate, rel=1e-9)

    classifier = LogisticRegression()
    assert baseline(LinearRegression()) == validated(MeanRegressor())
    assert baseline(LinearRegression(), loss="absolute") == validated(MedianRegressor(), loss="absolute")
    assert baseline(classifier, LABEL) == pytest.approx(np.mean(LABEL == "high"), rel=1e-9)
    assert baseline(classifier, LABEL, loss="log") == validated(PriorClassifier(), LABEL, loss="log")
    assert baseline(LinearRegression(), baseline=Ridge(1e3)) == validated(Ridge(1e3))
    assert baseline(LinearRegression(), baseline=2.5) == 2.5
    assert baseline(LinearRegression(), sample_weight=W) == validated(MeanRegressor(), sample_weight=W)


def test_a_baseline_that_ignores_columns_does_not_mind_missing_cells():
    hidden = X.copy()
    hidden[::7, 1] = np.nan
    curve = learning_curve(DecisionTreeRegressor(), hidden, y, sizes=[20, 40], cv=3, random_state=0)
    assert curve.baseline == pytest.approx(cross_validate(MeanRegressor(), X, y, cv=3).estimate, rel=1e-9)


def test_tables_groups_and_several_targets():
    options = {"sizes": [20, 40], "cv": 4, "random_state": 0}
    expected = learning_curve(LinearRegression(), X, y, **options)
    for table in (pd.DataFrame(X, columns=list("abc")), pl.DataFrame(X, schema=list("abc")), X.tolist()):
        np.testing.assert_allclose(
            learning_curve(LinearRegression(), table, y, **options).test, expected.test, rtol=1e-12
        )
    both = learning_curve(LinearRegression(), X, np.column_stack([y, 3 * y]), **options)
    np.testing.assert_allclose(both.test, 5 * expected.test, rtol=1e-9)
    grouped = learning_curve(
        LinearRegression(), X, y, sizes=[20], cv=GroupKFold(3), groups=np.arange(60) // 5
    )
    assert grouped.fold_test.shape == (1, 3)


def test_text_of_the_record():
    curve = learning_curve(LinearRegression(), X, y, sizes=SIZES, cv=4, target=0.6, random_state=0)
    frame = curve.frame()
    assert list(frame.columns) == ["size", "train", "test", "train_error", "test_error"]
    assert frame["size"].tolist() == list(SIZES)
    assert curve.frame("polars")["test"].to_list() == curve.test.tolist()
    assert curve.sentence in str(curve)
    assert curve.diagnosis in repr(curve)
    assert "target 0.6" in curve.sentence
    assert curve._repr_html_().count("<tr>") == 5


def test_one_fold_has_no_errors_but_an_answer():
    curve = learning_curve(
        LinearRegression(), X, y, sizes=SIZES, cv=[(np.arange(45), np.arange(45, 60))], random_state=0
    )
    assert np.isnan(curve.test_error).all()
    assert curve.signs.test.error == 0
    assert curve.diagnosis in ("good", "overfit", "more data")


# -- what may go wrong ----------------------------------------------------------------------------------
def test_too_few_rows_are_a_note_and_not_a_warning():
    wide = np.random.default_rng(0).standard_normal((40, 20))
    curve = learning_curve(LinearRegression(), wide, wide[:, 0], sizes=[5, 30], cv=4, random_state=0)
    assert curve.notes == (
        "5 rows cannot determine 20 columns; of all exact solutions the one with the smallest weights is "
        "returned. Use Ridge or BayesianLinearRegression, or fewer columns.",
    )
    np.testing.assert_allclose(curve.train, 0, atol=1e-20)


def test_constant_columns_and_constant_target():
    flat = np.column_stack([X, np.ones(60)])
    curve = learning_curve(LinearRegression(), flat, y, sizes=[20, 40], cv=4, random_state=0)
    expected = learning_curve(LinearRegression(), X, y, sizes=[20, 40], cv=4, random_state=0)
    np.testing.assert_allclose(curve.test, expected.test, rtol=1e-9)
    assert any("do not vary" in note for note in curve.notes)
    still = learning_curve(LinearRegression(), X, np.full(60, 3.0), sizes=[20, 40], cv=4, random_state=0)
    np.testing.assert_allclose(still.test, 0, atol=1e-25)
    assert still.diagnosis == "good"


def test_a_size_that_fails_is_missing_and_the_rest_is_kept():
    order = np.argsort(LABEL, kind="stable")  # the first 18 rows are of one class
    with pytest.warns(FitFailed, match="fold 0 with 5 rows failed: ValueError"):
        curve = learning_curve(
            LogisticRegression(), X[order], LABEL[order], sizes=[5, 20, 30, 40], cv=3, shuffle=False
        )
    assert np.isnan(curve.test[0])
    assert np.isfinite(curve.test[1:]).all()
    assert [note[:23] for note in curve.notes[1:]] == [f"fold {k} with 5 rows failed"[:23] for k in range(3)]
    assert curve.diagnosis != "unclear"
    drawn = learning_curve(
        LogisticRegression(), X[order], LABEL[order], sizes=[5, 20, 30, 40], cv=3, random_state=0
    )
    assert np.isfinite(drawn.test).all()  # drawn by class, five rows hold both


def test_infinite_losses_are_kept_and_said_to_be_unclear():
    curve = learning_curve(MajorityClassifier(), X, LABEL, sizes=[20, 40], cv=3, loss="log", random_state=0)
    assert np.isposinf(curve.test).all()
    assert np.isposinf(curve.train).all()
    assert np.isnan(curve.test_error).all()
    assert curve.diagnosis == "unclear"
    assert "inf" in curve._repr_html_()


def test_zero_weights_count_for_nothing():
    weight = np.where(np.arange(60) % 3, 1.0, 0.0)
    curve = learning_curve(
        LinearRegression(), X, y, sizes=[30, 45], cv=4, sample_weight=weight, shuffle=False
    )
    for k, (train, test) in enumerate(KFold(4).split(X)):
        seen, new = (rows[weight[rows] > 0] for rows in (train[:30], test))
        fitted = LinearRegression().fit(X[seen], y[seen])
        assert curve.fold_test[0, k] == pytest.approx(squared(y[new], fitted.predict(X[new])), rel=1e-9)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"sizes": []}, InvalidParameter, "sizes must name at least one number of training rows; got none"),
        ({"sizes": [0]}, InvalidParameter, "sizes must be integers from 1 to 45, .*; got 0"),
        ({"sizes": [46]}, InvalidParameter, "the rows of the smallest training set, .*; got 46. Larger"),
        ({"sizes": [1.5]}, InvalidParameter, "fractions above 0 and up to 1; got 1.5"),
        ({"sizes": [float("nan")]}, InvalidParameter, "got nan"),
        ({"sizes": [True]}, InvalidParameter, "got True"),
        ({"sizes": ["all"]}, InvalidParameter, "got 'all'"),
        ({"repeats": 0}, InvalidParameter, "repeats must be an integer >= 1; got 0"),
        ({"repeats": 1.0}, InvalidParameter, "repeats must be an integer >= 1; got 1.0"),
        ({"target": "low"}, InvalidParameter, "target must be a finite number; got 'low'"),
        ({"target": float("inf")}, InvalidParameter, "target must be a finite number; got inf"),
        ({"baseline": "mean"}, InvalidInput, "baseline must be a model, a number or None; got 'mean'"),
        ({"baseline": float("nan")}, InvalidParameter, "baseline must be a finite number; got nan"),
        ({"shuffle": "no"}, InvalidParameter, "shuffle must be True or False; got 'no'"),
        ({"loss": "cubic"}, InvalidParameter, "loss must be one of .*; got 'cubic'"),
        ({"cv": 61}, InvalidInput, "61 folds need at least 61 rows"),
        ({"random_state": -1}, InvalidParameter, "random_state must be >= 0; got -1"),
        ({"sample_weight": -W}, InvalidInput, "sample_weight"),
    ],
)
def test_bad_arguments(options, error, message):
    with pytest.raises(error, match=message):
        learning_curve(LinearRegression(), X, y, **{"cv": 4, **options})


@pytest.mark.parametrize(
    ("table", "target", "message"),
    [
        (np.where(X[17, 2] == X, np.nan, X), y, "NaN"),
        (X, np.where(y > y.max() - 1e-9, np.inf, y), "y"),
        (X[:, :0], y, "0 feature"),
        (X, y[:-1], "inconsistent numbers of samples"),
        (X.astype(str).astype(object), np.array(["a"] * 60), "y"),
    ],
)
def test_bad_tables(table, target, message):
    with pytest.raises(ValueError, match=message):
        learning_curve(LinearRegression(), table, target, cv=4)


def test_repeated_folds_average_over_partitions():
    cv = RepeatedKFold(n_splits=4, n_repeats=2, random_state=0)
    curve = learning_curve(LinearRegression(), X, y, sizes=[45], cv=cv, shuffle=False)
    assert curve.fold_test.shape == (1, 8)
    assert curve.test[0] == pytest.approx(np.mean(curve.fold_test), rel=1e-12)
