"""Figures of beliefs about weights draw the numbers of their records."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from suffice import plots
from suffice.bases import GaussianBasis, Polynomial
from suffice.datasets import olympic_100m_men, sinusoid_10
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge, evidence_path, weight_surface
from suffice.plots._style import BLUE, ORANGE

DATA, MEN = sinusoid_10(), olympic_100m_men()
LINE = BayesianLinearRegression.book(2.0, 25.0).fit(DATA.X, DATA.y)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def area(path):
    """Of all closed pieces of a contour."""
    return sum(
        abs(np.sum(p[:-1, 0] * p[1:, 1] - p[1:, 0] * p[:-1, 1]) / 2)
        for p in path.to_polygons(closed_only=False)
    )


def test_contours_hold_what_they_say():
    """For a normal posterior the three ellipses have the areas 2π √|Σ| log 1/(1 − share)."""
    ax = plots.weight_surface(weight_surface(LINE, points=301))
    lines = [c for c in ax.collections if not c.get_facecolor().size][-1]
    areas = sorted((area(p) for p in lines.get_paths()), reverse=True)
    whole = 2 * np.pi * np.sqrt(np.linalg.det(LINE.posterior_.cov))
    np.testing.assert_allclose(areas, whole * np.log([20, 5, 2]), rtol=5e-3)
    assert labels(ax) == ["posterior", "estimate"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("intercept", "x0")
    dot = next(line for line in ax.lines if line.get_label() == "estimate")
    np.testing.assert_allclose(np.ravel(dot.get_data()), [LINE.intercept_, LINE.coef_[0]])


@pytest.mark.parametrize("part", ["prior", "likelihood", "posterior"])
def test_every_part(part):
    surface = weight_surface(LINE, first=(-1, 1), second=(-2, 2), points=40)
    ax = plots.weight_surface(surface, part, truth=(0.1, 0.2))
    assert labels(ax) == [part, "estimate", "truth"]
    assert ax.get_xlim() == (-1, 1)


def test_without_a_prior_the_likelihood_is_drawn():
    surface = weight_surface(LinearRegression().fit(MEN.X, MEN.y))
    assert labels(plots.weight_surface(surface))[0] == "likelihood"
    with pytest.raises(ValueError, match="no posterior; draw the likelihood"):
        plots.weight_surface(surface, "posterior")


def test_a_flat_part_is_drawn_without_lines():
    model = BayesianLinearRegression(1.0, noise_precision=1.0).fit(
        np.random.default_rng(0).random((9, 1)), range(9)
    )
    surface = weight_surface(model, points=5)
    flat = type(surface)(**(vars(surface) | {"log_prior": np.zeros((5, 5))}))
    assert plots.weight_surface(flat, "prior") is not None


def test_evidence_along_orders():
    path = evidence_path(BayesianLinearRegression.book(5e-3, 11.1), DATA.X, DATA.y, "order", range(10))
    ax = plots.evidence_path(path)
    curve = next(line for line in ax.lines if len(line.get_xdata()) == 10)
    np.testing.assert_allclose(curve.get_ydata(), path.log_evidence)
    assert labels(ax) == ["best: 4"]
    assert ax.get_xlabel() == "order"


def test_effective_parameters_along_the_prior_precision():
    model = BayesianLinearRegression.book(1.0, 11.1, basis=GaussianBasis(np.linspace(0, 1, 9), width=0.1))
    grid = np.exp(np.linspace(8, -5, 40))  # falling: the figure sorts
    path = evidence_path(model, DATA.X, DATA.y, "prior_precision", grid)
    ax = plots.evidence_path(path, "parameters")
    drawn = {to_rgb(line.get_color()): line for line in ax.lines if len(line.get_xdata()) == 40}
    for color, values in ((BLUE, path.well_determined_parameters), (ORANGE, path.size)):
        np.testing.assert_allclose(drawn[to_rgb(color)].get_ydata(), values[::-1])
    assert ax.get_xscale() == "log"
    assert ax.get_ylim()[1] > path.size[path.best_index]


def test_values_that_are_no_numbers():
    path = evidence_path(
        BayesianLinearRegression(1.0, noise_precision=9.0), DATA.X, DATA.y, "basis", [None, Polynomial(3)]
    )
    assert plots.evidence_path(path).get_xlabel() == "basis"


@pytest.mark.parametrize("noise", [True, False])
@pytest.mark.parametrize("as_printed", [True, False])
def test_bars_are_deviations_or_as_printed_variances(noise, as_printed):  # FCML E9
    model = LinearRegression.book("fcml", basis=Polynomial(3)).fit(MEN.X, MEN.y)
    ax = plots.error_bars(model, MEN.X, MEN.y, noise=noise, as_printed=as_printed, deviations=2)
    corners = ax.collections[0].get_paths()[0].vertices
    at = corners[5, 0]
    heights = corners[np.isclose(corners[:, 0], at), 1]
    d = model.predict_dist([[at]], noise=noise)
    expected = 2 * (d.var if as_printed else d.std)[0]
    assert (heights.max() - heights.min()) / 2 == pytest.approx(expected, rel=1e-6)
    assert ("variance" in labels(ax)[0]) == as_printed
    assert ("observation" in labels(ax)[0]) == noise


@pytest.mark.parametrize(
    ("draw", "match"),
    [
        (lambda: plots.weight_surface(LINE), "draws a WeightSurface"),
        (lambda: plots.weight_surface(weight_surface(LINE, points=3), "evidence"), "part must be one of"),
        (lambda: plots.evidence_path(LINE), "draws an EvidencePath"),
        (lambda: plots.error_bars(LINE, np.ones((3, 2))), "along one column"),
        (lambda: plots.error_bars(LINE, DATA.X, deviations=0), "deviations must be"),
    ],
)
def test_bad_arguments(draw, match):
    with pytest.raises(ValueError, match=match):
        draw()


def test_a_model_that_does_not_split_its_uncertainty():
    model = Ridge().fit(DATA.X, DATA.y)
    assert len(plots.error_bars(model, DATA.X).lines) == 1
    with pytest.raises(TypeError, match="use noise=True"):
        plots.error_bars(model, DATA.X, noise=False)
