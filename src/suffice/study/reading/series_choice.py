"""Which lags, season and trend a series gets, from its first training block alone: no row that tests has a say.

season   that of the calendar, or else the highest peak of the autocorrelation of the changes, where it is more than
         chance
lags     as many as the corrected information criterion of Akaike asks for
trend    where time helps beyond the lags, by more than a random walk pretends (Dickey and Fuller's bound), and the
         last third of the block is predicted better with it from the rows before
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.stats import f as f_distribution

from suffice.study.reading.series_rule import TREND, Clock, SeriesRule

MOST_LAGS, ROWS_PER_LAG = 10, 6
PEAK, CHANCE = 3.5, 2.6  # standard errors: of the highest of many, and of one that was named beforehand
TREND_BOUND = (
    3.4  # Dickey and Fuller: 5 % of random walks are beyond 3.2 or so; a few more rows are allowed for
)
AS_HIGH = 0.7  # an earlier peak of this share of the highest is the season
SURE = 0.01  # the level of a test of the season
LEAST_LEFT = 8  # rows
SEASONS = 2  # turns that the first block must have


def chosen_rule(rule: SeriesRule, y: np.ndarray, clock: Clock) -> SeriesRule:
    """The rule with lags, season and trend for a first block of rows."""
    found = _within_reach(_with_season(rule, y, clock), y, clock)
    found = replace(found, lags=_best_lags(found, y, clock))
    return replace(found, trend=True) if _trends(found, y, clock) else found


def _within_reach(rule: SeriesRule, y: np.ndarray, clock: Clock) -> SeriesRule:
    """The same season is a column only where it leaves a third of the block with a known past."""
    left = int(np.isfinite(np.sum(list(rule.made(y, clock).values()), axis=0)).sum())
    if rule.same_season is None or left >= max(LEAST_LEFT, len(y) // 3):
        return rule
    return replace(rule, repeats=False) if rule.waves else replace(rule, season=None)


# -- season ---------------------------------------------------------------------------------------------------
def _with_season(rule: SeriesRule, y: np.ndarray, clock: Clock) -> SeriesRule:
    change = y - clock.before(y, 1)
    if rule.steps.season is not None:
        m = rule.steps.season
        waves = 0 if rule.steps.kind == "rows" or m < 3 else 2 if m >= 5 else 1
        turning = replace(rule, season=m, waves=waves)
        seen = _correlation(change, clock, m, CHANCE) is not None or (
            waves > 0 and _waves_help(turning, y, clock)
        )
        return turning if seen and _span(clock) >= SEASONS * m else rule
    return replace(rule, season=_peak(change, clock))


def _waves_help(rule: SeriesRule, y: np.ndarray, clock: Clock) -> bool:
    """An F test of the sines and cosines of the calendar beside two lags."""
    lags = replace(rule, season=None, waves=0, lags=2).made(y, clock)
    waves = {n: v for n, v in rule.made(y, clock).items() if n.startswith("season")}
    known = np.isfinite(y) & np.all([np.isfinite(v) for v in lags.values()], axis=0)
    spare = int(known.sum()) - len(lags) - len(waves) - 1
    if spare < len(waves):
        return False
    without = float(np.sum(_left(y[known], _design(lags, known)) ** 2))
    left = float(np.sum(_left(y[known], _design(lags | waves, known)) ** 2))
    ratio = (without - left) / len(waves) / max(left / spare, np.finfo(float).tiny)
    return bool(f_distribution.sf(ratio, len(waves), spare) < SURE)


def _span(clock: Clock) -> int:
    return int(clock.step.max() - clock.step.min()) + 1


def _peak(change: np.ndarray, clock: Clock) -> int | None:
    """The lag of the highest peak of the autocorrelation from 3 on, if that is above chance; two turns are not one."""
    lags = range(2, _span(clock) // (SEASONS + 1) + 2)
    found = {k: _correlation(change, clock, k, -np.inf) for k in lags}
    values = {k: -1.0 if v is None else v for k, v in found.items()}
    peaks = [k for k in lags[1:-1] if values[k] >= values[k - 1] and values[k] >= values[k + 1]]
    highest = max(peaks, key=lambda k: values[k], default=None)
    if highest is None or _correlation(change, clock, highest, PEAK) is None:
        return None
    return next(k for k in peaks if values[k] >= AS_HIGH * values[highest])


def _correlation(change: np.ndarray, clock: Clock, back: int, bound: float) -> float | None:
    """Of changes so many steps apart; None if it is not so many standard errors above zero."""
    centred = change - np.nanmean(change) if np.isfinite(change).any() else change
    pairs = centred * clock.before(centred, back)
    n, size = (
        int(np.isfinite(pairs).sum()),
        float(np.nanmean(centred**2)) if np.isfinite(centred).any() else 0.0,
    )
    if n < 3 or not size > 0:
        return None
    found = float(np.nanmean(pairs)) / size
    return found if found * np.sqrt(n) > bound else None


# -- lags and trend -------------------------------------------------------------------------------------------
def _best_lags(rule: SeriesRule, y: np.ndarray, clock: Clock) -> int:
    most = min(MOST_LAGS, max(1, _span(clock) // ROWS_PER_LAG))
    if rule.same_season is not None:
        most = min(most, max(1, (rule.seasonal or 0) - rule.horizon))
    every = replace(rule, lags=most)
    columns = every.made(y, clock)
    known = np.isfinite(y) & np.all([np.isfinite(v) for v in columns.values()], axis=0)
    scores = [_criterion(replace(rule, lags=p).made(y, clock), y, known) for p in range(1, most + 1)]
    return 1 + int(np.argmin(scores))


def _criterion(columns: dict[str, np.ndarray], y: np.ndarray, known: np.ndarray) -> float:
    """Akaike's criterion with its correction for few rows; infinite without rows to spare."""
    n, k = int(known.sum()), len(columns) + 2
    if n <= k + 1:
        return np.inf
    left = _left(y[known], _design(columns, known))
    floor = max(1e-20 * float(np.mean(y[known] ** 2)), np.finfo(float).tiny)
    return float(n * np.log(max(float(np.mean(left**2)), floor)) + 2 * k * n / (n - k - 1))


def _trends(rule: SeriesRule, y: np.ndarray, clock: Clock) -> bool:
    """Whether the time has a weight beyond the lags: the t statistic of what both leave over."""
    columns = rule.made(y, clock)
    known = np.isfinite(y) & np.all([np.isfinite(v) for v in columns.values()], axis=0)
    others = _design(columns, known)
    spare = int(known.sum()) - others.shape[1] - 1
    if spare < ROWS_PER_LAG:
        return False
    time = replace(rule, trend=True).made(y, clock)[TREND][known]
    a, b = _left(time, others), _left(y[known], others)
    size = float(a @ a)
    if not size > 1e-12 * float(time @ time):
        return False
    weight = float(a @ b) / size
    noise = float(np.sum((b - weight * a) ** 2)) / spare
    if not weight**2 * size > TREND_BOUND**2 * noise:
        return False
    return _later_error(np.column_stack([others, time]), y[known]) < _later_error(others, y[known])


def _later_error(design: np.ndarray, y: np.ndarray) -> float:
    """The mean squared error of the last third, predicted by least squares on the rows before."""
    cut = len(y) - len(y) // 3
    weights = np.linalg.lstsq(design[:cut], y[:cut], rcond=None)[0]
    return float(np.mean((y[cut:] - design[cut:] @ weights) ** 2))


def _design(columns: dict[str, np.ndarray], known: np.ndarray) -> np.ndarray:
    """Columns about their mean and in their own unit, and a constant."""
    X = np.column_stack([v[known] for v in columns.values()])
    spread = X.std(axis=0)
    X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return np.column_stack([np.ones(len(X)), X])


def _left(y: np.ndarray, design: np.ndarray) -> np.ndarray:
    """What least squares leaves over."""
    return y - design @ np.linalg.lstsq(design, y, rcond=None)[0]


# -- other columns ---------------------------------------------------------------------------------------------
def is_calendar(values: np.ndarray, clock: Clock, rule: SeriesRule) -> bool:
    """Whether a column says nothing but the time: it goes up evenly, or repeats itself with every season."""
    if values.dtype.kind in "mM":
        return True
    m = rule.steps.season
    if m is not None and _repeats(values, clock, m):
        return True
    if values.dtype.kind not in "iuf":
        return False
    x = values.astype(float)
    if np.isnan(x).any() or np.ptp(x) == 0:
        return False
    line = np.polynomial.Polynomial.fit(clock.along, x, 1)(clock.along)
    whole = bool(np.all(x == np.round(x))) and np.ptp(x) >= 4  # as the year of a quarter
    return bool(np.abs(x - line).max() <= (1.0 if whole else 1e-6 * np.ptp(x)))


def _repeats(values: np.ndarray, clock: Clock, m: int) -> bool:
    """Whether every place in the season has one value of its own."""
    words = values.astype(str)
    places = clock.step % m
    return len(np.unique(words)) > 1 and all(
        len(np.unique(words[places == k])) <= 1 for k in np.unique(places)
    )
