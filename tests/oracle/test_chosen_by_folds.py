"""Classifiers that choose their penalty by folds: against scikit-learn's, and against loops that fit every fold."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn import linear_model as sk
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.metrics import get_scorer, log_loss
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

from suffice._core.errors import InvalidParameter
from suffice.generative import RidgeClassifier, RidgeClassifierCV
from suffice.glm import LogisticRegression, LogisticRegressionCV

CS = np.array([0.01, 0.3, 10.0])
NEW = {"use_legacy_attributes": False, "scoring": "neg_log_loss"}
WEIGHT = np.random.default_rng(1).uniform(0.2, 3.0, 180)


def table(n_classes):
    return make_classification(
        180, 6, n_informative=4, n_redundant=0, n_classes=n_classes, flip_y=0.2, random_state=5
    )


TABLES = {"two": table(2), "three": table(3)}
every_table = pytest.mark.parametrize("name", TABLES)


# -- logistic ------------------------------------------------------------------------------------------------------
@every_table
@pytest.mark.parametrize("options", [{}, {"fit_intercept": False}, {"class_weight": "balanced"}], ids=repr)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weighted"])
def test_scikit_learns_grid(name, options, weight):
    X, y = TABLES[name]
    given = {"Cs": CS, "l1_ratios": (0.0,), "cv": 4} | NEW | options
    theirs = sk.LogisticRegressionCV(**given, solver="newton-cholesky", tol=1e-10).fit(X, y, weight)
    ours = LogisticRegressionCV(**given).fit(X, y, weight)
    np.testing.assert_allclose(ours.scores_, theirs.scores_, rtol=1e-8)
    np.testing.assert_allclose(ours.coefs_paths_, theirs.coefs_paths_, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7, atol=1e-8)
    assert (ours.C_, ours.l1_ratio_) == (theirs.C_, theirs.l1_ratio_)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), rel=1e-8)


@every_table
@pytest.mark.parametrize("cv", [KFold(3, shuffle=True, random_state=0), StratifiedKFold(5)], ids=repr)
def test_every_cell_is_a_fit_of_its_own(name, cv):
    X, y = TABLES[name]
    shares = (0.0, 0.4, 1.0)
    model = LogisticRegressionCV(Cs=CS, l1_ratios=shares, cv=cv, **NEW).fit(X, y)
    assert model.scores_.shape == (cv.get_n_splits(), 3, 3)
    for i, (train, test) in enumerate(cv.split(X, y)):
        for s, share in enumerate(shares):
            for j, C in enumerate(CS):
                one = LogisticRegression(C=C, l1_ratio=share).fit(X[train], y[train])
                loss = log_loss(y[test], one.predict_proba(X[test]), labels=model.classes_)
                assert model.scores_[i, s, j] == pytest.approx(-loss, rel=1e-8)
                path = model.coefs_paths_[i, s, j]
                np.testing.assert_allclose(
                    path, np.column_stack([one.coef_, one.intercept_]), rtol=1e-7, atol=1e-8
                )
    s, j = np.unravel_index(np.argmax(model.scores_.sum(axis=0)), (3, 3))
    assert (model.C_, model.l1_ratio_) == (CS[j], shares[s])
    best = LogisticRegression(C=model.C_, l1_ratio=model.l1_ratio_).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), best.predict_proba(X), rtol=1e-9)


@every_table
def test_means_of_the_best_of_each_fold(name):
    X, y = TABLES[name]
    given = {"Cs": CS, "l1_ratios": (0.0,), "cv": 4, "refit": False} | NEW
    theirs = sk.LogisticRegressionCV(**given, solver="newton-cholesky", tol=1e-10).fit(X, y)
    ours = LogisticRegressionCV(**given).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-7)
    assert pytest.approx(theirs.C_, rel=1e-12) == ours.C_


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("left", [2, 3])
def test_a_fold_without_a_class_is_the_limit_of_ever_fewer_of_its_rows(share, left):
    """All rows of the last class in one fold: its probability goes to zero, the others' weights to these."""
    rng = np.random.default_rng(2)
    y = np.repeat(np.arange(left + 1), 30)
    X = rng.normal(size=(len(y), 3)) + 0.7 * y[:, None] * [1, 0, -1]
    train = y < left
    cv = [(np.flatnonzero(train), np.flatnonzero(~train)), (np.arange(0, len(y), 2), np.arange(1, len(y), 2))]
    model = LogisticRegressionCV(Cs=[0.5], l1_ratios=(share,), cv=cv, **NEW).fit(X, y)
    weights = model.coefs_paths_[0, 0, 0]
    assert weights[-1, -1] == -np.inf
    assert not weights[-1, :-1].any()
    rare = np.where(train, 1.0, 1e-9)
    near = LogisticRegression(C=0.5, l1_ratio=share).fit(X, y, rare)
    pairs = zip(weights[:-1, :-1] - weights[0, :-1], near.coef_[:-1] - near.coef_[0], strict=True)
    for found, limit in pairs:
        np.testing.assert_allclose(found, limit, atol=2e-5)
    shift = near.intercept_[:-1] - near.intercept_[0]
    np.testing.assert_allclose(weights[:-1, -1] - weights[0, -1], shift, atol=2e-5)


def test_scikit_learns_older_shapes_and_names_of_penalties():
    X, y = TABLES["three"]
    old = LogisticRegressionCV(
        Cs=CS, l1_ratios=(0.2, 1.0), cv=3, scoring="accuracy", use_legacy_attributes=True
    )
    old.fit(X, y)
    new = clone(old).set_params(use_legacy_attributes=False).fit(X, y)
    assert list(old.scores_) == list(old.coefs_paths_) == [0, 1, 2]
    assert np.array_equal(np.swapaxes(old.scores_[1], 1, 2), new.scores_)
    assert np.array_equal(np.swapaxes(old.coefs_paths_[2], 1, 2), new.coefs_paths_[..., 2, :])
    assert old.C_.tolist() == [new.C_] * 3
    lasso = LogisticRegressionCV(Cs=CS, penalty="l1", l1_ratios=None, cv=3, scoring="accuracy")
    lasso = lasso.set_params(use_legacy_attributes=False).fit(X, y)
    assert np.array_equal(lasso.scores_[:, 0], new.scores_[:, 1])
    assert lasso.l1_ratio_ == 1.0


def test_defaults_say_that_they_will_change():
    X, y = TABLES["two"]
    with pytest.warns(FutureWarning) as said:
        model = LogisticRegressionCV(Cs=2).fit(X, y)
    told = " ".join(str(w.message) for w in said)
    assert all(word in told for word in ("l1_ratios", "'scoring'", "use_legacy_attributes"))
    assert set(model.scores_) == {1}
    assert model.Cs_.tolist() == [1e-4, 1e4]
    assert said[0].filename == __file__


@every_table
@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weighted"])
def test_scores_by_their_formulas_are_those_of_the_scorers(name, scoring, weight):
    X, y = TABLES[name]
    given = {"Cs": [0.1, 1e6], "l1_ratios": (0.0,), "cv": 3, "use_legacy_attributes": False}
    quick = LogisticRegressionCV(**given, scoring=scoring).fit(X * 20, y, weight)
    slow = LogisticRegressionCV(**given, scoring=get_scorer(scoring)).fit(X * 20, y, weight)
    np.testing.assert_allclose(quick.scores_, slow.scores_, rtol=1e-12)


# -- ridge ---------------------------------------------------------------------------------------------------------
@every_table
@pytest.mark.parametrize(
    "options", [{}, {"fit_intercept": False}, {"class_weight": {0: 2.0}}, {"alpha": 0.0}], ids=repr
)
def test_scikit_learns_ridge_classifier(name, options):
    X, y = TABLES[name]
    theirs, ours = (c(**options).fit(X + 2, y, WEIGHT) for c in (sk.RidgeClassifier, RidgeClassifier))
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-9, atol=1e-11)
    outputs = theirs.decision_function(X + 2)
    np.testing.assert_allclose(ours.decision_function(X + 2), outputs, rtol=1e-8, atol=1e-10)
    assert np.array_equal(ours.predict(X + 2), theirs.predict(X + 2))


@every_table
def test_ridge_weights_above_zero_are_where_no_single_one_gains(name):
    X, y = TABLES[name]
    model = RidgeClassifier(3.0, positive=True).fit(X, y)
    coef, T = np.atleast_2d(model.coef_), np.where(y[:, None] == model.classes_, 1.0, -1.0)
    T = T[:, 1:] if len(coef) == 1 else T
    residual = T - X @ coef.T - model.intercept_
    slope = (residual - residual.mean(axis=0)).T @ X - 3.0 * coef
    assert np.all(coef >= 0)
    np.testing.assert_allclose(slope[coef > 0], 0.0, atol=1e-9)
    assert np.all(slope[coef == 0] <= 1e-9)


@every_table
@pytest.mark.parametrize(
    "options", [{}, {"fit_intercept": False}, {"cv": 4}, {"cv": 3, "scoring": "roc_auc_ovr"}]
)
def test_scikit_learns_ridge_classifier_cv(name, options):
    X, y = TABLES[name]
    if name == "two" and "scoring" in options:
        options = options | {"scoring": "roc_auc"}
    elif "scoring" in options:
        options = options | {"scoring": "balanced_accuracy"}
    given = {"alphas": [0.1, 5.0, 300.0]} | options
    theirs, ours = (c(**given).fit(X, y, WEIGHT) for c in (sk.RidgeClassifierCV, RidgeClassifierCV))
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-9)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8, atol=1e-10)


@every_table
@pytest.mark.parametrize("scoring", [None, "accuracy"])
def test_rows_left_out_are_refits(name, scoring):
    X, y = (part[:40] for part in TABLES[name])
    alphas = [0.3, 8.0]
    model = RidgeClassifierCV(alphas, scoring=scoring, store_cv_results=True).fit(X, y, WEIGHT[:40])
    outputs = np.empty((40, 1 if name == "two" else 3, 2))
    for i in range(40):
        rest = np.arange(40) != i
        for j, alpha in enumerate(alphas):
            one = RidgeClassifier(alpha).fit(X[rest], y[rest], WEIGHT[:40][rest])
            outputs[i, :, j] = one.decision_function(X[[i]])
    T = np.where(y[:, None] == model.classes_, 1.0, -1.0)[:, -outputs.shape[1] :, None]
    expected = outputs if scoring else WEIGHT[:40, None, None] * (T - outputs) ** 2
    np.testing.assert_allclose(model.cv_results_, expected, rtol=1e-8, atol=1e-10)
    if scoring is None:
        assert model.best_score_ == pytest.approx(-expected.mean(axis=(0, 1)).min(), rel=1e-9)
        return
    best = outputs[:, 0] > 0 if name == "two" else None
    right = [
        np.average(
            (best[:, j] if name == "two" else outputs[:, :, j].argmax(axis=1)) == y, weights=WEIGHT[:40]
        )
        for j in range(2)
    ]
    assert model.best_score_ == pytest.approx(max(right), rel=1e-9)


def test_folds_of_groups_come_by_routing():
    X, y = TABLES["two"]
    groups = np.arange(180) // 20
    with sklearn.config_context(enable_metadata_routing=True):
        cv = GroupKFold(3).set_split_request(groups=True)
        model = LogisticRegressionCV(Cs=CS, l1_ratios=(0.0,), cv=cv, **NEW).fit(X, y, groups=groups)
    pairs = list(GroupKFold(3).split(X, y, groups))
    same = LogisticRegressionCV(Cs=CS, l1_ratios=(0.0,), cv=pairs, **NEW).fit(X, y)
    assert np.array_equal(model.scores_, same.scores_)


def test_rows_are_kept_only_where_they_are_left_out_one_by_one():
    X, y = TABLES["two"]
    with pytest.raises(InvalidParameter, match="store_cv_results=True are incompatible.*cv=3"):
        RidgeClassifierCV(cv=3, store_cv_results=True).fit(X, y)
