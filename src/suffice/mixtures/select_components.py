r"""How many components? Held-out likelihood, BIC or ICL over K and shapes of covariance, with restarts that must agree.

cv    mean of log p(x_n | rows of the other folds); larger is better                  (FCML §6.3.6, DTU §19.2.3)
bic   −2 L + log n · parameters; smaller is better
icl   BIC + 2 · entropy of the shares: components that overlap count as fewer clusters; smaller is better

The likelihood L of the rows themselves only grows with K and chooses nothing. All candidates see the same folds. Since
expectation–maximization finds a maximum, not the highest, a candidate is as good as its luckiest start: where a choice
hangs on that, it is said. BIC and ICL choose no mixture that has collapsed: its likelihood has no maximum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from suffice._core.errors import AtBound, FitFailed, InvalidInput, Unsupported, check_choice, warn
from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice._core.showing import escape
from suffice._estimator import check_weight
from suffice.mixtures._selection.candidates import MixtureCandidate, candidates_of, count_of, seed_of
from suffice.mixtures._selection.folds import HeldOut, held_out, splits_of
from suffice.mixtures._selection.optima import Optima, hanging, tolerance
from suffice.mixtures._selection.trials import MixtureTrial, WeightedTable, failures_of, remarks, trials
from suffice.mixtures._shell.model import MixtureNotConverged

CRITERIA = {"cv": "held-out log likelihood per row", "bic": "BIC", "icl": "ICL"}
STARTS = 5  # at least, of every fit


class OptimaDisagree(MixtureNotConverged):
    """A choice that other starts might have changed."""


@record
class ComponentSelection:
    """Every candidate with its criterion, and the best of them fitted.

    `values` are those of the criterion, with `std_errors` from the rows and `fold_values` (a column per fold) where it
    is held-out likelihood. `log_likelihoods` are Σ log p(x) over all rows, whatever the fits climbed; what every start
    reached of that, per row, is in `optima.restarts`: with a prior or hard shares it is another number. `best` and
    `one_standard_error`, the fewest components within one standard error of it, are candidates; `best_model` is fitted
    to all rows.
    """

    criterion: str
    candidates: tuple[MixtureCandidate, ...]
    values: np.ndarray
    std_errors: np.ndarray
    fold_values: np.ndarray
    log_likelihoods: np.ndarray
    n_parameters: np.ndarray
    converged: np.ndarray
    optima: Optima
    best_index: int
    best_model: Any
    notes: tuple[str, ...]

    @property
    def larger_is_better(self) -> bool:
        return self.criterion == "cv"

    @property
    def best(self) -> MixtureCandidate:
        return self.candidates[self.best_index]

    @property
    def one_standard_error_index(self) -> int:
        if not self.larger_is_better:
            raise Unsupported(f"{CRITERIA[self.criterion]} has no standard error; use criterion='cv'.")
        i = self.best_index
        within = np.flatnonzero(self.values >= self.values[i] - np.nan_to_num(self.std_errors[i]))
        return int(min(within, key=lambda j: (self.candidates[j].n_components, self.n_parameters[j])))

    @property
    def one_standard_error(self) -> MixtureCandidate:
        """The fewest components within one standard error of the best; of equally many, the fewest parameters."""
        return self.candidates[self.one_standard_error_index]

    @property
    def fold_std(self) -> np.ndarray:
        """Spread of the held-out likelihood over folds, per candidate; NaN without folds."""
        if self.fold_values.shape[1] < 2:
            return np.full(len(self.candidates), np.nan)
        with np.errstate(invalid="ignore"):  # an infinite value has no spread
            return self.fold_values.std(axis=1, ddof=1)

    @property
    def table(self) -> dict[str, Any]:
        """Columns with one entry per candidate."""
        errors = {"std_error": self.std_errors, "fold_std": self.fold_std} if self.larger_is_better else {}
        return {
            "covariance_type": [c.covariance_type for c in self.candidates],
            "n_components": np.array([c.n_components for c in self.candidates]),
            self.criterion: self.values,
            **errors,
            "log_likelihood": self.log_likelihoods,
            "n_parameters": self.n_parameters,
            "converged": self.converged,
            "optima": self.optima.distinct,
            "best_found_by": self.optima.found_by,
            "best_restart": self.optima.best,
        }

    def frame(self, kind: str = "pandas") -> Any:
        """One row per candidate."""
        return to_frame(self.table, kind)

    def __str__(self) -> str:
        i = self.best_index
        near = f"; within one standard error: {self.one_standard_error}" if self.larger_is_better else ""
        folds = f", {self.fold_values.shape[1]} folds" if self.larger_is_better else ""
        return (
            f"{CRITERIA[self.criterion]} {self.values[i]:.5g} at {self.best}{near} ({len(self.candidates)} candidates"
            f"{folds}, {self.optima.restarts.shape[1]} starts each, {self.optima.found_by[i]} of which found the best)"
        )

    def __repr__(self) -> str:
        return f"<ComponentSelection: {self}>"

    def _repr_html_(self) -> str:
        columns = {k: v for k, v in self.table.items() if any(x is not None for x in v)}
        head = "".join(f"<th>{escape(name)}</th>" for name in columns)
        cells = [[_shown(v) for v in column] for column in columns.values()]
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(c)}</td>' for c in row)}</tr>" for row in zip(*cells, strict=True)
        )
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"<p>{escape(str(self))}</p><table><tr>{head}</tr>{rows}</table>{notes}"


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)


def select_components(
    model: Any,
    X: Any,
    components: Iterable[int] = range(1, 11),
    *,
    criterion: Literal["cv", "bic", "icl"] = "cv",
    covariance_types: Iterable[str] | None = None,
    cv: Any = 10,
    n_init: int | None = None,
    sample_weight: Any = None,
    random_state: Any = None,
) -> ComponentSelection:
    """Compare numbers of components, and shapes of covariance, and fit the best.

    Fits run side by side. What they warn of is kept in `notes`; a warning tells what concerns the best, and where the
    choice hangs on a start that others did not find.

    Parameters
    ----------
    model
        Any mixture of this room that is fitted by expectation–maximization; its other parameters are kept.
    components
        Numbers of components to try.
    criterion
        "cv" for held-out likelihood, "bic", or "icl".
    covariance_types
        To try with each number, where the model has that parameter; None keeps the model's.
    cv
        Folds: a number (of shuffled rows), a splitter, or pairs of training and test rows.
    n_init
        Starts of every fit; None takes the model's, but at least five.
    sample_weight
        How many rows each row stands for, in the fits and in the criterion.
    random_state
        Seed of folds and of every fit; None takes the model's.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.mixtures import GaussianMixture
    >>> from suffice.mixtures import select_components
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(m, 1, (60, 2)) for m in ([0, 0], [6, 0], [3, 5])])
    >>> found = select_components(GaussianMixture(), X, range(1, 6), criterion="bic", random_state=0)
    >>> found.best, found.best_model.weights_.round(2)
    (Candidate(3, 'full'), array([0.33, 0.33, 0.33]))
    """
    check_choice("criterion", criterion, tuple(CRITERIA))
    X = X if hasattr(X, "shape") else np.asarray(X)
    table = WeightedTable(X, check_weight(sample_weight, X))
    candidates = candidates_of(model, components, covariance_types)
    n_init = max(STARTS, model.n_init) if n_init is None else count_of("n_init", n_init)
    seed = seed_of(model.random_state if random_state is None else random_state)
    splits = splits_of(cv, table, seed) if criterion == "cv" else []
    done = trials(model, table, candidates, splits, n_init, seed)
    groups = [done[i : i + 1 + len(splits)] for i in range(0, len(done), 1 + len(splits))]
    failures = failures_of(done)
    held = [held_out(group[1:], splits, table) for group in groups] if splits else []
    wholes = [group[0] for group in groups]
    values = np.array([h.value for h in held] if splits else [_judged(t, table, criterion) for t in wholes])
    optima = Optima.of([_restarts(t) for t in wholes], tolerance(model.tol))
    open_to_choice = np.where(eligible(wholes, criterion), values, np.nan)
    best = chosen(open_to_choice, criterion == "cv")
    lucky = hanging(candidates, open_to_choice, optima, best, _rows(table), criterion)
    tell(wholes[best], lucky, failures, n_init)
    notes = [*failures, *lucky, *remarks(done, len(splits)), *_edges(candidates, best, values)]
    return _assembled(criterion, candidates, values, held, wholes, optima, best, tuple(notes))


# -- the judgment ----------------------------------------------------------------------------------------------
def eligible(wholes: Sequence[MixtureTrial], criterion: str) -> np.ndarray:
    """Candidates that may be chosen: fitted, and by BIC and ICL not collapsed, unless all of them are.

    The likelihood of a mixture that has collapsed is as high as its floor is low, and no maximum.
    """
    fitted = np.array([t.fitted is not None for t in wholes])
    sound = fitted & [not any(issubclass(kind, AtBound) for _, kind in t.warnings) for t in wholes]
    return sound if criterion != "cv" and sound.any() else fitted


def chosen(values: np.ndarray, larger: bool) -> int:
    """The best of finite values; the first of equal ones."""
    usable = np.where(np.isfinite(values), values if larger else -values, -np.inf)
    if not np.isfinite(usable).any():
        raise InvalidInput(
            "No candidate has a finite criterion: in every one a fold failed or held-out rows are impossible. Use "
            "fewer folds or components, or a prior."
        )
    return int(np.argmax(usable))


def _judged(trial: MixtureTrial, table: WeightedTable, criterion: str) -> float:
    if trial.fitted is None:
        return float("nan")
    return float(getattr(trial.fitted, criterion)(table.X, table.weight))


def _restarts(trial: MixtureTrial) -> np.ndarray:
    return np.array([np.nan]) if trial.fitted is None else np.asarray(trial.fitted.restarts_)


def _rows(table: WeightedTable) -> float:
    return float(len(table) if table.weight is None else table.weight.sum())


def tell(best: MixtureTrial, lucky: list[str], failures: list[str], n_init: int) -> None:
    """One warning of each kind: what concerns the best, a lucky choice, and fits that failed."""
    for message, category in best.warnings:
        warn(f"The best candidate, {best.candidate}: {message}", category)
    if lucky:
        more = f" (and {len(lucky) - 1} more; see notes)" if len(lucky) > 1 else ""
        warn(f"The choice hangs on the start. {lucky[0]}{more}. Raise n_init={n_init}.", OptimaDisagree)
    if failures:
        more = f" (and {len(failures) - 1} more; see notes)" if len(failures) > 1 else ""
        warn(f"{failures[0].rstrip('.')}{more}. The other fits are kept.", FitFailed)


def _edges(candidates: Sequence[MixtureCandidate], best: int, values: np.ndarray) -> list[str]:
    """Where the search ended too early, and which rows are impossible."""
    counts = {c.n_components for c in candidates}
    out = [
        f"{c}: held-out rows are impossible" for c, v in zip(candidates, values, strict=True) if v == -np.inf
    ]
    if len(counts) > 1 and candidates[best].n_components == max(counts):
        out.append(f"{candidates[best]} is the best and the largest number tried; try more components")
    return out


def _assembled(
    criterion: str,
    candidates: tuple[MixtureCandidate, ...],
    values: np.ndarray,
    held: list[HeldOut],
    wholes: list[MixtureTrial],
    optima: Optima,
    best: int,
    notes: tuple[str, ...],
) -> ComponentSelection:
    fits, size = [t.fitted for t in wholes], len(candidates)
    none = np.full(size, np.nan)
    return ComponentSelection(
        criterion,
        candidates,
        frozen_array(np.where([f is None for f in fits], np.nan, values)),
        frozen_array([h.std_error for h in held] if held else none),
        frozen_array([h.folds for h in held] if held else np.empty((size, 0))),
        frozen_array([t.log_likelihood for t in wholes]),
        frozen_array([0 if f is None else f.n_parameters_ for f in fits], dtype=int),
        frozen_array([f is not None and f.converged_ for f in fits], dtype=bool),
        optima,
        best,
        fits[best],
        notes,
    )
