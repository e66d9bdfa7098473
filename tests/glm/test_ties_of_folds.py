"""Penalties that do equally well on all folds: the first is taken, whatever the rounding of their scores."""

import numpy as np
import pytest

from suffice._core.numerics import first_largest
from suffice.glm import LogisticRegressionCV

INF = np.inf


@pytest.mark.parametrize(
    ("scores", "place"),
    [
        ([0.1, 0.3, 0.3 * (1 + 2e-16), 0.2], 1),
        ([0.1, 0.3, 0.3 * (1 + 1e-12), 0.2], 2),
        ([-0.6 * (1 + 2e-16), -0.6, -0.7], 0),
        ([np.nan, -INF, 2.0], 2),
        ([np.nan, -INF], 1),
        ([1.0, INF, INF], 1),
        ([np.nan, np.nan], 0),
    ],
)
def test_first_of_equals(scores, place):
    assert first_largest(scores) == place


def test_columns_moved_by_constants_choose_the_same_penalty():
    """At C = 0.1 every fold leaves the constant alone, under both mixtures of penalties; all rows do not."""
    rng = np.random.default_rng(3)
    first = [
        -2.945, -2.243, -1.776, -1.085, -1.045, -1.03, -0.985, -0.663, -0.598, -0.527, -0.407, -0.371, -0.284, -0.269,
        -0.005, 0.007, 0.023, 0.049, 0.241, 0.251, 0.294, 0.352, 0.713, 1.038, 1.331, 1.333, 1.776, 1.872,
    ]  # fmt: skip
    X = np.column_stack([first, np.arange(28) > 19])
    y = np.array([0, *[1] * 8, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0])
    model = LogisticRegressionCV(
        Cs=[0.1, 1.0], cv=3, l1_ratios=(0.5, 1.0), penalty="elasticnet", solver="saga", scoring="neg_log_loss",
        use_legacy_attributes=False,
    )  # fmt: skip
    places = 1e4 * rng.standard_normal((30, 2)).round(3)
    assert {float(model.fit(X + c, y).l1_ratio_) for c in places} == {0.5}
