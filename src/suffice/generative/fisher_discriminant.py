r"""Fisher's discriminant: the directions that tell classes apart, and a decision along them (Herbst §4.1.4–4.1.6).

Scatter      S_W = Σ_k Σ_{n∈k} (x_n − m_k)(x_n − m_k)ᵀ,   S_B = Σ_k N_k (m_k − m)(m_k − m)ᵀ,   S_T = S_W + S_B
Criterion    J(W) = tr{(Wᵀ S_W W)⁻¹ (Wᵀ S_B W)}                            (Herbst §4.1.5, PRML eq. 4.50)
Two classes  J(w) = (wᵀm₂ − wᵀm₁)² / (s₁² + s₂²),  largest for w ∝ S_W⁻¹ (m₂ − m₁)  (Herbst §4.1.4, PRML eq. 4.30)
K classes    leading eigenvectors of S_W⁻¹ S_B, by diagonalizing both: with V such that Vᵀ S_W V = I and
             Vᵀ S_B V = Q Λ Qᵀ they are the columns of V Q                   (Herbst §4.1.6.1)
Decision     normal densities of y = Wᵀx in each class, and Bayes' rule

A singular S_W has no inverse; V then has a column for each direction in which it is not zero. Neither S_W nor its
inverse is formed: V comes from the triangles of the classes. Columns of W have unit length, and the mean of the last
class lies above that of the first along each of them, so y is large for the second of two classes.
"""

from __future__ import annotations

import numbers
from dataclasses import KW_ONLY, field
from typing import Any, final

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    Unsupported,
    as_numbers,
    check_choice,
    check_number,
)
from suffice._core.linalg import svd
from suffice._core.records import estimator, frozen_array
from suffice._estimator import check_is_fitted
from suffice._estimator.labels import LabelPlan
from suffice.distributions import MultivariateNormal
from suffice.engine import Rows, one_blas_thread
from suffice.generative._normal.covariance import centred_factor, pooled
from suffice.generative._normal.directions import (
    between_rows,
    completed,
    discriminant_directions,
    projected_variance,
    projected_whitener,
    trace_criterion,
    upward,
)
from suffice.generative._normal.gaussian import spread
from suffice.generative._normal.triangles import (
    ClassTriangles,
    gather_triangles,
    present,
    within_whitener,
)
from suffice.generative._normal.whitener import ClassWhitener, LiftedWhitener
from suffice.generative._shell.classifier import GenerativeClassifier
from suffice.generative._shell.linear_decision import LinearDecision
from suffice.generative.linear_discriminant import LinearDiscriminantAnalysis
from suffice.statistics import ClassStatistics
from suffice.statistics.layout import dense


@final
@estimator
class FisherDiscriminant(
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    ClassTriangles,
    LinearDecision,
    GenerativeClassifier,
):
    """The directions along which class means are far apart for the scatter within classes, and Bayes' rule there.

    Parameters
    ----------
    n_components
        How many directions; at most, and by default, the smaller of K − 1 and D.
    method
        "fisher", or for contrast "mean_difference": the directions in which the means differ most, whatever the scatter
        within the classes (leading eigenvectors of S_B; m₂ − m₁ for two classes).
    covariance
        Of the densities along the directions: "shared", which makes boundaries linear, or "own" for each class.
    priors
        None or "empirical" for the shares of the classes, "uniform", or one probability per class.
    tol
        Directions in which columns of unit length vary less than this within the classes are left out, if S_W is
        singular.

    Attributes
    ----------
    directions_
        W: unit vectors in columns, leading first.
    eigenvalues_
        Of S_W⁻¹S_B: no n directions reach a criterion above the sum of the first n.
    means_, projected_means_
        Of the classes with rows, and their images Wᵀ(m_k − m).

    Notes
    -----
    With all directions and a shared covariance the probabilities are those of `LinearDiscriminantAnalysis`.
    `score_samples` is about y = Wᵀx, the only thing the classes have a density of. `sample` draws that, and the rest
    of x as it varies within all classes alike.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.generative import FisherDiscriminant
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 4.0], [1.0, 4.0], [0.0, 5.0]])
    >>> y = ["low", "low", "low", "tall", "tall", "tall"]
    >>> model = FisherDiscriminant().fit(X, y)
    >>> print(model.directions_[:, 0].round(4), round(model.separation(), 6), model.predict([[2.0, 1.0]]))
    [0.4472 0.8944] 16.0 ['low']
    >>> contrast = FisherDiscriminant(method="mean_difference").fit(X, y)
    >>> print(contrast.directions_[:, 0], round(contrast.separation(), 6))
    [0. 1.] 12.0
    """

    n_components: int | None = None
    _: KW_ONLY
    method: str = "fisher"
    covariance: str = "shared"
    priors: Any = None
    tol: float = 1e-4

    means_: np.ndarray = field(init=False)
    xbar_: np.ndarray = field(init=False)
    directions_: np.ndarray = field(init=False)
    eigenvalues_: np.ndarray = field(init=False)
    projected_means_: np.ndarray = field(init=False)
    whiteners_: tuple[ClassWhitener, ...] = field(init=False)

    def _check_parameters(self) -> None:
        n = self.n_components
        if n is not None and (not isinstance(n, numbers.Integral) or isinstance(n, bool) or n < 1):
            raise InvalidParameter(f"n_components must be None or a whole number >= 1; got {n!r}.")
        check_choice("method", self.method, ("fisher", "mean_difference"))
        check_choice("covariance", self.covariance, ("shared", "own"))
        check_number("tol", self.tol, low=0.0)

    # -- fit -----------------------------------------------------------------------------------------------
    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        return gather_triangles(rows, plan)

    def _write_densities(self, statistics: ClassStatistics) -> None:
        parts = present(statistics)
        n = sum(p.n for p in parts)
        self.means_ = frozen_array([p.mean_x for p in parts])
        self.xbar_ = frozen_array(np.array([p.n / n for p in parts]) @ self.means_)
        white = within_whitener(parts, np.array(statistics.header.feature_names, dtype=object), self.tol)
        B = between_rows(parts, self.xbar_)
        directions, values = discriminant_directions(B, white, n)
        if self.method == "mean_difference":
            directions = svd(B)[2].T
        most = min(len(parts) - 1, self.means_.shape[1])
        if self.n_components is not None and self.n_components > most:
            raise InvalidParameter(
                f"n_components cannot be larger than min(n_features, n_classes - 1) = {most}; got {self.n_components}."
            )
        kept = directions[:, : most if self.n_components is None else self.n_components]
        self.directions_ = frozen_array(upward(kept, self.means_[0], self.means_[-1]))
        self.eigenvalues_ = frozen_array(values[:most])
        self._write_projected(parts, white)

    def _write_projected(self, parts: list[Any], white: ClassWhitener | LiftedWhitener) -> None:
        """Means and covariances of y = Wᵀx, class by class."""
        W = self.directions_
        self.projected_means_ = frozen_array((self.means_ - self.xbar_) @ W)
        for name in ("coef_", "intercept_"):
            self.__dict__.pop(name, None)
        total, n = projected_variance(parts, self.xbar_, W), sum(p.n for p in parts)
        if self.covariance == "own":
            roots = [centred_factor(p) @ W / np.sqrt(p.n) for p in parts]
            self.whiteners_ = tuple(projected_whitener(root, total, n) for root in roots)
            return
        shared = projected_whitener(white.root @ W, total, n)
        self.whiteners_ = (shared,) * len(parts)
        self._write_lines(shared)

    def _write_lines(self, shared: ClassWhitener) -> None:
        """Discriminants that are linear in x; classes without rows have the value −inf."""
        seen = self.class_count_ > 0
        near = self.projected_means_ @ shared.matrix
        slope = np.zeros((len(seen), len(self.xbar_)))
        slope[seen] = near @ (self.directions_ @ shared.matrix).T
        value = np.full(len(seen), -np.inf)
        value[seen] = self.class_log_prior_[seen] - 0.5 * np.square(near).sum(axis=1)
        self._write_discriminants(slope, value, self.xbar_)

    # -- prediction ----------------------------------------------------------------------------------------
    def _log_densities(self, X: Any) -> np.ndarray:
        Z = (dense(X) - self.xbar_) @ self.directions_
        pairs = zip(self.projected_means_, self.whiteners_, strict=True)
        return spread(np.column_stack([w.log_density(Z - m) for m, w in pairs]), self.class_count_ > 0)

    @one_blas_thread()
    def transform(self, X: Any) -> np.ndarray:
        """y = Wᵀx, a column per direction."""
        return dense(self._open_inputs(X)) @ self.directions_

    def decision_function(self, X: Any) -> np.ndarray:
        """log p(x, c) along the directions: that of the second of two classes less the first, or one per class."""
        joint = self.predict_joint_log_proba(X)
        return joint[:, 1] - joint[:, 0] if joint.shape[1] == 2 else joint

    def _linear_inputs(self, X: Any) -> Any:
        check_is_fitted(self)
        if self.covariance == "own":
            raise Unsupported(
                "Classes with a covariance of their own have curved boundaries; choose covariance='shared'."
            )
        return self._open_inputs(X)

    def _draw(self, place: int, n: int, rng: np.random.Generator) -> np.ndarray:
        which = int(np.sum(self.class_count_[:place] > 0))
        white = self.whiteners_[which]
        Y = self.projected_means_[which] + rng.standard_normal((n, white.rank)) @ white.root
        parts = present(self.statistics_)
        root = pooled([centred_factor(p) for p in parts]) / np.sqrt(self.statistics_.n)
        free = rng.standard_normal((n, len(root))) @ root
        return self.xbar_ + completed(Y, self.directions_, root, free)

    # -- leaving one row out -------------------------------------------------------------------------------
    def why_not_held_out(self, folds: Any) -> str | None:
        """None where `left_out_labels` equals refitting, else the reason."""
        if self.method != "fisher" or self.covariance != "shared" or self.n_components is not None:
            return "only all directions with a shared covariance have a closed form, that of linear discriminants"
        return None

    def left_out_labels(self, rows: Rows, plan: LabelPlan) -> tuple[np.ndarray, np.ndarray]:
        """log P(c | x) by the model without the row: what is outside of all directions is the same for every class."""
        return LinearDiscriminantAnalysis(priors=self.priors, tol=self.tol).left_out_labels(rows, plan)

    # -- reading -------------------------------------------------------------------------------------------
    def criterion(self, W: Any = None) -> float:
        """J(W) = tr{(WᵀS_W W)⁻¹ WᵀS_B W} of these columns (a vector is one), or of the model's own."""
        W = self._columns(W)
        parts = present(self.statistics_)
        return trace_criterion(W, pooled([centred_factor(p) for p in parts]), between_rows(parts, self.xbar_))

    def separation(self, direction: Any = None, between: tuple[Any, Any] | None = None) -> float:
        """(wᵀm_b − wᵀm_a)² / (s_a² + s_b²) of two classes along one direction: the criterion of two classes.

        Parameters
        ----------
        direction
            w; the leading one by default.
        between
            The labels (a, b); needed if there are more than two classes.
        """
        w = self._columns(direction)[:, 0]
        if between is None and len(self.classes_) != 2:
            raise InvalidInput(
                f"There are {len(self.classes_)} classes; name two, between=(a, b), of {self.classes_.tolist()}."
            )
        a, b = (self.statistics_[c] for c in (self.classes_.tolist() if between is None else between))
        if a is None or b is None:
            raise InvalidInput("A class without rows has no mean to be separated from another.")
        scatter = np.square(centred_factor(a) @ w).sum() + np.square(centred_factor(b) @ w).sum()
        return float(((b.mean_x - a.mean_x) @ w) ** 2 / scatter) if scatter > 0 else np.inf

    def _columns(self, W: Any) -> np.ndarray:
        check_is_fitted(self)
        if W is None:
            return self.directions_
        W = as_numbers("W", W)
        W = W[:, None] if W.ndim == 1 else W
        if W.ndim != 2 or len(W) != self.n_features_in_ or not np.isfinite(W).all():
            raise InvalidInput(
                f"Directions must be finite columns of {self.n_features_in_} numbers each; got shape {W.shape}."
            )
        return W

    @property
    def scatter_within_(self) -> np.ndarray:
        """S_W."""
        root = pooled([centred_factor(p) for p in present(self.statistics_)])
        return root.T @ root

    @property
    def scatter_between_(self) -> np.ndarray:
        """S_B."""
        B = between_rows(present(self.statistics_), self.xbar_)
        return B.T @ B

    @property
    def scatter_total_(self) -> np.ndarray:
        """S_T = S_W + S_B."""
        root = centred_factor(self.whole(self.statistics_))
        return root.T @ root

    @property
    def threshold_(self) -> float:
        """Where y = wᵀx is equally probable under both of two classes with a shared variance."""
        if len(self.classes_) != 2 or self.covariance != "shared":
            raise AttributeError("A threshold belongs to two classes with covariance='shared'.")
        length = float(self.coef_[0] @ self.directions_[:, 0])
        return float(-self.intercept_[0] / length) if length else float("nan")

    @property
    def conditionals_(self) -> tuple[MultivariateNormal, ...]:
        """p(y | c), y = Wᵀx, of each class with rows."""
        means = self.means_ @ self.directions_
        return tuple(MultivariateNormal(m, w.covariance) for m, w in zip(means, self.whiteners_, strict=True))

    @property
    def priors_(self) -> np.ndarray:
        """P(c)."""
        return np.exp(self.class_log_prior_)

    @property
    def n_parameters_(self) -> int:
        """Means and covariances along the directions; directions and priors not counted."""
        k, d = self.projected_means_.shape
        return k * d + d * (d + 1) // 2 * (k if self.covariance == "own" else 1)

    @property
    def _n_features_out(self) -> int:
        return self.directions_.shape[1]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # one direction may not tell three classes apart
        tags.classifier_tags.poor_score = self.n_components is not None
        return tags
