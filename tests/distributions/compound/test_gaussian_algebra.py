"""Linear Gaussian systems, products, sums, blocks and running means, with the worked numbers of the texts."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, NotPositiveDefinite, NumericalError, Unsupported
from suffice.distributions import (
    MultivariateNormal,
    MultivariateT,
    Normal,
    linear_gaussian,
    partitioned_inverse,
    product_of_gaussians,
    robbins_monro,
    sequential_mean,
    sum_of_gaussians,
)

RNG = np.random.default_rng(21)


def random_cov(dim):
    root = RNG.normal(size=(dim, dim))
    return root @ root.T + 0.1 * np.eye(dim)


A, B, NOISE = RNG.normal(size=(2, 3)), RNG.normal(size=2), random_cov(2)
PRIOR = MultivariateNormal(RNG.normal(size=3), random_cov(3))
SYSTEM = linear_gaussian(PRIOR, A, B, NOISE)


# -- the texts ---------------------------------------------------------------------------------------------


def test_conditional_in_both_forms():  # Herbst §2.3, derived case D-1
    d = MultivariateNormal([1.0, 2.0], [[2.0, 0.6], [0.6, 1.0]])
    given = d.condition(1, 3.0)
    assert given.mean[0] == pytest.approx(1.6, rel=1e-12)
    assert given.cov[0, 0] == pytest.approx(1.64, rel=1e-12)
    precision = partitioned_inverse(d.cov, 1)
    assert 1 / precision.aa[0, 0] == pytest.approx(1.64, rel=1e-12)
    assert 1 - precision.ab[0, 0] / precision.aa[0, 0] * (3.0 - 2.0) == pytest.approx(1.6, rel=1e-12)


def test_linear_maps():  # Herbst §2.4, derived case D-2
    d = MultivariateNormal([1.0, 2.0], [[2.0, 0.6], [0.6, 1.0]])
    forward = np.array([[1.0, 1.0], [0.0, 1.0]])
    there, back = d.affine(forward), d.affine([[1.0, -1.0], [0.0, 1.0]])
    np.testing.assert_allclose(there.mean, [3.0, 2.0], rtol=1e-12)
    np.testing.assert_allclose(there.cov, [[4.2, 1.6], [1.6, 1.0]], rtol=1e-12)
    np.testing.assert_allclose(back.mean, [-1.0, 2.0], rtol=1e-12)
    np.testing.assert_allclose(back.cov, [[1.8, -0.4], [-0.4, 1.0]], rtol=1e-12)
    total = sum_of_gaussians(d.marginal(0), d.marginal(1), 0.6)
    assert (total.mean, total.var) == (pytest.approx(3.0, rel=1e-12), pytest.approx(4.2, rel=1e-12))


def test_posterior_of_a_mean():  # Herbst §2.3.5, derived case D-3
    x = [2.0, 4.0, 3.0, 7.0]
    start = MultivariateNormal([0.0], [[1.0]])
    batch = linear_gaussian(start, np.ones((4, 1)), 0.0, 4.0).posterior(x)
    step = start
    for value in x:
        step = linear_gaussian(step, [[1.0]], 0.0, 4.0).posterior([value])
    for posterior in (batch, step):
        assert posterior.mean[0] == pytest.approx(2.0, rel=1e-12)
        assert posterior.cov[0, 0] == pytest.approx(0.5, rel=1e-12)


def test_robbins_monro_is_the_running_mean():  # Herbst §2.3.4, derived case D-5: step σ²/N at the N-th value
    x = [2.0, 4.0, 3.0, 7.0]
    path = robbins_monro(lambda mean, value: -(value - mean) / 4.0, 0.0, x, lambda n: 4.0 / n)
    assert path[-1] == pytest.approx(4.0, rel=1e-12)
    np.testing.assert_allclose(path[1:], sequential_mean(x), rtol=1e-12)


def test_two_gaussians_of_the_first_course():  # Rogers & Girolami §2.5.4, C2.16
    for cov, peak in ((np.eye(2), 0.159155), ([[1.0, 0.8], [0.8, 1.0]], 0.265258)):
        assert MultivariateNormal([2.0, 1.0], cov).prob([2.0, 1.0]) == pytest.approx(peak, abs=5e-7)
    d = MultivariateNormal([2.0, 1.0], [[1.0, 0.8], [0.8, 1.0]])
    for x, mean in ((3.0, 1.8), (1.0, 0.2)):
        given = d.condition(0, x)
        assert given.mean[0] == pytest.approx(mean, rel=1e-10)
        assert given.cov[0, 0] == pytest.approx(0.36, rel=1e-10)


@pytest.mark.parametrize(
    ("cov", "x", "density"),
    [
        ([[1.0, 0.8], [0.8, 1.0]], [0.0, 0.0], 0.265258),
        ([[0.2, 0.0], [0.0, 1.0]], [0.0, 0.0], 0.355881),
        ([[1.0, 0.7], [0.7, 1.0]], [0.0, 0.0], 0.222861),
        ([[1.0, -0.7], [-0.7, 1.0]], [0.0, 0.0], 0.222861),
        ([[1.0, 0.45], [0.45, 1.0]], [0.0, 0.0], 0.178219),
        ([[1.0, 0.9], [0.9, 1.0]], [0.0, 0.0], 0.365126),
        ([[0.2, 0.0], [0.0, 1.0]], [1.0, 1.0], 0.0177183),
        ([[1.0, 0.7], [0.7, 1.0]], [1.0, 1.0], 0.1237564),
        ([[1.0, 0.45], [0.45, 1.0]], [1.0, 1.0], 0.0894214),
        ([[1.0, 0.9], [0.9, 1.0]], [1.0, 1.0], 0.2157085),
    ],
)
def test_surfaces_of_the_introduction(cov, x, density):  # Herlau, Schmidt & Mørup, figs 6.5–6.7, W-6.10
    assert MultivariateNormal([0.0, 0.0], cov).prob(x) == pytest.approx(density, abs=5e-7)


# -- linear Gaussian systems -------------------------------------------------------------------------------


def test_is_block_conditioning():
    y = RNG.normal(size=2)
    cov = np.block([[A @ PRIOR.cov @ A.T + NOISE, A @ PRIOR.cov], [PRIOR.cov @ A.T, PRIOR.cov]])
    joint = MultivariateNormal(np.concatenate([A @ PRIOR.mean + B, PRIOR.mean]), cov)
    np.testing.assert_allclose(SYSTEM.joint.cov, cov, rtol=1e-10, atol=1e-12)
    block, posterior = joint.condition([0, 1], y), SYSTEM.posterior(y)
    np.testing.assert_allclose(posterior.mean, block.mean, rtol=1e-9)
    np.testing.assert_allclose(posterior.cov, block.cov, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(SYSTEM.marginal.cov, cov[:2, :2], rtol=1e-12)
    precision = np.linalg.inv(PRIOR.cov) + A.T @ np.linalg.inv(NOISE) @ A  # the form of the text
    pulled = A.T @ np.linalg.inv(NOISE) @ (y - B) + np.linalg.inv(PRIOR.cov) @ PRIOR.mean
    np.testing.assert_allclose(posterior.mean, np.linalg.solve(precision, pulled), rtol=1e-9)
    np.testing.assert_allclose(posterior.cov, np.linalg.inv(precision), rtol=1e-9, atol=1e-12)


def test_prior_times_likelihood_is_evidence_times_posterior():
    y, x = RNG.normal(size=2), RNG.normal(size=(7, 3))
    left = PRIOR.log_prob(x) + SYSTEM.likelihood(x).log_prob(y)
    np.testing.assert_allclose(left, SYSTEM.log_evidence(y) + SYSTEM.posterior(y).log_prob(x), rtol=1e-9)


def test_many_observations_and_missing_ones():
    y = RNG.normal(size=(5, 2))
    rows = SYSTEM.posterior(y)
    assert rows.batch_shape == (5,)
    np.testing.assert_allclose(rows[3].mean, SYSTEM.posterior(y[3]).mean, rtol=1e-12)
    first = linear_gaussian(PRIOR, A[:1], B[:1], NOISE[:1, :1]).posterior(y[0, :1])
    partly = SYSTEM.posterior([y[0, 0], np.nan])
    np.testing.assert_allclose(partly.mean, first.mean, rtol=1e-10)
    np.testing.assert_allclose(partly.cov, first.cov, rtol=1e-10)
    np.testing.assert_allclose(SYSTEM.posterior([np.nan, np.nan]).cov, PRIOR.cov, rtol=1e-10)


def test_exact_observations_and_certain_priors():
    exact = linear_gaussian(PRIOR, [[1.0, 0.0, 0.0]], 0.0, 0.0).posterior([7.0])
    assert exact.mean[0] == pytest.approx(7.0, rel=1e-12)
    assert exact.cov[0, 0] == pytest.approx(0.0, abs=1e-12)
    certain = linear_gaussian(MultivariateNormal([1.0, 2.0], np.zeros((2, 2))), np.eye(2), 0.0, 1.0)
    np.testing.assert_allclose(certain.posterior([5.0, 5.0]).mean, [1.0, 2.0], rtol=1e-14)
    with pytest.raises(NumericalError, match="covariance of the observed coordinates is singular"):
        linear_gaussian(PRIOR, [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], 0.0, 0.0).posterior([1.0, 2.0])


def test_a_batch_of_priors():
    batch = MultivariateNormal(np.stack([PRIOR.mean, -PRIOR.mean]), np.stack([PRIOR.cov, 2 * PRIOR.cov]))
    y = RNG.normal(size=2)
    found = linear_gaussian(batch, A, B, NOISE)
    for k in range(2):
        alone = linear_gaussian(batch[k], A, B, NOISE)
        np.testing.assert_allclose(found.posterior(y)[k].mean, alone.posterior(y).mean, rtol=1e-12)
        np.testing.assert_allclose(found.marginal[k].cov, alone.marginal.cov, rtol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((Normal(0, 1), [[1.0]], 0.0, 1.0), Unsupported, "prior must be a MultivariateNormal; got Normal"),
        ((PRIOR, np.eye(2), 0.0, 1.0), ValueError, r"A must have shape \(K, 3\), K >= 1; got \(2, 2\)"),
        ((PRIOR, A, [1.0], 1.0), ValueError, r"b must be a number or have shape \(2,\); got \(1,\)"),
        ((PRIOR, A, 0.0, np.eye(3)), ValueError, r"noise must be .* \(2, 2\); got shape \(3, 3\)"),
        (
            (PRIOR, A, 0.0, [[1.0, 2.0], [2.0, 1.0]]),
            NotPositiveDefinite,
            "noise .* smallest eigenvalue is -1",
        ),
        ((PRIOR, A, 0.0, [[1.0, 0.5], [0.0, 1.0]]), NotPositiveDefinite, "noise must be symmetric"),
        ((PRIOR, A, 0.0, -1.0), NotPositiveDefinite, "noise must be positive semi-definite"),
    ],
)
def test_systems_refuse(arguments, error, message):
    with pytest.raises(error, match=message):
        linear_gaussian(*arguments)
    with pytest.raises(InvalidInput, match="one entry per distinct index"):
        SYSTEM.posterior([1.0, 2.0, 3.0])
    with pytest.raises(InvalidInput, match="x must have 3 coordinates"):
        SYSTEM.likelihood([1.0])


# -- products and sums -------------------------------------------------------------------------------------


def test_product_pointwise():
    left, right = PRIOR, MultivariateNormal(RNG.normal(size=3), random_cov(3))
    found, x = product_of_gaussians(left, right), RNG.normal(size=(9, 3))
    np.testing.assert_allclose(
        found.log_normalizer + found.distribution.log_prob(x), left.log_prob(x) + right.log_prob(x), rtol=1e-9
    )
    swapped = product_of_gaussians(right, left)
    assert swapped.log_normalizer == pytest.approx(found.log_normalizer, rel=1e-10)
    np.testing.assert_allclose(swapped.distribution.mean, found.distribution.mean, rtol=1e-8)


def test_product_of_numbers():
    found = product_of_gaussians(Normal(1.0, 2.0), Normal([3.0, -1.0][0], 0.5))
    assert isinstance(found.distribution, Normal)
    assert 1 / found.distribution.var == pytest.approx(1 / 4 + 1 / 0.25, rel=1e-12)
    x = 0.7
    both = Normal(1.0, 2.0).log_prob(x) + Normal(3.0, 0.5).log_prob(x)
    assert found.log_normalizer + found.distribution.log_prob(x) == pytest.approx(both, rel=1e-12)
    with pytest.raises(Unsupported, match="a must be a Normal or a MultivariateNormal; got MultivariateT"):
        product_of_gaussians(MultivariateT(3.0, [0.0], [[1.0]]), Normal(0, 1))
    with pytest.raises(InvalidInput, match="same coordinates; got 3 and 1"):
        product_of_gaussians(PRIOR, Normal(0, 1))


def test_sums():
    independent = sum_of_gaussians(Normal(1.0, 3.0), Normal(2.0, 4.0))
    assert (independent.mean, independent.std) == (pytest.approx(3.0), pytest.approx(5.0))
    joint = MultivariateNormal(RNG.normal(size=4), random_cov(4))
    total = sum_of_gaussians(joint.marginal([0, 1]), joint.marginal([2, 3]), joint.cov[:2, 2:])
    want = joint.affine(np.hstack([np.eye(2), np.eye(2)]))
    np.testing.assert_allclose(total.cov, want.cov, rtol=1e-12)
    np.testing.assert_allclose(total.mean, want.mean, rtol=1e-12)
    with pytest.raises(NotPositiveDefinite, match="positive semi-definite"):
        sum_of_gaussians(Normal(0, 1), Normal(0, 1), 2.0)
    with pytest.raises(ValueError, match=r"cross_cov of vectors must be a matrix \(2, 2\); got 0.5"):
        sum_of_gaussians(joint.marginal([0, 1]), joint.marginal([2, 3]), 0.5)


# -- blocks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 4])
def test_partitioned_inverse(k):  # Herbst Ex 9, on a matrix that is not symmetric
    m = RNG.normal(size=(5, 5))
    blocks = partitioned_inverse(m, k)
    np.testing.assert_allclose(blocks.matrix @ m, np.eye(5), atol=1e-11)
    assert blocks.ab.shape == (k, 5 - k)


def test_partitioned_inverse_refuses():
    with pytest.raises(NumericalError, match="lower right block of M is singular"):
        partitioned_inverse([[0.0, 1.0], [1.0, 0.0]], 1)
    with pytest.raises(NumericalError, match="M is singular"):
        partitioned_inverse(np.ones((2, 2)), 1)
    with pytest.raises(ValueError, match="k must be a whole number from 1 to 1; got 2"):
        partitioned_inverse(np.eye(2), 2)
    with pytest.raises(ValueError, match="M must be square"):
        partitioned_inverse(np.ones((2, 3)), 1)


# -- one observation at a time -----------------------------------------------------------------------------


def test_sequential_mean_of_vectors():
    x = RNG.normal(size=(50, 3)) + 1e6
    np.testing.assert_allclose(sequential_mean(x)[-1], x.mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(sequential_mean(x)[9], x[:10].mean(axis=0), rtol=1e-14)
    with pytest.raises(InvalidInput, match="got one number"):
        sequential_mean(3.0)


def test_robbins_monro_finds_a_root():
    """f(θ) = tanh(θ − 1) seen through noise of variance 0.25; the slope 1 gives standard error 0.5/√n."""
    noise = np.random.default_rng(0).normal(scale=0.5, size=20_000)
    path = robbins_monro(lambda theta, e: np.tanh(theta - 1) + e, 4.0, noise)
    assert path.shape == (20_001,)
    assert abs(path[-1] - 1) <= 5 * 0.5 / np.sqrt(20_000)  # five standard errors
    with pytest.raises(ValueError, match=r"step\(1\) must be positive and finite; got 0.0"):
        robbins_monro(lambda theta, e: e, 0.0, noise, lambda n: 0.0)


# -- the multivariate normal itself ------------------------------------------------------------------------


def test_fits_about_a_known_mean_and_without_bias():
    x = RNG.normal(size=(20, 2)) + [1.0, 2.0]
    np.testing.assert_allclose(MultivariateNormal.fit(x, unbiased=True).cov, np.cov(x.T), rtol=1e-12)
    known = MultivariateNormal.fit(x, mean=[1.0, 2.0])
    gap = x - [1.0, 2.0]
    np.testing.assert_allclose(known.cov, gap.T @ gap / 20, rtol=1e-12)
    np.testing.assert_array_equal(known.mean, [1.0, 2.0])
    with pytest.raises(ValueError, match=r"mean must have shape \(2,\); got \(1,\)"):
        MultivariateNormal.fit(x, mean=[1.0])
    with pytest.raises(NumericalError, match="total weight above 1"):
        MultivariateNormal.fit(x[:1], unbiased=True)


def test_fisher_information_is_the_curvature():
    d = MultivariateNormal(PRIOR.mean, PRIOR.cov)
    x, h = d.sample(rng=0), 1e-3
    curvature = [
        [
            sum(
                s
                * t
                * MultivariateNormal(d.mean + h * (s * np.eye(3)[i] + t * np.eye(3)[j]), d.cov).log_prob(x)
                for s in (1, -1)
                for t in (1, -1)
            )
            / (4 * h * h)
            for j in range(3)
        ]
        for i in range(3)
    ]
    np.testing.assert_allclose(d.fisher_information(), -np.array(curvature), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(d.fisher_information(10) @ d.cov, 10 * np.eye(3), atol=1e-9)
    with pytest.raises(NumericalError, match="cov is singular"):
        MultivariateNormal([0.0, 0.0], np.ones((2, 2))).fisher_information()
