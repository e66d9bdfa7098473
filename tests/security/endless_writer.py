"""A program that writes two studies over each other again and again, and is stopped at random moments.

    python endless_writer.py FOLDER MOMENTS SEED SIGNAL,SIGNAL

It prints one JSON object: how often which study was found complete, and what else was found.
"""

import hashlib
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from suffice.study import Study
from suffice.study.page import files

SETTINGS = {"models": ["linear"], "folds": 5, "inner": 3, "references": False}
UNFINISHED = ".part"


def content(folder: Path) -> dict[str, str]:
    """What every file in a folder holds, without what a killed writer left unfinished."""
    found = sorted(f for f in folder.rglob("*") if f.is_file())
    kept = [f for f in found if not any(p.endswith(UNFINISHED) for p in f.relative_to(folder).parts)]
    return {str(f.relative_to(folder)): hashlib.sha256(f.read_bytes()).hexdigest() for f in kept}


def drawn_once(replace=setattr) -> None:
    """Let nearly all the time be spent on writing: drawing is done once per study."""
    for room, name in (
        (files, "figures"),
        (files.html, "render"),
        (files.markdown, "render"),
        (files, "numbers"),
    ):
        replace(room, name, _once(getattr(room, name)))


def _once(function):
    known = {}

    def called(result, *more):
        if id(result) not in known:
            known[id(result)] = function(result, *more)
        return known[id(result)]

    return called


def write_until_stopped(results, out: Path) -> None:
    while True:
        for result in results:
            result.report(out)


def main(folder: str, moments: int, seed: int, kinds: list[int]) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what shells start in the background ignores it
    rng = random.Random(seed)
    drawn_once()
    results = [Study(name, **SETTINGS).run() for name in ("@olympic_100m_men", "@olympic_100m_women")]
    known = {}
    for i, result in enumerate(results):
        result.report(Path(folder, f"alone-{i}"))
        known[i] = content(Path(folder, f"alone-{i}"))
    start = time.perf_counter()
    results[0].report(out := Path(folder, "study"))
    each = time.perf_counter() - start
    counts, odd = {0: 0, 1: 0}, []
    for i in range(moments):
        hear, tell = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.write(
                    tell, b"begun"
                )  # what comes before is not ours: Python loses a Ctrl-C in the middle of a fork
                write_until_stopped(results, out)
            except KeyboardInterrupt:
                os._exit(0)
        os.read(hear, 5)
        os.close(hear)
        os.close(tell)
        time.sleep(rng.uniform(0.2, 4.2) * each)
        os.kill(child, kinds[i % len(kinds)])
        os.waitpid(child, 0)
        found = content(out)
        which = next((k for k, whole in known.items() if found == whole), None)
        if which is None:
            odd.append(
                {name: [w.get(name) == digest for w in known.values()] for name, digest in found.items()}
            )
        else:
            counts[which] += 1
    left = [name for name in os.listdir(folder) if name.endswith(UNFINISHED)]
    print(json.dumps({"counts": list(counts.values()), "odd": odd, "left": len(left)}))


if __name__ == "__main__":
    main(
        sys.argv[1],
        int(sys.argv[2]),
        int(sys.argv[3]),
        [getattr(signal, name) for name in sys.argv[4].split(",")],
    )
