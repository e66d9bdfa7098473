"""Cross-validation: what the record says, and when statistics may not answer."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta, t
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression as SklearnLinear
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice._core.errors import InvalidInput
from suffice.baselines import MeanRegressor
from suffice.bases import GaussianBasis, Polynomial
from suffice.evaluation import LOSSES, Loss, Validation, cross_validate
from suffice.glm import PoissonRegression
from suffice.linear import LinearRegression, Ridge

rng = np.random.default_rng(4)
X = rng.standard_normal((37, 2))
y = 1 + X @ [1.0, -2.0] + 0.3 * rng.standard_normal(37)
W = rng.integers(1, 4, 37).astype(float)


def by_hand(model, splits, weight=None):
    from sklearn.base import clone

    return [
        clone(model).fit(X[a], y[a], **({} if weight is None else {"sample_weight": weight[a]})).predict(X[b])
        for a, b in splits
    ]


def test_estimate_is_the_mean_over_rows_or_over_folds():
    splits = list(KFold(5).split(X))
    losses = [(y[b] - p) ** 2 for (_, b), p in zip(splits, by_hand(LinearRegression(), splits), strict=True)]
    size = cross_validate(LinearRegression(), X, y, cv=5)
    fold = cross_validate(LinearRegression(), X, y, cv=5, average="fold")
    assert size.estimate == pytest.approx(np.concatenate(losses).mean())
    assert fold.estimate == pytest.approx(np.mean([v.mean() for v in losses]))
    assert size.estimate != fold.estimate
    np.testing.assert_allclose(size.losses, np.concatenate(losses))
    np.testing.assert_array_equal(size.fold_sizes, [len(b) for _, b in splits])


def test_interval_is_student_over_rows():
    result = cross_validate(Ridge(), X, y, cv=4, confidence=0.9)
    v = result.losses
    half = t.ppf(0.95, len(v) - 1) * v.std(ddof=1) / np.sqrt(len(v))
    np.testing.assert_allclose(result.interval, [v.mean() - half, v.mean() + half])
    wide = cross_validate(Ridge(), X, y, cv=4, confidence=0.99).interval
    assert wide[0] < result.interval[0] < result.interval[1] < wide[1]


def test_interval_of_errors_is_jeffreys():
    labels = np.where(np.arange(37) % 5 == 0, "a", "b")
    result = cross_validate(DummyClassifier(), X, labels, cv=4)
    wrong = int(np.sum(result.predictions != labels))
    assert result.loss == "misclassification"
    assert result.how == "refit"
    assert result.estimate == pytest.approx(wrong / 37)
    np.testing.assert_allclose(result.interval, beta(wrong + 0.5, 37 - wrong + 0.5).interval(0.95))
    assert result.probabilities.shape == (37, 2)


def test_weights_count_in_training_and_in_the_mean():
    splits = list(KFold(4).split(X))
    result = cross_validate(LinearRegression(), X, y, cv=4, sample_weight=W)
    losses = np.concatenate(
        [(y[b] - p) ** 2 for (_, b), p in zip(splits, by_hand(LinearRegression(), splits, W), strict=True)]
    )
    assert result.estimate == pytest.approx(np.average(losses, weights=W))
    rows = np.repeat(np.arange(37), W.astype(int))
    folds = [(np.flatnonzero(~np.isin(rows, b)), np.flatnonzero(np.isin(rows, b))) for _, b in splits]
    repeated = cross_validate(LinearRegression(), X[rows], y[rows], cv=folds)
    assert repeated.estimate == pytest.approx(result.estimate)
    np.testing.assert_allclose(repeated.interval, result.interval)


def test_rows_never_tested_are_missing():
    result = cross_validate(
        LinearRegression(), X, y, cv=[(np.arange(20), np.arange(30, 37)), (np.arange(10, 30), np.arange(5))]
    )
    tested = np.isin(np.arange(37), [*range(30, 37), *range(5)])
    assert np.array_equal(np.isnan(result.predictions), ~tested)
    assert result.interval is not None
    assert result.how == "statistics"


def test_rows_tested_twice_have_no_interval():
    result = cross_validate(
        LinearRegression(), X, y, cv=RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    )
    assert result.interval is None
    assert isinstance(result.predictions, list)
    assert [len(p) for p in result.predictions] == [13, 12, 12] * 2


def test_training_rows_drawn_twice_count_twice():
    """A bootstrap's training set repeats rows; sums over the other folds would be wrong."""
    half = np.arange(18), np.arange(18, 36)
    splits = [(np.repeat(half[1][:9], 2), half[0]), (half[0], half[1])]
    A, target = X[:36], y[:36]
    result = cross_validate(LinearRegression(), A, target, cv=splits)
    for (a, b), fold in zip(splits, result.fold_losses, strict=True):
        assert fold == pytest.approx(
            np.mean((target[b] - LinearRegression().fit(A[a], target[a]).predict(A[b])) ** 2)
        )


def test_training_rows_that_overlap_the_test_rows():
    splits = [(np.arange(37), np.arange(10)), (np.arange(37), np.arange(10, 37))]
    whole = LinearRegression().fit(X, y)
    assert cross_validate(LinearRegression(), X, y, cv=splits).estimate == pytest.approx(
        np.mean((y - whole.predict(X)) ** 2)
    )


def test_groups():
    groups = np.arange(37) // 4
    splits = list(GroupKFold(3).split(X, y, groups))
    result = cross_validate(Ridge(0.1), X, y, cv=GroupKFold(3), groups=groups)
    np.testing.assert_allclose(
        result.fold_losses,
        [np.mean((y[b] - p) ** 2) for (_, b), p in zip(splits, by_hand(Ridge(0.1), splits), strict=True)],
    )


@pytest.mark.parametrize(
    ("loss", "function"),
    [
        ("squared", lambda y, p: (y - p) ** 2),
        ("absolute", lambda y, p: np.abs(y - p)),
        (lambda y, p: np.maximum(y - p, 0), lambda y, p: np.maximum(y - p, 0)),
        (Loss("cubic", "predict", lambda y, p: np.abs(y - p) ** 3), lambda y, p: np.abs(y - p) ** 3),
    ],
    ids=["squared", "absolute", "function", "record"],
)
def test_losses(loss, function):
    splits = list(KFold(3).split(X))
    result = cross_validate(LinearRegression(), X, y, cv=3, loss=loss)
    expected = np.concatenate(
        [function(y[b], p) for (_, b), p in zip(splits, by_hand(LinearRegression(), splits), strict=True)]
    )
    np.testing.assert_allclose(result.losses, expected)


def test_several_targets():
    Y = np.column_stack([y, 2 * y - 1])
    result = cross_validate(LinearRegression(), X, Y, cv=3)
    assert result.predictions.shape == (37, 2)
    single = [cross_validate(LinearRegression(), X, Y[:, j], cv=3).estimate for j in range(2)]
    assert result.estimate == pytest.approx(np.mean(single))


def test_a_basis_with_centres_from_the_data_is_refitted():
    """Centres taken from all rows would have seen the test rows."""
    model = LinearRegression(basis=GaussianBasis(4))
    x = X[:, :1]
    splits = list(KFold(3).split(x))
    result = cross_validate(model, x, y, cv=3)
    direct = [
        np.mean((y[b] - LinearRegression(basis=GaussianBasis(4)).fit(x[a], y[a]).predict(x[b])) ** 2)
        for a, b in splits
    ]
    np.testing.assert_allclose(result.fold_losses, direct, rtol=1e-12)
    assert result.how == "refit"
    assert result.notes
    fixed = cross_validate(LinearRegression(basis=GaussianBasis([-1.0, 0.0, 1.0], width=1.0)), x, y, cv=3)
    assert fixed.how == "statistics"
    assert fixed.notes == ()
    mixed = LinearRegression(basis=Polynomial(2) + GaussianBasis(3))
    assert cross_validate(mixed, x, y, cv=3).how == "refit"


def test_foreign_estimators_and_pipelines():
    ours, theirs = (cross_validate(m, X, y, cv=3) for m in (LinearRegression(), SklearnLinear()))
    assert (ours.how, theirs.how) == ("statistics", "refit")
    np.testing.assert_allclose(ours.predictions, theirs.predictions, rtol=1e-10)
    pipe = cross_validate(make_pipeline(StandardScaler(), Ridge(2.0)), X, y, cv=3)
    assert pipe.estimate == pytest.approx(cross_validate(Ridge(2.0, standardize=True), X, y, cv=3).estimate)


@pytest.mark.slow
def test_parallel_refits():
    one, two = (cross_validate(SklearnLinear(), X, y, cv=3, n_jobs=n) for n in (1, 2))
    assert np.array_equal(one.predictions, two.predictions)


def test_params_are_sliced_and_refitted():
    result = cross_validate(SklearnLinear(), X, y, cv=3, params={"sample_weight": W})
    splits = list(KFold(3).split(X))
    direct = [np.mean((y[b] - SklearnLinear().fit(X[a], y[a], W[a]).predict(X[b])) ** 2) for a, b in splits]
    np.testing.assert_allclose(result.fold_losses, direct)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_tables(kind):
    import importlib

    table = importlib.import_module(kind).DataFrame({"a": X[:, 0], "b": X[:, 1]})
    for model in (LinearRegression(), SklearnLinear()):
        np.testing.assert_allclose(
            cross_validate(model, table, y, cv=3).predictions,
            cross_validate(model, X, y, cv=3).predictions,
            rtol=1e-12,
        )


def test_lists_are_tables():
    for model in (LinearRegression(), SklearnLinear()):
        np.testing.assert_allclose(
            cross_validate(model, X.tolist(), y.tolist(), cv=3).predictions,
            cross_validate(model, X, y, cv=3).predictions,
        )


def test_log_loss_is_minus_the_log_density():
    splits = list(ShuffleSplit(2, test_size=5, random_state=0).split(X))
    result = cross_validate(LinearRegression(), X, y, cv=splits, loss="log")
    for (a, b), fold in zip(splits, result.fold_losses, strict=True):
        assert fold == pytest.approx(
            -np.mean(LinearRegression().fit(X[a], y[a]).predict_dist(X[b]).log_prob(y[b]))
        )
    with pytest.raises((TypeError, ValueError), match="predict_dist"):
        cross_validate(SklearnLinear(), X, y, loss="log")


def test_leave_one_out_of_the_mean_is_known():
    """The left-out residual of a mean is n/(n − 1) times the plain one."""
    result = cross_validate(MeanRegressor(), X, y, cv=37)
    np.testing.assert_allclose(y - result.predictions, (y - y.mean()) * 37 / 36, rtol=1e-12)


def test_leave_one_out_by_leverage():
    model = LinearRegression().fit(X, y)
    expected = (y - model.predict(X)) / (1 - model.leverage(X))
    result = cross_validate(LinearRegression(), X, y, cv=37)
    np.testing.assert_allclose(y - result.predictions, expected, rtol=1e-10)


def test_the_model_is_not_touched():
    model = Ridge(1.0)
    cross_validate(model, X, y, cv=3)
    assert not hasattr(model, "coef_")


def test_the_record_speaks():
    result = cross_validate(LinearRegression(), X, y, cv=3)
    assert isinstance(result, Validation)
    assert str(result).startswith(f"squared loss {result.estimate:.5g}, 95 % interval [")
    assert "over 3 folds (from statistics)" in str(result)
    assert "<table>" in result._repr_html_()
    assert list(result.frame().columns) == ["fold", "size", "loss"]
    assert result.frame(kind="polars").shape == (3, 3)
    with pytest.raises(ValueError, match="kind must be one of"):
        result.frame(kind="excel")
    assert set(LOSSES) == {"squared", "absolute", "misclassification", "log", "poisson", "log density"}


def test_a_fold_without_weight_is_named():
    weight = np.where(np.arange(37) < 13, 0.0, 1.0)
    with pytest.raises(InvalidInput, match="Fold 0 has no test rows with positive weight"):
        cross_validate(LinearRegression(), X, y, cv=3, sample_weight=weight)


def test_folds_whose_distributions_are_of_several_kinds_stay_apart():
    gen = np.random.default_rng(0)
    A = gen.standard_normal((60, 2))
    counts = gen.poisson(np.exp(0.3 * A[:, 0] + 0.5)).astype(float)
    model, splits = PoissonRegression(dispersion="pearson"), list(KFold(10).split(A))
    found = cross_validate(model, A, counts, loss="log", cv=KFold(10))
    own = [model.fit(A[a], counts[a]).predict_dist(A[b]) for a, b in splits]
    assert {type(d).__name__ for d in own} == {"NegativeBinomial", "Poisson"}
    assert [type(d) for d in found.distributions] == [type(d) for d in own]
    losses = np.concatenate([-d.log_prob(counts[b]) for d, (_, b) in zip(own, splits, strict=True)])
    np.testing.assert_allclose(found.losses, losses, rtol=1e-10)
