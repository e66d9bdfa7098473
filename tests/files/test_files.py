"""Model files: what is saved comes back, what was saved once loads for ever, and a hostile file is refused."""

from __future__ import annotations

import io
import json
import os
import struct
import warnings
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import suffice
from suffice._core import files as _files
from suffice._core.errors import InvalidParameter, UnsafeFile, Unsupported
from suffice._core.records import same
from suffice.bases import CustomBasis, GaussianBasis, Polynomial
from suffice.distributions import MultivariateNormal, Normal, StudentT
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.statistics import Counts, Moments, Triangle

DATA = Path(__file__).parent / "data"
X = np.linspace(-1, 2, 12)[:, None]
y = np.sin(2 * X[:, 0])


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A good file and its members."""
    path = tmp_path_factory.mktemp("good") / "model.suffice"
    suffice.save(LinearRegression(basis=Polynomial(2)).fit(X, y), path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return path.read_bytes(), members


def write(folder, members, compression=zipfile.ZIP_DEFLATED):
    path = folder / "other.suffice"
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in members.items() if isinstance(members, dict) else members:
            archive.writestr(name, content)
    return path


def rooted(folder, root, arrays=(), **extra):
    """A file whose tree is the given one."""
    tree = {"format": 1, "version": "0.1.0", "root": root} | extra
    return write(folder, {"suffice.json": json.dumps(tree)} | {f"{i}.npy": a for i, a in enumerate(arrays)})


def npy(header: str, body: bytes = b"\0" * 8) -> bytes:
    text = header.encode("latin1")
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + body


def refuse(path, match="."):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UnsafeFile, match=match):
            suffice.load(path)


# -- there and back -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "value",
    [
        Triangle.of(X, y),
        Triangle.of(X, np.column_stack([y, y]), np.arange(12.0)),
        Moments.of(X),
        Counts.of(["b", "a", "b"]),
        Counts.of([3, 1, 1]),
        Polynomial(3, interactions=True),
        Polynomial(2) + GaussianBasis([0.0, 1.0], width=0.5),
        Normal(1.0, 2.0),
        StudentT(np.inf, [1.0, 2.0], 3.0),
        MultivariateNormal([0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]]),
        [1, 2.5, float("inf"), -float("inf"), None, True, "ünï ☃", ("a", ["b"]), {"k": (1,)}],
        np.array([["a", "b"]], dtype=object),
        np.arange(6).reshape(2, 3),
        np.zeros((0, 3)),
        np.float64(0.1),
    ],
    ids=lambda v: type(v).__name__,
)
def test_values_come_back(value, tmp_path):
    suffice.save(value, tmp_path / "v.suffice", minimum_rows=0)
    again = suffice.load(tmp_path / "v.suffice")
    if isinstance(value, np.ndarray):
        assert again.dtype == value.dtype
    assert same(again, float(value) if isinstance(value, np.float64) else value)


def test_nan_and_long_integers_come_back(tmp_path):
    suffice.save([float("nan"), 10**30], tmp_path / "v.suffice")
    again = suffice.load(tmp_path / "v.suffice")
    assert np.isnan(again[0])
    assert again[1] == 10**30


def test_loaded_arrays_are_read_only(tmp_path):
    suffice.save(Triangle.of(X, y), tmp_path / "t.suffice", minimum_rows=0)
    assert not suffice.load(tmp_path / "t.suffice").factor.flags.writeable


def test_saving_replaces_at_once_and_leaves_no_crumbs(tmp_path):
    path = tmp_path / "m.suffice"
    suffice.save(Ridge(1.0).fit(X, y), path)
    before = path.read_bytes()
    with pytest.raises(Unsupported, match="functions and foreign objects are code"):
        suffice.save(LinearRegression(basis=CustomBasis([np.sin])).fit(X, y), path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["m.suffice"]


def test_name_of_the_file(tmp_path):
    with pytest.raises(ValueError, match="end in '.suffice'; got"):
        suffice.save(Normal(0, 1), tmp_path / "model.pkl")


@pytest.mark.parametrize(
    "value", [object(), print, {(1, 2): 3}, dict, {"a": {3}}, np.array([object()]), lambda: 0, Path("/")]
)
def test_only_values_are_saved(value, tmp_path):
    with pytest.raises(Unsupported, match="cannot be saved"):
        suffice.save(value, tmp_path / "v.suffice")


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        suffice.load(tmp_path / "nowhere.suffice")


# -- for ever -----------------------------------------------------------------------------------------
def stored():
    return [
        (path, name, answer)
        for path in sorted(DATA.glob("format*_expected.json"))
        for name, answer in json.loads(path.read_text())["models"].items()
    ]


@pytest.mark.parametrize(("path", "name", "answer"), stored(), ids=[n for _, n, _ in stored()])
def test_stored_models_load_for_ever(path, name, answer):
    inputs = np.array(json.loads(path.read_text())["inputs"])
    model = suffice.load(path.parent / f"{path.name.removesuffix('_expected.json')}_{name}.suffice")
    assert type(model).__name__ == answer["class"]
    d = model.predict_dist(inputs)
    np.testing.assert_allclose(d.mean, answer["mean"], rtol=1e-12)
    np.testing.assert_allclose(d.std, answer["std"], rtol=1e-12)
    np.testing.assert_allclose(model.predict(inputs), answer["mean"], rtol=1e-12)
    refitted = suffice.merge([model])  # its statistics still solve to the same answer
    np.testing.assert_allclose(refitted.predict(inputs), answer["mean"], rtol=1e-9)


LINKED = {
    "logistic_regression": (1.227770434664615, -0.5426176007485699),
    "poisson_regression": (0.5382334809244491, -0.3824676686968735),
}


@pytest.mark.parametrize("name", LINKED)
def test_files_from_before_fields_were_renamed(name, tmp_path):
    """`PassSums` was called Slope, and its `curvature` bend: files keep both names."""
    model = suffice.load(DATA / f"format1_{name}.suffice")
    np.testing.assert_allclose(model.coef_.ravel(), LINKED[name], rtol=1e-9)
    assert type(model.statistics_).__name__ == "PassSums"
    suffice.save(model, tmp_path / "again.suffice")
    with zipfile.ZipFile(tmp_path / "again.suffice") as archive:
        sums = json.loads(archive.read("suffice.json"))["root"]["fitted"]["statistics_"]
    assert sums["record"] == "glm.Slope"
    assert "bend" in sums["fields"]
    assert "curvature" not in sums["fields"]
    assert same(suffice.load(tmp_path / "again.suffice").statistics_, model.statistics_)


def test_a_renamed_field_carries_its_value(tmp_path):
    sums = replace(
        suffice.load(DATA / "format1_poisson_regression.suffice").statistics_, curvature=np.arange(3.0)
    )
    suffice.save(sums, tmp_path / "sums.suffice", minimum_rows=0)
    assert same(suffice.load(tmp_path / "sums.suffice"), sums)


def test_every_format_has_its_files():
    for number in range(1, _files.FORMAT + 1):
        assert len(list(DATA.glob(f"format{number}_*.suffice"))) >= 3


def test_migration_lifts_an_old_file(monkeypatch):
    """A next format that renames `alpha` reads the files of this one."""
    seen = []

    def lift(tree):
        seen.append(tree["format"])
        tree["root"]["params"]["penalty_scale"] = "sum"  # what format 2 would say
        return tree | {"format": 2}

    monkeypatch.setattr(_files, "FORMAT", 2)
    monkeypatch.setitem(_files._MIGRATIONS, 1, lift)
    model = suffice.load(DATA / "format1_ridge.suffice")
    assert seen == [1]
    assert model.penalty_scale == "sum"


def test_migrations_run_in_order(monkeypatch):
    order = []
    for number in (1, 2, 3):
        monkeypatch.setitem(
            _files._MIGRATIONS,
            number,
            lambda tree, number=number: order.append(number) or tree | {"format": number + 1},
        )
    monkeypatch.setattr(_files, "FORMAT", 4)
    assert suffice.load(DATA / "format1_mean_regressor.suffice").predict([[0.0, 0.0]]).shape == (1,)
    assert order == [1, 2, 3]


def test_a_format_without_migration_is_refused(monkeypatch):
    monkeypatch.setattr(_files, "FORMAT", 2)
    refuse(DATA / "format1_ridge.suffice", "format 1")


@pytest.mark.parametrize("number", [0, 2, -1, "1", None, True, 1.0, [1], {"a": 1}, 10**40])
def test_wrong_format_numbers(good, number, tmp_path):
    tree = json.loads(good[1]["suffice.json"]) | {"format": number}
    refuse(write(tmp_path, good[1] | {"suffice.json": json.dumps(tree)}), "format")


# -- broken -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "content", [b"", b"PK", b"not a zip at all", b"PK\x05\x06" + b"\0" * 18, os.urandom(500)]
)
def test_not_an_archive(content, tmp_path):
    path = tmp_path / "x.suffice"
    path.write_bytes(content)
    refuse(path)


def test_truncated_anywhere(good, tmp_path):
    raw, path = good[0], tmp_path / "x.suffice"
    for length in range(0, len(raw), max(1, len(raw) // 97)):
        path.write_bytes(raw[:length])
        refuse(path)


@pytest.mark.slow
def test_a_flipped_byte_never_escapes(good, tmp_path):
    """Refused, or (where the byte says nothing, such as a date) loaded to the same answer."""
    raw, path = good[0], tmp_path / "x.suffice"
    expected = LinearRegression(basis=Polynomial(2)).fit(X, y).predict(X)
    refused = 0
    for i in range(0, len(raw), 5):
        path.write_bytes(raw[:i] + bytes([raw[i] ^ 0xFF]) + raw[i + 1 :])
        try:
            model = suffice.load(path)
        except UnsafeFile:
            refused += 1
        else:
            assert np.array_equal(model.predict(X), expected), i
    assert refused > 0.5 * len(raw) / 5


def test_missing_members(good, tmp_path):
    for name in good[1]:
        refuse(write(tmp_path, {k: v for k, v in good[1].items() if k != name}), "member|arrays")


@pytest.mark.parametrize(
    "name",
    [
        "extra.txt",
        "99.npy",
        "0.NPY",
        "../0.npy",
        "/etc/passwd",
        "a/0.npy",
        "..\\0.npy",
        "suffice.json/",
        "0.npy.npy",
        "٣.npy",
        "-1.npy",
        "0x1.npy",
        ".npy",
        "code.py",
        "model.pkl",
        "suffice.JSON",
    ],
)
def test_extra_members(good, name, tmp_path):
    refuse(write(tmp_path, good[1] | {name: b"x"}), "unexpected member|nothing refers")
    assert os.listdir(tmp_path) == ["other.suffice"]  # nothing is ever unpacked


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_duplicate_members(good, tmp_path):
    refuse(write(tmp_path, [*good[1].items(), ("0.npy", good[1]["0.npy"])]), "unexpected member '0.npy'")
    refuse(
        write(tmp_path, [*good[1].items(), ("suffice.json", good[1]["suffice.json"])]), "unexpected member"
    )


def test_members_that_lie_about_their_size(good, tmp_path):
    """Sizes in the central directory are patched; the content stays."""
    path = write(tmp_path, good[1], zipfile.ZIP_STORED)
    raw = bytearray(path.read_bytes())
    at = raw.find(b"PK\x01\x02")
    for delta in (-1, 1, 1 << 20):
        broken = bytearray(raw)
        size = struct.unpack_from("<I", raw, at + 24)[0]
        struct.pack_into("<I", broken, at + 24, size + delta)
        path.write_bytes(broken)
        refuse(path)


def test_a_bomb_is_not_unpacked(tmp_path):
    """A hundred megabytes of zeros pack to a hundred kilobytes; the limit looks at what they would unpack to."""
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (100000000,), }"
    path = rooted(tmp_path, {"array": 0}, [npy(header, bytes(100_000_000))])
    refuse(path, r"takes more than 64 MB: array 0 is too large.*load\(path, memory=\d+\)")
    assert suffice.load(path, memory=1 << 27).size == 100_000_000


@pytest.mark.parametrize(
    "root",
    [
        "[" + ",".join(["[]"] * 1_500_000) + "]",
        "[" + ",".join(["{}"] * 400_000) + "]",
        "[" + ",".join(["0.5"] * 2_000_000) + "]",
        "[" + ",".join(['"a"'] * 1_000_000) + "]",
        '{"dict":{' + ",".join(f'"{i}":1' for i in range(600_000)) + "}}",
        '"' + r"\ud83d\ude00" * 4_000_000 + '"',
    ],
    ids=["lists", "objects", "numbers", "texts", "keys", "one text"],
)
def test_trees_are_weighed_before_they_are_read(root, tmp_path):
    path = write(tmp_path, {"suffice.json": '{"format":1,"version":"0","root":' + root + "}"})
    refuse(path, "its tree is too large|'suffice.json' is too large")


def test_references_are_counted(tmp_path):
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (1000000,), }"
    refuse(rooted(tmp_path, [{"array": 0}] * 100, [npy(header, bytes(1_000_000))]), "array 0 is too large")


def test_a_long_directory_is_not_read(tmp_path):
    path = tmp_path / "x.suffice"
    path.write_bytes(
        b"PK\1\2" * 3_000_000 + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 9, 9, 12_000_000, 0, 0)
    )
    refuse(path, "its directory is too large")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_what_is_no_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.suffice")
    refuse(tmp_path / "pipe.suffice", "is a pipe or a device")
    refuse("/dev/zero", "is a pipe or a device")
    refuse(tmp_path, "is a folder")


@pytest.mark.parametrize("memory", [-1, True, 1.5, "64 MB", None])
def test_memory_is_a_number_of_bytes(memory, tmp_path):
    with pytest.raises(InvalidParameter, match="memory must be a number of bytes"):
        suffice.load(tmp_path / "x.suffice", memory=memory)


def test_what_packs_well_is_saved_so_that_it_loads(tmp_path):
    zeros = np.zeros(10_000_000)
    suffice.save(zeros, tmp_path / "zeros.suffice")
    assert suffice.load(tmp_path / "zeros.suffice").shape == zeros.shape


@pytest.mark.parametrize(
    "array",
    [
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.array(["ab", "c"]),
        np.array(3.0),
        np.zeros((0, 4)),
        np.arange(3, dtype=">i4"),
        np.array([True, False]),
        np.arange(24).reshape(2, 3, 4)[:, ::2],
    ],
    ids=lambda a: f"{a.dtype.str}{a.shape}",
)
def test_arrays_of_any_layout_come_back(array, tmp_path):
    suffice.save(array, tmp_path / "a.suffice")
    again = suffice.load(tmp_path / "a.suffice")
    assert again.dtype == array.dtype
    assert np.array_equal(again, array)
    assert again.flags.f_contiguous == array.flags.f_contiguous


def test_loading_leaves_the_filters_of_warnings_alone(good, tmp_path, monkeypatch):
    path = tmp_path / "x.suffice"
    path.write_bytes(good[0])
    monkeypatch.setattr(warnings, "catch_warnings", None)
    suffice.load(path)


def test_words_of_a_file_are_cut_short(good, tmp_path):
    tree = json.loads(good[1]["suffice.json"]) | {"format": 2, "version": "x" * 100_000}
    path = write(tmp_path, good[1] | {"suffice.json": json.dumps(tree)})
    with pytest.raises(UnsafeFile, match="written by Suffice 'xxx") as caught:
        suffice.load(path)
    assert len(str(caught.value)) < 300


def test_encrypted_flag(good, tmp_path):
    path = write(tmp_path, good[1])
    raw = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = raw.find(signature)
        while at >= 0:
            raw[at + offset] |= 1
            at = raw.find(signature, at + 4)
    path.write_bytes(raw)
    refuse(path)


# -- malicious ----------------------------------------------------------------------------------------
class Bomb:
    """Pickles to a call; unpickling it would leave a trace."""

    def __reduce__(self):
        return (os.mkdir, ("exploded",))


def test_pickles_are_never_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.array([Bomb()], dtype=object), allow_pickle=True)
    refuse(rooted(tmp_path, {"array": 0}, [stream.getvalue()]), "objects are never read")
    import pickle

    path = tmp_path / "p.suffice"
    path.write_bytes(pickle.dumps(Bomb()))
    refuse(path)
    refuse(rooted(tmp_path, {"array": 0}, [pickle.dumps(Bomb())]))
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize(
    "header",
    [
        "(" * 5000,
        "-" * 4000 + "1",
        '"""',
        "\0",
        "0",
        "[]",
        "{}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000000,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807,9223372036854775807), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f8', 'fortran_order': 7, 'shape': (1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }",
        "{'descr': 'zz', 'fortran_order': False, 'shape': (1,), }",
        "__import__('os').mkdir('exploded')",
        "{'descr': [('a', '|O')], 'fortran_order': False, 'shape': (1,), }",
    ],
    ids=range(18),
)
def test_malformed_arrays(header, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refuse(rooted(tmp_path, {"array": 0}, [npy(header)]))
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("dtype", ["<U3", ">U3", "|b1"])
def test_arrays_that_numpy_never_writes(dtype, tmp_path):
    """Codes beyond the last character, and a truth value of 2."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': (2,), }}"
    size = 2 * np.dtype(dtype).itemsize
    refuse(
        rooted(tmp_path, {"array": 0}, [npy(header, b"\x02" + b"\x7f" * (size - 1))]),
        match="no character|truth values",
    )


@pytest.mark.parametrize(
    "name",
    [
        "os.system",
        "builtins.eval",
        "linear.os",
        "linear.Ridge.solve",
        "linear.LinearModel",
        "",
        ".",
        "..",
        "bases.Basis",
        "suffice.load",
        "_files.load",
        "_core.records",
        "linear",
        "linear.ridge.Ridge",
        "subprocess.Popen",
        "linear.__class__",
        "study.Study",
        "\ud800",
    ],
)
def test_unknown_classes(name, tmp_path):
    refuse(rooted(tmp_path, {"record": name, "fields": {}}), "not on the list|damaged")
    refuse(rooted(tmp_path, {"estimator": name, "params": {}, "fitted": {}}), "not on the list|damaged")


@pytest.mark.parametrize(
    "root",
    [
        {"record": "bases.Polynomial", "fields": {"degree": 2, "power": 3}},
        {"record": "bases.Polynomial", "fields": {"degree": -2}},
        {"record": "bases.Polynomial", "fields": {}},
        {"record": "bases.Polynomial", "fields": {"degree": {"dict": {}}}},
        {"record": "bases.CustomBasis", "fields": {"functions": ["os.system"]}},
        {"record": "bases.GaussianBasis", "fields": {"centers": {"dict": {}}}},
        {"record": "distributions.Normal", "fields": {"mean": 0.0, "std": -1.0}},
        {"record": "bases.Polynomial", "fields": {"degree": 2}, "more": 1},
        {"record": "bases.Polynomial", "fields": [2]},
        {"record": 3, "fields": {}},
        {"record": "linear.Ridge", "fields": {}},
        {"estimator": "linear.Ridge", "params": {"lam": 1}, "fitted": {}},
        {"estimator": "linear.Ridge", "params": {}, "fitted": {"predict": 1}},
        {"estimator": "linear.Ridge", "params": {}, "fitted": {"__class__": 1}},
        {"estimator": "linear.Ridge", "params": {}, "fitted": {"alpha": 1}},
        {"estimator": "linear.Ridge", "params": {}},
        {"estimator": "bases.Polynomial", "params": {"degree": 1}, "fitted": {}},
        {
            "estimator": "distributions.MultivariateNormal",
            "params": {"mean": [0.0], "cov": [[1.0]]},
            "fitted": {"_factor": 3},
        },
        {"array": "0"},
        {"array": True},
        {"array": -1},
        {"array": 7},
        {"array": 0, "more": 1},
        {"tuple": 3},
        {"float": "1e5"},
        {"float": "__import__('os')"},
        {"strings": ["a"], "shape": [2]},
        {"strings": [1], "shape": [1]},
        {"strings": [], "shape": [0, 10**30]},
        {"strings": [], "shape": [0] * 100},
        {"strings": ["a"], "shape": [-1, -1]},
        {"code": "import os"},
        {},
    ],
    ids=lambda r: str(r)[:60],
)
def test_malformed_trees(root, tmp_path):
    refuse(rooted(tmp_path, root))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        "null",
        '{"format": 1}',
        '{"format": 1, "root": ',
        '"format"',
        "\xff\xfe",
        '{"format": 1, "version": "0", "root": ' + "9" * 5000 + "}",
    ],
)
def test_malformed_json(text, tmp_path):
    refuse(write(tmp_path, {"suffice.json": text.encode("latin1")}))


@pytest.mark.parametrize("depth", [400, 900, 1500, 100_000])
@pytest.mark.parametrize("pair", ["[]", '{"tuple":[]}', '{"dict":{"a":}}'], ids=["list", "tuple", "dict"])
def test_deep_nesting(depth, pair, tmp_path):
    head, tail = {
        "[]": ("[", "]"),
        '{"tuple":[]}': ('{"tuple":[', "]}"),
        '{"dict":{"a":}}': ('{"dict":{"a":', "}}"),
    }[pair]
    inner = "" if pair != '{"dict":{"a":}}' else "1"
    text = '{"format":1,"version":"0","root":' + head * depth + inner + tail * depth + "}"
    path = write(tmp_path, {"suffice.json": text})
    try:
        suffice.load(path)  # shallow enough for this interpreter
    except UnsafeFile:
        pass
    else:
        assert depth <= 900


def test_arrays_nothing_refers_to(good, tmp_path):
    refuse(rooted(tmp_path, 1, [good[1]["0.npy"]]), "nothing refers")


def test_one_array_may_be_used_twice(good, tmp_path):
    a, b = suffice.load(rooted(tmp_path, [{"array": 0}, {"array": 0}], [good[1]["0.npy"]]))
    assert np.array_equal(a, b)


def test_bayes_with_priors_comes_back(tmp_path):
    model = BayesianLinearRegression(
        1.0, prior_mean=[1.0, 2.0], prior_cov=np.eye(2), basis=Polynomial(2)
    ).fit(X, y)
    suffice.save(model, tmp_path / "b.suffice")
    again = suffice.load(tmp_path / "b.suffice")
    assert again.prior_mean == [1.0, 2.0]
    assert np.array_equal(again.sample_functions(3, 0)(X), model.sample_functions(3, 0)(X))
    assert again.trace_ == model.trace_


@pytest.mark.slow
def test_a_fresh_interpreter_knows_every_class_that_may_be_in_a_file(tmp_path):
    """Classes are allowed by being imported with their room: a room that loads lazily would refuse its own files."""
    import subprocess
    import sys

    from suffice.linear import ARDRegression, Lasso, LeastAbsoluteDeviations

    X = np.random.default_rng(0).standard_normal((50, 2))
    for i, model in enumerate((Lasso(0.1), LeastAbsoluteDeviations(), ARDRegression())):
        suffice.save(model.fit(X, X[:, 0] + X[:, 1] ** 2), tmp_path / f"{i}.suffice")
    code = "import sys, suffice; print([type(suffice.load(p)).__name__ for p in sys.argv[1:]])"
    paths = sorted(map(str, tmp_path.iterdir()))
    done = subprocess.run([sys.executable, "-c", code, *paths], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['Lasso', 'LeastAbsoluteDeviations', 'ARDRegression']"


def test_the_same_model_gives_the_same_bytes(tmp_path, monkeypatch):
    for i, path in enumerate((tmp_path / "a.suffice", tmp_path / "b.suffice")):
        monkeypatch.setattr("time.time", lambda i=i: 1e9 + 1e6 * i)
        suffice.save(Ridge(1.0).fit([[0.0], [1.0], [2.0]], [1.0, 2.0, 2.5]), path)
    assert (tmp_path / "a.suffice").read_bytes() == (tmp_path / "b.suffice").read_bytes()
