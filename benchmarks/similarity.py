"""All pairs of rows, against scipy's cdist and scikit-learn's pairwise measures, whichever is the faster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise

from benchmarks.harness import Result, Work, race, relative
from benchmarks.tables import small
from suffice.similarity import correlation, cosine, jaccard, mahalanobis, minkowski, simple_matching

BAR = {"all cores": 1.0}


def _rows(quick: bool) -> tuple[np.ndarray, np.ndarray, str]:
    rng = np.random.default_rng(11)
    n = small(5_000, quick)
    return rng.standard_normal((n, 50)), rng.standard_normal((n, 50)), f"{n:,} × {n:,} × 50"


def _against(what: str, ours: Work, peers: Mapping[str, Work], **options: Any) -> Result:
    return race(what, ours, peers, relative, bars=BAR, **options)


def minkowski_distances(quick: bool) -> list[Result]:
    """Distances of the p-norms; scikit-learn has its own for two of them."""
    x, y, size = _rows(quick)
    return [
        _against(
            f"Euclidean distances, {size}",
            lambda: minkowski(x, y),
            {
                "scikit-learn": lambda: pairwise.euclidean_distances(x, y),
                "cdist": lambda: cdist(x, y),
            },
        ),
        _against(
            f"city-block distances, {size}",
            lambda: minkowski(x, y, p=1),
            {
                "cdist": lambda: cdist(x, y, "cityblock"),
                "scikit-learn": lambda: pairwise.manhattan_distances(x, y),
            },
        ),
        _against(
            f"Chebyshev distances, {size}",
            lambda: minkowski(x, y, p=np.inf),
            {
                "cdist": lambda: cdist(x, y, "chebyshev"),
                "scikit-learn, n_jobs=-1": lambda: pairwise.pairwise_distances(x, y, "chebyshev", n_jobs=-1),
            },
        ),
        _against(
            f"Minkowski distances with p = 3, {size}",
            lambda: minkowski(x, y, p=3),
            {
                "scikit-learn, n_jobs=-1": lambda: pairwise.pairwise_distances(
                    x, y, "minkowski", p=3, n_jobs=-1
                )
            },
            runs=1,
        ),
        _against(
            f"Minkowski distances with p = ½ and without the root, {size}",
            lambda: minkowski(x, y, p=0.5),
            {"cdist": lambda: np.sqrt(cdist(x, y, "minkowski", p=0.5))},
            runs=1,
        ),
    ]


def mahalanobis_distances(quick: bool) -> list[Result]:
    """Whitened, then Euclid's; the peer forms the quadratic form of every pair."""
    x, y, size = _rows(quick)
    cov = np.cov(np.vstack([x, y]), rowvar=False)
    precision = np.linalg.pinv(cov, hermitian=True)
    return [
        _against(
            f"Mahalanobis distances, {size}",
            lambda: mahalanobis(x, y),
            {"cdist": lambda: cdist(x, y, "mahalanobis", VI=precision)},
            runs=1,
        )
    ]


def similarities(quick: bool) -> list[Result]:
    """Products of rows, and counts of ones that two rows share."""
    x, y, size = _rows(quick)
    on_x, on_y = x > 0.5, y > 0.5
    return [
        _against(
            f"cosine distances, {size}",
            lambda: 1 - cosine(x, y),
            {
                "scikit-learn": lambda: pairwise.cosine_distances(x, y),
                "cdist": lambda: cdist(x, y, "cosine"),
            },
        ),
        race(
            f"cosines, {size}",
            lambda: cosine(x, y),
            {"scikit-learn": lambda: pairwise.cosine_similarity(x, y)},
            relative,
            why="scikit-learn's is the bare product of normed rows, which is as fast as BLAS and the memory are, and "
            "may exceed 1. Ours is that product and one pass more, which divides by the lengths and keeps cosines "
            "within [−1, 1], so that an angle can be taken of them.",
        ),
        _against(
            f"correlations, {size}",
            lambda: correlation(x, y),
            {"cdist": lambda: 1 - cdist(x, y, "correlation")},
        ),
        _against(
            f"Jaccard coefficients, {size}",
            lambda: jaccard(on_x, on_y),
            {"cdist": lambda: 1 - cdist(on_x, on_y, "jaccard")},
            runs=3,
        ),
        _against(
            f"simple matching, {size}",
            lambda: simple_matching(on_x, on_y),
            {"cdist": lambda: 1 - cdist(on_x, on_y, "hamming")},
            runs=3,
        ),
    ]


ROWS = (minkowski_distances, mahalanobis_distances, similarities)
