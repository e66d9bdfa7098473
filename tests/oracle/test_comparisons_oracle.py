"""Tests and intervals against scipy, statsmodels, mlxtend and baycomp, where definitions agree: to 1e-10."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW, ztest

from suffice.evaluation.comparisons import (
    accuracy_from_counts,
    bayesian_correlated_t,
    correlated_t,
    error_interval,
    friedman,
    holm,
    mcnemar_from_counts,
    nemenyi,
    paired_t,
    signed_rank,
    z_test,
)

pytestmark = pytest.mark.sampled(3)

EXACT = {"rel": 1e-10, "abs": 0}
TABLES = [(60, 15, 5, 20), (0, 1, 0, 5), (100, 40, 60, 3), (9, 0, 7, 1), (1000, 300, 200, 10)]
CASES = [(0.3, 12), (1.0, 30), (100.0, 1000)]


def pair(seed, n, scale=1.0):
    rng = np.random.default_rng(seed)
    return scale * rng.gamma(2, size=n), scale * rng.gamma(2, size=n)


@pytest.mark.parametrize(("m", "n"), [(6, 8), (67, 100), (1, 3), (999, 1000), (50_000, 100_000)])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_jeffreys_as_statsmodels(m, n, confidence):
    theirs = proportion_confint(m, n, alpha=1 - confidence, method="jeffreys")
    assert accuracy_from_counts(m, n, confidence=confidence).interval == pytest.approx(theirs, **EXACT)


@pytest.mark.parametrize("cells", TABLES)
def test_mcnemar_as_statsmodels(cells):
    found, theirs = mcnemar_from_counts(cells), statsmodels_mcnemar(np.reshape(cells, (2, 2)), exact=True)
    assert found.p_value == pytest.approx(theirs.pvalue, **EXACT)
    assert found.statistic == theirs.statistic


@pytest.mark.parametrize("cells", TABLES)
def test_mcnemar_as_a_binomial_test(cells):
    _, b, c, _ = cells
    assert mcnemar_from_counts(cells).p_value == pytest.approx(stats.binomtest(b, b + c).pvalue, **EXACT)


@pytest.mark.parametrize("cells", [c for c in TABLES if c[1] != c[2]])
def test_mcnemar_as_mlxtend(cells):
    evaluate = pytest.importorskip("mlxtend.evaluate")
    _, p = evaluate.mcnemar(np.reshape(cells, (2, 2)), exact=True)
    assert mcnemar_from_counts(cells).p_value == pytest.approx(p, **EXACT)


@pytest.mark.parametrize(("scale", "n"), CASES)
def test_paired_t_as_scipy(scale, n):
    a, b = pair(n, n, scale)
    found, theirs = paired_t(a, b, confidence=0.9), stats.ttest_rel(a, b)
    assert found.p_value == pytest.approx(theirs.pvalue, **EXACT)
    assert found.statistic == pytest.approx(theirs.statistic, **EXACT)
    assert found.interval == pytest.approx(tuple(theirs.confidence_interval(0.9)), **EXACT)


@pytest.mark.parametrize(("scale", "n"), CASES)
def test_error_interval_as_statsmodels(scale, n):
    a, _ = pair(n, n, scale)
    weight = np.random.default_rng(n).integers(1, 4, n)
    theirs = DescrStatsW(a, weights=weight).tconfint_mean(0.05)
    assert error_interval(a, sample_weight=weight).interval == pytest.approx(theirs, **EXACT)


@pytest.mark.parametrize(("scale", "n"), CASES)
def test_z_as_statsmodels(scale, n):
    """Their z test divides by the sample's own standard deviation; given as the known one, the two are the same."""
    a, b = pair(n, n, scale)
    d = a - b
    statistic, p = ztest(d)
    found = z_test(d.mean(), d.var(ddof=1), n)
    assert (found.statistic, found.p_value) == pytest.approx((statistic, p), **EXACT)


@pytest.mark.parametrize("runs", [1, 3])
@pytest.mark.parametrize("rope", [0.0, 0.005, 0.05])
@pytest.mark.parametrize("scale", [0.02, 1.0])
def test_bayesian_correlated_t_as_baycomp(runs, rope, scale):
    """They take the second less the first, y − x."""
    single = pytest.importorskip("baycomp.single")
    a, b = pair(7, 10 * runs, scale)
    theirs = single.CorrelatedTTest(b, a, rope=rope, runs=runs)
    found = bayesian_correlated_t(a - b, 1 / 10, rope)
    expected = theirs.probs()
    ours = found.probabilities if rope else (found.left, found.right)
    np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=1e-14)
    assert float(found.posterior.scale) ** 2 == pytest.approx(theirs.var, **EXACT)


def test_correlated_t_by_its_formula():
    r = np.array([0.1, 0.3, -0.1, 0.25, 0.4, 0.05, 0.2, 0.15, -0.05, 0.3])
    for K in (2, 5, 10):
        t = r.mean() / (r.std(ddof=1) * np.sqrt(1 / 10 + 1 / (K - 1)))
        found = correlated_t(r, 1 / K)
        assert found.statistic == pytest.approx(t, **EXACT)
        assert found.p_value == pytest.approx(2 * stats.t.sf(abs(t), 9), **EXACT)


@pytest.mark.parametrize("levels", [3, 1000])
@pytest.mark.parametrize(("n", "k"), [(6, 3), (20, 5), (40, 9)])
def test_friedman_as_scipy(n, k, levels):
    scores = np.random.default_rng(n + k).integers(levels, size=(n, k)).astype(float)
    theirs = stats.friedmanchisquare(*scores.T)
    found = friedman(scores, method="chi2")
    assert found.statistic == pytest.approx(theirs.statistic, **EXACT)
    assert found.p_value == pytest.approx(theirs.pvalue, **EXACT)


def test_nemenyi_by_the_studentized_range():
    scores = np.random.default_rng(1).random((12, 4)) + [0, 0.1, 0.2, 0.5]
    average = stats.rankdata(-scores, axis=1).mean(axis=0)
    found = nemenyi(scores)
    gaps = np.array([average[i] - average[j] for i in range(4) for j in range(i + 1, 4)])
    p = stats.studentized_range.sf(np.abs(gaps) / np.sqrt(4 * 5 / (12 * 12)), 4, np.inf)
    np.testing.assert_allclose([f.p_value for f in found], p, rtol=1e-10)
    np.testing.assert_allclose([f.estimate for f in found], gaps, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("n", [1, 2, 7, 100])
def test_holm_as_statsmodels(n):
    p = np.random.default_rng(n).random(n) ** 3
    reject, adjusted, *_ = multipletests(p, 0.05, method="holm")
    np.testing.assert_allclose(np.asarray(holm(p)), adjusted, rtol=1e-10)
    np.testing.assert_array_equal(holm(p).below(0.05), reject)


@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("n", [8, 30, 80])
def test_signed_rank_as_scipy(n, zeros):
    a, b = pair(n, n)
    theirs = stats.wilcoxon(a, b, zero_method=zeros)
    found = signed_rank(a, b, zeros=zeros)
    assert (found.p_value, found.statistic) == pytest.approx((theirs.pvalue, theirs.statistic), **EXACT)
