"""Diagnostics of chains: equal to ArviZ's, to sums written out, and honest where there is no answer."""

import json
import logging
import warnings
from pathlib import Path

import numpy as np
import pytest

from suffice.inference import diagnostics
from suffice.inference.sampling.diagnostics import LEAST

STORED = Path(__file__).with_name("arviz_0_23_4.json")  # written by `write_stored`


def walk(rng, correlation, shape):
    out = rng.normal(size=shape)
    for t in range(1, shape[1]):
        out[:, t] += correlation * out[:, t - 1]
    return out


KINDS = {
    "independent": lambda rng, shape: rng.normal(size=shape),
    "correlated": lambda rng, shape: walk(rng, 0.9, shape),
    "antithetic": lambda rng, shape: walk(rng, -0.7, shape),
    "drifting": lambda rng, shape: rng.normal(size=shape).cumsum(axis=1),
    "discrete": lambda rng, shape: rng.integers(0, 4, shape) / 10,
    "binary": lambda rng, shape: rng.integers(0, 2, shape),
    "repeated": lambda rng, shape: np.repeat(rng.normal(size=(shape[0], shape[1] // 3 + 1)), 3, axis=1)[
        :, : shape[1]
    ],
    "heavy tails": lambda rng, shape: rng.standard_cauchy(shape),
    "far from zero": lambda rng, shape: 1e8 + rng.normal(size=shape),
    "huge": lambda rng, shape: 1e30 * rng.normal(size=shape),
    "small": lambda rng, shape: 1e-6 * rng.normal(size=shape),
    "apart": lambda rng, shape: rng.normal(size=shape) + 3 * np.arange(shape[0])[:, None],
}
SHAPES = [(1, 4), (1, 7), (2, 5), (4, 4), (3, 11), (4, 100), (1, 301), (9, 50), (2, 501)]
MINE = {
    "r_hat": diagnostics.r_hat,
    "ess": diagnostics.ess,
    "ess_tail": diagnostics.ess_tail,
    "ess_mean": diagnostics.ess_mean,
    "mcse_mean": diagnostics.mcse_mean,
    "mcse_sd": diagnostics.mcse_sd,
    "mcse_quantile": lambda x: diagnostics.mcse_quantile(x, 0.3),
}
THEIRS = {
    "r_hat": lambda az, x: az.rhat(x),
    "ess": lambda az, x: az.ess(x, method="bulk"),
    "ess_tail": lambda az, x: az.ess(x, method="tail"),
    "ess_mean": lambda az, x: az.ess(x, method="mean"),
    "mcse_mean": lambda az, x: az.mcse(x, method="mean"),
    "mcse_sd": lambda az, x: az.mcse(x, method="sd"),
    "mcse_quantile": lambda az, x: az.mcse(x, method="quantile", prob=0.3),
}


def draws(kind):
    rng = np.random.default_rng(10)
    return [np.asarray(KINDS[kind](rng, shape), dtype=float) for shape in SHAPES]


# -- ArviZ -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_arviz(kind):
    """Stored ones. A variance that is zero but for rounding makes an R̂ that is infinite but for rounding."""
    stored = json.loads(STORED.read_text())[kind]
    for name, f in MINE.items():
        for x, expected in zip(draws(kind), stored[name], strict=True):
            expected = np.inf if name == "r_hat" and expected > 1e12 else expected
            np.testing.assert_allclose(f(x), expected, rtol=1e-8, err_msg=f"{name} of {x.shape}")


@pytest.fixture
def arviz():
    """ArviZ without its compiled variance, which loses digits and fails for mcse(method="sd")."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        az = pytest.importorskip("arviz")
        if int(az.__version__.partition(".")[0]) >= 1:
            pytest.skip("its functions take other arguments since version 1")
        flag, az.Numba.numba_flag = az.Numba.numba_flag, False
        logging.disable(logging.WARNING)
        yield az
        logging.disable(logging.NOTSET)
        az.Numba.numba_flag = flag


def write_stored(az):
    """Every diagnostic of every kind and shape."""
    table = {k: {name: [float(f(az, x)) for x in draws(k)] for name, f in THEIRS.items()} for k in KINDS}
    STORED.write_text(json.dumps(table, indent=0) + "\n")


@pytest.mark.slow
def test_arviz_itself(arviz):
    rng = np.random.default_rng(11)
    for make in KINDS.values():
        for x in (make(rng, (4, 2001)), make(rng, (2, 300))):
            for name, f in MINE.items():
                np.testing.assert_allclose(
                    f(x), THEIRS[name](arviz, np.asarray(x, dtype=float)), rtol=1e-8, err_msg=name
                )
    x = walk(rng, 0.8, (4, 501))
    expected = np.stack([arviz.autocorr(chain) for chain in x])
    np.testing.assert_allclose(diagnostics.autocorrelation(x), expected, rtol=1e-8, atol=1e-12)


# -- sums written out --------------------------------------------------------------------------------------
def by_hand(x):
    """ESS of half-chains by loops over lags and pairs, with autocovariances as sums."""
    m, n = x.shape
    gaps = x - x.mean(axis=1, keepdims=True)
    cov = [np.mean([sum(g[i] * g[i + t] for i in range(n - t)) / n for g in gaps]) for t in range(n)]
    within, spread = cov[0] * n / (n - 1), cov[0] + np.var(x.mean(axis=1), ddof=1)
    rho = [1.0] + [1 - (within - c) / spread for c in cov[1:]]
    total, least, k = 0.0, np.inf, 0
    while 2 * k + 1 < n - 3 and rho[2 * k] + rho[2 * k + 1] > 0:
        least = min(least, rho[2 * k] + rho[2 * k + 1])
        total, k = total + least, k + 1
    more = rho[2 * k] if rho[2 * k] > 0 or rho[2 * k] + rho[2 * k + 1] >= 0 else 0.0
    return m * n / max(2 * total + more - 1, 1 / np.log10(m * n))


@pytest.mark.parametrize("correlation", [0.0, 0.8, -0.5, 0.99])
def test_effective_sample_size_is_geyers_sum(correlation):
    x = walk(np.random.default_rng(3), correlation, (3, 60))
    halves = np.concatenate([x[:, :30], x[:, 30:]])
    np.testing.assert_allclose(diagnostics.ess_mean(x), by_hand(halves), rtol=1e-9)


def test_autocorrelation_is_a_sum():
    x = np.random.default_rng(4).normal(size=(2, 9))
    gaps = x - x.mean(axis=1, keepdims=True)
    for t in range(9):
        expected = np.sum(gaps[:, : 9 - t] * gaps[:, t:], axis=1) / np.sum(gaps**2, axis=1)
        np.testing.assert_allclose(diagnostics.autocorrelation(x)[:, t], expected, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(
        diagnostics.autocorrelation(x, 3), diagnostics.autocorrelation(x)[:, :4], rtol=1e-12
    )


def test_effective_sample_size_of_an_autoregression():
    """n (1 − ρ)/(1 + ρ); over 40 sets the mean has a relative error of about 2 %."""
    rng = np.random.default_rng(5)
    sizes = [diagnostics.ess(walk(rng, 0.7, (4, 1000))[:, 200:]) for _ in range(40)]
    np.testing.assert_allclose(np.mean(sizes), 3200 * 0.3 / 1.7, rtol=0.08)


# -- laws --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("scale", [1e-200, 1e-20, 1e200, -3.0])
def test_nothing_depends_on_the_unit(scale):
    x = walk(np.random.default_rng(6), 0.5, (3, 101))
    for f in (diagnostics.r_hat, diagnostics.ess, diagnostics.ess_mean):
        np.testing.assert_allclose(f(scale * x), f(x), rtol=1e-9)
    for f in (diagnostics.mcse_mean, diagnostics.mcse_sd):
        np.testing.assert_allclose(f(scale * x), abs(scale) * f(x), rtol=1e-9)


def test_ranks_make_monotone_changes_harmless():
    x = walk(np.random.default_rng(7), 0.5, (3, 100))
    for f in (diagnostics.ess, diagnostics.ess_tail):
        np.testing.assert_allclose(f(np.exp(x)), f(x), rtol=1e-12)


def test_coordinates_together_are_coordinates_alone(monkeypatch):
    x = np.random.default_rng(8).normal(size=(3, 51, 7))
    x[..., 2] = np.round(x[..., 2])
    alone = [
        [f(x[..., j]) for j in range(7)] for f in (diagnostics.r_hat, diagnostics.ess, diagnostics.ess_tail)
    ]
    for block in (1, 400, 1 << 18):
        monkeypatch.setattr(diagnostics, "BLOCK", block)
        together = diagnostics.each(diagnostics.worth, x)
        np.testing.assert_allclose(together[:, :3].T, alone, rtol=1e-12)
        np.testing.assert_allclose(together[:, 3], diagnostics.each(diagnostics.mcse_mean, x), rtol=1e-12)


@pytest.mark.parametrize("kind", ["apart", "drifting", "correlated", "independent"])
def test_an_eighth_of_the_lags_or_all_of_them(kind, monkeypatch):
    """Chains that forget need few lags, others all: the sizes are the same."""
    x = KINDS[kind](np.random.default_rng(12), (3, 400))
    found = []
    for long in (10, 10**9):
        monkeypatch.setattr(diagnostics.mixing, "LONG", long)
        found.append([diagnostics.ess(x), diagnostics.ess_tail(x), diagnostics.ess_mean(x)])
    np.testing.assert_allclose(*found, rtol=1e-10)


def test_folding_sees_what_the_middle_does_not():
    """Chains with the same center and different spreads."""
    x = np.random.default_rng(9).normal(size=(4, 500)) * [[1.0], [1.0], [1.0], [3.0]]
    assert diagnostics.r_hat(x) > 1.05


def test_rank_counts():
    x = np.random.default_rng(10).normal(size=(3, 40))
    counts = diagnostics.rank_counts(x, bins=5)
    order = np.argsort(np.argsort(x.ravel())).reshape(3, 40)
    assert counts.tolist() == [[int(np.sum(row * 5 // 120 == b)) for b in range(5)] for row in order]
    assert counts.sum(axis=0).tolist() == [24] * 5
    assert diagnostics.rank_counts(np.zeros((2, 6)), bins=3).sum(axis=0).tolist() == [4, 4, 4]


# -- where there is no answer ------------------------------------------------------------------------------
def test_draws_that_never_change():
    same = np.full((2, 6), 0.1)
    assert np.isnan(diagnostics.r_hat(same))
    assert diagnostics.ess(same) == diagnostics.ess_tail(same) == diagnostics.ess_mean(same) == 12
    assert diagnostics.mcse_mean(same) == 0
    assert np.isnan(diagnostics.mcse_sd(same))
    assert np.isnan(diagnostics.autocorrelation(same)).all()


def test_chains_that_never_change_but_differ():
    apart = np.repeat([[0.1], [0.3]], 100, axis=1)
    assert diagnostics.r_hat(apart) == np.inf
    assert diagnostics.ess(apart) < 5


@pytest.mark.parametrize("shape", [(4, 1), (4, LEAST - 1), (1, 2)])
def test_too_few_draws(shape):
    x = np.random.default_rng(0).normal(size=shape)
    assert np.isnan(diagnostics.worth(x)).all()
    assert np.isnan(
        [diagnostics.mcse_sd(x), diagnostics.mcse_quantile(x, 0.5), diagnostics.ess_mean(x)]
    ).all()


def test_a_single_chain_has_no_r_hat():
    worth = diagnostics.worth(np.random.default_rng(0).normal(size=(1, 100)))
    assert np.isnan(worth[0])
    assert np.isfinite(worth[1:]).all()


def test_nan_and_infinity_stay_in_their_coordinate():
    x = np.random.default_rng(0).normal(size=(2, 20, 3))
    x[0, 3, 1], x[1, 4, 2] = np.nan, np.inf
    worth = diagnostics.each(diagnostics.worth, x)
    assert np.isfinite(worth[0]).all()
    assert np.isnan(worth[1]).all()
    assert np.isfinite(worth[2, :3]).all()  # ranks bear an infinity,
    assert np.isnan(worth[2, 3])  # a mean does not


def test_bad_input():
    with pytest.raises(ValueError, match=r"chains must have shape .* One chain x is x\[None, :\]"):
        diagnostics.ess(np.zeros(10))
    with pytest.raises(ValueError, match="neither of them 0; got \\(0, 10\\)"):
        diagnostics.r_hat(np.zeros((0, 10)))
    with pytest.raises(ValueError, match="chains must have shape \\(chain, draw, dimension\\)"):
        diagnostics.each(diagnostics.ess, np.zeros((4, 10)))
    with pytest.raises(ValueError, match="p must lie between 0 and 1; got 1.5"):
        diagnostics.mcse_quantile(np.zeros((4, 10)), 1.5)
    for lag in (10, -1, 2.0, True):
        with pytest.raises(ValueError, match="max_lag must be an integer from 0 to 9"):
            diagnostics.autocorrelation(np.zeros((4, 10)), lag)
    with pytest.raises(ValueError, match="bins must be an integer >= 1; got 0"):
        diagnostics.rank_counts(np.zeros((4, 10)), 0)
    with pytest.raises(ValueError, match="must not contain NaN"):
        diagnostics.rank_counts(np.full((4, 10), np.nan))


def test_ranks_of_equal_draws_are_spread():
    """Counts of small whole numbers: chains of one distribution fill every bin about alike."""
    draws = np.random.default_rng(0).poisson(2.0, (4, 500)).astype(float)
    counts = diagnostics.rank_counts(draws, bins=10)
    assert counts.sum() == 2000
    assert counts.sum(axis=0).tolist() == [200] * 10
    assert np.abs(counts - 50).max() < 5 * np.sqrt(50)
