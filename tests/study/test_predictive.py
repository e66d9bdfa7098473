"""Predictions of rows not seen: every figure against an independent computation."""

import numpy as np
import pytest
from scipy import special, stats
from sklearn import metrics

from suffice.study.steps.clusters import area_interval, share_interval
from suffice.study.steps.predictive import held_out, predictive_section

from .stages import Stage
from .test_chosen import table

pytestmark = pytest.mark.slow


def made(task, name, **options):
    s = Stage(table(task) | options.pop("more", {}), models=[name], folds=3, inner=3, **options)
    return s, s.of(name), predictive_section(s.of(name), s.problem, s.options)


# -- numbers -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["linear", "ridge"])
def test_intervals_hold_what_they_promise(name):
    s, t, p = made("regression", name)
    low, high = t.validation.distributions.interval(0.95)
    inside = (s.problem.y >= low) & (s.problem.y <= high)
    assert (p.inside, p.n) == (inside.sum(), 500)
    a, b = inside.sum() + 0.5, (~inside).sum() + 0.5
    assert p.coverage_interval == pytest.approx(tuple(stats.beta.ppf([0.025, 0.975], a, b)), rel=1e-9)
    error = s.problem.y - t.validation.predictions
    assert p.typical_error == pytest.approx(np.sqrt(np.mean(error**2)), rel=1e-12)
    assert p.largest_error == pytest.approx(np.abs(error).max(), rel=1e-12)


def test_the_transform_is_counted_and_judged():
    s, t, p = made("regression", "linear")
    u = t.validation.distributions.cdf(s.problem.y)
    np.testing.assert_array_equal(p.pit, np.histogram(u, bins=10, range=(0, 1))[0])
    assert "fall evenly" in p.uniformity
    assert p.uniformity in p.sentences


def test_wrong_distributions_are_told():
    """Skewed noise: a Normal around the mean has the wrong shape."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=800)
    s = Stage({"x": x, "y": x + rng.exponential(size=800) ** 2}, models=["linear"], folds=3)
    p = predictive_section(s.of("linear"), s.problem, s.options)
    assert "not quite right" in p.uniformity


def test_facts_of_the_errors():
    s, t, p = made("regression", "linear")
    y, f = s.problem.y, t.validation.predictions
    assert p.facts["share of the variance explained"] == pytest.approx(metrics.r2_score(y, f), rel=1e-10)
    assert p.facts["mean error"] == pytest.approx(np.mean(y - f), rel=1e-10)
    assert p.facts["standard deviation of the errors"] == pytest.approx(np.std(y - f), rel=1e-10)
    correlation = np.corrcoef(np.abs(y - f), f)[0, 1]
    assert p.facts["correlation of the size of errors with the prediction"] == pytest.approx(
        correlation, rel=1e-9
    )


def test_the_worst_rows_are_named_by_their_place_in_the_table():
    t = table("regression")
    t["y"] = np.where(np.arange(500) == 17, np.nan, t["y"])  # a row that is left out shifts all after it
    t["y"][100] += 50
    s = Stage(t, models=["linear"], folds=3)
    worst = predictive_section(s.of("linear"), s.problem, s.options).largest
    assert worst[0].row == 100
    assert worst[0].observed == t["y"][100]
    sizes = [abs(w.observed - w.predicted) for w in worst]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == 5
    assert worst[0].high < worst[0].observed


def test_counts_say_that_they_jump():
    _, _, p = made("counts", "poisson")
    assert sum(p.pit) == 500
    assert p.coverage > 0.95
    assert any("Counts jump" in said for said in p.sentences)


def test_weighted_numbers_are_rows_repeated():
    w = np.random.default_rng(1).integers(1, 4, 500).astype(float)
    s, t, p = made("regression", "linear", more={"w": w}, weights="w")
    low, high = t.validation.distributions.interval(0.95)
    inside, w = (s.problem.y >= low) & (s.problem.y <= high), s.problem.weight
    assert p.coverage == pytest.approx(np.repeat(inside, w.astype(int)).mean(), rel=1e-12)
    error = np.repeat(s.problem.y - t.validation.predictions, w.astype(int))
    assert p.typical_error == pytest.approx(np.sqrt(np.mean(error**2)), rel=1e-12)
    assert p.facts["median absolute error"] == pytest.approx(np.median(np.abs(error)), rel=1e-2)
    assert sum(p.pit) == w.sum()


def test_in_time_every_block_has_its_own_distributions():
    s, t, p = made("regression", "linear", more={"t": np.arange(500)}, time="t")
    parts = held_out(t, s.problem)
    assert len(parts) == 3
    assert sorted(np.concatenate([rows for rows, _ in parts])) == sorted(
        np.concatenate([test for _, test in s.problem.splits])
    )
    assert p.n == sum(len(rows) for rows, _ in parts) == sum(p.pit)
    inside = 0
    for rows, d in parts:
        low, high = d.interval(0.95)
        inside += np.sum((s.problem.y[rows] >= low) & (s.problem.y[rows] <= high))
    assert p.inside == inside


# -- classes -------------------------------------------------------------------------------------------------
def test_binary_figures_are_those_of_scikit_learn():
    s, t, p = made("binary", "logistic")
    y, P = s.problem.y, t.validation.probabilities
    said = np.array(s.problem.labels)[P.argmax(axis=1)]
    np.testing.assert_array_equal(p.confusion, metrics.confusion_matrix(y, said))
    assert p.accuracy == pytest.approx(metrics.accuracy_score(y, said), rel=1e-12)
    assert p.auc == pytest.approx(metrics.roc_auc_score(y == "yes", P[:, 1]), rel=1e-10)
    assert p.brier == pytest.approx(metrics.brier_score_loss(y == "yes", P[:, 1]), rel=1e-10)
    assert p.majority == pytest.approx(max(np.mean(y == "yes"), np.mean(y == "no")), rel=1e-12)
    assert p.accuracy_interval[0] < p.accuracy < p.accuracy_interval[1]
    assert p.auc_interval[0] < p.auc < p.auc_interval[1]
    yes = p.measures[1]
    assert (yes.precision, yes.recall) == pytest.approx(
        (metrics.precision_score(y, said, pos_label="yes"), metrics.recall_score(y, said, pos_label="yes")),
        rel=1e-12,
    )


def test_the_roc_curve_is_thinned_but_keeps_its_ends():
    _, _, p = made("binary", "logistic")
    assert len(p.roc) <= 200
    np.testing.assert_array_equal(p.roc[[0, -1]], [[0, 0], [1, 1]])
    assert np.all(np.diff(p.roc, axis=0) >= 0)
    assert np.trapezoid(p.roc[:, 1], p.roc[:, 0]) == pytest.approx(p.auc, abs=5e-3)


@pytest.mark.parametrize("weighted", [False, True])
def test_thresholds_agree_with_the_confusion_matrix(weighted):
    w = np.random.default_rng(2).integers(1, 4, 500).astype(float)
    more = {"more": {"w": w}, "weights": "w"} if weighted else {}
    s, t, p = made("binary", "logistic", **more)
    h = p.thresholds
    at = int(np.flatnonzero(h.threshold == h.start)[0])
    now = [[h.true_negative[at], h.false_positive[at]], [h.false_negative[at], h.true_positive[at]]]
    np.testing.assert_array_equal(now, p.confusion)
    weight = w[s.problem.rows] if weighted else np.ones(500)
    for i in (0, 13, 50, 87, 100):
        said = t.validation.probabilities[:, 1] > h.threshold[i]
        assert h.true_positive[i] == weight[said & (s.problem.y == "yes")].sum()
        assert h.false_positive[i] == weight[said & (s.problem.y == "no")].sum()
    np.testing.assert_array_equal(h.true_positive + h.false_negative, weight[s.problem.y == "yes"].sum())
    assert len(h.threshold) == 101
    assert (h.positive, h.negative) == ("yes", "no")


def test_a_tie_at_one_half_goes_to_the_first_class():
    """The class frequencies of a balanced table are ties in every row."""
    y = np.array(["a", "b"] * 30, dtype=object)
    s = Stage({"x": np.random.default_rng(0).normal(size=60), "y": y}, models=["lda"], folds=3)
    p = predictive_section(s.of("prior"), s.problem, s.options)
    np.testing.assert_array_equal(s.of("prior").validation.probabilities, 0.5)
    np.testing.assert_array_equal(p.confusion, [[30, 0], [30, 0]])
    h = p.thresholds
    assert (h.true_positive[50], h.false_positive[50]) == (0, 0)
    assert (h.true_positive[49], h.false_positive[49]) == (30, 30)
    assert p.auc == 0.5
    assert p.measures[1].precision is None


def test_reliability_bins_hold_all_rows():
    s, t, p = made("binary", "logistic")
    (r,) = p.reliability
    assert r.label == "yes"
    assert r.count.sum() == 500
    edges = np.quantile(t.validation.probabilities[:, 1], np.linspace(0, 1, 11)[1:-1], method="inverted_cdf")
    bins = np.searchsorted(edges, t.validation.probabilities[:, 1], side="left")
    found = [np.mean((s.problem.y == "yes")[bins == b]) for b in range(10)]
    np.testing.assert_allclose(r.found, found, rtol=1e-12)
    assert np.all(r.low <= r.found)
    assert np.all(r.found <= r.high)


def test_several_classes():
    s, t, p = made("multi-class", "lda")
    assert p.thresholds is None
    assert p.roc is None
    assert p.auc is None
    assert [m.label for m in p.measures] == ["a", "b", "c"] == [r.label for r in p.reliability]
    for k, m in enumerate(p.measures):
        expected = metrics.roc_auc_score(s.problem.y == m.label, t.validation.probabilities[:, k])
        assert m.auc == pytest.approx(expected, rel=1e-10)
    assert any("The most frequent mistake" in said for said in p.sentences)


def test_overconfident_probabilities_are_told():
    """Naive Bayes counts the same column four times."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=1500)
    y = np.where(x + rng.logistic(size=1500) > 0, "yes", "no").astype(object)
    copies = {f"x{k}": x + 0.01 * rng.normal(size=1500) for k in range(4)}
    s = Stage(copies | {"y": y}, models=["gaussian-nb", "logistic"], folds=3, inner=3)
    told = [predictive_section(s.of(n), s.problem, s.options).sentences for n in ("gaussian-nb", "logistic")]
    assert any("overconfident" in said for said in told[0])
    assert any("come true as far as these rows tell" in said for said in told[1])


# -- rows of one group are alike -------------------------------------------------------------------------------
def copied(task, times):
    """Sixty rows, each `times` over under the id of its group."""
    rows = table(task, n=60, seed=3)
    return {name: np.repeat(v, times) for name, v in rows.items()} | {"id": np.repeat(np.arange(60), times)}


@pytest.mark.parametrize("times", [1, 20])
def test_copies_under_one_group_add_no_evidence(times):
    """Intervals of sixty rows, and of these twenty times over: the same but for the choice of parameters."""
    s = Stage(copied("binary", times), models=["lda"], folds=3, group="id")
    p = predictive_section(s.of("lda"), s.problem, s.options)
    right = p.accuracy
    alone = stats.beta.ppf([0.025, 0.975], 60 * right + 0.5, 60 * (1 - right) + 0.5)
    assert np.ptp(p.accuracy_interval) == pytest.approx(np.ptp(alone), rel=0.06)  # t for z, n / (n − 1)
    assert np.ptp(p.auc_interval) > 0.08
    assert p.auc_interval[0] < p.auc < p.auc_interval[1]
    assert not any("Spiegelhalter" in said or "confident" in said for said in p.sentences)
    assert any("Rows of one 'id' are alike" in said for said in p.sentences)
    assert np.isnan(p.reliability[0].low).all()


def test_coverage_counts_groups():
    s = Stage(copied("regression", 20), models=["linear"], folds=3, group="id")
    p = predictive_section(s.of("linear"), s.problem, s.options)
    share = p.coverage
    alone = stats.beta.ppf([0.025, 0.975], 60 * share + 0.5, 60 * (1 - share) + 0.5)
    assert np.ptp(p.coverage_interval) == pytest.approx(np.ptp(alone), rel=0.06)
    assert "was not tested" in p.uniformity
    assert "p = " not in p.uniformity


def test_grouped_intervals_cover():
    """400 tables of 30 groups of rows that agree: a 90 % interval holds the truth in 90 % (± 4 %) of them."""
    rng = np.random.default_rng(0)
    groups, w = np.repeat(np.arange(30), 10), np.ones(300)
    share, area = 0, 0
    for _ in range(400):
        level = np.repeat(rng.normal(size=30), 10)
        hit = (level + 0.5 * rng.normal(size=300) > 0).astype(float)  # true share 1/2
        low, high = share_interval(hit, w, groups, 0.9)
        share += low <= 0.5 <= high
        truth = rng.random(300) < 0.5
        score = truth + level + rng.normal(size=300)  # difference N(1, 4) between two groups
        ends = area_interval(truth, score, w, groups, 0.9)
        area += ends[0] <= stats.norm.cdf(0.5) <= ends[1]
    assert share / 400 == pytest.approx(0.9, abs=0.045)
    assert area / 400 == pytest.approx(0.9, abs=0.045)


def test_an_area_of_single_rows_has_delongs_interval():
    """With a group per row the variance is DeLong's, up to n / (n − 1)."""
    rng = np.random.default_rng(1)
    truth = rng.random(400) < 0.4
    score = np.round(truth + rng.normal(size=400), 1)  # with ties
    low, high = area_interval(truth, score, np.ones(400), np.arange(400), 0.95)
    a, b = score[truth][:, None], score[~truth][None, :]
    psi = (a > b) + 0.5 * (a == b)
    error = np.sqrt(psi.mean(1).var(ddof=1) / truth.sum() + psi.mean(0).var(ddof=1) / (~truth).sum())
    area = psi.mean()
    found = (special.logit(high) - special.logit(low)) / 2 / stats.t.ppf(0.975, 399) * area * (1 - area)
    assert found == pytest.approx(error, rel=1e-2)


# -- many classes ----------------------------------------------------------------------------------------------
def test_verdicts_carry_the_label_they_are_about():
    """Eight classes: five are judged, and told by their own names."""
    rng = np.random.default_rng(2)
    y = np.array(list("abcdefgh"), dtype=object)[np.arange(400) % 8]
    x = (np.arange(400) % 8) + rng.normal(size=400)
    s = Stage({"x": x, "y": y}, models=["lda"], folds=3)
    p = predictive_section(s.of("lda"), s.problem, s.options)
    judged = [
        label for label in "abcdefgh" if any(f"The probabilities of '{label}'" in t for t in p.sentences)
    ]
    assert judged == list("abcde") == [r.label for r in p.reliability]
    assert "The probabilities of the other 3 classes were not judged." in p.sentences
