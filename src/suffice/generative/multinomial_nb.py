r"""Naive Bayes for counts: the words of a document are draws from the vocabulary of its class (FCML §5.2.1.6–5.2.1.7).

Likelihood   p(x | c) = s!/Π x_m! Π_m q_cm^x_m,  Σ_m q_cm = 1,  s = Σ_m x_m                (FCML eq. 5.6)
Fit          n_cm = Σ x_nm over the rows of class c,  T_c = Σ_m n_cm
Smoothed     q_cm = (α_m + n_cm) / (Σ α + T_c); with a Dirichlet(a) prior the mode has α = a − 1   (eqs 5.7, 5.8)
Bayesian     q_c ~ Dirichlet(α + n_c), and p(x | c) is the expectation of the likelihood under it (exercises 5.5, 5.6):

    p(x | c) ∝ Γ(Σ β) / Γ(Σ β + s)  Π_m Γ(β_m + x_m) / Γ(β_m),    β = α + n_c,  s = Σ_m x_m

The factor s!/Π x_m! counts the orders of the words. It is the same in all classes, so `predict_joint_log_proba` and the
evidence leave it out: they are about the words in the order in which they stand. `score_samples` is the density of the
counts, given their sum, with it; `score_sequences` is without.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from numbers import Real
from typing import Any, final

import numpy as np
from scipy.special import gammaln, logsumexp

from suffice._components.cells import remaining, without_gaps
from suffice._core.errors import InvalidParameter, check_flags
from suffice._core.records import storable
from suffice._estimator.labels import LabelPlan
from suffice.distributions import Dirichlet
from suffice.engine import Rows
from suffice.generative._columns.counts import (
    CountClassifier,
    class_sums,
    log_power,
    per_column,
    pseudo_counts,
    refuse_cells,
    stacked_sums,
    used_cells,
)
from suffice.statistics import ClassStatistics, Header


# -- formulas -----------------------------------------------------------------------------------------
def log_shares(counts: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """log q (eq. 5.8): (classes, words). A class without any count has equal shares, the limit of small α."""
    total = counts.sum(axis=1) + alpha.sum()
    logs = np.add(
        counts, alpha, out=np.empty(counts.shape, order="F")
    )  # rows are multiplied with its transpose
    logs[~(total > 0)] = 1.0
    with np.errstate(divide="ignore"):
        np.log(logs, out=logs)
    logs -= np.log(np.where(total > 0, total, counts.shape[1]))[:, None]
    return logs


def log_rising(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """log Γ(a + x) − log Γ(a); most words occur once, and then it is log a."""
    return np.where(x == 1, np.log(a), gammaln(a + x) - gammaln(a))


def expected_log_power(X: Any, beta: np.ndarray) -> np.ndarray:
    """log of the expected Π q^x under Dirichlet(β_c) (exercise 5.6): (rows, classes)."""
    row, column, x = used_cells(X)
    size = np.bincount(row, x, minlength=X.shape[0])
    words = [np.bincount(row, log_rising(b[column], x), minlength=X.shape[0]) for b in beta]
    return np.column_stack(words) - log_rising(beta.sum(axis=1), size[:, None])


def log_evidence(counts: np.ndarray, alpha: np.ndarray) -> float:
    """log p of all words given the labels, the shares of each class integrated out."""
    words = gammaln(alpha + counts) - gammaln(alpha)
    total = alpha.sum()
    return float(words.sum() - np.sum(gammaln(total + counts.sum(axis=1)) - gammaln(total)))


# -- the estimator --------------------------------------------------------------------------------------
@final
@storable
@dataclass(eq=False, repr=False)
class MultinomialNB(CountClassifier):
    """Counts of words, or of anything else, drawn from the shares of their class.

    Parameters
    ----------
    alpha
        Pseudo-count of every word, or one per word: 1 is Laplace's rule, 0 maximum likelihood. It is the mean of the
        shares under a Dirichlet(alpha) prior; FCML's α of eq. 5.8 is one more.
    force_alpha
        Take alpha below 1e-10 as it is. A word unseen in a class then excludes the class.
    fit_prior
        Class priors from the shares of the rows; otherwise they are equal.
    class_prior
        One probability per class, or "empirical" or "uniform".
    fully_bayesian
        Average the likelihood over the posterior of the shares in place of inserting their mean. The prior is
        Dirichlet(alpha), or `prior`.
    prior
        `Dirichlet(a)`, or a number for the same a for every word. The shares are then the mode of the posterior
        (maximum a posteriori, alpha = a − 1), or are averaged over it with `fully_bayesian`. alpha is not used then.

    Notes
    -----
    A missing cell (NaN) is a word that was not counted in this row: it adds nothing to the counts of the word or to
    the total, and no factor to the product, as a count of zero would. Fractions such as tf-idf are taken, except with
    `fully_bayesian`, where Γ of a fraction is no expected likelihood.

    A row with a word that has probability zero in all classes, which takes alpha = 0, gets the class priors with a
    warning. `log_evidence_`, with `fully_bayesian` alone, is the log probability of all words given the labels.

    Sparse tables stay sparse. `sample` gives rows the mean size of their class, for sizes have no distribution here.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.generative import MultinomialNB
    >>> X = np.array([[2, 1, 0], [1, 0, 0], [0, 1, 3]])
    >>> model = MultinomialNB().fit(X, ["sport", "sport", "law"])
    >>> print(model.predict([[0, 1, 1]]), np.exp(model.feature_log_prob_[1]).round(3))
    ['law'] [0.571 0.286 0.143]
    """

    alpha: Any = 1.0
    _: KW_ONLY
    force_alpha: bool = True
    fit_prior: bool = True
    class_prior: Any = None
    fully_bayesian: bool = False
    prior: Any = None

    statistics_: ClassStatistics = field(init=False)
    classes_: np.ndarray = field(init=False)
    class_count_: np.ndarray = field(init=False)
    class_log_prior_: np.ndarray = field(init=False)
    feature_count_: np.ndarray = field(init=False)
    feature_log_prob_: np.ndarray = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    @property
    def statistics_key(self) -> tuple[str, bool]:
        """Counts are the same for all parameters; which counts are refused is not."""
        return "counts of words", bool(self.fully_bayesian)

    def _check_parameters(self) -> None:
        check_flags(self, "fully_bayesian")
        self._check_smoothing()
        if self.prior is not None:
            check_prior(self.prior, 0.0 if self.fully_bayesian else 1.0)
        elif self.fully_bayesian and not np.all(np.asarray(self.alpha) > 0):
            raise InvalidParameter(f"fully_bayesian needs alpha > 0, a proper prior; got {self.alpha!r:.80}.")

    def _check_cells(self, X: Any, header: Header) -> None:
        rule = "Negative values in data passed to MultinomialNB (input X): counts must be zero or more"
        refuse_cells(X, lambda x: x < 0, header, rule)
        if self.fully_bayesian:
            rule = "fully_bayesian takes whole counts, not fractions; choose fully_bayesian=False for those"
            refuse_cells(X, lambda x: np.abs(x - np.round(x)) > 0, header, rule)

    # -- fit -------------------------------------------------------------------------------------------
    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        return class_sums(rows, plan, without_gaps(rows.X)[0])

    def _solve(self, statistics: ClassStatistics) -> None:
        self.feature_count_ = stacked_sums(statistics, 1)[0]
        self.feature_log_prob_ = log_shares(self.feature_count_, self._pseudo_counts())

    def _pseudo_counts(self) -> np.ndarray:
        """What is added to the counts of every word."""
        width = self.feature_count_.shape[1]
        if self.prior is None:
            return pseudo_counts(self.alpha, width, self.force_alpha)
        strength = self.prior.alpha if isinstance(self.prior, Dirichlet) else self.prior
        return per_column("prior", strength, width) - (0.0 if self.fully_bayesian else 1.0)

    @property
    def _posterior_counts(self) -> np.ndarray:
        """β of the classes."""
        return self.feature_count_ + self._pseudo_counts()

    # -- densities -------------------------------------------------------------------------------------
    def score_sequences(self, X: Any) -> np.ndarray:
        """log Σ_c P(c) Π q_cm^x_m, the words in one order: `score_samples` without s!/Π x_m!, no density of counts."""
        return logsumexp(self.predict_joint_log_proba(X), axis=1)

    def _log_common(self, X: Any) -> np.ndarray:
        """log s!/Π x_m!, of the cells that are known; of fractions by Γ."""
        X, _ = without_gaps(self._open_inputs(X))
        row, _, x = used_cells(X)
        size, factorials = (np.bincount(row, v, minlength=X.shape[0]) for v in (x, gammaln(x + 1)))
        return np.asarray(gammaln(size + 1) - factorials)

    def _log_densities(self, X: Any) -> np.ndarray:
        X, _ = without_gaps(X)
        if self.fully_bayesian:
            logs = expected_log_power(X, self._posterior_counts)
        else:
            logs = log_power(X, self.feature_log_prob_)
        logs[:, ~(self.class_count_ > 0)] = -np.inf
        return logs

    def _own_log_densities(self, rows: Rows, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        X, alpha = without_gaps(rows.X)[0], self._pseudo_counts()
        row, column, x = used_cells(X)
        n = X.shape[0]
        size = np.bincount(row, x, minlength=n)
        left = remaining(self.feature_count_[rows.Y[row], column], weight[row] * x) + alpha[column]
        total = remaining(self.feature_count_.sum(axis=1)[rows.Y], weight * size) + alpha.sum()
        unknown = ~(total > 0)
        total = np.where(unknown, 1.0, total)
        if self.fully_bayesian:
            return np.bincount(row, log_rising(left, x), minlength=n) - log_rising(total, size), unknown
        with np.errstate(divide="ignore"):
            words = np.bincount(row, x * np.log(left), minlength=n)
        return words - size * np.log(total), unknown

    def _draw(self, place: int, n: int, rng: np.random.Generator) -> np.ndarray:
        counts = self.feature_count_[place]
        size = round(counts.sum() / self.class_count_[place])
        if self.fully_bayesian:
            return rng.multinomial(size, rng.dirichlet(self._posterior_counts[place], size=n)).astype(float)
        shares = np.exp(self.feature_log_prob_[place])
        return rng.multinomial(size, shares / shares.sum(), size=n).astype(float)

    # -- reading ---------------------------------------------------------------------------------------
    @property
    def posteriors_(self) -> tuple[Dirichlet, ...]:
        """The distribution of the shares of each class, given its rows; with `fully_bayesian` alone."""
        self._needs_bayes("posteriors_")
        return tuple(Dirichlet(b) for b in self._posterior_counts)

    @property
    def log_evidence_(self) -> float:
        """log p(words in their order | labels); with `fully_bayesian` alone."""
        self._needs_bayes("log_evidence_")
        return log_evidence(self.feature_count_, self._pseudo_counts())

    @property
    def evidence_kind_(self) -> str:
        """The integral over the shares is exact."""
        self._needs_bayes("evidence_kind_")
        return "exact"

    def _needs_bayes(self, name: str) -> None:
        if not self.fully_bayesian or not hasattr(self, "feature_count_"):
            raise AttributeError(f"{name} takes fully_bayesian=True and a fit.")

    @property
    def n_parameters_(self) -> int:
        """M − 1 free shares per class with rows; priors not counted."""
        return int(np.sum(self.class_count_ > 0)) * (self.n_features_in_ - 1)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


def check_prior(prior: Any, least: float) -> None:
    """A Dirichlet or its strength; the mode exists where no parameter is below one."""
    if isinstance(prior, Dirichlet):
        value = prior.alpha
    elif isinstance(prior, Real) and not isinstance(prior, bool):
        value = np.asarray(float(prior))
    else:
        raise InvalidParameter(f"prior must be None, a Dirichlet or its strength, a number; got {prior!r}.")
    if not np.all((value >= least) & (value > 0) & (value < np.inf)):
        raise InvalidParameter(
            f"prior must have parameters >= 1 for a mode to exist; got {np.min(value):g}. "
            "Choose fully_bayesian=True, which takes any above zero."
            if least
            else f"prior must be greater than 0; got {np.min(value):g}."
        )
