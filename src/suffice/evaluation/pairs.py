"""How far two columns go: a classifier for every pair of them, and its error (DTU §7.3.5, Fig. 7.12)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.errors import InvalidInput, hold_warnings
from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice.tables.frames import labels_of


@record
class PairFits:
    """One fitted model per pair of columns, with the share of the rows it was fitted to that it gets wrong."""

    names: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    models: tuple[Any, ...]
    errors: np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "errors", frozen_array(self.errors))

    def of(self, i: int, j: int) -> tuple[Any, float]:
        """The model on columns i < j, and its error."""
        place = self.pairs.index((i, j))
        return self.models[place], float(self.errors[place])

    def frame(self, kind: str = "pandas") -> Any:
        """A row per pair, from the smallest error."""
        order = np.argsort(self.errors, kind="stable")
        first, second = ([self.names[self.pairs[k][side]] for k in order] for side in (0, 1))
        return to_frame({"first": first, "second": second, "error": self.errors[order]}, kind)


def fit_pairs(model: Any, X: Any, y: Any, names: Any = None) -> PairFits:
    """A copy of a classifier fitted to every two columns of X; errors are of the same rows, as in the figure.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from suffice.evaluation import fit_pairs
    >>> from suffice.glm import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> fit_pairs(LogisticRegression(), X, y, ["sl", "sw", "pl", "pw"]).frame().head(2)
      first second     error
    0    pl     pw  0.033333
    1    sl     pl  0.040000
    """
    cells, labels = np.asarray(X, dtype=float), np.asarray(y)
    if cells.ndim != 2 or cells.shape[1] < 2:
        raise InvalidInput(f"X must be a table with two columns or more; got shape {cells.shape}.")
    if labels.shape != (len(cells),):
        raise InvalidInput(f"y must have one label per row, {len(cells)}; got shape {labels.shape}.")
    pairs = tuple(combinations(range(cells.shape[1]), 2))
    known = labels_of(X) if names is None else names
    told = tuple(f"x{j}" for j in range(cells.shape[1])) if known is None else tuple(str(n) for n in known)
    if len(told) != cells.shape[1]:
        raise InvalidInput(f"names must have one name per column, {cells.shape[1]}; got {len(told)}.")
    with hold_warnings():  # of separable pairs there is a picture
        models = tuple(clone(model).fit(cells[:, pair], labels) for pair in pairs)
    wrong = [float(np.mean(m.predict(cells[:, p]) != labels)) for m, p in zip(models, pairs, strict=True)]
    return PairFits(told, pairs, models, np.array(wrong))
