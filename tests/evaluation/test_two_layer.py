"""Two layers: the same as a double loop by hand, on the same folds for all, with a baseline."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    ParameterGrid,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice._core.errors import FitFailed
from suffice._core.filters import heard
from suffice.baselines import MajorityClassifier, MeanRegressor, MedianRegressor, PriorClassifier
from suffice.bases import Polynomial
from suffice.evaluation import SearchCV, TwoLayer, cross_validate, two_layer
from suffice.linear import BayesianLinearRegression, LeastMeanSquares, LinearRegression, Ridge

from .refits import LOSSES, assert_close, fit

pytestmark = pytest.mark.sampled(12)

N = 60
rng = np.random.default_rng(8)
X = rng.standard_normal((N, 3))
y = 1 + X @ [1.0, -1.0, 0.1] + 0.7 * rng.standard_normal(N)
LABELS = np.where(y > 1.3, "up", "down")
COUNTS = rng.integers(1, 4, N).astype(float)
GROUPS = rng.permutation(np.repeat(np.arange(12), 5))
ALPHAS = {"alpha": [0.01, 1.0, 30.0]}


def double_loop(model, grid, splits, inner, loss="squared", target=y, weight=None, groups=None):
    """DTU Algorithm 6, written out: choose within the training rows, fit there, test outside."""
    w = np.ones(N) if weight is None else weight
    chosen, losses, predictions, layers = [], [], [], []
    for train, test in splits:
        rows = []
        for params in ParameterGrid(grid):
            total = size = 0.0
            part = None if groups is None else groups[train]
            for a, b in inner.split(X[train], target[train], part):
                fitted = fit(clone(model).set_params(**params), X, target, train[a], weight)
                total += w[train[b]] @ LOSSES[loss](target[train[b]], fitted, X[train[b]])
                size += w[train[b]].sum()
            rows.append(total / size)
        best = list(ParameterGrid(grid))[int(np.argmin(rows))]
        fitted = fit(clone(model).set_params(**best), X, target, train, weight)
        chosen.append(best)
        layers.append(rows)
        predictions.append(fitted.predict(X[test]))
        losses.append(np.average(LOSSES[loss](target[test], fitted, X[test]), weights=w[test]))
    return chosen, np.array(losses), predictions, np.array(layers)


def assert_is_double_loop(result, name, loop, splits, loss="squared", target=y):
    chosen, losses, predictions, layers = loop
    assert list(result.chosen[name]) == chosen
    numbers = target if target.dtype.kind == "f" else np.arange(2)
    assert_close(result.errors[name], losses, numbers, loss)
    assert_close(result.inner[name], layers, numbers, loss)
    for i, ((_, test), p) in enumerate(zip(splits, predictions, strict=True)):
        mine = result.predictions[name]
        mine = mine[test] if isinstance(mine, np.ndarray) else mine[i]
        if target.dtype.kind == "f":
            assert_close(mine, p, target)
        else:
            assert np.array_equal(mine, p)


MODELS = {
    "ridge": (Ridge(), ALPHAS),
    "standardized": (Ridge(standardize=True), ALPHAS),
    "orders": (LinearRegression(basis=Polynomial(1)), {"basis__degree": [1, 2, 3]}),
    "orders and penalties": (Ridge(basis=Polynomial(1)), {"basis__degree": [1, 2], **ALPHAS}),
    "piped": (make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": [0.1, 10.0]}),
    "bayes": (BayesianLinearRegression(noise_precision=2.0), {"prior_precision": [0.1, 10.0]}),
    "theirs": (TheirRidge(), {"alpha": [0.1, 10.0]}),
}
OUTER = {
    "blocks": KFold(4),
    "shuffled": KFold(3, shuffle=True, random_state=2),
    "shuffles": ShuffleSplit(3, test_size=0.3, random_state=0),
    "time": TimeSeriesSplit(3, test_size=8),
    "repeated": RepeatedKFold(n_splits=2, n_repeats=2, random_state=1),
}
INNER = {
    "blocks": KFold(3),
    "shuffled": KFold(4, shuffle=True, random_state=5),
    "one out": LeaveOneOut(),
    "small": KFold(15),
    "shuffles": ShuffleSplit(3, test_size=0.3, random_state=0),
    "time": TimeSeriesSplit(3),
}


@pytest.mark.slow
@settings(max_examples=settings.default.max_examples // 3)  # each is many fits
@given(
    name=st.sampled_from(list(MODELS)),
    outer=st.sampled_from(list(OUTER)),
    inner=st.sampled_from(list(INNER)),
    loss=st.sampled_from(["squared", "squared", "absolute", "log"]),
    weighted=st.booleans(),
)
def test_it_is_the_double_loop(name, outer, inner, loss, weighted):
    loss = "squared" if name == "theirs" and loss == "log" else loss
    splits, weight = list(OUTER[outer].split(X)), COUNTS if weighted else None
    result = two_layer(
        {name: MODELS[name]}, X, y, OUTER[outer], INNER[inner], loss=loss, sample_weight=weight
    )
    loop = double_loop(*MODELS[name], splits, INNER[inner], loss, weight=weight)
    assert_is_double_loop(result, name, loop, splits, loss)
    assert (result.validations[name].how == "refit") == (name == "theirs")


def nearly_twice(noise: float) -> np.ndarray:
    """A column, and nearly the same once more."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(N)
    return np.column_stack([x, x + noise * rng.standard_normal(N), rng.standard_normal(N)])


@pytest.mark.filterwarnings("ignore::suffice._core.errors.IllConditioned")
@pytest.mark.parametrize("grid", [{}, {"fit_intercept": [True, False]}], ids=["alone", "with a choice"])
def test_outer_folds_of_doubtful_statistics_are_refitted_and_named(grid):
    twice = nearly_twice(1e-13)
    found = two_layer({"linear": (LinearRegression(), grid)}, twice, y, KFold(4), KFold(3)).validations[
        "linear"
    ]
    assert found.how == "refit"
    assert {f"fold {i} was refitted: its columns are too ill-conditioned" for i in range(4)} <= set(
        found.notes
    )
    np.testing.assert_allclose(found.losses, (y - found.predictions) ** 2)


def test_every_outer_fold_gives_its_warnings():
    """A study says of a warning whether it is true of other folds too."""
    with heard() as caught:
        two_layer({"linear": LinearRegression()}, nearly_twice(0.0), y, KFold(4), KFold(3))
    assert [str(w.message).startswith("Columns 'x1' are combinations") for w in caught] == [True] * 4
    with heard() as caught:
        cross_validate(LinearRegression(), nearly_twice(0.0), y, cv=KFold(4))
    assert len(caught) == 1


def bootstrap(n, seed):
    drawn = [np.random.default_rng(seed + i).integers(0, n, n) for i in range(3)]
    return [(d, np.setdiff1d(np.arange(n), d)) for d in drawn]


@pytest.mark.long_for("orders-one out", "theirs-one out")
@pytest.mark.parametrize("inner", INNER)
@pytest.mark.parametrize("name", ["ridge", "orders", "theirs"])
def test_training_rows_drawn_again(name, inner):
    """Outer training sets that repeat rows: the inner folds count positions, not rows."""
    splits = bootstrap(N, 4)
    result = two_layer({name: MODELS[name]}, X, y, splits, INNER[inner])
    assert_is_double_loop(result, name, double_loop(*MODELS[name], splits, INNER[inner]), splits)


@pytest.mark.parametrize("name", ["ridge", "piped", "theirs"])
def test_it_is_cross_validation_of_a_search(name):
    model, grid = MODELS[name]
    result = two_layer({name: (model, grid)}, X, y, outer=5, inner=4)
    search = cross_validate(SearchCV(model, grid, cv=4), X, y, cv=5)
    assert_close(result.errors[name], search.fold_losses, y, "squared")
    assert_close(result.predictions[name], search.predictions, y)
    v = result.validations[name]
    assert v.estimate == pytest.approx(search.estimate, rel=1e-9)
    np.testing.assert_allclose(v.interval, search.interval, rtol=1e-8)


# -- models that go by the order of the rows ---------------------------------------------------------------
IN_TURN = (LeastMeanSquares(0.05), {"learning_rate": [0.01, 0.2]})


@pytest.mark.parametrize("inner", ["blocks", "shuffled", "shuffles", "one out"])
def test_training_rows_in_an_order_of_their_own(inner):
    """Outer training sets that are not sorted: the inner sets, and what learns row by row, keep their order."""
    splits = list(ShuffleSplit(3, test_size=0.3, random_state=0).split(X))
    result = two_layer({"in turn": IN_TURN}, X, y, splits, INNER[inner])
    assert_is_double_loop(result, "in turn", double_loop(*IN_TURN, splits, INNER[inner]), splits)


def test_folds_in_an_order_of_their_own():
    rng = np.random.default_rng(1)
    splits = [(rng.permutation(a), b) for a, b in KFold(4).split(X)]
    found = cross_validate(IN_TURN[0], X, y, cv=splits, loss="squared")
    loop = [np.mean((clone(IN_TURN[0]).fit(X[a], y[a]).predict(X[b]) - y[b]) ** 2) for a, b in splits]
    assert_close(found.fold_losses, np.array(loop), y, "squared")


def test_all_models_are_judged_on_the_same_rows():
    """With a splitter that never says the same twice."""
    models = {
        "a": (Ridge(), ALPHAS),
        "b": (Ridge(), ALPHAS),
        "c": LinearRegression(),
        "d": (TheirRidge(), {"alpha": [1.0]}),
    }
    result = two_layer(models, X, y, KFold(4, shuffle=True), KFold(3, shuffle=True))
    assert result.names == ("a", "b", "c", "d", "baseline")
    assert np.array_equal(result.errors["a"], result.errors["b"])
    assert np.array_equal(result.inner["a"], result.inner["b"])
    for i in range(4):
        test, train = result.fold == i, result.fold != i
        assert test.sum() == 15
        expected = LinearRegression().fit(X[train], y[train]).predict(X[test])
        assert_close(result.predictions["c"][test], expected, y)
        assert_close(result.predictions["baseline"][test], np.full(15, y[train].mean()), y)


# -- the record ------------------------------------------------------------------------------------------
def test_the_record_holds_what_a_comparison_needs():
    result = two_layer(
        {"ridge": (Ridge(), ALPHAS), "ols": LinearRegression()}, X, y, 4, 3, sample_weight=COUNTS
    )
    assert isinstance(result, TwoLayer)
    assert result.loss == "squared"
    assert np.array_equal(result.y, y)
    assert np.array_equal(result.weight, COUNTS)
    assert result.test_fraction == pytest.approx(1 / 4)
    assert result.candidates["ridge"] == ({"alpha": 0.01}, {"alpha": 1.0}, {"alpha": 30.0})
    assert result.chosen["ols"] == ({},) * 4
    assert result.inner["ridge"].shape == (4, 3)
    for name in result.names:
        v = result.validations[name]
        np.testing.assert_allclose(result.losses[name], (y - v.predictions) ** 2, rtol=1e-12)
        assert result.estimates[name] == pytest.approx(np.average(result.losses[name], weights=COUNTS))
        for i in range(4):
            rows = result.fold == i
            assert result.errors[name][i] == pytest.approx(
                np.average(result.losses[name][rows], weights=COUNTS[rows])
            )
    assert np.isnan(result.inner["ols"]).all() or result.inner["ols"].shape[1] == 0


def test_rows_tested_in_no_fold():
    result = two_layer({"ridge": (Ridge(), ALPHAS)}, X, y, [(np.arange(40), np.arange(40, 50))], 3)
    assert np.array_equal(result.fold, np.where((np.arange(N) >= 40) & (np.arange(N) < 50), 0, -1))
    assert np.isnan(result.predictions["ridge"][:40]).all()
    assert result.test_fraction == pytest.approx(10 / 50)


def test_it_speaks():
    result = two_layer({"ridge": (Ridge(), ALPHAS), "theirs": TheirRidge()}, X, y, 3, 3)
    lines = str(result).splitlines()
    assert lines[0] == "squared loss by two-layer cross-validation (3 folds)"
    assert len(lines) == 4
    assert lines[-1].strip().startswith("baseline")
    assert lines[-1].endswith("(baseline)")
    assert "from refit" in next(line for line in lines if "theirs" in line)
    assert repr(result).startswith("<TwoLayer: ridge 0.")
    assert "baseline" in result._repr_html_()
    frame = result.frame()
    assert list(frame.columns) == ["model", "fold", "size", "loss", "chosen"]
    assert len(frame) == 9
    assert frame.loc[0, "chosen"] == str(result.chosen["ridge"][0])


# -- the baseline ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("baseline", [MeanRegressor(), MedianRegressor(), DummyRegressor()], ids=repr)
def test_a_baseline_is_not_added_twice(baseline):
    result = two_layer({"ridge": Ridge(), "mine": baseline}, X, y, 3, 3)
    assert result.names == ("ridge", "mine")
    assert result.baseline == "mine"


def test_the_baseline_of_classifiers():
    model = LogisticRegression()
    result = two_layer({"model": model}, X, LABELS, 4, 3)
    assert result.baseline == "baseline"
    for i, (train, test) in enumerate(StratifiedKFold(4).split(X, LABELS)):
        most = pd.Series(LABELS[train]).mode()[0]
        assert result.errors["baseline"][i] == np.mean(LABELS[test] != most)
    for mine in (MajorityClassifier(), PriorClassifier(), DummyClassifier()):
        assert two_layer({"model": model, "mine": mine}, X, LABELS, 3, 3).baseline == "mine"


def test_the_baseline_of_a_log_loss_has_one():
    result = two_layer({"model": LogisticRegression()}, X, LABELS, 4, 3, loss="log")
    share = np.array([np.mean(LABELS[train] == "up") for train, _ in StratifiedKFold(4).split(X, LABELS)])
    up = np.array([np.mean(LABELS[test] == "up") for _, test in StratifiedKFold(4).split(X, LABELS)])
    np.testing.assert_allclose(
        result.errors["baseline"], -up * np.log(share) - (1 - up) * np.log(1 - share), rtol=1e-9
    )


# -- classifiers, groups, time ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    "model",
    [(LogisticRegression(), {"C": [0.01, 1.0]}), (KNeighborsClassifier(), {"n_neighbors": [1, 5]})],
    ids=["logistic", "neighbors"],
)
def test_classifiers(model):
    splits = list(StratifiedKFold(4).split(X, LABELS))
    result = two_layer({"model": model}, X, LABELS, 4, 3)
    assert_is_double_loop(
        result, "model", double_loop(*model, splits, StratifiedKFold(3), "misclassification", LABELS), splits,
        "misclassification", LABELS,
    )  # fmt: skip
    v = result.validations["model"]
    assert v.probabilities.shape == (N, 2)
    assert 0 <= v.interval[0] < v.estimate < v.interval[1] <= 1


@pytest.mark.parametrize(
    "splitters", [(GroupKFold(3), GroupKFold(2)), (LeaveOneGroupOut(), GroupKFold(3))], ids=str
)
def test_groups_are_kept_together_in_both_layers(splitters):
    outer, inner = splitters
    result = two_layer({"ridge": (Ridge(), ALPHAS)}, X, y, outer, inner, groups=GROUPS)
    splits = list(outer.split(X, y, GROUPS))
    for group in np.unique(GROUPS):
        assert len(np.unique(result.fold[group == GROUPS])) == 1
    assert_is_double_loop(result, "ridge", double_loop(Ridge(), ALPHAS, splits, inner, groups=GROUPS), splits)


class ByFirstColumn:
    """A splitter that looks at the rows: the largest values of the first column are tested."""

    def split(self, X, y=None, groups=None):
        order = np.argsort(np.asarray(X)[:, 0])
        yield order[:-5], order[-5:]
        yield order[5:], order[:5]

    def get_n_splits(self, X=None, y=None, groups=None):
        return 2


def test_splitters_see_the_rows_in_both_layers():
    splits = list(ByFirstColumn().split(X))
    result = two_layer({"ridge": (Ridge(), ALPHAS)}, X, y, ByFirstColumn(), ByFirstColumn())
    assert_is_double_loop(result, "ridge", double_loop(Ridge(), ALPHAS, splits, ByFirstColumn()), splits)


def test_a_table_as_it_comes():
    table = pd.DataFrame(X, columns=["a", "b", "c"], index=rng.permutation(N))
    plain, named = (
        two_layer({"ridge": (Ridge(), ALPHAS)}, A, b, 3, 3)
        for A, b in ((X, y), (table, pd.Series(y, index=table.index)))
    )
    np.testing.assert_allclose(named.predictions["ridge"], plain.predictions["ridge"], rtol=1e-12)
    assert named.chosen == plain.chosen
    lists = two_layer({"ridge": (Ridge(), ALPHAS), "theirs": TheirRidge()}, X.tolist(), y.tolist(), 3, 3)
    np.testing.assert_allclose(lists.predictions["ridge"], plain.predictions["ridge"], rtol=1e-12)


def test_several_targets():
    Y = np.column_stack([y, 3 - y**2])
    result = two_layer({"ridge": (Ridge(), ALPHAS)}, X, Y, 3, 3)
    chosen, losses, _, layers = double_loop(Ridge(), ALPHAS, list(KFold(3).split(X)), KFold(3), target=Y)
    assert list(result.chosen["ridge"]) == chosen
    np.testing.assert_allclose(result.errors["ridge"], losses, rtol=1e-9)
    np.testing.assert_allclose(result.inner["ridge"], layers, rtol=1e-9)
    assert result.predictions["ridge"].shape == (N, 2)


@pytest.mark.long
@pytest.mark.slow
def test_any_number_of_jobs():
    one, two = (two_layer({"m": (TheirRidge(), ALPHAS)}, X, y, 3, 3, n_jobs=n) for n in (1, 2))
    assert np.array_equal(one.predictions["m"], two.predictions["m"])


# -- what goes wrong -------------------------------------------------------------------------------------
def test_an_inner_layer_nobody_needs_is_not_asked_for():
    short = TimeSeriesSplit(3, max_train_size=6)
    result = two_layer({"ols": Ridge()}, X, y, short, inner=10)
    assert len(result.errors["ols"]) == 3


def test_a_candidate_that_fails_is_not_chosen():
    with pytest.warns(FitFailed, match=r"'ridge', fold 0 .*outer fold \d with \{'alpha': -1.0\} failed"):
        result = two_layer({"ridge": (Ridge(), {"alpha": [-1.0, 1.0]})}, X, y, 3, 3)
    assert result.chosen["ridge"] == ({"alpha": 1.0},) * 3
    assert np.isnan(result.inner["ridge"][:, 0]).all()
    assert np.isfinite(result.errors["ridge"]).all()


class NeedsFirstRow(TheirRidge):
    """Cannot be fitted without row 0."""

    def fit(self, A, b, sample_weight=None):
        if not np.any(A[:, 0] == X[0, 0]):
            raise RuntimeError("where is row 0?")
        return super().fit(A, b, sample_weight)


def test_an_outer_fold_that_fails_is_named_and_the_others_are_kept():
    with pytest.warns(
        FitFailed, match=r"fold 0 with \{'alpha': 3.0\} failed: RuntimeError: where is row 0\?"
    ):
        result = two_layer(
            {"m": (NeedsFirstRow(), {"alpha": [3.0]}), "ridge": Ridge()}, X, y, KFold(3), KFold(3)
        )
    assert np.array_equal(np.isnan(result.errors["m"]), [True, False, False])
    assert np.isnan(result.estimates["m"])
    assert np.isfinite(result.errors["ridge"]).all()
    assert result.validations["m"].interval is None
    assert np.array_equal(np.isnan(result.predictions["m"]), result.fold == 0)
    splits = list(KFold(3).split(X))[1:]
    assert_close(
        result.errors["m"][1:], double_loop(TheirRidge(), {"alpha": [3.0]}, splits, KFold(3))[1], y, "squared"
    )


def test_an_outer_fold_without_a_choice_is_named():
    outer = [(np.arange(40), np.arange(40, 60)), (np.arange(1, 30), np.arange(30, 60))]
    with pytest.raises(RuntimeError, match="where is row 0") as caught:
        two_layer({"m": (NeedsFirstRow(), ALPHAS)}, X, y, outer, [(np.arange(20), np.arange(20, 25))])
    assert "outer fold 1" in "".join(caught.value.__notes__)


@pytest.mark.parametrize(
    ("models", "options", "words"),
    [
        ({}, {}, "Give (at least one model|models by name)"),
        ({"m": "ridge"}, {}, "Model 'm' must be an estimator or a pair"),
        ({"m": Ridge}, {}, "Model 'm' must be an estimator"),
        ({"m": (Ridge(), {"alpha": []})}, {}, "alpha"),
        ({"m": (Ridge(), [])}, {}, "'m'|grid|candidate"),
        ({"m": (Ridge(), {"alfa": [1.0]})}, {}, "Invalid parameter 'alfa'"),
        ({"m": (Ridge(), ALPHAS, 3)}, {}, "Model 'm' must be an estimator or a pair"),
        ({"baseline": Ridge()}, {}, "The name 'baseline' is taken"),
        ({"m": Ridge()}, {"outer": 1}, "cv=1 cannot split"),
        (
            {"m": (Ridge(), ALPHAS)},
            {"outer": KFold(2), "inner": 40},
            "40 folds need at least 40 rows|cv=40 cannot split",
        ),
        ({"m": Ridge()}, {"confidence": 95}, "confidence must lie between 0 and 1"),
        ({"m": Ridge()}, {"loss": "cubed"}, "loss must be one of"),
        ({"m": (Ridge(), {"alpha": [-1.0, -2.0]})}, {}, "alpha must be a finite number"),
        (
            {"m": (Ridge(), ALPHAS)},
            {"groups": GROUPS[:5], "outer": GroupKFold(3)},
            "inconsistent numbers of samples",
        ),
        ([Ridge()], {}, "name"),
    ],
)
def test_impossible_questions_say_why(models, options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        two_layer(models, X, y, **({"outer": 3, "inner": 3} | options))


def test_the_inner_layer_is_named_where_it_fails():
    with pytest.raises(ValueError, match="need at least 45 rows|cannot split") as caught:
        two_layer({"m": (Ridge(), ALPHAS)}, X, y, KFold(3), 45)
    assert "inner layer of outer fold 0" in "".join(caught.value.__notes__)


def test_classifiers_and_regressors_do_not_mix():
    with pytest.raises((ValueError, TypeError), match="classif|regress|label|number"):
        two_layer({"a": LogisticRegression(), "b": Ridge()}, X, LABELS, 3, 3)
