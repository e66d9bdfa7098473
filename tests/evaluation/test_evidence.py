"""Evidence compared: by Bayes' rule, by Monte Carlo, and refused where it cannot be."""

import numpy as np
import pytest
from scipy import stats
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression as TheirLinear
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, Unsupported
from suffice.bases import GaussianBasis, Polynomial
from suffice.datasets import sinusoid_10
from suffice.evaluation.evidence import compare_evidence
from suffice.evaluation.occam import expected_bayes_factor, occam, occam_factor
from suffice.linear import BayesianLinearRegression, LinearRegression

RNG = np.random.default_rng(77)
DATA = sinusoid_10()


def order(m, **options):
    options = {"prior_precision": 0.5, "noise_precision": 11.1, "intercept": "prior"} | options
    return BayesianLinearRegression(basis=Polynomial(m), **options)


def fitted(m, **options):
    return order(m, **options).fit(DATA.X, DATA.y)


# -- comparison ------------------------------------------------------------------------------------------
def test_probabilities_by_bayes_rule():
    models = {f"M{m}": fitted(m) for m in (1, 2, 3, 5)}
    prior = np.array([4.0, 1.0, 2.0, 1.0])
    densities = []
    for m in (1, 2, 3, 5):
        phi = DATA.X ** np.arange(m + 1)
        cov = phi @ phi.T / 0.5 + np.eye(10) / 11.1
        densities.append(stats.multivariate_normal(np.zeros(10), cov).logpdf(DATA.y))
    found = compare_evidence(models, prior=prior)
    np.testing.assert_allclose(found.log_evidences, densities, rtol=1e-9)
    expected = prior * np.exp(densities)
    np.testing.assert_allclose(found.probabilities, expected / expected.sum(), rtol=1e-9)
    assert found.best == f"M{(1, 2, 3, 5)[int(np.argmax(densities))]}"
    np.testing.assert_allclose(found.log_bayes_factors, densities - np.max(densities), rtol=1e-8, atol=1e-12)
    by_name = compare_evidence(models, prior=dict(zip(models, prior, strict=True)))
    np.testing.assert_array_equal(by_name.probabilities, found.probabilities)
    assert compare_evidence(models).probabilities.sum() == pytest.approx(1)
    assert len(found.frame()) == 4
    assert "<table>" in found._repr_html_()
    assert repr(found).startswith("<EvidenceComparison: Of 4 models")


def test_evidences_far_apart_do_not_underflow():
    X = RNG.normal(size=(4000, 1))
    y = 100 * X[:, 0] + RNG.normal(size=4000)
    with_x = BayesianLinearRegression(1.0, noise_precision=1.0).fit(X, y)
    without = BayesianLinearRegression(1.0, noise_precision=1.0).fit(RNG.normal(size=(4000, 1)), y)
    found = compare_evidence({"with": with_x, "without": without})
    np.testing.assert_array_equal(found.probabilities, [1.0, 0.0])
    assert found.kass_raftery == ("best", "very strong")
    assert found.jeffreys == ("best", "decisive")


class Told:
    """A model with a given log evidence, on the same data as the others."""

    fit_intercept, intercept = True, "flat"

    def __init__(self, log_evidence, kind="exact"):
        self.log_evidence_, self.evidence_kind_ = log_evidence, kind
        self.statistics_ = SHARED.statistics_


SHARED = BayesianLinearRegression(1.0, noise_precision=1.0).fit(DATA.X, DATA.y)


@pytest.mark.parametrize(
    "log_factor, kass_raftery, jeffreys",
    [
        (0.9, "not worth more than a bare mention", "barely worth mentioning"),
        (1.1, "positive", "barely worth mentioning"),
        (1.2, "positive", "substantial"),
        (2.9, "positive", "strong"),
        (3.1, "strong", "strong"),
        (4.0, "strong", "very strong"),
        (4.9, "strong", "decisive"),
        (5.1, "very strong", "decisive"),
    ],
)
def test_words_of_the_usual_scales(log_factor, kass_raftery, jeffreys):
    found = compare_evidence({"a": Told(-10.0), "b": Told(-10.0 - log_factor)})
    assert found.kass_raftery == ("best", kass_raftery)
    assert found.jeffreys == ("best", jeffreys)
    assert f"{kass_raftery} (Kass and Raftery), {jeffreys} (Jeffreys)" in found.sentence


def test_different_kinds_of_evidence_are_told():
    found = compare_evidence({"a": Told(-1.0), "b": Told(-2.0, "Laplace")})
    assert any("b: Laplace" in note for note in found.notes)
    assert not compare_evidence({"a": Told(-1.0), "b": Told(-2.0)}).notes


def test_the_order_of_rows_and_the_columns_do_not_matter():
    shuffled = RNG.permutation(10)
    a, b = fitted(2), order(3).fit(DATA.X[shuffled], DATA.y[shuffled])
    assert compare_evidence({"a": a, "b": b}).names == ("a", "b")
    wide = BayesianLinearRegression(0.5, noise_precision=11.1, intercept="prior").fit(
        RNG.normal(size=(10, 4)), DATA.y
    )
    assert compare_evidence({"a": a, "wide": wide}).best in ("a", "wide")


def test_a_pipeline_counts_as_its_last_step():
    pipe = make_pipeline(StandardScaler(), order(2)).fit(DATA.X, DATA.y)
    found = compare_evidence({"plain": fitted(2), "scaled": pipe})
    assert found.log_evidences[1] == pipe[-1].log_evidence_


@pytest.mark.parametrize(
    "change",
    [lambda y: y + 1e-6, lambda y: y * (1 + 1e-7), lambda y: np.r_[y[:-1], 5.0]],
    ids=["shift", "scale", "one"],
)
def test_other_targets_are_refused(change):
    with pytest.raises(HeaderMismatch, match="'a' and 'b' were fitted to different targets"):
        compare_evidence({"a": fitted(1), "b": order(2).fit(DATA.X, change(DATA.y))})


def test_other_rows_are_refused():
    with pytest.raises(HeaderMismatch, match="10 rows with sum .* against 9 rows"):
        compare_evidence({"a": fitted(1), "b": order(2).fit(DATA.X[1:], DATA.y[1:])})


@pytest.mark.parametrize("other", [{"intercept": "prior"}, {"fit_intercept": False}])
def test_a_flat_intercept_is_not_compared_with_another(other):
    with pytest.raises(InvalidInput, match="treat the intercept differently"):
        compare_evidence({"flat": fitted(2, intercept="flat"), "other": fitted(2, **other)})


def test_a_proper_intercept_beside_none_is_another_rule():
    with pytest.raises(InvalidInput, match="with: prior, without: none"):
        compare_evidence({"with": fitted(2), "without": fitted(2, fit_intercept=False)})


@pytest.mark.parametrize(
    "models, error, match",
    [
        ({"a": Told(-1.0)}, InvalidInput, "two or more fitted models"),
        ([Told(-1.0), Told(-2.0)], InvalidInput, "two or more fitted models by name"),
        ({"a": Told(-1.0), "b": order(2)}, NotFittedError, "'b' is not fitted"),
        (
            {"a": Told(-1.0), "b": LinearRegression().fit(DATA.X, DATA.y)},
            Unsupported,
            "'b' has no log_evidence_",
        ),
        ({"a": Told(-1.0), "b": TheirLinear().fit(DATA.X, DATA.y)}, Unsupported, "'b' has no log_evidence_"),
        ({"a": Told(-1.0), "b": Told(float("nan"))}, InvalidInput, "log evidence of 'b' is not finite"),
        ({"a": Told(-1.0), "b": Told(-np.inf)}, InvalidInput, "log evidence of 'b' is not finite"),
    ],
)
def test_what_cannot_be_compared(models, error, match):
    with pytest.raises(error, match=match):
        compare_evidence(models)


@pytest.mark.parametrize(
    "prior, match",
    [
        ([1.0], "2 numbers"),
        ([1.0, -1.0], "zero or more"),
        ([0.0, 0.0], "not all zero"),
        ([np.nan, 1.0], "2 numbers"),
        ({"a": 1.0}, "must name the models"),
        ("ab", "must be numbers"),
    ],
)
def test_a_bad_prior_is_named(prior, match):
    with pytest.raises(InvalidParameter, match=match):
        compare_evidence({"a": Told(-1.0), "b": Told(-2.0)}, prior=prior)


def test_a_model_that_is_excluded_beforehand_stays_so():
    found = compare_evidence({"a": Told(-1.0), "b": Told(-9.0)}, prior=[0, 1])
    np.testing.assert_array_equal(found.probabilities, [0.0, 1.0])


# -- Occam -----------------------------------------------------------------------------------------------
SETTINGS = {
    "flat": {"intercept": "flat"},
    "prior": {},
    "none": {"fit_intercept": False},
    "evidence": {"prior_precision": "evidence", "noise_precision": "evidence", "intercept": "flat"},
    "given prior": {"prior_mean": [0.1, 0.2, -0.3, 0.4], "prior_cov": np.diag([1.0, 2.0, 3.0, 4.0])},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_the_factor_is_prior_over_posterior_at_the_mean(name):
    """log p(m) − log p(m | D), with p(b) = 1 for a flat intercept."""
    model = fitted(3, **SETTINGS[name])
    made = occam(model)
    post = model.posterior_
    alpha, beta = float(model.prior_precision_), float(model.noise_precision_)
    m = np.asarray(post.mean)
    at_posterior = stats.multivariate_normal(m, post.cov).logpdf(m)
    w = m[1:] if name in ("flat", "evidence") else m
    mean = np.zeros(len(w)) if model.prior_mean is None else np.array(model.prior_mean)
    cov = np.eye(len(w)) if model.prior_cov is None else model.prior_cov
    at_prior = stats.multivariate_normal(mean, cov / alpha).logpdf(w)
    assert made.log_factor == pytest.approx(at_prior - at_posterior, rel=1e-8)
    fit = stats.norm(model.predict(DATA.X), 1 / np.sqrt(beta)).logpdf(DATA.y).sum()
    assert made.log_likelihood == pytest.approx(fit, rel=1e-9)
    assert made.log_likelihood + made.log_factor == pytest.approx(made.log_evidence, rel=1e-14)
    assert "log Occam factor" in str(made)


@pytest.mark.parametrize("kind", ["counts", "precision"])
def test_weights_enter_the_likelihood_as_they_do_the_fit(kind):
    w = RNG.integers(1, 4, 10).astype(float)
    model = order(2, weight_kind=kind).fit(DATA.X, DATA.y, sample_weight=w)
    mean, beta = model.predict(DATA.X), 11.1
    if kind == "counts":
        expected = w @ stats.norm(mean, 1 / np.sqrt(beta)).logpdf(DATA.y)
    else:
        expected = stats.norm(mean, 1 / np.sqrt(beta * w)).logpdf(DATA.y).sum()
    assert occam(model).log_likelihood == pytest.approx(expected, rel=1e-9)


def test_several_targets_add_up():
    Y = np.column_stack([DATA.y, 2 * DATA.y + 1, DATA.y**2])
    whole = occam(order(2).fit(DATA.X, Y))
    parts = [occam(order(2).fit(DATA.X, t)) for t in Y.T]
    assert whole.log_likelihood == pytest.approx(sum(p.log_likelihood for p in parts), rel=1e-9)
    assert whole.log_factor == pytest.approx(sum(p.log_factor for p in parts), rel=1e-9)


def test_the_width_approximation_is_exact_for_a_gaussian_and_a_flat_prior():
    """One weight, likelihood N(y | w x, 1/β), prior uniform of width 100 (far wider than the posterior)."""
    x, beta = RNG.normal(size=30), 4.0
    y = 1.3 * x + RNG.normal(size=30) / 2
    w = x @ y / (x @ x)
    best = stats.norm(w * x, 0.5).logpdf(y).sum()
    sigma = 1 / np.sqrt(beta * (x @ x))
    grid = w + sigma * np.linspace(-12, 12, 4001)
    likelihoods = np.exp(stats.norm(grid[:, None] * x, 0.5).logpdf(y).sum(axis=1) - best)
    exact = best + np.log(np.trapezoid(likelihoods, grid) / 100)
    approximate = best + occam_factor(np.sqrt(2 * np.pi) * sigma, 100.0).log
    assert approximate == pytest.approx(exact, rel=1e-10)


def test_factors_multiply():
    assert occam_factor(0.05, 1.0, 3) == pytest.approx(0.05**3)
    assert occam_factor([0.1, 0.2], [1.0, 4.0]).log == pytest.approx(np.log(0.1 * 0.05))
    assert occam_factor([0.1, 0.2], 1.0).log == pytest.approx(np.log(0.02))
    assert occam_factor(1e-3, 1.0, 1000) == 0
    assert occam_factor(1e-3, 1.0, 1000).log == pytest.approx(-1000 * np.log(1000))


@pytest.mark.parametrize(
    "arguments, match",
    [
        ((0.0, 1.0), "posterior_width must be finite and above zero"),
        ((1.0, -1.0), "prior_width must be finite and above zero"),
        ((np.nan, 1.0), "posterior_width"),
        (([], 1.0), "posterior_width"),
        (([1.0, 2.0], [1.0, 2.0, 3.0]), "as many as each other"),
        (([1.0, 2.0], 1.0, 2), "n_parameters"),
        ((1.0, 2.0, 0), "n_parameters"),
        ((1.0, 2.0, 1.5), "n_parameters"),
        (("a", 1.0), "posterior_width must be made of numbers"),
    ],
)
def test_bad_widths_are_named(arguments, match):
    with pytest.raises(InvalidParameter, match=match):
        occam_factor(*arguments)


@pytest.mark.parametrize(
    "model", [order(2), LinearRegression().fit(DATA.X, DATA.y), None], ids=["unfitted", "other", "none"]
)
def test_occam_needs_a_fitted_gaussian_model(model):
    with pytest.raises(Unsupported, match="fitted linear-Gaussian model"):
        occam(model)


# -- on average ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("options", [{}, {"fit_intercept": False}, {"prior_precision": 3.0}])
def test_the_mean_is_that_of_evidences_of_drawn_data(options):
    """Eq. 3.73 against 144 data sets fitted with the models themselves, within four standard errors."""
    truth, rival = order(1, **options), order(3, **options)
    found = expected_bayes_factor(truth, rival, DATA.X, n=4000, random_state=1)
    drawn = truth.sample_datasets(144, DATA.X, 5)
    logs = np.array([truth.fit(DATA.X, y).log_evidence_ - rival.fit(DATA.X, y).log_evidence_ for y in drawn])
    assert abs(logs.mean() - found.mean) < 4 * logs.std() / 12
    share = np.mean(logs < 0)
    assert abs(share - found.misled) < 4 * np.sqrt(share * (1 - share) / 144) + 0.02
    assert "on average" in found.sentence


def test_a_model_is_not_favored_over_itself():
    found = expected_bayes_factor(order(2), order(2), DATA.X, n=100)
    assert found.mean == pytest.approx(0, abs=1e-12)


def test_priors_enter_the_expectation():
    shifted = order(1, prior_mean=[5.0, 0.0], prior_cov=np.eye(2))
    assert expected_bayes_factor(order(1), shifted, DATA.X, n=100).mean > 1
    bumps = BayesianLinearRegression(
        1.0, noise_precision=11.1, intercept="prior", basis=GaussianBasis([0.0, 1.0], width=0.3)
    )
    assert expected_bayes_factor(order(1), bumps, DATA.X, n=100).mean > 0


@pytest.mark.parametrize(
    "change, match",
    [
        ({"intercept": "flat"}, "truth needs intercept='prior'"),
        ({"prior_precision": "evidence"}, "numbers for prior_precision"),
        ({"standardize": True}, "standardize=False"),
    ],
)
def test_improper_models_have_no_expectation(change, match):
    with pytest.raises(Unsupported, match=match):
        expected_bayes_factor(order(1, **change), order(2), DATA.X)


def test_bad_arguments_of_the_expectation():
    with pytest.raises(InvalidParameter, match="n must be an integer"):
        expected_bayes_factor(order(1), order(2), DATA.X, n=0)
    with pytest.raises(Unsupported, match="rival must be a BayesianLinearRegression"):
        expected_bayes_factor(order(1), LinearRegression(), DATA.X)
    with pytest.raises(InvalidInput, match="2 weights"):
        expected_bayes_factor(order(1, prior_mean=[1.0]), order(2), DATA.X)
