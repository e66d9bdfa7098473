"""Checkpoints of an iterative fit: after every pass the state of the iteration is written, and can be taken up."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from suffice._core.errors import HeaderMismatch, InvalidParameter, UnsafeFile
from suffice._core.files import read, write
from suffice._core.records import record, same
from suffice.engine.opening import Opened
from suffice.engine.same_rows import RowsFingerprint
from suffice.inference import Iteration

FREE = ("max_iter", "tol")  # parameters that may change between two runs of a fit


@record
class Kept:
    """What a checkpoint holds: whose it is, and where the iteration stands."""

    model: str
    params: dict[str, Any]
    columns: Any
    rows: RowsFingerprint
    state: Iteration

    def check(self, rows: RowsFingerprint) -> None:
        """Raise for rows that are not those of the checkpoint."""
        if rows != self.rows:
            here = f"{rows.n:,}{' with other values' if rows.n == self.rows.n else ''}"
            raise HeaderMismatch(
                f"The checkpoint belongs to other rows: it counted {self.rows.n:,}, and the source holds {here}. Give "
                "the data it was begun with, or remove it."
            )


@record
class Checkpoint:
    """A file, and the fit it belongs to."""

    path: str
    model: str
    params: dict[str, Any]
    columns: Any

    @classmethod
    def of(cls, path: Any, model: Any, opened: Opened) -> Checkpoint:
        if not isinstance(path, str | os.PathLike) or not os.fspath(path).endswith(".suffice"):
            raise InvalidParameter(f"resume must be a file that ends in '.suffice'; got {path!r}.")
        path = os.path.abspath(path)
        if not os.path.isdir(os.path.dirname(path)):
            raise InvalidParameter(f"resume: there is no folder {os.path.dirname(path)!r}; make it first.")
        given = model.get_params(deep=False).items()
        params = {k: v.item() if isinstance(v, np.generic) else v for k, v in given if k not in FREE}
        return cls(path, type(model).__name__, params, opened.columns)

    def read(self) -> Kept | None:
        """What to go on from; None if there is no file yet."""
        if not os.path.exists(self.path):
            return None
        try:
            kept = read("checkpoint", self.path)
        except (UnsafeFile, OSError) as error:
            raise UnsafeFile(
                f"The checkpoint {self.path!r} cannot be read: {error} Remove it to begin anew."
            ) from error
        if not isinstance(kept, Kept):
            raise InvalidParameter(f"resume: {self.path!r} is not a checkpoint but a {type(kept).__name__}.")
        for name in ("model", "params", "columns"):
            if not same(getattr(kept, name), getattr(self, name)):
                raise HeaderMismatch(
                    f"The checkpoint {self.path!r} belongs to another fit: its {name} is {getattr(kept, name)!r}, "
                    f"here {getattr(self, name)!r}. Remove it, or give another file."
                )
        return kept

    def write(self, state: Iteration, rows: Any) -> None:
        """Replace the file at once, so that it is never half written."""
        write("checkpoint", Kept(self.model, self.params, self.columns, rows, state), self.path)
