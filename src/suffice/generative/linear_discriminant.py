r"""Linear discriminant analysis: normal densities with a shared covariance (PRML §4.2.1–4.2.2, Herbst §4.2).

Density      p(x | c) = N(x | μ_c, Σ)
Fit          Σ = S_W / n, S_W the scatter within the classes (maximum likelihood); or S_W / (n − C)
Discriminant a_c(x) = w_cᵀ x + b_c,  w_c = Σ⁻¹ μ_c,  b_c = −½ μ_cᵀ Σ⁻¹ μ_c + log P(c)
Projection   the directions that separate the means best in units of Σ: `transform`
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, final

import numpy as np
from scipy.special import logsumexp
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    RankDeficient,
    Unsupported,
    check_choice,
    check_flags,
    check_number,
    warn,
)
from suffice._core.linalg import svd
from suffice._core.records import estimator
from suffice._estimator import check_is_fitted
from suffice._estimator.labels import LabelPlan
from suffice.engine import Rows, one_blas_thread
from suffice.generative._normal.covariance import (
    FLOOR,
    RIDGE,
    automatic_shrinkage,
    check_shrinkage,
    does_not_vary,
    least_within,
    lifts,
    over_weight,
    pooled,
    shrunk,
    toward_diagonal,
    without_flat,
)
from suffice.generative._normal.estimated import ESTIMATED
from suffice.generative._normal.gaussian import NOT_STORED, GaussianClassifier, why_not_added_to
from suffice.generative._normal.leave_out import linear_left_out
from suffice.generative._normal.marginal import filled, has_gaps, known_log_density
from suffice.generative._normal.part import ScatterPart, means_of
from suffice.generative._normal.root import Root
from suffice.generative._normal.whitener import (
    ClassWhitener,
    LiftedWhitener,
    dependent_columns,
    pseudo_whitener,
    whitener_of,
)
from suffice.generative._shell.bayes_rule import log_posterior
from suffice.generative._shell.linear_decision import LinearDecision
from suffice.generative._shell.offered import offered_where
from suffice.statistics.layout import dense


def _why_no_projection(model: LinearDiscriminantAnalysis) -> str | None:
    least_squares = model.solver == "lsqr"
    return "transform not implemented for 'lsqr' solver; choose 'svd' or 'eigen'." if least_squares else None


@offered_where(_why_no_projection, "transform", "fit_transform")
@offered_where(why_not_added_to, "partial_fit")
@final
@estimator
class LinearDiscriminantAnalysis(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, LinearDecision, GaussianClassifier
):
    """Normal densities with one covariance for all classes, hence linear boundaries.

    Parameters
    ----------
    solver
        As in scikit-learn, where it decides conventions: "svd" pools the scatter of all classes and reports
        discriminants and projections about the mean of all rows; "lsqr" and "eigen" average the covariances of the
        classes by their priors, report w_c = Σ⁻¹ μ_c and project about zero ("lsqr" does not project). All take
        `shrinkage` and `covariance_estimator`.
    shrinkage
        None; a number s for (1 − s) Σ + s (tr Σ / D) I; or "auto", which shrinks the correlations by as much as their
        sampling error warrants and does not depend on the units of the columns.
    priors
        None or "empirical" for the shares of the classes, "uniform", or one probability per class; numbers that do
        not sum to one are divided by their sum, with a warning.
    n_components
        Directions of `transform`; at most, and by default, the smaller of C − 1 and D.
    store_covariance
        Whether "svd" has `covariance_` too; the other solvers always have it.
    tol
        Directions in which columns of unit length vary less than this within the classes are left out.
    covariance_estimator
        An object with `fit(X)` that leaves `covariance_`, such as those of `sklearn.covariance`, for the covariance of
        each class; these are averaged. It reads rows, so such a fit has no `statistics_` and cannot be merged, and
        `sample_weight` must be whole numbers. No shrinkage then.
    covariance
        "full"; "diagonal" for columns that are independent within a class; or a matrix, with a prior on the means.
    unbiased
        Divide the scatter within the classes by n − C in place of n.
    prior
        What is known of the parameters beforehand: a `NormalInverseWishart` of mean and covariance, which makes the
        densities Student-t; or a `MultivariateNormal` of the class means, with `covariance` known. No shrinkage then.
    em_tol, em_max_iter
        With missing cells in `fit`: stop when the log likelihood per row changes by no more than this, or after so many
        iterations.

    Notes
    -----
    NaN is a missing cell. Predictions integrate it out. A fit finds means and covariance by expectation–maximization:
    shrinkage and the divisor act on the expected scatter in every iteration. `trace_` holds the log likelihood of the
    known cells, which grows all the way without these. Such a fit has no `statistics_` and cannot be merged.

    A column that varies in no class, but between them, has max(1/(n + 1), 1e-4) of its variance over all rows within
    the classes: it decides, but no more surely than n rows warrant.

    With a prior the densities differ in spread, as classes do in their numbers of rows; boundaries are then nearly but
    not exactly linear, and there is no `coef_` and no `transform`. `log_evidence_` is log p(X | y), the parameters
    averaged over; the labels' own probability is not in it.

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
    shrinkage: Any = None
    priors: Any = None
    n_components: int | None = None
    store_covariance: bool = False
    tol: float = 1e-4
    covariance_estimator: Any = None

    xbar_: np.ndarray = field(init=False)
    whitener_: ClassWhitener | LiftedWhitener = field(init=False)
    scalings_: np.ndarray = field(init=False)
    explained_variance_ratio_: np.ndarray = field(init=False)

    def _check_parameters(self) -> None:
        check_choice("solver", self.solver, ("svd", "lsqr", "eigen"))
        check_shrinkage(self.shrinkage)
        check_number("tol", self.tol, low=0.0)
        check_flags(self, "unbiased", "store_covariance")
        self._check_beliefs(shrinkage=self.shrinkage is not None, unbiased=self.unbiased)
        k = self.n_components
        if k is not None and (isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1):
            raise InvalidParameter(f"n_components must be None or an integer >= 1; got {k!r}.")

    _shares_covariance = True
    _rescales_priors = True
    _weights_in_precision_of_X = ("coef_", "intercept_")

    def _write(self, parts: tuple[ScatterPart, ...], total: np.ndarray, names: np.ndarray) -> None:
        refuse_single_rows(parts)
        self.means_ = means_of(parts)
        self.whitener_ = self._whitener(parts, total, names)
        self._write_function()

    def _pooled_root(
        self, parts: tuple[ScatterPart, ...], total: np.ndarray, on_the_way: bool = False
    ) -> Root:
        """The root of the covariance within the classes, of any rank."""
        n, k = sum(p.n for p in parts), len(parts)
        share = np.array([p.n / n for p in parts])
        prior = share if self.solver == "svd" else np.exp(self.class_log_prior_)[self.class_count_ > 0]
        rows = pooled([np.sqrt(q / s) * p.factor for q, s, p in zip(prior, share, parts, strict=True)])
        root = Root.of(over_weight(rows, n, k, self.unbiased))
        if self.covariance == "diagonal":
            root = root.diagonal()
        flat = does_not_vary(root, total)
        if not lifts(self.shrinkage, flat):
            least = np.where(total > 0, FLOOR * total, 1.0) if on_the_way else least_within(total, n)
            root, _ = without_flat(root, total, least)
        return root if self.shrinkage is None else shrunk(root, self.shrinkage, freedom(parts), flat)

    def _roots(self, parts: tuple[ScatterPart, ...], total: np.ndarray) -> list[np.ndarray]:
        root = self._pooled_root(parts, total, on_the_way=True)
        if len(dependent_columns(root)) or any(p.few for p in parts):
            root = toward_diagonal(root, max(RIDGE, automatic_shrinkage(root, freedom(parts))))
        return [root.triangle()] * len(parts)

    def _whitener(
        self, parts: tuple[ScatterPart, ...], total: np.ndarray, names: np.ndarray
    ) -> ClassWhitener | LiftedWhitener:
        root = self._pooled_root(parts, total)
        dependent = dependent_columns(root)
        if any(p.few for p in parts):
            share = max(RIDGE, automatic_shrinkage(root, freedom(parts)))
            warn(
                f"Rows with missing cells are too few ({sum(p.n for p in parts):g}) for a covariance of {len(root)} "
                f"columns; its correlations were shrunk by {share:.3g}. Choose shrinkage='auto', or fewer columns.",
                RankDeficient,
            )
            return whitener_of(toward_diagonal(root, share))
        if not len(dependent):
            return whitener_of(root)
        listed = ", ".join(map(repr, names[dependent][:6].tolist()))
        warn(
            f"Variables are collinear: within the classes {listed} are combinations of other columns; directions "
            "that do not vary are left out. Drop such columns, or choose shrinkage='auto'.",
            RankDeficient,
        )
        return pseudo_whitener(root, self.tol)

    def _write_function(self) -> None:
        """Discriminants and projections, from means, priors and the whitener."""
        w, present = self.whitener_, self.class_count_ > 0
        log_prior = self.class_log_prior_[present]
        prior = np.exp(log_prior)
        self.xbar_ = prior @ self.means_
        white = w.whiten(self.means_ - self.xbar_)  # (C, r)
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
        self.scalings_ = w.slopes(vt[:rank]).T
        white = w.whiten(self.means_ - self._center)
        slope, value = np.zeros((len(present), len(self.xbar_))), np.full(len(present), -np.inf)
        slope[present] = w.slopes(white)
        value[present] = log_prior - 0.5 * np.square(white).sum(axis=1)
        self._write_discriminants(slope, value, self._center)

    @property
    def _center(self) -> np.ndarray:
        """Where discriminants and projections are zero but for the priors; scikit-learn's solvers differ in it."""
        return self.xbar_ if self.solver == "svd" else np.zeros_like(self.xbar_)

    def _complete_log_densities(self, X: np.ndarray) -> np.ndarray:
        w = self.whitener_
        white = w.whiten(X - self.xbar_)
        centers = w.whiten(self.means_ - self.xbar_)
        away = np.dot(white, centers.T) - 0.5 * np.square(centers).sum(axis=1)
        base = -0.5 * np.einsum("nr,nr->n", white, white) - 0.5 * w.rank * np.log(2 * np.pi) - w.log_root
        return base[:, None] + away

    def _class_whiteners(self) -> tuple[ClassWhitener | LiftedWhitener, ...]:
        return (self.whitener_,) * len(self.means_)

    @one_blas_thread()
    def transform(self, X: Any) -> np.ndarray:
        """Rows in the directions that separate the means best, in units of the covariance within the classes.

        A missing cell is taken at its expectation given the others, over all classes.
        """
        if self.prior is not None:
            raise Unsupported(
                "transform needs one covariance for all classes; with a prior each has a spread of its own."
            )
        X = self._filled(dense(self._open_inputs(X)))
        return ((X - self._center) @ self.scalings_)[:, : self.n_components]

    def _linear_inputs(self, X: Any) -> Any:
        """Missing cells at their expectation."""
        if self.prior is not None:
            raise Unsupported("signed_distance needs linear boundaries; with a prior they are curved.")
        X = self._open_inputs(X)
        return self._filled(dense(X)) if has_gaps(X) else X

    def _filled(self, X: np.ndarray) -> np.ndarray:
        """Rows with their missing cells at Σ_c P(c | x_o) E[x | x_o, c]."""
        gaps = np.isnan(X).any(axis=1)
        if not gaps.any():
            return X
        belief = np.exp(log_posterior(self._log_joint(X[gaps]), self.class_log_prior_))
        out = X.astype(float)
        out[gaps] = filled(out[gaps], belief[:, self.class_count_ > 0] @ self.means_, self.whitener_)
        return out

    @one_blas_thread()
    def decision_function(self, X: Any) -> np.ndarray:
        """w_cᵀx + b_c; for two classes their difference, log P(c₂ | x) − log P(c₁ | x), positive for the second.

        Missing cells are integrated out. With a prior, log P(c | x) takes the place of the linear function.
        """
        check_is_fitted(self)
        table = dense(self._open_inputs(X))
        if self.prior is None and not has_gaps(table):
            return self._linear_decision(table)
        joint = self._log_joint(table)
        if joint.shape[1] == 2:
            return joint[:, 1] - joint[:, 0]
        if self.prior is not None:
            return joint - logsumexp(joint, axis=1, keepdims=True)
        return joint - known_log_density(table, self._center, self.whitener_)[:, None]

    # -- leaving one row out -------------------------------------------------------------------------------
    def why_not_held_out(self, folds: Any) -> str | None:
        """None where `left_out_labels` equals refitting, else the reason."""
        if self.prior is not None:
            return "the posterior of a class changes with every row; statistics of folds answer instead"
        if self.covariance_estimator is not None:
            return ESTIMATED
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
        return linear_left_out(self._refitted(rows, plan), rows)

    @property
    def _n_features_out(self) -> int:
        return self.scalings_[:, : self.n_components].shape[1]

    # -- reading -----------------------------------------------------------------------------------------
    @property
    def covariance_(self) -> np.ndarray:
        """Σ; its expectation if it has a prior. There if `store_covariance`, or the solver is not "svd"."""
        if self.solver == "svd" and not self.store_covariance:
            raise AttributeError(NOT_STORED)
        return self.whitener_.covariance if self.prior is None else self._believed_covariances()[0]

    @property
    def n_parameters_(self) -> int:
        """D means per class and D (D + 1) / 2 covariances, or D if these are diagonal; priors not counted."""
        k, d = self.means_.shape
        return k * d + (d if self.covariance == "diagonal" else d * (d + 1) // 2)


def refuse_single_rows(parts: tuple[ScatterPart, ...]) -> None:
    """Nothing varies within classes of one row each, so there is no covariance."""
    n = sum(p.n for p in parts)
    if n <= len(parts) and not any(np.any(p.factor) for p in parts):
        raise InvalidInput(
            f"The number of samples must be more than the number of classes; got {n:g} rows of {len(parts)} classes, "
            "in which nothing varies. Add rows, or choose a prior."
        )


def freedom(parts: tuple[ScatterPart, ...]) -> float:
    """Rows behind a correlation within the classes, less one per class."""
    return sum(p.n for p in parts) - len(parts)
