"""Cases by number, in turn over the kinds, side by side in processes, within a time budget; and what became of them."""

from __future__ import annotations

import signal
import time
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from typing import Any

import numpy as np

from .kinds import KINDS
from .known import reason_for
from .minima import ASKED
from .trial import FINDINGS, OUTCOMES, WELL, Crashed, NoLoop, Refused, Skip, Trial

PATIENCE = 60  # seconds that one case may take
ATTEMPTS = 12  # draws until a model and a table have the road of a kind


@dataclass(frozen=True)
class Result:
    """What became of one case; `words` say what was compared, and what was found."""

    kind: str
    seed: int
    model: str
    outcome: str
    checks: int
    words: str = ""
    noise: tuple[str, ...] = ()
    tame: bool = False

    @property
    def name(self) -> str:
        return f"{'tame-' if self.tame else ''}{self.kind}-{self.seed}"


class TooLong(Exception):
    """The case is over its time."""


def attack(kind: str, seed: int, tame: bool = False) -> Result:
    """Run one case; the same numbers give the same case. Tame ones have plain tables."""
    for attempt in range(ATTEMPTS):
        trial = Trial.of(kind, seed, attempt, tame)
        ASKED.clear()
        outcome, words = _outcome(trial, KINDS[kind])
        if outcome != "skipped":
            break
    reason = reason_for(trial, words) if outcome in FINDINGS else None
    if reason is not None:
        outcome, words = "known", f"{reason}\n    {words}"
    about = "; ".join(map(str, trial.about)) if outcome != "same" else ""
    said, noise = f"{about}\n    {words}", tuple(trial.noise[:1])
    return Result(kind, seed, trial.model, outcome, trial.checks, said, noise, tame)


def _outcome(trial: Trial, kind: Callable[[Trial], None]) -> tuple[str, str]:
    def over(*_: Any) -> None:
        raise TooLong

    signal.signal(signal.SIGALRM, over)
    signal.alarm(PATIENCE)
    try:
        with np.errstate(all="ignore"):
            kind(trial)
    except Skip as why:
        return "skipped", str(why)
    except Refused as error:
        return "refused", str(error)
    except Crashed as error:
        return "crash", str(error)
    except NoLoop as error:
        return "no loop", str(error)
    except TooLong:
        return "slow", f"over {PATIENCE} s"
    except Exception as error:
        return "broken", "".join(traceback.format_exception(error)[-3:])
    finally:
        signal.alarm(0)
    return _judged(trial)


def _judged(trial: Trial) -> tuple[str, str]:
    worst = trial.worst
    if worst is None:
        return "same", ""
    words = f"{worst}, condition {trial.condition:.1e}"
    if trial.said:
        return "said", f"{words}; said: {trial.said[0]}"
    return ("silent" if trial.condition <= WELL else "beyond"), words


# -- many ------------------------------------------------------------------------------------------------
@dataclass
class Summary:
    """Outcomes by kind, and every finding."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    checks: Counter[str] = field(default_factory=Counter)
    noise: Counter[str] = field(default_factory=Counter)
    kept: list[Result] = field(default_factory=list)

    def add(self, result: Result, keep: Iterable[str] = FINDINGS) -> None:
        self.counts[result.kind][result.outcome] += 1
        self.checks[result.kind] += result.checks
        self.noise[result.kind] += bool(result.noise)
        if result.outcome in keep:
            self.kept.append(result)

    @property
    def cases(self) -> int:
        return sum(c.total() for c in self.counts.values())

    @property
    def findings(self) -> int:
        return sum(c[o] for c in self.counts.values() for o in FINDINGS)

    def __str__(self) -> str:
        head = (
            f"{'kind':12} {'cases':>7} {'checks':>8}"
            + "".join(f" {o:>8}" for o in OUTCOMES)
            + f" {'noisy':>7}"
        )
        lines = [head]
        for kind in KINDS:
            if kind in self.counts:
                c = self.counts[kind]
                cells = "".join(f" {c[o]:8d}" for o in OUTCOMES)
                lines.append(f"{kind:12} {c.total():7d} {self.checks[kind]:8d}{cells} {self.noise[kind]:7d}")
        total = {o: sum(c[o] for c in self.counts.values()) for o in OUTCOMES}
        cells = "".join(f" {total[o]:8d}" for o in OUTCOMES)
        lines.append(f"{'all':12} {self.cases:7d} {self.checks.total():8d}{cells} {self.noise.total():7d}")
        return "\n".join(lines)


def cases(n: int, first: int = 0, kinds: Iterable[str] | None = None) -> Iterator[tuple[str, int]]:
    """(kind, seed) in turn: the kinds by their shares, each with seeds of its own that begin at `first`."""
    chosen = {k: SHARES.get(k, 1) for k in KINDS if kinds is None or k in set(kinds)}
    turn = [k for k, share in chosen.items() for _ in range(share)]
    seeds = dict.fromkeys(chosen, first)
    for i in range(n):
        kind = turn[i % len(turn)]
        yield kind, seeds[kind]
        seeds[kind] += 1


SHARES = {
    "validation": 4, "engine": 2, "pipeline": 3, "pieces": 4, "forms": 3, "units": 4, "order": 3, "duplicates": 4,
    "constant": 3, "reference": 4, "texts": 2,
}  # fmt: skip


def many(work: Iterable[tuple[str, int]], jobs: int = 1, seconds: float | None = None) -> Iterator[Result]:
    """Results as they come; no new case is begun after `seconds`."""
    end = np.inf if seconds is None else time.monotonic() + seconds
    if jobs == 1:
        yield from (attack(*w) for w in work if time.monotonic() < end)
        return
    left = iter(work)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # of forks beside threads, which hold no lock here
        pool = get_context("fork").Pool(jobs)
    with pool:
        while time.monotonic() < end and (batch := list(islice(left, 50 * jobs))):
            yield from pool.imap_unordered(_attack, batch, chunksize=5)


def _attack(work: tuple[str, int]) -> Result:
    return attack(*work)
