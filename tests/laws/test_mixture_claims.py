"""What the texts claim of mixtures and EM; the number is that of the claim (FCML 16–18, DTU 19, Herbst 30–31)."""

from __future__ import annotations

import warnings
from itertools import permutations

import numpy as np
import pytest
from scipy.special import xlogy
from sklearn.model_selection import KFold

from suffice._core.errors import AtBound, NotConverged
from suffice.distributions import Beta, MultivariateNormal
from suffice.inference import gradient, lloyd
from suffice.mixtures import BernoulliMixture, GaussianMixture

CENTERS = np.array([[0.0, 0.0], [5.0, 1.0], [1.0, 6.0]])
SHAPES = ("full", "tied", "diag", "spherical", "identity")


def clouds(seed, n=90, spread=1.0, centers=CENTERS):
    """Rows around centers, a third each."""
    rng = np.random.default_rng(seed)
    return centers[np.arange(n) % len(centers)] + spread * rng.standard_normal((n, centers.shape[1]))


def quiet(model, X):
    """A fit that need not converge, and may collapse."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)
        warnings.simplefilter("ignore", AtBound)
        return model.fit(X)


def as_start(weights, means, covariances):
    return {"weights_init": weights, "means_init": means, "precisions_init": np.linalg.inv(covariances)}


def joint_logs(model, X):
    """log π_k N(x_n | μ_k, Σ_k), by the distributions."""
    parts = zip(model.weights_, model.means_, model.covariances_, strict=True)
    return np.stack([np.log(w) + MultivariateNormal(m, c).log_prob(X) for w, m, c in parts], axis=1)


def bound(model, X, shares):
    """B of FCML eq. 6.8."""
    return float((shares * joint_logs(model, X)).sum() - xlogy(shares, shares).sum())


# -- FCML 16: likelihood and bound --------------------------------------------------------------------------------
@pytest.mark.parametrize("missing", [0.0, 0.2], ids=["complete", "missing"])
@pytest.mark.parametrize("shape", SHAPES)
def test_fcml_16_the_likelihood_never_falls_and_the_bound_lies_between_its_values(shape, missing):
    """L(before) ≤ B(r, after) ≤ L(after): the M-step raises the bound, the E-step closes the gap (DTU 19.12, 19.13)."""
    X = clouds(0, 60)
    X[np.random.default_rng(1).random(X.shape) < missing] = np.nan
    options = {"covariance_type": shape, "init_params": "random", "reg_covar": 0, "tol": 0, "max_iter": 30}
    for seed in range(3):
        trace = quiet(GaussianMixture(3, random_state=seed, **options), X).trace_
        L, B = trace.columns["likelihood"], trace.columns["bound"]
        rounding = 1e-9 * np.abs(L[1:])
        assert len(trace.falls()) == 0
        assert np.all(B[1:] <= L[1:] + rounding)
        assert np.all(B[1:] >= L[:-1] - rounding)
        assert L[-1] > L[0]


def test_fcml_16_the_bound_touches_the_likelihood_at_the_responsibilities_and_nowhere_else():
    X = clouds(2)
    model = quiet(GaussianMixture(3, max_iter=3, random_state=0), X)
    L, r = model.score(X) * len(X), model.predict_proba(X)
    assert bound(model, X, r) == pytest.approx(L, rel=1e-12)
    rng = np.random.default_rng(3)
    for mix in (1e-3, 0.1, 1.0):
        others = (1 - mix) * r + mix * rng.dirichlet(np.ones(3), len(X))
        assert bound(model, X, others) < L - 1e-7


def test_fcml_16_the_m_step_is_where_the_bound_is_flat():
    """Eqs 6.10 and 6.11, whose derivatives use those of log |C| and aᵀC⁻¹b."""
    X = clouds(4, 30)
    start = quiet(GaussianMixture(2, max_iter=1, random_state=0), X)
    r = start.predict_proba(X)[:, 0]
    after = as_start(start.weights_, start.means_, start.covariances_)
    stepped = quiet(GaussianMixture(2, max_iter=1, reg_covar=0, tol=0, **after), X)
    mean, S = stepped.means_[0], stepped.covariances_[0]

    def expected(theta):
        cov = np.array([[theta[2], theta[3]], [theta[3], theta[4]]])
        return r @ MultivariateNormal(theta[:2], cov).log_prob(X)

    best = np.array([*mean, S[0, 0], S[0, 1], S[1, 1]])
    assert np.abs(gradient(expected, best)).max() < 1e-6
    assert np.abs(gradient(expected, best + 0.1)).max() > 0.1


def test_fcml_16_names_of_components_do_not_matter():
    X = clouds(5)
    model = GaussianMixture(3, random_state=0).fit(X)
    for order in permutations(range(3)):
        at = list(order)
        renamed = GaussianMixture.of(model.weights_[at], model.means_[at], model.covariances_[at])
        np.testing.assert_allclose(renamed.score_samples(X), model.score_samples(X), rtol=1e-12)
        np.testing.assert_allclose(renamed.predict_proba(X), model.predict_proba(X)[:, at], atol=1e-10)


def halved(model):
    """A start of one component more, that is the same mixture: the heaviest in two halves, a little apart."""
    k = int(np.argmax(model.weights_))
    weights = np.append(model.weights_, model.weights_[k] / 2)
    weights[k] /= 2
    nudge = 0.3 * np.sqrt(np.diag(model.covariances_[k]))
    means = np.vstack([model.means_, model.means_[k] + nudge])
    means[k] -= nudge
    return as_start(weights, means, np.concatenate([model.covariances_, model.covariances_[k : k + 1]]))


def test_fcml_16_dtu_19_training_rows_always_want_more_components_new_rows_do_not():
    """Each start is nearly the fit before it, so no K is worse than the last; the truth has three components."""
    X, new = clouds(6, 45), clouds(7, 600)
    model = GaussianMixture(1).fit(X)
    training, held_out = [model.score(X)], [model.score(new)]
    for K in range(2, 9):
        model = quiet(GaussianMixture(K, max_iter=300, tol=1e-6, **halved(model)), X)
        training.append(model.score(X))
        held_out.append(model.score(new))
    assert np.all(np.diff(training) > 0)
    assert 1 + int(np.argmax(held_out)) in (2, 3, 4)
    assert held_out[-1] < max(held_out) - 0.1


def test_fcml_16_cross_validation_finds_a_range_of_numbers():
    """Fig. 6.12 (C6.8): held-out likelihood of 100 rows in three groups points to three or a few more, not to fewer."""
    X = clouds(8, 100, spread=0.7)
    folds = list(KFold(10, shuffle=True, random_state=0).split(X))
    numbers = (1, 2, 3, 4, 6, 9)
    models = [GaussianMixture(K, reg_covar=0.01, random_state=0) for K in numbers]
    scores = np.array([[quiet(m, X[train]).score(X[test]) for train, test in folds] for m in models])
    mean = scores.mean(axis=1)
    better = scores[2] - scores[:2]  # three against one and two, fold by fold
    assert 3 <= numbers[int(np.argmax(mean))] <= 8
    assert np.all(better.mean(axis=1) > 2 * better.std(axis=1, ddof=1) / np.sqrt(10))
    assert mean[-1] < mean.max()


# -- FCML 17: k-means ---------------------------------------------------------------------------------------------
def test_fcml_17_hard_responsibilities_and_unit_covariances_are_k_means():
    """One step from equal weights is one pass of Lloyd's algorithm, all the way to its end."""
    X = clouds(9, 60, spread=2.0)
    centers, passes = X[:3].copy(), 0
    while True:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotConverged)
            wanted = lloyd(X, centers, max_iter=2).centers
        model = GaussianMixture(
            3,
            covariance_type="identity",
            hard=True,
            max_iter=1,
            tol=0,
            weights_init=np.full(3, 1 / 3),
            means_init=centers,
            precisions_init=np.ones(3),
        )
        found = quiet(model, X).means_
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
        if np.allclose(found, centers, rtol=1e-12):
            break
        centers, passes = found, passes + 1
    assert passes >= 3
    np.testing.assert_allclose(centers, lloyd(X, X[:3]).centers, rtol=1e-12)


def test_fcml_6_10_long_clusters_are_halved_by_k_means_and_found_by_a_mixture():
    rng = np.random.default_rng(10)
    side = np.arange(200) % 2
    X = np.column_stack([2.0 * side - 1, np.zeros(200)]) + rng.standard_normal((200, 2)) * [0.3, 6.0]
    by_means = lloyd(X, [[0.0, -5.0], [0.0, 5.0]]).labels
    start = as_start([0.5, 0.5], [[-2.0, 0.0], [2.0, 0.0]], np.tile(4 * np.eye(2), (2, 1, 1)))
    by_mixture = GaussianMixture(2, **start).fit(X).predict(X)
    assert abs(np.mean(by_means == side) - 0.5) < 0.1
    assert np.mean(by_mixture == side) > 0.99


# -- FCML 18: MAP -------------------------------------------------------------------------------------------------
def binary_rows(seed, n=40):
    rng = np.random.default_rng(seed)
    chances = np.array([[0.9, 0.9, 0.1, 0.0], [0.1, 0.2, 0.9, 0.0]])
    return (rng.random((n, 4)) < chances[np.arange(n) % 2]).astype(float)


def test_fcml_18_a_flat_prior_is_none():
    X = binary_rows(0)
    flat, none = (
        BernoulliMixture(2, prior=prior, tol=1e-9, random_state=0).fit(X) for prior in (Beta(1, 1), None)
    )
    np.testing.assert_allclose(flat.probabilities_, none.probabilities_, rtol=1e-12)
    np.testing.assert_allclose(flat.trace_.objective, none.trace_.objective, rtol=1e-12)


@pytest.mark.parametrize(("a", "b"), [(2.0, 2.0), (1.1, 3.0), (4.0, 1.5)])
def test_fcml_18_with_a_prior_every_probability_is_inside_and_every_row_possible(a, b):
    """Bounds of E6, with the rows of each component; without a prior the fourth column is never 1."""
    X, new = binary_rows(1), np.array([[1.0, 0.0, 1.0, 1.0]])
    model = BernoulliMixture(2, prior=Beta(a, b), tol=1e-12, random_state=0).fit(X)
    n = model.weights_[:, None] * len(X)
    p = model.probabilities_
    assert np.all((p > 0) & (p < 1))
    assert np.all(p >= (a - 1) / (a + b - 2 + n) - 1e-6)
    assert np.all(p <= (a - 1 + n) / (a + b - 2 + n) + 1e-6)
    assert len(model.trace_.falls()) == 0
    assert np.isfinite(model.score_samples(new))
    likeliest = BernoulliMixture(2, tol=1e-9, random_state=0).fit(X)
    assert np.all(likeliest.probabilities_[:, 3] == 0)
    assert likeliest.score_samples(new) == -np.inf


# -- DTU 19 -------------------------------------------------------------------------------------------------------
def test_dtu_19_the_masses_of_the_components_add_to_the_rows():
    X = clouds(11, 50)
    before = quiet(GaussianMixture(3, max_iter=0, random_state=0), X)
    after = quiet(GaussianMixture(3, max_iter=1, random_state=0), X)
    mass = before.predict_proba(X).sum(axis=0)
    assert mass.sum() == pytest.approx(50, rel=1e-12)
    np.testing.assert_allclose(after.weights_, mass / 50, rtol=1e-10)


def on_a_row(X):
    """A start whose second component sits on the first row."""
    return as_start([0.5, 0.5], [X.mean(axis=0), X[0]], [np.cov(X.T), 1e-3 * np.eye(2)])


def test_dtu_19_without_regularization_a_component_collapses_on_a_row():
    """§19.2.2: better than one normal density on its rows, worse on new ones; λ > 0 prevents it."""
    X, new = clouds(12, 24), clouds(13, 300)
    with pytest.warns(AtBound, match=r"a floor holds up the variance of component 1 \(weight 0.0417\)"):
        collapsed = GaussianMixture(2, reg_covar=0, max_iter=500, **on_a_row(X)).fit(X)
    one = GaussianMixture(1).fit(X)
    assert np.linalg.eigvalsh(collapsed.covariances_[1]).max() < 1e-9
    assert collapsed.score(X) > one.score(X) + 0.5
    assert collapsed.score(new) < one.score(new)
    held = quiet(GaussianMixture(2, reg_covar=0.3, max_iter=500, **on_a_row(X)), X)
    assert np.linalg.eigvalsh(held.covariances_[1]).min() >= 0.3


def test_dtu_19_with_regularization_the_likelihood_may_fall_and_the_trace_says_so():
    """From the likeliest parameters a step with λ > 0 can only go down; the fit goes on until it stands still."""
    X = clouds(14, 60)
    best = GaussianMixture(3, reg_covar=0, tol=1e-10, max_iter=500, random_state=0).fit(X)
    start = as_start(best.weights_, best.means_, best.covariances_)
    model = GaussianMixture(3, reg_covar=0.5, tol=1e-8, max_iter=1000, **start).fit(X)
    assert 1 in model.trace_.falls()
    assert model.converged_
    assert model.n_iter_ > 1
    assert model.score(X) < best.score(X)


def test_dtu_19_starts_from_k_means_help():
    """Five groups, ten tables: how often a single start ends as high as any of the three."""
    centers = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0], [6.0, 6.0], [3.0, 12.0]])
    tables = [clouds(100 + seed, 75, centers=centers) for seed in range(10)]
    options = {"reg_covar": 0.01, "tol": 1e-6, "max_iter": 1000}
    found = np.array(
        [
            [
                quiet(GaussianMixture(5, init_params=how, random_state=seed, **options), X).lower_bound_
                for seed, X in enumerate(tables)
            ]
            for how in ("kmeans", "random_from_data", "random")
        ]
    )
    reached = np.mean(found > found.max(axis=0) - 0.02, axis=1)
    assert reached[0] >= 0.8
    assert np.all(reached[1:] <= 0.5)


# -- Herbst 30 and 31 ---------------------------------------------------------------------------------------------
def test_herbst_30_the_likelihood_has_no_upper_limit_and_that_of_one_normal_density_has():
    """§7.2: a component of width σ on a row adds −log σ in the end; alone it is worst there."""
    X = np.array([0.0, 1.0, 2.0, 3.0])[:, None]
    narrow = 10.0 ** -np.arange(1, 7)
    two, one = (
        np.array([GaussianMixture.of(*parts(s)).score(X) * 4 for s in narrow])
        for parts in (
            lambda s: ([0.5, 0.5], [[0.0], [1.5]], [[[s**2]], [[1.44]]]),
            lambda s: ([1.0], [[0.0]], [[[s**2]]]),
        )
    )
    np.testing.assert_allclose(np.diff(two)[2:], np.log(10), rtol=1e-3)
    assert np.all(np.diff(one) < -100)
    likeliest = GaussianMixture(1, reg_covar=0).fit(X)
    assert likeliest.score(X) * 4 > one[0]
    np.testing.assert_allclose(
        [likeliest.means_[0, 0], likeliest.covariances_[0, 0, 0]], [1.5, 1.25], rtol=1e-12
    )


def test_herbst_31_em_ends_on_hills_of_different_height():
    """§7.3: two starts, two stationary points of the likelihood; a step does not reach either at once."""
    X = clouds(15, 60, centers=np.array([[0.0], [4.0], [9.0]]))
    ends = []
    for means, variances in (([[0.0], [6.5]], [1.0, 9.0]), ([[2.0], [9.0]], [6.0, 1.0])):
        start = as_start([0.5, 0.5], means, np.reshape(variances, (2, 1, 1)))
        model = GaussianMixture(2, reg_covar=0, tol=1e-14, max_iter=5000, **start).fit(X)

        def total(theta, model=model):
            moved = GaussianMixture.of([theta[4], 1 - theta[4]], theta[:2, None], theta[2:4, None, None])
            return moved.score(X) * len(X)

        theta = np.array([*model.means_[:, 0], *model.covariances_[:, 0, 0], model.weights_[0]])
        assert np.abs(gradient(total, theta)).max() < 1e-3
        assert model.n_iter_ > 5
        ends.append(model.lower_bound_)
    assert abs(ends[0] - ends[1]) > 0.01


def test_herbst_17_responsibilities_of_draws_are_honest():
    """Example 17: of the rows that a component answers for by r, a share r came from it."""
    model = GaussianMixture.of([0.2, 0.3, 0.5], CENTERS / 3, np.tile(np.eye(2), (3, 1, 1)))
    X, z = model.sample(4000, random_state=0)
    r = model.predict_proba(X)
    gap = np.eye(3)[z] - r
    for weight in (np.ones_like(r), r, r < 0.3, r > 0.7):
        terms = gap * weight
        assert np.all(np.abs(terms.mean(axis=0)) < 4 * terms.std(axis=0) / np.sqrt(len(X)))
