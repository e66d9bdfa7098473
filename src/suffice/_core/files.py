"""Model files: a zip of one JSON tree and raw arrays. Never pickle.

    name.suffice
    ├── suffice.json     {"format": 1, "version": "0.1.0", "root": tree}
    └── 0.npy, 1.npy …   the arrays the tree refers to

`tree.py` says what a tree holds. Older formats are lifted one version at a time by `_MIGRATIONS`.
"""

from __future__ import annotations

import io
import json
import os
import warnings
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np

from suffice._core.disclosure import MINIMUM_ROWS, check_disclosure
from suffice._core.errors import UnsafeFile
from suffice._core.tree import decode, encode
from suffice._core.writing import replacing
from suffice._version import __version__

FORMAT = 1
MAX_MEMBERS, MAX_TREE, MAX_ARRAY, MAX_TOTAL = 100_000, 64 << 20, 8 << 30, 16 << 30
_MIGRATIONS: dict[int, Callable[[dict], dict]] = {}


def save(value: Any, path: str | os.PathLike, *, minimum_rows: int = MINIMUM_ROWS) -> None:
    """Write a model or statistics to a file ending in `.suffice`.

    Parameters
    ----------
    value
        A model, statistics, or any record of this library.
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
    path = os.fspath(path)
    if not path.endswith(".suffice"):
        raise UnsafeFile(f"Model files end in '.suffice'; got {path!r}.")
    check_disclosure(value, minimum_rows)
    arrays: list[np.ndarray] = []
    tree = {"format": FORMAT, "version": __version__, "root": encode(value, arrays)}
    text = json.dumps(tree, allow_nan=False, separators=(",", ":"))  # ASCII: half a character survives too
    with (
        replacing(path) as part,
        open(part, "wb") as stream,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        _add(archive, "suffice.json", text.encode("ascii"))
        for i, a in enumerate(arrays):
            _add(archive, f"{i}.npy", _to_bytes(a))


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """A member without the time of day: what is the same gives the same bytes."""
    member = zipfile.ZipInfo(name)
    member.external_attr = 0o600 << 16
    archive.writestr(member, content, zipfile.ZIP_DEFLATED)


def load(path: str | os.PathLike) -> Any:
    """Read what `save` wrote. A broken, foreign, oversized or malicious file is refused."""
    with open(path, "rb") as stream, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy grumbles about headers of its own past
        try:
            with zipfile.ZipFile(stream) as archive:
                return _read(archive)
        except UnsafeFile:
            raise
        except Exception as error:  # a hostile file can make zip, zlib, json and numpy fail in many ways
            name = os.path.basename(os.fspath(path))
            raise UnsafeFile(f"{name!r} is not a Suffice file, or it is damaged: {error!r:.200}.") from None


# -- reading ------------------------------------------------------------------------------------------
def _read(archive: zipfile.ZipFile) -> Any:
    sizes = _inventory(archive)
    tree = _parse(_bytes(archive, "suffice.json", sizes))
    version = tree.get("format")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise UnsafeFile(f"The file names no format; got {version!r}.")
    if version > FORMAT:
        raise UnsafeFile(
            f"The file has format {version}, written by Suffice {tree.get('version')}; this one reads up to {FORMAT}."
        )
    for old in range(version, FORMAT):
        if old not in _MIGRATIONS:
            raise UnsafeFile(f"The file has format {old}, which this version no longer reads.")
        tree = _MIGRATIONS[old](tree)
    if "root" not in tree:
        raise UnsafeFile("The file's tree has no root.")
    used: set[int] = set()
    value = decode(tree["root"], lambda i: _array(archive, i, sizes, used))
    if len(used) != len(sizes) - 1:
        raise UnsafeFile("The file has arrays that nothing refers to.")
    return value


def _inventory(archive: zipfile.ZipFile) -> dict[str, int]:
    """Names and sizes of the members; anything but the tree and numbered arrays is refused."""
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        raise UnsafeFile(f"The file has {len(members)} members; at most {MAX_MEMBERS} are allowed.")
    sizes: dict[str, int] = {}
    for m in members:
        stem, dot, ending = m.filename.partition(".")
        expected = m.filename == "suffice.json" or (
            stem.isascii() and stem.isdigit() and dot + ending == ".npy"
        )
        if not expected or m.filename in sizes:
            raise UnsafeFile(f"The file has an unexpected member {m.filename!r}.")
        if m.file_size > (MAX_TREE if ending == "json" else MAX_ARRAY):
            raise UnsafeFile(f"Member {m.filename!r} is too large: {m.file_size} bytes.")
        sizes[m.filename] = m.file_size
    if "suffice.json" not in sizes:
        raise UnsafeFile("The file has no member 'suffice.json'.")
    if sum(sizes.values()) > MAX_TOTAL:
        raise UnsafeFile(f"The file unpacks to {sum(sizes.values())} bytes; at most {MAX_TOTAL} are allowed.")
    return sizes


def _bytes(archive: zipfile.ZipFile, name: str, sizes: dict[str, int]) -> bytes:
    """A member's content, never more than it declared (a zip bomb lies about its size)."""
    if name not in sizes:
        raise UnsafeFile(f"The file lacks its member {name!r}.")
    with archive.open(name) as stream:
        content = stream.read(sizes[name] + 1)
    if len(content) != sizes[name]:
        raise UnsafeFile(f"Member {name!r} does not have the size it declares.")
    return content


def _parse(content: bytes) -> dict:
    tree = json.loads(content, parse_constant=_refuse_constant)
    if not isinstance(tree, dict):
        raise UnsafeFile("The file's tree is not an object.")
    return tree


def _refuse_constant(word: str) -> None:
    raise UnsafeFile(f"The file's tree has the bare word {word}.")


def _array(archive: zipfile.ZipFile, i: Any, sizes: dict[str, int], used: set[int]) -> np.ndarray:
    if not isinstance(i, int) or isinstance(i, bool):
        raise UnsafeFile(f"An array is referred to by {i!r}.")
    used.add(i)
    content = io.BytesIO(_bytes(archive, f"{i}.npy", sizes))
    a = np.lib.format.read_array(content, allow_pickle=False, max_header_size=10_000)
    if a.dtype.kind not in "biufcUS":
        raise UnsafeFile(f"Array {i} has the type {a.dtype}, which no model uses.")
    a.setflags(write=False)
    return a


def _to_bytes(a: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(a), allow_pickle=False)
    return stream.getvalue()
