"""Finished parts are kept: a study that is run again reads them, and what does not fit is made again."""

import numpy as np
import pytest

from suffice._core.errors import InvalidParameter
from suffice.study import Study
from suffice.study.steps import kept as kept_module

pytestmark = pytest.mark.slow

OPTIONS = {"models": ["linear", "ridge"], "references": False, "effort": "quick"}


def table(n=60):
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    return {"x": x, "c": rng.choice(["a", "b"], n).astype(object), "y": x + rng.normal(size=n)}


@pytest.fixture
def counted(monkeypatch):
    """Names of the candidates that were validated, not read."""
    made = []
    real = kept_module.validate_candidate

    def attempt(candidate, problem, options):
        made.append(candidate.name)
        return real(candidate, problem, options)

    monkeypatch.setattr(kept_module, "validate_candidate", attempt)
    return made


def without_seconds(result):
    tree = result.to_dict()
    del tree["appendix"]
    for model in tree["comparison"]["models"]:
        del model["seconds"]
    return tree


def test_a_second_run_reads_what_the_first_made(tmp_path, counted):
    first = Study(table(), "y", keep=tmp_path / "parts", **OPTIONS).run()
    assert counted == ["mean", "linear", "ridge"]
    assert len(list((tmp_path / "parts").glob("*.suffice"))) == 3
    again = Study(table(), "y", **OPTIONS).run(keep=tmp_path / "parts")
    assert counted == ["mean", "linear", "ridge"]
    assert without_seconds(again) == without_seconds(first)
    more = Study(table(), "y", keep=tmp_path / "parts", **(OPTIONS | {"models": ["ridge", "lasso"]})).run()
    assert counted[3:] == ["lasso"]
    assert more.comparison.of("ridge").estimate == first.comparison.of("ridge").estimate


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"folds": 4}, {"inner": 4}, {"confidence": 0.9}, {"ignore": ["c"]}]
)
def test_other_options_are_other_parts(tmp_path, counted, change):
    Study(table(), "y", keep=tmp_path, **OPTIONS).run()
    Study(table(), "y", keep=tmp_path, **(OPTIONS | change)).run()
    assert counted == 2 * ["mean", "linear", "ridge"]


def test_other_rows_are_other_parts(tmp_path, counted):
    Study(table(), "y", keep=tmp_path, **OPTIONS).run()
    changed = table()
    changed["x"][7] += 1e-9
    Study(changed, "y", keep=tmp_path, **OPTIONS).run()
    assert counted == 2 * ["mean", "linear", "ridge"]


def test_a_stop_leaves_what_is_finished(tmp_path, counted, monkeypatch):
    real = kept_module.validate_candidate

    def stops(candidate, problem, options):
        if candidate.name == "ridge":
            raise KeyboardInterrupt
        return real(candidate, problem, options)

    monkeypatch.setattr(kept_module, "validate_candidate", stops)
    with pytest.raises(KeyboardInterrupt):
        Study(table(), "y", keep=tmp_path, **OPTIONS).run()
    assert sorted(p.name.split("-")[0] for p in tmp_path.iterdir()) == ["linear", "mean"]
    monkeypatch.setattr(kept_module, "validate_candidate", real)
    del counted[:]
    Study(table(), "y", keep=tmp_path, **OPTIONS).run()
    assert counted == ["ridge"]


def test_broken_and_exchanged_files_are_made_again(tmp_path, counted):
    first = Study(table(), "y", keep=tmp_path, **OPTIONS).run()
    linear, ridge = (next(tmp_path.glob(f"{name}-*")) for name in ("linear", "ridge"))
    linear.write_bytes(ridge.read_bytes())
    ridge.write_bytes(b"not a file of ours")
    del counted[:]
    again = Study(table(), "y", keep=tmp_path, **OPTIONS).run()
    assert counted == ["linear", "ridge"]
    assert any("could not be read" in note for note in again.comparison.of("ridge").notes)
    assert any("something else" in note for note in again.comparison.of("linear").notes)
    assert again.comparison.of("ridge").estimate == first.comparison.of("ridge").estimate
    del counted[:]
    Study(table(), "y", keep=tmp_path, **OPTIONS).run()
    assert counted == []


def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidParameter, match="keep: .* cannot be made a folder"):
        Study(table(), "y", keep=tmp_path / "file", **OPTIONS).run()


def test_progress_is_told_in_shares_that_grow():
    told = []
    Study(table(), "y", **OPTIONS).run(lambda *step: told.append(step))
    assert told[0][:2] == ("reading the table", 0.0)
    planned = [
        (done, total)
        for step, done, total in told
        if step not in ("reading the table", "looking at the table")
    ]
    assert len({total for _, total in planned}) == 1
    shares = [done / total for done, total in planned]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] < 1
