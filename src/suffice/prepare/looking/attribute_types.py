r"""What every column of a table means: its scale and continuity (DTU §2.1), with the reason.

The verdicts come from names and values (see `_scales`), and from the other columns where numbers may be names (see
`_relating`), so they are guesses: whether 3 is a count, a rating or the code of a country, no table can tell for
certain. Hence each has a sentence, and each may be overridden.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from suffice._core.errors import check_choice, did_you_mean
from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice._core.showing import escape
from suffice.prepare.looking._overriding import by_name, overridden, places
from suffice.prepare.looking._profile import Profile, profiles
from suffice.prepare.looking._relating import related_verdicts
from suffice.prepare.looking._scales import judge
from suffice.prepare.looking._verdict import Verdict
from suffice.prepare.looking.attributes import CONTINUITIES, SCALES, Attribute, Continuity, Kind, Scale
from suffice.prepare.looking.findings import SHOWN, encodable, more
from suffice.tables.opening import Table


@record
class AttributeTypes(Mapping):
    """The columns of a table and what they mean, by name.

    A mapping from names to `Attribute`, in the order of the table. `names` picks columns by what may be done with them.
    """

    attributes: tuple[Attribute, ...]

    def __getitem__(self, name: str) -> Attribute:
        found = next((a for a in self.attributes if a.name == name), None)
        if found is None:
            raise KeyError(f"There is no column {name!r}.{did_you_mean(str(name), tuple(self))}")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter([a.name for a in self.attributes])

    def __len__(self) -> int:
        return len(self.attributes)

    def names(
        self,
        scale: Scale | None = None,
        *,
        at_least: Scale | None = None,
        continuity: Continuity | None = None,
        kind: Kind | None = None,
        identifiers: bool = False,
    ) -> tuple[str, ...]:
        """Names of the columns of a scale, of at least a scale, of a continuity, of a kind; all that are asked hold.

        Columns that only name their rows are left out unless `identifiers` are wanted.
        """
        chosen = [a for a in self.attributes if identifiers or not a.identifier]
        if scale is not None:
            check_choice("scale", scale, SCALES)
            chosen = [a for a in chosen if a.scale == scale]
        if at_least is not None:
            chosen = [a for a in chosen if a.allows(at_least)]
        if continuity is not None:
            check_choice("continuity", continuity, CONTINUITIES)
            chosen = [a for a in chosen if a.continuity == continuity]
        return tuple(a.name for a in chosen if kind is None or a.kind == kind)

    def override(self, overrides: Mapping[str, Any]) -> AttributeTypes:
        """The same with some columns as you say; see `attribute_types`."""
        meanings = by_name(overrides, tuple(self), "overrides")
        return AttributeTypes(
            tuple(overridden(a, meanings[a.name]) if a.name in meanings else a for a in self.attributes)
        )

    def frame(self, kind: str = "pandas") -> Any:
        """One row per column of the table."""
        fields = ("name", "kind", "scale", "continuity", "identifier", "rows", "missing", "distinct", "why")
        columns = {field: [getattr(a, field) for a in self.attributes] for field in fields}
        return to_frame({**columns, "name": [encodable(a.name) for a in self.attributes]}, kind)

    def __repr__(self) -> str:
        lines = [" | ".join(row).rstrip() for row in _padded([HEAD, *map(_row, self.attributes[:SHOWN])])]
        return "\n".join([*lines, *more(len(self))])

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr>{''.join(f'<td>{escape(c)}</td>' for c in _row(a))}</tr>" for a in self.attributes[:SHOWN]
        )
        head = "".join(f"<th>{c}</th>" for c in HEAD)
        return (
            f"<table><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table>{''.join(more(len(self)))}"
        )


HEAD = ("column", "scale", "continuity", "why")


def _row(a: Attribute) -> tuple[str, ...]:
    scale = f"{a.scale} (identifier)" if a.identifier else a.scale
    return printable(a.name, 40), scale, a.continuity, a.why


def _padded(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    return [tuple(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in rows]


def printable(text: str, width: int = 60) -> str:
    """Text from the data in one short line that no terminal can be upset by."""
    plain = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text[: width + 1])
    return plain if len(plain) <= width else f"{plain[: width - 1]}…"


# -- the shell --------------------------------------------------------------------------------------------
def attribute_types(
    table: Any, overrides: Mapping[str, Any] | None = None, *, names: Sequence[Any] | None = None
) -> AttributeTypes:
    """Scale and continuity of every column, with the reason (DTU §2.1).

    Parameters
    ----------
    table
        A pandas, polars or Arrow table, a dict of columns, an array (structured or plain), a list of rows, or a record
        of `suffice.datasets`.
    overrides
        By column what is known better: a scale (`"nominal"`, `"ordinal"`, `"interval"`, `"ratio"`), a continuity
        (`"binary"`, `"discrete"`, `"continuous"`), `"identifier"`, a list of levels from the lowest (then the column is
        ordinal), or a dict of several: `{"scale": …, "continuity": …, "order": …, "identifier": …, "why": …}`.
    names
        Names of the columns of an array.

    Notes
    -----
    Names of a cycle (days of the week, months) are nominal, numbers of one (hours) interval; dates, years, temperatures
    and longitudes are interval. Amounts by name (weight, price) are continuous though rounded to whole numbers.

    Whole numbers without a hole are codes, thus nominal, where each goes its own way with several other columns: their
    order explains little of what they tell about these. In the same way numbers of persons or firms with several rows
    each are told from quantities (`repeats`). Neither the order of rows nor that of columns matters. A name is never
    the only evidence for leaving a column out.

    Examples
    --------
    >>> from suffice.prepare import attribute_types
    >>> cars = {"ID": [1, 2, 3, 4], "Weight": [3436, 2625, 2255, 1937], "Year": [70, 82, 76, 76],
    ...         "Safety": [4, 4, 3, 1], "Origin": ["France", "USA", "USA", "Germany"]}
    >>> types = attribute_types(cars, {"Safety": "ordinal"})
    >>> types
    column | scale                | continuity | why
    ID     | nominal (identifier) | discrete   | The name says identifier, and 4 rows have 4 different numbers: the
        numbers are names, and arithmetic with them has no meaning.
    Weight | ratio                | continuous | A measured amount: zero means none.
    Year   | interval             | discrete   | A calendar year: where years begin to count is a convention.
    Safety | ordinal              | discrete   | Said by the user.
    Origin | nominal              | discrete   | Words without a known order are names.
    >>> types["Year"].scale, types.names(at_least="interval")
    ('interval', ('Weight', 'Year'))
    """
    return meanings(profiles(Table.of(table, names)), overrides)


def meanings(columns: Mapping[str, Profile], overrides: Mapping[Any, Any] | None = None) -> AttributeTypes:
    """The verdict on columns that have been looked at, and what is known better; an order must have all values."""
    related = related_verdicts(columns)
    found = AttributeTypes(tuple(attribute(p, related.get(p.name)) for p in columns.values()))
    if not overrides:
        return found
    meanings = by_name(overrides, tuple(found), "overrides")
    found = found.override(meanings)
    for a in found.attributes:
        if a.name in meanings and a.order is not None:
            places(a, columns[a.name].distinct.tolist(), "overrides")
    return found


def attribute(p: Profile, found: Verdict | None = None) -> Attribute:
    """The verdict on a column that has been looked at, alone or, where it is given, among the others."""
    v = judge(p) if found is None else found
    assert v.continuity is not None
    start = (p.name, p.kind, v.scale, v.continuity, v.why, len(p.values), p.missing, len(p.distinct))
    return Attribute(*start, v.order, v.identifier, v.repeats, v.calendar)
