"""The files beside the page: numbers by their schema, words in Markdown, figures, a model that predicts the same."""

import json
import re

import numpy as np
import pytest

import suffice
from suffice.study.page.markdown import code, render, safe
from suffice.study.page.schema import FILE, schema, text
from suffice.study.sections import plain

from .json_schema import faults
from .reports import HOSTILE, KINDS, TARGET, drawn, page, study


# -- numbers ----------------------------------------------------------------------------------------------
def test_the_published_schema_is_that_of_the_records():
    assert FILE.read_text(encoding="utf-8") == text(), "run: python -m suffice.study.page.schema"
    assert schema()["$schema"].endswith("2020-12/schema")


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_keeps_the_schema(kind):
    tree = json.loads(json.dumps(study(kind).to_dict(), allow_nan=False))
    assert faults(tree, schema()) == []
    assert tree["format"] == 2


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (lambda t: t.pop("answer"), "lacks 'answer'"),
        (lambda t: t.update(format=1), "is 1, not 2"),
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


# -- words ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", KINDS)
def test_markdown_says_the_same(kind):
    result, words = study(kind), render(study(kind), drawn(kind))
    assert words.startswith(f"# {safe(result.name)}\n\n**{safe(result.answer.headline)}**")
    headings = [line[3:] for line in words.splitlines() if line.startswith("## ")]
    assert headings == [section.heading for section in result.sections[1:]]
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
    linked = set(re.findall(r"\]\((figures/[a-z]+\.svg)\)", words))
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
