"""The harness that measures must itself be right: who is compared with whom, and what counts as memory."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from suffice.engine.threads import count

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture
def load(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    return lambda name: import_module(f"benchmarks.{name}")


def _seconds(h, median: float):
    return h.Seconds(median, 0.9 * median, 1.1 * median, 3)


def _race(h, one: float, every: float, **options):
    ours = {"one thread": _seconds(h, one), "all cores": _seconds(h, every)}
    peers = {"one thread": _seconds(h, 2.0), "default": _seconds(h, 3.0)}
    return h.Race("a fit", "a peer", ours, peers, 1e-15, **options)


def test_speedup_is_over_the_peers_faster_setting(load):
    race = _race(load("harness"), 1.0, 0.5)
    assert race.fastest_peer == "one thread"
    assert race.speedup == {"one thread": 2.0, "all cores": 4.0}
    assert race.holds is None


@pytest.mark.parametrize(("bar", "holds"), [(3.9, True), (4.1, False)])
def test_a_race_holds_when_every_bar_does(load, bar, holds):
    race = _race(load("harness"), 1.0, 0.5, bars={"one thread": 2.0, "all cores": bar})
    assert race.holds is holds


@pytest.mark.long
def test_settings_alternate_and_one_thread_means_one(load):
    seen = []

    def work(who):
        def run():
            blas = max((p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"), default=1)
            seen.append((who, count() == 1 and blas == 1))
            return np.ones(2)

        return run

    h = load("harness")
    race = h.race("nothing", work("ours"), {"peer": work("peer")}, h.relative, runs=3)
    assert [who for who, _ in seen] == ["ours", "ours", "peer", "peer"] * 4  # a warm-up and three runs
    assert all(single for _, single in seen[::2])
    assert race.difference == 0.0
    assert {s.runs for s in (*race.ours.values(), *race.peers.values())} == {3}


def test_agreement(load):
    h = load("harness")
    assert h.relative([1.0, 2.0], [1.0, 4.0]) == 0.5
    assert h.digits([1.0 + 1e-7, 2.0], [1.0, 2.0]) == pytest.approx(7.0, abs=1e-6)
    assert h.digits([1.0], [1.0]) == 15.0
    assert h.digits([-3.0], [1.0]) == 0.0


def test_memory_is_the_childs_alone(load):
    held = np.ones(30_000_000)  # 229 MB here must not count there
    cost = load("harness").weigh("import numpy as np", "np.ones(8_000_000).sum()")
    assert held.size
    assert 60 < cost["megabytes"] < 75  # 61 MB were asked for


def test_the_page_names_misses_and_lost_races(load):
    h, report = load("harness"), load("report")
    results = {
        "fit": [_race(h, 4.0, 0.5, bars={"all cores": 9.0}, why="It cheats.")],
        "algebra": [h.Figure("merge", 1e-14, "", 1e-12), h.Figure("memory", 301.0, "MB", 300.0)],
        "nist": [h.Digits("Filip", {"suffice": 13.6, "peer": 0.0}, 12.0)],
    }
    page = report.markdown(results, {"cores": "2", "cpu": "a processor", "versions": "Python 3"})
    assert "**2 of 4 bars hold.** Missed: a fit; memory." in page
    assert "- **a fit** (a peer): 0.50× with one thread. It cheats." in page
    assert "| Filip | 13.6 | 0.0 | ≥ 12 | holds |" in page
    assert "| memory | 301 MB | ≤ 300 MB | **misses** | – |" in page


def test_machine_is_described_without_naming_it(load):
    import platform

    words = " ".join(load("report").describe_machine().values())
    assert "numpy" in words
    assert " /" not in words
    assert platform.node() not in words.split()


def test_quick_run_prints_and_writes_nothing(load, capsys, tmp_path):
    load("__main__").main(["--quick", "--only", "algebra", "--out", str(tmp_path)])
    assert capsys.readouterr().out.count("\n") == 5
    assert not list(tmp_path.iterdir())


def test_bars_of_agreement_hold_on_small_data(load):
    rows = load("rows").ROWS
    for name in ("algebra", "nist"):
        assert [r for r in rows[name](True) if r.holds is False] == []


def test_a_complete_run_writes_both_files(load, monkeypatch, tmp_path):
    import json

    main, rows = load("__main__"), load("rows")
    monkeypatch.setattr(main, "ROWS", {"nist": rows.ROWS["nist"]})
    main.main(["--out", str(tmp_path)])
    numbers = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert len(numbers["rows"]["nist"]) == 11
    assert (tmp_path / "RESULTS.md").read_text(encoding="utf-8").startswith("# Benchmarks")
