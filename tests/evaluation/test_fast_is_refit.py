"""Every fast path equals refitting: any loss, weights, splitter, basis and setting, to 1e-9 of the scale of y."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)

from suffice.baselines import MajorityClassifier, MeanRegressor, PriorClassifier
from suffice.bases import GaussianBasis, Polynomial
from suffice.evaluation import SearchCV, cross_validate, two_layer, validate_path
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge

from .refits import assert_close, fit, pinball, refits, unit

pytestmark = pytest.mark.sampled(12)

N = 30
BUMPS = GaussianBasis([-1.5, 0.0, 1.5], width=1.2)
BASES = [None, Polynomial(1), Polynomial(3), Polynomial(2, interactions=True), BUMPS, Polynomial(2) + BUMPS]

SPLITTERS = {
    "blocks": lambda y, s: KFold(4),
    "shuffled": lambda y, s: KFold(5, shuffle=True, random_state=s),
    "integer": lambda y, s: 3,
    "groups": lambda y, s: GroupKFold(3),
    "one group out": lambda y, s: LeaveOneGroupOut(),
    "one out": lambda y, s: LeaveOneOut(),
    "pairs of rows": lambda y, s: KFold(len(y) // 2, shuffle=True, random_state=s),
    "repeated": lambda y, s: RepeatedKFold(n_splits=3, n_repeats=3, random_state=s),
    "shuffles": lambda y, s: ShuffleSplit(4, test_size=0.3, random_state=s),
    "many shuffles": lambda y, s: ShuffleSplit(20, test_size=0.1, random_state=s),
    "time": lambda y, s: TimeSeriesSplit(3, test_size=5),
    "predefined": lambda y, s: PredefinedSplit(np.random.default_rng(s).integers(-1, 3, len(y))),
    "hold-out": lambda y, s: [(np.arange(20), np.arange(20, len(y)))],
    "bootstrap": lambda y, s: bootstrap(len(y), s),
    "omitting": lambda y, s: [(np.arange(15), np.arange(20, 25)), (np.arange(10, 28), np.arange(3))],
    "unequal": lambda y, s: unequal(len(y), s),
    "masks": lambda y, s: [(np.arange(len(y)) % 3 != i, np.arange(len(y)) % 3 == i) for i in range(3)],
    "from the end": lambda y, s: [(np.arange(-len(y), -6), np.arange(-6, 0))],
}


def bootstrap(n: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Training sets that draw rows several times; tests are what was not drawn."""
    rng = np.random.default_rng(seed)
    drawn = [rng.integers(0, n, n) for _ in range(3)]
    return [(d, np.setdiff1d(np.arange(n), d)) for d in drawn]


def unequal(n: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """A partition into folds of one row, two rows, and more, in no order."""
    order = np.random.default_rng(seed).permutation(n)
    parts = np.split(order, [1, 2, 4, 7, n - 8, n - 5, n - 3])
    return [(np.setdiff1d(np.arange(n), p), p) for p in parts]


WEIGHTS = {
    "none": lambda rng: None,
    "counts": lambda rng: rng.integers(1, 5, N).astype(float),
    "zeros": lambda rng: rng.integers(0, 3, N).astype(float),
    "fractions": lambda rng: rng.uniform(0.05, 2.0, N),
    "tiny": lambda rng: 1e-7 * rng.uniform(0.5, 2.0, N),
    "huge": lambda rng: 1e9 * rng.uniform(0.5, 2.0, N),
}
ONE = st.sampled_from


@st.composite
def models(draw):
    """A linear model with settings, defaults or far from them."""
    options = {"basis": draw(ONE(BASES)), "weight_kind": draw(ONE(["counts", "precision"]))}
    kind = draw(ONE(["ols", "ridge", "bayes", "evidence", "mean"]))
    if kind == "mean":
        return MeanRegressor()
    options |= {"standardize": draw(st.booleans()), "fit_intercept": draw(ONE([True, True, False]))}
    if kind == "ols":
        return LinearRegression(**options)
    if kind == "ridge":
        return Ridge(
            draw(ONE([0.0, 1e-3, 1.0, 50.0])),
            penalize_intercept=draw(st.booleans()),
            penalty_scale=draw(ONE(["sum", "mean", "unbiased"])),
            **options,
        )
    fixed = {} if kind == "evidence" else {"prior_precision": 0.7, "noise_precision": 3.0}
    return BayesianLinearRegression(intercept=draw(ONE(["flat", "prior"])), **fixed, **options)


def table(seed: int, d: int = 2, k: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Well-conditioned rows, with y a vector or a matrix."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((N, d))
    y = 1 + X @ rng.standard_normal((d, k or 1)) + 0.4 * rng.standard_normal((N, k or 1))
    return X, y[:, 0] if k is None else y


def groups_for(cv):
    """Five groups of six rows, in no order, for splitters that ask for groups."""
    asks = isinstance(cv, GroupKFold | LeaveOneGroupOut)
    return np.random.default_rng(5).permutation(np.repeat(np.arange(5), 6)) if asks else None


def splits_of(cv, X, y, groups):
    """Row numbers of every fold, as a caller would loop over them."""
    if isinstance(cv, int):
        cv = KFold(cv)
    if not isinstance(cv, list):
        return list(cv.split(X, y, groups))
    return [tuple(np.arange(len(X))[part] for part in pair) for pair in cv]


def condition(model, X, splits, weight=None) -> float:
    """The worst scaled condition of a training design, over directions that are there at all."""
    worst = 1.0
    for train, _ in splits:
        rows = train if weight is None else train[weight[train] > 0]
        A = X[rows] if model.basis is None else model.basis(X[rows])
        A = A - A.mean(axis=0) if getattr(model, "fit_intercept", True) else A
        size = np.linalg.norm(A, axis=0)
        values = np.linalg.svd(A[:, size > 0] / size[size > 0], compute_uv=False)
        kept = values[values > 1e-12 * values.max(initial=0.0)]
        worst = max(worst, kept.max(initial=1.0) / kept.min(initial=1.0))
    return worst


def assert_validation_is_refits(model, X, y, cv, loss="squared", weight=None, groups=None, splits=None):
    """Predictions, losses, distributions and averages of `cross_validate`, fold by fold."""
    splits = splits_of(cv, X, y, groups) if splits is None else splits
    brute = refits(model, X, y, splits, loss, weight)
    result = cross_validate(model, X, y, cv=cv, loss=loss, sample_weight=weight, groups=groups)
    assert_close(result.fold_losses, brute.fold_losses, y, loss)
    assert_close(result.estimate, brute.estimate, y, loss)
    np.testing.assert_allclose(result.fold_sizes, brute.sizes, rtol=1e-12)
    once = np.bincount(np.concatenate(brute.tests), minlength=len(y)).max() <= 1
    if once:
        for test, p, v in zip(brute.tests, brute.predictions, brute.losses, strict=True):
            assert_close(result.predictions[test], p, y)
            assert_close(result.losses[test], v, y, loss)
        tested = np.isin(np.arange(len(y)), np.concatenate(brute.tests))
        assert np.all(np.isnan(result.predictions[~tested]))
    else:
        assert result.interval is None
        for mine, theirs in zip(result.predictions, brute.predictions, strict=True):
            assert_close(mine, theirs, y)
    assert_distributions(result.distributions, brute, y, once)
    return result


def assert_distributions(mine, brute, y, once) -> None:
    if any(d is None for d in brute.distributions):
        return
    whole = once and sum(map(len, brute.tests)) == len(y)
    for i, (test, theirs) in enumerate(zip(brute.tests, brute.distributions, strict=True)):
        part = mine[test] if whole else mine[i]
        for name in ("mean", "std"):
            assert_close(getattr(part, name), getattr(theirs, name), y)
        if np.all(np.isfinite(theirs.std) & (theirs.std > 1e-6 * unit(y))):  # the shape, in its own units
            shape, expected = ((d.quantile(0.03) - d.mean) / d.std for d in (part, theirs))
            rounding = 16 * np.finfo(float).eps * np.abs(y).max() / theirs.std.min()
            np.testing.assert_allclose(shape, expected, rtol=1e-8, atol=rounding)


def quiet(f):
    """Rank warnings belong to some of these tables, and are tested where they are given."""
    return pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")(f)


# -- cross_validate --------------------------------------------------------------------------------------
@quiet
@pytest.mark.filterwarnings("ignore::suffice._core.errors.AtBound")
@pytest.mark.filterwarnings("ignore::suffice._core.errors.NotConverged")
@given(
    model=models(),
    shape=st.tuples(st.integers(1, 3), ONE([None, None, 1, 2])),
    split=ONE(list(SPLITTERS)),
    loss=ONE(["squared", "absolute", "log", pinball]),
    weight=ONE(["none", "none", "counts", "fractions"]),
    seed=st.integers(0, 2**20),
)
def test_cross_validate_is_refitting(model, shape, split, loss, weight, seed):
    X, y = table(seed, *shape)
    cv, w = SPLITTERS[split](y, seed), WEIGHTS[weight](np.random.default_rng(seed))
    groups = groups_for(cv)
    splits = splits_of(cv, X, y, groups)
    assume(all(len(a) and len(b) for a, b in splits))
    assume(condition(model, X, splits, w) < 1e6)
    assume(enough(model, X, splits, w))
    result = assert_validation_is_refits(model, X, y, cv, loss, w, groups, splits)
    known = ("test rows that they train on", "was refitted: its rows determine a direction alone")
    assert not [note for note in result.notes if not any(k in note for k in known)]
    assert (result.how == "refit") == any("was refitted" in note for note in result.notes)


def enough(model, X, splits, weight) -> bool:
    """Distributions need degrees of freedom: more weight than weights."""
    d = (
        0
        if isinstance(model, MeanRegressor)
        else X.shape[1]
        if model.basis is None
        else model.basis(X).shape[1]
    )
    w = np.ones(len(X)) if weight is None or getattr(model, "weight_kind", "") == "precision" else weight
    return all(w[a].sum() > d + 3 and len(np.unique(a)) > d + 3 for a, _ in splits)


# -- odd tables ------------------------------------------------------------------------------------------
RNG = np.random.default_rng(11)
A, B = table(3)
ODD = {
    "huge mean of X": (A + 1e8, B),
    "huge mean of y": (A, B + 1e8),
    "tiny units": (1e-9 * A, 1e-12 * B),
    "huge units": (1e9 * A, 1e12 * B),
    "mixed units": (A * [1e-6, 1e6], B),
    "rows twice": (A[np.arange(N) // 2], B),
    "equal rows and targets": (A[np.arange(N) // 2], B[np.arange(N) // 2]),
    "columns twice": (A[:, [0, 1, 0]], B),
    "a constant column": (np.column_stack([A, np.full(N, 3.7)]), B),
    "more columns than rows": (RNG.standard_normal((N, 45)), B),
    "as many columns as rows": (RNG.standard_normal((N, N - 4)), B),
    "a category in the last rows": (np.column_stack([A, np.arange(N) >= N - 2]), B),
    "a category in the first rows": (np.column_stack([A, np.arange(N) >= 2]), B),
    "a step at the end": (np.column_stack([A, 1e3 + (np.arange(N) >= N - 3)]), B),
    "a column alike but for the last rows": (np.column_stack([A, A[:, 0] + (np.arange(N) >= N - 3)]), B),
    "a sentinel": (np.where(np.arange(2 * N).reshape(N, 2) == 7, 999_999_999.0, A), B),
    "a sentinel of y": (A, np.where(np.arange(N) == 7, -1e9, B)),
    "nearly exact": (A, 2 + A @ [1.0, -1.0] + 1e-9 * RNG.standard_normal(N)),
    "two values": (np.sign(A), B),
    "integers": (RNG.integers(0, 9, (N, 2)), RNG.integers(0, 9, N)),
    "sparse": (sparse.csr_array(np.where(A > 0.2, A, 0.0)), B),
    "single precision": (A.astype(np.float32), B.astype(np.float32)),
    "no order": (np.asfortranarray(A)[::-1], B[::-1]),
}
PLAIN = [LinearRegression(), Ridge(2.0), Ridge(1.0, standardize=True)]
FAR = [
    LinearRegression(standardize=True, weight_kind="precision"),
    LinearRegression(fit_intercept=False),
    Ridge(0.0),
    Ridge(0.3, penalize_intercept=True),
    Ridge(0.3, fit_intercept=False, penalty_scale="mean"),
    BayesianLinearRegression(2.0, noise_precision=4.0),
    MeanRegressor(),
]


def check_odd(name, model, splits):
    X, y = ODD[name]
    origin = not getattr(model, "fit_intercept", True) or getattr(model, "penalize_intercept", False)
    if name == "huge mean of X" and origin:
        pytest.skip("about the origin these columns have a condition of 1e8")
    for split in splits:
        cv = SPLITTERS[split](y, 7)
        assert_validation_is_refits(model, X, y, cv, splits=splits_of(cv, np.empty((N, 0)), y, None))


@quiet
@pytest.mark.parametrize("model", PLAIN, ids=repr)
@pytest.mark.parametrize("name", ODD)
def test_odd_tables(name, model):
    check_odd(name, model, ("blocks", "unequal", "shuffles"))


def many_folds(name, model) -> list[str]:
    """Two ways to many small folds, in turn: every table and every model sees both."""
    turn = list(ODD).index(name) + (PLAIN + FAR).index(model)
    return ["one out", "many shuffles"][:: 1 if turn % 2 else -1]


@quiet
@pytest.mark.slow
@pytest.mark.parametrize("model", PLAIN + FAR, ids=repr)
@pytest.mark.parametrize("name", ODD)
def test_odd_tables_far_from_the_defaults(name, model):
    check_odd(name, model, [*(("blocks",) if model in FAR else ()), many_folds(name, model)[0]])


@quiet
@pytest.mark.long  # the other of the two
@pytest.mark.parametrize("model", PLAIN + FAR, ids=repr)
@pytest.mark.parametrize("name", ODD)
def test_odd_tables_with_many_other_folds(name, model):
    check_odd(name, model, many_folds(name, model)[1:])


@pytest.mark.parametrize("kind", ["zeros", "tiny", "huge"])
@pytest.mark.parametrize("split", ["blocks", "groups", "pairs of rows", "one out", "shuffles"])
@pytest.mark.parametrize("setting", ["counts", "precision"])
def test_odd_weights(kind, split, setting):
    X, y = table(8)
    cv, w = SPLITTERS[split](y, 3), WEIGHTS[kind](np.random.default_rng(2))
    if kind == "zeros" and split in ("pairs of rows", "one out"):
        w += w == 0  # else a fold has no rows that count, which is refused
    for model in (Ridge(0.5 * w.mean(), weight_kind=setting), LinearRegression(weight_kind="precision")):
        assert_validation_is_refits(model, X, y, cv, "absolute", w, groups_for(cv))


def test_a_fold_of_rows_that_do_not_count_trains_on_all_others():
    X, y = table(8)
    w = np.ones(N)
    w[:3] = 0.0  # in fold 0, together with rows that count
    assert_validation_is_refits(LinearRegression(), X, y, KFold(5), "log", w)
    assert_validation_is_refits(LinearRegression(), X, y, KFold(15), "log", np.where(np.arange(N) % 2, w, 1))


# -- rows that determine a direction alone ---------------------------------------------------------------
def with_singletons(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Categories one-hot, two of them with a single row: without it, its column is constant."""
    X, y = table(seed)
    labels = np.concatenate([np.repeat([0, 1, 2], [10, 10, 8]), [3, 4]])
    return np.column_stack([X, labels[:, None] == np.arange(1, 5)]), y


@quiet
@pytest.mark.parametrize("model", [LinearRegression(), Ridge(0.0), Ridge(1e-9)], ids=repr)
@pytest.mark.parametrize("cv", [LeaveOneOut(), KFold(15), KFold(15, shuffle=True, random_state=1)], ids=repr)
def test_leverage_one_is_refitted_and_said(model, cv):
    X, y = with_singletons(4)
    result = assert_validation_is_refits(model, X, y, cv, "absolute")
    assert result.how == "refit"
    splits = list(cv.split(X))
    alone = [i for i, (a, _) in enumerate(splits) if np.any(np.ptp(X[a], axis=0) == 0)]
    assert len(alone) in (1, 2)
    refitted = [note for note in result.notes if "was refitted" in note]
    for i, note in zip(alone, refitted, strict=True):
        assert note == f"fold {i} was refitted: its rows determine a direction alone"
    path = validate_path(Ridge(), X, y, "alpha", [model.get_params().get("alpha", 0.0), 1.0], cv)
    assert path.how == "refit"
    assert {f"fold {i} was refitted: its rows determine a direction alone" for i in alone} <= set(path.notes)
    brute = refits(model, X, y, splits)
    assert_close(path.fold_test[0], brute.fold_losses, y, "squared")
    assert_close(path.fold_train[0], brute.train_losses, y, "squared")


def test_training_rows_that_are_fitted_exactly_leave_no_noise():
    """Their squared error would be the difference of two equal sums: 1e-8 of the scale instead of nothing."""
    X, y = table(10, 3)
    result = cross_validate(Ridge(0.0), X[:5], y[:5], cv=LeaveOneOut())
    brute = refits(Ridge(0.0), X[:5], y[:5], list(LeaveOneOut().split(X[:5])))
    assert_close(result.fold_losses, brute.fold_losses, y, "squared")
    assert np.all(result.distributions.std < 1e-12)


def test_leverage_close_to_one_is_still_exact():
    X, y = table(9)
    X[0] = [3e2, -2e2]
    result = assert_validation_is_refits(LinearRegression(), X, y, LeaveOneOut(), "log")
    assert result.how == "closed form"


# -- paths -----------------------------------------------------------------------------------------------
ALPHAS = [0.0, 1e-3, 1.0, 1e3]
PATHS = {
    "alpha": (Ridge(), "alpha", ALPHAS),
    "alpha, standardized": (Ridge(standardize=True), "alpha", ALPHAS),
    "alpha and the intercept": (Ridge(penalize_intercept=True), "alpha", ALPHAS),
    "alpha and the intercept, standardized": (
        Ridge(penalize_intercept=True, standardize=True), "alpha", ALPHAS),
    "alpha, no intercept": (Ridge(fit_intercept=False), "alpha", ALPHAS),
    "alpha, no intercept, standardized": (Ridge(fit_intercept=False, standardize=True), "alpha", ALPHAS),
    "alpha times n": (Ridge(penalty_scale="mean", weight_kind="precision"), "alpha", ALPHAS),
    "alpha of powers": (Ridge(basis=Polynomial(3)), "alpha", ALPHAS),
    "alpha of powers, no intercept": (Ridge(basis=Polynomial(3), fit_intercept=False), "alpha", ALPHAS),
    "alpha of bumps": (Ridge(basis=BUMPS), "alpha", ALPHAS),
    "orders": (LinearRegression(basis=Polynomial(1)), "basis__degree", [0, 1, 2, 3, 4]),
    "orders, downwards": (LinearRegression(basis=Polynomial(1)), "basis__degree", [3, 1, 2]),
    "orders, no intercept": (LinearRegression(basis=Polynomial(1), fit_intercept=False), "basis__degree", [1, 3]),
    "orders of products": (Ridge(0.1, basis=Polynomial(1, interactions=True)), "basis__degree", [1, 2]),
    "orders, penalized": (Ridge(0.1, basis=Polynomial(1), standardize=True), "basis__degree", [1, 2, 3]),
    "orders, Bayesian": (BayesianLinearRegression(2.0, noise_precision=3.0, basis=Polynomial(1)),
                         "basis__degree", [1, 2, 3]),
    "products or not": (LinearRegression(basis=Polynomial(2)), "basis__interactions", [False, True]),
    "bases": (LinearRegression(), "basis", [None, Polynomial(2), BUMPS, Polynomial(3), Polynomial(2) + BUMPS]),
    "widths": (Ridge(0.1, basis=BUMPS), "basis__width", [0.5, 1.0, 2.0]),
    "prior": (BayesianLinearRegression(noise_precision=2.0), "prior_precision", [0.1, 1.0, 10.0]),
    "intercept or not": (LinearRegression(), "fit_intercept", [True, False]),
    "scales": (Ridge(0.1), "penalty_scale", ["sum", "mean", "unbiased"]),
}  # fmt: skip


def assert_path_is_refits(model, param, values, X, y, cv, loss, weight=None):
    groups = groups_for(cv)
    splits = splits_of(cv, X, y, groups)
    path = validate_path(model, X, y, param, values, cv, loss=loss, sample_weight=weight, groups=groups)
    brutes = []
    for i, value in enumerate(values):
        brute = refits(
            type(model)(**model.get_params(deep=False)).set_params(**{param: value}),
            X,
            y,
            splits,
            loss,
            weight,
        )
        assert_close(path.fold_test[i], brute.fold_losses, y, loss)
        assert_close(path.fold_train[i], brute.train_losses, y, loss)
        assert_close(path.test[i], brute.estimate, y, loss)
        assert_close(path.train[i], brute.train_losses @ brute.sizes / brute.sizes.sum(), y, loss)
        brutes.append(brute)
    losses = np.array([b.estimate for b in brutes])
    assert path.best == values[path.best_index]
    assert losses[path.best_index] <= losses.min() + 1e-9 * max(losses.min(), unit(y, loss))
    return path


@pytest.mark.parametrize(
    "name", ["alpha", "alpha and the intercept", "alpha, no intercept", "alpha times n", "orders"]
)
@pytest.mark.parametrize(
    ("split", "weight"),
    [
        ("one out", "none"),
        ("one out", "fractions"),
        ("two out", "none"),
        ("two out", "counts"),
        pytest.param("one out", "counts", marks=pytest.mark.long),
        pytest.param("two out", "fractions", marks=pytest.mark.long),
    ],
)
def test_paths_over_small_folds_are_refits(name, weight, split):
    X, y = table(15, 3)
    model, param, values = PATHS[name]
    w = WEIGHTS[weight](np.random.default_rng(3))
    cv = SPLITTERS[split](y, 3) if split == "one out" else KFold(15, shuffle=True, random_state=2)
    assert_path_is_refits(model, param, values[:3], X, y, cv, "squared", w)


@quiet
@pytest.mark.slow
@example("orders", (1, None), "repeated", "squared", "none", 0)
@example("orders", (2, 2), "many shuffles", "absolute", "fractions", 1)
@example("orders, no intercept", (1, None), "many shuffles", "squared", "none", 2)
@example("alpha of powers, no intercept", (2, None), "repeated", "squared", "counts", 3)
@example("alpha", (2, 2), "one out", "squared", "none", 4)
@example("orders of products", (2, None), "one out", "log", "none", 5)
@given(
    name=ONE(list(PATHS)),
    shape=st.tuples(st.integers(1, 2), ONE([None, None, 2])),
    split=ONE(list(SPLITTERS)),
    loss=ONE(["squared", "squared", "absolute", "log"]),
    weight=ONE(["none", "none", "counts", "fractions"]),
    seed=st.integers(0, 2**20),
)
def test_paths_are_refits(name, shape, split, loss, weight, seed):
    model, param, values = PATHS[name]
    X, y = table(seed, *shape)
    cv, w = SPLITTERS[split](y, seed), WEIGHTS[weight](np.random.default_rng(seed))
    splits = splits_of(cv, X, y, groups_for(cv))
    assume(all(len(a) and len(b) for a, b in splits))
    for value in values:
        member = type(model)(**model.get_params(deep=False)).set_params(**{param: value})
        assume(condition(member, X, splits, w) < 1e6)
        assume(enough(member, X, splits, w))
    path = assert_path_is_refits(model, param, values, X, y, cv, loss, w)
    assert all("was refitted: its rows determine a direction alone" in note for note in path.notes)
    assert (path.how == "refit") == bool(path.notes)


@pytest.mark.parametrize("degree", [2, 3, 5])
@pytest.mark.parametrize("far", [1e2, 1e4, 1e6])
@pytest.mark.filterwarnings("ignore::suffice._core.errors.IllConditioned")
@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
def test_an_outlying_row_spoils_no_fold_without_it(degree, far):
    """Powers are expanded about the range of all rows; a training set without the outlier must not suffer."""
    X, y = table(6, 1)
    X[0] = far
    model = LinearRegression(basis=Polynomial(degree))
    for cv in (KFold(5), ShuffleSplit(20, test_size=0.2, random_state=0), LeaveOneOut()):
        result = cross_validate(model, X, y, cv=cv)
        path = validate_path(model, X, y, "basis__degree", [1, degree], cv)
        for i, (train, test) in enumerate(cv.split(X)):
            if 0 in train:
                continue
            rest = test[test != 0]
            p = model.fit(X[train], y[train]).predict(X[test])
            mine = (
                result.predictions[test]
                if isinstance(result.predictions, np.ndarray)
                else result.predictions[i]
            )
            assert_close(mine[test != 0], p[test != 0], y)
            if 0 not in test:
                assert_close(path.fold_test[1, i], np.mean((y[rest] - p) ** 2), y, "squared")
            else:  # far outside, only relative accuracy makes sense
                np.testing.assert_allclose(mine[test == 0], p[test == 0], rtol=1e-7)
                np.testing.assert_allclose(path.fold_test[1, i], np.mean((y[test] - p) ** 2), rtol=1e-6)


# -- classifiers -----------------------------------------------------------------------------------------
@pytest.mark.slow
@given(
    model=ONE([MajorityClassifier(), PriorClassifier()]),
    split=ONE(["stratified", "shuffled", "one out", "repeated", "time", "bootstrap", "groups"]),
    weight=ONE(["none", "counts", "fractions"]),
    loss=ONE(["misclassification", "log"]),
    seed=st.integers(0, 2**20),
)
def test_labels_from_counts_are_refits(model, split, weight, loss, seed):
    X, y = table(seed)
    labels = np.array(["c", "a", "b"])[np.digitize(y, np.quantile(y, [0.5, 0.8]))]
    cv = StratifiedKFold(3) if split == "stratified" else SPLITTERS[split](y, seed)
    w, groups = WEIGHTS[weight](np.random.default_rng(seed)), groups_for(cv)
    splits = splits_of(cv, X, labels, groups)
    loss = "misclassification" if isinstance(model, MajorityClassifier) else loss
    result = cross_validate(model, X, labels, cv=cv, loss=loss, sample_weight=w, groups=groups)
    brute = refits(model, X, labels, splits, loss, w)
    np.testing.assert_allclose(result.fold_losses, brute.fold_losses, rtol=1e-12, atol=1e-14)
    assert result.how == "statistics"
    for i, test in enumerate(brute.tests):
        once = isinstance(result.predictions, np.ndarray)
        assert np.array_equal(
            result.predictions[test] if once else result.predictions[i], brute.predictions[i]
        )
    assert np.all(np.diff(np.unique(labels).searchsorted(np.unique(labels))) == 1)


# -- averages, intervals, records ------------------------------------------------------------------------
@pytest.mark.parametrize("weight", ["none", "counts", "fractions"])
@pytest.mark.parametrize("cv", [KFold(4), LeaveOneOut(), KFold(9, shuffle=True, random_state=1)], ids=repr)
def test_averages_and_intervals(weight, cv):
    from scipy.stats import t as student

    X, y = table(12)
    w = WEIGHTS[weight](np.random.default_rng(0))
    brute = refits(Ridge(0.5), X, y, list(cv.split(X)), "absolute", w)
    size, fold = (
        cross_validate(Ridge(0.5), X, y, cv=cv, loss="absolute", sample_weight=w, average=a, confidence=0.9)
        for a in ("size", "fold")
    )
    assert_close(size.estimate, brute.estimate, y, "absolute")
    assert_close(fold.estimate, brute.fold_losses.mean(), y, "absolute")
    w = np.ones(N) if w is None else w
    losses = np.empty(N)
    losses[np.concatenate(brute.tests)] = np.concatenate(brute.losses)
    n, mean = w.sum(), np.average(losses, weights=w)
    half = student.ppf(0.95, n - 1) * np.sqrt(w @ (losses - mean) ** 2 / (n - 1) / n)
    np.testing.assert_allclose(size.interval, [mean - half, mean + half], rtol=1e-8)
    assert list(size.frame()["loss"]) == pytest.approx(list(brute.fold_losses), rel=1e-8)
    path = validate_path(Ridge(), X, y, "alpha", [0.5], cv, loss="absolute", average="fold", sample_weight=w)
    assert_close(path.test[0], brute.fold_losses.mean(), y, "absolute")
    assert_close(path.train[0], brute.train_losses.mean(), y, "absolute")


def test_the_standard_error_of_a_path_is_over_folds():
    X, y = table(13)
    values = np.logspace(-2, 4, 9)
    losses = np.array([refits(Ridge(a), X, y, list(KFold(5).split(X))).fold_losses for a in values])
    error = losses.std(axis=1, ddof=1) / np.sqrt(5)
    for order in (slice(None), slice(None, None, -1)):
        path = validate_path(Ridge(), X, y, "alpha", values[order], KFold(5))
        np.testing.assert_allclose(path.std_error, error[order], rtol=1e-9)
        best = np.argmin(losses.mean(axis=1))
        assert path.best == values[best]
        within = values[losses.mean(axis=1) <= losses.mean(axis=1)[best] + error[best]]
        assert path.one_standard_error == within.max()


def test_one_split_has_no_standard_error():
    X, y = table(13)
    path = validate_path(Ridge(), X, y, "alpha", [0.1, 1.0], [(np.arange(20), np.arange(20, N))])
    assert np.isnan(path.std_error).all()
    assert path.one_standard_error == path.best
    assert "squared loss" in str(path)


# -- two layers and searches use the same machinery ------------------------------------------------------
@pytest.mark.long
@quiet
@pytest.mark.slow
@settings(max_examples=settings.default.max_examples // 3)  # each is many fits
@given(
    name=ONE(["alpha", "alpha, standardized", "orders", "alpha of powers", "bases", "prior"]),
    outer=ONE(["blocks", "shuffled", "shuffles", "bootstrap", "hold-out"]),
    inner=ONE(["blocks", "shuffled", "one out", "repeated", "pairs of rows"]),
    weight=ONE(["none", "none", "counts"]),
    seed=st.integers(0, 2**20),
)
def test_searches_within_two_layers_are_refits(name, outer, inner, weight, seed):
    model, param, values = PATHS[name]
    X, y = table(seed, 1)
    w = WEIGHTS[weight](np.random.default_rng(seed))
    cv = SPLITTERS[outer](y, seed)
    splits = splits_of(cv, X, y, None)
    inner_cv = SPLITTERS[inner](np.empty(min(len(a) for a, _ in splits)), seed)
    result = two_layer({"m": (model, {param: values})}, X, y, cv, inner_cv, sample_weight=w)
    for i, (train, _) in enumerate(splits):
        within = [(train[a], train[b]) for a, b in splits_of(inner_cv, X[train], y[train], None)]
        for j, value in enumerate(values):
            member = type(model)(**model.get_params(deep=False)).set_params(**{param: value})
            assume(condition(member, X, within, w) < 1e6)
            brute = refits(member, X, y, within, "squared", w)
            assert_close(result.inner["m"][i, j], brute.estimate, y, "squared")
        best = type(model)(**model.get_params(deep=False)).set_params(**result.chosen["m"][i])
        once = fit(best, X, y, train, w)
        assert_close(result.errors["m"][i], np.average((y[splits[i][1]] - once.predict(X[splits[i][1]])) ** 2,
                     weights=None if w is None else w[splits[i][1]]), y, "squared")  # fmt: skip


def test_a_search_scores_what_a_path_scores():
    X, y = table(14)
    for loss in ("squared", "absolute", "log"):
        path = validate_path(Ridge(), X, y, "alpha", ALPHAS, KFold(5), loss=loss)
        search = SearchCV(Ridge(), {"alpha": ALPHAS}, cv=KFold(5), loss=loss).fit(X, y)
        assert_close(-search.cv_results_["mean_test_score"], path.test, y, loss)
        assert search.best_params_["alpha"] == path.best


@pytest.mark.slow
def test_many_folds_and_many_rows():
    """More folds than are kept side by side, more rows than a block."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20_000, 4)) + 1e4
    y = X @ [1.0, 2.0, -1.0, 0.0] + rng.standard_normal(20_000)
    some = np.sort(rng.choice(300, 4, replace=False))
    for model in (Ridge(10.0), LinearRegression(), Ridge(1.0, standardize=True)):
        for cv in (KFold(300), KFold(300, shuffle=True, random_state=0)):
            result = cross_validate(model, X, y, cv=cv)
            splits = list(cv.split(X))
            brute = refits(model, X, y, [splits[i] for i in some])
            assert_close(result.fold_losses[some], brute.fold_losses, y, "squared")
    loo = cross_validate(LinearRegression(), X, y, cv=LeaveOneOut())
    rows = rng.choice(20_000, 5, replace=False)
    brute = refits(LinearRegression(), X, y, [(np.delete(np.arange(20_000), i), np.array([i])) for i in rows])
    assert_close(loo.predictions[rows], np.concatenate(brute.predictions), y)


@pytest.mark.long_for("1", "2")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_columns_as_dependent_as_the_promise_allows(seed):
    """Scaled condition 1e6 in every unit and about every origin: still 1e-9."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((120, 8))
    X[:, 1] = X[:, 0] + 2e-6 * X[:, 1]
    X[:, 5] = X[:, 2] - X[:, 3] + 2e-6 * X[:, 5]
    X = X * 10.0 ** rng.uniform(-3, 3, 8)
    X += rng.uniform(-10, 10, 8)
    y = X @ (rng.standard_normal(8) / X.std(axis=0)) + rng.standard_normal(120)
    assert 3e5 < condition(LinearRegression(), X, [(np.arange(120), None)]) < 4e6
    for model in (LinearRegression(), Ridge(1e-6, standardize=True), Ridge(1e-8)):
        for cv in (
            KFold(5),
            KFold(40),
            LeaveOneOut(),
            RepeatedKFold(n_splits=4, n_repeats=3, random_state=0),
        ):
            brute = refits(model, X, y, list(cv.split(X)))
            assert_close(cross_validate(model, X, y, cv=cv).fold_losses, brute.fold_losses, y, "squared")
            path = validate_path(model, X, y, "fit_intercept", [True], cv)
            assert_close(path.fold_test[0], brute.fold_losses, y, "squared")
            assert_close(path.fold_train[0], brute.train_losses, y, "squared")
