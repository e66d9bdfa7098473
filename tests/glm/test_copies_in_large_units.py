"""Copies of a column in units in which the prior is weak: they share their weight, as in any other units."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold

from suffice.bases import Polynomial
from suffice.evaluation import cross_validate
from suffice.glm import (
    BayesianLogisticRegression,
    LogisticRegression,
    PoissonRegression,
    ProbitRegression,
    SoftmaxRegression,
)

rng = np.random.default_rng(0)
x, z = rng.standard_normal((2, 60))
SIGNAL = x + rng.standard_normal(60)
COPIES, ONCE = (
    np.column_stack([x, x, z]),
    np.column_stack([np.sqrt(2) * x, z]),
)  # the same model of the same rows
LABELS, THREE, COUNTS = SIGNAL > 0, np.digitize(SIGNAL, [-1, 1]), np.round(np.exp(0.3 * SIGNAL))
MODELS = (
    (LogisticRegression(), LABELS),
    (LogisticRegression(C=1e8), LABELS),
    (LogisticRegression(penalize_intercept=True), LABELS),
    (SoftmaxRegression(prior_precision=1e-3), THREE),
    (ProbitRegression(prior_precision=1.0), LABELS),
    (PoissonRegression(prior_precision=1.0), COUNTS),
    (BayesianLogisticRegression(1.0), LABELS),
)


@pytest.mark.filterwarnings("ignore:The weights of .* are not determined")
@pytest.mark.parametrize("unit", [1.0, 1e6, 1e9])
@pytest.mark.parametrize(("model", "y"), MODELS, ids=lambda v: repr(v) if hasattr(v, "fit") else "")
def test_copies_share_their_weight(model, y, unit):
    weights = np.atleast_2d(clone(model).fit(COPIES * unit, y).coef_)
    once = np.atleast_2d(clone(model).fit(ONCE * unit, y).coef_)
    expected = np.column_stack([once[:, 0] / np.sqrt(2), once[:, 0] / np.sqrt(2), once[:, 1]])
    np.testing.assert_allclose(weights, expected, atol=1e-6 * np.abs(expected).max())


def test_folds_without_a_wild_row_have_powers_of_their_own():
    """Refits share the plan of all rows, but not where its origin and unit are those of a wild row."""
    wild = np.column_stack([x, z])
    wild[3, 0] = 1e9
    model = ProbitRegression(basis=Polynomial(2), prior_precision=0.1)
    found = cross_validate(model, wild, LABELS, cv=KFold(4))
    for train, test in KFold(4).split(wild):
        expected = clone(model).fit(wild[train], LABELS[train]).predict_proba(wild[test])
        np.testing.assert_allclose(found.probabilities[test], expected, atol=1e-6)
