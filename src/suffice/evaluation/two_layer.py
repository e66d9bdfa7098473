"""Two-layer cross-validation: choose in the inner layer, judge in the outer (DTU Algorithm 6).

    for each outer fold:   choose the parameters by cross-validation within its training rows,
                           fit them to all of those, and test on the fold

The minimum of noisy estimates is too good to be true, so the loss that chose may not be the loss that is
reported. All models see the same folds, and a baseline is always among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.model_selection import LeaveOneOut, ParameterGrid
from sklearn.utils import _safe_indexing

from suffice._core.errors import InvalidInput, InvalidParameter, check_fraction
from suffice._core.frames import to_frame
from suffice._core.losses import Loss, is_density, resolve_loss
from suffice._core.numerics import first_largest
from suffice._core.records import record
from suffice._core.validation import Validation
from suffice.baselines import LastValue, MajorityClassifier, MeanRegressor, MedianRegressor, PriorClassifier
from suffice.engine import one_blas_thread
from suffice.evaluation._levels.constants import constant_model
from suffice.evaluation._levels.ladder import Ladder
from suffice.evaluation._levels.question import slowest
from suffice.evaluation._levels.splits import PARTITIONS, make_folds
from suffice.evaluation._levels.validation_table import ValidationTable, sizes_of_tests
from suffice.evaluation.cross_validation import assemble, make_table
from suffice.evaluation.setups import Comparison, compare
from suffice.statistics.folds import Folds

BASELINES = (
    MeanRegressor, MedianRegressor, MajorityClassifier, PriorClassifier, LastValue, DummyRegressor, DummyClassifier,
)  # fmt: skip


@record
class TwoLayer:
    """What two-layer cross-validation found, model by model, on the same outer folds.

    `validations` holds the outer layer of each model (loss, interval, predictions). `chosen` are the
    parameters picked in each outer fold, `inner` the inner losses (outer folds × candidates) they were picked
    by, NaN where there was no choice. `fold` says in which outer fold each row was tested (−1: in none). Densities have
    no targets: `y` is None, and the `baseline` is the first of them.
    """

    validations: dict[str, Validation]
    chosen: dict[str, tuple[dict[str, Any], ...]]
    inner: dict[str, np.ndarray]
    candidates: dict[str, tuple[dict[str, Any], ...]]
    baseline: str
    y: np.ndarray | None
    weight: np.ndarray | None
    fold: np.ndarray
    test_fraction: float
    loss: str

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.validations)

    @property
    def errors(self) -> dict[str, np.ndarray]:
        """Mean loss in each outer fold."""
        return {name: v.fold_losses for name, v in self.validations.items()}

    @property
    def estimates(self) -> dict[str, float]:
        """Size-weighted mean loss over the outer folds."""
        return {name: v.estimate for name, v in self.validations.items()}

    @property
    def predictions(self) -> dict[str, Any]:
        """Out-of-fold predictions."""
        return {name: v.predictions for name, v in self.validations.items()}

    @property
    def losses(self) -> dict[str, Any]:
        """Loss of every row."""
        return {name: v.losses for name, v in self.validations.items()}

    def compare(self, setup: str = "II", *, confidence: float | None = None) -> Comparison:
        """Every pair of models, the baseline included: difference of losses, interval, p-value, sentence.

        Parameters
        ----------
        setup
            "I": given this training set (pooled predictions: McNemar for right and wrong, else a paired t).
            "II": for new training sets of this size (correlated t over the folds).
        confidence
            Of the intervals; as in `two_layer` by default.

        Examples
        --------
        >>> from suffice.datasets import olympic_100m_men
        >>> from suffice.evaluation import two_layer
        >>> from suffice.linear import LinearRegression
        >>> data = olympic_100m_men()
        >>> found = two_layer({"line": LinearRegression()}, data.X, data.y, outer=5).compare(setup="I")
        >>> found["line", "baseline"].estimate < 0
        True
        """
        return compare(self, setup, confidence)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per model and outer fold."""
        rows = [(name, i) for name in self.names for i in range(len(self.errors[name]))]
        return to_frame(
            {
                "model": [name for name, _ in rows],
                "fold": [i for _, i in rows],
                "size": [self.validations[name].fold_sizes[i] for name, i in rows],
                "loss": [self.errors[name][i] for name, i in rows],
                "chosen": [str(self.chosen[name][i]) for name, i in rows],
            },
            kind,
        )

    def __str__(self) -> str:
        width = max(map(len, self.names))
        lines = [
            f"{self.loss} loss by two-layer cross-validation ({len(next(iter(self.errors.values())))} folds)"
        ]
        for name in sorted(self.names, key=lambda n: self.estimates[n]):
            v = self.validations[name]
            spread = "" if v.interval is None else f"  [{v.interval[0]:.5g}, {v.interval[1]:.5g}]"
            mark = "  (baseline)" if name == self.baseline else ""
            lines.append(f"  {name:{width}}  {v.estimate:11.5g}{spread}  from {v.how}{mark}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<TwoLayer: {', '.join(f'{n} {e:.5g}' for n, e in self.estimates.items())}>"

    def _repr_html_(self) -> str:
        return f"<pre>{self}</pre>"


def two_layer(
    models: Mapping[str, Any],
    X: Any,
    y: Any = None,
    outer: Any = 10,
    inner: Any = 10,
    *,
    loss: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    params: dict[str, Any] | None = None,
    confidence: float = 0.95,
    n_jobs: int | None = None,
) -> TwoLayer:
    """Judge models whose parameters are chosen by cross-validation, by an outer cross-validation.

    Parameters
    ----------
    models
        Estimators by name, or pairs of an estimator and a grid as for `SearchCV`. A baseline is added
        unless one is there: the constant that suits the loss (mean, median, majority, class frequencies), which is
        given no `params` but weights. None is added to densities; the first takes its place, so give the simplest
        first.
    outer, inner
        Folds of the two layers, as `cv` in `cross_validate`; groups are kept together in both if the
        splitters do so.
    loss, sample_weight, groups, params, n_jobs
        As in `cross_validate`.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.evaluation import two_layer
    >>> from suffice.linear import LinearRegression, Ridge
    >>> data = diabetes()
    >>> models = {"ols": LinearRegression(), "ridge": (Ridge(standardize=True), {"alpha": [1, 10, 100]})}
    >>> result = two_layer(models, data.X, data.y, outer=5, inner=5)
    >>> sorted(result.estimates, key=result.estimates.get)[-1], [c["alpha"] for c in result.chosen["ridge"]]
    ('baseline', [1, 1, 1, 10, 10])
    """
    check_fraction("confidence", confidence)
    given = {name: _pair(name, entry) for name, entry in _listed(models).items()}
    pairs = _with_baseline(given, loss)
    first = next(iter(pairs.values()))[0]
    measure = resolve_loss(loss, first)
    table = make_table(X, y, sample_weight, params, first)
    folds = make_folds(outer, first, table.X, table.y, groups)
    choices = any(len(grid) > 1 for _, grid in pairs.values())
    sizes_of_tests(table, folds)
    layers = _inner_folds(inner, first, table, groups, folds) if choices else []
    rows = {n: table if n in given else table.for_baseline(m) for n, (m, _) in pairs.items()}
    results = {
        name: _judge(name, model, grid, rows[name], folds, layers, measure, confidence, n_jobs)
        for name, (model, grid) in pairs.items()
    }
    fold = np.full(len(table), -1)
    for i in range(len(folds)):
        fold[folds.test(i)] = i
    trained = np.mean([len(folds.train(i)) for i in range(len(folds))])
    tested = float(np.mean(folds.sizes))
    return TwoLayer(
        {n: r[0] for n, r in results.items()},
        {n: r[1] for n, r in results.items()},
        {n: r[2] for n, r in results.items()},
        {n: tuple(grid) for n, (_, grid) in pairs.items()},
        next((n for n, (m, _) in pairs.items() if isinstance(m, BASELINES)), next(iter(pairs))),
        None if table.y is None else np.asarray(table.y),
        table.weight,
        fold,
        tested / (tested + float(trained)),
        measure.name,
    )


Pair = tuple[Any, list[dict[str, Any]]]


def _listed(models: Any) -> Mapping[str, Any]:
    if not isinstance(models, Mapping) or not models:
        raise InvalidInput(
            f"Give models by name: {{name: estimator}} or {{name: (estimator, grid)}}; got {models!r}."
        )
    return models


def _pair(name: str, entry: Any) -> Pair:
    model, grid = entry if isinstance(entry, tuple) and len(entry) == 2 else (entry, {})
    if isinstance(model, type) or not hasattr(model, "get_params"):
        raise InvalidParameter(
            f"Model {name!r} must be an estimator or a pair (estimator, grid); got {entry!r}."
        )
    candidates = list(ParameterGrid(grid))
    if not candidates:
        raise InvalidParameter(f"The grid of model {name!r} has no candidates; leave it out, or give one.")
    return model, candidates


def _with_baseline(pairs: dict[str, Pair], loss: Any) -> dict[str, Pair]:
    densities = [name for name, (model, _) in pairs.items() if is_density(model)]
    if densities and len(densities) < len(pairs):
        other = next(name for name in pairs if name not in densities)
        raise InvalidInput(
            f"Model {densities[0]!r} is a density and {other!r} predicts targets; they have no loss in common."
        )
    if densities or any(isinstance(model, BASELINES) for model, _ in pairs.values()):
        return pairs
    if "baseline" in pairs:
        raise InvalidInput("The name 'baseline' is taken by a model that is none; rename it.")
    some = next(iter(pairs.values()))[0]
    return pairs | {"baseline": (constant_model(some, resolve_loss(loss, some)), [{}])}


def _inner_folds(inner: Any, model: Any, table: ValidationTable, groups: Any, outer: Folds) -> list[Folds]:
    """The folds within the training rows of every outer fold, the same for all models."""
    blind = isinstance(inner, int) or type(inner) in (*PARTITIONS, LeaveOneOut)  # never looks at the columns
    layers = []
    for i in range(len(outer)):
        rows = outer.train(i)
        y = None if table.y is None else _safe_indexing(table.y, rows)
        part = None if groups is None else _safe_indexing(groups, rows)
        try:
            X = np.empty((len(rows), 0)) if blind else table.inputs(rows)
            layers.append(make_folds(inner, model, X, y, part).within(rows))
        except InvalidInput as error:
            error.add_note(f"This happened in the inner layer of outer fold {i}.")
            raise
    return layers


@one_blas_thread()
def _judge(
    name: str,
    model: Any,
    grid: Sequence[dict[str, Any]],
    table: ValidationTable,
    folds: Folds,
    layers: list[Folds],
    loss: Loss,
    confidence: float,
    n_jobs: int | None,
) -> tuple[Validation, tuple[dict[str, Any], ...], np.ndarray]:
    """The outer validation of one model, its choices, and the inner losses behind them."""
    reads = len(table) * (1 + len(folds) if len(grid) > 1 else 1)
    search = Ladder(model, grid, table, visits=reads, n_jobs=n_jobs, name=name)
    inner = np.full((len(folds), len(grid)), np.nan)
    notes: list[str] = []
    level: list[str] = []
    if len(grid) > 1:
        for i, scores in enumerate(search.scores_of_layers(layers, loss)):
            inner[i] = scores.estimates
            notes += scores.notes
            level.append(scores.how)
    chosen = [_best(row, i) if len(grid) > 1 else 0 for i, row in enumerate(inner)]
    outer = search.chosen_predictions(chosen, folds, loss)
    how, remarks = slowest([outer.how, *level]), tuple(dict.fromkeys((*notes, *outer.notes)))
    validation = assemble(outer.held, table, loss, how, remarks, "size", confidence)
    return validation, tuple(grid[c] for c in chosen), inner


def _best(losses: np.ndarray, fold: int) -> int:
    if not np.isfinite(losses).any():
        raise InvalidInput(f"No candidate could be fitted within outer fold {fold}.")
    return first_largest(-losses)
