"""Laws of moments and counts: they equal their definition, add, subtract and forget the order."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from suffice._core.errors import HeaderMismatch, InvalidInput, NumericalError
from suffice.statistics import Counts, Moments


@st.composite
def samples(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.integers(1, 40)), draw(st.integers(0, 3))
    shape = (n,) if d == 0 else (n, d)
    X = 10.0 ** rng.uniform(-8, 8) * (rng.standard_normal(shape) + 10.0 ** rng.uniform(-2, 6))
    w = draw(st.sampled_from([None, rng.integers(0, 3, n).astype(float), rng.exponential(size=n)]))
    return X, w


def spread(X: np.ndarray) -> float:
    """What rounding of a scatter is relative to: squared length, and a stored mean's own rounding against it."""
    scatter, length = float(np.sum((X - X.mean(axis=0)) ** 2)), float(np.sum(X**2))
    return scatter + 1e-3 * np.sqrt(scatter * length) + 1e-15 * length + 1e-300


@given(samples())
def test_moments_are_their_definition(sample):
    X, w = sample
    v = np.ones(len(X)) if w is None else w
    assume(v.sum() > 0)
    m = Moments.of(X, w)
    mean = np.average(X, axis=0, weights=v)
    gaps = X - mean
    direct = (v * gaps) @ gaps if X.ndim == 1 else (v[:, None] * gaps).T @ gaps
    assert m.n == pytest.approx(v.sum())
    assert m.rows == np.count_nonzero(v)
    assert np.all(np.abs(m.mean - mean) <= 1e-13 * np.abs(X).max(axis=0))
    assert np.all(np.abs(m.scatter - direct) <= 1e-11 * spread(X) * max(1, v.max()))
    np.testing.assert_allclose(m.variance, m.scatter / m.n, rtol=1e-15)


@given(samples(), st.integers(0, 40), st.integers(0, 40))
def test_moments_add_in_any_grouping(sample, i, j):
    X, w = sample
    i, j = sorted((i, j))
    v = np.ones(len(X)) if w is None else w
    a, b, c = (Moments.of(X[s], v[s]) for s in (slice(0, i), slice(i, j), slice(j, None)))
    whole = Moments.of(X, w)
    for total in ((a + b) + c, a + (b + c), (c + a) + b):
        assert total.n == pytest.approx(whole.n)
        assert total.rows == whole.rows
        np.testing.assert_allclose(total.mean, whole.mean, rtol=1e-12, atol=0)
        assert np.all(np.abs(total.scatter - whole.scatter) <= 1e-11 * spread(X) * max(1, v.max()))


@given(samples(), st.integers(1, 39))
def test_moments_subtract(sample, i):
    X, w = sample
    v = np.ones(len(X)) if w is None else w
    assume(0 < i < len(X))
    assume(v[i:].sum() > 0.05 * v.sum())
    a, b = Moments.of(X[i:], v[i:]), Moments.of(X[:i], v[:i])
    back = (a + b) - b
    assert back.rows == a.rows
    assert back.n == pytest.approx(a.n)
    np.testing.assert_allclose(back.mean, a.mean, rtol=1e-11)
    assert np.all(np.abs(back.scatter - a.scatter) <= 1e-9 * spread(X) * max(1, v.max()))


@given(samples())
def test_moments_about_a_known_mean(sample):
    X, w = sample
    v = np.ones(len(X)) if w is None else w
    assume(v.sum() > 0)
    known = X[0]
    gaps = X - known
    direct = (v * gaps) @ gaps if X.ndim == 1 else (v[:, None] * gaps).T @ gaps
    unit = np.sum(gaps**2) * max(1, v.max()) + spread(X)
    assert np.all(np.abs(Moments.of(X, w).about(known) - direct) <= 1e-10 * unit)


def test_large_means_cost_no_digits():
    x = 1e10 + np.arange(9) / 8
    m = Moments.of(x[:4]) + Moments.of(x[4:])
    assert float(m.variance) == pytest.approx(np.var(np.arange(9) / 8), rel=1e-13)


def test_moments_that_cannot_be():
    with pytest.raises(NumericalError, match="total weight above 1; got 1"):
        Moments.of([3.0]).unbiased_variance  # noqa: B018
    with pytest.raises(NumericalError, match="total weight above 0; got 0"):
        Moments.of(np.zeros((0, 2))).variance  # noqa: B018
    with pytest.raises(NumericalError, match="Cannot take weight 3 out of 2"):
        Moments.of([1.0, 2.0]) - Moments.of([1.0, 2.0, 3.0])
    with pytest.raises(HeaderMismatch, match="shapes"):
        Moments.of([1.0, 2.0]) + Moments.of([[1.0], [2.0]])
    with pytest.raises(InvalidInput, match="NaN at row 1, column 0"):
        Moments.of([[1.0], [np.nan]])
    with pytest.raises(InvalidInput, match="finite, non-negative"):
        Moments.of([1.0, 2.0], [1.0, np.nan])
    with pytest.raises(InvalidInput, match="vector or a table"):
        Moments.of(np.zeros((2, 2, 2)))


LABELS = st.lists(st.sampled_from(["ape", "bee", "cat", "dog"]), max_size=30)


@given(LABELS, LABELS)
def test_counts_are_a_multiset(a, b):
    total = Counts.of(np.array(a, dtype=str)) + Counts.of(np.array(b, dtype=str))
    direct = Counter(a) + Counter(b)
    assert {k: v for k, v in zip(total.classes.tolist(), total.counts.tolist(), strict=True) if v} == dict(
        direct
    )
    assert total.n == len(a) + len(b)
    assert total.fingerprint == Counts.of(np.array(a + b, dtype=str)).fingerprint
    assert list(total.classes) == sorted(set(total.classes))


@given(LABELS, LABELS)
def test_counts_subtract(a, b):
    whole, part = Counts.of(np.array(a + b, dtype=str)), Counts.of(np.array(b, dtype=str))
    assert (whole - part).fingerprint == Counts.of(np.array(a, dtype=str)).fingerprint


@given(LABELS, st.randoms())
def test_counts_forget_the_order(a, random):
    shuffled = list(a)
    random.shuffle(shuffled)
    assert Counts.of(np.array(a, dtype=str)) == Counts.of(np.array(shuffled, dtype=str))


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=20))
def test_weighted_counts_are_repeated_labels(pairs):
    labels, weight = map(np.array, zip(*pairs, strict=True))
    a, b = Counts.of(labels, weight), Counts.of(np.repeat(labels, weight))
    assert a.fingerprint == b.fingerprint
    assert a.n == weight.sum()


def test_counts_that_cannot_be():
    few = Counts.of(["a", "b"])
    with pytest.raises(
        NumericalError, match="more of class np.str_\\('a'\\) than is in|more of class 'a' than is in"
    ):
        few - Counts.of(["a", "a"])
    with pytest.raises(InvalidInput, match="Unknown label"):
        few - Counts.of(["z"])
    with pytest.raises(InvalidInput, match="Unknown label"):
        Counts.of(["z"], classes=["a", "b"])
    with pytest.raises(InvalidInput, match="NaN at row 1"):
        Counts.of([1.0, np.nan])
    with pytest.raises(InvalidInput, match="must be a vector"):
        Counts.of([["a"]])
    with pytest.raises(InvalidInput, match="non-negative"):
        Counts.of(["a"], [-1.0])
    assert Counts.of(["b"], classes=["b", "a"]).counts.tolist() == [0.0, 1.0]
