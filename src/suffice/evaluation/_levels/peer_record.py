"""What scikit-learn's `cross_validate` returns, in folds that are known; from statistics where the model allows it."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import model_selection

from suffice.evaluation._levels.peer_scores import scores_in_folds
from suffice.evaluation._levels.validation_table import ValidationTable
from suffice.statistics.folds import Folds


def peer_record(
    model: Any,
    table: ValidationTable,
    folds: Folds,
    scoring: Any,
    train: bool,
    estimators: bool,
    n_jobs: int | None,
) -> dict[str, Any]:
    """Scores and times per fold by name; times are shares of the whole where nothing was refitted."""
    found = None if estimators else scores_in_folds(model, [{}], table, folds, scoring, train)
    if found is None:
        rows = np.arange(len(table))
        given = table.params if table.weight is None else table.params | {"sample_weight": table.weight}
        out: dict[str, Any] = model_selection.cross_validate(
            model,
            table.X,
            table.y,
            cv=[(rows[folds.train(i)], rows[folds.test(i)]) for i in range(len(folds))],
            scoring=scoring,
            params=given,
            return_train_score=train,
            return_estimator=estimators,
            n_jobs=n_jobs,
        )
        return out
    k = len(folds)
    out = {"fit_time": np.full(k, found.seconds / k), "score_time": np.zeros(k)}
    for kind, scores in (("test", found.test), ("train", found.train if train else {})):
        out |= {f"{kind}_{name}": values[0] for name, values in scores.items()}
    return out
