"""Bad input never yields a number: it is refused by name, or used with a warning that names what is wrong."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import is_classifier, is_regressor

import suffice
from suffice._core.errors import (
    FitFailed,
    InvalidInput,
    InvalidParameter,
    NotPositiveDefinite,
    RankDeficient,
    Unsupported,
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
from suffice.prepare import Standardizer
from suffice.statistics import Triangle

from .registry import TABULAR, is_density

rng = np.random.default_rng(0)
X = rng.standard_normal((20, 3))
y = 1 + X @ [1.0, -2.0, 0.5] + 0.1 * rng.standard_normal(20)
LABELS = np.where(np.arange(20) % 3 == 0, "a", "b")
CLASSES = [e.cls for e in TABULAR]
TAKES_SPARSE = [c for c in CLASSES if c().__sklearn_tags__().input_tags.sparse or c is Standardizer]
TAKES_TEXT = [c for c in CLASSES if c().__sklearn_tags__().input_tags.string]
SUPERVISED = [e.cls for e in TABULAR if e.predicts]
REGRESSORS = [e.cls for e in TABULAR if e.kind == "regressor"]
ADDING = [e.cls for e in TABULAR if e.capabilities.statistics]
WEIGHING = [e.cls for e in TABULAR if e.capabilities.weights]
TAKES_NAN = [e.cls for e in TABULAR if e.capabilities.nan]
LINEAR = [LinearRegression, Ridge, BayesianLinearRegression, ConjugateLinearRegression, ARDRegression]


def spoiled(row, column, value):
    out = X.copy()
    out[row, column] = value
    return out


def target(cls):
    """Labels for a classifier, numbers for everything else."""
    return LABELS if is_classifier(cls()) else y


def fitted(cls):
    return cls().fit(X, target(cls))


def calls(model):
    """The methods that take a table after the fit."""
    names = ("predict", "predict_dist") if hasattr(model, "predict") else ("transform",)
    names = ("predict", "predict_proba", "score_samples") if is_density(model) else names
    return [getattr(model, name) for name in names if hasattr(model, name)]


def answer(model, table):
    """What the model makes of a table, as numbers."""
    if is_classifier(model):
        return (
            model.predict_proba(table) if hasattr(model, "predict_proba") else model.decision_function(table)
        )
    if is_density(model):
        return model.score_samples(table)
    return model.predict(table) if is_regressor(model) else model.transform(table)


# -- cells --------------------------------------------------------------------------------------------
NON_FINITE = {"NaN": (np.nan, "NaN"), "inf": (np.inf, "inf"), "-inf": (-np.inf, "inf")}


def spoiling(classes, cells=True):
    """Classes and values that must not be in their cells: NaN is one unless it counts as missing."""
    pairs = [(c, v) for c in classes for v in NON_FINITE if not (cells and v == "NaN" and c in TAKES_NAN)]
    return pytest.mark.parametrize(
        ("cls", "value", "word"),
        [(c, *NON_FINITE[v]) for c, v in pairs],
        ids=[f"{c.__name__}-{v}" for c, v in pairs],
    )


class TestNonFinite:
    @spoiling(CLASSES)
    def test_in_x(self, cls, value, word):
        with pytest.raises(InvalidInput, match=rf"X contains {word} at row 7, column 'x2'"):
            cls().fit(spoiled(7, 2, value), target(cls))

    @spoiling(CLASSES)
    def test_in_a_named_column(self, cls, value, word):
        import pandas

        table = pandas.DataFrame(spoiled(7, 2, value), columns=["age", "sex", "bmi"])
        with pytest.raises(InvalidInput, match=rf"X contains {word} at row 7, column 'bmi'"):
            cls().fit(table, target(cls))

    @spoiling(TAKES_SPARSE)
    def test_in_a_sparse_table(self, cls, value, word):
        model = Standardizer(with_mean=False) if cls is Standardizer else cls()
        with pytest.raises(InvalidInput, match=rf"X contains {word} at row 7, column 'x2'"):
            model.fit(sparse.csr_array(spoiled(7, 2, value)), target(cls))

    @spoiling(CLASSES)
    def test_after_the_fit(self, cls, value, word):
        for call in calls(fitted(cls)):
            with pytest.raises(InvalidInput, match=rf"X contains {word} at row 3, column"):
                call(spoiled(3, 0, value))

    @spoiling(SUPERVISED, cells=False)
    def test_in_y(self, cls, value, word):
        targets = (np.arange(20) % 2).astype(float) if is_classifier(cls()) else y.copy()
        targets[5] = value
        with pytest.raises(InvalidInput, match=rf"y contains {word}.*row 5\b"):
            cls().fit(X, targets)

    @spoiling(REGRESSORS, cells=False)
    def test_in_several_targets(self, cls, value, word):
        targets = np.column_stack([y, y])
        targets[5, 1] = value
        with pytest.raises(InvalidInput, match=rf"y contains {word}.*row 5\b"):
            cls().fit(X, targets)

    @spoiling(WEIGHING, cells=False)
    def test_in_the_weights(self, cls, value, word):
        weight = np.ones(20)
        weight[4] = value
        with pytest.raises(ValueError, match=r"sample_weight"):
            cls().fit(X, target(cls), weight)

    @spoiling(ADDING)
    def test_when_added_or_taken_out(self, cls, value, word):
        model, targets = fitted(cls), target(cls)
        before = answer(model, X)
        with pytest.raises(InvalidInput, match=f"X contains {word}"):
            model.partial_fit(spoiled(0, 0, value), targets)
        with pytest.raises(InvalidInput, match=f"X contains {word}"):
            suffice.forget(model, spoiled(0, 0, value)[:2], targets[:2])
        assert np.array_equal(answer(model, X), before)  # a failed addition leaves the model as it was


@pytest.mark.parametrize("cls", CLASSES)
class TestTables:
    def test_words(self, cls):
        if cls in TAKES_TEXT:
            pytest.skip("text is a category")
        with pytest.raises(ValueError, match="could not convert string to float|holds text"):
            cls().fit(np.array([["a", "b"]] * 20), target(cls))
        with pytest.raises(ValueError, match="could not convert string to float|holds text"):
            cls().fit(np.full((20, 2), "red", dtype=object), target(cls))

    def test_dimensions(self, cls):
        with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
            cls().fit(y, target(cls))
        with pytest.raises(ValueError, match="dim 3|3D|ndim"):
            cls().fit(np.zeros((20, 2, 2)), target(cls))
        for call in calls(fitted(cls)):
            with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
                call(X[0])

    def test_emptiness(self, cls):
        with pytest.raises(ValueError, match="0 sample"):
            cls().fit(np.zeros((0, 3)), target(cls)[:0])
        with pytest.raises(ValueError, match="0 feature"):
            cls().fit(np.zeros((20, 0)), target(cls))

    def test_other_columns_after_the_fit(self, cls):
        model = fitted(cls)
        added = (lambda table: model.partial_fit(table, target(cls)),) if cls in ADDING else ()
        for call in (*calls(model), *added):
            with pytest.raises(ValueError, match="2 features, but .* is expecting 3"):
                call(X[:, :2])

    def test_not_fitted(self, cls):
        from sklearn.exceptions import NotFittedError

        for call in calls(cls()):
            with pytest.raises(NotFittedError, match="not fitted"):
                call(X)
        error, words = (
            (InvalidInput, "not fitted; call fit first") if cls in ADDING else (Unsupported, "not a sum")
        )
        with pytest.raises(error, match=words):
            suffice.merge([cls(), cls()])
        with pytest.raises(error, match=words):
            suffice.forget(cls(), X, target(cls))

    def test_integers_booleans_and_objects_are_numbers(self, cls):
        if cls in TAKES_TEXT:
            pytest.skip("booleans are no numbers")
        whole = np.round(X * 10)

        def both(table):
            return answer(cls().fit(table, target(cls)), table)

        for kind in (np.int8, np.int64, object):
            np.testing.assert_allclose(both(whole.astype(kind)), both(whole), rtol=1e-12)
        flags = whole > 0
        np.testing.assert_allclose(both(flags), both(flags.astype(float)), rtol=1e-12)

    @pytest.mark.filterwarnings("ignore::suffice._core.errors.AtBound")  # y has nothing to do with them
    def test_large_integers_do_not_wrap(self, cls):
        big = np.array([[2**52 - i * i, i * 2**40] for i in range(20)], dtype=np.int64)
        model, same = cls().fit(big, target(cls)), cls().fit(big.astype(float), target(cls))
        np.testing.assert_allclose(answer(model, big), answer(same, big.astype(float)), rtol=1e-9)


@pytest.mark.parametrize("cls", SUPERVISED)
def test_targets_are_needed_and_as_many_as_rows(cls):
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        cls().fit(X, target(cls)[:-1])
    with pytest.raises(ValueError, match="requires y|y should|None"):
        cls().fit(X, None)


@pytest.mark.parametrize("cls", REGRESSORS)
def test_words_are_no_targets_of_a_regressor(cls):
    with pytest.raises(ValueError, match="could not convert string to float|holds text|use a classifier"):
        cls().fit(X, np.array(["yes", "no"] * 10))


@pytest.mark.parametrize("cls", [c for c in REGRESSORS if c in ADDING])
def test_other_targets_when_added(cls):
    with pytest.raises(InvalidInput, match="shapes of y"):
        cls().fit(X, y).partial_fit(X, np.column_stack([y, y]))


@pytest.mark.parametrize("cls", WEIGHING)
def test_weights(cls):
    targets = target(cls)
    with pytest.raises(InvalidInput, match=r"sample_weight must be zero or more; got -2 at row 3"):
        cls().fit(X, targets, np.where(np.arange(20) == 3, -2.0, 1.0))
    with pytest.raises(InvalidInput, match="sample_weight is zero for all 20 rows"):
        cls().fit(X, targets, np.zeros(20))
    with pytest.raises(ValueError, match=r"could not convert string to float|sample_weight"):
        cls().fit(X, targets, ["heavy"] * 20)
    for wrong in (np.ones(19), np.ones((20, 2))):
        with pytest.raises(ValueError, match="sample_weight"):
            cls().fit(X, targets, wrong)


# -- scales -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("cls", [c for c in REGRESSORS if c in ADDING])
@pytest.mark.parametrize(
    ("scale", "what"), [(1e-300, "vanish"), (1e-160, "vanish"), (1e160, "overflow"), (1e300, "overflow")]
)
def test_numbers_whose_squares_do_not_exist(cls, scale, what):
    with pytest.raises(
        InvalidInput, match=f"'y' has numbers of the order .* whose squares {what}; rescale it"
    ):
        cls().fit(X, y * scale)
    if cls in LINEAR:
        with pytest.raises(
            InvalidInput, match=f"'x0' has numbers of the order .* squares {what}; rescale it"
        ):
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
WRONG = {e.cls: e.wrong for e in TABULAR}
CASES = [
    (cls, name, value, shown)
    for cls, wrong in WRONG.items()
    for name, values in wrong.items()
    for value, shown in values
]


@pytest.mark.parametrize(
    ("cls", "name", "value", "shown"), CASES, ids=[f"{c.__name__}-{n}-{str(v)[:12]}" for c, n, v, _ in CASES]
)
def test_wrong_parameter(cls, name, value, shown):
    """The error names the parameter, its domain (the word *must*) and the value."""
    with pytest.raises(InvalidParameter, match=rf"(?s){name}(\[.*\])? must .*{shown}"):
        cls(**{name: value}).fit(X, target(cls))


@pytest.mark.parametrize("cls", CLASSES)
def test_every_parameter_is_in_the_list(cls):
    assert set(WRONG.get(cls, ())) == set(cls().get_params(deep=False))


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
