"""The user's names in what models say, which are fitted to a bare array and call its columns x0, x1, x2 …"""

from __future__ import annotations

import re
from collections.abc import Sequence

GENERIC = re.compile(r"(?P<quoted>'x(?P<inside>\d+)')|(?<!\w)x(?P<plain>\d+)(?!\w)", re.ASCII)


def name_columns(text: str, names: Sequence[str]) -> str:
    """The text with `names[j]` for x<j>, wherever that is a whole word and there is such a column; once, not twice.

    Examples
    --------
    >>> from suffice.study.steps.column_names import name_columns
    >>> name_columns("The weights of 'x1' are not determined, nor is x0².", ["age", "height"])
    "The weights of 'height' are not determined, nor is age²."
    """

    def name(found: re.Match[str]) -> str:
        digits = found["inside"] or found["plain"]
        if int(digits) >= len(names) or digits != str(int(digits)):
            return found[0]
        return repr(names[int(digits)]) if found["quoted"] else names[int(digits)]

    return GENERIC.sub(name, text)
