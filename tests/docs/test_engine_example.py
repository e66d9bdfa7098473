"""The gallery's script without a picture: it runs, and every way of fitting prints the same weights."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "examples" / "engine_laptop_to_cluster.py"


@pytest.mark.long
@pytest.mark.slow
def test_every_way_prints_the_same_weights(capsys):
    runpy.run_path(str(SCRIPT), run_name="__main__")
    text = capsys.readouterr().out
    lines = [line for line in text.splitlines() if line.endswith(" ms")]
    plain = [line for line in lines if not line.startswith("ridge")]
    assert len(plain) == 5
    assert len(lines) == 6
    assert len({tuple(re.findall(r"-?\d\.\d{5}", line)) for line in plain}) == 1
    assert "keeps 3 of 4 columns (a, b, d)" in text
    assert float(text.split()[-1]) < 1e-12
