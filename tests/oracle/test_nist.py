"""LinearRegression against NIST's certified values, whatever the order of the rows.

Digits of agreement are −log₁₀ of the largest relative error, at most 15, the number NIST prints.
"""

from __future__ import annotations

import numpy as np
import pytest

from suffice import datasets
from suffice.bases import Polynomial
from suffice.linear import LinearRegression

# The least digits of the coefficients. What rounding the inputs to double precision costs differs by problem.
DIGITS = {
    "nist_norris": 12.0,
    "nist_pontius": 11.5,
    "nist_noint1": 14.0,
    "nist_noint2": 14.0,
    "nist_longley": 12.5,
    "nist_filip": 12.0,
    "nist_wampler1": 8.5,
    "nist_wampler2": 11.5,
    "nist_wampler3": 8.5,
    "nist_wampler4": 8.5,
    "nist_wampler5": 6.5,
}
ORDERS = {
    "as given": lambda n: np.arange(n),
    "reversed": lambda n: np.arange(n)[::-1],
    "shuffled": lambda n: np.random.default_rng(20).permutation(n),
}


def _digits(ours: np.ndarray, certified: np.ndarray) -> float:
    with np.errstate(divide="ignore"):
        return float(min(15.0, np.min(-np.log10(np.abs(ours / certified - 1)))))


@pytest.fixture(params=ORDERS)
def order(request):
    return ORDERS[request.param]


def _fit(data, order):
    rows = order(len(data.y))
    basis = None if data.degree is None else Polynomial(data.degree)
    return LinearRegression(basis=basis, fit_intercept=data.fit_intercept).fit(data.X[rows], data.y[rows])


def _weights(model) -> np.ndarray:
    return np.concatenate([[model.intercept_], model.coef_]) if model.fit_intercept else model.coef_


def _errors(model) -> np.ndarray:
    return np.sqrt(np.diagonal(model.cov_params_))


@pytest.mark.parametrize("name", DIGITS)
def test_coefficients(name, order):
    data = getattr(datasets, name)()
    assert _digits(_weights(_fit(data, order)), data.coef) >= DIGITS[name]


@pytest.mark.parametrize("name", DIGITS)
def test_standard_errors(name, order):
    data = getattr(datasets, name)()
    ours = _errors(_fit(data, order))
    if data.residual_std == 0:
        assert np.max(ours / np.abs(data.coef)) < 1e-7
    else:
        assert _digits(ours, data.std_error) >= 12


@pytest.mark.parametrize("name", DIGITS)
def test_residual_standard_deviation(name, order):
    data = getattr(datasets, name)()
    ours = np.sqrt(_fit(data, order).noise_variance_)
    if data.residual_std == 0:
        assert ours < 1e-7 * np.std(data.y)
    else:
        assert _digits(ours, np.array(data.residual_std)) >= 12


def test_every_certified_problem_is_here():
    assert sorted(DIGITS) == [name for name in datasets.__all__ if name.startswith("nist_")]
