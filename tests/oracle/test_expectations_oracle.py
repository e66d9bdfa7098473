"""Expectations of functions with jumps, corners and poles against a second quadrature in extended precision.

The oracle knows where f is not smooth: it grades Gauss's panels geometrically towards each such place, and goes out in
eˢ. Its densities are written out here, with constants from mpmath.
"""

import itertools
from dataclasses import dataclass

import mpmath as mp
import numpy as np
import pytest

from suffice.distributions import (
    Beta,
    Gamma,
    InverseGamma,
    LaplaceDistribution,
    MixtureDistribution,
    Normal,
    StudentT,
    Uniform,
    expectation_with_error,
)

LONG = np.longdouble
NODES, WEIGHTS = (v.astype(LONG) for v in np.polynomial.legendre.leggauss(40))
NODES = NODES - np.polynomial.legendre.legval(
    NODES, np.eye(41, dtype=LONG)[40]
) / np.polynomial.legendre.legval(NODES, np.polynomial.legendre.legder(np.eye(41, dtype=LONG)[40]))
GRADES = LONG(4.0) ** -np.arange(120)


@dataclass
class Law:
    """A distribution, its density in extended precision, its support, where the density is not smooth, its tail."""

    d: object
    density: object
    low: float
    high: float
    rough: tuple = ()
    tail: float = 99.0  # moments exist below this order


def constant(value):
    return LONG(mp.nstr(value, 25))


def law(rng):
    with mp.workdps(30):
        return LAWS[rng.integers(len(LAWS))](rng)


def normal_law(rng):
    m, s = rng.normal() * 3, np.exp(rng.normal())
    return Law(Normal(m, s), normal(m, s), -np.inf, np.inf, (m,))


def normal(m, s):
    c = 1 / constant(s * mp.sqrt(2 * mp.pi))
    return lambda x: c * np.exp(-(((x - m) / LONG(s)) ** 2) / 2)


def student_law(rng):
    v, m, s = rng.uniform(0.7, 6), rng.normal(), np.exp(rng.normal())
    c = constant(mp.gamma((mp.mpf(v) + 1) / 2) / (mp.sqrt(v * mp.pi) * mp.gamma(mp.mpf(v) / 2) * s))
    return Law(
        StudentT(v, m, s),
        lambda x: c * np.exp(-(LONG(v) + 1) / 2 * np.log1p(((x - m) / LONG(s)) ** 2 / v)),
        -np.inf, np.inf, (m,), v,
    )  # fmt: skip


def gamma_law(rng):
    a, b = np.exp(rng.normal(size=2)) + [0.3, 0]
    c = constant(mp.mpf(b) ** a / mp.gamma(a))
    return Law(Gamma(a, b), lambda x: c * x ** (LONG(a) - 1) * np.exp(-b * x), 0.0, np.inf, (a / b,))


def inverse_gamma_law(rng):
    a, b = rng.uniform(1.1, 5), np.exp(rng.normal())
    c = constant(mp.mpf(b) ** a / mp.gamma(a))
    density = lambda x: c * np.exp(-(LONG(a) + 1) * np.log(x) - b / x)  # noqa: E731
    return Law(InverseGamma(a, b), density, 0.0, np.inf, (b / (a + 1),), a)


def beta_law(rng):
    a, b = np.exp(rng.normal(size=2) / 2) + 0.5  # 1 − x has no more digits near 1 than x
    c = 1 / constant(mp.beta(a, b))
    return Law(Beta(a, b), lambda x: c * x ** (LONG(a) - 1) * (1 - x) ** (LONG(b) - 1), 0.0, 1.0)


def uniform_law(rng):
    low = rng.normal()
    high = low + np.exp(rng.normal())
    return Law(Uniform(low, high), lambda x: np.full_like(x, 1 / (LONG(high) - LONG(low))), low, high)


def laplace_law(rng):
    m, s = rng.normal(), np.exp(rng.normal())
    density = lambda x: np.exp(-np.abs(x - m) / LONG(s)) / (2 * LONG(s))  # noqa: E731
    return Law(LaplaceDistribution(m, s), density, -np.inf, np.inf, (m,))


def mixture_law(rng):
    w, (m1, m2), (s1, s2) = rng.uniform(0.05, 0.95), rng.normal(size=2) * 4, np.exp(rng.normal(size=2))
    p, q = normal(m1, s1), normal(m2, s2)
    d = MixtureDistribution([w, 1 - w], Normal([m1, m2], [s1, s2]))
    return Law(d, lambda x: LONG(w) * p(x) + (1 - LONG(w)) * q(x), -np.inf, np.inf, (m1, m2))


LAWS = [
    normal_law, student_law, gamma_law, inverse_gamma_law, beta_law, uniform_law, laplace_law, mixture_law,
]  # fmt: skip


def function(rng, low, high, tail):
    """A function with its rough places at `low` and `high`, and with a finite mean."""
    p = rng.uniform(0.2, 0.95) * min(3.0, tail)
    return [
        lambda x: np.abs(x - low) ** p,
        lambda x: np.maximum(x - low, 0) ** p,
        lambda x: 1.0 * (x > low),
        lambda x: 1.0 * ((x > low) & (x <= high)),
        lambda x: np.exp(-np.abs(x - low)),
        lambda x: np.minimum(np.abs(x - low), high - low),
        lambda x: np.sign(x - low) * np.log1p(np.abs(x - low)),
        lambda x: np.where(x < low, 0, np.where(x < high, x - low, np.abs(x - high) ** (p / 2))),
        lambda x: np.abs(x - low) ** p * (x > high),
        lambda x: np.floor(np.clip(4 * (x - low) / (high - low), -3, 9)),
    ][rng.integers(10)]


def truth(f, made, rough):
    """E f from panels graded towards the rough places; far ends in x = b ± (eˢ − 1)."""
    g = lambda x: f(x) * made.density(x)  # noqa: E731
    points = np.unique(np.array([p for p in rough if made.low < p < made.high], dtype=LONG))
    total = LONG(0)
    for sign, end, start in ((-1, made.low, points[0]), (1, made.high, points[-1])):
        if np.isfinite(end):
            points = np.unique(np.r_[points, LONG(end)])
        else:
            s = np.r_[GRADES[::-1], np.arange(2, 60), 2.0 ** np.arange(6, 12)].astype(LONG)
            total += panels(lambda s, b=start, k=sign: g(b + k * np.expm1(s)) * np.exp(s), np.r_[LONG(0), s])
    for a, b in itertools.pairwise(points):
        half = (b - a) / 2
        total += panels(lambda t, a=a: g(a + t), np.r_[LONG(0), half * GRADES[::-1]])
        total += panels(lambda t, b=b: g(b - t), np.r_[LONG(0), half * GRADES[::-1]])
    return total


def panels(g, edges):
    half = np.diff(edges) / 2
    with np.errstate(all="ignore"):
        values = g(edges[:-1, None] + half[:, None] * (1 + NODES))
    return np.sum(half * (np.where(np.isfinite(values), values, 0) @ WEIGHTS))


def missed(seed):
    """The error of an expectation, what it said about itself, and E |f|."""
    rng = np.random.default_rng(seed)
    made = law(rng)
    low, high = (float(q) for q in made.d.quantile(np.sort(rng.uniform(0.001, 0.999, 2))))
    f = function(rng, low, high, made.tail)
    steps = low + (high - low) * np.arange(-4, 10) / 4
    found = expectation_with_error(f, made.d)
    wanted = truth(f, made, (*made.rough, low, high, *steps))
    return float(abs(LONG(found.value) - wanted)), found.error, found.size


@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 400), marks=pytest.mark.long)])
def test_expectations_are_within_their_errors(seeds):
    off, said, size = np.array([missed(seed) for seed in seeds]).T
    assert np.mean(off <= said) >= 0.99
    assert np.all(said <= 1e-8 * np.maximum(size, 1))  # so that nothing was to be warned about
