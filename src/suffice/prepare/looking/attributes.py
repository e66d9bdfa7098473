r"""What the values of a column mean, and so what may be done with them (DTU §2.1).

Scale        nominal ⊂ ordinal ⊂ interval ⊂ ratio: each allows what the one before it allows, and more
             = ≠       < >      + −        × ÷
Continuity   continuous; discrete (a smallest gap between values); binary (two values)

A column gets the highest scale that it satisfies. Whether zero means "none" no table can tell, so every verdict carries
its reason, and may be overridden.
"""

from __future__ import annotations

from typing import Literal

from suffice._core.errors import check_choice
from suffice._core.records import record

Scale = Literal["nominal", "ordinal", "interval", "ratio"]
Continuity = Literal["binary", "discrete", "continuous"]
Kind = Literal["numbers", "flags", "text", "times", "nothing"]
SCALES: tuple[Scale, ...] = ("nominal", "ordinal", "interval", "ratio")
CONTINUITIES: tuple[Continuity, ...] = ("binary", "discrete", "continuous")
OPERATIONS = {"nominal": ("=", "≠"), "ordinal": ("<", ">"), "interval": ("+", "−"), "ratio": ("×", "÷")}


@record(repr=True)
class Attribute:
    """One column: what its values are, what they mean, and why that was concluded.

    `kind` is how the values are written, `why` a sentence, `order` the values of an ordinal attribute of words from the
    lowest. `identifier` says that the column only names its rows, `repeats` that it names units with several rows each,
    as the persons of a panel, and `calendar` that its numbers are years, which are written without separators.
    """

    name: str
    kind: Kind
    scale: Scale
    continuity: Continuity
    why: str
    rows: int
    missing: int
    distinct: int
    order: tuple[str, ...] | None = None
    identifier: bool = False
    repeats: bool = False
    calendar: bool = False

    def __post_init__(self) -> None:
        check_choice("scale", self.scale, SCALES)
        check_choice("continuity", self.continuity, CONTINUITIES)

    def allows(self, scale: Scale) -> bool:
        """Whether everything that a scale allows makes sense here."""
        check_choice("scale", scale, SCALES)
        return SCALES.index(self.scale) >= SCALES.index(scale)


def allowed_ops(scale: Scale) -> tuple[str, ...]:
    """Operations that make sense for values of a scale (DTU §2.1.2).

    Examples
    --------
    >>> from suffice.prepare import allowed_ops
    >>> allowed_ops("ordinal")
    ('=', '≠', '<', '>')
    """
    check_choice("scale", scale, SCALES)
    return tuple(op for s in SCALES[: SCALES.index(scale) + 1] for op in OPERATIONS[s])
