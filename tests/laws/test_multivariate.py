"""Laws of the distributions of vectors, matrices and pairs, at the settings of `settings_multivariate`."""

import dataclasses
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.special import chdtri

import suffice
from suffice._core.records import fields as all_fields
from suffice.distributions import NormalInverseWishart

from . import settings_univariate
from .settings_multivariate import DISCRETE, EXCEPTIONS, FIT, LOCATION, NODES, RANDOM, SETTINGS

pytestmark = pytest.mark.sampled(4)

EVERY = [pytest.param(d, id=f"{name}-{i}") for name, ds in SETTINGS.items() for i, d in enumerate(ds)]
ARRAYS = [p for p in EVERY if not isinstance(p.values[0], NormalInverseWishart)]
PAIRS = [p for p in EVERY if isinstance(p.values[0], NormalInverseWishart)]
examples = settings(max_examples=12, deadline=None, derandomize=True, database=None)


def fields(d):
    """Arrays by name; those of each column for a product of columns."""
    found = {}
    for name, value in all_fields(d).items():
        if isinstance(value, tuple):
            found |= {f"{name}[{j}].{k}": v for j, c in enumerate(value) for k, v in fields(c).items()}
        elif value is not None:
            found[name] = value
    return found


def fitted(d, x, weight=None):
    return type(d).fit(x, weight, **FIT.get(type(d).__name__, lambda d: {})(d))


def skip_exceptions(law, d):
    for key in (repr(d), type(d).__name__):
        if (law, key) in EXCEPTIONS:
            pytest.skip(EXCEPTIONS[law, key])


@cache
def nodes(d):
    """All events, their probabilities and log densities."""
    x, w = NODES[type(d).__name__](d)
    log_prob = d.log_prob(x)
    return x, np.exp(log_prob) * w, log_prob


def expectation(d, values):
    """Σ p f, for f given at the nodes; zero where p is."""
    p = nodes(d)[1]
    return np.einsum("i,i...->...", np.where(p > 0, p, 0.0), np.where(np.isfinite(values), values, 0.0))


@pytest.mark.parametrize("d", EVERY)
def test_discrete_ones_say_so(d):
    kinds = [type(c).__name__ in settings_univariate.DISCRETE for c in getattr(d, "columns", ())]
    assert np.all(d._discrete == tuple(kinds) if kinds else d._discrete == (type(d).__name__ in DISCRETE))


def event_mean(d):
    return d.event_mean if hasattr(d, "event_mean") else d.mean


def rows(x, key):
    """Some of several draws; pairs are cut in both parts."""
    return type(x)(*(part[key] for part in x)) if isinstance(x, tuple) else x[key]


def repeated(x, times):
    if isinstance(x, tuple):
        return type(x)(*(np.repeat(part, times, axis=0) for part in x))
    return np.repeat(x, times, axis=0)


# -- densities -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", ARRAYS)
def test_integrates_to_one(d):
    assert nodes(d)[1].sum() == pytest.approx(1.0, rel=2e-9)


@pytest.mark.parametrize("d", ARRAYS)
def test_entropy_is_expected_surprise(d):
    assert d.entropy() == pytest.approx(-expectation(d, nodes(d)[2]), rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("d", ARRAYS)
def test_moments_are_integrals(d):
    skip_exceptions("moments", d)
    x = nodes(d)[0]
    gap = x - event_mean(d)
    np.testing.assert_allclose(expectation(d, gap) / d.std, 0, atol=1e-7)
    np.testing.assert_allclose(expectation(d, gap**2), d.var, rtol=1e-6)


@pytest.mark.parametrize("d", [p for p in ARRAYS if p.values[0].__class__.__name__ in LOCATION])
def test_score_has_mean_zero(d):
    skip_exceptions("score", d)
    name = LOCATION[type(d).__name__]
    location = np.asarray(getattr(d, name))
    scale = np.sqrt(np.linalg.eigvalsh(d.cov if name == "mean" else d.scale)[0]) if location.ndim else 0.1
    h = 1e-3 * (scale if location.ndim else np.sqrt(d.rate / d.shape / d.strength))
    step = np.where(np.arange(location.size) == 0, h, 0.0).reshape(location.shape)
    up, down = (dataclasses.replace(d, **{name: location + s * step}) for s in (1, -1))
    x = nodes(d)[0]
    assert expectation(d, (up.log_prob(x) - down.log_prob(x)) / 2) == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("d", EVERY)
def test_mode_is_highest(d):
    skip_exceptions("mode", d)
    assert np.all(d.log_prob(d.sample(300, rng=0)) <= d.log_prob(d.mode) + 1e-12)
    if type(d).__name__ in DISCRETE:
        assert np.all(d.log_prob(nodes(d)[0]) <= d.log_prob(d.mode) + 1e-12)


@pytest.mark.parametrize("d", EVERY)
def test_derived_names(d):
    x = d.sample(5, rng=0)
    np.testing.assert_array_equal(d.prob(x), np.exp(d.log_prob(x)))
    np.testing.assert_array_equal(d.logpdf(x), d.log_prob(x))
    np.testing.assert_array_equal(d.pdf(x), d.prob(x))
    np.testing.assert_array_equal(d.log_prob(d.rvs(5, random_state=0)), d.log_prob(x))
    assert type(d).__name__ in d._repr_html_()
    assert d.n_parameters >= 1
    for name in ("cdf", "sf", "log_cdf", "log_sf", "quantile"):
        with pytest.raises(TypeError, match=f"{name} is not defined for vectors"):
            getattr(d, name)(0.5)


@pytest.mark.parametrize("name", RANDOM)
def test_a_density_anywhere(name):
    @given(RANDOM[name])
    @examples
    def check(d):
        x = d.sample(20, rng=0)
        log_prob = d.log_prob(x)
        assert log_prob.shape == (20,)
        assert not np.isnan(log_prob).any()
        # E log p = −entropy: the mean of 4000 draws, within six of its standard errors
        surprise = -d.log_prob(d.sample(4000, rng=1))
        surprise = surprise[np.isfinite(surprise)]
        error = 6 * surprise.std() / np.sqrt(len(surprise)) + 1e-9
        assert abs(surprise.mean() - d.entropy()) <= error * 1.5

    check()


# -- samples ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", ARRAYS)
def test_sample_moments(d):
    skip_exceptions("moments", d)
    n = 20_000
    x = d.sample(n, rng=7)
    assert x.shape == (n, *np.shape(d.var))
    gap = x - event_mean(d)
    # five standard errors, for the mean and for the variance about the known mean
    assert np.all(np.abs(gap.mean(axis=0)) <= 5 * d.std / np.sqrt(n))
    fourth = expectation(d, (nodes(d)[0] - event_mean(d)) ** 4)
    error = 5 * np.sqrt(np.maximum(fourth - d.var**2, 0) / n)
    assert np.all(np.abs((gap**2).mean(axis=0) - d.var) <= error)


@pytest.mark.parametrize("d", ARRAYS)
def test_interval_holds_its_level(d):
    skip_exceptions("interval", d)
    low, high = d.interval(0.9)
    x = d.sample(20_000, rng=3)
    inside = np.mean((x >= low) & (x <= high), axis=0)
    error = 5 * np.sqrt(0.9 * 0.1 / 20_000)  # five binomial standard errors
    assert np.all(inside >= 0.9 - error)
    assert type(d).__name__ in DISCRETE or np.all(inside <= 0.9 + error)


@pytest.mark.parametrize("d", EVERY)
def test_sampling_is_an_argument(d):
    one, again = d.sample(3, rng=1), d.sample(3, rng=np.random.default_rng(1))
    np.testing.assert_array_equal(d.log_prob(one), d.log_prob(again))
    assert np.ndim(d.log_prob(d.sample(rng=1))) == 0
    assert d.log_prob(d.sample(0, rng=1)).shape == (0,)
    rng = np.random.default_rng(1)
    assert not np.array_equal(d.log_prob(d.sample(50, rng)), d.log_prob(d.sample(50, rng)))


# -- fits ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", EVERY)
def test_fit_is_consistent(d):
    x = d.sample(2000, rng=5)
    best = fitted(d, x)
    gain = 2 * (best.log_prob(x).sum() - d.log_prob(x).sum())
    # Wilks: twice the gain is χ² with n_parameters degrees of freedom; exceeded with probability 1e-6
    assert -1e-6 <= gain <= chdtri(best.n_parameters, 1e-6)


@pytest.mark.parametrize("d", EVERY)
def test_weights_are_counts(d):
    x = d.sample(60, rng=6)
    w = np.random.default_rng(0).integers(0, 4, size=60)
    weighted, twice = fitted(d, x, w), fitted(d, repeated(x, w))
    for name, value in fields(twice).items():
        np.testing.assert_allclose(
            fields(weighted)[name], value, rtol=1e-5, atol=1e-9 * np.max(np.abs(value))
        )


@pytest.mark.parametrize("d", EVERY)
def test_statistics_add(d):
    skip_exceptions("statistics", d)
    cls, x = type(d), d.sample(100, rng=6)
    first, second = cls.statistics(rows(x, slice(37))), cls.statistics(rows(x, slice(37, None)))
    joined = cls.from_statistics(first + second)
    for name, value in fields(cls.fit(x)).items():
        np.testing.assert_allclose(fields(joined)[name], value, rtol=1e-8, atol=1e-12 * np.max(np.abs(value)))


@pytest.mark.parametrize("d", EVERY)
def test_fit_refuses_what_cannot_be_fitted(d):
    x = d.sample(4, rng=0)
    with pytest.raises(ValueError, match="total weight is 0"):
        fitted(d, rows(x, slice(0)))
    with pytest.raises(ValueError, match="total weight is 0"):
        fitted(d, x, np.zeros(4))
    with pytest.raises(ValueError, match=r"weight must be finite and >= 0; got -1\.0"):
        fitted(d, x, [1, 1, -1, 1])
    with pytest.raises(ValueError, match="one number per row"):
        fitted(d, x, [1, 1])


# -- values and batches ----------------------------------------------------------------------------------


def stack(parts):
    """One batch out of single distributions of the same shape."""
    return dataclasses.replace(
        parts[0], **{k: _stack([getattr(e, k) for e in parts]) for k in parts[0]._event_ndim}
    )


def _stack(values):
    if isinstance(values[0], tuple):
        return tuple(stack(columns) for columns in zip(*values, strict=True))
    return None if values[0] is None else np.stack(values)


def form(d):
    """What two distributions must share to be stacked."""
    return [type(c) for c in getattr(d, "columns", ())], {k: np.shape(v) for k, v in fields(d).items()}


def stacked(d):
    """A batch of three of the same shape, and the three."""
    same = ([e for e in SETTINGS[type(d).__name__] if form(e) == form(d)] * 3)[:3]
    return stack(same), same


@pytest.mark.parametrize("d", EVERY)
def test_a_batch_is_a_loop(d):
    batch, parts = stacked(d)
    assert batch.batch_shape == (3,)
    assert [batch[i] for i in range(3)] == parts == list(batch)
    assert batch[1:] == stack(parts[1:])
    np.testing.assert_allclose(batch.entropy(), [e.entropy() for e in parts], rtol=1e-13)
    draws = batch.sample(4, rng=0)
    log_prob = batch.log_prob(draws)
    assert log_prob.shape == (4, 3)
    for i, e in enumerate(parts):
        alone = e.log_prob(rows(draws, (slice(None), i)))
        np.testing.assert_allclose(log_prob[:, i], alone, rtol=1e-9, atol=1e-9)
    for name in ("mean", "var", "std", "mode"):
        value = getattr(batch, name)
        for i, e in enumerate(parts):
            expected = getattr(e, name)
            pairs = zip(value, expected, strict=True) if isinstance(value, tuple) else [(value, expected)]
            for got, want in pairs:
                np.testing.assert_allclose(got[i], want, rtol=1e-13)


@pytest.mark.parametrize("d", EVERY)
def test_a_shared_parameter_is_broadcast(d):
    name = next(iter(d._event_ndim))
    value = getattr(d, name)
    if isinstance(value, tuple):
        repeated_value = (value[0]._broadcast((2,)), *value[1:])
    else:
        repeated_value = np.broadcast_to(value, (2, *np.shape(value)))
    wide = dataclasses.replace(d, **{name: repeated_value})
    assert wide.batch_shape == (2,)
    x = d.sample(rng=0)
    np.testing.assert_allclose(wide.log_prob(x), [d.log_prob(x)] * 2, rtol=1e-12)
    assert wide[0] == d
    rest = [k for k in d._event_ndim if k != name]
    if rest:
        three = np.stack([np.asarray(getattr(d, rest[0]))] * 3)
        with pytest.raises(ValueError, match="must have batch shapes that broadcast"):
            dataclasses.replace(wide, **{rest[0]: three})


@pytest.mark.parametrize("d", EVERY)
def test_equal_by_content_and_frozen(d):
    again = type(d)(**all_fields(d))
    assert again == d
    assert hash(again) == hash(d)
    assert repr(again) == repr(d)
    assert d != stacked(d)[0]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign"):
        d.n = 0
    for value in fields(stacked(d)[0]).values():
        with pytest.raises(ValueError, match="read-only"):
            value[...] = value


@pytest.mark.parametrize("d", EVERY)
def test_saved_and_loaded(d, tmp_path):
    for value in (d, stacked(d)[0]):
        suffice.save(value, tmp_path / "d.suffice")
        assert suffice.load(tmp_path / "d.suffice") == value


@pytest.mark.parametrize("d", ARRAYS)
def test_no_warning_at_the_edges(d):
    x = np.stack([d.sample(rng=0).astype(float)] * 4)
    edge = (slice(None), *[0] * (x.ndim - 1))
    x[edge] = [np.inf, -np.inf, np.nan, 1e300]
    log_prob = d.log_prob(x)
    assert log_prob[:2].tolist() == [-np.inf, -np.inf]
    assert ("missing", type(d).__name__) in EXCEPTIONS or np.isnan(log_prob[2])
    assert log_prob[3] < -100


@pytest.mark.parametrize("d", EVERY)
def test_bad_arguments_never_yield_numbers(d):
    with pytest.raises(ValueError, match=r"level must be in \[0, 1\]; got 95"):
        d.interval(95)
    with pytest.raises(ValueError, match=r"n must be None or an integer >= 0; got 2\.5"):
        d.sample(2.5)
    with pytest.raises(ValueError, match=r"random_state must be >= 0; got -1"):
        d.sample(2, rng=-1)
    with pytest.raises(TypeError, match="has no length"):
        len(d)
    with pytest.raises(TypeError, match="cannot be indexed"):
        d[0]
