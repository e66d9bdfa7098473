r"""A mixture as a joint model: what some columns say about the others.

Marginal     p(x_a) = Σ_k π_k p_k(x_a)
Conditional  p(x_a | x_b) = Σ_k r_k p_k(x_a | x_b),   r_k ∝ π_k p_k(x_b)          (in logs)
Imputation   the conditional of the missing cells of every row
Regression   the conditional of one column: a mixture of experts whose gates and lines follow from the joint density

Columns are called by name or number. A column of categories that is asked for alone is answered in the user's words;
among others its values are codes, their places in sorted order.
"""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from suffice._components.conditionals import (
    Answer,
    Block,
    Categories,
    RowsWithGaps,
    blocks_of,
    one_column,
    refuse_part_of_total,
    rest_of_row,
)
from suffice._components.imputation import Imputation, column_place, imputation
from suffice._components.mixed.coding import Coding, coding_of
from suffice._components.responsibilities import responsibilities_of
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.threads import one_blas_thread
from suffice._estimator import check_is_fitted
from suffice.distributions import MixtureDistribution
from suffice.mixtures._shell.known import dense, place_among, plain_value, with_column
from suffice.mixtures._shell.summary import MixtureSummary, mixture_summary


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
    def _open_inputs(self, X: Any) -> Any:
        """A table as the components take it; raises for cells that they cannot be."""

    @abstractmethod
    def _check_cells(self, X: np.ndarray) -> Any:
        """The same for rows of numbers, in which categories are codes."""

    @abstractmethod
    def _piece_logs(self, X: Any) -> np.ndarray:
        """log π_k p(x_n | k) of such rows, (N, K)."""

    @property
    def _coding(self) -> Coding:
        return coding_of(self.mixing_.components)

    @property
    def _blocks(self) -> tuple[Block, ...]:
        return blocks_of(self.mixing_.components)

    # -- answers ---------------------------------------------------------------------------------------------
    def summary(self) -> MixtureSummary:
        """What was found, to read or as a `frame()` with a row per component and column: means, standard deviations,
        and of discrete columns the most probable value.

        Examples
        --------
        >>> import numpy as np
        >>> from suffice.mixtures import GaussianMixture
        >>> rng = np.random.default_rng(0)
        >>> X = np.vstack([rng.normal([0, 5], 1, (300, 2)), rng.normal([6, 9], 2, (100, 2))])
        >>> print(GaussianMixture(2, random_state=0).fit(X).summary())
        component  0             1
        weight     0.248         0.752
        x0         5.974 ± 1.96  -0.08373 ± 1
        x1         8.918 ± 2.05  5.046 ± 0.995
        """
        check_is_fitted(self)
        return mixture_summary(self.weights_, self._blocks, self._names, self._coding)

    def marginal(self, columns: str | int | Sequence[str | int]) -> Answer:
        """The density of some columns, in the order they are named; of one that is no list, a mixture of numbers or,
        for categories, the probability of each.

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
            j = column_place(columns, self._names)
            parts = [d.marginal(0) for d in self._densities([j])]
            return one_column(self.weights_, parts, self._coding.categories.get(j))
        return MixtureDistribution(self.weights_, self._densities(self._places(columns)))

    def _densities(self, places: list[int]) -> tuple[Any, ...]:
        """Of some columns, per component."""
        return self.mixing_.components.marginal(np.array(places)).densities()

    @one_blas_thread()
    def condition(self, known: Mapping[Any, Any]) -> Answer:
        """The other columns, given the values of some; a mixture of numbers where one column is left, or, if that has
        categories, the probability of each.

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
        refuse_part_of_total(
            self._blocks, np.setdiff1d(range(self.n_features_in_), places).tolist(), self._names
        )
        row = self._row(places, known)
        responsibilities = self._possible_responsibilities(row, f"values {dict(known)!r:.200}")
        return rest_of_row(row[0], responsibilities[0], self._blocks, self._coding.categories)

    def impute(self, X: Any) -> Imputation:
        """Every missing cell as a distribution given the known cells of its row, and the table with them filled in.

        Parameters
        ----------
        X
            A table with the columns of the fit; NaN where a cell is missing. Rows may be all NaN.
        """
        check_is_fitted(self)
        if len(self._blocks) == 1:
            refuse_part_of_total(self._blocks, range(self.n_features_in_), self._names)
        rows = dense(self._open_inputs(X))
        return imputation(self._given_known(rows), X, self._names, self._coding.booleans)

    def predict_dist(self, X: Any, target: str | int | None = None) -> Answer:
        """One column of every row given its other cells: the regression that a joint density implies, or, for a column
        of categories, the classifier.

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
        refuse_part_of_total(self._blocks, [j], self._names)
        rows = np.array(dense(self._open_inputs(with_column(X, j, self._names))), dtype=float)
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

    def _row(self, places: list[int], known: Mapping[Any, Any]) -> np.ndarray:
        """The given values as a row (1, D), NaN elsewhere."""
        row, categories = np.full((1, self.n_features_in_), np.nan), self._coding.categories
        pairs = zip(places, known.values(), strict=True)
        row[0, places] = [self._coded(j, plain_value(v), categories) for j, v in pairs]
        try:
            return dense(self._check_cells(row))
        except InvalidInput as error:
            raise InvalidInput(f"The row that known describes is impossible. {error}") from None

    def _coded(self, j: int, value: Any, categories: Categories) -> float:
        """The value of column j as a number."""
        if j in categories:
            return float(place_among(categories[j].tolist(), value, self._names[j]))
        if not isinstance(value, numbers.Real) or not np.isfinite(float(value)):
            raise InvalidInput(
                f"Column {self._names[j]!r} is to have the value {value!r}; give a finite number, or leave the column "
                "out if it is not known."
            )
        return float(value)

    def _given_known(self, X: np.ndarray) -> RowsWithGaps:
        """The missing cells of rows given the known ones."""
        responsibilities = self._possible_responsibilities(X, "the known cells of row {row}")
        return RowsWithGaps(X, responsibilities, self._blocks, self._coding.categories)

    def _possible_responsibilities(self, X: np.ndarray, what: str) -> np.ndarray:
        """Responsibilities of the components in rows; raises where no component allows a row."""
        logs = self._piece_logs(X)
        nowhere = np.all(logs == -np.inf, axis=1)
        if nowhere.any():
            where = what.replace("{row}", str(int(np.argmax(nowhere))))
            raise InvalidInput(
                f"No component allows {where}, so there is nothing to condition on. A prior keeps such rows possible."
            )
        return responsibilities_of(logs).values
