"""What is special about the multivariate normal: marginals, conditionals, maps, singular covariances."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, NotPositiveDefinite, NumericalError, Unsupported
from suffice.distributions import MultivariateNormal, Normal

RNG = np.random.default_rng(12)
ROOT = RNG.normal(size=(5, 5))
COV = ROOT @ ROOT.T + 0.1 * np.eye(5)
MEAN = RNG.normal(size=5)
D5 = MultivariateNormal(MEAN, COV)
SINGULAR = MultivariateNormal([1.0, 2.0, 3.0], np.ones((3, 3)))


def test_marginals():
    assert D5.marginal(2) == Normal(MEAN[2], np.sqrt(COV[2, 2]))
    assert D5.marginal(-1) == D5.marginal(4)
    some = D5.marginal([3, 0])
    np.testing.assert_array_equal(some.mean, MEAN[[3, 0]])
    np.testing.assert_array_equal(some.cov, COV[np.ix_([3, 0], [3, 0])])
    assert D5.marginal(slice(0, 2)) == D5.marginal([0, 1]) == D5.marginal(np.arange(5) < 2)
    with pytest.raises(InvalidInput, match="among 5 coordinates; got 5"):
        D5.marginal(5)


def test_condition_is_joint_over_marginal():
    observed, free = [1, 4], [0, 2, 3]
    values = np.array([0.3, -2.0])
    given = D5.condition(observed, values)
    x = RNG.normal(size=(20, 5))
    x[:, observed] = values
    expected = D5.log_prob(x) - D5.marginal(observed).log_prob(values)
    np.testing.assert_allclose(given.log_prob(x[:, free]), expected, rtol=1e-10)


def test_condition_by_the_formula():
    gain = COV[:4, 4:] / COV[4, 4]
    given = D5.condition(4, 1.5)
    np.testing.assert_allclose(given.mean, MEAN[:4] + gain[:, 0] * (1.5 - MEAN[4]), rtol=1e-12)
    np.testing.assert_allclose(given.cov, COV[:4, :4] - gain @ COV[4:, :4], rtol=1e-10, atol=1e-12)


def test_condition_on_missing_values():
    assert D5.condition([0, 3, 4], [1.0, np.nan, 2.0]) == D5.condition([0, 4], [1.0, 2.0])
    nothing = D5.condition([0, 1], [np.nan, np.nan])
    np.testing.assert_allclose(nothing.cov, COV, rtol=1e-12)
    np.testing.assert_array_equal(nothing.mean, MEAN)
    rows = D5.condition([0, 4], [[1.0, np.nan], [2.0, np.nan]])
    assert rows.batch_shape == (2,)
    np.testing.assert_allclose(rows[1].mean, D5.condition(0, 2.0).mean, rtol=1e-13)
    with pytest.raises(InvalidInput, match="same coordinates in every row"):
        D5.condition([0, 4], [[1.0, np.nan], [2.0, 3.0]])


def test_condition_of_a_batch():
    batch = MultivariateNormal(np.stack([MEAN, -MEAN]), np.stack([COV, 2 * COV]))
    given = batch.condition([1], [[0.5], [0.7]])
    for k, value in enumerate([0.5, 0.7]):
        alone = batch[k].condition(1, value)
        np.testing.assert_allclose(given[k].mean, alone.mean, rtol=1e-13)
        np.testing.assert_allclose(given[k].cov, alone.cov, rtol=1e-13)
    np.testing.assert_array_equal(batch.condition(1, [0.5, 0.7]).mean, given.mean)


@pytest.mark.parametrize(
    ("idx", "values", "message"),
    [
        ([0, 0], [1.0, 1.0], "distinct index"),
        ([0, 1], [1.0], "one entry per distinct index"),
        ([0, 1, 2, 3, 4], [1.0] * 5, "at least one coordinate free"),
        (7, 1.0, "among 5 coordinates; got 7"),
    ],
)
def test_condition_refuses(idx, values, message):
    with pytest.raises(InvalidInput, match=message):
        D5.condition(idx, values)


def test_condition_on_almost_certain_coordinates_stays_positive():
    cov = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-12]])
    given = MultivariateNormal([0.0, 0.0], cov).condition(0, 1.0)
    assert 0 <= given.cov[0, 0] < 2e-12
    exact = SINGULAR.condition(0, 5.0)
    np.testing.assert_allclose(exact.mean, [6.0, 7.0], rtol=1e-12)
    np.testing.assert_allclose(exact.cov, np.zeros((2, 2)), atol=1e-14)
    with pytest.raises(NumericalError, match="covariance of the observed coordinates is singular"):
        SINGULAR.condition([0, 1], [5.0, 6.0])


def test_affine():
    A, b = RNG.normal(size=(3, 5)), RNG.normal(size=3)
    mapped = D5.affine(A, b)
    np.testing.assert_allclose(mapped.mean, A @ MEAN + b, rtol=1e-13)
    np.testing.assert_allclose(mapped.cov, A @ COV @ A.T, rtol=1e-11, atol=1e-13)
    one = D5.affine(A[0], 2.0)
    assert isinstance(one, Normal)
    assert one.mean == pytest.approx(A[0] @ MEAN + 2, rel=1e-13)
    assert one.var == pytest.approx(A[0] @ COV @ A[0], rel=1e-12)
    assert SINGULAR.affine([1.0, -1.0, 0.0]).std == pytest.approx(0, abs=1e-7)  # the root of rounding
    assert D5.affine(np.vstack([A, A])).dim == 6  # a map onto more coordinates is singular, and allowed
    with pytest.raises(ValueError, match=r"A must have shape \(K, 5\) or \(5,\); got \(3, 4\)"):
        D5.affine(A[:, :4])


def test_rotate_axes():
    values, axes = D5.rotate_axes()
    assert np.all(np.diff(values) <= 0)
    np.testing.assert_allclose((axes * values) @ axes.T, COV, rtol=1e-11, atol=1e-13)
    rotated = D5.affine(axes.T, -axes.T @ MEAN)
    np.testing.assert_allclose(rotated.cov, np.diag(values), atol=1e-12 * values[0])
    largest = np.argmax(np.abs(axes), axis=0)
    assert np.all(axes[largest, np.arange(5)] > 0)
    assert np.all(SINGULAR.rotate_axes()[0] >= 0)


def test_mahalanobis_is_not_squared():
    d = MultivariateNormal([0.0, 0.0], np.diag([4.0, 9.0]))
    assert d.mahalanobis([4.0, 0.0]) == pytest.approx(2.0, rel=1e-15)
    assert d.mahalanobis([[0.0, 3.0], [2.0, 3.0]]).tolist() == pytest.approx([1.0, np.sqrt(2)])


def test_quadratic_form():
    A = RNG.normal(size=(5, 5))
    assert D5.quadratic_form(A) == pytest.approx(np.trace(A @ COV) + MEAN @ A @ MEAN, rel=1e-12)
    x = D5.sample(200_000, rng=0)
    draws = np.einsum("ni,ij,nj->n", x, A, x)
    assert abs(draws.mean() - D5.quadratic_form(A)) <= 5 * draws.std() / np.sqrt(
        len(draws)
    )  # 5 standard errors


def test_singular_covariances():
    x = SINGULAR.sample(100, rng=0)
    np.testing.assert_allclose(x - x[:, :1], np.tile([0.0, 1.0, 2.0], (100, 1)), atol=1e-7)
    assert SINGULAR.marginal(0) == Normal(1, 1)
    assert SINGULAR.entropy() == -np.inf
    for call in (SINGULAR.log_prob, SINGULAR.mahalanobis):
        with pytest.raises(NumericalError, match=r"cov is singular \(its smallest eigenvalue is"):
            call([1.0, 2.0, 3.0])
    with pytest.raises(NumericalError, match="smallest eigenvalue is 0"):
        MultivariateNormal([0.0, 0.0], np.diag([0.0, 1.0])).log_prob([0.0, 0.0])
    close = np.array([[1.0, 1 - 1e-13], [1 - 1e-13, 1.0]])  # nearly singular is not singular
    assert np.isfinite(MultivariateNormal([0.0, 0.0], close).log_prob([1.0, 1.0]))
    units = np.diag([1e-20, 1e20])  # and units do not matter
    assert np.isfinite(MultivariateNormal([0.0, 0.0], units).log_prob([0.0, 0.0]))


def test_parametrisation_by_precision():
    d = MultivariateNormal.from_precision(MEAN, np.linalg.inv(COV))
    np.testing.assert_allclose(d.cov, COV, rtol=1e-9, atol=1e-11)
    with pytest.raises(NotPositiveDefinite, match="precision must be positive definite"):
        MultivariateNormal.from_precision([0.0, 0.0], np.ones((2, 2)))


@pytest.mark.parametrize(
    ("mean", "cov", "message"),
    [
        ([0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]], "positive semi-definite; its smallest eigenvalue is -1"),
        ([0.0, 0.0], [[1.0, 0.5], [0.0, 1.0]], "cov must be symmetric; entries differ by 0.5"),
        ([0.0, 0.0], np.eye(3), r"got \(2,\) and \(3, 3\)"),
        (0.0, [[1.0]], r"mean must have shape \(..., D\)"),
        ([0.0], 1.0, r"got \(1,\) and \(\)"),
        ([], np.zeros((0, 0)), "D >= 1"),
        ([0.0, np.nan], np.eye(2), "mean must be a number; got nan"),
        (np.zeros((3, 2)), np.stack([np.eye(2)] * 4), r"mean and cov .* broadcast; got \(3,\) and \(4,\)"),
    ],
)
def test_domains(mean, cov, message):
    with pytest.raises(ValueError, match=message):
        MultivariateNormal(mean, cov)


def test_vectors_have_no_quantiles():
    for name, arguments in [
        ("cdf", [0]),
        ("sf", [0]),
        ("log_cdf", [0]),
        ("log_sf", [0]),
        ("quantile", [0.5]),
    ]:
        with pytest.raises(Unsupported, match=rf"{name} is not defined for vectors; take \.marginal\(i\)"):
            getattr(D5, name)(*arguments)
    with pytest.raises(Unsupported, match="between is not defined"):
        D5.between(0, 1)
    low, high = D5.interval(0.9)
    assert (low[3], high[3]) == D5.marginal(3).interval(0.9)


def test_wrong_number_of_coordinates():
    with pytest.raises(InvalidInput, match=r"5 coordinates in its last axis; got shape \(4,\)"):
        D5.log_prob(np.zeros(4))
    with pytest.raises(InvalidInput, match=r"\(3,\) does not broadcast with the batch \(2,\)"):
        MultivariateNormal(np.zeros((2, 5)), COV).log_prob(np.zeros((3, 5)))


def test_shared_covariance_is_factored_once():
    means = RNG.normal(size=(1000, 5))
    d = MultivariateNormal(means, COV)
    assert d.cov.shape == (1000, 5, 5)
    assert d._factor.shape == d[:7]._factor.shape == (5, 5)
    x = RNG.normal(size=(1000, 5))
    expected = [MultivariateNormal(m, COV).log_prob(v) for m, v in zip(means[:9], x[:9], strict=True)]
    np.testing.assert_allclose(d.log_prob(x)[:9], expected, rtol=1e-12)
    assert d.log_prob(x[:, None]).shape == (1000, 1000)
    assert d.sample(2, rng=0).shape == (2, 1000, 5)
    np.testing.assert_array_equal(d[3].mean, means[3])


def test_blocks_make_no_difference():
    x = RNG.normal(size=(2500, 5))
    np.testing.assert_allclose(D5.log_prob(x)[2040:2050], [D5.log_prob(v) for v in x[2040:2050]], rtol=1e-12)
    assert D5.log_prob(np.zeros((0, 5))).shape == (0,)
    assert D5.log_prob(x.reshape(50, 50, 5)).shape == (50, 50)
    assert np.isnan(D5.log_prob([np.nan, 0, 0, 0, 0]))


def test_fit_divides_by_n():
    x = RNG.normal(size=(50, 3))
    d = MultivariateNormal.fit(x)
    np.testing.assert_allclose(d.cov, np.cov(x.T, bias=True), rtol=1e-12)
    assert d.n_parameters == 9
    assert MultivariateNormal.fit(x[:2]).dim == 3  # singular, and allowed
    with pytest.raises(InvalidInput, match=r"x must be a table \(N, D\); got shape \(50,\)"):
        MultivariateNormal.fit(x[:, 0])


@pytest.mark.parametrize("batch", [False, True])
def test_a_singular_covariance_keeps_the_digits_of_small_columns(batch):
    """Draws, conditionals and maps of a singular covariance in mixed units."""
    rng = np.random.default_rng(0)
    A, units = rng.integers(-5, 6, (4, 2)).astype(float), 2.0 ** np.array([-40, 0, 20, 40])
    cov = (A @ A.T) * np.outer(units, units)
    d = MultivariateNormal(np.zeros(4), np.stack([cov, cov]) if batch else cov)
    draws = d.sample(20_000, rng=1).reshape(-1, 4)
    np.testing.assert_allclose(draws.std(axis=0), np.sqrt(np.diagonal(cov)), rtol=0.05)  # 5 standard errors
    np.testing.assert_allclose(d.affine(np.eye(4)).cov, d.cov, rtol=1e-12)
    plain = MultivariateNormal(np.zeros(4), A @ A.T).condition([3], [1.0])
    mine = d.condition([3], np.full((*d.batch_shape, 1), units[3]))
    np.testing.assert_allclose(mine.mean / units[:3], np.broadcast_to(plain.mean, mine.mean.shape), rtol=1e-9)
    np.testing.assert_allclose(
        mine.cov / np.outer(units[:3], units[:3]), np.broadcast_to(plain.cov, mine.cov.shape), rtol=1e-9
    )


def test_rounding_noise_on_the_diagonal_is_no_unit():
    cov = np.array([[1e-33, 1e-16], [1e-16, 1.0]])
    assert MultivariateNormal([0.0, 0.0], cov).sample(3, rng=0).shape == (3, 2)
