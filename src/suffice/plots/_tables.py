"""Tables at the door of a figure: columns of numbers, groups of rows, points that are too many, units in names.

Seven groups keep a color and a mark of their own. Of more than eight the seven largest do, and the others are grey
together, so that no two colors have to be told apart that look alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, did_you_mean
from suffice._core.records import record
from suffice.plots._labels import LETTER, cut, subtitle, width
from suffice.plots._plane import MARKS
from suffice.plots._several import ROWS, rows_legend
from suffice.plots._style import MUTED, SMALL, legend
from suffice.plots._ticks import short_ticks
from suffice.plots.fits import HUES
from suffice.tables.cells import gaps
from suffice.tables.opening import open_columns

MOST_GROUPS = 8  # with a look of their own, the grey one included
MOST_DRAWN = 20_000  # points; of more a sample is drawn
UNLIKE = 200  # times as wide: what is narrower is a line
UNIT = re.compile(r"[(\[]([^()\[\]]+)[)\]]\s*$")


# -- columns ----------------------------------------------------------------------------------------------
def opened(table: Any) -> dict[str, np.ndarray]:
    """The columns of a table; a vector is a table of one column under its own name."""
    columns = open_columns(table)
    if list(columns) == ["x0"] and not isinstance(table, Mapping) and np.ndim(table) == 1:
        columns = {"value": columns["x0"]}
    if not columns or not len(next(iter(columns.values()))):
        raise InvalidInput("The table has no rows or no columns; there is nothing to draw.")
    return columns


def pick(columns: dict[str, np.ndarray], name: Any, role: str) -> str:
    """The name of a column that is asked for by name or number."""
    names = list(columns)
    if isinstance(name, int | np.integer) and not isinstance(name, bool) and 0 <= name < len(names):
        return names[name]
    if name not in names:
        raise InvalidInput(
            f"{role} must be a column of the table; got {name!r}.{did_you_mean(str(name), names)}"
        )
    return str(name)


def numbers(columns: dict[str, np.ndarray], name: Any, role: str, *, infinite: bool = False) -> np.ndarray:
    """A column as floats, with NaN for what cannot be drawn; `infinite` keeps infinity, to be counted."""
    name = pick(columns, name, role)
    column, empty = columns[name], gaps(columns[name])
    if empty.all():
        raise InvalidInput(f"Column {name!r} has no value; there is nothing to draw.")
    if column.dtype.kind not in "biuf":
        raise InvalidInput(
            f"{role} must be a column of numbers; {name!r} holds {column[~empty][0]!r:.40}. "
            "Draw counts of its values, or encode it first."
        )
    values = column.astype(float)
    return values if infinite else np.where(np.isfinite(values), values, np.nan)


def several(
    columns: dict[str, np.ndarray], chosen: Any, most: int, by: Any = None, *, infinite: bool = False
) -> dict[str, np.ndarray]:
    """The columns of numbers that are asked for, or all of them but the one that groups the rows."""
    if chosen is None:
        named = [
            n
            for n, c in columns.items()
            if c.dtype.kind in "biuf" and not _is_name(by, n) and not gaps(c).all()
        ]
    else:
        listed = [chosen] if isinstance(chosen, str | int) else list(chosen)
        named = list(dict.fromkeys(pick(columns, c, "columns") for c in listed))
    if not named:
        raise InvalidInput("The table has no column of numbers; there is nothing to draw.")
    if len(named) > most:
        raise InvalidInput(
            f"This figure draws at most {most} columns; got {len(named)}. Choose some by columns=[…]."
        )
    found = {name: numbers(columns, name, "columns", infinite=infinite) for name in named}
    if not any(np.isfinite(values).any() for values in found.values()):
        raise InvalidInput("None of the columns has a finite number; there is nothing to draw.")
    return found


def no_values(columns: dict[str, np.ndarray], chosen: Any = None) -> str:
    """A note on columns that nobody asked for and that are not drawn, since they have no value at all."""
    if chosen is not None:
        return ""
    empty = [cut(n, 16) for n, c in columns.items() if gaps(c).all()]
    more = f" and {len(empty) - 3} more" if len(empty) > 3 else ""
    return f"no values in {', '.join(empty[:3])}{more}" if empty else ""


def left_out(missing: int, infinite: int = 0) -> str:
    """A note on values that cannot be drawn."""
    parts = [f"{n} {what}" for n, what in ((missing, "missing"), (infinite, "infinite")) if n]
    one = missing + infinite == 1
    return f"{' and '.join(parts)} {'value is' if one else 'values are'} left out" if parts else ""


def note_on_widths(spans: Sequence[float]) -> str:
    """A note on columns that share an axis although one is so wide that another cannot be seen."""
    known = [span for span in spans if 0 < span < np.inf]
    if not known or max(known) / min(known) < UNLIKE:
        return ""
    return (
        f"the widest column is {max(known) / min(known):.2g} times as wide as the narrowest; draw them apart"
    )


def check_span(name: str, values: np.ndarray) -> None:
    """Raise for a range that is too long for an axis, which adds a margin to both sides."""
    known = values[np.isfinite(values)]
    if len(known) and float(known.max()) / 4 - float(known.min()) / 4 > np.finfo(float).max / 8:
        raise InvalidInput(
            f"Column {name!r} reaches from {known.min():.3g} to {known.max():.3g}, more than an axis can show; divide "
            "it by 1e10 first."
        )


def _is_name(by: Any, name: str) -> bool:
    return isinstance(by, str) and by == name


def unit(name: str) -> str | None:
    """What stands in brackets at the end of a name: the unit of its values."""
    found = UNIT.search(name)
    return found[1].strip() if found else None


def same_unit(names: Sequence[str]) -> bool:
    """Whether all names end in the same unit."""
    units = {unit(name) for name in names}
    return len(units) == 1 and None not in units


# -- groups -----------------------------------------------------------------------------------------------
@record
class Groups:
    """For every row the place of its group among `names`; each has a color and a mark. -1 is drawn first, in grey."""

    places: np.ndarray
    names: tuple[str, ...]
    rest: str

    @classmethod
    def of(cls, columns: dict[str, np.ndarray], by: Any) -> Groups:
        """By a column of the table, by a label for every row, or one group without a name."""
        if by is None:
            return cls(np.zeros(len(next(iter(columns.values()))), dtype=int), ("",), "")
        words = row_labels(columns, by)
        return cls._ranked(words, gaps(words))

    @classmethod
    def _ranked(cls, words: np.ndarray, missing: np.ndarray) -> Groups:
        names, codes, counts = np.unique(words[~missing].astype(str), return_inverse=True, return_counts=True)
        kept = np.arange(len(names))
        if len(names) > MOST_GROUPS:
            kept = np.sort(np.argsort(-counts, kind="stable")[: MOST_GROUPS - 1])
        elif len(names) == MOST_GROUPS:
            kept = kept[: MOST_GROUPS - 1]  # the last is grey, but named
        order = _in_order([str(names[k]) for k in kept])
        place = np.full(len(names), -1)
        place[kept[order]] = np.arange(len(kept))
        places = np.full(len(words), -1)
        places[~missing] = place[codes]
        return cls(places, tuple(str(names[k]) for k in kept[order]), _rest(names, kept, int(missing.sum())))

    @property
    def one(self) -> bool:
        """Whether the rows are not told apart."""
        return self.names == ("",)

    def parts(self) -> list[tuple[np.ndarray, str | None, dict[str, Any]]]:
        """(rows, name, look) of each group: the grey ones first, so that they lie below."""
        grey = {"color": MUTED, "marker": "x"}
        rest = [(np.flatnonzero(self.places == -1), _entry(self.rest, 34), grey)] if self.rest else []
        known = [
            (np.flatnonzero(self.places == i), _entry(name, 24), look)
            for i, (name, look) in enumerate(zip(self.names, _looks(len(self.names)), strict=True))
        ]
        return rest + known

    def at(self, rows: np.ndarray) -> Groups:
        """The groups of some rows."""
        return Groups(self.places[rows], self.names, self.rest)


def row_labels(columns: dict[str, np.ndarray], by: Any) -> np.ndarray:
    """The group of every row as a word, None where it is not known."""
    n = len(next(iter(columns.values())))
    found = {"": columns[pick(columns, by, "by")]} if isinstance(by, str | int) else open_columns(by)
    labels = next(iter(found.values())) if len(found) == 1 else None
    if labels is None or len(labels) != n:
        got = f"{len(found)} columns" if labels is None else len(labels)
        raise InvalidInput(f"by must have one label per row, {n}; got {got}.")
    return np.array(
        [None if gap else _word(v) for v, gap in zip(labels.tolist(), gaps(labels), strict=True)],
        dtype=object,
    )


def _word(value: Any) -> str:
    word = f"{value:g}" if isinstance(value, float) else str(value)
    return word if word.strip() else "(blank)"


def _entry(name: str, most: int) -> str | None:
    """A name for a legend, which would leave out one that begins with an underscore."""
    word = cut(name, most)
    return f" {word}" if word.startswith("_") else word or None


def _in_order(names: list[str]) -> np.ndarray:
    """By number where all names are numbers, else as they are sorted."""
    try:
        return np.argsort([float(name) for name in names], kind="stable")
    except ValueError:
        return np.arange(len(names))


def _rest(names: np.ndarray, kept: np.ndarray, missing: int) -> str:
    others = [str(n) for n in np.delete(names, kept)]
    told = others[0] if len(others) == 1 else f"{len(others)} smaller groups" if others else ""
    return "; ".join(word for word in (told, "no label" if missing else "") if word)


def _looks(n: int) -> list[dict[str, Any]]:
    return [{"color": HUES[i], "marker": MARKS[i]} for i in range(n)]


# -- rows -------------------------------------------------------------------------------------------------
def complete(values: Sequence[np.ndarray]) -> tuple[np.ndarray, str]:
    """Rows without a gap in any of the columns, and a note on those that have one."""
    known = np.all([np.isfinite(v) for v in values], axis=0)
    lost = int(np.sum(~known))
    if lost == len(known):
        raise InvalidInput("Every row has a missing cell in the columns to draw; there is nothing to draw.")
    return np.flatnonzero(known), f"{lost} of {len(known)} rows have missing cells" if lost else ""


def sample(rows: np.ndarray, most: int = MOST_DRAWN, seed: int = 0) -> tuple[np.ndarray, str]:
    """At most so many of the rows, drawn without replacement, and a note if some are left out."""
    if len(rows) <= most:
        return rows, ""
    chosen = np.random.default_rng(seed).choice(len(rows), most, replace=False)
    return rows[np.sort(chosen)], f"a sample of {thousands(most)} of {thousands(len(rows))} rows"


# -- words ------------------------------------------------------------------------------------------------
def thousands(count: int) -> str:
    """A count with commas between thousands, from five digits on."""
    return f"{count:,}" if count >= 10_000 else str(count)


def finish(ax: Any, *notes: str) -> None:
    """The legend, and above it what the picture leaves out."""
    short_ticks(ax)
    names = ax.get_legend_handles_labels()[1]
    level = sum(map(len, names)) + 4 * len(names) <= width(ax) / (LETTER * SMALL)
    (legend if level else rows_legend)(ax)
    told = "; ".join(note for note in notes if note)
    if told:
        subtitle(ax, told[0].upper() + told[1:], 1 if level else -(-len(names) // (1 + (len(names) > ROWS))))
