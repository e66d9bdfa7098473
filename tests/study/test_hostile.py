"""Tables that break programs: a study gives the right answer, or an error that names the row or the column."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, SufficeError
from suffice.prepare.looking.gathering import gather_table
from suffice.study import Candidate, Study
from suffice.study.models import Trying
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read

pytestmark = pytest.mark.slow

N = 60
RNG = np.random.default_rng(0)
X = RNG.normal(size=N)
Y = 3 * X + RNG.normal(size=N)
SCRIPT = "<script>alert(1)</script>"
IMAGE = "y\"'><img src=x onerror=alert(1)>"


def run(table, target="y", **options):
    given = {"effort": "quick", "models": ["linear"], "folds": 5, "inner": 2, **options}
    return Study(table, target, **given).run()


# -- files ------------------------------------------------------------------------------------------------
LINES = [f"{x:.6f},{y:.6f}" for x, y in zip(X, Y, strict=True)]
CELLS = ['"a, ""b"""', '"line\nbreak"', f'"{SCRIPT}"', '"\'; DROP TABLE t; --"', "=1+1", "\u202e\u0000x"]


def csv(header="x,y", lines=LINES, encoding="utf-8"):
    return "\n".join([header, *lines, ""]).encode(encoding)


FILES = {
    "byte order mark": csv(encoding="utf-8-sig"),
    "utf-16": csv(encoding="utf-16"),
    "windows line ends": csv().replace(b"\n", b"\r\n"),
    "blank lines at the end": csv() + b"\n\n\n",
    "names in quotes": csv('"x","y"'),
    "blanks around names": csv(" x , y "),
    "odd cells": csv("w,x,y", [f"{CELLS[i % len(CELLS)]},{line}" for i, line in enumerate(LINES)]),
    "nul bytes": csv("w,x,y", [f"{'a' if i % 2 else 'b'}\0,{line}" for i, line in enumerate(LINES)]),
    "names twice and none": csv(
        "x,x,,y", [f"{x},{i % 7},{i % 3},{y}" for i, (x, y) in enumerate(zip(X, Y, strict=True))]
    ),
    "empty columns": csv("e,x,f,y", [f",{line.replace(',', ',,')}" for line in LINES]),
    "holes in the target": csv(lines=[*LINES, *["1.5,"] * 7, "2.5,NA"]),
    "numbers beyond all": csv(
        "big,x,y", [f"{'-' if i % 2 else ''}1e308,{line}" for i, line in enumerate(LINES)]
    ),
    "infinities": csv(lines=[*LINES, "inf,1", "1,inf", "-inf,2", "1e400,3"]),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_can_be_read_give_the_same_line(name, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(FILES[name])
    result = run(path)
    used = result.problem.columns
    assert result.comparison.failed == ()
    assert result.comparison.best == "linear"
    row = {n: v[:1] for n, v in used.items()}
    more = {**row, "x": np.array([float(row["x"][0]) + 1])}
    step = float(result.model.predict(more)[0] - result.model.predict(row)[0])
    assert step == pytest.approx(np.polyfit(X, Y, 1)[0], rel=0.12)
    assert len(gather_table(path)) == len(result.data_sheet.columns)


BROKEN = {
    "ragged": (csv(lines=[*LINES[:3], "1,2,3", *LINES[3:]]), r"row 5 has 3 cells, the header 2"),
    "short": (csv(lines=[*LINES[:3], "1", *LINES[3:]]), r"row 5 has 1 cells, the header 2"),
    "quote never closed": (csv(lines=['"1,2', *LINES]), r"row 2 has 1 cells"),
    "two encodings": (csv("w,x,y", ["é,1,2"], "latin-1") + "é,1,2\n".encode(), r"row 2, column 'w' is not UTF-8"),
    "empty": (b"", r"it is empty, without a header"),
    "blank": (b"\n\n\n", r"it is empty, without a header"),
    "header alone": (b"x,y\n", r"The table has 2 columns and no rows"),
    "one row": (b"x,y\n1,2\n", r"at least 2 rows with a target; 1 of 1 can be used"),
    "two rows": (b"x,y\n1,2\n3,4\n", r"need at least \d+ rows with a target; there are 2"),
    "no target": (csv("x,z"), r"target: there is no column 'y'.* There are: 'x', 'z'|no column 'y'"),
    "target empty": (csv(lines=["1,", "2,", "3,"]), r"target 'y' has no values"),
    "target of times": (csv(lines=[f"1,2024-01-{i + 1:02d}" for i in range(31)]), r"target 'y' holds times"),
    "one class": (csv(lines=[f"{i},a" for i in range(N)]), r"one class only in the 60 rows used \('a'\)"),
    "a word among numbers": (csv(lines=[*LINES, "1,?"]), r"but '\?' in row 60 \(counted from 0\) is none"),
    "binary": (bytes(range(256)) * 4, r"cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_files_that_cannot_be_studied_say_where(name, tmp_path):
    content, message = BROKEN[name]
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(SufficeError, match=message):
        run(tmp_path / "t.csv")


# -- tables in memory -------------------------------------------------------------------------------------
TABLES = {
    "script in names and cells": ({SCRIPT: X, "w": [SCRIPT, "{{ 7 * 7 }}"] * (N // 2), IMAGE: Y}, IMAGE),
    "script among classes": ({"x": X, "y": np.where(X > 0, SCRIPT, IMAGE)}, "y"),
    "empty and blank names": ({"": X, " ": X**2, " x ": X**3, "y": Y}, "y"),
    "control characters": ({"a\x00\x1b[31m": X, "w": ["\x00", "\x1b[2J"] * (N // 2), "y": Y}, "y"),
    "half a character": ({"a\ud800": X, "w": ["\ud800", "b"] * (N // 2), "y": Y}, "y"),
    "long names and cells": ({"n" * 10_000: X, "w": ["z" * 50_000, "b"] * (N // 2), "y": Y}, "y"),
    "cells of many kinds": ({"m": [1, "b", None, 2.5, True] * (N // 5), "x": X, "y": Y}, "y"),
    "nested cells": ({"m": [[1], {"a": 2}, None] * (N // 3), "x": X, "y": Y}, "y"),
    "numbers beyond machine words": ({"i": [10**30 * (i % 7) for i in range(N)], "x": X, "y": Y}, "y"),
    "numbers that cannot be squared": ({"big": np.sign(X) * 1e308, "tiny": X * 1e-300, "x": X, "y": Y}, "y"),
    "the same column thrice": ({"a": X, "b": X, "c": -X, "y": Y}, "y"),
    "a perfect line": ({"x": X, "y": 2 * X}, "y"),
    "columns without values": ({"e": [None] * N, "f": np.full(N, np.nan), "x": X, "y": Y}, "y"),
    "holes in the target": ({"x": X, "y": [None if i % 4 == 0 else v for i, v in enumerate(Y)]}, "y"),
    "more columns than rows": ({f"x{j}": RNG.normal(size=N) for j in range(90)} | {"y": Y}, "y"),
    "names of the library": ({"intercept": X, "noise": X**2, "y is missing": X**3, "y": Y}, "y"),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.filterwarnings("error")
def test_tables_that_are_odd_are_studied(name):
    table, target = TABLES[name]
    result = run(table, target, models=["logistic" if "class" in name else "linear"], folds=2)
    assert result.comparison.failed == ()
    assert len(result.data_sheet.columns) == len(table)
    if "script" in name:
        page = result._repr_html_()
        assert not [hostile for hostile in (SCRIPT, IMAGE, "<img src=x") if hostile in page]


def test_columns_out_of_reach_are_told():
    result = run(TABLES["numbers that cannot be squared"][0])
    reasons = {c.name: c.reason for c in result.data_sheet.of_role("not used")}
    assert "squares overflow" in reasons["big"]
    assert "squares vanish" in reasons["tiny"]
    with pytest.raises(InvalidInput, match=r"target 'y' holds numbers of the order 2e\+300, whose squares"):
        run({"x": X, "y": X * 1e300})


def test_without_a_target_the_same_tables_are_explored():
    for table, _ in TABLES.values():
        result = Study(table).run()
        assert result.comparison is None
        assert result.description.sentences[0].startswith("The table has 60 rows")
    for tiny in ({"x": [1.0]}, {"x": []}, {"x": [None, None]}):
        assert Study(tiny).run().data_sheet.n_rows == len(tiny["x"])


@pytest.mark.slow
def test_five_thousand_columns_are_looked_at_and_encoded():
    wide = np.random.default_rng(4).normal(size=(200, 5000))
    table = {f"x{j}": wide[:, j] for j in range(5000)} | {"y": 5 * wide[:, 17] + wide[:, 18]}
    result = Study(table).run()
    assert len(result.data_sheet.columns) == 5001
    assert len(result.description.rows) == 500
    found = make_problem(read(table), Options("y", effort="quick"))
    assert found.Z.shape == (200, 5000)
    np.testing.assert_array_equal(found.Z[:, 17], wide[found.rows, 17])


# -- models that fail -------------------------------------------------------------------------------------
class _Broken:
    def get_params(self, deep=True):
        return {}

    def set_params(self, **params):
        return self

    def fit(self, X, y, sample_weight=None):
        raise ValueError("no such luck")

    def predict(self, X):
        raise ValueError("no such luck")


def test_a_model_that_fails_does_not_end_the_study():
    broken = Candidate("broken", "Broken model", _Broken, "Fails.", study=Trying(("regression",), {}))
    result = run({"x": X, "y": Y}, models=["linear", broken])
    assert [f.name for f in result.comparison.failed] == ["broken"]
    assert "no such luck" in result.comparison.failed[0].reason
    assert result.comparison.best == "linear"
