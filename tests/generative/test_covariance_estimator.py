"""Covariances of an estimator that the user hands over, against scikit-learn's use of it and against formulas."""

import numpy as np
import pytest
from sklearn import covariance
from sklearn import discriminant_analysis as theirs
from sklearn.cluster import KMeans
from sklearn.model_selection import KFold
from sklearn.utils.estimator_checks import estimator_checks_generator

import suffice
from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.evaluation import cross_validate
from suffice.generative import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

rng = np.random.default_rng(8)
Y = rng.integers(0, 3, 90)
X = rng.standard_normal((90, 4)) @ rng.standard_normal((4, 4)) + Y[:, None]
NEW = rng.standard_normal((9, 4))
both = pytest.mark.parametrize("cls", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])


@pytest.mark.parametrize(
    "estimator",
    [
        covariance.OAS(),
        covariance.LedoitWolf(),
        covariance.ShrunkCovariance(shrinkage=0.3),
        covariance.EmpiricalCovariance(),
    ],
    ids=lambda e: type(e).__name__,
)
@pytest.mark.parametrize("name", ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"])
@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_it_is_scikit_learns(name, estimator, priors):
    options = {
        "solver": "eigen",
        "covariance_estimator": estimator,
        "priors": priors,
        "store_covariance": True,
    }
    mine = getattr(suffice.generative, name)(**options).fit(X, Y)
    assert mine.covariance_estimator is estimator
    other = getattr(theirs, name)(**options).fit(X, Y)
    np.testing.assert_allclose(mine.covariance_, other.covariance_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        mine.predict_log_proba(NEW), other.predict_log_proba(NEW), rtol=1e-8, atol=1e-9
    )


def test_axes_of_the_classes():
    mine = QuadraticDiscriminantAnalysis().fit(X, Y)
    other = theirs.QuadraticDiscriminantAnalysis().fit(X, Y)
    for a, b in zip(mine.scalings_, other.scalings_, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)
    for a, b in zip(mine.rotations_, other.rotations_, strict=True):
        np.testing.assert_allclose(np.abs(a), np.abs(b), rtol=1e-7, atol=1e-9)


@both
def test_weights_are_counts_of_rows(cls):
    times = rng.integers(0, 3, 90)
    options = {"covariance_estimator": covariance.OAS()}
    weighted = cls(**options).fit(X, Y, times)
    repeated = cls(**options).fit(np.repeat(X, times, axis=0), np.repeat(Y, times))
    np.testing.assert_allclose(weighted.predict_proba(NEW), repeated.predict_proba(NEW), rtol=1e-10)
    with pytest.raises(
        Unsupported, match="takes no weights, so sample_weight must be whole numbers.*got 0.5"
    ):
        cls(**options).fit(X, Y, np.where(Y == 0, 0.5, 1.0))


@both
def test_there_are_no_statistics(cls):
    estimator = covariance.OAS()
    model = cls(covariance_estimator=estimator).fit(X, Y)
    assert not hasattr(estimator, "covariance_")  # the user's object stays as it was
    assert not hasattr(model, "partial_fit")
    for attempt in (
        lambda: model.partial_fit(X, Y),
        lambda: cls(covariance_estimator=covariance.OAS()).collect(X, Y),
        lambda: suffice.merge([model, model]),
        lambda: engine.fit(cls(covariance_estimator=covariance.OAS()), (X, Y)),
    ):
        with pytest.raises(Unsupported, match="reads the rows of each class themselves"):
            attempt()
    assert not hasattr(
        cls().fit(X, Y).set_params(covariance_estimator=covariance.OAS()).fit(X, Y), "statistics_"
    )


@both
def test_it_is_validated_by_refitting(cls):
    model, folds = cls(covariance_estimator=covariance.OAS()), KFold(5)
    result = cross_validate(model, X, Y, cv=folds, loss="log")
    assert result.how == "refit"
    wanted = np.empty(90)
    for train, test in folds.split(X):
        logs = cls(covariance_estimator=covariance.OAS()).fit(X[train], Y[train]).predict_log_proba(X[test])
        wanted[test] = -logs[np.arange(len(test)), Y[test]]
    np.testing.assert_allclose(result.losses, wanted, rtol=1e-10)


class Leaves:
    """An estimator that leaves whatever it was given."""

    def __init__(self, left):
        self.left = left

    def fit(self, X):
        self.covariance_ = self.left


@both
def test_what_is_refused(cls):
    for options, words in (
        ({"shrinkage": 0.1}, "parameters are not None. Only one of the two can be set"),
        ({"shrinkage": "auto"}, "Only one of the two can be set"),
        ({"unbiased": True}, "covariance_estimator and unbiased decide the same"),
        ({"covariance": "diagonal"}, "covariance_estimator and covariance decide the same"),
    ):
        with pytest.raises(InvalidParameter, match=words):
            cls(covariance_estimator=covariance.OAS(), **options).fit(X, Y)
    with pytest.raises(InvalidParameter, match="KMeans does not have a covariance_ attribute after fit"):
        cls(covariance_estimator=KMeans(2, n_init=1)).fit(X, Y)
    with pytest.raises(InvalidInput, match="covariance_ that Leaves left has an eigenvalue of -1"):
        cls(covariance_estimator=Leaves(np.diag([1.0, -1.0, 1.0, 1.0]))).fit(X, Y)
    holes = np.where(X > 2, np.nan, X)
    with pytest.raises(InvalidInput, match="X contains NaN at row"):
        cls(covariance_estimator=covariance.OAS()).fit(holes, Y)


@both
@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
def test_scikit_learns_checks(cls):
    model = cls(covariance_estimator=covariance.OAS())
    for estimator, check in estimator_checks_generator(model):
        check(estimator)


def test_least_squares_has_no_projection():
    model = LinearDiscriminantAnalysis("lsqr").fit(X, Y)
    assert not hasattr(model, "transform")
    with pytest.raises(NotImplementedError, match="transform not implemented for 'lsqr'"):
        model.transform(X)
    assert hasattr(LinearDiscriminantAnalysis("eigen"), "transform")


def test_discriminants_of_single_precision():
    plain, single = LinearDiscriminantAnalysis().fit(X, Y), LinearDiscriminantAnalysis().fit(X.astype("f"), Y)
    assert single.coef_.dtype == single.intercept_.dtype == np.float32
    assert plain.coef_.dtype == np.float64
    np.testing.assert_allclose(single.coef_, plain.coef_, rtol=1e-5)


def test_one_row_per_class_leaves_nothing_within():
    with pytest.raises(
        InvalidInput, match="number of samples must be more than the number of classes; got 3 rows"
    ):
        LinearDiscriminantAnalysis().fit(X[:3], [0, 1, 2])
