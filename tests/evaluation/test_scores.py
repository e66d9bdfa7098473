"""Scores of predictive distributions: closed forms against integrals, identities, propriety, intervals that cover."""

import copy
import itertools
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import integrate
from sklearn.metrics import brier_score_loss, log_loss

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
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
    NegativeBinomial,
    Normal,
    Poisson,
    StudentT,
    TruncatedNormal,
    Uniform,
)
from suffice.evaluation import cross_validate
from suffice.evaluation.scores._crps_forms import crps_rows
from suffice.evaluation.scores._crps_numeric import crps_counts, crps_integral
from suffice.evaluation.scores.brier import brier
from suffice.evaluation.scores.crps import crps
from suffice.evaluation.scores.log_score import log_score
from suffice.linear import BayesianLinearRegression, LinearRegression

pytestmark = pytest.mark.sampled(4)

RNG = np.random.default_rng(20260101)


# -- the integral, one piece at a time -----------------------------------------------------------------
def brute(d, y, reach=1e-14):
    """∫ (F − [x ≥ y])² dx by scipy, between quantiles; no code shared with the library's."""
    levels = [
        reach,
        1e-9,
        1e-5,
        1e-3,
        0.02,
        0.1,
        0.25,
        0.5,
        0.75,
        0.9,
        0.98,
        1 - 1e-3,
        1 - 1e-5,
        1 - 1e-9,
        1 - reach,
    ]
    ends = sorted({float(d.quantile(p)) for p in levels} | {y})
    total = 0.0
    for a, b in itertools.pairwise(ends):
        total += integrate.quad(
            lambda x: (float(d.cdf(x)) - (x >= y)) ** 2, a, b, epsabs=1e-13, epsrel=1e-11, limit=200
        )[0]
    return total


CONTINUOUS = {
    "normal": Normal(1.0, 2.0),
    "tiny normal": Normal(1e-150, 1e-151),
    "t 1.2": StudentT(1.2, 0.3, 0.5),
    "t 3": StudentT(3.0),
    "t 1e5": StudentT(1e5, 1.0, 2.0),
    "uniform": Uniform(-1.0, 3.0),
    "laplace": LaplaceDistribution(1.0, 2.0),
    "gamma 0.3": Gamma(0.3, 2.0),
    "gamma 5": Gamma(5.0, 1.0),
    "two normals": MixtureDistribution([0.3, 0.7], Normal([0.0, 4.0], [1.0, 0.5])),
    "normal and t": MixtureDistribution([0.5, 0.5], [Normal(0.0, 1.0), StudentT(4.0, 3.0, 0.2)]),
    "beta": Beta(0.5, 2.0),
    "truncated": TruncatedNormal(0.0, 1.0, -1.0, 2.0),
    "inverse gamma": InverseGamma(3.0, 2.0),
    "histogram": Histogram([0.0, 1.0, 3.0], [1, 3]),
    "generalized": GeneralizedNormal(0.0, 1.0, 4.0),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", CONTINUOUS)
def test_the_score_of_a_density_is_its_integral(name):
    d = CONTINUOUS[name]
    q = d.quantile(np.array([1e-4, 0.3, 0.99]))
    ys = np.r_[q, q[2] + 2 * (q[2] - q[0])]
    expected = [brute(d, float(y)) for y in ys]
    np.testing.assert_allclose(crps_rows(d, ys), expected, rtol=1e-8, atol=0)
    np.testing.assert_allclose(crps_integral(d, ys), expected, rtol=1e-8, atol=0)


@pytest.mark.parametrize("dof", [0.6, 0.8, 0.9985, 1.0, 1.0005, 1.002, 1.5])
def test_heavy_tails_have_a_finite_score(dof):
    ys = np.array([-3.0, 0.0, 0.4, 50.0])
    np.testing.assert_allclose(
        crps_rows(StudentT(dof), ys), crps_integral(StudentT(dof), ys), rtol=1e-8, atol=0
    )


def test_a_cauchy_score_by_its_own_integral():
    """∫₀^∞ (½ − atan(x)/π)² dx twice, in closed form: 2 log 2 / π."""
    assert crps([0.0], StudentT(1.0)) == pytest.approx(2 * np.log(2) / np.pi, rel=1e-10)


def test_tails_too_heavy_for_a_score():
    assert crps([0.0], StudentT(0.5)) == np.inf
    assert crps([0.0], StudentT(0.5)).interval is None


COUNTS = {
    "poisson 0.01": Poisson(0.01),
    "poisson 3": Poisson(3.3),
    "poisson 2000": Poisson(2000.0),
    "binomial": Binomial(7, 0.3),
    "negative binomial": NegativeBinomial(2.0, 0.5),
    "beta binomial": BetaBinomial(5, 1.0, 2.0),
    "bernoulli": Bernoulli(0.3),
    "two poissons": MixtureDistribution([0.4, 0.6], [Poisson(1.0), Poisson(9.0)]),
}


@pytest.mark.parametrize("name", COUNTS)
def test_the_score_of_counts_is_its_sum(name):
    d = COUNTS[name]
    m = float(np.floor(d.mean))
    ys = np.array([-2.0, 0.0, m, m + 0.5, m + 1.0, 3 * m + 40.25])
    k = np.arange(-3, 12_000)
    F = d.cdf(k)
    expected = []
    for y in ys:
        below = np.clip(y - k, 0, 1)
        expected.append(np.sum(below * F**2 + (1 - below) * (1 - F) ** 2))
    np.testing.assert_allclose(crps_rows(d, ys), expected, rtol=1e-9, atol=0)
    np.testing.assert_allclose(crps_counts(d, ys), expected, rtol=1e-9, atol=0)


def pairs(x, y, w, fair=False):
    """E|X − y| − ½ E|X − X′| by all pairs."""
    w = w / w.sum() if not fair else w
    n = w.sum()
    distances = np.sum(w[:, None] * w * np.abs(x[:, None] - x))
    return np.sum(w * np.abs(x - y)) / n - 0.5 * distances / (n * (n - 1) if fair else n * n)


def test_draws_are_scored_by_all_their_pairs():
    x, y = RNG.normal(size=(5, 9)).round(1), RNG.normal(size=5)
    w = np.ones(9)
    np.testing.assert_allclose(
        crps(y, x).rows, [pairs(a, b, w) for a, b in zip(x, y, strict=True)], rtol=1e-12
    )
    expected = [pairs(a, b, w, fair=True) for a, b in zip(x, y, strict=True)]
    np.testing.assert_allclose(crps(y, x, fair=True).rows, expected, rtol=1e-12)
    weight = np.array([1, 2, 0, 3, 1, 1, 1, 4, 2.0])
    expected = [pairs(x[0], b, weight, fair=True) for b in y]
    np.testing.assert_allclose(crps(y, Empirical(x[0], weight), fair=True).rows, expected, rtol=1e-12)
    table = Discrete([1.0, 5.0, 2.0], [0.2, 0.3, 0.5])
    expected = [pairs(np.array([1.0, 5.0, 2.0]), b, np.array([0.2, 0.3, 0.5])) for b in y]
    np.testing.assert_allclose(crps(y, table).rows, expected, rtol=1e-12)


def test_the_fair_score_estimates_that_of_the_distribution():
    """Mean over 10,000 ensembles of four; the standard error is estimated from them."""
    draws = RNG.normal(size=(10_000, 4))
    y, d = np.full(10_000, 0.7), Normal(0.0, 1.0)
    fair, plain = crps(y, draws, fair=True), crps(y, draws)
    error = fair.rows.std() / 100
    assert abs(fair - crps([0.7], d)) < 4 * error
    assert plain - crps([0.7], d) > 10 * error


def test_a_batch_is_its_rows():
    mean, std, y = RNG.normal(size=30), RNG.uniform(0.1, 2, 30), RNG.normal(size=30)
    for d in (
        Normal(mean, std),
        StudentT(np.linspace(0.6, 30, 30), mean, std),
        Gamma(std, 1.0),
        Beta(std, 2.0),
        MixtureDistribution([0.5, 0.5], [Normal(mean, std), StudentT(3.0, mean, 1.0)]),
        Poisson(10 * std),
        Binomial(9, std / 3),
        Empirical(RNG.normal(size=(30, 5))),
    ):
        expected = [float(crps([v], d[i])) for i, v in enumerate(y)]
        np.testing.assert_allclose(crps(y, d).rows, expected, rtol=1e-9, atol=0)


def test_several_targets_are_averaged_by_row():
    mean, y = RNG.normal(size=(6, 2)), RNG.normal(size=(6, 2))
    both = crps(y, Normal(mean, 1.0))
    expected = (crps(y[:, 0], Normal(mean[:, 0], 1.0)).rows + crps(y[:, 1], Normal(mean[:, 1], 1.0)).rows) / 2
    np.testing.assert_allclose(both.rows, expected, rtol=1e-13)


def test_a_point_forecast_scores_its_distance():
    y = np.array([-3.0, 1.0, 1e200])
    for d in (Normal(1.0, 0.0), LaplaceDistribution(1.0, 0.0), Uniform(1.0, 1.0), Empirical([1.0])):
        np.testing.assert_allclose(crps(y, d).rows, np.abs(y - 1.0), rtol=1e-15)


@pytest.mark.parametrize("scale", [1e-200, 1e-5, 1e200])
def test_the_score_has_the_units_of_y(scale):
    y = np.array([-1.0, 0.3, 8.0])
    for make in (lambda s: Normal(s, 2 * s), lambda s: StudentT(4.0, s, 2 * s), lambda s: Uniform(-s, s)):
        np.testing.assert_allclose(
            crps(scale * y, make(scale)).rows, scale * crps(y, make(1.0)).rows, rtol=1e-12, atol=0
        )


@pytest.mark.parametrize(
    "truth", [Normal(0.5, 1.5), Gamma(2.0, 1.0), Poisson(2.5)], ids=lambda d: type(d).__name__
)
def test_no_forecast_beats_the_truth_on_average(truth):
    """Scores are proper; 20,000 draws, paired differences beyond four standard errors."""
    y = truth.sample(20_000, RNG)
    rivals = [Normal(0.5, 1.0), Normal(1.0, 1.5), Normal(float(truth.mean), 4.0)]
    rivals = (
        rivals
        if isinstance(truth, Normal)
        else [
            type(truth)(*f)
            for f in {"Gamma": [(3.0, 1.0), (2.0, 2.0)], "Poisson": [(3.5,), (1.5,)]}[type(truth).__name__]
        ]
    )
    for rival in rivals:
        for score in (crps, log_score):
            gap = score(y, rival).rows - score(y, truth).rows
            assert gap.mean() > 4 * gap.std() / np.sqrt(len(y))


# -- log score -------------------------------------------------------------------------------------------
def test_the_log_score_is_minus_the_log_density():
    y = RNG.normal(size=20)
    score = log_score(y, Normal(0.2, 1.1))
    np.testing.assert_allclose(score.rows, -Normal(0.2, 1.1).log_prob(y), rtol=1e-14)
    assert score == pytest.approx(score.rows.mean(), rel=1e-14)


def test_the_log_score_of_probabilities_is_scikit_learns():
    y = RNG.integers(0, 3, 50)
    P = RNG.dirichlet([1, 2, 3], 50)
    w = RNG.integers(0, 4, 50)
    assert log_score(y, P, sample_weight=w) == pytest.approx(log_loss(y, P, sample_weight=w), rel=1e-12)
    assert log_score(y, Categorical(P)) == pytest.approx(log_loss(y, P), rel=1e-12)
    names = np.array(["cow", "ant", "bee"])[y]
    assert log_score(names, P, classes=["cow", "ant", "bee"]) == pytest.approx(log_loss(y, P), rel=1e-12)
    with pytest.raises(InvalidInput, match="label 'cow', which is not among the classes"):
        log_score(names, P, classes=["ape", "ant", "bee"])


def test_what_was_excluded_scores_infinity():
    score = log_score([1, 0], [0.0, 0.5])
    assert score == np.inf
    assert score.interval is None


# -- Brier -----------------------------------------------------------------------------------------------
def test_brier_is_scikit_learns():
    y, p, w = RNG.integers(0, 2, 80), RNG.random(80), RNG.integers(0, 3, 80)
    assert brier(y, p, sample_weight=w) == pytest.approx(brier_score_loss(y, p, sample_weight=w), rel=1e-12)
    assert brier(y, np.column_stack([1 - p, p])) == pytest.approx(brier_score_loss(y, p), rel=1e-12)
    assert brier(y, p, halve=False) == pytest.approx(2 * brier_score_loss(y, p), rel=1e-12)
    labels, P = RNG.integers(0, 4, 80), RNG.dirichlet(np.ones(4), 80)
    assert brier(labels, P) == pytest.approx(brier_score_loss(labels, P, labels=[0, 1, 2, 3]), rel=1e-12)
    halved = brier_score_loss(labels, P, labels=[0, 1, 2, 3], scale_by_half=True)
    assert brier(labels, P, halve=True) == pytest.approx(halved, rel=1e-12)


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("bins", [1, 3, 10, "forecasts"])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_decomposition_adds_up(strategy, bins, classes):
    y, P = RNG.integers(0, classes, 60), RNG.dirichlet(np.ones(classes), 60).round(1)
    P[:, -1] = 1 - P[:, :-1].sum(axis=1)
    P = np.clip(P, 0, 1)
    score = brier(y, P, bins=bins, strategy=strategy, sample_weight=RNG.integers(0, 4, 60))
    assert score.parts.total == pytest.approx(float(score), rel=1e-12)
    assert min(score.parts.reliability, score.parts.resolution, score.parts.spread) >= 0


def test_equal_forecasts_leave_nothing_inside_bins():
    p = RNG.choice([0.1, 0.4, 0.9], 200)
    y = (RNG.random(200) < p).astype(int)
    parts = brier(y, p, bins="forecasts").parts
    assert parts.spread == 0
    assert parts.covariance == 0
    by_hand = sum(np.mean(p == v) * (v - y[p == v].mean()) ** 2 for v in (0.1, 0.4, 0.9))
    assert parts.reliability == pytest.approx(by_hand, rel=1e-12)
    spread = sum(np.mean(p == v) * (y[p == v].mean() - y.mean()) ** 2 for v in (0.1, 0.4, 0.9))
    assert parts.resolution == pytest.approx(spread, rel=1e-12)
    assert parts.uncertainty == pytest.approx(y.mean() * (1 - y.mean()), rel=1e-12)


def test_brier_of_a_constant_forecast_is_all_uncertainty():
    parts = brier([0, 1, 1, 0], [0.5] * 4).parts
    assert parts.resolution == pytest.approx(0, abs=1e-15)
    assert parts.reliability == pytest.approx(0, abs=1e-15)
    assert parts.total == 0.25
    assert list(parts.frame()["sign"]) == [1, -1, 1, 1, -1]
    assert "reliability" in str(parts)


# -- what comes in ---------------------------------------------------------------------------------------
def test_weights_are_counts():
    y, p, w = RNG.integers(0, 2, 30), RNG.random(30), RNG.integers(0, 3, 30)
    for score in (brier, log_score):
        weighted, repeated = score(y, p, sample_weight=w), score(np.repeat(y, w), np.repeat(p, w))
        assert weighted == pytest.approx(float(repeated), rel=1e-12)
        assert weighted.interval == pytest.approx(repeated.interval, rel=1e-12)
    z = RNG.normal(size=30)
    weighted, repeated = crps(z, Normal(0, 1), sample_weight=w), crps(np.repeat(z, w), Normal(0, 1))
    assert weighted.interval == pytest.approx(repeated.interval, rel=1e-12)


@pytest.mark.parametrize("kind", [list, tuple, np.asarray, pd.Series, pl.Series], ids=lambda k: k.__name__)
def test_any_kind_of_vector(kind):
    assert brier(kind(["no", "yes", "yes"]), kind([0.1, 0.8, 0.6])) == pytest.approx((0.01 + 0.04 + 0.16) / 3)
    assert crps(kind([1.0, 2.0]), Normal(kind([1.0, 2.0]), 1.0)) == pytest.approx(0.2336949, rel=1e-6)


def test_labels_of_any_kind_mean_the_same():
    p = [0.2, 0.9, 0.4]
    expected = brier([0, 1, 1], p)
    assert brier([False, True, True], p) == expected
    assert brier([-1, 1, 1], p) == expected
    assert brier(["spam", "ham", "ham"], p, positive="ham") == expected
    assert brier([2, 0, 0], p, positive=0) == expected
    assert (
        brier(["a", "b", "b"], Categorical(np.column_stack([1 - np.array(p), p]), classes=["a", "b"]))
        == expected
    )
    assert brier([0, 1, 1], Bernoulli(p)) == expected
    assert brier(["a", "c", "c"], p, positive="c") == expected
    assert brier(["a", "c", "b"], p, positive="c").parts.uncertainty == pytest.approx(2 / 9)


def test_one_class_is_scored_where_it_can_be_named():
    assert brier([1, 1], [0.5, 1.0]) == 0.125
    assert brier([0, 0], [0.5, 1.0]) == 0.625
    assert brier(["yes", "yes"], [0.5, 1.0], positive="yes") == 0.125
    with pytest.raises(InvalidInput, match="only the label 'yes'; say with positive="):
        brier(["yes", "yes"], [0.5, 1.0])


def test_one_row_has_a_score_and_no_interval():
    assert crps([0.0], Normal(0, 1)).interval is None
    assert brier([1], [0.25]) == 0.5625
    assert brier([1], [0.25]).interval is None


def test_a_score_is_kept_whole_by_copies():
    score = crps([0.0, 1.0], Normal(0, 1))
    for other in (copy.deepcopy(score), pickle.loads(pickle.dumps(score))):
        assert other == score
        assert other.interval == score.interval
        np.testing.assert_array_equal(other.rows, score.rows)


@pytest.mark.parametrize(
    "call, match",
    [
        (lambda: brier([], []), "y is empty"),
        (lambda: brier([0, 1], [0.5]), "y has 2 rows and probabilities the shape"),
        (lambda: brier([0, 1], [0.5, 1.2]), r"must be in \[0, 1\]; got 1.2 at row 1"),
        (lambda: brier([0, 1], [0.5, np.nan]), "probabilities contains NaN at row 1"),
        (lambda: brier([0, np.nan], [0.5, 0.5]), "y contains NaN at row 1"),
        (lambda: brier(["a", None], [0.5, 0.5]), "y contains NaN at row 1"),
        (lambda: brier([0, 1, 2], [0.5, 0.5, 0.5]), "about one label, and y has 3"),
        (lambda: brier([0, 1], [[0.5, 0.4], [0.5, 0.5]]), "row 0 sums to 0.9"),
        (lambda: brier([0, 1], [[0.5], [0.5]]), "one column"),
        (lambda: brier([0, 1], [[0.2, 0.3, 0.5]] * 2), "give classes= in the order"),
        (lambda: brier([[0, 1]], [[0.5, 0.5]]), "vector of labels"),
        (lambda: brier([0, 1], ["a", "b"]), "probabilities must be numbers"),
        (lambda: brier(["a", "b"], [0.1, 0.2], positive=1), "positive must be a label of y"),
        (lambda: brier([0, 1], [0.5, 0.5], sample_weight=[1]), "one number per row, 2"),
        (lambda: brier([0, 1], [0.5, 0.5], sample_weight=[0, 0]), "not all zero"),
        (lambda: brier([0, 1], [0.5, 0.5], bins=0), "bins must be an integer >= 1"),
        (lambda: brier([0, 1], [0.5, 0.5], strategy="odd"), "strategy must be one of"),
        (lambda: brier([0, 1], [0.5, 0.5], confidence=1.0), "confidence must lie between"),
        (lambda: crps([0.0, np.inf], Normal(0, 1)), "y contains inf at row 1"),
        (lambda: crps([0.0, np.nan], Normal(0, 1)), "y contains NaN at row 1"),
        (lambda: crps([0.0, 1.0], Normal([0.0, 1.0, 2.0], 1.0)), "one forecast per target"),
        (lambda: crps(["a"], Normal(0, 1)), "y must be numbers"),
        (lambda: crps([], Normal(0, 1)), "y is empty"),
        (lambda: crps([0.0], [1.0, 2.0]), "draws must be a table"),
        (lambda: crps([0.0], [[1.0, np.nan]]), "draws contains NaN"),
        (lambda: crps([0.0], [[1.0]], fair=True), "more than one draw"),
        (lambda: crps([0.0, 1.0], [Normal(0, 1), Normal(0, 1)]), "one distribution per fold"),
    ],
)  # fmt: skip
def test_bad_input_is_named(call, match):
    with pytest.raises((InvalidInput, InvalidParameter), match=match):
        call()


@pytest.mark.parametrize(
    "call, match",
    [
        (lambda: crps([0.0], Normal(0, 1), fair=True), "fair=True is for draws"),
        (lambda: crps([0.0, 1.0], MultivariateNormal([0.0, 1.0], np.eye(2))), "univariate"),
        (lambda: crps([0.0], Categorical([0.5, 0.5], classes=["a", "b"])), "classes that are numbers"),
        (lambda: log_score([0.0, 1.0], MultivariateNormal([0.0, 1.0], np.eye(2))), "univariate"),
    ],
)
def test_what_is_not_defined_says_so(call, match):
    with pytest.raises(Unsupported, match=match):
        call()


# -- with models -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "model", [LinearRegression(), BayesianLinearRegression()], ids=lambda m: type(m).__name__
)
def test_validated_distributions_are_scored(model):
    X = RNG.normal(size=(60, 2))
    y = X @ [1.0, -2.0] + RNG.normal(size=60)
    held = cross_validate(model, X, y, cv=5, loss="log")
    assert log_score(y, held.distributions) == pytest.approx(held.estimate, rel=1e-12)
    assert log_score(y, held.distributions).interval == pytest.approx(held.interval, rel=1e-12)
    assert 0.4 < crps(y, held.distributions) < 0.8


# -- coverage --------------------------------------------------------------------------------------------
def _uniform(rng, n, low, high):
    p = rng.uniform(low, high, n)
    return (rng.random(n) < p).astype(int), p


NORMAL_ENTROPY, T_ENTROPY = 0.5 * np.log(2 * np.pi) + 0.5, float(StudentT(5.0).entropy())
SETTINGS = {
    "crps, normal": (lambda rng: crps(rng.normal(size=200), Normal(0, 1)), 1 / np.sqrt(np.pi), 0.02),
    "crps, poisson": (lambda rng: crps(rng.poisson(2.0, 200), Poisson(2.0)), None, 0.02),
    "crps, uniform": (lambda rng: crps(rng.random(200), Uniform(0, 1)), 1 / 6, 0.02),
    "log, normal": (lambda rng: log_score(rng.normal(size=200), Normal(0, 1)), NORMAL_ENTROPY, 0.02),
    "log, exponential": (lambda rng: log_score(rng.exponential(size=200), Gamma(1.0, 1.0)), 1.0, 0.02),
    "log, t": (lambda rng: log_score(rng.standard_t(5, 200), StudentT(5.0)), T_ENTROPY, 0.02),
    "brier, 0 to 1": (lambda rng: brier(*_uniform(rng, 200, 0, 1)), 1 / 6, 0.02),
    "brier, 0.2 to 0.8": (lambda rng: brier(*_uniform(rng, 200, 0.2, 0.8)), 0.25 - 0.36 / 12, 0.02),
    "brier, 0 to 0.2": (lambda rng: brier(*_uniform(rng, 200, 0, 0.2)), 0.1 - 0.04 / 3, 0.02),
}  # fmt: skip


def covered(name, repeats):
    make, truth, slack = SETTINGS[name]
    if truth is None:  # E CRPS = ½ E|X − X′| for a forecast that is right
        k, d = np.arange(60), Poisson(2.0)
        truth = float(np.sum(d.cdf(k) * d.sf(k)))
    rng = np.random.default_rng(7)
    ends = np.array([make(rng).interval for _ in range(repeats)])
    share = np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1]))
    error = np.sqrt(0.95 * 0.05 / repeats)
    assert 0.95 - slack - 3 * error <= share <= 0.95 + slack + 3 * error


@pytest.mark.parametrize("name", SETTINGS)
def test_intervals_cover(name):
    covered(name, 400)


@pytest.mark.long
@pytest.mark.parametrize("name", SETTINGS)
def test_intervals_cover_in_the_long_run(name):
    covered(name, 8000)
