"""The engine in one page: the same regression from arrays, threads, processes, folds and two sites that share no rows.

Writes a few Parquet files to a temporary folder, fits them in several ways and prints one line for each, with the
weights and the time. From the folds on, statistics answer: one pass serves fifty penalties and every subset of columns.
"""

import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import suffice
from suffice import engine
from suffice.evaluation import select_features, validate_path
from suffice.linear import LinearRegression, Ridge

TRUE = np.array([2.0, -1.0, 0.0, 0.5])
NAMES = ["a", "b", "c", "d"]


def write(folder, n_files=6, n=20_000):
    rng = np.random.default_rng(0)
    for i in range(n_files):
        X = rng.standard_normal((n, len(TRUE)))
        y = 3 + X @ TRUE + rng.standard_normal(n)
        columns = dict(zip(NAMES, X.T, strict=True)) | {"y": y}
        parquet.write_table(pa.table(columns), folder / f"part-{i}.parquet")


def line(name, work):
    start = perf_counter()
    model = work()
    weights = "  ".join(f"{w:8.5f}" for w in model.coef_)
    print(f"{name:<34}{weights}  {1000 * (perf_counter() - start):7.0f} ms")
    return model


def main(folder):
    write(folder)
    files, north, south = (str(folder / f"part-{which}.parquet") for which in ("*", "[012]", "[345]"))
    table = parquet.read_table(folder)
    print(f"{table.num_rows:,} rows; the weights behind them are {TRUE}\n")
    whole = line("arrays", lambda: LinearRegression().fit(table.select(NAMES), table["y"].to_numpy()))
    for name in ("serial", "threads", "processes"):
        line(f"files, {name}", lambda name=name: engine.fit(LinearRegression(), files, "y", executor=name))
    folded = engine.cross_validate(Ridge(), files, "y", folds=10).statistics
    path = validate_path(Ridge(), folded, param="alpha", values=np.logspace(-1, 5, 50).tolist())
    line(f"ridge, best of 50: alpha = {path.best:.3g}", lambda: folded.fit(Ridge(path.best)))
    sites = [engine.fit(LinearRegression(), site, "y").statistics_ for site in (north, south)]
    merged = line("two sites, merged", lambda: LinearRegression().solve(suffice.merge(sites)))
    print(f"\n{path}\n{select_features(LinearRegression(), folded)}")
    print(f"largest difference of merged and whole: {np.abs(merged.coef_ - whole.coef_).max():.1e}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        main(Path(place))
