"""A line by hand, its working table, and where two of them meet."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError, RankDeficient, Unsupported
from suffice.bases import Polynomial
from suffice.datasets import olympic_100m_men, olympic_100m_women, three_points
from suffice.linear import LinearRegression, Ridge, SimpleLinearRegression, crossover

MEN, WOMEN = olympic_100m_men(), olympic_100m_women()


def fitted(cls, data):
    return cls().fit(data.X, data.y)


# -- one line -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("shift", [0.0, 1e4, 1e9])
def test_it_is_linear_regression(shift):
    rng = np.random.default_rng(0)
    x = shift + rng.uniform(-3, 3, 40)
    y = 2 - 0.5 * (x - shift) + rng.standard_normal(40)
    mine, theirs = (cls().fit(x[:, None], y) for cls in (SimpleLinearRegression, LinearRegression))
    np.testing.assert_allclose(mine.coef_, theirs.coef_, rtol=1e-7 if shift == 1e9 else 1e-11)
    new = shift + np.array([[-5.0], [0.0], [7.0]])
    np.testing.assert_allclose(mine.predict(new), theirs.predict(new), rtol=1e-6 if shift == 1e9 else 1e-11)
    for noise in (True, False):
        a, b = mine.predict_dist(new, noise=noise), theirs.predict_dist(new, noise=noise)
        np.testing.assert_allclose(a.scale, b.scale, rtol=1e-6)
        np.testing.assert_array_equal(a.dof, b.dof)
    np.testing.assert_allclose(mine.leverage(new), theirs.leverage(new), rtol=1e-6)
    assert mine.noise_variance_ml_ == pytest.approx(theirs.noise_variance_ml_, rel=1e-7)


def test_the_line_passes_through_the_means_and_residuals_sum_to_zero():
    model = fitted(SimpleLinearRegression, MEN)
    means = model.table().means
    assert model.predict([[means["x"]]])[0] == pytest.approx(means["t"], rel=1e-14)
    assert abs(np.sum(MEN.y - model.predict(MEN.X))) < 1e-12


def test_the_gradient_of_the_loss_is_zero_and_it_curves_up():
    """FCML 1.6–1.7: ∂L/∂w₁ = 2 w₁ mean(x²) + 2 mean(x(w₀ − t)), ∂L/∂w₀ = 2w₀ + 2w₁ mean(x) − 2 mean(t)."""
    from suffice.inference import turning_point

    data = three_points()
    model = fitted(SimpleLinearRegression, data)
    m, w0, w1 = model.table().means, model.intercept_, model.coef_[0]
    assert w1 * m["xx"] + w0 * m["x"] - m["xt"] == pytest.approx(0, abs=1e-12)
    assert w0 + w1 * m["x"] - m["t"] == pytest.approx(0, abs=1e-12)
    point = turning_point(lambda w: np.mean((data.y - w[0] - w[1] * data.X[:, 0]) ** 2), [w0, w1])
    assert point.kind == "minimum"
    np.testing.assert_allclose(point.hessian, 2 * np.array([[1, m["x"]], [m["x"], m["xx"]]]), rtol=1e-6)


def test_the_table_shows_its_working():
    table = fitted(SimpleLinearRegression, three_points()).table()
    frame = table.frame()
    assert list(frame.columns) == ["n", "x", "t", "xt", "xx"]
    np.testing.assert_allclose(frame["xt"], [4.8, 33.9, 86.0, 41.5666666667], rtol=1e-10)
    assert frame["n"].iloc[-1] == "mean"
    assert table.frame("polars").shape == (4, 5)
    assert repr(table).splitlines()[-1].split() == ["mean", "3", "11.1", "41.5667", "11.6667"]
    html = table._repr_html_()
    assert html.count("<tr>") == 5
    assert html.count("<td>") == 15
    assert "<tfoot><tr><th>mean</th><th>3</th>" in html
    with pytest.raises(ValueError, match="read-only"):
        table.x[0] = 7.0


def test_scikit_learn_takes_it():
    x = np.linspace(0, 1, 30)[:, None]
    pipe = make_pipeline(StandardScaler(), SimpleLinearRegression()).fit(x, 3 * x[:, 0])
    assert pipe.score(x, 3 * x[:, 0]) == pytest.approx(1.0)
    copy = clone(pipe[-1])
    assert not hasattr(copy, "coef_")
    scores = cross_val_score(copy, MEN.X, MEN.y, cv=5, scoring="neg_mean_squared_error")
    theirs = cross_val_score(LinearRegression(), MEN.X, MEN.y, cv=5, scoring="neg_mean_squared_error")
    np.testing.assert_allclose(scores, theirs, rtol=1e-9)
    with pytest.raises(NotFittedError, match="not fitted"):
        SimpleLinearRegression().predict([[1.0]])
    with pytest.raises(NotFittedError, match="not fitted"):
        SimpleLinearRegression().table()
    named = SimpleLinearRegression().fit(pd.DataFrame({"year": MEN.X[:, 0]}), MEN.y)
    assert list(named.feature_names_in_) == ["year"]
    with pytest.raises(ValueError, match="feature names should match"):
        named.predict(pd.DataFrame({"day": [1.0]}))


def test_saved_and_loaded(tmp_path):
    model = fitted(SimpleLinearRegression, MEN)
    suffice.save(model, tmp_path / "line.suffice")
    again = suffice.load(tmp_path / "line.suffice")
    assert again.table() == model.table()
    np.testing.assert_array_equal(again.predict(MEN.X), model.predict(MEN.X))


class TestBadInput:
    def test_shapes(self):
        with pytest.raises(InvalidInput, match="one column and one target; got 2 and 1"):
            SimpleLinearRegression().fit(np.ones((3, 2)), np.arange(3.0))
        with pytest.raises(InvalidInput, match="one column and one target; got 1 and 2"):
            SimpleLinearRegression().fit(np.arange(3.0)[:, None], np.ones((3, 2)))

    @pytest.mark.parametrize(("value", "word"), [(np.nan, "NaN"), (np.inf, "inf")])
    def test_cells(self, value, word):
        with pytest.raises(InvalidInput, match=f"X contains {word} at row 1, column 'x0'"):
            SimpleLinearRegression().fit([[1.0], [value], [2.0]], [1.0, 2.0, 3.0])
        with pytest.raises(InvalidInput, match=f"y contains {word}"):
            SimpleLinearRegression().fit([[1.0], [3.0], [2.0]], [1.0, value, 3.0])

    def test_a_column_that_does_not_vary(self):
        with pytest.warns(RankDeficient, match="'x0' does not vary"):
            model = SimpleLinearRegression().fit(np.full((4, 1), 0.1), [1.0, 2.0, 3.0, 6.0])
        assert model.coef_[0] == 0
        assert model.predict([[5.0]])[0] == 3.0
        assert model.dof_ == 3

    def test_two_rows_have_no_uncertainty(self):
        model = SimpleLinearRegression().fit([[0.0], [1.0]], [1.0, 3.0])
        with pytest.raises(NumericalError, match="2 rows leave no residual degrees of freedom"):
            model.predict_dist([[0.5]])


# -- two lines ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("cls", [SimpleLinearRegression, LinearRegression])
def test_women_overtake_men(cls):
    crossing = crossover(fitted(cls, MEN), fitted(cls, WOMEN))
    assert crossing.x == pytest.approx(2589.2527, abs=5e-5)
    assert crossing.y == pytest.approx(1.899424, abs=5e-7)
    assert crossing.next_multiple(4) == 2592
    assert crossing.values_at(2592) == pytest.approx((1.862800, 1.858017), abs=5e-7)
    men, women = crossing.values_at(2588)
    assert women > men


def test_fieller_is_the_set_that_a_t_test_does_not_reject():
    """At either end |d(x)| = t √v(x), with the variances of both lines from `predict_dist`."""
    rng = np.random.default_rng(2)
    x = np.linspace(0, 1, 30)[:, None]
    a = LinearRegression().fit(x, x[:, 0] + 0.1 * rng.standard_normal(30))
    b = SimpleLinearRegression().fit(x[:20], 1 - x[:20, 0] + 0.2 * rng.standard_normal(20))
    crossing = crossover(a, b, confidence=0.9)
    assert crossing.bounded
    assert crossing.low < crossing.x < crossing.high
    from scipy.stats import t as student

    parts = [m.predict_dist([[crossing.x]], noise=False).scale[0] ** 2 for m in (a, b)]
    dof = sum(parts) ** 2 / (parts[0] ** 2 / a.dof_ + parts[1] ** 2 / b.dof_)
    for end in (crossing.low, crossing.high):
        d = [m.predict_dist([[end]], noise=False) for m in (a, b)]
        ratio = (d[0].mean[0] - d[1].mean[0]) / np.hypot(d[0].scale[0], d[1].scale[0])
        assert abs(ratio) == pytest.approx(student.ppf(0.95, dof), rel=1e-9)


@pytest.mark.slow
def test_the_interval_covers_as_often_as_it_says():
    """400 experiments at 80 %: within 3.5 standard errors, 0.07."""
    rng, x = np.random.default_rng(0), np.linspace(0, 1, 15)[:, None]
    hits = 0
    for _ in range(400):
        a = SimpleLinearRegression().fit(x, 2 * x[:, 0] + 0.3 * rng.standard_normal(15))
        b = SimpleLinearRegression().fit(x, 1 - x[:, 0] + 0.3 * rng.standard_normal(15))
        crossing = crossover(a, b, confidence=0.8)
        hits += crossing.low <= 1 / 3 <= crossing.high
    assert abs(hits / 400 - 0.8) < 0.07


def test_units_and_origins_do_not_matter():
    rng = np.random.default_rng(4)
    x = np.linspace(0, 1, 25)
    y = [2 * x + 0.1 * rng.standard_normal(25), 1 - x + 0.1 * rng.standard_normal(25)]
    plain = crossover(*(LinearRegression().fit(x[:, None], t) for t in y))
    moved = crossover(*(SimpleLinearRegression().fit(1e6 + 1e3 * x[:, None], t) for t in y))
    for name in ("x", "low", "high"):
        assert (getattr(moved, name) - 1e6) / 1e3 == pytest.approx(getattr(plain, name), rel=1e-8)


def test_named_columns_and_perfect_lines():
    x = pd.DataFrame({"year": np.arange(5.0)})
    a, b = (SimpleLinearRegression().fit(x, s * x["year"].to_numpy()) for s in (1.0, -1.0))
    crossing = crossover(a, b)
    assert (crossing.x, crossing.low, crossing.high) == pytest.approx((0, 0, 0), abs=1e-12)


def test_slopes_that_hardly_differ_have_no_bound():
    crossing = crossover(fitted(LinearRegression, MEN), fitted(LinearRegression, WOMEN))
    assert not crossing.bounded
    assert (crossing.low, crossing.high) == (-np.inf, np.inf)
    assert "no 95 % bound" in repr(crossing)
    assert crossover(fitted(LinearRegression, MEN), fitted(LinearRegression, WOMEN), confidence=0.3).bounded


def test_lines_that_do_not_cross_and_things_that_are_no_lines():
    x = np.arange(6.0)[:, None]
    a = SimpleLinearRegression().fit(x, 2 * x[:, 0])
    with pytest.raises(NumericalError, match="Parallel lines do not cross: both slopes are 2"):
        crossover(a, SimpleLinearRegression().fit(x, 2 * x[:, 0] + 5))
    with pytest.raises(
        Unsupported, match="b must be a SimpleLinearRegression or a LinearRegression; got Ridge"
    ):
        crossover(a, Ridge().fit(x, x[:, 0]))
    with pytest.raises(InvalidParameter, match="b must be a line: one column"):
        crossover(a, LinearRegression().fit(np.hstack([x, x**2]), x[:, 0]))
    with pytest.raises(InvalidParameter, match="b must be a line: one column, no basis"):
        crossover(a, LinearRegression(basis=Polynomial(2)).fit(x, x[:, 0] ** 2))
    with pytest.raises(InvalidParameter, match="confidence must"):
        crossover(a, a, confidence=95)


# -- numbers at the ends --------------------------------------------------------------------------------
@pytest.mark.parametrize("cls", [SimpleLinearRegression, LinearRegression])
@pytest.mark.parametrize(
    ("x_unit", "y_unit", "message"),
    [
        (1e-200, 1.0, "Column '[^y]*' has numbers of the order .*e-19., whose squares vanish; rescale it"),
        (1e200, 1.0, "Column '[^y]*' has numbers of the order .*e.20., whose squares overflow; rescale it"),
        (1.0, 1e-200, "Column 'y' has numbers of the order .*e-(199|200), whose squares vanish; rescale it"),
        (1.0, 1e200, "Column 'y' has numbers of the order .*e.20., whose squares overflow; rescale it"),
    ],
)
def test_numbers_without_squares_are_refused_by_both(cls, x_unit, y_unit, message):
    with pytest.raises(InvalidInput, match=message):
        cls().fit(np.asarray(MEN.X) * x_unit, MEN.y * y_unit)


@pytest.mark.parametrize("unit", [1e-130, 1e-9, 1e130])
def test_units_within_reach_change_nothing(unit):
    plain, scaled = fitted(SimpleLinearRegression, MEN), SimpleLinearRegression().fit(MEN.X * unit, MEN.y)
    assert scaled.coef_[0] * unit == pytest.approx(plain.coef_[0], rel=1e-11, abs=0)
    np.testing.assert_allclose(scaled.leverage(MEN.X * unit), plain.leverage(MEN.X), rtol=1e-9)


@pytest.mark.parametrize("cls", [SimpleLinearRegression, LinearRegression])
@pytest.mark.parametrize("x", [[[1.0]], [[0.1]] * 3, [[1.0], [1 + 2.3e-16]]], ids=["one", "same", "near"])
def test_a_column_that_does_not_vary_warns(cls, x):
    y = np.arange(len(x)) + 2.0
    with pytest.warns(RankDeficient, match="'x0' do(es)? not vary"):
        model = cls().fit(x, y)
    assert model.coef_[0] == 0
    np.testing.assert_allclose(model.predict(x), y.mean(), rtol=1e-15)


def test_differences_whose_squares_vanish_are_none():
    with pytest.warns(RankDeficient, match="does not vary"):
        model = SimpleLinearRegression().fit([[1e-139], [1e-139 * (1 + 2.3e-16)]], [1.0, 2.0])
    assert model.coef_[0] == 0
