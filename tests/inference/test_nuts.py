"""NUTS through nutpie, bridge sampling, and the choices that hand both to models."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from sklearn.base import clone

from suffice import engine, load, save
from suffice._core.errors import InvalidInput, InvalidParameter, MissingExtra, NotConverged
from suffice.glm import BayesianLogisticRegression, BayesianPoissonRegression
from suffice.inference import (
    NUTS,
    LaplaceApproximation,
    MetropolisHastings,
    Quadrature,
    Samples,
    bridge,
    metropolis_hastings,
    nuts,
    quadrature,
)

rng = np.random.default_rng(0)
x, t = np.array([[-2.0], [-1.0], [-0.5], [0.5], [1.0], [2.5]]), np.array([0, 0, 1, 0, 1, 1])
X = rng.standard_normal((60, 2))
COUNTS = rng.poisson(np.exp(0.5 + X @ [0.4, -0.3]))
LABELS = (X @ [1.0, -1.0] + rng.logistic(size=60) > 0).astype(int)


SHORT = pytest.mark.filterwarnings("ignore::suffice._core.errors.NotConverged")


def skewed(x):
    return -x[0] - np.exp(-x[0]) - 0.5 * (x[1] - 0.5 * x[0]) ** 2


def slope(x):
    lean = x[1] - 0.5 * x[0]
    return np.array([-1 + np.exp(-x[0]) + 0.5 * lean, -lean])


def test_nuts_has_the_moments_of_quadrature():
    exact = quadrature(skewed, [0.0, 0.0])
    found = nuts(skewed, [0.0, 0.0], slope, 1500, burn_in=300, random_state=0)
    assert found.how == "NUTS"
    assert np.all(np.abs(found.mean - exact.mean) < 4 * found.mcse)
    both = nuts(lambda x: (skewed(x), slope(x)), [0.0, 0.0], None, 1500, burn_in=300, random_state=0)
    assert np.array_equal(both.draws, found.draws)
    assert found.log_density == pytest.approx(np.array([[skewed(x) for x in c] for c in found.draws]))


def test_nuts_says_what_is_wrong(monkeypatch):
    with pytest.raises(InvalidParameter, match=r"must give \(log g, gradient\)"):
        nuts(skewed, [0.0, 0.0])
    with pytest.raises(InvalidInput, match="must be 2 finite numbers"):
        nuts(skewed, [0.0, 0.0], lambda x: x[:1])
    with pytest.raises(InvalidInput, match="density is zero at the start of chain 0"):
        nuts(lambda x: -np.inf, [0.0], lambda x: x)
    with pytest.raises(InvalidInput, match="log_density gave nan at"):
        nuts(lambda x: np.nan, [0.0], lambda x: x)
    with pytest.raises(
        InvalidParameter, match=r"gradient at \[1.0\] is \[1.0\], but differences .* \[-1|-0.99"
    ):
        nuts(lambda x: -0.5 * x @ x, [1.0], lambda x: x)
    with pytest.raises(InvalidParameter, match="gradient must be a function of a vector; got 1000"):
        nuts(skewed, [0.0, 0.0], 1000)
    monkeypatch.setitem(sys.modules, "nutpie", None)
    with pytest.raises(MissingExtra, match=r"nutpie is not installed; try: pip install 'suffice\[mcmc\]'"):
        nuts(skewed, [0.0, 0.0], slope)


def test_divergences_are_told():
    """A funnel: its neck is too narrow for the step that fits its mouth."""

    def funnel(x):
        gap = x[1] ** 2 * np.exp(-2 * x[0])
        return -(x[0] ** 2) / 18 - 0.5 * gap - x[0], np.array(
            [-x[0] / 9 + gap - 1, -x[1] * np.exp(-2 * x[0])]
        )

    with pytest.warns(NotConverged) as told:
        nuts(funnel, [0.0, 0.0], None, 1000, n_chains=2, burn_in=300, random_state=3)
    assert any("trajectories diverged" in str(w.message) for w in told)


def test_an_error_in_the_density_comes_out():
    def edge(x):
        if x[0] > 1:
            raise ValueError("beyond the edge")
        return -0.5 * float(x @ x)

    with pytest.raises(ValueError, match="beyond the edge"):
        nuts(edge, [0.0], lambda x: -x, 200, burn_in=100, random_state=0)


# -- bridge sampling -------------------------------------------------------------------------------------------------
@SHORT
def test_bridge_sampling_knows_the_integral_and_its_error():
    """Twenty repetitions: the mean within four of its errors, and errors of about the size that is told."""

    def heights(points):
        return np.array([skewed(x) for x in points])

    exact = quadrature(skewed, [0.0, 0.0]).log_normalizer
    gaps, told = [], []
    for seed in range(20):
        draws = metropolis_hastings(heights, [0.0, 0.0], 500, vectorized=True, random_state=seed)
        found = bridge(draws, heights, np.random.default_rng(seed))
        gaps.append(found.log_normalizer - exact)
        told.append(found.error)
    size = float(np.mean(told))
    assert abs(np.mean(gaps)) < 4 * size / np.sqrt(20)
    assert 0.5 < np.std(gaps) / size < 2.0


def test_bridge_sampling_refuses_another_density():
    def heights(points):
        return -0.5 * (points**2).sum(axis=1)

    found = metropolis_hastings(heights, [0.0, 0.0], vectorized=True, random_state=0)
    assert bridge(found.thin(5), heights, 0).log_normalizer == pytest.approx(np.log(2 * np.pi), abs=0.02)
    with pytest.raises(InvalidInput, match="heights must be the log density of the draws"):
        bridge(found, lambda points: heights(points) + 5, 0)
    with pytest.raises(InvalidInput, match="give one number each"):
        bridge(found, lambda points: 0.0, 0)
    with pytest.raises(InvalidInput, match="log_density gave nan"):
        bridge(found, lambda points: np.full(len(points), np.nan), 0)
    with pytest.raises(InvalidInput, match="these samples have none"):
        bridge(Samples(found.draws), heights, 0)


# -- choices of models -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("choice", [MetropolisHastings(6000), NUTS(1500)])
@pytest.mark.parametrize("model", [BayesianLogisticRegression, BayesianPoissonRegression])
def test_draws_agree_with_the_grid(model, choice):
    targets = t if model is BayesianLogisticRegression else np.array([0, 1, 0, 2, 1, 5])
    exact = model(0.5, intercept="prior", inference=Quadrature()).fit(x, targets)
    found = model(0.5, intercept="prior", inference=choice).fit(x, targets)
    assert isinstance(found.posterior_, Samples)
    assert found.posterior_.names == ("intercept", "x0")
    assert np.all(np.abs(found.posterior_.mean - exact.posterior_.mean) < 4 * found.posterior_.mcse)
    assert found.evidence_kind_ == "bridge"
    assert abs(found.log_evidence_ - exact.log_evidence_) < 4 * found.log_evidence_error_
    assert 0 < found.log_evidence_error_ < 0.02
    new = [[0.0], [1.0], [3.0]]
    np.testing.assert_allclose(found.predict(new), exact.predict(new), rtol=0.05)
    np.testing.assert_allclose(found.summary().std_error, exact.summary().std_error, rtol=0.08)
    assert found.effective_parameters_ == pytest.approx(exact.effective_parameters_, abs=0.05)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "name", ["logistic", "poisson", "poisson with offset", "no intercept", "standardized"]
)
def test_machine_code_and_passes_give_the_same_target(name, weighted):
    """What samplers ask is the same function, value and gradient, through the table and through passes."""
    caught = []

    class Caught(LaplaceApproximation):
        def approximate(self, target):
            caught.append(target)
            return super().approximate(target)

    weight = rng.integers(0, 3, 60).astype(float) if weighted else None
    given = {"sample_weight": weight}
    if name.startswith("poisson"):
        model, y = BayesianPoissonRegression(0.7, inference=Caught()), COUNTS
        if "offset" in name:
            given["offset"] = rng.normal(size=60)
    else:
        extra = {
            "logistic": {},
            "no intercept": {"fit_intercept": False},
            "standardized": {"standardize": True},
        }[name]
        model, y = BayesianLogisticRegression(0.7, inference=Caught(), **extra), LABELS
    model.fit(X * [1.0, 30.0], y, **given)
    target = caught[0]
    code = target.compiled()
    b = target.mode + rng.standard_normal((5, target.dim)) @ target.root.T
    np.testing.assert_allclose(code(b), target.log_densities(b), rtol=1e-12)
    with pytest.warns(DeprecationWarning, match="Target.heights is now called log_densities"):
        assert target.heights is target.log_densities
    with pytest.warns(DeprecationWarning, match="Target.slope is now called value_and_gradient"):
        assert target.slope is target.value_and_gradient
    v = rng.standard_normal((5, target.dim))
    log_density, many = target.whitened()
    assert not many
    np.testing.assert_allclose(
        log_density(v), target.log_densities(target.mode + v @ target.root.T), rtol=1e-12
    )
    for one in v:
        value, gradient = target.whitened_slope()(one)
        expected, raw = target.value_and_gradient(target.mode + target.root @ one)
        assert value == pytest.approx(expected, rel=1e-12)
        np.testing.assert_allclose(gradient, target.root.T @ raw, rtol=1e-8, atol=1e-9)


@SHORT
def test_without_machine_code_the_draws_are_the_same(monkeypatch):
    choice = MetropolisHastings(400, burn_in=200)
    fast = BayesianLogisticRegression(1.0, inference=choice).fit(X, LABELS)
    monkeypatch.setattr("suffice.glm._fit.listing.MOST", 0)
    monkeypatch.setattr("suffice.glm._fit.listing.DENSITIES", {})
    slow = BayesianLogisticRegression(1.0, inference=choice).fit(X, LABELS)
    np.testing.assert_allclose(slow.posterior_.draws, fast.posterior_.draws, rtol=1e-8)
    assert slow.log_evidence_ == pytest.approx(fast.log_evidence_, abs=1e-7)


@pytest.mark.slow
@SHORT
@pytest.mark.parametrize("choice", [MetropolisHastings(200, burn_in=200), NUTS(100, 2, 100)])
def test_batches_are_one_table(choice):
    model = BayesianPoissonRegression(1.0, inference=choice)
    whole = clone(model).fit(X, COUNTS)
    parts = engine.fit(clone(model), [(X[:25], COUNTS[:25]), (X[25:], COUNTS[25:])])
    np.testing.assert_allclose(parts.posterior_.draws, whole.posterior_.draws, rtol=1e-6)
    assert parts.log_evidence_ == pytest.approx(whole.log_evidence_, abs=1e-7)


@SHORT
def test_a_fit_repeats_and_is_saved(tmp_path):
    model = BayesianLogisticRegression(inference=MetropolisHastings(300, burn_in=300, seed=4))
    first, second = (model.fit(X, LABELS).posterior_.draws for _ in range(2))
    assert np.array_equal(first, second)
    save(model, tmp_path / "model.suffice")
    back = load(tmp_path / "model.suffice")
    assert np.array_equal(back.posterior_.draws, first)
    assert np.array_equal(back.predict_proba(X), model.predict_proba(X))
    assert back.log_evidence_error_ == model.log_evidence_error_
    boundaries = model.sample_boundaries(5, 0)
    assert boundaries(X).shape == (5, 60)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: MetropolisHastings(n_draws=2), "n_draws must be an integer >= 4; got 2"),
        (lambda: MetropolisHastings(seed=-1), "seed must be an integer >= 0"),
        (lambda: MetropolisHastings(thin=0), "thin must be an integer >= 1"),
        (lambda: NUTS(n_chains=0), "n_chains must be an integer >= 1"),
        (lambda: NUTS(burn_in=0), "burn_in must be an integer >= 1"),
    ],
)
def test_bad_choices(make, message):
    with pytest.raises(InvalidParameter, match=message):
        make()


def test_settings_of_a_choice_by_name():
    model = BayesianLogisticRegression(inference="nuts").set_params(inference__n_draws=50)
    assert model.inference == NUTS(50)
    model.set_params(inference="metropolis-hastings", inference__seed=3)
    assert model.inference == MetropolisHastings(seed=3)


def test_predictions_use_as_many_draws_as_tell_anything():
    model = BayesianLogisticRegression(1.0, inference=MetropolisHastings(20_000)).fit(X, LABELS)
    found, all_draws = model.approximation_, model.approximation_.functions
    assert 1000 <= len(found._enough) < len(all_draws) / 2
    Z = np.column_stack([np.ones(60), rng.standard_normal((60, 2))])
    few, every = found.along(Z).mean(np.tanh), np.tanh(Z @ all_draws.T).mean(axis=1)
    np.testing.assert_allclose(few, every, atol=0.02)


@pytest.mark.long
def test_fifty_weights_by_nuts():
    n = 1000
    wide = np.random.default_rng(1).standard_normal((n, 49))
    labels = (
        wide @ np.random.default_rng(2).normal(0, 0.4, 49) + np.random.default_rng(3).logistic(size=n) > 0
    ).astype(int)
    found = BayesianLogisticRegression(1.0, inference=NUTS()).fit(wide, labels)
    assert found.posterior_.r_hat.max() < 1.01
    assert abs(found.log_evidence_ - found.laplace_.log_evidence) < 2.0
