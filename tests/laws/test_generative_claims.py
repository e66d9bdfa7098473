"""What the texts claim of generative classifiers: units, forms of log odds, boundaries and priors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from suffice.distributions import (
    Gamma,
    Normal,
    Poisson,
    decision,
)
from suffice.generative import (
    BayesClassifier,
    BernoulliNB,
    GaussianNB,
    LinearDiscriminantAnalysis,
    MultinomialNB,
    QuadraticDiscriminantAnalysis,
)

PAIR = np.array(["left", "right"])


def two_normals(rng, n, D=3):
    """Correlated columns in quite different units."""
    y = rng.integers(0, 2, n)
    A = np.eye(D) + 0.4 * rng.standard_normal((D, D))
    spread = np.where(y == 1, 1.4, 0.8)[:, None]
    X = (rng.standard_normal((n, D)) * spread) @ A + 0.7 * y[:, None]
    return X, PAIR[y]


# -- what changes of units leave alone ------------------------------------------------------------------------
ROTATION = np.linalg.qr(np.random.default_rng(3).standard_normal((3, 3)))[0]
SCALES = np.diag([1e-3, 1.0, 1e4])
DISCRIMINANTS = {
    "LDA": LinearDiscriminantAnalysis(),
    "LDA, unbiased": LinearDiscriminantAnalysis(unbiased=True, priors="uniform"),
    "QDA": QuadraticDiscriminantAnalysis(),
    "BayesClassifier": BayesClassifier(),
}
AUTOMATIC = {
    "LDA": LinearDiscriminantAnalysis(shrinkage="auto"),
    "QDA": QuadraticDiscriminantAnalysis(shrinkage="auto"),
}
INDEPENDENT = {
    "GaussianNB": GaussianNB(var_smoothing=0.0),
    "QDA, diagonal": QuadraticDiscriminantAnalysis(covariance="diagonal"),
}


def moved(model, X, y, A, b) -> tuple[np.ndarray, np.ndarray]:
    """log P(c | x) before and after x → A x + b."""
    before = model.fit(X, y).predict_log_proba(X)
    return before, model.fit(X @ A.T + b, y).predict_log_proba(X @ A.T + b)


@pytest.mark.parametrize("name", DISCRIMINANTS)
@pytest.mark.parametrize(
    "A", [ROTATION, SCALES, ROTATION @ np.diag([0.1, 1.0, 10.0])], ids=["rotated", "rescaled", "both"]
)
def test_full_covariances_do_not_see_an_affine_map(name, A):
    X, y = two_normals(np.random.default_rng(0), 80)
    before, after = moved(DISCRIMINANTS[name], X, y, A, np.array([3.0, -1.0, 50.0]) @ A)
    np.testing.assert_allclose(after, before, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("name", AUTOMATIC)
def test_automatic_shrinkage_does_not_see_units(name):
    X, y = two_normals(np.random.default_rng(1), 24)
    before, after = moved(AUTOMATIC[name], X, y, SCALES, np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(after, before, rtol=1e-8, atol=1e-8)
    rotated = moved(AUTOMATIC[name], X, y, ROTATION, 0.0)
    assert (
        np.abs(rotated[1] - rotated[0]).max() > 1e-3
    )  # correlations are shrunk, and these depend on the axes


@pytest.mark.parametrize("name", INDEPENDENT)
def test_independence_is_about_the_columns(name):
    """Naive models see no change of units, but a rotation mixes what they take for independent."""
    X, y = two_normals(np.random.default_rng(2), 80)
    before, after = moved(INDEPENDENT[name], X, y, SCALES, np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(after, before, rtol=1e-8, atol=1e-8)
    before, rotated = moved(INDEPENDENT[name], X, y, ROTATION, 0.0)
    assert np.abs(rotated - before).max() > 0.05


def test_naive_bayes_is_a_diagonal_covariance():
    """FCML §5.2.1.4: independent columns are a normal density whose covariance is diagonal."""
    X, y = two_normals(np.random.default_rng(4), 80)
    naive, diagonal = (m.fit(X, y).predict_joint_log_proba(X) for m in INDEPENDENT.values())
    np.testing.assert_allclose(naive, diagonal, rtol=1e-9, atol=1e-9)
    columns = BayesClassifier(Normal).fit(X, y).predict_joint_log_proba(X)
    np.testing.assert_allclose(columns, naive, rtol=1e-9, atol=1e-9)


# -- generative models and the form of their log odds -----------------------------------------------------------
def log_odds(model, X):
    logs = model.predict_log_proba(X)
    return logs[:, 1] - logs[:, 0]


def differences(model, order: int) -> float:
    """The largest difference of some order of the log odds along straight lines, relative to the odds."""
    rng = np.random.default_rng(5)
    start, step = rng.standard_normal((2, 20, 1, 3))
    values = log_odds(model, (start + np.arange(4)[:, None] * step).reshape(-1, 3)).reshape(20, 4)
    return float(np.abs(np.diff(values, order, axis=1)).max() / np.abs(values).max())


def test_a_shared_covariance_makes_linear_log_odds_and_separate_ones_quadratic():
    """PRML eqs 4.65–4.67: the quadratic terms cancel only if Σ is shared; then P(c | x) = σ(wᵀx + w₀)."""
    X, y = two_normals(np.random.default_rng(6), 100)
    linear, quadratic = (DISCRIMINANTS[k].fit(X, y) for k in ("LDA", "QDA"))
    assert differences(linear, 2) < 1e-10
    assert differences(quadratic, 2) > 1e-2
    assert differences(quadratic, 3) < 1e-10
    by_hand = expit(X @ linear.coef_[0] + linear.intercept_[0])
    np.testing.assert_allclose(linear.predict_proba(X)[:, 1], by_hand, rtol=1e-9, atol=1e-12)


def test_binary_columns_make_linear_log_odds():
    """PRML eqs 4.81–4.82: naive Bayes of 0/1 columns is linear in them."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 60)
    X = (rng.random((60, 4)) < 0.3 + 0.3 * y[:, None]).astype(float)
    model = BernoulliNB().fit(X, PAIR[y])
    corners = np.array(np.meshgrid(*[[0.0, 1.0]] * 4)).reshape(4, -1).T
    design = np.column_stack([np.ones(16), corners])
    f = log_odds(model, corners)
    residual = f - design @ np.linalg.lstsq(design, f, rcond=None)[0]
    assert np.abs(residual).max() < 1e-10 * np.abs(f).max()


def test_counts_make_linear_log_odds():
    rng = np.random.default_rng(8)
    X, y = rng.poisson(2.0, (60, 3)) + 0.0, rng.integers(0, 2, 60)
    model = MultinomialNB().fit(X, PAIR[y])
    values = log_odds(model, np.arange(4)[:, None] * np.array([[1.0, 2.0, 0.0]]) + [3.0, 0.0, 1.0])
    np.testing.assert_allclose(np.diff(values, 2), 0.0, atol=1e-10)


# -- lecture 3 --------------------------------------------------------------------------------------------------
def test_l3_1_posteriors_sum_to_one_and_the_sign_of_the_log_ratio_is_the_decision():
    model = BayesClassifier({0: Normal(165, 7), 1: Normal(178, 7)}, priors=[0.7, 0.3]).fit(
        [[165.0], [178.0]], [0, 1]
    )
    h = np.linspace(120, 220, 401)[:, None]
    np.testing.assert_allclose(model.predict_proba(h).sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(h), (log_odds(model, h) > 0).astype(int))


@pytest.mark.parametrize(
    "densities",
    [
        (Normal(178, 7), Normal(165, 7)),
        (Normal(178, 8), Normal(165, 6)),
        (Gamma(5.0, 0.5), Normal(4.0, 3.0)),
    ],
    ids=["one boundary", "two boundaries", "other families"],
)
@pytest.mark.parametrize("prior", [0.5, 0.1])
def test_l3_errors_of_draws_are_the_overlap_and_no_threshold_does_better(densities, prior):
    one, zero = densities
    model = BayesClassifier({0: zero, 1: one}, priors=[1 - prior, prior]).fit([[170.0], [171.0]], [0, 1])
    X, y = model.sample(n=40_000, random_state=9)
    wrong = model.predict(X) != y
    error = decision.overlap_error(one, zero, prior)
    assert abs(wrong.mean() - error) < 5 * np.sqrt(error * (1 - error) / len(y))
    thresholds = np.quantile(X, np.linspace(0.01, 0.99, 50))
    assert np.all(decision.threshold_error(zero, one, thresholds, 1 - prior) >= error - 1e-12)
    edges = decision.boundary(one, zero, prior)
    for edge in edges:
        sides = model.predict(np.array([[edge - 1e-6], [edge + 1e-6]]))
        assert sides[0] != sides[1]


@pytest.mark.slow
def test_l3_a_good_prior_helps_when_there_are_few_rows():
    """The true class shares instead of those of six rows: a smaller log loss on average."""
    rng = np.random.default_rng(10)
    gain = []
    for _ in range(150):
        y = np.r_[0, 0, 1, 1, (rng.random(4) < 0.1).astype(int)]
        X = 2.0 * y[:, None] + rng.standard_normal((len(y), 1))
        truth = (rng.random(100) < 0.1).astype(int)
        new = 2.0 * truth[:, None] + rng.standard_normal((100, 1))
        logs = [
            LinearDiscriminantAnalysis(priors=p)
            .fit(X, y)
            .predict_log_proba(new)[np.arange(100), truth]
            .mean()
            for p in ([0.9, 0.1], None)
        ]
        gain.append(logs[0] - logs[1])
    assert np.mean(gain) > 4 * np.std(gain) / np.sqrt(len(gain))


# -- any density ------------------------------------------------------------------------------------------------
def test_counts_with_a_density_of_their_own():
    """Any family takes part: Poisson columns through BayesClassifier are what their formula says."""
    rng = np.random.default_rng(14)
    y = rng.integers(0, 2, 200)
    X = rng.poisson(np.where(y == 1, 6.0, 3.0))[:, None] + 0.0
    model = BayesClassifier(Poisson).fit(X, y)
    rates = np.array([X[y == c].mean() for c in (0, 1)])
    shares = np.bincount(y) / len(y)
    by_hand = X * np.log(rates[1] / rates[0]) - (rates[1] - rates[0]) + np.log(shares[1] / shares[0])
    np.testing.assert_allclose(log_odds(model, X), by_hand[:, 0], rtol=1e-9, atol=1e-9)
