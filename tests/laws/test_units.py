"""Units are a convention: y → a·y rescales predictions, columns measured otherwise leave them.

Every regressor is held to it; where a penalty or a prior has units, its number is taken to the new ones. Of the other
models those are, in which nothing has units.
"""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice._core.errors import InvalidInput, NoInformation
from suffice.bases import Polynomial
from suffice.glm import (
    BayesianPoissonRegression,
    LogisticRegression,
    PoissonRegression,
    ProbitRegression,
)
from suffice.linear import (
    ARDRegression,
    BayesianLinearRegression,
    BayesianRidge,
    ConjugateLinearRegression,
    ElasticNet,
    Lasso,
    LassoCV,
    LeastAbsoluteDeviations,
    LinearRegression,
    QNormRegression,
    Ridge,
    RidgeCV,
)

from ..contract.registry import ENTRIES

rng = np.random.default_rng(11)
N, D = 60, 3
X = rng.standard_normal((N, D)) @ (np.eye(D) + 0.3 * rng.standard_normal((D, D))) + [0.0, 3.0, -1.0]
Y = 3 + X @ [1.0, 0.0, -0.3] + 0.1 * X[:, 2] ** 2 + 0.5 * rng.standard_normal(N)
NEW = X[:9] + 0.3 * rng.standard_normal((9, D))

REGRESSORS = {
    f"{e.cls.__name__}: {setting}": (e, parameters)
    for e in ENTRIES
    for setting, parameters in e.settings.items()
    if e.takes in ("numbers", "one column") and e.kind == "regressor"
}
UNITS = [1e-6, 1e-2, 1e6]
IN_UNITS_OF_COLUMNS = [n for n in REGRESSORS if n.startswith("LastValue")]  # what it predicts is a column
OF_TWO_PENALTIES = [
    n for n in REGRESSORS if n.startswith("ElasticNetCV")
]  # one path cannot follow both to other units


def split(p, lasso, ridge):
    """Elastic nets whose two penalties are multiplied by these."""
    one, two = lasso * p["alpha"] * p["l1_ratio"], ridge * p["alpha"] * (1 - p["l1_ratio"])
    return {"alpha": one + two, "l1_ratio": one / (one + two)}


def times(p, name, factor):
    return {} if isinstance(p[name], str) else {name: p[name] * factor}


def listed(p, factor):
    """Penalties to choose from, times a factor; a number of them is found from the data."""
    return {} if np.ndim(p["alphas"]) == 0 else {"alphas": np.multiply(p["alphas"], factor)}


OF_Y = {
    LassoCV: listed,
    Lasso: lambda p, a: times(p, "alpha", a),
    ElasticNet: lambda p, a: split(p, a, 1.0),
    QNormRegression: lambda p, a: times(p, "alpha", a ** (2 - p["q"])),
    BayesianLinearRegression: lambda p, a: (
        times(p, "prior_precision", a**-2) | times(p, "noise_precision", a**-2)
    ),
    ConjugateLinearRegression: lambda p, a: times(p, "rate", a**2),
    ARDRegression: lambda p, a: times(p, "noise_precision", a**-2),
    BayesianRidge: lambda p, a: (
        {"tol": a * p["tol"], "alpha_2": a**2 * p["alpha_2"], "lambda_2": a**2 * p["lambda_2"]}
        | {"lambda_init": (p["lambda_init"] or 1.0) / a**2}
        | ({} if p["alpha_init"] is None else times(p, "alpha_init", a**-2))
    ),
}
OF_COLUMNS = {
    RidgeCV: lambda p, s: listed(p, s**2),
    LassoCV: listed,
    Ridge: lambda p, s: times(p, "alpha", s**2),
    Lasso: lambda p, s: times(p, "alpha", s),
    ElasticNet: lambda p, s: split(p, s, s**2),
    QNormRegression: lambda p, s: times(p, "alpha", s ** p["q"]),
    BayesianLinearRegression: lambda p, s: times(p, "prior_precision", s**2),
    ConjugateLinearRegression: lambda p, s: times(p, "prior_precision", s**2),
}
FREE_OF_UNITS = (LinearRegression, LeastAbsoluteDeviations, ARDRegression)


def each_column_by_itself(model):
    """Whether columns may change their units one by one: nothing in the model compares their weights."""
    p = model.get_params()
    if p.get("basis") is not None and not isinstance(p["basis"], Polynomial):
        return False
    if p.get("standardize") or isinstance(model, FREE_OF_UNITS):
        return True
    return not {"alpha", "alphas", "prior_precision", "standardize"} & set(p)


def all_columns_alike(model):
    """Whether the penalty is taken to other units of all columns by one factor."""
    p = model.get_params()
    plain = p.get("basis") is None and not p.get("penalize_intercept") and p.get("intercept") != "prior"
    return plain and type(model) in OF_COLUMNS


def built(case, **changed):
    entry, parameters = REGRESSORS[case]
    return entry.cls(**(parameters | changed))


def columns_of(case):
    return slice(0, 1) if REGRESSORS[case][0].takes == "one column" else slice(None)


def answer(model, table, y, new):
    """Predictions, and the kinds of warnings on the way."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        predictions = model.fit(table, y).predict(new)
    return predictions, {w.category for w in seen}


@cache
def plain_answer(case):
    some = columns_of(case)
    return answer(built(case), X[:, some], Y, NEW[:, some])


def check(case, model, table, y, new, unit=1.0):
    (expected, told), (found, told_here) = plain_answer(case), answer(model, table, y, new)
    np.testing.assert_allclose(found / unit, expected, rtol=0, atol=1e-7 * np.abs(expected).max())
    assert told_here == told


def in_other_units_of_y(case, a):
    some, model = columns_of(case), built(case)
    changed = OF_Y.get(type(model), lambda p, a: {})(model.get_params(), a)
    check(case, built(case, **changed), X[:, some], a * Y, NEW[:, some], a)


def in_other_units_of_columns(case, s):
    some, model = columns_of(case), built(case)
    s = np.asarray(s)[some]
    changed = {} if each_column_by_itself(model) else OF_COLUMNS[type(model)](model.get_params(), float(s[0]))
    check(case, built(case, **changed), X[:, some] * s, Y, NEW[:, some] * s)


def reach(case):
    """How far units may go, in powers of ten; the share of one of two penalties must stay a number."""
    return 6 if case.startswith("ElasticNet") else 70


OF_TARGETS = [n for n in REGRESSORS if n not in IN_UNITS_OF_COLUMNS + OF_TWO_PENALTIES]
BY_ITSELF = [n for n in OF_TARGETS if each_column_by_itself(built(n))]
ALIKE = [n for n in OF_TARGETS if n not in BY_ITSELF and all_columns_alike(built(n))]


def test_most_regressors_are_held_to_it():
    assert {"ARDRegression: default", "LinearRegression: default", "Ridge: far"} <= set(BY_ITSELF)
    assert {"Ridge: default", "Lasso: default", "BayesianLinearRegression: default"} <= set(ALIKE)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("case", OF_TARGETS)
def test_predictions_are_in_the_units_of_the_target(case, unit):
    in_other_units_of_y(case, unit)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("case", BY_ITSELF)
def test_units_of_single_columns_do_not_matter(case, unit):
    in_other_units_of_columns(case, [unit, 1.0, 3.0 / np.sqrt(unit)])


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("case", ALIKE)
def test_the_unit_of_all_columns_moves_into_the_penalty(case, unit):
    in_other_units_of_columns(case, [unit] * D)


@settings(max_examples=60)
@given(st.sampled_from(OF_TARGETS), st.floats(-1, 1))
def test_any_unit_of_the_target(case, exponent):
    in_other_units_of_y(case, 10.0 ** (exponent * reach(case)))


@settings(max_examples=60)
@given(st.sampled_from(BY_ITSELF), st.lists(st.floats(-1, 1), min_size=D, max_size=D))
def test_any_units_of_the_columns(case, exponents):
    in_other_units_of_columns(case, 10.0 ** (np.array(exponents) * reach(case)))


# -- what has no penalty, or one on standardized columns ------------------------------------------------------
ETA = X @ [1.2, 0.4, -0.8]
CLASSES = np.digitize(ETA + rng.standard_normal(N), [-1.0, 1.0])
COUNTS = rng.poisson(np.exp(np.clip(0.4 * ETA, -3, 2)))
WITHOUT_UNITS = {
    "BayesClassifier": "all",
    "FisherDiscriminant": ("default", "one direction", "own variances"),
    "LinearDiscriminantAnalysis": ("default", "shrunk as much as needed"),
    "QuadraticDiscriminantAnalysis": ("default", "shrunk as much as needed"),
    "LogisticRegression": ("maximum likelihood", "parabola, standardized"),
    "SoftmaxRegression": ("default", "through the origin"),
    "ProbitRegression": ("default",),
    "PoissonRegression": ("default",),
    "BayesianLogisticRegression": ("standardized", "far"),
    "BayesianPoissonRegression": ("standardized", "far"),
}
CLASSIFIERS = {
    f"{e.cls.__name__}: {setting}": (e, parameters)
    for e in ENTRIES
    for setting, parameters in e.settings.items()
    if setting in WITHOUT_UNITS.get(e.cls.__name__, ()) or WITHOUT_UNITS.get(e.cls.__name__) == "all"
}


def chances(case, s):
    """Probabilities or rates from columns in other units, and the kinds of warnings on the way."""
    entry, parameters = CLASSIFIERS[case]
    y = COUNTS if entry.kind == "regressor" else (CLASSES > 0) if entry.two_classes else CLASSES
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        model = entry.cls(**parameters).fit(X * s, y)
        ask = model.predict if entry.kind == "regressor" else model.predict_proba
        return ask(NEW * s), {w.category for w in seen}


plain_chances = cache(lambda case: chances(case, np.ones(D)))


@settings(max_examples=60)
@given(st.sampled_from(sorted(CLASSIFIERS)), st.lists(st.floats(-70, 70), min_size=D, max_size=D))
def test_probabilities_and_rates_do_not_depend_on_units(case, exponents):
    (expected, told), (found, told_here) = plain_chances(case), chances(case, 10.0 ** np.array(exponents))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
    assert told_here == told


# -- the unit of the weights ----------------------------------------------------------------------------------
WEIGHTS = rng.uniform(0.5, 2.0, N)
SHARES_ALONE = {
    "LinearRegression": ("default", "through the origin", "parabola, standardized", "positive"),
    "LeastAbsoluteDeviations": ("default", "standardized"),
    "Lasso": ("default", "positive"),
    "ElasticNet": ("default",),
    "MeanRegressor": ("default",),
    "MedianRegressor": ("default",),
    "GLM": ("default", "estimated scatter"),
    "LogisticRegression": ("maximum likelihood",),
    "SoftmaxRegression": ("default",),
    "ProbitRegression": ("default",),
    "PoissonRegression": ("default",),
    "LinearDiscriminantAnalysis": ("default",),
    "QuadraticDiscriminantAnalysis": ("default",),
    "GaussianNB": ("default",),
    "BayesClassifier": ("default",),
    "FisherDiscriminant": ("default",),
    "GaussianMixture": ("default", "balls"),
}
WEIGHED = {
    f"{e.cls.__name__}: {setting}": (e, parameters)
    for e in ENTRIES
    for setting, parameters in e.settings.items()
    if setting in SHARES_ALONE.get(e.cls.__name__, ())
}
PENALIZED = {
    "Ridge": lambda c: Ridge(2.0 * c),
    "BayesianLinearRegression": lambda c: BayesianLinearRegression(3.0 * c, noise_precision=1.0),
    "LogisticRegression": lambda c: LogisticRegression(C=2.0 / c),
    "softmax of three": lambda c: LogisticRegression(prior_precision=0.3 * c),
    "ProbitRegression": lambda c: ProbitRegression(prior_precision=0.3 * c, penalize_intercept=True),
    "PoissonRegression": lambda c: PoissonRegression(prior_precision=0.3 * c),
    "BayesianPoissonRegression": lambda c: BayesianPoissonRegression(prior_precision=0.3 * c),
}


def target_of(name, kind, two_classes=False):
    if "Poisson" in name:
        return COUNTS
    return (CLASSES > 0) if two_classes else CLASSES if kind == "classifier" else Y


def weighed_answer(model, y, weight, ask):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        found = getattr(model.fit(X, y, sample_weight=weight), ask)(NEW)
    return found, {w.category for w in seen}


def with_weights(case, unit):
    entry, parameters = WEIGHED[case]
    ask = {"regressor": "predict", "classifier": "predict_proba", "density": "score_samples"}[entry.kind]
    y = target_of(case, entry.kind, entry.two_classes)
    return weighed_answer(entry.cls(**parameters), y, WEIGHTS * unit, ask)


def with_weights_and_penalty(case, unit):
    """a(x) at the estimate; of classifiers the probabilities."""
    labels = case.startswith(("Log", "soft", "Prob"))
    y = target_of(case, "classifier" if labels else "regressor", case.startswith(("Log", "Prob")))
    model = PENALIZED[case](unit)
    found, told = weighed_answer(model, y, WEIGHTS * unit, "predict_proba" if labels else "predict")
    return found if labels else model.intercept_ + NEW @ model.coef_, told - {NoInformation}


plain_weights = cache(lambda case: with_weights(case, 1.0))
plain_penalty = cache(lambda case: with_weights_and_penalty(case, 1.0))


@settings(max_examples=60)
@given(st.sampled_from(sorted(WEIGHED)), st.floats(-150, 10))
def test_without_a_prior_only_shares_of_the_weight_count(case, exponent):
    """Also where all rows together weigh 1e-12, or less: a climb does not stop because its objective is small."""
    (expected, told), (found, told_here) = plain_weights(case), with_weights(case, 10.0**exponent)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7 * np.abs(expected).max())
    assert told_here == told


@settings(max_examples=40)
@given(st.sampled_from(sorted(PENALIZED)), st.floats(-150, 10))
def test_weights_and_penalty_together_have_no_unit(case, exponent):
    (expected, told), (found, told_here) = plain_penalty(case), with_weights_and_penalty(case, 10.0**exponent)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
    assert told_here == told


def test_targets_without_a_square_are_refused_by_ard():
    """They divided by zero."""
    told = "whose square overflows; rescale y or the weights"
    with np.errstate(over="ignore"), pytest.raises(InvalidInput, match=told):
        ARDRegression(fit_intercept=False).fit(
            np.zeros((3, 2)), [1e160, 2e160, -1e160], [1e-300, 2e-300, 1e-300]
        )
    with pytest.raises(InvalidInput, match="whose square vanishes; rescale y or the weights"):
        ARDRegression(noise_precision=1e-300).fit([[0.7]], [1.0], [1e-301])
