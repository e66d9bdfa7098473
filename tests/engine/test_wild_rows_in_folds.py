"""One pass over folds with a wild row: powers about its origin say nothing about the other rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from suffice._core.errors import IllConditioned
from suffice.bases import Polynomial
from suffice.engine import cross_validate
from suffice.engine.hashing import folds_of_rows
from suffice.glm import GLM
from suffice.likelihoods import GaussianIdentity
from suffice.linear import Ridge

rng = np.random.default_rng(0)
X = rng.standard_normal((30, 1))
Y = 1 + X[:, 0] + rng.standard_normal(30)
X[7] = 1e9


def test_a_climb_without_the_wild_row_has_powers_about_its_own_rows():
    model = GLM(GaussianIdentity(4.0), "identity", basis=Polynomial(2), prior_precision=1.0)
    fold = folds_of_rows(0, 0, 30, 3, 0)
    found = cross_validate(model, (X, Y), folds=3)
    for i in range(3):
        fitted = clone(model).fit(X[fold != i], Y[fold != i])
        expected = np.mean((fitted.predict(X[fold == i]) - Y[fold == i]) ** 2)
        assert found.fold_losses[i] == pytest.approx(expected, rel=1e-6)


def test_sums_that_have_lost_digits_are_named():
    fold = folds_of_rows(0, 0, 30, 3, 0)[7]
    with pytest.warns(IllConditioned, match=f"The fit without fold {fold} has lost digits"):
        cross_validate(Ridge(basis=Polynomial(2)), (X, Y), folds=3)
    with pytest.warns(IllConditioned, match="has lost digits"):
        cross_validate(Ridge(basis=Polynomial(2)), (X, Y), folds=3, loss="absolute")
