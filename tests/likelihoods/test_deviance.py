"""Deviances and log p keep their digits for counts, trials and shapes of any size, against 60 digits of mpmath."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice._core.losses import LOSSES
from suffice.glm import GLM, BayesianPoissonRegression, PoissonRegression
from suffice.likelihoods import BinomialLogit, GammaLog, NegativeBinomialLog, PoissonLog

EPS = np.finfo(float).eps


def times_log(x, value):
    return x * mp.log(value) if x else mp.mpf(0)


def poisson(_, y, a):
    return y * a - mp.exp(a) - mp.loggamma(y + 1), times_log(y, y) - y - mp.loggamma(y + 1)


def negative_binomial(likelihood, y, a):
    k = 1 / mp.mpf(likelihood.dispersion)
    constant = mp.loggamma(y + k) - mp.loggamma(k) - mp.loggamma(y + 1)

    def at(mean):
        return times_log(y, mean / (mean + k)) - k * mp.log1p(mean / k) + constant

    return at(mp.exp(a)), at(y)


def binomial(likelihood, y, a):
    m = mp.mpf(likelihood.trials)
    constant = mp.loggamma(m + 1) - mp.loggamma(y + 1) - mp.loggamma(m - y + 1)
    return y * a - m * mp.log1p(mp.exp(a)) + constant, times_log(y, y / m) + times_log(
        m - y, (m - y) / m
    ) + constant


def gamma(likelihood, y, a):
    k = mp.mpf(likelihood.shape)
    constant = k * mp.log(k) - mp.loggamma(k) + (k - 1) * mp.log(y)
    return constant - k * (a + y * mp.exp(-a)), constant - k * (mp.log(y) + 1)


EXACT = {
    PoissonLog: poisson,
    NegativeBinomialLog: negative_binomial,
    BinomialLogit: binomial,
    GammaLog: gamma,
}
FAMILIES = [
    PoissonLog(),
    *(NegativeBinomialLog(alpha) for alpha in (1e-10, 1e-3, 1.0, 1e3)),
    *(BinomialLogit(m) for m in (10, 10**6, 10**9, 10**13)),
    *(GammaLog(k) for k in (0.01, 1.0, 1e5, 1e10)),
]


@given(st.sampled_from(FAMILIES), st.floats(-1, 35), st.floats(-5, 5), st.floats(-4, 4))
def test_against_many_digits(family, log_mean, log_odds, away):
    """Targets some standard deviations from the mean."""
    if isinstance(family, BinomialLogit):
        a, m = log_odds, family.trials
        p = 1 / (1 + np.exp(-a))
        y = np.clip(np.round(m * p + away * np.sqrt(m * p * (1 - p))), 0, m)
    elif isinstance(family, GammaLog):
        a, y = log_mean, np.exp(log_mean + away / np.sqrt(1 + family.shape))
    else:
        a, mean = log_mean, np.exp(log_mean)
        excess = family.dispersion * mean**2 if isinstance(family, NegativeBinomialLog) else 0.0
        y = np.round(max(mean + away * min(np.sqrt(mean + excess), mean / 5), 0.0))
    with mp.workdps(60):
        log_prob, highest = EXACT[type(family)](family, mp.mpf(float(y)), mp.mpf(float(a)))
        deviance = float(2 * (highest - log_prob))
    rows, at = np.array([float(y)]), np.array([float(a)])
    rounding = 8 * EPS * max(abs(a), 1) * 5 * np.sqrt(max(y, np.exp(a), 1.0))  # what the digits of a allow
    assert family.deviance(rows, at)[0] == pytest.approx(deviance, rel=1e-9, abs=1e-12 + rounding)
    assert family.saturated(rows)[0] == pytest.approx(float(highest), rel=1e-9, abs=1e-9)
    assert family.log_prob(rows, at)[0] == pytest.approx(float(log_prob), rel=1e-9, abs=1e-8 + rounding)
    assert family.terms(rows, at)[0] == family.slopes(rows, at)[0] == family.log_prob(rows, at)[0]


def test_a_shape_too_far_out_for_its_ratio():
    assert GammaLog(2.0).deviance(np.array([1.0]), np.array([760.0]))[0] == pytest.approx(4 * 759, rel=1e-12)


rng = np.random.default_rng(3)
X = rng.standard_normal((40, 2))
RATE = np.exp(X @ [0.3, -0.2])


def counts(size, scatter, seed=0):
    mean = size * RATE
    return np.round(mean + scatter(mean) * np.random.default_rng(seed).standard_normal(len(mean)))


@pytest.mark.parametrize("seed", [25, 35, 54])
@pytest.mark.parametrize("model", [PoissonRegression(), PoissonRegression(prior_precision=1.0)])
def test_the_last_steps_are_whole_where_sums_have_no_digits_for_them(model, seed):
    """The log likelihood of counts of 1e9 is known to 1e-12 of itself; steps were halved a thousand times there."""
    frame = model.fit(X, counts(1e9, np.sqrt, seed)).trace_.frame()
    assert len(frame) < 12
    assert frame["step"].iloc[:-1].min() == 1.0


@pytest.mark.parametrize("size", [1e6, 1e9, 1e12, 1e15])
@pytest.mark.parametrize(
    ("model", "scatter"),
    [
        (PoissonRegression(), np.sqrt),
        (PoissonRegression(prior_precision=1.0), np.sqrt),
        (BayesianPoissonRegression(), np.sqrt),
        (GLM(NegativeBinomialLog(0.5)), lambda mean: 0.2 * mean),
        (GLM("gamma", "log", dispersion="deviance"), lambda mean: 1e-6 * mean),
    ],
)
def test_deviance_of_a_fit(model, scatter, size):
    """The deviance at the weights as reported, row by row in many digits."""
    y = counts(size, scatter)
    model = model.fit(X, y)
    family = getattr(model, "likelihood_", PoissonLog())
    with mp.workdps(60):
        total = mp.mpf(0)
        for x, value in zip(X, y, strict=True):
            a = mp.mpf(float(model.intercept_)) + sum(
                mp.mpf(float(c)) * mp.mpf(float(v)) for c, v in zip(model.coef_, x, strict=True)
            )
            log_prob, highest = EXACT[type(family)](family, mp.mpf(float(value)), a)
            total += 2 * (highest - log_prob)
    assert model.deviance_ == pytest.approx(float(total), rel=1e-6)


def test_loss_of_large_counts():
    y = counts(1e12, np.sqrt)
    mean = 1e12 * RATE
    with mp.workdps(60):
        pairs = [(mp.mpf(v), mp.mpf(m)) for v, m in zip(y.tolist(), mean.tolist(), strict=True)]
        exact = [float(2 * (times_log(v, v / m) + m - v)) for v, m in pairs]
    np.testing.assert_allclose(LOSSES["poisson"](y, mean), exact, rtol=1e-9)
    near = mean * (1 + 1e-9)
    expected = mean * 1e-18
    np.testing.assert_allclose(LOSSES["poisson"](mean, near), expected, rtol=1e-6)
