"""Every script of the gallery runs and saves a picture with something in it."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib").use("Agg")

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(p for p in EXAMPLES.glob("*.py") if not p.name.startswith(("_", "engine_")))
LONG = (  # simulations of five seconds and more
    "inference_calibration",
    "dtu_fig_10_10_optimism", "dtu_fig_7_04_methods", "dtu_fig_7_10_gallery", "dtu_fig_7_14_ceiling",
    "dtu_fig_7_15_learning_curve", "fcml_fig_1_11_search", "dtu_fig_10_15_learning_curves",
    "dtu_fig_14_05_bias_variance", "dtu_fig_10_11_junk", "prml_fig_3_03_contours",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [pytest.param(s, marks=pytest.mark.long if s.stem in LONG else ()) for s in SCRIPTS],
    ids=lambda p: p.stem,
)
def test_script_draws(script, tmp_path, monkeypatch):
    from matplotlib import image, rc_context

    monkeypatch.setattr(sys, "argv", [str(script), "--out", str(tmp_path)])
    monkeypatch.syspath_prepend(str(EXAMPLES))
    with rc_context():
        runpy.run_path(str(script), run_name="__main__")
    (picture,) = tmp_path.iterdir()
    pixels = image.imread(picture)[..., :3]
    height, width, _ = pixels.shape
    assert picture.suffix == ".png"
    assert width > 800
    assert height > 400
    assert picture.stat().st_size > 20_000
    assert 0.01 < (pixels < 0.98).any(axis=2).mean() < 0.9  # neither blank nor solid


def test_scripts_are_short_and_say_what_they_draw():
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        assert text.startswith('"""'), script.name
        assert len(text.splitlines()) <= 60, script.name
        assert "\nclass " not in text, script.name
