r"""What generative classifiers share: the door, statistics per class, Bayes' rule, and the shell around them.

labelled rows ─▶ door: codes ─▶ gather: one statistic per class ─▶ solve: p(x | c) and p(c)

    P(c | x) = p(x | c) P(c) / Σ_c' p(x | c') P(c')      (FCML eq. 5.2, DTU eq. 13.6, PRML eq. 4.62)

computed in logarithms. Final classes say what is counted (`_gather`), how parameters follow from it (`solve`), and
what log p(x | c) is (`_log_densities`).
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.special import logsumexp
from sklearn.base import ClassifierMixin

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NoInformation,
    NumericalError,
    Unsupported,
    as_numbers,
    warn,
)
from suffice._core.random import generator
from suffice._estimator import (
    Estimator,
    check_is_fitted,
    check_weight,
    open_inputs,
    open_table,
    remember_columns,
)
from suffice._estimator.labels import LabelPlan, codes_of, listed, open_labels
from suffice.distributions import Categorical
from suffice.engine import Rows, one_blas_thread, parallel, reduce
from suffice.statistics import ClassStatistics, Counts, Header
from suffice.statistics.folds import Partition, as_folds
from suffice.statistics.labels import LabelCounts

BLOCK = 4096  # rows whose densities are computed at a time


class FromClassStatistics(ClassifierMixin, Estimator, ABC):
    """The door, a statistic per class, and fits from them; what is predicted, and how, is said elsewhere."""

    statistics_: ClassStatistics
    classes_: np.ndarray
    class_count_: np.ndarray
    n_features_in_: int

    # -- what final classes say ----------------------------------------------------------------------
    @abstractmethod
    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        """Statistics of some validated rows, few enough for one block of work."""

    @abstractmethod
    def _solve(self, statistics: ClassStatistics) -> None:
        """Write the parameters; what concerns the classes themselves is written already."""

    def _check_parameters(self) -> None:
        """Raise for parameters outside their domain; called before rows are read."""

    def _open(self, X: Any, n: int, earlier: Any) -> tuple[Any, Any]:
        """X as numbers, and its header; classes that take something else override it."""
        X, _, header = open_table(self, X, np.zeros(n), like=earlier, gaps=self._takes_gaps)
        return X, Header(header.n_features, header.features, None, 0)

    def _plan(self, rows: Rows, plan: LabelPlan, like: LabelPlan | None) -> LabelPlan:
        """What else must be known before rows are counted; the same for every block of them."""
        return plan

    def _plan_like(self, statistics: ClassStatistics) -> LabelPlan:
        """The plan under which rows can be counted so that they add to these."""
        return LabelPlan(statistics.header, statistics.classes)

    def _open_inputs(self, X: Any) -> Any:
        """X for a prediction."""
        return open_inputs(self, X, gaps=self._takes_gaps)

    _takes_gaps = False
    _needs_contrast = False  # whether one class alone is no problem to solve

    # -- statistics ------------------------------------------------------------------------------------
    @property
    def state_needs_data(self) -> bool:
        """Nothing but the labels is taken from the rows before they are counted."""
        return False

    @property
    def statistics_key(self) -> Hashable:
        """Models with equal keys collect equal statistics."""
        return type(self).__name__

    def door(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        like: LabelPlan | None = None,
        classes: Any = None,
    ) -> tuple[Rows, LabelPlan]:
        """Validated rows with their labels as codes, and the classes; adding statistics unites their classes."""
        self._check_parameters()
        labels = open_labels(y)
        X, header = self._open(X, len(labels), None if like is None else like.header)
        weight = check_weight(sample_weight, X)
        known = listed(labels if weight is None else labels[weight > 0], classes)
        rows = Rows(X, codes_of(labels, known), weight)
        return rows, self._plan(rows, LabelPlan(header, known), like)

    def gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        """Statistics of validated rows."""
        return reduce(rows, self._gather, plan)

    def collect(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        like: ClassStatistics | None = None,
        classes: Any = None,
    ) -> ClassStatistics:
        """Statistics of a table; writes nothing to the model."""
        plan = None if like is None else self._plan_like(like)
        with one_blas_thread():
            return self.gather(*self.door(X, y, sample_weight, like=plan, classes=classes))

    def solve(self, statistics: ClassStatistics) -> Self:
        """Write every fitted attribute from the statistics, all of them or, if something fails, none."""
        self._check_parameters()
        new = copy.copy(self)
        new._write_classes(statistics.counts)
        new._solve(statistics)
        new.statistics_ = statistics
        remember_columns(new, statistics.header)
        self.__dict__ = new.__dict__
        return self

    def _write_classes(self, counts: Counts) -> None:
        if not counts.n > 0:
            raise InvalidInput("There are no rows with positive weight; a fit needs at least one.")
        if len(counts.classes) < 2 and self._needs_contrast:
            raise InvalidInput(
                f"{type(self).__name__} needs at least 2 classes in y; the data contain one class, "
                f"{counts.classes[0].item()!r}. List others with partial_fit(classes=...), or use a density model."
            )
        self.classes_, self.class_count_ = counts.classes, counts.counts

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to a table.

        Parameters
        ----------
        X
            Rows are observations. Arrays, pandas, polars and Arrow tables and sparse matrices are taken.
        y
            Labels: strings, booleans or whole numbers.
        sample_weight
            How often each row counts.
        """
        return self.reported(lambda tick: self._fit_rows(*self.door(X, y, sample_weight)))

    @one_blas_thread()
    def _fit_rows(self, rows: Rows, plan: LabelPlan) -> Self:
        """Fit to all rows at once, behind the door."""
        return self.solve(self.gather(rows, plan))

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to those already seen; the same as fitting all of them at once.

        New labels become new classes. `classes` lists the labels that may occur: others are refused, and one that has
        not occurred yet has no density and is never predicted.
        """
        earlier = getattr(self, "statistics_", None)
        new = self.collect(X, y, sample_weight, like=earlier, classes=classes)
        return self.solve(new if earlier is None else earlier + new)

    def _place(self, label: Any) -> int:
        """Where a class stands in `classes_`."""
        place = np.flatnonzero(self.classes_ == label)
        if not len(place):
            raise InvalidInput(f"Unknown class {label!r}; there are {self.classes_.tolist()}.")
        return int(place[0])

    def why_not_summed(self, X: Any) -> str | None:
        """None if a table can be told from its statistics, else the reason why it must be fitted row by row."""
        return None

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "class_count_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._takes_gaps
        return tags


class GenerativeClassifier(FromClassStatistics, ABC):
    """p(x | c) and p(c), fitted class by class; predictions by Bayes' rule."""

    class_log_prior_: np.ndarray

    @abstractmethod
    def _log_densities(self, X: Any) -> np.ndarray:
        """log p(x | c) of a block of validated rows: (rows, classes)."""

    @property
    @abstractmethod
    def _prior_choice(self) -> Any:
        """None or "empirical", "uniform", or a probability per class."""

    @abstractmethod
    def _draw(self, place: int, n: int, rng: np.random.Generator) -> np.ndarray:
        """n rows from the density of the class at this place in `classes_`."""

    def _write_classes(self, counts: Counts) -> None:
        super()._write_classes(counts)
        self.class_log_prior_ = log_priors(self._prior_choice, counts)

    # -- prediction ------------------------------------------------------------------------------------
    @one_blas_thread()
    def predict_joint_log_proba(self, X: Any) -> np.ndarray:
        """log p(x | c) + log P(c): (rows, classes)."""
        check_is_fitted(self)
        X = self._open_inputs(X)

        def block(a: int) -> np.ndarray:
            return self._log_joint(some_rows(X, a, a + BLOCK))

        return np.concatenate(parallel(block, range(0, max(X.shape[0], 1), BLOCK)))

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
        return logsumexp(self.predict_joint_log_proba(X), axis=1)

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
        first = self._place(self.classes_[1] if a is None else a)
        others = np.arange(len(self.classes_)) != first if b is None else [self._place(b)]
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
        rng = generator(random_state)
        if label is not None:
            return self._drawn(np.full(n, self._place(label)), rng)
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
    def why_not_held_out(self, folds: Any) -> str | None:
        """None where `left_out_labels` equals refitting, else the reason."""
        return (
            f"{type(self).__name__} has no closed form for a row left out; statistics of folds answer instead"
        )

    def left_out_pays(self, folds: Any, plan: LabelPlan) -> bool:
        """Whether every fold is a single row, which one pass over all rows leaves out of one fit."""
        return bool(np.all(folds.sizes == 1))

    def left_out_labels(self, rows: Rows, plan: LabelPlan) -> tuple[np.ndarray, np.ndarray]:
        """log P(c | x) of every row by the model without it, and which rows must be refitted instead."""
        raise Unsupported(f"There is no closed form here: {self.why_not_held_out(None)}.")

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

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "class_log_prior_")


def some_rows(X: Any, start: int, stop: int) -> Any:
    """Rows of a table; those of CSR share its cells, where slicing would copy them."""
    if not sparse.issparse(X):
        return X[start:stop]
    ends = X.indptr[start : stop + 1]
    cells = slice(ends[0], ends[-1])
    return sparse.csr_array(
        (X.data[cells], X.indices[cells], ends - ends[0]), shape=(len(ends) - 1, X.shape[1])
    )


# -- Bayes' rule --------------------------------------------------------------------------------------
def log_priors(choice: Any, counts: Counts) -> np.ndarray:
    """log P(c): shares of the rows, equal shares, or as given. A class without rows has −inf."""
    k = len(counts.classes)
    if choice is None or (isinstance(choice, str) and choice == "empirical"):
        prior = counts.counts / counts.n
    elif isinstance(choice, str) and choice == "uniform":
        prior = np.full(k, 1 / k)
    elif isinstance(choice, str):
        raise InvalidParameter(
            f"priors must be None, 'empirical', 'uniform' or one probability per class; got {choice!r}."
        )
    else:
        prior = as_numbers("priors", choice)
        if prior.shape != (k,):
            raise InvalidParameter(
                f"Number of priors must match number of classes, {k} ({counts.classes.tolist()}); "
                f"got shape {prior.shape}."
            )
        if np.any(~(prior >= 0)):
            raise InvalidParameter(f"Priors must be non-negative; got {prior.tolist()}.")
        if not np.isclose(prior.sum(), 1.0, rtol=0, atol=1e-6):
            raise InvalidParameter(f"The sum of the priors should be 1; it is {prior.sum():g}.")
        prior = prior / prior.sum()
    with np.errstate(divide="ignore"):
        return np.log(prior)


def log_posterior(joint: np.ndarray, log_prior: np.ndarray) -> np.ndarray:
    """Rows of log p(x, c), normalized. A row that no class can produce gets the priors, with a warning."""
    impossible = np.all(joint == -np.inf, axis=1)
    if impossible.any():
        row = int(np.argmax(impossible))
        warn(
            f"Row {row} has probability zero in every class, as have {int(impossible.sum()) - 1} others; it is "
            "given the class priors. Smooth the model to tell such rows apart.",
            NoInformation,
        )
        joint = np.where(impossible[:, None], log_prior - logsumexp(log_prior), joint)
    top = joint.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        shifted = np.where(joint == top, 0.0, joint - top)  # two classes of infinite density share a row
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def priors_without(
    log_prior: np.ndarray, choice: Any, counts: np.ndarray, codes: np.ndarray, weight: np.ndarray
) -> np.ndarray:
    """P(c) without each row: (rows, classes). Shares change with the row, given priors do not."""
    if choice is not None and not (isinstance(choice, str) and choice == "empirical"):
        return np.tile(np.exp(log_prior), (len(codes), 1))
    left = np.tile(counts, (len(codes), 1))
    left[np.arange(len(codes)), codes] -= weight
    return np.maximum(left, 0.0) / np.maximum(counts.sum() - weight, np.finfo(float).tiny)[:, None]


def label_counts(plan: LabelPlan, rows: Rows) -> Counts:
    """The weight of each class among validated rows."""
    return LabelCounts.of_codes(plan.header, plan.classes, rows.Y, rows.weight).counts
