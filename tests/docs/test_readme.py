"""Every block of the README runs alone, in a fresh interpreter and an empty folder."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
PYTHON = [code for language, code in BLOCKS if language == "python"]


@pytest.mark.slow
@pytest.mark.parametrize("code", PYTHON, ids=range(len(PYTHON)))
def test_block_runs_alone(code, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_blocks_are_python_but_for_the_installation():
    assert [language for language, _ in BLOCKS] == ["sh"] + ["python"] * len(PYTHON)
    assert len(PYTHON) >= 4


def test_texts_are_explained_where_their_short_names_are_used():
    for short in ("FCML", "Herbst", "DTU", "Lecture 3", "PRML"):
        assert f"*{short}*" in TEXT
