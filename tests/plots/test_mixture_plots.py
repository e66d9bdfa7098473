"""Figures of mixtures draw the fitted parameters, the shares of rows, and the steps of the iteration."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from sklearn.exceptions import NotFittedError
from sklearn.mixture import GaussianMixture as TheirGaussianMixture

from suffice import plots
from suffice._core.errors import Unsupported
from suffice.mixtures import GaussianMixture, GibbsGaussianMixture, MixtureModel
from suffice.mixtures.select_components import select_components
from suffice.plots._style import BLUE, GREEN, INK, ORANGE

rng = np.random.default_rng(0)
X = np.vstack([rng.normal(m, 1, (40, 3)) for m in ([0, 0, 0], [4, 0, 1], [2, 5, 2])])
GAPS = X.copy()
GAPS[::9, 1], GAPS[4::11, 0], GAPS[1, :2] = np.nan, np.nan, np.nan
MODEL = GaussianMixture(3, random_state=0).fit(GAPS)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def lines(ax):
    return [line for line in ax.lines if len(line.get_xdata()) > 1]


class TestEllipses:
    @pytest.mark.parametrize("shape", ["full", "tied", "diag", "spherical"])
    def test_they_lie_so_many_standard_deviations_from_the_mean(self, shape):
        model = GaussianMixture(3, covariance_type=shape, random_state=0).fit(X)
        ax = plots.mixture_ellipses(model, columns=[2, 0], levels=[1, 2])
        drawn = lines(ax)
        assert len(drawn) == 6
        for i, line in enumerate(drawn):
            part = model.distribution_.components[i // 2]
            mean, cov = part.mean[[2, 0]], part.cov[np.ix_([2, 0], [2, 0])]
            away = line.get_xydata() - mean
            squared = np.sum(away * np.linalg.solve(cov, away.T).T, axis=1)
            np.testing.assert_allclose(squared, (1 + i % 2) ** 2, rtol=1e-9)
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("x2", "x0")

    def test_rows_have_the_mixed_color_of_their_components(self):
        ax = plots.mixture_ellipses(MODEL, GAPS)
        whole = np.isfinite(GAPS[:, :2]).all(axis=1)
        np.testing.assert_array_equal(ax.collections[0].get_offsets(), GAPS[whole, :2])
        hues = np.array([to_rgb(c) for c in (BLUE, ORANGE, GREEN)])
        mixed = MODEL.predict_proba(GAPS)[whole] @ hues
        np.testing.assert_allclose(ax.collections[0].get_facecolors()[:, :3], mixed, atol=1e-12)
        weights = [text.get_text() for text in ax.get_legend().get_texts()]
        assert weights == [f"π = {w:.2f}" for w in MODEL.weights_]

    def test_a_missing_coordinate_is_a_dash_at_the_margin(self):
        ax = plots.mixture_ellipses(MODEL, GAPS)
        known = np.isfinite(GAPS[:, :2])
        below, left = ax.collections[1:]
        np.testing.assert_array_equal(below.get_offsets()[:, 0], GAPS[known[:, 0] & ~known[:, 1], 0])
        np.testing.assert_array_equal(left.get_offsets()[:, 1], GAPS[known[:, 1] & ~known[:, 0], 1])
        neither = int((~known).all(axis=1).sum())
        note = f"dashes: the other coordinate is missing; without either, not shown: {neither}"
        assert note in [text.get_text() for text in ax.texts]

    def test_one_column_is_curves_that_add_to_the_density(self):
        ax = plots.mixture_ellipses(MODEL, GAPS, columns=[1])
        *parts, total = lines(ax)
        at = total.get_xdata()
        np.testing.assert_allclose(total.get_ydata(), MODEL.distribution_.marginal(1).prob(at), rtol=1e-9)
        np.testing.assert_allclose(
            np.sum([p.get_ydata() for p in parts], axis=0), total.get_ydata(), rtol=1e-9
        )
        assert np.trapezoid(total.get_ydata(), at) > 0.99
        assert ax.collections[0].get_offsets().shape[0] == np.isfinite(GAPS[:, 1]).sum()

    def test_names_of_a_table(self):
        pandas = pytest.importorskip("pandas")
        table = pandas.DataFrame(X, columns=["height", "weight", "age"])
        model = GaussianMixture(2, random_state=0).fit(table)
        for rows in (table, None):
            ax = plots.mixture_ellipses(model, rows, columns=["age", "height"])
            assert (ax.get_xlabel(), ax.get_ylabel()) == ("age", "height")

    @pytest.mark.parametrize("kind", ["pandas", "polars", "array"])
    def test_numbers_of_a_table_with_text(self, kind):
        labels = np.repeat(["a", "b", "c"], 40)
        rows = np.column_stack([X[:, 0].astype(object), labels, X[:, 1]])
        names, chosen = ["width", "species", "height"], [0, 2]
        if kind != "array":
            frame = pytest.importorskip(kind).DataFrame
            rows = frame(dict(zip(names, (X[:, 0], labels, X[:, 1]), strict=True)))
            chosen = ["width", "height"]
        model = MixtureModel(n_components=3, prior={1: 2.0}, random_state=0).fit(rows)
        ax = plots.mixture_ellipses(model, rows, columns=chosen, levels=[1])
        np.testing.assert_allclose(ax.collections[0].get_offsets(), X[:, :2], rtol=1e-12)
        middles = [line.get_xydata()[:-1].mean(axis=0) for line in lines(ax)]
        np.testing.assert_allclose(middles, [c.mean for c in model.marginal(chosen).components], atol=1e-9)
        assert plots.mixture_ellipses(model, rows, columns=chosen[1]).get_ylabel() == "density"
        for columns in (1, [0, 1]):
            with pytest.raises(Unsupported, match="holds categories, .* or read model.summary"):
                plots.mixture_ellipses(model, rows, columns=columns)

    @pytest.mark.parametrize(
        "options, match",
        [
            ({"columns": [0, 0]}, "columns must be one or two different columns"),
            ({"columns": [0, 7]}, "columns must be one or two different columns"),
            ({"columns": ["no"]}, "columns must be one or two different columns"),
            ({"columns": np.int64(3)}, "columns must be one or two different columns"),
            ({"columns": None}, "columns must be one or two different columns"),
            ({"levels": [0]}, "levels must be standard deviations above 0"),
        ],
    )
    def test_what_is_refused(self, options, match):
        with pytest.raises(ValueError, match=match):
            plots.mixture_ellipses(MODEL, GAPS, **options)

    def test_a_number_of_numpy_is_a_column(self):
        assert plots.mixture_ellipses(MODEL, columns=np.int64(2)).get_xlabel() == "x2"

    @pytest.mark.parametrize("rows", [None, X])
    def test_before_the_fit(self, rows):
        with pytest.raises(NotFittedError, match="This GaussianMixture instance is not fitted yet"):
            plots.mixture_ellipses(GaussianMixture(2), rows)

    def test_other_mixtures_are_refused_with_a_way_that_works(self):
        theirs = TheirGaussianMixture(2, covariance_type="tied", random_state=0).fit(X)
        gibbs = GibbsGaussianMixture(2, n_samples=4, warmup=2, n_chains=1, random_state=0).fit(X[::9])
        for model in (theirs, gibbs):
            with pytest.raises(
                TypeError, match=r"Mixture has no distribution_ .* GaussianMixture\.of\(model"
            ):
                plots.mixture_ellipses(model, X)
        parts = (theirs.weights_, theirs.means_, theirs.covariances_)
        drawn = lines(plots.mixture_ellipses(GaussianMixture.of(*parts, covariance_type="tied"), X))
        middle = drawn[0].get_xydata()[:-1].mean(axis=0)
        np.testing.assert_allclose(middle, theirs.means_[0, :2], atol=1e-9)


class TestFilm:
    def test_frames_are_the_iteration_cut_short(self):
        model = GaussianMixture(3, init_params="random_from_data", random_state=1, reg_covar=0)
        panels = plots.em_film(X, model, steps=(0, 1, 4))
        for ax, steps in zip(panels, (0, 1, 4), strict=True):
            alone = GaussianMixture(
                3, init_params="random_from_data", random_state=1, reg_covar=0, max_iter=100, tol=0.0
            )
            part = alone.set_params(max_iter=steps)
            likelihood = quietly(part).trace_.columns["likelihood"][-1]
            assert ax.get_title(loc="left").endswith(f"L = {likelihood:.1f}")
            for line, mean, cov in zip(lines(ax), part.means_, part.covariances_, strict=True):
                away = line.get_xydata() - mean[:2]
                squared = np.sum(away * np.linalg.solve(cov[:2, :2], away.T).T, axis=1)
                np.testing.assert_allclose(squared, 4.0, rtol=1e-7)

    def test_the_last_frame_is_the_end(self):
        model = GaussianMixture(3, random_state=0, tol=1e-5, max_iter=300)
        panels = plots.em_film(X, model, steps=[2, None])
        assert "converged" in panels[-1].get_title(loc="left")
        end = model.fit(X).trace_.columns["likelihood"][-1]
        assert panels[-1].get_title(loc="left").endswith(f"L = {end:.1f}")

    @pytest.mark.parametrize("seed", [0, None, np.random.default_rng(3)], ids=str)
    def test_the_limit_is_the_models_own(self, seed):
        model = GaussianMixture(3, random_state=seed, tol=0.0, max_iter=3, init_params="random")
        *_, same, end = panels = plots.em_film(X, model, steps=(1, 3, None))
        assert words(panels) == ["1 step", "3 steps", "3 steps, at the limit"]
        for ours, theirs in zip(lines(same), lines(end), strict=True):  # whatever the seed, from one start
            np.testing.assert_array_equal(ours.get_xydata(), theirs.get_xydata())

    def test_none_does_not_go_on_from_later_steps(self):
        model = GaussianMixture(3, random_state=0, tol=10.0, init_params="random")
        end = model.fit(X).n_iter_
        assert end < 7
        last = words(plots.em_film(X, model, steps=(7, None)))[-1]
        assert last == f"{end} step{'s' if end > 1 else ''}, converged"

    def test_no_panel_walks_past_the_end(self):
        model = GaussianMixture(1, random_state=0, tol=0.0)  # the start is the end
        first, *others = words(plots.em_film(X, model, steps=(0, 50, 200, None)))
        assert first == "start"
        assert len(set(others)) == 1
        assert others[0] in ("1 step, converged", "2 steps, converged")

    def test_the_model_is_left_alone(self):
        model = GaussianMixture(3, random_state=0)
        plots.em_film(X, model, steps=[0, 1])
        assert not hasattr(model, "mixing_")

    @pytest.mark.parametrize("steps", [[], [2, 1], [None, 3], [1.5], [-1], 5, None])
    def test_steps_that_are_none(self, steps):
        with pytest.raises(ValueError, match="steps must be whole numbers that rise"):
            plots.em_film(X, MODEL, steps=steps)


def words(panels):
    return [ax.get_title(loc="left").split(":")[0] for ax in panels]


def quietly(model):
    from suffice._core.errors import hold_warnings

    with hold_warnings():
        return model.fit(X)


class TestTraceAndSelection:
    @pytest.mark.parametrize("given", [MODEL, MODEL.trace_], ids=["model", "trace"])
    def test_bound_and_likelihood(self, given):
        ax = plots.bound_trace(given)
        bound, likelihood = lines(ax)
        np.testing.assert_array_equal(bound.get_ydata(), MODEL.trace_.columns["bound"])
        np.testing.assert_array_equal(likelihood.get_ydata(), MODEL.trace_.columns["likelihood"])
        assert np.all(bound.get_ydata() <= likelihood.get_ydata() + 1e-9)

    def test_a_trace_without_a_bound(self):
        from suffice._core.trace import Trace

        with pytest.raises(ValueError, match="This trace has no bound"):
            plots.bound_trace(Trace(np.zeros(2), True, {}))
        with pytest.raises(ValueError, match="this GaussianMixture has no trace_"):
            plots.bound_trace(GaussianMixture.of([1.0], [[0.0]], [[[1.0]]]))
        with pytest.raises(NotFittedError, match="This GaussianMixture instance is not fitted yet"):
            plots.bound_trace(GaussianMixture(2))

    def test_held_out_likelihood_has_bars_of_the_folds(self):
        found = select_components(GaussianMixture(reg_covar=1e-2), X, [1, 3], cv=3, n_init=2, random_state=0)
        ax = plots.component_selection(found)
        np.testing.assert_array_equal(ax.lines[0].get_ydata(), found.values)
        (bars,) = ax.containers
        ends = np.array([path.vertices[:, 1] for path in bars.lines[2][0].get_paths()])
        np.testing.assert_allclose(np.ptp(ends, axis=1), 2 * found.fold_std, rtol=1e-9)
        assert f"best: {found.best}" in [text.get_text() for text in ax.get_legend().get_texts()]

    def test_a_curve_per_shape_and_a_mark_in_the_color_of_its_own(self):
        found = select_components(
            GaussianMixture(reg_covar=1e-2),
            X,
            [3, 2],
            criterion="icl",
            covariance_types=["diag", "tied"],
            n_init=2,
            random_state=0,
        )
        ax = plots.component_selection(found)
        names = [text.get_text() for text in ax.get_legend().get_texts()]
        assert names == ["diag", "tied", f"best: {found.best}"]
        np.testing.assert_array_equal(ax.lines[1].get_xydata(), [[2, found.values[3]], [3, found.values[2]]])
        assert not ax.containers
        assert found.best.covariance_type == "diag"
        assert ax.lines[-1].get_markerfacecolor() == ax.lines[0].get_color() == BLUE
        assert ax.lines[1].get_color() == ORANGE
        assert ax.lines[-1].get_markeredgecolor() == INK

    def test_something_else(self):
        with pytest.raises(ValueError, match="component_selection draws a ComponentSelection; got int"):
            plots.component_selection(3)
