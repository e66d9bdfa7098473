"""Model files: a zip of one JSON tree and raw arrays. Never pickle.

    name.suffice
    ├── suffice.json     {"format": 1, "version": "0.1.0", "root": tree}
    └── 0.npy, 1.npy …   the arrays the tree refers to

`tree.py` says what a tree holds, `contents.py` which classes it may name, `forms.py` what their fields must be. Older
formats are lifted one version at a time by `_MIGRATIONS`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from typing import IO, Any

import numpy as np

from suffice._core.checking import check
from suffice._core.contents import KINDS
from suffice._core.disclosure import MINIMUM_ROWS, check_disclosure
from suffice._core.errors import InvalidParameter, UnsafeFile, Unsupported
from suffice._core.memory_budget import MEMORY, MemoryBudget, directory_bytes, read_array, tree_bytes
from suffice._core.tree import build, decode, encode
from suffice._core.writing import replacing
from suffice._version import __version__

FORMAT = 1
# arrays beyond this stay unpacked: packed, they could be more than `load` lets grow from a file
LARGE = MEMORY // 4
_DIRECTORY, _ARRAY = 16, 200  # bytes that Python takes per byte of a zip's directory, and per array
_MIGRATIONS: dict[int, Callable[[dict], dict]] = {}


def save(value: Any, path: str | os.PathLike, *, minimum_rows: int = MINIMUM_ROWS) -> None:
    """Write a model or statistics to a file ending in `.suffice`.

    Parameters
    ----------
    value
        A model, statistics, a density or a result; `_core/contents.py` lists the classes.
    path
        The file; one that exists is replaced at once.
    minimum_rows
        Statistics alone (a triangle, moments, counts, or folds of them) are refused with fewer rows than this, or
        with fewer than twice as many rows as columns: the rows could be worked back from them. Every fold must
        pass. 0 saves whatever there is.

    Notes
    -----
    A saved model holds its statistics, and a `Validation` of the engine those of its folds: these files reveal as
    much about the rows, and are never refused. What statistics reveal, and that this is no protection against
    somebody who compares two files, is said in the documentation: "From laptop to cluster".

    Examples
    --------
    >>> import os, tempfile, suffice
    >>> from suffice.linear import Ridge
    >>> model = Ridge(0.5).fit([[0.0], [1.0], [2.0]], [1.0, 2.0, 2.5])
    >>> path = os.path.join(tempfile.mkdtemp(), "ridge.suffice")
    >>> suffice.save(model, path)
    >>> bool(suffice.load(path).coef_ == model.coef_)
    True
    """
    _check_name(path)
    check_disclosure(value, minimum_rows)
    write("model", value, path)


def write(kind: str, value: Any, path: str | os.PathLike) -> None:
    """Write a file of a kind that `contents.KINDS` lists; what could not be read again is not written."""
    path = _check_name(path)
    arrays: list[np.ndarray] = []
    root = encode(value, arrays, KINDS[kind])
    _check_readable(root, arrays, kind)
    tree = {"format": FORMAT, "version": __version__, "root": root}
    text = json.dumps(tree, allow_nan=False, separators=(",", ":"))  # ASCII: half a character survives too
    packing = zipfile.ZIP_STORED if sum(a.nbytes for a in arrays) > LARGE else zipfile.ZIP_DEFLATED
    with (
        replacing(path) as part,
        open(part, "wb") as stream,
        _packing(stream) as archive,
    ):
        _add(archive, "suffice.json", text.encode("ascii"), zipfile.ZIP_DEFLATED)
        for i, a in enumerate(arrays):
            _add(archive, f"{i}.npy", _to_bytes(a), packing)


def _check_name(path: str | os.PathLike) -> str:
    path = os.fspath(path)
    if not path.endswith(".suffice"):
        raise UnsafeFile(f"Model files end in '.suffice'; got {path!r}.")
    return path


def _check_readable(root: Any, arrays: list[np.ndarray], kind: str) -> None:
    try:
        check(decode(root, arrays.__getitem__, KINDS[kind]), KINDS[kind])
    except UnsafeFile as error:
        raise Unsupported(f"This cannot be saved, for it could not be loaded again: {error}") from None


@contextlib.contextmanager
def _packing(stream: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """A zip to fill. After Ctrl-C or on a full disk closing it would fail too, and its error would hide the reason."""
    archive = zipfile.ZipFile(stream, "w")
    try:
        yield archive
        archive.close()
    except BaseException:
        archive.fp = None  # closed, without another word to the stream
        raise


def _add(archive: zipfile.ZipFile, name: str, content: bytes, packing: int) -> None:
    """A member without the time of day: what is the same gives the same bytes."""
    member = zipfile.ZipInfo(name)
    member.external_attr = 0o600 << 16
    archive.writestr(member, content, packing)


def load(path: str | os.PathLike, *, memory: int = MEMORY) -> Any:
    """Read what `save` wrote. A broken, foreign, oversized or malicious file is refused.

    Parameters
    ----------
    path
        The file.
    memory
        Bytes that what is read may take beyond the size of the file, 64 MB by default. Raise it for a large file that
        you trust.
    """
    if isinstance(memory, bool) or not isinstance(memory, int) or memory < 0:
        raise InvalidParameter(f"memory must be a number of bytes >= 0; got {memory!r}.")
    return read("model", path, memory=memory)


def read(kind: str, path: str | os.PathLike, *, memory: int = MEMORY) -> Any:
    """Read a file of a kind that `contents.KINDS` lists."""
    name = os.path.basename(os.fspath(path))
    with os.fdopen(_opened(path), "rb") as stream:
        budget = MemoryBudget(os.fstat(stream.fileno()).st_size + memory)
        try:
            budget.take(_DIRECTORY * directory_bytes(stream), "its directory")
            with zipfile.ZipFile(stream) as archive:
                return _read(archive, budget, KINDS[kind])
        except UnsafeFile as error:
            raise UnsafeFile(f"{name!r:.80}: {error}") from None
        except Exception as error:  # a hostile file can make zip, zlib, json and numpy fail in many ways
            raise UnsafeFile(
                f"{name!r:.80} is not a Suffice file, or it is damaged: {error!r:.200}."
            ) from None


def _opened(path: str | os.PathLike) -> int:
    """A descriptor of a regular file; a pipe or a device, which might never answer, is refused before it is read."""
    if os.path.isdir(path):
        raise UnsafeFile(f"{os.fspath(path)!r} is a folder, not a model file.")
    found = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(found).st_mode):
        os.close(found)
        raise UnsafeFile(f"{os.fspath(path)!r} is a pipe or a device, not a model file.")
    return found


# -- reading ------------------------------------------------------------------------------------------
def _read(archive: zipfile.ZipFile, budget: MemoryBudget, forms: dict[str, str]) -> Any:
    sizes = _inventory(archive)
    tree = _parse(_bytes(archive, "suffice.json", sizes, budget), budget)
    version = tree.get("format")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise UnsafeFile(f"The file names no format; got {version!r:.40}.")
    if version > FORMAT:
        raise UnsafeFile(
            f"The file has format {version!r:.40}, written by Suffice {tree.get('version')!r:.40}; this one reads "
            f"up to {FORMAT}."
        )
    for old in range(version, FORMAT):
        if old not in _MIGRATIONS:
            raise UnsafeFile(f"The file has format {old}, which this version no longer reads.")
        tree = _MIGRATIONS[old](tree)
    if "root" not in tree:
        raise UnsafeFile("The file's tree has no root.")
    used: set[int] = set()
    draft = decode(tree["root"], lambda i: _array(archive, i, sizes, used, budget), forms)
    if len(used) != len(sizes) - 1:
        raise UnsafeFile("The file has arrays that nothing refers to.")
    check(draft, forms)
    return build(draft, budget, forms)


def _inventory(archive: zipfile.ZipFile) -> dict[str, int]:
    """Names and sizes of the members; anything but the tree and numbered arrays is refused."""
    sizes: dict[str, int] = {}
    for m in archive.infolist():
        stem, dot, ending = m.filename.partition(".")
        expected = m.filename == "suffice.json" or (
            stem.isascii() and stem.isdigit() and dot + ending == ".npy"
        )
        if not expected or m.filename in sizes:
            raise UnsafeFile(f"The file has an unexpected member {m.filename!r:.80}.")
        if m.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise UnsafeFile(f"Member {m.filename!r:.80} is packed in a way that Suffice does not write.")
        sizes[m.filename] = m.file_size
    if "suffice.json" not in sizes:
        raise UnsafeFile("The file has no member 'suffice.json'.")
    return sizes


def _bytes(archive: zipfile.ZipFile, name: str, sizes: dict[str, int], budget: MemoryBudget) -> bytes:
    """A member's content, never more than it declared (a zip bomb lies about its size)."""
    budget.take(sizes[name], f"member {name!r:.80}")
    with archive.open(name) as stream:
        content = stream.read(sizes[name] + 1)
    if len(content) != sizes[name]:
        raise UnsafeFile(f"Member {name!r:.80} does not have the size it declares.")
    return content


def _parse(content: bytes, budget: MemoryBudget) -> dict:
    if not content.isascii():
        raise UnsafeFile("The file's tree is not ASCII.")
    budget.take(tree_bytes(content), "its tree")
    tree = json.loads(content, parse_constant=_refuse_constant)
    if not isinstance(tree, dict):
        raise UnsafeFile("The file's tree is not an object.")
    return tree


def _refuse_constant(word: str) -> None:
    raise UnsafeFile(f"The file's tree has the bare word {word}.")


def _array(
    archive: zipfile.ZipFile, i: Any, sizes: dict[str, int], used: set[int], budget: MemoryBudget
) -> np.ndarray:
    """An array, which takes its room anew each time that the tree refers to it: records keep copies."""
    if not isinstance(i, int) or isinstance(i, bool) or f"{i}.npy" not in sizes:
        raise UnsafeFile(f"An array is referred to by {i!r:.40}, and there is no such member.")
    used.add(i)
    budget.take(sizes[f"{i}.npy"] + _ARRAY, f"array {i}")
    with archive.open(f"{i}.npy") as stream:
        a = read_array(stream, sizes[f"{i}.npy"])
    a.setflags(write=False)
    return a


def _to_bytes(a: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(a), allow_pickle=False)
    return stream.getvalue()
