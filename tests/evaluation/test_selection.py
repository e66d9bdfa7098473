"""Selection against refitting every subset, tables of errors, and bad input."""

from __future__ import annotations

import contextlib
import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression as PlainRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice._core.errors import (
    AtBound,
    FitFailed,
    InvalidInput,
    InvalidParameter,
    RankDeficient,
    SufficeWarning,
    Unsupported,
)
from suffice.baselines import MeanRegressor
from suffice.bases import CustomBasis, GaussianBasis, Polynomial
from suffice.evaluation import LOSSES, cross_validate, rank_features, select_features
from suffice.evaluation._levels.splits import make_folds
from suffice.evaluation._selection import criteria, walks
from suffice.evaluation._selection.inputs import Restricted
from suffice.evaluation.cross_validation import make_table
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge

pytestmark = pytest.mark.sampled(12)

N, D = 48, 4
ALL = [S for size in range(D + 1) for S in combinations(range(D), size)]
DIRECTIONS = ("forward", "backward", "exhaustive")
GROUPS = np.arange(N) % 6
MODELS = {
    "least squares": LinearRegression(),
    "origin": LinearRegression(fit_intercept=False),
    "rcond": LinearRegression(fit_intercept=False, rcond=1e-9),
    "ridge": Ridge(3.0, standardize=True, penalty_scale="mean"),
    "all penalized": Ridge(3.0, penalize_intercept=True),
    "a penalty each": Ridge([0.5, 20.0]),
    "known precisions": BayesianLinearRegression(0.5, noise_precision=2.0, intercept="prior"),
    "evidence": BayesianLinearRegression(),
    "mean": MeanRegressor(),
    "parabola": LinearRegression(basis=Polynomial(2)),
    "penalized parabola": Ridge(0.1, basis=Polynomial(2, interactions=True), fit_intercept=False),
    "bumps": Ridge(0.1, basis=GaussianBasis([-1.0, 1.0], width=1.0)),
    "pipeline": make_pipeline(StandardScaler(), Ridge(5.0)),
    "unscaled pipeline": make_pipeline(StandardScaler(with_std=False), LinearRegression(fit_intercept=False)),
}
SPLITS = {
    "blocks": KFold(4),
    "shuffled": KFold(3, shuffle=True, random_state=0),
    "random": ShuffleSplit(3, test_size=0.3, random_state=0),
    "repeated": RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    "series": TimeSeriesSplit(3, test_size=10),
    "groups": GroupKFold(3),
    "one by one": LeaveOneOut(),
}


def draw(seed=0, n=N, d=D):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) @ (np.eye(d) + 0.3 * rng.uniform(-1, 1, (d, d))) + rng.uniform(-2, 2, d)
    Y = np.column_stack([X @ rng.standard_normal(d), X[:, 0] - X[:, -1]]) + rng.standard_normal((n, 2))
    return X, Y, rng.integers(0, 3, n) + 0.5 * rng.integers(0, 2, n)


def refitted(model, X, Y, w, splits, S) -> np.ndarray:
    """Mean loss per fold and total weight per fold, from fits to the columns themselves."""
    losses, sizes = [], []
    for train, test in splits:
        if len(S):
            fitted = clone(model)
            names = [f"{step}__sample_weight" for step, _ in getattr(model, "steps", ())] or ["sample_weight"]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", AtBound)  # evidence runs away where columns have no effect
                fitted.fit(X[train][:, S], Y[train], **dict.fromkeys(names, w[train]))
            guess = fitted.predict(X[test][:, S])
        else:
            guess = np.average(Y[train], axis=0, weights=w[train])
        sizes.append(w[test].sum())
        losses.append(np.average(((Y[test] - guess) ** 2).mean(axis=1), weights=w[test]))
    return np.array(losses), np.array(sizes)


def splits_of(name, X):
    return list(SPLITS[name].split(X, groups=GROUPS if name == "groups" else None))


def assert_same_as_refitting(found, model, X, Y, w, splits):
    for S, error in found.evaluated.items():
        losses, sizes = refitted(model, X, Y, w, splits, list(S))
        assert error == pytest.approx(losses @ sizes / sizes.sum(), rel=1e-9, abs=0), S
    for S, error, spread in zip(found.path, found.errors, found.std_errors, strict=True):
        losses, _ = refitted(model, X, Y, w, splits, list(S))
        assert error == found.evaluated[S]
        assert spread == pytest.approx(losses.std(ddof=1) / np.sqrt(len(losses)), rel=1e-9, abs=1e-15)


# -- equal to refitting ---------------------------------------------------------------------------------
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", MODELS)
def test_every_subset_is_judged_as_if_refitted(name, direction):
    X, Y, w = draw()
    w += 0.5
    found = select_features(MODELS[name], X, Y, direction, KFold(4), sample_weight=w)
    assert found.how == "statistics"
    assert_same_as_refitting(found, MODELS[name], X, Y, w, splits_of("blocks", X))


@pytest.mark.slow
@settings(max_examples=settings.default.max_examples // 3)  # each is many fits
@given(
    name=st.sampled_from(sorted(MODELS)),
    split=st.sampled_from(sorted(set(SPLITS) - {"one by one"})),
    direction=st.sampled_from(DIRECTIONS),
    seed=st.integers(0, 2**31),
    size=st.sampled_from([None, 0, 1, 2, D]),
)
def test_every_subset_is_judged_as_if_refitted_on_any_split(name, split, direction, seed, size):
    X, Y, w = draw(seed)
    w = w + 0.5 if name == "evidence" else w
    found = select_features(
        MODELS[name], X, Y, direction, SPLITS[split], size, sample_weight=w, groups=GROUPS
        if split == "groups" else None,
    )  # fmt: skip
    assert found.how == "statistics"
    assert_same_as_refitting(found, MODELS[name], X, Y, w, splits_of(split, X))
    if size is not None:
        assert len(found.selected) == size


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("cv", [LeaveOneOut(), KFold(4)])
def test_leave_one_out_and_many_folds_do_not_keep_their_statistics(monkeypatch, direction, cv):
    X, Y, _ = draw()
    fast = select_features(Ridge(1.0), X, Y[:, 0], direction, cv)
    monkeypatch.setattr(criteria, "KEPT", 0)
    slow = select_features(Ridge(1.0), X, Y[:, 0], direction, cv)
    assert (fast.how, slow.how) == (
        "statistics",
        "closed form" if isinstance(cv, LeaveOneOut) else "statistics",
    )
    assert fast.path == slow.path
    assert fast.evaluated.keys() == slow.evaluated.keys()
    for S, error in slow.evaluated.items():
        assert fast.evaluated[S] == pytest.approx(error, rel=1e-9, abs=0)


@pytest.mark.parametrize("loss", ["absolute", "log", lambda y, p: np.abs(y - p) ** 1.5])
@pytest.mark.parametrize("model", [LinearRegression(), LinearRegression(basis=Polynomial(2))])
def test_other_losses_are_those_of_cross_validation(loss, model):
    X, Y, w = draw()
    w = w + 0.5
    found = select_features(model, X, Y[:, 0], "exhaustive", loss=loss, sample_weight=w)
    for S in ALL[1:]:
        one = cross_validate(model, X[:, list(S)], Y[:, 0], loss=loss, sample_weight=w)
        assert found.evaluated[S] == pytest.approx(one.estimate, rel=1e-9, abs=0)
    assert len(found.evaluated) == 2**D


def test_the_empty_subset_is_the_best_constant_of_the_loss():
    X, Y, _ = draw()
    y, labels = np.exp(Y[:, 0]), np.where(Y[:, 0] > np.quantile(Y[:, 0], 0.7), "a", "b")
    mean = select_features(LinearRegression(), X, y, n_features=0).error
    median = select_features(LinearRegression(), X, y, n_features=0, loss="absolute").error
    splits = list(KFold(10).split(X))
    assert mean == pytest.approx(np.mean(np.concatenate([(y[b] - y[a].mean()) ** 2 for a, b in splits])))
    assert median == pytest.approx(
        np.mean(np.concatenate([np.abs(y[b] - np.median(y[a])) for a, b in splits]))
    )
    splits = list(StratifiedKFold(10).split(X, labels))
    share = [[np.mean(labels[a] == labels[i]) for i in b] for a, b in splits]
    wrong = select_features(LogisticRegression(), X, labels, n_features=0).error
    log = select_features(LogisticRegression(), X, labels, n_features=0, loss="log").error
    assert wrong == pytest.approx(np.mean(np.concatenate(share) < 0.5))
    assert log == pytest.approx(-np.mean(np.log(np.concatenate(share))))


# -- what the walks do ----------------------------------------------------------------------------------
def brute_walk(errors, forward, size):
    """The texts' rule on a table of all errors, by hand."""
    here = () if forward else tuple(range(D))
    path = [here]
    while len(here) != size:
        near = [S for S in ALL if len(set(S) ^ set(here)) == 1 and (len(S) > len(here)) == forward]
        if not near:
            break
        best = min(near, key=lambda S: errors[S])
        if size is None and errors[best] >= errors[here] * (
            1 - 1e-12
        ):  # closer than rounding is no improvement
            break
        here = best
        path.append(here)
    return tuple(path)


@given(
    st.lists(st.integers(10**5, 10**6), min_size=16, max_size=16, unique=True),
    st.sampled_from([None, 0, 1, 3, 4]),
)
def test_walks_follow_the_rule_of_the_texts(values, size):
    errors = dict(zip(ALL, (v / 10**6 for v in values), strict=True))
    for forward in (True, False):
        found = select_features(errors, direction="forward" if forward else "backward", n_features=size)
        assert found.path == brute_walk(errors, forward, size)
        assert found.selected == found.path[-1]
        np.testing.assert_array_equal(found.errors, [errors[S] for S in found.path])
        assert found.evaluated.items() <= errors.items()
        assert len(found.tried) <= D * (D + 1) // 2 + 1
    best = select_features(errors, direction="exhaustive", n_features=size)
    assert best.error == min(e for S, e in errors.items() if size is None or len(S) == size)
    assert best.evaluated == {S: e for S, e in errors.items() if size is None or len(S) == size}


def test_the_exhaustive_path_has_the_best_of_each_size():
    X, Y, _ = draw()
    found = select_features(LinearRegression(), X, Y, "exhaustive")
    assert [len(S) for S in found.path] == list(range(D + 1))
    for S, error in zip(found.path, found.errors, strict=True):
        assert error == min(e for T, e in found.evaluated.items() if len(T) == len(S))
    assert found.error == min(found.errors)


@pytest.mark.slow
def test_the_same_columns_as_scikit_learn():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((300, 9)) @ (np.eye(9) + 0.2 * rng.standard_normal((9, 9)))
    y = X @ rng.uniform(0.2, 1.0, 9) + 2 * rng.standard_normal(300)
    for direction in ("forward", "backward"):
        peer = SequentialFeatureSelector(
            PlainRegression(),
            n_features_to_select=4,
            cv=KFold(5),
            scoring="neg_mean_squared_error",
            direction=direction,
        ).fit(X, y)
        found = select_features(LinearRegression(), X, y, direction, KFold(5), 4)
        np.testing.assert_array_equal(found.support, peer.support_)
        assert found.selected == tuple(np.flatnonzero(peer.support_))


def test_equal_errors_go_to_the_first_column_and_do_not_count_as_lower():
    flat = dict.fromkeys(ALL, 0.5)
    assert select_features(flat).selected == ()
    assert select_features(flat, direction="backward").selected == tuple(range(D))
    assert select_features(flat, direction="exhaustive").selected == ()
    assert select_features(flat, n_features=2).selected == (0, 1)
    assert select_features(flat, direction="exhaustive", n_features=2).selected == (0, 1)
    assert select_features(flat, direction="backward", n_features=2).selected == (2, 3)
    nearly = {(): 1.0, (0,): 0.5 + 1e-14, (1,): 0.5, (0, 1): 0.5 - 1e-14}  # rounding is no difference
    assert select_features(nearly).selected == (0,)
    assert select_features(nearly, direction="exhaustive").selected == (0,)
    assert select_features(nearly, direction="backward").selected == (0, 1)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_noise_of_rounding_selects_nothing(direction):
    X, _, _ = draw()
    found = select_features(LinearRegression(), X, 3 * X[:, 1] - X[:, 2], direction)
    assert found.selected == (
        (0, 1, 2, 3) if direction == "backward" else (1, 2)
    )  # none is better, none worse


# -- columns that say little ----------------------------------------------------------------------------
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_copies_and_constants(direction):
    X, Y, w = draw()
    X = np.column_stack([X[:, 0], X[:, 1], X[:, 0], np.full(N, 3.0)])
    found = select_features(LinearRegression(), X, Y, direction, KFold(4), sample_weight=w)
    with pytest.warns(RankDeficient):
        assert_same_as_refitting(found, LinearRegression(), X, Y, w, splits_of("blocks", X))
    if direction == "backward":  # leaving a copy out lowers nothing
        assert {0, 2, 3} <= set(found.selected)
    else:
        assert not {2, 3} & set(found.selected)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_more_columns_than_rows(direction):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((9, 6)), rng.standard_normal(9)
    splits = list(KFold(3).split(X))  # 6 rows train 6 columns and a constant
    found = select_features(
        LinearRegression(), X, y, direction, KFold(3), None if direction != "backward" else 1
    )
    assert any(len(S) == 6 for S in found.evaluated) == (direction != "forward")
    with pytest.warns(RankDeficient) if direction != "forward" else contextlib.nullcontext():
        assert_same_as_refitting(found, LinearRegression(), X, y[:, None], np.ones(9), splits)
    assert any("cannot determine" in note for note in found.notes) == (direction != "forward")


@pytest.mark.parametrize("size", [1e-11, 1e-8, 1e-4])
def test_nearly_dependent_columns(size):
    X, Y, w = draw()
    X[:, 3] = X[:, 0] + size * X[:, 3]
    found = select_features(Ridge(1e-3), X, Y, "exhaustive", KFold(4), sample_weight=w)
    assert_same_as_refitting(found, Ridge(1e-3), X, Y, w, splits_of("blocks", X))


def test_what_counts_as_dependent_is_the_model_s_choice():
    X, Y, w = draw()
    X[:, 3] = X[:, 0] + 1e-3 * X[:, 3]
    model = LinearRegression(rcond=1e-2)
    found = select_features(model, X, Y, "exhaustive", KFold(4), sample_weight=w)
    with pytest.warns(RankDeficient):
        assert_same_as_refitting(found, model, X, Y, w, splits_of("blocks", X))
    assert any("combinations of the others" in note for note in found.notes)


@pytest.mark.parametrize("scale", [1e-100, 1e100])
def test_huge_and_tiny_scales(scale):
    X, Y, _ = draw()
    plain = select_features(LinearRegression(), X, Y)
    found = select_features(LinearRegression(), X * [1, scale, 1, 1], Y * 1e50)
    assert found.path == plain.path
    np.testing.assert_allclose(found.errors, plain.errors * 1e100, rtol=1e-9, atol=0)


def test_one_column():
    X, Y, _ = draw()
    y = 2 * X[:, 0] + 0.1 * Y[:, 0]
    for direction in DIRECTIONS:
        found = select_features(LinearRegression(), X[:, :1], y, direction)
        assert found.selected == (0,)
        assert len(found.tried) == 2
        constant = select_features(LinearRegression(), np.ones((N, 1)), y, direction)
        assert constant.selected == ((0,) if direction == "backward" else ())
        assert constant.evaluated[0,] == pytest.approx(constant.evaluated[()], rel=1e-12)


# -- a basis --------------------------------------------------------------------------------------------
def test_a_function_of_all_columns_needs_them_all():
    X, _, _ = draw()
    y = np.sin(X[:, 0] * X[:, 1]) + np.random.default_rng(1).standard_normal(N) / 10
    basis = CustomBasis([lambda X: np.sin(X[:, 0] * X[:, 1])])
    for loss in ("squared", "absolute"):
        with pytest.warns(SufficeWarning, match="left out of the model of any subset that lacks one"):
            found = select_features(LinearRegression(basis=basis), X, y, "exhaustive", loss=loss)
        assert found.selected == tuple(range(D))
        others = {round(e, 12) for S, e in found.evaluated.items() if 0 < len(S) < D}
        assert len(others) == 1  # the constant of the model, with or without columns


def test_centres_from_the_rows_are_refitted_with_each_subset():
    X, Y, _ = draw()
    model = LinearRegression(basis=GaussianBasis(2, width=2.0))
    found = select_features(model, X, Y[:, 0], cv=KFold(4))
    assert found.how == "refit"
    assert "centres" in found.notes[0]
    assert_same_as_refitting(found, model, X, Y[:, :1], np.ones(N), splits_of("blocks", X))


@pytest.mark.filterwarnings("ignore:A function of CustomBasis may use every column")
@pytest.mark.parametrize("loss", ["squared", "absolute"])
@pytest.mark.parametrize("kind", [LinearRegression, Ridge])
@pytest.mark.parametrize("basis", [Polynomial(3), CustomBasis([np.cos, np.sin]) + Polynomial(3)])
def test_powers_far_from_their_center_are_fitted_to_the_rows(loss, basis, kind):
    rng = np.random.default_rng(0)
    X = np.column_stack([np.append(np.linspace(0, 1, 24), np.linspace(50, 100, 24)), rng.standard_normal(N)])
    y, model = np.sin(3 * X[:, 0]) + 0.1 * rng.standard_normal(N), kind(basis=Polynomial(3))
    given_ = kind(basis=basis)
    splits = [(np.arange(0, 24, 2), np.arange(1, 24, 2)), (np.arange(24, N, 2), np.arange(25, N, 2))]
    found = select_features(given_, X, y, "exhaustive", splits, loss=loss)
    assert found.how == "refit"
    assert any("fold 0 was refitted" in note and "far from the center" in note for note in found.notes)
    for S in [(0,), (1,), (0, 1)]:
        model = given_ if len(S) == 2 else model  # a function of all columns needs them all
        fits = [clone(model).fit(X[a][:, S], y[a]).predict(X[b][:, S]) for a, b in splits]
        gaps = np.concatenate([y[b] - p for p, (_, b) in zip(fits, splits, strict=True)])
        error = np.mean(gaps**2 if loss == "squared" else np.abs(gaps))
        assert found.evaluated[S] == pytest.approx(error, rel=1e-9)


def test_an_input_that_is_constant_in_a_training_set_alone():
    X, Y, _ = draw()
    X[:36, 1] = 3.0
    model, splits = (
        LinearRegression(basis=Polynomial(2, interactions=True)),
        [(np.arange(36), np.arange(36, N))],
    )
    found = select_features(model, X[:, :3], Y, "exhaustive", splits)
    with pytest.warns(RankDeficient):
        theirs = {S: refitted(model, X, Y, np.ones(N), splits, list(S))[0][0] for S in found.evaluated}
    assert found.evaluated == pytest.approx(theirs, rel=1e-9)


def test_judging_subsets_in_any_order():
    X, Y, w = draw()
    table = make_table(X, Y, w + 0.5, None)
    folds = make_folds(KFold(4), LinearRegression(), X)
    criterion = criteria.choose_criterion(LinearRegression(), table, folds, LOSSES["squared"], None)
    for subset in [(0, 1), (2,), (0, 2), (0, 1, 2), (3,)]:
        columns = [j for j in range(D) if j not in subset]
        grown = criterion.subset_losses([tuple(sorted({*subset, j})) for j in columns])
        np.testing.assert_allclose(criterion.neighbor_losses(subset, columns), grown, rtol=1e-9)
        both = criterion.neighbor_losses(subset, range(D))
        np.testing.assert_allclose(both[columns], grown, rtol=1e-9)
        np.testing.assert_allclose(both[list(subset)], criterion.neighbor_losses(subset, subset), rtol=1e-9)


def test_a_basis_restricted_to_some_inputs():
    X, _, _ = draw()
    whole = Polynomial(2, interactions=True)
    some = Restricted(whole, (0, 2))
    part = whole.resolve(X[:, [0, 2]])
    np.testing.assert_array_equal(some(X), part(X[:, [0, 2]]))
    assert some.names(tuple("abcd")) == part.names(("a", "c"))
    assert some.owners(D) == ((0,), (2,), (0,), (2,), (0, 2))
    old, new = some.frame(X[:20]), some.frame(X)
    A, b = some.transfer(old, new, D)
    np.testing.assert_allclose(some.design(X, new), some.design(X, old) @ A + b, rtol=1e-12, atol=1e-12)
    assert not some.needs_data
    assert Restricted(GaussianBasis(3, width=1.0), (1,)).needs_data
    assert repr(some) == "Polynomial(2, interactions=True) of inputs 0, 2"
    mixed = LinearRegression(basis=Restricted(CustomBasis([np.cos, np.sin]) + whole, (0, 2)))
    apart = np.vstack([X, X + 1e4])
    rows, layout = mixed.door(apart, apart[:, 1])
    assert "far from the center" in mixed.doubt(mixed.gather(rows[:N], layout))
    assert mixed.doubt(mixed.gather(rows, layout)) is None
    model = Ridge(0.5, basis=some).fit(X, X[:, 1])
    alone = Ridge(0.5, basis=whole).fit(X[:, [0, 2]], X[:, 1])
    np.testing.assert_allclose(model.predict(X), alone.predict(X[:, [0, 2]]), rtol=1e-10)


def test_a_prior_for_all_columns_does_not_fit_some_of_them():
    X, Y, _ = draw()
    model = BayesianLinearRegression(1.0, noise_precision=1.0, prior_mean=np.zeros(D))
    with pytest.raises(InvalidParameter, match="prior_mean must be 1 finite numbers"):
        select_features(model, X, Y[:, 0])


# -- any estimator --------------------------------------------------------------------------------------
def test_any_estimator_is_refitted():
    X, Y, _ = draw()
    model = KNeighborsRegressor(3)
    found = select_features(model, X, Y[:, 0], "backward", KFold(4))
    assert found.how == "refit"
    assert "not fitted from statistics" in found.notes[0]
    for S in found.evaluated:
        one = (
            cross_validate(model, X[:, list(S)], Y[:, 0], cv=KFold(4)).estimate if S else found.evaluated[()]
        )
        assert found.evaluated[S] == pytest.approx(one, rel=1e-12)


@pytest.mark.slow
def test_jobs_change_nothing():
    X, Y, _ = draw()
    one, two = (select_features(KNeighborsRegressor(3), X, Y[:, 0], n_jobs=n) for n in (None, 2))
    assert one == two


def test_classifiers_and_labels():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((90, 3)), columns=["age", "weight", "noise"])
    y = np.where(X["age"] - X["weight"] + 0.3 * rng.standard_normal(90) > 0, "yes", "no")
    found = select_features(LogisticRegression(), X, y)
    assert found.selected == ("age", "weight")
    assert found.loss == "misclassification"


def test_a_step_that_needs_a_dropped_column_says_so():
    X, Y, _ = draw()
    table = pd.DataFrame(X, columns=list("abcd"))
    model = make_pipeline(ColumnTransformer([("kept", "passthrough", ["b"])]), PlainRegression())
    with pytest.raises(ValueError, match="column"):
        select_features(model, table, Y[:, 0])


def test_steps_that_choose_columns_by_position_are_not_mixed_up():
    X, Y, _ = draw()
    chosen = ColumnTransformer([("some", "passthrough", [2, 0])])
    model = make_pipeline(StandardScaler(), chosen, Ridge(3.0))
    found = select_features(model, X, Y[:, 0], "backward", KFold(4), D)
    assert found.error == pytest.approx(cross_validate(model, X, Y[:, 0], cv=KFold(4)).estimate, rel=1e-9)
    with pytest.raises(ValueError, match="column"):  # without the last column there is no column 2
        select_features(model, X[:, :3], Y[:, 0], "backward", KFold(4), 2)


class Moody(PlainRegression):
    """Cannot be fitted to the first column in the last fold."""

    def fit(self, X, y):
        if X.shape[1] == 1 and X[0, 0] == 0.0:
            raise ValueError("not today")
        return super().fit(X, y)


def test_a_subset_that_fails_in_a_fold_is_left_out():
    X, Y, _ = draw()
    X[0, 0] = 0.0  # trains in every fold but the first
    y = 5 * X[:, 0] + X[:, 1] + 0.1 * Y[:, 0]
    with pytest.warns(FitFailed, match="not today"):
        found = select_features(Moody(), X, y, cv=KFold(4), n_features=1)
    assert found.selected == min(found.evaluated, key=lambda S: found.evaluated[S])
    assert found.evaluated.keys() == {(), (1,), (2,), (3,)}
    assert any("columns (0,): " in note for note in found.notes)


# -- tables ---------------------------------------------------------------------------------------------
def test_what_picks_columns():
    X, _, _ = draw()
    y = X[:, 1] - X[:, 3] + 0.1 * X[:, 0] ** 2
    named = {"pandas": pd.DataFrame(X, columns=list("abcd")), "polars": pl.DataFrame(X, schema=list("abcd"))}
    named["arrow"] = pa.table(dict(zip("abcd", X.T, strict=True)))
    for table in named.values():
        found = select_features(LinearRegression(), table, y, n_features=2)
        assert found.selected == ("b", "d")
        assert found.columns == tuple("abcd")
        assert type(found.transform(table)) is type(table)
        np.testing.assert_array_equal(np.asarray(found.transform(named["pandas"])), X[:, [1, 3]])
        np.testing.assert_array_equal(found.transform(X), X[:, [1, 3]])
    numbered = pd.DataFrame(X, columns=[10, 20, 30, 40])
    found = select_features(LinearRegression(), numbered, y, n_features=2)
    assert found.selected == (20, 40)
    np.testing.assert_array_equal(numbered[list(found.selected)], X[:, [1, 3]])
    twice = pd.DataFrame(X, columns=list("abad"))
    with pytest.raises(InvalidInput, match="X has 2 columns called 'a'; rename them"):
        select_features(LinearRegression(), twice, y)
    assert select_features(LinearRegression(), X.tolist(), y, n_features=2).selected == (1, 3)
    thin = select_features(LinearRegression(), sparse.csr_array(X), y, n_features=2)
    assert thin.selected == (1, 3)
    np.testing.assert_array_equal(thin.support, [False, True, False, True])


def test_transform_refuses_other_columns():
    X, Y, _ = draw()
    found = select_features(LinearRegression(), pd.DataFrame(X, columns=list("abcd")), Y, n_features=2)
    with pytest.raises(InvalidInput, match="selected from a, b, c, d; X has d, c, b, a"):
        found.transform(pd.DataFrame(X, columns=list("dcba")))
    with pytest.raises(InvalidInput, match="X has 0, 1, 2"):
        found.transform(X[:, :3])


def test_the_record_tells_its_story():
    errors = {"": 0.9, "a": 0.5, "b": 0.7, "ab": 0.4}
    found = select_features(errors)
    assert found.moves() == ("start", "+ a", "+ b")
    assert select_features(errors, direction="backward").moves() == ("start",)
    frame = found.frame()
    assert frame["n_features"].tolist() == [0, 1, 2]
    assert frame["features"].tolist() == ["", "a", "a, b"]
    assert frame["selected"].tolist() == [False, False, True]
    assert frame["std_error"].isna().all()
    assert found.frame("polars").shape == (3, 6)
    assert str(found) == (
        "forward selection keeps 2 of 2 columns (a, b): given loss 0.4, 4 subsets tried (from table)"
    )
    assert "<table>" in found._repr_html_()
    assert repr(found).startswith("<Selection: forward")
    assert "constant prediction" in str(select_features({"": 0.1, "a": 0.5}))
    assert select_features(errors, loss="rmse").loss == "rmse"
    assert select_features(errors, direction="exhaustive").moves() == ("", "", "")


def test_labels_are_escaped():
    found = select_features({(): 1.0, ("<b>",): 0.5})
    assert "<b>" not in found._repr_html_()


# -- tables of errors -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("errors", "selected"),
    [
        ({(): 0.9, (1,): 0.5, (2,): 0.7, (2, 1): 0.4}, (1, 2)),
        ({frozenset(): 0.9, frozenset({1}): 0.5, frozenset({2}): 0.7, frozenset({1, 2}): 0.4}, (1, 2)),
        ({(): 0.9, 1: 0.5, 2: 0.7, (1, 2): 0.4}, (1, 2)),
        ({"": 0.9, "1": 0.5, "2": 0.7, "12": 0.4}, ("1", "2")),
        ({"": 0.9, "age": 0.5, "height": 0.7, "age, height": 0.4}, ("age", "height")),
        ({"": 0.9, "age": 0.5, "height": 0.7, "age + height": 0.4}, ("age", "height")),
        ({"": 0.9, "age": 0.5, "height": 0.7, ("age", "height"): 0.4}, ("age", "height")),
        ({(): 0.9, ("a",): 0.5, (1,): 0.7, ("a", 1): 0.4}, (1, "a")),
    ],
)
def test_how_a_table_may_name_subsets(errors, selected):
    assert select_features(errors).selected == selected
    assert select_features(errors, direction="backward").selected == selected


def test_a_table_without_the_empty_model():
    errors = {"1": 0.5, "2": 0.7, "12": 0.6}
    found = select_features(errors)
    assert found.path == (("1",),)
    assert len(found.tried) == 3
    assert "without columns" in found.notes[0]
    assert select_features(errors, direction="backward").path == (("1", "2"), ("1",))
    assert select_features(errors, direction="exhaustive").path == (("1",), ("1", "2"))
    for direction in DIRECTIONS:
        with pytest.raises(InvalidInput, match="has an error"):
            select_features(errors, direction=direction, n_features=0)


@pytest.mark.parametrize(
    ("errors", "options", "message"),
    [
        ({}, {}, "empty"),
        ({"": 0.9, "1": 0.5, "2": 0.7}, {}, r"no error for the subset \('1', '2'\)"),
        ({"": 0.9, "1": 0.5, "12": 0.7}, {"direction": "backward"}, r"no error for the subset \('2',\)"),
        ({"": 0.9, "1": 0.5, "2": 0.7}, {"direction": "backward"}, r"subset \('1', '2'\)"),
        ({"": 0.9, "1": 0.5, "23": 0.7}, {"direction": "exhaustive"}, r"subset \('2',\)"),
        ({"1": np.nan}, {}, "'1' must be a finite number; got nan"),
        ({"1": np.inf}, {}, "got inf"),
        ({"1": "small"}, {}, "got 'small'"),
        ({"1": True}, {}, "got True"),
        ({(1, 2): 0.5, (2, 1): 0.6}, {}, r"two values for the subset \(1, 2\)"),
        ({"1": 0.5}, {"X": [[1.0]]}, "needs no data"),
        ({"1": 0.5}, {"y": [1.0]}, "needs no data"),
    ],
)
def test_bad_tables_of_errors(errors, options, message):
    with pytest.raises(InvalidInput, match=message):
        select_features(errors, **options)


# -- bad input ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [-1, D + 1, 1.5, "2", True])
def test_how_many_columns_is_checked(size):
    X, Y, _ = draw()
    with pytest.raises(InvalidParameter, match=f"n_features must be an integer from 0 to {D}, or None; got"):
        select_features(LinearRegression(), X, Y, n_features=size)


def test_a_direction_is_checked():
    with pytest.raises(
        InvalidParameter, match="direction must be one of 'forward', 'backward', 'exhaustive'"
    ):
        select_features({"1": 0.5}, direction="sideways")


def test_too_many_subsets_are_refused():
    X, y = np.random.default_rng(0).standard_normal((40, 25)), np.arange(40.0)
    with pytest.raises(InvalidParameter, match="2\\^25 = 33,554,432 subsets of 25 .* direction='forward'"):
        select_features(LinearRegression(), X, y, "exhaustive")
    with pytest.raises(InvalidParameter, match="5,200,300 subsets"):
        select_features(LinearRegression(), X, y, "exhaustive", n_features=12)
    pairs = select_features(LinearRegression(), X, y, "exhaustive", n_features=2)
    assert len(pairs.tried) == 300
    assert len(pairs.selected) == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": None}, "needs X and y"),
        ({"y": None}, "needs X and y"),
        ({"X": np.arange(N)}, "table of rows and columns"),
        ({"X": np.zeros((N, 2, 2))}, "table of rows and columns"),
        ({"X": np.full((N, D), np.nan)}, "X contains NaN"),
        ({"X": np.full((N, D), np.inf)}, "X contains inf"),
        ({"X": np.full((N, D), "word", dtype=object)}, "Column 'x0' holds text"),
        ({"X": np.zeros((0, D)), "y": np.zeros(0)}, "rows"),
        ({"y": np.full(N, np.nan)}, "NaN"),
        ({"y": np.zeros(N - 1)}, "inconsistent numbers of samples"),
        ({"cv": 1}, "cv=1"),
        ({"cv": 2.5}, "cv must be an integer"),
        ({"cv": N + 1}, "folds need at least"),
        ({"sample_weight": np.zeros(N)}, "zero for all"),
        ({"sample_weight": -np.ones(N)}, "zero or more"),
        ({"sample_weight": np.repeat([0.0, 1.0], [N // 2, N // 2])}, "no test rows with positive weight"),
        (
            {"cv": [(np.arange(24), np.arange(24, N))], "sample_weight": np.repeat([0.0, 1.0], [24, 24])},
            "trains on no",
        ),
        ({"model": Ridge(-1.0)}, "alpha must be a finite number >= 0; got -1.0"),
        ({"model": Ridge(1.0, penalty_scale="wrong")}, "penalty_scale must be one of"),
        ({"model": LinearRegression(fit_intercept="no")}, "fit_intercept must be True or False"),
        ({"loss": "wrong"}, "loss must be one of"),
    ],
)
def test_bad_input(change, message):
    X, Y, _ = draw()
    given_ = {"model": LinearRegression(), "X": X, "y": Y[:, 0], "cv": 4} | change
    with pytest.raises(ValueError, match=message):
        select_features(**given_)


def test_only_predictions_are_selected_for():
    X, Y, _ = draw()
    with pytest.raises(InvalidParameter, match="no default loss for StandardScaler"):
        select_features(StandardScaler(), X, Y[:, 0])
    with pytest.raises(Unsupported, match="regressors and classifiers; got StandardScaler"):
        select_features(StandardScaler(), X, Y[:, 0], loss="absolute")


def test_rows_that_are_tested_by_a_model_that_saw_them_are_noted():
    X, Y, _ = draw()
    found = select_features(LinearRegression(), X, Y, cv=[(np.arange(N), np.arange(N))])
    assert "test rows that they train on" in found.notes[-1]
    assert np.isnan(found.std_errors).all()


# -- ranking --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("model", [LinearRegression(), Ridge(2.0, standardize=True), KNeighborsRegressor(3)])
def test_ranks_are_differences_of_cross_validated_errors(model):
    X, Y, _ = draw()
    y, cv = Y[:, 0], KFold(4)
    alone = rank_features(model, X, y, cv=cv)
    dropped = rank_features(model, X, y, by="dropped", cv=cv)
    full = cross_validate(model, X, y, cv=cv)
    assert dropped.baseline == pytest.approx(full.estimate, rel=1e-9)
    assert alone.baseline == pytest.approx(cross_validate(MeanRegressor(), X, y, cv=cv).estimate, rel=1e-9)
    for j in range(D):
        one = cross_validate(model, X[:, [j]], y, cv=cv)
        rest = cross_validate(model, np.delete(X, j, axis=1), y, cv=cv)
        assert alone.errors[j] == pytest.approx(one.estimate, rel=1e-9)
        assert dropped.errors[j] == pytest.approx(rest.estimate, rel=1e-9)
        assert dropped.worth[j] == pytest.approx(rest.estimate - full.estimate, rel=1e-6, abs=1e-12)
        gap = rest.fold_losses - full.fold_losses
        assert dropped.std_errors[j] == pytest.approx(gap.std(ddof=1) / 2, rel=1e-6)
    assert list(alone.errors[list(alone.order)]) == sorted(alone.errors)
    assert list(dropped.worth[list(dropped.order)]) == sorted(dropped.worth, reverse=True)


def test_two_copies_are_first_alone_and_worthless_dropped():
    X, _, _ = draw()
    table = pd.DataFrame({"good": X[:, 0], "noise": X[:, 1], "copy": X[:, 0]})
    y = X[:, 0] + 0.1 * X[:, 2]
    assert rank_features(LinearRegression(), table, y).order == ("good", "copy", "noise")
    dropped = rank_features(LinearRegression(), table, y, by="dropped")
    np.testing.assert_allclose(dropped.worth[[0, 2]], 0, atol=1e-12)
    assert any("combinations of the others" in note for note in dropped.notes)


def test_a_table_of_errors_is_ranked_too():
    errors = {"1": 0.7, "2": 0.5, "3": 0.6, "12": 0.3, "13": 0.6, "23": 0.4, "123": 0.35}
    assert rank_features(errors).order == ("2", "3", "1")
    dropped = rank_features(errors, by="dropped")
    assert dropped.order == ("2", "1", "3")
    np.testing.assert_allclose(dropped.worth, [0.05, 0.25, -0.05], rtol=1e-12)
    assert np.isnan(rank_features(errors).worth).all()
    assert dropped.frame()["column"].tolist() == ["2", "1", "3"]
    assert "most valuable first: 2, 1, 3" in str(dropped)
    assert "<table>" in dropped._repr_html_()
    assert repr(dropped).startswith("<Ranking: columns by given loss")


def test_ranking_checks_its_arguments():
    with pytest.raises(InvalidParameter, match="by must be one of 'alone', 'dropped'; got 'weight'"):
        rank_features({"1": 0.5}, by="weight")


@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_an_infinite_density_is_the_best_there_is(direction):
    """A constant target is told without error: the log loss is −∞ for every subset, and the first is kept."""
    X = np.random.default_rng(2).standard_normal((30, 3))
    found = select_features(LinearRegression(), X, np.ones(30), direction, KFold(3), loss="log")
    assert found.errors.min() == -np.inf
    assert found.selected == (() if direction != "backward" else (0, 1, 2))


def test_a_subset_of_infinite_loss_hides_no_gain():
    """What is rounding is measured by the largest finite error: the walk goes on from 1.4 to 1.0 and 0.9."""
    losses = {(): 1.4, (0,): np.inf, (1,): 1.0, (0, 1): 0.9}

    class Known:
        sizes = np.ones(1)

        def subset_losses(self, subsets):
            return np.array([[losses[tuple(s)]] for s in subsets])

        def neighbor_losses(self, subset, columns):
            return self.subset_losses([sorted({*subset} ^ {j}) for j in columns])

        def all_losses(self):
            return None

    assert walks.walk(Known(), 2, forward=True, goal=None).path == ((), (1,), (0, 1))
    assert walks.compare_all(Known(), 2, None).path[2] == (0, 1)
    assert walks.compare_all(Known(), 2, None).chosen == 2
