"""Counts: judged by the Poisson deviance, predicted by models of counts, with intervals of whole numbers."""

import numpy as np
import pytest
import statsmodels.api as sm
from sklearn.metrics import mean_poisson_deviance

import suffice
from suffice._core.errors import InvalidParameter
from suffice.distributions import NegativeBinomial
from suffice.evaluation import cross_validate
from suffice.study.models import CANDIDATES, chosen_candidates
from suffice.study.models.bounded_poisson import BoundedBayesianPoissonRegression, BoundedPoissonRegression
from suffice.study.models.mean_count import MeanCount
from suffice.study.models.negative_binomial import NegativeBinomialRegression
from suffice.study.models.scatter import overdispersed, scatter
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.steps.chosen import chosen_section
from suffice.study.steps.measures import measures
from suffice.study.steps.predictive import predictive_section
from suffice.study.steps.validate import alone

from .stages import Stage

WEIGHTS = np.array([0.4, -0.3, 0.0])


def counts(rng, n, dispersion=0.8, zeros=0.0):
    """Counts with a log-linear mean; rates vary with `dispersion`, and a share of rows can have no count."""
    X = rng.normal(size=(n, 3))
    rate = np.exp(1.0 + X @ WEIGHTS)
    if dispersion:
        rate = rate * rng.gamma(1 / dispersion, dispersion, n)
    y = np.where(rng.random(n) < zeros, 0, rng.poisson(rate))
    return X, y


def table(n=400, seed=0, **how):
    X, y = counts(np.random.default_rng(seed), n, **how)
    return {f"x{j}": X[:, j] for j in range(3)} | {"y": y}


def problem(t, **options):
    return make_problem(read(t), Options("y", task="counts", **options))


# -- negative binomial regression --------------------------------------------------------------------------------
def test_negative_binomial_agrees_with_statsmodels():
    X, y = counts(np.random.default_rng(0), 1000)
    mine = NegativeBinomialRegression(prior_precision=0.0).fit(X, y)
    theirs = sm.NegativeBinomial(y, sm.add_constant(X)).fit(disp=0)
    s = mine.summary(0.95)
    np.testing.assert_allclose(s.estimate, theirs.params[:-1], atol=1e-4)
    np.testing.assert_allclose(s.std_error, theirs.bse[:-1], rtol=1e-3)
    assert mine.dispersion_ == pytest.approx(theirs.params[-1], rel=1e-3)


def test_weights_that_were_fitted_do_not_hide_the_scatter():
    """Four weights from twenty rows: the likeliest dispersion alone would be about half of the true one."""
    found = [
        NegativeBinomialRegression().fit(*counts(np.random.default_rng(seed), 20)).dispersion_
        for seed in range(16)
    ]
    assert 0.6 < np.median(found) < 1.05


def test_a_row_twice_counts_as_weight_two():
    X, y = counts(np.random.default_rng(1), 60)
    twice = NegativeBinomialRegression().fit(np.vstack([X, X]), np.tile(y, 2))
    weighed = NegativeBinomialRegression().fit(X, y, sample_weight=np.full(60, 2.0))
    np.testing.assert_allclose(twice.predict(X), weighed.predict(X), rtol=1e-6)
    assert twice.dispersion_ == pytest.approx(weighed.dispersion_, rel=1e-4)


def test_the_weights_uncertainty_widens_the_distribution():
    X, y = counts(np.random.default_rng(2), 40)
    m = NegativeBinomialRegression().fit(X, y)
    d, mean = m.predict_dist(X), m.predict(X)
    np.testing.assert_allclose(d.mean, mean, rtol=1e-12)
    assert np.all(d.var > mean + m.dispersion_ * mean**2)


def test_saved_and_loaded(tmp_path):
    X, y = counts(np.random.default_rng(3), 50)
    for i, model in enumerate(
        [
            NegativeBinomialRegression(),
            MeanCount(),
            BoundedPoissonRegression(),
            BoundedBayesianPoissonRegression(1.0),
        ]
    ):
        path = tmp_path / f"{i}.suffice"
        suffice.save(model.fit(X, y), path)
        again = suffice.load(path)
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        np.testing.assert_array_equal(
            again.predict_dist(X).interval()[1], model.predict_dist(X).interval()[1]
        )


@pytest.mark.parametrize(
    "model",
    [NegativeBinomialRegression(), BoundedPoissonRegression(), BoundedBayesianPoissonRegression(1.0)],
    ids=lambda m: type(m).__name__,
)
def test_no_mean_exceeds_the_largest_count(model):
    X, y = counts(np.random.default_rng(4), 80)
    model.fit(X, y)
    far = np.array([[40.0, -40.0, 0.0], [-400.0, 400.0, 0.0]])
    assert model.predict(far)[0] == pytest.approx(y.max(), rel=1e-6)
    assert model.predict(far)[1] > 0
    np.testing.assert_allclose(model.predict_dist(X).mean, model.predict(X), rtol=1e-9)


# -- the baseline ------------------------------------------------------------------------------------------------
def test_the_mean_of_counts():
    model = MeanCount().fit(np.zeros((6, 1)), [0, 0, 1, 9, 2, 0])
    assert model.predict([[0.0]]) == pytest.approx([2.0])
    d = model.predict_dist([[0.0]])
    assert d.mean == pytest.approx([2.0])
    assert d.var == pytest.approx([np.var([0, 0, 1, 9, 2, 0], ddof=1) * 7 / 6])
    none = MeanCount().fit(np.zeros((4, 1)), np.zeros(4))
    assert none.predict([[0.0]]) == pytest.approx([0.125])


def test_a_training_set_without_any_count_is_no_failure():
    y = np.r_[np.zeros(40), np.random.default_rng(0).poisson(4.0, 20)]
    found = cross_validate(
        MeanCount(), np.zeros((60, 1)), y, cv=[(np.arange(40), np.arange(40, 60))], loss="poisson"
    )
    assert found.estimate == pytest.approx(mean_poisson_deviance(y[40:], np.full(20, 0.5 / 40)), rel=1e-9)


# -- which models are tried --------------------------------------------------------------------------------------
def test_scattered_counts_get_the_negative_binomial():
    p = problem(table())
    tried, skipped = chosen_candidates(p, None, False)
    assert [c.name for c in tried] == ["mean-count", "poisson", "negative-binomial"]
    assert overdispersed(p)
    assert skipped["Bayesian Poisson regression"].endswith("times as much as it allows")


def test_poisson_counts_do_not():
    p = problem(table(dispersion=0.0))
    tried, skipped = chosen_candidates(p, None, False)
    assert [c.name for c in tried] == ["mean-count", "poisson", "bayesian-poisson"]
    assert scatter(p) == pytest.approx(1.0, abs=0.25)
    assert "as a Poisson law has it" in skipped["Negative binomial regression"]


def test_models_that_predict_negative_numbers_are_not_for_counts():
    with pytest.raises(InvalidParameter, match="'linear' is for regression; the task here is counts"):
        chosen_candidates(problem(table()), ["linear"], False)


def test_wide_counts_still_have_a_model():
    rng = np.random.default_rng(0)
    t = {f"x{j}": rng.normal(size=60) for j in range(250)} | {"y": rng.poisson(3.0, 60)}
    assert [c.name for c in chosen_candidates(problem(t), None, False)[0]] == ["mean-count", "poisson"]


def test_references_of_counts_call_none_impossible():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)), (rng.random(80) < 0.1).astype(int)
    few = {"forest-counts": {"n_estimators": 10, "n_jobs": 1}, "boosting-counts": {"max_iter": 10}}
    for name, settings in few.items():
        model = next(c for c in CANDIDATES if c.name == name).build().set_params(**settings)
        with alone():
            assert np.all(model.fit(X, y).predict(X) > 0), name


# -- how they are judged -----------------------------------------------------------------------------------------
def test_the_deviance_judges_and_the_squared_error_stands_beside():
    s = Stage(table(200), models=["poisson"], task="counts", folds=3, inner=3)
    found, t = measures(s.of("poisson"), s.problem), s.of("poisson").validation
    assert s.comparison.loss_words == "Poisson deviance"
    assert t.estimate == pytest.approx(mean_poisson_deviance(s.problem.y, t.predictions), rel=1e-9)
    assert found["Poisson deviance"] == pytest.approx(t.estimate, rel=1e-9)
    assert found["mean squared error"] == pytest.approx(np.mean((s.problem.y - t.predictions) ** 2), rel=1e-9)
    assert found["typical error"] == pytest.approx(found["mean squared error"] ** 0.5, rel=1e-12)


@pytest.mark.parametrize("name", ["poisson", "negative-binomial", "mean-count"])
def test_intervals_are_whole_and_hold(name):
    """A Poisson law alone would cover about three of four."""
    s = Stage(table(), models=["poisson", "negative-binomial"], task="counts", folds=3, inner=3)
    model, _ = chosen_section(s.of(name), s.problem, s.options)
    new = table(2000, seed=9)
    made = model.predict_table(new)
    for end in ("low", "high"):
        assert np.all(made[end] == np.round(made[end]))
    assert made["low"].min() >= 0
    inside = np.mean((new["y"] >= made["low"]) & (new["y"] <= made["high"]))
    assert 0.93 < inside < 0.995
    assert (model.widen > 1.5) == (name == "poisson")
    assert isinstance(model.predict_dist(new), NegativeBinomial)


@pytest.mark.parametrize(("zeros", "told"), [(0.35, True), (0.0, False)])
def test_zero_inflation_is_mentioned_with_numbers(zeros, told):
    t = table(600, dispersion=0.0, zeros=zeros)
    s = Stage(t, models=["poisson"], task="counts", folds=3, inner=3)
    said = " ".join(predictive_section(s.of("poisson"), s.problem, s.options).sentences)
    assert ("zero inflation" in said) == told
    assert (f"{int(np.sum(t['y'] == 0))} of 600 counts" in said) == told


def test_the_scatter_is_said_beside_the_weights():
    s = Stage(table(), models=["negative-binomial"], task="counts", folds=3, inner=3)
    chosen = chosen_section(s.of("negative-binomial"), s.problem, s.options)[1]
    assert any("its standard errors include it" in said for said in chosen.sentences)
    assert "Dispersion" not in chosen.facts
    own = s.of("negative-binomial").candidate.tried(s.problem).fit(s.problem.Z, s.problem.y).summary(0.95)
    np.testing.assert_allclose(chosen.weights.std_error, own.std_error, rtol=1e-9)
    assert "the expected y is" in chosen.sentences[0]
