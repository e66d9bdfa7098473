"""The report in Markdown: the same words and tables as the page, for people and for tools that compare texts.

What comes from the data is escaped, so that a name is never a link, a table cell, HTML or a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice._core.showing import visible
from suffice.study.dates import in_words
from suffice.study.numbers import DASH, chance, number, percent, span
from suffice.study.page.drawing import Figure
from suffice.study.page.driver_figures import drivers_shown
from suffice.study.page.order import parts
from suffice.study.page.shown import (
    MOST,
    corrected,
    ends,
    how_tested,
    parameters,
    setting,
    show_interval,
    tiles,
    value,
)
from suffice.study.sections import Chosen, Classes, DataSheet, Deciles, ModelComparison, PredictiveChecks

if TYPE_CHECKING:
    from suffice.study.result import StudyResult

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")
BREAKS = re.compile(r"\s*[\r\n\u2028\u2029]+\s*")
Row = Sequence[Any]


def render(result: StudyResult, drawn: Mapping[str, Figure]) -> str:
    """The whole report."""
    made = in_words(result.appendix.made)
    lines = [f"# {safe(result.name)}", *([f"A study of {made}."] if made else []), *_answer(result)]
    for part in parts(result, drawn)[1:]:
        pictures = [picture(drawn[name]) for name in PICTURES.get(part.key, ()) if name in drawn]
        words = (
            _drivers(result)
            if part.key == "drivers"
            else PRINTERS[part.key](part.section)
            if part.section
            else []
        )
        first = pictures if part.key in PICTURE_FIRST else []
        lines += [f"## {part.heading}", *first, *words, *([] if first else pictures)]
    return "\n\n".join(line for line in lines if line) + "\n"


# -- pieces -----------------------------------------------------------------------------------------------
def safe(text: object) -> str:
    """Text in one line, with nothing that Markdown reads as anything but text."""
    return SPECIAL.sub(r"\\\1", visible(BREAKS.sub(" ", str(text))))


def table(
    head: Sequence[str], rows: Iterable[Row], total: int | None = None, text: Sequence[int] = (0,)
) -> str:
    """A table; the columns `text` hold words, the others numbers, which stand to the right."""
    marks = [" --- " if j in text else " ---: " for j in range(len(head))]
    lines = [_line(head), "|" + "|".join(marks) + "|"]
    lines += [_line(row) for row in rows]
    if total is not None and total > MOST:
        lines += ["", f"The first {MOST} of {total} are shown; `result.json` has all of them."]
    return "\n".join(lines)


def _line(cells: Row) -> str:
    return "| " + " | ".join(safe(cell) for cell in cells) + " |"


def bullet_list(items: Iterable[object]) -> str:
    """A list, each item in one line."""
    return "\n".join(f"- {safe(item)}" for item in items)


def picture(figure: Figure) -> str:
    """A link to the file, its words, and its caption."""
    return f"![{safe(figure.alt)}](figures/{figure.name}.svg)\n\n*{safe(figure.caption)}*"


def code(text: str) -> str:
    """A block of code, fenced by more marks than it has."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{text}\n{fence}"


# -- sections ---------------------------------------------------------------------------------------------
def _answer(r: StudyResult) -> list[str]:
    a = r.answer
    rows = [(t.name, t.value, t.detail) for t in tiles(r)]
    shown = table(("", "", ""), rows, text=(0, 2)) if rows else ""
    return [f"**{safe(a.headline)}**", *map(safe, a.sentences), shown]


def _drivers(r: StudyResult) -> list[str]:
    shown = drivers_shown(r) or {"intro": "", "reading": ""}
    return [safe(shown["intro"]), safe(shown["reading"])]


def _data_sheet(s: DataSheet) -> list[str]:
    head = (
        ""
        if s.target is None
        else f"Target: {safe(s.target)}, taken for {safe(s.task)}. {safe(s.task_why or '')}"
    )
    rows = [
        (
            c.name or "(unnamed)",
            c.role,
            c.kind,
            c.scale,
            number(c.missing),
            number(c.distinct),
            _range(c),
            c.reason or "",
        )
        for c in s.columns[:MOST]
    ]
    names = ("column", "role", "kind", "scale", "missing", "different", "values", "why not used")
    used = f"{number(s.n_used)} of {number(s.n_rows)} rows are used."
    return [
        head.strip(),
        used,
        bullet_list(s.remarks),
        table(names, rows, len(s.columns), (0, 1, 2, 3, 6, 7)),
    ]


def _range(c: Any) -> str:
    if c.median is not None:
        return ends(c)
    return ", ".join(f"{str(label)[:40]} ({count})" for label, count in c.levels[:4])


def _audit(s: Any) -> list[str]:
    return [
        safe(s.sentence),
        bullet_list(f"{f.severity}, {f.kind}: {f.message} {f.next_step}" for f in s.findings[:MOST]),
    ]


def _description(s: Any) -> list[str]:
    names = ("mean", "std", "min", "median", "max", "skewness")
    numbers = [row for row in s.rows if row.get("mean") is not None]
    rows = [
        (row["column"], *(value(row[n]) if row[n] is not None else DASH for n in names))
        for row in numbers[:MOST]
    ]
    pairs = [(p.first, p.second, number(p.correlation, 2)) for p in s.related[:12]]
    return [
        *map(safe, s.sentences),
        table(("column", *names), rows, len(numbers)) if rows else "",
        table(("column", "and", "correlation"), pairs, text=(0, 1)) if pairs else "",
    ]


def _candidates(s: Any) -> list[str]:
    rows = [(m.title, m.kind, m.description, parameters(m.grid) or DASH) for m in s.models]
    skipped = [f"{name}: {reason}" for name, reason in getattr(s, "skipped", {}).items()]
    return [
        table(("model", "kind", "what it is", "values tried"), rows, text=(0, 1, 2, 3)),
        bullet_list(skipped),
    ]


def _comparison(s: ModelComparison) -> list[str]:
    names = list(s.of(s.best).measures)
    head = ("model", s.loss_words, f"{percent(s.confidence)} interval", "lower than the baseline by", *names)
    rows = []
    for m in sorted(s.models, key=lambda m: m.estimate):
        tests = [DASH if (p := corrected(d)) is None else chance(p) for d in (m.to_baseline, m.to_best)]
        measures = [number(m.measures.get(name)) for name in names]
        label = m.title + {"baseline": " (baseline)", "reference": " (outside)"}.get(m.kind, "")
        rows.append((label, number(m.estimate), span(m.interval), percent(m.gain, 1), *measures, *tests))
    failed = [f"{f.title} could not be fitted: {f.reason}" for f in s.failed]
    tested = ("against the baseline", "against the chosen model")
    return [*map(safe, s.sentences), table((*head, *tested), rows), safe(how_tested(s)), bullet_list(failed)]


def _chosen(s: Chosen) -> list[str]:
    with_parameters = f", with {parameters(s.params)}" if s.params else ""
    facts = [(name, number(x)) for name, x in s.facts.items()]
    parts = [safe(f"{s.title}, fitted to {number(s.n)} rows{with_parameters}.")]
    parts += [*map(safe, s.sentences), bullet_list(s.notes)]
    parts.append(table(("", "value"), facts) if facts else "")
    level = f"{percent(s.confidence)} interval"
    if s.importances is not None:
        i = s.importances
        rows = [
            (t, value(e), show_interval((a, b)))
            for t, e, a, b in zip(i.term, i.estimate, i.low, i.high, strict=True)
        ]
        parts.append(table(("column", "growth of the loss when shuffled", level), rows[:MOST], len(rows)))
    if s.weights is not None:
        w = s.weights
        terms = [f"{g}: {t}" for g, t in zip(w.group, w.term, strict=True)] if w.group else list(w.term)
        rows = [
            (t, value(e), show_interval((a, b), e))
            for t, e, a, b in zip(terms, w.estimate, w.low, w.high, strict=True)
        ]
        parts.append(table(("weight of", "estimate", level), rows[:MOST], len(rows)))
    return parts


def _predictive(s: PredictiveChecks | Classes) -> list[str]:
    parts = [safe(sentence) for sentence in s.sentences]
    if isinstance(s, PredictiveChecks):
        rows = [
            ("rows", number(s.n)),
            ("typical error", number(s.typical_error)),
            ("largest error", number(s.largest_error)),
        ]
        return [*parts, table(("", "value"), rows), *_deciles(s.deciles, number)]
    parts += [safe(one.sentence) for one in (s.gain, s.cost) if one is not None]
    rows = [
        ("rows", number(s.n)),
        ("right", percent(s.accuracy, 1)),
        ("area under the ROC curve", number(s.auc)),
    ]
    out = [*parts, table(("", "value"), rows), *_deciles(s.deciles, lambda x: percent(x, 1))]
    cells = [
        (f"is {label}", *map(value, row)) for label, row in zip(s.labels[:MOST], s.confusion, strict=False)
    ]
    out.append(table(("", *(f"called {label}" for label in s.labels)), cells, len(s.labels)))
    if s.measures:
        each = [
            (m.label, value(m.count), percent(m.precision, 1), percent(m.recall, 1))
            for m in s.measures[:MOST]
        ]
        out.append(table(("class", "rows", "precision", "recall"), each, len(s.measures)))
    return out


def _deciles(d: Deciles | None, show: Any) -> list[str]:
    """What was predicted and what happened, part by part."""
    if d is None:
        return []
    columns = zip(d.predicted, d.observed, d.low, d.high, d.count, strict=True)
    rows = [
        (k, number(n), show(p), show(o), f"{show(a)} to {show(b)}" if np.isfinite([a, b]).all() else DASH)
        for k, (p, o, a, b, n) in enumerate(columns, 1)
    ]
    return [table(("part", "rows", "predicted", d.what, "interval"), rows)]


def _forecast(s: Any) -> list[str]:
    line = s.lines[0]
    rows = [
        (when, number(y), number(a), number(b))
        for when, y, a, b in zip(
            line.next_times, line.next_predicted, line.next_low, line.next_high, strict=True
        )
    ]
    head = (s.time, "forecast", "low", "high")
    return [*map(safe, s.sentences), table(head, rows) if rows else ""]


def _learning(s: Any) -> list[str]:
    rows = [(number(int(n)), number(a), number(b)) for n, a, b in zip(s.sizes, s.train, s.test, strict=True)]
    return [
        safe(s.sentence),
        table(("rows to train on", "loss there", "loss on new rows"), rows) if rows else "",
    ]


def _sensitivity(s: Any) -> list[str]:
    rows = [
        (c.what, c.best_title, number(c.estimate), percent(c.gain, 1), "stands" if c.holds else "changes")
        for c in s.changes
    ]
    head = ("what was changed", "best model", "loss", "lower than the baseline by", "conclusion")
    return [*map(safe, s.sentences), table(head, rows, text=(0, 1, 4)) if rows else ""]


def _appendix(s: Any) -> list[str]:
    options = [(name, setting(x)) for name, x in s.options.items()]
    versions = list(s.versions.items())
    seconds = [(name, f"{x:.3f}") for name, x in s.seconds.items()]
    return [
        code(s.script),
        f"Data: {safe(s.origin)}" + (f", SHA-256 {s.sha256}" if s.sha256 else ""),
        table(("option", "value"), options, text=(0, 1)) if options else "",
        table(("step", "seconds"), seconds),
        table(("package", "version"), versions, text=(0, 1)),
    ]


PRINTERS: dict[str, Any] = {
    "data_sheet": _data_sheet,
    "audit": _audit,
    "description": _description,
    "candidates": _candidates,
    "comparison": _comparison,
    "chosen": _chosen,
    "predictive": _predictive,
    "forecast": _forecast,
    "learning": _learning,
    "sensitivity": _sensitivity,
    "appendix": _appendix,
}
PICTURE_FIRST = ("comparison", "forecast")
PICTURES = {
    "forecast": ("forecast",),
    "drivers": ("driver-1", "driver-2", "driver-3"),
    "description": ("correlation", "missing"),
    "comparison": ("comparison",),
    "chosen": ("importances", "effects"),
    "predictive": (
        "deciles",
        "gain",
        "cost",
        "agreement",
        "residuals",
        "pit",
        "confusion",
        "roc",
        "reliability",
    ),
    "learning": ("learning",),
}
