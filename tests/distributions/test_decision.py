"""Decisions: classes from posteriors, boundaries between densities, the best point for a loss."""

import itertools

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.distributions import (
    Categorical,
    MultivariateNormal,
    Normal,
    StudentT,
    change_of_variables,
    decision,
)

POSTERIOR = np.array([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3], [0.4, 0.4, 0.2]])
UNIT = Normal(0, 1)
UNIFORM = change_of_variables(UNIT, UNIT.cdf, UNIT.quantile, lambda y: 1 / UNIT.prob(UNIT.quantile(y)))


def shifted(low):
    """Uniform on [low, low + 1]."""
    return change_of_variables(UNIFORM, lambda u: u + low, lambda y: y - low, np.ones_like)


def test_the_most_probable_class():
    assert decision.minimum_error(POSTERIOR).tolist() == [1, 0, 0]
    np.testing.assert_allclose(decision.error_probability(POSTERIOR), [0.5, 0.4, 0.6], rtol=1e-14)
    labelled = Categorical(POSTERIOR, classes=["a", "b", "c"])
    assert decision.minimum_error(labelled).tolist() == ["b", "a", "a"]
    assert decision.minimum_error([0.3, 0.7]) == 1
    assert decision.error_probability([1e-20, 1.0]) == 1e-20


def test_losses_of_any_shape():
    loss = np.array([[0, 1, 5, 0.5], [10, 0, 1, 0.5], [2, 2, 0, 0.5]])  # the fourth decision is to wait
    expected = [[sum(p[k] * loss[k, j] for k in range(3)) for j in range(4)] for p in POSTERIOR]
    np.testing.assert_allclose(decision.risk(POSTERIOR, loss), expected, rtol=1e-14)
    chosen = decision.minimum_risk(POSTERIOR, loss)
    assert chosen.tolist() == np.argmin(expected, axis=1).tolist()
    np.testing.assert_array_equal(decision.minimum_risk(POSTERIOR, loss.T, rows="decision"), chosen)


def test_a_costly_mistake_changes_the_decision():
    assert decision.minimum_error([0.1, 0.9]) == 1
    assert decision.minimum_risk([0.1, 0.9], [[0, 100], [1, 0]]) == 0


def test_rejection():
    assert decision.with_reject(POSTERIOR, 0.45).tolist() == [1, 0, decision.REJECT]
    assert decision.with_reject(POSTERIOR, 0.0).tolist() == [1, 0, 0]
    assert decision.with_reject(POSTERIOR, 1.0).tolist() == [-1, -1, -1]
    assert decision.with_reject([0.5, 0.5], 0.5) == 0
    labelled = Categorical(POSTERIOR, classes=["a", "b", "c"])
    assert decision.with_reject(labelled, 0.45).tolist() == ["b", "a", None]
    assert decision.with_reject(Categorical([0.9, 0.1]), 0.5) == 0
    with pytest.raises(InvalidParameter, match=r"threshold must be a number in \[0, 1\]; got 1.5"):
        decision.with_reject(POSTERIOR, 1.5)


def test_combining_is_bayes_with_the_product_of_likelihoods():
    prior, first, second = np.array([0.7, 0.3]), np.array([0.2, 0.9]), np.array([0.5, 0.8])
    one, two = prior * first, prior * second
    both = prior * first * second
    got = decision.combine([one / one.sum(), two / two.sum()], prior)
    np.testing.assert_allclose(got, both / both.sum(), rtol=1e-14)
    np.testing.assert_allclose(decision.combine([POSTERIOR], [0.2, 0.3, 0.5]), POSTERIOR, rtol=1e-14)
    assert decision.combine([POSTERIOR, POSTERIOR[0]], [0.2, 0.3, 0.5]).shape == (3, 3)
    zero = decision.combine([[0.5, 0.5, 0.0], [0.4, 0.6, 0.0]], [0.5, 0.5, 0.0])
    np.testing.assert_allclose(zero, [0.4, 0.6, 0], rtol=1e-14)
    many = decision.combine([[1e-300, 1 - 1e-300]] * 3, [0.5, 0.5])
    assert many[1] == 1.0


def test_posteriors_that_cannot_be_combined():
    with pytest.raises(InvalidInput, match="contradict each other"):
        decision.combine([[1.0, 0.0], [0.0, 1.0]], [0.5, 0.5])
    with pytest.raises(InvalidInput, match="class whose prior is zero"):
        decision.combine([[0.5, 0.5]], [1.0, 0.0])
    with pytest.raises(InvalidInput, match="one posterior at least"):
        decision.combine([], [0.5, 0.5])


@pytest.mark.parametrize("prior", [0.5, 0.1, (0.9, 0.1), 1e-6])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        (Normal(178, 7), Normal(165, 7)),
        (Normal(178, 8), Normal(165, 6)),
        (Normal(0, 1), Normal(0, 3)),
        (Normal(-2, 1e-3), Normal(5, 1e3)),
        (Normal(1e6, 1.0), Normal(1e6 + 2, 1.5)),
        (Normal(0, 1), Normal(1e-3, 1 + 1e-6)),
    ],
)
def test_all_roots_between_two_normals(a, b, prior):
    """Against the quadratic in z = (x − m)/s about the first density."""
    weight = prior[0] if isinstance(prior, tuple) else prior
    shift, ratio = (a.mean - b.mean) / a.std, a.std / b.std
    odds = np.log(weight / (1 - weight)) - np.log(ratio)
    quadratic = [0.5 * (ratio**2 - 1), ratio**2 * shift, 0.5 * ratio**2 * shift**2 + odds]
    z = np.roots(np.trim_zeros(quadratic, "f"))
    expected = np.sort(a.mean + a.std * z[np.isreal(z)].real)
    got = decision.boundary(a, b, prior)
    assert len(got) == len(expected)
    np.testing.assert_allclose((got - a.mean) / a.std, (expected - a.mean) / a.std, rtol=1e-7, atol=1e-7)


def test_heavy_tails_win_far_out():
    got = decision.boundary(Normal(0, 1), StudentT(3))
    np.testing.assert_allclose(got, -got[::-1], rtol=1e-12)
    np.testing.assert_allclose(Normal(0, 1).prob(got), StudentT(3).prob(got), rtol=1e-12)


def test_boundaries_at_jumps():
    at = decision.boundary(shifted(0.0), shifted(0.75), prior=0.6)
    np.testing.assert_allclose(at, [1.0], rtol=1e-9)
    assert decision.overlap_error(shifted(0.0), shifted(0.75), 0.6) == pytest.approx(0.25 * 0.4, rel=1e-9)
    assert decision.overlap_error(shifted(0.0), shifted(2.0)) == pytest.approx(0, abs=1e-12)


def test_one_class_may_always_win():
    assert len(decision.boundary(UNIT, Normal(0, 2), prior=0.01)) == 0
    assert decision.overlap_error(UNIT, Normal(0, 2), prior=0.01) == pytest.approx(0.01, rel=1e-13)
    assert decision.overlap_error(UNIT, UNIT, prior=0.3) == pytest.approx(0.3, rel=1e-13)


@pytest.mark.parametrize(
    ("a", "b", "prior"),
    [
        (Normal(0, 1), Normal(2, 1), 0.5),
        (Normal(178, 8), Normal(165, 6), 0.3),
        (StudentT(2), Normal(1, 0.5), 0.6),
    ],
)
def test_overlap_is_the_integral_of_the_smaller_density(a, b, prior):
    def smaller(x):
        return min(prior * a.prob(x), (1 - prior) * b.prob(x))

    cuts = [-np.inf, *decision.boundary(a, b, prior), np.inf]
    pieces = (quad(smaller, low, high, epsabs=1e-14)[0] for low, high in itertools.pairwise(cuts))
    expected = sum(pieces)
    assert decision.overlap_error(a, b, prior) == pytest.approx(expected, rel=1e-8)


def test_overlap_of_distant_classes_keeps_its_digits():
    far = decision.overlap_error(Normal(0, 1), Normal(60, 1))
    assert far == pytest.approx(Normal(0, 1).sf(30), rel=1e-12)


def test_the_best_threshold_is_the_boundary():
    a, b, prior = Normal(165, 7), Normal(178, 7), 0.7
    (at,) = decision.boundary(a, b, prior)
    tried = decision.threshold_error(a, b, np.array([at - 0.5, at, at + 0.5]), prior)
    assert tried[1] == pytest.approx(decision.overlap_error(a, b, prior), rel=1e-13)
    assert tried[1] < min(tried[0], tried[2])


def test_log_odds_are_the_logit_of_the_posterior():
    male, female = Normal(178, 7), Normal(165, 7)
    joint = 0.1 * male.prob(170.0), 0.9 * female.prob(170.0)
    got = expit(decision.log_odds(170.0, male, female, prior=0.1))
    assert got == pytest.approx(joint[0] / sum(joint), rel=1e-13)


def test_known_losses():
    d = StudentT(5, 2.0, 1.0)
    assert decision.optimal_point(d) == d.mean
    assert decision.optimal_point(d, "absolute") == d.quantile(0.5)
    assert decision.optimal_point(d, "zero_one") == d.mode
    vector = MultivariateNormal([1.0, 2.0], np.eye(2))
    np.testing.assert_array_equal(decision.optimal_point(vector), vector.mean)
    with pytest.raises(InvalidParameter, match="loss must be one of 'squared', 'absolute', 'zero_one'"):
        decision.optimal_point(d, "quadratic")


@pytest.mark.parametrize("d", [Normal(3, 2), StudentT(5, -1, 0.3), Normal(1e5, 1.0)])
def test_any_loss_numerically(d):
    tight = {"rel": 1e-9, "abs": 1e-6 * d.std}
    assert decision.optimal_point(d, lambda x, a: (x - a) ** 2) == pytest.approx(d.mean, **tight)
    assert decision.optimal_point(d, lambda x, a: np.abs(x - a)) == pytest.approx(d.quantile(0.5), **tight)

    def pinball(x, a):
        return np.where(x > a, 0.9 * (x - a), 0.1 * (a - x))

    assert decision.optimal_point(d, pinball) == pytest.approx(d.quantile(0.9), **tight)


def test_exponential_loss_has_a_known_answer():
    def linex(x, a):
        return np.exp(0.5 * (a - x)) - 0.5 * (a - x) - 1

    assert decision.optimal_point(Normal(2, 3), linex) == pytest.approx(2 - 0.25 * 9, abs=1e-6)


def test_points_for_discrete_distributions():
    d = Categorical([0.2, 0.3, 0.5], classes=[1, 2, 10])
    assert decision.optimal_point(d, lambda x, a: (x - a) ** 2) == pytest.approx(5.8, rel=1e-6)
    assert decision.optimal_point(Normal(4.0, 0.0), lambda x, a: np.abs(x - a)) == 4.0


def test_bad_input():
    with pytest.raises(InvalidParameter, match=r"posterior must sum to one; got a sum of 1.1"):
        decision.minimum_error([0.5, 0.6])
    with pytest.raises(InvalidInput, match=r"posterior must have shape \(..., K\); got the number 1.0"):
        decision.minimum_error(1.0)
    with pytest.raises(InvalidInput, match="loss must have one row per class, 3; got shape"):
        decision.minimum_risk(POSTERIOR, np.ones((2, 3)))
    with pytest.raises(InvalidInput, match="loss must have one column per class, 3"):
        decision.minimum_risk(POSTERIOR, np.ones((3, 2)), rows="decision")
    with pytest.raises(InvalidParameter, match="rows must be one of 'truth', 'decision'"):
        decision.minimum_risk(POSTERIOR, np.eye(3), rows="columns")
    with pytest.raises(InvalidInput, match="no boundary: the two weighted densities are equal everywhere"):
        decision.boundary(UNIT, UNIT)
    with pytest.raises(Unsupported, match="density_a must have a density"):
        decision.boundary(Categorical([0.5, 0.5]), UNIT)
    with pytest.raises(Unsupported, match="density_b must have a density"):
        decision.boundary(UNIT, Normal(0, 0))
    with pytest.raises(Unsupported, match="density_a must be a univariate distribution"):
        decision.boundary(MultivariateNormal([0.0], [[1.0]]), UNIT)
    with pytest.raises(InvalidInput, match="density_a must be a single distribution; got a batch"):
        decision.boundary(Normal([0, 1], 1), UNIT)
    for prior in (0.0, 1.0, (0.5, 0.6), (0.2, 0.3, 0.5)):
        with pytest.raises(InvalidParameter, match=r"prior must be P\(a\) in \(0, 1\), or a pair"):
            decision.boundary(UNIT, Normal(1, 1), prior)
    with pytest.raises(InvalidInput, match="loss gave NaN"):
        decision.optimal_point(UNIT, lambda x, a: x * np.nan)


def test_swapped_densities_are_refused_with_both_readings():
    low, high = Normal(0, 1), Normal(2, 1)
    right = decision.threshold_error(low, high, 0.7, 0.3)
    assert right == pytest.approx(0.3 * low.sf(0.7) + 0.7 * high.cdf(0.7), rel=1e-15)
    both = (
        r"threshold_error\(density_b, density_a, threshold, 1 - prior\) .* or 1 - threshold_error\(density_b"
    )
    with pytest.raises(InvalidInput, match=both):
        decision.threshold_error(high, low, 0.7, 0.7)
