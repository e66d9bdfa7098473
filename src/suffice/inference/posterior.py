r"""What a model hands to an inference choice, and what it gets back.

    target          log p(D, b), its mode and curvature there         → what is to be approximated
    choice          LaplaceApproximation(), Quadrature(), …           → how
    approximation   posterior, evidence, draws, and functions under it  → what the model reports

A model whose functions are linear in its parameters, a(x) = zᵀu, needs one thing of a posterior to predict: the
distribution of a at each row. `along` gives it as points with weights, whatever the posterior is made of: Gauss and
Hermite's points of a normal density, a grid, or draws. Every prediction is then a weighted mean.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np

from suffice._core.linalg import eigh
from suffice._core.numerics import LOG_2PI
from suffice._core.records import record
from suffice.distributions import Distribution
from suffice.inference.sampling._density import Compiled


@record
class Target:
    """A posterior known up to a constant, in free parameters b (D,) where it is well scaled.

    `mode` and `root` (F Fᵀ = (−H)⁻¹) are its highest point and curvature, `log_joint` is log p(D, b) at the mode,
    `log_det` is log |−H|. `log_densities` gives log p(D, b) at many b (M, D) at once, `value_and_gradient` that and
    its gradient at one. What is reported are θ = `parameters` b; functions of rows are a = zᵀ u, u = `functions` b.
    `sigmoid` says whether the mean is a logistic function of a. `compiled` gives log p(D, b) as machine code, where
    there is any, whose data are rows [d, …, offset, …] of which it sees a = dᵀb + offset. `tick` is called as work
    gets done.
    """

    mode: np.ndarray
    root: np.ndarray
    log_joint: float
    log_det: float
    functions: np.ndarray
    parameters: np.ndarray
    names: tuple[str, ...]
    log_densities: Callable[[np.ndarray], np.ndarray]
    value_and_gradient: Callable[[np.ndarray], tuple[float, np.ndarray]]
    sigmoid: bool = False
    compiled: Callable[[], Compiled | None] = lambda: None
    tick: Callable[[], None] = lambda: None

    @property
    def heights(self) -> Callable[[np.ndarray], np.ndarray]:
        """Former name of `log_densities`."""
        warnings.warn("Target.heights is now called log_densities.", DeprecationWarning, stacklevel=2)
        return self.log_densities

    @property
    def slope(self) -> Callable[[np.ndarray], tuple[float, np.ndarray]]:
        """Former name of `value_and_gradient`."""
        warnings.warn("Target.slope is now called value_and_gradient.", DeprecationWarning, stacklevel=2)
        return self.value_and_gradient

    @property
    def dim(self) -> int:
        """Free parameters, D."""
        return len(self.mode)

    @cached_property
    def laplace_log_evidence(self) -> float:
        """log p(D, b̂) + (D/2) log 2π − ½ log |−H| (PRML 4.137)."""
        return self.log_joint + 0.5 * self.dim * LOG_2PI - 0.5 * self.log_det

    @cached_property
    def _whitened_code(self) -> Compiled | None:
        """Machine code in v, b = mode + root v: other columns and offsets, the same code."""
        code = self.compiled()
        if code is None:
            return None
        D, rest = code.data[:, : self.dim], code.data[:, self.dim :].copy()
        rest[:, 1] += D @ self.mode
        return replace(code, data=np.ascontiguousarray(np.hstack([D @ self.root, rest])))

    def whitened(self) -> tuple[Any, bool]:
        """log p(D, b) as a function of v, b = mode + root v, and whether it takes many v in rows."""
        code = self._whitened_code
        if code is not None:
            return code, False
        return (lambda v: self.log_densities(self.mode + v @ self.root.T)), True

    def whitened_slope(self) -> Callable[[np.ndarray], tuple[float, np.ndarray]]:
        """The same with its gradient in v."""
        code = self._whitened_code

        def passes(v: np.ndarray) -> tuple[float, np.ndarray]:
            value, gradient = self.value_and_gradient(self.mode + self.root @ v)
            return value, self.root.T @ gradient

        def machine(v: np.ndarray) -> tuple[float, np.ndarray]:
            out = np.empty(self.dim)
            return code.slope(np.ascontiguousarray(v), code.data, out) + code.constant, out  # type: ignore[union-attr]

        return passes if code is None or code.slope is None else machine

    def reported(self, b: np.ndarray) -> np.ndarray:
        """θ of parameters in rows."""
        return np.asarray((self.parameters @ b.T).T, dtype=float)

    def moved(self, b: np.ndarray) -> np.ndarray:
        """u of parameters in rows."""
        return np.asarray((self.functions @ b.T).T, dtype=float)


@record
class PredictorPoints:
    """a(x) under a posterior: values (N, M), one row per x, with weights (M,) that sum to one."""

    values: np.ndarray
    weights: np.ndarray

    def mean(self, f: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """E[f(a)] at each row."""
        return f(self.values) @ self.weights

    def log_mean(self, log_f: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """log E[f(a)] at each row, from log f, also where the mean itself would vanish."""
        logs = log_f(self.values)
        top = logs.max(axis=1)
        top = np.where(np.isfinite(top), top, 0.0)
        with np.errstate(divide="ignore"):
            return np.log(np.exp(logs - top[:, None]) @ self.weights) + top

    def few(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        """At most n values and weights per row, (N, n) each; polynomials up to degree 2n − 1 keep their means."""
        if self.values.shape[1] <= n:
            return self.values, np.broadcast_to(self.weights, self.values.shape)
        return gauss_rule(self.values, self.weights, n)


def gauss_rule(values: np.ndarray, weights: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's rule of a distribution given by points (N, M) and weights (M,), row by row.

    The recurrence of its orthogonal polynomials (Stieltjes) makes a tridiagonal matrix, whose eigenvalues are the new
    points; squares of the first entries of the eigenvectors are their weights (Golub and Welsch).
    """
    center = values @ weights
    unit = np.sqrt((values - center[:, None]) ** 2 @ weights)
    unit = np.where(unit > 0, unit, 1.0)
    x = (values - center[:, None]) / unit[:, None]
    J = np.zeros((len(x), n, n))
    before, now, beta = np.zeros_like(x), np.ones_like(x), np.zeros(len(x))
    for k in range(n):
        J[:, k, k] = (x * now**2) @ weights
        after = (x - J[:, k, k, None]) * now - beta[:, None] * before
        beta = np.sqrt(after**2 @ weights)
        before, now = now, after / np.where(beta > 0, beta, 1.0)[:, None]
        if k + 1 < n:
            J[:, k, k + 1] = J[:, k + 1, k] = beta
    nodes, vectors = eigh(J)
    return center[:, None] + unit[:, None] * nodes, vectors[:, 0, :] ** 2


@runtime_checkable
class Approximation(Protocol):
    """A posterior that a model can report and predict with. Records, so that they are saved with the model."""

    @property
    def posterior(self) -> Distribution:
        """Over the reported parameters θ."""
        ...

    @property
    def log_evidence(self) -> float: ...
    @property
    def log_evidence_error(self) -> float:
        """Its standard error, or a bound; nan where that is not known."""
        ...

    @property
    def evidence_kind(self) -> str: ...
    @property
    def cov(self) -> np.ndarray:
        """Covariance of u."""
        ...

    @property
    def reported_root(self) -> np.ndarray:
        """F with F Fᵀ the covariance of θ."""
        ...

    def draws(self, n: int, rng: Any) -> np.ndarray:
        """(n, P) functions u."""
        ...

    def along(self, Z: np.ndarray) -> PredictorPoints:
        """a = Z u at some rows."""
        ...


@runtime_checkable
class Inference(Protocol):
    """A choice handed to a model: a frozen record of settings."""

    def log_evidence(self, target: Target) -> float:
        """What a search for hyperparameters maximizes."""
        ...

    def approximate(self, target: Target) -> Approximation: ...
