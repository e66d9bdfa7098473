"""One function drives closed-form and iterative models alike.

Array rows are cut into chunks of fixed size, whatever the number of threads; batches of an iterator
are taken as they come. Parts are merged like carries in a binary counter: the tree depends only on
the number of parts, and at most log₂(parts) statistics are alive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from suffice._core.errors import InvalidInput
from suffice._core.records import record
from suffice.engine.threads import count, parallel

S = TypeVar("S")
CHUNK = 32_768


@record
class Rows:
    """Validated rows: X, targets as a matrix, weights or None. What a `step` receives."""

    X: Any
    Y: Any
    weight: Any = None

    def __len__(self) -> int:
        return self.X.shape[0]

    def __getitem__(self, index: Any) -> Rows:
        return Rows(self.X[index], self.Y[index], None if self.weight is None else self.weight[index])


def reduce(source: Rows | tuple | Iterable[Any], step: Callable[..., S], *params: Any) -> S:
    """The sum of `step(part, *params)` over the parts of a source.

    The source is `Rows`, a tuple of arrays with the same number of rows, or an iterable of batches; the
    parts are of the same kind, or the batches themselves.

    Examples
    --------
    >>> from suffice.engine import reduce
    >>> reduce([[1, 2], [3], [4, 5]], lambda batch, power: sum(v**power for v in batch), 2)
    55
    """
    if isinstance(source, Rows | tuple):
        return _merge(parallel(lambda part: step(part, *params), _chunks(source)))
    return _merge(_in_turn(iter(source), step, params))


def _chunks(source: Rows | tuple) -> list[Any]:
    """Slices of a fixed number of rows; a tuple of arrays gives tuples of slices."""
    arrays = (source.X,) if isinstance(source, Rows) else source
    lengths = {a.shape[0] for a in arrays}
    if len(lengths) != 1:
        raise InvalidInput(f"The arrays of a source need the same number of rows; got {sorted(lengths)}.")
    cuts = [slice(a, a + CHUNK) for a in range(0, max(*lengths, 1), CHUNK)]
    if isinstance(source, Rows):
        return [source[cut] for cut in cuts]
    return [tuple(a[cut] for a in arrays) for cut in cuts]


def _in_turn(batches: Iterator[Any], step: Callable[..., S], params: tuple) -> Iterator[S]:
    """A few batches at a time, as many as there are threads: bounded memory, ordered results."""
    width = count()
    while group := list(islice(batches, width)):
        yield from parallel(lambda batch: step(batch, *params), group)
        group.clear()


def _merge(parts: Iterable[S]) -> S:
    carries: list[tuple[int, S]] = []  # (level, sum of 2**level parts)
    for part in parts:
        level = 0
        while carries and carries[-1][0] == level:
            part = carries.pop()[1] + part  # type: ignore[operator]
            level += 1
        carries.append((level, part))
    if not carries:
        raise InvalidInput("The source has no batches; at least one is needed.")
    total = carries.pop()[1]
    while carries:
        total = carries.pop()[1] + total  # type: ignore[operator]
    return total
