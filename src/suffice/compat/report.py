"""A report in words, and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from suffice._core.showing import visible
from suffice.compat.judging import Name, Remark, Report
from suffice.compat.rewriting import left_alone

GAP = "  "
WITHOUT_REFITTING = "folds without refitting where the model allows it"
ABILITIES = {  # what a model can do that theirs cannot, by the attribute that shows it
    "predict_dist": "predictions with their uncertainty",
    "summary": "a table of weights",
    "log_evidence_": "the evidence",
    "partial_fit": "further rows later",
    "solve": "merging and forgetting",
    "impute": "filled gaps",
    "condition": "densities given some columns",
    "how_": WITHOUT_REFITTING,
}


def words(report: Report, width: int = 100) -> str:
    """What a person reads: what can be swapped, what would change, what stays and why."""
    return "\n".join(visible(line) for line in _lines(report, width))


def all_reports(reports: Sequence[Report], width: int = 100) -> str:
    """What a person reads of several files: those that import from scikit-learn, and a sum."""
    with_names = [r for r in reports if r.names or r.unseen]
    parts = [words(report, width) for report in with_names]
    rest = len(reports) - len(with_names)
    if rest:
        parts.append(
            f"{_counted(rest, 'more file')} {'imports' if rest == 1 else 'import'} nothing from scikit-learn."
        )
    n, k = sum(map(_known, with_names)), sum(len(r.swaps) for r in with_names)
    return "\n\n".join([*parts, f"Together: {k} of {_counted(n, 'name')} from scikit-learn can be swapped."])


def _lines(report: Report, width: int) -> Iterator[str]:
    yield f"{report.script.name}: {_headline(report)}"
    sections = {
        "Can be swapped": _swaps(report),
        "What changes": _remarks(report, ((n, r) for n in report.of("swap") for r in n.changes)),
        "Stays with scikit-learn, for ours does not do what the script asks": _reasons(report, "stays"),
        "Stays with scikit-learn, for ours of the same name is something else": _reasons(report, "different"),
        "Not covered; stays, and works beside ours": _names_of_line(report),
        "Not in the installed scikit-learn, so perhaps of another version": _listed(report, "gone"),
        "Of other packages, where changing the import is not enough": _elsewhere(report),
        "Not seen": _items(report, (*report.unseen, *left_alone(report))),
    }
    places = [line for items in sections.values() for line, _ in items]
    column = max(map(len, places), default=0)
    for head, items in sections.items():
        if items:
            yield f"{GAP}{head}"
        for place, text in items:
            yield from _wrapped(f"{GAP * 2}{place:<{column}}{GAP}", text, width)


def _known(report: Report) -> int:
    """How many names are from scikit-learn."""
    return len(report.of("swap", "stays", "different", "same", "beside", "gone"))


def _headline(report: Report) -> str:
    n, k = _known(report), len(report.swaps)
    if not n:
        return "it imports nothing from scikit-learn by name."
    if not k:
        return f"none of {_counted(n, 'name')} from scikit-learn can be swapped."
    return f"{k} of {_counted(n, 'name')} from scikit-learn can be swapped."


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


Item = tuple[str, str]


def _swaps(report: Report) -> list[Item]:
    out = []
    for name in report.of("swap", "same"):
        gains = [sentence for sign, sentence in ABILITIES.items() if sign in name.adds] or _of_function(name)
        more = f"; adds {', '.join(gains)}" if gains else ""
        sentence = f"{name.path} → {name.ours}{more}"
        if name.verdict == "same":
            sentence = f"{name.path} is {name.ours}; it can stay"
        out.append((report.script.where(name.line), sentence))
    return out


def _of_function(name: Name) -> list[str]:
    """Functions of validation are all of one kind, and have no attributes that would show it."""
    validates = name.ours is not None and name.ours.startswith("suffice.evaluation.") and not name.adds
    return [WITHOUT_REFITTING] if validates else []


def _remarks(report: Report, pairs: Iterable[tuple[Name, Remark]]) -> list[Item]:
    """A sentence about a class, after the class."""
    ordered = sorted(pairs, key=lambda p: p[1].line)
    return [(report.script.where(r.line), f"{_last(n.path)}: {r.says}") for n, r in ordered]


def _reasons(report: Report, verdict: Any) -> list[Item]:
    return _remarks(report, ((n, r) for n in report.of(verdict) for r in n.why))


def _names_of_line(report: Report) -> list[Item]:
    """Names of one line together; a remark about one below."""
    out = _listed(report, "beside")
    return out + _remarks(report, ((n, r) for n in report.of("beside") for r in n.why))


def _listed(report: Report, verdict: Any) -> list[Item]:
    lines: dict[str, list[str]] = {}
    for name in report.of(verdict):
        shown = name.path if verdict == "gone" else _last(name.path)
        lines.setdefault(report.script.where(name.line), []).append(shown)
    return [(place, ", ".join(names)) for place, names in lines.items()]


def _elsewhere(report: Report) -> list[Item]:
    out = []
    for name in report.of("elsewhere"):
        more = f"; {name.ours} answers the same question in other words" if name.ours else ""
        out.append((report.script.where(name.line), f"{name.path}{more}"))
    return out


def _items(report: Report, remarks: Sequence[Remark]) -> list[Item]:
    return [(report.script.where(r.line), r.says) for r in remarks]


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _wrapped(start: str, text: str, width: int) -> list[str]:
    room = max(width - len(start), 20)
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    return [(start if i == 0 else " " * len(start)) + line for i, line in enumerate(lines)]


def as_json(report: Report) -> dict[str, Any]:
    """The same for programs; lines are those of the file, in a notebook also by cell."""
    where = report.script.where

    def remarks(found: Iterable[Remark]) -> list[dict[str, Any]]:
        return [{"line": r.line, "where": where(r.line), "says": r.says} for r in found]

    def about(n: Name) -> dict[str, Any]:
        place = {"path": n.path, "line": n.line, "where": where(n.line), "verdict": n.verdict, "ours": n.ours}
        return place | {"why": remarks(n.why), "changes": remarks(n.changes), "adds": list(n.adds)}

    unseen = remarks((*report.unseen, *left_alone(report)))
    return {"file": report.script.name, "names": list(map(about, report.names)), "not_seen": unseen}
