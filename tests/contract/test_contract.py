"""What this library promises of every estimator, at every setting of the registry.

A fixture names what a test is about: `model` is anything that takes a table of numbers, `adding` what is
fitted from statistics, `weighing` what takes weights, `predicting` regressors and classifiers, `regressor` and
`transformer` the kinds. `target` gives a model the targets of its kind; transformers and densities ignore them.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.linear_model import LinearRegression as PlainRegression
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice
from suffice._core.errors import InvalidInput, NumericalError, SufficeError, Unsupported
from suffice._core.params import Parametric
from suffice._core.records import same
from suffice.engine.protocols import FitsByPasses
from suffice.evaluation import cross_validate
from suffice.evaluation.protocols import RefitsTogether
from suffice.statistics.folds import as_folds

from . import brute
from .registry import CASES, ENDS, ENTRIES, TABULAR, THIRD, is_density

pytestmark = pytest.mark.filterwarnings(
    "ignore::suffice._core.errors.AtBound"  # some targets here are noise, which holds weights at their prior mean
)

rng = np.random.default_rng(5)
N, D = 60, 3
X = rng.uniform(-2, 2, (N, D)) + [0.0, 0.5, -0.3]
NUMBERS = 4 + X @ [2.0, -1.0, 0.5] + 0.3 * X[:, 0] ** 2 + 0.2 * rng.standard_normal(N)
Y = np.column_stack([NUMBERS, 10 - 3 * NUMBERS + rng.standard_normal(N)])
COUNTS = rng.integers(0, 4, N).astype(float)
NEW = rng.uniform(-2, 2, (7, D))
SCALE = np.ptp(NUMBERS)
WORDS = np.array(["high", "low", "middle"])
LABELS = WORDS[np.digitize(NUMBERS, np.quantile(NUMBERS, [0.2, 0.7]))]
MIXED = WORDS[np.digitize(NUMBERS + 4 * np.random.default_rng(6).standard_normal(N), [2.5, 5.5])]


def of(condition=lambda entry: True):
    """The cases of some entries, as parameters of a fixture: ends always, one between them in `make test`."""
    names = [c for c, (entry, _) in CASES.items() if condition(entry)]
    marks = {c: () if c in ENDS else pytest.mark.slow if c in THIRD else pytest.mark.long for c in names}
    return [pytest.param(c, marks=marks[c]) for c in names]


def build(request):
    entry, parameters = CASES[request.param]
    return entry.cls(**parameters)


@pytest.fixture(params=of())
def model(request):
    return build(request)


@pytest.fixture(params=of(lambda e: e.capabilities.statistics))
def adding(request):
    return build(request)


@pytest.fixture(params=of(lambda e: e.capabilities.weights))
def weighing(request):
    return build(request)


@pytest.fixture(params=of(lambda e: e.predicts))
def predicting(request):
    return build(request)


@pytest.fixture(params=of(lambda e: e.kind == "regressor"))
def regressor(request):
    return build(request)


@pytest.fixture(params=of(lambda e: e.kind == "transformer"))
def transformer(request):
    return build(request)


def target(model) -> np.ndarray:
    """Labels for a classifier, numbers for everything else."""
    if not is_classifier(model):
        return NUMBERS
    entry = entry_of(model)
    labels = MIXED if entry.overlapping else LABELS
    return np.where(labels == "high", "high", "low") if entry.two_classes else labels


def other_target(model) -> np.ndarray:
    """Targets of another shape or kind."""
    if is_classifier(model):
        return np.arange(N) % 2 == 0
    return 7 - NUMBERS**2 if entry_of(model).one_target else Y


def entry_of(model):
    return next(e for e in ENTRIES if e.cls is type(model))


def answer(model, table) -> np.ndarray:
    """What the model makes of a table, as numbers: columns, probabilities, predictions, log densities."""
    if is_classifier(model):
        return (
            model.predict_proba(table) if hasattr(model, "predict_proba") else model.decision_function(table)
        )
    if is_density(model):
        return model.score_samples(table)
    return model.predict(table) if is_regressor(model) else np.asarray(model.transform(table))


def answers(model) -> dict[str, np.ndarray]:
    """Every number a fitted model gives: columns, predictions, distributions, evidence."""
    out = {"answer": answer(model, NEW)}
    if is_classifier(model):
        out["decision"] = np.searchsorted(model.classes_, model.predict(NEW))
    if is_classifier(model) and hasattr(model, "predict_dist"):
        out["entropy"] = model.predict_dist(NEW).entropy()
    if is_regressor(model):
        d = model.predict_dist(NEW)
        out |= {"std": d.std, "log density": d.log_prob(model.predict(NEW) + 0.1)}
    if is_density(model):
        out |= {"shares": model.predict_proba(NEW), "decision": model.predict(NEW)}
        out["mean of a column"] = model.predict_dist(NEW, target=1).mean
    if hasattr(model, "log_evidence_"):
        out["evidence"] = np.asarray(model.log_evidence_)
    return out


def assert_same(a, b, tolerance: float, names=None) -> None:
    """Relative to the larger of the value and the scale of y."""
    mine, theirs = answers(a), answers(b)
    assert mine.keys() == theirs.keys()
    for name in names or mine:
        unit = np.maximum(np.abs(theirs[name]), SCALE)
        assert mine[name].shape == theirs[name].shape, name
        assert np.max(np.abs(mine[name] - theirs[name]) / unit, initial=0.0) <= tolerance, name


def counts_rows(model) -> bool:
    return getattr(model, "weight_kind", "counts") == "counts"


def refuse_to_compare_folds(model) -> None:
    """Another number of rows gives other folds, and a choice by these may be another."""
    if entry_of(model).by_folds:
        pytest.skip("it chooses by folds, which follow the number of rows")


def in_one_pass(model) -> bool:
    """Pieces give the answer of one fit unless that goes through the rows again, or in another order."""
    passes = getattr(model, "epochs", getattr(model, "max_iter", 1) if entry_of(model).ordered else 1)
    return passes == 1 and not getattr(model, "shuffle", False)


# -- fit ----------------------------------------------------------------------------------------------
def test_fit_returns_self_and_writes_no_parameter(model):
    before = model.get_params()
    assert model.fit(X, target(model)) is model
    after = model.get_params()
    assert before.keys() == after.keys()
    assert all(before[k] is after[k] for k in before)


def test_second_fit_is_the_first(model):
    y = target(model)
    first = answers(clone(model).fit(X, y))
    model.fit(X[:40, :2], other_target(model)[:40])  # other columns, other targets: nothing of it may remain
    second = answers(model.fit(X, y))
    assert all(np.array_equal(first[k], second[k]) for k in first)


def test_inputs_are_not_changed(model):
    y = target(model)
    table, targets, weight = X.copy(), y.copy(), COUNTS.copy()
    extra = (weight,) if entry_of(model).capabilities.weights else ()
    answers(model.fit(table, targets, *extra))
    answer(model, table)
    assert np.array_equal(table, X)
    assert np.array_equal(targets, y)
    assert np.array_equal(weight, COUNTS)


def test_order_of_rows_does_not_matter(model):
    if entry_of(model).ordered or entry_of(model).by_folds:
        pytest.skip("it learns from one row after the other, or chooses by folds of consecutive rows")
    y, order = target(model), np.random.default_rng(1).permutation(N)
    assert_same(clone(model).fit(X[order], y[order]), model.fit(X, y), 1e-10)


def test_several_targets_are_as_many_models(regressor):
    if entry_of(regressor).one_target:
        with pytest.raises(InvalidInput, match="y must be one column"):
            regressor.fit(X, Y)
        return
    both = clone(regressor).fit(X, Y)
    for j in range(2):
        one = clone(regressor).fit(X, Y[:, j])
        np.testing.assert_allclose(both.predict(NEW)[:, j], one.predict(NEW), rtol=1e-10, atol=1e-10 * SCALE)
        np.testing.assert_allclose(both.predict_dist(NEW).std[:, j], one.predict_dist(NEW).std, rtol=1e-9)


def test_a_column_of_targets_keeps_its_shape(regressor):
    if entry_of(regressor).one_target:
        pytest.skip("it has one target, with one shape")
    column = clone(regressor).fit(X, NUMBERS[:, None])
    assert column.predict(NEW).shape == (7, 1)
    assert column.predict_dist(NEW).mean.shape == (7, 1)
    expected = regressor.fit(X, NUMBERS).predict(NEW)
    np.testing.assert_allclose(column.predict(NEW)[:, 0], expected, rtol=1e-12)


def test_a_transformer_does_not_look_at_targets(transformer):
    first = answers(clone(transformer).fit(X))
    for y in (NUMBERS, Y, LABELS, np.full(N, np.nan)):
        again = answers(clone(transformer).fit(X, y))
        assert all(np.array_equal(first[k], again[k]) for k in first)


# -- statistics ---------------------------------------------------------------------------------------
def test_collect_writes_nothing(adding):
    adding.collect(X, target(adding))
    assert not [k for k in vars(adding) if k.endswith("_") and not k.startswith("_")]


def test_fit_is_solve_of_collect(adding):
    y = target(adding)
    a, b = clone(adding).solve(adding.collect(X, y, COUNTS)), adding.fit(X, y, COUNTS)
    assert_same(a, b, 0.0)


def test_fit_is_solve_of_gather_behind_the_door(adding):
    rows, plan = adding.door(X, target(adding), COUNTS)
    parts = [adding.gather(rows[i], plan) for i in (slice(0, 25), slice(25, 25), slice(25, N))]
    a, b = clone(adding).solve(parts[0] + parts[1] + parts[2]), adding.fit(X, target(adding), COUNTS)
    assert_same(a, b, 1e-9)


def test_equal_keys_collect_equal_statistics(adding):
    hash(adding.statistics_key)
    assert clone(adding).statistics_key == adding.statistics_key
    default, y = type(adding)(), target(adding)
    if adding.statistics_key == default.statistics_key:
        assert adding.collect(X, y, COUNTS) == default.collect(X, y, COUNTS)


@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")  # of the first, small piece
def test_partial_fit_in_pieces(adding):
    pieces, y = clone(adding), target(adding)
    for part in np.array_split(np.arange(N), 4):
        pieces.partial_fit(X[part], y[part], sample_weight=COUNTS[part])
    assert_same(pieces, adding.fit(X, y, COUNTS), 1e-9)


@pytest.mark.filterwarnings("ignore::suffice._core.errors.RankDeficient")  # of the small parts
def test_merge_is_fit_of_all(adding):
    y = target(adding)
    parts = [clone(adding).fit(X[i], y[i]) for i in np.array_split(np.arange(N), 3)]
    before = [answers(p) for p in parts]
    merged = suffice.merge(parts)
    assert merged is not parts[0]
    assert_same(merged, adding.fit(X, y), 1e-9)
    for p, b in zip(parts, before, strict=True):  # the parts are as they were
        assert all(np.array_equal(v, b[k]) for k, v in answers(p).items())


def test_forget_is_fit_of_the_rest(adding):
    y = target(adding)
    whole = clone(adding).fit(X, y)
    rest = suffice.forget(whole, X[40:], y[40:])
    assert rest is not whole
    assert_same(rest, adding.fit(X[:40], y[:40]), 1e-8)
    assert_same(whole, clone(adding).fit(X, y), 0.0)


def test_forget_part_of_the_weight(adding):
    y = target(adding)
    whole = clone(adding).fit(X, y, COUNTS + 1)
    rest, direct = suffice.forget(whole, X, y, np.ones(N)), clone(adding).fit(X, y, COUNTS)
    if counts_rows(adding):
        assert_same(rest, direct, 1e-8)
    else:  # how many rows are left of precisions is not known
        np.testing.assert_allclose(rest.predict(NEW), direct.predict(NEW), rtol=1e-8, atol=1e-8 * SCALE)
    assert rest.statistics_.n == pytest.approx(COUNTS.sum())


def test_merge_refuses_other_parameters(adding):
    if same(adding.get_params(deep=False), type(adding)().get_params(deep=False)):
        pytest.skip("the default is compared with the others")
    y = target(adding)
    a, b = adding.fit(X, y), type(adding)().fit(X, y)
    with pytest.raises(InvalidInput, match="Cannot merge models with different"):
        suffice.merge([a, b])


def test_merge_refuses_other_columns(adding):
    y = target(adding)
    a, b = clone(adding).fit(X, y), clone(adding).fit(X[:, :2], y)
    with pytest.raises(InvalidInput, match="numbers of columns"):
        suffice.merge([a, b])


def test_merge_refuses_other_targets(adding):
    a, b = clone(adding).fit(X, target(adding)), clone(adding).fit(X, other_target(adding))
    if is_classifier(adding) or is_regressor(adding):
        with pytest.raises(InvalidInput, match="shapes of y|labels that are strings"):
            suffice.merge([a, b])
    else:
        assert suffice.merge([a, b]).statistics_.rows == 2 * N


def test_forget_refuses_more_than_there_is(adding):
    y = target(adding)
    with pytest.raises(ArithmeticError, match="Cannot take"):
        suffice.forget(adding.fit(X[:20], y[:20]), X, y)


def test_forget_refuses_targets_that_were_never_in(adding):
    """Numbers further out than all rows together, or labels that not so many rows have."""
    if not is_regressor(adding) and not is_classifier(adding):
        pytest.skip("it has no targets")
    y = target(adding)
    adding.fit(X, y)
    if is_classifier(adding):
        rarest = min(np.unique(y), key=lambda c: np.sum(y == c))
        never = np.full(1 + np.sum(y == rarest), rarest)
    else:
        never = 1e3 + 100 * y[:5]
    with pytest.raises(NumericalError, match="take|Take"):
        suffice.forget(adding, X[: len(never)], never)


def test_what_is_no_sum_cannot_be_merged(model):
    if entry_of(model).capabilities.statistics:
        pytest.skip("it is a sum")
    model.fit(X, target(model))
    with pytest.raises(Unsupported, match="is not a sum over rows"):
        suffice.merge([model, model])
    with pytest.raises(Unsupported, match="is not a sum over rows"):
        suffice.forget(model, X[:2], target(model)[:2])


# -- weights ------------------------------------------------------------------------------------------
def test_weight_two_is_the_row_twice(weighing):
    refuse_to_compare_folds(weighing)
    y, rows = target(weighing), np.repeat(np.arange(N), COUNTS.astype(int))
    weighted, repeated = clone(weighing).fit(X, y, COUNTS), clone(weighing).fit(X[rows], y[rows])
    assert_same(weighted, repeated, 1e-9, None if counts_rows(weighing) else ["answer"])


def test_weight_zero_is_no_row(weighing):
    refuse_to_compare_folds(weighing)
    y, kept = target(weighing), COUNTS > 0
    assert_same(clone(weighing).fit(X, y, COUNTS), clone(weighing).fit(X[kept], y[kept], COUNTS[kept]), 1e-9)


def test_a_wild_row_of_weight_zero_has_no_say(weighing):
    refuse_to_compare_folds(weighing)
    y = target(weighing)
    wild = "wild" if is_classifier(weighing) else 1e12
    table, weight = np.vstack([X, [[1e9, -1e9, 1e9]]]), np.append(np.ones(N), 0.0)
    assert_same(clone(weighing).fit(table, np.append(y, wild), weight), weighing.fit(X, y), 1e-9)


def test_weight_one_is_no_weight(weighing):
    y = target(weighing)
    assert_same(clone(weighing).fit(X, y, np.ones(N)), clone(weighing).fit(X, y), 1e-10)


# -- prediction ---------------------------------------------------------------------------------------
def test_predict_is_the_decision_of_predict_dist(predicting):
    """The mode of a class; mean and median of a number, which agree for every distribution used here."""
    if not entry_of(predicting).capabilities.predict_dist:
        pytest.skip("it has no distribution")
    predicting.fit(X, target(predicting))
    d, predicted = predicting.predict_dist(NEW), predicting.predict(NEW)
    if is_classifier(predicting):
        assert np.array_equal(d.mode, predicted)
        assert np.array_equal(d.classes, predicting.classes_)
        assert np.array_equal(d.probabilities, predicting.predict_proba(NEW))
    else:
        np.testing.assert_allclose(d.mean, predicted, rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(d.quantile(0.5), predicted, rtol=1e-12, atol=1e-12)


def test_predict_dist_is_one_row_at_a_time(regressor):
    regressor.fit(X, NUMBERS)
    whole, parts = regressor.predict_dist(NEW), [regressor.predict_dist(NEW[i : i + 1]) for i in range(7)]
    np.testing.assert_allclose(whole.std, np.concatenate([d.std for d in parts]), rtol=1e-12)
    low, high = whole.interval(0.8)
    assert np.all(low < whole.mean)
    assert np.all(whole.mean < high)


def test_answers_are_one_row_at_a_time(model):
    model.fit(X, target(model))
    parts = np.concatenate([answer(model, NEW[i : i + 1]) for i in range(7)])
    np.testing.assert_allclose(answer(model, NEW), parts, rtol=1e-12, atol=1e-13)


# -- files --------------------------------------------------------------------------------------------
def saved(model, folder):
    suffice.save(model, folder / "model.suffice")
    return suffice.load(folder / "model.suffice")


def _is_number(value) -> bool:
    return np.asarray(value).dtype.kind in "fc"


def test_saved_model_gives_the_same_numbers(model, tmp_path):
    if "CustomBasis" in repr(model):
        with pytest.raises(Unsupported, match="functions and foreign objects are code"):
            suffice.save(model.fit(X, target(model)), tmp_path / "model.suffice")
        assert not list(tmp_path.iterdir())
        return
    for y in (target(model), other_target(model)):
        model.fit(X, y)
        again = saved(model, tmp_path)
        assert type(again) is type(model)
        mine, theirs = model.get_params(), again.get_params()
        assert mine.keys() == theirs.keys()
        assert all(same(mine[k], theirs[k]) for k in mine)
        a, b = answers(model), answers(again)
        # Numbers are stored to the bit; products of them may differ in the last one, as memory is aligned.
        for k in a:
            np.testing.assert_allclose(b[k], a[k], rtol=1e-14, atol=1e-15 * max(1.0, np.abs(a[k]).max()))
        stored = {k: v for k, v in model.fitted().items() if isinstance(v, np.ndarray | float)}
        assert all(np.array_equal(v, again.fitted()[k], equal_nan=_is_number(v)) for k, v in stored.items())
        assert again.fitted().keys() == model.fitted().keys()
        if entry_of(model).capabilities.statistics:
            assert again.statistics_ == model.statistics_


def test_saved_model_has_every_attribute_that_was_there(model, tmp_path):
    """Also those that are no field, and those that are worked out when asked for."""
    if "CustomBasis" in repr(model):
        pytest.skip("functions are code")
    model.fit(X, target(model))
    again = saved(model, tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what asking costs is said elsewhere
        assert _fitted_names(again) == _fitted_names(model)
    assert vars(again).keys() >= {k for k in vars(model) if k.endswith("_")}


def _fitted_names(model) -> set[str]:
    """Public attributes with a trailing underscore that have a value."""

    def there(name):
        try:
            getattr(model, name)
        except (AttributeError, SufficeError):
            return False
        return True

    return {k for k in dir(model) if k.endswith("_") and not k.startswith("_") and there(k)}


def test_saved_model_goes_on(adding, tmp_path):
    if "CustomBasis" in repr(adding):
        pytest.skip("functions are code")
    y = target(adding)
    half = saved(clone(adding).fit(X[:30], y[:30]), tmp_path).partial_fit(X[30:], y[30:])
    assert_same(half, adding.fit(X, y), 1e-9)


def test_unfitted_model_can_be_saved(model, tmp_path):
    if "CustomBasis" in repr(model):
        pytest.skip("functions are code")
    y = target(model)
    assert_same(saved(model, tmp_path).fit(X, y), model.fit(X, y), 0.0)


# -- scikit-learn around it ---------------------------------------------------------------------------
def scoring(model) -> str | None:
    if is_density(model):
        return None  # its own: the mean log density
    return "accuracy" if is_classifier(model) else "neg_mean_squared_error"


def grid(model) -> dict[str, list]:
    """All values that the settings give to the first parameter they move."""
    settings = entry_of(model).settings.values()
    for name, default in type(model)().get_params(deep=False).items():
        if name == "C" and model.get_params()["prior_precision"] is not None:
            continue  # one of the two
        if name == "basis" and getattr(model, "prior_precision", None) == 0:
            continue  # forty rows and many columns are told apart without error, and likelihood has no maximum
        if values := [s[name] for s in settings if name in s]:
            return {name: [default, *values]}
    return {}


def test_in_a_pipeline_and_a_search(model):
    y = target(model)
    transforms = entry_of(model).kind == "transformer"
    steps = (model, PlainRegression()) if transforms else (StandardScaler(), model)
    pipe = make_pipeline(*steps)
    assert np.isfinite(cross_val_score(pipe, X, y, cv=3, scoring=scoring(model))).all()
    if found := grid(model):
        name = pipe.steps[0 if transforms else 1][0]
        space = {f"{name}__{k}": values for k, values in found.items()}
        search = GridSearchCV(pipe, space, cv=3, scoring=scoring(model)).fit(X, y)
        assert any(search.best_params_[k] is v for k, values in space.items() for v in values)
        assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_cross_val_score_is_a_refit_per_fold(predicting):
    y, folds = target(predicting), list(KFold(3).split(X))
    scores = cross_val_score(predicting, X, y, cv=KFold(3), scoring=scoring(predicting))
    fits = [(y[b], clone(predicting).fit(X[a], y[a]).predict(X[b])) for a, b in folds]
    if is_classifier(predicting):
        by_hand = [np.mean(t == p) for t, p in fits]
    else:
        by_hand = [-np.mean((t - p) ** 2) for t, p in fits]
    np.testing.assert_allclose(scores, by_hand, rtol=1e-12)


def test_nested_parameters_never_change_a_shared_value(model):
    nested = {k: v for k, v in model.get_params().items() if isinstance(v, Parametric)}
    for name, value in nested.items():
        inner = {k: v for k, v in value.get_params().items() if k.endswith("degree")}
        for tail, degree in inner.items():
            other = clone(model).set_params(**{f"{name}__{tail}": degree + 1})
            assert other.get_params()[f"{name}__{tail}"] == degree + 1
            assert model.get_params()[f"{name}__{tail}"] == degree
            assert getattr(model, name) is value
            with pytest.raises(ValueError, match="degree"):
                clone(model).set_params(**{f"{name}__{tail}": -1})


def test_grid_search_over_a_degree(regressor):
    names = [k for k in regressor.get_params() if k.endswith("degree")]
    if not names:
        pytest.skip("no degree to search")
    before = regressor.basis
    space = {names[0]: [1, 2, 3]}
    search = GridSearchCV(regressor, space, cv=3, scoring="neg_mean_squared_error").fit(X, NUMBERS)
    assert regressor.basis is before
    assert [p[names[0]] for p in search.cv_results_["params"]] == [1, 2, 3]
    best = search.best_params_[names[0]]
    assert_same(search.best_estimator_, clone(regressor).set_params(**{names[0]: best}).fit(X, NUMBERS), 0.0)
    assert len(set(search.cv_results_["mean_test_score"])) == 3


# -- tables -------------------------------------------------------------------------------------------
def tables(array):
    import pandas
    import polars
    import pyarrow

    data = {f"c{j}": array[:, j] for j in range(array.shape[1])}
    return {
        "pandas": pandas.DataFrame(data, index=np.arange(len(array))[::-1]),
        "polars": polars.DataFrame(data),
        "pyarrow": pyarrow.table(data),
    }


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_tables_give_the_numbers_of_arrays(model, kind):
    y = target(model)
    plain = clone(model).fit(X, y)
    named = clone(model).fit(tables(X)[kind], y)
    assert list(named.feature_names_in_) == ["c0", "c1", "c2"]
    assert not hasattr(plain, "feature_names_in_")
    np.testing.assert_allclose(answer(named, tables(NEW)[kind]), answer(plain, NEW), rtol=1e-13, atol=1e-13)
    wrong = tables(NEW)[kind]
    wrong = (
        wrong.rename_columns(["c0", "c2", "c1"])
        if kind == "pyarrow"
        else wrong.rename(**{"columns": {"c1": "c9"}} if kind == "pandas" else {"mapping": {"c1": "c9"}})
    )
    with pytest.raises(ValueError, match="feature names should match"):
        answer(named, wrong)
    if entry_of(model).capabilities.predict_dist:
        column = {"target": "c0"} if is_density(model) else {}
        with pytest.raises(ValueError, match="feature names should match"):
            named.predict_dist(wrong, **column)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_transformers_give_back_the_kind_of_table_they_are_asked_for(transformer, kind):
    table = tables(NEW)[kind]
    plain = clone(transformer).fit(X).transform(NEW)
    out = transformer.set_output(transform=kind).fit(tables(X)[kind]).transform(table)
    assert type(out) is type(table)
    assert list(out.columns) == list(transformer.get_feature_names_out())
    np.testing.assert_allclose(np.asarray(out), plain, rtol=1e-13, atol=1e-13)
    if kind == "pandas":
        assert list(out.index) == list(table.index)


def test_merged_model_knows_its_columns(adding):
    table, y = tables(X)["pandas"], target(adding)
    parts = [clone(adding).fit(table[:30], y[:30]), clone(adding).fit(table[30:], y[30:])]
    assert list(suffice.merge(parts).feature_names_in_) == ["c0", "c1", "c2"]
    other = table.rename(columns={"c0": "z"})
    with pytest.raises(InvalidInput, match="column names"):
        suffice.merge([parts[0], clone(adding).fit(other, y)])


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse_is_dense(model, kind):
    holes, y = np.where(np.abs(X) < 0.4, 0.0, X), target(model)
    if not model.__sklearn_tags__().input_tags.sparse:
        with pytest.raises(InvalidInput, match="[Ss]parse"):
            model.fit(kind(holes), y)
        return
    a, b = clone(model).fit(kind(holes), y), clone(model).fit(holes, y)
    assert_same(a, b, 1e-12)
    out = answer(a, kind(NEW)) if hasattr(a, "predict") else a.transform(kind(NEW))
    out = out.toarray() if sparse.issparse(out) else out
    np.testing.assert_allclose(out, answer(b, NEW), rtol=1e-12)
    if entry_of(model).capabilities.partial_fit and in_one_pass(model):
        part = clone(model).fit(kind(holes[:30]), y[:30]).partial_fit(kind(holes[30:]), y[30:])
        assert_same(part, b, 1e-9)


def test_single_precision_is_cast_not_computed_with(model):
    narrow, y = X.astype(np.float32), target(model)
    a = clone(model).fit(narrow, y)
    if entry_of(model).capabilities.statistics:
        arrays = [v for v in vars(a.statistics_).values() if isinstance(v, np.ndarray)]
        assert all(v.dtype == np.float64 for v in arrays if v.dtype.kind == "f")
    assert_same(a, clone(model).fit(narrow.astype(float), y), 1e-12)


def test_strides_and_memory_order_do_not_matter(model):
    y = target(model)
    a = clone(model).fit(np.asfortranarray(X), y)
    b = clone(model).fit(np.repeat(X, 2, axis=0)[::2], np.repeat(y, 2)[::2])
    assert_same(a, model.fit(X, y), 1e-13)
    assert_same(b, model, 1e-13)


# -- validation ---------------------------------------------------------------------------------------
SPLITTERS = {
    "folds": KFold(5),
    "shuffled folds": KFold(4, shuffle=True, random_state=0),
    "leave one out": LeaveOneOut(),
    "shuffles": ShuffleSplit(4, test_size=0.3, random_state=0),
    "time": TimeSeriesSplit(3, test_size=8),
    "repeated": RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
}
LONG = ("leave one out", "shuffled folds", "repeated")


@dataclass
class Decided:
    """Classes without probabilities."""

    mode: np.ndarray


def refits(model, splits, weight=None):
    """Distributions of each fold by fitting anew: the definition."""
    out, y = [], target(model)
    for train, test in splits:
        extra = {} if weight is None else {"sample_weight": weight[train]}
        fitted = clone(model).fit(X[train], y[train], **extra)
        can = hasattr(fitted, "predict_dist")
        out.append(fitted.predict_dist(X[test]) if can else Decided(fitted.predict(X[test])))
    return out


def expected_ways(model) -> tuple[str, ...]:
    """What may answer a validation."""
    can = entry_of(model).capabilities
    if isinstance(model, RefitsTogether):
        return ("warm refit",)
    return ("statistics", "closed form") if can.heldout else ("statistics",) if can.statistics else ("refit",)


def _marks(case, splitter, weighted) -> tuple:
    """Quick runs try three splitters without weights, long ones all of both.

    Single rows are left out at the defaults, and far from them where that has a formula of its own.
    """
    heavy, single = splitter in LONG, splitter == "leave one out"
    formula = bool(CASES[case][0].capabilities.heldout) and case in ENDS
    if (heavy and weighted) or (single and not (formula or case.endswith(": default"))):
        return (pytest.mark.long,)
    return (pytest.mark.slow,) if heavy or weighted else ()


VALIDATIONS = [
    pytest.param(
        case.values[0],
        splitter,
        weighted,
        marks=(*case.marks, *_marks(case.values[0], splitter, weighted)),
        id=f"{case.values[0]}-{splitter}-{'weighted' if weighted else 'plain'}",
    )
    for case in of(lambda e: e.predicts)
    for splitter in SPLITTERS
    for weighted in (False, True)
]


@pytest.mark.parametrize(("predicting", "splitter", "weighted"), VALIDATIONS, indirect=["predicting"])
def test_fast_validation_is_refitting(predicting, splitter, weighted):
    if weighted and not entry_of(predicting).capabilities.weights:
        pytest.skip("it takes no weights")
    if isinstance(predicting, FitsByPasses) and not isinstance(predicting, RefitsTogether):
        pytest.skip("it is refitted, which needs no proof")
    if splitter in LONG and expected_ways(predicting) == ("refit",):
        pytest.skip("it is refitted, which a few folds show")
    y, weight = target(predicting), COUNTS + 1 if weighted else None
    splits = list(SPLITTERS[splitter].split(X))
    fast = cross_validate(predicting, X, y, cv=SPLITTERS[splitter], sample_weight=weight)
    assert fast.how in expected_ways(predicting)
    slow = refits(predicting, splits, weight)
    w = np.ones(N) if weight is None else weight
    labels = is_classifier(predicting)
    decisions = [d.mode if labels else d.mean for d in slow]
    pairs = [(y[test], p) for (_, test), p in zip(splits, decisions, strict=True)]
    losses = [(t != p).astype(float) if labels else (t - p) ** 2 for t, p in pairs]
    folds = [np.average(v, weights=w[test]) for v, (_, test) in zip(losses, splits, strict=True)]
    np.testing.assert_allclose(fast.fold_losses, folds, rtol=1e-8, atol=1e-9 * SCALE**2)
    pooled, weights = np.concatenate(losses), np.concatenate([w[test] for _, test in splits])
    np.testing.assert_allclose(fast.estimate, np.average(pooled, weights=weights), rtol=1e-8)
    if isinstance(fast.predictions, np.ndarray):
        mine = [fast.predictions[test] for _, test in splits]
    else:
        mine = fast.predictions
    for a, b in zip(mine, decisions, strict=True):
        if labels:
            assert np.array_equal(a, b)
        else:
            assert np.max(np.abs(a - b) / np.maximum(np.abs(b), SCALE)) <= 1e-9


def test_fast_validation_of_densities_is_refitting(predicting):
    y, splits = target(predicting), list(KFold(4).split(X))
    if not entry_of(predicting).capabilities.predict_dist:
        with pytest.raises(Unsupported, match="needs predict_dist"):
            cross_validate(predicting, X, y, cv=KFold(4), loss="log")
        return
    fast = cross_validate(predicting, X, y, cv=KFold(4), loss="log")
    slow = refits(predicting, splits)
    folds = [-np.mean(d.log_prob(y[t])) for (_, t), d in zip(splits, slow, strict=True)]
    np.testing.assert_allclose(fast.fold_losses, folds, rtol=1e-9)


# -- the table, cell by cell --------------------------------------------------------------------------
ROWS = {e.name: e for e in TABULAR}


@pytest.fixture(params=ROWS)
def entry(request):
    return ROWS[request.param]


def test_cell_nan(entry):
    holes, model = X.copy(), entry.cls()
    holes[4, 1] = np.nan
    if entry.capabilities.nan:
        assert np.isfinite(answer(model.fit(holes, target(model)), NEW)).all()
    else:
        with pytest.raises(InvalidInput, match=r"X contains NaN at row 4, column 'x1'"):
            model.fit(holes, target(model))


def test_cell_weights(entry):
    model = entry.cls()
    if entry.capabilities.weights:
        heavy = np.where(LABELS == "high", 50.0, 1.0)  # enough to change even the most frequent class
        a, b = answers(clone(model).fit(X, target(model), heavy)), answers(model.fit(X, target(model)))
        assert not all(np.allclose(a[k], b[k]) for k in a)
    else:
        with pytest.raises(TypeError, match="positional argument|sample_weight"):
            model.fit(X, target(model), COUNTS)


def test_cell_statistics(entry):
    from suffice.engine.protocols import FromStatistics

    model = entry.cls()
    assert isinstance(model, FromStatistics) == bool(entry.capabilities.statistics)
    kept = hasattr(model.fit(X, target(model)), "statistics_")
    assert kept == (bool(entry.capabilities.statistics) or isinstance(model, FitsByPasses))


def test_cell_heldout(entry):
    """Where there is a closed form it is refitting; where there is none for a setting, it says so."""
    labels, answered = entry.kind == "classifier", False
    splits = list((LeaveOneOut() if labels else KFold(15)).split(X))  # classifiers leave out single rows
    for parameters in entry.settings.values():
        model = entry.cls(**parameters)
        y = target(model)
        assert hasattr(model, "heldout") == bool(entry.capabilities.heldout)
        if not entry.capabilities.heldout:
            return
        if model.why_not_held_out(as_folds(splits, N)):
            with pytest.raises(Unsupported, match="no closed form here"):
                model.heldout(X, y, splits)
            continue
        whole, answered = model.heldout(X, y, splits), True
        for (_, test), slow in zip(splits, refits(model, splits), strict=True):
            if labels:
                np.testing.assert_allclose(
                    whole.probabilities[test], slow.probabilities, rtol=1e-9, atol=1e-12
                )
                continue
            np.testing.assert_allclose(whole[test].mean, slow.mean, rtol=1e-9, atol=1e-9 * SCALE)
            np.testing.assert_allclose(whole[test].std, slow.std, rtol=1e-8)
    assert answered


def test_cell_evidence(entry):
    for parameters in entry.settings.values():
        model = entry.cls(**parameters)
        y = target(model)
        model.fit(X, y)
        assert hasattr(model, "log_evidence_") == bool(entry.capabilities.evidence)
        if entry.capabilities.evidence:
            if model.evidence_kind_ == "laplace":
                assert entry.name.startswith("glm.")  # approximations have oracles of their own, in tests/glm
                continue
            assert model.evidence_kind_ == "exact"
            np.testing.assert_allclose(model.log_evidence_, brute.log_evidence(model, X, y), rtol=1e-9)
            model.fit(X, y, COUNTS)
            expected = brute.log_evidence(model, X, y, COUNTS)
            np.testing.assert_allclose(model.log_evidence_, expected, rtol=1e-9)
            model.fit(X, Y)
            alone = [entry.cls(**parameters).fit(X, Y[:, j]).log_evidence_ for j in range(2)]
            np.testing.assert_allclose(model.log_evidence_, sum(alone), rtol=1e-9)


def test_cell_predict_dist(entry):
    from suffice.distributions import Distribution

    model = entry.cls()
    assert hasattr(model, "predict_dist") == bool(entry.capabilities.predict_dist)
    if entry.kind != "classifier":  # whose decisions may have no probabilities
        assert bool(entry.capabilities.predict_dist) == (entry.kind != "transformer")
    if entry.capabilities.predict_dist:
        column = {"target": 0} if entry.kind == "density" else {}
        assert isinstance(model.fit(X, target(model)).predict_dist(NEW, **column), Distribution)


def test_cell_sparse(entry):
    tags = entry.cls().__sklearn_tags__()
    assert tags.input_tags.sparse == bool(entry.capabilities.sparse)


def test_cell_partial_fit(entry):
    assert hasattr(entry.cls(), "partial_fit") == bool(entry.capabilities.partial_fit)


def test_nothing_here_warns_by_accident():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings(
            "ignore", "The default value .* scikit-learn", FutureWarning
        )  # scikit-learn's own
        for e in TABULAR:
            for parameters in e.settings.values():
                model = e.cls(**parameters)
                model.fit(X, target(model))
