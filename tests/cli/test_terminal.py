"""Text that fits the window: no number is broken or parted from its word, at any width."""

import re

import pytest
from rich.console import Console

from suffice.cli.study_tables import losses
from suffice.cli.terminal import fitted_table, say, wrapped
from suffice.study import Study

TEXT = (
    "Linear regression predicts price with a typical error of 54.57 on 20,190 rows (51.11 to 57.83), p < 0.001, "
    "against −3.858 × 10⁻⁵ for 95\u202f% of the rows from 1896 to 2008."
)
KEPT = (
    "54.57",
    "20,190",
    "(51.11 to 57.83),",
    "p < 0.001,",
    "−3.858 × 10⁻⁵",
    "95\u202f%",
    "1896 to 2008.",
    "of 54.57",
)


@pytest.mark.parametrize("width", [80, 60, 40, 24])
def test_no_number_is_broken(width):
    lines = wrapped(TEXT, width)
    assert " ".join(lines) == TEXT
    assert max(map(len, lines)) <= width
    for piece in KEPT:
        assert any(piece in line for line in lines), piece


def test_what_no_line_can_hold_is_broken_between_words():
    assert wrapped("error 51.11 to 57.83", 8) == ["error", "51.11 to", "57.83"]
    assert wrapped("x" * 30, 8) == ["x" * 30]


def test_narrow_tables_fold_names_and_drop_the_interval():
    rows = [(("Automatic relevance determination", "20,190", "18,000 to 22,000", "50 %"), "")]
    heads = ("model", "mean squared error", "95 % interval", "below baseline")

    def shown(width):
        console = Console(width=width, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
        console.print(fitted_table(heads, rows, width))
        console.file.close()
        return console.export_text()

    assert "18,000 to 22,000" in shown(80)
    assert "Automatic relevance determination" in shown(80)
    assert "18,000 to 22,000" in shown(60)
    for width in (40, 34):
        assert "18,000" not in shown(width)
        assert re.search(r"Automatic +20,190|Automatic relevance +20,190", shown(width))
        assert "…" not in shown(width)


@pytest.mark.parametrize("width", [80, 60, 40])
def test_a_study_prints_every_number_in_one_piece(width, capsys):
    result = Study("@olympic_100m_men", models=["linear"], folds=5, references=False).run()
    console = Console(width=width, highlight=False)
    say(console, result.answer.headline)
    console.print(losses(result.comparison, width))
    out = capsys.readouterr().out
    best, base = (result.comparison.of(name) for name in (result.comparison.best, result.comparison.baseline))
    for m in (best, base):
        assert f"{m.measures['typical error']:.4f}" in out
        assert f"{m.estimate:.4f}"[:6] in out or f"{m.estimate:.5f}" in out
    assert max(len(line.rstrip()) for line in out.splitlines()) <= width
