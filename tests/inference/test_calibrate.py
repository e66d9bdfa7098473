"""Simulation-based calibration: ranks, their tests and limits against enumeration; what is found out, what fails."""

from itertools import pairwise, product
from types import SimpleNamespace

import joblib
import numpy as np
import pytest
from scipy.stats import binom, chisquare, multinomial
from sklearn.base import BaseEstimator

from suffice._core.errors import (
    FitFailed,
    InvalidInput,
    InvalidParameter,
    NotConverged,
    NumericalError,
    Unsupported,
)
from suffice._core.random import streams
from suffice.distributions import Discrete, MultivariateNormal, Normal
from suffice.evaluation import holm
from suffice.inference import Calibration, Samples, calibrate
from suffice.inference.calibrating import uniform_ranks as uniform


def simulate(rng):
    """μ ~ N(0, 1), three numbers around it with standard deviation one."""
    mean = rng.standard_normal()
    return mean, (mean + rng.standard_normal(3),)


def normal_posterior(x, width=1.0, shift=0.0):
    """N(Σx/4, 1/4), and what is wrong with it."""
    return Normal(x.sum() / 4 + shift, width / 2)


# -- the statistics of ranks -------------------------------------------------------------------------------
def test_ranks_count_the_draws_below_and_break_ties_at_random():
    draws = np.array([[1.0, 5.0, 2.0], [2.0, 6.0, 2.0], [3.0, 7.0, 2.0]])
    rng = np.random.default_rng(0)
    many = np.array([uniform.truth_ranks(np.array([2.5, 5.0, 2.0]), draws, rng) for _ in range(3000)])
    assert np.all(many[:, 0] == 2)
    assert set(many[:, 1]) == {0, 1}
    counts = np.bincount(many[:, 2], minlength=4)
    assert counts.shape == (4,)
    assert chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("n", [20, 57, 200, 5000])
@pytest.mark.parametrize("draws", [9, 19, 99, 100, 255])
def test_bins_are_filled_and_even_where_that_is_possible(n, draws):
    edges = uniform.bin_edges(n, draws)
    widths = np.diff(edges)
    assert (edges[0], edges[-1]) == (0, draws + 1)
    assert n * widths.min() / (draws + 1) >= 4  # five of equally wide bins, a little less where they are not
    assert 2 <= len(widths) <= 20
    if draws in (19, 99, 255):
        assert len(set(widths)) == 1


@pytest.mark.parametrize("draws", [99, 100])
def test_chi_square_is_scipys(draws):
    ranks = np.random.default_rng(1).integers(0, draws + 1, (150, 2))
    edges = uniform.bin_edges(150, draws)
    for j, (stat, p) in enumerate(zip(*uniform.chi_square(ranks, draws), strict=True)):
        observed = [int(np.sum((ranks[:, j] >= a) & (ranks[:, j] < b))) for a, b in pairwise(edges)]
        theirs = chisquare(observed, 150 * np.diff(edges) / (draws + 1))
        np.testing.assert_allclose([stat, p], theirs, rtol=1e-12)


def test_holm_is_that_of_evaluation():
    p = np.array([0.04, 0.001, 0.5, 0.01])
    np.testing.assert_allclose(uniform.holm_adjusted(p), holm(p).adjusted, rtol=1e-15)


@pytest.mark.parametrize("draws", [9, 10, 99])
def test_scores_of_shape_have_mean_zero_and_variance_one_under_uniform_ranks(draws):
    every = np.arange(draws + 1)[:, None]
    scores = np.array([[s[0] for s in uniform.shape_scores(every[[r]], draws)] for r in range(draws + 1)])
    np.testing.assert_allclose(scores.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(np.mean(scores**2, axis=0), 1, rtol=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.987])
@pytest.mark.parametrize("draws", [9, 10, 99])
def test_uniform_ranks_are_covered_as_promised(level, draws):
    assert uniform.inside(np.arange(draws + 1), draws, level).mean() == pytest.approx(level, abs=1e-14)


def test_probability_between_limits_is_that_of_all_tables():
    z, n, low, high = np.array([0.2, 0.5, 0.7]), 6, np.array([0, 1, 3]), np.array([2, 4, 5])
    parts = np.diff([0.0, *z, 1.0])
    total = 0.0
    for cell in product(range(n + 1), repeat=3):
        below = np.cumsum(cell)
        if below[-1] <= n and np.all((low <= below) & (below <= high)):
            total += multinomial.pmf([*cell, n - below[-1]], n, parts)
    assert uniform.probability_inside(n, z, low, high) == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("n", [40, 150])
def test_simultaneous_limits_hold_their_level_and_no_more(n):
    z = np.arange(1, 20) / 20
    low, high = uniform.simultaneous_limits(n, tuple(z.tolist()), 0.95)
    assert 0.95 <= uniform.probability_inside(n, z, low, high) < 0.97
    widest = uniform.binomial_limits(n, z, 0.05 / 2 / len(z))  # Bonferroni
    single = uniform.binomial_limits(n, z, 0.05 / 2)
    assert np.all((widest[0] <= low) & (low <= single[0]) & (single[1] <= high) & (high <= widest[1]))
    assert np.sum(high - low) < np.sum(widest[1] - widest[0])


def test_binomial_limits_are_scipys():
    p = np.array([0.05, 0.4, 0.9])
    low, high = uniform.binomial_limits(37, p, 0.005)
    assert np.all(binom.cdf(low - 1, 37, p) <= 0.005)
    assert np.all(binom.cdf(low, 37, p) > 0.005)
    assert np.all(binom.sf(high, 37, p) <= 0.005)
    assert np.all(binom.sf(high - 1, 37, p) > 0.005)


def test_right_posteriors_are_called_wrong_in_one_of_a_hundred():
    """2000 experiments with two parameters: within four binomial errors, and χ² is an approximation."""
    ranks = np.random.default_rng(3).integers(0, 100, (2000, 200, 2))
    wrong = np.mean([not Calibration(r, 99, ("a", "b")).calibrated() for r in ranks])
    assert wrong < 0.01 + 4 * np.sqrt(0.01 * 0.99 / 2000)
    assert wrong > 0.001


# -- the record --------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def right():
    return calibrate(normal_posterior, simulate, 300, names=["mean"], random_state=1)


def test_an_exact_posterior_is_calibrated(right):
    assert right.calibrated()
    assert "No sign of miscalibration (300 simulations, 99 draws, p = " in right.verdict
    assert right.p_value == right.p_values[0] == right.adjusted[0]
    held = right.coverage(0.9)
    assert held.low[0] < 0.9 < held.high[0]
    assert "90 % intervals hold mean 0." in repr(held)
    assert repr(right).startswith("Calibration(300 simulations, 99 draws, 1 parameters, p = ")


@pytest.mark.parametrize(
    ("wrong", "words", "tails"),
    [
        ({"width": 0.6}, "mean: posteriors are too narrow", "many"),
        ({"width": 1.8}, "mean: posteriors are too wide", "few"),
        ({"shift": 0.25}, "mean: posteriors lie too high", None),
        ({"shift": -0.25}, "mean: posteriors lie too low", None),
    ],
)
def test_the_shape_says_what_is_wrong(wrong, words, tails):
    found = calibrate(lambda x: normal_posterior(x, **wrong), simulate, 200, names=["mean"], random_state=2)
    assert not found.calibrated()
    assert f"Not calibrated (200 simulations, 99 draws, p < 0.001). {words}" in found.verdict
    assert words.removeprefix("mean: ") in found.frame()["shape"][0]
    curve, bars = found.curve(), found.histogram()
    assert np.any((curve.difference[:, 0] < curve.low) | (curve.difference[:, 0] > curve.high))
    if tails == "many":
        assert bars.counts[0, 0] > bars.high[0]
        assert found.coverage(0.95).high[0] < 0.95
    if tails == "few":
        assert bars.counts[[0, -1], 0].sum() < bars.low[[0, -1]].sum()
        assert found.coverage(0.5).low[0] > 0.5


def test_histogram_and_curve_are_counts(right):
    bars, curve = right.histogram(10), right.curve()
    assert bars.counts.sum() == 300
    np.testing.assert_array_equal(bars.edges, np.arange(0, 101, 10))
    np.testing.assert_array_equal(bars.counts[:, 0], np.histogram(right.ranks, bars.edges)[0])
    np.testing.assert_allclose(bars.expected, 30, rtol=1e-15)
    below = [np.mean(right.ranks[:, 0] < at) for at in np.round(100 * curve.at)]
    np.testing.assert_allclose(curve.difference[:, 0], np.array(below) - curve.at, atol=1e-12)
    assert np.all((curve.low < curve.difference[:, 0]) & (curve.difference[:, 0] < curve.high))


def test_a_frame_has_a_row_per_parameter(right):
    assert list(right.frame()["parameter"]) == ["mean"]
    assert right.frame("polars").shape == (1, 9)


@pytest.mark.parametrize(
    ("ranks", "names", "match"),
    [
        (np.zeros(5), ("a",), "ranks must be whole numbers"),
        (np.full((5, 1), 0.5), ("a",), "ranks must be whole numbers"),
        (np.full((5, 1), 10), ("a",), "ranks among 9 draws lie in 0 … 9; got 10 to 10"),
        (np.zeros((5, 2)), ("a",), "names must be 2 names"),
    ],
)
def test_ranks_that_are_none(ranks, names, match):
    with pytest.raises(InvalidParameter, match=match):
        Calibration(ranks, 9, names)


@pytest.mark.parametrize("bins", [1, 101, 2.5])
def test_bins_that_are_none(right, bins):
    with pytest.raises(InvalidParameter, match="bins must be an integer from 2 to 100"):
        right.histogram(bins)
    for ask in (right.coverage, right.calibrated, right.curve):
        with pytest.raises(InvalidParameter, match="level must lie between 0 and 1"):
            ask(1.0)


# -- simulations -------------------------------------------------------------------------------------------
def test_ranks_are_those_of_a_loop():
    """One simulation by hand, from the streams the docstring describes."""
    found = calibrate(normal_posterior, simulate, 20, random_state=5)
    for k, rng in enumerate(streams(5, 20)):
        for_data, _, for_draws, _ = rng.spawn(4)
        mean, (x,) = simulate(for_data)
        assert found.ranks[k, 0] == np.sum(normal_posterior(x).sample(99, for_draws) < mean)


def test_ranks_do_not_depend_on_the_number_of_workers(right):
    with joblib.parallel_config(backend="threading"):
        again = calibrate(normal_posterior, simulate, 300, names=["mean"], random_state=1, n_jobs=3)
    assert again == right


def test_progress_is_told_after_each_simulation():
    told = []
    calibrate(normal_posterior, simulate, 20, random_state=0, progress=lambda *at: told.append(at))
    assert told == [(k, 20) for k in range(1, 21)]


def test_discrete_parameters_have_ties_and_uniform_ranks():
    values, share = np.arange(3.0), np.array([0.2, 0.5, 0.3])

    def game(rng):
        k = rng.choice(3, p=share)
        return float(k), (k + rng.standard_normal(),)

    def belief(x, prior=share):
        w = prior * np.exp(-((x - values) ** 2) / 2)
        return Discrete(values, w / w.sum())

    assert calibrate(belief, game, 200, draws=19, random_state=0).calibrated()
    assert not calibrate(
        lambda x: belief(x, np.array([0.7, 0.2, 0.1])), game, 200, draws=19, random_state=0
    ).calibrated()


def test_parameters_in_parts_are_put_side_by_side():
    def two(rng):
        pair = rng.standard_normal(2)
        return (pair[0], pair[1:]), (pair + rng.standard_normal(2),)

    draws = lambda x: SimpleNamespace(  # noqa: E731
        sample=lambda n, rng: (
            x[0] / 2 + rng.standard_normal(n) / np.sqrt(2),
            x[1] / 2 + rng.standard_normal((n, 1)),
        )
    )
    found = calibrate(draws, two, random_state=0)
    assert found.names == ("theta0", "theta1")
    np.testing.assert_array_equal(found.adjusted < 0.01, [False, True])  # the second is too wide


class Seeded(BaseEstimator):
    """Draws of the posterior with its own seed."""

    def __init__(self, seed=0, scale=1.0):
        self.seed, self.scale = seed, scale

    def fit(self, x):
        z = np.random.default_rng(self.seed).standard_normal((99, 1))
        self.posterior_ = x.sum() / 4 + self.scale * z / 2
        return self


def test_estimators_are_cloned_and_given_seeds():
    model = Seeded(seed=7)
    assert calibrate(model, simulate, 200, random_state=0).calibrated()
    assert model.seed == 7
    assert not hasattr(model, "posterior_")
    stubborn = calibrate(lambda x: Seeded(seed=7).fit(x).posterior_, simulate, 1000, random_state=0)
    assert not stubborn.calibrated()  # why seeds are needed: the same quantiles every time


def test_functions_may_ask_for_a_generator_and_posteriors_be_chosen():
    def sampler(x, rng):
        return SimpleNamespace(draws=normal_posterior(x).sample(99, rng))

    found = calibrate(
        sampler, simulate, posterior=lambda fitted: np.exp(fitted.draws[:, None]), random_state=0
    )
    assert not found.calibrated()
    exponential = lambda rng: (lambda mean, data: (np.exp(mean), data))(*simulate(rng))  # noqa: E731
    found = calibrate(
        sampler, exponential, posterior=lambda fitted, rng: np.exp(fitted.draws[:, None]), random_state=0
    )
    assert found.calibrated()


# -- chains ------------------------------------------------------------------------------------------------
def chains(x, rng, carry=0.0, n_draws=100):
    """Two chains with that autocorrelation around the posterior."""
    z = rng.standard_normal((2, n_draws, 1))
    for t in range(1, n_draws):
        z[:, t] = carry * z[:, t - 1] + np.sqrt(1 - carry**2) * z[:, t]
    return Samples(x.sum() / 4 + z / 2)


def test_draws_of_chains_are_spread_evenly_over_them():
    """One chain for each of two stretches of numbers: the rank of a number between them says how many are of each."""
    values = np.random.default_rng(0).permutation(20.0 * np.arange(20)).reshape(1, 20, 1) / 400
    both = Samples(np.concatenate([values, values + 1]))
    with pytest.warns(NotConverged, match="In 20 of 20 simulations: The chains are worth"):
        found = calibrate(lambda: both, lambda rng: (1.0 - 1e-9, ()), 20, draws=10, random_state=0)
    np.testing.assert_array_equal(found.ranks, 5)


def test_independent_draws_in_chains_are_calibrated():
    assert calibrate(chains, simulate, 60, draws=19, random_state=0).calibrated()


def test_chains_worth_too_little_are_named():
    with pytest.warns(
        NotConverged, match=r"In \d+ of 20 simulations: The chains are worth \d+ independent draws"
    ):
        calibrate(lambda x, rng: chains(x, rng, 0.95), simulate, 20, draws=99, random_state=0)
    with pytest.raises(NumericalError, match="10 draws of chains are fewer than draws=99"):
        calibrate(lambda x, rng: chains(x, rng, n_draws=5), simulate, 20, random_state=0)


# -- failures ----------------------------------------------------------------------------------------------
def fragile(x):
    if x[0] > 1.5:
        raise ValueError("too large")
    return normal_posterior(x)


def test_failed_fits_are_counted_and_can_be_repeated():
    with pytest.warns(
        FitFailed, match=r"\d+ of 60 fits failed and have no ranks. The first is simulation \d+: Val"
    ):
        found = calibrate(fragile, simulate, 60, random_state=4)
    assert 0 < len(found.failures) < 30
    assert found.n == len(found.ranks) == 60 - len(found.failures)
    assert f"{len(found.failures)} of 60 fits failed" in found.verdict
    for failure in found.failures:
        assert "ValueError: too large" in str(failure)
        _, (x,) = eval(failure.repeat, {"simulate": simulate, "np": np})  # what the message says to do
        assert x[0] > 1.5


def test_more_failures_than_ranks_are_an_error():
    def hopeless(x):
        raise ArithmeticError("singular")

    with pytest.raises(
        NumericalError, match="20 of 20 fits failed. The first is simulation 0: ArithmeticError: sing"
    ):
        calibrate(hopeless, simulate, 20, random_state=0)


def test_mistakes_in_the_program_are_not_counted_as_failures():
    with pytest.raises(TypeError, match="positional argument"):
        calibrate(lambda x, y: Normal(0, 1), simulate, 20, random_state=0)


# -- bad input ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "match"),
    [
        (
            {"model": Normal},
            r"model must be an estimator or a function; got the class Normal. Write Normal\(…\)",
        ),
        ({"model": 3}, "model must have fit or be a function of the data; got 3"),
        ({"simulate": 3}, "simulate must be a function of a random generator; got 3"),
        ({"n": 19}, "n must be an integer >= 20; got 19"),
        ({"n": 20.5}, "n must be an integer >= 20; got 20.5"),
        ({"draws": 5}, "draws must be an integer >= 9; got 5"),
        ({"draws": True}, "draws must be an integer >= 9; got True"),
        ({"names": ["a", "b"]}, r"names must be 1 names, one per parameter; got \['a', 'b'\]"),
        ({"names": "a"}, "names must be 1 names, one per parameter; got 'a'"),
        ({"random_state": -1}, "random_state must be >= 0"),
    ],
)
def test_bad_parameters(change, match):
    given = {"model": normal_posterior, "simulate": simulate, "n": 20, "random_state": 0} | change
    with pytest.raises(InvalidParameter, match=match):
        calibrate(**given)


@pytest.mark.parametrize(
    ("bad", "match"),
    [
        (lambda rng: np.zeros(3), r"simulate must return \(theta, data\); got ndarray in simulation 0"),
        (lambda rng: (np.nan, np.zeros(3)), "simulate must give finite parameters; got .* in simulation 0"),
        (lambda rng: ([], np.zeros(3)), "simulate must give finite parameters"),
        (
            lambda rng: (np.zeros(2), np.zeros(3)),
            r"simulate gives 2 parameters and draws=99, but .* shape \(99, 1\)",
        ),
    ],
)
def test_bad_simulations(bad, match):
    with pytest.raises(InvalidInput, match=match):
        calibrate(normal_posterior, bad, 20, random_state=0)


def test_parameters_must_be_the_same_every_time():
    def growing(rng):
        theta = np.zeros(1 + (rng.random() > 0.9))
        return theta, (len(theta),)

    with pytest.raises(InvalidInput, match=r"got 1 in simulation 0 and 2 in simulation \d+"):
        calibrate(lambda d: MultivariateNormal(np.zeros(d), np.eye(d)), growing, 40, random_state=1)


def test_draws_of_another_number_are_refused():
    with pytest.raises(InvalidInput, match=r"draws=99, but the posterior gives draws of shape \(50, 1\)"):
        calibrate(lambda x: np.zeros((50, 1)), simulate, 20, random_state=0)


def test_an_estimator_without_a_posterior_says_what_to_do():
    class Bare(BaseEstimator):
        def fit(self, x):
            return self

    with pytest.raises(NumericalError, match="Bare has no posterior_; say where it is with posterior="):
        calibrate(Bare(), simulate, 20, random_state=0)
    assert issubclass(Unsupported, TypeError)
