"""The comparison: differences and their tests, by hand; and sentences that say no more than they know."""

import numpy as np
import pytest
from scipy import stats

from suffice.study import Study
from suffice.study.sections import Compared, Comparison, Difference
from suffice.study.steps import words

MODELS = ["linear", "ridge", "lasso"]


def table(n=150, seed=2, **more):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return {f"x{j}": X[:, j] for j in range(3)} | {"y": 0.7 * X[:, 0] + rng.normal(size=n), **more}


def by_holm(ps):
    """Step down: the i-th smallest of m times m − i, never below the one before."""
    ps, m = np.asarray(ps), len(ps)
    out, worst = np.empty(m), 0.0
    for i, k in enumerate(np.argsort(ps)):
        worst = max(worst, min(1.0, (m - i) * ps[k]))
        out[k] = worst
    return out


@pytest.fixture(scope="module")
def result():
    return Study(table(), "y", models=MODELS, references=False).run()


def test_differences_are_paired_t_tests_over_rows(result):
    c, losses = result.comparison, result.layers.losses
    assert c.setup == "I"
    assert "paired t test" in c.why
    tests = [stats.ttest_rel(losses[name], losses["mean"]) for name in MODELS]
    adjusted = by_holm([t.pvalue for t in tests])
    for name, test, p in zip(MODELS, tests, adjusted, strict=True):
        d = c.of(name).to_baseline
        assert d.estimate == pytest.approx((losses[name] - losses["mean"]).mean(), rel=1e-9)
        assert d.interval == pytest.approx(tuple(test.confidence_interval(0.95)), rel=1e-7)
        assert d.p_value == pytest.approx(test.pvalue, rel=1e-6)
        assert d.p_holm == pytest.approx(p, rel=1e-6)
        assert c.of(name).gain == pytest.approx(1 - losses[name].mean() / losses["mean"].mean(), rel=1e-9)
    assert c.of("mean").to_baseline is None


def test_the_lead_of_the_best_is_one_of_all_pairs(result):
    c, losses = result.comparison, result.layers.losses
    pairs = [(a, b) for i, a in enumerate(MODELS) for b in MODELS[i + 1 :]]
    adjusted = dict(
        zip(pairs, by_holm([stats.ttest_rel(losses[a], losses[b]).pvalue for a, b in pairs]), strict=True)
    )
    for name in MODELS:
        d = c.of(name).to_best
        if name == c.best:
            assert d is None
            continue
        p = adjusted.get((name, c.best), adjusted.get((c.best, name)))
        assert d.p_holm == pytest.approx(p, rel=1e-6)
        assert d.estimate >= 0


def test_groups_are_compared_fold_by_fold():
    groups = np.array([f"g{i // 5}" for i in range(150)], dtype=object)
    result = Study(table(g=groups), "y", group="g", models=["linear"], references=False).run()
    c = result.comparison
    assert c.setup == "II"
    assert "'g'" in c.why
    errors = result.layers.errors
    z = errors["linear"] - errors["mean"]
    k = len(z)
    se = np.sqrt((1 / k + 1 / (k - 1)) * z.var(ddof=1))
    d = c.of("linear").to_baseline
    half = stats.t(k - 1).ppf(0.975) * se
    assert d.estimate == pytest.approx(z.mean(), rel=1e-9)
    assert d.interval == pytest.approx((z.mean() - half, z.mean() + half), rel=1e-6)
    assert d.p_value == pytest.approx(2 * stats.t(k - 1).sf(abs(z.mean() / se)), rel=1e-6)


def test_intervals_of_losses_count_groups():
    """Every row ten times over under one id: as wide as the rows once, up to n / (n − 1)."""
    once = table(60)
    many = {name: np.repeat(v, 10) for name, v in once.items()} | {"id": np.repeat(np.arange(60), 10)}
    found = Study(many, "y", group="id", models=["linear"], references=False, effort="quick").run()
    losses = found.layers.losses["linear"][::10]
    half = stats.t(59).ppf(0.975) * losses.std(ddof=1) / np.sqrt(60)
    row = found.comparison.of("linear")
    assert row.interval == pytest.approx((losses.mean() - half, losses.mean() + half), rel=1e-6)


def test_in_time_stretches_are_compared():
    found = Study(
        table(n=150, day=np.arange(150)), "y", time="day", models=["linear"], references=False
    ).run()
    c, losses = found.comparison, found.layers.losses
    rows = np.flatnonzero(found.layers.fold >= 0)
    base = min(("mean", "last-known"), key=lambda n: losses[n][rows].mean())
    assert c.baseline == base
    d = (losses["linear"] - losses[base])[rows]
    cut = np.arange(len(d)) * 10 // len(d)
    sums = np.array([(d[cut == k] - d.mean()).sum() for k in range(10)])
    se = np.sqrt(10 / 9 * (sums**2).sum()) / len(d)
    lead = c.of("linear").to_baseline
    assert lead.estimate == pytest.approx(d.mean(), rel=1e-9)
    assert lead.p_value == pytest.approx(2 * stats.t(9).sf(abs(d.mean() / se)), rel=1e-6)
    assert c.best != "last-known"


def test_the_last_value_is_the_last_target_before_the_block():
    found = Study(
        table(n=150, day=np.arange(150)), "y", time="day", horizon=0, models=["linear"], references=False
    ).run()
    p, said = found.problem, found.layers.predictions["last-known"]
    for train, test in p.splits:
        np.testing.assert_array_equal(said[test], p.y[train[-1]])


# -- sentences ---------------------------------------------------------------------------------------------------
def difference(estimate, p, other="mean"):
    return Difference(other, estimate, (estimate - 1, estimate + 1), p, p, "")


def compared(name, kind, estimate, to_baseline, to_best, **measures):
    return Compared(
        name, name.title(), kind, estimate, None, np.ones(5), 1 - estimate / 10, measures, None, None, (), to_baseline,
        to_best, "statistics", 0.0, (),
    )  # fmt: skip


def comparison(*models, loss="squared", best="line", proven=True):
    return Comparison(loss, loss, 5, 5, "", 0.95, "I", "", "mean", best, proven, models, (), ())


def squared(*more, p=0.001, proven=True):
    mean = compared("mean", "baseline", 10.0, None, difference(5, p), **{"typical error": 3.2})
    line = compared("line", "model", 5.0, difference(-5, p), None, **{"typical error": 2.2})
    return comparison(mean, line, *more, proven=proven)


def test_a_gain_is_told_with_its_size_and_chance():
    said = words.answer("price", squared())
    assert (
        said.headline
        == "Line predicts price with a typical error of 2.200 on new rows, against 3.200 for the mean alone."
    )
    assert said.sentences == ("That is more than chance (p = 0.001).",)


def test_models_not_told_apart_are_not_called_as_good():
    rival = compared("curve", "model", 5.1, difference(-4.9, 0.001), difference(0.1, 0.4, "line"))
    said = words.answer("price", squared(rival))
    assert "best" not in said.headline
    assert said.sentences[0].endswith("these rows do not tell Line from Curve.")
    beaten = compared("curve", "model", 8.0, difference(-2, 0.001), difference(3, 0.01, "line"))
    assert "best of 2 models" in words.answer("price", squared(beaten)).headline


def test_without_a_test_nothing_is_claimed():
    same = compared(
        "curve", "model", 5.0, difference(-5, 0.001), Difference("line", 0.0, None, None, None, "")
    )
    assert "do not tell Line from Curve" in words.answer("price", squared(same)).sentences[0]


def test_references_that_do_better():
    forest = compared("forest", "reference", 3.0, difference(-7, 0.001), difference(-2, 0.01, "line"))
    said = words.answer("price", squared(forest))
    assert said.sentences[1].startswith("Forest from outside did better still")
    assert (
        words.answer("price", squared(forest), ["cost"])
        .sentences[1]
        .startswith("Column 'cost' determines price")
    )


def test_nothing_found_unless_a_reference_did():
    said = words.answer("price", squared(p=0.3, proven=False))
    assert said.headline == "None of the models is known to predict price better than its mean."
    assert "within chance" in said.sentences[0]
    forest = compared("forest", "reference", 3.0, difference(-7, 0.001), difference(-2, 0.01, "line"))
    said = words.answer("price", squared(forest, p=0.3, proven=False))
    assert said.headline.startswith("None of our models")
    assert said.sentences[0].startswith("Forest from outside did")


@pytest.mark.parametrize(
    ("accuracy", "words_of_it"), [(0.8, "right for 80.0"), (0.7, "how probable each class")]
)
def test_classes_are_told_by_accuracy_only_where_it_gains(accuracy, words_of_it):
    prior = compared("mean", "baseline", 10.0, None, difference(5, 0.001), accuracy=0.7)
    line = compared("line", "model", 5.0, difference(-5, 0.001), None, accuracy=accuracy)
    said = words.answer("kind", comparison(prior, line, loss="log"))
    assert words_of_it in said.headline
    assert len(said.sentences) <= 2


@pytest.mark.parametrize(
    ("estimate", "interval", "p", "start"),
    [
        (-1.0, (-2.0, -0.1), 0.01, "A predicts better than B"),
        (1.0, (0.1, 2.0), 0.01, "A predicts worse than B"),
        (-1.0, (-3.0, 1.0), 0.2, "The rows do not settle"),
        (0.0, None, None, "A and B have the same loss"),
        (-1.0, None, None, "A and B differ by the same amount"),
    ],
)
def test_one_model_against_another(estimate, interval, p, start):
    assert words.against("A", "B", estimate, interval, p, 0.95).startswith(start)
