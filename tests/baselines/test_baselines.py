"""Baselines: against brute force, scikit-learn's dummies, and every kind of label."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import DataConversionWarning
from sklearn.model_selection import LeaveOneOut

import suffice
from suffice import engine
from suffice._core.errors import HeaderMismatch, InvalidInput, NumericalError
from suffice.baselines import MajorityClassifier, MeanRegressor, MedianRegressor, PriorClassifier
from suffice.baselines.median import weighted_median
from suffice.evaluation import cross_validate

rng = np.random.default_rng(11)
N = 50
X = rng.standard_normal((N, 2))
NEW = rng.standard_normal((4, 2))
WORDS = np.array(["cat", "dog", "owl"])[rng.choice(3, N, p=[0.5, 0.3, 0.2])]
LABELERS = [MajorityClassifier, PriorClassifier]
KINDS = {
    "strings": WORDS,
    "objects": WORDS.astype(object),
    "booleans": WORDS == "cat",
    "objects that are booleans": (WORDS == "cat").astype(object),
    "objects that are booleans of both kinds": np.array([True, np.False_] * 25, dtype=object),
    "integers": np.searchsorted(["cat", "dog", "owl"], WORDS) - 1,
    "objects that are integers": (np.searchsorted(["cat", "dog", "owl"], WORDS) * 7).astype(object),
    "small integers": np.searchsorted(["cat", "dog", "owl"], WORDS).astype(np.int8),
    "whole floats": np.searchsorted(["cat", "dog", "owl"], WORDS).astype(float),
    "negative and large": np.array([-(2**40), 0, 2**40])[np.searchsorted(["cat", "dog", "owl"], WORDS)],
    "a list": WORDS.tolist(),
    "numpy's own strings": WORDS.astype(np.dtypes.StringDType()),
}


# -- the median ---------------------------------------------------------------------------------------
@given(
    st.lists(st.tuples(st.integers(-5, 5), st.sampled_from([0, 1, 1, 2, 5])), min_size=1, max_size=15).filter(
        lambda rows: sum(w for _, w in rows) > 0
    )
)
def test_median_of_counted_rows_is_the_median_of_the_rows(rows):
    y, w = np.array([r[0] for r in rows], dtype=float), np.array([r[1] for r in rows])
    expected = np.median(np.repeat(y, w))
    table = np.zeros((len(y), 1))
    assert MedianRegressor().fit(table, y, w).median_ == expected
    assert MedianRegressor().fit(table, y, w / 10).median_ == expected  # shares of a count, too


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=20))
def test_median_is_numpys(values):
    y = np.array(values)
    assert weighted_median(y, np.ones(len(y))) == pytest.approx(np.median(y), rel=1e-15, abs=0)


@pytest.mark.parametrize(
    "counts", [(1, 2, 2, 1), (2, 1, 2, 1), (3, 3, 3, 3, 3, 3), (1, 1, 1, 2, 1), (7, 0, 7)]
)
def test_halves_that_are_equal_but_for_rounding(counts):
    """Tenths of counts do not sum exactly, and yet they split evenly."""
    y, w = np.arange(len(counts)) ** 2.0, np.array(counts)
    expected = np.median(np.repeat(y, w))
    assert weighted_median(y, w / 10) == weighted_median(y, w / 3) == expected


def test_median_of_the_largest_numbers():
    assert weighted_median(np.array([1.7e308, 1.6e308]), np.ones(2)) == pytest.approx(1.65e308, rel=1e-15)
    far = MedianRegressor().fit(np.zeros((3, 1)), [1e308, 1.2e308, -1.7e308], [1.0, 1.0, 0.0])
    assert far.noise_scale_ == pytest.approx(1e307, rel=1e-12)


def test_median_minimizes_the_absolute_loss():
    y, w = rng.standard_normal(21), rng.integers(1, 5, 21)
    model = MedianRegressor().fit(np.zeros((21, 1)), y, w)
    best = w @ np.abs(y - model.median_)
    assert all(w @ np.abs(y - other) >= best for other in np.linspace(-2, 2, 401))
    assert model.noise_scale_ == pytest.approx(best / w.sum(), rel=1e-14)


def test_median_against_the_dummy():
    Y = rng.standard_normal((N, 3)) * [1.0, 10.0, 1e-3]
    for target in (Y[:, 0], Y, Y[:, :1]):
        mine = MedianRegressor().fit(X, target).predict(NEW)
        theirs = DummyRegressor(strategy="median").fit(X, target).predict(NEW)
        np.testing.assert_allclose(mine, theirs.reshape(mine.shape), rtol=1e-15)


def test_one_wild_value_does_not_move_the_median():
    y = np.arange(11.0)
    wild = np.append(y[:-1], 1e9)
    a, b = MedianRegressor().fit(np.zeros((11, 1)), y), MedianRegressor().fit(np.zeros((11, 1)), wild)
    assert a.median_ == b.median_ == 5.0
    assert MeanRegressor().fit(np.zeros((11, 1)), wild).mean_ > 1e7


def test_laplace_of_the_median_is_the_most_likely():
    y = rng.standard_normal(40) ** 3
    model = MedianRegressor().fit(np.zeros((40, 1)), y)
    d = model.predict_dist(np.zeros((40, 1)))
    best = d.log_prob(y).sum()
    for factor, step in ((1.05, 0.0), (0.95, 0.0), (1.0, 0.05), (1.0, -0.05)):
        other = type(d)(d.loc + step, d.scale * factor)
        assert other.log_prob(y).sum() < best
    assert d.batch_shape == (40,)
    np.testing.assert_allclose(d.quantile(0.5), model.median_, rtol=1e-15)


@pytest.mark.parametrize("scale", [1e-300, 1e-100, 1e100, 1e300])
def test_median_of_any_size(scale):
    y = rng.standard_normal(31)
    plain, scaled = (MedianRegressor().fit(np.zeros((31, 1)), y * s) for s in (1.0, scale))
    assert scaled.median_ / scale == pytest.approx(plain.median_, rel=1e-12)
    assert scaled.noise_scale_ / scale == pytest.approx(plain.noise_scale_, rel=1e-12)


def test_median_of_little():
    one = MedianRegressor().fit([[1.0]], [3.0])
    assert one.predict([[9.0]]).tolist() == [3.0]
    with pytest.raises(NumericalError, match="A spread needs a total weight above 1; got 1"):
        one.predict_dist([[9.0]])
    flat = MedianRegressor().fit(np.zeros((3, 1)), [2.0, 2.0, 2.0]).predict_dist([[0.0]])
    assert flat.scale.tolist() == [0.0]
    assert flat.interval(0.9) == (2.0, 2.0)


def test_median_has_no_statistics():
    model = MedianRegressor().fit(X, X[:, 0])
    for name in ("collect", "solve", "partial_fit", "statistics_"):
        assert not hasattr(model, name)
    result = cross_validate(model, X, X[:, 0], cv=5)
    assert result.how == "refit"


# -- the classes --------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("cls", "strategy"), [(MajorityClassifier, "most_frequent"), (PriorClassifier, "prior")]
)
def test_labels_of_every_kind_against_the_dummy(cls, strategy, kind, tmp_path):
    y = KINDS[kind]
    plain = np.array(np.asarray(y).tolist())
    mine, theirs = cls().fit(X, y), DummyClassifier(strategy=strategy).fit(X, plain)
    assert np.array_equal(mine.classes_, theirs.classes_)
    assert mine.classes_.dtype.kind == plain.dtype.kind
    assert np.array_equal(mine.predict(NEW), theirs.predict(NEW))
    np.testing.assert_allclose(mine.predict_proba(NEW), theirs.predict_proba(NEW), rtol=1e-15)
    np.testing.assert_allclose(mine.class_prior_, theirs.class_prior_, rtol=1e-15)
    assert mine.score(X, plain) == theirs.score(X, plain)
    d = mine.predict_dist(NEW)
    assert np.array_equal(d.classes, mine.classes_)
    assert np.array_equal(d.mode, mine.predict(NEW))
    suffice.save(mine, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert np.array_equal(again.predict(NEW), mine.predict(NEW))
    assert again.predict(NEW).dtype == mine.predict(NEW).dtype
    assert np.array_equal(pickle.loads(pickle.dumps(mine)).predict(NEW), mine.predict(NEW))


def test_labels_of_pandas_and_polars():
    import pandas
    import polars

    for y in (pandas.Series(WORDS), pandas.Series(WORDS).astype("category"), polars.Series(WORDS.tolist())):
        model = PriorClassifier().fit(X, y)
        assert model.classes_.tolist() == ["cat", "dog", "owl"]
        assert model.classes_.dtype.kind == "U"
    assert PriorClassifier().fit(X, pandas.Series(WORDS == "cat").astype("boolean")).classes_.dtype == bool


@pytest.mark.parametrize("cls", LABELERS)
def test_ties_go_to_the_first_class(cls):
    model = cls().fit(np.zeros((4, 1)), ["b", "a", "b", "a"])
    assert model.predict([[0.0]]).tolist() == ["a"]
    again = cls().fit(np.zeros((3, 1)), [2, 1, 0], [1.0, 3.0, 3.0])
    assert again.predict([[0.0]]).tolist() == [0]


def test_point_mass_and_shares():
    y = ["x"] * 3 + ["y"]
    table = np.zeros((4, 1))
    point, shares = MajorityClassifier().fit(table, y), PriorClassifier().fit(table, y)
    assert point.predict_proba([[0.0]]).tolist() == [[1.0, 0.0]]
    assert shares.predict_proba([[0.0]]).tolist() == [[0.75, 0.25]]
    assert point.predict_dist(table).log_prob(y).tolist() == [0.0, 0.0, 0.0, -np.inf]
    np.testing.assert_allclose(shares.predict_dist(table).log_prob(y).sum(), np.log(0.75**3 * 0.25))
    assert point.predict([[0.0]]) == shares.predict([[0.0]])


def test_shares_have_the_smallest_log_loss_of_all_constants():
    counts = np.array([5.0, 3.0, 2.0])
    model = PriorClassifier().fit(np.zeros((3, 1)), [0, 1, 2], counts)
    np.testing.assert_allclose(model.class_prior_, counts / 10, rtol=1e-15)
    best = counts @ np.log(model.class_prior_)
    for other in rng.dirichlet(np.ones(3), 500):
        assert counts @ np.log(other) <= best


def test_error_of_the_majority_is_the_share_of_the_rest():
    model = MajorityClassifier().fit(X, WORDS)
    assert 1 - model.score(X, WORDS) == pytest.approx(np.mean(WORDS != "cat"), rel=1e-14)


@pytest.mark.parametrize("cls", LABELERS)
def test_one_class_is_enough(cls):
    model = cls().fit(X, ["same"] * N)
    assert model.predict_proba(NEW).tolist() == [[1.0]] * 4
    assert model.predict(NEW).tolist() == ["same"] * 4


# -- statistics of labels -----------------------------------------------------------------------------
@pytest.mark.parametrize("cls", LABELERS)
def test_new_labels_become_new_classes(cls):
    model = cls().partial_fit(X[:2], ["b", "b"]).partial_fit(X[:3], ["a", "c", "c"])
    whole = cls().fit(X[:5], ["b", "b", "a", "c", "c"])
    assert model.statistics_ == whole.statistics_
    assert np.array_equal(model.predict_proba(NEW), whole.predict_proba(NEW))


@pytest.mark.parametrize("cls", LABELERS)
def test_listed_classes_keep_their_place(cls):
    model = cls().partial_fit(X[:2], ["b", "b"], classes=["c", "a", "b"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.predict_proba(NEW)[0].tolist() == [0.0, 1.0, 0.0]
    with pytest.raises(
        InvalidInput, match=r"labels \['z'\] in y do not exist in the initial classes, \['a', 'b'\]"
    ):
        model.partial_fit(X[:1], ["z"], classes=["a", "b"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    with pytest.raises(InvalidInput, match="classes contains NaN at row 1"):
        model.partial_fit(X[:1], ["a"], classes=["a", None])
    with pytest.raises(HeaderMismatch, match="labels that are numbers .* with labels that are strings"):
        cls().partial_fit(X[:2], ["b", "b"], classes=[0, 1])


@pytest.mark.parametrize("cls", LABELERS)
def test_merge_unites_classes_and_refuses_other_kinds(cls):
    a, b = cls().fit(X[:2], ["x", "y"]), cls().fit(X[:3], ["y", "z", "z"])
    both = suffice.merge([a, b])
    assert both.classes_.tolist() == ["x", "y", "z"]
    assert both.class_prior_.tolist() == [0.2, 0.4, 0.4]
    with pytest.raises(HeaderMismatch, match="Cannot combine labels"):
        suffice.merge([a, cls().fit(X[:2], [1, 2])])
    with pytest.raises(HeaderMismatch, match="Cannot combine labels"):
        a.partial_fit(X[:2], [1, 2])
    with pytest.raises(HeaderMismatch, match="Cannot merge"):
        suffice.merge([MajorityClassifier().fit(X[:1], ["x"]), PriorClassifier().fit(X[:1], ["x"])])


@pytest.mark.parametrize("cls", LABELERS)
def test_forgetting_a_class_leaves_it_with_probability_zero(cls):
    model = suffice.forget(cls().fit(X[:4], ["a", "b", "b", "c"]), X[:1], ["c"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.class_prior_.tolist() == [1 / 3, 2 / 3, 0.0]
    with pytest.raises(NumericalError, match="Cannot take out more of class .*'c'"):
        suffice.forget(model, X[:1], ["c"])
    with pytest.raises(InvalidInput, match="no rows with positive weight"):
        suffice.forget(model, X[:3], ["a", "b", "b"])


@pytest.mark.parametrize("cls", LABELERS)
def test_a_class_of_weight_zero_is_no_class(cls):
    w = (WORDS != "owl").astype(float)
    assert cls().fit(X, WORDS, w).classes_.tolist() == ["cat", "dog"]


@pytest.mark.parametrize("cls", LABELERS)
def test_batches_of_a_source(cls):
    batches = ((X[i : i + 7], WORDS[i : i + 7]) for i in range(0, N, 7))
    assert engine.fit(cls(), batches).statistics_ == cls().fit(X, WORDS).statistics_


@pytest.mark.parametrize("cls", LABELERS)
def test_folds_from_statistics_when_a_class_is_missing_from_training(cls):
    y = np.array(["a"] * 6 + ["b"] * 5 + ["rare"])
    table, splits = np.zeros((12, 1)), [(np.arange(11), np.array([11])), (np.arange(1, 12), np.array([0]))]
    result = cross_validate(cls(), table, y, cv=splits)
    assert result.how == "statistics"
    assert result.fold_losses.tolist() == [1.0, 0.0]
    for (train, test), p in zip(splits, result.predictions[[11, 0]], strict=True):
        assert p == clone(cls()).fit(table[train], y[train]).predict(table[test])[0]
    assert result.probabilities.shape == (12, 3)  # classes of the whole table, also where a fold lacks one


# -- what is refused ----------------------------------------------------------------------------------
@pytest.mark.parametrize("cls", LABELERS)
@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([1.0, np.nan, 0.0], "y contains NaN at row 1"),
        ([1.0, 0.0, np.inf], "y contains inf at row 2"),
        (np.array([1.0, np.inf, 0.0], dtype=np.float32), "y contains inf at row 1"),
        (np.array([1, 0, np.inf], dtype=object), "y contains inf at row 2"),
        (np.array(["a", None, "b"], dtype=object), "y contains NaN at row 1"),
        (np.array(["a", np.nan, "b"], dtype=object), "y contains NaN at row 1"),
        (np.array(["a", 1, "b"], dtype=object), "all of one kind; got 'a' at row 0 and 1 at row 1"),
        (np.array([True, 1, 0], dtype=object), "all of one kind; got True at row 0 and 1 at row 1"),
        (np.array([(1,), 2, 3], dtype=object), "Unknown label type"),
        ([0.5, 1.5, 2.5], "Unknown label type: continuous.*use a regressor"),
        (np.zeros((3, 2)), "y should be a 1d array of labels"),
        (np.array(5), "y should be a 1d array of labels"),
        (np.array([b"a", b"b", b"a"]), r"Unknown label type: .* got \|S1"),
        (np.array([1, 2, 3], dtype="M8[D]"), "Unknown label type: .* got datetime64"),
        (np.array([1j, 2, 3]), "Complex data not supported"),
        (["a", "b"], "inconsistent numbers of samples"),
    ],
)
def test_wrong_labels(cls, y, words):
    with pytest.raises(InvalidInput, match=words):
        cls().fit(X[:3], y)


def test_missing_labels_of_pandas():
    import pandas

    for y in (
        pandas.Series(["a", None, "b"]),
        pandas.Series([1, None, 2], dtype="Int64"),
        pandas.Series([True, None, False], dtype="boolean"),
    ):
        with pytest.raises(InvalidInput, match="y contains NaN at row 1"):
            PriorClassifier().fit(X[:3], y)


@pytest.mark.parametrize("cls", LABELERS)
def test_a_column_of_labels_is_flattened_with_a_warning(cls):
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        model = cls().fit(X, WORDS[:, None])
    assert np.array_equal(model.predict(NEW), cls().fit(X, WORDS).predict(NEW))


@pytest.mark.parametrize("cls", [MajorityClassifier, PriorClassifier, MedianRegressor])
def test_columns_are_ignored_but_checked(cls):
    y = np.arange(N) % 3
    a, b = cls().fit(X, y), cls().fit(1e6 * X[::-1] ** 3, y)
    assert np.array_equal(a.predict(NEW), b.predict(NEW))
    with pytest.raises(InvalidInput, match="X contains NaN at row 2, column"):
        a.predict(np.where(np.arange(8).reshape(4, 2) == 5, np.nan, NEW))
    with pytest.raises(ValueError, match="3 features, but .* is expecting 2"):
        a.predict(np.zeros((1, 3)))


def test_number_of_the_texts():
    """DTU Q10.5: 225 of 306 patients are of one class, so the majority is right for 225/306."""
    y, table = np.repeat(["many", "few"], [225, 81]), np.zeros((306, 1))
    model = MajorityClassifier().fit(table, y)
    assert model.score(table, y) == 225 / 306
    result = cross_validate(model, table, y, cv=LeaveOneOut())
    assert result.how == "statistics"
    assert result.estimate == pytest.approx(81 / 306, rel=1e-12)
