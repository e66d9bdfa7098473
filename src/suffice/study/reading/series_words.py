"""What is said of a series: what its past became, which rows are left out, and what was assumed of other columns."""

from __future__ import annotations

from collections.abc import Sequence

from suffice.study.options import Options
from suffice.study.reading.series_rule import SeriesRule

MOST_NAMED = 4


def ahead(rule: SeriesRule) -> str:
    """The horizon in words."""
    h, unit = rule.horizon, rule.steps.unit
    return f"one {unit}" if h == 1 else f"{h} {unit}s"


def series_remarks(
    rule: SeriesRule, n: int, kept: int, others: tuple[str, ...], facts: tuple[str, ...], options: Options
) -> list[str]:
    """What was made, from what, and what was assumed."""
    parts = [f"the newest known value of {rule.target!r}"]
    parts += [f"{rule.lags - 1} change{'s' if rule.lags > 2 else ''} before it"] if rule.lags > 1 else []
    parts += [f"the season of {rule.season} steps"] if rule.season is not None else []
    parts += ["the trend"] if rule.trend else []
    shown = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    sentences = [
        f"{rule.target!r} is predicted {ahead(rule)} ahead from its own past: {shown}, chosen from the rows of the "
        "first training block alone."
    ]
    if kept < n:
        sentences.append(_rows_left_out(n - kept, n, rule.longest))
    return sentences + _assumed(rule, others, facts, options)


def _rows_left_out(lost: int, n: int, steps: int) -> str:
    rows, them = ("rows is", "it") if lost == 1 else ("rows are", "them")
    before = f"the step before {them} is" if steps == 1 else f"the {steps} steps before {them} are"
    return f"{lost} of {n} {rows} left out: {before} not known{'' if steps == 1 else ' completely'}."


def _columns(names: Sequence[str]) -> str:
    shown = ", ".join(f"{name!r:.60}" for name in names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"Column{'' if len(names) == 1 else 's'} {shown}{more}"


def _assumed(
    rule: SeriesRule, others: tuple[str, ...], facts: tuple[str, ...], options: Options
) -> list[str]:
    if rule.behind:
        steps = "one step" if rule.horizon == 1 else f"{rule.horizon} steps"
        return [f"{_columns(rule.behind)}: used as known {steps} before the row to predict."]
    given = [n for n in others if n not in facts]
    if not given or options.horizon is not None:
        return []
    it = "it is" if len(given) == 1 else "they are"
    return [
        f"{_columns(given)}: used as in the row to predict, as if known beforehand. If {it} not, say horizon 1: then "
        "what was known one step before is used."
    ]
