"""Effect curves: the slope of a line, its band, levels by name, classes, and what is not drawn."""

from types import SimpleNamespace

import numpy as np
import pytest

from suffice.study import Study
from suffice.study.page.driver_figures import drivers, drivers_shown, sentence
from suffice.study.sections import EffectCurve, Importances
from suffice.study.steps.effect_curves import DRIVERS, LEVELS, POINTS, effect_curves, strongest


@pytest.fixture(scope="module")
def line():
    rng = np.random.default_rng(3)
    n = 300
    x, z = rng.normal(10, 2, n), rng.integers(0, 4, n)
    city = rng.choice(np.array(["Lima", "Oslo", "Rome"], dtype=object), n, p=[0.2, 0.3, 0.5])
    y = 3 * x + 5 * (city == "Oslo") - 2 * z + rng.normal(size=n)
    table = {"x": x, "z": z, "city": city, "y": y}
    return Study(table, "y", models=["linear"], effort="quick").run()


def curve(result, name):
    return next(c for c in result.chosen.curves if c.column == name)


def test_the_curve_of_a_line_has_its_slope_and_the_interval_of_its_weight(line):
    c, w = curve(line, "x"), line.chosen.weights
    at, k = np.array(c.at), w.term.index("x")
    assert len(at) == POINTS
    np.testing.assert_allclose(np.diff(c.mean) / np.diff(at), w.estimate[k], rtol=1e-8)
    away = at - line.problem.columns["x"].mean()
    np.testing.assert_allclose(c.high - c.mean, np.abs(away) * (w.high[k] - w.estimate[k]), rtol=1e-6)
    np.testing.assert_allclose(c.mean - c.low, np.abs(away) * (w.estimate[k] - w.low[k]), rtol=1e-6)
    assert c.counts.sum() == line.problem.n
    whole = np.interp(line.problem.columns["x"].mean(), at, c.mean)
    assert whole == pytest.approx(line.model.model.predict(line.problem.Z).mean(), rel=1e-8)


def test_levels_are_named_and_compared_with_their_reference(line):
    c, w = curve(line, "city"), line.chosen.weights
    assert set(c.at) == {"Lima", "Oslo", "Rome"}
    assert dict(zip(c.at, c.counts, strict=True))["Rome"] == (line.problem.columns["city"] == "Rome").sum()
    first = int(np.flatnonzero(c.high == c.low)[0])
    for at, mean, low in zip(c.at, c.mean, c.low, strict=True):
        if at != c.at[first]:
            k = w.term.index(f"city = {at}")
            assert mean - c.mean[first] == pytest.approx(w.estimate[k])
            assert low - c.mean[first] == pytest.approx(w.low[k])


def test_values_of_few_kinds_are_all_there(line):
    assert curve(line, "z").at == (0.0, 1.0, 2.0, 3.0)


def test_classes_have_curves_of_their_probabilities():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(240, 2))
    y = np.array(["a", "b", "c"], dtype=object)[
        np.digitize(x[:, 0] + 0.3 * rng.normal(size=240), (-0.5, 0.5))
    ]
    result = Study({"x": x[:, 0], "noise": x[:, 1], "y": y}, "y", models=["lda"], effort="quick").run()
    found = drivers(result)[0]
    assert [c.label for c in found] == ["a", "b", "c"]
    np.testing.assert_allclose(sum(c.mean for c in found), 1.0, rtol=1e-9)
    assert np.isnan(found[0].low).all()
    assert found[0].mean[0] > 0.9 > 0.1 > found[0].mean[-1]


def test_a_band_of_odds_holds_the_curve_and_stays_a_probability():
    rng = np.random.default_rng(6)
    x = rng.normal(size=300)
    y = np.where(x + rng.logistic(size=300) > 0, "yes", "no").astype(object)
    c = curve(Study({"x": x, "y": y}, "y", models=["logistic"], effort="quick").run(), "x")
    assert c.label == "yes"
    assert np.all((c.low >= 0) & (c.low <= c.mean) & (c.mean <= c.high) & (c.high <= 1))
    assert (c.high - c.low)[0] > 0.05 > (c.high - c.low).min()


def test_no_band_where_the_weights_do_not_make_the_prediction(line):
    class Bent:
        def predict(self, Z):
            return Z[:, 0] ** 2

    found = effect_curves(Bent(), line.problem, ["x"], line.chosen.weights, "identity", 0)
    assert np.isnan(found[0].low).all()
    assert found[0].mean[-1] > found[0].mean[0]


def test_only_columns_whose_loss_grows_are_drivers():
    estimate = np.array([5.0, 2.0, 1.0, 0.5, -1.0])
    i = Importances(tuple("abcde"), estimate, estimate - 0.4, estimate + 0.4, "squared", 3)
    assert strongest(i) == ("a", "b", "c")
    assert len(strongest(i)) == DRIVERS
    sure = Importances(tuple("abcde"), estimate, estimate - 1.5, estimate + 1.5, "squared", 3)
    assert strongest(sure) == ("a", "b")
    none = Importances(
        tuple("abcde"), np.array([5.0, 2, 1e-13, 0, -1]), estimate - 9, estimate + 9, "squared", 3
    )
    assert strongest(none) == ("a", "b")
    assert strongest(None) == ()


def test_many_levels_are_cut_to_the_most_frequent():
    rng = np.random.default_rng(8)
    word = np.array([f"w{k:02d}" for k in np.minimum(rng.geometric(0.15, 400), 12)], dtype=object)
    y = np.array([int(v[1:]) for v in word]) + rng.normal(size=400)
    c = curve(
        Study(
            {"word": word, "x": rng.normal(size=400), "y": y}, "y", models=["linear"], effort="quick"
        ).run(),
        "word",
    )
    assert len(c.at) == LEVELS
    assert "w01" in c.at


# -- words ----------------------------------------------------------------------------------------------------
def made(at, mean, label=""):
    nothing = np.full(len(at), np.nan)
    return EffectCurve("age", label, tuple(at), nothing, np.array(mean), nothing, np.ones(len(at)))


def test_a_curve_in_words():
    assert sentence((made([20.5, 30.0], [1.5, 0.5]),)) == (
        "As 'age' goes from 20.50 to 30, the mean prediction falls from 1.500 to 0.5000."
    )
    turned = made([0.0, 200.0, 400.0], [1.0, 9.0, 2.0])
    assert sentence((turned,)).endswith("rises from 1 to 2, with a high of 9 at 200.")
    levels = sentence((made(["old", "young"], [0.25, 0.75], "yes"),))
    assert levels == (
        "The mean probability of 'yes' is lowest where 'age' is 'old' (25.0\u202f%) and highest where it is 'young' "
        "(75.0\u202f%)."
    )


def test_what_stands_beside_the_curves(line):
    told = drivers_shown(line)
    assert told["count"] == 3
    assert "need the columns 'x'" in told["intro"]
    assert "95\u202f% intervals" in told["reading"]
    assert drivers_shown(SimpleNamespace(chosen=None)) is None
