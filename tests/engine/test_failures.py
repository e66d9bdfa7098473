"""Workers that die, Ctrl-C, and parents that are killed: right results or a clear error, and nobody left behind."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from suffice import engine
from suffice._core.errors import InvalidInput, WorkerDied
from suffice.engine import Processes, reduce
from suffice.linear import LinearRegression

from .mixture import send_by_value

send_by_value(__name__)
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")

N_PARTS, ROWS = 30, 20
rng = np.random.default_rng(2)
X = rng.standard_normal((N_PARTS * ROWS, 3))
y = X @ [1.0, -2.0, 0.5] + rng.standard_normal(len(X))
BATCHES = [(X[i : i + ROWS], y[i : i + ROWS]) for i in range(0, len(X), ROWS)]


class Slowly:
    """The statistics of a batch, which take their time."""

    def __init__(self, seconds):
        self.seconds = seconds

    def __call__(self, batch):
        time.sleep(self.seconds)
        return LinearRegression().collect(*batch)


OTHERS: set[int] = set()


@pytest.fixture(autouse=True)
def _others():
    """Workers that refits of other tests left waiting for more are not ours."""
    OTHERS.update(p.pid for p in multiprocessing.active_children())


def children():
    workers = (p for p in multiprocessing.active_children() if type(p).__name__ == "LokyProcess")
    return [p for p in workers if p.pid not in OTHERS]


def kill_one_after(seconds, killed):
    def kill():
        time.sleep(seconds)
        alive = children()
        if alive:
            victim = random.choice(alive).pid
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def take(mark):
    """Whether this is the first call for a file, which is removed."""
    try:
        os.remove(mark)
        return True
    except FileNotFoundError:
        return False


@pytest.mark.slow
def test_a_worker_that_is_killed_is_replaced(tmp_path):
    def step(batch, mark):
        if batch[0][0, 0] == BATCHES[3][0][0, 0] and take(mark):
            os.kill(os.getpid(), signal.SIGKILL)
        return LinearRegression().collect(*batch)

    (tmp_path / "mark").touch()
    expected = reduce(BATCHES[:6], Slowly(0), executor="serial")
    assert reduce(BATCHES[:6], step, tmp_path / "mark", executor=Processes(2)) == expected
    assert not (tmp_path / "mark").exists()
    assert not children()


@pytest.mark.long_for("3")
@pytest.mark.slow
@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.long)])
def test_kills_at_random_moments_give_right_results_each_time(kills):
    expected = reduce(BATCHES, Slowly(0), executor="serial")
    killed: list[int] = []
    with Processes(2) as pool:
        assert reduce(BATCHES, Slowly(0), executor=pool) == expected  # the workers have started
        for trial in range(kills):
            random.seed(trial)
            thread = kill_one_after(random.uniform(0.0, 0.25), killed)
            assert reduce(BATCHES, Slowly(0.02), executor=pool) == expected
            thread.join()
    assert len(killed) == kills
    assert not children()


@pytest.mark.slow
def test_a_worker_killed_while_it_sends_a_large_answer():
    """Half an answer is in the pipe when its sender dies; nobody waits for the other half."""

    def step(i):
        return os.getpid(), np.full(1_000_000, float(i))

    results = Processes(1).map(step, range(4))
    victim, _ = next(results)
    time.sleep(0.5)  # nobody reads, so the worker is stuck in the middle of answer 1
    os.kill(victim, signal.SIGKILL)
    rest = list(results)
    assert [a[0] for _, a in rest] == [a[-1] for _, a in rest] == [1.0, 2.0, 3.0]
    assert victim not in {pid for pid, _ in rest}


def poison(batch):
    if batch == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return batch


@pytest.mark.long_for("1")
@pytest.mark.slow
@pytest.mark.parametrize("retries", [0, 1])
def test_a_part_that_kills_its_workers_is_named(retries):
    with pytest.raises(WorkerDied, match=rf"died {retries + 1} times at work on batch 3\. .* fewer workers"):
        reduce(range(8), poison, executor=Processes(2, retries=retries))
    assert not children()


@pytest.mark.long
def test_workers_that_die_of_different_parts_are_all_replaced(tmp_path):
    """Retries are counted part by part: three deaths in one map, of three parts, are no reason to give up."""

    def step(batch):
        if take(tmp_path / str(batch)):
            os._exit(1)
        return 1

    for i in range(3):
        (tmp_path / str(i)).touch()
    assert reduce(range(6), step, executor=Processes(2, retries=1)) == 6
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_errors_of_the_library_keep_type_message_and_notes():
    bad = [*BATCHES[:4], (X[:5, :2], y[:5]), *BATCHES[4:]]
    with pytest.raises(InvalidInput, match="2 features, but .* expecting 3") as caught:
        engine.fit(LinearRegression(), bad, executor=Processes(2))
    assert caught.value.__notes__[-1] == "This happened in batch 4."
    assert "in door" in str(caught.value.__cause__)  # where in the worker
    assert not children()


# -- scripts of their own ---------------------------------------------------------------------------------------
LONG_FIT = """
import os, sys, time
from suffice.engine import Processes, reduce

def work(batch, path):
    with open(path, "a") as f:
        f.write(f"{os.getpid()}\\n")
    time.sleep(60)
    return 1

reduce(range(100), work, sys.argv[1], executor=Processes(2))
"""


def start_long_fit(path):
    """A script without a main guard whose two workers have written their numbers and sleep."""
    process = subprocess.Popen(
        [sys.executable, "-c", LONG_FIT, str(path)], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if path.exists() and len(path.read_text().split()) == 2:
            return process, [int(pid) for pid in path.read_text().split()]
        time.sleep(0.05)
    process.kill()
    raise AssertionError(process.communicate()[1])


def gone(pid):
    """Whether a process has ended; one that nobody has collected yet counts as ended."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def all_gone(pids, within):
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if all(map(gone, pids)):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.long_for("False")
@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at /proc")
@pytest.mark.parametrize("everyone", [False, True])
def test_ctrl_c_ends_at_once_and_leaves_no_worker(tmp_path, everyone):
    """As sent by `kill -2` to the parent alone, and as sent by a terminal to the whole group."""
    process, pids = start_long_fit(tmp_path / "pids")
    begun = time.monotonic()
    (os.killpg if everyone else os.kill)(process.pid, signal.SIGINT)
    error = process.communicate(timeout=20)[1]
    assert time.monotonic() - begun < 5
    assert all_gone(pids, 1.0)
    assert process.returncode != 0
    assert error.count("Traceback") == 1  # the workers are silent
    assert error.strip().endswith("KeyboardInterrupt")


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at /proc")
def test_workers_leave_when_their_parent_is_killed(tmp_path):
    process, pids = start_long_fit(tmp_path / "pids")
    process.kill()
    process.communicate(timeout=20)
    assert all_gone(pids, 5.0)
