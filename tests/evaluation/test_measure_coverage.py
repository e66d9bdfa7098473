"""Do intervals cover what they say, and do tests raise false alarms no more often? Short runs always, long ones marked.

A short run can only tell gross failure: its bounds are the nominal level, two points, and four Monte Carlo errors.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import betabinom, norm

from suffice.evaluation import Confusion, delong, error_rates, precision_recall, roc

pytestmark = pytest.mark.sampled(3)

LEVEL, POINTS = 0.95, 0.02
SHORT, LONG = 250, 4000
TIMES = [pytest.param(SHORT, id="short"), pytest.param(LONG, id="long", marks=pytest.mark.long)]

TABLES = {
    "even": (np.array([[0.40, 0.10], [0.15, 0.35]]), 100),
    "rare": (np.array([[0.85, 0.05], [0.03, 0.07]]), 300),
    "good": (np.array([[0.49, 0.01], [0.02, 0.48]]), 300),
    "three": (np.array([[0.30, 0.05, 0.02], [0.06, 0.25, 0.05], [0.02, 0.05, 0.20]]), 100),
}
MEASURES = {
    "accuracy": lambda c: c.accuracy,
    "f1": lambda c: c.f1,
    "f2": lambda c: c.f_beta(2.0),
    "macro f1": lambda c: c.macro("f1"),
    "macro precision": lambda c: c.macro("precision"),
    "scaled accuracy": lambda c: c.scaled_accuracy,
    "kappa": lambda c: c.kappa,
    "matthews": lambda c: c.matthews,
    "youden": lambda c: c.youden,
}


def assert_covered(hits, times, points=POINTS, high=None):
    error = 4 * np.sqrt(LEVEL * (1 - LEVEL) / times)
    assert LEVEL - points - error <= hits / times <= (LEVEL + points if high is None else high) + error


def holds(measured, truth):
    low, high = measured.interval
    return low <= truth <= high


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("setting", TABLES)
def test_measures_of_a_table(setting, times):
    p, n = TABLES[setting]
    rng = np.random.default_rng(1)
    exact = Confusion.of_table(p * 1e9, positive=1)
    truth = {name: float(measure(exact)) for name, measure in MEASURES.items()}
    hits = dict.fromkeys(MEASURES, 0)
    for _ in range(times // 2):
        table = Confusion.of_table(rng.multinomial(n, p.ravel()).reshape(p.shape), positive=1)
        for name, measure in MEASURES.items():
            hits[name] += holds(measure(table), truth[name])
    for name, count in hits.items():
        try:
            assert_covered(count, times // 2)
        except AssertionError:
            raise AssertionError(f"{name}: {count / (times // 2)}") from None


@pytest.mark.parametrize("times", [2000, pytest.param(50_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("n", [5, 40, 300])
def test_jeffreys_is_exact_under_its_prior(n, times):
    """With θ drawn from Beta(½, ½) each posterior holds 95 %, or 97.5 % where an edge rule gives up one tail."""
    rng = np.random.default_rng(2)
    theta = rng.beta(0.5, 0.5, times)
    m = rng.binomial(n, theta)
    interval = [Confusion.of_counts(k, n - k, 1, 1).tpr.interval for k in range(n + 1)]
    low, high = np.array(interval)[m].T
    nominal = LEVEL + 0.025 * betabinom.pmf([0, n], n, 0.5, 0.5).sum()
    error = 4 * np.sqrt(nominal * (1 - nominal) / times)
    assert ((low <= theta) & (theta <= high)).mean() == pytest.approx(nominal, abs=error)


def scores(rng, m, n, shift, spread=1.0):
    return np.repeat([1, 0], [m, n]), np.concatenate([rng.normal(shift, spread, m), rng.normal(0, 1, n)])


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize(
    ("area", "m", "n", "spread"), [(0.6, 50, 50, 1), (0.8, 50, 100, 1), (0.95, 50, 50, 1), (0.9, 100, 100, 2)]
)
def test_areas_and_their_parts(area, m, n, spread, times):
    rng, shift = np.random.default_rng(3), norm.ppf(area) * np.hypot(1, spread)
    grid = np.linspace(1e-9, 0.2, 20_001)
    part = np.trapezoid(norm.cdf((shift + norm.ppf(grid)) / spread), grid)
    hits = np.zeros(2)
    for _ in range(times):
        curve = roc(*scores(rng, m, n, shift, spread))
        hits += holds(curve.area, area), holds(curve.partial_area(0.2), part)
    for count in hits:
        assert_covered(count, times)


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize(("area", "spread"), [(0.6, 1), (0.8, 1), (0.9, 2)])
def test_band_at_a_point(area, spread, times):
    rng, shift = np.random.default_rng(4), norm.ppf(area) * np.hypot(1, spread)
    at = np.array([0.1, 0.2, 0.5])
    truth, hits = norm.cdf((shift + norm.ppf(at)) / spread), np.zeros(3)
    for _ in range(times):
        band = roc(*scores(rng, 200, 200, shift, spread)).tpr_band(fpr=at)
        hits += (band.low <= truth) & (truth <= band.high)
    for count in hits:
        assert_covered(count, times)


@pytest.mark.long
@pytest.mark.parametrize("area", [0.6, 0.8, 0.95])
def test_bootstrap(area):
    rng, times = np.random.default_rng(5), 150
    found = [roc(*scores(rng, 50, 50, norm.ppf(area) * np.sqrt(2)), method="bootstrap", random_state=i)
             for i in range(times)]  # fmt: skip
    assert_covered(sum(holds(curve.area, area) for curve in found), times)


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize(("shift", "share", "n"), [(1.0, 0.5, 200), (1.0, 0.2, 300), (2.0, 0.1, 600)])
def test_average_precision(shift, share, n, times):
    rng = np.random.default_rng(6)
    t = np.linspace(-9, 12, 200_001)
    hit, alarm = share * norm.sf(t - shift), (1 - share) * norm.sf(t)
    truth = np.trapezoid(hit / (hit + alarm) * norm.pdf(t - shift), t)
    hits = 0
    for _ in range(times):
        y = rng.random(n) < share
        hits += holds(precision_recall(y, rng.normal(0, 1, n) + shift * y).average_precision, truth)
    assert_covered(hits, times)


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize(("rate", "m", "n"), [(0.05, 200, 200), (0.16, 200, 200), (0.3, 100, 400)])
def test_equal_error_rate(rate, m, n, times):
    rng, shift = np.random.default_rng(7), -2 * norm.ppf(rate)
    times = times // 2
    hits = sum(
        holds(error_rates(rng.normal(shift, 1, m), rng.normal(0, 1, n)).eer, rate) for _ in range(times)
    )
    assert_covered(hits, times)


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_delong_under_its_null(correlation, times):
    rng, times = np.random.default_rng(8), 2 * times
    y, alarms, hits = np.repeat([1, 0], 50), 0, 0
    for _ in range(times):
        a, other = rng.standard_normal((2, 100))
        b = correlation * a + np.sqrt(1 - correlation**2) * other
        found = delong(y, a + y, b + y)
        alarms += found.p_value <= 1 - LEVEL
        hits += holds(found, 0.0)
    assert alarms / times <= 1 - LEVEL + POINTS + 4 * np.sqrt(LEVEL * (1 - LEVEL) / times)
    assert_covered(hits, times)
