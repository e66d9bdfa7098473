r"""Quadratic discriminant analysis: one normal density per class (FCML §5.2.1.3, DTU §13.1.1, PRML §4.2).

Density      p(x | c) = N(x | μ_c, Σ_c)                                     (FCML eq. 5.3, DTU eq. 13.2)
Fit          μ_c the mean of the rows of class c, Σ_c their scatter over n_c (FCML eqs 5.4, 5.5) or n_c − 1 (DTU)
Discriminant a_c(x) = log P(c) − ½ log |Σ_c| − ½ (x − μ_c)ᵀ Σ_c⁻¹ (x − μ_c)
"""

from __future__ import annotations

import copy
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, final

import numpy as np

from suffice._core.errors import check_choice, check_flags, check_number, hold_warnings
from suffice._core.linalg import qr_factor
from suffice._core.records import storable
from suffice._estimator.labels import LabelPlan
from suffice.distributions import MultivariateNormal
from suffice.engine import Rows
from suffice.generative._classifier import log_posterior, priors_without
from suffice.generative._covariance import (
    RIDGE,
    Whitener,
    automatic_shrinkage,
    centred_factor,
    check_shrinkage,
    dependent_columns,
    shrunk,
    toward_diagonal,
    warn_dependent_class,
    without_flat,
)
from suffice.generative._gaussian import (
    Deviation,
    GaussianClassifier,
    frozen_means,
    spread,
    total_variance,
)
from suffice.statistics import ClassStatistics
from suffice.statistics.layout import dense


@final
@storable
@dataclass(eq=False, repr=False)
class QuadraticDiscriminantAnalysis(GaussianClassifier):
    """A normal density with a covariance of its own for every class.

    Parameters
    ----------
    priors
        None or "empirical" for the shares of the classes, "uniform", or one probability per class.
    shrinkage
        None; a number s for (1 − s) Σ + s (tr Σ / D) I; or "auto", which shrinks the correlations by as much as their
        sampling error warrants and does not depend on the units of the columns.
    reg_param
        Adds a share of the identity: (1 − r) Σ + r I.
    covariance
        "full", or "diagonal" for columns that are independent within a class.
    unbiased
        Divide the scatter by n_c − 1, as DTU, in place of n_c (maximum likelihood; FCML and scikit-learn).

    Notes
    -----
    A class whose covariance is singular (dependent columns, more columns than rows) is regularized with a warning
    that names the columns, where scikit-learn raises.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.generative import QuadraticDiscriminantAnalysis
    >>> X = np.array([[-1.0, -1.0], [-2.0, -1.0], [-3.0, -2.5], [1.0, 1.0], [2.0, 1.0], [3.0, 2.5]])
    >>> model = QuadraticDiscriminantAnalysis().fit(X, ["left"] * 3 + ["right"] * 3)
    >>> print(model.predict([[-0.8, -1.0]]), model.n_parameters_)
    ['left'] 10
    """

    _: KW_ONLY
    priors: Any = None
    shrinkage: Any = None
    reg_param: float = 0.0
    covariance: str = "full"
    unbiased: bool = False

    statistics_: ClassStatistics = field(init=False)
    classes_: np.ndarray = field(init=False)
    class_count_: np.ndarray = field(init=False)
    class_log_prior_: np.ndarray = field(init=False)
    means_: np.ndarray = field(init=False)
    whiteners_: tuple[Whitener, ...] = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    @property
    def _prior_choice(self) -> Any:
        return self.priors

    def _check_parameters(self) -> None:
        check_shrinkage(self.shrinkage)
        check_choice("covariance", self.covariance, ("full", "diagonal"))
        check_flags(self, "unbiased")
        if check_number("reg_param", self.reg_param, low=0.0) > 1:
            check_choice("reg_param", self.reg_param, (0.0, 1.0))

    def _solve(self, statistics: ClassStatistics) -> None:
        present = [p for p in statistics.parts if p is not None]
        labels = [
            c for c, p in zip(statistics.classes.tolist(), statistics.parts, strict=True) if p is not None
        ]
        total = total_variance(present)
        names = np.array(statistics.header.feature_names, dtype=object)
        self.means_ = frozen_means(present)
        roots = [self._root(p, total, c, names) for c, p in zip(labels, present, strict=True)]
        self.whiteners_ = tuple(map(Whitener.of_root, roots))

    def _root(self, part: Any, total: np.ndarray, label: Any, names: np.ndarray) -> np.ndarray:
        """The triangle of the covariance of a class."""
        divisor = part.n - 1 if self.unbiased else part.n
        root = centred_factor(part) / np.sqrt(max(divisor, 1.0))
        if self.covariance == "diagonal":
            root = np.diag(np.sqrt(np.square(root).sum(axis=0)))
        root, _ = without_flat(root, total)
        if self.shrinkage is not None:
            root = shrunk(root, self.shrinkage, part.n - 1)
        if self.reg_param:
            stacked = np.vstack(
                [np.sqrt(1 - self.reg_param) * root, np.sqrt(self.reg_param) * np.eye(len(root))]
            )
            root = qr_factor(np.asfortranarray(stacked), overwrite=True)
        dependent = dependent_columns(root)
        if not len(dependent):
            return root
        few = part.n - 1 < len(root)
        share = max(automatic_shrinkage(root, part.n - 1) if few else 0.0, RIDGE)
        warn_dependent_class(label, names[dependent].tolist(), part.n, few, share)
        return toward_diagonal(root, share)

    def _log_densities(self, X: Any) -> np.ndarray:
        X = dense(X)
        pairs = zip(self.means_, self.whiteners_, strict=True)
        return spread(np.column_stack([w.log_density(X - m) for m, w in pairs]), self.class_count_ > 0)

    # -- leaving one row out -------------------------------------------------------------------------------
    def why_not_held_out(self, folds: Any) -> str | None:
        """None where `left_out_labels` equals refitting, else the reason."""
        if self.shrinkage is not None or self.reg_param or self.covariance != "full":
            return "what the covariances are shrunk by changes with every row"
        return None

    def left_out_labels(self, rows: Rows, plan: LabelPlan) -> tuple[np.ndarray, np.ndarray]:
        """log P(c | x) by the model without the row, and which rows must be refitted.

        Only the density of the row's own class changes: its scatter by rank one, and so does its determinant.
        """
        with hold_warnings() as regularized:
            fitted = copy.copy(self).solve(self.gather(rows, plan))
        n, C = rows.X.shape[0], fitted.class_count_
        w = np.ones(n) if rows.weight is None else rows.weight
        if regularized or np.any(C == 0):
            return np.zeros((n, len(C))), np.ones(n, dtype=bool)
        X, dim = dense(rows.X), rows.X.shape[1]
        logs = fitted._log_densities(X)
        alone = np.zeros(n, dtype=bool)
        for c, (mean, white) in enumerate(zip(fitted.means_, fitted.whiteners_, strict=True)):
            mine = np.flatnonzero(np.equal(rows.Y, c))
            before = C[c] - 1 if self.unbiased else C[c]
            d = Deviation.of(np.dot(X[mine] - mean, white.matrix) / np.sqrt(before), C[c], w[mine])
            after = before - w[mine]
            alone[mine] = d.alone | ~(after > 0)
            after = np.where(after > 0, after, 1.0)
            log_root = white.log_root + 0.5 * (np.log(d.safe) + dim * np.log(before / after))
            logs[mine, c] = -0.5 * after * d.own - log_root - 0.5 * dim * np.log(2 * np.pi)
        priors = np.log(priors_without(fitted.class_log_prior_, self.priors, C, rows.Y, w))
        return log_posterior(logs + priors, fitted.class_log_prior_), alone

    # -- reading -----------------------------------------------------------------------------------------
    @property
    def conditionals_(self) -> tuple[MultivariateNormal, ...]:
        """p(x | c) of each class with rows."""
        return tuple(
            MultivariateNormal(m, w.covariance) for m, w in zip(self.means_, self.whiteners_, strict=True)
        )

    @property
    def covariance_(self) -> tuple[np.ndarray, ...]:
        """Σ_c of each class with rows."""
        return tuple(w.covariance for w in self.whiteners_)

    @property
    def priors_(self) -> np.ndarray:
        """P(c)."""
        return np.exp(self.class_log_prior_)

    @property
    def n_parameters_(self) -> int:
        """D means and D (D + 1) / 2 covariances per class, or 2 D if these are diagonal; priors not counted."""
        k, d = self.means_.shape
        return k * (2 * d if self.covariance == "diagonal" else d * (d + 3) // 2)
