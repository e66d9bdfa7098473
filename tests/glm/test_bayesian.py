"""Bayesian logistic and Poisson regression against printed numbers, adaptive integration and brute force."""

import numpy as np
import pytest
from scipy.integrate import dblquad, quad
from scipy.optimize import minimize_scalar
from scipy.special import expit, gammaln, log_expit
from scipy.stats import multivariate_normal, norm

import suffice
from suffice._core.errors import (
    AtBound,
    HeaderMismatch,
    InvalidInput,
    InvalidParameter,
    NotPositiveDefinite,
    Unsupported,
)
from suffice.bases import Polynomial
from suffice.engine import fit
from suffice.evaluation import compare_evidence
from suffice.glm import (
    BayesianLogisticRegression,
    BayesianPoissonRegression,
    LogisticRegression,
    PoissonRegression,
)
from suffice.glm._fit.precision import search, warn_bound
from suffice.inference import LaplaceApproximation, Quadrature
from suffice.inference.laplace_approximation import normal_points

FIVE = np.arange(5.0)[:, None], np.array([0, 0, 1, 0, 1])
SIX = np.array([[-2.0], [-1.0], [-0.5], [0.5], [1.0], [2.5]]), np.array([0, 0, 1, 0, 1, 1])
COUNTED = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]), np.array([1.0, 0.0, 2.0, 4.0, 7.0])
RNG = np.random.default_rng(0)


def table(n=60, d=2, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (rng.random(n) < expit(0.3 + X @ np.linspace(1.0, -1.0, d))).astype(int)


def counts(n=60, d=2, seed=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, rng.poisson(np.exp(0.5 + X @ np.linspace(0.6, -0.4, d))).astype(float)


def log_bernoulli(y, a):
    return np.where(y == 1, log_expit(a), log_expit(-a)).sum()


def uniform_share(b):
    """log p(b) where σ(b) is uniform: what a flat intercept of labels has, at the mean of the columns."""
    return log_expit(b) + log_expit(-b)


def log_poisson(y, a):
    return (y * a - np.exp(a) - gammaln(y + 1)).sum()


# -- printed numbers -----------------------------------------------------------------------------------------
def test_herbst_d19():
    """Herbst D-19: posterior and three predictions at x = 0, 2, 4."""
    model = BayesianLogisticRegression(1.0, intercept="prior").fit(*FIVE)
    np.testing.assert_allclose(model.posterior_.mean, [-0.52677919, 0.2745032], atol=1e-8)
    np.testing.assert_allclose(
        model.posterior_.cov, [[0.6686813, -0.19740474], [-0.19740474, 0.18116044]], atol=1e-7
    )
    found = model.compare_predictions([[0.0], [2.0], [4.0]])
    np.testing.assert_allclose(found.quadrature, [0.3869888203, 0.5048995042, 0.6026131807], atol=1e-9)
    np.testing.assert_allclose(found.plug_in, [0.3712684039, 0.5055565761, 0.6390477796], atol=1e-9)
    np.testing.assert_allclose(found.probit, [0.3848978172, 0.5049958898, 0.6054138458], atol=1e-9)
    np.testing.assert_array_equal(found.model, model.predict_proba([[0.0], [2.0], [4.0]])[:, 1])


def test_lecture3_lr1_lr2():
    """Lecture 3, D-LR1 and D-LR2: mode, covariance, evidence by Laplace and by quadrature, predictions."""
    model = BayesianLogisticRegression(0.5, intercept="prior").fit(*SIX)
    np.testing.assert_allclose(model.posterior_.mean, [-0.0290250782, 0.9191069397], atol=1e-9)
    cov = [[0.6317644093, 0.0040184005], [0.0040184005, 0.4948331332]]
    np.testing.assert_allclose(model.cov_params_, cov, atol=1e-9)
    assert model.log_evidence_ == pytest.approx(-4.2980001990, abs=5e-10)
    assert model.evidence_kind_ == "laplace"
    boundary = -model.intercept_[0] / model.coef_[0, 0]
    assert boundary == pytest.approx(0.0315796530, abs=1e-9)
    exact = BayesianLogisticRegression(0.5, intercept="prior", inference=Quadrature()).fit(*SIX)
    assert exact.log_evidence_ == pytest.approx(-4.2214071, abs=5e-8)
    assert exact.evidence_kind_ == "quadrature"
    np.testing.assert_allclose(exact.posterior_.mean, [-0.0216, 1.1986], atol=5e-5)
    np.testing.assert_allclose(exact.cov_params_, exact.posterior_.cov, rtol=1e-10)
    found = exact.compare_predictions([[0.0], [1.0], [3.0]])
    np.testing.assert_allclose(found.plug_in, [0.492744, 0.708907, 0.938676], atol=6e-7)
    np.testing.assert_allclose(found.quadrature, [0.493634, 0.673697, 0.830066], atol=6e-7)
    np.testing.assert_allclose(found.probit, [0.493505, 0.677062, 0.828281], atol=6e-7)
    np.testing.assert_allclose(found.model, [0.495386, 0.716726, 0.886365], atol=6e-7)


def test_lecture3_lr3():
    """D-LR3: a cubic under the same prior."""
    model = BayesianLogisticRegression(0.5, intercept="prior", basis=Polynomial(3)).fit(*SIX)
    mode = [0.0009180107, 0.0613247540, -0.0039503981, 0.8733586660]
    np.testing.assert_allclose(model.posterior_.mean, mode, atol=1e-9)
    assert model.log_evidence_ == pytest.approx(-3.6801327504, abs=5e-10)


# -- evidence and posterior against adaptive integration ---------------------------------------------------
def integral_over_two(X, y, log_likelihood, log_prior, centre, spread, reach=14.0):
    """log ∫∫ p(y | b, w) p(b, w) and the posterior mean, by scipy's adaptive rule."""
    top = log_likelihood(y, centre[0] + X[:, 0] * centre[1]) + log_prior(*centre)

    def joint(w, b):
        return np.exp(log_likelihood(y, b + X[:, 0] * w) + log_prior(b, w) - top)

    sides = [(c - reach * s, c + reach * s) for c, s in zip(centre, spread, strict=True)]
    (b0, b1), (w0, w1) = sides
    options = {"epsabs": 1e-12, "epsrel": 1e-10}
    total = dblquad(joint, b0, b1, w0, w1, **options)[0]
    return top + np.log(total)


MODELS = {
    "logistic": (BayesianLogisticRegression, *SIX, log_bernoulli),
    "counts": (BayesianPoissonRegression, *COUNTED, log_poisson),
}


@pytest.mark.slow
@pytest.mark.parametrize("intercept", ["flat", "prior"])
@pytest.mark.parametrize("name", MODELS)
def test_evidence_in_two_dimensions(name, intercept):
    cls, X, y, log_likelihood = MODELS[name]
    alpha = 0.7

    def log_prior(b, w):
        held = (w, b) if intercept == "prior" else (w,)
        normal = sum(0.5 * np.log(alpha / (2 * np.pi)) - 0.5 * alpha * v * v for v in held)
        return normal + (
            uniform_share(b + w * X.mean()) if name == "logistic" and intercept == "flat" else 0.0
        )

    model = cls(alpha, intercept=intercept, inference=Quadrature()).fit(X, y)
    mode = np.r_[model.intercept_, model.coef_.ravel()]
    expected = integral_over_two(X, y, log_likelihood, log_prior, mode, model.posterior_.std)
    assert model.log_evidence_ == pytest.approx(expected, abs=1e-8)
    laplace = cls(alpha, intercept=intercept).fit(X, y)
    assert (
        -0.3 < laplace.log_evidence_ - expected < 0
    )  # these posteriors have longer tails than their curvature says


@pytest.mark.parametrize("name", MODELS)
def test_evidence_and_moments_in_one_dimension(name):
    cls, X, y, log_likelihood = MODELS[name]
    options = {"prior_mean": [0.4], "prior_cov": [[2.0]]}
    model = cls(3.0, fit_intercept=False, inference=Quadrature(), **options).fit(X, y)

    def joint(w, power=0):
        return w**power * np.exp(log_likelihood(y, X[:, 0] * w) + norm.logpdf(w, 0.4, np.sqrt(2 / 3)))

    total, first, second = (
        quad(joint, -6, 8, args=(k,), epsabs=0, epsrel=1e-12, limit=400)[0] for k in range(3)
    )
    assert model.log_evidence_ == pytest.approx(np.log(total), abs=1e-9)
    assert model.posterior_.mean[0] == pytest.approx(first / total, rel=1e-9)
    assert model.posterior_.var[0] == pytest.approx(second / total - (first / total) ** 2, rel=1e-8)
    low, high = model.posterior_.interval(0.9)  # the cdf at the quantiles, to the step of the grid
    inside = quad(joint, low[0], high[0], epsabs=0, epsrel=1e-10, limit=400)[0] / total
    assert inside == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize("cls", [BayesianLogisticRegression, BayesianPoissonRegression])
@pytest.mark.parametrize("intercept", ["flat", "prior"])
def test_laplace_evidence_by_hand(cls, intercept):
    """log p(D, θ̂) + (D/2) log 2π − ½ log |−H| with a dense Hessian at the mode, for three parameters."""
    logistic = cls is BayesianLogisticRegression
    X, y = table(40, 2) if logistic else counts(40, 2)
    weight = RNG.integers(0, 3, 40).astype(float)
    cov = np.array([[2.0, 0.5], [0.5, 1.0]])
    cov = (
        cov if intercept == "flat" else np.block([[np.eye(1) * 4, np.zeros((1, 2))], [np.zeros((2, 1)), cov]])
    )
    model = cls(0.8, intercept=intercept, prior_cov=cov).fit(X, y, weight)
    theta = model.posterior_.mean
    Z = np.column_stack([np.ones(40), X])
    a = Z @ theta
    v = expit(a) * expit(-a) if logistic else np.exp(a)
    terms = np.where(y == 1, log_expit(a), log_expit(-a)) if logistic else y * a - np.exp(a) - gammaln(y + 1)
    held = theta[1:] if intercept == "flat" else theta
    P = np.zeros((3, 3))
    P[3 - len(cov) :, 3 - len(cov) :] = np.linalg.inv(cov / 0.8)
    H = (Z * (weight * v)[:, None]).T @ Z + P
    joint = weight @ terms + multivariate_normal.logpdf(held, np.zeros(len(held)), cov / 0.8)
    if logistic and intercept == "flat":
        z = np.average(Z, axis=0, weights=weight)
        joint += uniform_share(z @ theta)
        H += 2 * expit(z @ theta) * expit(-z @ theta) * np.outer(z, z)
    expected = joint + 1.5 * np.log(2 * np.pi) - 0.5 * np.linalg.slogdet(H)[1]
    assert model.log_evidence_ == pytest.approx(expected, abs=1e-10)
    np.testing.assert_allclose(model.posterior_.cov, np.linalg.inv(H), rtol=1e-9)
    determined = len(held) - np.trace(P @ np.linalg.inv(H))
    assert model.well_determined_parameters_ == pytest.approx(determined, rel=1e-10)
    assert model.effective_parameters_ == pytest.approx(determined + (intercept == "flat"), rel=1e-10)


@pytest.mark.parametrize("inference", [LaplaceApproximation(), Quadrature(tol=1e-6)])
@pytest.mark.parametrize("name", MODELS)
def test_precision_is_where_the_evidence_is_largest(name, inference):
    cls, X, y, _ = MODELS[name]
    model = cls(inference=inference).fit(X, y)

    def lost(t):
        return -cls(float(np.exp(t)), inference=inference).fit(X, y).log_evidence_

    at = np.log(model.prior_precision_)
    found = minimize_scalar(lost, bounds=(at - 1, at + 1), method="bounded", options={"xatol": 1e-5})
    assert at == pytest.approx(found.x, abs=2e-4)
    assert model.log_evidence_ == pytest.approx(-found.fun, abs=1e-9)
    wide = [lost(t) for t in at + np.linspace(-4, 4, 9)]
    assert -model.log_evidence_ <= min(wide) + 1e-12
    assert model.search_.objective.max() <= model.log_evidence_ + 1e-9
    assert model.search_.columns["prior_precision"][-1] == pytest.approx(model.prior_precision_, rel=1e-12)


@pytest.mark.parametrize("inference", [LaplaceApproximation(), Quadrature()])
def test_standardized_evidence_does_not_know_units(inference):
    X, y = table(30, 1)
    one = BayesianLogisticRegression(standardize=True, inference=inference).fit(X, y)
    other = BayesianLogisticRegression(standardize=True, inference=inference).fit(X * 3e4 - 1e5, y)
    assert other.log_evidence_ == pytest.approx(one.log_evidence_, abs=1e-8)
    assert other.prior_precision_ == pytest.approx(one.prior_precision_, rel=1e-5)
    np.testing.assert_allclose(other.coef_ * 3e4, one.coef_, rtol=1e-5)
    plain = BayesianLogisticRegression(one.prior_precision_, inference=inference).fit(X / X.std(axis=0), y)
    assert plain.log_evidence_ == pytest.approx(one.log_evidence_, abs=1e-9)


# -- predictions -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("mean", [0.0, 1.5, -8.0])
@pytest.mark.parametrize("std", [0.3, 2.0, 2.9, 3.1, 10.0, 40.0])
def test_average_of_a_logistic_function(std, mean):
    nodes, weights = normal_points(std)
    options = {"points": [-mean / std], "epsabs": 0, "epsrel": 1e-12, "limit": 500}
    exact = quad(lambda t: expit(mean + std * t) * norm.pdf(t), -12, 12, **options)[0]
    assert expit(mean + std * nodes) @ weights == pytest.approx(exact, rel=1e-6)


def test_ways_to_predict():
    X, y = table(50, 2)
    new = RNG.normal(size=(9, 2)) * 3
    found = BayesianLogisticRegression(0.5).fit(X, y).compare_predictions(new)
    for way, expected in (
        ("plug-in", found.plug_in),
        ("probit", found.probit),
        ("quadrature", found.quadrature),
    ):
        model = BayesianLogisticRegression(0.5, inference=LaplaceApproximation(way)).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(new)[:, 1], expected, rtol=1e-12)
    many = LaplaceApproximation("sampling", n_samples=40_000)
    drawn = BayesianLogisticRegression(0.5, inference=many).fit(X, y)
    # standard deviation of a probability is at most one half
    np.testing.assert_allclose(
        drawn.predict_proba(new)[:, 1], found.quadrature, atol=5 * 0.5 / np.sqrt(40_000)
    )
    assert np.array_equal(drawn.predict_proba(new), drawn.predict_proba(new))
    mean = X.mean(axis=0)  # where one more row of each class stands for the flat intercept
    map_fit = LogisticRegression(prior_precision=0.5).fit(np.vstack([X, mean, mean]), np.append(y, [0, 1]))
    np.testing.assert_allclose(found.plug_in, map_fit.predict_proba(new)[:, 1], rtol=1e-9)
    assert np.all(np.abs(found.quadrature - 0.5) <= np.abs(found.plug_in - 0.5) + 1e-12)
    frame = found.frame()
    assert list(frame) == ["mean", "std", "plug_in", "probit", "quadrature", "sampled", "model"]
    assert len(frame) == len(found) == 9


def test_probabilities_that_vanish_keep_their_logarithm():
    X, y = table(50, 1)
    model = BayesianLogisticRegression(1e4, inference=LaplaceApproximation("plug-in")).fit(X, y)
    logs = model.predict_log_proba([[1e7], [-1e7]])
    assert np.isfinite(logs).all()
    assert logs.min() < -1000
    np.testing.assert_allclose(np.exp(logs).sum(axis=1), 1.0, rtol=1e-12)


def test_poisson_predictive_is_a_mixture():
    X, y = counts(40, 2)
    new = RNG.normal(size=(5, 2))
    model = BayesianPoissonRegression(0.5).fit(X, y)
    m, s = model.laplace_.moments(model.plan_.design(new))
    np.testing.assert_allclose(model.predict(new), np.exp(m + s**2 / 2), rtol=1e-10)
    d = model.predict_dist(new)
    np.testing.assert_allclose(d.mean, model.predict(new), rtol=1e-10)
    total = np.exp(m + s**2 / 2)
    np.testing.assert_allclose(
        d.var, total + total**2 * np.expm1(s**2), rtol=1e-8
    )  # Poisson of a lognormal rate
    by_hand = quad(
        lambda a: np.exp(3 * a - np.exp(a) - gammaln(4)) * norm.pdf(a, m[0], s[0]),
        m[0] - 9 * s[0],
        m[0] + 9 * s[0],
    )[0]
    assert d[0].prob(3) == pytest.approx(by_hand, rel=1e-8)
    longer = model.predict(new, offset=np.log([1.0, 2.0, 3.0, 4.0, 5.0]))
    np.testing.assert_allclose(longer, model.predict(new) * [1, 2, 3, 4, 5], rtol=1e-12)
    np.testing.assert_allclose(model.predict_dist(new, np.full(5, np.log(2.0))).mean, 2 * d.mean, rtol=1e-10)


def test_poisson_on_a_grid_predicts_the_mean_of_its_mixture():
    model = BayesianPoissonRegression(0.5, inference=Quadrature()).fit(*COUNTED)
    new = [[0.0], [2.5], [5.0]]
    d = model.predict_dist(new)
    np.testing.assert_allclose(d.mean, model.predict(new), rtol=1e-9)
    draws = model.sample_boundaries(200_000, 1)(new)
    rates = np.exp(draws).mean(axis=0)
    error = 5 * np.exp(draws).std(axis=0) / np.sqrt(200_000)
    assert np.all(np.abs(rates - model.predict(new)) < error)


def test_poisson_agrees_with_the_penalized_estimate():
    X, y = counts(60, 2)
    offset = np.linspace(0, 1, 60)
    model = BayesianPoissonRegression(2.0).fit(X, y, offset=offset)
    other = PoissonRegression(prior_precision=2.0).fit(X, y, offset=offset)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-9)
    np.testing.assert_allclose(model.cov_params_, other.cov_params_, rtol=1e-8)


# -- draws -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("inference", [LaplaceApproximation(), Quadrature()])
def test_boundaries_are_draws_of_the_posterior(inference):
    X, y = table(40, 2)
    model = BayesianLogisticRegression(1.0, inference=inference).fit(X + [50.0, 0.0], y)
    found = model.sample_boundaries(40_000, 3)
    assert len(found) == 40_000
    gap = (found.weights.mean(axis=0) - model.posterior_.mean) / model.posterior_.std
    assert np.abs(gap).max() < 5 / np.sqrt(40_000)
    np.testing.assert_allclose(np.cov(found.weights.T), model.posterior_.cov, rtol=0.06, atol=0.02)
    few = model.sample_boundaries(3, 3)
    x1 = np.array([49.0, 51.0])
    lines = few.lines(x1)
    for j in range(2):
        at = np.column_stack([np.full(3, x1[j]), lines[:, j]])
        np.testing.assert_allclose(np.diagonal(few(at)), 0, atol=1e-8)
    assert np.array_equal(few.weights, model.sample_boundaries(3, 3).weights)
    with pytest.raises(Unsupported, match="Lines need two plain columns; there are 1"):
        BayesianLogisticRegression(1.0).fit(X[:, :1], y).sample_boundaries(2, 0).lines(x1)


def test_draws_from_the_prior():
    options = {"intercept": "prior", "prior_mean": [1.0, 2.0, 3.0], "prior_cov": np.diag([1.0, 4.0, 9.0])}
    found = BayesianLogisticRegression(4.0, **options).sample_boundaries(50_000, 0, n_features=2)
    np.testing.assert_allclose(found.weights.mean(axis=0), [1, 2, 3], atol=5 * 1.5 / np.sqrt(50_000))
    np.testing.assert_allclose(found.weights.std(axis=0), [0.5, 1.0, 1.5], rtol=0.02)
    with pytest.raises(Unsupported, match="Draws from the prior need prior_precision as a number"):
        BayesianLogisticRegression().sample_boundaries(2)
    with pytest.raises(Unsupported, match="intercept='prior'"):
        BayesianLogisticRegression(1.0).sample_boundaries(2)
    with pytest.raises(InvalidParameter, match=r"n must be an integer >= 1; got 0"):
        BayesianLogisticRegression(1.0).sample_boundaries(0)


# -- files, sources, comparison -------------------------------------------------------------------------
@pytest.mark.parametrize("inference", ["laplace", LaplaceApproximation("sampling", 50, 2), Quadrature()])
def test_saved_and_loaded(inference, tmp_path):
    X, y = table(30, 1)
    model = BayesianLogisticRegression(1.0, inference=inference).fit(X, y)
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.posterior_ == model.posterior_
    assert again.log_evidence_ == model.log_evidence_
    np.testing.assert_array_equal(
        again.sample_boundaries(4, 0).weights, model.sample_boundaries(4, 0).weights
    )


@pytest.mark.long_for("evidence-inference1")
@pytest.mark.slow
@pytest.mark.parametrize("inference", ["laplace", Quadrature()])
@pytest.mark.parametrize("precision", ["evidence", 0.7])
def test_batches_are_one_table(inference, precision):
    X, y = table(90, 1)
    model = BayesianLogisticRegression(precision, inference=inference)
    whole = BayesianLogisticRegression(precision, inference=inference).fit(X, y)
    fit(model, [(X[a : a + 30], y[a : a + 30]) for a in (0, 30, 60)])
    assert model.log_evidence_ == pytest.approx(whole.log_evidence_, abs=1e-8)
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), rtol=1e-5)


def test_evidence_is_compared_under_one_rule():
    X, y = table(60, 2)
    line = BayesianLogisticRegression().fit(X, y)
    curve = BayesianLogisticRegression(basis=Polynomial(2)).fit(X, y)
    found = compare_evidence({"line": line, "curve": curve})
    gap = line.log_evidence_ - curve.log_evidence_
    assert found.probabilities[0] == pytest.approx(expit(gap), rel=1e-9)
    with pytest.raises(InvalidInput, match="treat the intercept differently"):
        compare_evidence({"line": line, "held": BayesianLogisticRegression(intercept="prior").fit(X, y)})
    with pytest.raises(HeaderMismatch, match="different targets"):
        compare_evidence({"line": line, "less": BayesianLogisticRegression().fit(X[1:], y[1:])})
    with pytest.raises(HeaderMismatch, match="different targets"):
        compare_evidence({"line": line, "counts": BayesianPoissonRegression().fit(X, y)})


# -- bad input -------------------------------------------------------------------------------------------
def test_what_cannot_be_fitted():
    X, y = table(30, 2)
    with pytest.raises(InvalidInput, match="tells two classes apart; y has 3. Use SoftmaxRegression"):
        BayesianLogisticRegression().fit(X, np.arange(30) % 3)
    with pytest.raises(Unsupported, match="at most 3 parameters, and this model has 5"):
        BayesianLogisticRegression(1.0, inference=Quadrature()).fit(np.hstack([X, X**2]), y)
    with pytest.raises(Unsupported, match="averages a logistic function"):
        BayesianPoissonRegression(1.0, inference=LaplaceApproximation("probit")).fit(X, y)
    with pytest.raises(InvalidInput, match="posterior is improper.*intercept='prior'"):
        BayesianPoissonRegression(1.0).fit(X, np.zeros(30))
    assert np.isfinite(BayesianPoissonRegression(1.0, intercept="prior").fit(X, np.zeros(30)).log_evidence_)
    with pytest.raises(
        InvalidParameter, match=r"prior_precision must be a number > 0; got 0\. .*PoissonRegression"
    ):
        BayesianPoissonRegression(0.0).fit(X, y)
    with pytest.raises(InvalidParameter, match="inference must be one of"):
        BayesianPoissonRegression(inference="magic").fit(X, y)
    with pytest.raises(NotPositiveDefinite, match="prior_cov"):
        BayesianLogisticRegression(1.0, prior_cov=-np.eye(2)).fit(X, y)
    with pytest.raises(InvalidInput, match="negative"):
        BayesianPoissonRegression().fit(X, -np.ones(30))
    for wrong in (np.nan, np.inf):
        bad = X.copy()
        bad[3, 1] = wrong
        with pytest.raises(InvalidInput, match="row 3"):
            BayesianLogisticRegression().fit(bad, y)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: LaplaceApproximation("mean"), "predict must be one of.*got 'mean'"),
        (lambda: LaplaceApproximation(n_samples=0), "n_samples must be an integer >= 1; got 0"),
        (lambda: LaplaceApproximation(seed=-1), "seed must be an integer >= 0; got -1"),
        (lambda: Quadrature(tol=0.0), "tol must be.*> 0; got 0"),
    ],
)
def test_choices_check_their_settings(build, message):
    with pytest.raises(InvalidParameter, match=message):
        build()


def test_noise_and_separation_meet_the_ends_of_the_range():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(200, 1))
    noise = np.arange(200) % 2
    X = X - 0.5 * (X[noise == 0].mean() + X[noise == 1].mean())
    X[noise == 1] -= X[noise == 1].mean() - X[noise == 0].mean()
    with pytest.warns(AtBound, match="columns say nothing about the targets"):
        model = BayesianLogisticRegression().fit(X, noise)
    assert abs(model.coef_[0, 0]) < 1e-3
    x = np.r_[np.linspace(-2, -1, 10), np.linspace(1, 2, 10)][:, None]
    with pytest.warns(AtBound, match="told apart by weights of any size"):
        warn_bound(search(lambda t: -t, lambda t: -t, 0.0, 20.0))
    known = BayesianLogisticRegression(0.1).fit(
        x, np.repeat([0, 1], 10)
    )  # a proper prior: finite, without a warning
    assert np.isfinite(known.log_evidence_)


@pytest.mark.parametrize("scale", [1e-150, 1e-8, 1e8, 1e150])
def test_units_of_columns(scale):
    X, y = table(40, 2)
    plain = BayesianLogisticRegression().fit(X, y)
    other = BayesianLogisticRegression().fit(X * scale, y)
    assert other.log_evidence_ == pytest.approx(plain.log_evidence_, abs=1e-8)
    np.testing.assert_allclose(other.predict_proba(X * scale), plain.predict_proba(X), rtol=1e-5)


def test_columns_that_depend_on_each_other():
    X, y = table(40, 1)
    double = np.hstack([X, X, np.ones((40, 1)), np.zeros((40, 1))])
    model = BayesianLogisticRegression(1.0).fit(double, y)
    assert model.coef_[0, 0] == pytest.approx(model.coef_[0, 1], rel=1e-8)
    np.testing.assert_allclose(model.coef_[0, 2:], 0, atol=1e-8)
    assert model.posterior_.std[3] == pytest.approx(1.0, rel=1e-9)  # the prior's
    wide = np.random.default_rng(0).normal(size=(8, 20))
    found = BayesianLogisticRegression(1.0).fit(wide, np.arange(8) % 2)
    assert np.isfinite(found.log_evidence_)
    assert found.well_determined_parameters_ < 8


def test_weights_are_counts():
    X, y = table(30, 1)
    weight = np.random.default_rng(3).integers(0, 4, 30)
    for inference in ("laplace", Quadrature()):
        one = BayesianLogisticRegression(inference=inference).fit(X, y, weight.astype(float))
        two = BayesianLogisticRegression(inference=inference).fit(
            np.repeat(X, weight, 0), np.repeat(y, weight)
        )
        assert one.log_evidence_ == pytest.approx(two.log_evidence_, abs=1e-8)
        assert one.prior_precision_ == pytest.approx(two.prior_precision_, rel=1e-5)
        np.testing.assert_allclose(one.posterior_.mean, two.posterior_.mean, rtol=1e-5)
