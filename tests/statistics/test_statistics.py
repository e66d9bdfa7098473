"""What is special about single statistics: headers, frames, layouts, ranks."""

from __future__ import annotations

import numpy as np
import pytest

from suffice._core.errors import HeaderMismatch, IllConditioned, Unsupported
from suffice.bases import GaussianBasis, Polynomial
from suffice.linear import LinearRegression
from suffice.statistics import (
    ClassStatistics,
    Counts,
    Frame,
    Header,
    Layout,
    Moments,
    Triangle,
    gather,
    leave_one_out_merges,
)
from suffice.statistics import triangle as triangle_module


def test_header_names():
    plain, named = Header(2), Header(2, ("a", "b"), Polynomial(2), 3)
    assert plain.feature_names == plain.column_names == ("x0", "x1")
    assert plain.n_outputs == 1
    assert named.n_outputs == 3
    assert named.column_names == ("a", "b", "a^2", "b^2")


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (Header(3, ("a", "b", "c"), Polynomial(2), None), "numbers of columns: 2 and 3"),
        (Header(2, ("a", "c"), Polynomial(2), None), "column names"),
        (Header(2, None, Polynomial(2), None), "column names"),
        (Header(2, ("a", "b"), Polynomial(3), None), "bases"),
        (Header(2, ("a", "b"), GaussianBasis([0.0], 1.0), None), "bases"),
        (Header(2, ("a", "b"), Polynomial(2), 1), "shapes of y: None and 1"),
    ],
)
def test_header_names_the_first_difference(other, words):
    with pytest.raises(HeaderMismatch, match=words):
        Header(2, ("a", "b"), Polynomial(2), None).check(other)


def test_frames():
    f = Frame.spanning(np.array([0.0, 5.0]), np.array([4.0, 5.0]))
    assert f.center.tolist() == [2.0, 5.0]
    assert f.scale.tolist() == [2.0, 1.0]  # a column without width keeps the unit one
    near, far = (
        Frame(np.array([2.1, 5.0]), np.array([2.0, 1.0])),
        Frame(np.array([90.0, 5.0]), np.array([2.0, 1.0])),
    )
    assert f.union(near) is f
    wide = f.union(far)
    assert wide.center[0] - wide.scale[0] <= 0
    assert wide.center[0] + wide.scale[0] >= 92
    assert f.at_origin.center.tolist() == [0.0, 0.0]
    assert np.all(f.at_origin.scale >= np.abs(f.center) + f.scale)


def test_shift_of_a_constant_column_is_its_value():
    X = np.full((7, 1), 0.1 + 0.2)
    t = Triangle.of(X, np.arange(7.0))
    assert t.layout.shift[0] == 0.1 + 0.2
    assert np.all(t.factor[:, 1] == 0)


def test_provisional_means_see_only_rows_that_count():
    X, w = np.array([[1.0], [1e12], [2.0]]), np.array([1.0, 0.0, 1.0])
    assert Triangle.of(X, np.zeros(3), w).layout.shift[0] == 1.5


def test_rows_the_sample_missed_do_not_matter():
    """The shift comes from a thousand rows; a wild row between them is still counted exactly."""
    X = np.zeros((5000, 1))
    X[1, 0] = 1e6
    t = Triangle.of(X, np.zeros(5000))
    assert t.mean_x[0] == pytest.approx(200.0, rel=1e-13)


def test_frames_of_the_sample_do_not_limit_the_data():
    x = np.zeros((5000, 1))
    x[:, 0] = np.linspace(0, 1, 5000)
    x[1, 0], y = 40.0, np.zeros(5000)
    y[1] = 1.0
    model = LinearRegression(basis=Polynomial(4)).fit(x, y)
    direct = np.linalg.lstsq(np.column_stack([np.ones(5000), x, x**2, x**3, x**4]), y, rcond=None)[0]
    np.testing.assert_allclose(
        model.predict(x), np.column_stack([np.ones(5000), x, x**2, x**3, x**4]) @ direct, atol=1e-8
    )


def test_too_many_columns(monkeypatch):
    monkeypatch.setattr(triangle_module, "MAX_COLUMNS", 4)
    with pytest.raises(Unsupported, match="triangle of 5 columns is too large; at most 4"):
        Triangle.of(np.zeros((5, 3)), np.zeros(5))
    few = Triangle.of(np.zeros((4, 3)), np.zeros(4))  # as many rows as may be kept, of more columns
    assert few.factor.shape == (4, 5)
    with pytest.raises(Unsupported, match="unless there are fewer rows"):
        few + few


def test_taking_out_nearly_everything_warns_then_refuses():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((1000, 2)), rng.standard_normal(1000)
    far = np.array([[1e4, -1e4], [-1e4, 3e4], [2e4, 1e4]])
    t, gone = (
        Triangle.of(np.vstack([X, far]), np.append(y, [0.0, 1.0, 2.0])),
        Triangle.of(far, [0.0, 1.0, 2.0]),
    )
    with pytest.warns(IllConditioned, match="digits are lost"):
        rest = t - gone
    direct = Triangle.of(X, y)
    np.testing.assert_allclose(rest.lstsq().weights, direct.lstsq().weights, atol=1e-5)
    further = Triangle.of(np.vstack([X, far * 1e4]), np.append(y, [0.0, 1.0, 2.0]))
    with pytest.raises(ArithmeticError, match="what remains would be undetermined"):
        further - Triangle.of(far * 1e4, [0.0, 1.0, 2.0])


@pytest.mark.parametrize("k", [2, 3, 7])
def test_leave_one_out_merges_of_numbers(k):
    parts = [10**i for i in range(k)]
    assert leave_one_out_merges(parts) == [sum(parts) - p for p in parts]


@pytest.mark.parametrize(("digits", "rank"), [(1e-6, 2), (1e-12, 2), (1e-16, 1)])
def test_rank_is_decided_near_rounding(digits, rank):
    """A column that differs from another in its seventh or twelfth digit counts; in its sixteenth not."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(50)
    X = np.column_stack([x, x + digits * rng.standard_normal(50)])
    assert Triangle.of(X, x).lstsq().rank == rank


def test_rank_does_not_depend_on_units():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3)) * [1e-12, 1.0, 1e12]
    assert Triangle.of(X, X[:, 1]).lstsq().rank == 3
    assert Triangle.of(X, X[:, 1]).lstsq(rcond=0.999).rank < 3


def test_constant_is_relative_to_its_size():
    rng = np.random.default_rng(0)
    for mean, spread, constant in (
        (1e8, 1e-10, True),
        (1e8, 1e-4, False),
        (0.0, 1e-200, False),
        (1.0, 1e-13, False),
    ):
        X = mean + spread * rng.standard_normal((40, 1))
        with np.errstate(all="ignore"):
            if spread < 1e-150:
                continue  # squares vanish; refused elsewhere
            assert bool(Triangle.of(X, np.arange(40.0)).lstsq().constant) == constant


def test_gather_takes_empty_parts():
    t = Triangle.of(np.eye(3), np.ones(3))
    nothing = gather(t.layout, np.zeros((0, 3)), np.zeros((0, 1)))
    assert nothing == Triangle.empty(t.layout)
    assert (t + nothing) == t


def test_layouts_of_parts_with_one_value():
    """A part with one distinct input has a frame without width; adding it changes nothing else."""
    x, y = np.array([[1.0], [1.0], [2.0], [3.0], [4.0]]), np.array([1.0, 2.0, 0.0, 5.0, 3.0])
    import suffice
    from suffice._core.errors import RankDeficient

    with pytest.warns(RankDeficient):
        one = LinearRegression(basis=Polynomial(2)).fit(x[:2], y[:2])
    rest = LinearRegression(basis=Polynomial(2)).fit(x[2:], y[2:])
    for order in ([one, rest], [rest, one]):
        merged = suffice.merge(order)
        np.testing.assert_allclose(
            merged.coef_, LinearRegression(basis=Polynomial(2)).fit(x, y).coef_, rtol=1e-9
        )


def test_layout_in_another_frame():
    X = np.linspace(3, 9, 20)[:, None]
    header = Header(1, None, Polynomial(3))
    layout = Layout.plan(header, X, np.zeros((20, 1)))
    raw = layout.in_frame(None)
    t = gather(layout, X, np.sin(X))
    A, _ = layout.transfer(None)
    moved = (layout.design(X) - layout.shift_x) @ A  # rows are as far from the shift as before
    np.testing.assert_allclose(raw.design(X) - raw.shift_x, moved.astype(float), rtol=1e-11)
    np.testing.assert_allclose(t.moved(raw).mean_x, Polynomial(3)(X).mean(axis=0), rtol=1e-12)
    C, c = layout.raw_transfer()
    np.testing.assert_allclose(Polynomial(3)(X) @ C + c, layout.design(X), atol=1e-12)


def test_equal_content_includes_the_type_of_numbers():
    assert Counts.of([1, 2]) == Counts.of([2, 1])
    assert Counts.of([1, 2]) != Counts.of([1.0, 2.0])
    assert Counts.of([1, 2]) != (1, 2)


def test_a_class_of_which_rounding_is_left_is_gone():
    """Weights far apart: 0.3 taken out of 0.1 + 0.2 leaves 5e-17, and a class of 1e-12 beside 1e6 stays."""
    x, y = np.array([[1.0], [2.0], [3.0], [5.0], [6.0]]), np.array(["a", "a", "b", "b", "c"])
    whole = ClassStatistics.of(x, y, Moments.of, [0.1, 0.2, 1e6, 1.0, 1e-12])
    left = whole - ClassStatistics.of([[1.5]], ["a"], Moments.of, [0.3])
    assert left.counts.counts.tolist() == [0.0, 1e6 + 1.0, 1e-12]
    assert left["a"] is None
    assert left["c"] is not None
    assert left.of_classes_with_rows().classes.tolist() == ["b", "c"]
