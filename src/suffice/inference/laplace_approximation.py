r"""Laplace's approximation as a choice of inference (FCML §4.4–4.5, PRML §4.4–4.5, Lecture 3, Herbst §4.5).

Posterior    q(θ) = N(mode, (−H)⁻¹),  so a(x) = zᵀu ~ N(m, s²)                        (PRML 4.149, 4.150)
Evidence     log p(D, mode) + (D/2) log 2π − ½ log |−H|                               (PRML 4.137)
Predictions  E[f(a)] as "quadrature" (Gauss and Hermite's sum, exact for q),
             "probit" (f at m / √(1 + π s²/8), PRML 4.153), "plug-in" (f at m), "sampling" (a mean over draws)
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import numpy as np

from suffice._core.errors import NotFinite, Unsupported, check_choice, check_integer
from suffice._core.params import Parametric
from suffice._core.random import generator
from suffice._core.records import frozen_array, record
from suffice.distributions import MultivariateNormal
from suffice.inference.posterior import PredictorPoints, Target

HERMITE = 64
MODEST = 3.0  # standard deviations of a for which so many points give all digits of a logistic function
SPACING = 0.75  # of the plain sum, in units of a
MOST = 2001
WAYS = ("quadrature", "probit", "plug-in", "sampling")


@record(repr=True)
class LaplaceApproximation(Parametric):
    """The posterior as a normal density at its mode.

    Parameters
    ----------
    predict
        How functions are averaged over it: "quadrature" is exact for the normal density, "sampling" uses `n_samples`
        draws, "probit" is the closed form for logistic functions, "plug-in" uses the mode alone.
    n_samples, seed
        For "sampling": how many draws, and where they begin, so that predictions repeat.

    Examples
    --------
    >>> from suffice.glm import BayesianLogisticRegression
    >>> from suffice.inference import LaplaceApproximation
    >>> x, t = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 0, 1]
    >>> for way in ("quadrature", "probit", "plug-in"):
    ...     model = BayesianLogisticRegression(1.0, intercept="prior", inference=LaplaceApproximation(way))
    ...     print(way, model.fit(x, t).predict_proba([[4.0]])[0, 1].round(4))
    quadrature 0.6026
    probit 0.6054
    plug-in 0.639
    """

    predict: Literal["quadrature", "probit", "plug-in", "sampling"] = "quadrature"
    n_samples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("predict", self.predict, WAYS)
        for name, least in (("n_samples", 1), ("seed", 0)):
            value = getattr(self, name)
            check_integer(name, value, least)

    def log_evidence(self, target: Target) -> float:
        """Laplace's."""
        return target.laplace_log_evidence

    def approximate(self, target: Target) -> LaplacePosterior:
        """The normal density at the mode of a target."""
        if self.predict == "probit" and not target.sigmoid:
            raise Unsupported(
                "predict='probit' averages a logistic function, and this model has none; use predict='quadrature'."
            )
        return LaplacePosterior(
            frozen_array(target.moved(target.mode[None])[0]),
            frozen_array(target.moved(target.root.T).T),
            frozen_array(target.reported(target.mode[None])[0]),
            frozen_array(target.reported(target.root.T).T),
            target.laplace_log_evidence,
            self,
        )


@record
class LaplacePosterior:
    """N(mode, root rootᵀ) over u and over the reported parameters."""

    mode: np.ndarray
    root: np.ndarray
    reported_mode: np.ndarray
    reported_root: np.ndarray
    log_evidence: float
    choice: LaplaceApproximation

    @property
    def log_evidence_error(self) -> float:
        """Not known."""
        return float("nan")

    @property
    def evidence_kind(self) -> str:
        return "laplace"

    @property
    def posterior(self) -> MultivariateNormal:
        """Of the reported parameters."""
        return MultivariateNormal(self.reported_mode, self.reported_root @ self.reported_root.T)

    @property
    def cov(self) -> np.ndarray:
        """Of u."""
        return self.root @ self.root.T

    def draws(self, n: int, rng: Any) -> np.ndarray:
        """(n, P) functions u."""
        return self.mode + generator(rng).standard_normal((n, self.root.shape[1])) @ self.root.T

    def moments(self, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of a at some rows."""
        return Z @ self.mode, np.linalg.norm(Z @ self.root, axis=1)

    def along(self, Z: np.ndarray, way: str | None = None) -> PredictorPoints:
        """a at some rows, by the chosen way or another."""
        way = self.choice.predict if way is None else way
        if way == "sampling":
            u = self.draws(self.choice.n_samples, self.choice.seed)
            return PredictorPoints(Z @ u.T, np.full(len(u), 1 / len(u)))
        m, s = self.moments(Z)
        if way == "quadrature":
            nodes, weights = normal_points(float(s.max(initial=0.0)))
            return PredictorPoints(m[:, None] + s[:, None] * nodes, weights)
        shrunk = m / np.sqrt(1 + np.pi * s**2 / 8) if way == "probit" else m
        return PredictorPoints(shrunk[:, None], np.ones(1))


def normal_points(std: float) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights of a standard normal, fine enough for logistic functions of std times the point.

    Gauss and Hermite's where the function is smooth on the scale of the density; else a plain sum with a step in units
    of the function, which converges faster than any power of it.
    """
    if std <= MODEST:
        return hermite_points()
    if not std < np.inf:
        raise NotFinite("The standard deviation of a function overflowed, so there are no points for it.")
    reach = 8.5 + min(std, 12.0)
    nodes = np.linspace(-reach, reach, int(min(2 * (reach * std // SPACING) + 1, MOST)))
    weights = np.exp(-0.5 * nodes**2)
    return nodes, weights / weights.sum()


@lru_cache
def hermite_points() -> tuple[np.ndarray, np.ndarray]:
    """Gauss and Hermite's points and weights, worked out once."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(HERMITE)
    return frozen_array(nodes), frozen_array(weights / weights.sum())
