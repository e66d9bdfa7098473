"""`python -m benchmarks`: run the rows, print them, and write them down after a complete run, or with `--update`."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.report import describe_machine, line, read, write
from benchmarks.rows import ROWS


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", metavar="NAME", action="append", choices=sorted(ROWS), help="one row")
    parser.add_argument(
        "--update", action="store_true", help="put the rows of --only among those written down"
    )
    parser.add_argument("--quick", action="store_true", help="small data: does it run, not how fast")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="folder of the results")
    options = parser.parse_args(arguments)
    results = {}
    for name in options.only or ROWS:
        results[name] = ROWS[name](options.quick)
        for result in results[name]:
            print(line(result, judged=not options.quick), flush=True)
    if options.quick or (options.only and not options.update):
        return
    if options.only:
        results = read(options.out) | results
    write(results, describe_machine(), options.out)


if __name__ == "__main__":
    main()
