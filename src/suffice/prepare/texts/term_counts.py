r"""How many documents have each term, and how often it occurs in all of them: sums over documents, so they add.

d_t = Σ w [x_t > 0],    f_t = Σ w x_t,    n = Σ w

A vocabulary is a function of these sums (which terms are frequent enough, which too frequent), so a vocabulary of parts
of a corpus that are read at different places is exactly that of the whole.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, NumericalError
from suffice._core.records import frozen_array, record, same_kind
from suffice.prepare.texts._reader import Scan


@record
class TermCounts:
    """Sorted terms with the weight of documents that have them and their occurrences in all documents.

    `n` is the weight of the documents, `rows` their number, `how` the reader's signature: terms that were read in
    different ways do not add.

    Examples
    --------
    >>> from suffice.prepare import CountVectorizer
    >>> a, b = (CountVectorizer().collect([text]) for text in ("to be or not to be", "not me"))
    >>> total = a + b
    >>> dict(zip(total.terms, total.documents.tolist()))
    {'be': 1.0, 'me': 1.0, 'not': 2.0, 'or': 1.0, 'to': 1.0}
    >>> (total - a).terms
    ('me', 'not')
    """

    terms: tuple[str, ...]
    documents: np.ndarray
    occurrences: np.ndarray
    n: float
    rows: int
    how: str

    def __repr__(self) -> str:
        return f"TermCounts(n={self.n:g}, terms={len(self.terms)})"

    def _spread(self, terms: tuple[str, ...]) -> np.ndarray:
        """Both sums over a larger list of terms."""
        at = {term: j for j, term in enumerate(terms)}
        out = np.zeros((2, len(terms)))
        out[:, [at[term] for term in self.terms]] = self.documents, self.occurrences
        return out

    @same_kind
    def __add__(self, other: TermCounts) -> TermCounts:
        self._check_alike(other)
        terms = tuple(sorted({*self.terms, *other.terms}))
        total = self._spread(terms) + other._spread(terms)
        return _made(terms, total, self.n + other.n, self.rows + other.rows, self.how)

    @same_kind
    def __sub__(self, other: TermCounts) -> TermCounts:
        self._check_alike(other)
        unknown = sorted({*other.terms} - {*self.terms})
        if unknown:
            raise NumericalError(
                f"Cannot take out documents that were never in: {unknown[0]!r} was not counted."
            )
        left = self._spread(self.terms) - other._spread(self.terms)
        if left.min(initial=0.0) < -1e-9 * max(self.n, 1.0):
            worst = self.terms[int(np.argmin(left.min(axis=0)))]
            raise NumericalError(f"Cannot take out more documents with {worst!r} than are in.")
        keep = left[0] > 1e-9 * max(self.n, 1.0)
        terms = tuple(t for t, k in zip(self.terms, keep, strict=True) if k)
        return _made(terms, left[:, keep], self.n - other.n, self.rows - other.rows, self.how)

    def _check_alike(self, other: TermCounts) -> None:
        if self.how != other.how:
            raise HeaderMismatch(
                "Cannot combine terms that were read in different ways; use one vectorizer's settings."
            )


def _made(terms: tuple[str, ...], sums: np.ndarray, n: float, rows: int, how: str) -> TermCounts:
    """From both sums, one above the other."""
    return TermCounts(terms, frozen_array(sums[0]), frozen_array(sums[1]), n, rows, how)


def count_terms(scan: Scan, weight: np.ndarray | None, how: str, only: set[str] | None = None) -> TermCounts:
    """The statistic of texts that were read; with `only`, of some terms alone."""
    rows = len(scan.ends) - 1
    weight = np.ones(rows) if weight is None else weight
    width = len(scan.terms)
    counts, columns, ends = scan.cells(np.arange(width), width)
    each = np.repeat(weight, np.diff(ends))
    sums = np.array([np.bincount(columns, weights=w, minlength=width) for w in (each, each * counts)])
    seen = np.flatnonzero(sums[0] > 0).tolist()
    keep = seen if only is None else [j for j in seen if scan.terms[j] in only]
    keep.sort(key=scan.terms.__getitem__)
    terms = tuple(scan.terms[j] for j in keep)
    return _made(terms, sums[:, keep], float(weight.sum()), int(np.count_nonzero(weight)), how)


# -- vocabularies -------------------------------------------------------------------------------------
def frequent_terms(t: TermCounts, min_df: Any, max_df: Any, max_features: int | None) -> tuple[str, ...]:
    """Terms in neither too few nor too many documents, and of these the most frequent; a tie goes to the alphabet."""
    low, high = document_limit("min_df", min_df, t.n), document_limit("max_df", max_df, t.n)
    if low > high:
        raise InvalidParameter(
            f"min_df={min_df!r} asks for more documents than max_df={max_df!r} allows of {t.n:g}."
        )
    keep = np.flatnonzero((t.documents >= low) & (t.documents <= high))
    if max_features is not None:
        keep = np.sort(keep[np.argsort(-t.occurrences[keep], kind="stable")[:max_features]])
    if not len(keep):
        raise InvalidInput(_why_none(t, min_df, max_df))
    return tuple(t.terms[j] for j in keep)


def document_limit(name: str, value: Any, n: float) -> float:
    """A number of documents: as it is if whole, a share of all documents if a fraction."""
    if isinstance(value, bool) or not isinstance(value, Integral | float | np.floating):
        raise InvalidParameter(
            f"{name} must be a number of documents or a share between 0.0 and 1.0; got {value!r}."
        )
    if isinstance(value, Integral):
        if value < 1:
            raise InvalidParameter(
                f"{name} must be an integer >= 1 or a share between 0.0 and 1.0; got {value!r}."
            )
        return float(value)
    if not 0 <= value <= 1:
        raise InvalidParameter(f"{name} must be a share between 0.0 and 1.0 or an integer; got {value!r}.")
    return float(value) * n


def _why_none(t: TermCounts, min_df: Any, max_df: Any) -> str:
    if not t.terms:
        return (
            f"No word is left of {t.rows} documents: they are empty or made of stop words. Look at them, at stop_words "
            "and at token_pattern; a vocabulary that is given needs no words."
        )
    return f"None of {len(t.terms)} terms is left by min_df={min_df!r} and max_df={max_df!r}; allow more of them."
