"""Sampling: effective draws per second beside emcee, NUTS in fifty dimensions, diagnostics against ArviZ."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import emcee
import numpy as np
from scipy.special import expit

from benchmarks.harness import Figure, Result, race, relative
from benchmarks.tables import small
from suffice.datasets import two_clouds
from suffice.glm import BayesianLogisticRegression
from suffice.inference import NUTS, MetropolisHastings, Samples


def _arviz() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it announces its next version
        import arviz

    return arviz


def _seconds(work: Callable[[], Any], runs: int = 3) -> tuple[float, Any]:
    best, answer = np.inf, None
    for _ in range(runs):
        begin = time.perf_counter()
        answer = work()
        best = min(best, time.perf_counter() - begin)
    return best, answer


def binary_example(quick: bool) -> list[Result]:
    """FCML's two classes and two weights: 4 chains × 25,000 draws, beside emcee's ensemble."""
    data = two_clouds(random_state=1)
    X, sign, n = np.asarray(data.X), 2 * np.asarray(data.y) - 1.0, small(25_000, quick)

    def ours() -> Samples:
        choice = MetropolisHastings(n, burn_in=1000)
        model = BayesianLogisticRegression(0.1, fit_intercept=False, inference=choice).fit(X, data.y)
        return model.posterior_

    def log_posterior(W: np.ndarray) -> np.ndarray:
        return -np.logaddexp(0, -sign * (W @ X.T)).sum(axis=1) - 0.05 * (W * W).sum(axis=1)

    def theirs() -> float:
        """Effective draws, by emcee's own estimate: as many draws, 32 walkers."""
        sampler = emcee.EnsembleSampler(32, 2, log_posterior, vectorize=True)
        sampler.random_state = np.random.RandomState(0).get_state()
        state = sampler.run_mcmc(np.random.default_rng(0).standard_normal((32, 2)), 300, store=False)
        sampler.reset()
        sampler.run_mcmc(state, 4 * n // 32)
        return 4 * n / float(sampler.get_autocorr_time(quiet=True).max())

    ours()
    mine, found = _seconds(ours)
    other, effective = _seconds(theirs)
    per_second, peer = float(found.ess.min() / mine), effective / other
    return [
        Figure(
            f"FCML's binary example, 4 × {n:,} draws by Metropolis–Hastings: seconds with the fit",
            mine,
            "s",
            1.0,
        ),
        Figure(
            "… effective draws per second, emcee's over ours (smallest of both weights)",
            peer / per_second,
            bar=1.0,
            beside=f"{per_second:,.0f} against {peer:,.0f} of emcee with 32 walkers, vectorized, by its own estimate",
        ),
    ]


def fifty_weights(quick: bool) -> list[Result]:
    """A logistic posterior in fifty dimensions by NUTS."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((small(1_000, quick), 49))
    y = (rng.random(len(X)) < expit(X @ rng.normal(0, 0.4, 49))).astype(int)
    seconds, found = _seconds(
        lambda: BayesianLogisticRegression(1.0, inference=NUTS()).fit(X, y).posterior_, runs=1
    )
    return [
        Figure("50 weights by NUTS, 4 × 1,000 draws: seconds with the fit", seconds, "s", 20.0),
        Figure("… worst R̂ − 1", float(found.r_hat.max() - 1), bar=0.01),
    ]


def chain_diagnostics(quick: bool) -> list[Result]:
    """R̂, bulk and tail ESS of fifty coordinates, against ArviZ."""
    rng = np.random.default_rng(0)
    draws = rng.standard_normal((4, small(25_000, quick), 50))
    for s in range(1, draws.shape[1]):
        draws[:, s] = 0.8 * draws[:, s - 1] + 0.6 * draws[:, s]
    az = _arviz()

    def ours() -> np.ndarray:
        found = Samples(draws)
        return np.stack([found.r_hat, found.ess, found.ess_tail])

    def theirs() -> np.ndarray:
        data = az.convert_to_dataset(draws)
        parts = (az.rhat(data), az.ess(data, method="bulk"), az.ess(data, method="tail"))
        return np.stack([np.asarray(p.x) for p in parts])

    return [
        race(
            f"R̂, bulk and tail ESS of 50 coordinates, 4 × {draws.shape[1]:,} draws",
            ours,
            {"ArviZ": theirs},
            relative,
            runs=3,
            bars={"one thread": 1.0},
        )
    ]


ROWS = (binary_example, fifty_weights, chain_diagnostics)
