"""Operations of the conformance cases about evidence, imbalance and what wrong labels allow.

Each follows the rules of `operations.py`: a class, its inputs in the constructor, one public method per answer.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from suffice import datasets
from suffice.baselines import MajorityClassifier
from suffice.bases import Polynomial
from suffice.distributions import MultivariateNormal
from suffice.evaluation.ceiling import ceiling
from suffice.evaluation.evidence import compare_evidence
from suffice.evaluation.occam import expected_bayes_factor, occam, occam_factor
from suffice.evaluation.thresholds import bayes_threshold
from suffice.linear import BayesianLinearRegression
from suffice.prepare.transforming.resampling import class_weights, oversample, undersample


def polynomial(order: int, prior_precision: float, noise_precision: float) -> BayesianLinearRegression:
    return BayesianLinearRegression(
        prior_precision, noise_precision=noise_precision, basis=Polynomial(order), intercept="prior"
    )


class EvidenceComparison:
    """Polynomials of several orders, compared by their evidence."""

    def __init__(self, data: str, orders: list[int], prior_precision: float, noise_precision: float):
        table = getattr(datasets, data)()
        self.models = {
            str(m): polynomial(m, prior_precision, noise_precision).fit(table.X, table.y) for m in orders
        }

    @cached_property
    def _found(self):
        return compare_evidence(self.models)

    def best(self):
        return int(self._found.best)

    def log_bayes_factors(self):
        return self._found.log_bayes_factors

    def probabilities(self):
        return self._found.probabilities

    def largest_gap_of_occam(self):
        """The factor against prior over posterior density at the posterior mean (Bayes' rule there)."""
        gaps = []
        for model in self.models.values():
            post = model.posterior_
            prior = MultivariateNormal(
                np.zeros(len(post.mean)), np.eye(len(post.mean)) / model.prior_precision
            )
            gaps.append(prior.log_prob(post.mean) - post.log_prob(post.mean) - occam(model).log_factor)
        return np.max(np.abs(gaps))

    def occam_factors_fall(self):
        factors = [occam(model).log_factor for model in self.models.values()]
        return bool(np.all(np.diff(factors) < 0))


class OccamFactor:
    """The price of parameters from the widths of their posterior and prior."""

    def __init__(self, posterior_width: float, prior_width: float, n_parameters: int = 1):
        self.found = occam_factor(posterior_width, prior_width, n_parameters)

    def log(self):
        return self.found.log


class ExpectedBayesFactor:
    """What the log Bayes factor is on average, and how often it favors the wrong polynomial."""

    def __init__(
        self,
        data: str,
        truth: int,
        rival: int,
        prior_precision: float,
        noise_precision: float,
        n: int = 20_000,
    ):
        models = [polynomial(m, prior_precision, noise_precision) for m in (truth, rival)]
        self.found = expected_bayes_factor(*models, getattr(datasets, data)().X, n=n, random_state=0)

    def mean(self):
        return self.found.mean

    def misled(self):
        return self.found.misled


class Majority:
    """The largest class as a prediction, from counts, and what a model gains over it."""

    def __init__(self, counts: list[float], accuracy: float | None = None):
        labels = np.arange(len(counts))
        model = MajorityClassifier().fit(np.zeros((len(counts), 1)), labels, sample_weight=counts)
        self.right = float(model.class_prior_[model.predict([[0.0]])[0]])
        self.model = accuracy

    def accuracy(self):
        return self.right

    def gain(self):
        assert self.model is not None
        return self.model - self.right


class Resampling:
    """Classes of unequal size made equal."""

    def __init__(self, counts: list[int]):
        self.y = np.repeat(np.arange(len(counts)), counts)
        self.X = np.arange(len(self.y))[:, None]

    def under(self):
        return np.bincount(undersample(self.X, self.y, 0)[1])

    def over(self):
        return np.bincount(oversample(self.X, self.y, 0)[1])

    def weights(self):
        return list(class_weights(self.y).values())


class Threshold:
    """Where to say yes, from the utilities of the four outcomes in the text's order: TP, FN, FP, TN."""

    def __init__(self, utilities: list[float]):
        tp, fn, fp, tn = utilities
        self.costs = [[-tn, -fp], [-fn, -tp]]

    def threshold(self):
        return bayes_threshold(self.costs)


class Ceiling:
    """The best accuracy on labels of which some are wrong."""

    def __init__(self, label_noise: float, **options: Any):
        self.found = ceiling(label_noise, **options)

    def accuracy(self):
        return self.found


OPERATIONS = {
    "evidence_comparison": EvidenceComparison,
    "occam_factor": OccamFactor,
    "expected_bayes_factor": ExpectedBayesFactor,
    "majority": Majority,
    "resampling": Resampling,
    "cost_threshold": Threshold,
    "ceiling": Ceiling,
}
