r"""Counts of terms weighted by how rare the terms are.

tf–idf   z_nt = tf(x_nt) · idf_t,    tf(x) = x, or 1 + ln x where x > 0 (sublinear)
idf      idf_t = 1 + ln((1 + N) / (1 + d_t))   (smooth),    1 + ln(N / d_t)   (not)
norm     each row divided by √Σ z² ("l2") or Σ |z| ("l1")

N documents, d_t of them with term t. Both are sums over documents, so parts of a corpus merge exactly. A term of every
document has idf 1, not 0, so it counts less but is not ignored; smooth is as if one more document had every term.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, Self, final

import numpy as np
from scipy import sparse
from sklearn.base import OneToOneFeatureMixin

from suffice._core.errors import InvalidInput, NumericalError, Unsupported, check_choice, check_flags
from suffice._core.records import estimator, frozen_array, record, same_columns
from suffice._core.table_checks import check_array, validate_data
from suffice._estimator import (
    check_is_fitted,
    check_not_empty,
    check_weight,
    open_table,
    refuse_nonfinite,
    remember_columns,
)
from suffice._estimator.tags import KeepsPrecision
from suffice.engine import Rows
from suffice.prepare.transforming._shells import Summing
from suffice.statistics import Header

NUMBERS = [np.float64, np.float32]
TINY = 1e-140  # its square is a number, and so is its inverse's


@record
class DocumentFrequencies:
    """The weight of documents, and of those with something in each column."""

    header: Header
    documents: np.ndarray
    n: float
    rows: int

    @classmethod
    def of(cls, X: sparse.csr_array, header: Header, weight: np.ndarray | None = None) -> DocumentFrequencies:
        """Count the entries of a table that has one per cell that is not zero."""
        if weight is None:
            documents = np.bincount(X.indices, minlength=X.shape[1])
            return cls(header, frozen_array(documents), float(X.shape[0]), X.shape[0])
        each = np.repeat(weight, np.diff(X.indptr))
        documents = np.bincount(X.indices, weights=each, minlength=X.shape[1])
        return cls(header, frozen_array(documents), float(weight.sum()), int(np.count_nonzero(weight)))

    @same_columns
    def __add__(self, other: DocumentFrequencies) -> DocumentFrequencies:
        total = frozen_array(self.documents + other.documents)
        return DocumentFrequencies(self.header, total, self.n + other.n, self.rows + other.rows)

    @same_columns
    def __sub__(self, other: DocumentFrequencies) -> DocumentFrequencies:
        left, n = self.documents - other.documents, self.n - other.n
        if min(left.min(initial=0.0), n) < -1e-9 * max(self.n, 1.0):
            raise NumericalError(
                "Cannot take out documents that were never in: fewer than none would be left."
            )
        kept = frozen_array(np.maximum(left, 0.0))
        return DocumentFrequencies(self.header, kept, max(n, 0.0), self.rows - other.rows)


def inverse_frequencies(s: DocumentFrequencies, smooth: bool) -> np.ndarray:
    """idf of every column; without smoothing it is infinite for a term that no document had."""
    with np.errstate(divide="ignore"):
        return 1 + np.log((s.n + smooth) / (s.documents + smooth))


@final
@estimator
class TfidfTransformer(KeepsPrecision, OneToOneFeatureMixin, Summing, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Counts weighted by the rarity of their terms, in rows of length one; as scikit-learn's, from statistics that add.

    Parameters
    ----------
    norm
        "l2" for rows whose squares sum to one (so that their products are cosines), "l1" for rows that sum to one in
        size, None for rows as they come. A row of zeros stays one.
    use_idf
        Whether rare terms count more.
    smooth_idf
        Whether one more document with every term is imagined, which makes terms that no document had possible.
    sublinear_tf
        Whether x > 0 occurrences count 1 + ln x.

    Examples
    --------
    >>> from suffice.prepare import TfidfTransformer
    >>> model = TfidfTransformer(norm=None).fit([[1, 1], [2, 0], [3, 0]])
    >>> model.idf_.round(4)
    array([1.    , 1.6931])
    >>> model.transform([[1, 2]]).toarray().round(4)
    array([[1.    , 3.3863]])
    >>> model.inverse_transform(model.transform([[1, 2]])).toarray()
    array([[1., 2.]])
    """

    _: KW_ONLY
    norm: str | None = "l2"
    use_idf: bool = True
    smooth_idf: bool = True
    sublinear_tf: bool = False

    statistics_: DocumentFrequencies = field(init=False)
    idf_: np.ndarray = field(init=False)

    # -- statistics -------------------------------------------------------------------------------
    @property
    def statistics_key(self) -> None:
        """The parameters do not change what is counted."""

    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: Header | None = None
    ) -> tuple[Rows, Header]:
        """Validated rows and their columns; with `like`, the columns of an earlier table."""
        check_flags(self, "use_idf", "smooth_idf", "sublinear_tf")
        X, Y, header = open_table(self, X, supervised=False, like=like)
        X = _cells(X)
        if self.sublinear_tf:
            _refuse_negative(X, header)
        return Rows(X, Y, check_weight(sample_weight, X)), header

    def gather(self, rows: Rows, plan: Header) -> DocumentFrequencies:
        """Statistics of validated rows."""
        return DocumentFrequencies.of(rows.X, plan, rows.weight)

    def plan_of(self, statistics: DocumentFrequencies) -> Header:
        """The columns."""
        return statistics.header

    def solve(self, statistics: DocumentFrequencies) -> Self:
        """Write every fitted attribute from the statistics."""
        check_choice("norm", self.norm, ("l2", "l1", None))
        check_flags(self, "use_idf", "smooth_idf", "sublinear_tf")
        check_not_empty(statistics.n)
        self.statistics_ = statistics
        self.idf_ = frozen_array(inverse_frequencies(statistics, self.smooth_idf))
        remember_columns(self, statistics.header)
        return self

    # -- transformation ---------------------------------------------------------------------------
    def transform(self, X: Any) -> sparse.csr_array:
        """Weighted rows, always sparse; float32 stays float32."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse="csr", dtype=NUMBERS, ensure_all_finite=False)
        header = self.statistics_.header
        refuse_nonfinite("X", X, lambda: header.feature_names)
        Z = _cells(X)
        data = Z.data
        if self.sublinear_tf:
            _refuse_negative(Z, header)
            data = 1 + np.log(data)
        if self.use_idf:
            _refuse_unseen(Z, self.idf_, header)
            data = data * self.idf_[Z.indices]
        return _with_data(Z, normalized(data, Z.indptr, self.norm))

    def inverse_transform(self, X: Any) -> sparse.csr_array:
        """The counts of weighted rows. With a norm the length of a row is lost, and with it the counts."""
        check_is_fitted(self)
        if self.norm is not None:
            raise Unsupported(
                f"norm={self.norm!r} makes rows equally long, so their counts cannot be found again; use norm=None."
            )
        Z = _cells(check_array(X, accept_sparse="csr", dtype=NUMBERS))
        if Z.shape[1] != self.n_features_in_:
            raise InvalidInput(
                f"X has {Z.shape[1]} columns, but TfidfTransformer was fitted to {self.n_features_in_}."
            )
        data = Z.data / self.idf_[Z.indices] if self.use_idf else Z.data.copy()
        return _with_data(Z, np.exp(data - 1) if self.sublinear_tf else data)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self.sublinear_tf
        return tags


def _cells(X: Any) -> sparse.csr_array:
    """One entry per cell that is not zero; X itself is left as it is, but may be shared."""
    Z = sparse.csr_array(X)
    if not (Z.has_canonical_format and Z.data.all()):
        Z = Z.copy()
        Z.sum_duplicates()
        Z.eliminate_zeros()
    return Z


def _with_data(Z: sparse.csr_array, data: np.ndarray) -> sparse.csr_array:
    return sparse.csr_array(
        (data.astype(Z.dtype, copy=False), Z.indices.copy(), Z.indptr.copy()), shape=Z.shape
    )


def normalized(data: np.ndarray, indptr: np.ndarray, norm: str | None) -> np.ndarray:
    """Cells of rows of length one; where squares would overflow or vanish, a row's largest cell goes first."""
    sizes = np.diff(indptr)
    starts, sizes = indptr[:-1][sizes > 0], sizes[sizes > 0]
    if norm is None or not len(starts):
        return data.copy()  # the caller's
    length = _lengths(data, starts, norm)
    if not np.all((length > TINY) & (length < 1 / TINY)):
        data = data / np.repeat(np.maximum.reduceat(np.abs(data), starts), sizes)
        length = _lengths(data, starts, norm)
    return data / np.repeat(length, sizes)


def _lengths(data: np.ndarray, starts: np.ndarray, norm: str) -> np.ndarray:
    with np.errstate(over="ignore", under="ignore"):
        power = np.abs(data, dtype=float) if norm == "l1" else np.square(data, dtype=float)
        sums = np.add.reduceat(power, starts)
    return sums if norm == "l1" else np.sqrt(sums)


# -- refusals -----------------------------------------------------------------------------------------
def _first(Z: sparse.csr_array, wrong: np.ndarray, header: Header) -> str:
    cell = int(np.argmax(wrong))
    row = int(np.searchsorted(Z.indptr, cell, side="right")) - 1
    return f"{Z.data[cell]:g} at row {row}, column {header.feature_names[Z.indices[cell]]!r}"


def _refuse_negative(Z: sparse.csr_array, header: Header) -> None:
    if np.any(wrong := Z.data < 0):
        raise InvalidInput(
            f"Negative values in data have no logarithm: {_first(Z, wrong, header)}; use sublinear_tf=False."
        )


def _refuse_unseen(Z: sparse.csr_array, idf: np.ndarray, header: Header) -> None:
    if np.isinf(idf).any() and np.any(wrong := np.isinf(idf[Z.indices])):
        raise InvalidInput(
            f"X has {_first(Z, wrong, header)}, a term of no document of the fit, so it has no finite weight; use "
            "smooth_idf=True."
        )
