"""Forests, critical differences, evidence, sorted methods, baselines: what is drawn is what the records say."""

import itertools

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.bases import Polynomial
from suffice.datasets import diabetes, sinusoid_10
from suffice.evaluation import Finding, Measured, two_layer
from suffice.evaluation.comparisons import bayesian_correlated_t, friedman
from suffice.evaluation.evidence import compare_evidence
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.plots._style import BLUE, GREEN, MUTED, ORANGE, svg
from suffice.plots.comparisons import evidence, forest
from suffice.plots.methods import baseline_ceiling, practical_equivalence, sorted_methods
from suffice.plots.ranks import critical_difference


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def compared():
    data = diabetes()
    models = {"ols": LinearRegression(), "ridge": Ridge(100.0)}
    return two_layer(models, data.X, data.y, outer=5)


def words(ax):
    return [t.get_text() for t in ax.texts]


def names(ax):
    return [t.get_text() for t in ax.get_yticklabels()]


def dots(ax):
    """(effect, row, whether filled) of every dot."""
    found = [one for one in ax.lines if len(one.get_xdata()) == 1]
    return [
        (float(one.get_xdata()[0]), int(one.get_ydata()[0]), to_rgb(one.get_markerfacecolor()) != (1, 1, 1))
        for one in found
    ]


def bars(ax, k=2):
    """Ends of the horizontal lines."""
    found = [one for one in ax.lines if len(one.get_xdata()) == k and len(set(one.get_ydata())) == 1]
    return [tuple(map(float, one.get_xdata())) for one in found]


# -- forest --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("setup", ["I", "II"])
def test_a_comparison_has_a_row_per_pair_with_effect_interval_and_corrected_p(compared, setup):
    found = compared.compare(setup=setup)
    ax = forest(found)
    assert names(ax) == [f"{a} − {b}" for a, b in found.pairs]
    assert [at for at, _, _ in dots(ax)] == [f.estimate for f in found.findings]
    assert bars(ax) == [f.interval for f in found.findings]
    assert [filled for *_, filled in dots(ax)] == [
        f.interval[0] > 0 or f.interval[1] < 0 for f in found.findings
    ]
    assert words(ax)[0] == "p (Holm)"
    assert len(words(ax)) == 1 + len(found.pairs)
    for p, word in zip(found.adjusted, words(ax)[1:], strict=True):
        assert word == ("< 0.001" if p < 0.001 else f"{p:.2g}")
    assert ax.get_title(loc="left").startswith(f"Setup {setup}, ")
    assert "squared" in ax.get_xlabel()
    assert "95 % interval" in ax.get_xlabel()


def finding(name, estimate, interval, p=None, confidence=0.95):
    return Finding(name, estimate, interval, "", confidence, p)


def test_findings_are_named_by_themselves_numbered_where_equal_or_by_a_mapping():
    listed = [
        finding("z", 1.0, (0.5, 2.0), 0.04),
        finding("t", 0.0, (-1.0, 1.0)),
        finding("z", -1.0, (-2, 3), 0.5),
    ]
    ax = forest(listed, label="gain")
    assert names(ax) == ["z 1", "t", "z 2"]
    assert words(ax) == ["p", "0.04", "", "0.5"]
    assert [filled for *_, filled in dots(ax)] == [True, False, False]
    assert ax.get_xlabel() == "gain, 95 % interval"
    assert names(forest({"first": listed[0]})) == ["first"]
    assert names(forest(listed[0])) == ["z"]


def test_findings_without_intervals_or_p_values_are_drawn():
    ax = forest([finding("a", 1.0, None), finding("b", -1.0, (-np.inf, 0.0), 1.0, 0.9)])
    assert [at for at, *_ in dots(ax)] == [1.0, -1.0]
    assert "90 % interval" in ax.get_xlabel()
    assert words(forest([finding("a", 1.0, None)])) == [""]
    svg(lambda ax: forest([finding("a", 1.0, None), finding("b", -1.0, (-np.inf, 0.0), 1.0)], ax=ax))


def test_a_forest_refuses_what_is_no_finding():
    with pytest.raises(InvalidInput, match="There are no findings to draw"):
        forest([])
    with pytest.raises(InvalidInput, match="got float under 'a'"):
        forest({"a": 1.0})


def test_long_names_of_pairs_keep_both_ends():
    ax = forest({"a rather long name of a model that ends in 1": finding("x", 1.0, (0.0, 2.0))})
    ax.figure.draw_without_rendering()
    assert ax.get_window_extent().width > 0.3 * ax.figure.bbox.width


# -- evidence ------------------------------------------------------------------------------------------
def test_bars_are_posterior_probabilities_and_words_the_bayes_factors():
    data = sinusoid_10()
    models = {
        f"order {m}": BayesianLinearRegression(0.005, noise_precision=11.1, basis=Polynomial(m)).fit(
            data.X, data.y
        )
        for m in (1, 3, 9)
    }
    found = compare_evidence(models)
    ax = evidence(found)
    np.testing.assert_allclose([bar.get_width() for bar in ax.patches], found.probabilities, rtol=1e-12)
    assert names(ax) == list(found.names)
    bold = [t.get_text() for t in ax.get_yticklabels() if t.get_fontweight() == "bold"]
    assert bold == [found.best]
    told = words(ax)[1:]
    assert told[found.names.index(found.best)] == "best"
    assert told[0].split(": ")[1] == found.kass_raftery[0]
    assert float(told[0].split(": ")[0].replace("−", "-")) == pytest.approx(
        found.log_bayes_factors[0], rel=5e-3
    )
    with pytest.raises(InvalidInput, match="draws an EvidenceComparison; got dict"):
        evidence({})


# -- ranks ---------------------------------------------------------------------------------------------
def scores(n=20, k=6, seed=0):
    return np.random.default_rng(seed).normal(size=(n, k)) + np.linspace(0, 1.5, k)


def test_a_critical_difference_diagram_has_every_method_at_its_rank_and_a_bar_per_group():
    found = friedman(scores(), names=list("abcdef"))
    ax = critical_difference(found)
    drawn = sorted(float(one.get_xdata()[0]) for one in ax.lines if one.get_marker() == "o")
    np.testing.assert_allclose(drawn, np.sort(found.average), rtol=1e-12)
    stems = {round(float(one.get_xdata()[0]), 9) for one in ax.lines if len(one.get_xdata()) == 3}
    assert stems == {round(float(v), 9) for v in found.average}
    average = dict(zip(found.names, found.average, strict=True))
    thick = [one.get_xdata() for one in ax.lines if one.get_linewidth() == 4]
    assert len(thick) == len(found.groups)
    for ends, group in zip(thick, found.groups, strict=True):
        inside = [name for name in found.names if ends[0] <= average[name] <= ends[1]]
        assert set(inside) == set(group)
    scale = next(one for one in ax.lines if one.get_marker() == "|")
    assert np.ptp(scale.get_xdata()) == pytest.approx(found.critical_difference, rel=1e-12)
    told = {w.split("  ")[0]: float(w.split("  ")[1]) for w in words(ax) if "  " in w}
    assert told == pytest.approx({name: float(v) for name, v in average.items()}, abs=0.0051)


@pytest.mark.parametrize(("n", "k"), [(4, 2), (15, 3), (30, 12), (30, 24)])
def test_names_of_methods_do_not_overlap(n, k):
    found = friedman(scores(n, k), names=[f"method number {i}" for i in range(k)])
    ax = critical_difference(found)
    ax.figure.draw_without_rendering()
    boxes = [Text.get_window_extent(t) for t in ax.texts if t.get_text().startswith("method")]
    assert len(boxes) == k
    for a, b in itertools.combinations(boxes, 2):
        assert not (a.x0 < b.x1 and b.x0 < a.x1 and a.y0 + 1 < b.y1 and b.y0 + 1 < a.y1)


def test_ties_everywhere_and_a_difference_longer_than_the_line():
    ax = critical_difference(friedman(np.ones((5, 3))))
    assert not [one for one in ax.lines if one.get_marker() == "|" and np.ptp(one.get_xdata()) > 2]
    svg(lambda ax: critical_difference(friedman(np.ones((2, 2))), ax=ax))
    with pytest.raises(InvalidInput, match="draws Ranks, as friedman returns them; got ndarray"):
        critical_difference(np.ones((3, 3)))


# -- methods -------------------------------------------------------------------------------------------
TABLE = pd.DataFrame(
    {"tree": [0.8, 0.6, 0.9], "line": [0.7, 0.65, 0.6], "net": [0.9, 0.95, 0.97]},
    index=["wine", "cars", "iris"],
)


@pytest.mark.parametrize(
    ("options", "sets", "methods"),
    [
        ({}, ["iris", "wine", "cars"], ["net", "tree", "line"]),
        ({"better": "lower"}, ["cars", "wine", "iris"], ["line", "tree", "net"]),
        ({"highlight": "line"}, ["wine", "cars", "iris"], ["net", "tree", "line"]),
    ],
)
def test_data_sets_and_methods_are_in_order(options, sets, methods):
    ax = sorted_methods(TABLE, label="accuracy", **options)
    assert [t.get_text() for t in ax.get_xticklabels()] == sets
    assert [t.get_text().split(":")[0] for t in ax.get_legend().get_texts()] == methods
    for one, name in zip(ax.lines, methods, strict=True):
        np.testing.assert_array_equal(one.get_ydata(), TABLE[name].loc[sets])
    top = max(ax.lines, key=lambda one: one.get_zorder())
    assert top.get_label().split(":")[0] == options.get("highlight", methods[0])
    if "highlight" in options:
        assert [one.get_label().split(":")[0] for one in ax.lines if one.get_color() == BLUE] == ["line"]


def test_methods_by_name_and_as_an_array():
    ax = sorted_methods({"a": [1, 2], "b": [2, 1.5]})
    assert [t.get_text() for t in ax.get_xticklabels()] == ["2", "1"]
    assert len(sorted_methods(np.ones((3, 2))).lines) == 2


def test_tables_of_scores_are_checked():
    with pytest.raises(InvalidInput, match="data sets × methods; got shape"):
        sorted_methods([1.0, 2.0])
    with pytest.raises(InvalidInput, match="one value per data set"):
        sorted_methods({"a": [1.0], "b": [1.0, 2.0]})
    with pytest.raises(InvalidInput, match="scores must be finite"):
        sorted_methods([[1.0, np.nan]])
    with pytest.raises(InvalidParameter, match="highlight must be one of the methods; got 'lime'.*line"):
        sorted_methods(TABLE, highlight="lime")
    with pytest.raises(InvalidParameter, match="scores must be made of numbers"):
        sorted_methods([["a", "b"]])
    assert plt.get_fignums() == []


def test_errors_are_sorted_between_baseline_and_ceiling():
    ax = baseline_ceiling(
        {"test": [0.3, 0.1, 0.2], "training": [0.2, 0.15, 0.1]}, Measured(0.5, (0.4, 0.6)), 0.05
    )
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [0.1, 0.2, 0.3])
    np.testing.assert_array_equal(ax.lines[1].get_ydata(), [0.1, 0.15, 0.2])
    levels = {one.get_color(): one.get_ydata()[0] for one in ax.lines[2:]}
    assert levels == {ORANGE: 0.5, GREEN: 0.05}
    (band,) = ax.patches
    edges = band.get_extents().transformed(ax.transData.inverted())
    np.testing.assert_allclose([edges.y0, edges.y1], [0.4, 0.6], rtol=1e-9)
    assert words(ax) == ["test", "training", "baseline 0.5", "ceiling 0.05"]
    ax.figure.draw_without_rendering()
    boxes = sorted((Text.get_window_extent(t) for t in ax.texts), key=lambda box: box.y0)
    assert all(above.y0 >= below.y1 - 3 for below, above in itertools.pairwise(boxes))


def test_a_plain_list_of_errors_and_no_ceiling():
    ax = baseline_ceiling([3.0, 1.0], 2.0)
    assert words(ax) == ["models", "baseline 2"]
    with pytest.raises(InvalidInput, match="'test' must hold finite numbers"):
        baseline_ceiling({"test": [np.nan]}, 1.0)
    with pytest.raises(InvalidInput, match="There are no errors"):
        baseline_ceiling({}, 1.0)


def test_regions_of_practical_equivalence_have_their_probabilities():
    found = bayesian_correlated_t([-0.02, -0.03, 0.01, -0.04, -0.01], 0.2, names=("tree", "line"))
    ax = practical_equivalence(found)
    told = [float(t.get_text().split(": ")[1]) for t in ax.get_legend().get_texts()]
    assert told == pytest.approx([found.left, found.within, found.right], rel=5e-3)
    areas = []
    for region in ax.collections:
        x, y = np.concatenate([path.vertices for path in region.get_paths()]).T
        areas.append(0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))))
    np.testing.assert_allclose(
        areas, found.probabilities, atol=0.006
    )  # 0.2 % lies beyond each end of the axis
    np.testing.assert_array_equal(
        sorted(one.get_xdata()[0] for one in ax.lines if one.get_color() == MUTED), [-0.01, 0.01]
    )


def test_equal_differences_have_no_density():
    with pytest.raises(InvalidInput, match="no density to draw"):
        practical_equivalence(bayesian_correlated_t([0.1, 0.1, 0.1], 0.3))
    with pytest.raises(InvalidInput, match="draws a PracticalEquivalence; got Finding"):
        practical_equivalence(finding("a", 0.0, None))
