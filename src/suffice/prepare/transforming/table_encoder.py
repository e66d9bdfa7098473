r"""A table as it comes, to numbers that every model takes (DTU §2.2 and §2.4).

numbers     as they are; a gap becomes the median, and one more column says where
categories  one column of zeros and ones per level except the most frequent one
times       days, and the turn of year, week and day as cosine and sine

The rules look at one column at a time and never at a target. They are fixed once they are fitted, so a model behind
them is validated from statistics; `state_` shows every one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Self, final

import numpy as np
from sklearn.base import TransformerMixin

from suffice._core.errors import InvalidInput, check_number, did_you_mean
from suffice._core.records import record, storable
from suffice._estimator import Estimator, check_is_fitted
from suffice.prepare.looking._columns import open_columns
from suffice.prepare.looking.attribute_types import attribute_types
from suffice.prepare.looking.attributes import Attribute
from suffice.prepare.transforming._column_codes import Code, joined, levels_code, number_code, time_code

MOST_COLUMNS_SHOWN = 12


@record
class Mismatch:
    """How a table differs from the one an encoder was fitted to.

    `absent` and `extra` are names of columns; `strangers` counts, by column, the cells with a level or a word that the
    fit has not met; `gaps` the missing cells in columns that had none.
    """

    absent: tuple[str, ...]
    extra: tuple[str, ...]
    strangers: dict[str, dict[str, int]]
    gaps: dict[str, int]

    def __bool__(self) -> bool:
        return bool(self.absent or self.extra or self.strangers or self.gaps)


@final
@storable
@dataclass(eq=False, repr=False)
class TableEncoder(TransformerMixin, Estimator):
    """Numbers from a table of numbers, categories, truths, dates and gaps.

    Parameters
    ----------
    types
        What columns mean, by name, as for `attribute_types`; "unused" leaves a column out.
    most_levels
        Levels of a category that get a column each, the most frequent ones; all others share one, "other".
    least_rows
        A level with fewer rows than this belongs to "other".

    Examples
    --------
    >>> from suffice.prepare import TableEncoder
    >>> table = {"age": [31, 45, None, 28], "city": ["Oslo", "Rome", "Oslo", "Oslo"]}
    >>> model = TableEncoder(least_rows=1).fit(table)
    >>> model.get_feature_names_out()
    array(['age', 'age is missing', 'city = Rome'], dtype=object)
    >>> model.transform(table)
    array([[31.,  0.,  0.],
           [45.,  0.,  1.],
           [31.,  1.,  0.],
           [28.,  0.,  0.]])
    """

    _: KW_ONLY
    types: Mapping[str, Any] | None = None
    most_levels: int = 20
    least_rows: int = 5

    state_: tuple[Any, ...] = field(init=False)
    unused_: dict[str, str] = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn a rule per column; y is ignored."""
        check_number("most_levels", self.most_levels, low=1)
        check_number("least_rows", self.least_rows, low=1)
        columns = open_columns(X)
        if not columns or not len(next(iter(columns.values()))):
            raise InvalidInput("A table needs at least one row and one column.")
        said = dict(self.types or {})
        left_out = {name for name, kind in said.items() if isinstance(kind, str) and kind == "unused"}
        known = attribute_types(columns, {n: kind for n, kind in said.items() if n not in left_out})
        codes: list[Code] = []
        unused: dict[str, str] = {}
        for name, values in columns.items():
            reason = "left out on request" if name in left_out else _why_unused(known[name])
            if reason is None:
                codes.append(self._code(known[name], values))
            else:
                unused[name] = reason
        self.state_, self.unused_ = tuple(codes), unused
        self.n_features_in_, self.feature_names_in_ = len(columns), np.array(list(columns), dtype=object)
        return self

    def _code(self, a: Attribute, values: np.ndarray) -> Code:
        if a.kind == "times":
            return time_code(a.name, values)
        if a.kind == "text" or (a.scale == "nominal" and a.kind != "flags"):
            return levels_code(a.name, values, self.most_levels, self.least_rows)
        return number_code(a.name, values)

    def transform(self, X: Any) -> np.ndarray:
        """A matrix of numbers without gaps; columns that the fit has not met are ignored, see `mismatch`."""
        check_is_fitted(self)
        columns = self._opened(X)
        used = [columns[code.name] for code in self.state_]
        return joined(self.state_, used, len(next(iter(columns.values()))))

    def _opened(self, X: Any) -> dict[str, np.ndarray]:
        columns = open_columns(X)
        absent = [code.name for code in self.state_ if code.name not in columns]
        if absent:
            shown = ", ".join(map(repr, absent[:MOST_COLUMNS_SHOWN]))
            raise InvalidInput(f"The table lacks {shown}.{did_you_mean(absent[0], list(columns))}")
        return columns

    def mismatch(self, X: Any) -> Mismatch:
        """What is unlike the table of the fit."""
        check_is_fitted(self)
        columns = open_columns(X)
        here = [code for code in self.state_ if code.name in columns]
        odd = {code.name: code.strangers(columns[code.name]) for code in here}
        return Mismatch(
            tuple(c.name for c in self.state_ if c.name not in columns),
            tuple(name for name in columns if name not in set(self.feature_names_in_)),
            {name: dict(Counter(found).most_common()) for name, found in odd.items() if found},
            {},
        )

    def sources(self) -> tuple[str, ...]:
        """For every column of the result, the column of the table that it comes from."""
        check_is_fitted(self)
        return tuple(code.name for code in self.state_ for _ in code.names)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """What the columns of the result are called."""
        check_is_fitted(self)
        return np.array([name for code in self.state_ for name in code.names], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "state_")


def _why_unused(a: Attribute) -> str | None:
    """Why a column says nothing about other rows; None if it may."""
    if a.kind == "nothing" or a.missing == a.rows:
        return "has no values"
    if a.distinct == 1 and not a.missing:
        return "does not vary"
    if a.identifier:
        return "only names its rows"
    if a.kind == "text" and a.distinct > max(20, 0.5 * (a.rows - a.missing)):
        return f"nearly every row has its own text ({a.distinct} different ones)"
    return None
