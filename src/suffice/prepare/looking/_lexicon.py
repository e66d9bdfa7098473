"""Words that say what a column means: in its name, and among its values.

A name is cut into lower-case words (`carWeight_kg` is car, weight, kg). The lists are short on purpose: a word that
is often wrong does more harm than one that is missing.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise


def set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


# -- names ------------------------------------------------------------------------------------------------
IDENTIFIER = set_of("id ids uuid guid identifier rowid index key pk hash")
# each may be numbered, once or in several rows
UNIT = set_of(
    "nr no row rows rownames rownumber unnamed obs observation record case sample individual person subject patient "
    "participant respondent customer client user member employee worker student pupil passenger household family firm "
    "company plant school hospital clinic site store shop animal pair twin"
)
CODE = set_of(
    "code codes zip zipcode postal postcode plz ssn isbn issn iban ean sku barcode fips icd naics vin"
)
NUMBERED = set_of("phone telephone tel mobile fax serial pin account")  # codes if nothing follows
CLASS = set_of(
    "class label labels category group cluster type kind sex gender race ethnicity origin species brand make model "
    "color colour region country state city county district sector department segment blood religion nationality "
    "occupation job marital smoker status"
)
COUNT = set_of("number count counts num n qty quantity children siblings visits cylinders doors bedrooms")
MEASURE = set_of(
    "weight mass height width length depth thickness area volume distance dist elevation elev altitude speed velocity "
    "horsepower acceleration pressure power energy duration seconds time liters litres consumption income price cost "
    "salary wage revenue amount balance mpg density concentration bmi radius diameter perimeter"
)
RATING = set_of(
    "rating ratings stars star rank ranking grade likert satisfaction severity stage quality safety order position "
    "place level priority importance agreement finish"
)
STEPS = set_of("t time step period tick trial epoch")
NON_NEGATIVE = set_of(
    "age price cost salary wage count quantity qty weight height width length area mass distance population "
    "horsepower mpg income"
)
PERCENT = set_of("percent percentage pct")
RANGES = (  # names, and the least and largest value that they allow
    (set_of("latitude lat"), -90, 90),
    (set_of("longitude lon lng"), -180, 180),
    (set_of("probability prob proba fraction proportion share"), 0, 1),
    (set_of("month"), 1, 12),
    (set_of("hour"), 0, 24),
    (set_of("minute second"), 0, 60),
    (set_of("weekday dayofweek dow"), 0, 7),
    (set_of("quarter"), 1, 4),
)
CYCLE = {
    "hour": 24, "minute": 60, "second": 60, "month": 12, "weekday": 7, "dayofweek": 7, "dow": 7, "day": 366,
    "week": 53, "quarter": 4,
}  # fmt: skip
CONVENTIONS = (  # words of a name, and why its zero is none of nature's
    (
        "temperature temp celsius fahrenheit tmin tmax tmean",
        "the zero of a temperature scale is a convention (override it for kelvin)",
    ),
    ("longitude longitudinal latitude lon lng lat", "where the zero meridian lies is a convention"),
    (
        "date datetime timestamp epoch unix unixtime",
        "dates differ by spans of time, and the first day is a convention",
    ),
    ("ph db dbm decibel", "a logarithm: its zero is one unit, not none"),
    ("iq elo", "scores whose zero is a convention"),
)
INTERVAL = {word: why for words, why in CONVENTIONS for word in words.split()}


def name_words(name: str) -> tuple[str, ...]:
    """The lower-case words of a name.

    >>> name_words("carWeight_kg"), name_words("Zip-Code 2")
    (('car', 'weight', 'kg'), ('zip', 'code', '2'))
    """
    split = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    return tuple(w.lower() for w in re.findall(r"[^\W_]+", split))


def main_word(name: str) -> str:
    """The last word of a name that is neither a number nor the word for one; this says what a column holds.

    >>> main_word("phone number"), main_word("student score"), main_word("id 2")
    ('phone', 'score', 'id')
    """
    plain = [w for w in name_words(name) if not w.isdigit()]
    return next(
        (w for w in reversed(plain) if w not in ("number", "num", "no", "nr")), plain[-1] if plain else ""
    )


def says_identifier(name: str) -> bool:
    """Whether a name says that each row, or each unit, has one of its own: `customer id`, `id_customer`."""
    words = name_words(name)
    return main_word(name) in IDENTIFIER or (words[:1] == ("id",) and main_word(name) in UNIT)


def says_unit(name: str) -> bool:
    """Whether a name is that of units which may be numbered: `patient`, `firm nr`, `Unnamed: 0`."""
    return main_word(name) in UNIT


# -- values -----------------------------------------------------------------------------------------------
ORDERED = tuple(
    tuple(tuple(level.split("/")) for level in line.split(", "))
    for line in (
        "very low/lowest, low/lo, medium/mid/moderate/average/normal/middle, high/hi, very high/highest",
        "never, rarely/seldom/almost never, sometimes/occasionally, often/frequently/usually, almost always, always",
        "xxs, xs, s, m, l, xl, xxl, xxxl",
        "tiny/very small, small/short, medium/mid/middle, large/big/tall, huge/very large",
        "terrible/very bad/very poor/awful, bad/poor, fair/ok/okay/average/acceptable/neutral, good, very good, "
        "excellent/great/outstanding",
        "strongly disagree, disagree, neutral/neither/undecided/neither agree nor disagree, agree, strongly agree",
        "very dissatisfied, dissatisfied/unsatisfied, neutral/neither, satisfied, very satisfied",
        "very unlikely, unlikely, neutral/possible, likely, very likely",
        "none/no/absent, mild/slight/minor, moderate, severe/serious/major, very severe/critical",
        "beginner/novice, intermediate, advanced, expert",
        "bronze, silver, gold, platinum, diamond",
        "freezing, cold, cool, mild/warm, hot",
        "young/child, adult/middle-aged/middle aged, old/elderly/senior",
        "slow, medium/normal, fast",
        "light, medium, heavy",
        "first/1st, second/2nd, third/3rd, fourth/4th, fifth/5th, sixth/6th",
        "primary/elementary, secondary/high school, tertiary/bachelor/college, master/masters, doctorate/phd",
        "low risk, medium risk, high risk",
        "info, warning, error, critical/fatal",
    )
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
YES_NO = set_of("yes no y n true false t f on off male female m present absent positive negative")
ABSENT = frozenset(
    {
        "", "na", "n/a", "nan", "null", "none", "nil", "missing", "unknown", "?", "-", "--", ".", "#n/a", "#na",
        "nat", "<na>", "not available", "not applicable", "#value!", "#div/0!", "#ref!", "(null)",
    }
)  # fmt: skip


def folded(word: str) -> str:
    """A word without case, accents and spare blanks."""
    plain = unicodedata.normalize("NFKD", word)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return " ".join(plain.casefold().replace("_", " ").split())


def ordered_words(words: set[str]) -> tuple[str, ...] | None:
    """The words from the lowest, where all of them belong to one scale that everybody knows; else None."""
    plain = {w: folded(w) for w in words}
    least = 2 if any(len(p) > 1 for p in plain.values()) else 3  # m and s alone may stand for anything
    for levels in ORDERED:
        place = {word: i for i, level in enumerate(levels) for word in level}
        if len(words) >= least and all(p in place for p in plain.values()):
            return tuple(sorted(words, key=lambda w: (place[plain[w]], w)))
    return None


def cycle_words(words: set[str]) -> str | None:
    """Whether words are days of the week or months, whole or cut to three letters."""
    plain = {folded(w).rstrip(".") for w in words}
    for what, names in (("days of the week", WEEKDAYS), ("months", MONTHS)):
        known = {*names, *(n[:3] for n in names)}
        if len(plain) > 1 and plain <= known:
            return what
    return None


RANGE = re.compile(r"^\s*(?:[<≤]=?\s*)?(-?\d+(?:\.\d+)?)\s*(?:-|–|to|\.\.)\s*(\d+(?:\.\d+)?)\s*$")
EDGE = re.compile(
    r"^\s*(<=?|≤|>=?|≥|under|below|over|above)\s*(-?\d+(?:\.\d+)?)\s*$|^\s*(-?\d+(?:\.\d+)?)\s*\+\s*$"
)


def ordered_ranges(words: set[str]) -> tuple[str, ...] | None:
    """Ranges of numbers such as `10-19`, `<20`, `65+`, from the lowest; None when a word is none, or two overlap."""
    spans = {w: _span(w) for w in words}
    found = {w: s for w, s in spans.items() if s is not None}
    if len(found) < max(3, len(words)):
        return None
    order = tuple(sorted(found, key=lambda w: found[w]))
    apart = all(found[a][1] <= found[b][0] for a, b in pairwise(order))
    return order if apart else None


def _span(word: str) -> tuple[float, float] | None:
    if found := RANGE.match(word):
        low, high = float(found[1]), float(found[2])
        return (low, high) if low <= high else None
    if found := EDGE.match(word):
        if found[3]:
            return float(found[3]), float("inf")
        edge = float(found[2])
        return (-float("inf"), edge) if found[1][0] in "<≤ub" else (edge, float("inf"))
    return None
