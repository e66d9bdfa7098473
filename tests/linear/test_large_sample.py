"""The large-sample shortcut solves its own equations, and its error falls with the number of rows."""

from __future__ import annotations

import numpy as np
import pytest

from suffice._core.errors import NotConverged
from suffice.linear import BayesianLinearRegression, LinearRegression, large_sample_precisions


def draw(seed, n, d=4):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, 2 + X @ np.array([1.0, -2.0, 0.5, 1.5])[:d] + rng.standard_normal(n)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"intercept": "prior"},
        {"fit_intercept": False},
        {"prior_mean": [1, 0, 0, 1.0], "prior_cov": np.diag([1, 2, 3, 4.0])},
    ],
    ids=["flat", "prior", "origin", "general"],
)
def test_it_is_a_fixed_point_of_its_equations(options):
    X, y = draw(0, 60)
    found = large_sample_precisions(BayesianLinearRegression(**options).fit(X, y))
    known = {"prior_precision": found.prior_precision, "noise_precision": found.noise_precision}
    fit = BayesianLinearRegression(**known, **options).fit(X, y)
    w = fit.posterior_.mean if options.get("intercept") == "prior" else fit.coef_
    gap = w - np.asarray(options.get("prior_mean", np.zeros(len(w))))
    size = gap @ np.linalg.solve(options.get("prior_cov", np.eye(len(w))), gap)
    n = len(y) - 1 if fit._rule.flat else len(y)  # a flat intercept takes one row
    assert found.prior_precision == pytest.approx(len(w) / size, rel=1e-8)
    assert found.noise_precision == pytest.approx(n / np.sum((y - fit.predict(X)) ** 2), rel=1e-8)
    assert found.converged
    assert tuple(found.steps[-1]) == (found.prior_precision, found.noise_precision)


def test_the_error_falls_as_one_over_the_rows():
    """γ → M as 1/N, so both errors fall by about ten for ten times the rows; the data are nested draws."""
    X, y = draw(1, 100_000)
    sizes = (100, 1000, 10_000, 100_000)
    found = [large_sample_precisions(BayesianLinearRegression().fit(X[:n], y[:n])) for n in sizes]
    for errors in ([f.prior_error for f in found], [f.noise_error for f in found]):
        assert np.all(np.array(errors) > 0)  # γ < M and N − γ < N: the shortcut always says too much
        ratios = np.divide(errors[:-1], errors[1:])
        assert np.all((ratios > 6) & (ratios < 16))
    assert found[-1].prior_error < 1e-4
    assert found[-1].noise_error == pytest.approx(4 / 100_000, rel=0.05)
    assert np.all(np.diff([f.determined for f in found]) > 0)


def test_words():
    found = large_sample_precisions(BayesianLinearRegression().fit(*draw(5, 50)))
    assert f"from {found.full_noise_precision:.4g} by" in str(found)
    assert found._repr_html_() == f"<p>{found.sentence}</p>"


def test_few_rows_run_away_and_say_so():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((12, 8)), rng.standard_normal(12)
    y += X[:, 0]
    with pytest.warns(NotConverged, match="the shortcut is no approximation"):
        found = large_sample_precisions(BayesianLinearRegression().fit(X, y))
    assert not found.converged
    assert found.prior_error > 1e6


@pytest.mark.parametrize(
    ("model", "match"),
    [
        (LinearRegression(), "needs a fitted BayesianLinearRegression"),
        (BayesianLinearRegression(1.0), "both precisions at 'evidence'"),
        (BayesianLinearRegression(noise_precision=1.0), "both precisions at 'evidence'"),
    ],
)
def test_models_without_it(model, match):
    with pytest.raises(TypeError, match=match):
        large_sample_precisions(model.fit(*draw(2, 30)))


def test_one_target_and_a_fit():
    X, y = draw(4, 30)
    with pytest.raises(TypeError, match="one target"):
        large_sample_precisions(BayesianLinearRegression().fit(X, np.column_stack([y, -y])))
    with pytest.raises(ValueError, match="not fitted"):
        large_sample_precisions(BayesianLinearRegression())
