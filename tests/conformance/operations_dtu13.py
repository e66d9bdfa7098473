"""Operations on naive Bayes with categories and with normal columns, and on the full joint table."""

from __future__ import annotations

import numpy as np

from suffice.distributions import Beta
from suffice.generative import (
    CategoricalNB,
    GaussianNB,
    JointTableClassifier,
    MixedNB,
    QuadraticDiscriminantAnalysis,
)


class NaiveCategories:
    """Columns of categories 0, 1, … and rows to classify; several values of α at once."""

    def __init__(self, rows: list, labels: list, new: list, alpha: list | None = None):
        self.rows, self.labels, self.new, self.alpha = rows, labels, new, alpha or [0.0]
        self.models = [CategoricalNB(alpha=a).fit(rows, labels) for a in self.alpha]

    def priors(self):
        return np.exp(self.models[0].class_log_prior_)

    def shares_of_zero(self):
        """p(x_j = 0 | c): a row per column, for each α."""
        return [[np.exp(logs[:, 0]) for logs in m.feature_log_prob_] for m in self.models]

    def conditionals(self):
        return [np.exp(m.predict_joint_log_proba(self.new) - m.class_log_prior_) for m in self.models]

    def probabilities(self):
        return [m.predict_proba(self.new) for m in self.models]

    def probabilities_by_kinds(self):
        """The same by columns that are said to be on or off."""
        models = [MixedNB("bernoulli", alpha=a).fit(self.rows, self.labels) for a in self.alpha]
        return [m.predict_proba(self.new) for m in models]

    def decision(self):
        return self.models[0].predict(self.new)


class JointCells(NaiveCategories):
    """The full joint table beside the naive model of the same columns."""

    def joint(self):
        return JointTableClassifier().fit(self.rows, self.labels).predict_proba(self.new)

    def joint_conditionals(self):
        m = JointTableClassifier().fit(self.rows, self.labels)
        return np.exp(m.predict_joint_log_proba(self.new) - m.class_log_prior_)


class RobustNormal:
    """One column of numbers with α added to the standard deviations."""

    def __init__(self, x: list, labels: list, alpha: float, new: float):
        self.model, self.new = GaussianNB.book(alpha).fit(np.reshape(x, (-1, 1)), labels), [[new]]

    def means(self):
        return self.model.theta_[:, 0]

    def deviations(self):
        return self.model.std_[:, 0]

    def probabilities(self):
        return self.model.predict_proba(self.new)[0]


class ParametersPerClass:
    """How many numbers describe a class of M columns."""

    def __init__(self, columns: list):
        self.columns = columns

    def _of(self, make) -> list:
        rng = np.random.default_rng(0)
        tables = [rng.standard_normal((4 * m + 6, m)) for m in self.columns]
        return [make().fit(X, np.arange(len(X)) % 2).n_parameters_ / 2 for X in tables]

    def full(self):
        return self._of(QuadraticDiscriminantAnalysis)

    def naive(self):
        return self._of(GaussianNB)


class OriginOfAlpha:
    """n₁ of N rows have the value 1: the mean of the posterior from Beta(α, α), and smoothed shares."""

    def __init__(self, ones: int, n: int, alpha: list):
        self.x, self.alpha = np.repeat([1, 0], [ones, n - ones]), alpha

    def posterior_mean(self):
        return [Beta(a, a).posterior(self.x).mean for a in self.alpha]

    def posterior(self):
        after = [Beta(a, a).posterior(self.x) for a in self.alpha]
        return [[d.a, d.b] for d in after]

    def smoothed(self):
        rows, labels = self.x[:, None], np.zeros(len(self.x))
        return [
            np.exp(CategoricalNB(alpha=a).fit(rows, labels).feature_log_prob_[0][0, 1]) for a in self.alpha
        ]

    def by_prior(self):
        rows, labels = self.x[:, None], np.zeros(len(self.x))
        models = [CategoricalNB(prior=Beta(a, a)).fit(rows, labels) for a in self.alpha]
        return [np.exp(m.feature_log_prob_[0][0, 1]) for m in models]


OPERATIONS = {
    "joint_cells": JointCells,
    "naive_categories": NaiveCategories,
    "origin_of_alpha": OriginOfAlpha,
    "parameters_per_class": ParametersPerClass,
    "robust_normal": RobustNormal,
}
