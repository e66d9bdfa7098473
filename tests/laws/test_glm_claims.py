"""What the texts claim of logistic, softmax and Poisson regression and of Laplace's approximation, by number."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from suffice.bases import CustomBasis
from suffice.distributions import Beta, Normal
from suffice.glm import (
    GLM,
    BayesianLogisticRegression,
    LogisticRegression,
    PoissonRegression,
    SoftmaxRegression,
)
from suffice.inference import (
    Quadrature,
    gradient,
    hessian,
    laplace,
    newton,
    quadrature,
)
from suffice.likelihoods import BernoulliLogit, GaussianIdentity, PoissonLog, Softmax
from suffice.linear import BayesianLinearRegression, LinearRegression


class LogPosterior:
    """log p(y | Φw) − (α/2) wᵀw of rows, with its derivatives."""

    def __init__(self, likelihood, Phi, y, precision):
        self.likelihood, self.Phi, self.y, self.precision = likelihood, Phi, y, precision

    def value(self, w):
        w = np.asarray(w)
        return float(
            self.likelihood.log_prob(self.y, self.Phi @ w).sum() - 0.5 * self.precision * np.sum(w**2)
        )

    def slope(self, w):
        return self.Phi.T @ self.likelihood.gradient(self.y, self.Phi @ w) - self.precision * w

    def bend(self, w):
        v = self.likelihood.curvature(self.y, self.Phi @ w)
        return -(self.Phi.T * v) @ self.Phi - self.precision * np.eye(len(w))

    def top(self, start):
        return newton(self.value, start, self.slope, self.bend, maximize=True)


def labelled(n, seed, d=2, shift=0.4):
    rng = np.random.default_rng(seed)
    t = np.arange(n) % 2
    return rng.standard_normal((n, d)) + np.where(t[:, None], shift, -shift), t


def counted(n, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2))
    return X, rng.poisson(np.exp(0.5 + X @ [1.0, -0.5]))


# -- FCML, chapter 4 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("variance", [0.1, 1.0, 10.0, 1000.0])
def test_fcml_17_every_start_reaches_the_same_mode(variance):
    """With steps that are halved; whole ones do not (conformance, E21)."""
    X, t = labelled(100, 0)
    posterior = LogPosterior(BernoulliLogit(), X, t, 1 / variance)
    starts = [[0, 0], [5, -5], [-5, -5], [-20, -20], [3, 8], [0, -30]]
    tops = np.array([posterior.top(np.array(s, dtype=float)).at for s in starts])
    model = LogisticRegression.book(1 / variance).fit(X, t)
    np.testing.assert_allclose(tops, np.tile(model.coef_[0], (6, 1)), rtol=1e-5)


def test_fcml_17_the_posterior_is_strictly_concave_even_where_classes_are_separated():
    X, t = labelled(30, 1, shift=5.0)
    posterior = LogPosterior(BernoulliLogit(), X, t, 0.1)
    for w in np.random.default_rng(2).standard_normal((20, 2)) * 30:
        assert np.linalg.eigvalsh(posterior.bend(w)).max() <= -0.1 + 1e-12
    LogisticRegression.book(0.1).fit(X, t)  # no warning: the prior makes the maximum finite


@pytest.mark.parametrize("kind", ["logistic", "poisson"])
def test_fcml_17b_derivatives_agree_with_differences(kind):
    X, y = labelled(40, 3) if kind == "logistic" else counted(40, 3)
    posterior = LogPosterior(BernoulliLogit() if kind == "logistic" else PoissonLog(), X, y, 0.3)
    for w in np.random.default_rng(4).standard_normal((5, 2)):
        np.testing.assert_allclose(posterior.slope(w), gradient(posterior.value, w), rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(posterior.bend(w), hessian(posterior.value, w), rtol=1e-4, atol=1e-4)


def test_fcml_18_averaging_moves_predictions_towards_a_half_the_more_the_farther_from_data():
    X, t = labelled(60, 5, shift=1.0)
    model = BayesianLogisticRegression(0.1, intercept="prior", fit_intercept=False).fit(X, t)
    exact = BayesianLogisticRegression(
        0.1, intercept="prior", fit_intercept=False, inference=Quadrature()
    ).fit(X, t)
    far = np.outer([1.0, 3.0, 9.0, 27.0], [-1.0, 1.0])  # across the line between the clouds
    plain, averaged = (
        LogisticRegression.book(0.1).fit(X, t).predict_proba(far)[:, 1],
        model.predict_proba(far)[:, 1],
    )
    assert np.all(np.abs(exact.predict_proba(far)[:, 1] - 0.5) < np.abs(plain - 0.5))
    assert np.all(np.abs(averaged - 0.5) < np.abs(plain - 0.5))
    assert np.all(np.diff(np.abs(plain - averaged)) > 0)


def test_fcml_19_laplace_is_exact_for_a_line_with_normal_noise():
    rng = np.random.default_rng(6)
    X, y = rng.standard_normal((20, 2)), rng.standard_normal(20)
    Phi = np.column_stack([np.ones(20), X])
    posterior = LogPosterior(GaussianIdentity(), Phi, y, 0.7)
    found = laplace(posterior.value, np.zeros(3), posterior.slope, posterior.bend)
    exact = BayesianLinearRegression.book(0.7, 1.0).fit(X, y).posterior_
    np.testing.assert_allclose(found.mode, exact.mean, rtol=1e-10)
    np.testing.assert_allclose(found.cov, exact.cov, rtol=1e-10, atol=1e-14)


def test_fcml_19_laplace_is_good_at_the_mode_and_bad_for_skewed_densities():
    """Of Beta(7, 5) the variance comes out 0.024 in place of 0.0187; of Beta(700, 500) it is right."""

    def approximated(a, b):
        found = laplace(
            lambda r: float((a - 1) * np.log(r[0]) + (b - 1) * np.log1p(-r[0])) if 0 < r[0] < 1 else -np.inf,
            [0.5],
            lambda r: (a - 1) / r - (b - 1) / (1 - r),
            lambda r: np.diag(-(a - 1) / r**2 - (b - 1) / (1 - r) ** 2),
        )
        return Normal(found.mode[0], np.sqrt(found.cov[0, 0]))

    few, many = approximated(7.0, 5.0), approximated(700.0, 500.0)
    assert few.var == pytest.approx(0.024, rel=1e-6)
    assert Beta(7.0, 5.0).var == pytest.approx(0.018697, rel=1e-4)
    assert many.var == pytest.approx(Beta(700.0, 500.0).var, rel=5e-3)
    at = few.mean + few.std * np.array([0.0, 3.0])
    gaps = np.abs(few.log_prob(at) - Beta(7.0, 5.0).log_prob(at))
    assert gaps[1] > 5 * gaps[0]  # three standard deviations away


# -- FCML, chapter 5 ----------------------------------------------------------------------------------------------
def test_fcml_5_6_log_odds_are_linear_in_the_expanded_columns():
    X, t = labelled(80, 7)
    t = t ^ (np.linalg.norm(X, axis=1) > 1.5)
    basis = CustomBasis([lambda X, j=j, k=k: X[:, j] ** k for k in (1, 2) for j in (0, 1)])  # eq. 5.10
    model = LogisticRegression(basis=basis, prior_precision=0.1).fit(X, t)
    new = np.random.default_rng(8).standard_normal((50, 2)) * 2
    p = model.predict_proba(new)
    Phi = np.column_stack([np.ones(50), basis(new)])
    w, left, *_ = np.linalg.lstsq(Phi, np.log(p[:, 1] / p[:, 0]), rcond=None)
    assert left[0] < 1e-18
    np.testing.assert_allclose(w, [*model.intercept_, *model.coef_[0]], rtol=1e-9)
    _, straight, *_ = np.linalg.lstsq(Phi[:, :3], np.log(p[:, 1] / p[:, 0]), rcond=None)
    assert straight[0] > 1.0  # not in the columns themselves


# -- DTU ----------------------------------------------------------------------------------------------------------
def test_dtu_33_logistic_loss_is_convex():
    X, t = labelled(40, 9, d=3)
    loss = LogPosterior(BernoulliLogit(), X, t, 0.0)
    rng = np.random.default_rng(10)
    for a, b in rng.standard_normal((50, 2, 3)) * 5:
        assert -loss.value((a + b) / 2) <= -(loss.value(a) + loss.value(b)) / 2 + 1e-9


def test_dtu_33_the_boundary_is_a_plane_without_a_basis():
    X, t = labelled(60, 11)
    model = LogisticRegression().fit(X, t)
    b, w = model.intercept_[0], model.coef_[0]
    along = np.array([-w[1], w[0]]) / np.linalg.norm(w)
    points = -b * w / (w @ w) + np.outer([-50.0, -1.0, 0.0, 1.0, 50.0], along)
    np.testing.assert_allclose(model.predict_proba(points)[:, 1], 0.5, rtol=1e-12)


def test_dtu_33_plug_ins_of_the_generalized_linear_model():
    rng = np.random.default_rng(12)
    X, t = labelled(70, 12, d=3)
    y = X @ [1.0, -2.0, 0.5] + rng.standard_normal(70)
    squares, least = GLM(GaussianIdentity()).fit(X, y), LinearRegression().fit(X, y)
    np.testing.assert_allclose(squares.coef_, least.coef_, rtol=1e-10)
    np.testing.assert_allclose(squares.intercept_, least.intercept_, rtol=1e-10)
    entropy, logistic = (
        GLM(BernoulliLogit()).fit(X, t),
        LogisticRegression(prior_precision=0).fit(X, t),
    )
    np.testing.assert_allclose(entropy.coef_, logistic.coef_[0], rtol=1e-9)


def test_dtu_9_two_classes_are_logistic_regression():
    X, t = labelled(50, 13, d=3)
    for precision in (0.0, 2.0):
        logistic = LogisticRegression(prior_precision=precision).fit(X, t)
        reduced = SoftmaxRegression(prior_precision=precision, parametrization="reduced").fit(X, t)
        np.testing.assert_allclose(reduced.coef_, -logistic.coef_, rtol=1e-9)
        np.testing.assert_allclose(reduced.predict_proba(X), logistic.predict_proba(X), rtol=1e-9)


def test_dtu_9_reduced_is_full_with_the_last_function_zero_and_a_shift_changes_nothing():
    a = np.random.default_rng(14).standard_normal((20, 3)) * 4
    full, reduced = Softmax(4), Softmax(4, reduced=True)
    np.testing.assert_allclose(reduced.mean(a), full.mean(np.column_stack([a, np.zeros(20)])), rtol=1e-13)
    wide = np.column_stack([a, np.zeros(20)])
    np.testing.assert_allclose(full.mean(wide + 300.0), full.mean(wide), rtol=1e-11)


# -- lecture 3 ----------------------------------------------------------------------------------------------------
def test_lecture3_3_the_estimate_does_not_need_the_marginal_likelihood():
    """The mode of the posterior divided by p(y), which takes an integral, is that of g."""
    X, t = labelled(20, 15, d=1, shift=0.8)
    posterior = LogPosterior(BernoulliLogit(), np.column_stack([np.ones(20), X]), t, 0.5)
    log_evidence = quadrature(posterior.value, np.zeros(2), posterior.slope, posterior.bend).log_normalizer
    best = minimize(
        lambda w: log_evidence - posterior.value(w),
        [1.0, -1.0],
        jac=lambda w: -posterior.slope(w),
        tol=1e-12,
    )
    model = LogisticRegression.book(0.5, "lecture3").fit(X, t)
    np.testing.assert_allclose(best.x, [*model.intercept_, *model.coef_[0]], rtol=1e-6)


def test_lecture3_4_a_posterior_of_few_rows_is_not_normal_and_of_many_it_is():
    """How far the mean is from the mode, in standard deviations, and what Laplace's evidence misses: six points once,
    ten and a hundred times."""
    X, t = np.array([-2, -1, -0.5, 0.5, 1, 2.5])[:, None], np.array([0, 0, 1, 0, 1, 1])
    misses = []
    for times in (1, 10, 100):
        posterior = LogPosterior(BernoulliLogit(), np.tile(X, (times, 1)), np.tile(t, times), 0.5)
        near = laplace(posterior.value, [0.0], posterior.slope, posterior.bend)
        exact = quadrature(posterior.value, [0.0], around=near)
        skew = abs(exact.mean[0] - near.mode[0]) / np.sqrt(exact.cov[0, 0])
        misses.append((skew, abs(exact.log_normalizer - near.log_normalizer)))
    skew, evidence = np.array(misses).T
    assert skew[0] > 0.1
    assert np.all(np.diff(skew) < 0)
    assert np.all(np.diff(evidence) < 0)
    assert skew[2] < 0.1


# -- Herbst -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("model", [LogisticRegression(), SoftmaxRegression(prior_precision=1.0)])
def test_herbst_24_no_closed_form(model):
    """Least squares are one Newton step; here the first step leaves a gradient, and several are needed."""
    X, t = labelled(60, 17)
    t = np.arange(60) % 3 if isinstance(model, SoftmaxRegression) else t
    fitted = model.fit(X + 0.8 * t[:, None], t)
    sizes = fitted.trace_.columns["gradient"]
    assert len(sizes) >= 4
    assert sizes[1] > 1e-3
    assert sizes[-1] < 1e-5
    rng = np.random.default_rng(18)
    line = GLM(GaussianIdentity()).fit(X, X @ [1.0, 2.0] + rng.standard_normal(60))
    assert line.trace_.columns["gradient"][1] < 1e-9


def test_herbst_25_laplace_is_local():
    """Two humps, two approximations; each has the curvature of its own hump."""

    def log_density(z):
        return float(np.logaddexp(-0.5 * (z[0] + 3) ** 2, -0.5 * (z[0] - 3) ** 2 / 0.25 + np.log(2.0)))

    left, right = laplace(log_density, [-2.9]), laplace(log_density, [2.9])
    assert left.mode[0] == pytest.approx(-3.0, rel=1e-4)
    assert right.mode[0] == pytest.approx(3.0, rel=1e-4)
    assert left.cov[0, 0] == pytest.approx(1.0, rel=1e-3)
    assert right.cov[0, 0] == pytest.approx(0.25, rel=1e-3)


def test_poisson_modes_are_those_of_the_exercise():
    """FCML EX 4.7: where Σ x (t − V) = w/σ²."""
    X, y = counted(80, 19)
    model = PoissonRegression(prior_precision=0.2, fit_intercept=False).fit(X, y)
    slope = LogPosterior(PoissonLog(), X, y, 0.2).slope(model.coef_)
    np.testing.assert_allclose(slope, 0.0, atol=1e-9)
