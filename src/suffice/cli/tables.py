"""What `suffice fit` prints: a headline, numbers, coefficients, and the paths that led to them."""

import math
from typing import Any

from suffice.cli.findings import CONFIDENCE
from suffice.cli.label_tables import MOST_CLASSES, classes, judged, mistakes, separation
from suffice.cli.terminal import console, plain_table

MOST = 40  # coefficients that a table shows


def print_found(tree: dict[str, Any]) -> None:
    """Headline, numbers, coefficients, path, selection."""
    from rich.text import Text

    out = console()
    out.print(Text(f"{tree['title']} of {tree['target']}", style="bold"), Text(tree["repr"], style="dim"))
    for make in (_numbers, _coefficients, _path, _selection, classes, mistakes, separation):
        table = make(tree)
        if table.row_count:
            out.print()
            out.print(table)
    for name, one, most in (("coefficients", "coefficient", MOST), ("classes", "class", MOST_CLASSES)):
        more = len(tree[name]) - most
        if more > 0:
            what = one if more == 1 else name
            out.print(Text(f"and {more} more {what}; --json prints all", style="dim"))


def _numbers(tree: dict[str, Any]) -> Any:
    from suffice.study.numbers import number

    v = tree["validation"]
    table = plain_table(("", ""))
    table.show_header = False
    table.add_row("Rows", f"{tree['rows']:,}")
    if tree["weight"] != tree["rows"]:
        table.add_row("Weight", number(tree["weight"]))
    table.add_row("Columns", f"{len(tree['columns']):,}")
    for name, fact in tree["facts"].items():
        table.add_row(name, number(fact))
    if v is not None and v["interval"] is not None:
        for row in judged(v):
            table.add_row(*row)
    elif v is not None:
        words = f"{v['loss'].capitalize()} loss, {v['folds']} folds"
        table.add_row(words + (" (chosen by it)" if v["chosen_by_this_loss"] else ""), _spread(v))
    if v is not None and v["baseline"] is not None and v["interval"] is None:
        table.add_row("The mean on the same folds", number(v["baseline"]))
    table.add_row("Seconds", number(tree["seconds"]))
    table.add_row("Rows per second", f"{tree['rows_per_second']:,.0f}")
    return table


def _spread(v: dict[str, Any]) -> str:
    from suffice.study.numbers import decimals, number

    places = decimals(v["std_error"], 2)
    return f"{number(v['estimate'], places)} ± {number(v['std_error'], places)}"


def _coefficients(tree: dict[str, Any]) -> Any:
    from rich.text import Text

    from suffice.study.numbers import number, percent, span, within

    table = plain_table(("term", "estimate", "std error", f"{percent(CONFIDENCE)} interval"))
    for c in tree["coefficients"][:MOST]:
        pair = (c["low"], c["high"]) if math.isfinite(c["std_error"]) else None
        estimate = number(c["estimate"]) if pair is None else within(c["estimate"], pair)
        table.add_row(Text(c["term"]), estimate, number(c["std_error"]), span(pair))
    return table


def _path(tree: dict[str, Any]) -> Any:
    from rich.text import Text

    from suffice.study.numbers import number

    p = tree["path"] or {"param": "", "values": [], "test": [], "std_error": [], "chosen": None}
    table = plain_table((p["param"], "loss", "std error", ""))
    for value, loss, error in zip(p["values"], p["test"], p["std_error"], strict=True):
        table.add_row(Text(str(value)), number(loss), number(error), _mark(value == p["chosen"]))
    return table


def _selection(tree: dict[str, Any]) -> Any:
    from rich.text import Text

    from suffice.study.numbers import number

    s = tree["selection"] or {"selected": [], "moves": [], "errors": [], "std_errors": []}
    table = plain_table(("step", "loss", "std error", ""))
    for i, (move, loss, error) in enumerate(zip(s["moves"], s["errors"], s["std_errors"], strict=True)):
        table.add_row(Text(move), number(loss), number(error), _mark(i == len(s["selected"])))
    return table


def _mark(chosen: bool) -> str:
    return "[bold green]chosen[/]" if chosen else ""
