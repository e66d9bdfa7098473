"""Folds that cannot work: each is refused by name, or left out with a warning while the rest is kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression as TheirLinear
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePOut,
    PredefinedSplit,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice._core.errors import FitFailed, RankDeficient
from suffice.baselines import MajorityClassifier, MeanRegressor, MedianRegressor, PriorClassifier
from suffice.bases import Polynomial
from suffice.evaluation import SearchCV, cross_validate, two_layer, validate_path
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge

from .refits import assert_close, refits

pytestmark = pytest.mark.sampled(4)

N = 24
rng = np.random.default_rng(2)
X = rng.standard_normal((N, 2))
y = 1 + X @ [1.0, -1.0] + 0.3 * rng.standard_normal(N)
LABELS = np.where(np.arange(N) % 3 == 0, "a", "b")
GROUPS = np.arange(N) % 3
WAYS = {
    "cross_validate": lambda model, X, y, cv, **o: cross_validate(model, X, y, cv=cv, **o),
    "validate_path": lambda model, X, y, cv, **o: validate_path(model, X, y, "alpha", [0.1, 1.0], cv, **o),
    "SearchCV": lambda model, X, y, cv, **o: SearchCV(model, {"alpha": [0.1, 1.0]}, cv=cv).fit(X, y, **o),
    "two_layer": lambda model, X, y, cv, **o: two_layer({"m": model}, X, y, cv, 2, **o),
}
BAD = (ValueError, TypeError)


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


# -- folds that cannot be made ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("cv", "words"),
    [
        (0, "cv=0 cannot split these 24 rows"),
        (1, "cv=1 cannot split these 24 rows"),
        (-3, "cv=-3 cannot split these 24 rows"),
        (25, "25 folds need at least 25 rows|cannot split these 24 rows"),
        (1.5, r"cv must be an integer, a splitter or pairs \(training rows, test rows\); got 1.5"),
        (5.0, r"cv must be an integer, a splitter or pairs \(training rows, test rows\); got 5.0"),
        (float("nan"), "cv must be an integer, a splitter or pairs"),
        ("x", "as an integer, a|an integer, a splitter"),
        ("10", "as an integer, a|an integer, a splitter"),
        (True, "cv"),
        (KFold, "pairs|an instance of KFold|cv must be"),
        ([], "no folds"),
        (iter([]), "no folds"),
        ([([0, 1, 2, 3, 4], [])], "Fold 0 has no test rows"),
        ([(range(5), [6]), ([0, 1, 2, 3, 4], np.array([], dtype=int))], "Fold 1 has no test rows"),
        ([([], [1, 2])], "Fold 0 has no training rows"),
        ([(np.zeros(N, bool), np.ones(N, bool))], "Fold 0 has no training rows"),
        ([(range(10), [24])], "names row 24, but there are 24 rows"),
        ([(range(10), [-25])], "names row -25, but there are 24 rows"),
        ([([0.5, 1.0], [2])], "Splits must be row numbers or masks; got float64"),
        ([(["a"], ["b"])], "Splits must be row numbers or masks"),
        ([(np.ones(23, bool), np.zeros(23, bool))], "mask of a split has 23 entries for 24 rows"),
        ([(range(10),)], "pairs|training and test"),
        ([np.arange(10), np.arange(10, 24)], "pairs|training and test"),
        ([1, 2, 3], "pairs|training and test"),
        (KFold(30), "30 folds need at least 30 rows"),
        (KFold(30, shuffle=True), "KFold cannot split these 24 rows"),
        (TimeSeriesSplit(40), "TimeSeriesSplit cannot split these 24 rows"),
        (ShuffleSplit(2, test_size=40), "ShuffleSplit cannot split these 24 rows"),
        (LeaveOneGroupOut(), "groups"),
        (GroupKFold(2), "groups"),
        (PredefinedSplit(np.full(N, -1)), "no folds"),
    ],
)  # fmt: skip
def test_impossible_folds_are_refused(way, cv, words):
    with pytest.raises(BAD, match=words):
        way(Ridge(), X, y, cv)


def test_groups_fewer_than_folds(way):
    with pytest.raises(
        BAD, match="GroupKFold cannot split these 24 rows.*number of splits n_splits=4.*groups: 3"
    ):
        way(Ridge(), X, y, GroupKFold(4), groups=GROUPS)


def test_one_group(way):
    with pytest.raises(
        BAD,
        match="LeaveOneGroupOut cannot split.*more than one|LeaveOneGroupOut.*1 unique groups|LeaveOneGroupOut",
    ):
        way(Ridge(), X, y, LeaveOneGroupOut(), groups=np.zeros(N))


@pytest.mark.parametrize("groups", [GROUPS[:-1], np.append(GROUPS, 1), GROUPS[:0]])
def test_groups_of_another_length(way, groups):
    with pytest.raises(BAD, match="GroupKFold cannot split these 24 rows.*inconsistent numbers of samples"):
        way(Ridge(), X, y, GroupKFold(3), groups=groups)


def test_one_row_is_not_enough(way):
    with pytest.raises(BAD, match="row|sample"):
        way(Ridge(), X[:1], y[:1], LeaveOneOut())


def test_no_rows_are_not_enough(way):
    with pytest.raises(BAD, match="row|sample"):
        way(Ridge(), X[:0], y[:0], 3)


def test_fewer_members_of_a_class_than_folds():
    """As scikit-learn: none of any class has enough is an error, one class is a warning."""
    with pytest.raises(BAD, match="n_splits=9 cannot be greater than the number of members in each class"):
        cross_validate(
            MajorityClassifier(), X[:16], LABELS[:16] + np.array(["1", "2"])[np.arange(16) // 8], cv=9
        )
    rare = np.where(np.arange(N) < 2, "rare", "common")
    for model in (MajorityClassifier(), KNeighborsClassifier(3)):
        with pytest.warns(UserWarning, match="least populated class"):
            result = cross_validate(model, X, rare, cv=3)
        assert result.fold_losses.shape == (3,)


# -- tables that cannot be read --------------------------------------------------------------------------
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_missing_or_infinite_cells_are_named(way, value):
    A, b = X.copy(), y.copy()
    A[5, 1] = value
    with pytest.raises(ValueError, match=r"X contains (NaN|-?inf\w*) (at|in) row 5, column 'x1'"):
        way(Ridge(), A, y, 3)
    with pytest.raises(ValueError, match="X contains .* column 'second'"):
        way(Ridge(), pd.DataFrame(A, columns=["first", "second"]), y, 3)
    b[7] = value
    with pytest.raises(ValueError, match=r"y .*(NaN|inf).* row 7"):
        way(Ridge(), X, b, 3)


def test_text_is_named(way):
    table = pd.DataFrame({"size": X[:, 0], "color": np.where(X[:, 1] > 0, "red", "blue")})
    with pytest.raises(ValueError, match=r"Column 'color' holds text \('(red|blue)' at row 0\)"):
        way(Ridge(), table, y, 3)
    with pytest.raises(ValueError, match="y must be numbers"):
        way(Ridge(), X, LABELS, 3)


@pytest.mark.parametrize(
    ("A", "b", "words"),
    [
        (X[:, 0], y, "2D array|two dimensions"),
        (X[None], y, "dim|inconsistent numbers of samples"),
        (X, y[:-1], "inconsistent numbers of samples"),
        (X, np.append(y, 1.0), "inconsistent numbers of samples"),
        (X, None, "y"),
        (X[:, :0], y, "feature|column"),
        (X, np.stack([y[:, None]] * 2, axis=2), "dim|shape"),
    ],
)
def test_shapes_that_do_not_fit(way, A, b, words):
    with pytest.raises(BAD, match=words):
        way(Ridge(), A, b, 3)


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        (np.ones(N - 1), r"sample_weight must have shape \(24,\)"),
        (np.ones((N, 1)), r"sample_weight must have shape \(24,\)"),
        (np.full(N, -1.0), "sample_weight must be zero or more; got -1 at row 0"),
        (np.full(N, np.nan), "sample_weight must be finite; got nan at row 0"),
        (np.zeros(N), "sample_weight is zero for all 24 rows"),
        (["a"] * N, "sample_weight must be numbers"),
        (np.where(np.arange(N) < 8, 0.0, 1.0), "Fold 0 has no test rows with positive weight"),
        (np.where(np.arange(N) < 16, 0.0, 1.0), "no test rows with positive weight"),
    ],
)
def test_weights_that_cannot_count(way, weight, words):
    for model in (Ridge(), LinearRegressionByThem()):
        with pytest.raises(ValueError, match=words):
            way(model, X, y, KFold(3), sample_weight=weight)


class LinearRegressionByThem(TheirLinear):
    """scikit-learn's, with a parameter for the paths above."""

    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = alpha


def test_training_rows_that_do_not_count():
    """Only the rows of fold 0 count, so its own model has nothing to learn from."""
    weight = np.where(np.arange(N) < 8, 1.0, 0.0)
    with pytest.raises(ValueError, match="Fold 1 has no test rows with positive weight"):
        cross_validate(Ridge(), X, y, cv=3, sample_weight=weight)
    one_pair = [(np.arange(8, N), np.arange(8))]
    with pytest.raises(ValueError, match="no rows with positive weight") as caught:
        cross_validate(Ridge(), X, y, cv=one_pair, sample_weight=weight)
    assert "fold 0" in "".join(caught.value.__notes__)


def test_weights_for_a_model_without():
    with pytest.raises((ValueError, TypeError), match="sample_weight"):
        cross_validate(KNeighborsClassifier(), X, LABELS, cv=3, sample_weight=np.ones(N))


def test_weights_given_twice():
    with pytest.raises(ValueError, match="sample_weight or inside params, not both"):
        cross_validate(Ridge(), X, y, sample_weight=np.ones(N), params={"sample_weight": np.ones(N)})


def test_groups_that_nobody_looks_at_are_said():
    for cv in (3, KFold(3), KFold(3, shuffle=True, random_state=0)):
        with pytest.warns(UserWarning, match="(takes no notice of groups|groups parameter is ignored)"):
            cross_validate(Ridge(), X, y, cv=cv, groups=GROUPS)


@pytest.mark.parametrize("model", ["ridge", Ridge, None, 3])
def test_what_is_no_model(model):
    for work in (
        lambda: cross_validate(model, X, y, cv=3),
        lambda: validate_path(model, X, y, "alpha", [1.0], 3),
        lambda: two_layer({"m": model}, X, y, 3, 3),
    ):
        with pytest.raises(BAD, match="must be an estimator"):
            work()


# -- grids that cannot be tried --------------------------------------------------------------------------
@pytest.mark.parametrize("values", [(), [], np.array([]), iter([])])
def test_nothing_to_try(values):
    with pytest.raises(ValueError, match="values must name at least one value of 'alpha' to try; got none"):
        validate_path(Ridge(), X, y, "alpha", values)


@pytest.mark.parametrize(
    ("param", "words"),
    [
        ("alfa", "Invalid parameter 'alfa'.*Valid parameters"),
        ("basis__degree", "basis"),
        ("", "Invalid parameter ''"),
    ],
)
def test_unknown_parameters(param, words):
    with pytest.raises(ValueError, match=words):
        validate_path(Ridge(), X, y, param, [1, 2], 3)
    with pytest.raises(ValueError, match=words):
        SearchCV(Ridge(), {param: [1, 2]}, cv=3).fit(X, y)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"average": "mean"}, "average must be one of 'size', 'fold'; got 'mean'"),
        ({"simplest": "middle"}, "simplest must be one of"),
        ({"loss": "cubed"}, "loss must be one of"),
    ],
)
def test_unknown_choices(options, words):
    with pytest.raises(ValueError, match=words):
        validate_path(Ridge(), X, y, "alpha", [1.0], 3, **options)


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.5, "high", None])
def test_confidence_is_a_fraction(confidence):
    with pytest.raises(ValueError, match="confidence must"):
        cross_validate(Ridge(), X, y, confidence=confidence)


@pytest.mark.parametrize(
    "loss",
    [
        lambda y, p: 3.0,
        lambda y, p: (y - p)[:-1],
        lambda y, p: np.subtract.outer(y, p) ** 2,
        lambda y, p: None,
    ],
)
def test_losses_that_are_none(loss):
    with pytest.raises(BAD, match="must return one value per row|float"):
        cross_validate(Ridge(), X, y, cv=3, loss=loss)


@pytest.mark.parametrize("values", [3.0, "sum", None])
def test_values_that_are_no_list(values):
    with pytest.raises(BAD, match="values must be a list of values of 'alpha' to try"):
        validate_path(Ridge(), X, y, "alpha", values)


def test_losses_of_the_other_kind():
    with pytest.raises(ValueError, match="'misclassification' needs a classifier; got Ridge"):
        cross_validate(Ridge(), X, y, cv=3, loss="misclassification")
    with pytest.raises(ValueError, match="'squared' needs numbers; y holds .*'[ab]'"):
        cross_validate(GaussianNB(), X, LABELS, cv=3, loss="squared")


def test_numbers_held_as_objects():
    """As in a column of a table that once held text."""
    for loss in ("squared", "absolute"):
        for model in (Ridge(), TheirLinear(), make_pipeline(StandardScaler(), Ridge())):
            boxed = cross_validate(model, X, y.astype(object), cv=3, loss=loss).estimate
            assert boxed == pytest.approx(cross_validate(model, X, y, cv=3, loss=loss).estimate)


def test_records_show_plain_numbers():
    path = validate_path(Ridge(), X, y, "alpha", np.logspace(-1, 1, 3), 3)
    assert "np.float64" not in str(path) + repr(path) + path._repr_html_()


def test_a_value_that_is_impossible_does_not_take_the_others_with_it():
    for values in ([1.0, -1.0], [-1.0, 1.0], [np.nan, 1.0], ["x", 1.0], [1.0, None]):
        with pytest.warns(FitFailed, match="alpha must be"):
            path = validate_path(Ridge(), X, y, "alpha", values, 3)
        good = values.index(1.0)
        assert path.test[good] == pytest.approx(cross_validate(Ridge(1.0), X, y, cv=3).estimate)
        assert np.isnan(path.test[1 - good])
        assert path.best == 1.0
        assert len(path.notes) == 3
    with pytest.warns(FitFailed, match="degree"):
        path = validate_path(
            LinearRegression(basis=Polynomial(1)), 1e3 * X, y, "basis__degree", [1, 2, 150], 3
        )
    assert np.array_equal(np.isnan(path.test), [False, False, True])
    with pytest.raises(ValueError, match="alpha must be") as caught:
        validate_path(Ridge(), X, y, "alpha", [-1.0, -2.0], 3)
    assert "{'alpha': -1.0}" in "".join(caught.value.__notes__)


# -- models that fail on one fold ------------------------------------------------------------------------
class NeedsRow(TheirLinear):
    """Cannot be fitted without a certain row."""

    def __init__(self, alpha=0, row=3):
        super().__init__()
        self.alpha, self.row = alpha, row

    def fit(self, A, b, sample_weight=None):
        if not np.any(np.asarray(A)[:, 0] == X[self.row, 0]):
            raise RuntimeError(f"row {self.row} is not here")
        return super().fit(A, b, sample_weight)


def test_a_fold_that_fails_is_named_and_the_others_are_kept():
    with pytest.warns(FitFailed, match="fold 0 failed: RuntimeError: row 3 is not here"):
        result = cross_validate(NeedsRow(), X, y, cv=KFold(4))
    brute = refits(TheirLinear(), X, y, list(KFold(4).split(X)))
    assert np.isnan(result.estimate)
    assert result.interval is None
    assert np.isnan(result.fold_losses[0])
    assert_close(result.fold_losses[1:], brute.fold_losses[1:], y, "squared")
    assert np.array_equal(np.isnan(result.predictions), np.arange(N) < 6)
    assert np.array_equal(np.isnan(result.losses), np.arange(N) < 6)
    assert "fold 0 failed: RuntimeError: row 3 is not here" in result.notes
    assert "nan" in str(result)


def test_a_candidate_that_fails_on_a_fold_is_named():
    with pytest.warns(
        FitFailed, match=r"fold 0 with \{'row': 3\} failed: RuntimeError: row 3 is not here \(and 1 more"
    ):
        path = validate_path(NeedsRow(), X, y, "row", [3, 20], KFold(4))
    assert np.isnan(path.test).all()
    assert np.isnan(path.fold_test).sum() == 2
    assert path.notes[-1] == "fold 3 with {'row': 20} failed: RuntimeError: row 20 is not here"
    with pytest.raises(ValueError, match="No value of the path has a finite loss; see notes"):
        _ = path.best
    with (
        pytest.warns(FitFailed, match="row 3"),
        pytest.raises(ValueError, match="No candidate has a finite score"),
    ):
        SearchCV(NeedsRow(), {"row": [3, 20]}, cv=KFold(4)).fit(X, y)
    pairs = [(np.arange(20), np.arange(20, 24)), (np.arange(2, 22), np.arange(2))]
    with pytest.warns(FitFailed, match=r"fold 1 with \{'row': 1\} failed"):
        search = SearchCV(NeedsRow(), {"row": [1, 5]}, cv=pairs).fit(X, y)
    assert search.best_params_ == {"row": 5}
    assert search.cv_results_["rank_test_score"].tolist() == [2, 1]


def test_if_all_fail_the_first_error_is_raised():
    with pytest.raises(RuntimeError, match="row 3 is not here") as caught:
        cross_validate(
            NeedsRow(), X, y, cv=[(np.arange(4, 20), np.arange(3)), (np.arange(8, 22), np.arange(5))]
        )
    assert "fold 0" in "".join(caught.value.__notes__)
    with pytest.raises(RuntimeError, match="row 3 is not here"):
        cross_validate(NeedsRow(), X, y, cv=[(np.arange(4, 20), np.arange(3))])
    with pytest.raises(RuntimeError, match="row 3 is not here") as caught:
        validate_path(NeedsRow(), X, y, "alpha", [1, 2], [(np.arange(4, 20), np.arange(3))])
    assert "{'alpha': 1}" in "".join(caught.value.__notes__)


def test_a_fold_too_small_for_a_model_fitted_from_statistics():
    """A Bayesian fit to one row with a flat intercept has nothing to find precisions from."""
    pairs = [
        (np.arange(1), np.arange(1, 10)),
        (np.arange(12), np.arange(12, N)),
        (np.arange(12, N), np.arange(12)),
    ]
    brute = []
    for a, b in pairs[1:]:
        brute.append(np.mean((y[b] - BayesianLinearRegression().fit(X[a], y[a]).predict(X[b])) ** 2))
    try:
        BayesianLinearRegression().fit(X[:1], y[:1])
    except Exception as error:
        with pytest.warns(FitFailed, match=f"fold 0 failed: {type(error).__name__}"):
            result = cross_validate(BayesianLinearRegression(), X, y, cv=pairs)
        assert np.isnan(result.fold_losses[0])
    else:
        pytest.skip("one row is enough")
    np.testing.assert_allclose(result.fold_losses[1:], brute, rtol=1e-9)


def test_fewer_rows_than_columns_warns_as_the_fit_does():
    A = rng.standard_normal((N, 30))
    with pytest.warns(RankDeficient, match="cannot determine 30 columns"):
        result = cross_validate(LinearRegression(), A, y, cv=KFold(3))
    with pytest.warns(RankDeficient):
        brute = refits(LinearRegression(), A, y, list(KFold(3).split(A)))
    assert_close(result.fold_losses, brute.fold_losses, y, "squared")
    assert result.distributions is None
    assert any("predictive distribution" in note for note in result.notes)
    with pytest.warns(RankDeficient), pytest.raises(ArithmeticError, match="degrees of freedom"):
        cross_validate(LinearRegression(), A, y, cv=KFold(3), loss="log")


def test_a_row_alone_in_its_fold_without_degrees_of_freedom():
    with pytest.warns(RankDeficient):
        result = cross_validate(LinearRegression(), X[:3], y[:3], cv=LeaveOneOut())
    with pytest.warns(RankDeficient):
        brute = refits(LinearRegression(), X[:3], y[:3], list(LeaveOneOut().split(X[:3])))
    assert_close(result.fold_losses, brute.fold_losses, y, "squared")


# -- classes that some folds lack ------------------------------------------------------------------------
SORTED = np.repeat(["a", "b", "c"], 8)


@pytest.mark.parametrize(
    "model",
    [
        MajorityClassifier(),
        PriorClassifier(),
        GaussianNB(),
        LogisticRegression(),
        DummyClassifier(),
        KNeighborsClassifier(3),
    ],
    ids=repr,
)
@pytest.mark.parametrize("cv", [KFold(3), KFold(4), KFold(12)], ids=repr)
def test_folds_that_lack_a_class(model, cv):
    result = cross_validate(model, X, SORTED, cv=cv)
    brute = refits(model, X, SORTED, list(cv.split(X)), "misclassification")
    np.testing.assert_allclose(result.fold_losses, brute.fold_losses, rtol=1e-12)
    assert result.probabilities.shape == (N, 3)
    np.testing.assert_allclose(result.probabilities.sum(axis=1), 1, rtol=1e-12)
    if cv.get_n_splits() == 3:
        truth = np.searchsorted(["a", "b", "c"], SORTED)
        assert np.all(result.probabilities[np.arange(N), truth] == 0)  # never seen in training
    assert result.predictions.dtype.kind == "U"


def test_folds_with_one_class():
    """A training set of a single class: classifiers that refuse it fail there, and only there."""
    pairs = [(np.arange(8), np.arange(8, 24)), (np.arange(4, 20), np.arange(4))]
    with pytest.warns(FitFailed, match="fold 0 failed: ValueError.*class"):
        result = cross_validate(LogisticRegression(), X, SORTED, cv=pairs)
    assert np.array_equal(np.isnan(result.fold_losses), [True, False])
    for model in (MajorityClassifier(), PriorClassifier()):
        result = cross_validate(model, X, SORTED, cv=pairs)
        assert result.fold_losses.tolist() == [
            1.0,
            float(np.mean(refits(model, X, SORTED, pairs, "misclassification").losses[1])),
        ]


@pytest.mark.parametrize("model", [PriorClassifier(), GaussianNB(), LogisticRegression()], ids=repr)
def test_log_loss_of_a_class_never_seen_is_infinite(model):
    result = cross_validate(model, X, SORTED, cv=KFold(3), loss="log")
    assert np.all(result.fold_losses == np.inf)
    assert result.estimate == np.inf
    assert result.interval is None


@pytest.mark.parametrize(
    "labels",
    [
        np.arange(N) % 2 == 0,
        np.arange(N) % 2,
        LABELS.astype(object),
        pd.Series(LABELS),
        pd.Categorical(LABELS),
        LABELS.tolist(),
    ],
    ids=["bool", "int", "object", "series", "categorical", "list"],
)
def test_labels_of_any_kind(labels):
    plain = np.unique(np.asarray(labels), return_inverse=True)[1]
    for model in (MajorityClassifier(), PriorClassifier(), GaussianNB()):
        mine = cross_validate(model, X, labels, cv=3)
        assert mine.estimate == cross_validate(model, X, plain, cv=3).estimate
        assert set(np.unique(mine.predictions)) <= set(np.unique(np.asarray(labels)))


@pytest.mark.parametrize("shape", ["column", "frame"])
def test_targets_in_a_column(shape):
    """y[:, None] and df[["y"]] mean y: no broadcasting between columns and rows."""
    for model, target in ((Ridge(), y), (TheirLinear(), y), (MeanRegressor(), y), (MedianRegressor(), y)):
        column = target[:, None] if shape == "column" else pd.DataFrame({"y": target})
        assert cross_validate(model, X, column, cv=3).estimate == pytest.approx(
            cross_validate(model, X, target, cv=3).estimate
        )


@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
def test_labels_in_a_column():
    for model in (GaussianNB(), KNeighborsClassifier(3)):
        column = cross_validate(model, X, LABELS[:, None], cv=3)
        assert column.estimate == cross_validate(model, X, LABELS, cv=3).estimate


class Columns(TheirLinear):
    """Predicts a column where y was a vector, as some estimators do."""

    def predict(self, A):
        return super().predict(A)[:, None]


def test_predictions_in_a_column():
    result = cross_validate(Columns(), X, y, cv=3)
    assert result.estimate == pytest.approx(cross_validate(TheirLinear(), X, y, cv=3).estimate)


# -- splitters that repeat or omit rows ------------------------------------------------------------------
def test_test_rows_drawn_twice_count_twice():
    pairs = [(np.arange(10, 24), np.array([0, 0, 1])), (np.arange(8), np.array([9, 9, 9]))]
    result = cross_validate(Ridge(), X, y, cv=pairs)
    brute = refits(Ridge(), X, y, pairs)
    assert_close(result.fold_losses, brute.fold_losses, y, "squared")
    assert result.fold_sizes.tolist() == [3, 3]
    assert result.interval is None
    assert [len(p) for p in result.predictions] == [3, 3]
    path = validate_path(Ridge(), X, y, "alpha", [1.0], pairs)
    assert_close(path.fold_test[0], brute.fold_losses, y, "squared")


def test_rows_in_training_and_test_are_said():
    pairs = [(np.arange(20), np.arange(15, 24)), (np.arange(4, 24), np.arange(4))]
    result = cross_validate(Ridge(), X, y, cv=pairs)
    assert any("folds (first: 0) test rows that they train on" in note for note in result.notes)
    assert_close(result.fold_losses, refits(Ridge(), X, y, pairs).fold_losses, y, "squared")


def test_all_pairs_of_rows():
    result = cross_validate(Ridge(), X[:9], y[:9], cv=LeavePOut(2))
    assert_close(
        result.fold_losses,
        refits(Ridge(), X[:9], y[:9], list(LeavePOut(2).split(X[:9]))).fold_losses,
        y,
        "squared",
    )
    assert len(result.fold_losses) == 36


@pytest.mark.parametrize("form", [list, tuple, iter, np.array])
def test_pairs_in_any_container(form):
    halves = form([(np.arange(12), np.arange(12, 24)), (np.arange(12, 24), np.arange(12))])
    result = cross_validate(Ridge(), X, y, cv=halves)
    assert_close(result.estimate, cross_validate(Ridge(), X, y, cv=2).estimate, y, "squared")


def test_a_generator_of_pairs_serves_all_models_of_two_layers():
    result = two_layer({"a": Ridge(), "b": LinearRegression()}, X, y, KFold(3).split(X), 3)
    assert len(result.errors["b"]) == 3


# -- constant things -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "model",
    [LinearRegression(), Ridge(), MeanRegressor(), BayesianLinearRegression(1.0, noise_precision=1.0)],
    ids=repr,
)
@pytest.mark.parametrize("value", [0.0, 5.0, 1e8])
def test_constant_targets_are_predicted(model, value):
    result = cross_validate(model, X, np.full(N, value), cv=4)
    np.testing.assert_allclose(result.predictions, value, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(result.interval, 0.0, rtol=0, atol=1e-15 * max(value, 1) ** 2)


def test_constant_predictions():
    """A penalty so large that only the mean is left."""
    result = cross_validate(Ridge(1e14), X, y, cv=4)
    mean = cross_validate(MeanRegressor(), X, y, cv=4)
    np.testing.assert_allclose(result.fold_losses, mean.fold_losses, rtol=1e-9)
    path = validate_path(Ridge(), X, y, "alpha", [1e14, 1e15], 4)
    np.testing.assert_allclose(path.test, mean.estimate, rtol=1e-9)
    assert cross_validate(MajorityClassifier(), X, LABELS, cv=4).interval is not None


def test_constant_columns_warn_and_change_nothing():
    table = np.column_stack([X, np.full(N, 2.0)])
    with pytest.warns(RankDeficient, match="'x2' do not vary"):
        result = cross_validate(LinearRegression(), table, y, cv=4)
    assert_close(result.fold_losses, cross_validate(LinearRegression(), X, y, cv=4).fold_losses, y, "squared")
    one_class = np.full(N, "only")
    result = cross_validate(MajorityClassifier(), X, one_class, cv=StratifiedKFold(3))
    assert result.estimate == 0.0
    assert result.interval[0] == 0.0


def test_pipelines_fail_like_models(way):
    model = make_pipeline(StandardScaler(), Ridge())
    A = X.copy()
    A[5, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        cross_validate(model, A, y, cv=3)
    with pytest.raises(ValueError, match="cannot split these 24 rows"):
        cross_validate(model, X, y, cv=1)
    with pytest.raises(ValueError, match="inconsistent numbers"):
        cross_validate(model, X, y[:-1], cv=3)
