"""Laws of folds: partitions, pairs, sums without one part, whitened rows, and rows left out of one fit."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
)

from suffice._core.errors import InvalidInput
from suffice.bases import Polynomial
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.statistics import Header, Layout, Pairs, Partition, Triangle, gather, leave_one_out_merges
from suffice.statistics.fold_statistics import FoldStatistics, WhitenedStatistics
from suffice.statistics.folds import FEW, as_folds, as_slice, atoms, leave_out
from suffice.statistics.whitened import Whitened


def partitions(most: int = 12):
    """Folds of any sizes ≥ 1, rows in any order."""
    sizes = st.lists(st.integers(1, 5), min_size=2, max_size=most)
    return st.builds(
        lambda sizes, seed: Partition(
            np.random.default_rng(seed).permutation(sum(sizes)), np.concatenate([[0], np.cumsum(sizes)])
        ),
        sizes,
        st.integers(0, 2**20),
    )


def rows_of(index, n):
    return np.arange(n)[index]


# -- partitions and pairs --------------------------------------------------------------------------------
@given(folds=partitions())
def test_a_partition_tests_each_row_once_and_trains_on_the_others(folds):
    n = folds.rows
    tests = [rows_of(folds.test(i), n) for i in range(len(folds))]
    assert sorted(np.concatenate(tests)) == list(range(n))
    assert [len(t) for t in tests] == folds.sizes.tolist()
    for i, test in enumerate(tests):
        train = folds.train(i)
        assert np.array_equal(train, np.setdiff1d(np.arange(n), test))  # ascending
    middle = len(folds) // 2
    assert np.array_equal(
        rows_of(folds.between(0, middle), n), np.concatenate(tests[:middle] or [[]]).astype(int)
    )


@given(folds=partitions(), seed=st.integers(0, 2**20))
def test_within_counts_positions_of_a_larger_table(folds, seed):
    """Once and once again: sorted or not, training rows keep the order in which they were given."""
    rng = np.random.default_rng(seed)
    for rows in (np.sort(rng.permutation(3 * folds.rows)[: folds.rows]), rng.integers(0, 9, folds.rows)):
        inside, most = folds.within(rows), int(rows.max()) + 1
        further = rng.permutation(most)
        for i in range(len(folds)):
            assert np.array_equal(rows_of(inside.test(i), most), rows[folds.test(i)])
            assert np.array_equal(inside.train(i), rows[folds.train(i)])
            assert np.array_equal(inside.within(further).train(i), further[inside.train(i)])


def test_consecutive_folds_are_slices():
    folds = Partition.of_sizes([3, 2, 2])
    assert [folds.test(i) for i in range(3)] == [slice(0, 3), slice(3, 5), slice(5, 7)]
    assert folds.between(1, 3) == slice(3, 7)
    assert as_slice(np.array([4, 5, 6])) == slice(4, 7)
    for broken in ([4, 6, 5], [6, 5, 4], [4, 5, 7], [4, 4, 6]):
        assert np.array_equal(as_slice(np.array(broken)), broken)
    assert len(as_slice(np.array([], dtype=int))) == 0


SPLITTERS = [
    KFold(4),
    KFold(4, shuffle=True, random_state=0),
    LeaveOneOut(),
    GroupKFold(3),
    RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    ShuffleSplit(4, test_size=3, random_state=0),
    TimeSeriesSplit(3),
]


@pytest.mark.parametrize("splitter", SPLITTERS, ids=lambda s: type(s).__name__)
def test_as_folds_says_the_same_as_the_splitter(splitter):
    X, groups = np.zeros((14, 1)), np.arange(14) % 4
    options = (X, None, groups) if isinstance(splitter, GroupKFold) else (X,)
    pairs = list(splitter.split(*options))
    folds = as_folds(pairs, 14)
    assert isinstance(folds, Partition) == isinstance(splitter, KFold | LeaveOneOut | GroupKFold)
    assert len(folds) == len(pairs)
    for i, (train, test) in enumerate(pairs):
        assert np.array_equal(np.sort(folds.train(i)), np.sort(train))
        assert np.array_equal(rows_of(folds.test(i), 14), test)
    assert as_folds(folds, 14) is folds


@pytest.mark.parametrize(
    "pairs",
    [
        [([0, 1], [2, 3])],  # one fold
        [([0, 1, 2], [3]), ([0, 1, 3], [2]), ([0, 2, 3], [1])],  # row 0 is never tested
        [([2, 3], [0, 1]), ([0, 1], [1, 2, 3])],  # row 1 is tested twice
        [([2, 3], [0, 1]), ([0], [2, 3])],  # trains on less than the rest
        [([2, 3, 3], [0, 1]), ([0, 1], [2, 3])],  # draws a row twice
        [([2, 2], [0, 1]), ([0, 1], [2, 3])],  # as many rows as the rest, but not the rest
        [([1, 2, 3], [0, 1]), ([0], [2, 3])],
        [([2, 3], [0, 0]), ([0, 1], [2, 3])],
    ],
)
def test_what_is_no_partition_stays_pairs(pairs):
    folds = as_folds(pairs, 4)
    assert isinstance(folds, Pairs)
    assert [(a.tolist(), b.tolist()) for a, b in folds.splits] == [(a, b) for a, b in pairs]


def test_masks_and_rows_from_the_end():
    mask = np.arange(6) < 2
    assert as_folds([(~mask, mask), (mask, ~mask)], 6) == as_folds(
        [(range(2, 6), [0, 1]), ([0, 1], range(2, 6))], 6
    )
    assert as_folds([([0, 1], [-1, -2])], 6).splits[0][1].tolist() == [5, 4]


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        (([0, 1], [6]), "names row 6, but there are 6 rows"),
        (([0, -7], [1]), "names row -7, but there are 6 rows"),
        (([0, -7, 5], [1]), "names row -7, but there are 6 rows"),
        (([0.0, 1.0], [2]), "must be row numbers or masks; got float64"),
        ((["a"], [2]), "must be row numbers or masks"),
        (([True] * 5, [False] * 5), "mask of a split has 5 entries for 6 rows"),
        (([[0, 1]], [2]), r"shape \(1, 2\)"),
    ],
)
def test_impossible_rows_are_named(pair, words):
    with pytest.raises(InvalidInput, match=words):
        as_folds([pair], 6)


# -- sums without one part -------------------------------------------------------------------------------
@given(parts=st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=40))
def test_merges_leave_one_out(parts):
    assert leave_one_out_merges(parts) == [sum(parts) - p for p in parts]


@pytest.mark.parametrize("k", [2, 3, FEW - 1, FEW, FEW + 1, 2 * FEW + 1, 500])
def test_leave_out_reads_little_and_keeps_order(k):
    """Strings do not commute: each answer must hold the other folds in some order, each once."""
    read = np.zeros(k, dtype=int)

    def part(a, b):
        read[a:b] += 1
        return tuple(range(a, b))

    for i, rest in enumerate(leave_out(part, k)):
        assert sorted(rest) == [j for j in range(k) if j != i]
    assert read.max() <= np.ceil(np.log2(max(k / FEW, 1))) + 1


@given(
    n=st.integers(4, 20),
    seed=st.integers(0, 2**20),
    k=st.integers(1, 4),
)
def test_atoms_make_up_every_set(n, seed, k):
    rng = np.random.default_rng(seed)
    splits = tuple(
        (rng.permutation(n)[: rng.integers(1, n)], rng.permutation(n)[: rng.integers(1, n)]) for _ in range(k)
    )
    group, trains, tests = atoms(Pairs(splits), n, n)
    for sets, side in ((trains, 0), (tests, 1)):
        for parts, pair in zip(sets, splits, strict=True):
            assert np.array_equal(np.flatnonzero(np.isin(group, parts)), np.sort(pair[side]))
    kinds = {tuple(i in s.tolist() for pair in splits for s in pair) for i in range(n)}
    assert len(np.unique(group)) == len(kinds)  # rows of equal membership are together
    assert atoms(Pairs(splits), n, len(kinds) - 1) is None


def test_repeated_rows_have_no_atoms():
    assert atoms(Pairs(((np.array([0, 0]), np.array([1])),)), 3, 9) is None
    assert atoms(Pairs(((np.array([0]), np.array([1, 1])),)), 3, 9) is None


# -- statistics of folds ---------------------------------------------------------------------------------
def rows_and_layout(
    seed: int, n: int = 40, d: int = 3, k: int = 1, mean: float = 0.0, weighted: bool = False
):
    rng = np.random.default_rng(seed)
    X = mean + rng.standard_normal((n, d))
    Y = rng.standard_normal((n, k)) + X[:, :1] - mean
    weight = rng.uniform(0.1, 3, n) if weighted else None
    return X, Y, weight, Layout.plan(Header(d, n_targets=k), X, Y, weight)


def triangle_of(X, Y, weight, layout, rows):
    return gather(layout, X[rows], Y[rows], None if weight is None else weight[rows])


def assert_same_triangle(a: Triangle, b: Triangle, rtol: float) -> None:
    a = a.moved(b.layout)
    scale = np.maximum(np.linalg.norm(b.factor, axis=0), 1e-300)
    np.testing.assert_allclose(a.factor / scale, b.factor / scale, rtol=0, atol=rtol)
    assert a.rows == b.rows
    assert a.n == pytest.approx(b.n, rel=1e-13)
    assert a.log_weight == pytest.approx(b.log_weight, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("splitter", [s for s in SPLITTERS if not isinstance(s, GroupKFold)], ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_fold_statistics_are_those_of_the_rows(splitter, weighted):
    X, Y, w, layout = rows_and_layout(1, weighted=weighted, mean=1e6)
    splits = list(splitter.split(X))
    gatherer = FoldStatistics(lambda rows: triangle_of(X, Y, w, layout, rows), len(X))
    for (train, test), pair in zip(splits, gatherer.pairs(as_folds(splits, len(X))), strict=True):
        for mine, rows in zip(pair, (train, test), strict=True):
            assert_same_triangle(mine, triangle_of(X, Y, w, layout, rows), rtol=1e-12)


@given(
    seed=st.integers(0, 2**20),
    size=st.integers(3, 40),
    weighted=st.booleans(),
    mean=st.sampled_from([0.0, 1e6]),
    repeat=st.booleans(),
)
def test_whitened_triangles_are_those_of_the_rows(seed, size, weighted, mean, repeat):
    """To 1e-12, or no answer at all: never a worse one."""
    X, Y, w, layout = rows_and_layout(seed, weighted=weighted, mean=mean)
    X = X * [1e-6, 1.0, 1e6]
    layout = Layout.plan(layout.header, X, Y, w)
    rows = np.random.default_rng(seed).choice(len(X), size, replace=repeat)
    whitened = Whitened.of(gather(layout, X, Y, w), X, Y, w)
    found = whitened.triangle(whitened.gram(rows))
    if found is None:
        assert len(np.unique(rows)) < 10  # only few rows determine too little
        return
    assert_same_triangle(found, triangle_of(X, Y, w, layout, rows), rtol=1e-12)


def test_grams_add_and_judge():
    X, Y, w, layout = rows_and_layout(3, k=2, weighted=True)
    whitened = Whitened.of(gather(layout, X, Y, w), X, Y, w)
    a, b = np.arange(15), np.arange(15, 40)
    both = whitened.gram(a) + whitened.gram(b)
    assert both.n == pytest.approx(w.sum(), rel=1e-13)
    assert both.rows == 40
    np.testing.assert_allclose(both.products, np.eye(len(both.products)), rtol=0, atol=1e-13)
    slope, offset = np.array([[0.3, 1.0], [-1.0, 0.0], [0.5, 2.0]]), np.array([0.2, -0.7])
    expected = triangle_of(X, Y, w, layout, a).squared_error(slope, offset)
    np.testing.assert_allclose(whitened.gram(a).squared_error(slope, offset), expected, rtol=1e-12)
    few = whitened.gram(np.arange(2)).as_triangle()
    np.testing.assert_allclose(
        few.squared_error(slope, offset),
        triangle_of(X, Y, w, layout, np.arange(2)).squared_error(slope, offset),
        rtol=1e-7,
    )


def test_whitening_refuses_what_it_would_spoil():
    X, Y, _, layout = rows_and_layout(4)
    exact = X @ [[1.0], [2.0], [3.0]]
    for A, B in (
        (X, exact),
        (X[:, [0, 1, 0]], Y),
        (np.column_stack([X[:, :2], np.ones(40)]), Y),
        (X[:3], Y[:3]),
    ):
        plan = Layout.plan(layout.header, A, B, None)
        assert Whitened.of(gather(plan, A, B), A, B, None) is None


def test_a_part_that_misses_a_direction_is_gathered_from_its_rows():
    X, Y, _, layout = rows_and_layout(5)
    X[:, 2] = np.arange(40) >= 37  # seen in the last fold only
    layout = Layout.plan(layout.header, X, Y, None)
    whitened = Whitened.of(gather(layout, X, Y), X, Y, None)
    read = []

    def part(rows):
        read.append(rows)
        return triangle_of(X, Y, None, layout, rows)

    splits = list(KFold(5).split(X))
    for (train, _), (mine, _) in zip(
        splits, WhitenedStatistics(whitened, part).pairs(as_folds(splits, 40)), strict=True
    ):
        assert_same_triangle(mine, triangle_of(X, Y, None, layout, train), rtol=1e-12)
    assert [np.arange(40)[r].tolist() for r in read] == [list(range(32)), list(range(32, 40))]


def test_a_wild_value_in_neither_set_costs_no_digits():
    """In its units the products of all other rows are rounding: both sets are gathered from their rows."""
    X, Y, _, layout = rows_and_layout(5)
    X[24, 1] = 1e9
    layout = Layout.plan(layout.header, X, Y, None)
    whitened = Whitened.of(gather(layout, X, Y), X, Y, None)
    splits = as_folds([(np.arange(15, 24), np.arange(15)), (np.arange(15), np.arange(25, 40))], 40)
    pairs = WhitenedStatistics(whitened, lambda rows: triangle_of(X, Y, None, layout, rows)).pairs(splits)
    slope, offset = np.array([[0.5], [1.0], [0.3]]), np.array([0.1])
    for i, (_, test) in enumerate(pairs):
        expected = triangle_of(X, Y, None, layout, splits.test(i)).squared_error(slope, offset)
        np.testing.assert_allclose(test.squared_error(slope, offset), expected, rtol=1e-10)


# -- rows left out of one fit ----------------------------------------------------------------------------
def brute_left_out(design, y, w, penalty, folds):
    """Predictions, spread, training error of the penalized fit without each fold, by normal equations."""
    n, k = len(y), y.shape[1]
    predictions, spread, sse = np.full((n, k), np.nan), np.full(n, np.nan), np.zeros((len(folds), k))
    for i in range(len(folds)):
        train, test = folds.train(i), np.arange(n)[folds.test(i)]
        A = design[train]
        M = (A * w[train, None]).T @ A + penalty
        weights = np.linalg.solve(M, (A * w[train, None]).T @ y[train])
        predictions[test] = design[test] @ weights
        spread[test] = np.sum(design[test] * np.linalg.solve(M, design[test].T).T, axis=1)
        sse[i] = w[train] @ (y[train] - A @ weights) ** 2
    return predictions, spread, sse


CASES = {
    "ols": (LinearRegression(), 0.0, False),
    "ols without intercept": (LinearRegression(fit_intercept=False), 0.0, False),
    "ridge": (Ridge(0.7), 0.7, False),
    "ridge without intercept": (Ridge(0.7, fit_intercept=False), 0.7, False),
    "ridge on the intercept too": (Ridge(0.7, penalize_intercept=True), 0.7, True),
    "bayes": (BayesianLinearRegression(2.1, noise_precision=3.0), 0.7, False),
    "bayes, prior on the intercept": (
        BayesianLinearRegression(2.1, noise_precision=3.0, intercept="prior"), 0.7, True),
}  # fmt: skip


@given(
    case=st.sampled_from(list(CASES)),
    folds=partitions(),
    k=st.integers(1, 2),
    degree=st.integers(1, 2),
    weights=st.sampled_from(["none", "fractions", "zeros"]),
    seed=st.integers(0, 2**20),
)
def test_left_out_is_the_smaller_fit(case, folds, k, degree, weights, seed):
    model, alpha, counted = CASES[case]
    n, rng = folds.rows, np.random.default_rng(seed)
    X, y = rng.standard_normal((n, 2)), rng.standard_normal((n, k))
    w = {
        "none": np.ones(n),
        "fractions": rng.uniform(0.2, 2, n),
        "zeros": rng.integers(0, 3, n).astype(float),
    }[weights]
    basis = Polynomial(degree)
    design, intercept = basis(X), getattr(model, "fit_intercept", True)
    if intercept:
        design = np.column_stack([np.ones(n), design])
    penalty = alpha * np.eye(design.shape[1])
    if intercept and not counted:
        penalty[0, 0] = 0.0
    for i in range(len(folds)):
        a = folds.train(i)
        a = a[w[a] > 0]
        assume(len(a) > 2 * design.shape[1])
        assume(np.linalg.cond(design[a]) < 1e3)
    model = type(model)(**(model.get_params(deep=False) | {"basis": basis}))
    rows, layout = model.door(X, y if k > 1 else y[:, 0], None if weights == "none" else w)
    left = model.left_out(model.reading(rows, layout), folds)
    predictions, spread, sse = brute_left_out(design, y, w, penalty, folds)
    assert not left.alone.any()
    np.testing.assert_allclose(left.predictions, predictions, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(left.spread, spread, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(left.sse, sse, rtol=1e-9, atol=1e-10)
    trains = [folds.train(i) for i in range(len(folds))]
    np.testing.assert_allclose(left.n, [w[a].sum() for a in trains], rtol=1e-12)
    assert left.rows.tolist() == [np.sum(w[a] > 0) for a in trains]
    for i in range(len(folds)):
        assert np.all(left.fold[folds.test(i)] == i)


def test_rows_that_stand_alone_are_marked():
    X = np.column_stack([np.arange(8.0), np.arange(8) == 5])
    folds = Partition.of_sizes(np.ones(8, dtype=int))
    for model in (LinearRegression(), Ridge(1e-8)):
        rows, layout = model.door(X, np.arange(8.0) ** 2)
        left = model.left_out(model.reading(rows, layout), folds)
        assert np.flatnonzero(left.alone).tolist() == [5]
        assert left.parameters == 3
    rows, layout = Ridge(1.0).door(X, np.arange(8.0) ** 2)
    assert not Ridge(1.0).left_out(Ridge(1.0).reading(rows, layout), folds).alone.any()


def test_heldout_is_leave_one_out_for_a_caller():
    from suffice._core.errors import NumericalError, Unsupported

    rng = np.random.default_rng(6)
    X, y = rng.standard_normal((12, 2)), rng.standard_normal(12)
    d = LinearRegression().heldout(X, y, list(LeaveOneOut().split(X)))
    for i in range(12):
        keep = np.arange(12) != i
        one = LinearRegression().fit(X[keep], y[keep]).predict_dist(X[[i]])
        assert d.mean[i] == pytest.approx(one.mean[0], rel=1e-11)
        assert d.std[i] == pytest.approx(one.std[0], rel=1e-11)
    with pytest.raises(Unsupported, match="standardized in each fold.*Use suffice.evaluation.cross_validate"):
        Ridge(1.0, standardize=True).heldout(X, y, KFold(12).split(X))
    with pytest.raises(Unsupported, match="precisions are found anew in each fold"):
        BayesianLinearRegression().heldout(X, y, KFold(12).split(X))
    with pytest.raises(Unsupported, match="do not test every row once"):
        Ridge(1.0).heldout(X, y, ShuffleSplit(2, random_state=0).split(X))
    X[:, 1] = np.arange(12) == 3
    with pytest.raises(NumericalError, match="rows of fold 3 determine a direction alone"):
        LinearRegression().heldout(X, y, LeaveOneOut().split(X))


@pytest.mark.slow
def test_leave_one_out_of_many_rows_keeps_little():
    """100,000 × 32, losses, predictions and distributions included, under 200 MB above the input."""
    from suffice.evaluation import cross_validate, validate_path

    rng = np.random.default_rng(0)
    X = rng.standard_normal((100_000, 32))
    y = X[:, 0] + rng.standard_normal(100_000)
    for work in (
        lambda: cross_validate(LinearRegression(), X, y, cv=LeaveOneOut()),
        lambda: validate_path(Ridge(), X, y, "alpha", [0.1, 1.0, 10.0], LeaveOneOut()),
    ):
        tracemalloc.start()
        result = work()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert result.how == "closed form"
        assert peak < 200e6


@pytest.mark.parametrize("targets", [1, 3])
@pytest.mark.parametrize(
    "options", [{}, {"standardize": True}, {"fit_intercept": False}, {"penalize_intercept": True}]
)
def test_paths_of_several_statistics_are_those_of_each(options, targets):
    rng = np.random.default_rng(5)
    X, Y = rng.normal(3.0, 2.0, (60, 4)), rng.normal(size=(60, targets))
    model, alphas = Ridge(**options), [0.0, 0.1, 30.0]
    statistics = [model.collect(X[i::4], Y[i::4]) for i in range(4)]
    together = model.solve_paths(statistics, "alpha", alphas)
    for t, path in zip(statistics, together, strict=True):
        (alone,) = model.solve_paths([t], "alpha", alphas)
        np.testing.assert_array_equal(path.predict(X), alone.predict(X))
        one_by_one = [Ridge(a, **options).solve(t).predict(X) for a in alphas]
        np.testing.assert_allclose(path.predict(X), one_by_one, rtol=1e-10, atol=1e-12)
