"""Standardizer: against scikit-learn's, against brute force under NaN and weights, and at the edges."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice import engine
from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, NumericalError
from suffice.linear import Ridge
from suffice.prepare import Standardizer

rng = np.random.default_rng(8)
X = rng.standard_normal((80, 4)) * [1.0, 20.0, 1e-3, 1e6] + [0.0, 5.0, 1.0, -1e7]
HOLES = np.where(rng.random(X.shape) < 0.15, np.nan, X)
COUNTS = rng.integers(0, 4, 80).astype(float)
SETTINGS = [
    {"with_mean": mean, "with_std": std} for mean in (True, False) for std in (True, False)
]  # every combination
ids = {"ids": lambda s: "+".join(k for k, v in s.items() if v) or "neither"}


def brute(x, w):
    """Mean and standard deviation of one column by the definition, over rows that count and cells that are there."""
    rows = np.repeat(x, w.astype(int))
    rows = rows[~np.isnan(rows)]
    mean = rows.mean()
    return mean, np.sqrt(np.mean((rows - mean) ** 2))


# -- the numbers --------------------------------------------------------------------------------------
@pytest.mark.parametrize("table", [X, HOLES], ids=["whole", "with gaps"])
@pytest.mark.parametrize("weight", [None, COUNTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("setting", SETTINGS, **ids)
def test_means_the_same_as_scikit_learns(table, weight, setting):
    mine, theirs = Standardizer(**setting).fit(table, None, weight), StandardScaler(**setting)
    theirs.fit(table, sample_weight=weight)
    for name in ("mean_", "var_", "scale_"):
        a, b = getattr(mine, name), getattr(theirs, name)
        assert (a is None) == (b is None), name
        if a is not None:
            np.testing.assert_allclose(a, b, rtol=1e-10)
    if setting["with_mean"] or setting["with_std"]:
        np.testing.assert_allclose(mine.n_samples_seen_, theirs.n_samples_seen_)
    np.testing.assert_allclose(mine.transform(HOLES), theirs.transform(HOLES), rtol=1e-9, atol=1e-9)
    Z = rng.standard_normal((5, 4))
    np.testing.assert_allclose(mine.inverse_transform(Z), theirs.inverse_transform(Z), rtol=1e-9)


def test_missing_cells_cost_their_column_only():
    model = Standardizer().fit(HOLES, None, COUNTS)
    for j in range(4):
        mean, std = brute(HOLES[:, j], COUNTS)
        assert model.state_.center[j] == pytest.approx(mean, rel=1e-12, abs=1e-15)
        assert model.state_.scale[j] == pytest.approx(std, rel=1e-12)
    Z = model.transform(HOLES)
    assert np.array_equal(np.isnan(Z), np.isnan(HOLES))


def test_columns_have_mean_zero_and_deviation_one():
    Z = Standardizer().fit_transform(HOLES)
    np.testing.assert_allclose(np.nanmean(Z, axis=0), 0.0, atol=1e-13)
    np.testing.assert_allclose(np.nanstd(Z, axis=0), 1.0, rtol=1e-13)


@pytest.mark.parametrize("shift", [1e10, -1e12])
def test_a_huge_mean_costs_nothing(shift):
    x = np.round(rng.standard_normal((2000, 1)) * 4096) / 4096  # what a shift of 1e12 leaves exact
    a, b = Standardizer().fit(x), Standardizer().fit(x + shift)
    assert b.state_.scale[0] == pytest.approx(a.state_.scale[0], rel=1e-13)
    np.testing.assert_allclose(b.transform(x + shift), a.transform(x), rtol=0, atol=1e-3 * abs(shift) / 1e12)
    np.testing.assert_allclose(np.std(b.transform(x + shift)), 1.0, rtol=1e-13)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_columns_of_any_size(scale):
    a, b = Standardizer().fit(HOLES), Standardizer().fit(HOLES / 1e7 * scale)
    np.testing.assert_allclose(b.transform(HOLES / 1e7 * scale), a.transform(HOLES), rtol=1e-9, atol=1e-9)
    back = b.inverse_transform(b.transform(HOLES / 1e7 * scale)) / scale
    np.testing.assert_allclose(back, HOLES / 1e7, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("setting", SETTINGS, **ids)
def test_there_and_back(setting):
    model = Standardizer(**setting).fit(HOLES)
    np.testing.assert_allclose(model.inverse_transform(model.transform(HOLES)), HOLES, rtol=1e-12)


def test_state_says_what_is_done_whatever_the_parameters():
    for setting in SETTINGS:
        model = Standardizer(**setting).fit(X)
        expected = (X - model.state_.center) / model.state_.scale
        np.testing.assert_allclose(model.transform(X), expected, rtol=1e-14)
        assert np.all(model.state_.center == 0) == (not setting["with_mean"])
        assert np.all(model.state_.scale == 1) == (not setting["with_std"])
        with pytest.raises(ValueError, match="read-only"):
            model.state_.center[0] = 1.0


# -- columns that say little --------------------------------------------------------------------------
@pytest.mark.parametrize("value", [0.0, 0.1, 1e15 + 0.3, -1e-200, 1e300])
def test_constant_columns_are_divided_by_one(value):
    table = np.column_stack([np.full(50, value), np.arange(50.0)])
    model = Standardizer().fit(table)
    assert model.scale_[0] == 1.0
    assert np.all(model.transform(table)[:, 0] == 0)
    assert model.inverse_transform(model.transform(table))[0, 0] == value


def test_constant_up_to_rounding():
    flicker = 0.1 + np.spacing(0.1) * np.tile([0.0, 1.0], 25)[:, None]
    model = Standardizer().fit(flicker)
    assert model.scale_[0] == 1.0
    assert np.abs(model.transform(flicker)).max() < 1e-15
    ten = Standardizer().fit(0.1 + 1000 * (flicker - 0.1))
    assert ten.scale_[0] < 1e-13


def test_one_row():
    model = Standardizer().fit([[3.0, -1.0]])
    assert model.transform([[3.0, 1.0]]).tolist() == [[0.0, 2.0]]
    assert model.var_.tolist() == [0.0, 0.0]


def test_a_column_without_cells_is_unknown():
    table = HOLES.copy()
    table[:, 2] = np.nan
    model = Standardizer().fit(table)
    assert np.isnan([model.mean_[2], model.scale_[2], model.var_[2]]).all()
    assert np.isnan(model.transform(table)[:, 2]).all()
    assert np.isfinite(model.transform(table[:, :])[~np.isnan(table)]).all()
    with pytest.raises(InvalidInput, match="Column 'x2' had no cell at fit, so its value at row 1"):
        model.transform([[1.0, 1.0, np.nan, 1.0], [1.0, 1.0, 7.0, 1.0]])
    later = model.partial_fit(HOLES)
    expected = Standardizer().fit(np.vstack([table, HOLES]))
    np.testing.assert_allclose(later.transform(HOLES), expected.transform(HOLES), rtol=1e-10, atol=1e-10)


# -- statistics ---------------------------------------------------------------------------------------
def test_pieces_with_gaps_are_the_whole():
    pieces = Standardizer()
    for rows in np.array_split(np.arange(80), 7):
        pieces.partial_fit(HOLES[rows], sample_weight=COUNTS[rows])
    whole = Standardizer().fit(HOLES, sample_weight=COUNTS)
    np.testing.assert_allclose(pieces.state_.center, whole.state_.center, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(pieces.state_.scale, whole.state_.scale, rtol=1e-13)
    np.testing.assert_allclose(pieces.n_samples_seen_, whole.n_samples_seen_, rtol=1e-14)


def test_merge_and_forget_with_gaps():
    a, b = Standardizer().fit(HOLES[:50]), Standardizer().fit(HOLES[50:])
    whole = Standardizer().fit(HOLES)
    merged = suffice.merge([a, b])
    np.testing.assert_allclose(merged.transform(HOLES), whole.transform(HOLES), rtol=1e-10, atol=1e-12)
    rest = suffice.forget(whole, HOLES[50:])
    np.testing.assert_allclose(rest.transform(HOLES), a.transform(HOLES), rtol=1e-8, atol=1e-10)
    with pytest.raises(NumericalError, match="column 'x3' .* were these ever in"):
        suffice.forget(whole, [[0.0, 0.0, 0.0, 1e12]])
    with pytest.raises(InvalidInput, match="no rows with positive weight"):
        suffice.forget(whole, HOLES)


def test_parameters_do_not_change_what_is_collected():
    stats = Standardizer().collect(HOLES)
    model = Standardizer(with_mean=False).solve(stats)
    assert model.statistics_ == Standardizer(with_mean=False).fit(HOLES).statistics_
    assert model.statistics_key is None
    assert not model.state_needs_data


def test_batches_of_a_source():
    batches = ((HOLES[i : i + 9], None) for i in range(0, 80, 9))
    model = engine.fit(Standardizer(), batches)
    np.testing.assert_allclose(model.transform(X), Standardizer().fit(HOLES).transform(X), rtol=1e-10)


def test_the_number_of_threads_does_not_matter():
    big = np.tile(HOLES, (1000, 1))
    results = []
    for n in (1, 3):
        with engine.threads(n):
            model = Standardizer().fit(big)
            results.append((model.state_, model.transform(big)))
    assert results[0][0] == results[1][0]
    assert np.array_equal(results[0][1], results[1][1], equal_nan=True)


def test_columns_must_be_those_of_the_fit():
    import pandas

    names = ["a", "b", "c", "d"]
    model = Standardizer().fit(pandas.DataFrame(X, columns=names))
    assert list(model.get_feature_names_out()) == names
    with pytest.raises(ValueError, match="feature names should match"):
        model.partial_fit(pandas.DataFrame(X, columns=[*"abce"]))
    with pytest.raises(HeaderMismatch, match="column names"):
        suffice.merge([model, Standardizer().fit(X)])
    with pytest.raises(InvalidInput, match="X has 3 columns, but this Standardizer was fitted to 4"):
        model.inverse_transform(X[:, :3])


# -- sparse, float32, tables --------------------------------------------------------------------------
SPARSE = np.where(rng.random((80, 4)) < 0.6, 0.0, X)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array, sparse.coo_matrix])
@pytest.mark.parametrize("with_std", [True, False])
def test_sparse_tables_stay_sparse(kind, with_std):
    table = kind(SPARSE)
    model = Standardizer(with_mean=False, with_std=with_std).fit(table, None, COUNTS)
    dense = Standardizer(with_mean=False, with_std=with_std).fit(SPARSE, None, COUNTS)
    Z = model.transform(table)
    assert sparse.issparse(Z)
    assert Z.nnz == np.count_nonzero(SPARSE)
    np.testing.assert_allclose(Z.toarray(), dense.transform(SPARSE), rtol=1e-12)
    np.testing.assert_allclose(model.inverse_transform(Z).toarray(), SPARSE, rtol=1e-12)
    np.testing.assert_array_equal(table.toarray(), SPARSE)


def test_missing_cells_of_a_sparse_table():
    table = SPARSE.copy()
    table[3, 1] = np.nan
    a, b = (
        Standardizer(with_mean=False).fit(sparse.csr_array(table)),
        Standardizer(with_mean=False).fit(table),
    )
    np.testing.assert_allclose(a.state_.scale, b.state_.scale, rtol=1e-12)
    assert np.isnan(a.transform(sparse.csr_array(table))[3, 1])


def test_sparse_tables_cannot_be_centred():
    table = sparse.csr_array(SPARSE)
    with pytest.raises(InvalidInput, match="Cannot center sparse matrices.*with_mean=False"):
        Standardizer().fit(table)
    model = Standardizer().fit(SPARSE)
    for call in (model.transform, model.inverse_transform, model.partial_fit):
        with pytest.raises(InvalidInput, match="Cannot center sparse matrices"):
            call(table)


def test_single_precision_stays_single_and_is_summed_in_double():
    narrow = (rng.standard_normal((5000, 2)) + 1e3).astype(np.float32)
    model = Standardizer().fit(narrow)
    Z = model.transform(narrow)
    assert Z.dtype == np.float32
    assert model.inverse_transform(Z).dtype == np.float32
    wide = Standardizer().fit(narrow.astype(float))
    assert wide.state_ == model.state_
    np.testing.assert_allclose(Z, wide.transform(narrow.astype(float)), rtol=1e-6, atol=1e-6)
    assert Standardizer(with_mean=False).fit_transform(sparse.csr_array(narrow)).dtype == np.float32


def test_lists_integers_and_booleans():
    assert Standardizer().fit_transform([[1], [3]]).tolist() == [[-1.0], [1.0]]
    assert Standardizer().fit_transform([[True], [False]]).tolist() == [[1.0], [-1.0]]
    assert Standardizer().fit_transform([[1.0, None], [3.0, 5.0]]).tolist()[0][0] == -1.0


def test_missing_values_of_pandas_and_polars():
    import pandas
    import polars

    data = {"a": [1.0, None, 3.0, 8.0], "b": [2.0, 2.0, None, 5.0]}
    plain = Standardizer().fit(np.array([[1, 2], [np.nan, 2], [3, np.nan], [8, 5.0]]))
    for table in (pandas.DataFrame(data), pandas.DataFrame(data).astype("Float64"), polars.DataFrame(data)):
        model = Standardizer().fit(table)
        np.testing.assert_allclose(model.state_.scale, plain.state_.scale, rtol=1e-14)
        assert model.n_samples_seen_ == 3.0


def test_saved_loaded_pickled_cloned(tmp_path):
    model = Standardizer(with_mean=False).fit(HOLES)
    suffice.save(model, tmp_path / "m.suffice")
    for again in (suffice.load(tmp_path / "m.suffice"), pickle.loads(pickle.dumps(model))):
        assert again.state_ == model.state_
        assert np.array_equal(again.transform(HOLES), model.transform(HOLES), equal_nan=True)
    assert not hasattr(clone(model), "state_")


def test_in_front_of_a_model():
    y = X @ [1.0, 0.1, 100.0, 1e-6]
    piped = make_pipeline(Standardizer(), Ridge(2.0)).fit(X, y)
    inside = Ridge(2.0, standardize=True).fit(X, y)
    np.testing.assert_allclose(piped.predict(X), inside.predict(X), rtol=1e-9)


# -- what is refused ----------------------------------------------------------------------------------
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinity_is_named_even_beside_gaps(value):
    table = HOLES.copy()
    table[0, 0], table[5, 3] = np.nan, value
    model = Standardizer().fit(HOLES)
    for call in (Standardizer().fit, model.partial_fit, model.transform, model.inverse_transform):
        with pytest.raises(InvalidInput, match="X contains inf at row 5, column 'x3'"):
            call(table)


def test_numbers_too_large_to_be_summed():
    with pytest.raises(InvalidInput, match="Column 'x1' has numbers too large"):
        Standardizer().fit([[0.0, 1.7e308], [1.0, -1.7e308], [2.0, 1.7e308]])


def test_flags_are_flags():
    for name in ("with_mean", "with_std"):
        with pytest.raises(InvalidParameter, match=f"{name} must be True or False; got 'no'"):
            Standardizer(**{name: "no"}).fit(X)
    with pytest.raises(TypeError, match="positional"):
        Standardizer(True)


def test_a_failed_addition_leaves_the_state_as_it_was():
    model = Standardizer().fit(X)
    before = model.state_
    with pytest.raises(InvalidInput, match="inf"):
        model.partial_fit(np.full((2, 4), np.inf))
    assert model.state_ is before


def test_not_fitted():
    for call in (Standardizer().transform, Standardizer().inverse_transform):
        with pytest.raises(NotFittedError, match="not fitted"):
            call(X)
    with pytest.raises(NotFittedError, match="not fitted"):
        Standardizer().get_feature_names_out()
