"""What is special about the multivariate t: marginals, conditionals, maps, the normal limit, the fit."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, NotPositiveDefinite, NumericalError, Unsupported
from suffice.distributions import MultivariateNormal, MultivariateT, StudentT

RNG = np.random.default_rng(12)
ROOT = RNG.normal(size=(4, 4))
SCALE = ROOT @ ROOT.T + 0.1 * np.eye(4)
LOC = RNG.normal(size=4)
D = MultivariateT(3.5, LOC, SCALE)


def test_marginals():
    assert D.marginal(2) == StudentT(3.5, LOC[2], np.sqrt(SCALE[2, 2]))
    some = D.marginal([3, 0])
    np.testing.assert_array_equal(some.scale, SCALE[np.ix_([3, 0], [3, 0])])
    assert some.dof == 3.5
    low, high = D.interval(0.9)
    assert (low[3], high[3]) == D.marginal(3).interval(0.9)
    with pytest.raises(InvalidInput, match="among 4 coordinates; got 4"):
        D.marginal(4)


@pytest.mark.parametrize("d", [D, MultivariateT(np.inf, LOC, SCALE)])
def test_conditional_times_marginal_is_joint(d):
    observed, free = [1, 3], [0, 2]
    values = np.array([0.3, -5.0])
    given = d.condition(observed, values)
    x = RNG.normal(size=(20, 4))
    x[:, observed] = values
    expected = d.log_prob(x) - d.marginal(observed).log_prob(values)
    np.testing.assert_allclose(given.log_prob(x[:, free]), expected, rtol=1e-10)
    assert given.dof == d.dof + 2


def test_condition_on_rows_and_on_missing_values():
    rows = D.condition([1, 3], [[0.3, -5.0], [1.0, 2.0]])
    assert rows.batch_shape == (2,)
    np.testing.assert_allclose(rows[0].scale, D.condition([1, 3], [0.3, -5.0]).scale, rtol=1e-13)
    assert D.condition([0, 1], [1.0, np.nan]) == D.condition(0, 1.0)
    nothing = D.condition([0, 1], [np.nan, np.nan])
    np.testing.assert_allclose(nothing.scale, SCALE, rtol=1e-12)
    assert nothing.dof == 3.5
    with pytest.raises(InvalidInput, match="at least one coordinate free"):
        D.condition([0, 1, 2, 3], [1.0] * 4)


def test_affine():
    A, b = RNG.normal(size=(3, 4)), RNG.normal(size=3)
    mapped = D.affine(A, b)
    np.testing.assert_allclose(mapped.loc, A @ LOC + b, rtol=1e-13)
    np.testing.assert_allclose(mapped.scale, A @ SCALE @ A.T, rtol=1e-11, atol=1e-13)
    one = D.affine(A[0], 2.0)
    assert isinstance(one, StudentT)
    assert one.scale**2 == pytest.approx(A[0] @ SCALE @ A[0], rel=1e-12)
    square = MultivariateT(3.5, LOC, SCALE).affine(ROOT)
    x = RNG.normal(size=4)
    change = np.log(abs(np.linalg.det(ROOT)))
    assert square.log_prob(ROOT @ x) == pytest.approx(D.log_prob(x) - change, rel=1e-10)
    with pytest.raises(ValueError, match=r"A must have shape \(K, 4\) or \(4,\); got \(3, 3\)"):
        D.affine(A[:, :3])


def test_one_dimension_is_student():
    d, s, x = MultivariateT(2.5, [1.0], [[4.0]]), StudentT(2.5, 1.0, 2.0), np.linspace(-9, 9, 7)
    np.testing.assert_allclose(d.log_prob(x[:, None]), s.log_prob(x), rtol=1e-13)
    assert d.entropy() == pytest.approx(s.entropy(), rel=1e-13)
    np.testing.assert_allclose(d.var, [s.var])


def test_infinite_dof_is_normal():
    d, n, x = MultivariateT(np.inf, LOC, SCALE), MultivariateNormal(LOC, SCALE), RNG.normal(size=(9, 4))
    np.testing.assert_allclose(d.log_prob(x), n.log_prob(x), rtol=1e-13)
    assert d.entropy() == pytest.approx(n.entropy(), rel=1e-14)
    np.testing.assert_allclose(d.cov, SCALE)
    assert np.isfinite(d.sample(5, rng=0)).all()


def test_far_tails_do_not_overflow():
    x = np.array([3e200, -1e200, 0.0, 1e200])
    far, near = D.log_prob(x), D.log_prob(x / 1e100)
    assert far == pytest.approx(near - (3.5 + 4) * 100 * np.log(10), rel=1e-12)
    assert D.mahalanobis(x) == pytest.approx(1e200 * D.mahalanobis(LOC + x / 1e200), rel=1e-12)
    assert not np.isnan(MultivariateT(1e-5, LOC, SCALE).sample(20, rng=0)).any()


def test_moments():
    np.testing.assert_allclose(D.cov, SCALE * 3.5 / 1.5, rtol=1e-14)
    heavy = MultivariateT([0.5, 1.5, 2.0], [0.0, 1.0], np.eye(2))
    assert np.isnan(heavy.mean[0]).all()
    assert np.isnan(heavy.var[0]).all()
    assert np.isinf(heavy.var[1:]).all()
    assert np.isnan(heavy.cov).all()
    x = D.sample(100_000, rng=1)
    inside = np.mean(D.mahalanobis(x) ** 2 / 4 <= 1.0)  # Δ²/D is F(D, ν)
    from scipy.special import fdtr

    assert inside == pytest.approx(fdtr(4, 3.5, 1.0), abs=5 * 0.5 / np.sqrt(100_000))


def test_singular_scales():
    d = MultivariateT(3.0, [1.0, 2.0], np.ones((2, 2)))
    x = d.sample(50, rng=0)
    np.testing.assert_allclose(x[:, 1] - x[:, 0], 1, atol=1e-6)
    assert d.entropy() == -np.inf
    with pytest.raises(NumericalError, match=r"scale is singular \(its smallest eigenvalue is"):
        d.log_prob([1.0, 2.0])


def test_fit_is_a_flat_point_and_robust():
    x = MultivariateT(3.0, [0.0, 5.0], [[2.0, 0.5], [0.5, 1.0]]).sample(800, rng=3)
    fitted = MultivariateT.fit(x)
    u = (fitted.dof + 2) / (fitted.dof + fitted.mahalanobis(x) ** 2)
    gap = x - fitted.loc
    np.testing.assert_allclose(u @ gap / len(x), 0, atol=1e-5)  # the EM equations hold
    np.testing.assert_allclose((u[:, None] * gap).T @ gap / len(x), fitted.scale, rtol=1e-4)
    up, down = (
        MultivariateT(fitted.dof * f, fitted.loc, fitted.scale).log_prob(x).sum() for f in (1.01, 0.99)
    )
    assert fitted.log_prob(x).sum() > max(up, down)
    dirty = np.vstack([x, [[1e6, -1e6]]])
    np.testing.assert_allclose(MultivariateT.fit(dirty).loc, fitted.loc, atol=0.05)
    assert MultivariateT.fit(x, dof=7.0).dof == 7.0
    normal = RNG.normal(size=(300, 2)) * [1.0, 1e-3]
    d = MultivariateT.fit(np.clip(normal, -2, 2), dof=np.inf)
    np.testing.assert_allclose(d.scale, MultivariateNormal.fit(np.clip(normal, -2, 2)).cov, rtol=1e-5)


def test_fit_refuses():
    with pytest.raises(NumericalError, match="span every direction"):
        MultivariateT.fit([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
    with pytest.raises(Unsupported, match="no sufficient statistics of fixed size"):
        MultivariateT.statistics([[1.0, 2.0]])
    with pytest.raises(InvalidInput, match=r"table \(N, D\); got shape \(3,\)"):
        MultivariateT.fit([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("dof", "loc", "scale", "message"),
    [
        (0.0, [0.0, 0.0], np.eye(2), "dof must be > 0; got 0"),
        (1.0, [0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]], "scale must be .* smallest eigenvalue is -1"),
        (1.0, [0.0, 0.0], [[1.0, 0.5], [0.0, 1.0]], "scale must be symmetric; entries differ by 0.5"),
        (1.0, [0.0, 0.0], np.eye(3), r"got \(2,\) and \(3, 3\)"),
        (1.0, 0.0, [[1.0]], r"loc must have shape \(..., D\)"),
        ([1.0, 2.0, 3.0], np.zeros((2, 2)), np.eye(2), r"broadcast; got \(3,\) and \(2,\)"),
    ],
)
def test_domains(dof, loc, scale, message):
    with pytest.raises(ValueError, match=message):
        MultivariateT(dof, loc, scale)
    with pytest.raises(NotPositiveDefinite, match="positive semi-definite"):
        MultivariateT(1.0, [0.0, 0.0], -np.eye(2))
