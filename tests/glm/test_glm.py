"""GLM against statsmodels, against other models of the library, and at the edges of links."""

import warnings

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize

import suffice
from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NoInformation,
    NumericalError,
    RankDeficient,
    Separated,
    Unsupported,
)
from suffice.bases import Polynomial
from suffice.distributions import NegativeBinomial, Poisson
from suffice.glm import GLM, LogisticRegression, PoissonRegression, ProbitRegression
from suffice.likelihoods import (
    BernoulliLogit,
    BinomialLogit,
    CustomLikelihood,
    GammaLog,
    GaussianIdentity,
    NegativeBinomialLog,
    PoissonLog,
    Reciprocal,
    Softmax,
)
from suffice.linear import LinearRegression

rng = np.random.default_rng(11)
N = 300
X = rng.uniform(-1, 1, (N, 2)) * [1.0, 30.0] + [0.0, 200.0]
ETA = 0.4 + 0.8 * X[:, 0] - 0.02 * (X[:, 1] - 200)
WEIGHT = rng.integers(0, 4, N).astype(float)
OFFSET = rng.uniform(-0.2, 0.2, N)
TARGETS = {
    "normal": ETA + rng.standard_normal(N),
    "positive": np.exp(ETA) * rng.gamma(3.0, 1 / 3.0, N),
    "waiting": rng.gamma(3.0, 1 / 3.0, N) / (2 + 0.5 * X[:, 0] - 0.01 * (X[:, 1] - 200)),
    "flag": (rng.random(N) < 1 / (1 + np.exp(-ETA))).astype(float),
    "successes": rng.binomial(8, 1 / (1 + np.exp(-ETA))).astype(float),
    "count": rng.poisson(2 + np.exp(ETA)).astype(float),
    "wild": rng.poisson(np.exp(ETA) * rng.gamma(2.0, 0.5, N)).astype(float),
}
FAMILIES = {
    "normal": (GaussianIdentity(), None, "normal", "Gaussian", "Identity"),
    "normal, log": (GaussianIdentity(), "log", "positive", "Gaussian", "Log"),
    "logit": (BernoulliLogit(), None, "flag", "Binomial", "Logit"),
    "probit": (BernoulliLogit(), "probit", "flag", "Binomial", "Probit"),
    "cloglog": (BernoulliLogit(), "cloglog", "flag", "Binomial", "CLogLog"),
    "poisson": (PoissonLog(), None, "count", "Poisson", "Log"),
    "poisson, sqrt": (PoissonLog(), "sqrt", "count", "Poisson", "Sqrt"),
    "poisson, identity": (PoissonLog(), "identity", "count", "Poisson", "Identity"),
    "gamma": (GammaLog(), None, "positive", "Gamma", "Log"),
    "gamma, reciprocal": (GammaLog(), "reciprocal", "waiting", "Gamma", "InversePower"),
    "gamma, identity": (GammaLog(), "identity", "waiting", "Gamma", "Identity"),
    "negative binomial": (NegativeBinomialLog(0.5), None, "wild", "NegativeBinomial", "Log"),
}


def peer(name, weight=None, offset=None, **options):
    """statsmodels' fit, as converged as it gets."""
    sm = pytest.importorskip("statsmodels.api")
    _, _, target, family, link = FAMILIES[name]
    extra = {"alpha": 0.5} if family == "NegativeBinomial" else {}
    made = getattr(sm.families, family)(link=getattr(sm.families.links, link)(), **extra)
    columns = np.column_stack([np.ones(N), (X - [0.0, 200.0]) / [1.0, 30.0]])
    begin = {"start_params": [TARGETS[target].mean(), 0.0, 0.0]} if link == "Identity" else {}
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # its links may leave the domain of a family, which it tells every time
        model = sm.GLM(TARGETS[target], columns, family=made, freq_weights=weight, offset=offset)
        return model.fit(tol=1e-14, tol_criterion="params", maxiter=300, **begin, **options)


def ours(name, weight=None, offset=None, **options):
    likelihood, link, target, *_ = FAMILIES[name]
    model = GLM(likelihood, link, **options)
    return model.fit((X - [0.0, 200.0]) / [1.0, 30.0], TARGETS[target], weight, offset)


def weights(model):
    return np.concatenate([[model.intercept_], model.coef_])


# -- oracle ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("extra", ["plain", "weights", "offset"])
def test_against_statsmodels(name, extra):
    given = {"weight": WEIGHT} if extra == "weights" else {"offset": OFFSET} if extra == "offset" else {}
    model = ours(name, information="expected", **given)
    theirs = peer(name, scale=1.0, **given)
    np.testing.assert_allclose(weights(model), theirs.params, rtol=1e-10)
    np.testing.assert_allclose(np.sqrt(np.diag(model.cov_params_)), theirs.bse, rtol=1e-10)
    assert model.deviance_ == pytest.approx(theirs.deviance, rel=1e-10)
    assert model.null_deviance_ == pytest.approx(theirs.null_deviance, rel=1e-9)
    assert model.pearson_chi2_ == pytest.approx(theirs.pearson_chi2, rel=1e-8)
    assert model.log_likelihood_ == pytest.approx(theirs.llf_scaled(scale=1.0), rel=1e-10)
    np.testing.assert_allclose(
        model.predict((X - [0.0, 200.0]) / [1.0, 30.0], **_known(given)), theirs.mu, rtol=1e-8
    )


def _known(given):
    return {"offset": given["offset"]} if "offset" in given else {}


@pytest.mark.parametrize("name", ["cloglog", "poisson, sqrt", "gamma", "negative binomial", "normal, log"])
def test_observed_information_is_statsmodels_hessian(name):
    model, theirs = ours(name), peer(name, scale=1.0)
    hessian = theirs.model.hessian(theirs.params, scale=1.0, observed=True)
    np.testing.assert_allclose(model.cov_params_, np.linalg.solve(-hessian, np.eye(3)), rtol=1e-7, atol=1e-10)
    assert not np.allclose(model.cov_params_, theirs.cov_params(), rtol=1e-4)


@pytest.mark.parametrize("name", ["normal", "poisson", "gamma", "cloglog"])
@pytest.mark.parametrize(("dispersion", "scale"), [("pearson", "X2"), ("deviance", "dev")])
def test_dispersion_scales_the_covariance(name, dispersion, scale):
    model = ours(name, WEIGHT, dispersion=dispersion, information="expected")
    theirs = peer(name, WEIGHT, scale=scale)
    assert model.dispersion_ == pytest.approx(theirs.scale, rel=1e-8)
    np.testing.assert_allclose(np.sqrt(np.diag(model.cov_params_)), theirs.bse, rtol=1e-10)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("kind", ["deviance", "pearson", "response", "working"])
def test_residuals_against_statsmodels(name, kind):
    model, theirs = ours(name), peer(name, scale=1.0)
    found = model.residuals((X - [0.0, 200.0]) / [1.0, 30.0], TARGETS[FAMILIES[name][2]], kind)
    np.testing.assert_allclose(found, getattr(theirs, f"resid_{kind}"), rtol=1e-6, atol=1e-7)


def test_the_normal_model_is_linear_regression():
    y, line = TARGETS["normal"], LinearRegression().fit(X, TARGETS["normal"])
    for precision in (1.0, 40.0):
        model = GLM(GaussianIdentity(precision), dispersion="pearson").fit(X, y)
        np.testing.assert_allclose(model.coef_, line.coef_, rtol=1e-10)
        np.testing.assert_allclose(model.cov_params_, line.cov_params_, rtol=1e-9)
        assert model.dispersion_ / precision == pytest.approx(line.noise_variance_, rel=1e-10)
        assert model.log_likelihood_ == pytest.approx(line.log_likelihood_, rel=1e-10)
        assert model.aic_ == pytest.approx(line.aic_, rel=1e-10)
        assert model.bic_ == pytest.approx(line.bic_, rel=1e-10)
        assert model.predict_dist(X[:3]).var == pytest.approx(np.full(3, line.noise_variance_), rel=1e-10)
    assert GLM(GaussianIdentity(4.0)).fit(X, y).predict_dist(X[:2]).var == pytest.approx([0.25, 0.25])


def test_likeliest_dispersion_of_gamma_is_a_maximum():
    model = ours("gamma", dispersion="pearson")
    Z, y = (X - [0.0, 200.0]) / [1.0, 30.0], TARGETS["positive"]
    a = model.linear_predictor(Z)
    shapes = np.linspace(1.5, 5.0, 4001)
    best = max(GammaLog(k).log_prob(y, a).sum() for k in shapes)
    assert model.log_likelihood_ == pytest.approx(best, rel=1e-7)
    assert model.log_likelihood_ >= best - 1e-9
    assert model.aic_ == pytest.approx(2 * 4 - 2 * model.log_likelihood_)
    np.testing.assert_allclose(
        model.predict_dist(Z).var, model.dispersion_ * model.predict(Z) ** 2, rtol=1e-12
    )


def test_models_of_the_room_are_special_cases():
    flag, count = TARGETS["flag"], TARGETS["count"]
    logistic = LogisticRegression(prior_precision=0.7).fit(X, flag)
    model = GLM(BernoulliLogit(), prior_precision=0.7).fit(X, flag)
    np.testing.assert_allclose(model.coef_, logistic.coef_[0], rtol=1e-10)
    np.testing.assert_allclose(model.cov_params_, logistic.cov_params_, rtol=1e-8)
    probit = ProbitRegression().fit(X, flag)
    np.testing.assert_allclose(
        GLM(BernoulliLogit(), "probit").fit(X, flag).coef_, probit.coef_[0], rtol=1e-10
    )
    poisson = PoissonRegression(standardize=True, prior_precision=2.0).fit(X, count)
    model = GLM(PoissonLog(), standardize=True, prior_precision=2.0).fit(X, count)
    np.testing.assert_allclose(model.coef_, poisson.coef_, rtol=1e-12)


@pytest.mark.parametrize("link", ["logit", "cloglog", "probit"])
def test_trials_are_weighted_flags(link):
    successes = TARGETS["successes"]
    counted = GLM(BinomialLogit(8), link).fit(X, successes)
    both = GLM(BernoulliLogit(), link).fit(
        np.vstack([X, X]), np.repeat([1.0, 0.0], N), np.concatenate([successes, 8 - successes])
    )
    np.testing.assert_allclose(weights(counted), weights(both), rtol=1e-8)
    np.testing.assert_allclose(counted.cov_params_, both.cov_params_, rtol=1e-7)
    np.testing.assert_allclose(counted.predict(X), 8 * both.predict(X), rtol=1e-8)


def test_quasi_poisson():
    y = TARGETS["wild"]
    plain, quasi = PoissonRegression().fit(X, y), PoissonRegression(dispersion="pearson").fit(X, y)
    same = GLM(PoissonLog(), dispersion="pearson").fit(X, y)
    assert plain.dispersion_ == 1
    assert quasi.dispersion_ == pytest.approx(plain.pearson_chi2_ / (N - 3), rel=1e-12)
    assert quasi.dispersion_ > 1.2
    np.testing.assert_allclose(quasi.cov_params_, quasi.dispersion_ * plain.cov_params_, rtol=1e-12)
    np.testing.assert_allclose(quasi.cov_params_, same.cov_params_, rtol=1e-9)
    np.testing.assert_array_equal(quasi.coef_, plain.coef_)
    wide = quasi.predict_dist(X)
    assert isinstance(wide, NegativeBinomial)
    np.testing.assert_allclose(wide.mean, quasi.predict(X), rtol=1e-12)
    np.testing.assert_allclose(wide.var, quasi.dispersion_ * quasi.predict(X), rtol=1e-12)
    even = PoissonRegression(dispersion="pearson").fit([[0.0], [1.0], [2.0], [3.0]], [2, 3, 3, 4])
    assert even.dispersion_ < 1
    assert isinstance(even.predict_dist([[1.0]]), Poisson)
    with pytest.raises(InvalidParameter, match="dispersion must be one of 'known', 'pearson'; got 'x2'"):
        PoissonRegression(dispersion="x2").fit(X, y)


def test_a_wider_dispersion_covers_what_a_poisson_does_not():
    """90 % intervals of overdispersed counts: 1,000 draws have a standard error of 1 %."""
    fresh = np.random.default_rng(3)
    Z = fresh.uniform(-1, 1, (1000, 1))
    y = fresh.poisson(np.exp(2 + Z[:, 0]) * fresh.gamma(2.0, 0.5, 1000)).astype(float)
    share = {}
    for kind in ("known", "pearson"):
        low, high = PoissonRegression(dispersion=kind).fit(Z, y).predict_dist(Z).interval(0.9)
        share[kind] = np.mean((low <= y) & (y <= high))
    assert share["known"] < 0.7
    assert 0.88 < share["pearson"] < 0.97


# -- optimality and priors ---------------------------------------------------------------------------------
@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize(
    "options", [{"prior_precision": 3.0}, {"prior_precision": 0.5, "penalize_intercept": True}]
)
def test_no_neighbor_is_better(name, options):
    likelihood, link, target, *_ = FAMILIES[name]
    Z, y = (X - [0.0, 200.0]) / [1.0, 30.0], TARGETS[target]
    model = GLM(likelihood, link, **options).fit(Z, y)
    held = np.array([float("penalize_intercept" in options), 1.0, 1.0]) * options["prior_precision"]

    def objective(theta):
        eta = theta[0] + Z @ theta[1:]
        return model.likelihood_.log_prob(y, eta).sum() - 0.5 * held @ theta**2

    theta = weights(model)
    for direction in np.vstack([np.eye(3), -np.eye(3), [[1.0, -1.0, 1.0]]]):
        assert objective(theta + 1e-3 * direction) < objective(theta)
    slopes = [(objective(theta + e) - objective(theta - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(slopes, 0.0, atol=1e-5)


@pytest.mark.parametrize("name", ["normal, log", "gamma, identity"])
def test_rows_that_bend_the_other_way_count_among_nearly_dependent_columns(name):
    """Covariances do not depend on how a plane is told, by (x1, x2) or by (x1, x1 + x2/1000)."""
    likelihood, link, target, *_ = FAMILIES[name]
    Z, y = (X - [0.0, 200.0]) / [1.0, 30.0], TARGETS[target]
    mix = np.array([[1.0, 1.0], [0.0, 1e-3]])
    plain, mixed = GLM(likelihood, link).fit(Z, y), GLM(likelihood, link).fit(Z @ mix, y)
    assert plain.likelihood_.curvature(y, plain.linear_predictor(Z)).min() < 0
    moved = np.eye(3)
    moved[1:, 1:] = mix
    np.testing.assert_allclose(moved @ mixed.cov_params_ @ moved.T, plain.cov_params_, rtol=1e-6, atol=1e-9)


# -- a pair of functions ------------------------------------------------------------------------------------
def test_the_book_pair_is_least_squares_and_logistic_regression():
    y, flag = TARGETS["normal"], TARGETS["flag"]
    squares = GLM.book(lambda a: a, lambda y, m: (y - m) ** 2).fit(X, y)
    np.testing.assert_allclose(squares.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-6)
    crossed = GLM.book(
        lambda a: 1 / (1 + np.exp(-a)), lambda y, p: -y * np.log(p) - (1 - y) * np.log1p(-p)
    ).fit(X, flag)
    np.testing.assert_allclose(
        crossed.coef_, LogisticRegression(prior_precision=0).fit(X, flag).coef_[0], rtol=1e-6
    )
    with pytest.raises(Unsupported, match="does not say how targets are distributed"):
        crossed.predict_dist(X)
    with pytest.raises(Unsupported, match="nothing is expected"):
        crossed.residuals(X, flag, "pearson")
    assert np.isnan(crossed.pearson_chi2_)
    np.testing.assert_allclose(squares.residuals(X, y, "response"), y - squares.predict(X), rtol=1e-12)


def test_a_cost_that_is_not_convex():
    """Cauchy's: log(1 + r²) bends the other way for |r| > 1."""
    fresh = np.random.default_rng(2)
    Z = fresh.uniform(-2, 2, (80, 1))
    y = 1 + 2 * Z[:, 0] + 0.3 * fresh.standard_normal(80)
    y[:12] += 30
    model = GLM.book(lambda a: a, lambda y, m: np.log1p((y - m) ** 2)).fit(Z, y)
    best = minimize(lambda t: np.log1p((y - t[0] - t[1] * Z[:, 0]) ** 2).sum(), [1.0, 2.0], tol=1e-12)
    np.testing.assert_allclose(weights(model), best.x, rtol=1e-5)
    assert np.all(np.linalg.eigvalsh(model.cov_params_) > 0)
    assert np.abs(weights(model) - [1, 2]).max() < 0.2


# -- the domain of links --------------------------------------------------------------------------------------
def test_a_line_through_the_origin_begins_inside():
    fresh = np.random.default_rng(5)
    Z = fresh.uniform(0.5, 2, (200, 2))
    y = fresh.poisson(Z @ [1.0, 2.0]).astype(float)
    model = GLM(PoissonLog(), "identity", fit_intercept=False).fit(Z, y)
    sm = pytest.importorskip("statsmodels.api")
    family = sm.families.Poisson(link=sm.families.links.Identity())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = sm.GLM(y, Z, family=family).fit(start_params=[1.0, 2.0], tol=1e-14, tol_criterion="params")
    np.testing.assert_allclose(model.coef_, theirs.params, rtol=1e-10)
    waiting = fresh.gamma(2.0, 0.5, 200) / (Z @ [1.0, 2.0])
    model = GLM(GammaLog(), Reciprocal(), fit_intercept=False, dispersion="pearson").fit(Z, waiting)
    np.testing.assert_allclose(model.coef_, [1.0, 2.0], atol=0.35)


def test_no_beginning_is_told():
    Z, y = np.array([[-1.0], [1.0], [-1.0], [1.0]]), np.array([1.0, 2.0, 1.0, 2.0])
    with pytest.raises(InvalidInput, match="No line was found .* link='identity'"):
        GLM(PoissonLog(), "identity", fit_intercept=False).fit(Z, y)


def test_predictions_outside_the_link_are_not_numbers():
    Z = np.array([[0.0], [1.0], [2.0], [3.0]])
    model = GLM(PoissonLog(), "identity").fit(Z, [9, 6, 4, 2])
    with pytest.warns(
        NoInformation, match="linear predictor is -.* at row 1, which is no Identity of a mean"
    ):
        found = model.predict([[0.0], [10.0]])
    assert found[0] > 0
    assert np.isnan(found[1])
    with pytest.raises(InvalidInput, match="at row 1, which is no Identity of a mean of PoissonLog"):
        model.predict_dist([[0.0], [10.0]])


def test_separated_flags_are_told_under_every_link():
    Z, y = np.arange(8.0)[:, None], np.repeat([0.0, 1.0], 4)
    for link in ("logit", "probit", "cloglog"):
        with pytest.warns(Separated, match="no maximum"):
            GLM(BernoulliLogit(), link).fit(Z, y)
        assert np.isfinite(GLM(BernoulliLogit(), link, prior_precision=0.1).fit(Z, y).coef_).all()


def test_targets_at_an_end_of_the_link():
    Z = np.random.default_rng(4).standard_normal((30, 2))
    for link in ("logit", "probit", "cloglog"):
        for value in (0.0, 1.0):
            with pytest.warns(Separated, match="no maximum.* of the constant .*penalize_intercept=True"):
                GLM("bernoulli", link, prior_precision=1.0).fit(Z, np.full(30, value))
        held = GLM("bernoulli", link, prior_precision=1.0, penalize_intercept=True).fit(Z, np.ones(30))
        assert np.isfinite(held.intercept_)
    with pytest.raises(InvalidInput, match="No line was found .* link='sqrt': targets may all be 0"):
        GLM("poisson", "sqrt").fit(Z, np.zeros(30))


@pytest.mark.parametrize("unit", [1e-150, 1e-9, 1e9, 1e150])
def test_numbers_in_any_unit(unit):
    y, line = TARGETS["normal"], GLM(dispersion="pearson").fit(X, TARGETS["normal"])
    model = GLM(dispersion="pearson").fit(X, y * unit)
    np.testing.assert_allclose(model.coef_ / unit, line.coef_, rtol=1e-9)
    np.testing.assert_allclose(
        np.sqrt(np.diag(model.cov_params_)) / unit, np.sqrt(np.diag(line.cov_params_)), rtol=1e-9
    )
    assert np.sqrt(model.deviance_) / unit == pytest.approx(np.sqrt(line.deviance_), rel=1e-9)
    assert np.sqrt(model.null_deviance_) / unit == pytest.approx(np.sqrt(line.null_deviance_), rel=1e-9)
    assert model.log_likelihood_ + N * np.log(unit) == pytest.approx(line.log_likelihood_, rel=1e-9)


@pytest.mark.parametrize("unit", [1e-12, 1e-6, 1e6])
@pytest.mark.parametrize("dispersion", ["pearson", "known"])
def test_small_numbers_are_climbed_in_their_own_units(unit, dispersion):
    """A normal likelihood of precision one finds all lines equally good for targets of 1e-6."""
    y = TARGETS["positive"]
    plain, model = (GLM("gaussian", "log", dispersion=dispersion).fit(X, t) for t in (y, y * unit))
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-8)
    assert model.intercept_ == pytest.approx(plain.intercept_ + np.log(unit), rel=1e-9)
    size = 1.0 if dispersion == "pearson" else 1 / unit
    np.testing.assert_allclose(model.cov_params_, plain.cov_params_ * size**2, rtol=1e-6)


def test_an_offset_that_leaves_little_room():
    y = TARGETS["count"]
    plain = GLM("poisson", "identity").fit(X, y)
    model = GLM("poisson", "identity").fit(X, y, offset=np.full(N, -1e3))
    assert model.intercept_ == pytest.approx(plain.intercept_ + 1e3, rel=1e-9)
    assert model.null_deviance_ == pytest.approx(plain.null_deviance_, rel=1e-9)


# -- bad input ------------------------------------------------------------------------------------------------
def test_dependent_columns_are_named():
    Z = np.column_stack([X, X[:, 0], np.full(N, 7.0)])
    with pytest.warns(RankDeficient, match="not determined"):
        model = GLM(PoissonLog(), "sqrt").fit(Z, TARGETS["count"])
    np.testing.assert_allclose(
        model.predict(Z), GLM(PoissonLog(), "sqrt").fit(X, TARGETS["count"]).predict(X), rtol=1e-8
    )
    assert model.n_parameters_ == 3


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_columns_of_any_size(scale):
    plain = GLM(GammaLog(), dispersion="pearson").fit(X, TARGETS["positive"])
    model = GLM(GammaLog(), dispersion="pearson").fit(X * scale, TARGETS["positive"])
    np.testing.assert_allclose(model.coef_ * scale, plain.coef_, rtol=1e-9)
    np.testing.assert_allclose(model.predict(X * scale), plain.predict(X), rtol=1e-9)


WRONG_TARGETS = {
    "negative rate": (PoissonLog(), [-1.0, 2.0, 3.0], "PoissonLog takes counts .* at row 0"),
    "zero wait": (GammaLog(), [1.0, 0.0, 3.0], "GammaLog takes numbers > 0; got .*0.0.* at row 1"),
    "half a count": (NegativeBinomialLog(), [1.0, 0.5, 3.0], "takes counts"),
    "too many": (BinomialLogit(2), [1.0, 0.0, 3.0], "successes 0 … 2; got .*3.0"),
    "gap": (GaussianIdentity(), [1.0, np.nan, 3.0], "y contains NaN.* row 1"),
    "two columns": (GaussianIdentity(), np.ones((3, 2)), "one column of numbers; got shape"),
}


@pytest.mark.parametrize("name", WRONG_TARGETS)
def test_targets_outside_the_domain(name):
    likelihood, y, message = WRONG_TARGETS[name]
    with pytest.raises(InvalidInput, match=message):
        GLM(likelihood).fit([[0.0], [1.0], [2.0]], y)


def test_parameters_that_do_not_go_together():
    y = TARGETS["normal"]
    with pytest.raises(InvalidParameter, match="Use SoftmaxRegression"):
        GLM(Softmax(3)).fit(X, y)
    with pytest.raises(InvalidParameter, match="link must be a Link or one of 'identity'.*; got 3"):
        GLM(link=3).fit(X, y)
    with pytest.raises(InvalidParameter, match="link must be one of .*; got 'square'"):
        GLM(link="square").fit(X, y)
    cost = CustomLikelihood(lambda a: a, lambda y, m: (y - m) ** 2)
    for options in ({"link": "log"}, {"dispersion": "pearson"}, {"information": "expected"}):
        (name,) = options
        with pytest.raises(InvalidParameter, match=f"{name} must be .* for a CustomLikelihood"):
            GLM(cost, **options).fit(X, y)
    with pytest.raises(InvalidParameter, match="kind must be one of 'deviance'"):
        GLM().fit(X, y).residuals(X, y, "raw")


def test_no_scatter_to_tell_the_dispersion_from():
    model = GLM(dispersion="pearson").fit([[0.0], [1.0]], [1.0, 2.0])
    assert np.isnan(model.dispersion_)
    with pytest.raises(NumericalError, match="No residual degrees of freedom: n = 2 and 2 parameters"):
        _ = model.cov_params_
    np.testing.assert_allclose(model.predict([[2.0]]), 3.0, rtol=1e-9)
    with pytest.raises(NumericalError, match="leave no scatter"):
        model.predict_dist([[0.0]])


# -- elsewhere -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["gamma, reciprocal", "cloglog", "poisson, identity"])
def test_saved_and_loaded(name, tmp_path):
    model = ours(name, dispersion="pearson", information="expected")
    suffice.save(model, tmp_path / "model.suffice")
    again = suffice.load(tmp_path / "model.suffice")
    Z = (X - [0.0, 200.0]) / [1.0, 30.0]
    np.testing.assert_array_equal(again.predict(Z), model.predict(Z))
    np.testing.assert_array_equal(again.cov_params_, model.cov_params_)
    assert again.likelihood_ == model.likelihood_
    assert again.dispersion_ == model.dispersion_


def test_rows_in_batches():
    Z, y = (X - [0.0, 200.0]) / [1.0, 30.0], TARGETS["count"]
    options = {"dispersion": "pearson", "information": "expected", "basis": Polynomial(2)}
    whole = GLM(PoissonLog(), "sqrt", **options).fit(Z, y)
    batches = [(Z[a : a + 100], y[a : a + 100]) for a in range(0, N, 100)]
    parts = suffice.engine.fit(GLM(PoissonLog(), "sqrt", **options), batches)
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-8)
    np.testing.assert_allclose(parts.cov_params_, whole.cov_params_, rtol=1e-7, atol=1e-12)
    for name in ("dispersion_", "null_deviance_", "deviance_", "log_likelihood_"):
        assert getattr(parts, name) == pytest.approx(getattr(whole, name), rel=1e-9)


def test_names_of_likelihoods():
    for name, likelihood, target in (("poisson", PoissonLog(), "count"), ("gamma", GammaLog(), "positive")):
        a, b = GLM(name).fit(X, TARGETS[target]), GLM(likelihood).fit(X, TARGETS[target])
        np.testing.assert_array_equal(a.coef_, b.coef_)
        assert a.likelihood == name
    with pytest.raises(InvalidParameter, match="likelihood must be one of 'gaussian', .*; got 'normal'"):
        GLM("normal").fit(X, TARGETS["normal"])


def test_nested_parameters():
    model = GLM(GaussianIdentity(2.0)).set_params(likelihood__precision=5.0, link="log")
    assert model.likelihood == GaussianIdentity(5.0)
    assert model.get_params()["likelihood__precision"] == 5.0


@pytest.mark.slow
def test_standard_errors_are_those_of_repeated_samples():
    """400 repetitions: a standard deviation is known to 1/√800 = 3.5 %."""
    fresh = np.random.default_rng(9)
    Z = fresh.uniform(-1, 1, (120, 1))
    shape, eta = 2.0, 0.5 + 0.7 * Z[:, 0]
    found, told = [], []
    for _ in range(400):
        y = np.exp(eta) * stats.gamma.rvs(shape, scale=1 / shape, size=120, random_state=fresh)
        model = GLM(GammaLog(), dispersion="pearson").fit(Z, y)
        found.append(model.coef_[0])
        told.append(np.sqrt(model.cov_params_[1, 1]))
    assert np.std(found) == pytest.approx(np.mean(told), rel=0.12)
    assert np.mean(found) == pytest.approx(0.7, abs=4 * np.std(found) / 20)
