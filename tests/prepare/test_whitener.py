"""Whitener and Centerer: covariance by the definition, exact inverses, columns without spread, and parts that add."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

import suffice
from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, RankDeficient
from suffice.prepare import Centerer, Standardizer, Whitener

rng = np.random.default_rng(3)
MIX = np.array([[1.0, 0.4, 0.0, 0.2], [0.0, 2.0, 0.3, 0.0], [0.1, 0.0, 0.5, 0.0], [0.0, 0.0, 0.2, 3.0]])
X = rng.standard_normal((90, 4)) @ MIX + [5.0, 0.0, -3.0, 100.0]
COUNTS = rng.integers(0, 4, 90).astype(float)
METHODS = ["pca", "zca", "cholesky"]
every = pytest.mark.parametrize("method", METHODS)


def covariance(Z, w=None):
    """By the definition, divisor n."""
    rows = Z if w is None else np.repeat(Z, w.astype(int), axis=0)
    D = rows - rows.mean(axis=0)
    return D.T @ D / len(rows)


# -- whitening ----------------------------------------------------------------------------------------
@every
@pytest.mark.parametrize("weight", [None, COUNTS], ids=["plain", "weighted"])
def test_the_covariance_becomes_the_identity(method, weight):
    model = Whitener(method).fit(X, None, weight)
    Z = model.transform(X)
    np.testing.assert_allclose(covariance(Z, weight), np.eye(4), atol=1e-12)
    np.testing.assert_allclose(np.average(Z, axis=0, weights=weight), 0.0, atol=1e-12)
    np.testing.assert_allclose(model.inverse_transform(Z), X, rtol=1e-11)


def test_each_method_is_its_formula():
    S, D = covariance(X), X - X.mean(axis=0)
    values, U = np.linalg.eigh(S)
    L = np.linalg.cholesky(S)
    by_hand = {
        "zca": D @ (U / np.sqrt(values)) @ U.T,
        "cholesky": np.linalg.solve(L, D.T).T,
        "pca": (D @ U / np.sqrt(values))[:, ::-1],
    }
    for method, expected in by_hand.items():
        Z = Whitener(method).fit_transform(X)
        signs = np.sign(np.sum(Z * expected, axis=0)) if method == "pca" else 1.0
        np.testing.assert_allclose(Z, signs * expected, atol=1e-10)


def test_axes_are_those_of_scikit_learns_pca():
    ours, theirs = Whitener().fit_transform(X), PCA(whiten=True).fit_transform(X)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs) * np.sqrt(90 / 89), rtol=1e-9, atol=1e-10)


def test_the_largest_entry_of_an_axis_is_positive():
    model = Whitener().fit(X)
    axes = model.state_.back  # rows: what one unit along an axis is in the columns
    assert np.all(axes[np.arange(4), np.argmax(np.abs(axes), axis=1)] > 0)


def test_zca_stays_nearest_to_standardized_columns():
    """Of all whitenings Z Q the trace of the covariance with X is largest at ZCA."""
    Z, D = Whitener("zca").fit_transform(X), X - X.mean(axis=0)
    best = np.trace(D.T @ Z)
    for _ in range(20):
        Q, _ = np.linalg.qr(rng.standard_normal((4, 4)))
        assert np.trace(D.T @ Z @ Q) < best


@every
def test_units_cost_no_digits(method):
    units = np.array([1e-12, 1e9, 1.0, 1e-5])
    model = Whitener(method).fit(X * units)
    np.testing.assert_allclose(covariance(model.transform(X * units)), np.eye(4), atol=1e-10)
    np.testing.assert_allclose(
        model.inverse_transform(model.transform(X * units)) / units, X, rtol=1e-6, atol=1e-8
    )


@every
def test_directions_without_spread_are_named_and_kept(method):
    table = np.column_stack([X[:, 0], np.full(90, 7.0), X[:, 1], X[:, 0] - 2 * X[:, 1], X[:, 2]])
    with pytest.warns(RankDeficient, match="Columns 'x1', '(x0|x2|x3)' are constant or combinations"):
        model = Whitener(method).fit(table)
    Z = model.transform(table)
    values = np.linalg.eigvalsh(covariance(Z))
    np.testing.assert_allclose(values, [0, 0, 1, 1, 1], atol=1e-10)
    np.testing.assert_allclose(model.inverse_transform(Z), table, rtol=1e-9, atol=1e-9)
    new = rng.standard_normal((6, 5))  # also rows that leave the plane of the fit come back
    np.testing.assert_allclose(model.inverse_transform(model.transform(new)), new, atol=1e-9)


@every
def test_one_row_and_few_rows(method):
    with pytest.warns(RankDeficient, match=r"1 rows cannot spread over 4 columns"):
        model = Whitener(method).fit(X[:1])
    assert np.all(model.transform(X[:1]) == 0)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, rtol=1e-12)
    with pytest.warns(RankDeficient, match="3 rows"):
        model = Whitener(method).fit(X[:3])
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, rtol=1e-7)


def test_batches_are_the_whole():
    batches = ((X[i : i + 9], None) for i in range(0, 90, 9))
    streamed = engine.fit(Whitener("zca"), batches)
    np.testing.assert_allclose(streamed.transform(X), Whitener("zca").fit_transform(X), atol=1e-10)


def test_files_are_the_whole(tmp_path):
    import polars

    frame = polars.DataFrame(X, schema=["a", "b", "c", "d"])
    frame.write_parquet(tmp_path / "rows.parquet")
    for model in (Whitener("cholesky"), Centerer()):
        streamed = engine.fit(model, tmp_path / "rows.parquet")
        assert list(streamed.feature_names_in_) == ["a", "b", "c", "d"]
        np.testing.assert_allclose(
            streamed.transform(frame), type(model)(**model.get_params()).fit_transform(X), atol=1e-9
        )


def test_names_of_the_columns():
    import pandas

    table = pandas.DataFrame(X, columns=[*"abcd"])
    assert list(Whitener().fit(table).get_feature_names_out()) == ["pc0", "pc1", "pc2", "pc3"]
    assert list(Whitener("zca").fit(table).get_feature_names_out()) == [*"abcd"]


def test_what_a_whitener_refuses():
    holes = X.copy()
    holes[4, 2] = np.nan
    with pytest.raises(InvalidInput, match="X contains NaN at row 4, column 'x2'"):
        Whitener().fit(holes)
    with pytest.raises(InvalidInput, match="NaN at row 4"):
        Whitener().fit(X).transform(holes)
    with pytest.raises(InvalidParameter, match="method must be one of 'pca', 'zca', 'cholesky'; got 'qr'"):
        Whitener("qr").fit(X)
    with pytest.raises(InvalidInput, match="does not take sparse"):
        Whitener().fit(sparse.csr_array(X))
    with pytest.raises(InvalidInput, match="X has 3 columns, but transform of this Whitener gives 4"):
        Whitener().fit(X).inverse_transform(X[:, :3])
    with pytest.raises(InvalidInput, match="'x0' has numbers of the order .* rescale"):
        Whitener().fit(X * 1e200)


def test_single_precision_stays_single():
    narrow = X.astype(np.float32)
    model = Whitener().fit(narrow)
    assert model.transform(narrow).dtype == np.float32
    assert model.inverse_transform(model.transform(narrow)).dtype == np.float32


# -- centering ----------------------------------------------------------------------------------------
HOLES = np.where(rng.random(X.shape) < 0.2, np.nan, X)


@pytest.mark.parametrize("weight", [None, COUNTS], ids=["plain", "weighted"])
def test_centering_is_scikit_learns(weight):
    ours, theirs = Centerer().fit(HOLES, None, weight), StandardScaler(with_std=False)
    theirs.fit(HOLES, sample_weight=weight)
    np.testing.assert_allclose(ours.transform(HOLES), theirs.transform(HOLES), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(HOLES)), HOLES, rtol=1e-12)
    np.testing.assert_array_equal(ours.mean_, ours.state_.center)


def test_centering_parts_and_what_is_left():
    whole, a, b = (Centerer().fit(rows) for rows in (HOLES, HOLES[:50], HOLES[50:]))
    np.testing.assert_allclose(suffice.merge([a, b]).mean_, whole.mean_, rtol=1e-12)
    np.testing.assert_allclose(suffice.forget(whole, HOLES[50:]).mean_, a.mean_, rtol=1e-9)
    assert whole.statistics_ == Standardizer().fit(HOLES).statistics_


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_centering_any_scale(scale):
    Z = Centerer().fit_transform(X / 200 * scale)
    np.testing.assert_allclose(Z / scale, Centerer().fit_transform(X / 200), rtol=1e-9, atol=1e-12)


def test_a_column_without_cells_has_no_mean():
    table = HOLES.copy()
    table[:, 1] = np.nan
    model = Centerer().fit(table)
    assert np.isnan(model.transform(table)[:, 1]).all()
    with pytest.raises(InvalidInput, match="Column 'x1' had no cell at fit"):
        model.transform(X)


def test_centering_refuses():
    with pytest.raises(InvalidInput, match="Centerer does not take sparse tables"):
        Centerer().fit(sparse.csr_array(X))
    with pytest.raises(InvalidInput, match="inf at row 0, column 'x0'"):
        Centerer().fit([[np.inf]])
    with pytest.raises(InvalidInput, match="gives 4"):
        Centerer().fit(X).inverse_transform(X[:, :2])
