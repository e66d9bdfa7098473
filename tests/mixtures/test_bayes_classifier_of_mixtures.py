"""Mixtures as the densities of classes: Bayes' rule over them by hand, with weights, missing cells and draws."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.neighbors import KernelDensity

import suffice
from suffice._core.errors import AtBound, InvalidInput, InvalidParameter, Unsupported
from suffice.distributions import MixtureDistribution, Normal
from suffice.generative import BayesClassifier
from suffice.mixtures import GaussianMixture, MixtureModel

rng = np.random.default_rng(0)
X = np.concatenate(
    [rng.normal(m, 1.0, (60, 2)) for m in ([0, 0], [6, 6], [3, 3])]
)  # a class on both sides of another
Y = np.repeat(["outer", "outer", "inner"], 60)
GAPS = X.copy()
GAPS[rng.random(X.shape) < 0.15] = np.nan
WEIGHT = rng.integers(0, 3, len(X)).astype(float)
TWO = GaussianMixture(2, random_state=0)
PER_CLASS = {"inner": GaussianMixture(1), "outer": GaussianMixture(2, covariance_type="diag", random_state=0)}


def by_hand(densities, table, weight):
    """Eq. 5.2 in logarithms, from mixtures fitted to the rows of each class."""
    logs = []
    for label in ("inner", "outer"):
        mine = label == Y
        density = densities[label] if isinstance(densities, dict) else densities
        w = None if weight is None else weight[mine]
        share = np.mean(mine) if weight is None else weight[mine].sum() / weight.sum()
        logs.append(clone(density).fit(table[mine], sample_weight=w).score_samples(table) + np.log(share))
    joint = np.column_stack(logs)
    return joint - logsumexp(joint, axis=1, keepdims=True)


@pytest.mark.parametrize("density", [TWO, PER_CLASS], ids=["one", "per class"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("table", [X, GAPS], ids=["complete", "gaps"])
def test_the_rule_by_hand(density, table, weight):
    model = BayesClassifier(density).fit(table, Y, sample_weight=weight)
    np.testing.assert_allclose(
        model.predict_log_proba(table), by_hand(density, table, weight), rtol=1e-8, atol=1e-9
    )
    assert model.score(table, Y) > 0.9  # one normal density per class reaches less
    assert model.n_parameters_ == sum(d.n_parameters_ for d in model.conditionals_)


def test_parameters_are_those_of_the_mixtures():
    assert BayesClassifier(TWO).fit(X, Y).n_parameters_ == 2 * (1 + 2 * 2 + 2 * 3)
    assert BayesClassifier(PER_CLASS).fit(X, Y).n_parameters_ == (2 + 3) + (1 + 2 * 2 + 2 * 2)
    with pytest.raises(Unsupported, match="KernelDensity does not say"):
        _ = BayesClassifier(KernelDensity()).fit(X, Y).n_parameters_


def test_draws_follow_the_density_of_the_class():
    model = BayesClassifier(TWO).fit(X, Y)
    outer = model.sample("outer", 600, random_state=1)
    density = dict(zip(model.classes_.tolist(), model.conditionals_, strict=True))["outer"]
    assert outer.shape == (600, 2)
    assert stats.kstest(outer[:, 0], density.marginal(0).cdf).pvalue > 1e-3
    assert np.array_equal(outer, model.sample("outer", 600, random_state=1))
    rows, labels = model.sample(n=300, random_state=2)
    assert rows.shape == (300, 2)
    assert model.score(rows, labels) > 0.9


def test_a_row_of_gaps_has_the_priors():
    model = BayesClassifier(TWO).fit(GAPS, Y)
    np.testing.assert_allclose(model.predict_proba([[np.nan, np.nan]]), [[1 / 3, 2 / 3]], rtol=1e-12)


def test_gaps_are_refused_where_a_density_does_not_take_them():
    for density in (KernelDensity(), Normal, {"inner": TWO, "outer": Normal}):
        with pytest.raises(InvalidInput, match="nan|NaN"):
            BayesClassifier(density).fit(GAPS, Y)
    mixed = BayesClassifier({"inner": TWO, "outer": Normal})
    with pytest.raises(
        InvalidInput, match="NaN at row .*density of class 'outer' takes no missing cells: Normal"
    ):
        mixed.fit(GAPS, Y)
    with pytest.raises(InvalidInput, match="density of class 'outer' takes no missing cells: Normal"):
        mixed.fit(X, Y).predict(GAPS)


@pytest.mark.parametrize("covariance_type", ["full", "diag"])
def test_the_distribution_of_a_mixture_is_a_known_density(covariance_type):
    density = {"inner": GaussianMixture(1), "outer": clone(TWO)}
    for label, model in density.items():
        model.set_params(covariance_type=covariance_type).fit(X[label == Y])
    known = BayesClassifier({label: model.distribution_ for label, model in density.items()}).fit(X, Y)
    np.testing.assert_allclose(known.predict_log_proba(X), by_hand(density, X, None), rtol=1e-8, atol=1e-9)
    assert known.n_parameters_ == 0
    assert known.sample("outer", 5, random_state=0).shape == (5, 2)
    with pytest.raises(InvalidParameter, match="class 'inner' describes 2 columns; X has 1"):
        known.fit(X[:, :1], Y)


def test_a_mixture_of_numbers_is_a_known_density_of_one_column():
    known = {
        "inner": MixtureDistribution([1.0], Normal([3.0], 1.0)),
        "outer": MixtureDistribution([0.5, 0.5], Normal([0.0, 6.0], 1.0)),
    }
    model = BayesClassifier(known, priors="uniform").fit(X[:, :1], Y)
    logs = np.column_stack([d.log_prob(X[:, 0]) for d in known.values()])
    np.testing.assert_allclose(
        model.predict_log_proba(X[:, :1]), logs - logsumexp(logs, axis=1, keepdims=True), rtol=1e-10
    )


def test_errors_and_warnings_name_the_class_and_its_columns():
    table = pd.DataFrame(X, columns=["width", "height"])
    hidden = table.assign(height=np.where(Y == "inner", np.nan, X[:, 1]))
    with pytest.raises(InvalidInput, match="class 'inner': Column 'height' has no known cell"):
        BayesClassifier(TWO).fit(hidden, Y)
    few = np.r_[0:60, 120:123]
    with pytest.raises(InvalidInput, match="class 'inner': .* n_components=4 and 3 rows"):
        BayesClassifier(GaussianMixture(4)).fit(X[few], Y[few])
    with pytest.warns(AtBound, match="class 'inner': .* along 'height'"):
        BayesClassifier(GaussianMixture(1)).fit(table.assign(height=np.where(Y == "inner", 1.0, X[:, 1])), Y)
    for density in (TWO, MixtureModel(random_state=0), KernelDensity()):
        named, plain = (BayesClassifier(density).fit(t, Y) for t in (table, X))
        np.testing.assert_allclose(named.predict_proba(table), plain.predict_proba(X), rtol=1e-10)


def test_text_is_refused_with_a_way_out():
    table = pd.DataFrame({"kind": np.where(X[:, 0] > 3, "a", "b"), "size": X[:, 1]})
    with pytest.raises(
        InvalidInput, match="'kind' holds text .* write categories as numbers, .* categories="
    ):
        BayesClassifier(MixtureModel()).fit(table, Y)
    coded = table.assign(kind=(table["kind"] == "a") * 1.0)
    density = MixtureModel(
        {"kind": "categorical"}, categories={"kind": [0, 1]}, prior={"kind": 1.5}, random_state=0
    )
    model = BayesClassifier(density).fit(coded, Y)
    np.testing.assert_allclose(
        model.predict_log_proba(coded), by_hand(density, coded, None), rtol=1e-8, atol=1e-9
    )
    assert model.score(coded, Y) > 0.9  # the larger class alone has 0.67


def test_files_keep_the_mixtures(tmp_path):
    model = BayesClassifier(PER_CLASS).fit(GAPS, Y)
    suffice.save(model, tmp_path / "model.suffice")
    again = suffice.load(tmp_path / "model.suffice")
    assert np.array_equal(again.predict_proba(GAPS), model.predict_proba(GAPS))
