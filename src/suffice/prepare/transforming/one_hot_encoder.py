r"""One column of zeros and ones per category (DTU §2.4.1).

x ∈ {v_1, …, v_K}   ↦   z ∈ {0, 1}^K,   z_k = 1 iff x = v_k                    (2.2)

All K columns are kept unless asked otherwise, so no category is special: renaming the categories permutes the columns
and leaves every distance between rows as it was, which whole numbers in their place would not. The way back is the
position of the largest entry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, field, replace
from typing import Any, Literal, Self, final

import numpy as np
from scipy import sparse
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import _check_feature_names_in

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NoInformation,
    check_choice,
    check_flags,
    warn,
)
from suffice._core.records import estimator, frozen_array
from suffice._core.table_checks import check_array
from suffice._estimator import check_is_fitted, check_not_empty, check_weight, remember_columns
from suffice.engine import Rows, parallel
from suffice.prepare._values import check_dtype
from suffice.prepare.transforming._categories import Categories, listed, refuse_strangers, unknown, with_gap
from suffice.prepare.transforming._infrequent import check_limits, counts_of, infrequent_places
from suffice.prepare.transforming._shells import Summing
from suffice.prepare.transforming._typed_table import open_cells
from suffice.prepare.transforming._value_counts import ValueCounts, gather_values, places
from suffice.statistics import Header
from suffice.tables.cells import merges
from suffice.tables.typed import TypedTable

SHARING = ("infrequent_if_exist", "warn")  # unknown values have the column of the infrequent categories
UNKNOWN = ("error", "ignore", "other", *SHARING)


@final
@estimator
class OneHotEncoder(Summing):
    """One column of zeros and ones per category of each column.

    Parameters
    ----------
    categories
        "auto" for the values of the rows, sorted; or the categories of each column in the order their columns shall
        have: a list of lists, or a mapping by column name. None or NaN among them gives gaps a column.
    drop
        None keeps all columns. "first" leaves out that of the first category, "if_binary" only where there are two;
        infrequent categories count as one, the last.
    sparse_output
        Whether the result is a sparse matrix, as in scikit-learn; a frame asked for by `set_output` is dense.
    dtype
        The type of the zeros and ones, a type of numbers.
    handle_unknown
        A value that is no category: "error" names it, "ignore" gives zeros, "other" gives each column one more for
        all such values. "infrequent_if_exist" takes it for an infrequent category, and gives zeros where there is
        none; "warn" does so with a warning.
    min_frequency
        Categories of fewer rows (of less weight) share one column, the last; as a number below 1, of a smaller share
        of all rows, those with a gap among them.
    max_categories
        The largest number of columns for the categories of a column, that of the infrequent ones among them: the
        rarest share it, of equally rare ones the first.
    feature_name_combiner
        "concat" joins the name of a column and a category by "_"; or a function of both that gives a string; it
        is given the category as a Python value, None or NaN for a gap. A model with a function cannot be saved.
    missing
        A gap: "column" gives it a column where the fit has seen one, and takes it for an unknown value elsewhere;
        "zeros" gives zeros.

    Notes
    -----
    Columns of text, numbers and booleans are taken as they come. What is learned is how often each value occurred:
    statistics that add, so that parts of a table merge, and rows can be forgotten with their categories. A category
    needs a row with positive weight.

    `inverse_transform` gives the category of the largest entry, and None (NaN among numbers) for a gap, an unknown
    value, or zeros; with `drop`, zeros are the category that was left out, and a warning tells where an unknown value
    or a gap gets them. Whole numbers beyond 2^53 are told apart; beside gaps, where floats would merge them, they are
    refused.

    A gap that has a column is a category, and may be an infrequent one. The column that infrequent categories share is
    called "infrequent_sklearn", as in scikit-learn, which is also what `inverse_transform` gives for it, in the column
    and by `drop`. `infrequent_categories_` has an entry for each column, None where there are none; `drop_idx_` is the
    place in `categories_` of the category that was left out, the first if several share its column.

    `state_` holds the `Categories` of each column; `categories_` is scikit-learn's name for their values.

    Examples
    --------
    >>> from suffice.prepare import OneHotEncoder
    >>> model = OneHotEncoder(sparse_output=False).fit([["USA", 4], ["France", 8]])
    >>> model.transform([["France", 4]])
    array([[1., 0., 1., 0.]])
    >>> model.get_feature_names_out(["origin", "cylinders"])
    array(['origin_France', 'origin_USA', 'cylinders_4', 'cylinders_8'], dtype=object)
    """

    _: KW_ONLY
    categories: Any = "auto"
    drop: Literal["first", "if_binary"] | None = None
    sparse_output: bool = True
    dtype: Any = np.float64
    handle_unknown: Literal["error", "ignore", "other", "infrequent_if_exist", "warn"] = "error"
    min_frequency: float | None = None
    max_categories: int | None = None
    feature_name_combiner: Literal["concat"] | Callable[[str, Any], str] = "concat"
    missing: Literal["column", "zeros"] = "column"

    statistics_: ValueCounts = field(init=False)
    state_: tuple[Categories, ...] = field(init=False)

    _input_tags = ("categorical", "string", "allow_nan")

    takes_tables = True  # batches of a source reach the door as they are

    @property
    def categories_(self) -> list[np.ndarray]:
        """The values of each column that have columns, a gap last."""
        check_is_fitted(self)
        return [with_gap(c) for c in self.state_]

    @property
    def infrequent_categories_(self) -> list[np.ndarray | None]:
        """The values of each column that share one column; None where there are none."""
        check_is_fitted(self)
        return [with_gap(c)[c.infrequent] if len(c.infrequent) else None for c in self.state_]

    @property
    def drop_idx_(self) -> np.ndarray | None:
        """The place in `categories_` of the category of each column that was left out; None if all are kept."""
        check_is_fitted(self)
        return None if self.drop is None else np.array([c.first_dropped for c in self.state_], dtype=object)

    # -- statistics -------------------------------------------------------------------------------
    @property
    def statistics_key(self) -> None:
        """The parameters do not change what is counted."""

    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Header | None = None
    ) -> tuple[Rows, Header]:
        """Validated columns and their header; with `like`, that of an earlier table."""
        cells, header = open_cells(self, X, like)
        return Rows(cells, np.zeros((len(cells), 0)), check_weight(sample_weight, cells)), header

    def plan_of(self, statistics: ValueCounts) -> Header:
        """The columns."""
        return statistics.header

    def gather(self, rows: Rows, plan: Header) -> ValueCounts:
        """How often each value occurs."""
        return gather_values(rows.X, rows.weight, plan)

    def solve(self, statistics: ValueCounts) -> Self:
        """Write the categories."""
        self._check_parameters()
        check_not_empty(statistics.n)
        names = statistics.header.feature_names
        given = None if isinstance(self.categories, str) else listed(self.categories, names)
        state = tuple(self._categories(statistics, j, name, given) for j, name in enumerate(names))
        self.statistics_, self.state_ = statistics, state
        remember_columns(self, statistics.header)
        return self

    def _categories(self, t: ValueCounts, j: int, name: str, given: Any) -> Categories:
        counts, gap = t.columns[j], bool(t.gaps[j] > 0)
        values = counts.classes
        if given is not None:
            values, gap = given[j]
            if self.handle_unknown == "error":
                refuse_strangers(counts.classes, values, name)
        gap = gap and self.missing == "column"
        often = np.append(counts_of(values, counts), [t.gaps[j]] * gap)
        rare = infrequent_places(often, t.n, self.min_frequency, self.max_categories)
        whole = Categories(
            frozen_array(values, dtype=values.dtype), gap, self.handle_unknown == "other", None, rare
        )
        cut = whole.groups > 0 and (self.drop == "first" or (self.drop == "if_binary" and whole.groups == 2))
        return replace(whole, dropped=0) if cut else whole

    def _check_parameters(self) -> None:
        check_choice("handle_unknown", self.handle_unknown, UNKNOWN)
        check_choice("missing", self.missing, ("column", "zeros"))
        check_choice("drop", self.drop, (None, "first", "if_binary"))
        check_flags(self, "sparse_output")
        check_dtype("dtype", self.dtype)
        check_limits(self.min_frequency, self.max_categories)
        if not callable(self.feature_name_combiner) and self.feature_name_combiner != "concat":
            raise InvalidParameter(
                "feature_name_combiner must be 'concat' or a function of the name of a column and a category; got "
                f"{self.feature_name_combiner!r}."
            )
        if isinstance(self.categories, str):
            check_choice("categories", self.categories, ("auto",))

    # -- transformation ---------------------------------------------------------------------------
    def transform(self, X: Any) -> Any:
        """Zeros and ones, a column per category; a sparse matrix with `sparse_output`."""
        check_is_fitted(self)
        cells, header = open_cells(self, X, self.statistics_.header)
        names = header.feature_names
        at = parallel(lambda j: self._places(cells, names[j], j), range(cells.shape[1]))
        starts = np.concatenate([[0], np.cumsum([c.width for c in self.state_])])
        if self.sparse_output and _get_output_config("transform", self)["dense"] == "default":
            return _sparse(at, starts, self.dtype)
        return _dense(at, starts, self.dtype)

    def _places(self, cells: TypedTable, name: str, j: int) -> np.ndarray:
        """The column of every cell within its block; −1 for zeros."""
        known, values = self.state_[j], cells.columns[j]
        out = known.targets(self.missing, self.handle_unknown in SHARING)[places(values, known.values)]
        if len(out) and out.min() == -2:
            if self.handle_unknown == "error":
                raise unknown(values, int(np.argmin(out)), known, name)
            out[out == -2] = -1
        if known.dropped is not None:
            self._warn_dropped(out, known, values, name)
        if self.handle_unknown == "warn":
            self._warn_unknown(known, values, name)
        return out

    def _warn_dropped(self, out: np.ndarray, known: Categories, values: np.ndarray, name: str) -> None:
        """Zeros stand for the dropped category; a stranger or a gap gets the same ones, which must be said."""
        at = places(values, known.values)
        strange = (out == -1) & (at >= len(known.values)) & ~((at == len(known.values) + 1) & known.gap)
        if strange.any():
            warn(
                f"{_held(strange, at, known, values, name)}, whose zeros are those of the category "
                f"{known.left_out!r:.40} that "
                f"drop={self.drop!r} left out. Keep all columns with drop=None to tell them apart.",
                NoInformation,
            )

    def _warn_unknown(self, known: Categories, values: np.ndarray, name: str) -> None:
        at = places(values, known.values)
        gap = known.gap or self.missing == "zeros"
        strange = (at == len(known.values)) | ((at > len(known.values)) & (not gap))
        if strange.any():
            given = "the column of the infrequent categories" if len(known.infrequent) else "zeros"
            warn(
                f"{_held(strange, at, known, values, name)}, which is not among its categories and gets {given}. "
                "Choose handle_unknown='infrequent_if_exist' for the same without a warning, or 'error'.",
                NoInformation,
            )

    def inverse_transform(self, X: Any) -> np.ndarray:
        """The categories, as numbers if all columns are."""
        check_is_fitted(self)
        Z = check_array(X, accept_sparse="csr", dtype=float)
        starts = np.concatenate([[0], np.cumsum([c.width for c in self.state_])])
        if Z.shape[1] != starts[-1]:
            raise InvalidInput(
                f"X has {Z.shape[1]} columns, but transform of this OneHotEncoder gives {starts[-1]}."
            )
        Z = Z.toarray() if sparse.issparse(Z) else Z
        parts = [c.decoded(Z[:, a:b]) for c, a, b in zip(self.state_, starts[:-1], starts[1:], strict=True)]
        out = np.empty((len(Z), len(parts)), dtype=_kind(self.state_, parts))
        for j, part in enumerate(parts):
            out[:, j] = part
        return out

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The name of the column and that of the category."""
        check_is_fitted(self)
        stems = _check_feature_names_in(self, input_features)
        names = [n for s, c in zip(stems, self.state_, strict=True) for n in self._names(s, c)]
        if len(set(names)) < len(names):
            twice = next(n for i, n in enumerate(names) if n in names[:i])
            raise InvalidInput(
                f"Two columns of the result would be called {twice!r}; rename a column or a category."
            )
        return np.array(names, dtype=object)

    def _names(self, stem: str, known: Categories) -> list[str]:
        if not callable(self.feature_name_combiner):
            return [f"{stem}_{label}" for label in known.labels]
        names = [self.feature_name_combiner(stem, entry) for entry in known.entries]
        odd = next((n for n in names if not isinstance(n, str)), "")
        if odd != "":
            raise InvalidParameter(
                f"feature_name_combiner must give strings; got {odd!r:.40} for a category of {stem!r}."
            )
        return names


def _held(strange: np.ndarray, at: np.ndarray, known: Categories, values: np.ndarray, name: str) -> str:
    """The first unknown value or gap of a column."""
    row = int(np.argmax(strange))
    what = "a gap" if at[row] > len(known.values) else f"the unknown value {values[row]!r:.40}"
    return f"Column {name!r} holds {what} at row {row}"


def _kind(state: tuple[Categories, ...], parts: list[list[Any]]) -> Any:
    """The type of decoded columns: whole numbers stay whole unless a gap or a fraction stands beside them."""
    kinds = [c.values.dtype for c in state]
    if any(k.kind in "Ub" for k in kinds) or any(len(c.infrequent) for c in state):
        return object
    common = np.result_type(*kinds)
    if common.kind in "iu" and all(None not in part for part in parts):
        return common
    return object if any(merges(c.values) for c in state) else float


# -- matrices ---------------------------------------------------------------------------------------------
def _sparse(at: list[np.ndarray], starts: np.ndarray, dtype: Any) -> sparse.csr_matrix:
    """A one in each row and block, but where a place is −1."""
    n, d = len(at[0]), len(at)
    columns = np.empty((n, d), dtype=np.int32 if n * d < 2**31 else np.int64)
    for j, place in enumerate(at):
        np.add(place, starts[j], out=columns[:, j], casting="unsafe")
    kept = [place >= 0 for place in at]
    if all(k.all() for k in kept):
        indices, ends = columns.ravel(), np.arange(0, n * d + 1, d)
    else:
        there = np.column_stack(kept)
        indices, ends = columns[there], np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    return sparse.csr_matrix(
        (np.ones(len(indices), dtype), indices, ends.astype(columns.dtype)), shape=(n, int(starts[-1]))
    )


def _dense(at: list[np.ndarray], starts: np.ndarray, dtype: Any) -> np.ndarray:
    out = np.zeros((len(at[0]), int(starts[-1])), dtype)
    for start, place in zip(starts[:-1], at, strict=True):
        rows = np.flatnonzero(place >= 0)
        out[rows, start + place[rows]] = 1
    return out
