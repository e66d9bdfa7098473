"""Tables of true against predicted labels: agreement with scikit-learn, laws, intervals, bad input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta
from sklearn import metrics

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation import Confusion, Measured, PerClass, confusion, counts_from_rates, rates_from_counts

LR = {"tp": 12, "fn": 69, "fp": 10, "tn": 215}  # DTU quiz 16.3
TREE = {"tp": 26, "fn": 55, "fp": 34, "tn": 191}


@pytest.fixture
def rows():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 4, 400)
    yhat = np.where(rng.random(400) < 0.6, y, rng.integers(0, 4, 400))
    return y, yhat, rng.integers(0, 4, 400).astype(float)


def binary(seed: int, n: int = 200):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, np.where(rng.random(n) < 0.7, y, 1 - y)


# -- agreement ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("weighted", [False, True])
def test_two_classes_agree_with_scikit_learn(weighted):
    y, yhat = binary(0)
    w = np.random.default_rng(1).random(len(y)) if weighted else None
    c = confusion(y, yhat, sample_weight=w)
    kw = {"sample_weight": w}
    theirs = {
        "accuracy": metrics.accuracy_score(y, yhat, **kw),
        "error": metrics.zero_one_loss(y, yhat, **kw),
        "recall": metrics.recall_score(y, yhat, **kw),
        "sensitivity": metrics.recall_score(y, yhat, **kw),
        "specificity": metrics.recall_score(y, yhat, pos_label=0, **kw),
        "precision": metrics.precision_score(y, yhat, **kw),
        "npv": metrics.precision_score(y, yhat, pos_label=0, **kw),
        "f1": metrics.f1_score(y, yhat, **kw),
        "scaled_accuracy": metrics.balanced_accuracy_score(y, yhat, **kw),
        "matthews": metrics.matthews_corrcoef(y, yhat, **kw),
        "kappa": metrics.cohen_kappa_score(y, yhat, **kw),
    }
    for name, value in theirs.items():
        assert getattr(c, name) == pytest.approx(value, rel=1e-12, abs=0), name
    assert c.f_beta(2.5) == pytest.approx(metrics.fbeta_score(y, yhat, beta=2.5, **kw), rel=1e-12, abs=0)
    np.testing.assert_allclose(c.table, metrics.confusion_matrix(y, yhat, **kw), rtol=1e-12)


def test_several_classes_agree_with_scikit_learn(rows):
    y, yhat, w = rows
    c = confusion(y, yhat, sample_weight=w)
    kw = {"sample_weight": w, "average": None}
    np.testing.assert_allclose(c.precision, metrics.precision_score(y, yhat, **kw), rtol=1e-12)
    np.testing.assert_allclose(c.recall, metrics.recall_score(y, yhat, **kw), rtol=1e-12)
    np.testing.assert_allclose(c.f1, metrics.f1_score(y, yhat, **kw), rtol=1e-12)
    np.testing.assert_allclose(c.f_beta(0.5), metrics.fbeta_score(y, yhat, beta=0.5, **kw), rtol=1e-12)
    for name, score in (
        ("precision", metrics.precision_score),
        ("recall", metrics.recall_score),
        ("f1", metrics.f1_score),
    ):
        for average in ("macro", "micro"):
            theirs = score(y, yhat, sample_weight=w, average=average)
            assert getattr(c, average)(name) == pytest.approx(theirs, rel=1e-12, abs=0), (name, average)
    assert c.matthews == pytest.approx(metrics.matthews_corrcoef(y, yhat, sample_weight=w), rel=1e-12, abs=0)
    assert c.kappa == pytest.approx(metrics.cohen_kappa_score(y, yhat, sample_weight=w), rel=1e-12, abs=0)
    assert c.scaled_accuracy == pytest.approx(
        metrics.balanced_accuracy_score(y, yhat, sample_weight=w), rel=1e-12, abs=0
    )


def test_micro_rates_are_those_of_the_added_cells(rows):
    y, yhat, _ = rows
    c = confusion(y, yhat)
    for name, m, other in (
        ("fpr", c.fp, c.tn),
        ("tnr", c.tn, c.fp),
        ("npv", c.tn, c.fn),
        ("fnr", c.fn, c.tp),
    ):
        found = c.micro(name)
        assert found == pytest.approx(m.sum() / (m + other).sum(), rel=1e-12, abs=0), name
        assert found.interval[0] < found < found.interval[1]


def test_one_class_against_the_rest_is_the_binary_table(rows):
    y, yhat, _ = rows
    whole = confusion(y, yhat)
    for k in range(4):
        apart = confusion(y == k, yhat == k)
        for name in ("tpr", "fpr", "precision", "npv", "f1", "prevalence", "fnr", "tnr"):
            assert getattr(whole, name)[k] == getattr(apart, name)
            assert getattr(whole, name)[k].interval == pytest.approx(getattr(apart, name).interval, rel=1e-12)
            assert getattr(confusion(y, yhat, positive=k), name) == getattr(apart, name)


# -- laws ---------------------------------------------------------------------------------------------------------
@given(st.tuples(*[st.integers(0, 40)] * 4).filter(lambda c: sum(c) > 0))
@settings(max_examples=150, deadline=None)
def test_every_interval_holds_its_value_and_has_width(cells):
    c = Confusion.of_counts(*cells)
    for name in ("accuracy", "error", "tpr", "fpr", "tnr", "fnr", "precision", "npv", "f1", "prevalence",
                 "scaled_accuracy", "kappa", "matthews", "youden"):  # fmt: skip
        found = getattr(c, name)
        if np.isnan(found):
            assert found.interval is None, name
            assert found.method.startswith("0/0"), name
        else:
            low, high = found.interval
            assert low - 1e-12 <= found <= high + 1e-12, name
            assert high - low > 1e-3, name
            assert low >= -1, name
            assert high <= 1, name


@given(st.tuples(*[st.integers(1, 30)] * 4))
@settings(max_examples=60, deadline=None)
def test_swapping_the_classes_swaps_the_rates(cells):
    tp, fn, fp, tn = cells
    c, swapped = Confusion.of_counts(tp, fn, fp, tn), Confusion.of_counts(tn, fp, fn, tp)
    for a, b in (("tpr", "tnr"), ("fpr", "fnr"), ("precision", "npv")):
        assert getattr(c, a) == getattr(swapped, b)
        assert getattr(c, a).interval == getattr(swapped, b).interval
    for name in ("accuracy", "scaled_accuracy", "kappa", "matthews", "youden"):
        assert getattr(c, name) == pytest.approx(getattr(swapped, name), rel=1e-12, abs=1e-15)
        assert getattr(c, name).interval == pytest.approx(
            getattr(swapped, name).interval, rel=1e-9, abs=1e-12
        )


def test_a_weight_of_two_is_the_row_twice(rows):
    y, yhat, w = rows
    repeated = np.repeat(np.arange(len(y)), w.astype(int))
    a, b = confusion(y, yhat, sample_weight=w), confusion(y[repeated], yhat[repeated])
    assert a == b
    assert a.kappa.interval == b.kappa.interval


def test_tables_of_parts_add(rows):
    y, yhat, _ = rows
    parts = confusion(y[:150], yhat[:150]) + confusion(y[150:], yhat[150:])
    assert parts == confusion(y, yhat)
    with pytest.raises(InvalidInput, match="same labels="):
        confusion([0, 1], [0, 1]) + confusion([0, 2], [0, 2])


def test_transposing_the_rows_transposes_the_table(rows):
    y, yhat, _ = rows
    np.testing.assert_array_equal(confusion(y, yhat).transpose(), confusion(yhat, y).table)
    laid_out = Confusion.of_table(confusion(y, yhat).table.T, rows="predicted")
    assert laid_out == confusion(y, yhat)


def test_the_interval_of_a_proportion_is_the_beta_quantile():
    c = Confusion.of_counts(**LR, confidence=0.9)
    assert c.accuracy.interval == pytest.approx(beta.ppf([0.05, 0.95], 227.5, 79.5), rel=1e-10)
    assert Confusion.of_counts(0, 9, 1, 5).tpr.interval[0] == 0
    assert Confusion.of_counts(9, 0, 1, 5).tpr.interval[1] == 1
    q = np.array(beta.ppf([0.05, 0.95], 12.5, 79.5))
    assert c.f1.interval == pytest.approx(2 * q / (1 + q), rel=1e-10)


@pytest.mark.parametrize("name", ["kappa", "matthews"])
def test_gradients_are_central_differences(name):
    from suffice.evaluation.measures import _forms

    rng = np.random.default_rng(0)
    forms = {
        "kappa": [_forms.kappa],
        "matthews": [
            _forms.matthews,
            lambda p: _forms.f_beta(p, 1, 2.0),
            lambda p: _forms.macro_f_beta(p, [0, 2], 0.5),
        ],
    }[name]
    p = rng.dirichlet(np.ones(9)).reshape(3, 3)
    for form in forms:
        gradient, numeric = form(p)[1], np.zeros((3, 3))
        for cell in np.ndindex(3, 3):
            step = np.zeros((3, 3))
            step[cell] = 1e-6
            numeric[cell] = (form(p + step)[0] - form(p - step)[0]) / 2e-6
        difference = gradient - numeric  # a constant is free: shares sum to one
        np.testing.assert_allclose(difference, difference.mean(), rtol=0, atol=1e-7)


# -- claims of the text -------------------------------------------------------------------------------------------
def test_accuracy_misleads_and_scaled_accuracy_does_not():
    """DTU §16.1.2: constant classifiers score one half; quiz 16.3's ranking reverses."""
    all_positive = Confusion.of_counts(tp=1000, fn=0, fp=10, tn=0)
    assert all_positive.accuracy == pytest.approx(1000 / 1010, rel=1e-14)
    assert all_positive.scaled_accuracy == 0.5
    assert Confusion.of_counts(tp=0, fn=1000, fp=0, tn=10).scaled_accuracy == 0.5
    regression, tree = Confusion.of_counts(**LR), Confusion.of_counts(**TREE)
    assert regression.accuracy > tree.accuracy
    assert regression.scaled_accuracy < tree.scaled_accuracy


# -- mistakes and their price -------------------------------------------------------------------------------------
def test_most_confused_pairs():
    c = Confusion.of_table([[50, 3, 0], [9, 40, 1], [0, 0, 7]], ["cat", "dog", "emu"])
    first, second, third = c.most_confused()
    assert (first.true, first.predicted, first.count) == ("dog", "cat", 9)
    assert first.share == 9 / 50
    assert first.share.interval[0] < 9 / 50
    assert (second.count, third.count) == (3, 1)
    assert c.most_confused(1) == (first,)


def test_weighted_score_is_the_sum_over_rows():
    y, yhat = binary(5)
    c = confusion(y, yhat)
    w = (2.0, -1000.0, -1.0, 0.01)
    worth = np.select([(y == 1) & (yhat == 1), y == 1, yhat == 1], w[:3], w[3])
    assert c.weighted(w) == pytest.approx(worth.sum(), rel=1e-12, abs=0)
    half = c.weighted(w).interval[1] - c.weighted(w)
    se = worth.std(ddof=1) / np.sqrt(len(y))
    assert half == pytest.approx(len(y) * 1.9719565442517553 * se, rel=1e-9, abs=0)  # t quantile, 199 degrees
    assert c.weighted(w, average=True) == pytest.approx(worth.mean(), rel=1e-12, abs=0)
    assert c.weighted([[0.01, -1.0], [-1000.0, 2.0]]) == c.weighted(w)
    assert confusion(y, yhat, labels=[1, 0]).weighted(w) == c.weighted(w)
    with pytest.raises(InvalidParameter, match="four numbers for TP, FN, FP, TN"):
        c.weighted([1, 2, 3])
    with pytest.raises(InvalidParameter, match="weights must be finite"):
        c.weighted([1, 2, 3, np.nan])


def test_rates_and_counts_are_inverse():
    counts = counts_from_rates(**rates_from_counts(**LR))
    assert [counts.tp, counts.fn, counts.fp, counts.tn] == pytest.approx([12, 69, 10, 215], rel=1e-12)
    assert counts.confusion().precision == pytest.approx(6 / 11, rel=1e-12)
    assert counts.n == pytest.approx(306, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"n": 10, "tn": 5, "tpr": 1.2, "fpr": 0.1}, r"tpr must lie in \[0, 1\]; got 1.2"),
        ({"n": 10, "tn": 5, "tpr": 0.2, "fpr": 1.0}, "do not say how many negatives"),
        ({"n": 10, "tn": 0, "tpr": 0.2, "fpr": 0.5}, "do not say how many negatives"),
        ({"n": 10, "tn": 9, "tpr": 0.2, "fpr": 0.5}, "make 18 negatives, more than n=10"),
        ({"n": float("nan"), "tn": 9, "tpr": 0.2, "fpr": 0.5}, "n must be a number > 0"),
    ],
)
def test_impossible_rates(arguments, words):
    with pytest.raises(ValueError, match=words):
        counts_from_rates(**arguments)


# -- inputs of every kind -----------------------------------------------------------------------------------------
def test_every_kind_of_labels_gives_the_same_table():
    y, yhat = binary(2, 60)
    names = np.array(["no", "yes"])
    want = confusion(y, yhat).table
    kinds = [
        lambda v: v.tolist(), lambda v: v.astype(bool), lambda v: v.astype(float), lambda v: pd.Series(v, index=v + 7),
        lambda v: pl.Series(v), lambda v: names[v], lambda v: names[v].tolist(), lambda v: pd.Series(names[v]),
        lambda v: pl.Series(names[v]), lambda v: pd.Categorical(names[v]), lambda v: pd.array(v, dtype="Int64"),
        lambda v: v.astype(np.uint8), lambda v: names[v].astype(object), lambda v: 10**15 * v,
    ]  # fmt: skip
    for kind in kinds:
        np.testing.assert_array_equal(confusion(kind(y), kind(yhat)).table, want)
    np.testing.assert_array_equal(confusion(y.astype(bool), yhat).table, want)
    np.testing.assert_array_equal(
        confusion(names[y], names[yhat], labels=["yes", "no"]).table, want[::-1, ::-1]
    )
    assert confusion(names[y], names[yhat], positive="yes").tpr == confusion(y, yhat).tpr


def test_labels_may_list_classes_without_rows():
    c = confusion(["a", "b"], ["a", "a"], labels=["a", "b", "c"])
    assert c.table.shape == (3, 3)
    assert np.isnan(c.recall["c"])
    assert c.recall["c"].interval is None
    assert np.isnan(c.scaled_accuracy)
    assert "'c'" in c.scaled_accuracy.method
    assert c.macro("recall") == 0.5
    assert np.isfinite(c.macro("f1"))


def test_a_sole_class():
    c = confusion([1, 1, 1], [1, 1, 1])
    assert c.accuracy == 1
    assert 0 < c.accuracy.interval[0] < 1
    with pytest.raises(InvalidParameter, match="Only the class 1 occurs"):
        _ = c.tpr
    both = confusion([1, 1, 1], [1, 1, 1], labels=[0, 1])
    assert both.tpr == 1
    assert np.isnan(both.fpr)
    assert np.isnan(both.kappa)
    assert np.isnan(both.matthews)
    assert np.isnan(both.youden)
    assert np.isnan(confusion([True, True], [True, False]).fpr)


@pytest.mark.parametrize("cells", [(5, 0, 0, 0), (5, 0, 0, 5), (1, 0, 0, 99), (0.01, 0, 0, 1e9)])
def test_a_table_without_mistakes_is_not_certain(cells):
    c = Confusion.of_counts(*cells)
    for found in (c.f_beta(2.0), c.macro("f1"), c.kappa, c.matthews):
        assert np.isnan(found) or (found == 1 and -1 <= found.interval[0] < 1 and found.interval[1] == 1)
    assert c.f_beta(2.0).interval[0] < 1


def test_nothing_predicted_positive():
    c = confusion([0, 1, 1], [0, 0, 0])
    assert np.isnan(c.precision)
    assert c.precision.interval is None
    assert c.recall == 0
    assert c.f1 == 0


def test_one_row():
    c = confusion(["a"], ["b"], positive="a")
    assert c.accuracy == 0
    assert c.accuracy.interval == pytest.approx((0.0, 0.8532542), rel=1e-6)
    assert c.weighted((1, 2, 3, 4)).interval is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([], []), "y is empty"),
        (([1, 0], [1]), "y and yhat must have one entry per row; got 2 and 1"),
        (([1, 0, np.nan], [1, 0, 1]), "y is nan at row 2"),
        (([1, 0, 1], [1, 0, np.inf]), "yhat is inf at row 2"),
        ((["a", None], ["a", "b"]), "y is None at row 1"),
        ((["a", 1], ["a", "b"]), "all of one kind; it holds"),
        (([1, 0], [0.3, 0.8]), "row 0 holds 0.3, which is not a whole number"),
        (([1, 0], ["1", "0"]), "y holds numbers and yhat holds text"),
        (([[1, 0]], [1, 0]), r"y must be a vector of labels, one per row; got shape \(1, 2\)"),
        ((np.array([1j, 2]), [1, 0]), "strings, booleans or whole numbers"),
        (([{}, {}], [1, 0]), "strings, booleans or whole numbers"),
    ],
)
def test_bad_labels(arguments, words):
    with pytest.raises(InvalidInput, match=words):
        confusion(*arguments)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"labels": [0]}, "the rows also hold 1"),
        ({"labels": [0, 1, 1]}, "labels must be distinct"),
        ({"positive": 7}, r"positive must be one of \[0, 1\]; got 7"),
        ({"confidence": 1.0}, "confidence must lie between 0 and 1"),
        ({"sample_weight": [1, -1]}, "sample_weight must not be negative; got -1.0 at row 1"),
        ({"sample_weight": [0, 0]}, "sample_weight is zero for every row"),
        ({"sample_weight": [1, np.nan]}, "sample_weight must be finite"),
        ({"sample_weight": [1]}, "got 2 and 1"),
    ],
)
def test_bad_options(options, words):
    with pytest.raises(ValueError, match=words):
        confusion([0, 1], [0, 1], **options)


def test_ambiguous_positive_class_must_be_named():
    c = confusion(["cat", "dog"], ["cat", "cat"])
    assert c.accuracy == 0.5
    with pytest.raises(InvalidParameter, match="which of 'cat' and 'dog' is the positive class"):
        _ = c.tpr
    with pytest.raises(InvalidParameter, match="which of 1 and 2"):
        _ = confusion([1, 2], [1, 2]).precision
    assert confusion([-1, 1], [-1, 1]).tpr == 1


def test_numbers_that_are_no_labels():
    with pytest.raises(InvalidInput, match="hold 20000 classes, too many for a table; are they labels"):
        confusion(np.arange(20_000), np.arange(20_000))


def test_bad_tables():
    for table, words in (
        ([[1, 2]], "square"),
        ([[-1, 2], [0, 1]], "counts >= 0"),
        ([[0, 0], [0, 0]], "positive"),
    ):
        with pytest.raises(InvalidInput, match=words):
            Confusion.of_table(table)
    with pytest.raises(InvalidParameter, match="labels must name 2 classes"):
        Confusion.of_table([[1, 2], [3, 4]], ["a", "a"])
    with pytest.raises(InvalidParameter, match="labels must name 2 classes"):
        Confusion.of_table([[1, 2], [3, 4]], ["a"])
    with pytest.raises(InvalidParameter, match="rows must be one of"):
        Confusion.of_table([[1, 2], [3, 4]], rows="columns")


def test_scales_do_not_matter():
    small, large = Confusion.of_counts(3, 4, 5, 6), Confusion.of_counts(3e12, 4e12, 5e12, 6e12)
    for name in ("accuracy", "f1", "kappa", "matthews", "scaled_accuracy"):
        assert getattr(large, name) == pytest.approx(getattr(small, name), rel=1e-12)
        low, high = getattr(large, name).interval
        assert high - low < 1e-4


# -- words and frames ---------------------------------------------------------------------------------------------
def test_words_and_frames(rows):
    y, yhat, _ = rows
    c = confusion(y, yhat)
    assert list(c.frame().columns) == ["true", "0", "1", "2", "3"]
    assert c.frame("polars").shape == (4, 5)
    measures = c.measures()
    assert set(measures.columns) == {"label", "measure", "value", "low", "high"}
    assert len(measures) == 5 + 8 * 4
    assert len(confusion([0, 1], [0, 1]).measures("polars")) == 13
    assert len(confusion([1], [1]).measures()) == 5
    assert isinstance(c.tpr, PerClass)
    assert isinstance(c.tpr[0], Measured)
    assert c.tpr.frame().shape == (4, 4)
    assert "accuracy" in str(c)
    assert "<table>" in c._repr_html_()
    assert "&lt;b&gt;" in confusion(["<b>", "c"], ["<b>", "c"])._repr_html_()
    with pytest.raises(InvalidParameter, match="There is no class 9"):
        _ = c.tpr[9]
