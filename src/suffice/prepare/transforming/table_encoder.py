r"""A table as it comes, to numbers that every model takes (DTU §2.2 and §2.4).

numbers     as they are; a gap becomes the median, and one more column says where
orders      the rank of the word, 0, 1, …
categories  one column of zeros and ones per level except the most frequent one
times       days, and the turn of year, week and day as cosine and sine

The rules never look at a target, and at other columns only to tell names that are written in digits from quantities.
They are fixed once they are fitted, so a model behind them is validated from statistics; `state_` shows every one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, field, replace
from difflib import get_close_matches
from typing import Any, Self, final

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.validation import _check_feature_names, _check_feature_names_in

from suffice._core.errors import InvalidInput, InvalidParameter, check_number, did_you_mean
from suffice._core.records import estimator
from suffice._estimator import Estimator, check_is_fitted
from suffice.prepare.looking._checks.wording import listed
from suffice.prepare.looking._decimal_marks import checked_marks
from suffice.prepare.looking._relating import related_verdicts
from suffice.prepare.transforming._column_codes import Code, NumberCode, joined
from suffice.prepare.transforming._column_rules import look_at, ruling_for
from suffice.prepare.transforming._typed_table import open_named
from suffice.prepare.transforming.mismatch import Mismatch
from suffice.tables.opening import has_names, unique
from suffice.tables.requiring import same_number

UNUSED = "unused"

__all__ = ["Mismatch", "TableEncoder"]


@final
@estimator
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
    decimal
        The decimal mark of numbers in text, "." or ","; or a mapping from columns to their marks. Left out, each
        column decides once for all its cells.

    Notes
    -----
    A column that varies is one of these; `unused_` says why another is left out, and `remarks_` where text was read
    as numbers or dates.

    - Numbers stay what they are, spans of time are told in days, truths are 0 and 1. A gap (or ±inf) gets the median
      of the fit (the mean where there are two values), and, if the fit met one, a column that says where.
    - Words with an order (ordered categories of pandas, low < medium < high, a list in `types`) become their rank: one
      step counts like another. Say "nominal" to give each level a weight of its own.
    - Other words, and numbers that are names (see `attribute_types`), become a column per level; numbers of more units
      than `most_levels` with few rows each are left out. A gap is a level where the fit met one; an empty word is a
      level like any other, as for `audit`.
    - Moments become days since the first one; a year, week or day that they go through twice becomes a circle.
    - Text of which 95 in 100 cells are numbers, or dates, is taken for them; the other cells are gaps. The decimal mark
      of a column is decided by the words that have one reading only ("1,5", "1,234.5"), and kept for new tables. A
      column that could be read in two ways ("1,234") stays text, and `remarks_` shows both.

    In a new table a column that is not there is an error, one that is not known is ignored. A level that the fit has
    not met counts as the average row, that is, the shares of the levels; a word among numbers is a gap, and so is a
    third value where the fit met two. `mismatch` counts all of these.

    Tables with names are read by name, in any order; arrays by place. There are no weights: a rule is about which
    values there are, and a row that counts twice has no other values than one that counts once.

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
    >>> print(*model.mismatch({"age": ["33", "old"], "city": ["Rome", "Lima"]}).sentences(), sep="\\n")
    Column 'age' has 1 cell that the fit was not prepared for ('old' 1×); taken as 31, the median of the fit.
    Column 'city' has 1 cell that the fit was not prepared for ('Lima' 1×); taken as the average row: the shares
        of the levels.
    """

    _: KW_ONLY
    types: Mapping[str, Any] | None = None
    most_levels: int = 20
    least_rows: int = 5
    decimal: str | Mapping[str, str] | None = None

    state_: tuple[Any, ...] = field(init=False)
    unused_: dict[str, str] = field(init=False)
    remarks_: dict[str, str] = field(init=False)

    _input_tags = ("categorical", "string", "allow_nan")

    # -- learning ---------------------------------------------------------------------------------
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn a rule per column; y is ignored."""
        most, least = (_whole(name, getattr(self, name)) for name in ("most_levels", "least_rows"))
        table = open_named(self, X, fitting=True)
        columns, levels = table.arrays, table.levels
        meanings, marks = _checked_types(self.types, columns), checked_marks(self.decimal, columns)
        codes: list[Code] = []
        unused = {
            n: "left out on request"
            for n in columns
            if isinstance(meanings.get(n), str) and meanings[n] == UNUSED
        }
        remarks: dict[str, str] = {}
        looks = {
            name: look_at(
                name, values, meanings.get(name), levels.get(name), name in table.categories, marks.get(name)
            )
            for name, values in columns.items()
            if name not in unused
        }
        verdicts = related_verdicts({name: look.profile for name, look in looks.items()})
        for name, look in looks.items():
            found = ruling_for(look, meanings.get(name), verdicts.get(name), most, least)
            if found.remark:
                remarks[name] = found.remark
            if found.code is None:
                unused[name] = found.why
            else:
                codes.append(found.code)
        self.state_, self.unused_, self.remarks_ = _with_distinct_names(codes), unused, remarks
        self.n_features_in_ = len(columns)
        if has_names(X):
            self.feature_names_in_ = np.array(list(columns), dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    # -- new tables -------------------------------------------------------------------------------
    def transform(self, X: Any) -> np.ndarray:
        """A matrix of numbers without gaps; columns that the fit has not met are ignored, see `mismatch`."""
        check_is_fitted(self)
        columns = self._opened(X)
        absent = [code.name for code in self.state_ if code.name not in columns]
        if absent:
            raise InvalidInput(
                f"The table lacks {listed(absent, 12)}, which the fit has used.{self._near(absent, columns)}"
            )
        n = len(next(iter(columns.values()))) if columns else 0
        return joined(self.state_, [columns[code.name] for code in self.state_], n)

    def _near(self, absent: list[str], columns: Mapping[str, Any]) -> str:
        """Columns that the fit does not know and that may be meant."""
        known = set(self._columns())
        strange = [name for name in columns if name not in known]
        pairs = [
            (name, get_close_matches(name.casefold(), map(str.casefold, strange), 1)) for name in absent[:12]
        ]
        found = [f"{s!r} may be {n!r}" for n, near in pairs for s in strange if s.casefold() in near]
        return f" {', '.join(found)}." if found else f" It has {listed(columns, 12)}."

    def mismatch(self, X: Any) -> Mismatch:
        """What is unlike the table of the fit."""
        check_is_fitted(self)
        columns, known = self._opened(X), set(self._columns())
        here = [code for code in self.state_ if code.name in columns]
        odd = {code.name: code.strangers(columns[code.name]) for code in here}
        gaps = {code.name: code.missing(columns[code.name]) for code in here if not code.gap}
        strangers = {name: dict(found.most_common()) for name, found in odd.items() if found}
        gaps = {name: n for name, n in gaps.items() if n}
        far = {code.name: code.far(columns[code.name]) for code in here if isinstance(code, NumberCode)}
        return Mismatch(
            tuple(c.name for c in self.state_ if c.name not in columns),
            tuple(name for name in columns if name not in known),
            strangers,
            gaps,
            {code.name: code.rule for code in here if code.name in strangers or code.name in gaps},
            {name: found for name, found in far.items() if found is not None},
        )

    def _opened(self, X: Any) -> dict[str, np.ndarray]:
        """Columns by the names of the fit: by name where both tables have names, else by place."""
        columns, fitted = open_named(self, X).arrays, hasattr(self, "feature_names_in_")
        if fitted and has_names(X):
            return columns
        same_number(len(columns), self.n_features_in_, "TableEncoder")
        _check_feature_names(self, X, reset=False)  # warns where one of the two tables has names
        return dict(zip(self._columns(), columns.values(), strict=True))

    def _columns(self) -> list[str]:
        return list(getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)]))

    # -- names ------------------------------------------------------------------------------------
    def sources(self) -> tuple[str, ...]:
        """For every column of the result, the column of the table that it comes from."""
        check_is_fitted(self)
        return tuple(code.name for code in self.state_ for _ in code.names)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """What the columns of the result are called."""
        check_is_fitted(self)
        stems = dict(zip(self._columns(), _check_feature_names_in(self, input_features), strict=True))
        names = [f"{stems[code.name]}{name[len(code.name) :]}" for code in self.state_ for name in code.names]
        return np.array(unique(names), dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "state_")


def _whole(name: str, value: Any) -> int:
    number = check_number(name, value, low=1)
    if number != int(number):
        raise InvalidParameter(f"{name} must be a whole number; got {value!r}.")
    return int(number)


def _checked_types(types: Any, columns: Mapping[str, Any]) -> dict[str, Any]:
    if types is None:
        return {}
    if not isinstance(types, Mapping):
        raise InvalidParameter(f"types must be a mapping from columns to their meaning; got {types!r:.80}.")
    for name in types:
        if name not in columns:
            raise InvalidParameter(
                f"types must name columns of the table; got {name!r}.{did_you_mean(str(name), [*columns])}"
            )
    return dict(types)


def _with_distinct_names(codes: list[Code]) -> tuple[Code, ...]:
    """The codes with names that differ: column "a" with level "b = c" is not column "a = b" with level "c"."""
    names = iter(unique([name for code in codes for name in code.names]))
    return tuple(replace(code, names=tuple(next(names) for _ in code.names)) for code in codes)  # type: ignore[type-var]
