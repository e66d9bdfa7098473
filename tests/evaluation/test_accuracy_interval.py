"""Jeffreys' interval for an accuracy: the posterior it stands for, its edges, its coverage."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import integrate, stats

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation.comparisons import accuracy_from_counts, accuracy_interval


def posterior_mass(low, high, m, n):
    """P(low < θ < high | m of n) by integrating prior times likelihood, in sin²φ to tame the prior's poles."""

    def density(phi):
        return np.sin(phi) ** (2 * m) * np.cos(phi) ** (2 * (n - m))

    ends = [np.arcsin(np.sqrt(v)) for v in (low, high)]
    total = integrate.quad(density, 0, np.pi / 2, epsabs=0, epsrel=1e-12)[0]
    return integrate.quad(density, *ends, epsabs=0, epsrel=1e-12)[0] / total


@pytest.mark.parametrize(("m", "n"), [(6, 8), (67, 100), (1, 2), (3, 40)])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.99])
def test_the_interval_holds_its_posterior_mass(m, n, confidence):
    low, high = accuracy_from_counts(m, n, confidence=confidence).interval
    assert posterior_mass(low, high, m, n) == pytest.approx(confidence, rel=1e-9)
    assert posterior_mass(0, low, m, n) == pytest.approx((1 - confidence) / 2, rel=1e-8)


@pytest.mark.parametrize("n", [1, 8, 1000])
def test_edges(n):
    none, all_ = accuracy_from_counts(0, n), accuracy_from_counts(n, n)
    assert none.interval[0] == 0.0
    assert all_.interval[1] == 1.0
    assert none.interval[1] == pytest.approx(stats.beta.ppf(0.975, 0.5, n + 0.5), rel=1e-10)
    assert all_.interval[0] == pytest.approx(1 - none.interval[1], rel=1e-10)
    assert none.estimate == pytest.approx(0.5 / (n + 1), rel=1e-14)
    assert none.observed == 0.0


def test_right_and_wrong_mirror_each_other():
    right, wrong = accuracy_from_counts(17, 60), accuracy_from_counts(43, 60)
    np.testing.assert_allclose(right.interval, 1 - np.array(wrong.interval)[::-1], rtol=1e-12)
    assert right.estimate + wrong.estimate == pytest.approx(1, rel=1e-14)


def test_labels_of_any_kind_give_the_same_counts():
    y, yhat = ["a", "b", "b", "a", "c"], ["a", "b", "a", "a", "c"]
    expected = accuracy_from_counts(4, 5)
    assert accuracy_interval(y, yhat) == expected
    for kind in (np.array, pd.Series, pl.Series, pd.Categorical):
        assert accuracy_interval(kind(y), kind(yhat)) == expected
    codes = {"a": 0, "b": 1, "c": 2}
    numbers = [[codes[v] for v in column] for column in (y, yhat)]
    assert accuracy_interval(*numbers) == expected
    assert accuracy_interval(np.array(numbers[0])[:, None], np.array(numbers[1], dtype=float)) == expected
    assert accuracy_interval([True, False], [True, True]) == accuracy_interval([1, 0], [1, 1])


def test_a_weight_is_a_number_of_rows():
    y, yhat = [0, 1, 1, 0], [0, 1, 0, 0]
    weighted = accuracy_interval(y, yhat, sample_weight=[3, 0, 2, 1])
    assert weighted == accuracy_interval([0] * 3 + [1, 1, 0], [0] * 3 + [0, 0, 0])
    assert weighted.n == 6


def test_the_sentence_and_the_frame():
    found = accuracy_from_counts(6, 8, name="The tree", confidence=0.9)
    assert found.sentence == (
        "The tree is right on 6 of 8 rows: estimated accuracy 0.722, 90 % Jeffreys interval [0.462, 0.924], "
        "given this training set."
    )
    assert found.frame()["n"].tolist() == [8]


def test_coverage_over_the_prior_is_known_exactly():
    """Σ over m of the posterior mass of each interval times the prior predictive chance of m."""
    alpha = 0.05
    for n in (5, 30, 200):
        m = np.arange(n + 1)
        chance = stats.betabinom.pmf(m, n, 0.5, 0.5)
        ends = np.array([accuracy_from_counts(int(k), n).interval for k in m])
        mass = np.diff(stats.beta.cdf(ends, (m + 0.5)[:, None], (n - m + 0.5)[:, None]), axis=1)[:, 0]
        edge = chance[[0, -1]].sum()
        assert chance @ mass == pytest.approx(1 - alpha + alpha / 2 * edge, rel=1e-9)


@pytest.mark.parametrize(("n", "theta", "stated"), [(100, 0.7, 0.950), (30, 0.9, 0.932), (100, 0.95, 0.935)])
def test_coverage_stated_for_a_fixed_accuracy(n, theta, stated):
    m = np.arange(n + 1)
    ends = np.array([accuracy_from_counts(int(k), n).interval for k in m])
    covers = (ends[:, 0] <= theta) & (theta <= ends[:, 1])
    assert stats.binom.pmf(m, n, theta) @ covers == pytest.approx(stated, abs=5e-4)


@pytest.mark.parametrize(
    ("y", "yhat", "message"),
    [
        ([0, 1], [0], "y has 2, yhat has 1"),
        ([], [], "y is empty"),
        ([0, np.nan], [0, 1], "y has no label at row 1"),
        (["a", None], ["a", "b"], "y has no label at row 1"),
        (pd.array([1, None], dtype="Int64"), [1, 1], "y has no label at row 1"),
        (["0", "1"], [0, 1], "The labels of y are text, those of yhat are not"),
        (
            np.array(["2020-01-01", "NaT"], "M8[D]"),
            np.array(["2020-01-01"] * 2, "M8[D]"),
            "no label at row 1",
        ),
        (np.zeros((2, 2)), [0, 1], "one dimension"),
        (3, [0], "y must be a column"),
        ("abc", "abc", "y must be a column"),
    ],
)
def test_bad_labels(y, yhat, message):
    with pytest.raises(InvalidInput, match=message):
        accuracy_interval(y, yhat)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, -1], "got -1 at row 1"),
        ([0.5, 1], "got 0.5 at row 0"),
        ([0, 0], "zero everywhere"),
        ([1, np.nan], "NaN at row 1"),
        ([1], "sample_weight has 1"),
        (["a", "b"], "made of numbers"),
    ],
)
def test_bad_weights(weight, message):
    with pytest.raises(InvalidInput, match=message):
        accuracy_interval([0, 1], [0, 1], sample_weight=weight)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((9, 8), "at most n = 8; got 9"),
        ((-1, 8), "correct"),
        ((1.5, 8), "correct"),
        ((0, 0), "n must"),
        ((True, 8), "corr"),
    ],
)
def test_bad_counts(arguments, message):
    with pytest.raises(InvalidParameter, match=message):
        accuracy_from_counts(*arguments)


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.1, np.nan, "high", True])
def test_bad_confidence(confidence):
    with pytest.raises(InvalidParameter, match="confidence"):
        accuracy_from_counts(6, 8, confidence=confidence)
