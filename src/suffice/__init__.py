"""Suffice: probabilistic machine learning from sufficient statistics.

Read the data once. That suffices: the fit, its uncertainty, its evidence, its cross-validation, its
merge with yesterday's data. Rooms are loaded when first used.
"""

from importlib import import_module as _import_module

from suffice._version import __version__

_ROOMS = (
    "baselines",
    "bases",
    "compat",
    "datasets",
    "distributions",
    "engine",
    "evaluation",
    "generative",
    "glm",
    "inference",
    "likelihoods",
    "linalg",
    "linear",
    "mixtures",
    "plots",
    "prepare",
    "similarity",
    "statistics",
    "study",
)
_HOMES = {
    "forget": "suffice._models",
    "load": "suffice._core.files",
    "merge": "suffice._models",
    "save": "suffice._core.files",
    "show_versions": "suffice._show_versions",
}

__all__ = ["__version__", *sorted([*_ROOMS, *_HOMES])]


def __getattr__(name: str):
    if name in _ROOMS:
        return _import_module(f"suffice.{name}")
    if name in _HOMES:
        return getattr(_import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'suffice' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
