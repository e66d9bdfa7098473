"""Executors: the same bits whoever works, in order, a few parts at a time, and nothing left behind."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from suffice import engine
from suffice._core.errors import InvalidParameter, RankDeficient, warn
from suffice.engine import Processes, Serial, Threads, reduce
from suffice.engine.executors import NAMES, as_executor
from suffice.engine.reduce import CHUNK
from suffice.engine.threads import count
from suffice.linear import LinearRegression, Ridge

from .mixture import send_by_value

send_by_value(__name__)
rng = np.random.default_rng(1)


@pytest.fixture(scope="module")
def processes():
    with Processes(2) as pool:
        yield pool


@pytest.fixture(params=["serial", "threads", pytest.param("processes", marks=pytest.mark.slow)])
def executor(request):
    if request.param == "processes":
        return request.getfixturevalue("processes")
    return Threads(2) if request.param == "threads" else Serial()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Five Parquet files of unlike sizes, one with several row groups."""
    folder = tmp_path_factory.mktemp("parts")
    for i, n in enumerate((4000, 1, 700, 2500, 93)):
        X = rng.standard_normal((n, 6)) * 10.0 ** np.arange(-2, 4)
        y = X @ np.arange(1.0, 7.0) + rng.standard_normal(n)
        table = pa.table({**{f"x{j}": X[:, j] for j in range(6)}, "y": y, "w": rng.integers(0, 3, n)})
        pq.write_table(table, folder / f"{i}.parquet", row_group_size=1000)
    return str(folder)


def results(folder, executor):
    """Everything that a fit and a cross-validation compute."""
    options = {"weight": "w", "executor": executor}
    model = engine.fit(LinearRegression(), folder, "y", **options)
    judged = engine.cross_validate(Ridge(0.5), folder, "y", folds=4, **options)
    errors = engine.cross_validate(Ridge(0.5), folder, "y", folds=4, loss="absolute", **options)
    return [
        model.statistics_,
        model.coef_,
        judged.statistics,
        judged.fold_losses,
        errors.fold_losses,
        errors.interval,
    ]


def assert_same_bits(a, b):
    for left, right in zip(a, b, strict=True):
        if isinstance(left, np.ndarray):
            assert left.tobytes() == right.tobytes()
        else:
            assert left == right


@pytest.mark.parametrize("n", [1, 2, 3])
def test_threads_give_the_bits_of_one_thread(folder, n):
    assert_same_bits(results(folder, Serial()), results(folder, Threads(n)))


@pytest.mark.slow
def test_processes_give_the_bits_of_one_thread(folder, processes):
    expected = results(folder, "serial")
    assert_same_bits(expected, results(folder, processes))
    assert_same_bits(expected, results(folder, None))


@pytest.mark.long
@pytest.mark.slow
def test_one_process_gives_the_bits_of_one_thread(folder):
    assert_same_bits(results(folder, "serial"), results(folder, Processes(1)))


def test_arrays_in_memory_give_the_same_bits(processes):
    """More rows than a chunk, in a tuple, whoever adds."""
    x = rng.standard_normal(5 * CHUNK + 3) * 10.0 ** rng.integers(-8, 8, 5 * CHUNK + 3)

    def step(batch):
        return float(batch[0].sum())

    sums = {reduce((x,), step, executor=e) for e in (None, "serial", "threads", Threads(3), processes)}
    assert len(sums) == 1


def test_results_are_in_order_however_long_they_take(executor):
    def work(i):
        time.sleep(0.01 if i % 3 == 0 else 0.0)
        return i * i

    assert list(executor.map(work, range(17))) == [i * i for i in range(17)]
    assert list(executor.map(work, [])) == []


def test_no_more_items_are_under_way_than_two_per_worker(executor):
    """A slow consumer holds the workers up."""
    taken = 0

    def items():
        nonlocal taken
        for i in range(40):
            taken += 1
            yield i

    workers = getattr(executor, "workers", 1)
    consumed = 0
    for _ in executor.map(abs, items()):
        consumed += 1
        assert taken - consumed <= 2 * workers
        if consumed < 3:
            time.sleep(0.05)
    assert (taken, consumed) == (40, 40)


def test_the_caller_keeps_its_threads_and_the_function_has_one(executor):
    """Between results the caller's own limit holds: a generator must not leak its settings."""
    before = count()
    seen = []
    for inside in executor.map(lambda i: count(), range(3)):
        seen.append(inside)
        assert count() == before
    assert seen == [1, 1, 1]


def test_blas_has_one_thread_wherever_the_work_is_done(executor):
    def limits(_):
        import scipy.linalg  # noqa: F401
        from threadpoolctl import threadpool_info

        return max((d["num_threads"] for d in threadpool_info() if d["user_api"] == "blas"), default=1)

    assert set(executor.map(limits, range(4))) == {1}


def test_an_error_is_the_first_in_order_with_its_type_message_and_notes(executor):
    def work(i):
        if i == 2:
            time.sleep(0.1)  # item 3 fails earlier, but comes later
        if i in (2, 3):
            error = KeyError(f"item {i}")
            error.add_note("and a note")
            raise error
        return i

    seen = []
    with pytest.raises(KeyError, match="item 2") as caught:
        seen.extend(executor.map(work, range(1000)))
    assert caught.value.__notes__ == ["and a note"]
    assert list(executor.map(abs, [-1])) == [1]  # the executor is still of use


def test_an_error_stops_the_items(executor):
    taken = []

    def items():
        for i in range(1000):
            taken.append(i)
            yield i

    with pytest.raises(ZeroDivisionError, match="by zero"):
        list(executor.map(lambda i: 1 // (i - 5), items()))
    assert len(taken) <= 6 + 4


def test_an_error_of_the_items_themselves(executor):
    def items():
        yield 1
        raise OSError("the stream broke off")

    with pytest.raises(OSError, match="the stream broke off"):
        list(executor.map(abs, items()))


def test_errors_of_a_part_say_where(executor, tmp_path):
    def step(batch):
        raise ValueError("no good")

    pq.write_table(pa.table({"a": [1.0]}), tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="no good") as caught:
        reduce(str(tmp_path), step, executor=executor)
    assert "a.parquet" in caught.value.__notes__[0]


def test_warnings_of_workers_are_shown_once_here(executor):
    def step(batch):
        warn("a column is constant", RankDeficient)
        return 1

    with pytest.warns(RankDeficient, match="constant") as shown:
        assert reduce([[1], [2], [3]], step, executor=executor) == 3
    assert len(shown) == 1
    assert shown[0].filename == __file__


class CannotAdd:
    def __add__(self, other):
        raise ArithmeticError("these do not add")


@pytest.mark.long
@pytest.mark.slow
def test_an_error_while_adding_stops_the_workers():
    """The error's traceback refers to the map; its workers must not live as long as that."""
    before = set(multiprocessing.active_children())
    with pytest.raises(ArithmeticError, match="do not add") as caught:
        reduce([1, 2, 3, 4], lambda batch: CannotAdd(), executor=Processes(2))
    assert caught.tb is not None
    assert set(multiprocessing.active_children()) <= before


def test_threads_end_with_the_map():
    before = threading.active_count()
    results = Threads(3).map(abs, range(100))
    assert next(results) == 0
    results.close()
    assert threading.active_count() == before


# -- processes ------------------------------------------------------------------------------------------------
def pids(pool, n=8):
    def work(i):
        time.sleep(0.02)
        return os.getpid()

    return set(pool.map(work, range(n)))


def test_a_slow_item_holds_the_others_up(processes):
    """Results wait for their turn, so no more than a few may be ahead of a slow first one."""
    taken = []

    def items():
        for i in range(40):
            taken.append(i)
            yield i

    results = processes.map(lambda i: time.sleep(0.5 * (i == 0)) or i, items())
    assert next(results) == 0
    assert len(taken) <= 4
    assert list(results) == list(range(1, 40))


@pytest.mark.slow
def test_workers_stay_for_the_block_and_are_other_processes(processes):
    first, second = pids(processes), pids(processes)
    assert first == second
    assert len(first) == 2
    assert os.getpid() not in first


@pytest.mark.long
@pytest.mark.slow
def test_a_map_that_is_left_early_disturbs_no_other(processes):
    early = processes.map(lambda i: i, range(100))
    assert next(early) == 0
    early.close()
    assert list(processes.map(lambda i: -i, range(5))) == [0, -1, -2, -3, -4]


@pytest.mark.long
@pytest.mark.slow
def test_two_maps_at_a_time(processes):
    """Each has workers of its own; only as many as asked for stay."""
    pairs = list(
        zip(processes.map(lambda i: i, range(6)), processes.map(lambda i: 10 * i, range(6)), strict=True)
    )
    assert pairs == [(i, 10 * i) for i in range(6)]
    assert len(processes._idle) <= 2


@pytest.mark.slow
def test_what_cannot_travel_says_so(processes):
    lock = threading.Lock()
    with pytest.raises(TypeError, match="pickle"):
        list(processes.map(lambda i: lock, range(3)))
    with pytest.raises(TypeError, match="pickle"):
        list(processes.map(abs, [lock]))
    with pytest.raises(TypeError, match="pickle"):
        list(processes.map(lambda i: threading.Lock(), range(3)))


@pytest.mark.slow
def test_an_error_that_cannot_travel_leaves_its_words(processes):
    class Picky(Exception):
        def __init__(self, one, two):
            super().__init__(f"{one} and {two}")

    def work(i):
        raise Picky(1, 2)

    with pytest.raises(RuntimeError, match="Picky: 1 and 2"):
        list(processes.map(work, range(3)))


@pytest.mark.long
@pytest.mark.slow
def test_large_items_and_large_results_do_not_block_each_other(processes):
    """Both directions of a pipe are full at once: 8 MB each way."""
    items = [np.full(1_000_000, float(i)) for i in range(6)]
    for i, back in enumerate(processes.map(lambda a: a + 1, items)):
        assert back[0] == back[-1] == i + 1


@pytest.mark.long
def test_open_files_do_not_pile_up(processes):
    def opened():
        return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0

    list(processes.map(abs, range(4)))
    before = opened()
    for _ in range(2):
        early = processes.map(time.sleep, [0.0, 30.0, 30.0, 30.0])
        next(early)
        early.close()  # stops the workers that sleep
    list(processes.map(abs, range(4)))
    assert opened() < before + 4  # a worker that is not let go holds two, and four were stopped


# -- choosing -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("make", [Threads, Processes])
@pytest.mark.parametrize("bad", [0, -1, 1.5, True, "2"])
def test_bad_numbers_of_workers(make, bad):
    with pytest.raises(InvalidParameter, match="workers must be an integer >= 1 or None"):
        make(bad)


@pytest.mark.parametrize("bad", [-1, None, 1.5, True])
def test_bad_retries(bad):
    with pytest.raises(InvalidParameter, match="retries must be an integer >= 0"):
        Processes(2, retries=bad)


def test_names_of_executors():
    assert {name: type(as_executor(name)) for name in NAMES} == {
        "serial": Serial, "threads": Threads, "processes": Processes
    }  # fmt: skip
    assert isinstance(as_executor(None), Threads)
    one = Threads(1)
    assert as_executor(one) is one
    assert repr(one) == "Threads(workers=1)"
    for bad in ("thread", 3, Threads, ["serial"]):
        with pytest.raises(
            InvalidParameter, match="executor must be one of 'serial', 'threads', 'processes'"
        ):
            as_executor(bad)


def test_threads_follow_the_limit():
    with engine.threads(1):
        ids = set(Threads().map(lambda i: threading.get_ident(), range(8)))
    assert len(ids) == 1


@pytest.mark.parametrize("name", ["weight", "categories", "where", "target", "columns"])
def test_what_arrays_cannot_have_is_refused_and_not_ignored(name):
    X = rng.standard_normal((20, 2))
    with pytest.raises(InvalidParameter, match=f"{name}='w' needs a table with column names"):
        engine.fit(LinearRegression(), (X, X[:, 0]), **{name: "w"})
