"""The intercept of Bayesian linear models: flat, with a prior, or none."""

from __future__ import annotations

import numpy as np

from suffice._core.records import record
from suffice.distributions import MultivariateNormal
from suffice.statistics import Affine, Triangle
from suffice.statistics.lstsq import System, system, system_with_intercept


@record
class InterceptRule:
    """Whether there is an intercept, and whether it has a prior."""

    fit_intercept: bool
    intercept: str

    @property
    def flat(self) -> bool:
        """p(b) = 1."""
        return self.fit_intercept and self.intercept == "flat"

    @property
    def counted(self) -> bool:
        """The intercept is one of the parameters with a prior, the first."""
        return self.fit_intercept and self.intercept == "prior"

    def system(self, t: Triangle, standardize: bool) -> System:
        """What the parameters with a prior see of a triangle."""
        return (
            system_with_intercept(t, standardize)
            if self.counted
            else system(t, self.fit_intercept, standardize)
        )

    def integrated(self, n: float, log_weight: float, t: Triangle) -> tuple[float, float]:
        """Rows left after a flat intercept is integrated out, and the term it leaves in the log evidence."""
        return (n - 1, log_weight - 0.5 * float(np.log(t.n))) if self.flat else (n, log_weight)

    def roots(self, root: np.ndarray, unit: np.ndarray, n: float) -> np.ndarray:
        """(k, 1 + d, 1 + d) over (value at center, slope), from those (k, q, q) of the parameters with a prior.

        `unit` (k,) is the variance of the noise in the units of `root`.
        """
        if self.counted:
            return root
        k, d, _ = root.shape
        out = np.zeros((k, 1 + d, 1 + d))
        out[:, 1:, 1:] = root
        out[:, 0, 0] = np.sqrt(unit / n) if self.flat else 0.0
        return out

    def raw(self, function: Affine, roots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean (k, p) and covariance (k, p, p) of (intercept, weights) on the raw columns."""
        G = function.to_raw()
        mean = (G @ np.vstack([function.value, function.slope])).astype(float).T
        F = (G @ roots.astype(np.longdouble)).astype(float)
        cov = F @ np.swapaxes(F, -1, -2)
        keep = slice(None) if self.fit_intercept else slice(1, None)
        return mean[:, keep], cov[:, keep, keep]


def whitened(function: Affine, roots: np.ndarray, X) -> np.ndarray:
    """(k, N, 1 + d): rows whose squared length is the variance of the function there."""
    z = function.deviations(X)
    return np.hstack([np.ones((len(z), 1)), z]) @ roots


def as_normal(mean: np.ndarray, cov: np.ndarray, single: bool) -> MultivariateNormal:
    """One per target, or the only one."""
    return MultivariateNormal(mean[0], cov[0]) if single else MultivariateNormal(mean, cov)
