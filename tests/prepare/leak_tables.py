"""Tables with one leak of each of ten kinds, and clean tables that come near to one."""

import numpy as np

WORDS = np.array([f"w{i}" for i in range(30)], dtype=object)


def features(rng, z, d, most=0.98):
    """Columns of many shapes that share up to `most` of their variance with z."""
    shapes = (
        lambda x: x,
        np.exp,
        lambda x: np.round(2 * x),
        lambda x: np.maximum(x, 0),
        lambda x: np.digitize(x, [-1, 0, 1]) + 1,
        lambda x: np.round(10 * x, 1) + 50,
    )
    found = {}
    for j in range(d):
        share = rng.choice([0, 0.1, 0.5, 0.9, most])
        x = np.sqrt(share) * z + np.sqrt(1 - share) * rng.normal(size=len(z))
        found[f"x{j}"] = shapes[rng.integers(len(shapes))](x)
    return found


# -- ten kinds --------------------------------------------------------------------------------------------
def copy(rng, z):
    y = 50 + 10 * z
    return y, {"k": y.copy()}, {"k": 50 + 9 * z + 3 * rng.normal(size=len(z))}


def rounded(rng, z):
    y = 50 + 10 * z
    return y, {"k": 5 * np.round(y / 5)}, {"k": 5 * np.round((y + 3 * rng.normal(size=len(z))) / 5)}


def shifted(rng, z):
    y = 50 + 10 * z
    return y, {"k": 3 - 2.5 * y}, {"k": 3 - 2.5 * (y + 2 * rng.normal(size=len(z)))}


def sum_of_parts(rng, z):
    y, b = np.round(50 + 10 * z, 1), np.round(rng.normal(20, 5, len(z)), 1)
    noise = 2 * rng.normal(size=len(z))
    return y, {"a": np.round(y - b, 1), "b": b}, {"a": np.round(y - b + noise, 1), "b": b}


def ratio(rng, z):
    y, b = 50 + 10 * z, rng.uniform(1, 9, len(z))
    return y, {"a": y * b, "b": b}, {"a": y * b * np.exp(0.1 * rng.normal(size=len(z))), "b": b}


def id_order(rng, z):
    y = 50 + 10 * z
    return y, {"id": np.argsort(np.argsort(y)) + 1}, {"id": rng.permutation(len(z)) + 1}


def gap_pattern(rng, z):
    y = np.where(z > 0, "paid", "open").astype(object)
    x = rng.normal(size=len(z))
    some = rng.random(len(z)) < 0.3 + 0.3 * (z > 0)
    return y, {"k": np.where(z > 0, np.nan, x)}, {"k": np.where(some, np.nan, x)}


def aggregate(rng, z):
    y, g = 50 + 10 * z, rng.integers(0, len(z) // 8, len(z))
    means = np.bincount(g, y)[g] / np.bincount(g)[g]
    known_before = 50 + rng.normal(size=len(z) // 8)[g]
    shop = np.array([f"shop {i}" for i in g], dtype=object)
    return y, {"shop": shop, "k": means}, {"shop": shop, "k": known_before}


def time_travel(rng, z):
    n = len(z)
    walk = np.cumsum(rng.normal(size=n + 1)) + rng.normal(size=n + 1)
    day = np.datetime64("2020-01-01") + np.arange(n)
    return walk[:-1], {"day": day, "k": walk[1:]}, {"day": day, "k": np.append(0.0, walk[: n - 1])}


def text(rng, z):
    y = np.round(50 + 10 * z, 1)
    cells = [" ".join(rng.choice(WORDS, 3)) for _ in z]
    known = np.array(
        [f"{c} paid {v:.1f} on day {rng.integers(1, 28)}" for c, v in zip(cells, y, strict=True)],
        dtype=object,
    )
    other = rng.permutation(y)
    clean = np.array([f"{c} asked {v:.1f} on day 3" for c, v in zip(cells, other, strict=True)], dtype=object)
    return y, {"k": known}, {"k": clean}


KINDS = (copy, rounded, shifted, sum_of_parts, ratio, id_order, gap_pattern, aggregate, time_travel, text)


def leaking(kind, n=200, seed=0):
    """A table with the leak, the same without it, and the columns that leak."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    others = features(rng, z, 5, 0.9)
    y, leak, clean = kind(rng, z)
    order = rng.permutation(n)
    tables = [
        {name: np.asarray(v)[order] for name, v in {**others, **c, "y": y}.items()} for c in (leak, clean)
    ]
    return *tables, set(leak) - {"shop", "day"}


# -- clean tables -----------------------------------------------------------------------------------------
def measured(rng, n, d):
    z = rng.normal(size=n)
    return features(rng, z, d) | {"y": np.exp(z) if d % 2 else z}


def two_classes(rng, n, d):
    z = rng.normal(size=n)
    return features(rng, z, d) | {"y": (z > rng.choice([0, 1, 1.6])).astype(int)}


def four_classes(rng, n, d):
    z = rng.normal(size=n)
    names = np.array(["low", "mid", "high", "top"], dtype=object)
    return features(rng, z, d) | {"y": names[np.digitize(z, [-0.7, 0.2, 1.2])]}


def counts(rng, n, d):
    z = rng.normal(size=n)
    return features(rng, z, d) | {"y": rng.poisson(np.exp(0.7 * z + 1))}


def trending(rng, n, d):
    t = np.arange(n)
    walks = {f"s{j}": rng.uniform(0.5, 3) * t + 2 * np.cumsum(rng.normal(size=n)) for j in range(min(d, 10))}
    return {"year": 1800 + t, **walks, "y": 2.0 * t + np.cumsum(rng.normal(size=n))}


def growing(rng, n, d):
    t = np.arange(n) / n

    def series():
        return 100 * np.exp(3 * t + 0.02 * np.cumsum(rng.normal(size=n)))

    return {
        "date": np.datetime64("1990-01-01") + np.arange(n),
        **{f"s{j}": series() for j in range(min(d, 10))},
        "y": series(),
    }


def many_levels(rng, n, d):
    g = rng.integers(0, max(5, n // 4), n)
    effect = 3 * rng.normal(size=n)[g]
    city = np.array([f"city {i}" for i in g], dtype=object)
    known = np.round(effect + 0.5 * rng.normal(size=n)[g], 2)
    return {
        "city": city,
        "known": known,
        **features(rng, rng.normal(size=n), min(d, 6)),
        "y": effect + 0.3 * rng.normal(size=n),
    }


def survey(rng, n, d):
    z = rng.normal(size=n)

    def answers():
        return np.clip(np.round(3 + z + 0.5 * rng.normal(size=n)), 1, 5).astype(int)

    return {f"q{j}": answers() for j in range(min(d, 12))} | {"y": answers()}


def rare(rng, n, d):
    z = rng.normal(size=n)
    some = {f"x{j}": np.where(rng.random(n) < 0.9, 0.0, rng.gamma(2, size=n) + (z > 1)) for j in range(d)}
    y = (z + 0.5 * rng.normal(size=n) > 1.7).astype(int)
    y[:3] = 1
    return some | {"y": y}


def panel(rng, n, d):
    firms, years = max(6, n // 8), 8
    firm = np.repeat(np.arange(firms), years)
    u = rng.normal(size=firms)[firm]
    year = np.tile(2000 + np.arange(years), firms)
    noise = {f"x{j}": u + rng.normal(size=len(u)) for j in range(min(d, 8))}
    size = np.round(rng.lognormal(size=firms), 2)[firm]
    return {
        "firm": firm,
        "year": year,
        "size": size,
        **noise,
        "y": 2 * u + 0.3 * (year - 2000) + rng.normal(size=len(u)),
    }


CLEAN = (measured, two_classes, four_classes, counts, trending, growing, many_levels, survey, rare, panel)


def clean(seed):
    """One of ten kinds of clean tables, of 30 to 1,000 rows and up to 60 columns."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.choice([30, 40, 60, 100, 200, 500, 1000])), int(rng.choice([2, 5, 8, 20, 60]))
    return CLEAN[seed % len(CLEAN)](rng, n, d)
