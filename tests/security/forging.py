"""Forged files: every checksum is right, one thing inside is not. And mutated ones: bytes changed anywhere.

`forge` walks the tree of a good file to one of its nodes and puts something else there: another kind of value, another
shape, NaN, infinity, negative and huge numbers, another class of the list, a part of the file itself.
"""

from __future__ import annotations

import copy
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from suffice._core.contents import FAMILIES, MODEL
from suffice._core.tree import encode

Tree = Any
Arrays = list[np.ndarray]


def opened(value: Any) -> tuple[Tree, Arrays]:
    """The tree and the arrays that a file of this value has."""
    arrays: Arrays = []
    return json.loads(json.dumps(encode(value, arrays, MODEL))), [np.array(a) for a in arrays]


def packed(tree: Tree, arrays: Arrays) -> bytes:
    """A file with valid checksums."""
    used: list[np.ndarray] = []
    tree = _renumbered(tree, arrays, used)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("suffice.json", json.dumps({"format": 1, "version": "0", "root": tree}))
        for i, a in enumerate(used):
            member = io.BytesIO()
            np.lib.format.write_array(member, a, allow_pickle=False)
            archive.writestr(f"{i}.npy", member.getvalue())
    return stream.getvalue()


def _renumbered(node: Tree, arrays: Arrays, used: list[np.ndarray]) -> Tree:
    """The tree with the arrays that it still refers to; a reference to none stays wrong."""
    if isinstance(node, list):
        return [_renumbered(v, arrays, used) for v in node]
    if not isinstance(node, dict):
        return node
    if set(node) == {"array"} and isinstance(node["array"], np.ndarray):
        used.append(node["array"])
        return {"array": len(used) - 1}
    if set(node) == {"array"} and type(node["array"]) is int and 0 <= node["array"] < len(arrays):
        used.append(arrays[node["array"]])
        return {"array": len(used) - 1}
    return {k: _renumbered(v, arrays, used) for k, v in node.items()}


# -- places --------------------------------------------------------------------------------------------------
def places(node: Tree, path: tuple = ()) -> Iterator[tuple]:
    """The paths of all values in a tree: fields, entries, fitted attributes, objects."""
    if path:
        yield path
    if isinstance(node, list):
        for i, v in enumerate(node[:20]):
            yield from places(v, (*path, i))
    elif isinstance(node, dict):
        for holder in ("fields", "params", "fitted", "dict"):
            for k, v in node.get(holder, {}).items() if isinstance(node.get(holder), dict) else ():
                yield from places(v, (*path, holder, k))
        for i, v in enumerate(node.get("tuple", [])[:20]):
            yield from places(v, (*path, "tuple", i))


def at(tree: Tree, path: tuple) -> Tree:
    for step in path:
        tree = tree[step]
    return tree


# -- what is put there ----------------------------------------------------------------------------------------
PLAIN = (
    None, True, False, 0, 1, -1, 2, 10**6, 10**12, 2**63, 10**30, 10**400, 0.5, -0.5, 1e308, -1e308, 1e-320,
    "", "x", "text", "\u0000", "a" * 5000, [], {}, [[]], {"tuple": []}, {"dict": {}}, {"dict": {"a": 1}},
    {"float": "nan"}, {"float": "inf"}, {"float": "-inf"}, {"array": 10**6}, {"array": -1}, {"array": "0"},
    {"pairs": [[1, 2]]}, {"strings": ["a", "b"], "shape": [2]}, {"strings": [], "shape": [0]},
    {"class": "os.system"}, {"record": "engine.Packed", "fields": {"payload": "x"}},
    {"record": "distributions.Transformed", "fields": {}}, {"record": "bases.CustomBasis", "fields": {}},
    {"record": "bases.Polynomial", "fields": {"degree": 10**6}},
    {"record": "bases.Polynomial", "fields": {"degree": 30, "interactions": True}},
    {"record": "bases.Interactions", "fields": {"degree": 12}},
    {"record": "bases.WaveletBasis", "fields": {"levels": 20}},
    {"record": "bases.FourierBasis", "fields": {"n_harmonics": 1000, "period": 1.0}},
    {"record": "statistics.Header", "fields": {"n_features": 10**6}},
    {"estimator": "linear.Ridge", "params": {}, "fitted": {}},
    {"estimator": "baselines.MedianRegressor", "params": {}, "fitted": {"median_": 1.0, "noise_scale_": 1.0,
                                                                        "n_": 3.0, "n_features_in_": 3}},
)  # fmt: skip


def changed_array(a: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The array with something wrong: a number, the shape, or the kind."""
    return CHANGES[rng.integers(len(CHANGES))](a, rng)


def _spoiled(value: float) -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    def change(a: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        out = a.astype(float) if a.dtype.kind in "biuf" else np.zeros(a.shape)
        if out.size:
            out.flat[rng.integers(out.size)] = value
        return out

    return change


CHANGES: tuple[Callable[[np.ndarray, np.random.Generator], np.ndarray], ...] = (
    *map(_spoiled, (np.nan, np.inf, -np.inf, -1.0, 1e308, -1e308, 1e200, 1e-320, 0.0)),
    lambda a, rng: np.full(a.shape, np.nan),
    lambda a, rng: np.zeros(a.shape),
    lambda a, rng: np.full(a.shape, 1e300),
    lambda a, rng: np.full(a.shape, -1e160),
    lambda a, rng: -a if a.dtype.kind in "if" else a,
    lambda a, rng: a.T,
    lambda a, rng: a.ravel(),
    lambda a, rng: a[None],
    lambda a, rng: a[..., None],
    lambda a, rng: a[:-1] if a.ndim else np.zeros(2),
    lambda a, rng: np.concatenate([a, a]) if a.ndim else np.zeros(3),
    lambda a, rng: np.concatenate([a, a], axis=-1) if a.ndim else np.zeros((2, 2)),
    lambda a, rng: a[:0] if a.ndim else np.zeros(0),
    lambda a, rng: np.zeros((0, 3)),
    lambda a, rng: np.zeros((2, 2, 2)),
    lambda a, rng: np.array(1.0),
    lambda a, rng: np.zeros(a.shape, dtype=complex),
    lambda a, rng: np.zeros(a.shape, dtype="U3"),
    lambda a, rng: np.zeros(a.shape, dtype=bool),
    lambda a, rng: np.zeros(a.shape, dtype=np.int8),
    lambda a, rng: a.astype(np.float32) if a.dtype.kind == "f" else a,
    lambda a, rng: a[::-1].copy() if a.ndim else a,
    lambda a, rng: np.zeros(100_000),
)


def forge(tree: Tree, arrays: Arrays, others: list[Tree], rng: np.random.Generator) -> tuple[str, bytes]:
    """One change of a good file, and what it is: `path <- value`."""
    tree = copy.deepcopy(tree)
    every = list(places(tree)) or [()]
    path = every[rng.integers(len(every))]
    node = at(tree, path)
    what = _substitute(node, tree, every, arrays, others, rng)
    if not path:
        tree = what
    elif what is _GONE:
        del at(tree, path[:-1])[path[-1]]
    else:
        at(tree, path[:-1])[path[-1]] = what
    shown = f"{what['array'].dtype}{what['array'].shape}" if _is_array(what) else f"{what!r:.60}"
    return f"{'.'.join(map(str, path))} <- {shown}", packed(tree, arrays)


_GONE = object()


def _is_array(node: Any) -> bool:
    return isinstance(node, dict) and isinstance(node.get("array"), np.ndarray)


def _substitute(node: Tree, tree: Tree, every: list, arrays: Arrays, others: list[Tree], rng: Any) -> Tree:
    here = isinstance(node, dict) and type(node.get("array")) is int and node["array"] < len(arrays)
    choice = rng.integers(10)
    if here and choice < 6:
        return {"array": changed_array(arrays[node["array"]], rng)}
    if choice < 7:
        return copy.deepcopy(PLAIN[rng.integers(len(PLAIN))])
    if choice == 7:
        return copy.deepcopy(at(tree, every[rng.integers(len(every))]))  # a part of itself
    if choice == 8:
        return copy.deepcopy(others[rng.integers(len(others))])
    return {"class": sorted(FAMILIES)[rng.integers(len(FAMILIES))]} if rng.random() < 0.3 else _GONE


# -- mutated bytes ---------------------------------------------------------------------------------------------
def mutate(good: bytes, other: bytes, rng: np.random.Generator) -> bytes:
    """Some bytes changed, left out, doubled, or taken from another file."""
    raw, kind = bytearray(good), rng.integers(6)
    start, length = int(rng.integers(len(raw))), int(rng.integers(1, 60))
    if kind == 0:
        for place in rng.integers(len(raw), size=rng.integers(1, 9)):
            raw[place] = int(rng.integers(256))
    elif kind == 1:
        del raw[start:]
    elif kind == 2:
        del raw[start : start + length]
    elif kind == 3:
        raw[start:start] = raw[start : start + length]
    elif kind == 4:
        raw[start : start + length] = other[start : start + length]
    else:
        return _resealed(good, rng)
    return bytes(raw)


def _resealed(good: bytes, rng: np.random.Generator) -> bytes:
    """Bytes of a member changed under a checksum that was made anew."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(good)) as old, zipfile.ZipFile(stream, "w") as new:
        names = old.namelist()
        victim = names[rng.integers(len(names))]
        for name in names:
            content = bytearray(old.read(name))
            if name == victim:
                for place in rng.integers(len(content), size=rng.integers(1, 5)):
                    content[place] = (
                        int(rng.integers(256)) if name.endswith("npy") else int(rng.integers(32, 127))
                    )
            new.writestr(name, bytes(content))
    return stream.getvalue()
