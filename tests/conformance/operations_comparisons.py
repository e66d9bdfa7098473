"""Operations of the conformance cases about tests and intervals (DTU chapter 11).

Each follows the rules of `operations.py`: a class, its inputs in the constructor, one public method per answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.evaluation.comparisons import (
    MatchedPairs,
    accuracy_from_counts,
    bayesian_correlated_t,
    correlated_t,
    coverage,
    error_interval,
    mcnemar_from_counts,
    monte_carlo_p,
    z_test,
)
from suffice.evaluation.comparisons.mcnemar import beta_parameters, twice_the_tail
from suffice.evaluation.findings import Finding


class Found:
    """Answers of any finding."""

    found: Finding

    def estimate(self):
        return self.found.estimate

    def interval(self):
        return self.found.interval

    def p_value(self):
        return self.found.p_value

    def notes(self):
        return len(self.found.notes)


class Accuracy(Found):
    def __init__(self, correct: int, n: int, confidence: float = 0.95):
        self.found = accuracy_from_counts(correct, n, confidence=confidence)

    def posterior(self):
        """a and b of the Beta."""
        n = self.found.n or 0
        a = self.found.estimate * (n + 1)
        return [a, n + 1 - a]

    def share(self):
        return self.found.observed


class AccuracyCoverage:
    """Fig. 11.2: intervals of simulated data sets at a fixed accuracy."""

    def __init__(self, theta: float, n: int, data_sets: int, random_state: int = 0):
        def interval(m: int) -> Finding:
            return accuracy_from_counts(m, n)

        self.found = coverage(interval, lambda t, rng: rng.binomial(n, t), theta, data_sets, random_state)

    def share(self):
        return float(self.found.share)


class McNemar(Found):
    def __init__(self, pairs: list[int], confidence: float = 0.95):
        self.pairs = MatchedPairs(*pairs)
        self.found = mcnemar_from_counts(self.pairs, confidence=confidence)

    def beta(self):
        return beta_parameters(self.pairs)

    def precision(self):
        """Q of eq. 11.33: the sum of the Beta's parameters and one."""
        return sum(beta_parameters(self.pairs)) + 1

    def formula(self):
        return twice_the_tail(self.pairs)


class ErrorInterval(Found):
    def __init__(self, losses: list[float], confidence: float = 0.95):
        self.found = error_interval(losses, confidence=confidence)
        self.losses = np.array(losses)


class Correlated(Found):
    def __init__(self, differences: list[float], folds: int, confidence: float = 0.95):
        self.found = correlated_t(differences, 1 / folds, confidence=confidence)
        self.posterior = bayesian_correlated_t(differences, 1 / folds).posterior
        self.folds = folds

    def scale(self):
        """σ̃ of eq. 11.61."""
        return float(self.posterior.scale)

    def spread(self):
        """ŝ, from σ̃."""
        n = self.found.n or 1
        return float(self.posterior.scale) / np.sqrt(1 / n + 1 / (self.folds - 1))


class ZTest(Found):
    def __init__(self, mean: float, variance: float, n: int):
        self.found = z_test(mean, variance, n)


class SimulatedP:
    """Technical note 11.2.2: the share of null statistics at least as extreme, simulated for the known variance."""

    def __init__(self, mean: float, variance: float, n: int, data_sets: int, random_state: int = 0):
        rng: Any = np.random.default_rng(random_state)
        null = np.sqrt(variance / n) * rng.standard_normal(data_sets)
        self.found = monte_carlo_p(mean, null, count="plain")

    def p_value(self):
        return self.found.p_value


OPERATIONS: dict[str, Callable] = {
    "accuracy_coverage": AccuracyCoverage,
    "accuracy_interval": Accuracy,
    "correlated_t": Correlated,
    "error_interval": ErrorInterval,
    "mcnemar": McNemar,
    "simulated_p": SimulatedP,
    "z_test": ZTest,
}
