"""What `suffice study` prints: the answer, what is odd about the table, the models from the best, the files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from suffice.cli.terminal import console, fitted_table, say

MOST_FINDINGS = 6
NAMED = ("Columns that share a name", "Columns without a name")  # remarks on columns that were renamed
GRAVITY = {"error": 0, "warning": 1, "note": 2}


def print_study(result: Any, page: Path) -> None:
    """Everything that a person in a hurry wants; the rest is in the report."""
    from rich.text import Text

    out = console()
    say(out, result.answer.headline, "bold")
    for sentence in result.answer.sentences:
        say(out, sentence)
    if result.forecast is not None:
        say(out, result.forecast.sentences[0])
    if line := how_sure(result):
        say(out, line)
    for line in warned(result):
        say(out, line, "yellow")
    out.print()
    if result.comparison is None:
        for sentence in result.description.sentences:
            say(out, sentence)
        say(out, "Name a column with --target to compare models that predict it.", "dim")
    else:
        out.print(losses(result.comparison, out.width))
        for f in result.comparison.failed:
            say(out, f"{f.title} could not be fitted: {f.reason}", "yellow")
    out.print()
    out.print(Text(f"The report is {page}"), soft_wrap=True)
    model = page.with_name("model.suffice")
    if result.model is not None and model.is_file():
        out.print(Text(f"To predict new rows: suffice predict {model} NEW.csv"), soft_wrap=True)


def how_sure(result: Any) -> str:
    """The numbers of the headline with their intervals, in one line; empty without any."""
    from suffice.study.numbers import percent
    from suffice.study.page.shown import intervals

    found = intervals(result)
    tiles = [t for t in result.answer.tiles if t.name in found and not t.name.startswith("of ")]
    if not tiles:
        return ""
    text = "; ".join(f"{t.name} {t.value} ({found[t.name]})" for t in tiles)
    level = percent(result.comparison.confidence)
    return f"{text[0].upper()}{text[1:]}; {level} intervals are in brackets."


def warned(result: Any) -> list[str]:
    """What was left out, and what the audit found; leaks and errors first, notes not at all."""
    from suffice.study.numbers import number

    sheet, out = result.data_sheet, []
    unused = len(sheet.of_role("not used"))
    if sheet.n_used < sheet.n_rows or (unused and result.comparison is not None):
        rows = f"{number(sheet.n_used)} of {number(sheet.n_rows)} rows are used"
        columns = f"; {unused} {'column is' if unused == 1 else 'columns are'} not" if unused else ""
        out.append(f"{rows}{columns}. The report says why.")
    out += [remark for remark in sheet.remarks if remark.startswith(NAMED)]
    if result.candidates is not None and result.candidates.skipped:
        out.append(f"Not tried: {', '.join(result.candidates.skipped)}. The report says why.")
    grave = [f for f in result.audit.findings if f.severity != "note"]
    grave.sort(key=lambda f: ("leak" not in f.kind, GRAVITY.get(f.severity, 2)))
    out += [line_of(f) for f in grave[:MOST_FINDINGS]]
    if len(grave) > MOST_FINDINGS:
        more = len(grave) - MOST_FINDINGS
        out.append(f"and {more} more {'warning' if more == 1 else 'warnings'}; see the report.")
    return out


def line_of(finding: Any) -> str:
    """A finding in one line."""
    return " ".join(f"{finding.kind.capitalize()}: {finding.message}".split())


def losses(c: Any, width: int) -> Any:
    """A line per model, from the smallest loss; the chosen one is marked."""
    from suffice.study.numbers import number, percent, span

    heads, rows = ("model", c.loss_words, f"{percent(c.confidence)} interval", "below baseline"), []
    for m in sorted(c.models, key=lambda m: m.estimate):
        title = f"{m.title} (outside)" if m.kind == "reference" else m.title
        below = "" if m.name == c.baseline else percent(m.gain)
        style = "bold green" if m.name == c.best else "dim" if m.kind == "reference" else ""
        rows.append(((title, number(m.estimate), span(m.interval), below), style))
    return fitted_table(heads, rows, width)
