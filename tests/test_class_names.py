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

FORMER_NAMES = {
    "suffice.evaluation.BinaryCounts": "ConfusionCounts",
    "suffice.evaluation.Calibration": "EventCalibration",
    "suffice.inference.Along": "PredictorPoints",
    "suffice.inference.Climbed": "SumsMaximum",
    "suffice.inference.climb": "newton_on_sums",
    "suffice.prepare.Finding": "AuditFinding",
    "suffice.statistics.Affine": "AffineFunction",
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
    assert not shared, "\n".join(f"{name}: {', '.join(places)}" for name, places in shared.items())


@pytest.mark.parametrize("former", FORMER_NAMES)
def test_former_names_are_found_with_a_warning(former):
    room, _, name = former.rpartition(".")
    module, now = import_module(room), FORMER_NAMES[former]
    with pytest.warns(DeprecationWarning, match=f"{former} is now called {now}; use that name."):
        assert getattr(module, name) is getattr(module, now)
    assert now in module.__all__
    assert name not in module.__all__
    with pytest.raises(AttributeError, match=f"module '{room}' has no attribute 'Nothing'"):
        module.Nothing  # noqa: B018


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
