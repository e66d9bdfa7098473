"""Columns that are not what they seem: other names, other units, whole numbers that floats merge, gaps in disguise."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from suffice._core.errors import InvalidInput, InvalidParameter, NotPositiveDefinite, Unsupported
from suffice.similarity import (
    blocks,
    check_metric,
    correlation,
    cosine,
    extended_jaccard,
    frobenius,
    gower,
    jaccard,
    mahalanobis,
    minkowski,
    norm,
    simple_matching,
)

ONE = pd.DataFrame({"a": [1.0, 0.0], "b": [0.0, 1.0]})
SWAPPED = ONE[["b", "a"]]
DAYS = np.array(["2020-01-01", "2020-01-02", "2020-01-05"], dtype="M8[s]")
LINE = np.array([[0, 0.25, 1], [0.25, 0, 0.75], [1, 0.75, 0]])  # of three values at 0, 1 and 4
STEPS = np.array([[0, 1, 0.5], [1, 0, 0.5], [0.5, 0.5, 0]])  # of the lowest, the highest and the middle one


# -- names ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "measure",
    [minkowski, cosine, correlation, extended_jaccard, frobenius, jaccard, simple_matching, mahalanobis],
)
def test_tables_are_compared_under_their_names(measure):
    with pytest.raises(
        InvalidInput, match=r"same columns in another order: column 0 is 'a' in x and 'b' in y"
    ):
        measure(ONE, SWAPPED)
    with pytest.raises(InvalidInput, match=r"same columns: column 1 is 'b' in x and 'c' in y"):
        measure(ONE, ONE.rename(columns={"b": "c"}))


def test_names_of_other_libraries_rows_and_blocks():
    with pytest.raises(InvalidInput, match=r"in another order"):
        minkowski(ONE, pl.from_pandas(SWAPPED))
    with pytest.raises(InvalidInput, match=r"in another order"):
        minkowski(ONE, SWAPPED.iloc[0])
    with pytest.raises(InvalidInput, match=r"in another order"):
        blocks(cosine, ONE, SWAPPED)
    assert np.array_equal(minkowski(ONE, SWAPPED[["a", "b"]]), minkowski(ONE))


def test_what_has_no_names_is_compared_by_place():
    for other in (ONE.to_numpy(), pd.DataFrame(ONE.to_numpy())):
        assert np.array_equal(minkowski(ONE, other), minkowski(ONE))
    with pytest.raises(InvalidInput, match=r"column 0 is 0 in x and 1 in y"):
        minkowski(pd.DataFrame(ONE.to_numpy()), pd.DataFrame(ONE.to_numpy())[[1, 0]])


def test_a_covariance_has_the_names_of_the_table():
    cov = pd.DataFrame([[1.0, 0.0], [0.0, 4.0]], index=["a", "b"], columns=["a", "b"])
    assert mahalanobis(ONE, cov=cov)[0, 1] == pytest.approx(math.sqrt(1 + 1 / 4), rel=1e-14)
    turned = cov.loc[["b", "a"], ["b", "a"]]
    for call in (lambda: mahalanobis(ONE, cov=turned), lambda: blocks(mahalanobis, ONE, cov=turned)):
        with pytest.raises(InvalidInput, match=r"x and cov have the same columns in another order"):
            call()
    with pytest.raises(InvalidInput, match=r"cov must name its rows as its columns"):
        mahalanobis(ONE, cov=cov.loc[["b", "a"]])


# -- times ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["M8[ns]", "M8[us]", "M8[D]"])
def test_units_of_times_do_not_matter(kind):
    np.testing.assert_allclose(gower(DAYS[:, None].astype(kind), DAYS[:, None]), LINE, rtol=1e-14)
    spans = (DAYS - DAYS[0])[:, None]
    np.testing.assert_allclose(gower(spans.astype(kind.replace("M", "m")), spans), LINE, rtol=1e-14)


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(DAYS).dt.tz_localize("Europe/Berlin"),
        [dt.date(2020, 1, 1), dt.date(2020, 1, 2), dt.date(2020, 1, 5)],
        pd.Series(pd.PeriodIndex(["2020-01-01", "2020-01-02", "2020-01-05"], freq="D")),
        [Decimal("0.5"), Decimal("1.5"), Decimal("4.5")],
        [dt.timedelta(0), dt.timedelta(1), dt.timedelta(4)],
        np.array([2**60 + 1, 2**60 + 2, 2**60 + 5]),
        [10**30, 10**30 + 1, 10**30 + 4],
        pd.array([1, 2, 5], dtype="Int64"),
    ],
    ids=["zone", "dates", "periods", "decimals", "timedeltas", "wide", "wider", "Int64"],
)
def test_every_quantity_is_measured(column):
    table = pd.DataFrame({"t": pd.Series(column, dtype=None if hasattr(column, "dtype") else object)})
    np.testing.assert_allclose(gower(table), LINE, rtol=1e-14)


def test_the_range_of_times_is_a_length_of_time():
    table = pd.DataFrame({"t": DAYS})
    for span in (np.timedelta64(8, "D"), dt.timedelta(days=8), pd.Timedelta(days=8)):
        np.testing.assert_allclose(gower(table, ranges={"t": span}), LINE / 2, rtol=1e-14)
    with pytest.raises(
        InvalidParameter, match=r"ranges must give column 't', which holds times, a length of time"
    ):
        gower(table, ranges={"t": 2})


def test_a_zone_beside_none_is_refused():
    plain = pd.DataFrame({"t": pd.Series(DAYS)})
    zoned = pd.DataFrame({"t": plain["t"].dt.tz_localize("UTC")})
    with pytest.raises(InvalidInput, match=r"Column 't' has a time zone in y but not in x"):
        gower(plain, zoned)
    mixed = [[dt.datetime(2020, 1, 1)], [dt.datetime(2020, 1, 1, tzinfo=dt.UTC)]]
    with pytest.raises(InvalidInput, match=r"time zone in some rows of column 0"):
        gower(mixed)


# -- orders -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("options", [{"scales": {"o": "ordinal"}}, {}])
def test_the_declared_order_of_categories_counts(options):
    words = pd.Categorical(["lo", "hi", "mid"], ["lo", "mid", "hi"], ordered=True)
    assert np.array_equal(gower(pd.DataFrame({"o": words}), **options), STEPS)
    one = pl.DataFrame({"o": pl.Series(["lo", "hi", "mid"], dtype=pl.Enum(["lo", "mid", "hi"]))})
    assert np.array_equal(gower(one, **options), STEPS)


def test_orders_alone_say_that_a_column_is_ordinal():
    rows = [["lo"], ["hi"], ["mid"]]
    assert np.array_equal(gower(rows, orders={0: ["lo", "mid", "hi"]}), STEPS)
    with pytest.raises(InvalidParameter, match=r"orders must list the different values of column 0"):
        gower(rows, orders={0: ["lo", "mid", "hi", "lo"]})


def test_two_declared_orders_must_agree():
    x, y = (pd.DataFrame({"o": pd.Categorical(["a"], c, ordered=True)}) for c in (["a", "b"], ["b", "a"]))
    with pytest.raises(
        InvalidInput, match=r"Column 'o' has the order \['a', 'b'\] in x and \['b', 'a'\] in y"
    ):
        gower(x, y)


# -- kinds ------------------------------------------------------------------------------------------------
def test_numbers_against_words_are_refused_unless_called_nominal():
    with pytest.raises(InvalidInput, match=r"Column 0 holds numbers in x and words in y"):
        gower([[1.0], [2.0]], [["1"], ["2"]])
    assert gower([[1.0], [2.0]], [["1"], ["2"]], scales=["nominal"]).tolist() == [[1, 1], [1, 1]]
    assert gower([[1.0], [2.0]], [[None]]).shape == (2, 1)  # a column of gaps goes with every other


def test_whole_numbers_that_floats_merge_stay_apart():
    wide = np.array([[2**53 + 1], [2**53]])
    for table in (wide, wide.tolist(), [[2**64], [2**64 + 1]], pd.DataFrame(wide, dtype="Int64")):
        assert gower(table, scales=["nominal"]).tolist() == [[0, 1], [1, 0]]
        assert minkowski(table, p=0).tolist() == [[0, 1], [1, 0]]
    assert minkowski([2**53 + 1, 7], [2**53, 7], p=0) == 1
    ((_, block),) = blocks(minkowski, wide, p=0)
    assert block.tolist() == [[0, 1], [1, 0]]


def test_cells_that_are_no_values_are_named():
    with pytest.raises(InvalidInput, match=r"x holds \[1\] in row 0, column 'a', which is no single value"):
        gower(pd.DataFrame({"a": [[1], [2]]}))
    with pytest.raises(InvalidInput, match=r"Column 0 holds numbers beyond the range of floats"):
        gower([[10**400], [1]])
    with pytest.raises(InvalidInput, match=r"gower does not take sparse tables.*toarray"):
        gower(sparse.eye_array(3))


def test_gaps_of_pandas_are_named_with_their_place():
    frame = pd.DataFrame(
        {"n": pd.array([1, None], dtype="Int64"), "f": pd.array([True, False], dtype="boolean")}
    )
    with pytest.raises(InvalidInput, match=r"nan in row 1, column 'n'.*missing values"):
        minkowski(frame)
    with pytest.raises(InvalidInput, match=r"nan in row 1, column 'n'.*missing values"):
        jaccard(frame)
    with pytest.raises(Unsupported, match=r"got '2' in row 1, column 0"):
        minkowski(np.array([[1], ["2"]], dtype=object))


# -- ends of the range, and words of refusal ---------------------------------------------------------------
def test_tiny_rows_beside_huge_ones_keep_their_distance():
    found = minkowski([[1e300, 0.0], [3e-300, 0.0], [0.0, 0.0], [0.0, 4e-300]])
    np.testing.assert_allclose(
        found[1:, 1:], 1e-300 * np.array([[0, 3, 5], [3, 0, 4], [5, 4, 0]]), rtol=1e-14
    )
    np.testing.assert_allclose(found[0, 1:], 1e300, rtol=1e-14)


@pytest.mark.parametrize("p", [0, 0.5, 1, 2, 3, math.inf])
def test_norms_of_sparse_rows_are_those_of_dense_ones(p):
    table = sparse.random_array((300, 40), density=0.02, rng=3, format="csr")  # some rows are empty
    assert (np.diff(table.indptr) == 0).any()
    np.testing.assert_allclose(norm(table * 1e200, p), norm(table.toarray() * 1e200, p), rtol=1e-13)
    assert norm(sparse.csr_array((3, 2)), p).tolist() == [0, 0, 0]


def test_what_is_no_covariance_is_told_so():
    with pytest.raises(NotPositiveDefinite, match=r"variance of column 0 is -1"):
        mahalanobis([1, 2], [3, 4], [[-1, 0], [0, 1]])
    with pytest.raises(NotPositiveDefinite, match=r"indefinite.*-1 to 3"):
        mahalanobis([1, 2], [3, 4], [[1, 2], [2, 1]])


def test_the_name_of_a_measure_is_not_the_measure():
    with pytest.raises(InvalidInput, match=r"distance must be a function of two points.*got 'minkowski'"):
        check_metric("minkowski", [[1.0]])
    with pytest.raises(InvalidParameter, match=r"got the word 'minkowski'; pass the function itself"):
        blocks("minkowski", [[1.0]])


def test_other_kinds_of_cells_are_words():
    text = np.array([["a"], ["b"]], dtype=np.dtypes.StringDType())
    for table in (text, np.array([["a"], ["b"]]), np.array([[1j], [2j]]), np.array([[True], [False]])):
        assert gower(table).tolist() == [[0, 1], [1, 0]]
