"""Classes that leave a variance at zero: floors on the scale of the column within classes, the same in any units."""

import warnings

import numpy as np
import pytest
from scipy.special import polygamma
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as PeerLinear
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as PeerQuadratic
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB as PeerNaive

import suffice
from suffice._core.errors import InvalidInput, RankDeficient
from suffice.evaluation import cross_validate
from suffice.generative import (
    BayesClassifier,
    FisherDiscriminant,
    GaussianNB,
    LinearDiscriminantAnalysis,
    MixedNB,
    QuadraticDiscriminantAnalysis,
)

N = 120
UNITS = np.array([1e-6, 1.0, 1e5, 40.0])
MODELS = {
    "naive": GaussianNB(),
    "mixed": MixedNB(),
    "quadratic": QuadraticDiscriminantAnalysis(),
    "quadratic, shrunk": QuadraticDiscriminantAnalysis(shrinkage="auto"),
    "quadratic, diagonal": QuadraticDiscriminantAnalysis(covariance="diagonal"),
    "linear": LinearDiscriminantAnalysis(),
    "linear, shrunk": LinearDiscriminantAnalysis(shrinkage="auto"),
    "fisher": FisherDiscriminant(covariance="own"),
    "any density": BayesClassifier(),
}
every = pytest.mark.parametrize("name", MODELS)
pytestmark = pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")


def degenerate(seed=0):
    """A plain column; one constant in class 0; one constant in every class; and a level that class 1 never has."""
    rng = np.random.default_rng(seed)
    y = np.arange(N) % 3
    constant = np.where(y == 0, 2.0, rng.normal(size=N))
    level = ((rng.random(N) < 0.3) & (y != 1)).astype(float)
    return np.column_stack([rng.normal(size=N) + y, constant, 10.0 * y, level]), y


def odd_rows(X, y):
    """The rows of a table, each with the values of another class in the columns that are constant somewhere."""
    other = np.roll(X, 1, axis=0)
    out = X.copy()
    out[:, 1], out[:, 3] = other[:, 1], other[:, 3]
    out[:, 2] += np.random.default_rng(1).normal(size=len(X))
    return out


@every
def test_losses_stay_finite_numbers_that_mean_something(name):
    X, y = degenerate()
    model = MODELS[name].fit(X, y)
    losses = -model.predict_log_proba(odd_rows(X, y))[np.arange(N), y]
    assert (
        losses.max() < 1e5
    )  # half the square of so many deviations, at most 100 times what they are over all rows
    assert np.mean(model.predict(X) == y) > 0.9


@every
def test_units_do_not_matter(name):
    X, y = degenerate()
    new = odd_rows(X, y)
    model = clone(MODELS[name])
    if name in ("naive", "mixed"):
        model.set_params(var_smoothing=0.0)  # a share of the largest variance, as in scikit-learn
    plain = model.fit(X, y).predict_log_proba(new)
    np.testing.assert_allclose(model.fit(X * UNITS, y).predict_log_proba(new * UNITS), plain, rtol=1e-5)


@pytest.mark.parametrize("name", [n for n in MODELS if n != "any density"])
def test_validation_from_statistics_is_a_refit(name):
    X, y = degenerate()
    model, cv = MODELS[name], KFold(6, shuffle=True, random_state=0)
    found = cross_validate(model, X, y, cv=cv, loss="log")
    assert found.how == "statistics"
    slow = -cross_val_predict(model, X, y, cv=cv, method="predict_log_proba")[np.arange(N), y]
    np.testing.assert_allclose(found.losses, slow, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", ["naive", "quadratic", "quadratic, shrunk", "linear"])
def test_merged_and_forgotten(name):
    X, y = degenerate()
    model, half = MODELS[name], N // 2
    first, second = clone(model), clone(model)
    first.fit(X[:half], y[:half])
    second.fit(X[half:], y[half:])
    whole = model.fit(X, y)
    np.testing.assert_allclose(
        suffice.merge([first, second]).predict_log_proba(X), whole.predict_log_proba(X), rtol=1e-7, atol=1e-9
    )


def variances(model):
    return (
        model.var_
        if isinstance(model, GaussianNB)
        else np.array([d.cov.diagonal() for d in model.conditionals_])
    )


@pytest.mark.parametrize("name", ["naive", "quadratic", "quadratic, shrunk"])
def test_variances_by_hand(name):
    X, y = degenerate()
    found = variances(MODELS[name].fit(X, y))
    within = sum(((X[y == c] - X[y == c].mean(axis=0)) ** 2).sum(axis=0) for c in range(3)) / N
    assert found[0, 1] == pytest.approx(within[1] / 33.333333, rel=1e-6)  # 40 rows: a share of 0.03
    assert found[1, 3] == pytest.approx(within[3] / 33.333333, rel=1e-6)
    np.testing.assert_allclose(found[:, 2], X[:, 2].var() / (N + 1), rtol=1e-6)
    few = np.append(np.flatnonzero(y == 0)[:4], np.flatnonzero(y > 0))
    again = variances(MODELS[name].fit(X[few], y[few]))
    assert again[0, 1] == pytest.approx(
        0.25 * sum(X[few][y[few] == c, 1].var() * 40 for c in (1, 2)) / 84, rel=1e-6
    )


def test_a_class_of_one_row_has_the_spread_of_the_others_if_asked_to():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(41, 2)), np.append(np.arange(40) % 2, 2)
    with pytest.raises(
        InvalidInput, match="only 1 sample in class 2, covariance is ill defined.*shrinkage='auto'"
    ):
        QuadraticDiscriminantAnalysis().fit(X, y)
    model = QuadraticDiscriminantAnalysis(shrinkage="auto", store_covariance=True).fit(X, y)
    scatter = sum(((X[y == c] - X[y == c].mean(axis=0)) ** 2).sum(axis=0) for c in range(2))
    np.testing.assert_allclose(model.covariance_[2], np.diag(scatter / 41), rtol=1e-6, atol=1e-12)


def test_variances_are_shrunk_by_their_sampling_error():
    """κ of the module's docstring, by hand; correlations are as before."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 5)) * [1, 2, 3, 4, 5], np.arange(60) % 3
    model = QuadraticDiscriminantAnalysis(shrinkage="auto").fit(X, y)
    own = np.array([X[y == c].var(axis=0) for c in range(3)])
    v = np.log(own / own.mean(axis=0))  # classes of equal size
    kappa = np.minimum(1.0, 5 * polygamma(1, 19 / 2) / np.square(v).sum(axis=1))
    expected = own.mean(axis=0) * np.exp((1 - kappa[:, None]) * v)
    np.testing.assert_allclose(variances(model), expected, rtol=1e-9)


@pytest.mark.parametrize("cls", [GaussianNB, QuadraticDiscriminantAnalysis])
def test_shrinking_and_floors_leave_plain_fits_alone(cls):
    """scikit-learn's numbers where no column is constant in a class, however small its variance is there."""
    rng = np.random.default_rng(4)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 3)) * np.where(y == 0, 0.05, 1.0)[:, None] + y[:, None]
    peer = PeerNaive() if cls is GaussianNB else PeerQuadratic(store_covariance=True)
    peer.fit(X, y)
    wanted = peer.var_ if cls is GaussianNB else [np.diagonal(c) for c in peer.covariance_]
    np.testing.assert_allclose(variances(cls().fit(X, y)), wanted, rtol=1e-9)


def test_what_the_user_regularizes_is_scikit_learns():
    X, y = degenerate()
    X = X[:, [0, 1, 3]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mine = GaussianNB(var_smoothing=0.01).fit(X, y)
        shared = LinearDiscriminantAnalysis("lsqr", shrinkage=0.2).fit(X, y)
        own = QuadraticDiscriminantAnalysis(reg_param=0.1, store_covariance=True).fit(X, y)
    np.testing.assert_allclose(mine.var_, PeerNaive(var_smoothing=0.01).fit(X, y).var_, rtol=1e-9)
    peer = PeerLinear("lsqr", shrinkage=0.2).fit(X, y)
    np.testing.assert_allclose(shared.predict_proba(X), peer.predict_proba(X), rtol=1e-6, atol=1e-9)
    scatter = np.cov(X[y == 0].T, bias=True)
    np.testing.assert_allclose(own.covariance_[0], 0.9 * scatter + 0.1 * np.eye(3), rtol=1e-7, atol=1e-8)


def test_the_columns_are_named():
    X, y = degenerate()
    table = {"size": X[:, 0], "weight": X[:, 1], "level": X[:, 3]}
    pandas = pytest.importorskip("pandas")
    with pytest.warns(RankDeficient, match=r"In class 0 the columns 'weight' do not vary; they have a share"):
        QuadraticDiscriminantAnalysis().fit(pandas.DataFrame(table), y)
    with pytest.warns(RankDeficient, match=r"In class 0 column 'weight' does not vary, as in 1 more cases"):
        GaussianNB().fit(pandas.DataFrame(table), y)


@pytest.mark.parametrize("cls", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])
def test_gaps_in_a_column_that_does_not_vary(cls):
    """The iteration ends, and the column has its share of the variance within classes."""
    X, y = degenerate()
    X = X[:, :2].copy()
    X[::7, 1] = np.nan
    model = cls().fit(X, y)
    assert model.trace_.converged
    whole = cls().fit(np.where(np.isnan(X), np.where(y == 0, 2.0, 0.0)[:, None], X), y)
    new = odd_rows(degenerate()[0], y)[:, :2]
    assert np.mean(model.predict(new) == whole.predict(new)) > 0.9
    assert -model.predict_log_proba(new).min() < 3e4


def test_columns_that_depend_on_each_other_in_one_class():
    """The direction in which a class does not vary costs a row off it no more than n rows warrant."""
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(N, 2)), np.arange(N) % 2
    X[y == 0, 1] = X[y == 0, 0]
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    assert -model.predict_log_proba([[1.0, -1.0]])[0, 0] < 2 * N
    assert model.predict([[1.0, -1.0]]) == [1]
    assert np.mean(model.predict(X) == y) > 0.85
