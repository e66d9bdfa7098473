"""search_basis against brute force, its refinements, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import suffice
from suffice._core.errors import AtBound, InvalidInput, InvalidParameter, RankDeficient
from suffice.bases import CustomBasis, FourierBasis, GaussianBasis, Polynomial, search_basis
from suffice.datasets import olympic_100m_men
from suffice.linear import LinearRegression

pytestmark = pytest.mark.sampled(12)


def wave(a, b):
    return Polynomial(1) + CustomBasis([lambda X: np.sin((X[:, 0] - a) / b)])


def brute(x, y, a, b, weight=None, intercept=True):
    root = np.ones(len(x)) if weight is None else np.sqrt(weight)
    A = np.column_stack([np.ones(len(x))] * intercept + [x, np.sin((x - a) / b)]) * root[:, None]
    return np.sum((root * y - A @ np.linalg.lstsq(A, root * y, rcond=None)[0]) ** 2)


def made(n=40, seed=0):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 10, n))
    return x, 1 + 0.5 * x + 2 * np.sin((x - 0.7) / 0.8) + 0.05 * rng.normal(size=n)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_surface_is_least_squares_at_every_point(intercept, weighted):
    x, y = made()
    weight = np.arange(40.0) % 3 if weighted else None
    values = {"a": [0.0, 0.5, 1.0], "b": np.array([0.5, 0.8, 2.0, 3.0])}
    found = search_basis(wave, x, y, values, sample_weight=weight, fit_intercept=intercept)
    expected = [[brute(x, y, a, b, weight, intercept) for b in values["b"]] for a in values["a"]]
    np.testing.assert_allclose(found.surface, expected, rtol=1e-9)
    assert found.parameters == {"a": 0.5, "b": 0.8}
    assert found.loss == np.min(found.surface)


def test_the_record_is_the_fitted_function():
    men = olympic_100m_men()
    found = search_basis(wave, men.X, men.y, {"a": [2660], "b": [4.2, 4.3]})
    model = LinearRegression(basis=wave(2660, 4.3)).fit(men.X, men.y)
    np.testing.assert_allclose(found(men.X), model.predict(men.X), rtol=1e-12)
    np.testing.assert_allclose([found.intercept, *found.coef], [model.intercept_, *model.coef_], rtol=1e-9)
    assert len(found.basis.parts) == 2
    frame = found.frame()
    assert list(frame.columns) == ["a", "b", "loss"]
    assert frame["loss"].tolist() == found.surface.ravel().tolist()
    assert "<td>4.3</td>" in found._repr_html_()
    assert "summed loss 1.1037 at a=2660, b=4.3" in str(found)


@pytest.mark.slow
def test_refinement_reaches_the_minimum_and_never_climbs():
    x, y = made()
    found = search_basis(wave, x, y, bounds={"a": (-0.5, 1.9), "b": (0.5, 1.5)}, points=11, refine=6)
    assert len(found.path) == 7
    assert np.all(np.diff(found.path) <= 0)
    a, b = found.parameters["a"], found.parameters["b"]
    step = 1e-4
    around = [brute(x, y, a + i * step, b + j * step) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    assert np.argmin(around) == 4
    assert (a, b) == pytest.approx((0.7, 0.8), abs=0.03)


@pytest.mark.slow
def test_refinement_follows_a_slanted_valley():
    """Where one parameter undoes the other, the best point of a finer grid is at its edge and the grid must move."""
    x, y = made()

    def slanted(p, q):
        return wave(p + 20 * (q - 0.8), q)

    found = search_basis(slanted, x, y, bounds={"p": (-0.6, 1.6), "q": (0.73, 0.91)}, points=5, refine=25)
    best = search_basis(wave, x, y, bounds={"a": (-0.5, 1.9), "b": (0.5, 1.5)}, points=11, refine=6)
    assert found.loss == pytest.approx(best.loss, rel=1e-5)


def test_words_and_whole_numbers_are_not_refined():
    x, y = made()

    def either(kind, degree):
        return (
            Polynomial(degree)
            if kind == "powers"
            else FourierBasis(degree, period=2 * np.pi * 0.8) + Polynomial(1)
        )

    found = search_basis(either, x, y, {"kind": ["powers", "waves"], "degree": [1, 2]}, refine=2)
    assert found.parameters["kind"] == "waves"
    assert isinstance(found.parameters["degree"], int)
    assert found.path[0] == found.path[2]


def test_losses_on_other_rows():
    x, y = made(60)
    train, test = np.arange(60) % 2 == 0, np.arange(60) % 2 == 1
    degrees = list(range(1, 10))
    found = search_basis(Polynomial, x[train], y[train], {"degree": degrees}, validation=(x[test], y[test]))
    models = [LinearRegression(basis=Polynomial(d)).fit(x[train, None], y[train]) for d in degrees]
    expected = [np.sum((y[test] - m.predict(x[test, None])) ** 2) for m in models]
    np.testing.assert_allclose(found.surface, expected, rtol=1e-8)
    assert found.parameters["degree"] == degrees[int(np.argmin(expected))]


def test_bases_that_need_data(tmp_path):
    x, y = made()
    found = search_basis(lambda n: GaussianBasis(n, width=1.0), x, y, {"n": [2, 5, 12]})
    assert found.parameters == {"n": 12}
    assert found.basis.centers.shape == (12,)
    suffice.save(found, tmp_path / "found.suffice")
    again = suffice.load(tmp_path / "found.suffice")
    assert again == found
    np.testing.assert_array_equal(again(x), found(x))


def test_the_edge_is_reported():
    x, y = made()
    with pytest.warns(AtBound, match="The best b, 0.7, is at the edge of its bounds"):
        search_basis(wave, x, y, {"a": [0.7]}, bounds={"b": (0.1, 0.7)}, points=3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parameters": {}}, "There is nothing to search"),
        ({"parameters": {"a": []}}, "'a' needs a list of values"),
        ({"parameters": {"a": 3}}, "'a' needs a list of values"),
        ({"bounds": {"a": (0, 1)}}, "'a' has both values and bounds"),
        ({"parameters": {"a": [1.0]}, "bounds": {"b": (1, 1)}}, "bounds of 'b' must be two rising"),
        ({"parameters": {"a": [1.0]}, "bounds": {"b": (0, np.inf)}}, "bounds of 'b' must be two rising"),
        ({"refine": -1}, "refine must be an integer >= 0; got -1"),
        ({"points": 1}, "points must be an integer >= 2; got 1"),
        ({"fit_intercept": "no"}, "fit_intercept must be True or False; got 'no'"),
        ({"make": lambda a, b: np.sin}, "make must return a basis"),
        ({"y": ["a"] * 40}, "y must be made of numbers"),
    ],
)
def test_impossible_searches(change, message):
    x, y = made()
    given = {"make": wave, "X": x, "y": y, "parameters": {"a": [0.0], "b": [1.0]}} | change
    with pytest.raises(InvalidParameter, match=message):
        search_basis(**given)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": np.full(40, np.nan)}, "y contains NaN"),
        ({"X": np.full(40, np.inf)}, "X contains"),
        ({"y": np.zeros(3)}, "y must be a vector with one entry per row"),
        ({"X": np.zeros((0, 1)), "y": []}, "y must be (a vector|made of numbers)"),
        ({"sample_weight": np.zeros(40)}, "sample_weight must be one finite number >= 0"),
        ({"sample_weight": -np.ones(40)}, "sample_weight must be one finite number >= 0"),
        ({"validation": (np.zeros((2, 2)), np.zeros(2))}, "X of validation must have 1 columns"),
        ({"parameters": {"a": [0.0], "b": [0.0]}}, r"At a=0, b=0: The basis yields (nan|-?inf)"),
    ],
)
def test_impossible_rows(change, message):
    x, y = made()
    given = {"make": wave, "X": x, "y": y, "parameters": {"a": [0.0], "b": [1.0]}} | change
    with pytest.raises(ValueError, match=message) as caught:
        search_basis(**given)
    assert isinstance(caught.value, InvalidInput | InvalidParameter)


@pytest.mark.parametrize(
    ("make", "given", "message"),
    [
        (wave, {"parameters": {"w": [1.0]}}, r"make\(a, b\) cannot be called with the parameters w: "),
        (wave, {"parameters": {"a": [1.0]}}, "missing a required argument: 'b'"),
        (
            wave,
            {"bounds": {"c": (0.0, 1.0)}, "parameters": {"a": [1.0], "b": [1.0]}},
            "cannot be called.* a, b, c",
        ),
        (wave, {"parameters": [("a", [0.1])]}, r"parameters must be a dict with names as keys; got \[\('a'"),
        (wave, {"bounds": [("a", (0.1, 1.0))]}, "bounds must be a dict with names as keys"),
        (wave, {"parameters": {1: [0.1]}}, "parameters must be a dict with names as keys"),
        (
            Polynomial(1),
            {"parameters": {"a": [0.1]}},
            "make must be a function that returns a basis|cannot be called",
        ),
        ("wave", {"parameters": {"a": [0.1]}}, "make must be a function that returns a basis; got 'wave'"),
    ],
)
def test_what_make_does_not_take(make, given, message):
    with pytest.raises(InvalidParameter, match=message):
        search_basis(make, *made(), **given)


def test_an_error_inside_make_is_its_own():
    def broken(a):
        return len(a)

    with pytest.raises(TypeError, match="has no len"):
        search_basis(broken, *made(), {"a": [1.0]})


def test_values_may_be_lists():
    x, y = made()
    tried = [[1.0, 5.0, 9.0], [4.0, 5.0, 6.0]]
    found = search_basis(lambda centers: GaussianBasis(centers, 2.0), x, y, {"centers": tried})
    losses = []
    for centers in tried:
        model = LinearRegression(basis=GaussianBasis(centers, 2.0)).fit(x[:, None], y)
        losses.append(np.sum((y - model.predict(x[:, None])) ** 2))
    np.testing.assert_allclose(found.surface, losses, rtol=1e-10)
    assert found.parameters == {"centers": tried[int(np.argmin(losses))]}


def test_more_columns_than_rows_warn_as_a_fit_does():
    x, y = made(6)
    bumps = {"width": [1.0, 2.0]}
    with pytest.warns(RankDeficient, match=r"At width=.* 6 rows cannot determine 8 columns"):
        found = search_basis(lambda width: GaussianBasis(np.arange(8.0), width), x, y, bumps)
    assert found.loss < 1e-20
    x, y = made()
    few = np.where(np.arange(40) < 6, 1.0, 0.0)
    with pytest.warns(RankDeficient, match="6 rows cannot determine 8 columns"):
        search_basis(lambda width: GaussianBasis(np.arange(8.0), width), x, y, bumps, sample_weight=few)
    with pytest.warns(RankDeficient, match="the 2 columns are dependent"):
        search_basis(lambda width: GaussianBasis([5.0, 5.0], width), *made(), bumps)
