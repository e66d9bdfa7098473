"""What the texts claim about probability, as laws or simulations. The ids are those of the claims.

FCML: Rogers & Girolami, chapters 2 and 3. DTU: chapters 5 and 6. H: Herbst & du Preez, chapters 1 and 2.
L3: the lecture on classification. Claims that are laws of every distribution are tested with those.
"""

from itertools import pairwise

import numpy as np
import pytest
from scipy.special import ndtr

from suffice.datasets import coin_tosses
from suffice.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Discrete,
    JointTable,
    MultivariateNormal,
    Normal,
    StudentT,
    Uniform,
    detector,
    inverse_cdf_sample,
    robbins_monro,
)
from suffice.distributions.decision import boundary, error_probability
from suffice.distributions.information import entropy

PRIORS = {"ignorant": Beta(1, 1), "fair": Beta(50, 50), "biased": Beta(5, 1)}


def customers():
    """The twenty tosses of the two customers, heads as one."""
    data = coin_tosses()
    return data.y[10:].astype(int)


def path(prior, tosses):
    return [prior, *(prior.posterior(tosses[: n + 1]) for n in range(len(tosses)))]


# -- the coin (FCML chapter 3) ------------------------------------------------------------------------
def test_fcml_10_a_surprising_toss_widens_the_posterior():
    rises = {
        name: [n for n, (a, b) in enumerate(pairwise(p), start=1) if b.var > a.var]
        for name, p in ((k, path(prior, customers())) for k, prior in PRIORS.items())
    }
    assert rises == {"ignorant": [7], "fair": [], "biased": [2, 7, 8, 9, 13, 14]}


def test_fcml_11_a_strong_prior_barely_moves_and_evidence_ranks():
    tosses = customers()
    moved = {k: abs(p.posterior(tosses).mean - p.mean) for k, p in PRIORS.items()}
    assert moved["fair"] < 0.04 < 0.1 < min(moved["ignorant"], moved["biased"])
    evidence = {k: p.log_evidence(14, n=20) for k, p in PRIORS.items()}
    assert evidence["biased"] > evidence["ignorant"] > evidence["fair"]


def test_fcml_12_weak_priors_agree_long_before_a_strong_one():
    heads = Bernoulli(0.7).sample(1000, rng=3)
    r = np.linspace(0, 1, 20001)[1:-1]

    def distance(a, b, n):
        p, q = (PRIORS[k].posterior(heads[:n]).prob(r) for k in (a, b))
        return 0.5 * np.sum(np.abs(p - q)) * (r[1] - r[0])

    for n in (100, 1000):
        assert distance("ignorant", "biased", n) < 0.3 * distance("ignorant", "fair", n)
    assert distance("ignorant", "biased", 1000) < 0.06 < 0.3 < distance("ignorant", "fair", 1000)


def test_fcml_13_the_plug_in_gap_is_not_monotone():
    gaps = [
        abs(p.predictive(n=10).cdf(6) - Binomial(10, p.mean).cdf(6))
        for p in path(PRIORS["ignorant"], customers())
    ]
    assert gaps[2] == pytest.approx(0.1428, abs=5e-5)
    assert gaps[7] == pytest.approx(0.0041, abs=5e-5)
    assert gaps[9] == pytest.approx(0.0685, abs=5e-5)


def test_fcml_23_a_density_may_exceed_one_and_a_likelihood_is_no_density():
    assert Normal(4, 0.3).prob(4.0) > 1
    r = np.linspace(0, 1, 200001)
    for n, y in ((10, 6), (100, 70)):
        area = np.trapezoid(Binomial(n, r).prob(y), r)
        assert area == pytest.approx(1 / (n + 1), rel=1e-8)


def test_h_12_the_predictive_tends_to_the_relative_frequency():
    for scale in (1e2, 1e4, 1e6):
        p = Beta(2.0, 5.0).posterior(0.3 * scale, n=scale).predictive().p
        assert abs(p - 0.3) < 3 / scale


# -- tables and samples (DTU chapter 5) ---------------------------------------------------------------
def test_dtu_21_independence_and_conditional_independence_do_not_imply_each_other():
    coins = np.zeros((2, 2, 2))  # x, y fair and independent, z = x xor y
    for x in range(2):
        for y in range(2):
            coins[x, y, x ^ y] = 0.25
    table = JointTable(coins, ["x", "y", "z"])
    assert table.independent("x", "y")
    assert not table.independent("x", "y", given="z")
    weights, rates = np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.2, 0.8]])
    cause = JointTable(np.einsum("z,zx,zy->xyz", weights, rates, rates), ["x", "y", "z"])
    assert cause.independent("x", "y", given="z")
    assert not cause.independent("x", "y")


def test_dtu_22_stick_samples_average_to_the_expectation():
    values, p = np.array([-2.0, 1.0, 4.0, 10.0]), np.array([1, 2, 2, 1]) / 6
    draws = inverse_cdf_sample(p, 40_000, rng=0, values=values)
    assert draws.mean() == pytest.approx(3.0, abs=5 * np.sqrt(14 / 40_000))


def test_dtu_24_logarithms_survive_where_likelihoods_underflow():
    heads = np.concatenate([np.ones(90_000), np.zeros(10_000)])
    assert np.prod(Bernoulli(0.9).prob(heads)) == 0.0
    total = np.sum(Bernoulli(0.9).log_prob(heads))
    assert total == pytest.approx(9e4 * np.log(0.9) + 1e4 * np.log(0.1), rel=1e-12)
    assert Bernoulli.fit(heads).p == pytest.approx(0.9, rel=1e-14)
    near = [np.sum(Bernoulli(p).log_prob(heads)) for p in (0.899, 0.901)]
    assert total > max(near)


def test_dtu_26_averages_become_normal_as_one_over_the_root():
    die = Discrete([-2.0, 1.0, 1.0, 4.0, 4.0, 10.0], np.full(6, 1 / 6))
    rng, gaps = np.random.default_rng(1), []
    for n in (2, 10, 60):
        means = die.sample(n * 20_000, rng).reshape(20_000, n).mean(axis=1)
        assert means.var() == pytest.approx(14 / n, rel=0.06)  # five standard errors are 5·√(2/20000) = 0.05
        grid = np.linspace(-3, 9, 400)
        empirical = np.searchsorted(np.sort(means), grid, side="right") / len(means)
        gaps.append(np.max(np.abs(empirical - ndtr((grid - 3) / np.sqrt(14 / n)))))
    assert gaps[0] > gaps[1] > gaps[2]


def test_dtu_27_a_diagonal_gaussian_is_a_product():
    x = np.random.default_rng(0).normal(size=(50, 3))
    d = MultivariateNormal([0.0, 1.0, -2.0], np.diag([1.0, 4.0, 0.25]))
    product = Normal([0.0, 1.0, -2.0], [1.0, 2.0, 0.5]).log_prob(x).sum(axis=1)
    assert d.log_prob(x) == pytest.approx(product, rel=1e-12)


# -- detectors, decisions, entropy (Herbst chapter 1, lecture) ------------------------------------------
def test_h_6_a_good_detector_is_useless_for_rare_events_and_better_twice():
    rare = detector(0.96, 0.96, 0.0004)
    once, twice = rare.after(1), rare.after(2)
    assert once < 0.01 < 0.15 < twice
    assert detector(0.96, 0.96, 0.5).after(1) == pytest.approx(0.96, rel=1e-14)


def test_h_7_l3_2_the_larger_joint_density_minimizes_the_error_and_rarity_moves_the_boundary():
    men, women = Normal(178, 7), Normal(165, 7)
    best = float(boundary(men, women)[0])
    rare = float(boundary(men, women, prior=[0.1, 0.9])[0])
    assert best == pytest.approx(171.5, rel=1e-12)
    assert rare == pytest.approx(179.7818465, abs=1e-6)
    errors = [0.5 * men.cdf(t) + 0.5 * women.sf(t) for t in (best - 1, best, best + 1)]
    assert errors[1] == min(errors)


def test_h_10_peaked_is_less_entropy_and_the_gaussian_has_most_for_its_variance():
    assert entropy([0.9, 0.05, 0.05]) < entropy([0.5, 0.3, 0.2]) < entropy([1 / 3] * 3)
    spread = Uniform(0.0, 1.0)
    rivals = [spread, StudentT(5.0), Beta(2.0, 3.0)]
    assert all(d.entropy() < Normal(0.0, d.std).entropy() for d in rivals)
    widths = [Normal(0.0, s).entropy() for s in (0.5, 1.0, 2.0)]
    assert widths == sorted(widths)


# -- Gaussians (Herbst chapter 2) ---------------------------------------------------------------------------
def test_h_3_the_ml_variance_is_too_small_on_average():
    x = np.random.default_rng(0).normal(size=(100_000, 2))
    ml = x.var(axis=1).mean()
    assert ml == pytest.approx(0.5, abs=5 * x.var(axis=1).std() / np.sqrt(100_000))


def test_h_13_the_conditional_mean_is_linear_and_the_marginal_a_block():
    cov = np.array([[2.0, 0.6, 0.1], [0.6, 1.0, 0.3], [0.1, 0.3, 1.5]])
    d = MultivariateNormal([1.0, 2.0, 3.0], cov)
    at = [d.condition([1], [v]) for v in (0.0, 1.0, 2.0)]
    assert at[2].mean - at[1].mean == pytest.approx(at[1].mean - at[0].mean, rel=1e-12)
    assert at[0].cov == pytest.approx(at[2].cov, rel=1e-14)
    assert d.marginal([0, 2]).cov == pytest.approx(cov[np.ix_([0, 2], [0, 2])])


def test_h_14_rectangular_maps_of_gaussians_are_gaussian():
    d = MultivariateNormal([0.5, -1.0, 2.0], np.diag([1.0, 2.0, 0.5]))
    A = np.array([[1.0, -1.0, 0.5], [0.0, 2.0, 1.0]])
    mapped = d.affine(A, [1.0, 0.0])
    draws = d.sample(200_000, rng=0) @ A.T + [1.0, 0.0]
    error = np.sqrt(np.diag(mapped.cov) / 200_000)
    assert np.all(np.abs(draws.mean(axis=0) - mapped.mean) < 5 * error)
    assert mapped.cov == pytest.approx(A @ np.diag([1.0, 2.0, 0.5]) @ A.T, rel=1e-12)


def test_h_15_robbins_monro_finds_the_root():
    rng = np.random.default_rng(0)
    x = rng.normal(3.0, 2.0, size=20_000)
    score = lambda theta, value: -(value - theta) / 4.0  # noqa: E731
    exact = robbins_monro(score, 0.0, x, lambda n: 4.0 / n)[-1]
    assert exact == pytest.approx(x.mean(), rel=1e-9)
    other = robbins_monro(score, 0.0, x, lambda n: 4.0 / n**0.8)[
        -1
    ]  # steps that fall more slowly still converge
    assert other == pytest.approx(3.0, abs=5 * 2 * 20_000**-0.4)


def test_h_16_student_t_is_more_robust_than_the_gaussian():
    x = np.concatenate([np.random.default_rng(0).normal(0.0, 1.0, 200), [50.0, 60.0, 80.0]])
    assert abs(StudentT.fit(x).loc) < 0.2 < 0.5 < abs(Normal.fit(x).mean)


def test_the_error_of_a_decision_is_the_probability_not_chosen():
    posterior = np.array([[0.7, 0.3], [0.4, 0.6]])
    assert error_probability(posterior) == pytest.approx([0.3, 0.4])
