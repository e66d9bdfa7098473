"""Forged and mutated files by number: `python tests/security --forged 2000 --mutated 10000`."""

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

from tests.security.campaign import run  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="python tests/security", description=__doc__)
    parser.add_argument("--forged", type=int, default=2000)
    parser.add_argument("--mutated", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    options = parser.parse_args()
    begun = time.monotonic()
    tally = run(options.forged, options.mutated, options.first, tell=lambda line: print(line, flush=True))
    print(f"{dict(tally)} in {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
