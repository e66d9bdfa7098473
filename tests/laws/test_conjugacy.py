"""Laws of conjugate pairs: the table of `conjugate_pairs` is walked, each pair at random hyper-parameters.

The evidence is computed through Bayes' theorem at one point, so the theorem is tested at others, and the
evidence also against quadrature and against the product of one-step predictives, which use no evidence.
"""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice._core.errors import InvalidInput, InvalidParameter, NumericalError, Unsupported
from suffice._core.records import fields as all_fields
from suffice.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Dirichlet,
    Gamma,
    InverseGamma,
    Multinomial,
    MultivariateNormal,
    Normal,
    NormalGamma,
    NormalInverseWishart,
    Poisson,
    Uniform,
    conjugate_pairs,
)
from suffice.distributions._numerics.one_dimensional import nodes
from suffice.distributions.conjugate import conjugacy
from suffice.distributions.multivariate.normal_inverse_wishart import MeanAndCov
from suffice.statistics import Counts, Moments

pytestmark = pytest.mark.sampled(3)

number = st.floats(-20, 20)
size = st.floats(-1, 3).map(lambda e: 10.0**e)
moderate = st.floats(-0.5, 1.5).map(lambda e: 10.0**e)


def fields(d):
    """Fields of a distribution that have a value."""
    return {k: v for k, v in all_fields(d).items() if v is not None}


def matrix(seed, scale):
    z = np.random.default_rng(seed).normal(size=(4, 2)) * scale
    return z.T @ z + 0.1 * scale**2 * np.eye(2)


matrices = st.builds(matrix, st.integers(0, 10_000), moderate)
pairs_of = st.tuples(number, number).map(np.array)


class Setting:
    """Random priors of a pair, what is known, and the likelihood of a parameter."""

    def __init__(self, prior, likelihood, **known):
        self.prior, self.likelihood, self.known = prior, likelihood, known


SETTINGS = {
    "Beta, Bernoulli": Setting(st.builds(Beta, size, size), Bernoulli),
    "Beta, Binomial": Setting(st.builds(Beta, size, size), lambda p, n: Binomial(n, p), n=st.integers(0, 40)),
    "Dirichlet, Categorical": Setting(
        st.lists(size, min_size=2, max_size=5).map(Dirichlet), lambda p: Categorical(p / p.sum())
    ),
    "Dirichlet, Multinomial": Setting(
        st.lists(size, min_size=2, max_size=4).map(Dirichlet),
        lambda p, n: Multinomial(n, p / p.sum()),
        n=st.integers(0, 12),
    ),
    "Gamma, Poisson": Setting(st.builds(Gamma, size, size), Poisson),
    "Normal, Normal": Setting(st.builds(Normal, number, size), lambda m, std: Normal(m, std), std=size),
    "Gamma, Normal": Setting(
        st.builds(Gamma, moderate, size), lambda t, mean: Normal.from_precision(mean, t), mean=number
    ),
    "InverseGamma, Normal": Setting(
        st.builds(InverseGamma, moderate, size), lambda v, mean: Normal.from_variance(mean, v), mean=number
    ),
    "NormalGamma, Normal": Setting(
        st.builds(NormalGamma, number, size, moderate, size), lambda t: Normal.from_precision(t[0], t[1])
    ),
    "MultivariateNormal, MultivariateNormal": Setting(
        st.builds(MultivariateNormal, pairs_of, matrices),
        lambda m, cov: MultivariateNormal(m, cov),
        cov=matrices,
    ),
    "NormalInverseWishart, MultivariateNormal": Setting(
        st.builds(NormalInverseWishart, pairs_of, size, matrices, st.floats(3, 30)),
        lambda t: MultivariateNormal(t.mean, t.cov),
    ),
}


def name_of(pair):
    return f"{pair.prior.__name__}, {pair.likelihood.__name__}"


PAIRS = {name_of(pair): pair for pair in conjugate_pairs()}
every = pytest.mark.parametrize("name", PAIRS)
examples = settings(max_examples=12, deadline=None, derandomize=True, database=None)


@st.composite
def problems(draw, name):
    """A prior, what is known, a parameter drawn from the prior, and rows drawn at that parameter."""
    setting = SETTINGS[name]
    prior = draw(setting.prior)
    known = {key: draw(strategy) for key, strategy in setting.known.items()}
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    theta = prior.sample(rng=rng)
    data = setting.likelihood(theta, **known).sample(draw(st.integers(0, 9)), rng)
    if name == "Dirichlet, Categorical":  # as many labels as classes could be counts
        data = data[: prior.dim - 1]
    return prior, known, theta, data


def likelihood(name, theta, known, data):
    return float(np.sum(SETTINGS[name].likelihood(theta, **known).log_prob(data)))


def close(a, b, tolerance=1e-10):
    assert type(a) is type(b)
    for key, value in fields(a).items():
        other = fields(b)[key]
        np.testing.assert_allclose(value, other, rtol=tolerance, atol=tolerance * np.max(np.abs(other)))


def test_every_pair_has_settings():
    assert set(PAIRS) == set(SETTINGS)


# -- posterior ----------------------------------------------------------------------------------------------
@every
@given(data=st.data())
@examples
def test_two_steps_are_one(name, data):
    prior, known, _, x = data.draw(problems(name))
    cut = len(x) // 2
    whole = prior.posterior(x, **known)
    close(prior.posterior(x[:cut], **known).posterior(x[cut:], **known), whole)
    pair = PAIRS[name]
    joined = reduce(
        lambda a, b: a + b, (pair.statistics(prior, part, **known) for part in (x[:cut], x[cut:]))
    )
    close(prior.posterior(joined, **known), whole)
    close(reduce(lambda p, row: p.posterior(row[None], **known), x, prior), whole)
    np.testing.assert_allclose(
        prior.log_evidence(joined, **known), prior.log_evidence(x, **known), rtol=1e-10, atol=1e-10
    )


@every
@given(data=st.data())
@examples
def test_prior_times_likelihood_is_evidence_times_posterior(name, data):
    prior, known, theta, x = data.draw(problems(name))
    posterior, evidence = prior.posterior(x, **known), prior.log_evidence(x, **known)
    for point in (theta, posterior.sample(rng=1)):
        logs = prior.log_prob(point), likelihood(name, point, known, x), posterior.log_prob(point)
        if np.all(np.isfinite(logs)):  # a draw may round to the edge of its range
            scale = 1e-9 * max(1.0, *np.abs(logs))
            assert logs[0] + logs[1] == pytest.approx(evidence + logs[2], abs=scale)


@every
@given(data=st.data())
@examples
def test_evidence_is_the_product_of_one_step_predictives(name, data):
    prior, known, _, x = data.draw(problems(name))
    total, belief = 0.0, prior
    for row in x:
        total += belief.predictive(**known).log_prob(row)
        belief = belief.posterior(row[None], **known)
    assert prior.log_evidence(x, **known) == pytest.approx(float(total), rel=1e-9, abs=1e-9)
    assert isinstance(belief.predictive(**known), PAIRS[name].predictive)


@every
@given(data=st.data())
@examples
def test_weights_are_repetitions(name, data):
    prior, known, _, x = data.draw(problems(name))
    w = np.random.default_rng(0).integers(0, 4, size=len(x))
    what = "labels" if name == "Dirichlet, Categorical" else "data"
    once = {what: np.repeat(x, w, axis=0), **known}
    close(prior.posterior(x, w, **known), prior.posterior(**once))
    assert prior.log_evidence(x, w, **known) == pytest.approx(
        float(prior.log_evidence(**once)), rel=1e-10, abs=1e-10
    )


@every
@given(data=st.data())
@examples
def test_no_data_change_nothing(name, data):
    prior, known, _, x = data.draw(problems(name))
    close(prior.posterior(x[:0], **known), prior, tolerance=1e-15)
    assert prior.log_evidence(x[:0], **known) == pytest.approx(0, abs=1e-14)
    close(prior.posterior(x, np.zeros(len(x)), **known), prior, tolerance=1e-15)


@every
@given(data=st.data())
@examples
def test_a_batch_of_priors_is_each_of_them(name, data):
    prior, known, _, x = data.draw(problems(name))
    other = prior.posterior(x, **known)
    batch = type(prior)(**{k: np.stack([v, fields(other)[k]]) for k, v in fields(prior).items()})
    evidence, after, predicted = (
        batch.log_evidence(x, **known),
        batch.posterior(x, **known),
        batch.predictive(**known),
    )
    assert np.shape(evidence) == (2,)
    for i, one in enumerate((prior, other)):
        assert evidence[i] == pytest.approx(float(one.log_evidence(x, **known)), rel=1e-10, abs=1e-10)
        close(after[i], one.posterior(x, **known))
        close(predicted[i], one.predictive(**known))


# -- brute force --------------------------------------------------------------------------------------------
def line(d):
    x, w = nodes(d)
    return x, w


def averaged(prior, known):
    """Parameters and weights with Σ w f(θ) ≈ ∫ p(θ) f(θ) dθ."""
    if isinstance(prior, NormalGamma):
        for precision, w in zip(*line(prior.marginal_precision()), strict=True):
            spread = 1 / np.sqrt(prior.strength * precision)
            for mean, v in zip(*line(Normal(prior.mean, spread)), strict=True):
                yield np.array([mean, precision]), w * v
    elif isinstance(prior, Dirichlet):  # K = 3, stick by stick
        a, b, c = prior.alpha
        for p, w in zip(*line(Beta(a, b + c)), strict=True):
            for q, v in zip(*line(Beta(b, c)), strict=True):
                yield np.array([p, (1 - p) * q, (1 - p) * (1 - q)]), w * v
    else:
        yield from zip(*line(prior), strict=True)


BRUTE = [
    ("Beta, Bernoulli", Beta(0.7, 2.5), {}, [1, 0, 0, 1, 1]),
    ("Beta, Binomial", Beta(3.0, 0.4), {"n": 7}, [5, 7, 2]),
    ("Gamma, Poisson", Gamma(2.2, 0.7), {}, [3, 0, 5, 2]),
    ("Normal, Normal", Normal(1.0, 2.0), {"std": 0.7}, [0.2, 1.9, 2.4]),
    ("Gamma, Normal", Gamma(1.5, 2.0), {"mean": 1.0}, [0.2, 1.9, 2.4]),
    ("InverseGamma, Normal", InverseGamma(2.5, 2.0), {"mean": 1.0}, [0.2, 1.9, 2.4]),
    ("Dirichlet, Categorical", Dirichlet([0.8, 2.0, 1.3]), {}, [0, 2, 2, 1]),
    ("Dirichlet, Multinomial", Dirichlet([0.8, 2.0, 1.3]), {"n": 4}, [[3, 1, 0], [1, 1, 2]]),
    ("NormalGamma, Normal", NormalGamma(0.5, 2.0, 3.0, 2.0), {}, [0.2, 1.9, 2.4]),
]


@pytest.mark.long_for("Dirichlet, Categorical")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "prior", "known", "x"),
    [pytest.param(*b, marks=[pytest.mark.long] if "Multinomial" in b[0] else []) for b in BRUTE],
    ids=[b[0] for b in BRUTE],
)
def test_evidence_and_predictive_by_quadrature(name, prior, known, x):
    x = np.asarray(x)
    thetas, weights = zip(*averaged(prior, known), strict=True)
    thetas, weights = np.array(thetas), np.array(weights)
    with np.errstate(all="ignore"):
        like = batch_likelihood(name, thetas, known, x)
    evidence = np.sum(weights * np.exp(like.sum(axis=0)))
    assert prior.log_evidence(x, **known) == pytest.approx(np.log(evidence), abs=1e-9)
    predicted = weights * np.exp(like.sum(axis=0)) / evidence @ np.exp(like).T
    after = prior.posterior(x, **known).predictive(**known).prob(x)
    np.testing.assert_allclose(after, predicted, rtol=1e-8)


def batch_likelihood(name, thetas, known, x):
    """log p(row | θ) for all rows and parameters, (rows, parameters)."""
    rows = []
    for row in x:
        if name == "Dirichlet, Categorical":
            rows.append(np.log(thetas[:, row]))
        elif name == "Dirichlet, Multinomial":
            coefficient = Multinomial(known["n"], [1 / 3] * 3).log_prob(row) + known["n"] * np.log(3)
            rows.append(coefficient + np.sum(np.where(row > 0, row * np.log(thetas), 0.0), axis=1))
        else:
            theta = thetas.T if thetas.ndim == 2 else thetas
            rows.append(SETTINGS[name].likelihood(theta, **known).log_prob(row))
    return np.array(rows)


@given(pairs_of.map(lambda v: v[:1]), size, moderate, st.floats(1, 30), st.integers(0, 1000))
@examples
def test_the_wishart_family_in_one_dimension_is_the_gamma_family(mean, strength, scale, dof, seed):
    x = np.random.default_rng(seed).normal(size=(6, 1))
    many = NormalInverseWishart(mean, strength, [[scale]], dof)
    one = NormalGamma(mean[0], strength, dof / 2, scale / 2)
    assert many.log_evidence(x) == pytest.approx(float(one.log_evidence(x[:, 0])), rel=1e-10)
    a, b = many.posterior(x).predictive(), one.posterior(x[:, 0]).predictive()
    np.testing.assert_allclose(a.log_prob([[0.3]]), b.log_prob([0.3]), rtol=1e-9)
    wide = MultivariateNormal(mean, [[scale]]).log_evidence(x, cov=[[2.0]])
    assert wide == pytest.approx(
        float(Normal(mean[0], np.sqrt(scale)).log_evidence(x[:, 0], std=np.sqrt(2.0))), rel=1e-10
    )


# -- calibration --------------------------------------------------------------------------------------------
def far_from_uniform(u):
    """Kolmogorov's distance in units of its scale: above 2.4 with probability 2e-5."""
    u = np.sort(u)
    return np.max(np.abs(u - (np.arange(len(u)) + 0.5) / len(u))) * np.sqrt(len(u))


def test_simulation_based_calibration_of_a_coin():
    rng = np.random.default_rng(0)
    prior = Beta(2.0, 3.0)
    thetas = prior.sample(1500, rng)
    u = [prior.posterior(rng.binomial(12, t), n=12).cdf(t) for t in thetas]
    assert far_from_uniform(u) < 2.4


@pytest.mark.slow
def test_simulation_based_calibration_of_mean_and_precision():
    rng = np.random.default_rng(1)
    prior = NormalGamma(1.0, 0.5, 2.0, 3.0)
    ranks = []
    for mean, precision in prior.sample(1500, rng):
        posterior = prior.posterior(rng.normal(mean, 1 / np.sqrt(precision), size=5))
        ranks.append([posterior.marginal_mean().cdf(mean), posterior.marginal_precision().cdf(precision)])
    for u in np.transpose(ranks):
        assert far_from_uniform(u) < 2.4


# -- statistics as data -------------------------------------------------------------------------------------
def test_statistics_stand_for_data():
    tosses = np.array([1, 0, 1, 1])
    assert Beta(1, 1).posterior(Counts.of(tosses)) == Beta(1, 1).posterior(tosses) == Beta(4, 2)
    assert Beta(1, 1).log_evidence(Counts.of(tosses)) == Beta(1, 1).log_evidence(tosses)
    assert Beta(1, 1).posterior(Counts.of([1, 1])) == Beta(3, 1)  # tails never seen
    labels = np.array([0, 2, 2])
    flat = Dirichlet([1.0, 1.0, 1.0])
    assert flat.posterior(Counts.of(labels)) == flat.posterior(labels=labels) == Dirichlet([2.0, 1.0, 3.0])
    assert flat.posterior(Counts.of(["b", "c", "b"], classes=["a", "b", "c"])) == Dirichlet([1.0, 3.0, 2.0])
    assert (
        flat.posterior([2, 1, 0], n=3)
        == flat.posterior(counts=[2, 1, 0])
        == flat.posterior([[2, 1, 0]])
        == Dirichlet([3.0, 2.0, 1.0])
    )
    counts = np.array([3, 0, 3])
    assert Gamma(1, 1).posterior(Counts.of(counts)) == Gamma(1, 1).posterior(counts) == Gamma(7, 4)
    assert Gamma(1, 1).posterior(Poisson.statistics(counts)) == Gamma(7, 4)
    assert Gamma(1, 1).log_evidence(Counts.of(counts)) == pytest.approx(Gamma(1, 1).log_evidence(counts))
    assert Beta(1, 1).posterior(Counts.of(counts), n=5) == Beta(1, 1).posterior(counts, n=5) == Beta(7, 10)
    close(Beta(1, 1).posterior(Moments.of(counts), n=5), Beta(7, 10), tolerance=1e-14)
    x = np.array([1.0, 2.0, 6.0])
    assert Normal(0, 1).posterior(Moments.of(x), std=2.0) == Normal(0, 1).posterior(x, std=2.0)
    assert Normal(0, 1).posterior(2.0, std=1.0) == Normal(0, 1).posterior([2.0], std=1.0)


def test_trials_of_different_sizes():
    a = Beta(2, 2).log_evidence([3, 1], n=[5, 2])
    b = Beta(2, 2).log_evidence(3, n=5) + Beta(5, 4).log_evidence(1, n=2)
    assert a == pytest.approx(b, rel=1e-13)


def test_a_point_mass_stays_and_predicts_itself():
    d = Normal(2.0, 0.0)
    assert d.posterior([5.0, 6.0], std=1.0) == d
    assert d.log_evidence([5.0, 6.0], std=1.0) == pytest.approx(Normal(2, 1).log_prob([5.0, 6.0]).sum())
    singular = MultivariateNormal([0.0, 0.0], [[1.0, 1.0], [1.0, 1.0]])
    assert singular.posterior([[1.0, 3.0]], cov=np.eye(2)).mean == pytest.approx([4 / 3, 4 / 3])


# -- bad input ----------------------------------------------------------------------------------------------
BAD = [
    (lambda: Beta(1, 1).posterior([0, 2]), InvalidInput, "integers from 0 to 1; got 2.0"),
    (lambda: Beta(1, 1).posterior(Counts.of([0, 3])), InvalidInput, "classes 0 to 1; got the class 3"),
    (lambda: Beta(1, 1).posterior(Counts.of(["H", "T"])), InvalidInput, "got the class 'H'"),
    (lambda: Beta(1, 1).posterior(7, n=5), InvalidInput, "from 0 to n = 5; got 7.0"),
    (lambda: Beta(1, 1).log_evidence([1, 7], n=[5, 6]), InvalidInput, "from 0 to n = 6; got 7.0"),
    (
        lambda: Beta(1, 1).posterior([1, 2], n=[5, 6, 7]),
        InvalidParameter,
        "n must be one number or one per row",
    ),
    (lambda: Beta(1, 1).posterior(2, n=2.5), InvalidParameter, "n must be an integer; got 2.5"),
    (lambda: Beta(1, 1).posterior([1, 0], [1, -1]), InvalidInput, "weight must be finite and >= 0; got -1.0"),
    (lambda: Beta(1, 1).posterior(Counts.of([1]), [2.0]), InvalidInput, "weight goes with data"),
    (lambda: Beta(1, 1).posterior(Moments.of([9.0]), n=5), InvalidInput, "up to n = 5; their mean is 9.0"),
    (lambda: Beta(1, 1).log_evidence(Moments.of([1.0]), n=5), NumericalError, "needs the counts themselves"),
    (lambda: Gamma(1, 1).log_evidence(Moments.of([1.0])), NumericalError, "needs the counts themselves"),
    (lambda: Gamma(1, 1).posterior([1, -1]), InvalidInput, "integers >= 0; got -1.0"),
    (lambda: Gamma(1, 1).posterior([1.5]), InvalidInput, "integers >= 0; got 1.5"),
    (lambda: Gamma(1, 1).posterior([1.0], mean=np.nan), InvalidParameter, "mean must be"),
    (lambda: Dirichlet([1.0, 1.0]).posterior([0, 2, 1]), InvalidInput, "from 0 to 1; got 2.0"),
    (lambda: Dirichlet([1.0, 1.0]).posterior(labels=[0, 2]), InvalidInput, "from 0 to 1; got 2.0"),
    (lambda: Dirichlet([1.0, 1.0]).posterior([[1, 2, 3]]), InvalidInput, "must have 2 columns"),
    (lambda: Dirichlet([1.0, 1.0]).posterior([[1, 0.5]]), InvalidInput, "integers >= 0; got 0.5"),
    (lambda: Dirichlet([1.0, 1.0]).posterior([[1, 2]], n=4), InvalidInput, "row 0 sums to 3"),
    (
        lambda: Dirichlet([1.0, 1.0]).posterior(Counts.of([5])),
        InvalidInput,
        "classes 0 to 1; got the class 5",
    ),
    (lambda: Normal(0, 1).posterior([1.0], std=0.0), InvalidParameter, "std must be > 0; got 0.0"),
    (lambda: Normal(0, 1).posterior([np.inf], std=1.0), InvalidInput, "x must be finite; got inf"),
    (lambda: Normal(0, 1).posterior(Moments.of(np.ones((2, 2))), std=1.0), InvalidInput, "mean of shape"),
    (
        lambda: MultivariateNormal([0.0], [[1.0]]).posterior([[1.0, 2.0]], cov=[[1.0]]),
        InvalidInput,
        "1 columns",
    ),
    (
        lambda: MultivariateNormal([0.0], [[1.0]]).posterior([[1.0]], cov=[[-1.0]]),
        NumericalError,
        "cov must be positive definite; its smallest eigenvalue is -1",
    ),
    (lambda: NormalInverseWishart([0.0], 1, [[1.0]], 3).posterior([[1.0, 2.0]]), InvalidInput, "1 columns"),
    (lambda: conjugacy.posterior(Normal(0, 1), [1.0]), InvalidParameter, "Normal needs std= to be known"),
    (lambda: conjugacy.posterior(Uniform(0, 1), [1.0]), Unsupported, "prior must be one of Beta"),
]


@pytest.mark.parametrize(("call", "error", "words"), BAD)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_pairs_read_well():
    text = [str(pair) for pair in conjugate_pairs()]
    assert "Normal for the mean of Normal, known std" in text
    assert repr(conjugate_pairs()[0]) == "<ConjugatePair: Beta for p of Bernoulli>"
    assert isinstance(NormalInverseWishart([0.0], 1, [[1.0]], 3).sample(rng=0), MeanAndCov)
