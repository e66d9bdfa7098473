"""Hypothesis profiles, chosen by HYPOTHESIS_PROFILE: `same` (the default: the same examples every time), `thorough`.

What runs when is said by marks at the tests: `slow`, `long`, `long_for`, `sampled` (pyproject.toml).
"""

import gc
import os
from collections import defaultdict

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("same", max_examples=25, derandomize=True, database=None, **_COMMON)
settings.register_profile("thorough", max_examples=1000, database=None, print_blob=True, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


gc.disable()  # thousands of tests are collected, and the collector would look through them again and again


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Examples in docstrings are those of `src`: to look for them here would take as long as to look for the tests."""
    return [c for c in (yield) if not isinstance(c, DoctestModule)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop():
    """Tests stay until the end: the collector need not look at them."""
    gc.enable()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Cases of a test that its marks leave to later runs get the mark of these."""
    seen = defaultdict(int)
    for item in items:
        if _left_to_long(item):
            item.add_marker("long")
        if not isinstance(item, pytest.Function) or {"slow", "long"} & {m.name for m in item.iter_markers()}:
            continue
        place = seen[item.function]
        seen[item.function] += 1
        if place % _every(item):
            item.add_marker("slow")


def _left_to_long(item) -> bool:
    """Whether a `long_for` mark names the case in the brackets of its name."""
    case = item.name.partition("[")[2].removesuffix("]")
    return any(case in mark.args for mark in item.iter_markers("long_for"))


def _every(item) -> int:
    """A quick run takes the first of so many cases of a test; `make test` takes all."""
    mark = item.get_closest_marker("sampled")
    return mark.args[0] if mark else 8
