"""Operations on naive Bayes for words and for columns that are on or off."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from suffice import datasets
from suffice.distributions import Multinomial
from suffice.generative import BernoulliNB, MultinomialNB
from suffice.prepare import term_document


class WordClasses:
    """Documents of two classes with a symmetric Dirichlet(α) prior on the shares of words, and a new document."""

    def __init__(self, rows: list, labels: list, alpha: float, new: list):
        self.X, self.y, self.new = np.array(rows, dtype=float), labels, np.array([new], dtype=float)
        self.alpha = alpha

    def _orders(self) -> float:
        """s!/Π x!, which the models leave out: a probability with equal shares over that of one order."""
        size, width = int(self.new.sum()), self.new.shape[1]
        return float(Multinomial(size, np.full(width, 1 / width)).prob(self.new[0]) * width**size)

    def _density(self, model: MultinomialNB) -> np.ndarray:
        return self._orders() * np.exp(model.predict_joint_log_proba(self.new)[0] - model.class_log_prior_)

    @cached_property
    def _bayes(self) -> MultinomialNB:
        return MultinomialNB(prior=self.alpha, fully_bayesian=True).fit(self.X, self.y)

    def maximum_likelihood(self):
        return np.exp(MultinomialNB(alpha=0.0).fit(self.X, self.y).feature_log_prob_)

    def maximum_posterior(self):
        return np.exp(MultinomialNB(prior=self.alpha).fit(self.X, self.y).feature_log_prob_)

    def pseudo_counts(self):
        """scikit-learn's alpha for the same shares."""
        return np.exp(MultinomialNB(alpha=self.alpha - 1).fit(self.X, self.y).feature_log_prob_)

    def posterior(self):
        return [p.alpha for p in self._bayes.posteriors_]

    def expected(self):
        return self._density(self._bayes)

    def plug_in(self):
        return self._density(MultinomialNB(prior=self.alpha).fit(self.X, self.y))

    def probabilities(self):
        return self._bayes.predict_proba(self.new)[0]


class FoxSentences:
    """The printed sentences as bags of words."""

    def __init__(self):
        self.data = datasets.fox_sentences()

    def counts(self):
        return self.data.X

    def apart(self):
        """How far a model that has seen both orders tells one from the other."""
        model = MultinomialNB().fit(self.data.X, self.data.y)
        return np.ptp(model.predict_proba(self.data.X), axis=1)


class TermTable:
    """Documents as counts of terms; `terms` are those of the printed table, in the order of its columns."""

    def __init__(
        self, documents: list, terms: list, stop_words: Any = None, stem: Any = None, **options: Any
    ):
        self.table = term_document(documents, stop_words, stem, **options)
        self.terms = terms

    def columns(self):
        """Where each printed term stands; −1 for one that is not there."""
        return [self.table.terms.index(t) if t in self.table.terms else -1 for t in self.terms]

    def counts(self):
        return self.table.counts.toarray()

    def together(self):
        """How many terms each two documents have in common."""
        X = (self.counts() > 0).astype(int)
        return X @ X.T

    def width(self):
        return len(self.table.terms)


class BinaryRows:
    """Columns that are on or off, and rows to classify; several values of α at once."""

    def __init__(self, rows: list, labels: list, alpha: list, new: list):
        self.new = new
        self.models = [BernoulliNB(alpha=a, binarize=None).fit(rows, labels) for a in alpha]

    def shares(self):
        return [np.exp(m.feature_log_prob_) for m in self.models]

    def priors(self):
        return np.exp(self.models[0].class_log_prior_)

    def conditionals(self):
        logs = [m.predict_joint_log_proba(self.new) - m.class_log_prior_ for m in self.models]
        return np.exp(logs)

    def probabilities(self):
        return [m.predict_proba(self.new) for m in self.models]


OPERATIONS: dict[str, Any] = {
    "binary_rows": BinaryRows,
    "fox_sentences": FoxSentences,
    "term_table": TermTable,
    "word_classes": WordClasses,
}
