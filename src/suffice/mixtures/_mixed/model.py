"""The estimator around a mixture of columns of different kinds: a table of anything in, and out of `sample`."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any

import numpy as np

from suffice._components.normal.gaps import pattern_codes
from suffice._components.product import Product
from suffice._core.errors import InvalidParameter, check_choice
from suffice._core.records import same
from suffice._estimator import check_weight
from suffice._estimator.raw_columns import RawTable, open_raw
from suffice.engine import Rows
from suffice.mixtures._mixed.coding import declared_values, listed_values, refuse_lazy
from suffice.mixtures._mixed.families import GroupSample
from suffice.mixtures._mixed.groups import Group, MixedPlan
from suffice.mixtures._shell.frames import frame_of
from suffice.mixtures._shell.mixing import Mixing
from suffice.mixtures._shell.model import MixturePlan, MixtureShell
from suffice.mixtures._shell.starts import shares_in_units

UNKNOWN = ("missing", "raise")


class TableMixture(MixtureShell):
    """Columns are independent groups given the component; categories are places in lists of values."""

    unknown: str
    takes_tables = True  # batches of a source reach the door as they are

    categories: Any

    @abstractmethod
    def _mixed_plan(
        self, table: RawTable, names: tuple[str, ...], listed: dict[str, np.ndarray], frame: str | None
    ) -> MixedPlan:
        """Families, values and groups of the columns, some of whose values are listed."""

    @property
    def _added(self) -> float:
        """What is added to variances."""
        return 0.0

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("unknown", self.unknown, UNKNOWN)

    # -- the door --------------------------------------------------------------------------------------------
    def door(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, like: MixturePlan | None = None
    ) -> tuple[Rows, MixturePlan]:
        """Rows as a matrix, NaN where a cell is missing; with `like`, of the same columns.

        Rows of weight zero are read as missing: what they hold is nobody's business.
        """
        self._check_parameters()
        refuse_lazy(X)
        table, header = open_raw(X, type(self).__name__, None if like is None else like.header)
        weight, names = check_weight(sample_weight, table), header.feature_names
        counts = np.ones(len(table), dtype=bool) if weight is None else weight > 0
        table = table[counts]
        details = self._planned(X, table, names) if like is None else like.details
        cells = np.full((len(counts), len(names)), np.nan)
        cells[counts] = self._cells(table, details, names, "raise")
        if like is None:
            like = MixturePlan(header, details)
        return Rows(cells, np.zeros((len(cells), 0)), weight), like

    def _planned(self, X: Any, table: RawTable, names: tuple[str, ...]) -> MixedPlan:
        """Values that the user lists go before those that a frame declares, and these before those that rows show."""
        listed = declared_values(X, table, names) | listed_values(self.categories, names)
        return self._mixed_plan(table, names, listed, frame_of(X))

    def _cells(self, table: RawTable, plan: MixedPlan, names: tuple[str, ...], unknown: str) -> np.ndarray:
        cells = plan.coding.encoded(table, names, unknown)
        plan.check(cells, names)
        return cells

    def _arranged(self, rows: Rows) -> Rows:
        """Rows with the same known cells beside each other, for groups that vary together."""
        missing = np.isnan(rows.X)
        return rows[np.argsort(pattern_codes(missing), kind="stable")] if missing.any() else rows

    # -- starts ----------------------------------------------------------------------------------------------
    def _base(self, rows: Rows, plan: MixturePlan) -> Product:
        groups = plan.details.groups
        made = map(_components, groups, self._samples(rows, plan))
        return Product(tuple(made), tuple(g.places for g in groups), plan.details)

    def _samples(self, rows: Rows, plan: MixturePlan) -> list[GroupSample]:
        names = plan.header.feature_names
        return plan.details.samples(rows.X, rows.weight, names, self.n_components, self._added)

    def _first_shares(self, rows: Rows, plan: MixturePlan, rng: np.random.Generator) -> np.ndarray:
        pairs = zip(plan.details.groups, self._samples(rows, plan), strict=True)
        units = np.hstack([group.family.units(sample) for group, sample in pairs])
        return shares_in_units(units, rows.weight, self.n_components, self.init_params, rng)

    def _given(self, start: Mixing, plan: MixturePlan) -> Mixing:
        product = start.components
        pairs = zip(plan.details.groups, product.parts, strict=True)
        parts = tuple(group.family.softened(part, start.weights) for group, part in pairs)
        return replace(start, weights=self._weights_given(start), components=replace(product, parts=parts))

    def _reopened(self, mixing: Mixing) -> Mixing:
        product = mixing.components
        pairs = zip(product.plan.groups, product.parts, strict=True)
        parts = tuple(group.family.reopened(part, mixing.weights) for group, part in pairs)
        return replace(mixing, components=replace(product, parts=parts))

    def _check_same_columns(self, plan: MixturePlan) -> None:
        super()._check_same_columns(plan)
        mine, now = self._mixed.coding, plan.details.coding
        for j, name in enumerate(self._names):
            if not same((mine.words[j], mine.values[j]), (now.words[j], now.values[j])):
                raise InvalidParameter(
                    f"warm_start goes on with the families and values of the last fit, and column {name!r} has others "
                    "now. List its values in categories=, or set warm_start=False."
                )

    # -- answers ---------------------------------------------------------------------------------------------
    @property
    def _mixed(self) -> MixedPlan:
        return self.mixing_.components.plan

    @property
    def _words(self) -> dict[int, np.ndarray]:
        """What the codes of a column stand for, where it has codes."""
        coding = self._mixed.coding
        found = {j: coding.listed(j) for j in range(len(coding.values))}
        return {j: values for j, values in found.items() if values is not None}

    @property
    def _booleans(self) -> frozenset[int]:
        coding = self._mixed.coding
        kinds = zip(coding.natural, coding.words, strict=True)
        return frozenset(j for j, kind in enumerate(kinds) if kind == ("boolean", "bernoulli"))

    def _check_rows(self, X: Any, names: tuple[str, ...]) -> Any:
        self._mixed.check(X, names)
        return X

    def _inputs(self, X: Any) -> np.ndarray:
        refuse_lazy(X)
        table, _ = open_raw(X, type(self).__name__, self.mixing_.header)
        return self._cells(table, self._mixed, self._names, self.unknown)

    def _draw(self, labels: np.ndarray, rng: np.random.Generator) -> Any:
        """A row from the component of each label, as a table of what the cells stand for."""
        return self._mixed.coding.decoded(self.mixing_.components.drawn(labels, rng), self._names)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _components(group: Group, sample: GroupSample) -> Any:
    """Those of a group; errors name its columns."""
    try:
        return group.family.components(sample, group.prior)
    except InvalidParameter as error:
        if any(repr(name) in str(error) for name in sample.names):
            raise
        raise InvalidParameter(f"Of {', '.join(map(repr, sample.names[:6]))}: {error}") from None
