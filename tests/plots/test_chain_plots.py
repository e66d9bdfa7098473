"""Figures of draws show the draws, the ranks, the correlations and the steps."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from suffice import plots
from suffice.inference import Samples, diagnostics
from suffice.plots._panels import smooth
from suffice.plots._style import BLUE, ORANGE

RNG = np.random.default_rng(0)
DRAWS = RNG.normal(size=(3, 200, 2)) @ [[1.0, 0.8], [0.0, 0.6]]
SAMPLES = Samples(DRAWS, ("slope", "a long name with $ and many, many letters"))
FIGURES = (plots.chain_trace, plots.chain_ranks, plots.autocorrelation, plots.pair_plot)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


# -- what is drawn -----------------------------------------------------------------------------------------
def test_trace():
    grid = plots.chain_trace(SAMPLES)
    assert grid.shape == (2, 2)
    for j in range(2):
        lines = grid[j, 0].lines
        assert len(lines) == len(grid[j, 1].lines) == 3
        for line, chain in zip(lines, DRAWS[:, :, j], strict=True):
            np.testing.assert_array_equal(line.get_ydata(), chain)
    height, at = grid[0, 1].lines[0].get_data()
    np.testing.assert_allclose(np.trapezoid(height, at), 1.0, rtol=0.03)  # tails beyond the axis
    assert [t.get_text() for t in grid[0, 0].get_legend().get_texts()] == ["chain 0", "chain 1", "chain 2"]
    assert grid[1, 0].get_ylabel() == "a long … letters"


def test_long_traces_are_thinned():
    grid = plots.chain_trace(Samples(RNG.normal(size=(2, 5000, 1))))
    assert [len(line.get_xdata()) for line in grid[0, 0].lines] == [1000, 1000]
    assert grid[0, 0].get_xlim() == (0, 4999)


def test_ranks():
    grid = plots.chain_ranks(SAMPLES, bins=10)
    assert grid.shape == (1, 2)
    heights = np.reshape([bar.get_height() for bar in grid[0, 0].patches if bar.get_width() < 0.5], (3, 10))
    np.testing.assert_allclose(
        heights * 200 / 10 / 0.4, diagnostics.rank_counts(DRAWS[:, :, 0], 10), rtol=1e-9
    )
    assert [t.get_text() for t in grid[0, 0].get_yticklabels()] == ["chain 0", "chain 1", "chain 2"]


def test_the_band_of_ranks_covers_95_percent():
    """Of chains that are equal; 7,200 counts, a little correlated, make an error of about 0.5 %."""
    inside = []
    for seed in range(60):
        x = np.random.default_rng(seed).normal(size=(6, 1000))
        band = plots.chains._band(x, 20)
        inside.append(np.abs(diagnostics.rank_counts(x, 20) / 50 - 1) < band)
    assert abs(np.mean(inside) - 0.95) < 0.015


def test_a_single_chain_is_shown_in_halves():
    panel = plots.chain_ranks(Samples(DRAWS[:1]))[0, 0]
    assert [t.get_text() for t in panel.get_yticklabels()] == ["first half", "second half"]


def test_autocorrelation():
    grid = plots.autocorrelation(SAMPLES, max_lag=7)
    tops = [segment[1, 1] for segment in grid[0, 1].collections[0].get_segments()]
    np.testing.assert_allclose(tops, SAMPLES.autocorrelation(7)[1], rtol=1e-12)
    band = grid[0, 1].patches[0]
    np.testing.assert_allclose(band.get_height(), 2 * 1.96 / np.sqrt(600), rtol=1e-9)
    assert grid[0, 0].get_title("left") == f"slope: ESS {SAMPLES.ess[0]:.0f}"


def test_pairs():
    grid = plots.pair_plot(SAMPLES)
    below = grid[1, 0]
    np.testing.assert_array_equal(below.lines[0].get_xydata(), SAMPLES.flat)
    assert len(below.collections) == 1
    assert not grid[0, 1].axison
    low, high = SAMPLES.interval()
    shaded = grid[1, 1].collections[0].get_paths()[0].vertices[:, 0]
    np.testing.assert_allclose([shaded.min(), shaded.max()], [low[1], high[1]], atol=0.05)
    assert (below.get_xlabel(), below.get_ylabel()) == ("slope", "a long…letters")


def test_contours_of_pairs_hold_their_shares():
    x = np.random.default_rng(1).normal(size=(4, 1000, 2))
    contour = plots.pair_plot(Samples(x))[1, 0].collections[0]
    levels = np.sort(contour.levels)
    height = smooth(x.reshape(-1, 2), x.reshape(-1, 2).T)
    shares = [np.mean(height > level) for level in levels]
    np.testing.assert_allclose(shares, [0.95, 0.8, 0.5], atol=0.03)  # of 1,000 draws: √(¼/1000) = 0.016


# -- steps -------------------------------------------------------------------------------------------------
WALK = np.array([[0.0, 0.0], [1.0, 0.5], [1.0, 0.5], [0.0, 1.0]])
TRIED = np.array([[9.0, 9.0], [1.0, 0.5], [3.0, 0.0], [0.0, 1.0]])
STEPS = Samples(WALK[None], ("u", "v"), accepted=[[True, True, False, True]], proposed=TRIED[None])


def test_steps():
    asked = []
    ax = plots.metropolis_steps(STEPS, lambda x: asked.append(x) or -0.5 * x @ x)
    taken, ends, not_taken, crosses, start = ax.lines[:5]
    np.testing.assert_array_equal(taken.get_xydata()[:2], WALK[:2])
    np.testing.assert_array_equal(not_taken.get_xydata()[:2], [WALK[1], TRIED[2]])
    np.testing.assert_array_equal(ends.get_xydata(), TRIED[[1, 3]])
    np.testing.assert_array_equal(crosses.get_xydata(), TRIED[[2]])
    np.testing.assert_array_equal(start.get_xydata(), WALK[:1])
    assert (to_rgb(taken.get_color()), to_rgb(not_taken.get_color())) == (to_rgb(BLUE), to_rgb(ORANGE))
    assert (taken.get_linestyle(), not_taken.get_linestyle()) == ("-", "--")
    words = [t.get_text() for t in ax.get_legend().get_texts()]
    assert words == ["2 taken", "1 not taken", "start", "density"]
    assert len(ax.collections) == 1
    assert np.shape(asked[0]) == (2,)
    rows = []
    plots.metropolis_steps(STEPS, lambda x: rows.append(x) or -0.5 * (x**2).sum(axis=1), n=1, vectorized=True)
    assert len(rows) == 1


def test_steps_that_cannot_be_drawn():
    for samples, sentence in (
        (Samples(WALK[None]), "keep_proposals=True"),
        (Samples(DRAWS[..., :1]), "over two coordinates; got 1"),
        (Samples(WALK[None, :1], accepted=[[True]], proposed=TRIED[None, :1]), "only one draw"),
        (Samples(WALK[None, [0, 2]], accepted=[[True, False]], proposed=TRIED[None, [0, 2]]), "need thin=1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            plots.metropolis_steps(samples)
    with pytest.raises(ValueError, match="chain must be an integer from 0 to 0; got 1"):
        plots.metropolis_steps(STEPS, chain=1)
    with pytest.raises(ValueError, match="n must be an integer >= 1; got 0"):
        plots.metropolis_steps(STEPS, n=0)


# -- odd cases ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("figure", FIGURES)
def test_too_many_coordinates(figure):
    with pytest.raises(ValueError, match=r"at most \d+ coordinates; got 13\. Take samples\.marginal"):
        figure(Samples(np.zeros((2, 5, 13))))
    with pytest.raises(ValueError, match="draws Samples; got ndarray"):
        figure(DRAWS)


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("case", ["stuck chain", "all the same", "one draw", "line"])
def test_odd_draws_are_drawn(figure, case):
    odd = {"one draw": DRAWS[:, :1], "all the same": np.full((2, 9, 2), 0.1)}
    if case == "stuck chain":
        draws = DRAWS.copy()
        draws[1] = 0.5
    else:
        draws = odd.get(case, DRAWS[..., [0, 0]])
    assert figure(Samples(draws))[0, 0].has_data()


@pytest.mark.parametrize("figure", FIGURES)
def test_axes_that_are_given(figure):
    fig, both = plt.subplots(1, 2, layout="constrained")
    grid = figure(SAMPLES, ax=both[0])
    assert all(panel.figure is fig for panel in grid.flat)
    assert not both[0].axison
    fig, many = plt.subplots(*grid.shape)
    assert (figure(SAMPLES, ax=many).ravel() == np.ravel(many)).all()
    with pytest.raises(ValueError, match="ax must be one axes, or"):
        figure(SAMPLES, ax=plt.subplots(1, 3)[1])
    with pytest.raises(ValueError, match="belong to a grid of subplots"):
        figure(SAMPLES, ax=plt.figure().add_axes([0, 0, 1, 1]))
