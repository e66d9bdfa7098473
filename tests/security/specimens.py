"""A fitted model of every kind and setting of the registry, with rows to ask it about; statistics and densities."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier

from suffice._core.contents import MODEL
from suffice._core.errors import SufficeError, Unsupported
from suffice._core.tree import encode
from suffice.bases import GaussianBasis, Polynomial
from suffice.distributions import Beta, Categorical, Gamma, MultivariateNormal, Normal, StudentT
from suffice.engine import Folded
from suffice.evaluation import cross_validate
from suffice.linear import Ridge
from suffice.prepare import TableEncoder
from suffice.statistics import ClassStatistics, Counts, Moments, Triangle
from suffice.study.table_model import TableModel

from ..contract.registry import ENTRIES, Entry

N = 40


@dataclass(frozen=True)
class Specimen:
    """Something that is saved, and rows for what predicts."""

    name: str
    value: Any
    rows: Any


@cache
def specimens(every: bool = True) -> tuple[Specimen, ...]:
    """Models at all settings, or at the first; then statistics and densities."""
    return tuple(_specimens(every))


def _specimens(every: bool) -> Iterator[Specimen]:
    for entry in ENTRIES:
        settings = list(entry.settings.items())
        for setting, parameters in settings if every else settings[:1]:
            yield from _model(entry, setting, parameters)
    yield from _values()


def _model(entry: Entry, setting: str, parameters: dict[str, Any]) -> Iterator[Specimen]:
    rng = np.random.default_rng(7)
    X, y = _table(entry, parameters, rng)
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            model = entry.cls(**parameters).fit(X, y)
        except SufficeError:
            return  # a setting that names columns of other tables
        try:
            encode(model, [], MODEL)
        except Unsupported:
            return  # functions are not saved
    yield Specimen(f"{entry.name}: {setting}", model, X[:5])


def _table(entry: Entry, parameters: dict[str, Any], rng: np.random.Generator) -> tuple[Any, np.ndarray]:
    X = rng.normal(size=(N, 3))
    numbers = 3 + X @ [1.0, -0.5, 0.2] + 0.3 * rng.normal(size=N)
    labels = np.array(["a", "b", "c"])[np.digitize(numbers + rng.normal(size=N), [2.3, 3.6])]
    if entry.two_classes:
        labels = np.where(labels == "a", "a", "b")
    if entry.takes == "one column":
        X = X[:, :1]
    elif entry.takes == "counts":
        X = rng.integers(0, 2 if "Bernoulli" in entry.name else 5, (N, 3)).astype(float)
        numbers = rng.integers(0, 6, N).astype(float)
    elif entry.takes == "categories":
        words = ("low", "high"), ("no", "yes"), tuple("abc")
        X = pd.DataFrame({name: rng.choice(w, N) for name, w in zip("uvw", words, strict=True)})
        if entry.name == "generative.CategoricalNB" and "categories" not in parameters:
            X = rng.integers(0, 2, (N, 3))
    elif entry.takes == "mixed columns":
        X = pd.DataFrame({"a": X[:, 0], "b": rng.choice(["up", "down"], N), "c": X[:, 2]})
    elif entry.takes == "documents":
        X = ["a cat and a dog", "the dog", "no cat here", "a bird"] * (N // 4)
    elif entry.takes == "datetimes":
        X = (np.datetime64("2024-01-01") + np.arange(N).astype("timedelta64[D]"))[:, None]
    elif entry.takes == "positive numbers":
        X = np.exp(X)
    return X, labels if is_classifier(entry.cls()) else numbers


def _values() -> Iterator[Specimen]:
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(N, 2)), rng.normal(size=N)
    yield Specimen("Triangle", Triangle.of(X, y), None)
    yield Specimen("Moments", Moments.of(X), None)
    yield Specimen("Counts", Counts.of(["a", "b", "b"]), None)
    yield Specimen("ClassStatistics", ClassStatistics.of(X, np.where(y > 0, "p", "n"), Moments.of), None)
    yield Specimen("Folded", Folded((Triangle.of(X[:20], y[:20]), Triangle.of(X[20:], y[20:]))), None)
    yield Specimen("Validation", cross_validate(Ridge(), X, y), None)
    yield Specimen("bases", [Polynomial(3), GaussianBasis([0.0, 1.0], width=0.5) + Polynomial(2)], None)
    yield Specimen("Normal", Normal([0.0, 1.0], [1.0, 2.0]), None)
    yield Specimen("others", [Beta(2, 3), Gamma(1, 2), StudentT(4, 0, 1), Categorical([0.2, 0.8])], None)
    yield Specimen("MultivariateNormal", MultivariateNormal([0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]]), None)
    table = {"a": X[:, 0], "b": np.where(X[:, 1] > 0, "up", "down")}
    encoder = TableEncoder().fit(table)
    model = Ridge().fit(encoder.transform(table), y)
    yield Specimen("TableModel", TableModel(encoder, model, "y", "regression", "ridge", "Ridge"), table)
