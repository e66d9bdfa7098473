"""What linear and quadratic discriminant analysis share: triangles of the classes, normal densities, leave-one-out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from suffice._core.errors import (
    HeaderMismatch,
    Unsupported,
    check_choice,
    check_integer,
    check_number,
)
from suffice._core.numerics import first_nonfinite
from suffice._core.records import frozen_array
from suffice._core.trace import Trace
from suffice._estimator import remember_columns
from suffice._estimator.labelled_rows import PlanRules
from suffice._estimator.labels import LabelPlan
from suffice.distributions import MultivariateNormal
from suffice.engine import Rows, one_blas_thread
from suffice.generative._normal.conjugate import beliefs, check_prior, refuse_gaps
from suffice.generative._normal.estimated import ESTIMATED, check_estimator, estimated_parts
from suffice.generative._normal.marginal import by_pattern, has_gaps, lacks_cells
from suffice.generative._normal.missing import KnownCells, fit_with_gaps
from suffice.generative._normal.part import ScatterPart, variance_over_all
from suffice.generative._normal.triangles import (
    ClassTriangles,
    gather_triangles,
    plan_of_triangles,
    with_layout,
)
from suffice.generative._normal.whitener import ClassWhitener, LiftedWhitener
from suffice.generative._shell.classifier import GenerativeClassifier
from suffice.generative._shell.from_statistics import label_counts
from suffice.statistics import ClassStatistics
from suffice.statistics.layout import dense

UNSUMMED = (
    "missing cells are filled in by expectation–maximization, which needs all rows at once, so statistics neither add "
    "nor subtract"
)

NOT_STORED = (
    "covariance_ is there with store_covariance=True, as in scikit-learn; conditionals_ has all densities."
)


def with_layout_if_complete(model: Any, rows: Rows, plan: LabelPlan, like: LabelPlan | None) -> LabelPlan:
    """The plan of triangles; none of rows with gaps, which are not counted."""
    if has_gaps(rows.X):
        return LabelPlan(plan.header, plan.classes, None if like is None else like.extra)
    return with_layout(model, rows, plan, like)


@dataclass(eq=False, repr=False)
class GaussianClassifier(ClassTriangles, GenerativeClassifier, ABC):
    """Classes with normal densities: from one triangle per class, or, where cells are missing, by iteration."""

    _: KW_ONLY
    covariance: Any = "full"
    unbiased: bool = False
    prior: Any = None
    em_tol: float = 1e-8
    em_max_iter: int = 300

    means_: np.ndarray = field(init=False)
    posteriors_: tuple[Any, ...] = field(init=False)
    predictives_: tuple[Any, ...] = field(init=False)
    log_evidence_: float = field(init=False)
    evidence_kind_: str = field(init=False)
    trace_: Trace = field(init=False)

    _planning: ClassVar[PlanRules] = PlanRules(with_layout_if_complete, plan_of_triangles)
    _shares_covariance: ClassVar[bool] = False

    @property
    @abstractmethod
    def covariance_estimator(self) -> Any:
        """A parameter of final classes, which stands before others."""

    @property
    @abstractmethod
    def shrinkage(self) -> Any:
        """A parameter of final classes, which stands before others."""

    @property
    def _takes_gaps(self) -> bool:  # type: ignore[override]
        """Not where another estimator reads the rows."""
        return self.covariance_estimator is None

    # -- what final classes say ----------------------------------------------------------------------------
    @abstractmethod
    def _roots(self, parts: tuple[ScatterPart, ...], total: np.ndarray) -> list[np.ndarray]:
        """Triangles of the covariances of the classes, all of full rank, without a word about it."""

    @abstractmethod
    def _write(self, parts: tuple[ScatterPart, ...], total: np.ndarray, names: np.ndarray) -> None:
        """Write the densities; `total` is the variance of the columns over all rows."""

    @abstractmethod
    def _complete_log_densities(self, X: np.ndarray) -> np.ndarray:
        """log p(x | c) of complete rows, for the classes that have rows."""

    @abstractmethod
    def _class_whiteners(self) -> tuple[ClassWhitener | LiftedWhitener, ...]:
        """The covariances of the classes that have rows."""

    def _check_beliefs(self, **others: bool) -> None:
        """The parameters that both analyses share; `others` say which rivals of a prior are given."""
        if isinstance(self.covariance, str):
            check_choice("covariance", self.covariance, ("full", "diagonal"))
        check_prior(self.prior, self.covariance, others)
        check_estimator(
            self.covariance_estimator,
            self.shrinkage,
            prior=self.prior is not None,
            covariance=not isinstance(self.covariance, str) or self.covariance != "full",
            unbiased=others["unbiased"],
        )
        check_number("em_tol", self.em_tol, low=0.0, strict=True)
        k = self.em_max_iter
        check_integer("em_max_iter", k, 1)

    # -- statistics ------------------------------------------------------------------------------------------
    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        if self.covariance_estimator is not None:
            raise Unsupported(f"There are no statistics: {ESTIMATED}. Fit the whole table with fit(X, y).")
        if has_gaps(rows.X):
            raise Unsupported(
                f"X has missing cells ({first_nonfinite(dense(rows.X), plan.header.feature_names)}): {UNSUMMED}. "
                "Fit the whole table with fit(X, y), or choose a naive model, such as GaussianNB, which takes gaps."
            )
        return gather_triangles(rows, plan)

    def why_not_summed(self, X: Any) -> str | None:
        """None for complete rows; rows with missing cells, or read by another estimator, are no sum."""
        if self.covariance_estimator is not None:
            return ESTIMATED
        return UNSUMMED if lacks_cells(X) else None

    @property
    def why_no_statistics(self) -> str | None:
        """Why a fitted model has no `statistics_`; None if it has."""
        if self.covariance_estimator is not None:
            return ESTIMATED
        return UNSUMMED if hasattr(self, "trace_") else None

    # -- fit -------------------------------------------------------------------------------------------------
    def _write_densities(self, statistics: ClassStatistics) -> None:
        parts = tuple(ScatterPart.of(p) for p in statistics.parts if p is not None)
        self._forget_fit("trace_", "log_evidence_", "evidence_kind_", "posteriors_", "predictives_")
        if self.prior is None:
            self._write(
                parts, variance_over_all(parts), np.array(statistics.header.feature_names, dtype=object)
            )
            return
        known = beliefs(self.prior, parts, self.covariance, self._shares_covariance)
        self.posteriors_, self.predictives_ = known.posteriors, known.predictives
        self.log_evidence_, self.evidence_kind_ = known.log_evidence, "exact"
        self.means_ = frozen_array([p.mean for p in known.posteriors])

    @one_blas_thread()
    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """From triangles, as other sums; rows with gaps, or those another estimator reads, are no sum."""
        rows, plan = self.door(X, y, sample_weight)
        if self.covariance_estimator is not None:
            return self._fit_estimated(rows, plan)
        return self._fit_with_gaps(rows, plan) if has_gaps(rows.X) else self.solve(self.gather(rows, plan))

    def _fit_with_gaps(self, rows: Rows, plan: LabelPlan) -> Self:
        """By expectation–maximization."""
        refuse_gaps(self.prior)
        X, weight = dense(rows.X), rows.weights
        names = plan.header.feature_names
        columns = KnownCells.of(X, weight, names)
        codes = self._rows_of_classes(rows, plan)
        parts, trace = fit_with_gaps(
            X,
            codes,
            weight,
            columns,
            lambda parts: self._roots(parts, columns.variance),
            self.em_tol,
            self.em_max_iter,
        )
        self._forget_fit("statistics_", "log_evidence_", "evidence_kind_", "posteriors_", "predictives_")
        self._write(parts, columns.variance, np.array(names, dtype=object))
        self.trace_ = trace
        remember_columns(self, plan.header)
        return self

    def _fit_estimated(self, rows: Rows, plan: LabelPlan) -> Self:
        """Covariances by `covariance_estimator`, class by class."""
        X = dense(rows.X)
        groups = self._rows_of_classes(rows, plan)
        parts = estimated_parts(self.covariance_estimator, X, groups, rows.weight)
        self._forget_fit(
            "statistics_", "trace_", "log_evidence_", "evidence_kind_", "posteriors_", "predictives_"
        )
        self._write(parts, variance_over_all(parts), np.array(plan.header.feature_names, dtype=object))
        remember_columns(self, plan.header)
        return self

    def _rows_of_classes(self, rows: Rows, plan: LabelPlan) -> list[np.ndarray]:
        """Writes the classes; the rows of each that has any."""
        counts = label_counts(plan, rows)
        self._write_classes(counts)
        self._write_priors(counts)
        return [np.flatnonzero(np.equal(rows.Y, c)) for c in np.flatnonzero(self.class_count_ > 0)]

    def _forget_fit(self, *names: str) -> None:
        for name in names:
            self.__dict__.pop(name, None)

    # -- densities -------------------------------------------------------------------------------------------
    def _log_densities(self, X: Any) -> np.ndarray:
        X, present = dense(X), self.class_count_ > 0
        gaps = np.isnan(X).any(axis=1)
        out = np.empty((len(X), int(present.sum())))
        if not gaps.all():
            out[~gaps] = self._known_log_densities(X if not gaps.any() else X[~gaps])
        if gaps.any():
            out[gaps] = self._marginal_log_densities(X[gaps])
        return spread(out, present)

    def _known_log_densities(self, X: np.ndarray) -> np.ndarray:
        if self.prior is None:
            return self._complete_log_densities(X)
        return np.column_stack([p.log_prob(X) for p in self.predictives_])

    def _marginal_log_densities(self, X: np.ndarray) -> np.ndarray:
        """Missing cells integrated out; zero where all are missing."""
        out = np.zeros((len(X), len(self.means_)))
        for columns, rows in by_pattern(X):
            if len(columns):
                out[rows] = self._of_columns(X[np.ix_(rows, columns)], columns)
        return out

    def _of_columns(self, X: np.ndarray, columns: np.ndarray) -> np.ndarray:
        if self.prior is not None:
            ends = [p.marginal(columns if len(columns) > 1 else int(columns[0])) for p in self.predictives_]
            return np.column_stack([p.log_prob(X if len(columns) > 1 else X[:, 0]) for p in ends])
        narrow: dict[int, ClassWhitener | LiftedWhitener] = {}
        for w in self._class_whiteners():
            narrow.setdefault(id(w), w.restricted(columns))
        pairs = zip(self.means_[:, columns], self._class_whiteners(), strict=True)
        return np.column_stack([narrow[id(w)].log_density(X - m) for m, w in pairs])

    # -- reading ---------------------------------------------------------------------------------------------
    @property
    def conditionals_(self) -> tuple[Any, ...]:
        """p(x | c) of each class with rows: normal, or Student-t where a prior has the covariance uncertain."""
        if self.prior is not None:
            return self.predictives_
        pairs = zip(self.means_, self._class_whiteners(), strict=True)
        return tuple(MultivariateNormal(m, w.covariance) for m, w in pairs)

    @property
    def priors_(self) -> np.ndarray:
        """P(c)."""
        return np.exp(self.class_log_prior_)

    def _believed_covariances(self) -> tuple[np.ndarray, ...]:
        """The known covariance, or its posterior expectation, of each class with rows."""
        if not isinstance(self.covariance, str):
            return (np.asarray(self.covariance, dtype=float),) * len(self.posteriors_)
        return tuple(p.marginal_cov().mean for p in self.posteriors_)

    def _draw(self, place: int, n: int, rng: np.random.Generator) -> np.ndarray:
        which = int(np.sum(self.class_count_[:place] > 0))
        return self.conditionals_[which].sample(n, rng)


def why_not_added_to(model: GaussianClassifier) -> str | None:
    """Why there is no `partial_fit`, if so."""
    return f"There is no partial_fit: {ESTIMATED}." if model.covariance_estimator is not None else None


def spread(values: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Columns of the classes that have rows, among all classes; −inf for the others."""
    if values.shape[1] != np.count_nonzero(present):
        raise HeaderMismatch(
            f"There are {values.shape[1]} densities for {np.count_nonzero(present)} classes with rows."
        )
    if present.all():
        return values
    out = np.full((len(values), len(present)), -np.inf)
    out[:, present] = values
    return out
