"""Laws of links, of likelihoods with another link, and of the families that came with them."""

import mpmath
import numpy as np
import pytest
from scipy import stats

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.likelihoods import (
    BernoulliLogit,
    BernoulliProbit,
    BinomialLogit,
    ComplementaryLogLog,
    CustomLikelihood,
    GammaLog,
    GaussianIdentity,
    Identity,
    Linked,
    Log,
    NegativeBinomialLog,
    PoissonLog,
    Probit,
    Reciprocal,
    SquareRoot,
    linked,
)
from suffice.likelihoods.links import LINKS

UNIT = {"logit", "probit", "cloglog"}  # links of every η to probabilities
PLACES = {
    "identity": np.array([0.03, 0.3, 0.62, 0.97]),
    "log": np.array([-5.0, -1.0, -0.3, -0.01]),
    "logit": np.array([-9.0, -0.7, 0.0, 8.0]),
    "probit": np.array([-6.0, -0.7, 0.0, 5.0]),
    "cloglog": np.array([-9.0, -0.7, 0.0, 1.9]),
    "sqrt": np.array([0.05, 0.4, 0.7, 0.9]),
    "reciprocal": np.array([1.1, 1.5, 3.0, 40.0]),
}  # all with means between 0 and 1
FAMILIES = {
    "normal": (GaussianIdentity(2.5), np.array([-0.4, 0.2, 1.0, 0.5])),
    "flag": (BernoulliLogit(), np.array([0.0, 1.0, 1.0, 0.0])),
    "trials": (BinomialLogit(5), np.array([0.0, 5.0, 2.0, 4.0])),
    "poisson": (PoissonLog(), np.array([0.0, 1.0, 3.0, 2.0])),
    "gamma": (GammaLog(3.0), np.array([0.1, 0.7, 1.4, 3.0])),
    "negative binomial": (NegativeBinomialLog(0.4), np.array([0.0, 1.0, 3.0, 2.0])),
}
PAIRS = [(f, k) for f in FAMILIES for k in LINKS]
SCIPY = {
    "gamma": lambda y, mean: stats.gamma.logpdf(y, 3.0, scale=mean / 3.0),
    "negative binomial": lambda y, mean: stats.nbinom.logpmf(y, 2.5, 2.5 / (2.5 + mean)),
    "trials": lambda y, mean: stats.binom.logpmf(y, 5, mean / 5),
}


def difference(f, a, h=1e-5):
    return (f(a + h * np.abs(a)) - f(a - h * np.abs(a))) / (2 * h * np.abs(a))


# -- links ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", LINKS)
def test_a_link_and_its_inverse(name):
    link, eta = LINKS[name], PLACES[name]
    np.testing.assert_allclose(link.value(link.inverse(eta)), eta, rtol=1e-9, atol=1e-12)
    assert link.inside(eta).all()


@pytest.mark.parametrize("terms", ["terms", "log_terms", "odds_terms"])
@pytest.mark.parametrize("name", LINKS)
def test_terms_are_a_function_and_its_derivatives(name, terms):
    link, eta = LINKS[name], np.where(PLACES[name] == 0, 0.01, PLACES[name])
    f = getattr(link, terms)
    value, slope, bend = f(eta)
    mean = link.inverse(eta)
    expected = {"terms": mean, "log_terms": np.log(mean), "odds_terms": np.log(mean) - np.log1p(-mean)}[terms]
    np.testing.assert_allclose(value, expected, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(slope, difference(lambda t: f(t)[0], eta), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(bend, difference(lambda t: f(t)[1], eta), rtol=1e-6, atol=1e-8)


def exact(name, eta):
    """log μ and log(1 − μ) with 400 digits."""
    x = mpmath.mpf(float(eta))
    if name == "cloglog":
        return mpmath.log(-mpmath.expm1(-mpmath.exp(x))), -mpmath.exp(x)
    if name == "probit":
        return mpmath.log(mpmath.ncdf(x)), mpmath.log(mpmath.ncdf(-x))
    return -mpmath.log1p(mpmath.exp(-x)), -mpmath.log1p(mpmath.exp(x))


@pytest.mark.parametrize("eta", [-700.0, -40.0, -12.0, -3e-4, 2.0, 5.0, 30.0])
@pytest.mark.parametrize("name", sorted(UNIT))
def test_flags_in_the_tails_against_exact_arithmetic(name, eta):
    likelihood = Linked(BernoulliLogit(), LINKS[name]) if name != "logit" else BernoulliLogit()
    for y in (1.0, 0.0):
        with mpmath.workdps(700):

            def f(t, y=y):
                return exact(name, t)[0 if y else 1]

            x = mpmath.mpf(eta)
            h = mpmath.mpf(10) ** -60
            log_p = f_at(f, x, name, y)
            slope = (f_at(f, x + h, name, y) - f_at(f, x - h, name, y)) / (2 * h)
            bend = -(f_at(f, x + h, name, y) - 2 * log_p + f_at(f, x - h, name, y)) / h**2
        at = np.array([eta])
        told = [t[0] for t in likelihood.terms(np.array([y]), at)]
        assert told[0] == pytest.approx(float(log_p), rel=1e-11, abs=1e-300)
        assert told[1] == pytest.approx(float(slope), rel=1e-9, abs=1e-300)
        assert told[2] == pytest.approx(float(bend), rel=1e-5, abs=1e-300)


def f_at(f, x, name, y):
    """Without rounding x to a float first."""
    if name == "cloglog":
        return mpmath.log(-mpmath.expm1(-mpmath.exp(x))) if y else -mpmath.exp(x)
    if name == "probit":
        return mpmath.log(mpmath.ncdf(x if y else -x))
    return -mpmath.log1p(mpmath.exp(-x if y else x))


@pytest.mark.parametrize("eta", [-700.0, 700.0])
def test_nothing_breaks_far_out(eta):
    at = np.array([eta])
    for name in UNIT:
        for y in (0.0, 1.0):
            log_p, g, v = linked(BernoulliLogit(), name).terms(np.array([y]), at)
            assert np.isfinite([log_p, g, v]).all()
            assert v[0] >= 0
        assert 0 <= linked(BernoulliLogit(), name).mean(at)[0] <= 1


# -- likelihoods with another link ------------------------------------------------------------------------------
@pytest.mark.parametrize(("family", "name"), PAIRS)
def test_chain_rule(family, name):
    base, y = FAMILIES[family]
    likelihood, eta = linked(base, name), np.where(PLACES[name] == 0, 0.01, PLACES[name])
    log_p, g, v = likelihood.terms(y, eta)
    np.testing.assert_array_equal(likelihood.slopes(y, eta)[0], log_p)
    np.testing.assert_allclose(g, difference(lambda t: likelihood.log_prob(y, t), eta), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(v, -difference(lambda t: likelihood.gradient(y, t), eta), rtol=1e-6, atol=1e-6)
    mean = LINKS[name].inverse(eta) * (5 if family == "trials" else 1)
    np.testing.assert_allclose(likelihood.mean(eta), mean, rtol=1e-10)
    np.testing.assert_allclose(likelihood.link(likelihood.mean(eta)), eta, rtol=1e-9, atol=1e-11)
    d = likelihood.distribution(eta)
    np.testing.assert_allclose(d.log_prob(y), log_p, rtol=1e-9, atol=1e-10)
    if family in SCIPY:
        np.testing.assert_allclose(log_p, SCIPY[family](y, mean), rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize(("family", "name"), [p for p in PAIRS if p[0] not in ("normal", "gamma")])
def test_information_is_what_is_expected_of_the_curvature(family, name):
    likelihood, eta = linked(FAMILIES[family][0], name), PLACES[name]
    counts = np.arange({"flag": 2, "trials": 6}.get(family, 120), dtype=float)
    total = sum(
        np.exp(likelihood.log_prob(np.full(4, k), eta)) * likelihood.curvature(np.full(4, k), eta)
        for k in counts
    )
    np.testing.assert_allclose(likelihood.expected_curvature(eta), total, rtol=1e-8)
    score = sum(
        np.exp(likelihood.log_prob(np.full(4, k), eta)) * likelihood.gradient(np.full(4, k), eta)
        for k in counts
    )
    np.testing.assert_allclose(score, 0.0, atol=1e-8)


def test_information_of_gamma():
    eta = np.array([0.5, 2.0])
    for name in ("log", "reciprocal", "identity"):
        likelihood = linked(GammaLog(3.0), name)
        told = []
        for i, e in enumerate(eta):
            mean = float(likelihood.mean(eta)[i])
            grid = np.linspace(1e-6, 40 * mean, 200_001)
            density = np.exp(likelihood.log_prob(grid, np.full(len(grid), e)))
            told.append(np.trapezoid(density * likelihood.curvature(grid, np.full(len(grid), e)), grid))
        np.testing.assert_allclose(likelihood.expected_curvature(eta), told, rtol=1e-6)


def test_outside_the_range_of_a_link_nothing_is_possible():
    rates = linked(PoissonLog(), "identity")
    eta = np.array([-1.0, 0.0, 2.0])
    log_p, g, v = rates.terms(np.array([0.0, 1.0, 1.0]), eta)
    assert np.isneginf(log_p[:2]).all()
    assert np.isfinite(log_p[2])
    assert np.isfinite(g).all()
    assert np.isfinite(v).all()
    np.testing.assert_array_equal(rates.inside(eta), [False, False, True])
    np.testing.assert_array_equal(
        linked(BernoulliLogit(), "identity").inside(np.array([-0.1, 0.5, 1.2])), [False, True, False]
    )
    np.testing.assert_array_equal(
        linked(GammaLog(), "reciprocal").inside(np.array([-2.0, 0.0, 1e-3])), [False, False, True]
    )
    with pytest.raises(InvalidInput, match="linear predictor is -1 at row 0, which is no Identity of a mean"):
        rates.distribution(eta)


def test_no_detours():
    assert (
        linked(PoissonLog(), None)
        == linked(PoissonLog(), "log")
        == linked(PoissonLog(), Log())
        == PoissonLog()
    )
    assert linked(BernoulliLogit(), "probit") == BernoulliProbit()
    assert linked(BernoulliProbit(), "logit") == BernoulliLogit()
    assert linked(BernoulliProbit(), "cloglog") == Linked(BernoulliLogit(), ComplementaryLogLog())
    eta, y = np.array([-9.0, 0.3, 4.0]), np.array([1.0, 0.0, 1.0])
    for a, b in zip(
        Linked(BernoulliLogit(), Probit()).terms(y, eta), BernoulliProbit().terms(y, eta), strict=True
    ):
        np.testing.assert_allclose(a, b, rtol=1e-10)


def test_what_cannot_be_linked():
    with pytest.raises(Unsupported, match="CustomLikelihood has no link that could be exchanged"):
        linked(CustomLikelihood(lambda a: a, lambda y, m: (y - m) ** 2), "log")
    with pytest.raises(InvalidParameter, match="link must be one of 'identity', .*; got 'square'"):
        linked(PoissonLog(), "square")
    with pytest.raises(InvalidParameter, match="link must be a Link or one of .*; got 2"):
        linked(PoissonLog(), 2)
    with pytest.raises(InvalidParameter, match="family must be a likelihood; got 'poisson'"):
        Linked("poisson", Log())
    with pytest.raises(InvalidParameter, match="by must be a Link; got 'log'"):
        Linked(GaussianIdentity(), "log")
    with pytest.raises(InvalidParameter, match="Probit is not a link that formulas are written for"):
        Linked(BernoulliProbit(), Log())


# -- families -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("family", FAMILIES)
def test_no_mean_is_likelier_than_the_saturated(family):
    likelihood, y = FAMILIES[family]
    best = likelihood.saturated(y)
    grid = np.linspace(-8, 8, 4001)
    found = np.max([likelihood.log_prob(y, np.full(4, a)) for a in grid], axis=0)
    assert np.all(found <= best + 1e-12)
    np.testing.assert_allclose(found, best, rtol=0, atol=3e-3)


def test_dispersion_of_families():
    a, y = np.array([0.3, 0.3, 0.3]), np.array([0.5, 1.0, 3.0])
    for family in (GaussianIdentity(2.0), GammaLog(2.0), Linked(GammaLog(2.0), Reciprocal())):
        wide = family.spread(a, 3.0)
        np.testing.assert_allclose(wide.var, 3 * family.distribution(a).var, rtol=1e-12)
        np.testing.assert_allclose(wide.mean, family.mean(a), rtol=1e-12)
        best = family.likeliest_dispersion(family.deviance(y, a).mean())
        values = [family.dispersed(best * s).log_prob(y, a).sum() for s in (0.999, 1.0, 1.001)]
        assert values[1] > max(values[0], values[2])
    np.testing.assert_allclose(PoissonLog().spread(a, 2.5).var, 2.5 * np.exp(a), rtol=1e-12)
    np.testing.assert_allclose(BernoulliLogit().spread(a, 2.5).var, BernoulliLogit().distribution(a).var)
    with pytest.raises(Unsupported, match="NegativeBinomialLog has the variance that its mean implies"):
        NegativeBinomialLog().spread(a, 2.0)


REFUSED = {
    "zero": (GammaLog(), [1.0, 0.0], "takes numbers > 0; got .*0.0.* at row 1"),
    "fraction": (NegativeBinomialLog(), [1.5], "takes counts"),
    "many": (BinomialLogit(3), [4.0], "takes successes 0 … 3"),
    "linked": (Linked(PoissonLog(), SquareRoot()), [-1.0], "takes counts"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_targets_outside_the_domain(name):
    likelihood, y, message = REFUSED[name]
    with pytest.raises(InvalidInput, match=message):
        likelihood.check(y)


def test_parameters_outside_their_domain():
    with pytest.raises(InvalidParameter, match="shape must be a number > 0; got 0"):
        GammaLog(0)
    with pytest.raises(InvalidParameter, match="dispersion must be a number > 0; got -1"):
        NegativeBinomialLog(-1)
    for wrong in (0, 2.5, True):
        with pytest.raises(InvalidParameter, match="trials must be an integer >= 1"):
            BinomialLogit(wrong)


def test_links_compare_and_save(tmp_path):
    value = Linked(NegativeBinomialLog(0.3), Identity())
    assert (
        value == Linked(NegativeBinomialLog(0.3), Identity()) != Linked(NegativeBinomialLog(0.4), Identity())
    )
    suffice.save(value, tmp_path / "linked.suffice")
    assert suffice.load(tmp_path / "linked.suffice") == value
