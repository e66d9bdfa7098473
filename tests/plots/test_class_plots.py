"""Figures of classes draw what the classifier says of the points under them."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB as PlainGaussianNB
from sklearn.svm import LinearSVC

from suffice import plots
from suffice.distributions import MultivariateNormal, Normal, Poisson, Uniform, decision
from suffice.generative import BayesClassifier, FisherDiscriminant, QuadraticDiscriminantAnalysis
from suffice.plots._style import BLUE, ORANGE

rng = np.random.default_rng(3)
MEANS = np.array([[0.0, 0.0], [4.0, 0.0], [1.0, 5.0]])
X = np.concatenate([m + rng.standard_normal((40, 2)) for m in MEANS])
Y = np.repeat(["left", "right", "top"], 40)
MODEL = BayesClassifier().fit(X, Y)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def points(ax):
    """Rows that were scattered, by name."""
    return {c.get_label(): np.asarray(c.get_offsets()) for c in ax.collections if len(c.get_offsets()) > 1}


def contours(ax):
    """Sets of lines that are not filled."""
    return [c for c in ax.collections if hasattr(c, "levels") and not c.filled]


def area(path):
    return sum(
        abs(np.sum(p[:-1, 0] * p[1:, 1] - p[1:, 0] * p[:-1, 1]) / 2)
        for p in path.to_polygons(closed_only=False)
    )


class TestConditionals:
    def test_ellipses_hold_the_shares_of_a_normal_density(self):
        """Their areas are 2π √|Σ_c| log 1/(1 − share)."""
        ax = plots.class_conditionals(MODEL, X, Y, margin=0.6)
        drawn = contours(ax)
        assert len(drawn) == 3
        for lines, density in zip(drawn, MODEL.conditionals_, strict=True):
            whole = 2 * np.pi * np.sqrt(np.linalg.det(density.cov))
            areas = sorted((area(p) for p in lines.get_paths()), reverse=True)
            np.testing.assert_allclose(areas, whole * np.log([20, 5, 2]), rtol=0.05)  # the grid is coarse
        assert labels(ax) == ["left", "right", "top"]

    def test_rows_are_where_they_are(self):
        ax = plots.class_conditionals(MODEL, X, Y)
        for name, at in points(ax).items():
            np.testing.assert_array_equal(at, X[name == Y])
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("x0", "x1")

    def test_one_column_is_curves(self):
        model = BayesClassifier(Normal).fit(X[:, :1], Y)
        ax = plots.class_conditionals(model, X[:, :1], Y)
        curves = {
            line.get_label(): line.get_data() for line in ax.lines if not line.get_label().startswith("_")
        }
        for name, density in zip(model.classes_, model.conditionals_, strict=True):
            at, height = curves[name]
            np.testing.assert_allclose(height, density.prob(at), rtol=1e-9)
            assert np.trapezoid(height, at) > 0.9

    def test_counts_have_a_dot_per_number(self):
        counts = np.r_[rng.poisson(2.0, 50), rng.poisson(9.0, 50)][:, None]
        model = BayesClassifier(Poisson).fit(counts, np.repeat([0, 1], 50))
        ax = plots.class_conditionals(model, counts, np.repeat([0, 1], 50))
        at, height = next(line.get_data() for line in ax.lines if line.get_label() == "0")
        assert np.array_equal(at, np.round(at))
        np.testing.assert_allclose(height, model.conditionals_[0].prob(at), rtol=1e-9)

    def test_other_columns_are_held_at_their_means(self):
        wide = np.column_stack([X, 10 + X[:, 1] + rng.standard_normal(120)])
        model = BayesClassifier().fit(wide, Y)
        ax = plots.class_conditionals(model, wide, Y, columns=[2, 0], margin=0.5)
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("x2", "x0")
        assert "the other column at the mean" in texts(ax)
        density = MultivariateNormal(model.conditionals_[0].mean, model.conditionals_[0].cov)
        slice_ = density.condition([1], [wide[:, 1].mean()])  # of x0 and x2
        innermost = contours(ax)[0].get_paths()[-1].vertices
        np.testing.assert_allclose(np.median(innermost, axis=0), slice_.mean[::-1], atol=0.15)
        areas = max(area(p) for p in contours(ax)[0].get_paths())
        np.testing.assert_allclose(
            areas, 2 * np.pi * np.sqrt(np.linalg.det(slice_.cov)) * np.log(20), rtol=0.05
        )

    def test_scikit_learns_naive_bayes(self):
        ax = plots.class_conditionals(PlainGaussianNB().fit(X, Y), X, Y)
        assert len(contours(ax)) == 3

    def test_what_has_no_densities(self):
        with pytest.raises(TypeError, match="LogisticRegression has no predict_joint_log_proba"):
            plots.class_conditionals(LogisticRegression().fit(X, Y), X, Y)

    def test_a_class_without_rows_is_not_drawn(self):
        model = QuadraticDiscriminantAnalysis().partial_fit(X, Y, classes=["left", "right", "nowhere", "top"])
        assert len(contours(plots.class_conditionals(model, X, Y))) == 3


class TestRegions:
    def test_the_color_is_that_of_the_decision(self):
        ax = plots.class_regions(MODEL, X, Y)
        picture = ax.images[0]
        pixels, (x0, x1, y0, y1) = np.asarray(picture.get_array()), picture.get_extent()
        hues = np.array([to_rgb(c) for c in (BLUE, ORANGE, "#009e73")])
        for mean, hue in zip(MEANS, hues, strict=True):
            j, i = (
                (np.array([(mean[0] - x0) / (x1 - x0), (mean[1] - y0) / (y1 - y0)]) * 160).round().astype(int)
            )
            tint = 1 - pixels[i, j]
            strength = tint @ (1 - hue) / ((1 - hue) @ (1 - hue))
            np.testing.assert_allclose(tint, strength * (1 - hue), atol=1e-9)
            assert strength == pytest.approx(0.42, abs=0.01)  # at its mean a class is sure

    def test_the_boundary_is_where_two_classes_tie(self):
        ax = plots.class_regions(MODEL, X, Y)
        for lines in contours(ax):
            for path in lines.get_paths():
                top = np.sort(MODEL.predict_proba(path.vertices), axis=1)
                assert np.all(top[:, -1] - top[:, -2] < 0.2)
                assert np.median(top[:, -1] - top[:, -2]) < 0.02

    def test_lines_of_equal_probability(self):
        ax = plots.class_regions(MODEL, X, Y, of="top")
        (lines,) = contours(ax)
        for level, path in zip(lines.levels, lines.get_paths(), strict=True):
            at = MODEL.predict_proba(path.vertices)[:, 2]
            assert np.median(np.abs(at - level)) < 0.02
        assert any("P(top | x)" in text for text in texts(ax))
        with pytest.raises(ValueError, match="Unknown class 'bottom'"):
            plots.class_regions(MODEL, X, Y, of="bottom")

    @pytest.mark.parametrize("model", [LogisticRegression(), LinearSVC()], ids=["probabilities", "decisions"])
    def test_any_classifier(self, model):
        ax = plots.class_regions(model.fit(X, Y), X, Y)
        assert labels(ax) == ["left", "right", "top"]

    def test_one_column_is_the_posterior(self):
        model = BayesClassifier(Normal).fit(X[:, :1], Y)
        ax = plots.class_regions(model, X[:, :1], Y)
        for c, name in enumerate(model.classes_):
            at, height = next(line.get_data() for line in ax.lines if line.get_label() == name)
            np.testing.assert_allclose(height, model.predict_proba(at[:, None])[:, c], rtol=1e-12)

    def test_rows_with_gaps_are_told_and_left_out(self):
        holes = X.copy()
        holes[[3, 50], 0] = np.nan
        ax = plots.class_regions(MODEL, holes, Y)
        assert "2 rows with missing cells are not shown" in texts(ax)
        assert sum(map(len, points(ax).values())) == 118
        with pytest.raises(ValueError, match="Every row of X has a missing cell"):
            plots.class_regions(MODEL, np.full((4, 2), np.nan), Y[:4])

    def test_many_classes_say_their_names(self):
        centers = rng.uniform(-20, 20, (14, 2))
        many, names = (
            np.repeat(centers, 10, axis=0) + rng.standard_normal((140, 2)),
            np.repeat(np.arange(14), 10),
        )
        ax = plots.class_regions(QuadraticDiscriminantAnalysis().fit(many, names), many, names)
        assert {str(c) for c in range(14)} <= set(texts(ax))
        assert len(labels(ax)) == 12
        assert any("2 more classes" in text for text in texts(ax))

    def test_labels_unknown_to_the_model_are_grey(self):
        assert labels(plots.class_regions(MODEL, X, np.where(Y == "top", "new", Y)))[-1] == "other"

    def test_a_table_with_names_goes_in_as_one(self):
        import pandas

        table = pandas.DataFrame(X, columns=["width", "height"])
        ax = plots.class_regions(BayesClassifier().fit(table, Y), table, Y, columns=["height", "width"])
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("height", "width")

    def test_densities_that_end_draw_without_a_warning(self):
        model = BayesClassifier(Uniform).fit(X, Y)
        plots.class_regions(model, X, Y)
        plots.class_conditionals(model, X, Y)

    @pytest.mark.parametrize(
        ("columns", "words"),
        [
            ([0, 0], "two different columns"),
            (["speed"], "feature must be"),
            ([0, 1, 1], "one or two"),
            ([], "one or two"),
        ],
    )
    def test_wrong_columns(self, columns, words):
        with pytest.raises(ValueError, match=words):
            plots.class_regions(MODEL, X, Y, columns=columns)

    def test_as_many_labels_as_rows(self):
        with pytest.raises(ValueError, match="one label per row, 120; got shape"):
            plots.class_regions(MODEL, X, Y[:-1])


class TestBoundary:
    def test_the_shaded_area_is_the_overlap_error(self):
        a, b = Normal(178, 8), Normal(165, 6)
        ax = plots.class_boundary(a, b, prior=0.3, names=("male", "female"), x="height")
        shade = ax.collections[0].get_paths()[0].vertices
        x, y = shade[:, 0], shade[:, 1]
        shaded = abs(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2
        error = decision.overlap_error(a, b, 0.3)
        assert shaded == pytest.approx(error, rel=0.02)
        assert labels(ax) == [f"error {error:.3g}", "male", "female"]
        drawn = [line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 2]
        inside = [p for p in decision.boundary(a, b, 0.3) if ax.get_xlim()[0] < p < ax.get_xlim()[1]]
        np.testing.assert_allclose(drawn, inside, rtol=1e-12)

    def test_the_prior_may_be_a_pair(self):
        one, two = (plots.class_boundary(Normal(0, 1), Normal(2, 1), prior=p) for p in (0.1, (0.1, 0.9)))
        np.testing.assert_array_equal(one.lines[0].get_ydata(), two.lines[0].get_ydata())


class TestProjections:
    def test_histograms_are_shares_of_their_class(self):
        ax = plots.projections(np.array([1.0, 0.0]), X, Y)
        for step in ax.patches:
            assert step.get_data().values.sum() == pytest.approx(1)
        assert labels(ax) == ["left", "right", "top"]

    def test_directions_and_transforms_agree(self):
        from sklearn.decomposition import PCA

        pca = PCA(1).fit(X)
        a, b = plots.projections(pca, X, Y), plots.projections(pca.components_[0], X, Y)
        for one, two in zip(a.patches, b.patches, strict=True):
            np.testing.assert_array_equal(one.get_data().values, two.get_data().values)

    def test_fisher_separates_what_the_means_do_not(self):
        """Of two long, parallel classes the histograms overlap along the difference of means, not along Fisher's."""
        long = rng.multivariate_normal([0, 0], [[9.0, 8.8], [8.8, 9.0]], 200) + np.repeat(
            [[0, 0], [2, -0.5]], 100, axis=0
        )
        y, overlap = np.repeat([0, 1], 100), {}
        for method in ("fisher", "mean_difference"):
            ax = plots.projections(FisherDiscriminant(method=method).fit(long, y), long, y)
            a, b = (step.get_data().values for step in ax.patches[1::2])
            overlap[method] = np.minimum(a, b).sum()
        assert overlap["fisher"] < 0.1 < 0.4 < overlap["mean_difference"]

    def test_two_directions_are_points(self):
        ax = plots.projections(np.array([[0.0, 1.0], [1.0, 0.0]]), X, Y)
        np.testing.assert_array_equal(points(ax)["top"], X[Y == "top"][:, ::-1])

    def test_constant_projections_and_wrong_ones(self):
        assert plots.projections([0.0, 0.0], X, Y).patches
        with pytest.raises(ValueError, match="one entry per column, 2; got shape"):
            plots.projections([1.0, 2.0, 3.0], X, Y)
        with pytest.raises(TypeError, match="BayesClassifier has no transform"):
            plots.projections(MODEL, X, Y)
