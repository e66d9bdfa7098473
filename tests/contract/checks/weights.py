"""Weights count rows."""

from __future__ import annotations

import numpy as np

from ..case import Case
from ..checking import check
from ..conditions import classifies, free_of_folds, real, repeats, weighs
from .sums import counts_rows


@check(weighs, repeats, free_of_folds)
def weight_two_is_the_row_twice(case: Case) -> None:
    repeated = case.fit(np.repeat(np.arange(len(case.weight)), case.weight.astype(int)))
    case.assert_same(
        case.fit(slice(None), case.weight), 1e-9, None if counts_rows(case) else ["answer"], repeated
    )


@check(weighs, repeats, free_of_folds)
def weight_zero_is_no_row(case: Case) -> None:
    kept = case.weight > 0
    case.assert_same(case.fit(slice(None), case.weight), 1e-9, b=case.fit(kept, case.weight[kept]))


@check(weighs, repeats, free_of_folds, real)
def a_wild_row_of_weight_zero_has_no_say(case: Case) -> None:
    wild = "wild" if classifies(case) else 1e12
    table, weight = np.vstack([case.data.X, [[1e9, -1e9, 1e9]]]), np.append(np.ones(60), 0.0)
    case.assert_same(case.model().fit(table, np.append(case.data.y, wild), weight), 1e-9)


@check(weighs, repeats)
def weight_one_is_no_weight(case: Case) -> None:
    case.assert_same(case.fit(slice(None), np.ones(len(case.weight))), 1e-10)
