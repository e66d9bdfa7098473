"""Checkpoints of an iterative fit: after every pass the state of the iteration is written, and can be taken up."""

from __future__ import annotations

import os
from typing import Any

from suffice._core.errors import HeaderMismatch, InvalidParameter
from suffice._core.files import load, save
from suffice._core.records import record, same
from suffice.engine.opening import Opened
from suffice.inference import Iteration


@record
class Kept:
    """What a checkpoint holds: whose it is, and where the iteration stands."""

    model: str
    params: dict[str, Any]
    columns: Any
    state: Iteration


@record
class Checkpoint:
    """A file, and the fit it belongs to."""

    path: str
    model: str
    params: dict[str, Any]
    columns: Any

    @classmethod
    def of(cls, path: Any, model: Any, opened: Opened) -> Checkpoint:
        path = os.fspath(path)
        if not path.endswith(".suffice"):
            raise InvalidParameter(f"resume must be a file that ends in '.suffice'; got {path!r}.")
        params = {k: v for k, v in model.get_params(deep=False).items() if k not in ("max_iter", "tol")}
        return cls(path, type(model).__name__, params, opened.columns)

    def read(self) -> Iteration | None:
        """The state to go on from; None if there is no file yet."""
        if not os.path.exists(self.path):
            return None
        kept = load(self.path)
        if not isinstance(kept, Kept):
            raise InvalidParameter(f"resume: {self.path!r} is not a checkpoint but a {type(kept).__name__}.")
        for name in ("model", "params", "columns"):
            if not same(getattr(kept, name), getattr(self, name)):
                raise HeaderMismatch(
                    f"The checkpoint {self.path!r} belongs to another fit: its {name} is {getattr(kept, name)!r}, "
                    f"here {getattr(self, name)!r}. Remove it, or give another file."
                )
        return kept.state

    def write(self, state: Iteration) -> None:
        """Replace the file at once, so that it is never half written."""
        save(Kept(self.model, self.params, self.columns, state), self.path)
