r"""Least squares over parameters inside a basis (FCML §1.4).

In f(x) = w₀ + w₁ x + w₂ sin((x − a)/b) the weights have a closed form, a and b have none. But for each pair
(a, b) the best weights follow, which leaves a function of a and b alone,

    L(a, b) = min_w Σ_n (y_n − w₀ − φ(x_n; a, b)ᵀ w)²

to be searched: on a grid, and then on finer grids about the best point found so far.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from suffice._core.errors import (
    AtBound,
    InvalidInput,
    InvalidParameter,
    RankDeficient,
    as_numbers,
    check_integer,
    warn,
)
from suffice._core.frames import to_frame
from suffice._core.numerics import first_nonfinite
from suffice._core.records import frozen_array, record
from suffice._core.threads import one_blas_thread
from suffice.bases._base import Basis, as_table
from suffice.statistics import AffineFunction, Header, Layout, Solution, gather


@record
class BasisSearch:
    """What a search over parameters of a basis found.

    `parameters` are the best ones and `loss` is their summed squared error; `basis` is made of them, and
    the record itself is the fitted function: call it with a table. `values` and `surface` are the first, exhaustive
    grid, one axis per parameter in the order of `values`; `path` has the smallest loss after each grid.
    """

    parameters: dict[str, Any]
    loss: float
    values: dict[str, tuple[Any, ...]]
    surface: np.ndarray
    path: tuple[float, ...]
    basis: Basis
    function: AffineFunction

    def __call__(self, X: Any) -> np.ndarray:
        """The fitted function at each row."""
        return self.function(as_table(X))[:, 0]

    @property
    def intercept(self) -> float:
        return float(self.function.raw()[0][0])

    @property
    def coef(self) -> np.ndarray:
        """Weights of the columns of the best basis."""
        return self.function.raw()[1][:, 0]

    def frame(self, kind: str = "pandas") -> Any:
        """One row per point of the first grid: the parameters and the loss."""
        rows = list(product(*self.values.values()))
        columns: dict[str, Any] = {name: [r[i] for r in rows] for i, name in enumerate(self.values)}
        return to_frame(columns | {"loss": self.surface.ravel()}, kind)

    def __str__(self) -> str:
        size = f"{self.surface.size} points, {len(self.path) - 1} refinements"
        return f"summed loss {self.loss:.5g} at {_listed(self.parameters)} ({size})"

    def __repr__(self) -> str:
        return f"<BasisSearch: {self}>"

    def _repr_html_(self) -> str:
        order = np.argsort(self.surface, axis=None, kind="stable")[:10]
        points = list(product(*self.values.values()))
        rows = "".join(
            f"<tr>{''.join(f'<td>{_shown(v)}</td>' for v in points[i])}<td>{self.surface.flat[i]:.5g}</td></tr>"
            for i in order
        )
        head = "".join(f"<th>{name}</th>" for name in (*self.values, "loss"))
        return f"<p>{self}</p><table><tr>{head}</tr>{rows}</table>"


@one_blas_thread()
def search_basis(
    make: Callable[..., Basis],
    X: Any,
    y: Any,
    parameters: Mapping[str, Sequence[Any]] | None = None,
    *,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    points: int = 25,
    refine: int = 0,
    fit_intercept: bool = True,
    sample_weight: Any = None,
    validation: tuple[Any, Any] | None = None,
) -> BasisSearch:
    """The basis whose least-squares fit has the smallest loss, by exhaustive search.

    Parameters
    ----------
    make
        Called with the parameters by name, returns the basis.
    X, y
        A table (or one input as a vector) and a target.
    parameters
        Values to try, by name; all combinations are.
    bounds
        Lowest and highest value, by name, of parameters to try at `points` evenly spaced values.
    refine
        How many times to search again between the neighbours of the best point, on as many values. Only
        parameters whose values are floats are refined; integers and words stay.
    fit_intercept
        Whether to add a constant.
    sample_weight
        How often each row counts.
    validation
        Rows (X, y) of their own on which the loss is measured; the weights are still those of the training rows.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.bases import CustomBasis, Polynomial, search_basis
    >>> from suffice.datasets import olympic_100m_men
    >>> def trend_and_wave(a, b):
    ...     return Polynomial(1) + CustomBasis([lambda X: np.sin((X[:, 0] - a) / b)])
    >>> men = olympic_100m_men()
    >>> search_basis(trend_and_wave, men.X, men.y, {"a": [2660], "b": [4.1, 4.2, 4.3, 4.4]})
    <BasisSearch: summed loss 1.1037 at a=2660, b=4.3 (4 points, 0 refinements)>
    """
    if not isinstance(fit_intercept, bool | np.bool_):
        raise InvalidParameter(f"fit_intercept must be True or False; got {fit_intercept!r}.")
    rows = _open(X, y, sample_weight)
    held = None if validation is None else _open(*validation, None, width=rows.X.shape[1])
    given, ends = _named("parameters", parameters), _named("bounds", bounds)
    values = _grid(given, ends, check_integer("points", points, 2))
    _check_takes(make, values)

    def fit(at: tuple[Any, ...]) -> tuple[float, Solution]:
        return _fit(make, dict(zip(values, at, strict=True)), rows, held, bool(fit_intercept))

    def lowest(grids: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], list[float]]:
        """The first point with the smallest loss, and all losses."""
        places = list(product(*grids))
        losses = [fit(at)[0] for at in places]
        return places[int(np.argmin(losses))], losses

    grids = tuple(values.values())
    best, losses = lowest(grids)
    surface, path = frozen_array(losses).reshape([len(v) for v in grids]), [min(losses)]
    for _ in range(check_integer("refine", refine, 0)):
        grids = tuple(map(_finer, grids, best, values.values()))
        best, losses = lowest(grids)
        path.append(min(losses))
    loss, solution = fit(best)
    function, chosen = solution.function, dict(zip(values, best, strict=True))
    _warn_edge(chosen, ends)
    _warn_dependent(solution, chosen, rows)
    return BasisSearch(chosen, loss, values, surface, tuple(path), function.layout.header.basis, function)


# -- one point of the grid ------------------------------------------------------------------------------------
@record
class _Rows:
    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray | None


def _fit(
    make: Callable[..., Basis],
    parameters: dict[str, Any],
    rows: _Rows,
    held: _Rows | None,
    fit_intercept: bool,
) -> tuple[float, Solution]:
    """The loss of the best weights, on the rows or on those held out, and their fit."""
    basis = make(**parameters)
    if not isinstance(basis, Basis):
        raise InvalidParameter(f"make must return a basis of suffice.bases; got {basis!r} for {parameters}.")
    try:
        header = Header(rows.X.shape[1], None, basis.resolve(rows.X))
        layout = Layout.plan(header, rows.X, rows.y[:, None], rows.weight)
        solution = gather(layout, rows.X, rows.y[:, None], rows.weight).lstsq(fit_intercept=fit_intercept)
    except InvalidInput as error:
        raise InvalidInput(f"At {_listed(parameters)}: {error}") from error
    if held is None:
        return float(solution.sse[0]), solution
    return float(np.sum((held.y - solution.function(held.X)[:, 0]) ** 2)), solution


# -- the grid ---------------------------------------------------------------------------------------------------
def _named(name: str, given: Any) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise InvalidParameter(f"{name} must be a dict with names as keys; got {given!r}.")
    return given


def _check_takes(make: Any, names: Iterable[str]) -> None:
    """Raise unless `make` can be called with these names."""
    if not callable(make):
        raise InvalidParameter(f"make must be a function that returns a basis; got {make!r}.")
    try:
        taken = inspect.signature(make)
    except (TypeError, ValueError):  # some built-in functions do not say
        return
    try:
        taken.bind(**dict.fromkeys(names))
    except TypeError as error:
        raise InvalidParameter(
            f"make{taken} cannot be called with the parameters {', '.join(names)}: {error}."
        ) from None


def _grid(
    parameters: Mapping[str, Sequence[Any]], bounds: Mapping[str, tuple[float, float]], points: int
) -> dict[str, tuple[Any, ...]]:
    """The values of every parameter, by name."""
    if twice := set(parameters) & set(bounds):
        raise InvalidParameter(f"{min(twice)!r} has both values and bounds; give one of them.")
    values = {name: _listed_values(name, v) for name, v in parameters.items()}
    for name, ends in bounds.items():
        pair = as_numbers(f"bounds of {name!r}", ends)
        if pair.shape != (2,) or not np.isfinite(pair).all() or pair[0] >= pair[1]:
            raise InvalidParameter(f"bounds of {name!r} must be two rising finite numbers; got {ends!r}.")
        values[name] = tuple(np.linspace(pair[0], pair[1], points).tolist())
    if not values:
        raise InvalidParameter(
            "There is nothing to search; give parameters={name: values} or bounds={name: (low, high)}."
        )
    return values


def _listed_values(name: str, values: Any) -> tuple[Any, ...]:
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    if isinstance(listed, str) or not isinstance(listed, Sequence) or not len(listed):
        raise InvalidParameter(f"parameters: {name!r} needs a list of values to try; got {values!r}.")
    return tuple(v.item() if isinstance(v, np.generic) else v for v in listed)


def _finer(grid: tuple[Any, ...], at: Any, whole: tuple[Any, ...]) -> tuple[Any, ...]:
    """As many values again between the neighbours of the best one, itself included; only floats have neighbours.

    A best value at the edge of a grid that is not the edge of all values has its neighbours outside: the grid
    then moves there without becoming finer.
    """
    if len(whole) < 2 or not all(isinstance(v, float) for v in whole):
        return (at,)
    ends, edges = (min(whole), max(whole)), (min(grid), max(grid))
    if at in edges and at not in ends:
        half = (edges[1] - edges[0]) / 2
        low, high = max(at - half, ends[0]), min(at + half, ends[1])
    else:
        low, high = max((v for v in grid if v < at), default=at), min((v for v in grid if v > at), default=at)
    return tuple(sorted({at, *np.linspace(low, high, len(whole)).tolist()}))


def _warn_dependent(solution: Solution, chosen: dict[str, Any], rows: _Rows) -> None:
    """A basis with more columns than the rows can tell apart fits them whatever its parameters are."""
    if not solution.dependent:
        return
    n = len(rows.y) if rows.weight is None else int(np.count_nonzero(rows.weight))
    columns = len(solution.basis)
    what = (
        f"{n} rows cannot determine {columns} columns"
        if n <= columns
        else f"the {columns} columns are dependent"
    )
    warn(
        f"At {_listed(chosen)} {what}: the smallest weights that fit equally well are returned. Search bases with "
        "fewer columns, or give validation.",
        RankDeficient,
    )


def _warn_edge(chosen: dict[str, Any], bounds: Mapping[str, tuple[float, float]]) -> None:
    for name, (low, high) in bounds.items():
        if chosen[name] in (low, high):
            warn(
                f"The best {name}, {_shown(chosen[name])}, is at the edge of its bounds; widen them.", AtBound
            )


# -- the door -----------------------------------------------------------------------------------------------------
def _open(X: Any, y: Any, weight: Any, width: int | None = None) -> _Rows:
    """Finite rows of one length."""
    X, y = as_table(as_numbers("X", X)), as_numbers("y", y)
    if y.ndim != 1 or len(y) != len(X) or not len(y):
        raise InvalidInput(
            f"y must be a vector with one entry per row of X ({len(X)}, at least 1); got shape {y.shape}."
        )
    if width not in (None, X.shape[1]):
        raise InvalidInput(f"X of validation must have {width} columns as X; got {X.shape[1]}.")
    for name, values in (("X", X), ("y", y)):
        if place := first_nonfinite(values):
            raise InvalidInput(f"{name} contains {place}.")
    if weight is not None:
        weight = as_numbers("sample_weight", weight)
        if weight.shape != y.shape or not np.all((weight >= 0) & (weight < np.inf)) or not weight.any():
            raise InvalidInput("sample_weight must be one finite number >= 0 per row, not all of them 0.")
    return _Rows(X, y, weight)


def _listed(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_shown(v)}" for name, v in parameters.items())


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else repr(value)
