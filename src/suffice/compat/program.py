"""The program `python -m suffice.compat`, which needs none of the optional packages.

Exit codes: 0 all files were read, 2 a file could not be, or the command makes no sense.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Sequence
from typing import Any

from suffice._core.errors import InvalidInput
from suffice._core.showing import visible
from suffice._core.terminals import any_terminal
from suffice.compat.judging import Report, check
from suffice.compat.report import all_reports, as_json, words
from suffice.compat.rewriting import difference, swapped
from suffice.compat.sources import INPUT, Unreadable, find_files

DONE, UNUSABLE = 0, 2
WIDEST = 110
ABOUT = (
    "Say which imports from scikit-learn could be swapped for Suffice's, what would change, and what is not covered. "
    "Scripts are read, never run."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line and run; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m suffice.compat", description=ABOUT)
    parser.add_argument(
        "paths", nargs="+", help="Scripts, notebooks, or folders of them; - is standard input."
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="Print the report as JSON.")
    how.add_argument("--diff", action="store_true", help="Print the swap as a patch.")
    how.add_argument("--write", action="store_true", help="Print the swapped script; no file is changed.")
    given = parser.parse_args(arguments)
    try:
        with any_terminal():
            return run(given.paths, as_data=given.json, diff=given.diff, write=given.write)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def run(paths: Sequence[str], *, as_data: bool = False, diff: bool = False, write: bool = False) -> int:
    """Print what is asked for about every file; the exit code."""
    reports, unread = [], []
    try:
        files = list(find_files(paths))
    except InvalidInput as error:
        _say(str(error))
        return UNUSABLE
    if write and len(files) > 1:
        _say(f"--write prints one script; there are {len(files)} here. --diff takes any number.")
        return UNUSABLE
    for file in files:
        try:
            reports.append(check(file))
        except Unreadable as error:
            name = INPUT if str(file) == "-" else str(file)
            unread.append({"file": name, "says": str(error), "line": error.line})
    _print(reports, unread, as_data=as_data, diff=diff, write=write)
    for one in unread:
        _say(f"{one['file']} {one['says']}.")
    return UNUSABLE if unread else DONE


def _print(
    reports: Sequence[Report], unread: Sequence[dict[str, Any]], *, as_data: bool, diff: bool, write: bool
) -> None:
    if as_data:
        print(json.dumps({"files": [as_json(r) for r in reports], "not_read": list(unread)}, indent=2))
    elif diff or write:
        for report in reports:
            print(difference(report) if diff else swapped(report), end="")
    elif reports:
        width = min(shutil.get_terminal_size((100, 24)).columns, WIDEST)
        print(words(reports[0], width) if len(reports) == 1 else all_reports(reports, width))


def _say(text: str) -> None:
    print(visible(text), file=sys.stderr)
