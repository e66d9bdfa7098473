"""Laws of single bases: what each column is, what they span together, and what the texts claim about them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import BSpline

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, RankDeficient
from suffice.bases import (
    FourierBasis,
    GaussianBasis,
    Interactions,
    Polynomial,
    SigmoidBasis,
    SplineBasis,
    TanhBasis,
    WaveletBasis,
    sigmoid_to_tanh,
    tanh_to_sigmoid,
)
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.prepare import BasisTransformer

SEEDS = st.integers(0, 2**31)


# -- steps ------------------------------------------------------------------------------------------------------
@given(SEEDS, st.integers(1, 5), st.floats(0.05, 20), st.integers(1, 3))
def test_sigmoid_and_tanh_columns_are_the_same_function(seed, m, width, d):
    """PRML exercise 3.1, both ways, for one target and for several, one input and several."""
    rng = np.random.default_rng(seed)
    X, basis = rng.uniform(-3, 3, (7, d)), SigmoidBasis(rng.uniform(-2, 2, m), width)
    for intercept, coef in (
        (rng.normal(), rng.normal(size=m * d)),
        (rng.normal(size=2), rng.normal(size=(2, m * d))),
    ):
        other, u0, u = basis.to_tanh(intercept, coef)
        expected = intercept + basis(X) @ coef.T
        np.testing.assert_allclose(u0 + other(X) @ u.T, expected, atol=1e-12 * (1 + np.abs(coef).sum()))
        again, w0, w = other.to_sigmoid(u0, u)
        assert again == basis
        np.testing.assert_allclose(w0, intercept, atol=1e-13 * (1 + np.abs(coef).sum()))
        np.testing.assert_array_equal(w, coef)


def test_sigmoids_of_the_printed_scale_are_other_functions():
    """Eq. 3.102 has s where 2s belongs."""
    x = np.linspace(-2, 2, 50)
    u0, u, width = sigmoid_to_tanh(0.0, [1.0], 0.5)
    right, printed = (u0 + TanhBasis([0.0], s)(x) @ u for s in (width, 0.5))
    target = SigmoidBasis([0.0], 0.5)(x)[:, 0]
    np.testing.assert_allclose(right, target, atol=1e-15)
    assert np.abs(printed - target).max() > 0.1


def test_least_squares_finds_the_converted_weights():
    rng = np.random.default_rng(3)
    x = np.sort(rng.uniform(0, 1, 40))
    y = np.sin(2 * np.pi * x) + 0.1 * rng.normal(size=40)
    steps = LinearRegression(basis=SigmoidBasis(4, width=0.1)).fit(x[:, None], y)
    basis, intercept, coef = steps.basis_.to_tanh(steps.intercept_, steps.coef_)
    tanh = LinearRegression(basis=basis).fit(x[:, None], y)
    np.testing.assert_allclose([tanh.intercept_, *tanh.coef_], [intercept, *coef], rtol=1e-9)


def test_sigmoids_far_out_neither_overflow_nor_vanish():
    with np.errstate(all="raise", under="ignore"):
        values = SigmoidBasis([0.0], width=1.0)([-700.0, -40.0, 40.0, 700.0, 1e300, -1e300])[:, 0]
    np.testing.assert_allclose(
        values, [math.exp(-700), math.exp(-40), 1.0, 1.0, 1.0, 0.0], rtol=1e-15, atol=0
    )


def test_a_step_looks_at_one_column():
    basis = SigmoidBasis([[0.0, np.nan], [np.nan, 2.0]], width=1.0)
    assert basis.owners(2) == ((0,), (1,))
    np.testing.assert_allclose(basis([[0.0, 2.0]]), [[0.5, 0.5]])
    with pytest.raises(InvalidParameter, match=r"SigmoidBasis looks at one column.*row 1 has 2"):
        SigmoidBasis([[0.0, np.nan], [1.0, 2.0]], width=1.0)


# -- bumps at the rows ----------------------------------------------------------------------------------------
@given(SEEDS, st.integers(1, 3))
def test_bumps_at_rows_ignore_order_and_repetition(seed, d):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (12, d)).astype(float)
    basis = GaussianBasis.at_data(width=1.0)
    resolved = basis.resolve(X)
    assert resolved == basis.resolve(np.vstack([X[::-1], X[:4]]))
    assert not resolved.needs_data
    distinct = np.unique(X, axis=0)
    gaps = ((X[:, None] - distinct) ** 2).sum(axis=2)
    np.testing.assert_allclose(basis(X), np.exp(-gaps / 2), rtol=1e-12)


def test_some_of_the_rows():
    X = np.arange(10.0)[::-1, None] ** 2
    basis = GaussianBasis.at_data(4)
    resolved = basis.resolve(X)
    np.testing.assert_array_equal(resolved.centers, [0, 9, 36, 81])
    assert resolved.width == 27.0
    assert basis.replaced(centers__n=2).resolve(X).centers.tolist() == [0.0, 81.0]
    with pytest.raises(InvalidParameter, match="n must be at most the number of distinct rows, 10; got 11"):
        GaussianBasis.at_data(11, width=1.0)(X)
    with pytest.raises(InvalidParameter, match="width must be given when centres"):
        GaussianBasis.at_data()(np.eye(3))


def test_bumps_at_all_rows_reach_every_target():
    """As many bumps as rows: the columns span all targets, a constant included."""
    x, y = np.linspace(0, 1, 9)[:, None], np.cos(np.arange(9.0) ** 2)
    model = LinearRegression(basis=GaussianBasis.at_data(width=0.1), fit_intercept=False).fit(x, y)
    np.testing.assert_allclose(model.predict(x), y, atol=1e-10)
    assert model.coef_.shape == (9,)


def test_bumps_far_out_are_zero():
    assert GaussianBasis([0.0], width=1e-3)([1e200, -1e300])[:, 0].tolist() == [0.0, 0.0]


# -- waves ------------------------------------------------------------------------------------------------------
@given(SEEDS, st.integers(1, 6), st.floats(0.1, 50), st.integers(1, 3))
def test_waves_are_sines_and_cosines(seed, k, period, d):
    X = np.random.default_rng(seed).uniform(-20, 20, (5, d))
    expected = [
        f(2 * np.pi * i * X[:, j] / period)
        for j in range(d)
        for i in range(1, k + 1)
        for f in (np.sin, np.cos)
    ]
    np.testing.assert_allclose(FourierBasis(k, period)(X), np.column_stack(expected), atol=1e-9)


def test_a_period_later_everything_is_the_same():
    x = np.array([0.25, 1.5, 3.0])  # sums with 4·2³⁰ are exact
    np.testing.assert_allclose(FourierBasis(50, 4.0)(x + 4.0 * 2**30), FourierBasis(50, 4.0)(x), atol=1e-13)


def test_waves_on_a_lattice_are_the_discrete_fourier_transform():
    rng = np.random.default_rng(0)
    y = rng.normal(size=17)
    model = LinearRegression(basis=FourierBasis(8, 17.0)).fit(np.arange(17.0)[:, None], y)
    spectrum = np.fft.rfft(y) / 17
    np.testing.assert_allclose(model.intercept_, spectrum[0].real, rtol=1e-12)
    np.testing.assert_allclose(model.coef_[0::2], -2 * spectrum[1:].imag, atol=1e-13)
    np.testing.assert_allclose(model.coef_[1::2], 2 * spectrum[1:].real, atol=1e-13)


def test_the_range_is_a_period():
    X = np.array([[0.0, 5.0], [2.0, 1.0], [3.0, 9.0]])
    np.testing.assert_array_equal(FourierBasis(1).resolve(X).period, [3.0, 8.0])
    with pytest.raises(InvalidInput, match="column 1 of X is constant"):
        FourierBasis(1)([[0.0, 1.0], [1.0, 1.0]])


# -- splines ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("degree", [0, 1, 2, 3, 5])
def test_splines_with_a_constant_span_all_splines(degree):
    """Every piecewise polynomial of that smoothness is intercept + columns, by truncated powers as the oracle."""
    knots, x = np.array([0.0, 0.3, 0.5, 1.0]), np.linspace(0, 1, 60)
    columns = SplineBasis(knots, degree)(x)
    assert columns.shape[1] == len(knots) + degree - 2
    powers = [x**k for k in range(degree + 1)] + [
        np.where(x >= t, (x - t) ** degree, 0.0) for t in knots[1:-1]
    ]
    design = np.column_stack([np.ones(60), columns])
    assert np.linalg.matrix_rank(design) == design.shape[1] == len(powers)  # no constant among the columns
    for p in powers:
        fitted = design @ np.linalg.lstsq(design, p, rcond=None)[0]
        np.testing.assert_allclose(fitted, p, atol=1e-10)


def test_splines_are_scipys():
    knots, x = np.array([0.0, 0.3, 0.5, 1.0]), np.linspace(0, 1, 33)
    t = np.r_[[0.0] * 3, knots, [1.0] * 3]
    expected = BSpline(t, np.eye(len(t) - 4), 3)(x)
    np.testing.assert_allclose(SplineBasis(knots)(x), expected[:, 1:], atol=1e-15)
    np.testing.assert_allclose(1 - SplineBasis(knots)(x).sum(axis=1), expected[:, 0], atol=1e-15)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_beyond_the_ends(degree):
    knots, h = [0.0, 0.4, 1.0], 1e-7
    basis = SplineBasis(knots, degree)
    for end, outwards in ((0.0, -1), (1.0, 1)):
        value, inside = basis([end])[0], basis([end - outwards * h])[0]
        slope = (value - inside) / h
        np.testing.assert_allclose(basis([end + outwards * 2.0])[0], value + 2.0 * slope, atol=1e-5)
        flat = SplineBasis(knots, degree, "constant")
        np.testing.assert_array_equal(flat([end + outwards * 2.0])[0], value)
    with pytest.raises(InvalidInput, match=r"Column 0 of X contains 1.5, outside its knots \[0, 1\]"):
        SplineBasis(knots, degree, "error")([0.5, 1.5])


def test_straight_lines_go_on_beyond_the_ends():
    x = np.linspace(0, 1, 20)[:, None]
    model = LinearRegression(basis=SplineBasis(5)).fit(x, 2 - 3 * x[:, 0])
    np.testing.assert_allclose(model.predict([[-4.0], [7.0]]), [14.0, -19.0], rtol=1e-10)


def test_knots_at_quantiles():
    X = np.column_stack([np.arange(9.0), [0, 0, 0, 0, 0, 0, 1, 2, 3.0]])
    knots = SplineBasis(3).resolve(X).knots
    np.testing.assert_array_equal(knots, [[0, 0], [4, 1.5], [8, 3]])  # of distinct values
    assert SplineBasis(3).resolve(np.vstack([X, X[:5]])) == SplineBasis(3).resolve(X)
    uneven = SplineBasis([[0.0, 0.0], [1.0, 3.0], [8.0, np.nan]])
    assert uneven(X).shape == (9, 4 + 3)
    np.testing.assert_array_equal(uneven(X)[:, 4:], SplineBasis([0.0, 3.0])(X[:, 1]))
    assert np.isnan(SplineBasis([0.0, 1.0])([np.nan])).all()
    with pytest.raises(InvalidInput, match="column 0 of X is constant at 2"):
        SplineBasis(4)([2.0, 2.0, 2.0])


# -- wavelets ---------------------------------------------------------------------------------------------------
def test_haar_columns_and_the_constant_are_orthogonal_on_a_lattice():
    x = np.arange(32) + 0.5
    design = np.column_stack([np.ones(32), WaveletBasis(5, interval=(0.0, 32.0))(x)])
    np.testing.assert_allclose(design.T @ design, 32 * np.eye(32), atol=1e-12)


def test_haar_weights_are_the_pyramid_of_differences():
    """The fast transform: pairwise means and differences, level by level, as the oracle."""
    rng = np.random.default_rng(5)
    y = rng.normal(size=16)
    model = LinearRegression(basis=WaveletBasis(4, interval=(0.0, 16.0))).fit(
        (np.arange(16) + 0.5)[:, None], y
    )
    means, levels = y, []
    while len(means) > 1:
        left, right = means[0::2], means[1::2]
        levels.insert(0, (left - right) / 2 / np.sqrt(len(left)))
        means = (left + right) / 2
    np.testing.assert_allclose(model.intercept_, means[0], atol=1e-13)
    np.testing.assert_allclose(model.coef_, np.concatenate(levels), atol=1e-13)


def test_haar_at_the_ends_of_the_interval():
    basis = WaveletBasis(2, interval=(0.0, 1.0))
    r = np.sqrt(2)
    np.testing.assert_allclose(
        basis([0.0, 0.5, 1.0, -0.1, 1.1]), [[1, r, 0], [-1, 0, r], [-1, 0, -r], [0, 0, 0], [0, 0, 0]]
    )
    assert np.isnan(basis([np.nan])).all()


def test_ricker_is_the_second_derivative_of_a_bump():
    x, h, s = np.linspace(-0.5, 1.5, 41), 1e-4, 0.5  # level 0 on [0, 1]: centre and width ½
    bump = GaussianBasis([0.5], width=s)
    second = (bump(x + h) - 2 * bump(x) + bump(x - h)) / h**2
    np.testing.assert_allclose(WaveletBasis(1, "ricker", (0.0, 1.0))(x), -(s**2) * second, atol=1e-6)
    assert np.all(WaveletBasis(3, "ricker", (0.0, 1.0))([1e200, -1e200, np.inf]) == 0)


@pytest.mark.parametrize("kind", ["haar", "ricker"])
def test_wavelets_have_no_mean_and_narrow_with_the_level(kind):
    """Localized in space and frequency: halving the width doubles the frequency where the power is."""
    x = (np.arange(2**14) + 0.5) / 2**14 * 32 - 16
    columns = WaveletBasis(4, kind, (0.0, 1.0))(x)
    assert np.abs(columns.mean(axis=0)).max() < 1e-8
    middles = []
    for j in range(4):
        power = np.abs(np.fft.rfft(columns[:, 2**j - 1])) ** 2
        middles.append(np.argmax(power))
    np.testing.assert_allclose(np.diff(np.log2(middles)), 1.0, atol=0.1)


# -- products ---------------------------------------------------------------------------------------------------
@given(SEEDS, st.integers(2, 4), st.integers(1, 5))
def test_products_of_different_columns(seed, degree, d):
    X = np.random.default_rng(seed).uniform(-2, 2, (4, d))
    basis = Interactions(degree)
    columns, owners = basis(X), basis.owners(d)
    assert len(owners) == sum(math.comb(d, k) for k in range(2, degree + 1))
    assert all(len(set(o)) == len(o) for o in owners)
    for column, owner in zip(columns.T, owners, strict=True):
        np.testing.assert_allclose(column, np.prod(X[:, owner], axis=1), rtol=1e-14)


def test_products_complete_the_polynomial():
    X = np.random.default_rng(1).normal(size=(30, 3))
    pairs, every = Polynomial(2) + Interactions(), Polynomial(2, interactions=True)
    names = ("a", "b", "c")
    assert pairs.names(names) == every.names(names)
    np.testing.assert_allclose(pairs(X), every(X), rtol=1e-14)


# -- claims of the texts ------------------------------------------------------------------------------------------
def test_global_and_local():
    """PRML §3.1: moving one target moves a polynomial fit everywhere, a fit of bumps or splines only nearby."""
    x = np.linspace(0, 1, 40)[:, None]
    y, far = np.sin(6 * x[:, 0]), np.linspace(0.7, 1, 20)[:, None]
    moved = y + (np.arange(40) == 2)

    def change(basis):
        a, b = (LinearRegression(basis=basis).fit(x, t).predict(far) for t in (y, moved))
        return np.abs(a - b).max()

    wide = change(Polynomial(9))
    assert wide > 0.02
    assert change(SplineBasis(np.linspace(0, 1, 12))) < wide / 20


def test_fixed_bases_grow_exponentially_with_the_inputs():
    """PRML §3.6: a grid of five bumps per input has 5^D columns; bumps at rows have one per row in any dimension."""
    X = np.random.default_rng(0).uniform(0, 1, (30, 3))
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1, 5)] * 3), axis=-1).reshape(-1, 3)
    assert GaussianBasis(grid, width=0.25)(X).shape[1] == 5**3
    assert GaussianBasis.at_data(width=0.25)(X).shape[1] == 30
    assert [len(Polynomial(3, interactions=True).owners(d)) for d in (1, 2, 3, 6)] == [3, 9, 19, 83]


# -- in models, files and pipelines ---------------------------------------------------------------------------------
MANY = {
    "sigmoid": SigmoidBasis(3, width=0.8),
    "tanh": TanhBasis([-1.0, 1.0], width=0.8),
    "waves": FourierBasis(1, period=[5.0, 7.0]),
    "splines": SplineBasis(4, degree=2),
    "haar": WaveletBasis(2),
    "ricker": WaveletBasis(2, "ricker"),
    "products": Polynomial(1) + Interactions(),
    "rows": GaussianBasis.at_data(5, width=1.0),
}


@pytest.mark.parametrize("name", MANY)
@pytest.mark.parametrize("make", [LinearRegression, Ridge, BayesianLinearRegression])
def test_in_every_linear_model(name, make, tmp_path):
    rng = np.random.default_rng(7)
    X = rng.uniform(-2, 2, (60, 2))
    y = X[:, 0] * (1 + X[:, 1]) + 0.3 * rng.normal(size=60)
    model = make(basis=MANY[name]).fit(X, y)
    design = np.column_stack([np.ones(60), model.basis_(X)])
    np.testing.assert_allclose(model.predict(X), design @ [model.intercept_, *model.coef_], atol=1e-9)
    if make is LinearRegression:
        np.testing.assert_allclose(
            model.predict(X), design @ np.linalg.lstsq(design, y, rcond=None)[0], atol=1e-8
        )
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert again.basis == model.basis
    assert again.basis_ == model.basis_
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


@pytest.mark.parametrize("name", MANY)
def test_as_transformers(name):
    X = np.random.default_rng(7).uniform(-2, 2, (20, 2))
    step = BasisTransformer(MANY[name]).fit(X)
    columns = step.transform(X)
    assert columns.shape[1] == len(set(step.get_feature_names_out(["u", "v"])))
    assert eval(repr(MANY["waves"]).replace("period=[5., 7.]", "period=[5.0, 7.0]")) == MANY["waves"]
    with pytest.raises(ValueError, match="NaN"):
        step.transform(np.full((1, 2), np.nan))


def test_equal_columns_of_data_are_reported():
    X = np.repeat(np.linspace(-1, 1, 20)[:, None], 2, axis=1)
    with pytest.warns(RankDeficient, match="tanh"):
        LinearRegression(basis=TanhBasis([0.0], width=1.0)).fit(X, np.arange(20.0))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SigmoidBasis([0.0], width=-1), "width must be a number > 0; got -1"),
        (lambda: SigmoidBasis(["a"], width=1), "centers must be made of numbers"),
        (lambda: TanhBasis([np.inf], width=1), "centers must be an integer, a vector"),
        (lambda: TanhBasis(3, width=1).to_sigmoid(0.0, [1.0] * 3), "centers and width must be known"),
        (lambda: SigmoidBasis([0.0, 1.0]).to_tanh(0.0, [1.0, 1.0]), "centers and width must be known"),
        (lambda: sigmoid_to_tanh([0.0, 1.0], [1.0], 1.0), "one weight per column"),
        (lambda: tanh_to_sigmoid(0.0, [1.0], 0.0), "width must be a number > 0; got 0"),
        (lambda: GaussianBasis.at_data(0), "n must be an integer >= 1; got 0"),
        (lambda: FourierBasis(0, 1.0), "n_harmonics must be an integer >= 1; got 0"),
        (lambda: FourierBasis(1, 0.0), "period must be a number > 0"),
        (lambda: FourierBasis(1, [1.0, np.nan]), "period must be a number > 0"),
        (lambda: SplineBasis(1), "knots must be an integer >= 2; got 1"),
        (lambda: SplineBasis(True), "knots must be an integer >= 2; got True"),
        (lambda: SplineBasis([0.0]), "knots must be an integer >= 2, or two or more"),
        (lambda: SplineBasis([0.0, 0.0, 1.0]), "rising order"),
        (lambda: SplineBasis([1.0, np.nan]), "rising order"),
        (lambda: SplineBasis([[0.0, 1.0], [np.nan, 2.0], [3.0, 3.0]]), "rising order"),
        (lambda: SplineBasis([0.0, 1.0], degree=-1), "degree must be an integer >= 0; got -1"),
        (lambda: SplineBasis([0.0, 1.0], extrapolation="wild"), "extrapolation must be one of"),
        (lambda: WaveletBasis(0), "levels must be an integer >= 1; got 0"),
        (
            lambda: WaveletBasis(60),
            r"levels must be at most 14; got 60, which makes 1,152,921,504,606,846,975 columns",
        ),
        (lambda: WaveletBasis(10**6), r"got 1000000, which makes 2\^1000000 − 1 columns"),
        (lambda: SigmoidBasis([0.0, 1.0, 0.0]), "centers contains 0 twice"),
        (lambda: GaussianBasis([2.0, 2.0]), "centers contains 2 twice.*drop one, or give width"),
        (lambda: WaveletBasis(1, "db4"), "kind must be one of 'haar', 'ricker'; got 'db4'"),
        (lambda: WaveletBasis(1, interval=(1.0, 1.0)), "interval must end above where it begins"),
        (lambda: WaveletBasis(1, interval=(0.0, np.inf)), "interval must be two finite numbers"),
        (lambda: Interactions(1), "degree must be an integer >= 2; got 1"),
    ],
)
def test_impossible_parameters(make, message):
    with pytest.raises(InvalidParameter, match=message):
        make()


@pytest.mark.parametrize(
    ("basis", "message"),
    [
        (FourierBasis(1, [1.0, 2.0]), "periods for 2 columns; X has 3"),
        (SplineBasis([[0.0, 0.0], [1.0, 1.0]]), "knots for 2 columns; X has 3"),
        (WaveletBasis(1, interval=[[0.0, 0.0], [1.0, 1.0]]), "intervals for 2 columns; X has 3"),
        (WaveletBasis(1), "column 0 of X is constant"),
    ],
)
def test_tables_that_do_not_fit(basis, message):
    with pytest.raises(InvalidInput, match=message):
        basis(np.zeros((4, 3)))


@pytest.mark.parametrize("name", MANY)
def test_a_weight_of_two_is_the_row_twice(name):
    rng = np.random.default_rng(2)
    X = rng.uniform(-2, 2, (50, 2))
    y, weight = X.sum(axis=1) + rng.normal(size=50), 1 + np.arange(50) % 2
    weighted = LinearRegression(basis=MANY[name]).fit(X, y, sample_weight=weight)
    repeated = LinearRegression(basis=MANY[name]).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert weighted.basis_ == repeated.basis_
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-9)


@pytest.mark.parametrize("scale", [1e-200, 1e-8, 1e8, 1e150])
def test_units_of_the_inputs_do_not_matter(scale):
    """Centres, knots, periods and intervals that come from the data move with them."""
    rng = np.random.default_rng(6)
    x = rng.uniform(-1, 1, (40, 1))
    for basis in (
        SigmoidBasis(4),
        TanhBasis(4),
        FourierBasis(2),
        SplineBasis(5),
        WaveletBasis(3),
        WaveletBasis(2, "ricker"),
    ):
        np.testing.assert_allclose(basis(x * scale), basis(x), atol=1e-9)


@pytest.mark.parametrize(
    "basis", [SigmoidBasis(4), SplineBasis(3), FourierBasis(2), WaveletBasis(2), GaussianBasis(4)]
)
def test_rows_of_weight_zero_do_not_shape_a_basis(basis):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 1)), rng.standard_normal(40)
    X[-1] = 100.0
    weight = np.append(np.ones(39), 0.0)
    model = Ridge(0.1, basis=basis).fit(X, y, sample_weight=weight)
    assert model.basis_ == Ridge(0.1, basis=basis).fit(X[:-1], y[:-1]).basis_


def test_the_most_levels_and_a_centre_twice_with_a_width_are_allowed():
    assert len(WaveletBasis(14, interval=(0.0, 1.0)).owners(1)) == 2**14 - 1
    columns = SigmoidBasis([0.0, 0.0], width=1.0)([0.3])
    assert columns[0, 0] == columns[0, 1]


@pytest.mark.parametrize("basis", [SigmoidBasis([0.0, 1.0], 1.0), Polynomial(2)], ids=repr)
def test_text_is_no_table(basis):
    with pytest.raises(InvalidInput, match=r"a vector or a table of numbers; got \['a'\]"):
        basis(["a"])
    with pytest.raises(InvalidInput, match=r"numbers; got \['aaaa.*…"):
        basis(["a" * 500])
