"""The text's advice on figures (DTU §7.2) as a check of every public plot, on the data of its own example.

Axes say what they show, letters can be read, tick labels do not run into each other, colors are of the palette that
color-blind readers can tell apart, and bars start at zero.
"""

import doctest
import itertools

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.cm import ScalarMappable
from matplotlib.collections import Collection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.container import BarContainer
from matplotlib.text import Text

from suffice import plots
from suffice.plots import _style
from suffice.plots.fits import HUES
from suffice.plots.methods import GREY

SMALLEST = 7.0  # points, of a figure that is not shrunk
PALETTE = {*HUES, _style.INK, _style.MUTED, _style.RULE, _style.PALE, GREY, "#ffffff"}
PARSER = doctest.DocTestParser()


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def figures(name):
    """What the example of a plot draws, laid out."""
    scope = {}
    for example in PARSER.get_examples(getattr(plots, name).__doc__):
        if example.exc_msg is None:
            exec(compile(example.source, name, "single"), scope)  # the library's own docstring
    drawn = [plt.figure(number) for number in plt.get_fignums()]
    for figure in drawn:
        figure.draw_without_rendering()
    return drawn


def is_number(word):
    try:
        float(word.replace("−", "-").replace("%", ""))
    except ValueError:
        return False
    return True


def panels(figure):
    return [ax for ax in figure.axes if ax.get_visible() and ax.axison]


def ticks(axis):
    """Labels that are seen: drawn, not empty, and inside the view."""
    low, high = sorted(axis.get_view_interval())
    room = 1e-9 * (high - low)
    drawn = zip(
        axis.get_majorticklocs(), axis.get_ticklabels(), strict=False
    )  # none where a neighbor has them
    return [t for at, t in drawn if t.get_visible() and t.get_text() and low - room <= at <= high + room]


def unnamed(figure):
    """Axes with numbers on them and no word for what they are."""
    lone = [
        (ax, axis.axis_name)
        for ax in panels(figure)
        for axis in (ax.xaxis, ax.yaxis)
        if any(is_number(t.get_text()) for t in ticks(axis)) and not axis.get_label_text().strip()
    ]
    return [f"{which} of panel {figure.axes.index(ax)}" for ax, which in lone]


def tiny(figure):
    texts = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
    return [f"{t.get_text()!r} {t.get_fontsize():.1f}" for t in texts if t.get_fontsize() < SMALLEST]


def colliding(figure):
    """Neighbors among level or upright tick labels whose boxes overlap."""
    hits = []
    for ax in panels(figure):
        for axis in (ax.xaxis, ax.yaxis) if ax.name != "3d" else ():
            level = [t for t in ticks(axis) if t.get_rotation() % 90 == 0]
            boxes = [(t.get_text(), t.get_window_extent()) for t in level]
            hits += [
                f"{a!r} {b!r}"
                for (a, p), (b, q) in itertools.pairwise(boxes)
                if p.padded(-1).overlaps(q.padded(-1))
            ]
    return hits


def foreign(figure):
    """Colors of lines, bars and dots that are not of the palette; shades of a color map are left out."""
    found = set()
    for ax in panels(figure):
        found |= {_color(one) for one in ax.lines}
        found |= {
            to_hex(one.get_facecolor()) for one in ax.patches if one.get_fill() and one.get_alpha() is None
        }
        for many in ax.findobj(Collection):
            if isinstance(many, ScalarMappable) and many.get_array() is not None:
                continue
            if many.get_alpha() is None and len(many.get_facecolor()) == 1:
                found.add(to_hex(many.get_facecolor()[0]))
    return sorted(c for c in found if not any(is_tint(c, of) for of in PALETTE))


def is_tint(color, of):
    """Whether a color is another one, or a mixture of it with white."""
    ink, whole = 1 - np.array(to_rgb(color)), 1 - np.array(to_rgb(of))
    share = ink @ whole / (whole @ whole) if whole.any() else 0.0
    return share <= 1 + 1e-9 and np.abs(ink - share * whole).max() < 3 / 255


def _color(line):
    """Of the stroke, or of the marks where there is none; hollow marks have that of their rim."""
    return to_hex(line.get_markeredgecolor() if line.get_linestyle() == "None" else line.get_color())


def floating(figure, strips=False):
    """Bars whose foot is not zero, or is not seen; in strips above each other, those with several feet."""
    wrong = []
    for ax in panels(figure):
        for bars in (c for c in ax.containers if isinstance(c, BarContainer)):
            upright = bars.orientation == "vertical"
            low, high = ax.get_ylim() if upright else ax.get_xlim()
            feet = sorted({float(bar.get_y() if upright else bar.get_x()) for bar in bars})
            if feet != [feet[0] if strips else 0.0] or not low <= feet[0] <= high:
                wrong.append(f"feet {feet[:3]}, view {low:g} to {high:g}")
    return wrong


CHECKS = (unnamed, tiny, colliding, foreign)
STRIPS = {"calibration", "chain_ranks"}  # histograms in a narrow strip, which has a foot of its own


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(plots.__all__))
def test_a_figure_follows_the_advice(name):
    drawn = figures(name)
    assert drawn, "the example draws nothing"
    broken = {check.__name__: found for check in CHECKS for figure in drawn if (found := check(figure))}
    assert not broken
    assert not [found for figure in drawn for found in floating(figure, name in STRIPS)]


@pytest.mark.slow
@pytest.mark.parametrize("columns", [1, pytest.param(12, marks=pytest.mark.long), 38])
@pytest.mark.parametrize(
    "name", ["box_plot", "jitter", "parallel_coordinates", "correlation_map", "missingness_map"]
)
def test_many_columns_with_long_names_are_readable(name, columns):
    cells = np.random.default_rng(0).normal(size=(30, columns))
    table = {f"measurement of kind number {j} (mm)": cells[:, j] for j in range(columns)}
    getattr(plots, name)(table)
    figure = plt.gcf()
    figure.draw_without_rendering()
    assert not {check.__name__: found for check in CHECKS if (found := check(figure))}


def test_the_checks_can_fail():
    figure, (ax, other) = plt.subplots(1, 2, figsize=(3, 2))
    ax.bar([1, 2], [3, 4], bottom=2.5, color="red")
    ax.set_ylim(2, 8)
    other.plot([0, 1], [0, 1], color="lime")
    other.set_xticks([0, 0.1, 0.2], ["zero point", "one tenth", "two tenths"], fontsize=5)
    figure.draw_without_rendering()
    assert unnamed(figure) == ["x of panel 0", "y of panel 0", "y of panel 1"]
    assert tiny(figure)[0] == "'zero point' 5.0"
    assert colliding(figure)[0] == "'zero point' 'one tenth'"
    assert foreign(figure) == ["#00ff00", "#ff0000"]
    assert floating(figure) == ["feet [2.5], view 2 to 8"]
