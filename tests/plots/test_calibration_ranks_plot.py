"""The figure of ranks draws the counts, the curve and the limits of its record, and marks what leaves them."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from suffice import plots
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.inference import Calibration
from suffice.plots._style import BLUE, ORANGE

rng = np.random.default_rng(0)
FOUND = Calibration(
    np.column_stack([rng.integers(0, 100, 300), np.floor(100 * rng.beta(0.5, 0.5, 300))]),
    99,
    ("level", "hollow"),
)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def test_bars_are_counts_and_those_beyond_their_limits_are_marked():
    grid, bars = plots.calibration_ranks(FOUND), FOUND.histogram()
    for j, ax in enumerate(grid[0]):
        assert [patch.get_height() for patch in ax.patches] == bars.counts[:, j].tolist()
        np.testing.assert_allclose([patch.get_x() for patch in ax.patches], bars.edges[:-1] / 100, atol=1e-12)
        marked = [to_rgb(patch.get_facecolor()[:3]) == to_rgb(ORANGE) for patch in ax.patches]
        out = (bars.counts[:, j] < bars.low) | (bars.counts[:, j] > bars.high)
        assert marked == out.tolist()
    assert out[0]
    assert out[-1]


def test_curves_are_differences_and_what_leaves_its_limits_is_marked():
    grid, curve = plots.calibration_ranks(FOUND, level=0.9), FOUND.curve(0.9)
    for j, ax in enumerate(grid[1]):
        (line,) = [one for one in ax.lines if to_rgb(one.get_color()) == to_rgb(BLUE)]
        (mark,) = [one for one in ax.lines if to_rgb(one.get_color()) == to_rgb(ORANGE)]
        np.testing.assert_array_equal(line.get_ydata(), [0, *curve.difference[:, j], 0])
        out = (curve.difference[:, j] < curve.low) | (curve.difference[:, j] > curve.high)
        np.testing.assert_array_equal(np.isfinite(mark.get_ydata()), [False, *out, False])
    assert out.any()
    low, high = ax.get_ylim()
    assert low < np.min(curve.difference)
    assert high > np.max(curve.difference)


def test_titles_name_the_parameter_and_its_test():
    top = plots.calibration_ranks(FOUND, bins=10)[0]
    assert [ax.get_title(loc="left").split(":")[0] for ax in top] == ["level", "hollow"]
    assert top[1].get_title(loc="left").endswith("p < 0.001")
    assert len(top[0].patches) == 10


def test_axes_that_are_given_are_used():
    _, given = plt.subplots(2, 2)
    assert plots.calibration_ranks(FOUND, ax=given)[1, 1] is given[1, 1]


def test_what_cannot_be_drawn():
    with pytest.raises(InvalidInput, match=r"draws an inference.Calibration; got ndarray"):
        plots.calibration_ranks(FOUND.ranks)
    wide = Calibration(np.zeros((20, 9)), 99, tuple("abcdefghi"))
    with pytest.raises(InvalidInput, match="room for 8 parameters; got 9"):
        plots.calibration_ranks(wide)
    with pytest.raises(InvalidParameter, match="bins must be an integer from 2 to 100; got 1"):
        plots.calibration_ranks(FOUND, bins=1)
