"""A fit is a function of the parameters and the table."""

from __future__ import annotations

import numpy as np
import pytest

from suffice._core.errors import InvalidInput

from ..case import Case, answer, copied, equal, same_table
from ..checking import check
from ..conditions import regresses, repeats, transforms, unordered, weighs
from ..registry.data import SCALE, rows


@check()
def fit_returns_self_and_writes_no_parameter(case: Case) -> None:
    model = case.model()
    before = model.get_params()
    assert model.fit(case.data.X, case.data.y) is model
    after = model.get_params()
    assert before.keys() == after.keys()
    assert all(before[k] is after[k] for k in before)


@check(every=True)
def fit_warns_of_nothing(case: Case) -> None:
    assert case.fitted


@check(repeats)
def second_fit_is_the_first(case: Case) -> None:
    """Nothing may remain of other columns and other targets."""
    model = case.model().fit(*case.data.between)
    assert equal(case.answers_of(model.fit(case.data.X, case.data.y)), case.answers)


@check()
def inputs_are_not_changed(case: Case) -> None:
    table, targets, weight = copied(case.data.X), case.data.y.copy(), case.weight.copy()
    model = case.model().fit(table, targets, *((weight,) if weighs(case) else ()))
    case.answers_of(model)
    answer(model, table)
    assert same_table(table, case.data.X)
    assert np.array_equal(targets, case.data.y)
    assert np.array_equal(weight, case.weight)


@check(unordered)
def order_of_rows_does_not_matter(case: Case) -> None:
    order = np.random.default_rng(1).permutation(len(case.data.y))
    case.assert_same(case.fit(order), 1e-10)


@check(regresses)
def several_targets_are_as_many_models(case: Case) -> None:
    X, several, new = case.data.X, case.data.several, case.data.new
    if case.entry.one_target:
        with pytest.raises(InvalidInput, match="y must be one column|takes one column and one target"):
            case.model().fit(X, several)
        return
    both = case.model().fit(X, several)
    for j in range(2):
        one = case.model().fit(X, several[:, j])
        np.testing.assert_allclose(both.predict(new)[:, j], one.predict(new), rtol=1e-10, atol=1e-10 * SCALE)
        np.testing.assert_allclose(both.predict_dist(new).std[:, j], one.predict_dist(new).std, rtol=1e-9)


@check(regresses, lambda case: not case.entry.one_target)
def a_column_of_targets_keeps_its_shape(case: Case) -> None:
    column = case.model().fit(case.data.X, case.data.y[:, None])
    assert column.predict(case.data.new).shape == (7, 1)
    assert column.predict_dist(case.data.new).mean.shape == (7, 1)
    np.testing.assert_allclose(column.predict(case.data.new)[:, 0], case.answers["answer"], rtol=1e-12)


@check(transforms, repeats)
def a_transformer_does_not_look_at_targets(case: Case) -> None:
    n = len(case.data.y)
    first = case.answers_of(case.model().fit(case.data.X))
    labels = np.where(np.arange(n) % 3, "some", "other")
    for y in (case.data.y, case.data.several, labels, np.full(n, np.nan)):
        assert equal(case.answers_of(case.model().fit(case.data.X, y)), first)


@check()
def rows_of_one_row_are_a_table(case: Case) -> None:
    """Answers come one row at a time."""
    parts = [answer(case.fitted, rows(case.data.new, slice(i, i + 1))) for i in range(7)]
    np.testing.assert_allclose(case.answers["answer"], np.concatenate(parts), rtol=1e-12, atol=1e-13)
