r"""One simulation of `calibrate`: a truth and its data, a fit, draws of its posterior, ranks.

Its random stream is split in four: for the data, the fit, the draws and the ties.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NotConverged,
    NumericalError,
    SufficeError,
    SufficeWarning,
    Unsupported,
    hold_warnings,
    warn,
)
from suffice._core.threads import one_blas_thread
from suffice.inference.calibrating.calibration import FailedSimulation
from suffice.inference.calibrating.uniform_ranks import truth_ranks
from suffice.inference.sampling.samples import Samples

# Errors that a fit may meet; others are mistakes in the program.
FAILURES = (SufficeError, ValueError, ArithmeticError, RuntimeError)
SEEDS = ("seed", "random_state")

Held = list[tuple[str, type[SufficeWarning]]]


@dataclass(frozen=True)
class Simulation:
    """How a simulation is made into ranks."""

    model: Any
    simulate: Callable[[np.random.Generator], tuple[Any, Any]]
    posterior: Callable[..., Any] | None
    draws: int


@dataclass(frozen=True)
class SimulationOutcome:
    """Ranks, or why there are none; and what was warned of on the way."""

    dim: int
    ranks: np.ndarray | None
    failure: FailedSimulation | None
    warnings: Held


@one_blas_thread()
def run(task: Simulation, k: int, rng: np.random.Generator) -> SimulationOutcome:
    """The k-th simulation."""
    for_data, for_fit, for_draws, for_ties = rng.spawn(4)
    seed: Any = for_data.bit_generator.seed_seq
    theta, data = _simulated(task.simulate(for_data), k)
    with hold_warnings() as held:
        try:
            drawn = _drawn(_posterior(task, data, for_fit), task.draws, for_draws)
        except FAILURES as error:
            reason = f"{type(error).__name__}: {error}"
            return SimulationOutcome(
                len(theta), None, FailedSimulation(k, reason, seed.entropy, seed.spawn_key), list(held)
            )
    if drawn.shape != (task.draws, len(theta)):
        raise InvalidInput(
            f"simulate gives {len(theta)} parameters and draws={task.draws}, but the posterior gives draws of shape "
            f"{drawn.shape} in simulation {k}. Use posterior= to choose what belongs to θ."
        )
    return SimulationOutcome(len(theta), truth_ranks(theta, drawn, for_ties), None, list(held))


def _simulated(pair: Any, k: int) -> tuple[np.ndarray, tuple]:
    """θ as a vector and the data as a tuple."""
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise InvalidInput(
            f"simulate must return (theta, data); got {type(pair).__name__} in simulation {k}."
        )
    theta = np.concatenate([np.ravel(np.asarray(part, dtype=float)) for part in _parts(pair[0])])
    if theta.size == 0 or not np.isfinite(theta).all():
        raise InvalidInput(f"simulate must give finite parameters; got {theta} in simulation {k}.")
    return theta, pair[1] if isinstance(pair[1], tuple) else (pair[1],)


def _posterior(task: Simulation, data: tuple, rng: np.random.Generator) -> Any:
    """Of one set of data: what the model returns, or what `posterior` makes of it."""
    if not is_estimator(task.model):
        fitted = _call(task.model, data, rng)
        return fitted if task.posterior is None else _call(task.posterior, (fitted,), rng)
    fitted = _reseeded(task.model, rng).fit(*data)
    if task.posterior is not None:
        return _call(task.posterior, (fitted,), rng)
    found = getattr(fitted, "posterior_", None)  # once: it may be computed when asked for
    if found is None:
        raise Unsupported(f"{type(fitted).__name__} has no posterior_; say where it is with posterior=.")
    return found


def _call(f: Callable[..., Any], arguments: tuple, rng: np.random.Generator) -> Any:
    """f of the arguments, and of a generator where it has a parameter of that name."""
    try:
        wants = "rng" in inspect.signature(f).parameters
    except (TypeError, ValueError):
        wants = False
    return f(*arguments, rng=rng) if wants else f(*arguments)


def _reseeded(model: Any, rng: np.random.Generator) -> Any:
    """A copy that has not been fitted, with seeds of its own."""
    from sklearn.base import clone

    copy = clone(model, safe=False)
    params = copy.get_params() if hasattr(copy, "get_params") else {}
    seeds = {name: int(rng.integers(2**31)) for name in params if name.rpartition("__")[2] in SEEDS}
    return copy.set_params(**seeds) if seeds else copy


def _drawn(posterior: Any, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Draws (L, D) of a distribution, of chains, or as they are."""
    if isinstance(posterior, Samples):
        found: Any = _thinned(posterior, draws)
    else:
        found = posterior.sample(draws, rng) if hasattr(posterior, "sample") else posterior
    parts = [np.asarray(part, dtype=float) for part in _parts(found)]
    rows = np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1)
    if not np.isfinite(rows).all():
        raise NumericalError("The posterior gives draws that are not finite.")
    return rows


def _thinned(chains: Samples, draws: int) -> np.ndarray:
    """L draws evenly spaced over all chains."""
    total = len(chains.flat)
    if total < draws:
        raise InvalidParameter(f"{total} draws of chains are fewer than draws={draws}; draw more.")
    worth = float(np.min(chains.ess))
    if not worth >= draws:
        warn(
            f"The chains are worth {worth:.0f} independent draws, fewer than draws={draws}. Run them longer.",
            NotConverged,
        )
    return chains.flat[((np.arange(draws) + 0.5) * total / draws).astype(int)]


def _parts(value: Any) -> tuple:
    """A tuple of arrays as it is, anything else as the only one."""
    return tuple(value) if isinstance(value, tuple) else (value,)


def is_estimator(model: Any) -> bool:
    return callable(getattr(model, "fit", None))
