"""From a source to a model's door: categories by name, conditions, weights, names, and sources that are read once."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, PartsSkipped
from suffice.baselines import PriorClassifier
from suffice.engine import Columns, Processes
from suffice.engine.opening import open_source
from suffice.linear import LinearRegression, Ridge
from suffice.prepare import Standardizer

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

import pyarrow.dataset as ds  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

pytestmark = pytest.mark.sampled(4)

rng = np.random.default_rng(8)
N = 400
a, b = rng.standard_normal((2, N))
city = rng.choice(["Oslo", "Rome", "Bonn", "Graz"], N)
who = rng.integers(0, 40, N)
w = rng.integers(0, 3, N).astype(float)
y = a - 2 * b + (city == "Rome") + 0.1 * rng.standard_normal(N)
TABLE = pa.table({"a": a, "b": b, "city": city, "who": who, "w": w, "y": y})
DUMMIES = np.column_stack([a, b, *(city == c for c in ("Graz", "Oslo", "Rome"))])
WHOLE = LinearRegression().fit(DUMMIES, y)


def batches(size=33, table=TABLE):
    return [table.slice(i, size) for i in range(0, N, size)]


def in_files(path, size=150):
    for i, table in enumerate(batches(size)):
        pq.write_table(table, path / f"{i}.parquet")
    return path


# -- categories --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("categories", ["city", ["city"], {"city": ["Bonn", "Graz", "Oslo", "Rome"]}])
def test_categories_given_or_found(categories, tmp_path):
    columns = ["a", "b", "city"]
    for source in (TABLE, TABLE.to_pandas(), pl.from_arrow(TABLE).lazy(), batches(), in_files(tmp_path)):
        model = engine.fit(LinearRegression(), source, "y", columns, categories=categories)
        assert list(model.feature_names_in_) == ["a", "b", "city=Graz", "city=Oslo", "city=Rome"]
        np.testing.assert_allclose(model.coef_, WHOLE.coef_, rtol=1e-11)
        np.testing.assert_allclose(model.noise_variance_, WHOLE.noise_variance_, rtol=1e-11)


def test_arguments_that_are_iterators_are_read_once():
    options = {"categories": iter(["city"]), "where": iter([("who", ">=", 0)])}
    model = engine.fit(LinearRegression(), TABLE, "y", iter(["a", "b", "city"]), **options)
    np.testing.assert_allclose(model.coef_, WHOLE.coef_, rtol=1e-11)


def test_found_categories_are_those_of_the_rows_that_count():
    model = engine.fit(
        LinearRegression(), TABLE, "y", ["city"], categories="city", where=("city", "!=", "Bonn")
    )
    assert list(model.feature_names_in_) == ["city=Oslo", "city=Rome"]
    with pytest.raises(InvalidInput, match="column 'city' has no values in the rows that count"):
        engine.fit(LinearRegression(), TABLE, "y", ["city"], categories="city", where=("a", ">", 100))


def test_an_unknown_category_in_a_later_file_is_placed(tmp_path):
    with pytest.raises(
        InvalidInput, match="'city' holds '[A-Z][a-z]+' at row [0-9]+, which is not"
    ) as caught:
        engine.fit(
            LinearRegression(), in_files(tmp_path), "y", ["a", "city"], categories={"city": ["Oslo", "Rome"]}
        )
    assert "0.parquet" in "".join(caught.value.__notes__)


def test_categories_by_name_need_a_second_pass():
    with pytest.raises(
        InvalidParameter, match=r"can be read once; give them as categories=\{'city': \[...\]\}"
    ):
        engine.fit(LinearRegression(), iter(batches()), "y", ["a", "city"], categories="city")
    listed = {"city": ["Bonn", "Graz", "Oslo", "Rome"]}
    model = engine.fit(LinearRegression(), iter(batches()), "y", ["a", "b", "city"], categories=listed)
    np.testing.assert_allclose(model.coef_, WHOLE.coef_, rtol=1e-11)


@pytest.mark.parametrize(
    ("categories", "message"),
    [
        ("town", "'town' is not among the input columns"),
        ("y", "'y' is not among the input columns"),
        (["city", "cit"], "'cit' is not among the input columns. Did you mean 'city'"),
    ],
)
def test_categories_that_are_no_inputs(categories, message):
    with pytest.raises(InvalidParameter, match=message):
        engine.fit(LinearRegression(), TABLE, "y", categories=categories)


def test_too_many_values_are_no_categories(monkeypatch):
    monkeypatch.setattr("suffice.engine.opening.MOST_CATEGORIES", 50)
    for source in (TABLE, batches(40)):  # in one batch, or only in all together
        with pytest.raises(InvalidInput, match="'a' has more than 50 different values: not categories"):
            engine.fit(LinearRegression(), source, "y", ["a"], categories="a")


def test_times_are_no_categories():
    table = pa.table({"d": pa.array([0, 1], pa.timestamp("ns")), "y": [1.0, 2.0]})
    with pytest.raises(InvalidInput, match="'d' holds '1970.*'; categories are texts or numbers"):
        engine.fit(LinearRegression(), table, "y", categories="d")


# -- conditions and weights ------------------------------------------------------------------------------------------
def test_conditions_that_leave_nothing_in_some_batches():
    table = TABLE.sort_by("a")
    kept = np.sort(a)[-30:].min()
    model = engine.fit(LinearRegression(), batches(20, table), "y", ["a", "b"], where=[("a", ">=", kept)])
    rows = a >= kept
    whole = LinearRegression().fit(np.column_stack([a, b])[rows], y[rows])
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-11)
    np.testing.assert_allclose(model.noise_variance_, whole.noise_variance_, rtol=1e-11)
    with pytest.raises(InvalidInput, match="no rows to fit: it is empty, no row fulfils the conditions"):
        engine.fit(LinearRegression(), batches(20), "y", ["a", "b"], where=[("a", ">", 99)])


def test_batches_without_weight_are_passed_over():
    zero = np.where(np.arange(N) < 100, 0.0, w)
    table = TABLE.set_column(4, "w", pa.array(zero))
    whole = LinearRegression().fit(np.column_stack([a, b]), y, zero)
    for source in (table, batches(50, table), iter(batches(50, table))):
        model = engine.fit(LinearRegression(), source, "y", ["a", "b"], weight="w")
        np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-11)
        np.testing.assert_allclose(model.noise_variance_, whole.noise_variance_, rtol=1e-11)
    nothing = table.set_column(4, "w", pa.array(np.zeros(N)))
    with pytest.raises(InvalidInput, match="or all weights are zero"):
        engine.fit(LinearRegression(), batches(50, nothing), "y", ["a", "b"], weight="w")


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_bad_weights_are_placed(bad):
    weight = np.where(np.arange(N) == 217, bad, w)
    source = batches(50, TABLE.set_column(4, "w", pa.array(weight)))
    word = {"nan": "NaN"}.get(str(bad), f"{bad:g}")
    with pytest.raises(InvalidInput, match=f"weight contains {word} at row 217, column 'w'"):
        engine.fit(LinearRegression(), source, "y", ["a", "b"], weight="w")


# -- roles ------------------------------------------------------------------------------------------------------------
def test_columns_say_everything_at_once():
    columns = Columns.of(TABLE.column_names, "y", ["a", "b"], "w", where=[("who", "<", 20)])
    model = engine.fit(LinearRegression(), TABLE, columns=columns)
    rows = who < 20
    whole = LinearRegression().fit(np.column_stack([a, b])[rows], y[rows], w[rows])
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-11)
    with pytest.raises(InvalidParameter, match=r"weight='w' is said by columns=Columns\(...\) already"):
        engine.fit(LinearRegression(), TABLE, columns=columns, weight="w")
    with pytest.raises(InvalidParameter, match="no column 'who' in the table"):
        engine.fit(LinearRegression(), TABLE.drop_columns(["who"]), columns=columns)


@pytest.mark.parametrize(
    "given",
    [{"target": "y"}, {"columns": ["a"]}, {"weight": "w"}, {"categories": "a"}, {"where": ("a", ">", 1)}],
)
def test_names_need_a_table(given):
    for source in ((DUMMIES, y), [(DUMMIES, y)], iter([(DUMMIES, y)])):
        with pytest.raises(InvalidParameter, match=f"{next(iter(given))}=.* needs a table with column names"):
            engine.fit(LinearRegression(), source, executor="serial", **given)


def test_a_regression_needs_a_target():
    with pytest.raises(InvalidInput, match="requires y"):
        engine.fit(LinearRegression(), TABLE, columns=["a", "b"])
    assert engine.fit(Standardizer(), TABLE, columns=["a", "b"]).mean_ == pytest.approx(
        [a.mean(), b.mean()], rel=1e-12
    )


def test_labels_are_not_a_regression():
    with pytest.raises(InvalidInput, match="y must be numbers; for labels, use a classifier"):
        engine.fit(LinearRegression(), TABLE, "city", ["a"])
    gap = TABLE.set_column(0, "a", pa.array([None, *a[1:]]))  # is not what is wrong first
    with pytest.raises(InvalidInput, match="y must be numbers; for labels, use a classifier"):
        engine.fit(LinearRegression(), gap, "city", ["a"])
    assert list(engine.fit(PriorClassifier(), TABLE, "city", ["a"]).classes_) == sorted(set(city))


# -- groups -----------------------------------------------------------------------------------------------------------
def test_groups_with_gaps_and_of_text():
    missing = [None if i % 11 == 0 else f"g{v}" for i, v in enumerate(who)]
    table = TABLE.drop_columns(["city"]).set_column(2, "who", pa.array(missing))
    result = engine.cross_validate(Ridge(), table, "y", folds=4, groups="who")
    assert result.statistics.whole.header.features == ("a", "b", "w")  # groups are no input unless named
    parts = engine.cross_validate(Ridge(), batches(37, table), "y", folds=4, groups="who")
    frame = engine.cross_validate(Ridge(), table.to_pandas(), "y", folds=4, groups="who")
    np.testing.assert_allclose(parts.fold_losses, result.fold_losses, rtol=1e-10)
    np.testing.assert_allclose(frame.fold_losses, result.fold_losses, rtol=1e-10)


@pytest.mark.parametrize("kind", ["arrow", "pandas", "lazy", "parquet", "iterator"])
def test_groups_that_are_not_there(kind, tmp_path):
    sources = {"arrow": TABLE, "pandas": TABLE.to_pandas(), "lazy": pl.from_arrow(TABLE).lazy(),
               "parquet": tmp_path, "iterator": iter(batches())}  # fmt: skip
    in_files(tmp_path)
    with pytest.raises(InvalidParameter, match="no column 'whom' in the table. Did you mean 'who'"):
        engine.cross_validate(Ridge(), sources[kind], "y", ["a", "b"], groups="whom")


# -- passes ------------------------------------------------------------------------------------------------------------
def test_a_source_read_once_loses_no_batch():
    """The first batches are looked at before the pass, and still counted."""
    empty = TABLE.slice(0, 0)
    for extra in ([], [empty], [empty, empty]):
        opened = open_source(iter([*extra, *batches()]), "y", ["a", "b"])
        value, opened = opened.first(lambda batch, file, start: batch.num_rows or None)
        assert value == 33
        assert opened.sum(lambda batch, file, start: batch.num_rows) == N


def test_places_count_on_through_batches():
    opened = open_source(batches(), "y", ["a", "b"])
    assert opened.sum(lambda batch, file, start: [start]) == list(range(0, N, 33))
    part = pa.table({"a": np.arange(10.0), "y": np.arange(10.0)})
    found, _ = open_source(part, "y").first(lambda batch, file, start: (file, start, batch.num_rows))
    assert found == (0, 0, 10)


def test_the_first_rows_of_a_file_are_placed_too(tmp_path, monkeypatch):
    """The plan is made by the first batch with rows that count, which need not be the first of its part."""
    monkeypatch.setattr("suffice.engine.sources.parquet.BATCH_ROWS", 50)
    flag = np.arange(N) >= 120
    bad = np.where(np.arange(N) == 130, np.nan, a)
    pq.write_table(pa.table({"a": bad, "flag": flag, "y": y}), tmp_path / "t.parquet")
    with pytest.raises(InvalidInput, match="X contains NaN at row 130, column 'a'"):
        engine.fit(LinearRegression(), tmp_path / "t.parquet", "y", ["a"], where=("flag", "==", True))


@pytest.mark.slow
def test_worker_processes_read_files_and_find_categories(tmp_path):
    in_files(tmp_path)
    (tmp_path / "9.parquet").write_bytes(b"PAR1 no")
    with Processes(2) as workers:
        for source in (tmp_path, ds.dataset(in_files(tmp_path), exclude_invalid_files=True)):
            if source is tmp_path:
                with pytest.warns(PartsSkipped, match="1 of 4 files"):
                    model = _fitted(source, workers)
            else:
                model = _fitted(source, workers)
            np.testing.assert_allclose(model.coef_, WHOLE.coef_, rtol=1e-11)


def _fitted(source, workers):
    found = {"city": ["Bonn", "Graz", "Oslo", "Rome"]}
    return engine.fit(
        LinearRegression(),
        source,
        "y",
        ["a", "b", "city"],
        categories=found,
        executor=workers,
        corrupt="skip",
    )


@pytest.mark.parametrize("kind", ["parquet", "csv", "dataset", "table"])
def test_parts_and_their_work_travel(kind, tmp_path):
    from suffice.engine.door import Entering, Gathering

    if kind == "csv":
        TABLE.to_pandas().to_csv(tmp_path / "t.csv", index=False)
    else:
        in_files(tmp_path)
    source = {"dataset": lambda: ds.dataset(tmp_path), "table": lambda: TABLE}.get(kind, lambda: tmp_path)()
    opened = open_source(source, "y", ["a", "city"], categories="city", where=("who", ">", 3))
    work = Gathering(Entering.of(LinearRegression(), opened.columns))
    part = next(opened.parts())
    sent, done = pickle.loads(pickle.dumps((part, work)))
    here, there = (next(iter(p.batches())) for p in (part, sent))
    one, two = work(here, 0, 0), done(there, 0, 0)
    assert one.n == two.n
    np.testing.assert_array_equal(one.factor, two.factor)
