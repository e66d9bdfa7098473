"""Figures of validation draw the numbers of their records, mark what was chosen, and survive odd records."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from sklearn.model_selection import KFold, LeaveOneOut, ShuffleSplit, TimeSeriesSplit

from suffice import plots
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.bases import Polynomial
from suffice.datasets import diabetes, olympic_100m_men, sinusoid
from suffice.evaluation import (
    Consecutive,
    LearningCurve,
    Rolling,
    ValidationPath,
    bias_variance,
    learning_curve,
    select_features,
    two_layer,
    validate_path,
)
from suffice.linear import LinearRegression, Ridge
from suffice.plots._labels import cut, short, spread
from suffice.plots._style import BLUE, INK, MUTED, ORANGE, svg
from suffice.plots.folds import ROLES, choices
from suffice.plots.validation import STEPS


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def patients():
    return diabetes()


@pytest.fixture(scope="module")
def penalties(patients):
    return validate_path(
        Ridge(standardize=True), patients.X, patients.y, "alpha", np.logspace(4, -2, 13), simplest="first"
    )


def line(ax, color, k=0):
    """Data of the k-th solid curve of a color."""
    found = [one for one in ax.lines if to_rgb(one.get_color()) == to_rgb(color) and len(one.get_xdata()) > 1]
    return np.column_stack(found[k].get_data())


def marks(ax):
    """Words of the legend with the place of each single mark."""
    return {
        one.get_label(): (one.get_xdata()[0], one.get_ydata()[0])
        for one in ax.lines
        if not one.get_label().startswith("_")
    }


def words(ax):
    return [t.get_text() for t in ax.texts]


def ticks(ax):
    return [t.get_text() for t in ax.get_xticklabels()]


def path_of(values, test, *, train=None, folds=None, simplest="first"):
    """A record with these losses."""
    test = np.asarray(test, dtype=float)
    train = np.zeros(len(test)) if train is None else np.asarray(train, dtype=float)
    folds = np.column_stack([test - 0.1, test + 0.1]) if folds is None else folds
    sizes = np.ones(folds.shape[1])
    return ValidationPath(
        "p", tuple(values), train, test, folds, folds, sizes, simplest, "refit", (), "squared"
    )


# -- validation_curve ----------------------------------------------------------------------------------
def test_a_validation_curve_draws_both_losses_in_the_order_of_the_values(penalties):
    ax = plots.validation_curve(penalties)
    order = np.argsort(penalties.values)
    x = np.array(penalties.values)[order]
    np.testing.assert_array_equal(line(ax, BLUE), np.column_stack([x, penalties.test[order]]))
    np.testing.assert_array_equal(line(ax, MUTED), np.column_stack([x, penalties.train[order]]))
    assert {"test", "training"} == set(words(ax))
    assert ax.get_xscale() == "log"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("alpha", "squared loss ± standard error")


def test_its_band_is_one_standard_error_to_each_side(penalties):
    (band,) = plots.validation_curve(penalties).collections
    drawn = {(round(x, 9), round(y, 6)) for x, y in band.get_paths()[0].vertices}
    for sign in (-1, 1):
        edge = penalties.test + sign * penalties.std_error
        assert {
            (round(float(x), 9), round(float(y), 6)) for x, y in zip(penalties.values, edge, strict=True)
        } <= drawn


def test_its_marks_stand_at_the_best_and_at_the_simplest_as_good(penalties):
    found = marks(plots.validation_curve(penalties))
    best, simple = penalties.best_index, penalties.one_standard_error_index
    assert best != simple
    assert found == {
        f"best: {penalties.best:.3g}": (penalties.best, penalties.test[best]),
        f"simplest within one standard error: {penalties.one_standard_error:.3g}": (
            penalties.one_standard_error,
            penalties.test[simple],
        ),
    }


def test_one_mark_where_the_best_is_the_simplest():
    assert list(marks(plots.validation_curve(path_of([1, 2, 3], [1.0, 2.0, 3.0])))) == ["best: 1"]


def test_whole_numbers_are_the_ticks():
    assert ticks(plots.validation_curve(path_of(range(1, 9), np.arange(8.0) + 1))) == list("12345678")
    many = plots.validation_curve(path_of(range(200), np.arange(200.0) + 1))
    assert 3 <= len(many.get_xticks()) < 20
    np.testing.assert_array_equal(many.get_xticks(), np.round(many.get_xticks()))


def test_a_zero_among_decades_keeps_a_place():
    ax = plots.validation_curve(path_of([0.0, 0.01, 1.0, 100.0], [4.0, 3.0, 2.0, 3.0]))
    assert ax.get_xscale() == "symlog"
    places = ax.transData.transform([(v, 1.0) for v in (0.0, 0.01, 1.0, 100.0)])[:, 0]
    assert np.all(np.diff(places) > 10)


@pytest.mark.parametrize("values", [[0.5, 1.0, 2.0], [-1.0, 0.0, 1000.0], [5.0, 50.0, 500.0]])
def test_two_decades_and_negative_values_keep_a_plain_axis(values):
    assert plots.validation_curve(path_of(values, [1.0, 2.0, 3.0])).get_xscale() == "linear"


@pytest.mark.parametrize(
    "values",
    [
        ["gini", "entropy", "log_loss"],
        [2, 5, None],
        [1.0, np.inf, 2.0],
        [True, False, True],
        [(1,), (2,), ()],
    ],
)
def test_other_values_stand_in_the_order_tried(values):
    ax = plots.validation_curve(path_of(values, [3.0, 1.0, 2.0]))
    np.testing.assert_array_equal(line(ax, BLUE), [[0, 3.0], [1, 1.0], [2, 2.0]])
    assert ticks(ax) == [short(v) for v in values]


def test_losses_that_span_decades_have_a_logarithmic_axis_and_leave_out_what_is_far_below():
    ax = plots.validation_curve(path_of([1, 2, 3], [1.0, 50.0, 900.0], train=[0.9, 1e-3, 1e-28]))
    assert ax.get_yscale() == "log"
    low, high = ax.get_ylim()
    assert 1e-3 < low < 1e-2
    assert 900 < high < 5000


def test_losses_within_a_decade_or_with_a_zero_or_below_have_a_plain_axis():
    for test in ([1.0, 5.0, 9.9], [0.0, 1.0, 900.0], [-1.0, 1.0, 900.0]):
        assert plots.validation_curve(path_of([1, 2, 3], test)).get_yscale() == "linear"


def test_a_short_logarithmic_axis_has_ticks_between_the_powers_of_ten():
    ax = plots.validation_curve(path_of([1, 2, 3], [3.0, 20.0, 40.0], train=[2.5, 2.0, 1.9]))
    low, high = ax.get_ylim()
    shown = [t for t in ax.get_yticks() if low <= t <= high]
    np.testing.assert_allclose(shown, [2, 5, 10, 20], rtol=1e-12)
    assert [ax.yaxis.get_major_formatter()(t, 0) for t in shown] == ["2", "5", "10", "20"]


def test_a_loss_that_is_not_finite_is_crossed_and_the_rest_drawn():
    folds = np.array([[1.9, 2.1], [np.nan, 3.0], [0.9, 1.1], [np.nan, np.nan]])
    ax = plots.validation_curve(path_of([1, 2, 3, 4], [2.0, np.nan, 1.0, np.inf], folds=folds))
    np.testing.assert_array_equal(line(ax, BLUE)[:, 1], [2.0, np.nan, 1.0, np.nan])
    crosses = next(one for one in ax.lines if one.get_label() == "no finite loss")
    np.testing.assert_array_equal(crosses.get_xdata(), [2, 4])
    svg(lambda ax: plots.validation_curve(path_of([1, 2], [2.0, np.nan]), ax=ax))
    with pytest.raises(InvalidInput, match="No value of the path has a finite loss"):
        plots.validation_curve(path_of([1, 2], [np.nan, np.nan]))
    assert len(plt.get_fignums()) == 1


def test_one_value_and_one_fold_have_no_band():
    path = path_of([7], [2.0], train=[1.0], folds=np.array([[2.0]]))
    ax = plots.validation_curve(path)
    assert ax.get_ylabel() == "squared loss"
    assert ticks(ax) == ["7"]
    assert marks(ax) == {"best: 7": (7.0, 2.0)}
    svg(lambda ax: plots.validation_curve(path, ax=ax))


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_huge_and_tiny_losses_are_drawn(scale):
    path = path_of(
        [1, 2, 3], np.array([3.0, 1.0, 2.0]) * scale, folds=scale * np.array([[2, 4], [0.5, 1.5], [1, 3]])
    )
    svg(lambda ax: plots.validation_curve(path, ax=ax))


# -- learning_curve ------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def learned(patients):
    sizes = [30, 60, 120, 240, 390]
    return learning_curve(
        LinearRegression(), patients.X, patients.y, sizes=sizes, target=2500.0, random_state=0
    )


def test_a_learning_curve_draws_its_record(learned):
    ax = plots.learning_curve(learned)
    np.testing.assert_array_equal(line(ax, BLUE), np.column_stack([learned.sizes, learned.test]))
    np.testing.assert_array_equal(line(ax, MUTED), np.column_stack([learned.sizes, learned.train]))
    levels = sorted(float(one.get_ydata()[0]) for one in ax.lines if len(set(one.get_ydata())) == 1)
    assert levels == [2500.0, learned.baseline]
    assert {"test", "training", "baseline", "target"} == set(words(ax))
    assert ax.get_title(loc="left").split() == learned.sentence.split()
    assert ticks(ax) == ["30", "60", "120", "240", "390"]
    for band, mean, error in zip(
        ax.collections, (learned.test, learned.train), (learned.test_error, learned.train_error), strict=True
    ):
        edges = band.get_paths()[0].get_extents()
        np.testing.assert_allclose(
            [edges.y0, edges.y1], [(mean - error).min(), (mean + error).max()], rtol=1e-12
        )


def test_a_learning_curve_without_baseline_target_or_many_sizes(learned):
    bare = LearningCurve(
        learned.sizes[:1], learned.fold_train[:1, :1], learned.fold_test[:1, :1], learned.fold_sizes[:1],
        None, None, "refit", (), "squared",
    )  # fmt: skip
    ax = plots.learning_curve(bare)
    assert set(words(ax)) == {"test", "training"}
    assert ax.get_ylabel() == "squared loss"


def test_a_learning_curve_crosses_sizes_without_a_finite_loss(learned):
    holes = learned.fold_test.copy()
    holes[0] = np.nan
    ax = plots.learning_curve(replace(learned, fold_test=holes))
    assert marks(ax) == {"no finite loss": (30, 0.97)}
    ax.figure.draw_without_rendering()
    assert ax._left_title.get_window_extent().y0 > ax.get_legend().get_texts()[0].get_window_extent().y1


def test_names_at_the_ends_keep_apart(learned):
    close = replace(learned, baseline=float(learned.test[-1]), target=float(learned.test[-1]) - 1e-6)
    ax = plots.learning_curve(close)
    ax.figure.draw_without_rendering()
    boxes = sorted((Text.get_window_extent(t) for t in ax.texts), key=lambda box: box.y0)
    assert len(boxes) == 4
    assert all(above.y0 >= below.y1 - 3 for below, above in itertools.pairwise(boxes))


# -- selection_path ------------------------------------------------------------------------------------
TABLE = {"": 0.91, "1": 0.86, "2": 0.92, "3": 0.88, "12": 0.7, "13": 0.82, "23": 0.74, "123": 0.72}


@pytest.mark.parametrize(
    ("direction", "names", "errors", "chosen"),
    [
        ("forward", ["0\nstart", "1\n+ 1", "2\n+ 2"], [0.91, 0.86, 0.7], 2),
        ("backward", ["3\nstart", "2\n− 3"], [0.72, 0.7], 1),
        ("exhaustive", ["0", "1", "2", "3"], [0.91, 0.86, 0.7, 0.72], 2),
    ],
)
def test_a_selection_names_its_steps_and_marks_the_choice(direction, names, errors, chosen):
    found = select_features(TABLE, direction=direction)
    ax = plots.selection_path(found)
    np.testing.assert_array_equal(line(ax, BLUE), np.column_stack([range(len(errors)), errors]))
    assert ticks(ax) == names
    assert marks(ax) == {"chosen: 2 of 3 columns": (chosen, 0.7)}
    assert (ax.get_xlabel(), ax.get_ylabel()) == (STEPS[direction], f"{found.loss} loss")


def test_a_selection_from_data_has_a_band(patients):
    found = select_features(LinearRegression(), patients.X, patients.y)
    ax = plots.selection_path(found)
    edges = ax.collections[0].get_paths()[0].get_extents()
    low, high = (found.errors - found.std_errors).min(), (found.errors + found.std_errors).max()
    np.testing.assert_allclose([edges.y0, edges.y1], [low, high], rtol=1e-12)


def thirty_columns():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        rng.normal(size=(80, 30)), columns=[f"a rather long name of column {j}" for j in range(30)]
    )
    return X, X.to_numpy() @ rng.normal(size=30) + rng.normal(size=80)


def test_thirty_columns_with_long_names_fit():
    found = select_features(LinearRegression(), *thirty_columns(), cv=5, n_features=30)
    ax = plots.selection_path(found)
    ax.figure.draw_without_rendering()
    assert len(ticks(ax)) == 31
    last = found.moves()[30]
    assert ticks(ax)[30] == f"{last[:7]}…{last[-8:]} · 30"
    boxes = [t.get_window_extent() for t in ax.get_xticklabels()]
    assert all(b.x0 >= a.x1 - 1 for a, b in itertools.pairwise(boxes))
    assert ax.get_window_extent().height > 0.35 * ax.figure.bbox.height


def test_a_selection_with_one_step_and_without_a_finite_loss():
    constant = select_features({"": 1.0, "1": 2.0})
    assert marks(plots.selection_path(constant)) == {"chosen: 0 of 1 columns": (0.0, 1.0)}
    odd = replace(constant, errors=np.array([np.nan]))
    assert "no finite loss" in marks(plots.selection_path(odd))
    svg(lambda ax: plots.selection_path(odd, ax=ax))


# -- coefficient_path ----------------------------------------------------------------------------------
def test_weights_are_drawn_against_their_penalties_in_order(patients):
    alphas = np.logspace(5, -1, 20)
    weights = np.array([Ridge(a).fit(patients.X, patients.y).coef_ for a in alphas])
    ax = plots.coefficient_path(alphas, weights, patients.feature_names, chosen=10.0)
    drawn = [one for one in ax.lines if len(one.get_xdata()) == 20]
    np.testing.assert_array_equal([one.get_ydata() for one in drawn], weights[::-1].T)
    np.testing.assert_array_equal(drawn[0].get_xdata(), alphas[::-1])
    assert words(ax) == list(patients.feature_names)
    assert marks(ax) == {"chosen: 10": (10.0, 0.0)}
    assert ax.get_xscale() == "log"


def test_names_stand_where_the_weights_differ_most():
    alphas, weights = [0.1, 1.0, 100.0], np.array([[3.0, -3.0], [1.0, -1.0], [0.0, 0.0]])
    left = plots.coefficient_path(alphas, weights)
    assert [t.get_ha() for t in left.texts] == ["right", "right"]
    assert left.yaxis.get_label_position() == "right"
    assert [t.xy for t in left.texts] == [(0.1, 3.0), (0.1, -3.0)]
    right = plots.coefficient_path(alphas, weights[::-1], ["a", "b"])
    assert [t.get_ha() for t in right.texts] == ["left", "left"]
    assert right.yaxis.get_label_position() == "left"
    assert [t.xy for t in right.texts] == [(100.0, 3.0), (100.0, -3.0)]


def test_of_many_weights_the_largest_are_named():
    rng = np.random.default_rng(0)
    scale = np.arange(30) + 1.0
    weights = scale / (1 + np.logspace(-2, 2, 9)[:, None]) * rng.choice([-1, 1], 30)
    ax = plots.coefficient_path(np.logspace(-2, 2, 9), weights, most=4)
    assert words(ax) == ["x26", "x27", "x28", "x29"]
    assert "the 26 smaller of 30 weights" in [t.get_text() for t in ax.get_legend().get_texts()]
    colors = [one.get_color() for one in ax.lines if len(one.get_xdata()) == 9]
    assert colors.count(MUTED) == 26


def test_one_penalty_and_nan_weights_are_drawn():
    ax = plots.coefficient_path([1.0], [[1.0, np.nan, -2.0]])
    assert words(ax) == ["x0", "x2"]
    svg(lambda ax: plots.coefficient_path([1.0, 2.0], np.full((2, 2), np.nan), ax=ax))


def test_coefficient_path_says_what_it_needs():
    with pytest.raises(InvalidInput, match=r"a row for each of the 3 alphas .* got shape \(2, 3\)"):
        plots.coefficient_path([1.0, 2.0, 3.0], np.ones((2, 3)))
    with pytest.raises(InvalidInput, match=r"got shape \(3,\)"):
        plots.coefficient_path([1.0, 2.0, 3.0], np.ones(3))
    with pytest.raises(InvalidInput, match="names must be one per column of coefficients, 2; got 1"):
        plots.coefficient_path([1.0, 2.0], np.ones((2, 2)), ["a"])
    with pytest.raises(InvalidInput, match="alphas must be finite"):
        plots.coefficient_path([1.0, np.inf], np.ones((2, 2)))
    with pytest.raises(InvalidParameter, match="coefficients must be made of numbers"):
        plots.coefficient_path([1.0], [["a"]])
    with pytest.raises(InvalidParameter, match=r"chosen must lie on the path, between 1 and 2; got 3"):
        plots.coefficient_path([1.0, 2.0], np.ones((2, 2)), chosen=3)
    with pytest.raises(InvalidParameter, match="most must be a number >= 1; got 0"):
        plots.coefficient_path([1.0], [[1.0]], most=0)


# -- two_layer -----------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def judged(patients):
    models = {"ols": LinearRegression(), "ridge": (Ridge(standardize=True), {"alpha": [1.0, 10.0, 100.0]})}
    return two_layer(models, patients.X, patients.y, outer=KFold(4, shuffle=True, random_state=1), inner=4)


def test_two_layers_draw_every_fold_and_every_mean(judged):
    ax = plots.two_layer(judged)
    losses = np.array([judged.errors[name] for name in judged.names])
    joined = [
        one for one in ax.lines if np.array_equal(one.get_ydata(), range(3)) and one.get_marker() == "None"
    ]
    np.testing.assert_array_equal([one.get_xdata() for one in joined], losses.T)
    dots = [one.get_xdata() for one in ax.lines if one.get_marker() == "o"]
    np.testing.assert_array_equal(dots, losses)
    means = [float(one.get_xdata()[0]) for one in ax.lines if one.get_marker() == "|"]
    assert means == [judged.estimates[name] for name in judged.names]
    rule = [one.get_xdata()[0] for one in ax.lines if np.array_equal(one.get_ydata(), [0, 1])]
    assert rule == [judged.estimates["baseline"]]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["ols", "ridge", "baseline"]


def test_two_layers_say_what_was_chosen_and_number_the_folds_of_the_first_model(judged):
    texts = words(plots.two_layer(judged))
    assert choices(judged.chosen["ridge"]) in texts
    numbers = [t for t in plots.two_layer(judged).texts if t.get_text().isdigit()]
    assert {int(t.get_text()): t.xy[0] for t in numbers} == dict(enumerate(judged.errors["ols"]))


def test_choices_are_listed_in_turn_counted_or_said_once():
    assert choices([{}, {}]) == ""
    assert choices([{"a__alpha": 0.1, "k": 2}] * 3) == "alpha = 0.1; k = 2"
    assert choices([{"k": 2}, {"k": 3}, {"kind": "x"}]) == "k: 2 3 –; kind: – – x"
    assert choices([{"k": 2}] * 9 + [{"k": None}] * 4) == "k: 2 (9×), None (4×)"


def test_two_layers_with_odd_folds():
    def record(errors, chosen=({},)):
        return SimpleNamespace(
            names=tuple(errors), errors={k: np.asarray(v) for k, v in errors.items()}, baseline="base",
            estimates={k: float(np.mean(v)) for k, v in errors.items()}, loss="squared",
            chosen={k: chosen * len(v) for k, v in errors.items()},
        )  # fmt: skip

    one = plots.two_layer(record({"a model with a very long name indeed": [1.0], "base": [2.0]}))
    assert (
        one.get_yticklabels()[0].get_text()
        == "a model with…y long name indeed"[:12] + "…" + "ng name indeed"[-13:]
    )
    svg(lambda ax: plots.two_layer(record({"a": [1.0, np.nan], "base": [2.0, 3.0]}), ax=ax))
    svg(lambda ax: plots.two_layer(record({"a": [np.nan], "base": [2.0]}), ax=ax))
    wild = plots.two_layer(record({"a": [1.0, 2.0], "base": [2.0, 1e6]}))
    assert wild.get_xscale() == "log"
    never = plots.two_layer(record({"a": [0.0, 2.0], "base": [2.0, 1e6]}))
    assert never.get_xscale() == "linear"
    many = plots.two_layer(record({f"model {j}": np.ones(30) for j in range(20)} | {"base": np.ones(30)}))
    assert not [t for t in many.texts if t.get_text().isdigit()]


# -- splits --------------------------------------------------------------------------------------------
def roles(ax):
    """The role of each row in each fold, read back from the colors."""
    image = np.asarray(ax.images[0].get_array()) / 255
    palette = np.array([to_rgb(c) for c in ROLES.values()])
    return np.argmin(((image[:, :, None] - palette) ** 2).sum(-1), axis=-1)


@pytest.mark.parametrize(
    "cv",
    [
        KFold(4, shuffle=True, random_state=0), LeaveOneOut(), Consecutive(3, padding=2), TimeSeriesSplit(3),
        Rolling(3, window="sliding", padding=1), ShuffleSplit(3, test_size=0.2, train_size=0.5, random_state=0),
        [(np.arange(10), np.arange(5, 15))], 3,
    ],
)  # fmt: skip
def test_splits_show_the_role_of_every_row(cv):
    X = np.zeros((24, 2))
    ax = plots.splits(cv, X)
    pairs = cv if isinstance(cv, list) else list((KFold(cv) if isinstance(cv, int) else cv).split(X))
    expected = np.zeros((len(pairs), 24), dtype=int)
    for row, (train, test) in zip(expected, pairs, strict=True):
        row[train] += 1
        row[test] += 2
    np.testing.assert_array_equal(roles(ax), expected)
    shown = [t.get_text() for t in ax.get_legend().get_texts()]
    assert shown == [list(ROLES)[k] for k in np.unique(expected)]


def test_splits_draw_only_the_first_of_many_folds():
    ax = plots.splits(LeaveOneOut(), range(100), most=7)
    assert roles(ax).shape == (7, 100)
    assert ax.get_ylabel() == "fold, the first 7 of 100"
    with pytest.raises(InvalidInput, match="12 folds need at least 12 rows; got n_samples=3"):
        plots.splits(12, range(3))
    with pytest.raises(InvalidParameter, match="most must be a number >= 1; got 0"):
        plots.splits(3, range(9), most=0)


def test_splits_of_very_many_rows_are_thinned():
    ax = plots.splits(KFold(2), range(250_001))
    drawn = roles(ax)
    assert drawn.shape[1] <= 100_000
    np.testing.assert_array_equal(drawn[0] == 2, np.arange(250_001)[::3] < 125_001)
    assert ax.get_xlim() == (-0.5, 250_000.5)


def test_splits_use_y_and_groups():
    from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold

    groups = np.array([0, 1, 2] * 4)
    np.testing.assert_array_equal(
        roles(plots.splits(LeaveOneGroupOut(), range(12), groups=groups))[1] == 2, groups == 1
    )
    y = np.repeat([0, 1], 6)
    drawn = roles(plots.splits(StratifiedKFold(3), np.zeros((12, 1)), y)) == 2
    assert np.all(drawn @ y == 2)


# -- spaghetti -----------------------------------------------------------------------------------------
def test_spaghetti_draws_every_fit_their_mean_and_the_truth():
    def simulate(rng):
        x = rng.uniform(size=(15, 1))
        return x, np.sin(6 * x[:, 0]) + rng.normal(scale=0.2, size=15)

    x = np.linspace(0, 1, 30)[::-1, None]
    model = LinearRegression(basis=Polynomial(2))
    result = bias_variance(
        model, simulate, lambda x: np.sin(6 * x[:, 0]), n_sets=8, test=x, noise=0.04, random_state=0
    )
    ax = plots.spaghetti(result.predictions, x, result.truth)
    assert len(ax.lines) == 10
    np.testing.assert_array_equal([line(ax, BLUE, k)[:, 1] for k in range(8)], result.predictions[:, ::-1])
    np.testing.assert_allclose(line(ax, ORANGE)[:, 1], result.mean_prediction[::-1], rtol=1e-12)
    np.testing.assert_array_equal(line(ax, INK), np.column_stack([x[::-1, 0], result.truth[::-1]]))
    assert len(plots.spaghetti(result.predictions, x, mean=False).lines) == 8


def test_spaghetti_passes_over_what_is_missing():
    values = np.array([[1.0, np.nan, 3.0], [2.0, np.nan, np.inf]])
    ax = plots.spaghetti(values, [0.0, 1.0, 2.0])
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), [0.0, 2.0])
    np.testing.assert_array_equal(ax.lines[-1].get_ydata(), [1.5, np.nan, 3.0])
    assert plots.spaghetti([[1.0, 2.0]], [0.0, 1.0]).get_legend().get_texts()[0].get_text() == "1 data set"


def test_spaghetti_says_what_it_needs():
    with pytest.raises(InvalidInput, match=r"a column for each of the 3 points of x; got shape \(2, 2\)"):
        plots.spaghetti(np.ones((2, 2)), np.ones(3))
    with pytest.raises(InvalidInput, match=r"x must hold one number per point; got shape \(3, 2\)"):
        plots.spaghetti(np.ones((2, 3)), np.ones((3, 2)))
    with pytest.raises(InvalidInput, match="truth must have a value for each of the 3 points; got 2"):
        plots.spaghetti(np.ones((2, 3)), np.ones(3), np.ones(2))
    with pytest.raises(InvalidInput, match=r"got shape \(0, 3\)"):
        plots.spaghetti(np.empty((0, 3)), np.ones(3))
    assert plt.get_fignums() == []


# -- words beside lines --------------------------------------------------------------------------------
@given(st.lists(st.floats(0, 100), min_size=1, max_size=12))
def test_spread_keeps_order_gap_and_bounds(places):
    places = np.array(places)
    moved = spread(places, 5.0, 0.0, 100.0)
    order = np.argsort(places, kind="stable")
    assert np.all(np.diff(moved[order]) >= 5.0 - 1e-9)
    assert moved.min() >= -1e-9
    assert moved.max() <= 100 + 1e-9
    apart = len(places) == 1 or np.min(np.diff(np.sort(places))) >= 5.0
    if apart:
        np.testing.assert_allclose(moved, places, rtol=0, atol=1e-9)


def test_spread_moves_two_by_the_same_amount():
    np.testing.assert_allclose(spread(np.array([51.0, 50.0]), 5.0, 0.0, 100.0), [53.0, 48.0], rtol=1e-12)


def test_long_names_lose_their_middle():
    assert cut("short") == "short"
    assert cut("temperature_at_station_12", 15) == "tempera…tion_12"
    assert cut("price in $ and €") == r"price in \$ and €"
    assert (short(0.123456), short(12), short(np.int64(3)), short("uniform"), short(None)) == (
        "0.123", "12", "3", "uniform", "None",
    )  # fmt: skip


@pytest.mark.parametrize(
    "draw",
    [
        lambda ax: plots.validation_curve(path_of([1, 2], [1.0, 2.0]), ax=ax),
        lambda ax: plots.selection_path(select_features({"": 2.0, "$": 1.0}), ax=ax),
        lambda ax: plots.coefficient_path([1.0, 2.0], np.eye(2), ["$\\frac{", "b"], ax=ax),
        lambda ax: plots.splits(3, range(9), ax=ax),
        lambda ax: plots.spaghetti(np.eye(2), [0.0, 1.0], ax=ax),
    ],
)
def test_given_axes_are_used_and_saved_as_they_are(draw):
    ax = plt.figure().subplots()
    assert draw(ax) is ax
    assert len(plt.get_fignums()) == 1
    assert svg(draw) == svg(draw)


def test_real_paths_of_orders_are_drawn():
    men = olympic_100m_men()
    model = LinearRegression(basis=Polynomial(1))
    path = validate_path(model, men.X, men.y, "basis__degree", range(1, 9), cv=LeaveOneOut())
    assert next(iter(marks(plots.validation_curve(path)).values())) == (3, path.test[2])
    data = sinusoid(14, 0.3, random_state=1)
    wild = validate_path(model, data.X, data.y, "basis__degree", range(12), cv=LeaveOneOut())
    assert plots.validation_curve(wild).get_yscale() == "log"
