"""What once went wrong: steps that overshoot, curvature that vanishes, approximations too sure of themselves."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import LeaveOneOut

from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError, Unsupported
from suffice.bases import Polynomial
from suffice.evaluation import cross_validate, validate_path
from suffice.glm import (
    GLM,
    BayesianLogisticRegression,
    LogisticRegression,
    PoissonRegression,
    ProbitRegression,
    SoftmaxRegression,
)
from suffice.inference import Quadrature
from suffice.linear import LinearRegression


def noise(seed, n=50, d=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (rng.random(n) < 0.5).astype(int), rng.integers(0, 3, n)


def likelihood_of(model, X, y):
    return model.predict_log_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)].sum()


@pytest.mark.filterwarnings("ignore::suffice._core.errors.SufficeWarning")
@pytest.mark.parametrize("seed", [3, 4, 5, 12, 13])
@pytest.mark.parametrize("degree", [10, 12, 15])
def test_what_is_reported_is_what_the_weights_give(seed, degree):
    """Powers up to the fifteenth of fifty rows, at times separable: a last step must not undo the climb."""
    X, two, three = noise(seed)
    for model, y in (
        (LogisticRegression(prior_precision=0, basis=Polynomial(degree)), two),
        (ProbitRegression(basis=Polynomial(degree)), two),
        (SoftmaxRegression(basis=Polynomial(degree)), three),
    ):
        model.fit(X, y)
        assert model.log_likelihood_ == pytest.approx(likelihood_of(model, X, y), rel=1e-6, abs=1e-6)
        assert model.log_likelihood_ >= model.trace_.objective[0]
        assert model.deviance_ >= 0


def test_a_path_of_anything_but_precisions_is_not_left_out_nearly():
    X, y, _ = noise(0, 80, 3)
    for parameter, values in (
        ("basis", [None, Polynomial(2)]),
        ("fit_intercept", [True, False]),
        ("class_weight", [None, {0: 5.0}]),
        ("standardize", [False, True]),
    ):
        with pytest.raises(InvalidParameter, match=f"prior_precision or C; got {parameter!r}"):
            validate_path(LogisticRegression(), X, y, parameter, values, LeaveOneOut(), approximate=True)


def test_the_note_on_rows_left_out_nearly_does_not_flatter():
    X, y, _ = noise(1, 40, 10)
    near = cross_validate(LogisticRegression(C=10), X, y, cv=LeaveOneOut(), loss="log", approximate=True)
    exact = cross_validate(LogisticRegression(C=10), X, y, cv=LeaveOneOut(), loss="log")
    worst = np.abs(near.losses - exact.losses).max()
    told = float(near.notes[0].split("at most ")[1].split(" ")[0])
    assert told >= 0.5 * worst
    assert "use approximate=False" in near.notes[1]


def test_the_last_row_of_a_class_cannot_be_left_out():
    X = np.arange(20.0)[:, None]
    with pytest.raises(InvalidInput, match="Class 1 has one row"):
        cross_validate(LogisticRegression(), X, [0] * 19 + [1], cv=LeaveOneOut(), approximate=True)


def test_a_count_that_occurs_once_is_no_class():
    X, _, _ = noise(7, 30, 1)
    y = np.zeros(30, dtype=int)
    y[3], y[9] = 1, 2
    found = cross_validate(PoissonRegression(prior_precision=1.0), X, y, cv=LeaveOneOut(), approximate=True)
    assert found.how == "approximate leave-one-out"


def test_a_summary_tells_the_posterior_not_the_mode():
    X, y, _ = noise(2, 12, 1)
    model = BayesianLogisticRegression(0.1, intercept="prior", inference=Quadrature()).fit(X, y)
    draws = model.posterior_.sample(100_000, np.random.default_rng(0))
    found = model.summary(0.9)
    np.testing.assert_allclose(found.estimate, draws.mean(axis=0), atol=0.02)
    np.testing.assert_allclose(found.low, np.quantile(draws, 0.05, axis=0), atol=0.05)
    np.testing.assert_allclose(found.high, np.quantile(draws, 0.95, axis=0), atol=0.05)
    below = np.mean(draws < 0, axis=0)
    np.testing.assert_allclose(found.p, 2 * np.minimum(below, 1 - below), atol=0.02)


def test_an_offset_far_away_is_no_hindrance():
    X, _, counts = noise(3)
    plain = PoissonRegression().fit(X, counts)
    shifted = PoissonRegression().fit(X, counts, offset=np.full(50, 800.0))
    np.testing.assert_allclose(shifted.coef_, plain.coef_, rtol=1e-9)
    assert shifted.intercept_ == pytest.approx(plain.intercept_ - 800, rel=1e-12)


def test_an_infinite_c_is_maximum_likelihood():
    X, y, _ = noise(4)
    np.testing.assert_array_equal(
        LogisticRegression(C=np.inf).fit(X, y).coef_, LogisticRegression(prior_precision=0).fit(X, y).coef_
    )


def test_inference_is_a_choice_not_a_class():
    X, y, _ = noise(5)
    with pytest.raises(InvalidParameter, match="inference must be one of .laplace., .quadrature."):
        BayesianLogisticRegression(inference=Quadrature).fit(X, y)


def test_wide_tables_equal_narrow_problems():
    """More columns than rows: the penalized weights lie in the span of the rows."""
    X, y, _ = noise(6, 30, 200)
    model = LogisticRegression(prior_precision=0.5).fit(X, y)
    p = model.predict_proba(X)[:, 1]
    np.testing.assert_allclose(model.coef_[0], X.T @ (y - p) / 0.5, rtol=1e-8, atol=1e-10)


def test_many_classes_without_a_hessian_are_those_with_one():
    """105 weights and 7,000 rows: the gram of a sample hessian_is_expensive, and the mode is Newton's."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(7000, 20)) * np.linspace(0.5, 2, 20)
    y = np.argmax(X @ rng.normal(0, 0.4, (20, 6)) + rng.gumbel(size=(7000, 6)), axis=1)
    steered, newton = LogisticRegression().fit(X, y), LogisticRegression(covariance=True).fit(X, y)
    np.testing.assert_allclose(steered.coef_, newton.coef_, atol=1e-6)
    assert steered.log_likelihood_ == pytest.approx(newton.log_likelihood_, rel=1e-9)
    assert steered.trace_.converged
    assert len(steered.trace_) < 25
    slope = X.T @ (np.eye(6)[y] - newton.predict_proba(X)) - newton.coef_.T
    assert np.abs(slope).max() < 1e-6
    assert newton.cov_params_.shape == (126, 126)
    with pytest.raises(Unsupported, match="covariance=True"):
        _ = steered.cov_params_


@pytest.mark.parametrize("family", ["poisson", "gaussian", "gamma"])
@pytest.mark.parametrize("dispersion", ["pearson", "deviance"])
def test_no_scatter_to_tell_a_dispersion_from_is_an_error(family, dispersion):
    """Weights that sum to less than the parameters: as LinearRegression says it, where uncertainty is asked for."""
    X = np.random.default_rng(1).standard_normal((30, 3))
    y = np.round(np.exp(X[:, 0])) + 1.0
    model = GLM(family, dispersion=dispersion).fit(X, y, np.full(30, 0.05))
    line = LinearRegression().fit(X, y, np.full(30, 0.05))
    told = "No residual degrees of freedom: n = 1.5 and 4 parameters"
    for ask in (lambda m: m.cov_params_, lambda m: m.summary()):
        for m in (model, line):
            with pytest.raises(NumericalError, match=told):
                ask(m)
    with pytest.raises(NumericalError, match="leave no scatter"):
        model.predict_dist(X)
    assert np.isfinite(model.set_params(dispersion="known").fit(X, y, np.full(30, 0.05)).cov_params_).all()


@pytest.mark.parametrize(
    "model",
    [
        ProbitRegression(
            prior_precision=20.0, penalize_intercept=True, standardize=True, basis=Polynomial(2)
        ),
        LogisticRegression(C=0.1, penalize_intercept=True, standardize=True, basis=Polynomial(2)),
        LogisticRegression(
            C=0.5, l1_ratio=1.0, penalize_intercept=True, standardize=True, basis=Polynomial(2)
        ),
        BayesianLogisticRegression(2.0, intercept="prior", standardize=True, basis=Polynomial(2)),
    ],
    ids=["probit", "logistic", "lasso", "Bayesian"],
)
def test_a_far_constant_is_no_way_around_a_penalized_intercept(model):
    """The square of a constant of 10¹⁰ has a mean of 10²⁰, whose rounding passed for a column without a penalty."""
    rng = np.random.default_rng(11)
    A = rng.standard_normal((30, 2))
    y = (A[:, 0] + rng.standard_normal(30) > -1).astype(int)
    far = clone(model).fit(np.column_stack([A, np.full(30, -1e10)]), y)
    p = far.predict_proba(np.column_stack([A, np.full(30, -1e10)]))
    np.testing.assert_allclose(p, clone(model).fit(A, y).predict_proba(A), rtol=0, atol=1e-9)


@pytest.mark.filterwarnings("ignore::suffice._core.errors.SufficeWarning")
@pytest.mark.parametrize("seed", [3, 6, 10])
def test_powers_in_large_and_small_units_reach_the_maximum(seed):
    """Centered powers share directions whose curvature a gram takes for rounding: the climb ended on its way."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 3, 26), rng.uniform(0, 4, 26)])
    y = np.digitize(X[:, 0] - X[:, 1] + 3 * rng.standard_normal(26), [-1.5, 1.5])
    X, powers = X * [1.84e-6, 2.5e10], Polynomial(2, interactions=True)
    model = SoftmaxRegression(prior_precision=0.5, penalize_intercept=True)
    p = clone(model).set_params(basis=powers).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(p, model.fit(powers(X), y).predict_proba(powers(X)), rtol=0, atol=1e-7)


@pytest.mark.parametrize("seed", range(40))
def test_a_lasso_finds_its_mode_where_one_row_outweighs_all(seed):
    """Along columns that no row curved any more the quadratic's minimum was rounding, and passed for having arrived."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(13, 5))
    X[:, 1:3] = X[:, 1:3] > 0.4
    X[:, 4] = 2 + np.round(X[:, 4])
    y, w = np.isin(np.arange(13), [1, 8]).astype(int), np.where(np.arange(13) == 1, 1e6, 1.0)
    model = LogisticRegression(C=0.1, penalty="l1", l1_ratio=1.0, standardize=True).fit(X, y, w)
    center = w @ X / w.sum()
    size = np.sqrt(w @ (X - center) ** 2 / w.sum())
    weights, slope = (
        model.coef_[0] * size,
        (X - center).T @ (w * (y - model.predict_proba(X)[:, 1])) * 0.1 / size,
    )
    np.testing.assert_array_less(np.abs(slope), 1 + 1e-5)
    np.testing.assert_allclose(slope[weights != 0], np.sign(weights[weights != 0]), rtol=1e-5)
