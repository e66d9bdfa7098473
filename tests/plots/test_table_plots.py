"""Plots of tables draw the numbers of the table, on any kind of table, and say what they leave out."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from matplotlib import pyplot as plt
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex
from sklearn.datasets import load_iris

from suffice import plots
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.datasets import diabetes
from suffice.evaluation import fit_pairs
from suffice.glm import LogisticRegression
from suffice.plots._style import BLUE, MUTED, svg
from suffice.plots._tables import Groups, same_unit, sample, unit
from suffice.plots.fits import HUES
from suffice.prepare import box_statistics, correlation_table, equal_bins, missing_cells


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def iris():
    data = load_iris(as_frame=True)
    return data.data.assign(kind=data.target_names[data.target])


TABLES = {
    "pandas": lambda t: t,
    "polars": pl.from_pandas,
    "arrow": lambda t: pa.Table.from_pandas(t, preserve_index=False),
    "dict": lambda t: {c: t[c].to_numpy() for c in t},
}
SL, SW, PL, PW = "sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"
DRAWS = {
    "histogram": lambda t: plots.histogram(t, 0),
    "box_plot": plots.box_plot,
    "jitter": plots.jitter,
    "scatter_by_class": plots.scatter_by_class,
    "scatter_3d": plots.scatter_3d,
    "matrix_plot": plots.matrix_plot,
    "parallel_coordinates": plots.parallel_coordinates,
    "correlation_map": plots.correlation_map,
    "missingness_map": plots.missingness_map,
    "series_chart": lambda t: plots.series_chart(t, 0, scale="interval"),
}


def dots(ax):
    found = [np.asarray(c.get_offsets()) for c in ax.collections if isinstance(c, PathCollection)]
    return np.concatenate(found)


def names(ax):
    return [t.get_text() for t in ax.get_xticklabels()]


def legend(ax):
    return [t.get_text() for t in ax.get_legend().get_texts()]


def title(ax):
    return ax.get_title(loc="left").replace("\n", " ")


def render(drawn, pixels=False):
    """Lay out and draw, so that nothing is left for later to fail."""
    figure = np.ravel(drawn)[0].figure
    (figure.canvas.draw if pixels else figure.draw_without_rendering)()


# -- every plot ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", TABLES)
def test_every_kind_of_table_is_drawn_alike(kind, iris):
    ax = plots.scatter_by_class(TABLES[kind](iris), PL, PW, by="kind")
    np.testing.assert_array_equal(dots(ax), iris[[PL, PW]])
    assert legend(ax) == ["setosa", "versicolor", "virginica"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == (PL, PW)


def test_records_and_arrays_are_tables_too(iris):
    data = diabetes()
    assert plots.histogram(data, "bmi").get_xlabel() == "bmi"
    assert names(plots.box_plot(data.X[:, :3])) == ["x0", "x1", "x2"]
    assert plots.histogram(iris[SL]).get_xlabel() == SL
    assert plots.histogram([1.0, 2.0, 4.0]).get_xlabel() == "value"


HARD = {
    "one row": lambda: {"a": [1.0], "b": [2.0], "c": [3.0]},
    "constant": lambda: dict.fromkeys("abc", np.full(9, 7.0)),
    "gaps": lambda: {c: [1.0, None, 3.0, float("inf"), 5.0] for c in "abc"},
    "huge": lambda: {c: np.array([-1.0, 0.5, 1.0, 2.0]) * 1e300 for c in "abc"},
    "tiny": lambda: {c: np.array([-1.0, 0.5, 1.0, 2.0]) * 1e-300 for c in "abc"},
    "names": lambda: {name: [1.0, 2.0, 4.0] for name in (r"pri$e_^{$ \frac", "a very long name " * 8, " ")},
    "flags": lambda: {c: [True, False, True] for c in "abc"},
}


@pytest.mark.slow
@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize(
    "table",
    [pytest.param(t, marks=pytest.mark.long if t in ("one row", "tiny", "flags") else ()) for t in HARD],
)
def test_hard_tables_are_drawn_without_a_warning(draw, table):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        render(DRAWS[draw](HARD[table]()), pixels=table in ("huge", "tiny"))


@pytest.mark.parametrize("draw", DRAWS)
def test_nothing_to_draw_is_a_sentence(draw):
    with pytest.raises(InvalidInput, match="nothing to draw|no rows|no cells"):
        DRAWS[draw]({"a": [], "b": [], "c": []})
    if draw != "missingness_map":
        for nothing in ([None, None], np.full(2, np.nan), np.array([np.inf, -np.inf])):
            if draw != "correlation_map" or nothing[0] is None:  # else it is grey, and says so
                with pytest.raises(InvalidInput, match="nothing to draw|no column of numbers"):
                    DRAWS[draw](dict.fromkeys("abc", nothing))
        with pytest.raises(InvalidInput, match="numbers"):
            DRAWS[draw]({name: ["x", "y"] for name in "abc"})


@pytest.mark.parametrize("draw", sorted(set(DRAWS) - {"scatter_3d"}))
def test_every_plot_draws_on_the_axes_it_is_given_and_for_a_page(draw):
    options = {"series_chart": {"column": 0, "scale": "ratio"}, "histogram": {"column": 0}}.get(draw, {})
    table = {"a": [1.0, 2.0, 4.0], "b": [3.0, 1.0, 2.0]}
    pages = {svg(lambda ax: getattr(plots, draw)(table, ax=ax, **options)) for _ in range(2)}
    assert len(pages) == 1
    assert not plt.get_fignums()


def test_unknown_columns_are_named_with_a_suggestion(iris):
    with pytest.raises(
        InvalidInput, match=r"x must be a column of the table; got 'petal lenght \(cm\)'.*Did you mean"
    ):
        plots.scatter_by_class(iris, "petal lenght (cm)", PW)
    with pytest.raises(InvalidInput, match="by must be a column of the table; got 'species'"):
        plots.scatter_by_class(iris, PL, PW, by="species")
    with pytest.raises(InvalidInput, match="by must have one label per row, 150; got 2"):
        plots.matrix_plot(iris, ["a", "b"])
    with pytest.raises(InvalidInput, match="columns must be a column of the table; got 9"):
        plots.jitter(iris, [0, 9])
    with pytest.raises(InvalidInput, match="at most 12 columns; got 13"):
        plots.matrix_plot(np.ones((3, 13)))


# -- one column ----------------------------------------------------------------------------------------
def test_a_histogram_draws_its_bins_and_they_sum_to_n(iris):
    ax = plots.histogram(iris, PL, bins=9)
    found = equal_bins(iris[PL], 9)
    np.testing.assert_array_equal([b.get_height() for b in ax.patches], found.counts)
    np.testing.assert_allclose([b.get_x() for b in ax.patches], found.edges[:-1], rtol=1e-12)
    assert sum(b.get_height() for b in ax.patches) == len(iris)
    assert [b.get_height() for b in plots.histogram(found).patches] == found.counts.tolist()
    assert (
        title(plots.histogram([1.0, np.nan, np.inf, 2.0])) == "1 missing and 1 infinite values are left out"
    )
    with pytest.raises(InvalidInput, match="column must name one of the 5 columns"):
        plots.histogram(iris)


def test_a_box_plot_draws_quartiles_whiskers_and_a_cross_for_each_value_beyond(iris):
    ax = plots.box_plot(iris)
    assert names(ax) == [SL, SW, PL, PW]
    assert ax.get_ylabel() == "value (cm)"
    crosses = [line.get_ydata() for line in ax.lines]
    np.testing.assert_array_equal(np.concatenate(crosses), [2.0, 4.1, 4.2, 4.4])
    boxes = [c.get_paths()[0].get_extents() for c in ax.collections if isinstance(c, PolyCollection)]
    expected = [box_statistics(iris[c]) for c in (SL, SW, PL, PW)]
    np.testing.assert_allclose(
        [(b.y0, b.y1) for b in boxes], [(b.lower, b.upper) for b in expected], rtol=1e-12
    )
    ends = [
        seg[:, 1] for c in ax.collections if not isinstance(c, PolyCollection) for seg in c.get_segments()
    ]
    assert {float(round(b.high, 9)) for b in expected} <= {float(round(v, 9)) for e in ends for v in e}


def test_boxes_by_group_of_one_column_or_of_records(iris):
    ax = plots.box_plot(iris, PL, by="kind")
    assert names(ax) == ["setosa", "versicolor", "virginica"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("kind", PL)
    assert names(plots.box_plot({"mine": box_statistics([1, 2, 3])})) == ["mine"]
    with pytest.raises(InvalidInput, match="by needs one column to draw; got 4"):
        plots.box_plot(iris, by="kind")


def test_jitter_moves_points_a_little_and_the_same_way_for_a_seed(iris):
    still, moved = dots(plots.jitter(iris, noise=0)), dots(plots.jitter(iris, noise=0.01))
    np.testing.assert_array_equal(np.sort(still[:, 1]), np.sort(iris.drop(columns="kind").to_numpy().ravel()))
    assert np.abs(still[:, 0] - np.round(still[:, 0])).max() <= 0.25
    off = (moved - still)[:, 1].reshape(4, 150)
    np.testing.assert_allclose(off.std(axis=1), 0.01 * np.ptp(iris.drop(columns="kind"), axis=0), rtol=0.25)
    np.testing.assert_array_equal(moved, dots(plots.jitter(iris, noise=0.01)))
    assert np.any(moved != dots(plots.jitter(iris, noise=0.01, random_state=1)))
    with pytest.raises(InvalidParameter, match="noise must be a number >= 0; got -1"):
        plots.jitter(iris, noise=-1)


# -- pairs ---------------------------------------------------------------------------------------------
def test_axes_are_equal_where_the_units_are(iris):
    assert plots.scatter_by_class(iris, PL, PW).get_aspect() == 1
    assert plots.scatter_by_class(iris, PL, PW, same_units=False).get_aspect() == "auto"
    assert plots.scatter_by_class({"a (m)": [1, 2], "b (s)": [1, 2]}).get_aspect() == "auto"
    assert (unit("rain [mm]"), unit("f(x) of y"), same_unit(["a (m)", "b [m]"])) == ("mm", None, True)


def test_a_million_points_become_hexagons_and_the_title_says_so():
    x = np.random.default_rng(0).normal(size=(1_000_000, 2))
    ax = plots.scatter_by_class(x)
    (cells,) = (c for c in ax.collections if isinstance(c, PolyCollection))
    assert cells.get_array().sum() == len(x)
    assert title(ax) == "1,000,000 rows, counted in hexagons"


def test_many_points_with_groups_are_sampled_and_the_title_says_so():
    rng = np.random.default_rng(0)
    ax = plots.scatter_by_class(rng.normal(size=(50_000, 2)), by=rng.integers(0, 2, 50_000))
    assert len(dots(ax)) == 20_000
    assert title(ax) == "A sample of 20,000 of 50,000 rows"
    rows, note = sample(np.arange(100), 90)
    assert len(set(rows.tolist())) == 90
    assert note == "a sample of 90 of 100 rows"


def test_a_matrix_has_every_pair_once_with_the_error_of_its_model(iris):
    model = LogisticRegression()
    grid = plots.matrix_plot(iris, "kind", model=model)
    fits = fit_pairs(model, iris.drop(columns="kind"), iris["kind"])
    for i, j in ((1, 0), (3, 0), (3, 2)):
        np.testing.assert_array_equal(np.sort(dots(grid[i, j])[:, 0]), np.sort(iris.iloc[:, j]))
        assert grid[i, j].texts[0].get_text() == f"error {fits.of(j, i)[1]:.3f}"
    assert [grid[i, i + 1].axison for i in range(3)] == [False] * 3
    assert legend(grid[0, -1]) == ["setosa", "versicolor", "virginica"]
    assert (grid[3, 1].get_xlabel(), grid[1, 0].get_ylabel(), grid[0, 0].get_ylabel()) == (SW, SW, "count")
    assert not hasattr(model, "coef_")


def test_a_boundary_lies_where_the_decision_changes(iris):
    two = iris[iris["kind"] != "setosa"]
    grid = plots.matrix_plot(two, "kind", columns=[PL, PW], model=LogisticRegression())
    fitted = fit_pairs(LogisticRegression(), two[[PL, PW]], two["kind"]).models[0]
    lines = [c for c in grid[1, 0].collections if not isinstance(c, PathCollection)]
    at = np.concatenate([path.vertices for c in lines for path in c.get_paths()])
    step = 0.009 * np.ptp(two[[PL, PW]], axis=0).to_numpy() * 1.2  # the spacing of the grid
    odds = fitted.decision_function(at)
    assert len(at) > 50
    low, high = grid[1, 0].get_xlim()
    assert low < two[PL].min() < two[PL].max() < high
    assert np.abs(odds).max() <= np.abs(fitted.coef_[0]) @ step


def test_a_model_learns_every_class_and_no_row_without_a_label():
    rng = np.random.default_rng(4)
    labels = np.repeat(np.arange(10), 30)
    X = rng.normal(size=(300, 2)) + 6 * np.column_stack([labels % 4, labels // 4])
    words = np.array([f"c{k}" for k in labels], dtype=object)
    words[:5] = None
    grid = plots.matrix_plot(X, words, model=LogisticRegression())
    expected = fit_pairs(LogisticRegression(), X[5:], words[5:].astype(str)).errors[0]
    assert expected < 0.1
    assert grid[1, 0].texts[0].get_text() == f"error {expected:.3f}"


def test_a_matrix_with_a_model_needs_groups_and_rows(iris):
    with pytest.raises(InvalidInput, match="model needs groups to tell apart"):
        plots.matrix_plot(iris, model=LogisticRegression())
    with pytest.raises(InvalidInput, match="model needs two columns or more"):
        plots.matrix_plot(iris, "kind", columns=PL, model=LogisticRegression())
    with pytest.raises(InvalidInput, match="the complete rows are all of one"):
        plots.matrix_plot(iris[:50], "kind", model=LogisticRegression())
    with pytest.raises(InvalidInput, match="two columns or more"):
        fit_pairs(LogisticRegression(), [[1.0], [2.0]], [0, 1])
    with pytest.raises(InvalidInput, match="one label per row, 2"):
        fit_pairs(LogisticRegression(), [[1.0, 2.0], [2.0, 3.0]], [0, 1, 1])


def test_space_has_three_names_and_refuses_flat_axes(iris):
    ax = plots.scatter_3d(iris, by="kind")
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()) == (SL, SW, PL)
    with pytest.raises(InvalidInput, match='made with projection="3d"'):
        plots.scatter_3d(iris, ax=plt.subplots()[1])


# -- groups --------------------------------------------------------------------------------------------
def test_of_many_groups_the_largest_keep_their_colors_and_the_rest_is_grey():
    labels = np.repeat(np.arange(12), np.arange(12, 0, -1) + 3)
    groups = Groups.of({"a": np.zeros(len(labels))}, labels)
    assert groups.names == tuple("0123456")
    assert groups.rest == "5 smaller groups"
    assert [look["color"] for _, _, look in groups.parts()] == [MUTED, *HUES]
    assert np.sum(groups.places == -1) == np.sum(labels >= 7)
    ax = plots.scatter_by_class({"a": labels * 1.0, "b": labels * 1.0}, by=labels)
    assert legend(ax) == ["5 smaller groups", *"0123456"]
    assert len(dots(ax)) == len(labels)


def test_eight_groups_are_all_named_and_missing_labels_are_grey():
    eight = Groups.of({"a": np.zeros(8)}, list("abcdefgh"))
    assert (eight.names, eight.rest) == (tuple("abcdefg"), "h")
    some = Groups.of({"a": np.zeros(4)}, ["x", None, "y", None])
    assert (some.names, some.rest, some.places.tolist()) == (("x", "y"), "no label", [0, -1, 1, -1])
    assert Groups.of({"a": np.zeros(3)}, [10.0, 9.0, 10.0]).names == ("9", "10")


def test_names_of_groups_start_no_formula():
    ax = plots.scatter_by_class({"a": [1.0, 2.0], "b": [1.0, 2.0]}, by=["$x^", "a_$"])
    assert legend(ax) == [r"\$x^", r"a_\$"]
    render(ax)
    boxes = plots.box_plot({"v": [1.0, 2.0, 3.0]}, by=["$a$", "$a$", "_b"])
    assert names(boxes) == [r"\$a\$", "_b"]
    render(boxes)


def test_blank_names_and_those_that_begin_with_an_underscore_are_in_the_legend():
    ax = plots.scatter_by_class({"a": np.arange(4.0), "b": np.arange(4.0)}, by=["", " ", "_x", "_x"])
    assert legend(ax) == ["(blank)", " _x"]
    assert not Groups.of({"a": np.zeros(1)}, [""]).one


# -- maps ----------------------------------------------------------------------------------------------
def test_a_correlation_map_writes_the_correlations(iris):
    ax = plots.correlation_map(iris)
    values = correlation_table(iris).values
    assert [float(t.get_text()) for t in ax.texts] == [float(f"{v:.2f}") for v in values.ravel()]
    picture = np.asarray(ax.images[0].get_array())
    assert to_hex(picture[0, 0]) == BLUE
    assert picture[0, 1, 0] > picture[0, 1, 2]  # negative: nearer to orange
    assert title(plots.correlation_map({"a": [1, 2], "b": [3, 3]})) == "Grey: a column is constant there"
    with pytest.raises(InvalidInput, match="at most 60 columns; got 61"):
        plots.correlation_map(np.eye(61))


def test_a_missingness_map_shades_bands_by_their_share():
    cells = np.random.default_rng(0).random((1000, 3)) < [0.0, 0.3, 1.0]
    table = pd.DataFrame(np.where(cells, np.nan, 1.0), columns=list("abc"))
    ax = plots.missingness_map(table)
    assert names(ax) == ["0 %\na", f"{100 * cells[:, 1].mean():.0f} %\nb", "100 %\nc"]
    assert title(ax) == f"{cells.sum()} of 3000 cells are empty; 3 rows to a band"
    picture = np.asarray(ax.images[0].get_array())
    assert picture.shape == (334, 3, 3)
    light, dark = picture[0, 0, 0], picture[0, 2, 0]
    share = (light - picture[:, 1, 0]) / (light - dark)
    np.testing.assert_allclose(share[:-1], cells[:999, 1].reshape(-1, 3).mean(axis=1), atol=1e-12)
    assert names(plots.missingness_map(missing_cells(table))) == names(ax)


def test_parallel_lines_are_the_rows_as_values_or_as_shares_of_the_range(iris):
    ax = plots.parallel_coordinates(iris, "kind")
    assert ax.get_ylabel() == "value (cm)"
    lines = np.array([line.get_ydata() for line in ax.lines if len(line.get_ydata()) == 4])
    np.testing.assert_array_equal(lines, iris.drop(columns="kind"))
    ax = plots.parallel_coordinates(iris, scale="range", columns=[PW, SL])
    lines = np.array([line.get_ydata() for line in ax.lines])
    assert (lines.min(), lines.max(), names(ax)) == (0.0, 1.0, [PW, SL])
    many = np.random.default_rng(0).normal(size=(3000, 3))
    assert title(plots.parallel_coordinates(many)) == "A sample of 1000 of 3000 rows"
    with pytest.raises(InvalidParameter, match="scale must be one of 'auto', 'values', 'range'"):
        plots.parallel_coordinates(iris, scale="log")


# -- series --------------------------------------------------------------------------------------------
def test_a_bar_is_for_ratio_scales_only():
    for scale in ("interval", "ordinal"):
        with pytest.raises(InvalidInput, match=f"means nothing on an {scale} scale .'v'."):
            plots.series_chart({"v": [1.0, 2.0]}, kind="bar", scale=scale)
    with pytest.raises(InvalidInput, match="only name things"):
        plots.series_chart({"v": [1.0, 2.0]}, scale="nominal")
    ax = plots.series_chart({"v": [3.0, -1.0, 5.0]}, kind="bar", scale="ratio")
    assert [(b.get_y(), b.get_height()) for b in ax.patches] == [(0, 3.0), (0, -1.0), (0, 5.0)]


@pytest.mark.parametrize(
    ("scale", "n", "words", "bars", "strokes"),
    [("ratio", 5, True, 5, 0), ("ratio", 100, False, 0, 1), ("interval", 5, False, 0, 2), ("interval", 5, True, 0, 1),
     ("ordinal", 5, False, 0, 1), ("interval", 100, False, 0, 1)],
)  # fmt: skip
def test_what_is_drawn_follows_the_scale(scale, n, words, bars, strokes):
    place = [f"w{i}" for i in range(n)] if words else np.arange(n)
    ax = plots.series_chart({"at": place, "v": np.arange(1.0, n + 1)}, "v", along="at", scale=scale)
    assert len(ax.patches) == bars
    assert len([line for line in ax.lines if len(line.get_xdata()) == n]) == strokes
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("at", "v")


def test_without_a_word_the_scale_is_that_of_the_attribute():
    assert (
        len(
            plots.series_chart(
                {"year": [2001, 2002, 2003], "weight (kg)": [70.5, 71.25, 69.0]}, along="year"
            ).patches
        )
        == 3
    )
    with pytest.raises(InvalidInput, match="A bar starts at zero"):
        plots.series_chart({"temperature (°C)": [12.5, 13.5, -2.25]}, kind="bar")


def test_a_series_along_times_is_in_their_order_without_gaps():
    days = pd.to_datetime(["2024-01-03", "2024-01-01", None, "2024-01-02"])
    table = pd.DataFrame({"day": days, "v": [3.0, 1.0, 9.0, 2.0]})
    ax = plots.series_chart(table, along="day", kind="line", scale="ratio")
    assert ax.lines[0].get_ydata().tolist() == [1.0, 2.0, 3.0]
    assert title(ax) == "1 of 4 rows have missing cells"
    render(plots.series_chart(table, along="day", kind="bar", scale="ratio"))


def test_a_series_has_at_most_sixty_words():
    with pytest.raises(InvalidInput, match="along has 61 names; at most 60"):
        plots.series_chart({"w": list(map(str, range(61))), "v": range(61)}, along="w", scale="ratio")
