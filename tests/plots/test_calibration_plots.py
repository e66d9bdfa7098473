"""Figures of calibration draw the bins, intervals and levels of their records."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from suffice._core.errors import InvalidInput
from suffice.distributions import Normal
from suffice.evaluation.comparisons import accuracy_from_counts
from suffice.evaluation.comparisons import coverage as simulate
from suffice.evaluation.scores.calibration import calibration as judge
from suffice.evaluation.scores.pit import interval_coverage as cover
from suffice.plots._style import BLUE, ORANGE, svg
from suffice.plots.calibration import calibration, coverage, interval_coverage, pit


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def forecasts():
    rng = np.random.default_rng(0)
    truth = rng.random(400)
    return rng.random(400) < truth, truth**2


@pytest.fixture(scope="module")
def pitted():
    return judge(np.random.default_rng(0).normal(size=300), Normal(0.0, 0.7))


def curve(ax, color):
    found = [one for one in ax.lines if to_rgb(one.get_color()) == to_rgb(color) and one.get_marker() == "o"]
    return np.column_stack(found[0].get_data())


def segments(collection):
    """(x, low, high) of vertical bars."""
    return np.array([[s[0, 0], s[0, 1], s[1, 1]] for s in collection.get_segments()])


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
def test_bins_are_dots_with_their_jeffreys_bars(forecasts, strategy):
    found = judge(*forecasts, strategy=strategy, bins=8)
    ax = calibration(found)
    np.testing.assert_array_equal(curve(ax, BLUE), np.column_stack([found.forecast, found.observed]))
    np.testing.assert_array_equal(
        segments(ax.collections[0]), np.column_stack([found.forecast, found.low, found.high])
    )
    assert ax.get_legend().get_texts()[0].get_text() == f"off by {found.expected_error}"
    assert "True" in ax.get_xlabel()


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
def test_bars_at_the_foot_are_the_rows_behind_each_dot(forecasts, strategy):
    found = judge(*forecasts, bins=5, strategy=strategy)
    ax = calibration(found)
    heights = np.array([bar.get_height() for bar in ax.patches])
    np.testing.assert_allclose(heights / heights.sum(), found.counts / found.n, rtol=1e-9)
    middle = [bar.get_x() + bar.get_width() / 2 for bar in ax.patches]
    np.testing.assert_allclose(middle, found.forecast, rtol=1e-9)
    assert max(bar.get_y() + bar.get_height() for bar in ax.patches) < 0 <= min(ax.get_yticks())


def test_several_forecasts_have_names_and_no_foot(forecasts):
    y, p = forecasts
    ax = calibration({"bold": judge(y, p), "timid": judge(y, np.sqrt(p))})
    assert [t.get_text().split(":")[0] for t in ax.get_legend().get_texts()] == ["bold", "timid"]
    assert len(ax.patches) == 0
    assert curve(ax, ORANGE).shape == (10, 2)


def test_bins_without_rows_and_a_single_bin_are_drawn():
    y, p = [0, 1, 1, 0, 1], [0.02, 0.03, 0.97, 0.98, 0.99]
    found = judge(y, p, bins=10, strategy="uniform")
    assert np.isnan(found.forecast).any()
    ax = calibration(found)
    assert np.isfinite(curve(ax, BLUE)).all()
    svg(lambda ax: calibration(found, ax=ax))
    svg(lambda ax: calibration(judge([0, 1, 1], [0.3, 0.3, 0.3]), ax=ax))


def test_the_pit_has_counts_intervals_and_the_level(pitted):
    ax = pit(pitted)
    bars = [bar for bar in ax.patches if bar.get_width() < 1]
    np.testing.assert_array_equal([bar.get_height() for bar in bars], pitted.counts)
    np.testing.assert_allclose(
        [b.get_x() + b.get_width() / 2 for b in bars], np.linspace(0.05, 0.95, 10), rtol=1e-9
    )
    np.testing.assert_array_equal(
        segments(ax.collections[0])[:, 1:], np.column_stack([pitted.low, pitted.high])
    )
    assert 30 in [one.get_ydata()[0] for one in ax.lines]
    assert "Kolmogorov–Smirnov p < 0.001" in ax.get_title(loc="left")


def test_coverage_of_intervals_against_their_promise(pitted):
    right = cover(np.random.default_rng(0).normal(size=300), Normal(0.0, 1.0), levels=[0.9, 0.5, 0.8])
    ax = interval_coverage({"narrow": pitted, "right": right})
    np.testing.assert_array_equal(
        curve(ax, BLUE), np.column_stack([pitted.coverage.levels, pitted.coverage.observed])
    )
    np.testing.assert_array_equal(curve(ax, ORANGE)[:, 0], [0.5, 0.8, 0.9])
    np.testing.assert_array_equal(curve(ax, ORANGE)[:, 1], right.observed[[1, 2, 0]])
    np.testing.assert_array_equal(segments(ax.collections[1])[:, 1], right.low[[1, 2, 0]])


def test_simulated_intervals_that_miss_stand_out():
    found = simulate(
        lambda m: accuracy_from_counts(m, 100).interval, lambda p, rng: rng.binomial(100, p), 0.7, 150, 0
    )
    ax = coverage(found, most=120)
    drawn = {to_rgb(c.get_color()[0]): segments(c) for c in ax.collections}
    hit, missed = drawn[to_rgb(BLUE)], drawn[to_rgb(ORANGE)]
    assert len(hit) + len(missed) == 120
    np.testing.assert_array_equal(missed[:, 0], np.flatnonzero(~found.covered[:120]) + 1)
    np.testing.assert_array_equal(missed[:, 1:], found.intervals[:120][~found.covered[:120]])
    assert "the first 120 of 150" in ax.get_xlabel()
    assert ax.get_title(loc="left").split() == found.sentence.split()


@pytest.mark.parametrize(
    ("draw", "match"),
    [
        (calibration, "draws EventCalibration, .*got PitCalibration"),
        (coverage, "draws a Coverage; got PitCalibration"),
        (pit, "draws a PitCalibration; got EventCalibration"),
        (interval_coverage, "draws IntervalCoverage or PitCalibration, .*got EventCalibration"),
    ],
)
def test_other_records_are_refused(draw, match, pitted, forecasts):
    other = judge(*forecasts) if draw in (pit, interval_coverage) else pitted
    with pytest.raises(InvalidInput, match=match):
        draw(other)
    assert plt.get_fignums() == []
