"""Summaries of columns: parts add up to the whole, sketches stay within the error they state."""

from __future__ import annotations

import datetime as dt
from functools import reduce
from operator import add

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

import suffice
from suffice.engine.reduce import merged
from suffice.statistics import ColumnSummary, tallies
from suffice.statistics.pairs import PairMoments
from suffice.statistics.powers import Powers
from suffice.statistics.sketches import (
    CAPACITY,
    KEPT,
    Frequent,
    RankSketch,
    Registers,
    hash_numbers,
    hash_words,
)
from suffice.statistics.tallies import (
    NumberCounts,
    SketchedCounts,
    WordCounts,
    histogram,
    ordered,
    percentiles,
)

CELLS = st.one_of(
    st.none(),
    st.just(float("nan")),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(max_size=3),
    st.datetimes(min_value=dt.datetime(1000, 1, 1)),
)


def exact(s):
    """What must not depend on how the rows were cut."""
    n, t = s.numbers, s.times
    return (
        *(s.rows, s.missing, s.nan, s.flags, n.infinite, n.low, n.high, n.whole, n.powers.n),
        *(n.counts.values.astype(float).tolist(), n.counts.counts.tolist(), dict(s.texts.counts.tally)),
        *(t.counts.values.tolist(), t.counts.counts.tolist(), s.texts.lengths.counts.counts.tolist()),
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(CELLS, max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_parts_of_any_cells_add_up_to_the_whole(cells, a, b):
    a, b = sorted((a, b))
    parts = [ColumnSummary.of(p) for p in (cells[:a], cells[a:b], cells[b:])]
    whole = ColumnSummary.of(cells)
    assert exact(reduce(add, parts)) == exact(whole) == exact(reduce(add, parts[::-1]))
    assert whole.rows == whole.missing + sum(whole.kinds.values())


# -- powers ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("scale, shift", [(1, 0), (1e-3, 1e6), (1e300, 0), (1e-300, 0), (1, -1e9)])
def test_powers_are_those_of_all_rows(scale, shift):
    x = np.random.default_rng(0).gamma(2.0, size=5000) * scale + shift
    whole, sum_of_parts = Powers.of(x), merged(Powers.of(c) for c in np.array_split(x, 13))
    y = (x - x[0]) / scale  # exact enough for the oracle
    for p in (whole, sum_of_parts):
        assert p.average == pytest.approx(x.mean(), rel=1e-13)
        assert p.std == pytest.approx(y.std(ddof=1) * scale, rel=1e-11)
        assert p.skewness == pytest.approx(stats.skew(y), rel=1e-9)
        assert p.kurtosis == pytest.approx(stats.kurtosis(y), rel=1e-9)


def test_powers_of_one_value_none_and_the_largest():
    assert (Powers.of(np.array([0.1])).std, Powers.of(np.full(7, 0.1)).std) == (0.0, 0.0)
    assert np.isnan(Powers().average)
    assert np.isnan(Powers.of(np.full(7, 0.1)).skewness)
    p = Powers.of(np.array([1e308])) + Powers.of(np.array([-1e308, 1e308]))
    assert p.average == pytest.approx(1e308 / 3, rel=1e-15)
    assert p.std == pytest.approx(2 / 3**0.5 * 1e308, rel=1e-15)
    assert Powers.of(np.zeros(3)).average == 0


# -- tallies --------------------------------------------------------------------------------------------
@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(-5, 5), min_size=1, max_size=25), st.lists(st.floats(0, 1), min_size=1, max_size=5)
)
def test_percentiles_are_those_of_hazen(values, p):
    tally = NumberCounts.of(np.array(values, dtype=float))
    np.testing.assert_allclose(
        percentiles(*tally.weighted, p), np.quantile(values, p, method="hazen"), rtol=1e-12, atol=1e-12
    )
    picked = ordered(*tally.weighted, p)
    rows = sorted(values)
    assert picked == [rows[max(int(np.ceil(len(rows) * q)), 1) - 1] for q in p]


def test_histogram_counts_each_value_once():
    x = np.random.default_rng(1).normal(size=1000)
    tally = NumberCounts.of(x)
    counts = histogram(*tally.weighted, x.min(), x.max(), 12)
    np.testing.assert_array_equal(counts, np.histogram(x, 12)[0])
    assert histogram(np.array([-1e308, 1e308]), np.array([1, 2]), -1e308, 1e308, 4).tolist() == [1, 0, 0, 2]
    assert histogram(np.array([3.0]), np.array([5]), 3.0, 3.0, 4).tolist() == [5]


def test_integers_beyond_the_digits_of_floats_stay_apart():
    s = ColumnSummary.of(np.array([2**60, 2**60 + 1, 2**60 + 1]))
    assert s.numbers.counts.distinct == 2
    assert s.numbers.counts.top(1) == [(2**60 + 1, 2)]
    assert Registers.of(hash_numbers(np.arange(2**60, 2**60 + 1000))).estimate == pytest.approx(
        1000, rel=0.05
    )


def test_more_values_than_fit_become_a_crowd(monkeypatch):
    monkeypatch.setitem(tallies.MOST, "numbers", 100)
    monkeypatch.setitem(tallies.MOST, "words", 100)
    x = np.arange(60.0)
    assert isinstance(NumberCounts.of(x) + NumberCounts.of(x), NumberCounts)
    a, b, c = NumberCounts.of(x), NumberCounts.of(x + 60), NumberCounts.of(x + 30)
    assert isinstance(a + b, SketchedCounts)
    for total in ((a + b) + c, a + (b + c), c + (a + b)):
        assert (total.n, total.distinct, total.rank_error) == (180, pytest.approx(120, rel=0.02), 0.0)
        values, weights = total.weighted
        assert np.repeat(values, weights).tolist() == sorted([*x, *(x + 60), *(x + 30)])
    words = WordCounts.of(f"w{i}" for i in range(80)) + WordCounts.of(f"w{i}" for i in range(40, 120))
    assert isinstance(words, SketchedCounts)
    assert (words.n, words.distinct) == (160, pytest.approx(120, rel=0.02))


@pytest.mark.parametrize("most", [1000, 20])
def test_a_summary_is_saved_whole_and_not_where_it_would_give_rows_away(monkeypatch, tmp_path, most):
    monkeypatch.setitem(tallies.MOST, "numbers", most)
    monkeypatch.setitem(tallies.MOST, "words", most)
    s = ColumnSummary.of(np.arange(60) / 7) + ColumnSummary.of([f"w{i}" for i in range(60)])
    with pytest.raises(ValueError, match="the rows can be worked back"):
        suffice.save(s, tmp_path / "s.suffice")
    suffice.save(s, tmp_path / "s.suffice", minimum_rows=0)
    assert suffice.load(tmp_path / "s.suffice") == s


# -- sketches -------------------------------------------------------------------------------------------
SHAPES = {
    "sorted": lambda n, rng: np.arange(n, dtype=float),
    "reversed": lambda n, rng: np.arange(n, 0.0, -1.0),
    "constant": lambda n, rng: np.full(n, 7.0),
    "heavy": lambda n, rng: np.sign(rng.random(n) - 0.5) * rng.pareto(0.3, n),
    "ties": lambda n, rng: np.floor(rng.exponential(1000, n)),
    "organ pipe": lambda n, rng: np.concatenate([np.arange(n / 2), np.arange(n / 2, 0, -1)]),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("part", [20_000, 131_072])
def test_ranks_are_within_the_error_they_state(shape, part):
    x = SHAPES[shape](600_000, np.random.default_rng(2))
    pieces = [np.unique(x[a : a + part], return_counts=True) for a in range(0, len(x), part)]
    sketch = merged(RankSketch.of(*p) for p in pieces)
    values, weights = sketch.weighted
    assert weights.sum() == len(x)
    assert sketch.error / len(x) <= 1e-3
    assert max(map(len, sketch.levels)) <= 2 * KEPT
    ends, rows = np.cumsum(weights), np.sort(x)
    seen = np.searchsorted(values, rows[::997], side="right")
    below = np.where(seen > 0, ends[np.maximum(seen, 1) - 1], 0)
    off = np.abs(below - np.searchsorted(rows, rows[::997], side="right"))
    assert off.max() <= sketch.error


def test_frequent_values_are_never_counted_too_often_and_the_bound_holds():
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.zipf(1.3, 200_000) % 10**9, np.arange(100_000) + 10**9])
    rng.shuffle(x)
    total = merged(
        Frequent.of(v.tolist, c) for v, c in (np.unique(p, return_counts=True) for p in np.array_split(x, 17))
    )
    truth = dict(zip(*(a.tolist() for a in np.unique(x, return_counts=True)), strict=True))
    assert len(total.tally) <= CAPACITY
    assert total.error <= len(x) / (CAPACITY + 1) + 1
    for value, count in truth.items():
        assert 0 <= count - total.tally.get(value, 0) <= total.error
    best = max(truth, key=lambda v: truth[v])
    assert total.top(1)[0][0] == best


def test_the_error_of_frequent_values_grows_no_faster_than_the_rows():
    total = Frequent(dict.fromkeys(range(CAPACITY), 11), 11 * CAPACITY)
    for j in range(100):
        total = total + Frequent({CAPACITY + j: 10}, 10)
    assert total.n == 11 * CAPACITY + 1000
    assert total.error <= total.n / (CAPACITY + 1)


@pytest.mark.parametrize("n", [0, 10, 1000, 30_000, 60_000, 300_000])
def test_the_number_of_different_values_is_estimated(n):
    numbers = Registers.of(hash_numbers(np.arange(n) * 0.37))
    words = Registers.of(hash_words([f"a{i}" for i in range(n)]))
    for r in (numbers, words, words + words):
        assert r.estimate == pytest.approx(n, rel=4 * Registers.relative_error, abs=1e-9)


def test_hashes_are_of_values_not_of_how_they_are_stored():
    np.testing.assert_array_equal(
        hash_numbers(np.array([0.0, 3.0, -7.0])), hash_numbers(np.array([0, 3, -7]))
    )
    assert hash_numbers(np.array([-0.0])) == hash_numbers(np.array([0.0]))
    words = ["", "a", "b", "ab", "ba", "", "a\x00", "é" * 2000]
    hashes = hash_words(words)
    assert len(set(hashes.tolist())) == len(set(words))
    assert hashes[0] == hashes[5]


# -- pairs ----------------------------------------------------------------------------------------------
def test_correlations_use_the_rows_where_both_have_a_number():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 4)) @ rng.normal(size=(4, 4)) * [1, 1e200, 1e-200, 1e8] + [1e6, 0, 0, 0]
    X[rng.random(X.shape) < 0.3] = np.nan
    X[5, 1] = np.inf
    r = merged(PairMoments.of(p) for p in np.array_split(X, 7)).correlation
    for i in range(4):
        for j in range(4):
            both = np.isfinite(X[:, i]) & np.isfinite(X[:, j])
            a, b = ((X[both, k] - X[both, k][0]) / np.ptp(X[both, k]) for k in (i, j))
            assert r[i, j] == pytest.approx(np.corrcoef(a, b)[0, 1], abs=1e-9)


def test_a_line_has_correlation_one_and_a_constant_none():
    x = np.linspace(0, 1, 50)
    r = PairMoments.of(
        np.column_stack([x, 3 * x + 1e5, -x, np.full(50, 0.1), np.full(50, np.nan)])
    ).correlation
    np.testing.assert_allclose(r[:3, :3], np.outer([1, 1, -1], [1, 1, -1]), atol=1e-9)
    assert np.isnan(r[3:]).all()
    assert np.isnan(PairMoments.of(np.ones((1, 2))).correlation).all()


@pytest.mark.parametrize("bad", [np.zeros((2, 2)), [[1, 2], [3, 4]][0:0] or np.zeros((1, 1, 1))])
def test_a_column_is_a_vector(bad):
    with pytest.raises(ValueError, match="A column is a vector; got shape"):
        ColumnSummary.of(bad)
