"""The perceptron: scikit-learn's weights, Novikoff's bound, and the twin of the compiled loop."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Peer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice._core.errors import InvalidInput, NotConverged, NumericalError
from suffice.evaluation import cross_validate
from suffice.generative import Perceptron
from suffice.generative import _perceptron_rule as rule


def separable(n=80, d=3, gap=0.5, seed=0):
    """Rows on both sides of a plane, none nearer to it than the gap."""
    rng = np.random.default_rng(seed)
    u = rng.standard_normal(d)
    u /= np.linalg.norm(u)
    X = rng.uniform(-3, 3, (20 * n, d))
    side = X @ u + 0.3
    X = X[np.abs(side) > gap][:n]
    return X, (X @ u + 0.3 > 0).astype(int)


# -- scikit-learn's ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("data", [load_iris, load_wine])
@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("parameters", [{}, {"fit_intercept": False}, {"eta0": 0.3, "n_iter_no_change": 2}])
def test_weights_are_those_of_scikit_learn(data, scaled, parameters):
    X, y = data(return_X_y=True)
    X = X / X.std(axis=0) if scaled else X
    mine, peer = (
        Perceptron(shuffle=False, **parameters).fit(X, y),
        Peer(shuffle=False, **parameters).fit(X, y),
    )
    np.testing.assert_allclose(mine.coef_, peer.coef_, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(mine.intercept_, peer.intercept_, rtol=1e-9, atol=1e-9)
    assert np.array_equal(mine.predict(X), peer.predict(X))


def test_without_a_tolerance_it_goes_on_as_scikit_learn_does():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(NotConverged, match="last of 30 passes still had [1-9]"):
        mine = Perceptron(shuffle=False, max_iter=30, tol=None).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        peer = Peer(shuffle=False, max_iter=30, tol=None).fit(X, y)
    np.testing.assert_allclose(mine.coef_, peer.coef_, rtol=1e-9, atol=1e-9)


# -- the rule -------------------------------------------------------------------------------------------
def test_steps_are_those_of_the_equation():
    X, y = separable(seed=3)
    t, w = 2 * y - 1, np.zeros(4)
    mistakes = []
    while not mistakes or mistakes[-1]:
        wrong = 0
        for x, s in zip(np.column_stack([X, np.ones(len(X))]), t, strict=True):
            if s * (w @ x) <= 0:
                w, wrong = w + s * x, wrong + 1
        mistakes.append(wrong)
    model = Perceptron(shuffle=False, tol=None).fit(X, y)
    np.testing.assert_allclose([*model.coef_[0], *model.intercept_], w, rtol=1e-12)
    assert np.array_equal(model.trace_.objective, mistakes)
    assert model.trace_.converged
    assert model.mistakes_[0] == sum(mistakes)
    assert model.n_iter_ == len(mistakes)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("gap", [0.05, 0.5])
def test_novikoffs_bound_holds(seed, gap):
    X, y = separable(gap=gap, seed=seed)
    model = Perceptron(shuffle=bool(seed % 2), random_state=seed, tol=None, max_iter=100_000).fit(X, y)
    assert model.trace_.converged
    assert np.mean(model.predict(X) == y) == 1
    lifted, t = np.column_stack([X, np.ones(len(X))]), 2 * y - 1
    w = np.append(model.coef_[0], model.intercept_)
    gamma = np.min(t * (lifted @ w)) / np.linalg.norm(w)
    assert model.margin_[0] == pytest.approx(gamma, rel=1e-10)
    assert model.radius_ == pytest.approx(np.linalg.norm(lifted, axis=1).max(), rel=1e-12)
    assert model.bound_[0] == pytest.approx((model.radius_ / gamma) ** 2, rel=1e-9)
    assert 0 < model.mistakes_[0] <= model.bound_[0]
    best = widest_margin(lifted * t[:, None])  # the tightest bound, of the best of all planes
    assert gamma <= best * (1 + 1e-6)
    assert model.mistakes_[0] <= (model.radius_ / best) ** 2 * (1 + 1e-6)


def widest_margin(Z):
    """max over unit u of min Z u, by a quadratic program in its dual."""
    from sklearn.svm import SVC

    machine = SVC(kernel="linear", C=1e10, tol=1e-10).fit(np.vstack([Z, -Z]), np.repeat([1, -1], len(Z)))
    return 1 / np.linalg.norm(machine.coef_)


def test_the_size_of_a_step_only_scales_the_weights():
    X, y = separable()
    a, b = Perceptron(tol=None).fit(X, y), Perceptron(tol=None, eta0=0.125).fit(X, y)
    np.testing.assert_allclose(b.coef_, 0.125 * a.coef_, rtol=1e-12)
    assert np.array_equal(a.trace_.objective, b.trace_.objective)
    assert a.bound_[0] == pytest.approx(b.bound_[0], rel=1e-10)


def test_what_no_plane_separates_has_no_bound():
    X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    with pytest.warns(NotConverged, match="Raise max_iter; if no plane separates"):
        model = Perceptron(tol=None, max_iter=40).fit(X, [0, 0, 1, 1])
    assert not model.trace_.converged
    assert np.all(model.trace_.objective > 0)
    assert model.margin_[0] <= 0
    assert model.bound_[0] == np.inf


def test_several_classes_are_as_many_problems():
    X, y = load_iris(return_X_y=True)
    model = Perceptron(shuffle=False).fit(X, y)
    for c in range(3):
        one = Perceptron(shuffle=False).fit(X, y == c)
        np.testing.assert_allclose(model.coef_[c], one.coef_[0], rtol=1e-12)
        assert model.mistakes_[c] == one.mistakes_[0]
    assert np.isfinite(model.bound_[0])  # setosa can be separated
    columns = model.trace_.columns
    assert sum(columns[f"mistakes of {c}"][0] for c in range(3)) == model.trace_.objective[0]
    assert not hasattr(model, "predict_proba")


# -- the compiled loop ------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("constant", [True, False])
def test_the_twin_gives_the_same_numbers(kind, constant):
    pytest.importorskip("numba")
    rng = np.random.default_rng(2)
    X = np.where(rng.uniform(size=(300, 6)) < 0.5, 0.0, rng.standard_normal((300, 6)))
    signs = np.where(X[:, 0] + 0.5 * rng.standard_normal(300) > 0, 1.0, -1.0)
    order, r = rng.permutation(300), rule.PerceptronRule(0.7, constant, 1, 0.0, 1)
    results = []
    for fast in (True, False):
        w = np.ones(6)
        results.append((rule.epoch(kind(X), signs, order, w, 0.2, r, fast), w))
    (fast, w), (slow, v) = results
    np.testing.assert_allclose(w, v, rtol=1e-12)
    np.testing.assert_allclose(fast, slow, rtol=1e-12)
    assert fast[1] > 20


def test_many_rows_are_compiled_and_few_are_not(monkeypatch):
    X, y = load_iris(return_X_y=True)
    compiled = Perceptron(shuffle=False).fit(np.tile(X, (40, 1)), np.tile(y, 40))
    monkeypatch.setattr(rule, "loops", lambda module: None)
    plain = Perceptron(shuffle=False).fit(np.tile(X, (40, 1)), np.tile(y, 40))
    np.testing.assert_allclose(compiled.coef_, plain.coef_, rtol=1e-9)


def test_sparse_rows_stay_sparse():
    rng = np.random.default_rng(0)
    X = sparse.random_array((400, 30_000), density=2e-4, format="csr", rng=rng)
    y = np.where(rng.uniform(size=400) < 0.5, "a", "b")
    model = Perceptron(shuffle=False).fit(X, y)
    narrow = np.flatnonzero(np.diff(X.tocsc().indptr))
    same = Perceptron(shuffle=False).fit(X.toarray()[:, narrow], y)
    np.testing.assert_allclose(model.coef_[:, narrow], same.coef_, rtol=1e-10, atol=1e-12)


@pytest.mark.slow
def test_numba_is_not_imported_with_the_room():
    code = "import sys, suffice.generative, suffice.linear; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# -- pieces, files --------------------------------------------------------------------------------------
def test_pieces_are_one_pass():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(NotConverged):
        once = Perceptron(shuffle=False, max_iter=1).fit(X, y)
    pieces = Perceptron(shuffle=False)
    for i in np.array_split(np.arange(150), 4):
        pieces.partial_fit(X[i], y[i], classes=[0, 1, 2])
    np.testing.assert_allclose(pieces.coef_, once.coef_, rtol=1e-12)
    assert len(pieces.trace_) == 4
    assert np.isnan(pieces.bound_).all()
    with pytest.raises(
        InvalidInput, match=r"The target labels \[7\] in y do not exist in the initial classes"
    ):
        pieces.partial_fit(X[:2], [0, 7])
    with pytest.raises(InvalidInput, match="classes must be those of the first call"):
        pieces.partial_fit(X[:2], [0, 1], classes=[0, 1])


def test_pipeline_save_and_validation(tmp_path):
    X, y = load_wine(return_X_y=True)
    names = np.array(["red", "rose", "white"])[y]
    model = make_pipeline(StandardScaler(), Perceptron()).fit(X, names)
    assert model.score(X, names) > 0.98
    plain = Perceptron().fit(X, names)
    suffice.save(plain, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert np.array_equal(again.decision_function(X), plain.decision_function(X))
    assert again.trace_ == plain.trace_
    again.partial_fit(X, names)
    assert cross_validate(Perceptron(), X / X.std(axis=0), names, cv=4).how == "refit"


# -- bad input ------------------------------------------------------------------------------------------
def test_bad_input_is_named():
    X, y = separable()
    with pytest.raises(InvalidInput, match="at least 2 classes.*one class, 1"):
        Perceptron().fit(X, np.ones(len(X), dtype=int))
    with pytest.raises(NumericalError, match="squared length of a row overflows"):
        Perceptron().fit(1e200 * X, y)
    with pytest.raises(NumericalError, match="squared length of a row vanishes"):
        Perceptron().fit(1e-200 * X, y)
    X[2, 1] = np.nan
    with pytest.raises(InvalidInput, match="X contains NaN at row 2, column 'x1'"):
        Perceptron().fit(X, y)


def test_signed_distance_is_in_units_of_the_columns():
    X, y = separable()
    model = Perceptron().fit(X, y)
    w = model.coef_[0]
    foot = X - np.outer(model.signed_distance(X), w / np.linalg.norm(w))
    np.testing.assert_allclose(model.decision_function(foot), 0, atol=1e-10 * np.abs(w).max())
