"""Figures of scores and classes draw the numbers of their records, and survive ties, few rows and many."""

import itertools

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from sklearn.datasets import load_digits

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation.measures.confusion import Confusion, confusion
from suffice.evaluation.measures.curves import threshold_curves
from suffice.evaluation.measures.error_rates import error_rates
from suffice.evaluation.measures.gallery import misclassified
from suffice.evaluation.measures.precision_recall import precision_recall
from suffice.evaluation.measures.roc import one_vs_rest, roc
from suffice.plots import classification as draw
from suffice.plots import mistakes
from suffice.plots._several import HUES, looks, thinned
from suffice.plots._style import BLUE, ORANGE, RULE, svg
from suffice.plots.scores import score_densities


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def rows(n=200, seed=0, ties=False):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    score = rng.normal(1.4 * y)
    return y, np.round(score) if ties else score


def line(ax, color, k=0):
    """Data of the k-th curve of a color."""
    found = [one for one in ax.lines if to_rgb(one.get_color()) == to_rgb(color) and len(one.get_xdata()) > 1]
    return np.column_stack(found[k].get_data())


def legend_words(ax):
    return [t.get_text() for t in ax.get_legend().get_texts()]


def dots(ax):
    """Places of single marks, in the order drawn; empty marks of the legend are left out."""
    single = [one for one in ax.lines if len(one.get_xdata()) == 1 and np.isfinite(one.get_xdata()[0])]
    return [(float(one.get_xdata()[0]), float(one.get_ydata()[0])) for one in single]


# -- curves --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("ties", [False, True])
def test_a_roc_curve_is_that_of_its_record_and_its_dot_the_threshold(ties):
    curve = roc(*rows(ties=ties))
    ax = draw.roc(curve, threshold=0.5)
    np.testing.assert_array_equal(line(ax, BLUE), np.column_stack([curve.fpr, curve.tpr]))
    assert dots(ax) == [(float(curve.at(0.5).fpr), float(curve.at(0.5).tpr))]
    assert legend_words(ax) == [
        f"area {float(curve.area):.3g} [{curve.interval[0]:.3g}, {curve.interval[1]:.3g}]",
        "threshold 0.5",
    ]
    assert ax.get_xlim()[0] < 0 < 1 < ax.get_xlim()[1]


def test_the_area_under_the_drawn_curve_is_the_area_told():
    curve = roc(*rows(ties=True))
    x, y = line(draw.roc(curve), BLUE).T
    assert np.trapezoid(y, x) == pytest.approx(float(curve.area), rel=1e-12)


def test_a_roc_band_is_that_of_its_record():
    curve = roc(*rows())
    (band,) = draw.roc(curve).collections
    vertices = {(round(x, 9), round(y, 9)) for x, y in band.get_paths()[0].vertices}
    expected = curve.tpr_band()
    for edge in (expected.low, expected.high):
        assert {(round(x, 9), round(y, 9)) for x, y in zip(expected.fpr, edge, strict=True)} <= vertices


def test_several_curves_have_names_and_bands_while_they_are_few():
    y, score = rows()
    curves = {f"model {i}": roc(y, score + i) for i in range(4)}
    ax = draw.roc(curves)
    assert [word.split(":")[0] for word in legend_words(ax)] == list(curves)
    assert len(ax.collections) == 0
    assert len(draw.roc(curves, bands=True).collections) == 4
    assert len(draw.roc(dict(list(curves.items())[:3])).collections) == 3
    assert len(draw.roc(curves["model 0"], bands=False).collections) == 0


def test_one_against_the_rest_is_a_curve_per_class():
    rng = np.random.default_rng(0)
    labels = rng.choice(list("abc"), 90)
    found = one_vs_rest(labels, rng.normal(size=(90, 3)) + (labels[:, None] == ["a", "b", "c"]))
    ax = draw.roc(found)
    assert [word.split(":")[0] for word in legend_words(ax)] == ["a", "b", "c"]
    np.testing.assert_array_equal(line(ax, HUES[2])[:, 1], found["c"].tpr)


def test_a_million_scores_are_drawn_with_few_points_that_stay_on_the_curve():
    rng = np.random.default_rng(0)
    y = rng.random(200_000) < 0.5
    curve = roc(y, rng.normal(1.0 * y))
    x, drawn = line(draw.roc(curve), BLUE).T
    assert len(x) <= 2000
    assert (x[0], drawn[0], x[-1], drawn[-1]) == (0, 0, 1, 1)
    assert np.trapezoid(drawn, x) == pytest.approx(float(curve.area), abs=1e-3)


def test_thinned_curves_keep_their_ends_and_leave_no_gap():
    x = np.sort(np.random.default_rng(0).random(50_000)) ** 8
    kept = thinned(x, 1 - x, 500)
    assert kept[0] == 0
    assert kept[-1] == len(x) - 1
    assert len(kept) <= 500
    assert np.max(np.diff(x[kept])) < 1 / 200
    np.testing.assert_array_equal(thinned(x[:9], x[:9]), np.arange(9))
    assert len(thinned(np.ones(5000), np.ones(5000), 100)) <= 100
    still = np.concatenate([np.linspace(0, 1, 5000), np.ones(7)])
    assert thinned(still, still)[-1] == len(still) - 1


@pytest.mark.parametrize("ties", [False, True])
def test_the_area_under_the_steps_is_the_average_precision(ties):
    curve = precision_recall(*rows(ties=ties))
    ax = draw.precision_recall(curve)
    recall, precision = line(ax, BLUE).T
    drawn = next(one for one in ax.lines if to_rgb(one.get_color()) == to_rgb(BLUE))
    assert drawn.get_drawstyle() == "steps-pre"
    area = np.sum(np.diff(recall) * precision[1:])
    assert area == pytest.approx(float(curve.average_precision), rel=1e-12)
    assert float(curve.baseline) in [one.get_ydata()[0] for one in ax.lines]


def test_a_threshold_on_precision_and_recall():
    curve = precision_recall(*rows())
    table = curve.at(0.7)
    assert dots(draw.precision_recall(curve, threshold=0.7)) == [(float(table.tpr), float(table.precision))]


def test_rates_hold_from_each_threshold_to_the_next():
    curves = threshold_curves(*rows(30))
    ax = draw.threshold_curves(curves, threshold=0.5)
    x, y = line(ax, BLUE).T
    np.testing.assert_array_equal(x[1:-1], curves.thresholds[1:])
    np.testing.assert_array_equal(y[:-1], curves.tpr)
    assert x[0] < curves.thresholds[1]
    assert y[0] == 1
    assert y[-1] == 0
    np.testing.assert_array_equal(line(ax, ORANGE)[:-1, 1], curves.fpr)
    assert legend_words(ax) == ["true-positive rate", "false-positive rate", "threshold 0.5"]
    assert len(ax.collections) == 2


def test_any_rate_can_be_drawn_and_others_are_refused():
    curves = threshold_curves(*rows(30))
    names = ["tpr", "fpr", "tnr", "fnr", "precision", "npv", "accuracy", "error", "scaled_accuracy", "f1"]
    svg(lambda ax: draw.threshold_curves(curves, [*names, "youden"], ax=ax))
    assert legend_words(draw.threshold_curves(curves, "f1")) == ["F₁"]
    with pytest.raises(InvalidParameter, match="rates must be one of"):
        draw.threshold_curves(curves, ["recall of all"])


def test_the_equal_error_rate_is_a_dot_with_its_interval():
    y, score = rows()
    found = error_rates(y=y, score=score)
    ax = draw.error_rates(found)
    assert dots(ax) == [(found.eer_threshold, float(found.eer))]
    np.testing.assert_array_equal(line(ax, ORANGE)[:-1, 1], found.far)
    np.testing.assert_array_equal(line(ax, BLUE)[:-1, 1], found.frr)
    bar = next(one for one in ax.lines if list(one.get_xdata()) == [found.eer_threshold] * 2)
    assert tuple(bar.get_ydata()) == found.eer.interval


@pytest.mark.slow
@pytest.mark.parametrize(
    "score",
    [np.zeros(10), np.arange(10) * 1e-150, np.arange(10) * 1e150, np.r_[np.zeros(9), 1.0]],
    ids=["all ties", "tiny", "huge", "two values"],
)
def test_odd_scores_are_drawn(score):
    y = np.arange(10) >= 4
    svg(lambda ax: draw.roc(roc(y, score), ax=ax))
    svg(lambda ax: draw.precision_recall(precision_recall(y, score), ax=ax))
    svg(lambda ax: draw.threshold_curves(threshold_curves(y, score), ax=ax))
    svg(lambda ax: draw.error_rates(error_rates(y=y, score=score), ax=ax))
    svg(lambda ax: score_densities(roc(y, score), threshold=float(score[4]), ax=ax))


def test_what_is_no_curve_is_refused():
    with pytest.raises(InvalidInput, match=r"draws Roc, .*got PrecisionRecall"):
        draw.roc(precision_recall(*rows()))
    with pytest.raises(InvalidInput, match="got ndarray under 'a'"):
        draw.roc({"a": np.zeros(3)})
    with pytest.raises(InvalidInput, match="There is no Roc to draw"):
        draw.roc({})
    assert plt.get_fignums() == []


def test_colors_repeat_with_other_strokes():
    many = looks(3 * len(HUES))
    assert len({(look["color"], str(look["linestyle"])) for look in many}) == len(many)


# -- scores --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("ties", [False, True])
def test_bars_of_the_regions_add_up_to_the_rates(ties):
    curve = roc(*rows(ties=ties))
    ax = score_densities(curve, threshold=1.0)
    table = curve.at(1.0)
    regions = {}
    for patch in ax.patches:
        heights, edges, _ = patch.get_data()
        color = BLUE if to_rgb(patch.get_facecolor()) == to_rgb(BLUE) else ORANGE
        left = np.average((edges[1:] + edges[:-1]) / 2, weights=np.abs(heights)) <= 1.0
        regions[color, left] = float(np.sum(heights))
    expected = {
        (BLUE, False): table.tpr,
        (BLUE, True): table.fnr,
        (ORANGE, False): -table.fpr,
        (ORANGE, True): -table.tnr,
    }
    assert regions == pytest.approx({k: float(v) for k, v in expected.items()}, rel=1e-9)
    told = {t.get_text().split()[0]: float(t.get_text().split()[1]) for t in ax.texts}
    assert told == {"TP": table.tp, "FN": table.fn, "FP": table.fp, "TN": table.tn}


def test_mistakes_are_dark():
    curve = roc(*rows())
    dark = {}
    for patch in score_densities(curve, threshold=1.0).patches:
        heights, edges, _ = patch.get_data()
        called_positive = bool(np.all(edges[:-1][heights != 0] >= 1.0))
        dark[bool(heights.sum() > 0), called_positive] = patch.get_alpha() > 0.5
    assert dark == {(True, True): False, (True, False): True, (False, True): True, (False, False): False}
    assert all(patch.get_alpha() < 0.5 for patch in score_densities(curve).patches)


def test_no_bar_crosses_the_threshold():
    y, score = rows(ties=True)
    ax = score_densities(roc(y, score), threshold=1.0)
    for patch in ax.patches:
        heights, edges, _ = patch.get_data()
        assert 1.0 in edges
        used = np.flatnonzero(heights)
        assert np.all(edges[used] >= 1.0) or np.all(edges[used + 1] <= 1.0)


def test_densities_without_a_threshold_and_with_one_outside():
    curve = roc(*rows())
    assert len(score_densities(curve).texts) == 0
    told = [t.get_text() for t in score_densities(curve, threshold=99.0).texts]
    assert told[1] == "TP  0  (0.0%)"
    with pytest.raises(InvalidParameter, match="threshold must be"):
        score_densities(curve, threshold=float("nan"))


# -- confusion -----------------------------------------------------------------------------------------
def test_cells_hold_counts_and_shares_of_the_true_class():
    ax = mistakes.confusion(Confusion.of_table([[6, 2], [0, 5]], ["no", "yes"], positive="yes"))
    cells = {t.get_position(): t.get_text() for t in ax.texts}
    assert cells == {(0, 0): "6\n75.0 %", (1, 0): "2\n25.0 %", (0, 1): "0", (1, 1): "5\n100 %"}
    assert [t.get_text() for t in ax.get_xticklabels()] == ["no", "yes"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted", "true")


@pytest.mark.parametrize(("show", "cell"), [("counts", "6"), ("shares", "75.0 %")])
def test_what_is_written_can_be_chosen(show, cell):
    ax = mistakes.confusion(Confusion.of_table([[6, 2], [0, 5]]), show=show)
    assert ax.texts[0].get_text() == cell
    with pytest.raises(InvalidParameter, match="show must be one of"):
        mistakes.confusion(Confusion.of_table([[6, 2], [0, 5]]), show="all")


def test_right_is_blue_wrong_is_orange_and_no_rows_are_grey():
    table = Confusion.of_table([[9, 1, 0], [0, 4, 0], [0, 0, 0]], list("abc"))
    colors = mistakes.confusion(table).images[0].get_array()
    blue, orange = (np.array(to_rgb(c)) for c in (BLUE, ORANGE))
    np.testing.assert_allclose(colors[1, 1], blue, atol=1e-6)
    np.testing.assert_allclose(colors[0, 0], 1 - 0.9 * (1 - blue), atol=1e-6)
    np.testing.assert_allclose(colors[0, 1], 1 - 0.85 * (1 - orange), atol=1e-6)
    np.testing.assert_allclose(colors[0, 2], 1, atol=1e-6)
    np.testing.assert_allclose(colors[2], [to_rgb(RULE)] * 3, atol=1e-6)


@pytest.mark.slow
def test_many_classes_keep_apart():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 80, 4000)
    ax = mistakes.confusion(confusion(y, np.where(rng.random(4000) < 0.9, y, rng.integers(0, 80, 4000))))
    ax.figure.draw_without_rendering()
    assert len(ax.texts) == 0
    names = [t.get_window_extent() for t in ax.get_xticklabels()]
    assert len(names) <= 30
    assert all(b.x0 > a.x1 for a, b in itertools.pairwise(names))


def test_numbers_stay_inside_their_cells():
    rng = np.random.default_rng(0)
    ax = mistakes.confusion(Confusion.of_table(rng.integers(0, 99_999, (12, 12)) + 900_000 * np.eye(12)))
    ax.figure.draw_without_rendering()
    cell = ax.get_window_extent().width / 12
    assert len(ax.texts) == 144
    assert max(t.get_window_extent().width for t in ax.texts) < cell


def test_a_figure_of_counts_needs_counts():
    with pytest.raises(InvalidInput, match="draws a Confusion; got list"):
        mistakes.confusion([[1, 2], [3, 4]])


# -- mistakes ------------------------------------------------------------------------------------------
def test_pictures_of_mistakes_are_the_rows_in_order_of_certainty():
    digits = load_digits()
    rng = np.random.default_rng(0)
    guess, sure = np.where(rng.random(1797) < 0.97, digits.target, (digits.target + 1) % 10), rng.random(1797)
    found = misclassified(digits.target, guess, sure)
    ax = mistakes.misclassified(found, digits.data, shape=(8, 8), most=3)
    expected = np.concatenate([rows[:3] for rows in found.by_class().values()])
    assert len(ax.images) == len(expected) == len(ax.texts)
    for image, row in zip(ax.images, expected, strict=True):
        np.testing.assert_array_equal(image.get_array(), digits.images[row])
    assert ax.texts[0].get_text() == f"→ {guess[expected[0]]} ({sure[expected[0]]:.2g})"


def test_rows_of_mistakes_are_a_table_with_their_values():
    X = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [4.25, 5.0]])
    ax = mistakes.misclassified(misclassified(list("abab"), list("bbaa")), X)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a → b · row 0", "b → a · row 3"]
    assert [t.get_text() for t in ax.texts] == ["1", "5", "4.25", "5"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["x0", "x1"]
    shades = ax.images[0].get_array()
    np.testing.assert_allclose(shades[0, 0], 1, atol=1e-6)
    np.testing.assert_allclose(shades[1, 0], 1 - 0.75 * (1 - np.array(to_rgb(BLUE))), atol=1e-6)
    np.testing.assert_allclose(shades[0, 1], shades[1, 1], atol=1e-6)


def test_galleries_refuse_what_does_not_fit():
    wrong = misclassified([0, 1, 1], [1, 1, 0])
    with pytest.raises(InvalidInput, match="X has 2 rows, but row 2 is wrong"):
        mistakes.misclassified(wrong, np.zeros((2, 4)))
    with pytest.raises(InvalidParameter, match="shape must hold the 4 columns"):
        mistakes.misclassified(wrong, np.zeros((3, 4)), shape=(3, 3))
    with pytest.raises(InvalidInput, match="no mistakes"):
        mistakes.misclassified(misclassified([0, 1], [0, 1]), np.zeros((2, 4)))
    with pytest.raises(InvalidInput, match="got tuple"):
        mistakes.misclassified((), np.zeros((2, 4)))
