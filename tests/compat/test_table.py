"""What `peers.toml` says is true of the classes: every name in a signature, every sentence shown by what it says."""

from __future__ import annotations

import importlib
import inspect
import re
import warnings

import numpy as np
import pytest
import sklearn.base
from scipy import sparse
from sklearn import datasets, linear_model, model_selection
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLda
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as TheirQda
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer as TheirCounts
from sklearn.utils.discovery import all_estimators

import suffice
from suffice import evaluation, generative, glm, linear, mixtures, prepare
from suffice._core.errors import NotConverged, RankDeficient
from suffice.compat.counterparts import Counterpart, counterpart, home, older_than, table, their_object
from suffice.compat.judging import check
from suffice.compat.report import ABILITIES, words

TABLE = table()
X, Y = datasets.load_diabetes(return_X_y=True)
IRIS = datasets.load_iris(return_X_y=True)
OTHER_VALUES = {  # another value that scikit-learn allows, for parameters said to be without effect
    "copy_X": False, "tol": 1e-1, "n_jobs": 2, "max_iter": 1, "solver": "saga", "random_state": 3,
    "precompute": True, "warm_start": True, "selection": "random", "verbose": True, "store_covariance": True,
    "dual": True, "shuffle": False, "gcv_mode": "svd", "copy": False,
    "QuadraticDiscriminantAnalysis.solver": "eigen", "PoissonRegressor.solver": "newton-cholesky",
    "GammaRegressor.solver": "newton-cholesky",
}  # fmt: skip


def all_pairs() -> list[Counterpart]:
    """Every class of ours that has the name of a public one of scikit-learn."""
    theirs = dict(all_estimators())
    theirs |= {n: getattr(model_selection, n) for n in ("GridSearchCV", "RandomizedSearchCV")}
    out = []
    for room in suffice._ROOMS:
        module = importlib.import_module(f"suffice.{room}")
        for name in sorted(set(module.__all__) & set(theirs)):
            found = counterpart(f"{theirs[name].__module__}.{name}")
            assert found is not None, f"{home(theirs[name])} has no home for suffice.{room}.{name}"
            assert found.own is getattr(module, name)
            out.append(found)
    return out


PAIRS = all_pairs()


def test_every_namesake_is_found_and_homes_are_rooms():
    assert {"Ridge", "GaussianNB", "LogisticRegression", "GaussianMixture", "OneHotEncoder"} <= {
        p.name for p in PAIRS
    }
    assert set().union(*TABLE["homes"].values()) <= set(suffice._ROOMS)
    assert all(importlib.import_module(module) for module in TABLE["homes"])


def test_a_namesake_of_another_module_is_none():
    assert counterpart("sklearn.ensemble.RandomForestClassifier") is None
    assert counterpart("sklearn.nowhere.Ridge") is None
    assert counterpart("sklearn.linear_model._ridge.Ridge").own is linear.Ridge


def test_functions_of_one_name_are_the_same_thing_or_listed_as_different():
    """A function of ours that scikit-learn's modules have too: said to be different, or taking the same arguments."""
    for module in TABLE["homes"]:
        for name in importlib.import_module(module).__all__:
            pair = counterpart(f"{module}.{name}")
            if pair is None or pair.is_class or f"{module}.{name}" in TABLE["different"]:
                continue
            if pair.own is pair.theirs:
                assert f"{module}.{name}" in TABLE["same"]["names"]
            refused = [p for p in inspect.signature(pair.theirs).parameters if not pair.takes(p)]
            assert not refused, f"{name} does not take {refused}"


@pytest.mark.parametrize("path", TABLE["different"])
def test_what_is_different_is_there_twice(path):
    assert callable(their_object(path))
    room, name = re.search(r"`suffice\.(\w+)\.(\w+)`", TABLE["different"][path]).groups()
    assert name == path.rpartition(".")[2]
    assert callable(getattr(importlib.import_module(f"suffice.{room}"), name))


def test_a_record_of_folds_has_the_scores_that_are_asked_for():
    theirs = model_selection.cross_validate(linear_model.Ridge(), X, Y, cv=3, scoring="r2")
    ours = evaluation.cross_validate(linear.Ridge(), X, Y, cv=3, scoring="r2")
    np.testing.assert_allclose(ours["test_score"], theirs["test_score"], rtol=1e-9)
    assert ours.interval is not None
    assert len(evaluation.cross_validate(linear.Ridge(), X, Y).fold_losses) == 10


# -- without effect -------------------------------------------------------------------------------------------------
def theirs_take(pair: Counterpart) -> set[str]:
    return set(inspect.signature(pair.theirs).parameters)


IDLE = [(p, parameter) for p in PAIRS for parameter in sorted(p.without_effect & theirs_take(p))]


def test_docstrings_say_what_is_without_effect():
    found = {p.name: p.without_effect for p in PAIRS}
    assert found["Ridge"] == {"copy_X", "max_iter", "tol", "solver", "random_state"}
    assert not found["GaussianNB"]
    said = {p.name for p in PAIRS if "without effect" in (inspect.getdoc(p.own) or "")}
    assert said <= {p.name for p, _ in IDLE}
    assert older_than("1.9") or all(p.without_effect <= theirs_take(p) for p in PAIRS)


@pytest.mark.parametrize(("pair", "parameter"), IDLE, ids=lambda v: getattr(v, "name", v))
def test_without_effect_means_the_same_numbers(pair, parameter, capsys):
    cls = pair.own
    other = {parameter: OTHER_VALUES.get(f"{pair.name}.{parameter}", OTHER_VALUES.get(parameter))}
    rows, y = IRIS if sklearn.base.is_classifier(cls()) else (X, Y)
    assert repr(other[parameter]) != repr(getattr(cls(), parameter)), "give another value in OTHER_VALUES"
    ask = next(m for m in ("predict_proba", "decision_function", "predict", "transform") if hasattr(cls, m))
    first, second = (getattr(cls(**given).fit(rows, y), ask)(rows[::9]) for given in ({}, other))
    np.testing.assert_array_equal(first, second)


# -- differences ----------------------------------------------------------------------------------------------------
CHECKS = {}


def shows(key):
    def kept(function):
        CHECKS[key] = function
        return function

    return kept


def key_of(entry: dict) -> str:
    return ".".join(
        [entry["class"], *(str(entry[k]) for k in ("parameter", "attribute", "below") if k in entry)]
    )


@shows("LinearRegression")
def _dependent_columns():
    rows = np.column_stack([X[:, 0], 2 * X[:, 0], X[:, 1]])
    with pytest.warns(RankDeficient, match="x1"):
        ours = linear.LinearRegression().fit(rows, Y)
    np.testing.assert_allclose(ours.coef_, linear_model.LinearRegression().fit(rows, Y).coef_, rtol=1e-8)
    if older_than("1.9"):
        return  # earlier ones keep them too
    powers = np.linspace(0, 1, 40)[:, np.newaxis] ** range(1, 10)
    y = np.sin(9 * powers[:, 0])

    def weights(cls, **options):
        return cls(**options).fit(powers, y).coef_

    ours, theirs = linear.LinearRegression, linear_model.LinearRegression
    np.testing.assert_allclose(weights(ours), weights(theirs, tol=1e-15), rtol=1e-4)
    np.testing.assert_allclose(weights(ours, singular_cutoff=1e-6), weights(theirs), rtol=1e-4)
    assert np.abs(weights(theirs) / weights(ours) - 1).max() > 0.5


@shows("Ridge")
def _sparse_ridge():
    rows = sparse.csr_array((X > 0).astype(float))

    def weights(cls, **options):
        return cls(**options).fit(rows, Y).coef_

    theirs = linear_model.Ridge
    ours, tight = weights(linear.Ridge), weights(theirs, solver="sparse_cg", tol=1e-14)
    np.testing.assert_allclose(ours, tight, rtol=1e-9)
    assert 1e-9 < np.abs(weights(theirs) - tight).max() / np.abs(tight).max() < 1e-2


def _exact(ours, theirs, loss):
    loose, tight = theirs().fit(X, Y), theirs(tol=1e-14, max_iter=1_000_000).fit(X, Y)
    mine = ours().fit(X, Y)
    np.testing.assert_allclose(mine.coef_, tight.coef_, rtol=1e-8, atol=1e-8)
    assert loss(mine) <= loss(loose) * (1 + 1e-15)


@shows("Lasso")
def _lasso():
    def loss(m):
        return ((Y - m.predict(X)) ** 2).mean() / 2 + np.abs(m.coef_).sum()

    _exact(linear.Lasso, linear_model.Lasso, loss)


@shows("ElasticNet")
def _elastic_net():
    def loss(m):
        return ((Y - m.predict(X)) ** 2).mean() / 2 + np.abs(m.coef_).sum() / 2 + (m.coef_**2).sum() / 4

    _exact(linear.ElasticNet, linear_model.ElasticNet, loss)


@shows("LogisticRegression")
def _logistic():
    rows, y = IRIS[0][:100], IRIS[1][:100]
    ours = glm.LogisticRegression().fit(rows, y)
    loose = linear_model.LogisticRegression().fit(rows, y)
    tight = linear_model.LogisticRegression(tol=1e-12, max_iter=100_000).fit(rows, y)
    far = np.abs(ours.coef_ - loose.coef_).max()
    assert 1e-8 < far < 1e-2
    assert np.abs(ours.coef_ - tight.coef_).max() < far


@shows("ARDRegression")
def _ard():
    ours, theirs = linear.ARDRegression().fit(X, Y), linear_model.ARDRegression(tol=1e-10, max_iter=5000)
    np.testing.assert_allclose(ours.predict(X), theirs.fit(X, Y).predict(X), rtol=1e-2)
    assert ours.n_iter_ != theirs.n_iter_


@shows("LinearDiscriminantAnalysis.shrinkage")
def _shrinkage():
    rows, y = IRIS
    options = {"solver": "lsqr", "shrinkage": "auto"}

    def chances(cls, table):
        return cls(**options).fit(table, y).predict_proba(table)

    ours = generative.LinearDiscriminantAnalysis
    far = np.abs(chances(ours, rows) - chances(TheirLda, rows)).max()
    assert 1e-4 < far < 0.1
    assert np.isfinite(chances(ours, np.where(rows == 1.5, np.nan, rows))).all()


@shows("LinearDiscriminantAnalysis.1.9")
def _linear_divisor():
    """Weights are an inverse covariance times differences of means."""
    ours, theirs = (c().fit(*IRIS).coef_ for c in (generative.LinearDiscriminantAnalysis, TheirLda))
    np.testing.assert_allclose(ours, theirs * (150 / (150 - 3) if older_than("1.9") else 1.0), rtol=1e-6)


@shows("QuadraticDiscriminantAnalysis.1.9")
def _quadratic_divisor():
    classes = (generative.QuadraticDiscriminantAnalysis, TheirQda)
    ours, theirs = (np.asarray(c(store_covariance=True).fit(*IRIS).covariance_) for c in classes)
    np.testing.assert_allclose(ours, theirs * (49 / 50 if older_than("1.9") else 1.0), rtol=1e-9)


@shows("QuadraticDiscriminantAnalysis")
def _singular():
    rows = np.column_stack([IRIS[0], IRIS[0][:, 0]])
    with pytest.warns(RankDeficient, match="x4"):
        generative.QuadraticDiscriminantAnalysis().fit(rows, IRIS[1])


def _gaps(model, theirs):
    rows = IRIS[0].copy()
    rows[::7, 1] = np.nan
    assert np.isfinite(model.fit(rows, IRIS[1]).predict_proba(rows)).all()
    with pytest.raises(ValueError, match="NaN"):
        theirs.fit(rows, IRIS[1])


@shows("GaussianNB")
def _gaussian_gaps():
    from sklearn.naive_bayes import GaussianNB

    _gaps(generative.GaussianNB(), GaussianNB())


@shows("BernoulliNB")
def _bernoulli_gaps():
    from sklearn.naive_bayes import BernoulliNB

    _gaps(generative.BernoulliNB(binarize=3.0), BernoulliNB(binarize=3.0))


@shows("Perceptron.random_state")
def _shuffles():
    rows, y = IRIS

    def plane(cls, **options):
        return cls(random_state=1, **options).fit(rows, y).coef_

    ours, theirs = generative.Perceptron, linear_model.Perceptron
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        still = (plane(ours, shuffle=False), plane(theirs, shuffle=False))
        shuffled = (plane(ours), plane(theirs))
    np.testing.assert_allclose(*still, rtol=1e-10)
    assert np.abs(shuffled[0] - shuffled[1]).max() > 0.1


@shows("GaussianMixture")
def _mixture():
    from sklearn.mixture import GaussianMixture

    _gaps(mixtures.GaussianMixture(2, random_state=0), GaussianMixture(2))
    rows = np.array(
        [[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, 0]], dtype=float
    )  # the example of their docstring
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the columns of either component hardly vary
        ours, theirs = (
            c(2, random_state=0, n_init=10).fit(rows) for c in (mixtures.GaussianMixture, GaussianMixture)
        )
    order = np.argsort(ours.means_[:, 0]), np.argsort(theirs.means_[:, 0])
    np.testing.assert_allclose(ours.means_[order[0]], theirs.means_[order[1]], atol=1e-6)
    metres = mixtures.GaussianMixture(3, random_state=1, reg_covar=0.0).fit(IRIS[0])
    millimetres = mixtures.GaussianMixture(3, random_state=1, reg_covar=0.0).fit(1000 * IRIS[0])
    np.testing.assert_allclose(1000 * metres.means_, millimetres.means_, rtol=1e-6)


@shows("CountVectorizer.stop_words")
def _stop_words():
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    words = [" ".join(sorted(ENGLISH_STOP_WORDS)), "fox"]
    theirs, ours = TheirCounts(stop_words="english"), prepare.CountVectorizer(stop_words="english")
    assert list(theirs.fit(words).get_feature_names_out()) == ["fox"]
    assert len(ours.fit(words).get_feature_names_out()) > 1
    given = prepare.CountVectorizer(stop_words=list(ENGLISH_STOP_WORDS)).fit(words)
    assert list(given.get_feature_names_out()) == ["fox"]


def _times(search):
    search.fit(X, Y)
    assert search.how_ == "statistics"
    assert len(set(search.cv_results_["mean_fit_time"])) == 1


@shows("GridSearchCV.cv_results_")
def _grid_times():
    _times(evaluation.GridSearchCV(linear.Ridge(), {"alpha": [0.1, 1.0, 10.0]}))


@shows("RandomizedSearchCV.cv_results_")
def _random_times():
    _times(evaluation.RandomizedSearchCV(linear.Ridge(), {"alpha": [0.1, 1.0]}, n_iter=2, random_state=0))


@pytest.mark.parametrize("entry", TABLE["differs"], ids=key_of)
def test_a_difference_is_what_its_sentence_says(entry):
    pair = next(p for p in PAIRS if p.name == entry["class"])
    for which in (pair.own, pair.theirs):
        if "parameter" in entry:
            assert entry["parameter"] in inspect.signature(which).parameters
    assert not ("attribute" in entry and pair.lacks(entry["attribute"]))
    assert set(entry) <= {"class", "says", "parameter", "attribute", "value", "below"}
    CHECKS[key_of(entry)]()


def test_every_check_has_its_sentence():
    assert sorted(CHECKS) == sorted(map(key_of, TABLE["differs"]))


# -- beside and elsewhere -------------------------------------------------------------------------------------------
def own_names(text: str) -> list[str]:
    return re.findall(r"`(suffice\.[\w.]+)`", text)


@pytest.mark.parametrize("path", TABLE["beside"])
def test_what_stands_beside_exists(path):
    theirs = their_object(path)
    assert theirs is not None
    assert f"{home(theirs)}.{theirs.__name__}" == path
    for name in own_names(TABLE["beside"][path]):
        module, _, last = name.rpartition(".")
        assert hasattr(importlib.import_module(module), last)


@pytest.mark.parametrize(
    "model",
    [
        linear.Lasso(1e-3, max_iter=1),
        linear.ElasticNet(1e-3, max_iter=1),
        linear.BayesianRidge(max_iter=1),
        mixtures.GaussianMixture(4, max_iter=1, random_state=0),
    ],
    ids=lambda m: type(m).__name__,
)
def test_filters_on_either_librarys_warning_hold(model):
    """Scripts silence scikit-learn's ConvergenceWarning, or turn it into an error."""
    rows, y = (X, Y) if sklearn.base.is_regressor(model) else IRIS
    with pytest.warns(ConvergenceWarning) as caught:
        model.fit(rows, y)
    assert any(issubclass(w.category, NotConverged) for w in caught)


@pytest.mark.parametrize("package", TABLE["elsewhere"])
def test_what_answers_elsewhere_exists(package):
    for theirs, ours in TABLE["elsewhere"][package].items():
        module, _, name = ours.rpartition(".")
        assert callable(getattr(importlib.import_module(module), name)), theirs


def test_names_of_other_packages_exist():
    api, evaluate = pytest.importorskip("statsmodels.api"), pytest.importorskip("mlxtend.evaluate")
    selection = pytest.importorskip("mlxtend.feature_selection")
    assert all(hasattr(api, name) for name in TABLE["elsewhere"]["statsmodels"])
    assert all(hasattr(evaluate, n) or hasattr(selection, n) for n in TABLE["elsewhere"]["mlxtend"])


# -- what the classes say themselves --------------------------------------------------------------------------------
@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p.name)
def test_abilities_are_there(pair):
    """`solve` stands for merging, `partial_fit` for further rows; all other signs are the thing itself."""
    if "solve" in pair.adds:
        assert {"collect", "partial_fit"} <= set(dir(pair.own))
    fitted = {name for cls in pair.own.__mro__ for name in vars(cls).get("__annotations__", {})}
    assert all(hasattr(pair.own, s) or s in fitted for s in ABILITIES if s in pair.adds)


def test_merging_is_said_of_what_merges_and_of_nothing_else():
    rows, y = IRIS
    for cls, merges in ((generative.GaussianNB, True), (glm.LogisticRegression, False)):
        pair = next(p for p in PAIRS if p.own is cls)
        said = words(check(f"from {home(pair.theirs)} import {pair.name}"))
        assert ("merging and forgetting" in " ".join(said.split())) is merges
        parts = [cls().fit(rows[i::2], y[i::2]) for i in (0, 1)]
        if merges:
            np.testing.assert_allclose(suffice.merge(parts).theta_, cls().fit(rows, y).theta_)
        else:
            with pytest.raises(TypeError, match="neither merged nor divided"):
                suffice.merge(parts)


def test_attributes_and_parameters_of_a_class_are_asked_of_it():
    ridge = next(p for p in PAIRS if p.name == "Ridge")
    assert not ridge.lacking_parameters
    assert not ridge.lacks("coef_")
    assert not ridge.lacks("no_such_thing")
    assert ridge.most_positional == 1
    search = next(p for p in PAIRS if p.name == "GridSearchCV")
    assert not search.lacks("best_estimator_")
    assert "predict_dist" in ridge.adds


def test_documented_attributes_of_theirs_are_known():
    """scikit-learn's docstrings are read, not only what stands in the class."""
    for pair in PAIRS:
        fitted = {a for a in pair._their_attributes if a.endswith("_") and not a.startswith("_")}
        assert "n_features_in_" in fitted or pair.name in ("TfidfTransformer", "CountVectorizer"), pair.name
