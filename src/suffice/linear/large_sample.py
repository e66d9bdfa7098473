r"""The evidence's precisions when rows are many: every weight counts as determined (PRML 3.98, 3.99).

Exactly      α = γ / mᵀm,   1/β = ‖y − Φm‖² / (N − γ)                     (3.92, 3.95)
Many rows    γ → M, N − γ → N:   α = M / mᵀm,   1/β = ‖y − Φm‖² / N        (3.98, 3.99)

No eigenvalues are needed for the second pair. Its error is of the order of the share of M that the data leave open,
(M − γ)/M, for α, and of γ/N for β.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import NotConverged, Unsupported, warn
from suffice._core.records import frozen_array, record
from suffice._estimator import check_is_fitted
from suffice.engine import one_blas_thread
from suffice.linear._solvers.evidence import Spectrum, _state
from suffice.linear._solvers.gaussian_prior import spectra
from suffice.linear.bayesian import BayesianLinearRegression

LIMIT, TOLERANCE, FAR = 10_000, 1e-11, 1e12


@record
class LargeSample:
    """Precisions of the shortcut and of the full iteration, and how far the first are off, relative to the second.

    `steps` holds (α, β) of every iteration. `determined` is γ/M, the share of weights that the data determine in
    the full answer: near one, the shortcut is good.
    """

    prior_precision: float
    noise_precision: float
    full_prior_precision: float
    full_noise_precision: float
    determined: float
    steps: np.ndarray
    converged: bool

    @property
    def prior_error(self) -> float:
        """Relative error of the prior precision."""
        return self.prior_precision / self.full_prior_precision - 1

    @property
    def noise_error(self) -> float:
        """Relative error of the noise precision."""
        return self.noise_precision / self.full_noise_precision - 1

    @property
    def sentence(self) -> str:
        """For a paper."""
        return (
            f"The large-sample prior precision {self.prior_precision:.4g} differs from {self.full_prior_precision:.4g} "
            f"by {self.prior_error:.2g} of it, the noise precision {self.noise_precision:.4g} from "
            f"{self.full_noise_precision:.4g} by {self.noise_error:.2g}."
        )

    def __str__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        return f"<p>{self.sentence}</p>"


@one_blas_thread()
def large_sample_precisions(model: Any) -> LargeSample:
    """The precisions that eqs 3.98 and 3.99 find for the rows of a fitted model, beside its own.

    Parameters
    ----------
    model
        A fitted `BayesianLinearRegression` of one target with both precisions found by the evidence. With few
        rows the shortcut may run away to a prior that forbids all weights; it then warns.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.bases import GaussianBasis
    >>> from suffice.datasets import sinusoid
    >>> from suffice.linear import BayesianLinearRegression, large_sample_precisions
    >>> basis = GaussianBasis(np.linspace(0, 1, 9), width=0.1)
    >>> for n in (100, 1000, 10_000):
    ...     data = sinusoid(n, 0.3, random_state=0)
    ...     found = large_sample_precisions(BayesianLinearRegression.book(basis=basis).fit(data.X, data.y))
    ...     print(f"{n:6} rows: {found.prior_error:6.1%} {found.noise_error:6.1%}")
       100 rows:  36.0%   7.9%
      1000 rows:  14.3%   0.9%
     10000 rows:   6.8%   0.1%
    """
    if not isinstance(model, BayesianLinearRegression):
        raise Unsupported(
            f"large_sample_precisions needs a fitted BayesianLinearRegression; got {type(model).__name__}."
        )
    check_is_fitted(model)
    s = _spectrum(model)
    steps, converged = _iterate(s, float(model.prior_precision_), float(model.noise_precision_))
    if not converged:
        warn(
            f"The large-sample precisions had not settled after {len(steps)} steps: with {s.n:g} rows for "
            f"{s.size} weights the shortcut is no approximation. Use those of the fit.",
            NotConverged,
        )
    alpha, beta = steps[-1]
    full = (float(model.prior_precision_), float(model.noise_precision_))
    determined = float(model.well_determined_parameters_) / s.size
    return LargeSample(float(alpha), float(beta), *full, determined, frozen_array(np.array(steps)), converged)


def _spectrum(model: BayesianLinearRegression) -> Spectrum:
    t = model.statistics_
    if t.header.n_targets is not None or model._given() != (None, None):
        raise Unsupported("The shortcut is for one target and both precisions at 'evidence'.")
    s, prior = model._problem(t)
    n, _ = model._rule.integrated(model._sample_size(t), model._log_weight(t), t)
    return spectra(s, prior, n)[0]


def _iterate(s: Spectrum, alpha: float, beta: float) -> tuple[list[tuple[float, float]], bool]:
    """Eqs 3.98 and 3.99 in turn until neither moves, or the prior precision runs away."""
    steps = [(alpha, beta)]
    start = alpha
    while len(steps) < LIMIT and alpha < FAR * start:
        _, size, misfit = _state(s, alpha, beta)
        new = (s.size / size, s.n / misfit)
        moved = max(abs(new[0] / alpha - 1), abs(new[1] / beta - 1))
        alpha, beta = new
        steps.append(new)
        if moved < TOLERANCE:
            return steps, True
    return steps, False
