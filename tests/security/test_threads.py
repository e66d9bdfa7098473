"""Threads that share a process share its BLAS limits and its warnings, and leave both as they found them."""

import os
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import suffice
from suffice._core import threads
from suffice._core.errors import NoInformation, SufficeWarning, warn
from suffice._core.filters import heard, in_turn, repeat_warnings
from suffice._core.table_checks import validate_data
from suffice._core.threads import one_blas_thread
from suffice.generative import LinearDiscriminantAnalysis
from suffice.glm import LogisticRegression
from suffice.linear import BayesianLinearRegression, Ridge
from suffice.mixtures import GaussianMixture

EIGHT = 8
LONG = 60  # seconds after which a thread is taken to be stuck


def limits() -> list[int]:
    return [library.get() for library in threads._libraries()[0]]


@contextmanager
def blas_on(n: int):
    """Every BLAS on n threads, whatever the tests were started with."""
    before = limits()
    for library in threads._libraries()[0]:
        library.set(n)
    try:
        yield
    finally:
        for library, usual in zip(threads._libraries()[0], before, strict=True):
            library.set(usual)


class Elsewhere:
    """A thread that does one thing after the other, when it is told to."""

    def __enter__(self):
        self.pool = ThreadPoolExecutor(1)
        return self

    def __call__(self, function, *args):
        return self.pool.submit(function, *args).result(timeout=LONG)

    def __exit__(self, *error):
        self.pool.shutdown()


# -- BLAS -----------------------------------------------------------------------------------------------------------
def test_whoever_leaves_last_puts_the_limit_back():
    with blas_on(3), Elsewhere() as one, Elsewhere() as other:
        first, second = one_blas_thread(), one_blas_thread()
        one(first.__enter__)
        other(second.__enter__)
        assert {*limits(), *other(limits)} == {1}
        one(first.__exit__, None, None, None)
        assert {*limits(), *other(limits)} == {1}
        other(second.__exit__, None, None, None)
        assert set(limits()) == {3}


def test_a_limit_that_others_set_meanwhile_is_the_one_put_back():
    with blas_on(3):
        with one_blas_thread():
            with blas_on(2):
                with one_blas_thread():
                    assert set(limits()) == {1}
                assert set(limits()) == {1}
            library = threads._libraries()[0][0]
            library.set(4)
        assert limits()[0] == 4


def test_a_generator_closed_in_another_thread_leaves():
    def inside():
        with one_blas_thread():
            yield

    with blas_on(3), Elsewhere() as other:
        going = inside()
        other(next, going)
        going.close()
        assert set(limits()) == {3}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_forked_process_does_not_wait_for_threads_it_does_not_have():
    with blas_on(3), Elsewhere() as other, threads._lock:
        block = one_blas_thread()
        going = other.pool.submit(block.__enter__)
        child = os.fork()
        if not child:
            with one_blas_thread():
                pass
            os._exit(0 if threads._inside == 0 else 1)
        end = time.monotonic() + LONG
        while not (done := os.waitpid(child, os.WNOHANG))[0] and time.monotonic() < end:
            time.sleep(0.01)
        if not done[0]:
            os.kill(child, 9)
            os.waitpid(child, 0)
    going.result(timeout=LONG)
    block.__exit__(None, None, None)
    assert done == (child, 0)


class OneLimitPerThread:
    """A BLAS like MKL or one on OpenMP: what a thread sets holds for itself."""

    def __init__(self):
        self.here = threading.local()

    def get(self):
        return getattr(self.here, "n", 5)

    def set(self, n):
        self.here.n = n


def test_libraries_with_a_limit_per_thread_are_limited_in_each(monkeypatch):
    library = OneLimitPerThread()
    limited = threads._limited_by(library.get, library.set)
    monkeypatch.setattr(threads, "_libraries", lambda: ((), (limited,)))
    with Elsewhere() as one, Elsewhere() as other:
        other(library.set, 7)
        first, second = one_blas_thread(), one_blas_thread()
        one(first.__enter__)
        other(second.__enter__)
        assert (one(library.get), other(library.get), library.get()) == (1, 1, 5)
        with one_blas_thread(), one_blas_thread():
            assert library.get() == 1
        assert library.get() == 5
        one(first.__exit__, None, None, None)
        assert (one(library.get), other(library.get)) == (5, 1)
        other(second.__exit__, None, None, None)
        assert other(library.get) == 7


# -- warnings -------------------------------------------------------------------------------------------------------
@contextmanager
def watched_filters(monkeypatch):
    """Threads that are inside `catch_warnings` at the same moment, as a list of pairs."""
    inside, together = {}, []
    enter, leave = warnings.catch_warnings.__enter__, warnings.catch_warnings.__exit__

    def entering(self):
        me = threading.get_ident()
        together.extend((me, other) for other, n in inside.items() if n and other != me)
        inside[me] = inside.get(me, 0) + 1
        time.sleep(1e-3)  # long enough to meet another
        return enter(self)

    def leaving(self, *error):
        inside[threading.get_ident()] -= 1
        return leave(self, *error)

    with monkeypatch.context() as patch:
        patch.setattr(warnings.catch_warnings, "__enter__", entering)
        patch.setattr(warnings.catch_warnings, "__exit__", leaving)
        yield together


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(700, 50))
    y = X @ rng.normal(size=50) + rng.normal(size=700)
    return X, y, np.where(y > 1, "high", "low")


def test_no_two_threads_change_the_filters_at_once(table, monkeypatch):
    X, y, labels = table
    frame = pd.DataFrame(X[:200, :4], columns=list("abcd"))
    start = threading.Barrier(EIGHT)

    def work(i):
        start.wait(LONG)
        Ridge(1.0).fit(frame, y[:200].tolist()).predict(frame)
        LogisticRegression().fit(frame, labels[:200]).predict(frame)

    before = list(warnings.filters)
    with watched_filters(monkeypatch) as together, ThreadPoolExecutor(EIGHT) as pool:
        list(pool.map(work, range(EIGHT), timeout=LONG))
    assert together == []
    assert list(warnings.filters) == before


def test_plain_arrays_change_no_filter(table, monkeypatch):
    X, y, _ = table

    def refuse(self):
        raise AssertionError("the filters of the process are changed")

    with monkeypatch.context() as patch:
        patch.setattr(warnings.catch_warnings, "__enter__", refuse)
        model = Ridge(1.0).fit(X, y)
        model.predict_dist(X[:3])
        model.fit(X.astype(np.float32), np.column_stack([y, y]))


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_targets_that_are_not_plain_are_refused_as_ever(table, wrong):
    X, y, _ = table
    y = np.where(np.arange(len(y)) == 7, wrong, y)
    with pytest.raises(ValueError, match=r"Input y contains (NaN|infinity)"):
        validate_data(Ridge(), X, y, dtype=[np.float64, np.float32], multi_output=True)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        validate_data(Ridge(), X, y[:5] * 0, dtype=[np.float64, np.float32], multi_output=True)


def test_who_listens_hears_its_own_warnings_and_the_filters_return():
    before, shown = list(warnings.filters), warnings.showwarning
    with Elsewhere() as one, Elsewhere() as other:
        first, second = heard(), heard(SufficeWarning)
        mine, yours = one(first.__enter__), other(second.__enter__)
        one(warnings.warn, "to one", RuntimeWarning)
        other(warn, "to the other", NoInformation)
        one(first.__exit__, None, None, None)
        other(warn, "to the other", NoInformation)
        other(second.__exit__, None, None, None)
    assert [str(w.message) for w in mine] == ["to one"]
    assert [str(w.message) for w in yours] == ["to the other"] * 2
    assert list(warnings.filters) == before
    assert warnings.showwarning is shown


def test_listening_within_listening_and_categories():
    with heard(SufficeWarning) as outer:
        with heard() as inner:
            warnings.warn("inside", RuntimeWarning, stacklevel=1)
        with pytest.raises(RuntimeWarning, match="as the filters say"):
            warnings.warn("as the filters say", RuntimeWarning, stacklevel=1)
        warn("ours", NoInformation)
    assert [str(w.message) for w in outer] == ["ours"]
    assert [w.category for w in inner] == [RuntimeWarning]
    with pytest.warns(RuntimeWarning, match="inside"):
        repeat_warnings(inner)


def test_who_listens_waits_for_a_check_to_end():
    go, entered = threading.Event(), threading.Event()
    before = list(warnings.filters)

    @in_turn
    def check():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            entered.set()
            go.wait(LONG)

    with Elsewhere() as one, Elsewhere() as other:
        checking = one.pool.submit(check)
        assert entered.wait(LONG)
        block = heard()
        listening = other.pool.submit(block.__enter__)
        time.sleep(0.05)
        assert not listening.done()
        go.set()
        checking.result(LONG)
        listening.result(LONG)
        other(block.__exit__, None, None, None)
    assert list(warnings.filters) == before


# -- all of it ------------------------------------------------------------------------------------------------------
def test_eight_threads_fit_save_and_load_with_equal_bits(table, tmp_path):
    X, y, labels = table
    shared = Ridge(0.3).fit(X, y)
    models = [
        (Ridge(1.0), y),
        (BayesianLinearRegression(), y),
        (LinearDiscriminantAnalysis(), labels),
        (LogisticRegression(), labels),
        (GaussianMixture(2, random_state=0, max_iter=3, tol=0.0), None),
    ]

    def numbers():
        found = []
        for model, target in models:
            fitted = clone(model)
            fitted.fit(X) if target is None else fitted.fit(X, target)
            found.append(fitted.score_samples(X) if target is None else fitted.predict_dist(X).entropy())
        path = tmp_path / "one.suffice"
        suffice.save(shared, path)
        return [*found, suffice.load(path).predict(X), shared.predict(X), shared.predict_dist(X).std]

    before, usual = list(warnings.filters), sys.getswitchinterval()
    with blas_on(4), warnings.catch_warnings(), ThreadPoolExecutor(EIGHT) as pool:
        warnings.simplefilter("ignore", SufficeWarning)
        inner = list(warnings.filters)
        alone = numbers()
        sys.setswitchinterval(1e-5)
        try:
            together = list(pool.map(lambda _: numbers(), range(EIGHT), timeout=LONG))
        finally:
            sys.setswitchinterval(usual)
        assert set(limits()) == {4}
        assert list(warnings.filters) == inner
    assert list(warnings.filters) == before
    for found in together:
        for mine, theirs in zip(found, alone, strict=True):
            assert mine.tobytes() == theirs.tobytes()
