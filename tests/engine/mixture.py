"""A one-dimensional Gaussian mixture by EM: the smallest model that iterates, and the same in plain NumPy.

p(x) = Σₖ πₖ N(x | μₖ, vₖ)
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, NotConverged, warn
from suffice._estimator import Estimator
from suffice.engine import Rows


@dataclass(frozen=True)
class Counts:
    """Sums over rows under some parameters: all that EM needs."""

    n: float
    zeroth: np.ndarray
    first: np.ndarray
    second: np.ndarray
    objective: float

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.n + other.n,
            self.zeroth + other.zeroth,
            self.first + other.first,
            self.second + other.second,
            self.objective + other.objective,
        )


def log_joint(x, params):
    share, mean, variance = params["share"], params["mean"], params["variance"]
    z = (x[:, None] - mean) ** 2 / variance
    return np.log(share) - 0.5 * (z + np.log(2 * np.pi * variance))


def start(x, k):
    mean = np.quantile(x, (np.arange(k) + 0.5) / k)
    return {"share": np.full(k, 1 / k), "mean": mean, "variance": np.full(k, x.var())}


@dataclass(eq=False, repr=False)
class Mixture(Estimator):
    """Implements `engine.protocols.Iterates`."""

    k: int = 2
    tol: float = 1e-6
    max_iter: int = 200

    params_: Any = field(init=False)
    statistics_: Any = field(init=False)
    trace_: Any = field(init=False)

    def door(self, X, y=None, sample_weight=None, *, like=None):
        X = np.asarray(X, dtype=float)
        if X.ndim != 2 or X.shape[1] != 1:
            raise InvalidInput(f"X must have one column; got shape {X.shape}.")
        if not np.isfinite(X).all():
            raise InvalidInput("X must be finite.")
        weight = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        return Rows(X, np.zeros((len(X), 0)), weight), ("one column",)

    def begin(self, rows, plan, whole):
        return start(rows.X[:, 0], self.k)

    def expect(self, rows, plan, params):
        x, w = rows.X[:, 0], np.ones(len(rows)) if rows.weight is None else rows.weight
        joint = log_joint(x, params)
        total = np.logaddexp.reduce(joint, axis=1)
        share = np.exp(joint - total[:, None]) * w[:, None]
        return Counts(w.sum(), share.sum(axis=0), x @ share, x**2 @ share, float(w @ total))

    def completed(self, counts, params):
        return counts

    def noted(self, counts):
        return {"smallest": counts.zeroth.min()}

    def maximize(self, counts):
        mean = counts.first / counts.zeroth
        return {
            "share": counts.zeroth / counts.zeroth.sum(),
            "mean": mean,
            "variance": counts.second / counts.zeroth - mean**2,
        }

    before = -np.inf

    def conclude(self, params, statistics, trace):
        if not trace.converged:
            warn(f"still going after {len(trace) - 1} iterations", NotConverged)
        self.params_, self.statistics_, self.trace_ = params, statistics, trace
        return self


def plain_em(x, params, steps):
    """Textbook EM over all rows at once: parameters after `steps` maximizations, and the objective before each."""
    pi, mu, v = (params[name].copy() for name in ("share", "mean", "variance"))
    objective = []
    for step in range(steps + 1):
        density = pi * np.exp(-((x[:, None] - mu) ** 2) / (2 * v)) / np.sqrt(2 * np.pi * v)
        objective.append(np.log(density.sum(axis=1)).sum())
        if step == steps:
            break
        r = density / density.sum(axis=1, keepdims=True)
        pi = r.mean(axis=0)
        mu = (r * x[:, None]).sum(axis=0) / r.sum(axis=0)
        v = (r * (x[:, None] - mu) ** 2).sum(axis=0) / r.sum(axis=0)
    return {"share": pi, "mean": mu, "variance": v}, np.array(objective)


def sample(n, seed=0):
    rng = np.random.default_rng(seed)
    return np.where(rng.random(n) < 0.3, rng.normal(-2.0, 0.7, n), rng.normal(1.5, 1.2, n))


def send_by_value(*names: str) -> None:
    """Let worker processes get what is defined in test modules, which they cannot import."""
    for room in ("cloudpickle", "joblib.externals.cloudpickle"):
        try:
            pickler = importlib.import_module(room)
        except ImportError:
            continue
        for name in names:
            pickler.register_pickle_by_value(sys.modules[name])


send_by_value(__name__)
