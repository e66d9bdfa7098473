"""Columns of random numbers: the same as refitting to wider tables, and what they do to a model (DTU §10.2)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.linear_model import LinearRegression as SklearnLinear
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.datasets import quadratic_curve
from suffice.evaluation import ValidationPath, junk_attributes, validate_path
from suffice.linear import LinearRegression, Ridge

DATA = quadratic_curve(30, random_state=1)
X, y = np.column_stack([DATA.X, DATA.X**2]), DATA.y


@pytest.mark.parametrize("model", [LinearRegression(), Ridge(0.5, standardize=True), SklearnLinear()])
def test_losses_are_those_of_refits_to_wider_tables(model):
    path = junk_attributes(model, X, y, [0, 3, 6], cv=5, random_state=4)
    junk = np.random.default_rng(4).spawn(1)[0].random((30, 6))
    for i, s in enumerate((0, 3, 6)):
        wide = np.column_stack([X, junk[:, :s]])
        for k, (train, test) in enumerate(KFold(5).split(X)):
            loss = (y - model.fit(wide[train], y[train]).predict(wide)) ** 2
            assert path.fold_train[i, k] == pytest.approx(loss[train].mean(), rel=1e-9)
            assert path.fold_test[i, k] == pytest.approx(loss[test].mean(), rel=1e-9)
    assert path.values == (0, 3, 6)
    assert path.how == ("refit" if isinstance(model, SklearnLinear) else "statistics")


def test_it_is_a_validation_path():
    path = junk_attributes(LinearRegression(), X, y, [4, 0, 2, 2], cv=3, random_state=0)
    assert isinstance(path, ValidationPath)
    assert path.values == (0, 2, 4)
    assert junk_attributes(LinearRegression(), X, y, 4, cv=3, random_state=0).values == (4,)
    assert path.simplest == "first"
    assert path.std_error.shape == (3,)
    assert list(path.frame().columns) == ["junk attributes", "train", "test", "std_error"]
    assert path.test[0] == pytest.approx(
        validate_path(LinearRegression(), X, y, "fit_intercept", [True], cv=3).test[0], rel=1e-12
    )


def test_training_loss_of_least_squares_never_rises():
    for seed in range(10):
        path = junk_attributes(LinearRegression(), X, y, range(12), cv=5, random_state=seed)
        assert np.all(np.diff(path.fold_train, axis=0) <= 1e-12 * path.fold_train[0])


def test_repeats_are_averaged():
    one = [
        junk_attributes(LinearRegression(), X, y, [3], cv=3, random_state=s)
        for s in np.random.default_rng(9).spawn(1)
    ]
    assert one[0].test.shape == (1,)
    both = junk_attributes(LinearRegression(), X, y, [3], cv=3, repeats=2, random_state=9)
    draws = [rng.random((30, 3)) for rng in np.random.default_rng(9).spawn(2)]
    by_hand = [
        np.mean(
            [
                np.mean((y[b] - SklearnLinear().fit(w[a], y[a]).predict(w[b])) ** 2)
                for a, b in KFold(3).split(X)
            ]
        )
        for w in (np.column_stack([X, d]) for d in draws)
    ]
    assert both.test[0] == pytest.approx(np.mean(by_hand), rel=1e-9)


def test_more_columns_than_rows_is_a_note():
    path = junk_attributes(LinearRegression(), X[:12], y[:12], [0, 9], cv=3, random_state=0)
    assert path.train[1] == pytest.approx(0, abs=1e-20)
    assert any("8 rows cannot determine 11 columns" in note for note in path.notes)


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(X, columns=["a", "b"]),
        pl.DataFrame(X, schema=["a", "b"]),
        sparse.csr_array(X),
        X.tolist(),
    ],
    ids=["pandas", "polars", "sparse", "lists"],
)
def test_tables_of_every_kind(table):
    expected = junk_attributes(Ridge(), X, y, [0, 2], cv=3, random_state=0)
    path = junk_attributes(Ridge(), table, y, [0, 2], cv=3, random_state=0)
    np.testing.assert_allclose(path.test, expected.test, rtol=1e-9)


def test_classifiers_and_weights():
    label, weight = np.where(y > np.median(y), "up", "down"), np.arange(1.0, 31.0)
    path = junk_attributes(
        DecisionTreeClassifier(max_depth=2, random_state=0),
        X,
        label,
        [0, 5],
        cv=3,
        sample_weight=weight,
        random_state=0,
    )
    assert path.loss == "misclassification"
    assert path.fold_sizes.sum() == weight.sum()


@pytest.mark.parametrize(
    ("counts", "options", "error", "message"),
    [
        ([], {}, InvalidParameter, "counts must name at least one number of columns; got none"),
        ([-1], {}, InvalidParameter, "counts must be integers >= 0; got -1"),
        ([1.0], {}, InvalidParameter, "counts must be integers >= 0; got 1.0"),
        ([True], {}, InvalidParameter, "counts must be integers >= 0; got True"),
        ([1], {"repeats": 0}, InvalidParameter, "repeats must be an integer >= 1; got 0"),
        ([1], {"cv": 31}, InvalidInput, "31 folds need at least 31 rows"),
        ([1], {"loss": "cubic"}, InvalidParameter, "loss must be one of"),
    ],
)
def test_bad_arguments(counts, options, error, message):
    with pytest.raises(error, match=message):
        junk_attributes(LinearRegression(), X, y, counts, **{"cv": 3, **options})


def test_bad_tables():
    with pytest.raises(ValueError, match="NaN"):
        junk_attributes(LinearRegression(), np.where(X.max() - 1e-9 < X, np.nan, X), y, [1], cv=3)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        junk_attributes(LinearRegression(), X, y[:-1], [1], cv=3)
