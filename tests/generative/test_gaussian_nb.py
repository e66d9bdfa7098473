"""Naive Bayes with normal columns: against scikit-learn, brute force, refits and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_predict
from sklearn.naive_bayes import GaussianNB as Peer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, NoInformation, RankDeficient, Unsupported
from suffice.distributions import NormalGamma
from suffice.evaluation import cross_validate
from suffice.generative import GaussianNB, QuadraticDiscriminantAnalysis

from ..contract.checks.scikit_learn import assert_accepted

rng = np.random.default_rng(3)
N = 90
y = np.array(["a", "b", "c"])[rng.integers(0, 3, N)]
X = rng.standard_normal((N, 4)) * [1.0, 20.0, 0.01, 3.0] + (y == "b")[:, None] * [1.0, 5.0, 0.02, 0.0]
GAPS = np.where(rng.random(X.shape) < 0.2, np.nan, X)
WEIGHT = rng.integers(0, 4, N).astype(float)
PRIOR = NormalGamma(0.5, 2.0, 3.0, 4.0)
SETTINGS = {
    "default": {},
    "smoothed": {"var_smoothing": 0.2},
    "robust": {"unbiased": True, "std_offset": 0.4, "var_smoothing": 0.0},
    "given priors": {"priors": [0.2, 0.3, 0.5]},
}


def by_hand(model, table, labels, weight, x):
    """log p(x, c) of one row, cell by cell, from the definition."""
    w = np.ones(len(labels)) if weight is None else weight
    kept = w > 0
    table, labels, w = table[kept], labels[kept], w[kept]

    def variance(values, v, less):
        mean = np.average(values, weights=v)
        return np.sum(v * (values - mean) ** 2) / max(v.sum() - less, 1e-300)

    columns = [~np.isnan(c) for c in table.T]
    widest = max(variance(c[k], w[k], 0) for c, k in zip(table.T, columns, strict=True))
    out = []
    for i, label in enumerate(np.unique(labels)):
        mine = labels == label
        total = np.log(w[mine].sum() / w.sum() if model.priors is None else model.priors[i])
        for j in np.flatnonzero(~np.isnan(x)):
            k = mine & columns[j]
            std = np.sqrt(variance(table[k, j], w[k], int(model.unbiased))) + model.std_offset
            scale = np.sqrt(std**2 + model.var_smoothing * widest)
            total += stats.norm.logpdf(x[j], np.average(table[k, j], weights=w[k]), scale)
        out.append(total)
    return np.array(out)


class TestAgainstThePeer:
    @pytest.mark.parametrize("smoothing", [1e-9, 0.1])
    def test_parameters_and_log_probabilities(self, smoothing):
        ours, theirs = GaussianNB(var_smoothing=smoothing).fit(X, y), Peer(var_smoothing=smoothing).fit(X, y)
        for name in ("theta_", "var_", "class_prior_", "class_count_", "epsilon_"):
            np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, err_msg=name)
        for call in ("predict_joint_log_proba", "predict_log_proba", "predict_proba"):
            np.testing.assert_allclose(
                getattr(ours, call)(X), getattr(theirs, call)(X), rtol=1e-9, atol=1e-12, err_msg=call
            )
        assert np.array_equal(ours.predict(X), theirs.predict(X))

    def test_given_priors(self):
        priors = [0.1, 0.1, 0.8]
        ours, theirs = GaussianNB(priors=priors).fit(X, y), Peer(priors=priors).fit(X, y)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9)

    @pytest.mark.parametrize("shift", [0.0, 1e6])
    def test_large_table_in_blocks(self, shift):
        table, labels = rng.standard_normal((9000, 7)) + shift, rng.integers(0, 4, 9000)
        ours, theirs = GaussianNB().fit(table, labels), Peer().fit(table, labels)
        np.testing.assert_allclose(ours.var_, theirs.var_, rtol=1e-7 if shift else 1e-12)
        np.testing.assert_allclose(ours.predict_proba(table), theirs.predict_proba(table), rtol=1e-7)


class TestDefinition:
    @pytest.mark.parametrize("setting", SETTINGS)
    @pytest.mark.parametrize("weighted", [False, True])
    def test_every_cell(self, setting, weighted):
        model, weight = GaussianNB(**SETTINGS[setting]), WEIGHT if weighted else None
        model.fit(GAPS, y, weight)
        joint = model.predict_joint_log_proba(GAPS[:15])
        expected = [by_hand(model, GAPS, y, weight, x) for x in GAPS[:15]]
        np.testing.assert_allclose(joint, expected, rtol=1e-10)

    def test_gap_is_the_model_without_the_column(self):
        model = GaussianNB(var_smoothing=0.0).fit(X, y)
        without = GaussianNB(var_smoothing=0.0).fit(X[:, [0, 1, 3]], y)
        row = X[:6].copy()
        row[:, 2] = np.nan
        np.testing.assert_allclose(
            model.predict_proba(row), without.predict_proba(X[:6][:, [0, 1, 3]]), rtol=1e-12
        )
        blank = np.full((1, 4), np.nan)
        np.testing.assert_allclose(model.predict_proba(blank)[0], model.class_prior_, rtol=1e-12)

    def test_diagonal_quadratic_discriminant(self):
        """FCML claim 5.3: naive is the full model with a diagonal covariance."""
        full = QuadraticDiscriminantAnalysis(covariance="diagonal").fit(X, y)
        naive = GaussianNB(var_smoothing=0.0).fit(X, y)
        np.testing.assert_allclose(naive.predict_proba(X), full.predict_proba(X), rtol=1e-9)
        assert naive.n_parameters_ == full.n_parameters_ == 2 * 3 * 4

    def test_contours_are_parallel_to_the_axes(self):
        model = GaussianNB(var_smoothing=0.0).fit(X, y)
        mean, std = model.theta_[0], model.std_[0]
        around = mean + std * np.array([[1, 1, 1, 1], [-1, 1, 1, 1], [1, -1, 1, -1], [-1, -1, -1, -1]])
        logs = model.predict_joint_log_proba(around)[:, 0]
        np.testing.assert_allclose(logs, logs[0], rtol=1e-12)

    def test_books(self):
        dtu, fcml = GaussianNB.book(0.7).fit(X, y), GaussianNB.book(0.7, text="fcml").fit(X, y)
        mine = X[y == "b"]
        np.testing.assert_allclose(dtu.std_[1], mine.std(axis=0, ddof=1) + 0.7, rtol=1e-12)
        np.testing.assert_allclose(fcml.std_[1], mine.std(axis=0) + 0.7, rtol=1e-12)
        with pytest.raises(InvalidParameter, match="text must be one of"):
            GaussianNB.book(1.0, text="prml")

    def test_offset_keeps_a_constant_column_usable(self):
        """DTU: the robust estimate has σ > 0 whatever the rows."""
        table = np.column_stack([np.where(y == "a", 2.0, X[:, 0]), X[:, 1]])
        model = GaussianNB.book(0.1).fit(table, y)
        assert np.all(model.std_ >= 0.1)
        assert model.std_[0, 0] == pytest.approx(0.1, rel=1e-12)


class TestLeaveOneOut:
    @pytest.mark.parametrize("setting", SETTINGS)
    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("table", [X, GAPS], ids=["whole", "gaps"])
    def test_is_refitting(self, setting, weighted, table):
        model, weight = GaussianNB(**SETTINGS[setting]), WEIGHT if weighted else None
        logs, alone = model.left_out_labels(*model.door(table, y, weight))
        assert not alone.any()
        for i in range(0, N, 7):
            rest = np.arange(N) != i
            fitted = clone(model).fit(table[rest], y[rest], None if weight is None else weight[rest])
            np.testing.assert_allclose(
                logs[i], fitted.predict_log_proba(table[i : i + 1])[0], rtol=1e-9, atol=1e-12
            )

    def test_the_row_with_the_largest_variance(self):
        """Without it the smoothing itself changes."""
        table = X.copy()
        table[0, 1] = 500.0
        model = GaussianNB(var_smoothing=0.5)
        logs, alone = model.left_out_labels(*model.door(table, y))
        fitted = clone(model).fit(table[1:], y[1:])
        assert not alone[0]
        np.testing.assert_allclose(logs[0], fitted.predict_log_proba(table[:1])[0], rtol=1e-9)

    @pytest.mark.filterwarnings("ignore:In class .* does not vary")
    @pytest.mark.parametrize(("smoothing", "how"), [(1e-9, "statistics"), (1e-8, "refit")])
    def test_rows_that_take_something_with_them_are_refitted(self, smoothing, how):
        labels = y.copy()
        labels[0] = "only one"
        table = X.copy()
        table[labels == "a", 2] = 1.0
        table[np.flatnonzero(labels == "a")[0], 2] = 2.0  # the whole spread of a column
        model = GaussianNB(var_smoothing=smoothing)
        _, alone = model.left_out_labels(*model.door(table, labels))
        assert alone[0]
        assert alone[np.flatnonzero(labels == "a")[0]]
        found = cross_validate(model, table, labels, cv=LeaveOneOut())
        slow = cross_val_predict(model, table, labels, cv=LeaveOneOut())
        assert found.how == how
        assert np.array_equal(found.predictions, slow)

    def test_how(self):
        assert cross_validate(GaussianNB(), GAPS, y, cv=LeaveOneOut()).how == "closed form"
        assert cross_validate(GaussianNB(), GAPS, y, cv=KFold(5)).how == "statistics"
        with pytest.raises(Unsupported, match="beliefs about means"):
            GaussianNB(prior=PRIOR).heldout(X, y, LeaveOneOut().split(X))


class TestStatistics:
    def test_validation_under_gaps_is_refitting(self):
        fast = cross_validate(GaussianNB(), GAPS, y, cv=KFold(6), loss="log", sample_weight=WEIGHT + 1)
        for i, (train, test) in enumerate(KFold(6).split(GAPS)):
            d = GaussianNB().fit(GAPS[train], y[train], WEIGHT[train] + 1).predict_dist(GAPS[test])
            loss = -np.average(d.log_prob(y[test]), weights=WEIGHT[test] + 1)
            assert fast.fold_losses[i] == pytest.approx(loss, rel=1e-9)

    def test_pieces_merge_and_forget(self):
        whole = GaussianNB().fit(GAPS, y)
        pieces = GaussianNB().partial_fit(X[:1], y[:1], classes=["a", "b", "c"]).partial_fit(GAPS[1:], y[1:])
        halves = [GaussianNB().fit(GAPS[:40], y[:40]), GaussianNB().fit(GAPS[40:], y[40:])]
        merged = suffice.merge(halves)
        rest = suffice.forget(whole, GAPS[60:], y[60:])
        for a, b in ((pieces, whole), (merged, whole), (rest, GaussianNB().fit(GAPS[:60], y[:60]))):
            np.testing.assert_allclose(a.predict_log_proba(X), b.predict_log_proba(X), rtol=1e-9, atol=1e-11)

    def test_a_listed_class_without_rows(self):
        model = GaussianNB(priors="uniform").partial_fit(X, y, classes=["a", "b", "c", "never"])
        proba = model.predict_proba(X)
        assert np.all(proba[:, 3] == 0)
        np.testing.assert_allclose(
            proba[:, :3], GaussianNB(priors="uniform").fit(X, y).predict_proba(X), rtol=1e-12
        )
        with pytest.raises(InvalidInput, match="'never' has no rows yet"):
            model.sample("never")

    @pytest.mark.slow
    def test_from_files_and_batches(self, tmp_path):
        import pyarrow as pa
        import pyarrow.parquet as pq

        names = [f"x{j}" for j in range(4)]
        path = tmp_path / "rows.parquet"
        columns = {n: GAPS[:, j] for j, n in enumerate(names)} | {"label": y}
        pq.write_table(pa.table(columns), path, row_group_size=20)
        expected = GaussianNB().fit(GAPS, y).predict_log_proba(X)
        import polars as pl

        named = pl.DataFrame({n: X[:, j] for j, n in enumerate(names)})
        file = engine.fit(GaussianNB(), str(path), "label")
        np.testing.assert_allclose(file.predict_log_proba(named), expected, rtol=1e-9, atol=1e-11)
        import dask.array as da

        lazy = da.from_array(GAPS, chunks=(40, 4)), da.from_array(y, chunks=40)
        model = engine.fit(GaussianNB(), lazy, executor="threads")
        np.testing.assert_allclose(model.predict_log_proba(X), expected, rtol=1e-9, atol=1e-11)
        batches = [(GAPS[i : i + 13], y[i : i + 13]) for i in range(0, N, 13)]
        np.testing.assert_allclose(
            engine.fit(GaussianNB(), batches).predict_log_proba(X), expected, rtol=1e-9, atol=1e-11
        )

    def test_saved(self, tmp_path):
        for model in (GaussianNB(), GaussianNB(prior=PRIOR)):
            suffice.save(model.fit(GAPS, y), tmp_path / "m.suffice")
            again = suffice.load(tmp_path / "m.suffice")
            assert np.array_equal(again.predict_proba(GAPS), model.predict_proba(GAPS))
            assert again.statistics_ == model.statistics_


class TestBayesian:
    def test_predictive_is_the_posterior_predictive_of_each_column(self):
        model = GaussianNB(prior=PRIOR).fit(GAPS, y)
        expected = np.zeros(3)
        for c, label in enumerate("abc"):
            for j in range(4):
                cells = GAPS[y == label, j]
                after = PRIOR.posterior(cells[~np.isnan(cells)])
                expected[c] += after.predictive().log_prob(X[0, j])
        np.testing.assert_allclose(
            model.predict_joint_log_proba(X[:1])[0] - model.class_log_prior_, expected, rtol=1e-10
        )

    def test_evidence_is_the_sum_over_classes_and_columns(self):
        model = GaussianNB(prior=PRIOR).fit(GAPS, y)
        cells = [GAPS[y == c, j] for c in "abc" for j in range(4)]
        expected = sum(PRIOR.log_evidence(v[~np.isnan(v)]) for v in cells)
        assert model.log_evidence_ == pytest.approx(expected, rel=1e-10)
        assert model.evidence_kind_ == "exact"
        with pytest.raises(AttributeError, match="needs a prior"):
            _ = GaussianNB().fit(X, y).log_evidence_

    def test_predictive_against_monte_carlo(self):
        """Average the likelihood over draws of the parameters: within four standard errors."""
        small, labels, draws = X[:12, :2], y[:12], 40_000
        model = GaussianNB(prior=NormalGamma([0.0, 1.0], [1.0, 0.5], [2.0, 3.0], [1.5, 80.0])).fit(
            small, labels
        )
        generator = np.random.default_rng(11)
        density = np.exp(model.predict_joint_log_proba(small[:1])[0] - model.class_log_prior_)
        belief = model.posterior_
        pairs = belief.sample(draws, generator)
        likelihood = stats.norm.pdf(small[0], pairs[..., 0], 1 / np.sqrt(pairs[..., 1])).prod(axis=-1)
        error = likelihood.std(axis=0) / np.sqrt(draws)
        assert np.all(np.abs(likelihood.mean(axis=0) - density) < 4 * error)

    def test_a_strong_prior_wins_and_a_weak_one_does_not(self):
        strong = GaussianNB(prior=NormalGamma(7.0, 1e9, 1e9, 1e9)).fit(X, y)
        np.testing.assert_allclose(strong.theta_, 7.0, rtol=1e-5)
        weak = GaussianNB(prior=NormalGamma(0.0, 1e-9, 1e-9, 1e-12)).fit(X, y)
        np.testing.assert_allclose(weak.theta_, GaussianNB().fit(X, y).theta_, rtol=1e-6)
        np.testing.assert_allclose(weak.var_, GaussianNB(var_smoothing=0.0).fit(X, y).var_, rtol=1e-5)

    def test_a_prior_of_the_wrong_shape(self):
        with pytest.raises(InvalidParameter, match="4 entries, one per column"):
            GaussianNB(prior=NormalGamma([0.0, 1.0], 1.0, 1.0, 1.0)).fit(X, y)

    def test_pieces_and_folds(self):
        model = GaussianNB(prior=PRIOR)
        pieces = clone(model).fit(GAPS[:40], y[:40]).partial_fit(GAPS[40:], y[40:])
        np.testing.assert_allclose(
            pieces.predict_proba(X), clone(model).fit(GAPS, y).predict_proba(X), rtol=1e-9
        )
        assert pieces.log_evidence_ == pytest.approx(clone(model).fit(GAPS, y).log_evidence_, rel=1e-10)
        fast = cross_validate(model, GAPS, y, cv=KFold(4))
        assert fast.how == "statistics"
        assert np.array_equal(fast.predictions, cross_val_predict(model, GAPS, y, cv=KFold(4)))


@pytest.mark.parametrize("estimator", [GaussianNB(prior=PRIOR)], ids=str)
def test_checks_with_a_prior(estimator):
    assert_accepted(estimator)


class TestSamples:
    @pytest.mark.parametrize(
        "model", [GaussianNB(), GaussianNB(prior=NormalGamma(0.0, 1.0, 6.0, 6.0))], ids=["normal", "t"]
    )
    def test_are_distributed_as_the_density_says(self, model):
        model.fit(X[:, :1], y)
        drawn = model.sample("b", n=4000, random_state=5)[:, 0]
        if model.posterior_ is None:
            cdf = stats.norm(model.theta_[1, 0], model.std_[1, 0]).cdf
        else:
            b = model.posterior_
            scale = np.sqrt(b.rate * (b.strength + 1) / (b.shape * b.strength))[1, 0]
            cdf = stats.t(2 * b.shape[1, 0], b.mean[1, 0], scale).cdf
        assert stats.kstest(drawn, cdf).pvalue > 1e-3

    def test_classes_come_by_their_priors(self):
        _, labels = GaussianNB(priors=[0.7, 0.2, 0.1]).fit(X, y).sample(n=3000, random_state=0)
        assert np.mean(labels == "a") == pytest.approx(0.7, abs=4 * np.sqrt(0.21 / 3000))


class TestBadInput:
    def test_infinity_is_named(self):
        bad = X.copy()
        bad[5, 3] = -np.inf
        with pytest.raises(InvalidInput, match="X contains inf at row 5, column 'x3'"):
            GaussianNB().fit(bad, y)

    def test_a_column_constant_within_a_class(self):
        table = X.copy()
        table[y == "a", 0] = 1.0
        with pytest.warns(RankDeficient, match="In class 'a' column 'x0' does not vary"):
            model = GaussianNB(var_smoothing=0.0).fit(table, y)
        assert np.isfinite(model.predict_log_proba(table)).all()

    def test_columns_that_never_vary_tell_nothing(self):
        flat = np.column_stack([X[:, :2], np.full(N, 3.3)])
        for smoothing in (0.0, 1e-9):
            a = GaussianNB(var_smoothing=smoothing).fit(flat, y).predict_proba(flat)
            b = GaussianNB(var_smoothing=smoothing).fit(X[:, :2], y).predict_proba(X[:, :2])
            np.testing.assert_allclose(a, b, rtol=1e-9)
        assert np.isfinite(GaussianNB().fit(np.ones((6, 2)), [0, 1] * 3).predict_proba(np.ones((2, 2)))).all()

    def test_a_column_without_cells_in_a_class(self):
        table = X.copy()
        table[y == "c", 1] = np.nan
        with pytest.warns(NoInformation, match="In class 'c' every cell of column 'x1' is missing"):
            model = GaussianNB().fit(table, y)
        np.testing.assert_allclose(model.theta_[2, 1], np.nanmean(table[:, 1]), rtol=1e-12)

    @pytest.mark.parametrize("scale", [1e-200, 1e-100, 1e100, 1e200])
    def test_units_do_not_matter(self, scale):
        a, b = (
            GaussianNB().fit(scale * X, y).predict_proba(scale * X),
            GaussianNB().fit(X, y).predict_proba(X),
        )
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-14)

    def test_one_class_one_row_and_more_columns_than_rows(self):
        assert np.array_equal(GaussianNB().fit(X, np.zeros(N)).predict_proba(X), np.ones((N, 1)))
        with pytest.warns(RankDeficient, match="In class 1 column 'x0' does not vary, as in 3 more cases"):
            model = GaussianNB().fit(X[:5], [0, 0, 0, 0, 1])
        assert np.isfinite(model.predict_log_proba(X)).all()
        wide = np.random.default_rng(0).standard_normal((6, 10_000))
        model = GaussianNB().fit(wide, [0, 1] * 3)  # densities of 10,000 columns would vanish
        proba = model.predict_proba(wide)
        assert np.isfinite(model.predict_log_proba(wide)).all()
        np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-12)

    def test_weights_of_zero(self):
        weight = np.where(y == "c", 0.0, 1.0)
        assert GaussianNB().fit(X, y, weight).classes_.tolist() == ["a", "b"]

    def test_in_a_pipeline(self):
        pipe = make_pipeline(StandardScaler(), GaussianNB()).fit(X, y)
        plain = GaussianNB(var_smoothing=0.0).fit(X, y)
        np.testing.assert_allclose(pipe.predict_proba(X), plain.predict_proba(X), rtol=1e-6)
