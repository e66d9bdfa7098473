"""Files, processes and a cluster: how near to reading alone, how much a second worker helps, and against Dask."""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.harness import Figure, Result, digits, weigh
from benchmarks.tables import small
from suffice import engine
from suffice.bases import Polynomial
from suffice.linear import LinearRegression, Ridge

GROUP = 131_072


@contextmanager
def _parquet(n: int, d: int) -> Iterator[str]:
    """A file of n rows of d inputs and a target, written a row group at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    truth = rng.uniform(0.5, 1.5, d)
    with tempfile.TemporaryDirectory() as folder:
        path, writer = os.path.join(folder, "rows.parquet"), None
        for a in range(0, n, GROUP):
            X = rng.standard_normal((min(GROUP, n - a), d)) + 3.0
            y = X @ truth + rng.standard_normal(len(X))
            rows = pa.table({f"x{j}": X[:, j] for j in range(d)} | {"y": y})
            writer = writer or pq.ParquetWriter(path, rows.schema)
            writer.write_table(rows)
        writer.close()
        yield path


def _seconds(works: dict[str, Callable[[], Any]], runs: int = 3) -> dict[str, float]:
    """Medians of runs in turn, after one of each."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for run in range(runs + 1):
        for name, work in works.items():
            start = perf_counter()
            work()
            if run:
                times[name].append(perf_counter() - start)
    return {name: statistics.median(t) for name, t in times.items()}


READ = """
import numpy as np, pyarrow.dataset, pyarrow.parquet
def convert(batch):
    out = np.empty((batch.num_rows, batch.num_columns), order="F")
    for j, column in enumerate(batch.columns):
        out[:, j] = column.to_numpy()
def work(path):
    for batch in pyarrow.dataset.dataset(path).to_batches():
        convert(batch)
"""
GROUPS = (
    READ
    + """
def work(path):
    file = pyarrow.parquet.ParquetFile(path)
    for group in range(file.num_row_groups):
        convert(file.read_row_group(group))
"""
)
FIT = """
import numba, numpy as np, pyarrow.parquet
from suffice import engine
from suffice.evaluation import validate_path
from suffice.linear import BayesianLinearRegression, Ridge
def work(path):
    engine.fit(BayesianLinearRegression(), path, "y")
"""
PASS = (
    FIT
    + """
def work(path):
    folded = engine.cross_validate(BayesianLinearRegression(), path, "y").statistics
    model = folded.fit(BayesianLinearRegression())
    return model, validate_path(Ridge(), folded, param="alpha", values=np.logspace(-3, 4, 20))
"""
)


def parquet(quick: bool) -> list[Result]:
    """Twenty million rows of Parquet: posterior, ten folds and twenty penalties from one pass.

    Beside it what pyarrow takes to read the columns and to put them side by side in arrays, as a dataset or row group
    by row group, whichever is faster; each in interpreters of its own, in turn.
    """
    n = small(20_000_000, quick)
    works = {"dataset": READ, "groups": GROUPS, "fit": FIT, "pass": PASS}
    costs: dict[str, list[dict[str, float]]] = {name: [] for name in works}
    with _parquet(n, 20) as path:
        for _ in range(1 if quick else 3):
            for name, code in works.items():
                costs[name].append(weigh(code, f"work({path!r})"))
    seconds = {k: statistics.median(c["seconds"] for c in v) for k, v in costs.items()}
    seconds["read"] = min(seconds["dataset"], seconds["groups"])
    rate = {k: f"{n / s / 1e6:.1f} M rows/s" for k, s in seconds.items()}
    beside = (
        f"{seconds['pass']:.1f} s, {rate['pass']}; pyarrow alone {rate['read']}; the fit alone {rate['fit']}"
    )
    what = f"posterior, 10 folds × 20 penalties from one pass over Parquet, {n:,} × 20, in the time of reading alone"
    size = f"the file's numbers: {n * 21 * 8 / 2**20:,.0f} MB"
    peak = max(c["megabytes"] for c in costs["pass"])
    return [
        Figure(what, seconds["pass"] / seconds["read"], "×", 1 / 0.6, beside),
        Figure(f"peak memory of that pass, {n:,} × 20", peak, "MB", 1000.0, size),
    ]


def processes(quick: bool) -> list[Result]:
    """One worker process against two, for rows that are expensive to count."""
    n = small(2_000_000, quick)
    with _parquet(n, 100) as path, engine.Processes(1) as one, engine.Processes(2) as two:
        works = {
            name: lambda pool=pool: engine.fit(LinearRegression(), path, "y", executor=pool)
            for name, pool in {"one": one, "two": two}.items()
        }
        seconds = _seconds(works)
    beside = f"{seconds['two']:.2f} s; one process {seconds['one']:.2f} s"
    what = f"two worker processes in the time of one, LinearRegression, {n:,} × 100 of Parquet"
    return [Figure(what, seconds["two"] / seconds["one"], "×", 1 / 1.7, beside)]


def cluster(quick: bool) -> list[Result]:
    """A Dask cluster of two worker processes: our ridge against normal equations written by hand."""
    from distributed import Client, LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**options) as local, Client(local) as client:
        return [_against_normal_equations(small(2_000_000, quick), client), _ill_conditioned(client)]


def _normal_equations(X: Any, y: Any, alpha: float) -> np.ndarray:
    """Centred cross-products in Dask, solved here."""
    import dask

    mean, target = X.mean(axis=0), y.mean()
    gram, moment, mean, target = dask.compute(
        (X - mean).T @ (X - mean), (X - mean).T @ (y - target), mean, target
    )
    weights = np.linalg.solve(gram + alpha * np.eye(len(gram)), moment)
    return np.append(weights, target - mean @ weights)


def _against_normal_equations(n: int, client: Any) -> Figure:
    import dask.array as da
    from distributed import wait

    numbers = da.random.default_rng(0)
    X = numbers.standard_normal((n, 30), chunks=(GROUP, 30)) + 3.0
    y = X.sum(axis=1) + numbers.standard_normal(n, chunks=GROUP)
    X, y = client.persist([X, y])
    wait([X, y])
    seconds = _seconds(
        {
            "ours": lambda: engine.fit(Ridge(1.0), (X, y), executor=client),
            "theirs": lambda: _normal_equations(X, y, 1.0),
        }
    )
    beside = f"{seconds['ours']:.2f} s; by hand {seconds['theirs']:.2f} s"
    what = f"ridge on a Dask cluster in the time of hand-written normal equations, {n:,} × 30"
    return Figure(what, seconds["ours"] / seconds["theirs"], "×", 1.0, beside)


def _ill_conditioned(client: Any) -> Figure:
    """Powers of x far from zero: the coefficients are known."""
    import dask.array as da

    x = np.linspace(10.0, 11.0, 20_000)
    truth = np.array([1.0, -2.0, 0.5, 3.0])
    y = np.polynomial.polynomial.polyval(x, truth)
    powers = x[:, None] ** np.arange(1, 4)
    X, target = da.from_array(powers, (2048, 3)), da.from_array(y, 2048)
    line = da.from_array(x[:, None], (2048, 1))
    model = engine.fit(LinearRegression(basis=Polynomial(3)), (line, target), executor=client)
    ours = digits(np.append(model.intercept_, model.coef_), truth)
    try:
        theirs = digits(np.roll(_normal_equations(X, target, 0.0), 1), truth)
    except np.linalg.LinAlgError:
        theirs = 0.0
    return Figure(
        "digits lost by a cubic at x = 10 … 11 on the cluster",
        15.0 - ours,
        "of 15",
        10.0,
        f"by hand {15 - theirs:.0f}",
    )


ROWS = (parquet, processes, cluster)
