r"""Bayes' rule over any densities: the classes may even have densities of different kinds (FCML §5.2.1, eq. 5.2).

Density    p(x | c) from the rows of class c alone, or known
Posterior  P(c | x) = p(x | c) P(c) / Σ_c' p(x | c') P(c')

Nothing here makes the posterior uncertain far from the rows: there the class whose density falls slowest wins, and its
probability tends to one (FCML Fig. 5.3).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import KW_ONLY, field
from typing import Any, Self, final

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.records import estimator
from suffice._estimator import remember_columns
from suffice._estimator.labelled_rows import TableDoor
from suffice._estimator.labels import LabelPlan
from suffice.distributions import Distribution, MultivariateNormal
from suffice.engine import Rows, one_blas_thread
from suffice.generative._density.densities import Conditional
from suffice.generative._density.recipes import (
    Context,
    Recipe,
    recipe,
    refusing_gaps,
    takes_gaps,
    takes_text,
    total_scale,
)
from suffice.generative._normal.gaussian import spread
from suffice.generative._normal.triangles import with_layout
from suffice.generative._shell.classifier import GenerativeClassifier
from suffice.generative._shell.from_statistics import NUMBERS, label_counts
from suffice.generative._shell.offered import offered_where
from suffice.generative.quadratic_discriminant import QuadraticDiscriminantAnalysis
from suffice.statistics import ClassStatistics, Header
from suffice.statistics.layout import dense


def _why_not_added_to(model: BayesClassifier) -> str | None:
    reason = model.why_not_summed(None)
    return None if reason is None else f"There is no partial_fit: {reason}."


@offered_where(_why_not_added_to, "partial_fit")
@final
@estimator
class BayesClassifier(GenerativeClassifier):
    """Any density per class, and Bayes' rule.

    Parameters
    ----------
    density
        What the rows of a class are drawn from. A class of `suffice.distributions` is fitted to each class by maximum
        likelihood; one of single numbers, such as `Normal` or `Poisson`, takes the columns as independent within a
        class. An estimator with `fit` and `score_samples`, such as a kernel density or a mixture, is cloned and fitted
        to each class. A dict has one of these per class, or a distribution that is already known, such as the
        `distribution_` of a mixture.
    priors
        None or "empirical" for the shares of the classes, "uniform", or one probability per class.

    Notes
    -----
    Families with statistics that add, and known distributions, are fitted from statistics: such models merge, forget,
    learn in pieces and are validated without refitting. Estimators, and families whose fit needs all rows, are not.
    A normal density that a class leaves singular is regularized as in `QuadraticDiscriminantAnalysis`.

    Cells may be missing (NaN) where the densities of all classes take them, as the mixtures of `suffice.mixtures` do.

    `conditionals_` holds p(x | c) of each class with rows. Rows that are better not decided, or mistakes of unequal
    cost, are matters of `suffice.distributions.decision`.

    Examples
    --------
    >>> from suffice.distributions import Gamma, Normal, decision
    >>> from suffice.generative import BayesClassifier
    >>> waiting = [[0.5], [1.0], [2.5], [4.0], [9.0], [10.0], [10.5], [11.5]]
    >>> bus = ["city"] * 4 + ["coast"] * 4
    >>> model = BayesClassifier({"city": Gamma, "coast": Normal}).fit(waiting, bus)
    >>> print(model.predict([[3.0], [10.0], [30.0]]))  # far away the heavier tail wins
    ['city' 'coast' 'city']
    >>> print(decision.with_reject(model.predict_dist([[3.0], [7.6]]), 0.9))
    ['city' None]
    >>> missed_coast_costs_20 = [[0, 1], [20, 0]]
    >>> print(decision.minimum_risk(model.predict_proba([[7.6]]), loss=missed_coast_costs_20))
    [1]
    """

    density: Any = MultivariateNormal
    _: KW_ONLY
    priors: Any = None

    densities_: tuple[Any, ...] = field(init=False)

    @property
    def _takes_gaps(self) -> bool:  # type: ignore[override]
        """Where every density integrates missing cells out, as mixtures do."""
        return takes_gaps(self.density)

    def _rows(self, X: Any, n: int, earlier: Header | None) -> tuple[Any, Header]:
        try:
            return NUMBERS.rows(self, X, n, earlier)
        except InvalidInput as error:
            raise self._explained(error) from error

    def _inputs(self, X: Any) -> Any:
        try:
            return NUMBERS.inputs(self, X)
        except InvalidInput as error:
            raise self._explained(error) from error

    _table_door = TableDoor(_rows, _inputs)

    def _explained(self, error: InvalidInput) -> InvalidInput:
        """With the density that cannot take what X holds, where others could."""
        text = str(error)
        if "table of numbers" in text and takes_text(self.density):
            why = (
                "Classes have densities of numbers, mixtures of mixed tables too: write categories as numbers, and "
                "give the mixture their family and, in categories=, all of them."
            )
            return InvalidInput(f"{text.partition(', or choose')[0].rstrip('.')}. {why}")
        refusing = refusing_gaps(self.density)
        return InvalidInput(f"{text} {refusing}") if "NaN" in text and refusing else error

    # -- what was asked for ------------------------------------------------------------------------------
    def _check_parameters(self) -> None:
        self._all_recipes()

    def _all_recipes(self) -> dict[Any, Recipe]:
        """By label; under None where all classes are treated alike."""
        if isinstance(self.density, Mapping):
            if not self.density:
                raise InvalidParameter("density must have an entry per class; got the empty dict {}.")
            return {label: recipe(d) for label, d in self.density.items()}
        if isinstance(self.density, Distribution):
            raise InvalidParameter(
                f"density must be a dict with one distribution per class, or a class to fit one to each, to tell "
                f"classes apart; got {self.density!r:.60} for all."
            )
        return {None: recipe(self.density)}

    def _recipe(self, label: Any) -> Recipe:
        known = self._all_recipes()
        if not isinstance(self.density, Mapping):
            return known[None]
        if label not in known:
            raise InvalidParameter(f"density must have an entry for class {label!r}; it lists {list(known)}.")
        return known[label]

    @property
    def statistics_key(self) -> Hashable:
        """Models with equal keys collect equal statistics: of the same families for the same classes."""
        return (
            type(self).__name__,
            *sorted((repr(label), r.key) for label, r in self._all_recipes().items()),
        )

    def why_not_summed(self, X: Any) -> str | None:
        """None if the densities follow from statistics that add, else the reason."""
        reasons = (r.why_not_summed for r in self._all_recipes().values())
        return next((reason for reason in reasons if reason is not None), None)

    @property
    def why_no_statistics(self) -> str | None:
        """Why a fitted model has no `statistics_`; None if it has."""
        return None if hasattr(self, "statistics_") else self.why_not_summed(None)

    # -- fit -----------------------------------------------------------------------------------------------
    def _gather(self, rows: Rows, plan: LabelPlan) -> ClassStatistics:
        counts = label_counts(plan, rows)
        parts = tuple(
            self._recipe(label).gather(*_of_class(rows, c), Context(label, plan.header.feature_names))
            if counts.counts[c] > 0
            else None
            for c, label in enumerate(plan.classes.tolist())
        )
        return ClassStatistics(plan.header, counts, parts)

    def _write_densities(self, statistics: ClassStatistics) -> None:
        names, total = statistics.header.feature_names, total_scale(statistics.parts)
        made = []
        for label, part in zip(statistics.classes.tolist(), statistics.parts, strict=True):
            chosen = self._recipe(label)
            chosen.check(len(names), label)
            if part is not None:
                made.append(chosen.solve(part, Context(label, names, total)))
        self.densities_ = tuple(made)

    @one_blas_thread()
    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """From statistics where these add, else each class from its rows."""
        rows, plan = self.door(X, y, sample_weight)
        if self.why_not_summed(rows.X) is None:
            return self.solve(self.gather(rows, plan))
        names = plan.header.feature_names
        made: list[Conditional] = []
        for c, label in enumerate(plan.classes.tolist()):
            chosen = self._recipe(label)
            chosen.check(len(names), label)
            context = Context(label, names, features=plan.header.features)
            made.append(chosen.fit(*_of_class(rows, c), context))
        counts = label_counts(plan, rows)
        self._write_classes(counts)
        self._write_priors(counts)
        self.densities_ = tuple(made)
        remember_columns(self, plan.header)
        self.__dict__.pop("statistics_", None)
        return self

    # -- densities -------------------------------------------------------------------------------------------
    def _log_densities(self, X: Any) -> np.ndarray:
        X = np.asarray(dense(X), dtype=float)
        return spread(np.column_stack([d.log_density(X) for d in self.densities_]), self.class_count_ > 0)

    def _draw(self, place: int, n: int, rng: np.random.Generator) -> np.ndarray:
        return self.densities_[int(np.sum(self.class_count_[:place] > 0))].draw(n, rng)

    @property
    def conditionals_(self) -> tuple[Any, ...]:
        """p(x | c) of each class with rows: a distribution, one per column, or a fitted estimator."""
        return tuple(d.shown for d in self.densities_)

    @property
    def n_parameters_(self) -> int:
        """Parameters of all densities; priors, and what was given, are not counted."""
        present = self.classes_[self.class_count_ > 0].tolist()
        pairs = zip(present, self.densities_, strict=True)
        return sum(d.n_parameters for label, d in pairs if self._recipe(label).key != "given")

    # -- leaving one row out ---------------------------------------------------------------------------------
    def why_not_held_out(self, folds: Any) -> str | None:
        """None where `left_out_labels` equals refitting, else the reason."""
        if self.density is MultivariateNormal:
            return None
        return "only normal densities of whole rows have a formula for a row left out"

    def left_out_labels(self, rows: Rows, plan: LabelPlan) -> tuple[np.ndarray, np.ndarray]:
        """log P(c | x) by the model without the row, and which rows must be refitted; as quadratic discriminants do."""
        n, k = rows.X.shape[0], len(plan.classes)
        if k < 2:
            return np.zeros((n, k)), np.ones(n, dtype=bool)
        twin = QuadraticDiscriminantAnalysis(priors=self.priors)
        return twin.left_out_labels(rows, with_layout(twin, rows, plan, None))


def _of_class(rows: Rows, c: int) -> tuple[np.ndarray, np.ndarray | None]:
    """The rows of a class that count, and their weights."""
    mine = np.equal(rows.Y, c)
    if rows.weight is None:
        return np.asarray(dense(rows.X[mine]), dtype=float), None
    mine &= rows.weight > 0
    return np.asarray(dense(rows.X[mine]), dtype=float), rows.weight[mine]
