"""Sentences about models: each says no more than its claim. The claims themselves are in `test_claims`."""

import numpy as np
import pytest

from suffice.study import Study
from suffice.study.sections import Claim, Compared, ModelComparison
from suffice.study.steps import words


def table(n=150, seed=2, **more):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return {f"x{j}": X[:, j] for j in range(3)} | {"y": 0.7 * X[:, 0] + rng.normal(size=n), **more}


def test_the_last_value_is_the_last_target_before_the_block():
    found = Study(
        table(n=150, day=np.arange(150)), "y", time="day", horizon=0, models=["linear"], references=False
    ).run()
    p, said = found.problem, found.layers.predictions["last-known"]
    for train, test in p.splits:
        np.testing.assert_array_equal(said[test], p.y[train[-1]])


# -- sentences ---------------------------------------------------------------------------------------------------
def claim(better, worse, size, p):
    """A claim about two models, made where p is below 5 %."""
    ends = (size / 2, 2 * size) if p <= 0.05 else (-size, 3 * size)
    said = ("", "t test", "", "90 rows")
    return Claim(better, worse, size, ends, p, "rows", 90, p <= 0.05, "mean" in (better, worse), *said)


def compared(name, kind, estimate, to_baseline, to_best, **measures):
    return Compared(
        name, name.title(), kind, estimate, None, np.ones(5), 1 - estimate / 10, measures, None, None, (), to_baseline,
        to_best, "statistics", 0.0, (),
    )  # fmt: skip


def comparison(*models, loss="squared", best="line", proven=True):
    return ModelComparison(
        loss,
        f"{loss} loss",
        5,
        5,
        "",
        0.95,
        "",
        "mean",
        best,
        best,
        proven,
        models,
        (),
        (),
        "rows",
        "90 rows",
    )


def squared(*more, p=0.001, proven=True):
    lead = claim("line", "mean", 5.0, p)
    mean = compared("mean", "baseline", 10.0, None, lead, **{"typical error": 3.2})
    line = compared("line", "model", 5.0, lead, None, **{"typical error": 2.2})
    return comparison(mean, line, *more, proven=proven)


def test_a_gain_is_told_with_its_size_and_chance():
    said = words.answer("price", squared())
    assert (
        said.headline
        == "Line predicts price with a typical error of 2.200 on new rows, against 3.200 for the mean alone."
    )
    assert said.sentences == (
        "It saves 50\u202f% of the squared loss of the mean alone, which is more than chance (95\u202f% interval "
        "25\u202f% to 100\u202f%, p = 0.001, counted over 90 rows).",
    )
    assert (said.tiles[1].value, said.tiles[1].name) == ("50\u202f%", "lower squared loss than the baseline")
    assert said.tiles[1].detail == "95\u202f% interval 25\u202f% to 100\u202f%; 90 rows, not seen"


def test_models_not_told_apart_are_not_called_as_good():
    rival = compared(
        "curve", "model", 5.1, claim("curve", "mean", 4.9, 0.001), claim("line", "curve", 0.1, 0.4)
    )
    said = words.answer("price", squared(rival))
    assert "best" not in said.headline
    assert said.sentences[1] == "These rows do not tell Line from Curve."
    beaten = compared(
        "curve", "model", 8.0, claim("curve", "mean", 2, 0.001), claim("line", "curve", 3, 0.01)
    )
    assert "best of 2 models" in words.answer("price", squared(beaten)).headline


def test_references_that_do_better():
    forest = compared(
        "forest", "reference", 3.0, claim("forest", "mean", 7, 0.001), claim("forest", "line", 2, 0.01)
    )
    said = words.answer("price", squared(forest))
    assert said.sentences[1].startswith("Forest from outside did better still")
    warned = words.answer("price", squared(forest), "Column 'cost' leaks.")
    assert warned.sentences[1] == "Column 'cost' leaks."


def test_nothing_found_unless_a_reference_did():
    said = words.answer("price", squared(p=0.3, proven=False))
    assert said.headline == "None of the models is known to predict price better than its mean."
    assert said.sentences == (
        "Line came closest: it saved 50.0\u202f% of the squared loss, which may be chance (95\u202f% interval "
        "−50\u202f% to 150\u202f%, p = 0.30, counted over 90 rows).",
    )
    forest = compared(
        "forest", "reference", 3.0, claim("forest", "mean", 7, 0.001), claim("forest", "line", 2, 0.01)
    )
    said = words.answer("price", squared(forest, p=0.3, proven=False))
    assert said.headline.startswith("None of our models")
    assert said.sentences[0].startswith("Forest from outside did")


@pytest.mark.parametrize(
    ("accuracy", "words_of_it"), [(0.8, "right for 80.0"), (0.7, "how probable each class")]
)
def test_classes_are_told_by_accuracy_only_where_it_gains(accuracy, words_of_it):
    lead = claim("line", "mean", 5.0, 0.001)
    prior = compared("mean", "baseline", 10.0, None, lead, accuracy=0.7)
    line = compared("line", "model", 5.0, lead, None, accuracy=accuracy)
    said = words.answer("kind", comparison(prior, line, loss="log"))
    assert words_of_it in said.headline
    assert len(said.sentences) <= 2


def test_a_far_higher_loss_is_not_called_alike():
    """0.1 against 294,024, where a few rows decide: nothing is claimed, and nobody is told that they are the same."""
    wild = compared("curve", "model", 9e4, claim("mean", "curve", 9e4, 0.3), claim("line", "curve", 9e4, 0.3))
    c = squared(wild)
    assert not any("do not tell" in s for s in words.answer("price", c).sentences)
    told = words.comparison_sentences(c)
    assert not any("do not tell" in s for s in told)
    assert any(s.startswith("The squared loss of Curve is far higher (90,000 against 5)") for s in told)
