"""Positive targets on the logarithmic scale: judged on their own scale, with intervals that stay positive."""

import numpy as np
import pytest
from scipy import stats

import suffice
from suffice._core.errors import InvalidInput
from suffice.distributions import Distribution
from suffice.linear import BayesianLinearRegression, LinearRegression
from suffice.study.models import chosen_candidates
from suffice.study.models.log_normal import LogNormal
from suffice.study.models.log_scale import LogScale
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.steps.chosen import chosen_section
from suffice.study.steps.kept import KeptParts
from suffice.study.steps.outliers import outliers

from .stages import Stage

MODELS = ["linear", "bayesian", "log-linear", "log-bayesian"]


def table(kind, n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    X = rng.exponential(size=(n, 3)) if kind == "sums" else X
    y = {
        "products": np.exp(1 + X @ [0.7, -0.5, 0.2] + 0.4 * rng.normal(size=n)),
        "sums": 2 + X @ [3.0, 2.0, 1.0] + rng.uniform(-1, 1, n),
        "normal": X @ [1.0, 0.0, 0.0] + rng.normal(size=n),
    }[kind]
    return {f"x{j}": X[:, j] for j in range(3)} | {"y": y}


# -- the distribution --------------------------------------------------------------------------------------------
def test_log_normal_agrees_with_scipy():
    d, peer = (
        LogNormal(np.array([0.3, -1.0]), np.array([0.5, 1.2])),
        stats.lognorm([0.5, 1.2], scale=np.exp([0.3, -1.0])),
    )
    x, p = np.array([1.7, 0.2]), np.array([0.1, 0.9])
    for mine, theirs in [
        (d.mean, peer.mean()),
        (d.var, peer.var()),
        (d.std, peer.std()),
        (d.entropy(), peer.entropy()),
        (d.log_prob(x), peer.logpdf(x)),
        (d.cdf(x), peer.cdf(x)),
        (d.sf(x), peer.sf(x)),
        (d.log_cdf(x), peer.logcdf(x)),
        (d.log_sf(x), peer.logsf(x)),
        (d.quantile(p), peer.ppf(p)),
    ]:
        np.testing.assert_allclose(mine, theirs, rtol=1e-9)
    assert np.all(d.prob(d.mode) > d.prob(1.01 * d.mode))
    assert np.all(d.prob(d.mode) > d.prob(0.99 * d.mode))
    np.testing.assert_array_equal(d.prob(np.array([-1.0, 0.0])), 0.0)
    np.testing.assert_array_equal(d.cdf(np.array([-1.0, 0.0])), 0.0)


def test_log_normal_is_a_batch_and_fits():
    d = LogNormal(np.array([0.3, -1.0]), 0.5)
    both = Distribution.concatenate([d[:1], d[1:]])
    assert both == LogNormal(np.array([0.3, -1.0]), np.array([0.5, 0.5]))
    x = np.array([1.0, 2.0, 4.0])
    found = LogNormal.fit(x)
    assert (found.log_mean, found.log_std) == pytest.approx((np.log(x).mean(), np.log(x).std()))
    assert np.log(d.sample(4000, 0)).mean(axis=0) == pytest.approx([0.3, -1.0], abs=0.04)


# -- the estimator -----------------------------------------------------------------------------------------------
def test_the_mean_is_right_where_the_noise_is_not_normal():
    """Exponential noise: the mean of a log-normal with the same logarithms would be 28 % too high."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8000, 1))
    y = np.exp(0.4 * X[:, 0]) * rng.exponential(size=8000)
    model = LogScale(LinearRegression()).fit(X, y)
    assert model.predict([[0.0]]) == pytest.approx([1.0], rel=0.05)
    assert model.predict_dist([[0.0]]).mean > 1.2


def test_nothing_is_predicted_beyond_what_was_seen():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 1))
    y = np.exp(X[:, 0] + 0.1 * rng.normal(size=50))
    model = LogScale(LinearRegression()).fit(X, y)
    assert model.predict([[100.0]]) == pytest.approx([model.smearing_ * y.max()])
    assert model.predict_dist([[100.0]]).log_mean == pytest.approx([np.log(y.max())])


def test_weights_count_rows():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 2))
    y = np.exp(X[:, 0] + rng.normal(size=30))
    w = rng.integers(1, 4, 30)
    once = LogScale(LinearRegression()).fit(X, y, sample_weight=w)
    again = LogScale(LinearRegression()).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(once.predict(X), again.predict(X), rtol=1e-9)


def test_targets_without_a_logarithm_are_refused():
    with pytest.raises(InvalidInput, match="targets above 0; got 0 at row 1"):
        LogScale(LinearRegression()).fit([[0.0], [1.0], [2.0]], [1.0, 0.0, 2.0])


@pytest.mark.parametrize("inner", [LinearRegression(), BayesianLinearRegression(standardize=True)])
def test_saved_and_loaded(inner, tmp_path):
    t = table("products", 40)
    X = np.column_stack([t[f"x{j}"] for j in range(3)])
    model = LogScale(inner).fit(X, t["y"])
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert again.predict_dist(X) == model.predict_dist(X)


# -- in a study --------------------------------------------------------------------------------------------------
def names(kind):
    p = make_problem(read(table(kind)), Options("y"))
    tried, skipped = chosen_candidates(p, None, False)
    return {c.name for c in tried}, skipped


@pytest.mark.parametrize(("kind", "tried"), [("products", True), ("sums", True), ("normal", False)])
def test_skewed_positive_targets_are_tried_in_logarithms(kind, tried):
    found, skipped = names(kind)
    assert ({"log-linear", "log-bayesian"} <= found) == tried
    assert not any("logarithm" in title for title in skipped)


@pytest.mark.parametrize(("kind", "logs"), [("products", True), ("sums", False)])
def test_the_scale_that_suits_the_data_wins_on_the_scale_of_the_target(kind, logs):
    for seed in range(3):
        s = Stage(table(kind, seed=seed), models=MODELS, folds=3, inner=3)
        loss = {t.name: t.validation.estimate for t in s.trials}
        assert (loss["log-linear"] < loss["linear"]) == logs
        y, made = s.problem.y, s.of("log-linear").validation.predictions
        assert loss["log-linear"] == pytest.approx(np.mean((y - made) ** 2), rel=1e-9)


def test_a_trial_in_logarithms_is_kept_on_disk(tmp_path):
    s = Stage(table("products", 60), models=["log-linear"], folds=3)
    kept = KeptParts(tmp_path, s.problem, s.options)
    first, again = (kept.trial(s.of("log-linear").candidate) for _ in range(2))
    assert again.notes == first.notes == ()
    assert again.seconds == first.seconds
    assert again.validation.distributions == first.validation.distributions


def test_intervals_hold_on_new_rows_and_stay_positive():
    s = Stage(table("products"), models=MODELS, folds=3, inner=3)
    new = table("products", 3000, seed=5)
    for name in ("log-linear", "log-bayesian"):
        model, chosen = chosen_section(s.of(name), s.problem, s.options)
        made = model.predict_table(new)
        assert made["low"].min() > 0
        assert 0.93 < np.mean((new["y"] >= made["low"]) & (new["y"] <= made["high"])) < 0.97
        assert "times as large" in chosen.sentences[0]
        assert np.mean(made["prediction"]) == pytest.approx(np.mean(new["y"]), rel=0.1)


def test_large_values_are_no_outliers_to_a_model_of_logarithms():
    s = Stage(table("products", 600), models=["linear", "log-linear"], folds=3, inner=3)
    plain, logs = (outliers(s.of(name), s.problem)[0].sum() for name in ("linear", "log-linear"))
    assert plain > 0
    assert logs == 0
    assert "residuals of logarithms" in outliers(s.of("log-linear"), s.problem)[1]
