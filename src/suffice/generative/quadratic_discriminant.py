r"""Quadratic discriminant analysis: one normal density per class (FCML §5.2.1.3, DTU §13.1.1, PRML §4.2).

Density      p(x | c) = N(x | μ_c, Σ_c)                                     (FCML eq. 5.3, DTU eq. 13.2)
Fit          μ_c the mean of the rows of class c, Σ_c their scatter over n_c (FCML eqs 5.4, 5.5) or n_c − 1 (DTU)
Discriminant a_c(x) = log P(c) − ½ log |Σ_c| − ½ (x − μ_c)ᵀ Σ_c⁻¹ (x − μ_c)
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, Literal, Self, final

import numpy as np

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    RankDeficient,
    check_choice,
    check_flags,
    check_number,
    hold_warnings,
    warn,
)
from suffice._core.linalg import eigh
from suffice._core.numerics import LOG_2PI
from suffice._core.records import estimator
from suffice._estimator import check_is_fitted, check_no_effect
from suffice._estimator.labels import LabelPlan
from suffice.engine import Rows, one_blas_thread
from suffice.generative._normal.covariance import (
    RIDGE,
    automatic_shrinkage,
    check_shrinkage,
    does_not_vary,
    lifts,
    mixed,
    over_weight,
    shrunk,
    toward_diagonal,
    toward_pooled,
    warn_dependent_class,
    warn_flat,
    without_flat,
)
from suffice.generative._normal.estimated import ESTIMATED
from suffice.generative._normal.gaussian import NOT_STORED, GaussianClassifier, why_not_added_to
from suffice.generative._normal.leave_out import quadratic_left_out
from suffice.generative._normal.part import ColumnScales, ScatterPart, means_of
from suffice.generative._normal.root import Root
from suffice.generative._normal.whitener import ClassWhitener, LiftedWhitener, dependent_columns, whitener_of
from suffice.generative._shell.offered import offered_where
from suffice.statistics.layout import dense

BOOKS: dict[str, dict[str, Any]] = {"fcml": {}, "herbst": {}, "dtu": {"unbiased": True}}


@offered_where(why_not_added_to, "partial_fit")
@final
@estimator
class QuadraticDiscriminantAnalysis(GaussianClassifier):
    """A normal density with a covariance of its own for every class.

    Parameters
    ----------
    solver, tol
        Taken for scikit-learn's sake and without effect: "svd" and "eigen" mean the same numbers, and both take
        `shrinkage`, `reg_param` and `covariance_estimator`.
    priors
        None or "empirical" for the shares of the classes, "uniform", or one probability per class.
    shrinkage
        None; a number s for (1 − s) Σ + s (tr Σ / D) I; or "auto", which shrinks the correlations of a class, and its
        variances towards those within all classes, by as much as their sampling error warrants. It does not depend on
        the units of the columns.
    reg_param
        Adds a share of the identity: (1 − r) Σ + r I.
    store_covariance
        Whether there is `covariance_`; `conditionals_`, `rotations_` and `scalings_` tell the same.
    covariance_estimator
        An object with `fit(X)` that leaves `covariance_`, such as those of `sklearn.covariance`, for the covariance of
        each class. It reads rows, so such a fit has no `statistics_` and cannot be merged, and `sample_weight` must be
        whole numbers. No shrinkage then.
    covariance
        "full"; "diagonal" for columns that are independent within a class; or a matrix, with a prior on the means.
    unbiased
        Divide the scatter by n_c − 1, as DTU, in place of n_c (maximum likelihood; FCML and scikit-learn).
    prior
        What is known of the parameters beforehand: a `NormalInverseWishart` of mean and covariance, which makes the
        densities Student-t; or a `MultivariateNormal` of the class means, with `covariance` known. No shrinkage then.
    em_tol, em_max_iter
        With missing cells in `fit`: stop when the log likelihood per row changes by no more than this, or after so many
        iterations.

    Notes
    -----
    A class whose covariance is singular is regularized with a warning that names the columns, where scikit-learn
    raises. A column that does not vary in a class of n_c rows has a share max(1/n_c, 0.03) of its variance within all
    classes there, uncorrelated with others: a value that the class never had costs it much, but not everything. One
    that varies in no class, but between them, has max(1/(n + 1), 1e-4) of its variance over all rows. A class of a
    single row is refused, but for `shrinkage="auto"`, which lends it the spread within the others. Where columns
    depend on each other, or there are more of them than rows, correlations are shrunk, by 1/(n + 1) at least. With
    `reg_param`, or a number as `shrinkage`, covariances are scikit-learn's.

    NaN is a missing cell. Predictions integrate it out. A fit finds each class by expectation–maximization: shrinkage,
    `reg_param` and the divisor act on the expected scatter in every iteration, so one missing cell changes little.
    `trace_` holds the log likelihood of the known cells, which grows all the way where none of them is used. Such a
    fit has no `statistics_` and cannot be merged. A class whose known cells do not determine a covariance (their
    likelihood grows without end) has its correlations shrunk as by "auto", with a warning.

    With a prior, `log_evidence_` is log p(X | y), parameters averaged over; the labels' own probability is not in it.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.generative import QuadraticDiscriminantAnalysis
    >>> X = np.array([[-1.0, -1.0], [-2.0, -1.0], [-3.0, -2.5], [1.0, 1.0], [2.0, 1.0], [3.0, 2.5]])
    >>> model = QuadraticDiscriminantAnalysis().fit(X, ["left"] * 3 + ["right"] * 3)
    >>> print(model.predict([[-0.8, -1.0]]), model.n_parameters_)
    ['left'] 10

    A missing cell is integrated out; a prior on mean and covariance needs few rows:

    >>> from suffice.distributions import NormalInverseWishart
    >>> prior = NormalInverseWishart(mean=[0.0, 0.0], strength=1.0, scale=np.eye(2), dof=4.0)
    >>> model = QuadraticDiscriminantAnalysis(prior=prior).fit(X[1:5], ["left"] * 2 + ["right"] * 2)
    >>> print(model.predict([[np.nan, -1.0]]), f"{model.log_evidence_:.3f}")
    ['left'] -15.695
    """

    _: KW_ONLY
    solver: str = "svd"
    shrinkage: Any = None
    priors: Any = None
    reg_param: float = 0.0
    store_covariance: bool = False
    tol: float = 1e-4
    covariance_estimator: Any = None

    whiteners_: tuple[ClassWhitener | LiftedWhitener, ...] = field(init=False)

    @classmethod
    def book(cls, text: Literal["fcml", "herbst", "dtu"] = "fcml", **options: Any) -> Self:
        """The covariance as a text has it: scatter over n_c ("fcml" eq. 5.5, "herbst"), or n_c − 1 ("dtu" §13.1.1)."""
        check_choice("text", text, tuple(BOOKS))
        return cls(**(BOOKS[text] | options))

    def _check_parameters(self) -> None:
        check_shrinkage(self.shrinkage)
        check_choice("solver", self.solver, ("svd", "eigen"))
        check_flags(self, "unbiased", "store_covariance")
        check_no_effect(self, "tol")
        if check_number("reg_param", self.reg_param, low=0.0) > 1:
            raise InvalidParameter(f"reg_param must lie between 0 and 1; got {self.reg_param!r}.")
        rivals = {"shrinkage": self.shrinkage is not None, "reg_param": self.reg_param > 0}
        self._check_beliefs(**rivals, unbiased=self.unbiased)

    def _write(self, parts: tuple[ScatterPart, ...], total: np.ndarray, names: np.ndarray) -> None:
        labels = self.classes_[self.class_count_ > 0].tolist()
        self.means_ = means_of(parts)
        scales = ColumnScales.of(parts, total)
        roots = [self._root(p, scales, c, names) for c, p in zip(labels, parts, strict=True)]
        self.whiteners_ = tuple(map(whitener_of, roots))

    def _roots(self, parts: tuple[ScatterPart, ...], total: np.ndarray) -> list[np.ndarray]:
        names = np.empty(len(total), dtype=object)
        scales = ColumnScales.of(parts, total)
        with hold_warnings():
            return [self._root(p, scales, None, names, on_the_way=True).triangle() for p in parts]

    def _root(
        self, part: ScatterPart, scales: ColumnScales, label: Any, names: np.ndarray, on_the_way: bool = False
    ) -> Root:
        """The root of the covariance of a class; `on_the_way` of an iteration flat columns stay so."""
        root = Root.of(over_weight(part.factor, part.n, 1, self.unbiased))
        if self.covariance == "diagonal":
            root = root.diagonal()
        flat = does_not_vary(root, scales.total)
        lifted = self.reg_param > 0 or lifts(self.shrinkage, flat)
        if not lifted:
            root, _ = without_flat(root, scales.total, scales.tiny if on_the_way else scales.flat(part.n))
        if self.shrinkage == "auto":
            root = toward_pooled(root, scales.within, part.n - 1, flat)
        if self.shrinkage is not None:
            root = shrunk(root, self.shrinkage, part.n - 1, flat)
        if self.reg_param:
            root = mixed(root, np.ones(len(root)), float(self.reg_param))
        if not lifted:
            if not on_the_way:
                self._refuse_single_row(part, scales.total, flat, label)
            self._warn_flat(scales.total, flat, label, names)
        dependent = dependent_columns(root)
        if not len(dependent) and not part.few:
            return root
        few = part.few or part.n - 1 < len(root)
        share = max(automatic_shrinkage(root, part.n - 1) if few else 0.0, 1 / (scales.n + 1), RIDGE)
        warn_dependent_class(label, names[dependent].tolist(), part.n, few, share)
        return toward_diagonal(root, share)

    def _refuse_single_row(self, part: ScatterPart, total: np.ndarray, flat: np.ndarray, label: Any) -> None:
        if part.n <= 1 and flat.all() and np.any(total) and self.shrinkage != "auto":
            raise InvalidInput(
                f"y has only 1 sample in class {label!r}, covariance is ill defined. Give it more rows, choose "
                "shrinkage='auto', which lends it the spread within the other classes, or LinearDiscriminantAnalysis."
            )

    def _warn_flat(self, total: np.ndarray, flat: np.ndarray, label: Any, names: np.ndarray) -> None:
        if np.any(total) and flat.all():
            if self.shrinkage != "auto":
                warn(
                    f"All rows of class {label!r} are equal: its spread is taken to be that within the other "
                    "classes. Give it more rows, or choose LinearDiscriminantAnalysis.",
                    RankDeficient,
                )
            return
        warn_flat(label, names[flat & (total > 0)].tolist())

    def _complete_log_densities(self, X: np.ndarray) -> np.ndarray:
        pairs = zip(self.means_, self.whiteners_, strict=True)
        return np.column_stack([w.log_density(X - m) for m, w in pairs])

    def _class_whiteners(self) -> tuple[ClassWhitener | LiftedWhitener, ...]:
        return self.whiteners_

    @one_blas_thread()
    def decision_function(self, X: Any) -> np.ndarray:
        """a_c(x), but for what all classes share; of two classes the log odds, positive for the second."""
        check_is_fitted(self)
        X = dense(self._open_inputs(X))
        joint = self._log_joint(X)
        if joint.shape[1] == 2:
            return joint[:, 1] - joint[:, 0]
        return joint + 0.5 * LOG_2PI * np.sum(~np.isnan(X), axis=1)[:, None]

    # -- leaving one row out -------------------------------------------------------------------------------
    def why_not_held_out(self, folds: Any) -> str | None:
        """None where `left_out_labels` equals refitting, else the reason."""
        if self.prior is not None:
            return "the posterior of a class changes with every row of it; statistics of folds answer instead"
        if self.covariance_estimator is not None:
            return ESTIMATED
        if self.shrinkage is not None or self.reg_param or self.covariance != "full":
            return "what the covariances are shrunk by changes with every row"
        return None

    def left_out_labels(self, rows: Rows, plan: LabelPlan) -> tuple[np.ndarray, np.ndarray]:
        """log P(c | x) by the model without the row, and which rows must be refitted.

        Only the density of the row's own class changes: its scatter by rank one, and so does its determinant.
        """
        with hold_warnings() as regularized:
            fitted = self._refitted(rows, plan)
        return quadratic_left_out(fitted, rows, bool(regularized))

    # -- reading -----------------------------------------------------------------------------------------
    @property
    def covariance_(self) -> list[np.ndarray]:
        """Σ_c of each class with rows; its expectation if it has a prior. There if `store_covariance`."""
        if not self.store_covariance:
            raise AttributeError(NOT_STORED)
        return self._covariances()

    def _covariances(self) -> list[np.ndarray]:
        if self.prior is not None:
            return list(self._believed_covariances())
        return [w.covariance for w in self.whiteners_]

    @property
    def rotations_(self) -> list[np.ndarray]:
        """Principal axes of each class with rows, in columns, the widest first."""
        return [vectors for _, vectors in map(principal_axes, self._covariances())]

    @property
    def scalings_(self) -> list[np.ndarray]:
        """Variances along `rotations_`."""
        return [values for values, _ in map(principal_axes, self._covariances())]

    @property
    def n_parameters_(self) -> int:
        """D means and D (D + 1) / 2 covariances per class, or 2 D if these are diagonal; priors not counted."""
        k, d = self.means_.shape
        return k * (2 * d if self.covariance == "diagonal" else d * (d + 3) // 2)


def principal_axes(cov: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues, the largest first, and their vectors in columns."""
    values, vectors = eigh(cov)
    return values[::-1], vectors[:, ::-1]
