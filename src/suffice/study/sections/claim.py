"""What is said about two models, with everything it rests on."""

from __future__ import annotations

from suffice._core.records import record
from suffice.study.sections.plain import Interval


@record
class Claim:
    """Which of two models predicts better, by how much, and how sure that is.

    `difference` is by how much the loss of `better` is lower, per unit as it was counted, and `interval` holds it.
    Both `interval` and `p_value` are corrected for all pairs of the family: those with the baseline
    (`against_baseline`), or all others. It is `claimed` that `better` predicts better exactly where the interval
    excludes 0, which is where the p-value is below one less the confidence. `units` independent ones of the kind `unit`
    ("rows", "groups" or "stretches") were counted, `counted` says so in words. Where nothing varies there is no
    interval and no claim. `by_ranks` where a few units decide the mean, so that typical ones were compared.
    """

    better: str
    worse: str
    difference: float
    interval: Interval | None
    p_value: float | None
    unit: str
    units: int
    claimed: bool
    against_baseline: bool
    sentence: str
    test: str
    assumption: str
    counted: str

    @property
    def names(self) -> frozenset[str]:
        """Both models."""
        return frozenset((self.better, self.worse))

    @property
    def by_ranks(self) -> bool:
        """Whether typical units were compared, not means."""
        return self.test.startswith("t test of signed ranks")

    def other(self, name: str) -> str:
        """The model that one is compared with."""
        return self.worse if name == self.better else self.better

    def lead(self, name: str) -> float:
        """The loss of one of the two less that of the other: negative if it predicts better."""
        return -self.difference if name == self.better else self.difference

    def lead_interval(self, name: str) -> Interval | None:
        """The interval of `lead`."""
        if self.interval is None:
            return None
        low, high = self.interval
        return (-high, -low) if name == self.better else (low, high)

    def favors(self, name: str) -> bool:
        """Whether it is claimed that this one predicts better."""
        return self.claimed and name == self.better
