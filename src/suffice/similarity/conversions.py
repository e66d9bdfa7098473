r"""From distances to similarities, and all pairs when they do not fit into memory.

s = −d, or s = a/(d + a) with a > 0, which is 1 at distance zero and falls to 0          (DTU §4.4)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_number
from suffice.similarity import angles, binary, mixed, norms, whitened
from suffice.similarity._blocks import BlockPlan, parts
from suffice.similarity._columns import columns_of
from suffice.similarity._tables import check_names, pair
from suffice.tables.frames import labels_of


def similarity_from_distance(distance: Any, a: float | None = None) -> Any:
    """Turn distances into similarities: −d, or a/(d + a), which is ½ at distance a.

    Examples
    --------
    >>> from suffice.similarity import similarity_from_distance
    >>> similarity_from_distance([0.0, 1.0, 3.0], a=1)
    array([1.  , 0.5 , 0.25])
    """
    values = np.asarray(distance, dtype=float)
    if np.any(values < 0):
        raise InvalidInput(f"distance must not be negative; got {np.min(values):g}.")
    out = 0.0 - values
    if a is not None:
        unit = check_number("a", a, low=0, strict=True)
        out = 1.0 / (1.0 + values / unit)
    return float(out) if out.ndim == 0 else out


def blocks(
    measure: Callable[..., Any], x: Any, y: Any = None, *, rows: int | None = None, **options: Any
) -> Iterator[tuple[slice, np.ndarray]]:
    """All pairs of two tables a block of rows at a time, for when the whole answer is too large.

    Parameters
    ----------
    measure
        A distance or similarity of this room.
    x, y
        Tables; without y the rows of x with each other.
    rows
        Rows of a block; by default blocks take 64 MB.
    options
        Those of the measure.

    Yields
    ------
    tuple
        Which rows of x, and their distances or similarities to all rows of y.

    Examples
    --------
    >>> from suffice.similarity import blocks, minkowski
    >>> for where, block in blocks(minkowski, [[0.0], [3.0], [4.0]], rows=2, p=1):
    ...     print(where.start, where.stop, block.tolist())
    0 2 [[0.0, 3.0, 4.0], [3.0, 0.0, 1.0]]
    2 3 [[4.0, 1.0, 0.0]]
    """
    if rows is not None and (isinstance(rows, bool) or not isinstance(rows, int) or rows < 1):
        raise InvalidParameter(f"rows must be a whole number >= 1; got {rows!r}.")
    return parts(_plan(measure, x, y, options), rows)


def _plan(measure: Callable[..., Any], x: Any, y: Any, options: dict[str, Any]) -> BlockPlan:
    if measure is mixed.gower:
        left = columns_of(x, "x")
        right = left if y is None else columns_of(y, "y")
        order = ("scales", "orders", "ranges", "weights")
        return mixed.plan(left, right, y is None, *(options.pop(name, None) for name in order), **options)
    if measure is whitened.mahalanobis:
        check_names(x, options.get("cov"), "x", "cov")
        return whitened.plan(pair(x, y), names=labels_of(x), **options)
    if isinstance(measure, str) or measure not in PLANS:
        known = ", ".join(sorted(m.__name__ for m in (*PLANS, mixed.gower, whitened.mahalanobis)))
        what = (
            f"the word {measure!r}; pass the function itself" if isinstance(measure, str) else repr(measure)
        )
        raise InvalidParameter(f"measure must be one of the functions {known}; got {what}.")
    if measure is norms.minkowski:
        return norms.plan(norms.opened(x, y, options.get("p", 2)), **options)
    both = pair(x, y, binary=measure in (binary.jaccard, binary.simple_matching))
    return PLANS[measure](both, **options)


PLANS: dict[Callable[..., Any], Callable[..., BlockPlan]] = {
    angles.correlation: angles.correlation_plan,
    angles.cosine: angles.cosine_plan,
    angles.extended_jaccard: angles.extended_plan,
    binary.jaccard: binary.jaccard_plan,
    binary.simple_matching: binary.matching_plan,
    norms.minkowski: norms.plan,
}
