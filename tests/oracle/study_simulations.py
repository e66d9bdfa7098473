"""Tables without and with structure, and what a study claims of each: size and power by counting.

    cd tests && python -m oracle.study_simulations --kind rows --target numbers --n 100 --effort quick

A kind says how rows depend on each other, a target what is predicted; `--structure` puts in a modest one, R² = 0.1.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import signal, stats

from suffice.study.models import chosen_candidates
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.sections import Claim, ModelComparison
from suffice.study.steps.compare import comparison_section
from suffice.study.steps.validate import validate_candidate

Table = dict[str, np.ndarray]
R_SQUARED = 0.1
TASKS = {"numbers": "regression", "counts": "counts", "overdispersed": "counts", "classes": "binary"}
TARGETS = tuple(TASKS)


# -- tables ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Simulated:
    """A table, and the options of its study."""

    table: Table
    options: dict[str, Any]


def rows(rng: np.random.Generator, target: str, strength: float, columns: int = 5, n: int = 300) -> Simulated:
    """Independent rows."""
    X = rng.normal(size=(n, columns))
    score = mixed(X.sum(axis=1) / np.sqrt(columns), rng.normal(size=n), strength)
    names = {"city": rng.choice(["Bonn", "Lima", "Oslo"], n).astype(object)} if strength == 0 else {}
    return Simulated(named(X) | names | {"y": drawn(target, score, strength, rng)}, {})


def one_column(rng: np.random.Generator, target: str, strength: float) -> Simulated:
    """Independent rows of one column."""
    return rows(rng, target, strength, columns=1)


def groups(rng: np.random.Generator, target: str, strength: float, g: int = 60, m: int = 5) -> Simulated:
    """Groups whose members are alike in all columns and in the target, each by itself."""
    person = np.repeat(np.arange(g), m)
    X = shared(rng, g, m, 4)
    noise = shared(rng, g, m, 1, 0.3)[:, 0]
    score = mixed(X[:, 0], noise, strength)
    table = named(X) | {
        "own": rng.normal(size=g)[person],
        "person": np.array([f"p{k:02}" for k in person], object),
    }
    return Simulated(table | {"y": drawn(target, score, strength, rng)}, {"group": "person"})


def white(rng: np.random.Generator, target: str, strength: float, n: int = 200) -> Simulated:
    """A series without memory."""
    X = rng.normal(size=(n, 4))
    score = mixed(X[:, 0], rng.normal(size=n), strength)
    return Simulated(
        named(X) | {"day": np.arange(n), "y": drawn(target, score, strength, rng)}, {"time": "day"}
    )


def autoregressive(rng: np.random.Generator, target: str, strength: float, n: int = 200) -> Simulated:
    """A target and columns with memory that know nothing of each other, or one column that does."""
    X = np.column_stack([remembering(rng, n, 0.6) for _ in range(4)])
    score = mixed(X[:, 0], remembering(rng, n, 0.6), strength)
    return Simulated(
        named(X) | {"day": np.arange(n), "y": drawn(target, score, strength, rng)}, {"time": "day"}
    )


def walk(rng: np.random.Generator, target: str, strength: float, n: int = 200) -> Simulated:
    """Random walks: nothing is better than the last value."""
    X = np.cumsum(rng.normal(size=(n, 4)), axis=0)
    score = np.cumsum(mixed(np.diff(X[:, 0], prepend=0.0), rng.normal(size=n), strength))
    return Simulated(
        named(X) | {"day": np.arange(n), "y": drawn(target, score, strength, rng)}, {"time": "day"}
    )


def alone(rng: np.random.Generator, target: str, strength: float, n: int = 200) -> Simulated:
    """A series and nothing else: white noise, or an autoregression whose last value explains R²."""
    score = remembering(rng, n, np.sqrt(strength))
    return Simulated({"day": np.arange(n), "y": drawn(target, score, 1.0, rng)}, {"time": "day"})


KINDS: dict[str, Callable[[np.random.Generator, str, float], Simulated]] = {
    "rows": rows,
    "one-column": one_column,
    "groups": groups,
    "white": white,
    "autoregressive": autoregressive,
    "walk": walk,
    "alone": alone,
}


def named(X: np.ndarray) -> Table:
    """Columns x0, x1, …"""
    return {f"x{j}": X[:, j] for j in range(X.shape[1])}


def mixed(explained: np.ndarray, rest: np.ndarray, strength: float) -> np.ndarray:
    """A score of variance 1 of which `strength` is explained."""
    return np.sqrt(strength) * explained + np.sqrt(1 - strength) * rest


def shared(rng: np.random.Generator, g: int, m: int, columns: int, share: float = 0.5) -> np.ndarray:
    """Columns of variance 1 of which `share` belongs to the group."""
    return np.sqrt(share) * np.repeat(rng.normal(size=(g, columns)), m, axis=0) + np.sqrt(
        1 - share
    ) * rng.normal(size=(g * m, columns))


def remembering(rng: np.random.Generator, n: int, phi: float) -> np.ndarray:
    """A stationary autoregression of variance 1."""
    shocks = rng.normal(size=n + 100) * np.sqrt(1 - phi**2)
    return signal.lfilter([1.0], [1.0, -phi], shocks)[100:]


def drawn(target: str, score: np.ndarray, strength: float, rng: np.random.Generator) -> np.ndarray:
    """A target of that kind with this score: ranks of the score are ranks of the target."""
    if target == "numbers":
        return 10 + 3 * score
    share = np.clip(stats.norm.cdf((score - score.mean()) / score.std()), 1e-9, 1 - 1e-9)
    if target == "counts":
        return stats.poisson.ppf(share, 4.0).astype(int)
    if target == "overdispersed":
        return stats.nbinom.ppf(share, 1.0, 1 / 5).astype(int)
    return np.where(share > 0.6, "yes", "no").astype(object)


# -- one study, and many --------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Outcome:
    """What a study claims of one table: the claims that a model of ours is better than the baseline."""

    seed: int
    gains: tuple[Claim, ...]
    proven: bool
    seconds: float

    @property
    def claimed(self) -> bool:
        """Whether any gain is claimed."""
        return bool(self.gains)


def compared(table: Table, **given: Any) -> tuple[ModelComparison, tuple[Claim, ...]]:
    """Of a study, only what leads to its claims; they are those of `Study(table, "y", **given).run()`."""
    options = Options("y", **given)
    problem = make_problem(read(table, options.seed), options)
    candidates, _ = chosen_candidates(problem, options.models, options.amount.references)
    return comparison_section([validate_candidate(c, problem, options) for c in candidates], problem, options)


def outcome(kind: str, target: str, seed: int, strength: float = 0.0, **options: Any) -> Outcome:
    """Compare the models on one table; a gain is that any model of ours is better than the baseline."""
    rng = np.random.default_rng([seed, sorted(KINDS).index(kind), TARGETS.index(target)])
    made = KINDS[kind](rng, target, strength)
    start = time.perf_counter()
    given = {"references": False, "task": TASKS[target]} | made.options | options
    comparison, claims = compared(made.table, **given)
    gains = tuple(c for c in claims if c.against_baseline and c.claimed and c.better != comparison.baseline)
    return Outcome(seed, gains, comparison.proven, time.perf_counter() - start)


def outcomes(
    kind: str, target: str, seeds: Iterable[int], strength: float = 0.0, **options: Any
) -> list[Outcome]:
    """One study per seed."""
    return [outcome(kind, target, seed, strength, **options) for seed in seeds]


def main() -> None:
    """Print how often something is claimed."""
    parser = argparse.ArgumentParser(description="How often does a study claim a gain?")
    parser.add_argument("--kind", choices=KINDS, default="rows")
    parser.add_argument("--target", choices=TARGETS, default="numbers")
    parser.add_argument("--effort", default="quick")
    parser.add_argument("--structure", type=float, default=0.0, help="R² of the columns")
    parser.add_argument("--n", type=int, default=100, help="how many tables")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--show", type=int, default=0, help="print so many of the claims")
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.n)
    found = outcomes(given.kind, given.target, seeds, given.structure, effort=given.effort)
    claimed = [o.seed for o in found if o.claimed]
    seconds = sum(o.seconds for o in found) / len(found)
    for found_gain in [gain for o in found for gain in o.gains[:1]][: given.show]:
        print("   ", found_gain.sentence, f"[{found_gain.test}]")
    print(
        f"{given.kind} {given.target} R²={given.structure:g} {given.effort}: {len(claimed)} of {len(found)} claimed, "
        f"{sum(o.proven for o in found)} proven, {seconds:.2f} s each; seeds {claimed[:20]}",
        flush=True,
    )


if __name__ == "__main__":
    main()
