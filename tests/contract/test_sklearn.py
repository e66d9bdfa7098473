"""scikit-learn's own checks, at three settings of each class; at all others in long runs. None may fail.

A test runs a quarter of the checks of a setting and names those that failed: five thousand tests of a few
milliseconds would take longer to hand out than to run.
"""

from unittest import SkipTest

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from .registry import BETWEEN, CASES, ENDS, THIRD

FEW = "cannot be greater than the number of members in each class"  # folds of a table that is too small for them
OF_WEIGHTS = (
    "check_sample_weight_equivalence"  # a row left out of two copies leaves the other: choices may differ
)
pytestmark = [
    pytest.mark.parametrize("quarter", range(4)),
    *(
        pytest.mark.filterwarnings(f"ignore::suffice._core.errors.{name}")
        for name in ("RankDeficient", "AtBound", "IllConditioned", "NotConverged", "Separated")
    ),
]


def failure(estimator, check) -> Exception | None:
    """What a check complains of, with its name; one that does not apply complains of nothing."""
    try:
        check(estimator)
    except SkipTest:
        return None
    except ValueError as error:
        return None if FEW in str(error) else _named(error, check, estimator)
    except Exception as error:  # all of them are reported together
        return _named(error, check, estimator)
    return None


def _named(error: Exception, check, estimator) -> Exception:
    error.add_note(f"in {check.func.__name__} of {estimator}")
    return error


def assert_passes(name: str, quarter: int) -> None:
    entry, parameters = CASES[name]
    every = list(estimator_checks_generator(entry.cls(**parameters)))
    checks = [c for c in every if not (entry.by_folds and c[1].func.__name__.startswith(OF_WEIGHTS))][
        quarter::4
    ]
    assert len(checks) >= 10
    if failed := [error for error in (failure(*pair) for pair in checks) if error is not None]:
        raise ExceptionGroup(f"{len(failed)} of {len(checks)} checks failed", failed)


@pytest.mark.parametrize("name", ENDS)
def test_estimator(name, quarter):
    assert_passes(name, quarter)


@pytest.mark.slow
@pytest.mark.parametrize("name", THIRD)
def test_estimator_between(name, quarter):
    assert_passes(name, quarter)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in BETWEEN if name not in THIRD])
def test_estimator_elsewhere(name, quarter):
    assert_passes(name, quarter)
