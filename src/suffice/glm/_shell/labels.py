"""Generalized linear models of labels: binary through one function, more classes through a softmax."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers, check_number
from suffice._core.records import record
from suffice._estimator.labels import codes_of, listed, open_labels
from suffice._estimator.summary import Summary
from suffice.distributions import Categorical
from suffice.engine import Rows
from suffice.glm._fit.mode import Mode
from suffice.glm._fit.pass_sums import SumsAt, Visit
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._shell.curvature_summary import summary_of_curvature
from suffice.glm._shell.interface import LinkModel
from suffice.glm._shell.penalized import penalized_mode
from suffice.likelihoods import Likelihood, Softmax
from suffice.statistics.counts import check_same_kind
from suffice.statistics.labels import LabelCounts


@record
class Odds:
    """Two labels with these a, as far as a loss asks: what is likeliest, and how likely the labels were."""

    likelihood: Likelihood
    classes: np.ndarray
    a: np.ndarray

    @property
    def mode(self) -> np.ndarray:
        return self.classes[(self.a > 0).astype(int)]

    @property
    def probabilities(self) -> np.ndarray:
        p = self.likelihood.mean(self.a)
        return np.column_stack([1 - p, p])

    def log_prob(self, y: np.ndarray) -> np.ndarray:
        return self.likelihood.log_prob(np.asarray(y == self.classes[1], dtype=float), self.a)


class LabelledModel(ClassifierMixin, LinkModel, ABC):
    """P(c | x) through functions that are linear in φ(x)."""

    class_weight: Any
    classes_: np.ndarray
    coef_: np.ndarray
    intercept_: np.ndarray

    # -- the door ----------------------------------------------------------------------------------------------
    def _open_targets(self, y: Any, weight: np.ndarray | None, like: Plan | None) -> tuple[np.ndarray, Any]:
        labels = open_labels(y)
        if weight is not None and len(weight) != len(labels):
            raise InvalidInput(
                f"X and y must have the same number of rows; got {len(weight)} and {len(labels)}."
            )
        seen = labels if weight is None else labels[weight > 0]
        if like is None:
            classes = listed(seen, None)
        else:
            classes = like.classes
            check_same_kind(classes, np.unique(seen))
            listed(seen, classes)
        return codes_of(labels, classes), classes

    @property
    def needs_survey(self) -> bool:
        """Classes must be known before the first row is counted."""
        return True

    def survey(self, rows: Rows, plan: Plan) -> LabelCounts:
        """Which labels occur in a batch."""
        return LabelCounts.of_codes(plan.header, plan.classes, rows.Y, rows.weight)

    def with_survey(self, plan: Plan, survey: LabelCounts) -> Plan:
        """The plan of a batch with the classes of all of them."""
        counts = survey.counts
        likelihood = self._likelihood(counts.classes)
        codes = np.arange(len(counts.classes))
        start = self._constant(likelihood, codes, counts.counts)
        return Plan(plan.layout, plan.scale, likelihood, np.array(start, dtype=float), counts.classes)

    @abstractmethod
    def decision_function(self, X: Any) -> np.ndarray:
        """The log odds of the second of two classes; (rows, classes) of several, up to a constant per row."""

    @abstractmethod
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """log P(c | x), exact where the probability itself would vanish."""

    def _class_weights(self, plan: Plan, visit: Any) -> np.ndarray | None:
        choice = self.class_weight
        if choice is None:
            return None
        classes = plan.classes
        if isinstance(choice, str):
            if choice != "balanced":
                raise InvalidParameter(
                    f"class_weight must be None, 'balanced' or a weight per class by label; got {choice!r}."
                )
            counts = visit(SumsAt(plan.first(), "gradient")).targets[0]
            return np.divide(counts.sum(), len(classes) * counts, out=np.zeros_like(counts), where=counts > 0)
        if not isinstance(choice, Mapping):
            raise InvalidParameter(
                f"class_weight must be None, 'balanced' or a weight per class by label; got {choice!r}."
            )
        known = set(classes.tolist())
        for label, value in choice.items():
            check_number(f"class_weight[{label!r}]", value, low=0.0)
            if label not in known:
                raise InvalidParameter(f"class_weight names the class {label!r}; y has {classes.tolist()}.")
        return as_numbers("class_weight", [choice.get(c, 1.0) for c in classes.tolist()])

    # -- the report ----------------------------------------------------------------------------------------------
    def _publish(self, problem: LinkProblem, mode: Mode) -> None:
        intercept, weights = self.function_.raw()  # (K,), (d, K)
        plan = problem.plan
        every = plan.likelihood.several and self.parametrization == "full"
        mixing = _symmetric_functions(len(plan.classes)) if every else np.eye(plan.n_functions)
        self.classes_ = plan.classes
        self.coef_ = mixing @ weights.T
        self.intercept_ = mixing @ intercept if self._has_constant else np.zeros(len(mixing))
        if len(mixing) > 1 and mode.root is not None:
            K = plan.n_functions
            size, rank = self.root_.shape
            mixed = np.tensordot(mixing, self.root_.reshape(K, size // K, rank), axes=1)
            self.root_ = mixed.reshape(len(mixing) * (size // K), rank)

    def _terms(self) -> tuple[tuple[str, ...], np.ndarray, tuple[str, ...]]:
        names = self.plan_.header.column_names
        names = ("intercept", *names) if self.fit_intercept else names
        w = np.column_stack([self.intercept_, self.coef_])[:, 0 if self.fit_intercept else 1 :]
        if len(w) == 1:
            return names, w[0], ()
        classes = self.classes_[: len(w)].tolist()
        owners = tuple(str(c) for c in classes for _ in names)
        return tuple(f"{c}: {t}" for c in classes for t in names), w.ravel(), owners

    # -- prediction ------------------------------------------------------------------------------------------------
    def _distribution_at(self, plan: Plan, a: np.ndarray) -> Categorical:
        """Of rows with these a (N,), for two classes."""
        logs = log_probabilities(plan.likelihood, a[:, None])
        return Categorical(np.exp(logs), plan.classes, logs)

    def _for_losses(self, plan: Plan, a: np.ndarray) -> Odds:
        return Odds(plan.likelihood, plan.classes, a)

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
        return self._with_notes(Categorical(np.exp(logs), self.classes_, logs), X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # planes through the origin tell few tables apart
        tags.classifier_tags.poor_score = not self.fit_intercept
        return tags


class LabelsAtEstimate(LinkModel, ABC):
    """Predictions from the function that was fitted, and nothing else."""

    classes_: np.ndarray

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
        return self._fit(X, y, sample_weight)

    def _find(self, plan: Plan, start: np.ndarray, visit: Visit, tick: Any) -> tuple[LinkProblem, Mode]:
        return penalized_mode(self, plan, start, visit, tick, self.tol)

    def _look_again(self, problem: LinkProblem, mode: Mode) -> None:
        """There is nothing to look for."""

    def _no_covariance(self) -> Exception | None:
        return self._too_costly()

    def summary(self, confidence: float = 0.95) -> Summary:
        """Estimates, standard errors, z, p and intervals of all weights."""
        return summary_of_curvature(self, confidence)

    def decision_function(self, X: Any) -> np.ndarray:
        """The log odds of the second of two classes; (rows, classes) of several, up to a constant per row."""
        return decisions(self, self._values(X))

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """log P(c | x), exact where the probability itself would vanish."""
        a = self._values(X)
        return log_probabilities(self.likelihood_, a)


def decisions(model: Any, a: np.ndarray) -> np.ndarray:
    """From the functions that are fitted: log odds of the second class, or a function per class."""
    n = len(model.classes_)
    if n > 2:
        return a @ _symmetric_functions(n).T
    return -a[:, 0] if model.likelihood_.several else a[:, 0]  # a softmax counts from the last class


def log_probabilities(likelihood: Likelihood, a: np.ndarray) -> np.ndarray:
    """log P(c | a) of all classes."""
    if isinstance(likelihood, Softmax):
        return likelihood.log_mean(a)
    return np.column_stack([likelihood.log_prob(np.full(len(a), c), a[:, 0]) for c in (0, 1)])


def _symmetric_functions(n_classes: int) -> np.ndarray:
    """(C, C − 1): functions with sum zero over classes, from their differences to the last class."""
    k = n_classes - 1
    return np.vstack([np.eye(k), np.zeros(k)]) - 1 / n_classes
