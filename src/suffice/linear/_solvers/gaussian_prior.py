r"""A Gaussian prior over the weights of a system of least squares, and what follows from it (PRML §§3.3.1, 3.5.1).

p(w) = N(mean, cov/α),   p(w | y) = N(m, S),   S⁻¹ = α cov⁻¹ + β ΦᵀΦ                    (3.48–3.51)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice._core.errors import IllConditioned, InvalidParameter, as_numbers, warn
from suffice._core.linalg import (
    EPS,
    check_symmetric,
    cholesky,
    column_lengths,
    solve_square,
    solve_triangle,
    svd,
)
from suffice._core.numerics import LOG_2PI
from suffice._core.records import record
from suffice._estimator import warn_ill_conditioned
from suffice.linear._solvers.evidence import Precisions, Spectrum
from suffice.statistics.dependence import weak_condition
from suffice.statistics.lstsq import SIZES, System
from suffice.statistics.penalized import Stacked, stacked

AUDIBLE = 1e-4  # of a standard deviation of the noise


@record
class GaussianPrior:
    """N(mean, cov / α) over the penalized parameters; `whiten` W has WᵀW = cov⁻¹."""

    mean: np.ndarray
    whiten: np.ndarray
    log_det: float

    @classmethod
    def of(cls, mean: Any, cov: Any, size: int, outputs: int) -> GaussianPrior:
        """Checked against the number of parameters; None means zero mean and identity covariance."""
        if mean is None and cov is None:
            return cls(np.zeros((size, outputs)), np.eye(size), 0.0)
        m = np.zeros(size) if mean is None else as_numbers("prior_mean", mean)
        C = np.eye(size) if cov is None else as_numbers("prior_cov", cov)
        if m.shape not in ((size,), (size, outputs)) or not np.isfinite(m).all():
            raise InvalidParameter(f"prior_mean must be {size} finite numbers; got shape {m.shape}.")
        if C.shape != (size, size) or not np.isfinite(C).all():
            raise InvalidParameter(f"prior_cov must be a finite {size} × {size} matrix; got shape {C.shape}.")
        check_symmetric(C, "prior_cov")
        L = cholesky(C, "prior_cov")
        m = np.broadcast_to(m[:, None] if m.ndim == 1 else m, (size, outputs))
        W = solve_triangle(L, np.eye(size), lower=True)
        return cls(m, W, 2.0 * float(np.sum(np.log(np.diagonal(L)))))

    def sample(self, n: int, alpha: float, rng: np.random.Generator) -> np.ndarray:
        """(n, q) draws for the first target."""
        draws = solve_triangle(self.whiten, rng.standard_normal((len(self.whiten), n)), lower=True)
        return self.mean[:, 0] + draws.T / np.sqrt(alpha)


def spectra(s: System, prior: GaussianPrior, n: float) -> list[Spectrum]:
    """The problem in the coordinates where prior and data are both diagonal (3.87), target by target."""
    if s.span is not None:
        U, sigma, _ = svd(s.R)
        z = s.Z
    else:
        U, sigma, _ = svd(s.R @ solve_square(prior.whiten @ s.penalty, np.eye(len(s.penalty)), SIZES))
        z = s.Z - s.R @ solve_square(s.penalty, prior.mean, SIZES)
    g = U.T @ z
    rest = np.sum((z - U @ g) ** 2, axis=0) + np.sum(s.left_over**2, axis=0)
    unknown = s.outside + s.size - len(sigma)  # directions that no row knows of
    floor = (4 * EPS) ** 2 * s.triangle.fingerprint.squares
    return [
        Spectrum(sigma**2, g[:, j] ** 2, float(rest[j]), n, float(floor[j]) or (4 * EPS) ** 2, unknown)
        for j in range(z.shape[1])
    ]


def posterior(s: System, prior: GaussianPrior, alpha: float, beta: float, target: int) -> Stacked:
    """Eqs 3.50 and 3.51, from the triangle."""
    rows = np.sqrt(alpha) * prior.whiten
    one = slice(target, target + 1)
    return stacked(
        np.sqrt(beta) * s.R, np.sqrt(beta) * s.Z[:, one], rows @ s.penalty, rows @ prior.mean[:, one]
    )


def warn_weak_prior(s: System, fits: Sequence[tuple[Stacked, float]]) -> None:
    """Say so where a prior is so weak, in units of the columns, that rounding speaks; fits come with their α⁻¹β."""
    for fit, ratio in fits:
        warn_ill_conditioned(weak_condition(s, fit))
        if rounding(s) * np.sqrt(ratio) > AUDIBLE:
            warn(
                "Some columns are combinations of others up to rounding, and in their units the prior is so weak that "
                "this rounding widens predictions. Drop such columns, or take standardize=True or a larger "
                "prior_precision.",
                IllConditioned,
            )
            return


def rounding(s: System) -> float:
    """How long the rounding of a row is, in units of the prior, where it meets directions that no row knows."""
    if not s.outside and len(s.R) >= s.size:
        return 0.0
    rows = s.R @ s.span.directions.T if s.span is not None else solve_square(s.penalty.T, s.R.T, SIZES).T
    return float(EPS * column_lengths(rows).max() / np.sqrt(s.triangle.n))


def log_evidence(
    s: System, prior: GaussianPrior, fit: Stacked, p: Precisions, target: int, n: float
) -> float:
    """Eq. 3.86 for one target, with `n` rows left after integrating the intercept."""
    q = len(s.penalty)
    log_volume = np.linalg.slogdet(s.penalty)[1] - 0.5 * prior.log_det - 0.5 * fit.log_det
    misfit = float(fit.misfit[0] + p.beta * np.sum(s.left_over[:, target] ** 2))
    return float(0.5 * q * np.log(p.alpha) + log_volume + 0.5 * n * (np.log(p.beta) - LOG_2PI) - 0.5 * misfit)
