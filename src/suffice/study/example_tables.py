"""Tables made up for the examples: each has a story, a seed, and a truth that a study can be held against.

Every function returns columns by name: numbers, words, truths, days and gaps, as tables come.
"""

from __future__ import annotations

import numpy as np

from suffice._core.random import generator

Columns = dict[str, np.ndarray]


def _with_gaps(values: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """The column without some of its cells, taken away at random."""
    gone = rng.random(len(values)) < share
    if values.dtype.kind in "iuf":
        return np.where(gone, np.nan, values.astype(float))
    out = values.astype(object)
    out[gone] = None
    return out


def _of(levels: dict[str, float], words: np.ndarray) -> np.ndarray:
    """The number that belongs to each word."""
    return np.array([levels[w] for w in words])


def _words(levels: dict[str, float], shares: list[float], n: int, rng: np.random.Generator) -> np.ndarray:
    return rng.choice(list(levels), n, p=shares).astype(object)


# -- regression -------------------------------------------------------------------------------------------
def rents() -> Columns:
    """Monthly rents of 600 flats in a town (regression).

    The truth is a straight line: rent = 180 + 9.5 area + 110 balcony + 1.2 (built − 1960) + the district's share +
    noise of standard deviation 85. Districts: Harbour 0, Old Town 160, Park 90, Station −70, Hill 30. The floor and
    the day of the advertisement change nothing. No model can have a typical error much below 85. The year of building
    is missing in one of eight flats, by chance.
    """
    rng, n = generator(1201), 600
    offsets = {"Harbour": 0.0, "Old Town": 160.0, "Park": 90.0, "Station": -70.0, "Hill": 30.0}
    area = np.round(rng.gamma(9.0, 8.0, n) + 18, 1)
    rooms = np.clip(np.round(area / 28 + rng.normal(0, 0.5, n)), 1, 7).astype(int)
    district = _words(offsets, [0.3, 0.15, 0.2, 0.2, 0.15], n, rng)
    built = rng.integers(1900, 2024, n)
    balcony = rng.random(n) < 0.45
    rent = 180 + 9.5 * area + 110 * balcony + 1.2 * (built - 1960) + _of(offsets, district)
    return {
        "flat_id": np.array([f"F{i:04d}" for i in range(n)], dtype=object),
        "area_m2": area,
        "rooms": rooms,
        "district": district,
        "floor": rng.integers(0, 9, n),
        "built": _with_gaps(built, 0.125, rng),
        "balcony": balcony,
        "advertised": np.datetime64("2024-01-01") + rng.integers(0, 366, n),
        "rent": np.round(rent + rng.normal(0, 85, n), 0),
    }


# -- two classes ------------------------------------------------------------------------------------------
def churn() -> Columns:
    """Which of 1,000 customers of a phone company leave within a year (two classes).

    The truth is a logistic regression: log-odds of leaving = −1.4 − 0.035 months + 0.04 (fee − 30) + 0.45 complaints +
    1.3 if the contract is monthly, and 0.5 more if it is prepaid. Region and age tell nothing. About three in ten
    leave. The age is missing for one in ten, by chance.
    """
    rng, n = generator(1202), 1000
    contracts = {"yearly": 0.0, "monthly": 1.3, "prepaid": 1.8}
    contract = _words(contracts, [0.5, 0.35, 0.15], n, rng)
    months = np.round(rng.exponential(26, n) + 1).astype(int)
    fee = np.round(np.clip(rng.normal(32, 9, n), 8, None), 2)
    complaints = rng.poisson(0.8, n)
    odds = -1.4 - 0.035 * months + 0.04 * (fee - 30) + 0.45 * complaints + _of(contracts, contract)
    leaves = rng.random(n) < 1 / (1 + np.exp(-odds))
    return {
        "customer_id": np.arange(50_001, 50_001 + n),
        "months": months,
        "contract": contract,
        "monthly_fee": fee,
        "complaints": complaints,
        "region": rng.choice(["north", "south", "east", "west"], n).astype(object),
        "age": _with_gaps(rng.integers(18, 85, n), 0.1, rng),
        "churned": np.where(leaves, "yes", "no").astype(object),
    }


# -- several classes --------------------------------------------------------------------------------------
def beetles() -> Columns:
    """Three species of 360 ground beetles, told apart by measures (several classes).

    The truth is a linear discriminant: each species is a normal distribution with a mean of its own and one common
    covariance (standard deviations 1.1 mm, 0.6 mm and 0.8 mm, correlations 0.6). Means of length, width and antenna:
    carabus 22, 8.2, 10.5; pterus 19.6, 7.4, 9.0; amara 18.6, 8.0, 8.6. Half of the amara are found in meadows and a
    sixth of the others, so that the site helps a little. The antenna is broken, and so missing, in one of fourteen.
    """
    rng, n = generator(1203), 360
    means = {"carabus": (22.0, 8.2, 10.5), "pterus": (19.6, 7.4, 9.0), "amara": (18.6, 8.0, 8.6)}
    species = rng.choice(list(means), n, p=[0.4, 0.35, 0.25]).astype(object)
    std = np.array([1.1, 0.6, 0.8])
    shared = np.full((3, 3), 0.6) + 0.4 * np.eye(3)
    noise = rng.multivariate_normal(np.zeros(3), shared * np.outer(std, std), n)
    size = np.array([means[s] for s in species]) + noise
    meadow = rng.random(n) < np.where(species == "amara", 1 / 2, 1 / 6)
    return {
        "length_mm": np.round(size[:, 0], 2),
        "width_mm": np.round(size[:, 1], 2),
        "antenna_mm": _with_gaps(np.round(size[:, 2], 2), 1 / 14, rng),
        "site": np.where(meadow, "meadow", rng.choice(["wood", "hedge"], n)).astype(object),
        "caught": np.datetime64("2023-04-15") + rng.integers(0, 150, n),
        "species": species,
    }


# -- counts -----------------------------------------------------------------------------------------------
def breakdowns() -> Columns:
    """Breakdowns of 48 machines in 15 weeks each (counts, in groups).

    The truth is a Poisson regression: log rate = −1.1 + 0.02 hours − 0.5 serviced + 0.06 age + the line's share + the
    machine's own. Lines: A 0, B 0.3, C −0.3. A machine's own share is normal with standard deviation 0.25 and cannot
    be known before its weeks are, which is why the weeks of one machine must stay together. The room's temperature
    tells nothing; its gauge fails in one week of twenty.
    """
    rng, machines, weeks = generator(1204), 48, 15
    n = machines * weeks
    lines = {"A": 0.0, "B": 0.3, "C": -0.3}
    machine = np.repeat(np.arange(machines), weeks)
    line = _words(lines, [0.4, 0.35, 0.25], machines, rng)[machine]
    age = rng.integers(0, 16, machines)[machine]
    own = rng.normal(0, 0.25, machines)[machine]
    hours = np.round(np.clip(rng.normal(60, 18, n), 5, 120), 0)
    serviced = rng.random(n) < 0.3
    rate = np.exp(-1.1 + 0.02 * hours - 0.5 * serviced + 0.06 * age + _of(lines, line) + own)
    return {
        "machine": np.array([f"M{m + 1:02d}" for m in machine], dtype=object),
        "week": np.tile(np.arange(1, weeks + 1), machines),
        "line": line,
        "age_years": age,
        "hours": hours,
        "serviced": serviced,
        "room_celsius": _with_gaps(np.round(rng.normal(21, 2, n), 1), 0.05, rng),
        "breakdowns": rng.poisson(rate),
    }


# -- a series ---------------------------------------------------------------------------------------------
def power() -> Columns:
    """Daily demand for electricity of a small town over three years (a series).

    The truth: demand = 520 − 6 temperature − 90 on Sundays − 45 on Saturdays − 70 on holidays + a disturbance that
    keeps 0.6 of the day before and adds noise of standard deviation 12, so 15 in all. The temperature follows the year.
    What is known beforehand are the forecast of the temperature (off by 1.5 degrees), the calendar, and the demand of
    a week ago, which does not exist for the first seven days. The station did not report in one day of fifty.
    """
    rng, n = generator(1205), 1096
    day = np.datetime64("2021-01-01") + np.arange(n)
    turn = 2 * np.pi * np.arange(n) / 365.25
    temperature = 9 - 9 * np.cos(turn - 0.35) + rng.normal(0, 2.5, n)
    names = np.array(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], dtype=object)
    weekday = names[(np.arange(n) + 4) % 7]  # 1 January 2021 was a Friday
    holiday = (rng.random(n) < 0.03) & (weekday != "Sun")
    rest = np.zeros(n)
    for t, kick in enumerate(rng.normal(0, 12, n)):
        rest[t] = 0.6 * rest[t - 1] + kick if t else kick
    demand = 520 - 6 * temperature - 90 * (weekday == "Sun") - 45 * (weekday == "Sat") - 70 * holiday + rest
    demand = np.round(demand, 1)
    return {
        "day": day,
        "weekday": weekday,
        "holiday": holiday,
        "forecast_celsius": _with_gaps(np.round(temperature + rng.normal(0, 1.5, n), 1), 0.02, rng),
        "demand_a_week_ago": np.concatenate([np.full(7, np.nan), demand[:-7]]),
        "demand_mwh": demand,
    }
