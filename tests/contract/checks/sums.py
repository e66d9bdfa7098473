"""What is fitted from sums over rows: collect, solve, partial_fit, merge and forget."""

from __future__ import annotations

import numpy as np
import pytest

import suffice
from suffice._core.errors import InvalidInput, NumericalError, Unsupported
from suffice._core.records import same

from ..case import Case, columns, equal
from ..checking import check
from ..conditions import adds, array, classifies, columned, has_parameters, predicts
from ..registry.data import SCALE, rows


def counts_rows(case: Case) -> bool:
    return case.parameters.get("weight_kind", "counts") == "counts"


@check(adds)
def collect_writes_nothing(case: Case) -> None:
    model = case.model()
    model.collect(case.data.X, case.data.y)
    assert not [k for k in vars(model) if k.endswith("_") and not k.startswith("_")]


@check(adds)
def fit_is_solve_of_collect(case: Case) -> None:
    model = case.model()
    model.solve(model.collect(case.data.X, case.data.y, case.weight))
    case.assert_same(model, 0.0, b=case.fit(slice(None), case.weight))


@check(adds)
def fit_is_solve_of_gather_behind_the_door(case: Case) -> None:
    model = case.model()
    opened, plan = model.door(case.data.X, case.data.y, case.weight)
    parts = [model.gather(opened[i], plan) for i in (slice(0, 25), slice(25, 25), slice(25, 60))]
    model.solve(parts[0] + parts[1] + parts[2])
    case.assert_same(model, 1e-9, b=case.fit(slice(None), case.weight))


@check(adds)
def equal_keys_collect_equal_statistics(case: Case) -> None:
    model, default = case.model(), case.entry.cls()
    hash(model.statistics_key)
    assert case.model().statistics_key == model.statistics_key
    if model.statistics_key == default.statistics_key:
        table = case.data.X, case.data.y, case.weight
        assert model.collect(*table) == default.collect(*table)


@check(adds, ignored=("RankDeficient",))  # of the first, small piece
def partial_fit_in_pieces(case: Case) -> None:
    pieces = case.model()
    for part in np.array_split(np.arange(60), 4):
        pieces.partial_fit(rows(case.data.X, part), case.data.y[part], sample_weight=case.weight[part])
    case.assert_same(pieces, 1e-9, b=case.fit(slice(None), case.weight))


@check(adds, ignored=("RankDeficient",))  # of the small parts
def merge_is_fit_of_all(case: Case) -> None:
    parts = [case.fit(i) for i in np.array_split(np.arange(60), 3)]
    before = [case.answers_of(p) for p in parts]
    merged = suffice.merge(parts)
    assert merged is not parts[0]
    case.assert_same(merged, 1e-9)
    assert all(equal(case.answers_of(p), b) for p, b in zip(parts, before, strict=True))


@check(adds)
def forget_is_fit_of_the_rest(case: Case) -> None:
    whole = case.fit()
    rest = suffice.forget(whole, rows(case.data.X, slice(40, None)), case.data.y[40:])
    assert rest is not whole
    case.assert_same(rest, 1e-8, b=case.fit(slice(40)))
    case.assert_same(whole, 0.0)


@check(adds)
def forget_part_of_the_weight(case: Case) -> None:
    whole, direct = case.fit(slice(None), case.weight + 1), case.fit(slice(None), case.weight)
    rest = suffice.forget(whole, case.data.X, case.data.y, np.ones(60))
    if counts_rows(case):
        case.assert_same(rest, 1e-8, b=direct)
    else:  # how many rows are left of precisions is not known
        new = case.data.new
        np.testing.assert_allclose(rest.predict(new), direct.predict(new), rtol=1e-8, atol=1e-8 * SCALE)
    assert rest.statistics_.n == pytest.approx(case.weight.sum())


@check(adds, has_parameters)
def merge_refuses_other_parameters(case: Case) -> None:
    """The default is compared with the others."""
    default = case.entry.cls()
    if not same(case.model().get_params(deep=False), default.get_params(deep=False)):
        default.fit(case.data.X, case.data.y)
        with pytest.raises(InvalidInput, match="Cannot merge models with different"):
            suffice.merge([case.fitted, default])


@check(adds, array)
def merge_refuses_other_columns(case: Case) -> None:
    if case.data.X.shape[1] > 2 and "categories" not in case.parameters:
        other = case.model().fit(case.data.X[:, :2], case.data.y)
        with pytest.raises(InvalidInput, match="numbers of columns"):
            suffice.merge([case.fitted, other])


@check(adds)
def merge_refuses_other_targets(case: Case) -> None:
    other = case.model().fit(case.data.X, case.data.other_y)
    if predicts(case):
        with pytest.raises(InvalidInput, match="shapes of y|labels that are strings"):
            suffice.merge([case.fitted, other])
    else:
        assert suffice.merge([case.fitted, other]).statistics_.rows == 120


@check(adds)
def forget_refuses_more_than_there_is(case: Case) -> None:
    with pytest.raises(ArithmeticError, match="Cannot take"):
        suffice.forget(case.fit(slice(20)), case.data.X, case.data.y)


@check(adds, predicts)
def forget_refuses_targets_that_were_never_in(case: Case) -> None:
    """Numbers further out than all rows together, or labels that not so many rows have."""
    y = case.data.y
    if classifies(case):
        rarest = min(np.unique(y), key=lambda c: np.sum(y == c))
        never = np.full(1 + np.sum(y == rarest), rarest)
    else:
        never = 1e3 + 100 * y[:5]
    with pytest.raises(NumericalError, match="take|Take"):
        suffice.forget(case.fitted, rows(case.data.X, slice(len(never))), never)


@check(lambda case: not adds(case))
def what_is_no_sum_cannot_be_merged(case: Case) -> None:
    with pytest.raises(Unsupported, match="is not a sum over rows"):
        suffice.merge([case.fitted, case.fitted])
    with pytest.raises(Unsupported, match="is not a sum over rows"):
        suffice.forget(case.fitted, rows(case.data.X, slice(2)), case.data.y[:2])


@check(adds, columned, lambda case: case.entry.takes != "mixed columns")
def merged_model_knows_its_columns(case: Case) -> None:
    import pandas

    table, y = pandas.DataFrame(columns(case.data.X)), case.data.y
    parts = [case.model().fit(table[i], y[i]) for i in (slice(30), slice(30, None))]
    assert list(suffice.merge(parts).feature_names_in_) == list(table)
    other = case.model().fit(table.rename(columns={table.columns[0]: "z"}), y)
    with pytest.raises(InvalidInput, match="column names"):
        suffice.merge([parts[0], other])
