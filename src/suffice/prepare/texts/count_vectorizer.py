r"""Bags of words: documents as counts of their terms, whatever the order (FCML §5.2.1.6, DTU §4.2).

x_nt = how often term t occurs in document n

The terms are learned as a function of `TermCounts`, sums over documents; so parts of a corpus merge exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, field
from numbers import Integral
from typing import Any, Self, final

import numpy as np
from scipy import sparse

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice, check_flags
from suffice._core.records import estimator
from suffice._estimator import check_is_fitted, check_weight
from suffice.engine import Rows
from suffice.prepare._values import check_dtype
from suffice.prepare.texts._documents import as_texts, contents
from suffice.prepare.texts._reader import Reader, Scan, make_reader
from suffice.prepare.texts.term_counts import TermCounts, count_terms, frequent_terms
from suffice.prepare.texts.term_document import TermDocument, table_of, tabulate
from suffice.prepare.transforming._shells import Summing


@final
@estimator
class CountVectorizer(Summing, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    r"""Documents to counts of terms: a sparse table with a column per term, in alphabetical order.

    It gives the counts of scikit-learn's class of this name, and adds stems, a rule for missing documents, a report of
    what was not counted (`read`), and statistics that add.

    Parameters
    ----------
    stop_words
        Words that do not count: "english" for this library's list of grammatical words, or a list of words.
    stem
        How endings are stripped: a language ("english": Snowball's stemmer, which needs the extra `text`) or a
        function of a word. Stop words are dropped before, n-grams joined after.
    input
        What stands in a row: "content", the text (or bytes) itself; "filename", the path of a file with it; "file", an
        open file.
    preprocessor
        A function of a text, in place of `lowercase` and `strip_accents`.
    analyzer
        What terms are: "word" for runs of words; "char" for runs of letters, "char_wb" for those within words, with a
        blank on both sides; or a function from a document to its terms, in place of everything else.
    dtype
        Type of the counts.
    token_pattern
        What a word is: "words", as by default, for runs of two or more letters, digits and underscores; "whole words"
        for words of any length with the apostrophes, hyphens and combining marks inside them; or a regular expression,
        of which the group counts if it has one. Emoji are no words for either, but are for `\S+`.
    tokenizer
        A function from a text to its words, in place of a pattern.
    lowercase
        Whether "The" is "the".
    strip_accents
        "unicode" takes marks off letters, "ascii" drops whatever is not ASCII then; or a function of a text. Otherwise
        letters and marks are composed (NFC), so that both ways to write "é" are one.
    numbers
        Whether words without a letter count.
    ngram_range
        Runs of how many words are terms, from and to.
    min_df, max_df
        In how many documents a term has to be, and may be: an integer is a number of documents, a float a share.
    max_features
        At most this many terms, the most frequent ones.
    vocabulary
        The terms, in the order of their columns, or a dictionary from terms to columns. Nothing is learned then.
    binary
        Whether a cell only says that the term occurs.
    encoding, decode_error
        How bytes are read; "strict" makes bytes that do not fit an error, "ignore" and "replace" do as they say.
    missing
        What a missing document (None, NaN) is: an "error" that names its row, or "empty".

    Notes
    -----
    A document without any term is a row of zeros; `read` tells which, and which terms had no column.

    `partial_fit` and `suffice.merge` give the vocabulary of all documents together. It is sorted, so columns move when
    there are new terms; where columns must stay, give a `vocabulary`.

    Examples
    --------
    >>> from suffice.prepare import CountVectorizer
    >>> model = CountVectorizer(stop_words="english").fit(["The dog saw the fox.", "A fox, a fox!"])
    >>> model.get_feature_names_out()
    array(['dog', 'fox', 'saw'], dtype=object)
    >>> model.transform(["Fox and hen: two foxes"]).toarray()
    array([[0, 1, 0]])
    >>> model.read(["Fox and hen: two foxes"]).unknown
    (('foxes', 1), ('hen', 1), ('two', 1))
    """

    stop_words: Any = None
    stem: Any = None
    _: KW_ONLY
    input: str = "content"
    preprocessor: Callable[[str], str] | None = None
    analyzer: Any = "word"
    dtype: Any = np.int64
    token_pattern: str | None = r"(?u)\b\w\w+\b"
    tokenizer: Callable[[str], list[str]] | None = None
    lowercase: bool = True
    strip_accents: str | Callable[[str], str] | None = None
    numbers: bool = True
    ngram_range: tuple[int, int] = (1, 1)
    min_df: float = 1
    max_df: float = 1.0
    max_features: int | None = None
    vocabulary: Any = None
    binary: bool = False
    encoding: str = "utf-8"
    decode_error: str = "strict"
    missing: str = "error"

    statistics_: TermCounts = field(init=False)
    vocabulary_: dict[str, int] = field(init=False)
    fixed_vocabulary_: bool = field(init=False)

    takes_tables = True  # batches of a source reach the door as they are

    # -- statistics -------------------------------------------------------------------------------
    @property
    def statistics_key(self) -> tuple[str, ...]:
        """Vectorizers that read alike count alike, if they look for the same terms."""
        return (self._reader().signature, *sorted(self._given() or ()))

    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: TermCounts | None = None
    ) -> tuple[Rows, Reader]:
        """Texts and how they are read."""
        check_flags(self, "lowercase", "numbers", "binary")
        check_dtype("dtype", self.dtype)
        texts = self._texts(X)
        if not texts:
            raise InvalidInput("There are no documents; a fit needs at least one.")
        weight = check_weight(sample_weight, np.empty((len(texts), 0)))
        return Rows(texts, np.zeros((len(texts), 0)), weight), self._reader()

    def gather(self, rows: Rows, plan: Reader) -> TermCounts:
        """Statistics of texts."""
        return self._count(plan.scan(rows.X), rows.weight, plan)

    def plan_of(self, statistics: TermCounts) -> None:
        """Words are counted whatever was counted before."""

    def solve(self, statistics: TermCounts) -> Self:
        """The vocabulary of the statistics."""
        known = self._given()
        if known is None:
            limit = _check_limit(self.max_features)
            terms = frequent_terms(statistics, self.min_df, self.max_df, limit)
            known = {term: j for j, term in enumerate(terms)}
        self.statistics_, self.vocabulary_ = statistics, known
        self.fixed_vocabulary_ = self.vocabulary is not None
        return self

    # -- transformation ---------------------------------------------------------------------------
    def fit_read(self, X: Any, y: Any = None, sample_weight: Any = None) -> TermDocument:
        """`fit` and `read` of the same documents, which are looked at once."""
        return tabulate(self._fit_scan(X, y, sample_weight), self.vocabulary_, self.binary)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> sparse.csr_array:
        """`fit` and `transform` of the same documents, which are looked at once."""
        return self._typed(table_of(self._fit_scan(X, y, sample_weight), self.vocabulary_, self.binary))

    def read(self, X: Any) -> TermDocument:
        """Counts together with what was not counted: unknown terms, and documents without a known one."""
        return tabulate(self._scan(X), self._known(), self.binary)

    def transform(self, X: Any) -> sparse.csr_array:
        """Counts of the known terms in each document."""
        return self._typed(table_of(self._scan(X), self._known(), self.binary))

    def _typed(self, table: sparse.csr_array) -> sparse.csr_array:
        kind = np.dtype(self.dtype)
        return table if table.dtype == kind else table.astype(kind)

    def inverse_transform(self, X: Any) -> list[np.ndarray]:
        """The terms that are present in each row; how often and in which order is not told."""
        terms = self.get_feature_names_out()
        table = sparse.csr_array(X, copy=True)
        if table.shape[1] != len(terms):
            raise InvalidInput(f"X has {table.shape[1]} columns, but the vocabulary has {len(terms)} terms.")
        table.sum_duplicates()
        table.eliminate_zeros()
        return [terms[row] for row in np.split(table.indices, table.indptr[1:-1])][: table.shape[0]]

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The terms, in the order of the columns."""
        known = self._known()
        return np.array(sorted(known, key=known.__getitem__), dtype=object)

    # -- parts ------------------------------------------------------------------------------------
    def _fit_scan(self, X: Any, y: Any, sample_weight: Any) -> Scan:
        rows, reader = self.door(X, y, sample_weight)
        scan = reader.scan(rows.X)
        self.solve(self._count(scan, rows.weight, reader))
        return scan

    def _scan(self, X: Any) -> Scan:
        self._known()
        check_flags(self, "lowercase", "numbers", "binary")
        return self._reader().scan(self._texts(X))

    def _texts(self, X: Any) -> list[str]:
        check_choice("input", self.input, ("content", "filename", "file"))
        X = X if self.input == "content" else contents(X, self.input)
        return as_texts(X, self.encoding, self.decode_error, self.missing)

    def _reader(self) -> Reader:
        return make_reader(self.get_params(deep=False))

    def _count(self, scan: Scan, weight: np.ndarray | None, reader: Reader) -> TermCounts:
        known = self._given()
        return count_terms(scan, weight, reader.signature, None if known is None else set(known))

    def _given(self) -> dict[str, int] | None:
        return None if self.vocabulary is None else check_vocabulary(self.vocabulary)

    def _known(self) -> dict[str, int]:
        if not hasattr(self, "vocabulary_") and self.vocabulary is not None:
            return check_vocabulary(self.vocabulary)
        check_is_fitted(self)
        return self.vocabulary_

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "vocabulary_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = self.vocabulary is None
        return tags


# -- refusals -----------------------------------------------------------------------------------------
def check_vocabulary(vocabulary: Any) -> dict[str, int]:
    """Terms and their columns, which are 0, 1, … without a gap."""
    if isinstance(vocabulary, str) or not hasattr(vocabulary, "__iter__"):
        raise InvalidParameter(f"vocabulary must be a list of terms or a dictionary; got {vocabulary!r:.60}.")
    terms = sorted(vocabulary) if isinstance(vocabulary, set | frozenset) else list(vocabulary)
    for j, term in enumerate(terms):
        if not isinstance(term, str):
            raise InvalidParameter(f"vocabulary must be made of words; got {term!r} at place {j}.")
    if not terms:
        raise InvalidParameter("vocabulary must have at least one term; got none.")
    known = dict(vocabulary) if isinstance(vocabulary, Mapping) else {str(t): j for j, t in enumerate(terms)}
    if len(known) < len(terms):
        twice = next(t for j, t in enumerate(terms) if t in terms[:j])
        raise InvalidParameter(f"vocabulary must have each term once; got {twice!r} twice.")
    if set(known.values()) != set(range(len(known))):
        raise InvalidParameter(
            f"vocabulary must number its terms 0 to {len(known) - 1}; got {list(known.values())[:8]!r}."
        )
    return {term: int(column) for term, column in known.items()}


def _check_limit(max_features: Any) -> int | None:
    if max_features is None:
        return None
    if isinstance(max_features, bool) or not isinstance(max_features, Integral) or max_features < 1:
        raise InvalidParameter(f"max_features must be None or an integer >= 1; got {max_features!r}.")
    return int(max_features)
