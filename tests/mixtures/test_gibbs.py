"""Collapsed Gibbs sampling against enumeration of all labellings, brute force, and simulation from the model."""

import itertools
from functools import cache
from unittest import SkipTest

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammaln, logsumexp
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import estimator_checks_generator

import suffice
from suffice._core.compiling import loops
from suffice._core.errors import InvalidInput, InvalidParameter, NotConverged, RankDeficient, Unsupported
from suffice.distributions import Dirichlet, NormalInverseWishart
from suffice.inference import diagnostics
from suffice.mixtures import GibbsGaussianMixture
from suffice.mixtures._gibbs import _twins, problem, summaries
from suffice.mixtures._gibbs.problem import LOOPS, GibbsProblem, Parts
from suffice.mixtures._gibbs.sampler import DrawingPlan, sample_chain

pytestmark = pytest.mark.filterwarnings("ignore::suffice._core.errors.NotConverged")  # chains are short here

PRIOR = NormalInverseWishart([0.5], 0.3, [[0.4]], 2.5)
PLANE = NormalInverseWishart([0.0, 1.0], 0.5, [[1.0, 0.3], [0.3, 0.5]], 4.0)
LINE = np.array([[-1.0], [-0.8], [0.1], [0.9], [1.4], [1.5]])
SPOTS = np.array([[-1.0, 0.0], [-0.7, 0.4], [0.2, 1.0], [1.1, 1.5], [1.4, 2.2], [0.0, 3.0]])


@pytest.fixture
def compiled(monkeypatch):
    """Compiled loops, however small the task."""
    monkeypatch.setattr(problem, "MANY", 0)


def log_joint(labels, log_evidence, concentration, K):
    """log p(z, X) from the evidence of each component's rows."""
    share = concentration / K
    counts = np.bincount(labels, minlength=K)
    of_labels = gammaln(concentration) - gammaln(concentration + len(labels))
    of_labels += np.sum(gammaln(counts + share) - gammaln(share))
    return of_labels + sum(log_evidence(tuple(np.flatnonzero(labels == k))) for k in np.flatnonzero(counts))


def two_clouds(n=40, seed=0, gap=6.0):
    rng = np.random.default_rng(seed)
    side = np.repeat([0, 1], n // 2)
    return rng.normal(size=(n, 2)) + gap * side[:, None], side


# -- the sampler ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("X", "prior", "K"), [(LINE, PRIOR, 2), (LINE, PRIOR, 3), (SPOTS, PLANE, 2), (SPOTS, PLANE, 3)]
)
def test_posterior_is_that_of_enumeration(X, prior, K, compiled):
    everything = np.array(list(itertools.product(range(K), repeat=len(X))), dtype=np.int16)
    posed = GibbsProblem.of(X, prior, 1.3, K)
    log_evidence = cache(lambda rows: prior.log_evidence(X[list(rows)]))
    exact = np.array([log_joint(z, log_evidence, 1.3, K) for z in everything])
    np.testing.assert_allclose(posed.log_joint(Parts.of(posed, everything)), exact, rtol=1e-11)
    p = np.exp(exact - logsumexp(exact))
    chains = [
        sample_chain(posed, DrawingPlan(2500, 20, 4, 2), np.random.default_rng(seed)) for seed in range(4)
    ]
    powers = K ** np.arange(len(X))[::-1]
    codes = np.array([chain.labels @ powers for chain in chains])  # the place of a labelling in `everything`
    likely = np.flatnonzero(p > 0.002)
    assert p[likely].sum() > 0.5
    hits = (codes == likely[:, None, None]).astype(float)
    z = (hits.mean(axis=(1, 2)) - p[likely]) / diagnostics.mcse_mean(hits)
    assert np.abs(z).max() < 4.5  # of about a hundred; P(|z| > 4.5) < 1e-5 each
    assert 0.5 < np.sqrt(np.mean(z**2)) < 1.6
    heights = np.concatenate([chain.log_joint for chain in chains])
    np.testing.assert_allclose(heights, exact[codes.ravel()], rtol=1e-10)


def test_splits_and_merges_alone_have_the_same_posterior():
    """Of all labellings of five rows by four names, without any row moving by itself."""
    X, K, rng = LINE[:5], 4, np.random.default_rng(0)
    posed = GibbsProblem.of(X, PRIOR, 3.0, K)
    everything = np.array(list(itertools.product(range(K), repeat=5)), dtype=np.int16)
    exact = posed.log_joint(Parts.of(posed, everything))
    p = np.exp(exact - logsumexp(exact))
    parts = _twins.GibbsComponents(
        posed.X, np.zeros(5, dtype=np.int16), posed.table, posed.strength, posed.dof, K
    )
    state = (parts.counts, parts.means, parts.factors, parts.halves, np.empty(1), np.empty(5, dtype=bool))
    codes, fixed = np.empty((4, 2500), dtype=int), (posed.table, parts.sums, posed.strength, posed.dof)
    for place in np.ndindex(codes.shape):
        for _ in range(2):
            u = rng.random(10)
            loops(LOOPS).split_or_merge(posed.X, np.arange(5), parts.labels, u, *fixed, *state)
        codes[place] = parts.labels @ K ** np.arange(5)[::-1]
    names = np.array(
        [np.bincount(np.unique(z, return_inverse=True)[1]).max() * 10 + len(set(z)) for z in everything]
    )
    for kind in np.unique(names):  # rows of the largest cluster, and number of clusters
        hits = (names[codes] == kind).astype(float)
        assert abs(hits.mean() - p[names == kind].sum()) < 4 * diagnostics.mcse_mean(hits)


@pytest.mark.parametrize("case", ["plain", "outlier", "equal rows", "many columns", "far"])
def test_a_step_draws_from_the_exact_conditional(case, compiled):
    """The labels of one row for a grid of uniform numbers are the inverse of its distribution function."""
    rng = np.random.default_rng(3)
    D, K = (7, 4) if case == "many columns" else (2, 4)
    X = rng.normal(size=(30, D))
    X[0] = 1e7 if case == "outlier" else X[0]
    X[:20] = X[0] if case == "equal rows" else X[:20]
    X += 1e8 if case == "far" else 0.0
    posed = GibbsProblem.of(
        X, NormalInverseWishart(np.full(D, 1e8 * (case == "far")), 0.1, np.eye(D), D + 1.0), 2.0, K
    )
    labels = rng.integers(K - 1, size=30).astype(np.int16)  # one component is empty
    others = np.array([np.where(np.arange(30) == 0, k, labels) for k in range(K)], dtype=np.int16)
    heights = posed.log_joint(Parts.of(posed, others))
    edges = np.cumsum(np.exp(heights - logsumexp(heights)))
    fixed = (posed.table, posed.strength, posed.dof, K)
    for u in np.clip(np.concatenate([edges - 1e-5, edges + 1e-5, [0.0, 0.5]]), 0, 1 - 1e-12):
        moved, out = labels.copy(), np.empty((1, 30), dtype=np.int16)
        loops(LOOPS).passes(posed.X, np.array([0]), moved, np.full((1, 30), u), *fixed, out)
        assert moved[0] == min(np.searchsorted(edges, u, side="right"), K - 1)
        assert np.array_equal(moved[1:], labels[1:])
        assert np.array_equal(out[0], moved)


@pytest.mark.parametrize(("D", "K", "spread"), [(1, 3, 1.0), (3, 4, 1.0), (2, 20, 1.0), (2, 3, 30.0)])
def test_compiled_and_twin_draw_the_same_labels(D, K, spread):
    rng = np.random.default_rng(D + K)
    X = rng.standard_t(1.5, size=(15, D)) * spread
    X[3:6] = X[2]
    posed = GibbsProblem.of(X, NormalInverseWishart(np.zeros(D), 0.2, np.eye(D), D + 1.5), 1.0, K)
    uniforms, order = rng.random((20, 15 + 2 * 20)), rng.permutation(15)
    start = np.full(15, -1, dtype=np.int16)
    found = []
    for module in (loops(LOOPS), _twins):
        labels, out = start.copy(), np.empty((20, 15), dtype=np.int16)
        fixed = (posed.table, posed.strength, posed.dof, K)
        module.passes(posed.X, order, labels, uniforms, *fixed, out)
        assert np.array_equal(out[-1], labels)
        found.append(out)
    assert np.array_equal(*found)
    assert found[0].min() >= 0
    assert len(np.unique(found[0], axis=0)) > 3


def test_other_loops_and_twins_agree():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(12, 3)), rng.integers(4, size=(9, 12)).astype(np.int16)
    results = []
    for module in (loops(LOOPS), _twins):
        counts, means, scatter = np.zeros((9, 5), dtype=int), np.zeros((9, 5, 3)), np.zeros((9, 5, 3, 3))
        module.moments(X, labels, counts, means, scatter)
        across, together, agreed = np.ascontiguousarray(labels.T), np.empty((2, 12), dtype=int), np.empty(4)
        module.count_together(across[[3, 7]], across, together)
        module.agreement(labels, labels[:4], 5, agreed)
        results.append((counts, means, scatter, together, agreed))
    for a, b in zip(*results, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


def test_long_chains_do_not_drift(compiled):
    """After a block of passes the factors are those of the labels: the same labels as with blocks of one pass."""
    X, _ = two_clouds(60, gap=2.0)
    posed = GibbsProblem.of(X, NormalInverseWishart([0, 0], 0.01, 0.1 * np.eye(2), 4), 3.0, 6)
    plan = DrawingPlan(130, 0, 1, 1)
    long = sample_chain(posed, plan, np.random.default_rng(5)).labels
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("suffice.mixtures._gibbs.sampler.PASSES", 1)
        short = sample_chain(posed, plan, np.random.default_rng(5)).labels
    assert np.array_equal(long, short)
    assert np.ptp(long.astype(int) @ np.arange(60)) > 0


@pytest.mark.parametrize(("moves", "clusters"), [(0, 1), (2, 3)])
def test_a_cluster_of_many_divides_only_at_once(moves, clusters):
    """Three clouds in six dimensions, all rows with one label at first."""
    rng = np.random.default_rng(0)
    side = np.repeat(np.arange(3), 20)
    X = rng.normal(size=(60, 6)) + 6 * rng.normal(size=(3, 6))[side]
    posed = GibbsProblem.of(X, problem.default_prior(X, 4, np.arange(6)), 1.0, 4)
    labels, out = np.zeros(60, dtype=np.int16), np.empty((100, 60), dtype=np.int16)
    fixed = (posed.table, posed.strength, posed.dof, 4)
    loops(LOOPS).passes(posed.X, np.arange(60), labels, rng.random((100, 60 + moves * 65)), *fixed, out)
    assert len(np.unique(labels)) == clusters
    assert adjusted_rand_score(labels, side) == (clusters > 1)


@pytest.mark.parametrize("n", [60, pytest.param(2000, marks=pytest.mark.long)])
def test_probabilities_of_a_shared_cluster_are_calibrated(n, compiled):
    """Rows and labels from the model: "together" happens as often as its probability says, also among the sure."""
    rng, K, alpha = np.random.default_rng(1), 3, 2.0
    shares = Dirichlet(np.full(K, alpha / K)).sample(n, rng=rng)
    happened, said = np.empty(n), np.empty(n)
    for i in range(n):
        z = rng.choice(K, size=8, p=shares[i])
        means, covs = PRIOR.sample(K, rng=rng)
        X = means[z] + np.sqrt(covs[z, 0]) * rng.standard_normal((8, 1))
        found = sample_chain(GibbsProblem.of(X, PRIOR, alpha, K), DrawingPlan(150, 30, 1, 1), rng).labels
        happened[i], said[i] = z[0] == z[1], np.mean(found[:, 0] == found[:, 1])
    for sway in (np.ones(n), said - 0.5):
        gap, spread = np.sum(sway * (happened - said)), np.sqrt(np.sum(sway**2 * said * (1 - said)))
        assert abs(gap) < 3.5 * spread + 0.02 * n**0.5  # Monte Carlo error of `said` comes on top
    assert said.std() > 0.1


# -- summaries --------------------------------------------------------------------------------------------
def test_coclustering_does_not_know_names():
    rng = np.random.default_rng(2)
    draws = rng.integers(4, size=(50, 9)).astype(np.int16)
    renamed = np.array([rng.permutation(4)[z] for z in draws], dtype=np.int16)
    everything = np.arange(9)
    found = summaries.shares_together(draws, everything)
    np.testing.assert_array_equal(found, summaries.shares_together(renamed, everything))
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_array_equal(np.diagonal(found), 1.0)
    np.testing.assert_allclose(found, np.mean(draws[:, :, None] == draws[:, None, :], axis=0), rtol=1e-15)
    np.testing.assert_array_equal(summaries.shares_together(draws, everything[[4, 1]]), found[[4, 1]])
    aligned = summaries.relabelled(renamed, renamed[0], 4)
    np.testing.assert_array_equal(found, summaries.shares_together(aligned, everything))
    assert np.mean(aligned == aligned[0]) > np.mean(renamed == renamed[0])
    assert np.all(np.diff(np.bincount(aligned[0])) <= 0)


def test_permuted_names_are_undone():
    rng, base = np.random.default_rng(0), np.repeat([0, 1, 2], [6, 5, 4]).astype(np.int16)
    draws = np.array([rng.permutation(5)[base] for _ in range(20)], dtype=np.int16)
    assert np.array_equal(summaries.relabelled(draws, draws[7], 5), np.tile(base, (20, 1)))


def test_the_central_draw_has_the_smallest_binder_loss():
    rng = np.random.default_rng(4)
    draws = np.where(rng.random((40, 10)) < 0.25, rng.integers(3, size=(40, 10)), np.arange(10) % 3)
    draws = draws.astype(np.int16)
    pairs = (draws[:, :, None] == draws[:, None, :]).astype(float)
    loss = np.abs(pairs - pairs.mean(axis=0)).sum(axis=(1, 2))
    height = rng.normal(size=40)
    best = np.flatnonzero(loss < loss.min() + 1e-9)
    assert summaries.central(draws, height, 3) == best[np.argmax(height[best])]
    doubled = np.concatenate([draws, draws])  # equal losses: the more probable one
    second = summaries.central(doubled, np.concatenate([height, height + 1]), 3)
    assert second == 40 + best[np.argmax(height[best])]


def test_fitted_attributes_of_two_clouds(compiled):
    X, side = two_clouds()
    model = GibbsGaussianMixture(4, n_samples=60, warmup=40, n_chains=2, random_state=0).fit(X)
    assert adjusted_rand_score(model.labels_, side) == 1
    assert adjusted_rand_score(model.best_labels_, side) == 1
    assert np.array_equal(np.unique(model.labels_), np.arange(model.labels_.max() + 1))
    assert model.labels_samples_.shape == (2, 60, 40)
    assert model.labels_samples_.dtype == np.int16
    assert model.samples_.names == ("log_joint", "occupied", "entropy", "largest")
    np.testing.assert_array_equal(model.samples_.log_density, model.samples_.draws[:, :, 0])
    assert len(model.trace_) == 100
    np.testing.assert_array_equal(model.trace_.columns["chain 1"][40:], model.samples_.draws[1, :, 0])
    together = model.coclustering_
    assert together[:20, :20].mean() > 0.9
    assert together[:20, 20:].max() < 0.1
    occupied = [len(np.unique(z)) for z in model.labels_samples_.reshape(-1, 40)]
    distribution = model.n_components_distribution_
    assert distribution.prob(2) == pytest.approx(np.mean(np.equal(occupied, 2)), abs=1e-12)
    assert model.weights_.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(np.sort(model.means_[:2, 0]), [0, 6], atol=1.0)
    assert np.array_equal(model.predict(X), model.predict_proba(X).argmax(axis=1))
    assert adjusted_rand_score(model.predict(X), side) == 1


def test_means_and_predictions_are_averages_over_draws():
    model = GibbsGaussianMixture(3, prior=PRIOR, n_samples=15, warmup=5, n_chains=2, random_state=1).fit(LINE)
    new, labels = np.array([[-2.0], [0.3], [4.0]]), model.labels_samples_.reshape(-1, 6)
    joint, weights, means, covariances = [], [], [], []
    for z in labels:
        after = [PRIOR.posterior(LINE[z == k]) if np.any(z == k) else PRIOR for k in range(3)]
        weights.append((np.bincount(z, minlength=3) + 1 / 3) / 7)
        means.append([part.mean for part in after])
        covariances.append([part.event_mean.cov for part in after])
        joint.append([part.predictive().prob(new) for part in after] * weights[-1][:, None])
    joint = np.mean(joint, axis=0).T
    np.testing.assert_allclose(model.score_samples(new), np.log(joint.sum(axis=1)), rtol=1e-10)
    np.testing.assert_allclose(model.predict_proba(new), joint / joint.sum(axis=1, keepdims=True), rtol=1e-10)
    assert model.score(new) == pytest.approx(np.log(joint.sum(axis=1)).mean(), rel=1e-10)
    for ours, each in ((model.weights_, weights), (model.means_, means), (model.covariances_, covariances)):
        np.testing.assert_allclose(ours, np.mean(each, axis=0), rtol=1e-10)


def test_density_integrates_to_one_and_draws_follow_it():
    model = GibbsGaussianMixture(2, prior=PRIOR, n_samples=3, warmup=5, n_chains=1, random_state=1).fit(LINE)
    density = lambda x: float(np.exp(model.score_samples([[x]])[0]))  # noqa: E731
    below, _ = quad(density, -np.inf, 0.5, epsabs=1e-6)
    above, _ = quad(density, 0.5, np.inf, epsabs=1e-6)
    assert below + above == pytest.approx(1, abs=1e-5)
    X, z = model.sample(20_000, random_state=0)
    assert X.shape == (20_000, 1)
    assert np.mean(X < 0.5) == pytest.approx(below, abs=0.015)  # four standard errors
    np.testing.assert_allclose(np.bincount(z) / 20_000, model.draw_weights_.mean(axis=0), atol=0.015)
    again, _ = model.sample(20_000, random_state=0)
    np.testing.assert_array_equal(X, again)


def test_draws_are_seeded_by_the_model():
    """As those of GaussianMixture are; a seed that is given comes first."""
    model = GibbsGaussianMixture(2, prior=PRIOR, n_samples=2, warmup=1, n_chains=1, random_state=1).fit(LINE)
    first, labels = model.sample(9)
    for again in (model.sample(9), model.sample(9, random_state=1)):
        np.testing.assert_array_equal(first, again[0])
        np.testing.assert_array_equal(labels, again[1])
    assert not np.array_equal(first, model.sample(9, random_state=2)[0])
    model.set_params(random_state=None)
    assert not np.array_equal(model.sample(9)[0], model.sample(9)[0])


# -- numerics ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("scale", "shift"), [(1.0, 1e8), (1e-100, 0.0), (1e100, 0.0), (2.0**-20, 4.0)])
def test_units_do_not_matter(scale, shift, compiled):
    X, _ = two_clouds(24, gap=4.0)
    X = np.round(X * 2**10) / 2**10  # so that 1e8 + X is exact
    options = {"n_samples": 20, "warmup": 10, "n_chains": 2, "random_state": 3}
    plain = GibbsGaussianMixture(3, **options).fit(X)
    moved = GibbsGaussianMixture(3, **options).fit(X * scale + shift)
    assert np.array_equal(plain.labels_samples_, moved.labels_samples_)
    np.testing.assert_allclose(moved.means_, plain.means_ * scale + shift, rtol=1e-9)
    np.testing.assert_allclose(moved.covariances_ / scale / scale, plain.covariances_, rtol=1e-5)
    gain = moved.score_samples(X * scale + shift) - plain.score_samples(X)
    np.testing.assert_allclose(gain, -2 * np.log(scale), atol=1e-5)


def test_few_equal_and_single_rows(compiled):
    short = {"n_samples": 20, "warmup": 5, "n_chains": 2, "random_state": 0}
    more = GibbsGaussianMixture(9, **short).fit(LINE)  # K > N
    assert len(np.unique(more.labels_)) <= 6
    assert np.array_equal(np.unique(more.labels_), np.arange(more.labels_.max() + 1))
    assert np.isfinite(more.score_samples(LINE)).all()
    one = GibbsGaussianMixture(1, **short).fit(LINE)
    assert not one.labels_.any()
    np.testing.assert_array_equal(one.coclustering_, 1.0)
    assert one.covariances_.shape == (1, 1, 1)
    with pytest.warns(RankDeficient, match="Column 'x1' never varies"):
        flat = GibbsGaussianMixture(2, **short).fit(np.column_stack([LINE, np.full(6, 3.0)]))
    assert np.isfinite(flat.score_samples([[0.0, 3.0]])).all()
    with pytest.warns(RankDeficient, match="Column 'x0' never varies"):
        single = GibbsGaussianMixture(2, **short).fit([[2.0]])
    assert single.labels_.tolist() == [0]


# -- the estimator ----------------------------------------------------------------------------------------
def test_the_same_seed_gives_the_same_draws_and_another_does_not():
    short = {"n_samples": 10, "warmup": 2, "n_chains": 3}
    first = GibbsGaussianMixture(3, random_state=0, **short).fit(LINE)
    with suffice.engine.threads(1):
        again = GibbsGaussianMixture(3, random_state=0, **short).fit(LINE)
    other = GibbsGaussianMixture(3, random_state=1, **short).fit(LINE)
    assert np.array_equal(first.labels_samples_, again.labels_samples_)
    assert not np.array_equal(first.samples_.draws, other.samples_.draws)
    assert not np.array_equal(first.samples_.draws[0], first.samples_.draws[1])


def test_every_thin_th_pass_is_kept(monkeypatch):
    posed = GibbsProblem.of(LINE, PRIOR, 1.0, 2)
    every = sample_chain(posed, DrawingPlan(30, 0, 1, 1), np.random.default_rng(0))
    third = sample_chain(posed, DrawingPlan(10, 0, 1, 3), np.random.default_rng(0))
    assert np.array_equal(every.labels[2::3], third.labels)
    monkeypatch.setattr("suffice.mixtures._gibbs.sampler.PASSES", 2)  # blocks without any that is kept
    np.testing.assert_array_equal(
        third.labels, sample_chain(posed, DrawingPlan(10, 0, 1, 3), np.random.default_rng(0)).labels
    )


def test_chains_that_disagree_warn(compiled):
    X = np.concatenate([two_clouds(40, gap=9.0)[0], two_clouds(40, seed=1, gap=9.0)[0] + [0, 9]])
    stuck = NormalInverseWishart([4.5, 9.0], 1.0, 0.01 * np.eye(2), 60.0)
    model = GibbsGaussianMixture(12, prior=stuck, n_samples=10, warmup=0, n_chains=4, random_state=0)
    with pytest.warns(NotConverged, match=r"chains disagree: \w+ has R̂ = .* Raise warmup=0 or n_samples=10"):
        model.fit(X)
    assert not model.trace_.converged


def test_saved_and_loaded(tmp_path):
    model = GibbsGaussianMixture(2, prior=PRIOR, n_samples=6, warmup=2, n_chains=2, random_state=0).fit(LINE)
    suffice.save(model, tmp_path / "gibbs.suffice")
    loaded = suffice.load(tmp_path / "gibbs.suffice")
    np.testing.assert_array_equal(loaded.score_samples(LINE), model.score_samples(LINE))
    np.testing.assert_array_equal(loaded.coclustering_, model.coclustering_)
    assert loaded.n_components_distribution_ == model.n_components_distribution_


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_components": 0}, r"n_components must be an integer >= 1; got 0"),
        ({"n_components": 2**15}, r"n_components must be at most 16384; got 32768"),
        ({"concentration": 0.0}, r"concentration must be a number > 0; got 0\.0"),
        ({"n_samples": 0}, r"n_samples must be an integer >= 1; got 0"),
        ({"warmup": -1}, r"warmup must be an integer >= 0; got -1"),
        ({"n_chains": 1.5}, r"n_chains must be an integer >= 1; got 1\.5"),
        ({"thin": True}, r"thin must be an integer >= 1; got True"),
        ({"prior": "weak"}, r"prior must be None or a NormalInverseWishart; got 'weak'"),
        ({"prior": PLANE}, r"prior must be one distribution of 1 columns, as X has; got 2 columns"),
    ],
)
def test_bad_parameters(changes, message):
    with pytest.raises(InvalidParameter, match=message):
        GibbsGaussianMixture(**changes).fit(LINE)


def test_bad_input(monkeypatch):
    model = GibbsGaussianMixture(2, n_samples=3, warmup=0, n_chains=1, random_state=0)
    with pytest.raises(InvalidInput, match=r"NaN at row 1, column 'x0'.*complete rows.*GaussianMixture"):
        model.fit([[0.0], [np.nan], [1.0]])
    with pytest.raises(InvalidInput, match=r"inf at row 0, column 'x0'"):
        model.fit([[np.inf], [0.0], [1.0]])
    with pytest.raises(InvalidInput, match=r"Column 'x0' has a standard deviation of .*e\+199"):
        model.fit([[0.0], [1e200], [1.0]])
    with pytest.raises(InvalidInput, match=r"Row 1 lies 2e\+80 units of the prior"):
        GibbsGaussianMixture(2, prior=PRIOR).fit([[0.0], [1e80]])
    model.fit(LINE)
    with pytest.raises(InvalidInput, match=r"rows must be numbers of rows, -6 to 5; got \[6\.0\]"):
        model.coclustering([6])
    np.testing.assert_array_equal(model.coclustering(-1), model.coclustering([5]))
    monkeypatch.setattr("suffice.mixtures.gibbs_gaussian_mixture.MOST_ROWS", 5)
    with pytest.raises(Unsupported, match=r"coclustering_ of 6 rows .* coclustering\(rows\)"):
        _ = model.coclustering_


@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
@pytest.mark.parametrize(
    "settings",
    [
        {"n_components": 3, "n_samples": 2, "warmup": 12, "n_chains": 2},
        {"n_components": 8, "concentration": 0.5, "n_samples": 2, "warmup": 16, "n_chains": 1, "thin": 2},
        {"n_components": 3, "concentration": 20.0, "n_samples": 2, "warmup": 12, "n_chains": 1},
    ],
)
def test_sklearn_checks(settings, compiled):
    failed = []
    for estimator, check in estimator_checks_generator(GibbsGaussianMixture(**settings)):
        try:
            check(estimator)
        except SkipTest:
            continue
        except Exception as error:
            error.add_note(f"in {check.func.__name__}")
            failed.append(error)
    if failed:
        raise ExceptionGroup(f"{len(failed)} checks failed", failed)
