"""log_prob, log_sf and log_cdf against mpmath with 50 digits, in the body and in tails far beyond underflow.

Errors are relative to max(1, |value|): at most 1e-12 for log_prob, 1e-9 for tails. Quantiles are
checked through the exact tail probability of what they return.
"""

from functools import cache

import mpmath as mp
import numpy as np
import pytest

from suffice.distributions import Categorical, MultivariateNormal, Normal, StudentT

DENSITY, TAIL = 1e-12, 1e-9
FAR = [-1e100, -1e10, -1e5, -300.0, -38.5, -31.0, -29.5, -8.3, -2.0, -0.7, -1e-3, 0.0]
POINTS = FAR + [-x for x in FAR[:-1]]
DOFS = [0.05, 0.6, 1.0, 2.0, 3.0, 7.5, 29.9, 30.1, 100.0, 1e4, 1e6, 1e8, 1e12, 1e16, 1e30]


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(50):
        yield


def error(got, want):
    got = mp.mpf(got)
    if mp.isinf(want) or mp.isinf(got):
        return mp.mpf(0) if got == want else mp.inf
    return abs(got - want) / max(1, abs(want))


def normal_log_prob(x, mean, std):
    z = (mp.mpf(x) - mp.mpf(mean)) / mp.mpf(std)
    return -z * z / 2 - mp.log(mp.mpf(std)) - mp.log(2 * mp.pi) / 2


def normal_log_sf(x, mean, std):
    z = (mp.mpf(x) - mp.mpf(mean)) / mp.mpf(std)
    if z > 1e4:  # erfc underflows even here: three terms of the asymptotic series leave 1e-24
        return -z * z / 2 - mp.log(z * mp.sqrt(2 * mp.pi)) + mp.log1p(-1 / z**2 + 3 / z**4)
    return mp.log(mp.erfc(z / mp.sqrt(2)) / 2) if z > 0 else mp.log1p(-mp.erfc(-z / mp.sqrt(2)) / 2)


@cache
def student_constant(dof):
    with mp.workdps(100):  # log Γ of 1e30 spends 32 digits
        v = mp.mpf(dof)
        return mp.loggamma((v + 1) / 2) - mp.loggamma(v / 2) - mp.log(v * mp.pi) / 2


def student_log_prob(t, dof):
    t, v = mp.mpf(t), mp.mpf(dof)
    return student_constant(dof) - (v + 1) / 2 * mp.log1p(t * t / v)


@cache
def student_log_tail(t, dof):
    """log P(T > t), t ≥ 0: the continued fraction of the incomplete beta far out, else ½ − ∫₀ᵗ p."""
    t, v = mp.mpf(t), mp.mpf(dof)
    if t < 5:
        body = mp.quad(lambda s: mp.exp(student_log_prob(s, dof)), mp.linspace(0, t, 4))
        return mp.log(mp.mpf(1) / 2 - body)
    with mp.workdps(100):
        return student_log_prob(t, dof) + mp.log(t / v * beta_fraction(v / 2, v / (v + t * t)))


def beta_fraction(a, x, terms=300):
    """I_x(a, ½) · a B(a, ½) / (x^a √(1−x)) from the tail end of its continued fraction (DLMF 8.17.22)."""
    value = mp.mpf(1)
    for n in range(terms, 0, -1):
        m = n // 2
        if n % 2:
            d = -(a + m) * (a + m + mp.mpf(1) / 2) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            d = m * (mp.mpf(1) / 2 - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        value = 1 + d / value
    return 1 / value


def student_log_sf(t, dof):
    if t >= 0:
        return student_log_tail(t, dof)
    return mp.log1p(-mp.exp(student_log_tail(-t, dof)))


@pytest.mark.parametrize(("mean", "std"), [(0.0, 1.0), (0.3, 0.07), (-1e8, 1e5)])
def test_normal(mean, std):
    d = Normal(mean, std)
    for x in POINTS:
        assert error(d.log_prob(x), normal_log_prob(x, mean, std)) <= DENSITY, x
        assert error(d.log_sf(x), normal_log_sf(x, mean, std)) <= TAIL, x
        assert error(d.log_cdf(x), normal_log_sf(-x, -mean, std)) <= TAIL, x


@pytest.mark.parametrize("p", [1e-300, 1e-20, 0.01, 0.5, 0.9])
def test_normal_quantile(p):
    assert error(normal_log_sf(-Normal(0, 1).quantile(p), 0, 1), mp.log(p)) <= 1e-13


@pytest.mark.parametrize("dof", DOFS)
def test_student_log_prob(dof):
    d = StudentT(dof)
    for x in POINTS:
        assert error(d.log_prob(x), student_log_prob(x, dof)) <= DENSITY, x


@pytest.mark.parametrize("dof", DOFS)
def test_student_tails(dof):
    d = StudentT(dof)
    for x in POINTS:
        want = student_log_sf(x, dof)
        assert error(d.log_sf(x), want) <= TAIL, x
        assert error(d.log_cdf(-x), want) <= TAIL, x


def test_student_tail_is_normal_for_infinite_dof():
    d, n = StudentT(np.inf, 1.0, 2.0), Normal(1.0, 2.0)
    x = np.array(POINTS)
    for name in ("log_prob", "log_sf", "log_cdf", "sf", "cdf"):
        np.testing.assert_allclose(getattr(d, name)(x), getattr(n, name)(x), rtol=1e-13)


@pytest.mark.parametrize("dof", [0.05, 0.6, 3.0, 30.0, 1e3, 1e8])
@pytest.mark.parametrize("p", [1e-300, 1e-100, 1e-12, 0.02, 0.4])
def test_student_quantile(dof, p):
    t = -StudentT(dof).quantile(p)
    if np.isinf(t):
        assert dof * 308 * mp.log(10) < -mp.log(p)
    else:
        assert error(student_log_tail(t, dof), mp.log(p)) <= 1e-12
        assert StudentT(dof).quantile(1 - p) == -StudentT(dof).quantile(1 - (1 - p))


@pytest.mark.parametrize("dof", [0.1, 1.0, 4.0, 29.0, 31.0, 1e5, 1e10])
def test_student_entropy(dof):
    v = mp.mpf(dof)
    half = mp.mpf(1) / 2
    want = (v + 1) / 2 * (mp.digamma((v + 1) / 2) - mp.digamma(v / 2)) + mp.log(
        mp.sqrt(v) * mp.beta(v / 2, half)
    )
    assert error(StudentT(dof).entropy(), want) <= 1e-12


@pytest.mark.parametrize("condition", [1e1, 1e4])
def test_multivariate_normal(condition):
    rng = np.random.default_rng(4)
    q, _ = np.linalg.qr(rng.normal(size=(4, 4)))
    cov = (q * np.geomspace(1, condition, 4)) @ q.T
    cov = (cov + cov.T) / 2
    mean = rng.normal(size=4)
    d = MultivariateNormal(mean, cov)
    sigma = mp.matrix(cov.tolist())
    log_det = mp.log(mp.det(sigma))
    for size in (0.1, 1.0, 30.0, 1e6):
        x = mean + size * rng.normal(size=4)
        gap = mp.matrix([mp.mpf(a) - mp.mpf(b) for a, b in zip(x.tolist(), mean.tolist(), strict=True)])
        square = (gap.T * mp.lu_solve(sigma, gap))[0]
        want = -(4 * mp.log(2 * mp.pi) + log_det + square) / 2
        for got in (d.log_prob(x), d.log_prob(np.tile(x, (9, 1)))[8]):  # by a solve, by the inverse factor
            assert error(got, want) <= DENSITY
        assert error(d.mahalanobis(x), mp.sqrt(square)) <= DENSITY


def test_categorical():
    p = np.array([1e-300, 0.25, 0.5, 0.25 - 1e-17])
    d = Categorical(p)
    for k in range(4):
        assert error(d.log_prob(k), mp.log(mp.mpf(p[k]))) <= DENSITY
    assert error(d.log_cdf(0), mp.log(mp.mpf(1e-300))) <= TAIL
    assert error(d.log_sf(1), mp.log(mp.mpf(p[2]) + mp.mpf(p[3]))) <= TAIL
