"""Dask: rows stay on the workers, statistics travel, and a worker that dies is not missed."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, WorkerDied
from suffice.engine import Cluster, Serial, reduce
from suffice.linear import LinearRegression, Ridge

from .mixture import Mixture, sample, send_by_value

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")

send_by_value(__name__)
rng = np.random.default_rng(4)
X = rng.standard_normal((400, 3)) * [1.0, 100.0, 0.01]
y = X @ [1.0, -2.0, 0.5] + rng.standard_normal(400)
TABLE = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y})


@pytest.fixture(scope="module")
def client():
    """Two worker processes; not the current client, so that every test says whom it means."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


def where_from(batch):
    """Which process worked, and on how many rows."""
    rows = len(batch) if hasattr(batch, "columns") else len(batch[0])
    return [(os.getpid(), rows)]


@pytest.mark.slow
def test_a_cluster_gives_the_bits_of_one_thread(client, tmp_path):
    """Files, Dask arrays and dataframes: the same statistics, counted by two other processes."""
    for i in range(4):
        pq.write_table(pa.Table.from_pandas(TABLE[100 * i : 100 * i + 100]), tmp_path / f"{i}.parquet")
    folder = str(tmp_path)
    fits = [engine.fit(LinearRegression(), folder, "y", executor=e) for e in (Serial(), client)]
    assert fits[0].statistics_ == fits[1].statistics_
    assert fits[0].coef_.tobytes() == fits[1].coef_.tobytes()
    folds = [engine.cross_validate(Ridge(), folder, "y", folds=3, executor=e) for e in (Serial(), client)]
    assert folds[0].statistics == folds[1].statistics
    assert folds[0].fold_losses.tobytes() == folds[1].fold_losses.tobytes()


@pytest.mark.slow
def test_partitions_stay_on_the_workers(client):
    frame = dd.from_pandas(TABLE, npartitions=5)
    arrays = da.from_array(X, chunks=(80, 3)), da.from_array(y, chunks=80)
    for source in (frame, arrays):
        seen = reduce(source, where_from, executor=client)
        assert os.getpid() not in {pid for pid, _ in seen}
        assert [rows for _, rows in seen] == [80] * 5


@pytest.mark.slow
def test_the_current_client_is_found(client):
    frame = dd.from_pandas(TABLE, npartitions=4)
    with client.as_current():
        away = reduce(frame, where_from)
        fitted = engine.fit(LinearRegression(), frame, "y")
        here = reduce(frame, where_from, executor="serial")
    assert os.getpid() not in {pid for pid, _ in away}
    assert {pid for pid, _ in here} == {os.getpid()}
    assert {pid for pid, _ in reduce(frame, where_from)} == {os.getpid()}  # no client: computed here
    assert fitted.statistics_ == engine.fit(LinearRegression(), frame, "y").statistics_


@pytest.mark.slow
def test_dask_arrays_give_the_bits_of_batches(client):
    arrays = da.from_array(X, chunks=(90, 2)), da.from_array(y, chunks=70)
    batches = [(X[i : i + 90], y[i : i + 90]) for i in range(0, 400, 90)]
    expected = engine.fit(Ridge(), batches)
    for executor in (client, Cluster(client), "serial", None):
        assert engine.fit(Ridge(), arrays, executor=executor).statistics_ == expected.statistics_


@pytest.mark.slow
def test_batches_from_here_travel_without_a_word(client):
    """Larger than what Dask warns about (10 MB)."""
    big = [np.full((1_000_000, 2), float(i)) for i in range(3)]
    assert reduce([(b,) for b in big], lambda batch: float(batch[0].sum()), executor=client) == 6e6


@pytest.mark.slow
def test_no_more_parts_are_under_way_than_two_per_thread(client):
    taken, done = [], 0

    def items():
        for i in range(30):
            taken.append(i)
            yield i

    for result in Cluster(client).map(abs, items()):
        assert result == done
        done += 1
        assert len(taken) - done <= 4
        time.sleep(0.02 if done < 5 else 0)
    assert done == 30


@pytest.mark.slow
def test_errors_keep_type_message_and_notes_and_stop_the_map(client):
    def step(batch):
        if batch == 2:
            error = InvalidInput("batch two is bad")
            error.add_note("a note")
            raise error
        return 1

    with pytest.raises(InvalidInput, match="batch two is bad") as caught:
        reduce(range(500), step, executor=client)
    assert caught.value.__notes__ == ["a note", "This happened in batch 2."]
    deadline = time.monotonic() + 5
    while any(client.processing().values()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(client.processing().values())


@pytest.mark.slow
def test_blas_and_python_have_one_thread(client):
    def limits(_):
        import scipy.linalg  # noqa: F401
        from threadpoolctl import threadpool_info

        from suffice.engine.threads import count

        return count(), max(
            (d["num_threads"] for d in threadpool_info() if d["user_api"] == "blas"), default=1
        )

    assert set(Cluster(client).map(limits, range(4))) == {(1, 1)}


@pytest.mark.slow
def test_an_iteration_on_a_cluster(client):
    x = sample(600)
    expected = engine.fit(Mixture(tol=1e-3), [(x[i : i + 200, None],) for i in (0, 200, 400)])
    model = engine.fit(Mixture(tol=1e-3), (da.from_array(x[:, None], chunks=(200, 1)),), executor=client)
    assert model.trace_ == expected.trace_


@pytest.mark.long
@pytest.mark.slow
def test_a_worker_that_is_killed_is_not_missed(client):
    """At two moments; the nanny starts another one."""
    batches = [(X[i : i + 20], y[i : i + 20]) for i in range(0, 400, 20)]

    def step(batch):
        time.sleep(0.05)
        return LinearRegression().collect(*batch)

    expected = reduce(batches, step, executor="serial")
    for seconds in (0.1, 0.4):
        client.wait_for_workers(2, timeout=30)
        victim = client.run(os.getpid)
        timer = threading.Timer(seconds, os.kill, (next(iter(victim.values())), signal.SIGKILL))
        timer.start()
        assert reduce(batches, step, executor=client) == expected
        timer.join()


@pytest.mark.long
@pytest.mark.slow
def test_a_part_that_kills_worker_after_worker():
    def step(batch):
        if batch == 2:
            os._exit(1)
        return 1

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
        pytest.raises(WorkerDied, match="Workers of the cluster died again and again"),
    ):
        reduce(range(5), step, executor=client)


@pytest.mark.slow
def test_a_client_that_does_not_wait_is_refused():
    class Asynchronous:
        asynchronous = True
        scheduler_info = None

    with pytest.raises(InvalidParameter, match="the client is asynchronous"):
        reduce([1, 2], abs, executor=Asynchronous())
