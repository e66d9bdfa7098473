"""A classifier for every pair of columns."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression as Foreign

from suffice._core.errors import InvalidInput
from suffice.evaluation import fit_pairs
from suffice.glm import LogisticRegression


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(2)
    y = np.repeat(["a", "b"], 40)
    return pd.DataFrame(
        rng.normal(size=(80, 4)) + (y == "b")[:, None] * [2, 1, 0, 0], columns=list("wxyz")
    ), y


def test_there_is_a_model_per_pair_and_its_error_is_that_of_its_rows(table):
    X, y = table
    fits = fit_pairs(LogisticRegression(), X, y)
    assert fits.names == tuple("wxyz")
    assert fits.pairs == tuple(combinations(range(4), 2))
    for i, j in fits.pairs:
        model, error = fits.of(i, j)
        alone = LogisticRegression().fit(X.iloc[:, [i, j]].to_numpy(), y)
        np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-12)
        assert error == np.mean(alone.predict(X.iloc[:, [i, j]].to_numpy()) != y)


def test_the_frame_begins_with_the_best_pair(table):
    frame = fit_pairs(LogisticRegression(), *table).frame("polars")
    assert frame["error"].is_sorted()
    assert len(frame) == 6
    assert "w" in (frame["first"][0], frame["second"][0])  # the column that tells the classes apart


def test_any_classifier_will_do_and_is_left_as_it_is(table):
    X, y = table
    model = Foreign()
    assert len(fit_pairs(model, X.to_numpy(), y).models) == 6
    assert not hasattr(model, "coef_")
    np.testing.assert_array_equal(fit_pairs(DummyClassifier(), X, y).errors, np.full(6, 0.5))
    assert fit_pairs(model, X.to_numpy(), y).names == ("x0", "x1", "x2", "x3")


def test_one_column_or_other_rows_are_refused():
    with pytest.raises(InvalidInput, match=r"two columns or more; got shape \(2, 1\)"):
        fit_pairs(LogisticRegression(), [[1.0], [2.0]], [0, 1])
    with pytest.raises(InvalidInput, match=r"one label per row, 2; got shape \(3,\)"):
        fit_pairs(LogisticRegression(), [[1.0, 2.0], [2.0, 3.0]], [0, 1, 1])
    with pytest.raises(InvalidInput, match="names must have one name per column, 2; got 1"):
        fit_pairs(LogisticRegression(), [[1.0, 2.0], [2.0, 3.0]], [0, 1], ["a"])
