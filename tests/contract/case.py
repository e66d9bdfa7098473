"""An estimator at one setting, with a table that it takes; and every number that a fitted model gives."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import is_classifier, is_regressor

import suffice

from .registry import ENTRIES, Entry, is_density
from .registry.data import COUNTED, SCALE, Data, rows

SKLEARN_CHANGES = (
    "The default value .* scikit-learn"  # said of its own class, when that is ours with another import
)


@dataclass(frozen=True)
class Case:
    """What a check is given. `fitted` is there for all checks to look at, and for none to change."""

    entry: Entry
    setting: str

    @property
    def name(self) -> str:
        return f"{self.entry.cls.__name__}: {self.setting}"

    @property
    def parameters(self) -> Mapping[str, Any]:
        return self.entry.settings[self.setting]

    @property
    def can(self):
        return self.entry.capabilities

    @property
    def tier(self) -> str:
        """The first and the last setting always, one between them in `make test`, the others in long runs."""
        if self.entry.drawn and self.entry.costly and self.setting == "default":
            return "long"  # thousands of draws
        names = list(self.entry.settings)
        between = [name for name in names if name not in ("default", "far")]
        if self.setting not in between:
            return ""
        return "slow" if self.setting == between[-1] else "long"

    def model(self) -> Any:
        """A new one, not fitted."""
        return self.entry.cls(**self.parameters)

    @cached_property
    def data(self) -> Data:
        return self.entry.problem(self.setting)

    @property
    def weight(self) -> np.ndarray:
        return COUNTED[: len(self.data.y)]

    def fit(self, at: Any = slice(None), *weight: Any) -> Any:
        """A new model fitted to some rows."""
        return self.model().fit(rows(self.data.X, at), self.data.y[at], *weight)

    @cached_property
    def fitted(self) -> Any:
        """The baseline: a fit to all rows, which warns of nothing."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", SKLEARN_CHANGES, FutureWarning)
            return self.fit()

    @cached_property
    def answers(self) -> dict[str, np.ndarray]:
        """Of the baseline, when it was fitted."""
        return self.answers_of(self.fitted)

    def answers_of(self, model: Any) -> dict[str, np.ndarray]:
        return answers(model, self.data.new, bool(self.can.predict_dist))

    def assert_same(self, a: Any, tolerance: float, names: Any = None, b: Any = None) -> None:
        """Two models give the same numbers, relative to the larger of the value and the scale of y."""
        theirs = self.answers if b is None else self.answers_of(b)
        assert_same(self.answers_of(a), theirs, tolerance, names)


CASES = {case.name: case for entry in ENTRIES for case in (Case(entry, s) for s in entry.settings)}


# -- numbers -------------------------------------------------------------------------------------------
def dense(table: Any) -> np.ndarray:
    return table.toarray() if sparse.issparse(table) else np.asarray(table)


def answer(model: Any, table: Any) -> np.ndarray:
    """What the model makes of a table, as numbers: columns, probabilities, predictions, log densities."""
    if is_classifier(model):
        return (
            model.predict_proba(table) if hasattr(model, "predict_proba") else model.decision_function(table)
        )
    if is_regressor(model):
        return model.predict(table)
    return dense(model.transform(table)) if hasattr(model, "transform") else model.score_samples(table)


def answers(model: Any, new: Any, conditions: bool = True) -> dict[str, np.ndarray]:
    """Every number a fitted model gives: columns, predictions, distributions, evidence."""
    out = {"answer": answer(model, new)}
    if is_classifier(model):
        out["decision"] = np.searchsorted(model.classes_, model.predict(new))
    if is_classifier(model) and hasattr(model, "predict_dist"):
        out["entropy"] = model.predict_dist(new).entropy()
    if is_regressor(model):
        d = model.predict_dist(new)
        out |= {"std": d.std, "log density": d.log_prob(near(d))}
    if is_density(model):
        out |= {"shares": model.predict_proba(new), "decision": model.predict(new)}
    if is_density(model) and conditions:
        column = model.predict_dist(new, target=1)
        out["a column"] = column.probabilities if hasattr(column, "classes") else column.mean
    if hasattr(model, "log_evidence_"):
        out["evidence"] = np.asarray(model.log_evidence_)
    return out


def near(distribution: Any) -> np.ndarray:
    """Close to its mean, and where it has a density: the next whole number, if it is of counts."""
    whole = type(distribution).__name__ in WHOLE
    return np.ceil(distribution.mean) if whole else distribution.mean + 0.1


WHOLE = ("Poisson", "NegativeBinomial")


def assert_same(mine: Mapping, theirs: Mapping, tolerance: float, names: Any = None) -> None:
    assert mine.keys() == theirs.keys()
    for name in names or mine:
        a, b = mine[name], theirs[name]
        assert a.shape == b.shape, name
        with np.errstate(invalid="ignore"):
            apart = np.abs(a - b) / np.maximum(np.abs(b), SCALE)
        apart = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, apart)
        assert np.max(apart, initial=0.0) <= tolerance, name


def equal(mine: Mapping, theirs: Mapping) -> bool:
    """To the bit."""
    return all(np.array_equal(mine[k], theirs[k], equal_nan=True) for k in theirs)


# -- tables --------------------------------------------------------------------------------------------
def same_table(a: Any, b: Any) -> bool:
    if isinstance(a, list):
        return a == b
    if hasattr(a, "equals"):
        return a.equals(b)
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def copied(table: Any) -> Any:
    return copy.deepcopy(table)


def columns(table: Any) -> dict[str, np.ndarray]:
    """Of an array or a frame, by name."""
    if isinstance(table, np.ndarray):
        return {f"c{j}": table[:, j] for j in range(table.shape[1])}
    return {name: table[name].to_numpy() for name in table}


def saved(model: Any) -> Any:
    """Written to a file and read again."""
    with TemporaryDirectory() as folder:
        suffice.save(model, f"{folder}/model.suffice")
        return suffice.load(f"{folder}/model.suffice")
