"""The page about changing the import lists what is complete, and counts what is counted."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from suffice.compat.counterparts import counterpart, table

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "from-scikit-learn.md").read_text(encoding="utf-8")
SECTION = PAGE.split("## What takes every argument")[1].split("Other classes")[0]
NAMES = re.findall(r"`(\w+)`", SECTION)


def pair_of(name: str):
    modules = [*table()["homes"], "sklearn.feature_extraction.text"]
    found = (counterpart(f"{m}.{name}") for m in modules if hasattr(importlib.import_module(m), name))
    return next(pair for pair in found if pair is not None)


def test_the_list_is_there():
    assert {"Ridge", "GaussianMixture", "cross_val_score"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_to_take_every_argument_does(name):
    pair = pair_of(name)
    assert not pair.lacking_parameters
    documented = {a for a in pair._their_attributes if a.endswith("_") and not a.startswith("_")}
    assert not [a for a in documented if pair.lacks(a)]


def test_the_scripts_are_counted():
    assert len(list((ROOT / "tests" / "compat" / "scripts").glob("*.py"))) == 36
    assert "Thirty-six\nscripts" in PAGE


@pytest.mark.parametrize("name", ["README.md", "VISION.md"])
def test_who_says_that_the_import_is_enough_leads_here(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "changing the import is enough" in " ".join(text.split())
    assert "(docs/from-scikit-learn.md)" in text
