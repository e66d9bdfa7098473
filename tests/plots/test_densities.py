"""Figures of distributions draw their numbers, and nothing else."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from suffice import plots
from suffice._core.errors import InvalidInput, Unsupported
from suffice.distributions import (
    Beta,
    Binomial,
    Categorical,
    Gamma,
    JointTable,
    MultivariateNormal,
    Normal,
    NormalGamma,
    coin_game,
    evidence_grid,
)
from suffice.plots._style import BLUE, ORANGE


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def texts(ax):
    return [t.get_text() for t in ax.texts]


# -- density -------------------------------------------------------------------------------------------
def test_a_density_is_a_curve_with_its_interval_shaded():
    d = Beta(7, 5)
    ax = plots.density(d, interval=0.8, x="r")
    x, y = ax.lines[0].get_data()
    np.testing.assert_allclose(y, d.prob(x), rtol=1e-12)
    assert (x[0], x[-1]) == (0.0, 1.0)
    shaded = ax.collections[0].get_paths()[0].vertices[:, 0]
    assert (shaded.min(), shaded.max()) == pytest.approx(d.interval(0.8))
    assert ax.get_ylim()[0] == 0
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("r", "density")


def test_no_interval_no_shade():
    assert not plots.density(Normal(0, 1), interval=None).collections


def test_probabilities_are_bars_dark_inside_the_interval():
    d = Binomial(10, 0.5)
    ax = plots.density(d, interval=0.8)
    low, high = d.interval(0.8)
    for bar in ax.patches:
        k = bar.get_x() + bar.get_width() / 2
        assert bar.get_height() == pytest.approx(d.prob(round(k)), rel=1e-9)
        assert (to_rgb(bar.get_facecolor()) == to_rgb(BLUE)) == (low <= round(k) <= high)


def test_labels_are_bars():
    ax = plots.density(Categorical([0.2, 0.8], classes=["cat", "dog"]))
    assert [bar.get_height() for bar in ax.patches] == [0.2, 0.8]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["cat", "dog"]


def test_a_second_curve_makes_the_axes_grow():
    ax = plots.density(Normal(0, 2), label="wide")
    plots.density(Normal(0, 0.1), label="narrow", color=ORANGE, ax=ax)
    assert ax.get_ylim()[1] > 4
    assert ax.get_ylim()[0] == 0
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["wide", "narrow"]


def test_poles_are_cut():
    _, y = plots.density(Gamma(0.5, 1.0)).lines[0].get_data()
    assert np.isfinite(y).all()


def test_density_needs_one_distribution_of_a_number():
    with pytest.raises(InvalidInput, match="must be a single distribution"):
        plots.density(Normal([0, 1], 1))
    with pytest.raises(Unsupported, match="must be a univariate distribution"):
        plots.density(MultivariateNormal([0.0, 0.0], np.eye(2)))


# -- contour -------------------------------------------------------------------------------------------
def test_contours_hold_their_shares():
    d = MultivariateNormal([2.0, 1.0], [[1.0, 0.8], [0.8, 1.0]])
    ax = plots.contour(d)
    lines = ax.collections[-1]
    depth = [d.mahalanobis(path.vertices).mean() for path in lines.get_paths() if len(path.vertices)]
    np.testing.assert_allclose(sorted(depth), np.sqrt(-2 * np.log([0.5, 0.2, 0.05])), rtol=1e-2)  # χ²₂
    assert len(ax.child_axes) == 2
    x, y = ax.child_axes[0].lines[0].get_data()
    np.testing.assert_allclose(y, d.marginal(0).prob(x), rtol=1e-12)


def test_contours_of_mean_and_precision():
    ax = plots.contour(NormalGamma(1.0, 2.0, 3.0, 6.0), marginals=False)
    assert not ax.child_axes
    assert ax.get_ylim()[0] == 0


def test_contour_needs_two_numbers():
    for d in (Normal(0, 1), MultivariateNormal(np.zeros(3), np.eye(3))):
        with pytest.raises(InvalidInput, match="one distribution of two numbers"):
            plots.contour(d)


# -- evolution -----------------------------------------------------------------------------------------
def test_each_belief_is_a_curve_the_last_stands_out():
    beliefs = coin_game.evolution(Beta(1, 1), coin_game.heads("HTH"))
    ax = plots.posterior_evolution(beliefs, x="r")
    assert len(ax.lines) == 4
    for line, belief in zip(ax.lines, beliefs, strict=True):
        x, y = line.get_data()
        np.testing.assert_allclose(y, belief.prob(x), rtol=1e-12)
    assert ax.lines[-1].get_color() == ORANGE
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["0", "1", "2", "3"]


def test_beliefs_need_matching_labels():
    with pytest.raises(InvalidInput, match="one per belief, 2; got 1"):
        plots.posterior_evolution([Beta(1, 1), Beta(2, 1)], labels=["a"])
    with pytest.raises(InvalidInput, match="no beliefs"):
        plots.posterior_evolution([])


# -- evidence ------------------------------------------------------------------------------------------
def test_the_best_prior_is_marked():
    grid = evidence_grid(Beta, 14, n=20, axes={"a": range(1, 51), "b": range(1, 31)})
    ax = plots.evidence_contours(grid)
    assert [float(v[0]) for v in ax.lines[-1].get_data()] == [50.0, 22.0]
    assert "a = 50, b = 22 (on the edge)" in texts(ax)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("a", "b")


def test_one_hyper_parameter_is_a_curve():
    grid = evidence_grid(lambda a: Beta(a, a), 14, n=20, axes={"a": np.linspace(0.5, 40, 50)})
    ax = plots.evidence_contours(grid)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), grid.log_evidence)


def test_three_hyper_parameters_are_too_many():
    axes = {"mean": [0.0], "strength": [1.0], "shape": [1.0, 2.0], "rate": [1.0]}
    grid = evidence_grid(NormalGamma, [1.0], axes=axes)
    with pytest.raises(InvalidInput, match="one or two hyper-parameters; got 4"):
        plots.evidence_contours(grid)


# -- tables --------------------------------------------------------------------------------------------
def test_a_table_shows_its_cells_and_sums():
    table = JointTable([[0.4, 0.1], [0.0, 0.5]], {"coin": ["H", "T"], "told": ["H", "T"]})
    ax = plots.joint_table(table)
    assert texts(ax) == ["0.4", "0.1", "0", "0.5", "0.5", "0.5", "0.4", "0.6", "1"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("told", "coin")
    with pytest.raises(InvalidInput, match="draws two variables"):
        plots.joint_table(table.marginal("coin"))
