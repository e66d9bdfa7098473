"""Descriptions of files: a mixed table that is larger than what may be kept of it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

import numpy as np

from benchmarks.harness import Figure, Result
from benchmarks.tables import small

GROUP = 131_072
MOST_SECONDS, MOST_MEGABYTES = 60.0, 1500.0

# A small process between: a child's largest memory begins at that of the process that started it.
WATCH = """
import resource, subprocess, sys, time
start = time.perf_counter()
command = [sys.executable, "-c", "from suffice.cli import main; main()", "describe", sys.argv[1], "--json"]
subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def write_mixed(path: str, n: int) -> None:
    """n rows of 20 columns: floats, integers, categories, texts, dates, truths, with gaps."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng, writer = np.random.default_rng(0), None
    for a in range(0, n, GROUP):
        table = pa.table(_rows(rng, a, min(GROUP, n - a)))
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def _rows(rng: np.random.Generator, first: int, n: int) -> dict[str, object]:
    import pyarrow as pa

    x = rng.standard_normal((n, 8))
    gap = rng.random((2, n)) < 0.1
    number = np.arange(first, first + n)
    day = np.datetime64("2015-01-01", "D") + rng.integers(0, 4000, n)
    cities, words = (
        np.array(["Aarhus", "Lima", "Oslo", "Rome", "Yorck"]),
        np.array(["red", "green", "blue", "grey"]),
    )
    return {
        **{f"x{j}": x[:, j] for j in range(4)},
        "price": np.exp(x[:, 4]),
        "gappy": pa.array(x[:, 5], mask=gap[0]),
        "tail": rng.standard_t(2, n),
        "tenths": np.round(x[:, 6], 1),
        "age": rng.integers(0, 90, n),
        "score": pa.array(rng.integers(0, 100, n), mask=gap[1]),
        "big": rng.integers(0, 2**62, n),
        "id": number,
        "city": pa.array(cities[rng.integers(0, 5, n)]).dictionary_encode(),
        "color": words[rng.integers(0, 4, n)],
        "code": np.char.add("k", rng.integers(0, 20_000, n).astype(str)),
        "name": np.char.add("customer ", number.astype(str)),
        "flag": x[:, 7] > 1,
        "day": day,
        "moment": day.astype("datetime64[us]") + rng.integers(0, 86_400_000_000, n),
        "empty": pa.nulls(n, pa.float64()),
    }


def description(quick: bool) -> list[Result]:
    """`suffice describe` of a Parquet file with columns of all kinds, by the clock and by its largest memory."""
    n = small(5_000_000, quick)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mixed.parquet")
        write_mixed(path, n)
        watched = subprocess.run(
            [sys.executable, "-c", WATCH, path], check=True, stdout=subprocess.PIPE, text=True
        )
    seconds, kilobytes = map(float, watched.stdout.split())
    what = f"suffice describe, {n:,} × 20 Parquet"
    return [
        Figure(f"{what}: seconds", seconds, "s", MOST_SECONDS),
        Figure(f"{what}: memory", kilobytes / 1024, "MB", MOST_MEGABYTES),
    ]


ROWS = (description,)
