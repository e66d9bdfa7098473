"""Operations about attributes: what a table's columns mean, statements about that, and what an audit finds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from suffice.prepare import allowed_ops, attribute_types, audit
from suffice.prepare.looking.attributes import CONTINUITIES, SCALES


class Attributes:
    """Scales (0 nominal … 3 ratio) and continuities (0 binary, 1 discrete, 2 continuous) of columns by description.

    A statement is a list of pairs (place of a column, a scale or a continuity); it holds where all pairs do.
    """

    def __init__(self, columns: list[dict[str, Any]], statements: list[list[list[Any]]] | None = None):
        types = attribute_types({c["name"]: c["values"] for c in columns})
        self.types, self.statements = list(types.values()), statements or []

    def scales(self):
        return [SCALES.index(a.scale) for a in self.types]

    def continuities(self):
        return [CONTINUITIES.index(a.continuity) for a in self.types]

    def holds(self):
        return [int(all(self._is(self.types[j], word) for j, word in s)) for s in self.statements]

    def _is(self, attribute, word):
        if word == "discrete":
            return attribute.continuity != "continuous"  # binary is discrete with two values
        return word in (attribute.scale, attribute.continuity)


class Operations:
    """How many operations each scale allows."""

    def numbers(self):
        return [len(allowed_ops(s)) for s in SCALES]


class Cars:
    """The printed rows of a raw table, looked at by the audit."""

    def __init__(self, columns: list[dict[str, Any]]):
        self.table = {c["name"]: [None if v == "NaN" else v for v in c["values"]] for c in columns}
        self.report, self.types = audit(self.table), attribute_types(self.table)

    def scales(self):
        return [SCALES.index(a.scale) for a in self.types.values()]

    def impossible(self):
        """Rows with a value that cannot be."""
        return [
            row for f in self.report.of("impossible", "lone sign", "outliers", "sentinel") for row in f.rows
        ]

    def missing(self):
        return [row for f in self.report.of("missing") for row in f.rows]

    def repeated(self):
        return [row for f in self.report.of("repeated identifier") for row in f.rows]

    def findings(self):
        return len(self.report)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "attributes": Attributes,
    "allowed_operations": Operations,
    "raw_cars": Cars,
}
