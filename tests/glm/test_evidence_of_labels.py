"""The evidence of labels is a probability, whatever the table; and separated classes are told apart."""

import warnings

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.special import expit, log_expit

from suffice._core.errors import AtBound, Separated, SufficeWarning
from suffice.glm import BayesianLogisticRegression, LogisticRegression
from suffice.inference import Quadrature

WAYS = ["separated", "noise", "imbalanced", "constant", "copies", "few values", "huge units"]


def random_table(seed):
    """(X, y): 5 to 300 rows, 1 to 20 columns, of one of the kinds above; both classes occur."""
    rng = np.random.default_rng([seed, 77])
    n, d, way = int(rng.integers(5, 301)), int(rng.integers(1, 21)), WAYS[seed % len(WAYS)]
    X = rng.normal(size=(n, d)) if seed % 2 else rng.uniform(-3, 3, (n, d))
    a = X @ rng.normal(size=d)
    y = (a > np.median(a)).astype(int) if way == "separated" else (rng.random(n) < expit(a)).astype(int)
    if way == "imbalanced":
        y = (a >= np.sort(a)[-2]).astype(int)
    if way == "constant":
        X[:, rng.integers(d)] = 3.0
    if way == "copies":
        X = X[rng.integers(0, max(n // 10, 2), n)]
    if way == "few values":
        X = np.sign(X)
    if way == "huge units":
        X = X * 10.0 ** rng.integers(-6, 7, d)
    y[:2] = 0, 1
    return X, y


def check_table(seed):
    X, y = random_table(seed)
    options = {"intercept": "prior" if seed % 5 == 0 else "flat", "standardize": bool(seed % 3)}
    fixed = seed % 4 == 0 and WAYS[seed % len(WAYS)] != "huge units"
    precision = 1e-6 if fixed else "evidence"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SufficeWarning)
        model = BayesianLogisticRegression(precision, **options).fit(X, y)
        assert model.log_evidence_ <= 0
        if X.shape[1] == 1 and precision == "evidence":
            found = BayesianLogisticRegression(inference=Quadrature(tol=1e-6), **options).fit(X, y)
            assert found.log_evidence_ <= 0
        assert np.isfinite(model.predict_log_proba(X)).all()
    losses = -model.predict_log_proba(X)[np.arange(len(y)), y]
    assert losses.max() < 50


@pytest.mark.parametrize("seed", range(30))
def test_evidence_of_labels_is_at_most_one(seed):
    check_table(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_evidence_of_labels_is_at_most_one_on_a_thousand_tables(first):
    for seed in range(first, first + 100):
        check_table(seed)


@pytest.mark.parametrize("inference", ["laplace", "quadrature"])
@pytest.mark.parametrize("n", [40, 200])
@pytest.mark.filterwarnings("ignore::suffice._core.errors.AtBound")
def test_separated_classes_are_predicted(n, inference):
    x = np.random.default_rng(n).normal(size=n)
    model = BayesianLogisticRegression(inference=inference).fit(x[:, None], x > 0)
    high, low = model.predict_proba([[2.0], [-2.0]])[:, 1]
    assert high > 0.95
    assert low < 0.05
    assert model.log_evidence_ < 0
    assert model.prior_precision_ == pytest.approx(0.01 * x.var(), rel=1e-6)


def test_the_widest_prior_is_said_to_be_one():
    x = np.linspace(-1, 1, 20)
    with pytest.warns(AtBound, match="told apart by weights of any size"):
        BayesianLogisticRegression().fit(x[:, None], x > 0)


def test_two_rows_at_the_mean_stand_for_a_flat_intercept():
    """Mode, covariance and evidence are those of the table with a row of each class at its mean, and p(b) = 1."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 2)) + [5.0, 0.0]
    y, w = (rng.random(40) < expit(X[:, 1])).astype(int), rng.integers(1, 3, 40).astype(float)
    model = BayesianLogisticRegression(0.7).fit(X, y, w)
    mean = np.average(X, axis=0, weights=w)
    other = LogisticRegression(prior_precision=0.7)
    other.fit(np.vstack([X, mean, mean]), np.append(y, [0, 1]), np.append(w, [1.0, 1.0]))
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-8)
    np.testing.assert_allclose(model.intercept_, other.intercept_, rtol=1e-8)
    np.testing.assert_allclose(model.cov_params_, other.cov_params_, rtol=1e-8)
    a = model.intercept_[0] + X @ model.coef_[0]
    assert model.log_likelihood_ == pytest.approx(
        w @ np.where(y == 1, log_expit(a), log_expit(-a)), rel=1e-10
    )
    assert model.statistics_.n == w.sum()


def test_a_class_without_rows_leaves_a_proper_posterior():
    """With rows of one class alone, the rule of succession: (n + 1) / (n + 2) at the mean, here about 0.9."""
    x, y = np.linspace(-1, 1, 9)[:, None], np.array([1] * 8 + [0])
    weight = np.append(np.ones(8), 1e-12)
    model = BayesianLogisticRegression(100.0, inference="quadrature").fit(x, y, weight)
    assert model.predict_proba([[x[:8].mean()]])[0, 1] == pytest.approx(0.9, abs=0.01)
    assert model.log_evidence_ == pytest.approx(np.log(1 / 9), abs=0.01)


def test_probabilities_of_all_labels_sum_to_one():
    """Over the 2ᴺ ways to label N rows: those with both classes by the model, the other two by adaptive integration."""
    x = np.array([-1.0, 0.2, 0.8, 2.0])
    center = x.mean()

    def log_joint(b, w, y):
        a = b + w * (x - center)
        inside = np.where(y == 1, log_expit(a), log_expit(-a)).sum() + log_expit(b) + log_expit(-b)
        return inside + 0.5 * np.log(0.3 / (2 * np.pi)) - 0.15 * w * w

    total = 0.0
    for code in range(1, 15):
        y = (code >> np.arange(4)) & 1
        model = BayesianLogisticRegression(0.3, inference="quadrature").fit(x[:, None], y)
        total += np.exp(model.log_evidence_)
    same = sum(
        dblquad(lambda b, w, y=y: np.exp(log_joint(b, w, y)), -25, 25, -60, 60, epsabs=1e-7)[0]
        for y in (np.zeros(4), np.ones(4))
    )
    assert total + same == pytest.approx(1.0, abs=1e-5)


@pytest.mark.filterwarnings("ignore::suffice._core.errors.AtBound")
def test_no_warning_of_separation_under_a_prior():
    x = np.linspace(-1, 1, 30)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Separated)
        BayesianLogisticRegression().fit(x[:, None], x > 0)
