"""The room of data sets: every function gives a complete, immutable, reproducible record."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from suffice import datasets
from suffice._core.errors import InvalidInput, InvalidParameter, MissingExtra

FUNCTIONS = sorted(name for name in datasets.__all__ if name[0].islower())
GENERATORS = [f for f in FUNCTIONS if "random_state" in inspect.signature(getattr(datasets, f)).parameters]


def test_the_surface_is_a_sorted_list():
    assert datasets.__all__ == sorted(datasets.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_records_are_complete(name):
    data = getattr(datasets, name)()
    assert data.X.dtype == np.float64
    assert data.X.shape == (len(data.y), len(data.feature_names))
    assert np.isfinite(data.X).all()
    assert data.y.dtype.kind == "U" or np.isfinite(data.y).all()
    assert data.source
    assert data.license
    assert data.target_name not in data.feature_names
    assert data.target_name in repr(data)
    assert data.target_name in data._repr_html_()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_records_cannot_be_changed(name):
    data = getattr(datasets, name)()
    for array in (data.X, data.y):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - set(GENERATORS)))
def test_tables_are_equal_and_hash_alike(name):
    make = getattr(datasets, name)
    assert make() == make()
    assert hash(make()) == hash(make())


@pytest.mark.parametrize("name", GENERATORS)
def test_generators_repeat_by_seed_only(name):
    make = getattr(datasets, name)
    assert make(random_state=3) == make(random_state=3)
    assert make(random_state=3) != make(random_state=4)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frame_has_the_target_last(kind):
    data = datasets.olympic_100m_men()
    frame = data.frame(kind=kind)
    assert list(frame.columns) == ["year", "seconds"]
    np.testing.assert_array_equal(frame["seconds"].to_numpy(), data.y)


def test_frame_refuses_an_unknown_kind():
    with pytest.raises(InvalidParameter, match="kind must be one of 'pandas', 'polars'; got 'arrow'"):
        datasets.three_points().frame(kind="arrow")


@pytest.mark.parametrize(("kind", "what"), [("pandas", r"suffice\[frames\]"), ("polars", "polars")])
def test_frame_names_what_is_missing(monkeypatch, kind, what):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr("suffice._core.frames.import_module", absent)
    with pytest.raises(MissingExtra, match=f"pip install .*{what}"):
        datasets.three_points().frame(kind=kind)


def test_rows_and_names_must_fit():
    with pytest.raises(InvalidInput, match="one column per feature name"):
        datasets.Dataset(np.zeros((3, 2)), np.zeros(3), ("a",), "y", "here", "none")
    with pytest.raises(InvalidInput, match="as many rows; got 3 and 2"):
        datasets.Dataset(np.zeros((3, 1)), np.zeros(2), ("a",), "y", "here", "none")


def test_olympic_sums_are_those_of_the_printed_tables():
    men, women = datasets.olympic_100m_men(), datasets.olympic_100m_women()
    assert (len(men.y), len(women.y)) == (27, 19)
    # Tables 1.2 and 1.3, last row: the means of year, time, year × time and year².
    np.testing.assert_allclose(
        [men.X.mean(), men.y.mean(), (men.X[:, 0] * men.y).mean(), (men.X**2).mean()],
        [1952.37, 10.39, 20268.1, 3.8130e6],
        atol=0.005, rtol=7e-6,
    )  # fmt: skip
    np.testing.assert_allclose(
        [women.X.mean(), women.y.mean(), (women.X**2).mean()],
        [1970.74, 11.22, 3.8844e6],
        atol=0.005,
        rtol=8e-6,
    )


def test_coin_tosses_are_those_of_three_players():
    data = datasets.coin_tosses()
    played = data.y.reshape(3, 10)
    np.testing.assert_array_equal(data.X[:, 0].reshape(3, 10), np.repeat([[1], [2], [3]], 10, axis=1))
    np.testing.assert_array_equal(data.X[:, 1].reshape(3, 10), np.tile(np.arange(1, 11), (3, 1)))
    np.testing.assert_array_equal(played.sum(axis=1), [9, 6, 8])
    # Tails stand at toss 2; at tosses 2, 7, 8, 9; and at tosses 3, 4.
    assert [(np.flatnonzero(row == 0) + 1).tolist() for row in played] == [[2], [2, 7, 8, 9], [3, 4]]


@pytest.mark.parametrize(
    ("make", "law"),
    [
        (datasets.quadratic_curve, lambda x: 1 - 2 * x[:, 0] + 0.5 * x[:, 0] ** 2),
        (datasets.cubic_curve, lambda x: 5 * x[:, 0] ** 3 - x[:, 0] ** 2 + x[:, 0]),
        (datasets.ridge_line, lambda x: 2 * x[:, 0] - 3),
        (datasets.noisy_line, lambda x: -2 + 3 * x[:, 0]),
        (datasets.sinusoid, lambda x: np.sin(2 * np.pi * x[:, 0])),
        (
            datasets.quadratic_surface,
            lambda x: -0.5 + x @ [0.5, 0.5] - 0.25 * (x**2).sum(1) - 0.125 * x[:, 0] * x[:, 1],
        ),
    ],
)
def test_without_noise_a_generator_is_its_law(make, law):
    data = make(noise_std=0.0, random_state=0)
    np.testing.assert_allclose(data.y, law(data.X), rtol=0, atol=1e-12)


def test_noise_has_its_standard_deviation():
    data = datasets.noisy_line(n=20_000, noise_std=0.5, random_state=1)
    residual = data.y - (-2 + 3 * data.X[:, 0])
    # The standard error of a standard deviation is σ/√(2n) = 0.0025; five of them are allowed.
    assert abs(residual.std() - 0.5) < 0.0125


def test_a_gap_stays_empty_and_the_range_stays_full():
    x = datasets.cubic_curve(n=2000, gap=(0.0, 2.0), random_state=5).X[:, 0]
    assert not ((x >= 0.0) & (x < 2.0)).any()
    assert -5 < x.min() < -4.9
    assert 4.9 < x.max() < 5
    # A fraction 5/8 of the remaining range lies left of the gap; five standard errors are 0.054.
    assert abs((x < 0).mean() - 5 / 8) < 0.054


def test_two_clouds_are_mirror_images():
    data = datasets.two_clouds(7, (2.0, -1.0), noise_std=0.0)
    np.testing.assert_array_equal(data.X, np.where(np.arange(7)[:, None] % 2, 1, -1) * [2.0, -1.0])
    np.testing.assert_array_equal(data.y, np.arange(7) % 2)
    # The standard error of each mean is 1/√10⁴ = 0.01; five of them are allowed.
    many = datasets.two_clouds(20_000, random_state=3)
    np.testing.assert_allclose(many.X[many.y == 1].mean(axis=0), 1.5, atol=0.05)
    np.testing.assert_allclose(many.X[many.y == 0].std(axis=0), 1.0, atol=0.035)


def test_a_grid_is_a_grid():
    np.testing.assert_allclose(datasets.sinusoid(5, spacing="grid").X[:, 0], [0, 0.25, 0.5, 0.75, 1])


def test_the_circulated_inputs_have_six_decimals():
    exact, rounded = datasets.sinusoid_10().X[:, 0], datasets.sinusoid_10(rounded=True).X[:, 0]
    assert rounded[1] == 0.111111
    assert 0 < np.abs(exact - rounded).max() < 5e-7


@pytest.mark.parametrize(
    ("make", "arguments", "match"),
    [
        (datasets.sinusoid, {"n": 0}, "n must be a positive integer; got 0"),
        (datasets.noisy_line, {"n": 2.5}, "n must be a positive integer; got 2.5"),
        (datasets.quadratic_surface, {"noise_std": -1.0}, "noise_std must be a number >= 0; got -1.0"),
        (datasets.sinusoid, {"spacing": "even"}, "spacing must be one of"),
        (datasets.noisy_line, {"low": 2.0, "high": 1.0}, "low must be smaller than high"),
        (datasets.cubic_curve, {"gap": (4.0, 6.0)}, "gap must lie inside"),
        (datasets.two_clouds, {"n": 0}, "n must be a positive integer; got 0"),
        (datasets.two_clouds, {"center": (1.0, np.inf)}, "center must be two finite numbers"),
        (datasets.two_clouds, {"center": 1.5}, "center must be two finite numbers"),
        (datasets.two_clouds, {"noise_std": -1.0}, "noise_std must be a number >= 0; got -1.0"),
        (datasets.sinusoid, {"random_state": -1}, "random_state must be >= 0"),
    ],
)
def test_bad_arguments_are_refused(make, arguments, match):
    with pytest.raises(InvalidParameter, match=match):
        make(**arguments)
