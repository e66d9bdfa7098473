"""The tables of a fit to labels: classes, mistakes, and the columns that tell the classes apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from suffice.cli.findings import CONFIDENCE
from suffice.cli.terminal import plain_table

MOST_CLASSES, MOST_MISTAKEN, MOST_COLUMNS = 40, 12, 10


def judged(v: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The share of labels that were wrong, and the baseline's."""
    yield f"Wrong labels, {v['folds']} folds", f"{_share(v['estimate'])} ({_interval_words(*v['interval'])})"
    if v["baseline"] is not None:
        yield "The most frequent label on the same folds", _share(v["baseline"])


def classes(tree: dict[str, Any]) -> Any:
    """A line per class; errors where there were folds."""
    from rich.text import Text

    from suffice.study.numbers import number, percent

    listed = tree["classes"]
    with_errors = any("error" in c for c in listed)
    stated = any(c["prior"] is not None for c in listed)
    counted = "rows" if tree["weight"] == tree["rows"] else "weight"
    heads = ("class", counted, "share", *(("prior",) if stated else ()))
    table = plain_table(heads + (("wrong", f"{percent(CONFIDENCE)} interval") if with_errors else ()))
    for c in listed[:MOST_CLASSES]:
        cells = [number(c["weight"]), _share(c["share"]), *([_share(c["prior"])] if stated else [])]
        table.add_row(Text(str(c["label"])), *cells, *(_wrong(c) if with_errors else ()))
    return table


def _wrong(c: dict[str, Any]) -> tuple[str, str]:
    from suffice.study.numbers import DASH

    return (_share(c["error"]), _interval_words(c["low"], c["high"])) if "error" in c else (DASH, DASH)


def mistakes(tree: dict[str, Any]) -> Any:
    """Rows are true classes, columns what they were taken for; no table of very many classes."""
    from rich.markup import escape
    from rich.text import Text

    from suffice.study.numbers import DASH, number

    labels = [str(label) for label in tree["confusion"]["labels"]] if tree["confusion"] else []
    shown = labels if len(labels) <= MOST_MISTAKEN else []
    table = plain_table(("true \\ given", *map(escape, shown)))
    for label, row in zip(shown, tree["confusion"]["table"] if shown else [], strict=True):
        table.add_row(Text(label), *(DASH if n == 0 else number(n) for n in row))
    return table


def separation(tree: dict[str, Any]) -> Any:
    """The columns that tell the classes apart best, each by itself."""
    from rich.text import Text

    table = plain_table(("column", "variance between classes"))
    for name, share in list(tree["separation"].items())[:MOST_COLUMNS]:
        table.add_row(Text(name), _share(share))
    return table


def _share(value: float) -> str:
    """A percentage; small ones keep two digits."""
    from suffice.study.numbers import percent

    return percent(value, 1 if value < 0.1 else 0) if value >= 0.001 or value == 0 else percent(value, 3)


def _interval_words(low: float, high: float) -> str:
    return f"{_share(low)} to {_share(high)}"
