r"""Simulation-based calibration: is a posterior what it says it is (Talts and others, 2018)?

    θ ~ prior,  data ~ likelihood given θ  →  fit  →  L posterior draws  →  rank of θ among them

Every simulation has a random stream of its own, split for its data, its fit, its draws and its ties: ranks do not
depend on how the simulations are spread over processes. A model that draws random numbers is given a new seed for each;
with one and the same seed its draws would be the same quantiles every time, and their ranks not uniform.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import (
    FitFailed,
    InvalidInput,
    InvalidParameter,
    NumericalError,
    check_integer,
    warn,
)
from suffice._core.random import streams
from suffice.inference.calibrating._simulation import Simulation, SimulationOutcome, is_estimator, run
from suffice.inference.calibrating.calibration import Calibration, FailedSimulation

FEWEST, FEWEST_DRAWS = 20, 9


def calibrate(
    model: Any,
    simulate: Callable[[np.random.Generator], tuple[Any, Any]],
    n: int = 200,
    *,
    draws: int = 99,
    names: Sequence[str] | None = None,
    posterior: Callable[..., Any] | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Calibration:
    """Whether posteriors are right, judged by the ranks of simulated truths among their draws.

    Parameters
    ----------
    model
        An estimator with `fit(*data)`, or a function of the data that returns a posterior. A function with a parameter
        `rng` is given a random generator; an estimator's parameters named seed or random_state, a new seed each time.
    simulate
        From a random generator to (θ, data): θ drawn from the prior, a number, a vector or a tuple of arrays; data a
        tuple of what `model` takes.
    n
        Simulations. 200 find gross errors, 1000 finer ones.
    draws
        Posterior draws per simulation, L. Ranks fall into bins of equal width if L + 1 has small factors.
    names
        Of the parameters, in the order of θ.
    posterior
        From what was fitted to a distribution or to draws (L, D), where that is not its `posterior_`; also for
        functions of the parameters, if `simulate` returns the same functions.
    random_state
        Seed of everything; the same one gives the same ranks for every `n_jobs`.
    n_jobs
        Processes.
    progress
        Called after each simulation with how many are done, and n.

    Notes
    -----
    Draws of chains (`Samples`) are thinned to L evenly spaced ones; a warning says where they are worth less than L
    independent ones, for then their ranks are not uniform even if the chains are right.

    Fits that fail are counted, with what is needed to repeat them, and stop everything only where they are more than
    half. Whether a fit fails depends on its data alone, so the other ranks stay uniform. For the same reason `simulate`
    may leave out data that the model refuses, if it then draws θ anew as well.

    Examples
    --------
    >>> from suffice.distributions import Gamma, Poisson
    >>> from suffice.inference import calibrate
    >>> prior = Gamma(2.0, 1.0)
    >>> def simulate(rng):
    ...     rate = prior.sample(rng=rng)
    ...     return rate, (Poisson(rate).sample(5, rng),)
    >>> print(calibrate(lambda x: prior.posterior(x), simulate, names=["rate"], random_state=0).verdict)
    No sign of miscalibration (200 simulations, 99 draws, p = 0.99).
    >>> wrong = calibrate(lambda x: Gamma(9.0, 2.0).posterior(x), simulate, names=["rate"], random_state=0)
    >>> print(wrong.verdict)
    Not calibrated (200 simulations, 99 draws, p < 0.001). rate: posteriors lie too high and are too narrow (p < 0.001).
    """
    _check(model, simulate, n, draws)
    from sklearn.utils.parallel import Parallel, delayed

    task = Simulation(model, simulate, posterior, int(draws))
    each = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(run)(task, k, rng) for k, rng in enumerate(streams(random_state, n))
    )
    found = []
    for one in each:
        found.append(one)
        if progress is not None:
            progress(len(found), n)
    dim = _one_dimension(found)
    failures = tuple(one.failure for one in found if one.failure is not None)
    _report(found, failures)
    names = [f"theta{j}" for j in range(dim)] if names is None else names
    if len(names) != dim or isinstance(names, str):
        raise InvalidParameter(f"names must be {dim} names, one per parameter; got {names!r}.")
    ranks = np.stack([one.ranks for one in found if one.ranks is not None])
    return Calibration(ranks, int(draws), tuple(names), failures)


def _check(model: Any, simulate: Any, n: Any, draws: Any) -> None:
    if isinstance(model, type):
        raise InvalidParameter(
            f"model must be an estimator or a function; got the class {model.__name__}. Write {model.__name__}(…)."
        )
    if not is_estimator(model) and not callable(model):
        raise InvalidParameter(f"model must have fit or be a function of the data; got {model!r}.")
    if not callable(simulate):
        raise InvalidParameter(f"simulate must be a function of a random generator; got {simulate!r}.")
    for name, value, least in (("n", n, FEWEST), ("draws", draws, FEWEST_DRAWS)):
        check_integer(name, value, least)


def _one_dimension(found: list[SimulationOutcome]) -> int:
    dim = found[0].dim
    for k, one in enumerate(found):
        if one.dim != dim:
            raise InvalidInput(
                f"simulate must give the same parameters every time; got {dim} in simulation 0 and {one.dim} in "
                f"simulation {k}."
            )
    return dim


def _report(found: list[SimulationOutcome], failures: tuple[FailedSimulation, ...]) -> None:
    """Say what went wrong, once for each kind of it."""
    if 2 * len(failures) > len(found):
        raise NumericalError(f"{len(failures)} of {len(found)} fits failed. The first is {failures[0]}")
    if failures:
        warn(
            f"{len(failures)} of {len(found)} fits failed and have no ranks. The first is {failures[0]}",
            FitFailed,
        )
    seen = [(category, message) for one in found for message, category in one.warnings]
    often = Counter(kind for one in found for kind in dict.fromkeys(kind for _, kind in one.warnings))
    for category, times in often.items():
        first = next(message for kind, message in seen if kind is category)
        warn(f"In {times} of {len(found)} simulations: {first}", category)
