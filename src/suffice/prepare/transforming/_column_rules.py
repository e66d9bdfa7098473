r"""From a column of a table to its code, or to the reason why it has none.

Text that holds numbers or dates is read first (`_text_settling`). Then `attribute_types` says what the column means,
unless the user does, and the other columns may say that numbers are names (`related_verdicts`). Nothing here depends on
the order of the rows, nor of the columns.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter
from suffice._core.records import record
from suffice.prepare.looking._checks.wording import listed, quoted
from suffice.prepare.looking._profile import Profile, profile
from suffice.prepare.looking._verdict import Verdict
from suffice.prepare.looking.attribute_types import AttributeTypes, attribute
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.transforming._cell_reading import counted_words, word_of
from suffice.prepare.transforming._column_codes import Code, levels_code, number_code, rank_code, time_code
from suffice.prepare.transforming._text_settling import Settled, settled

FREE = 20  # different texts that are few in any table
FEW_ROWS = 10  # of a unit, about which nothing is learned


@record
class Ruling:
    """What becomes of a column: a code, or the reason for none; and a remark if its cells were read as another kind."""

    code: Code | None
    why: str = ""
    remark: str = ""


@record
class Look:
    """A column as it is taken: text that holds numbers or dates has become these."""

    profile: Profile
    settled: Settled


def look_at(
    name: str,
    values: np.ndarray,
    given: Any,
    levels: tuple[str, ...] | None,
    category: bool,
    decimal: str | None = None,
) -> Look:
    """What a column holds. `said` is what the user says it means, `levels` and `category` what the table says."""
    looked = _looked(name, values, levels, category)
    found = settled(looked, given, decimal)
    p = looked if found.values is looked.values else _looked(name, found.values, levels, category)
    return Look(p, found)


def ruling_for(look: Look, given: Any, verdict: Verdict | None, most: int, least: int) -> Ruling:
    """The code of a column. `verdict` is what the other columns say of it, where they say anything."""
    p, found = look.profile, look.settled
    meaning = _meaning(p, given, verdict)
    why = _why_unused(meaning, p, given is not None, most)
    if why:
        return Ruling(None, why, found.remark)
    return Ruling(_code(meaning, p, found, most, least), remark=found.remark)


def _meaning(p: Profile, given: Any, verdict: Verdict | None) -> Attribute:
    found = AttributeTypes((attribute(p, verdict),))
    if given is None:
        return found[p.name]
    try:
        return found.override({p.name: given})[p.name]
    except InvalidParameter as error:
        raise InvalidParameter(str(error).replace("overrides", "types", 1)) from None


def _looked(name: str, values: np.ndarray, levels: tuple[str, ...] | None, category: bool) -> Profile:
    """A look that does not depend on the order of the rows."""
    p = profile(name, values, levels, category)
    if p.kind == "text" and len(p.distinct) > 1:
        order = sorted(range(len(p.distinct)), key=lambda i: str(p.distinct[i]))
        return replace(p, distinct=p.distinct[order], counts=p.counts[order])
    return p


# -- the verdict ------------------------------------------------------------------------------------------
def _why_unused(a: Attribute, p: Profile, given: bool, most: int) -> str:
    """Why a column says nothing about other rows; empty if it may."""
    known = p.known
    if a.kind == "nothing" or not known:
        return f"has no values in {len(p.values)} rows"
    first = quoted(_first(p))
    if len(p.distinct) == 1 and not p.missing:
        return f"does not vary: every row has {first}"
    if a.identifier:
        return f"only names its rows: {len(p.distinct)} different values in {known} rows, such as {first}"
    if a.repeats and len(p.distinct) > most and known < FEW_ROWS * len(p.distinct):
        each = f"{known / len(p.distinct):.2g} rows each{'' if np.ptp(p.counts) == 0 else ' on average'}"
        return f"names {len(p.distinct)} units with {each}, too few to learn about each, and its order says nothing"
    if a.kind == "text" and not given and a.order is None and len(p.distinct) > max(FREE, 0.5 * known):
        return f"nearly every row has its own text: {len(p.distinct)} different ones in {known} rows, such as {first}"
    return ""


def _first(p: Profile) -> Any:
    """The first value, as it is told to people."""
    cell = p.distinct[0]
    if p.kind == "times":
        return word_of(cell.astype(f"{cell.dtype.kind}8[us]").item())
    return cell.item() if isinstance(cell, np.generic) else cell


def _code(a: Attribute, p: Profile, found: Settled, most: int, least: int) -> Code:
    values = found.values
    if len(p.distinct) == 1:
        return levels_code(a.name, values, most, 1)  # only where it is missing tells anything
    if a.order is not None:
        return _ranked(a, values)
    if a.kind == "times" and a.scale != "nominal":
        spans = values.dtype.kind == "m"
        return number_code(a.name, values) if spans else time_code(a.name, values, found.pattern)
    if a.kind == "flags" or (a.kind == "numbers" and a.scale == "nominal" and len(p.distinct) == 2):
        return number_code(a.name, values, True, found.mark)
    if a.kind in ("text", "times") or a.scale == "nominal":
        if a.kind == "text" and a.scale == "ordinal":
            raise InvalidParameter(
                f"types[{a.name!r}] is 'ordinal', but the order of its words is not known. Give it: a list of the "
                "levels, the lowest first."
            )
        return levels_code(a.name, values, most, least, _counts(p))
    return number_code(a.name, values, mark=found.mark)


def _counts(p: Profile) -> Counter[str] | None:
    """How often each word was met, where the look has counted nothing but words."""
    if p.kind != "text" or not set(map(type, p.values)) <= {str, type(None)}:
        return None
    return Counter(dict(zip(p.distinct.tolist(), p.counts.tolist(), strict=True)))


def _ranked(a: Attribute, values: np.ndarray) -> Code:
    assert a.order is not None
    known = counted_words(values)
    if not known.keys() & set(a.order):
        raise InvalidParameter(
            f"types[{a.name!r}] must list levels of the column, which has {listed(known)}; got {listed(a.order)}."
        )
    return rank_code(a.name, values, a.order)
