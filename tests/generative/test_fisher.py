"""Fisher's discriminant: scatters, the criterion, directions of a singular scatter, and the decision along them."""

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import eigh
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import KFold, LeaveOneOut
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, RankDeficient, Unsupported
from suffice.evaluation import cross_validate
from suffice.generative import (
    FisherDiscriminant,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    Perceptron,
)


def draw(k=3, d=5, n=200, seed=0, apart=2.0):
    """Classes of unlike size about random means, with a covariance that is not round."""
    rng = np.random.default_rng(seed)
    y = rng.choice(k, n, p=np.arange(1, k + 1) / np.arange(1, k + 1).sum())
    mixing = rng.standard_normal((d, d))
    return apart * rng.standard_normal((k, d))[y] + rng.standard_normal((n, d)) @ mixing, y


def scatters(X, y):
    """S_W and S_B, by their definition."""
    m = X.mean(axis=0)
    S_W = sum((X[y == c] - X[y == c].mean(axis=0)).T @ (X[y == c] - X[y == c].mean(axis=0)) for c in set(y))
    S_B = sum(
        np.sum(y == c) * np.outer(X[y == c].mean(axis=0) - m, X[y == c].mean(axis=0) - m) for c in set(y)
    )
    return S_W, S_B


# -- directions -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(5))
def test_scatters_add_up_to_the_total(seed):
    X, y = draw(seed=seed)
    model = FisherDiscriminant().fit(X, y)
    S_W, S_B = scatters(X, y)
    np.testing.assert_allclose(model.scatter_within_, S_W, rtol=1e-10, atol=1e-10 * np.abs(S_W).max())
    np.testing.assert_allclose(model.scatter_between_, S_B, rtol=1e-10, atol=1e-10 * np.abs(S_B).max())
    total = (X - X.mean(axis=0)).T @ (X - X.mean(axis=0))
    np.testing.assert_allclose(model.scatter_total_, total, rtol=1e-10, atol=1e-10 * np.abs(total).max())
    np.testing.assert_allclose(model.scatter_within_ + model.scatter_between_, total, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_directions_are_the_leading_eigenvectors(k):
    X, y = draw(k=k)
    model = FisherDiscriminant().fit(X, y)
    S_W, S_B = scatters(X, y)
    values, vectors = eigh(S_B, S_W)
    np.testing.assert_allclose(model.eigenvalues_, values[::-1][: k - 1], rtol=1e-9)
    W = model.directions_
    assert W.shape == (5, k - 1)
    np.testing.assert_allclose(np.linalg.norm(W, axis=0), 1, rtol=1e-12)
    np.testing.assert_allclose(
        S_B @ W, S_W @ W * model.eigenvalues_, rtol=1e-8, atol=1e-8 * np.abs(S_B).max()
    )
    diagonal = W.T @ S_W @ W  # after columns are made unit vectors it is diagonal but no longer I
    np.testing.assert_allclose(diagonal, np.diag(np.diag(diagonal)), atol=1e-9 * diagonal.max(), rtol=0)
    assert np.all((model.means_[-1] - model.means_[0]) @ W > 0)
    unit = vectors[:, -1] / np.linalg.norm(vectors[:, -1])
    assert abs(unit @ W[:, 0]) == pytest.approx(1, rel=1e-9)


def test_two_classes_are_the_closed_form():
    X, y = draw(k=2)
    model = FisherDiscriminant().fit(X, y)
    S_W, _ = scatters(X, y)
    w = np.linalg.solve(S_W, X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))
    np.testing.assert_allclose(model.directions_[:, 0], w / np.linalg.norm(w), rtol=1e-9)
    values = model.transform(X)[:, 0]
    np.testing.assert_allclose(values, X @ model.directions_[:, 0], rtol=1e-12)
    a, b = values[y == 0], values[y == 1]
    J = (b.mean() - a.mean()) ** 2 / (np.sum((a - a.mean()) ** 2) + np.sum((b - b.mean()) ** 2))
    assert model.separation() == pytest.approx(J, rel=1e-10)
    sizes = np.bincount(y)
    assert model.criterion() == pytest.approx(J * sizes.prod() / sizes.sum(), rel=1e-10)


def test_no_projection_beats_the_eigenvectors():
    X, y = draw(k=4)
    for n in (1, 2, 3):
        model = FisherDiscriminant(n).fit(X, y)
        best = model.criterion()
        assert best == pytest.approx(model.eigenvalues_[:n].sum(), rel=1e-9)
        rng = np.random.default_rng(n)
        assert all(model.criterion(rng.standard_normal((5, n))) <= best * (1 + 1e-12) for _ in range(200))
        near = [model.criterion(model.directions_ + 1e-3 * rng.standard_normal((5, n))) for _ in range(100)]
        assert max(near) <= best * (1 + 1e-12)
        assert min(near) > 0.99 * best


def test_the_criterion_does_not_depend_on_the_frame():
    X, y = draw(k=4)
    model = FisherDiscriminant().fit(X, y)
    B = np.random.default_rng(3).standard_normal((3, 3))
    assert model.criterion(model.directions_ @ B) == pytest.approx(model.criterion(), rel=1e-9)


def test_more_directions_than_classes_less_one_separate_nothing_more():
    X, y = draw(k=3)
    model = FisherDiscriminant().fit(X, y)
    assert len(model.eigenvalues_) == 2
    assert model.criterion(np.eye(5)) == pytest.approx(model.criterion(), rel=1e-9)  # all of space
    with pytest.raises(InvalidParameter, match=r"n_components cannot be larger than.*= 2; got 3"):
        FisherDiscriminant(3).fit(X, y)


def test_mean_difference_ignores_the_scatter_within():
    X, y = draw(k=2, seed=4)
    model = FisherDiscriminant(method="mean_difference").fit(X, y)
    gap = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    np.testing.assert_allclose(model.directions_[:, 0], gap / np.linalg.norm(gap), rtol=1e-10)
    assert model.separation() < 0.9 * FisherDiscriminant().fit(X, y).separation()


def test_mean_difference_overlaps_more_where_classes_are_long_and_thin():
    """Herbst fig. 4.1.3: projected on the line between the means the classes overlap, on Fisher's they do not."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 500)
    X = rng.multivariate_normal([0, 0], [[4.0, 3.8], [3.8, 4.0]], 1000) + y[:, None] * [2.0, 0.0]
    errors = {
        m: np.mean(FisherDiscriminant(method=m).fit(X, y).predict(X) != y)
        for m in ("fisher", "mean_difference")
    }
    assert errors["fisher"] < 0.08  # Φ(−1.6) = 0.055
    assert errors["mean_difference"] > 0.27  # Φ(−0.5) = 0.31


# -- singular scatter -----------------------------------------------------------------------------------
def test_a_singular_scatter_is_that_of_the_columns_that_vary():
    X, y = draw(k=3, d=3)
    A = np.random.default_rng(1).standard_normal((3, 5))
    with pytest.warns(RankDeficient, match="scatter within the classes is singular"):
        wide = FisherDiscriminant().fit(X @ A, y)
    narrow = FisherDiscriminant().fit(X, y)
    np.testing.assert_allclose(wide.eigenvalues_, narrow.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(wide.predict_proba(X @ A), narrow.predict_proba(X), rtol=1e-7, atol=1e-12)


def test_duplicate_columns_are_named():
    X, y = draw()
    with pytest.warns(RankDeficient, match="'x[05]'"):
        model = FisherDiscriminant().fit(np.column_stack([X, X[:, 0]]), y)
    plain = FisherDiscriminant().fit(X, y)
    np.testing.assert_allclose(
        model.predict_proba(np.column_stack([X, X[:, 0]])), plain.predict_proba(X), rtol=1e-7, atol=1e-12
    )


@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
@pytest.mark.parametrize("method", ["fisher", "mean_difference"])
@pytest.mark.parametrize("covariance", ["shared", "own"])
def test_few_rows_many_columns_and_flat_ones(method, covariance):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((8, 20))
    X[:, 3] = 7.0
    y = np.arange(8) % 3
    model = FisherDiscriminant(method=method, covariance=covariance).fit(X, y)
    assert np.isfinite(model.directions_).all()
    assert np.isfinite(model.predict_proba(X)).all()
    one_each = FisherDiscriminant(method=method, covariance=covariance).fit(X[:3, :2], [0, 1, 2])
    assert np.array_equal(one_each.predict(X[:3, :2]), [0, 1, 2])


@pytest.mark.parametrize("scale", [1e-120, 1e-8, 1e8, 1e120])
def test_units_do_not_matter(scale):
    X, y = draw()
    plain, model = FisherDiscriminant().fit(X, y), FisherDiscriminant().fit(scale * X, y)
    np.testing.assert_allclose(model.predict_proba(scale * X), plain.predict_proba(X), rtol=1e-8, atol=1e-14)
    np.testing.assert_allclose(model.directions_, plain.directions_, rtol=1e-8, atol=1e-10)


def test_numbers_whose_squares_vanish_are_refused_by_name():
    X, y = draw()
    with pytest.raises(InvalidInput, match="Column 'x0'.*squares vanish; rescale it"):
        FisherDiscriminant().fit(1e-160 * X, y)


def test_means_far_from_zero_cost_few_digits():
    X, y = draw()
    plain, far = FisherDiscriminant().fit(X, y), FisherDiscriminant().fit(X + 1e8, y)
    np.testing.assert_allclose(far.eigenvalues_, plain.eigenvalues_, rtol=1e-6)
    assert np.array_equal(far.predict(X + 1e8), plain.predict(X))


def test_equal_means_leave_the_priors():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]] * 2)
    model = FisherDiscriminant().fit(X, [0] * 4 + [1] * 4)
    assert model.eigenvalues_[0] == pytest.approx(0, abs=1e-20)
    np.testing.assert_allclose(model.predict_proba(X), 0.5, rtol=1e-9)


# -- decision -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("data", [load_iris, load_wine])
@pytest.mark.parametrize("priors", [None, "uniform"])
def test_all_directions_are_linear_discriminant_analysis(data, priors):
    X, y = data(return_X_y=True)
    mine = FisherDiscriminant(priors=priors).fit(X, y)
    peer = LinearDiscriminantAnalysis(priors=priors).fit(X, y)
    np.testing.assert_allclose(mine.predict_log_proba(X), peer.predict_log_proba(X), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(mine.signed_distance(X), peer.signed_distance(X), rtol=1e-9, atol=1e-10)
    pair = (0, 2)
    np.testing.assert_allclose(
        mine.signed_distance(X, pair), peer.signed_distance(X, pair), rtol=1e-8, atol=1e-10
    )


def test_own_variances_are_bayes_rule_on_the_projection():
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as Peer

    X, y = draw(k=3)
    model = FisherDiscriminant(covariance="own").fit(X, y)
    Z = model.transform(X)
    sizes = np.bincount(y)
    peer = Peer().fit(Z, y)  # divides by n − 1: bring its covariances to n
    logs = np.empty((len(X), 3))
    for c in range(3):
        S = np.cov(Z[y == c].T, bias=True)
        gap = Z - Z[y == c].mean(axis=0)
        logs[:, c] = (
            np.log(sizes[c] / len(y))
            - 0.5 * np.linalg.slogdet(S)[1]
            - 0.5 * np.einsum("nd,de,ne->n", gap, np.linalg.inv(S), gap)
        )
    expected = np.exp(logs - logs.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=1e-8, atol=1e-12)
    assert np.mean(peer.predict(Z) == model.predict(X)) > 0.98
    with pytest.raises(Unsupported, match="curved boundaries"):
        model.signed_distance(X)
    assert not hasattr(model, "threshold_")


@pytest.mark.parametrize("priors", [None, [0.8, 0.2]])
def test_threshold_is_where_both_classes_are_equally_probable(priors):
    X, y = draw(k=2, d=3)
    model = FisherDiscriminant(priors=priors).fit(X, y)
    at = model.threshold_ * model.directions_[:, 0]
    np.testing.assert_allclose(model.predict_proba([at]), 0.5, rtol=1e-8)
    np.testing.assert_allclose(model.signed_distance([at]), 0, atol=1e-10)
    np.testing.assert_allclose(
        model.signed_distance(X), model.transform(X)[:, 0] - model.threshold_, rtol=1e-8, atol=1e-10
    )
    assert np.array_equal(model.predict(X) == 1, model.transform(X)[:, 0] > model.threshold_)


@pytest.mark.parametrize("model", [FisherDiscriminant(), LeastSquaresClassifier(), Perceptron()], ids=repr)
def test_regions_of_linear_decisions_are_convex(model):
    """Herbst §4.1.2: what lies between two points of a region is of that region."""
    X, y = draw(k=4, d=2)
    model = clone(model).fit(X, y)
    rng = np.random.default_rng(0)
    A, B = 6 * rng.standard_normal((2, 3000, 2))
    same = model.predict(A) == model.predict(B)
    assert same.sum() > 500
    share = rng.uniform(size=(3000, 1))
    between = share * A + (1 - share) * B
    assert np.array_equal(model.predict(between[same]), model.predict(A[same]))


@pytest.mark.parametrize(
    "parameters",
    [{}, {"n_components": 1}, {"covariance": "own"}, {"method": "mean_difference", "covariance": "own"}],
    ids=str,
)
def test_samples_have_the_density_of_their_class_along_the_directions(parameters):
    X, y = draw(k=3)
    model = FisherDiscriminant(**parameters).fit(X, y)
    rows = model.sample(2, 4000, random_state=0)
    assert rows.shape == (4000, 5)
    Z, d = model.transform(rows), model.conditionals_[2]
    spread = np.sqrt(np.diag(np.atleast_2d(d.cov)))
    assert np.all(np.abs(Z.mean(axis=0) - d.mean) < 5 * spread / np.sqrt(4000))  # five standard errors
    assert np.all(np.abs(Z.std(axis=0) / spread - 1) < 5 / np.sqrt(2 * 4000))
    np.testing.assert_allclose(d.mean, model.transform(X[y == 2]).mean(axis=0), rtol=1e-9)


def test_samples_with_all_directions_are_those_of_linear_discriminants():
    """What is outside of the directions has the same mean in every class, and the covariance within them."""
    X, y = draw(k=3)
    rows = FisherDiscriminant().fit(X, y).sample(1, 40_000, random_state=1)
    d = LinearDiscriminantAnalysis().fit(X, y).conditionals_[1]
    spread = np.sqrt(np.diag(d.cov))
    assert np.all(np.abs(rows.mean(axis=0) - d.mean) < 5 * spread / np.sqrt(40_000))
    error = 5 * np.sqrt(2 / 40_000)  # five standard errors of a variance, in its units
    assert np.max(np.abs(np.cov(rows.T) - d.cov) / np.outer(spread, spread)) < error


def test_probabilities_are_calibrated_on_draws():
    X, y = draw(k=3)
    model = FisherDiscriminant(1, covariance="own").fit(X, y)
    rows, labels = model.sample(n=20_000, random_state=2)
    p = model.predict_proba(rows)
    for c in range(3):
        assert abs(np.mean((labels == c) - p[:, c])) < 5 * 0.5 / np.sqrt(20_000)
    assert np.mean(model.predict(rows) == labels) == pytest.approx(p.max(axis=1).mean(), abs=0.02)
    assert model.n_parameters_ == 3 + 3


def test_samples_of_classes_that_do_not_vary():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    rows = FisherDiscriminant().fit(X, [0, 0, 1, 1]).sample(1, 50, random_state=0)
    spread = np.sqrt(0.25 / 5)  # one row's worth of the variance over all four
    assert abs(rows[:, 0].mean() - 1) < 4 * spread / np.sqrt(50)
    assert rows[:, 0].std() == pytest.approx(spread, rel=0.4)  # four standard errors, 1 / √100 each
    assert rows[:, 1].std() > 0.3


# -- statistics -----------------------------------------------------------------------------------------
def test_statistics_are_those_of_linear_discriminant_analysis():
    X, y = draw()
    mine = FisherDiscriminant()
    peer = LinearDiscriminantAnalysis()
    assert mine.statistics_key == peer.statistics_key
    assert mine.collect(X, y) == peer.collect(X, y)


@pytest.mark.parametrize("parameters", [{}, {"n_components": 1}, {"covariance": "own"}])
def test_folds_come_from_statistics(parameters):
    X, y = load_wine(return_X_y=True)
    model = FisherDiscriminant(**parameters)
    cv = KFold(5, shuffle=True, random_state=0)
    fast = cross_validate(model, X, y, cv=cv)
    assert fast.how == "statistics"
    slow = np.concatenate([clone(model).fit(X[a], y[a]).predict(X[b]) != y[b] for a, b in cv.split(X)])
    assert fast.estimate == pytest.approx(slow.mean(), abs=1e-12)


def test_leaving_one_out_is_refitting():
    X, y = load_iris(return_X_y=True)
    X, y = X[::3], y[::3]
    d = FisherDiscriminant().heldout(X, y, list(LeaveOneOut().split(X)))
    for i in range(len(X)):
        rest = np.arange(len(X)) != i
        p = FisherDiscriminant().fit(X[rest], y[rest]).predict_proba(X[i : i + 1])[0]
        np.testing.assert_allclose(d.probabilities[i], p, rtol=1e-8, atol=1e-12)
    with pytest.raises(Unsupported, match="only all directions"):
        FisherDiscriminant(1).heldout(X, y, list(LeaveOneOut().split(X)))


def test_parts_merge_and_are_forgotten():
    X, y = draw(n=300)
    whole = FisherDiscriminant().fit(X, y)
    a, b = FisherDiscriminant().fit(X[:120], y[:120]), FisherDiscriminant().fit(X[120:], y[120:])
    np.testing.assert_allclose(suffice.merge([a, b]).directions_, whole.directions_, rtol=1e-9)
    np.testing.assert_allclose(suffice.forget(whole, X[120:], y[120:]).directions_, a.directions_, rtol=1e-8)
    pieces = FisherDiscriminant()
    for i in np.array_split(np.arange(300), 7):
        pieces.partial_fit(X[i], y[i], classes=[0, 1, 2])
    np.testing.assert_allclose(pieces.predict_proba(X), whole.predict_proba(X), rtol=1e-9, atol=1e-14)


def test_a_class_without_rows_is_never_predicted():
    X, y = draw(k=3)
    model = FisherDiscriminant().partial_fit(X, y, classes=[0, 1, 2, 3])
    plain = FisherDiscriminant().fit(X, y)
    assert np.all(model.predict_proba(X)[:, 3] == 0)
    np.testing.assert_allclose(model.predict_proba(X)[:, :3], plain.predict_proba(X), rtol=1e-12)
    np.testing.assert_allclose(model.signed_distance(X), plain.signed_distance(X), rtol=1e-10)
    with pytest.raises(InvalidInput, match="has no rows yet"):
        model.sample(3)
    with pytest.raises(InvalidInput, match="without rows has no mean"):
        model.separation(between=(0, 3))


def test_from_a_file(tmp_path):
    import pandas

    X, y = load_iris(return_X_y=True)
    table = pandas.DataFrame(X, columns=list("abcd")).assign(kind=np.array(["x", "y", "z"])[y])
    table.to_parquet(tmp_path / "iris.parquet")
    model = engine.fit(FisherDiscriminant(), str(tmp_path / "iris.parquet"), "kind")
    plain = FisherDiscriminant().fit(table[list("abcd")], table["kind"])
    np.testing.assert_allclose(model.directions_, plain.directions_, rtol=1e-9)


def test_pipeline_save_and_sparse(tmp_path):
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    pipe = make_pipeline(StandardScaler(), FisherDiscriminant()).fit(X, names)
    assert pipe.score(X, names) > 0.97
    assert list(pipe[-1].get_feature_names_out()) == ["fisherdiscriminant0", "fisherdiscriminant1"]
    model = FisherDiscriminant().fit(X, names)
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(again.directions_, model.directions_)
    thin = FisherDiscriminant().fit(sparse.csr_array(X), names)
    np.testing.assert_allclose(thin.transform(sparse.csr_array(X)), model.transform(X), rtol=1e-10)


# -- bad input ------------------------------------------------------------------------------------------
def test_bad_input_is_named():
    X, y = draw(k=3)
    with pytest.raises(InvalidInput, match="at least 2 classes.*one class, 0"):
        FisherDiscriminant().fit(X, np.zeros(len(X), dtype=int))
    X[4, 2] = np.nan
    with pytest.raises(InvalidInput, match="X contains NaN at row 4, column 'x2'"):
        FisherDiscriminant().fit(X, y)
    X[4, 2] = 0.0
    model = FisherDiscriminant().fit(X, y)
    with pytest.raises(InvalidInput, match=r"columns of 5 numbers each; got shape \(3, 1\)"):
        model.criterion([1.0, 2.0, 3.0])
    with pytest.raises(InvalidInput, match=r"There are 3 classes; name two"):
        model.separation()
    with pytest.raises(InvalidInput, match="Unknown class 9"):
        model.separation(between=(0, 9))


def test_mean_difference_is_the_line_between_the_means():
    from suffice.generative import mean_difference

    rng = np.random.default_rng(5)
    y = np.repeat([0, 1, 2], 20)
    X = rng.standard_normal((60, 4)) + 3 * np.eye(3, 4)[y]
    two = y < 2
    gap = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    w = mean_difference(X[two], y[two])
    np.testing.assert_allclose(w, gap / np.linalg.norm(gap), rtol=1e-10)
    W = mean_difference(X, y)
    assert W.shape == (4, 2)
    np.testing.assert_allclose(W.T @ W, np.eye(2), rtol=0, atol=1e-12)
    weight = np.where(np.arange(60) % 3 == 0, 2.0, 1.0)
    twice = np.repeat(np.arange(60), weight.astype(int))
    np.testing.assert_allclose(
        mean_difference(X[two], y[two], weight[two]),
        mean_difference(X[twice][y[twice] < 2], y[twice][y[twice] < 2]),
        rtol=1e-10,
    )
