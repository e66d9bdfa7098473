"""Models that pass over the rows again and again: from any source, by any executor, and taken up after a break."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import suffice
from suffice import engine
from suffice._core.errors import (
    HeaderMismatch,
    InvalidInput,
    InvalidParameter,
    NotConverged,
    UnsafeFile,
)
from suffice._core.files import read
from suffice.engine import Processes
from suffice.engine.protocols import Iterates
from suffice.linear import LinearRegression

from .mixture import Mixture, plain_em, sample, start

x = sample(3000)
BATCHES = [(x[i : i + 500, None],) for i in range(0, len(x), 500)]
FIRST = start(x, 2)


def assert_same_fit(a, b):
    """Every bit of parameters and trace."""
    assert {k: v.tobytes() for k, v in a.params_.items()} == {k: v.tobytes() for k, v in b.params_.items()}
    assert a.trace_ == b.trace_


@pytest.fixture
def files(tmp_path):
    for i in range(6):
        pq.write_table(
            pa.table({"x": x[500 * i : 500 * i + 500], "z": np.zeros(500)}), tmp_path / f"{i}.parquet"
        )
    return str(tmp_path / "*.parquet")


def test_the_model_of_these_tests_follows_the_protocol():
    assert isinstance(Mixture(), Iterates)
    assert not isinstance(LinearRegression(), Iterates)


def test_batches_give_what_plain_em_gives():
    model = engine.fit(Mixture(tol=1e-9), BATCHES)
    steps = len(model.trace_) - 1
    assert steps > 10
    params, objective = plain_em(x, FIRST, steps)
    for name, value in params.items():
        np.testing.assert_allclose(model.params_[name], value, rtol=1e-10)
    np.testing.assert_allclose(model.trace_.objective, objective, rtol=1e-12)


def test_the_objective_never_falls_and_belongs_to_the_parameters():
    model = engine.fit(Mixture(tol=1e-9), BATCHES)
    assert np.all(np.diff(model.trace_.objective) >= -1e-12 * abs(model.trace_.objective[-1]))
    again = plain_em(x, model.params_, 0)[1][0]
    assert model.trace_.objective[-1] == pytest.approx(again, rel=1e-12)
    assert model.statistics_.n == len(x)


def test_arrays_begin_from_all_rows():
    """An array is one part, and so the first batch."""
    model = engine.fit(Mixture(), (x[:, None],))
    params, _ = plain_em(x, start(x, 2), len(model.trace_) - 1)
    np.testing.assert_allclose(model.params_["mean"], params["mean"], rtol=1e-10)


@pytest.mark.slow
def test_parquet_and_batches_give_the_same_bits(files):
    expected = engine.fit(Mixture(), BATCHES)
    fitted = [engine.fit(Mixture(), files, columns=["x"], executor=e) for e in (None, "serial")]
    for model in fitted:
        assert_same_fit(model, expected)
    where = engine.fit(Mixture(), files, columns=["x"], where=[("x", ">", -1e9)])
    assert_same_fit(where, expected)


@pytest.mark.slow
def test_processes_give_the_same_bits_and_stay_for_all_passes(files):
    with Processes(2) as pool:
        model = engine.fit(Mixture(), files, columns=["x"], executor=pool)
        first = {worker.process.pid for worker in pool._idle}
        engine.fit(Mixture(), files, columns=["x"], executor=pool)
        assert {worker.process.pid for worker in pool._idle} == first
    assert_same_fit(model, engine.fit(Mixture(), BATCHES))


def test_a_weight_of_two_is_a_row_twice():
    w = np.tile([1.0, 2.0, 0.0], 1000)
    begin = start(x, 2)

    class Fixed(Mixture):
        def begin(self, rows, plan, whole):
            return begin

    weighted = engine.fit(Fixed(tol=1e-7), [(x[:, None], None, w)])
    repeated = engine.fit(Fixed(tol=1e-7), [(np.repeat(x, w.astype(int))[:, None],)])
    for name in begin:
        np.testing.assert_allclose(weighted.params_[name], repeated.params_[name], rtol=1e-9)


def test_the_model_warns_of_the_limit():
    with pytest.warns(NotConverged, match="after 3 iterations"):
        model = engine.fit(Mixture(max_iter=3, tol=1e-12), BATCHES)
    assert len(model.trace_) == 4  # the start, and three steps
    assert not model.trace_.converged


def test_a_source_that_can_be_read_once_is_refused():
    with pytest.raises(InvalidParameter, match="Mixture passes over the rows many times, and this source"):
        engine.fit(Mixture(), iter(BATCHES))


@pytest.mark.parametrize(
    ("batches", "message"),
    [
        ([(np.array([[1.0], [np.nan]]),)], "must be finite"),
        ([(np.ones((3, 2)),)], r"got shape \(3, 2\)"),
        ([*BATCHES[:2], (np.ones((3, 2)),)], r"got shape \(3, 2\)"),
        ([], "no batches"),
        ([(np.empty((0, 1)),)], "no rows"),
    ],
)
def test_rows_that_cannot_be_used(batches, message):
    with pytest.raises(InvalidInput, match=message):
        engine.fit(Mixture(), batches)


# -- checkpoints ------------------------------------------------------------------------------------------------
class PowerCut(Exception):
    pass


class Interrupted:
    """Batches that break off in the middle of some pass."""

    def __init__(self, passes):
        self.passes = passes

    def __iter__(self):
        self.passes -= 1
        yield from BATCHES[:3]
        if self.passes < 0:
            raise PowerCut("in the middle of a pass")
        yield from BATCHES[3:]


@pytest.mark.parametrize("passes", [2, 4, 7])
def test_a_fit_that_broke_off_goes_on_to_the_same_bits(tmp_path, passes):
    path = tmp_path / "here.suffice"
    whole = engine.fit(Mixture(), BATCHES)
    with pytest.raises(PowerCut, match="in the middle"):
        engine.fit(Mixture(), Interrupted(passes), resume=path)
    done = len(read("checkpoint", path).state.objective) if path.exists() else 0
    assert done == max(passes - 3, 0)  # a look at the columns, one at the first batch, one for the sample
    solved = []

    class Counting(Mixture):
        def maximize(self, counts):
            solved.append(counts)
            return super().maximize(counts)

    Counting.__name__ = "Mixture"
    again = engine.fit(Counting(), BATCHES, resume=path)
    assert_same_fit(again, whole)
    assert len(solved) == len(whole.trace_) - 1 - done
    assert os.listdir(tmp_path) == ["here.suffice"]


def test_checkpoints_change_nothing_and_a_finished_fit_ends_at_once(tmp_path):
    path = tmp_path / "here.suffice"
    whole = engine.fit(Mixture(), BATCHES)
    assert_same_fit(engine.fit(Mixture(), BATCHES, resume=path), whole)
    assert_same_fit(engine.fit(Mixture(), BATCHES, resume=str(path)), whole)


def test_the_limit_and_the_tolerance_may_change(tmp_path):
    path = tmp_path / "here.suffice"
    with pytest.warns(NotConverged, match="after 5 iterations"):
        engine.fit(Mixture(max_iter=5), BATCHES, resume=path)
    assert_same_fit(
        engine.fit(Mixture(tol=1e-9), BATCHES, resume=path), engine.fit(Mixture(tol=1e-9), BATCHES)
    )


def test_numbers_of_numpy_are_the_same_parameters(tmp_path):
    for _ in range(2):
        engine.fit(Mixture(k=np.int64(2)), BATCHES, resume=tmp_path / "here.suffice")


def test_a_checkpoint_of_another_fit_is_refused(tmp_path, files):
    path = tmp_path / "here.suffice"
    engine.fit(Mixture(), files, columns=["x"], resume=path)

    class Other(Mixture):
        pass

    with pytest.raises(HeaderMismatch, match="belongs to another fit: its model is 'Mixture', here 'Other'"):
        engine.fit(Other(), files, columns=["x"], resume=path)
    with pytest.raises(HeaderMismatch, match=r"its params is .*'k': 2.*, here .*'k': 3"):
        engine.fit(Mixture(k=3), files, columns=["x"], resume=path)
    with pytest.raises(HeaderMismatch, match=r"its columns is .*'x'.* here .*'z'"):
        engine.fit(Mixture(), files, columns=["z"], resume=path)
    with pytest.raises(HeaderMismatch, match="it counted 3,000, and the source holds 500"):
        engine.fit(Mixture(), files.replace("*", "0"), columns=["x"], resume=path)


def test_files_that_are_no_checkpoints_are_refused_by_name(tmp_path):
    path = tmp_path / "here.suffice"
    path.write_bytes(b"half a file")
    with pytest.raises(UnsafeFile, match=r"checkpoint .*here\.suffice.* cannot be read"):
        engine.fit(Mixture(), BATCHES, resume=path)
    path.unlink()
    engine.fit(Mixture(), BATCHES, resume=path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(UnsafeFile, match=r"checkpoint .*here\.suffice.* cannot be read"):
        engine.fit(Mixture(), BATCHES, resume=path)
    suffice.save(LinearRegression().fit([[0.0], [1.0]], [0.0, 1.0]), path)
    with pytest.raises(InvalidParameter, match=r"here\.suffice' is not a checkpoint but a LinearRegression"):
        engine.fit(Mixture(), BATCHES, resume=path)


def test_places_where_no_checkpoint_can_be(tmp_path):
    for bad in ("fit.pickle", 3, True, tmp_path):
        with pytest.raises(InvalidParameter, match="must be a file that ends in"):
            engine.fit(Mixture(), BATCHES, resume=bad)
    with pytest.raises(InvalidParameter, match="there is no folder .*missing"):
        engine.fit(Mixture(), BATCHES, resume=tmp_path / "missing" / "here.suffice")
    with pytest.raises(InvalidParameter, match="LinearRegression reads the source once"):
        engine.fit(LinearRegression(), (x[:, None], x), resume=tmp_path / "here.suffice")


SCRIPT = """
import importlib.util, sys, time
spec = importlib.util.spec_from_file_location("mixture", sys.argv[1])
mixture = importlib.util.module_from_spec(spec)
sys.modules["mixture"] = mixture
spec.loader.exec_module(mixture)
from suffice import engine

class Mixture(mixture.Mixture):
    def maximize(self, counts):
        time.sleep(0.05)
        return super().maximize(counts)

engine.fit(Mixture(), sys.argv[2], columns=["x"], resume=sys.argv[3])
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
def test_a_process_that_is_killed_is_taken_up_by_another(tmp_path, files):
    path = tmp_path / "here.suffice"
    helper = os.path.join(os.path.dirname(__file__), "mixture.py")
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, helper, files, str(path)])
    deadline = time.monotonic() + 30
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.2)
    process.kill()
    assert process.wait(20) == -signal.SIGKILL
    whole = engine.fit(Mixture(), files, columns=["x"])
    assert 0 < len(read("checkpoint", path).state.objective) < len(whole.trace_) - 1
    assert_same_fit(engine.fit(Mixture(), files, columns=["x"], resume=path), whole)
