"""One name, one meaning: no two classes of the library share a name, and a new name leaves that in files as it was."""

from __future__ import annotations

import ast
import json
import pkgutil
import zipfile
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import suffice
from suffice._core import records
from suffice._core.stored_names import STORED_AS
from suffice.generative import LinearDiscriminantAnalysis
from suffice.mixtures import GaussianMixture

ROOT = Path(suffice.__file__).parent

# Promised under the same name by two rooms; a promise outlives the wish for another word.
PROMISED_TWICE = {
    "Affine": ("prepare", "statistics"),
    "BinaryCounts": ("evaluation", "similarity"),
    "Calibration": ("evaluation", "inference"),
    "Finding": ("evaluation", "prepare"),
}


def places_of_classes() -> dict[str, list[str]]:
    places = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(ROOT)))
    return places


def test_no_two_classes_share_a_name():
    shared = {name: places for name, places in places_of_classes().items() if len(places) > 1}
    found = {name: tuple(p.split("/")[0] for p in places) for name, places in shared.items()}
    assert found == PROMISED_TWICE, "\n".join(f"{n}: {', '.join(p)}" for n, p in shared.items())


@pytest.mark.parametrize("name", PROMISED_TWICE)
def test_what_is_shared_is_promised(name):
    assert all(name in import_module(f"suffice.{room}").__all__ for room in PROMISED_TWICE[name])


# -- names in files -----------------------------------------------------------------------------------
def test_every_renamed_class_is_found_under_either_name():
    for module in pkgutil.walk_packages(suffice.__path__, "suffice."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    assert len(set(STORED_AS.values())) == len(STORED_AS)
    for name, stored in STORED_AS.items():
        cls = records.storable_class(stored)
        assert cls is not None, f"no class is stored as {stored}"
        assert cls is records.storable_class(name)
        assert f"{cls.__module__.split('.')[1]}.{cls.__qualname__}" == name


def tree_of(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read("suffice.json").decode()


@pytest.mark.parametrize(
    ("model", "stored"),
    [
        (LinearDiscriminantAnalysis(), "generative.Whitener"),
        (GaussianMixture(2, covariance_type="identity", random_state=0), "_components.Identity"),
    ],
    ids=lambda v: type(v).__name__,
)
def test_files_keep_the_names_of_classes(model, stored, tmp_path):
    X, labels = np.array([[0.0], [1.0], [3.0], [4.5]]), [0, 0, 1, 1]
    path = tmp_path / "model.suffice"
    suffice.save(model.fit(X, labels), path)
    text = tree_of(path)
    assert json.dumps(stored) in text
    assert not [name for name in STORED_AS if json.dumps(name) in text]
    np.testing.assert_array_equal(suffice.load(path).predict(X), model.predict(X))
