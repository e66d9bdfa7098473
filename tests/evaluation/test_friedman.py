"""Ranks over data sets: Friedman's statistic by hand, its exact distribution by brute force, post hoc tests, groups."""

from itertools import permutations, product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import norm, rankdata

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation.comparisons import friedman, holm, nemenyi
from suffice.evaluation.comparisons._exact_ranks import exact_p
from suffice.evaluation.comparisons.post_hoc import critical_difference, rank_error
from suffice.evaluation.comparisons.ranks import chi_square, groups_within, iman_davenport

SCORES = np.array([[0.8, 0.7, 0.6], [0.9, 0.5, 0.7], [0.6, 0.7, 0.5], [0.8, 0.6, 0.7], [0.9, 0.8, 0.1]])


def brute_p(ranks):
    """Over every order of every row."""
    observed = round(float((ranks.sum(axis=0) ** 2).sum()), 6)
    rows = [list(permutations(row)) for row in ranks]
    sums = [np.sum(choice, axis=0) for choice in product(*rows)]
    return np.mean([round(float((s**2).sum()), 6) >= observed for s in sums])


@pytest.mark.parametrize(("n", "k"), [(2, 2), (5, 2), (3, 3), (5, 3), (3, 4)])
@pytest.mark.parametrize("levels", [2, 3, 100])
def test_exact_p_by_brute_force(n, k, levels):
    """Few levels make ties."""
    scores = np.random.default_rng(n + 10 * k).integers(levels, size=(n, k))
    ranks = rankdata(scores, axis=1)
    assert exact_p(ranks) == pytest.approx(brute_p(ranks), rel=1e-12)


def test_the_statistic_by_hand():
    found = friedman(SCORES, method="chi2")
    np.testing.assert_allclose(found.average, [1.2, 2.2, 2.6], rtol=1e-14)
    chi2 = 12 / (5 * 3 * 4) * (6**2 + 11**2 + 13**2) - 3 * 5 * 4
    assert found.statistic == pytest.approx(chi2, rel=1e-13)
    F = 4 * chi2 / (10 - chi2)
    assert found.f_statistic == pytest.approx(F, rel=1e-13)
    assert found.concordance == pytest.approx(chi2 / 10, rel=1e-13)
    assert friedman(SCORES, method="F").statistic == pytest.approx(F, rel=1e-13)


def test_better_lower_reverses_the_ranks():
    high, low = friedman(SCORES), friedman(SCORES, better="lower")
    np.testing.assert_allclose(high.ranks + low.ranks, 4.0, rtol=1e-14)
    assert high.p_value == low.p_value
    assert friedman(-SCORES, better="lower").average.tolist() == high.average.tolist()


def test_only_ranks_matter_and_rows_commute():
    warped = np.exp(5 * SCORES) + np.arange(5)[:, None] * 100
    assert friedman(warped[::-1]).p_value == pytest.approx(friedman(SCORES).p_value, rel=1e-12)


def test_two_methods_are_the_sign_test():
    scores = np.array([[2, 1]] * 8 + [[1, 2]] * 2)
    assert friedman(scores).p_value == pytest.approx(2 * 56 / 1024, rel=1e-12)
    assert any("sign test" in note for note in friedman(scores).notes)


def test_ties_everywhere():
    found = friedman(np.ones((6, 3)))
    assert (found.p_value, found.statistic, found.estimate, found.concordance) == (1.0, 0.0, 0.0, 0.0)
    assert friedman(np.ones((6, 3)), method="F").p_value == 1.0
    assert any("tie" in note for note in found.notes)


def test_perfect_agreement():
    found = friedman(np.tile([3, 2, 1], (4, 1)))
    assert found.concordance == pytest.approx(1, rel=1e-14)
    assert found.p_value == pytest.approx(6.0**-3, rel=1e-12)
    assert iman_davenport(chi_square(found.ranks), 4, 3) == (np.inf, pytest.approx(6.0**-3, rel=1e-12))


def test_auto_counts_where_it_can():
    rng = np.random.default_rng(0)
    assert friedman(rng.random((12, 4))).method == "exact"
    many = friedman(rng.random((12, 8)))
    assert (many.method, many.p_exact, many.p_value) == ("F", None, many.p_f)
    with pytest.raises(InvalidParameter, match="takes too long; use method='F'"):
        friedman(rng.random((12, 8)), method="exact")


@pytest.mark.parametrize(("k", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_critical_values_as_tabulated(k, q):
    """Demšar's table of q at 0.05."""
    assert critical_difference(k, 14, 0.95) / rank_error(k, 14) == pytest.approx(q, abs=1.1e-3)


def test_nemenyi_and_the_critical_difference_agree():
    """p equals 1 − confidence where a gap equals the critical difference, and intervals exclude 0 there."""
    rng = np.random.default_rng(5)
    found = friedman(rng.random((15, 4)) + [0, 0.2, 0.4, 0.6])
    for pair in found.pairs():
        assert (pair.p_value < 0.05) == (abs(pair.estimate) > found.critical_difference)
        assert np.ptp(pair.interval) == pytest.approx(2 * found.critical_difference, rel=1e-12)
        level = friedman(found.ranks, better="lower", confidence=1 - pair.p_value)
        assert level.critical_difference == pytest.approx(abs(pair.estimate), rel=1e-5)


def test_two_methods_nemenyi_is_a_z_test():
    scores = np.array([[2, 1]] * 8 + [[1, 2]] * 2)
    (pair,) = nemenyi(scores)
    assert pair.p_value == pytest.approx(2 * norm.sf(0.6 * np.sqrt(10)), rel=1e-6)


def test_holm_against_a_control_and_over_all_pairs():
    found = friedman(SCORES, names=["a", "b", "c"])
    error = np.sqrt(3 * 4 / 30)
    z = np.array([1.2 - 2.6, 2.2 - 2.6]) / error
    against = found.against("c")
    assert [f.name for f in against] == ["Holm: a and c", "Holm: b and c"]
    np.testing.assert_allclose([f.statistic for f in against], z, rtol=1e-12)
    np.testing.assert_allclose([f.p_value for f in against], np.asarray(holm(2 * norm.sf(-z))), rtol=1e-12)
    half = norm.ppf(1 - 0.05 / 4) * error
    np.testing.assert_allclose(against[0].interval, [-1.4 - half, -1.4 + half], rtol=1e-10)
    assert len(found.pairs("holm")) == 3
    with pytest.raises(InvalidParameter, match="no method 'd'"):
        found.against("d")
    with pytest.raises(InvalidParameter, match="correction"):
        found.pairs("tukey")


@pytest.mark.parametrize(
    ("average", "gap", "expected"),
    [
        ([1.0, 2.0, 3.0, 4.0], 1.5, [("a", "b"), ("b", "c"), ("c", "d")]),
        ([1.0, 2.0, 3.0, 4.0], 0.5, []),
        ([1.0, 2.0, 3.0, 4.0], 9.0, [("a", "b", "c", "d")]),
        ([4.0, 1.0, 1.2, 3.9], 0.5, [("b", "c"), ("d", "a")]),
        ([1.0, 1.1, 2.5, 2.6], 1.5, [("a", "b", "c"), ("b", "c", "d")]),
    ],
)
def test_groups(average, gap, expected):
    assert list(groups_within(np.array(average), "abcd", gap)) == expected


def test_groups_are_the_pairs_that_do_not_differ():
    rng = np.random.default_rng(8)
    found = friedman(rng.random((20, 6)) + np.linspace(0, 1, 6), names=list("abcdef"))
    together = {frozenset(p) for g in found.groups for p in product(g, g) if p[0] != p[1]}
    alike = {
        frozenset(f.name.removeprefix("Nemenyi: ").split(" and ")) for f in found.pairs() if f.p_value > 0.05
    }
    assert together == alike
    assert 0 < len(alike) < 15


def test_names_of_tables():
    table = pd.DataFrame(SCORES, columns=["x", "y", "z"])
    assert friedman(table).names == friedman(pl.from_pandas(table)).names == ("x", "y", "z")
    assert friedman(table).order == ("x", "y", "z")
    assert friedman(SCORES).names == ("0", "1", "2")
    assert friedman(table).frame()["method"].tolist() == ["x", "y", "z"]
    assert "<li>5 data sets are few" in friedman(table)._repr_html_()


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.ones((1, 3)), "got 1 and 3"),
        (np.ones((3, 1)), "got 3 and 1"),
        (np.ones((0, 3)), "got 0 and 3"),
        ([1, 2, 3], "data sets × methods"),
        ([[1, np.nan], [1, 2]], "NaN at row 0, column '1'"),
        ([["a", "b"], ["c", "d"]], "made of numbers"),
    ],
)
def test_bad_scores(scores, message):
    with pytest.raises(InvalidInput, match=message):
        friedman(scores)


def test_bad_names():
    for names in (["a", "b"], ["a", "a", "b"]):
        with pytest.raises(InvalidInput, match="name each of the 3 methods"):
            friedman(SCORES, names=names)
    with pytest.raises(InvalidParameter, match="better"):
        friedman(SCORES, better="more")
