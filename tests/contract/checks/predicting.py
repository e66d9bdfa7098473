"""Predictions are decisions of distributions, one row at a time."""

from __future__ import annotations

import numpy as np

from ..case import Case
from ..checking import check
from ..conditions import classifies, predicts, regresses
from ..registry.data import rows


@check(predicts, lambda case: bool(case.can.predict_dist))
def predict_is_the_decision_of_predict_dist(case: Case) -> None:
    """The mode of a class; the mean of a number, and the median where a distribution is symmetric."""
    d, predicted = case.fitted.predict_dist(case.data.new), case.fitted.predict(case.data.new)
    if classifies(case):
        assert np.array_equal(d.mode, predicted)
        assert np.array_equal(d.classes, case.fitted.classes_)
        assert np.array_equal(d.probabilities, case.fitted.predict_proba(case.data.new))
        return
    np.testing.assert_allclose(d.mean, predicted, rtol=1e-13, atol=1e-13)
    if case.entry.takes != "counts":
        np.testing.assert_allclose(d.quantile(0.5), predicted, rtol=1e-12, atol=1e-12)


@check(regresses)
def predict_dist_is_one_row_at_a_time(case: Case) -> None:
    whole = case.fitted.predict_dist(case.data.new)
    parts = [case.fitted.predict_dist(rows(case.data.new, slice(i, i + 1))).std for i in range(7)]
    np.testing.assert_allclose(whole.std, np.concatenate(parts), rtol=1e-12)
    low, high = whole.interval(0.8)
    assert np.all(low < whole.mean)
    assert np.all(whole.mean < high)
