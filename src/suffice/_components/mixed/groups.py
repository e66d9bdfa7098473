"""Which columns belong together: groups of columns with a family and a prior, from what the user wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from suffice._components.mixed.coding import Coding, place_of, values_of
from suffice._components.mixed.families import FAMILIES, ColumnFamily, GroupSample, family_of
from suffice._components.product import check_places
from suffice._core.errors import InvalidParameter
from suffice._core.records import record, same
from suffice.tables.typed import TypedTable

Places = tuple[int, ...]


@record
class Group:
    """Columns of one family, and the prior of their parameters."""

    family: Any
    places: Places
    prior: Any = None


@record
class MixedPlan:
    """What the cells stand for, and the groups of columns."""

    coding: Coding
    groups: tuple[Group, ...]

    def check_loaded(self) -> int:
        """Nothing is made; raises unless every column is in one group."""
        check_places([g.places for g in self.groups], len(self.coding.words))
        return 0

    @classmethod
    def of(
        cls,
        table: TypedTable,
        names: tuple[str, ...],
        components: Any,
        prior: Any,
        listed: dict[str, np.ndarray],
        frame: str | None,
    ) -> MixedPlan:
        chosen = families_of(components, table, names, tuple(listed))
        words = [""] * len(names)
        values: list[Any] = [None] * len(names)
        for places, family in chosen.items():
            for j in places:
                words[j] = family.name
                if family.name == "categorical":
                    values[j] = listed[names[j]] if names[j] in listed else values_of(table.columns[j])
        coding = Coding(tuple(words), tuple(values), table.natural, frame)
        return cls(coding, grouped(chosen, priors_of(prior, chosen, names)))

    def check(self, X: np.ndarray, names: tuple[str, ...]) -> None:
        """Raise for cells that their family does not produce."""
        for group in self.groups:
            group.family.check(X[:, list(group.places)], tuple(names[j] for j in group.places))

    def encoded(self, table: TypedTable, names: tuple[str, ...], unknown: str) -> np.ndarray:
        """The matrix (N, D) of a table, checked; see `Coding.encoded`."""
        cells = self.coding.encoded(table, names, unknown)
        self.check(cells, names)
        return cells

    def marginal(self, columns: Sequence[int]) -> MixedPlan:
        """That of some columns, without priors."""
        groups = []
        for group in self.groups:
            inside = tuple(i for i, j in enumerate(columns) if j in group.places)
            if inside:
                groups.append(Group(group.family, inside))
        return MixedPlan(self.coding.marginal(columns), tuple(groups))

    def samples(
        self, X: np.ndarray, weight: Any, names: tuple[str, ...], K: int, reg_covar: float
    ) -> list[GroupSample]:
        """The cells of every group."""
        sizes = self.coding.sizes
        return [
            GroupSample(
                np.ascontiguousarray(X[:, list(group.places)]),
                weight,
                tuple(names[j] for j in group.places),
                tuple(sizes[j] for j in group.places),
                K,
                reg_covar,
            )
            for group in self.groups
        ]


def families_of(
    components: Any, table: TypedTable, names: tuple[str, ...], listed: tuple[str, ...]
) -> dict[Places, ColumnFamily]:
    """The family of every column, or of several that are not independent."""
    D = len(names)
    if isinstance(components, Mapping):
        chosen = _by_columns(components, names)
    elif isinstance(components, str) and components == "infer":
        chosen = {}
    elif isinstance(components, str | type):
        chosen = _apart(tuple(range(D)), family_of(components, False))
    elif isinstance(components, Sequence) and len(components) == D:
        chosen = {(j,): family_of(value, False) for j, value in enumerate(components)}
    else:
        raise InvalidParameter(
            f"components must be 'infer', a family, a list with one for each of {D} columns, or a mapping from columns "
            f"to families; got {components!r:.80}."
        )
    _check_joint(chosen, names)
    taken = {j for places in chosen for j in places}
    for j in range(D):
        if j not in taken:
            chosen[(j,)] = FAMILIES[inferred(table, j, names[j] in listed)]
    return chosen


def inferred(table: TypedTable, j: int, listed: bool) -> str:
    """Text and listed values are categories, booleans and zeros and ones are bernoulli, numbers gaussian."""
    column = table.columns[j]
    if listed or table.natural[j] == "category" or column.dtype.kind != "f":
        return "categorical"
    known = column[~np.isnan(column)]
    binary = len(known) and np.all((known == 0) | (known == 1))
    return "bernoulli" if table.natural[j] == "boolean" or binary else "gaussian"


def _by_columns(components: Mapping[Any, Any], names: tuple[str, ...]) -> dict[Places, ColumnFamily]:
    chosen: dict[Places, ColumnFamily] = {}
    seen: set[int] = set()
    for key, value in components.items():
        places = places_of(key, names, "components")
        again = seen & set(places)
        if again:
            raise InvalidParameter(f"components names column {names[min(again)]!r} twice.")
        seen |= set(places)
        chosen |= _apart(places, family_of(value, len(places) > 1))
    return chosen


def _apart(places: Places, family: ColumnFamily) -> dict[Places, ColumnFamily]:
    return {places: family} if family.joint else {(j,): family for j in places}


def _check_joint(chosen: dict[Places, ColumnFamily], names: tuple[str, ...]) -> None:
    for places, family in chosen.items():
        if family.name == "multinomial" and len(places) < 2:
            raise InvalidParameter(
                f"components: 'multinomial' needs a tuple of two columns or more; got {names[places[0]]!r} alone. A "
                "single count is 'poisson'."
            )


def places_of(key: Any, names: tuple[str, ...], what: str) -> Places:
    """The numbers of a column, or of a tuple of them, given by name or number."""
    keys = key if isinstance(key, tuple) else (key,)
    places = tuple(place_of(one, names, what) for one in keys)
    if not places or len(set(places)) < len(places):
        raise InvalidParameter(f"{what} must name different columns in a tuple; got {key!r}.")
    return places


def priors_of(prior: Any, chosen: dict[Places, ColumnFamily], names: tuple[str, ...]) -> dict[Places, Any]:
    """The prior of each family that has one."""
    if prior is None:
        return {}
    if not isinstance(prior, Mapping):
        raise InvalidParameter(
            f"prior must be None or a mapping from columns to priors, for families differ; got {prior!r:.80}."
        )
    out: dict[Places, Any] = {}
    for key, value in prior.items():
        places = places_of(key, names, "prior")
        own = [places] if places in chosen else [(j,) for j in places]
        for one in own:
            if one not in chosen:
                joint = next(p for p in chosen if one[0] in p)
                raise InvalidParameter(
                    f"prior names {names[one[0]]!r}, which varies together with others: give it for "
                    f"{tuple(names[j] for j in joint)!r}."
                )
            out[one] = value
    return out


def grouped(chosen: dict[Places, ColumnFamily], priors: dict[Places, Any]) -> tuple[Group, ...]:
    """Independent columns of one family and prior are one group; others are groups of their own."""
    groups: list[Group] = []
    for places, family in sorted(chosen.items(), key=lambda item: item[0]):
        made = Group(family, places, priors.get(places))
        like = next((i for i, group in enumerate(groups) if _together(group, made)), None)
        if like is None:
            groups.append(made)
        else:
            groups[like] = Group(family, groups[like].places + places, made.prior)
    return tuple(groups)


def _together(a: Group, b: Group) -> bool:
    """Whether the columns of both may be one group; a prior of a mean and a variance is of one column alone."""
    family = a.family
    if family.joint or family.alone or family.name != b.family.name or not same(a.prior, b.prior):
        return False
    return a.prior is None or family.name != "gaussian"


def components_of(group: Group, sample: GroupSample) -> Any:
    """Those of a group, all alike; errors name its columns."""
    try:
        return group.family.components(sample, group.prior)
    except InvalidParameter as error:
        if any(repr(name) in str(error) for name in sample.names):
            raise
        raise InvalidParameter(f"Of {', '.join(map(repr, sample.names[:6]))}: {error}") from None
