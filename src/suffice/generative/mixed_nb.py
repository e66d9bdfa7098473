r"""Naive Bayes with a family of its own for every column (DTU §13.2.1: attributes of mixed types, one α).

Density      p(x | c) = Π_j p_j(x_j | c)                                      (DTU eq. 13.7), with
gaussian     N(x | μ_cj, (σ_cj + offset)² + ε)                                (eq. 13.13)
bernoulli    p(1 | c) = (n_cj1 + α) / (n_cj + 2α)                             (eq. 13.11)
categorical  p(v | c) = (n_cjv + α) / (n_cj + K_j α),  K_j values seen in any class      (eq. 13.12)
poisson      Poi(x | λ_cj),  λ_cj = (Σ x + α) / (n_cj + α): the posterior mean under Gamma(α, α)

Columns keep what they need (moments, or counts of values), so all of it adds, and a missing cell costs its column one
count and the product one factor.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, final

import numpy as np

from suffice._core.errors import InvalidInput, check_flags, check_number, hold_warnings
from suffice._core.records import estimator, frozen_array, record
from suffice._estimator.labelled_rows import PlanRules, TableDoor
from suffice._estimator.labels import LabelPlan
from suffice._estimator.raw_columns import codes_among, open_raw
from suffice.engine import Rows, parallel
from suffice.generative._columns.codes import check_unknown, first_unknown, ruled
from suffice.generative._columns.mixed_counts import check_values, gather_mixed, resolved, valued
from suffice.generative._columns.mixed_left_out import (
    chosen_moments,
    columns_of_kind,
    gaussian_left_out,
    log_poisson,
    poisson_left_out,
    values_left_out,
)
from suffice.generative._columns.normal_columns import (
    SMOOTHED,
    ClassMoments,
    log_normal,
    warn_empty,
    with_floor,
)
from suffice.generative._shell.bayes_rule import all_alone, posterior_left_out
from suffice.generative._shell.classifier import GenerativeClassifier
from suffice.generative._shell.from_statistics import label_counts
from suffice.statistics import ClassStatistics, Header
from suffice.statistics.counts import Counts
from suffice.tables.typed import TypedTable


@record
class ValueTable:
    """Sorted values of a column and log p(v | c) of the classes with rows (C, K + 2).

    The last two columns are those of a value never seen, and of a gap.
    """

    values: np.ndarray
    logs: np.ndarray

    @classmethod
    def of(cls, counts: list[Counts], alpha: float, binary: bool) -> ValueTable:
        """Smoothed shares; a class without cells, where nothing is added, has those of all rows."""
        values = np.array([0.0, 1.0]) if binary else _united(counts)
        n = np.array([_at(c, values) for c in counts]) + alpha
        n = np.where(n.sum(axis=1, keepdims=True) > 0, n, n.sum(axis=0) + (not n.any()))
        total = n.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(np.hstack([n, np.full_like(total, alpha)])) - np.log(np.maximum(total, 1e-300))
        table = np.hstack([logs, np.zeros_like(total)])
        return cls(frozen_array(values, dtype=values.dtype), frozen_array(table))

    @property
    def n_values(self) -> int:
        return len(self.values)


def _united(counts: list[Counts]) -> np.ndarray:
    seen = [c.classes for c in counts if len(c.classes)]
    return np.unique(np.concatenate(seen)) if seen else np.array([0.0])


def _at(counts: Counts, values: np.ndarray) -> np.ndarray:
    out = np.zeros(len(values))
    out[np.searchsorted(values, counts.classes)] = counts.counts
    return out


def with_kinds(model: MixedNB, rows: Rows, plan: LabelPlan, like: LabelPlan | None) -> LabelPlan:
    """The plan with the families of the columns."""
    names = plan.header.feature_names
    kinds = resolved(model.kinds, rows.X, names, None if like is None else like.extra)
    check_values(rows.X, kinds, names)
    return LabelPlan(plan.header, plan.classes, kinds)


def plan_of_kinds(statistics: ClassStatistics) -> LabelPlan:
    """The plan under which rows can be added to these counts."""
    return LabelPlan(statistics.header, statistics.classes, kinds_of(statistics))


def kinds_of(statistics: ClassStatistics) -> tuple[str, ...]:
    """The family of each column."""
    return next(p.kinds for p in statistics.parts if p is not None)


@final
@estimator
class MixedNB(GenerativeClassifier):
    """Independent columns of different kinds: numbers, counts, booleans, categories.

    Parameters
    ----------
    kinds
        "gaussian", "bernoulli", "categorical" or "poisson" for each column: a list, a mapping by name for some of
        them, or one word for all. Without it numbers are gaussian, booleans bernoulli, text and categories categorical.
    alpha
        Added to every count of a value, and to the sum and number of poisson columns.
    std_offset, var_smoothing, unbiased
        Of gaussian columns, as in `GaussianNB`; the largest variance is taken among gaussian columns.
    priors
        None or "empirical" for the shares of the classes, "uniform", or one probability per class.
    unknown
        What a category is that the fit has not seen: "missing", with a warning that names it; "smooth", a value with
        count zero; or "raise".

    Notes
    -----
    Takes arrays and pandas, polars and Arrow tables; NaN and None are missing cells. Columns of a prediction must have
    the names of the fit, in its order.

    Examples
    --------
    >>> import polars as pl
    >>> from suffice.generative import MixedNB
    >>> table = pl.DataFrame({"age": [20.0, 30.0, 61.0, 55.0], "city": ["Oslo", "Rome", None, "Rome"]})
    >>> model = MixedNB().fit(table, ["young", "young", "old", "old"])
    >>> print(model.kinds_, model.predict(pl.DataFrame({"age": [None], "city": ["Oslo"]}, {"age": float, "city": str})))
    {'age': 'gaussian', 'city': 'categorical'} ['young']
    """

    kinds: Any = None
    _: KW_ONLY
    alpha: float = 1.0
    std_offset: float = 0.0
    var_smoothing: float = 1e-9
    unbiased: bool = False
    priors: Any = None
    unknown: str = "missing"

    mean_: np.ndarray = field(init=False)
    std_: np.ndarray = field(init=False)
    rate_: np.ndarray = field(init=False)
    tables_: tuple[ValueTable, ...] = field(init=False)

    _takes_gaps = True
    _input_tags = ("categorical", "string")
    takes_tables = True  # batches of a source reach the door as they are

    @property
    def statistics_key(self) -> Any:
        """Models of the same kinds of columns count the same."""
        return "mixed columns of classes", repr(self.kinds)

    def _check_parameters(self) -> None:
        for name in ("alpha", "std_offset", "var_smoothing"):
            check_number(name, getattr(self, name), low=0.0)
        check_flags(self, "unbiased")
        check_unknown(self.unknown)

    # -- the door ------------------------------------------------------------------------------------------
    def _rows(self, X: Any, n: int, earlier: Header | None) -> tuple[TypedTable, Header]:
        table, header = open_raw(X, type(self).__name__, earlier)
        if len(table) != n:
            raise InvalidInput(
                f"Found input variables with inconsistent numbers of samples: {[len(table), n]}."
            )
        return table, header

    def _inputs(self, X: Any) -> TypedTable:
        table, header = open_raw(X, type(self).__name__, self.statistics_.header)
        names, kinds = header.feature_names, self._kinds
        check_values(table, kinds, names)

        def coded(pair: tuple[int, ValueTable]) -> np.ndarray:
            raw, size = table.columns[pair[0]], np.array([pair[1].n_values])
            codes = codes_among(raw, pair[1].values)[:, None]
            odd = first_unknown(codes, size, (names[pair[0]],), lambda i, _: raw[i])
            return ruled(codes, size, odd, self.unknown)[:, 0]

        pairs = list(zip(valued(kinds), self.tables_, strict=True))
        for (j, _), codes in zip(pairs, parallel(coded, pairs), strict=True):
            table.columns[j] = codes
        return table

    _table_door = TableDoor(_rows, _inputs)
    _planning = PlanRules(with_kinds, plan_of_kinds)

    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        parts = gather_mixed(plan.header, plan.extra, rows.X, rows.weight, rows.Y, len(plan.classes))
        return ClassStatistics(plan.header, label_counts(plan, rows), parts)

    # -- parameters ----------------------------------------------------------------------------------------
    @property
    def _kinds(self) -> tuple[str, ...]:
        return kinds_of(self.statistics_)

    @property
    def kinds_(self) -> dict[str, str]:
        """The family of each column."""
        return dict(zip(self.statistics_.header.feature_names, self._kinds, strict=True))

    def _write_densities(self, statistics: ClassStatistics) -> None:
        parts = [p for p in statistics.parts if p is not None]
        normals = tuple(
            n for n, k in zip(statistics.header.feature_names, parts[0].kinds, strict=True) if k == "gaussian"
        )
        self._write_normals(chosen_moments(parts, "gaussian"), normals)
        counts = ClassMoments.of(chosen_moments(parts, "poisson"))
        n = counts.n + self.alpha
        self.rate_ = frozen_array((counts.n * counts.mean + self.alpha) / np.where(n > 0, n, 1.0))
        binary = [parts[0].kinds[j] == "bernoulli" for j in valued(parts[0].kinds)]
        self.tables_ = tuple(
            ValueTable.of([p.tables[i] for p in parts], self.alpha, two) for i, two in enumerate(binary)
        )

    def _write_normals(self, parts: list[Any], names: tuple[str, ...]) -> None:
        labels, moments = self.classes_[self.class_count_ > 0].tolist(), ClassMoments.of(parts)
        warn_empty(parts, labels, names)
        floor = np.sqrt(self.var_smoothing) * moments.total_std.max(initial=0.0)
        std = self._spread(moments.std(self.unbiased), floor)
        self.mean_ = frozen_array(moments.mean)
        self.std_ = frozen_array(with_floor(std, moments, labels, names, self._smoothed))

    @property
    def _smoothed(self) -> bool:
        """Whether more is added to variances than keeps them from being zero."""
        return self.std_offset > 0 or self.var_smoothing > SMOOTHED

    def _spread(self, std: np.ndarray, floor: Any) -> np.ndarray:
        """What the density of a gaussian column uses as standard deviation."""
        return np.hypot(std + self.std_offset, floor)

    # -- densities -----------------------------------------------------------------------------------------
    def _log_densities(self, X: TypedTable) -> np.ndarray:
        kinds = self._kinds
        out = log_normal(columns_of_kind(X, kinds, "gaussian"), self.mean_, self.std_)
        for x, rate in zip(columns_of_kind(X, kinds, "poisson").T, self.rate_.T, strict=True):
            out += np.where(np.isnan(x), 0.0, log_poisson(np.nan_to_num(x), rate[:, None])).T
        for j, values in zip(valued(kinds), self.tables_, strict=True):
            out += values.logs.T[X.columns[j]]
        whole = np.full((len(X), len(self.classes_)), -np.inf)
        whole[:, self.class_count_ > 0] = out
        return whole

    def _draw(self, place: int, n: int, rng: np.random.Generator) -> np.ndarray:
        which, kinds = int(np.sum(self.class_count_[:place] > 0)), self._kinds
        out = np.empty((n, len(kinds)), dtype=object if "categorical" in kinds else float)
        normals, rates, tables = iter(range(len(self.mean_[0]))), iter(self.rate_[which]), iter(self.tables_)
        for j, kind in enumerate(kinds):
            if kind == "gaussian":
                i = next(normals)
                out[:, j] = rng.normal(self.mean_[which, i], self.std_[which, i], n)
            elif kind == "poisson":
                out[:, j] = rng.poisson(next(rates), n)
            else:
                t = next(tables)
                p = np.exp(t.logs[which, : t.n_values])
                out[:, j] = t.values[rng.choice(t.n_values, size=n, p=p / p.sum())].tolist()
        return out

    # -- leaving one row out -------------------------------------------------------------------------------
    def why_not_held_out(self, folds: Any) -> str | None:
        """None: a row left out changes one moment or one count of each column."""
        return None

    def left_out_labels(self, rows: Rows, plan: LabelPlan) -> tuple[np.ndarray, np.ndarray]:
        """log P(c | x) by the model without the row, and which rows must be refitted."""
        with hold_warnings() as odd:
            fitted = self._refitted(rows, plan)
        X, y, w = rows.X, rows.Y, rows.weights
        if odd or np.any(fitted.class_count_ == 0):
            return all_alone(rows, fitted)
        parts, kinds, root = list(fitted.statistics_.parts), plan.extra, float(np.sqrt(self.var_smoothing))
        normal = chosen_moments(parts, "gaussian")
        if ClassMoments.of(normal).nearly_flat and not self._smoothed:
            return all_alone(rows, fitted)
        normals, counts = columns_of_kind(X, kinds, "gaussian"), columns_of_kind(X, kinds, "poisson")
        answers = (
            gaussian_left_out(normals, y, w, normal, self._spread, root, self.unbiased),
            poisson_left_out(counts, y, w, chosen_moments(parts, "poisson"), fitted.rate_, self.alpha),
            values_left_out(X, y, w, parts, fitted.tables_, self.alpha),
        )
        alone = np.logical_or.reduce([a for _, a in answers])
        logs = np.sum([a for a, _ in answers], axis=0)
        return posterior_left_out(fitted, rows, logs, self.priors, alone)

    @property
    def n_parameters_(self) -> int:
        """Per class two of a gaussian column, one of a poisson or bernoulli, K − 1 of a categorical; no priors."""
        values = sum(t.n_values - 1 for t in self.tables_)
        return len(self.mean_) * (2 * self.mean_.shape[1] + self.rate_.shape[1] + values)
