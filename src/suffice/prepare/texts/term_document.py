"""The term–document matrix: a row per document, a column per term, how often each occurs (DTU §4.2, Table 4.1)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice._core.showing import escape
from suffice.prepare.texts._reader import Scan


@record
class TermDocument:
    """Counts of terms in documents, and what could not be counted.

    `unknown` holds the terms that have no column with how often they occurred, the most frequent first; `empty` the
    rows without any term. Cells are kept as a compressed sparse table: `data`, `indices` and `indptr`.
    """

    terms: tuple[str, ...]
    data: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray
    unknown: tuple[tuple[str, int], ...]
    empty: tuple[int, ...]

    @property
    def counts(self) -> sparse.csr_array:
        """The matrix, documents × terms."""
        cells = (self.data.copy(), self.indices.copy(), self.indptr.copy())
        return sparse.csr_array(cells, shape=(len(self.indptr) - 1, len(self.terms)))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the numbers should know, in sentences."""
        out = []
        if self.empty:
            rows = ", ".join(map(str, self.empty[:5])) + (", …" if len(self.empty) > 5 else "")
            out.append(
                f"{len(self.empty)} of {len(self.indptr) - 1} documents have no term with a column: rows {rows}."
            )
        if self.unknown:
            term, often = self.unknown[0]
            total = sum(times for _, times in self.unknown)
            out.append(
                f"{len(self.unknown)} terms ({total} occurrences) have no column, most often {term!r} ({often})."
            )
        return tuple(out)

    def frame(self, kind: str = "pandas") -> Any:
        """A dense table with a column per term; `kind` is "pandas" or "polars"."""
        dense = self.counts.toarray()
        return to_frame({term: dense[:, j] for j, term in enumerate(self.terms)}, kind)

    def _repr_html_(self) -> str:
        """The first documents and the most frequent terms."""
        X = self.counts[:8]
        shown = np.sort(np.argsort(-self.counts.sum(axis=0), kind="stable")[:12])
        head = "".join(f"<th>{escape(self.terms[j])}</th>" for j in shown)
        lines = X[:, shown].toarray().tolist()
        body = "".join(f"<tr>{''.join(f'<td>{count}</td>' for count in line)}</tr>" for line in lines)
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"<p>{escape(repr(self))}</p><table><tr>{head}</tr>{body}</table>{notes}"

    def __repr__(self) -> str:
        return f"TermDocument({len(self.indptr) - 1} documents × {len(self.terms)} terms, {len(self.data)} cells)"


def table_of(scan: Scan, vocabulary: dict[str, int], binary: bool = False) -> sparse.csr_array:
    """Texts that were read, in the columns of a vocabulary."""
    data, indices, indptr = scan.cells(_columns(scan, vocabulary), len(vocabulary))
    data = np.ones_like(data) if binary else data
    return sparse.csr_array((data, indices, indptr), shape=(len(indptr) - 1, len(vocabulary)))


def tabulate(scan: Scan, vocabulary: dict[str, int], binary: bool = False) -> TermDocument:
    """The same with what has no column."""
    X = table_of(scan, vocabulary, binary)
    terms = tuple(sorted(vocabulary, key=vocabulary.__getitem__))
    empty = tuple(np.flatnonzero(np.diff(X.indptr) == 0).tolist())
    data, indices, indptr = (frozen_array(a, a.dtype) for a in (X.data, X.indices, X.indptr))
    return TermDocument(terms, data, indices, indptr, _unknown(scan, _columns(scan, vocabulary)), empty)


def _columns(scan: Scan, vocabulary: dict[str, int]) -> np.ndarray:
    return np.array([vocabulary.get(term, -1) for term in scan.terms], dtype=np.int64)


def _unknown(scan: Scan, columns: np.ndarray) -> tuple[tuple[str, int], ...]:
    """Terms without a column and their occurrences, the most frequent first, then by the alphabet."""
    if not np.any(columns < 0):
        return ()
    often = np.bincount(scan.ids[scan.ids >= 0], minlength=len(columns))
    found = [(scan.terms[j], int(often[j])) for j in np.flatnonzero(columns < 0)]
    return tuple(sorted(found, key=lambda pair: (-pair[1], pair[0])))


def term_document(documents: Any, stop_words: Any = None, stem: Any = None, **options: Any) -> TermDocument:
    """Count the terms of documents.

    Parameters
    ----------
    documents
        Texts, one per row.
    stop_words, stem, options
        As in `CountVectorizer`, which learns the columns from one table and uses them on another.

    Examples
    --------
    >>> from suffice.prepare import term_document
    >>> table = term_document(["Each horse!", "All the horses assembled."], stop_words="english", stem="english")
    >>> table.terms, table.counts.toarray().tolist()
    (('assembl', 'hors'), [[0, 1], [1, 1]])
    """
    from suffice.prepare.texts.count_vectorizer import CountVectorizer

    return CountVectorizer(stop_words, stem, **options).fit_read(documents)
