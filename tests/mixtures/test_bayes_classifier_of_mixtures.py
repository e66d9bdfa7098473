"""Mixtures as the densities of classes: Bayes' rule over them by hand, with weights, missing cells and draws."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.neighbors import KernelDensity

import suffice
from suffice._core.errors import InvalidInput, Unsupported
from suffice.distributions import Normal
from suffice.generative import BayesClassifier
from suffice.mixtures import GaussianMixture

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


def test_files_keep_the_mixtures(tmp_path):
    model = BayesClassifier(PER_CLASS).fit(GAPS, Y)
    suffice.save(model, tmp_path / "model.suffice")
    again = suffice.load(tmp_path / "model.suffice")
    assert np.array_equal(again.predict_proba(GAPS), model.predict_proba(GAPS))
