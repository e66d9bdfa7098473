"""Linear and quadratic discriminant analysis on complete rows: degenerate tables, labels, weights, sums, claims."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, LeaveOneOut
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, RankDeficient, SufficeWarning
from suffice.distributions import MultivariateNormal
from suffice.evaluation import cross_validate
from suffice.generative import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

BOTH = [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis]
both = pytest.mark.parametrize("cls", BOTH)
rng = np.random.default_rng(1)
Y = np.repeat(["a", "b", "c"], [30, 25, 20])
X = (
    rng.standard_normal((75, 3)) @ rng.standard_normal((3, 3))
    + np.repeat([0.0, 2.0, -1.5], [30, 25, 20])[:, None]
)
NEW = rng.standard_normal((9, 3)) * 2


def same(a, b, tolerance=1e-9):
    np.testing.assert_allclose(a.predict_proba(NEW), b.predict_proba(NEW), rtol=0, atol=tolerance)


# -- the model ------------------------------------------------------------------------------------------
def test_quadratic_fit_is_the_formula():
    model = QuadraticDiscriminantAnalysis().fit(X, Y)
    joint = model.predict_joint_log_proba(NEW)
    for k, label in enumerate("abc"):
        rows = X[label == Y]
        density = MultivariateNormal(rows.mean(axis=0), np.cov(rows.T, bias=True))
        np.testing.assert_allclose(joint[:, k], density.log_prob(NEW) + np.log(len(rows) / 75), rtol=1e-10)


def test_linear_fit_is_the_formula():
    """PRML 4.75–4.78: Σ is the average of the covariances by the shares of the classes."""
    model = LinearDiscriminantAnalysis("lsqr").fit(X, Y)
    within = sum(np.cov(X[c == Y].T, bias=True) * np.mean(c == Y) for c in "abc")
    np.testing.assert_allclose(model.covariance_, within, rtol=1e-10)
    np.testing.assert_allclose(model.coef_, np.linalg.solve(within, model.means_.T).T, rtol=1e-9)
    constant = [
        -0.5 * m @ np.linalg.solve(within, m) + np.log(p)
        for m, p in zip(model.means_, model.priors_, strict=True)
    ]
    np.testing.assert_allclose(model.intercept_, constant, rtol=1e-9)


def test_texts_divide_by_different_numbers():
    fcml, dtu = (
        QuadraticDiscriminantAnalysis.book(text, store_covariance=True).fit(X, Y) for text in ("fcml", "dtu")
    )
    for k, n in enumerate((30, 25, 20)):
        np.testing.assert_allclose(dtu.covariance_[k] * (n - 1) / n, fcml.covariance_[k], rtol=1e-12)
    with pytest.raises(InvalidParameter, match="text must be one of"):
        QuadraticDiscriminantAnalysis.book("bishop")


@pytest.mark.parametrize(
    ("k", "d", "counts"), [(2, 2, (10, 7, 8)), (3, 10, (195, 85, 60)), (1 + 1, 10, (130, 75, 40))]
)
def test_parameter_counts(k, d, counts):
    """Herbst §4.2.3, FCML §5.2.1.5: ½KD(D + 3), KD + ½D(D + 1), 2KD."""
    table, y = np.random.default_rng(0).standard_normal((60 * k, d)), np.repeat(np.arange(k), 60)
    models = (
        QuadraticDiscriminantAnalysis(),
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(covariance="diagonal"),
    )
    assert tuple(m.fit(table, y).n_parameters_ for m in models) == counts


def test_certainty_grows_away_from_the_rows():
    """FCML §5.2.1.4: where no row was seen, the class that decays slowest takes all."""
    r = np.random.default_rng(2)
    y = np.repeat(["narrow", "broad"], 40)
    table = r.standard_normal((80, 2)) * np.where(y == "narrow", 0.5, 2.0)[:, None]
    model = QuadraticDiscriminantAnalysis().fit(table, y)
    for angle in np.linspace(0, 2 * np.pi, 9):
        far = 30 * np.array([[np.cos(angle), np.sin(angle)]])
        assert model.predict(far)[0] == "broad"
        assert model.predict_proba(far).max() > 1 - 1e-12
    assert model.score_samples([[30.0, 30.0]])[0] < model.score_samples(table).min() - 50  # log p(x) tells


@both
def test_priors_move_the_boundary_alone(cls):
    plain, moved = cls().fit(X, Y), cls(priors=[0.8, 0.1, 0.1]).fit(X, Y)
    gap = moved.predict_joint_log_proba(NEW) - plain.predict_joint_log_proba(NEW)
    np.testing.assert_allclose(
        gap, np.tile(np.log([0.8, 0.1, 0.1]) - np.log(plain.priors_), (9, 1)), rtol=1e-9
    )
    same(cls(priors="empirical").fit(X, Y), plain, 0.0)
    np.testing.assert_allclose(cls(priors="uniform").fit(X, Y).priors_, 1 / 3)
    for wrong, words in (
        ([0.5, 0.5], "match number of classes, 3"),
        ([0.5, 0.7, -0.2], "non-negative"),
        ([0, 0, 0], "sum of the priors"),
    ):
        with pytest.raises(InvalidParameter, match=words):
            cls(priors=wrong).fit(X, Y)
    if cls is LinearDiscriminantAnalysis:  # as in scikit-learn
        with pytest.warns(SufficeWarning, match="do not sum to 1 but to 3"):
            np.testing.assert_allclose(cls(priors=[1, 1, 1]).fit(X, Y).priors_, 1 / 3)
    else:
        with pytest.raises(InvalidParameter, match="sum of the priors"):
            cls(priors=[1, 1, 1]).fit(X, Y)


# -- degenerate tables ----------------------------------------------------------------------------------
@both
def test_collinear_columns_are_named_and_answered(cls):
    table = pandas.DataFrame(np.column_stack([X, X[:, 0] + X[:, 1]]), columns=["u", "v", "w", "sum"])
    with pytest.warns(RankDeficient, match="'(u|v|sum)'"):
        model = cls().fit(table, Y)
    linear = (
        cls is LinearDiscriminantAnalysis
    )  # the spread lent to a flat direction differs between the classes
    new = pandas.DataFrame(np.column_stack([NEW, NEW[:, 0] + NEW[:, 1]]), columns=table.columns)
    plain = cls().fit(X, Y)
    np.testing.assert_allclose(
        model.predict_proba(new), plain.predict_proba(NEW), atol=1e-3 if linear else 0.1
    )
    assert cls(shrinkage="auto").fit(table, Y).predict(new).shape == (9,)


@both
def test_a_class_of_one_row(cls):
    table, y = np.vstack([X, [[9.0, 9.0, 9.0]]]), np.append(Y, "lonely")
    if cls is QuadraticDiscriminantAnalysis:
        with pytest.raises(InvalidInput, match="y has only 1 sample in class 'lonely'"):
            cls().fit(table, y)
    model = cls(shrinkage="auto").fit(table, y)
    assert model.predict([[9.0, 9.0, 9.0]])[0] == "lonely"
    assert np.isfinite(model.predict_joint_log_proba(table)).all()


@both
@pytest.mark.filterwarnings("ignore:In class 'a' the columns")
def test_constant_columns(cls):
    everywhere = np.column_stack([X, np.full(75, 4.2)])
    model = cls().fit(everywhere, Y)
    np.testing.assert_allclose(
        model.predict_proba(np.column_stack([NEW, np.full(9, 4.2)])),
        cls().fit(X, Y).predict_proba(NEW),
        rtol=0,
        atol=1e-9,
    )
    inside = np.column_stack([X, np.where(Y == "a", 1.0, rng.standard_normal(75))])
    model = cls(shrinkage="auto").fit(inside, Y)
    assert np.isfinite(model.predict_joint_log_proba(inside)).all()
    if cls is QuadraticDiscriminantAnalysis:  # only class a holds the value
        assert np.all(model.predict(np.column_stack([X[:30], np.ones(30)])) == "a")
    ones = cls().fit(np.ones((75, 2)), Y)
    np.testing.assert_allclose(ones.predict_proba(np.ones((1, 2))), [ones.priors_], rtol=1e-9)


@both
def test_more_columns_than_rows(cls):
    wide, y = rng.standard_normal((10, 40)) + np.repeat([0.0, 1.5], 5)[:, None], np.repeat([0, 1], 5)
    with pytest.warns(RankDeficient, match="collinear|too few"):
        model = cls().fit(wide, y)
    assert np.mean(model.predict(wide) == y) >= 0.9
    assert np.mean(cls(shrinkage="auto").fit(wide, y).predict(wide) == y) == 1


@both
@pytest.mark.parametrize("scale", [1e150, 1e-150])
def test_columns_of_extreme_scale_are_right_or_refused_by_name(cls, scale):
    unit = np.array([1.0, scale, 1.0])
    for options in ({}, {"shrinkage": "auto"}):
        try:
            model = cls(**options).fit(X * unit, Y)
        except InvalidInput as error:
            assert "'x1' has numbers of the order" in str(error)  # noqa: PT017
            continue
        np.testing.assert_allclose(
            model.predict_proba(NEW * unit), cls(**options).fit(X, Y).predict_proba(NEW), rtol=1e-6, atol=1e-9
        )


@both
@pytest.mark.parametrize("labels", [[0, 1], [True, False], ["no", "yes"], [-5, 7], [2**40, 3]], ids=str)
def test_labels_of_any_kind(cls, labels):
    y = np.array(labels)[(Y == "a").astype(int)]
    model, plain = cls().fit(X, y), cls().fit(X, (y == max(labels)).astype(int))
    assert model.classes_.dtype == y.dtype
    same(model, plain)
    assert set(model.predict(NEW).tolist()) <= set(labels)


@both
def test_one_class_is_no_contrast(cls):
    with pytest.raises(InvalidInput, match="needs at least 2 classes"):
        cls().fit(X, ["a"] * 75)


# -- sums -----------------------------------------------------------------------------------------------
@both
def test_merging_unites_classes(cls):
    first = Y != "c"
    half = cls().fit(X[first], Y[first])
    rest = np.setdiff1d(np.arange(75), np.flatnonzero(first))
    other = cls().fit(np.vstack([X[rest], X[rest] + 0.1]), np.append(Y[rest], ["d"] * len(rest)))
    merged = suffice.merge([half, other])
    whole = cls().fit(np.vstack([X, X[rest] + 0.1]), np.append(Y, ["d"] * len(rest)))
    assert merged.classes_.tolist() == ["a", "b", "c", "d"]
    same(merged, whole)


@both
@pytest.mark.parametrize(
    "options", [{}, {"shrinkage": "auto"}, {"unbiased": True}, {"priors": "uniform"}], ids=str
)
def test_validation_without_refitting(cls, options):
    for cv in (KFold(5, shuffle=True, random_state=0), LeaveOneOut()):
        fast = cross_validate(cls(**options), X, Y, cv=cv, loss="log")
        slow = [
            -np.mean(cls(**options).fit(X[a], Y[a]).predict_dist(X[b]).log_prob(Y[b])) for a, b in cv.split(X)
        ]
        assert fast.how in ("statistics", "closed form")
        np.testing.assert_allclose(fast.fold_losses, slow, rtol=1e-8, atol=1e-10)


@both
def test_every_source_gives_the_model_of_the_array(cls, tmp_path):
    table = pandas.DataFrame(X, columns=["u", "v", "w"]).assign(label=Y)
    order = np.argsort(Y == "c", kind="stable")  # the last class comes in a later batch
    table = table.iloc[order].reset_index(drop=True)
    table.to_parquet(tmp_path / "rows.parquet")
    table.to_csv(tmp_path / "rows.csv", index=False)
    plain = cls().fit(table[["u", "v", "w"]], table["label"])
    batches = [table.iloc[:50], table.iloc[50:]]
    new = pandas.DataFrame(NEW, columns=["u", "v", "w"])
    for source in (str(tmp_path / "rows.parquet"), str(tmp_path / "rows.csv"), table, batches):
        model = engine.fit(cls(), source, "label")
        np.testing.assert_allclose(model.predict_proba(new), plain.predict_proba(new), rtol=0, atol=1e-9)


@both
def test_pipeline_sees_columns_of_any_units(cls):
    scaled = make_pipeline(StandardScaler(), cls()).fit(X * [1.0, 50.0, 1e-4], Y)
    np.testing.assert_allclose(
        scaled.predict_proba(NEW * [1.0, 50.0, 1e-4]), cls().fit(X, Y).predict_proba(NEW), rtol=0, atol=1e-9
    )


@both
def test_drawn_rows_give_the_model_back(cls):
    model = cls().fit(X, Y)
    table, labels = model.sample(n=60_000, random_state=0)
    again = clone(model).fit(table, labels)
    np.testing.assert_allclose(again.means_, model.means_, atol=0.08)
    np.testing.assert_allclose(again.priors_, model.priors_, atol=0.01)


def test_automatic_shrinkage_does_not_depend_on_units():
    table, y = load_iris(return_X_y=True)
    for cls in BOTH:
        a = cls(shrinkage="auto").fit(table, y).predict_proba(table)
        b = cls(shrinkage="auto").fit(table * [1, 1e3, 1e-6, 7], y).predict_proba(table * [1, 1e3, 1e-6, 7])
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-10)
