r"""Logarithms, so that ratios become differences (DTU §2.4).

z = ln(x + c),   x = exp(z) − c

From 1 to 10 is then as far as from 10 to 100. A map x ↦ a x + b would be linear; this one is not.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, final

import numpy as np
from sklearn.base import OneToOneFeatureMixin

from suffice._core.errors import InvalidInput
from suffice._core.records import estimator, frozen_array, record
from suffice.prepare.transforming._shells import Fixed, open_outputs, refuse_sparse
from suffice.prepare.transforming.binarizer import per_column
from suffice.prepare.transforming.standardizer import _by_chunks


@record
class Logarithm:
    """z = ln(x + offset), column by column, and back."""

    offset: np.ndarray

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """z in the precision of X; an offset of one keeps the digits of tiny numbers."""
        return _by_chunks(X, self._logs)

    def _logs(self, x: np.ndarray) -> np.ndarray:
        ones = self.offset == 1
        if ones.all():
            return np.log1p(x)
        out = np.log(x + self.offset)
        out[:, ones] = np.log1p(x[:, ones])
        return out

    def inverse(self, Z: np.ndarray) -> np.ndarray:
        """x in the precision of Z."""
        with np.errstate(over="ignore"):
            return _by_chunks(Z, self._powers)

    def _powers(self, z: np.ndarray) -> np.ndarray:
        ones = self.offset == 1
        if ones.all():
            return np.expm1(z)
        out = np.exp(z) - self.offset
        out[:, ones] = np.expm1(z[:, ones])
        return out


@final
@estimator
class LogTransform(OneToOneFeatureMixin, Fixed):
    """The natural logarithm of every column.

    Parameters
    ----------
    offset
        Added before the logarithm: a number, a list with one per column, or a mapping by column name. Zero unless
        asked for, since what it does to the small numbers is a choice (zeros become ln(offset)).

    Notes
    -----
    It learns nothing. Numbers with x + offset ≤ 0 have no logarithm and are refused with their row and column. Missing
    cells stay missing. `inverse_transform` is the exponential. For some of the columns, use it in a ColumnTransformer.

    Examples
    --------
    >>> from suffice.prepare import LogTransform
    >>> model = LogTransform()
    >>> model.fit_transform([[1.0, 10.0], [10.0, 100.0]]).round(4)
    array([[0.    , 2.3026],
           [2.3026, 4.6052]])
    >>> LogTransform(offset=1.0).fit([[0.0]]).inverse_transform([[0.0]])
    array([[0.]])
    """

    _: KW_ONLY
    offset: Any = 0.0

    state_: Logarithm = field(init=False)

    _input_tags = ("allow_nan", "positive_only")

    def _resolved(self, names: tuple[str, ...]) -> Logarithm:
        return Logarithm(frozen_array(per_column("offset", self.offset, names)))

    def _check_cells(self, X: Any, names: tuple[str, ...], state: Logarithm) -> None:
        refuse_sparse(self, X)
        offset = state.offset
        low = X + offset.astype(X.dtype) <= 0
        if low.any():
            row, j = np.unravel_index(int(np.argmax(low)), X.shape)
            added = f" (+ {offset[j]:g})" if offset[j] else ""
            word = "Negative values" if X[row, j] + offset[j] < 0 or X[row, j] < 0 else "Zeros"
            raise InvalidInput(
                f"{word} in data passed to LogTransform: {X[row, j]:g}{added} at row {row}, column {names[j]!r}. "
                f"A logarithm needs more than zero; {_advice(X[:, j])}"
            )

    def inverse_transform(self, X: Any) -> np.ndarray:
        """The columns in their original units."""
        Z = open_outputs(self, X, getattr(self, "n_features_in_", 0), ())
        return self.state_.inverse(Z)


def _advice(x: np.ndarray) -> str:
    """What may be done about a column with a number that is too small."""
    smallest = float(np.nanmin(x))
    if smallest == 0:
        return "add an offset (offset=1.0 for counts), or leave the column as it is."
    return f"leave the column as it is, or add an offset above {-smallest:g}, for its smallest number is {smallest:g}."
