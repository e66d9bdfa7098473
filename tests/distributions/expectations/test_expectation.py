"""Expectations by adaptive quadrature: moments that are infinite or undefined, events, poles, errors that are said."""

import numpy as np
import pytest
from scipy import special, stats

from suffice._core.errors import InaccurateIntegral, InvalidInput
from suffice.distributions import (
    Gamma,
    InverseGamma,
    MixtureDistribution,
    NegativeBinomial,
    Normal,
    Poisson,
    StudentT,
    Uniform,
    change_of_variables,
    expectation,
    expectation_with_error,
)

UNIT = Normal(0, 1)


def log_normal(mean, std):
    return change_of_variables(Normal(mean, std), np.exp, np.log, lambda y: 1 / y)


@pytest.mark.parametrize(
    ("dof", "wanted"), [(2.1, 21), (2.01, 201), (3.0, 3), (2.0, np.inf), (1.5, np.inf), (0.3, np.inf)]
)
def test_second_moments_of_heavy_tails(dof, wanted):
    assert expectation(np.square, StudentT(dof)) == pytest.approx(wanted, rel=1e-10)


def test_an_undefined_mean_is_not_a_number_and_says_so():
    with pytest.warns(InaccurateIntegral, match="undefined: it is infinite on both sides"):
        assert np.isnan(expectation(lambda x: x, StudentT(1)))
    assert expectation(np.abs, StudentT(1)) == np.inf
    assert expectation(lambda x: -np.maximum(x, 0), StudentT(1)) == -np.inf
    assert expectation(lambda x: x, StudentT(1.5, 2.0)) == pytest.approx(2, abs=1e-9)


@pytest.mark.parametrize("at", [-9.0, -1.0, 0.0, 0.123456, 1.96, 8.0])
def test_events_by_indicators(at):
    assert expectation(lambda x: x > at, UNIT) == pytest.approx(stats.norm.sf(at), rel=1e-12)
    assert expectation(lambda x: x <= at, UNIT) == pytest.approx(stats.norm.cdf(at), rel=1e-12)


@pytest.mark.parametrize("d", [UNIT, Gamma(2.5, 0.3), StudentT(1.2)])
def test_narrow_events(d):
    for share in (1e-1, 1e-2, 1e-3, 1e-4):
        for start in (0.02, 0.31, 0.5, 0.77):
            low, high = d.quantile([start, start + share])
            found = expectation(lambda x, a=low, b=high: (x > a) & (x <= b), d)
            assert found == pytest.approx(d.between(low, high), abs=1e-13), (start, share)


def test_a_very_narrow_event_needs_breaks():
    inside = lambda x: (x > 1) & (x <= 1 + 1e-7)  # noqa: E731
    found = expectation(inside, UNIT, breaks=[1, 1 + 1e-7])
    assert found == pytest.approx(UNIT.between(1, 1 + 1e-7), abs=1e-15)
    with pytest.raises(InvalidInput, match="breaks must be a list of finite numbers"):
        expectation(inside, UNIT, breaks=[np.nan])


def test_variances_of_transformed_numbers():
    for std in (0.25, 1.0, 2.0):
        d = log_normal(0.3, std)
        grown = np.exp(std**2)
        assert d.mean == pytest.approx(np.exp(0.3) * np.sqrt(grown), rel=1e-10)
        assert d.var == pytest.approx((grown - 1) * grown * np.exp(0.6), rel=1e-10)
    pareto = change_of_variables(Gamma(1, 2.1), np.exp, np.log, lambda y: 1 / y)
    assert pareto.var == pytest.approx(2.1 / (1.1**2 * 0.1), rel=1e-9)
    heavy = change_of_variables(Gamma(1, 1.5), np.exp, np.log, lambda y: 1 / y)
    assert (heavy.mean, heavy.var) == (pytest.approx(3, rel=1e-10), np.inf)
    heavier = change_of_variables(Gamma(1, 0.8), np.exp, np.log, lambda y: 1 / y)
    assert (heavier.mean, heavier.var) == (np.inf, np.inf)


@pytest.mark.parametrize(
    ("f", "d", "wanted"),
    [
        (np.log, Uniform(0, 1), -1.0),
        (lambda x: x**-0.9, Uniform(0, 1), 10.0),
        (lambda x: 1 / x, Uniform(0, 1), np.inf),
        (lambda x: np.exp(0.999 * x), Gamma(1, 1), 1000.0),
        (lambda x: np.exp(1.001 * x), Gamma(1, 1), np.inf),
        (lambda x: np.exp(x**2), UNIT, np.inf),
        (lambda x: np.exp(20 * x), UNIT, np.exp(200)),
        (lambda x: np.exp(-x), InverseGamma(0.5, 0.5), np.exp(-np.sqrt(2))),
        (lambda x: x, InverseGamma(1.01, 2), 200.0),
        (lambda x: x, Normal(1e10, 1), 1e10),
        (np.cos, StudentT(3), (1 + np.sqrt(3)) * np.exp(-np.sqrt(3))),
        (np.square, MixtureDistribution([1 - 1e-5, 1e-5], [UNIT, Normal(1000, 1)]), 11.0),
        (lambda k: 2.0**k, Poisson(3), np.exp(3)),
        (lambda k: 1.9**k, NegativeBinomial(2.0, 1.0), 100.0),
        (lambda k: 2.1**k, NegativeBinomial(2.0, 1.0), np.inf),
    ],
)
def test_closed_forms(f, d, wanted):
    assert expectation(f, d) == pytest.approx(wanted, rel=1e-9)
    found = expectation_with_error(f, d)
    assert found.value == wanted or abs(found.value - wanted) <= found.error


def test_what_cannot_be_settled_is_warned_about():
    with pytest.warns(InaccurateIntegral, match="could not be settled"):
        expectation(lambda x: np.exp(30 * x), UNIT)  # has its weight where e^{30 x} is no double any more
    with pytest.warns(InaccurateIntegral, match=r"may be off by .*breaks="):
        expectation(lambda x: (1 - x) ** -0.9, Uniform(0, 1))
    with pytest.warns(InaccurateIntegral, match="may be off by"):
        expectation(np.cos, StudentT(1))


def test_a_pole_that_can_be_integrated():
    wanted = 2**-0.125 * special.gamma(0.375) / np.sqrt(np.pi)
    found = expectation_with_error(lambda x: np.abs(x) ** -0.25, UNIT)
    assert abs(found.value - wanted) <= found.error < 1e-9


def test_what_f_may_not_give():
    with pytest.raises(InvalidInput, match="f gave NaN at -3"):
        expectation(lambda x: np.sqrt(x + 3), UNIT)
    with pytest.raises(InvalidInput, match="f is infinite around .* which has probability"):
        expectation(lambda x: np.where(np.abs(x) < 0.5, np.inf, 0), UNIT)


def test_the_record():
    found = expectation_with_error(np.square, UNIT)
    assert repr(found).startswith("Expectation(1 ± ")
    assert isinstance(expectation(np.square, UNIT), float)
    assert found == expectation_with_error(np.square, UNIT)
