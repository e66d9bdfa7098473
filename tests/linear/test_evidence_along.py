"""Evidence along a parameter is that of single fits; along the prior precision its peak is where two curves cross."""

from __future__ import annotations

import numpy as np
import pytest

from suffice._core.errors import InvalidParameter
from suffice.bases import GaussianBasis, Polynomial
from suffice.datasets import sinusoid_10
from suffice.linear import BayesianLinearRegression, Ridge, evidence_path

DATA = sinusoid_10()
BUMPS = GaussianBasis(np.linspace(0, 1, 9), width=0.1)


@pytest.mark.parametrize("weight", [None, np.arange(10) % 2 + 1.0], ids=["plain", "weights"])
@pytest.mark.parametrize(
    ("param", "values"),
    [
        ("prior_precision", [0.01, 1.0, 100.0]),
        ("noise_precision", [1.0, 10.0]),
        ("basis", [Polynomial(1), BUMPS]),
        ("order", [0, 2, 5]),
        ("intercept", ["flat", "prior"]),
        ("standardize", [False, True]),
    ],
)
def test_a_path_is_its_single_fits(param, values, weight):
    model = BayesianLinearRegression(0.5, noise_precision=11.1, basis=Polynomial(3))
    path = evidence_path(model, DATA.X, DATA.y, param, values, sample_weight=weight)
    for i, value in enumerate(values):
        one = {"basis": Polynomial(value)} if param == "order" else {param: value}
        fit = BayesianLinearRegression(**(model.get_params(deep=False) | one)).fit(DATA.X, DATA.y, weight)
        assert path.log_evidence[i] == pytest.approx(fit.log_evidence_, rel=1e-10)
        assert path.effective_parameters[i] == pytest.approx(fit.effective_parameters_, rel=1e-9, abs=1e-12)
    assert path.best == values[path.best_index]
    assert path.log_evidence[path.best_index] == path.log_evidence.max()
    assert len(path.frame()) == len(values)


@pytest.mark.parametrize(
    "options",
    [
        {"intercept": "prior"},
        {"intercept": "flat"},
        {"intercept": "flat", "standardize": True},
        {
            "intercept": "prior",
            "prior_mean": np.linspace(-1, 1, 10),
            "prior_cov": np.diag(np.arange(1.0, 11)),
        },
    ],
    ids=["prior", "flat", "standardized", "general"],
)
def test_the_curves_cross_where_the_evidence_is_largest(options):
    model = BayesianLinearRegression(1.0, noise_precision=11.1, basis=BUMPS, **options)
    grid = np.exp(np.linspace(-6, 8, 141))
    path = evidence_path(model, DATA.X, DATA.y, "prior_precision", grid)
    # d log evidence / d log α = (γ − α E)/2, against central differences of the evidence
    slope = np.gradient(path.log_evidence, np.log(grid))[1:-1]
    np.testing.assert_allclose(
        slope, (path.well_determined_parameters - path.size)[1:-1] / 2, atol=5e-3 * np.abs(slope).max()
    )
    assert 0 < path.best_index < 140
    assert (path.well_determined_parameters > path.size)[path.best_index - 1]
    assert (path.well_determined_parameters < path.size)[path.best_index + 1]


def test_size_is_twice_alpha_times_the_energy_of_the_weights():
    model = BayesianLinearRegression.book(2.0, 11.1, basis=BUMPS)
    path = evidence_path(model, DATA.X, DATA.y, "prior_precision", [0.3, 3.0])
    for alpha, size in zip(path.values, path.size, strict=True):
        w = BayesianLinearRegression.book(alpha, 11.1, basis=BUMPS).fit(DATA.X, DATA.y).posterior_.mean
        assert size == pytest.approx(alpha * w @ w, rel=1e-9)


def test_words():
    path = evidence_path(BayesianLinearRegression.book(5e-3, 11.1), DATA.X, DATA.y, "order", range(3))
    assert str(path) == "Of 3 values of order, 1 has the largest log evidence, -17.88."
    assert "log evidence" in path._repr_html_()


@pytest.mark.parametrize(
    ("model", "param", "values", "match"),
    [
        (Ridge(), "alpha", [1.0], "needs a BayesianLinearRegression"),
        (BayesianLinearRegression(), "order", [], "values must hold one value or more"),
        (BayesianLinearRegression(), "alpha", [1.0], "param must be 'order' or a parameter"),
        (BayesianLinearRegression(), "prior_precision", [-1.0], "prior_precision must be a number > 0"),
        (BayesianLinearRegression(), "prior_precision", [0.0], "improper"),
        (BayesianLinearRegression(), "order", [-1], "degree"),
    ],
)
def test_bad_arguments(model, param, values, match):
    with pytest.raises((ValueError, TypeError), match=match):
        evidence_path(model, DATA.X, DATA.y, param, values)


def test_one_target():
    with pytest.raises(ValueError, match="one target"):
        evidence_path(
            BayesianLinearRegression(1.0, noise_precision=1.0),
            DATA.X,
            np.column_stack([DATA.y, DATA.y]),
            "prior_precision",
            [1.0],
        )


@pytest.mark.parametrize(
    ("basis", "param", "values"),
    [(Polynomial(1), "basis__degree", [1, 3, 5]), (BUMPS, "basis__width", [0.05, 0.2])],
)
def test_parameters_of_the_basis(basis, param, values):
    model = BayesianLinearRegression(2.0, noise_precision=11.0, basis=basis)
    path = evidence_path(model, DATA.X, DATA.y, param, values)
    name = param.partition("__")[2]
    single = [
        BayesianLinearRegression(2.0, noise_precision=11.0, basis=basis.replaced(**{name: v})).fit(
            DATA.X, DATA.y
        )
        for v in values
    ]
    np.testing.assert_allclose(path.log_evidence, [m.log_evidence_ for m in single], rtol=1e-10)
    assert len(set(path.log_evidence)) == len(values)


@pytest.mark.parametrize(
    ("param", "values", "message"),
    [
        ("prior_precision", 1.0, "values must be a list of values to try; got 1.0"),
        ("intercept", "flat", "values must be a list of values to try; got 'flat'"),
        ("basis__degrees", [1], "param must be .*got 'basis__degrees'. Did you mean 'basis__degree'"),
        ("prior", [1.0], "param must be .*Did you mean"),
    ],
)
def test_what_cannot_be_tried(param, values, message):
    with pytest.raises(InvalidParameter, match=message):
        evidence_path(BayesianLinearRegression(basis=Polynomial(2)), DATA.X, DATA.y, param, values)
