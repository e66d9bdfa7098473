r"""Numbers to yes and no (DTU §2.4.2).

z = 1 if x > θ, 0 otherwise;  inclusive: z = 1_{[θ, ∞)}(x), 1 if x ≥ θ                (2.3, 2.4)

There is no way back: which number lay on one side of the threshold is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, field
from typing import Any, final

import numpy as np
from scipy import sparse
from sklearn.base import OneToOneFeatureMixin

from suffice._core.errors import InvalidParameter, check_flags, did_you_mean
from suffice._core.records import estimator, frozen_array, record
from suffice._estimator import check_no_effect
from suffice.prepare.transforming._shells import Fixed, refuse_sparse


@record
class Threshold:
    """Whether x exceeds (or, if inclusive, reaches) the threshold of its column."""

    threshold: np.ndarray
    inclusive: bool

    def __call__(self, X: Any) -> Any:
        """0 and 1 in the precision of X, NaN where there is none."""
        if sparse.issparse(X):
            data = self._reached(X.data, self.threshold[X.indices]).astype(X.dtype)
            out = type(X)((data, X.indices.copy(), X.indptr.copy()), shape=X.shape)
            out.eliminate_zeros()
            return out
        return self._reached(X, self.threshold).astype(X.dtype)

    def _reached(self, x: np.ndarray, threshold: np.ndarray) -> np.ndarray:
        yes = x >= threshold if self.inclusive else x > threshold
        return np.where(np.isnan(x), np.nan, yes)

    @property
    def keeps_zeros(self) -> bool:
        """Whether zero is below every threshold, so that sparse tables stay sparse."""
        return not np.any(self.threshold <= 0 if self.inclusive else self.threshold < 0)


@final
@estimator
class Binarizer(OneToOneFeatureMixin, Fixed):
    """1 where a number is above its threshold, 0 elsewhere.

    Parameters
    ----------
    threshold
        A number for all columns, a list with one per column, or a mapping by column name that names all of them.
    copy
        Taken for scikit-learn's sake and without effect: the table that is handed in never changes.
    inclusive
        Whether a number that equals its threshold counts as above it. False is scikit-learn's rule, x > θ; True is the
        text's, x ≥ θ. They differ for whole numbers, zeros among counts say.

    Notes
    -----
    It learns nothing. Missing cells stay missing. Sparse tables are taken where zeros stay zeros. There is no
    `inverse_transform`: 0 and 1 do not tell which number they came from.

    Examples
    --------
    >>> from suffice.prepare import Binarizer
    >>> Binarizer(2.0, inclusive=True).fit_transform([[1.0, 2.0], [3.0, float("nan")]])
    array([[ 0.,  1.],
           [ 1., nan]])
    """

    threshold: Any = 0.0
    _: KW_ONLY
    copy: bool = True
    inclusive: bool = False

    state_: Threshold = field(init=False)

    def _resolved(self, names: tuple[str, ...]) -> Threshold:
        check_flags(self, "inclusive")
        check_no_effect(self, "copy")
        return Threshold(frozen_array(per_column("threshold", self.threshold, names)), bool(self.inclusive))

    def _check_cells(self, X: Any, names: tuple[str, ...], state: Threshold) -> None:
        refuse_sparse(self, X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        try:
            tags.input_tags.sparse = Threshold(
                np.asarray(self.threshold, dtype=float), self.inclusive
            ).keeps_zeros
        except (TypeError, ValueError):  # by name; `fit` looks again
            tags.input_tags.sparse = False
        return tags


def per_column(what: str, value: Any, names: tuple[str, ...]) -> np.ndarray:
    """One finite number per column, from a number, a list, or a mapping by name."""
    if isinstance(value, Mapping):
        unknown = next((n for n in value if n not in names), None)
        absent = next((n for n in names if n not in value), None)
        if unknown is not None:
            raise InvalidParameter(
                f"{what} must name columns of the table; got {unknown!r}.{did_you_mean(str(unknown), names)}"
            )
        if absent is not None:
            raise InvalidParameter(f"{what} must have an entry for every column; got none for {absent!r}.")
        value = [value[n] for n in names]
    try:
        array = np.asarray(value)
        numbers = array.astype(float) if array.dtype.kind in "iuf" else None
    except (TypeError, ValueError):
        numbers = None
    if numbers is None or numbers.ndim > 1 or not np.isfinite(numbers).all():
        raise InvalidParameter(f"{what} must be a finite number, or one per column; got {value!r}.")
    if numbers.ndim == 1 and len(numbers) != len(names):
        raise InvalidParameter(
            f"{what} must have one number per column, {len(names)}; got {len(numbers)}: {value!r}."
        )
    return np.broadcast_to(numbers, (len(names),))
