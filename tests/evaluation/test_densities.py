"""Densities in every validation: −log p(x) of rows that the model has not seen, against clone, fit, score_samples."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, DensityMixin, clone
from sklearn.cluster import KMeans
from sklearn.compose import TransformedTargetRegressor
from sklearn.decomposition import PCA
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import Ridge
from sklearn.metrics import mean_poisson_deviance
from sklearn.mixture import BayesianGaussianMixture, GaussianMixture
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice import engine
from suffice._core.errors import FitFailed, InvalidInput, InvalidParameter, NotFinite, Unsupported
from suffice._core.losses import LOSSES, is_density, mean_interval, resolve_loss
from suffice.baselines import MajorityClassifier, MeanRegressor
from suffice.engine.hashing import folds_of_rows
from suffice.evaluation import (
    SearchCV,
    cross_validate,
    junk_attributes,
    learning_curve,
    select_features,
    two_layer,
    validate_path,
)
from suffice.linear import LinearRegression

from ..engine.mixture import Mixture, log_joint, sample

rng = np.random.default_rng(5)
N = 60
X = np.vstack([rng.normal(-2, 0.8, (25, 2)), rng.normal(1.5, 1.2, (35, 2))])[rng.permutation(N)]
WEIGHT = rng.integers(0, 4, N).astype(float)
GROUPS = np.arange(N) % 7
HOLES = np.where(rng.random((N, 2)) < 0.2, np.nan, X)


class Box(DensityMixin, BaseEstimator):
    """Uniform between the smallest and the largest row, a little wider: rows outside have density zero."""

    def __init__(self, margin=0.0):
        self.margin = margin

    def fit(self, X, y=None):
        self.low_, self.high_ = X.min(axis=0) - self.margin, X.max(axis=0) + self.margin
        return self

    def score_samples(self, X):
        inside = np.all((self.low_ <= X) & (self.high_ >= X), axis=1)
        return np.where(inside, -np.log(self.high_ - self.low_).sum(), -np.inf)


class Normals(DensityMixin, BaseEstimator):
    """Independent normals from the cells that are there, with weights; `said` replaces a log density."""

    def __init__(self, floor=1e-3, said=None):
        self.floor = floor
        self.said = said

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X, y=None, sample_weight=None):
        X = np.asarray(X, dtype=float)
        w = np.ones(len(X)) if sample_weight is None else sample_weight
        there = w[:, None] * ~np.isnan(X)
        self.mean_ = np.nansum(there * X, axis=0) / there.sum(axis=0)
        self.variance_ = np.nansum(there * (X - self.mean_) ** 2, axis=0) / there.sum(axis=0) + self.floor
        return self

    def score_samples(self, X):
        z = (np.asarray(X, dtype=float) - self.mean_) ** 2 / self.variance_
        logs = -0.5 * np.nansum(z + np.log(2 * np.pi * self.variance_), axis=1)
        return logs if self.said is None else np.full(len(logs), self.said)


def brute(model, X, splits, weight=None):
    """Per fold the losses of its test rows, and the mean losses of test and training rows."""
    losses, tests, trains = [], [], []
    for train, test in splits:
        options = {} if weight is None else {"sample_weight": weight[train]}
        fitted = clone(model).fit(X[train], **options)
        losses.append(-fitted.score_samples(X[test]))
        w = np.ones(len(X)) if weight is None else weight
        tests.append(np.average(losses[-1], weights=w[test]))
        trains.append(np.average(-fitted.score_samples(X[train]), weights=w[train]))
    return losses, np.array(tests), np.array(trains)


MODELS = {
    "mixture": GaussianMixture(2, init_params="random_from_data", random_state=0),
    "bayesian": BayesianGaussianMixture(
        n_components=2, init_params="random_from_data", random_state=1, max_iter=500
    ),
    "kernel": KernelDensity(bandwidth=0.7),
    "pca": PCA(1),
}
SPLITS = {
    "blocks": (KFold(4), None),
    "shuffled": (KFold(4, shuffle=True, random_state=3), None),
    "groups": (GroupKFold(3), GROUPS),
}


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("name", MODELS)
def test_losses_are_those_of_refitting(name, split):
    model, (cv, groups) = MODELS[name], SPLITS[split]
    found = cross_validate(model, X, cv=cv, groups=groups)
    splits = list(cv.split(X, groups=groups))
    losses, folds, _ = brute(model, X, splits)
    rows = np.concatenate([test for _, test in splits])
    pooled = np.concatenate(losses)
    np.testing.assert_allclose(found.fold_losses, folds, rtol=1e-12)
    np.testing.assert_allclose(found.losses[rows], pooled, rtol=1e-12)
    assert found.estimate == pytest.approx(pooled.mean(), rel=1e-12)
    half = 2.0009953780882688 * pooled.std(ddof=1) / np.sqrt(N)  # Student's t with 59 degrees of freedom
    np.testing.assert_allclose(found.interval, [pooled.mean() - half, pooled.mean() + half], rtol=1e-9)
    assert (found.how, found.loss) == ("refit", "log density")
    assert found.predictions is None
    assert found.probabilities is None
    assert found.distributions is None
    assert not hasattr(model, "means_")


def test_single_rows_are_left_out():
    few = X[:12]
    found = cross_validate(KernelDensity(), few, cv=LeaveOneOut())
    losses, _, _ = brute(KernelDensity(), few, LeaveOneOut().split(few))
    np.testing.assert_allclose(found.losses, np.concatenate(losses), rtol=1e-12)
    np.testing.assert_allclose(found.fold_losses, found.losses, rtol=1e-12)


def test_rows_tested_twice_have_losses_per_fold_and_no_interval():
    cv = ShuffleSplit(3, test_size=30, random_state=0)
    found = cross_validate(KernelDensity(), X, cv=cv)
    losses, folds, _ = brute(KernelDensity(), X, cv.split(X))
    assert found.interval is None
    np.testing.assert_allclose(found.losses, losses, rtol=1e-12)
    assert cross_validate(KernelDensity(), X, cv=cv, average="fold").estimate == pytest.approx(folds.mean())


@pytest.mark.parametrize("model", [KernelDensity(bandwidth=0.7), Normals()])
def test_weights_count_in_training_and_in_the_average(model):
    cv = KFold(4, shuffle=True, random_state=0)
    table = X if isinstance(model, KernelDensity) else HOLES
    weight = WEIGHT + (isinstance(model, KernelDensity))  # kernels of weight zero are refused
    found = cross_validate(model, table, cv=cv, sample_weight=weight)
    _, folds, _ = brute(model, table, cv.split(X), weight)
    np.testing.assert_allclose(found.fold_losses, folds, rtol=1e-12)
    w = weight[weight > 0]
    losses = found.losses[weight > 0]
    assert found.estimate == pytest.approx(np.average(losses, weights=w), rel=1e-12)
    np.testing.assert_allclose(found.interval, mean_interval(losses, w, 0.95, False), rtol=1e-12)


def test_missing_values_reach_models_that_take_them_and_stop_the_others():
    found = cross_validate(Normals(), HOLES, cv=5)
    losses, _, _ = brute(Normals(), HOLES, KFold(5).split(X))
    np.testing.assert_allclose(found.losses, np.concatenate(losses), rtol=1e-12)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        cross_validate(GaussianMixture(), HOLES, cv=5)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_tables_are_taken_as_they_are(make):
    table = make({"a": X[:, 0], "b": X[:, 1]})
    found = cross_validate(MODELS["mixture"], table, cv=4)
    np.testing.assert_allclose(found.losses, cross_validate(MODELS["mixture"], X, cv=4).losses, rtol=1e-12)
    search = SearchCV(MODELS["mixture"], {"n_components": [1, 2]}, cv=3).fit(table)
    assert search.best_estimator_.feature_names_in_.tolist() == ["a", "b"]
    assert search.score(table) == pytest.approx(search.best_estimator_.score(table), rel=1e-12)


def test_targets_are_ignored_but_may_split():
    y = (X[:, 0] > 0).astype(int)
    plain = cross_validate(MODELS["mixture"], X, cv=4)
    np.testing.assert_array_equal(cross_validate(MODELS["mixture"], X, y, cv=4).losses, plain.losses)
    cv = StratifiedKFold(4)
    found = cross_validate(MODELS["mixture"], X, y, cv=cv)
    np.testing.assert_allclose(found.fold_losses, brute(MODELS["mixture"], X, cv.split(X, y))[1], rtol=1e-12)


def test_rows_of_density_zero_make_the_loss_infinite_and_are_counted():
    cv = KFold(5)
    found = cross_validate(Box(), X, cv=cv)
    outside = np.isposinf(np.concatenate(brute(Box(), X, cv.split(X))[0]))
    assert 0 < outside.sum() < N
    np.testing.assert_array_equal(np.isposinf(found.losses), outside)
    assert found.estimate == np.inf
    assert found.interval is None
    assert f"{outside.sum()} held-out rows have density zero, so the loss is infinite" in found.notes
    path = validate_path(Box(), X, param="margin", values=[0.0, 3.0, 9.0], cv=cv)
    assert path.test[0] == np.inf
    assert path.best == 3.0
    search = SearchCV(Box(), {"margin": [0.0, 3.0, 9.0]}, cv=cv).fit(X)
    assert search.best_params_ == {"margin": 3.0}
    assert search.cv_results_["rank_test_score"].tolist() == [3, 1, 2]


def test_rows_without_weight_may_have_density_zero():
    class Weighted(Box):
        def fit(self, X, y=None, sample_weight=None):
            return super().fit(X)

    cv = KFold(5)
    inside = np.isfinite(cross_validate(Box(), X, cv=cv).losses)
    found = cross_validate(Weighted(), X, cv=cv, sample_weight=inside.astype(float))
    assert np.isfinite(found.estimate)
    assert not [note for note in found.notes if "density zero" in note]


@pytest.mark.parametrize("said", [np.inf, np.nan])
def test_a_density_that_has_collapsed_is_no_result(said):
    with pytest.raises(NotFinite, match=f"Normals gives row 0 the log density {said}: its fit has collapsed"):
        cross_validate(Normals(said=said), X, cv=3)
    with pytest.warns(FitFailed, match="fold 0 with {'said': .*} failed"):
        path = validate_path(Normals(), X, param="said", values=[said, None], cv=3)
    assert np.isnan(path.test[0])
    assert path.best is None  # the value that works
    np.testing.assert_allclose(path.fold_test[1], brute(Normals(), X, KFold(3).split(X))[1], rtol=1e-12)


def test_a_path_is_that_of_refitting_each_value():
    cv = KFold(4, shuffle=True, random_state=1)
    path = validate_path(MODELS["mixture"], X, None, "n_components", range(1, 4), cv)
    by_hand = []
    for i, k in enumerate(path.values):
        _, test, train = brute(clone(MODELS["mixture"]).set_params(n_components=k), X, cv.split(X))
        np.testing.assert_allclose(path.fold_test[i], test, rtol=1e-12)
        np.testing.assert_allclose(path.fold_train[i], train, rtol=1e-12)
        by_hand.append(test)  # folds of one size
    mean, i = np.mean(by_hand, axis=1), int(np.argmin(np.mean(by_hand, axis=1)))
    reach = mean[i] + np.std(by_hand[i], ddof=1) / np.sqrt(4)
    assert path.best == (1, 2, 3)[i] != 1
    assert path.one_standard_error == (1, 2, 3)[int(np.argmax(mean <= reach))]
    assert (path.how, path.loss, path.simplest) == ("refit", "log density", "smallest")
    weighted = validate_path(Normals(), HOLES, None, "floor", [0.1, 1.0], cv, sample_weight=WEIGHT)
    for i, floor in enumerate(weighted.values):
        _, test, train = brute(Normals(floor), HOLES, cv.split(X), WEIGHT)
        np.testing.assert_allclose(weighted.fold_test[i], test, rtol=1e-12)
        np.testing.assert_allclose(weighted.fold_train[i], train, rtol=1e-12)


def test_a_search_scores_by_mean_log_density_as_scikit_learn_does():
    grid = {"n_components": [1, 2], "covariance_type": ["full", "diag", "spherical"]}
    cv = KFold(4, shuffle=True, random_state=1)  # of one size, so that both averages are one
    ours = SearchCV(MODELS["mixture"], grid, cv=cv, return_train_score=True).fit(X)
    theirs = GridSearchCV(MODELS["mixture"], grid, cv=cv, return_train_score=True).fit(X)
    for key in ("mean_test_score", "std_test_score", "mean_train_score"):
        np.testing.assert_allclose(ours.cv_results_[key], theirs.cv_results_[key], rtol=1e-12)
    np.testing.assert_array_equal(ours.cv_results_["rank_test_score"], theirs.cv_results_["rank_test_score"])
    assert ours.best_params_ == theirs.best_params_
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-12)
    assert ours.score(X) == pytest.approx(theirs.score(X), rel=1e-12)
    assert is_density(ours)


def test_a_search_with_a_scorer_asks_it_without_targets():
    def total(model, X):
        return model.score(X)

    grid, cv = {"bandwidth": [0.3, 0.8]}, KFold(3)
    ours = SearchCV(KernelDensity(), grid, scoring=total, cv=cv).fit(X)
    theirs = GridSearchCV(KernelDensity(), grid, scoring=total, cv=cv).fit(X)
    np.testing.assert_allclose(
        ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], rtol=1e-12
    )


def test_a_search_within_a_validation():
    search = SearchCV(KernelDensity(), {"bandwidth": [0.2, 0.7]}, cv=3)
    found = cross_validate(search, X, cv=3)
    np.testing.assert_allclose(found.fold_losses, brute(search, X, KFold(3).split(X))[1], rtol=1e-12)


def test_a_pipeline_says_whose_density_it_has():
    model = make_pipeline(StandardScaler(), KernelDensity(bandwidth=0.5))
    found = cross_validate(model, X, cv=3)
    np.testing.assert_allclose(found.fold_losses, brute(model, X, KFold(3).split(X))[1], rtol=1e-12)
    said = "the density is that of the columns which the steps before KernelDensity make"
    assert any(note.startswith(said) for note in found.notes)
    path = validate_path(model, X, None, "kerneldensity__bandwidth", [0.5], 3)
    assert any(note.startswith(said) for note in path.notes)
    assert not any("steps before" in note for note in cross_validate(KernelDensity(), X, cv=3).notes)


def test_a_learning_curve_of_a_density():
    curve = learning_curve(Normals(), X, sizes=[10, 40], cv=3, shuffle=False)
    splits = [(train[:10], test) for train, test in KFold(3).split(X)]
    np.testing.assert_allclose(curve.fold_test[0], brute(Normals(), X, splits)[1], rtol=1e-12)
    assert curve.baseline is None
    assert curve.loss == "log density"


def test_two_layers_choose_and_judge_densities():
    grid = {"bandwidth": [0.2, 0.7, 2.0]}
    found = two_layer({"one normal": Normals(), "kernel": (KernelDensity(), grid)}, X, outer=3, inner=3)
    assert found.baseline == "one normal"
    assert found.names == ("one normal", "kernel")
    assert found.y is None
    losses = []
    for i, (train, test) in enumerate(KFold(3).split(X)):
        inner = [
            np.average(
                brute(KernelDensity(bandwidth=h), X[train], KFold(3).split(train))[1], weights=[14, 13, 13]
            )
            for h in grid["bandwidth"]
        ]
        np.testing.assert_allclose(found.inner["kernel"][i], inner, rtol=1e-12)
        best = grid["bandwidth"][int(np.argmin(inner))]
        assert found.chosen["kernel"][i] == {"bandwidth": best}
        losses.append(-KernelDensity(bandwidth=best).fit(X[train]).score_samples(X[test]))
    np.testing.assert_allclose(found.losses["kernel"], np.concatenate(losses), rtol=1e-12)
    pair = found.compare(setup="I")["kernel", "one normal"]
    gap = np.mean(np.concatenate(losses) - found.losses["one normal"])
    assert pair.estimate == pytest.approx(gap, rel=1e-9)
    with pytest.raises(InvalidInput, match="'kernel' is a density and 'mean' predicts targets"):
        two_layer({"mean": MeanRegressor(), "kernel": KernelDensity()}, X, X[:, 0])


# -- what is refused ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("loss", ["squared", "absolute", "misclassification", "log", "poisson"])
def test_a_density_has_no_loss_of_targets(loss):
    with pytest.raises(InvalidParameter, match=f"GaussianMixture is a density .* it has no {loss} loss"):
        cross_validate(GaussianMixture(), X, X[:, 0], loss=loss)
    assert cross_validate(GaussianMixture(), X, cv=2, loss="log density").loss == "log density"


def test_what_is_no_density_has_no_log_density():
    for model in (LinearRegression(), IsolationForest(), KMeans(2)):
        assert not is_density(model)
        with pytest.raises(InvalidParameter, match=r"needs a density: score_samples and no targets; got"):
            resolve_loss("log density", model)
    with pytest.raises(InvalidParameter, match="no default loss for IsolationForest"):
        cross_validate(IsolationForest(), X)
    with pytest.raises(InvalidInput, match="compares predictions with y, and there is no y"):
        cross_validate(KMeans(2, n_init=1), X, loss=lambda y, p: np.abs(y - p))


def test_weights_are_refused_where_fit_takes_none():
    with pytest.raises(Unsupported, match="fit of GaussianMixture takes no sample_weight"):
        cross_validate(GaussianMixture(), X, sample_weight=WEIGHT)


def test_log_densities_are_one_per_row():
    class Pairs(Normals):
        def score_samples(self, X):
            return super().score_samples(X), None

    class Columns(Normals):
        def score_samples(self, X):
            return super().score_samples(X)[:, None]

    with pytest.raises(
        InvalidInput, match="Pairs must return one log density per row; got a tuple for 30 rows"
    ):
        cross_validate(Pairs(), X, cv=2)
    with pytest.raises(InvalidInput, match=r"got shape \(30, 1\) for 30 rows"):
        cross_validate(Columns(), X, cv=2)


def test_columns_do_not_come_and_go_under_a_density():
    with pytest.raises(Unsupported, match="log densities of different columns cannot be compared"):
        select_features(Normals(), X, X[:, 0])
    with pytest.raises(Unsupported, match="log densities of different columns cannot be compared"):
        junk_attributes(Normals(), X, X[:, 0], [0, 1], cv=2)


# -- sources that do not fit in memory ----------------------------------------------------------------------------
class ScoredMixture(Mixture):
    """The mixture by EM of the engine's tests, with a density."""

    def fit(self, X, y=None):
        return engine.fit(self, (X,))

    def score_samples(self, X):
        return np.logaddexp.reduce(log_joint(np.asarray(X)[:, 0], self.params_), axis=1)


def test_the_engine_holds_folds_of_an_iterating_density_out():
    x = sample(400)[:, None]
    found = engine.cross_validate(ScoredMixture(tol=1e-7), (x,), folds=3, seed=1)
    fold = folds_of_rows(0, 0, len(x), 3, 1)
    refitted = cross_validate(ScoredMixture(tol=1e-7), x, cv=PredefinedSplit(fold))
    np.testing.assert_allclose(found.fold_losses, refitted.fold_losses, rtol=1e-9)
    np.testing.assert_allclose(found.interval, refitted.interval, rtol=1e-9)
    assert found.estimate == pytest.approx(refitted.estimate, rel=1e-9)
    assert (found.how, found.loss, found.statistics) == ("refit", "log density", None)


def test_the_engine_weighs_the_rows_of_a_density():
    x = sample(300)
    w = np.arange(300) % 3
    table = pl.DataFrame({"x": x, "w": w})
    model = ScoredMixture(tol=1e-8, max_iter=1000)
    found = engine.cross_validate(model, table, folds=3, weight="w")
    twice = np.repeat(np.arange(300), w)
    fold = folds_of_rows(0, 0, 300, 3, 0)[twice]
    for i in range(3):
        fitted = clone(model).fit(x[twice][fold != i, None])
        said = -fitted.score_samples(x[twice][fold == i, None]).mean()
        assert found.fold_losses[i] == pytest.approx(
            said, rel=2e-3
        )  # EM begins from the rows, weighted or not
    np.testing.assert_array_equal(found.fold_sizes, np.bincount(fold))


# -- the deviance of counts ---------------------------------------------------------------------------------------
COUNTS = rng.poisson(np.exp(0.3 * X[:, 0]))
POSITIVE = TransformedTargetRegressor(
    Ridge(), func=lambda y: np.log(y + 0.5), inverse_func=np.exp, check_inverse=False
)


def test_the_poisson_deviance_is_that_of_scikit_learn():
    mean = np.exp(rng.normal(size=N))
    mine = LOSSES["poisson"](COUNTS, mean)
    assert mine.mean() == pytest.approx(mean_poisson_deviance(COUNTS, mean), rel=1e-12)
    assert mine[3] == pytest.approx(mean_poisson_deviance(COUNTS[3:4], mean[3:4]), rel=1e-12)
    np.testing.assert_array_equal(LOSSES["poisson"](np.array([0.0, 0.0]), np.array([0.0, 2.0])), [0.0, 4.0])
    two = LOSSES["poisson"](np.column_stack([COUNTS, COUNTS]), np.column_stack([mean, mean + 1]))
    np.testing.assert_allclose(two, (mine + LOSSES["poisson"](COUNTS, mean + 1)) / 2, rtol=1e-12)


def test_the_poisson_deviance_in_every_validation():
    splits = list(KFold(3).split(X))

    def deviance(model, train, test):
        return mean_poisson_deviance(COUNTS[test], clone(model).fit(X[train], COUNTS[train]).predict(X[test]))

    for model in (POSITIVE, MeanRegressor()):
        by_hand = [deviance(model, *split) for split in splits]
        found = cross_validate(model, X, COUNTS, cv=3, loss="poisson")
        np.testing.assert_allclose(found.fold_losses, by_hand, rtol=1e-7)
    path = validate_path(POSITIVE, X, COUNTS, "regressor__alpha", [0.1, 10.0], 3, loss="poisson")
    by_hand = [
        [deviance(clone(POSITIVE).set_params(regressor__alpha=a), *s) for s in splits] for a in path.values
    ]
    np.testing.assert_allclose(path.fold_test, by_hand, rtol=1e-9)
    layers = two_layer({"logs": POSITIVE}, X, COUNTS, outer=3, loss="poisson")
    assert layers.estimates["logs"] == cross_validate(POSITIVE, X, COUNTS, cv=3, loss="poisson").estimate
    by_mean = cross_validate(MeanRegressor(), X, COUNTS, cv=3, loss="poisson").estimate
    assert layers.estimates["baseline"] == pytest.approx(by_mean, rel=1e-12)
    grid = {"regressor__alpha": [0.1, 10.0]}
    ours, theirs = (
        kind(POSITIVE, grid, cv=3, scoring="neg_mean_poisson_deviance").fit(X, COUNTS)
        for kind in (SearchCV, GridSearchCV)
    )
    np.testing.assert_allclose(
        ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], rtol=1e-12
    )


def test_the_poisson_deviance_names_the_row_where_it_is_not_defined():
    negative = COUNTS.astype(float)
    negative[41] = -1.0
    with pytest.raises(InvalidInput, match="'poisson' needs y >= 0; row 41 has y = -1 and"):
        cross_validate(MeanRegressor(), X, negative, cv=3, loss="poisson")
    line, steep = LinearRegression(), np.where(X[:, 0] > 1.5, 20, 0)
    said = cross_validate(line, X, steep, cv=3)
    row = int(np.flatnonzero(said.predictions < 0)[0])
    with pytest.raises(
        InvalidInput, match=f"needs predictions >= 0, and > 0 where y > 0; row {row} has y = "
    ):
        cross_validate(line, X, steep, cv=3, loss="poisson")
    with pytest.raises(InvalidInput, match="row 1 has y = 2 and prediction 0"):
        LOSSES["poisson"](np.array([0, 2]), np.array([0.0, 0.0]))
    with pytest.raises(InvalidParameter, match="'poisson' needs a regressor; got"):
        resolve_loss("poisson", MajorityClassifier())
