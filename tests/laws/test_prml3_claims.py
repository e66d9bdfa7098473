"""What PRML chapter 3 claims and no other file of laws holds; the number is that of the claim."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice._core.errors import AtBound
from suffice.bases import GaussianBasis, Polynomial
from suffice.datasets import noisy_line, sinusoid
from suffice.evaluation import expected_bayes_factor, occam
from suffice.linear import (
    BayesianLinearRegression,
    Ridge,
    evidence_path,
    large_sample_precisions,
    weight_surface,
)

SEEDS = st.integers(0, 2**31)
BUMPS = GaussianBasis(np.linspace(0, 1, 9), width=0.1)


# -- penalties ------------------------------------------------------------------------------------------
@given(SEEDS)
def test_minimizing_over_the_penalty_too_leaves_none(seed):  # P10
    """min over w of SSE + λ wᵀw rises with λ, so the joint minimum is at λ = 0."""
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((15, 3)), rng.standard_normal(15)
    totals = [
        np.sum((y - m.predict(X)) ** 2) + lam * (m.coef_ @ m.coef_)
        for lam in (0.0, 1e-3, 0.1, 1.0, 10.0)
        for m in [Ridge(lam).fit(X, y)]
    ]
    assert np.all(np.diff(totals) > 0)


# -- the posterior --------------------------------------------------------------------------------------
def test_no_rows_leave_the_prior_and_many_leave_the_truth():  # P15
    model = BayesianLinearRegression.book(2.0, 25.0)
    before = model.sample_functions(20_000, 0)(np.array([[0.0], [1.0]]))
    w = np.column_stack([before[:, 0], before[:, 1] - before[:, 0]])
    # a variance of 20,000 normal draws has the relative standard error √(2/20,000) = 1 %
    np.testing.assert_allclose(np.cov(w.T), np.eye(2) / 2, atol=5 * 0.01 * 0.5)
    spreads = []
    for n in (10, 1000, 100_000):
        data = noisy_line(n, -0.3, 0.5, 0.2, -1, 1, random_state=7)
        posterior = BayesianLinearRegression.book(2.0, 25.0).fit(data.X, data.y).posterior_
        spreads.append(np.sqrt(np.diag(posterior.cov)))
        assert np.all(np.abs(posterior.mean - [-0.3, 0.5]) < 4 * spreads[-1])
    # ever narrower, as 1/√N
    np.testing.assert_allclose(spreads[1] / spreads[2], 10, rtol=0.05)
    assert np.all(spreads[2] < 2e-3)


def test_uncertainty_is_smallest_near_the_data():  # P17
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(0.2, 0.3, 10), rng.uniform(0.7, 0.8, 10)])[:, None]
    model = BayesianLinearRegression.book(2.0, 25.0, basis=BUMPS).fit(x, np.sin(2 * np.pi * x[:, 0]))
    std = model.predict_dist(np.array([[0.25], [0.75], [0.5], [0.0], [1.0]])).std
    assert std[:2].max() < std[2:].min()


@given(SEEDS, st.floats(-2, 2), st.floats(1, 100))
def test_one_row_is_a_ridge_of_the_likelihood(seed, x, beta):  # P33
    """Constant along the lines through (x, y + const): it constrains b + w x, to within 1/√β, and nothing else."""
    y = float(np.random.default_rng(seed).normal())
    model = BayesianLinearRegression.book(1.0, beta).fit([[0.0], [1.0]], [0.0, 1.0])
    w = np.linspace(-1, 1, 5)
    surface = weight_surface(model, first=np.linspace(-3, 3, 61), second=w, rows=([[x]], [y]))
    gap = y - surface.first[None, :] - w[:, None] * x
    expected = 0.5 * np.log(beta / (2 * np.pi)) - 0.5 * beta * gap**2
    np.testing.assert_allclose(surface.log_likelihood, expected, rtol=1e-7, atol=1e-7)


def test_gaussian_noise_has_one_peak_where_there_may_be_no_data():  # P31
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, (200, 1))
    y = np.where(rng.random(200) < 0.5, 1.0, -1.0) + 0.05 * rng.standard_normal(200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AtBound)  # x explains nothing here, and the model says so
        d = BayesianLinearRegression().fit(x, y).predict_dist(np.zeros((1, 1)))
    t = np.linspace(-2, 2, 401)
    height = d.prob(t[:, None])[:, 0]
    assert np.sum(np.diff(np.sign(np.diff(height))) < 0) == 1
    assert abs(t[np.argmax(height)]) < 0.2
    assert np.abs(y).min() > 0.7  # nothing was ever observed near the peak


# -- evidence -------------------------------------------------------------------------------------------
def test_the_right_model_is_favored_over_simpler_and_richer_ones_on_average():  # P21, P22
    X = np.linspace(-1, 1, 12)[:, None]

    def model(k):
        return BayesianLinearRegression.book(1.0, 11.1, basis=Polynomial(k))

    means = [expected_bayes_factor(model(2), model(k), X, n=500).mean for k in range(6)]
    assert means[2] == pytest.approx(0, abs=1e-9)
    assert min(means[:2] + means[3:]) > 0
    assert means[0] > means[1] > means[3]  # too few weights cost more than one too many
    assert np.all(np.diff(means[2:]) > 0)


def test_the_price_of_parameters_grows_with_their_number():  # P21
    """The log Occam factor falls with every order; once the truth is reached, the fit hardly pays for it."""
    data = sinusoid(60, 0.3, random_state=3)
    found = [
        occam(BayesianLinearRegression.book(1e-3, 11.1, basis=Polynomial(k)).fit(2 * data.X - 1, data.y))
        for k in range(9)
    ]
    price = np.array([f.log_factor for f in found])
    assert np.all(np.diff(price) < 0)
    best = int(np.argmax([f.log_evidence for f in found]))
    assert 3 <= best <= 6
    assert found[8].log_likelihood > found[best].log_likelihood


@pytest.mark.slow
def test_order_four_wins_on_most_sets_like_those_of_figure_3_14():  # E15, D-E1
    """2000 sets of the inventory: order 4 won 1472 times, order 3 305. Here 80; bounds are four standard errors."""
    x = np.linspace(0, 1, 10)[:, None]
    rng = np.random.default_rng(5)
    wins = [
        evidence_path(
            BayesianLinearRegression.book(5e-3, 11.1),
            x,
            np.sin(2 * np.pi * x[:, 0]) + 0.3 * rng.standard_normal(10),
            "order",
            range(10),
        ).best
        for _ in range(80)
    ]
    for order, rate in ((4, 1472 / 2000), (3, 305 / 2000)):
        share = np.mean(np.equal(wins, order))
        assert abs(share - rate) < 4 * np.sqrt(rate * (1 - rate) / 80)


@pytest.mark.slow
def test_noise_alone_drives_the_prior_precision_to_its_bound():  # D-E4: 120 of 200
    """Targets that x does not explain: in most sets the evidence is largest with no weights at all."""
    x, rng, hits = np.linspace(0, 1, 10)[:, None], np.random.default_rng(6), 0
    for _ in range(100):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            BayesianLinearRegression(basis=Polynomial(3)).fit(x, rng.standard_normal(10))
        hits += any(w.category is AtBound for w in told)
    assert 40 <= hits <= 80  # 60 expected, standard error 5


@pytest.mark.slow
def test_precisions_from_training_rows_are_nearly_the_best_on_new_ones():  # P24, P28
    """Averaged over 30 sets the test error at the evidence's α is within 10 % of the best on a grid."""
    test = sinusoid(1000, 0.3, random_state=99)
    grid = np.exp(np.linspace(-6, 6, 25))
    chosen, errors = [], []
    for seed in range(30):
        data = sinusoid(25, 0.3, random_state=seed)
        fits = [BayesianLinearRegression.book(a, 11.1, basis=BUMPS).fit(data.X, data.y) for a in grid]
        errors.append([np.mean((test.y - m.predict(test.X)) ** 2) for m in fits])
        own = BayesianLinearRegression.book("evidence", 11.1, basis=BUMPS).fit(data.X, data.y)
        chosen.append(np.mean((test.y - own.predict(test.X)) ** 2))
    means = np.mean(errors, axis=0)
    assert np.mean(chosen) < 1.10 * means.min()
    assert means[0] > 1.2 * means.min()  # the grid reaches far enough on both sides to be wrong
    assert means[-1] > 1.2 * means.min()


def test_the_shortcut_needs_many_rows_per_weight():  # P26
    data = sinusoid(10_000, 0.3, random_state=0)
    found = [
        large_sample_precisions(BayesianLinearRegression.book(basis=BUMPS).fit(data.X[:n], data.y[:n]))
        for n in (100, 1000, 10_000)
    ]
    assert np.all(np.diff([f.determined for f in found]) > 0)
    assert np.all(np.diff([f.prior_error for f in found]) < 0)
    assert np.all(np.diff([f.noise_error for f in found]) < 0)
    assert found[-1].noise_error < 2e-3


# -- fixed bases ----------------------------------------------------------------------------------------
def grid_basis(d, per_axis=4):
    axes = np.meshgrid(*[np.linspace(0, 1, per_axis)] * d)
    return GaussianBasis(np.column_stack([a.ravel() for a in axes]), width=1 / 3)


def test_a_grid_of_bumps_grows_exponentially_with_the_dimension():  # P27
    rng = np.random.default_rng(0)
    sizes = []
    for d in (1, 2, 3):
        X = rng.random((2, d))
        sizes.append(grid_basis(d)(X).shape[1])
    assert sizes == [4, 16, 64]


def test_without_such_growth_most_of_space_is_far_from_every_bump():  # P27
    """Sixteen bumps on the diagonal of the cube: the largest of them at a random point falls with the dimension."""
    rng = np.random.default_rng(1)
    reach = []
    for d in (1, 2, 4, 8):
        basis = GaussianBasis(np.repeat(np.linspace(0, 1, 16)[:, None], d, axis=1), width=0.25)
        reach.append(np.median(basis(rng.random((500, d))).max(axis=1)))
    assert np.all(np.diff(reach) < 0)
    assert reach[0] > 0.98
    assert reach[-1] < 0.1


def test_bumps_at_the_data_follow_a_curve_through_many_dimensions():  # P27, §3.6
    """Data near a curve in five dimensions need bumps along the curve alone."""
    rng = np.random.default_rng(2)
    s = rng.random(200)
    X = np.column_stack([np.cos(k * s) for k in range(1, 6)]) + 0.01 * rng.standard_normal((200, 5))
    y = np.sin(2 * np.pi * s) + 0.1 * rng.standard_normal(200)
    model = BayesianLinearRegression(basis=GaussianBasis.at_data(20, width=0.5)).fit(X[:150], y[:150])
    error = np.mean((y[150:] - model.predict(X[150:])) ** 2)
    assert error < 2.5 * 0.01  # noise of variance 0.01
    few = BayesianLinearRegression(basis=GaussianBasis.at_data(4, width=0.5)).fit(X[:150], y[:150])
    assert np.mean((y[150:] - few.predict(X[150:])) ** 2) > error
