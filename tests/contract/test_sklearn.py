"""scikit-learn's own checks, at every setting of the registry. None is expected to fail."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from .registry import CASES

pytestmark = [
    pytest.mark.filterwarnings(f"ignore::suffice._core.errors.{name}")
    for name in ("RankDeficient", "AtBound", "IllConditioned")
]


def at(*, ends: bool) -> list:
    """Estimators at the default and far settings, or at those between."""
    named = [(name.split(": ")[1] in ("default", "far"), *case) for name, case in CASES.items()]
    return [entry.cls(**parameters) for extreme, entry, parameters in named if extreme == ends]


@parametrize_with_checks(at(ends=True))
def test_estimator(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(at(ends=False))
def test_estimator_between(estimator, check):
    check(estimator)
