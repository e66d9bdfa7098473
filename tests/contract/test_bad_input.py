"""Bad input never yields a number: what one model or function refuses, or uses with a warning that names what is wrong.

What all estimators refuse is a chapter of the contract, `checks/refusing.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

from suffice._core.errors import (
    FitFailed,
    InvalidInput,
    InvalidParameter,
    NotPositiveDefinite,
    RankDeficient,
)
from suffice.bases import CustomBasis, GaussianBasis, Polynomial
from suffice.evaluation import cross_validate
from suffice.linear import (
    ARDRegression,
    BayesianLinearRegression,
    ConjugateLinearRegression,
    LinearRegression,
    Ridge,
)
from suffice.statistics import Triangle

rng = np.random.default_rng(0)
X = rng.standard_normal((20, 3))
y = 1 + X @ [1.0, -2.0, 0.5] + 0.1 * rng.standard_normal(20)
LINEAR = [LinearRegression, Ridge, BayesianLinearRegression, ConjugateLinearRegression, ARDRegression]


# -- scales -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("cls", LINEAR)
@pytest.mark.parametrize(
    ("scale", "what"), [(1e-300, "vanish"), (1e-160, "vanish"), (1e160, "overflow"), (1e300, "overflow")]
)
def test_columns_whose_squares_do_not_exist(cls, scale, what):
    with pytest.raises(InvalidInput, match=f"'x0' has numbers of the order .* squares {what}; rescale it"):
        cls().fit(X * scale, y)


@pytest.mark.parametrize("scale", [1e-100, 1e100])
def test_evidence_at_extreme_scales(scale):
    """Units of X and y only rescale the precisions."""
    plain = BayesianLinearRegression().fit(X, y)
    inputs, targets = (
        BayesianLinearRegression().fit(X * scale, y),
        BayesianLinearRegression().fit(X, y * scale),
    )
    assert inputs.prior_precision_ / scale**2 == pytest.approx(plain.prior_precision_, rel=1e-6)
    assert inputs.noise_precision_ == pytest.approx(plain.noise_precision_, rel=1e-6)
    np.testing.assert_allclose(inputs.predict(X * scale), plain.predict(X), rtol=1e-8)
    np.testing.assert_allclose(targets.predict(X) / scale, plain.predict(X), rtol=1e-8)


@pytest.mark.parametrize("cls", LINEAR)
def test_weights_of_any_size(cls):
    light, plain = cls(weight_kind="precision").fit(X, y, np.full(20, 1e-100)), LinearRegression().fit(X, y)
    if cls is LinearRegression:
        np.testing.assert_allclose(light.coef_, plain.coef_, rtol=1e-9)
    assert np.isfinite(light.coef_).all()


# -- columns that say nothing -------------------------------------------------------------------------
def test_constant_columns_are_named():
    table = np.column_stack([X, np.full(20, 3.3)])
    with pytest.warns(RankDeficient, match="Columns 'x3' do not vary, so their weights are 0"):
        model = LinearRegression().fit(table, y)
    assert model.coef_[3] == 0
    np.testing.assert_allclose(model.coef_[:3], LinearRegression().fit(X, y).coef_, rtol=1e-10)


def test_constant_columns_at_a_huge_value_are_named():
    table = np.column_stack([X, np.full(20, 1e15 + 0.3)])
    with pytest.warns(RankDeficient, match="'x3' do not vary"):
        LinearRegression().fit(table, y)


def test_duplicated_columns_are_named():
    import pandas

    table = pandas.DataFrame(np.column_stack([X, X[:, 1]]), columns=["a", "b", "c", "again"])
    with pytest.warns(RankDeficient, match="Columns '(b|again)' are combinations of the others"):
        model = LinearRegression().fit(table, y)
    assert model.coef_[1] == pytest.approx(model.coef_[3])


@pytest.mark.parametrize("cls", LINEAR)
@pytest.mark.filterwarnings("ignore::suffice._core.errors.SufficeWarning")
@pytest.mark.parametrize(
    "table",
    [
        np.ones((20, 2)),
        np.zeros((20, 2)),
        np.column_stack([X, X]),
        np.column_stack([X, np.ones(20)]),
        X[:, [0, 0, 0]],
    ],
    ids=["ones", "zeros", "doubled", "with a constant", "thrice"],
)
def test_degenerate_tables_give_finite_answers(cls, table):
    for options in (
        {},
        {"standardize": True},
        {"fit_intercept": False},
        {"fit_intercept": False, "standardize": True},
    ):
        model = cls(**options).fit(table, y)
        assert np.isfinite(model.coef_).all()
        assert np.isfinite(model.predict(table)).all()
        if np.ptp(table) == 0 and options in ({}, {"standardize": True}):
            np.testing.assert_allclose(model.predict(table), y.mean(), rtol=1e-9)


@pytest.mark.parametrize("cls", LINEAR)
@pytest.mark.filterwarnings("ignore::suffice._core.errors.SufficeWarning")
def test_constant_targets(cls):
    for value in (0.0, 5.0, 1e9):
        model = cls().fit(X, np.full(20, value))
        np.testing.assert_allclose(model.predict(X), value, rtol=1e-9, atol=1e-12)
        assert np.isfinite(model.predict_dist(X).std).all()


def test_more_columns_than_rows():
    wide, target = rng.standard_normal((5, 9)), rng.standard_normal(5)
    with pytest.warns(RankDeficient, match="5 rows cannot determine 9 columns"):
        model = LinearRegression().fit(wide, target)
    np.testing.assert_allclose(model.predict(wide), target, atol=1e-10)
    with pytest.raises(ArithmeticError, match="No residual degrees of freedom"):
        model.predict_dist(wide)
    with pytest.raises(ArithmeticError, match="No residual degrees of freedom"):
        model.summary()
    assert np.isfinite(Ridge().fit(wide, target).coef_).all()


@pytest.mark.filterwarnings("ignore::suffice._core.errors.SufficeWarning")
def test_one_row():
    one, target = X[:1], y[:1]
    for model in (LinearRegression(), Ridge(), BayesianLinearRegression(1.0, noise_precision=1.0)):
        assert model.fit(one, target).predict(one)[0] == pytest.approx(target[0])
    with pytest.raises(InvalidInput, match="nothing is left to find a precision from"):
        BayesianLinearRegression().fit(one, target)
    with pytest.raises(ArithmeticError, match="No residual degrees of freedom"):
        LinearRegression().fit(one, target).predict_dist(one)


def test_undetermined_likelihood_is_not_a_number_in_disguise():
    with pytest.warns(RankDeficient, match="'x0', 'x1', 'x2' do not vary"):
        model = LinearRegression().fit(X[:1], y[:1])
    assert not np.isfinite(model.noise_variance_)


# -- bases --------------------------------------------------------------------------------------------
def reciprocal(X):
    return 1 / X[:, 0]


def root(X):
    return np.sqrt(X[:, :1])


@pytest.mark.parametrize("cls", LINEAR)
def test_basis_that_yields_nan_is_named(cls):
    with pytest.raises(InvalidInput, match="basis yields nan in its column 'root'"):
        cls(basis=CustomBasis([reciprocal, root])).fit(X, y)
    with pytest.raises(InvalidInput, match="basis yields -?inf in its column 'reciprocal'"):
        cls(basis=CustomBasis([reciprocal])).fit(np.vstack([X, [[0.0, 0.0, 0.0]]]), np.append(y, 0.0))
    model = cls(basis=CustomBasis([reciprocal])).fit(X, y)
    with pytest.raises(InvalidInput, match="basis yields inf in its column 'reciprocal'"):
        model.predict([[0.0, 1.0, 1.0]])


def test_powers_that_overflow_are_refused():
    with pytest.raises(InvalidInput, match="rescale|basis yields inf"):
        LinearRegression(basis=CustomBasis([np.exp])).fit(X * 1e3, y)


def test_prediction_far_outside_is_still_a_number():
    model = LinearRegression(basis=Polynomial(9)).fit(X[:, :1], y)
    assert np.isfinite(model.predict([[1e6]])).all()


# -- parameters ---------------------------------------------------------------------------------------
def test_prior_covariance_must_be_positive_definite():
    with pytest.raises(
        NotPositiveDefinite, match="prior_cov must be positive definite; its smallest eigenvalue is -1"
    ):
        BayesianLinearRegression(1.0, prior_cov=np.diag([1.0, 1.0, -1.0])).fit(X, y)
    with pytest.raises(NotPositiveDefinite, match="prior_cov must be symmetric"):
        BayesianLinearRegression(1.0, prior_cov=np.triu(np.ones((3, 3)))).fit(X, y)


def test_a_failed_fit_leaves_the_model_as_it_was():
    model = Ridge(1.0).fit(X, y)
    before = model.predict(X)
    model.set_params(alpha=-1)
    with pytest.raises(InvalidParameter, match="alpha must"):
        model.fit(X, y)
    assert np.array_equal(model.predict(X), before)


@pytest.mark.parametrize("level", [0, 1, 1.5, -0.1, np.nan, "95%", None])
def test_confidence_of_a_summary(level):
    with pytest.raises(InvalidParameter, match="confidence must"):
        LinearRegression().fit(X, y).summary(level)


def test_unknown_parameters_and_texts():
    with pytest.raises(TypeError, match="unexpected keyword"):
        LinearRegression(intercept=True)
    with pytest.raises(TypeError, match="positional"):
        LinearRegression(True)
    with pytest.raises(ValueError, match="Invalid parameter 'lam'"):
        Ridge().set_params(lam=1)
    with pytest.raises(InvalidParameter, match="text must be one of .*got 'bishop'"):
        Ridge.book(1.0, text="bishop")
    with pytest.raises(InvalidParameter, match="Polynomial has no parameter 'order'"):
        LinearRegression(basis=Polynomial(2)).set_params(basis__order=3)


def test_basis_changed_between_pieces():
    model = LinearRegression().fit(X, y)
    model.set_params(basis=Polynomial(2))
    with pytest.raises(InvalidInput, match="bases"):
        model.partial_fit(X, y)


# -- statistics, by hand ------------------------------------------------------------------------------
def test_triangle_refuses_what_it_cannot_hold():
    with pytest.raises(InvalidInput, match="X .*NaN"):
        Triangle.of([[1.0], [np.nan]], [1.0, 2.0])
    with pytest.raises(InvalidInput, match="y contains inf at row 0"):
        Triangle.of([[1.0], [2.0]], [np.inf, 2.0])
    with pytest.raises(InvalidInput, match="sample_weight"):
        Triangle.of([[1.0], [2.0]], [1.0, 2.0], [np.nan, 1.0])
    with pytest.raises(InvalidInput, match="sample_weight"):
        Triangle.of([[1.0], [2.0]], [1.0, 2.0], [1.0])
    with pytest.raises(InvalidInput, match="y"):
        Triangle.of([[1.0], [2.0]], [1.0, 2.0, 3.0])
    with pytest.raises(InvalidInput, match="two dimensions"):
        Triangle.of([1.0, 2.0], [1.0, 2.0])


# -- validation ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"average": "rows"}, "average must be one of 'size', 'fold'; got 'rows'"),
        ({"confidence": 1.0}, "confidence must lie between 0 and 1; got 1.0"),
        ({"confidence": 0}, "confidence must"),
        ({"confidence": "high"}, "confidence must"),
        ({"loss": "hinge"}, "loss must be one of"),
        ({"loss": 3}, "loss must be one of"),
        ({"cv": 1}, "k-fold cross-validation requires at least one train"),
        ({"cv": 21}, "21 folds need at least 21 rows; got n_samples=20"),
        ({"cv": []}, "no folds"),
        ({"cv": [(np.arange(5), np.array([], dtype=int))]}, "Fold 0 has no test rows"),
        ({"cv": [(np.array([], dtype=int), np.arange(5))]}, "Fold 0 has no training rows"),
        ({"loss": lambda y, p: 0.0}, "one value per row"),
        ({"sample_weight": np.ones(3)}, "sample_weight|inconsistent"),
        ({"sample_weight": -np.ones(20)}, "sample_weight must be zero or more; got -1 at row 0"),
    ],
)
def test_cross_validate_refuses(options, message):
    with pytest.raises(ValueError, match=message):
        cross_validate(LinearRegression(), X, y, **options)


def test_cross_validate_names_the_fold():
    folds = [(np.arange(5, 20), np.arange(5)), (np.array([0]), np.arange(1, 4))]
    with pytest.warns(FitFailed, match="fold 1 failed: .*nothing is left"):
        result = cross_validate(BayesianLinearRegression(), X, y, cv=folds)
    assert np.isfinite(result.fold_losses[0])
    assert np.isnan(result.fold_losses[1])


def test_gaussian_basis_of_the_wrong_dimension():
    with pytest.raises(InvalidInput, match="centres in 2 dimensions; X has 3 columns"):
        LinearRegression(basis=GaussianBasis([[0.0, 1.0]], width=1.0)).fit(X, y)
