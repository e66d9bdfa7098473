"""What to say about the names of columns: a study numbers those that repeat and counts those that are empty."""

from __future__ import annotations

import re
from collections.abc import Sequence

TEXT = (".csv", ".tsv", ".txt")
HEAD = 1 << 20  # bytes of a file in which its header is looked for
SHOWN = 5


def remarks_on_names(before: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
    """Names that had to change, from those of the table and those in use."""
    renamed = [new for old, new in zip(before, after, strict=False) if old != new]
    empty = sum(not name.strip() for name in after)
    remarks = [_numbered(renamed)] if renamed else []
    if empty:
        remarks.append(f"{empty} column{' has' if empty == 1 else 's have'} an empty name.")
    return tuple(remarks)


def remarks_on_file(path: str, names: Sequence[str]) -> tuple[str, ...]:
    """Names of a text file that its reader has made, for its header does not hold them as they are."""
    if not path.lower().endswith(TEXT):
        return ()
    with open(path, "rb") as file:
        head = file.read(HEAD)
    taken = set(names)
    again = [n for n in names if _stem(n) in taken and n.encode() not in head]
    nameless = [n for j, n in enumerate(names) if n == f"column {j + 1}" and n.encode() not in head]
    remarks = [_numbered(again)] if again else []
    if nameless:
        remarks.append(f"Columns without a name in the file are called by their place: {_listed(nameless)}.")
    broken = [n for n in names if "\ufffd" in n]
    if broken:
        remarks.append(
            f"The header is not UTF-8: what cannot be read stands as \ufffd in {_listed(broken)}. Save it as UTF-8."
        )
    return tuple(remarks)


def plural(name: str) -> str:
    """What several of a column's values are called: `firms` of 'firm'; groups where the name is no plain word."""
    word = name.strip().replace("_", " ").lower()
    if not re.fullmatch(r"[a-z]{3,}(?: [a-z]{3,})*", word):
        return "groups"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word if word.endswith("s") and not word.endswith("ss") else f"{word}es"
    return f"{word[:-1]}ies" if word.endswith("y") and word[-2] not in "aeiou" else f"{word}s"


def _stem(name: str) -> str | None:
    found = re.fullmatch(r"(.*) \(\d+\)", name, flags=re.DOTALL)
    return found.group(1) if found else None


def _numbered(names: Sequence[str]) -> str:
    return f"Columns that share a name were numbered: {_listed(names)}."


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(f"{name!r:.60}" for name in names[:SHOWN]) + more
