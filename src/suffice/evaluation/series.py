r"""Splits of rows that come one after another (DTU §10.3.2, Fig. 10.14).

Consecutive   K blocks of neighbouring rows, each tested once by a model of the others
Rolling       blocks tested in turn by a model of what came before: the future is never trained on
Padded        any splitter, random ones too, with a strip around the test rows left out of training

A row of lags shares values with its neighbours: with embedding size p and horizon h the inputs of one hold the
target of another up to p + h − 1 rows away. *Padding* keeps such rows out of training. Where `groups` name the
series of each row, only rows of the same series are neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY
from typing import Any, Literal

import numpy as np
from sklearn.model_selection import BaseCrossValidator, check_cv
from sklearn.utils.metadata_routing import get_routing_for_object

from suffice._core.errors import InvalidInput, InvalidParameter, check_choice, check_integer
from suffice._core.params import Parametric
from suffice._core.records import record
from suffice.evaluation._levels.pipelines import n_rows

Split = tuple[np.ndarray, np.ndarray]


class SeriesSplitter(Parametric, BaseCrossValidator):
    """scikit-learn's protocol for frozen splitters that may use `groups`. Adds no state."""

    __metadata_request__split = {"groups": True}  # noqa: RUF012 (as scikit-learn's splitters declare it)


@record(repr=True)
class Consecutive(SeriesSplitter):
    """Blocks of neighbouring rows, each tested once.

    Parameters
    ----------
    n_splits
        How many blocks; sizes differ by at most one row.
    padding
        How many rows on each side of a block are left out of training.

    Examples
    --------
    >>> from suffice.evaluation import Consecutive
    >>> for train, test in Consecutive(3, padding=1).split(range(9)):
    ...     print(train, test)
    [4 5 6 7 8] [0 1 2]
    [0 1 7 8] [3 4 5]
    [0 1 2 3 4] [6 7 8]
    """

    n_splits: int = 5
    _: KW_ONLY
    padding: int = 0

    def __post_init__(self) -> None:
        check_integer("n_splits", self.n_splits, 2)
        check_integer("padding", self.padding, 0)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Row numbers of training and test, block by block."""
        n = n_rows(X)
        _check_enough(n, self.n_splits, "n_splits")
        strip = _Strip(n, groups, self.padding)
        for k, test in enumerate(np.array_split(np.arange(n), self.n_splits)):
            yield strip.around(test, np.delete(np.arange(n), test), k), test

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of blocks."""
        return self.n_splits


@record(repr=True)
class Rolling(SeriesSplitter):
    """Blocks at the end, each tested by a model of the rows before it. Rows are ordered by time.

    Parameters
    ----------
    n_splits
        How many blocks are tested.
    window
        "expanding": train on everything before the block; "sliding": on as many rows each time.
    test_size
        Rows per block. Left out, the rows after the first `min_train` are shared equally; without that, the
        rows are cut into n_splits + 1 parts and the first of them only trains.
    padding
        How many rows just before a block are left out of training.
    min_train
        The fewest rows to train on. A sliding window then has exactly this many; otherwise as many as the first.

    Examples
    --------
    >>> from suffice.evaluation import Rolling
    >>> for train, test in Rolling(3, window="sliding").split(range(8)):
    ...     print(train, test)
    [0 1] [2 3]
    [2 3] [4 5]
    [4 5] [6 7]
    """

    n_splits: int = 5
    _: KW_ONLY
    window: Literal["expanding", "sliding"] = "expanding"
    test_size: int | None = None
    padding: int = 0
    min_train: int | None = None

    def __post_init__(self) -> None:
        check_integer("n_splits", self.n_splits, 1)
        check_choice("window", self.window, ("expanding", "sliding"))
        check_integer("padding", self.padding, 0)
        for name in ("test_size", "min_train"):
            if getattr(self, name) is not None:
                check_integer(name, getattr(self, name), 1)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Row numbers of training and test, in the order of time."""
        n = n_rows(X)
        size = self._size(n)
        strip = _Strip(n, groups, self.padding)
        starts = range(n - self.n_splits * size, n, size)
        length = self.min_train
        for k, start in enumerate(starts):
            test = np.arange(start, start + size)
            train = strip.around(test, np.arange(start), k, self.min_train or 1)
            if self.window == "sliding":
                length = length or len(train)
                train = train[-length:]
            yield train, test

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of blocks tested."""
        return self.n_splits

    def _size(self, n: int) -> int:
        """Rows per block, so that enough are left to train on before the first."""
        before = (self.min_train or 1) + self.padding
        shared = (n - before) // self.n_splits
        if self.min_train is None:
            shared = min(shared, n // (self.n_splits + 1))
        size = self.test_size or shared
        needed = before + self.n_splits * max(size, 1)
        if n < needed:
            raise InvalidInput(
                f"{self!r} needs at least {needed} rows; got {n}. Use fewer splits, smaller blocks or less padding."
            )
        return size


@record(repr=True)
class Padded(SeriesSplitter):
    """A splitter whose training rows keep a distance from the test rows.

    Parameters
    ----------
    splitter
        Any splitter of scikit-learn or of this room, a number of folds, or pairs of row numbers. Random folds
        lose many rows to padding: about 2 × padding for every test row.
    padding
        Rows this near to a test row, before or after it, are not trained on.

    Examples
    --------
    >>> from sklearn.model_selection import KFold
    >>> from suffice.evaluation import Padded
    >>> folds = Padded(KFold(4, shuffle=True, random_state=1), padding=1)
    >>> train, test = next(folds.split(range(8)))
    >>> train, test
    (array([0, 4, 5]), array([2, 7]))
    """

    splitter: Any
    padding: int

    def __post_init__(self) -> None:
        check_integer("padding", self.padding, 0)
        _check_splitter(self.splitter)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """The splitter's row numbers, less those of training that are too near."""
        n = n_rows(X)
        strip, inner = _Strip(n, groups, self.padding), check_cv(self.splitter)
        for k, (train, test) in enumerate(inner.split(X, y, groups if _uses_groups(inner) else None)):
            yield strip.around(np.asarray(test), np.asarray(train), k), np.asarray(test)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """That of the splitter."""
        return check_cv(self.splitter).get_n_splits(X, y, groups)


class _Strip:
    """Rows laid on a line, series after series with a gap of `padding` between them: near means near in series."""

    def __init__(self, n: int, groups: Any, padding: int):
        self.padding = padding
        self.place = np.arange(n) if groups is None else _places(groups, n, padding)
        self.length = int(self.place.max(initial=0)) + 1

    def around(self, test: np.ndarray, train: np.ndarray, fold: int, least: int = 1) -> np.ndarray:
        """Training rows that are neither tested nor within the padding of a test row."""
        centres = self.place[test]
        edges = np.zeros(self.length + 1, dtype=np.int64)  # +1 where a strip begins, −1 after its end
        np.add.at(edges, np.maximum(centres - self.padding, 0), 1)
        np.add.at(edges, np.minimum(centres + self.padding + 1, self.length), -1)
        near = np.cumsum(edges[:-1]) > 0
        kept = train[~near[self.place[train]]]
        if len(kept) < least:
            raise InvalidInput(
                f"Fold {fold} keeps {len(kept)} of {len(train)} training rows with padding={self.padding}; it needs "
                f"{least}. Use less padding, other folds or more rows."
            )
        return kept


def _places(groups: Any, n: int, padding: int) -> np.ndarray:
    groups = np.asarray(groups)
    if groups.shape != (n,):
        raise InvalidInput(f"groups must have one entry per row ({n}); got shape {groups.shape}.")
    if groups.dtype.kind == "f" and np.isnan(groups).any():
        raise InvalidInput(
            f"groups is NaN at row {int(np.argmax(np.isnan(groups)))}; name the series of every row."
        )
    try:
        _, series = np.unique(groups, return_inverse=True)
    except TypeError:
        raise InvalidInput("groups must be all numbers or all text; they mix kinds.") from None
    place = np.empty(n, dtype=np.int64)
    place[np.argsort(series, kind="stable")] = np.arange(n)
    return place + padding * series


def _check_enough(n: int, folds: int, name: str) -> None:
    if n < folds:
        raise InvalidInput(f"{name}={folds} blocks need as many rows; got {n}. Use fewer.")


def _uses_groups(splitter: Any) -> bool:
    """scikit-learn's splitters say so, and some warn about groups that they do not use."""
    if not hasattr(splitter, "get_metadata_routing"):
        return True
    return bool(get_routing_for_object(splitter).consumes("split", ["groups"]))


def _check_splitter(value: Any) -> None:
    number = isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= 2
    if isinstance(value, str | bytes) or not (
        number or hasattr(value, "split") or isinstance(value, Iterable)
    ):
        raise InvalidParameter(
            f"splitter must have a method split, or be a number of folds >= 2 or pairs of row numbers; got {value!r}."
        )
