r"""What generative classifiers share: the door, statistics per class, Bayes' rule, and the shell around them.

labelled rows ─▶ door: codes ─▶ gather: one statistic per class ─▶ solve: p(x | c) and p(c)

    P(c | x) = p(x | c) P(c) / Σ_c' p(x | c') P(c')      (FCML eq. 5.2, DTU eq. 13.6, PRML eq. 4.62)

computed in logarithms. Final classes say what is counted (`_gather`), how densities follow from it
(`_write_densities`), and what log p(x | c) is (`_log_densities`).
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

from suffice._core.errors import InvalidInput, NumericalError, Unsupported, check_integer
from suffice._core.random import generator
from suffice._estimator import check_is_fitted
from suffice._estimator.labels import LabelPlan, place_of
from suffice.distributions import Categorical
from suffice.engine import Rows, one_blas_thread, parallel
from suffice.generative._shell.bayes_rule import GIVEN_PRIOR, PriorRule, log_posterior, log_priors
from suffice.generative._shell.from_statistics import FromClassStatistics
from suffice.statistics import ClassStatistics, Counts
from suffice.statistics.folds import Partition, as_folds

BLOCK = 4096  # rows whose densities are computed at a time


@dataclass(eq=False, repr=False)
class GenerativeClassifier(FromClassStatistics, ABC):
    """p(x | c) and p(c), fitted class by class; predictions by Bayes' rule."""

    class_log_prior_: np.ndarray = field(init=False)

    _prior_rule: ClassVar[PriorRule] = GIVEN_PRIOR
    _rescales_priors: ClassVar[bool] = False  # whether given ones are divided by their sum
    _keeps_sparse: ClassVar[bool] = False  # whether a sparse table is taken whole, in one product

    @abstractmethod
    def _write_densities(self, statistics: ClassStatistics) -> None:
        """Write the parameters of the densities; classes and their priors are written already."""

    @abstractmethod
    def _log_densities(self, X: Any) -> np.ndarray:
        """log p(x | c) of a block of validated rows: (rows, classes)."""

    @property
    def _prior_choice(self) -> Any:
        """None or "empirical", "uniform", or a probability per class."""
        return self._prior_rule.choose(self)

    @abstractmethod
    def _draw(self, place: int, n: int, rng: np.random.Generator) -> np.ndarray:
        """n rows from the density of the class at this place in `classes_`."""

    def _solve(self, statistics: ClassStatistics) -> None:
        self._write_priors(statistics.counts)
        self._write_densities(statistics)

    def _write_priors(self, counts: Counts) -> None:
        self.class_log_prior_ = log_priors(
            self._prior_choice, counts, self._rescales_priors, self._prior_rule.name
        )

    # -- prediction ------------------------------------------------------------------------------------
    @one_blas_thread()
    def predict_joint_log_proba(self, X: Any) -> np.ndarray:
        """log p(x | c) + log P(c): (rows, classes)."""
        check_is_fitted(self)
        X = self._open_inputs(X)
        step = max(X.shape[0], 1) if self._keeps_sparse and sparse.issparse(X) else BLOCK

        def block(a: int) -> np.ndarray:
            return self._log_joint(some_rows(X, a, a + step))

        return np.concatenate(parallel(block, range(0, max(X.shape[0], 1), step)))

    def _log_joint(self, X: Any) -> np.ndarray:
        """−inf for classes without rows or with prior zero."""
        return self._log_densities(X) + self.class_log_prior_

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """log P(c | x), exact where the probability itself would vanish."""
        joint = self.predict_joint_log_proba(X)
        return log_posterior(joint, self.class_log_prior_)

    def predict_proba(self, X: Any) -> np.ndarray:
        """P(c | x), columns as in `classes_`."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class; the first in sorted order of several."""
        best = np.argmax(self.predict_log_proba(X), axis=1)
        return self.classes_[best]

    def predict_dist(self, X: Any) -> Categorical:
        """`predict_proba` as a distribution over `classes_`."""
        logs = self.predict_log_proba(X)
        return Categorical(np.exp(logs), self.classes_, logs)

    def score_samples(self, X: Any) -> np.ndarray:
        """log p(x) whatever the class, Σ_c p(x | c) P(c): low for rows unlike all that was seen."""
        return logsumexp(self.predict_joint_log_proba(X), axis=1) + self._log_common(X)

    def _log_common(self, X: Any) -> Any:
        """log of a factor of p(x | c) that is the same in all classes, which Bayes' rule does without."""
        return 0.0

    def log_odds(self, X: Any, a: Any = None, b: Any = None) -> np.ndarray:
        """log P(a | x) / P(b | x): positive where a is the better guess, NaN where both are impossible.

        Without `b` against all other classes together; of two classes `a` is the second unless named, as in
        scikit-learn's `decision_function`.
        """
        logs = self.predict_log_proba(X)
        if a is None and len(self.classes_) != 2:
            raise InvalidInput(
                f"Name the class whose odds are asked for; there are {self.classes_.tolist()}."
            )
        first = place_of(self.classes_[1] if a is None else a, self.classes_)
        others = np.arange(len(self.classes_)) != first if b is None else [place_of(b, self.classes_)]
        with np.errstate(invalid="ignore", divide="ignore"):
            return logs[:, first] - logsumexp(logs[:, others], axis=1)

    def sample(self, label: Any = None, n: int = 1, random_state: Any = None) -> Any:
        """Rows that the model believes in: X of one class, or (X, y) with classes drawn by their priors.

        Parameters
        ----------
        label
            The class to draw from; None draws classes too.
        """
        check_is_fitted(self)
        check_integer("n", n, 0)
        rng = generator(random_state)
        if label is not None:
            return self._drawn(np.full(n, place_of(label, self.classes_)), rng)
        codes = rng.choice(len(self.classes_), size=n, p=np.exp(self.class_log_prior_))
        return self._drawn(codes, rng), self.classes_[codes]

    def _drawn(self, codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        out: Any = None
        for k in np.unique(codes).tolist():
            if not self.class_count_[k] > 0:
                raise InvalidInput(
                    f"Class {self.classes_[k].item()!r} has no rows yet, hence no density to draw from."
                )
            rows = self._draw(k, int(np.sum(codes == k)), rng)
            out = np.empty((len(codes), rows.shape[1]), dtype=rows.dtype) if out is None else out
            out[codes == k] = rows
        return np.empty((0, self.n_features_in_)) if out is None else out

    # -- validation (see suffice.evaluation.protocols) ----------------------------------------------------
    @abstractmethod
    def why_not_held_out(self, folds: Any) -> str | None:
        """None where `left_out_labels` equals refitting, else the reason."""

    def left_out_pays(self, folds: Any, plan: LabelPlan) -> bool:
        """Whether every fold is a single row, which one pass over all rows leaves out of one fit."""
        return bool(np.all(folds.sizes == 1))

    @abstractmethod
    def left_out_labels(self, rows: Rows, plan: LabelPlan) -> tuple[np.ndarray, np.ndarray]:
        """log P(c | x) of every row by the model without it, and which rows must be refitted instead."""

    def _refitted(self, rows: Rows, plan: LabelPlan) -> Self:
        """A copy that is fitted to these rows."""
        return copy.copy(self).solve(self.gather(rows, plan))

    @one_blas_thread()
    def heldout(self, X: Any, y: Any, splits: Any, sample_weight: Any = None) -> Categorical:
        """The distribution of every row by the model without the row's fold, without refitting.

        Parameters
        ----------
        splits
            Pairs of training and test rows that test every row once, each by itself (leave-one-out).
        """
        rows, plan = self.door(X, y, sample_weight)
        folds = as_folds(splits, len(rows))
        reason = self.why_not_held_out(folds)
        if reason is None and not (isinstance(folds, Partition) and self.left_out_pays(folds, plan)):
            reason = "the folds are not single rows"
        if reason is not None:
            raise Unsupported(
                f"There is no closed form here: {reason}. Use suffice.evaluation.cross_validate."
            )
        logs, alone = self.left_out_labels(rows, plan)
        if alone.any():
            raise NumericalError(
                f"Row {int(np.argmax(alone))} determines a direction alone, or is the last of its class, so the closed "
                "form fails there. Use suffice.evaluation.cross_validate, which refits such rows."
            )
        return Categorical(np.exp(logs), plan.classes, logs)


def some_rows(X: Any, start: int, stop: int) -> Any:
    """Rows of a table; those of CSR share its cells, where slicing would copy them."""
    if not sparse.issparse(X):
        return X[start:stop]
    ends = X.indptr[start : stop + 1]
    cells = slice(ends[0], ends[-1])
    return sparse.csr_array(
        (X.data[cells], X.indices[cells], ends - ends[0]), shape=(len(ends) - 1, X.shape[1])
    )
