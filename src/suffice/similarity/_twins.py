"""The loops in NumPy: the same sums in the same order, one coordinate at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

TILE = 2048  # columns whose sums stay in the cache


def _gaps(
    step: Callable[[np.ndarray, np.ndarray], None],
) -> Callable[[np.ndarray, np.ndarray, np.ndarray], None]:
    """A loop over coordinates: `step(sums, gap)` takes in x − y of one of them."""

    def loop(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        out[:] = 0.0
        for a in range(0, out.shape[1], TILE):
            sums = out[:, a : a + TILE]
            gap = np.empty(sums.shape)
            for k in range(len(y)):
                np.subtract(x[:, k, None], y[k, a : a + TILE], out=gap)
                step(sums, gap)

    return loop


def _absolute(sums: np.ndarray, gap: np.ndarray) -> None:
    sums += np.abs(gap, out=gap)


def _largest(sums: np.ndarray, gap: np.ndarray) -> None:
    np.maximum(sums, np.abs(gap, out=gap), out=sums)


def _different(sums: np.ndarray, gap: np.ndarray) -> None:
    sums += gap != 0


def _cubes(sums: np.ndarray, gap: np.ndarray) -> None:
    np.abs(gap, out=gap)
    sums += gap * gap * gap


def _roots(sums: np.ndarray, gap: np.ndarray) -> None:
    sums += np.sqrt(np.abs(gap, out=gap), out=gap)


absolute, largest, different, cubes, roots = map(_gaps, (_absolute, _largest, _different, _cubes, _roots))


def powers(p: float) -> Callable[[np.ndarray, np.ndarray, np.ndarray], None]:
    """Σ|x − y|ᵖ; not compiled, for NumPy's powers are the faster ones."""

    def step(sums: np.ndarray, gap: np.ndarray) -> None:
        sums += np.power(np.abs(gap, out=gap), p, out=gap)

    return _gaps(step)


def roots_of_squares(squares_x: np.ndarray, squares_y: np.ndarray, near: float, out: np.ndarray) -> int:
    """From products x·y to √(x·x + y·y − 2x·y), and −1 where little of the squares is left; how many those are."""
    both = squares_x[:, None] + squares_y
    left = both - 2.0 * out
    lost = ~(left > near * both)
    np.sqrt(left, out=out, where=~lost)
    out[lost] = -1.0
    return int(np.count_nonzero(lost))


def from_differences(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    """All marked pairs are left to others, who take them together."""


def over_lengths(inverse_x: np.ndarray, inverse_y: np.ndarray, out: np.ndarray) -> None:
    """From products x·y to cosines, by one over each length, kept between −1 and 1."""
    out *= inverse_x[:, None] * inverse_y
    np.clip(out, -1.0, 1.0, out=out)
