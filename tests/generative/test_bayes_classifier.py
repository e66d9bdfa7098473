"""Bayes' rule over any densities: against the rule by hand, other classifiers, and fits of the rows themselves."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as PlainQuadratic
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import KFold, LeaveOneOut
from sklearn.naive_bayes import GaussianNB as PlainNaive
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice import engine
from suffice._core.contents import MODEL
from suffice._core.errors import NoInformation, RankDeficient, UnsafeFile, Unsupported
from suffice._core.memory_budget import MemoryBudget
from suffice._core.tree import build, decode, encode
from suffice.distributions import (
    Bernoulli,
    Beta,
    Categorical,
    Gamma,
    Histogram,
    InverseGamma,
    LaplaceDistribution,
    MultivariateNormal,
    MultivariateT,
    Normal,
    Poisson,
    Uniform,
    decision,
)
from suffice.evaluation import cross_validate
from suffice.generative import BayesClassifier, QuadraticDiscriminantAnalysis

from ..contract.checks.scikit_learn import assert_accepted

X, CODES = load_iris(return_X_y=True)
X = X + 0.01 * np.random.default_rng(0).standard_normal(X.shape)  # no ties, no equal rows
Y = np.array(["setosa", "versicolor", "virginica"])[CODES]
COUNTS = np.random.default_rng(1).integers(0, 4, len(X)).astype(float)
rng = np.random.default_rng(2)
MIXED = {"setosa": Gamma, "versicolor": Normal, "virginica": MultivariateNormal}
HEIGHTS = {"male": Normal(178, 7), "female": Normal(165, 7)}
ADDING = {
    "normal rows": MultivariateNormal,
    "normal": Normal,
    "gamma": Gamma,
    "inverse": InverseGamma,
    "mixed": MIXED,
}
BY_ROWS = {
    "kernels": KernelDensity(bandwidth=0.3),
    "mixture": GaussianMixture(2, random_state=0),
    "heavy tails": MultivariateT,
    "double exponential": LaplaceDistribution,
    "one of them": {"setosa": KernelDensity(), "versicolor": Normal, "virginica": MultivariateNormal},
}


def by_hand(log_densities, priors):
    """Eq. 5.2 in logarithms."""
    joint = np.column_stack(log_densities) + np.log(priors)
    return joint - logsumexp(joint, axis=1, keepdims=True)


# -- the rule ---------------------------------------------------------------------------------------------
class TestAgainstOthers:
    @pytest.mark.parametrize("priors", [None, "uniform", [0.2, 0.3, 0.5]])
    def test_normal_rows_are_quadratic_discriminant_analysis(self, priors):
        mine, ours = (
            BayesClassifier(priors=priors).fit(X, Y, COUNTS),
            QuadraticDiscriminantAnalysis(priors=priors),
        )
        logs = mine.predict_log_proba(X)
        np.testing.assert_allclose(logs, ours.fit(X, Y, COUNTS).predict_log_proba(X), rtol=1e-9, atol=1e-9)
        assert mine.n_parameters_ == ours.n_parameters_
        if not isinstance(priors, str):
            plain = PlainQuadratic(priors=priors).fit(X, Y).predict_log_proba(X)
            np.testing.assert_allclose(mine.fit(X, Y).predict_log_proba(X), plain, rtol=1e-9, atol=1e-9)

    def test_normal_columns_are_naive_bayes(self):
        mine, plain = BayesClassifier(Normal).fit(X, Y, COUNTS), PlainNaive(var_smoothing=0).fit(X, Y, COUNTS)
        np.testing.assert_allclose(
            mine.predict_joint_log_proba(X), plain.predict_joint_log_proba(X), rtol=1e-9, atol=1e-9
        )

    def test_families_may_differ_between_classes(self):
        model = BayesClassifier(MIXED, priors=[0.5, 0.2, 0.3]).fit(X, Y)
        one, two, three = (X[c == Y] for c in model.classes_)
        shapes = [stats.gamma.fit(x, floc=0) for x in one.T]
        logs = [
            sum(stats.gamma(*shape).logpdf(x) for shape, x in zip(shapes, X.T, strict=True)),
            stats.norm(two.mean(axis=0), two.std(axis=0)).logpdf(X).sum(axis=1),
            stats.multivariate_normal(three.mean(axis=0), np.cov(three.T, bias=True)).logpdf(X),
        ]
        expected = by_hand(logs, [0.5, 0.2, 0.3])
        np.testing.assert_allclose(
            model.predict_log_proba(X), expected, rtol=1e-5, atol=1e-5
        )  # scipy's optimizer
        assert model.n_parameters_ == 4 * 2 + 4 * 2 + 14

    def test_the_score_is_the_density_whatever_the_class(self):
        model = BayesClassifier().fit(X, Y)
        joint = np.column_stack([d.log_prob(X) for d in model.conditionals_]) + np.log(1 / 3)
        np.testing.assert_allclose(model.score_samples(X), logsumexp(joint, axis=1), rtol=1e-12)

    @pytest.mark.parametrize(("columns", "whole", "naive"), [(2, 5, 4), (10, 65, 20)])
    def test_parameters_of_a_class(self, columns, whole, naive):
        """FCML §5.2.1.5: 45 fewer for ten columns."""
        table, labels = rng.standard_normal((60, columns)), np.repeat([0, 1], 30)
        assert BayesClassifier().fit(table, labels).n_parameters_ == 2 * whole
        assert BayesClassifier(Normal).fit(table, labels).n_parameters_ == 2 * naive


class TestKnownDensities:
    """Lecture 3: male or female, from the height alone; only the priors are learned."""

    def test_nothing_but_the_priors_is_learned(self):
        model = BayesClassifier(HEIGHTS).fit([[150.0], [160.0], [170.0], [9.0]], ["female"] * 3 + ["male"])
        at = np.linspace(140, 200, 31)[:, None]
        expected = by_hand(
            [stats.norm(165, 7).logpdf(at[:, 0]), stats.norm(178, 7).logpdf(at[:, 0])], [0.75, 0.25]
        )
        np.testing.assert_allclose(model.predict_log_proba(at), expected, rtol=1e-10, atol=1e-10)
        assert model.n_parameters_ == 0
        assert model.conditionals_ == (Normal(165, 7), Normal(178, 7))

    def test_the_odds_change_sign_at_the_boundary(self):
        model = BayesClassifier(HEIGHTS, priors="uniform").fit([[1.0], [2.0]], ["male", "female"])
        (at,) = decision.boundary(Normal(178, 7), Normal(165, 7))
        below, tie, above = model.log_odds([[at - 1], [at], [at + 1]], "male", "female")
        assert below < 0 < above
        assert tie == pytest.approx(0, abs=1e-9)

    def test_independent_columns_and_whole_rows(self):
        product = Normal([1.0, 2.0], [0.5, 3.0])
        rows = MultivariateNormal([1.0, 2.0], np.diag([0.25, 9.0]))
        model = BayesClassifier({0: product, 1: rows}, priors="uniform").fit([[0.0, 0.0], [1.0, 1.0]], [0, 1])
        np.testing.assert_allclose(model.predict_proba(rng.normal(1, 3, (9, 2))), 0.5, rtol=1e-12)

    @pytest.mark.parametrize(
        "wrong", [Normal(0, 1), Normal([0, 0, 0], [1, 1, 1]), MultivariateNormal([0], [[1]])]
    )
    def test_as_many_columns_as_the_table(self, wrong):
        with pytest.raises(ValueError, match=r"density of class 1 describes [13] columns; X has 2"):
            BayesClassifier({0: Normal, 1: wrong}).fit([[0.0, 1.0], [2.0, 5.0], [1.0, 1.0]], [0, 0, 1])


class TestDiscrete:
    def test_counts(self):
        x = np.r_[rng.poisson(2.0, 40), rng.poisson(7.0, 60)]
        y = np.repeat([False, True], [40, 60])
        model, at = BayesClassifier(Poisson).fit(x[:, None], y), np.arange(15)
        expected = by_hand(
            [stats.poisson(x[~y].mean()).logpmf(at), stats.poisson(x[y].mean()).logpmf(at)], [0.4, 0.6]
        )
        np.testing.assert_allclose(model.predict_log_proba(at[:, None]), expected, rtol=1e-10, atol=1e-10)

    def test_flags(self):
        x, y = np.array([[0], [1], [1], [1], [0], [0], [0], [1]]), [0] * 4 + [1] * 4
        model = BayesClassifier(Bernoulli).fit(x, y)
        np.testing.assert_allclose(model.predict_proba([[1]]), [[0.75, 0.25]], rtol=1e-12)

    def test_categories_unseen_in_one_class_or_in_all(self):
        x, y = np.array([[1], [1], [2], [2], [3], [3]]), ["a"] * 3 + ["b"] * 3
        model = BayesClassifier(Categorical).fit(x, y)
        np.testing.assert_allclose(
            model.predict_proba([[1], [2], [3]]), [[1, 0], [0.5, 0.5], [0, 1]], rtol=1e-12
        )
        with pytest.warns(NoInformation, match="Row 1 has probability zero in every class"):
            np.testing.assert_allclose(model.predict_proba([[1], [9]])[1], [0.5, 0.5], rtol=1e-12)

    def test_a_category_first_seen_in_a_later_piece(self):
        x, y = rng.integers(0, 6, 80)[:, None], rng.integers(0, 2, 80)
        order = np.argsort(x[:, 0], kind="stable")
        model = BayesClassifier(Categorical)
        for part in np.array_split(order, 4):
            model.partial_fit(x[part], y[part])
        whole = BayesClassifier(Categorical).fit(x, y)
        np.testing.assert_allclose(model.predict_proba(x), whole.predict_proba(x), rtol=1e-12)


# -- claims -----------------------------------------------------------------------------------------------
class TestFarAway:
    """FCML §5.2.1: away from all rows the posterior does not become uncertain."""

    def test_the_broadest_class_takes_everything(self):
        wide, narrow = rng.normal(0, 3, (60, 2)), rng.normal([1, 1], 0.5, (60, 2))
        model = BayesClassifier().fit(np.vstack([wide, narrow]), np.repeat(["wide", "narrow"], 60))
        angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        far = 100 * np.column_stack([np.cos(angle), np.sin(angle)])
        assert np.all(model.predict(far) == "wide")
        assert model.predict_proba(far)[:, 1].min() > 1 - 1e-12
        assert model.predict_proba(1.5 * far)[:, 1].min() >= model.predict_proba(far)[:, 1].min()

    def test_the_density_says_what_the_posterior_does_not(self):
        model = BayesClassifier().fit(X, Y)
        assert model.score_samples(X + 50).max() < model.score_samples(X).min() - 1000

    def test_even_with_equal_covariances(self):
        """The odds are linear, so they grow without bound towards the side of each class."""
        shape = MultivariateNormal([0.0, 0.0], np.eye(2)), MultivariateNormal([1.0, 0.0], np.eye(2))
        model = BayesClassifier(dict(enumerate(shape)), priors="uniform").fit(
            [[0.0, 0.0], [1.0, 0.0]], [0, 1]
        )
        steps = np.diff(model.log_odds(np.column_stack([np.arange(0, 50, 10), np.zeros(5)])))
        np.testing.assert_allclose(steps, 10.0, rtol=1e-9)


def test_wrong_densities_may_decide_well():
    """FCML §5.2.1.5: independent columns fit correlated rows badly, and still decide alike for most of them."""
    shapes = [[[1.6, 1.1], [1.1, 1.4]], [[1.8, -1.2], [-1.2, 1.6]], [[1.0, 0.4], [0.4, 2.2]]]
    means = [[2.6, 1.2], [1.2, -2.6], [-2.2, 1.0]]
    draws = np.random.default_rng(8)
    rows = np.concatenate([draws.multivariate_normal(m, s, 400) for m, s in zip(means, shapes, strict=True)])
    y = np.repeat([1, 2, 3], 400)
    full, naive = BayesClassifier().fit(rows, y), BayesClassifier(Normal).fit(rows, y)
    assert np.mean(full.score_samples(rows) - naive.score_samples(rows)) > 0.1  # nats per row
    assert np.mean(full.predict(rows) == naive.predict(rows)) > 0.93
    assert naive.score(rows, y) > full.score(rows, y) - 0.03


def test_a_larger_prior_never_loses_a_row():
    """FCML §5.2.1.2: a prior biases towards a class, or makes sure that a rare one is found."""
    found = []
    for share in (0.01, 0.1, 0.5, 0.9, 0.99):
        model = BayesClassifier(priors=[(1 - share) / 2, share, (1 - share) / 2]).fit(X, Y)
        found.append(set(np.flatnonzero(model.predict(X) == "versicolor")))
    assert all(a <= b for a, b in pairwise(found))
    assert len(found[0]) < len(found[-1])


# -- decisions --------------------------------------------------------------------------------------------
class TestDecisions:
    MODEL = BayesClassifier().fit(X, Y)

    def test_rejected_rows_are_those_in_doubt(self):
        chosen = decision.with_reject(self.MODEL.predict_dist(X), 0.99)
        sure = self.MODEL.predict_proba(X).max(axis=1) >= 0.99
        assert np.array_equal([c is not None for c in chosen], sure)
        assert np.array_equal(chosen[sure], self.MODEL.predict(X)[sure])
        assert np.mean(chosen[sure] == Y[sure]) >= np.mean(self.MODEL.predict(X) == Y)

    def test_costly_mistakes_are_made_less_often(self):
        cost = np.ones((3, 3)) - np.eye(3)
        cost[1, 2] = 50  # to take versicolor for virginica
        chosen = decision.minimum_risk(self.MODEL.predict_proba(X), cost)
        plain = np.searchsorted(self.MODEL.classes_, self.MODEL.predict(X))
        assert np.sum((chosen == 2) & (CODES == 1)) <= np.sum((plain == 2) & (CODES == 1))
        assert np.sum(chosen == 2) < np.sum(plain == 2)

    def test_odds_of_several_classes(self):
        logs = self.MODEL.predict_log_proba(X[::7])
        odds = self.MODEL.log_odds(X[::7], "virginica", "setosa")
        np.testing.assert_allclose(odds, logs[:, 2] - logs[:, 0], rtol=1e-12)
        against = self.MODEL.log_odds(X[::7], "virginica")
        np.testing.assert_allclose(against, logs[:, 2] - np.logaddexp(logs[:, 0], logs[:, 1]), rtol=1e-12)

    def test_the_second_of_two_classes_is_meant(self):
        two = Y != "setosa"
        model, plain = BayesClassifier().fit(X[two], Y[two]), PlainQuadratic().fit(X[two], Y[two])
        np.testing.assert_allclose(model.log_odds(X), plain.decision_function(X), rtol=1e-8, atol=1e-8)
        assert np.array_equal(model.log_odds(X[two]) > 0, model.predict(X[two]) == "virginica")

    def test_which_class(self):
        with pytest.raises(ValueError, match="Name the class whose odds are asked for; there are"):
            self.MODEL.log_odds(X)
        with pytest.raises(ValueError, match="Unknown class 'rose'"):
            self.MODEL.log_odds(X, "rose")

    def test_two_impossible_classes_have_no_odds(self):
        model = BayesClassifier(Uniform).fit([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0, 0, 1, 1, 2, 2])
        assert np.isnan(model.log_odds([[4.5]], 0, 1)[0])
        assert model.log_odds([[4.5]], 2, 1)[0] == np.inf


# -- statistics -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("density", ADDING.values(), ids=ADDING)
class TestSums:
    def model(self, density):
        return BayesClassifier(density, priors="uniform")

    def same(self, a, b):
        np.testing.assert_allclose(a.predict_log_proba(X), b.predict_log_proba(X), rtol=1e-9, atol=1e-9)

    def test_pieces_parts_and_weights(self, density):
        whole, pieces = self.model(density).fit(X, Y, COUNTS + 1), self.model(density)
        for part in np.array_split(rng.permutation(len(X)), 3):
            pieces.partial_fit(X[part], Y[part], sample_weight=COUNTS[part] + 1)
        self.same(pieces, whole)
        halves = [self.model(density).fit(X[i::2], Y[i::2], COUNTS[i::2] + 1) for i in range(2)]
        self.same(suffice.merge(halves), whole)
        again = np.repeat(np.arange(len(X)), (COUNTS + 1).astype(int))
        self.same(self.model(density).fit(X[again], Y[again]), whole)

    def test_validation_without_refitting(self, density):
        fast = cross_validate(
            self.model(density), X, Y, cv=KFold(5, shuffle=True, random_state=0), loss="log"
        )
        assert fast.how == "statistics"
        for (train, test), loss in zip(
            KFold(5, shuffle=True, random_state=0).split(X), fast.fold_losses, strict=True
        ):
            slow = self.model(density).fit(X[train], Y[train]).predict_dist(X[test])
            assert loss == pytest.approx(-np.mean(slow.log_prob(Y[test])), rel=1e-9)

    def test_files(self, density, tmp_path):
        model = self.model(density).fit(X, Y)
        suffice.save(model, tmp_path / "model.suffice")
        again = suffice.load(tmp_path / "model.suffice")
        assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
        assert again.density == density
        self.same(again.partial_fit(X, Y), self.model(density).fit(np.vstack([X, X]), np.append(Y, Y)))

    def test_sources(self, density, tmp_path):
        import pandas

        table = pandas.DataFrame(X, columns=list("abcd")).assign(kind=Y)
        table.to_parquet(tmp_path / "iris.parquet")
        names = table[list("abcd")]
        expected = self.model(density).fit(names, Y).predict_proba(names)
        batches = [table[i : i + 37] for i in range(0, len(table), 37)]
        for source in (str(tmp_path / "iris.parquet"), iter(batches)):
            model = engine.fit(self.model(density), source, "kind")
            np.testing.assert_allclose(model.predict_proba(names), expected, rtol=1e-9, atol=1e-12)


def test_rows_taken_out():
    for density in (MultivariateNormal, Normal):
        rest = suffice.forget(BayesClassifier(density).fit(X, Y), X[::3], Y[::3])
        kept = np.arange(len(X)) % 3 != 0
        direct = BayesClassifier(density).fit(X[kept], Y[kept])
        np.testing.assert_allclose(
            rest.predict_log_proba(X), direct.predict_log_proba(X), rtol=1e-8, atol=1e-8
        )
    with pytest.raises(Unsupported, match="Statistics of Gamma add, but rows cannot be taken out"):
        suffice.forget(BayesClassifier(Gamma).fit(X, Y), X[:3], Y[:3])


def test_one_row_left_out_is_a_refit():
    model = BayesClassifier(priors=[0.2, 0.3, 0.5])
    quick = model.heldout(X, Y, LeaveOneOut().split(X))
    for i in range(0, len(X), 13):
        kept = np.arange(len(X)) != i
        slow = BayesClassifier(priors=[0.2, 0.3, 0.5]).fit(X[kept], Y[kept]).predict_log_proba(X[i : i + 1])
        np.testing.assert_allclose(quick.log_probabilities[i], slow[0], rtol=1e-8, atol=1e-8)
    with pytest.raises(Unsupported, match="no closed form here: only normal densities of whole rows"):
        BayesClassifier(Gamma).heldout(X, Y, LeaveOneOut().split(X))


def test_statistics_of_different_families_do_not_mix():
    keys = {BayesClassifier(d).statistics_key for d in (*ADDING.values(), {"a": Normal}, {"b": Normal})}
    assert len(keys) == len(ADDING) + 2
    a, b = (BayesClassifier(d).fit(X, Y).statistics_ for d in (Gamma, InverseGamma))
    with pytest.raises(ValueError, match="Cannot combine statistics of Gamma with those of InverseGamma"):
        a + b


def test_a_class_that_is_listed_but_has_no_rows():
    model = BayesClassifier({"a": Normal, "b": Gamma, "c": Normal})
    model.partial_fit([[1.0], [2.0], [5.0], [6.0]], list("aacc"), classes=list("abc"))
    assert np.all(model.predict_proba([[1.5]])[:, 1] == 0)
    model.partial_fit([[3.0], [3.5]], list("bb"))
    whole = BayesClassifier(model.density).fit([[1.0], [2.0], [5.0], [6.0], [3.0], [3.5]], list("aaccbb"))
    np.testing.assert_allclose(model.predict_proba([[3.2]]), whole.predict_proba([[3.2]]), rtol=1e-12)


# -- densities fitted to the rows themselves --------------------------------------------------------------
class TestByRows:
    def test_kernels_by_hand(self):
        model = BayesClassifier(KernelDensity(bandwidth=0.4)).fit(X, Y)
        logs = [KernelDensity(bandwidth=0.4).fit(X[c == Y]).score_samples(X) for c in model.classes_]
        np.testing.assert_allclose(
            model.predict_log_proba(X), by_hand(logs, [1 / 3] * 3), rtol=1e-12, atol=1e-12
        )

    @pytest.mark.parametrize("density", BY_ROWS.values(), ids=BY_ROWS)
    def test_what_is_no_sum_says_so(self, density):
        model = BayesClassifier(density).fit(X, Y)
        assert model.score(X, Y) > 0.9
        assert not hasattr(model, "statistics_")
        assert model.why_not_summed(X)
        assert not hasattr(model, "partial_fit")
        with pytest.raises(Unsupported, match="cannot be summed up"):
            model.collect(X, Y)
        with pytest.raises(Unsupported, match="can be neither merged nor divided"):
            suffice.merge([model, model])

    @pytest.mark.parametrize("density", [KernelDensity(bandwidth=0.3), LaplaceDistribution])
    def test_validation_refits(self, density):
        record = cross_validate(BayesClassifier(density), X, Y, cv=KFold(3, shuffle=True, random_state=0))
        assert record.how == "refit"
        folds = KFold(3, shuffle=True, random_state=0).split(X)
        wrong = [np.mean(BayesClassifier(density).fit(X[a], Y[a]).predict(X[b]) != Y[b]) for a, b in folds]
        np.testing.assert_allclose(record.fold_losses, wrong, rtol=1e-12)

    def test_streams_are_refused(self):
        batches = iter([(X[:75], Y[:75]), (X[75:], Y[75:])])
        with pytest.raises(Unsupported, match="KernelDensity is fitted to the rows themselves"):
            engine.fit(BayesClassifier(KernelDensity()), batches)

    @pytest.mark.parametrize("density", [KernelDensity(), Normal], ids=["kernels", "normal"])
    def test_behind_a_scaler(self, density):
        pipe, folds = (
            make_pipeline(StandardScaler(), BayesClassifier(density)),
            KFold(3, shuffle=True, random_state=0),
        )
        record = cross_validate(pipe, X, Y, cv=folds)
        wrong = [np.mean(clone(pipe).fit(X[a], Y[a]).predict(X[b]) != Y[b]) for a, b in folds.split(X)]
        np.testing.assert_allclose(record.fold_losses, wrong, rtol=1e-12)

    def test_one_class_by_rows_is_enough_to_refit(self):
        mixed = {"setosa": Gamma, "versicolor": Gamma, "virginica": LaplaceDistribution}
        assert (
            cross_validate(BayesClassifier(mixed), X, Y, cv=KFold(3, shuffle=True, random_state=0)).how
            == "refit"
        )

    def test_weights_where_the_estimator_takes_them(self):
        kept, again = COUNTS > 0, np.repeat(np.arange(len(X)), COUNTS.astype(int))
        weighted = BayesClassifier(KernelDensity()).fit(X, Y, COUNTS)
        repeated = BayesClassifier(KernelDensity()).fit(X[again], Y[again])
        np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-9)
        BayesClassifier(GaussianMixture()).fit(X, Y, kept.astype(float))  # zero and one leave rows out
        with pytest.raises(Unsupported, match="GaussianMixture takes no sample_weight"):
            BayesClassifier(GaussianMixture()).fit(X, Y, COUNTS)

    def test_foreign_estimators_are_not_saved(self, tmp_path):
        model = BayesClassifier(KernelDensity()).fit(X, Y)
        with pytest.raises(Unsupported, match="KernelDensity is not a value that a model file can hold"):
            suffice.save(model, tmp_path / "model.suffice")
        assert not list(tmp_path.iterdir())
        ours = BayesClassifier(LaplaceDistribution).fit(X, Y)
        suffice.save(ours, tmp_path / "ours.suffice")
        assert np.array_equal(suffice.load(tmp_path / "ours.suffice").predict_proba(X), ours.predict_proba(X))

    def test_a_refit_from_statistics_forgets_the_rows(self):
        model = BayesClassifier(Normal).fit(X, Y)
        assert hasattr(model, "statistics_")
        assert not hasattr(model.set_params(density=KernelDensity()).fit(X, Y), "statistics_")

    def test_parameters_of_the_estimator_can_be_searched(self):
        model = BayesClassifier(KernelDensity()).set_params(density__bandwidth=0.2)
        assert model.density.bandwidth == 0.2
        assert make_pipeline(StandardScaler(), model).fit(X, Y).score(X, Y) > 0.95

    def test_bins_are_placed_by_the_rows(self):
        assert "Histogram" in BayesClassifier(Histogram).why_not_summed(X)

    def test_the_number_of_parameters_is_not_known(self):
        with pytest.raises(Unsupported, match="KernelDensity does not say how many parameters"):
            _ = BayesClassifier(KernelDensity()).fit(X, Y).n_parameters_


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::suffice._core.errors.NoInformation")
@pytest.mark.parametrize(
    "estimator", [BayesClassifier(KernelDensity()), BayesClassifier(LaplaceDistribution)], ids=str
)
def test_scikit_learn_with_rows(estimator):
    assert_accepted(estimator)


# -- files ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "node",
    [
        {"class": "os.system"},
        {"class": "linear.Ridge"},
        {"class": "distributions.Nothing"},
        {"class": "distributions.Normal", "more": 1},
        {"pairs": [[1]]},
        {"pairs": [[{"tuple": []}, 1]]},
        {"pairs": [1, 2]},
    ],
    ids=str,
)
def test_files_name_no_class_outside_the_list(node):
    with pytest.raises(UnsafeFile, match="not on the list|not understood"):
        decode(node, np.zeros, MODEL)


def test_classes_and_keys_of_any_kind_survive_a_file():
    tree = {1: Normal, 2.5: {"a": Gamma}, "x": None, False: Poisson}
    assert build(decode(encode(tree, [], MODEL), np.zeros, MODEL), MemoryBudget(0), MODEL) == tree


# -- drawing ----------------------------------------------------------------------------------------------
class TestSample:
    @pytest.mark.parametrize(
        "density", [MultivariateNormal, Normal, KernelDensity(bandwidth=0.1), GaussianMixture()]
    )
    def test_draws_have_the_moments_of_the_class(self, density):
        model = BayesClassifier(density).fit(X, Y)
        drawn, rows = model.sample("virginica", 4000, 0), X[Y == "virginica"]
        error = rows.std(axis=0) / np.sqrt(4000)
        assert np.all(np.abs(drawn.mean(axis=0) - rows.mean(axis=0)) < 5 * error)
        np.testing.assert_allclose(
            drawn.std(axis=0), rows.std(axis=0), rtol=0.12
        )  # kernels widen it by 0.01 / var
        np.testing.assert_array_equal(model.sample("virginica", 5, 7), model.sample("virginica", 5, 7))

    def test_known_and_counted(self):
        known = BayesClassifier({0: Normal([1.0, 2.0], [1.0, 1.0]), 1: Poisson}).fit(
            [[1, 1], [2, 3], [4, 5]], [0, 1, 1]
        )
        assert known.sample(0, 3, 0).shape == known.sample(1, 3, 0).shape == (3, 2)

    def test_what_cannot_draw(self):
        class Flat:
            def fit(self, X):
                return self

            def score_samples(self, X):
                return np.zeros(len(X))

            def get_params(self, deep=True):
                return {}

        with pytest.raises(Unsupported, match="Flat has no sample"):
            BayesClassifier(Flat()).fit(X, Y).sample("setosa", 2, 0)


# -- bad input --------------------------------------------------------------------------------------------
class TestBadInput:
    @pytest.mark.parametrize("density", [MultivariateNormal, Normal])
    @pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")
    @pytest.mark.parametrize(
        "table",
        [
            np.ones((150, 2)),
            np.column_stack([X, np.full(150, 1e9)]),
            np.column_stack([X, np.where(CODES == 0, 3.0, X[:, 0])]),
            np.column_stack([X, X]),
            np.column_stack([X, CODES]),
            rng.standard_normal((150, 80)),
        ],
        ids=["constant", "with a constant", "constant in a class", "twice", "constant in each", "wide"],
    )
    def test_degenerate_tables_have_finite_densities(self, density, table):
        model = BayesClassifier(density).fit(table, Y)
        assert np.isfinite(model.predict_joint_log_proba(table)).all()
        if table.shape[1] not in (2, 80):
            assert model.score(table, Y) > 0.9

    @pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")  # of the other classes
    def test_singular_classes_are_named(self):
        with pytest.warns(RankDeficient, match=r"In class 'setosa', of weight 50, the columns \['x.'\]"):
            twice = BayesClassifier().fit(np.column_stack([X, X[:, 0]]), Y)
        alone = BayesClassifier().fit(X, Y)
        assert np.mean(twice.predict(np.column_stack([X, X[:, 0]])) == alone.predict(X)) > 0.97

    def test_a_constant_column_changes_nothing(self):
        alone = BayesClassifier(Normal).fit(X, Y).predict_log_proba(X)
        padded = np.column_stack([X, np.full(150, 7.0)])
        again = BayesClassifier(Normal).fit(padded, Y).predict_log_proba(padded)
        np.testing.assert_allclose(again, alone, rtol=1e-9, atol=1e-9)

    @pytest.mark.parametrize(
        ("density", "scales"),
        [(MultivariateNormal, (1e-100, 1e100)), (Normal, (1e-200, 1e200))],
        ids=["rows", "columns"],
    )
    def test_units_do_not_matter(self, density, scales):
        expected = BayesClassifier(density).fit(X, Y).predict_log_proba(X)
        for scale in scales:
            scaled = BayesClassifier(density).fit(X * scale, Y).predict_log_proba(X * scale)
            np.testing.assert_allclose(scaled, expected, rtol=1e-7, atol=1e-7)

    def test_squares_that_do_not_exist(self):
        for scale, word in ((1e-200, "vanish"), (1e200, "overflow")):
            with pytest.raises(ValueError, match=f"'x0' has deviations of the order .* whose squares {word}"):
                BayesClassifier().fit(X * scale, Y)

    def test_impossible_in_one_column_is_impossible(self):
        """Also where another column hits a point mass, whose density is infinite."""
        model = BayesClassifier(Uniform).fit([[0, 1], [0, 3], [5, 0], [6, 9]], [0, 0, 1, 1])
        joint = model.predict_joint_log_proba([[0, 7], [0, 2], [5.5, 4]])
        assert np.array_equal(joint[:, 0], [-np.inf, np.inf, -np.inf])
        np.testing.assert_allclose(model.predict_proba([[0, 2], [5.5, 4]]), [[1, 0], [0, 1]], rtol=1e-12)

    def test_one_class_and_one_row(self):
        assert np.all(BayesClassifier(Normal).fit(X, ["a"] * 150).predict_proba(X) == 1)
        table, labels = np.vstack([X, X[:1] + 9]), np.append(Y, "single")
        assert BayesClassifier(Normal).fit(table, labels).predict(table[-1:])[0] == "single"

    def test_values_outside_the_family_name_class_and_column(self):
        with pytest.raises(
            ValueError, match=r"Class 'setosa' is to have the density Beta: column 'x0': .*got"
        ):
            BayesClassifier(Beta).fit(X, Y)
        with pytest.raises(ValueError, match=r"Class 0 is to have the density Poisson: column 'x1'"):
            BayesClassifier(Poisson).fit([[1, 0.5], [2, 1.5]], [0, 0])

    def test_a_class_without_an_entry(self):
        with pytest.raises(ValueError, match=r"density must have an entry for class 'virginica'; it lists"):
            BayesClassifier({"setosa": Normal, "versicolor": Normal}).fit(X, Y)

    def test_missing_and_infinite_cells(self):
        for value, word in ((np.nan, "NaN"), (np.inf, "inf")):
            holes = X.copy()
            holes[5, 2] = value
            for density in (Gamma, KernelDensity()):
                with pytest.raises(ValueError, match=f"X contains {word} at row 5, column 'x2'"):
                    BayesClassifier(density).fit(holes, Y)

    def test_ten_thousand_columns_do_not_underflow(self):
        table = rng.standard_normal((40, 10_000)) + np.repeat([0, 0.2], 20)[:, None]
        model = BayesClassifier(Normal).fit(table, np.repeat([0, 1], 20))
        logs = model.predict_log_proba(table)
        assert np.isfinite(logs).all()
        assert np.array_equal(model.predict(table), np.repeat([0, 1], 20))

    def test_labels_of_any_kind_key_the_dict(self):
        for labels in ([0, 1], [True, False], [2.0, 3.0], ["x", "y"]):
            y = np.repeat(labels, 3)
            model = BayesClassifier(dict.fromkeys(labels, Normal)).fit(np.arange(6.0)[:, None], y)
            assert np.array_equal(model.predict(np.arange(6.0)[:, None]), y)
