"""The surface over two weights is the log posterior, its path is Newton's, its ellipse the curvature at the top."""

import numpy as np
import pytest
from scipy.special import expit, gammaln

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.bases import Polynomial
from suffice.glm import (
    GLM,
    BayesianLogisticRegression,
    BayesianPoissonRegression,
    LogisticRegression,
    PoissonRegression,
    ProbitRegression,
    SoftmaxRegression,
    posterior_surface,
)
from suffice.inference import hessian
from suffice.linear import LinearRegression

rng = np.random.default_rng(2)
X = rng.standard_normal((40, 3)) * [1.0, 2.0, 0.5] + [0.0, 1.0, -2.0]
Y = (rng.random(40) < expit(0.3 + X @ [1.0, -0.7, 0.4])).astype(int)
COUNTS = rng.poisson(np.exp(0.2 + X @ [0.3, 0.2, 0.1]))
WEIGHT = rng.uniform(0, 3, 40) * (np.arange(40) % 5 > 0)


def log_logistic(theta, X, y, precision, weight=1.0, held=slice(1, None)):
    """Σ w log p(y | x) − α/2 ‖θ‖², in plain sums; θ = (intercept, weights)."""
    a = theta[0] + X @ theta[1:]
    return float(np.sum(weight * (y * a - np.logaddexp(0, a))) - precision / 2 * np.sum(theta[held] ** 2))


def on_grid(surface, f, theta, pair):
    """f at all points, the other weights as in theta."""
    out = np.empty((len(surface.second), len(surface.first)))
    for j, b in enumerate(surface.second):
        for i, a in enumerate(surface.first):
            moved = theta.copy()
            moved[list(pair)] = a, b
            out[j, i] = f(moved)
    return out


def theta_of(model):
    return np.concatenate([np.ravel(model.intercept_), np.ravel(model.coef_)])


class TestSurface:
    @pytest.mark.parametrize("pair", [(0, 1), (3, 1), ("x2", "intercept")])
    def test_every_point_is_the_log_posterior_with_the_others_held(self, pair):
        model = LogisticRegression(prior_precision=0.7).fit(X, Y)
        surface = posterior_surface(model, X, Y, pair, points=7)
        places = [{"intercept": 0, "x2": 3}.get(p, p) for p in pair]
        brute = on_grid(surface, lambda t: log_logistic(t, X, Y, 0.7), theta_of(model), places)
        np.testing.assert_allclose(surface.log_posterior, brute, rtol=1e-11)
        assert surface.height == pytest.approx(log_logistic(theta_of(model), X, Y, 0.7), rel=1e-12)
        assert surface.names == tuple(("intercept", "x0", "x1", "x2")[p] for p in places)

    def test_laplace_is_the_curvature_of_the_slice(self):
        model = LogisticRegression(prior_precision=0.7).fit(X, Y)
        surface = posterior_surface(model, X, Y, (1, 2), points=5)
        theta = theta_of(model)

        def f(two):
            return log_logistic(np.array([theta[0], *two, theta[3]]), X, Y, 0.7)

        np.testing.assert_allclose(surface.cov, np.linalg.inv(-hessian(f, theta[1:3])), rtol=1e-6)

    def test_two_weights_are_no_slice(self):
        model = LogisticRegression.book(0.1).fit(X[:, :2], Y)
        np.testing.assert_allclose(posterior_surface(model, X[:, :2], Y).cov, model.cov_params_, rtol=1e-8)

    def test_the_approximation_touches_at_the_top(self):
        model = LogisticRegression.book(0.1).fit(X[:, :2], Y)
        near = posterior_surface(model, X[:, :2], Y, span=0.01, points=11)
        np.testing.assert_allclose(near.log_laplace, near.log_posterior, rtol=0, atol=1e-6)
        assert near.log_laplace.max() == near.log_laplace[5, 5] == pytest.approx(near.height, rel=1e-12)
        far = posterior_surface(model, X[:, :2], Y)
        assert np.abs(far.log_laplace - far.log_posterior).max() > 0.5

    def test_weights_of_rows_and_classes_count(self):
        model = LogisticRegression(C=2.0, class_weight={1: 3.0}).fit(X, Y, WEIGHT)
        surface = posterior_surface(model, X, Y, sample_weight=WEIGHT, points=5)
        total = WEIGHT * np.where(Y == 1, 3.0, 1.0)
        brute = on_grid(surface, lambda t: log_logistic(t, X, Y, 0.5, total), theta_of(model), (0, 1))
        np.testing.assert_allclose(surface.log_posterior, brute, rtol=1e-11)

    def test_standardized_columns_have_the_prior_on_their_own_weights(self):
        model = LogisticRegression(prior_precision=2.0, standardize=True).fit(X, Y)
        surface = posterior_surface(model, X, Y, (1, 2), points=5)
        spread = X.std(axis=0)

        def f(t):
            return log_logistic(t, X, Y, 0.0) - np.sum((t[1:] * spread) ** 2)

        np.testing.assert_allclose(
            surface.log_posterior, on_grid(surface, f, theta_of(model), (1, 2)), rtol=1e-10
        )

    def test_counts_with_an_offset(self):
        time = rng.uniform(0.5, 2.0, 40)
        model = PoissonRegression().fit(X, COUNTS, offset=np.log(time))
        surface = posterior_surface(model, X, COUNTS, offset=np.log(time), points=5)

        def f(t):
            a = t[0] + X @ t[1:] + np.log(time)
            return float(np.sum(COUNTS * a - np.exp(a) - gammaln(COUNTS + 1)))

        np.testing.assert_allclose(
            surface.log_likelihood, on_grid(surface, f, theta_of(model), (0, 1)), rtol=1e-10
        )
        assert surface.log_prior is None
        assert surface.log_posterior is surface.log_likelihood

    def test_columns_of_a_basis(self):
        model = LogisticRegression(prior_precision=1.0, basis=Polynomial(2)).fit(X[:, :1], Y)
        surface = posterior_surface(model, X[:, :1], Y, (1, 2), points=5)
        wide = np.column_stack([X[:, 0], X[:, 0] ** 2])
        brute = on_grid(surface, lambda t: log_logistic(t, wide, Y, 1.0), theta_of(model), (1, 2))
        np.testing.assert_allclose(surface.log_posterior, brute, rtol=1e-10)

    @pytest.mark.parametrize("model", [BayesianLogisticRegression, BayesianPoissonRegression])
    def test_a_proper_prior_has_its_constant_and_the_precision_found(self, model):
        fitted = model(fit_intercept=False).fit(X, Y)
        surface = posterior_surface(fitted, X, Y, points=5)
        alpha, w = fitted.prior_precision_, np.ravel(fitted.coef_)
        at = np.array([surface.first[1], surface.second[3], w[2]])
        exact = 1.5 * np.log(alpha / (2 * np.pi)) - alpha / 2 * at @ at
        assert surface.log_prior[3, 1] == pytest.approx(exact, rel=1e-9)

    def test_a_proper_posterior_integrates_to_its_evidence(self):
        fitted = BayesianLogisticRegression(0.5, intercept="prior").fit(X[:, :1], Y)
        surface = posterior_surface(fitted, X[:, :1], Y, span=8.0, points=161)
        cell = np.diff(surface.first)[0] * np.diff(surface.second)[0]
        total = surface.height + np.log(np.exp(surface.log_posterior - surface.height).sum() * cell)
        laplace = surface.height + np.log(np.exp(surface.log_laplace - surface.height).sum() * cell)
        assert laplace == pytest.approx(fitted.log_evidence_, rel=1e-9)
        assert total == pytest.approx(laplace, abs=0.1)
        assert total != pytest.approx(laplace, abs=1e-3)

    def test_huge_and_tiny_columns(self):
        units = np.array([1e150, 1e-150])
        small = LogisticRegression(prior_precision=0).fit(X[:, :2], Y)
        large = LogisticRegression(prior_precision=0).fit(X[:, :2] * units, Y)
        a = posterior_surface(small, X[:, :2], Y, (1, 2), points=9)
        b = posterior_surface(large, X[:, :2] * units, Y, (1, 2), points=9)
        np.testing.assert_allclose(b.first * units[0], a.first, rtol=1e-7)
        np.testing.assert_allclose(b.log_likelihood, a.log_likelihood, rtol=1e-7)

    def test_rows_come_in_blocks(self, monkeypatch):
        model = LogisticRegression().fit(X, Y)
        whole = posterior_surface(model, X, Y, points=9)
        monkeypatch.setattr("suffice.glm._shell.posterior_slice.CELLS", 200)
        again = posterior_surface(model, X, Y, points=9)
        np.testing.assert_allclose(again.log_likelihood, whole.log_likelihood, rtol=1e-13)

    def test_probit_and_frame(self):
        model = ProbitRegression(prior_precision=1.0).fit(X, Y)
        surface = posterior_surface(model, X, Y, ("x0", "x1"), first=(-1, 1), second=(0, 2), points=4)
        table = surface.frame()
        assert list(table.columns) == [
            "x0",
            "x1",
            "log_likelihood",
            "log_prior",
            "log_posterior",
            "log_laplace",
        ]
        assert len(table) == 16
        row = table.iloc[4 * 2 + 1]
        assert (row["x0"], row["x1"]) == (surface.first[1], surface.second[2])
        assert row["log_posterior"] == surface.log_posterior[2, 1]

    def test_weights_that_are_impossible(self):
        """With the identity link a rate may not be negative: there the likelihood is zero, and the figure goes on."""
        model = GLM("poisson", "identity").fit(np.abs(X[:, :1]), COUNTS)
        surface = posterior_surface(model, np.abs(X[:, :1]), COUNTS, points=9)
        rate = (
            surface.second[:, None, None] * np.abs(X[:, 0]) + surface.first[:, None]
        )  # (second, first, rows)
        possible = (rate > 0).all(axis=2)
        assert 0 < possible.sum() < 81
        safe = np.where(rate > 0, rate, 1.0)
        exact = np.sum(COUNTS * np.log(safe) - safe - gammaln(COUNTS + 1), axis=2)
        np.testing.assert_allclose(surface.log_likelihood[possible], exact[possible], rtol=1e-10)
        assert np.isneginf(surface.log_likelihood[~possible]).all()
        assert len(surface.path) == 1  # all rates are zero at (0, 0), so the path begins at its end
        with pytest.raises(
            InvalidParameter, match="start must be weights that the likelihood allows; it is zero at"
        ):
            posterior_surface(model, np.abs(X[:, :1]), COUNTS, start=(-5.0, 0.0))

    def test_it_is_saved_like_every_record(self, tmp_path):
        surface = posterior_surface(LogisticRegression().fit(X, Y), X, Y, points=5)
        suffice.save(surface, tmp_path / "surface.suffice")
        assert suffice.load(tmp_path / "surface.suffice") == surface


class TestPath:
    def test_undamped_steps_are_the_text_formula(self):
        """FCML eq. 4.6 with 4.10 and 4.11, written out."""
        x = X[:, :2]
        model = LogisticRegression.book(0.1).fit(x, Y)
        path = posterior_surface(model, x, Y, control="none", points=3).path
        w = np.zeros(2)
        for k, at in enumerate(path[:6]):
            np.testing.assert_allclose(at, w, rtol=1e-9, atol=1e-12, err_msg=str(k))
            p = expit(x @ w)
            H = -0.1 * np.eye(2) - (x.T * (p * (1 - p))) @ x
            w = w - np.linalg.solve(H, x.T @ (Y - p) - 0.1 * w)
        np.testing.assert_allclose(path[-1], model.coef_[0], rtol=1e-5)

    def test_whole_steps_run_away_and_halved_ones_do_not(self):
        """Erratum E21: the text says that Newton's method arrives from any start."""
        t = np.arange(100) % 2
        x = np.random.default_rng(0).standard_normal((100, 2)) + np.where(t[:, None], 0.4, -0.4)
        model = LogisticRegression.book(0.1).fit(x, t)
        options = {"start": (5.0, -5.0), "points": 3}
        halved = posterior_surface(model, x, t, **options)
        whole = posterior_surface(model, x, t, control="none", max_iter=200, **options)
        assert len(halved.path) <= 15
        np.testing.assert_allclose(halved.path[-1], model.coef_[0], rtol=1e-6)
        assert len(whole.path) == 201
        assert np.linalg.norm(whole.path[-1] - model.coef_[0]) > 10

    def test_halved_steps_never_go_down(self):
        model = LogisticRegression(prior_precision=0.01).fit(X, Y)
        path = posterior_surface(model, X, Y, (1, 2), start=(30.0, 30.0), points=3).path
        theta = theta_of(model)
        heights = [log_logistic(np.array([theta[0], *two, theta[3]]), X, Y, 0.01) for two in path]
        assert np.all(np.diff(heights) >= -1e-9)


class TestBadInput:
    MODEL = LogisticRegression().fit(X, Y)

    @pytest.mark.parametrize(
        "weights", [(0, 0), (0,), (0, 4), (0, "y"), "x0", (True, 1), (0, 1.5), 3, (-1, 0)]
    )
    def test_pairs(self, weights):
        with pytest.raises(
            InvalidParameter, match="weights must be two of \\['intercept', 'x0', 'x1', 'x2'\\]"
        ):
            posterior_surface(self.MODEL, X, Y, weights)

    @pytest.mark.parametrize(
        ("options", "match"),
        [
            ({"first": (1, 0)}, "first must be a pair"),
            ({"second": (0, np.inf)}, "second must be a pair"),
            ({"first": (0, 1, 2)}, "first must be a pair"),
            ({"span": 0.0}, "span must be a number > 0; got 0.0"),
            ({"points": 1}, "points must be"),
            ({"start": (0.0, np.nan)}, "start must be two finite numbers"),
            ({"start": (0.0,)}, "start must be two finite numbers"),
            ({"control": "half"}, "control must be one of"),
            ({"max_iter": 0}, "max_iter must be"),
        ],
    )
    def test_options(self, options, match):
        with pytest.raises(InvalidParameter, match=match):
            posterior_surface(self.MODEL, X, Y, **options)

    def test_models(self):
        with pytest.raises(Unsupported, match="got LinearRegression. For linear regression there is"):
            posterior_surface(LinearRegression().fit(X, Y), X, Y)
        with pytest.raises(Unsupported, match="SoftmaxRegression has a function per class"):
            posterior_surface(SoftmaxRegression().fit(X, Y), X, Y)
        with pytest.raises(Exception, match="not fitted"):
            posterior_surface(LogisticRegression(), X, Y)

    def test_rows(self):
        bad = X.copy()
        bad[3, 1] = np.nan
        with pytest.raises(ValueError, match="NaN"):
            posterior_surface(self.MODEL, bad, Y)
        with pytest.raises(ValueError, match="features"):
            posterior_surface(self.MODEL, X[:, :2], Y)
        with pytest.raises(ValueError, match="4"):
            posterior_surface(self.MODEL, X[:4], Y)

    def test_weights_that_nothing_determines(self):
        twice = np.column_stack([X[:, 0], X[:, 0]])
        with pytest.warns(UserWarning, match="not determined"):
            model = PoissonRegression().fit(twice, COUNTS)
        with pytest.raises(InvalidInput, match="leave these two weights no finite width"):
            posterior_surface(model, twice, COUNTS, (1, 2))
