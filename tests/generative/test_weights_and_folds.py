"""What holds for the whole room: weights that are small, folds that lack a class, sources with leftovers."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError, RankDeficient
from suffice.evaluation import cross_validate
from suffice.generative import (
    BayesClassifier,
    FisherDiscriminant,
    GaussianNB,
    JointTableClassifier,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)

rng = np.random.default_rng(0)
Y = np.repeat(list("abc"), 20)
X = rng.standard_normal((60, 3)) + np.repeat(np.eye(3), 20, axis=0)
GAPS = np.where(rng.random(X.shape) < 0.1, np.nan, X)
NORMAL = [
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    GaussianNB,
    FisherDiscriminant,
    BayesClassifier,
]


@pytest.mark.parametrize("weight", [1 / 60, 1e-6, 1e-100, 1e6])
@pytest.mark.parametrize("cls", NORMAL)
def test_a_common_factor_of_the_weights_changes_nothing(cls, weight):
    plain = cls().fit(X, Y).predict_log_proba(X)
    scaled = cls().fit(X, Y, sample_weight=np.full(60, weight)).predict_log_proba(X)
    np.testing.assert_allclose(scaled, plain, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("cls", NORMAL[:3])
def test_nor_with_missing_cells(cls):
    plain = cls().fit(GAPS, Y).predict_log_proba(X)
    scaled = cls().fit(GAPS, Y, sample_weight=np.full(60, 1e-3)).predict_log_proba(X)
    np.testing.assert_allclose(scaled, plain, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("cls", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis, GaussianNB])
def test_a_divisor_that_is_not_positive_is_refused(cls):
    with pytest.raises(InvalidInput, match="unbiased=True divides by .* Weights count rows"):
        cls(unbiased=True).fit(X, Y, sample_weight=np.full(60, 1 / 600))


def test_tiny_weights_of_a_table_of_counts():
    model = JointTableClassifier(1.0).fit(np.round(X), Y, sample_weight=np.full(60, 1e-12))
    assert np.isfinite(model.predict_log_proba(np.round(X))).all()


@pytest.mark.parametrize("cls", NORMAL)
def test_folds_that_lack_a_class_are_refits_and_say_so(cls):
    result = cross_validate(cls(), X, Y, cv=KFold(3))
    assert result.how == "statistics"
    assert result.estimate == 1.0
    assert "fold 0 has no training row of class 'a'" in result.notes[0]


@pytest.mark.parametrize("cls", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])
def test_a_training_set_of_one_class_is_refused_as_in_a_fit(cls):
    with pytest.raises(InvalidInput, match="needs at least 2 classes"):
        cross_validate(cls(), X, Y, cv=[(np.arange(20), np.arange(20, 60))])


def test_rows_of_weight_zero_have_no_loss():
    weight = np.where(np.arange(60) < 40, 1.0, 0.0)
    folds = [(np.arange(40), np.arange(35, 60)), (np.arange(5, 40), np.arange(10))]
    with_zero = cross_validate(LinearDiscriminantAnalysis(), X, Y, cv=folds, sample_weight=weight, loss="log")
    inside = [(np.arange(40), np.arange(35, 40)), (np.arange(5, 40), np.arange(10))]
    without = cross_validate(LinearDiscriminantAnalysis(), X[:40], Y[:40], cv=inside, loss="log")
    assert with_zero.estimate == pytest.approx(without.estimate, rel=1e-9)


@pytest.mark.parametrize("table", [X, GAPS], ids=["complete", "gaps"])
def test_a_scaler_before_naive_bayes_is_seen_through(table):
    folds, model = KFold(5, shuffle=True, random_state=0), make_pipeline(StandardScaler(), GaussianNB())
    result = cross_validate(model, table, Y, cv=folds, loss="log")
    refits = cross_val_predict(model, table, Y, cv=folds, method="predict_log_proba")
    assert result.how == "statistics"
    np.testing.assert_allclose(result.distributions.log_probabilities, refits, rtol=1e-9, atol=1e-9)


def test_row_numbers_that_pandas_leaves_in_a_file_are_no_column(tmp_path):
    table = pd.DataFrame(X, columns=["p", "q", "r"]).assign(kind=Y).sample(frac=1, random_state=0)
    table.to_parquet(tmp_path / "rows.parquet")
    model = engine.fit(LinearDiscriminantAnalysis(), str(tmp_path / "rows.parquet"), "kind")
    assert model.feature_names_in_.tolist() == ["p", "q", "r"]
    direct = LinearDiscriminantAnalysis().fit(table[["p", "q", "r"]], table["kind"])
    np.testing.assert_allclose(model.coef_, direct.coef_, rtol=1e-10)


def test_rows_that_were_never_in_cannot_be_taken_out():
    with pytest.raises(NumericalError, match="cannot be taken out.* Were they ever in"):
        suffice.forget(BayesClassifier().fit(X, Y), X[:3] + 100, Y[:3])


def test_messages_name_the_cause():
    with pytest.raises(InvalidParameter, match="n must be an integer >= 0; got -1"):
        GaussianNB().fit(X, Y).sample("a", -1)
    dates = pd.DataFrame({"a": X[:, 0], "when": pd.Timestamp("2020-01-01")})
    with pytest.raises(InvalidInput, match=r"Column 'when' holds dates .* at row 0\); encode it as numbers"):
        LinearDiscriminantAnalysis().fit(dates, Y)
    for wrong in (True, np.nan, -0.1, 1.1, "some"):
        with pytest.raises(
            InvalidParameter, match="shrinkage must be None, 'auto' or a number between 0 and 1"
        ):
            QuadraticDiscriminantAnalysis(shrinkage=wrong).fit(X, Y)


def test_labels_that_are_missing_are_named_before_rows_are_split():
    labels = np.where(np.arange(60) == 7, np.nan, (np.arange(60) % 2).astype(float))
    with pytest.raises(InvalidInput, match="y contains NaN at row 7"):
        cross_validate(GaussianNB(), X, labels, cv=5)


# -- columns that do not vary ---------------------------------------------------------------------------------
def with_columns(*extra):
    return np.column_stack([X, *extra])


def left_out(model, table):
    """log P(c | x) of every row by a refit without it."""
    out = np.empty((60, 3))
    for i in range(60):
        rest = np.arange(60) != i
        out[i] = model.fit(table[rest], Y[rest]).predict_log_proba(table[[i]])
    return out


FLAT = {
    "constant": with_columns(np.ones(60)),
    "ten constants": with_columns(*np.ones((10, 60))),
    "constant in a class": with_columns(np.where(Y == "a", 2.0, rng.standard_normal(60))),
    "a single spike": with_columns((np.arange(60) == 5).astype(float)),
    "an outlier": with_columns(np.where(np.arange(60) == 7, 1e6, rng.standard_normal(60))),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
@pytest.mark.parametrize("name", FLAT)
@pytest.mark.parametrize("cls", [QuadraticDiscriminantAnalysis, LinearDiscriminantAnalysis, BayesClassifier])
def test_leaving_rows_out_is_refitting_where_columns_are_flat(cls, name):
    result = cross_validate(cls(), FLAT[name], Y, cv=LeaveOneOut(), loss="log")
    expected = left_out(cls(), FLAT[name])
    np.testing.assert_allclose(result.distributions.log_probabilities, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("cls", [QuadraticDiscriminantAnalysis, LinearDiscriminantAnalysis])
def test_constant_columns_do_not_shrink_the_others(cls):
    plain = cls(shrinkage="auto").fit(X, Y).predict_log_proba(X)
    wide = FLAT["ten constants"]
    np.testing.assert_allclose(
        cls(shrinkage="auto").fit(wide, Y).predict_log_proba(wide), plain, rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("cls", [QuadraticDiscriminantAnalysis, BayesClassifier])
def test_a_column_constant_in_one_class_is_named(cls):
    with pytest.warns(RankDeficient, match="In class 'a' the columns 'x3' do not vary"):
        cls().fit(FLAT["constant in a class"], Y)


@pytest.mark.parametrize("cls", NORMAL[:2])
def test_decisions_have_a_column_for_a_class_without_rows(cls):
    model = cls().partial_fit(X[:40], Y[:40], classes=["a", "b", "c"])
    values = model.decision_function(X)
    assert values.shape == (60, 3)
    assert np.all(values[:, 2] == -np.inf)
    np.testing.assert_array_equal(model.classes_[values.argmax(axis=1)], model.predict(X))
