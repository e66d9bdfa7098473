"""What would not fit into memory says so before it starts: how much it needs, how much there is, and the way out."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from suffice._core.errors import TooLarge

SMALL = 1 << 28  # bytes that are never asked about
GROUP = Path("/sys/fs/cgroup")


def need_memory(size: float, what: str, instead: str) -> None:
    """Raise if `size` bytes are not there. `what` begins the sentence, `instead` says what to do about it.

    >>> need_memory(1e17, "A table of 10^16 numbers", "Read it in batches.")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    suffice._core.errors.TooLarge: A table of 10^16 numbers needs 100,000,000 GB of memory, ...
    """
    if size <= SMALL:
        return
    free = free_memory()
    if free is not None and size > free:
        raise TooLarge(f"{what} needs {_gb(size)} of memory, and {_gb(free)} are free. {instead}")


def free_memory() -> int | None:
    """Bytes that this process may still take; None where the system does not say."""
    return min(_limits(), default=None)


def _limits() -> Iterator[int]:
    text = _read(Path("/proc/meminfo"))
    if found := re.search(r"MemAvailable:\s+(\d+) kB", text):
        yield int(found[1]) << 10
    most, used = _read(GROUP / "memory.max"), _read(GROUP / "memory.current")
    if most.strip().isdigit() and used.strip().isdigit():
        yield max(int(most) - int(used), 0)
    yield from _of_process()
    if not text and hasattr(os, "sysconf"):
        with contextlib.suppress(ValueError, OSError):
            yield os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _of_process() -> Iterator[int]:
    """What `ulimit -v` leaves."""
    with contextlib.suppress(ImportError, OSError, ValueError, IndexError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            pages = int(_read(Path("/proc/self/statm")).split()[0])
            yield max(most - pages * resource.getpagesize(), 0)


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _gb(size: float) -> str:
    gb = size / 1e9
    return f"{gb:,.0f} GB" if gb >= 10 else f"{gb:.1f} GB"
