"""Pipelines that end in a generative classifier are seen through: their folds come from statistics, equal to refits."""

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from suffice.bases import Polynomial
from suffice.evaluation import SearchCV, cross_validate, validate_path
from suffice.generative import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from suffice.prepare import BasisTransformer, Standardizer

X, y = load_wine(return_X_y=True)
LABELS = np.array(["Barolo", "Grignolino", "Barbera"])[y]
FOLDS = KFold(6, shuffle=True, random_state=1)
WEIGHT = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)

PIPELINES = {
    "scaled, linear": make_pipeline(
        StandardScaler(), LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.2)
    ),
    "scaled, quadratic": make_pipeline(Standardizer(), QuadraticDiscriminantAnalysis(shrinkage=0.3)),
    "scaled twice": make_pipeline(
        Standardizer(with_std=False), StandardScaler(), QuadraticDiscriminantAnalysis(reg_param=0.1)
    ),
    "some columns": make_pipeline(
        ColumnTransformer([("some", "passthrough", [0, 3, 4])]),
        StandardScaler(),
        LinearDiscriminantAnalysis(),
    ),
    "a basis": make_pipeline(
        ColumnTransformer([("some", "passthrough", [0, 6])]),
        BasisTransformer(Polynomial(2)),
        QuadraticDiscriminantAnalysis(),
    ),
}


def refitted(model, weight):
    """log P(c | x) of every row by a refit without its fold."""
    out = np.empty((len(y), 3))
    for train, test in FOLDS.split(X):
        options = {}
        if weight is not None:
            options = {
                f"{name}__sample_weight": weight[train]
                for name, step in model.steps
                if not isinstance(step, ColumnTransformer | BasisTransformer)
            }
        out[test] = model.fit(X[train], LABELS[train], **options).predict_log_proba(X[test])
    return out


@pytest.mark.parametrize("name", PIPELINES)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_folds_from_statistics_are_refits(name, weight):
    model = PIPELINES[name]
    result = cross_validate(model, X, LABELS, cv=FOLDS, sample_weight=weight, loss="log")
    assert (result.how, result.notes) == ("statistics", ())
    expected = refitted(model, weight)
    np.testing.assert_allclose(result.distributions.log_probabilities, expected, rtol=1e-9, atol=1e-8)
    np.testing.assert_array_equal(result.predictions, np.unique(LABELS)[expected.argmax(axis=1)])


def test_searches_share_the_statistics():
    model = make_pipeline(StandardScaler(), QuadraticDiscriminantAnalysis())
    name, values = "quadraticdiscriminantanalysis__shrinkage", [0.1, 0.5, 0.9]
    path = validate_path(model, X, LABELS, param=name, values=values, cv=FOLDS, loss="log")
    search = SearchCV(model, {name: values}, cv=FOLDS, loss="log").fit(X, LABELS)
    single = [
        cross_validate(model.set_params(**{name: v}), X, LABELS, cv=FOLDS, loss="log").estimate
        for v in values
    ]
    np.testing.assert_allclose(path.test, single, rtol=1e-12)
    assert search.best_params_ == {name: values[int(np.argmin(single))]}


@pytest.mark.parametrize(
    ("step", "reason"),
    [(PCA(2), "fitted to the rows"), (PolynomialFeatures(2), "made of scaled columns")],
    ids=["pca", "powers"],
)
def test_what_cannot_be_seen_through_is_refitted(step, reason):
    head = ColumnTransformer([("some", "passthrough", [0, 6])])
    model = make_pipeline(head, StandardScaler(), step, LinearDiscriminantAnalysis(shrinkage=0.1))
    result = cross_validate(model, X, LABELS, cv=FOLDS)
    assert result.how == "refit"
    assert reason in result.notes[0]
