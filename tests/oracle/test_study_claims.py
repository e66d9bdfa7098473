"""Studies of packaged tables: no report contradicts itself, and an independent script agrees with its claims."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

from suffice.study import Study

from .study_checks import contradictions, gains
from .study_script import judge, long_run_p
from .study_tables import FEW, STUDIES, study_named

pytestmark = pytest.mark.slow

NAMES = [study.name for study in STUDIES]


@cache
def studied(name, effort="quick"):
    study = study_named(name)
    return Study(study.load(), study.target, effort=effort, **study.options).run()


@cache
def judged(name):
    """The verdict of the script on the kind of target that the study found."""
    study = study_named(name)
    options = study.options | {"task": studied(name).data_sheet.task}
    return judge(study.load(), study.target, **options)


def agreement(name, effort="quick"):
    """Of headline and script: "agrees", "open" (the script leaves open what is claimed), "missed", or "wrong"."""
    outcome, result = judged(name).outcome, studied(name, effort)
    if gains(result) and outcome != "better":
        return {"open": "open", "worse": "wrong"}[outcome]
    return "missed" if outcome == "better" and not result.comparison.proven else "agrees"


def told(name):
    """What a person needs to judge a disagreement."""
    return f"{name}: {studied(name).answer.headline} Script: {judged(name)}."


@pytest.mark.parametrize("name", FEW)
def test_a_report_does_not_contradict_itself(name):
    assert contradictions(studied(name), pages=name in FEW[:2]) == []


@pytest.mark.parametrize("name", FEW)
def test_the_script_agrees(name):
    assert agreement(name) in ("agrees", "open"), told(name)


@pytest.mark.long
@pytest.mark.parametrize("effort", ["quick", "default"])
@pytest.mark.parametrize("name", NAMES)
def test_no_report_contradicts_itself(name, effort):
    assert contradictions(studied(name, effort)) == []


@pytest.mark.long
@pytest.mark.parametrize("effort", ["quick", "default"])
@pytest.mark.parametrize("name", NAMES)
def test_no_winner_is_claimed_wrongly(name, effort):
    assert agreement(name, effort) != "wrong", told(name)


@pytest.mark.long
def test_the_script_agrees_in_95_of_100():
    found = {name: agreement(name) for name in NAMES}
    print(
        "\nleft open by the script:",
        *(told(n) for n, verdict in found.items() if verdict == "open"),
        sep="\n",
    )
    missed = [told(name) for name, verdict in found.items() if verdict in ("missed", "wrong")]
    assert len(missed) <= 0.05 * len(NAMES), "\n".join(missed)


# -- the script itself ----------------------------------------------------------------------------------------
def simulated(kind, strength, seed=2, n=160):
    """A column that matters, or does not, in independent rows, in groups, or in time."""
    rng = np.random.default_rng(seed)
    common = np.repeat(rng.normal(size=(n // 4, 2)), 4, axis=0) if kind == "group" else np.zeros((n, 2))
    x, noise = (rng.normal(size=(n, 2)) + common).T
    table = pd.DataFrame({"x": x, "y": strength * x + noise, "group": np.repeat(np.arange(n // 4), 4)})
    table["time"] = np.arange(n)
    return table, {kind: kind} if kind != "rows" else {}, [c for c in ("group", "time") if c != kind]


@pytest.mark.parametrize("kind", ["rows", "group", "time"])
@pytest.mark.parametrize(("strength", "outcomes"), [(1.0, {"better"}), (0.0, {"open", "worse"})])
def test_the_script_tells_a_signal_from_noise(kind, strength, outcomes):
    table, options, ignore = simulated(kind, strength)
    assert judge(table, "y", ignore=ignore, **options).outcome in outcomes


def test_the_script_never_calls_a_model_better_than_the_last_value_of_a_walk():
    walks = np.cumsum(np.random.default_rng(0).normal(size=(150, 3)), axis=0)
    table = pd.DataFrame(walks, columns=["a", "b", "y"]).assign(day=np.arange(150))
    assert judge(table, "y", time="day").outcome != "better"


def test_the_long_run_variance_is_that_of_statsmodels():
    saved = np.convolve(np.random.default_rng(1).normal(size=70), [1.0, 0.7, 0.4], "valid") + 0.3
    n, lags = len(saved), int(len(saved) ** (1 / 3))
    fit = sm.OLS(saved, np.ones(n)).fit(cov_type="HAC", cov_kwds={"maxlags": lags})
    correction = (n + 1 - 2 * (lags + 1) + (lags + 1) * lags / n) / n
    t = saved.mean() / fit.bse[0] * np.sqrt(correction)
    assert long_run_p(saved) == pytest.approx(2 * stats.t.sf(abs(t), n - 1), rel=1e-10)


# -- the checker itself ---------------------------------------------------------------------------------------
SPOILED = {
    "claimed": (lambda c: replace(c, claimed=not c.claimed), "claimed is"),
    "interval": (lambda c: replace(c, interval=(-1.0, 1e9)), "with the interval"),
    "p_value": (lambda c: replace(c, p_value=0.2), "at p = 0.2"),
    "sentence": (lambda c: replace(c, sentence="The rows do not tell them apart."), "the sentence says"),
    "difference": (lambda c: replace(c, difference=-c.difference), "is below 0"),
    "unit": (lambda c: replace(c, units=0), "were counted"),
}


@pytest.mark.parametrize("part", SPOILED)
def test_a_spoiled_claim_is_noticed(part):
    result = studied("iris")
    spoil, said = SPOILED[part]
    claims = tuple(spoil(c) if c is gains(result)[0] else c for c in result.claims)
    found = contradictions(with_claims(result, claims), pages=False)
    assert any(said in line for line in found)


def test_a_missing_claim_is_noticed():
    result = studied("iris")
    assert any(
        "There are 0 claims" in line for line in contradictions(with_claims(result, result.claims[1:]), False)
    )


def test_a_headline_that_is_too_modest_is_noticed():
    result = studied("iris")
    answer = replace(
        result.answer, headline="None of the models is known to predict target better than chance."
    )
    assert any(
        "the headline says" in line for line in contradictions(replace(result, answer=answer), pages=False)
    )


def with_claims(result, claims):
    """The same result with other claims."""
    return replace(result, claims=claims)
