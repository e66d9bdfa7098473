"""Mixtures: expectation–maximization against scikit-learn from the same start, missing cells against none, k-means."""

from __future__ import annotations

import warnings
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture as Peer

from benchmarks.harness import Figure, Result, race, weigh
from benchmarks.tables import small
from suffice.engine.threads import count
from suffice.inference import lloyd
from suffice.mixtures import GaussianMixture, GibbsGaussianMixture


def clusters(n: int, d: int, k: int, seed: int = 0) -> np.ndarray:
    """Rows of overlapping normal clusters, each with a covariance of its own."""
    rng = np.random.default_rng(seed)
    label = rng.integers(k, size=n)
    roots = np.eye(d) + 0.5 * rng.standard_normal((k, d, d)) / np.sqrt(d)
    return rng.normal(0, 2, (k, d))[label] + np.einsum(
        "nd,nde->ne", rng.standard_normal((n, d)), roots[label]
    )


def start(X: np.ndarray, k: int) -> dict[str, Any]:
    """The same beginning for both sides: the first rows, one variance for all columns, equal weights."""
    precisions = np.broadcast_to(np.eye(X.shape[1]) / X.var(), (k, X.shape[1], X.shape[1]))
    return {
        "weights_init": np.full(k, 1 / k),
        "means_init": X[:k].copy(),
        "precisions_init": precisions,
        "tol": 0.0,
    }


def mixture_em(quick: bool) -> list[Result]:
    """Fifty steps of full covariances, to the same bound."""
    X = clusters(small(100_000, quick), 16, 16)
    options = start(X, 16) | {"max_iter": 50}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            race(
                f"GaussianMixture, {len(X):,} × 16, K = 16, 50 steps (lower_bound_ within 1e-6)",
                lambda: GaussianMixture(16, **options).fit(X),
                {"scikit-learn GaussianMixture": lambda: Peer(16, **options).fit(X)},
                lambda ours, theirs: abs(ours.lower_bound_ - theirs.lower_bound_),
                runs=3,
                bars={"all cores": 3.0},
            )
        ]


GAPS = """
import numpy as np, warnings
warnings.simplefilter("ignore")
from benchmarks.mixtures import clusters, start
from suffice.mixtures import GaussianMixture
X = clusters({n}, 10, 5)
options = start(X, 5) | {{"max_iter": 5}}
X[np.random.default_rng(1).random(X.shape) < 0.2] = np.nan
GaussianMixture(5, **options).fit(X[:100])
"""


def mixture_gaps(quick: bool) -> list[Result]:
    """A fifth of the cells missing at random: a thousand patterns of known cells."""
    X = clusters(small(50_000, quick), 10, 5)
    options = start(X, 5) | {"max_iter": 50}
    holed = np.where(np.random.default_rng(1).random(X.shape) < 0.2, np.nan, X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seconds = {
            name: _fastest(lambda T=T: GaussianMixture(5, **options).fit(T))
            for name, T in (("X", X), ("gaps", holed))
        }
    size = f"{len(X):,} × 10, K = 5"
    used = weigh(GAPS.format(n=len(X)), "GaussianMixture(5, **options).fit(X)")["megabytes"]
    return [
        Figure(f"20 % missing, {size}, 50 steps: seconds", seconds["gaps"], "s"),
        Figure(
            f"… in units of the same rows without gaps ({seconds['X']:.2f} s)",
            seconds["gaps"] / seconds["X"],
            "×",
            bar=15.0,
        ),
        Figure("… peak memory in units of the table", used / (X.nbytes / 2**20), "×"),
    ]


def _fastest(work: Any, runs: int = 3) -> float:
    work()
    times = []
    for _ in range(runs):
        begin = perf_counter()
        work()
        times.append(perf_counter() - begin)
    return min(times)


def kmeans(quick: bool) -> list[Result]:
    """Lloyd's algorithm to the end, from the same centers."""
    X = clusters(small(100_000, quick), 16, 16)

    def theirs() -> float:
        return KMeans(16, init=X[:16], n_init=1, tol=0.0).fit(X).inertia_

    return [
        race(
            f"k-means to its end, {len(X):,} × 16, K = 16",
            lambda: lloyd(X, X[:16], threads=count()).trace.objective[-1],
            {"scikit-learn KMeans": theirs},
            lambda a, b: abs(a / b - 1),
            why="scikit-learn computes all distances by matrix products; ours skips those that bounds exclude, which "
            "pays less where clusters overlap.",
        )
    ]


def gibbs_mixture(quick: bool) -> list[Result]:
    """Sweeps of the collapsed sampler over all rows; there is no peer that samples the same posterior."""
    X = clusters(small(1_000, quick), 2, 5)
    draws = {"n_samples": 100, "warmup": 50, "n_chains": 2, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seconds = _fastest(lambda: GibbsGaussianMixture(5, **draws).fit(X), runs=1)
    return [
        Figure(
            f"collapsed Gibbs sampler, {len(X):,} × 2, K = 5: sweeps of all rows per second",
            300 / seconds,
            "/s",
        )
    ]


ROWS = (mixture_em, mixture_gaps, kmeans, gibbs_mixture)
