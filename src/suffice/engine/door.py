"""From a batch to a model's door: X, y and weights of the rows that count, and what to say of those it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, NotFinite
from suffice._core.frames import NamedArray
from suffice._core.records import record
from suffice.engine.columns import Columns
from suffice.engine.protocols import GapsShow, takes_tables
from suffice.engine.reduce import Rows
from suffice.engine.values import n_rows
from suffice.tables.frames import frame_of, is_frame
from suffice.tables.giving import take_rows

ABOUT_CELLS = ("NaN", "inf", "missing", "sample_weight")  # words of a door that refuses single cells


def unpack(
    columns: Columns | None, batch: Any, rows: np.ndarray | None = None, start: int = 0, raw: bool = False
) -> tuple[Any, Any, Any] | None:
    """X, y and weights of a batch (some of its rows); None where no row counts. With `raw`, X stays a table."""
    if columns is None:
        if not isinstance(batch, tuple) or not 1 <= len(batch) <= 3:
            raise InvalidInput(
                f"A batch must be (X, y), (X, y, weight) or a table, and all of one kind; got {type(batch).__name__}."
            )
        X: Any
        X, y, w = (None if a is None else taken(a, rows) for a in (*batch, None, None)[:3])
    else:
        if not is_frame(batch):
            raise InvalidInput(
                f"A batch is a {type(batch).__name__}, but the first one was a table; all must be of one kind."
            )
        X = (
            _inputs(columns, batch, rows)
            if raw
            else NamedArray(columns.columnar(batch, rows, start), columns.features)
        )
        y, w = columns.outcome(batch, rows, start), columns.weights(batch, rows, start)
    if n_rows(X) == 0 or (w is not None and np.ndim(w) == 1 and np.all(np.asarray(w) == 0)):
        return None
    return X, y, w


def _inputs(columns: Columns, batch: Any, rows: np.ndarray | None) -> Any:
    """The input columns as they are."""
    if columns.categories:
        raise InvalidParameter(
            f"categories={[n for n, _ in columns.categories]}: this model reads columns of text itself; leave it out."
        )
    frame = frame_of(batch)
    assert frame is not None
    return taken(frame.select([frame.place(name) for name in columns.inputs]), rows)


def taken(a: Any, rows: np.ndarray | None) -> Any:
    """Some of the rows of a table or an array, or all."""
    a = a if hasattr(a, "shape") else np.asarray(a)
    return a if rows is None else take_rows(a, rows)


def chosen(columns: Columns | None, batch: Any) -> np.ndarray | None:
    """Rows that fulfil the conditions; None for all."""
    if columns is None or not is_frame(batch):
        return None
    return columns.rows(batch)


@record
class Entering:
    """A model's door for batches of a source; `like` is the plan that the first batch made.

    `leave(batch, rows, file, start)` says which of the rows stay, where some are left out.
    """

    model: Any
    columns: Columns | None
    like: Any = None
    leave: Callable[[Any, Any, int, int], np.ndarray] | None = None

    @classmethod
    def of(cls, model: Any, columns: Columns | None, like: Any = None, leave: Any = None) -> Entering:
        """With a model that has its parameters and nothing else: what travels to the workers."""
        return cls(type(model)(**model.get_params(deep=False)), columns, like, leave)

    def rows(self, batch: Any, file: int, start: int) -> np.ndarray | None:
        """Rows that fulfil the conditions and are not left out; None for all."""
        rows = chosen(self.columns, batch)
        return rows if self.leave is None else self.leave(batch, rows, file, start)

    def __call__(
        self, batch: Any, rows: np.ndarray | None, finite: bool = True, start: int = 0
    ) -> tuple[Rows, Any] | None:
        """Validated rows and their plan; None where no row counts. `start` is the place of the batch in its file."""
        arrays = unpack(self.columns, batch, rows, start, takes_tables(self.model))
        if arrays is None:
            return None
        with self._placing(batch, start):
            if not finite and isinstance(self.model, GapsShow) and self.model.gaps_show:
                return self.model.door(*arrays, like=self.like, finite=False)
            return self.model.door(*arrays, like=self.like)

    @contextmanager
    def _placing(self, batch: Any, start: int) -> Iterator[None]:
        """Errors of the door name the row in its file and the column in the table."""
        try:
            yield
        except InvalidInput as error:
            about_cells = any(word in str(error) for word in ABOUT_CELLS)
            if about_cells and (complaint := self._complaint(batch, start)) is not None:
                raise InvalidInput(complaint) from None
            if start:
                error.add_note(f"Row 0 of this batch is row {start} of its source.")
            raise

    def explained(self, batch: Any, error: Exception, start: int = 0) -> Exception:
        """An error from rows in another order, as the door would say it about the batch as it is."""
        try:
            self(batch, chosen(self.columns, batch), start=start)
        except InvalidInput as plain:
            return plain
        complaint = self._complaint(batch, start)
        return error if complaint is None else InvalidInput(complaint)

    def _complaint(self, batch: Any, start: int) -> str | None:
        return None if self.columns is None else self.columns.complaint(batch, start)


@record
class Planning:
    """The plan that the first batch makes."""

    enter: Entering

    def __call__(self, batch: Any, file: int, start: int) -> Any:
        opened = self.enter(batch, self.enter.rows(batch, file, start), start=start)
        return None if opened is None else opened[1]


@record
class Gathering:
    """The statistics of a batch."""

    enter: Entering

    def __call__(self, batch: Any, file: int, start: int) -> Any:
        opened = self.enter(batch, chosen(self.enter.columns, batch), finite=False, start=start)
        if opened is None:
            return None
        try:
            return self.enter.model.gather(*opened)
        except NotFinite as error:
            raise self.enter.explained(batch, error, start) from None
