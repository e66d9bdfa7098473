"""The intercept of Bayesian linear models: flat, with a prior, or none."""

from __future__ import annotations

import numpy as np

from suffice._core.memory import need_memory
from suffice._core.records import record
from suffice.distributions import MultivariateNormal
from suffice.linear._solvers.spread import Spread
from suffice.statistics import AffineFunction, Triangle
from suffice.statistics.lstsq import RowSpace, System, system, system_with_intercept


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
        """What the parameters with a prior see of a triangle, one for each column."""
        return (
            system_with_intercept(t, standardize)
            if self.counted
            else system(t, self.fit_intercept, standardize)
        )

    def integrated(self, n: float, log_weight: float, t: Triangle) -> tuple[float, float]:
        """Rows left after a flat intercept is integrated out, and the term it leaves in the log evidence."""
        return (n - 1, log_weight - 0.5 * float(np.log(t.n))) if self.flat else (n, log_weight)

    def spread(
        self,
        roots: np.ndarray,
        unit: np.ndarray,
        n: float,
        span: RowSpace | None = None,
        rest: np.ndarray | None = None,
    ) -> Spread:
        """From roots (k, m, m) of the covariances of the parameters with a prior, and their deviations outside `span`.

        `unit` (k,) is the variance of the noise in the units of `roots`.
        """
        flat = np.sqrt(unit / n) if self.flat else np.zeros(len(unit))
        return Spread(roots, flat, self.counted, span, rest)

    def raw(self, function: AffineFunction, spread: Spread) -> tuple[np.ndarray, np.ndarray]:
        """Mean (k, p) and covariance (k, p, p) of (intercept, weights) on the raw columns."""
        p, k = 1 + len(function.slope), len(function.value)
        need_memory(3 * 8 * k * p * p, f"The covariance of {p} weights", "predict_dist needs none.")
        mean, cov = spread.raw(function)
        keep = slice(None) if self.fit_intercept else slice(1, None)
        return mean[:, keep], cov[:, keep, keep]


def as_normal(mean: np.ndarray, cov: np.ndarray, single: bool) -> MultivariateNormal:
    """One per target, or the only one."""
    return MultivariateNormal(mean[0], cov[0]) if single else MultivariateNormal(mean, cov)
