r"""How good can it get? The best accuracy that wrong labels allow (DTU §7.3.4).

A share ε of the labels is wrong: who knows every true class is right in 1 − ε of the rows. With K classes and the
wrong labels spread over the others, always naming one particular other class would be right in ε/(K − 1).
If instead a share r of the labels was drawn at random among all K classes, some came out right: ε = r (1 − 1/K).
"""

from __future__ import annotations

import numbers
from typing import Any

from suffice._core.errors import InvalidParameter, check_fraction, check_number
from suffice._core.proportions import jeffreys
from suffice.evaluation.findings import Measured


def ceiling(
    label_noise: float,
    n_classes: int | None = None,
    *,
    coincide: bool = False,
    checked: int | None = None,
    confidence: float = 0.95,
) -> Measured:
    """The best accuracy that can be reached on labels of which some are wrong.

    Parameters
    ----------
    label_noise
        The share of labels that are wrong; with `coincide`, that were replaced by random ones.
    n_classes
        How many classes there are; needed for `coincide`, and for labels that are wrong more often than right.
    coincide
        Whether a random label may be the right one by chance.
    checked
        How many labels were checked to find `label_noise`. The result then has an interval, from Jeffreys'
        interval of that share.

    Examples
    --------
    >>> from suffice.evaluation import ceiling
    >>> ceiling(0.1), ceiling(0.1, n_classes=4, coincide=True), ceiling(0.1, checked=50)
    (0.9, 0.925, 0.9 [0.795, 0.961])
    """
    noise = check_number("label_noise", label_noise, low=0)
    if noise > 1:
        raise InvalidParameter(f"label_noise must be in [0, 1]; got {label_noise!r}.")
    confidence = check_fraction("confidence", confidence)
    _check_classes(n_classes, coincide)
    value = _best(noise, n_classes, coincide)
    if checked is None:
        return Measured(value, None, confidence)
    n = check_number("checked", checked, low=0, strict=True)
    ends = [_best(float(e), n_classes, coincide) for e in jeffreys(noise * n, n, confidence)]
    return Measured(value, (min(*ends, value), max(*ends, value)), confidence, "Jeffreys")


def _check_classes(n_classes: Any, coincide: bool) -> None:
    if not isinstance(coincide, bool):
        raise InvalidParameter(f"coincide must be True or False; got {coincide!r}.")
    if n_classes is None and coincide:
        raise InvalidParameter("coincide=True needs n_classes, to know how often a random label is right.")
    whole = isinstance(n_classes, numbers.Integral) and not isinstance(n_classes, bool)
    if n_classes is not None and not (whole and n_classes >= 2):
        raise InvalidParameter(f"n_classes must be an integer >= 2; got {n_classes!r}.")


def _best(noise: float, n_classes: int | None, coincide: bool) -> float:
    wrong = noise * (1 - 1 / n_classes) if coincide and n_classes else noise
    other = wrong / (n_classes - 1) if n_classes else 0.0
    return max(1 - wrong, other)
