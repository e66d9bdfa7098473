"""How things are measured: one process, the same data, ours and the peer in turn, answers compared.

race       seconds of ours and of a peer, each at one thread and at all cores; the peer's faster one counts
precision  how far an answer is from the one it should equal
weigh      peak memory of a statement in a fresh interpreter
"""

from __future__ import annotations

import gc
import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from suffice.engine import threads

Work = Callable[[], Any]


@dataclass(frozen=True)
class Seconds:
    """Median and range of the runs of one setting."""

    median: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, values: list[float]) -> Seconds:
        return cls(statistics.median(values), min(values), max(values), len(values))


@dataclass(frozen=True)
class Race:
    """Seconds by setting, speed-ups over the peer's, and how far the answers are apart."""

    what: str
    peer: str
    ours: dict[str, Seconds]
    peers: dict[str, Seconds]
    difference: float
    bars: dict[str, float] = field(default_factory=dict)
    why: str = ""

    @property
    def fastest_peer(self) -> str:
        """The peer's faster thread setting, in one process as ours."""
        return min(_PEER_SETTINGS, key=lambda k: self.peers[k].median)

    @property
    def speedup(self) -> dict[str, float]:
        """Over the peer's faster thread setting; the bars are about this."""
        return self._over(self.peers[self.fastest_peer].median)

    @property
    def speedup_over_all(self) -> dict[str, float]:
        """Over the fastest of all its settings, processes among them."""
        return self._over(min(s.median for s in self.peers.values()))

    def _over(self, best: float) -> dict[str, float]:
        return {setting: best / s.median for setting, s in self.ours.items()}

    @property
    def holds(self) -> bool | None:
        """Whether every bar is met; None without bars."""
        return all(self.speedup[k] >= bar for k, bar in self.bars.items()) if self.bars else None


@dataclass(frozen=True)
class Figure:
    """One measured number, the bar it must stay under, and what it was measured beside."""

    what: str
    value: float
    unit: str = ""
    bar: float | None = None
    beside: str = ""

    @property
    def holds(self) -> bool | None:
        return None if self.bar is None else bool(self.value <= self.bar)


@dataclass(frozen=True)
class Digits:
    """Correct digits of one certified problem by library."""

    problem: str
    digits: dict[str, float]
    bar: float | None = None

    @property
    def holds(self) -> bool | None:
        return None if self.bar is None else bool(next(iter(self.digits.values())) >= self.bar)


Result = Race | Figure | Digits


# -- time ---------------------------------------------------------------------------------------------
def race(
    what: str,
    ours: Work,
    peers: Mapping[str, Work],
    compare: Callable[[Any, Any], float],
    *,
    runs: int = 5,
    share: float = 1.0,
    bars: Mapping[str, float] | None = None,
    why: str = "",
) -> Race:
    """Run all settings in turn, `runs` times after a warm-up, and compare the first answers.

    Parameters
    ----------
    peers
        The peer by name; several when it has more than one way to use all cores.
    compare
        (our answer, the peer's) → their distance.
    share
        The part of the work that the peer does, where all of it would take hours; its seconds are scaled up.
    why
        What explains it when the peer is faster.
    """
    settings = {("ours", name): (context, ours) for name, context in _OUR_SETTINGS.items()}
    for peer, work in peers.items():
        settings |= {(peer, name): (context, work) for name, context in _PEER_SETTINGS.items()}
    first_runs = {key: _timed(*setting) for key, setting in settings.items()}
    answers = {key: answer for key, (_, answer) in first_runs.items()}
    scale = {key: 1.0 if key[0] == "ours" else share for key in settings}
    seconds: dict[tuple[str, str], list[float]] = {key: [] for key in settings}
    best = min(first_runs[key][0] for key in settings if key[0] != "ours")
    for key, (once, _) in first_runs.items():  # a setting that is clearly not the peer's best is timed once
        if key[0] != "ours" and once > max(1.5 * best, 2.0):
            seconds[key].append(once / scale[key])
    left = [key for key in settings if not seconds[key]]
    for _ in range(runs):
        for key in left:
            seconds[key].append(_timed(*settings[key])[0] / scale[key])
    first = next(iter(peers))
    return Race(
        what=what,
        peer=first,
        ours={name: Seconds.of(v) for (who, name), v in seconds.items() if who == "ours"},
        peers={
            name if who == first else f"{who}, {name}": Seconds.of(v)
            for (who, name), v in seconds.items()
            if who != "ours"
        },
        difference=max(
            compare(answer, answers[first, "default"]) for key, answer in answers.items() if key[0] == "ours"
        ),
        bars=dict(bars or {}),
        why=why,
    )


@contextmanager
def _one_thread() -> Iterator[None]:
    with threads(1), threadpool_limits(1, user_api="blas"):
        yield


_OUR_SETTINGS: dict[str, Callable[[], Any]] = {"one thread": _one_thread, "all cores": nullcontext}
_PEER_SETTINGS: dict[str, Callable[[], Any]] = {"one thread": _one_thread, "default": nullcontext}


def _timed(context: Callable[[], Any], work: Work) -> tuple[float, Any]:
    with context():
        gc.collect()
        start = perf_counter()
        answer = work()
        return perf_counter() - start, answer


# -- agreement ------------------------------------------------------------------------------------------
def relative(a: Any, b: Any) -> float:
    """Largest difference in units of the largest entry of b."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return float(np.max(np.abs(a - b)) / np.max(np.abs(b)))


def digits(a: Any, certified: Any) -> float:
    """Correct digits of the worst entry, between 0 and the 15 that are certified."""
    with np.errstate(divide="ignore"):
        worst = float(np.max(np.abs(np.asarray(a) / np.asarray(certified) - 1)))
    return 15.0 if worst == 0 else float(np.clip(-np.log10(worst), 0.0, 15.0))


# -- fresh interpreters -----------------------------------------------------------------------------------
_WEIGH = """
import json, time
def _kilobytes(key):
    try:  # getrusage would also count what the parent process held when it started this one
        return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(key))
    except OSError:
        import resource, sys
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "darwin" else 1)
{prepare}
before, start = _kilobytes("VmRSS:"), time.perf_counter()
{work}
print(json.dumps({{"seconds": time.perf_counter() - start, "megabytes": (_kilobytes("VmHWM:") - before) / 1024}}))
"""


def weigh(prepare: str, work: str) -> dict[str, float]:
    """Seconds of `work` in a fresh interpreter and its peak memory above what `prepare` left resident."""
    return json.loads(_fresh(_WEIGH.format(prepare=prepare, work=work)))


def import_seconds(before: str, statement: str, runs: int = 7) -> Seconds:
    """Seconds that a statement adds after another one, each time in a fresh interpreter."""
    code = (
        f"from time import perf_counter\n{before}\nt = perf_counter()\n{statement}\nprint(perf_counter() - t)"
    )
    _fresh(code)  # fills the caches of byte code and of the disk
    return Seconds.of([float(_fresh(code)) for _ in range(runs)])


def _fresh(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip().splitlines()[-1]
