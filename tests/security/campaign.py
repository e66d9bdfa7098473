"""Many forged and mutated files, each known by its number."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from .forging import forge, mutate, opened, packed
from .questions import FINDINGS, Outcome, outcome_of
from .specimens import Specimen, specimens


def run(
    forged: int,
    mutated: int,
    first: int = 0,
    *,
    every: bool = True,
    tell: Callable[[str], None] = lambda line: None,
) -> Counter[str]:
    """How often each outcome came; findings are told, with the specimen and the seed that repeat them."""
    herd = specimens(every)
    trees = [opened(s.value) for s in herd]
    goods = [packed(*t) for t in trees]
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "forged.suffice"
        for seed in range(first, first + max(forged, mutated)):
            rng, i = np.random.default_rng([seed, 1]), seed % len(herd)
            if seed < first + forged:
                what, raw = forge(*trees[i], [t for t, _ in trees[:: 1 + len(trees) // 40]], rng)
                _tell(herd[i], seed, f"forged {what}", _tried(path, raw, herd[i]), tally, tell)
            if seed < first + mutated:
                raw = mutate(goods[i], goods[rng.integers(len(goods))], rng)
                _tell(herd[i], seed, "mutated", _tried(path, raw, herd[i]), tally, tell)
    return tally


def _tried(path: Path, raw: bytes, specimen: Specimen) -> Outcome:
    path.write_bytes(raw)
    return outcome_of(path, specimen.rows, specimen.value)


def _tell(s: Specimen, seed: int, what: str, o: Outcome, tally: Counter, tell: Callable[[str], None]) -> None:
    tally[f"{what.split()[0]}: {o.kind}"] += 1
    if o.kind in FINDINGS:
        tell(f"{o.kind} [{seed}] {s.name} ({what}): {o.words}")
