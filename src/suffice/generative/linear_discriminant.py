r"""Linear discriminant analysis: normal densities with a shared covariance (PRML §4.2.1–4.2.2, Herbst §4.2).

Density      p(x | c) = N(x | μ_c, Σ)
Fit          Σ = S_W / n, S_W the scatter within the classes (maximum likelihood); or S_W / (n − C)
Discriminant a_c(x) = w_cᵀ x + b_c,  w_c = Σ⁻¹ μ_c,  b_c = −½ μ_cᵀ Σ⁻¹ μ_c + log P(c)
Projection   the directions that separate the means best in units of Σ: `transform`
"""

from __future__ import annotations

import copy
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, final

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from suffice._core.errors import (
    InvalidParameter,
    RankDeficient,
    check_choice,
    check_flags,
    check_number,
    warn,
)
from suffice._core.linalg import svd
from suffice._core.records import storable
from suffice._estimator.labels import LabelPlan
from suffice.distributions import MultivariateNormal
from suffice.engine import Rows
from suffice.generative._classifier import log_posterior, priors_without
from suffice.generative._covariance import (
    Whitener,
    centred_factor,
    check_shrinkage,
    dependent_columns,
    pooled,
    pseudo_whitener,
    shrunk,
    without_flat,
)
from suffice.generative._gaussian import (
    Deviation,
    GaussianClassifier,
    frozen_means,
    spread,
    total_variance,
)
from suffice.generative._linear_decision import LinearDecision
from suffice.statistics import ClassStatistics
from suffice.statistics.layout import dense


@final
@storable
@dataclass(eq=False, repr=False)
class LinearDiscriminantAnalysis(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, LinearDecision, GaussianClassifier
):
    """Normal densities with one covariance for all classes, hence linear boundaries.

    Parameters
    ----------
    solver
        As in scikit-learn, where it decides two conventions: "svd" pools the scatter of all classes and reports
        discriminants about the mean of all rows; "lsqr" and "eigen" average the covariances of the classes by their
        priors and report w_c = Σ⁻¹ μ_c.
    shrinkage
        None; a number s for (1 − s) Σ + s (tr Σ / D) I; or "auto", which shrinks the correlations by as much as their
        sampling error warrants and does not depend on the units of the columns.
    priors
        None or "empirical" for the shares of the classes, "uniform", or one probability per class.
    n_components
        Directions of `transform`; at most, and by default, the smaller of C − 1 and D.
    tol
        Directions in which columns of unit length vary less than this within the classes are left out.
    covariance
        "full", or "diagonal" for columns that are independent within a class.
    unbiased
        Divide the scatter within the classes by n − C in place of n.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.generative import LinearDiscriminantAnalysis
    >>> X = np.array([[-1.0, -1.0], [-2.0, -1.0], [-3.0, -2.0], [1.0, 1.0], [2.0, 1.0], [3.0, 2.0]])
    >>> model = LinearDiscriminantAnalysis().fit(X, [1, 1, 1, 2, 2, 2])
    >>> print(model.predict([[-0.8, -1.0]]), model.n_parameters_)
    [1] 7
    """

    solver: str = "svd"
    _: KW_ONLY
    shrinkage: Any = None
    priors: Any = None
    n_components: int | None = None
    tol: float = 1e-4
    covariance: str = "full"
    unbiased: bool = False

    statistics_: ClassStatistics = field(init=False)
    classes_: np.ndarray = field(init=False)
    class_count_: np.ndarray = field(init=False)
    class_log_prior_: np.ndarray = field(init=False)
    means_: np.ndarray = field(init=False)
    xbar_: np.ndarray = field(init=False)
    whitener_: Whitener = field(init=False)
    coef_: np.ndarray = field(init=False)
    intercept_: np.ndarray = field(init=False)
    scalings_: np.ndarray = field(init=False)
    explained_variance_ratio_: np.ndarray = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    @property
    def _prior_choice(self) -> Any:
        return self.priors

    def _check_parameters(self) -> None:
        check_choice("solver", self.solver, ("svd", "lsqr", "eigen"))
        check_shrinkage(self.shrinkage)
        check_choice("covariance", self.covariance, ("full", "diagonal"))
        check_number("tol", self.tol, low=0.0)
        check_flags(self, "unbiased")
        k = self.n_components
        if k is not None and (isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1):
            raise InvalidParameter(f"n_components must be None or an integer >= 1; got {k!r}.")

    def _solve(self, statistics: ClassStatistics) -> None:
        present = [p for p in statistics.parts if p is not None]
        self.means_ = frozen_means(present)
        self.whitener_ = self._whitener(present, np.array(statistics.header.feature_names, dtype=object))
        self._write_function()

    def _whitener(self, parts: list[Any], names: np.ndarray) -> Whitener:
        n, k = sum(p.n for p in parts), len(parts)
        share = np.array([p.n / n for p in parts])
        prior = share if self.solver == "svd" else np.exp(self.class_log_prior_)[self.class_count_ > 0]
        root = pooled(
            [np.sqrt(q / s) * centred_factor(p) for q, s, p in zip(prior, share, parts, strict=True)]
        )
        root = root / np.sqrt(max(n - k if self.unbiased else n, 1.0))
        if self.covariance == "diagonal":
            root = np.diag(np.sqrt(np.square(root).sum(axis=0)))
        root, _ = without_flat(root, total_variance(parts))
        if self.shrinkage is not None:
            root = shrunk(root, self.shrinkage, n - k)
        dependent = dependent_columns(root)
        if not len(dependent):
            return Whitener.of_root(root)
        listed = ", ".join(map(repr, names[dependent][:6].tolist()))
        warn(
            f"Variables are collinear: within the classes {listed} are combinations of other columns; directions "
            "that do not vary are left out. Drop such columns, or choose shrinkage='auto'.",
            RankDeficient,
        )
        return pseudo_whitener(root, self.tol)

    def _write_function(self) -> None:
        """Discriminants and projections, from means, priors and the whitener."""
        W, present = self.whitener_.matrix, self.class_count_ > 0
        log_prior = self.class_log_prior_[present]
        prior = np.exp(log_prior)
        self.xbar_ = prior @ self.means_
        white = (self.means_ - self.xbar_) @ W  # (C, r)
        _, s, vt = svd(np.sqrt(prior)[:, None] * white)
        rank = int(np.sum(s > 1e-10 * s.max(initial=0.0)))
        most = min(len(prior) - 1, self.means_.shape[1])
        if self.n_components is not None and self.n_components > most:
            raise InvalidParameter(
                f"n_components cannot be larger than min(n_features, n_classes - 1) = {most}; got {self.n_components}."
            )
        squares = s[:most] ** 2
        share = squares / squares.sum() if squares.sum() > 0 else squares
        self.explained_variance_ratio_ = share[: most if self.n_components is None else self.n_components]
        self.scalings_ = W @ vt[:rank].T
        center = self.xbar_ if self.solver == "svd" else np.zeros_like(self.xbar_)
        white = (self.means_ - center) @ W
        self._write_discriminants(white @ W.T, -0.5 * np.square(white).sum(axis=1) + log_prior, center)

    def _log_densities(self, X: Any) -> np.ndarray:
        X, w = dense(X), self.whitener_
        white = np.dot(X - self.xbar_, w.matrix)
        centers = (self.means_ - self.xbar_) @ w.matrix
        away = np.dot(white, centers.T) - 0.5 * np.square(centers).sum(axis=1)
        base = -0.5 * np.einsum("nr,nr->n", white, white) - 0.5 * w.rank * np.log(2 * np.pi) - w.log_root
        return spread(base[:, None] + away, self.class_count_ > 0)

    def transform(self, X: Any) -> np.ndarray:
        """Rows in the directions that separate the means best, in units of the covariance within the classes."""
        X = dense(self._open_inputs(X))
        return ((X - self.xbar_) @ self.scalings_)[:, : self.n_components]

    # -- leaving one row out -------------------------------------------------------------------------------
    def why_not_held_out(self, folds: Any) -> str | None:
        """None where `left_out_labels` equals refitting, else the reason."""
        if self.shrinkage is not None or self.covariance != "full":
            return "what the covariance is shrunk by changes with every row"
        if self.solver != "svd" and self._prior_choice is not None:
            return (
                "the covariance is averaged by given priors, which a row left out of its class does not scale"
            )
        return None

    def left_out_labels(self, rows: Rows, plan: LabelPlan) -> tuple[np.ndarray, np.ndarray]:
        """log P(c | x) by the model without the row, and which rows must be refitted.

        The scatter within classes loses one direction, so its inverse changes by rank one (Sherman–Morrison).
        """
        fitted = copy.copy(self).solve(self.gather(rows, plan))
        n, C = rows.X.shape[0], fitted.class_count_
        w = np.ones(n) if rows.weight is None else rows.weight
        W = fitted.whitener_
        if W.rank < fitted.means_.shape[1] or np.any(C == 0):
            return np.zeros((n, len(C))), np.ones(n, dtype=bool)
        total = C.sum()
        unit = 1 / np.sqrt(total - len(C) if self.unbiased else total)  # from covariance to scatter
        white = np.dot(dense(rows.X) - fitted.xbar_, W.matrix) * unit
        centers = (fitted.means_ - fitted.xbar_) @ W.matrix * unit
        own = white - centers[rows.Y]
        d = Deviation.of(own, C[rows.Y], w)
        gap = white[:, None, :] - centers  # (N, C, r)
        squares = np.einsum("ncr,ncr->nc", gap, gap)
        inner = np.einsum("ncr,nr->nc", gap, own)
        squares += (d.factor / d.safe)[:, None] * inner**2
        squares[np.arange(n), rows.Y] = d.own
        freedom = total - w - (len(C) if self.unbiased else 0)
        priors = np.log(priors_without(fitted.class_log_prior_, self.priors, C, rows.Y, w))
        return log_posterior(-0.5 * freedom[:, None] * squares + priors, fitted.class_log_prior_), d.alone

    @property
    def _n_features_out(self) -> int:
        return self.scalings_[:, : self.n_components].shape[1]

    # -- reading -----------------------------------------------------------------------------------------
    @property
    def covariance_(self) -> np.ndarray:
        """Σ."""
        return self.whitener_.covariance

    @property
    def conditionals_(self) -> tuple[MultivariateNormal, ...]:
        """p(x | c) of each class with rows."""
        return tuple(MultivariateNormal(m, self.covariance_) for m in self.means_)

    @property
    def priors_(self) -> np.ndarray:
        """P(c)."""
        return np.exp(self.class_log_prior_)

    @property
    def n_parameters_(self) -> int:
        """D means per class and D (D + 1) / 2 covariances, or D if these are diagonal; priors not counted."""
        k, d = self.means_.shape
        return k * d + (d if self.covariance == "diagonal" else d * (d + 1) // 2)
