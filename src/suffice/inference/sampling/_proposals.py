"""Metropolis–Hastings with any proposal: a distribution that depends on where the chain is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.distributions import Distribution
from suffice.inference.sampling._density import refuse_starts


class Proposals:
    """Chains whose next place comes from a distribution that depends on where they are."""

    def __init__(
        self, density: Any, proposal: Any, X: np.ndarray, chains: list, tick: Callable[[int], None]
    ) -> None:
        self.density, self.proposal, self.X, self.chains, self.tick = density, proposal, X, chains, tick
        self.H = density(X)
        refuse_starts(X, self.H)
        self.near = [self._at(x) for x in X]

    def _at(self, x: np.ndarray) -> Distribution:
        found = self.proposal(x.copy())
        if not isinstance(found, Distribution):
            raise InvalidParameter(
                f"proposal must give a Distribution, of which it draws the next place; got {type(found).__name__}."
            )
        return found

    def run(self, steps: int, keep: int = 1, proposals: bool = False) -> tuple[Any, ...]:
        """As for the random walk."""
        shape = (len(self.X), steps // keep)
        draws, proposed = np.empty((*shape, self.X.shape[1])), np.empty((*shape, self.X.shape[1]))
        log_densities, accepted = np.empty(shape), np.empty(shape, dtype=bool)
        for s in range(steps):
            took, there = self._step()
            self.tick(1)
            if (s + 1) % keep == 0:
                i = s // keep
                draws[:, i], log_densities[:, i], accepted[:, i], proposed[:, i] = self.X, self.H, took, there
        return draws, log_densities, accepted, proposed if proposals else None

    def _step(self) -> tuple[np.ndarray, np.ndarray]:
        proposed = np.array(
            [np.atleast_1d(q.sample(rng=rng)) for q, rng in zip(self.near, self.chains, strict=True)],
            dtype=float,
        )
        if proposed.shape != self.X.shape:
            raise InvalidParameter(
                f"proposal must give {self.X.shape[1]} coordinates, as start has; got {proposed.shape[1:]}."
            )
        log_densities = self.density(proposed)
        log_u = -np.array([rng.standard_exponential() for rng in self.chains])
        took = np.zeros(len(self.X), dtype=bool)
        for k in np.flatnonzero(log_densities > -np.inf):
            there = self._at(proposed[k])
            log_ratio = (
                log_densities[k]
                - self.H[k]
                + _log_prob(there, self.X[k])
                - _log_prob(self.near[k], proposed[k])
            )
            if np.isnan(log_ratio):
                raise InvalidInput(
                    f"The proposal has no density at {self.X[k].tolist()} or {proposed[k].tolist()}; it must be able "
                    "to go back to where it came from."
                )
            if log_u[k] <= log_ratio:
                took[k], self.near[k] = True, there
        self.X, self.H = np.where(took[:, None], proposed, self.X), np.where(took, log_densities, self.H)
        return took, proposed


def _log_prob(q: Distribution, x: np.ndarray) -> float:
    return float(np.sum(q.log_prob(x)))  # of a batch, coordinates are independent
