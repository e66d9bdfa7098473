"""Mixtures as joint models: conditionals, marginals, imputations and regressions against integrals and simulations."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats

from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, Unsupported
from suffice.distributions import MultivariateNormal, Normal
from suffice.linear import LinearRegression
from suffice.mixtures import GaussianMixture
from suffice.mixtures.alignment import align, renumbered
from suffice.mixtures.bernoulli_mixture import BernoulliMixture
from suffice.mixtures.mixture_model import MixtureModel
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
        X = with_gaps(model.sample(12, random_state=0)[0], 0.4)
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

    @pytest.mark.parametrize("shape", SHAPES)
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
            assert list(imputed.frame().columns) == ["row", "column", "mean", "std"]
            assert imputed[int(imputed.cells[0, 0]), NAMES[imputed.cells[0, 1]]].mean == imputed.mean[0]
        if kind == "float32":
            assert out.dtype == np.float32

    @pytest.mark.parametrize(
        ("cell", "message"),
        [((0, 0), "no missing cell in column 'x0'"), ((0, "y"), "no column 'y'"), (3, "imputed.row, column")],
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
            points = grid if name == "a" else np.arange(len(candidates))
            mass = np.trapezoid(density, grid) if name == "a" else density.sum()
            np.testing.assert_allclose(cell.prob(points), density / mass, rtol=1e-7, atol=1e-12)
            one = model.condition({k: v for k, v in row.iloc[0].items() if k != name})
            np.testing.assert_allclose(one.mean, cell.mean, rtol=1e-10)
            np.testing.assert_allclose(model.predict_dist(gap, name).mean, [cell.mean], rtol=1e-12)

    def test_the_table_keeps_words_and_types(self, fitted):
        model, X = fitted
        gaps = X.astype({"smokes": "boolean", "visits": "Int64"})
        gaps.loc[0, ["a", "b"]] = np.nan
        gaps.loc[1, ["smokes", "visits", "city"]] = [pd.NA, pd.NA, None]
        imputed = model.impute(gaps)
        for out in [imputed.table, *imputed.sample(2, rng=0)]:
            assert list(map(str, out.dtypes)) == list(map(str, gaps.dtypes))
            assert not out.isna().any(axis=None)
            assert out.loc[1, "city"] in {"Bonn", "Kiel", "Ulm"}
            pd.testing.assert_frame_equal(out[2:], gaps[2:])
        city = imputed[1, "city"].prob([0, 1, 2])
        assert imputed.table.loc[1, "city"] == ["Bonn", "Kiel", "Ulm"][int(np.argmax(city))]
        drawn = [t.loc[1, "city"] for t in imputed.sample(400, rng=1)]
        share = np.array([drawn.count(c) / 400 for c in ("Bonn", "Kiel", "Ulm")])
        assert np.all(np.abs(share - city) < 4 * np.sqrt(0.25 / 400))

    def test_conditions_take_words(self, fitted):
        model, _ = fitted
        pair = model.condition({"city": "Ulm", "visits": 3, "smokes": True})
        assert np.shape(pair.cov) == (2, 2)
        assert abs(pair.cov[0, 1]) > 0.1
        assert np.shape(model.marginal(["b", "a"]).cov) == (2, 2)
        with pytest.raises(InvalidInput, match="'city' has no value 'Bon'.*Did you mean 'Bonn'"):
            model.condition({"city": "Bon"})
        with pytest.raises(Unsupported, match="vary together"):
            model.condition({"city": "Ulm"})


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


def test_families_without_conditionals_say_so():
    from suffice.mixtures.multinomial_mixture import MultinomialMixture

    model = MultinomialMixture(2, random_state=0).fit([[3, 1, 0], [0, 2, 2], [1, 1, 3], [4, 0, 0]])
    with pytest.raises(InvalidInput, match="given the total of a row"):
        model.condition({0: 1.0})
