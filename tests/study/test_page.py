"""The page: complete in itself, nothing executed, readable by machines that read aloud, small."""

import base64
import hashlib
import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

from suffice.study import Study
from suffice.study.dates import in_words, today
from suffice.study.page.order import FOLDED, HEADINGS, SHORT
from suffice.study.page.prediction_figures import MOST_DOTS, every
from suffice.study.page.shown import MOST, ends, rates, thresholds

from .reports import HOSTILE, KINDS, TARGET, study
from .reports import page as page_of

pytestmark = pytest.mark.slow

EMPTY = {"meta", "br", "input", "img", "link", "hr"}


class Page(HTMLParser):
    """Tags in their order, attributes, and the text that is read."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.text, self.inside = [], [], "", []
        self.scripts = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in EMPTY:
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if tag not in EMPTY:
            assert self.inside.pop() == tag

    def handle_data(self, data):
        where = self.inside[-1] if self.inside else ""
        if where == "script":
            self.scripts.append(data)
        elif where != "style":
            self.text += data


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_needs_nothing_else_and_runs_one_script_only(kind):
    page = Page(page_of(kind))
    assert not page.inside
    names = {tag for tag, _ in page.tags}
    assert not {"img", "link", "iframe", "object", "embed", "base", "form", "u", "i"} & names
    policy = next(a["content"] for t, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    (script,) = page.scripts
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy
    for tag, name, value in page.attributes:
        assert not name.startswith("on"), (tag, name)
        assert name not in ("src", "srcset", "action", "formaction", "xlink:href")
        if name == "href":
            assert value.startswith(("#", "data:image/png;base64,")), value[:40]
        if name in ("style", "clip-path"):
            assert "url(" not in value.replace("url(#", "")
    style = page_of(kind).split("<style>")[1].split("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("kind", KINDS)
def test_a_machine_can_read_the_page_aloud(kind):
    page = Page(page_of(kind))
    assert ("html", "lang", "en") in page.attributes
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))
    ids = [value for _, name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.tags:
        if tag == "th":
            assert attributes["scope"] in ("col", "row")
        if tag == "a":
            assert attributes["href"][1:] in ids
        if tag == "svg":
            assert attributes["role"] == "img"
            assert len(attributes["aria-label"]) > 15
    counted = [tag for tag, _ in page.tags]
    assert counted.count("table") == counted.count("caption")
    assert counted.count("figure") == counted.count("figcaption")
    assert counted.count("nav") == counted.count("main") == 1


@pytest.mark.parametrize("kind", KINDS)
def test_every_section_is_on_the_page_and_the_answer_comes_first(kind):
    result, page = study(kind), Page(page_of(kind))
    keys = [a["id"] for tag, a in page.tags if tag == "section"]
    assert {section.key for section in result.sections} <= set(keys) <= set(HEADINGS)
    assert keys == sorted(keys, key=list(HEADINGS).index)
    assert keys[0] == "answer"
    folded = {k for k in keys if k in FOLDED} if result.comparison is not None else {"appendix"}
    assert {a["id"] for tag, a in page.tags if tag == "section" and a.get("class") == "folded"} == folded
    body = page.text[page.text.index(result.name, page.text.index("Suffice study")) :]
    assert result.answer.headline in body[:700]
    assert 1 + len(result.answer.sentences) <= 3
    assert result.appendix.script in page.text
    if result.comparison is not None:
        for row in result.comparison.models:
            assert row.title in page.text
        for sentence in result.comparison.sentences:
            assert sentence in page.text


def test_names_are_text_on_the_page():
    page = Page(page_of("hostile"))
    for name in (*HOSTILE, TARGET, "<b>words</b>", "<u>name</u>"):
        assert name in page.text
    assert "{{ 7 * 7 }}" in page_of("hostile")
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert [tag for tag, _ in page.tags].count("style") == 1


def test_the_notebook_shows_the_page_in_a_frame_of_its_own():
    frame = study("exploration")._repr_html_()
    (tag, attributes), *more = Page(frame).tags
    assert (tag, more) == ("iframe", [])
    assert attributes["srcdoc"] == page_of("exploration")
    assert attributes["sandbox"] == "allow-scripts"


# -- sizes ------------------------------------------------------------------------------------------------
def test_many_columns_are_cut_and_it_says_so():
    result = study("exploration")
    column, row = result.data_sheet.columns[1], result.description.rows[1]
    sheet = replace(result.data_sheet, columns=tuple(replace(column, name=f"c{j}") for j in range(5000)))
    rows = tuple({**row, "column": f"c{j}"} for j in range(5000))
    page = replace(result, data_sheet=sheet, description=replace(result.description, rows=rows)).to_html()
    assert len(page) < 5_000_000
    assert Page(page).text.count(f"The first {MOST} of 5000 columns") == 2
    assert f">c{MOST - 1}<" in page
    assert f">c{MOST}<" not in page


@pytest.mark.parametrize(("n", "step"), [(1, 1), (MOST_DOTS, 1), (MOST_DOTS + 1, 2), (100_000, 67)])
def test_dots_are_thinned(n, step):
    assert every(n) == step
    assert len(range(0, n, step)) <= MOST_DOTS


# -- the slider -------------------------------------------------------------------------------------------
def test_the_slider_starts_at_the_confusion_matrix_of_the_predictions():
    result = study("binary")
    p, shown = result.predictive, thresholds(result)
    positive = p.labels.index(p.thresholds.positive)
    other = 1 - positive
    cells = {
        "tp": p.confusion[positive, positive],
        "fn": p.confusion[positive, other],
        "fp": p.confusion[other, positive],
        "tn": p.confusion[other, other],
    }
    assert {name: shown["first"][name] for name in cells} == cells
    found = dict(re.findall(r'data-cell="(tp|fn|fp|tn)">([0-9]+)<', page_of("binary")))
    assert {name: float(n) for name, n in found.items()} == cells
    assert shown["rates"]["accuracy"] == pytest.approx(p.accuracy, rel=1e-12)


def test_rates_of_a_confusion_matrix():
    assert rates({"tp": 6, "fp": 2, "tn": 10, "fn": 3}) == {
        "accuracy": 16 / 21,
        "precision": 6 / 8,
        "recall": 6 / 9,
        "false alarms": 2 / 12,
    }
    assert rates({"tp": 0, "fp": 0, "tn": 5, "fn": 0})["precision"] is None


# -- sections with little in them -------------------------------------------------------------------------
@pytest.mark.slow
def test_a_study_that_knows_less_still_has_a_page():
    r = study("regression")
    bare = replace(r.chosen, weights=None, effects=None, importances=None, facts={}, params={})
    numbers = replace(r.predictive, coverage=None, coverage_interval=None, inside=None, pit=())
    assert "Its weights" in r.to_html()
    page = replace(r, chosen=bare, predictive=numbers, learning=None, sensitivity=None, layers=None).to_html()
    assert "Its weights" not in page
    assert 'data-figure="agreement"' not in page
    c = study("binary")
    classes = replace(
        c.predictive,
        roc=None,
        auc=None,
        auc_interval=None,
        brier=None,
        thresholds=None,
        reliability=(),
        measures=(),
    )
    page = replace(c, predictive=classes).to_html()
    assert "called yes" in page
    assert 'id="cut"' not in page


@pytest.mark.slow
def test_weights_without_intervals_have_a_dash():
    r = study("regression")
    w = r.chosen.weights
    nan = np.full(len(w.term), np.nan)
    page = Page(
        replace(
            r, chosen=replace(r.chosen, weights=replace(w, low=nan, high=nan, std_error=nan), effects=None)
        ).to_html()
    )
    assert "– to –" not in page.text
    assert "nan" not in page.text.lower().split("weights of the fitted model")[1].split("the data")[0]


# -- order, folds, words ----------------------------------------------------------------------------------
def test_tables_of_many_columns_are_folded():
    rng = np.random.default_rng(0)
    table = {f"pixel {j}": rng.normal(size=30) for j in range(64)}
    page = Page(Study(table).run().to_html())
    at = [
        i
        for i, (tag, a) in enumerate(page.tags)
        if tag == "section" and a["id"] in ("data_sheet", "description")
    ]
    assert [tag for tag, _ in page.tags[at[0] : at[1]] if tag in ("details", "table")] == ["details", "table"]
    few = Page(Study(dict(list(table.items())[:5])).run().to_html())
    start = next(i for i, (tag, a) in enumerate(few.tags) if a.get("id") == "data_sheet")
    assert next(tag for tag, _ in few.tags[start:] if tag in ("details", "table")) == "table"


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_reads_as_english(kind):
    text = Page(page_of(kind)).text
    for odd in ("Told are", "saved of the baseline", "held still", "nan ", " None"):
        assert odd not in text
    assert in_words(study(kind).appendix.made) in text


def test_a_link_and_its_part_have_one_name_each():
    assert list(SHORT) == list(HEADINGS)
    assert set(FOLDED) <= set(HEADINGS)


def test_identifiers_have_no_commas():
    column = study("exploration").data_sheet.columns[-1]
    zip_code = replace(column, scale="nominal", min=10115.0, median=50667.0, max=99998.0)
    assert ends(zip_code) == "10115 … 50667 … 99998"
    assert ends(replace(zip_code, scale="ratio")) == "10,115 … 50,667 … 99,998"


def test_the_day_of_a_study_can_be_fixed(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(24 * 3600 * 365))
    assert today() == "1971-01-01"
    assert in_words(today()) == "1 January 1971"
    result = Study({"a": [1.0, 2.0]}).run()
    assert result.to_dict()["appendix"]["made"] == "1971-01-01"
    assert '<time datetime="1971-01-01">1 January 1971</time>' in result.to_html()
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert today() == date.today().isoformat()
    assert in_words("") == ""
