r"""Loss against the number of training rows (DTU §7.3.6 and §10.4, Figs 7.14, 10.15 and 10.16).

For fold k with training rows in the order o_k(1), o_k(2), … and test rows 𝒟_k, and for each size m

    train(m) = Σ_k |𝒟_k|/N · mean loss of f_{k,m} on o_k(1 … m),     test(m) the same on 𝒟_k,

where f_{k,m} is the model of the rows o_k(1 … m). Sizes are nested: more rows means the same rows and some more,
so neighbouring points of a curve differ by what the new rows add. All sizes of all folds are one search: a model
fitted from statistics reads the table once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor

from suffice._core.errors import (
    InvalidInput,
    RankDeficient,
    check_integer,
    check_number,
    hold_warnings,
    warn,
)
from suffice._core.frames import to_frame
from suffice._core.losses import Loss, resolve_loss
from suffice._core.records import record
from suffice._core.showing import Shown, table_of_texts
from suffice.evaluation._curves.advice import sentence
from suffice.evaluation._curves.diagnosis import Signs, diagnose, read_signs, standard_error
from suffice.evaluation._curves.nested import nested_folds, training_orders, training_sizes
from suffice.evaluation._levels.constants import constant_model
from suffice.evaluation._levels.ladder import Ladder, Scores
from suffice.evaluation._levels.splits import make_folds
from suffice.evaluation._levels.validation_table import ValidationTable, make_table, rows_to_read
from suffice.statistics.folds import Folds


@record
class LearningCurve(Shown):
    """Mean training and test loss for each number of training rows, and the folds they come from.

    `fold_train` and `fold_test` have one row per size and one column per fold (means over the repeats);
    `baseline` is the loss of the baseline on the same folds, None where there is none, and `target` the loss
    that was hoped for. Standard errors are those of the mean over folds; repeats do not make them smaller.
    """

    sizes: np.ndarray
    fold_train: np.ndarray
    fold_test: np.ndarray
    fold_sizes: np.ndarray
    baseline: float | None
    target: float | None
    how: str
    notes: tuple[str, ...]
    loss: str

    @cached_property
    def train(self) -> np.ndarray:
        """Mean loss on the rows trained on, per size."""
        return self.fold_train @ self.fold_sizes / self.fold_sizes.sum()

    @cached_property
    def test(self) -> np.ndarray:
        """Mean loss on new rows, per size."""
        return self.fold_test @ self.fold_sizes / self.fold_sizes.sum()

    @property
    def train_error(self) -> np.ndarray:
        """Standard error of `train` over the folds; NaN for one fold."""
        return standard_error(self.fold_train)

    @property
    def test_error(self) -> np.ndarray:
        """Standard error of `test` over the folds; NaN for one fold."""
        return standard_error(self.fold_test)

    @cached_property
    def signs(self) -> Signs:
        """What the diagnosis rests on: the gap, what the last doubling was worth, and their errors."""
        folds = (self.fold_train, self.fold_test, self.fold_sizes)
        return read_signs(self.sizes, *folds, self.baseline, self.target)

    @property
    def diagnosis(self) -> str:
        """ "good", "overfit", "too weak", "wrong method", "more data" or "unclear".

        The rules are those of `suffice.evaluation._curves.diagnosis`.
        """
        return diagnose(self.signs)

    @property
    def sentence(self) -> str:
        """The diagnosis in words: more data, another model, or neither."""
        return sentence(self.signs)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per size."""
        columns = {"size": self.sizes, "train": self.train, "test": self.test}
        errors = {"train_error": self.train_error, "test_error": self.test_error}
        return to_frame(columns | errors, kind)

    def __str__(self) -> str:
        return f"{self.loss} loss over {len(self.sizes)} sizes (from {self.how}), {self.diagnosis}: {self.sentence}"

    def _repr_html_(self) -> str:
        columns = (self.sizes, self.train, self.train_error, self.test, self.test_error)
        points = zip(*columns, strict=True)
        rows = [(f"{m}", f"{a:.5g} ± {e:.2g}", f"{b:.5g} ± {f:.2g}") for m, a, e, b, f in points]
        return table_of_texts(("size", "train", "test"), rows, str(self))


def learning_curve(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    sizes: Sequence[float] | None = None,
    cv: Any = 10,
    loss: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    params: dict[str, Any] | None = None,
    baseline: Any = None,
    target: float | None = None,
    shuffle: bool = True,
    repeats: int = 1,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> LearningCurve:
    """Would more data help? Training and test loss as the training set grows.

    Parameters
    ----------
    sizes
        How many training rows: integers, or fractions of the smallest training set of the folds. Left out,
        eight sizes from a tenth to all of it, each larger than the one before by the same factor.
    params
        Further arguments of `fit`, as in `cross_validate`.
    baseline
        What the model should beat: a model, or its loss as a number. Left out, the best constant for the loss:
        the mean (or median), the majority class, or the shares of the classes.
    target
        The loss you hope for: a requirement, another's result, what people reach, what noise leaves.
    shuffle
        Draw the rows of the smaller training sets at random, each class of a classifier by its share. Otherwise
        take the first ones, as they come.
    repeats
        How many random orders to average over; the folds stay the same.

    Examples
    --------
    >>> from suffice.datasets import diabetes
    >>> from suffice.evaluation import learning_curve
    >>> from suffice.linear import LinearRegression
    >>> data = diabetes()
    >>> curve = learning_curve(LinearRegression(), data.X, data.y, sizes=[50, 100, 200, 390], random_state=0)
    >>> [round(float(v)) for v in curve.test]
    [3603, 3317, 3070, 3002]
    >>> curve.how, curve.diagnosis
    ('statistics', 'good')
    """
    loss = resolve_loss(loss, model)
    target = None if target is None else check_number("target", target)
    table = make_table(X, y, sample_weight, params, model)
    folds = make_folds(cv, model, table.X, table.y, groups)
    beaten = _baseline_loss(baseline, model, table, folds, loss, n_jobs)
    counts = training_sizes(sizes, min(len(folds.train(i)) for i in range(len(folds))))
    labels = np.asarray(table.y) if is_classifier(model) else None
    orders = training_orders(folds, labels, shuffle, check_integer("repeats", repeats, 1), random_state)
    shape = (repeats, len(folds), len(counts))
    nested = nested_folds(orders, folds, counts, len(table))
    names = [f"fold {k} with {m} rows" for _ in range(repeats) for k in range(len(folds)) for m in counts]
    scores, notes = score_named_folds(model, table, nested, loss, n_jobs, names)
    train, test = (m.reshape(shape).mean(axis=0).T for m in (scores.train[0], scores.test[0]))
    weight = scores.sizes.reshape(shape)[0, :, 0]
    return LearningCurve(counts, train, test, weight, beaten, target, scores.how, notes, loss.name)


def score_named_folds(
    model: Any,
    table: ValidationTable,
    folds: Folds,
    loss: Loss,
    n_jobs: int | None,
    names: Sequence[str] = (),
) -> tuple[Scores, tuple[str, ...]]:
    """Scores and notes, where `names` replace the numbers of folds.

    That few rows cannot determine many columns is a note here, not a warning: curves go there on purpose.
    """

    def named(text: str) -> str:
        return re.sub(r"^fold (\d+)", lambda found: names[int(found[1])], text) if names else text

    with hold_warnings() as held:
        scores = Ladder(model, [{}], table, visits=rows_to_read(folds), n_jobs=n_jobs).scores(folds, loss)
    for text, kind in held:
        if kind is not RankDeficient:
            warn(named(text), kind)
    few = [text for text, kind in held if kind is RankDeficient]
    return scores, tuple(dict.fromkeys([*map(named, scores.notes), *few]))


def _baseline_loss(
    baseline: Any, model: Any, table: ValidationTable, folds: Folds, loss: Loss, n_jobs: int | None
) -> float | None:
    if isinstance(baseline, Real) and not isinstance(baseline, bool):
        return check_number("baseline", baseline)
    if baseline is None:
        if not (is_classifier(model) or is_regressor(model)):
            return None
        baseline = constant_model(model, loss)
        table = replace(table, X=np.zeros((len(table), 1))).for_baseline(baseline)  # they look at no column
    if not hasattr(baseline, "fit"):
        raise InvalidInput(f"baseline must be a model, a number or None; got {baseline!r}.")
    ladder = Ladder(baseline, [{}], table, visits=len(table), n_jobs=n_jobs)
    return float(ladder.scores(folds, loss, train=False).estimates[0])
