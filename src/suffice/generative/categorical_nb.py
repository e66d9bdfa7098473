r"""Naive Bayes with columns of categories (DTU §13.2; FCML §5.2.1.6 for two values).

Density      p(x | c) = Π_j p(x_j = v | c),  p(x_j = v | c) = (n_cjv + α) / (n_cj + K_j α)      (DTU eq. 13.12)
             n_cjv rows of class c have the value v in column j, which has K_j values; α = 0 is maximum likelihood
Bayesian     θ_cj ~ Dirichlet(a): p(x_j = v | c) = E θ_cjv = (n_cjv + a_v) / (n_cj + Σ a)        (technical note 13.2.1)

A row has one value per column, so the fully Bayesian predictive is the posterior mean: smoothing with α *is*
integrating over the parameters under a symmetric Dirichlet(α). Counts add; K_j is the largest value seen in any
class, plus one, or as listed. A missing cell is left out of the counts and out of the product.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any, final

import numpy as np

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    NoInformation,
    as_numbers,
    check_flags,
    check_number,
    hold_warnings,
    warn,
)
from suffice._core.records import estimator, frozen_array
from suffice._estimator import open_inputs, open_table
from suffice._estimator.labelled_rows import TableDoor
from suffice._estimator.labels import LabelPlan
from suffice.engine import Rows
from suffice.generative._columns.code_counts import columns_of, gather_codes, starts
from suffice.generative._columns.code_tables import (
    first_empty,
    least_sizes,
    log_evidence,
    log_shares,
    own_left_out,
    pseudo_counts,
    sizes_of_prior,
    smoothing,
    with_shares,
)
from suffice.generative._columns.codes import (
    check_unknown,
    codes_of_numbers,
    first_unknown,
    listed_codes,
    listed_values,
    plain_codes,
    ruled,
)
from suffice.generative._shell.bayes_rule import NAIVE_PRIOR, all_alone, posterior_left_out
from suffice.generative._shell.classifier import GenerativeClassifier
from suffice.generative._shell.from_statistics import label_counts, without_targets
from suffice.statistics import ClassStatistics, Header
from suffice.tables.requiring import refuse_sparse


@final
@estimator
class CategoricalNB(GenerativeClassifier):
    """A probability for every value of every column in every class, columns independent within a class.

    Parameters
    ----------
    alpha
        Added to every count. Zero leaves the shares as they are: a value never seen in a class rules the class out.
    force_alpha
        Without it, an alpha below 1e-10 is raised to that.
    fit_prior, class_prior
        Classes as frequent as in the rows, or equally frequent, unless their probabilities are given.
    min_categories
        The least number of values, of all columns or of each.
    categories
        The values of each column, strings or numbers: a list per column, or a mapping by name. Without it, columns
        hold whole numbers from 0.
    unknown
        What a value is that the fit has not seen: "missing", with a warning that names it; "smooth", a value with
        count zero; or "raise".
    prior
        A `Dirichlet` with an entry per value, or a `Beta` of the value 1, in place of `alpha`; one for all columns,
        or a list of them.

    Examples
    --------
    >>> from suffice.generative import CategoricalNB
    >>> X = [["short", "yes"], ["tall", "no"], ["tall", "yes"], ["short", "no"]]
    >>> model = CategoricalNB(categories=[["short", "tall"], ["no", "yes"]]).fit(X, [0, 1, 1, 0])
    >>> print(model.predict([["short", None]]), model.predict_proba([["short", None]]))
    [0] [[0.75 0.25]]
    """

    _: KW_ONLY
    alpha: Any = 1.0
    force_alpha: bool = True
    fit_prior: bool = True
    class_prior: Any = None
    min_categories: Any = None
    categories: Any = None
    unknown: str = "missing"
    prior: Any = None

    n_categories_: np.ndarray = field(init=False)
    category_count_: tuple[np.ndarray, ...] = field(init=False)
    feature_log_prob_: tuple[np.ndarray, ...] = field(init=False)

    _input_tags = ("categorical", "positive_only")
    _prior_rule = NAIVE_PRIOR
    _takes_gaps = True

    @property
    def statistics_key(self) -> Any:
        """Models with the same lists of values count the same."""
        return "values of classes", repr(self.categories)

    def _check_parameters(self) -> None:
        check_flags(self, "force_alpha", "fit_prior")
        check_unknown(self.unknown)
        if np.ndim(self.alpha):
            if np.any(~(as_numbers("alpha", self.alpha) >= 0)):
                raise InvalidParameter(f"alpha must be zero or more for every column; got {self.alpha!r}.")
        else:
            check_number("alpha", self.alpha, low=0.0)
        if self.prior is not None and self.unknown == "smooth":
            raise InvalidParameter(
                "unknown must be 'missing' or 'raise' with a prior, which lists all values; got 'smooth'."
            )

    # -- the door ------------------------------------------------------------------------------------------
    def _rows(self, X: Any, n: int, earlier: Header | None) -> tuple[Any, Header]:
        if self.categories is not None:
            codes, header, odd = listed_codes(X, self.categories, type(self).__name__, earlier)
            if odd is not None:
                raise InvalidInput(
                    f"Column {odd.column!r} holds {odd.value}, which its list in categories has not. Add it there."
                )
        elif (quick := plain_codes(X, earlier)) is not None:
            codes, header = quick, Header(quick.shape[1])
        else:
            refuse_sparse(X, "CategoricalNB")
            numbers, _, header = open_table(self, X, np.zeros(n), like=earlier, gaps=True)
            codes = codes_of_numbers(numbers, header.feature_names)
        if len(codes) != n:
            raise InvalidInput(
                f"Found input variables with inconsistent numbers of samples: {[len(codes), n]}."
            )
        return codes, without_targets(header)

    def _inputs(self, X: Any) -> Any:
        header, sizes = self.statistics_.header, self.n_categories_
        if self.categories is not None:
            codes, _, odd = listed_codes(X, self.categories, type(self).__name__, header)
            return ruled(codes, sizes, odd, self.unknown)
        refuse_sparse(X, "CategoricalNB")
        quick = plain_codes(X, header)
        names = header.feature_names
        codes = codes_of_numbers(open_inputs(self, X, gaps=True), names) if quick is None else quick
        odd = first_unknown(codes, sizes, names, lambda i, j: codes[i, j].item())
        return ruled(codes, sizes, odd, self.unknown)

    _table_door = TableDoor(_rows, _inputs)

    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        parts = gather_codes(plan.header, rows.X, rows.weight, rows.Y, len(plan.classes))
        return ClassStatistics(plan.header, label_counts(plan, rows), parts)

    # -- parameters ----------------------------------------------------------------------------------------
    def _write_densities(self, statistics: ClassStatistics) -> None:
        names = statistics.header.feature_names
        parts = [p for p in statistics.parts if p is not None]
        sizes = self._sizes(np.max([p.sizes for p in parts], axis=0), names)
        empty = np.zeros(int(sizes.sum()))
        counts = np.array([empty if p is None else p.spread(sizes) for p in statistics.parts])
        smoothed = counts + self._added(sizes, names)
        present = self.class_count_ > 0
        if (place := first_empty(smoothed, sizes, present)) is not None:
            smoothed = with_shares(smoothed, counts, sizes)
            warn(
                f"In class {self.classes_[place[0]].item()!r} every cell of column {names[place[1]]!r} is missing; the "
                "class has the shares of all rows there. Set alpha to smooth them.",
                NoInformation,
            )
        cuts = starts(sizes)[1:]
        self.n_categories_ = frozen_array(sizes, dtype=np.intp)
        self.category_count_ = tuple(map(frozen_array, np.split(counts, cuts, axis=1)))
        self.feature_log_prob_ = tuple(map(frozen_array, np.split(log_shares(smoothed, sizes), cuts, axis=1)))

    def _sizes(self, seen: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
        """K_j: as seen, as listed, as many as asked for, or as many as the prior has."""
        if self.prior is not None:
            return sizes_of_prior(self.prior, seen, names)
        if self.categories is not None:
            seen = np.maximum(seen, [len(v) for v in listed_values(self.categories, names)])
        return np.maximum(np.maximum(seen, least_sizes(self.min_categories, len(names))), 1)

    def _added(self, sizes: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
        """What is added to the counts of all values of all columns."""
        if self.prior is not None:
            return np.concatenate(pseudo_counts(self.prior, names))
        return smoothing(self.alpha, self.force_alpha, len(sizes))[columns_of(sizes)]

    # -- densities -----------------------------------------------------------------------------------------
    def _log_densities(self, X: Any) -> np.ndarray:
        out = np.zeros((len(X), len(self.classes_)))
        unseen = (
            self._log_unseen() if self.unknown == "smooth" else np.zeros((len(self.classes_), X.shape[1]))
        )
        for j, logs in enumerate(self.feature_log_prob_):
            table = np.vstack([logs.T, unseen[:, j], np.zeros(len(logs))])  # values, an unseen one, a gap
            out += table[X[:, j]]
        out[:, self.class_count_ == 0] = -np.inf
        return out

    def _log_unseen(self) -> np.ndarray:
        """log α / (n_cj + K_j α): (classes, columns)."""
        names = self.statistics_.header.feature_names
        alpha = self._added(self.n_categories_, names)[starts(self.n_categories_)]
        n = np.column_stack([c.sum(axis=1) for c in self.category_count_])
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num(
                np.log(alpha) - np.log(n + self.n_categories_ * alpha), nan=-np.inf, neginf=-np.inf
            )

    def _draw(self, place: int, n: int, rng: np.random.Generator) -> np.ndarray:
        columns = [
            rng.choice(logs.shape[1], size=n, p=np.exp(logs[place])) for logs in self.feature_log_prob_
        ]
        if self.categories is None:
            return np.column_stack(columns)
        known = listed_values(self.categories, self.statistics_.header.feature_names)
        out = np.empty((n, len(columns)), dtype=object)
        for j, (values, codes) in enumerate(zip(known, columns, strict=True)):
            out[:, j] = values[codes].tolist()
        return out

    # -- leaving one row out -------------------------------------------------------------------------------
    def why_not_held_out(self, folds: Any) -> str | None:
        """None: a row left out takes one from a count of each column, wherever it is."""
        return None

    def left_out_labels(self, rows: Rows, plan: LabelPlan) -> tuple[np.ndarray, np.ndarray]:
        """log P(c | x) by the model without the row, and which rows must be refitted.

        Refitted are the last row of a class, one that holds the largest value of a column alone (K_j then changes),
        and one that no class can produce.
        """
        with hold_warnings() as odd:
            fitted = self._refitted(rows, plan)
        X, y, w = rows.X, rows.Y, rows.weights
        if odd or np.any(fitted.class_count_ == 0):
            return all_alone(rows, fitted)
        logs = fitted._log_densities(np.where(fitted.n_categories_ > X, X, -1))
        added = np.split(
            self._added(fitted.n_categories_, plan.header.feature_names), starts(fitted.n_categories_)[1:]
        )
        fixed = self.categories is not None or self.prior is not None
        least = fitted.n_categories_ if fixed else least_sizes(self.min_categories, X.shape[1])
        own, alone = own_left_out(X, y, w, fitted.category_count_, added, least)
        logs[np.arange(len(X)), y] = own
        return posterior_left_out(fitted, rows, logs, self._prior_choice, alone)

    # -- reading -------------------------------------------------------------------------------------------
    @property
    def n_parameters_(self) -> int:
        """K_j − 1 probabilities per column and class; priors not counted."""
        return int(np.sum(self.n_categories_ - 1)) * int(np.sum(self.class_count_ > 0))

    @property
    def log_evidence_(self) -> float:
        """log p(X | y) with all probabilities integrated out; only with a prior."""
        if self.prior is None:
            raise AttributeError("log_evidence_ needs a prior: CategoricalNB(prior=Dirichlet(...)).")
        added = pseudo_counts(self.prior, self.statistics_.header.feature_names)
        return float(sum(map(log_evidence, self.category_count_, added)))

    @property
    def evidence_kind_(self) -> str:
        """No approximation is involved."""
        return "exact"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags
