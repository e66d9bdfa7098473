"""Figures of the page: colours that follow the reader, tooltips where the dots are, nothing from the data as markup."""

import re
from xml.etree import ElementTree as ET

import pytest

from suffice.study.numbers import number, span
from suffice.study.page.drawing import DARK, LIGHT, NAMES, Figure, draw
from suffice.study.page.driver_figures import drivers
from suffice.study.page.shown import to_baseline

from .reports import KINDS, drawn, study

SVG = "{http://www.w3.org/2000/svg}"


def _contrast(a, b):
    """WCAG 2.2, relative luminance."""

    def luminance(color):
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_letters_and_strokes_can_be_seen(palette):
    for name in ("ink", "soft"):
        assert _contrast(palette[name], palette["paper"]) >= 4.5
    for name in ("blue", "orange", "green"):
        assert _contrast(palette[name], palette["paper"]) >= 3.0


def test_a_tooltip_lies_on_its_dot():
    at = [(1.0, 10.0), (2.0, 40.0), (4.0, 20.0)]

    def paint(ax):
        ax.plot(*zip(*at, strict=True), "o", color="#0072b2")
        return [(x, y, f"<b>{x}</b> & more") for x, y in at]

    tree = draw("tips", paint, (4.0, 3.0))
    dots = [
        (float(u.get("x")), float(u.get("y"))) for u in tree.iter(f"{SVG}use") if "0072b2" in u.get("style")
    ]
    spots = [(float(c.get("cx")), float(c.get("cy"))) for c in tree.iter(f"{SVG}circle")]
    assert spots == [pytest.approx(dot, abs=0.06) for dot in dots]
    text = Figure("tips", tree, "three dots", "").inline()
    assert "&lt;b&gt;1.0&lt;/b&gt; &amp; more" in text
    assert "<b>" not in text


def test_names_with_letters_no_font_has_are_drawn():
    tree = draw("odd", lambda ax: ax.set_title("日本語 <script>\x01") and None, (3.0, 2.0))
    text = Figure("odd", tree, "alt \ud800", "").file().encode("utf-8", "backslashreplace").decode()
    assert "日本語 &lt;script&gt;" in text
    assert "\x01" not in text


@pytest.mark.parametrize("kind", KINDS)
def test_figures_follow_the_page_and_stand_alone(kind):
    for name, figure in drawn(kind).items():
        inline, alone = figure.inline(), ET.fromstring(figure.file())
        for color in re.findall(r"(?<!, )#[0-9a-f]{6}\b", inline):
            assert color not in NAMES, (name, color)
        assert "<!--" not in inline
        assert "font-family" not in inline
        style = alone.find(f"{SVG}style").text
        assert ("prefers-color-scheme: dark" in style) is not figure.lit
        assert figure.caption
        assert figure.alt == alone.get("aria-label")
    expected = {
        "regression": {"comparison", "effects", "agreement", "residuals", "learning", "missing"},
        "binary": {"comparison", "roc", "reliability", "learning"},
        "time": {"comparison", "effects", "agreement", "residuals", "pit", "learning"},
        "many": {"confusion"},
        "exploration": {"missing"},
    }.get(kind, {"comparison"})
    assert expected <= set(drawn(kind))


@pytest.mark.slow
def test_the_agreement_figure_has_the_rows_with_the_largest_errors_in_reach():
    result = study("regression")
    figure = drawn("regression")["agreement"]
    told = [t.text for t in figure.tree.iter(f"{SVG}title")]
    v = result.layers.validations[result.comparison.best]
    error = abs(result.problem.y - v.predictions)
    assert told[0].startswith(f"row {result.problem.rows[error.argmax()]}:")


def test_numbers_beside_the_axes_are_written_as_on_the_page():
    def paint(ax):
        ax.plot([1896, 2008], [-20000, 40000])

    words = [t.text for t in draw("ticks", paint, (4.0, 3.0)).iter(f"{SVG}text")]
    assert "−20,000" in words
    assert "40,000" in words
    assert "2000" in words


def test_the_comparison_is_drawn_by_the_differences_that_are_told():
    c = study("binary").comparison
    told = [t.text for t in drawn("binary")["comparison"].tree.iter(f"{SVG}title")]
    for m in c.models:
        (line,) = [words for words in told if words.startswith(f"{m.title}: {number(m.estimate)};")]
        if m.name == c.baseline:
            assert line.endswith("the baseline")
        else:
            away, interval = to_baseline(m)
            assert f"{number(away)} from the baseline ({span(interval)})" in line


@pytest.mark.parametrize("kind", ["binary", "time"])
def test_drivers_and_deciles_have_figures(kind):
    result = study(kind)
    assert len(drivers(result)) == len([name for name in drawn(kind) if name.startswith("driver-")]) > 0
    assert "deciles" in drawn(kind)
    assert {"gain", "cost"} <= set(drawn(kind)) if kind == "binary" else "gain" not in drawn(kind)
