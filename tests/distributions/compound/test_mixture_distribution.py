"""What is special about mixtures: components of several kinds, of vectors, in batches; search for the mode."""

import numpy as np
import pytest

import suffice
from suffice._core.errors import Unsupported
from suffice.distributions import (
    Bernoulli,
    Categorical,
    Dirichlet,
    Discrete,
    Gamma,
    MixtureDistribution,
    Multinomial,
    MultivariateNormal,
    MultivariateT,
    NegativeBinomial,
    Normal,
    Poisson,
    ProductDistribution,
    StudentT,
    Uniform,
)
from suffice.distributions._numerics.discrete import first_atom


def test_a_batch_or_a_sequence_of_components():
    a = MixtureDistribution([0.3, 0.7], Normal([0.0, 1.0], [1.0, 2.0]))
    b = MixtureDistribution([0.3, 0.7], [Normal(0, 1), Normal(1, 2)])
    assert a == b
    assert a.components == (Normal(0, 1), Normal(1, 2))
    assert a.n_parameters == 5


def test_one_component_is_itself():
    d, n = MixtureDistribution([1.0], [Normal(2, 3)]), Normal(2, 3)
    x = np.array([-50.0, 2.0, 200.0])
    for name in ("log_prob", "log_sf", "log_cdf", "cdf"):
        np.testing.assert_allclose(getattr(d, name)(x), getattr(n, name)(x), rtol=1e-13)
    assert d.mode == 2
    assert d.entropy() == pytest.approx(n.entropy(), rel=1e-9)


def test_a_component_of_weight_zero_does_not_count():
    d = MixtureDistribution([1.0, 0.0], [Uniform(0, 1), Normal(5, 1)])
    assert d.quantile([0.0, 0.5, 1.0]).tolist() == [0.0, 0.5, 1.0]
    assert d.log_prob(5.0) == -np.inf


def test_mode_is_the_highest_peak():
    assert MixtureDistribution([0.5, 0.5], Normal([-3, 3], [1.0, 0.9])).mode == pytest.approx(3, abs=1e-6)
    merged = MixtureDistribution([0.5, 0.5], Normal([-0.5, 0.5], [1.0, 1.0]))
    assert merged.mode == pytest.approx(0, abs=1e-6)
    assert MixtureDistribution([0.2, 0.8], [Poisson(1), Poisson(30)]).mode in (0.0, 1.0)


def test_batched_weights_and_components():
    w = np.array([[0.2, 0.8], [0.6, 0.4], [1.0, 0.0]])
    d = MixtureDistribution(w, [Normal([0.0, 1.0, 2.0], 1.0), Gamma(2.0, 1.0)])
    assert d.batch_shape == (3,)
    x = np.array([0.5, 0.6, 0.7])
    single = [MixtureDistribution(w[i], [Normal(float(i), 1.0), Gamma(2, 1)]) for i in range(3)]
    assert list(d) == single
    np.testing.assert_allclose(d.log_prob(x), [e.log_prob(v) for e, v in zip(single, x, strict=True)])
    np.testing.assert_allclose(d.quantile(0.3), [e.quantile(0.3) for e in single])
    assert d.sample(5, rng=0).shape == (5, 3)


def test_mixture_of_mixtures():
    inner = MixtureDistribution([0.5, 0.5], Normal([-1.0, 1.0], 1.0))
    outer = MixtureDistribution([[0.4, 0.6], [0.9, 0.1]], [inner, StudentT(4)])
    flat = MixtureDistribution([0.2, 0.2, 0.6], [Normal(-1, 1), Normal(1, 1), StudentT(4)])
    x = np.linspace(-5, 5, 7)
    np.testing.assert_allclose(outer[0].log_prob(x), flat.log_prob(x), rtol=1e-13)


def test_responsibilities():
    d = MixtureDistribution([0.5, 0.5], Normal([-1.0, 1.0], 1.0))
    r = d.responsibilities([0.0, 3.0])
    np.testing.assert_allclose(r[0], [0.5, 0.5], rtol=1e-14)
    np.testing.assert_allclose(r[1, 1], 1 / (1 + np.exp(-6)), rtol=1e-13)


def test_responsibilities_at_the_edges():
    d = MixtureDistribution([0.2, 0.3, 0.5], Normal([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]))
    np.testing.assert_allclose(d.responsibilities(1.0), [0.4, 0.6, 0.0], rtol=1e-14)
    far = MixtureDistribution([0.5, 0.5], Normal([0.0, 1.0], 1.0)).responsibilities(-1e4)
    np.testing.assert_array_equal(far, [1.0, 0.0])
    nowhere = MixtureDistribution([0.5, 0.5], Uniform([0.0, 1.0], [1.0, 2.0]))
    assert np.isnan(nowhere.responsibilities(9.0)).all()


def test_quantiles_of_a_batch_are_those_of_each():
    rng = np.random.default_rng(0)
    std = 10 ** rng.uniform(-4, 3, (200, 4))  # components from narrow to wide, some far apart
    w = rng.dirichlet(np.ones(4), 200)
    d = MixtureDistribution(w, Normal(rng.normal(size=(200, 4)) * 10, std))
    p = np.array([1e-300, 1e-9, 0.025, 0.5, 0.77, 0.975, 1 - 1e-9])[:, None]
    x = d.quantile(p)
    assert x.shape == (7, 200)
    # the cdf is p up to its own rounding and to that of x: its slope times the spacing of doubles at x
    error = 4e-16 + 8 * d.prob(x) * np.spacing(np.abs(x))
    assert np.all(np.abs(d.cdf(x) - p) <= error)
    assert np.all(d.cdf(np.nextafter(x, -np.inf)) <= p + error)
    for i in (0, 17, 199):
        np.testing.assert_allclose(x[:, i], d[i].quantile(p[:, 0]), rtol=1e-13)
    assert d.quantile([[0.0], [1.0]])[:, 0].tolist() == [-np.inf, np.inf]
    assert d[:0].quantile(0.5).shape == (0,)


def test_draws_come_from_each_component_as_often_as_it_weighs():
    d = MixtureDistribution([0.2, 0.0, 0.8], Normal([-100.0, 0.0, 100.0], 1.0))
    x = d.sample(20_000, rng=3)
    low = np.mean(x < 0)
    assert abs(low - 0.2) <= 5 * np.sqrt(0.16 / 20_000)  # five binomial standard errors
    assert np.abs(x).min() > 90
    assert abs(np.corrcoef(x[1:], x[:-1])[0, 1]) <= 5 / np.sqrt(20_000)  # in no order
    assert d.sample(0, rng=0).shape == (0,)
    assert np.ndim(d.sample(rng=0)) == 0


# -- vectors -------------------------------------------------------------------------------------


def vectors():
    mean = np.array([[0.0, 1.0], [4.0, -1.0]])
    cov = np.array([[[1.0, 0.3], [0.3, 2.0]], [[0.5, 0.0], [0.0, 0.2]]])
    return MixtureDistribution([0.3, 0.7], MultivariateNormal(mean, cov))


def test_vectors_have_moments_and_draws():
    d = vectors()
    x = d.sample(40_000, rng=0)
    assert x.shape == (40_000, 2)
    error = 6 * d.std / np.sqrt(len(x))
    assert np.all(np.abs(x.mean(axis=0) - d.mean) <= error)
    # a covariance of n draws has a standard error of about 2 |Σ|/√n, with these kurtoses
    np.testing.assert_allclose(np.cov(x.T), d.cov, atol=12 * d.var.max() / np.sqrt(len(x)))
    np.testing.assert_allclose(np.diag(d.cov), d.var, rtol=1e-14)


def test_vectors_have_a_density_and_marginals():
    d = vectors()
    x = np.array([[0.2, 0.7], [3.0, 0.0]])
    want = sum(w * c.prob(x) for w, c in zip(d.weights, d.components, strict=True))
    np.testing.assert_allclose(d.prob(x), want, rtol=1e-13)
    line = d.marginal(0)
    assert line == MixtureDistribution([0.3, 0.7], [Normal(0, 1), Normal(4, np.sqrt(0.5))])
    assert line.quantile(0.5) > 2


def test_two_clouds_of_the_book():
    """FCML eq. 6.4: densities and responsibilities at three points, and the moments."""
    cov = np.array([np.diag([1.0, 2.0]), np.diag([2.0, 1.0])])
    d = MixtureDistribution([0.7, 0.3], MultivariateNormal([[3.0, 3.0], [1.0, -3.0]], cov))
    x = np.array([[2.0, 0.0], [0.0, 0.0], [3.0, 3.0]])
    np.testing.assert_allclose(d.prob(x), [0.00532818578, 0.00038433652, 0.07877767785], rtol=2e-8)
    share = d.responsibilities(x[:2])
    np.testing.assert_allclose(share, [[0.94517884, 0.05482116], [0.23999587, 0.76000413]], rtol=0, atol=1e-8)
    np.testing.assert_allclose(d.mean, [2.4, 1.2], rtol=1e-14)
    np.testing.assert_allclose(d.cov, [[2.14, 2.52], [2.52, 9.26]], rtol=1e-14)


def test_vectors_have_no_quantiles():
    d = vectors()
    for call in (lambda: d.cdf([0.0, 0.0]), lambda: d.quantile(0.5), lambda: d.interval()):
        with pytest.raises(Unsupported, match="is not defined for vectors"):
            call()
    for what in ("mode", "entropy"):
        with pytest.raises(Unsupported, match="not computed for mixtures of vectors"):
            d.entropy() if what == "entropy" else d.mode


# -- conditionals --------------------------------------------------------------------------------

MEAN = np.array([[0.0, 1.0, -1.0], [2.0, -1.0, 0.5], [-3.0, 0.0, 4.0]])
ROOT = np.random.default_rng(4).normal(size=(3, 3, 3))
COV = ROOT @ np.swapaxes(ROOT, 1, 2) + 0.3 * np.eye(3)
WEIGHTS = np.array([0.2, 0.5, 0.3])


def rows_of(normal, count, coin):
    return ProductDistribution([normal, count, coin])


JOINT = {
    "normals": MixtureDistribution(WEIGHTS, MultivariateNormal(MEAN, COV)),
    "t": MixtureDistribution(WEIGHTS, MultivariateT([3.5, 9.0, 30.0], MEAN, COV)),
    "normal and t": MixtureDistribution(
        [0.4, 0.6], [MultivariateNormal(MEAN[0], COV[0]), MultivariateT(5.0, MEAN[1], COV[1])]
    ),
    "columns": MixtureDistribution(
        [0.4, 0.6],
        [
            rows_of(Normal(0.0, 1.0), Poisson(2.0), Bernoulli(0.2)),
            rows_of(StudentT(4.0, 2.0), Poisson(6.0), Bernoulli(0.9)),
        ],
    ),
    "mixture of mixtures": MixtureDistribution(
        [0.3, 0.7],
        [MixtureDistribution([0.5, 0.5], MultivariateNormal(MEAN[:2], COV[:2])), MultivariateT(6.0, MEAN[2], COV[2])],
    ),
}  # fmt: skip
joints = pytest.mark.parametrize("d", JOINT.values(), ids=JOINT.keys())
SPLITS = [([0], [1, 2]), ([1], [0, 2]), ([2, 0], [1]), ([1, 2], [0])]


@joints
@pytest.mark.parametrize(("known", "rest"), SPLITS)
def test_chain_rule(d, known, rest):
    x = d.sample(8, rng=5)
    given = d.condition(known, x[:, known])
    assert given.batch_shape == (8,)
    left = x[:, rest[0]] if len(rest) == 1 else x[:, rest]
    chained = d.marginal(known).log_prob(x[:, known]) + given.log_prob(left)
    np.testing.assert_allclose(chained, d.log_prob(x), rtol=1e-11, atol=1e-11)
    one = d.condition(known, x[3, known])
    assert one.batch_shape == ()
    np.testing.assert_allclose(one.log_prob(left[3]), given.log_prob(left)[3], rtol=1e-12)
    np.testing.assert_allclose(one.mean, given.mean[3], rtol=1e-12)
    np.testing.assert_allclose(given.weights, d.marginal(known).responsibilities(x[:, known]), rtol=1e-12)


@joints
def test_tower_rule_and_total_variance(d):
    """E E[b | a] = E b and E Var[b | a] + Var E[b | a] = Var b, over draws of a within their standard error."""
    a = d.sample(20_000, rng=6)[:, [1]]
    given = d.condition([1], a)
    for j, rest in enumerate((0, 2)):
        mean, var = given.mean[:, j], given.var[:, j]
        error = 6 * mean.std() / np.sqrt(len(a))
        assert abs(mean.mean() - d.mean[rest]) <= error
        second = var + (mean - d.mean[rest]) ** 2
        assert abs(second.mean() - d.var[rest]) <= 6 * second.std() / np.sqrt(len(a))


def test_joint_density_integrates_to_one():
    """Two coordinates on a grid; a discrete one is summed."""
    line, step = np.linspace(-30, 30, 601, retstep=True)
    grid = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1)
    assert JOINT["normals"].marginal([0, 2]).prob(grid).sum() * step**2 == pytest.approx(1, rel=1e-9)
    heavy = MixtureDistribution([0.4, 0.6], MultivariateT([40.0, 60.0], MEAN[:2, :2], COV[:2, :2, :2]))
    assert heavy.prob(grid).sum() * step**2 == pytest.approx(1, rel=1e-9)
    both = MixtureDistribution(
        [0.4, 0.6],
        [
            ProductDistribution([Normal(0.0, 1.0), Poisson(2.0)]),
            ProductDistribution([Normal(3.0, 2.0), Poisson(6.0)]),
        ],
    )
    grid = np.stack(np.meshgrid(line, np.arange(50.0), indexing="ij"), axis=-1)
    assert both.prob(grid).sum() * step == pytest.approx(1, rel=1e-9)


def test_one_coordinate_left_has_quantiles():
    """Against the joint density along the line, normalized."""
    d = JOINT["normals"]
    line, step = np.linspace(-40, 40, 8001, retstep=True)
    known = np.array([0.5, 1.0])
    density = d.prob(np.column_stack([np.full(8001, known[0]), line, np.full(8001, known[1])]))
    density /= density.sum() * step
    given = d.condition([0, 2], known)
    np.testing.assert_allclose(given.prob(line), density, rtol=1e-9, atol=1e-14)
    assert given.mean == pytest.approx(np.sum(line * density) * step, rel=1e-9)
    assert np.interp(0.9, (np.cumsum(density) - density / 2) * step, line) == pytest.approx(
        given.quantile(0.9), abs=1e-4
    )
    low, high = d.condition([0, 2], np.stack([known] * 4)).interval(0.5)
    np.testing.assert_allclose(low, given.interval(0.5)[0], rtol=1e-13)
    assert high.shape == (4,)
    assert isinstance(d.marginal([1]).components[0], MultivariateNormal)


def test_a_batch_of_mixtures_is_conditioned_row_by_row():
    w = np.array([[0.2, 0.8], [0.6, 0.4]])
    d = MixtureDistribution(w, [MultivariateNormal(MEAN[:2], COV[0]), MultivariateT(5.0, MEAN[1], COV[1])])
    values = np.array([[0.3], [-0.4]])
    given = d.condition([1], values)
    for i in range(2):
        alone = d[i].condition([1], values[i])
        np.testing.assert_allclose(given.weights[i], alone.weights, rtol=1e-12)
        np.testing.assert_allclose(given.cov[i], alone.cov, rtol=1e-12)
    assert d.condition([1], values[:1]).batch_shape == (2,)


def test_unobserved_values_tell_nothing():
    d = JOINT["normals"]
    assert d.condition([0, 2], [np.nan, 1.0]) == d.condition(2, 1.0)
    assert d.condition([0, 2], [np.nan, np.nan]) == d.marginal([0, 1, 2])
    assert d.condition([0], np.full((4, 1), np.nan)).batch_shape == (4,)
    assert d.condition([0, 1], np.empty((0, 2))).batch_shape == (0,)


def test_a_component_that_does_not_allow_the_values_drops_out():
    coins = MixtureDistribution(
        [0.5, 0.5],
        [
            ProductDistribution([Bernoulli(0.0), Normal(-1.0, 1.0)]),
            ProductDistribution([Bernoulli(0.5), Normal(1.0, 1.0)]),
        ],
    )
    given = coins.condition(0, [0.0, 1.0])
    np.testing.assert_allclose(given.weights, [[2 / 3, 1 / 3], [0.0, 1.0]], rtol=1e-14)
    np.testing.assert_allclose(given.mean, [-1 / 3, 1.0], rtol=1e-14)
    far = MixtureDistribution([0.5, 0.5], MultivariateT([3.0, np.inf], np.zeros((2, 2)), np.eye(2)))
    assert far.condition(0, 1e100).weights.tolist() == [1.0, 0.0]


def test_impossible_values_leave_nothing():
    coins = MixtureDistribution(
        [0.5, 0.5], [ProductDistribution([Bernoulli(p), Normal(p, 1.0)]) for p in (0.0, 0.5)]
    )
    with pytest.raises(ValueError, match=r"\[2\.0\] at \[0\] has density zero under each"):
        coins.condition(0, [0.0, 2.0])


def test_what_cannot_be_conditioned_says_so():
    shares = MixtureDistribution([0.5, 0.5], Dirichlet([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))
    with pytest.raises(
        Unsupported, match="components that have one, such as MultivariateNormal.*; got Dirichlet"
    ):
        shares.condition(0, 0.5)
    for what in ("marginal", "condition"):
        with pytest.raises(Unsupported, match=f"{what} belongs to mixtures of vectors"):
            getattr(MixtureDistribution([1.0], [Normal(0, 1)]), what)(*[0] * (1 + (what == "condition")))
    with pytest.raises(ValueError, match="column 1 is in one and not in another"):
        MixtureDistribution(
            [0.5, 0.5],
            [
                ProductDistribution([Normal(0, 1), Poisson(1)]),
                ProductDistribution([Normal(0, 1), Normal(0, 1)]),
            ],
        )


def test_a_density_and_a_probability_do_not_add_up():
    counted = ProductDistribution([Normal(0, 1), Poisson(1)])
    plane = MultivariateNormal([4, 4], [[1, 0.8], [0.8, 1]])
    for parts in ([counted, plane], [MixtureDistribution([1.0], [plane]), counted]):
        with pytest.raises(ValueError, match="column 1 is in one and not in another"):
            MixtureDistribution([0.5, 0.5], parts)
    with pytest.raises(ValueError, match="column 0 is in one and not in another"):
        MixtureDistribution([0.5, 0.5], [Multinomial(3, [0.5, 0.5]), plane])
    MixtureDistribution([0.5, 0.5], [ProductDistribution([Normal(0, 1), StudentT(3)]), plane])


def test_missing_cells_are_as_the_components_take_them():
    x, known = [0.5, np.nan], MixtureDistribution([0.3, 0.7], Normal([0.0, 4.0], 1.0)).log_prob(0.5)
    columns = [ProductDistribution([Normal(m, 1.0), Normal(m, 1.0)]) for m in (0.0, 4.0)]
    planes = MixtureDistribution([0.3, 0.7], MultivariateNormal([[0, 0], [4, 4]], np.eye(2)))
    assert MixtureDistribution([0.3, 0.7], columns).log_prob(x) == pytest.approx(known, rel=1e-14)
    assert np.isnan(planes.log_prob(x))
    assert planes.marginal(0).log_prob(0.5) == pytest.approx(known, rel=1e-14)


# -- many values -----------------------------------------------------------------------------------------
MANY = {
    "poisson": Poisson([500.0, 1e6]),
    "far": Poisson([2e5, 3e5]),
    "negative binomial": [NegativeBinomial(50.0, 2e-3), Poisson(3.0)],
    "categories": [Categorical(np.full(2000, 1 / 2000)), Categorical(np.arange(1, 2001) / 2001000)],
}


@pytest.mark.parametrize("parts", MANY.values(), ids=MANY)
def test_counts_are_discrete_however_many_values_they_have(parts):
    d = MixtureDistribution([0.4, 0.6], parts)
    values = np.unique(
        np.concatenate([np.arange(c.quantile(1e-17), c.quantile(1 - 1e-15) + 1) for c in d.components])
    )
    values = values[values < 2000] if isinstance(d.components[0], Categorical) else values
    logs = d.log_prob(values)
    assert d.entropy() == pytest.approx(-np.exp(logs) @ logs, rel=1e-9)
    assert d.log_prob(d.mode) == logs.max()
    for p in (0.01, 0.35, 0.41, 0.7, 0.999):
        assert d.quantile(p) == values[np.argmax(np.cumsum(np.exp(logs)) >= p)]
    columns = [ProductDistribution([c, Normal(0, 1)]) for c in d.components]
    joint = MixtureDistribution([0.4, 0.6], columns)
    assert joint.marginal(0) == d
    assert joint.condition(1, 0.0).mean == pytest.approx(d.mean, rel=1e-14)


def test_a_spike_is_a_density_without_width():
    d = MixtureDistribution([0.5, 0.5], Normal([0.0, 1.0], [0.0, 1.0]))
    assert d.entropy() == -np.inf
    assert d.mode == 0.0
    assert d.quantile([0.3, 0.6]).tolist() == [0.0, pytest.approx(Normal(1, 1).quantile(0.2), rel=1e-12)]
    with pytest.raises(ValueError, match="all have a density or all be discrete"):
        MixtureDistribution([0.5, 0.5], [Normal(0, 0), Poisson(0.5)])


def brute_quantile(weights, parts, values, p):
    return values[np.argmax(sum(w * c.cdf(values) for w, c in zip(weights, parts, strict=True)) >= p)]


def test_quantiles_of_counts_are_found_among_whole_numbers():
    """Against a look at every value; and with few looks at the cdf of the whole batch."""
    rng = np.random.default_rng(0)
    weights, rates = rng.dirichlet(np.ones(3), 40), (1.0, 6.0, 15.0)
    d = MixtureDistribution(weights, [Poisson(np.full(40, r)) for r in rates])
    for p in (0.025, 0.5, 0.975):
        want = [brute_quantile(w, [Poisson(r) for r in rates], np.arange(60.0), p) for w in weights]
        assert d.quantile(p).tolist() == want
    looks, low, high = [], np.array([0.0, 7.0]), np.array([30.0, 7.0])
    found = first_atom(lambda x: looks.append(x) or x >= np.array([17.0, 7.0]), low, high)
    assert found.tolist() == [17.0, 7.0]
    assert len(looks) <= 6  # 31 whole numbers, and one look before them


def test_quantiles_of_values_between_whole_numbers():
    parts = [Discrete([-0.5, 0.25, 2.0], [0.2, 0.5, 0.3]), Discrete([-3.0, 0.75, 2.5], [0.3, 0.3, 0.4])]
    d = MixtureDistribution([0.5, 0.5], parts)
    p = np.linspace(0.01, 0.99, 41)
    values = np.array([-3.0, -0.5, 0.25, 0.75, 2.0, 2.5])
    assert d.quantile(p).tolist() == [brute_quantile([0.5, 0.5], parts, values, q) for q in p]


def test_saved_with_its_components(tmp_path):
    for d in (vectors(), MixtureDistribution([0.5, 0.5], [Poisson(2), Discrete([1, 5], [0.5, 0.5])])):
        suffice.save(d, tmp_path / "m.suffice")
        assert suffice.load(tmp_path / "m.suffice") == d


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MixtureDistribution([0.5, 0.6], Normal([0, 1], 1)), "must sum to one; they sum to 1.1"),
        (
            lambda: MixtureDistribution([0.5, 0.5], Normal([0, 1, 2], 1)),
            r"2 in its last axis; got the batch \(3,\)",
        ),
        (lambda: MixtureDistribution([0.5, 0.5], [Normal(0, 1)]), "components must be 2 distributions"),
        (lambda: MixtureDistribution([0.5, 0.5], [Normal(0, 1), 3]), "components must be 2 distributions"),
        (
            lambda: MixtureDistribution([0.5, 0.5], [Normal(0, 1), Poisson(1)]),
            "all have a density or all be discrete",
        ),
        (
            lambda: MixtureDistribution([0.5, 0.5], [Normal(0, 1), MultivariateNormal([0.0], [[1.0]])]),
            r"values of one shape; got \[\(\), \(1,\)\]",
        ),
        (lambda: MixtureDistribution([], []), r"weights must have shape \(..., K\), K >= 1"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_fits_live_elsewhere():
    with pytest.raises(Unsupported, match="by EM"):
        MixtureDistribution.fit([1.0])
    with pytest.raises(Unsupported, match="by EM"):
        MixtureDistribution.statistics([1.0])
