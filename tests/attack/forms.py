"""One table in many forms: kinds of numbers, layouts of memory, tables with names, sparse matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
from scipy import sparse

from ..contract.registry import ENTRIES
from . import answers
from .models import build, condition, fit, pick
from .tables import draw, new_rows
from .trial import Skip, Trial


def read_only(A: np.ndarray) -> np.ndarray:
    out = A.copy()
    out.setflags(write=False)
    return out


def with_stored_zeros(A: np.ndarray, kind: Callable[[Any], Any]) -> Any:
    """A sparse table that stores some of its zeros, and one cell in two parts where the kind allows it."""
    i, j = np.nonzero(np.ones_like(A))
    keep = (A[i, j] != 0) | (np.arange(len(i)) % 3 == 0)
    return kind(sparse.coo_matrix((A[i, j][keep], (i[keep], j[keep])), shape=A.shape))


def named(A: np.ndarray) -> dict[str, np.ndarray]:
    return {f"c{j}": A[:, j] for j in range(A.shape[1])}


SAME = {
    "Fortran order": np.asfortranarray,
    "negative strides": lambda A: np.ascontiguousarray(A[::-1, ::-1])[::-1, ::-1],
    "every second": lambda A: np.repeat(np.repeat(A, 2, axis=0), 2, axis=1)[::2, ::2],
    "read-only": read_only,
    "objects": lambda A: A.astype(object),
    "big-endian": lambda A: A.astype(">f8"),
    "lists": lambda A: A.tolist(),
    "pandas": lambda A: pandas.DataFrame(named(A), index=np.arange(len(A))[::-1] * 7),
    "pandas of objects": lambda A: pandas.DataFrame(named(A)).astype(object),
    "pandas of nullable": lambda A: pandas.DataFrame(named(A)).convert_dtypes(),
    "polars": lambda A: polars.DataFrame(named(A)),
    "Arrow": lambda A: pyarrow.table(named(A)),
    "Arrow in chunks": lambda A: pyarrow.concat_tables(
        [pyarrow.table(named(A[:2])), pyarrow.table(named(A[2:]))]
    ),
    "memory map": lambda A: np.lib.stride_tricks.as_strided(A, A.shape, A.strides),
}
SPARSE = {
    "csr": lambda A: with_stored_zeros(A, sparse.csr_matrix),
    "csc": lambda A: with_stored_zeros(A, sparse.csc_array),
    "coo": lambda A: with_stored_zeros(A, sparse.coo_array),
}  # fmt: skip
CAST = {
    "float32": np.float32, "float16": np.float16, "int64": np.int64, "int8": np.int8, "uint8": np.uint8, "bool": bool,
    "int32": np.int32, "uint64": np.uint64,
}  # fmt: skip
VECTORS = {
    "same": lambda v: v,
    "list": lambda v: v.tolist(),
    "objects": lambda v: v.astype(object),
    "read-only": read_only,
    "reversed twice": lambda v: v[::-1].copy()[::-1],
    "pandas": lambda v: pandas.Series(v, index=np.arange(len(v)) + 100),
    "polars": polars.Series,
    "Arrow": pyarrow.array,
}


def forms(trial: Trial) -> None:
    """X, y and weights in other forms give the numbers of plain arrays."""
    entry = pick(
        trial, [e for e in ENTRIES if e.takes in ("numbers", "one column", "counts", "positive numbers")]
    )
    model, problem = build(trial, entry), draw(trial, entry, extreme=trial.chance(0.3))
    X = problem.X
    kinds = {**SAME, **(SPARSE if entry.capabilities.sparse else {})}
    name = trial.one([*kinds, *CAST])
    new = new_rows(trial, X, model)
    if name in CAST and trial.model == "MixedNB" and name not in ("float32", "float16"):
        raise Skip("whole numbers and truths are columns of another kind")
    if name in CAST:
        X, new = fitting(X, CAST[name]), fitting(new, CAST[name])
        other, changed = X.astype(CAST[name]), new.astype(CAST[name])
    else:
        other, changed = kinds[name](X), kinds[name](new)
    vector, weighing = trial.one(VECTORS), trial.one(VECTORS)
    trial.note(f"X: {name}", f"y: {vector}", f"weights: {weighing}")
    y = None if problem.y is None else VECTORS[vector](problem.y)
    w = None if problem.weight is None else VECTORS[weighing](problem.weight)
    trial.posed(condition(model, X, problem.weight))
    mine = trial.ask(lambda: answers.said(fit(model, other, y, w), changed))
    theirs = trial.honest(lambda: answers.said(fit(model, X.copy(), problem.y, problem.weight), new.copy()))
    answers.compare(trial, mine, theirs, problem.y)


def fitting(X: np.ndarray, kind: Any) -> np.ndarray:
    """The values nearest to X that a kind of number can hold, as float64."""
    if not np.isfinite(X).all():
        raise Skip("gaps")
    if kind is bool:
        return (X > 0).astype(float)
    info = np.finfo(kind) if np.dtype(kind).kind == "f" else np.iinfo(kind)
    top = min(float(info.max), 2.0**53)
    return np.clip(X, max(float(info.min), -top), top).astype(kind).astype(float)
