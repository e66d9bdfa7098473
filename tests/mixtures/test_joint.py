"""Mixtures as joint models: conditionals, marginals, imputations and regressions against integrals and simulations."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats

from suffice._components.conditionals import blocks_of
from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, Unsupported
from suffice.distributions import Categorical, Gamma, MixtureDistribution, MultivariateNormal, Normal
from suffice.linear import LinearRegression
from suffice.mixtures import GaussianMixture
from suffice.mixtures.alignment import align, renumbered
from suffice.mixtures.bernoulli_mixture import BernoulliMixture
from suffice.mixtures.categorical_mixture import CategoricalMixture
from suffice.mixtures.mixture_model import MixtureModel
from suffice.mixtures.multinomial_mixture import MultinomialMixture
from suffice.mixtures.poisson_mixture import PoissonMixture

SHAPES = ["full", "tied", "diag", "spherical"]
NAMES = ["age", "height", "weight", "pulse"]


def known(K, D, shape="full", seed=0):
    """A mixture with parameters that are far from special, and rows drawn from it."""
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(K, D, D)) + 1.5 * np.eye(D)
    precisions = roots @ roots.transpose(0, 2, 1) / D
    given = {
        "full": precisions,
        "tied": precisions[0],
        "diag": np.diagonal(precisions, axis1=1, axis2=2),
        "spherical": precisions[:, 0, 0],
    }
    model = GaussianMixture(
        K,
        covariance_type=shape,
        weights_init=rng.dirichlet(np.full(K, 5.0)),
        means_init=2 * rng.normal(size=(K, D)),
        precisions_init=given[shape],
        max_iter=0,
        random_state=seed,
    )
    return model.fit(rng.normal(size=(max(K, 2), D)))


def with_gaps(X, share, seed=0):
    out = X.copy()
    out[np.random.default_rng(seed).random(X.shape) < share] = np.nan
    return out


# -- conditionals and marginals ------------------------------------------------------------------------------
class TestConditions:
    @pytest.mark.parametrize("shape", SHAPES)
    def test_one_component_is_the_normal_conditional(self, shape):
        model = known(1, 4, shape)
        whole = MultivariateNormal(model.means_[0], model.mixing_.components.covariances[0])
        mine, right = model.condition({2: 0.3, 0: -1.0}), whole.condition([2, 0], [0.3, -1.0])
        np.testing.assert_allclose(mine.mean, right.mean, rtol=1e-12)
        np.testing.assert_allclose(mine.cov, right.cov, rtol=1e-12, atol=1e-14)

    def test_three_components_match_the_integral_of_the_joint_density(self):
        model, x = known(3, 2), 0.4
        grid = np.linspace(-20, 20, 20001)
        joint = np.exp(model.score_samples(np.column_stack([np.full(len(grid), x), grid])))
        mass = np.trapezoid(joint, grid)
        mine = model.condition({0: x})
        np.testing.assert_allclose(mine.prob(grid), joint / mass, rtol=1e-9, atol=1e-15)
        assert mine.mean == pytest.approx(np.trapezoid(grid * joint, grid) / mass, rel=1e-9)
        below = np.trapezoid(np.where(grid <= 1.0, joint, 0.0), grid) / mass
        assert mine.cdf(1.0) == pytest.approx(below, abs=1e-3)
        assert mine.cdf(mine.quantile(0.2)) == pytest.approx(0.2, rel=1e-12)
        np.testing.assert_allclose(model.marginal(0).prob(x), mass, rtol=1e-9)

    @pytest.mark.parametrize("shape", SHAPES)
    def test_chain_rule(self, shape):
        model = known(3, 4, shape)
        row = model.sample(1, random_state=1)[0][0]
        first = model.marginal([3, 1])
        rest = model.condition({3: row[3], 1: row[1]})
        total = first.log_prob(row[[3, 1]]) + rest.log_prob(row[[0, 2]])
        assert total == pytest.approx(model.score_samples([row])[0], rel=1e-12)
        blank = np.where([False, True, False, True], row, np.nan)
        assert first.log_prob(row[[3, 1]]) == pytest.approx(model.score_samples([blank])[0], rel=1e-12)

    def test_far_away_the_weights_are_right_in_logs(self):
        model = known(3, 2)
        answer = model.condition({0: 1e6})
        assert np.isfinite(answer.mean)
        assert answer.weights.sum() == pytest.approx(1.0, rel=1e-12)

    def test_marginal_of_a_name_is_of_numbers_and_of_a_list_of_vectors(self):
        X = pd.DataFrame(known(3, 4).sample(200)[0], columns=NAMES)
        model = GaussianMixture(2, random_state=0, tol=1e-2).fit(X)
        single, several = model.marginal("weight"), model.marginal(["pulse", "age"])
        np.testing.assert_allclose(single.mean, model.weights_ @ model.means_[:, 2], rtol=1e-12)
        np.testing.assert_allclose(several.mean, model.weights_ @ model.means_[:, [3, 0]], rtol=1e-12)
        assert np.shape(model.marginal(["age"]).mean) == (1,)
        np.testing.assert_allclose(model.condition({"age": 1.0}).mean, model.condition({0: 1.0}).mean, rtol=0)

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"x9": 1.0}, "no column 'x9'.*Did you mean"),
            ({5: 1.0}, "numbers 0 to 3; got 5"),
            ({True: 1.0}, "name or number; got True"),
            ({"x0": np.nan}, "'x0' is to have the value nan.*leave the column out"),
            ({"x0": "tall"}, "'x0' is to have the value 'tall'"),
            ({"x0": 1.0, 0: 2.0}, "'x0' is named twice"),
            ({0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0}, "score_samples"),
            ({}, "map columns to values"),
            ([0, 1], "map columns to values"),
        ],
        ids=str,
    )
    def test_bad_conditions(self, given, message):
        with pytest.raises((InvalidInput, InvalidParameter), match=message):
            known(2, 4).condition(given)

    @pytest.mark.parametrize("columns", ["x7", [0, 0], [], 4, None, 1.5])
    def test_bad_marginals(self, columns):
        with pytest.raises(
            InvalidParameter, match="no column|named twice|at least one|0 to 3|name or number"
        ):
            known(2, 4).marginal(columns)


# -- imputation ----------------------------------------------------------------------------------------------
class TestImputation:
    @pytest.mark.parametrize("shape", SHAPES)
    def test_every_cell_is_the_conditional_of_its_row(self, shape):
        model = known(3, 4, shape)
        X = with_gaps(model.sample(5, random_state=0)[0], 0.4)
        X[3] = np.nan
        imputed = model.impute(X)
        low, high = imputed.interval(0.9)
        assert np.array_equal(imputed.cells, np.argwhere(np.isnan(X)))
        for m, (i, j) in enumerate(imputed.cells):
            seen = {k: v for k, v in enumerate(X[i]) if not np.isnan(v)}
            rest = model.condition(seen) if seen else model.marginal([0, 1, 2, 3])
            one = rest if len(seen) == 3 else rest.marginal([k for k in range(4) if k not in seen].index(j))
            expected = [one.mean, one.std, *one.interval(0.9), one.mean, one.cdf(0.5)]
            told = [
                imputed.mean[m],
                imputed.std[m],
                low[m],
                high[m],
                imputed.table[i, j],
                imputed[i, j].cdf(0.5),
            ]
            np.testing.assert_allclose(told, expected, rtol=1e-9, atol=1e-12)

    def test_known_cells_stay_and_nothing_is_left_open(self):
        model = known(2, 3)
        X = with_gaps(model.sample(200, random_state=0)[0], 0.3)
        imputed, there = model.impute(X), ~np.isnan(X)
        for table in [imputed.table, *imputed.sample(3, rng=0)]:
            assert np.array_equal(table[there], X[there])
            assert not np.isnan(table).any()
        again = model.impute(X[there.all(axis=1)])
        assert len(again) == 0
        assert np.array_equal(again.table, X[there.all(axis=1)])
        assert again.interval()[0].shape == (0,)
        assert len(again.sample(2)) == 2
        assert len(again.frame()) == 0

    def test_cells_of_a_row_are_drawn_together(self):
        model = known(2, 3, seed=9)
        X = np.array([[0.5, np.nan, np.nan], [np.nan, 1.0, 0.0]])
        n = 4000
        drawn = np.array(model.impute(X).sample(n, rng=0))
        pair, right = drawn[:, 0, 1:], model.condition({0: 0.5})
        assert np.all(np.abs(pair.mean(axis=0) - right.mean) < 4 * np.sqrt(np.diagonal(right.cov) / n))
        products = np.prod(pair - right.mean, axis=1)
        error = products.std() / np.sqrt(n)
        assert abs(right.cov[0, 1]) > 10 * error  # so that cells drawn apart would fail
        assert abs(products.mean() - right.cov[0, 1]) < 4 * error
        assert stats.kstest(drawn[:, 1, 0], model.condition({1: 1.0, 2: 0.0}).cdf).pvalue > 1e-3

    @pytest.mark.parametrize("shape", ["full", "diag"])
    def test_distributions_are_calibrated(self, shape):
        model = known(3, 4, shape, seed=5)
        truth = model.sample(2500, random_state=1)[0]
        X = with_gaps(truth, 0.35, seed=2)
        X[:50] = np.nan
        imputed = model.impute(X)
        first = np.unique(imputed.cells[:, 0], return_index=True)[1]  # one cell per row: independent
        missing = np.isnan(X)
        ranks = np.empty(X.shape)
        for j in range(4):
            ranks[missing[:, j], j] = imputed.of(j).cdf(truth[missing[:, j], j])
        ranks = ranks[missing][first]
        assert len(ranks) > 1800
        assert stats.kstest(ranks, "uniform").pvalue > 1e-3
        low, high = imputed.interval(0.9)
        inside = ((truth[missing] >= low) & (truth[missing] <= high))[first]
        assert abs(inside.mean() - 0.9) < 4 * np.sqrt(0.09 / len(first))

    @pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "list", "float32"])
    def test_the_table_stays_of_its_kind(self, kind):
        model = known(2, 4)
        rows = np.round(model.sample(20, random_state=0)[0], 3).astype(np.float32).astype(float)
        X = with_gaps(rows, 0.3)
        X[:, 0] = np.arange(20)
        frame = pd.DataFrame(X, columns=NAMES, index=[f"p{i}" for i in range(20)]).astype({"age": int})
        tables = {
            "pandas": frame,
            "polars": pl.DataFrame(X, schema=NAMES).with_columns(pl.col("age").cast(int)).fill_nan(None),
            "arrow": pa.Table.from_pandas(frame, preserve_index=False),
            "list": X.tolist(),
            "float32": X.astype(np.float32),
        }
        if kind not in ("list", "float32"):
            model = model.fit(pd.DataFrame(rows, columns=NAMES))
        table = tables[kind]
        imputed, right = model.impute(table), filled_singly(X, model)
        out = imputed.table
        assert type(out) is (np.ndarray if kind == "list" else type(table))
        np.testing.assert_allclose(np.asarray(out, dtype=float), right, rtol=1e-6)
        if kind == "pandas":
            assert list(out.index) == list(frame.index)
            assert out["age"].dtype == frame["age"].dtype
            told = imputed.frame(level=0.8)
            assert list(told) == ["row", "label", "column", "mean", "std", "low", "high"]
            assert list(told["label"]) == [f"p{i}" for i in imputed.cells[:, 0]]
            np.testing.assert_allclose(told[["low", "high"]].to_numpy().T, imputed.interval(0.8), rtol=0)
            assert "label" not in model.impute(tables["polars"]).frame(kind="polars").columns
            assert imputed[int(imputed.cells[0, 0]), NAMES[imputed.cells[0, 1]]].mean == imputed.mean[0]
        if kind == "float32":
            assert out.dtype == np.float32

    @pytest.mark.parametrize(
        ("cell", "message"),
        [
            ((0, 0), "no missing cell in column 'x0'"),
            ((0, "y"), "no column 'y'"),
            (3, "imputed.row, column"),
            ((-1, 1), "by their number, from 0 to 0; got -1"),
            (("r0", 1), "from 0 to 0; got 'r0'"),
            ((True, 1), "from 0 to 0; got True"),
        ],
    )
    def test_cells_that_are_not_there(self, cell, message):
        imputed = known(2, 2).impute([[0.0, np.nan]])
        with pytest.raises((InvalidInput, InvalidParameter), match=message):
            imputed[cell]
        with pytest.raises(InvalidInput, match="'x0' has no missing cell"):
            imputed.of(0)
        with pytest.raises(InvalidParameter, match="n must be an integer"):
            imputed.sample(0)
        assert repr(imputed) == "Imputation(1 missing cells in 1 rows)"

    def test_labels_of_rows_are_explained(self):
        X = pd.DataFrame({"a": [0.0, 1.0], "b": [1.0, np.nan]}, index=["r0", "r1"])
        with pytest.raises(InvalidParameter, match="got 'r1'. The label 'r1' is that of row 1"):
            known(2, 2).impute(X.set_axis([0, 1], axis=1))["r1", 1]

    def test_many_independent_columns_need_no_matrices(self):
        D = 300
        rng = np.random.default_rng(0)
        means, variances = rng.normal(size=(2, D)), rng.uniform(0.5, 2, (2, D))
        model = GaussianMixture.of([0.3, 0.7], means, variances, covariance_type="diag")
        assert not blocks_of(model.mixing_.components)[0].normal
        X = rng.normal(size=(2, D))
        X[0, 7] = np.nan
        cell, shares = model.impute(X)[0, 7], model.predict_proba(X)[0]
        right = MixtureDistribution(shares, Normal(means[:, 7], np.sqrt(variances[:, 7])))
        np.testing.assert_allclose([cell.mean, cell.cdf(0.2)], [right.mean, right.cdf(0.2)], rtol=1e-10)


def filled_singly(X, model):
    """What fills the gaps of X according to single conditionals."""
    out = X.copy()
    for i, row in enumerate(X):
        gaps = np.flatnonzero(np.isnan(row))
        if len(gaps):
            out[i, gaps] = model.condition({j: v for j, v in enumerate(row) if v == v}).mean
    return out


class TestDiscreteColumns:
    @staticmethod
    def flags():
        return BernoulliMixture(
            2, weights_init=[0.4, 0.6], probabilities_init=[[0.9, 0.8, 0.3], [0.2, 0.1, 0.4]], max_iter=0
        ).fit(np.eye(3))

    def test_yes_or_no_is_filled_with_the_more_probable(self):
        model = self.flags()
        X = np.array([[1.0, np.nan, 1.0], [np.nan, 0.0, np.nan], [np.nan] * 3])
        imputed = model.impute(X)
        share = 0.4 * 0.9 * 0.3 / (0.4 * 0.9 * 0.3 + 0.6 * 0.2 * 0.4)
        assert imputed.mean[0] == pytest.approx(share * 0.8 + (1 - share) * 0.1, rel=1e-12)
        assert np.array_equal(imputed.table, [[1, 1, 1], [0, 0, 0], [0, 0, 0]])
        assert set(np.unique(imputed.sample(5, rng=0))) == {0.0, 1.0}
        np.testing.assert_allclose(model.predict_dist(X, target=1).mean[0], imputed.mean[0], rtol=1e-12)

    def test_counts_are_filled_with_the_most_probable(self):
        model = PoissonMixture(
            2, weights_init=[0.3, 0.7], rates_init=[[1.0, 20.0], [6.0, 2.5]], max_iter=0
        ).fit(np.eye(2))
        X = np.column_stack([np.full(12, np.nan), np.arange(12.0)])
        imputed, values = model.impute(X), np.arange(40.0)
        for i in range(12):
            assert imputed.table[i, 0] == values[np.argmax(imputed[i, 0].prob(values))]
            assert imputed.probability[i] == pytest.approx(imputed[i, 0].prob(values).max(), rel=1e-12)
        assert imputed.frame()["most_probable"].tolist() == imputed.table[:, 0].tolist()

    def test_impossible_rows_are_named(self):
        model = BernoulliMixture(1, probabilities_init=[[0.0, 0.5]], max_iter=0).fit([[0, 0], [0, 1]])
        with pytest.raises(InvalidInput, match="No component allows values.*A prior"):
            model.condition({0: 1.0})
        for ask in (model.impute, lambda X: model.predict_dist(X, 1)):
            with pytest.raises(InvalidInput, match="the known cells of row 1"):
                ask([[0.0, np.nan], [1.0, np.nan]])

    def test_values_outside_the_family_are_refused(self):
        with pytest.raises(InvalidInput, match="0 and 1"):
            self.flags().condition({"x1": 0.5})

    def test_ways_out_exist_after_the_fit(self):
        rng = np.random.default_rng(0)
        X = pd.DataFrame(
            {"wait": rng.gamma(3, size=20), "calls": rng.poisson(2, 20), "x": rng.normal(size=20)}
        )
        model = MixtureModel({"wait": Gamma, "calls": "poisson"}, n_components=1).fit(X)
        way_out = "Correct the cell or leave it empty, or fit the column by another family"
        with pytest.raises(
            InvalidInput, match=f"known describes.*'wait' cannot be Gamma.*got -1.0. {way_out}"
        ):
            model.condition({"wait": -1.0})
        X.loc[[3, 5], "wait"], X.loc[2, "wait"] = -1.0, np.nan
        with pytest.raises(InvalidInput, match=f"'wait' cannot be Gamma at row 3: .*got -1.0. {way_out}"):
            model.predict(X)
        with pytest.raises(InvalidInput, match=f"got 1.5 at row 0, column 'calls'. {way_out}"):
            model.predict(X.assign(wait=1.0, calls=1.5))


def mixed_table(n=150):
    rng = np.random.default_rng(0)
    z = rng.integers(0, 2, n)
    a = rng.normal(3 * z, 1)
    frame = {"a": a, "b": 0.8 * a + rng.normal(size=n), "smokes": rng.random(n) < 0.2 + 0.5 * z}
    city = np.array(["Kiel", "Ulm", "Bonn"])[rng.integers(0, 2, n) + z]
    return pd.DataFrame(frame | {"visits": rng.poisson(1 + 3 * z), "city": city})


FAMILIES = {("a", "b"): "gaussian", "smokes": "bernoulli", "visits": "poisson", "city": "categorical"}


@pytest.fixture(scope="module")
def fitted():
    X = mixed_table()
    return MixtureModel(FAMILIES, n_components=2, random_state=0, tol=1e-3).fit(X), X


class TestMixedTables:
    def test_cells_follow_from_the_joint_density(self, fitted):
        model, X = fitted
        row = X.iloc[[0]].astype({"smokes": object, "visits": float, "city": object}).reset_index(drop=True)
        grid = np.linspace(-15, 20, 4001)
        values = {
            "a": grid,
            "visits": np.arange(60.0),
            "city": ["Bonn", "Kiel", "Ulm"],
            "smokes": [False, True],
        }
        for name, candidates in values.items():
            tried = row.loc[np.zeros(len(candidates), dtype=int)].reset_index(drop=True)
            tried[name] = candidates
            density = np.exp(model.score_samples(tried))
            gap = row.copy()
            gap[name] = np.nan if name in ("a", "visits") else None
            cell = model.impute(gap)[0, name]
            points = grid if name == "a" else candidates
            mass = np.trapezoid(density, grid) if name == "a" else density.sum()
            np.testing.assert_allclose(cell.prob(points), density / mass, rtol=1e-7, atol=1e-12)
            one = model.condition({k: v for k, v in row.iloc[0].items() if k != name})
            np.testing.assert_allclose(one.prob(points), cell.prob(points), rtol=1e-9, atol=1e-15)
            batch = model.predict_dist(gap, name)
            np.testing.assert_allclose(batch.prob(candidates[1]), [cell.prob(candidates[1])], rtol=1e-12)
            assert isinstance(cell, Categorical) == isinstance(one, Categorical) == (name == "city")

    def test_the_table_keeps_words_and_types(self, fitted):
        model, X = fitted
        gaps = X[:5].astype({"smokes": "boolean", "visits": "Int64"})
        gaps.loc[0, ["a", "b"]] = np.nan
        gaps.loc[1, ["smokes", "visits", "city"]] = [pd.NA, pd.NA, None]
        imputed = model.impute(gaps)
        for out in [imputed.table, *imputed.sample(2, rng=0)]:
            assert list(map(str, out.dtypes)) == list(map(str, gaps.dtypes))
            assert not out.isna().any(axis=None)
            assert out.loc[1, "city"] in {"Bonn", "Kiel", "Ulm"}
            pd.testing.assert_frame_equal(out[2:], gaps[2:])
        city = imputed[1, "city"].prob(["Bonn", "Kiel", "Ulm"])
        assert imputed.table.loc[1, "city"] == ["Bonn", "Kiel", "Ulm"][int(np.argmax(city))]
        drawn = imputed.given.drawn(2000, 1)[:, -1]  # as codes; the last missing cell
        share = np.array([np.mean(drawn == code) for code in range(3)])
        assert np.all(np.abs(share - city) < 4 * np.sqrt(0.25 / 2000))

    def test_conditions_take_words(self, fitted):
        model, _ = fitted
        pair = model.condition({"city": "Ulm", "visits": 3, "smokes": True})
        assert np.shape(pair.cov) == (2, 2)
        assert abs(pair.cov[0, 1]) > 0.1
        assert np.shape(model.marginal(["b", "a"]).cov) == (2, 2)
        with pytest.raises(InvalidInput, match="'city' has no value 'Bon'.*Did you mean 'Bonn'"):
            model.condition({"city": "Bon"})
        with pytest.raises(Unsupported, match="vary together.*predict_dist; impute has every missing cell"):
            model.condition({"city": "Ulm"})
        with pytest.raises(InvalidInput, match="'city' has no value 3.0. It has 'Bonn', .*; leave it out"):
            model.condition({"city": 3.0})

    def test_categories_have_no_mean_but_a_most_probable_word(self, fitted):
        model, X = fitted
        gaps = X[:3].astype({"smokes": object, "city": object})
        gaps.loc[0, ["a", "city"]], gaps.loc[1, ["smokes", "visits"]] = [np.nan, None], [None, np.nan]
        imputed = model.impute(gaps)
        told = imputed.frame().set_index("column")
        assert told.loc["city", ["mean", "std", "low", "high"]].isna().all()
        assert told.loc[["a", "smokes", "visits"], ["mean", "std", "low", "high"]].notna().all(axis=None)
        words = imputed.of("city")
        assert words.classes.tolist() == ["Bonn", "Kiel", "Ulm"]
        assert told.loc["city", "most_probable"] == words.mode[0] == imputed.table.loc[0, "city"]
        assert told.loc["city", "probability"] == words.probabilities.max()
        assert told.loc["smokes", "most_probable"] is imputed.table.loc[1, "smokes"]
        assert told.loc["smokes", "probability"] == pytest.approx(abs(told.loc["smokes", "mean"] - 0.5) + 0.5)
        assert told.loc["a", "most_probable"] is None
        texts = imputed.frame(kind="polars")["most_probable"].to_list()
        assert texts == [None if v is None else str(v) for v in told["most_probable"]]
        whole = model.marginal("city")
        assert whole.prob("Ulm") == pytest.approx(model.weights_ @ model.mixing_.components.parts[3].table[2])

    def test_numbers_that_are_categories_come_back_as_such(self):
        X = np.array([[1, 5], [1, 5], [4, 7], [4, 5.0]])
        model = CategoricalMixture(1).fit(X)
        assert model.predict_dist(X, 1).prob(7).tolist() == [0.25] * 4
        assert model.condition({0: np.array(4)}).prob(5) == 0.75
        with pytest.raises(InvalidInput, match="'x0' has no value '4'. Did you mean the number 4?"):
            model.condition({0: "4"})
        with pytest.raises(InvalidInput, match="'x0' has no value 'b'. Its values are numbers, such as 1"):
            model.condition({0: "b"})

    def test_values_taken_from_a_table_are_values(self, fitted):
        model, X = fitted
        known = {
            "city": X["city"][0],
            "visits": X["visits"][0],
            "a": np.array(X["a"][0]),
            "b": X["b"].iloc[0],
        }
        right = model.condition({**known, "a": X["a"][0]})
        np.testing.assert_allclose(model.condition(known).mean, right.mean, rtol=0)
        pair = model.condition({"smokes": X["smokes"][0], "city": "Ulm", "visits": np.array(2)})
        right = model.condition({"smokes": bool(X["smokes"][0]), "city": "Ulm", "visits": 2})
        np.testing.assert_allclose(pair.mean, right.mean, rtol=0)


class TestTypesOfTables:
    """Columns of every type that a fit takes are filled in their own type."""

    @pytest.mark.parametrize(
        ("make", "kind"),
        [
            (lambda: pa.array([1.0, None, 3.0, 1.0], pa.float32()), "float"),
            (lambda: pa.array(["a", None, "b", "a"]).dictionary_encode(), "dictionary"),
            (lambda: pa.array(["a", None, "b", "a"], pa.large_string()), "large_string"),
            (lambda: pa.array([True, None, False, True]), "bool"),
            (lambda: pa.array([4, None, 5, 4], pa.int16()), "double"),  # a mean is not whole
        ],
        ids=["float32", "dictionary", "large_string", "bool", "int16"],
    )
    def test_arrow(self, make, kind):
        table = pa.table({"f": make(), "x": [1.0, 2.0, 3.0, 4.0]})
        model = MixtureModel(n_components=1).fit(table)
        imputed = model.impute(table)
        for out in (imputed.table, *imputed.sample(1, rng=0)):
            assert str(out.schema.field("f").type).startswith(kind)
            assert out["f"].null_count == 0
            assert out["x"] == table["x"]
        best = {"float": 5 / 3, "bool": True, "double": 13 / 3}.get(kind, "a")
        cell = imputed.table["f"][1].as_py()
        assert cell == best if kind not in ("float", "double") else cell == pytest.approx(best, rel=1e-6)

    def test_columns_without_a_known_cell_are_filled_as_the_fit_had_them(self):
        X = pd.DataFrame({"f": [True, False, False], "w": ["a", "b", "b"], "x": [1.0, 2.0, 3.0]})
        model = MixtureModel(n_components=1).fit(X)
        gaps = X[:1].assign(f=np.array([None], object), w=np.array([None], object))
        for table in (gaps, pa.Table.from_pandas(gaps), pl.from_pandas(gaps)):
            out = model.impute(table).table
            out = out if isinstance(out, pd.DataFrame) else out.to_pandas()
            assert out["f"].tolist() == [False]
            assert isinstance(out["f"].tolist()[0], bool)
            assert out["w"].tolist() == ["b"]
        numbers = model.impute(gaps.assign(f=[np.nan])).table
        assert numbers["f"].dtype == float

    def test_a_category_that_the_table_lacks_is_added(self):
        X = pd.DataFrame({"w": ["a", "b", "b"], "x": [1.0, 2.0, 3.0]})
        model = MixtureModel(n_components=1).fit(X)
        gaps = pd.DataFrame({"w": pd.Categorical(["a", None], ["a"]), "x": [1.0, 2.0]})
        assert model.impute(gaps).table["w"].tolist() == ["a", "b"]


# -- regression ----------------------------------------------------------------------------------------------
class TestRegression:
    def test_one_component_is_least_squares(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 3))
        model = GaussianMixture(1, reg_covar=0.0).fit(X)
        line = LinearRegression().fit(X[:, :2], X[:, 2])
        d = model.predict_dist(X, target=2)
        np.testing.assert_allclose(d.mean, line.predict(X[:, :2]), rtol=1e-8)
        residual = X[:, 2] - line.predict(X[:, :2])
        np.testing.assert_allclose(d.std, np.sqrt(np.mean(residual**2)), rtol=1e-8)

    def test_rows_are_conditioned_one_by_one(self):
        model = known(3, 4)
        X = with_gaps(model.sample(12, random_state=0)[0], 0.3)
        X[0] = np.nan
        d = model.predict_dist(X, target="x2")
        for i, row in enumerate(X):
            seen = {j: v for j, v in enumerate(row) if v == v and j != 2}
            one = model.condition(seen) if seen else model.marginal(2)
            one = (
                one
                if np.ndim(one.mean) == 0
                else one.marginal([j for j in range(4) if j not in seen].index(2))
            )
            np.testing.assert_allclose([d[i].mean, d[i].cdf(0.3)], [one.mean, one.cdf(0.3)], rtol=1e-9)

    def test_the_target_may_be_anything_or_nothing(self):
        model = known(2, 3)
        X = model.sample(10, random_state=0)[0]
        right = model.predict_dist(X, 1).mean
        for other in (np.nan, 1e6):
            changed = X.copy()
            changed[:, 1] = other
            assert np.array_equal(model.predict_dist(changed, 1).mean, right)
        assert np.array_equal(model.predict_dist(X[:, [0, 2]], 1).mean, right)

    @pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
    def test_tables_without_the_target(self, kind):
        X = pd.DataFrame(known(2, 4).sample(30, random_state=0)[0], columns=NAMES)
        model = GaussianMixture(1).fit(X)
        make = {"pandas": lambda f: f, "polars": pl.from_pandas, "arrow": pa.Table.from_pandas}[kind]
        part = make(X.drop(columns="weight"))
        right = model.predict_dist(X, "weight").mean
        np.testing.assert_allclose(model.predict_dist(part, "weight").mean, right, rtol=0)
        with pytest.raises(ValueError, match="feature names|names"):
            model.predict_dist(make(X.drop(columns="weight").rename(columns={"age": "years"})), "weight")
        for fitted in (model, MixtureModel(n_components=1).fit(X)):
            with pytest.raises(ValueError, match="feature names[^~]*(missing|'weight'\\))"):
                fitted.predict_dist(make(X.drop(columns="age")), "weight")

    def test_bad_targets(self):
        model = known(2, 2)
        with pytest.raises(InvalidParameter, match="Name the column to predict.*target='x1'"):
            model.predict_dist([[0.0, 1.0]])
        with pytest.raises(InvalidParameter, match="no column 'y'"):
            model.predict_dist([[0.0, 1.0]], target="y")
        with pytest.raises(InvalidInput, match="one column"):
            known(2, 1).predict_dist([[0.0]], target=0)


# -- numbers of components -----------------------------------------------------------------------------------
class TestAlignment:
    @pytest.mark.parametrize("shape", SHAPES)
    def test_a_renumbered_mixture_finds_its_numbers_back(self, shape):
        model = known(5, 3, shape)
        shuffled = renumbered(model, np.array([3, 0, 4, 1, 2]))
        X = model.sample(50, random_state=0)[0]
        np.testing.assert_allclose(shuffled.score_samples(X), model.score_samples(X), rtol=1e-12)
        assert not np.array_equal(shuffled.predict(X), model.predict(X))
        for back in (align(shuffled, model), align(shuffled, model, X), align(shuffled, model.predict(X), X)):
            for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"):
                np.testing.assert_allclose(
                    getattr(back, name), getattr(model, name), rtol=1e-12, err_msg=name
                )
            assert np.array_equal(back.predict(X), model.predict(X))
        np.testing.assert_allclose(
            shuffled.weights_, model.weights_[[3, 0, 4, 1, 2]], rtol=0
        )  # left as it was

    def test_fits_to_other_rows_get_comparable_numbers(self):
        truth = GaussianMixture(
            3, weights_init=[0.5, 0.3, 0.2], means_init=[[0, 0], [5, 0], [0, 5]], precisions_init=[np.eye(2)] * 3,
            max_iter=0,
        ).fit(np.eye(2, 2).repeat(2, axis=0))  # fmt: skip
        for seed in range(3):
            X = pd.DataFrame(truth.sample(300, random_state=seed)[0], columns=["a", "b"])
            fitted = GaussianMixture(3, random_state=seed).fit(X)
            named = GaussianMixture(3, random_state=seed + 9).fit(X)
            np.testing.assert_allclose(align(named, fitted).means_, fitted.means_, atol=0.1)
            labels = np.array(["first", "second", "third"])[truth.predict(X.to_numpy())]
            np.testing.assert_allclose(align(fitted, labels, X).means_, truth.means_, atol=0.5)

    def test_left_over_components_come_last_and_weights_count(self):
        model = known(3, 2, seed=2)
        X = model.sample(40, random_state=0)[0]
        labels = np.where(model.predict(X) == 2, "a", "b")
        out = align(model, labels, X)
        assert out.weights_[0] == model.weights_[2]
        assert sorted(out.weights_) == sorted(model.weights_)
        twice = align(model, labels[:30], X[:30], sample_weight=np.r_[np.full(20, 2), np.zeros(10)])
        right = align(model, labels[:20].repeat(2), X[:20].repeat(2, axis=0))
        assert np.array_equal(twice.weights_, right.weights_)

    def test_a_weights_prior_moves_along(self):
        X = known(2, 2).sample(60, random_state=0)[0]
        model = GaussianMixture(2, weights_prior=[3.0, 1.0], random_state=0).fit(X)
        back = align(model, 1 - model.predict(X), X)
        assert back.mixing_.log_prior == pytest.approx(model.mixing_.log_prior, rel=1e-12)

    def test_what_cannot_be_aligned(self):
        model, X = known(2, 2), np.zeros((3, 2))
        with pytest.raises(InvalidParameter, match="labels with the rows X"):
            align(model, [0, 1, 1])
        with pytest.raises(InvalidInput, match="one label per row of X, 3; got 2"):
            align(model, [0, 1], X)
        with pytest.raises(InvalidInput, match="has 3 components or labels and the model 2"):
            align(model, ["a", "b", "c"], X)
        with pytest.raises(HeaderMismatch, match="same columns"):
            align(model, known(2, 3))
        with pytest.raises(InvalidParameter, match="mixture fitted by EM"):
            align(Normal(0, 1), model)
        with pytest.raises(InvalidParameter, match="give X as well"):
            align(model, model, sample_weight=[1.0])


def test_what_is_not_fitted_says_so():
    for ask in (lambda m: m.condition({0: 1.0}), lambda m: m.marginal(0), lambda m: m.impute([[1.0]])):
        with pytest.raises(ValueError, match="not fitted"):
            ask(GaussianMixture())


def test_counts_of_a_total_have_no_conditionals():
    X = np.array([[3, 1, 0], [0, 2, 2], [1, 1, 3], [4, 0, 0]])
    model = MultinomialMixture(2, random_state=0).fit(X)
    asks = (
        lambda: model.condition({0: 1.0}),
        lambda: model.predict_dist(X, 1),
        lambda: model.impute([[np.nan] * 3]),
    )
    for ask in asks:
        with pytest.raises(
            Unsupported, match="'x2' are counts given their total.*total: fit them by 'poisson'"
        ):
            ask()
    table = pd.DataFrame(X, columns=list("abc")).assign(h=["x", "y", "y", "x"])
    model = MixtureModel({("a", "b", "c"): "multinomial"}, n_components=1).fit(table)
    for ask in (lambda: model.condition({"h": "x"}), lambda: model.predict_dist(table, "a")):
        with pytest.raises(Unsupported, match="'a', 'b', 'c' are counts.*give all of them, or fit them"):
            ask()
    assert model.condition({"a": 1, "b": 2, "c": 0}).prob("x") == 0.5
