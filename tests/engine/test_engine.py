"""The engine: a fixed merge tree, bounded memory, the same bits for any number of threads."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, RankDeficient, Unsupported, warn
from suffice.bases import GaussianBasis, Polynomial
from suffice.engine import Rows, parallel, reduce, threads
from suffice.engine.reduce import CHUNK
from suffice.engine.threads import count
from suffice.linear import LinearRegression, Ridge

rng = np.random.default_rng(0)


class Tree:
    """A value whose sum shows how it was added."""

    def __init__(self, shape):
        self.shape = shape

    def __add__(self, other):
        return Tree((self.shape, other.shape))


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 13])
def test_the_merge_tree_depends_on_the_number_of_parts_alone(n):
    shapes = set()
    for workers in (1, 2, 7):
        with threads(workers):
            shapes.add(reduce(iter(range(n)), Tree).shape)
    assert len(shapes) == 1


def test_the_merge_tree_is_balanced_and_in_order():
    assert reduce(iter(range(4)), Tree).shape == ((0, 1), (2, 3))
    assert reduce(iter(range(7)), Tree).shape == (((0, 1), (2, 3)), ((4, 5), 6))


def test_sums_and_extra_arguments():
    assert reduce([1, 2, 3], lambda part, factor, shift: part * factor + shift, 10, 1) == 63
    with pytest.raises(InvalidInput, match="no batches"):
        reduce([], lambda part: part)


def test_rows_are_cut_into_fixed_chunks():
    n = 2 * CHUNK + 5
    rows = Rows(np.arange(n, dtype=float)[:, None], np.zeros((n, 1)), np.ones(n))
    seen = reduce(rows, lambda part: [len(part)])
    assert seen == [CHUNK, CHUNK, 5]
    assert reduce(rows[:0], lambda part: [len(part)]) == [0]


def test_an_iterator_is_read_a_few_batches_at_a_time():
    """No more batches are alive than there are threads, and one being made."""
    alive, most = 0, 0

    class Batch:
        def __init__(self):
            nonlocal alive, most
            alive += 1
            most = max(most, alive)

        def __del__(self):
            nonlocal alive
            alive -= 1

    with threads(3):
        assert reduce((Batch() for _ in range(50)), lambda b: 1) == 50
    assert most <= 2 * 3 + 1


def test_threads_are_set_nested_and_restored(monkeypatch):
    before = count()
    with threads(5):
        assert count() == 5
        with threads(2):
            assert count() == 2
        assert count() == 5
    assert count() == before
    monkeypatch.setenv("SUFFICE_NUM_THREADS", "3")
    assert count() == 3
    monkeypatch.setenv("SUFFICE_NUM_THREADS", "many")
    assert count() == before
    for bad in (0, -1, 1.5, "2"):
        with pytest.raises(InvalidParameter, match="threads must be an integer >= 1"), threads(bad):
            pass


def test_parallel_keeps_the_order_and_passes_errors_on():
    with threads(4):
        assert parallel(lambda i: i * i, range(20)) == [i * i for i in range(20)]
        with pytest.raises(ZeroDivisionError, match="by zero"):
            parallel(lambda i: 1 // (i - 3), range(6))
        assert parallel(lambda i: i, []) == []
        # a loop inside a worker does not start threads of its own
        assert parallel(lambda i: count(), range(4)) == [1] * 4
    with threads(1):
        assert parallel(lambda i: threading.current_thread(), [0]) == [threading.main_thread()]


def test_blas_runs_on_one_thread_inside_and_as_before_outside():
    from threadpoolctl import threadpool_info

    def limits():
        return [d["num_threads"] for d in threadpool_info() if d["user_api"] == "blas"]

    before = limits()
    with engine.one_blas_thread():
        assert set(limits()) <= {1}
        with engine.one_blas_thread():
            assert set(limits()) <= {1}
        assert set(limits()) <= {1}
    assert limits() == before
    with pytest.raises(RuntimeError, match="inside"), engine.one_blas_thread():
        raise RuntimeError("inside")
    assert limits() == before


A = rng.standard_normal((1000, 2))
b = A @ [1.0, 2.0] + rng.standard_normal(1000)
W = rng.integers(0, 3, 1000).astype(float)


@pytest.mark.parametrize("weighted", [False, True])
def test_fit_of_a_pair_and_of_batches(weighted):
    extra = (W,) if weighted else ()
    whole = Ridge(2.0).fit(A, b, *extra)
    pair = engine.fit(Ridge(2.0), (A, b, *extra))
    assert np.array_equal(pair.coef_, whole.coef_)
    batches = [(A[i : i + 90], b[i : i + 90], *(w[i : i + 90] for w in extra)) for i in range(0, 1000, 90)]
    for source in (batches, iter(batches), (batch for batch in batches)):
        np.testing.assert_allclose(engine.fit(Ridge(2.0), source).coef_, whole.coef_, rtol=1e-12)


def test_batches_may_come_from_far_apart():
    """The frame of the first batch is kept; the answer does not suffer."""
    x = np.sort(rng.uniform(0, 100, 3000))[:, None]
    t = np.sin(x[:, 0] / 20) + 0.01 * rng.standard_normal(3000)
    batches = ((x[i : i + 100], t[i : i + 100]) for i in range(0, 3000, 100))
    streamed = engine.fit(LinearRegression(basis=Polynomial(5)), batches)
    whole = LinearRegression(basis=Polynomial(5)).fit(x, t)
    np.testing.assert_allclose(streamed.predict(x), whole.predict(x), rtol=0, atol=1e-9)


def test_the_first_batch_decides_the_columns():
    import pandas

    table = pandas.DataFrame(A, columns=["u", "v"])
    named = engine.fit(LinearRegression(), [(table[:500], b[:500]), (table[500:], b[500:])])
    assert list(named.feature_names_in_) == ["u", "v"]
    with pytest.raises(ValueError, match="feature names should match"):
        engine.fit(LinearRegression(), [(table, b), (table.rename(columns={"u": "z"}), b)])
    with pytest.raises(ValueError, match="1 features, but .* expecting 2"):
        engine.fit(LinearRegression(), [(A, b), (A[:, :1], b)])


def test_a_basis_that_looks_at_rows_must_be_fixed_before_batches_are_read():
    batches = [(A[:200, :1], b[:200]), (A[200:, :1], b[200:])]
    with pytest.raises(Unsupported, match="would see the first batch alone. Fix them: basis=basis.resolve"):
        engine.fit(LinearRegression(basis=GaussianBasis(3)), batches)
    fixed = GaussianBasis(3).resolve(A[:, :1])
    whole = engine.fit(LinearRegression(basis=GaussianBasis(3)), (A[:, :1], b))  # arrays are seen whole
    assert whole.basis_ == fixed
    parts = engine.fit(LinearRegression(basis=fixed), batches)
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-9)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([A], r"A batch must be \(X, y\)"),
        ([(A, b), (A,)], "requires y to be passed"),
        ([(A, b), A], r"A batch must be \(X, y\)"),
        ([], "no batches"),
        ([(A, b), (A, b[:3])], "inconsistent"),
    ],
)
def test_sources_that_cannot_be_read(source, message):
    with pytest.raises(InvalidInput, match=message):
        engine.fit(LinearRegression(), source)


def test_only_models_from_statistics():
    from sklearn.linear_model import LinearRegression as Other

    with pytest.raises(Unsupported, match="neither from statistics nor by passes"):
        engine.fit(Other(), (A, b))


@pytest.mark.slow
def test_a_long_stream_needs_little_memory():
    """A million rows of 30 columns (240 MB) from an iterator, at most 60 MB at any time."""
    import tracemalloc

    def batches():
        r = np.random.default_rng(0)
        for _ in range(100):
            x = r.standard_normal((10_000, 30))
            yield x, x.sum(axis=1) + r.standard_normal(10_000)

    tracemalloc.start()
    with threads(2):
        model = engine.fit(LinearRegression(), batches())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6
    np.testing.assert_allclose(model.coef_, 1.0, atol=5e-3)


@pytest.mark.parametrize("n", [1, 3])
def test_a_warning_of_many_items_is_shown_once_at_the_callers_line(n):
    def work(i):
        warn(f"column {i % 2} is odd", RankDeficient)
        return i

    with engine.threads(n), pytest.warns(RankDeficient) as shown:
        assert engine.parallel(work, range(6)) == list(range(6))
    assert sorted(str(w.message) for w in shown) == ["column 0 is odd", "column 1 is odd"]
    assert {w.filename for w in shown} == {__file__}
