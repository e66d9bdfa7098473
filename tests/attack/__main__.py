"""Hostile cases against honest loops. One line repeats a case: `python tests/attack --case path-1234`."""

from __future__ import annotations

import argparse
import os
import sys
import time
import types
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.modules["tests"] = types.ModuleType("tests")  # others install packages of this name
sys.modules["tests"].__path__ = [str(Path(__file__).resolve().parents[1])]

from tests.attack.kinds import KINDS  # noqa: E402
from tests.attack.run import Summary, attack, cases, many  # noqa: E402
from tests.attack.trial import FINDINGS, OUTCOMES  # noqa: E402


def main() -> int:
    options = parsed()
    if options.case:
        for name in options.case:
            kind, _, seed = name.removeprefix("tame-").rpartition("-")
            result = attack(kind, int(seed), tame=name.startswith("tame-"))
            print(f"{name} {result.model}: {result.outcome}\n    {result.words}", *result.noise, sep="\n    ")
        return 0
    summary, begun, keep = Summary(), time.monotonic(), (*FINDINGS, *options.show)
    for result in many(cases(options.cases, options.first, options.kind), options.jobs, options.seconds):
        summary.add(result)
        if result.outcome in keep:
            print(
                f"{result.outcome}: python tests/attack --case {result.name}  # {result.model}\n    {result.words}",
                flush=True,
            )
        if options.noise and result.noise:
            print(f"noise: {result.name} {result.model} {result.noise[0]}", flush=True)
    print(
        f"\n{summary}\n\n{summary.findings} findings in {summary.cases} cases, {time.monotonic() - begun:.0f} s"
    )
    return min(summary.findings, 1)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python tests/attack", description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000, help="how many")
    parser.add_argument("--seconds", type=float, help="begin no case after so many seconds")
    parser.add_argument("--first", type=int, default=0, help="the first seed of every kind")
    parser.add_argument(
        "--kind", action="append", choices=list(KINDS), help="only cases of this kind; may be repeated"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--case", action="append", help="repeat one case, such as path-1234; may be repeated")
    parser.add_argument(
        "--show", action="append", default=[], choices=OUTCOMES, help="print cases of this outcome too"
    )
    parser.add_argument("--noise", action="store_true", help="print warnings of numpy that came through")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
