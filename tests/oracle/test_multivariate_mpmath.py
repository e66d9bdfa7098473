"""log_prob and divergences of vectors and matrices against mpmath with 60 digits, up to shapes of a million.

Errors are relative to max(1, |value|), at most 1e-12.
"""

import mpmath as mp
import numpy as np
import pytest

from suffice.distributions import (
    Beta,
    Dirichlet,
    DirichletMultinomial,
    Gamma,
    InverseWishart,
    Multinomial,
    MultivariateNormal,
    MultivariateT,
    NormalGamma,
    NormalInverseWishart,
    Wishart,
    kl,
)

pytestmark = pytest.mark.slow

BOUND = 1e-12
SHAPES = [0.03, 1.0, 7.5, 300.0, 1e6]


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(60):
        yield


def error(got, want):
    return abs(mp.mpf(float(got)) - want) / max(1, abs(want))


def numbers(values):
    return [mp.mpf(float(v)) for v in values]


def total(values):
    return mp.fsum(values)


def log_factorial(x):
    return mp.loggamma(x + 1)


def random_cov(rng, dim, condition=100.0):
    q, _ = np.linalg.qr(rng.normal(size=(dim, dim)))
    a = (q * np.geomspace(1, condition, dim)) @ q.T
    return (a + a.T) / 2


def matrix(a):
    return mp.matrix(np.asarray(a, dtype=float).tolist())


def log_multigamma(a, dim):
    return mp.mpf(dim * (dim - 1)) / 4 * mp.log(mp.pi) + total(
        mp.loggamma(a - mp.mpf(i) / 2) for i in range(dim)
    )


def trace(a):
    return total(a[i, i] for i in range(a.rows))


# -- probabilities and counts ----------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 12, 1000, 10**6, 10**9])
def test_multinomial(n):
    rng = np.random.default_rng(3)
    p = np.array([0.5, 0.3, 0.2 - 1e-9, 1e-9])
    d = Multinomial(n, p)
    likely = rng.multinomial(n, p)
    uniform = rng.multinomial(n, [0.25] * 4)
    corner = [0, 0, n, 0]
    for x in (likely, uniform, corner):
        counts = numbers(x)
        logs = [mp.log(v) for v in numbers(d.probabilities)]
        want = log_factorial(mp.mpf(n)) + total(
            c * q - log_factorial(c) for c, q in zip(counts, logs, strict=True)
        )
        assert error(d.log_prob(x), want) <= BOUND


@pytest.mark.parametrize("strength", SHAPES)
def test_dirichlet(strength):
    rng = np.random.default_rng(4)
    alpha = strength * np.array([0.2, 1.0, 3.3])
    d = Dirichlet(alpha)
    for x in (d.mean, *d.sample(3, rng), [0.3, 0.3, 0.4], [1e-200, 1e-9, 1 - 1e-9]):
        a, p = numbers(alpha), numbers(x)
        if min(p) == 0:
            continue
        want = mp.loggamma(total(a)) + total(
            (b - 1) * mp.log(v) - mp.loggamma(b) for b, v in zip(a, p, strict=True)
        )
        assert error(d.log_prob(x), want) <= BOUND


@pytest.mark.parametrize("strength", SHAPES)
def test_dirichlet_entropy(strength):
    alpha = strength * np.array([0.2, 1.0, 3.3])
    a = numbers(alpha)
    a0 = total(a)
    want = total(mp.loggamma(b) for b in a) - mp.loggamma(a0)
    want += (a0 - 3) * mp.digamma(a0) - total((b - 1) * mp.digamma(b) for b in a)
    assert error(Dirichlet(alpha).entropy(), want) <= BOUND


@pytest.mark.parametrize("n", [1, 50, 10**6])
@pytest.mark.parametrize("strength", SHAPES)
def test_dirichlet_multinomial(n, strength):
    rng = np.random.default_rng(5)
    alpha = strength * np.array([0.2, 1.0, 3.3])
    d = DirichletMultinomial(n, alpha)
    for x in (*d.sample(2, rng), rng.multinomial(n, [0.3, 0.3, 0.4]), [n, 0, 0]):
        a, c = numbers(alpha), numbers(x)
        want = log_factorial(mp.mpf(n)) + mp.loggamma(total(a)) - mp.loggamma(total(a) + n)
        want += total(
            mp.loggamma(b + k) - mp.loggamma(b) - log_factorial(k) for b, k in zip(a, c, strict=True)
        )
        assert error(d.log_prob(x), want) <= BOUND


# -- vectors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dof", [0.05, 1.0, 29.0, 31.0, 1e4, 1e8, 1e16, 1e30])
@pytest.mark.parametrize("dim", [1, 2, 5])
def test_multivariate_t(dof, dim):
    rng = np.random.default_rng(6)
    scale, loc = random_cov(rng, dim), rng.normal(size=dim)
    d, sigma, v = MultivariateT(dof, loc, scale), matrix(scale), mp.mpf(dof)
    with mp.workdps(110):  # log Γ of 1e30 spends 32 digits
        constant = mp.loggamma((v + dim) / 2) - mp.loggamma(v / 2) - mp.mpf(dim) / 2 * mp.log(v * mp.pi)
        want_entropy = -constant + mp.log(mp.det(sigma)) / 2
        want_entropy += (v + dim) / 2 * (mp.digamma((v + dim) / 2) - mp.digamma(v / 2))
    constant -= mp.log(mp.det(sigma)) / 2
    for size in (0.0, 1.0, 30.0, 1e6):
        x = loc + size * rng.normal(size=dim)
        gap = mp.matrix([mp.mpf(a) - mp.mpf(b) for a, b in zip(x.tolist(), loc.tolist(), strict=True)])
        square = (gap.T * mp.lu_solve(sigma, gap))[0]
        assert error(d.log_prob(x), constant - (v + dim) / 2 * mp.log1p(square / v)) <= BOUND
    assert error(d.entropy(), want_entropy) <= BOUND


@pytest.mark.parametrize(("strength", "shape", "rate"), [(1, 1, 1), (1e-3, 0.4, 1e5), (50, 1e6, 2e6)])
def test_normal_gamma(strength, shape, rate):
    d = NormalGamma(0.7, strength, shape, rate)
    k, a, b = numbers([strength, shape, rate])
    for x in (*d.sample(3, rng=1), [3.0, shape / rate]):
        mean, precision = numbers(x)
        want = mp.log(k * precision / (2 * mp.pi)) / 2 - k * precision * (mean - mp.mpf(0.7)) ** 2 / 2
        want += a * mp.log(b) - mp.loggamma(a) + (a - 1) * mp.log(precision) - b * precision
        assert error(d.log_prob(x), want) <= BOUND


# -- matrices --------------------------------------------------------------------------------------------


def log_wishart(x, dof, scale):
    x, scale, v, dim = matrix(x), matrix(scale), mp.mpf(float(dof)), len(scale)
    value = (v - dim - 1) / 2 * mp.log(mp.det(x)) - trace(scale**-1 * x) / 2
    return value - v * dim / 2 * mp.log(2) - v / 2 * mp.log(mp.det(scale)) - log_multigamma(v / 2, dim)


def log_inverse_wishart(x, dof, scale):
    x, scale, v, dim = matrix(x), matrix(scale), mp.mpf(float(dof)), len(scale)
    value = v / 2 * mp.log(mp.det(scale)) - (v + dim + 1) / 2 * mp.log(mp.det(x))
    value -= trace(x**-1 * scale) / 2
    return value - v * dim / 2 * mp.log(2) - log_multigamma(v / 2, dim)


@pytest.mark.parametrize("dof", [3.01, 8.0, 500.0, 1e6])
@pytest.mark.parametrize(("kind", "want"), [(Wishart, log_wishart), (InverseWishart, log_inverse_wishart)])
def test_wishart(kind, want, dof):
    rng = np.random.default_rng(8)
    scale = random_cov(rng, 4)
    d = kind(dof, scale)
    draws = d.sample(3, rng) if dof > 5 else []  # else nearly singular: rounding x itself costs more digits
    for x in (*draws, random_cov(rng, 4, 10.0), random_cov(rng, 4, 100.0)):
        assert error(d.log_prob(x), want(x, dof, scale)) <= BOUND


@pytest.mark.parametrize("dof", [3.01, 8.0, 1e6])
def test_wishart_entropies(dof):
    rng = np.random.default_rng(8)
    scale, v, dim = random_cov(rng, 4), mp.mpf(dof), 4
    log_det, psi = mp.log(mp.det(matrix(scale))), total(mp.digamma((v - i) / 2) for i in range(dim))
    shared = log_multigamma(v / 2, dim) + v * dim / 2
    want = mp.mpf(dim + 1) / 2 * log_det + mp.mpf(dim * (dim + 1)) / 2 * mp.log(2) + shared
    want -= (v - dim - 1) / 2 * psi
    assert error(Wishart(dof, scale).entropy(), want) <= BOUND
    mean_log_det = log_det - psi - dim * mp.log(2)
    inverse = -v / 2 * log_det + (v + dim + 1) / 2 * mean_log_det + v * dim / 2 * mp.log(2) + shared
    assert error(InverseWishart(dof, scale).entropy(), inverse) <= BOUND


@pytest.mark.parametrize("dof", [6.5, 9.0, 1e5])
def test_normal_inverse_wishart(dof):
    rng = np.random.default_rng(9)
    scale, mean, strength = random_cov(rng, 3), rng.normal(size=3), 2.5
    d = NormalInverseWishart(mean, strength, scale, dof)
    for seed in range(3):
        mu, cov = d.sample(rng=seed)
        gap = mp.matrix(numbers(mu)) - mp.matrix(numbers(mean))
        square = (gap.T * mp.lu_solve(matrix(cov), gap))[0]
        want = log_inverse_wishart(cov, dof, scale) - mp.log(mp.det(matrix(cov))) / 2
        want += (3 * mp.log(mp.mpf(strength) / (2 * mp.pi)) - strength * square) / 2
        assert error(d.log_prob((mu, cov)), want) <= BOUND


# -- divergences -----------------------------------------------------------------------------------------


def log_beta(a):
    return total(mp.loggamma(b) for b in a) - mp.loggamma(total(a))


@pytest.mark.parametrize("strength", SHAPES)
@pytest.mark.parametrize("ratio", [1 + 1e-6, 1.5, 40.0])
def test_kl_of_gamma_families(strength, ratio):
    alpha, beta = strength * np.array([0.2, 1.0, 3.3]), strength * np.array([0.2 * ratio, 1.1, 3.3])
    a, b = numbers(alpha), numbers(beta)
    mean_log = [mp.digamma(v) - mp.digamma(total(a)) for v in a]
    want = log_beta(b) - log_beta(a) + total((x - y) * m for x, y, m in zip(a, b, mean_log, strict=True))
    assert error(kl(Dirichlet(alpha), Dirichlet(beta)), want) <= BOUND
    a, b = a[:2], b[:2]
    mean_log = [mp.digamma(v) - mp.digamma(total(a)) for v in a]
    want = log_beta(b) - log_beta(a) + total((x - y) * m for x, y, m in zip(a, b, mean_log, strict=True))
    assert error(kl(Beta(*alpha[:2]), Beta(*beta[:2])), want) <= BOUND
    rate = mp.mpf(2 * ratio)
    want = (a[0] - b[0]) * mp.digamma(a[0]) - mp.loggamma(a[0]) + mp.loggamma(b[0])
    want += b[0] * mp.log(2 / rate) + a[0] * (rate - 2) / 2
    assert error(kl(Gamma(alpha[0], 2.0), Gamma(beta[0], 2 * ratio)), want) <= BOUND


@pytest.mark.parametrize(("n", "m"), [(3.5, 9.0), (40.0, 40.0), (1e6, 1e6 + 3), (1e6, 2e6)])
def test_kl_of_wisharts(n, m):
    rng = np.random.default_rng(10)
    v, u = random_cov(rng, 3, 10.0), random_cov(rng, 3, 10.0)
    for left, right in ((v, u), (v, v * n / m)):
        p, q, x, y = matrix(left), matrix(right), mp.mpf(n), mp.mpf(m)
        psi = total(mp.digamma((x - i) / 2) for i in range(3))
        want = log_multigamma(y / 2, 3) - log_multigamma(x / 2, 3) + (x - y) / 2 * psi
        want += y / 2 * mp.log(mp.det(q) / mp.det(p)) + x / 2 * (trace(q**-1 * p) - 3)
        assert error(kl(Wishart(n, left), Wishart(m, right)), want) <= BOUND
        inverses = [np.linalg.inv(s) for s in (left, right)]
        mirrored = kl(*(InverseWishart(k, s) for k, s in zip((n, m), inverses, strict=True)))
        assert mirrored == pytest.approx(float(want), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("near", "bound"), [(1e-7, 1e-7), (1.0, 1e-12)])
def test_kl_of_multivariate_normals(near, bound):
    rng = np.random.default_rng(11)
    a = random_cov(rng, 4)
    b = a + near * np.eye(4)
    mean = near * rng.normal(size=4)
    p, q, gap = matrix(a), matrix(b), matrix(mean[:, None])
    want = trace(q**-1 * p) - 4 + mp.log(mp.det(q) / mp.det(p)) + (gap.T * mp.lu_solve(q, gap))[0]
    got = kl(MultivariateNormal(mean, a), MultivariateNormal(np.zeros(4), b))
    assert abs(mp.mpf(float(got)) - want / 2) <= bound * want  # also where it is 1e-14
