"""Averages of draws, events, evidence by averaging, random walks, the dartboard and the two awkward densities."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import beta, norm

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, NotConverged, NotPositiveDefinite
from suffice.distributions import Binomial, MultivariateNormal, Normal, Uniform
from suffice.distributions import monte_carlo as same_function
from suffice.distributions.expectations.monte_carlo import BLOCK, PLACES
from suffice.inference import dart_score, monte_carlo, narrow_ridge, random_walk, two_modes
from suffice.inference.sampling.darts import RADII, SEGMENTS
from suffice.linear import BayesianLinearRegression

UNIT = Normal(0.0, 1.0)
MANY = 3 * BLOCK + 17


def uniforms(rng, n):
    return rng.random((n, 2))


class TestMean:
    def test_one_function_in_both_rooms(self):
        assert monte_carlo is same_function

    def test_blocks_are_one_average(self):
        found = monte_carlo(lambda x: 1e6 + x, UNIT, MANY, rng=3)
        rng = np.random.default_rng(3)
        x = np.concatenate([UNIT.sample(min(BLOCK, MANY - i), rng) for i in range(0, MANY, BLOCK)]) + 1e6
        assert found.estimate == pytest.approx(x.mean(), rel=1e-15)
        assert found.standard_error == pytest.approx(x.std(ddof=1) / np.sqrt(MANY), rel=1e-8)
        at = found.counts[[1, 300, 700, -1]]
        np.testing.assert_allclose(found.running[[1, 300, 700, -1]], [x[:k].mean() for k in at], rtol=1e-14)
        errors = [x[:k].std(ddof=1) / np.sqrt(k) for k in at]
        np.testing.assert_allclose(found.running_error[[1, 300, 700, -1]], errors, rtol=1e-6)

    def test_many_draws_keep_few_running_estimates(self):
        few, many = (monte_carlo(np.cos, UNIT, n, rng=0) for n in (BLOCK, MANY))
        np.testing.assert_array_equal(few.counts, np.arange(1, BLOCK + 1))
        assert len(many.running) == len(many.running_error) == len(many.counts) == len(many.frame()) <= PLACES
        assert many.n == MANY
        assert (np.diff(many.counts) > 0).all()

    def test_memory_does_not_grow_with_the_draws(self):
        def peak(n):
            tracemalloc.start()
            monte_carlo(lambda u: u[:, 0], uniforms, n, rng=0)
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            return most

        small, large = peak(2 * BLOCK), peak(20 * BLOCK)
        assert large < 1.1 * small

    def test_a_function_draws_whatever_f_takes(self):
        found = monte_carlo(
            lambda pair: pair["a"] * pair["b"],
            lambda rng, n: {"a": rng.random(n), "b": rng.random(n)},
            20_000,
            rng=1,
        )
        assert abs(found.estimate - 0.25) < 4 * found.standard_error

    def test_saved(self, tmp_path):
        found = monte_carlo(np.square, UNIT, 50, rng=0)
        suffice.save(found, tmp_path / "mean.suffice")
        assert suffice.load(tmp_path / "mean.suffice") == found

    @pytest.mark.parametrize(
        ("arguments", "options", "error", "told"),
        [
            ((np.square, UNIT, 1.5), {}, InvalidParameter, "n must be an integer >= 2; got 1.5"),
            (
                (np.square, 3, 10),
                {},
                InvalidParameter,
                "distribution must be a Distribution or a function rng, n",
            ),
            ((np.square, UNIT, 10), {"log": "yes"}, InvalidParameter, "log must be True or False; got 'yes'"),
            ((lambda x: x * np.nan, UNIT, 10), {"log": True}, InvalidInput, "f gave nan"),
            ((lambda x: x + np.inf, UNIT, 10), {"log": True}, InvalidInput, "f gave inf"),
            ((lambda x: x.astype(str), UNIT, 10), {}, InvalidInput, "one number per draw"),
        ],
    )
    def test_bad_input(self, arguments, options, error, told):
        with pytest.raises(error, match=told):
            monte_carlo(*arguments, **options)


class TestEvent:
    def test_jeffreys(self):
        found = monte_carlo(lambda x: x > 1, UNIT, MANY, rng=2)
        hits = round(found.estimate * MANY)
        assert found.kind == "probability"
        ends = beta.ppf([0.025, 0.975], hits + 0.5, MANY - hits + 0.5)
        np.testing.assert_allclose(found.interval, ends, rtol=1e-10)
        assert abs(found.estimate - norm.sf(1)) < 4 * found.standard_error

    def test_what_never_happened_is_not_impossible(self):
        found = monte_carlo(lambda x: x > 9, UNIT, 1000, rng=0)
        assert found.estimate == 0
        assert found.interval[0] == 0
        assert found.interval[1] == pytest.approx(beta.ppf(0.975, 0.5, 1000.5), rel=1e-10)

    def test_numbers_among_booleans_make_a_mean(self):
        blocks = iter((True, False))
        found = monte_carlo(lambda x: x > 1 if next(blocks) else x * 0.0, UNIT, 2 * BLOCK, rng=0)
        assert found.kind == "mean"
        blocks = iter((False, True))
        assert monte_carlo(lambda x: x > 1 if next(blocks) else x, UNIT, 2 * BLOCK, rng=0).kind == "mean"

    def test_pi(self):
        found = monte_carlo(lambda u: (u**2).sum(1) <= 1, uniforms, 100_000, rng=0)
        assert found.interval[0] < np.pi / 4 < found.interval[1]

    def test_intervals_cover(self):
        low, high = np.transpose(
            [monte_carlo(lambda u: u < 0.1, Uniform(0, 1), 60, rng=s).interval for s in range(400)]
        )
        # exact coverage of Jeffreys' interval at 60 draws of probability 0.1
        m = np.arange(61)
        ends = np.stack([beta.ppf(q, m + 0.5, 60.5 - m) for q in (0.025, 0.975)])
        exact = Binomial(60, 0.1).prob(m)[(ends[0] <= 0.1) & (ends[1] >= 0.1)].sum()
        assert abs(((low <= 0.1) & (high >= 0.1)).mean() - exact) < 4 * np.sqrt(exact * (1 - exact) / 400)


class TestLogMean:
    def test_against_the_plain_sum(self):
        found = monte_carlo(lambda x: -(x**2) - 1000, UNIT, MANY, rng=4, log=True)
        rng = np.random.default_rng(4)
        x = np.concatenate([UNIT.sample(min(BLOCK, MANY - i), rng) for i in range(0, MANY, BLOCK)])
        w = np.exp(-(x**2))
        assert found.estimate == pytest.approx(np.log(w.mean()) - 1000, rel=1e-13)
        assert found.standard_error == pytest.approx(w.std(ddof=1) / np.sqrt(MANY) / w.mean(), rel=1e-8)
        assert found.effective == pytest.approx(w.sum() ** 2 / (w**2).sum(), rel=1e-6)
        k = found.counts[700]
        assert found.running[700] == pytest.approx(np.log(w[:k].mean()) - 1000, rel=1e-13)
        assert abs(found.estimate + 1000 + 0.5 * np.log(3)) < 4 * found.standard_error

    @pytest.mark.parametrize("steps", [(-np.inf, 0.0), (0.0, 2000.0), (2000.0, 0.0), (0.0, 250.0, 450.0)])
    def test_later_blocks_far_above_the_first(self, steps):
        """The level of each block jumps: weights of the first are −inf, or beyond the range of a float."""
        logs = np.repeat(steps, BLOCK) + np.random.default_rng(0).normal(size=len(steps) * BLOCK)
        at = iter(range(0, len(logs), BLOCK))
        found = monte_carlo(lambda v: v, lambda rng, n: logs[next(at) :][:n], len(logs), log=True)
        assert found.estimate == pytest.approx(logsumexp(logs) - np.log(len(logs)), rel=1e-12)
        effective = np.exp(2 * logsumexp(logs) - logsumexp(2 * logs))
        assert found.effective == pytest.approx(effective, rel=1e-9)

    def test_equal_logs_have_no_error(self):
        found = monte_carlo(lambda x: np.full(len(x), -5000.0), UNIT, 100, rng=0, log=True)
        assert (found.estimate, found.standard_error, found.effective) == (-5000.0, 0.0, 100.0)

    def test_evidence_of_a_line(self):
        """PRML 3.68 against the closed form."""
        rng = np.random.default_rng(5)
        x = rng.uniform(-1, 1, 6)
        y = 0.3 + 0.8 * x + 0.5 * rng.normal(size=6)
        model = BayesianLinearRegression(1.0, noise_precision=4.0, intercept="prior").fit(x[:, None], y)
        Phi = np.column_stack([np.ones(6), x])
        log_likelihood = lambda w: norm.logpdf(y, w @ Phi.T, 0.5).sum(axis=1)  # noqa: E731
        prior = MultivariateNormal(np.zeros(2), np.eye(2))
        found = monte_carlo(log_likelihood, prior, 100_000, rng=0, log=True)
        assert found.standard_error < 0.02
        assert abs(found.estimate - model.log_evidence_) < 4 * found.standard_error

    def test_a_mean_that_rests_on_one_draw(self):
        with pytest.warns(NotConverged, match=r"rests on 1(\.\d+)? of them"):
            monte_carlo(lambda x: -1e6 * (x - 2) ** 2, UNIT, 100, rng=0, log=True)
        with pytest.warns(NotConverged, match="rests on 0 of them"):
            found = monte_carlo(lambda x: np.full(len(x), -np.inf), UNIT, 100, rng=0, log=True)
        assert found.estimate == -np.inf


class TestRandomWalk:
    def test_places_and_steps(self):
        walk = random_walk([2.0, 2.0], 0.1, 20_000, 0)
        steps = np.diff(walk, axis=0)
        assert walk.shape == (20_001, 2)
        np.testing.assert_array_equal(walk[0], [2, 2])
        # standard errors: of a mean √(0.1/n), of a variance 0.1 √(2/n), of a covariance 0.1/√n
        assert np.abs(steps.mean(axis=0)).max() < 4 * np.sqrt(0.1 / 20_000)
        np.testing.assert_allclose(np.cov(steps.T), 0.1 * np.eye(2), atol=4 * 0.1 * np.sqrt(2 / 20_000))

    def test_a_walk_from_elsewhere_is_moved(self):
        here, there = random_walk([0.0, 0.0], 1.0, 50, 3), random_walk([5.0, -2.0], 1.0, 50, 3)
        np.testing.assert_allclose(there - here, np.tile([5.0, -2.0], (51, 1)), rtol=1e-12)
        np.testing.assert_array_equal(random_walk([2.0], 0.0, 3), [[2.0]] * 4)

    def test_variance_grows_with_the_steps(self):
        cov = np.array([[1.0, 0.6], [0.6, 2.0]])
        walks = random_walk(np.ones((4000, 2)), cov, 50, 1)
        assert walks.shape == (4000, 51, 2)
        for s in (1, 10, 50):
            np.testing.assert_allclose(np.cov(walks[:, s].T) / s, cov, atol=4 * 2 * np.sqrt(2 / 4000))
        gaps = np.corrcoef(walks[:2, 1:].reshape(2, -1))[0, 1]
        assert abs(gaps) < 1 - 1e-6  # two walks, not one twice

    def test_any_dimension_and_none(self):
        assert random_walk([1.0], 2, 3, 0).shape == (4, 1)
        np.testing.assert_array_equal(random_walk([1.0, 2.0], np.eye(2), 0), [[1.0, 2.0]])
        flat = random_walk(np.zeros(3), np.diag([1.0, 0.0, 1.0]), 100, 0)
        assert (flat[:, 1] == 0).all()
        assert (flat[1:, 0] != 0).all()

    @pytest.mark.parametrize(
        ("arguments", "error", "told"),
        [
            ((1.0, 1.0, 3), InvalidParameter, r"start must be finite numbers of shape \(D,\)"),
            (([np.nan], 1.0, 3), InvalidParameter, "start must be finite"),
            (([0.0, 0.0], np.eye(3), 3), InvalidParameter, r"a matrix \(2, 2\) as start has 2 coordinates"),
            (([0.0, 0.0], [[1.0, 0.5], [0.0, 1.0]], 3), NotPositiveDefinite, "cov must be symmetric"),
            (([0.0, 0.0], -1.0, 3), NotPositiveDefinite, "cov must be positive semi-definite"),
            (([0.0, 0.0], np.inf, 3), InvalidParameter, "cov must be a finite number"),
            (([0.0], 1.0, -1), InvalidParameter, "n must be an integer >= 0; got -1"),
        ],
    )
    def test_bad_input(self, arguments, error, told):
        with pytest.raises(error, match=told):
            random_walk(*arguments)


class TestDarts:
    def test_every_segment_and_ring(self):
        turn = np.radians(18.0 * np.arange(20))
        for radius, factor in ((50, 1), (103, 3), (130, 1), (166, 2), (171, 0)):
            scores = dart_score(radius * np.sin(turn), radius * np.cos(turn))
            np.testing.assert_array_equal(scores, factor * np.array(SEGMENTS))
        np.testing.assert_array_equal(dart_score(5.0 * np.sin(turn), 5.0 * np.cos(turn)), 50)
        np.testing.assert_array_equal(dart_score(10.0 * np.sin(turn), 10.0 * np.cos(turn)), 25)

    def test_edges_of_a_segment(self):
        for degrees, score in ((8.9, 20), (9.1, 1), (-8.9, 20), (-9.1, 5), (180.0, 3)):
            assert dart_score(50 * np.sin(np.radians(degrees)), 50 * np.cos(np.radians(degrees))) == score

    def test_edges_of_the_rings(self):
        edges = {6.35: (50, 25), 15.9: (25, 20), 99: (20, 60), 107: (60, 20), 162: (20, 40), 170: (40, 0)}
        for radius, scores in edges.items():
            assert (dart_score(0.0, radius - 0.01), dart_score(0.0, radius + 0.01)) == scores
            assert dart_score(0.0, radius) == scores[1]  # a wire belongs to what lies farther out

    def test_each_number_once(self):
        assert sorted(SEGMENTS) == list(range(1, 21))

    def test_areas(self):
        """Darts that land anywhere on the board score the mean over areas."""
        b, s, t1, t2, d1, d2 = np.square(RADII) / RADII[-1] ** 2
        mean = 50 * b + 25 * (s - b) + 10.5 * (t1 - s + 3 * (t2 - t1) + d1 - t2 + 2 * (d2 - d1))

        def anywhere(rng, n):
            radius, turn = RADII[-1] * np.sqrt(rng.random(n)), 2 * np.pi * rng.random(n)
            return radius * np.sin(turn), radius * np.cos(turn)

        found = monte_carlo(lambda at: dart_score(*at), anywhere, 200_000, rng=0)
        assert abs(found.estimate - mean) < 4 * found.standard_error

    def test_bad_input(self):
        with pytest.raises(InvalidInput, match="a dart lands somewhere"):
            dart_score(np.nan, 0.0)
        with pytest.raises(InvalidParameter, match="x must be made of numbers; got 'left'"):
            dart_score("left", 0.0)


class TestAwkward:
    def test_moments(self):
        draws = two_modes().sample(20_000, np.random.default_rng(0))
        np.testing.assert_allclose(draws.mean(axis=0), [0.5, 0.5], atol=4 * np.sqrt(2.3 / 20_000))
        np.testing.assert_allclose(two_modes(0.2).cov, [[2.45, 2.25], [2.25, 2.45]], rtol=1e-12)
        assert two_modes().log_prob([2.0, 2.0]) == pytest.approx(np.log(0.5 / (2 * np.pi * 0.05)), rel=1e-12)
        np.testing.assert_array_equal(narrow_ridge(-0.5).cov, [[1.0, -0.5], [-0.5, 1.0]])

    def test_bad_input(self):
        with pytest.raises(InvalidParameter, match="variance must be a number > 0; got 0"):
            two_modes(0)
        with pytest.raises(InvalidParameter, match="correlation must lie between −1 and 1; got 1.0"):
            narrow_ridge(1.0)


def test_functions_of_several_values_have_an_error_for_each():
    """The same draws, numbers and intervals as one function at a time."""
    d = Normal(1.0, 2.0)
    both = monte_carlo(lambda x: np.column_stack([x, x**2]), d, 70_000, rng=3)
    apart = [monte_carlo(f, d, 70_000, rng=3) for f in (lambda x: x, lambda x: x**2)]
    np.testing.assert_allclose(both.estimate, [a.estimate for a in apart], rtol=1e-13)
    np.testing.assert_allclose(both.standard_error, [a.standard_error for a in apart], rtol=1e-12)
    np.testing.assert_allclose(both.interval, np.transpose([a.interval for a in apart]), rtol=1e-12)
    np.testing.assert_allclose(both.running, np.column_stack([a.running for a in apart]), rtol=1e-12)
    assert list(both.frame().columns) == [
        "draws",
        "estimate 0",
        "estimate 1",
        "standard_error 0",
        "standard_error 1",
    ]
    events = monte_carlo(lambda x: np.column_stack([x > 1, x > 100]), d, 1000, rng=0)
    assert events.kind == "probability"
    assert events.interval[0][1] == 0.0
    assert 0 < events.interval[1][1] < 0.01
    with pytest.raises(InvalidInput, match=r"one number per draw, shape \(5,\); got shape \(5, 1\)"):
        monte_carlo(lambda x: x[:, None], d, 5, log=True)
