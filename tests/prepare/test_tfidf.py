"""Counts weighted by rarity: equal to scikit-learn's and to the formula, additive, and back again."""

from __future__ import annotations

import contextlib
import itertools
import math
from unittest import SkipTest

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfTransformer as Peer
from sklearn.utils.estimator_checks import estimator_checks_generator

import suffice
from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, NumericalError, Unsupported
from suffice.prepare import TfidfTransformer

rng = np.random.default_rng(7)
X = rng.poisson(0.6, (30, 8)).astype(float)
X[:, 2] = 1.0
X[3] = 0.0
SETTINGS = [
    dict(zip(("norm", "use_idf", "smooth_idf", "sublinear_tf"), values, strict=True))
    for values in itertools.product(("l2", "l1", None), (True, False), (True, False), (True, False))
]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: "-".join(map(str, s.values())))
@pytest.mark.parametrize("make", [np.array, sparse.csr_array, sparse.csc_matrix])
def test_the_numbers_of_scikit_learn(settings, make):
    ours, peer = TfidfTransformer(**settings).fit(make(X)), Peer(**settings).fit(X)
    if settings["use_idf"]:
        np.testing.assert_allclose(ours.idf_, peer.idf_, rtol=1e-13)
    Z = ours.transform(make(X))
    assert isinstance(Z, sparse.csr_array)
    np.testing.assert_allclose(Z.toarray(), peer.transform(X).toarray(), rtol=1e-12)


def test_the_formula_cell_by_cell():
    Z = TfidfTransformer().fit(X).transform(X).toarray()
    n, row = len(X), 5
    idf = [1 + math.log((1 + n) / (1 + sum(x > 0 for x in column))) for column in X.T]
    weighted = [x * w for x, w in zip(X[row], idf, strict=True)]
    length = math.sqrt(sum(z * z for z in weighted))
    np.testing.assert_allclose(Z[row], [z / length for z in weighted], rtol=1e-12)


def test_rows_have_length_one_or_nothing():
    for norm, power in (("l2", 2), ("l1", 1)):
        Z = TfidfTransformer(norm=norm).fit(X).transform(X).toarray()
        lengths = (np.abs(Z) ** power).sum(axis=1)
        np.testing.assert_allclose(lengths, np.arange(30) != 3, atol=1e-12)


def test_the_table_handed_in_is_not_changed():
    table = sparse.csr_array(X)
    table.data[:3] = 0.0
    before = [a.copy() for a in (table.data, table.indices, table.indptr)]
    model = TfidfTransformer(norm=None).fit(table)
    model.transform(table)
    model.inverse_transform(table)
    for a, b in zip(before, (table.data, table.indices, table.indptr), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_huge_and_tiny_rows(scale):
    expected = TfidfTransformer().fit(X).transform(X).toarray()
    np.testing.assert_allclose(
        TfidfTransformer().fit(X * scale).transform(X * scale).toarray(), expected, rtol=1e-12
    )


def test_zeros_that_are_stored_are_zeros():
    stored = sparse.csr_array(
        (np.array([0.0, 2.0, 0.0]), np.array([0, 1, 0]), np.array([0, 2, 3])), shape=(2, 2)
    )
    model = TfidfTransformer(sublinear_tf=True).fit(stored)
    assert model.statistics_.documents.tolist() == [0, 1]
    assert model.transform(stored).toarray().tolist() == [[0, 1], [0, 0]]


def test_cells_given_twice_are_one():
    twice = sparse.csr_array((np.ones(3), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    model = TfidfTransformer(norm=None, sublinear_tf=True).fit(twice)
    assert model.statistics_.documents.tolist() == [1, 1]
    expected = TfidfTransformer(norm=None, sublinear_tf=True).fit(twice.toarray()).transform(twice.toarray())
    np.testing.assert_allclose(model.transform(twice).toarray(), expected.toarray(), rtol=1e-12)


def test_single_precision_stays():
    assert TfidfTransformer().fit_transform(X.astype(np.float32)).dtype == np.float32
    assert TfidfTransformer().fit_transform(X.astype(int)).dtype == np.float64


# -- statistics that add ------------------------------------------------------------------------------
@pytest.mark.parametrize("settings", SETTINGS[::5])
def test_parts_make_the_whole(settings):
    whole = TfidfTransformer(**settings).fit(X)
    a, b = (TfidfTransformer(**settings).fit(part) for part in (X[:11], sparse.csr_array(X[11:])))
    pieces = clone(whole).partial_fit(X[:4]).partial_fit(X[4:5]).partial_fit(X[5:])
    for model in (
        suffice.merge([a, b]),
        pieces,
        suffice.forget(clone(whole).fit(np.vstack([X, X[:9]])), X[:9]),
    ):
        assert model.statistics_ == whole.statistics_
        np.testing.assert_array_equal(model.transform(X).toarray(), whole.transform(X).toarray())


def test_weights_count_documents():
    weight = rng.integers(0, 4, 30).astype(float)
    a, b = (
        TfidfTransformer().fit(X, sample_weight=weight),
        TfidfTransformer().fit(np.repeat(X, weight.astype(int), 0)),
    )
    assert a.idf_.tolist() == b.idf_.tolist()
    assert (a.statistics_.n, a.statistics_.rows) == (weight.sum(), np.count_nonzero(weight))


def test_what_does_not_add():
    a = TfidfTransformer().fit(X)
    with pytest.raises(HeaderMismatch, match="8"):
        suffice.merge([a, TfidfTransformer().fit(X[:, :3])])
    with pytest.raises(HeaderMismatch, match="different norm"):
        suffice.merge([a, TfidfTransformer(norm=None).fit(X)])
    with pytest.raises(NumericalError, match="never in"):
        suffice.forget(a, np.ones((31, 8)))
    with pytest.raises(InvalidInput, match="no rows with positive weight"):
        suffice.forget(a, X)


def test_names_of_columns_go_through():
    table = pd.DataFrame(X, columns=list("abcdefgh"))
    model = TfidfTransformer().fit(table)
    assert model.get_feature_names_out().tolist() == list("abcdefgh")
    with pytest.raises(ValueError, match="feature names should match"):
        model.transform(table.rename(columns={"a": "z"}))


# -- back ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("settings", [s for s in SETTINGS if s["norm"] is None])
def test_inverse_gives_the_counts(settings):
    model = TfidfTransformer(**settings).fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)).toarray(), X, rtol=1e-12)


def test_inverse_needs_the_length():
    with pytest.raises(Unsupported, match="norm='l2' makes rows equally long.*use norm=None"):
        TfidfTransformer().fit(X).inverse_transform(X)
    with pytest.raises(InvalidInput, match="X has 3 columns"):
        TfidfTransformer(norm=None).fit(X).inverse_transform(X[:, :3])


def test_saved_and_loaded(tmp_path):
    model = TfidfTransformer(sublinear_tf=True).fit(X)
    suffice.save(model, tmp_path / "weights.suffice")
    loaded = suffice.load(tmp_path / "weights.suffice")
    np.testing.assert_array_equal(loaded.transform(X).toarray(), model.transform(X).toarray())
    assert loaded.statistics_ == model.statistics_


# -- refusals -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "settings, message",
    [
        ({"norm": "max"}, "norm must be one of 'l2', 'l1', None; got 'max'"),
        ({"use_idf": "no"}, "use_idf must be True or False"),
        ({"smooth_idf": 1}, "smooth_idf must be True or False"),
        ({"sublinear_tf": None}, "sublinear_tf must be True or False"),
    ],
)
def test_bad_parameters_are_named(settings, message):
    with pytest.raises(InvalidParameter, match=message):
        TfidfTransformer(**settings).fit(X)


def test_terms_of_no_document_have_no_weight():
    model = TfidfTransformer(smooth_idf=False).fit([[1, 0], [2, 0]])
    assert model.transform([[3, 0]]).toarray().tolist() == [[1, 0]]
    with pytest.raises(InvalidInput, match="2 at row 1, column 'x1', a term of no document.*smooth_idf=True"):
        model.transform([[3, 0], [1, 2]])
    assert TfidfTransformer(smooth_idf=False, use_idf=False).fit([[1, 0]]).transform([[0, 1]]).sum() == 1


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_gaps_are_named(bad):
    table = X.copy()
    table[4, 1] = bad
    model = TfidfTransformer().fit(X)
    for call in (model.fit, model.transform):
        with pytest.raises(InvalidInput, match=r"row 4.*'x1'|'x1'.*row 4"):
            call(table)


def test_logarithms_of_negative_numbers():
    table = X.copy()
    table[2, 6] = -1.0
    with pytest.raises(InvalidInput, match="no logarithm: -1 at row 2, column 'x6'"):
        TfidfTransformer(sublinear_tf=True).fit(table)
    with pytest.raises(InvalidInput, match="no logarithm"):
        TfidfTransformer(sublinear_tf=True).fit(X).transform(table)


@pytest.mark.parametrize("table", [np.empty((0, 3)), np.empty((3, 0)), [1.0, 2.0], [["dog"]]])
def test_what_is_no_table(table):
    with pytest.raises(InvalidInput, match="X|array|sample|feature|dog"):
        TfidfTransformer().fit(table)


@pytest.mark.parametrize("settings", [SETTINGS[0], SETTINGS[3], SETTINGS[-1]])
def test_checks_of_scikit_learn(settings):
    checks = list(estimator_checks_generator(TfidfTransformer(**settings)))
    assert len(checks) > 50
    for estimator, check in checks:
        with contextlib.suppress(SkipTest):
            check(estimator)
