"""Every public estimator with the settings it is tested at: one file per estimator, in a folder per room.

A new file with an `ENTRY` is found by itself.
"""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from pathlib import Path

from sklearn.base import BaseEstimator

import suffice

from .entry import Entry, is_density, public_name

__all__ = [
    "BETWEEN",
    "CASES",
    "ENDS",
    "ENTRIES",
    "TABULAR",
    "THIRD",
    "Entry",
    "is_density",
    "public_estimators",
]

FILES = sorted(Path(__file__).parent.glob("*/*.py"))
ENTRIES: tuple[Entry, ...] = tuple(
    import_module(f"{__name__}.{file.parent.name}.{file.stem}").ENTRY for file in FILES
)
TABULAR = tuple(e for e in ENTRIES if e.takes == "numbers")
CASES = {
    f"{e.cls.__name__}: {setting}": (e, parameters)
    for e in TABULAR
    for setting, parameters in e.settings.items()
}
ENDS = [name for name in CASES if name.endswith((": default", ": far"))]  # what a quick run tries
BETWEEN = [name for name in CASES if name not in ENDS]
THIRD = list(
    {name.partition(":")[0]: name for name in BETWEEN}.values()
)  # what `make test` tries beside them


def public_rooms() -> list[str]:
    """Modules whose whole dotted path is public."""
    found = pkgutil.walk_packages(suffice.__path__, "suffice.")
    names = [m.name for m in found]
    return [n for n in names if not any(part.startswith("_") for part in n.split("."))]


def public_estimators() -> dict[str, type]:
    """Concrete estimators that some public module lists in `__all__`.

    What needs another estimator to be built (a search, say) has tests of its own.
    """
    out = {}
    for room in public_rooms():
        module = import_module(room)
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if not (inspect.isclass(value) and issubclass(value, BaseEstimator)) or inspect.isabstract(value):
                continue
            if all(p.default is not p.empty for p in inspect.signature(value).parameters.values()):
                out[public_name(value)] = value
    return out
