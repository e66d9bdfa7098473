"""What to paste into a bug report."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from suffice._version import __version__

PACKAGES = ("numpy", "scipy", "scikit-learn", "threadpoolctl", "pandas", "polars", "matplotlib", "typer")


def versions() -> dict[str, str]:
    """Versions of Suffice, Python, the platform and the packages that matter."""
    found = {"suffice": __version__, "python": platform.python_version(), "platform": platform.platform()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def show_versions() -> None:
    """Print the versions of everything that could matter to a result."""
    for name, value in versions().items():
        print(f"{name:15}{value}")
