"""Naive Bayes with columns of categories: against scikit-learn, fractions by hand, refits and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse, stats
from sklearn.base import clone
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_predict
from sklearn.naive_bayes import CategoricalNB as Peer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

import suffice
from suffice import engine
from suffice._core.errors import AtBound, HeaderMismatch, InvalidInput, InvalidParameter, NoInformation
from suffice.distributions import Beta, Dirichlet
from suffice.evaluation import cross_validate, validate_path
from suffice.generative import CategoricalNB

from ..contract.checks.scikit_learn import assert_accepted

rng = np.random.default_rng(8)
N = 120
y = rng.integers(0, 3, N)
X = rng.integers(0, [3, 4, 2, 6], (N, 4))
X[:, 0] = np.where(rng.random(N) < 0.5, y, X[:, 0])
GAPS = np.where(rng.random(X.shape) < 0.15, np.nan, X.astype(float))
WEIGHT = rng.integers(0, 4, N).astype(float)
WORDS = np.array(["zero", "one", "two", "three", "four", "five"], dtype=object)
LISTS = [[str(w) for w in WORDS[:k]] for k in (3, 4, 2, 6)]


class TestAgainstThePeer:
    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"alpha": 0.3, "fit_prior": False},
            {"min_categories": 8},
            {"min_categories": [3, 9, 2, 7], "alpha": 1e-3},
            {"class_prior": [0.2, 0.3, 0.5]},
        ],
        ids=str,
    )
    @pytest.mark.parametrize("weight", [None, rng.random(N)], ids=["plain", "weighted"])
    def test_everything(self, options, weight):
        ours, theirs = CategoricalNB(**options).fit(X, y, weight), Peer(**options).fit(X, y, weight)
        for name in ("feature_log_prob_", "category_count_"):
            for a, b in zip(getattr(ours, name), getattr(theirs, name), strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-9, err_msg=name)
        for name in ("class_log_prior_", "class_count_", "n_categories_"):
            np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, err_msg=name)
        np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-9)

    def test_a_small_alpha_is_raised_unless_forced(self):
        with pytest.warns(AtBound, match="alpha too small .* it was 0"):
            ours = CategoricalNB(alpha=0.0, force_alpha=False).fit(X, y)
        np.testing.assert_allclose(
            ours.predict_proba(X), CategoricalNB(alpha=1e-10).fit(X, y).predict_proba(X), rtol=1e-9
        )


class TestClaims:
    """DTU claims list, item 4."""

    def test_a_zero_count_rules_a_class_out(self):
        table, labels = np.array([[0, 1], [0, 0], [1, 1], [1, 0]]), [0, 0, 1, 1]
        proba = CategoricalNB(alpha=0.0).fit(table, labels).predict_proba([[0, 1]])
        assert proba.tolist() == [[1.0, 0.0]]

    def test_zero_over_zero_gives_the_priors(self):
        table, labels = np.array([[0, 0], [0, 0], [1, 1]]), [0, 0, 1]
        with pytest.warns(NoInformation, match="Row 0 has probability zero in every class"):
            proba = CategoricalNB(alpha=0.0).fit(table, labels).predict_proba([[0, 1]])
        np.testing.assert_allclose(proba, [[2 / 3, 1 / 3]], rtol=1e-12)

    def test_a_large_alpha_makes_all_values_alike(self):
        model = CategoricalNB(alpha=1e12).fit(X, y)
        for logs, k in zip(model.feature_log_prob_, (3, 4, 2, 6), strict=True):
            np.testing.assert_allclose(np.exp(logs), 1 / k, rtol=1e-9)
        np.testing.assert_allclose(model.predict_proba(X[:3]), np.tile(np.bincount(y) / N, (3, 1)), rtol=1e-6)

    def test_two_values_are_the_binary_rule(self):
        """Eq. 13.12 with K = 2 is eq. 13.11, and both are the mean of Beta(n₁ + α, n₀ + α)."""
        for alpha in (0.0, 0.5, 3.0):
            model = CategoricalNB(alpha=alpha).fit(X[:, 2:3], y)
            for c in range(3):
                ones = X[y == c, 2]
                expected = (ones.sum() + alpha) / (len(ones) + 2 * alpha)
                assert np.exp(model.feature_log_prob_[0][c, 1]) == pytest.approx(expected, rel=1e-12)
                if alpha:
                    assert Beta(alpha, alpha).posterior(ones).mean == pytest.approx(expected, rel=1e-12)


class TestPrior:
    def test_symmetric_dirichlet_is_alpha(self):
        priors = [Dirichlet(np.full(k, 0.7)) for k in (3, 4, 2, 6)]
        a, b = CategoricalNB(prior=priors).fit(GAPS, y), CategoricalNB(alpha=0.7).fit(GAPS, y)
        np.testing.assert_allclose(a.predict_log_proba(GAPS), b.predict_log_proba(GAPS), rtol=1e-12)

    def test_evidence(self):
        prior = Dirichlet([1.0, 2.0, 0.5, 0.5, 3.0, 1.0])
        model = CategoricalNB(prior=prior).fit(GAPS, y)
        expected = 0.0
        for c in range(3):
            for j in range(4):
                cells = GAPS[y == c, j]
                expected += prior.log_evidence(
                    suffice.statistics.Counts.of(cells[~np.isnan(cells)], classes=np.arange(6.0))
                )
        assert model.log_evidence_ == pytest.approx(expected, rel=1e-10)
        with pytest.raises(AttributeError, match="needs a prior"):
            _ = CategoricalNB().fit(X, y).log_evidence_

    def test_predictive_against_monte_carlo(self):
        """The mean of p(x | θ) over draws of the posterior: within four standard errors."""
        prior, draws, generator = Dirichlet([0.5, 1.0, 2.0]), 20_000, np.random.default_rng(2)
        model = CategoricalNB(prior=prior).fit(X[:15, :1], y[:15])
        counts = np.bincount(X[:15, 0][y[:15] == 1], minlength=3)
        theta = generator.dirichlet(prior.alpha + counts, draws)
        error = theta.std(axis=0) / np.sqrt(draws)
        assert np.all(np.abs(theta.mean(axis=0) - np.exp(model.feature_log_prob_[0][1])) < 4 * error)

    def test_wrong_priors(self):
        with pytest.raises(InvalidInput, match="Column 'x0' has the value 2, but prior has 2 values"):
            CategoricalNB(prior=Beta(1.0, 1.0)).fit(X, y)
        with pytest.raises(InvalidParameter, match="prior must be a Dirichlet or a Beta"):
            CategoricalNB(prior=2.0).fit(X, y)
        with pytest.raises(InvalidParameter, match="one for all columns or 4"):
            CategoricalNB(prior=[Beta(1.0, 1.0)]).fit(X, y)
        with pytest.raises(InvalidParameter, match="unknown must be 'missing' or 'raise' with a prior"):
            CategoricalNB(prior=Beta(1.0, 1.0), unknown="smooth").fit(X[:, 2:3], y)


class TestGaps:
    def test_cells_are_left_out_of_counts_and_product(self):
        model = CategoricalNB(alpha=0.4).fit(GAPS, y, WEIGHT)
        row, expected = GAPS[7], np.log([WEIGHT[y == c].sum() / WEIGHT.sum() for c in range(3)])
        for c in range(3):
            for j, k in enumerate((3, 4, 2, 6)):
                if not np.isnan(row[j]):
                    there = (y == c) & ~np.isnan(GAPS[:, j])
                    n = WEIGHT[there & (GAPS[:, j] == row[j])].sum()
                    expected[c] += np.log((n + 0.4) / (WEIGHT[there].sum() + k * 0.4))
        np.testing.assert_allclose(model.predict_joint_log_proba(row[None])[0], expected, rtol=1e-12)

    def test_a_column_without_cells_in_a_class(self):
        table = GAPS.copy()
        table[y == 2, 1] = np.nan
        with pytest.warns(NoInformation, match="In class 2 every cell of column 'x1' is missing"):
            model = CategoricalNB(alpha=0.0).fit(table, y)
        seen = table[~np.isnan(table[:, 1]), 1].astype(int)
        np.testing.assert_allclose(
            np.exp(model.feature_log_prob_[1][2]), np.bincount(seen) / len(seen), rtol=1e-12
        )


class TestUnknownValues:
    new = np.array([[2, 9, 1, 0]])

    def test_missing(self):
        model = CategoricalNB().fit(X, y)
        with pytest.warns(
            NoInformation, match=r"Column 'x1' holds 9, .* such cells \(1\) are taken as missing"
        ):
            proba = model.predict_proba(self.new)
        np.testing.assert_allclose(proba, model.predict_proba([[2, np.nan, 1, 0]]), rtol=1e-12)

    def test_smooth(self):
        model = CategoricalNB(alpha=0.5, unknown="smooth").fit(X, y)
        gap = model.predict_joint_log_proba([[2, np.nan, 1, 0]])[0]
        expected = gap + np.log(0.5 / (np.bincount(y) + 4 * 0.5))
        np.testing.assert_allclose(model.predict_joint_log_proba(self.new)[0], expected, rtol=1e-12)

    def test_raise(self):
        with pytest.raises(InvalidInput, match="Column 'x1' holds 9, which was not among the values"):
            CategoricalNB(unknown="raise").fit(X, y).predict(self.new)

    def test_word(self):
        model = CategoricalNB(categories=LISTS).fit(WORDS[X], y)
        with pytest.warns(NoInformation, match="Column 'x0' holds 'eleven'"):
            model.predict([["eleven", "one", "one", "one"]])


class TestListedValues:
    def test_words_are_codes(self):
        words, codes = CategoricalNB(categories=LISTS).fit(WORDS[X], y), CategoricalNB().fit(X, y)
        np.testing.assert_allclose(words.predict_proba(WORDS[X]), codes.predict_proba(X), rtol=1e-12)

    @pytest.mark.parametrize("kind", ["pandas", "polars"])
    def test_tables_and_gaps(self, kind):
        import importlib

        frames = importlib.import_module(kind)
        cells = np.where(np.isnan(GAPS), None, WORDS[X])
        table = frames.DataFrame({f"c{j}": cells[:, j].tolist() for j in range(4)})
        model = CategoricalNB(categories={f"c{j}": v for j, v in enumerate(LISTS)}).fit(table, y)
        np.testing.assert_allclose(
            model.predict_proba(table), CategoricalNB().fit(GAPS, y).predict_proba(GAPS), rtol=1e-12
        )
        with pytest.raises(HeaderMismatch, match="'d' is unknown"):
            model.predict(
                table.rename(columns={"c1": "d"}) if kind == "pandas" else table.rename({"c1": "d"})
            )

    def test_a_value_that_is_not_listed(self):
        with pytest.raises(
            InvalidInput, match="Column 'x3' holds 'five', which its list in categories has not"
        ):
            CategoricalNB(categories=[*LISTS[:3], ["zero", "one", "two", "three", "four"]]).fit(WORDS[X], y)

    def test_wrong_lists(self):
        with pytest.raises(InvalidParameter, match="one list of values per column, 4 in all"):
            CategoricalNB(categories=[["a"]]).fit(WORDS[X], y)
        with pytest.raises(InvalidParameter, match="all of one kind"):
            CategoricalNB(categories=[["zero", 1], *LISTS[1:]]).fit(WORDS[X], y)

    def test_sampled_words(self):
        model = CategoricalNB(categories=LISTS).fit(WORDS[X], y)
        rows, labels = model.sample(n=50, random_state=0)
        assert set(rows[:, 2]) <= {"zero", "one"}
        assert np.isfinite(model.predict_log_proba(rows)).all()
        assert len(labels) == 50


class TestStatistics:
    def test_values_first_seen_later_are_united(self):
        order = np.argsort(X[:, 3], kind="stable")
        batches = [(GAPS[i], y[i]) for i in np.array_split(order, 5)]
        whole = CategoricalNB().fit(GAPS, y)
        pieces = CategoricalNB()
        for table, labels in batches:
            pieces.partial_fit(table, labels)
        merged = suffice.merge([CategoricalNB().fit(*b) for b in batches])
        for model in (pieces, merged, engine.fit(CategoricalNB(), batches)):
            np.testing.assert_allclose(
                model.predict_log_proba(GAPS), whole.predict_log_proba(GAPS), rtol=1e-9
            )
        assert merged.statistics_ == whole.statistics_

    def test_forgotten_values_are_no_values(self):
        table = np.vstack([X, [[8, 0, 1, 9]]])
        rest = suffice.forget(CategoricalNB().fit(table, [*y, 1]), table[-1:], [1])
        np.testing.assert_allclose(
            rest.predict_log_proba(X), CategoricalNB().fit(X, y).predict_log_proba(X), rtol=1e-9
        )
        assert rest.n_categories_.tolist() == [3, 4, 2, 6]
        with pytest.raises(ArithmeticError, match="Cannot take"):
            suffice.forget(rest, [[2, 3, 1, 5]] * 60, [0] * 60)

    def test_from_a_file(self, tmp_path):
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = tmp_path / "rows.parquet"
        pq.write_table(pa.table({f"x{j}": X[:, j] for j in range(4)} | {"label": y}), path, row_group_size=25)
        model = engine.fit(CategoricalNB(), str(path), "label")
        expected = CategoricalNB().fit(X, y)
        for a, b in zip(model.feature_log_prob_, expected.feature_log_prob_, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12)

    @pytest.mark.parametrize("options", [{}, {"alpha": 0.0}, {"min_categories": 8, "alpha": 0.2}], ids=str)
    @pytest.mark.parametrize("weight", [None, WEIGHT + 1], ids=["plain", "weighted"])
    @pytest.mark.filterwarnings("ignore::suffice._core.errors.NoInformation")
    def test_leave_one_out_is_refitting(self, options, weight):
        table = GAPS.copy()
        table[3, 3] = 11  # alone in having the largest value
        model = CategoricalNB(**options)
        logs, alone = model.left_out_labels(*model.door(table, y, weight))
        assert alone[3] or weight is not None
        for i in np.flatnonzero(~alone)[::9]:
            rest = np.arange(N) != i
            fitted = clone(model).fit(table[rest], y[rest], None if weight is None else weight[rest])
            np.testing.assert_allclose(
                np.exp(logs[i]), fitted.predict_proba(table[i : i + 1])[0], rtol=1e-9, atol=1e-15
            )

    def test_folds(self):
        fast = cross_validate(CategoricalNB(), GAPS, y, cv=KFold(5))
        assert fast.how == "statistics"
        assert np.array_equal(fast.predictions, cross_val_predict(CategoricalNB(), GAPS, y, cv=KFold(5)))
        assert cross_validate(CategoricalNB(), GAPS, y, cv=LeaveOneOut()).how == "closed form"

    def test_alpha_is_chosen_from_one_pass(self):
        """DTU §13.2.1: α by cross-validation, zero among the values."""
        values = [0.0, 0.5, 5.0]
        path = validate_path(CategoricalNB(), X, y, "alpha", values, cv=KFold(4), loss="misclassification")
        assert path.how == "statistics"
        slow = [np.mean(cross_val_predict(CategoricalNB(alpha=a), X, y, cv=KFold(4)) != y) for a in values]
        np.testing.assert_allclose(path.test, slow, rtol=1e-12)

    def test_saved(self, tmp_path):
        model = CategoricalNB(categories=LISTS, prior=None).fit(WORDS[X], y)
        suffice.save(model, tmp_path / "m.suffice")
        again = suffice.load(tmp_path / "m.suffice")
        assert np.array_equal(again.predict_proba(WORDS[X]), model.predict_proba(WORDS[X]))
        assert again.statistics_ == model.statistics_

    def test_keys_tell_lists_apart(self):
        assert CategoricalNB().statistics_key != CategoricalNB(categories=LISTS).statistics_key
        assert CategoricalNB(alpha=3.0).statistics_key == CategoricalNB().statistics_key

    def test_many_columns(self):
        wide = np.random.default_rng(0).integers(0, 5, (40, 5000))
        ours, theirs = CategoricalNB().fit(wide, y[:40]), Peer().fit(wide, y[:40])
        np.testing.assert_allclose(
            ours.predict_log_proba(wide), theirs.predict_log_proba(wide), rtol=1e-9, atol=1e-9
        )


class TestBadInput:
    def test_codes(self):
        with pytest.raises(
            InvalidInput,
            match=r"Negative values in data passed to CategoricalNB \(input X\): -1 at row 2, column 'x1'",
        ):
            CategoricalNB().fit(np.where((np.arange(N) == 2)[:, None] & (np.arange(4) == 1), -1, X), y)
        with pytest.raises(InvalidInput, match="too large for a code: 1e"):
            CategoricalNB().fit(X * 1e9, y)
        with pytest.raises(InvalidInput, match="X contains inf at row 0, column 'x0'"):
            CategoricalNB().fit(np.where(np.eye(N, 4), np.inf, X), y)
        with pytest.raises(InvalidInput, match="does not take sparse tables"):
            CategoricalNB().fit(sparse.csr_array(X), y)
        with pytest.warns(NoInformation, match=r"Column 'x0' holds 2\.5, which is no whole number"):
            CategoricalNB().fit(X + 0.5 * (X == 2) * [1, 0, 0, 0], y)

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"alpha": -1.0}, "alpha must be"),
            ({"alpha": [1.0, 1.0]}, "one entry per column, 4"),
            ({"alpha": [1.0, -1.0, 0.0, 0.0]}, "zero or more for every column"),
            ({"min_categories": 2.5}, "should have integral type"),
            ({"min_categories": [2, 2]}, r"should have shape \(4,\)"),
            ({"unknown": "ignore"}, "unknown must be one of"),
            ({"fit_prior": "no"}, "fit_prior must be True or False"),
            ({"class_prior": [0.5, 0.5]}, "Number of priors must match number of classes"),
            ({"class_prior": [0.5, 0.5]}, r"; class_prior has shape \(2,\)"),
            ({"class_prior": "equal"}, r"^class_prior must be None, .*; got 'equal'"),
            ({"class_prior": {"a": 1.0}}, r"^class_prior must be made of numbers; got \{'a': 1.0\}"),
            ({"categories": 3}, "^categories must have one list of values per column, 4 in all; got 3"),
            (
                {"categories": [3] * 4},
                "^categories of column 'x0' must be a list of strings or numbers, .*got 3",
            ),
        ],
    )
    def test_parameters(self, options, words):
        with pytest.raises(InvalidParameter, match=words):
            CategoricalNB(**options).fit(X, y)

    def test_samples_are_distributed_as_they_should(self):
        model = CategoricalNB().fit(X, y)
        drawn = model.sample(1, n=3000, random_state=3)[:, 3]
        expected = 3000 * np.exp(model.feature_log_prob_[3][1])
        assert stats.chisquare(np.bincount(drawn, minlength=6), expected).pvalue > 1e-3

    def test_in_a_pipeline(self):
        pipe = make_pipeline(OrdinalEncoder(), CategoricalNB()).fit(WORDS[X], y)
        assert pipe.predict_proba(WORDS[X]).shape == (N, 3)


@pytest.mark.parametrize(
    "estimator",
    [
        CategoricalNB(),
        CategoricalNB(alpha=0.0, fit_prior=False),
        CategoricalNB(
            alpha=0.1, force_alpha=False, class_prior="uniform", min_categories=5, unknown="smooth"
        ),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::suffice._core.errors.NoInformation")
def test_checks(estimator):
    assert_accepted(estimator)
