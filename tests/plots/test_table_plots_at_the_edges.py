"""What figures of tables say of cells they cannot draw, and how they write numbers that are very large or alike."""

from __future__ import annotations

import io
import time

import numpy as np
import pytest

from suffice import plots
from suffice._core.errors import InvalidInput

plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def title(ax) -> str:
    return " ".join(ax.get_title(loc="left").split())


def drawn(ax):
    """The axes after a draw, which is when ticks get their words."""
    ax.figure.savefig(io.BytesIO(), format="png", dpi=40)
    return ax


def test_infinite_values_are_not_called_missing():
    table = {"a": [1.0, 2.0, np.inf, 4.0], "b": [np.nan, 1.0, 2.0, 3.0]}
    assert title(plots.histogram(table, "a")) == "1 infinite value is left out"
    assert title(plots.histogram(table, "b")) == "1 missing value is left out"
    assert title(plots.box_plot(table)) == "1 missing and 1 infinite values are left out"
    assert title(plots.jitter(table)) == "1 missing and 1 infinite values are left out"
    assert title(plots.correlation_map(table)) == "1 infinite value is left out"


@pytest.mark.parametrize("draw", [plots.box_plot, plots.jitter, plots.parallel_coordinates])
def test_columns_without_values_are_named(draw):
    rows = np.arange(6.0)
    assert title(draw({"a": rows, "nothing": np.full(6, np.nan), "b": rows**2})).endswith(
        "o values in nothing"
    )


def test_grey_correlations_say_why():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 6))
    apart = {"a": np.where(np.arange(6) < 3, x, np.nan), "b": np.where(np.arange(6) < 3, np.nan, y)}
    assert title(plots.correlation_map(apart)) == "Grey: no row has both values"
    empty = {"a": x, "b": y, "nothing": np.full(6, np.nan)}
    assert title(plots.correlation_map(empty)) == "Grey: no row has both values"
    assert title(plots.correlation_map(empty | {"nothing": [None] * 6})) == "No values in nothing"
    assert title(plots.correlation_map({"a": x, "flat": np.ones(6)})) == "Grey: a column is constant there"


def test_a_range_that_no_axis_can_show_is_refused():
    for draw in (plots.histogram, plots.box_plot, plots.jitter):
        with pytest.raises(
            InvalidInput, match=r"Column 'value' reaches from -1\.7e\+308 to 1\.7e\+308.*divide it"
        ):
            draw([-1.7e308, 1.7e308, 0.0])
    drawn(plots.histogram([0.0, 1e307, 2e307]))


def test_ticks_carry_their_exponent():
    rng = np.random.default_rng(1)
    table = {"large": 1e307 * rng.random(40), "small": 1e-7 * rng.random(40), "middle": rng.random(40)}
    groups = ["u", "v"] * 20
    for ax in (
        drawn(plots.jitter(table, ["large"], by=groups)),
        drawn(plots.scatter_by_class(table, by=groups, x="large", y="small")),
        drawn(plots.scatter_3d(table, by=groups)),
    ):
        for axis in (ax.xaxis, ax.yaxis, *([ax.zaxis] if hasattr(ax, "zaxis") else [])):
            assert axis.get_offset_text().get_text() == ""
    ax = drawn(plots.scatter_by_class(table, by=groups, x="large", y="middle"))
    for tick in ax.get_xticklabels():
        assert float(tick.get_text()) == pytest.approx(tick.get_position()[0], rel=1e-2)


def test_ticks_that_share_their_first_digits_stay_different():
    table = {"a": 1_000_000 + np.linspace(0, 1, 20), "b": np.arange(20.0)}
    words = [t.get_text() for t in drawn(plots.scatter_by_class(table, x="a", y="b")).get_xticklabels()]
    assert len(set(words)) == len(words) > 2


def test_a_map_of_thousands_of_columns_is_drawn_soon():
    cells = np.where(np.random.default_rng(2).random((30, 4000)) < 0.1, np.nan, 1.0)
    start = time.process_time()
    drawn(plots.missingness_map(cells))
    assert time.process_time() - start < 4  # half a second; rules between the columns took eight


@pytest.mark.parametrize("draw", [plots.box_plot, plots.jitter])
def test_columns_of_very_different_widths_are_told(draw):
    rows = np.arange(8.0)
    assert "times as wide as the narrowest" in title(draw({"meters": rows, "millimeters": 1000 * rows}))
    assert title(draw({"a": rows, "b": 3 * rows})) == ""
