"""The registry is complete, and the table says why whenever it says no."""

import dataclasses

from .registry import ENTRIES, public_estimators
from .registry.capabilities import Capabilities, No

BY_NAME = {e.name: e for e in ENTRIES}


def test_every_public_estimator_has_an_entry():
    assert sorted(public_estimators()) == sorted(BY_NAME)


def test_each_entry_holds_the_public_class():
    assert {name: e.cls for name, e in BY_NAME.items()} == public_estimators()


MOVING = {name: e for name, e in BY_NAME.items() if e.cls().get_params(deep=False)}


def moved(entry) -> set[str]:
    defaults = entry.cls().get_params(deep=False)
    return {k for s in entry.settings.values() for k, v in s.items() if v is not defaults[k]}


def test_three_settings_and_every_parameter_moved():
    assert not [name for name, e in MOVING.items() if len(e.settings) < 3 or {} not in e.settings.values()]
    left = {name: set(e.cls().get_params(deep=False)) - moved(e) for name, e in MOVING.items()}
    assert left == {name: set(e.unmoved) for name, e in MOVING.items()}
    assert all(len(why.split()) >= 4 for e in ENTRIES for why in e.unmoved.values())


def test_far_setting_moves_most_parameters():
    def most(entry) -> float:
        return 0.6 * len(set(entry.cls().get_params(deep=False)) - set(entry.unmoved))

    assert not [name for name, e in MOVING.items() if len(e.settings["far"]) < most(e)]


def test_cells_are_yes_or_a_reason():
    cells = [(name, cell, v) for name, e in BY_NAME.items() for cell, v in e.capabilities.cells().items()]
    no = [(name, cell, v.reason) for name, cell, v in cells if isinstance(v, No)]
    assert not [(name, cell) for name, cell, v in cells if v is not True and not isinstance(v, No)]
    assert not [(name, cell) for name, cell, why in no if len(why.split()) < 8 or not why.endswith(".")]


def test_columns_of_the_table():
    names = ["nan", "weights", "statistics", "heldout", "evidence", "predict_dist", "sparse", "partial_fit"]
    assert [f.name for f in dataclasses.fields(Capabilities)] == names
