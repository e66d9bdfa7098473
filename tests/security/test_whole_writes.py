"""Files are whole or not there: on full disks, after kills and Ctrl-C, with several writers at once.

A full disk is a limit on the size of files, which the system answers with "File too large".
"""

import errno
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import suffice
from suffice import cli
from suffice._core import writing
from suffice._core.writing import replacing, replacing_together, uninterrupted
from suffice.cli import study as study_command
from suffice.linear import Ridge
from suffice.study import Study

from .endless_writer import SETTINGS, content, drawn_once

pytestmark = pytest.mark.slow

resource = pytest.importorskip("resource")


def model(seed: int, columns: int = 40) -> Ridge:
    rng = np.random.default_rng(seed)
    return Ridge(1.0).fit(rng.normal(size=(90, columns)), rng.normal(size=90))


@contextmanager
def files_of_at_most(size: int):
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    usual = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, usual)


@pytest.fixture(scope="module")
def studies():
    """Two results, the first with more files; their figures are drawn once."""
    with pytest.MonkeyPatch.context() as patch:
        drawn_once(patch.setattr)
        yield Study("@olympic_100m_men", **SETTINGS).run(), Study({"year": list(range(30))}).run()


# -- one file -------------------------------------------------------------------------------------------------------
def test_threads_that_save_to_one_path_leave_a_whole_file(tmp_path):
    models, path = [model(i) for i in range(4)], tmp_path / "one.suffice"

    def write(i):
        suffice.save(models[i % 4], path)
        return suffice.load(path).coef_

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(write, range(60)))
    assert all(any(np.array_equal(coef, m.coef_) for m in models) for coef in found)
    assert os.listdir(tmp_path) == ["one.suffice"]


@pytest.mark.parametrize("size", [0, 1, 700, 4096])
def test_a_full_disk_leaves_the_old_file_and_is_told_by_its_name(tmp_path, size):
    path = tmp_path / "ridge.suffice"
    suffice.save(model(0), path)
    before = path.read_bytes()
    with files_of_at_most(size), pytest.raises(OSError, match=r"ridge\.suffice'$") as caught:
        suffice.save(model(1), path)
    assert caught.value.errno == errno.EFBIG
    assert caught.value.filename == str(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["ridge.suffice"]


@pytest.mark.parametrize(
    "words",
    [
        ("predict", "m.suffice", "t.csv", "--out", "out.csv"),
        ("predict", "m.suffice", "t.csv", "--out", "out.parquet"),
        ("describe", "t.csv", "--html", "out.html"),
        ("fit", "t.csv", "--target", "y", "--out", "out.suffice"),
        ("merge", "m.suffice", "n.suffice", "--out", "out.suffice"),
    ],
    ids=lambda words: f"{words[0]} {words[-1]}",
)
def test_every_command_names_the_file_that_a_full_disk_cannot_hold(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 3))
    np.savetxt("t.csv", np.c_[X, X.sum(1)], delimiter=",", header="a,b,c,y", comments="")
    for name in ("m.suffice", "n.suffice"):
        done = CliRunner().invoke(cli.application(), ["fit", "t.csv", "--target", "y", "--out", name])
        assert done.exit_code == 0, done.output
    Path(words[-1]).write_text("old")
    before = sorted(os.listdir())
    with files_of_at_most(600):
        done = CliRunner().invoke(cli.application(), [*words, "--force"])
    assert done.exit_code == 2, done.output
    assert f"File too large: '{words[-1]}'" in done.output
    assert "Traceback" not in done.output
    assert Path(words[-1]).read_text() == "old"
    assert sorted(os.listdir()) == before


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")])
def test_what_stops_a_save_is_not_hidden_by_the_zip_that_it_leaves_open(tmp_path, monkeypatch, error):
    opened = zipfile.ZipFile._open_to_write

    def stopped(archive, *args, **options):
        opened(archive, *args, **options)
        raise error

    path = tmp_path / "ridge.suffice"
    with monkeypatch.context() as patch, pytest.raises(type(error)):  # noqa: PT012
        patch.setattr(zipfile.ZipFile, "_open_to_write", stopped)
        suffice.save(model(0), path)
    gc.collect()
    assert os.listdir(tmp_path) == []


def test_a_link_stays_a_link_and_permissions_stay(tmp_path):
    there = tmp_path / "real.suffice"
    suffice.save(model(0), there)
    there.chmod(0o640)
    (link := tmp_path / "latest.suffice").symlink_to(there)
    suffice.save(model(1), link)
    assert link.is_symlink()
    assert there.stat().st_mode & 0o777 == 0o640
    assert np.array_equal(suffice.load(there).coef_, model(1).coef_)


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()))
    reader.start()
    with replacing(tmp_path / "pipe") as part:
        Path(part).write_text("through")
    reader.join()
    assert read == ["through"]
    assert (tmp_path / "pipe").is_fifo()


def test_an_error_in_the_block_is_its_own(tmp_path):
    with pytest.raises(FileNotFoundError, match="elsewhere"), replacing(tmp_path / "a.csv"):
        open(tmp_path / "elsewhere")  # noqa: SIM115
    with pytest.raises(KeyError), replacing(tmp_path / "a.csv") as part:  # noqa: PT012
        Path(part).write_text("half")
        raise KeyError
    assert os.listdir(tmp_path) == []


def test_ctrl_c_waits_for_the_end_of_a_block():
    order = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background ignores it
    try:
        with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012
            signal.raise_signal(signal.SIGINT)
            order.append("ended")
        assert order == ["ended"]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


# -- a study --------------------------------------------------------------------------------------------------------
def test_a_full_disk_leaves_the_old_study(tmp_path, studies):
    out = tmp_path / "study"
    studies[0].report(out)
    before = content(out)
    for size in (0, 3000):
        with files_of_at_most(size), pytest.raises(OSError, match=rf"{out}/.*'$"):
            studies[1].report(out)
        assert content(out) == before
        assert os.listdir(tmp_path) == ["study"]


@pytest.mark.parametrize("way", ["one step", "two steps", "file by file", "a folder with more in it"])
def test_a_study_takes_the_place_of_another(tmp_path, studies, monkeypatch, way):
    if way != "one step":
        monkeypatch.setattr(writing, "_exchanged", lambda a, b: False)
    if way == "file by file":
        monkeypatch.setattr(writing, "_exchanged_in_two_steps", lambda a, b: False)
    studies[1].report(tmp_path / "alone")
    out = tmp_path / "study"
    studies[0].report(out)
    out.chmod(0o750)
    mine = {out / "notes.txt": "mine", out / "figures/mine.png": "too"} if way.startswith("a folder") else {}
    for path, text in mine.items():
        path.write_text(text)
    studies[1].report(out)
    found = content(out)
    for path, text in mine.items():
        assert path.read_text() == text
        del found[str(path.relative_to(out))]
    assert found == content(tmp_path / "alone")
    assert sorted(os.listdir(tmp_path)) == ["alone", "study"]
    assert out.stat().st_mode & 0o777 == 0o750


def test_a_study_in_the_folder_one_works_in(tmp_path, studies, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for result in studies:
        result.report(".")
        result.report("page.html")
    assert Path("report.html").exists()
    assert os.path.samefile(".", tmp_path / "here")
    assert os.listdir(tmp_path) == ["here"]


def test_files_that_cannot_all_be_moved_are_all_put_back(tmp_path):
    (tmp_path / "study").mkdir()
    (tmp_path / "study/a").write_text("old")
    (tmp_path / "study/z/in the way").mkdir(parents=True)
    with (  # noqa: PT012
        pytest.raises(OSError, match="z"),
        replacing_together(tmp_path / "study", lambda folder: [Path("a")]) as new,
    ):
        for name in "abz":
            (new / name).write_text("new")
    assert (tmp_path / "study/a").read_text() == "old"
    assert not (tmp_path / "study/b").exists()
    assert os.listdir(tmp_path) == ["study"]


@pytest.mark.parametrize("more", [False, True])
def test_two_studies_at_once_leave_one_of_them_whole(tmp_path, studies, more):
    for i, result in enumerate(studies):
        result.report(tmp_path / f"alone-{i}")
    whole = [content(tmp_path / f"alone-{i}") for i in range(2)]
    out = tmp_path / "study"
    if more:
        out.mkdir()
        (out / "notes.txt").write_text("mine")
    for _ in range(3):
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda i: studies[i % 2].report(out), range(4)))
        found = content(out)
        found.pop("notes.txt", None)
        near = min(whole, key=lambda w: len(dict(w.items() ^ found.items())))
        assert dict(near.items() ^ found.items()) == {}
    assert sorted(os.listdir(tmp_path)) == ["alone-0", "alone-1", "study"]


@pytest.mark.parametrize(
    ("kinds", "moments"),
    [
        ("SIGKILL,SIGINT", 6),
        pytest.param("SIGKILL", 100, marks=pytest.mark.long),
        pytest.param("SIGINT", 100, marks=pytest.mark.long),
    ],
)
def test_stopped_at_random_moments_a_study_is_the_old_or_the_new_one(tmp_path, kinds, moments):
    program = Path(__file__).with_name("endless_writer.py")
    words = [sys.executable, str(program), str(tmp_path), str(moments), "0", kinds]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["odd"] == []
    assert sum(found["counts"]) == moments
    if kinds == "SIGINT":
        assert found["left"] == 0
    if moments > 50:
        assert min(found["counts"]) > 0


# -- going on -------------------------------------------------------------------------------------------------------
def test_a_study_stopped_again_and_again_goes_on_each_time(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    few = ("--models", "linear,ridge", "--quick", "--folds", "3", "--inner", "3", "--out", "here")
    steps = ("validating Ridge", "comparing", "growing", "writing the report")

    for step in steps:

        @contextmanager
        def impatient(step=step):
            def tell(said, done, total):
                if said.startswith(step):
                    raise KeyboardInterrupt

            yield tell

        with monkeypatch.context() as patch:
            patch.setattr(study_command, "progress_bar", impatient)
            stopped = CliRunner().invoke(cli.application(), ["study", "@olympic_100m_men", *few])
        assert stopped.exit_code == 130, stopped.output
        assert "goes on from there" in stopped.output
    done = CliRunner().invoke(cli.application(), ["study", "@olympic_100m_men", *few])
    assert done.exit_code == 0, done.output
    assert not Path("here/unfinished").exists()
    assert Path("here/model.suffice").exists()
