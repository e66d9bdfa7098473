"""Every pair of a two-layer validation, by the test that its setup asks for."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.evaluation import two_layer
from suffice.evaluation.comparisons import correlated_t, holm, mcnemar, paired_t
from suffice.linear import LinearRegression, Ridge

rng = np.random.default_rng(8)
X = rng.normal(size=(120, 3))
y = X @ [1.0, 0.5, 0.0] + rng.normal(size=120)
LABELS = np.where(y > 0.3, "yes", "no")
MODELS = {"ridge": (Ridge(), {"alpha": [0.1, 10.0]}), "line": LinearRegression()}
CLASSIFIERS = {"logistic": LogisticRegression(), "bayes": GaussianNB()}


@pytest.fixture(scope="module")
def regression():
    return two_layer(MODELS, X, y, outer=KFold(6), inner=4)


@pytest.fixture(scope="module")
def classification():
    return two_layer(CLASSIFIERS, X, LABELS, outer=KFold(6), inner=4)


@pytest.mark.parametrize("setup", ["I", "II"])
def test_every_pair_with_the_baseline_last(regression, setup):
    found = regression.compare(setup)
    assert found.pairs == (("ridge", "line"), ("ridge", "baseline"), ("line", "baseline"))
    np.testing.assert_array_equal(found.adjusted, np.asarray(holm([f.p_value for f in found.findings])))
    text = str(found)
    for (a, b), finding in zip(found.pairs, found.findings, strict=True):
        assert found[a, b] is finding
        assert finding.sentence in text
        assert f"(Setup {setup})." in finding.sentence
        assert a in finding.sentence
        assert b in finding.sentence
    assert found["line", "baseline"].interval[1] < 0
    frame = found.frame()
    assert list(frame["first"]) == ["ridge", "ridge", "line"]
    assert np.all(frame["low"] <= frame["difference"])
    assert np.all(frame["difference"] <= frame["high"])
    with pytest.raises(KeyError, match="no pair"):
        found["baseline", "line"]


def test_setup_one_of_regressors_is_the_paired_t_of_rows(regression):
    direct = paired_t(regression.losses["ridge"], regression.losses["line"])
    got = regression.compare("I")["ridge", "line"]
    assert (got.estimate, got.interval, got.p_value) == (direct.estimate, direct.interval, direct.p_value)


def test_setup_one_of_classifiers_is_mcnemar_as_a_difference_of_losses(classification):
    said = classification.predictions
    direct = mcnemar(LABELS, said["logistic"], said["baseline"])
    got = classification.compare("I")["logistic", "baseline"]
    assert direct.estimate > 0
    assert got.estimate == -direct.estimate
    assert got.interval == (-direct.interval[1], -direct.interval[0])
    assert got.p_value == direct.p_value
    means = [classification.estimates[n] for n in ("logistic", "baseline")]
    assert got.estimate == pytest.approx(means[0] - means[1], abs=1e-12)


@pytest.mark.parametrize("name", ["regression", "classification"])
def test_setup_two_is_the_correlated_t_of_folds(name, request):
    result = request.getfixturevalue(name)
    a, b = result.names[:2]
    direct = correlated_t(result.errors[a] - result.errors[b], 1 / 6)
    got = result.compare("II")[a, b]
    np.testing.assert_allclose(
        (got.estimate, *got.interval, got.p_value),
        (direct.estimate, *direct.interval, direct.p_value),
        rtol=1e-12,
    )


def test_weights_count_rows():
    weight = rng.integers(0, 3, 120)
    rows = np.repeat(np.arange(120), weight)
    folds = [
        (np.flatnonzero(np.arange(120) % 4 != k), np.flatnonzero(np.arange(120) % 4 == k)) for k in range(4)
    ]
    again = [(np.flatnonzero(rows % 4 != k), np.flatnonzero(rows % 4 == k)) for k in range(4)]
    weighted = two_layer({"line": LinearRegression()}, X, y, outer=folds, inner=3, sample_weight=weight)
    repeated = two_layer({"line": LinearRegression()}, X[rows], y[rows], outer=again, inner=3)
    a, b = (r.compare("I")["line", "baseline"] for r in (weighted, repeated))
    np.testing.assert_allclose(
        (a.estimate, *a.interval, a.p_value), (b.estimate, *b.interval, b.p_value), rtol=1e-8
    )


def test_confidence_widens(regression):
    narrow, wide = (regression.compare("II", confidence=c)["ridge", "baseline"].interval for c in (0.5, 0.99))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_what_cannot_be_compared(regression):
    with pytest.raises(InvalidParameter, match="setup must be one of 'I', 'II'; got 'III'"):
        regression.compare("III")
    with pytest.raises(InvalidParameter, match="confidence"):
        regression.compare("I", confidence=1.0)
    repeated = two_layer(
        {"line": LinearRegression()}, X, y, outer=RepeatedKFold(n_splits=3, n_repeats=2), inner=3
    )
    with pytest.raises(InvalidInput, match="each row to be tested once"):
        repeated.compare("I")
    assert repeated.compare("II").findings[0].n == 6
    single = two_layer({"line": LinearRegression()}, X, y, outer=ShuffleSplit(1, random_state=0), inner=3)
    with pytest.raises(InvalidInput, match="two splits or more"):
        single.compare("II")
    assert single.compare("I").findings[0].n == 12


@pytest.mark.long
def test_setup_two_keeps_its_level_when_two_methods_are_equal():
    """Two ridges whose penalties are equally far from useful differ by chance alone: at most 5 % + 2 points."""
    hits, runs = 0, 150
    for seed in range(runs):
        r = np.random.default_rng(seed)
        A = r.normal(size=(60, 4))
        t = A @ [1.0, 0, 0, 0] + r.normal(size=60)
        noisy = {"a": LinearRegression(), "b": LinearRegression()}
        junk = np.column_stack([A, r.normal(size=(60, 2))])  # each method sees one column of noise of its own
        folds = list(KFold(10).split(junk))
        errors = [two_layer({k: m}, np.delete(junk, c, axis=1), t, outer=folds, inner=2).errors[k]
                  for (k, m), c in zip(noisy.items(), (4, 5), strict=True)]  # fmt: skip
        hits += correlated_t(errors[0] - errors[1], 0.1).p_value < 0.05
    assert hits / runs <= 0.05 + 0.02 + 3 * np.sqrt(0.05 * 0.95 / runs)
