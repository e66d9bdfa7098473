"""Operations on two classes told apart by one number: the running example of the lecture on classification."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from suffice.distributions import Normal, decision
from suffice.generative import BayesClassifier


class Heights:
    """Class 1 and class 0 with known normal densities and a known prior of class 1; heights to judge."""

    def __init__(self, one, zero, prior=0.5, at=()):
        self.densities, self.prior = {1: Normal(*one), 0: Normal(*zero)}, prior
        self.h = np.asarray(at, dtype=float)[:, None]
        model = BayesClassifier(self.densities, priors=[1 - prior, prior])
        self.model = model.fit(
            np.array([[150.0], [190.0]]), [0, 1]
        )  # densities are given: rows only name the classes

    def posterior(self):
        """P(C = 1 | h)."""
        return self.model.predict_proba(self.h)[:, 1]

    def log_marginal(self):
        """log p(h), whatever the class."""
        return self.model.score_samples(self.h)

    def log_ratio(self):
        """f(h) = log P(C = 1 | h) − log P(C = 0 | h)."""
        logs = self.model.predict_log_proba(self.h)
        return logs[:, 1] - logs[:, 0]

    def guess(self):
        return self.model.predict(self.h)

    def by_sign(self):
        """Class 1 where f(h) > 0, from the densities alone."""
        return (decision.log_odds(self.h[:, 0], self.densities[1], self.densities[0], self.prior) > 0).astype(
            int
        )

    def error_at(self):
        """P(mistake | h) of the guess."""
        return decision.error_probability(self.model.predict_dist(self.h))

    def overlap(self):
        """The smallest error of any rule."""
        return decision.overlap_error(self.densities[1], self.densities[0], self.prior)


OPERATIONS: dict[str, Callable] = {"heights": Heights}
