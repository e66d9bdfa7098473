r"""A basis as a step of a pipeline: x ↦ (φ₁(x), …, φ_M(x)), the columns as the equations write them.

What a basis takes from data (centres over the range of a column, say) is filled in once, by `fit`.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Self, final

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.validation import _check_feature_names_in

from suffice._core.errors import InvalidParameter
from suffice._core.records import estimator
from suffice._estimator import Estimator, check_is_fitted, open_inputs, open_table, remember_columns
from suffice.bases import Basis
from suffice.statistics import Header
from suffice.statistics.layout import dense, evaluate
from suffice.tables.requiring import refuse_times_and_text


@final
@estimator
class BasisTransformer(TransformerMixin, Estimator):
    """The columns of a basis in place of the columns of a table.

    Parameters
    ----------
    basis
        Functions of the inputs, from `suffice.bases`; None keeps the columns as they are. Its own
        parameters are reached by name (`basis__degree`).

    Notes
    -----
    There is no constant column; a linear model adds its intercept. Linear models of this library take
    `basis=` themselves and then expand it about a convenient origin, which keeps digits that raw powers
    of large numbers lose: use this class where the model comes from elsewhere.

    `state_` (also `basis_`) is the basis with everything that depends on data filled in.

    Examples
    --------
    >>> from suffice.bases import Polynomial
    >>> from suffice.prepare import BasisTransformer
    >>> model = BasisTransformer(Polynomial(3)).fit([[2.0], [3.0]])
    >>> model.transform([[2.0], [3.0]])
    array([[ 2.,  4.,  8.],
           [ 3.,  9., 27.]])
    >>> model.get_feature_names_out(["age"])
    array(['age', 'age^2', 'age^3'], dtype=object)
    """

    basis: Basis | None = None

    basis_: Basis | None = field(init=False)

    _input_tags = ("sparse",)

    @property
    def state_(self) -> Basis | None:
        """The resolved basis."""
        check_is_fitted(self)
        return self.basis_

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fill in what the basis takes from the rows of X; y is ignored."""
        refuse_times_and_text(X)
        X, _, header = open_table(self, X, supervised=False)
        self.basis_ = resolved(self.basis, X)
        remember_columns(self, header)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The columns of the basis at each row."""
        refuse_times_and_text(X)
        X = open_inputs(self, X)
        return evaluate(self._header(), None, dense(X))

    def check_loaded(self) -> int:
        """Bytes of the names and owners of the columns; raises for a basis that is not filled in."""
        if self.basis_ is None:
            return 0
        if self.basis_.needs_data:
            raise InvalidParameter(f"basis_ must be filled in; got {self.basis_!r}.")
        return 8 * self.basis_.size(self.n_features_in_) * (16 + self.n_features_in_)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """What each column is called."""
        check_is_fitted(self)
        features = tuple(map(str, _check_feature_names_in(self, input_features)))
        names = features if self.basis_ is None else self.basis_.names(features)
        return np.array(names, dtype=object)

    def _header(self) -> Header:
        names = getattr(self, "feature_names_in_", None)
        features = None if names is None else tuple(map(str, names))
        return Header(self.n_features_in_, features, self.basis_)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "basis_")


def resolved(basis: Basis | None, X: Any) -> Basis | None:
    """The basis with everything that depends on these rows filled in."""
    if basis is None:
        return None
    if not isinstance(basis, Basis):
        raise InvalidParameter(f"basis must be a basis of suffice.bases or None; got {basis!r}.")
    return basis.resolve(dense(X))
