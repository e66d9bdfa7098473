"""An estimator as the contract sees it: its class, the settings it is tested at, and what it can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sklearn.base import is_classifier, is_clusterer, is_regressor
from sklearn.utils import get_tags

from .capabilities import Capabilities
from .data import GENERATORS, Data, Make


@dataclass(frozen=True)
class Entry:
    """A class and keyword arguments by the name of the setting; the last one is far from the defaults.

    `takes` says what the columns hold, and `data` makes a table of them where `data.GENERATORS` has none that fits.

    `ordered` says that rows are learned from one after the other, so that their order matters.

    `overlapping` says that classes which a plane tells apart leave no maximum to find, `two_classes` that there may
    be no third, `one_target` that y is one column, `by_folds` that parameters are chosen by folds, which follow the
    order and the number of rows.

    `drawn` says that a fit is a random draw, which is repeated only with a seed.

    `costly` says that a fit is many fits: what does not depend on the setting is asked at one, the rest in long runs.

    `wrong` has, for each parameter, values that are refused, each with what the error shows of it.

    `unmoved` has parameters that no setting can move, since settings hold for any table and every check, and why.

    `without_evidence` names settings that have no evidence, where others have.

    `not_for_scikit_learn` has settings ("" for all) whose tables are none of those that scikit-learn's checks make,
    with the reason.
    """

    cls: type
    settings: Mapping[str, Mapping[str, Any]]
    capabilities: Capabilities
    takes: str = "numbers"
    ordered: bool = False
    overlapping: bool = False
    two_classes: bool = False
    one_target: bool = False
    by_folds: bool = False
    drawn: bool = False
    costly: bool = False
    data: Make | None = None
    wrong: Mapping[str, list[tuple[Any, str]]] = field(default_factory=dict)
    unmoved: Mapping[str, str] = field(default_factory=dict)
    without_evidence: tuple[str, ...] = ()
    not_for_scikit_learn: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return public_name(self.cls)

    @cached_property
    def kind(self) -> str:
        """What it does with rows: "classifier", "regressor", "density", "clusterer" or "transformer"."""
        model = self.cls()
        if is_density(model):
            return "density"
        if is_clusterer(model):
            return "clusterer"
        return "classifier" if is_classifier(model) else "regressor" if is_regressor(model) else "transformer"

    @property
    def predicts(self) -> bool:
        """Whether it has targets."""
        return self.kind in ("classifier", "regressor")

    def problem(self, setting: str) -> Data:
        """A table that it takes at this setting, with targets."""
        return (self.data or GENERATORS[self.takes])(self, self.settings[setting])


def is_density(model: Any) -> bool:
    """Whether it is a density of rows, which has no targets and transforms nothing."""
    return get_tags(model).estimator_type == "density_estimator"


def public_name(cls: type) -> str:
    """`room.Class`."""
    return f"{cls.__module__.split('.')[1]}.{cls.__name__}"
