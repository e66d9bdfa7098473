"""Hypothesis profiles: `quick` (default), `ci` (the same examples every time), `thorough`.

Choose one with HYPOTHESIS_PROFILE.
"""

import os
from collections import defaultdict

import pytest
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=25, derandomize=True, database=None, **_COMMON)
settings.register_profile("ci", max_examples=40, derandomize=True, database=None, **_COMMON)
settings.register_profile("thorough", max_examples=1000, database=None, print_blob=True, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


# A quick run takes a sample of the cases of a test: the first of every four, or of so many. `make test` takes all.
SAMPLED = {
    "test_fast_is_refit": 12,
    "test_pipelines": 12,
    "test_search": 12,
    "test_selection": 12,
    "test_two_layer": 12,
    "test_learning": 12,
    "test_bad_folds": 4,
    "test_last_value": 6,
    "test_sklearn": 4,
    "test_bad_input": 6,
    "test_contract": 3,
    "test_distributions": 6,
    "test_multivariate": 4,
    "test_conjugacy": 3,
    "test_conformance": 2,
    "test_sources": 6,
    "test_columns": 4,
    "test_opening": 4,
    "test_scores": 4,
    "test_calibration": 4,
    "test_resampling": 4,
    "test_coverage_of_intervals": 3,
    "test_type_one_error": 3,
    "test_measure_coverage": 3,
    "test_comparisons_oracle": 3,
}


def pytest_collection_modifyitems(items):
    seen = defaultdict(int)
    for item in items:
        if (
            not isinstance(item, pytest.Function)
            or item.get_closest_marker("slow")
            or item.get_closest_marker("long")
        ):
            continue
        every, place = SAMPLED.get(item.path.stem, 4), seen[item.function]
        seen[item.function] += 1
        if place % every:
            item.add_marker(pytest.mark.slow)
