"""Under its null hypothesis no test rejects more often than it says, by simulation.

Exact tests: at most the level and 3.5 standard errors of the simulation; approximate ones: two points besides.
"""

import numpy as np
import pytest
from scipy.special import chdtrc, ndtr
from scipy.stats import rankdata

from suffice.evaluation.comparisons import (
    MatchedPairs,
    correlated_t,
    friedman,
    holm,
    mcnemar_from_counts,
    mean_difference,
    monte_carlo_p,
    signed_rank,
    z_test,
)
from suffice.evaluation.comparisons.holm import step_down
from suffice.evaluation.comparisons.post_hoc import critical_difference, rank_error
from suffice.evaluation.comparisons.ranks import chi_square, iman_davenport

pytestmark = pytest.mark.sampled(3)

SHORT, LONG = 500, 8000
COSTLY = "Friedman", "signed rank"


def mcnemar(n, disagree):
    def p(rng):
        rest, a, b = rng.multinomial(n, [1 - disagree, disagree / 2, disagree / 2]).tolist()
        return mcnemar_from_counts(MatchedPairs(rest, a, b, 0)).p_value

    return p


def squared(n, correlation):
    def p(rng):
        e = rng.standard_normal((2, n))
        other = correlation * e[0] + np.sqrt(1 - correlation**2) * e[1]
        return mean_difference(e[0] ** 2 - other**2).p_value

    return p


def normal(n):
    return lambda rng: mean_difference(5 * rng.standard_normal(n)).p_value


def splits(J, rho):
    def p(rng):
        r = np.sqrt(rho) * rng.standard_normal() + np.sqrt(1 - rho) * rng.standard_normal(J)
        return correlated_t(r, rho).p_value

    return p


def known(n):
    return lambda rng: z_test(3 + rng.standard_normal(n).mean(), 1.0, n, null=3.0).p_value


def simulated(m, side):
    return lambda rng: monte_carlo_p(rng.standard_normal(), rng.standard_normal(m), side).p_value


def signed(n):
    return lambda rng: signed_rank(rng.standard_t(3, n), np.zeros(n)).p_value


def exact_ranks(n, k, levels):
    """Few levels make ties."""
    return lambda rng: friedman(rng.integers(levels, size=(n, k))).p_value


def family(tests, shared):
    """The smallest of several corrected p-values, with correlated statistics."""

    def p(rng):
        z = np.sqrt(shared) * rng.standard_normal() + np.sqrt(1 - shared) * rng.standard_normal(tests)
        return np.asarray(holm([z_test(v, 1.0, 1).p_value for v in z])).min()

    return p


EXACT = {
    **{f"McNemar {c}": mcnemar(*c) for c in ((30, 0.2), (100, 0.1), (300, 0.5))},
    **{f"paired t {n}": normal(n) for n in (2, 5, 40)},
    **{f"correlated t {c}": splits(*c) for c in ((5, 0.2), (10, 0.1), (30, 0.1))},
    **{f"z {n}": known(n) for n in (1, 10, 100)},
    **{f"Monte Carlo {c}": simulated(*c) for c in ((19, "greater"), (99, "two-sided"), (200, "less"))},
    **{f"signed rank {n}": signed(n) for n in (6, 12, 40)},
    **{f"Friedman {c}": exact_ranks(*c) for c in ((5, 3, 10_000), (6, 4, 3), (10, 3, 5))},
    **{f"Holm {c}": family(*c) for c in ((2, 0.0), (5, 0.0), (5, 0.8))},
}
APPROXIMATE = {f"paired t, squared {c}": squared(*c) for c in ((30, 0.0), (30, 0.9), (100, 0.5))}
LEVELS = (0.01, 0.05, 0.2)


def check(p, times, seed, slack):
    rng = np.random.default_rng(seed)
    values = np.array([p(rng) for _ in range(times)])
    for level in LEVELS:
        rejected = np.mean(values <= level + 1e-12)
        assert rejected <= level + slack + 3.5 * np.sqrt(level * (1 - level) / times)


@pytest.mark.parametrize("name", EXACT)
def test_exact(name):
    check(EXACT[name], 100 if name.startswith(COSTLY) else SHORT, 21, 0.0)


@pytest.mark.long
@pytest.mark.parametrize("name", EXACT)
def test_exact_long(name):
    check(EXACT[name], 1500 if name.startswith(COSTLY) else LONG, 22, 0.0)


@pytest.mark.parametrize("name", APPROXIMATE)
def test_approximate(name):
    check(APPROXIMATE[name], SHORT, 23, 0.02)


@pytest.mark.long
@pytest.mark.parametrize("name", APPROXIMATE)
def test_approximate_long(name):
    check(APPROXIMATE[name], LONG, 24, 0.02)


@pytest.mark.parametrize(
    "name", ["paired t 5", "correlated t (10, 0.1)", "z 10", "Monte Carlo (99, 'two-sided')"]
)
def test_p_values_of_continuous_tests_are_uniform(name):
    """Kolmogorov's distance to the uniform distribution, against 1.95/√n, its 0.1 % point."""
    rng = np.random.default_rng(25)
    values = np.sort([EXACT[name](rng) for _ in range(SHORT)])
    steps = 0.01 if "Monte" in name else 0.0
    assert np.abs(values - np.arange(1, SHORT + 1) / SHORT).max() < 1.95 / np.sqrt(SHORT) + steps


# -- many tables at once --------------------------------------------------------------------------
@pytest.mark.parametrize(("n", "k"), [(5, 4), (10, 5), (20, 3), (8, 8)])
def test_ranks_of_equal_methods(n, k):
    """Iman and Davenport's F, χ², any of Nemenyi's pairs, any of Holm's against a control."""
    rng, times = np.random.default_rng(26), 1500
    tables = rankdata(rng.random((times, n, k)), axis=2)
    chi2 = np.array([chi_square(t) for t in tables])
    average = tables.mean(axis=1)
    allowed = 0.05 + 0.02 + 3.5 * np.sqrt(0.05 * 0.95 / times)
    assert np.mean([iman_davenport(c, n, k)[1] <= 0.05 for c in chi2]) <= allowed
    assert np.mean(np.ptp(average, axis=1) > critical_difference(k, n, 0.95)) <= allowed
    assert np.mean(chdtrc(k - 1, chi2) <= 0.05) <= allowed
    z = (average[:, 1:] - average[:, :1]) / rank_error(k, n)
    smallest = np.array([step_down(2 * ndtr(-np.abs(row))).min() for row in z])
    assert np.mean(smallest <= 0.05) <= allowed


def fold_differences(rng, times, n, K, repeats):
    """Two regressions on one each of two columns that matter equally: differences of mean squared loss per split."""
    x = rng.standard_normal((2, times, n))
    y = x.sum(axis=0) + rng.standard_normal((times, n))
    out = []
    for _ in range(repeats):
        order = np.argsort(rng.random((times, n)), axis=1)
        xs, ys = np.take_along_axis(x, order[None], 2), np.take_along_axis(y, order, 1)
        for test in np.array_split(np.arange(n), K):
            train = np.setdiff1d(np.arange(n), test)
            a, b = xs[:, :, train], ys[:, train]
            am, bm = a.mean(axis=2, keepdims=True), b.mean(axis=1, keepdims=True)
            slope = ((a - am) * (b - bm)).sum(axis=2, keepdims=True) / ((a - am) ** 2).sum(
                axis=2, keepdims=True
            )
            errors = ys[:, test] - bm - slope * (xs[:, :, test] - am)
            loss = (errors**2).mean(axis=2)
            out.append(loss[0] - loss[1])
    return np.array(out).T


@pytest.mark.parametrize(("n", "K", "repeats"), [(60, 5, 1), (100, 10, 1), (100, 10, 3)])
def test_the_correlated_t_test_in_cross_validation(n, K, repeats):
    """Equally good methods are seldom told apart, where repeats fool the ordinary test."""
    r = fold_differences(np.random.default_rng(27), 400, n, K, repeats)
    rejected = np.mean([correlated_t(row, 1 / K).p_value <= 0.05 for row in r])
    assert rejected <= 0.05 + 0.02
    if repeats > 1:
        assert np.mean([correlated_t(row, 0.0).p_value <= 0.05 for row in r]) > 0.2
