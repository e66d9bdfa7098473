"""The ladder of validation: every level answers or says why not, and all validations go through the same ones."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge as PeerRidge
from sklearn.model_selection import KFold, LeaveOneOut, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice import linear
from suffice._core.losses import LOSSES
from suffice._estimator import LinearModel
from suffice.evaluation import SearchCV, cross_validate, two_layer, validate_path
from suffice.evaluation._levels.ladder import LINES, SINGLE, Ladder
from suffice.evaluation._levels.question import CandidateGrid, Question
from suffice.evaluation._levels.splits import make_folds
from suffice.evaluation._levels.validation_table import make_table, rows_to_read
from suffice.evaluation.protocols import HoldsOut, LinearInColumns
from suffice.generative import GaussianNB
from suffice.glm import LogisticRegression
from suffice.linear import LinearRegression, Ridge

RNG = np.random.default_rng(8)
X = RNG.standard_normal((60, 3))
Y = X @ [1.0, -1.0, 0.0] + RNG.standard_normal(60)
LABELS = (Y > 0).astype(int)
MODELS = {
    "least squares": (LinearRegression(), Y),
    "behind a scaler": (make_pipeline(StandardScaler(), Ridge()), Y),
    "a stranger": (PeerRidge(), Y),
    "a stranger behind a scaler": (make_pipeline(StandardScaler(), PeerRidge()), Y),
    "classes": (GaussianNB(), LABELS),
    "warm": (LogisticRegression(), LABELS),
}
FOLDS = {"five": KFold(5), "single rows": LeaveOneOut(), "overlapping": ShuffleSplit(4, random_state=0)}


def ladder_of(model, y, cv, grid=({},)):
    table = make_table(X, y, None, None, model)
    folds = make_folds(cv, model, table.X, table.y)
    return Ladder(model, list(grid), table, visits=rows_to_read(folds)), folds


def asked(ladder, folds, **options):
    return Question(ladder.grid, ladder.table, folds, LOSSES["squared"], **options)


@pytest.mark.parametrize("cv", FOLDS.values(), ids=FOLDS)
@pytest.mark.parametrize(("model", "y"), MODELS.values(), ids=MODELS)
def test_the_first_level_without_a_reason_answers(model, y, cv):
    ladder, folds = ladder_of(model, y, cv)
    (group,) = ladder.groups
    reasons = [level.why_not(group, asked(ladder, folds)) for level in SINGLE]
    assert reasons[-1] is None  # anything can be fitted again
    assert all(reason is None or (reason and not reason.endswith(".")) for reason in reasons)
    chosen = dict.fromkeys(range(len(folds)), 0)
    first = SINGLE[reasons.index(None)].predictions(group, asked(ladder, folds), chosen)
    assert first.how == cross_validate(model, X, y, cv=cv, loss="squared").how


def test_reasons_are_those_that_results_give():
    model = make_pipeline(StandardScaler(), PeerRidge())
    ladder, folds = ladder_of(model, Y, 5)
    (group,) = ladder.groups
    closed, statistics, warm, refit = (level.why_not(group, asked(ladder, folds)) for level in LINES)
    assert closed == statistics == "its last step (Ridge) is not fitted from a triangle"
    assert warm == "its refits share no work"
    assert refit is None
    assert cross_validate(model, X, Y, cv=5).notes == (statistics,)
    assert validate_path(model, X, Y, "ridge__alpha", [1.0], 5).notes == (statistics,)
    assert SearchCV(model, {"ridge__alpha": [1.0]}, cv=5).fit(X, Y).notes_ == (statistics,)
    assert two_layer({"m": model}, X, Y, outer=5).validations["m"].notes == (statistics,)


def test_a_scorer_asks_fitted_models():
    scorer = {"scorer": lambda model, X, y: 0.0}
    ladder, folds = ladder_of(LinearRegression(), Y, LeaveOneOut())
    (group,) = ladder.groups
    closed, statistics, *_ = (level.why_not(group, asked(ladder, folds, **scorer)) for level in LINES)
    assert (closed, statistics) == ("fitted models are asked for", None)
    ladder, folds = ladder_of(make_pipeline(StandardScaler(), Ridge()), Y, 5)
    (group,) = ladder.groups
    assert LINES[1].why_not(group, asked(ladder, folds, **scorer)) == "a scorer needs the whole Pipeline"
    assert ladder.refits(scorer["scorer"])
    assert not ladder.refits()


def test_candidates_are_sorted_into_lines_and_groups():
    grid = [{"alpha": a, "standardize": s} for s in (True, False) for a in (0.1, 1.0, 10.0)]
    ladder, _ = ladder_of(Ridge(), Y, 5, grid)
    (group,) = ladder.groups  # one pass over the rows
    assert [(line.parameter, line.numbers) for line in group.lines] == [
        ("alpha", [0, 1, 2]),
        ("alpha", [3, 4, 5]),
    ]
    assert [m.get_params()["alpha"] for m in group.lines[1].members] == [0.1, 1.0, 10.0]


def test_places_are_named_as_users_know_them():
    grid = CandidateGrid(Ridge(), [{}, {"alpha": 2.0}], "ridge")
    question = Question(grid, None, None, LOSSES["squared"], layer=" in the inner layer of outer fold 1")
    assert (
        question.where(1, 3) == "model 'ridge', fold 3 in the inner layer of outer fold 1 with {'alpha': 2.0}"
    )
    assert CandidateGrid(Ridge(), [{}]).where(0, "every fold") == "every fold"


@pytest.mark.parametrize("name", [name for name in linear.__all__ if isinstance(getattr(linear, name), type)])
def test_evaluation_asks_linear_models_by_protocol(name):
    cls = getattr(linear, name)
    if not issubclass(cls, LinearModel):
        pytest.skip("no linear model")
    model = cls()
    assert isinstance(model, LinearInColumns)
    if isinstance(model, HoldsOut):
        assert model.ignores_scale in (True, False)
