"""What is special about the Wishart and its inverse: matrices, blocks, chi-squares, fits."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, NotPositiveDefinite, NumericalError, Unsupported
from suffice.distributions import Gamma, InverseGamma, InverseWishart, Wishart

RNG = np.random.default_rng(5)
ROOT = RNG.normal(size=(3, 3))
SCALE = ROOT @ ROOT.T + 0.2 * np.eye(3)
KINDS = [Wishart, InverseWishart]


def test_one_dimension_is_chi_square():
    d, g, x = Wishart(3.7, [[2.0]]), Gamma(3.7 / 2, 1 / 4.0), np.array([0.1, 2.0, 30.0])
    np.testing.assert_allclose(d.log_prob(x[:, None, None]), g.log_prob(x), rtol=1e-13)
    assert d.entropy() == pytest.approx(g.entropy(), rel=1e-13)
    assert d.var[0, 0] == pytest.approx(g.var, rel=1e-14)
    assert Wishart(3.7, [[1.0]]).marginal(0) == Gamma.chi_square(3.7)


def test_one_dimension_of_the_inverse_is_inverse_gamma():
    d, g, x = InverseWishart(7.4, [[2.0]]), InverseGamma(3.7, 1.0), np.array([0.1, 2.0, 30.0])
    np.testing.assert_allclose(d.log_prob(x[:, None, None]), g.log_prob(x), rtol=1e-13)
    assert d.entropy() == pytest.approx(g.entropy(), rel=1e-13)
    assert d.mean[0, 0] == pytest.approx(g.mean, rel=1e-14)
    assert d.var[0, 0] == pytest.approx(g.var, rel=1e-13)
    assert d.marginal(0) == g


def test_the_density_of_the_inverse_is_a_change_of_variables():
    x = Wishart(6.0, SCALE).sample(5, rng=0)
    d, inverse = InverseWishart(6.0, SCALE), InverseWishart(6.0, SCALE).inverse()
    jacobian = 4 * np.log(np.linalg.det(x))  # |∂X⁻¹/∂X| = |X|^−(D + 1)
    np.testing.assert_allclose(d.log_prob(np.linalg.inv(x)), inverse.log_prob(x) + jacobian, rtol=1e-9)
    np.testing.assert_allclose(inverse.scale, np.linalg.inv(SCALE), rtol=1e-10)


def test_scatter_of_normal_rows_is_wishart():
    rows = RNG.normal(size=(20_000, 5, 3)) @ np.linalg.cholesky(SCALE).T
    scatter = np.swapaxes(rows, -1, -2) @ rows
    d = Wishart(5, SCALE)
    error = d.std / np.sqrt(len(rows))
    assert np.all(np.abs(scatter.mean(axis=0) - d.mean) <= 5 * error)  # 5 standard errors
    log_det = np.linalg.slogdet(scatter)[1]
    assert abs(log_det.mean() - d.mean_log_det) <= 5 * log_det.std() / np.sqrt(len(rows))


@pytest.mark.parametrize("kind", KINDS)
def test_blocks(kind):
    """A block of a draw is a draw of the block: its fit has the block's parameters."""
    d = kind(9.0, SCALE)
    x = d.sample(20_000, rng=2)[:, 1:, 1:]
    block = d.marginal([1, 2])
    gain = 2 * (kind.fit(x).log_prob(x).sum() - block.log_prob(x).sum())
    assert 0 <= gain <= 35  # χ² with 4 degrees of freedom: P < 1e-6
    one = d.marginal(2)
    u = np.sort(one.cdf(x[:, 1, 1]))
    assert np.max(np.abs(u - (np.arange(20_000) + 0.5) / 20_000)) <= 2.5 / np.sqrt(20_000)  # Kolmogorov


@pytest.mark.parametrize("kind", KINDS)
def test_events_that_are_not_covariances(kind):
    d = kind(5.0, SCALE)
    good, bad = np.eye(3), np.diag([1.0, 1.0, -1.0])
    lopsided = np.eye(3) + np.triu(np.ones((3, 3)), 1)
    holes = np.where(np.eye(3) > 0, np.nan, 0.0)
    got = d.log_prob(np.stack([good, bad, lopsided, holes, np.ones((3, 3)), np.full((3, 3), np.inf)]))
    assert np.isfinite(got[0])
    assert got[0] == d.log_prob(good)
    assert got[[1, 2, 4, 5]].tolist() == [-np.inf] * 4
    assert np.isnan(got[3])
    with pytest.raises(InvalidInput, match=r"x must have shape \(..., 3, 3\); got \(3, 2\)"):
        d.log_prob(np.ones((3, 2)))
    with pytest.raises(InvalidInput, match=r"\(4,\) does not broadcast with the batch \(2,\)"):
        kind([5.0, 6.0], SCALE).log_prob(np.stack([np.eye(3)] * 4))


def test_draws_near_the_edge_of_the_domain_are_finite():
    for kind in KINDS:
        assert np.isfinite(kind(2.001, np.eye(3)).sample(50, rng=0)).all()


def test_modes_and_means_that_do_not_exist():
    assert np.isnan(Wishart(2.5, SCALE).mode).all()
    np.testing.assert_allclose(Wishart(4.0, SCALE).mode, 0)
    heavy = InverseWishart(4.0, SCALE)
    assert np.isinf(np.diag(heavy.mean)).all()
    assert np.isnan(heavy.mean[0, 1])
    assert np.isnan(heavy.var).all()
    assert np.isinf(InverseWishart(5.0, SCALE).var).all()
    np.testing.assert_allclose(InverseWishart(8.0, SCALE).mean, SCALE / 4, rtol=1e-15)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dof", [3.0, 8.0, 3e4])
def test_fit_recovers(kind, dof):
    d = kind(dof, SCALE)
    fitted = kind.fit(d.sample(3000, rng=1))
    assert fitted.dof - 2 == pytest.approx(dof - 2, rel=0.1)
    x = d.sample(50, rng=2)
    assert abs((fitted.log_prob(x) - d.log_prob(x)).mean()) < 0.2


@pytest.mark.parametrize("kind", KINDS)
def test_fit_refuses(kind):
    with pytest.raises(NumericalError, match="rows that are all equal"):
        kind.fit(np.stack([np.eye(2)] * 3))
    with pytest.raises(InvalidInput, match="symmetric positive definite matrices; row 1 is not one"):
        kind.fit(np.stack([np.eye(2), np.ones((2, 2))]))
    with pytest.raises(InvalidInput, match=r"x must have shape \(N, D, D\); got \(2, 2\)"):
        kind.fit(np.eye(2))
    with pytest.raises(ValueError, match="Cannot combine statistics of shapes"):
        kind.statistics([np.eye(2)]) + kind.statistics([np.eye(3)])


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_are_of_diagonal_entries(kind):
    with pytest.raises(Unsupported, match=r"take \.marginal\(i\)\.interval\(level\)"):
        kind(5.0, SCALE).interval(0.9)


def test_parametrisations():
    np.testing.assert_allclose(Wishart.from_mean(8.0, SCALE).mean, SCALE, rtol=1e-14)
    np.testing.assert_allclose(InverseWishart.from_mean(8.0, SCALE).mean, SCALE, rtol=1e-14)
    with pytest.raises(ValueError, match="dof must be > 4; got 4"):
        InverseWishart.from_mean(4.0, SCALE)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("dof", "scale", "error", "message"),
    [
        (2.0, np.eye(3), ValueError, "dof must be > 2; got 2"),
        (np.inf, np.eye(3), ValueError, "dof must be finite"),
        (5, [[1.0, 2.0], [2.0, 1.0]], NotPositiveDefinite, "scale must be .* smallest eigenvalue is -1"),
        (5, np.ones((2, 2)), NotPositiveDefinite, "scale must be positive definite"),
        (5, [[1.0, 0.5], [0.0, 1.0]], NotPositiveDefinite, "scale must be symmetric; entries differ by 0.5"),
        (5, np.ones((2, 3)), ValueError, r"scale must have shape \(..., D, D\), D >= 1; got \(2, 3\)"),
        (5, 1.0, ValueError, r"scale must have shape .* got \(\)"),
        (np.full(3, 5.0), np.stack([np.eye(2)] * 2), ValueError, r"broadcast; got \(3,\) and \(2,\)"),
    ],
)
def test_domains(kind, dof, scale, error, message):
    with pytest.raises(error, match=message):
        kind(dof, scale)
