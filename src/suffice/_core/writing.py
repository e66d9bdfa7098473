"""Whole or not at all: what is written stands beside its place until it is finished, and is then renamed.

A reader finds the old file or the new one, never half of one. A full disk, Ctrl-C or a killed process leaves the old
one, with at most an unfinished file `.name.….part` beside it. No two writers share such a name, in threads either.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import secrets
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

NO_ROOM = tuple(getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO") if hasattr(errno, name))
_EXCHANGE = {"linux": "renameat2", "darwin": "renamex_np"}  # the calls that swap two folders in one step
_HERE, _SWAP = -100, 2  # AT_FDCWD of Linux; the flag that both systems give the same value
_turn = threading.Lock()


@contextlib.contextmanager
def replacing(path: str | os.PathLike) -> Iterator[str]:
    """A path to write to, which takes the place of `path` when the block ends well and is removed when it does not.

    Links are followed, and the file keeps the permissions of the one it replaces. Pipes and devices, which hold
    nothing that could be lost, are written to directly.
    """
    place = os.path.realpath(path)
    if os.path.exists(place) and not os.path.isfile(place):
        yield place
        return
    part = _unfinished(place)
    with naming(path, part):
        try:
            yield part
            if os.path.exists(place):
                shutil.copymode(place, part)
            os.replace(part, place)
        finally:
            _surely(lambda: Path(part).unlink(missing_ok=True))


@contextlib.contextmanager
def naming(path: str | os.PathLike, part: str | os.PathLike) -> Iterator[None]:
    """Errors of writing name the file that was asked for: not the unfinished one, nor none, as those of a full disk."""
    try:
        yield
    except OSError as error:
        name = os.fspath(error.filename) if isinstance(error.filename, str | os.PathLike) else None
        if name is not None and name.startswith(os.fspath(part)):
            shown = os.fspath(path) + name[len(os.fspath(part)) :]
        elif name is None and error.errno in NO_ROOM:
            shown = os.fspath(path)
        else:
            raise
        raise OSError(error.errno, os.strerror(error.errno or 0), shown) from None


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Put Ctrl-C off until the block ends: a few renames belong together."""
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    held: list[tuple[int, Any]] = []
    signal.signal(signal.SIGINT, lambda number, frame: held.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if held:
            usual(*held[0])


def _surely(clean: Callable[[], object]) -> None:
    """Clean up even if Ctrl-C comes in the moment before it is put off."""
    try:
        with uninterrupted():
            clean()
    except KeyboardInterrupt:
        with uninterrupted():
            clean()
        raise


def _unfinished(place: str) -> str:
    """A name beside a place that no other writer has."""
    folder, name = os.path.split(place)
    return os.path.join(folder, f".{name[:40]}.{os.getpid()}-{secrets.token_hex(6)}.part")


# -- several files that belong together -----------------------------------------------------------------------------
@contextlib.contextmanager
def replacing_together(
    folder: str | os.PathLike, replaced: Callable[[Path], list[Path]], lodger: str | None = None
) -> Iterator[Path]:
    """A new folder to fill, whose files take the places of all that `replaced(folder)` lists, at once.

    A folder with nothing else in it is swapped for the new one in a single step; `lodger` names a folder inside that
    is no part of it and stays. In a folder that holds other files, or that this process works in, the files are moved
    one by one, with Ctrl-C put off: there a process killed in that millisecond leaves some of each.
    """
    place = Path(os.path.realpath(folder))
    place.parent.mkdir(parents=True, exist_ok=True)
    new = _name_beside(place)
    with naming(folder, new):
        try:
            new.mkdir()
            yield new
            with uninterrupted(), _alone_in(place.parent):
                if not _swapped(new, place, set(replaced(place)), lodger):
                    _moved(new, place, replaced)
        finally:
            _surely(lambda: shutil.rmtree(new, ignore_errors=True))


def _name_beside(place: Path) -> Path:
    """A folder on the same disk: beside the place, or in it where that is a disk of its own or all we may write to."""
    beside = not os.path.ismount(place) and os.access(place.parent, os.W_OK)
    return Path(_unfinished(str(place if beside else place / "suffice")))


def _files(folder: Path) -> Iterator[Path]:
    """Files, links and empty folders, by their paths inside."""
    for here, folders, files in os.walk(folder):
        inside = Path(here).relative_to(folder)
        links = [name for name in folders if os.path.islink(os.path.join(here, name))]
        yield from (inside / name for name in (*files, *links))
        if not folders and not files:
            yield inside


def _swapped(new: Path, place: Path, old: set[Path], lodger: str | None) -> bool:
    """Whether the new folder could take the place of the old one as a whole."""
    if new.parent != place.parent:
        return False
    if not place.exists():
        os.rename(new, place)
        return True
    others = {file for file in _files(place) if file.parts[:1] != (lodger,)} - old
    if any(not (new / file).is_dir() for file in others) or _works_in(place):
        return False
    shutil.copymode(place, new)
    if not (_exchanged(new, place) or _exchanged_in_two_steps(new, place)):
        return False
    if lodger is not None and (new / lodger).exists():
        with contextlib.suppress(OSError):  # another study has begun one already
            os.rename(new / lodger, place / lodger)
    return True


def _works_in(place: Path) -> bool:
    """Whether this process, and so perhaps the shell that started it, stands in a folder."""
    try:
        return Path.cwd().is_relative_to(place)
    except OSError:  # where it stood is gone
        return False


@cache
def _exchange() -> Any:
    name = _EXCHANGE.get(sys.platform)
    return None if name is None else getattr(ctypes.CDLL(None, use_errno=True), name, None)


def _exchanged(a: Path, b: Path) -> bool:
    """Swap two folders in one step, where the system and the file system can."""
    call = _exchange()
    if call is None:
        return False
    names = os.fsencode(a), os.fsencode(b)
    if sys.platform == "darwin":
        return call(*names, _SWAP) == 0
    return call(_HERE, names[0], _HERE, names[1], _SWAP) == 0


def _exchanged_in_two_steps(a: Path, b: Path) -> bool:
    """The same with no folder at `b` for a moment."""
    aside = Path(_unfinished(str(b)))
    try:
        os.rename(b, aside)
    except OSError:
        return False
    try:
        os.rename(a, b)
    except OSError:
        os.rename(aside, b)
        return False
    os.rename(aside, a)
    return True


def _moved(new: Path, place: Path, replaced: Callable[[Path], list[Path]]) -> None:
    """File by file: the old ones aside, the new ones in their places; all of it back if one cannot be moved."""
    place.mkdir(exist_ok=True)
    for folder in (f for f in _files(new) if (new / f).is_dir()):
        (place / folder).mkdir(parents=True, exist_ok=True)
    come = sorted(f for f in _files(new) if not (new / f).is_dir())
    aside = new / "replaced"
    done: list[tuple[Path, Path]] = []
    gone = [file for file in replaced(place) if os.path.lexists(place / file)]
    steps = [(place / f, aside / f) for f in gone] + [(new / f, place / f) for f in come]
    try:
        for before, after in steps:
            after.parent.mkdir(parents=True, exist_ok=True)
            os.rename(before, after)
            done.append((after, before))
    except OSError:
        for after, before in reversed(done):
            os.rename(after, before)
        raise


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """One writer at a time: threads by a lock, processes by a lock on the folder where the system has such."""
    with _turn:
        try:
            import fcntl

            handle = os.open(folder, os.O_RDONLY)
        except (ImportError, OSError):
            yield
            return
        try:
            with contextlib.suppress(OSError):  # some disks of other machines know no locks
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)
