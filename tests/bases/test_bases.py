"""Bases inside models: frames, raw coefficients, names."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.bases import CustomBasis, GaussianBasis, Polynomial
from suffice.datasets import olympic_100m_men
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.statistics import Header


def test_years_as_they_are():
    """Powers of years up to the eighth: least squares in a shifted variable, expanded exactly."""
    from fractions import Fraction
    from math import comb

    data = olympic_100m_men()
    model = LinearRegression(basis=Polynomial(3)).fit(data.X, data.y)
    u = (data.X[:, 0] - 1952) / 56
    A = np.column_stack([np.ones(27), u, u**2, u**3])
    w = np.linalg.lstsq(A, data.y, rcond=None)[0]
    raw = [Fraction(0)] * 4
    for k in range(4):
        for i in range(k + 1):
            raw[i] += Fraction(float(w[k])) * comb(k, i) * Fraction(-1952) ** (k - i) / Fraction(56) ** k
    np.testing.assert_allclose([model.intercept_, *model.coef_], [float(r) for r in raw], rtol=1e-9)


def test_predictions_do_not_cancel():
    """The same polynomial far from the origin predicts as well as near it."""
    x = np.linspace(0, 1, 40)[:, None]
    y = np.sin(6 * x[:, 0])
    near = LinearRegression(basis=Polynomial(7)).fit(x, y).predict(x)
    far = LinearRegression(basis=Polynomial(7)).fit(x + 4096.0, y).predict(x + 4096.0)
    np.testing.assert_allclose(far, near, atol=1e-9)


def test_degree_one_is_no_basis():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 3)), rng.standard_normal(20)
    for make in (LinearRegression, Ridge, BayesianLinearRegression):
        a, b = make(basis=Polynomial(1)).fit(X, y), make().fit(X, y)
        np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-12)


@pytest.mark.parametrize("make", [LinearRegression, Ridge])
def test_degree_zero_is_the_mean(make):
    y = np.array([1.0, 2.0, 6.0])
    model = make(basis=Polynomial(0)).fit(np.zeros((3, 2)), y)
    assert model.coef_.shape == (0,)
    assert model.predict([[5.0, 5.0]])[0] == pytest.approx(3.0)


def test_names_reach_the_summary():
    import pandas

    rng = np.random.default_rng(0)
    table = pandas.DataFrame(rng.standard_normal((20, 2)), columns=["age", "bmi"])
    model = LinearRegression(basis=Polynomial(2, interactions=True)).fit(table, rng.standard_normal(20))
    assert model.summary().term == ("intercept", "age", "bmi", "age^2", "bmi^2", "age*bmi")
    assert "age*bmi" in repr(model.summary())
    assert list(model.summary().frame()["term"])[1] == "age"


def test_repr_is_the_call():
    total = Polynomial(3, interactions=True) + GaussianBasis([0.0, 1.0], width=0.5)
    assert repr(total) == "Polynomial(3, interactions=True) + GaussianBasis([0., 1.], width=0.5)"
    assert repr(CustomBasis([np.sin])) == "CustomBasis([sin])"


def test_resolved_basis_is_published_and_the_given_one_untouched():
    x, y = np.linspace(0, 4, 30)[:, None], np.linspace(0, 1, 30) ** 2
    basis = GaussianBasis(5)
    model = LinearRegression(basis=basis).fit(x, y)
    assert model.basis is basis
    assert basis.centers == 5
    np.testing.assert_allclose(model.basis_.centers, np.linspace(0, 4, 5))
    assert model.basis_.width == pytest.approx(1.0)
    again = model.partial_fit(x + 10, y)  # the centres of the first rows stay
    np.testing.assert_allclose(again.basis_.centers, np.linspace(0, 4, 5))
    assert Header(1, ("u",), model.basis_).column_names[0] == "bump(u≈0)"


def test_merge_needs_the_same_resolved_centres():
    import suffice

    x, y = np.linspace(0, 4, 30)[:, None], np.linspace(0, 1, 30) ** 2
    a, b = (LinearRegression(basis=GaussianBasis(5)).fit(x + s, y) for s in (0.0, 1.0))
    with pytest.raises(ValueError, match="different bases"):
        suffice.merge([a, b])
    assert suffice.merge([a, a]).statistics_.rows == 60


def test_functions_of_several_columns():
    def both(X):
        return np.column_stack([X[:, 0] * X[:, 1], X[:, 0] + X[:, 1]])

    rng = np.random.default_rng(1)
    X = rng.standard_normal((30, 2))
    y = 2 * X[:, 0] * X[:, 1] - (X[:, 0] + X[:, 1]) + 3
    model = LinearRegression(basis=CustomBasis([both, np.sin])).fit(X, y)
    np.testing.assert_allclose(model.coef_, [2, -1, 0, 0], atol=1e-12)
    assert model.statistics_.header.column_names == ("both[0]", "both[1]", "sin[0]", "sin[1]")
