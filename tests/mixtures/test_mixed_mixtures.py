"""Mixtures of categories and of mixed tables: against brute force, other mixtures, and what must hold of any fit."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.base import clone

import suffice
from suffice import engine
from suffice._components.families import FamilyColumn, better, expected_log
from suffice._components.mixed.families import CategoricalFamily, GroupSample
from suffice._components.smoothing import Smoothing
from suffice._components.starts import in_units, starting_responsibilities
from suffice._core.errors import (
    AtBound,
    InvalidInput,
    InvalidParameter,
    NoInformation,
    NotConverged,
    NumericalError,
    Unsupported,
)
from suffice.distributions import (
    Beta,
    Dirichlet,
    Gamma,
    InverseGamma,
    NegativeBinomial,
    Normal,
    Poisson,
    StudentT,
)
from suffice.mixtures.bernoulli_mixture import BernoulliMixture
from suffice.mixtures.categorical_mixture import CategoricalMixture
from suffice.mixtures.gaussian_mixture import GaussianMixture
from suffice.mixtures.mixture_model import MixtureModel
from suffice.mixtures.multinomial_mixture import MultinomialMixture
from suffice.mixtures.poisson_mixture import PoissonMixture

CITIES = np.array(["Bern", "Oslo", "Rome"])
WORDS = {"income": "gaussian", "visits": "poisson", "member": "bernoulli", "city": "categorical"}


def simulated(n: int, seed: int, missing: float = 0.15) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers, counts, yes and no, and cities of two groups of customers, 60 % in the first; and the groups."""
    rng = np.random.default_rng(seed)
    z = (rng.random(n) < 0.4).astype(int)
    city = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])[z]
    table = pd.DataFrame(
        {
            "income": rng.normal(np.array([2.0, 5.0])[z], 1.0),
            "visits": rng.poisson(np.array([1.0, 4.0])[z]).astype(float),
            "member": (rng.random(n) < np.array([0.2, 0.8])[z]).astype(float),
            "city": CITIES[(rng.random((n, 1)) > np.cumsum(city, axis=1)).sum(axis=1)].astype(object),
        }
    )
    return table.mask(rng.random(table.shape) < missing), z


def mixed(**changes) -> MixtureModel:
    settings = {"components": {"visits": "poisson"}, "random_state": 0, "reg_covar": 0.0}
    return MixtureModel(**{**settings, **changes})


def codes(n: int, seed: int, missing: float = 0.2) -> np.ndarray:
    """Columns of 2, 3 and 4 values from two classes."""
    rng = np.random.default_rng(seed)
    z = rng.random(n) < 0.5
    columns = [
        np.where(z, rng.integers(0, s, n), np.minimum(rng.integers(0, 2 * s, n), s - 1)) for s in (2, 3, 4)
    ]
    X = np.column_stack(columns).astype(float)
    X[rng.random(X.shape) < missing] = np.nan
    return X


# -- against brute force -------------------------------------------------------------------------------------
def shares_of(logs: np.ndarray, weight: np.ndarray) -> np.ndarray:
    joint = np.exp(logs - logs.max(axis=1, keepdims=True))
    return weight[:, None] * joint / joint.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("alpha", [None, 1.7])
def test_latent_classes_equal_a_loop_over_cells(alpha):
    X, weight = codes(60, 1), np.random.default_rng(2).integers(1, 4, 60).astype(float)
    rng = np.random.default_rng(3)
    p, w = [rng.dirichlet(np.ones(s), 2) for s in (2, 3, 4)], np.array([0.3, 0.7])
    model = CategoricalMixture(
        2,
        prior=alpha,
        weights_init=w,
        probabilities_init=p,
        max_iter=6,
        tol=0.0,
        categories=[[0, 1], [0, 1, 2], range(4)],
    )
    with pytest.warns(NotConverged, match="did not converge"):
        model.fit(X, sample_weight=weight)
    for _ in range(6):
        logs = np.tile(np.log(w), (60, 1))
        for n in range(60):
            for d in range(3):
                logs[n] += 0.0 if np.isnan(X[n, d]) else np.log(p[d][:, int(X[n, d])])
        r = shares_of(logs, weight)
        w = r.sum(axis=0) / r.sum()
        for d, table in enumerate(p):
            counts = (
                np.array([r[X[:, d] == v].sum(axis=0) for v in range(table.shape[1])]).T + (alpha or 1.0) - 1
            )
            p[d] = counts / counts.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.weights_, w, rtol=1e-10)
    for mine, loop in zip(model.probabilities_, p, strict=True):
        np.testing.assert_allclose(mine, loop, rtol=1e-10)


def test_a_mixed_table_equals_one_step_after_the_other():
    table, _ = simulated(80, 1)
    weight = np.random.default_rng(2).uniform(0.5, 2.0, 80)
    start = mixed(max_iter=0).fit(table, sample_weight=weight)
    with pytest.warns(NotConverged, match="did not converge"):
        model = mixed(max_iter=4, tol=0.0).fit(table, sample_weight=weight)
    normal, poisson, bernoulli, category = start.mixing_.components.parts
    w, mean, std = start.weights_, normal.means[:, 0], np.sqrt(normal.variances[:, 0])
    rate, yes, shares = poisson.rates[:, 0], bernoulli.probabilities[:, 0], category.probabilities[0].copy()
    x, n, b = (table[c].to_numpy()[:, None] for c in ("income", "visits", "member"))
    place = np.array([-1 if c is None or c != c else CITIES.tolist().index(c) for c in table["city"]])
    for _ in range(4):
        logs = np.log(w) + np.nan_to_num(stats.norm.logpdf(x, mean, std))
        logs += np.where(np.isnan(n), 0.0, stats.poisson.logpmf(np.nan_to_num(n), rate))
        logs += np.where(np.isnan(b), 0.0, stats.bernoulli.logpmf(np.nan_to_num(b), yes))
        logs[place >= 0] += np.log(shares[:, place[place >= 0]]).T
        r = shares_of(logs, weight)
        w = r.sum(axis=0) / r.sum()
        known = [np.where(np.isnan(c), 0.0, r) for c in (x, n, b)]
        total = [k.sum(axis=0) for k in known]
        mean, rate, yes = (
            (k * np.nan_to_num(c)).sum(axis=0) / t for k, c, t in zip(known, (x, n, b), total, strict=True)
        )
        std = np.sqrt((known[0] * np.nan_to_num(x - mean) ** 2).sum(axis=0) / total[0])
        counts = np.array([r[place == v].sum(axis=0) for v in range(3)]).T
        shares = counts / counts.sum(axis=1, keepdims=True)
    normal, poisson, bernoulli, category = model.mixing_.components.parts
    for mine, loop in (
        (model.weights_, w),
        (normal.means[:, 0], mean),
        (np.sqrt(normal.variances[:, 0]), std),
        (poisson.rates[:, 0], rate),
        (bernoulli.probabilities[:, 0], yes),
        (category.probabilities[0], shares),
    ):
        np.testing.assert_allclose(mine, loop, rtol=1e-10)


def test_latent_classes_end_where_the_likelihood_is_flat():
    X = codes(200, 4)
    model = CategoricalMixture(2, random_state=0, tol=1e-13, max_iter=20_000, prior=1.2).fit(X)
    rng = np.random.default_rng(0)
    product = model.mixing_.components
    part = product.parts[0]

    def objective(step: np.ndarray) -> float:
        table = part.table * np.exp(step)  # a multiplicative step, normalized, stays among probabilities
        scale = np.repeat(np.add.reduceat(table, part.starts, axis=0), part.sizes, axis=0)
        moved = type(part)(table / scale, part.sizes, part.concentration)
        logs = moved.evaluate(np.ascontiguousarray(X)).logs + np.log(model.weights_)
        return float(np.logaddexp.reduce(logs, axis=1).sum() + moved.log_prior)

    for _ in range(5):
        direction = rng.standard_normal(part.table.shape)
        slope = (objective(1e-5 * direction) - objective(-1e-5 * direction)) / 2e-5
        assert (
            abs(slope) < 2e-4
        )  # second derivatives are about −100; stopped at tol=1e-6 slopes are up to 6e-2


@pytest.mark.parametrize(
    "member",
    [Gamma(2.0, 3.0), InverseGamma(3.0, 2.0), Beta(2.0, 5.0), NegativeBinomial(3.0, 0.7)],
    ids=lambda member: type(member).__name__,
)
def test_what_a_family_expects_from_sums_is_the_sum_over_rows(member):
    rng = np.random.default_rng(0)
    x, r = member.sample(50, rng), rng.random((50, 2))
    column = FamilyColumn((member, type(member).fit(x)))
    sums = column.evaluate(x[:20, None]).weighted_sums(r[:20]) + column.evaluate(x[20:, None]).weighted_sums(
        r[20:]
    )
    for k, one in enumerate(column.members):
        np.testing.assert_allclose(expected_log(one, sums.parts[k]), r[:, k] @ one.log_prob(x), rtol=1e-10)
    best = column.maximized(sums)
    assert best.expected_log(sums, column) >= column.expected_log(sums, column)


def test_every_column_has_its_own_prior():
    table, _ = simulated(60, 1)
    table["again"] = table["member"]
    table["town"] = table["city"]
    priors = {
        "member": Beta(2.0, 3.0),
        "again": Beta(5.0, 2.0),
        "city": Dirichlet([2.0, 3.0, 1.5]),
        "town": 2.5,
    }
    model = mixed(prior=priors, max_iter=0, weights_init=[0.2, 0.8]).fit(table)
    yes, cities, again, towns = model.mixing_.components.parts[2:]
    expected = [
        stats.beta.logpdf(yes.probabilities[:, 0], 2, 3),
        stats.beta.logpdf(again.probabilities[:, 0], 5, 2),
    ]
    expected += [
        [stats.dirichlet.logpdf(p, alpha) for p in part.probabilities[0]]
        for part, alpha in ((cities, [2.0, 3.0, 1.5]), (towns, [2.5] * 3))
    ]
    np.testing.assert_allclose(model.mixing_.components.log_prior, np.sum(expected), rtol=1e-10)
    np.testing.assert_allclose(model.weights_, [0.2, 0.8], rtol=1e-12)


# -- other mixtures are special cases ------------------------------------------------------------------------
def test_all_gaussian_is_a_gaussian_mixture():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(0, 1, (80, 3)), rng.normal(3, 2, (40, 3))])
    X[rng.random(X.shape) < 0.1] = np.nan
    shared = {"random_state": 0, "tol": 1e-9, "max_iter": 500}
    for components, kind in (("gaussian", "diag"), ({(0, 1, 2): "gaussian"}, "full")):
        mine = MixtureModel(components, **shared).fit(X)
        theirs = GaussianMixture(2, covariance_type=kind, **shared).fit(X)
        np.testing.assert_allclose(mine.score_samples(X), theirs.score_samples(X), rtol=1e-10)
        np.testing.assert_allclose(
            mine.distribution_.log_prob(np.zeros((1, 3))), theirs.score_samples(np.zeros((1, 3))), rtol=1e-10
        )
        assert mine.n_parameters_ == theirs.n_parameters_


def test_a_tuple_out_of_order_is_the_same_model():
    X = np.random.default_rng(0).multivariate_normal([0, 1], [[2.0, 0.9], [0.9, 1.0]], 60)
    shared = {"random_state": 0, "tol": 1e-9, "n_components": 1}
    forth, back = (MixtureModel({key: "gaussian"}, **shared).fit(X) for key in ((0, 1), (1, 0)))
    np.testing.assert_allclose(back.score_samples(X), forth.score_samples(X), rtol=1e-10)
    np.testing.assert_allclose(back.distribution_.cov, forth.distribution_.cov, rtol=1e-10)


COUNTS = [("bernoulli", BernoulliMixture), ("poisson", PoissonMixture), ("multinomial", MultinomialMixture)]


@pytest.mark.parametrize(("word", "kind"), COUNTS)
def test_all_counts_are_a_mixture_of_counts(word, kind):
    rng = np.random.default_rng(1)
    X = rng.poisson(np.where(rng.random((150, 1)) < 0.4, [0.4, 2.0, 5.0], [4.0, 3.0, 0.2])).astype(float)
    X = np.minimum(X, 1.0) if word == "bernoulli" else X
    shared = {"random_state": 0, "tol": 1e-5, "init_params": "random"}
    mine, theirs = MixtureModel(word, **shared).fit(X), kind(2, **shared).fit(X)
    np.testing.assert_allclose(mine.score_samples(X), theirs.score_samples(X), rtol=1e-10)
    assert mine.n_parameters_ == theirs.n_parameters_


# -- what must hold of any fit -------------------------------------------------------------------------------
PRIORS = {
    "income": Normal(3.0, 2.0),
    "visits": Gamma(2.0, 1.0),
    "member": Beta(2.0, 3.0),
    "city": Dirichlet([2.0, 1.5, 1.2]),
}


@pytest.mark.filterwarnings(
    "ignore::suffice._core.errors.AtBound"
)  # three components may collapse on 60 rows
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("prior", [None, PRIORS], ids=["flat", "prior"])
def test_a_fit_never_falls(seed, hard, prior):
    table, _ = simulated(60, 10 + seed, missing=0.25)
    weight = np.random.default_rng(seed).uniform(0.1, 3.0, 60) if seed % 2 else None
    model = mixed(n_components=3, hard=hard, prior=prior, init_params="random_from_data", weights_prior=1.5)
    trace = model.set_params(random_state=seed).fit(table, sample_weight=weight).trace_
    assert not len(trace.falls())
    if not hard:
        slack = 1e-6 * np.abs(trace.columns["likelihood"])
        assert np.all(trace.columns["bound"] <= trace.columns["likelihood"] + slack)


@pytest.mark.parametrize("seed", range(3))
def test_a_fit_of_other_families_never_falls(seed):
    rng = np.random.default_rng(seed)
    z = rng.random(120) < 0.4
    X = np.column_stack(
        [
            rng.gamma(np.where(z, 2, 9)),
            rng.beta(np.where(z, 2, 9), 3),
            rng.negative_binomial(np.where(z, 2, 6), 0.4),
            1 / rng.gamma(np.where(z, 3, 9)),
        ]
    )
    X[rng.random(X.shape) < 0.1] = np.nan
    model = MixtureModel([Gamma, Beta, NegativeBinomial, InverseGamma], random_state=seed).fit(X)
    assert not len(model.trace_.falls())
    assert np.all(model.trace_.columns["bound"] <= model.trace_.columns["likelihood"] + 1e-6)
    assert model.n_parameters_ == 1 + 2 * 8


def test_a_family_that_would_sit_on_one_value_is_floored_and_named():
    X = np.r_[np.full(20, 2.0), np.random.default_rng(0).gamma(30.0, 2.0, 30)][:, None]
    with pytest.warns(AtBound, match=r"component \d \(weight 0\.4\) along 'x0'"):
        model = MixtureModel(Gamma, random_state=0).fit(X)
    assert not len(model.trace_.falls())
    narrow, wide = sorted(model.mixing_.components.parts[0].members, key=lambda member: member.std)
    np.testing.assert_allclose([narrow.mean, narrow.std], [2.0, 1e-6 * X.std()], rtol=1e-9)
    np.testing.assert_allclose(wide.mean, X[20:].mean(), rtol=1e-9)


@pytest.mark.parametrize("kind", [Gamma, InverseGamma, Beta])
def test_equal_values_make_the_narrowest_member(kind):
    before = kind.fit([0.1, 0.2, 0.4])
    for values in (np.full(5, 0.25), 0.25 + 1e-9 * np.arange(5.0)):
        found = better(before, kind.statistics(values), 1e-6)
        np.testing.assert_allclose([found.mean, found.std], [0.25, 1e-6], rtol=1e-6)
        np.testing.assert_allclose(
            expected_log(found, kind.statistics(values)), found.log_prob(values).sum(), rtol=1e-4
        )
    assert better(before, kind.statistics(0.25 + 1e-4 * np.arange(5.0)), 0.0).std < 1e-3
    assert better(before, kind.statistics([0.25]), 1e-6) == before  # a lone row does not say how wide
    x = np.random.default_rng(0).choice([0.1, 0.2, 0.5], 90)
    with pytest.warns(AtBound, match=r"component 0 .*; component 1 .*; component 2 .* along 'x0'"):
        model = MixtureModel(kind, n_components=3, random_state=0).fit(x[:, None])
    members = model.mixing_.components.parts[0].members
    np.testing.assert_allclose(sorted(member.mean for member in members), [0.1, 0.2, 0.5], rtol=1e-6)


def test_components_that_are_the_same_are_named():
    X = np.random.default_rng(0).gamma(3.0, size=(30, 1))
    start = MixtureModel(Gamma, random_state=0).fit(X)
    alike = replace(start.mixing_, components=start.mixing_.components.ordered(np.zeros(2, dtype=int)))
    with pytest.warns(NoInformation, match="Components 0 and 1 are identical"):
        start._write(alike)


def test_the_standard_deviation_of_a_heavy_tail_sets_no_floor():
    """An inverse gamma distribution of shape 2 or less has an infinite one."""
    rng = np.random.default_rng(0)
    X = 1 / rng.gamma(np.where(np.arange(60) % 2, 1.2, 9.0), np.where(np.arange(60) % 2, 1.0, 0.01))[:, None]
    model = MixtureModel(InverseGamma, random_state=0).fit(X)
    assert np.isfinite(model.mixing_.components.parts[0].least)
    assert model.lower_bound_ > MixtureModel(InverseGamma, n_components=1).fit(X).lower_bound_


def test_a_start_excludes_nothing_and_weighs_columns_alike():
    rng = np.random.default_rng(0)
    z = np.arange(200) % 2
    clear = {f"x{j}": rng.normal(6.0 * z) for j in range(2)}
    noise = {f"c{j}": rng.integers(0, 40, 200).astype(str) for j in range(2)}  # 80 columns of zeros and ones
    table = pd.DataFrame({**clear, "y": np.where(z, 1.0, 0.0), "n": 3.0 * z, **noise})
    model = mixed(components={"n": "poisson"}, max_iter=0).fit(table)
    labels = model.predict(table[list(clear)].reindex(columns=table.columns))
    assert max(np.mean(labels == z), np.mean(labels != z)) == 1.0
    bernoulli, poisson, category = model.mixing_.components.parts[1:]
    assert np.all((bernoulli.probabilities > 0) & (bernoulli.probabilities < 1))
    assert np.all(poisson.rates > 0)
    assert np.all(category.table > 0)


def test_a_simulated_table_is_recovered():
    table, z = simulated(1500, 0)
    model = mixed().fit(table)
    first = int(np.argmax(model.weights_))
    normal, poisson, bernoulli, category = model.mixing_.components.parts
    assert model.families_ == WORDS
    # four standard deviations of these estimates over 25 simulated tables
    np.testing.assert_allclose(model.weights_[first], 0.6, atol=0.06)
    np.testing.assert_allclose(normal.means[[first, 1 - first], 0], [2.0, 5.0], atol=0.2)
    np.testing.assert_allclose(poisson.rates[[first, 1 - first], 0], [1.0, 4.0], atol=0.35)
    np.testing.assert_allclose(bernoulli.probabilities[[first, 1 - first], 0], [0.2, 0.8], atol=0.06)
    np.testing.assert_allclose(category.probabilities[0][first], [0.7, 0.2, 0.1], atol=0.06)
    assert (
        np.mean((model.predict(table) != first) == z) > 0.949
    )  # the truth has 0.967 ± 0.0046 of 1,500 rows right


@pytest.mark.parametrize("kind", [MixtureModel, CategoricalMixture])
def test_weights_are_counts(kind):
    table, _ = simulated(40, 3)
    table = table if kind is MixtureModel else table[["city", "member"]]
    twice = np.r_[np.arange(40), np.arange(10)]
    shared = {"n_components": 2, "random_state": 0, "tol": 1e-10}
    weight = np.bincount(twice, minlength=40).astype(float)
    stray = table.iloc[:1].assign(city="Atlantis")  # of weight zero: no row, and no value
    with_weight = kind(**shared).fit(pd.concat([table, stray]), sample_weight=np.r_[weight, 0.0])
    repeated = kind(**shared).fit(table.iloc[twice])
    np.testing.assert_allclose(
        with_weight.score_samples(table), repeated.score_samples(table), rtol=1e-6, atol=1e-12
    )


# -- tables of all kinds -------------------------------------------------------------------------------------
@pytest.mark.slow
def test_batches_are_one_table():
    table, _ = simulated(120, 5)
    whole = mixed().fit(table)
    parts = engine.fit(mixed(), [table.iloc[:50], table.iloc[50:]])
    np.testing.assert_allclose(parts.score_samples(table), whole.score_samples(table), rtol=1e-10)
    assert parts.families_ == WORDS


def test_a_batch_with_a_new_value_is_refused():
    table, _ = simulated(60, 5)
    late = table.assign(city="Lima")
    with pytest.raises(
        InvalidInput, match=r"'city' holds 'Lima' at row 0.*'Bern', 'Oslo', 'Rome'.*categories="
    ):
        engine.fit(mixed(), [table, late])
    engine.fit(mixed(categories={"city": [*CITIES, "Lima"]}, prior={"city": 1.5}), [table, late])


def test_values_that_the_first_rows_do_not_show_are_possible(monkeypatch):
    """Categories, yes, counts and shares of which a sample shows none have no parameters of zero in the start."""
    monkeypatch.setattr("suffice.engine.sampling.ENOUGH", 40)
    table, _ = simulated(120, 5)
    rng = np.random.default_rng(0)
    table = table.assign(never=0.0, none=0.0, left=rng.integers(1, 4, 120), right=0.0)
    late = {"city": "Lima", "never": 1.0, "none": 2.0, "right": 1.0}
    table.loc[119, list(late)] = list(late.values())
    table["never"] = table["never"].astype(float)
    families = {"visits": "poisson", "none": "poisson", ("left", "right"): "multinomial"}
    model = mixed(components=families, categories={"city": [*CITIES, "Lima"]})
    batches = [table.iloc[a : a + 40] for a in (0, 40, 80)]
    fitted = engine.fit(clone(model), batches)
    assert np.all(np.isfinite(fitted.score_samples(table)))
    monkeypatch.setattr("suffice.mixtures._shell.model.AFTER_SAMPLE", Smoothing(0.0))
    with pytest.raises(NumericalError, match="impossible"):
        engine.fit(model, batches)


def test_polars_and_arrow_are_read_like_pandas():
    table, _ = simulated(60, 6)
    frame = pl.from_pandas(table)
    expected = mixed().fit(table).score_samples(table)
    for other in (frame, frame.to_arrow()):
        np.testing.assert_allclose(mixed().fit(other).score_samples(other), expected, rtol=1e-12)
        drawn, _ = mixed().fit(other).sample(5)
        assert type(drawn) is type(other)
        assert list(drawn.schema) == list(WORDS) if other is frame else drawn.schema.names == list(WORDS)
    for refused in (mixed().fit, mixed().fit(frame).predict):
        with pytest.raises(InvalidInput, match=r"LazyFrame.*X\.collect\(\)"):
            refused(frame.lazy())


def test_values_are_listed_by_name_number_or_type():
    cells = ["a", None, "b", "a"]
    for frame in (
        pd.DataFrame({"f": pd.Categorical(cells, categories=["c", "b", "a"])}),
        pl.DataFrame({"f": cells}, schema={"f": pl.Enum(["c", "b", "a"])}),
    ):
        model = CategoricalMixture(prior=1.5).fit(frame)
        assert model.categories_[0].tolist() == ["a", "b", "c"]
        assert model.score_samples(type(frame)({"f": ["c"]}))[0] == pytest.approx(
            np.log(0.5 / 4.5), rel=1e-12
        )
        fewer = CategoricalMixture(categories={"f": ["a", "b"]}).fit(frame)
        assert fewer.categories_[0].tolist() == ["a", "b"]
    by_number = CategoricalMixture(categories={0: ["a", "b", "d"]}).fit([["a"], ["b"]])
    assert by_number.categories_[0].tolist() == ["a", "b", "d"]
    levels = pd.DataFrame({"f": pd.Categorical([1, 2, 1], categories=[1, 2, 3])})
    assert CategoricalMixture().fit(levels).categories_[0].tolist() == [1, 2, 3]
    yes = pd.DataFrame({"f": pd.Categorical([True, False, True], categories=[True, False])})
    assert MixtureModel(n_components=1).fit(yes).families_ == {"f": "bernoulli"}


def test_a_column_of_many_values_is_not_spread_out():
    rng = np.random.default_rng(0)
    x = np.where(rng.random(300) < 0.1, np.nan, rng.permutation(np.arange(300) // 2))
    w = rng.random(300)
    units = CategoricalFamily().units(GroupSample(x[:, None], w, ("id",), (5000,), 2, 0.0))
    ones = np.equal.outer(x, np.arange(5000.0))  # the same from all values at once
    share = np.where(np.isnan(x), 0.0, w) @ ones / w[~np.isnan(x)].sum()
    first = np.argsort(-share, kind="stable")[:64]
    expected = (ones[:, first] - share[first]) / np.sqrt(np.sum(share[first] * (1 - share[first])))
    np.testing.assert_allclose(units, np.where(np.isnan(x)[:, None], np.nan, expected), rtol=1e-10)
    table = np.arange(30_000.0)[:, None]
    tracemalloc.start()
    CategoricalFamily().units(GroupSample(table, None, ("id",), (30_000,), 2, 0.0))
    assert tracemalloc.get_traced_memory()[1] < 1e8  # all values would take 7e9
    tracemalloc.stop()


def test_what_is_inferred_is_conservative():
    table = pd.DataFrame(
        {
            "count": range(12),
            "bool": [True, False, None, True] * 3,
            "binary": [0, 1, 1, 0] * 3,
            "text": ["a", "b", None, "b"] * 3,
            "level": pd.Categorical([1, 2, 1, 3] * 3),
        }
    )
    words = ["gaussian", "bernoulli", "bernoulli", "categorical", "categorical"]
    assert MixtureModel(random_state=0).fit(table).families_ == dict(zip(table, words, strict=True))


def test_draws_are_tables_like_those_of_the_fit():
    table, _ = simulated(400, 7)
    table["flag"] = table["member"].astype("boolean")
    model = mixed().fit(table)
    drawn, labels = model.sample(4000, random_state=1)
    assert isinstance(drawn, pd.DataFrame)
    assert [str(drawn[c].dtype.kind) for c in ("income", "visits", "flag")] == ["f", "i", "b"]
    assert set(drawn["city"]) == set(CITIES)
    shares = model.mixing_.components.parts[-1].probabilities[0]
    found = [np.mean(drawn["city"][labels == 0] == c) for c in CITIES]
    np.testing.assert_allclose(
        found, shares[0], atol=0.06
    )  # four standard errors of some 1,600 draws are 0.05
    array, _ = CategoricalMixture(2, random_state=0).fit([[1, "a"], [2, "b"], [2, "a"], [1, None]]).sample(50)
    assert {type(v) for v in array[:, 0]} == {int}
    assert set(array[:, 1]) == {"a", "b"}


def test_a_multinomial_group_stands_beside_others():
    rng = np.random.default_rng(0)
    z = rng.random(90) < 0.5
    counts = np.array(
        [
            rng.multinomial(t, [0.7, 0.2, 0.1] if one else [0.1, 0.3, 0.6])
            for t, one in zip(rng.integers(1, 9, 90), z, strict=True)
        ]
    )
    X = np.column_stack([counts, rng.normal(3.0 * z)])
    model = MixtureModel({(0, 1, 2): "multinomial"}, random_state=0, reg_covar=0.0).fit(X)
    assert not len(model.trace_.falls())
    drawn, _ = model.sample(20)
    assert np.array_equal(drawn[:, :3], np.round(drawn[:, :3]))
    X[4, 1] = np.nan
    with pytest.raises(InvalidInput, match=r"Multinomial columns .*; got nan at row 4, column 'x1'"):
        model.score_samples(X)


# -- joint models --------------------------------------------------------------------------------------------
def test_the_distribution_of_rows_is_the_density_of_their_codes():
    table, _ = simulated(100, 8)
    model = mixed().fit(table)
    rows, _ = model.door(table)
    np.testing.assert_allclose(model.distribution_.log_prob(rows.X), model.score_samples(table), rtol=1e-10)
    some = np.array([3, 0])
    hidden = table.assign(visits=np.nan, member=np.nan)
    marginal = model.mixing_.components.marginal(some)
    logs = np.logaddexp.reduce(marginal.evaluate(rows.X[:, some]).logs + np.log(model.weights_), axis=1)
    np.testing.assert_allclose(logs, model.score_samples(hidden), rtol=1e-10)
    assert marginal.plan.coding.words == ("categorical", "gaussian")


def test_columns_of_text_are_conditioned_on_and_imputed():
    table, _ = simulated(150, 9)
    model = mixed().fit(table)
    rest = model.condition({"city": "Rome"})
    shares = model.weights_ * model.mixing_.components.parts[3].probabilities[0][:, 2]
    np.testing.assert_allclose(rest.weights, shares / shares.sum(), rtol=1e-10)
    filled = model.impute(table).table
    assert not filled.isna().any().any()
    assert set(filled["city"]) <= set(CITIES)


def test_columns_that_vary_together_beside_others_have_no_distribution():
    table, _ = simulated(60, 9)
    table["wealth"] = table["income"] * 2 + np.random.default_rng(0).normal(size=60)
    model = mixed(components={("income", "wealth"): "gaussian"}).fit(table)
    assert model.families_["wealth"] == "joint gaussian"
    with pytest.raises(Unsupported, match=r"vary together stand beside"):
        _ = model.distribution_
    assert len(model.sample(3)[0]) == 3


def test_numbers_of_components_may_change_and_files_keep_all(tmp_path):
    table, _ = simulated(80, 4)
    model = mixed().fit(table)
    product = model.mixing_.components
    turned = product.ordered(np.array([1, 0]))
    rows, _ = model.door(table)
    np.testing.assert_allclose(
        turned.evaluate(rows.X).logs, product.evaluate(rows.X).logs[:, ::-1], rtol=1e-12
    )
    for fitted in (model, CategoricalMixture(2, random_state=0).fit(table[["city"]])):
        again = suffice.load(suffice.save(fitted, tmp_path / "model.suffice") or tmp_path / "model.suffice")
        seen = table[list(fitted.feature_names_in_)]
        np.testing.assert_allclose(again.score_samples(seen), fitted.score_samples(seen), rtol=1e-15)


def test_a_warm_start_goes_on():
    table, _ = simulated(80, 4)
    model = mixed(max_iter=2, tol=1e-12, warm_start=True)
    with pytest.warns(NotConverged, match="did not converge"):
        before = model.fit(table).lower_bound_
    assert model.set_params(max_iter=2000).fit(table).lower_bound_ > before
    with pytest.raises(InvalidParameter, match=r"column 'city' has others"):
        model.fit(table.replace({"city": {"Rome": "Roma"}}))


# -- bad input -----------------------------------------------------------------------------------------------
def test_a_value_never_seen_is_missing_or_an_error():
    X = [["a", 1], ["b", 2], ["b", 1], ["a", 2]]
    model = CategoricalMixture(2, random_state=0, prior=1.5).fit(X)
    with pytest.warns(NoInformation, match=r"'x0' holds 'c' at row 0.*'a', 'b'.*missing"):
        told = model.score_samples([["c", 1]])
    np.testing.assert_allclose(told, model.score_samples([[None, 1]]), rtol=1e-12)
    with pytest.raises(InvalidInput, match=r"'x0' holds 'c' at row 0"):
        model.set_params(unknown="raise").predict([["c", 1]])


@pytest.mark.parametrize(
    ("changes", "error", "match"),
    [
        ({"components": "gausian"}, InvalidParameter, r"got 'gausian'. Did you mean 'gaussian'"),
        ({"components": {"incom": "gaussian"}}, InvalidParameter, r"'incom' is none. Did you mean 'income'"),
        (
            {"components": {"income": "poisson"}},
            InvalidInput,
            r"Poisson columns .* got -\S+ at row 0, column 'income'",
        ),
        (
            {"components": {"visits": "bernoulli"}},
            InvalidInput,
            r"Bernoulli columns .* column 'visits'\. Correct the cell",
        ),
        (
            {"components": {"city": "gaussian"}},
            InvalidInput,
            r"'city' is gaussian but holds text: '\w+' at row",
        ),
        (
            {"components": {"income": Gamma}},
            InvalidInput,
            r"'income' cannot be Gamma at row 0: x must be > 0",
        ),
        ({"components": {"income": StudentT}}, Unsupported, r"StudentT has no components here"),
        ({"components": {"visits": "multinomial"}}, InvalidParameter, r"'visits' alone"),
        ({"components": ["gaussian"]}, InvalidParameter, r"one for each of 4 columns"),
        ({"components": {"income": "gaussian", 0: "gaussian"}}, InvalidParameter, r"'income' twice"),
        ({"prior": {"income": 3.0}}, InvalidParameter, r"Of 'income': prior must be None"),
        (
            {"prior": {"city": Dirichlet([1.0, 2.0])}},
            InvalidParameter,
            r"'city' must be .* each of its 3 values",
        ),
        ({"prior": {"city": 0.5}}, InvalidParameter, r"^prior of column 'city' must be finite and >= 1"),
        ({"prior": Beta(1, 1)}, InvalidParameter, r"prior must be None or a mapping"),
        ({"prior": {"town": 2.0}}, InvalidParameter, r"prior must name columns; 'town' is none"),
        ({"categories": {"city": ["Bern"]}}, InvalidInput, r"'city' holds '\w+' at row"),
        ({"unknown": "ignore"}, InvalidParameter, r"unknown must be one of"),
        ({"reg_covar": -1.0}, InvalidParameter, r"reg_covar must be a number >= 0"),
        ({"n_components": 99}, InvalidInput, r"n_components=99 and 40 rows"),
    ],
)
def test_bad_settings_are_named(changes, error, match):
    table, _ = simulated(40, 2, missing=0.0)
    table["income"] = table["income"] - 10
    with pytest.raises(error, match=match):
        mixed(**changes).fit(table)


def test_bad_starts_and_empty_columns_are_named():
    with pytest.raises(InvalidParameter, match=r"probabilities_init of column 'x0' must have shape \(2, 3\)"):
        CategoricalMixture(2, probabilities_init=[[[0.5, 0.5]] * 2]).fit([["a"], ["b"], ["c"]])
    with pytest.raises(InvalidParameter, match=r"^prior of column 'x1' must be"):
        CategoricalMixture(prior=Dirichlet([1.0, 2.0])).fit([["a", 1], ["b", 2], ["b", 3]])
    with pytest.raises(InvalidParameter, match=r"^categories must name columns; 2 is none"):
        CategoricalMixture(categories={2: ["a"]}).fit([["a", 1], ["b", 2]])


@pytest.mark.parametrize("make", [CategoricalMixture, partial(MixtureModel, components="categorical")])
@pytest.mark.parametrize("wrong", [3, 2.5, True, np.array(3), "ab"], ids=repr)
def test_categories_that_list_nothing(make, wrong):
    rows = [["a", 1], ["b", 2]]
    with pytest.raises(
        InvalidParameter, match=r"^categories must be a mapping .*, or a list for each of 2 columns; got "
    ):
        make(categories=wrong).fit(rows)
    if wrong != "ab":
        with pytest.raises(
            InvalidParameter, match=r"^categories of column 'x1' must be a list of strings or numbers"
        ):
            make(categories={1: wrong}).fit(rows)
    with pytest.raises(InvalidInput, match=r"Column 'x1' has no known cell"):
        CategoricalMixture(2).fit([["a", None], ["b", None], ["c", None]])
    assert clone(mixed()).get_params()["components"] == {"visits": "poisson"}


def test_a_class_with_a_word_is_that_family():
    table, _ = simulated(50, 2)
    mine = mixed(components={"visits": Poisson}).fit(table)
    np.testing.assert_allclose(mine.score_samples(table), mixed().fit(table).score_samples(table), rtol=1e-12)


def test_booleans_as_numbers_are_drawn_as_numbers():
    table = pd.DataFrame({"f": np.arange(40) % 3 == 0, "x": np.random.default_rng(0).normal(size=40)})
    drawn, _ = MixtureModel({"f": "gaussian"}, n_components=1, random_state=0).fit(table).sample(30)
    assert drawn["f"].std() > 0.2


@pytest.mark.parametrize("seed", [63, 115, 160, 194, 195, 201])
def test_rows_halfway_between_two_starts_go_to_the_same_in_any_order(seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 8, 39), rng.integers(0, 2, 39)]).astype(float)
    weight, at = 10.0 ** rng.uniform(-6, 6, 39), rng.permutation(39)

    def begun(X, weight):
        unit = in_units(X, weight)
        return starting_responsibilities(unit, weight, 2, "k-means++", np.random.default_rng(seed))

    np.testing.assert_array_equal(begun(X, weight)[at], begun(X[at], weight[at]))
