"""Figures draw the numbers of their records, and nothing else."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib import pyplot as plt
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb

from suffice import plots
from suffice._core.errors import InvalidInput, MissingExtra
from suffice._core.trace import Trace
from suffice.baselines import MeanRegressor
from suffice.bases import Polynomial
from suffice.datasets import diabetes, olympic_100m_men
from suffice.evaluation import cross_validate
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.plots._style import BLUE, ORANGE, plain, svg


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def men():
    return olympic_100m_men()


@pytest.fixture(scope="module")
def patients():
    return diabetes()


def offsets(ax, color=None):
    """Positions of the dots, of one colour if given."""
    dots = [c for c in ax.collections if isinstance(c, PathCollection)]
    same = [c for c in dots if color is None or tuple(c.get_facecolor()[0][:3]) == to_rgb(color)]
    return np.concatenate([np.asarray(c.get_offsets()) for c in same])


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


# -- predictive ----------------------------------------------------------------------------------------
def test_one_column_draws_the_mean_and_both_bands(men):
    model = LinearRegression(basis=Polynomial(2)).fit(men.X, men.y)
    ax = plots.predictive(model, men.X, men.y, level=0.8)
    assert labels(ax) == ["80 % of observations", "80 % for the curve", "mean", "observed"]
    x, mean = ax.lines[0].get_data()
    np.testing.assert_allclose(mean, model.predict(x[:, None]), rtol=1e-12)
    for collection, noise in zip(ax.collections[:2], (True, False), strict=True):
        low, high = model.predict_dist(x[:, None], noise=noise).interval(0.8)
        drawn = collection.get_paths()[0].get_extents()
        np.testing.assert_allclose([drawn.y0, drawn.y1], [low.min(), high.max()], rtol=1e-12)
    np.testing.assert_array_equal(offsets(ax), np.column_stack([men.X[:, 0], men.y]))


def test_a_model_without_its_own_uncertainty_has_one_band(men):
    ax = plots.predictive(Ridge(1.0).fit(men.X, men.y), men.X)
    assert labels(ax) == ["95 % of observations", "mean"]


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame])
def test_names_come_from_the_table(men, table):
    frame = table({"year": men.X[:, 0]})
    series = (pd.Series if table is pd.DataFrame else pl.Series)(name="seconds", **{_values(table): men.y})
    ax = plots.predictive(LinearRegression().fit(frame, men.y), frame, series)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("year", "seconds")


def _values(table):
    return "data" if table is pd.DataFrame else "values"


def test_several_columns_compare_with_the_observations(patients):
    model = LinearRegression().fit(patients.X, patients.y)
    ax = plots.predictive(model, patients.X, patients.y)
    low, high = model.predict_dist(patients.X).interval(0.95)
    out = (patients.y < low) | (patients.y > high)
    assert len(offsets(ax, ORANGE)) == out.sum() > 0
    assert len(offsets(ax, BLUE)) == (~out).sum()


def test_along_one_of_several_columns_the_others_stay_at_their_medians(patients):
    model = LinearRegression().fit(patients.X, patients.y)
    x, mean = plots.predictive(model, patients.X, patients.y, feature=2).lines[0].get_data()
    rows = np.tile(np.median(patients.X, axis=0), (len(x), 1))
    rows[:, 2] = x
    np.testing.assert_allclose(mean, model.predict(rows), rtol=1e-12)


def test_predictive_says_what_it_needs(patients):
    model = LinearRegression().fit(patients.X, patients.y)
    with pytest.raises(InvalidInput, match="give y to compare with, or feature="):
        plots.predictive(model, patients.X)
    with pytest.raises(InvalidInput, match="feature must be one of"):
        plots.predictive(model, patients.X, feature="weight")
    with pytest.raises(InvalidInput, match=r"X must be a table with rows and columns; got shape \(442,\)"):
        plots.predictive(model, patients.y)


def test_agreement_without_intervals_and_residuals_draw_every_row():
    y, mean = np.array([1.0, 2.0, 4.0]), np.array([1.5, 2.5, 3.0])
    np.testing.assert_array_equal(offsets(plots.agreement(y, mean)), np.column_stack([mean, y]))
    np.testing.assert_array_equal(offsets(plots.residuals(y, mean)), np.column_stack([mean, y - mean]))


def test_sampled_functions_are_the_models_own_draws(men):
    model = BayesianLinearRegression().fit(men.X, men.y)
    ax = plots.sampled_functions(model, men.X, 7, y=men.y, random_state=3)
    x = ax.lines[0].get_xdata()
    expected = model.sample_functions(7, 3)(x[:, None])
    np.testing.assert_allclose([line.get_ydata() for line in ax.lines], expected, rtol=1e-12)
    assert labels(ax) == ["7 sampled functions", "observed"]


# -- rows of dots --------------------------------------------------------------------------------------
def test_comparison_draws_estimates_intervals_and_the_baseline(men):
    models = {"mean": MeanRegressor(), "line": LinearRegression()}
    results = {name: cross_validate(m, men.X, men.y, cv=5) for name, m in models.items()}
    ax = plots.comparison(results, baseline="mean", best="line")
    rule, *rows = ax.lines
    assert rule.get_xdata()[0] == results["mean"].estimate
    for bar, dot, v in zip(rows[::2], rows[1::2], results.values(), strict=True):
        assert tuple(bar.get_xdata()) == v.interval
        assert dot.get_xdata()[0] == v.estimate
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["mean", "line"]
    assert [label.get_fontweight() for label in ax.get_yticklabels()] == ["normal", "bold"]
    with pytest.raises(InvalidInput, match=r"baseline must be one of .*got 'median'"):
        plots.comparison(results, baseline="median")
    with pytest.raises(InvalidInput, match="no validations"):
        plots.comparison({})


def test_coefficients_leave_out_the_intercept_and_fill_what_excludes_zero(patients):
    summary = LinearRegression().fit(patients.X, patients.y).summary()
    ax = plots.coefficients(summary)
    dots = ax.lines[2::2]
    np.testing.assert_array_equal([d.get_xdata()[0] for d in dots], summary.estimate[1:])
    filled = [d.get_markerfacecolor() != "white" for d in dots]
    assert filled == [bool(a > 0 or b < 0) for a, b in zip(summary.low[1:], summary.high[1:], strict=True)]


def test_coefficients_keep_the_largest_in_the_order_of_the_columns(patients):
    summary = LinearRegression().fit(patients.X, patients.y).summary()
    ax = plots.coefficients(summary, most=3)
    largest = np.sort(1 + np.argsort(-np.abs(summary.estimate[1:]))[:3])
    assert [label.get_text() for label in ax.get_yticklabels()] == [summary.term[j] for j in largest]
    assert "the 3 largest of 10" in ax.get_xlabel()
    empty = LinearRegression(basis=Polynomial(0)).fit(patients.X, patients.y).summary()
    with pytest.raises(InvalidInput, match="no weights"):
        plots.coefficients(empty)


@pytest.mark.parametrize("converged", [True, False])
def test_trace_draws_the_objective_and_how_it_ended(converged):
    trace = Trace(np.array([-3.0, -2.0, -1.5]), converged, {})
    ax = plots.trace(trace)
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), trace.objective)
    assert ax.texts[0].get_text() == ("converged" if converged else "stopped at the limit")
    with pytest.raises(InvalidInput, match="no iterations"):
        plots.trace(Trace(np.array([]), True, {}))


# -- the room ------------------------------------------------------------------------------------------
def test_given_axes_are_used_and_no_figure_is_opened(men):
    ax = plt.figure().subplots()
    assert plots.predictive(LinearRegression().fit(men.X, men.y), men.X, ax=ax) is ax
    assert len(plt.get_fignums()) == 1


@pytest.mark.slow
def test_svg_is_the_same_on_every_run_and_opens_no_window(men):
    model = LinearRegression().fit(men.X, men.y)
    first, second = (svg(lambda ax: plots.predictive(model, men.X, men.y, ax=ax)) for _ in range(2))
    assert first == second
    assert first.startswith(b"<?xml")
    assert plt.get_fignums() == []


def test_names_with_dollars_and_many_letters_are_drawn_as_text():
    assert plain("a$b$") == r"a\$b\$"
    assert plain("two\nlines") == "two lines"
    assert len(plain("x" * 100)) == 40
    svg(lambda ax: plots.residuals([1.0, 2.0], [1.0, 2.5], ax=ax).set_title(plain("$\\frac{$")))


@pytest.mark.slow
def test_the_room_loads_without_matplotlib():
    code = "import sys, suffice.plots; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        MissingExtra, match=r"matplotlib is not installed; try: pip install 'suffice\[plots\]'"
    ):
        plots.residuals([1.0], [2.0])
