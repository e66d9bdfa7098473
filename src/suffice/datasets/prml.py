"""Bishop, Pattern Recognition and Machine Learning: the noisy sinusoid."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import check_choice, check_number
from suffice._core.random import generator
from suffice.datasets._records import GENERATED, Dataset, check_size

_TEXT = "Bishop, Pattern Recognition and Machine Learning"
_SINUSOID_10 = (
    0.349486, 0.830839, 1.007332, 0.971507, 0.133066,
    0.166823, -0.848307, -0.445686, -0.563567, 0.261502,
)  # fmt: skip


def sinusoid_10(rounded: bool = False) -> Dataset:
    """Ten noisy points of sin 2πx, equally spaced on [0, 1]: the running example of chapters 1 and 3.

    The points are circulated with the text, not printed in it. They are circulated with x rounded to six
    decimals (`rounded=True`); the grid itself is exact by default.

    Examples
    --------
    >>> sinusoid_10().y[:3].tolist()
    [0.349486, 0.830839, 1.007332]
    """
    x = np.arange(10) / 9.0
    x = np.round(x, 6) if rounded else x
    source = f"circulated with {_TEXT} (Fig. 1.2), not printed in the text"
    return Dataset(x[:, None], np.array(_SINUSOID_10), ("x",), "t", source, "no licence stated; ten numbers")


def sinusoid(
    n: int = 25, noise_std: float = 0.3, spacing: str = "random", random_state: Any = None
) -> Dataset:
    """Noisy points of sin 2πx on [0, 1].

    - Figs 3.5 and 3.6: n = 25 (printed); a noise of 0.3 is implied by the precision 11.1 of §3.5.3.
    - Figs 3.8 and 3.9: n = 1, 2, 4, 25 (printed).
    - Herbst, Fig. 1.1.1: x random on [0, 1] (printed); n and the noise are not.

    `spacing="random"` draws x ~ U(0, 1); `"grid"` spaces the inputs equally, ends included.
    """
    check_size(n)
    check_number("noise_std", noise_std, low=0.0)
    check_choice("spacing", spacing, ("random", "grid"))
    inputs, noise = generator(random_state).spawn(2)
    x = inputs.random(n) if spacing == "random" else np.linspace(0.0, 1.0, n)
    t = np.sin(2.0 * np.pi * x) + noise_std * noise.standard_normal(n)
    return Dataset(x[:, None], t, ("x",), "t", f"{_TEXT}, Figs 3.5–3.9", GENERATED)
