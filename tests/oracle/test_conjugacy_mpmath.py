"""Evidence and the negative binomial against mpmath with 50 digits, from tiny to enormous counts.

Errors are relative to max(1, |value|): at most 1e-12 for log probabilities and evidence, 1e-9 for tails.
"""

import mpmath as mp
import numpy as np
import pytest

from suffice.distributions import (
    Beta,
    Dirichlet,
    Gamma,
    InverseGamma,
    NegativeBinomial,
    Normal,
    NormalGamma,
    NormalInverseWishart,
)

pytestmark = pytest.mark.slow

DENSITY, TAIL = 1e-12, 1e-9
SIZES = [1e-8, 0.3, 1.0, 40.0, 1e6, 1e9]
X = [1.25, -0.5, 3.75, 2.0]


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(50):
        yield


def error(got, want):
    return abs(mp.mpf(float(got)) - want) / max(1, abs(want))


def log_beta(a, b):
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(mp.mpf(a) + b)


@pytest.mark.parametrize("a", SIZES)
@pytest.mark.parametrize("b", SIZES)
@pytest.mark.parametrize(("k", "n"), [(0, 1), (14, 20), (20, 20), (300_000, 1_000_000), (1, 10**9)])
def test_coin(a, b, k, n):
    sequence = log_beta(mp.mpf(a) + k, mp.mpf(b) + n - k) - log_beta(mp.mpf(a), mp.mpf(b))
    coefficient = mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)
    assert error(Beta(a, b).log_evidence(k, n=n), sequence + coefficient) <= DENSITY
    assert error(Beta(a, b).log_evidence([1, 0], [k, n - k]), sequence) <= DENSITY


@pytest.mark.parametrize("alpha", [[0.2, 3.0, 1e5], [1.0, 1.0, 1.0], [1e-6, 1e-6, 1e3]])
@pytest.mark.parametrize("rows", [[[3, 0, 2], [1, 1, 1]], [[10**6, 5, 2 * 10**6]]])
def test_classes(alpha, rows):
    rows, a = np.array(rows), [mp.mpf(v) for v in alpha]
    counts, total = rows.sum(axis=0), mp.mpf(int(rows.sum()))
    want = mp.loggamma(sum(a)) - mp.loggamma(sum(a) + total)
    want += sum(mp.loggamma(v + int(c)) - mp.loggamma(v) for v, c in zip(a, counts, strict=True))
    want += sum(mp.loggamma(int(r.sum()) + 1) - sum(mp.loggamma(int(c) + 1) for c in r) for r in rows)
    assert error(Dirichlet(alpha).log_evidence(rows), want) <= DENSITY


@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("rate", SIZES)
@pytest.mark.parametrize("x", [[0], [3, 0, 7], [10**6, 10**6 + 300]])
def test_events(shape, rate, x):
    a, b, total = mp.mpf(shape), mp.mpf(rate), sum(x)
    want = a * mp.log(b) - (a + total) * mp.log(b + len(x)) + mp.loggamma(a + total) - mp.loggamma(a)
    want -= sum(mp.loggamma(v + 1) for v in x)
    assert error(Gamma(shape, rate).log_evidence(x), want) <= DENSITY


def log_scale_evidence(a, b, n, squares):
    return (
        -n * mp.log(2 * mp.pi) / 2
        + a * mp.log(b)
        - (a + n / 2) * mp.log(b + squares / 2)
        + mp.loggamma(a + n / 2)
        - mp.loggamma(a)
    )


@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("rate", SIZES)
def test_precision_and_variance(shape, rate):
    x, n = [mp.mpf(v) for v in X], mp.mpf(len(X))
    want = log_scale_evidence(mp.mpf(shape), mp.mpf(rate), n, sum((v - 1) ** 2 for v in x))
    assert error(Gamma(shape, rate).log_evidence(X, mean=1.0), want) <= DENSITY
    assert error(InverseGamma(shape, rate).log_evidence(X, mean=1.0), want) <= DENSITY
    k, m, centre = mp.mpf("0.75"), mp.mpf(3), sum(x) / n
    squares = sum((v - centre) ** 2 for v in x) + k * n / (k + n) * (centre - m) ** 2
    want = log_scale_evidence(mp.mpf(shape), mp.mpf(rate), n, squares) + mp.log(k / (k + n)) / 2
    assert error(NormalGamma(3.0, 0.75, shape, rate).log_evidence(X), want) <= DENSITY


@pytest.mark.parametrize("std", [1e-6, 0.3, 1e6])
@pytest.mark.parametrize("noise", [1e-3, 2.0, 1e4])
def test_mean(std, noise):
    x, n, s, v = [mp.mpf(u) for u in X], mp.mpf(len(X)), mp.mpf(std) ** 2, mp.mpf(noise) ** 2
    centre, m = sum(x) / n, mp.mpf("0.5")
    squares = sum((u - centre) ** 2 for u in x) / v + n * (centre - m) ** 2 / (v + n * s)
    want = -(n * mp.log(2 * mp.pi * v) + mp.log1p(n * s / v) + squares) / 2
    assert error(Normal(0.5, std).log_evidence(X, std=noise), want) <= DENSITY


@pytest.mark.parametrize("dof", [2.5, 30.0, 1e6])
def test_mean_and_covariance(dof):
    rows, mean, strength = [[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]], [0.5, 1.0], 2.0
    scale = [[2.0, 0.5], [0.5, 1.0]]
    x, psi, nu, k = mp.matrix(rows), mp.matrix(scale), mp.mpf(dof), mp.mpf(strength)
    n, dim, m = 3, 2, mp.matrix(mean)
    centre = sum((x[i, :].T for i in range(n)), mp.zeros(2, 1)) / n
    after = psi + sum(((x[i, :].T - centre) * (x[i, :].T - centre).T for i in range(n)), mp.zeros(2, 2))
    after = after + k * n / (k + n) * (centre - m) * (centre - m).T

    def log_gamma(v):
        return mp.log(mp.pi) / 2 + mp.loggamma(v / 2) + mp.loggamma((v - 1) / 2)

    want = -mp.mpf(n * dim) / 2 * mp.log(mp.pi) + mp.log(k / (k + n)) * dim / 2
    want += nu / 2 * mp.log(mp.det(psi)) - (nu + n) / 2 * mp.log(mp.det(after))
    want += log_gamma(nu + n) - log_gamma(nu)
    assert error(NormalInverseWishart(mean, strength, scale, dof).log_evidence(rows), want) <= DENSITY


# -- the negative binomial ------------------------------------------------------------------------------------
def log_mass(k, shape, rate):
    a, b = mp.mpf(shape), mp.mpf(rate)
    value = mp.loggamma(a + k) - mp.loggamma(k + 1) - mp.loggamma(a)
    return value - a * mp.log1p(1 / b) - k * mp.log1p(b)


@pytest.mark.parametrize("shape", [0.01, 0.4, 3.0, 1e3, 1e7])
@pytest.mark.parametrize("rate", [1e-5, 0.05, 0.9, 2.0, 1e3, 1e8])
def test_negative_binomial(shape, rate):
    d = NegativeBinomial(shape, rate)
    for k in [0, 1, 5, 60, 10**5, 10**12]:
        assert error(d.log_prob(k), log_mass(k, shape, rate)) <= DENSITY
    for k in [0, 5, 60]:
        below = sum(mp.exp(log_mass(j, shape, rate)) for j in range(k + 1))
        assert error(d.log_cdf(k), mp.log(below)) <= TAIL
        if 1 - below > 1e-30:
            assert error(d.log_sf(k), mp.log1p(-below)) <= TAIL


@pytest.mark.parametrize(("shape", "rate"), [(3.0, 0.5), (0.4, 0.05), (500.0, 2.0)])
@pytest.mark.parametrize("k", [10**4, 10**6, 10**9])
def test_far_tail_of_the_negative_binomial(shape, rate, k):
    term, total, j = mp.mpf(1), mp.mpf(1), mp.mpf(k + 1)
    while term > 1e-30 * total:  # P(j + 1)/P(j) = p (a + j)/(j + 1)
        term *= (shape + j) / (j + 1) / (1 + mp.mpf(rate))
        total += term
        j += 1
    want = log_mass(k + 1, shape, rate) + mp.log(total)
    assert error(NegativeBinomial(shape, rate).log_sf(k), want) <= TAIL
