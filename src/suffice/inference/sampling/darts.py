"""A dartboard: the region whose probability is easily sampled and not easily integrated (FCML §4.5.1, Fig. 4.8).

Twenty segments of 18°, the one of 20 on top; a ring counts double at the rim and triple half-way; two circles in the
middle count 25 and 50. Lengths are in millimetres from the middle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, as_numbers

SEGMENTS = (20, 1, 18, 4, 13, 6, 10, 15, 2, 17, 3, 19, 7, 16, 8, 11, 14, 9, 12, 5)  # clockwise from the top
# bull's-eye, bull, triple ring from and to, double ring from and to
RADII = (
    6.35,
    15.9,
    99.0,
    107.0,
    162.0,
    170.0,
)
FACTORS = (0, 0, 1, 3, 1, 2, 0)  # of the segment's number, between those radii
MIDDLE = (50, 25, 0, 0, 0, 0, 0)


def dart_score(x: Any, y: Any) -> Any:
    """Points of darts that land at (x, y), in millimetres right of and above the middle.

    A dart on a wire counts as the part that lies farther out, or clockwise.

    Examples
    --------
    >>> from suffice.inference import dart_score
    >>> dart_score([0, 10, 0, 0, 0, 166, 0], [0, 0, 50, 103, 166, 0, 200])
    array([50, 25, 20, 60, 40, 12,  0])

    How probable is double 20 for a player who aims there with a spread of 15 mm?

    >>> import numpy as np
    >>> from suffice.distributions import MultivariateNormal
    >>> from suffice.inference import monte_carlo
    >>> throws = MultivariateNormal([0, 166], 15**2 * np.eye(2))
    >>> monte_carlo(lambda at: dart_score(*at.T) == 40, throws, 100_000, rng=0)
    MonteCarlo(0.19266 ± 0.0012 from 100000 draws, 95 % interval [0.190225, 0.195113])
    """
    right, above = np.broadcast_arrays(as_numbers("x", x), as_numbers("y", y))
    if not (np.isfinite(right).all() and np.isfinite(above).all()):
        raise InvalidInput("x and y must be finite; a dart lands somewhere.")
    ring = np.searchsorted(RADII, np.hypot(right, above), side="right")
    turn = np.degrees(np.arctan2(right, above)) / (360 / len(SEGMENTS))  # clockwise from the top, in segments
    segment = np.floor(turn + 0.5).astype(int) % len(SEGMENTS)
    return (np.take(MIDDLE, ring) + np.take(FACTORS, ring) * np.take(SEGMENTS, segment))[()]
