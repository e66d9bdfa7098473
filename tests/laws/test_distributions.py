"""Laws that every distribution in `suffice.distributions` obeys.

The room is walked by `__all__`: a distribution without settings fails the first test. Those of one number
or label are tested here; those of vectors and matrices in `test_multivariate.py`.
"""

import dataclasses
import inspect
import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import chdtri

import suffice
from suffice import distributions
from suffice._core.records import fields as all_fields
from suffice.distributions import Distribution

from . import settings_multivariate
from .settings_univariate import ATOMS, BREAKS, DISCRETE, EXCEPTIONS, FIT, LOCATION, RANDOM, SETTINGS

pytestmark = pytest.mark.sampled(6)

ROOM = {
    name: cls
    for name in distributions.__all__
    if inspect.isclass(cls := getattr(distributions, name))
    and issubclass(cls, Distribution)
    and not inspect.isabstract(cls)
}


def fields(d):
    """Fields of a distribution that have a value."""
    return {k: v for k, v in all_fields(d).items() if v is not None}


def name_of(d):
    return type(d).__name__


def is_discrete(d):
    if name_of(d) == "MixtureDistribution":
        return name_of(d.components[0]) in DISCRETE
    return name_of(d) in DISCRETE


EVERY = [pytest.param(d, id=repr(d)[:60]) for parts in SETTINGS.values() for d in parts]
CONTINUOUS = [p for p in EVERY if not is_discrete(p.values[0])]
ATOMIC = [p for p in EVERY if is_discrete(p.values[0])]
SYMMETRIC = [p for p in EVERY if name_of(p.values[0]) in ("Normal", "StudentT", "LaplaceDistribution")]
PROBABILITIES = np.array([1e-10, 1e-3, 0.025, 0.3, 0.5, 0.77, 0.999])
ITERATED = {"StudentT": 1e-5, "GeneralizedNormal": 1e-5, "TruncatedNormal": 1e-8, "BetaBinomial": 1e-8}

examples = settings(max_examples=12, deadline=None, derandomize=True, database=None)
each = pytest.mark.parametrize("name", RANDOM)


def skip_exceptions(law, d):
    for key in (repr(d), name_of(d)):
        if (law, key) in EXCEPTIONS:
            pytest.skip(EXCEPTIONS[law, key])


# -- expectations --------------------------------------------------------------------------------


def piece(a, b, width):
    """Nodes and weights for ∫ₐᵇ dx, crowded at both ends; b may be infinite, and so may a."""
    t = np.linspace(-6.1, 6.1, 1221)
    if np.isinf(a):
        x, w = piece(-b, np.inf, width)
        return -x[::-1], w[::-1]
    with np.errstate(over="ignore", under="ignore"):
        if np.isinf(b):
            far = np.exp(np.minimum(np.pi / 2 * np.sinh(t), 600))
            x, w = a + width * far, width * far * np.pi / 2 * np.cosh(t)
        else:
            v, rest = 1 / (1 + np.exp(-np.pi * np.sinh(t))), 1 / (1 + np.exp(np.pi * np.sinh(t)))
            x = np.where(v < 0.5, a + (b - a) * v, b - (b - a) * rest)
            w = (b - a) * np.pi * np.cosh(t) * v * rest
    return x, np.where((x > a) & (x < b), w, 0.0) * (t[1] - t[0])


def quadrature(d):
    """Nodes and weights for ∫ dx over the support, cut at the median or where the density breaks."""
    cuts = BREAKS.get(name_of(d), lambda d: [])(d)
    cuts = np.unique(np.r_[cuts, d.quantile(0.5)])
    edges = np.unique(np.r_[d.quantile(0.0), cuts, d.quantile(1.0)])
    width = float(d.quantile(0.75) - d.quantile(0.25))
    parts = [piece(a, b, width) for a, b in itertools.pairwise(edges)]
    return (np.concatenate(v) for v in zip(*parts, strict=True))


def expectation(d, f):
    """E f(X): by a sum over the values, or by quadrature."""
    if is_discrete(d):
        x = ATOMS[name_of(d)](d)
        p = d.prob(x)
    else:
        x, w = quadrature(d)
        with np.errstate(over="ignore", invalid="ignore"):
            p = np.where(w > 0, d.prob(x) * w, 0.0)
    seen = p > 0
    return np.sum(p[seen] * f(x[seen]))


# -- the room ------------------------------------------------------------------------------------


def test_the_room_is_covered():
    assert set(ROOM) == set(SETTINGS) | set(settings_multivariate.SETTINGS)
    assert set(ROOM) == set(RANDOM) | set(settings_multivariate.RANDOM)
    assert all(len(d) >= 3 for d in SETTINGS.values())
    assert set(SETTINGS) == set(LOCATION) | {name for law, name in EXCEPTIONS if law == "score"}
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
        assert not concrete & (
            set(vars(cls))
            - {"_abc_impl", "_event_ndim", "_discrete", "_smooth", "_row_reading", "__module__"}
        ), base


@pytest.mark.parametrize("d", EVERY)
def test_discrete_ones_say_so(d):
    """By kind, not by looking at one; and the look agrees at settings with few values."""
    middle = d.quantile(0.5)
    assert bool(d._discrete) == is_discrete(d)
    if name_of(d) == "Categorical" and d.classes.dtype.kind not in "biuf":
        return
    jump = d.cdf(middle) - d.cdf(np.nextafter(middle, -np.inf))
    assert np.all(jump > 1e-6) if is_discrete(d) else np.all(jump < 1e-6)


def test_distribution_is_abstract():
    with pytest.raises(TypeError, match="abstract"):
        Distribution()


# -- densities -----------------------------------------------------------------------------------


@pytest.mark.parametrize("d", EVERY)
def test_integrates_to_one(d):
    assert expectation(d, np.ones_like) == pytest.approx(1.0, rel=1e-9)


@each
@examples
@given(st.data())
def test_integrates_to_one_anywhere(name, data):
    d = data.draw(RANDOM[name])
    # the nodes are rounded to doubles: near 1e6 with scale 1e-6 that costs digits
    rounding = (
        0.0 if is_discrete(d) else np.spacing(np.abs(d.quantile(0.5))) / np.diff(d.quantile([0.25, 0.75]))[0]
    )
    assert expectation(d, np.ones_like) == pytest.approx(1.0, rel=1e-6 + 10 * rounding)


@pytest.mark.parametrize("d", EVERY)
def test_entropy_is_expected_surprise(d):
    assert d.entropy() == pytest.approx(-expectation(d, d.log_prob), rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("d", EVERY)
def test_moments_are_integrals(d):
    skip_exceptions("moments", d)
    assert expectation(d, lambda x: x - d.mean) == pytest.approx(0, abs=1e-8 * d.std)
    assert expectation(d, lambda x: (x - d.mean) ** 2) == pytest.approx(d.var, rel=1e-7)


@pytest.mark.parametrize("d", EVERY)
def test_score_has_mean_zero(d):
    skip_exceptions("score", d)
    for name in LOCATION[name_of(d)]:
        value = getattr(d, name)
        if np.isinf(value):
            continue

        def difference(x, h, name=name, value=value):
            up, down = (dataclasses.replace(d, **{name: value + s * h}) for s in (1, -1))
            return (up.log_prob(x) - down.log_prob(x)) / 2

        # a step that moves log p by about 1e-3; the cubic remainder then is below 1e-8 of that move
        h = 1e-4 * (abs(value) or 1.0)
        h *= 1e-3 / np.sqrt(expectation(d, lambda x, h=h: difference(x, h) ** 2))
        if name in ("p", "scale", "std", "shape", "rate", "a", "b", "power", "dof"):
            h = min(h, 1e-3 * value, 1e-3 * (1 - value) if name == "p" else np.inf)
        assert expectation(d, lambda x, h=h: difference(x, h)) == pytest.approx(0, abs=2e-8), name


@pytest.mark.parametrize("d", EVERY)
def test_mode_is_highest(d):
    others = d.sample(200, rng=0)
    assert np.all(d.log_prob(others) <= d.log_prob(d.mode) + 1e-12)


@pytest.mark.parametrize("d", EVERY)
def test_derived_names(d):
    x = d.sample(5, rng=0)
    np.testing.assert_array_equal(d.prob(x), np.exp(d.log_prob(x)))
    np.testing.assert_array_equal(d.logpdf(x), d.log_prob(x))
    np.testing.assert_array_equal(d.pdf(x), d.prob(x))
    np.testing.assert_array_equal(d.rvs(5, random_state=0), x)
    np.testing.assert_allclose(np.square(d.std), d.var, rtol=1e-14)
    assert name_of(d) in d._repr_html_()
    assert d.n_parameters >= 0


# -- cdf, tails, quantiles -----------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in RANDOM if n not in DISCRETE])
@examples
@given(st.data())
def test_cdf_of_quantile_is_identity(name, data):
    # a quantile is rounded to the grid of doubles: near 1e6 with scale 1e-6 that costs digits
    d = data.draw(RANDOM[name])
    x = d.quantile(PROBABILITIES)
    slack = 2 * np.spacing(np.abs(x)) * d.prob(x)
    assert np.all(np.abs(d.cdf(x) - PROBABILITIES) <= 1e-11 * PROBABILITIES + slack)


@pytest.mark.parametrize("d", CONTINUOUS)
def test_cdf_of_quantile_is_identity_at_the_settings(d):
    x = d.quantile(PROBABILITIES)
    slack = 2 * np.spacing(np.abs(x)) * d.prob(x)
    assert np.all(np.abs(d.cdf(x) - PROBABILITIES) <= 1e-11 * PROBABILITIES + slack)


@pytest.mark.parametrize("name", sorted(DISCRETE))
@examples
@given(st.data(), st.floats(0, 1))
def test_quantile_is_the_first_that_reaches_p(name, data, p):
    d = data.draw(RANDOM[name])
    q = d.quantile(p)
    assert d.cdf(q) >= p or np.isinf(q)
    assert d.prob(q) > 0 or p in (0, 1)
    before = np.nextafter(q, -np.inf)
    assert p in (0, 1) or d.cdf(before) < p or d.cdf(before) == 0


@pytest.mark.parametrize("d", ATOMIC)
def test_quantile_of_the_cdf_is_the_value(d):
    x = ATOMS[name_of(d)](d)
    x = x[(d.prob(x) > 1e-9) & (d.cdf(x) < 1)]
    np.testing.assert_array_equal(d.quantile(d.cdf(x)), x)
    np.testing.assert_array_equal(d.quantile(d.cdf(x) - 1e-3 * d.prob(x)), x)


@each
@examples
@given(st.data(), st.floats(-40, 40))
def test_tails_agree(name, data, z):
    d = data.draw(RANDOM[name])
    x = d.quantile(0.5) + z * (d.quantile(0.75) - d.quantile(0.25) + 1e-3)
    assert d.sf(x) == pytest.approx(
        1 - d.cdf(x), abs=2e-13 if name in ("Binomial", "BetaBinomial") else 1e-14
    )
    with np.errstate(divide="ignore"):
        assert d.log_sf(x) == pytest.approx(np.log(d.sf(x)), rel=1e-12, abs=1e-14) or d.sf(x) < 1e-300
        assert d.log_cdf(x) == pytest.approx(np.log(d.cdf(x)), rel=1e-12, abs=1e-14) or d.cdf(x) < 1e-300
    assert d.logsf(x) == d.log_sf(x)
    assert d.logcdf(x) == d.log_cdf(x)


@each
@examples
@given(st.data(), st.floats(0, 1), st.floats(0, 1))
def test_between_is_a_difference_of_cdfs(name, data, p, q):
    d = data.draw(RANDOM[name])
    a, b = np.sort(d.quantile(np.array([p, q])))
    assert d.between(a, b) == pytest.approx(d.cdf(b) - d.cdf(a), abs=2e-13)
    assert d.between(-np.inf, np.inf) == 1.0


@pytest.mark.parametrize("d", SYMMETRIC)
def test_between_keeps_its_digits_in_both_tails(d):
    scale = d.quantile(0.75) - d.quantile(0.25)
    a = d.quantile(0.5) + 10 * scale  # so far out that the cdf is one
    mirrored = 2 * d.quantile(0.5) - a
    assert d.between(a, a + scale) == pytest.approx(d.between(mirrored - scale, mirrored), rel=1e-7)
    assert d.between(a, a + scale) == pytest.approx(d.sf(a) - d.sf(a + scale), rel=1e-13)
    assert d.between(a, a + scale) > 0


@pytest.mark.parametrize("d", CONTINUOUS)
def test_density_is_the_slope_of_the_cdf(d):
    x = d.quantile(np.array([1e-3, 0.025, 0.3, 0.45, 0.77, 0.999]))
    h = 1e-4 * np.minimum(d.cdf(x), d.sf(x)) / d.prob(x)
    slope = np.where(d.cdf(x) < 0.5, d.cdf(x + h) - d.cdf(x - h), d.sf(x - h) - d.sf(x + h)) / (2 * h)
    np.testing.assert_allclose(d.prob(x), slope, rtol=1e-5)


@pytest.mark.parametrize("d", EVERY)
def test_interval_holds_its_level(d):
    low, high = d.interval(0.9)
    x = d.sample(20_000, rng=3)
    inside = np.mean((x >= low) & (x <= high))
    error = 5 * np.sqrt(0.9 * 0.1 / 20_000)  # five binomial standard errors
    expected = 0.9
    if is_discrete(d):
        atoms = ATOMS[name_of(d)](d)
        expected = d.prob(atoms[(atoms >= low) & (atoms <= high)]).sum()
    assert abs(inside - expected) <= error
    assert expected >= 0.9 - 1e-12


# -- samples -------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", EVERY)
def test_sample_moments(d):
    skip_exceptions("moments", d)
    n = 50_000
    x = d.sample(n, rng=7)
    assert x.shape == (n,)
    gap = x - d.mean
    # five standard errors, for the mean and for the variance about the known mean
    fourth = expectation(d, lambda x: (x - d.mean) ** 4) - d.var**2
    assert abs(gap.mean()) <= 5 * d.std / np.sqrt(n)
    assert abs((gap**2).mean() - d.var) <= 5 * np.sqrt(fourth / n) + 1e-12 * d.var


@pytest.mark.parametrize("d", CONTINUOUS)
def test_sample_follows_the_cdf(d):
    n = 20_000
    u = np.sort(d.cdf(d.sample(n, rng=11)))
    distance = np.max(np.abs(u - (np.arange(n) + 0.5) / n))
    assert distance <= 2.5 / np.sqrt(n)  # Kolmogorov: P < 1e-5


@pytest.mark.parametrize("d", ATOMIC)
def test_sample_follows_the_probabilities(d):
    n = 20_000
    x, seen = np.unique(d.sample(n, rng=11), return_counts=True)
    p = d.prob(x)
    assert np.all(p > 0)
    assert np.all(np.abs(seen - n * p) <= 6 * np.sqrt(n * p * (1 - p)) + 6)  # rare values: Poisson


@pytest.mark.parametrize("d", EVERY)
def test_sampling_is_an_argument(d):
    assert np.shape(d.sample(rng=1)) == ()
    np.testing.assert_array_equal(d.sample(3, rng=1), d.sample(3, rng=np.random.default_rng(1)))
    rng = np.random.default_rng(1)
    first, second = d.sample(50, rng), d.sample(50, rng)
    assert is_discrete(d) or not np.array_equal(first, second)
    assert d.sample(0, rng=1).shape == (0,)


# -- fits ----------------------------------------------------------------------------------------


def fitted(d, x, weight=None):
    return type(d).fit(x, weight, **FIT.get(name_of(d), lambda d: {})(d))


@pytest.mark.parametrize("d", EVERY)
def test_fit_is_consistent(d):
    skip_exceptions("fit", d)
    x = d.sample(5000, rng=5)
    found = fitted(d, x)
    gain = 2 * np.sum(found.log_prob(x) - d.log_prob(x))
    assert gain >= -1e-6
    skip_exceptions("wilks", d)
    # Wilks: twice the gain is χ² with n_parameters degrees of freedom; exceeded with probability 1e-6
    assert gain <= chdtri(max(found.n_parameters, 1), 1e-6)


@pytest.mark.parametrize("d", EVERY)
def test_fit_is_the_best(d):
    skip_exceptions("fit", d)
    x = d.sample(300, rng=8)
    w = np.random.default_rng(1).integers(0, 4, size=300)
    found = fitted(d, x, w)
    for name in LOCATION.get(name_of(d), ()):
        value = getattr(found, name)
        for factor in (0.999, 1.001):
            if np.isinf(value) or (name == "p" and not 0 <= value * factor <= 1):
                continue
            moved = dataclasses.replace(found, **{name: value * factor})
            assert w @ moved.log_prob(x) <= w @ found.log_prob(x) + 1e-9, name


@pytest.mark.parametrize("d", EVERY)
def test_weights_are_counts(d):
    skip_exceptions("fit", d)
    x = d.sample(60, rng=6)
    if np.ptp(x) == 0:
        x = np.r_[x[:-1], x[-1] + 1] if name_of(d) not in ("Categorical", "Discrete", "Empirical") else x
    w = np.random.default_rng(0).integers(0, 4, size=60)
    w[-1] = 1
    weighted, repeated = fitted(d, x, w), fitted(d, np.repeat(x, w))
    tolerance = ITERATED.get(name_of(d), 1e-10)
    for name, value in fields(repeated).items():
        np.testing.assert_allclose(fields(weighted)[name], value, rtol=tolerance, atol=tolerance * np.ptp(x))


@pytest.mark.parametrize("d", EVERY)
def test_statistics_add(d):
    skip_exceptions("fit", d)
    skip_exceptions("statistics", d)
    cls, x, told = type(d), d.sample(100, rng=6), FIT.get(name_of(d), lambda d: {})(d)
    bins = told if name_of(d) == "Histogram" else {}
    first, second, nothing = (cls.statistics(part, **bins) for part in (x[:37], x[37:], x[:37]))
    told = {} if bins else told
    joined = cls.from_statistics(first + second, **told)
    assert first + second == second + first or first.n == nothing.n
    for name, value in fields(fitted(d, x)).items():
        np.testing.assert_allclose(fields(joined)[name], value, rtol=ITERATED.get(name_of(d), 1e-10))
    with pytest.raises(TypeError, match="unsupported operand"):
        first + 1


@pytest.mark.parametrize("d", EVERY)
def test_fit_refuses_what_cannot_be_fitted(d):
    skip_exceptions("fit", d)
    x = d.sample(4, rng=0)
    with pytest.raises(ValueError, match="total weight is 0"):
        fitted(d, x[:0])
    with pytest.raises(ValueError, match="total weight is 0"):
        fitted(d, x, np.zeros(4))
    with pytest.raises(ValueError, match=r"weight must be finite and >= 0; got -1\.0"):
        fitted(d, x, [1, 1, -1, 1])
    with pytest.raises(ValueError, match="one number per row"):
        fitted(d, x, [1, 1])
    if name_of(d) != "Categorical":
        with pytest.raises(ValueError, match="x must be finite; got nan"):
            fitted(d, [0.5, np.nan])
        with pytest.raises(ValueError, match=r"x must be a vector \(N,\)"):
            fitted(d, [[0.5, 0.6]])


# -- values and batches --------------------------------------------------------------------------


def stacked(d):
    """A batch of three of the same shape, and the three."""
    name = name_of(d)
    if name == "Empirical":
        parts = [dataclasses.replace(d, values=d.values + k) for k in range(3)]
    elif len(d._event_ndim) == sum(d._event_ndim.values()) or name == "MixtureDistribution":
        field = {"Histogram": "counts", "MixtureDistribution": "weights"}.get(name, "probabilities")
        parts = [dataclasses.replace(d, **{field: np.roll(getattr(d, field), k)}) for k in range(3)]
        return dataclasses.replace(d, **{field: np.stack([getattr(e, field) for e in parts])}), parts
    else:
        parts = ([d, *(e for e in SETTINGS[name] if e is not d)] * 3)[:3]
    batched = {
        k: np.stack([getattr(e, k) for e in parts]) for k in d._event_ndim if getattr(d, k) is not None
    }
    return dataclasses.replace(d, **batched), parts


@pytest.mark.parametrize("d", EVERY)
def test_a_batch_is_a_loop(d):
    batch, parts = stacked(d)
    assert batch.batch_shape == (3,)
    assert len(batch) == 3
    assert [batch[i] for i in range(3)] == parts == list(batch)
    assert Distribution.concatenate([batch[:1], batch[1:]]) == batch
    assert batch[np.array([True, False, True])][1] == parts[2]
    x = np.stack([e.sample(rng=i) for i, e in enumerate(parts)])
    for name in ("mean", "var", "std", "mode"):
        np.testing.assert_allclose(getattr(batch, name), [getattr(e, name) for e in parts], rtol=1e-14)
    np.testing.assert_allclose(batch.entropy(), [e.entropy() for e in parts], rtol=1e-13)
    np.testing.assert_allclose(
        batch.log_prob(x), [e.log_prob(v) for e, v in zip(parts, x, strict=True)], rtol=1e-11
    )
    draws = batch.sample(4, rng=0)
    assert draws.shape == (4, 3)
    np.testing.assert_allclose(batch.log_prob(draws)[2], batch.log_prob(draws[2]), rtol=1e-11)
    low, high = batch.interval(0.8)
    np.testing.assert_allclose(low[1], parts[1].interval(0.8)[0], rtol=1e-14)
    np.testing.assert_allclose(high[2], parts[2].interval(0.8)[1], rtol=1e-14)


@pytest.mark.parametrize("d", EVERY)
def test_tails_of_a_batch_are_a_loop(d):
    batch, parts = stacked(d)
    x = np.array([e.quantile(0.2) for e in parts])
    np.testing.assert_allclose(batch.quantile(0.2), x, rtol=1e-14)
    for name in ("cdf", "sf", "log_cdf", "log_sf"):
        expected = [getattr(e, name)(v) for e, v in zip(parts, x, strict=True)]
        np.testing.assert_allclose(getattr(batch, name)(x), expected, rtol=1e-13)
    assert batch.cdf(x[:, None]).shape == (3, 3)
    assert batch.quantile([[0.1], [0.2]]).shape == (2, 3)
    with pytest.raises(ValueError, match="does not broadcast with the batch"):
        batch.cdf(np.zeros(2))


@pytest.mark.parametrize("d", EVERY)
def test_single_numbers_stay_single(d):
    x = d.quantile(0.4)
    logs = [f(x) for f in (d.log_prob, d.prob, d.cdf, d.sf, d.log_sf, d.log_cdf)]
    for value in (d.mean, d.var, d.std, d.entropy(), *logs, d.between(x, x)):
        assert type(value) is np.float64
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
        if not isinstance(value, tuple):
            with pytest.raises(ValueError, match="read-only"):
                value[...] = value


@pytest.mark.parametrize("d", EVERY)
def test_saved_and_loaded(d, tmp_path):
    for value in (d, stacked(d)[0]):
        suffice.save(value, tmp_path / "d.suffice")
        assert suffice.load(tmp_path / "d.suffice") == value


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
    with pytest.raises(ValueError, match=r"p must be in \[0, 1\]; got 1\.5"):
        d.quantile([0.5, 1.5])
    with pytest.raises(ValueError, match="between needs a <= b"):
        d.between(2, 1)


@pytest.mark.parametrize("d", [p for p in EVERY if name_of(p.values[0]) != "Categorical"])
def test_no_warning_at_the_edges(d):
    x = np.array([-np.inf, -1e300, -1.5, 0.0, 1e300, np.inf, np.nan])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert d.log_prob(x)[[0, 5]].tolist() == [-np.inf, -np.inf]
        assert d.cdf(x)[[0, 5]].tolist() == [0.0, 1.0]
        assert d.sf(x)[[0, 5]].tolist() == [1.0, 0.0]
        assert d.log_sf(x)[[0, 5]].tolist() == [0.0, -np.inf]
        assert d.log_cdf(x)[[0, 5]].tolist() == [-np.inf, 0.0]
        assert np.isnan([f(np.nan) for f in (d.log_prob, d.cdf, d.sf, d.log_cdf, d.log_sf)]).all()
        first, last = d.quantile([0, 1])
        assert d.cdf(np.nextafter(first, -np.inf)) == 0
        assert d.sf(last) == 0
