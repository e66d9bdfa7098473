"""Normal components: rows of numbers with gaps, starts from moments and given parameters, draws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice._components.kinds.protocol import ColumnPlan, open_number_inputs, open_number_rows
from suffice._components.normal.columns import ColumnNormals
from suffice._components.normal.dense import DenseNormals, as_rows
from suffice._components.normal.given import (
    alike_normals,
    given_covariances,
    given_means,
    normals_of,
    refuse_sizes,
)
from suffice._components.normal.shapes import Shape, shape_named
from suffice._components.starts import in_units
from suffice._core.errors import InvalidInput, InvalidParameter, check_number
from suffice._core.records import frozen_array, record
from suffice.engine import Rows
from suffice.statistics import Header


@record
class NormalKind:
    """The parameters that only models of normal components have."""

    covariance_type: Any
    reg_covar: Any
    prior: Any
    means_init: Any
    precisions_init: Any
    all_given: bool

    takes_tables = False

    @property
    def input_tags(self) -> dict[str, bool]:
        return {}

    @property
    def shape(self) -> Shape:
        return shape_named(self.covariance_type)

    @property
    def orders_gaps(self) -> bool:
        return self.shape.dense

    def check(self) -> None:
        shape_named(self.covariance_type)
        check_number("reg_covar", self.reg_covar, low=0.0)

    # -- the door --------------------------------------------------------------------------------------------
    def open_rows(
        self, model: Any, X: Any, sample_weight: Any, like: ColumnPlan | None
    ) -> tuple[Rows, ColumnPlan]:
        return open_number_rows(model, X, sample_weight, like, _checked)

    def open_inputs(self, model: Any, X: Any, header: Header, components: Any) -> Any:
        return open_number_inputs(model, X, header, _checked)

    def check_cells(self, X: Any, names: tuple[str, ...], components: Any) -> Any:
        return _checked(X, names)

    def remember(self, model: Any, X: Any) -> None:
        """Nothing: draws are arrays."""

    # -- starts ----------------------------------------------------------------------------------------------
    def base(self, rows: Rows, plan: ColumnPlan, K: int) -> DenseNormals | ColumnNormals:
        return alike_normals(rows.X, rows.weight, K, self.shape, float(self.reg_covar), self.prior)

    def units(self, rows: Rows, plan: ColumnPlan, K: int) -> np.ndarray:
        return in_units(as_rows(rows.X), rows.weight)

    def start(self, components: Any, weights: np.ndarray, plan: ColumnPlan) -> Any:
        K, D = components.means.shape
        if self.precisions_init is not None:
            covariances = given_covariances(self.precisions_init, components.rule.shape.name, K, D)
            components = normals_of(components.means, covariances, components.rule)
        if self.means_init is not None:
            components = replace(components, means=frozen_array(given_means(self.means_init, K, D)))
        return components

    def continued(self, before: Any, base: Any, plan: ColumnPlan) -> DenseNormals | ColumnNormals:
        if before.rule.shape != base.rule.shape:
            raise InvalidParameter(
                f"warm_start goes on with covariance_type={before.rule.shape.name!r} of the last fit; got "
                f"{self.covariance_type!r}. Set warm_start=False."
            )
        return before.with_rule_of(base)

    # -- draws -----------------------------------------------------------------------------------------------
    def draw(self, components: Any, labels: np.ndarray, rng: Any, names: Any, frame: Any) -> np.ndarray:
        return components.drawn(labels, rng.standard_normal((len(labels), components.n_columns)))


def _checked(X: Any, names: tuple[str, ...]) -> np.ndarray:
    if hasattr(X, "tocsr"):
        raise InvalidInput(
            "Sparse X is not supported: a normal density centers every column, and nothing stays zero. Give "
            "X.toarray(), or choose a mixture of counts."
        )
    X = as_rows(X)
    refuse_sizes(X, names)
    return X
