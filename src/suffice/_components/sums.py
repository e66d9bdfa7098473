"""Sums over rows, of which every field adds."""

from __future__ import annotations

from typing import Self

from suffice._core.records import fields


class FieldSums:
    """What responsibilities leave of rows: records that add field by field."""

    def __add__(self, other: Self) -> Self:
        return type(self)(
            *(a + b for a, b in zip(fields(self).values(), fields(other).values(), strict=True))
        )
