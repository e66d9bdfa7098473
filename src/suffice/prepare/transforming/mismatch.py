"""How a table differs from the one that rules were learned from, in numbers and in sentences."""

from __future__ import annotations

from dataclasses import field

from suffice._core.records import record
from suffice.prepare.looking._checks.wording import column, listed, quoted
from suffice.prepare.transforming._code_numbers import Far

SHOWN = 5


@record
class Mismatch:
    """How a table differs from the one an encoder was fitted to.

    `absent` and `extra` are names of columns; `strangers` counts, by column, the cells with a level or a word that the
    fit has not met; `gaps` the missing cells in columns that had none; `far` the numbers far outside those of the fit.
    `rules` says, by column, what strangers and gaps count as. A mismatch is true if there is any.
    """

    absent: tuple[str, ...]
    extra: tuple[str, ...]
    strangers: dict[str, dict[str, int]]
    gaps: dict[str, int]
    rules: dict[str, str] = field(default_factory=dict)
    far: dict[str, Far] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.absent or self.extra or self.strangers or self.gaps or self.far)

    def sentences(self) -> tuple[str, ...]:
        """Each difference in a line, with its count and what is done about it."""
        out = [f"{column(name)} is not in the table, but the model needs it." for name in self.absent]
        if self.extra:
            many = f"{len(self.extra)} columns that the fit has not met are"
            words = "1 column that the fit has not met is" if len(self.extra) == 1 else many
            out.append(f"{words} ignored: {listed(self.extra)}.")
        for name, found in self.strangers.items():
            n = sum(found.values())
            words = ", ".join(f"{quoted(word)} {times}×" for word, times in list(found.items())[:SHOWN])
            more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
            out.append(
                f"{column(name)} has {_cells(n)} that the fit was not prepared for ({words}{more}){self._rule(name)}."
            )
        for name, n in self.gaps.items():
            gaps = "1 gap" if n == 1 else f"{n} gaps"
            out.append(f"{column(name)} has {gaps}, where the fit had none{self._rule(name)}.")
        for name, far in self.far.items():
            out.append(
                f"{column(name)} has {_cells(far.cells)} far outside the fit ({far.low:.6g} … {far.high:.6g}), such as "
                f"{far.farthest:.6g}: predictions there are extrapolated."
            )
        return tuple(out)

    def _rule(self, name: str) -> str:
        return f"; {self.rules[name]}" if name in self.rules else ""


def _cells(n: int) -> str:
    return "1 cell" if n == 1 else f"{n} cells"
