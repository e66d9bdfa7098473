"""One table in every kind of source gives one answer; files that are broken, odd or unlike the others are named."""

from __future__ import annotations

import datetime
import decimal
import gzip
import io
from itertools import pairwise

import numpy as np
import pytest

from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, PartsSkipped, UnreadableSource
from suffice.baselines import MajorityClassifier, MeanRegressor, PriorClassifier
from suffice.bases import Polynomial
from suffice.engine.sources import as_source
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.prepare import Standardizer

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

import pyarrow.csv  # noqa: E402
import pyarrow.dataset as ds  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

pytestmark = pytest.mark.sampled(6)

rng = np.random.default_rng(5)
N = 600
X = rng.standard_normal((N, 3)) @ (np.eye(3) + 0.4) * [1.0, 50.0, 1e-3] + [1e3, 0.0, 2.0]
y = X @ [1.0, -0.2, 300.0] + rng.standard_normal(N)
z = X @ [0.0, 0.1, 0.0] + rng.standard_normal(N)
W = rng.integers(0, 4, N).astype(float)
LABEL = np.where(y > np.median(y), "high", np.where(z > 0, "mid", "low")).astype(object)
NAMES = ["a", "b b", "order"]  # a space, and a word of SQL
TABLE = pa.table({**{n: X[:, j] for j, n in enumerate(NAMES)}, "y": y, "z": z, "w": W, "label": LABEL})
PANDAS = TABLE.to_pandas()


def slices(table, size=97):
    return [table.slice(a, size) for a in range(0, N, size)]


def parquet(tmp_path, cuts=(0, N), **options):
    for i, (a, b) in enumerate(pairwise(cuts)):
        pq.write_table(TABLE.slice(a, b - a), tmp_path / f"{i}.parquet", **options)
    return str(tmp_path / "*.parquet")


def csv(tmp_path, cuts=(0, N)):
    for i, (a, b) in enumerate(pairwise(cuts)):
        TABLE.slice(a, b - a).to_pandas().to_csv(tmp_path / f"{i}.csv", index=False, float_format="%.17g")
    return str(tmp_path / "*.csv")


def gzipped(tmp_path):
    text = PANDAS.to_csv(index=False, float_format="%.17g")
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode()))
    return tmp_path / "t.csv.gz"


def hive(tmp_path):
    ds.write_dataset(
        TABLE.append_column("part", pa.array(np.arange(N) % 3)), tmp_path, format="parquet",
        partitioning=ds.partitioning(pa.schema([("part", pa.int64())]), flavor="hive"),
    )  # fmt: skip
    return ds.dataset(tmp_path, partitioning="hive")


def relation(tmp_path):
    connection = duckdb.connect()
    connection.register("t", TABLE)
    return connection.sql("select * from t")


SOURCES = {
    "arrow": lambda p: TABLE,
    "record batch": lambda p: TABLE.combine_chunks().to_batches()[0],
    "pandas": lambda p: PANDAS,
    "pandas with an odd index": lambda p: PANDAS.set_axis(np.arange(N)[::-1] * 7),
    "pandas arrow types": lambda p: PANDAS.convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda p: pl.from_arrow(TABLE),
    "lazy": lambda p: pl.from_arrow(TABLE).lazy(),
    "lazy scan": lambda p: pl.scan_parquet(parquet(p, (0, 100, N))),
    "duckdb": relation,
    "reader": lambda p: pa.RecordBatchReader.from_batches(TABLE.schema, iter(TABLE.to_batches(50))),
    "parquet": parquet,
    "parquet path": lambda p: parquet(p) and p / "0.parquet",
    "parquet row groups": lambda p: parquet(p, row_group_size=70),
    "parquet files": lambda p: parquet(p, (0, 1, 250, 251, N)),
    "parquet folder": lambda p: parquet(p, (0, 300, N)) and p,
    "parquet list": lambda p: parquet(p, (0, 300, N)) and [p / "1.parquet", str(p / "0.parquet")],
    "csv": csv,
    "csv files": lambda p: csv(p, (0, 1, 250, N)),
    "csv.gz": gzipped,
    "dataset": lambda p: ds.dataset(parquet(p, (0, 300, N)) and p),
    "dataset in memory": lambda p: ds.dataset(TABLE),
    "dataset with a filter": lambda p: ds.dataset(parquet(p, (0, 300, N)) and p).filter(ds.field("w") >= 0),
    "hive": hive,
    "dask frame": lambda p: dd.from_pandas(PANDAS, npartitions=5),
    "list of arrow": lambda p: slices(TABLE),
    "list of pandas": lambda p: [t.to_pandas() for t in slices(TABLE, 13)],
    "iterator of polars": lambda p: iter([pl.from_arrow(t) for t in slices(TABLE, 599)]),
    "generator of kinds": lambda p: (
        pl.from_arrow(t) if i % 2 else t.to_pandas() for i, t in enumerate(slices(TABLE))
    ),
}  # fmt: skip

MODELS = {
    "least squares": (LinearRegression(), "y", ("coef_", "intercept_", "noise_variance_")),
    "ridge": (Ridge(2.0, standardize=True), "y", ("coef_", "intercept_")),
    "bayesian": (BayesianLinearRegression(), "y", ("coef_", "intercept_")),
    "mean": (MeanRegressor(), "y", ("mean_", "noise_variance_")),
    "several": (LinearRegression(), ["z", "y"], ("coef_", "intercept_", "noise_variance_")),
    "majority": (MajorityClassifier(), "label", ("class_prior_",)),
    "prior": (PriorClassifier(), "label", ("class_prior_",)),
    "standardizer": (Standardizer(), None, ("mean_", "scale_")),
    "polynomial": (Ridge(1.0, basis=Polynomial(2), standardize=True), "y", ("coef_",)),
}


def check_same(model, whole, attributes, rtol=1e-12):
    for name in attributes:
        mine, theirs = getattr(model, name), getattr(whole, name)
        scale = np.max(np.abs(theirs))
        np.testing.assert_allclose(mine, theirs, rtol=rtol, atol=rtol * scale, err_msg=name)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("weighted", [False, True])
def test_every_source_gives_the_coefficients_of_the_arrays(source, weighted, tmp_path):
    extra = {"weight": "w"} if weighted else {}
    made = SOURCES[source](tmp_path)
    model = engine.fit(LinearRegression(), made, "y", NAMES, executor="serial", **extra)
    whole = LinearRegression().fit(PANDAS[NAMES], y, W if weighted else None)
    check_same(model, whole, ("coef_", "intercept_", "noise_variance_"))
    assert list(model.feature_names_in_) == NAMES


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    "source", ["arrow", "parquet row groups", "csv files", "dask frame", "lazy", "list of pandas"]
)
def test_every_model_reads_every_kind_of_source(name, source, tmp_path):
    model, target, attributes = MODELS[name]
    columns = ["a", "order"] if name == "polynomial" else NAMES
    fitted = engine.fit(
        type(model)(**model.get_params(deep=False)), SOURCES[source](tmp_path), target, columns
    )
    whole = type(model)(**model.get_params(deep=False))
    whole.fit(PANDAS[columns], *([] if target is None else [PANDAS[target].to_numpy()]))
    # evidence and powers are solved iteratively or lose digits; sums do not
    check_same(fitted, whole, attributes, 1e-9 if name in ("bayesian", "polynomial") else 1e-12)
    if hasattr(whole, "classes_"):
        np.testing.assert_array_equal(fitted.classes_, whole.classes_)
    assert list(fitted.feature_names_in_) == columns


@pytest.mark.parametrize("size", [1, 7, 100, 599, 600, 5000])
def test_any_chunks_give_the_same_folds_and_coefficients(size, tmp_path, monkeypatch):
    """Rows with equal numbers are in equal folds: arrays, batches, Parquet and Dask agree."""
    monkeypatch.setattr("suffice.engine.sources.parquet.PART_ROWS", 60)  # several parts of a file
    n = N if size > 1 else 90
    A, b = X[:n], y[:n]
    pairs = [(A[a : a + size], b[a : a + size]) for a in range(0, n, size)]
    pq.write_table(TABLE.select([*NAMES, "y"]).slice(0, n), tmp_path / "t.parquet", row_group_size=size)
    dasks = (da.from_array(A, chunks=(size, 2)), da.from_array(b, chunks=max(size // 2, 1)))
    whole = engine.cross_validate(Ridge(3.0), (A, b), folds=4)
    coef = Ridge(3.0).fit(A, b).coef_
    for source, target in ((pairs, None), (iter(pairs), None), (tmp_path / "t.parquet", "y"), (dasks, None)):
        result = engine.cross_validate(Ridge(3.0), source, target, folds=4)
        np.testing.assert_allclose(result.fold_losses, whole.fold_losses, rtol=1e-12)
        np.testing.assert_allclose(result.statistics.fit(Ridge(3.0)).coef_, coef, rtol=1e-12)


@pytest.mark.parametrize("kind", ["lazy", "duckdb", "reader", "dataset with a filter", "csv", "polars"])
def test_streams_count_their_rows_through(kind, tmp_path, monkeypatch):
    """The batches of a stream have the folds that the rows have in one table."""
    monkeypatch.setattr("suffice.engine.sources.lazy.BATCH_ROWS", 64)
    monkeypatch.setattr("suffice.engine.sources.csv.BLOCK", 3000)
    made = ds.dataset(TABLE).filter(ds.field("w") >= 0) if "filter" in kind else SOURCES[kind](tmp_path)
    result = engine.cross_validate(Ridge(3.0), made, "y", NAMES, folds=4)
    whole = engine.cross_validate(Ridge(3.0), (X, y), folds=4)
    np.testing.assert_allclose(result.fold_losses, whole.fold_losses, rtol=1e-12)


# -- arrays and batches -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["csr", "coo", "csc"])
def test_sparse_pairs_and_batches(kind):
    from scipy import sparse

    S = sparse.random(500, 4, density=0.3, random_state=1, format=kind)
    t = S @ [1.0, 2.0, 3.0, 4.0] + rng.standard_normal(500)
    whole = Ridge(1.0).fit(S.toarray(), t)
    rows = S.tocsr()
    for source in ((S, t), [(rows[:200], t[:200]), (rows[200:], t[200:])]):
        for executor in (None, "serial"):
            np.testing.assert_allclose(
                engine.fit(Ridge(1.0), source, executor=executor).coef_, whole.coef_, rtol=1e-11
            )


def test_a_weight_is_never_taken_for_a_target():
    whole = Standardizer().fit(X, None, W)
    for source in ((X, None, W), [(X[:9], None, W[:9]), (X[9:], None, W[9:])],
                   (da.from_array(X, chunks=100), None, da.from_array(W, chunks=50))):  # fmt: skip
        model = engine.fit(Standardizer(), source, executor="serial")
        check_same(model, whole, ("mean_", "scale_"))


def test_pairs_of_tables_keep_their_names():
    for table in (PANDAS[NAMES], pl.from_pandas(PANDAS[NAMES]), TABLE.select(NAMES)):
        model = engine.fit(LinearRegression(), (table, y), executor="serial")
        assert list(model.feature_names_in_) == NAMES
        losses = engine.cross_validate(LinearRegression(), (table, y), folds=3).fold_losses
        expected = engine.cross_validate(LinearRegression(), (X, y), folds=3).fold_losses
        np.testing.assert_allclose(losses, expected, rtol=1e-12)


def test_column_names_that_are_numbers():
    table = pd.DataFrame(np.column_stack([X, y]))
    for source in (table, [table[:100], table[100:]], dd.from_pandas(table, npartitions=2)):
        model = engine.fit(LinearRegression(), source, "3", ["0", "2"])
        np.testing.assert_allclose(model.coef_, LinearRegression().fit(X[:, [0, 2]], y).coef_, rtol=1e-12)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (X, r"one ndarray is unclear: give a tuple \(X, y\)"),
        ({"a": [1.0]}, "one dict is unclear"),
        (7, "A source is a pair"),
        (b"t.csv", "by their paths, as text; got bytes"),
        (io.BytesIO(b"a,y"), "by their paths, as text; got BytesIO"),
        ((X, y[:3]), r"same number of rows; got shape \(600, 3\), shape \(3,\)"),
        ((X, [[1.0], [2.0, 3.0]]), "ragged list; batches go into a list"),
        ((X, 3.0), r"same number of rows; got shape \(600, 3\), shape \(\)"),
        ((None, y), "same number of rows; got None"),
        ([], "no batches"),
        (iter([]), "no batches"),
        ([(X[:0], y[:0])], "no rows to fit: it is empty"),
        ([TABLE.slice(0, 0)], "no rows to fit"),
        ([(X, y), TABLE], "all of one kind; got Table"),
        ([(X, y), {"a": 1}], "all of one kind; got dict"),
        ([(X, y, W, W)], "all of one kind; got tuple"),
        ((da.from_array(X), da.from_array(y[:5])), "same number of rows; got 600 and 5"),
        (da.from_array(X), "tuple of arrays"),
        ((dd.from_pandas(PANDAS[["a"]], npartitions=1), dd.from_pandas(PANDAS["y"], npartitions=1)), "target='...'"),
        ((None, da.from_array(y)), "is X; got None"),
    ],
    ids=range(20),
)  # fmt: skip
def test_arrays_that_are_no_source(source, message):
    with pytest.raises(InvalidInput, match=message):
        engine.fit(LinearRegression(), source, executor="serial")


def test_a_table_is_followed_by_tables():
    with pytest.raises(InvalidInput, match="A batch is a tuple, but the first one was a table"):
        engine.fit(LinearRegression(), [TABLE, (X, y)], "y", NAMES)
    with pytest.raises(InvalidInput, match="no column 'b b' in this batch. There are: 'a', 'y'") as caught:
        engine.fit(LinearRegression(), [TABLE, TABLE.select(["a", "y"])], "y", NAMES)
    assert "batch 1" in "".join(caught.value.__notes__)


def test_an_error_of_the_generator_passes_unharmed():
    class Mine(Exception):
        pass

    def batches(n):
        for _ in range(n):
            yield TABLE
        raise Mine("the disk is full")

    for n in (0, 1, 5):
        for executor in ("serial", "threads"):
            with pytest.raises(Mine, match="^the disk is full$"):
                engine.fit(LinearRegression(), batches(n), "y", NAMES, executor=executor)


def test_an_iterator_that_is_exhausted_has_no_batches():
    batches = iter(slices(TABLE))
    engine.fit(LinearRegression(), batches, "y", NAMES)
    with pytest.raises(InvalidInput, match="no batches"):
        engine.fit(LinearRegression(), batches, "y", NAMES)


def test_unknown_chunk_sizes_of_dask():
    A, b = da.from_array(X, chunks=(100, 2)), da.from_array(np.column_stack([y, z]), chunks=(100, 1))
    keep = da.from_array(W, chunks=100) > 0
    model = engine.fit(LinearRegression(), (A[keep], b[keep]))
    whole = LinearRegression().fit(X[W > 0], np.column_stack([y, z])[W > 0])
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-11)
    with pytest.raises(InvalidInput, match="chunks with the same rows; rechunk"):
        engine.fit(LinearRegression(), (A[keep], y[W > 0]))


# -- which files ----------------------------------------------------------------------------------------------------
def test_paths_that_stand_for_no_file(tmp_path):
    for path in (tmp_path / "none.parquet", str(tmp_path / "*.csv"), tmp_path):
        with pytest.raises(UnreadableSource, match="There is no file at"):
            engine.fit(LinearRegression(), path, "y")
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(InvalidInput, match="x.json' has no known ending; the name must end in .parquet"):
        engine.fit(LinearRegression(), tmp_path / "x.json", "y")
    parquet(tmp_path), csv(tmp_path)
    with pytest.raises(InvalidInput, match="'.*0.parquet' is Parquet, '.*0.csv' is CSV"):
        engine.fit(LinearRegression(), [tmp_path / "0.parquet", tmp_path / "0.csv"], "y")


def test_folders_within_folders_and_names_with_stars(tmp_path):
    (tmp_path / "out.parquet").mkdir()  # as other programs write it
    parquet(tmp_path / "out.parquet", (0, 300, N))
    (tmp_path / "out.parquet" / "_SUCCESS").write_text("")
    whole = LinearRegression().fit(X, y).coef_
    for source in (
        tmp_path,
        tmp_path / "out.parquet",
        str(tmp_path / "*.parquet"),
        (str(tmp_path / "*.parquet"),),
    ):
        model = engine.fit(LinearRegression(), source, "y", NAMES)
        np.testing.assert_allclose(model.coef_, whole, rtol=1e-11)
    odd = tmp_path / "a[1]*.PARQUET"
    pq.write_table(TABLE, odd)
    assert engine.fit(LinearRegression(), odd, "y", NAMES).statistics_.n == N


# -- broken files -----------------------------------------------------------------------------------------------
def broken(path, how):
    data = path.read_bytes()
    if how == "truncated":
        path.write_bytes(data[: len(data) // 2])
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "noise":
        path.write_bytes(np.random.default_rng(0).bytes(2000))
    else:  # the pages of the last row group
        meta = pq.ParquetFile(path).metadata
        column = meta.row_group(meta.num_row_groups - 1).column(0)
        start = column.dictionary_page_offset or column.data_page_offset
        path.write_bytes(data[:start] + b"\xff" * 60 + data[start + 60 :])


@pytest.mark.parametrize("which", [0, 1, 2])
@pytest.mark.parametrize("how", ["truncated", "empty", "noise", "last row group"])
@pytest.mark.parametrize("executor", ["serial", "threads"])
def test_a_corrupt_parquet_file_is_named_or_left_out_whole(how, which, executor, tmp_path, monkeypatch):
    monkeypatch.setattr("suffice.engine.sources.parquet.PART_ROWS", 50)  # many parts of a file
    cuts = (0, 200, 400, 600)
    pattern = parquet(tmp_path, cuts, row_group_size=50)
    broken(tmp_path / f"{which}.parquet", how)
    with pytest.raises(UnreadableSource, match=rf"{which}\.parquet' cannot be read: \w"):
        engine.fit(LinearRegression(), pattern, "y", NAMES, executor=executor)
    with pytest.warns(PartsSkipped, match=rf"1 of 3 files were left out: .*{which}\.parquet"):
        model = engine.fit(LinearRegression(), pattern, "y", NAMES, executor=executor, corrupt="skip")
    rest = np.setdiff1d(np.arange(N), np.arange(cuts[which], cuts[which + 1]))
    check_same(model, LinearRegression().fit(X[rest], y[rest]), ("coef_", "intercept_", "noise_variance_"))


@pytest.mark.parametrize("how", ["cut", "longer"])
def test_a_parquet_file_that_changes_under_our_hands(how, tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(TABLE, path)
    source = as_source(str(path))
    content = path.read_bytes()
    path.write_bytes(content[:-100] if how == "cut" else content + b"more")
    with pytest.raises(UnreadableSource, match=rf"a.parquet.*bytes now and had {len(content):,} when"):
        next(next(iter(source.parts())).batches())


def test_a_corrupt_file_of_a_dataset(tmp_path):
    parquet(tmp_path, (0, 200, 400, 600))
    broken(tmp_path / "1.parquet", "last row group")
    broken(tmp_path / "2.parquet", "truncated")
    with pytest.raises(UnreadableSource, match=r"1\.parquet' cannot be read"):
        engine.fit(LinearRegression(), ds.dataset(tmp_path), "y", NAMES)
    with pytest.warns(PartsSkipped, match=r"2 of 3 files were left out: .*1\.parquet.* \(and 1 more\)"):
        model = engine.fit(LinearRegression(), ds.dataset(tmp_path), "y", NAMES, corrupt="skip")
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(X[:200], y[:200]).coef_, rtol=1e-11)


def test_checksums_of_pages_are_checked(tmp_path):
    path = tmp_path / "t.parquet"
    options = {"compression": "none", "use_dictionary": False, "write_page_checksum": True}
    pq.write_table(TABLE, path, **options)
    data = bytearray(path.read_bytes())
    data[2000] ^= 1  # a bit of a number: without the checksum, another number
    path.write_bytes(bytes(data))
    with pytest.raises(UnreadableSource, match="t.parquet' cannot be read"):
        engine.fit(LinearRegression(), path, "y", NAMES)


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("how", ["truncated", "empty", "noise"])
def test_a_corrupt_csv_file_is_named_or_left_out(how, which, tmp_path):
    cuts = (0, 300, N)
    for i in (0, 1):
        text = TABLE.slice(cuts[i], 300).to_pandas().to_csv(index=False, float_format="%.17g")
        (tmp_path / f"{i}.csv.gz").write_bytes(gzip.compress(text.encode()))
    broken(tmp_path / f"{which}.csv.gz", how)
    with pytest.raises(UnreadableSource, match=rf"{which}\.csv\.gz' cannot be read: \w"):
        engine.fit(LinearRegression(), tmp_path, "y", NAMES)
    with pytest.warns(PartsSkipped, match=rf"1 of 2 files were left out: .*{which}\.csv\.gz"):
        model = engine.fit(LinearRegression(), tmp_path, "y", NAMES, corrupt="skip")
    rest = slice(300, N) if which == 0 else slice(0, 300)
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(X[rest], y[rest]).coef_, rtol=1e-11)


def test_nothing_is_left_when_all_files_are_corrupt(tmp_path):
    pattern = parquet(tmp_path, (0, 300, N))
    for i in (0, 1):
        broken(tmp_path / f"{i}.parquet", "truncated")
    for corrupt in ("raise", "skip"):
        with pytest.raises(UnreadableSource, match="0.parquet' cannot be read"):
            engine.fit(LinearRegression(), pattern, "y", NAMES, corrupt=corrupt)
    with pytest.raises(InvalidParameter, match="corrupt must be one of 'raise', 'skip'; got 'ignore'"):
        engine.fit(LinearRegression(), TABLE, "y", NAMES, corrupt="ignore")


# -- schemas ------------------------------------------------------------------------------------------------------
FIRST = pa.table({"a": [1.0, 2.0, 4.0], "b": [1, 0, 1], "extra": ["u", "v", "w"], "y": [1.0, 2.0, 3.5]})


def second(**changes):
    held = {**{n: FIRST[n] for n in FIRST.column_names}, **changes}
    return pa.table({n: v for n, v in held.items() if v is not None})


def write(kind, path, i, table):
    if kind == "csv":
        pyarrow.csv.write_csv(table, path / f"{i}.csv")
    else:
        pq.write_table(table, path / f"{i}.parquet")


@pytest.mark.parametrize("kind", ["csv", "parquet", "dataset"])
@pytest.mark.parametrize(
    ("table", "message"),
    [
        (second(a=None), "1.(csv|parquet)' has no column 'a', which"),
        (second(a=["x", "y", "z"]), "(olumn 'a'.*1.(csv|parquet)'|1.(csv|parquet)'.*column 'a').*(text|'x')"),
        (second(y=None), "1.(csv|parquet)' has no column 'y', which"),
    ],
)
def test_a_file_unlike_the_first_is_named_with_the_column(kind, table, message, tmp_path):
    write(kind, tmp_path, 0, FIRST)
    write(kind, tmp_path, 1, table)
    source = ds.dataset(tmp_path, schema=FIRST.schema) if kind == "dataset" else tmp_path
    with pytest.raises(UnreadableSource, match=message):
        engine.fit(LinearRegression(), source, "y", ["a", "b"])


@pytest.mark.parametrize("kind", ["csv", "parquet", "dataset"])
def test_files_that_differ_in_what_does_not_matter(kind, tmp_path):
    """Order of columns, integers for decimals, and columns that are not read."""
    write(kind, tmp_path, 0, FIRST)
    write(kind, tmp_path, 1, second(extra=None, a=[1, 2, 5], more=[1, 1, 1]).select(["y", "b", "more", "a"]))
    source = ds.dataset(tmp_path, schema=FIRST.schema) if kind == "dataset" else tmp_path
    model = engine.fit(LinearRegression(), source, "y", ["a", "b"])
    whole = LinearRegression().fit([[1, 1], [2, 0], [4, 1], [1, 1], [2, 0], [5, 1]], [1, 2, 3.5, 1, 2, 3.5])
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-12)


@pytest.mark.parametrize("empty", [FIRST.slice(0, 0), "no row groups"])
@pytest.mark.parametrize("first", [True, False])
def test_parquet_files_without_rows(empty, first, tmp_path):
    pq.write_table(FIRST, tmp_path / "1.parquet")
    path = tmp_path / ("0.parquet" if first else "2.parquet")
    if isinstance(empty, str):
        with pq.ParquetWriter(path, FIRST.schema):
            pass
        assert pq.ParquetFile(path).metadata.num_row_groups == 0
    else:
        pq.write_table(empty, path)
    model = engine.fit(LinearRegression(), tmp_path, "y", ["a", "b"])
    np.testing.assert_allclose(
        model.coef_, engine.fit(LinearRegression(), FIRST, "y", ["a", "b"]).coef_, rtol=1e-12
    )
    with pytest.raises(InvalidInput, match="no rows to fit"):
        engine.fit(LinearRegression(), path, "y", ["a", "b"])


def test_hive_folders_are_columns(tmp_path):
    part = np.arange(N) % 3
    model = engine.fit(LinearRegression(), hive(tmp_path), "y", [*NAMES, "part"])
    whole = LinearRegression().fit(np.column_stack([X, part]), y)
    check_same(model, whole, ("coef_", "noise_variance_"), 1e-11)
    text = ds.dataset(
        tmp_path, partitioning=ds.partitioning(pa.schema([("part", pa.string())]), flavor="hive")
    )
    model = engine.fit(LinearRegression(), text, "y", ["a", "part"], categories="part", where=("w", ">", 0))
    assert list(model.feature_names_in_) == ["a", "part=1", "part=2"]
    dummies = np.column_stack([X[:, 0], part == 1, part == 2])[W > 0]
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(dummies, y[W > 0]).coef_, rtol=1e-9)


# -- CSV -------------------------------------------------------------------------------------------------------------
COMMON = "a,b,y\n1,1,1.5\n2,0,2.5\n4,1,3\n"
CSVS = {
    "commas": COMMON,
    "semicolons": COMMON.replace(",", ";"),
    "tabs": COMMON.replace(",", "\t"),
    "bars": COMMON.replace(",", "|"),
    "quotes": 'a,"b","y"\n"1","1",1.5\n2,0,"2.5"\n4,1,3\n',
    "commas in quotes": '"a";"b";"y";"c, d, e, f"\n1;1;1.5;x\n2;0;2.5;"y;z"\n4;1;3;w\n',
    "lines in quotes": 'a,b,y,c\n1,1,1.5,"two\nlines"\n2,0,2.5,z\n4,1,3,w\n',
    "byte order mark": "\ufeff" + COMMON,
    "carriage returns": COMMON.replace("\n", "\r\n"),
    "no last line end": COMMON.rstrip("\n"),
    "blank lines": COMMON.replace("\n", "\n\n"),
    "truths": "a,b,y\n1,true,1.5\n2,false,2.5\n4,True,3\n",
    "another order": "y,b,a\n1.5,1,1\n2.5,0,2\n3,1,4\n",
    "exponents": "a,b,y\n1e0,1,15e-1\n+2,0,2.5\n4.0,1,3\n",
}


@pytest.mark.parametrize("name", CSVS)
def test_csv_in_many_writings(name, tmp_path):
    (tmp_path / "t.csv").write_bytes(CSVS[name].encode())
    model = engine.fit(LinearRegression(), tmp_path / "t.csv", "y", ["a", "b"])
    whole = LinearRegression().fit([[1, 1], [2, 0], [4, 1]], [1.5, 2.5, 3])
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-12)


def test_csv_that_changes_after_the_first_block(tmp_path, monkeypatch):
    """Integers become decimals, and empty columns are filled, long after the first block."""
    monkeypatch.setattr("suffice.engine.sources.csv.BLOCK", 400)
    rows = [(i, "" if i < 100 else i * i, 2 * i + 0.25 * (i > 150)) for i in range(300)]
    (tmp_path / "t.csv").write_text("a,late,y\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    model = engine.fit(LinearRegression(), tmp_path / "t.csv", "y", ["a"])
    whole = LinearRegression().fit([[r[0]] for r in rows], [r[2] for r in rows])
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-12)
    late = engine.fit(LinearRegression(), tmp_path / "t.csv", "y", ["a", "late"], where=("late", ">=", 0))
    whole = LinearRegression().fit([r[:2] for r in rows[100:]], [r[2] for r in rows[100:]])
    np.testing.assert_allclose(late.coef_, whole.coef_, rtol=1e-9)
    with pytest.raises(InvalidInput, match="X contains NaN at row 0, column 'late'"):
        engine.fit(LinearRegression(), tmp_path / "t.csv", "y", ["a", "late"])


def test_lines_in_quotes_across_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("suffice.engine.sources.csv.BLOCK", 256)
    rows = "".join(f'{i},"several\nshort\n\nlines",{i % 7}\n' for i in range(200))
    (tmp_path / "t.csv").write_text("a,text,y\n" + rows)
    model = engine.fit(LinearRegression(), tmp_path / "t.csv", "y", ["a"])
    whole = LinearRegression().fit(np.arange(200.0)[:, None], np.arange(200) % 7)
    assert model.statistics_.n == 200
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-11)


def test_csv_with_words_after_the_first_block(tmp_path, monkeypatch):
    monkeypatch.setattr("suffice.engine.sources.csv.BLOCK", 400)
    rows = [f"{i},{i if i < 200 else 'many'},{i}\n" for i in range(300)]
    (tmp_path / "t.csv").write_text("a,b,y\n" + "".join(rows))
    with pytest.raises(UnreadableSource, match="t.csv' cannot be read: .*column 'b'.*'many'"):
        engine.fit(LinearRegression(), tmp_path / "t.csv", "y")
    assert engine.fit(LinearRegression(), tmp_path / "t.csv", "y", ["a"]).statistics_.n == 300
    assert engine.fit(LinearRegression(), tmp_path / "t.csv", "a", ["y"]).statistics_.n == 300


def test_csv_whose_first_file_has_only_a_header(tmp_path):
    (tmp_path / "0.csv").write_text("a,city,y\n")
    (tmp_path / "1.csv").write_text("a,city,y\n1,Oslo,1\n2,Rome,3\n4,Oslo,2\n")
    model = engine.fit(LinearRegression(), tmp_path, "y", categories="city")
    whole = LinearRegression().fit([[1, 0], [2, 1], [4, 0]], [1, 3, 2])
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-12)
    with pytest.raises(InvalidInput, match="no rows to fit"):
        engine.fit(LinearRegression(), tmp_path / "0.csv", "y")
    assert list(PriorClassifier().fit([[1]], ["x"]).classes_) == ["x"]
    assert list(engine.fit(PriorClassifier(), tmp_path, "city").classes_) == ["Oslo", "Rome"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv' cannot be read: it is empty"),
        ("a,b,y\n1,2,3\n4,5\n", "t.csv' cannot be read: .*Expected 3 columns, got 2"),
        ("a,a,y\n1,2,3\n", "2 columns called 'a'"),
        (
            "a,b,y\n1,x,3\n",
            "'b' is an input but holds text: 'x' at row 0. Leave it out with columns=, or name it in",
        ),
        ("a,b,y\n1,2020-01-01,3\n", "'b' is an input but holds times: '2020-01-01.*' at row 0"),
        ("a,b,y\n1,,3\n", "X contains NaN at row 0, column 'b'. Fill it in first, or leave such rows out"),
        ("a,b,y\n1,inf,3\n", "X contains inf at row 0, column 'b'"),
        ("a,b,y\n1,1,2\n1,2,\n", "y contains NaN at row 1, column 'y'"),
        ("a,b\n1,2\n", "no column 'y' in the table"),
        ("a,b,y\n1,\udce9,3\n", "t.csv' cannot be read: it is not UTF-8 .*say --encoding cp1252"),
    ],
)
def test_csv_that_cannot_be_used(text, message, tmp_path):
    (tmp_path / "t.csv").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises((InvalidInput, InvalidParameter), match=message):
        engine.fit(LinearRegression(), tmp_path / "t.csv", "y")


# -- what a column may hold ------------------------------------------------------------------------------------
VALUES = [3, 1, 2, 5, 4, 4]
HELD = {
    "integers": pa.array(VALUES, pa.int8()),
    "unsigned": pa.array(VALUES, pa.uint64()),
    "halves": pa.array(np.array(VALUES, dtype=np.float16)),
    "decimals": pa.array([decimal.Decimal(v) for v in VALUES], pa.decimal128(9, 2)),
    "wide decimals": pa.array([decimal.Decimal(v) for v in VALUES], pa.decimal256(50, 2)),
    "dictionary": pa.array(VALUES).dictionary_encode(),
}


@pytest.mark.parametrize("name", HELD)
@pytest.mark.parametrize("frame", ["arrow", "parquet", "polars", "pandas"])
def test_numbers_of_any_type(name, frame, tmp_path):
    if frame == "polars" and name == "wide decimals":
        pytest.skip("polars has no such type")
    table = pa.table({"a": HELD[name], "y": [1.0, 0.0, 2.0, 2.0, 3.0, 1.0]})
    if frame == "parquet":
        pq.write_table(table.set_column(0, "a", table["a"].cast(pa.float32())) if name == "halves" else table,
                       tmp_path / "t.parquet")  # fmt: skip
    sources = {"arrow": table, "parquet": tmp_path / "t.parquet"}
    source = sources.get(frame) or (pl.from_arrow(table) if frame == "polars" else table.to_pandas())
    model = engine.fit(LinearRegression(), source, "y")
    whole = LinearRegression().fit(np.array(VALUES, dtype=float)[:, None], [1.0, 0.0, 2.0, 2.0, 3.0, 1.0])
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-12)


EXTENSION = {
    "Int64": pd.array([1, 2, 3, 5], dtype="Int64"),
    "Float64": pd.array([1.0, 2.0, 3.0, 5.0], dtype="Float64"),
    "category": pd.Categorical([1, 2, 3, 5]),
    "arrow": pd.array([1, 2, 3, 5], dtype=pd.ArrowDtype(pa.int64())),
    "arrow decimal": pd.array([1, 2, 3, 5], dtype=pd.ArrowDtype(pa.decimal128(5, 1))),
    "objects": np.array([1, 2.0, True + 2, 5], dtype=object),
}


@pytest.mark.parametrize("name", EXTENSION)
def test_pandas_extension_types(name):
    table = pd.DataFrame({"a": EXTENSION[name], "y": [1.0, 0.0, 2.0, 2.5]})
    whole = LinearRegression().fit([[1], [2], [3], [5]], table["y"])
    np.testing.assert_allclose(engine.fit(LinearRegression(), table, "y").coef_, whole.coef_, rtol=1e-12)
    model = engine.fit(LinearRegression(), table, "a", ["y"])
    np.testing.assert_allclose(
        model.coef_, LinearRegression().fit(table[["y"]], [1, 2, 3, 5]).coef_, rtol=1e-12
    )


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "boolean", "int64[pyarrow]", "bool[pyarrow]"])
@pytest.mark.parametrize(("place", "letter"), [("a", "X"), ("y", "y"), ("w", "weight")])
def test_gaps_of_extension_types_are_named(dtype, place, letter):
    whole = pd.DataFrame({"a": [1, 0, 1, 1], "y": [0, 1, 0, 1], "w": [1, 1, 1, 1]})
    table = whole.astype({place: dtype})
    table.loc[2, place] = None
    for source in (table, pl.from_pandas(table), pa.Table.from_pandas(table)):
        with pytest.raises(InvalidInput, match=rf"{letter} contains (NaN|a gap) at row 2, column '{place}'"):
            engine.fit(LinearRegression(), source, "y", ["a"], weight="w")


@pytest.mark.parametrize("dtype", ["str", "string[pyarrow]", "string[python]", "category", "object"])
def test_text_types_are_labels_and_categories(dtype):
    text = pd.Series(["u", "v", "u", "w"]).astype(dtype)
    table = pd.DataFrame({"c": text, "y": [1.0, 2.0, 3.0, 4.0]})
    model = engine.fit(LinearRegression(), table, "y", categories="c")
    assert list(model.feature_names_in_) == ["c=v", "c=w"]
    assert list(engine.fit(PriorClassifier(), table, "c").classes_) == ["u", "v", "w"]
    table.loc[1, "c"] = None
    with pytest.raises(InvalidInput, match="'c' has a gap at row 1"):
        engine.fit(LinearRegression(), table, "y", categories="c")
    with pytest.raises(
        InvalidInput, match="Column 'c' holds a gap at row 1, which is not among its categories"
    ):
        engine.fit(LinearRegression(), table, "y", categories={"c": ["u", "v", "w"]})
    with pytest.raises(InvalidInput, match="y contains a gap at row 1, column 'c'"):
        engine.fit(PriorClassifier(), table, "c")


@pytest.mark.parametrize(
    "values",
    [
        [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)],
        [datetime.datetime(y, 1, 1, tzinfo=datetime.UTC) for y in (2020, 2021)],
        [datetime.timedelta(1), datetime.timedelta(2)],
        [datetime.time(1), datetime.time(2)],
    ],
    ids=["dates", "zoned times", "spans", "times"],
)  # fmt: skip
def test_times_are_no_inputs(values):
    table = pa.table({"day": values, "y": [1.0, 2.0]})
    for source in (table, table.to_pandas(), pl.from_arrow(table)):
        with pytest.raises(
            InvalidInput, match="'day' is an input but holds times: .* Make numbers of it first"
        ):
            engine.fit(LinearRegression(), source, "y")


def test_nested_columns_are_no_inputs(tmp_path):
    table = pa.table({"a": [1.0, 2.0], "list": [[1], [2, 3]], "y": [1.0, 2.0]})
    pq.write_table(table, tmp_path / "t.parquet")
    for source in (table, tmp_path / "t.parquet", pl.from_arrow(table)):
        with pytest.raises(InvalidInput, match="'list' is an input but holds no numbers"):
            engine.fit(LinearRegression(), source, "y")
        engine.fit(LinearRegression(), source, "y", ["a"])


# -- the place of a bad cell -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_bad_number_deep_in_the_third_file(bad, kind, tmp_path, monkeypatch):
    monkeypatch.setattr("suffice.engine.sources.parquet.BATCH_ROWS", 64)
    monkeypatch.setattr("suffice.engine.sources.parquet.PART_ROWS", 250)
    monkeypatch.setattr("suffice.engine.sources.csv.BLOCK", 4000)
    for i in range(4):
        table = PANDAS.copy()
        if i == 2:
            table.loc[471, "b b"] = bad
        if kind == "csv":
            table.to_csv(tmp_path / f"{i}.csv", index=False)
        else:
            table.to_parquet(tmp_path / f"{i}.parquet", row_group_size=110)
    word = str(bad).replace("nan", "NaN")
    with pytest.raises(InvalidInput, match=f"X contains {word} at row 471, column 'b b'") as caught:
        engine.fit(LinearRegression(), tmp_path, "y", NAMES)
    assert f"2.{kind}'" in "".join(caught.value.__notes__)
    limit = (">", -np.inf) if bad < 0 else ("<", np.inf)  # what the message advises
    model = engine.fit(LinearRegression(), tmp_path, "y", NAMES, where=[("b b", *limit)])
    assert model.statistics_.n == 4 * N - 1
    with pytest.raises(InvalidInput, match=f"X contains {word} at row 471, column 'b b'"):
        engine.fit(LinearRegression(basis=Polynomial(2)), tmp_path, "y", NAMES, where=("w", ">=", 0))


def test_the_place_in_arrays():
    A = X.copy()
    A[431, 1] = np.nan
    batches = [(A[a : a + 100], y[a : a + 100]) for a in range(0, N, 100)]
    with pytest.raises(InvalidInput, match="NaN at row 31, column 'x1'") as caught:
        engine.fit(LinearRegression(), batches)
    assert "Row 0 of this batch is row 400 of its source." in caught.value.__notes__


# -- memory -----------------------------------------------------------------------------------------------------------
def most_memory(parts):
    """Rows that parts yield, and the most memory that Arrow holds meanwhile."""
    before, most, rows = pa.total_allocated_bytes(), 0, 0
    for part in parts:
        for batch in part.batches():
            most = max(most, pa.total_allocated_bytes() - before)
            rows += batch.num_rows
    return rows, most


@pytest.mark.long_for("True")
@pytest.mark.slow
@pytest.mark.parametrize("constant", [False, True])
def test_a_huge_row_group_is_read_in_batches(constant, tmp_path):
    """240 MB in one row group, or 1.6 GB that are encoded in a megabyte: at most 100 MB at any time."""
    n, k = (3_000_000, 10) if not constant else (10_000_000, 20)
    column = np.zeros(n) if constant else rng.standard_normal(n)
    names = [f"c{j}" for j in range(k)]
    pq.write_table(pa.table(dict.fromkeys(names, column)), tmp_path / "t.parquet", row_group_size=n)
    del column
    for source in (tmp_path / "t.parquet", ds.dataset(tmp_path / "t.parquet")):
        rows, most = most_memory(as_source(source).parts(names))
        assert rows == n
        assert most < 100e6


@pytest.mark.parametrize("bound", [1 << 40, 3000])
def test_large_row_groups_give_the_same_rows(bound, tmp_path, monkeypatch):
    monkeypatch.setattr("suffice.engine.sources.parquet.BATCH_BYTES", bound)
    monkeypatch.setattr("suffice.engine.sources.parquet.BATCH_ROWS", 64)
    whole = LinearRegression().fit(np.column_stack([X, np.arange(N) % 3]), y)
    for source, columns in ((hive(tmp_path / "hive"), [*NAMES, "part"]), (tmp_path / "hive", NAMES)):
        model = engine.fit(LinearRegression(), source, "y", columns)
        expected = whole if len(columns) == 4 else LinearRegression().fit(X, y)
        check_same(model, expected, ("coef_", "noise_variance_"), 1e-11)


@pytest.mark.slow
def test_wide_files_are_read_in_short_batches(tmp_path):
    wide = pa.table({f"c{j}": np.zeros(9000) for j in range(2000)})
    pq.write_table(wide, tmp_path / "t.parquet")
    sizes = [b.num_rows for part in as_source(tmp_path / "t.parquet").parts() for b in part.batches()]
    assert sum(sizes) == 9000
    assert max(sizes) * 2000 * 8 <= 96 << 20
