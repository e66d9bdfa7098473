"""Models that choose their penalty: what they refuse, whom they hand arguments to, and what they keep."""

import numpy as np
import pytest
import sklearn
from sklearn.exceptions import DataConversionWarning
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.metrics import get_scorer, make_scorer
from sklearn.model_selection import GroupKFold

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, SufficeWarning
from suffice.evaluation import validate_path
from suffice.linear import ElasticNetCV, Lasso, LassoCV, RidgeCV

rng = np.random.default_rng(2)
X = rng.standard_normal((60, 4))
Y = X @ [1.0, 0.0, -2.0, 0.0] + 0.5 * rng.standard_normal(60)
GROUP = np.arange(60) % 3


def test_the_losses_are_those_of_a_path():
    model = LassoCV(alphas=[1.0, 0.1, 0.01], cv=4).fit(X, Y)
    path = validate_path(Lasso(), X, Y, values=[1.0, 0.1, 0.01], cv=4)
    np.testing.assert_allclose(model.mse_path_, path.fold_test, rtol=1e-12)
    assert model.alpha_ == path.best


def test_the_chosen_model_merges():
    model = RidgeCV().fit(X, Y)
    both = suffice.merge([model.best_estimator_, model.best_estimator_])
    assert both.statistics_.n == 120


def test_arguments_reach_splitter_and_scorer_where_routing_is_on():
    for model in (RidgeCV(cv=GroupKFold(3)), LassoCV(alphas=5, cv=GroupKFold(3))):
        with pytest.raises(
            InvalidInput, match=r"\(groups\) .* only supported if enable_metadata_routing=True"
        ):
            model.fit(X, Y, groups=GROUP)
        with sklearn.config_context(enable_metadata_routing=True):
            model.fit(X, Y, groups=GROUP)
        pairs = list(GroupKFold(3).split(X, groups=GROUP))
        np.testing.assert_allclose(model.coef_, sklearn.clone(model).set_params(cv=pairs).fit(X, Y).coef_)
    weight = rng.uniform(0.1, 5, 60)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = RidgeCV(scoring=get_scorer("neg_mean_squared_error").set_score_request(sample_weight=True))
        routed = asking.fit(X, Y, sample_weight=weight).best_score_
        folds = RidgeCV(cv=3, scoring=asking.scoring).fit(X, Y, sample_weight=weight).best_score_
    assert routed == pytest.approx(RidgeCV(scoring="neg_mean_squared_error").fit(X, Y, weight).best_score_)
    assert folds != RidgeCV(cv=3, scoring="neg_mean_squared_error").fit(X, Y, weight).best_score_


def test_a_scorer_may_be_any_function_of_a_model():
    def most_off(model, X, y):
        return -float(np.max(np.abs(y - model.predict(X))))

    for scoring in (most_off, make_scorer(lambda a, b: -float(np.max(np.abs(a - b))))):
        model = RidgeCV(np.geomspace(1e-3, 1e3, 7), scoring=scoring, cv=3).fit(X, Y)
        losses = [
            np.mean(
                [
                    most_off(TheirRidge(a).fit(X[i], Y[i]), X[j], Y[j])
                    for i, j in GroupKFold(3).split(X, groups=BLOCK)
                ]
            )
            for a in np.geomspace(1e-3, 1e3, 7)
        ]
        assert model.best_score_ == pytest.approx(max(losses), rel=1e-10)


BLOCK = np.repeat([0, 1, 2], 20)


def test_what_is_refused():
    for model, words in (
        (RidgeCV([1.0, 0.0]), r"alphas\[1\] == 0.0, must be > 0.0"),
        (RidgeCV([1.0], cv=3, store_cv_results=True), "cv!=None and store_cv_results=True are incompatible"),
        (RidgeCV([1.0], cv=3, alpha_per_target=True), "cv!=None and alpha_per_target=True are incompatible"),
        (LassoCV(alphas=0), "alphas must be an integer >= 1 or a list"),
        (LassoCV(alphas=[[1.0]]), "alphas must be a number or a list of numbers"),
        (ElasticNetCV(l1_ratio=0), "Automatic alpha grid generation is not supported for l1_ratio=0"),
        (ElasticNetCV(l1_ratio=[]), r"l1_ratio must be a number in \[0, 1\] or a list"),
    ):
        with pytest.raises(InvalidParameter, match=words):
            model.fit(X, Y)
    with pytest.raises(InvalidInput, match="needs two with weight; got n_samples=1"):
        RidgeCV().fit(X, Y, np.arange(60) == 3)
    with pytest.raises(InvalidInput, match="cv=70 cannot split these 60 rows"):
        LassoCV(cv=70).fit(X, Y)
    with pytest.raises(InvalidInput, match="has folds without test rows"):
        LassoCV(cv=[(np.arange(5), np.arange(0))]).fit(X, Y)


def test_scores_that_are_not_defined():
    with pytest.warns(SufficeWarning, match="R² needs two different targets in every test fold"):
        model = RidgeCV([3.0, 1.0], cv=60).fit(X, Y)
    assert model.alpha_ == 3.0


def test_constant_targets_and_a_column():
    flat = LassoCV(alphas=4).fit(X, np.full(60, 2.0))
    np.testing.assert_array_equal(flat.alphas_, np.finfo(float).resolution)
    np.testing.assert_array_equal(flat.predict(X), 2.0)
    with pytest.warns(DataConversionWarning, match="column-vector y was passed"):
        column = LassoCV(alphas=4).fit(X, Y[:, None])
    np.testing.assert_array_equal(column.coef_, LassoCV(alphas=4).fit(X, Y).coef_)


def test_later_fits_forget_results():
    model = RidgeCV(store_cv_results=True).fit(X, Y)
    assert model.cv_results_.shape == (60, 3)
    assert not hasattr(model.set_params(store_cv_results=False).fit(X, Y), "cv_results_")
