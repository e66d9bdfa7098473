"""A pytest plugin: test modules of an installed package are imported with its public classes swapped for ours.

While a test module is imported, and only then, the packages it imports from hold our classes. So
`from sklearn.linear_model import Ridge` gives ours, in parameters of tests too, and scikit-learn itself stays as it is.
Tests that never touch a swapped name are left out. Each outcome is a line of JSON in the file that `SUFFICE_OUTCOMES`
names; `SUFFICE_SHARE` runs one case of so many of each module, the first one in any case.
"""

from __future__ import annotations

import importlib
import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest
from peer_groups import Group, group_of

SHARE = int(os.environ.get("SUFFICE_SHARE", "1"))


@contextmanager
def swapped(group: Group) -> Iterator[None]:
    """Our classes under the names of the peer's packages."""
    before = []
    for swap in group.swaps:
        package = importlib.import_module(swap.package)
        before.append((package, swap.name, getattr(package, swap.name)))
        for method in group.lent:
            setattr(swap.ours(), method, getattr(before[-1][-1], method))
        setattr(package, swap.name, swap.ours())
    try:
        yield
    finally:
        for package, name, theirs in reversed(before):
            setattr(package, name, theirs)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(collector: pytest.Collector):
    if isinstance(collector, pytest.Module):
        with swapped(group_of(collector.path.stem)):
            _ = collector.obj
    return (yield)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places: Counter[str] = Counter()
    kept = []
    for item in filter(_is_about_ours, items):
        if places[item.path.stem] % SHARE == 0:
            kept.append(item)
        places[item.path.stem] += 1
    items[:] = kept


def _is_about_ours(item: pytest.Item) -> bool:
    group = group_of(item.path.stem)
    if item.originalname in group.not_of_the_class:
        return False
    ours = {id(swap.ours()) for swap in group.swaps}
    given = getattr(item, "callspec", None)
    if given is not None and any(_is_ours(v, ours) for v in given.params.values()):
        return True
    return _calls(item.function, item.module, ours, set())


def _is_ours(value: Any, ours: set[int]) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_is_ours(v, ours) for v in value)
    if isinstance(value, dict):
        return any(_is_ours(v, ours) for v in value.values())
    return id(value) in ours or id(type(value)) in ours or id(getattr(value, "func", None)) in ours


def _calls(function: Any, module: ModuleType, ours: set[int], seen: set[int]) -> bool:
    """Whether a function of the module, or one that it calls there, names a swapped class."""
    function = getattr(function, "__wrapped__", function)
    if not isinstance(function, FunctionType) or id(function) in seen:
        return False
    seen.add(id(function))
    for name in _names(function.__code__):
        value = vars(module).get(name)
        if _is_ours(value, ours):
            return True
        if getattr(value, "__module__", None) == module.__name__ and _calls(value, module, ours, seen):
            return True
    return False


def _names(code: CodeType) -> set[str]:
    inner = [c for c in code.co_consts if isinstance(c, CodeType)]
    return set(code.co_names).union(*(_names(c) for c in inner))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    report = yield
    if report.when == "call" or report.outcome != "passed":
        what = {"module": item.path.stem, "test": item.name, "outcome": report.outcome}
        what["seconds"] = round(report.duration, 3)
        if report.failed:
            what["why"] = str(getattr(report.longrepr, "reprcrash", report.longrepr))[-600:]
        with open(os.environ["SUFFICE_OUTCOMES"], "a", encoding="utf-8") as file:
            file.write(json.dumps(what) + "\n")
    return report
