"""SearchCV takes the place of GridSearchCV: the same candidates, scores, choice and manners."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.metrics import make_scorer, mean_absolute_error
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.model_selection import cross_validate as their_cross_validate
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice._core.errors import FitFailed
from suffice.baselines import PriorClassifier
from suffice.bases import Polynomial
from suffice.evaluation import SearchCV, cross_validate, one_standard_error
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge

from ..contract.checks.scikit_learn import assert_accepted
from .refits import assert_close, fit, refits

pytestmark = pytest.mark.sampled(12)

N = 45
rng = np.random.default_rng(3)
X = rng.standard_normal((N, 3))
y = 1 + X @ [1.0, -2.0, 0.2] + 0.5 * rng.standard_normal(N)
LABELS = np.array(["no", "maybe", "yes"])[np.digitize(y, [0.0, 2.0])]
COUNTS = rng.integers(0, 4, N).astype(float)
GROUPS = np.arange(N) // 4
ALPHAS = {"alpha": [0.01, 1.0, 100.0]}
MSE = "neg_mean_squared_error"


def both(estimator, grid, X=X, y=y, cv=KFold(5), scoring=MSE, **fit_params):
    mine = SearchCV(estimator, grid, cv=cv, scoring=scoring).fit(X, y, **fit_params)
    theirs = GridSearchCV(estimator, grid, cv=cv, scoring=scoring).fit(X, y, **fit_params)
    return mine, theirs


def assert_same_search(mine, theirs, target=y, loss="squared"):
    a, b = mine.cv_results_, theirs.cv_results_
    assert a.keys() == b.keys()
    assert str(a["params"]) == str(b["params"])
    scores = [k for k in a if k.endswith("test_score") and not k.startswith("rank")]
    for key in scores:
        assert_close(a[key], b[key], target, loss)
    for key in (k for k in a if k.startswith("param_")):
        assert isinstance(a[key], np.ma.MaskedArray)
        assert np.array_equal(np.ma.getmaskarray(a[key]), np.ma.getmaskarray(b[key]))
        assert str(a[key].tolist()) == str(b[key].tolist())
    assert np.array_equal(a["rank_test_score"], b["rank_test_score"])
    assert mine.best_index_ == theirs.best_index_
    assert str(mine.best_params_) == str(theirs.best_params_)
    assert_close(mine.best_score_, theirs.best_score_, target, loss)
    assert mine.n_splits_ == theirs.n_splits_
    assert mine.n_features_in_ == theirs.n_features_in_
    assert mine.multimetric_ == theirs.multimetric_


# -- the same as GridSearchCV ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("estimator", "grid", "how"),
    [
        (Ridge(), ALPHAS, "statistics"),
        (Ridge(), {"alpha": [1.0]}, "statistics"),
        (Ridge(), {}, "statistics"),
        (Ridge(), {"alpha": [1.0, 1.0, 0.5]}, "statistics"),  # ties go to the first
        (Ridge(), {"standardize": [True, False], **ALPHAS}, "statistics"),
        (Ridge(), {"penalty_scale": ["sum", "mean"], "fit_intercept": [True, False], **ALPHAS}, "statistics"),
        (Ridge(basis=Polynomial(1)), {"basis__degree": [1, 3, 2], **ALPHAS}, "statistics"),
        (LinearRegression(basis=Polynomial(1)), {"basis__degree": [0, 1, 2]}, "statistics"),
        (LinearRegression(), {"basis": [None, Polynomial(2), Polynomial(2, interactions=True)]}, "statistics"),
        (Ridge(), [{"alpha": [0.1]}, {"standardize": [True], "alpha": [1.0, 2.0]}, {"fit_intercept": [False]}],
         "statistics"),
        (BayesianLinearRegression(noise_precision=2.0), {"prior_precision": [0.1, 1.0]}, "statistics"),
        (make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": [0.1, 1.0]}, "statistics"),
        (Pipeline([("s", StandardScaler()), ("m", Ridge())]),
         {"s": [StandardScaler(), "passthrough"], "m__alpha": [1.0]}, "statistics"),
        (Pipeline([("m", Ridge())]),
         [{"m": [Ridge(), LinearRegression()]}, {"m": [TheirRidge()], "m__alpha": [7.0, 9.0]}], "refit"),
        (TheirRidge(), ALPHAS, "refit"),
        (KNeighborsRegressor(), {"n_neighbors": [1, 3, 9], "weights": ["uniform", "distance"]}, "refit"),
    ],
    ids=lambda v: str(v)[:50],
)  # fmt: skip
def test_it_is_grid_search(estimator, grid, how):
    mine, theirs = both(estimator, grid)
    assert mine.how_ == how
    assert_same_search(mine, theirs)
    np.testing.assert_allclose(mine.predict(X), theirs.predict(X), rtol=1e-9)
    assert mine.score(X, y) == pytest.approx(theirs.score(X, y), rel=1e-9)
    assert type(mine.best_estimator_) is type(theirs.best_estimator_)


@pytest.mark.parametrize(
    "cv",
    [
        None,
        3,
        KFold(4, shuffle=True, random_state=0),
        LeaveOneOut(),
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
        [(np.arange(30), np.arange(30, N))],
    ],
)
@pytest.mark.parametrize("estimator", [Ridge(), TheirRidge()], ids=["ours", "theirs"])
def test_splitters(cv, estimator):
    assert_same_search(*both(estimator, ALPHAS, cv=cv))


@pytest.mark.parametrize(
    ("scoring", "loss"),
    [
        ("r2", "log"),
        ("neg_mean_absolute_error", "absolute"),
        ("neg_root_mean_squared_error", "absolute"),
        ("explained_variance", "log"),
        (make_scorer(mean_absolute_error, greater_is_better=False), "absolute"),
        (lambda estimator, X, y: float(np.median(np.abs(estimator.predict(X) - y))), "absolute"),
    ],
)
@pytest.mark.parametrize(
    "estimator",
    [Ridge(), make_pipeline(StandardScaler(), Ridge()), TheirRidge()],
    ids=["ours", "piped", "theirs"],
)
def test_scorers(scoring, loss, estimator):
    name = "ridge__alpha" if isinstance(estimator, Pipeline) else "alpha"
    mine, theirs = both(estimator, {name: [0.1, 10.0]}, scoring=scoring)
    assert_same_search(mine, theirs, loss=loss)
    assert mine.score(X, y) == pytest.approx(theirs.score(X, y), rel=1e-9)


@pytest.mark.parametrize("scoring", [MSE, "r2"])
@pytest.mark.parametrize("estimator", [Ridge(), TheirRidge()], ids=["ours", "theirs"])
def test_training_scores(estimator, scoring):
    mine, theirs = (
        kind(estimator, ALPHAS, cv=KFold(4), scoring=scoring, return_train_score=True).fit(X, y)
        for kind in (SearchCV, GridSearchCV)
    )
    loss = "squared" if scoring == MSE else "log"
    assert_same_search(mine, theirs, loss=loss)
    for key in ("mean_train_score", "std_train_score", "split2_train_score"):
        assert_close(mine.cv_results_[key], theirs.cv_results_[key], y, loss)


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy", "neg_log_loss"])
@pytest.mark.parametrize(
    ("estimator", "grid"),
    [
        (LogisticRegression(), {"C": [0.01, 1.0]}),
        (PriorClassifier(), {}),
        (RandomForestClassifier(5, random_state=0), {"max_depth": [1, 3]}),
    ],
    ids=["logistic", "prior", "forest"],
)
def test_classifiers(estimator, grid, scoring):
    mine, theirs = both(estimator, grid, y=LABELS, cv=3, scoring=scoring)
    assert_same_search(mine, theirs, target=np.arange(3), loss="log")
    assert np.array_equal(mine.predict(X), theirs.predict(X))
    np.testing.assert_allclose(mine.predict_proba(X), theirs.predict_proba(X), rtol=1e-12)
    assert np.array_equal(mine.classes_, theirs.classes_)
    assert is_classifier(mine)
    assert not is_regressor(mine)


def test_the_default_loss_of_a_classifier_is_misclassification():
    search = SearchCV(LogisticRegression(), {"C": [0.001, 1.0]}, cv=3).fit(X, LABELS)
    splits = list(StratifiedKFold(3).split(X, LABELS))
    brute = [
        refits(LogisticRegression(C=c), X, LABELS, splits, "misclassification").estimate for c in (0.001, 1.0)
    ]
    np.testing.assert_allclose(-search.cv_results_["mean_test_score"], brute, rtol=1e-12)
    assert search.score(X, LABELS) == pytest.approx(np.mean(search.predict(X) == LABELS) - 1)


# -- losses, weights, groups -----------------------------------------------------------------------------
@pytest.mark.parametrize("loss", [None, "squared", "absolute", "log"])
@pytest.mark.parametrize("weight", [None, COUNTS])
def test_scores_are_minus_the_size_weighted_loss(loss, weight):
    search = SearchCV(Ridge(), ALPHAS, cv=KFold(4), loss=loss).fit(X, y, sample_weight=weight)
    kind = loss or "squared"
    for i, alpha in enumerate(ALPHAS["alpha"]):
        brute = refits(Ridge(alpha), X, y, list(KFold(4).split(X)), kind, weight)
        assert_close(-search.cv_results_["mean_test_score"][i], brute.estimate, y, kind)
        assert_close(
            [-search.cv_results_[f"split{k}_test_score"][i] for k in range(4)], brute.fold_losses, y, kind
        )
    best = fit(Ridge(**search.best_params_), X, y, np.arange(N), weight)
    np.testing.assert_allclose(search.predict(X), best.predict(X), rtol=1e-12)
    mine = -search.score(X, y)
    assert mine == pytest.approx(
        refits(best, X, y, [(np.arange(N), np.arange(N))], kind, weight).losses[0].mean(), rel=1e-9
    )


def test_weights_are_the_same_whoever_scores():
    """A named score and the same score as a function must not differ in whether weights count."""
    named = SearchCV(Ridge(), ALPHAS, cv=4, scoring="neg_mean_absolute_error").fit(X, y, sample_weight=COUNTS)
    handed = SearchCV(
        Ridge(), ALPHAS, cv=4, scoring=make_scorer(mean_absolute_error, greater_is_better=False)
    )
    handed.fit(X, y, sample_weight=COUNTS)
    np.testing.assert_allclose(
        named.cv_results_["mean_test_score"], handed.cv_results_["mean_test_score"], rtol=1e-9
    )


@pytest.mark.parametrize(
    "estimator",
    [Ridge(), TheirRidge(), make_pipeline(StandardScaler(), Ridge())],
    ids=["ours", "theirs", "piped"],
)
def test_groups(estimator):
    name = "ridge__alpha" if isinstance(estimator, Pipeline) else "alpha"
    assert_same_search(*both(estimator, {name: [0.1, 10.0]}, cv=GroupKFold(3), groups=GROUPS))


def test_weights_of_any_estimator():
    for estimator in (Ridge(), TheirRidge()):
        search = SearchCV(estimator, ALPHAS, cv=KFold(3)).fit(X, y, sample_weight=COUNTS)
        brute = [
            refits(
                clone(estimator).set_params(alpha=a), X, y, list(KFold(3).split(X)), weight=COUNTS
            ).estimate
            for a in ALPHAS["alpha"]
        ]
        assert_close(-search.cv_results_["mean_test_score"], brute, y, "squared")


# -- choosing --------------------------------------------------------------------------------------------
def test_without_refit_there_is_a_choice_but_no_model():
    search = SearchCV(Ridge(), ALPHAS, cv=3, refit=False).fit(X, y)
    full = SearchCV(Ridge(), ALPHAS, cv=3).fit(X, y)
    assert (search.best_params_, search.best_index_, search.best_score_) == (
        full.best_params_,
        full.best_index_,
        full.best_score_,
    )
    assert not hasattr(search, "best_estimator_")
    with pytest.raises(AttributeError, match="has no attribute 'predict'"):
        search.predict(X)


def test_a_function_chooses():
    search = SearchCV(Ridge(), ALPHAS, cv=3, refit=lambda results: 2).fit(X, y)
    assert search.best_params_ == {"alpha": 100.0}
    np.testing.assert_allclose(search.predict(X), Ridge(100.0).fit(X, y).predict(X), rtol=1e-12)
    for wrong in (3, -1):
        with pytest.raises(ValueError, match=f"refit chose candidate {wrong} of 3"):
            SearchCV(Ridge(), ALPHAS, cv=3, refit=lambda results, i=wrong: i).fit(X, y)


@pytest.mark.parametrize("order", [1, -1])
def test_one_standard_error_is_the_simplest_within_it(order):
    values = np.logspace(-3, 3, 13)[::order]
    search = SearchCV(Ridge(), {"alpha": values}, cv=KFold(5), refit=one_standard_error("alpha")).fit(X, y)
    losses = np.array([refits(Ridge(a), X, y, list(KFold(5).split(X))).fold_losses for a in values])
    mean = losses.mean(axis=1)  # folds of equal size
    best = np.argmin(mean)
    limit = mean[best] + losses[best].std(ddof=1) / np.sqrt(5)
    assert search.best_params_["alpha"] == values[mean <= limit].max()
    assert search.best_params_["alpha"] > values[best]
    degrees = SearchCV(
        LinearRegression(basis=Polynomial(1)),
        {"basis__degree": [3, 2, 1]},
        cv=5,
        refit=one_standard_error("basis__degree"),
    )
    assert degrees.fit(X, y).best_params_ == {"basis__degree": 1}
    other = SearchCV(
        Ridge(), {"alpha": values}, cv=KFold(5), refit=one_standard_error("alpha", simplest="smallest")
    ).fit(X, y)
    assert other.best_params_["alpha"] == values[mean <= limit].min()
    with pytest.raises(ValueError, match="simplest must be one of"):
        one_standard_error("alpha", simplest="last")


def test_one_candidate_that_fails_is_last():
    with pytest.warns(
        FitFailed, match=r"fold 0 with \{'alpha': -1.0\} failed: .*alpha must be a finite number"
    ):
        search = SearchCV(Ridge(), {"alpha": [-1.0, 1.0, 2.0]}, cv=3).fit(X, y)
    assert search.cv_results_["rank_test_score"].tolist()[0] == 3
    assert np.isnan(search.cv_results_["mean_test_score"][0])
    assert search.best_index_ in (1, 2)
    assert len(search.notes_) == 3


# -- an estimator among estimators -----------------------------------------------------------------------
@pytest.mark.parametrize(
    "estimator",
    [
        SearchCV(Ridge(), {"alpha": [0.1, 1.0]}, cv=2),
        SearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=2),
        SearchCV(
            make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": [0.1, 1.0]}, cv=3, loss="absolute"
        ),
    ],
    ids=str,
)
@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore:invalid value encountered in cast:RuntimeWarning"
)  # of scikit-learn, for y = inf
def test_scikit_learn_accepts_it(estimator):
    assert_accepted(estimator)


def test_parameters_and_clones():
    search = SearchCV(Ridge(3.0), ALPHAS, cv=4, loss="absolute", n_jobs=1)
    assert set(search.get_params(deep=False)) == {
        "estimator",
        "param_grid",
        "cv",
        "loss",
        "scoring",
        "refit",
        "n_jobs",
        "return_train_score",
        "error_score",
        "verbose",
        "pre_dispatch",
    }
    assert search.get_params()["estimator__alpha"] == 3.0
    again = clone(search).set_params(estimator__alpha=5.0, cv=3)
    assert (again.estimator.alpha, again.cv, search.estimator.alpha) == (5.0, 3, 3.0)
    assert (
        repr(search) == "SearchCV(cv=4, estimator=Ridge(alpha=3.0), loss='absolute', n_jobs=1,\n"
        "         param_grid={'alpha': [0.01, 1.0, 100.0]})"
    )
    with pytest.raises(ValueError, match="Invalid parameter 'nope'"):
        search.set_params(nope=1)
    search.fit(X, y)
    assert search.estimator.alpha == 3.0
    assert not hasattr(search.estimator, "coef_")


def test_it_is_shown_in_a_notebook():
    search = SearchCV(Ridge(), ALPHAS, cv=3)
    assert "SearchCV" in search._repr_html_()
    assert "alpha" in search.fit(X, y)._repr_html_()


def test_nested_in_our_validation():
    search = SearchCV(Ridge(), ALPHAS, cv=KFold(3))
    result = cross_validate(search, X, y, cv=KFold(4))
    outer = list(KFold(4).split(X))
    theirs = GridSearchCV(Ridge(), ALPHAS, cv=KFold(3), scoring=MSE)
    assert_close(result.fold_losses, refits(theirs, X, y, outer).fold_losses, y, "squared")
    assert result.distributions is not None or result.how == "refit"


def test_nested_in_theirs():
    search = SearchCV(Ridge(), ALPHAS, cv=3)
    mine = cross_val_score(search, X, y, cv=4)
    outer = cross_validate(search, X, y, cv=4)
    np.testing.assert_allclose(-mine, outer.fold_losses, rtol=1e-9)
    np.testing.assert_allclose(cross_val_predict(search, X, y, cv=4), outer.predictions, rtol=1e-9)
    table = their_cross_validate(search, X, y, cv=4, return_estimator=True)
    assert [e.best_params_ for e in table["estimator"]]


def test_a_search_in_a_search():
    inner = SearchCV(Ridge(), ALPHAS, cv=3)
    outer = SearchCV(inner, {"estimator__standardize": [True, False]}, cv=KFold(3)).fit(X, y)
    theirs = GridSearchCV(
        GridSearchCV(Ridge(), ALPHAS, cv=3, scoring=MSE),
        {"estimator__standardize": [True, False]},
        cv=KFold(3),
        scoring=MSE,
    )
    theirs.fit(X, y)
    assert_close(
        outer.cv_results_["split1_test_score"], theirs.cv_results_["split1_test_score"], y, "squared"
    )
    assert outer.best_params_ == theirs.best_params_
    assert outer.best_estimator_.best_params_ == theirs.best_estimator_.best_params_


def test_in_a_pipeline():
    model = make_pipeline(StandardScaler(), SearchCV(Ridge(), ALPHAS, cv=3)).fit(X, y)
    Z = StandardScaler().fit_transform(X)
    np.testing.assert_allclose(
        model.predict(X), SearchCV(Ridge(), ALPHAS, cv=3).fit(Z, y).predict(Z), rtol=1e-12
    )
    assert model.set_params(searchcv__cv=5).fit(X, y)[-1].n_splits_ == 5


def test_a_second_fit_is_a_first_one():
    search = SearchCV(Ridge(), ALPHAS, cv=3).fit(pd.DataFrame(X[:, :2], columns=["a", "b"]), LABELS == "yes")
    search.fit(X, y)
    fresh = SearchCV(Ridge(), ALPHAS, cv=3).fit(X, y)
    assert not hasattr(search, "feature_names_in_")
    assert search.n_features_in_ == 3
    assert np.array_equal(search.cv_results_["mean_test_score"], fresh.cv_results_["mean_test_score"])
    assert np.array_equal(search.predict(X), fresh.predict(X))


def test_results_stay_what_they_were():
    """What a search found does not change with parameters set afterwards."""
    search = SearchCV(
        Ridge(), ALPHAS, cv=[(np.arange(40), np.arange(40, N)), (np.arange(10, N), np.arange(10))]
    ).fit(X, y)
    before = search.cv_results_["mean_test_score"].copy()
    search.set_params(scoring="r2", param_grid={"alpha": [5.0]})
    assert np.array_equal(search.cv_results_["mean_test_score"], before)


def test_saved_and_pickled(tmp_path):
    search = SearchCV(Ridge(basis=Polynomial(2)), ALPHAS, cv=3).fit(X, y)
    suffice.save(search, tmp_path / "search.suffice")
    for again in (pickle.loads(pickle.dumps(search)), suffice.load(tmp_path / "search.suffice")):
        assert np.array_equal(again.predict(X), search.predict(X))
        assert again.best_params_ == search.best_params_
        assert again.how_ == search.how_
        assert np.array_equal(again.cv_results_["mean_test_score"], search.cv_results_["mean_test_score"])


def test_before_fit_it_says_so():
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError, match="not fitted yet"):
        SearchCV(Ridge(), ALPHAS).predict(X)


# -- tables ----------------------------------------------------------------------------------------------
def test_tables_keep_their_names():
    table = pd.DataFrame(X, columns=["a", "b", "c"], index=np.arange(N)[::-1])
    for estimator in (Ridge(), TheirRidge()):
        search = SearchCV(estimator, ALPHAS, cv=3).fit(table, pd.Series(y, index=table.index))
        assert search.feature_names_in_.tolist() == ["a", "b", "c"]
        np.testing.assert_allclose(
            search.predict(table), SearchCV(estimator, ALPHAS, cv=3).fit(X, y).predict(X), rtol=1e-9
        )
        with pytest.raises(ValueError, match="feature names"):
            search.predict(table[["c", "b", "a"]])


def test_sparse_and_single_precision():
    A = np.where(X > 0, X, 0.0)
    dense = SearchCV(Ridge(), ALPHAS, cv=3).fit(A, y)
    for table in (sparse.csr_array(A), sparse.csc_matrix(A), sparse.csr_array(A).astype(np.float32)):
        search = SearchCV(Ridge(), ALPHAS, cv=3).fit(table, y)
        assert search.how_ == "statistics"
        np.testing.assert_allclose(
            search.cv_results_["mean_test_score"], dense.cv_results_["mean_test_score"], rtol=1e-6
        )


def test_lists_and_several_targets():
    search = SearchCV(Ridge(), ALPHAS, cv=3).fit(X.tolist(), y.tolist())
    np.testing.assert_allclose(
        search.predict(X), SearchCV(Ridge(), ALPHAS, cv=3).fit(X, y).predict(X), rtol=1e-12
    )
    Y = np.column_stack([y, y**2])
    assert_same_search(*both(Ridge(), ALPHAS, y=Y), target=Y)
    assert_same_search(*both(Ridge(), {"alpha": [[0.1, 1.0], [1.0, 100.0]]}, y=Y), target=Y)


@pytest.mark.long
@pytest.mark.slow
def test_any_number_of_jobs():
    one, two = (SearchCV(TheirRidge(), ALPHAS, cv=3, n_jobs=n).fit(X, y) for n in (1, 2))
    assert np.array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])


# -- bad input -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"loss": "squared", "scoring": "r2"}, "Give loss or scoring, not both"),
        ({"loss": "cubed"}, "loss must be one of"),
        ({"scoring": "r3"}, "r3"),
        ({"scoring": ["r2", MSE]}, "scoring must be one scorer or its name"),
        ({"scoring": {"a": "r2"}}, "scoring must be one scorer or its name"),
        ({"param_grid": {"alpha": []}}, "alpha"),
        ({"param_grid": []}, "grid|candidate|at least one"),
        ({"param_grid": {"alpha": 1.0}}, "alpha"),
        ({"param_grid": {"alfa": [1.0]}}, "Invalid parameter 'alfa'.*Valid parameters are"),
        ({"param_grid": {"basis__degree": [1]}}, "basis"),
        ({"cv": 46}, "46 folds need at least 46 rows"),
        ({"cv": 1}, "cv=1 cannot split these 45 rows"),
    ],
)
def test_impossible_searches_say_why(options, words):
    search = SearchCV(Ridge(), options.pop("param_grid", ALPHAS), **options)
    with pytest.raises((ValueError, TypeError), match=words):
        search.fit(X, y)


def test_missing_numbers_are_found():
    A = X.copy()
    A[7, 1] = np.nan
    with pytest.raises(ValueError, match=r"X contains NaN at row 7, column 'x1'"):
        SearchCV(Ridge(), ALPHAS, cv=3).fit(A, y)
