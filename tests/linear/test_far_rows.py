"""Predictions far from the rows of the fit say so, in the notes of their distribution."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier

from suffice.bases import GaussianBasis, Polynomial
from suffice.glm import (
    GLM,
    BayesianLogisticRegression,
    BayesianPoissonRegression,
    LogisticRegression,
    PoissonRegression,
)
from suffice.linear import (
    ARDRegression,
    BayesianLinearRegression,
    BayesianRidge,
    ConjugateLinearRegression,
    ElasticNet,
    Lasso,
    LinearRegression,
    Ridge,
)

rng = np.random.default_rng(0)
X = rng.normal(5.0, 2.0, (200, 2))
SIGNAL = X[:, 0] - X[:, 1] + rng.standard_normal(200)
COUNTS = rng.poisson(np.exp(0.2 * SIGNAL)).astype(float)
MODELS = (
    LinearRegression(),
    Ridge(),
    Lasso(0.01),
    ElasticNet(0.01),
    BayesianLinearRegression(),
    BayesianRidge(),
    ConjugateLinearRegression(),
    ARDRegression(),
    LogisticRegression(),
    BayesianLogisticRegression(1.0),
    PoissonRegression(),
    BayesianPoissonRegression(1.0),
    GLM("poisson"),
)


def fitted(model):
    counted = isinstance(model, PoissonRegression | BayesianPoissonRegression | GLM)
    return clone(model).fit(X, SIGNAL > 0 if is_classifier(model) else COUNTS if counted else SIGNAL)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_rows_far_out_are_named(model):
    model = fitted(model)
    assert model.predict_dist(X).notes == ()
    assert model.predict_dist([[5.0, 5.0], [9.0, 1.0]]).notes == ()
    (note,) = model.predict_dist([[5.0, 5.0], [5.0, 60.0], [5.0, -60.0]]).notes
    assert note.startswith("Row 2 lies ")
    assert (
        "standard deviations from the middle of column 'x1' in the fit, and 1 more row is as far out" in note
    )


def test_any_table_is_looked_at():
    model = LinearRegression().fit(X, SIGNAL)
    far = np.array([[5.0, 5.0], [200.0, 5.0]])
    notes = model.predict_dist(far).notes
    assert "column 'x0'" in notes[0]
    assert model.predict_dist(sparse.csr_matrix(far)).notes == notes


def test_of_few_rows_no_row_of_the_fit_is_further_than_the_limit():
    """(n − 1)^½ standard deviations are the most there can be."""
    x = np.array([[0.0], [0.0], [0.0], [0.0], [1.0]])
    model = Ridge().fit(x, np.arange(5.0))
    assert model.predict_dist(x).notes == ()
    assert "Row 0 lies 2.25 standard deviations" in model.predict_dist([[1.1]]).notes[0]


def test_bumps_say_where_they_end():
    """PRML §3.3.2: far from the centers the variance shrinks to that of the noise."""
    x = np.linspace(0, 1, 30)[:, None]
    model = BayesianLinearRegression(basis=GaussianBasis(9, width=0.1)).fit(x, np.sin(6 * x[:, 0]))
    assert model.predict_dist(x).notes == ()
    (note,) = model.predict_dist([[0.5], [2.0], [3.0]]).notes
    assert note.startswith(
        "Row 1 lies where every bump of the basis is near zero, and 1 more row is as far out"
    )


def test_powers_grow_fast():
    x = np.linspace(0, 1, 30)[:, None]
    model = LinearRegression(basis=Polynomial(4)).fit(x, np.sin(6 * x[:, 0]))
    assert model.predict_dist([[1.05]]).notes == ()
    assert "column 'x0^4'" in model.predict_dist([[2.0]]).notes[0]


@pytest.mark.filterwarnings("ignore:Columns 'x1' do not vary")
def test_constants_have_no_distance():
    flat = np.column_stack([X[:, 0], np.full(200, 3.0)])
    assert Ridge().fit(flat, SIGNAL).predict_dist([[5.0, 40.0]]).notes == ()


def test_notes_are_no_part_of_the_value():
    model = Ridge().fit(X, SIGNAL)
    d = model.predict_dist([[500.0, 5.0]])
    assert d == type(d)(d.mean, d.std)
    assert pickle.loads(pickle.dumps(d)).notes == d.notes
    assert d[:1].notes == ()
    assert "Row 0 lies" in d._repr_html_()
