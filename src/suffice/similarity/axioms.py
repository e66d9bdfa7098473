r"""Is it a metric, is it a norm? Checked on points, with the counterexample (DTU §4.3).

Metric   d(x, y) ≥ 0;  d(x, y) = 0 only for x = y, and then always;  d(x, y) = d(y, x);  d(x, z) ≤ d(x, y) + d(y, z)
                                                                                              (4.8)–(4.11)
Norm     ‖x‖ > 0 unless x = 0;  ‖a x‖ = |a| ‖x‖;  ‖x + y‖ ≤ ‖x‖ + ‖y‖                          (4.12)–(4.14)

Points can refute an axiom, never prove it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter, check_number
from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice._core.showing import escape


@record(repr=True)
class Counterexample:
    """Points by their places, and the sentence that they refute the axiom with."""

    axiom: str
    points: tuple[int, ...]
    sentence: str


@record
class AxiomCheck:
    """What holds on the points tried: each axiom by name, with a counterexample where it fails."""

    axioms: tuple[str, ...]
    failures: tuple[Counterexample, ...]
    n_points: int

    @property
    def holds(self) -> bool:
        """Whether no axiom failed."""
        return not self.failures

    def __getitem__(self, axiom: str) -> bool:
        if axiom not in self.axioms:
            raise InvalidParameter(
                f"axiom must be one of {', '.join(map(repr, self.axioms))}; got {axiom!r}."
            )
        return all(f.axiom != axiom for f in self.failures)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per axiom."""
        sentences = [None if self[a] else self._sentence(a) for a in self.axioms]
        return to_frame(
            {"axiom": self.axioms, "holds": [self[a] for a in self.axioms], "counterexample": sentences}, kind
        )

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{escape(line)}</td></tr>" for line in str(self).splitlines())
        return f"<table>{rows}</table>"

    def __str__(self) -> str:
        lines = [
            f"{axiom}: {'holds' if self[axiom] else 'fails, ' + self._sentence(axiom)}"
            for axiom in self.axioms
        ]
        return "\n".join([f"On {self.n_points} points", *lines])

    def __repr__(self) -> str:
        failed = ", ".join(f.axiom for f in self.failures)
        return f"<AxiomCheck on {self.n_points} points: {'fails ' + failed if failed else 'holds'}>"

    def _sentence(self, axiom: str) -> str:
        return next(f.sentence for f in self.failures if f.axiom == axiom)


METRIC = ("non-negativity", "identity", "symmetry", "triangle inequality")
NORM = ("positivity", "homogeneity", "triangle inequality")


def check_metric(distance: Any, points: Any = None, *, tolerance: float = 1e-9) -> AxiomCheck:
    """Whether a distance is a metric on some points.

    Parameters
    ----------
    distance
        A function of two points, or the table of all distances between points that differ.
    points
        The points, all triples of which are tried.
    tolerance
        The rounding that is forgiven, relative to the largest distance.

    Examples
    --------
    >>> from suffice.similarity import check_metric, minkowski
    >>> check_metric(minkowski, [[0.0], [1.0], [2.0]])
    <AxiomCheck on 3 points: holds>
    >>> print(check_metric(lambda x, y: minkowski(x, y) ** 2, [[0.0], [1.0], [2.0]]))
    On 3 points
    non-negativity: holds
    identity: holds
    symmetry: holds
    triangle inequality: fails, d(0, 2) = 4 > d(0, 1) + d(1, 2) = 1 + 1
    """
    table, same = _all_pairs(distance, points)
    margin = check_number("tolerance", tolerance, low=0) * float(np.max(np.abs(table), initial=0.0))
    found = (
        _negative(table, margin),
        _identity(table, same, margin),
        _symmetry(table, margin),
        _triangle(table, margin),
    )
    return AxiomCheck(METRIC, tuple(f for f in found if f is not None), len(table))


def _all_pairs(distance: Any, points: Any) -> tuple[np.ndarray, np.ndarray]:
    """All distances, and which points are equal."""
    if callable(distance):
        if points is None or len(points) == 0:
            raise InvalidInput("points must hold at least one point to try the distance on.")
        each = [np.asarray(p) for p in points]
        table = np.array([[float(distance(a, b)) for b in each] for a in each])
        same = np.array([[np.array_equal(a, b) for b in each] for a in each])
    else:
        try:
            table = np.asarray(distance, dtype=float)
        except (TypeError, ValueError):
            raise InvalidInput(
                "distance must be a function of two points, such as suffice.similarity.minkowski, or a square table "
                f"of numbers; got {distance!r:.60}."
            ) from None
        if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size:
            raise InvalidInput(f"distance must be a function or a square table; got shape {table.shape}.")
        same = np.eye(len(table), dtype=bool)
    if not np.all(np.isfinite(table)):
        i, j = np.argwhere(~np.isfinite(table))[0]
        raise InvalidInput(f"The distance of points {i} and {j} is {table[i, j]}; all must be finite.")
    return table, same


def _first(wrong: np.ndarray) -> tuple[int, ...] | None:
    """The place of the first entry that is wrong."""
    return tuple(int(i) for i in np.argwhere(wrong)[0]) if wrong.any() else None


def _negative(d: np.ndarray, margin: float) -> Counterexample | None:
    at = _first(d < -margin)
    if at is None:
        return None
    return Counterexample(METRIC[0], at, f"d({at[0]}, {at[1]}) = {d[at]:.6g} < 0")


def _identity(d: np.ndarray, same: np.ndarray, margin: float) -> Counterexample | None:
    """Equal points must have distance zero, up to rounding; others must not."""
    at = _first((same & (np.abs(d) > margin)) | (~same & (d == 0)))
    if at is None:
        return None
    return Counterexample(
        METRIC[1], at, f"d({at[0]}, {at[1]}) = {d[at]:.6g} for {'equal' if same[at] else 'different'} points"
    )


def _symmetry(d: np.ndarray, margin: float) -> Counterexample | None:
    at = _first(np.abs(d - d.T) > margin)
    if at is None:
        return None
    i, j = at
    return Counterexample(METRIC[2], at, f"d({i}, {j}) = {d[i, j]:.6g} but d({j}, {i}) = {d[j, i]:.6g}")


def _triangle(d: np.ndarray, margin: float) -> Counterexample | None:
    """The worst detour that is shorter than the straight way."""
    worst: tuple[float, tuple[int, int, int]] | None = None
    for k in range(len(d)):
        gain = d - (d[:, [k]] + d[[k]])
        i, j = divmod(int(np.argmax(gain)), len(d))
        if gain[i, j] > margin and (worst is None or gain[i, j] > worst[0]):
            worst = gain[i, j], (i, k, j)
    if worst is None:
        return None
    i, k, j = worst[1]
    way = f"d({i}, {j}) = {d[i, j]:.6g} > d({i}, {k}) + d({k}, {j}) = {d[i, k]:.6g} + {d[k, j]:.6g}"
    return Counterexample(METRIC[3], worst[1], way)


def check_norm(
    norm: Callable[[np.ndarray], float],
    points: Any,
    *,
    factors: Sequence[float] = (-2.0, -1.0, 0.0, 0.5, 3.0),
    tolerance: float = 1e-9,
) -> AxiomCheck:
    """Whether a function of a vector is a norm on some points, their sums and their multiples.

    Examples
    --------
    >>> from suffice.similarity import check_norm, norm
    >>> check_norm(norm, [[1.0, 2.0], [0.0, -3.0]])
    <AxiomCheck on 2 points: holds>
    >>> print(check_norm(lambda x: norm(x, p=0), [[1.0, 2.0], [0.0, -3.0]]))
    On 2 points
    positivity: holds
    homogeneity: fails, ‖-2·x‖ = 2 but |-2|·‖x‖ = 4 for point 0
    triangle inequality: holds
    """
    table = np.asarray(points, dtype=float)
    if table.ndim != 2 or not table.size or not np.all(np.isfinite(table)):
        raise InvalidInput(f"points must be a table of finite numbers; got shape {table.shape}.")
    sizes = np.array([float(norm(x)) for x in table])
    margin = check_number("tolerance", tolerance, low=0) * max(float(np.max(np.abs(sizes))), 1e-300)
    found = (
        _positivity(norm, table, sizes, margin),
        _homogeneity(norm, table, sizes, factors, margin),
        _sums(norm, table, sizes, margin),
    )
    return AxiomCheck(NORM, tuple(f for f in found if f is not None), len(table))


def _positivity(norm: Any, table: np.ndarray, sizes: np.ndarray, margin: float) -> Counterexample | None:
    zero = np.asarray(~table.any(axis=1))
    at = _first(np.where(zero, np.abs(sizes) > margin, ~(sizes > 0)))
    if at is not None:
        what = "zero" if zero[at] else "a vector that is not zero"
        return Counterexample(NORM[0], at, f"‖x‖ = {sizes[at]:.6g} for {what}, point {at[0]}")
    origin = float(norm(np.zeros(table.shape[1])))
    return None if abs(origin) <= margin else Counterexample(NORM[0], (), f"‖0‖ = {origin:.6g}")


def _homogeneity(
    norm: Any, table: np.ndarray, sizes: np.ndarray, factors: Any, margin: float
) -> Counterexample | None:
    for i, a in ((i, a) for i in range(len(table)) for a in factors):
        scaled = float(norm(a * table[i]))
        if not abs(scaled - abs(a) * sizes[i]) <= margin * max(abs(a), 1.0):
            sentence = f"‖{a:g}·x‖ = {scaled:.6g} but |{a:g}|·‖x‖ = {abs(a) * sizes[i]:.6g} for point {i}"
            return Counterexample(NORM[1], (i,), sentence)
    return None


def _sums(norm: Any, table: np.ndarray, sizes: np.ndarray, margin: float) -> Counterexample | None:
    for i in range(len(table)):
        for j in range(i, len(table)):
            whole = float(norm(table[i] + table[j]))
            if not whole <= sizes[i] + sizes[j] + margin:
                sentence = f"‖x + y‖ = {whole:.6g} > ‖x‖ + ‖y‖ = {sizes[i]:.6g} + {sizes[j]:.6g} for points {i} and {j}"
                return Counterexample(NORM[2], (i, j), sentence)
    return None
