r"""A mixture as a joint model: what some columns say about the others.

Marginal     p(x_a) = Σ_k π_k p_k(x_a)
Conditional  p(x_a | x_b) = Σ_k r_k p_k(x_a | x_b),   r_k ∝ π_k p_k(x_b)          (in logs)
Imputation   the conditional of the missing cells of every row
Regression   the conditional of one column: a mixture of experts whose gates and lines follow from the joint density

Columns are called by name or number.
"""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from suffice._components.conditionals import Given, blocks_of, rest_of_row
from suffice._components.imputation import Imputation, column_place, imputation
from suffice._components.shares import shared
from suffice._core.errors import InvalidInput, InvalidParameter, did_you_mean
from suffice._core.threads import one_blas_thread
from suffice._estimator import check_is_fitted, open_inputs
from suffice.distributions import MixtureDistribution


class JointModel(ABC):
    """A fitted density of rows that can be conditioned on some of its columns."""

    n_features_in_: int
    mixing_: Any
    weights_: np.ndarray

    # -- what the mixture says -------------------------------------------------------------------------------
    @property
    @abstractmethod
    def _names(self) -> tuple[str, ...]:
        """The columns."""

    @abstractmethod
    def _check_rows(self, X: Any, names: tuple[str, ...]) -> Any:
        """Rows as the components see them; raises for cells that they cannot be."""

    @abstractmethod
    def _piece_logs(self, X: Any) -> np.ndarray:
        """log π_k p(x_n | k) of such rows, (N, K)."""

    def _inputs(self, X: Any) -> Any:
        """A table as the components see it."""
        return self._check_rows(open_inputs(self, X, gaps=True), self._names)  # type: ignore[arg-type]

    @property
    def _words(self) -> dict[int, np.ndarray]:
        """What the codes of a column stand for, where it has codes."""
        return {}

    # -- answers ---------------------------------------------------------------------------------------------
    def marginal(self, columns: str | int | Sequence[str | int]) -> MixtureDistribution:
        """The density of some columns, in the order they are named; of one that is no list, a mixture of numbers.

        Parameters
        ----------
        columns
            A name or number, or a list of them.

        Examples
        --------
        >>> import numpy as np
        >>> from suffice.mixtures import GaussianMixture
        >>> X = np.random.default_rng(0).normal([0.0, 5.0], [1.0, 2.0], (1000, 2))
        >>> low, high = GaussianMixture().fit(X).marginal(1).interval(0.9)
        >>> print(f"{low:.1f} {high:.1f}")
        1.7 8.2
        """
        check_is_fitted(self)
        if isinstance(columns, str | numbers.Number) or not isinstance(columns, Sequence | np.ndarray):
            parts = self._densities([column_place(columns, self._names)])
            return MixtureDistribution(self.weights_, [d.marginal(0) for d in parts])
        return MixtureDistribution(self.weights_, self._densities(self._places(columns)))

    def _densities(self, places: list[int]) -> tuple[Any, ...]:
        """Of some columns, per component."""
        return self.mixing_.components.marginal(np.array(places)).densities()

    @one_blas_thread()
    def condition(self, known: Mapping[Any, Any]) -> MixtureDistribution:
        """The other columns, given the values of some; a mixture of numbers where one column is left.

        Parameters
        ----------
        known
            Values by the name or number of their column.

        Examples
        --------
        >>> import numpy as np
        >>> from suffice.mixtures import GaussianMixture
        >>> x = np.random.default_rng(0).normal(size=1000)
        >>> model = GaussianMixture().fit(np.column_stack([x, x**3]))
        >>> print(f"{model.condition({0: 1.0}).mean:.2f}")
        3.10
        """
        check_is_fitted(self)
        if not isinstance(known, Mapping) or not known:
            raise InvalidParameter(
                f"known must map columns to values, such as {{{self._names[0]!r}: 1.0}}; got {known!r:.80}."
            )
        places = self._places(list(known))
        if len(places) == self.n_features_in_:
            raise InvalidInput(
                f"All {len(places)} columns are given, so none is left to describe; score_samples has their density."
            )
        row = np.full((1, self.n_features_in_), np.nan)
        row[0, places] = [self._coded(j, v) for j, v in zip(places, known.values(), strict=True)]
        row = _dense(self._check_rows(row, self._names))
        shares = self._possible_shares(row, f"values {dict(known)!r:.200}")
        return rest_of_row(row[0], shares[0], blocks_of(self.mixing_.components))

    def impute(self, X: Any) -> Imputation:
        """Every missing cell as a distribution given the known cells of its row, and the table with them filled in.

        Parameters
        ----------
        X
            A table with the columns of the fit; NaN where a cell is missing. Rows may be all NaN.
        """
        check_is_fitted(self)
        rows = _dense(self._inputs(X))
        return imputation(self._given_known(rows), X, self._names, self._words)

    def predict_dist(self, X: Any, target: str | int | None = None) -> MixtureDistribution:
        """One column of every row given its other cells: the regression that a joint density implies.

        Parameters
        ----------
        X
            A table with the columns of the fit; it may lack the target, whose cells are not looked at. NaN elsewhere
            is integrated out.
        target
            The column to predict, by name or number.

        Examples
        --------
        >>> import numpy as np
        >>> from suffice.mixtures import GaussianMixture
        >>> rng = np.random.default_rng(0)
        >>> x = rng.uniform(-3, 3, 1000)
        >>> X = np.column_stack([x, np.abs(x) + 0.1 * rng.normal(size=1000)])
        >>> model = GaussianMixture(2, random_state=0).fit(X)
        >>> print(model.predict_dist([[-2.0], [2.0]], target=1).mean.round(1))
        [2. 2.]
        """
        check_is_fitted(self)
        if target is None:
            raise InvalidParameter(
                f"Name the column to predict, such as predict_dist(X, target={self._names[-1]!r}); a mixture has no y."
            )
        j = column_place(target, self._names)
        if self.n_features_in_ == 1:
            raise InvalidInput("There is one column; marginal(0) is all that is known about it.")
        rows = np.array(_dense(self._inputs(with_column(X, j, self._names))), dtype=float)
        rows[:, j] = np.nan
        return self._given_known(rows).columns[j]

    # -- checks ----------------------------------------------------------------------------------------------
    def _places(self, columns: Any) -> list[int]:
        places = [column_place(c, self._names) for c in columns]
        for i, j in enumerate(places):
            if j in places[:i]:
                raise InvalidParameter(f"Column {self._names[j]!r} is named twice; name each once.")
        if not places:
            raise InvalidParameter(f"Name at least one column. There are: {self._names[:12]}.")
        return places

    def _coded(self, j: int, value: Any) -> float:
        """The value of column j as a number."""
        if j in self._words:
            known = list(self._words[j])
            if value in known:
                return float(known.index(value))
            hint = did_you_mean(str(value), tuple(map(str, known)))
            raise InvalidInput(f"Column {self._names[j]!r} has no value {value!r}.{hint}")
        if not isinstance(value, numbers.Real) or not np.isfinite(float(value)):
            raise InvalidInput(
                f"Column {self._names[j]!r} is to have the value {value!r}; give a finite number, or leave the column "
                "out if it is not known."
            )
        return float(value)

    def _given_known(self, X: np.ndarray) -> Given:
        """The missing cells of rows given the known ones."""
        return Given(
            X, self._possible_shares(X, "the known cells of row {row}"), blocks_of(self.mixing_.components)
        )

    def _possible_shares(self, X: np.ndarray, what: str) -> np.ndarray:
        """Shares of the components in rows; raises where no component allows a row."""
        logs = self._piece_logs(X)
        nowhere = np.all(logs == -np.inf, axis=1)
        if nowhere.any():
            told = what.replace("{row}", str(int(np.argmax(nowhere))))
            raise InvalidInput(
                f"No component allows {told}, so there is nothing to condition on. A prior keeps such rows possible."
            )
        return shared(logs, None).shares


def with_column(X: Any, j: int, names: tuple[str, ...]) -> Any:
    """The table; with an empty column j where it has one column too few."""
    shape = np.shape(X)
    if len(shape) != 2 or shape[1] != len(names) - 1:
        return X
    if hasattr(X, "isetitem") and all(isinstance(name, str) for name in X.columns):
        out = X.copy()
        out.insert(j, names[j], np.nan)
        return out
    if hasattr(X, "insert_column"):
        empty = type(X.to_series(0))(names[j], np.full(len(X), np.nan))
        return X.clone().insert_column(j, empty)
    if hasattr(type(X), "num_rows"):
        return X.add_column(j, names[j], [np.full(len(X), np.nan)])
    cells = np.asarray(_dense(X))
    cells = cells if cells.dtype.kind == "f" else cells.astype(float if cells.dtype.kind in "iub" else object)
    return np.insert(cells, j, np.nan, axis=1)


def _dense(X: Any) -> Any:
    return X.toarray() if hasattr(X, "toarray") else X
