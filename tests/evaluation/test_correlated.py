"""The correlated t test and its Bayesian twin: limits, symmetry, regions of practical equivalence, bad input."""

import numpy as np
import polars as pl
import pytest
from scipy import integrate

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation.comparisons import (
    bayesian_correlated_t,
    correlated_interval,
    correlated_t,
    mean_difference,
)

R = np.array([0.02, 0.03, -0.01, 0.04, 0.01, 0.0, 0.05, -0.02])


def test_without_correlation_it_is_the_ordinary_t_test():
    ours, plain = correlated_t(R, 0.0), mean_difference(R)
    assert ours.interval == pytest.approx(plain.interval, rel=1e-13)
    assert ours.p_value == pytest.approx(plain.p_value, rel=1e-13)


def test_more_correlation_widens_the_interval():
    widths = [np.ptp(correlated_t(R, rho).interval) for rho in (0, 0.1, 0.2, 0.5)]
    assert widths == sorted(widths)
    assert len(set(widths)) == 4


def test_the_width_follows_the_formula():
    """(1/J + 1/(K − 1)) against 1/J, for K = 5."""
    plain, ours = np.ptp(mean_difference(R).interval), np.ptp(correlated_t(R, 1 / 5).interval)
    assert ours / plain == pytest.approx(np.sqrt((1 / 8 + 1 / 4) * 8), rel=1e-12)


def test_repeats_cannot_pass_the_floor():
    """The scale of the posterior, statistic aside, tends to ŝ²/(K − 1) however often folds are repeated."""
    many = np.tile(R, 500)
    found = bayesian_correlated_t(many, 0.1)
    s2 = many.var(ddof=1)
    assert float(found.posterior.scale) ** 2 == pytest.approx(s2 * (1 / len(many) + 1 / 9), rel=1e-12)
    assert float(found.posterior.scale) ** 2 > s2 / 9


def test_the_posterior_is_that_of_the_model():
    """Integrate N(r | z̄ 1, σ² C) / σ over σ, C = (1 − ρ) I + ρ 1 1ᵀ, and compare densities (eqs 11.59–11.61)."""
    r, rho = R[:5], 0.2
    C = (1 - rho) * np.eye(5) + rho
    P, det = np.linalg.inv(C), np.linalg.det(C)

    def unnormalized(z):
        q = (r - z) @ P @ (r - z)
        log_scale = np.log(np.sqrt(q / 5))  # the integrand peaks there
        return integrate.quad(
            lambda u: np.exp(-5 * (u + log_scale) - q / 2 * np.exp(-2 * (u + log_scale))) / np.sqrt(det),
            -4,
            12,
        )[0]

    posterior = bayesian_correlated_t(r, rho).posterior
    at = np.array([-0.02, 0.0, 0.018, 0.03, 0.06])
    ours = np.exp([float(posterior.log_prob(z)) for z in at])
    theirs = np.array([unnormalized(z) for z in at])
    np.testing.assert_allclose(ours / ours[2], theirs / theirs[2], rtol=1e-6)


def test_one_method():
    found = correlated_interval(R + 0.3, 0.125, name="The tree")
    shifted = correlated_t(R, 0.125)
    np.testing.assert_allclose(found.interval, np.array(shifted.interval) + 0.3, rtol=1e-12)
    assert found.p_value is None


def test_sentence_names_the_setup():
    assert "for new training sets of this size" in correlated_t(R, 0.1).sentence
    assert any("Setup II" in text for text in correlated_t(R, 0.1).assumptions)


def test_equal_differences():
    none, some = correlated_t(np.zeros(5), 0.2), correlated_t(np.full(5, 0.1), 0.2)
    assert (none.p_value, none.interval) == (1.0, (0.0, 0.0))
    assert (some.p_value, some.interval) == (None, None)
    assert any("without spread" in note for note in some.notes)


def test_few_splits_are_noted():
    assert any("3 splits are few" in note for note in correlated_t(R[:3], 0.2).notes)
    assert correlated_t(R[:5], 0.2).notes == ()


@pytest.mark.parametrize("test", [correlated_t, correlated_interval, bayesian_correlated_t])
def test_bad_input(test):
    with pytest.raises(InvalidInput, match="two splits or more"):
        test([0.1], 0.2)
    with pytest.raises(InvalidInput, match="NaN at row 1"):
        test([0.1, np.nan], 0.2)
    with pytest.raises(InvalidInput, match="is empty"):
        test([], 0.2)
    with pytest.raises(InvalidParameter, match="1/K for K folds; got 10"):
        test(R, 10)
    for share in (-0.1, np.nan, "tenth", None):
        with pytest.raises(InvalidParameter, match="test_fraction"):
            test(R, share)


# -- practical equivalence ------------------------------------------------------------------------
@pytest.mark.parametrize("rope", [0.0, 0.001, 0.01, 0.1, 10.0])
def test_the_three_probabilities_add_up(rope):
    found = bayesian_correlated_t(R, 0.1, rope)
    assert sum(found.probabilities) == pytest.approx(1, abs=1e-14)
    assert min(found.probabilities) >= 0
    grid = np.linspace(-rope, rope, 20_001)
    density = np.exp(found.posterior.log_prob(grid))
    assert np.trapezoid(density, grid) == pytest.approx(found.within, abs=1e-5)


def test_swapping_swaps_the_sides():
    one, other = bayesian_correlated_t(R, 0.1), bayesian_correlated_t(-R, 0.1)
    assert one.probabilities == pytest.approx(other.probabilities[::-1], rel=1e-12)


def test_the_interval_is_that_of_the_test():
    assert bayesian_correlated_t(R, 0.1).interval == correlated_t(R, 0.1).interval


def test_one_sided_p_is_a_probability_when_there_is_no_region():
    found = bayesian_correlated_t(R, 0.1, 0.0)
    assert 2 * min(found.left, found.right) == pytest.approx(correlated_t(R, 0.1).p_value, rel=1e-10)


@pytest.mark.parametrize(
    ("value", "rope", "expected"),
    [
        (0.0, 0.01, (0, 1, 0)),
        (0.02, 0.01, (0, 0, 1)),
        (-0.02, 0.01, (1, 0, 0)),
        (0.0, 0.0, (0.5, 0, 0.5)),
        (0.1, 0.0, (0, 0, 1)),
    ],
)
def test_no_spread(value, rope, expected):
    found = bayesian_correlated_t(np.full(6, value), 0.1, rope)
    assert found.probabilities == expected
    assert found.interval is None
    assert found.notes


def test_rope_must_not_be_negative():
    for rope in (-0.01, np.nan, "wide"):
        with pytest.raises(InvalidParameter, match="rope"):
            bayesian_correlated_t(R, 0.1, rope)


def test_it_prints_and_tabulates():
    found = bayesian_correlated_t(pl.Series(R), 0.1, names=("tree", "line"), loss="squared")
    assert str(found).startswith("The mean squared loss of tree is higher than that of line by 0.015")
    assert found.frame()["within"].iloc[0] == found.within
    assert "<li>" in found._repr_html_()
