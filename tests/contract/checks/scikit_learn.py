"""scikit-learn's own checks. None may fail."""

from __future__ import annotations

from unittest import SkipTest

from sklearn.utils.estimator_checks import estimator_checks_generator

from ..case import Case
from ..checking import check

FEW = "cannot be greater than the number of members in each class"  # folds of a table that is too small for them
OF_WEIGHTS = (
    "check_sample_weight_equivalence"  # a row left out of two copies leaves the other: choices may differ
)
WARNED = (
    "RankDeficient",
    "AtBound",
    "IllConditioned",
    "NotConverged",
    "Separated",
    "NoInformation",
    "NotCounts",
)


def takes_their_tables(case: Case) -> bool:
    return not {"", case.setting} & case.entry.not_for_scikit_learn.keys()


def _tier(case: Case) -> str:
    """Most of them are about the class: how it takes tables, keeps parameters and is copied."""
    return "long" if case.entry.costly and case.setting != "default" else ""


@check(takes_their_tables, tier=_tier, ignored=WARNED)
def checks_of_scikit_learn(case: Case) -> None:
    assert_accepted(case.model(), () if not case.entry.by_folds else (OF_WEIGHTS,))


def assert_accepted(estimator, but_for: tuple[str, ...] = ()) -> None:
    """All checks but for some, whose failures are told together."""
    checks = [c for c in estimator_checks_generator(estimator) if not c[1].func.__name__.startswith(but_for)]
    if failed := [error for pair in checks if (error := failure(*pair)) is not None]:
        raise ExceptionGroup(f"{len(failed)} of {len(checks)} checks failed", failed)


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
