"""What this library promises of every estimator, at every setting of the registry."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice._core.errors import InvalidInput, Unsupported
from suffice._core.params import Parametric
from suffice._core.records import same
from suffice.evaluation import cross_validate

from . import brute
from .capabilities import TABLE
from .registry import CASES, ENDS, ENTRIES

rng = np.random.default_rng(5)
N, D = 60, 3
X = rng.uniform(-2, 2, (N, D)) + [0.0, 0.5, -0.3]
y = 4 + X @ [2.0, -1.0, 0.5] + 0.3 * X[:, 0] ** 2 + 0.2 * rng.standard_normal(N)
Y = np.column_stack([y, 10 - 3 * y + rng.standard_normal(N)])
COUNTS = rng.integers(0, 4, N).astype(float)
NEW = rng.uniform(-2, 2, (7, D))
SCALE = np.ptp(y)


@pytest.fixture(params=[pytest.param(c, marks=() if c in ENDS else pytest.mark.slow) for c in CASES])
def case(request):
    return CASES[request.param]


@pytest.fixture
def model(case):
    entry, parameters = case
    return entry.cls(**parameters)


def answers(model) -> dict[str, np.ndarray]:
    """Every number a fitted model gives: predictions, distributions, evidence."""
    d = model.predict_dist(NEW)
    out = {"predict": model.predict(NEW), "std": d.std, "log density": d.log_prob(model.predict(NEW) + 0.1)}
    if hasattr(model, "log_evidence_"):
        out["evidence"] = np.asarray(model.log_evidence_)
    return out


def assert_same(a, b, tolerance: float, names=None) -> None:
    """Relative to the larger of the value and the scale of y."""
    mine, theirs = answers(a), answers(b)
    assert mine.keys() == theirs.keys()
    for name in names or mine:
        unit = np.maximum(np.abs(theirs[name]), SCALE)
        assert np.max(np.abs(mine[name] - theirs[name]) / unit) <= tolerance, name


# -- fit ----------------------------------------------------------------------------------------------
def test_fit_returns_self_and_writes_no_parameter(model):
    before = model.get_params()
    assert model.fit(X, y) is model
    after = model.get_params()
    assert before.keys() == after.keys()
    assert all(before[k] is after[k] for k in before)


def test_second_fit_is_the_first(model):
    first = answers(clone(model).fit(X, y))
    model.fit(X[:40, :2], Y[:40])  # other columns, other targets: nothing of it may remain
    second = answers(model.fit(X, y))
    assert all(np.array_equal(first[k], second[k]) for k in first)


def test_inputs_are_not_changed(model):
    table, target, weight = X.copy(), y.copy(), COUNTS.copy()
    model.fit(table, target, weight).predict_dist(table)
    assert np.array_equal(table, X)
    assert np.array_equal(target, y)
    assert np.array_equal(weight, COUNTS)


def test_order_of_rows_does_not_matter(model):
    order = np.random.default_rng(1).permutation(N)
    assert_same(clone(model).fit(X[order], y[order]), model.fit(X, y), 1e-10)


def test_several_targets_are_as_many_models(model):
    both = clone(model).fit(X, Y)
    for j in range(2):
        one = clone(model).fit(X, Y[:, j])
        np.testing.assert_allclose(both.predict(NEW)[:, j], one.predict(NEW), rtol=1e-10, atol=1e-10 * SCALE)
        np.testing.assert_allclose(both.predict_dist(NEW).std[:, j], one.predict_dist(NEW).std, rtol=1e-9)


def test_a_column_of_targets_keeps_its_shape(model):
    column = clone(model).fit(X, y[:, None])
    assert column.predict(NEW).shape == (7, 1)
    assert column.predict_dist(NEW).mean.shape == (7, 1)
    np.testing.assert_allclose(column.predict(NEW)[:, 0], model.fit(X, y).predict(NEW), rtol=1e-12)


# -- statistics ---------------------------------------------------------------------------------------
def test_collect_writes_nothing(model):
    model.collect(X, y)
    assert not [k for k in vars(model) if k.endswith("_") and not k.startswith("_")]


def test_fit_is_solve_of_collect(model):
    a, b = clone(model).solve(model.collect(X, y, COUNTS)), model.fit(X, y, COUNTS)
    assert_same(a, b, 0.0)


@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")  # of the first, small piece
def test_partial_fit_in_pieces(model):
    pieces = clone(model)
    for part in np.array_split(np.arange(N), 4):
        pieces.partial_fit(X[part], y[part], COUNTS[part])
    assert_same(pieces, model.fit(X, y, COUNTS), 1e-9)


def test_merge_is_fit_of_all(model):
    parts = [clone(model).fit(X[i], y[i]) for i in np.array_split(np.arange(N), 3)]
    before = [answers(p) for p in parts]
    merged = suffice.merge(parts)
    assert merged is not parts[0]
    assert_same(merged, model.fit(X, y), 1e-9)
    for p, b in zip(parts, before, strict=True):  # the parts are as they were
        assert all(np.array_equal(v, b[k]) for k, v in answers(p).items())


def test_forget_is_fit_of_the_rest(model):
    whole = clone(model).fit(X, y)
    rest = suffice.forget(whole, X[40:], y[40:])
    assert rest is not whole
    assert_same(rest, model.fit(X[:40], y[:40]), 1e-8)
    assert_same(whole, clone(model).fit(X, y), 0.0)


def test_forget_part_of_the_weight(model):
    whole = clone(model).fit(X, y, COUNTS + 1)
    rest, direct = suffice.forget(whole, X, y, np.ones(N)), clone(model).fit(X, y, COUNTS)
    if getattr(model, "weight_kind", "counts") == "counts":
        assert_same(rest, direct, 1e-8)
    else:  # how many rows are left of precisions is not known
        np.testing.assert_allclose(rest.predict(NEW), direct.predict(NEW), rtol=1e-8, atol=1e-8 * SCALE)
    assert rest.statistics_.n == pytest.approx(COUNTS.sum())


def test_merge_refuses_other_parameters(case):
    entry, parameters = case
    if not parameters:
        pytest.skip("the default is compared with the others")
    a, b = entry.cls(**parameters).fit(X, y), entry.cls().fit(X, y)
    with pytest.raises(InvalidInput, match="Cannot merge models with different"):
        suffice.merge([a, b])


def test_merge_refuses_other_columns(model):
    a, b = clone(model).fit(X, y), clone(model).fit(X[:, :2], y)
    with pytest.raises(InvalidInput, match="numbers of columns"):
        suffice.merge([a, b])


def test_merge_refuses_other_targets(model):
    with pytest.raises(InvalidInput, match="shapes of y"):
        suffice.merge([clone(model).fit(X, y), clone(model).fit(X, Y)])


def test_forget_refuses_more_than_there_is(model):
    with pytest.raises(ArithmeticError, match="Cannot take"):
        suffice.forget(model.fit(X[:20], y[:20]), X, y)


# -- weights ------------------------------------------------------------------------------------------
def test_weight_two_is_the_row_twice(model):
    rows = np.repeat(np.arange(N), COUNTS.astype(int))
    weighted, repeated = clone(model).fit(X, y, COUNTS), clone(model).fit(X[rows], y[rows])
    counts = getattr(model, "weight_kind", "counts") == "counts"
    assert_same(weighted, repeated, 1e-9, None if counts else ["predict"])


def test_weight_zero_is_no_row(model):
    kept = COUNTS > 0
    assert_same(clone(model).fit(X, y, COUNTS), clone(model).fit(X[kept], y[kept], COUNTS[kept]), 1e-9)


def test_a_wild_row_of_weight_zero_has_no_say(model):
    table, target, weight = np.vstack([X, [[1e9, -1e9, 1e9]]]), np.append(y, 1e12), np.append(np.ones(N), 0.0)
    assert_same(clone(model).fit(table, target, weight), model.fit(X, y), 1e-9)


def test_weight_one_is_no_weight(model):
    assert_same(clone(model).fit(X, y, np.ones(N)), clone(model).fit(X, y), 1e-10)


# -- prediction ---------------------------------------------------------------------------------------
def test_predict_is_the_mean_of_predict_dist(model):
    model.fit(X, y)
    np.testing.assert_allclose(model.predict_dist(NEW).mean, model.predict(NEW), rtol=1e-13, atol=1e-13)


def test_predict_dist_is_one_row_at_a_time(model):
    model.fit(X, y)
    whole, parts = model.predict_dist(NEW), [model.predict_dist(NEW[i : i + 1]) for i in range(len(NEW))]
    np.testing.assert_allclose(whole.std, np.concatenate([d.std for d in parts]), rtol=1e-12)
    low, high = whole.interval(0.8)
    assert np.all(low < whole.mean)
    assert np.all(whole.mean < high)


# -- files --------------------------------------------------------------------------------------------
def saved(model, folder):
    suffice.save(model, folder / "model.suffice")
    return suffice.load(folder / "model.suffice")


def test_saved_model_gives_the_same_bits(model, tmp_path):
    if "CustomBasis" in repr(model):
        with pytest.raises(Unsupported, match="functions and foreign objects are code"):
            suffice.save(model.fit(X, y), tmp_path / "model.suffice")
        assert not list(tmp_path.iterdir())
        return
    for target in (y, Y):
        model.fit(X, target)
        again = saved(model, tmp_path)
        assert type(again) is type(model)
        mine, theirs = model.get_params(), again.get_params()
        assert mine.keys() == theirs.keys()
        assert all(same(mine[k], theirs[k]) for k in mine)
        a, b = answers(model), answers(again)
        assert all(np.array_equal(a[k], b[k]) for k in a)
        assert again.fitted().keys() == model.fitted().keys()
        assert again.statistics_ == model.statistics_


def test_saved_model_goes_on(model, tmp_path):
    if "CustomBasis" in repr(model):
        pytest.skip("functions are code")
    half = saved(clone(model).fit(X[:30], y[:30]), tmp_path).partial_fit(X[30:], y[30:])
    assert_same(half, model.fit(X, y), 1e-9)


def test_unfitted_model_can_be_saved(model, tmp_path):
    if "CustomBasis" in repr(model):
        pytest.skip("functions are code")
    assert_same(saved(model, tmp_path).fit(X, y), model.fit(X, y), 0.0)


# -- scikit-learn around it ---------------------------------------------------------------------------
def test_in_a_pipeline_and_a_search(model):
    pipe = make_pipeline(StandardScaler(), model)
    scores = cross_val_score(pipe, X, y, cv=3, scoring="neg_mean_squared_error")
    assert np.isfinite(scores).all()
    grid = [{}] if not model.get_params() else {"fit_intercept": [True, False]}
    if isinstance(grid, dict):
        search = GridSearchCV(model, grid, cv=3, scoring="neg_mean_squared_error").fit(X, y)
        assert search.best_params_["fit_intercept"] in (True, False)
        assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_cross_val_score_is_a_refit_per_fold(model):
    scores = cross_val_score(model, X, y, cv=3, scoring="neg_mean_squared_error")
    folds = [(a, b) for a, b in KFold(3).split(X)]
    by_hand = [-np.mean((y[b] - clone(model).fit(X[a], y[a]).predict(X[b])) ** 2) for a, b in folds]
    np.testing.assert_allclose(scores, by_hand, rtol=1e-12)


def test_nested_parameters_never_change_a_shared_value(model):
    nested = {k: v for k, v in model.get_params().items() if isinstance(v, Parametric)}
    for name, value in nested.items():
        inner = {k: v for k, v in value.get_params().items() if k.endswith("degree")}
        for tail, degree in inner.items():
            other = clone(model).set_params(**{f"{name}__{tail}": degree + 1})
            assert other.get_params()[f"{name}__{tail}"] == degree + 1
            assert model.get_params()[f"{name}__{tail}"] == degree
            assert getattr(model, name) is value
            with pytest.raises(ValueError, match="degree"):
                clone(model).set_params(**{f"{name}__{tail}": -1})


def test_grid_search_over_a_degree(model):
    names = [k for k in model.get_params() if k.endswith("degree")]
    if not names:
        pytest.skip("no degree to search")
    before = model.basis
    search = GridSearchCV(model, {names[0]: [1, 2, 3]}, cv=3, scoring="neg_mean_squared_error").fit(X, y)
    assert model.basis is before
    assert [p[names[0]] for p in search.cv_results_["params"]] == [1, 2, 3]
    best = search.best_params_[names[0]]
    assert_same(search.best_estimator_, clone(model).set_params(**{names[0]: best}).fit(X, y), 0.0)
    assert len(set(search.cv_results_["mean_test_score"])) == 3


# -- tables -------------------------------------------------------------------------------------------
def tables(array):
    import pandas
    import polars
    import pyarrow

    data = {f"c{j}": array[:, j] for j in range(array.shape[1])}
    return {
        "pandas": pandas.DataFrame(data, index=np.arange(len(array))[::-1]),
        "polars": polars.DataFrame(data),
        "pyarrow": pyarrow.table(data),
    }


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_tables_give_the_numbers_of_arrays(model, kind):
    plain = clone(model).fit(X, y)
    named = clone(model).fit(tables(X)[kind], y)
    assert list(named.feature_names_in_) == ["c0", "c1", "c2"]
    assert not hasattr(plain, "feature_names_in_")
    np.testing.assert_allclose(named.predict(tables(NEW)[kind]), plain.predict(NEW), rtol=1e-13, atol=1e-13)
    wrong = tables(NEW)[kind]
    wrong = (
        wrong.rename_columns(["c0", "c2", "c1"])
        if kind == "pyarrow"
        else wrong.rename(**{"columns": {"c1": "c9"}} if kind == "pandas" else {"mapping": {"c1": "c9"}})
    )
    with pytest.raises(ValueError, match="feature names should match"):
        named.predict(wrong)
    with pytest.raises(ValueError, match="feature names should match"):
        named.predict_dist(wrong)


def test_merged_model_knows_its_columns(model):
    table = tables(X)["pandas"]
    parts = [clone(model).fit(table[:30], y[:30]), clone(model).fit(table[30:], y[30:])]
    assert list(suffice.merge(parts).feature_names_in_) == ["c0", "c1", "c2"]
    other = table.rename(columns={"c0": "z"})
    with pytest.raises(InvalidInput, match="column names"):
        suffice.merge([parts[0], clone(model).fit(other, y)])


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse_is_dense(model, kind):
    holes = np.where(np.abs(X) < 0.4, 0.0, X)
    a, b = clone(model).fit(kind(holes), y), clone(model).fit(holes, y)
    assert_same(a, b, 1e-12)
    np.testing.assert_allclose(a.predict(kind(NEW)), b.predict(NEW), rtol=1e-12)
    part = clone(model).fit(kind(holes[:30]), y[:30]).partial_fit(kind(holes[30:]), y[30:])
    assert_same(part, b, 1e-9)


def test_single_precision_is_cast_not_computed_with(model):
    narrow = X.astype(np.float32)
    a = clone(model).fit(narrow, y)
    assert a.statistics_.factor.dtype == np.float64
    assert_same(a, clone(model).fit(narrow.astype(float), y), 1e-12)


def test_strides_and_memory_order_do_not_matter(model):
    a = clone(model).fit(np.asfortranarray(X), y)
    b = clone(model).fit(np.repeat(X, 2, axis=0)[::2], np.repeat(y, 2)[::2])
    assert_same(a, model.fit(X, y), 1e-13)
    assert_same(b, model, 1e-13)


# -- validation ---------------------------------------------------------------------------------------
SPLITTERS = {
    "folds": KFold(5),
    "shuffled folds": KFold(4, shuffle=True, random_state=0),
    "leave one out": LeaveOneOut(),
    "shuffles": ShuffleSplit(4, test_size=0.3, random_state=0),
    "time": TimeSeriesSplit(3, test_size=8),
    "repeated": RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
}
LONG = ("leave one out", "shuffled folds", "repeated")


def refits(model, splits, weight=None):
    """Predictions of each fold by fitting anew: the definition."""
    out = []
    for train, test in splits:
        extra = {} if weight is None else {"sample_weight": weight[train]}
        out.append(clone(model).fit(X[train], y[train], **extra).predict_dist(X[test]))
    return out


@pytest.mark.parametrize(
    "weighted", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["plain", "weighted"]
)
@pytest.mark.parametrize(
    "splitter", [pytest.param(s, marks=pytest.mark.slow if s in LONG else ()) for s in SPLITTERS]
)
def test_fast_validation_is_refitting(model, splitter, weighted):
    weight = COUNTS + 1 if weighted else None
    splits = list(SPLITTERS[splitter].split(X))
    fast = cross_validate(model, X, y, cv=SPLITTERS[splitter], sample_weight=weight)
    assert fast.how == "statistics"
    slow = refits(model, splits, weight)
    w = np.ones(N) if weight is None else weight
    losses = [(y[test] - d.mean) ** 2 for (_, test), d in zip(splits, slow, strict=True)]
    folds = [np.average(v, weights=w[test]) for v, (_, test) in zip(losses, splits, strict=True)]
    np.testing.assert_allclose(fast.fold_losses, folds, rtol=1e-8, atol=1e-9 * SCALE**2)
    pooled, weights = np.concatenate(losses), np.concatenate([w[test] for _, test in splits])
    np.testing.assert_allclose(fast.estimate, np.average(pooled, weights=weights), rtol=1e-8)
    means = [d.mean for d in slow]
    if isinstance(fast.predictions, np.ndarray):
        mine = [fast.predictions[test] for _, test in splits]
    else:
        mine = fast.predictions
    for a, b in zip(mine, means, strict=True):
        assert np.max(np.abs(a - b) / np.maximum(np.abs(b), SCALE)) <= 1e-9


def test_fast_validation_of_densities_is_refitting(model):
    splits = list(KFold(4).split(X))
    fast = cross_validate(model, X, y, cv=KFold(4), loss="log")
    folds = [-np.mean(d.log_prob(y[t])) for (_, t), d in zip(splits, refits(model, splits), strict=True)]
    np.testing.assert_allclose(fast.fold_losses, folds, rtol=1e-9)


# -- the table, cell by cell --------------------------------------------------------------------------
ROWS = {e.name: e for e in ENTRIES}


@pytest.fixture(params=ROWS)
def entry(request):
    return ROWS[request.param]


def test_cell_nan(entry):
    holes = X.copy()
    holes[4, 1] = np.nan
    if entry.capabilities.nan:
        assert np.isfinite(entry.cls().fit(holes, y).predict(NEW)).all()
    else:
        with pytest.raises(InvalidInput, match=r"X contains NaN at row 4, column 'x1'"):
            entry.cls().fit(holes, y)


def test_cell_weights(entry):
    assert entry.capabilities.weights is True
    a, b = entry.cls().fit(X, y, COUNTS), entry.cls().fit(X, y)
    assert not np.allclose(a.predict(NEW), b.predict(NEW))


def test_cell_statistics(entry):
    from suffice.engine.source import FromStatistics

    assert isinstance(entry.cls(), FromStatistics) == bool(entry.capabilities.statistics)
    assert hasattr(entry.cls().fit(X, y), "statistics_") == bool(entry.capabilities.statistics)


def test_cell_heldout(entry):
    assert hasattr(entry.cls(), "heldout") == bool(entry.capabilities.heldout)


def test_cell_evidence(entry):
    for parameters in entry.settings.values():
        model = entry.cls(**parameters).fit(X, y)
        assert hasattr(model, "log_evidence_") == bool(entry.capabilities.evidence)
        if entry.capabilities.evidence:
            assert model.evidence_kind_ == "exact"
            np.testing.assert_allclose(model.log_evidence_, brute.log_evidence(model, X, y), rtol=1e-9)
            model.fit(X, y, COUNTS)
            expected = brute.log_evidence(model, X, y, COUNTS)
            np.testing.assert_allclose(model.log_evidence_, expected, rtol=1e-9)
            model.fit(X, Y)
            alone = [entry.cls(**parameters).fit(X, Y[:, j]).log_evidence_ for j in range(2)]
            np.testing.assert_allclose(model.log_evidence_, sum(alone), rtol=1e-9)


def test_cell_predict_dist(entry):
    from suffice.distributions import Distribution

    assert entry.capabilities.predict_dist is True
    assert isinstance(entry.cls().fit(X, y).predict_dist(NEW), Distribution)


def test_cell_sparse(entry):
    tags = entry.cls().__sklearn_tags__()
    assert tags.input_tags.sparse == bool(entry.capabilities.sparse)


def test_cell_partial_fit(entry):
    assert hasattr(entry.cls(), "partial_fit") == bool(entry.capabilities.partial_fit)


def test_table_has_no_strangers():
    assert set(TABLE) == set(ROWS)


def test_nothing_here_warns_by_accident():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for e in ENTRIES:
            for parameters in e.settings.values():
                e.cls(**parameters).fit(X, y)
