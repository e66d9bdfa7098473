"""Draws of a sampler: moments, parts, what they say about themselves, and what they refuse."""

import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import suffice
from suffice._core.errors import NotConverged
from suffice.distributions import Distribution, Empirical
from suffice.inference import Samples, diagnostics

RNG = np.random.default_rng(0)
DRAWS = RNG.normal(size=(4, 500, 3)) * [1.0, 10.0, 0.1] + [0.0, 5.0, -1.0]
NAMES = ("slope", "intercept", "noise")
FULL = Samples(DRAWS, NAMES, -0.5 * (DRAWS**2).sum(axis=2), RNG.random((4, 500)) < 0.3, DRAWS + 1, "test")


# -- moments -----------------------------------------------------------------------------------------------
def test_moments_are_those_of_all_draws():
    flat = DRAWS.reshape(-1, 3)
    np.testing.assert_allclose(FULL.mean, flat.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(FULL.cov, np.cov(flat.T, bias=True), rtol=1e-10)
    np.testing.assert_allclose(FULL.var, np.diag(FULL.cov), rtol=1e-10)
    np.testing.assert_allclose(FULL.std**2, FULL.var, rtol=1e-12)
    assert (FULL.n_chains, FULL.n_draws, FULL.dim, FULL.flat.shape) == (4, 500, 3, (2000, 3))
    assert isinstance(FULL, Distribution)
    np.testing.assert_array_equal(FULL.mode, flat[np.argmin((flat**2).sum(axis=1))])


def test_intervals_are_those_of_the_marginals():
    low, high = FULL.interval(0.8733)
    for j in range(3):
        np.testing.assert_allclose((low[j], high[j]), FULL.marginal(j).interval(0.8733), rtol=1e-12)
    assert FULL.quantiles(0.5).shape == (3,)
    with pytest.raises(ValueError, match=r"p must be in \[0, 1\]; got 2"):
        FULL.quantiles(2)


def test_marginals():
    assert isinstance(FULL.marginal(1), Empirical)
    two = FULL.marginal([2, 0])
    assert two.names == ("noise", "slope")
    np.testing.assert_array_equal(two.draws, DRAWS[:, :, [2, 0]])
    np.testing.assert_array_equal(two.proposed, DRAWS[:, :, [2, 0]] + 1)
    np.testing.assert_array_equal(two.accepted, FULL.accepted)
    assert two.log_density is None  # of all three together
    assert FULL.marginal(["noise", "slope"]) == two == FULL.marginal(("noise", 0))
    assert FULL.marginal("noise") == FULL.marginal(2) == FULL.marginal(-1)
    assert FULL.marginal(np.array([True, False, True])).names == ("slope", "noise")
    with pytest.raises(ValueError, match="no coordinate 'slop'. Did you mean 'slope'"):
        FULL.marginal("slop")
    with pytest.raises(TypeError, match="without log_density have no mode"):
        _ = two.mode


def test_histograms_are_counts_over_the_total():
    found = FULL.histogram("intercept", bins=7)
    counts, edges = np.histogram(FULL.flat[:, 1], bins=7)
    np.testing.assert_allclose(
        found.prob((edges[1:] + edges[:-1]) / 2) * np.diff(edges), counts / 2000, rtol=1e-9
    )
    with pytest.raises(ValueError, match=r"i must be one coordinate; got \[0, 1\]"):
        FULL.histogram([0, 1])


def test_expectations_have_errors():
    mean, error = FULL.expectation(lambda x: x)
    np.testing.assert_allclose(mean, FULL.mean, rtol=1e-12)
    np.testing.assert_allclose(error, FULL.mcse, rtol=1e-12)
    share, error = FULL.expectation(lambda x: x[:, 0] > 0)
    assert abs(share - 0.5) < 4 * error
    np.testing.assert_allclose(error, 0.5 / np.sqrt(2000), rtol=0.2)  # independent draws: √(p(1−p)/n)
    for wrong in (lambda x: 1.0, lambda x: x[:5]):
        with pytest.raises(ValueError, match="f must give something for each of 2000 rows"):
            FULL.expectation(wrong)


def test_draws_of_draws():
    again = FULL.sample(50, 1)
    assert again.shape == (50, 3)
    assert {tuple(row) for row in again} <= {tuple(row) for row in FULL.flat}
    assert FULL.sample(rng=1).shape == (3,)


def test_what_draws_cannot_say():
    for ask in (
        FULL.entropy,
        lambda: FULL.log_prob(DRAWS[0]),
        lambda: Samples.fit(DRAWS),
        lambda: FULL.cdf(0.0),
    ):
        with pytest.raises(TypeError, match=r"Draws do not|Samples come from|not defined for vectors"):
            ask()
    with pytest.raises(TypeError, match=r"\(given\) do not say which proposals were taken"):
        _ = Samples(DRAWS).acceptance_rate


# -- diagnostics -------------------------------------------------------------------------------------------
def test_diagnostics_of_each_coordinate():
    for name, f in {"r_hat": diagnostics.r_hat, "ess": diagnostics.ess, "ess_tail": diagnostics.ess_tail,
                    "mcse": diagnostics.mcse_mean}.items():  # fmt: skip
        expected = [f(DRAWS[:, :, j]) for j in range(3)]
        np.testing.assert_allclose(getattr(FULL, name), expected, rtol=1e-12, err_msg=name)
    np.testing.assert_allclose(FULL.acceptance_rate, FULL.accepted.mean(axis=1), rtol=1e-12)


def test_autocorrelation_is_a_mean_over_chains():
    found = FULL.autocorrelation(5)
    assert found.shape == (3, 6)
    each = [diagnostics.autocorrelation(DRAWS[:, :, j], 5).mean(axis=0) for j in range(3)]
    np.testing.assert_allclose(found, each, rtol=1e-12)
    assert FULL.autocorrelation().shape == (3, 500)


# -- parts -------------------------------------------------------------------------------------------------
def test_dropping_and_thinning():
    late = FULL.drop(100)
    np.testing.assert_array_equal(late.draws, DRAWS[:, 100:])
    np.testing.assert_array_equal(late.log_density, FULL.log_density[:, 100:])
    np.testing.assert_array_equal(late.proposed, FULL.proposed[:, 100:])
    few = FULL.thin(3)
    np.testing.assert_array_equal(few.draws, DRAWS[:, 2::3])
    np.testing.assert_array_equal(few.accepted, FULL.accepted[:, 2::3])
    assert FULL.drop(0) == FULL == FULL.thin(1)
    assert (few.how, few.names) == ("test", NAMES)
    with pytest.raises(ValueError, match="n must be an integer from 0 to 499; got 500"):
        FULL.drop(500)
    with pytest.raises(ValueError, match="k must be an integer from 1 to 500; got 0"):
        FULL.thin(0)


def test_concatenation_joins_chains():
    halves = [FULL._mapped(lambda a, _: a[:2]), FULL._mapped(lambda a, _: a[2:])]
    assert Samples.concatenate(halves) == FULL
    with pytest.raises(ValueError, match="different names"):
        Samples.concatenate([Samples(DRAWS), FULL])


def test_equality_and_files(tmp_path):
    assert Samples(DRAWS) != FULL
    assert hash(Samples(DRAWS)) == hash(Samples(DRAWS.copy()))
    suffice.save(FULL, tmp_path / "draws.suffice")
    again = suffice.load(tmp_path / "draws.suffice")
    assert again == FULL
    assert again.accepted.dtype == bool
    np.testing.assert_array_equal(again.r_hat, FULL.r_hat)


def test_draws_cannot_be_changed():
    mine = DRAWS.copy()
    samples = Samples(mine)
    mine[:] = 0
    assert samples.std.min() > 0
    with pytest.raises(ValueError, match="read-only"):
        samples.draws[0, 0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        samples.r_hat[0] = 1.0


# -- for other eyes ----------------------------------------------------------------------------------------
def test_frame():
    table = FULL.frame()
    assert list(table.columns) == [
        "coordinate", "mean", "sd", "mcse", "2.5 %", "50 %", "97.5 %", "ess", "ess_tail", "r_hat",
    ]  # fmt: skip
    assert list(table["coordinate"]) == list(NAMES)
    np.testing.assert_allclose(table["sd"], FULL.std)
    np.testing.assert_allclose(table["97.5 %"], FULL.interval()[1])
    assert FULL.frame("polars").shape == (3, 10)


def test_text():
    assert repr(FULL).startswith("Samples(test: 4 chains × 500 draws × 3 coordinates; worst R̂ 1.0")
    lines = str(FULL).splitlines()
    assert len(lines) == 5
    assert lines[3].split()[0] == "intercept"
    wide = Samples(RNG.normal(size=(2, 10, 30)), [f"{'long ' * 9}{j}" for j in range(30)])
    assert str(wide).endswith("… and 10 more")
    assert max(map(len, str(wide).splitlines())) < 120
    assert repr(Samples([[[1.0]]])) == "Samples(given: 1 chain × 1 draw × 1 coordinate; R̂ nan, ESS nan)"
    assert "Samples" in FULL._repr_html_()


@pytest.mark.slow
def test_arviz_takes_them():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        az = pytest.importorskip("arviz")
    found = FULL.to_arviz()
    np.testing.assert_array_equal(found.posterior["intercept"].values, DRAWS[:, :, 1])
    np.testing.assert_array_equal(found.sample_stats["lp"].values, FULL.log_density)
    np.testing.assert_array_equal(found.sample_stats["accepted"].values, FULL.accepted)
    bulk = az.ess(found)
    np.testing.assert_allclose([float(bulk[name]) for name in NAMES], FULL.ess, rtol=1e-8)
    assert "sample_stats" not in Samples(DRAWS).to_arviz().groups()


@pytest.mark.parametrize("version", ["0.17.0", "1.0.0"])
def test_both_ways_to_call_arviz(monkeypatch, version):
    """Groups are keywords before version 1, and one mapping since."""
    called = SimpleNamespace(__version__=version, from_dict=lambda *args, **groups: (args, groups))
    monkeypatch.setitem(sys.modules, "arviz", called)
    args, groups = FULL.to_arviz()
    given = args[0] if version == "1.0.0" else groups
    assert (len(args), len(groups)) == ((1, 0) if version == "1.0.0" else (0, 2))
    assert list(given) == ["posterior", "sample_stats"]
    assert list(given["posterior"]) == list(NAMES)


# -- warnings ----------------------------------------------------------------------------------------------
def sentences(samples, **limits):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert samples.check(**limits) is samples
    assert all(w.category is NotConverged and w.filename == __file__ for w in caught)
    return [str(w.message) for w in caught]


def test_good_draws_pass_in_silence():
    assert sentences(FULL) == []


def test_chains_that_disagree():
    apart = DRAWS.copy()
    apart[3, :, 1] += 30
    first, second = sentences(Samples(apart, NAMES))
    assert first.startswith("R̂ of 'intercept' is 1.")
    assert "above 1.01: the chains disagree" in first
    assert "plots.chain_trace" in first
    assert second.startswith("The effective sample size (bulk) of 'intercept' is ")
    apart[2, :, 0] += 2
    assert sentences(Samples(apart, NAMES))[0].startswith(
        "R̂ of 'intercept' (and 1 other of 3 coordinates) is"
    )
    assert sentences(Samples(apart, NAMES), r_hat=10.0, ess_per_chain=0) == []


def test_too_few_draws_say_how_many_are_missing():
    found = Samples(DRAWS[:, :60], NAMES)
    (only,) = sentences(found, r_hat=2.0)
    worst = np.minimum(found.ess, found.ess_tail).min()
    assert f"is {worst:.0f} out of 240 draws; 400 are wanted" in only
    assert f"about {np.ceil(400 / worst):.0f} times as many" in only


def test_the_halves_of_a_single_chain():
    drift = DRAWS[:1, :, :1] + np.linspace(0, 5, 500)[None, :, None]
    assert "the halves of the only chain disagree" in sentences(Samples(drift))[0]
    assert sentences(Samples(DRAWS[:1])) == []


def test_a_chain_that_never_moved():
    stuck = DRAWS.copy()
    stuck[1] = stuck[1, 0]
    (only,) = sentences(Samples(stuck))
    assert only.startswith(
        "Chain 1 of 4 never moved: all 500 draws are the same. Propose shorter steps, or begin"
    )
    assert sentences(Samples(np.ones((3, 9, 1))))[0].startswith("Chains 0, 1 and 2 of 3 never moved")
    assert sentences(Samples(np.ones((8, 9, 1))))[0].startswith("8 chains of 8 never moved")


def test_acceptance_rates():
    rare = np.zeros((4, 500), dtype=bool)
    rare[:, :10] = True
    (only,) = sentences(Samples(DRAWS, accepted=rare))
    assert only.startswith("Chain 0 took 2.0 % of its proposals: its steps are too long")
    assert sentences(Samples(DRAWS, accepted=~rare)) == []  # nearly all, and the draws are good
    crawling = Samples(DRAWS.cumsum(axis=1), accepted=~rare)
    assert "98.0 % of its proposals and yet its draws hardly differ" in sentences(crawling)[-1]


def test_hardly_any_draws():
    assert sentences(Samples(DRAWS[:, :1]))[0].startswith("1 draw per chain cannot tell")
    assert np.isnan(Samples(DRAWS[:, :3]).r_hat).all()
    with pytest.raises(ValueError, match="r_hat must be a number >= 1; got 0.5"):
        FULL.check(r_hat=0.5)


# -- bad input ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("shape", [(10,), (4, 10), (0, 10, 1), (4, 0, 1), (4, 10, 0)])
def test_shapes(shape):
    with pytest.raises(ValueError, match=r"draws must have shape \(chain, draw, dimension\)"):
        Samples(np.zeros(shape))


def test_bad_fields():
    holes = DRAWS.copy()
    holes[2, 7, 1] = np.nan
    with pytest.raises(ValueError, match="finite; chain 2, draw 7, coordinate 1 is nan"):
        Samples(holes)
    with pytest.raises(ValueError, match="draws must be made of numbers; got 'abc'"):
        Samples("abc")
    with pytest.raises(ValueError, match="log_density must not contain NaN"):
        Samples(DRAWS, log_density=np.full((4, 500), np.nan))
    for names in (("a", "b"), ("a", "a", "b"), (1, "1", 2)):
        with pytest.raises(ValueError, match="names must be 3 different names"):
            Samples(DRAWS, names)
    with pytest.raises(ValueError, match=r"got 'abc'\. A single name is \('abc',\)"):
        Samples(DRAWS, "abc")
    for field in ("log_density", "accepted", "proposed"):
        with pytest.raises(ValueError, match=f"{field} must have shape"):
            Samples(DRAWS, **{field: np.zeros((4, 499))})
    with pytest.raises(ValueError, match="idx must pick among 3 coordinates"):
        FULL.marginal(3)
