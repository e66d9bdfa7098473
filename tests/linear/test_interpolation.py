"""interpolate: through every point, the coefficients of exact arithmetic, and how noise grows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import suffice
from suffice._core.errors import IllConditioned, InvalidInput, InvalidParameter
from suffice.bases import Polynomial
from suffice.datasets import olympic_100m_men, sinusoid_10
from suffice.linear import LinearRegression, interpolate


def lagrange(x, y, at):
    """The definition, in exact arithmetic."""
    x, y, at = [Fraction(float(v)) for v in x], [Fraction(float(v)) for v in y], Fraction(float(at))
    total = Fraction(0)
    for j in range(len(x)):
        term = y[j]
        for k in range(len(x)):
            if k != j:
                term *= (at - x[k]) / (x[j] - x[k])
        total += term
    return float(total)


@given(st.integers(0, 2**31), st.integers(1, 9), st.sampled_from([1e-150, 1.0, 1e150]))
def test_against_the_definition(seed, n, scale):
    rng = np.random.default_rng(seed)
    x, y, at = (
        rng.permutation(np.arange(n) + rng.uniform(0, 0.5, n)) * scale,
        rng.normal(size=n),
        rng.uniform(0, n, 5),
    )
    p = interpolate(x, y)
    np.testing.assert_array_equal(p(x), y)  # exactly
    room = 1e-12 * p.amplification(at * scale) * np.abs(y).max()
    assert np.all(np.abs(p(at * scale) - [lagrange(x, y, a) for a in at * scale]) <= room)


@given(st.integers(0, 2**31), st.integers(1, 8))
def test_coefficients_are_the_exact_ones(seed, n):
    """A polynomial with small whole coefficients at whole points comes back without error, zeros included."""
    rng = np.random.default_rng(seed)
    coef, x = rng.integers(-3, 4, n).astype(float), rng.permutation(np.arange(-n, n))[:n].astype(float)
    p = interpolate(x, np.polynomial.polynomial.polyval(x, coef))
    np.testing.assert_array_equal(p.coef, coef)


def test_coefficients_far_from_the_origin_are_right_and_useless():
    """Herbst §1.1 on the years of the Olympics: correct coefficients that no double can be evaluated from."""
    data = olympic_100m_men()
    x, y = data.X[:12, 0], data.y[:12]
    p = interpolate(x, y)
    with pytest.warns(IllConditioned, match="powers of x cancel"):
        coef = p.coef
    assert p.condition > 1e20
    exact = sum(Fraction(c) * Fraction(float(x[3])) ** k for k, c in enumerate(coef.tolist()))
    assert abs(float(exact) - y[3]) <= 12 * p.condition * 2.3e-16 * np.abs(y).max()
    np.testing.assert_array_equal(p(x), y)


def test_many_digits_are_found_where_they_are_needed():
    """Roots 1 … 20 (Wilkinson): the coefficients are whole numbers up to 1e19."""
    x = np.arange(1.0, 22.0)
    y = np.zeros(21)
    y[-1] = float(np.prod([Fraction(21 - k) for k in range(1, 21)]))
    p = interpolate(x, y)
    whole = [1]
    for root in range(1, 21):
        whole = [a - root * b for a, b in zip([0, *whole], [*whole, 0], strict=True)]
    with pytest.warns(IllConditioned, match="powers of x cancel"):
        np.testing.assert_allclose(p.coef, [float(c) for c in whole], rtol=2e-16)


def test_least_squares_of_full_degree_interpolates():
    """Herbst claim 2: M ≥ N − 1 goes through all points."""
    data = sinusoid_10()
    p = interpolate(data.X[:, 0], data.y)
    model = LinearRegression(basis=Polynomial(9)).fit(data.X, data.y)
    at = np.linspace(0, 1, 50)
    np.testing.assert_allclose(model.predict(at[:, None]), p(at), atol=1e-6)
    assert np.abs(p.coef).max() > 1e3  # large weights of alternating sign
    assert np.all(np.diff(np.sign(p.coef[1:])) != 0)


def test_runge():
    """Equally spaced points get worse with their number, Chebyshev's better."""

    def error(nodes):
        at = np.linspace(-1, 1, 1001)
        return np.abs(interpolate(nodes, 1 / (1 + 25 * nodes**2))(at) - 1 / (1 + 25 * at**2)).max()

    even = [error(np.linspace(-1, 1, n)) for n in (5, 11, 21, 41)]
    cosine = [error(np.cos((np.arange(n) + 0.5) * np.pi / n)) for n in (5, 11, 21, 41)]
    assert even[1] < even[2] < even[3]
    assert even[3] > 1e4
    assert np.all(np.diff(cosine) < 0)
    assert cosine[3] < 1e-3


def test_amplification_bounds_noise():
    rng = np.random.default_rng(0)
    x, at = np.linspace(0, 1, 9), np.linspace(0, 1, 101)
    p = interpolate(x, np.zeros(9))
    worst = p.amplification(at)
    assert np.all(worst >= 1 - 1e-12)
    np.testing.assert_array_equal(p.amplification(x), 1.0)
    noise = [interpolate(x, rng.choice([-1.0, 1.0], 9))(at) for _ in range(300)]
    assert np.all(np.abs(noise).max(axis=0) <= worst * (1 + 1e-9))
    signs = np.sign([interpolate(x, np.eye(9)[j])(0.03) for j in range(9)])
    assert interpolate(x, signs)(0.03) == pytest.approx(p.amplification(0.03), rel=1e-12)  # it is reached


def test_shapes_scalars_and_files(tmp_path):
    p = interpolate([2.0, 0.0], [1.0, 5.0])
    assert p(1.0) == pytest.approx(3.0)
    assert isinstance(p(1.0), float)
    assert p([[0.0, 1.0], [2.0, 4.0]]).tolist() == [[5.0, 3.0], [1.0, -3.0]]
    assert interpolate([3.0], [7.0])(100.0) == 7.0
    assert np.isnan(p([np.nan])).all()
    assert repr(p) == "<Interpolant: polynomial of degree 1 through 2 points, x from 0 to 2>"
    assert p._repr_html_().startswith("<p>polynomial of degree 1")
    assert p.frame()["y"].tolist() == [5.0, 1.0]
    suffice.save(p, tmp_path / "p.suffice")
    assert suffice.load(tmp_path / "p.suffice") == p


@pytest.mark.parametrize(
    ("x", "y", "error", "message"),
    [
        ([0.0, 1.0, 0.0], [1.0, 2.0, 3.0], InvalidInput, r"x contains 0 twice \(rows 0 and 2\)"),
        ([0.0, np.nan], [1.0, 2.0], InvalidInput, "x contains NaN"),
        ([0.0, 1.0], [np.inf, 2.0], InvalidInput, "y contains"),
        ([0.0, 1.0], [1.0], InvalidInput, "vectors of one length"),
        (np.zeros((2, 2)), [1.0, 2.0], InvalidInput, "vectors of one length"),
        (np.zeros(0), np.zeros(0), InvalidInput, "at least 1"),
        (["a"], [1.0], InvalidParameter, "x must be made of numbers"),
    ],
)
def test_points_that_have_no_polynomial(x, y, error, message):
    with pytest.raises(error, match=message):
        interpolate(x, y)


def test_x_may_be_a_table_of_one_column():
    x, y = np.array([0.0, 2.0, 1.0]), [1.0, 5.0, 2.0]
    assert interpolate(x[:, None], y)(1.5) == interpolate(x, y)(1.5)
