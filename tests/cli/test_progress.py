"""The time that is left, and a bar only where somebody watches."""

from __future__ import annotations

import io
import sys

from suffice.cli.progress import RemainingTime, progress_bar


def test_the_time_left_follows_the_share_that_is_done():
    now = [100.0]
    estimate = RemainingTime(lambda: now[0])
    assert estimate.words() == ""
    estimate.update(0, 10)
    assert estimate.seconds_left() is None
    now[0] = 110.0
    estimate.update(2, 10)  # 10 s for a fifth: 40 s more
    assert estimate.seconds_left() == 40.0
    assert estimate.words() == "about 40 s left"
    now[0] = 125.0  # a silent step
    assert estimate.seconds_left() == 25.0
    now[0] = 500.0  # a fifth is done, and the time is up
    assert estimate.words() == ""
    estimate.update(1, 2)
    assert estimate.words() == "about 7 min left"
    estimate.update(1999, 2000)
    assert estimate.words() == "nearly done"


def test_nothing_is_drawn_into_a_file(capsys):
    with progress_bar() as update:
        update("a step", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_bar_is_drawn_in_a_terminal(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    for step in ("validating [red]Ridge", "x" * 100):
        with progress_bar() as update:
            update(step, 1, 4)
    assert "validating [red]Ridge" in screen.getvalue()
    assert "x" * 41 not in screen.getvalue()
