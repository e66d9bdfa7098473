"""What `suffice study` prints: the answer, what is odd about the table, the models from the best, the files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from suffice.cli.terminal import plain_table

MOST_FINDINGS = 6
NAMED = ("Columns that share a name", "Columns without a name")  # remarks on columns that were renamed
GRAVITY = {"error": 0, "warning": 1, "note": 2}


def print_study(result: Any, page: Path) -> None:
    """Everything that a person in a hurry wants; the rest is in the report."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(result.answer.headline, style="bold"))
    for sentence in result.answer.sentences:
        console.print(Text(sentence))
    if result.forecast is not None:
        console.print(Text(result.forecast.sentences[0]))
    if line := how_sure(result):
        console.print(Text(line))
    for line in warned(result):
        console.print(Text(line, style="yellow"))
    console.print()
    if result.comparison is None:
        for sentence in result.description.sentences:
            console.print(Text(sentence))
        console.print(Text("Name a column with --target to compare models that predict it.", style="dim"))
    else:
        console.print(losses(result.comparison))
        for f in result.comparison.failed:
            console.print(Text(f"{f.title} could not be fitted: {f.reason}", style="yellow"))
    console.print()
    console.print(Text(f"The report is {page}"), soft_wrap=True)
    model = page.with_name("model.suffice")
    if result.model is not None and model.is_file():
        console.print(Text(f"To predict new rows: suffice predict {model} NEW.csv"), soft_wrap=True)


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
    return f"{text[0].upper()}{text[1:]}; in brackets {level} intervals."


def warned(result: Any) -> list[str]:
    """What was left out, and what the audit found; leaks and errors first, notes not at all."""
    sheet, out = result.data_sheet, []
    unused = len(sheet.of_role("not used"))
    if sheet.n_used < sheet.n_rows or (unused and result.comparison is not None):
        rows = f"{sheet.n_used:,} of {sheet.n_rows:,} rows used"
        columns = f"{unused} {'column' if unused == 1 else 'columns'} not used"
        out.append(f"{rows}; {columns}. The report says why.")
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


def losses(c: Any) -> Any:
    """A line per model, from the smallest loss; the best of our own is marked."""
    from rich.text import Text

    from suffice.study.numbers import number, percent, span, within

    table = plain_table(("model", c.loss_words, f"{percent(c.confidence)} interval", "saved"))
    for m in sorted(c.models, key=lambda m: m.estimate):
        title = f"{m.title} (outside)" if m.kind == "reference" else m.title
        loss = number(m.estimate) if m.interval is None else within(m.estimate, m.interval)
        saved = "" if m.kind == "baseline" else percent(m.gain)
        style = "bold green" if m.name == c.best else "dim" if m.kind == "reference" else ""
        table.add_row(Text(title), loss, span(m.interval), saved, style=style)
    return table
