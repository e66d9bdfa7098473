"""Generalized linear models of labels: binary through one function, more classes through a softmax."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin

from suffice._core.errors import InvalidInput, InvalidParameter, as_numbers, check_number
from suffice._core.records import record
from suffice._estimator.labels import check_two_classes, codes_of, listed, open_labels
from suffice.distributions import Categorical
from suffice.engine import Rows
from suffice.glm._fit.mode import Mode
from suffice.glm._fit.pass_sums import SumsAt
from suffice.glm._fit.plan import Plan
from suffice.glm._fit.problem import LinkProblem
from suffice.glm._shell.model import GeneralizedLinear
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


class LabelledModel(ClassifierMixin, GeneralizedLinear, ABC):
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
        start = self._start(likelihood, codes, counts.counts, counts.classes)
        return Plan(plan.layout, plan.scale, likelihood, np.array(start, dtype=float), counts.classes)

    def _class_weights(self, plan: Plan, visit: Callable[[Any], Any]) -> np.ndarray | None:
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

    def fit_by_passes(self, plan: Plan, start: np.ndarray, visit: Any, tick: Any = None) -> Self:
        """As for every generalized linear model; a single class is nothing to learn."""
        check_two_classes(self, plan.classes)
        return super().fit_by_passes(plan, start, visit, tick)

    # -- the report ----------------------------------------------------------------------------------------------
    def _publish(self, plan: Plan, problem: LinkProblem, mode: Mode) -> None:
        intercept, weights = self.function_.raw()  # (K,), (d, K)
        mixing = self._mixing(plan)
        self.classes_ = plan.classes
        self.coef_ = mixing @ weights.T
        self.intercept_ = mixing @ intercept if self._has_constant else np.zeros(len(mixing))
        if len(mixing) > 1 and mode.root is not None:
            K = plan.n_functions
            size, rank = self.root_.shape
            mixed = np.tensordot(mixing, self.root_.reshape(K, size // K, rank), axes=1)
            self.root_ = mixed.reshape(len(mixing) * (size // K), rank)

    def _mixing(self, plan: Plan) -> np.ndarray:
        """The functions that are reported, from those that are fitted."""
        return _symmetric_functions(len(plan.classes)) if plan.likelihood.several else np.eye(1)

    def _terms(self) -> tuple[tuple[str, ...], np.ndarray]:
        names = self.plan_.header.column_names
        first = ("intercept",) if self.fit_intercept else ()
        w = np.column_stack([self.intercept_, self.coef_])[:, 0 if self.fit_intercept else 1 :]
        if len(w) == 1:
            return (*first, *names), w[0]
        return tuple(
            f"{c}: {t}" for c in self.classes_[: len(w)].tolist() for t in (*first, *names)
        ), w.ravel()

    def _owners(self) -> tuple[str, ...]:
        if len(self.coef_) == 1:
            return ()
        return tuple(
            np.repeat(
                [str(c) for c in self.classes_[: len(self.coef_)].tolist()],
                self.fit_intercept + self.coef_.shape[1],
            )
        )

    # -- prediction ------------------------------------------------------------------------------------------------
    def decision_function(self, X: Any) -> np.ndarray:
        """The log odds of the second of two classes; (rows, classes) of several, up to a constant per row."""
        a = self._values(X)
        if len(self.classes_) > 2:
            return a @ _symmetric_functions(len(self.classes_)).T
        return -a[:, 0] if self.likelihood_.several else a[:, 0]  # a softmax counts from the last class

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """log P(c | x), exact where the probability itself would vanish."""
        return self._log_probabilities(self._values(X))

    def _log_probabilities(self, a: np.ndarray) -> np.ndarray:
        if isinstance(self.likelihood_, Softmax):
            return self.likelihood_.log_mean(a)
        codes = (np.full(len(a), c) for c in range(len(self.classes_)))
        return np.column_stack([self.likelihood_.log_prob(c, a[:, 0]) for c in codes])

    def _distribution_at(self, plan: Plan, a: np.ndarray) -> Categorical:
        """Of rows with these a (N,), for two classes."""
        logs = np.column_stack([plan.likelihood.log_prob(np.full(len(a), c), a) for c in range(2)])
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
        tags.classifier_tags.poor_score = (
            not self.fit_intercept
        )  # planes through the origin tell few tables apart
        return tags


def _symmetric_functions(n_classes: int) -> np.ndarray:
    """(C, C − 1): functions with sum zero over classes, from their differences to the last class."""
    k = n_classes - 1
    return np.vstack([np.eye(k), np.zeros(k)]) - 1 / n_classes
