"""What is special about mixtures: components of several kinds, of vectors, in batches; search for the mode."""

import numpy as np
import pytest

import suffice
from suffice._core.errors import Unsupported
from suffice.distributions import (
    Discrete,
    Gamma,
    MixtureDistribution,
    MultivariateNormal,
    Normal,
    Poisson,
    StudentT,
    Uniform,
)


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


def test_vectors_have_no_quantiles():
    d = vectors()
    for call in (lambda: d.cdf([0.0, 0.0]), lambda: d.quantile(0.5), lambda: d.interval()):
        with pytest.raises(Unsupported, match="is not defined for vectors"):
            call()
    for what in ("mode", "entropy"):
        with pytest.raises(Unsupported, match="not computed for mixtures of vectors"):
            d.entropy() if what == "entropy" else d.mode


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
