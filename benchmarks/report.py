"""Results in words: a line on the screen, a table in RESULTS.md, numbers in results.json."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, fields
from importlib.metadata import version
from pathlib import Path

from benchmarks.harness import Digits, Figure, Race, Result, Seconds

PACKAGES = ("suffice", "numpy", "scipy", "scikit-learn", "threadpoolctl")
INTRODUCTION = """# Benchmarks

Written by `python -m benchmarks` (`make bench`); do not edit by hand. Ours and the peer run in one process on
the same arrays, in turn, after a warm-up; times are medians with the range of {runs} runs. Ours runs with one
thread and with all cores, the peer with one thread and at its default; a speed-up is over **the peer's faster
thread setting**, and the bars are about it. Searches also run over processes (`n_jobs=-1`); where those are
faster, the speed-up over them stands in brackets. A setting that is clearly not the peer's best is timed once.
*Answers* is the largest difference between our answer and the peer's, in units of the largest entry.

{machine}
"""


# -- one result -------------------------------------------------------------------------------------------
def line(result: Result, judged: bool = True) -> str:
    """One result for the screen, with its verdict if it is to be judged."""
    tail = f" [{_verdict(result).strip('*')}]" if judged and result.holds is not None else ""
    if isinstance(result, Race):
        speed = ", ".join(f"{v:.2f}× {k}" for k, v in result.speedup.items())
        return f"{result.what}: {speed} over {result.peer}; answers {result.difference:.1e}{tail}"
    if isinstance(result, Figure):
        return f"{result.what}: {_number(result)}{tail}" + (f" ({result.beside})" if result.beside else "")
    return f"{result.problem}: " + ", ".join(f"{k} {v:.1f}" for k, v in result.digits.items()) + tail


def _verdict(result: Result) -> str:
    return {None: "–", True: "holds", False: "**misses**"}[result.holds]


def _number(figure: Figure) -> str:
    value = figure.value
    text = f"{value:.1e}" if 0 < abs(value) < 1e-3 else _three(value)
    if not figure.unit and 0.1 < value < 10:
        text = f"{value:.4f}"
    return f"{text} {figure.unit}".strip()


# -- RESULTS.md -----------------------------------------------------------------------------------------------
def markdown(results: dict[str, list[Result]], machine: dict[str, str]) -> str:
    """The whole page."""
    every = [r for part in results.values() for r in part]
    races = [r for r in every if isinstance(r, Race)]
    figures = [r for r in every if isinstance(r, Figure)]
    certified = [r for r in every if isinstance(r, Digits)]
    runs = next((s.runs for r in races for s in r.ours.values()), 0)
    words = f"{machine['cores']} cores of {machine['cpu']}; {machine['versions']}."
    return "\n".join(
        [
            INTRODUCTION.format(runs=runs, machine=words),
            _verdicts(every),
            "## Speed\n",
            *_races(races),
            "\n## Where a peer wins\n",
            *_losses(races),
            "\n## Memory, start-up, agreement\n",
            *_rows("what | measured | bar | verdict | beside", map(_figure_cells, figures)),
            "\n## NIST's certified regressions: correct digits of the worst coefficient\n",
            *_digit_rows(certified),
            "",
        ]
    )


def _verdicts(every: list[Result]) -> str:
    judged = [r for r in every if r.holds is not None]
    missed = [r.problem if isinstance(r, Digits) else r.what for r in judged if not r.holds]
    words = "All hold." if not missed else f"Missed: {'; '.join(missed)}."
    return f"**{len(judged) - len(missed)} of {len(judged)} bars hold.** {words}\n"


def _races(races: list[Race]) -> Iterable[str]:
    sides = "ours, one thread | ours, all cores | peer, one thread | peer, default"
    head = f"what | {sides} | speed-up (one / all) | answers | bar | verdict"
    return _rows(head, map(_race_cells, races))


def _race_cells(r: Race) -> list[str]:
    more = [f"{name}: {_seconds(s)}" for name, s in r.peers.items() if name not in ("one thread", "default")]
    bar = " / ".join(f"{b:g}×" for b in dict.fromkeys(r.bars.values())) or "–"
    speed = _both(r.speedup)
    if r.speedup_over_all != r.speedup:
        speed += f" ({_both(r.speedup_over_all)})"
    default = "; ".join([_seconds(r.peers["default"]), *more])
    return [
        f"{r.what} against {r.peer}", *map(_seconds, r.ours.values()), _seconds(r.peers["one thread"]), default,
        speed, f"{r.difference:.0e}", bar, _verdict(r),
    ]  # fmt: skip


def _both(speedup: dict[str, float]) -> str:
    return " / ".join(f"{v:.2f}×" for v in speedup.values())


def _losses(races: list[Race]) -> Iterable[str]:
    lost = [r for r in races if min(r.speedup_over_all.values()) < 1]
    for r in lost:
        where = ", ".join(f"{v:.2f}× with {k}" for k, v in r.speedup_over_all.items() if v < 1)
        yield f"- **{r.what}** ({r.peer}): {where}. {r.why}".rstrip()
    if not lost:
        yield "In none of these races."


def _figure_cells(f: Figure) -> list[str]:
    bar = "–" if f.bar is None else f"≤ {f.bar:g} {f.unit}".strip()
    return [f.what, _number(f), bar, _verdict(f), f.beside or "–"]


def _digit_rows(certified: list[Digits]) -> Iterable[str]:
    names = list(certified[0].digits) if certified else []
    cells = (
        [
            d.problem,
            *(f"{d.digits[k]:.1f}" for k in names),
            "–" if d.bar is None else f"≥ {d.bar:g}",
            _verdict(d),
        ]
        for d in certified
    )
    return _rows(" | ".join(["problem", *names, "bar", "verdict"]), cells)


def _rows(head: str, cells: Iterable[list[str]]) -> Iterable[str]:
    yield f"| {head} |"
    yield f"|{'---|' * (head.count('|') + 1)}"
    for row in cells:
        yield f"| {' | '.join(row)} |"


def _seconds(s: Seconds) -> str:
    unit, factor = ("s", 1.0) if s.median >= 1 else ("ms", 1e3)
    median, low, high = (_three(factor * v) for v in (s.median, s.low, s.high))
    return f"{median} {unit} ({low}–{high})"


def _three(value: float) -> str:
    """Three digits, and no power of ten for a large number."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


# -- the machine and the files -------------------------------------------------------------------------------
def describe_machine() -> dict[str, str]:
    """Cores, processor and versions in words; nothing that names the machine."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return {"cores": str(cores), "cpu": _cpu(), "versions": f"Python {platform.python_version()}, {packages}"}


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((x.split(":")[1].strip() for x in lines if x.startswith("model name")), platform.machine())


def write(results: dict[str, list[Result]], machine: dict[str, str], folder: Path) -> None:
    """RESULTS.md and results.json in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "RESULTS.md").write_text(markdown(results, machine), encoding="utf-8")
    numbers = {name: [_plain(r) for r in part] for name, part in results.items()}
    text = json.dumps({"machine": machine, "rows": numbers}, indent=1, ensure_ascii=False)
    (folder / "results.json").write_text(text + "\n", encoding="utf-8")


def read(folder: Path) -> dict[str, list[Result]]:
    """The rows of the last run that was written down."""
    rows = json.loads((folder / "results.json").read_text(encoding="utf-8"))["rows"]
    return {name: [_result(plain) for plain in part] for name, part in rows.items()}


def _result(plain: dict) -> Result:
    kinds = {"race": Race, "figure": Figure, "digits": Digits}
    cls = kinds[plain["kind"]]
    given = {f.name: plain[f.name] for f in fields(cls)}
    for side in ("ours", "peers") if cls is Race else ():
        given[side] = {name: Seconds(**s) for name, s in given[side].items()}
    return cls(**given)


def _plain(result: Result) -> dict:
    derived = {"speedup": result.speedup} if isinstance(result, Race) else {}
    return {"kind": type(result).__name__.lower(), **asdict(result), **derived, "holds": result.holds}
