"""Every interval covers what it says: simulations at three settings each, short ones always and long ones when slow.

Exact and Bayesian intervals must be nominal within 3.5 standard errors of the simulation; approximate ones within two
points of nominal besides; conservative ones must not fall below.
"""

import numpy as np
import pytest
from scipy import stats

from suffice.evaluation.comparisons import (
    MatchedPairs,
    accuracy_from_counts,
    bayesian_correlated_t,
    correlated_interval,
    correlated_t,
    coverage,
    error_interval,
    mcnemar_from_counts,
    mean_difference,
    monte_carlo_p,
    signed_rank,
    z_test,
)
from suffice.evaluation.comparisons.post_hoc import critical_difference, holm_findings

pytestmark = pytest.mark.sampled(3)

SHORT, LONG = 500, 8000


def margin(share, n):
    return 3.5 * np.sqrt(share * (1 - share) / n)


def edge(n):
    """Chance that none or all of n rows are right, over the prior Beta(½, ½): there the interval covers its end too."""
    return 0.95 + 0.025 * stats.betabinom.pmf([0, n], n, 0.5, 0.5).sum()


# -- settings: name, kind, truth, simulate, interval, nominal ------------------------------------------------------
def jeffreys(n):
    return (
        lambda rng: rng.beta(0.5, 0.5),
        lambda t, rng: rng.binomial(n, t),
        lambda m: accuracy_from_counts(m, n),
    )


def monte_carlo(m):
    def simulate(p, rng):
        return stats.norm.isf(p), rng.standard_normal(m)

    return lambda rng: rng.beta(0.5, 0.5), simulate, lambda data: monte_carlo_p(*data, side="greater")


def mcnemar(n, only_a, only_b):
    def simulate(truth, rng):
        rest = 1 - only_a - only_b
        both, a, b = rng.multinomial(n, [rest, only_a, only_b])
        return MatchedPairs(int(both), int(a), int(b), 0)

    return only_a - only_b, simulate, mcnemar_from_counts


def losses(power, n):
    truth = np.sqrt(2 / np.pi) if power == 1 else 1.0
    return truth, lambda t, rng: np.abs(rng.standard_normal(n)) ** power, error_interval


def normal_losses(n):
    return 2.0, lambda t, rng: t + 3 * rng.standard_normal(n), error_interval


def normal_differences(n):
    return -0.3, lambda t, rng: t + 2 * rng.standard_normal(n), mean_difference


def squared_differences(n, correlation):
    """Squared errors of two models, the second with half as much more variance."""

    def simulate(truth, rng):
        e = rng.standard_normal((2, n))
        other = correlation * e[0] + np.sqrt(1 - correlation**2) * e[1]
        return e[0] ** 2 - 1.5 * other**2

    return -0.5, simulate, mean_difference


def splits(J, rho, test, spread=0.1):
    def simulate(truth, rng):
        shared, own = rng.standard_normal(), rng.standard_normal(J)
        return truth + spread * (np.sqrt(rho) * shared + np.sqrt(1 - rho) * own)

    return 0.02, simulate, lambda r: test(r, rho)


def known(n):
    return 1.5, lambda t, rng: t + 2 * rng.standard_normal(n), lambda z: z_test(z.mean(), 4.0, n)


def symmetric(n, draw):
    return 0.4, lambda t, rng: t + draw(rng, n), lambda d: signed_rank(d, np.zeros(n))


def heavy(rng, n):
    return rng.standard_t(3, n)


def normal(rng, n):
    return rng.standard_normal(n)


MCNEMAR = (100, 0.15, 0.05), (100, 0.05, 0.05), (300, 0.03, 0.02)
SQUARED = (30, 0.0), (100, 0.5), (100, 0.9)
SYMMETRIC = (8, normal), (20, heavy), (40, normal)
SETTINGS = {
    **{f"Jeffreys {n}": ("exact", edge(n), jeffreys(n)) for n in (8, 30, 100)},
    **{f"Monte Carlo {m}": ("exact", edge(m), monte_carlo(m)) for m in (19, 99, 499)},
    **{f"McNemar {c}": ("approximate", 0.95, mcnemar(*c)) for c in MCNEMAR},
    **{f"losses |e|^{p}, {n}": ("approximate", 0.95, losses(p, n)) for p, n in ((1, 30), (1, 100), (2, 100))},
    **{f"normal losses {n}": ("exact", 0.95, normal_losses(n)) for n in (2, 5, 40)},
    **{f"normal differences {n}": ("exact", 0.95, normal_differences(n)) for n in (2, 5, 40)},
    **{f"squared differences {c}": ("approximate", 0.95, squared_differences(*c)) for c in SQUARED},
    **{f"correlated {c}": ("exact", 0.95, splits(*c, correlated_t)) for c in ((5, 0.2), (10, 0.1), (30, 0.1))},
    **{f"one method {c}": ("exact", 0.95, splits(*c, correlated_interval)) for c in ((2, 0.5), (10, 0.1), (30, 0.1))},
    **{f"Bayesian {c}": ("exact", 0.95, splits(*c, bayesian_correlated_t)) for c in ((5, 0.2), (10, 0.1), (30, 0.1))},
    **{f"z {n}": ("exact", 0.95, known(n)) for n in (1, 10, 100)},
    **{f"signed rank {n}": ("conservative", 0.95, symmetric(n, d)) for n, d in SYMMETRIC},
}  # fmt: skip


def check(name, n, seed):
    kind, nominal, (truth, simulate, interval) = SETTINGS[name]
    share = float(coverage(interval, simulate, truth, n, seed).share)
    allowed = margin(nominal, n) + (0.02 if kind == "approximate" else 0)
    assert share >= nominal - allowed
    if kind != "conservative":
        assert share <= nominal + allowed


@pytest.mark.parametrize("name", SETTINGS)
def test_coverage(name):
    check(name, SHORT if "signed" not in name else 100, 11)


@pytest.mark.long
@pytest.mark.parametrize("name", SETTINGS)
def test_coverage_long(name):
    check(name, LONG if "signed" not in name else 1500, 12)


# -- all pairs together -------------------------------------------------------------------------------------------
def ranks(rng, times, n, shifts):
    values = rng.standard_normal((times, n, len(shifts))) + shifts
    return np.argsort(np.argsort(values, axis=2), axis=2).mean(axis=1) + 1


@pytest.mark.parametrize(("n", "k", "spread"), [(10, 4, 0.0), (20, 5, 0.5), (30, 6, 0.5), (10, 3, 0.3)])
def test_nemenyi_covers_all_pairs(n, k, spread):
    """Nominal within two points where methods are alike; never below where they differ."""
    rng = np.random.default_rng(n + k)
    shifts = np.linspace(0, spread, k)
    truth = ranks(rng, 400, 500, shifts).mean(axis=0)
    times = 10_000
    covered = np.ptp(ranks(rng, times, n, shifts) - truth, axis=1) <= critical_difference(k, n, 0.95) + 1e-9
    allowed = 0.02 + margin(0.95, times)
    assert covered.mean() >= 0.95 - allowed
    if spread == 0:
        assert covered.mean() <= 0.95 + allowed


@pytest.mark.parametrize(("n", "k"), [(10, 4), (20, 3), (30, 6)])
def test_bonferroni_intervals_against_a_control(n, k):
    rng = np.random.default_rng(n + k)
    average = ranks(rng, 5000, n, np.zeros(k))
    pairs = [(i, 0) for i in range(1, k)]
    low, high = holm_findings(average[0], tuple("abcdef"[:k]), n, 0.95, pairs)[0].interval
    covered = (np.abs(average[:, 1:] - average[:, :1]) <= (high - low) / 2 + 1e-9).all(axis=1)
    assert covered.mean() >= 0.95 - 0.02 - margin(0.95, 5000)


# -- probabilities of practical equivalence -----------------------------------------------------------------------
def draw_probabilities(rng, times, J, rho, rope):
    """Predicted and actual membership of the region, under the flat priors.

    The priors are improper, so data are drawn instead: with a center uniform in a window and a spread log-uniform in
    one, the truth that belongs to a draw of standardized noise has the posterior as its distribution.
    """
    predicted, actual = np.empty(times), np.empty(times)
    for i in range(times):
        noise = np.sqrt(rho) * rng.standard_normal() + np.sqrt(1 - rho) * rng.standard_normal(J)
        center, spread = rng.uniform(-0.3, 0.3), np.exp(rng.uniform(np.log(0.02), np.log(0.5)))
        sigma = spread / noise.std()
        r = center + sigma * (noise - noise.mean())
        predicted[i] = bayesian_correlated_t(r, rho, rope).within
        actual[i] = abs(center - sigma * noise.mean()) <= rope
    return predicted, actual


@pytest.mark.parametrize("times", [700, pytest.param(10_000, marks=pytest.mark.long)])
@pytest.mark.parametrize(("J", "rho"), [(5, 0.2), (10, 0.1), (30, 0.1)])
def test_probabilities_of_equivalence_are_calibrated(J, rho, times):
    """Over all draws, and over those to which a middling probability was given."""
    predicted, actual = draw_probabilities(np.random.default_rng(J), times, J, rho, 0.1)
    for chosen in (predicted >= 0, (predicted > 0.25) & (predicted < 0.75), predicted > 0.75):
        surprise = (actual - predicted)[chosen]
        assert len(surprise) > 30
        assert abs(surprise.mean()) <= 3.5 * surprise.std() / np.sqrt(len(surprise))
