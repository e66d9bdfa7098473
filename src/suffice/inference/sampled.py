r"""Sampling as a choice of inference: the posterior as draws (FCML §4.5, Lecture 3).

Coordinates  b = mode + F v: in v the posterior is about a standard normal, so samplers need hardly any tuning
Starts       v ~ N(0, 2 I): wider than the posterior, so that chains which agree have forgotten them
Predictions  E[f(a)] as the mean over all draws of a = zᵀ u (FCML eq. 4.20)
Evidence     by bridge sampling between the draws and a normal density, with its standard error
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from suffice._core.linalg import qr_factor
from suffice._core.params import Parametric
from suffice._core.random import generator, streams
from suffice._core.records import frozen_array, record
from suffice.inference.posterior import PredictorPoints, Target
from suffice.inference.sampling._walk import best_scale
from suffice.inference.sampling.bridge import Bridge, bridge
from suffice.inference.sampling.metropolis import check_counts, metropolis_hastings
from suffice.inference.sampling.nuts import nuts
from suffice.inference.sampling.samples import Samples

WIDE = np.sqrt(2.0)
FEWEST = 1000


class _Sampling(Parametric):
    """What both choices share: whitened coordinates, starts, the evidence."""

    def log_evidence(self, target: Target) -> float:
        """What a search for the precision of the prior maximizes: Laplace's, which has no noise."""
        return target.laplace_log_evidence

    def _sampled(self, target: Target, starts: np.ndarray, rng: np.random.Generator) -> Samples:
        raise NotImplementedError

    def approximate(self, target: Target) -> SampledPosterior:
        """Draws in place of the posterior."""
        n_chains: int = self.n_chains  # type: ignore[attr-defined]
        for_start, for_chains, for_bridge = streams(self.seed, 3)  # type: ignore[attr-defined]
        starts = WIDE * for_start.standard_normal((n_chains, target.dim))
        found = self._sampled(target, starts, for_chains)
        log_volume = float(np.linalg.slogdet(target.root)[1])
        evidence = bridge(found, lambda v: target.log_densities(target.mode + v @ target.root.T), for_bridge)
        b = target.mode + found.draws @ target.root.T
        flat = b.reshape(-1, target.dim)
        return SampledPosterior(
            frozen_array(target.moved(flat)),
            Samples(
                target.reported(flat).reshape(*b.shape[:2], -1),
                target.names,
                found.log_density,
                found.accepted,
                how=found.how,
            ),
            Bridge(evidence.log_normalizer + log_volume, evidence.error),
        )


@record(repr=True)
class MetropolisHastings(_Sampling):
    """The posterior by a random walk; good for up to a dozen parameters.

    Parameters
    ----------
    n_draws
        Draws that are kept of each chain.
    n_chains, burn_in
        As in `metropolis_hastings`.
    thin
        Steps per draw that is kept; None for a third of the number of parameters, with which steps get less worth.
    seed
        Where the random numbers begin, so that a fit repeats.

    Examples
    --------
    >>> from suffice.glm import BayesianLogisticRegression
    >>> from suffice.inference import MetropolisHastings
    >>> x, t = [[-2.0], [-1.0], [-0.5], [0.5], [1.0], [2.5]], [0, 0, 1, 0, 1, 1]
    >>> model = BayesianLogisticRegression(0.5, intercept="prior", inference=MetropolisHastings()).fit(x, t)
    >>> model.evidence_kind_, bool(abs(model.log_evidence_ + 4.221407) < 4 * model.log_evidence_error_)
    ('bridge', True)
    """

    n_draws: int = 5000
    n_chains: int = 4
    burn_in: int = 1000
    thin: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_counts(
            n_draws=(self.n_draws, 4),
            n_chains=(self.n_chains, 1),
            burn_in=(self.burn_in, 0),
            thin=(1 if self.thin is None else self.thin, 1),
            seed=(self.seed, 0),
        )

    def _sampled(self, target: Target, starts: np.ndarray, rng: np.random.Generator) -> Samples:
        density, vectorized = target.whitened()
        return metropolis_hastings(
            density,
            starts,
            self.n_draws,
            n_chains=self.n_chains,
            burn_in=self.burn_in,
            thin=-(-target.dim // 3) if self.thin is None else self.thin,
            proposal=best_scale(target.dim) ** 2,
            vectorized=vectorized,
            names=target.names,
            random_state=rng,
            progress=lambda *_: target.tick(),
        )


@record(repr=True)
class NUTS(_Sampling):
    """The posterior by the no-U-turn sampler of nutpie (extra `mcmc`); good for hundreds of parameters.

    Parameters
    ----------
    n_draws, n_chains, burn_in
        As in `nuts`.
    seed
        Where the random numbers begin, so that a fit repeats.

    Examples
    --------
    >>> from suffice.glm import BayesianPoissonRegression
    >>> from suffice.inference import NUTS
    >>> x, t = [[0.0], [1.0], [2.0], [3.0]], [1, 1, 4, 9]
    >>> model = BayesianPoissonRegression(1.0, intercept="prior", inference=NUTS(500)).fit(x, t)
    >>> model.posterior_.how, bool(model.posterior_.r_hat.max() < 1.02)
    ('NUTS', True)
    """

    n_draws: int = 1000
    n_chains: int = 4
    burn_in: int = 500
    seed: int = 0

    def __post_init__(self) -> None:
        check_counts(
            n_draws=(self.n_draws, 4),
            n_chains=(self.n_chains, 1),
            burn_in=(self.burn_in, 1),
            seed=(self.seed, 0),
        )

    def _sampled(self, target: Target, starts: np.ndarray, rng: np.random.Generator) -> Samples:
        return nuts(
            target.whitened_slope(),
            starts,
            None,
            self.n_draws,
            n_chains=self.n_chains,
            burn_in=self.burn_in,
            names=target.names,
            random_state=rng,
            progress=lambda *_: target.tick(),
        )


@record
class SampledPosterior:
    """Functions u (M, P) of all draws in rows, the reported parameters as `Samples`, and the evidence."""

    functions: np.ndarray
    posterior: Samples
    evidence: Bridge

    @property
    def log_evidence(self) -> float:
        return self.evidence.log_normalizer

    @property
    def log_evidence_error(self) -> float:
        return self.evidence.error

    @property
    def evidence_kind(self) -> str:
        return "bridge"

    @cached_property
    def cov(self) -> np.ndarray:
        """Of u."""
        gaps = self.functions - self.functions.mean(axis=0)
        return gaps.T @ gaps / len(gaps)

    @property
    def reported_root(self) -> np.ndarray:
        """F with F Fᵀ the covariance of the reported parameters."""
        gaps = self.posterior.flat - self.posterior.mean
        return qr_factor(gaps / np.sqrt(len(gaps))).T

    def draws(self, n: int, rng: Any) -> np.ndarray:
        """(n, P) functions u."""
        return self.functions[generator(rng).integers(len(self.functions), size=n)]

    @cached_property
    def _enough(self) -> np.ndarray:
        """Evenly spaced functions, twice as many as all of them are worth and a thousand at least."""
        worth = float(np.fmax.reduce(self.posterior.ess))
        wanted = max(2 * worth if np.isfinite(worth) else np.inf, FEWEST)
        return self.functions[:: max(int(len(self.functions) // wanted), 1)]

    def along(self, Z: np.ndarray) -> PredictorPoints:
        """a at some rows, of as many draws as tell anything new."""
        u = self._enough
        return PredictorPoints(Z @ u.T, np.full(len(u), 1 / len(u)))
