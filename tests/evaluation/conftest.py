"""A quick run takes a sample of the long lists of cases: every test that is not one of many, and some of those."""

from __future__ import annotations

from collections import defaultdict

import pytest

LONG = (
    "test_fast_is_refit",
    "test_pipelines",
    "test_search",
    "test_selection",
    "test_two_layer",
    "test_learning",
)
EVERY = 12


def pytest_collection_modifyitems(items):
    seen = defaultdict(int)
    for item in items:
        if (
            not isinstance(item, pytest.Function)
            or item.path.stem not in LONG
            or item.get_closest_marker("slow")
        ):
            continue
        place = seen[item.function]
        seen[item.function] += 1
        if place % EVERY:
            item.add_marker(pytest.mark.slow)
