"""Operations on distances and similarities of printed tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.similarity import (
    binary_counts,
    check_metric,
    check_norm,
    cosine,
    extended_jaccard,
    frobenius,
    jaccard,
    mahalanobis,
    minkowski,
    norm,
    similarity_from_distance,
    simple_matching,
    simple_matching_from_cityblock,
)


class BinaryPairs:
    """A table of zeros and ones, and the pairs of its rows that are asked for."""

    def __init__(self, rows: list, pairs: list):
        self.rows, self.pairs = np.array(rows), np.array(pairs)

    def _of(self, measure: Any) -> np.ndarray:
        return measure(self.rows)[self.pairs[:, 0], self.pairs[:, 1]]

    def counts(self):
        found = binary_counts(self.rows)
        return [[f[i, j] for f in (found.f11, found.f10, found.f01, found.f00)] for i, j in self.pairs]

    def matching(self):
        return self._of(simple_matching)

    def jaccard(self):
        return self._of(jaccard)

    def extended(self):
        return self._of(extended_jaccard)

    def cosine(self):
        return self._of(cosine)

    def flipped(self):
        """Simple matching when zeros and ones change their roles."""
        return simple_matching(1 - self.rows)[self.pairs[:, 0], self.pairs[:, 1]]


class DistanceTable:
    """Printed city-block distances of binary rows, of which only the number of columns is known."""

    def __init__(self, distances: list, columns: int, pair: list):
        self.distances, self.columns, self.pair = np.array(distances, dtype=float), columns, tuple(pair)

    def matching(self):
        return simple_matching_from_cityblock(self.distances[self.pair], self.columns)

    def is_metric(self):
        return check_metric(self.distances).holds


class PointDistances:
    """The distance of two points by p; infinity is written as a string."""

    def __init__(self, x: list, y: list, powers: list, a: float = 1.0):
        self.x, self.y, self.powers, self.a = x, y, [float(p) for p in powers], a

    def distances(self):
        return [minkowski(self.x, self.y, p=p) for p in self.powers]

    def similarities(self):
        return similarity_from_distance(self.distances(), a=self.a)

    def are_metrics(self):
        points = [self.x, self.y, [2.0, -1.0], [0.5, 0.25]]
        return [check_metric(lambda a, b, p=p: minkowski(a, b, p=p), points).holds for p in self.powers]

    def are_norms(self):
        points = [[1.0, 0.0], [0.0, 1.0], [0.6, 0.6]]
        return [check_norm(lambda v, p=p: norm(v, p=p), points).holds for p in self.powers]


class PairsUnderCovariance:
    """Differences of pairs of points, long or short by how the data vary."""

    def __init__(self, differences: list, cov: list):
        self.differences, self.cov = np.array(differences, dtype=float), cov

    def mahalanobis(self):
        return mahalanobis(self.differences, [0.0, 0.0], self.cov)

    def euclidean(self):
        return norm(self.differences)


class MatrixNorm:
    """A matrix and its Frobenius norm."""

    def __init__(self, matrix: list):
        self.matrix = matrix

    def frobenius(self):
        return frobenius(self.matrix)

    def from_rows(self):
        """The root of the sum of the squared lengths of its rows."""
        return np.sqrt(np.sum(norm(self.matrix) ** 2))


OPERATIONS: dict[str, Any] = {
    "binary_pairs": BinaryPairs,
    "distance_table": DistanceTable,
    "matrix_norm": MatrixNorm,
    "pairs_under_covariance": PairsUnderCovariance,
    "point_distances": PointDistances,
}
