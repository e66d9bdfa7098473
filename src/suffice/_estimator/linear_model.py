"""What models fitted from a triangle share: door, gather, predict. Each adds `solve` and `predict_dist`.

table ─▶ door ─▶ rows, layout ─▶ gather ─▶ Triangle ─▶ solve ─▶ fitted attributes
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Hashable
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin

from suffice._core.errors import IllConditioned, InvalidParameter, RankDeficient, check_choice, warn
from suffice._estimator.estimator import Estimator, check_weight, open_inputs, open_table, remember_columns
from suffice._estimator.far_rows import Surroundings
from suffice._estimator.from_sums import AddsRows, FromSums
from suffice.bases import Basis
from suffice.distributions import Normal
from suffice.distributions._base import noted
from suffice.engine import Rows, one_blas_thread, reduce
from suffice.statistics import AffineFunction, Header, Layout, Triangle, gather
from suffice.statistics.dependence import WEAK
from suffice.statistics.fold_statistics import FoldStatistics, WhitenedStatistics
from suffice.statistics.folds import Index
from suffice.statistics.layout import dense
from suffice.statistics.leave_out import LeftOut
from suffice.statistics.lstsq import constant_columns
from suffice.statistics.triangle import gather_groups
from suffice.statistics.whitened import Whitened


@dataclass(eq=False, repr=False)
class LinearModel(FromSums, AddsRows, MultiOutputMixin, RegressorMixin, Estimator, ABC):
    """ŷ(x) = intercept + φ(x)ᵀ w, fitted from a triangle."""

    _: KW_ONLY
    basis: Basis | None = None
    weight_kind: Literal["counts", "precision"] = "counts"

    statistics_: Triangle = field(init=False)
    function_: AffineFunction = field(init=False)
    basis_: Basis | None = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: Any = field(init=False)
    noise_variance_ml_: Any = field(init=False)

    _input_tags: ClassVar[tuple[str, ...]] = ("sparse",)
    _weights_in_precision_of_X: ClassVar[tuple[str, ...]] = ("coef_", "intercept_")
    _one_row_of_weights = True  # whether y in one column leaves `coef_` of shape (1, columns)

    # -- statistics -------------------------------------------------------------------------------
    @property
    def state_needs_data(self) -> bool:
        """Whether the basis takes centres or knots from the rows."""
        return self.basis is not None and self.basis.needs_data

    @property
    def gaps_show(self) -> bool:  # type: ignore[override]
        """Whether the triangle itself shows NaN in X; a basis could hide it."""
        return self.basis is None

    @property
    def statistics_key(self) -> Hashable:
        """Models with equal keys collect equal statistics."""
        return self.basis

    def door(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        like: Layout | None = None,
        finite: bool = True,
    ) -> tuple[Rows, Layout]:
        """Validated rows and where their columns sit; with `like`, the columns of an earlier table."""
        earlier = None if like is None else like.header
        X, Y, header = open_table(self, X, y, like=earlier, finite=finite)
        weight = check_weight(sample_weight, X)
        header = (
            with_basis(header, self.basis, X, weight)
            if earlier is None
            else agreed_header(header, earlier, self.basis, X)
        )
        return Rows(X, Y, weight), Layout.plan(header, X, Y, weight, like)

    def gather(self, rows: Rows, layout: Layout) -> Triangle:
        """Statistics of validated rows."""
        return reduce(rows, _step, layout)

    def gather_groups(self, rows: Rows, layout: Layout, group: np.ndarray, n_groups: int) -> list[Triangle]:
        """Statistics of groups of validated rows, numbered from 0, in one pass."""
        return gather_groups(layout, rows.X, rows.Y, rows.weight, group, n_groups)

    def plan_of(self, statistics: Triangle) -> Layout:
        """Where the columns of a triangle sit."""
        return statistics.layout

    # -- prediction ---------------------------------------------------------------------------------
    @one_blas_thread()
    def predict(self, X: Any) -> np.ndarray:
        """The mean of y at each row, in double precision."""
        X = open_inputs(self, X)
        return self._shaped(self.function_(X))

    def _shaped(self, a: np.ndarray) -> np.ndarray:
        """Results of one target lose their last axis if y was a vector."""
        return a[..., 0] if self.statistics_.header.n_targets is None else a

    def _normal(self, X: Any) -> Normal:
        """Normal at the prediction with the residual variance; without the uncertainty of the weights."""
        X = open_inputs(self, X)
        mean = self.function_(X)
        std = np.sqrt(np.broadcast_to(self.noise_variance_ml_, mean.shape))
        return self._with_notes(Normal(self._shaped(mean), self._shaped(std)), X)

    def _with_notes(self, d: Any, X: Any) -> Any:
        """A predictive distribution with its notes about rows far from those of the fit."""
        t = self.statistics_
        spread = np.where(constant_columns(t), np.inf, t.scale())
        around = Surroundings.of(t.layout, t.mean_x, spread, t.rows, t.rows == t.n)
        return noted(d, around.notes(X))

    # -- validation (see suffice.evaluation.protocols) ------------------------------------------------
    path_parameters: ClassVar[tuple[str, ...]] = ()

    def squared_error(self, statistics: Any) -> float:
        """Total squared error on the rows of a statistic, mean over targets, without seeing the rows."""
        return float(self.function_.sse(statistics).mean())

    def narrows(self, key: Hashable) -> bool:
        """Whether statistics collected under this key hold mine."""
        return self._positions(key, 1) is not None

    def narrow(self, statistics: Triangle) -> Triangle:
        """My statistics from those of a basis with more columns."""
        header = statistics.header
        columns = self._positions(header.basis, header.n_features)
        if columns is None:
            return statistics
        mine = Header(header.n_features, header.features, self.basis, header.n_targets)
        return statistics.narrowed(mine, columns)

    def _positions(self, basis: Any, n_features: int) -> list[int] | None:
        """Where my columns are among those of a larger basis; None if it is mine, or not larger."""
        if self.basis is None or not isinstance(basis, Basis) or basis == self.basis:
            return None
        return self.basis.positions(basis, n_features)

    def doubt(self, statistics: Triangle) -> str | None:
        """Why statistics in the frame of all rows have lost digits for these rows, if so."""
        t = statistics
        return None if t.layout.frame is None else t.header.basis.doubt(t)

    def fold_gatherer(self, rows: Rows, layout: Layout, visits: int) -> FoldStatistics | WhitenedStatistics:
        """Statistics of folds that will read `visits` rows in all."""

        def part(index: Index) -> Triangle:
            return self.gather(rows[index], layout)

        if visits > 2 * len(rows):
            whitened = Whitened.of(self.gather(rows, layout), rows.X, rows.Y, rows.weight)
            if whitened is not None:
                return WhitenedStatistics(whitened, part)
        return FoldStatistics(part, len(rows))

    # -- helpers of solve ---------------------------------------------------------------------------
    def _publish(self, t: Triangle, function: AffineFunction) -> None:
        """Attributes that every linear model has."""
        intercept, coef = function.raw()
        warn_underflow(t, function)
        self.statistics_, self.function_ = t, function
        self.basis_ = t.header.basis
        single = t.header.n_targets is None or (t.header.n_targets == 1 and not self._one_row_of_weights)
        self.coef_ = coef[:, 0] if single else coef.T
        self.intercept_ = intercept[0] if t.header.n_targets is None else intercept
        remember_columns(self, t.header)

    def _one(self, a: np.ndarray) -> Any:
        """A number for one target, an entry for each of several."""
        return float(a[0]) if self.statistics_.header.n_targets is None else a

    def _sample_size(self, t: Triangle) -> float:
        """n in every degree of freedom: the total weight, or the number of rows for precisions."""
        check_choice("weight_kind", self.weight_kind, ("counts", "precision"))
        return t.n if self.weight_kind == "counts" else float(t.rows)

    def _left_out_size(self, left: LeftOut) -> np.ndarray:
        """`_sample_size` of the rows that each row's fold trains on."""
        return (left.n if self.weight_kind == "counts" else left.rows)[left.fold]

    def _log_weight(self, t: Triangle) -> float:
        """½ Σ log w enters the likelihood only where weights are precisions."""
        return 0.5 * t.log_weight if self.weight_kind == "precision" else 0.0


def _step(rows: Rows, layout: Layout) -> Triangle:
    return gather(layout, rows.X, rows.Y, rows.weight)


def with_basis(header: Header, basis: Basis | None, X: Any, weight: np.ndarray | None = None) -> Header:
    """With the basis as these rows fix it; rows of weight zero have no say."""
    if basis is None:
        return header
    if not isinstance(basis, Basis):
        raise InvalidParameter(f"basis must be a basis of suffice.bases or None; got {basis!r}.")
    if basis.needs_data and weight is not None and np.any(weight > 0):
        X = X[weight > 0]
    return Header(header.n_features, header.features, basis.resolve(dense(X)), header.n_targets)


def agreed_header(header: Header, earlier: Header, basis: Basis | None, X: Any) -> Header:
    """The earlier header, if this table and the model's present basis still fit it."""
    basis = earlier.basis if _may_be(basis, earlier.basis) else with_basis(header, basis, X).basis
    earlier.check(Header(earlier.n_features, earlier.features, basis, header.n_targets), "rows")
    return earlier


def _may_be(basis: Basis | None, resolved: Basis | None) -> bool:
    """Whether a basis that needs data could have been resolved into this one."""
    return basis is not None and basis.needs_data and type(basis) is type(resolved)


def warn_dependent(t: Triangle, constant: tuple[int, ...], dependent: tuple[int, ...]) -> None:
    """Name the columns that carry no information of their own."""
    names = t.header.column_names
    if t.layout.frame is not None:  # constant about the centre, yet not on the raw columns: a dependence
        flat = set(np.flatnonzero(constant_columns(t.moved(t.layout.in_frame(None)))))
        constant, dependent = (
            tuple(j for j in constant if j in flat),
            tuple(sorted({*dependent, *(set(constant) - flat)})),
        )
    if dependent and t.rows <= t.n_columns:
        warn(
            f"{t.rows} rows cannot determine {t.n_columns} columns; of all exact solutions the one with the "
            "smallest weights is returned. Use Ridge or BayesianLinearRegression, or fewer columns.",
            RankDeficient,
        )
    elif dependent:
        listed = _listed([names[j] for j in dependent])
        warn(
            f"Columns {listed} are combinations of the others up to rounding; the weights are the smallest "
            "that fit equally well. Drop these columns, or use Ridge.",
            RankDeficient,
        )
    if constant:
        listed = _listed([names[j] for j in constant])
        warn(f"Columns {listed} do not vary, so their weights are 0.", RankDeficient)


def warn_underflow(t: Triangle, function: AffineFunction) -> None:
    """Name the weights that are smaller than the smallest number with all its digits, though their effect is not."""
    size = np.abs(function.slope)
    if t.layout.frame is not None:
        size = np.abs(function.layout.raw_transfer()[0].astype(float)) @ size
    lost = np.flatnonzero(((size < np.finfo(float).tiny) & (function.slope != 0)).any(axis=1))
    if len(lost):
        listed = _listed([t.header.column_names[j] for j in lost])
        warn(
            f"The weights of {listed} are smaller than a number can hold; divide the columns by their size, or "
            "multiply the target.",
            IllConditioned,
        )


def warn_ill_conditioned(condition: float | None) -> None:
    """Say so where columns are so nearly combinations of each other that their weights have few digits left."""
    if condition is not None and condition > WEAK:
        warn(
            f"Columns are nearly combinations of each other (scaled condition {condition:.1g}), so few digits of the "
            "weights are left. Drop such columns, or use Ridge with a larger penalty.",
            IllConditioned,
        )


def _listed(names: list[str], most: int = 8) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more
