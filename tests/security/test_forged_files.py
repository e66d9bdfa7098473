"""Files with valid checksums and one lie inside, and files with bytes changed: refused by name, or answered in full."""

from __future__ import annotations

import dataclasses
import json
import os
import tracemalloc
import warnings
import zipfile
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

import suffice
from suffice._core.contents import CHECKPOINT, FAMILIES, KINDS, MODEL, PART
from suffice._core.errors import SufficeError, UnsafeFile, Unsupported
from suffice._core.files import read, write
from suffice._core.forms import parse
from suffice._core.hints import hints_of
from suffice._core.records import storable_class
from suffice.bases import (
    CustomBasis,
    FourierBasis,
    GaussianBasis,
    Interactions,
    Polynomial,
    SplineBasis,
    WaveletBasis,
)
from suffice.distributions import Normal
from suffice.evaluation import cross_validate
from suffice.generative import GaussianNB
from suffice.linear import LinearRegression, Ridge
from suffice.statistics import Moments, Triangle
from suffice.study.models import CATALOGUE

from ..contract.registry import ENTRIES
from .campaign import run
from .forging import opened, packed
from .specimens import specimens

pytestmark = pytest.mark.slow

X = np.random.default_rng(3).normal(size=(12, 2))
y = np.sin(2 * X[:, 0])


def findings(forged: int, mutated: int, first: int, every: bool) -> tuple[list[str], dict[str, int]]:
    told: list[str] = []
    return told, run(forged, mutated, first, every=every, tell=told.append)


def test_forged_and_mutated_files():
    told, tally = findings(100, 70, int(os.environ.get("SEED", 5)), every=False)
    assert told == []
    assert tally["forged: refused"] > 50
    assert tally["forged: answered"] > 5


@pytest.mark.long
def test_ten_thousand_mutated_and_two_thousand_forged_files():
    told, tally = findings(2_000, 10_000, 40_000, every=True)
    assert told == []
    assert sum(tally.values()) == 12_000


def test_nearly_all_models_of_the_registry_are_specimens():
    names = {s.name.partition(":")[0] for s in specimens(False)}
    assert len(names) > 60


# -- what a forged model is refused for ------------------------------------------------------------------------
def forged(folder, value, change):
    tree, arrays = opened(value)
    change(tree)
    path = folder / "forged.suffice"
    path.write_bytes(packed(tree, arrays))
    return path


def put(value, *path):
    def change(tree):
        for step in path[:-1]:
            tree = tree[step]
        tree[path[-1]] = value

    return change


STATISTIC = ("fitted", "statistics_", "fields")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put({"float": "nan"}, "fitted", "intercept_"), r"Ridge\.intercept_ must be .*; the file has nan"),
        (put("x", "fitted", "coef_"), r"Ridge\.coef_ must be reals \(d\) \| reals \(k, d\).*; the file has 'x'"),
        (put({"array": np.ones(3)}, "fitted", "coef_"), r"with .*d = 2.*; the file has an array .*\(3,\)"),
        (put(3, "fitted", "n_features_in_"), r"n_features must be =n, with n = 3.*; the file has 2"),
        (put("cat", "params", "alpha"), r"Ridge\.alpha must be nonnegative"),
        (put("x", "params", "fit_intercept"), r"Ridge\.fit_intercept must be bool; the file has 'x'"),
        (put(1, "fitted", "extra_"), r"Ridge has no field 'extra_'"),
        (put({"array": np.full((4, 4), np.nan)}, *STATISTIC, "factor"), r"Triangle\.factor .*\(4, 4\) and NaN"),
        (put({"array": np.full((4, 4), np.inf)}, *STATISTIC, "factor"), r"Triangle\.factor .* and infinite numbers"),
        (put({"array": np.ones((4, 3))}, *STATISTIC, "factor"), r"Triangle\.layout\.shift must be \(p-1\), with p = 3"),
        (put(-1.0, *STATISTIC, "n"), r"Triangle\.n must be nonnegative"),
        (put(None, "fitted", "statistics_"), r"Ridge\.statistics_ must be Triangle"),
    ],
)  # fmt: skip
def test_a_forged_attribute_is_named(change, words, tmp_path):
    with pytest.raises(UnsafeFile, match=words):
        suffice.load(forged(tmp_path, Ridge(1.0).fit(X, y), change))


def test_a_lost_attribute_is_named(tmp_path):
    with pytest.raises(UnsafeFile, match="Ridge lacks its fitted attribute 'statistics_'"):
        suffice.load(forged(tmp_path, Ridge(1.0).fit(X, y), lambda tree: tree["fitted"].pop("statistics_")))


def test_nan_in_a_statistic_is_refused(tmp_path):
    nan = {"array": np.full((2, 2), np.nan)}
    with pytest.raises(UnsafeFile, match=r"Moments\.scatter must be"):
        suffice.load(forged(tmp_path, Moments.of(X), put(nan, "fields", "scatter")))


# -- nothing runs ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "node",
    [
        {"record": "engine.Packed", "fields": {"payload": "x"}},
        {"record": "distributions.Transformed", "fields": {"distribution": None, "forward": None, "inverse": None}},
        {"record": "bases.CustomBasis", "fields": {"functions": []}},
        {"record": "likelihoods.CustomLikelihood", "fields": {}},
        {"record": "evaluation.Padded", "fields": {}},
        {"class": "engine.Packed"},
        {"class": "linear.Ridge"},
        {"class": "distributions.Transformed"},
    ],
)  # fmt: skip
def test_what_is_not_listed_is_not_made(node, tmp_path):
    with pytest.raises(UnsafeFile, match="not on the list of what a file may contain"):
        suffice.load(forged(tmp_path, Normal(0, 1), put(node, "fields", "mean")))


def test_no_method_runs_before_everything_is_checked(tmp_path, monkeypatch):
    """The error is in the second of two records, and the first has not been made."""
    ran = []
    monkeypatch.setattr(Normal, "__post_init__", lambda self: ran.append(self))
    path = forged(
        tmp_path, [0, 0], put({"record": "distributions.Normal", "fields": {"mean": 0.0, "std": 1.0}}, 0)
    )
    suffice.load(path)
    assert len(ran) == 1
    tree = [{"record": "distributions.Normal", "fields": {"mean": 0.0, "std": s}} for s in (1.0, -1.0)]
    path.write_bytes(packed(tree, []))
    with pytest.raises(UnsafeFile, match=r"Normal\.std must be nonnegative"):
        suffice.load(path)
    assert len(ran) == 1


def test_a_class_stands_only_where_a_density_is_named(tmp_path):
    with pytest.raises(UnsafeFile, match=r"Ridge\.solver must be .*; the file has the class Normal"):
        suffice.load(forged(tmp_path, Ridge(), put({"class": "distributions.Normal"}, "params", "solver")))


def test_kinds_of_files_do_not_stand_for_each_other(tmp_path):
    path = tmp_path / "model.suffice"
    suffice.save(Ridge().fit(X, y), path)
    assert type(read("part", path)) is Ridge
    only = set(CHECKPOINT) - set(MODEL) | set(PART) - set(MODEL)
    assert {"engine.Kept", "study.Part", "inference.Iteration"} <= only
    for name in only:
        path.write_bytes(packed({"record": name, "fields": {}}, []))
        with pytest.raises(UnsafeFile, match="not on the list"):
            suffice.load(path)


def test_what_could_not_be_loaded_is_not_saved(tmp_path):
    model = Ridge().fit(X, y)
    model.coef_ = np.array([1.0, np.nan])
    with pytest.raises(Unsupported, match=r"could not be loaded again: Ridge\.coef_"):
        suffice.save(model, tmp_path / "model.suffice")
    assert not os.listdir(tmp_path)


# -- the list itself -----------------------------------------------------------------------------------------------
def listed(name: str) -> type:
    import_module(f"suffice.{name.partition('.')[0]}")
    cls = storable_class(name)
    assert cls is not None, name
    return cls


@pytest.mark.parametrize("kind", KINDS)
def test_every_listed_class_exists_and_its_form_names_its_fields(kind):
    for name, form in KINDS[kind].items():
        cls = listed(name)
        known = hints_of(cls)
        assert {field.path[0] for field in parse(form) if not field.optional} <= set(known), name


def test_nothing_listed_takes_a_function():
    everything = MODEL | CHECKPOINT | PART
    for name in everything:
        cls = listed(name)
        calls = [f.name for f in dataclasses.fields(cls) if "Callable" in str(hints_of(cls)[f.name])]
        allowed = {field.path[0]: set(field.choices) for field in parse(everything[name])}
        assert all(allowed[call] <= {"none", "text"} for call in calls), name  # given as none, or as a word


def test_families_are_densities():
    assert all(listed(name).__module__.startswith("suffice.distributions") for name in FAMILIES)


# -- what a record expands to -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "basis",
    [
        {"degree": 400},
        {"degree": 10**6},
        {"degree": 12, "interactions": True},
        {"degree": 30, "interactions": True},
    ],
)
def test_a_basis_of_a_few_bytes_does_not_expand(basis, tmp_path):
    model = LinearRegression(basis=Polynomial(2)).fit(X, y)
    large = {"record": "bases.Polynomial", "fields": basis}
    header = put(large, "fitted", "statistics_", "fields", "layout", "fields", "header", "fields", "basis")
    path = forged(tmp_path, model, header)
    tracemalloc.start()
    with pytest.raises(SufficeError):
        suffice.load(path)
    assert tracemalloc.get_traced_memory()[1] < (4 << 20) + 20 * path.stat().st_size
    tracemalloc.stop()


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize(
    "basis",
    [
        Polynomial(0),
        Polynomial(4),
        Polynomial(3, interactions=True),
        Interactions(2),
        FourierBasis(2, period=3.0),
        SplineBasis([-1.0, 0.0, 1.0], degree=2),
        WaveletBasis(3, interval=[-2.0, 2.0]),
        GaussianBasis([0.0, 1.0], width=1.0),
        Polynomial(2) + GaussianBasis([0.0, 1.0, 2.0], width=1.0),
    ],
    ids=repr,
)
def test_the_size_of_a_basis_is_told_without_making_it(basis, n):
    assert basis.size(n) == len(basis.owners(n)) == basis(np.linspace(-1, 1, 5 * n).reshape(5, n)).shape[1]


def test_functions_are_code(tmp_path):
    with pytest.raises(Unsupported, match="functions and foreign objects are code"):
        suffice.save(CustomBasis([np.sin]), tmp_path / "basis.suffice")


# -- mending goes on ---------------------------------------------------------------------------------------------------
def test_a_good_file_is_what_it_was(tmp_path):
    for model in (Ridge(1.0).fit(X, y), GaussianNB().fit(X, y > 0), Triangle.of(X, y)):
        suffice.save(model, tmp_path / "m.suffice", minimum_rows=0)
        again = suffice.load(tmp_path / "m.suffice")
        suffice.save(again, tmp_path / "n.suffice", minimum_rows=0)
        assert (tmp_path / "m.suffice").read_bytes() == (tmp_path / "n.suffice").read_bytes()
        with zipfile.ZipFile(tmp_path / "m.suffice") as archive:
            assert json.loads(archive.read("suffice.json"))["format"] == 1


def test_kinds_write_what_they_read(tmp_path):
    with pytest.raises(Unsupported, match="cannot be saved"):
        write("model", read, tmp_path / "m.suffice")


# -- and nothing else is lost ----------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rows", [2, 4, 30])
@pytest.mark.parametrize(
    "y",
    [lambda X: X[:, 0], lambda X: 0 * X[:, 0] + 2, lambda X: X[:, 0] * 1e150],
    ids=["plane", "flat", "wild"],
)
def test_models_of_few_rows_and_of_wild_targets_are_saved(rows, y, tmp_path):
    """Their deviations, dispersions and determinants are NaN or infinite, and are kept so."""
    X = np.random.default_rng(4).normal(size=(rows, 3))
    X[:, 2] = X[:, 0]
    for entry in ENTRIES:
        if entry.takes == "numbers" and entry.kind == "regressor":
            try:
                model = entry.cls().fit(X, y(X))
            except SufficeError:
                continue
            suffice.save(model, tmp_path / "m.suffice")
            again = suffice.load(tmp_path / "m.suffice")
            assert np.array_equal(again.predict(X), model.predict(X), equal_nan=True), entry.name


def test_every_model_that_a_study_may_choose_is_saved(tmp_path):
    Z = np.random.default_rng(5).normal(size=(60, 3))
    targets = {
        "regression": np.exp(Z[:, 0] + 0.5 * Z[:, 1]),
        "counts": np.floor(np.exp(Z[:, 0] + 1)),
        "binary": np.where(Z[:, 0] + Z[:, 1] ** 2 > 0.5, "a", "b"),
        "multi-class": np.array(["a", "b", "c"])[np.digitize(Z[:, 0] + Z[:, 2], [-0.5, 0.5])],
    }
    saved = 0
    for candidate in CATALOGUE:
        for task in () if candidate.study is None else candidate.study.tasks:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    model = candidate.build().fit(Z, targets[task])
                except SufficeError:
                    continue  # shares, or cells of a kind that these are not
            suffice.save(model, tmp_path / "m.suffice")
            again = suffice.load(tmp_path / "m.suffice")
            assert np.array_equal(again.predict(Z), model.predict(Z)), candidate.name
            saved += 1
    assert saved > 20


def test_distributions_of_every_fold_are_saved(tmp_path):
    made = replace(cross_validate(Ridge(), X, y), distributions=[Normal([0.0, 1.0], 1.0), Normal(2.0, [3.0])])
    suffice.save(made, tmp_path / "v.suffice")
    assert suffice.load(tmp_path / "v.suffice").distributions == made.distributions
