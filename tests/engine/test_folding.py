"""Folds from one pass are the folds that evaluation would have made of the same rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare
from sklearn.model_selection import GroupKFold, PredefinedSplit

import suffice
from suffice import engine
from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, Unsupported
from suffice.baselines import MajorityClassifier, MeanRegressor, PriorClassifier
from suffice.bases import GaussianBasis, Polynomial
from suffice.engine.hashing import folds_of_groups, folds_of_rows
from suffice.evaluation import cross_validate, select_features, validate_path
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge

N = 700
rng = np.random.default_rng(3)
X = rng.normal(size=(N, 4)) @ (np.eye(4) + 0.3) + 5.0
y = X @ [1.0, -2.0, 0.0, 0.5] + rng.normal(size=N)
W = rng.integers(0, 4, N).astype(float)
LABELS = np.where(y + rng.normal(size=N) > np.median(y), "high", "low")
SEVEN = PredefinedSplit(folds_of_rows(0, 0, N, 7, 0))


def frame():
    import polars as pl

    columns = {f"x{j}": X[:, j] for j in range(4)}
    return pl.DataFrame(columns | {"y": y, "w": W, "label": LABELS, "who": np.arange(N) // 9})


# -- which fold ---------------------------------------------------------------------------------------------
@given(st.integers(0, 5), st.integers(0, 10**9), st.integers(2, 400), st.integers(0, 99), st.integers(0, 300))
def test_a_row_has_its_fold_wherever_it_is_read(file, start, folds, seed, n):
    whole = folds_of_rows(file, start, n, folds, seed)
    assert whole.max(initial=0) < folds
    for cut in {0, n // 3, n}:
        parts = (
            folds_of_rows(file, start, cut, folds, seed),
            folds_of_rows(file, start + cut, n - cut, folds, seed),
        )
        np.testing.assert_array_equal(np.concatenate(parts), whole)


@pytest.mark.parametrize("folds", [2, 3, 10, 64, 1000])
def test_folds_are_even_and_unrelated_to_order_file_and_seed(folds):
    n = 200 * folds
    several = [folds_of_rows(*k) for k in ((0, 0, n, folds, 0), (1, 0, n, folds, 0), (0, 0, n, folds, 1))]
    for fold in several:
        assert chisquare(np.bincount(fold, minlength=folds)).pvalue > 1e-4
        neighbors = np.mean(fold[1:] == fold[:-1])
        assert abs(neighbors - 1 / folds) < 5 * np.sqrt(1 / folds / n)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert abs(np.mean(several[a] == several[b]) - 1 / folds) < 5 * np.sqrt(1 / folds / n)


def test_groups_stay_together_whatever_their_type():
    ids = np.array([7, 8, 7, 1000, 8])
    fold = folds_of_groups(ids, 50, 0)
    np.testing.assert_array_equal(fold, folds_of_groups(ids.astype(float), 50, 0))
    np.testing.assert_array_equal(fold, folds_of_groups(ids.astype(str).astype(object), 50, 0))
    assert fold[0] == fold[2]
    assert fold[1] == fold[4]
    many = folds_of_groups(np.arange(5000), 10, 0)
    assert chisquare(np.bincount(many)).pvalue > 1e-4


# -- the same as evaluation -----------------------------------------------------------------------------------
MODELS = [
    LinearRegression(),
    Ridge(3.0, standardize=True),
    BayesianLinearRegression(),
    MeanRegressor(),
    LinearRegression(basis=Polynomial(2)),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("weighted", [False, True])
def test_one_pass_equals_validation_of_the_rows(model, weighted):
    expected = cross_validate(model, X, y, cv=SEVEN, sample_weight=W if weighted else None)
    options = {"weight": "w"} if weighted else {}
    inputs = [f"x{j}" for j in range(4)]
    got = engine.cross_validate(model, frame(), "y", inputs, folds=7, interval=True, **options)
    assert got.how == "statistics"
    np.testing.assert_allclose(got.fold_losses, expected.fold_losses, rtol=1e-10)
    np.testing.assert_allclose(got.fold_sizes, expected.fold_sizes, rtol=1e-12)
    np.testing.assert_allclose(got.interval, expected.interval, rtol=1e-9)
    assert got.estimate == pytest.approx(expected.estimate, rel=1e-10, abs=0)
    arrays = engine.cross_validate(model, (X, y, *((W,) if weighted else ())), folds=7)
    np.testing.assert_allclose(arrays.fold_losses, expected.fold_losses, rtol=1e-10)
    assert arrays.interval is None


@pytest.mark.parametrize("loss", ["absolute", "log"])
def test_other_losses_take_a_second_pass(loss):
    expected = cross_validate(LinearRegression(), X, y, cv=SEVEN, loss=loss)
    got = engine.cross_validate(LinearRegression(), (X, y), folds=7, loss=loss)
    np.testing.assert_allclose(got.fold_losses, expected.fold_losses, rtol=1e-10)
    np.testing.assert_allclose(got.interval, expected.interval, rtol=1e-9)
    with pytest.raises(InvalidParameter, match="second pass, and this source can be read once"):
        engine.cross_validate(LinearRegression(), iter([(X, y)]), folds=7, loss=loss)


@pytest.mark.parametrize("model", [MajorityClassifier(), PriorClassifier()])
def test_classifiers(model):
    expected = cross_validate(model, X, LABELS, cv=SEVEN)
    got = engine.cross_validate(model, frame(), "label", ["x0", "x1", "x2", "x3"], folds=7)
    np.testing.assert_allclose(got.fold_losses, expected.fold_losses, rtol=1e-12)
    np.testing.assert_allclose(got.interval, expected.interval, rtol=1e-12)


def test_folds_average_and_batches_do_not_matter():
    by_fold = engine.cross_validate(Ridge(), (X, y), folds=7, average="fold")
    assert by_fold.estimate == pytest.approx(by_fold.fold_losses.mean(), rel=1e-12)
    batches = [(X[a : a + 90], y[a : a + 90]) for a in range(0, N, 90)]
    got = engine.cross_validate(Ridge(), iter(batches), folds=7)
    np.testing.assert_allclose(got.fold_losses, by_fold.fold_losses, rtol=1e-12)


def test_rows_keep_their_folds_when_conditions_leave_others_out():
    inputs = [f"x{j}" for j in range(4)]
    got = engine.cross_validate(
        Ridge(), frame(), "y", inputs, folds=7, interval=True, where=[("x0", ">", 4.5)]
    )
    kept = X[:, 0] > 4.5
    fold = folds_of_rows(0, 0, N, 7, 0)[kept]
    expected = cross_validate(Ridge(), X[kept], y[kept], cv=PredefinedSplit(fold))
    np.testing.assert_allclose(got.fold_losses, expected.fold_losses, rtol=1e-10)
    np.testing.assert_allclose(got.interval, expected.interval, rtol=1e-9)


def test_groups_are_never_split():
    table = frame()
    result = engine.cross_validate(Ridge(), table, "y", ["x0", "x1"], folds=5, groups="who")
    fold = folds_of_groups(table["who"].to_numpy(), 5, 0)
    expected = cross_validate(Ridge(), X[:, :2], y, cv=PredefinedSplit(fold))
    np.testing.assert_allclose(result.fold_losses, expected.fold_losses, rtol=1e-10)
    pairs = GroupKFold(5).split(X, y, fold)  # every group is in one fold
    assert all(not set(table["who"].to_numpy()[a]) & set(table["who"].to_numpy()[b]) for a, b in pairs)


# -- what the folds still answer --------------------------------------------------------------------------------
ALPHAS = (0.01, 1.0, 30.0, 1e4)


@pytest.fixture(scope="module")
def folded():
    return engine.cross_validate(Ridge(), frame(), "y", ["x0", "x1", "x2", "x3"], folds=7).statistics


@pytest.mark.parametrize("options", [{}, {"standardize": True}, {"fit_intercept": False}])
def test_penalties_without_reading_again(folded, options):
    expected = validate_path(Ridge(**options), X, y, "alpha", ALPHAS, cv=SEVEN)
    got = validate_path(Ridge(**options), folded, param="alpha", values=ALPHAS)
    np.testing.assert_allclose(got.fold_test, expected.fold_test, rtol=1e-10)
    np.testing.assert_allclose(got.fold_train, expected.fold_train, rtol=1e-10)
    assert (got.best, got.one_standard_error, got.how) == (
        expected.best,
        expected.one_standard_error,
        "statistics",
    )


def test_parameters_without_a_path_and_orders():
    expected = validate_path(
        BayesianLinearRegression(noise_precision=1.0), X, y, "prior_precision", [0.1, 10.0], cv=SEVEN
    )
    one = engine.cross_validate(Ridge(), (X, y), folds=7).statistics
    model = BayesianLinearRegression(noise_precision=1.0)
    got = validate_path(model, one, param="prior_precision", values=[0.1, 10.0])
    np.testing.assert_allclose(got.fold_test, expected.fold_test, rtol=1e-9)
    cubic = LinearRegression(basis=Polynomial(3))
    most = engine.cross_validate(cubic, (X[:, :1], y), folds=7).statistics
    orders = validate_path(cubic, most, param="basis__degree", values=[1, 2, 3])
    expected = validate_path(cubic, X[:, :1], y, "basis__degree", [1, 2, 3], cv=SEVEN)
    np.testing.assert_allclose(orders.fold_test, expected.fold_test, rtol=1e-8)


@pytest.mark.parametrize("direction", ["forward", "backward", "exhaustive"])
def test_selection_without_reading_again(folded, direction):
    expected = select_features(LinearRegression(), X, y, direction, cv=SEVEN)
    got = select_features(LinearRegression(), folded, direction=direction)
    assert got.selected == tuple(f"x{j}" for j in expected.selected)
    np.testing.assert_allclose(got.errors, expected.errors, rtol=1e-9)
    assert got.how == "statistics"


def test_selected_columns_of_arrays_are_numbers():
    one = engine.cross_validate(Ridge(), (X, y), folds=7).statistics
    assert select_features(LinearRegression(), one).selected == (0, 1, 3)


def test_the_fit_of_all_rows(folded):
    model = folded.fit(LinearRegression())
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-12)
    assert list(model.feature_names_in_) == ["x0", "x1", "x2", "x3"]


def test_folds_of_two_sites_add_and_are_saved(folded, tmp_path):
    half = N // 2
    parts = [
        engine.cross_validate(Ridge(), batches, folds=7).statistics
        for batches in ([(X[:half], y[:half])], [(X[:0], y[:0]), (X[half:], y[half:])])
    ]
    both = parts[0] + parts[1]
    assert both.sizes.sum() == N
    np.testing.assert_allclose(both.fit(Ridge()).coef_, Ridge().fit(X, y).coef_, rtol=1e-12)
    suffice.save(both, tmp_path / "folds.suffice")
    again = suffice.load(tmp_path / "folds.suffice")
    assert again == both
    assert "7 folds of 700 rows" in repr(again)
    with pytest.raises(HeaderMismatch, match="7 with seed 0 and 6 with seed 0"):
        both + engine.cross_validate(Ridge(), (X, y), folds=6).statistics


# -- bad input ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"folds": 1}, InvalidParameter, "folds must be an integer >= 2; got 1"),
        ({"folds": 2.5}, InvalidParameter, "got 2.5"),
        ({"seed": -1}, InvalidParameter, "seed must be an integer >= 0"),
        ({"average": "rows"}, InvalidParameter, "average must be one of"),
        ({"confidence": 1.0}, InvalidParameter, "confidence must lie between 0 and 1"),
        ({"groups": "who"}, InvalidParameter, "needs a table with column names"),
        ({"loss": "misclassification"}, InvalidParameter, "needs a classifier"),
    ],
)
def test_settings_that_make_no_sense(options, error, message):
    with pytest.raises(error, match=message):
        engine.cross_validate(Ridge(), (X, y), **options)


def test_too_many_folds_and_models_that_cannot():
    from sklearn.linear_model import LinearRegression as Other

    with pytest.raises(InvalidInput, match="has no rows that count; use fewer folds"):
        engine.cross_validate(Ridge(), (X[:20], y[:20]), folds=20)
    with pytest.raises(Unsupported, match="use evaluation.cross_validate"):
        engine.cross_validate(Other(), (X, y))
    with pytest.raises(Unsupported, match="centers or knots"):
        engine.cross_validate(LinearRegression(basis=GaussianBasis(3)), (X[:, :1], y))


def test_a_gap_is_named_by_its_row_though_rows_are_sorted():
    bad = X.copy()
    bad[431, 2] = np.nan
    with pytest.raises(InvalidInput, match="row 431, column 'x2'"):
        engine.cross_validate(Ridge(), (bad, y), folds=7)


def test_statistics_answer_only_what_they_hold(folded):
    with pytest.raises(Unsupported, match="squared loss, not 'absolute'"):
        validate_path(Ridge(), folded, param="alpha", values=ALPHAS, loss="absolute")
    with pytest.raises(HeaderMismatch, match="collect them for that"):
        validate_path(LinearRegression(basis=Polynomial(2)), folded, param="basis__degree", values=[1, 2])
    with pytest.raises(InvalidInput, match="need no y"):
        validate_path(Ridge(), folded, y, "alpha", ALPHAS)
    with pytest.raises(InvalidInput, match="need no sample_weight"):
        select_features(Ridge(), folded, sample_weight=W)
    with pytest.raises(Unsupported, match="cannot be judged from statistics"):
        select_features(MajorityClassifier(), folded, loss="squared")


@pytest.mark.parametrize("labels", [LABELS, (LABELS == "high"), np.where(LABELS == "high", 3, 1)])
def test_pairs_of_labels_are_those_of_the_predictions(labels, tmp_path):
    model, weight = PriorClassifier(), np.where(np.arange(N) < 80, 3.0, W)
    by_rows = cross_validate(model, X, labels, cv=SEVEN, sample_weight=weight)
    batches = [(X[a : a + 90], labels[a : a + 90], weight[a : a + 90]) for a in range(0, N, 90)]
    found = engine.cross_validate(model, batches, folds=7)
    by_batch = engine.cross_validate(model, (X, labels, weight), folds=7)
    expected: dict = {}
    for true, said, w in zip(labels.tolist(), by_rows.predictions.tolist(), weight.tolist(), strict=True):
        expected[true, said] = expected.get((true, said), 0.0) + w
    expected = {pair: w for pair, w in expected.items() if w}
    assert {(t, g): w for t, g, w in by_batch.label_pairs if w} == expected
    assert sum(w for *_, w in found.label_pairs) == weight.sum()
    wrong = sum(w for true, given, w in by_batch.label_pairs if true != given)
    assert by_batch.estimate == pytest.approx(wrong / weight.sum(), rel=1e-12)
    suffice.save(by_batch, tmp_path / "v.suffice")
    assert suffice.load(tmp_path / "v.suffice").label_pairs == by_batch.label_pairs
    assert engine.cross_validate(MeanRegressor(), (X, y), folds=7, loss="absolute").label_pairs is None
