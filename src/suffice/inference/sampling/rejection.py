r"""Rejection sampling: draws from a density known up to a constant.

Envelope     f(x) ≤ M q(x) for every x
Algorithm    x ~ q, u ~ U(0, 1); keep x where u M q(x) ≤ f(x)
Acceptance   P(keep) = Z / M with Z = ∫ f, so the rate also estimates Z
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, NumericalError, check_integer, check_number
from suffice._core.random import streams
from suffice._core.records import record
from suffice.distributions import Distribution

_SLACK = 1e-9  # by which rounding may lift log f − log q above the bound


@record
class Rejection:
    """Draws that were kept, and how many were proposed until the last of them."""

    draws: np.ndarray
    proposed: int
    log_bound: float

    @property
    def acceptance_rate(self) -> float:
        """Kept over proposed."""
        return len(self.draws) / self.proposed if self.proposed else float("nan")

    @property
    def log_normalizer(self) -> float:
        """Estimate of log ∫ f: the bound times the acceptance rate."""
        return float(self.log_bound + np.log(self.acceptance_rate))

    def __repr__(self) -> str:
        return f"Rejection({len(self.draws)} draws, acceptance rate {self.acceptance_rate:.4g})"

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>"


def rejection(
    log_density: Callable[[Any], Any],
    proposal: Distribution,
    log_bound: float,
    n: int,
    rng: Any = None,
    max_proposals: int = 100_000_000,
) -> Rejection:
    """`n` independent draws from the density proportional to exp(log_density).

    `log_bound` is log M with log_density(x) ≤ log M + proposal.log_prob(x) everywhere; a draw that breaks it
    is an error.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.distributions import Normal
    >>> from suffice.inference import rejection
    >>> half_normal = lambda x: np.where(x > 0, -(x**2) / 2, -np.inf)
    >>> result = rejection(half_normal, Normal(0, 1), 0.5 * np.log(2 * np.pi), n=1000, rng=0)
    >>> bool(result.draws.min() > 0), bool(abs(result.acceptance_rate - 0.5) < 0.05)
    (True, True)
    """
    check_integer("n", n, 1)
    bound = check_number("log_bound", log_bound)
    source, coin = streams(rng, 2)
    kept: list[np.ndarray] = []
    found = proposed = 0
    while found < n:
        if proposed >= max_proposals:
            raise NumericalError(
                f"Only {found} of {n} draws were kept after {proposed} proposals. "
                "Choose a proposal closer to the density, or a smaller log_bound."
            )
        x = np.asarray(proposal.sample(_block(n, found, proposed, max_proposals), source))
        places = np.flatnonzero(
            _log_ratio(log_density, proposal, x, bound) >= -coin.standard_exponential(len(x))
        )
        places = places[: n - found]
        kept.append(x[places])
        found += len(places)
        proposed += int(places[-1]) + 1 if found == n else len(x)
    return Rejection(_frozen(np.concatenate(kept)), proposed, bound)


def _block(n: int, found: int, proposed: int, most: int) -> int:
    """How many to propose next: what is missing, over the rate so far, and a little more."""
    rate = (found + 1) / (proposed + 2)
    return int(min(1.1 * (n - found) / rate + 16, 1 << 20, most - proposed))


def _log_ratio(log_density: Callable, proposal: Distribution, x: np.ndarray, bound: float) -> np.ndarray:
    """log f − log q − log M, at most zero."""
    value = np.asarray(log_density(x), dtype=float)
    if value.shape != x.shape[:1]:
        raise InvalidInput(
            f"log_density must give one number per draw, {x.shape[:1]}; got shape {value.shape}."
        )
    ratio = value - proposal.log_prob(x) - bound
    worst = int(np.argmax(np.where(np.isnan(ratio), np.inf, ratio)))
    if np.isnan(ratio[worst]):
        raise InvalidInput(f"log_density gave {value[worst]} at {x[worst]}.")
    if ratio[worst] > _SLACK * (1 + abs(value[worst])):
        raise InvalidInput(
            f"log_bound is too small: at {x[worst]} the density exceeds the envelope by a factor "
            f"{np.exp(ratio[worst]):.6g}. It must be at least {bound + ratio[worst]:.6g}."
        )
    return ratio


def _frozen(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array
