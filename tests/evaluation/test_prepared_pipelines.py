"""Our own transformers in front of a linear model: seen through, with the numbers of refitting every fold."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice.baselines import MeanRegressor
from suffice.evaluation import cross_validate
from suffice.linear import Ridge
from suffice.prepare import Affine, Binarizer, Centerer, LogTransform, OneHotEncoder, Standardizer, Whitener

rng = np.random.default_rng(1)
N = 48
X = np.exp(rng.standard_normal((N, 3))) * [1.0, 20.0, 0.05]
KINDS = np.array(["red", "green", "blue"])[np.arange(N) % 3]
TABLE = pandas.DataFrame(X, columns=["a", "b", "c"]).assign(kind=KINDS)
y = 1 + np.log(X) @ [1.0, 0.05, -2.0] + (KINDS == "red") + 0.4 * rng.standard_normal(N)
COLORS = OneHotEncoder(categories=[["red", "green", "blue"]])
SEEN = {
    "centred": (X, [Centerer()]),
    "logarithms, centred": (X, [LogTransform(), Centerer()]),
    "logarithms, standardized": (X, [LogTransform(offset=1.0), Standardizer()]),
    "above": (X, [Binarizer([1.0, 20.0, 0.05])]),
    "linear map": (X, [Affine([[1.0, 1.0, 0.0], [0.0, 1.0, -1.0]], 2.0), Centerer()]),
    "colors": (TABLE[["kind"]], [COLORS]),
    "colors without red": (
        TABLE[["kind"]], [OneHotEncoder(categories=[["red", "green"]], handle_unknown="other", drop="first")]),
    "colors beside numbers": (
        TABLE, [ColumnTransformer([("n", Centerer(), ["a", "b"]), ("k", COLORS, ["kind"])])]),
}  # fmt: skip


@pytest.mark.parametrize("name", SEEN)
def test_seen_through(name):
    table, steps = SEEN[name]
    model = make_pipeline(*steps, Ridge(0.7))
    fast = cross_validate(model, table, y, cv=KFold(4, shuffle=True, random_state=0))
    assert fast.how == "statistics"
    folds = KFold(4, shuffle=True, random_state=0).split(np.arange(N))
    rows = (lambda i: table.iloc[i]) if hasattr(table, "iloc") else (lambda i: table[i])
    for k, (train, test) in enumerate(folds):
        fitted = make_pipeline(*steps, Ridge(0.7)).fit(rows(train), y[train])
        loss = np.mean((y[test] - fitted.predict(rows(test))) ** 2)
        assert fast.fold_losses[k] == pytest.approx(loss, rel=1e-8)


@pytest.mark.parametrize(
    ("table", "step"),
    [
        (TABLE[["kind"]], OneHotEncoder()),
        (TABLE[["kind"]], clone(COLORS).set_params(min_frequency=13)),
        (TABLE[["kind"]], clone(COLORS).set_params(max_categories=2)),
        (X, Whitener()),
    ],
    ids=["colors as found", "frequent colors", "two colors", "whitened"],
)
def test_fitted_steps_are_refitted(table, step):
    assert cross_validate(make_pipeline(step, Ridge(0.7)), table, y, cv=KFold(4)).how == "refit"


@pytest.mark.parametrize(
    "step", [StandardScaler(), Centerer(), ColumnTransformer([("s", StandardScaler(), [0])])]
)
def test_the_mean_after_a_scaler_is_refitted(step):
    """It keeps no statistics of columns, so there are none to scale."""
    result = cross_validate(make_pipeline(step, MeanRegressor()), X, y, cv=KFold(4))
    plain = cross_validate(MeanRegressor(), X, y, cv=KFold(4))
    assert (result.how, plain.how) == ("refit", "statistics")
    assert result.fold_losses == pytest.approx(plain.fold_losses, rel=1e-12)
