"""Splits of rows in time: every row tested as promised, nothing near a test row trained on, no future in training."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn
from hypothesis import given, reject
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.linear_model import LinearRegression as Reference
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.model_selection import cross_validate as reference_cross_validate
from sklearn.neighbors import KNeighborsRegressor

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation import cross_validate
from suffice.evaluation.series import Consecutive, Padded, Rolling
from suffice.linear import Ridge
from suffice.prepare.sequences.embedding import embed


def listed(splitter, n, groups=None):
    return [(a.tolist(), b.tolist()) for a, b in splitter.split(np.zeros((n, 1)), None, groups)]


def near(a, b, padding, groups=None):
    """Whether two rows are at most `padding` apart, counted among the rows of their series."""
    if groups is None:
        return abs(a - b) <= padding
    if groups[a] != groups[b]:
        return False
    between = [i for i in range(min(a, b), max(a, b) + 1) if groups[i] == groups[a]]
    return len(between) - 1 <= padding


def brute(train, test, padding, groups=None):
    """Training rows that no test row is near to."""
    return [i for i in train if not any(near(i, j, padding, groups) for j in test)]


@st.composite
def series(draw, n):
    kinds = draw(st.integers(1, 3))
    return np.array([draw(st.integers(0, kinds - 1)) for _ in range(n)])


# -- laws ---------------------------------------------------------------------------------------------
class TestConsecutive:
    @given(st.integers(2, 6), st.integers(0, 25))
    def test_without_padding_is_kfold(self, k, more):
        n = k + more
        assert listed(Consecutive(k), n) == listed(KFold(k), n)

    @given(st.data(), st.integers(2, 5), st.integers(0, 3), st.booleans())
    def test_tests_each_row_once_and_keeps_its_distance(self, data, k, padding, grouped):
        n = 14
        groups = data.draw(series(n)) if grouped else None
        cv, blocks = Consecutive(k, padding=padding), listed(KFold(k), n)
        expected = [(brute(train, test, padding, groups), test) for train, test in blocks]
        if all(train for train, _ in expected):
            assert listed(cv, n, groups) == expected
        else:
            with pytest.raises(InvalidInput, match=r"Fold \d keeps 0 of \d+ training rows"):
                listed(cv, n, groups)

    @given(st.integers(2, 6), st.integers(0, 25))
    def test_each_row_is_tested_once(self, k, more):
        splits = listed(Consecutive(k), k + more)
        assert [i for _, test in splits for i in test] == list(range(k + more))


class TestRolling:
    @given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 3), st.integers(0, 12))
    def test_expanding_is_the_time_series_split(self, k, size, padding, more):
        n = k * size + padding + 1 + more
        if k < 2:
            return
        assert listed(Rolling(k, test_size=size, padding=padding), n) == listed(
            TimeSeriesSplit(k, test_size=size, gap=padding), n
        )

    @given(st.integers(2, 5), st.integers(0, 30))
    def test_default_sizes_are_those_of_the_time_series_split(self, k, more):
        n = k + 1 + more
        assert listed(Rolling(k), n) == listed(TimeSeriesSplit(k), n)

    @given(
        st.data(),
        st.integers(1, 4),
        st.sampled_from(["expanding", "sliding"]),
        st.one_of(st.none(), st.integers(1, 4)),
        st.integers(0, 3),
        st.one_of(st.none(), st.integers(1, 6)),
        st.booleans(),
    )
    def test_never_trains_on_the_future(self, data, k, window, size, padding, least, grouped):
        n = 24
        groups = data.draw(series(n)) if grouped else None
        cv = Rolling(k, window=window, test_size=size, padding=padding, min_train=least)
        try:
            splits = listed(cv, n, groups)
        except InvalidInput:
            reject()
        assert len(splits) == k
        tests = [i for _, test in splits for i in test]
        assert tests == list(range(n - len(tests), n))  # the last rows, each once, in order
        assert len({len(test) for _, test in splits}) == 1
        for train, test in splits:
            assert max(train) < min(test)
            assert len(train) >= (least or 1)
            allowed = brute(range(min(test)), test, padding, groups)
            assert train == (allowed if window == "expanding" else allowed[-len(train) :])
        if window == "sliding":
            lengths = [len(train) for train, _ in splits]
            assert set(lengths) == {least or lengths[0]}
        if size is not None:
            assert len(splits[0][1]) == size

    def test_sizes_worked_by_hand(self):
        assert [len(a) for a, _ in listed(Rolling(3, min_train=4), 10)] == [4, 6, 8]
        assert [len(a) for a, _ in listed(Rolling(3, min_train=4, padding=3), 10)] == [4, 5, 6]
        assert [len(a) for a, _ in listed(Rolling(3, min_train=4, window="sliding"), 12)] == [4, 4, 4]
        assert [a[0] for a, _ in listed(Rolling(3, min_train=4, window="sliding"), 12)] == [2, 4, 6]
        assert [len(a) for a, _ in listed(Rolling(2, window="sliding"), 11)] == [5, 5]
        assert [len(b) for _, b in listed(Rolling(5, padding=10), 26)] == [3] * 5
        assert listed(Rolling(1, test_size=1), 2) == [([0], [1])]


class TestPadded:
    @given(st.data(), st.integers(0, 3), st.booleans(), st.integers(0, 99))
    def test_random_folds_keep_their_distance(self, data, padding, grouped, seed):
        n = 18
        groups = data.draw(series(n)) if grouped else None
        inner = KFold(4, shuffle=True, random_state=seed)
        expected = [(brute(a, b, padding, groups), b) for a, b in listed(inner, n)]
        if all(train for train, _ in expected):
            assert listed(Padded(inner, padding), n, groups) == expected
        else:
            with pytest.raises(InvalidInput, match=r"Fold \d keeps 0 of \d+ training rows"):
                listed(Padded(inner, padding), n, groups)

    @pytest.mark.parametrize("padding", [0, 2])
    def test_of_blocks_is_consecutive(self, padding):
        assert listed(Padded(KFold(4), padding), 23) == listed(Consecutive(4, padding=padding), 23)
        pairs = list(KFold(4).split(np.zeros(23)))
        assert listed(Padded(pairs, padding), 23) == listed(Consecutive(4, padding=padding), 23)
        assert listed(Padded(4, padding), 23) == listed(Consecutive(4, padding=padding), 23)
        assert listed(Padded(Consecutive(4), padding), 23) == listed(Consecutive(4, padding=padding), 23)

    def test_any_splitter(self):
        for inner in (LeaveOneOut(), ShuffleSplit(3, test_size=0.2, random_state=0), TimeSeriesSplit(3)):
            splits = listed(Padded(inner, 1), 20)
            assert (
                len(splits)
                == Padded(inner, 1).get_n_splits(np.zeros((20, 1)))
                == inner.get_n_splits(np.zeros(20))
            )
            for (train, test), (all_train, same) in zip(splits, listed(inner, 20), strict=True):
                assert test == same
                assert train == brute(all_train, test, 1)

    def test_groups_reach_the_splitter(self):
        groups = np.repeat([0, 1, 2], 5)
        for train, test in listed(Padded(GroupKFold(3), 3), 15, groups):
            assert len(set(groups[test])) == 1
            assert len(train) == 10  # other series are no neighbours


class TestSeries:
    def test_rows_of_other_series_are_no_neighbours(self):
        groups = np.array(["a", "a", "a", "b", "b", "b"])
        assert listed(Consecutive(2, padding=2), 6, groups) == [
            ([3, 4, 5], [0, 1, 2]),
            ([0, 1, 2], [3, 4, 5]),
        ]
        interleaved = np.tile([0, 1], 6)
        train, test = listed(Consecutive(6, padding=1), 12, interleaved)[2]
        assert test == [4, 5]
        assert train == [0, 1, 8, 9, 10, 11]

    def test_bad_groups(self):
        for cv in (Consecutive(2), Rolling(2), Padded(2, 1)):
            with pytest.raises(
                InvalidInput, match=r"groups must have one entry per row \(6\); got shape \(5,\)"
            ):
                listed(cv, 6, np.zeros(5))
            with pytest.raises(InvalidInput, match="groups is NaN at row 1"):
                listed(cv, 6, [0.0, np.nan, 0.0, 0.0, 0.0, 0.0])
            with pytest.raises(InvalidInput, match="all numbers or all text"):
                listed(cv, 6, np.array(["a", 1, "a", 1, "a", 1], dtype=object))


# -- errors -------------------------------------------------------------------------------------------
class TestErrors:
    @pytest.mark.parametrize("value", [1, 0, -2, 2.0, "3", True, None, np.nan])
    def test_n_splits(self, value):
        with pytest.raises(InvalidParameter, match="n_splits must be an integer >= 2; got"):
            Consecutive(value)
        if value != 1 or value is True:
            with pytest.raises(InvalidParameter, match="n_splits must be an integer >= 1; got"):
                Rolling(value)

    @pytest.mark.parametrize("value", [-1, 1.5, "3", False, None])
    def test_padding(self, value):
        for make in (Consecutive, Rolling, lambda padding: Padded(KFold(), padding)):
            with pytest.raises(InvalidParameter, match="padding must be an integer >= 0; got"):
                make(padding=value)

    def test_other_parameters(self):
        with pytest.raises(
            InvalidParameter, match="window must be one of 'expanding', 'sliding'; got 'growing'"
        ):
            Rolling(window="growing")
        for name in ("test_size", "min_train"):
            for value in (0, -1, 0.2, "1", True):
                with pytest.raises(InvalidParameter, match=f"{name} must be an integer >= 1; got"):
                    Rolling(**{name: value})
        for value in ("kfold", 1, True, None, 2.5):
            with pytest.raises(
                InvalidParameter,
                match="splitter must have a method split, or be a number of folds >= 2 or pairs",
            ):
                Padded(value, 1)
        with pytest.raises(TypeError, match="positional"):
            Consecutive(5, 2)
        with pytest.raises(TypeError, match="positional"):
            Rolling(5, "sliding")

    def test_fewer_rows_than_blocks(self):
        with pytest.raises(InvalidInput, match="n_splits=5 blocks need as many rows; got 3. Use fewer"):
            listed(Consecutive(5), 3)
        with pytest.raises(
            InvalidInput, match=r"Rolling\(n_splits=5,.*\) needs at least 6 rows; got 5\. Use fewer splits"
        ):
            listed(Rolling(5), 5)
        with pytest.raises(InvalidInput, match="needs at least 10 rows; got 9"):
            listed(Rolling(2, test_size=3, min_train=4), 9)
        with pytest.raises(InvalidInput, match="needs at least 9 rows; got 8"):
            listed(Rolling(2, min_train=4, padding=3), 8)
        for cv in (Consecutive(2), Rolling(2)):
            with pytest.raises(InvalidInput, match="got 0"):
                listed(cv, 0)

    def test_smallest_sizes_that_the_errors_name_are_enough(self):
        assert len(listed(Rolling(5), 6)) == 5
        assert len(listed(Rolling(2, test_size=3, min_train=4), 10)) == 2
        assert len(listed(Rolling(2, min_train=4, padding=3), 9)) == 2
        assert len(listed(Rolling(5, padding=7), 13)) == 5

    def test_a_fold_without_training_rows_is_named(self):
        with pytest.raises(
            InvalidInput, match="Fold 1 keeps 0 of 6 training rows with padding=3; it needs 1. Use less"
        ):
            listed(Consecutive(3, padding=3), 9)
        with pytest.raises(InvalidInput, match="Fold 0 keeps 0 of"):
            listed(Padded(KFold(2, shuffle=True, random_state=0), 5), 10)


# -- values -------------------------------------------------------------------------------------------
class TestValues:
    def test_they_are_values(self):
        assert Rolling(3, padding=2) == Rolling(3, padding=2)
        assert hash(Consecutive(3)) == hash(Consecutive(3))
        assert Consecutive(3) != Consecutive(4)
        with pytest.raises(AttributeError, match="cannot assign"):
            Consecutive(3).padding = 2
        for cv in (Consecutive(3, padding=1), Rolling(2, window="sliding"), Padded(Consecutive(3), 2)):
            assert pickle.loads(pickle.dumps(cv)) == cv
            assert clone(cv) == cv

    def test_they_say_what_they_are(self):
        assert repr(Consecutive(3, padding=1)) == "Consecutive(n_splits=3, padding=1)"
        assert repr(Rolling(2)) == (
            "Rolling(n_splits=2, window='expanding', test_size=None, padding=0, min_train=None)"
        )
        assert (
            repr(Padded(Consecutive(3), 2))
            == "Padded(splitter=Consecutive(n_splits=3, padding=0), padding=2)"
        )
        for cv in (Consecutive(3), Rolling(3), Padded(3, 1)):
            assert cv.get_n_splits() == 3

    def test_parameters_nest(self):
        search = GridSearchCV(Reference(), {}, cv=Padded(Consecutive(3), 2))
        assert search.cv.get_params() == {
            "splitter": Consecutive(3), "padding": 2, "splitter__n_splits": 3, "splitter__padding": 0,
        }  # fmt: skip
        assert search.cv.replaced(splitter__n_splits=4) == Padded(Consecutive(4), 2)

    @pytest.mark.parametrize("kind", ["array", "list", "pandas", "polars"])
    def test_tables_of_every_kind(self, kind):
        import pandas
        import polars

        X = {
            "array": np.zeros((9, 2)),
            "list": [[0.0]] * 9,
            "pandas": pandas.DataFrame({"a": range(9)}),
            "polars": polars.DataFrame({"a": range(9)}),
        }[kind]
        assert len(list(Consecutive(3).split(X))) == len(list(Rolling(3).split(X))) == 3


# -- with models --------------------------------------------------------------------------------------
def wander(n, seed, memory=0.9):
    """A first-order autoregression."""
    rng = np.random.default_rng(seed)
    y = np.zeros(n)
    for t in range(1, n):
        y[t] = memory * y[t - 1] + rng.standard_normal()
    return y


class TestWithModels:
    table = embed(wander(120, 0), p=3)

    @pytest.mark.parametrize(
        "cv",
        [Consecutive(4, padding=3), Rolling(4, padding=3), Rolling(3, window="sliding"), Padded(KFold(4), 2)],
    )
    def test_cross_validation_here_and_there(self, cv):
        X, y = self.table.X, self.table.y
        mine = cross_validate(Ridge(1.0), X, y, cv=cv)
        theirs = -cross_val_score(Ridge(1.0), X, y, cv=cv, scoring="neg_mean_squared_error")
        np.testing.assert_allclose(mine.fold_losses, theirs, rtol=1e-9)

    def test_in_a_search(self):
        search = GridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, cv=Rolling(3)).fit(self.table.X, self.table.y)
        assert search.n_splits_ == 3
        assert clone(search).cv == Rolling(3)

    def test_groups_by_metadata_routing(self):
        X, y = np.arange(12.0)[:, None], np.arange(12.0)
        groups = np.repeat([0, 1], 6)
        with sklearn.config_context(enable_metadata_routing=True):
            result = reference_cross_validate(
                Reference(), X, y, cv=Consecutive(2, padding=6), params={"groups": groups}
            )
        assert len(result["test_score"]) == 2  # without the groups, padding would leave no training rows
        with pytest.raises(InvalidInput, match="training rows"):
            reference_cross_validate(Reference(), X, y, cv=Consecutive(2, padding=6))

    @pytest.mark.slow
    def test_random_folds_without_padding_are_too_optimistic(self):
        """Claim 45: rows share values with their neighbours, which a flexible model remembers.

        A random walk's next step cannot be told from values of another stretch of it, but it can from the row
        after: the differences below have a standard error of about a tenth of their mean.
        """
        gaps = []
        for seed in range(12):
            table = embed(wander(150, seed, memory=1.0), p=5)
            cv, model = KFold(10, shuffle=True, random_state=seed), KNeighborsRegressor(2)
            open_, padded = (
                cross_validate(model, table.X, table.y, cv=c).estimate
                for c in (cv, Padded(cv, table.padding))
            )
            gaps.append(padded - open_)
        assert np.mean(gaps) > 3 * np.std(gaps, ddof=1) / np.sqrt(len(gaps))
