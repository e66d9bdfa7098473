"""Model files: a zip of one JSON tree and raw arrays. Never pickle.

    name.suffice
    ├── suffice.json     {"format": 1, "version": "0.1.0", "root": tree}
    └── 0.npy, 1.npy …   the arrays the tree refers to

A tree holds null, booleans, numbers, strings, lists, and tagged objects: {"array": i}, {"tuple": […]},
{"dict": {…}}, {"float": "inf"}, {"record": name, "fields": {…}}, {"estimator": name, "params": {…},
"fitted": {…}}. Names come from an allow-list, so loading can construct values of this library and
nothing else. Older formats are lifted one version at a time by `_MIGRATIONS`.
"""

from __future__ import annotations

import dataclasses
import io
import json
import math
import os
import warnings
import zipfile
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from suffice._core.errors import UnsafeFile, Unsupported
from suffice._core.records import fields, public_name, storable_class
from suffice._version import __version__

FORMAT = 1
MAX_MEMBERS, MAX_TREE, MAX_ARRAY, MAX_TOTAL = 100_000, 64 << 20, 8 << 30, 16 << 30
ROOMS = (
    "_core",
    "baselines",
    "bases",
    "distributions",
    "engine",
    "inference",
    "linear",
    "prepare",
    "statistics",
)
_MIGRATIONS: dict[int, Callable[[dict], dict]] = {}


def save(value: Any, path: str | os.PathLike) -> None:
    """Write a model or a statistic to a file ending in `.suffice`.

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
    arrays: list[np.ndarray] = []
    tree = {"format": FORMAT, "version": __version__, "root": _encode(value, arrays)}
    text = json.dumps(tree, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("suffice.json", text)
            for i, a in enumerate(arrays):
                archive.writestr(f"{i}.npy", _to_bytes(a))
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


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
    value = _decode(tree["root"], lambda i: _array(archive, i, sizes, used))
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


# -- the tree -----------------------------------------------------------------------------------------
def _encode(value: Any, arrays: list[np.ndarray]) -> Any:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | np.integer) and not isinstance(value, np.bool_):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else {"float": repr(float(value))}
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.ndarray):
        return _encode_array(value, arrays)
    if isinstance(value, list):
        return [_encode(v, arrays) for v in value]
    if isinstance(value, tuple):
        return {"tuple": [_encode(v, arrays) for v in value]}
    if isinstance(value, dict) and all(isinstance(k, str) for k in value):
        return {"dict": {k: _encode(v, arrays) for k, v in value.items()}}
    return _encode_object(value, arrays)


def _encode_array(value: np.ndarray, arrays: list[np.ndarray]) -> Any:
    if value.dtype == object:
        if not all(isinstance(v, str) for v in value.ravel()):
            raise Unsupported(f"Arrays of {type(value.flat[0]).__name__} objects cannot be saved.")
        return {"strings": value.ravel().tolist(), "shape": list(value.shape)}
    arrays.append(value)
    return {"array": len(arrays) - 1}


def _encode_object(value: Any, arrays: list[np.ndarray]) -> Any:
    cls = type(value)
    name = public_name(cls) if cls.__module__.startswith("suffice.") else ""
    if storable_class(name) is not cls:
        raise Unsupported(
            f"{value!r} cannot be saved: {cls.__name__} is not a value that a model file can hold "
            "(functions and foreign objects are code)."
        )

    def inside(items: dict[str, Any]) -> dict[str, Any]:
        return {k: _encode(v, arrays) for k, v in items.items()}

    if hasattr(cls, "fitted"):
        return {
            "estimator": name,
            "params": inside(value.get_params(deep=False)),
            "fitted": inside(value.fitted()),
        }
    return {"record": name, "fields": inside(fields(value))}


def _decode(node: Any, array: Callable[[Any], np.ndarray]) -> Any:
    if node is None or isinstance(node, bool | int | float | str):
        return node
    if isinstance(node, list):
        return [_decode(v, array) for v in node]
    if not isinstance(node, dict):
        raise UnsafeFile(f"The tree has a node that is not understood: {node!r:.80}.")
    match node:
        case {"array": i, **rest} if not rest:
            return array(i)
        case {"strings": list(words), "shape": list(shape), **rest} if not rest:
            return _strings(words, shape)
        case {"tuple": list(items), **rest} if not rest:
            return tuple(_decode(v, array) for v in items)
        case {"dict": dict(items), **rest} if not rest:
            return {k: _decode(v, array) for k, v in items.items()}
        case {"float": "inf" | "-inf" | "nan" as word, **rest} if not rest:
            return float(word)
        case {"record": str(name), "fields": dict(items), **rest} if not rest:
            return _build(_allowed(name, estimator=False), {k: _decode(v, array) for k, v in items.items()})
        case {"estimator": str(name), "params": dict(params), "fitted": dict(fitted), **rest} if not rest:
            model = _build(_allowed(name, estimator=True), {k: _decode(v, array) for k, v in params.items()})
            return _restore(model, {k: _decode(v, array) for k, v in fitted.items()})
    raise UnsafeFile(f"The tree has a node that is not understood, with keys {sorted(node)[:6]}.")


def _strings(words: list, shape: list) -> np.ndarray:
    if not all(isinstance(w, str) for w in words) or not all(isinstance(s, int) and s >= 0 for s in shape):
        raise UnsafeFile("An array of strings is malformed.")
    if math.prod(shape) != len(words):
        raise UnsafeFile(f"An array of strings has {len(words)} entries for shape {shape}.")
    return np.array(words, dtype=object).reshape(shape)


def _allowed(name: str, *, estimator: bool) -> type:
    room = name.partition(".")[0]
    if room in ROOMS:
        import_module(f"suffice.{room}")
    cls = storable_class(name)
    if cls is None or hasattr(cls, "fitted") is not estimator:
        raise UnsafeFile(f"The file asks for {name!r}, which is not on the list of what a file may contain.")
    return cls


def _build(cls: type, items: dict[str, Any]) -> Any:
    known = {f.name for f in dataclasses.fields(cls) if f.init}
    unknown = set(items) - known
    if unknown:
        raise UnsafeFile(f"{cls.__name__} has no field {sorted(unknown)[0]!r}.")
    missing = {f.name for f in dataclasses.fields(cls) if f.init and _required(f)} - set(items)
    if missing:
        raise UnsafeFile(f"{cls.__name__} lacks its field {sorted(missing)[0]!r}.")
    return cls(**items)


def _required(f: dataclasses.Field) -> bool:
    return f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING


def _restore(model: Any, fitted: dict[str, Any]) -> Any:
    known = {f.name for f in dataclasses.fields(model) if not f.init}
    for name, value in fitted.items():
        if name not in known:
            raise UnsafeFile(f"{type(model).__name__} has no fitted attribute {name!r}.")
        setattr(model, name, value)
    return model
