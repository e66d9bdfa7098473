"""A bar that says what is being done and about how long it will take, where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from suffice.cli.terminal import console

NEARLY = 0.9  # of the work

Update = Callable[[str, float, float], None]


class RemainingTime:
    """The time left, from the share of the work that is done; it counts down while a step is silent."""

    def __init__(self, clock: Callable[[], float] = monotonic):
        self.clock = clock
        self.start = self.updated = clock()
        self.remaining: float | None = None
        self.share = 0.0

    def update(self, done: float, total: float) -> None:
        """So much is done; nothing is foretold before anything is."""
        self.updated = self.clock()
        if done > 0 and total > 0:
            self.share = done / total
            self.remaining = (self.updated - self.start) * max(total - done, 0) / done

    def seconds_left(self) -> float | None:
        """Seconds; None while there is nothing to go by."""
        if self.remaining is None:
            return None
        return max(self.remaining - (self.clock() - self.updated), 0.0)

    def words(self) -> str:
        """`about 12 s left`; nothing while unknown, or where a step takes longer than it should."""
        seconds = self.seconds_left()
        if seconds is None:
            return ""
        if seconds < 1:
            return "nearly done" if self.share >= NEARLY else ""
        return f"about {seconds:.0f} s left" if seconds < 90 else f"about {seconds / 60:.0f} min left"


@contextmanager
def progress_bar(most: int = 40) -> Iterator[Update]:
    """A function to be told (step, done, total); it draws a bar in a terminal, and nothing anywhere else."""
    if not sys.stderr.isatty():
        yield lambda step, done, total: None
        return
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn
    from rich.text import Text

    estimate = RemainingTime()

    class TimeLeft(ProgressColumn):
        def render(self, task: object) -> Text:
            return Text(estimate.words(), style="dim")

    columns = (BarColumn(bar_width=20), TextColumn("{task.description}", markup=False), TimeLeft())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def update(step: str, done: float, total: float) -> None:
            estimate.update(done, total)
            short = step if len(step) <= most else step[: most - 1] + "…"
            bar.update(task, description=short, completed=done, total=total)

        yield update
