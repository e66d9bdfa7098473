"""Pipelines are seen through where that is exact, refitted where it is not, and never leak between folds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
)
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    PolynomialFeatures,
    StandardScaler,
)

from suffice.bases import GaussianBasis, Polynomial
from suffice.evaluation import SearchCV, cross_validate, two_layer, validate_path
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.prepare import BasisTransformer, Standardizer

from .refits import assert_close, pinball, refits

pytestmark = pytest.mark.sampled(12)

N = 48
rng = np.random.default_rng(0)
X = rng.standard_normal((N, 3)) * [1.0, 20.0, 0.05] + [0.0, 100.0, 3.0]
KINDS = np.array(["red", "green", "blue"])[np.arange(N) % 3]
TABLE = pd.DataFrame(X, columns=["a", "b", "c"], index=rng.permutation(N)).assign(kind=KINDS)
y = 1 + X @ [1.0, 0.05, -8.0] + (KINDS == "red") + 0.4 * rng.standard_normal(N)
COUNTS = rng.integers(1, 4, N).astype(float)
COLORS = OneHotEncoder(categories=[["red", "green", "blue"]], sparse_output=False)
SOME_COLORS = OneHotEncoder(categories=[["red", "green"]], handle_unknown="ignore")
NUMBERS = TABLE[["a", "b", "c"]]
CV = {
    "blocks": KFold(4),
    "shuffled": KFold(5, shuffle=True, random_state=1),
    "one out": LeaveOneOut(),
    "repeated": RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    "shuffles": ShuffleSplit(3, test_size=0.25, random_state=0),
    "time": TimeSeriesSplit(3),
    "many folds": KFold(16),
    "halves": KFold(2, shuffle=True, random_state=0),
}


def powers(degree, **options):
    return PolynomialFeatures(degree, include_bias=False, **options)


def columns(*transformers, **options):
    return ColumnTransformer([(f"t{i}", *t) for i, t in enumerate(transformers)], **options)


SEEN = {
    "scaler": (X, [StandardScaler()]),
    "our scaler": (X, [Standardizer()]),
    "centred only": (X, [StandardScaler(with_std=False)]),
    "scaled only": (X, [Standardizer(with_mean=False)]),
    "nothing at all": (X, [StandardScaler(with_mean=False, with_std=False)]),
    "scaled twice": (X, [StandardScaler(), Standardizer(with_std=False), StandardScaler()]),
    "no steps": (X, []),
    "passthrough": (X, ["passthrough", StandardScaler(), "passthrough"]),
    "a pipeline inside": (X, [make_pipeline(powers(2), StandardScaler())]),
    "a basis": (X[:, [0]], [BasisTransformer(Polynomial(3))]),
    "bumps": (X[:, [0]], [BasisTransformer(GaussianBasis([-1.0, 0.0, 1.0], width=1.0))]),
    "a basis, then scaled": (X[:, [0]], [BasisTransformer(Polynomial(3)), StandardScaler()]),
    "powers": (X[:, [0, 2]], [powers(2)]),
    "products only": (X[:, [0, 2]], [powers(2, interaction_only=True), Standardizer()]),
    "signs": (X[:, [0, 2]], [Binarizer(threshold=0.3), StandardScaler()]),
    "colors": (TABLE[["kind"]], [COLORS]),
    "some colors, sparse": (TABLE[["kind"]], [SOME_COLORS]),
    "colors but one": (TABLE[["kind"]], [clone(COLORS).set_params(drop="first")]),
    "columns by name": (TABLE, [columns((StandardScaler(), ["a", "c"]), (COLORS, ["kind"]))]),
    "columns by position": (X, [columns((StandardScaler(), [0, 2]), ("passthrough", [1]))]),
    "columns by slice": (X, [columns((Standardizer(), slice(1, 3)), remainder="passthrough")]),
    "columns by mask": (X, [columns(("passthrough", [True, False, True]))]),
    "columns from the end": (X, [columns((StandardScaler(), [-1]), ("passthrough", [0]))]),
    "columns by type": (
        TABLE,
        [columns(
            (StandardScaler(), make_column_selector(dtype_include=float)),
            (COLORS, make_column_selector(dtype_exclude=float)),
        )],
    ),
    "columns by pattern": (NUMBERS, [columns((StandardScaler(), make_column_selector(pattern="[ac]")))]),
    "one column twice": (X, [columns((StandardScaler(), [0, 1]), ("passthrough", [0]))]),
    "in another order": (X, [columns((StandardScaler(), [2, 0]))]),
    "the rest is dropped": (TABLE, [columns(("passthrough", ["a", "b"]), ("drop", ["c"]))]),
    "the rest is scaled": (NUMBERS, [columns(("passthrough", ["b"]), remainder=StandardScaler())]),
    "nothing is chosen": (X, [columns((StandardScaler(), []), ("passthrough", [0, 1]))]),
    "pipelines in columns": (
        TABLE,
        [columns(
            (make_pipeline(powers(2), StandardScaler()), ["a", "c"]),
            (make_pipeline(COLORS, StandardScaler(with_std=False)), ["kind"]),
            remainder="passthrough",
        )],
    ),
    "columns in columns": (
        TABLE, [columns((columns((StandardScaler(), ["a"]), ("passthrough", ["c"])), ["c", "a"]), (COLORS, ["kind"]))]
    ),
    "columns, then scaled": (TABLE, [columns((COLORS, ["kind"]), remainder="passthrough"), StandardScaler()]),
    "scaled, then chosen": (X, [StandardScaler(), columns(("passthrough", [2, 0]))]),
    "scaled, chosen, scaled": (X, [Standardizer(), columns((StandardScaler(), [1]), ("passthrough", [0]))]),
    "chosen, then powers": (TABLE, [columns(("passthrough", ["a", "c"])), powers(2), StandardScaler()]),
    "pandas inside": (NUMBERS, [StandardScaler().set_output(transform="pandas")]),
    "pandas from columns": (
        TABLE,
        [columns((StandardScaler(), ["a"]), (COLORS, ["kind"])).set_output(transform="pandas"), StandardScaler()],
    ),
}  # fmt: skip
OPAQUE = {
    "components": (X, [StandardScaler(), PCA(2)], "pca"),
    "ranges": (X, [MinMaxScaler()], "minmaxscaler"),
    "colors as found": (TABLE[["kind"]], [OneHotEncoder()], "onehotencoder"),
    "frequent colors": (
        TABLE[["kind"]], [clone(SOME_COLORS).set_params(categories=[["red", "green", "blue"]], min_frequency=3)],
        "onehotencoder"),
    "bumps from the data": (X[:, [0]], [BasisTransformer(GaussianBasis(4))], "basistransformer"),
    "bumps of scaled columns": (
        X[:, [0]], [StandardScaler(), BasisTransformer(GaussianBasis([-1.0, 0.0, 1.0], width=1.0))],
        "basistransformer"),
    "a function": (X, [FunctionTransformer(np.tanh)], "functiontransformer"),
    "a union": (X, [FeatureUnion([("s", StandardScaler())])], "featureunion"),
    "a part that is fitted": (X, [columns((PCA(1), [0, 1]), remainder="passthrough")], "columntransformer__t0"),
    "a part of a part": (
        X, [columns((make_pipeline(StandardScaler(), MinMaxScaler()), [0, 1]))],
        "columntransformer__t0__minmaxscaler"),
    "weighted branches": (
        X, [columns((StandardScaler(), [0, 1]), transformer_weights={"t0": 2.0})], "columntransformer"),
    "columns by a function": (
        X, [columns((StandardScaler(), lambda A: [int(np.argmax(A.std(axis=0)))]))], "columntransformer"),
}  # fmt: skip


def pipe(steps, model):
    return make_pipeline(*steps, model)


def check(model, table, cv, loss="squared", weight=None, target=y):
    brute = refits(model, table, target, list(cv.split(table)), loss, weight)
    result = cross_validate(model, table, target, cv=cv, loss=loss, sample_weight=weight)
    assert_close(result.fold_losses, brute.fold_losses, target, loss)
    assert_close(result.estimate, brute.estimate, target, loss)
    once = isinstance(result.predictions, np.ndarray)
    for i, (test, p) in enumerate(zip(brute.tests, brute.predictions, strict=True)):
        assert_close(result.predictions[test] if once else result.predictions[i], p, target)
    return result, brute


# -- seen through ----------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")  # all colors and a constant
@pytest.mark.parametrize("name", SEEN)
def test_what_is_seen_through_is_not_refitted(name):
    table, steps = SEEN[name]
    result, _ = check(pipe(steps, Ridge(2.0)), table, CV["halves"])
    assert result.how == "statistics"
    assert result.notes == ()


FAR = [
    (Ridge(0.5, penalize_intercept=True), "many folds"),
    (Ridge(0.5, fit_intercept=False), "shuffled"),
    (Ridge(0.5, standardize=True, penalty_scale="mean"), "repeated"),
    (LinearRegression(), "many folds"),
    (LinearRegression(fit_intercept=False), "time"),
    (LinearRegression(standardize=True), "shuffles"),
    (BayesianLinearRegression(2.0, noise_precision=4.0), "blocks"),
    (BayesianLinearRegression(2.0, noise_precision=4.0, intercept="prior"), "shuffled"),
]


def assert_seen_through(name, model, cv):
    table, steps = SEEN[name]
    target = np.column_stack([y, -2 * y + X[:, 0]]) if cv == "shuffled" else y
    result, _ = check(pipe(steps, model), table, CV[cv], "absolute", target=target)
    assert result.how in ("statistics", "closed form")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
@pytest.mark.parametrize("name", SEEN)
def test_seen_through_far_from_the_defaults(name):
    """Every pipeline, and every model and splitter behind four or five of them."""
    assert_seen_through(name, *FAR[list(SEEN).index(name) % len(FAR)])


@pytest.mark.long  # all of them behind all pipelines
@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
@pytest.mark.parametrize("name", SEEN)
def test_every_model_sees_through_every_pipeline(name):
    for model, cv in FAR:
        assert_seen_through(name, model, cv)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
@settings(max_examples=settings.default.max_examples // 3)  # each is many fits
@given(
    name=st.sampled_from(list(SEEN)),
    loss=st.sampled_from(["squared", "absolute", "log", pinball]),
    cv=st.sampled_from(list(CV)),
    alpha=st.sampled_from([1e-2, 1.0, 30.0]),
    targets=st.sampled_from([1, 2]),
)
def test_losses_and_splitters_behind_steps(name, loss, cv, alpha, targets):
    table, steps = SEEN[name]
    target = y if targets == 1 else np.column_stack([y, y**2 / 10])
    result, _ = check(pipe(steps, Ridge(alpha)), table, CV[cv], loss, target=target)
    assert result.how in ("statistics", "closed form")


POLYNOMIAL = {
    "powers of scaled": [StandardScaler(), powers(2)],
    "powers of ours": [Standardizer(), BasisTransformer(Polynomial(3))],
    "with products": [StandardScaler(with_mean=False), BasisTransformer(Polynomial(2, interactions=True))],
    "scaled again": [StandardScaler(), powers(2), StandardScaler()],
    "scaled twice again": [StandardScaler(), powers(2), Standardizer(with_mean=False), StandardScaler()],
    "with a constant": [StandardScaler(), PolynomialFeatures(2)],
    "products only": [StandardScaler(), powers(2, interaction_only=True)],
    "degrees two to three": [StandardScaler(), powers((2, 3))],
    "chosen, then powers": [StandardScaler(), columns(("passthrough", [1, 0])), powers(2)],
    "in a branch": [columns((make_pipeline(StandardScaler(), powers(2)), [0, 1]), remainder="passthrough")],
    "scaled again in a branch": [
        columns((make_pipeline(StandardScaler(), powers(2), StandardScaler()), [0, 1]), remainder=StandardScaler())
    ],
    "branches, then powers": [columns((StandardScaler(), [0]), remainder="passthrough"), powers(2)],
    "powers of powers": [StandardScaler(), powers(2), powers(2)],
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
@pytest.mark.parametrize("name", POLYNOMIAL)
@pytest.mark.parametrize("model", [Ridge(2.0), LinearRegression(), Ridge(2.0, fit_intercept=False)], ids=repr)
def test_powers_after_scaling_are_right_however_answered(name, model):
    for cv in ("blocks", "shuffles"):
        check(pipe(POLYNOMIAL[name], model), X[:, [0, 2]], CV[cv])


def test_a_basis_of_the_model_after_scaling():
    for basis in (Polynomial(3), GaussianBasis([-1.0, 0.0, 1.0], width=1.0)):
        check(make_pipeline(StandardScaler(), Ridge(0.1, basis=basis)), X[:, [2]], CV["shuffled"])


@pytest.mark.parametrize("where", ["constant", "constant in a fold", "zero in a fold"])
@pytest.mark.parametrize(
    "scaler", [StandardScaler(), Standardizer(), Standardizer(with_mean=False)], ids=repr
)
def test_columns_that_do_not_vary_are_divided_by_one(where, scaler):
    flat = {"constant": np.full(N, 7.0), "constant in a fold": 7.0 + (np.arange(N) >= 40),
            "zero in a fold": 1.0 * (np.arange(N) >= 40)}[where]  # fmt: skip
    check(make_pipeline(scaler, Ridge(1.0)), np.column_stack([X, flat]), KFold(6))


def test_huge_means_behind_a_scaler():
    check(make_pipeline(StandardScaler(), Ridge(1.0)), X + 1e7, CV["shuffled"])


# -- weights ---------------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
@pytest.mark.parametrize("name", SEEN)
def test_weights_reach_the_steps_that_take_them(name):
    table, steps = SEEN[name]
    check(pipe(steps, Ridge(5.0)), table, CV["halves"], weight=COUNTS)


def test_weights_of_scalers():
    weight = np.where(np.arange(N) % 5 == 0, 0.0, COUNTS)
    for scaler in (StandardScaler(), Standardizer()):
        result, _ = check(make_pipeline(scaler, Ridge(5.0)), X, CV["shuffled"], weight=weight)
        assert result.how == "statistics"


def test_weights_do_not_reach_into_branches():
    """scikit-learn hands no weights to a step inside a ColumnTransformer, so neither do statistics."""
    model = make_pipeline(columns((StandardScaler(), [0, 1]), remainder="passthrough"), Ridge(5.0))
    result, _ = check(model, X, CV["blocks"], weight=COUNTS)
    assert result.how == "refit"
    assert "weights" in result.notes[0]
    assert "columntransformer__t0" in result.notes[0]
    search = SearchCV(model, {"ridge__alpha": [1.0, 5.0]}, cv=CV["blocks"]).fit(X, y, sample_weight=COUNTS)
    brute = [refits(clone(model).set_params(ridge__alpha=a), X, y, list(KFold(4).split(X)), weight=COUNTS).estimate
             for a in (1.0, 5.0)]  # fmt: skip
    assert_close(-search.cv_results_["mean_test_score"], brute, y, "squared")


# -- refitted --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", OPAQUE)
def test_what_cannot_be_seen_through_is_refitted_and_named(name):
    table, steps, named = OPAQUE[name]
    model = pipe(steps, Ridge(2.0))
    result, _ = check(model, table, CV["blocks"])
    assert result.how == "refit"
    assert repr(named) in result.notes[0]
    path = validate_path(model, table, y, "ridge__alpha", [0.1, 1.0], CV["blocks"])
    assert path.how == "refit"
    assert repr(named) in path.notes[0]


def test_other_last_steps_are_named():
    from sklearn.linear_model import Ridge as TheirRidge

    result, _ = check(make_pipeline(StandardScaler(), TheirRidge()), X, CV["blocks"])
    assert result.how == "refit"
    assert "Ridge" in result.notes[0]


class Squashed(StandardScaler):
    """Inherits a scaler, and is none."""

    def transform(self, X, copy=None):
        return np.tanh(super().transform(X))


class Reversed(Pipeline):
    """Inherits a Pipeline, and predicts otherwise."""

    def predict(self, X, **params):
        return -super().predict(X, **params)


class Bent(PolynomialFeatures):
    """Inherits powers, and adds something."""

    def transform(self, X):
        return super().transform(X) ** 2


class Doubled(Ridge):
    """Inherits a model, and predicts otherwise."""

    def predict(self, X):
        return 2 * super().predict(X)


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(Squashed(), Ridge(1.0)),
        make_pipeline(Bent(2), Ridge(1.0)),
        Reversed([("scaler", StandardScaler()), ("ridge", Ridge(1.0))]),
    ],
    ids=lambda m: type(m[0]).__name__ + type(m).__name__,
)
def test_heirs_are_not_taken_for_their_parents(model):
    result, _ = check(model, X, CV["blocks"])
    assert result.how == "refit"


def test_heirs_of_a_model_answer_for_themselves():
    check(Doubled(1.0), X, CV["blocks"])
    check(make_pipeline(StandardScaler(), Doubled(1.0)), X, CV["blocks"])


@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
def test_names_between_steps_are_right_however_answered():
    names = columns(("passthrough", ["a", "c"]))
    scaled = StandardScaler().set_output(transform="pandas")
    expanded = powers(2).set_output(transform="pandas")
    for steps in ([scaled, names], [expanded, columns(("passthrough", ["a", "a c"]))],
                  [scaled, columns((Standardizer(), ["a"]), remainder="drop")]):  # fmt: skip
        check(pipe(steps, Ridge(1.0)), NUMBERS, CV["blocks"])


def test_an_unknown_color_is_an_error():
    model = make_pipeline(clone(COLORS).set_params(categories=[["red", "green"]]), Ridge())
    with pytest.raises(ValueError, match="unknown categories.*blue"):
        cross_validate(model, TABLE[["kind"]], y, cv=4)


def test_an_unknown_column_is_an_error():
    model = make_pipeline(columns((StandardScaler(), ["a", "nope"])), Ridge())
    with pytest.raises(ValueError, match="nope"):
        cross_validate(model, TABLE, y, cv=4)


# -- nothing leaks ---------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore::suffice._core.errors.IllConditioned")
def test_a_wild_row_changes_no_fold_that_does_not_train_on_it():
    """Scaling by moments of all rows would move every fold."""
    wild, target = X.copy(), y.copy()
    wild[0], target[0] = 1e6, 1e6
    for steps in (
        [StandardScaler()],
        [columns((StandardScaler(), [0, 1]), remainder="passthrough")],
        [StandardScaler(), powers(2)],
    ):
        model = pipe(steps, Ridge(3.0))
        before, after = (cross_validate(model, A, b, cv=KFold(4)) for A, b in ((X, y), (wild, target)))
        assert_close(after.predictions[1:12], before.predictions[1:12], y)
        assert np.abs(after.predictions[12:] - before.predictions[12:]).max() > 1


def test_neither_model_nor_steps_are_touched():
    scaler, last = StandardScaler(), Ridge(1.0)
    model = Pipeline(
        [("s", scaler), ("c", columns((StandardScaler(), [0]), remainder="passthrough")), ("r", last)]
    )
    before = repr(model)
    cross_validate(model, X, y, cv=3)
    SearchCV(model, {"r__alpha": [1.0, 2.0]}, cv=3).fit(X, y)
    validate_path(model, X, y, "r__alpha", [1.0, 2.0], 3)
    assert repr(model) == before
    assert not [k for part in (scaler, last, model[1]) for k in vars(part) if k.endswith("_")]


@pytest.mark.slow
def test_equal_steps_share_a_pass_and_different_ones_do_not():
    """Long column lists must not be mistaken for each other."""
    wide = np.random.default_rng(1).standard_normal((30, 1100))
    wide[:, 550] *= 30
    target = wide[:, 550] + wide[:, 551]
    first, second = np.arange(1099), np.arange(1099)
    second[550] = 1099
    model = Pipeline([("pick", columns(("passthrough", first))), ("ridge", Ridge(1.0))])
    grid = {"pick__t0": ["passthrough"], "pick": [columns(("passthrough", c)) for c in (first, second)]}
    search = SearchCV(model, {"pick": grid["pick"]}, cv=2).fit(wide, target)
    brute = [
        refits(clone(model).set_params(pick=p), wide, target, list(KFold(2).split(wide))).estimate
        for p in grid["pick"]
    ]
    assert brute[1] > 1.1 * brute[0]
    assert_close(-search.cv_results_["mean_test_score"], brute, target, "squared")


# -- paths, searches, two layers -------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
@pytest.mark.parametrize(
    ("name", "cv"),
    [
        pytest.param(name, cv, marks=() if cv == "halves" else pytest.mark.slow if once else pytest.mark.long)
        for i, name in enumerate(
            ["scaler", "columns by name", "pipelines in columns", "scaled, chosen, scaled", "powers"]
        )
        for cv, once in (("halves", True), ("repeated", i % 2 == 1), ("many folds", i % 2 == 0))
    ],
)
def test_paths_behind_steps(name, cv):
    table, steps = SEEN[name]
    model, values = pipe(steps, Ridge()), [0.0, 0.1, 10.0]
    path = validate_path(model, table, y, "ridge__alpha", values, CV[cv])
    for i, value in enumerate(values):
        brute = refits(clone(model).set_params(ridge__alpha=value), table, y, list(CV[cv].split(table)))
        assert_close(path.fold_test[i], brute.fold_losses, y, "squared")
        assert_close(path.fold_train[i], brute.train_losses, y, "squared")


@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
@pytest.mark.parametrize(
    "grid",
    [
        {
            "scaler": [StandardScaler(), "passthrough", Standardizer(with_std=False)],
            "ridge__alpha": [0.1, 10.0],
        },
        {"scaler__with_std": [True, False], "ridge__alpha": [0.1, 10.0]},
        {"powers__degree": [1, 2], "ridge__alpha": [0.1, 10.0]},
        {"ridge": [Ridge(1.0), LinearRegression(), BayesianLinearRegression(1.0, noise_precision=1.0)]},
        {"ridge": [Ridge(), Ridge(standardize=True)], "ridge__alpha": [0.1, 1.0]},
        [
            {"powers": ["passthrough"], "ridge__alpha": [0.1, 1.0]},
            {"powers__degree": [2], "scaler": [MinMaxScaler()]},
        ],
        {
            "powers": [
                powers(2),
                BasisTransformer(Polynomial(2)),
                BasisTransformer(GaussianBasis([0.0], width=2.0)),
            ]
        },
    ],
    ids=lambda g: str(g)[:60],
)
def test_searches_over_steps(grid):
    model = Pipeline([("powers", powers(2)), ("scaler", StandardScaler()), ("ridge", Ridge())])
    A = X[:, [0, 2]]
    mine = SearchCV(model, grid, cv=KFold(4), scoring="neg_mean_squared_error").fit(A, y)
    theirs = GridSearchCV(model, grid, cv=KFold(4), scoring="neg_mean_squared_error").fit(A, y)
    assert str(mine.cv_results_["params"]) == str(theirs.cv_results_["params"])
    for i in range(4):
        key = f"split{i}_test_score"
        assert_close(mine.cv_results_[key], theirs.cv_results_[key], y, "squared")
    scores = theirs.cv_results_["mean_test_score"]  # two steps may do the same, and rounding order them
    assert scores[mine.best_index_] == pytest.approx(theirs.best_score_, rel=1e-9)
    np.testing.assert_allclose(mine.predict(A), theirs.predict(A), rtol=1e-9)


def test_two_layers_behind_steps():
    model = make_pipeline(StandardScaler(), Ridge())
    grid = {"ridge__alpha": [0.1, 1.0, 10.0]}
    result = two_layer({"piped": (model, grid)}, NUMBERS, y, outer=4, inner=3)
    assert result.validations["piped"].how == "statistics"
    for i, (a, b) in enumerate(KFold(4).split(X)):
        search = GridSearchCV(model, grid, cv=KFold(3), scoring="neg_mean_squared_error").fit(
            NUMBERS.iloc[a], y[a]
        )
        assert result.chosen["piped"][i] == search.best_params_
        assert_close(result.predictions["piped"][b], search.predict(NUMBERS.iloc[b]), y)


def test_groups_behind_steps():
    groups = np.arange(N) // 5
    model = make_pipeline(StandardScaler(), Ridge(1.0))
    result = cross_validate(model, X, y, cv=GroupKFold(3), groups=groups)
    assert_close(
        result.fold_losses,
        refits(model, X, y, list(GroupKFold(3).split(X, y, groups))).fold_losses,
        y,
        "squared",
    )


def test_sparse_tables():
    A = sparse.csr_array(np.where(np.abs(X) > 0.5, X, 0.0))
    for steps in ([StandardScaler(with_mean=False)], [Standardizer(with_mean=False)], []):
        check(pipe(steps, Ridge(1.0)), A, CV["blocks"])
    with pytest.raises(ValueError, match="sparse"):
        cross_validate(make_pipeline(StandardScaler(), Ridge(1.0)), A, y, cv=4)


def test_polars_tables():
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({c: NUMBERS[c].to_numpy() for c in NUMBERS})
    for steps in ([StandardScaler()], [columns((StandardScaler(), ["a", "b"]), remainder="passthrough")]):
        mine = cross_validate(pipe(steps, Ridge(1.0)), table, y, cv=4)
        np.testing.assert_allclose(
            mine.predictions, cross_validate(pipe(steps, Ridge(1.0)), NUMBERS, y, cv=4).predictions
        )
        assert mine.how == "statistics"


class Remembers(TransformerMixin, BaseEstimator):
    """Counts how often it is fitted, and to how many rows."""

    fits: list[int] = []  # noqa: RUF012

    def fit(self, X, y=None):
        Remembers.fits.append(len(X))
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X):
        return X


def test_an_unknown_step_is_fitted_once_per_fold_to_its_training_rows():
    Remembers.fits.clear()
    cross_validate(make_pipeline(Remembers(), Ridge(1.0)), X, y, cv=4)
    assert Remembers.fits == [36] * 4


def test_make_column_transformer_is_the_same():
    model = make_pipeline(make_column_transformer((StandardScaler(), ["a"]), (COLORS, ["kind"])), Ridge(1.0))
    assert check(model, TABLE, CV["blocks"])[0].how == "statistics"
