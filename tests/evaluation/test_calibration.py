"""Calibration: bins against counting by hand, tests against scipy and statsmodels, models that are right and wrong."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats
from scipy.special import expit, logit
from sklearn.calibration import calibration_curve

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice._core.proportions import jeffreys
from suffice.distributions import (
    Bernoulli,
    Categorical,
    Discrete,
    Empirical,
    MixtureDistribution,
    MultivariateNormal,
    Normal,
    Poisson,
    StudentT,
)
from suffice.evaluation import cross_validate
from suffice.evaluation.scores.calibration import EventCalibration, calibration
from suffice.evaluation.scores.pit import interval_coverage, pit, uniformity
from suffice.evaluation.scores.pit_calibration import PitCalibration
from suffice.linear import BayesianLinearRegression, LinearRegression

pytestmark = pytest.mark.sampled(4)

RNG = np.random.default_rng(42)


def calibrated(n, rng=RNG, low=0.0, high=1.0):
    p = rng.uniform(low, high, n)
    return (rng.random(n) < p).astype(int), p


# -- bins ------------------------------------------------------------------------------------------------
def test_bins_are_counted_as_by_hand():
    y, p = calibrated(300)
    made = calibration(y, p, bins=7, strategy="uniform")
    np.testing.assert_allclose(made.edges, np.linspace(0, 1, 8))
    for b in range(7):
        inside = (p > made.edges[b]) & (p <= made.edges[b + 1])
        assert made.counts[b] == inside.sum()
        assert made.forecast[b] == pytest.approx(p[inside].mean(), rel=1e-13)
        assert made.observed[b] == pytest.approx(y[inside].mean(), rel=1e-13)
        m, n = y[inside].sum(), inside.sum()
        beta = stats.beta(m + 0.5, n - m + 0.5)
        assert made.low[b] == pytest.approx(0 if m == 0 else beta.ppf(0.025), rel=1e-10)
        assert made.high[b] == pytest.approx(1 if m == n else beta.ppf(0.975), rel=1e-10)
    gaps = np.abs(made.forecast - made.observed)
    assert made.expected_error == pytest.approx(made.counts @ gaps / 300, rel=1e-13)
    assert made.largest_error == gaps.max()


def test_a_forecast_on_an_edge_belongs_to_the_bin_below():
    made = calibration([0, 1, 1, 0], [0.0, 0.25, 0.5, 1.0], bins=4, strategy="uniform")
    np.testing.assert_array_equal(made.counts, [2, 1, 0, 1])


def test_bins_agree_with_scikit_learn():
    y, p = calibrated(500)
    made = calibration(y, p, bins=8, strategy="uniform")
    observed, forecast = calibration_curve(y, p, n_bins=8, strategy="uniform")
    np.testing.assert_allclose(made.observed, observed, rtol=1e-12)
    np.testing.assert_allclose(made.forecast, forecast, rtol=1e-12)


def test_quantile_bins_hold_about_as_many_rows_each():
    y, p = calibrated(1000)
    made = calibration(y, p**3, bins=10)
    assert made.counts.min() >= 99
    assert made.counts.sum() == 1000


def test_equal_forecasts_share_a_bin_and_empty_bins_stay_empty():
    made = calibration([0, 1, 1, 0, 1], [0.5] * 5, bins=10)
    assert made.counts.sum() == 5
    assert np.count_nonzero(made.counts) == 1
    assert np.isnan(made.slope)
    assert made.slope.interval is None
    assert any("all forecasts are equal" in note for note in made.notes)
    wide = calibration([0, 1, 1], [0.05, 0.96, 0.97], bins=10, strategy="uniform")
    assert np.isnan(wide.observed[4])
    assert wide.counts[4] == 0
    assert np.isfinite(float(wide.expected_error))


def test_weights_are_counts():
    y, p = calibrated(60)
    w = RNG.integers(0, 4, 60)
    a, b = calibration(y, p, bins=5, sample_weight=w), calibration(np.repeat(y, w), np.repeat(p, w), bins=5)
    for name in ("edges", "forecast", "observed", "low", "high", "counts"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-12)
    assert a.slope == pytest.approx(float(b.slope), rel=1e-9)
    assert a.slope.interval == pytest.approx(b.slope.interval, rel=1e-9)
    assert a.spiegelhalter.p_value == pytest.approx(b.spiegelhalter.p_value, rel=1e-9)
    assert a.expected_error.interval == pytest.approx(b.expected_error.interval, rel=1e-9)


# -- recalibration ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("slope, intercept", [(1.0, 0.0), (0.4, 0.7), (2.5, -1.0)])
def test_recalibration_is_logistic_regression(slope, intercept):
    p = RNG.uniform(0.02, 0.98, 400)
    y = (RNG.random(400) < expit(intercept + slope * logit(p))).astype(int)
    made = calibration(y, p)
    fitted = sm.Logit(y, sm.add_constant(logit(p))).fit(disp=0, tol=1e-13)
    np.testing.assert_allclose([made.intercept, made.slope], fitted.params, rtol=1e-8)
    np.testing.assert_allclose([made.intercept.interval, made.slope.interval], fitted.conf_int(), rtol=1e-7)


@pytest.mark.parametrize("shift", [-30.0, 30.0])
def test_recalibration_survives_extreme_log_odds(shift):
    x = RNG.normal(size=300) + shift
    p = np.clip(expit(x), 1e-300, 1 - 1e-16)
    y = (RNG.random(300) < expit(0.5 * (x - shift))).astype(int)
    made = calibration(y, p)
    assert np.isfinite(made.slope)


@pytest.mark.parametrize(
    "y, p, why",
    [
        ([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], "separate"),
        ([0, 0, 1, 1], [0.9, 0.8, 0.2, 0.1], "separate"),
        ([1, 1, 1], [0.1, 0.5, 0.8], "one outcome"),
        ([0, 1, 0], [0.3, 0.3, 0.3], "equal"),
    ],
)
def test_no_recalibration_without_a_maximum(y, p, why):
    made = calibration(y, p, bins=2)
    assert np.isnan(made.slope)
    assert np.isnan(made.intercept)
    assert any(why in note for note in made.notes)
    assert "nan" in made.sentence


def test_probabilities_of_zero_and_one_are_told():
    y, p = calibrated(100)
    p[:2], y[:2] = [0.0, 1.0], [0, 1]
    assert any("moved" in note for note in calibration(y, p).notes)


# -- Spiegelhalter ---------------------------------------------------------------------------------------
def test_spiegelhalter_by_its_formula():
    y, p = calibrated(90)
    z = np.sum((y - p) * (1 - 2 * p)) / np.sqrt(np.sum((1 - 2 * p) ** 2 * p * (1 - p)))
    finding = calibration(y, p).spiegelhalter
    assert finding.statistic == pytest.approx(z, rel=1e-12)
    assert finding.p_value == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-12)
    brier, promised = np.mean((y - p) ** 2), np.mean(p * (1 - p))
    assert finding.estimate == pytest.approx(brier - promised, rel=1e-10)
    assert finding.interval[0] < finding.estimate < finding.interval[1]
    assert "Spiegelhalter's z" in finding.sentence


def test_spiegelhalter_where_it_has_no_spread():
    half = calibration([0, 1], [0.5, 0.5]).spiegelhalter
    assert half.p_value == 1
    assert any("no spread" in note for note in half.notes)
    wrong = calibration([0, 1], [1.0, 0.0]).spiegelhalter
    assert wrong.p_value == 0


# -- classes ---------------------------------------------------------------------------------------------
def test_several_classes_by_their_most_probable_or_one_by_one():
    P = RNG.dirichlet([1, 2, 3], 400)
    y = np.array([RNG.choice(["a", "b", "c"], p=row) for row in P])
    top = calibration(y, P)
    assert top.event == "the most probable class"
    hit = np.array(["a", "b", "c"])[P.argmax(axis=1)] == y
    assert top.forecast @ top.counts / 400 == pytest.approx(P.max(axis=1).mean(), rel=1e-12)
    assert top.observed @ top.counts / 400 == pytest.approx(hit.mean(), rel=1e-12)
    one = calibration(y, Categorical(P, classes=["a", "b", "c"]), positive="b")
    other = calibration((y == "b").astype(int), P[:, 1])
    np.testing.assert_array_equal(one.observed, other.observed)
    assert one.event == "b"
    with pytest.raises(InvalidInput, match="positive must be one of the classes"):
        calibration(y, P, positive="d")


def test_records_can_be_shown():
    y, p = calibrated(100)
    made = calibration(pd.Series(y), pd.Series(p), bins=4)
    assert len(made.frame()) == 4
    assert made.frame("polars").shape == (4, 7)
    assert "calibration slope" in str(made)
    assert "<table>" in made._repr_html_()
    assert repr(made).startswith("<EventCalibration")
    dist = calibration(RNG.normal(size=50), Normal(0, 1))
    assert len(dist.frame()) == 10
    assert "Kolmogorov" in str(dist)
    assert "<table>" in dist._repr_html_()
    assert len(dist.coverage.frame()) == 5


# -- PIT -------------------------------------------------------------------------------------------------
def test_the_pit_of_a_density_is_its_distribution_function():
    y = RNG.normal(size=20)
    np.testing.assert_array_equal(pit(y, StudentT(4.0)), StudentT(4.0).cdf(y))


@pytest.mark.parametrize(
    "d",
    [
        Poisson(2.0),
        Bernoulli(0.3),
        Discrete([-1.0, 0.5, 9.0], [0.2, 0.5, 0.3]),
        Empirical([1.0, 2.0, 2.0, 5.0]),
        Categorical([0.3, 0.7]),
        MixtureDistribution([0.5, 0.5], [Poisson(1.0), Poisson(7.0)]),
    ],
    ids=lambda d: type(d).__name__,
)
def test_the_randomized_pit_of_the_truth_is_uniform(d):
    """5,000 draws: the largest distance stays below the quantile 1 − 1e-4 of Kolmogorov's statistic."""
    u = pit(d.sample(5000, 1), d, rng=2)
    assert stats.kstest(u, "uniform").statistic < stats.kstwo.ppf(1 - 1e-4, 5000)
    assert len(np.unique(u)) > 4900
    np.testing.assert_array_equal(u, pit(d.sample(5000, 1), d, rng=2))


def test_uniformity_is_scipys():
    u = RNG.random(37) ** 1.2
    found, theirs = uniformity(u), stats.kstest(u, "uniform")
    assert found.statistic == theirs.statistic
    assert found.p_value == theirs.pvalue
    counts = np.histogram(u, 5, (0, 1))[0]
    found, theirs = uniformity(u, method="chi-square", bins=5), stats.chisquare(counts)
    assert found.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert found.p_value == pytest.approx(theirs.pvalue, rel=1e-12)
    low, high = (v * 37 for v in found.interval)
    if low > 0:
        assert stats.ncx2.sf(found.statistic, 4, low) == pytest.approx(0.025, rel=1e-6)
    assert stats.ncx2.cdf(found.statistic, 4, high) == pytest.approx(0.025, rel=1e-6)


def test_uniformity_of_few_or_equal_values():
    assert uniformity([0.5]).p_value == 1
    assert uniformity(np.full(50, 0.3)).p_value < 1e-10
    assert uniformity(np.linspace(0.05, 0.95, 10), method="chi-square").interval[0] == 0
    assert any("few" in note for note in uniformity([0.1, 0.9], method="chi-square").notes)


def test_coverage_is_counted():
    y, d = RNG.normal(size=200), Normal(np.zeros(200), 0.5)
    made = interval_coverage(y, d, [0.5, 0.95], sample_weight=np.r_[np.full(100, 2), np.zeros(100)])
    inside = np.abs(y[:100]) <= 0.5 * stats.norm.ppf(0.975)
    assert made.observed[1] == pytest.approx(inside.mean(), rel=1e-12)
    assert made.n == 200
    assert made.width[1] == pytest.approx(2 * 0.5 * stats.norm.ppf(0.975), rel=1e-9)
    beta = stats.beta(2 * inside.sum() + 0.5, 2 * (~inside).sum() + 0.5)
    assert made.low[1] == pytest.approx(beta.ppf(0.025), rel=1e-9)


def test_coverage_of_counts_is_at_least_what_it_promises():
    made = interval_coverage(np.random.default_rng(3).poisson(3.0, 4000), Poisson(3.0))
    assert np.all(made.high >= made.levels)
    assert made.notes


# -- models ----------------------------------------------------------------------------------------------
def linear(n, rng, noise):
    X = rng.normal(size=(n, 2))
    return X, X @ [1.0, -2.0] + 0.5 + noise(n)


@pytest.mark.parametrize(
    "model", [LinearRegression(), BayesianLinearRegression()], ids=lambda m: type(m).__name__
)
def test_a_model_that_is_right_is_calibrated(model):
    """Held-out PIT over 400 rows; p-values and intervals beyond 1e-3 would be one chance in a thousand."""
    rng = np.random.default_rng(8)
    X, y = linear(400, rng, rng.standard_normal)
    made = calibration(y, cross_validate(model, X, y, cv=10).distributions, confidence=0.999)
    assert isinstance(made, PitCalibration)
    assert made.kolmogorov.p_value > 1e-3
    assert made.chi_square.p_value > 1e-3
    assert np.all((made.coverage.low <= made.coverage.levels) & (made.coverage.levels <= made.coverage.high))


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_wrong_noise_is_detected(factor):
    rng = np.random.default_rng(9)
    X, y = linear(300, rng, rng.standard_normal)
    model = BayesianLinearRegression(noise_precision=1 / factor**2)
    made = calibration(y, cross_validate(model, X, y, cv=10).distributions)
    assert made.chi_square.p_value < 1e-6
    outside = (
        made.coverage.high < made.coverage.levels if factor < 1 else made.coverage.low > made.coverage.levels
    )
    assert outside[:3].all()


def test_skewed_noise_is_detected():
    rng = np.random.default_rng(10)
    X, y = linear(500, rng, lambda n: rng.exponential(size=n))
    made = calibration(y, cross_validate(LinearRegression(), X, y, cv=10).distributions)
    assert made.kolmogorov.p_value < 1e-4


# -- bad input -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "call, match",
    [
        (lambda: calibration([], []), "y is empty"),
        (lambda: calibration([0, 1], [0.5, -0.1]), r"in \[0, 1\]; got -0.1 at row 1"),
        (lambda: calibration([0, 1, 1], [0.5, 0.1]), "y has 3 rows"),
        (lambda: calibration([0, 1], [0.5, 0.1], bins=2.5), "bins must be an integer"),
        (lambda: calibration([0, 1], [0.5, 0.1], confidence=0), "confidence"),
        (lambda: calibration([0.0, 1.0], Normal(0, 1), bins=1), "bins must be an integer >= 2"),
        (lambda: calibration([0.0, np.nan], Normal(0, 1)), "y contains NaN at row 1"),
        (lambda: pit([0.0, 1.0], Normal([0.0, 1.0, 2.0], 1.0)), "one forecast per target"),
        (lambda: uniformity([]), "u is empty"),
        (lambda: uniformity([0.2, 1.1]), r"u must be in \[0, 1\]; got 1.1"),
        (lambda: uniformity([0.2, np.nan]), "u contains NaN"),
        (lambda: uniformity([0.2], method="odd"), "method must be one of"),
        (lambda: uniformity([0.2], method="chi-square", bins=1), "bins must be"),
        (lambda: interval_coverage([0.0], Normal(0, 1), levels=[1.5]), "levels must lie between 0 and 1"),
        (lambda: interval_coverage([[0.0, 1.0]], Normal([[0.0, 0.0]], 1.0)), "one column at a time"),
    ],
)
def test_bad_input_is_named(call, match):
    with pytest.raises((InvalidInput, InvalidParameter), match=match):
        call()


def test_vectors_are_not_calibrated():
    with pytest.raises(Unsupported, match="univariate"):
        pit([0.0, 1.0], MultivariateNormal([0.0, 1.0], np.eye(2)))


def test_one_row():
    made = calibration([1], [0.7])
    assert isinstance(made, EventCalibration)
    assert made.spiegelhalter.interval is None
    assert calibration([0.3], Normal(0, 1)).n == 1


# -- coverage and type-I error ---------------------------------------------------------------------------
DRAWS = {
    "0 to 1, 200": lambda rng: calibrated(200, rng),
    "0.2 to 0.8, 200": lambda rng: calibrated(200, rng, 0.2, 0.8),
    "0 to 0.3, 400": lambda rng: calibrated(400, rng, 0.001, 0.3),
}


def judged(name, repeats):
    rng = np.random.default_rng(11)
    made = [calibration(*DRAWS[name](rng)) for _ in range(repeats)]
    error = 3 * np.sqrt(0.95 * 0.05 / repeats)
    for measured, truth in (([m.intercept for m in made], 0.0), ([m.slope for m in made], 1.0)):
        share = np.mean([m.interval[0] <= truth <= m.interval[1] for m in measured])
        assert 0.93 - error <= share <= 0.97 + error
    excess = np.mean([m.spiegelhalter.interval[0] <= 0 <= m.spiegelhalter.interval[1] for m in made])
    assert 0.93 - error <= excess <= 0.97 + error
    assert np.mean([m.spiegelhalter.p_value < 0.05 for m in made]) <= 0.07 + error
    assert np.mean([m.expected_error.interval[0] == 0 for m in made]) >= 0.93 - error
    # what the record says the error of calibrated forecasts is, against what it was
    promised, found = (
        np.mean([float(getattr(m, k)) for m in made])
        for k in ("expected_error_if_calibrated", "expected_error")
    )
    assert found == pytest.approx(promised, rel=0.05)


@pytest.mark.parametrize("name", DRAWS)
def test_intervals_cover_and_tests_keep_their_level(name):
    judged(name, 250)


@pytest.mark.long
@pytest.mark.parametrize("name", DRAWS)
def test_intervals_cover_and_tests_keep_their_level_in_the_long_run(name):
    judged(name, 4000)


def uniform_level(n, method, bins, repeats):
    rng = np.random.default_rng(12)
    p = np.array([uniformity(rng.random(n), method=method, bins=bins).p_value for _ in range(repeats)])
    slack = 0.0 if method == "kolmogorov" else 0.02
    assert np.mean(p < 0.05) <= 0.05 + slack + 3 * np.sqrt(0.05 * 0.95 / repeats)
    assert np.mean(p < 0.05) >= 0.02


LEVELS = [
    (5, "kolmogorov", 10),
    (60, "kolmogorov", 10),
    (300, "kolmogorov", 10),
    (50, "chi-square", 10),
    (50, "chi-square", 5),
    (300, "chi-square", 20),
]


@pytest.mark.slow
@pytest.mark.parametrize("n, method, bins", LEVELS)
def test_uniformity_keeps_its_level(n, method, bins):
    uniform_level(n, method, bins, 300)


@pytest.mark.long
@pytest.mark.parametrize("n, method, bins", LEVELS)
def test_uniformity_keeps_its_level_in_the_long_run(n, method, bins):
    uniform_level(n, method, bins, 6000)


def effects_covered(n, bins, tilt, repeats):
    rng = np.random.default_rng(13)
    q = np.linspace(1 + tilt, 1 - tilt, bins) / bins
    truth = bins * np.sum((q - 1 / bins) ** 2)
    distance = np.max(np.abs(np.cumsum(q) - np.arange(1, bins + 1) / bins))
    hits = np.zeros(2)
    for _ in range(repeats):
        u = (rng.choice(bins, n, p=q) + rng.random(n)) / bins
        for i, (found, true) in enumerate(
            ((uniformity(u, method="chi-square", bins=bins), truth), (uniformity(u), distance))
        ):
            hits[i] += found.interval[0] <= true <= found.interval[1]
    error = 3 * np.sqrt(0.95 * 0.05 / repeats)
    assert 0.93 - error <= hits[0] / repeats <= 0.97 + error
    assert hits[1] / repeats >= 0.95 - error


EFFECTS = [(100, 10, 0.3), (400, 5, 0.5), (200, 20, 0.8)]


@pytest.mark.slow
@pytest.mark.parametrize("n, bins, tilt", EFFECTS)
def test_the_distance_from_uniformity_is_covered(n, bins, tilt):
    effects_covered(n, bins, tilt, 150)


@pytest.mark.long
@pytest.mark.parametrize("n, bins, tilt", EFFECTS)
def test_the_distance_from_uniformity_is_covered_in_the_long_run(n, bins, tilt):
    effects_covered(n, bins, tilt, 3000)


@pytest.mark.parametrize("n", [5, 40, 500])
def test_jeffreys_covers_with_frequencies_from_its_prior(n):
    """Nominal on average over Beta(½, ½); the rules at the edges can only add. 100,000 draws."""
    rng = np.random.default_rng(14)
    p = rng.beta(0.5, 0.5, 100_000)
    m = rng.binomial(n, p)
    low, high = jeffreys(m, n, 0.95)
    share = np.mean((low <= p) & (p <= high))
    edges = np.mean((m == 0) | (m == n))
    error = 4 * np.sqrt(0.95 * 0.05 / 100_000)
    assert share == pytest.approx(0.95 + 0.025 * edges, abs=error)
