"""Runs tests of a peer in a process of its own, where warnings are no errors and the plugin swaps the imports.

python tests/compat/peer_runs.py ridge logistic     what fails, and why
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
RAN = (0, 1)  # pytest's exit codes: all passed, some failed


def outcomes(modules: Sequence[str], share: int = 1) -> list[dict]:
    """A record per case: module, test, outcome, seconds, and why it failed; of one case of so many."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "outcomes.jsonl"
        file.touch()
        path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
        given = {"SUFFICE_SHARE": str(share), "SUFFICE_OUTCOMES": str(file), "PYTHONPATH": path}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "peer_swap",
            "-p",
            "no:cacheprovider",
            "-W",
            "ignore",
        ]
        command += ["-c", os.devnull, "--rootdir", folder, "--pyargs", *modules]
        done = subprocess.run(command, env=os.environ | given, cwd=folder, capture_output=True, text=True)
        if done.returncode not in RAN:
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-3000:]}")
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def main(names: Sequence[str]) -> None:
    from peer_groups import GROUPS

    for name in names or GROUPS:
        found = outcomes(GROUPS[name].modules)
        for record in found:
            if record["outcome"] == "failed":
                print(f"{record['test']}\n    {record['why']}")
        print(name, dict(Counter(record["outcome"] for record in found)))


if __name__ == "__main__":
    main(sys.argv[1:])
