"""Seeing through Pipelines: preparation as maps of the statistics, so that no fold is prepared again.

The steps before a linear model are of two kinds. *Fixed* ones do the same to a row whatever the other rows
are (a basis, one-hot with given categories, a choice of columns): they are applied once, to all rows.
*Scaling* depends on the rows only through means and standard deviations, which the statistics of every
training set hold: it becomes an affine map of those statistics, exactly as if it had been fitted there.

    X ─▶ fixed ─▶ Z ─▶ statistics of Z per fold ─▶ (Z − center)/scale ─▶ solve

Powers of scaled columns are an affine map of the powers of the columns as they are, so a polynomial after a
scaler is seen through as well; any other basis there is not.

This is the one file that knows scikit-learn's Pipeline, ColumnTransformer, scaler and encoder.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

import joblib
import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import Binarizer, OneHotEncoder, PolynomialFeatures, StandardScaler
from sklearn.utils import _safe_indexing

from suffice._core.records import record
from suffice.bases import Polynomial
from suffice.evaluation._levels.maps import AffineMap, ColumnMap, Map
from suffice.prepare import Affine, BasisTransformer, Centerer, LogTransform, Standardizer
from suffice.prepare import Binarizer as OurBinarizer
from suffice.prepare import OneHotEncoder as OurEncoder
from suffice.statistics import Frame, Triangle
from suffice.statistics.lstsq import constant_columns, off_center
from suffice.tables.frames import is_frame


class NotSeenThrough(Exception):
    """A Pipeline that cannot be seen through; the message says why."""


Scaling = Callable[[np.ndarray, np.ndarray], ColumnMap]  # from means and standard deviations
FIXED = (
    BasisTransformer,
    OneHotEncoder,
    PolynomialFeatures,
    Binarizer,
    OurEncoder,
    OurBinarizer,
    LogTransform,
    Affine,
)


LARGEST = 140  # decimal digits before the point: the square of such a column is no number


@record
class ScaledPowers:
    """A polynomial of scaled columns, which is an affine map of the polynomial of the columns as they are.

    `frame` is the origin and unit in which the rows are expanded: a numerical device.
    """

    basis: Polynomial
    frame: Frame

    def of(self, scaling: Scaling, t: Triangle) -> AffineMap:
        """The map that scales the columns of the statistics `t`, whose first powers come first."""
        d = len(self.frame.center)
        mean = self.frame.center + self.frame.scale * t.mean_x[:d]
        std = np.where(constant_columns(t)[:d], 1.0, self.frame.scale * t.scale()[:d])
        scaled = scaling(mean, std)
        A, b = self.basis.transfer(self.frame, Frame(scaled.center, scaled.scale), d)
        return AffineMap(A.astype(float), b.astype(float))

    def doubt(self, t: Triangle) -> str | None:
        """Why the frame of all rows does not suit these, if so."""
        if np.any(np.abs(np.log10(self.frame.scale)) * self.basis.degree > LARGEST):
            return "its powers are of a size whose weights a number cannot hold"
        return off_center(t, len(self.frame.center), self.basis.degree)


@record
class BoundSteps:
    """Steps bound to a table: how rows are prepared, how many columns that makes, and what is scaled then.

    Scaling may be followed by powers of the scaled columns, and those by scaling once more. With
    `without_constant` a column of ones was left out, which a free intercept makes up for.
    """

    apply: Callable[[Any], Any]
    width: int
    scaling: Scaling | None
    key: tuple[Hashable, ...]
    chosen: bool = False
    powers: ScaledPowers | None = None
    rescaling: Scaling | None = None
    without_constant: bool = False

    def map(self, t: Triangle) -> Map | None:
        """What the steps do to the columns when they are fitted to the rows of these statistics."""
        if self.scaling is None:
            return None
        if self.powers is None:
            return self.scaling(t.mean_x, t.scale())
        expanded = self.powers.of(self.scaling, t)
        if self.rescaling is None:
            return expanded
        u = expanded.of_statistics(t)
        return AffineMap(expanded.A, expanded.b, self.rescaling(u.mean_x, u.scale()))


def bind_steps(steps: Sequence[tuple[str, Any]], head: Any, weighted: bool = False) -> BoundSteps:
    """Bind steps to some rows of a table; fixed steps learn no more than its columns from them.

    Weights reach the steps of a Pipeline, but none inside a ColumnTransformer or a Pipeline within it.
    """
    bound = BoundSteps(lambda X: X, 0, None, ())
    for name, step in steps:
        if step is None or (isinstance(step, str) and step == "passthrough"):
            continue
        bound = _with_step(bound, name, step, head, weighted)
    return bound


def _with_step(bound: BoundSteps, name: str, step: Any, head: Any, weighted: bool) -> BoundSteps:
    if type(step) is Pipeline:
        for inner, part in step.steps:
            if part is not None and not (isinstance(part, str) and part == "passthrough"):
                bound = _with_step(bound, f"{name}__{inner}", part, head, weighted)
        return bound
    if type(step) in (StandardScaler, Standardizer, Centerer):
        if weighted and "__" in name:
            raise NotSeenThrough(f"weights do not reach its step {name!r}")
        with_mean, with_std = (True, False) if type(step) is Centerer else (step.with_mean, step.with_std)
        if with_mean and sparse.issparse(bound.apply(head)):
            raise NotSeenThrough(f"its step {name!r} cannot center sparse columns")
        scaling = _scaling_of(with_mean, with_std)
        if bound.powers is not None:
            return replace(bound, rescaling=_compose_scalings(bound.rescaling, scaling))
        width = bound.width or _count_columns(bound.apply(head))
        return replace(bound, width=width, scaling=_compose_scalings(bound.scaling, scaling))
    if bound.powers is not None:
        raise NotSeenThrough(f"its step {name!r} follows powers of columns that are fitted to the rows")
    if type(step) is ColumnTransformer:
        return _bind_branches(bound, name, step, head, weighted)
    if type(step) not in FIXED or not _is_fixed(step):
        raise NotSeenThrough(
            f"its step {name!r} ({type(step).__name__}) is fitted to the rows of each training set"
        )
    if bound.scaling is not None:
        return _with_powers(bound, name, step, head)
    fitted = clone(step).fit(bound.apply(head))
    apply = _compose_maps(bound.apply, fitted.transform)
    return BoundSteps(apply, _count_columns(apply(head)), None, (*bound.key, _key_of(step)))


def _key_of(step: Any) -> Hashable:
    """Equal for steps that prepare rows equally."""
    return step.basis if isinstance(step, BasisTransformer) else joblib.hash((type(step), step.get_params()))


def _with_powers(bound: BoundSteps, name: str, step: Any, head: Any) -> BoundSteps:
    """Powers of scaled columns, from powers of the columns as they are."""
    basis = _polynomial(step)
    if basis is None or bound.chosen:
        raise NotSeenThrough(
            f"its step {name!r} ({type(step).__name__}) follows a step that is fitted to the rows"
        )
    Z = dense(bound.apply(head))
    powers = ScaledPowers(basis, Frame.spanning(Z.min(axis=0), Z.max(axis=0)))

    def expand(X: Any) -> np.ndarray:
        return basis.design(dense(bound.apply(X)), powers.frame)

    constant = isinstance(step, PolynomialFeatures) and step.include_bias
    key = (*bound.key, _key_of(step))
    return replace(
        bound,
        apply=expand,
        width=_count_columns(expand(head)),
        powers=powers,
        key=key,
        without_constant=constant,
    )


def _polynomial(step: Any) -> Polynomial | None:
    if isinstance(step, BasisTransformer):
        return step.basis if isinstance(step.basis, Polynomial) and step.basis.degree > 0 else None
    if not isinstance(step, PolynomialFeatures) or step.interaction_only or not isinstance(step.degree, int):
        return None
    return Polynomial(step.degree, interactions=True) if step.degree > 0 else None


def _is_fixed(step: Any) -> bool:
    if isinstance(step, BasisTransformer):
        return step.basis is not None and not step.basis.needs_data
    if isinstance(step, OneHotEncoder | OurEncoder):
        return (
            not isinstance(step.categories, str)
            and step.min_frequency is None
            and step.max_categories is None
        )
    return True


def _bind_branches(
    bound: BoundSteps, name: str, step: ColumnTransformer, head: Any, weighted: bool
) -> BoundSteps:
    """Branches side by side: their fixed parts are stacked, their scalings kept apart."""
    table = bound.apply(head)
    if any(callable(c) and type(c) is not make_column_selector for *_, c in step.transformers):
        raise NotSeenThrough(f"a function chooses the columns of its step {name!r} from the rows")
    bare = [(label, "passthrough" if part != "drop" else "drop", c) for label, part, c in step.transformers]
    rest = "drop" if isinstance(step.remainder, str) and step.remainder == "drop" else "passthrough"
    found = ColumnTransformer(bare, remainder=rest).fit(table).transformers_
    given = {label: part for label, part, _ in step.transformers} | {"remainder": step.remainder}
    branches = []
    for label, _, columns in found:
        if (isinstance(given[label], str) and given[label] == "drop") or _is_empty(columns):
            continue
        weight = (step.transformer_weights or {}).get(label, 1.0)
        if weight != 1.0:
            raise NotSeenThrough(f"its step {name!r} weights its branches")
        pick = _picker(columns)
        part = bind_steps([(f"{name}__{label}", given[label])], pick(table), weighted)
        if part.powers is not None:
            raise NotSeenThrough(f"its step {name!r} takes powers of columns that are fitted to the rows")
        width = part.width or _count_columns(part.apply(pick(table)))
        branches.append((pick, part, width, columns))
    if bound.scaling is not None:
        return _bind_scaled_branches(bound, name, branches, table)
    key = joblib.hash([(np.atleast_1d(columns).tolist(), part.key) for _, part, _, columns in branches])
    widths = [width for *_, width, _ in branches]
    scalings = [part.scaling for _, part, *_ in branches]
    scaling = None if all(s is None for s in scalings) else _stack_scalings(scalings, widths)

    def stacked(X: Any) -> np.ndarray:
        return np.hstack([dense(part.apply(pick(X))) for pick, part, *_ in branches])

    return BoundSteps(
        _compose_maps(bound.apply, stacked),
        sum(widths),
        scaling,
        (*bound.key, key),
        chosen=scaling is not None,
    )


def _bind_scaled_branches(bound: BoundSteps, name: str, branches: list, table: Any) -> BoundSteps:
    """After a scaling, columns may only be chosen and scaled again."""
    if any(part.key != () for _, part, *_ in branches):
        raise NotSeenThrough(f"its step {name!r} follows a step that is fitted to the rows")
    if is_frame(table) or any(_is_named(columns) for *_, columns in branches):
        raise NotSeenThrough(
            f"its step {name!r} chooses columns by name after a step that is fitted to the rows"
        )
    positions = np.arange(bound.width)[None]
    columns = np.concatenate([pick(positions)[0] for pick, *_ in branches]).astype(int)
    picked = ColumnMap(columns, np.zeros(len(columns)), np.ones(len(columns)))
    widths = [width for *_, width, _ in branches]
    inner = _stack_scalings([part.scaling for _, part, *_ in branches], widths)
    scaling = _compose_scalings(_compose_scalings(bound.scaling, lambda mean, std: picked), inner)
    return replace(bound, scaling=scaling, chosen=True)


def _compose_maps(first: Callable, second: Callable) -> Callable:
    return lambda X: second(first(X))


def _picker(columns: Any) -> Callable[[Any], Any]:
    return lambda X: _safe_indexing(X, columns, axis=1)


def _is_named(columns: Any) -> bool:
    """Whether columns are chosen by name, as only a table with names allows."""
    return isinstance(columns, str) or any(isinstance(c, str) for c in np.atleast_1d(columns))


def _is_empty(columns: Any) -> bool:
    return hasattr(columns, "__len__") and not isinstance(columns, str) and len(columns) == 0


def _count_columns(X: Any) -> int:
    return int(X.shape[1])


def dense(X: Any) -> np.ndarray:
    """Prepared rows as a plain table."""
    return np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=float)


def _scaling_of(with_mean: bool, with_std: bool) -> Scaling:
    def scaling(mean: np.ndarray, std: np.ndarray) -> ColumnMap:
        center = mean if with_mean else np.zeros_like(mean)
        return ColumnMap(np.arange(len(mean)), center, std if with_std else np.ones_like(std))

    return scaling


def _compose_scalings(first: Scaling | None, second: Scaling) -> Scaling:
    if first is None:
        return second

    def scaling(mean: np.ndarray, std: np.ndarray) -> ColumnMap:
        a = first(mean, std)
        return a.then(second((mean[a.columns] - a.center) / a.scale, std[a.columns] / a.scale))

    return scaling


def _stack_scalings(scalings: list[Scaling | None], widths: list[int]) -> Scaling:
    starts = np.concatenate([[0], np.cumsum(widths)])

    def scaling(mean: np.ndarray, std: np.ndarray) -> ColumnMap:
        maps = []
        for s, a, b in zip(scalings, starts[:-1], starts[1:], strict=True):
            m = ColumnMap.identity(b - a) if s is None else s(mean[a:b], std[a:b])
            maps.append((m.columns + a, m.center, m.scale))
        return ColumnMap(*(np.concatenate(parts) for parts in zip(*maps, strict=True)))

    return scaling


def n_rows(X: Any) -> int:
    """How many rows a table has."""
    return X.shape[0] if hasattr(X, "shape") else len(X)


def steps_of(model: Any) -> list[tuple[str, Any]] | None:
    """The steps of a Pipeline, None for anything else."""
    return list(model.steps) if type(model) is Pipeline else None
