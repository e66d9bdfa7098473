"""log_prob, log_sf and log_cdf against mpmath with 50 digits, in the body and in tails far beyond underflow.

Errors are relative to max(1, |value|): at most 1e-12 for log_prob, 1e-9 for tails. Quantiles are
checked through the exact tail probability of what they return.
"""

from functools import cache

import mpmath as mp
import numpy as np
import pytest

from suffice.distributions import (
    Bernoulli,
    Beta,
    BetaBinomial,
    Binomial,
    Categorical,
    Discrete,
    Empirical,
    Gamma,
    GeneralizedNormal,
    Histogram,
    InverseGamma,
    LaplaceDistribution,
    MixtureDistribution,
    MultivariateNormal,
    Normal,
    Poisson,
    StudentT,
    TruncatedNormal,
    Uniform,
)

pytestmark = pytest.mark.slow

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


# -- incomplete gamma and beta functions, from the far end of their continued fractions --------------------


def gamma_kernel(a, x):
    return a * mp.log(x) - x - mp.loggamma(a)


@cache
def log_gamma_tails(a, x):
    """log P(a, x) and log Q(a, x) by the fraction that converges (DLMF 8.9.1 and 8.9.2)."""
    a, x = mp.mpf(a), mp.mpf(x)
    if x == 0:
        return -mp.inf, mp.mpf(0)
    terms = 1000 if abs(x - a) < 4 * mp.sqrt(a) else 150  # few suffice in a tail
    if x > 1 and x > a:
        value = x - a + 2 * terms + 1
        for k in range(terms, 0, -1):
            value = x - a + 2 * k - 1 - k * (k - a) / value
        upper = gamma_kernel(a, x) - mp.log(value)
        return mp.log1p(-mp.exp(upper)), upper
    if a < 100:
        value = a * mp.log(x) - x - mp.loggamma(a + 1) + mp.log(mp.hyp1f1(1, a + 1, x))
        return value, mp.log1p(-mp.exp(value))
    value = a + 2 * terms
    for k in range(terms, 0, -1):
        value = a + 2 * k - 1 + k * x / value
        value = a + 2 * k - 2 - (a + k - 1) * x / value
    lower = gamma_kernel(a, x) - mp.log(value)
    return lower, mp.log1p(-mp.exp(lower))


def beta_kernel(a, b, x):
    return a * mp.log(x) + b * mp.log1p(-x) - (mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b))


@cache
def log_beta_tails(a, b, x):
    """log I_x(a, b) and log(1 − I_x(a, b)), by DLMF 8.17.22."""
    a, b, x = mp.mpf(a), mp.mpf(b), mp.mpf(x)
    if x > (a + 1) / (a + b + 2):
        return log_beta_tails(b, a, 1 - x)[::-1]
    if x == 0:
        return -mp.inf, mp.mpf(0)
    value = mp.mpf(1)
    for m in range(300 if beta_kernel(a, b, x) > -20 else 100, 0, -1):
        value = 1 + m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) / value
        value = 1 - (a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1)) / value
    lower = beta_kernel(a, b, x) - mp.log(a) - mp.log(value)
    return lower, mp.log1p(-mp.exp(lower))


def spread(mean, std, sizes=(-60.0, -38.0, -20.0, -6.0, -2.0, -0.6, 0.3, 1.5, 5.0, 20.0, 37.0, 60.0, 1e3)):
    return [float(mean + z * std) for z in sizes]


def check(d, x, log_prob, log_cdf, log_sf):
    """The three errors at one point."""
    assert error(d.log_prob(x), log_prob) <= DENSITY, (d, x)
    assert error(d.log_cdf(x), log_cdf) <= TAIL, (d, x)
    assert error(d.log_sf(x), log_sf) <= TAIL, (d, x)


# -- continuous --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [1e-2, 0.4, 1.0, 3.7, 60.0, 1e4, 1e6])
@pytest.mark.parametrize("rate", [1.0, 3e-4])
def test_gamma(shape, rate):
    d = Gamma(shape, rate)
    near = [x for x in spread(d.mean, d.std) if x > 0]
    for x in [*near, *(d.mean * f for f in (1e-200, 1e-30, 1e-3, 0.9, 50.0, 1e4))]:
        t = mp.mpf(rate) * mp.mpf(x)
        check(d, x, gamma_kernel(mp.mpf(shape), t) - mp.log(mp.mpf(x)), *log_gamma_tails(mp.mpf(shape), t))
    a = mp.mpf(shape)
    want = a - mp.log(mp.mpf(rate)) + mp.loggamma(a) + (1 - a) * mp.digamma(a)
    assert error(d.entropy(), want) <= DENSITY


@pytest.mark.parametrize("shape", [1e-2, 0.4, 3.7, 60.0, 1e5])
def test_inverse_gamma(shape):
    d = InverseGamma(shape, 2.5)
    for x in [d.mode * f for f in (1e-5, 1e-2, 0.5, 0.99, 1.01, 1.3, 40.0, 1e5, 1e100)]:
        t = mp.mpf(2.5) / mp.mpf(x)
        lower, upper = log_gamma_tails(mp.mpf(shape), t)
        check(d, x, gamma_kernel(mp.mpf(shape), t) - mp.log(mp.mpf(x)), upper, lower)
    a = mp.mpf(shape)
    want = a + mp.log(mp.mpf(2.5)) + mp.loggamma(a) - (1 + a) * mp.digamma(a)
    assert error(d.entropy(), want) <= DENSITY


@pytest.mark.parametrize("a", [0.05, 0.7, 3.0, 250.0, 1e5])
@pytest.mark.parametrize("b", [0.3, 1.0, 40.0, 3e5])
def test_beta(a, b):
    d = Beta(a, b)
    points = [*spread(d.mean, d.std), 1e-300, 1e-60, 1e-8, 0.02, 0.5, 0.98, 1 - 1e-9, 1 - 2e-16]
    for x in (x for x in points if 0 < x < 1):
        m = mp.mpf(x)
        want = beta_kernel(mp.mpf(a), mp.mpf(b), m) - mp.log(m) - mp.log1p(-m)
        check(d, x, want, *log_beta_tails(mp.mpf(a), mp.mpf(b), m))
    p, q, n = mp.mpf(a), mp.mpf(b), mp.mpf(a) + mp.mpf(b)
    log_b = mp.loggamma(p) + mp.loggamma(q) - mp.loggamma(n)
    want = log_b - (p - 1) * mp.digamma(p) - (q - 1) * mp.digamma(q) + (n - 2) * mp.digamma(n)
    assert error(d.entropy(), want) <= DENSITY


def test_uniform():
    d = Uniform(-1.5, 2.75)
    for x in (-1.5 + 1e-12, -1.0, 0.3, 2.7, 2.75 - 1e-9):
        below, width = mp.mpf(x) + mp.mpf(1.5), mp.mpf(4.25)
        check(d, x, -mp.log(width), mp.log(below / width), mp.log(1 - below / width))


@pytest.mark.parametrize(("loc", "scale"), [(0.0, 1.0), (-3.2, 0.07), (1e6, 500.0)])
def test_laplace(loc, scale):
    d = LaplaceDistribution(loc, scale)
    for x in POINTS:
        z = (mp.mpf(x) - mp.mpf(loc)) / mp.mpf(scale)
        tail = mp.log(mp.mpf(1) / 2) - abs(z)
        rest = mp.log1p(-mp.exp(tail))
        tails = (rest, tail) if z >= 0 else (tail, rest)
        check(d, x, -abs(z) - mp.log(2 * mp.mpf(scale)), *tails)


@pytest.mark.parametrize("power", [0.3, 0.5, 1.0, 2.0, 4.0, 25.0])
def test_generalized_normal(power):
    d = GeneralizedNormal(0.5, 2.0, power)
    q = mp.mpf(power)
    for x in (-40.0, -7.0, -2.0, -0.4, 0.4999, 0.9, 3.0, 6.0, 100.0, 1e8):
        z = abs(mp.mpf(x) - mp.mpf(0.5)) / 2
        density = mp.log(q) - mp.log(4) - mp.loggamma(1 / q) - z**q
        tail = log_gamma_tails(1 / q, z**q)[1] - mp.log(2)
        rest = mp.log1p(-mp.exp(tail))
        check(d, x, density, *((rest, tail) if x >= 0.5 else (tail, rest)))
    alpha, w = mp.mpf(3.5), mp.mpf(0.7)  # as the text writes it
    text = mp.log(q / 2) + mp.log(alpha / 2) / q - mp.loggamma(1 / q) - alpha / 2 * w**q
    assert error(GeneralizedNormal.from_precision(3.5, power).log_prob(0.7), text) <= DENSITY


def normal_piece(loc, scale, low, high, ref):
    """log ∫ exp(−(u² − r²)/2) du from low to high, u in standard deviations from loc, r that of `ref`."""
    loc, scale, low, high, ref = (mp.mpf(v) for v in (loc, scale, low, high, ref))
    a, b, r = (low - loc) / scale, (high - loc) / scale, (ref - loc) / scale
    if a < 0 < b:
        both = [mp.erf(min(v, 1000) / mp.sqrt(2)) for v in (-a, b)]
        return mp.log(mp.sqrt(mp.pi / 2) * (both[0] + both[1])) + r * r / 2
    near = min(abs(a), abs(b))
    end = min((high - low) / scale, 130 / (near + 10))
    mass = mp.quad(lambda t: mp.exp(-t * (near + t / 2)), mp.linspace(0, end, 5))
    return mp.log(mass) - (near - r) * (near + r) / 2 if r >= 0 else mp.log(mass) - (near**2 - r**2) / 2


@pytest.mark.parametrize(
    ("loc", "scale", "low", "high"),
    [
        (0.0, 1.0, -1.0, 2.5),
        (0.5, 2.0, 0.0, np.inf),
        (-3.0, 0.2, -np.inf, -2.9),
        (0.0, 1.0, 50.0, 51.0),
        (0.0, 1.0, -1e5, -1e5 + 1e-4),
        (-1e7, 3.0, 0.0, np.inf),
        (2.0, 1.0, 1.0, 1.0 + 1e-9),
        (0.0, 1.0, -40.0, 60.0),
    ],
)
def test_truncated_normal(loc, scale, low, high):
    mp.mp.dps = 30
    d = TruncatedNormal(loc, scale, low, high)
    ref = min(max(loc, low), high)
    total = normal_piece(loc, scale, low, high, ref)
    ends = [float(d.quantile(p)) for p in (1e-200, 1e-12, 0.01, 0.3, 0.7, 0.999, 1 - 1e-12)]
    fixed = [x for x in (-30.0, 0.4, 8.0, 55.0) if low < x < high]
    for x in [x for x in [*ends, *fixed] if low < x < high]:
        u, r = ((mp.mpf(v) - mp.mpf(loc)) / mp.mpf(scale) for v in (x, ref))
        density = -(u - r) * (u + r) / 2 - mp.log(mp.mpf(scale)) - total
        below = normal_piece(loc, scale, low, x, ref) - total
        above = normal_piece(loc, scale, x, high, ref) - total
        check(d, x, density, below, above)


@pytest.mark.parametrize(
    ("low", "high"), [(0.3, np.inf), (40.0, np.inf), (1e4, np.inf), (20.0, 20.01), (-1.0, 4.0)]
)
def test_truncated_normal_moments(low, high):
    mp.mp.dps = 30
    d = TruncatedNormal(0.0, 1.0, low, high)
    r = mp.mpf(max(low, 0.0))
    end = min(mp.mpf(high) - r, 130 / (r + 10))
    start = mp.mpf(min(low, 0.0)) if low < 0 else mp.mpf(0)

    def integral(k):
        return mp.quad(lambda t: t**k * mp.exp(-t * (r + t / 2)), mp.linspace(start, end, 7))

    mean, square = integral(1) / integral(0), integral(2) / integral(0)
    assert error((mp.mpf(d.mean) - r) / abs(mean), mean / abs(mean)) <= (
        1e-12 if low < 1e3 else 1e-7
    )  # x near low
    assert error(d.var / (square - mean**2), mp.mpf(1)) <= 1e-12


# -- discrete ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [1e-8, 0.3, 5.0, 123.4, 1e4, 1e6])
def test_poisson(rate):
    d = Poisson(rate)
    points = {float(max(np.floor(x), 0)) for x in spread(rate, np.sqrt(rate))} | {0.0, 1.0, 7.0, 200.0}
    for k in sorted(points):
        lower, upper = log_gamma_tails(mp.mpf(k) + 1, mp.mpf(rate))
        want = k * mp.log(mp.mpf(rate)) - mp.mpf(rate) - mp.loggamma(mp.mpf(k) + 1)
        check(d, k, want, upper, lower)


@pytest.mark.parametrize("n", [1, 20, 1000, 10**6])
@pytest.mark.parametrize("p", [1e-7, 0.02, 0.5, 0.9, 1 - 1e-6])
def test_binomial(n, p):
    d, q = Binomial(n, p), mp.mpf(p)
    points = {float(np.clip(np.floor(x), 0, n - 1)) for x in spread(d.mean, d.std)} | {0.0, n - 1.0}
    for k in sorted(points):
        choose = mp.loggamma(n + 1) - mp.loggamma(mp.mpf(k) + 1) - mp.loggamma(n - mp.mpf(k) + 1)
        want = choose + k * mp.log(q) + (n - k) * mp.log1p(-q)
        lower, upper = log_beta_tails(mp.mpf(k) + 1, n - mp.mpf(k), q)
        check(d, k, want, upper, lower)
    assert error(d.log_prob(n), n * mp.log(q)) <= DENSITY


def test_binomial_tails_are_sums():
    d, q = Binomial(30, 0.37), mp.mpf(0.37)
    p = [mp.binomial(30, k) * q**k * (1 - q) ** (30 - k) for k in range(31)]
    for k in range(30):
        check(d, k, mp.log(p[k]), mp.log(sum(p[: k + 1])), mp.log(sum(p[k + 1 :])))


def log_beta_binomial(k, n, a, b):
    k, n, a, b = (mp.mpf(v) for v in (k, n, a, b))
    choose = mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)
    return choose + log_b(a + k, b + n - k) - log_b(a, b)


def log_b(a, b):
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


@pytest.mark.parametrize("n", [1, 20, 10**6])
@pytest.mark.parametrize("a", [1e-3, 0.5, 7.0, 1e6])
@pytest.mark.parametrize("b", [0.4, 30.0, 2e5])
def test_beta_binomial(n, a, b):
    d = BetaBinomial(n, a, b)
    points = {float(np.clip(np.floor(x), 0, n)) for x in spread(d.mean, d.std)} | {
        0.0,
        1.0,
        n - 1.0,
        float(n),
    }
    for k in sorted(points):
        assert error(d.log_prob(k), log_beta_binomial(k, n, a, b)) <= DENSITY, k


@pytest.mark.parametrize(("n", "a", "b"), [(40, 0.3, 0.8), (60, 500.0, 20.0), (300, 3000.0, 9000.0)])
def test_beta_binomial_tails_are_sums(n, a, b):
    d = BetaBinomial(n, a, b)
    p = [mp.exp(log_beta_binomial(k, n, a, b)) for k in range(n + 1)]
    for k in range(0, n, 7):
        assert error(d.log_cdf(k), mp.log(sum(p[: k + 1]))) <= TAIL
        assert error(d.log_sf(k), mp.log(sum(p[k + 1 :]))) <= TAIL


@pytest.mark.parametrize("p", [1e-200, 0.3, 1 - 1e-15])
def test_bernoulli(p):
    d, q = Bernoulli(p), mp.mpf(p)
    check(d, 0, mp.log1p(-q), mp.log1p(-q), mp.log(q))
    assert error(d.log_prob(1), mp.log(q)) <= DENSITY


def test_finite_lists():
    p = np.array([0.25, 1e-250, 0.75])
    for d in (Discrete([-1.0, 2.0, 5.0], p), Empirical([-1.0, 2.0, 5.0], p)):
        check(d, -1.0, mp.log(mp.mpf(0.25)), mp.log(mp.mpf(0.25)), mp.log(mp.mpf(0.75)))
        assert error(d.log_prob(2.0), mp.log(mp.mpf(1e-250))) <= DENSITY
    d = Histogram([0.0, 1.0, 1.5, 4.0], [1e-250, 3.0, 1.0])
    total = mp.mpf(4) + mp.mpf(1e-250)
    check(d, 0.25, mp.log(1e-250 / total), mp.log(mp.mpf(1e-250) / 4 / total), mp.mpf(0))
    check(d, 2.0, mp.log(1 / total / 2.5), mp.log1p(-mp.mpf(0.8) / total), mp.log(mp.mpf(0.8) / total))


def test_mixture():
    parts = [(0.3, -2.0, 0.5), (0.7 - 1e-12, 4.0, 3.0), (1e-12, 0.0, 40.0)]
    w, m, s = zip(*parts, strict=True)
    d = MixtureDistribution(np.array(w) / sum(w), Normal(m, s))
    for x in (-1e4, -300.0, -20.0, -2.0, 0.5, 4.0, 100.0, 1e3, 1e5):
        logs = [
            mp.log(sum(mp.mpf(v) * mp.exp(f(*z)) for v, *z in zip(d.weights.tolist(), *args, strict=True)))
            for f, args in (
                (normal_log_prob, ([x] * 3, m, s)),
                (normal_log_sf, ([-x] * 3, [-v for v in m], s)),
                (normal_log_sf, ([x] * 3, m, s)),
            )
        ]
        check(d, x, *logs)


@pytest.mark.parametrize("width", [1e-3, 1e-7, 1e-12])
@pytest.mark.parametrize("start", [-6.0, 0.3, 1.0, 25.0])
def test_a_narrow_interval_keeps_its_digits(start, width):
    end = start + width
    with mp.workdps(60):
        exact = mp.ncdf(-mp.mpf(start)) - mp.ncdf(-mp.mpf(end))
        third = (
            mp.quad(lambda x: (1 + x * x / 3) ** -2, [mp.mpf(start), mp.mpf(end)]) * 2 / (mp.pi * mp.sqrt(3))
        )
    assert Normal(0, 1).between(start, end) == pytest.approx(float(exact), rel=1e-12, abs=0)
    assert StudentT(3).between(start, end) == pytest.approx(float(third), rel=1e-12, abs=0)


def test_narrow_intervals_end_at_the_support():
    d = Uniform([0.0, 2.0], [1.0, 4.0])
    assert d.between(0.5, 0.5 + 2.0**-40) == pytest.approx([2.0**-40, 0.0], rel=1e-15, abs=0)
    assert Gamma(2.0, 1.0).between(-1.0, 1e-9) == pytest.approx(5e-19, rel=1e-8, abs=0)
