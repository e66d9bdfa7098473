r"""The no-U-turn sampler, by nutpie (extra `mcmc`): draws that follow the gradient of the log density.

Hamiltonian  H(x, p) = −log g(x) + ½ pᵀ M⁻¹ p: trajectories of constant H propose far away and are nearly always taken
No U-turn    a trajectory ends where going on would come back, so its length needs no tuning (Hoffman and Gelman)
Burn-in      fits the step size and M

In tens of dimensions a random walk needs thousands of steps for one independent draw; this needs a few dozen gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, NotConverged, NumericalError, warn
from suffice._core.filters import heard
from suffice._core.frames import require
from suffice._core.random import generator
from suffice.inference.calculus import check_gradient
from suffice.inference.sampling._density import number
from suffice.inference.sampling.metropolis import check_counts, open_start
from suffice.inference.sampling.samples import Samples

HAIR = 1e-3
WRONG = 0.01  # a relative error of a gradient that no rounding explains


def nuts(
    log_density: Callable[[np.ndarray], Any],
    start: Any,
    gradient: Callable[[np.ndarray], Any] | None = None,
    n_draws: int = 1000,
    *,
    n_chains: int = 4,
    burn_in: int = 1000,
    names: Any = None,
    random_state: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Samples:
    """Draws from the density proportional to exp(log_density), which must be smooth.

    Parameters
    ----------
    log_density
        log g of a vector.
    start
        Where all chains begin, or one place for each (chains, D).
    gradient
        ∂ log g / ∂x of a vector; None where `log_density` gives (log g, gradient) at once.
    burn_in
        Steps that are thrown away, and in which the sampler is tuned.
    progress
        Called with the chains that are done, and how many there will be.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.inference import nuts
    >>> found = nuts(lambda x: -0.5 * x @ x, np.zeros(10), lambda x: -x, 500, burn_in=300, random_state=0)
    >>> bool(np.all(np.abs(found.mean) < 4 * found.mcse)), bool(found.r_hat.max() < 1.02)
    (True, True)
    """
    check_counts(n_draws=(n_draws, 1), n_chains=(n_chains, 1), burn_in=(burn_in, 1))
    X = open_start(start, n_chains)
    for name, value in (("log_density", log_density), ("gradient", gradient)):
        if not callable(value) and not (name == "gradient" and value is None):
            raise InvalidParameter(f"{name} must be a function of a vector; got {value!r:.60}.")
    both = log_density if gradient is None else (lambda x: (log_density(x.copy()), gradient(x.copy())))
    rng = generator(random_state)
    X = _beside_stillness(both, X, rng)
    _check_gradient(both, X[0])
    draws, log_densities, diverging = _sampled(both, X, n_draws, burn_in, rng, progress)
    if diverging:
        warn(
            f"{diverging} of {n_draws * n_chains} trajectories diverged: the density bends too sharply somewhere, and "
            "draws from there are missing. Transform the variables, or run a longer burn_in.",
            NotConverged,
        )
    return Samples(draws, names, log_densities, how="NUTS").check()


def _beside_stillness(both: Any, X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The starts, checked, and moved by a hair where the gradient vanishes and so tells nothing of the scale."""
    for k, x in enumerate(X):
        if np.any(_checked(both, x, k) == 0):
            beside = x + HAIR * np.maximum(np.abs(x), 1.0) * rng.standard_normal(len(x))
            _checked(both, beside, k)
            X[k] = beside
    return X


def _check_gradient(both: Any, x: np.ndarray) -> None:
    """Raise where the gradient at a start is plainly not that of the density."""
    found = check_gradient(
        lambda at: number(both(at)[0], at), lambda at: np.asarray(both(at)[1], dtype=float), x
    )
    if not found.error < WRONG:
        raise InvalidParameter(
            f"The gradient at {x.tolist()} is {found.given.tolist()}, but differences of log_density give "
            f"{found.differences.tolist()}; see suffice.inference.check_gradient."
        )


def _checked(both: Any, x: np.ndarray, chain: int) -> np.ndarray:
    """The gradient at a start, if it is one."""
    answer = both(x)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise InvalidParameter("Without gradient=, log_density must give (log g, gradient).")
    value, slope = number(answer[0], x), np.asarray(answer[1], dtype=float)
    if np.isnan(value):
        raise InvalidInput(f"log_density gave nan at {x.tolist()}.")
    if value == -np.inf:
        raise InvalidInput(
            f"The density is zero at the start of chain {chain}, {x.tolist()}; begin where it is not."
        )
    if slope.shape != x.shape or not np.isfinite(slope).all():
        raise InvalidInput(
            f"The gradient at {x.tolist()} must be {len(x)} finite numbers; got {slope.tolist()}."
        )
    return slope


def _sampled(
    both: Any, X: np.ndarray, n_draws: int, burn_in: int, rng: np.random.Generator, progress: Any
) -> tuple[np.ndarray, np.ndarray, int]:
    """Draws (C, n, D), log densities (C, n), and how many trajectories diverged."""
    nutpie = _nutpie()
    n_chains, d = X.shape
    seeds = [int(rng.integers(2**31)) for _ in range(n_chains)]

    failed: list[Exception] = []

    def at(x: np.ndarray) -> tuple[float, np.ndarray]:
        """What is asked of Rust must not raise: it is raised when the chains have ended."""
        try:
            if not failed:
                value, slope = both(x)
                return number(value, x), np.ascontiguousarray(slope, dtype=float)
        except Exception as error:
            failed.append(error)
        return -np.inf, np.zeros(d)

    def chain(k: int) -> Any:
        model = nutpie.compiled_pyfunc.from_pyfunc(
            d,
            lambda: at,
            lambda *_: lambda x: {"x": x},
            [np.dtype("float64")],
            [(d,)],
            ["x"],
            make_initial_point_fn=lambda _: X[k].copy(),
        )
        return nutpie.sample(
            model, draws=n_draws, tune=burn_in, chains=1, cores=1, seed=seeds[k],
            progress_bar=False, save_warmup=False,
        )  # fmt: skip

    with heard(), ThreadPoolExecutor(min(n_chains, 2)) as pool:
        traces = []
        try:
            for trace in pool.map(chain, range(n_chains)):
                traces.append(trace)
                if progress is not None:
                    progress(len(traces), n_chains)
        except RuntimeError as error:
            failed.append(NumericalError(f"nutpie could not sample: {str(error).splitlines()[0]}"))
    if failed:
        raise failed[0]
    draws = np.concatenate([np.asarray(t.posterior["x"]) for t in traces])
    log_densities = np.concatenate([np.asarray(t.sample_stats["logp"]) for t in traces])
    return draws, log_densities, int(sum(int(np.asarray(t.sample_stats["diverging"]).sum()) for t in traces))


def _nutpie() -> Any:
    with heard():  # of what it imports
        return require("nutpie")
