r"""Naive Bayes with normal columns (DTU §13.2, FCML §5.2.1.5, Herbst §4.2.3).

Density      p(x | c) = Π_j N(x_j | μ_cj, σ_cj²)                             (DTU eq. 13.7, FCML eq. 5.6)
Fit          μ_cj the mean of column j in class c, σ_cj² its scatter over n_c, plus ε = `var_smoothing` × the largest
             variance of a column over all rows
Robust       N(x_j | μ_cj, (σ_cj + α)²), σ_cj with divisor n_c − 1             (DTU eq. 13.13: `std_offset`, `unbiased`)
Bayesian     μ_cj, 1/σ_cj² ~ NormalGamma: p(x_j | c) is a Student-t density, and Π p(x_j | c) integrates out all
             parameters, since columns and classes have beliefs of their own

A missing cell is left out of its column's statistics and out of the product: exact, as columns are independent.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, Self, final

import numpy as np

from suffice._core.errors import (
    InvalidParameter,
    check_choice,
    check_flags,
    check_number,
    hold_warnings,
)
from suffice._core.records import estimator, frozen_array
from suffice._estimator.labels import LabelPlan
from suffice.distributions import NormalGamma
from suffice.engine import Rows
from suffice.generative._columns.normal_columns import (
    SMOOTHED,
    ClassMoments,
    blocks,
    gather_classes,
    log_evidence,
    log_normal,
    log_normal_left_out,
    log_student,
    posterior,
    warn_empty,
    with_floor,
)
from suffice.generative._normal.gaussian import spread
from suffice.generative._shell.bayes_rule import all_alone, posterior_left_out
from suffice.generative._shell.classifier import GenerativeClassifier
from suffice.generative._shell.from_statistics import label_counts
from suffice.statistics import ClassStatistics, ColumnMoments
from suffice.statistics.layout import dense


@final
@estimator
class GaussianNB(GenerativeClassifier):
    """A normal density for every column of every class, columns independent within a class.

    Parameters
    ----------
    priors
        None or "empirical" for the shares of the classes, "uniform", or one probability per class.
    var_smoothing
        This share of the largest variance of a column over all rows is added to all variances.
    unbiased
        Divide the scatter by n_c − 1, as DTU, in place of n_c (maximum likelihood; FCML and scikit-learn).
    std_offset
        Added to all standard deviations, in the units of the columns: α of DTU's robust estimate.
    prior
        A `NormalGamma` for mean and precision, one for all columns or with an entry per column; the three
        parameters above then have no part.

    Notes
    -----
    NaN is a missing cell. A column without any cell in a class has there the density of all rows. With weights,
    `epsilon_` counts rows by them; scikit-learn's does not.

    A column that does not vary in a class of n_c rows has there a share max(1/n_c, 0.03) of its variance within all
    classes, with a warning; one that varies in none, but between them, max(1/(n + 1), 1e-4) of its variance over all
    rows. scikit-learn has `epsilon_` alone, and one other value may then cost the class a hundred million nats. A
    `var_smoothing` above the default, or a `std_offset`, is taken as it is given.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.generative import GaussianNB
    >>> X = np.array([[-1.0, -1.0], [-2.0, np.nan], [-3.0, -2.0], [1.0, 1.0], [2.0, 1.0], [3.0, 2.0]])
    >>> model = GaussianNB().fit(X, ["left"] * 3 + ["right"] * 3)
    >>> print(model.predict([[-0.8, np.nan]]), model.theta_[0], model.n_parameters_)
    ['left'] [-2.  -1.5] 8
    """

    _: KW_ONLY
    priors: Any = None
    var_smoothing: float = 1e-9
    unbiased: bool = False
    std_offset: float = 0.0
    prior: NormalGamma | None = None

    theta_: np.ndarray = field(init=False)
    std_: np.ndarray = field(init=False)
    epsilon_: float = field(init=False)
    posterior_: NormalGamma | None = field(init=False)

    _takes_gaps = True

    @classmethod
    def book(cls, alpha: float = 0.0, text: str = "dtu", **options: Any) -> Self:
        """The estimate of a text: α is added to the standard deviation, and to no variance.

        DTU divides the scatter by n_c − 1; FCML and Herbst by n_c.

        Examples
        --------
        >>> from suffice.generative import GaussianNB
        >>> GaussianNB.book(0.5).fit([[0.0], [2.0], [7.0]], [0, 0, 1]).std_.round(4).tolist()
        [[1.9142], [0.5]]
        """
        check_choice("text", text, ("dtu", "fcml", "herbst"))
        return cls(var_smoothing=0.0, unbiased=text == "dtu", std_offset=alpha, **options)

    @property
    def statistics_key(self) -> str:
        """All models of columns of classes count the same."""
        return "columns of classes"

    def _check_parameters(self) -> None:
        check_flags(self, "unbiased")
        check_number("var_smoothing", self.var_smoothing, low=0.0)
        check_number("std_offset", self.std_offset, low=0.0)
        if not (self.prior is None or isinstance(self.prior, NormalGamma)):
            raise InvalidParameter(f"prior must be None or a NormalGamma; got {self.prior!r}.")

    def whole(self, statistics: ClassStatistics) -> ColumnMoments:
        """The moments of all rows, whatever their class."""
        return ClassMoments.of([p for p in statistics.parts if p is not None]).total

    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        parts = gather_classes(plan.header, rows.X, rows.weight, rows.Y, len(plan.classes))
        return ClassStatistics(plan.header, label_counts(plan, rows), parts)

    # -- parameters ----------------------------------------------------------------------------------------
    def _write_densities(self, statistics: ClassStatistics) -> None:
        parts = [p for p in statistics.parts if p is not None]
        moments = ClassMoments.of(parts)
        names = statistics.header.feature_names
        with np.errstate(over="ignore", under="ignore"):
            self.epsilon_ = float(np.square(self._floor(moments)))
        self.posterior_ = None
        if self.prior is not None:
            self._write_posterior(parts, len(names))
            return
        labels = self.classes_[self.class_count_ > 0].tolist()
        warn_empty(parts, labels, names)
        self.theta_ = frozen_array(moments.mean)
        std = self._spread(moments.std(self.unbiased), self._floor(moments))
        self.std_ = frozen_array(with_floor(std, moments, labels, names, self._smoothed))

    @property
    def _smoothed(self) -> bool:
        """Whether more is added to variances than keeps them from being zero."""
        return self.std_offset > 0 or self.var_smoothing > SMOOTHED

    def _floor(self, moments: ClassMoments) -> float:
        """√ε."""
        return float(np.sqrt(self.var_smoothing) * moments.total_std.max(initial=0.0))

    def _spread(self, std: np.ndarray, floor: Any) -> np.ndarray:
        """What the density uses as standard deviation."""
        return np.hypot(std + self.std_offset, floor)

    def _write_posterior(self, parts: list[Any], d: int) -> None:
        prior: Any = self.prior
        if prior.batch_shape not in ((), (d,)):
            raise InvalidParameter(
                f"prior must be one NormalGamma for all columns or have {d} entries, one per column; "
                f"got shape {prior.batch_shape}."
            )
        n, mean, norm = (np.array([getattr(p, name) for p in parts]) for name in ("n", "mean", "norm"))
        self.posterior_ = belief = posterior(prior, n, mean, norm)
        self.theta_, self.std_ = frozen_array(belief.mean), frozen_array(np.sqrt(belief.rate / belief.shape))

    # -- densities -----------------------------------------------------------------------------------------
    def _log_densities(self, X: Any) -> np.ndarray:
        X = dense(X)
        if self.posterior_ is not None:
            return spread(log_student(X, self.posterior_), self.class_count_ > 0)
        return spread(log_normal(X, self.theta_, self.std_), self.class_count_ > 0)

    def _draw(self, place: int, n: int, rng: np.random.Generator) -> np.ndarray:
        which = int(np.sum(self.class_count_[:place] > 0))
        if self.posterior_ is None:
            return rng.normal(self.theta_[which], self.std_[which], (n, self.theta_.shape[1]))
        b = self.posterior_
        precision = rng.standard_gamma(b.shape[which], (n, self.theta_.shape[1])) / b.rate[which]
        width = np.sqrt((1 + 1 / b.strength[which]) / precision)
        return b.mean[which] + width * rng.standard_normal(width.shape)

    # -- leaving one row out -------------------------------------------------------------------------------
    def why_not_held_out(self, folds: Any) -> str | None:
        """None where `left_out_labels` equals refitting, else the reason."""
        if self.prior is not None:
            return "beliefs about means and precisions are updated from statistics of folds"
        return None

    def left_out_labels(self, rows: Rows, plan: LabelPlan) -> tuple[np.ndarray, np.ndarray]:
        """log P(c | x) by the model without the row, and which rows must be refitted."""
        with hold_warnings() as odd:
            fitted = self._refitted(rows, plan)
        if odd or np.any(fitted.class_count_ == 0):
            return all_alone(rows, fitted)
        X, codes, w = dense(rows.X), rows.Y, rows.weights
        moments, root = ClassMoments.of(list(fitted.statistics_.parts)), float(np.sqrt(self.var_smoothing))
        if moments.nearly_flat and not self._smoothed:
            return all_alone(rows, fitted)
        logs, alone = np.empty((len(X), len(fitted.classes_))), np.empty(len(X), dtype=bool)
        for cut in blocks(X):
            part = np.asarray(X[cut], dtype=float)
            logs[cut], alone[cut] = log_normal_left_out(
                part, codes[cut], w[cut], moments, self._spread, root, self.unbiased
            )
        return posterior_left_out(fitted, rows, logs, self.priors, alone)

    # -- reading -------------------------------------------------------------------------------------------
    @property
    def var_(self) -> np.ndarray:
        """Variances of the columns (classes with rows, columns), with all that was added to them."""
        with np.errstate(over="ignore", under="ignore"):
            return self.std_**2

    @property
    def class_prior_(self) -> np.ndarray:
        """P(c)."""
        return np.exp(self.class_log_prior_)

    @property
    def n_parameters_(self) -> int:
        """A mean and a variance per column and class; priors not counted."""
        return 2 * self.theta_.size

    @property
    def log_evidence_(self) -> float:
        """log p(X | y) with means and precisions integrated out; only with a prior."""
        if self.prior is None or self.posterior_ is None:
            raise AttributeError("log_evidence_ needs a prior: GaussianNB(prior=NormalGamma(...)).")
        n = np.array([p.n for p in self.statistics_.parts if p is not None])
        return log_evidence(self.prior, self.posterior_, n)

    @property
    def evidence_kind_(self) -> str:
        """No approximation is involved."""
        return "exact"
