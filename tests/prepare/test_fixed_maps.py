"""Maps that are known and not learned: Affine, Binarizer, LogTransform."""

from __future__ import annotations

from unittest import SkipTest

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import Binarizer as TheirBinarizer
from sklearn.utils.estimator_checks import estimator_checks_generator

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.prepare import Affine, Binarizer, LogTransform

rng = np.random.default_rng(0)
X = rng.integers(-3, 4, (40, 3)).astype(float)
HOLES = np.where(rng.random(X.shape) < 0.2, np.nan, X)
POSITIVE = np.exp(rng.standard_normal((30, 2)) * 5)


# -- binarizer ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("threshold", [-1.0, 0.0, 2.0, 10.0])
def test_reaching_is_enough_where_inclusive(threshold):
    loose = Binarizer(threshold, inclusive=True).fit_transform(X)
    assert np.array_equal(loose, np.array([[float(v >= threshold) for v in row] for row in X]))
    strict = Binarizer(threshold).fit_transform(X)
    assert np.array_equal(strict, TheirBinarizer(threshold=threshold).fit_transform(X))
    assert np.array_equal(loose != strict, threshold == X)


def test_thresholds_by_column():
    import pandas

    expected = (X >= [0.0, 1.0, -2.0]).astype(float)
    assert np.array_equal(Binarizer([0.0, 1.0, -2.0], inclusive=True).fit_transform(X), expected)
    table = pandas.DataFrame(X, columns=["a", "b", "c"])
    out = (
        Binarizer({"c": -2.0, "a": 0.0, "b": 1.0}, inclusive=True)
        .set_output(transform="pandas")
        .fit_transform(table)
    )
    assert list(out.columns) == ["a", "b", "c"]
    assert np.array_equal(out.to_numpy(), expected)
    with pytest.raises(InvalidParameter, match="threshold must name columns of the table; got 'd'"):
        Binarizer({"a": 0.0, "b": 1.0, "d": 1.0}).fit(table)
    with pytest.raises(InvalidParameter, match="got none for 'c'"):
        Binarizer({"a": 0.0, "b": 1.0}).fit(table)


def test_a_gap_is_neither_yes_nor_no():
    Z = Binarizer().fit_transform(HOLES)
    assert np.array_equal(np.isnan(Z), np.isnan(HOLES))


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array])
def test_sparse_where_zeros_stay_zeros(kind):
    for model in (Binarizer(1.0, inclusive=True), Binarizer(0.0), Binarizer([1.0, 2.0, 3.0])):
        out = model.fit_transform(kind(X))
        assert out.nnz == out.sum()
        assert np.array_equal(out.toarray(), model.fit_transform(X))
    for model in (Binarizer(inclusive=True), Binarizer(-1.0), Binarizer([1.0, 0.0, 1.0], inclusive=True)):
        with pytest.raises(InvalidInput, match="does not take sparse tables with these parameters"):
            model.fit(kind(X))


# -- logarithms ---------------------------------------------------------------------------------------
def test_ratios_become_differences():
    Z = LogTransform().fit_transform(POSITIVE)
    assert np.array_equal(Z, np.log(POSITIVE))
    np.testing.assert_allclose(np.exp(Z[0] - Z[1]), POSITIVE[0] / POSITIVE[1], rtol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1.0, 2.5, [0.0, 3.0]])
def test_exponentials_are_the_way_back(offset):
    model = LogTransform(offset=offset).fit(POSITIVE)
    np.testing.assert_allclose(
        model.inverse_transform(model.transform(POSITIVE)), POSITIVE, rtol=1e-9, atol=1e-12
    )


def test_an_offset_of_one_keeps_tiny_numbers():
    model = LogTransform(offset=1.0).fit([[1e-20]])
    assert model.transform([[1e-20]])[0, 0] == pytest.approx(1e-20, rel=1e-12, abs=0)
    assert model.inverse_transform([[1e-20]])[0, 0] == pytest.approx(1e-20, rel=1e-12, abs=0)


def test_what_has_no_logarithm_is_named():
    table = POSITIVE.copy()
    table[7, 1] = 0.0
    with pytest.raises(InvalidInput, match=r"Zeros in .* 0 at row 7, column 'x1'\..*offset=1.0 for counts"):
        LogTransform().fit(table)
    table[9, 0] = -2.0
    with pytest.raises(InvalidInput, match=r"-2 \(\+ 0.5\) at row 9, column 'x0'\..*offset above 2"):
        LogTransform(offset=0.5).fit(POSITIVE).transform(table)
    with pytest.raises(InvalidInput, match=r"-2 \(\+ 1\) at row 9"):
        LogTransform(offset=1.0).fit(table)
    for bad in ("one", None, np.nan, [1.0, 2.0, 3.0]):
        with pytest.raises(InvalidParameter, match="offset must"):
            LogTransform(offset=bad).fit(POSITIVE)
    with pytest.raises(InvalidInput, match="LogTransform does not take sparse"):
        LogTransform(offset=1.0).fit(sparse.csr_array(POSITIVE))
    with pytest.raises(InvalidInput, match="inf at row 0"):
        LogTransform().fit([[np.inf]])


def test_logarithms_keep_gaps_and_precision():
    table = np.where(rng.random(POSITIVE.shape) < 0.3, np.nan, POSITIVE)
    Z = LogTransform().fit_transform(table)
    assert np.array_equal(np.isnan(Z), np.isnan(table))
    assert LogTransform().fit_transform(table.astype(np.float32)).dtype == np.float32
    assert LogTransform().fit_transform([[5e-324, 1e308]]).tolist() == np.log([[5e-324, 1e308]]).tolist()


def complaints(model):
    for estimator, check in estimator_checks_generator(model):
        try:
            check(estimator)
        except SkipTest:
            continue
        except Exception as error:  # collected, to be judged by the caller
            yield str(error)


@pytest.mark.slow
def test_scikit_learns_checks_of_logarithms():
    """It calls numbers positive that may be zero; without an offset these are refused, and nothing else is."""
    for offset in (1.0, 0.5):
        assert list(complaints(LogTransform(offset=offset))) == []
    assert all("Zeros in data passed to LogTransform" in words for words in complaints(LogTransform()))


# -- linear maps --------------------------------------------------------------------------------------
MATRIX = rng.standard_normal((3, 3))


@pytest.mark.parametrize(
    ("A", "b"), [(2.0, 1.0), ([1.0, -2.0, 0.5], [0.0, 1.0, 2.0]), (MATRIX, 0.0), (MATRIX, [1.0, 2.0, 3.0])]
)
def test_a_map_row_by_row_and_back(A, b):
    model = Affine(A, b).fit(X)
    full = np.asarray(A) if np.ndim(A) == 2 else np.diag(np.broadcast_to(A, 3))
    by_hand = np.array([full @ row + b for row in X])
    np.testing.assert_allclose(model.transform(X), by_hand, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(model.inverse_transform(by_hand), X, atol=1e-9)


def test_other_numbers_of_columns():
    model = Affine([[1.0, 1.0, 1.0]], [2.0]).fit(X)
    np.testing.assert_allclose(model.transform(X)[:, 0], X.sum(axis=1) + 2, rtol=1e-12)
    assert list(model.get_feature_names_out()) == ["affine0"]
    with pytest.raises(Unsupported, match=r"shape \(1, 3\), and only a square matrix"):
        model.inverse_transform([[1.0]])
    for A in (0.0, [1.0, 0.0, 1.0], np.ones((3, 3))):
        with pytest.raises(Unsupported, match="A has no inverse"):
            Affine(A).fit(X).inverse_transform(X)


def test_gaps_stay_under_factors_and_are_refused_by_a_matrix():
    assert np.array_equal(np.isnan(Affine(2.0).fit_transform(HOLES)), np.isnan(HOLES))
    with pytest.raises(InvalidInput, match="X contains NaN at row"):
        Affine(MATRIX).fit(HOLES)
    with pytest.raises(InvalidInput, match="X contains NaN, which a matrix"):
        Affine(MATRIX).fit(X).inverse_transform(HOLES)


def test_saved_with_a_matrix(tmp_path):
    model = Affine(MATRIX, [1.0, 2.0, 3.0]).fit(X)
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert np.array_equal(again.transform(X), model.transform(X))
    assert again.state_ == model.state_


def test_not_fitted():
    for call in (Affine().inverse_transform, LogTransform().transform, LogTransform().inverse_transform):
        with pytest.raises(NotFittedError, match="not fitted"):
            call(X)
