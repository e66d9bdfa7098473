"""Discriminant analysis with priors: Student-t and normal predictive densities, evidence, and what they exclude."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import KFold

import suffice
from suffice._core.errors import InvalidParameter, NotPositiveDefinite, Unsupported
from suffice.distributions import MultivariateNormal, Normal, NormalInverseWishart
from suffice.evaluation import compare_evidence, cross_validate
from suffice.generative import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

BOTH = [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis]
both = pytest.mark.parametrize("cls", BOTH)
rng = np.random.default_rng(0)
X = np.vstack(
    [rng.standard_normal((12, 2)), [2.0, 1.0] + rng.standard_normal((5, 2)) @ [[1.0, 0.5], [0.0, 0.4]]]
)
Y = np.repeat(["near", "away"], [12, 5])
NEW = rng.standard_normal((8, 2)) * 2
NIW = NormalInverseWishart([0.5, 0.2], 0.7, [[2.0, 0.3], [0.3, 1.0]], 4.5)
MEANS = MultivariateNormal([0.1, -0.2], [[2.0, 0.4], [0.4, 1.5]])
SIGMA = np.array([[1.0, 0.3], [0.3, 0.8]])
CASES = [{"prior": NIW}, {"prior": MEANS, "covariance": SIGMA}]
cases = pytest.mark.parametrize("options", CASES, ids=["inverse Wishart", "known covariance"])


def test_quadratic_classes_have_posteriors_of_their_own():
    model = QuadraticDiscriminantAnalysis(prior=NIW, store_covariance=True).fit(X, Y)
    for k, label in enumerate(model.classes_):
        posterior = NIW.posterior(X[label == Y])
        mine = model.posteriors_[k]
        np.testing.assert_allclose(mine.mean, posterior.mean, rtol=1e-12)
        np.testing.assert_allclose(mine.scale, posterior.scale, rtol=1e-12)
        assert (mine.strength, mine.dof) == pytest.approx((posterior.strength, posterior.dof))
        np.testing.assert_allclose(
            model.predict_joint_log_proba(NEW)[:, k] - model.class_log_prior_[k],
            posterior.predictive().log_prob(NEW),
            rtol=1e-10,
        )
        np.testing.assert_allclose(model.covariance_[k], posterior.event_mean.cov, rtol=1e-10)
    assert model.log_evidence_ == pytest.approx(
        sum(NIW.log_evidence(X[c == Y]) for c in model.classes_), rel=1e-11
    )
    assert model.evidence_kind_ == "exact"


def test_a_shared_covariance_learns_from_one_class_after_the_other():
    """Σ after the first class is the prior of Σ for the second: the chain rule, by another road than the formula."""
    model = LinearDiscriminantAnalysis(prior=NIW, store_covariance=True).fit(X, Y)
    first, second = (X[c == Y] for c in model.classes_)
    after = NIW.posterior(first)
    between = NormalInverseWishart(NIW.mean, NIW.strength, after.scale, after.dof)
    assert model.log_evidence_ == pytest.approx(
        NIW.log_evidence(first) + between.log_evidence(second), rel=1e-11
    )
    last = between.posterior(second)
    np.testing.assert_allclose(
        model.conditionals_[1].log_prob(NEW), last.predictive().log_prob(NEW), rtol=1e-10
    )
    own = NormalInverseWishart(after.mean, after.strength, last.scale, last.dof)
    np.testing.assert_allclose(
        model.conditionals_[0].log_prob(NEW), own.predictive().log_prob(NEW), rtol=1e-10
    )
    np.testing.assert_allclose(model.covariance_, last.event_mean.cov, rtol=1e-10)


@both
def test_predictive_densities_are_averages_over_the_posterior(cls):
    model = cls(prior=NIW).fit(X, Y)
    for k, posterior in enumerate(model.posteriors_):
        means, covs = posterior.sample(20_000, 1)
        gap = NEW[:, None, :] - means  # (rows, draws, 2)
        L = np.linalg.cholesky(covs)
        z = np.linalg.solve(L, gap[..., None])[..., 0]
        density = np.exp(-0.5 * np.sum(z**2, axis=-1)) / (2 * np.pi * L[:, 0, 0] * L[:, 1, 1])
        error = density.std(axis=1) / np.sqrt(20_000)
        assert np.all(np.abs(density.mean(axis=1) - model.conditionals_[k].prob(NEW)) <= 4.5 * error)


@both
def test_known_covariance_adds_the_uncertainty_of_the_mean(cls):
    """FCML exercises 5.1 and 5.2, for any covariance: N(μ_N, Σ + Σ_N)."""
    model = cls(prior=MEANS, covariance=SIGMA).fit(X, Y)
    inverse = np.linalg.inv
    for k, label in enumerate(model.classes_):
        rows = X[label == Y]
        narrow = inverse(inverse(MEANS.cov) + len(rows) * inverse(SIGMA))
        mean = narrow @ (inverse(MEANS.cov) @ MEANS.mean + inverse(SIGMA) @ rows.sum(axis=0))
        np.testing.assert_allclose(model.means_[k], mean, rtol=1e-10)
        np.testing.assert_allclose(model.conditionals_[k].cov, SIGMA + narrow, rtol=1e-10)
        np.testing.assert_allclose(model.posteriors_[k].cov, narrow, rtol=1e-10)
    expected = sum(MEANS.log_evidence(X[c == Y], cov=SIGMA) for c in model.classes_)
    assert model.log_evidence_ == pytest.approx(expected, rel=1e-10)


@both
@cases
def test_much_data_forget_the_prior(cls, options):
    r = np.random.default_rng(2)
    y = r.integers(0, 2, 20_000)
    root = np.linalg.cholesky(SIGMA)
    table = r.standard_normal((20_000, 2)) @ root.T + 1.5 * y[:, None]
    a, b = cls(**options).fit(table, y), cls().fit(table, y)
    np.testing.assert_allclose(a.predict_proba(table[:200]), b.predict_proba(table[:200]), atol=0.05)


@both
@cases
def test_sums(cls, options, tmp_path):
    model = cls(**options).fit(X, Y)
    merged = suffice.merge([cls(**options).fit(X[::2], Y[::2]), cls(**options).fit(X[1::2], Y[1::2])])
    pieces = cls(**options).partial_fit(X[:10], Y[:10], classes=["near", "away"]).partial_fit(X[10:], Y[10:])
    rest = suffice.forget(
        cls(**options).fit(np.vstack([X, NEW]), np.append(Y, ["near"] * 8)), NEW, ["near"] * 8
    )
    for other in (merged, pieces, rest):
        np.testing.assert_allclose(other.predict_proba(NEW), model.predict_proba(NEW), rtol=1e-9)
        assert other.log_evidence_ == pytest.approx(model.log_evidence_, rel=1e-9)
    twice = cls(**options).fit(X, Y, np.where(np.arange(17) < 3, 2.0, 1.0))
    rows = np.append(np.arange(17), [0, 1, 2])
    assert twice.log_evidence_ == pytest.approx(cls(**options).fit(X[rows], Y[rows]).log_evidence_, rel=1e-10)
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert np.array_equal(again.predict_proba(NEW), model.predict_proba(NEW))
    assert again.log_evidence_ == model.log_evidence_
    fast = cross_validate(cls(**options), X, Y, cv=KFold(4, shuffle=True, random_state=0), loss="log")
    assert fast.how == "statistics"
    for (train, test), value in zip(
        KFold(4, shuffle=True, random_state=0).split(X), fast.fold_losses, strict=True
    ):
        d = cls(**options).fit(X[train], Y[train]).predict_dist(X[test])
        assert value == pytest.approx(-np.mean(d.log_prob(Y[test])), rel=1e-9)


@both
@cases
def test_missing_cells_at_prediction(cls, options):
    model = cls(**options).fit(X, Y)
    rows = np.array([[0.3, np.nan], [np.nan, -1.0], [np.nan, np.nan], [0.3, -1.0]])
    joint = model.predict_joint_log_proba(rows)
    for k, d in enumerate(model.conditionals_):
        expected = [d.marginal(0).log_prob(0.3), d.marginal(1).log_prob(-1.0), 0.0, d.log_prob([0.3, -1.0])]
        np.testing.assert_allclose(joint[:, k], np.array(expected) + model.class_log_prior_[k], rtol=1e-10)
    with pytest.raises(Unsupported, match="with a prior their posterior has no closed form"):
        cls(**options).fit(np.vstack([X, rows]), np.append(Y, ["near"] * 4))


@both
@cases
def test_drawn_rows_follow_the_predictive_density(cls, options):
    model = cls(**options).fit(X, Y)
    draws = model.sample("near", 20_000, 0)
    share = np.mean(draws[:, 0] > 0.5)
    expected = model.conditionals_[1].marginal(0).sf(0.5)
    assert share == pytest.approx(expected, abs=4.5 * np.sqrt(0.25 / 20_000))


def test_evidences_compare_a_shared_with_separate_covariances():
    """Rows of equal spread: one covariance is enough, and the evidence says so; of unequal spread it does not."""
    r = np.random.default_rng(4)
    y = np.repeat([0, 1], 60)
    for factor, favored in ((1.0, "one"), (6.0, "two")):
        table = r.standard_normal((120, 2)) * np.where(y, factor, 1.0)[:, None]
        models = {
            "one": LinearDiscriminantAnalysis(prior=NIW).fit(table, y),
            "two": QuadraticDiscriminantAnalysis(prior=NIW).fit(table, y),
        }
        comparison = compare_evidence(models)
        assert max(models, key=lambda name: models[name].log_evidence_) == favored
        assert favored in str(comparison)


def test_a_linear_analysis_with_a_prior_is_not_quite_linear():
    model = LinearDiscriminantAnalysis(prior=NIW).fit(X, Y)
    logs = model.predict_log_proba(NEW)
    np.testing.assert_allclose(model.decision_function(NEW), logs[:, 1] - logs[:, 0], rtol=1e-9)
    with pytest.raises(Unsupported, match="transform needs one covariance"):
        model.transform(NEW)
    with pytest.raises(Unsupported, match="signed_distance needs linear boundaries"):
        model.signed_distance(NEW)
    assert not hasattr(model, "coef_")
    again = model.set_params(prior=None).fit(X, Y)
    assert hasattr(again, "coef_")
    assert not hasattr(again, "log_evidence_")


@both
def test_what_does_not_go_together(cls):
    for options, words in (
        ({"prior": NIW, "shrinkage": "auto"}, "prior must be None where shrinkage is given"),
        ({"prior": NIW, "unbiased": True}, "prior must be None where unbiased is given"),
        ({"prior": NIW, "covariance": "diagonal"}, "covariance must be 'full' with a NormalInverseWishart"),
        ({"prior": NIW, "covariance": SIGMA}, "covariance must be 'full' or 'diagonal' unless it is known"),
        ({"prior": MEANS}, "give covariance=, a matrix"),
        ({"covariance": SIGMA}, "covariance must be 'full' or 'diagonal' unless it is known"),
        ({"prior": Normal(0, 1)}, "prior must be None, a NormalInverseWishart"),
        ({"prior": MEANS, "covariance": np.eye(3)}, r"covariance must have shape \(2, 2\)"),
        ({"prior": MEANS, "covariance": [["a"]]}, "covariance must be numbers"),
        ({"prior": NormalInverseWishart([0.0], 1.0, [[1.0]], 3.0)}, "prior must be of 2 coordinates"),
        ({"prior": MultivariateNormal(np.zeros((3, 2)), np.eye(2)), "covariance": SIGMA}, "one distribution"),
    ):
        with pytest.raises(InvalidParameter, match=words):
            cls(**options).fit(X, Y)
    with pytest.raises(NotPositiveDefinite, match="covariance must be positive definite"):
        cls(prior=MEANS, covariance=[[1.0, 2.0], [2.0, 1.0]]).fit(X, Y)


def test_regularization_and_a_prior_exclude_each_other():
    with pytest.raises(InvalidParameter, match="prior must be None where reg_param is given"):
        QuadraticDiscriminantAnalysis(prior=NIW, reg_param=0.1).fit(X, Y)


@both
@cases
def test_one_row_is_enough_with_a_prior(cls, options):
    model = cls(**options).fit(X[[0, 16]], Y[[0, 16]])
    assert np.isfinite(model.predict_log_proba(NEW)).all()
    doubled = np.column_stack([X[:, 0], X[:, 0]])
    assert np.isfinite(cls(**options).fit(doubled, Y).predict_log_proba(doubled)).all()
