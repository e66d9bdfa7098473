"""Studies whose reports are tested, each run once per process: one for every kind of page."""

from functools import cache

import numpy as np
import pytest

from suffice.study import Study, StudyResult
from suffice.study.page import html
from suffice.study.page.drawing import Figure
from suffice.study.page.figures import figures

HOSTILE = (
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}",
    "a$b$",
    "new\nline | pipe",
    "--><svg onload=alert(2)>",
    "日本語",
    "https://example.com/x.js",
)
TARGET = "y\"'><img src=x onerror=alert(3)>"
FAST = ("binary", "exploration", "hostile", "time")
SLOW = ("regression", "multi", "many", "counts")
KINDS = [*FAST, *(pytest.param(kind, marks=pytest.mark.slow) for kind in SLOW)]


def _columns(n: int) -> tuple[dict[str, np.ndarray], np.ndarray, np.random.Generator]:
    rng = np.random.default_rng(7)
    x = rng.normal(size=(n, 3))
    city = rng.choice(np.array(["Oslo", "Rome", "Lima"], dtype=object), n)
    age = rng.integers(18, 80, n).astype(float)
    age[rng.random(n) < 0.1] = np.nan
    signal = x @ [1.0, -2.0, 0.0] + 1.5 * (city == "Rome")
    table = {"city": city, "age": age, "x0": x[:, 0], "x1": x[:, 1], "x2": x[:, 2]}
    return table, signal, rng


def _target(kind: str, signal: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    n = len(signal)
    if kind == "regression":
        return signal + rng.normal(size=n)
    if kind == "counts":
        return rng.poisson(np.exp(0.3 * signal))
    if kind == "binary":
        return np.where(signal + rng.logistic(size=n) > 0, "yes", "no").astype(object)
    classes = 3 if kind == "multi" else 14
    ranks = np.argsort(np.argsort(signal + 0.5 * rng.normal(size=n)))
    return np.array([f"class {k:02d}" for k in range(classes)], dtype=object)[ranks * classes // n]


@cache
def study(kind: str) -> StudyResult:
    """One small study of this kind."""
    options = {"effort": "quick", "name": f"A study of {kind}"}
    if kind == "hostile":
        rng = np.random.default_rng(0)
        table = {name: rng.normal(size=90) for name in HOSTILE}
        table["<b>words</b>"] = np.array(["<i>", "</style>", "</script>"] * 30, dtype=object)
        table[TARGET] = table["a$b$"] + (table["<b>words</b>"] == "<i>") + 0.5 * rng.normal(size=90)
        return Study(table, TARGET, models=["linear"], effort="quick", name="<u>name</u>").run()
    table, signal, rng = _columns(240)
    if kind == "time":
        made = {**table, "day": np.arange(240), "y": signal + rng.normal(size=240)}
        return Study(made, "y", models=["linear"], time="day", **options).run()
    if kind == "exploration":
        return Study(table, **options).run()
    models = {"binary": ["logistic"], "multi": ["lda"], "many": ["lda"], "counts": ["poisson"]}
    return Study(
        {**table, "y": _target(kind, signal, rng)},
        "y",
        models=models.get(kind, ["linear", "ridge"]),
        **options,
    ).run()


@cache
def drawn(kind: str) -> dict[str, Figure]:
    """The figures of that study."""
    return figures(study(kind))


@cache
def page(kind: str) -> str:
    """The page of that study."""
    return html.render(study(kind), drawn(kind))
