"""Statistics alone are saved only of enough rows; they merge like models."""

from __future__ import annotations

import os

import numpy as np
import pytest

import suffice
from suffice import engine
from suffice._core.disclosure import columns_of, is_statistic, rows_of
from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, Unsupported
from suffice._core.records import _STORABLE
from suffice.baselines import MajorityClassifier, MeanRegressor
from suffice.bases import Polynomial
from suffice.distributions import Beta, Gamma, Normal, Poisson
from suffice.linear import LinearRegression, Ridge
from suffice.prepare import Standardizer
from suffice.statistics import ColumnMoments, Counts, Header, LabelCounts, Moments, Triangle

rng = np.random.default_rng(0)


def table(n, d, targets=None):
    y = rng.standard_normal(n if targets is None else (n, targets))
    return rng.standard_normal((n, d)), y


def labels(n, classes):
    return np.arange(n) % classes


MAKERS = {  # (rows, columns) -> statistic
    "triangle": lambda n, c: Triangle.of(*table(n, c - 1)),
    "triangle of two targets": lambda n, c: Triangle.of(*table(n, c - 2, 2)),
    "triangle of a model": lambda n, c: LinearRegression().collect(*table(n, c - 1)),
    "triangle of powers": lambda n, c: LinearRegression(basis=Polynomial(c - 1)).collect(*table(n, 1)),
    "moments": lambda n, c: Moments.of(rng.standard_normal((n, c))),
    "columns": lambda n, c: ColumnMoments.of(rng.standard_normal((n, c))),
    "counts": lambda n, c: Counts.of(labels(n, c)),
    "labels": lambda n, c: LabelCounts(Header(3), Counts.of(labels(n, c))),
    "folds": lambda n, c: engine.Folded((Triangle.of(*table(n, c - 1)), Triangle.of(*table(500, c - 1)))),
}


@pytest.fixture(params=MAKERS.values(), ids=list(MAKERS))
def make(request):
    return request.param


@pytest.mark.parametrize(("rows", "columns"), [(20, 3), (32, 16), (60, 30)])
def test_just_enough_rows_are_saved(make, rows, columns, tmp_path):
    path = tmp_path / "s.suffice"
    value = make(rows, columns)
    suffice.save(value, path)
    assert suffice.load(path) == value


@pytest.mark.parametrize(("rows", "columns"), [(19, 3), (31, 16), (59, 30)])
def test_one_row_less_is_refused(make, rows, columns, tmp_path):
    path, value = tmp_path / "s.suffice", make(rows, columns)
    with pytest.raises(InvalidInput, match=rf"of {rows} rows and {columns} columns.*minimum_rows=0"):
        suffice.save(value, path)
    assert os.listdir(tmp_path) == []
    suffice.save(value, path, minimum_rows=0)
    assert suffice.load(path) == value


def test_the_least_number_of_rows_is_an_argument(make, tmp_path):
    suffice.save(make(8, 3), tmp_path / "s.suffice", minimum_rows=8)
    with pytest.raises(InvalidInput, match="of 7 rows"):
        suffice.save(make(7, 3), tmp_path / "s.suffice", minimum_rows=8)
    with pytest.raises(InvalidInput, match="saved from 100 rows"):
        suffice.save(make(99, 3), tmp_path / "s.suffice", minimum_rows=100)
    with pytest.raises(InvalidInput, match="of 9 rows and 5 columns"):  # twice as many, whatever the argument
        suffice.save(make(9, 5), tmp_path / "s.suffice", minimum_rows=1)


@pytest.mark.parametrize("bad", [-1, 1.5, True, "20", None, float("nan")])
def test_bad_minimum(bad, tmp_path):
    with pytest.raises(InvalidParameter, match="minimum_rows must be an integer >= 0; got"):
        suffice.save(Ridge(), tmp_path / "m.suffice", minimum_rows=bad)


def test_a_refusal_leaves_the_old_file(tmp_path):
    path = tmp_path / "s.suffice"
    suffice.save(Triangle.of(*table(50, 2)), path)
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match="worked back"):
        suffice.save(Triangle.of(*table(5, 2)), path)
    assert path.read_bytes() == before


# -- what counts as rows --------------------------------------------------------------------------------
def test_rows_without_weight_do_not_count(tmp_path):
    X, y = table(100, 2)
    w = np.where(np.arange(100) < 10, 50.0, 0.0)
    for value in (
        Triangle.of(X, y, w),
        Moments.of(X, w),
        ColumnMoments.of(X, w),
        Counts.of(labels(100, 2), w),
    ):
        with pytest.raises(InvalidInput, match="of 10 rows"):
            suffice.save(value, tmp_path / "s.suffice")


def test_light_rows_count_as_rows(tmp_path):
    suffice.save(Triangle.of(*table(50, 2), np.full(50, 0.01)), tmp_path / "s.suffice")


def test_a_column_with_few_cells_gives_them_away(tmp_path):
    X = rng.standard_normal((100, 3))
    X[3:, 1] = np.nan
    with pytest.raises(InvalidInput, match="of 3 rows and 3 columns"):
        suffice.save(ColumnMoments.of(X), tmp_path / "s.suffice")
    X[:, 1] = np.nan  # no cell, nothing to give away
    suffice.save(ColumnMoments.of(X), tmp_path / "s.suffice")


def test_as_many_labels_as_rows_are_the_rows(tmp_path):
    with pytest.raises(InvalidInput, match="of 40 rows and 40 columns"):
        suffice.save(Counts.of([f"patient {i}" for i in range(40)]), tmp_path / "s.suffice")


def test_every_fold_must_pass_and_an_empty_one_has_nothing_to_hide(tmp_path):
    big, small = Triangle.of(*table(50, 2)), Triangle.of(*table(7, 2))
    with pytest.raises(InvalidInput, match=r"^statistics\[2\] is a Triangle of 7 rows"):
        suffice.save(engine.Folded((big, None, small)), tmp_path / "s.suffice")
    suffice.save(engine.Folded((big, None, big)), tmp_path / "s.suffice")


@pytest.mark.parametrize("wrap", [lambda t: [1, t], lambda t: (t,), lambda t: {"north": {"a": t}}])
def test_a_box_does_not_hide_them(wrap, tmp_path):
    with pytest.raises(InvalidInput, match=r"\] is a Triangle of 7 rows"):
        suffice.save(wrap(Triangle.of(*table(7, 2))), tmp_path / "s.suffice")


@pytest.mark.parametrize(
    "value",
    [
        Gamma.statistics(np.arange(1.0, 8.0)),
        Beta.statistics(np.linspace(0.1, 0.9, 7)),
        Normal.statistics(np.arange(7.0)),
        Poisson.statistics(np.arange(7)),
    ],
    ids=lambda v: type(v).__name__,
)
def test_statistics_of_distributions(value, tmp_path):
    assert is_statistic(value)
    with pytest.raises(InvalidInput, match="of 7 rows"):
        suffice.save(value, tmp_path / "s.suffice")


def test_models_and_other_records_are_saved_as_ever(tmp_path):
    X, y = table(5, 2)
    result = engine.cross_validate(Ridge(), (X, y), folds=2)
    for value in (
        Ridge().fit(X, y),
        Standardizer().fit(X),
        Normal(0.0, 1.0),
        Polynomial(3),
        result,
        [3, "a"],
    ):
        assert not is_statistic(value)
        suffice.save(value, tmp_path / "v.suffice")
    assert suffice.load(tmp_path / "v.suffice") == [3, "a"]


def test_a_triangle_is_told_by_what_it_does():
    t = Triangle.of(*table(9, 4))
    assert (rows_of(t), columns_of(t)) == (9, 5)
    assert is_statistic(engine.Folded((t,)))
    assert not is_statistic(Triangle)
    assert not any(is_statistic(v) for v in (3.0, "n", [t], (t,), {"n": t}, None, np.ones(3), Polynomial(1)))
    counting = {
        n for n, c in _STORABLE.items() if hasattr(c, "__add__") and "n" in getattr(c, "__match_args__", ())
    }
    assert {"statistics.Triangle", "statistics.Moments", "statistics.ColumnMoments"} <= counting
    assert not any(n.startswith(("linear.", "baselines.", "bases.")) for n in counting)


# -- merge ------------------------------------------------------------------------------------------------
def test_merged_statistics_are_those_of_all_rows():
    X, y = table(90, 3)
    cuts = [slice(0, 20), slice(20, 50), slice(50, 90)]
    whole = Triangle.of(X, y)
    merged = suffice.merge(Triangle.of(X[c], y[c]) for c in cuts)
    np.testing.assert_allclose(merged.lstsq().weights, whole.lstsq().weights, rtol=1e-12)
    assert (merged.rows, merged.n) == (90, 90)
    np.testing.assert_allclose(suffice.merge([Moments.of(X[c]) for c in cuts]).scatter, Moments.of(X).scatter)
    united = suffice.merge([Counts.of(["a", "b"]), Counts.of(["c", "a"])])
    assert dict(zip(united.classes.tolist(), united.counts.tolist(), strict=True)) == {"a": 2, "b": 1, "c": 1}
    assert suffice.merge([whole]) == whole


def test_merged_folds_validate_like_one_source():
    X, y = table(200, 3)
    batches = [(X[:80], y[:80]), (X[80:], y[80:])]
    parts = [engine.cross_validate(Ridge(), b, folds=4).statistics for b in batches]
    merged = suffice.merge(parts)
    assert isinstance(merged, engine.Folded)
    np.testing.assert_array_equal(merged.sizes, parts[0].sizes + parts[1].sizes)
    np.testing.assert_allclose(merged.fit(Ridge()).coef_, Ridge().fit(X, y).coef_, rtol=1e-10)


X4, Y4 = table(40, 2)


@pytest.mark.parametrize(
    ("parts", "error", "message"),
    [
        ([], InvalidInput, "at least one model or statistic"),
        ([Moments.of(X4), Counts.of([1, 2])], HeaderMismatch, "Cannot merge Moments with Counts"),
        ([Ridge().fit(X4, Y4), Triangle.of(X4, Y4)], HeaderMismatch, "Cannot merge Ridge with Triangle"),
        ([Triangle.of(X4, Y4), Ridge().fit(X4, Y4)], HeaderMismatch, "Cannot merge Triangle with Ridge"),
        ([Triangle.of(X4, Y4), Triangle.of(X4[:, :1], Y4)], HeaderMismatch, "numbers of columns"),
        ([Moments.of(X4), Moments.of(X4[:, :1])], HeaderMismatch, "shapes"),
        ([Ridge().fit(X4, Y4), Ridge(2.0).fit(X4, Y4)], HeaderMismatch, "different alpha: 1.0 and 2.0"),
        ([Ridge().fit(X4, Y4), Ridge()], InvalidInput, "not fitted"),
        ([Normal(0, 1), Normal(0, 1)], Unsupported, "not a sum over rows"),
        ([3.0, 4.0], Unsupported, "float is not a sum over rows"),
        ([[Triangle.of(X4, Y4)]], Unsupported, "list is not a sum over rows"),
        (
            [engine.Folded((Triangle.of(X4, Y4),)), engine.Folded((Triangle.of(X4, Y4),), seed=1)],
            HeaderMismatch,
            "made alike",
        ),
    ],
)
def test_only_like_is_merged(parts, error, message):
    with pytest.raises(error, match=message):
        suffice.merge(parts)
    names = [f"site {i}" for i in range(len(parts))]
    with pytest.raises(
        error, match=message if not parts else f"site {1 if len(parts) > 1 else 0}.*{message}|site 0: "
    ):
        suffice.merge(parts, names=names)


def test_the_part_that_does_not_fit_is_named():
    good, bad = Triangle.of(X4, Y4), Triangle.of(X4[:, :1], Y4)
    with pytest.raises(HeaderMismatch, match=r"^rome\.suffice: Cannot combine"):
        suffice.merge([good, good, bad], names=["oslo.suffice", "lima.suffice", "rome.suffice"])


@pytest.mark.parametrize(
    "model", [MeanRegressor(), MajorityClassifier(), Standardizer()], ids=lambda m: type(m).__name__
)
def test_models_still_merge(model):
    y = labels(40, 3)
    a, b = (type(model)().fit(X4[c], y[c]) for c in (slice(0, 15), slice(15, 40)))
    assert suffice.merge([a, b]).statistics_.rows == 40
