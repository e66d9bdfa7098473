"""Naive Bayes with columns of several families: against models of one family, by hand, refits, all kinds of tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_predict

import suffice
from suffice import engine
from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, NoInformation, RankDeficient
from suffice.evaluation import cross_validate
from suffice.generative import CategoricalNB, GaussianNB, MixedNB

rng = np.random.default_rng(21)
N = 80
y = np.array(["sick", "well"])[rng.integers(0, 2, N)]
SICK = y == "sick"
COLUMNS = {
    "age": np.where(SICK, 60, 45) + 9 * rng.standard_normal(N),
    "smoker": rng.random(N) < np.where(SICK, 0.6, 0.3),
    "city": np.array(["Oslo", "Rome", "Bern"], dtype=object)[rng.integers(0, 3, N)],
    "visits": rng.poisson(np.where(SICK, 5.0, 2.0)),
}
KINDS = {"age": "gaussian", "smoker": "bernoulli", "city": "categorical", "visits": "poisson"}
TABLE = pd.DataFrame(COLUMNS)
HOLES = TABLE.astype({"smoker": object, "visits": float}).mask(rng.random(TABLE.shape) < 0.15)
WEIGHT = rng.integers(0, 3, N) + 0.5
MODEL = MixedNB({"visits": "poisson"}, alpha=0.7, std_offset=0.3)


def by_hand(table, labels, weight, row, alpha=0.7, offset=0.3):
    """log p(x, c), cell by cell."""
    out = []
    widest = None
    for label in np.unique(labels):
        mine = labels == label
        total = np.log(weight[mine].sum() / weight.sum())
        for name, kind in KINDS.items():
            if pd.isna(row[name]):
                continue
            there = mine & table[name].notna().to_numpy()
            cells, w = table[name].to_numpy()[there], weight[there]
            if kind == "gaussian":
                whole = table[name].notna().to_numpy()
                values = table[name].to_numpy()[whole].astype(float)
                m = np.average(values, weights=weight[whole])
                widest = np.average((values - m) ** 2, weights=weight[whole])
                cells = cells.astype(float)
                mean = np.average(cells, weights=w)
                std = np.sqrt(np.average((cells - mean) ** 2, weights=w)) + offset
                total += stats.norm.logpdf(row[name], mean, np.sqrt(std**2 + 1e-9 * widest))
            elif kind == "poisson":
                rate = (np.sum(w * cells.astype(float)) + alpha) / (w.sum() + alpha)
                total += stats.poisson.logpmf(row[name], rate)
            else:
                k = 2 if kind == "bernoulli" else 3
                total += np.log((w[cells == row[name]].sum() + alpha) / (w.sum() + k * alpha))
        out.append(total)
    return out


class TestDefinition:
    def test_every_cell_of_every_kind(self):
        model = clone(MODEL).fit(HOLES, y, WEIGHT)
        assert model.kinds_ == KINDS
        expected = [by_hand(HOLES, y, WEIGHT, HOLES.iloc[i]) for i in range(12)]
        np.testing.assert_allclose(model.predict_joint_log_proba(HOLES[:12]), expected, rtol=1e-10)

    def test_numbers_alone_are_gaussian_nb(self):
        X = rng.standard_normal((N, 3))
        X[4, 1] = np.nan
        for options in ({}, {"std_offset": 0.4, "unbiased": True, "var_smoothing": 0.1, "priors": "uniform"}):
            a, b = MixedNB(**options).fit(X, y), GaussianNB(**options).fit(X, y)
            np.testing.assert_allclose(a.predict_log_proba(X), b.predict_log_proba(X), rtol=1e-11)
            assert a.n_parameters_ == b.n_parameters_

    def test_categories_alone_are_categorical_nb(self):
        X = rng.integers(0, 4, (N, 3))
        X[:4] = np.arange(4)[:, None]
        a, b = MixedNB("categorical", alpha=0.3).fit(X, y), CategoricalNB(alpha=0.3).fit(X, y)
        np.testing.assert_allclose(a.predict_log_proba(X), b.predict_log_proba(X), rtol=1e-11)
        assert a.n_parameters_ == b.n_parameters_

    def test_one_alpha_for_all_and_its_limits(self):
        """DTU claims, item 4: α → ∞ makes the values of a column alike; the offset keeps σ > 0."""
        big = MixedNB(alpha=1e12).fit(TABLE[["smoker", "city"]], y)
        np.testing.assert_allclose(np.exp(big.tables_[0].logs[:, :2]), 0.5, rtol=1e-9)
        np.testing.assert_allclose(np.exp(big.tables_[1].logs[:, :3]), 1 / 3, rtol=1e-9)
        flat = MixedNB(std_offset=0.2, var_smoothing=0.0).fit(np.ones((N, 1)), y)
        np.testing.assert_allclose(flat.std_, 0.2, rtol=1e-12)

    def test_alpha_zero_rules_out(self):
        table = pl.DataFrame({"a": ["u", "u", "v", "v"]})
        proba = MixedNB(alpha=0.0).fit(table, [0, 0, 1, 1]).predict_proba(table[:1])
        assert proba.tolist() == [[1.0, 0.0]]


class TestTables:
    expected = clone(MODEL).fit(TABLE, y).predict_proba(TABLE)

    @pytest.mark.parametrize("kind", ["polars", "pyarrow", "objects", "category"])
    def test_all_kinds_of_tables(self, kind):
        made = {
            "polars": lambda: pl.DataFrame({k: v.tolist() for k, v in COLUMNS.items()}),
            "pyarrow": lambda: pa.table({k: v.tolist() for k, v in COLUMNS.items()}),
            "objects": lambda: TABLE.astype(object).to_numpy(),
            "category": lambda: TABLE.astype({"city": "category"}),
        }[kind]()
        kinds = list(KINDS.values()) if kind == "objects" else {"visits": "poisson"}
        model = MixedNB(kinds, alpha=0.7, std_offset=0.3).fit(made, y)
        np.testing.assert_allclose(model.predict_proba(made), self.expected, rtol=1e-12)

    def test_numbers_that_are_categories(self):
        codes = pd.DataFrame({"code": pd.Categorical([3, 7, 3, 7])})
        model = MixedNB().fit(codes, [0, 0, 1, 1])
        assert model.kinds_ == {"code": "categorical"}
        assert model.tables_[0].values.tolist() == [3.0, 7.0]

    def test_columns_are_known_by_name(self):
        model = clone(MODEL).fit(TABLE, y)
        with pytest.raises(HeaderMismatch, match="'town' is unknown"):
            model.predict(TABLE.rename(columns={"city": "town"}))
        with pytest.raises(HeaderMismatch, match="'visits' is missing"):
            model.predict(TABLE.drop(columns="visits"))
        with pytest.raises(HeaderMismatch, match="feature names should match"):
            model.predict(TABLE[["smoker", "age", "city", "visits"]])
        with pytest.raises(HeaderMismatch, match="X has 2 features, but MixedNB is expecting 4"):
            model.predict(TABLE.to_numpy()[:, :2])

    def test_unknown_category(self):
        model, new = clone(MODEL).fit(TABLE, y), TABLE[:2].assign(city=["Paris", "Oslo"])
        with pytest.warns(NoInformation, match=r"Column 'city' holds 'Paris', .* \(1\) are taken as missing"):
            proba = model.predict_proba(new)
        np.testing.assert_allclose(proba, model.predict_proba(new.assign(city=[None, "Oslo"])), rtol=1e-12)
        with pytest.raises(InvalidInput, match="holds 'Paris', which was not among"):
            clone(MODEL).set_params(unknown="raise").fit(TABLE, y).predict(new)
        smooth = clone(MODEL).set_params(unknown="smooth").fit(TABLE, y)
        gap = smooth.predict_joint_log_proba(new.assign(city=[None, "Oslo"]))[0]
        plus = np.log(0.7 / (np.array([SICK.sum(), (~SICK).sum()]) + 3 * 0.7))
        np.testing.assert_allclose(smooth.predict_joint_log_proba(new)[0], gap + plus, rtol=1e-12)


class TestStatistics:
    def test_pieces_merge_and_forget(self):
        order = np.argsort(TABLE["city"].to_numpy(dtype=str), kind="stable")  # values first seen later
        table, labels = HOLES.iloc[order], y[order]
        whole = clone(MODEL).fit(table, labels)
        parts = [(table[:50], labels[:50]), (table[50:], labels[50:])]
        pieces = clone(MODEL).fit(*parts[0]).partial_fit(*parts[1])
        merged = suffice.merge([clone(MODEL).fit(*p) for p in parts])
        batches = engine.fit(clone(MODEL), parts)
        for model in (pieces, merged, batches):
            np.testing.assert_allclose(
                model.predict_log_proba(table), whole.predict_log_proba(table), rtol=1e-9
            )
        rest, direct = suffice.forget(whole, *parts[1]), clone(MODEL).fit(*parts[0])
        np.testing.assert_allclose(
            rest.predict_log_proba(table[:50]), direct.predict_log_proba(table[:50]), rtol=1e-9
        )
        assert [t.values.tolist() for t in rest.tables_] == [t.values.tolist() for t in direct.tables_]

    @pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
    @pytest.mark.parametrize(
        "options", [{}, {"unbiased": True, "alpha": 0.0}, {"priors": "uniform"}], ids=str
    )
    def test_leave_one_out_is_refitting(self, weight, options):
        table = HOLES.copy()
        table.loc[5, "city"] = "Nowhere"
        model = clone(MODEL).set_params(**options)
        logs, alone = model.left_out_labels(*model.door(table, y, weight))
        assert alone[5]
        for i in np.flatnonzero(~alone)[::6]:
            rest = np.arange(N) != i
            fitted = clone(model).fit(table[rest], y[rest], None if weight is None else weight[rest])
            expected = fitted.predict_log_proba(table[i : i + 1])[0]
            np.testing.assert_allclose(logs[i], expected, rtol=1e-8, atol=1e-12)

    def test_validation(self):
        fast = cross_validate(MODEL, HOLES, y, cv=KFold(5))
        assert fast.how == "statistics"
        assert np.array_equal(fast.predictions, cross_val_predict(MODEL, HOLES, y, cv=KFold(5)))
        assert cross_validate(MODEL, HOLES, y, cv=LeaveOneOut()).how == "closed form"

    def test_a_file_with_text_gives_the_model_of_its_table(self, tmp_path):
        path = tmp_path / "rows.parquet"
        pl.DataFrame({k: v.tolist() for k, v in COLUMNS.items()} | {"label": y}).write_parquet(path)
        whole = engine.fit(clone(MODEL), str(path), "label")
        np.testing.assert_allclose(
            whole.predict_proba(TABLE), clone(MODEL).fit(TABLE, y).predict_proba(TABLE), rtol=1e-10
        )
        few = engine.fit(MixedNB(), str(path), "label", columns=["age", "visits"])
        expected = MixedNB().fit(TABLE[["age", "visits"]], y).predict_proba(TABLE[["age", "visits"]])
        np.testing.assert_allclose(few.predict_proba(TABLE[["age", "visits"]]), expected, rtol=1e-10)

    def test_saved(self, tmp_path):
        model = clone(MODEL).fit(HOLES, y)
        suffice.save(model, tmp_path / "m.suffice")
        again = suffice.load(tmp_path / "m.suffice")
        assert np.array_equal(again.predict_proba(HOLES), model.predict_proba(HOLES))
        assert again.partial_fit(HOLES, y).class_count_.sum() == 2 * N

    def test_samples(self):
        model = clone(MODEL).fit(TABLE, y)
        drawn = model.sample("sick", n=3000, random_state=1)
        ages, cities = drawn[:, 0].astype(float), drawn[:, 2]
        assert stats.kstest(ages, stats.norm(model.mean_[0, 0], model.std_[0, 0]).cdf).pvalue > 1e-3
        assert drawn[:, 3].astype(float).mean() == pytest.approx(model.rate_[0, 0], abs=4 * np.sqrt(5 / 3000))
        share = np.exp(model.tables_[1].logs[0, :3])
        counts = [np.sum(cities == v) for v in model.tables_[1].values]
        assert stats.chisquare(counts, 3000 * share).pvalue > 1e-3


class TestBadInput:
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"age": np.inf}, "X contains inf at row 0, column 'age'"),
            ({"visits": -1}, "Column 'visits' is poisson but holds -1 at row 0"),
            (
                {"visits": 0.5},
                "Column 'visits' is poisson but holds 0.5 at row 0; its values are whole numbers",
            ),
        ],
    )
    def test_values_outside_their_family(self, change, words):
        with pytest.raises(InvalidInput, match=words):
            clone(MODEL).fit(TABLE.assign(**change), y)

    def test_kinds(self):
        with pytest.raises(InvalidParameter, match=r"kinds must name columns; 'vists' is none.*'visits'"):
            MixedNB({"vists": "poisson"}).fit(TABLE, y)
        with pytest.raises(InvalidInput, match="Column 'city' is gaussian but holds text: '.*' at row 0"):
            MixedNB({"city": "gaussian"}).fit(TABLE, y)
        with pytest.raises(
            InvalidInput, match="Column 'age' is bernoulli but holds .* its values are 0 and 1"
        ):
            MixedNB({"age": "bernoulli"}).fit(TABLE, y)
        a, b = MixedNB().fit(TABLE, y).statistics_, clone(MODEL).fit(TABLE, y).statistics_
        with pytest.raises(HeaderMismatch, match="column 'visits' is gaussian here and poisson there"):
            _ = a + b
        assert MixedNB().statistics_key != MODEL.statistics_key

    def test_mixed_types_in_a_column(self):
        with pytest.raises(InvalidInput, match="Column 'city' holds 'Oslo' and 3"):
            MixedNB().fit(pd.DataFrame({"city": ["Oslo", 3, "Rome"]}), [0, 1, 1])
        with pytest.raises(InvalidInput, match="Column 'when' holds times"):
            MixedNB().fit(pd.DataFrame({"when": pd.to_datetime(["2020-01-01", "2021-01-01"])}), [0, 1])

    def test_a_column_of_gaps(self):
        table = TABLE.assign(city=None)
        np.testing.assert_allclose(
            clone(MODEL).fit(table, y).predict_proba(table),
            clone(MODEL).fit(TABLE.drop(columns="city"), y).predict_proba(TABLE.drop(columns="city")),
            rtol=1e-12,
        )

    def test_numbers_that_do_not_vary_or_are_not_there(self):
        with pytest.warns(RankDeficient, match="In class 'sick' column 'age' does not vary"):
            MixedNB(var_smoothing=0.0).fit(TABLE.assign(age=np.where(SICK, 1.0, TABLE["age"])), y)
        with pytest.warns(NoInformation, match="In class 'sick' every cell of column 'age' is missing"):
            MixedNB().fit(TABLE.assign(age=np.where(SICK, np.nan, TABLE["age"])), y)

    def test_empty(self):
        with pytest.raises(InvalidInput, match="0 sample"):
            MixedNB().fit(TABLE[:0], [])
