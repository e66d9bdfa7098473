"""What users see: kinds of table × kinds of cell × entry points, each answer or error sentence as it was recorded.

The record is `what_users_see.json`: for each entry point what came out, and of which tables. A change of it is read
line by line before it is recorded again: `python tests/tables/test_what_users_see.py`.
"""

import datetime as dt
import hashlib
import json
import re
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from suffice import engine
from suffice.evaluation import confusion, cross_validate, friedman, paired_t
from suffice.generative import GaussianNB, MixedNB
from suffice.linear import LinearRegression
from suffice.mixtures import MixtureModel
from suffice.plots._inputs import column_index, grid_along
from suffice.plots._tables import opened
from suffice.prepare import (
    CalendarFeatures,
    CountVectorizer,
    OneHotEncoder,
    SimpleImputer,
    Standardizer,
    TableEncoder,
    attribute_types,
    audit,
    describe,
    drop_missing,
    embed,
    infer_task,
)
from suffice.similarity import gower, minkowski
from suffice.study.reading.source import read

RECORD = Path(__file__).with_name("what_users_see.json")
VERSIONS = {m.__name__: m.__version__.split(".")[0] for m in (np, pd, pl, pa)}

# -- cells: two columns of one kind, six rows ---------------------------------------------------------------------
NAN, DAY = float("nan"), dt.datetime(2020, 1, 31, 12)
CELLS = {
    "floats": ([1.5, 2.0, -3.25, 0.5, 4.0, 8.5], [2.0, 1.0, 0.25, 3.0, -1.0, 5.5]),
    "ints": ([1, 2, 3, 1, 2, 2], [5, 3, 8, 1, 0, 4]),
    "flags": ([True, False, True, True, False, False], [False, False, True, False, True, True]),
    "gaps": ([1.5, None, -3.25, 0.5, 4.0, 8.5], [2.0, 1.0, NAN, 3.0, None, 5.5]),
    "pandas gaps": ([1, pd.NA, 3, 1, 2, 2], [5, 3, 8, pd.NA, 0, 4]),
    "infinite": ([1.5, 2.0, float("inf"), 0.5, 4.0, 8.5], [2.0, 1.0, 0.25, 3.0, -1.0, 5.5]),
    "text": (["red", "blue", "red", "red", "green", "blue"], ["x", "y", "y", "x", "x", "y"]),
    "text with gaps": (["red", None, "red", "red", "green", "blue"], ["x", "y", NAN, "x", "x", None]),
    "mixed": ([1.5, "two", 3, True, None, "six"], [1, 2, 3, 4, 5, 6]),
    "text beside numbers": (["red", "blue", "red", "red", "green", "blue"], [5, 3, 8, 1, 0, 4]),
    "times": ([DAY + dt.timedelta(days=31 * k) for k in range(6)], [DAY + dt.timedelta(hours=k) for k in range(6)]),
    "dates": ([dt.date(2020, 1 + k, 3) for k in range(6)], [dt.date(2021, 2, 1 + k) for k in range(6)]),
    "spans": ([dt.timedelta(days=k) for k in range(6)], [dt.timedelta(seconds=3 * k) for k in range(6)]),
    "huge": ([2**53 + 1, 2**53, 3, 4, 5, 2**60 + 1], [2**70, 1, 2, 3, 4, 5]),
    "decimal text": (["1.5", "2.0", "-3.25", "0.5", "4.0", "8.5"], ["2", "1", "0.25", "3", "-1", "5.5"]),
    "lists": ([[1], [2, 3], [1], [4], [5], [6]], [1, 2, 3, 4, 5, 6]),
    "complex": ([1 + 2j, 2j, 3j, 1j, 0j, 1j], [1, 2, 3, 4, 5, 6]),
    "nothing": ([None] * 6, [NAN] * 6),
}  # fmt: skip
Y = np.array([1.0, 3.0, 2.0, 5.0, 4.0, 7.0])
LABELS = np.array(["a", "b", "b", "a", "b", "a"])


def objects(cells):
    out = np.empty(len(cells), dtype=object)
    out[:] = cells
    return out


def beside(a, b):
    return np.column_stack([objects(a), objects(b)])


def pandas_of(a, b):
    return pd.DataFrame({"a": list(a), "b": list(b)}, index=pd.Index(list("klmnop"), name="row"))


def dataset_of(a, b):
    return SimpleNamespace(
        X=np.array([list(row) for row in zip(a, b, strict=True)]), y=Y, feature_names=("a", "b"),
        target_name="y", source="nowhere", license="none",
    )  # fmt: skip


TABLES = {
    "array": lambda a, b: np.array([list(row) for row in zip(a, b, strict=True)]),
    "array of objects": beside,
    "masked array": lambda a, b: np.ma.masked_array(
        np.array([list(row) for row in zip(a, b, strict=True)]), [[0, 1]] + [[0, 0]] * 5
    ),
    "vector": lambda a, b: np.array(a),
    "list of rows": lambda a, b: [list(row) for row in zip(a, b, strict=True)],
    "list of dicts": lambda a, b: [{"a": x, "b": y} for x, y in zip(a, b, strict=True)],
    "dict of lists": lambda a, b: {"a": list(a), "b": list(b)},
    "pandas": pandas_of,
    "pandas nullable": lambda a, b: pandas_of(a, b).convert_dtypes(),
    "pandas categories": lambda a, b: pandas_of(a, b).astype("category"),
    "pandas numbered": lambda a, b: pd.DataFrame(list(zip(a, b, strict=True))),
    "pandas, a name twice": lambda a, b: pandas_of(a, b).set_axis(["a", "a"], axis=1),
    "series": lambda a, b: pd.Series(list(a), name="a"),
    "polars": lambda a, b: pl.DataFrame({"a": list(a), "b": list(b)}, strict=True),
    "polars series": lambda a, b: pl.Series("a", list(a), strict=True),
    "arrow": lambda a, b: pa.table({"a": list(a), "b": list(b)}),
    "arrow batch": lambda a, b: pa.RecordBatch.from_pydict({"a": list(a), "b": list(b)}),
    "arrow array": lambda a, b: pa.chunked_array([list(a)]),
    "csr": lambda a, b: sparse.csr_array(np.array([list(row) for row in zip(a, b, strict=True)])),
    "csc": lambda a, b: sparse.csc_matrix(np.array([list(row) for row in zip(a, b, strict=True)])),
    "data set": dataset_of,
    "no rows": lambda a, b: pandas_of(a, b)[:0],
}


def tables():
    for kind, make in TABLES.items():
        for cells, (a, b) in CELLS.items():
            if (kind, cells) == ("polars", "complex"):  # Arrow is given addresses of them
                continue
            try:
                with warnings.catch_warnings(action="ignore"):
                    yield (kind, cells), make(a, b)
            except Exception:  # the library of the table has no such cells
                continue


# -- entry points -------------------------------------------------------------------------------------------------
GOOD = pd.DataFrame({"a": CELLS["floats"][0], "b": CELLS["floats"][1]})
WORDS = pd.DataFrame({"a": CELLS["text"][0], "b": CELLS["ints"][1]})
LINE, BAYES, IMPUTER = (
    LinearRegression().fit(GOOD, Y),
    MixedNB().fit(WORDS, LABELS),
    SimpleImputer("auto").fit(WORDS),
)


ENTRIES = {
    "LinearRegression.fit": lambda t: LinearRegression().fit(t, Y).coef_,
    "LinearRegression.predict": LINE.predict,
    "target of LinearRegression": lambda t: LinearRegression().fit(GOOD, t).coef_,
    "cross_validate": lambda t: cross_validate(LinearRegression(), t, Y, cv=3).fold_losses,
    "GaussianNB.fit": lambda t: GaussianNB().fit(t, LABELS).theta_,
    "labels of GaussianNB": lambda t: GaussianNB().fit(GOOD, t).classes_,
    "MixedNB.fit": lambda t: MixedNB().fit(t, LABELS).kinds_,
    "MixedNB.predict": BAYES.predict_proba,
    "MixtureModel": lambda t: MixtureModel(random_state=0, max_iter=3).fit(t).families_,
    "engine.fit": lambda t: engine.fit(LinearRegression(), t, target="b").coef_,
    "Standardizer": lambda t: Standardizer().fit_transform(t),
    "TableEncoder": lambda t: TableEncoder().fit_transform(t),
    "OneHotEncoder": lambda t: OneHotEncoder(sparse_output=False).fit_transform(t),
    "SimpleImputer": lambda t: SimpleImputer("auto").fit_transform(t),
    "SimpleImputer, to pandas": lambda t: (
        SimpleImputer("auto").set_output(transform="pandas").fit_transform(t)
    ),
    "SimpleImputer.transform": IMPUTER.transform,
    "CalendarFeatures": lambda t: CalendarFeatures().fit_transform(t),
    "CountVectorizer": lambda t: sorted(CountVectorizer().fit(t).vocabulary_),
    "drop_missing": lambda t: drop_missing(t).table,
    "embed": lambda t: embed(t, p=1).X,
    "describe": lambda t: str(describe(t)),
    "audit": lambda t: str(audit(t)),
    "attribute_types": lambda t: str(attribute_types(t)),
    "infer_task": lambda t: repr(infer_task(t)),
    "study": lambda t: {n: list(v) for n, v in read(t).columns.items()},
    "gower": gower,
    "minkowski": minkowski,
    "confusion": lambda t: confusion(t, t).error,
    "friedman": lambda t: friedman(t).sentence,
    "paired_t": lambda t: paired_t(t, Y).sentence,
    "figures of columns": lambda t: {n: list(v) for n, v in opened(t).items()},
    "figures of a model": lambda t: grid_along(t, column_index(t, "a"), 5)[1],
}


# -- what comes out -----------------------------------------------------------------------------------------------
def outcome(entry, table):
    """The answer in short, or the error; and what was warned of."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            said = short(entry(table))
        except Exception as error:
            said = f"{type(error).__name__}: {sentence(error)}"
    more = dict.fromkeys(f" [{w.category.__name__}: {sentence(w.message)}]" for w in told)
    return said + "".join(more)


def sentence(error):
    text = re.sub(r" at 0x[0-9a-f]+", "", " ".join(str(error).split()))
    return text if len(text) < 240 else f"{text[:240]}…"


def short(answer):
    """Kind, shape and checksum of an answer; six digits of its numbers count."""
    if isinstance(answer, str):
        return f"text {checksum(answer)}"
    if sparse.issparse(answer):
        answer = answer.toarray()
    index = list(answer.index) if isinstance(answer, pd.DataFrame) else None
    cells = answer.to_pydict() if isinstance(answer, pa.Table) else answer
    cells = cells.to_dict("list") if isinstance(cells, pd.DataFrame) else cells
    cells = cells.to_dict(as_series=False) if isinstance(cells, pl.DataFrame) else cells
    kind = f"{type(answer).__module__.partition('.')[0]} {type(answer).__name__}"
    kind = f"{answer.dtype} {answer.shape}" if isinstance(answer, np.ndarray) else kind
    return f"{kind} {checksum((rounded(cells), index))}"


def rounded(value):
    if isinstance(value, dict):
        return {str(k): rounded(v) for k, v in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [rounded(v) for v in (value.tolist() if isinstance(value, np.ndarray) else value)]
    if isinstance(value, float | np.floating):
        return "nan" if value != value else f"{value + 0.0:.5g}"
    return repr(value)


def checksum(value):
    return hashlib.sha256(repr(value).encode()).hexdigest()[:8]


def seen(name):
    """Outcomes of an entry point by kind of table and of cells."""
    return {label: outcome(ENTRIES[name], table) for label, table in tables()}


def packed(outcomes):
    """Each outcome, and the cells by kind of table that it is of."""
    out = {}
    for (kind, cells), said in outcomes.items():
        out.setdefault(said, {}).setdefault(kind, []).append(cells)
    return {said: {kind: ", ".join(cells) for kind, cells in kinds.items()} for said, kinds in out.items()}


def unpacked(record):
    pairs = ((said, kind, cells) for said, kinds in record.items() for kind, cells in kinds.items())
    return {(kind, cell): said for said, kind, cells in pairs for cell in cells.split(", ")}


@pytest.mark.parametrize("name", ENTRIES)
def test_users_see_what_was_recorded(name):
    record = json.loads(RECORD.read_text())
    if record["versions"] != VERSIONS:
        pytest.skip(f"recorded with {record['versions']}")
    known, now = unpacked(record[name]), seen(name)
    changed = {label: (known.get(label), said) for label, said in now.items() if known.get(label) != said}
    assert not changed
    assert known.keys() == now.keys()


if __name__ == "__main__":
    found = {name: packed(seen(name)) for name in ENTRIES}
    RECORD.write_text(json.dumps({"versions": VERSIONS, **found}, indent=0, ensure_ascii=False) + "\n")
