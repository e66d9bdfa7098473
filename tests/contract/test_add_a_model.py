"""The page "Add a model" of CONTRIBUTING.md, followed to the letter in a copy of the tree, and undone again."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STEP = re.compile(r"(New file|In) `([^`]+)`:\n```(?:python|diff)\n(.*?)```", re.DOTALL)
LEFT_OUT = shutil.ignore_patterns("__pycache__", "_book")
PAGE = (
    (ROOT / "CONTRIBUTING.md")
    .read_text(encoding="utf-8")
    .partition("## Add a model")[2]
    .partition("\n## ")[0]
)
STEPS = [(path, text) for _, path, text in STEP.findall(PAGE)]
MODEL = re.search(r"^class (\w+)\(", STEPS[0][1], re.MULTILINE)[1]

SAVED = f"""
import numpy as np, suffice
from suffice.baselines import {MODEL}
model = {MODEL}(0.5).fit(np.zeros((3, 1)), [2.0, 4.0, 9.0])
suffice.save(model, "model.suffice")
print(suffice.load("model.suffice").predict_dist([[0.0]]).interval(0.5))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """What the page touches and what its commands need."""
    folder = tmp_path_factory.mktemp("tree")
    for part in ("src", "tests/contract", "tests/baselines"):
        shutil.copytree(ROOT / part, folder / part, ignore=LEFT_OUT)
    for file in ("pyproject.toml", "conftest.py", "tests/conftest.py", "tests/test_public_names.py"):
        shutil.copy(ROOT / file, folder / file)
    return folder


def everything(folder: Path) -> dict[str, bytes]:
    files = (f for part in ("src", "tests") for f in (folder / part).rglob("*") if f.is_file())
    return {
        str(f.relative_to(folder)): f.read_bytes() for f in files if f.suffix != ".pyc" and f.suffix != ".nbi"
    }


def edited(text: str, diff: str) -> str:
    """Lines with a minus replaced by those with a plus that follow, or these put behind the line before them."""
    at = 0
    for line in diff.splitlines():
        mark, line = line[:1], f"{line[1:]}\n"
        if mark == "+":
            text = text[:at] + line + text[at:]
            at += len(line)
            continue
        assert text.count(line, at) >= 1, line
        at = text.index(line, at)
        if mark == "-":
            text = text[:at] + text[at + len(line) :]
        else:
            at += len(line)
    return text


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment = {k: v for k, v in environment.items() if not k.startswith("PYTEST_XDIST")}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_page_adds_a_model_that_keeps_the_contract(copy):
    before = everything(copy)
    for path, text in STEPS:
        file = copy / path
        if file.exists():
            file.write_text(edited(file.read_text(encoding="utf-8"), text), encoding="utf-8")
        else:
            file.write_text(text, encoding="utf-8")
    touched = {path for path, text in everything(copy).items() if before.get(path) != text}
    assert touched == {path for path, _ in STEPS}

    contract = [f"tests/contract/test_{name}.py" for name in ("contract", "registry")]
    tests = *contract, "tests/baselines/test_midrange.py", "tests/test_public_names.py", STEPS[0][0]
    only = f"{MODEL} or test_midrange or midrange.py or test_registry or (public_names and baselines)"
    asked = run(copy, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:randomly", "-k", only, *tests)
    assert asked.returncode == 0, asked.stdout[-3000:] + asked.stderr[-1000:]
    assert int(re.search(r"(\d+) passed", asked.stdout)[1]) > 20
    loaded = run(copy, "-c", SAVED)
    assert "(array([2.]), array([9.]))" in loaded.stdout, loaded.stderr
    (copy / "model.suffice").unlink()

    for path in touched:
        (copy / path).unlink() if path not in before else (copy / path).write_bytes(before[path])
    assert everything(copy) == before
    assert "ImportError" in run(copy, "-c", SAVED).stderr
