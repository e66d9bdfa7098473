"""Bags of words: the printed sentences of Rogers & Girolami, §5.2.1.6, and documents drawn from topics."""

from __future__ import annotations

import re
from numbers import Integral
from typing import Any

import numpy as np

from suffice._core.errors import InvalidParameter, check_number
from suffice._core.random import generator
from suffice.datasets._records import GENERATED, Dataset, check_size

_TEXT = "Rogers & Girolami, A First Course in Machine Learning"
_SENTENCES = {
    "in order": "The quick brown fox jumps over the lazy dog.",
    "shuffled": "Dog quick lazy the jumps fox brown the over.",
}


def fox_sentences() -> Dataset:
    """Two sentences of the same words, as counts of their words in lower case (§5.2.1.6).

    Examples
    --------
    >>> data = fox_sentences()
    >>> data.feature_names[-1], data.X[:, -1].tolist(), bool((data.X[0] == data.X[1]).all())
    ('the', [2.0, 2.0], True)
    """
    words = [re.findall(r"[a-z]+", sentence.lower()) for sentence in _SENTENCES.values()]
    known = sorted({word for sentence in words for word in sentence})
    counts = np.array([[sentence.count(word) for word in known] for sentence in words], dtype=float)
    source = f"{_TEXT}, §5.2.1.6"
    return Dataset(counts, np.array(list(_SENTENCES)), tuple(known), "order", source, "public facts")


def topic_words(
    n: int = 200,
    n_topics: int = 2,
    n_words: int = 100,
    length: float = 30.0,
    common: float = 0.7,
    random_state: Any = None,
) -> Dataset:
    """Documents of topics that differ in their favourite words, as counts of words.

    A topic is picked at random, the number of words is Poisson, and each word comes from a vocabulary common to all
    topics or from the topic's own; shares of words are drawn from Dirichlet distributions, so few words are frequent.

    Parameters
    ----------
    n
        Number of documents.
    length
        Mean number of words of a document.
    common
        The share of words that say nothing about the topic. The larger, the harder to tell topics apart.

    Examples
    --------
    >>> data = topic_words(4, random_state=0)
    >>> data.X.shape, data.y.tolist()
    ((4, 100), ['topic 2', 'topic 2', 'topic 1', 'topic 1'])
    """
    check_size(n)
    for name, size in (("n_topics", n_topics), ("n_words", n_words)):
        if isinstance(size, bool) or not isinstance(size, Integral) or size < 2:
            raise InvalidParameter(f"{name} must be an integer of at least 2; got {size!r}.")
    check_number("length", length, low=0.0)
    if not 0 <= check_number("common", common, low=0.0) <= 1:
        raise InvalidParameter(f"common must lie between 0 and 1; got {common!r}.")
    shares, picks, words = generator(random_state).spawn(3)
    base = shares.dirichlet(np.full(n_words, 0.5))
    own = shares.dirichlet(np.full(n_words, 0.1), size=n_topics)
    topic = picks.integers(0, n_topics, n)
    mixed = common * base + (1 - common) * own[topic]
    counts = words.multinomial(picks.poisson(length, n), mixed / mixed.sum(axis=1, keepdims=True))
    labels = np.array([f"topic {k + 1}" for k in range(n_topics)])[topic]
    names = tuple(f"word {j + 1}" for j in range(n_words))
    return Dataset(counts, labels, names, "topic", f"after {_TEXT}, §5.2.1.6", GENERATED)
