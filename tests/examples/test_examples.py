"""Every script of the gallery runs and saves a picture with something in it."""

from __future__ import annotations

import runpy
import sys
from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("matplotlib").use("Agg")
# Surfaces of triangles are padded with memory as it comes, masked only after it was projected.
pytestmark = pytest.mark.filterwarnings("ignore:.* encountered in dot:RuntimeWarning:mpl_toolkits")

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(p for p in EXAMPLES.glob("*.py") if not p.name.startswith(("_", "engine_")))
LONG = (  # simulations of five seconds and more
    "inference_calibration",
    "dtu_fig_7_12_boundaries",
    "dtu_fig_10_10_optimism", "dtu_fig_7_04_methods", "dtu_fig_7_10_gallery", "dtu_fig_7_14_ceiling",
    "dtu_fig_7_15_learning_curve", "fcml_fig_1_11_search", "dtu_fig_10_15_learning_curves",
    "dtu_fig_14_05_bias_variance", "dtu_fig_10_11_junk", "prml_fig_3_03_contours",
    "fcml_fig_6_12_how_many", "fcml_fig_4_13_awkward", "prml_fig_3_05_bias_variance",
    "dtu_fig_10_01_orders", "fcml_fig_5_06_documents",  # of two
)  # fmt: skip


def draw(script, folder, monkeypatch):
    """Run a script as a person would, and read the picture it saved."""
    from matplotlib import image, rc_context

    monkeypatch.setattr(sys, "argv", [str(script), "--out", str(folder)])
    with rc_context():
        runpy.run_path(str(script), run_name="__main__")
    (picture,) = folder.iterdir()
    assert picture.suffix == ".png"
    return image.imread(picture)[..., :3], picture.stat().st_size


def assert_picture(pixels, size, dots: float) -> None:
    """Large enough, and neither blank nor solid; `dots` are those of an inch, in units of a saved picture's."""
    height, width, _ = pixels.shape
    assert width > 800 * dots
    assert height > 400 * dots
    assert size > 20_000 * dots
    assert 0.01 < (pixels < 0.98).any(axis=2).mean() < 0.9


@pytest.fixture
def style(monkeypatch):
    """What all scripts share, imported as they import it."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return import_module("_figure").STYLE


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [pytest.param(s, marks=pytest.mark.long if s.stem in LONG else ()) for s in SCRIPTS],
    ids=lambda p: p.stem,
)
def test_script_draws(script, tmp_path, monkeypatch, style):
    """A sketch: half the dots, and axes where they are before their labels make room for each other."""
    from matplotlib.figure import Figure

    monkeypatch.setitem(style, "savefig.dpi", style["savefig.dpi"] / 2)
    monkeypatch.setattr(Figure, "set_layout_engine", lambda figure, *given, **options: None)
    assert_picture(*draw(script, tmp_path, monkeypatch), dots=0.5)


@pytest.mark.long  # half the time of a picture is that of its layout and its dots
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.stem)
def test_script_saves_its_picture(script, tmp_path, monkeypatch, style):
    assert_picture(*draw(script, tmp_path, monkeypatch), dots=1.0)


def test_scripts_are_short_and_say_what_they_draw():
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        assert text.startswith('"""'), script.name
        assert len(text.splitlines()) <= 60, script.name
        assert "\nclass " not in text, script.name
