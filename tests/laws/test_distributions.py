"""Laws that every distribution in `suffice.distributions` obeys.

The room is walked by `__all__`: a distribution without settings here fails the first test.
"""

import dataclasses
import inspect
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import chdtri

from suffice import distributions
from suffice._core.records import fields
from suffice.distributions import Categorical, Distribution, MultivariateNormal, Normal, StudentT
from suffice.distributions._base import Multivariate, Univariate

ROOM = {
    name: cls
    for name in distributions.__all__
    if inspect.isclass(cls := getattr(distributions, name)) and not inspect.isabstract(cls)
}

# At least three settings each, one of them far from the usual.
SETTINGS = {
    "Normal": [Normal(0, 1), Normal(-3.5, 0.2), Normal(1e6, 30.0)],
    "StudentT": [StudentT(5), StudentT(30.5, -2.0, 0.1), StudentT(1.3, 4.0, 10.0), StudentT(np.inf, 1, 2)],
    "MultivariateNormal": [
        MultivariateNormal([0.5], [[2.0]]),
        MultivariateNormal([0.0, 1.0], [[2.0, 0.6], [0.6, 1.0]]),
        MultivariateNormal([1e3, -5.0], [[1e4, 99.0], [99.0, 1.0]]),
    ],
    "Categorical": [
        Categorical([0.2, 0.5, 0.3]),
        Categorical([0.1, 0.0, 0.6, 0.3], classes=[2.5, -1.0, 7.0, 0.0]),
        Categorical([1e-12, 1 - 1e-12], classes=[10, 20]),
    ],
}

# What does not hold, and why. A law skips the names listed for it.
EXCEPTIONS = {
    ("moments", "StudentT(dof=1.3, loc=4, scale=10)"): "the variance is infinite",
    ("statistics", "StudentT"): "it has no finite sufficient statistics",
    ("score", "Categorical"): "it has no location",
}
DISCRETE = {"Categorical"}
LOCATION = {"Normal": "mean", "StudentT": "loc", "MultivariateNormal": "mean"}

EVERY = [pytest.param(d, id=repr(d)[:60]) for name in ROOM for d in SETTINGS.get(name, [])]
SCALAR = [p for p in EVERY if isinstance(p.values[0], Univariate)]
CONTINUOUS = [p for p in SCALAR if type(p.values[0]).__name__ not in DISCRETE]
PROBABILITIES = np.array([1e-10, 1e-3, 0.025, 0.3, 0.5, 0.77, 0.999])

finite = st.floats(-1e6, 1e6)
positive = st.floats(-6, 6).map(lambda e: 10.0**e)
shape = st.one_of(st.floats(-0.3, 12).map(lambda e: 10.0**e), st.just(np.inf))
RANDOM = {
    "Normal": st.builds(Normal, finite, positive),
    "StudentT": st.builds(StudentT, shape, finite, positive),
    "Categorical": st.lists(st.floats(0, 1), min_size=1, max_size=6)
    .filter(lambda v: sum(v) > 1e-3)
    .map(lambda v: Categorical(np.array(v) / sum(v))),
}
univariate = st.one_of(*RANDOM.values())
continuous = st.one_of(*(s for name, s in RANDOM.items() if name not in DISCRETE))
examples = settings(max_examples=40, deadline=None, derandomize=True, database=None)


def skip_exceptions(law, d):
    for key in (repr(d), type(d).__name__):
        if (law, key) in EXCEPTIONS:
            pytest.skip(EXCEPTIONS[law, key])


def quadrature(d):
    """Nodes and weights for ∫ dx: the trapezoid rule in s with x = median + width sinh s."""
    middle = d.quantile(0.5)
    width = min(d.quantile(0.75) - d.quantile(0.25), 1 / d.prob(middle))
    s = np.linspace(-90, 90, 18001)
    return middle + width * np.sinh(s), width * np.cosh(s) * (s[1] - s[0])


def grid(d, points=201, reach=9.0):
    """Nodes (M, D) and the volume of a cell of a grid along the principal axes."""
    values, axes = d.rotate_axes()
    line = np.linspace(-reach, reach, points)
    y = np.stack(np.meshgrid(*[line] * d.dim, indexing="ij"), axis=-1).reshape(-1, d.dim)
    return d.mean + (y * np.sqrt(values)) @ axes.T, np.sqrt(np.prod(values)) * (line[1] - line[0]) ** d.dim


def expectation(d, f):
    """E f(X) by quadrature, by a grid for vectors, by a sum for classes."""
    if isinstance(d, Categorical):
        seen = d.classes[d.probabilities > 0]
        return np.sum(d.prob(seen) * f(seen))
    x, w = grid(d) if isinstance(d, Multivariate) else quadrature(d)
    p = d.prob(x) * w
    return np.sum(np.where(p > 0, p * np.where(p > 0, f(x), 0.0), 0.0))


def test_the_room_is_covered():
    assert set(ROOM) == set(SETTINGS)
    assert set(ROOM) - {"MultivariateNormal"} == set(RANDOM)
    assert all(len(d) >= 3 for d in SETTINGS.values())
    assert distributions.__all__ == sorted(distributions.__all__)


@pytest.mark.parametrize("name", ROOM)
def test_nothing_concrete_is_overridden(name):
    cls = ROOM[name]
    for base in cls.__mro__[1:]:
        concrete = {
            k
            for k, v in vars(base).items()
            if not k.startswith("__") and not getattr(v, "__isabstractmethod__", False) and base is not object
        }
        assert not concrete & (set(vars(cls)) - {"_abc_impl", "_event_ndim", "__module__"}), base


# -- densities -----------------------------------------------------------------------------------


@pytest.mark.parametrize("d", EVERY)
def test_integrates_to_one(d):
    assert expectation(d, lambda x: 1.0) == pytest.approx(1.0, rel=1e-9)


@given(univariate)
@examples
def test_integrates_to_one_anywhere(d):
    assert expectation(d, lambda x: 1.0) == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize("d", EVERY)
def test_entropy_is_expected_surprise(d):
    assert d.entropy() == pytest.approx(-expectation(d, d.log_prob), rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("d", EVERY)
def test_moments_are_integrals(d):
    skip_exceptions("moments", d)
    centre = np.reshape(d.mean, -1)[0]
    first = (lambda x: x[..., 0] - centre) if isinstance(d, Multivariate) else (lambda x: x - centre)
    spread = np.reshape(d.std, -1)[0]
    assert expectation(d, first) == pytest.approx(0, abs=1e-8 * spread)
    assert expectation(d, lambda x: first(x) ** 2) == pytest.approx(spread**2, rel=1e-7)


@pytest.mark.parametrize("d", EVERY)
def test_score_has_mean_zero(d):
    skip_exceptions("score", d)
    name = LOCATION[type(d).__name__]
    location = getattr(d, name)
    h = 1e-3 * (np.sqrt(d.cov[0, 0]) if isinstance(d, Multivariate) else 1 / d.prob(d.mode))
    step = np.where(np.arange(np.size(location)) == 0, h, 0.0).reshape(np.shape(location))
    up, down = (dataclasses.replace(d, **{name: location + s * step}) for s in (1, -1))

    def score(x):
        return (up.log_prob(x) - down.log_prob(x)) / 2  # in units of 1/h

    assert expectation(d, score) == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("d", EVERY)
def test_mode_is_highest(d):
    others = d.sample(200, rng=0)
    assert np.all(d.log_prob(others) <= d.log_prob(d.mode))


@pytest.mark.parametrize("d", EVERY)
def test_derived_names(d):
    x = d.sample(5, rng=0)
    np.testing.assert_array_equal(d.prob(x), np.exp(d.log_prob(x)))
    np.testing.assert_array_equal(d.logpdf(x), d.log_prob(x))
    np.testing.assert_array_equal(d.pdf(x), d.prob(x))
    np.testing.assert_array_equal(d.rvs(5, random_state=0), x)
    np.testing.assert_allclose(np.square(d.std), d.var, rtol=1e-14)
    assert type(d).__name__ in d._repr_html_()
    assert d.n_parameters >= 0


# -- cdf, tails, quantiles -----------------------------------------------------------------------


@given(continuous)
@examples
def test_cdf_of_quantile_is_identity(d):
    # a quantile is rounded to the grid of doubles: near 1e6 with scale 1e-6 that costs digits
    x = d.quantile(PROBABILITIES)
    slack = np.spacing(np.abs(x)) * d.prob(x)
    assert np.all(np.abs(d.cdf(x) - PROBABILITIES) <= 1e-11 * PROBABILITIES + slack)


@given(RANDOM["Categorical"], st.floats(0, 1))
@examples
def test_quantile_of_classes_is_the_first_that_reaches_p(d, p):
    q = d.quantile(p)
    assert d.cdf(q) >= p
    assert d.prob(q) > 0
    assert p == 0 or d.cdf(q - 0.5) < p or d.cdf(q - 0.5) == 0


@given(univariate, st.floats(-40, 40))
@examples
def test_tails_agree(d, z):
    x = d.quantile(0.5) + z * (d.quantile(0.75) - d.quantile(0.25) + 1e-3)
    assert d.sf(x) == pytest.approx(1 - d.cdf(x), abs=1e-14)
    with np.errstate(divide="ignore"):
        assert d.log_sf(x) == pytest.approx(np.log(d.sf(x)), rel=1e-12) or d.sf(x) == 0
        assert d.log_cdf(x) == pytest.approx(np.log(d.cdf(x)), rel=1e-12, abs=1e-15) or d.cdf(x) == 0
    assert d.logsf(x) == d.log_sf(x)
    assert d.logcdf(x) == d.log_cdf(x)


@given(univariate, st.floats(0, 1), st.floats(0, 1))
@examples
def test_between_is_a_difference_of_cdfs(d, p, q):
    a, b = np.sort(d.quantile(np.array([p, q])))
    assert d.between(a, b) == pytest.approx(d.cdf(b) - d.cdf(a), abs=1e-14)
    assert d.between(-np.inf, np.inf) == 1.0


@pytest.mark.parametrize("d", CONTINUOUS)
def test_between_keeps_its_digits_in_both_tails(d):
    scale = d.quantile(0.75) - d.quantile(0.25)
    a = d.quantile(0.5) + 10 * scale  # so far out that the cdf is one
    mirrored = 2 * d.quantile(0.5) - a
    assert d.between(a, a + scale) == pytest.approx(d.between(mirrored - scale, mirrored), rel=1e-7)
    assert d.between(a, a + scale) == pytest.approx(d.sf(a) - d.sf(a + scale), rel=1e-13)
    assert d.between(a, a + scale) > 0


@pytest.mark.parametrize("d", CONTINUOUS)
def test_density_is_the_slope_of_the_cdf(d):
    x, h = d.quantile(PROBABILITIES[1:]), 1e-4 / d.prob(d.mode)
    slope = (d.cdf(x + h) - d.cdf(x - h)) / (2 * h)
    np.testing.assert_allclose(d.prob(x), slope, rtol=1e-5)


@pytest.mark.parametrize("d", EVERY)
def test_interval_holds_its_level(d):
    low, high = d.interval(0.9)
    x = d.sample(20_000, rng=3)
    inside = np.mean((x >= low) & (x <= high), axis=0)
    error = 5 * np.sqrt(0.9 * 0.1 / 20_000)  # five binomial standard errors
    expected = (
        d.prob(d.classes[(d.classes >= low) & (d.classes <= high)]).sum()
        if isinstance(d, Categorical)
        else 0.9
    )
    assert np.all(np.abs(inside - expected) <= error)
    assert np.all(expected >= 0.9 - 1e-12)


# -- samples -------------------------------------------------------------------------------------


def variance_of_square(d):
    """Var (X − mean)², per coordinate."""
    if isinstance(d, Multivariate):
        return 2 * d.var**2  # of a normal coordinate
    return expectation(d, lambda x: (x - d.mean) ** 4) - d.var**2


@pytest.mark.parametrize("d", EVERY)
def test_sample_moments(d):
    skip_exceptions("moments", d)
    n = 50_000
    x = d.sample(n, rng=7)
    assert x.shape == (n, *np.shape(d.mean))
    gap = x - d.mean
    # five standard errors, for the mean and for the variance about the known mean
    assert np.all(np.abs(gap.mean(axis=0)) <= 5 * d.std / np.sqrt(n))
    assert np.all(np.abs((gap**2).mean(axis=0) - d.var) <= 5 * np.sqrt(variance_of_square(d) / n))


@pytest.mark.parametrize("d", CONTINUOUS)
def test_sample_follows_the_cdf(d):
    n = 20_000
    u = np.sort(d.cdf(d.sample(n, rng=11)))
    distance = np.max(np.abs(u - (np.arange(n) + 0.5) / n))
    assert distance <= 2.5 / np.sqrt(n)  # Kolmogorov: P < 1e-5


@pytest.mark.parametrize("d", EVERY)
def test_sampling_is_an_argument(d):
    assert np.shape(d.sample(rng=1)) == np.shape(d.mean)
    np.testing.assert_array_equal(d.sample(3, rng=1), d.sample(3, rng=np.random.default_rng(1)))
    rng = np.random.default_rng(1)
    first, second = d.sample(50, rng), d.sample(50, rng)
    assert isinstance(d, Categorical) or not np.array_equal(first, second)
    assert d.sample(0, rng=1).shape == (0, *np.shape(d.mean))


# -- fits ----------------------------------------------------------------------------------------


def total(d, x, weight=None):
    return np.average(d.log_prob(x), weights=weight) * len(x)


@pytest.mark.parametrize("d", EVERY)
def test_fit_is_consistent(d):
    x = d.sample(5000, rng=5)
    fitted = type(d).fit(x)
    gain = 2 * (total(fitted, x) - total(d, x))
    # Wilks: twice the gain is χ² with n_parameters degrees of freedom; exceeded with probability 1e-6
    assert -1e-6 <= gain <= chdtri(max(fitted.n_parameters, 1), 1e-6)


@pytest.mark.parametrize("d", EVERY)
def test_weights_are_counts(d):
    x = d.sample(60, rng=6)
    w = np.random.default_rng(0).integers(0, 4, size=60)
    weighted, repeated = type(d).fit(x, w), type(d).fit(np.repeat(x, w, axis=0))
    tolerance = 1e-5 if isinstance(d, StudentT) else 1e-12  # StudentT is fitted by iteration
    for name, value in fields(repeated).items():
        np.testing.assert_allclose(fields(weighted)[name], value, rtol=tolerance, atol=tolerance * np.ptp(x))


@pytest.mark.parametrize("d", EVERY)
def test_statistics_add(d):
    skip_exceptions("statistics", d)
    cls, x = type(d), d.sample(100, rng=6)
    joined = cls.from_statistics(cls.statistics(x[:37]) + cls.statistics(x[37:]))
    for name, value in fields(cls.fit(x)).items():
        np.testing.assert_allclose(fields(joined)[name], value, rtol=1e-10)


@pytest.mark.parametrize("d", EVERY)
def test_fit_refuses_what_cannot_be_fitted(d):
    cls, x = type(d), d.sample(4, rng=0)
    with pytest.raises(ValueError, match="total weight is 0"):
        cls.fit(x[:0])
    with pytest.raises(ValueError, match="total weight is 0"):
        cls.fit(x, np.zeros(4))
    with pytest.raises(ValueError, match=r"weight must be finite and >= 0; got -1\.0"):
        cls.fit(x, [1, 1, -1, 1])
    with pytest.raises(ValueError, match="one number per row"):
        cls.fit(x, [1, 1])


# -- values and batches --------------------------------------------------------------------------


def stacked(d):
    """A batch of three of the same shape, and the three."""
    parts = [d, *(e for e in SETTINGS[type(d).__name__] if e is not d)]
    same = [e for e in parts if np.shape(e.mean) == np.shape(d.mean)]
    if isinstance(d, Categorical):
        same = [dataclasses.replace(d, probabilities=np.roll(d.probabilities, k)) for k in range(3)]
    same = (same * 3)[:3]
    batched = {k: np.stack([getattr(e, k) for e in same]) for k in d._event_ndim}
    return dataclasses.replace(d, **batched), same


@pytest.mark.parametrize("d", EVERY)
def test_a_batch_is_a_loop(d):
    batch, parts = stacked(d)
    assert batch.batch_shape == (3,)
    assert len(batch) == 3
    assert [batch[i] for i in range(3)] == parts == list(batch)
    assert batch[1:] == dataclasses.replace(d, **{k: getattr(batch, k)[1:] for k in d._event_ndim})
    assert batch[np.array([True, False, True])][1] == parts[2]
    x = np.stack([e.sample(rng=i) for i, e in enumerate(parts)])
    for name in ("mean", "var", "std", "mode"):
        np.testing.assert_allclose(getattr(batch, name), [getattr(e, name) for e in parts], rtol=1e-14)
    np.testing.assert_allclose(batch.entropy(), [e.entropy() for e in parts], rtol=1e-14)
    np.testing.assert_allclose(
        batch.log_prob(x), [e.log_prob(v) for e, v in zip(parts, x, strict=True)], rtol=1e-11
    )
    draws = batch.sample(4, rng=0)
    assert draws.shape[:2] == (4, 3)
    np.testing.assert_allclose(batch.log_prob(draws)[2], batch.log_prob(draws[2]), rtol=1e-11)
    low, high = batch.interval(0.8)
    np.testing.assert_allclose(low[1], parts[1].interval(0.8)[0], rtol=1e-14)
    np.testing.assert_allclose(high[2], parts[2].interval(0.8)[1], rtol=1e-14)


@pytest.mark.parametrize("d", SCALAR)
def test_tails_of_a_batch_are_a_loop(d):
    batch, parts = stacked(d)
    x = np.array([e.quantile(0.2) for e in parts])
    np.testing.assert_allclose(batch.quantile(0.2), x, rtol=1e-14)
    for name in ("cdf", "sf", "log_cdf", "log_sf"):
        expected = [getattr(e, name)(v) for e, v in zip(parts, x, strict=True)]
        np.testing.assert_allclose(getattr(batch, name)(x), expected, rtol=1e-14)
    assert batch.cdf(x[:, None]).shape == (3, 3)


@pytest.mark.parametrize("d", SCALAR)
def test_single_numbers_stay_single(d):
    x = d.quantile(0.4)
    for value in (
        d.mean,
        d.var,
        d.std,
        d.entropy(),
        d.log_prob(x),
        d.prob(x),
        d.cdf(x),
        d.sf(x),
        d.log_sf(x),
    ):
        assert type(value) is np.float64
    assert type(d.between(x, x)) is np.float64
    assert np.ndim(x) == np.ndim(d.sample(rng=0)) == np.ndim(d.mode) == 0


@pytest.mark.parametrize("d", EVERY)
def test_equal_by_content_and_frozen(d):
    again = type(d)(**fields(d))
    assert again == d
    assert hash(again) == hash(d)
    assert repr(again) == repr(d)
    assert d != stacked(d)[0]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign"):
        d.mean = 0
    for value in fields(stacked(d)[0]).values():
        with pytest.raises(ValueError, match="read-only"):
            value[...] = value


@pytest.mark.parametrize("d", EVERY)
def test_single_ones_have_no_length(d):
    with pytest.raises(TypeError, match="has no length"):
        len(d)
    with pytest.raises(TypeError, match="cannot be indexed"):
        d[0]
    assert d


@pytest.mark.parametrize("d", EVERY)
def test_bad_arguments_never_yield_numbers(d):
    with pytest.raises(ValueError, match=r"level must be in \[0, 1\]; got 95"):
        d.interval(95)
    with pytest.raises(ValueError, match=r"n must be None or an integer >= 0; got 2\.5"):
        d.sample(2.5)
    with pytest.raises(ValueError, match=r"random_state must be >= 0; got -1"):
        d.sample(2, rng=-1)
    if isinstance(d, Univariate):
        with pytest.raises(ValueError, match=r"p must be in \[0, 1\]; got 1\.5"):
            d.quantile([0.5, 1.5])
        with pytest.raises(ValueError, match="between needs a <= b"):
            d.between(2, 1)


def test_distribution_is_abstract():
    with pytest.raises(TypeError, match="abstract"):
        Distribution()


def test_no_warning_at_the_edges():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for p in CONTINUOUS:
            d = p.values[0]
            x = np.array([-np.inf, -1e300, 0.0, 1e300, np.inf, np.nan])
            assert d.log_prob(x)[[0, 4]].tolist() == [-np.inf, -np.inf]
            assert d.cdf(x)[[0, 4]].tolist() == [0.0, 1.0]
            assert d.sf(x)[[0, 4]].tolist() == [1.0, 0.0]
            assert d.log_sf(x)[[0, 4]].tolist() == [0.0, -np.inf]
            assert d.log_cdf(x)[[0, 4]].tolist() == [-np.inf, 0.0]
            assert np.isnan([f(np.nan) for f in (d.log_prob, d.cdf, d.sf, d.log_cdf, d.log_sf)]).all()
            assert d.quantile([0, 1]).tolist() == [-np.inf, np.inf]
