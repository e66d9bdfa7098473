"""Components of columns of different kinds: a table of anything in, and out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._components.categorical import Categoricals
from suffice._components.frames import library_of
from suffice._components.given import given_tables
from suffice._components.kinds.protocol import ColumnPlan
from suffice._components.mixed.coding import declared_values, listed_values, refuse_lazy
from suffice._components.mixed.families import GroupSample
from suffice._components.mixed.groups import MixedPlan, components_of
from suffice._components.product import Product
from suffice._components.smoothing import AT_START
from suffice._core.errors import InvalidParameter, check_choice, check_number
from suffice._core.records import record, same
from suffice._estimator import check_weight
from suffice._estimator.raw_columns import RawTable, open_raw
from suffice.engine import Rows
from suffice.statistics import Header

UNKNOWN = ("missing", "raise")


@record
class TableKind:
    """Columns are independent groups given the component; categories are places in lists of values.

    `one_prior`: whether a prior that is no mapping is that of every column.
    """

    components: Any
    categories: Any
    unknown: Any
    prior: Any
    reg_covar: Any = 0.0
    probabilities_init: Any = None
    one_prior: bool = False

    takes_tables = True
    orders_gaps = True  # for groups that vary together

    @property
    def input_tags(self) -> dict[str, bool]:
        return {"sparse": False, "categorical": True, "string": True}

    @property
    def all_given(self) -> bool:
        """Weights that were not given are equal."""
        return self.probabilities_init is not None

    def check(self) -> None:
        check_choice("unknown", self.unknown, UNKNOWN)
        check_number("reg_covar", self.reg_covar, low=0.0)

    # -- the door --------------------------------------------------------------------------------------------
    def open_rows(
        self, model: Any, X: Any, sample_weight: Any, like: ColumnPlan | None
    ) -> tuple[Rows, ColumnPlan]:
        refuse_lazy(X)
        table, header = open_raw(X, type(model).__name__, None if like is None else like.header)
        weight, names = check_weight(sample_weight, table), header.feature_names
        counts = np.ones(len(table), dtype=bool) if weight is None else weight > 0
        table = table[counts]
        details = self._planned(X, table, names) if like is None else like.details
        cells = np.full((len(counts), len(names)), np.nan)
        cells[counts] = details.encoded(table, names, "raise")
        return Rows(cells, np.zeros((len(cells), 0)), weight), ColumnPlan(
            header, details
        ) if like is None else like

    def _planned(self, X: Any, table: RawTable, names: tuple[str, ...]) -> MixedPlan:
        """Values that the user lists go before those that a frame declares, and these before those that rows show."""
        prior = self.prior
        if self.one_prior and prior is not None and not isinstance(prior, Mapping):
            prior = dict.fromkeys(range(len(names)), prior)
        listed = declared_values(X, table, names) | listed_values(self.categories, names)
        return MixedPlan.of(table, names, self.components, prior, listed, library_of(X))

    def open_inputs(self, model: Any, X: Any, header: Header, components: Any) -> np.ndarray:
        refuse_lazy(X)
        table, _ = open_raw(X, type(model).__name__, header)
        return components.plan.encoded(table, header.feature_names, self.unknown)

    def check_cells(self, X: Any, names: tuple[str, ...], components: Any) -> Any:
        components.plan.check(X, names)
        return X

    def remember(self, model: Any, X: Any) -> None:
        """Nothing: the plan of the columns knows."""

    # -- starts ----------------------------------------------------------------------------------------------
    def base(self, rows: Rows, plan: ColumnPlan, K: int) -> Product:
        groups = plan.details.groups
        made = map(components_of, groups, self._samples(rows, plan, K))
        return Product(tuple(made), tuple(g.places for g in groups), plan.details)

    def _samples(self, rows: Rows, plan: ColumnPlan, K: int) -> list[GroupSample]:
        return plan.details.samples(rows.X, rows.weight, plan.header.feature_names, K, float(self.reg_covar))

    def units(self, rows: Rows, plan: ColumnPlan, K: int) -> np.ndarray:
        pairs = zip(plan.details.groups, self._samples(rows, plan, K), strict=True)
        return np.hstack([group.family.units(sample) for group, sample in pairs])

    def start(self, components: Any, weights: np.ndarray, plan: ColumnPlan) -> Product:
        if self.probabilities_init is None:
            return components.smoothed(weights, AT_START)
        K, sizes = components.n_components, plan.details.coding.sizes
        tables = given_tables(self.probabilities_init, sizes, K, plan.header.feature_names)
        pairs = zip(components.parts, components.places, strict=True)
        parts = [Categoricals.of([tables[j] for j in place], part.concentration) for part, place in pairs]
        return replace(components, parts=tuple(parts))

    def continued(self, before: Any, base: Any, plan: ColumnPlan) -> Product:
        mine, now = before.plan.coding, plan.details.coding
        for j, name in enumerate(plan.header.feature_names):
            if not same((mine.words[j], mine.values[j]), (now.words[j], now.values[j])):
                raise InvalidParameter(
                    f"warm_start goes on with the families and values of the last fit, and column {name!r} has others "
                    "now. List its values in categories=, or set warm_start=False."
                )
        return before.with_rule_of(base)

    # -- draws -----------------------------------------------------------------------------------------------
    def draw(self, components: Any, labels: np.ndarray, rng: Any, names: Any, frame: Any) -> Any:
        """A table of what the cells stand for."""
        return components.plan.coding.decoded(components.drawn(labels, rng), names)
