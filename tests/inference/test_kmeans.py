"""Seeds and Lloyd's algorithm: brute force, laws, a peer, printed numbers, and loops against their twins."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans

from suffice._core.errors import InvalidInput, InvalidParameter, NoInformation, NotConverged, NumericalError
from suffice.inference import Lloyd, _rows, _twins, lloyd, seeds

QUIZ = np.array([3.0, 6.0, 7.0, 9.0, 10.0, 11.0, 14.0])[:, None]


@pytest.fixture(params=["twins", "loops"])
def both(request, monkeypatch):
    """The same test by NumPy and by the compiled loops."""
    if request.param == "loops":
        pytest.importorskip("numba")
        monkeypatch.setattr(_rows, "MANY", 0)


def table(seed, n=60, d=3, k=4, *, holes=0.0, weighted=False):
    """Rows about k points, a start, and weights of which some are zero."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 2 * rng.normal(size=(k, d))[rng.integers(k, size=n)]
    start = X[rng.choice(n, k, replace=False)].copy()
    X[rng.random(X.shape) < holes] = np.nan
    return X, start, rng.integers(0, 4, size=n).astype(float) if weighted else np.ones(n)


def squares(X, centers):
    return np.nansum((X[:, None, :] - centers) ** 2, axis=2)  # (N, K)


def energy(X, weight, centers, labels):
    return float(weight @ squares(X, centers)[np.arange(len(X)), labels])


def brute_force(X, centers, weight):
    """One line per step of the definition; an empty cluster stays where it is."""
    X, centers = np.asarray(X, dtype=float), np.array(centers, dtype=float)
    labels, objective = None, []
    while True:
        old, labels = labels, np.argmin(squares(X, centers), axis=1)
        objective.append(energy(X, weight, centers, labels))
        if old is not None and np.array_equal(old[weight > 0], labels[weight > 0]):
            return centers, labels, objective
        for k in range(len(centers)):
            for j in range(X.shape[1]):
                mine = (labels == k) & ~np.isnan(X[:, j]) & (weight > 0)
                if mine.any():
                    centers[k, j] = np.average(X[mine, j], weights=weight[mine])


# -- Lloyd: oracles ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("holes", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_definition(seed, holes, weighted, both):
    X, start, weight = table(seed, holes=holes, weighted=weighted)
    found = lloyd(X, start, weight=weight, empty="keep")
    centers, labels, objective = brute_force(X, start, weight)
    assert found.labels.tolist() == labels.tolist()
    np.testing.assert_allclose(found.centers, centers, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.trace.objective, objective, rtol=1e-12)
    assert found.n_iter == len(found.trace) == len(objective)
    assert found.trace.converged
    assert found.trace.columns["changed"][-1] == 0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_scikit_learn_ends_in_the_same_place(seed, weighted):
    X, start, weight = table(seed, n=400, d=5, k=6, weighted=weighted)
    found = lloyd(X, start, weight=weight)
    peer = KMeans(6, init=start, n_init=1, tol=0, algorithm="lloyd").fit(X, sample_weight=weight)
    assert found.labels.tolist() == peer.labels_.tolist()
    assert found.trace.objective[-1] == pytest.approx(peer.inertia_, rel=1e-12)
    assert found.n_iter == peer.n_iter_
    np.testing.assert_allclose(found.centers, peer.cluster_centers_, rtol=1e-10)


def test_tol_means_what_it_means_in_scikit_learn():
    X, start, _ = table(11, n=400, d=5, k=6)
    found = lloyd(X, start, tol=1e-2)
    peer = KMeans(6, init=start, n_init=1, tol=1e-2).fit(X)
    assert found.n_iter < lloyd(X, start).n_iter
    assert found.trace.converged
    assert found.labels.tolist() == peer.labels_.tolist()
    np.testing.assert_allclose(found.centers, peer.cluster_centers_, rtol=1e-10)


def test_the_quiz(both):
    """DTU quiz 18.2."""
    found = lloyd(QUIZ, [[4], [7], [14]])
    assert found.centers.ravel().tolist() == [3, 8, 12.5]
    assert found.labels.tolist() == [0, 1, 1, 1, 1, 2, 2]
    assert found.trace.objective.tolist() == [24, 14.5]


@pytest.mark.parametrize(
    ("centers", "expected"),
    [
        ((3, 22 / 3, 35 / 3), 13.333),
        ((4.5, 9.25, 14), 13.25),
        ((16 / 3, 10, 14), 10.667),
        ((3, 8, 12.5), 14.5),
    ],
)
def test_fixed_points_of_the_quiz(centers, expected):
    found = lloyd(QUIZ, np.array(centers)[:, None])
    np.testing.assert_allclose(found.centers.ravel(), centers, rtol=1e-14)
    assert found.trace.objective[-1] == pytest.approx(expected, abs=5e-4)
    assert found.trace.objective[-1] == pytest.approx(found.trace.objective[0], rel=1e-14)


# -- Lloyd: laws ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("empty", ["farthest", "keep"])
@pytest.mark.parametrize("seed", range(8))
def test_the_objective_never_rises_and_the_last_is_that_of_the_result(seed, empty, both):
    rng = np.random.default_rng(seed)
    X, _, weight = table(seed, n=50, d=2, holes=0.3 * (seed % 2), weighted=seed % 4 > 1)
    start = rng.normal(size=(7, 2)) * 20  # most of them empty at first
    found = lloyd(X, start, weight=weight, empty=empty)
    objective = found.trace.objective
    assert np.isfinite(found.centers).all()
    assert np.all(np.diff(objective) <= 1e-13 * objective[0])
    assert objective[-1] == pytest.approx(energy(X, weight, found.centers, found.labels), rel=1e-12)
    assert found.labels.tolist() == np.argmin(squares(X, found.centers), axis=1).tolist()
    if empty == "farthest":
        assert np.all(np.bincount(found.labels, weight, 7) > 0)


@pytest.mark.parametrize("holes", [0.0, 0.3])
def test_weight_two_is_the_row_twice_and_zero_is_no_row(holes):
    X, start, weight = table(3, holes=holes, weighted=True)
    found = lloyd(X, start, weight=weight)
    often = np.repeat(np.arange(len(X)), weight.astype(int))
    again = lloyd(X[often], start)
    assert again.labels.tolist() == found.labels[often].tolist()
    np.testing.assert_allclose(found.centers, again.centers, rtol=1e-13)
    np.testing.assert_allclose(found.trace.objective, again.trace.objective, rtol=1e-13)
    away = np.where(weight > 0, 0.0, 1000.0)[:, None]
    np.testing.assert_allclose(lloyd(X + away, start, weight=weight).centers, found.centers, rtol=1e-13)


@pytest.mark.parametrize("offset", [1e8, -1e12])
def test_far_from_the_origin(offset, both):
    X, start, weight = table(5, n=200)
    X, start = np.round(X * 1024) / 1024, np.round(start * 1024) / 1024  # so that X + offset is exact
    near, far = lloyd(X, start), lloyd(X + offset, start + offset)
    assert far.labels.tolist() == near.labels.tolist()
    assert far.labels.tolist() == brute_force(X + offset, start + offset, weight)[1].tolist()
    assert far.trace.objective[-1] == pytest.approx(near.trace.objective[-1], rel=1e-12)
    np.testing.assert_allclose(far.centers - offset, near.centers, atol=abs(offset) * 2e-16)


def test_tight_clusters_far_apart_are_told_apart(both):
    """‖x‖² − 2xᵀc + ‖c‖² has an error of 16 here, the clusters are 1e-3 apart."""
    X = np.array([[-1e8], [1e8], [1e8 + 1e-3], [1e8 + 2e-3]])
    found = lloyd(X, X[[0, 1, 3]])
    assert found.labels.tolist() == brute_force(X, X[[0, 1, 3]], np.ones(4))[1].tolist() == [0, 1, 1, 2]


def test_ties_go_to_the_lowest_cluster(both):
    rows = np.arange(9.0)[:, None] * np.ones(17) + 3
    found = lloyd(rows, [[5.0] * 17, [5.0] * 17, [9.0] * 17], empty="keep", max_iter=300)
    assert 1 not in found.labels
    with pytest.warns(NotConverged, match="9 rows still changed cluster after 1 passes; raise max_iter=1"):
        found = lloyd(rows, [[9.0] * 17, [5.0] * 17], max_iter=1)
    assert found.labels.tolist() == [1, 1, 1, 1, 0, 0, 0, 0, 0]  # 7 is as near to 5 as to 9


def test_loops_and_twins_give_the_same_bits():
    loops = pytest.importorskip("suffice.inference._loops")
    for seed, holes in ((0, False), (1, True)):
        X, centers, weight = table(seed, n=600, d=5, k=7, holes=0.2 * holes, weighted=True)
        got, state = [], []
        for one in (loops, _twins):
            out, sums, known = np.empty((7, 600)), np.zeros((7, 5)), np.zeros((7, 5))
            labels, squared, lower = np.full(600, -1), np.zeros(600), np.zeros(600)
            one.squares(X, holes, centers, out)
            changed = [one.nearest(X, weight, holes, centers, 0.0, labels, squared, lower)]
            moved = centers + 0.01
            far = np.sqrt(5) * 0.01
            changed.append(one.nearest(X, weight, holes, moved, far, labels, squared, lower))
            one.totals(X, weight, holes, moved, labels, sums, known)
            got.append([out, labels, squared, sums, known, changed])
            state.append(lower)
        assert all(np.array_equal(a, b) for a, b in zip(*got, strict=True))
        others = np.where(np.arange(7) == got[0][1][:, None], np.inf, squares(X, centers + 0.01))
        assert np.all(state[0] <= np.sqrt(others.min(axis=1)))  # what spares distances is a bound,
        loops.nearest(X, weight, holes, centers + 0.01, np.inf, *got[0][1:3], state[0])
        np.testing.assert_allclose(state[0], np.sqrt(others.min(axis=1)), rtol=1e-8)  # and a tight one


@pytest.mark.parametrize("holes", [0.0, 0.2])
def test_threads_change_no_bit(holes, monkeypatch):
    monkeypatch.setattr(_rows, "MANY", 0)
    X, start, weight = table(2, n=501, holes=holes, weighted=True)
    one = lloyd(X, start, weight=weight)
    assert all(lloyd(X, start, weight=weight, threads=k) == one for k in (2, 3, 8))
    assert lloyd(QUIZ, [[4], [7], [14]], threads=20) == lloyd(QUIZ, [[4], [7], [14]])


# -- Lloyd: edges -----------------------------------------------------------------------------------------
def test_empty_clusters():
    x, start = np.array([[0.0], [1.0], [10.0], [11.0], [30.0]]), [[5.0], [500.0], [600.0]]
    found = lloyd(x, start)
    assert found.labels.tolist() == [0, 0, 2, 2, 1]  # the farthest is 30, and then 11, which 10 follows
    assert found.centers.ravel().tolist() == [0.5, 30, 10.5]
    kept = lloyd(x, start, empty="keep")
    assert kept.centers.ravel().tolist() == [10.4, 500, 600]
    with pytest.raises(NumericalError, match='Cluster 1 has no rows in iteration 0.*empty="farthest"'):
        lloyd(x, start, empty="raise")


def test_more_centers_than_points_leave_some_empty():
    found = lloyd([[1.0], [1.0], [4.0]], [[0.0]] * 4)
    assert found.trace.objective[-1] == 0
    assert sorted(set(found.centers[found.labels].ravel().tolist())) == [1, 4]


def test_rows_of_no_weight_fill_no_cluster():
    found = lloyd([[0.0], [1.0], [9.0], [50.0]], [[0.0], [50.0]], weight=[1, 1, 1, 0])
    assert found.centers.ravel().tolist() == [0.5, 9.0]
    idle = lloyd([[0.0], [0.0], [50.0]], [[0.0], [20.0]], weight=[1, 1, 0])
    assert idle.centers.ravel().tolist() == [0.0, 20.0]


def test_cells_that_are_not_known():
    nan = np.nan
    X = np.array([[0.0, 1.0], [1.0, nan], [nan, nan], [9.0, nan], [11.0, nan]])
    found = lloyd(X, [[0.0, nan], [10.0, 7.0]])
    assert found.labels.tolist() == [0, 0, 0, 1, 1]
    assert found.centers.tolist() == [[0.5, 1.0], [10.0, 7.0]]  # no row of cluster 1 says anything about x1
    assert found.trace.objective[-1] == 0.5 + 2.0
    taken = lloyd([[0.0, 0.0], [1.0, 0.0], [0.0, 3.0], [100.0, nan]], [[0.0, 0.0], [900.0, 900.0]])
    assert taken.centers[1].tolist() == [100.0, 0.0]  # the row says nothing about x1, its center said 0
    first = lloyd(X, [[nan, nan]])
    assert first.trace.objective[0] == pytest.approx(np.nansum((X - np.nanmean(X, axis=0)) ** 2), rel=1e-14)


def test_small_tables():
    assert lloyd([[2.0]], [[7.0]]).centers.tolist() == [[2.0]]
    X, start, _ = table(1)
    np.testing.assert_allclose(lloyd(X, start[:1]).centers[0], X.mean(axis=0), rtol=1e-13)


@pytest.mark.parametrize("values", [[0.1], [0.1, 0.3], [0.1, 0.7, 1e9 + 0.1]])
def test_more_centers_than_values_do_not_chase_rounding(values, both):
    x = np.repeat(np.array(values), 7)[:, None]
    found = lloyd(x, np.zeros((5, 1)))
    assert found.centers[found.labels].tolist() == x.tolist()
    assert found.trace.converged
    assert found.trace.objective[-1] == 0
    assert found.n_iter < 6


def test_the_record_is_frozen_and_short():
    found = lloyd(QUIZ, [[4], [7], [14]])
    assert isinstance(found, Lloyd)
    assert repr(found) == "Lloyd(3 centers, Trace(2 iterations, converged, objective=14.5))"
    with pytest.raises(ValueError, match="read-only"):
        found.centers[0, 0] = 1.0


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"X": [[1.0], [np.inf]]}, InvalidInput, "Column x0 of X contains inf"),
        (
            {"X": [[1.0, np.nan], [2.0, np.nan]], "centers": [[0, 0]]},
            InvalidInput,
            "x1 of X has no known value",
        ),
        ({"X": [1.0, 2.0]}, InvalidInput, r"X must have rows and columns; got shape \(2,\)"),
        ({"X": np.zeros((0, 1))}, InvalidInput, r"at least one row and one column; got shape \(0, 1\)"),
        ({"X": [["a"]]}, InvalidParameter, "X must be made of numbers"),
        ({"X": [[1e200], [-1e200]]}, NumericalError, "too large to square. Divide the columns"),
        ({"centers": [[1.0, 2.0]]}, InvalidInput, r"centers must have shape \(clusters, 1\); got \(1, 2\)"),
        ({"centers": np.zeros((0, 1))}, InvalidInput, r"centers must have shape \(clusters, 1\)"),
        ({"centers": [[-np.inf]]}, InvalidInput, "centers must be finite"),
        (
            {"weight": [1.0]},
            InvalidInput,
            r"weight must have one number per row; got shape \(1,\) for 2 rows",
        ),
        ({"weight": [1.0, -2.0]}, InvalidInput, "weight must be finite and >= 0; got -2 in row 1"),
        ({"weight": [0.0, 0.0]}, InvalidInput, "weight is 0 for every row"),
        ({"tol": -1.0}, InvalidParameter, "tol must be a number >= 0; got -1.0"),
        ({"max_iter": 0}, InvalidParameter, "max_iter must be an integer >= 1; got 0"),
        ({"threads": 0}, InvalidParameter, "threads must be an integer >= 1; got 0"),
        ({"empty": "drop"}, InvalidParameter, "empty must be one of 'farthest', 'keep', 'raise'; got 'drop'"),
    ],
)
def test_bad_input_of_lloyd(change, error, message):
    arguments = {"X": [[1.0], [2.0]], "centers": [[0.0]]} | change
    with pytest.raises(error, match=message):
        lloyd(**arguments)


# -- seeds ------------------------------------------------------------------------------------------------
HOWS = ["k-means++", "random", "farthest-first"]


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("seed", range(5))
def test_seeds_have_different_values_and_weight(how, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(40, 2)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:3] = np.nan
    weight = rng.integers(0, 3, size=40).astype(float)
    found = seeds(X, 6, rng, how=how, weight=weight)
    assert found.shape == (6,)
    assert np.all(weight[found] > 0)
    assert found.min() > 2
    assert len({tuple(row) for row in np.nan_to_num(X[found], nan=-1.0).tolist()}) == 6


@pytest.mark.parametrize("how", HOWS)
def test_seeds_repeat_where_values_do(how):
    X = np.array([[1.0, 0.0], [1.0, -0.0], [2.0, 0.0], [2.0, 0.0]])
    with pytest.warns(NoInformation, match="There are 2 distinct rows for 3 seeds.*ask for at most 2"):
        found = seeds(X, 3, np.random.default_rng(0), how=how)
    assert set(X[found, 0]) == {1.0, 2.0}
    with pytest.warns(NoInformation, match="There are 1 distinct rows for 4 seeds"):
        assert len(seeds(X, 4, np.random.default_rng(0), how=how, weight=[1, 0, 0, 0])) == 4


@pytest.mark.parametrize("how", HOWS)
def test_distances_too_small_to_square_still_tell_rows_apart(how):
    X = np.array([[0.0], [1e-200], [2e-200]])
    assert sorted(seeds(X, 3, np.random.default_rng(0), how=how)) == [0, 1, 2]


def test_greedy_seeds_step_by_step(both):
    """The same draws, with every number from its definition."""
    X, _, weight = table(4, n=80, holes=0.1, weighted=True)
    n, drawn = 6, np.random.default_rng(9)
    filled = np.where(
        np.isnan(X), [np.average(c[~np.isnan(c)], weights=weight[~np.isnan(c)]) for c in X.T], X
    )

    def draw(mass, size):
        shares = np.cumsum(mass) / mass.sum()
        return [int(np.argmax(shares > u)) for u in drawn.random(size)]

    chosen = draw(weight * ~np.isnan(X).all(axis=1), 1)
    while len(chosen) < n:
        near = squares(X, filled[chosen]).min(axis=1)
        some = draw(weight * near, 2 + int(np.log(n)))
        left = [weight @ np.minimum(near, squares(X, filled[[c]])[:, 0]) for c in some]
        chosen.append(some[int(np.argmin(left))])
    assert seeds(X, n, np.random.default_rng(9), weight=weight).tolist() == chosen


def test_farthest_first_step_by_step():
    X, _, weight = table(6, holes=0.1, weighted=True)
    found = seeds(X, 7, np.random.default_rng(1), how="farthest-first", weight=weight)
    filled = np.where(
        np.isnan(X), [np.average(c[~np.isnan(c)], weights=weight[~np.isnan(c)]) for c in X.T], X
    )
    for k in range(1, 7):
        near = squares(X, filled[found[:k]]).min(axis=1) * (weight > 0)
        assert found[k] == np.argmax(near)


def test_random_seeds_come_by_weight_without_replacement():
    X, weight, times = np.arange(3.0)[:, None], np.array([1.0, 2.0, 5.0]), 1500
    p, rng = weight / weight.sum(), np.random.default_rng(0)
    pairs = np.zeros((3, 3))
    for _ in range(times):
        pairs[tuple(seeds(X, 2, rng, how="random", weight=weight))] += 1
    expected = np.where(np.eye(3), 0.0, p[:, None] * p / (1 - p[:, None]))
    error = np.sqrt(expected * (1 - expected) / times)
    assert np.all(np.abs(pairs / times - expected) <= 4 * error)  # Monte Carlo: four standard errors


def test_greedy_seeds_find_every_cluster():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2)) * 0.1 + 50 * np.arange(6)[rng.integers(6, size=300)][:, None]
    for _ in range(20):
        assert len(set((X[seeds(X, 6, rng), 0] / 50).round())) == 6


def test_seeds_of_an_integer_or_nothing():
    X = np.random.default_rng(0).normal(size=(30, 2))
    assert seeds(X, 3, 7).tolist() == seeds(X, 3, np.random.default_rng(7)).tolist()
    assert len(set(seeds(X, 3, None))) == 3
    with pytest.raises(InvalidParameter, match="must be None, an integer or a Generator; got 'a'"):
        seeds(X, 3, "a")


@pytest.mark.parametrize("n", [0, 5, 1.5, True, "2"])
def test_bad_numbers_of_seeds(n):
    with pytest.raises(InvalidParameter, match="n must be an integer from 1 to the number of rows, 4; got"):
        seeds(np.eye(4), n, np.random.default_rng(0))


def test_bad_input_of_seeds():
    rng = np.random.default_rng(0)
    with pytest.raises(
        InvalidParameter, match="how must be one of 'k-means\\+\\+', 'random', 'farthest-first'"
    ):
        seeds(np.eye(4), 2, rng, how="best")
    with pytest.raises(InvalidInput, match="Column x1 of X contains -inf"):
        seeds([[1.0, -np.inf]], 1, rng)
    for how in ("k-means++", "farthest-first"):
        with pytest.raises(NumericalError, match="too large to square"):
            seeds([[1e200], [-1e200]], 2, rng, how=how)
