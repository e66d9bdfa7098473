"""Operations on planes between classes: least squares to one-of-K targets, scatters and Fisher's directions."""

from __future__ import annotations

import numpy as np

from suffice._core.errors import hold_warnings
from suffice.generative import FisherDiscriminant, LeastSquaresClassifier
from suffice.generative._normal.triangles import present, within_whitener


class OneOfK:
    """Least squares to one-of-K targets; `between` names two classes."""

    def __init__(self, X, y, at=None, between=None):
        self.X, self.y = np.asarray(X, dtype=float), np.asarray(y)
        self.model = LeastSquaresClassifier().fit(self.X, self.y)
        self.at = self.X if at is None else np.asarray(at, dtype=float)
        self.between = None if between is None else tuple(between)

    def weights(self):
        """(bias, weights) of each class in columns."""
        values = self.model.outputs(np.vstack([np.zeros(self.X.shape[1]), np.eye(self.X.shape[1])]))
        return np.vstack([values[0], values[1:] - values[0]])

    def sums(self):
        return self.model.outputs(self.at).sum(axis=1)

    def errors(self):
        return int(np.sum(self.model.predict(self.X) != self.y))

    def distances(self):
        return self.model.signed_distance(self.at, self.between)


class Directions:
    """Scatters, Fisher's directions and the line between the means; `at` asks how far points are from the boundary."""

    def __init__(self, X, y, at=None, repeat_sum=False):
        X = np.asarray(X, dtype=float)
        X = np.column_stack([X, X.sum(axis=1)]) if repeat_sum else X
        self.at = None if at is None else np.asarray(at, dtype=float)
        with hold_warnings():  # of a singular scatter
            self.model = FisherDiscriminant().fit(X, y)
            self.contrast = FisherDiscriminant(method="mean_difference").fit(X, y)

    def within(self):
        return self.model.scatter_within_

    def between(self):
        return self.model.scatter_between_

    def total(self):
        return self.model.scatter_total_

    def direction(self):
        return self.model.directions_[:, 0]

    def weights(self):
        """S_W⁻¹(m₂ − m₁), not of unit length."""
        gap = self.model.means_[1] - self.model.means_[0]
        w = self.model.directions_[:, 0]
        return w * (gap @ w) / (w @ self.model.scatter_within_ @ w)

    def separation(self):
        return self.model.separation()

    def mean_difference_separation(self):
        return self.contrast.separation()

    def eigenvalues(self):
        return self.model.eigenvalues_

    def criterion(self):
        return self.model.criterion()

    def leading_criterion(self):
        return self.model.criterion(self.model.directions_[:, 0])

    def distances(self):
        return self.model.signed_distance(self.at)

    def class_of_large_values(self):
        """The label far along the direction."""
        return int(self.model.predict([self.model.xbar_ + 1e3 * self.model.directions_[:, 0]])[0])

    def frame(self):
        """Vᵀ S_W V for the V that makes it the identity."""
        parts = present(self.model.statistics_)
        names = np.array(self.model.statistics_.header.feature_names, dtype=object)
        with hold_warnings():
            V = within_whitener(parts, names, 1e-4).matrix / np.sqrt(self.model.statistics_.n)
        return V.T @ self.model.scatter_within_ @ V


OPERATIONS = {"one_of_k": OneOfK, "directions": Directions}
