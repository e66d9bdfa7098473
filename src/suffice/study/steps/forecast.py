"""The forecast of a series by the chosen model: some steps, each with a fit of its own, and honest bands.

The band of a step cannot be narrower than that of the step before: what is further away is not better known, so the
widths of all steps are made to grow by isotonic regression. Where the width hangs on the level, as for counts, each
step keeps its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.isotonic import IsotonicRegression

from suffice._core.errors import SufficeError
from suffice._core.proportions import jeffreys
from suffice.prepare.transforming._column_codes import as_numbers
from suffice.study.numbers import number, percent
from suffice.study.options import Options
from suffice.study.reading.problem import Problem
from suffice.study.reading.target_range import target_range
from suffice.study.sections import Forecast, Interval, SeriesLine
from suffice.study.steps.forecast_steps import Ahead, Past, step_ahead
from suffice.study.steps.predictive import held_out, interval_ends
from suffice.study.steps.validate import Trial, collect_notes, describe_error, tested_rows

# steps: without a season, with one, and at most one in so many rows of a series
USUAL, MOST, SHARE = (
    10,
    24,
    5,
)
MOST_ROWS = 2_000  # kept of a series
UNKNOWN = ("The forecast does without what other columns hold in the rows to come, which nobody knows yet.",)
WORTH = 1.05  # a smaller factor is not worth a word


def forecast_section(t: Trial, params: dict[str, Any], problem: Problem, options: Options) -> Forecast | None:
    """What comes after the last row, by the chosen model; None where the table is no series."""
    if problem.series is None:
        return None
    rule, past = problem.series.rule, _past(problem, options)
    model = t.candidate.tried(problem).set_params(**params)
    ends = past.ends
    last = [_moment(problem, past, row) for row in ends]
    found: list[Ahead] = []
    moments: list[np.ndarray] = []
    why = ""
    for k in range(1, _length(problem, past) + 1):
        at = np.array([rule.steps.after(moment, k) for moment in last])
        try:
            ahead, _ = collect_notes(
                lambda k=k, at=at: step_ahead(model, rule.ahead(k, past.others), past, at, options.confidence)  # type: ignore[misc]
            )
        except (SufficeError, ValueError, ArithmeticError) as error:  # as a rule, too few rows so far ahead
            why = describe_error(error)
            break
        found.append(ahead)
        moments.append(at)
    made = _in_range(_growing(found), problem)
    low, high, share, bounds, n = _test_bands(t, problem, options)
    lines = _lines(t, problem, past, made, moments, (low, high))
    section = Forecast(
        t.name,
        problem.target,
        rule.time,
        rule.steps.unit,
        rule.steps.dates,
        rule.horizon,
        options.confidence,
        n,
        share,
        bounds,
        tuple(range(1, len(made) + 1)),
        tuple(a.tested for a in made),
        tuple(a.widen for a in made),
        lines,
    )
    sentences = _sentences(section, why)
    late = UNKNOWN if section.steps and set(past.others) & set(problem.names) else ()
    return replace(section, sentences=(*sentences[:1], *late, *sentences[1:]))


def _past(problem: Problem, options: Options) -> Past:
    """All rows in use, those whose past is not known included."""
    series = problem.series
    assert series is not None
    rows = series.every.rows
    columns = {name: values[rows] for name, values in problem.source.columns.items()}
    y = as_numbers(columns[problem.target])
    given_types = {**problem.source.types, **(options.types or {})}
    return Past(
        columns,
        y,
        series.rule.clock(columns),
        series.others,
        {n: v for n, v in given_types.items() if n in series.others},
        series.block,
        options.amount.outer,
    )


def _moment(problem: Problem, past: Past, row: int) -> float:
    return float(problem.series.rule.steps.moments(past.columns[problem.series.rule.time][[row]])[0])  # type: ignore[union-attr]


def _length(problem: Problem, past: Past) -> int:
    """Steps worth a forecast: two seasons, or ten steps, at least the horizon; not more than the rows bear."""
    rule = problem.series.rule  # type: ignore[union-attr]
    m = rule.season
    wanted = USUAL if m is None else m if m > MOST else min(2 * m, MOST)
    bearable = len(past.y) // (1 if past.clock.series is None else len(np.unique(past.clock.series))) // SHARE
    return max(rule.horizon, min(max(wanted, rule.horizon), max(bearable, 1)))


# -- bands ----------------------------------------------------------------------------------------------------
def _growing(found: list[Ahead]) -> list[Ahead]:
    """Bands that never narrow with the step, where their width does not hang on the level: the symmetric ones."""
    if len(found) < 2:
        return found
    half = np.array([(a.high - a.low) / 2 for a in found])
    middle = np.array([(a.high + a.low) / 2 - a.mean for a in found])
    if np.abs(middle).max() > 1e-6 * half.max():
        return found
    k = np.arange(len(found))
    wide = np.column_stack([IsotonicRegression().fit_transform(k, column) for column in half.T])
    return [replace(a, low=a.mean - w, high=a.mean + w) for a, w in zip(found, wide, strict=True)]


def _in_range(found: list[Ahead], problem: Problem) -> list[Ahead]:
    """Forecasts and bands without values that the target cannot have; those of counts end at whole numbers."""
    within = target_range(problem.y, problem.task.name, problem.target)
    if problem.task.name == "counts":
        found = [replace(a, low=np.floor(a.low), high=np.ceil(a.high)) for a in found]
    return [
        replace(a, mean=within.clip(a.mean), low=within.clip(a.low), high=within.clip(a.high)) for a in found
    ]


def _test_bands(
    t: Trial, problem: Problem, options: Options
) -> tuple[np.ndarray, np.ndarray, float | None, Interval | None, int]:
    """The bands of rows not seen at the horizon of the study, and how many of these rows lie inside."""
    low, high = interval_ends(held_out(t, problem), problem, options.confidence)
    rows = tested_rows(t.layers)
    rows = rows[np.isfinite(low[rows]) & np.isfinite(high[rows])]
    if not len(rows):
        return low, high, None, None, 0
    inside = int(((problem.y >= low) & (problem.y <= high))[rows].sum())
    a, b = jeffreys(inside, len(rows), options.confidence)
    return low, high, inside / len(rows), (float(a), float(b)), len(rows)


# -- lines ----------------------------------------------------------------------------------------------------
def _lines(
    t: Trial,
    problem: Problem,
    past: Past,
    made: list[Ahead],
    moments: list[np.ndarray],
    band: tuple[np.ndarray, np.ndarray],
) -> tuple[SeriesLine, ...]:
    """One per series that is forecast, the longest first."""
    steps = problem.series.rule.steps  # type: ignore[union-attr]
    at = steps.moments(past.columns[problem.series.rule.time])  # type: ignore[union-attr]
    predicted, low, high = (np.full(len(past.y), np.nan) for _ in range(3))
    rows, places = tested_rows(t.layers), problem.series.places  # type: ignore[union-attr]
    predicted[places[rows]] = np.asarray(t.validation.predictions, dtype=float)[rows]
    low[places[rows]], high[places[rows]] = band[0][rows], band[1][rows]
    lines = []
    for j, end in enumerate(past.ends):
        own = np.arange(len(at))
        if past.clock.series is not None:
            own = np.flatnonzero(past.clock.series == past.clock.series[end])
        own = own[np.argsort(at[own], kind="stable")][-MOST_ROWS:]
        following = np.array([m[j] for m in moments])
        lines.append(
            SeriesLine(
                None if past.clock.series is None else str(past.clock.series[end]),
                tuple(steps.label(m) for m in at[own]),
                at[own],
                past.y[own],
                predicted[own],
                low[own],
                high[own],
                tuple(steps.label(m) for m in following),
                following,
                np.array([a.mean[j] for a in made]),
                np.array([a.low[j] for a in made]),
                np.array([a.high[j] for a in made]),
            )
        )
    return tuple(lines)


# -- words ----------------------------------------------------------------------------------------------------
def _sentences(f: Forecast, why: str) -> tuple[str, ...]:
    sentences = []
    if f.steps:
        sentences += [_future(f, f.lines[0]), *_widened(f)]
    else:
        sentences.append(f"There is no forecast, since its bands could not be tried out: {why}")
    if f.coverage is not None and f.coverage_interval is not None:
        low, high = f.coverage_interval
        sentences.append(
            f"{_in_steps(f.horizon, f.unit)} ahead, {percent(f.coverage, 1)} of {f.n} rows not seen lie inside their "
            f"{percent(f.level)} band (plausible share {percent(low, 1)} to {percent(high, 1)})."
        )
    return (
        tuple(sentences)
        if not f.steps
        else (*sentences, "A forecast assumes that the series goes on as it did.")
    )


def _future(f: Forecast, line: SeriesLine) -> str:
    """The first and the last step in numbers."""
    of = "" if line.name is None else f" of {line.name} (one of {len(f.lines)} series)"

    def one(i: int) -> str:
        band = f"{number(line.next_low[i])} to {number(line.next_high[i])}"
        return f"{number(line.next_predicted[i])} for {line.next_times[i]} ({percent(f.level)} band {band})"

    last = len(f.steps) - 1
    then = "" if last == 0 else f", and {one(last)}"
    return f"The forecast of {f.target}{of} is {one(0)}{then}."


def _widened(f: Forecast) -> list[str]:
    most = max(f.widen)
    if most <= WORTH:
        return []
    step = f.steps[f.widen.index(most)]
    return [
        f"On rows not seen the model was too sure of itself, so the bands are wider than it states: {number(most, 2)} "
        f"times at step {step}, the most."
    ]


def _in_steps(horizon: int, unit: str) -> str:
    return f"{'One' if horizon == 1 else horizon} {unit}{'' if horizon == 1 else 's'}"
