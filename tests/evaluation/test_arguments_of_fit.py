"""Further arguments of `fit`: what `predict` takes too reaches it, and weights count as in an honest loop."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.dummy import DummyRegressor
from sklearn.metrics import make_scorer, mean_poisson_deviance
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from suffice._core.errors import InvalidInput, Unsupported
from suffice.evaluation import (
    SearchCV,
    cross_validate,
    learning_curve,
    rank_features,
    select_features,
    two_layer,
    validate_path,
)
from suffice.glm import GLM, BayesianPoissonRegression, PoissonRegression
from suffice.linear import Ridge

N = 60
rng = np.random.default_rng(7)
X = rng.standard_normal((N, 3))
OFFSET = rng.uniform(-3, 4, N)
y = rng.poisson(np.exp(0.3 + X @ [0.5, -0.4, 0.0] + OFFSET)).astype(float)
FOLDS = KFold(5)


def deviance(y, mu):
    return 2 * (np.where(y > 0, y * np.log(np.where(y > 0, y, 1) / mu), 0) - y + mu)


def honest(model, loss=deviance, prefix="", columns=slice(None), train=None):
    """The mean loss of each fold when the offset of the rows goes to `fit` and to `predict`."""
    out = []
    for fit, test in FOLDS.split(X):
        fit = fit if train is None else fit[:train]
        fitted = clone(model).fit(X[fit][:, columns], y[fit], **{f"{prefix}offset": OFFSET[fit]})
        out.append(loss(y[test], fitted.predict(X[test][:, columns], offset=OFFSET[test])).mean())
    return np.array(out)


def log_score(model):
    out = []
    for fit, test in FOLDS.split(X):
        fitted = clone(model).fit(X[fit], y[fit], offset=OFFSET[fit])
        out.append(-fitted.predict_dist(X[test], offset=OFFSET[test]).log_prob(y[test]).mean())
    return np.array(out)


def piped(**options):
    return Pipeline([("scale", StandardScaler()), ("count", PoissonRegression(**options))])


COUNTS = {"offset": OFFSET}
CASES = {
    "plain": (PoissonRegression(), ""),
    "penalized": (PoissonRegression(prior_precision=1.0), ""),
    "Bayesian": (BayesianPoissonRegression(), ""),
    "Pipeline": (piped(), "count__"),
    "Pipeline in a Pipeline": (Pipeline([("all", piped())]), "all__count__"),
    "TransformedTargetRegressor": (TransformedTargetRegressor(PoissonRegression()), ""),
    "SearchCV": (SearchCV(PoissonRegression(), {"prior_precision": [0.1, 1.0]}, cv=3), ""),
    "SearchCV of a Pipeline": (SearchCV(piped(), {"count__prior_precision": [0.1, 1.0]}, cv=3), "count__"),
}


@pytest.mark.parametrize("name", CASES)
def test_cross_validate_predicts_with_the_offsets_of_the_rows(name):
    model, prefix = CASES[name]
    found = cross_validate(model, X, y, cv=FOLDS, loss="poisson", params={f"{prefix}offset": OFFSET})
    np.testing.assert_allclose(found.fold_losses, honest(model, prefix=prefix), rtol=1e-9)


@pytest.mark.parametrize("model", [PoissonRegression(), BayesianPoissonRegression(), GLM("poisson")])
def test_distributions_know_the_offsets(model):
    found = cross_validate(model, X, y, cv=FOLDS, loss="log", params=COUNTS)
    np.testing.assert_allclose(found.fold_losses, log_score(model), rtol=1e-9)


def test_a_path_predicts_with_the_offsets_of_the_rows():
    path = validate_path(
        PoissonRegression(), X, y, "prior_precision", [0.1, 10.0], FOLDS, loss="poisson", params=COUNTS
    )
    for i, a in enumerate(path.values):
        model = PoissonRegression(prior_precision=a)
        np.testing.assert_allclose(path.fold_test[i], honest(model), rtol=1e-9)
    for i, (fit, _) in enumerate(FOLDS.split(X)):
        fitted = PoissonRegression(prior_precision=0.1).fit(X[fit], y[fit], offset=OFFSET[fit])
        mine = deviance(y[fit], fitted.predict(X[fit], offset=OFFSET[fit])).mean()
        np.testing.assert_allclose(path.fold_train[0, i], mine, rtol=1e-9)


@pytest.mark.parametrize(
    "judge",
    [
        {"loss": "poisson"},
        {"scoring": "neg_mean_poisson_deviance"},
        {"scoring": make_scorer(mean_poisson_deviance, greater_is_better=False)},
        {"scoring": lambda model, X, y: -mean_poisson_deviance(y, model.predict(X))},
    ],
    ids=["loss", "name", "scorer", "function"],
)
def test_a_search_predicts_with_the_offsets_of_the_rows(judge):
    search = SearchCV(PoissonRegression(), {"prior_precision": [0.1, 10.0]}, cv=FOLDS, **judge).fit(
        X, y, offset=OFFSET
    )
    for i, a in enumerate([0.1, 10.0]):
        mine = -honest(PoissonRegression(prior_precision=a))
        np.testing.assert_allclose(
            [search.cv_results_[f"split{k}_test_score"][i] for k in range(5)], mine, rtol=1e-9
        )
    fitted = PoissonRegression(prior_precision=search.best_params_["prior_precision"]).fit(
        X, y, offset=OFFSET
    )
    np.testing.assert_allclose(search.predict(X, offset=OFFSET), fitted.predict(X, offset=OFFSET), rtol=1e-9)


def test_two_layers_predict_with_the_offsets_of_the_rows():
    models = {"fixed": PoissonRegression(), "chosen": (PoissonRegression(), {"prior_precision": [1e-3, 1e4]})}
    found = two_layer(models, X, y, FOLDS, 3, loss="poisson", params=COUNTS)
    np.testing.assert_allclose(found.errors["fixed"], honest(PoissonRegression()), rtol=1e-9)
    assert {c["prior_precision"] for c in found.chosen["chosen"]} == {1e-3}
    np.testing.assert_allclose(
        found.errors["chosen"], honest(PoissonRegression(prior_precision=1e-3)), rtol=1e-9
    )


def test_the_baseline_of_two_layers_takes_what_it_knows():
    models = {"count": PoissonRegression()}
    plain = two_layer(models, X, y, FOLDS, 3, loss="poisson")
    offset = two_layer(models, X, y, FOLDS, 3, loss="poisson", params=COUNTS)
    np.testing.assert_allclose(offset.errors["baseline"], plain.errors["baseline"], rtol=1e-12)
    weight = rng.uniform(0.1, 3, N)
    weighted = two_layer(models, X, y, FOLDS, 3, loss="poisson", params={"sample_weight": weight})
    for i, (fit, test) in enumerate(FOLDS.split(X)):
        mine = deviance(y[test], np.average(y[fit], weights=weight[fit])).mean()
        np.testing.assert_allclose(weighted.errors["baseline"][i], mine, rtol=1e-9)


def test_columns_are_selected_with_the_offsets_of_the_rows():
    found = select_features(PoissonRegression(), X, y, cv=FOLDS, loss="poisson", params=COUNTS)
    mine = honest(PoissonRegression(), columns=list(found.selected))
    np.testing.assert_allclose(min(found.errors), mine.mean(), rtol=1e-9)
    ranked = rank_features(PoissonRegression(), X, y, cv=FOLDS, loss="poisson", params=COUNTS)
    alone = [honest(PoissonRegression(), columns=[j]).mean() for j in range(3)]
    np.testing.assert_allclose(ranked.errors, alone, rtol=1e-9)


def test_learning_curves_predict_with_the_offsets_of_the_rows():
    curve = learning_curve(
        PoissonRegression(), X, y, sizes=[20, 48], cv=FOLDS, loss="poisson", shuffle=False, params=COUNTS
    )
    for i, size in enumerate(curve.sizes):
        np.testing.assert_allclose(curve.fold_test[i], honest(PoissonRegression(), train=size), rtol=1e-9)


class Forwarding(RegressorMixin, BaseEstimator):
    """A wrapper of someone else's that hands on whatever it is given."""

    def fit(self, X, y, **options):
        self.inner_ = PoissonRegression().fit(X, y, **options)
        return self

    def predict(self, X, **options):
        return self.inner_.predict(X, **options)


def test_a_wrapper_that_hands_everything_on_is_given_everything():
    found = cross_validate(Forwarding(), X, y, cv=FOLDS, loss="poisson", params=COUNTS)
    np.testing.assert_allclose(found.fold_losses, honest(PoissonRegression()), rtol=1e-9)


def test_weights_do_not_reach_predict():
    weight = rng.uniform(0.1, 3, N)
    found = cross_validate(Forwarding(), X, y, cv=FOLDS, loss="poisson", params={"sample_weight": weight})
    for i, (fit, test) in enumerate(FOLDS.split(X)):
        fitted = PoissonRegression().fit(X[fit], y[fit], sample_weight=weight[fit])
        np.testing.assert_allclose(
            found.fold_losses[i], deviance(y[test], fitted.predict(X[test])).mean(), rtol=1e-9
        )


def test_a_wrapper_that_fits_with_offsets_and_predicts_without_is_refused():
    theirs = GridSearchCV(PoissonRegression(), {"prior_precision": [0.1, 1.0]}, cv=3)
    with pytest.raises(Unsupported, match="GridSearchCV hands offset to fit and not to predict"):
        cross_validate(theirs, X, y, cv=FOLDS, loss="poisson", params=COUNTS)


def test_a_number_for_all_rows_stays_one():
    theirs = cross_validate(
        PoissonRegression(), X, y, cv=FOLDS, loss="poisson", params={"offset": np.zeros(N)}
    )
    np.testing.assert_allclose(
        theirs.fold_losses,
        cross_validate(PoissonRegression(), X, y, cv=FOLDS, loss="poisson").fold_losses,
        rtol=1e-6,
    )


# -- weights ---------------------------------------------------------------------------------------------------
WEIGHT = rng.uniform(0.1, 3, N)


def weighted_fits(model, fit_weight, test_weight):
    out = []
    for fit, test in FOLDS.split(X):
        fitted = clone(model).fit(X[fit], y[fit], sample_weight=fit_weight[fit])
        out.append(np.average((y[test] - fitted.predict(X[test])) ** 2, weights=test_weight[test]))
    return np.array(out)


def test_sample_weight_counts_in_the_fit_and_in_the_average():
    found = cross_validate(Ridge(), X, y, cv=FOLDS, sample_weight=WEIGHT)
    np.testing.assert_allclose(found.fold_losses, weighted_fits(Ridge(), WEIGHT, WEIGHT), rtol=1e-9)
    np.testing.assert_allclose(
        found.fold_sizes, [WEIGHT[test].sum() for _, test in FOLDS.split(X)], rtol=1e-12
    )


@pytest.mark.parametrize(
    "road", ["cross_validate", "validate_path", "SearchCV", "two_layer", "learning_curve"]
)
def test_weights_in_params_count_in_the_fit_alone_and_a_note_says_so(road):
    params, ones = {"sample_weight": WEIGHT}, np.ones(N)
    mine = weighted_fits(Ridge(), WEIGHT, ones)
    if road == "cross_validate":
        result = cross_validate(Ridge(), X, y, cv=FOLDS, params=params)
        losses, notes = result.fold_losses, result.notes
    elif road == "validate_path":
        result = validate_path(Ridge(), X, y, "alpha", [1.0], FOLDS, params=params)
        losses, notes = result.fold_test[0], result.notes
    elif road == "SearchCV":
        result = SearchCV(Ridge(), {"alpha": [1.0]}, cv=FOLDS, scoring="neg_mean_squared_error")
        result.fit(X, y, sample_weight=WEIGHT)  # a scoring knows no weights, as in scikit-learn
        losses, notes = result.scores_.test[0], ["weights the fit alone"]
    elif road == "two_layer":
        result = two_layer({"ridge": Ridge()}, X, y, FOLDS, 3, params=params)
        losses, notes = result.errors["ridge"], result.validations["ridge"].notes
    else:
        result = learning_curve(Ridge(), X, y, sizes=[48], cv=FOLDS, shuffle=False, params=params)
        losses, notes = result.fold_test[0], result.notes
    np.testing.assert_allclose(losses, mine, rtol=1e-9)
    assert any("weights the fit alone" in note for note in notes)


def test_weights_given_twice_are_refused():
    with pytest.raises(InvalidInput, match="not both"):
        cross_validate(Ridge(), X, y, sample_weight=WEIGHT, params={"sample_weight": WEIGHT})


EMPTY_FOLD = np.where(np.arange(N) < 12, 0.0, 1.0)  # the first fold has no row that counts


@pytest.mark.parametrize(
    "road",
    [
        lambda **o: cross_validate(Ridge(), X, y, cv=FOLDS, **o),
        lambda **o: cross_validate(DummyRegressor(), X, y, cv=FOLDS, **o),
        lambda **o: validate_path(Ridge(), X, y, "alpha", [1.0, 2.0], FOLDS, **o),
        lambda **o: SearchCV(Ridge(), {"alpha": [1.0]}, cv=FOLDS).fit(X, y, **o),
        lambda **o: SearchCV(Ridge(), {"alpha": [1.0]}, cv=FOLDS, scoring="r2").fit(X, y, **o),
        lambda **o: two_layer({"r": (Ridge(), {"alpha": [1.0, 2.0]})}, X, y, FOLDS, 3, **o),
        lambda **o: two_layer({"r": (Ridge(), {"alpha": [1.0, 2.0]})}, X, y, 2, KFold(3), **o),
        lambda **o: learning_curve(Ridge(), X, y, sizes=[20, 30], cv=FOLDS, **o),
        lambda **o: select_features(Ridge(), X, y, cv=FOLDS, **o),
        lambda **o: select_features(Ridge(), X, y, cv=FOLDS, loss="absolute", **o),
        lambda **o: rank_features(Ridge(), X, y, cv=FOLDS, **o),
    ],
)
def test_a_fold_whose_test_rows_weigh_nothing_is_refused(road):
    with pytest.raises(InvalidInput, match=r"Fold 0 has no test rows with positive weight.*[Ll]eave"):
        road(sample_weight=EMPTY_FOLD)
