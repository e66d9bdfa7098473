"""The files beside the page: numbers by their schema, words in Markdown, figures, a model that predicts the same."""

import json
import re

import numpy as np
import pytest

import suffice
from suffice.study import Study
from suffice.study.dates import in_words
from suffice.study.numbers import DASH, number, percent, span
from suffice.study.page.files import numbers
from suffice.study.page.markdown import code, render, safe
from suffice.study.page.order import parts
from suffice.study.page.schema import FILE, schema, text
from suffice.study.page.shown import counted, intervals, show_interval, tiles
from suffice.study.result import FORMAT
from suffice.study.sections import plain

from .json_schema import faults
from .reports import HOSTILE, KINDS, TARGET, drawn, page, study

pytestmark = pytest.mark.slow


# -- numbers ----------------------------------------------------------------------------------------------
def test_the_published_schema_is_that_of_the_records():
    assert FILE.read_text(encoding="utf-8") == text(), "run: python -m suffice.study.page.schema"
    assert schema()["$schema"].endswith("2020-12/schema")


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_keeps_the_schema(kind):
    tree = json.loads(json.dumps(study(kind).to_dict(), allow_nan=False))
    assert faults(tree, schema()) == []
    assert tree["format"] == FORMAT


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (lambda t: t.pop("answer"), "lacks 'answer'"),
        (lambda t: t.update(format=1), "is 1, not 3"),
        (lambda t: t["comparison"].update(outer="5"), "comparison.outer"),
        (lambda t: t["comparison"]["models"][0].update(interval=[1.0]), "interval has 1 items"),
        (lambda t: t["data_sheet"]["columns"][0].pop("role"), "columns[0] lacks 'role'"),
    ],
)
def test_the_schema_finds_what_is_wrong(break_it, told):
    tree = json.loads(json.dumps(study("binary").to_dict()))
    break_it(tree)
    assert any(told in fault for fault in faults(tree, schema()))


def test_nothing_in_the_json_is_not_a_number():
    assert plain({"a": (np.float64("nan"), np.inf, np.int64(3)), "b": np.array([[1.0, np.nan]])}) == {
        "a": [None, None, 3],
        "b": [[1.0, None]],
    }


def test_lists_of_numbers_stand_in_one_line():
    result = study("binary")
    text = numbers(result)
    assert json.loads(text) == json.loads(json.dumps(result.to_dict()))
    assert not re.search(r"^ *[0-9.e+-]+,\n *[0-9.e+-]+,?$", text, re.M)
    assert len(text) < 0.8 * len(json.dumps(result.to_dict(), indent=2, ensure_ascii=False))


@pytest.mark.slow
def test_a_very_wide_table_makes_no_huge_report(tmp_path):
    rng = np.random.default_rng(0)
    result = Study({f"gene {j:04d}": rng.normal(size=150) for j in range(2000)}).run()
    written = result.report(tmp_path)
    for name, most in (("report.html", 1e6), ("report.md", 1e5), ("result.json", 2e6)):
        assert written.with_name(name).stat().st_size < most, name


# -- words ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", KINDS)
def test_markdown_says_the_same(kind):
    result, words = study(kind), render(study(kind), drawn(kind))
    head = f"# {safe(result.name)}\n\nA study of {in_words(result.appendix.made)}.\n\n"
    assert words.startswith(f"{head}**{safe(result.answer.headline)}**")
    headings = [line[3:] for line in words.splitlines() if line.startswith("## ")]
    assert headings == [part.heading for part in parts(result, drawn(kind))[1:]]
    width = None
    for line in words.splitlines():
        bars = len(re.findall(r"(?<!\\)\|", line))
        if line.startswith("| ") and width is None:
            width = bars
        elif line.startswith("|"):
            assert bars == width, line
        else:
            width = None
    assert result.appendix.script in words


def test_names_are_text_in_markdown():
    words = render(study("hostile"), drawn("hostile"))
    fenced = re.sub(r"```.*?```", "", words, flags=re.S)
    assert not re.search(r"(?<!\\)<", fenced)
    for name in (*HOSTILE, TARGET):
        assert safe(name) in words
    assert safe("[x](javascript:y) | `z`\n# w") == r"\[x\](javascript:y) \| \`z\` \# w"
    assert code("a ``` b").startswith("````python")


def test_words_stand_to_the_left_in_markdown():
    lines = render(study("binary"), drawn("binary")).splitlines()
    heads = {line: lines[i + 1] for i, line in enumerate(lines[:-1]) if line.startswith("| column | role")}
    (marks,) = heads.values()
    assert marks.split("|")[1:-1] == [" --- "] * 4 + [" ---: "] * 2 + [" --- "] * 2
    assert "| --- | --- |" in lines[lines.index("| option | value |") + 1]


@pytest.mark.parametrize("kind", ["binary", "time"])
def test_the_numbers_of_the_headline_have_intervals(kind):
    result = study(kind)
    c, found = result.comparison, intervals(result)
    name = "typical error" if kind == "time" else "accuracy"
    for words in (render(result, drawn(kind)), page(kind)):
        assert f"interval {found[name]}" in words
    if kind == "time":
        low, high = (number(np.sqrt(end), 3) for end in c.of(c.best).interval)
        assert [float(w) for w in found[name].split(" to ")] == pytest.approx(
            [float(low), float(high)], abs=0.01
        )
    else:
        assert found["area under the ROC curve"] == span(result.predictive.auc_interval)
        assert percent(result.predictive.accuracy_interval[0], 1) in found[name]
    assert [t.value for t in tiles(result)] == [t.value for t in result.answer.tiles]


def test_one_thing_is_not_several():
    assert [counted(n, "row") for n in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]
    assert "A look at 1 column and 1 row" in Study({"a": [1.0]}).run().to_html()


def test_a_weight_that_was_dropped_has_no_interval():
    assert show_interval((np.nan, np.nan), 0.0) == "dropped"
    assert show_interval((np.nan, np.nan), 0.5) == show_interval((np.nan, np.nan)) == DASH
    assert show_interval((0.0, 1.0), 0.0) == span((0.0, 1.0))


# -- files ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("path", "kind"), [("folder", "binary"), ("deep/er", "exploration"), ("page.html", "exploration")]
)
def test_report_writes_every_file(tmp_path, path, kind):
    result = study(kind)
    written = result.report(tmp_path / path)
    assert written == (tmp_path / path if path.endswith(".html") else tmp_path / path / "report.html")
    assert written.read_text(encoding="utf-8") == page(kind)
    tree = json.loads(
        written.with_name("result.json").read_text(encoding="utf-8"), parse_constant=pytest.fail
    )
    assert tree == json.loads(json.dumps(result.to_dict()))
    words = written.with_name("report.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\((figures/[a-z0-9-]+\.svg)\)", words))
    assert linked == {f"figures/{file.name}" for file in (written.parent / "figures").iterdir()}
    assert linked


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["regression", "binary", "multi", "counts"])
def test_the_saved_model_predicts_the_same(kind, tmp_path):
    result = study(kind)
    loaded = suffice.load(
        suffice.save(result.model, tmp_path / "model.suffice") or tmp_path / "model.suffice"
    )
    table = {name: values[:20] for name, values in result.problem.source.columns.items() if name != "y"}
    np.testing.assert_array_equal(loaded.predict(table), result.model.predict(table))
    if kind in ("binary", "multi"):
        np.testing.assert_array_equal(loaded.predict_proba(table), result.model.predict_proba(table))
    else:
        for a, b in zip(
            loaded.predict_dist(table).interval(0.9),
            result.model.predict_dist(table).interval(0.9),
            strict=True,
        ):
            np.testing.assert_array_equal(a, b)
    assert repr(loaded) == repr(result.model)


def test_a_second_report_leaves_nothing_of_the_first(tmp_path):
    study("binary").report(tmp_path)
    study("exploration").report(tmp_path)
    assert not (tmp_path / "model.suffice").exists()
    assert not (tmp_path / "figures" / "roc.svg").exists()
