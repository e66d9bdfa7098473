"""Bad input never yields a number: cells, tables, targets and weights that are refused by name."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported

from ..case import Case, answer
from ..checking import check
from ..conditions import (
    adds,
    array,
    classifies,
    default,
    numeric,
    predicts,
    real,
    regresses,
    weighs,
)
from ..registry import is_density

NON_FINITE = {np.nan: "NaN", np.inf: "inf", -np.inf: "inf"}
TEXT = "could not convert string to float|holds text"


def spoiled(case: Case, row: int, column: int, value: float) -> np.ndarray:
    out = case.data.X.copy()
    out[row, column] = value
    return out


def refused(case: Case) -> dict[float, str]:
    """What must not be in the cells: NaN is one unless it counts as missing."""
    return {v: word for v, word in NON_FINITE.items() if not (np.isnan(v) and case.can.nan)}


def named(word: str, row: int, column: str = "") -> str:
    """The sentence that refuses a cell: what is in it, and where."""
    return rf"X (contains -?{word}|must not contain {word}: .* got -?{word.lower()}) at row {row}, column '{column}"


def last(case: Case) -> int:
    return case.data.X.shape[1] - 1


def calls(model):
    """The methods that take a table after the fit."""
    names = (
        ("predict", "predict_proba", "score_samples") if is_density(model) else ("predict", "predict_dist")
    )
    found = [getattr(model, name) for name in names if hasattr(model, name)]
    return found or [getattr(model, name) for name in ("transform", "score_samples") if hasattr(model, name)]


def takes_text(case: Case) -> bool:
    return case.model().__sklearn_tags__().input_tags.string


# -- cells --------------------------------------------------------------------------------------------
@check(default, numeric)
def a_cell_of_x(case: Case) -> None:
    for value, word in refused(case).items():
        with pytest.raises(InvalidInput, match=named(word, 7, f"x{last(case)}")):
            case.model().fit(spoiled(case, 7, last(case), value), case.data.y)


@check(default, numeric)
def a_cell_of_a_named_column(case: Case) -> None:
    import pandas

    names = ["age", "sex", "bmi"][: last(case) + 1]
    for value, word in refused(case).items():
        table = pandas.DataFrame(spoiled(case, 7, last(case), value), columns=names)
        with pytest.raises(InvalidInput, match=named(word, 7, names[-1])):
            case.model().fit(table, case.data.y)


@check(default, numeric)
def a_cell_of_a_sparse_table(case: Case) -> None:
    model = case.model()
    if "with_mean" in model.get_params():
        model.set_params(with_mean=False)
    if not model.__sklearn_tags__().input_tags.sparse:
        return
    for value, word in refused(case).items():
        with pytest.raises(InvalidInput, match=named(word, 7, f"x{last(case)}")):
            model.fit(sparse.csr_array(spoiled(case, 7, last(case), value)), case.data.y)


@check(default, numeric)
def a_cell_after_the_fit(case: Case) -> None:
    for value, word in refused(case).items():
        for call in calls(case.fitted):
            with pytest.raises(InvalidInput, match=named(word, 3)):
                call(spoiled(case, 3, 0, value))


@check(default, predicts)
def a_target(case: Case) -> None:
    for value, word in NON_FINITE.items():
        targets = (np.arange(60) % 2).astype(float) if classifies(case) else case.data.y.copy()
        targets[5] = value
        with pytest.raises(InvalidInput, match=rf"y contains {word}.*row 5\b"):
            case.model().fit(case.data.X, targets)


@check(default, regresses)
def one_of_several_targets(case: Case) -> None:
    for value, word in NON_FINITE.items():
        targets = np.column_stack([case.data.y, case.data.y])
        targets[5, 1] = value
        with pytest.raises(InvalidInput, match=rf"y contains {word}.*row 5\b"):
            case.model().fit(case.data.X, targets)


@check(default, weighs)
def a_weight(case: Case) -> None:
    for value in NON_FINITE:
        weight = np.ones(60)
        weight[4] = value
        with pytest.raises(ValueError, match=r"sample_weight"):
            case.model().fit(case.data.X, case.data.y, weight)


@check(default, adds, numeric)
def a_cell_that_is_added_or_taken_out(case: Case) -> None:
    """A failed addition leaves the model as it was."""
    model, y = case.fit(), case.data.y
    for value, word in refused(case).items():
        table = spoiled(case, 0, 0, value)
        with pytest.raises(InvalidInput, match=named(word, 0)):
            model.partial_fit(table, y)
        with pytest.raises(InvalidInput, match=named(word, 0)):
            suffice.forget(model, table[:2], y[:2])
    case.assert_same(model, 0.0)


# -- tables -------------------------------------------------------------------------------------------
@check(default, numeric)
def words(case: Case) -> None:
    if takes_text(case):
        return  # text is a category
    for table in (np.array([["a", "b"]] * 60), np.full((60, 2), "red", dtype=object)):
        with pytest.raises(ValueError, match=TEXT):
            case.model().fit(table, case.data.y)


@check(default, array)
def dimensions(case: Case) -> None:
    X, y = case.data.X, case.data.y
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
        case.model().fit(X[:, 0], y)
    with pytest.raises(ValueError, match="dim 3|3D|ndim"):
        case.model().fit(np.repeat(X[:, :, None], 2, axis=2), y)
    for call in calls(case.fitted):
        with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
            call(X[0])


@check(default, array)
def emptiness(case: Case) -> None:
    with pytest.raises(ValueError, match="0 sample"):
        case.model().fit(case.data.X[:0], case.data.y[:0])
    with pytest.raises(ValueError, match="0 feature"):
        case.model().fit(case.data.X[:, :0], case.data.y)


@check(default, array)
def other_columns_after_the_fit(case: Case) -> None:
    p = last(case) + 1
    fewer = case.data.X[:, : p - 1] if p > 1 else np.repeat(case.data.X, 2, axis=1)
    added = (lambda table: case.fit().partial_fit(table, case.data.y),) if adds(case) else ()
    for call in (*calls(case.fitted), *added):
        with pytest.raises(ValueError, match=rf"{fewer.shape[1]} features, but .* is expecting {p}"):
            call(fewer)


@check(default)
def not_fitted(case: Case) -> None:
    needed = case.model().__sklearn_tags__().requires_fit
    for call in calls(case.model()) if needed else ():
        with pytest.raises(NotFittedError, match="not fitted"):
            call(case.data.X)
    error, words = (InvalidInput, "not fitted; call fit first") if adds(case) else (Unsupported, "not a sum")
    with pytest.raises(error, match=words):
        suffice.merge([case.model(), case.model()])
    with pytest.raises(error, match=words):
        suffice.forget(case.model(), case.data.X, case.data.y)


@check(default, real, ignored=("RankDeficient",))  # flags that do not vary in a class
def integers_booleans_and_objects_are_numbers(case: Case) -> None:
    if takes_text(case):
        return  # booleans are no numbers
    whole = np.round(case.data.X * 10)

    def both(table):
        return answer(case.model().fit(table, case.data.y), table)

    for kind in (np.int8, np.int64, object):
        np.testing.assert_allclose(both(whole.astype(kind)), both(whole), rtol=1e-12)
    flags = whole > 0
    np.testing.assert_allclose(both(flags), both(flags.astype(float)), rtol=1e-12)


@check(default, real, ignored=("AtBound",))  # y has nothing to do with them
def large_integers_do_not_wrap(case: Case) -> None:
    big = np.array([[2**52 - i * i, i * 2**40] for i in range(60)], dtype=np.int64)
    model, same = (case.model().fit(table, case.data.y) for table in (big, big.astype(float)))
    np.testing.assert_allclose(answer(model, big), answer(same, big.astype(float)), rtol=1e-9)


# -- targets and weights ----------------------------------------------------------------------------------
@check(default, predicts)
def targets_are_needed_and_as_many_as_rows(case: Case) -> None:
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        case.model().fit(case.data.X, case.data.y[:-1])
    with pytest.raises(ValueError, match="requires y|y should|None"):
        case.model().fit(case.data.X, None)


@check(default, regresses)
def words_are_no_targets_of_a_regressor(case: Case) -> None:
    with pytest.raises(ValueError, match=f"{TEXT}|use a classifier"):
        case.model().fit(case.data.X, np.array(["yes", "no"] * 30))


@check(default, regresses, adds)
def other_targets_when_added(case: Case) -> None:
    with pytest.raises(InvalidInput, match="shapes of y"):
        case.fit().partial_fit(case.data.X, np.column_stack([case.data.y, case.data.y]))


@check(default, weighs)
def weights(case: Case) -> None:
    X, y = case.data.X, case.data.y
    with pytest.raises(InvalidInput, match=r"sample_weight must be zero or more; got -2 at row 3"):
        case.model().fit(X, y, np.where(np.arange(60) == 3, -2.0, 1.0))
    with pytest.raises(InvalidInput, match="sample_weight is zero for all 60 rows"):
        case.model().fit(X, y, np.zeros(60))
    with pytest.raises(ValueError, match=r"could not convert string to float|sample_weight"):
        case.model().fit(X, y, ["heavy"] * 60)
    for wrong in (np.ones(59), np.ones((60, 2))):
        with pytest.raises(ValueError, match="sample_weight"):
            case.model().fit(X, y, wrong)


@check(default, adds, regresses, real)
def numbers_whose_squares_do_not_exist(case: Case) -> None:
    X, y = case.data.X, case.data.y
    scales = {1e-300: "vanish", 1e-160: "vanish", 1e160: "overflow", 1e300: "overflow"}
    for scale, what in scales.items():
        with pytest.raises(
            InvalidInput, match=f"'y' has numbers of the order .* whose squares {what}; rescale it"
        ):
            case.model().fit(X, y * scale)


# -- parameters -------------------------------------------------------------------------------------------
@check(default)
def wrong_parameters(case: Case) -> None:
    """The error names the parameter, its domain (what it must be) and the value."""
    X, y = case.data.X, case.data.y
    failed = {}
    for name, value, shown in ((name, *pair) for name, pairs in case.entry.wrong.items() for pair in pairs):
        try:
            case.entry.cls(**{name: value}).fit(X, y)
        except InvalidParameter as error:
            if not re.search(rf"(?s){name}'?(\[.*\])? (must|should|has no) .*{shown}", str(error)):
                failed[name, shown] = str(error)
        except Exception as error:
            failed[name, shown] = repr(error)
        else:
            failed[name, shown] = "it was taken"
    assert not failed


@check(default)
def every_parameter_has_wrong_values(case: Case) -> None:
    assert set(case.entry.wrong) == set(case.model().get_params(deep=False))
