"""Least squares to one-of-K targets: exact from triangles, and wrong where the texts say it is."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice import engine
from suffice._core.errors import InvalidInput, RankDeficient
from suffice.evaluation import cross_validate
from suffice.generative import (
    FisherDiscriminant,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    Perceptron,
)


def draw(k=3, d=4, n=150, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.choice(k, n, p=np.arange(1, k + 1) / np.arange(1, k + 1).sum())
    return 1.5 * rng.standard_normal((k, d))[y] + rng.standard_normal((n, d)), y


def one_of(y, k):
    return np.eye(k)[y]


# -- the fit --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("k", [3, 5])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_weights_are_least_squares_on_the_targets(k, intercept, weighted):
    X, y = draw(k)
    w = np.random.default_rng(1).integers(0, 4, len(y)).astype(float) if weighted else np.ones(len(y))
    model = LeastSquaresClassifier(fit_intercept=intercept).fit(X, y, w if weighted else None)
    A = np.column_stack([np.ones(len(y)), X]) if intercept else X
    root = np.sqrt(w)[:, None]
    W, *_ = np.linalg.lstsq(root * A, root * one_of(y, k), rcond=None)
    np.testing.assert_allclose(model.coef_, W[-4:].T, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.intercept_, W[0] if intercept else 0, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.outputs(X), A @ W, rtol=1e-9, atol=1e-11)
    assert model.squared_error_ == pytest.approx(np.sum((root * (A @ W - one_of(y, k))) ** 2), rel=1e-9)
    assert np.array_equal(model.predict(X), np.argmax(A @ W, axis=1))


def test_two_classes_are_ridge_without_a_penalty():
    X, y = draw(2)
    model, peer = LeastSquaresClassifier().fit(X, y), RidgeClassifier(alpha=0).fit(X, y)
    np.testing.assert_allclose(model.coef_[0], np.ravel(peer.coef_), rtol=1e-9)
    np.testing.assert_allclose(model.intercept_[0], peer.intercept_, rtol=1e-9)
    np.testing.assert_allclose(model.decision_function(X), peer.decision_function(X), rtol=1e-9, atol=1e-12)
    assert np.array_equal(model.predict(X), peer.predict(X))


def test_two_classes_of_equal_size_are_fishers_direction():
    """PRML §4.1.5: least squares to suitable targets has Fisher's direction; one-of-K targets have it too."""
    X, y = draw(2)
    w = LeastSquaresClassifier().fit(X, y).coef_[0]
    np.testing.assert_allclose(
        w / np.linalg.norm(w), FisherDiscriminant().fit(X, y).directions_[:, 0], rtol=1e-9
    )


@pytest.mark.parametrize("priors", ["uniform", [0.2, 0.5, 0.3]])
def test_priors_weigh_the_classes(priors):
    X, y = draw(3)
    p = np.full(3, 1 / 3) if isinstance(priors, str) else np.array(priors)
    w = (p / (np.bincount(y) / len(y)))[y]
    a, b = LeastSquaresClassifier(priors=priors).fit(X, y), LeastSquaresClassifier().fit(X, y, w)
    np.testing.assert_allclose(a.outputs(X), b.outputs(X), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("priors", [None, "uniform"])
def test_outputs_sum_to_one_everywhere(priors):
    X, y = draw(4)
    far = 1e3 * np.random.default_rng(5).standard_normal((50, 4))
    model = LeastSquaresClassifier(priors=priors).fit(X, y)
    np.testing.assert_allclose(model.outputs(far).sum(axis=1), 1, rtol=0, atol=1e-10)
    assert model.outputs(far).min() < -1
    assert model.outputs(far).max() > 2
    assert not hasattr(model, "predict_proba")
    origin = LeastSquaresClassifier(fit_intercept=False).fit(X, y)
    assert np.abs(origin.outputs(far).sum(axis=1) - 1).max() > 0.1


def test_normal_equations_lose_what_the_triangle_keeps():
    """Herbst §4.1.3: solve by QR; the condition of X̃ᵀX̃ is that of X̃ squared."""
    x = np.linspace(0, 1, 60)
    X = np.column_stack([x, x + 1e-7 * np.sin(40 * x)])
    y = (np.sin(40 * x) > 0).astype(int)
    A = np.column_stack([np.ones(60), X])
    exact = (
        LeastSquaresClassifier()
        .fit(np.column_stack([x, np.sin(40 * x)]), y)
        .outputs(np.column_stack([x, np.sin(40 * x)]))
    )
    model = LeastSquaresClassifier().fit(X, y)
    normal = A @ np.linalg.solve(A.T @ A, A.T @ one_of(y, 2))
    assert np.abs(model.outputs(X) - exact).max() < 1e-6
    assert np.abs(normal - exact).max() > 1e-3


# -- its failures ---------------------------------------------------------------------------------------
def test_rows_far_on_the_right_side_move_the_boundary():
    """PRML fig. 4.4, Herbst §4.1.3: outliers that no one could get wrong make errors elsewhere."""
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1], 60)
    X = rng.multivariate_normal([0, 0], 0.3 * np.eye(2), 120) + np.where(y[:, None] == 1, [2.0, -2.0], 0.0)
    far = rng.multivariate_normal([9.0, -9.0], 0.3 * np.eye(2), 30)
    both, labels = np.vstack([X, far]), np.append(y, np.ones(30, dtype=int))

    def change(model):
        """How far the boundary moves midway between the classes, and errors before and after."""
        before, after = clone(model).fit(X, y), clone(model).fit(both, labels)
        a, b = (m.signed_distance([[1.0, -1.0]])[0] for m in (before, after))
        return abs(b - a), np.mean(before.predict(X) != y), np.mean(after.predict(X) != y)

    moved, before, after = change(LeastSquaresClassifier())
    assert moved > 0.5
    assert before == 0
    assert after > 0.05
    moved, _, after = change(Perceptron())  # which asks for the side only
    assert moved < 0.1
    assert after == 0
    assert (
        change(LinearDiscriminantAnalysis())[2] > 0.05
    )  # a normal density is no cure: the direction is the same


def test_of_three_classes_in_a_line_the_middle_one_is_hardly_ever_predicted():
    """PRML fig. 4.5: masking; linear discriminants on the same statistics get them right."""
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], 200)
    X = 0.35 * rng.standard_normal((600, 2)) + y[:, None] * [2.0, 2.0]
    squares = LeastSquaresClassifier()
    lda = LinearDiscriminantAnalysis()
    assert squares.statistics_key == lda.statistics_key
    statistics = squares.collect(X, y)
    assert np.mean(squares.solve(statistics).predict(X) == 1) < 0.1  # of 0.33
    assert np.mean(squares.predict(X) == y) < 0.75
    assert np.mean(lda.fit(X, y).predict(X) == y) > 0.99


# -- statistics -----------------------------------------------------------------------------------------
def test_parts_merge_and_are_forgotten():
    X, y = draw(3)
    whole = LeastSquaresClassifier().fit(X, y)
    a, b = LeastSquaresClassifier().fit(X[:60], y[:60]), LeastSquaresClassifier().fit(X[60:], y[60:])
    np.testing.assert_allclose(suffice.merge([a, b]).coef_, whole.coef_, rtol=1e-9)
    np.testing.assert_allclose(suffice.forget(whole, X[60:], y[60:]).coef_, a.coef_, rtol=1e-8)


def test_classes_first_seen_in_another_part_are_united():
    X, y = draw(4)
    low, high = y < 2, y >= 2
    a, b = (
        LeastSquaresClassifier().fit(X[low], y[low]),
        LeastSquaresClassifier().fit(1e3 + X[high], y[high]),
    )
    both = suffice.merge([a, b])  # whose triangles have centers of their own
    direct = LeastSquaresClassifier().fit(np.where(high[:, None], 1e3 + X, X), y)
    np.testing.assert_allclose(both.coef_, direct.coef_, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("intercept", [True, False])
def test_a_class_without_rows_is_never_predicted(intercept):
    X, y = draw(3)
    model = LeastSquaresClassifier(fit_intercept=intercept).partial_fit(X, y, classes=[0, 1, 2, 3])
    plain = LeastSquaresClassifier(fit_intercept=intercept).fit(X, y)
    far = 1e3 * np.random.default_rng(0).standard_normal((200, 4))
    assert np.array_equal(model.predict(far), plain.predict(far))
    assert np.all(model.decision_function(far)[:, 3] == -np.inf)


def test_folds_come_from_statistics():
    X, y = load_wine(return_X_y=True)
    cv = KFold(6, shuffle=True, random_state=0)
    fast = cross_validate(LeastSquaresClassifier(), X, y, cv=cv)
    assert fast.how == "statistics"
    slow = [LeastSquaresClassifier().fit(X[a], y[a]).predict(X[b]) != y[b] for a, b in cv.split(X)]
    assert fast.estimate == pytest.approx(np.concatenate(slow).mean(), abs=1e-12)


def test_folds_of_a_scaling_pipeline_come_from_statistics():
    X, y = load_wine(return_X_y=True)
    cv = KFold(5, shuffle=True, random_state=0)
    for last in (LeastSquaresClassifier(), FisherDiscriminant(1)):
        pipe = make_pipeline(StandardScaler(), last)
        fast = cross_validate(pipe, X, y, cv=cv)
        assert fast.how == "statistics"
        slow = np.concatenate([clone(pipe).fit(X[a], y[a]).predict(X[b]) != y[b] for a, b in cv.split(X)])
        assert fast.estimate == pytest.approx(slow.mean(), abs=1e-12)


def test_from_a_file_in_a_pipeline_and_saved(tmp_path):
    import pandas

    X, y = load_wine(return_X_y=True)
    table = pandas.DataFrame(X).rename(columns=str).assign(kind=np.array(["x", "y", "z"])[y])
    table.to_parquet(tmp_path / "wine.parquet")
    model = engine.fit(LeastSquaresClassifier(), str(tmp_path / "wine.parquet"), "kind")
    plain = LeastSquaresClassifier().fit(X, np.array(["x", "y", "z"])[y])
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-8)
    suffice.save(plain, tmp_path / "m.suffice")
    assert np.array_equal(suffice.load(tmp_path / "m.suffice").outputs(X), plain.outputs(X))
    assert make_pipeline(StandardScaler(), LeastSquaresClassifier()).fit(X, y).score(X, y) > 0.98
    np.testing.assert_allclose(
        LeastSquaresClassifier().fit(sparse.csr_array(X), y).outputs(sparse.csr_array(X)),
        plain.outputs(X),
        rtol=1e-8,
        atol=1e-10,
    )


# -- bad input ------------------------------------------------------------------------------------------
def test_dependent_columns_are_named_and_the_smallest_weights_taken():
    X, y = draw(3)
    wide = np.column_stack([X, X[:, 1]])
    with pytest.warns(RankDeficient, match="Columns are dependent: 'x[14]'"):
        model = LeastSquaresClassifier().fit(wide, y)
    plain = LeastSquaresClassifier().fit(X, y)
    np.testing.assert_allclose(model.outputs(wide), plain.outputs(X), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(model.coef_[:, 1], model.coef_[:, 4], rtol=1e-8)


@pytest.mark.parametrize("scale", [1e-100, 1e100])
def test_units_do_not_matter(scale):
    X, y = draw(3)
    a, b = LeastSquaresClassifier().fit(scale * X, y), LeastSquaresClassifier().fit(X, y)
    np.testing.assert_allclose(a.outputs(scale * X), b.outputs(X), rtol=1e-9, atol=1e-11)


def test_means_far_from_zero_cost_few_digits():
    X, y = draw(3)
    a, b = LeastSquaresClassifier().fit(X + 1e9, y), LeastSquaresClassifier().fit(X, y)
    np.testing.assert_allclose(a.outputs(X + 1e9), b.outputs(X), rtol=1e-5, atol=1e-6)


def test_bad_input_is_named():
    X, y = draw(3)
    with pytest.raises(InvalidInput, match="at least 2 classes"):
        LeastSquaresClassifier().fit(X, np.zeros(len(X), dtype=int))
    X[3, 1] = np.inf
    with pytest.raises(InvalidInput, match="X contains inf at row 3, column 'x1'"):
        LeastSquaresClassifier().fit(X, y)
