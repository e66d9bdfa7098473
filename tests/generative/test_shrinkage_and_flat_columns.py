"""A number as `shrinkage` or `reg_param` means its formula, also where a column does not vary: no made-up variance
enters the trace, whatever the units."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.covariance import shrunk_covariance
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as PeerLinear
from sklearn.model_selection import KFold, cross_val_predict

from suffice._core.errors import RankDeficient
from suffice.evaluation import cross_validate
from suffice.generative import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis


def table(scale, flat, seed=0, n=60):
    """Two classes; a column that never varies, and one that varies only between them (`flat` adds the latter)."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = np.column_stack([rng.normal(size=(n, 2)) + y[:, None], np.full(n, 0.3)])
    if flat:
        X = np.column_stack([X, y * 0.7])
    return X * scale, y, (X + rng.normal(size=X.shape)) * scale


def by_formula(X, y, share):
    """(1 − s) Σ_c + s tr(Σ_c)/D I of each class, divisor n."""
    return [shrunk_covariance(np.cov(X[y == c].T, bias=True), share) for c in np.unique(y)]


@settings(max_examples=40, deadline=None)
@given(st.floats(-6, 6), st.booleans(), st.floats(0.01, 1.0), st.sampled_from(["lsqr", "eigen"]))
def test_linear_is_scikit_learns(power, flat, share, solver):
    X, y, new = table(10.0**power, flat)
    mine = LinearDiscriminantAnalysis(solver, shrinkage=share).fit(X, y)
    peer = PeerLinear("lsqr", shrinkage=share).fit(X, y)
    np.testing.assert_allclose(mine.predict_proba(new), peer.predict_proba(new), rtol=1e-6, atol=1e-9)
    wanted = np.mean(by_formula(X, y, share), axis=0)
    np.testing.assert_allclose(mine.covariance_, wanted, rtol=1e-6, atol=1e-12 * wanted.max())


def test_the_probability_of_one_row():
    X, y, _ = table(1e-3, False)
    mine = LinearDiscriminantAnalysis(shrinkage=0.5).fit(X, y).predict_proba(X[1:2])[0, 1]
    assert mine == pytest.approx(PeerLinear("lsqr", shrinkage=0.5).fit(X, y).predict_proba(X[1:2])[0, 1])
    assert mine > 0.7


@pytest.mark.parametrize("cls", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])
@pytest.mark.parametrize("gaps", [False, True])
def test_the_units_of_all_columns_do_not_matter(cls, gaps):
    X, y, new = table(1.0, True)
    if gaps:
        X[::9, 0] = np.nan
    plain = cls(shrinkage=0.3).fit(X, y).predict_log_proba(new)
    for unit in (1e-9, 1e-3, 1e9):
        other = cls(shrinkage=0.3).fit(X * unit, y).predict_log_proba(new * unit)
        np.testing.assert_allclose(other, plain, rtol=1e-5, atol=1e-8)


@settings(max_examples=30, deadline=None)
@given(st.floats(-4, 4), st.booleans(), st.floats(0.01, 1.0))
def test_quadratic_has_the_formulas(power, flat, share):
    X, y, _ = table(10.0**power, flat)
    for found, wanted in zip(
        QuadraticDiscriminantAnalysis(shrinkage=share, store_covariance=True).fit(X, y).covariance_,
        by_formula(X, y, share),
        strict=True,
    ):
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-12 * wanted.max())
    regularized = QuadraticDiscriminantAnalysis(reg_param=share, store_covariance=True).fit(X, y)
    for c, found in enumerate(regularized.covariance_):
        wanted = (1 - share) * np.cov(X[y == c].T, bias=True) + share * np.eye(X.shape[1])
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-12 * wanted.max())


@pytest.mark.parametrize("cls", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])
def test_a_dummy_empty_in_a_training_fold(cls):
    """Its few rows are all in the test fold: statistics, refits and scikit-learn agree."""
    X, y, _ = table(1e-3, False)
    X[:, 2] = np.arange(len(X)) < 3
    cv = KFold(6)
    model = cls(shrinkage=0.4)
    found = cross_validate(model, X, y, cv=cv, loss="log")
    slow = cross_val_predict(model, X, y, cv=cv, method="predict_log_proba")
    np.testing.assert_allclose(found.losses, -slow[np.arange(len(y)), y], rtol=1e-7, atol=1e-12)
    if cls is LinearDiscriminantAnalysis:
        model = cls("lsqr", shrinkage=0.4)
        peer = cross_val_predict(PeerLinear("lsqr", shrinkage=0.4), X, y, cv=cv, method="predict_proba")
        mine = cross_val_predict(model, X, y, cv=cv, method="predict_proba")
        np.testing.assert_allclose(mine, peer, rtol=1e-6, atol=1e-9)


def test_nothing_varies_within_the_classes():
    """There the formula has no inverse: the floors of unshrunk fits answer, and say so."""
    y = np.arange(20) % 2
    X = np.column_stack([y, 3.0 * y + 1])
    assert np.array_equal(LinearDiscriminantAnalysis(shrinkage=0.2).fit(X, y).predict(X), y)
    with pytest.warns(RankDeficient, match="All rows of class [01] are equal"):
        model = QuadraticDiscriminantAnalysis(shrinkage=0.2).fit(X, y)
    assert np.array_equal(model.predict(X), y)
