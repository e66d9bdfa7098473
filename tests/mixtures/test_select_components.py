"""Choosing the number of components equals fitting every candidate by hand, and says when a start decided."""

import re
import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture as TheirGaussianMixture
from sklearn.model_selection import KFold, ShuffleSplit

from suffice._core.errors import AtBound, FitFailed, NotConverged
from suffice.engine import threads
from suffice.mixtures import GaussianMixture, GibbsGaussianMixture, PoissonMixture
from suffice.mixtures._selection.candidates import MixtureCandidate
from suffice.mixtures._selection.optima import Optima, hanging
from suffice.mixtures.select_components import OptimaDisagree, select_components

rng = np.random.default_rng(0)
X = np.vstack([rng.normal(m, 1, (30, 2)) for m in ([0, 0], [7, 0], [3, 6])])[rng.permutation(90)]
GAPS = np.where(rng.random(X.shape) < 0.15, np.nan, X)
GAPS[np.isnan(GAPS).all(axis=1)] = 0.0
COUNTS = rng.integers(0, 4, 90)
MODEL = GaussianMixture(reg_covar=1e-3)


def quietly(*args, **options):
    with warnings.catch_warnings(action="ignore"):
        return select_components(*args, **options)


def by_hand(k, shape="full", seed=3, n_init=5):
    return clone(MODEL).set_params(n_components=k, covariance_type=shape, n_init=n_init, random_state=seed)


@pytest.fixture(scope="module")
def folded():
    """One search with folds for all tests that look at one."""
    return quietly(MODEL, X, range(1, 6), cv=4, random_state=0)


class TestByHand:
    @pytest.mark.parametrize("criterion, weight", [("bic", None), ("icl", COUNTS)])
    def test_criteria_are_those_of_every_fit(self, criterion, weight):
        found = quietly(
            MODEL,
            GAPS,
            [1, 3],
            criterion=criterion,
            covariance_types=["full", "diag"],
            sample_weight=weight,
            random_state=3,
        )
        for i, (shape, k) in enumerate([("full", 1), ("full", 3), ("diag", 1), ("diag", 3)]):
            fit = by_hand(k, shape).fit(GAPS, sample_weight=weight)
            np.testing.assert_allclose(found.values[i], getattr(fit, criterion)(GAPS, weight), rtol=1e-12)
            logs = fit.score_samples(GAPS)
            likelihood = logs.sum() if weight is None else weight @ logs
            np.testing.assert_allclose(found.log_likelihoods[i], likelihood, rtol=1e-12)
            np.testing.assert_array_equal(found.optima.restarts[i], fit.restarts_)
            assert found.n_parameters[i] == fit.n_parameters_
            assert found.candidates[i] == MixtureCandidate(k, shape)
        assert found.best_index == int(np.argmin(found.values))

    def test_icl_is_bic_and_twice_the_entropy_of_the_shares(self):
        bic = select_components(MODEL, X, [3], criterion="bic", random_state=0)
        icl = select_components(MODEL, X, [3], criterion="icl", random_state=0)
        shares = bic.best_model.predict_proba(X)
        entropy = -np.sum(shares * np.log(np.maximum(shares, 1e-300)))
        np.testing.assert_allclose(icl.values - bic.values, 2 * entropy, rtol=1e-9)

    @pytest.mark.parametrize("weight", [None, COUNTS])
    def test_held_out_likelihood_is_that_of_every_fold(self, weight):
        found = quietly(MODEL, GAPS, [1, 3], cv=3, n_init=2, sample_weight=weight, random_state=3)
        w = np.ones(90) if weight is None else weight
        rows = np.flatnonzero(w)
        for i, k in enumerate((1, 3)):
            logs, means = np.zeros(90), []
            for a, b in KFold(3, shuffle=True, random_state=3).split(rows):
                train, test = rows[a], rows[b]
                fit = by_hand(k, n_init=2).fit(GAPS[train], sample_weight=w[train])
                logs[test] = fit.score_samples(GAPS[test])
                means.append(np.average(logs[test], weights=w[test]))
            mean = np.average(logs, weights=w)
            error = np.repeat(logs, w.astype(int)).std(ddof=1) / np.sqrt(w.sum())
            np.testing.assert_allclose(found.values[i], mean, rtol=1e-9)
            np.testing.assert_allclose(found.std_errors[i], error, rtol=1e-9)
            np.testing.assert_allclose(found.fold_values[i], means, rtol=1e-9)
            np.testing.assert_allclose(found.fold_std[i], np.std(means, ddof=1), rtol=1e-9)

    def test_rows_tested_twice_count_once(self):
        """Twice the same folds change no value and no standard error."""
        folds = list(KFold(2, shuffle=True, random_state=0).split(X))
        once = quietly(MODEL, X, [2, 3], cv=folds, n_init=1, random_state=0)
        twice = quietly(MODEL, X, [2, 3], cv=folds + folds, n_init=1, random_state=0)
        np.testing.assert_allclose(once.values, twice.values, rtol=1e-12)
        np.testing.assert_allclose(once.std_errors, twice.std_errors, rtol=1e-12)

    def test_scikit_learns_bic_from_the_same_start(self):
        start = {
            "weights_init": np.full(3, 1 / 3),
            "means_init": [[0.0, 1.0], [6.0, 0.0], [2.0, 5.0]],
            "precisions_init": np.tile(np.eye(2), (3, 1, 1)),
        }
        start |= {"tol": 1e-12, "max_iter": 500}  # both to the end, for they stop one step apart
        found = select_components(GaussianMixture(**start), X, [3], criterion="bic")
        theirs = TheirGaussianMixture(3, **start).fit(X)
        np.testing.assert_allclose(found.values[0], theirs.bic(X), rtol=1e-12)

    def test_the_best_model_is_fitted_to_all_rows(self, folded):
        assert folded.best == MixtureCandidate(3, "full")
        np.testing.assert_array_equal(folded.best_model.means_, by_hand(3, seed=0).fit(X).means_)

    @pytest.mark.parametrize("weight", [None, COUNTS])
    def test_bic_is_that_of_the_likelihood_beside_it_whatever_the_fit_climbs(self, weight):
        """Hard shares climb the classification likelihood, and a prior the posterior."""
        near = X - 0.6 * np.array([[0, 0], [7, 0], [3, 6]])[by_hand(3).fit_predict(X)]  # they overlap
        n = 90 if weight is None else weight.sum()
        for change in ({"hard": True}, {"weights_prior": 5.0}):
            model, options = clone(MODEL).set_params(**change), {"criterion": "bic", "n_init": 2}
            table = quietly(model, near, [1, 3], sample_weight=weight, random_state=0, **options).frame()
            bic = -2 * table["log_likelihood"] + np.log(n) * table["n_parameters"]
            np.testing.assert_allclose(table["bic"], bic, rtol=1e-12)

    def test_rows_of_weight_zero_are_not_looked_at(self):
        counts, weight = np.random.default_rng(1).poisson(3.0, (20, 2)), np.repeat([1.0, 0.0], [15, 5])
        counts[15:] = -1
        found = quietly(PoissonMixture(), counts, [1], cv=2, sample_weight=weight, n_init=1, random_state=0)
        alone = quietly(PoissonMixture(), counts[:15], [1], cv=2, n_init=1, random_state=0)
        np.testing.assert_allclose(found.log_likelihoods, alone.log_likelihoods, rtol=1e-12)


class TestClaims:
    def test_training_likelihood_grows_and_held_out_likelihood_does_not(self, folded):
        """FCML §6.3.6, with starts enough to find the hills."""
        assert np.all(np.diff(folded.log_likelihoods) > 0)
        assert folded.values[4] < folded.values[2] - 0.05
        assert folded.one_standard_error.n_components == folded.best.n_components == 3

    def test_icl_does_not_count_overlapping_components(self):
        """A skewed cloud is two normals for BIC and one cluster for ICL."""
        draw = np.random.default_rng(1)
        skewed = np.concatenate([draw.normal(0, 1, 300), draw.normal(2.0, 2.5, 300)])[:, None]
        by = {
            c: quietly(GaussianMixture(), skewed, [1, 2], criterion=c, random_state=0) for c in ("bic", "icl")
        }
        assert by["bic"].best.n_components == 2
        assert by["icl"].best.n_components == 1

    def test_the_fewest_components_within_one_standard_error(self, folded):
        found = replace(folded, std_errors=np.full(5, folded.values[2] - folded.values[1] + 1e-9))
        i = found.best_index
        within = [
            c.n_components
            for c, v in zip(found.candidates, found.values, strict=True)
            if v >= found.values[i] - found.std_errors[i]
        ]
        assert found.one_standard_error.n_components == min(within) == 2

    def test_starts_do_not_depend_on_the_number_of_threads(self):
        options = {"criterion": "bic", "n_init": 2, "random_state": 5}
        b = quietly(MODEL, X, [2, 4], **options)
        with threads(1):
            a = quietly(MODEL, X, [2, 4], **options)
        np.testing.assert_array_equal(a.optima.restarts, b.optima.restarts)


class TestStarts:
    def test_hills_are_told_apart_by_gaps(self):
        optima = Optima.of([np.array([-3.0, -3.004, -3.5, -3.001]), np.array([-1.0])], 0.01)
        assert optima.distinct.tolist() == [2, 1]
        assert optima.found_by.tolist() == [3, 1]
        assert optima.best.tolist() == [0, 0]
        assert [optima.lone(0), optima.lone(1)] == [False, False]
        np.testing.assert_allclose(optima.luck(0), 0.0025, rtol=1e-9)

    def test_a_lone_start_of_the_best_is_said(self):
        candidates = (MixtureCandidate(2), MixtureCandidate(3))
        optima = Optima.of([np.array([-3.0, -3.0, -3.0]), np.array([-2.0, -2.5, -2.4])], 0.01)
        (told,) = hanging(candidates, np.array([700.0, 500.0]), optima, 1, 100.0, "bic")
        assert told == "K=3: 1 of 3 starts found its highest likelihood, the next ended 0.4 per row lower"

    def test_a_middle_start_that_loses_is_said(self):
        optima = Optima.of([np.full(5, -3.0), np.array([-2.0, -2.0, -2.5, -2.5, -2.5])], 0.01)
        for values, told in (([560.0, 500.0], 1), ([700.0, 500.0], 0)):
            said = hanging(
                (MixtureCandidate(2), MixtureCandidate(3)), np.array(values), optima, 1, 100.0, "bic"
            )
            assert len(said) == told  # 0.3 per row ahead of K=2, or 1.0, and 0.5 by luck

    def test_a_loser_that_luck_could_make_the_best_is_said(self):
        optima = Optima.of([np.full(3, -2.0), np.array([-1.9, -2.5, -2.5])], 0.01)
        candidates, near, far = (
            (MixtureCandidate(2), MixtureCandidate(3)),
            np.array([500.0, 510.0]),
            np.array([500.0, 900.0]),
        )
        assert "would be the best with as much luck" in hanging(candidates, near, optima, 0, 100.0, "bic")[0]
        assert hanging(candidates, far, optima, 0, 100.0, "bic") == []

    def test_one_start_in_many_is_warned_of(self):
        """Two flat groups and three starts at random, of which one finds them."""
        draw = np.random.default_rng(0)
        Z = np.column_stack(
            [draw.normal(0, 6, 120), np.repeat([-1.5, 1.5], 60) + 0.3 * draw.standard_normal(120)]
        )
        model = GaussianMixture(init_params="random_from_data", tol=1e-4, max_iter=500)
        seeds = {}
        for seed in (0, 2, 3, 4):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found = select_components(model, Z, [2, 3], criterion="bic", n_init=3, random_state=seed)
            hit = [w for w in caught if issubclass(w.category, OptimaDisagree)]
            seeds[seed] = (bool(hit), found.optima.lone(found.best_index))
            if hit:
                assert issubclass(hit[0].category, NotConverged)
                assert issubclass(hit[0].category, ConvergenceWarning)
                assert re.search(r"The choice hangs on the start.*Raise n_init=3", str(hit[0].message))
        assert [said for said, lone in seeds.values() if lone] == [True, True]
        assert {said for said, _ in seeds.values()} == {True, False}

    def test_a_lead_below_the_tolerance_is_noted(self):
        optima = Optima.of([np.full(3, -3.0), np.full(3, -2.999)], 0.01)
        (told,) = hanging(
            (MixtureCandidate(2), MixtureCandidate(3)), np.array([500.5, 500.0]), optima, 1, 100.0, "bic"
        )
        assert "lower tol" in told


class TestNotes:
    def test_collapses_are_notes_and_one_warning_if_the_best_does(self):
        Z = np.vstack([X, np.repeat([[20.0, 20.0]], 5, axis=0)])
        with pytest.warns(
            AtBound, match=r"The best candidate, K=4 \(full\): reg_covar=1e-06 makes up most"
        ) as caught:
            found = select_components(GaussianMixture(), Z, [4, 5], criterion="bic", random_state=0)
        assert sum(issubclass(w.category, AtBound) for w in caught) == 1
        assert any(note.startswith("K=4 (full): reg_covar=1e-06 makes up most") for note in found.notes)

    def test_what_has_collapsed_is_not_chosen_where_something_has_not(self):
        Z = np.vstack([X, np.repeat([[20.0, 20.0]], 5, axis=0)])
        found = select_components(GaussianMixture(), Z, [1, 4], criterion="bic", random_state=0)
        assert found.best.n_components == 1
        assert found.values[1] < found.values[0]  # the likelihood of a component on equal rows has no limit
        assert any(note.startswith("K=4 (full): reg_covar=1e-06 makes up most") for note in found.notes)

    def test_too_many_components_are_left_out(self):
        with pytest.warns(FitFailed, match=r"K=9 \(full\) failed: Expected n_samples >= n_components"):
            found = select_components(
                GaussianMixture(reg_covar=0.1), X[:8], [1, 9], criterion="bic", random_state=0
            )
        assert np.isnan(found.values[1])
        assert found.best.n_components == 1
        assert found.optima.best.tolist()[1] == -1
        assert found.frame()["optima"].tolist()[1] == 0

    def test_it_reads(self, folded):
        assert str(folded).startswith("held-out log likelihood per row -")
        assert "at K=3 (full); within one standard error: K=3 (full) (5 candidates, 4 folds, 5 starts" in str(
            folded
        )
        assert folded.frame().shape == (5, 11)
        assert folded._repr_html_().count("<tr>") == 6
        assert quietly(MODEL, X, [1], criterion="bic").table["bic"].shape == (1,)


class TestDoor:
    @pytest.mark.parametrize(
        "options, match",
        [
            ({"components": [0]}, "components must be integers >= 1; got 0"),
            ({"components": 3}, "components must be a list of numbers of components; got 3"),
            ({"components": []}, "must have at least one entry"),
            ({"criterion": "aic"}, "criterion must be one of 'cv', 'bic', 'icl'; got 'aic'"),
            ({"n_init": 0}, "n_init must be integers >= 1; got 0"),
            ({"cv": 1000}, "cv=1000 cannot split these 90 rows"),
            ({"cv": "five"}, "cv must be an integer, a splitter or pairs"),
            ({"cv": [(np.arange(90), np.array([], dtype=int))]}, "Fold 0 of cv has no rows that count"),
            ({"covariance_types": ["round"]}, "round"),
            ({"sample_weight": np.zeros(90)}, "sample_weight is zero for all 90 rows"),
        ],
    )
    def test_what_is_refused(self, options, match):
        with pytest.raises(ValueError, match=match):
            select_components(MODEL, X, **({"components": [1, 2]} | options))

    def test_other_models(self):
        with pytest.raises(TypeError, match=r"got sklearn\.\S*\.GaussianMixture. Give a mixture of suffice"):
            select_components(TheirGaussianMixture(), X)
        with pytest.raises(
            TypeError, match=r"fitted by expectation.*got \S*Gibbs.*n_components_distribution_"
        ):
            select_components(GibbsGaussianMixture(), X)

    def test_a_start_of_one_candidate(self):
        with pytest.raises(ValueError, match="means_init is a start of one candidate alone"):
            select_components(GaussianMixture(means_init=np.zeros((2, 2))), X, [2, 3])

    def test_no_standard_error_without_folds(self):
        with pytest.raises(TypeError, match="BIC has no standard error; use criterion='cv'"):
            _ = quietly(MODEL, X, [1], criterion="bic").one_standard_error

    def test_a_splitter_and_a_frame(self):
        pandas = pytest.importorskip("pandas")
        cv = ShuffleSplit(2, test_size=0.3, random_state=0)
        plain = quietly(MODEL, X, [2], cv=cv, n_init=1, random_state=0)
        table = pandas.DataFrame(X, columns=["a", "b"])
        framed = quietly(MODEL, table, [2], cv=cv, n_init=1, random_state=0)
        np.testing.assert_array_equal(plain.values, framed.values)
        assert framed.best_model.feature_names_in_.tolist() == ["a", "b"]
