"""Hierarchical priors against brute force: sums over few values, and double integrals by Gauss's rule."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter, NotConverged, Unsupported
from suffice.distributions import (
    Beta,
    BetaBinomial,
    Discrete,
    Gamma,
    Hierarchical,
    MixtureDistribution,
    Normal,
    NormalGamma,
    Poisson,
    Uniform,
)

pytestmark = pytest.mark.slow

MODEL = Hierarchical({"a": Gamma(2.0, 0.1), "b": Gamma(3.0, 0.2)})
THREE = Hierarchical({"a": Discrete([1.0, 5.0, 50.0], [0.5, 0.3, 0.2]), "b": 2.0})


def brute(f, k, n):
    """∫∫ p(a) p(b) p(k | a, b) f(a, b) da db by Gauss's rule on 60 × 60 panels."""
    x, w = np.polynomial.legendre.leggauss(8)
    edges = np.linspace(0, 1, 61) ** 2
    half, middle = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
    x, w = (middle + half * x).ravel(), (half * w).ravel()
    a, b = 300 * x[:, None], 200 * x
    weight = 300 * w[:, None] * 200 * w * Gamma(2.0, 0.1).prob(a) * Gamma(3.0, 0.2).prob(b)
    return np.sum(weight * BetaBinomial(n, a, b).prob(k) * f(a, b))


def test_against_a_double_integral():
    found = MODEL.posterior(6, n=8)
    total = brute(lambda a, b: 1.0, 6, 8)
    assert found.log_evidence == pytest.approx(np.log(total), rel=1e-8)
    assert MODEL.log_evidence(6, n=8) == found.log_evidence
    mean = brute(lambda a, b: (a + 6) / (a + b + 8), 6, 8) / total
    assert found.theta().mean == pytest.approx(mean, rel=1e-8)
    assert found.predictive(n=1).prob(1) == pytest.approx(mean, rel=1e-8)
    assert found.hyper_mean["a"] == pytest.approx(brute(lambda a, b: a, 6, 8) / total, rel=1e-8)


def test_groups_share_the_hyper_parameters():
    found = THREE.posterior(3, 7, n=9)
    evidences = [
        np.exp(Beta(a, 2).log_evidence(3, n=9) + Beta(a, 2).log_evidence(7, n=9)) for a in (1.0, 5.0, 50.0)
    ]
    joint = np.array([0.5, 0.3, 0.2]) * evidences
    assert found.log_evidence == pytest.approx(np.log(joint.sum()), rel=1e-13)
    np.testing.assert_allclose(found.weights, joint / joint.sum(), rtol=1e-12)
    assert found.hyper_mean == pytest.approx({"a": found.weights @ [1, 5, 50], "b": 2.0})
    assert found.hyper_std["b"] == pytest.approx(0, abs=1e-12)
    seven = MixtureDistribution(found.weights, [Beta(a + 7, 4) for a in (1.0, 5.0, 50.0)])
    theta = found.theta(1)
    for p in (0.1, 0.5, 0.9):
        assert theta.quantile(p) == pytest.approx(seven.quantile(p), rel=1e-12)
    x = np.array([0.2, 0.6, 0.9])
    np.testing.assert_allclose(theta.log_prob(x), seven.log_prob(x), rtol=1e-12)
    np.testing.assert_allclose(theta.cdf(x), seven.cdf(x), rtol=1e-12)
    np.testing.assert_allclose(theta.sf(x), seven.sf(x), rtol=1e-12)
    assert theta.between(0.2, 0.6) == pytest.approx(seven.between(0.2, 0.6), rel=1e-12)
    assert (theta.mean, theta.var) == pytest.approx((seven.mean, seven.var), rel=1e-12)
    fresh = found.theta(None)
    assert fresh.mean == pytest.approx(found.weights @ (np.array([1, 5, 50]) / np.array([3, 7, 52])))


def test_two_steps_are_one():
    together = MODEL.posterior(6, 2, n=8).log_evidence
    first = MODEL.posterior(6, n=8)
    second = np.log(first.weights @ np.exp(first.priors.log_evidence(2, n=8)))
    assert together == pytest.approx(first.log_evidence + second, rel=1e-8)


def test_before_data_the_hyper_prior_comes_back():
    prior = MODEL.posterior(n=4)
    assert prior.log_evidence == 0
    assert prior.hyper_mean == pytest.approx({"a": 20.0, "b": 15.0}, rel=1e-8)
    assert MODEL.predictive(n=4).prob(np.arange(5)).sum() == pytest.approx(1, rel=1e-12)


def test_a_fixed_hyper_prior_is_the_conjugate_pair():
    fixed = Hierarchical({"shape": 2.0, "rate": 3.0}).posterior([1, 4, 2])
    assert fixed.log_evidence == pytest.approx(float(Gamma(2.0, 3.0).log_evidence([1, 4, 2])), rel=1e-14)
    assert fixed.theta().mean == Gamma(9.0, 6.0).mean
    low, high = fixed.predictive().interval(0.9)
    assert (low, high) == Gamma(9.0, 6.0).predictive().interval(0.9)


def test_much_data_settle():
    found = MODEL.posterior(140_000, n=200_000)
    assert found.theta().mean == pytest.approx(0.7, abs=1e-4)
    # the coin is known, so the hyper-parameters see one draw of it: p(a, b | r) ∝ p(a, b) Beta(r | a, b)
    rng = np.random.default_rng(0)
    a, b = Gamma(2.0, 0.1).sample(400_000, rng), Gamma(3.0, 0.2).sample(400_000, rng)
    w = Beta(a, b).prob(0.7)
    error = 5 * np.sqrt(np.sum(w**2 * (a - found.hyper_mean["a"]) ** 2)) / w.sum()  # five standard errors
    assert w @ a / w.sum() == pytest.approx(found.hyper_mean["a"], abs=error)


def test_many_groups_are_settled_on_the_range_that_matters():
    counts = BetaBinomial(20, 4.0, 9.0).sample(200, rng=0)
    found = MODEL.posterior(*counts, n=20)
    a, b = np.linspace(0.5, 30, 400)[:, None], np.linspace(1, 70, 400)
    logs = Gamma(2.0, 0.1).log_prob(a) + Gamma(3.0, 0.2).log_prob(b)
    for k, times in zip(*np.unique(counts, return_counts=True), strict=True):
        logs = logs + times * BetaBinomial(20, a, b).log_prob(k)
    w = np.exp(logs - logs.max())
    cell = (a[1, 0] - a[0, 0]) * (b[1] - b[0])
    assert found.log_evidence == pytest.approx(np.log(w.sum() * cell) + logs.max(), rel=1e-8)
    assert found.hyper_mean["a"] == pytest.approx(np.sum(w * a) / w.sum(), rel=1e-6)


def test_a_rough_rule_is_told():
    wide = {"mean": Normal(0, 3), "strength": Gamma(2, 1), "shape": Gamma(3, 1), "rate": Gamma(2, 1)}
    with pytest.warns(NotConverged, match="has not settled"):
        Hierarchical(wide).posterior([1.0, 2.0, 4.0])


def test_samples_follow_the_mixture():
    theta = MODEL.posterior(6, n=8).theta()
    draws = theta.sample(20_000, rng=0)
    u = np.sort(theta.cdf(draws[:1000]))
    assert np.max(np.abs(u - (np.arange(1000) + 0.5) / 1000)) < 2.4 / np.sqrt(1000)  # P < 2e-5
    assert draws.mean() == pytest.approx(theta.mean, abs=5 * theta.std / np.sqrt(20_000))


def test_pairs_of_mean_and_precision():
    model = Hierarchical({"mean": 0.0, "strength": Uniform(0.5, 2.0), "shape": 2.0, "rate": 1.0})
    assert model.family is NormalGamma
    found = model.posterior([1.0, 2.0, 4.0])
    assert found.theta().log_prob([1.0, 0.5]) == pytest.approx(
        np.log(found.weights @ found.theta().components.prob([1.0, 0.5])), rel=1e-12
    )
    assert found.theta().mean.shape == (2,)
    assert found.predictive().cdf(found.predictive().quantile(0.3)) == pytest.approx(0.3, rel=1e-10)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: Hierarchical({}), InvalidParameter, "hyperprior must map"),
        (lambda: Hierarchical({"c": Gamma(1, 1)}), InvalidParameter, "No prior has the hyper-parameters"),
        (lambda: Hierarchical({"a": "x", "b": 1.0}), Unsupported, "hyperprior of a must be a univariate"),
        (lambda: Hierarchical({"a": Gamma([1, 2], 1), "b": 1.0}), InvalidInput, "must be a single"),
        (lambda: Hierarchical({"a": Normal(0, 1), "b": 1.0}).posterior(1), InvalidParameter, "a must be > 0"),
        (lambda: MODEL.posterior(6, n=8).theta(3), InvalidParameter, "group must be None or 0 to 0; got 3"),
        (lambda: MODEL.posterior(9, n=8), InvalidInput, "from 0 to n = 8; got 9.0"),
        (
            lambda: Hierarchical({"shape": Poisson(0.1), "rate": 1.0}).posterior([1]),
            InvalidParameter,
            "shape must",
        ),
    ],
)
def test_bad_input(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_reprs():
    assert "1 groups" in repr(MODEL.posterior(6, n=8))
    assert "Beta, mean" in repr(MODEL.posterior(6, n=8).theta())
