"""scikit-learn's own checks, at every setting of the registry. None is expected to fail."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from .registry import CASES

pytestmark = [
    pytest.mark.filterwarnings(f"ignore::suffice._core.errors.{name}")
    for name in ("RankDeficient", "AtBound", "IllConditioned")
]
ESTIMATORS = [entry.cls(**parameters) for entry, parameters in CASES.values()]


@parametrize_with_checks(ESTIMATORS)
def test_estimator(estimator, check):
    check(estimator)
