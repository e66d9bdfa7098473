"""Operations on densities of classes: Bayes' rule from heights of densities, numbers of parameters."""

from __future__ import annotations

import numpy as np

from suffice.distributions import MultivariateNormal, Normal, Uniform
from suffice.generative import BayesClassifier


class BayesRule:
    """Densities of known heights at a point, their priors, and what eq. 5.2 makes of them."""

    def __init__(self, heights, priors):
        densities = {c: Uniform(0.0, 1 / height) for c, height in enumerate(heights)}
        self.at = np.array([[0.5 / max(heights)]])  # where all of them have these heights
        rows = np.tile(self.at, (len(heights), 1))
        self.model = BayesClassifier(densities, priors=priors).fit(rows, range(len(heights)))

    def joint(self):
        return np.exp(self.model.predict_joint_log_proba(self.at))[0]

    def total(self):
        return float(np.exp(self.model.score_samples(self.at))[0])

    def posterior(self):
        return self.model.predict_proba(self.at)[0]


class ClassParameters:
    """How many numbers describe the density of one class of so many columns."""

    def __init__(self, columns):
        rows = np.random.default_rng(0).standard_normal((3 * columns, columns))
        self.fits = [BayesClassifier(d).fit(rows, [0] * len(rows)) for d in (MultivariateNormal, Normal)]

    def full(self):
        return self.fits[0].n_parameters_

    def naive(self):
        return self.fits[1].n_parameters_


OPERATIONS = {"bayes_rule": BayesRule, "class_parameters": ClassParameters}
