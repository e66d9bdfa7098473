"""scikit-learn's own checks, at three settings of each class; at all others in long runs. None may fail."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from .registry import BETWEEN, CASES, ENDS, THIRD

pytestmark = [
    pytest.mark.filterwarnings(f"ignore::suffice._core.errors.{name}")
    for name in ("RankDeficient", "AtBound", "IllConditioned", "NotConverged", "Separated")
]


def at(names) -> list:
    return [entry.cls(**parameters) for entry, parameters in map(CASES.get, names)]


@parametrize_with_checks(at(ENDS))
def test_estimator(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(at(THIRD))
def test_estimator_between(estimator, check):
    check(estimator)


@pytest.mark.long
@parametrize_with_checks(at(name for name in BETWEEN if name not in THIRD))
def test_estimator_elsewhere(estimator, check):
    check(estimator)
