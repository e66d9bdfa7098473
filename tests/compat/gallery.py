"""Scripts run twice, with scikit-learn's imports and with ours as `suffice.compat` swaps them, and what they print."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from dataclasses import dataclass
from pathlib import Path

from suffice.compat import check, swapped

FOLDER = Path(__file__).parent / "scripts"
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?")


@dataclass(frozen=True)
class Printed:
    """What a script printed, and the kinds of warnings it caused."""

    text: str
    warned: frozenset[str]


def run(code: str, name: str) -> Printed:
    """Execute a script in a namespace of its own."""
    out = io.StringIO()
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(out):
        warnings.simplefilter("always")
        exec(compile(code, name, "exec"), {"__name__": "__main__"})
    return Printed(out.getvalue(), frozenset(w.category.__name__ for w in caught))


def both(script: Path) -> tuple[Printed, Printed, dict[str, str]]:
    """With their imports, with ours, and what was swapped."""
    report = check(script)
    theirs = run(script.read_text(encoding="utf-8"), str(script))
    return theirs, run(swapped(report), f"{script} (swapped)"), report.swaps


def differences(theirs: str, ours: str, rtol: float, atol: float) -> list[str]:
    """Lines whose words differ, or whose numbers differ by more; whole numbers must be equal."""
    wrong = []
    first, second = theirs.splitlines(), ours.splitlines()
    if len(first) != len(second):
        return [f"{len(first)} lines there, {len(second)} here"]
    for a, b in zip(first, second, strict=True):
        pairs = zip(NUMBER.findall(a), NUMBER.findall(b), strict=False)
        if _words(a) != _words(b) or not all(_near(x, y, rtol, atol) for x, y in pairs):
            wrong.append(f"{a}\n{b}")
    return wrong


def _words(line: str) -> str:
    """Everything but numbers and the spaces that line them up."""
    return "".join(NUMBER.sub("#", line).split())


def _near(x: str, y: str, rtol: float, atol: float) -> bool:
    if x == y:
        return True
    if x.lstrip("+-").isdigit() and y.lstrip("+-").isdigit() and len(x) < 5:
        return False
    return abs(float(x) - float(y)) <= max(rtol * abs(float(x)), atol)
