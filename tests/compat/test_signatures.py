"""Public classes that have a scikit-learn name take all of its parameters, with its defaults and positional order."""

from __future__ import annotations

import importlib
import inspect
import tomllib
from pathlib import Path

import pytest
import sklearn.model_selection
from sklearn.utils.discovery import all_estimators

import suffice

HERE = Path(__file__).parent
DIFFERENT = tomllib.loads((HERE / "signatures.toml").read_text(encoding="utf-8"))
ROOMS = ("linear", "glm", "generative", "mixtures", "baselines", "prepare", "evaluation")


def pairs() -> dict[str, tuple[type, type]]:
    """Our class and scikit-learn's, by their common name."""
    theirs = dict(all_estimators())
    theirs |= {n: getattr(sklearn.model_selection, n) for n in ("GridSearchCV", "RandomizedSearchCV")}
    out = {}
    for room in ROOMS:
        module = importlib.import_module(f"suffice.{room}")
        out |= {n: (getattr(module, n), theirs[n]) for n in module.__all__ if n in theirs}
    return out


PAIRS = pairs()


def test_there_are_pairs():
    assert {"Ridge", "Lasso", "LogisticRegression", "GaussianNB", "GaussianMixture"} <= set(PAIRS)
    assert suffice.__version__


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_parameters_and_defaults(name):
    ours, theirs = (inspect.signature(cls).parameters for cls in PAIRS[name])
    missing = [p for p in theirs if p not in ours and f"{name}.{p}" not in DIFFERENT]
    assert not missing, f"{name} does not take {missing}"
    wrong = [
        f"{p}: {ours[p].default!r}, there {theirs[p].default!r}"
        for p in theirs
        if p in ours and repr(ours[p].default) != repr(theirs[p].default) and f"{name}.{p}" not in DIFFERENT
    ]
    assert not wrong, f"{name}: {wrong}"


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_positional_parameters_keep_their_order(name):
    ours, theirs = (inspect.signature(cls).parameters for cls in PAIRS[name])
    order = [
        p for p, v in theirs.items() if v.kind is v.POSITIONAL_OR_KEYWORD and f"{name}.{p}" not in DIFFERENT
    ]
    mine = [p for p, v in ours.items() if v.kind is v.POSITIONAL_OR_KEYWORD]
    assert mine[: len(order)] == order


def test_every_difference_has_a_reason():
    for name, entry in DIFFERENT.items():
        cls, _, parameter = name.partition(".")
        assert cls in PAIRS
        assert parameter in inspect.signature(PAIRS[cls][1]).parameters
        assert len(entry["reason"].split()) >= 5
