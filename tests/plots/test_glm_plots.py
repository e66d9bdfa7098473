"""Figures of generalized linear models draw the numbers of their records."""

from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from scipy.special import expit
from scipy.stats import chi2

from suffice import plots
from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.bases import Polynomial
from suffice.datasets import two_clouds
from suffice.glm import (
    BayesianLogisticRegression,
    LogisticRegression,
    PoissonRegression,
    SoftmaxRegression,
    posterior_surface,
)
from suffice.likelihoods import BernoulliLogit, ComplementaryLogLog, PoissonLog
from suffice.linear import LinearRegression

DATA = two_clouds(60, random_state=4)
X, Y = DATA.X, DATA.y
MODEL = LogisticRegression.book(0.1).fit(X, Y)
SURFACE = posterior_surface(MODEL, X, Y, points=121)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def line(ax, name):
    return np.column_stack(next(found for found in ax.lines if found.get_label() == name).get_data())


def contours(ax):
    return [c for c in ax.collections if hasattr(c, "levels") and not c.filled]


class TestSurface:
    def test_the_ellipses_hold_what_they_say(self):
        """All of them lie at the radii of χ² with two degrees of freedom."""
        ax = plots.posterior_surface(SURFACE)
        dashed = [np.column_stack(found.get_data()) for found in ax.lines if len(found.get_xdata()) > 100]
        precision = np.linalg.inv(SURFACE.cov)
        for at, share in zip(dashed, (0.5, 0.8, 0.95), strict=True):
            off = at - SURFACE.peak
            depth = np.einsum("ni,ij,nj->n", off, precision, off)
            np.testing.assert_allclose(depth, chi2(2).ppf(share), rtol=2e-3)

    def test_the_contours_are_those_of_the_posterior(self):
        (drawn,) = contours(plots.posterior_surface(SURFACE))
        np.testing.assert_allclose(np.exp(drawn.levels), [0.05, 0.2, 0.5], rtol=2e-3)
        for path, level in zip(drawn.get_paths(), drawn.levels, strict=True):
            for w in path.vertices[::40]:
                joint = BernoulliLogit().log_prob(Y, X @ w).sum() - 0.05 * w @ w
                # straight lines between points of the grid
                assert joint - SURFACE.height == pytest.approx(level, abs=0.02)

    def test_path_truth_and_estimate(self):
        ax = plots.posterior_surface(SURFACE, path=True, truth=(1.0, 2.0), laplace=False)
        steps = len(SURFACE.path) - 1
        assert labels(ax) == ["posterior", f"{steps} Newton steps", "estimate", "truth"]
        np.testing.assert_array_equal(line(ax, f"{steps} Newton steps"), SURFACE.path)
        np.testing.assert_allclose(line(ax, "estimate")[0], MODEL.coef_[0], rtol=1e-12)
        assert ax.get_xlim() == (SURFACE.first[0], SURFACE.first[-1])

    def test_wide_views_have_more_lines(self):
        assert len(contours(plots.posterior_surface(SURFACE, wide=True))) == 2

    @pytest.mark.parametrize("part", ["prior", "likelihood"])
    def test_other_parts_have_no_ellipses(self, part):
        ax = plots.posterior_surface(SURFACE, part)
        assert labels(ax) == [part, "estimate"]

    def test_without_a_prior_the_likelihood_has_the_peak(self):
        model = PoissonRegression().fit(X, Y)
        surface = posterior_surface(model, X, Y, ("x0", "x1"))
        assert labels(plots.posterior_surface(surface)) == ["likelihood", "Laplace", "estimate"]
        with pytest.raises(InvalidInput, match="no prior; draw the likelihood"):
            plots.posterior_surface(surface, "prior")

    def test_only_its_record_is_drawn(self):
        with pytest.raises(InvalidInput, match="draws a PosteriorSurface; got LogisticRegression"):
            plots.posterior_surface(MODEL)
        with pytest.raises(InvalidParameter, match="part must be one of"):
            plots.posterior_surface(SURFACE, "evidence")


class TestBoundaries:
    def test_given_draws_are_where_their_function_is_zero(self):
        draws = np.array([[1.0, 2.0], [0.5, -1.0]])
        ax = plots.sampled_boundaries(MODEL, X, Y, draws=draws)
        lines = contours(ax)
        assert len(lines) == 3
        for drawn, w in zip(lines, (MODEL.coef_[0], *draws), strict=True):
            at = drawn.get_paths()[0].vertices
            assert len(at) > 10
            np.testing.assert_allclose(at @ w, 0.0, atol=1e-9)
        assert labels(ax) == ["0", "1", "estimate", "2 draws"]

    def test_a_basis_bends_them(self):
        model = LogisticRegression(basis=Polynomial(2), C=10.0).fit(X, Y)
        theta = np.concatenate([model.intercept_, model.coef_[0]])
        ax = plots.sampled_boundaries(model, X, Y, draws=[theta])
        at = contours(ax)[1].get_paths()[0].vertices
        np.testing.assert_allclose(model.decision_function(at), 0.0, atol=0.05)  # between points of the grid

    def test_draws_have_the_covariance_of_the_weights(self):
        """From the model's own uncertainty; the standard error of each entry is below σ² √(2/n) = 0.014 σ²."""
        from suffice.plots.posteriors import _draws

        drawn = _draws(MODEL, 10_000, 1)
        scale = np.sqrt(np.outer(*2 * [np.diagonal(MODEL.cov_params_)]))
        np.testing.assert_allclose(np.cov(drawn.T) / scale, MODEL.cov_params_ / scale, atol=0.06)

    def test_a_posterior_gives_its_own_draws(self):
        model = BayesianLogisticRegression(0.1, fit_intercept=False).fit(X, Y)
        ax = plots.sampled_boundaries(model, X, Y, draws=3, random_state=5)
        w = model.sample_boundaries(3, 5).weights[:, 1:]
        for drawn, theta in zip(contours(ax)[1:], w, strict=True):
            np.testing.assert_allclose(drawn.get_paths()[0].vertices @ theta, 0.0, atol=1e-9)

    def test_lines_outside_are_left_out(self):
        model = LogisticRegression().fit(X, Y)
        ax = plots.sampled_boundaries(model, X, Y, draws=[[1e6, 1.0, 1.0]])
        assert len(contours(ax)) == 1

    def test_what_has_no_boundary_is_refused(self):
        with pytest.raises(Unsupported, match="PoissonRegression has no boundary"):
            plots.sampled_boundaries(PoissonRegression().fit(X, Y), X, Y)
        three = SoftmaxRegression(prior_precision=1.0).fit(X, np.arange(60) % 3)
        with pytest.raises(Unsupported, match="between two classes; the model has 3"):
            plots.sampled_boundaries(three, X, Y)
        with pytest.raises(
            InvalidParameter, match="draws must be rows of 2 finite weights; got shape \\(1, 3\\)"
        ):
            plots.sampled_boundaries(MODEL, X, Y, draws=[[1.0, 2.0, 3.0]])
        with pytest.raises(InvalidParameter, match="draws must be an integer >= 1"):
            plots.sampled_boundaries(MODEL, X, Y, draws=0)
        one = LogisticRegression().fit(X[:, :1], Y)
        with pytest.raises(InvalidInput, match="over two columns; X has one"):
            plots.sampled_boundaries(one, X[:, :1], Y)


class TestContours:
    def test_lines_of_given_probabilities_carry_their_number(self):
        ax = plots.class_regions(MODEL, X, Y, of=1, levels=[0.25, 0.5, 0.75])
        (drawn,) = contours(ax)
        np.testing.assert_allclose(drawn.levels, [0.25, 0.5, 0.75])
        for path, level in zip(drawn.get_paths(), drawn.levels, strict=True):
            np.testing.assert_allclose(MODEL.predict_proba(path.vertices)[:, 1], level, atol=0.02)
        told = {text.get_text() for text in ax.texts}
        assert {".25", ".5", ".75"} <= told
        assert "lines at P(1 | x) = 0.25, 0.5, 0.75" in told

    @pytest.mark.parametrize("levels", [[0.5, 0.4], [0.0, 0.5], [], [0.5, 1.0], 0.5])
    def test_levels_are_probabilities_that_rise(self, levels):
        with pytest.raises(InvalidParameter, match="levels must be probabilities that rise"):
            plots.class_regions(MODEL, X, Y, of=1, levels=levels)


class TestLinks:
    def test_likelihoods_and_functions(self):
        ax = plots.link_functions(
            {"logit": BernoulliLogit(), "log": PoissonLog(), "square": np.square}, high=2.0
        )
        for name, f in (("logit", expit), ("log", np.exp), ("square", np.square)):
            at = line(ax, name)
            np.testing.assert_allclose(at[:, 1], f(at[:, 0]), rtol=1e-12)
        assert ax.get_xlim() == (-5.0, 2.0)

    def test_links_are_drawn_backwards(self):
        at = line(plots.link_functions({"cloglog": ComplementaryLogLog()}), "cloglog")
        np.testing.assert_allclose(at[:, 1], -np.expm1(-np.exp(at[:, 0])), rtol=1e-12)

    def test_one_needs_no_name(self):
        assert labels(plots.link_functions(BernoulliLogit())) == ["BernoulliLogit"]

    def test_what_cannot_be_drawn(self):
        with pytest.raises(InvalidInput, match="0 functions between -5 and 5"):
            plots.link_functions({})
        with pytest.raises(InvalidInput, match="1 functions between 2 and 2"):
            plots.link_functions(BernoulliLogit(), low=2.0, high=2.0)
        with pytest.raises(InvalidInput, match="a link or a function is drawn; got 3"):
            plots.link_functions({"three": 3})
        with pytest.raises(InvalidInput, match="'two' has no single mean"):
            plots.link_functions({"two": lambda a: np.stack([a, a])})


class TestPredictions:
    def test_along_a_line(self):
        model = BayesianLogisticRegression(0.5, intercept="prior").fit(X[:, :1], Y)
        at = np.linspace(3, -3, 31)
        found = model.compare_predictions(at[:, None])
        ax = plots.prediction_comparison(found, at, label="width")
        assert labels(ax) == ["plug-in", "probit", "quadrature", "sampled"]
        assert ax.get_xlabel() == "width"
        np.testing.assert_array_equal(line(ax, "quadrature"), np.column_stack([at, found.quadrature])[::-1])

    def test_against_the_plug_in(self):
        found = SimpleNamespace(plug_in=[0.1, 0.9], probit=[0.2, 0.8], quadrature=None)
        ax = plots.prediction_comparison(found)
        assert labels(ax) == ["probit"]
        np.testing.assert_array_equal(line(ax, "probit"), [[0.1, 0.2], [0.9, 0.8]])

    def test_lengths_must_agree(self):
        found = SimpleNamespace(plug_in=[0.1, 0.9], probit=[0.2])
        with pytest.raises(
            InvalidInput, match=r"probit must be one number per row, \(2,\); got shape \(1,\)"
        ):
            plots.prediction_comparison(found)
        with pytest.raises(InvalidInput, match=r"x must be one number per row, \(2,\); got shape \(3,\)"):
            plots.prediction_comparison(SimpleNamespace(plug_in=[0.1, 0.9]), [1, 2, 3])
        with pytest.raises(InvalidInput, match="a record with plug_in; got float"):
            plots.prediction_comparison(0.5)


class TestCoefficients:
    @pytest.mark.parametrize("model", [LogisticRegression(), PoissonRegression(), LinearRegression()])
    def test_one_function_has_a_row_per_column(self, model):
        ax = plots.coefficients(model.fit(X, Y).summary())
        assert [tick.get_text() for tick in ax.get_yticklabels()] == ["x0", "x1"]

    @pytest.mark.parametrize(("way", "classes"), [("full", ["0", "1", "2"]), ("reduced", ["0", "1"])])
    def test_classes_share_the_row_of_a_column(self, way, classes):
        y = np.where(X[:, 0] > 2, 2, Y)
        model = SoftmaxRegression(prior_precision=0.1, parametrization=way).fit(X, y)
        summary = model.summary()
        ax = plots.coefficients(summary)
        assert labels(ax) == classes
        assert [tick.get_text() for tick in ax.get_yticklabels()] == ["x0", "x1"]
        dots = [(d.get_xdata()[0], d.get_ydata()[0]) for d in ax.lines if len(d.get_xdata()) == 1]
        drawn = [dot for dot in dots if dot[0] != 0.0]
        np.testing.assert_allclose([w for w, _ in drawn], model.coef_.ravel(), rtol=1e-12)
        assert [round(at) for _, at in drawn] == [0, 1] * len(classes)

    def test_names_with_colons_stay_whole(self):
        pandas = pytest.importorskip("pandas")
        table = pandas.DataFrame({"0: a": X[:, 0], "b": X[:, 1]})
        model = SoftmaxRegression(prior_precision=1.0).fit(table, np.arange(60) % 3)
        ax = plots.coefficients(model.summary(), most=1)
        (name,) = [tick.get_text() for tick in ax.get_yticklabels()]
        largest = np.abs(model.coef_).max(axis=0).argmax()
        assert name == table.columns[largest]
        assert ax.get_xlabel() == "weight, the 1 largest of 2"

    def test_many_classes_are_rows(self):
        y = np.arange(60) % 9
        summary = SoftmaxRegression(prior_precision=1.0).fit(X, y).summary()
        ax = plots.coefficients(summary, most=100)
        assert len(ax.get_yticklabels()) == 18  # no intercepts

    def test_colors_are_those_of_the_classes(self):
        y = np.where(X[:, 0] > 2, 2, Y)
        model = SoftmaxRegression(prior_precision=0.1).fit(X, y)
        ours = plots.coefficients(model.summary())
        points = plots.class_regions(model, X, y)
        dots = [to_rgb(d.get_color()) for d in ours.lines if d.get_label() in ("0", "1", "2")]
        assert dots == [
            tuple(c.get_facecolor()[0][:3]) for c in points.collections if c.get_label() in ("0", "1", "2")
        ]
