"""An identity as people write it: 'a' − 'b', 2 × 'a' + 'b' + 3, 'a' / 'b'²."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from suffice.prepare.looking._checks.wording import quoted

RAISED = {2: "²", 3: "³"}


def sum_formula(names: Sequence[str], A: np.ndarray, y: np.ndarray, raw: np.ndarray, scale: float) -> str:
    """The line through all rows; `raw` takes its weights to the units of the columns, `scale` its constant."""
    weights = np.linalg.lstsq(np.column_stack([np.ones(len(y)), A]), y, rcond=None)[0]
    terms = [(w * r, quoted(name)) for w, r, name in zip(weights[1:], raw, names, strict=True)]
    terms.sort(key=lambda t: (t[0] < 0, t[1]))
    text = "".join(_term(w, name) for w, name in terms)
    constant = weights[0] * scale
    if abs(weights[0]) > 1e-3 * float(np.std(y)):
        text += f" {'−' if constant < 0 else '+'} {abs(constant):.3g}"
    return (
        text.removeprefix(" + ").replace(" − ", "−", 1)
        if text.startswith(" − ")
        else text.removeprefix(" + ")
    )


def _term(weight: float, name: str) -> str:
    sign, size = ("−" if weight < 0 else "+"), abs(weight)
    return f" {sign} {name}" if abs(size - 1) < 2e-3 else f" {sign} {size:.3g} × {name}"


def power_formula(names: Sequence[str], logs: np.ndarray, y: np.ndarray) -> str:
    """A product of powers, from the line of logarithms; a constant factor is not written."""
    weights = np.linalg.lstsq(np.column_stack([np.ones(len(y)), logs]), y, rcond=None)[0][1:]
    above = [_power(w, n) for w, n in zip(weights, names, strict=True) if w > 0]
    below = [_power(-w, n) for w, n in zip(weights, names, strict=True) if w < 0]
    top = " × ".join(above) or "1"
    bottom = f"({' × '.join(below)})" if len(below) > 1 else "".join(below)
    return f"{top} / {bottom}" if below else top


def _power(exponent: float, name: str) -> str:
    near = round(exponent)
    if near and abs(exponent - near) < 0.02:
        return f"{quoted(name)}{RAISED.get(near, '' if near == 1 else f'^{near}')}"
    return f"{quoted(name)}^{exponent:.3g}"
